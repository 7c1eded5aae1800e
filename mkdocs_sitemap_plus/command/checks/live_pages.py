"""Request the listed pages from their servers, with several connections, and judge the answers.

A page that the robots.txt of the host disallows for this program is not requested. The pace is the
user's, or that of robots.txt if it is slower.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache, partial
from math import ceil
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from time import monotonic
from typing import NamedTuple
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.command.checks import page_rules as rules
from mkdocs_sitemap_plus.command.checks.one_sitemap import Checked
from mkdocs_sitemap_plus.command.checks.page_rules import FetchedPage, Names, RobotsTxt
from mkdocs_sitemap_plus.command.checks.rules import EntryInFile, Findings, by_url, most_frequent
from mkdocs_sitemap_plus.command.checks.whole_pages import live_page, without_robots_headers
from mkdocs_sitemap_plus.command.reader.client import (
    AGENT,
    MAX_REDIRECTS,
    Client,
    NoAnswerError,
    Response,
    Robots,
    read_robots,
    robots_of,
)
from mkdocs_sitemap_plus.command.reader.find import (
    IS_URL,
    Copy,
    LedBy,
    Web,
    common_folder,
    folder_of,
    sitemap_error,
)
from mkdocs_sitemap_plus.html.page_says import CRAWLERS, GOOGLE_CRAWLERS, HEADER, PageSays
from mkdocs_sitemap_plus.html.site_folder import SiteFolder
from mkdocs_sitemap_plus.problems import Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.protocol import MAX_BYTES
from mkdocs_sitemap_plus.sitemap.urls import base_url, joined, origin_url, url_key, without_form
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place, unpacked
from mkdocs_sitemap_plus.wording import counted, describe_error, format_value, shorten

RATE = 10.0  # requests a second
_FEW_CONNECTIONS, _MAX_CONNECTIONS = 8, 20  # the second number, if that many requests are wanted
MAX_SILENT = 20  # pages in a row without an answer. After them, no more pages are requested
_TRIES = 3  # requests for a page, as long as the server answers with a status of `_BUSY`
_BUSY = (429, 503)
_GONE = (404, 410)
_PAUSE = 10.0  # seconds to wait if the server says "too many requests", but not how long
_MAX_PAUSE = 60  # seconds of one wait
MAX_PAUSES = 300  # seconds of all waits together
NO_PAGE = "no-such-page-for-mkdocs-sitemap-plus"  # its answer shows the site's page of error 404
_TICK = 0.5  # seconds between two signs of life
_LONG = 60  # seconds. If requesting the pages takes longer, a note says how long it takes


class RequestOptions(NamedTuple):
    """How pages are requested."""

    client: Client
    web: Web  # which is asked for sitemaps
    rate: float = RATE
    progress: Callable[[int, int], None] = lambda _done, _all: None  # requests
    copy: Copy | None = None  # where the site is asked instead of where it is published

    def url_of(self, published: str) -> str | None:
        """Return the URL to request for a published one; None if the copy has no such page."""
        return self.copy.url_of(published) if self.copy else published


class LivePages:
    """Requests the pages of several sitemaps, each page once."""

    def __init__(self, how: RequestOptions, sample: int | None, base_url: str | None) -> None:
        """Begin without a request. `base_url` is the folder of a copy that is requested instead."""
        self.how, self.sample, self.base_url = how, sample, base_url
        self.asked = 0  # how many pages were requested
        self._known: set[str] = set()  # the `url_key` of all that was requested

    def request_pages(self, checked: Checked, built: SiteFolder | None) -> None:
        """Request the pages of a sitemap, and note what is not requested.

        Raises KeyboardInterrupt after Ctrl-C, with the findings of what was answered until then.
        """
        pages = self._choose(checked)
        self._known.update(page.key for page in pages)
        how = self.how
        if self.base_url and pages:
            how = how._replace(copy=_copy_of(checked, built, self.base_url))
        by_host: dict[str, list[EntryInFile]] = {}
        for page in pages:
            by_host.setdefault(origin_url(how.url_of(page.loc) or "") or "", []).append(page)
        if (outside := by_host.pop("", None)) and how.copy:
            what = f"{counted(len(outside), 'URL')} outside of {how.copy.published}"
            why = "the preview does not have them, so they were not requested"
            checked.findings.skip("pages", f"{what}: {why}")
        for name, of_host in by_host.items():
            host = _Host(name, how, checked.findings)
            try:
                host.check(of_host)
            finally:
                self.asked += len(host.answers)

    def _choose(self, checked: Checked) -> list[EntryInFile]:
        """Return the entries of the hosts that their sitemap may list, or some of them.

        Only entries with a valid URL count, and of entries with the same URL only the first one. A
        sample is taken at even distances.
        """
        fresh = [entry for entry in checked.listed if entry.key not in self._known]
        usable = [entry for entry in fresh if entry.can_be_requested]
        pages = [entry for entry in usable if origin_url(entry.loc) in checked.origins[entry.file]]
        if foreign := len(usable) - len(pages):
            what = f"{counted(foreign, 'page')} on other hosts"
            why = "this sitemap may not list them, so they were not requested"
            checked.findings.skip("pages", f"{what}: {why}")
        pages = [*by_url(pages).values()]
        number = min(self.sample or len(pages), len(pages))
        if others := len(pages) - number:
            checked.findings.skip("sample", f"{counted(others, 'page')} outside of the sample")
        return [pages[at * len(pages) // number] for at in range(number)]


def _copy_of(checked: Checked, built: SiteFolder | None, base_url: str) -> Copy:
    """Return where the site of a sitemap is published, and its copy.

    Only a built site, or a sitemap on the web, tells the address exactly. Otherwise it is the
    folder that has all listed pages.
    """
    file = checked.files[0]
    if built:
        return Copy(built.url, base_url)
    if checked.copy:
        return checked.copy
    is_of_copy = file.startswith(base_url)
    if IS_URL.match(file) and not is_of_copy:
        return Copy(folder_of(file), base_url)
    host = most_frequent(Counter(origin_url(entry.loc) for entry in checked.listed))
    locs = [entry.loc for entry in checked.listed if origin_url(entry.loc) == host]
    return Copy(common_folder(locs), folder_of(file) if is_of_copy else base_url)


_Tasks = Iterator[Callable[[], FetchedPage | None]]


class _Host:
    """Requests pages of one host. Several threads use it at once."""

    def __init__(self, name: str, how: RequestOptions, findings: Findings) -> None:
        self.name, self.how, self.findings = name, how, findings
        self.pace = Pace(how.rate)
        self.robots: Robots = read_robots(b"")
        self.answers: list[FetchedPage] = []
        self.disallowed = 0  # how many pages robots.txt disallows for this program
        self.stopped: str | None = None  # why no more pages are requested, as a clause
        self.error_text: int | None = None  # of the page of error 404; see `PageSays.text`
        self.is_always_200 = False  # whether a page that does not exist is answered with 200
        self._silent = 0
        self._lock = Lock()

    def check(self, pages: Sequence[EntryInFile]) -> None:
        """Request the pages, and add what is found. Raises KeyboardInterrupt after Ctrl-C."""
        known = frozenset(
            (code, loc)
            for finding in self.findings.kept
            for code in (finding.code, *(("page-status",) * (finding.code == "page-absent")))
            for loc in finding.urls
        )
        what = f"{counted(len(pages), 'page')} of {self.name}"
        if (seconds := len(pages) / self.how.rate) > _LONG:
            self.findings.note(f"requesting {what}, which takes {seconds / 60:.0f} min.")
        self._read_robots(pages)
        copy = self.how.copy
        here = copy.folder if copy else common_folder(page.loc for page in pages)
        interrupted = True
        try:
            self._request_all(pages, f"{here}{NO_PAGE}")
            interrupted = False
        except KeyboardInterrupt:
            self.stopped = "interrupted"
        self._judge(known)
        left = len(pages) - len(self.answers) - self.disallowed
        if self.disallowed:
            why = f"robots.txt disallows {self.disallowed:,} of them for {AGENT}"
            self.findings.skip("pages", f"{what}: {why}")
        if self.stopped:
            why = f"{left:,} were not requested: {self.stopped}"
            self.findings.skip("pages", f"{what}: {why}")
        if interrupted:
            raise KeyboardInterrupt

    def _read_robots(self, pages: Sequence[EntryInFile]) -> None:
        root, copy = f"{self.name}/", self.how.copy
        url = f"{root}robots.txt"
        try:
            response = robots_of(root, self.how.client.get)
            if response and response.is_failure:
                fix = "Let the server send robots.txt, or answer 404 if there is none."
                raise sitemap_error(url, f"answers {response.answer}", fix=fix)
        except SitemapError as error:  # which forbids all (RFC 9309 2.3.1.4)
            fix = error.problem.fix or "Check the address, and whether the host can be reached."
            found = error.problem.found
            self.findings.add(rules.page_status, sitemap_place(url), found, fix=fix)
            self.stopped = "robots.txt can't be read"
            return
        if response is None or response.status != 200:
            return
        self.robots = response.as_robots()
        self.stopped = self.pace.slow_down(self.robots.delay(AGENT))
        # Its rules fit the copy only where the paths are equal.
        if not copy or urlsplit(copy.published).path == urlsplit(copy.folder).path:
            web = None if copy else self.how.web
            self.how.web.given(root)  # its pages are requested, too
            check_live_robots(self.robots, root, pages, self.findings, web=web)
        if copy and not self.robots.allows(AGENT, copy.folder + NO_PAGE):
            self.robots = read_robots(b"")
            self.findings.note(f"{url} disallows the whole preview. It was requested all the same.")

    def _request_all(self, pages: Sequence[EntryInFile], no_page: str) -> None:
        read_error_page = partial(self._read_error_page, no_page)
        tasks: _Tasks = iter([read_error_page, *(partial(self._page, page) for page in pages)])
        done = SimpleQueue[FetchedPage | None]()
        wanted = max(_FEW_CONNECTIONS, min(_MAX_CONNECTIONS, ceil(self.how.rate)))
        running = min(wanted, len(pages))
        work = partial(self._work, tasks, done)
        try:
            for _ in range(running):
                Thread(target=work, daemon=True).start()
            while running:
                self.how.progress(len(self.answers), len(pages))
                try:
                    answer = done.get(timeout=_TICK)
                except Empty:
                    continue
                if answer:
                    self.answers.append(answer)
                else:
                    running -= 1
        finally:
            self.pace.ended.set()
            while not done.empty():  # after Ctrl-C
                if answer := done.get():
                    self.answers.append(answer)

    def _work(self, tasks: _Tasks, done: "SimpleQueue[FetchedPage | None]") -> None:
        try:
            while not (self.pace.ended.is_set() or self.stopped):
                with self._lock:
                    task = next(tasks, None)
                if task is None:
                    break
                if page := task():
                    done.put(page)
        finally:
            done.put(None)

    def _page(self, entry: EntryInFile) -> FetchedPage | None:  # noqa: PLR0911 - one for each kind of answer
        """Request a page; None if it may not be requested, or the end comes first."""
        url, page = self.how.url_of(entry.loc) or "", FetchedPage(entry, datetime.now(UTC))
        if not self.robots.allows(AGENT, url):
            with self._lock:
                self.disallowed += 1
            return None
        answers: list[Response] = []
        hops: list[str] = []
        try:
            end = self._get(url, answers, hops)
        except SitemapError as error:
            found = error.problem.found
            self._count(silent=not answers and isinstance(error, NoAnswerError))
            if not answers:
                return page._replace(answer=found)
            # Without a hop, it redirects to what is no URL.
            clause = _redirects(answers, hops, f", which {found}") if hops else found
            return page._replace(redirects=clause)
        except Exception as error:  # noqa: BLE001 - no answer of a server may end the check
            clause = f"gives an answer that can't be read ({describe_error(error)})"
            return page._replace(answer=clause)
        if not answers:
            return None
        self._count(silent=False)
        if hops:
            return page._replace(redirects=_redirects(answers, hops, end))
        (answer,) = answers
        if answer.status != 200:
            return page._replace(answer=f"answers {answer.answer}")
        return page._replace(says=live_page(answer, entry.loc))

    def _get(
        self, url: str, answers: list[Response], hops: list[str], statuses: Sequence[int] = (200,)
    ) -> str:
        """Add the answers at a URL, and at those of this host to which it redirects: the `hops`.

        All have one deadline. Return what stands at the end of the redirects, as a clause.
        """
        target = url
        left = self.how.client.seconds
        while True:
            for attempt in range(1, _TRIES + 1):
                self.pace.wait()
                if self.stopped or self.pace.ended.is_set():
                    return ", which was not requested"
                began = monotonic()
                answer = self.how.client.page(target, statuses, left)
                left -= monotonic() - began
                if attempt == _TRIES or not self._waits(answer):
                    break
            answers.append(answer)
            following = answer.redirect
            if following is None:
                return "" if answer.status == 200 else f", which answers {answer.answer}"
            is_circle = following in (answer.url for answer in answers)
            hops.append(target := following)
            if is_circle:
                return ", in a circle"
            if not _is_same_host(url, target):
                return ", on another host"
            if len(hops) > MAX_REDIRECTS:
                return ", and so on"
            if not self.robots.allows(AGENT, target):
                return ", which was not requested"

    def _waits(self, answer: Response) -> bool:
        """Pause if the server is busy. Return whether it can be asked again then."""
        if answer.status not in _BUSY or (answer.retry_after is None and answer.status != 429):
            return False
        seconds = _PAUSE if answer.retry_after is None else answer.retry_after
        self.stopped = self.stopped or self.pace.pause(seconds)
        return not self.stopped

    def _read_error_page(self, url: str) -> None:
        answers: list[Response] = []
        try:
            if self.robots.allows(AGENT, url):
                self._get(url, answers, [], (200, 404))
        except Exception:  # noqa: BLE001 - then no page is compared with it
            return
        if answers and answers[-1].status in (200, 404) and answers[-1].body:
            self.error_text = live_page(answers[-1], url).text
            self.is_always_200 = answers[-1].status == 200

    def _count(self, *, silent: bool) -> None:
        with self._lock:
            self._silent = self._silent + 1 if silent else 0
            if self._silent >= MAX_SILENT and not self.stopped:
                self.stopped = f"the server did not answer {MAX_SILENT} requests in a row"

    def _judge(self, known: frozenset[tuple[str, str | None]]) -> None:
        """Ask the rules about all pages that were answered, in their order in the sitemap."""
        pages = sorted(self.answers, key=lambda page: (page.entry.file, page.entry.line))
        given = [page for page in pages if not (page.answer or page.redirects)]
        if self.how.copy and given and all(map(_has_noindex_header, given)):
            self.findings.note("each page of the preview has noindex in its header X-Robots-Tag.")
            pages = [page._replace(says=without_robots_headers(page.says)) for page in pages]
        error_text = self._usable_error_text([page.says for page in given])
        keys = {page.entry.key for page in pages}
        pages = [
            page._replace(error_text=error_text, names=_named(page.says, page.entry, keys))
            for page in pages
        ]
        rules.judge(pages, self.findings, known)

    def _usable_error_text(self, says: Sequence[PageSays]) -> int | None:
        """Return the text of the error page; None if most pages have it, since scripts fill all."""
        if not self.is_always_200:
            return self.error_text
        why = "the server answers 200 for a page that does not exist"
        texts = [each.text for each in says if each.text is not None]
        if 2 * texts.count(self.error_text or 0) > len(texts):
            self.findings.note(f"{why}, and with the same text for most pages that do.")
            return None
        self.findings.note(f"{why}.")
        return self.error_text


def _redirects(answers: Sequence[Response], hops: Sequence[str], end: str) -> str:
    """Return where a page redirects, as a clause. `end` is what stands at its end."""
    return f"redirects ({answers[0].status}) to {', then '.join(map(shorten, hops))}{end}"


def _named(says: PageSays, entry: EntryInFile, listed: Container[str]) -> Names:
    """Return what a page names as canonical; `listed` has the keys of all pages."""
    url = joined(base_url(entry.loc, says.base), says.canonical or "") or ""
    if without_form(url_key(url)) == without_form(entry.key):
        return Names.FORM
    return Names.PAGE if url_key(url) in listed else Names.UNLISTED


def _has_noindex_header(page: FetchedPage) -> bool:
    return any(
        each.where == HEADER and each.forbid_index(CRAWLERS, page.now) for each in page.says.robots
    )


def _is_same_host(one: str, other: str) -> bool:
    """Return whether two URLs are on one host. With TLS, it is the same."""
    here, there = origin_url(one) or "", origin_url(other)
    return there in (here, here.replace("http:", "https:", 1))


def check_live_robots(  # noqa: PLR0913 - a robots.txt, what is asked about it, and who answers
    robots: Robots,
    root: str,
    listed: Sequence[EntryInFile],
    findings: Findings,
    *,
    urls: Sequence[str | None] = (),
    web: Web | None = None,
) -> None:
    """Judge the robots.txt of a host, given by its URL with a slash, and what it disallows.

    `urls` are that of the sitemap, by default that of the file of the first entry, and the one to
    which it is redirected. The `web` is asked for the sitemaps that robots.txt names; without it,
    nothing is known of them, as of those that the robots.txt of a preview names.
    """
    urls = urls or [entry.file for entry in listed[:1]]
    name = next(iter(urls), None) or ""
    sitemaps = [(name, url) for url in urls if url and IS_URL.match(name)]
    place = sitemap_place(f"{root}robots.txt")

    @cache
    def read(url: str) -> bytes | None:
        try:
            response = web.get(url, MAX_BYTES, LedBy.ROBOTS) if web else None
            if response and response.status == 200:
                return unpacked(response.body, url)
        except SitemapError:
            return b""
        return None if response and response.status in _GONE else b""

    file = RobotsTxt(robots, place, root, sitemaps, listed, read, is_live=True)
    rules.judge_robots(file, findings)


def is_closed_site(name: str, problem: Problem, client: Client, findings: Findings) -> bool:
    """Return whether the home page of a site that has no sitemap is noindex, and add the finding.

    A person named the URL `name`, and the `problem` is that no sitemap is there. No other host is
    asked.
    """
    home = target = folder_of(name) if name.lower().endswith((".xml", ".gz")) else name
    try:
        for _ in range(MAX_REDIRECTS + 1):
            answer = client.page(target)
            if answer.redirect is None or not _is_same_host(home, answer.redirect):
                break
            target = answer.redirect
    except SitemapError:
        return False
    for each in live_page(answer, home).robots if answer.status == 200 else ():
        if each.forbid_index(GOOGLE_CRAWLERS):
            found = f"{problem.found}, and {home} has the {each.name} {format_value(each.text)}"
            findings.add(rules.closed, problem.place or sitemap_place(name), found)
            return True
    return False


class Pace:
    """Gives turns at even distances, to several threads. A server can ask for a pause."""

    def __init__(
        self, rate: float, *, now: Callable[[], float] = monotonic, ended: Event | None = None
    ) -> None:
        """Give `rate` turns a second, by `now` in seconds. To set `ended` ends all waits."""
        self.ended = ended or Event()
        self._between = 1 / rate
        self._now = now
        self._next = now()  # the first turn that nobody has
        self._resumes = self._next  # when the last pause ends
        self._paused = 0.0  # seconds of all pauses
        self._lock = Lock()

    def wait(self) -> None:
        """Wait for a turn. Return at once after the end."""
        while not self.ended.is_set():
            with self._lock:
                now = self._now()
                turn = max(self._next, self._resumes, now)
                self._next = turn + self._between
            self.ended.wait(max(0.0, turn - now))
            if turn >= self._resumes:
                return

    def slow_down(self, seconds: float) -> str | None:
        """Put so many seconds between two turns, or return why that is too long, as a clause."""
        if seconds > _MAX_PAUSE:
            return f"robots.txt asks for {seconds:,.0f} seconds between two requests"
        self._between = max(self._between, seconds)
        return None

    def pause(self, seconds: float) -> str | None:
        """Let no turn come for some seconds. Return why that is too long, as `slow_down` does."""
        with self._lock:
            now = self._now()
            until = now + seconds
            # What an earlier pause covers is counted already.
            self._paused += max(0.0, until - max(self._resumes, now))
            if seconds > _MAX_PAUSE:
                return f"the server asks to wait {seconds:,.0f} seconds"
            if self._paused > MAX_PAUSES:
                return f"all waits together are longer than {MAX_PAUSES:,} seconds"
            self._resumes = max(self._resumes, until)
            return None
