"""Read untrusted bytes as a sitemap: XML, packed or not, a text file with URLs, RSS or Atom.

ElementTree comes with Python. Without a document type, which is refused, there are no entities to
expand.
"""

import re
import zlib
from collections.abc import Iterator
from datetime import UTC
from email.utils import parsedate_to_datetime
from gzip import BadGzipFile, GzipFile
from io import BytesIO
from typing import NamedTuple, cast
from xml.etree.ElementTree import Element, ParseError, SubElement, XMLPullParser

from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.protocol import MAX_BYTES, lastmod_text
from mkdocs_sitemap_plus.wording import format_value

NS = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
MAX_ENTRIES = 100_000  # of one file: twice as many as allowed, so that `check` can count them
MAX_ELEMENTS = 10_000  # of one entry: enough for 1,000 images with all their fields
# Bytes that are parsed at once, as many as fit into the processor's cache. expat before 2.6 reads a
# tag anew with each piece until it ends, so pieces grow as long as nothing ends.
_PIECE = 1 << 14
START = 4096  # bytes at the start of a file that show its kind
_UTF_16_OR_32 = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff", b"\0<", b"\0\0\0<", b"<\0")
BOM = b"\xef\xbb\xbf"
TEXT = re.compile(rb"\s*https?://", re.IGNORECASE)
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype\s+html|html)\b", re.DOTALL
)
_DECLARATION = re.compile(rb"<\?xml\s[^>]*>")
_DECLARED = re.compile(rb"\b(version|encoding)\s*=\s*[\"']([^\"']*)[\"']")
_PROLOG = re.compile(rb"(?>(?:\s++|<\?.*?\?>|<!--.*?-->)*)(<!DOCTYPE)?", re.DOTALL)
_ATOM = ("{http://www.w3.org/2005/Atom}", "{http://purl.org/atom/ns#}")  # Atom 1.0 and 0.3


def sitemap_place(file: str, line: int | None = None) -> Place:
    """Return a place in a sitemap."""
    return Place(Origin.SITEMAP, file, line=line)


class NotASitemapError(SitemapError):
    """A file is no sitemap that can be read to its end."""

    def __init__(
        self, file: str, code: str, found: str, *, line: int | None = None, fix: str | None = None
    ) -> None:
        """Take a code of `check`, a clause, and what to do."""
        self.code = code
        place = sitemap_place(file, line)
        super().__init__(Problem(Code.SITEMAP, found, place, fix=fix))


class WebPageError(NotASitemapError):
    """A web page in place of a sitemap."""

    def __init__(self, file: str, fix: str | None) -> None:
        super().__init__(file, "not-xml", "is a web page (HTML), not a sitemap", fix=fix)


class ReadFile(NamedTuple):
    """What is read of a file: the elements of an XML sitemap, or what they would be."""

    root: Element  # without its content
    entries: Iterator[Element]  # raises NotASitemapError where the file can't be read further
    is_feed: bool = False


def is_packed(data: bytes) -> bool:
    """Return whether a file begins like a gzip file."""
    return data.startswith(b"\x1f\x8b")


def unpacked(data: bytes, file: str) -> bytes:
    """Return the content of a gzip file, or the unchanged data of any other file.

    Raises NotASitemapError if the gzip file is broken, ends too early, or contains more bytes than
    the protocol allows.
    """
    if not is_packed(data):
        return data
    try:
        with GzipFile(fileobj=BytesIO(data)) as archive:
            text = archive.read(MAX_BYTES + 1)
    except EOFError as error:
        raise NotASitemapError(file, "gzip", "is a gzip file that ends too early") from error
    except (BadGzipFile, zlib.error) as error:
        raise NotASitemapError(file, "gzip", "is a broken gzip file") from error
    if len(text) > MAX_BYTES:
        raise too_large(file)
    return text


def too_large(file: str) -> NotASitemapError:
    """Return the error of a file that is larger than the protocol allows."""
    return NotASitemapError(file, "too-large", f"has more than {MAX_BYTES:,} bytes, unpacked")


def is_web_page(data: bytes) -> bool:
    """Return whether a file begins like a web page."""
    return bool(_HTML.match(data.removeprefix(BOM)[:START].lower()))


def read(data: bytes, file: str) -> ReadFile:
    """Return the root and the entries of a sitemap or an index.

    Those of a text file or a feed are the elements ``url`` that a sitemap would have for them.
    Raises NotASitemapError if the file is not well-formed XML in UTF-8, has a document type, or
    exceeds a limit of this module; what is behind the root raises it when it is reached.
    """
    data = data.removeprefix(BOM)
    if TEXT.match(data):
        return ReadFile(Element(f"{NS}urlset"), _of_text(data, file))
    _check_kind(data, file)
    elements = _elements(data, file)
    root = next(elements)
    space = split(root.tag)[0]
    if root.tag == "rss":
        return ReadFile(Element(f"{NS}urlset"), _of_rss(elements), is_feed=True)
    if space in _ATOM and root.tag == f"{space}feed":
        return ReadFile(Element(f"{NS}urlset"), _of_atom(elements, space), is_feed=True)
    return ReadFile(root, elements)


def locs_of(data: bytes, file: str) -> list[str]:
    """Return the absolute URLs that a sitemap lists, whatever its namespace; none of an index.

    Raises NotASitemapError if it can't be read to its end.
    """
    root, entries, _ = read(data, file)
    is_index = split(root.tag)[1] == "sitemapindex"
    children = (child for entry in entries for child in ([] if is_index else entry))
    locs = ((each.text or "").strip() for each in children if split(each.tag)[1] == "loc")
    return [loc for loc in locs if loc.startswith(("https://", "http://"))]


def split(tag: str) -> tuple[str, str]:
    """Return the namespace in braces, and the name."""
    space, brace, name = tag.rpartition("}")
    return space + brace, name


def _check_kind(data: bytes, file: str) -> None:
    """Raise NotASitemapError if a file is clearly no XML 1.0 in UTF-8, or has a document type."""
    if not data or data.isspace():
        raise NotASitemapError(file, "not-xml", "is empty", fix="Build the sitemap again.")
    if data.startswith(_UTF_16_OR_32):
        raise NotASitemapError(file, "encoding", "is in UTF-16 or UTF-32, but must be UTF-8")
    if is_web_page(data):
        raise WebPageError(file, "Name the sitemap itself, such as sitemap.xml.")
    if not data[:START].lstrip().startswith(b"<"):
        found = "is not XML, but must be a sitemap"
        fix = "Name a sitemap in XML."
        if b"://" in data[:START]:
            fix = "A list of URLs has one URL on each line, and nothing else."
        raise NotASitemapError(file, "not-xml", found, fix=fix)
    declaration = _DECLARATION.match(data[:START])
    declared = dict(_DECLARED.findall(declaration[0])) if declaration else {}
    encoding = declared.get(b"encoding", b"utf-8").decode("ascii", "replace")
    version = declared.get(b"version", b"1.0").decode("ascii", "replace")
    if encoding.lower() not in ("utf-8", "utf8", "us-ascii", "ascii"):
        found = f"is declared as {format_value(encoding)}, but must be UTF-8"
        raise NotASitemapError(file, "encoding", found, line=1)
    if version != "1.0":
        found = f"is declared as XML {format_value(version)}, but must be XML 1.0"
        raise NotASitemapError(file, "not-xml", found, line=1)
    if (prolog := _PROLOG.match(data)) and prolog[1]:
        line = data.count(b"\n", 0, prolog.start(1)) + 1
        found = "has a document type declaration, which is not allowed"
        raise NotASitemapError(file, "not-xml", found, line=line)


def _elements(data: bytes, file: str) -> Iterator[Element]:
    """Yield the root, then its children (of RSS, those of its channel), each when it is whole.

    The text behind an element is in its tail only when the next one is yielded.
    """
    parser: XMLPullParser[Element] = XMLPullParser(("start", "end"))
    depth = count = entries = 0
    root, level = Element(""), 1
    try:
        at, size = 0, _PIECE
        while at < len(data):
            parser.feed(data[at : at + size])
            at, size = at + size, 2 * size
            events = cast("Iterator[tuple[str, Element]]", parser.read_events())
            for event, element in events:
                size = _PIECE
                if event == "start":
                    depth, count = depth + 1, count + 1
                    if depth == 1:
                        root, level = element, 2 if element.tag == "rss" else 1
                        yield element
                    elif count > MAX_ELEMENTS:
                        found = f"has an entry of more than {MAX_ELEMENTS:,} elements"
                        raise NotASitemapError(file, "too-large", found)
                else:
                    depth -= 1
                    if depth == level:
                        entries, count = entries + 1, 0
                        if entries > MAX_ENTRIES:
                            raise _too_many(file)
                        yield element
                        (root if level == 1 else root[0]).clear()
        parser.close()
    except ParseError as error:
        code = "not-xml" if _is_utf_8(data) else "encoding"
        found = f"is not well-formed XML ({str(error).rpartition(':')[0]})"
        raise NotASitemapError(file, code, found, line=error.position[0]) from error


def _too_many(file: str) -> NotASitemapError:
    return NotASitemapError(file, "too-large", f"has more than {MAX_ENTRIES:,} entries")


def _is_utf_8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _url(loc: str, lastmod: str = "") -> Element:
    entry = Element(f"{NS}url")
    SubElement(entry, f"{NS}loc").text = loc
    if lastmod:
        SubElement(entry, f"{NS}lastmod").text = lastmod
    return entry


def _of_text(data: bytes, file: str) -> Iterator[Element]:
    entries = 0
    for number, line in enumerate(data.splitlines(), start=1):
        try:
            text = line.decode().strip()
        except UnicodeDecodeError as error:
            raise NotASitemapError(file, "encoding", "is not in UTF-8", line=number) from error
        if text:
            entries += 1
            if entries > MAX_ENTRIES:
                raise _too_many(file)
            yield _url(text)


def _of_rss(items: Iterator[Element]) -> Iterator[Element]:
    for item in items:
        guid = item.find("guid")
        own = guid.text if guid is not None and guid.get("isPermaLink") != "false" else ""
        link = (item.findtext("link", "").strip() or own or "").strip()
        when = item.findtext("pubDate", "").strip()
        try:
            date = parsedate_to_datetime(when)
            when = lastmod_text(date if date.tzinfo else date.replace(tzinfo=UTC))
        except (ValueError, OverflowError):
            pass  # what is no date is shown as it is written
        if item.tag == "item" and link:
            yield _url(link, when)


def _of_atom(entries: Iterator[Element], space: str) -> Iterator[Element]:
    for entry in entries:
        links = entry.iterfind(f"{space}link")
        pages = [each.get("href") for each in links if each.get("rel", "alternate") == "alternate"]
        when = entry.findtext(f"{space}updated") or entry.findtext(f"{space}modified") or ""
        page = next(filter(None, pages), None)
        if entry.tag == f"{space}entry" and page:
            yield _url(page, when.strip())
