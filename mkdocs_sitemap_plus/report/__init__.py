"""The JSON report of a build: where it is kept, and how it is told that it is that of a site.

``docs/reference/json.md`` describes its keys. A key that is not required is left out where there is
no value. Reports can be written by another release, or by hand: the strings may be any text.
"""

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

from mkdocs_sitemap_plus.files import Mark, Unreadable, exists, is_folder, read_file, real_path
from mkdocs_sitemap_plus.output import write_site_file
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap import UrlEntry, lastmod_text

FORMAT = Mark.REPORT.value
VERSION = 2  # of the format. New keys do not change it; removed or redefined keys do.
REQUIRED = frozenset(
    ("counts", "files", "format", "others", "pages", "problems", "site", "version")
)

Data = dict[str, Any]
"""A report, a page or a place of one: whatever JSON has, by the keys that the docs describe."""

_ENDING = ".report"
_MAX_REPORT = 1 << 30  # bytes; a page needs about 500


def file_of_report(site_dir: Path) -> Path | None:
    """Return the file in the user's cache that is for the report of a built folder.

    It is None for a user without a home, who has no cache.
    """
    try:
        cache = user_cache_path("mkdocs-sitemap-plus", appauthor=False)
    except RuntimeError:
        return None
    name = sha256(os.fsencode(real_path(site_dir))).hexdigest()[:32]
    return cache / f"{name}{_ENDING}" if cache.is_absolute() else None


def keep(site_dir: Path, report: bytes) -> None:
    """Write a report into the user's cache.

    Its first line is the built folder. The first report of a folder removes those of folders that
    are gone. A cache that can't be written is no error: only what reads the report needs it, and
    says so.
    """
    file = file_of_report(site_dir)
    if file is None:
        return
    with suppress(OSError, SitemapError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        is_first = not exists(file)
        write_site_file(file, os.fsencode(real_path(site_dir)) + b"\n" + report)
        for other in file.parent.glob(f"*{_ENDING}") if is_first else ():
            with other.open("rb") as lines:
                folder = lines.readline().removesuffix(b"\n")
            if not is_folder(folder):
                other.unlink(missing_ok=True)


def read_kept(site_dir: Path) -> bytes | None:
    """Return the report that is kept of a built folder; None if there is none."""
    file = file_of_report(site_dir)
    try:
        return file.read_bytes().partition(b"\n")[2] if file else None
    except OSError:
        return None


def last_files(site_dir: Path, named: Path | None) -> frozenset[str]:
    """Return the names of the files of the sitemap that the last build of a folder wrote.

    They stand in the report of that build, which is the file `named`, or else kept in the cache.
    Without a report that can be read there are none.
    """
    with suppress(Unreadable, ValueError, RecursionError, LookupError, TypeError):
        data = read_file(named, _MAX_REPORT) if named else read_kept(site_dir)
        report = json.loads(data or b"{}")
        if report["format"] == FORMAT:
            return frozenset(filter(lambda name: isinstance(name, str), report["files"]))
    return frozenset()


def fingerprint(entries: Iterable[UrlEntry]) -> str:
    """Return a hash of the URLs and dates of a sitemap, whatever their order and spelling."""
    # A URL may be in several files of a sitemap.
    lines = {
        f"{entry.loc} {lastmod_text(entry.lastmod) if entry.lastmod else ''}\n" for entry in entries
    }
    return sha256("".join(sorted(lines)).encode("utf-8", "surrogatepass")).hexdigest()
