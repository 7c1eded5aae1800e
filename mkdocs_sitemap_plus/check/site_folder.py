"""The folder of a built site, and the URL that it has on the web."""

from collections import Counter
from collections.abc import Container, Iterable, Sequence
from itertools import chain
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import NamedTuple
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.check import Listed
from mkdocs_sitemap_plus.files import is_folder
from mkdocs_sitemap_plus.sitemap import MAX_LOC_LENGTH
from mkdocs_sitemap_plus.sitemap.open_sitemaps import NAMES, sitemaps_in
from mkdocs_sitemap_plus.sitemap.urls import origin_url, quote_path, served_file

# The number of entries by which the URL of the site is found. If none of them has a file, more are
# tried: the second number.
_SAMPLES = (200, 3000)
_MAX_DEPTH = 20  # the folder of a site is at most this deep on its host


class SiteFolder(NamedTuple):
    """A folder with a built site, and the URL of the folder, with a slash at its end."""

    folder: Path
    url: str

    def file_of(self, url: str) -> Path | None:
        """Return the file that a web server sends for a URL of the site, or None."""
        return served_file(self.folder, self.url, url)

    def url_of(self, file: Path) -> str:
        """Return the URL that MkDocs and most servers use for a file of the site."""
        path = file.relative_to(self.folder).as_posix()
        if file.name == "index.html":
            path = path.removesuffix("index.html")
        return self.url + quote_path(path)

    def url_of_folder(self, folder: Path) -> str:
        """Return the URL of a folder of the site, with a slash at its end."""
        return self.url_of(folder / "index.html")


def site_beside(sitemap: Path) -> Path | None:
    """Return the folder of a sitemap; None if it has no HTML files, or if the path was a URL."""
    folder = sitemap.parent
    return folder if is_folder(folder) and any(folder.glob("*.html")) else None


def sites_below(sitemap: Path, files: Iterable[str]) -> list[Path]:
    """Return the folders of other built sites whose sitemaps, the `files`, an index lists.

    A folder is left out if the index does not list the whole site in it, that is, all files of its
    sitemap. `sitemap` is the path of the index.
    """
    top, read = sitemap.parent, {Path(name) for name in files}
    folders = dict.fromkeys(path.parent for path in read)
    return [
        folder
        for folder in sorted(folders)
        if folder != top
        and folder.is_relative_to(top)
        and site_beside(folder / NAMES[0])
        and _is_whole(folder, read)
    ]


def _is_whole(folder: Path, read: Container[Path]) -> bool:
    """Return whether the sitemap of a site was read, or as an index, all of its parts."""
    first = next((folder / name for name in sitemaps_in(folder)), None)
    if first in read:
        return True
    parts = [path for path in folder.glob("sitemap*.xml") if path.name not in NAMES]
    return bool(parts) and all(path in read for path in parts)


def site_in(folder: Path, listed: Sequence[Listed]) -> SiteFolder | None:
    """Return the site in a folder, with the URL by which most entries have a file in the folder.

    If there are many entries, only a sample is tried. The result is None if none of these has a
    file, whatever the URL.
    """
    urls = [entry.loc for entry in listed if len(entry.loc) <= MAX_LOC_LENGTH]
    for size in _SAMPLES:
        # Not at even distances: languages or versions of a page often follow each other.
        sample = Random(0).sample(urls, min(size, len(urls)))  # noqa: S311 - no secret
        site, files = _likely_site(folder, sample)
        if files:
            return site
    return None


def _likely_site(folder: Path, urls: Sequence[str]) -> tuple[SiteFolder | None, int]:
    """Return the site with the URL by which most of these URLs have a file, and how many have."""
    counts = Counter(chain.from_iterable(map(_folders_of, urls)))
    # The URL of a single page would fit too: its file would be ``index.html`` of the site. So only
    # folders that hold many of the URLs are tried.
    least = max(counts.values(), default=0) / 2
    sites = [SiteFolder(folder, url) for url, count in counts.items() if count >= least]
    files = [sum(site.file_of(url) is not None for url in urls) for site in sites]
    return max(zip(sites, files, strict=True), key=itemgetter(1), default=(None, 0))


def _folders_of(url: str) -> list[str]:
    """Return the URLs of the folders that a page is in, from the root on."""
    origin = origin_url(url)
    if origin is None:
        return []
    path = urlsplit(url).path or "/"
    ends = [at for at, letter in enumerate(path, start=1) if letter == "/"]
    return [origin + path[:end] for end in ends[:_MAX_DEPTH]]
