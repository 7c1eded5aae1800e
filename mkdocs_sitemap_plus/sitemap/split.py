"""Split entries into the files of a sitemap, each within the limits of the protocol."""

import re
from collections.abc import Generator, Iterator, Sequence
from typing import NamedTuple

from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap import MAX_BYTES, MAX_URLS, SitemapEntry, UrlEntry, newest
from mkdocs_sitemap_plus.sitemap.render import (
    FOOT,
    render_head,
    render_index,
    render_url,
    used_prefixes,
)
from mkdocs_sitemap_plus.wording import shorten, unescape


class Layout(NamedTuple):
    """How entries are split into files."""

    filename: str  # of the sitemap; the names of all other files are made from it
    base: str  # the URL of the sitemap's folder, with a slash at its end
    max_urls: int = MAX_URLS  # entries of one file, at least 1
    max_bytes: int = MAX_BYTES  # of one file, uncompressed
    others: tuple[str, ...] = ()  # URLs of other sitemaps, for the index beside the sitemap
    stylesheet: str | None = None  # the URL of the CSS style sheet


class SitemapFile(NamedTuple):
    """A file to write: its name without a folder, and its content in pieces."""

    name: str
    pieces: tuple[bytes | bytearray, ...]


def files(
    entries: Sequence[UrlEntry], layout: Layout, extra: Sequence[UrlEntry] = ()
) -> Iterator[SitemapFile]:
    """Yield all files, each before the index that lists it. Only one file is in memory at a time.

    The sitemap itself is a ``urlset`` if the limits allow it, because scripts of themes read it.
    Otherwise it is an index of its parts and of the files with the `extra` entries. A second index
    may be beside the sitemap: it lists the sitemap or its parts, the extra files, and other
    sitemaps. No index lists an index. In an index, the ``lastmod`` of a file is the newest date of
    its entries, if all of them have a date.

    `entries` are written in the given order; there must be at least one.

    Raises SitemapError if an entry or an index is larger than a file may be.
    """
    parts = yield from _parts(entries, layout, layout.filename)
    extra_parts = yield from _parts(extra, layout, extra_name(layout.filename))
    is_one_file = len(parts) == 1
    if not is_one_file:
        yield _index(layout.filename, parts + extra_parts, layout)
    if layout.others or (is_one_file and extra):
        listed = parts + extra_parts
        locs = {entry.loc for entry in listed}
        listed += [SitemapEntry(loc=loc) for loc in layout.others if loc not in locs]
        yield _index(index_name(layout.filename), listed, layout)


def _index(name: str, listed: Sequence[SitemapEntry], layout: Layout) -> SitemapFile:
    return SitemapFile(name=name, pieces=(render_index(listed, layout.stylesheet),))


def _parts(
    entries: Sequence[UrlEntry], layout: Layout, name: str
) -> Generator[SitemapFile, None, list[SitemapEntry]]:
    """Yield a file of this name, or several with numbers; return their index entries."""
    listed: list[SitemapEntry] = []
    start = 0
    while start < len(entries):
        pieces, end = _next_part(entries, start, layout)
        is_only = not listed and end == len(entries)
        file_name = name if is_only else part_name(name, len(listed) + 1)
        yield SitemapFile(name=file_name, pieces=pieces)
        lastmod = newest(entry.lastmod for entry in entries[start:end])
        listed.append(SitemapEntry(loc=layout.base + file_name, lastmod=lastmod))
        start = end
    return listed


def _next_part(
    entries: Sequence[UrlEntry], start: int, layout: Layout
) -> tuple[tuple[bytes | bytearray, ...], int]:
    """Return the content of a file with the entries from `start` on, as many as the limits allow.

    Also return the index of the first entry after them.
    """
    body = bytearray()
    prefixes: frozenset[str] = frozenset()  # of XML namespaces, which the head declares
    head = render_head(prefixes, layout.stylesheet)
    end = start
    while end < len(entries) and end - start < layout.max_urls:
        entry = entries[end]
        new_prefixes = prefixes | used_prefixes(entry)
        has_same_head = new_prefixes == prefixes
        new_head = head if has_same_head else render_head(new_prefixes, layout.stylesheet)
        text = render_url(entry).encode()
        size = len(new_head) + len(body) + len(text) + len(FOOT)
        if size > layout.max_bytes:
            if end > start:
                break
            found = (
                f"the entry of {shorten(entry.loc)} alone needs a sitemap of {size} bytes, but "
                f"only {layout.max_bytes} are allowed"
            )
            fix = "List fewer images, videos or links for that page."
            done = "No file is written."
            raise SitemapError(Problem(code=Code.MAX_BYTES, found=found, done=done, fix=fix))
        body += text
        prefixes, head = new_prefixes, new_head
        end += 1
    return (head, body, FOOT), end


def index_name(filename: str) -> str:
    """Return the name of the index beside the sitemap: ``sitemap-index.xml``."""
    return _with_ending(filename, "index")


def extra_name(filename: str) -> str:
    """Return the name of the extra file, for URLs that are not pages: ``sitemap-extra.xml``."""
    return _with_ending(filename, "extra")


def part_name(filename: str, number: int) -> str:
    """Return the name of a part of a file that would be too large: ``sitemap-1.xml``."""
    return _with_ending(filename, str(number))


def _with_ending(filename: str, ending: str) -> str:
    return f"{filename.removesuffix('.xml')}-{ending}.xml"


def is_part(name: str, filename: str) -> bool:
    """Return whether a part or the extra file of a sitemap `filename` has this name.

    Version 0.9 also wrote files for sections: ``sitemap-root.xml``, ``sitemap-section-guide.xml``.
    """
    stem = re.escape(filename.removesuffix(".xml"))
    kinds = r"\d+|(root|extra)(-\d+)?|section-[A-Za-z0-9._-]+"
    return re.fullmatch(rf"{stem}-({kinds})\.xml", name, re.ASCII) is not None


def is_extra(name: str, filename: str) -> bool:
    """Return whether the extra file of a sitemap `filename`, or a part of it, has this name."""
    start = extra_name(filename).removesuffix(".xml")
    return name.startswith(start) and is_part(name, filename)


def listed_urls(data: bytes) -> Iterator[str]:
    """Yield the URLs in an index that looks like ours; none for any other file."""
    if b"<sitemapindex " in data[:400]:
        for loc in re.findall(rb"<loc>([^<]*)</loc>", data):
            yield unescape(loc.decode("utf-8", "replace"))
