"""Write a sitemap of entries that anybody made."""

import os
from collections.abc import Iterable
from pathlib import Path

from mkdocs_sitemap_plus.files import absolute_path
from mkdocs_sitemap_plus.generator.output import pack, write_files
from mkdocs_sitemap_plus.sitemap import MAX_BYTES, MAX_URLS, UrlEntry
from mkdocs_sitemap_plus.sitemap.urls import folder_fault
from mkdocs_sitemap_plus.sitemap.write import Layout, files


def write_sitemap(  # noqa: PLR0913 - what a sitemap needs
    entries: Iterable[UrlEntry],
    folder: str | os.PathLike[str],
    url: str,
    *,
    filename: str = "sitemap.xml",
    max_urls: int = MAX_URLS,
    max_bytes: int = MAX_BYTES,
) -> tuple[Path, ...]:
    """Write a sitemap into `folder`, and return the paths of all its files, `filename` first.

    Each file has a ``.gz`` beside it. More than `max_urls` entries, or `max_bytes` bytes, are split
    into several files, and `filename` is then their index. `url` is that of the folder, with a
    slash at its end; the index has the URLs of its files from it. Files of an earlier sitemap of
    this name that are not needed any more are removed. Whenever the process is killed, each file is
    complete, and an index lists only files that exist.

    The entries are written in their order and as they are. Raises ValueError if one of them has a
    problem (`UrlEntry.problems`), if there is none, a limit is below 1 or above that of the
    protocol, `filename` is not a name that ends in ``.xml``, or `url` is not the URL of a folder.
    Nothing is written then. Raises SitemapError if a file can't be written, or an entry alone
    exceeds `max_bytes`.
    """
    listed = list(entries)
    for entry in listed:
        for name, _, clause in entry.problems():
            raise ValueError(f"{entry.loc}: {name} {clause}")
    if not listed:
        raise ValueError("a sitemap has at least one entry")
    if not (1 <= max_urls <= MAX_URLS and 1 <= max_bytes <= MAX_BYTES):
        raise ValueError(f"a file has at most {MAX_URLS} entries and {MAX_BYTES} bytes")
    if Path(filename).name != filename or not filename.endswith(".xml"):
        raise ValueError(f"the name of a sitemap is a name that ends in .xml, not {filename}")
    if fault := folder_fault(url) or (None if url.endswith("/") else "does not end with a slash"):
        raise ValueError(f"the URL of the folder {fault}: {url}")
    path = absolute_path(folder)
    layout = Layout(filename=filename, base=url, max_urls=max_urls, max_bytes=max_bytes)
    names = pack(path, write_files(path, files(listed, layout), filename))
    return tuple(path / name for name in names)
