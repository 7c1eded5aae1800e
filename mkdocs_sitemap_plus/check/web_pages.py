"""Request the pages of a sitemap from their server, and check the answers.

Pages of one host are requested, at most ten in a second, over at most eight connections. A page
that the robots.txt of the host disallows for this program is not requested.
"""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from email.message import Message
from threading import Lock
from time import monotonic, sleep
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.check import CheckCode, Findings, Listed, most_frequent
from mkdocs_sitemap_plus.check.robots_rules import check_host_robots
from mkdocs_sitemap_plus.check.site_files import by_url, check_page_dates, conflicts
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap import fetch
from mkdocs_sitemap_plus.sitemap.open_sitemaps import fetch_robots, sitemap_error
from mkdocs_sitemap_plus.sitemap.parse import sitemap_place
from mkdocs_sitemap_plus.sitemap.robots import Robots, read_robots
from mkdocs_sitemap_plus.sitemap.urls import origin_url, same_page
from mkdocs_sitemap_plus.web.built_html import read_page
from mkdocs_sitemap_plus.web.robots_header import forbidding_header
from mkdocs_sitemap_plus.web.stated_dates import StatedDate, stated_dates
from mkdocs_sitemap_plus.wording import format_value, shorten

RATE = 10  # requests a second
_CONNECTIONS = 8
MAX_SILENT = 20  # pages in a row without an answer. After them, no more pages are requested
_TRIES = 3  # requests for a page, as long as the server answers with a status of `_BUSY`
_BUSY = (429, 503)
_PAUSE = 10  # seconds to wait if the server says "too many requests", but not how long
_MAX_PAUSE = 60  # seconds of one wait
MAX_PAUSES = 300  # seconds of all waits together
_REPAIR = "Correct the redirects, and list the page where they end."
_INSIDE = r'(?>(?:[^"\\]++|\\.)*)'  # the text between quotation marks
_LINK = re.compile(rf'<([^<>]*+)>((?>(?:[^",<]++|"{_INSIDE}(?:"|\Z))*))')
_PARAMETER = re.compile(rf';\s*+([\w*-]++)\s*+=\s*+(?:"({_INSIDE})(?:"|\Z)|([^\s;]++))')
_CHARSET = re.compile(rb"(?i)charset[ \t\n\f\r]{0,9}=[ \t\n\f\r]{0,9}[\"']?([\w-]{1,20})", re.ASCII)
_CHARSET_BYTES = 1024  # of a page, in which browsers look for its encoding
_ENCODINGS = re.compile(
    r"iso-?8859-\d+|windows-\d+|shift[_-]jis|euc-(?:jp|kr)|gb(?:2312|k|18030)|big5|koi8-[ru]",
    re.ASCII,
)
"""Encodings that a server or a page may name. Python has others that are not for web pages."""


# Rules of ``X-Robots-Tag`` with a colon and a value. Before other colons is the name of a crawler.
def choose_pages(listed: Sequence[Listed], sample: int | None) -> list[Listed]:
    """Return all entries of the most frequent host, or `sample` of them at even distances.

    Only entries with a valid URL count. Of entries with the same URL, only the first counts.
    """
    valid = by_url(each for each in listed if each.can_be_requested)
    origins = {key: origin_url(key) for key in valid}
    host = most_frequent(origins.values())
    pages = [valid[key] for key, origin in origins.items() if origin == host]
    count = min(sample or len(pages), len(pages))
    return [pages[number * len(pages) // count] for number in range(count)]


def check_pages(pages: Sequence[Listed], findings: Findings, timeout: float) -> "PageChecker":
    """Request pages of one host, and add the findings. The result knows how many were requested."""
    checker = PageChecker(timeout)
    host = origin_url(pages[0].loc)
    try:
        robots = _read_robots(f"{host}/", timeout)
    except SitemapError as error:
        place = sitemap_place(f"{host}/robots.txt")
        findings.add(CheckCode.ROBOTS_NO_ANSWER, place, error.problem.found)
        checker.stopped = "robots.txt can't be read"
    else:
        if robots:
            checker.robots = robots
            check_host_robots(robots, f"{host}/", pages[0].file, pages, findings)
    answered = []
    with ThreadPoolExecutor(_CONNECTIONS) as pool:
        for entry, answer in zip(pages, pool.map(checker.check, pages), strict=True):
            if answer:
                found, dates = answer
                for code, reason, fix in found:
                    findings.add(code, entry.place, reason, entry.loc, fix)
                answered.append((entry, dates))
    check_page_dates(answered, findings)
    checker.requested = len(answered)
    return checker


def _read_robots(root: str, timeout: float) -> Robots | None:
    """Return the robots.txt of a host, if it has one.

    Raises SitemapError after an error of the server, which forbids all (RFC 9309 2.3.1.4).
    """
    response = fetch_robots(root, timeout)
    if response and (response.status >= 500 or response.status == 429):
        raise sitemap_error(f"{root}robots.txt", f"answers {response.answer}")
    return read_robots(response.body) if response and response.status == 200 else None


_Found = tuple[CheckCode, str, str | None]
"""A code, a clause, and what to do about it. None stands for the usual fix of this code."""


class PageChecker:
    """Requests pages. Several threads use it at once."""

    def __init__(self, timeout: float) -> None:
        """Begin with an empty robots.txt. `timeout` is that of `fetch.get`."""
        self.timeout = timeout
        self.robots = read_robots(b"")
        self.requested = 0  # how many pages were requested
        self.disallowed = 0  # how many pages robots.txt disallows for this program
        self.stopped: str | None = None  # why no more pages are requested, as a clause
        self._silent = 0
        self._lock = Lock()
        self._next = monotonic()  # when the next request may start
        self._paused = 0.0

    def check(self, entry: Listed) -> tuple[Sequence[_Found], list[StatedDate]] | None:
        """Return what is wrong with a page, and the dates that it states.

        The result is None if the page is not requested.
        """
        if self.stopped:
            return None
        if not self.robots.allows(fetch.AGENT, entry.loc):
            with self._lock:
                self.disallowed += 1
            return None
        try:
            response = self._get(entry.loc)
        except SitemapError as error:
            self._count(silent=isinstance(error, fetch.NoAnswerError))
            return [(CheckCode.PAGE_NO_ANSWER, error.problem.found, None)], []
        self._count(silent=False)
        if response.status in fetch.REDIRECTS and response.headers.get("Location"):
            clause, fix = self._follow(response)
            return [(CheckCode.REDIRECT, clause, fix)], []
        if response.status != 200:
            return [(CheckCode.PAGE_STATUS, f"answers {response.answer}", None)], []
        html = _decoded(response)
        page = read_page(html.encode("utf-8", "replace"))
        by_header = _header_conflicts(entry.loc, response.headers)
        by_tag = {
            code: f"the page {clause}"
            for code, clause in conflicts(entry.loc, page)
            if code not in by_header  # one finding for each code
        }
        found = [(code, clause, None) for code, clause in (by_tag | by_header).items()]
        return found, stated_dates(html, entry.loc)

    def _follow(self, response: fetch.Response) -> tuple[str, str | None]:
        """Return a clause about the redirects of a page, and the fix if it is not the usual one."""
        hops: list[str] = []
        try:
            end, fix = self._last(response, hops)
        except SitemapError as error:
            if not hops:
                return error.problem.found, _REPAIR
            end, fix = f", which {error.problem.found}", _REPAIR
        return f"redirects ({response.status}) to {', then '.join(map(shorten, hops))}{end}", fix

    def _last(self, response: fetch.Response, hops: list[str]) -> tuple[str, str | None]:
        """Follow redirects, and add each to `hops`. Return a clause about the end, and a fix."""
        start = response.url  # spelled by `fetch`, like the targets
        while target := fetch.redirect_target(response, response.url):
            is_circle = target in (start, *hops)
            hops.append(target)
            if is_circle:
                return ", in a circle", _REPAIR
            if urlsplit(target).hostname != urlsplit(start).hostname:
                return ", on another host", None
            if len(hops) > fetch.MAX_REDIRECTS:
                return ", and so on", _REPAIR
            if self.stopped or not self.robots.allows(fetch.AGENT, target):
                return ", which was not requested", None
            response = self._get(target)
        if response.status != 200:
            return f", which answers {response.answer}", _REPAIR
        return "", None

    def _get(self, url: str) -> fetch.Response:
        """Return the answer at a URL. If the server is busy, wait, and request the URL again."""
        for tries_left in reversed(range(_TRIES)):
            self._wait()
            response = fetch.get_page(url, timeout=self.timeout)
            seconds = response.retry_after if response.status in _BUSY else None
            if seconds is None and response.status == 429:
                seconds = _PAUSE
            if seconds is None or not tries_left or not self._pause(seconds):
                break
        return response

    def _wait(self) -> None:
        while True:
            with self._lock:
                now = monotonic()
                left = self._next - now
                if left <= 0:
                    self._next = now + 1 / RATE
                    return
            sleep(left)

    def _pause(self, seconds: float) -> bool:
        """Let no request start for some seconds. If that is too long, stop, and return False."""
        with self._lock:
            now = monotonic()
            until = now + seconds
            # What an earlier pause covers is counted already.
            self._paused += max(0.0, until - max(self._next, now))
            if seconds > _MAX_PAUSE:
                self.stopped = f"the server asks to wait {seconds:,.0f} seconds"
                return False
            if self._paused > MAX_PAUSES:
                self.stopped = f"all waits together are longer than {MAX_PAUSES:,} seconds"
                return False
            self._next = max(self._next, until)
            return True

    def _count(self, *, silent: bool) -> None:
        with self._lock:
            self._silent = self._silent + 1 if silent else 0
            if self._silent == MAX_SILENT:
                self.stopped = f"the server did not answer {MAX_SILENT} requests in a row"


def _decoded(response: fetch.Response) -> str:
    """Return the text of a page. The header, or otherwise the page, names its encoding.

    Bytes that are UTF-8 are read as UTF-8, since many servers name another encoding by default.
    """
    body, named = response.body, response.headers.get_content_charset("")
    if body.startswith(BOM_UTF16_BE) or named == "utf-16be":
        return body.decode("utf-16-be", "replace")
    if body.startswith(BOM_UTF16_LE) or named in ("utf-16", "utf-16le"):
        return body.decode("utf-16-le", "replace")
    with suppress(UnicodeDecodeError):
        return body.decode()
    in_head = _CHARSET.search(body[:_CHARSET_BYTES])
    for name in (named, in_head[1].decode().lower() if in_head else ""):
        if _ENCODINGS.fullmatch(name):
            with suppress(LookupError):  # there is no iso-8859-99
                return body.decode(name, "replace")
    return body.decode("utf-8", "replace")


def _header_conflicts(loc: str, headers: Message) -> dict[CheckCode, str]:
    """Return a code and a clause for each header which says that the page must not be listed."""
    found = {}
    if header := forbidding_header(headers.get_all("X-Robots-Tag", ())):
        found[CheckCode.NOINDEX] = f"has the header X-Robots-Tag {format_value(header)}"
    canonical = _canonical(headers.get_all("Link", ()))
    if canonical is not None and not same_page(canonical, loc):
        found[CheckCode.NOT_CANONICAL] = (
            f"the header Link names {format_value(canonical)} as its canonical URL"
        )
    return found


def _canonical(headers: Iterable[str]) -> str | None:
    """Return the reference of the first link with ``rel=canonical`` (RFC 8288 3), or None.

    A link with ``anchor`` belongs to another page.
    """
    for link in _LINK.finditer(", ".join(headers)):
        known: dict[str, str] = {}
        for name, quoted, token in _PARAMETER.findall(link[2]):
            known.setdefault(name.lower(), quoted or token)
        if "canonical" in known.get("rel", "").lower().split() and "anchor" not in known:
            return link[1].strip()
    return None
