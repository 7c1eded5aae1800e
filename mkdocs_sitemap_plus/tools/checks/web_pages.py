"""Ask a server for the pages of a sitemap, and check what it answers.

One host is asked, at most ten times a second and over at most eight connections. A page that its
robots.txt disallows for this program is not asked.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from email.message import Message
from threading import Lock
from time import monotonic, sleep
from typing import NamedTuple
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.output.robots import MAX_ROBOTS, Robots, read_robots
from mkdocs_sitemap_plus.pages.built_html import read_head
from mkdocs_sitemap_plus.pages.stated_dates import StatedDate, stated_dates
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap import MAX_LOC_LENGTH
from mkdocs_sitemap_plus.sitemap.parse import sitemap_place
from mkdocs_sitemap_plus.sitemap.urls import origin_url, same_page, url_key
from mkdocs_sitemap_plus.sitemap.values import url_fault
from mkdocs_sitemap_plus.tools import fetch
from mkdocs_sitemap_plus.tools.checks import Findings, Listed
from mkdocs_sitemap_plus.tools.checks.site_files import (
    check_disallowed,
    check_page_dates,
    conflicts,
)
from mkdocs_sitemap_plus.tools.open_sitemaps import sitemap_error
from mkdocs_sitemap_plus.wording import format_value, shorten

RATE = 10  # requests a second
_CONNECTIONS = 8
_MAX_PAGE = 15_000_000  # bytes of a page: Google's crawlers read no more
MAX_SILENT = 20  # pages without an answer, one after the other, after which no more are asked
_TRIES = 3  # requests for one page that is answered with "later"
_BUSY = (429, 503)
_PAUSE = 10  # seconds to wait if the server says "too many requests", but not how long
_MAX_PAUSE = 60  # seconds that are waited at once
_MAX_PAUSES = 300  # seconds that are waited in all
_FIX = "Correct the redirects, and list the page where they end."
_QUOTED = r'"{0}(?>(?:[^"\\]++|\\.)*){1}(?:"|\Z)'
_LINK = re.compile(rf'<([^<>]*+)>((?>(?:[^",<]++|{_QUOTED.format("", "")})*))')
_PARAMETER = re.compile(rf";\s*+([\w*-]++)\s*+=\s*+(?:{_QUOTED.format('(', ')')}|([^\s;]++))")
_WITH_VALUE = ("unavailable_after", "max-snippet", "max-image-preview", "max-video-preview")


class Plan(NamedTuple):
    """The pages to ask."""

    host: str  # the origin of most entries, such as ``https://example.com``
    entries: Sequence[Listed]  # those that are asked


class Asked(NamedTuple):
    """What became of a plan."""

    asked: int  # the number of pages that were asked
    disallowed: int  # the number that robots.txt disallows for this program
    stopped: str | None  # why no more pages were asked, as a clause; None if all were


def plan_pages(listed: Sequence[Listed], sample: int | None) -> Plan | None:
    """Return the pages to ask: all of one host, or `sample` of them at even distances.

    None if there is no page with a valid URL.
    """
    valid = {
        url_key(each.loc): each
        for each in reversed(listed)
        if len(each.loc) <= MAX_LOC_LENGTH and url_fault(each.loc) is None
    }
    origins = {key: origin_url(key) for key in reversed(valid)}
    most = Counter(filter(None, origins.values())).most_common(1)
    if not most:
        return None
    host, total = most[0]
    pages = [valid[key] for key, origin in origins.items() if origin == host]
    count = min(sample or total, total)
    return Plan(host, [pages[number * total // count] for number in range(count)])


def ask_pages(plan: Plan, findings: Findings, timeout: float) -> Asked:
    """Ask the pages of a plan, and add what is found."""
    try:
        robots = _read_robots(plan.host, timeout)
    except SitemapError as error:
        place, reason = sitemap_place(f"{plan.host}/robots.txt"), error.problem.found
        findings.add("robots-no-answer", place, reason)
        return Asked(0, 0, "robots.txt can't be read")
    asker = _Asker(robots, timeout)
    stated = []
    with ThreadPoolExecutor(_CONNECTIONS) as pool:
        for entry, answer in zip(plan.entries, pool.map(asker.ask, plan.entries), strict=True):
            if answer is None:
                continue
            check_disallowed(robots, [entry], findings)
            for code, reason, fix in answer.findings:
                findings.add(code, entry.place, reason, entry.loc, fix)
            stated.append((entry, answer.stated))
    check_page_dates(stated, findings)
    return Asked(len(stated), asker.disallowed, asker.stopped)


def _read_robots(host: str, timeout: float) -> Robots:
    """Return the robots.txt of a host; raise SitemapError if crawlers may ask nothing (2.3.1)."""
    url = f"{host}/robots.txt"
    response = fetch.get(url, limit=MAX_ROBOTS, timeout=timeout)
    if response.status >= 500 or response.status == 429:
        raise sitemap_error(url, f"answers {response.answer}")
    return read_robots(response.body if response.status == 200 else b"")


class _Answer(NamedTuple):
    """What is wrong with a page (code, clause, and a fix or None), and the dates that it states."""

    findings: Sequence[tuple[str, str, str | None]]
    stated: list[StatedDate]


class _Asker:
    """Asks pages, for several threads at once."""

    def __init__(self, robots: Robots, timeout: float) -> None:
        self.robots, self.timeout = robots, timeout
        self.stopped: str | None = None
        self.disallowed = 0
        self._silent = 0
        self._lock = Lock()
        self._next = monotonic()  # when the next request may start
        self._paused = 0.0

    def ask(self, entry: Listed) -> _Answer | None:
        """Return what is found at a page; None if it is not asked."""
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
            return _Answer([("page-no-answer", error.problem.found, None)], [])
        self._count(silent=False)
        if response.status in fetch.REDIRECTS and response.headers.get("Location"):
            clause, fix = self._follow(entry.loc, response)
            return _Answer([("redirect", clause, fix)], [])
        if response.status != 200:
            return _Answer([("page-status", f"answers {response.answer}", None)], [])
        html = response.body.decode("utf-8", "replace")
        page, _ = read_head(html)
        own = [(code, f"the page {clause}", None) for code, clause in conflicts(entry.loc, page)]
        by_header = _header_conflicts(entry.loc, response.headers)
        own = [each for each in own if each[0] not in [code for code, *_ in by_header]]
        return _Answer([*own, *by_header], stated_dates(html, entry.loc))

    def _follow(self, loc: str, response: fetch.Response) -> tuple[str, str | None]:
        """Return a clause about the redirects of a page, and what to do about unusual ones."""
        hops: list[str] = []
        try:
            end, fix = self._last(loc, response, hops)
        except SitemapError as error:
            if not hops:
                return error.problem.found, _FIX
            end, fix = f", which {error.problem.found}", _FIX
        return f"redirects ({response.status}) to {', then '.join(map(shorten, hops))}{end}", fix

    def _last(self, loc: str, response: fetch.Response, hops: list[str]) -> tuple[str, str | None]:
        """Return a clause about the end of redirects, and what to do; add all targets to `hops`."""
        while (target := fetch.redirect_target(response, [loc, *hops][-1])) is not None:
            is_circle = target in (loc, *hops)
            hops.append(target)
            if is_circle:
                return ", in a circle", _FIX
            if urlsplit(target).hostname != urlsplit(loc).hostname:
                return ", on another host", None
            if len(hops) > fetch.MAX_REDIRECTS:
                return ", and on", _FIX
            if self.stopped or not self.robots.allows(fetch.AGENT, target):
                return ", which was not asked", None
            response = self._get(target)
        if response.status != 200:
            return f", which answers {response.answer}", _FIX
        return "", None

    def _get(self, url: str) -> fetch.Response:
        """Return the answer at a URL; wait and ask again if the server says "later"."""
        for more in reversed(range(_TRIES)):
            self._wait()
            response = fetch.get_page(url, limit=_MAX_PAGE, timeout=self.timeout)
            seconds = response.retry_after if response.status in _BUSY else None
            if seconds is None and response.status == 429:
                seconds = _PAUSE
            if seconds is None or not more or not self._pause(seconds):
                break
        return response

    def _wait(self) -> None:
        """Return when the next request may start."""
        while True:
            with self._lock:
                now = monotonic()
                left = self._next - now
                if left <= 0:
                    self._next = now + 1 / RATE
                    return
            sleep(left)

    def _pause(self, seconds: float) -> bool:
        """Let no request start for some seconds, and return True; or stop if they are too many."""
        with self._lock:
            until = monotonic() + seconds
            self._paused += max(0.0, until - self._next)
            if seconds > _MAX_PAUSE or self._paused > _MAX_PAUSES:
                self.stopped = f"the server asks to wait {seconds:,.0f} seconds"
                return False
            self._next = max(self._next, until)
            return True

    def _count(self, *, silent: bool) -> None:
        with self._lock:
            self._silent = self._silent + 1 if silent else 0
            if self._silent == MAX_SILENT:
                self.stopped = f"the server did not answer {MAX_SILENT} times, one after the other"


def _header_conflicts(loc: str, headers: Message) -> list[tuple[str, str, None]]:
    """Return code, clause and no fix for each header that forbids to list a page."""
    found: list[tuple[str, str, None]] = []
    if header := _noindex(headers.get_all("X-Robots-Tag", ())):
        found.append(("noindex", f"has the header X-Robots-Tag {format_value(header)}", None))
    canonical = _canonical(headers.get_all("Link", ()))
    if canonical is not None and not same_page(canonical, loc):
        clause = f"the header Link names {format_value(canonical)} as its canonical URL"
        found.append(("not-canonical", clause, None))
    return found


def _canonical(headers: Iterable[str]) -> str | None:
    """Return the reference of the first link with ``rel=canonical`` (RFC 8288 3), or None.

    A link with ``anchor`` is one of another page.
    """
    for link in _LINK.finditer(", ".join(headers)):
        known: dict[str, str] = {}
        for name, quoted, token in _PARAMETER.findall(link[2]):
            known.setdefault(name.lower(), quoted or token)
        if "canonical" in known.get("rel", "").lower().split() and "anchor" not in known:
            return link[1].strip()
    return None


def _noindex(headers: Iterable[str]) -> str | None:
    """Return the header ``X-Robots-Tag`` that forbids Google to index a page, or None.

    The name of a crawler before a colon is that of all rules behind it.
    """
    for header in headers:
        crawler = "robots"
        for rule in header.lower().split(","):
            name, colon, value = (part.strip() for part in rule.partition(":"))
            if colon and name not in _WITH_VALUE:
                crawler = name
            if (value if colon else name) in ("noindex", "none") and crawler in (
                "robots",
                "googlebot",
            ):
                return header.strip()
    return None
