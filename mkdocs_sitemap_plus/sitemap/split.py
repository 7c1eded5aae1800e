"""Entries to all files of a sitemap, each within the limits of the protocol."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.problems import Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.entry import SitemapEntry, UrlEntry
from mkdocs_sitemap_plus.sitemap.index import newest, render_index
from mkdocs_sitemap_plus.sitemap.limits import MAX_BYTES, MAX_URLS
from mkdocs_sitemap_plus.sitemap.names import (
    extra_name,
    index_name,
    part_name,
    root_name,
    section_names,
)
from mkdocs_sitemap_plus.sitemap.render import FOOT, NONE, head, namespaces, url
from mkdocs_sitemap_plus.wording import shorten


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Into which files entries go.

    Attributes:
        filename: of the sitemap; the names of all others are derived from it.
        base: the URL of its folder, with the last slash.
        max_urls: entries of one ``urlset``, at least 1.
        max_bytes: bytes of one ``urlset``, uncompressed and whole.
        sections: whether there is also a file for each first segment of the URLs.
        others: URLs of sitemaps elsewhere that an index lists as well.
        stylesheet: the URL of a CSS style sheet for people; None: there is none.
    """

    filename: str
    base: str
    max_urls: int = MAX_URLS
    max_bytes: int = MAX_BYTES
    sections: bool = False
    others: tuple[str, ...] = ()
    stylesheet: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A ``urlset`` within the limits.

    Attributes:
        pieces: its bytes, one piece after the other.
        entries: how many of the entries it was made from are in it.
        last: whether those are all the rest.
    """

    pieces: tuple[bytes | bytearray, ...]
    entries: int
    last: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapFile:
    """A file of a sitemap: its bare name and its bytes, one piece after the other."""

    name: str
    pieces: tuple[bytes | bytearray, ...]


def files(
    entries: Sequence[UrlEntry], layout: Layout, apart: Sequence[UrlEntry] = ()
) -> Iterator[SitemapFile]:
    """All files, each before the index that lists it; one is held in memory at a time.

    The sitemap itself is a ``urlset`` while the limits allow it, since a theme's script may read
    it, and else the index of its parts and of what stands apart. An index beside it lists sections,
    what stands apart and other sitemaps; no index lists an index, nor itself. ``lastmod`` in an
    index is the newest of the file's entries, and absent unless each of them has one.

    Args:
        entries: in the order in which they are written.
        layout: where they go.
        apart: those that are not to be in a flat sitemap; at least one entry is here or there.

    Raises:
        SitemapError: an entry alone, or an index, is larger than a file may be.
    """
    sections = (yield from _sections(entries, layout)) if layout.sections else []
    whole = yield from _parts(entries, layout, layout.filename)
    extra = yield from _parts(apart, layout, extra_name(layout.filename))
    flat = len(whole) == 1
    if not flat:
        yield _index(layout.filename, [*whole, *extra], layout)
    if sections or layout.others or (flat and extra):
        own = [*(sections or whole), *extra]
        named = {each.loc for each in own}
        others = [SitemapEntry(loc=loc) for loc in layout.others if loc not in named]
        yield _index(index_name(layout.filename), [*own, *others], layout)


def _index(name: str, listed: Sequence[SitemapEntry], layout: Layout) -> SitemapFile:
    return SitemapFile(name=name, pieces=(render_index(listed, layout.stylesheet),))


def _sections(
    entries: Sequence[UrlEntry], layout: Layout
) -> Generator[SitemapFile, None, list[SitemapEntry]]:
    listed: list[SitemapEntry] = []
    by_segment = sections(entries, layout.base)
    names = section_names(layout.filename, filter(None, by_segment))
    for segment, members in sorted(by_segment.items()):
        name = names[segment] if segment else root_name(layout.filename)
        listed += yield from _parts(members, layout, name)
    return listed


def sections(entries: Sequence[UrlEntry], base: str) -> dict[str, list[UrlEntry]]:
    """Entries by the first segment of their URLs below `base`, in their order.

    A segment is a section if there is an entry below it. All other entries are at the root, which
    is the section ````.
    """
    depth = urlsplit(base).path.count("/")
    paths = [urlsplit(entry.loc).path.split("/")[depth:] for entry in entries]
    deep = {path[0] for path in paths if any(path[1:])}
    found: dict[str, list[UrlEntry]] = {}
    for path, entry in zip(paths, entries, strict=True):
        inside = len(path) > 1 and path[0] in deep
        found.setdefault(path[0] if inside else "", []).append(entry)
    return found


def _parts(
    entries: Sequence[UrlEntry], layout: Layout, name: str
) -> Generator[SitemapFile, None, list[SitemapEntry]]:
    """One file of that name, or several with numbers in theirs, or none without an entry.

    Returns what an index says of them.
    """
    listed: list[SitemapEntry] = []
    start = 0
    for number in count(1) if entries else ():
        part = next_part(entries, start, layout)
        own = name if part.last and number == 1 else part_name(name, number)
        yield SitemapFile(name=own, pieces=part.pieces)
        end = start + part.entries
        lastmod = newest(entries[index].lastmod for index in range(start, end))
        listed.append(SitemapEntry(loc=layout.base + own, lastmod=lastmod))
        if part.last:
            break
        start = end
    return listed


def next_part(entries: Sequence[UrlEntry], start: int, layout: Layout) -> Part:
    """As many entries from `start` on as the limits allow (sitemaps.org, the same).

    Raises:
        SitemapError: the first of them alone is too large.
    """
    body = bytearray()
    used, top = NONE, head(NONE, layout.stylesheet)
    end = start
    for end in range(start, min(start + layout.max_urls, len(entries))):
        entry = entries[end]
        needs = namespaces(entry)
        with_it = used | needs
        top_with_it = top if with_it == used else head(with_it, layout.stylesheet)
        text = url(entry).encode()
        size = len(top_with_it) + len(body) + len(text) + len(FOOT)
        if size > layout.max_bytes:
            if end == start:
                raise SitemapError(_too_large(entry, size, layout))
            break
        body += text
        used, top = with_it, top_with_it
    else:
        end += 1
    return Part(pieces=(top, body, FOOT), entries=end - start, last=end == len(entries))


def _too_large(entry: UrlEntry, size: int, layout: Layout) -> Problem:
    return Problem(
        code="max-bytes",
        found=f"the entry of {shorten(entry.loc)} alone needs a sitemap of {size} bytes, but only "
        f"{layout.max_bytes} are allowed",
        done="No file is written.",
        fix="Raise max_bytes, or list less for that page.",
    )
