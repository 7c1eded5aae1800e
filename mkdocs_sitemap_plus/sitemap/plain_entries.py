r"""Read the entries of a sitemap: those that are plain quickly, and all others as elements.

Nearly all entries of nearly all sitemaps are plain: a ``loc`` of ordinary characters, then a date,
``changefreq`` and ``priority`` that are right, without attributes, prefixes, entities or comments.
One expression finds such an entry in a fraction of the time that a parser needs. A parser reads
everything else, without the plain entries. It also says where an entry may begin: directly in the
root, and not in a comment or the like.
"""

import re
from collections.abc import Iterator
from datetime import date, datetime
from typing import NamedTuple, cast

from mkdocs_sitemap_plus.sitemap.entry import MAX_LOC_LENGTH, Changefreq, to_datetime
from mkdocs_sitemap_plus.sitemap.parse import RawElement, Reader, check_kind
from mkdocs_sitemap_plus.sitemap.render import NAMESPACE
from mkdocs_sitemap_plus.sitemap.urls import authority_fault
from mkdocs_sitemap_plus.sitemap.values import CLOCK, ZONE

_PATH = r"[\w.~!$'()*+,;=:@/?-]"
_LOC = rf"https?://(?P<host>[a-z0-9.-]++)/{_PATH}*+(?>(?:%[0-9A-Fa-f]{{2}}{_PATH}*+)*)"
_FIELDS = (
    rf"<lastmod>((?!1970|1969)\d{{4}}-\d\d-\d\d(?:T{CLOCK}:[0-5]\d{ZONE})?)</lastmod>",
    rf"<changefreq>({'|'.join(Changefreq)})</changefreq>",
    r"<priority>(0\.\d{1,4}|1\.0{1,4})</priority>",
)
_SPACE = r"[ \t\n]*+"
_PLAIN = re.compile(
    rf"(?P<space>{_SPACE})<url>{_SPACE}<loc>(?P<loc>{_LOC})</loc>{_SPACE}"
    rf"{''.join(f'(?:{each}{_SPACE})?' for each in _FIELDS)}</url>".encode(),
    re.ASCII,
)
_END = b"</url>"
_PIECE = 1 << 18


class PlainEntry(NamedTuple):
    """A ``url`` element in which nothing is wrong, and that has no extensions."""

    line: int  # 1-based, on which it begins
    loc: str  # an http or https URL without a port; its host may be one that can't exist
    lastmod: date | datetime | None
    changefreq: str | None
    priority: str | None


Entries = Iterator[RawElement | PlainEntry]


def root_and_entries(
    data: bytes, file: str, *, until: datetime | None = None
) -> tuple[RawElement, Entries]:
    """Return what `elements` yields: the root, then the rest, each plain entry as a `PlainEntry`.

    With `until`, an entry with a later date is not plain. Raises UnreadableError as `elements`.
    """
    found = _entries(data, file, until)
    return cast("RawElement", next(found)), found


def _entries(data: bytes, file: str, until: datetime | None) -> Entries:
    check_kind(data, file)
    reader = Reader(file)
    at, step = 0, 0
    while at < len(data):
        if _may_be_plain(reader):
            for entry, lines, end in _plain_entries(data, at, reader.line, until):
                reader.leave_out(lines)
                yield entry
                at, step = end, 0
        mark, length = (_END, len(_END)) if reader.root else (b"<url>", 0)
        found = data.find(mark, at + step, at + step + _PIECE)
        end = found + length if found > at else at + step + _PIECE
        yield from reader.read(data[at:end])
        # Where plain entries are rare, or a comment is long, they are looked for less often.
        at, step = end, min(2 * step + 1_000, _PIECE)
    yield from reader.read(b"", is_last=True)


def _may_be_plain(reader: Reader) -> bool:
    root = reader.root
    is_known = root is not None and (root.name, root.space) == ("urlset", NAMESPACE)
    return is_known and reader.default_space == NAMESPACE and reader.is_between


def _plain_entries(
    data: bytes, at: int, line: int, until: datetime | None
) -> Iterator[tuple[PlainEntry, int, int]]:
    """Yield the plain entries that follow each other at a place: entry, line ends, and its end."""
    known_host = None
    while found := _PLAIN.match(data, at):
        start, end = found.end("space"), found.end()
        loc, host, when, changefreq, priority = found.group("loc", "host", 4, 5, 6)
        lastmod = _date(when.decode()) if when else None
        if host != known_host and authority_fault(host.decode()):
            return
        known_host = host
        is_late = until and lastmod and to_datetime(lastmod) > until
        if len(loc) > MAX_LOC_LENGTH or is_late or (when and not lastmod):
            return
        before, inside = data.count(b"\n", at, start), data.count(b"\n", start, end)
        entry = PlainEntry(
            line + before,
            loc.decode(),
            lastmod,
            changefreq.decode() if changefreq else None,
            priority.decode() if priority else None,
        )
        line, at = line + before + inside, end
        yield entry, before + inside, end


def _date(text: str) -> date | datetime | None:
    """Return a date of the right form; None if there is no such day."""
    try:
        return (datetime if "T" in text else date).fromisoformat(text)
    except ValueError:
        return None
