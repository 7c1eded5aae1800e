"""Read all that a whole page says, built or live: its tags and headers, dates, title and text."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from os import PathLike
from urllib.parse import unquote, urlsplit

from mkdocs_sitemap_plus.command.reader.client import Response, is_html
from mkdocs_sitemap_plus.files import MAX_FILE, Unreadable, read_start
from mkdocs_sitemap_plus.html.page_says import (
    HEADER,
    PageSays,
    RobotsRules,
    read_page,
    read_refresh,
)
from mkdocs_sitemap_plus.html.stated_dates import stated_dates
from mkdocs_sitemap_plus.html.tags import is_empty, text_of, title_of
from mkdocs_sitemap_plus.wording import format_value


def built_page(path: str | PathLike[str], loc: str) -> PageSays:
    """Return what a built file says, that of the page which is published at `loc`."""
    try:
        data = read_start(path, MAX_FILE)
    except Unreadable as error:
        return PageSays(unreadable=error.reason)
    return read_page(data)._replace(dates=stated_dates(data.decode("utf-8", "replace"), loc))


def live_page(answer: Response, loc: str) -> PageSays:
    """Return what an answer says, that of the page which is published at `loc`."""
    says = PageSays()
    if is_html(answer.headers):
        html = _decoded(answer.body, ", ".join(answer.headers.getlist("Content-Type")))
        says = read_page(html.encode("utf-8", "replace"))._replace(
            dates=stated_dates(html, loc), text=_number_of(html, answer.url), lacks=_lacks(html)
        )
    return _with_headers(says, answer.headers.getlist)


def without_robots_headers(says: PageSays) -> PageSays:
    """Return the same without what the headers tell robots."""
    return says._replace(robots=tuple(each for each in says.robots if each.where != HEADER))


_NOT_FOUND = re.compile(
    r"(?:error\W{0,3})?(?:404\W{0,3})?(?:(?:page\s)?not\sfound|404)\W{0,3}", re.IGNORECASE
)
_MAX_NOT_FOUND = 500  # characters of the text of a page that says no more


def _lacks(html: str) -> str | None:
    """Return why it is no page, but what a server sends instead of one, as a clause."""
    if is_empty(html):
        return "has an empty body"
    title, text = title_of(html), text_of(html)
    if _NOT_FOUND.fullmatch(title) and len(text) <= _MAX_NOT_FOUND:
        return f"has the title {format_value(title)}, and hardly more text"
    return None


def _number_of(html: str, url: str) -> int:
    """Return a number that is equal for pages of the same title and text, their URLs aside."""
    title, text = title_of(html), text_of(html)
    path = urlsplit(url).path
    for written in (path, unquote(path)):
        if len(written) > 1:
            text = text.replace(written, "")
    return hash((title, text))


_INSIDE = r'(?>(?:[^"\\]++|\\.)*)'  # the text between quotation marks
_LINK = re.compile(rf'<([^<>]*+)>((?>(?:[^",<]++|"{_INSIDE}(?:"|\Z))*))')
_PARAMETER = re.compile(rf';\s*+([\w*-]++)\s*+=\s*+(?:"({_INSIDE})(?:"|\Z)|([^\s;]++))')


def _with_headers(says: PageSays, headers: Callable[[str], Sequence[str]]) -> PageSays:
    texts = headers("X-Robots-Tag")
    robots = tuple(RobotsRules("robots", text.strip(), HEADER) for text in texts)
    canonicals = tuple(_canonicals(", ".join(headers("Link"))))
    is_refresh, target = read_refresh(", ".join(headers("Refresh")).strip())
    return says._replace(
        robots=robots + says.robots,
        canonicals=canonicals + says.canonicals,
        redirect=target if is_refresh and target is not None else says.redirect,
        in_headers=frozenset(filter(None, (*canonicals, target))),
    )


def _canonicals(header: str) -> Iterator[str]:
    """Yield each ``rel=canonical``; a link with ``anchor`` belongs to another page (RFC 8288 3)."""
    for link in _LINK.finditer(header):
        known: dict[str, str] = {}
        for name, quoted, token in _PARAMETER.findall(link[2]):
            known.setdefault(name.lower(), quoted or token)
        if "canonical" in known.get("rel", "").lower().split() and "anchor" not in known:
            yield link[1].strip()


_CHARSET = r"charset[ \t\n\f\r]{0,9}=[ \t\n\f\r]{0,9}[\"']?([\w-]{1,20})"
_LETTERS = re.ASCII | re.IGNORECASE
_CHARSET_BYTES = 1024  # of a page, in which browsers look for its encoding; also of the header
_ENCODINGS = re.compile(
    r"iso-?8859-\d+|windows-\d+|shift[_-]jis|euc-(?:jp|kr)|gb(?:2312|k|18030)|big5|koi8-[ru]",
    re.ASCII,
)
"""Encodings that a server or a page may name. Python has others that are not for web pages."""


def _decoded(body: bytes, kind: str) -> str:
    """UTF-8 is read as that, whatever is named: many servers name another encoding by default."""
    in_header = re.search(rf";[ \t]*{_CHARSET}", kind[:_CHARSET_BYTES], _LETTERS)
    named = in_header[1].lower() if in_header else ""
    if body.startswith(BOM_UTF16_BE) or named == "utf-16be":
        return body.decode("utf-16-be", "replace")
    if body.startswith(BOM_UTF16_LE) or named in ("utf-16", "utf-16le"):
        return body.decode("utf-16-le", "replace")
    with suppress(UnicodeDecodeError):
        return body.decode()
    in_head = re.search(_CHARSET.encode(), body[:_CHARSET_BYTES], _LETTERS)
    for name in (named, in_head[1].decode().lower() if in_head else ""):
        if _ENCODINGS.fullmatch(name):
            with suppress(LookupError):  # there is no iso-8859-99
                return body.decode(name, "replace")
    return body.decode("utf-8", "replace")
