"""Judge what a server answers for a listed page, by the rules of Google and Bing."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from mkdocs_sitemap_plus.check import CheckCode
from mkdocs_sitemap_plus.check.site_files import conflicts
from mkdocs_sitemap_plus.sitemap.client import Headers, Response
from mkdocs_sitemap_plus.sitemap.urls import same_page
from mkdocs_sitemap_plus.web.page_text import is_empty, title_and_text
from mkdocs_sitemap_plus.web.says import CRAWLERS, HEADER, RobotsRules, read_page, read_refresh
from mkdocs_sitemap_plus.web.stated_dates import StatedDate, stated_dates
from mkdocs_sitemap_plus.wording import format_value

_INSIDE = r'(?>(?:[^"\\]++|\\.)*)'  # the text between quotation marks
_LINK = re.compile(rf'<([^<>]*+)>((?>(?:[^",<]++|"{_INSIDE}(?:"|\Z))*))')
_PARAMETER = re.compile(rf';\s*+([\w*-]++)\s*+=\s*+(?:"({_INSIDE})(?:"|\Z)|([^\s;]++))')
_CHARSET = r"charset[ \t\n\f\r]{0,9}=[ \t\n\f\r]{0,9}[\"']?([\w-]{1,20})"
_LETTERS = re.ASCII | re.IGNORECASE
_CHARSET_BYTES = 1024  # of a page, in which browsers look for its encoding; also of the header
_ENCODINGS = re.compile(
    r"iso-?8859-\d+|windows-\d+|shift[_-]jis|euc-(?:jp|kr)|gb(?:2312|k|18030)|big5|koi8-[ru]",
    re.ASCII,
)
"""Encodings that a server or a page may name. Python has others that are not for web pages."""


class Judged(NamedTuple):
    """What an answer with status 200 says of its page."""

    by_header: Mapping[CheckCode, str] = {}  # a clause for each code, as the header says it
    by_page: Mapping[CheckCode, str] = {}  # the same as the page says it
    dates: Sequence[StatedDate] = ()
    text: int | None = None  # equal for pages of the same title and text; None if it is not HTML


def judge(loc: str, response: Response, now: datetime) -> Judged:
    """Return what an answer says of the page that is published at `loc`."""
    by_header = _header_conflicts(loc, response.headers, now)
    if not response.is_html:
        return Judged(by_header)
    html = _decoded(response)
    by_page = dict(_page_conflicts(loc, html.encode("utf-8", "replace"), now))
    if not (by_header or by_page) and is_empty(html):
        by_page[CheckCode.SOFT_NOT_FOUND] = "has an empty body"
    return Judged(by_header, by_page, stated_dates(html, loc), text_of(response, html))


def text_of(response: Response, html: str | None = None) -> int:
    """Return a number that is equal for pages of the same title and text, their URLs aside."""
    title, text = title_and_text(_decoded(response) if html is None else html)
    path = urlsplit(response.url).path
    for written in (path, unquote(path)):
        if len(written) > 1:
            text = text.replace(written, "")
    return hash((title, text))


def _page_conflicts(loc: str, html: bytes, now: datetime) -> Iterator[tuple[CheckCode, str]]:
    """Yield a code and a clause for each tag which says that the page must not be listed."""
    page = read_page(html)
    found = dict(conflicts(loc, page))
    for rules in page.robots:
        if rules.forbid_index(CRAWLERS, now):
            clause = f"has the {rules.crawler} meta tag {format_value(rules.text)}"
            found.setdefault(CheckCode.NOINDEX, clause)
    for other in page.canonicals:
        if not (same_page(other, loc, page.base) or CheckCode.REDIRECT in found):
            names = f"{format_value(page.canonical)} and {format_value(other)}"
            found.setdefault(CheckCode.NOT_CANONICAL, f"names two canonical URLs, {names}")
    for code, clause in found.items():
        yield code, f"the page {clause}"


def _header_conflicts(loc: str, headers: Headers, now: datetime) -> dict[CheckCode, str]:
    """Return a code and a clause for each header which says that the page must not be listed."""
    found: dict[CheckCode, str] = {}
    for rules in headers.getlist("X-Robots-Tag"):
        if RobotsRules("robots", rules, HEADER).forbid_index(CRAWLERS, now):
            found.setdefault(
                CheckCode.NOINDEX, f"has the header X-Robots-Tag {format_value(rules.strip())}"
            )
    refresh = headers.get("Refresh", "").strip()
    is_refresh, target = read_refresh(refresh)
    if is_refresh and target is not None and not same_page(target, loc):
        found[CheckCode.REDIRECT] = f"has the header Refresh {format_value(refresh)}"
    for canonical in _canonicals(headers.getlist("Link")):
        if not same_page(canonical, loc):
            clause = f"the header Link names {format_value(canonical)} as its canonical URL"
            found.setdefault(CheckCode.NOT_CANONICAL, clause)
    return found


def _canonicals(headers: Iterable[str]) -> Iterator[str]:
    """Yield the reference of each link with ``rel=canonical`` (RFC 8288 3).

    A link with ``anchor`` belongs to another page.
    """
    for link in _LINK.finditer(", ".join(headers)):
        known: dict[str, str] = {}
        for name, quoted, token in _PARAMETER.findall(link[2]):
            known.setdefault(name.lower(), quoted or token)
        if "canonical" in known.get("rel", "").lower().split() and "anchor" not in known:
            yield link[1].strip()


def _decoded(response: Response) -> str:
    """Return the text of a page. The header, or otherwise the page, names its encoding.

    Bytes that are UTF-8 are read as UTF-8, since many servers name another encoding by default.
    """
    body = response.body
    # Python's own reader of the parameters raises errors that it does not document.
    header = response.headers.get("Content-Type", "")[:_CHARSET_BYTES]
    in_header = re.search(rf";[ \t]*{_CHARSET}", header, _LETTERS)
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
