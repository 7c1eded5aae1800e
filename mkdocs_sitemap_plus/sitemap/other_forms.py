"""Read text files and feeds as sitemaps (sitemaps.org, "Other Sitemap formats"; Google).

An entry of these becomes the element that a sitemap would have for it, in its line. So whatever
reads sitemaps reads these too.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from mkdocs_sitemap_plus.sitemap import lastmod_text, parse
from mkdocs_sitemap_plus.sitemap.codes import SitemapCode
from mkdocs_sitemap_plus.sitemap.parse import MAX_ENTRIES, RawElement
from mkdocs_sitemap_plus.sitemap.render import NAMESPACE
from mkdocs_sitemap_plus.sitemap.xml import UnreadableError

_BEGINS_WITH_URL = re.compile(rb"(?:\xef\xbb\xbf)?\s*https?://", re.IGNORECASE)
_LINE = re.compile(rb"[^\r\n]+")
_ATOM = ("http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#")  # Atom 1.0 and 0.3


class Read(NamedTuple):
    """What is read of a file: the elements of an XML sitemap, or what they would be."""

    root: RawElement  # without its content
    entries: Iterator[RawElement]  # raises UnreadableError where the file can't be read further
    is_feed: bool = False


def read_elements(data: bytes, file: str) -> Read:
    """Return the elements of a sitemap, of an index, a text file with URLs, or a feed.

    What is none of these is read as XML. Raises UnreadableError as `parse.elements` does.
    """
    if _BEGINS_WITH_URL.match(data):
        return Read(_url_set(1), _lines(data, file))
    elements = parse.elements(data, file)
    root = next(elements)
    if root.tag == "rss":
        return Read(_url_set(root.line), _items(elements), is_feed=True)
    if root.name == "feed" and root.space in _ATOM:
        return Read(_url_set(root.line), _atom_entries(elements, root.space), is_feed=True)
    return Read(root, elements)


def _url_set(line: int) -> RawElement:
    return RawElement(f"{NAMESPACE} urlset", line)


def _entry(line: int, loc: str, lastmod: str | None = None) -> RawElement:
    """Return an element ``url``. `loc` and `lastmod` are as they are written."""
    children = [RawElement(f"{NAMESPACE} loc", line, text=loc)]
    if lastmod:
        children.append(RawElement(f"{NAMESPACE} lastmod", line, text=lastmod))
    return RawElement(f"{NAMESPACE} url", line, children=children)


def _lines(data: bytes, file: str) -> Iterator[RawElement]:
    """Yield an entry for each line of a text file that is not blank."""
    line, at, entries = 1, 0, 0
    for match in _LINE.finditer(data, 3 if data.startswith(b"\xef\xbb\xbf") else 0):
        line += data.count(b"\n", at, match.start())
        at = match.start()
        if match[0].isspace():
            continue
        entries += 1
        if entries > MAX_ENTRIES:
            found = f"has more than {MAX_ENTRIES:,} entries"
            raise UnreadableError(file, SitemapCode.TOO_COMPLEX, found, line=line)
        try:
            yield _entry(line, match[0].decode("utf-8"))
        except UnicodeDecodeError as error:
            raise UnreadableError(
                file, SitemapCode.ENCODING, "is not in UTF-8", line=line
            ) from error


def _items(elements: Iterable[RawElement]) -> Iterator[RawElement]:
    """Yield an entry for each item of RSS that has a link."""
    for item in (element for element in elements if element.tag == "item"):
        by_tag = item.by_tag()
        ids = (i for i in by_tag.get("guid", ()) if i.attributes.get("isPermaLink") != "false")
        when = _text(by_tag.get("pubDate", ()))
        if link := _text(by_tag.get("link", ())) or _text(ids):
            yield _entry(item.line, link, when and _iso_date(when))


def _iso_date(text: str) -> str:
    """Return a date of RSS as sitemaps write it. What is no date is returned as it is."""
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return text
    return lastmod_text(when if when.tzinfo else when.replace(tzinfo=UTC))


def _atom_entries(elements: Iterable[RawElement], space: str) -> Iterator[RawElement]:
    """Yield an entry for each entry of Atom that has a link to its page."""
    for entry in (entry for entry in elements if entry.tag == f"{space} entry"):
        by_tag = entry.by_tag()
        links = (link.attributes for link in by_tag.get(f"{space} link", ()))
        pages = [link.get("href") for link in links if link.get("rel", "alternate") == "alternate"]
        when = _text([*by_tag.get(f"{space} updated", ()), *by_tag.get(f"{space} modified", ())])
        if page := next(filter(None, pages), None):
            yield _entry(entry.line, page, when)


def _text(elements: Iterable[RawElement]) -> str:
    """Return the text of the first element; empty if there is none."""
    return next((element.text.strip() for element in elements), "")
