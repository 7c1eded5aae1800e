"""Where the report of a build is kept, and how it is known that a report is of a sitemap."""

import os
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from platformdirs import user_cache_path

from mkdocs_sitemap_plus.files import is_folder, real_path
from mkdocs_sitemap_plus.output import write_site_file
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap import UrlEntry, lastmod_text

_ENDING = ".report"


def kept_file(site_dir: Path) -> Path | None:
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
    """Write a report into the user's cache, and remove those of folders that are gone.

    Its first line is the built folder. A cache that can't be written is no error: only what reads
    the report needs it, and says so.
    """
    file = kept_file(site_dir)
    if file is None:
        return
    with suppress(OSError, SitemapError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_site_file(file, os.fsencode(real_path(site_dir)) + b"\n" + report)
        for other in file.parent.glob(f"*{_ENDING}"):
            with other.open("rb") as lines:
                folder = lines.readline().removesuffix(b"\n")
            if not is_folder(folder):
                other.unlink(missing_ok=True)


def fingerprint(entries: Iterable[UrlEntry]) -> str:
    """Return a hash of the URLs and dates of a sitemap, whatever their order and spelling."""
    # A URL may be in several files of a sitemap.
    lines = {
        f"{entry.loc} {lastmod_text(entry.lastmod) if entry.lastmod else ''}\n" for entry in entries
    }
    return sha256("".join(sorted(lines)).encode("utf-8", "surrogatepass")).hexdigest()
