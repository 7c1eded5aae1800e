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

from mkdocs_sitemap_plus.files import Mark, Unreadable, absolute_path, read_file, real_path

FORMAT = Mark.REPORT.value
VERSION = 2  # of the format. New keys do not change it; removed or redefined keys do.
REQUIRED = frozenset(
    ("counts", "files", "format", "others", "pages", "problems", "site", "version")
)

Data = dict[str, Any]
"""A report, a page or a place of one: whatever JSON has, by the keys that the docs describe."""

ENDING = ".report"
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
    return cache / f"{name}{ENDING}" if cache.is_absolute() else None


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


def published_in(path: Path, site_dir: Path | None, docs_dir: Path | None) -> str | None:
    """Return which folder would publish a report: the docs folder or the built site, by its name.

    The folders are absolute, and None if they are not known. A link counts, and where it leads.
    """
    path = absolute_path(path)
    for folder, name in ((docs_dir, "the docs folder"), (site_dir, "the built site")):
        inside = folder and path.is_relative_to(folder)
        if folder and (inside or real_path(path).is_relative_to(real_path(folder))):
            return name
    return None


def fingerprint(entries: Iterable[tuple[str, str]]) -> str:
    """Return a hash of the URLs and dates of a sitemap, whatever their order; no date is empty."""
    # A URL may be in several files of a sitemap.
    lines = {f"{loc} {lastmod}\n" for loc, lastmod in entries}
    return sha256("".join(sorted(lines)).encode("utf-8", "surrogatepass")).hexdigest()
