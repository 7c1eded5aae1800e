r"""Read the entries of a sitemap: the plain ones quickly, all others as elements.

Nearly all entries of nearly all sitemaps are plain: a ``loc`` of ordinary characters, then a date,
``changefreq`` and ``priority`` that are right, then links to languages and images, as most
generators write them, without entities or comments.
One regular expression finds such an entry in a fraction of the time that a parser needs. A parser
reads everything else. It also tells where an entry may begin: directly in the root, and not in a
comment or the like.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple, cast

from mkdocs_sitemap_plus.sitemap import MAX_LOC_LENGTH, Alternate, Changefreq, UrlEntry, to_datetime
from mkdocs_sitemap_plus.sitemap.languages import hreflang
from mkdocs_sitemap_plus.sitemap.parse import RawElement, Reader, check_kind
from mkdocs_sitemap_plus.sitemap.render import IMAGE, NAMESPACE, XHTML
from mkdocs_sitemap_plus.sitemap.urls import authority_fault
from mkdocs_sitemap_plus.sitemap.values import CLOCK, ZONE, date_if_any

_PATH = r"[\w.~!$'()*+,;=:@/?-]"
_HOST = "[a-z0-9.-]++"
_REST = rf"/{_PATH}*+(?>(?:%[0-9A-Fa-f]{{2}}{_PATH}*+)*)"
_URL = rf"https?://{_HOST}{_REST}"
_FIELDS = (  # without dates in 1969 and 1970: `check` reports the first second of Unix time
    rf"<lastmod>(?P<lastmod>(?!1970|1969)\d{{4}}-\d\d-\d\d(?:T{CLOCK}:[0-5]\d{ZONE})?)</lastmod>",
    rf"<changefreq>(?P<changefreq>{'|'.join(Changefreq)})</changefreq>",
    r"<priority>(?P<priority>0\.\d{1,4}|1\.0{1,4})</priority>",
)
_SPACE = r"[ \t\n]*+"
_GAP = r"[ \t\n]++"
_LINK = (
    rf'<xhtml:link{_GAP}rel="alternate"{_GAP}hreflang="[A-Za-z-]++"{_GAP}href="{_URL}"{_SPACE}/>'
)
_PICTURE = rf"<image:image>{_SPACE}<image:loc>{_URL}</image:loc>{_SPACE}</image:image>"
_PLAIN = re.compile(
    rf"(?P<space>{_SPACE})<url>{_SPACE}<loc>(?P<loc>https?://(?P<host>{_HOST}){_REST})</loc>{_SPACE}"
    rf"{''.join(f'(?:{each}{_SPACE})?' for each in _FIELDS)}"
    rf"(?P<more>(?>(?:(?:{_LINK}|{_PICTURE}){_SPACE})*))</url>".encode(),
    re.ASCII,
)
_LINKS = re.compile(rf'hreflang="([^"]*+)"{_GAP}href="([^"]*+)"')
_IMAGES = re.compile("<image:loc>([^<]*+)<")
_MAX_MORE = 50_000  # characters of links and images: 1,001 images need more
_END = b"</url>"
_PIECE = 1 << 18  # bytes that the parser reads at once


class PlainEntry(NamedTuple):
    """A ``url`` element in which nothing is wrong. Its extensions are links and images only."""

    line: int  # where it begins, counted from 1
    loc: str  # an http or https URL without a port
    lastmod: date | datetime | None
    changefreq: str | None
    priority: str | None
    links: Sequence[tuple[str, str]] = ()  # language codes and URLs; one of them is `loc`
    images: Sequence[str] = ()  # URLs

    def entry(self) -> UrlEntry:
        """Return the entry with typed values."""
        if not (self.changefreq or self.priority or self.links or self.images):
            return UrlEntry(loc=self.loc, lastmod=self.lastmod)
        return UrlEntry(
            loc=self.loc,
            lastmod=self.lastmod,
            changefreq=Changefreq(self.changefreq) if self.changefreq else None,
            priority=Decimal(self.priority) if self.priority else None,
            alternates=tuple(Alternate(hreflang=code, href=href) for code, href in self.links),
            images=tuple(self.images),
        )


Entries = Iterator[RawElement | PlainEntry]


def root_and_entries(
    data: bytes, file: str, *, until: datetime | None = None
) -> tuple[RawElement, Entries]:
    """Return the root, and what `parse.elements` yields after it; plain entries as `PlainEntry`.

    With `until`, an entry with a later date is not plain. Raises UnreadableError as `elements`.
    """
    entries = _entries(data, file, until)
    return cast("RawElement", next(entries)), entries


def _entries(data: bytes, file: str, until: datetime | None) -> Entries:
    check_kind(data, file)
    reader = Reader(file)
    at, step = 0, 0  # where reading goes on, and how many bytes the parser reads at least
    while at < len(data):
        if _may_be_plain(reader):
            for entry, lines, end in _plain_entries(data, at, reader, until):
                reader.leave_out(lines)
                yield entry
                at, step = end, 0
        # The parser reads up to the end of an entry; in the head, up to the first entry.
        mark, length = (_END, len(_END)) if reader.root else (b"<url>", 0)
        mark_at = data.find(mark, at + step, at + step + _PIECE)
        end = mark_at + length if mark_at > at else at + step + _PIECE
        yield from reader.read(data[at:end])
        # Where plain entries are rare, or a comment is long, they are looked for less often.
        at, step = end, min(2 * step + 1_000, _PIECE)
    yield from reader.read(b"", is_last=True)


def _may_be_plain(reader: Reader) -> bool:
    root = reader.root
    is_known = root is not None and (root.name, root.space) == ("urlset", NAMESPACE)
    return is_known and reader.spaces.get(None) == NAMESPACE and reader.is_between


def _plain_entries(
    data: bytes, at: int, reader: Reader, until: datetime | None
) -> Iterator[tuple[PlainEntry, int, int]]:
    """Yield the plain entries from the byte `at` up to the first other entry.

    With each, yield the number of lines that end in it and before it, and where it ends.
    """
    known_host, line = None, reader.line
    while match := _PLAIN.match(data, at):
        start, end = match.end("space"), match.end()
        values = match.group("loc", "host", "lastmod", "changefreq", "priority", "more")
        loc_bytes, host, when, changefreq, priority, more = values
        loc, lastmod = loc_bytes.decode(), date_if_any(when.decode()) if when else None
        if host != known_host and authority_fault(host.decode()):
            return
        known_host = host
        is_late = until and lastmod and to_datetime(lastmod) > until
        if len(loc) > MAX_LOC_LENGTH or is_late or (when and not lastmod):
            return
        extensions = _extensions(more.decode(), loc, reader.spaces) if more else ((), ())
        if extensions is None:
            return
        links, images = extensions
        before, inside = data.count(b"\n", at, start), data.count(b"\n", start, end)
        entry = PlainEntry(
            line + before,
            loc,
            lastmod,
            changefreq.decode() if changefreq else None,
            priority.decode() if priority else None,
            links,
            images,
        )
        line, at = line + before + inside, end
        yield entry, before + inside, end


def _extensions(
    text: str, loc: str, spaces: Mapping[str | None, str | None]
) -> tuple[Sequence[tuple[str, str]], Sequence[str]] | None:
    """Return the links and images of an entry; None if there are too many, or one may be wrong."""
    links, images = _LINKS.findall(text), _IMAGES.findall(text)
    is_right = (
        len(text) <= _MAX_MORE
        and (not links or spaces.get("xhtml") == XHTML)
        and (not links or loc in [href for _, href in links])
        and (not images or spaces.get("image") == IMAGE)
        and len({*images}) == len(images)
        and _are_languages(tuple(code for code, _ in links))
    )
    return (links, images) if is_right else None


@lru_cache(maxsize=64)  # nearly all pages of a site have the same languages
def _are_languages(codes: Sequence[str]) -> bool:
    """Return whether all codes are valid and different."""
    return all(map(hreflang, codes)) and len({code.lower() for code in codes}) == len(codes)
