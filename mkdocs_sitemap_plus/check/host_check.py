"""Request pages of one host, with several connections that stay open.

A page that the robots.txt of the host disallows for this program is not requested. The pace is the
user's, or that of robots.txt if it is slower.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from math import ceil
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic
from typing import NamedTuple
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.check import CheckCode, Listed
from mkdocs_sitemap_plus.check.answers import Judged, judge, text_of
from mkdocs_sitemap_plus.check.pace import Pace
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap.client import (
    AGENT,
    MAX_REDIRECTS,
    REDIRECTS,
    Client,
    NoAnswerError,
    Response,
    read_robots,
)
from mkdocs_sitemap_plus.sitemap.copies import Copy
from mkdocs_sitemap_plus.sitemap.open_sitemaps import sitemap_error
from mkdocs_sitemap_plus.sitemap.urls import DEFAULT_PORTS
from mkdocs_sitemap_plus.wording import describe_error, shorten

RATE = 10.0  # requests a second
_FEW_CONNECTIONS, _MAX_CONNECTIONS = 8, 20  # the second number, if that many requests are wanted
MAX_SILENT = 20  # pages in a row without an answer. After them, no more pages are requested
_TRIES = 3  # requests for a page, as long as the server answers with a status of `_BUSY`
_BUSY = (429, 503)
_PAUSE = 10  # seconds to wait if the server says "too many requests", but not how long
_REPAIR = "Correct the redirects, and list the page where they end."
NO_PAGE = "no-such-page-for-mkdocs-sitemap-plus"  # its answer shows the site's page of error 404
_TICK = 0.5  # seconds between two signs of life


class Target(NamedTuple):
    """What is requested: a page, or what its entry names."""

    entry: Listed
    url: str  # as it is published
    kind: str = ""  # empty for the page itself, otherwise what it is, in words


class How(NamedTuple):
    """How pages are requested."""

    client: Client
    rate: float = RATE
    copy: Copy | None = None  # where the site is asked instead of where it is published
    progress: Callable[[int, int], None] = lambda _done, _all: None

    def url_of(self, published: str) -> str | None:
        """Return the URL to request for a published one; None if the copy has no such page."""
        return self.copy.url_of(published) if self.copy else published


class Answer(NamedTuple):
    """What was found at a target."""

    target: Target
    found: Sequence[tuple[CheckCode, str, str | None]] = ()
    """Codes, clauses, and what to do about it. None stands for the usual fix of this code."""
    judged: Judged | None = None  # None unless the status is 200


@dataclass
class _Time:
    """The time of a page with its redirects. The waits for the pace do not count."""

    left: float  # seconds


class HostCheck:
    """Requests pages of one host. Several threads use it at once."""

    def __init__(self, host: str, how: How) -> None:
        """Begin with an empty robots.txt. `host` is a URL without a path."""
        self.host = host
        self.how = how
        self.pace = Pace(how.rate)
        self.robots = read_robots(b"")
        self.has_robots = False
        self.answers: list[Answer] = []
        self.disallowed = 0  # how many pages robots.txt disallows for this program
        self.stopped: str | None = None  # why no more pages are requested, as a clause
        self.interrupted = False
        self.notes: list[str] = []
        self.error_page: int | None = None  # `text_of` the page of error 404
        self.is_always_200 = False  # whether a page that does not exist is answered with 200
        self._silent = 0
        self._lock = Lock()

    def count(self, *, links: bool) -> int:
        """Return how many pages, or links, were requested."""
        return sum(bool(answer.target.kind) == links for answer in self.answers)

    def read_robots(self) -> None:
        """Read the robots.txt of the host.

        Raises SitemapError after an error of the server, which forbids all (RFC 9309 2.3.1.4).
        """
        url = f"{self.host}/robots.txt"
        response = self.how.client.robots(f"{self.host}/")
        if response and response.is_failure:
            raise sitemap_error(url, f"answers {response.answer}")
        self.has_robots = response is not None and response.status == 200
        if response and self.has_robots:
            self.robots = response.as_robots()
        self.stopped = self.pace.slow_down(self.robots.delay(AGENT))
        if self.how.copy and not self.robots.allows(AGENT, self.how.copy.folder + NO_PAGE):
            self.robots = read_robots(b"")
            self.notes.append(f"{url} disallows the whole preview. It was requested all the same")

    def run(self, targets: Sequence[Target], folder: str) -> None:
        """Request the targets, and the error page of the site in this folder of the host.

        Ctrl-C ends this within a second. What was answered until then is in `answers`.
        """
        waiting: Iterator[Target | None] = iter([None, *targets] if targets else [])
        done = SimpleQueue[Answer | None]()
        wanted = max(_FEW_CONNECTIONS, min(_MAX_CONNECTIONS, ceil(self.how.rate)))
        running = min(wanted, len(targets))
        work = partial(self._work, waiting, done, f"{folder}{NO_PAGE}")
        try:
            for _ in range(running):
                Thread(target=work, daemon=True).start()
            while running:
                try:
                    answer = done.get(timeout=_TICK)
                except Empty:
                    self.how.progress(len(self.answers), len(targets))
                    continue
                if answer is None:
                    running -= 1
                elif answer.judged or answer.found:
                    self.answers.append(answer)
                    self.how.progress(len(self.answers), len(targets))
        except KeyboardInterrupt:
            self._interrupt(done)

    def _work(
        self, waiting: Iterator["Target | None"], done: "SimpleQueue[Answer | None]", no_page: str
    ) -> None:
        """Request what is waiting, one after the other. None stands for the error page."""
        while not self.pace.ended.is_set():
            with self._lock:
                job = next(waiting, done)
            if isinstance(job, Target):
                done.put(self._check(job))
            elif job is None:
                self._read_error_page(no_page)
            else:
                break
        done.put(None)

    def _interrupt(self, done: "SimpleQueue[Answer | None]") -> None:
        """Begin no more requests, and keep the answers that are there."""
        self.interrupted, self.stopped = True, "interrupted"
        while not done.empty():
            answer = done.get()
            if answer and (answer.judged or answer.found):
                self.answers.append(answer)
        self.pace.ended.set()

    def _check(self, target: Target) -> Answer:
        """Return what was found. The answer is empty if the target is not requested."""
        url = self.how.url_of(target.url)
        if self.stopped or url is None:
            return Answer(target)
        if not self.robots.allows(AGENT, url):
            with self._lock:
                self.disallowed += 1
            return Answer(target)
        try:
            answer = self._check_page(target, url)
        except SitemapError as error:
            self._count(silent=isinstance(error, NoAnswerError))
            return Answer(target, [_of(CheckCode.PAGE_NO_ANSWER, error.problem.found, target)])
        except Exception as error:  # noqa: BLE001 - no answer of a server may end the check
            clause = f"gives an answer that can't be read ({describe_error(error)})"
            return Answer(target, [_of(CheckCode.PAGE_NO_ANSWER, clause, target)])
        self._count(silent=False)
        return answer

    def _check_page(self, target: Target, url: str) -> Answer:
        time = _Time(self.how.client.seconds)
        response = self._get(url, time)
        if response.status in REDIRECTS and response.headers.get("Location"):
            clause, fix, is_found = self._follow(response, time)
            if target.kind == "image" and is_found:
                return Answer(target, judged=Judged())
            return Answer(target, [_of(CheckCode.REDIRECT, clause, target, fix)])
        if response.status != 200:
            return Answer(
                target, [_of(CheckCode.PAGE_STATUS, f"answers {response.answer}", target)]
            )
        if target.kind:
            return Answer(target, judged=Judged())
        return Answer(target, judged=judge(target.url, response, datetime.now(UTC)))

    def _follow(self, response: Response, time: "_Time") -> tuple[str, str | None, bool]:
        """Return a clause about the redirects of a page, the fix, and whether a page is at the end.

        The fix is None if it is the usual one.
        """
        hops: list[str] = []
        try:
            end, fix, is_found = self._last(response, hops, time)
        except SitemapError as error:
            if not hops:
                return error.problem.found, _REPAIR, False
            end, fix, is_found = f", which {error.problem.found}", _REPAIR, False
        hops_text = ", then ".join(map(shorten, hops))
        return f"redirects ({response.status}) to {hops_text}{end}", fix, is_found

    def _last(
        self, response: Response, hops: list[str], time: "_Time"
    ) -> tuple[str, str | None, bool]:
        """Follow redirects, and add each to `hops`. Return what `_follow` says about the end."""
        start = response.url  # spelled by the client, like the targets
        while target := response.redirect:
            is_circle = target in (start, *hops)
            hops.append(target)
            if is_circle:
                return ", in a circle", _REPAIR, False
            if not _is_same_host(start, target):
                return ", on another host", None, True
            if len(hops) > MAX_REDIRECTS:
                return ", and so on", _REPAIR, False
            if self.stopped or not self.robots.allows(AGENT, target):
                return ", which was not requested", None, True
            response = self._get(target, time)
        if response.status != 200:
            return f", which answers {response.answer}", _REPAIR, False
        return "", None, True

    def _get(self, url: str, time: "_Time", statuses: Sequence[int] = (200,)) -> Response:
        """Return the answer at a URL. If the server is busy, wait, and request the URL again."""
        for tries_left in reversed(range(_TRIES)):
            self.pace.wait()
            began = monotonic()
            response = self.how.client.page(url, statuses, time.left)
            time.left -= monotonic() - began
            seconds = response.retry_after if response.status in _BUSY else None
            if seconds is None and response.status == 429:
                seconds = _PAUSE
            if seconds is None or not tries_left:
                break
            if too_long := self.pace.pause(seconds):
                self.stopped = too_long
                break
        return response

    def _read_error_page(self, url: str) -> None:
        """Read what the server answers for a page that does not exist."""
        if self.stopped or not self.robots.allows(AGENT, url):
            return
        try:
            response = self._get(url, _Time(self.how.client.seconds), (200, 404))
            if response.status in (200, 404) and response.is_html and response.body:
                self.error_page = text_of(response)
                self.is_always_200 = response.status == 200
        except Exception:  # noqa: BLE001 - then no page is compared with it
            return

    def _count(self, *, silent: bool) -> None:
        with self._lock:
            self._silent = self._silent + 1 if silent else 0
            if self._silent == MAX_SILENT:
                self.stopped = f"the server did not answer {MAX_SILENT} requests in a row"


def _of(
    code: CheckCode, clause: str, target: Target, fix: str | None = None
) -> tuple[CheckCode, str, str | None]:
    """Return a finding about a target. What is no page has one code for all faults."""
    if not target.kind:
        return code, clause, fix
    return (
        CheckCode.LINK_BROKEN,
        f"names the {target.kind} {shorten(target.url)}, which {clause}",
        None,
    )


def _is_same_host(one: str, other: str) -> bool:
    """Return whether two URLs are on one host. With or without TLS, it may be the same."""
    ports, hosts = set(), set()
    for url in (one, other):
        parts = urlsplit(url)
        port = parts.port or DEFAULT_PORTS[parts.scheme]
        ports.add(0 if port == DEFAULT_PORTS[parts.scheme] else port)
        hosts.add(parts.hostname)
    return len(hosts) == len(ports) == 1
