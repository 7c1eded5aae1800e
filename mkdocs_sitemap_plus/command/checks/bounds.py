"""The bounds of a check: whom it asks for sitemaps, for how long, and how much it reads.

Everything that leads to a sitemap may be written by a stranger: the lines of a robots.txt, the
parts of an index, redirects. So only the host that a person named is asked, and the one to which
that redirects (``www.``); of all others one file, a sitemap that the robots.txt of this host names.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from time import monotonic
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.command.reader.client import NoAnswerError, RedirectsError, Response
from mkdocs_sitemap_plus.command.reader.find import MAX_FILES, FoundFile, LedBy, NotReadError, Web
from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.protocol import MAX_BYTES, TIMEOUT
from mkdocs_sitemap_plus.sitemap.urls import origin_url
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place
from mkdocs_sitemap_plus.wording import counted, format_value


class _OutsideError(NotReadError):
    """`limit` is the one that was met, as a clause; if it is None, `elsewhere` is on another host.

    `elsewhere` is the URL itself, or the one to which it redirects.
    """

    def __init__(self, url: str, found: str, limit: str | None, elsewhere: str = "") -> None:
        super().__init__(Problem(code=Code.SITEMAP, place=sitemap_place(url), found=found))
        self.limit, self.elsewhere = limit, elsewhere


class BoundedWeb(Web):
    """Asks web servers within the bounds of one check, and remembers what it did not read."""

    max_seconds = 600.0  # of waiting for robots.txt and sitemaps
    max_entries = 1_000_000
    max_files = MAX_FILES  # that a robots.txt or an index names
    max_silence = 3  # requests to which a host gives no answer

    def __init__(
        self,
        timeout: float = TIMEOUT,
        headers: Mapping[str, str] | None = None,
        send_to: Iterable[str] = (),
        note: Callable[[str], None] = lambda _sentence: None,
    ) -> None:
        super().__init__(timeout, headers, send_to)
        self._note = note
        self._hosts: dict[str, str | None] = {}  # each with the one to which it redirects
        self._homes: dict[str, None] = {}  # URLs of hosts that a person named
        self._other: tuple[str, Response | SitemapError] | None = None  # of another host
        self._unread = defaultdict[str | None, dict[str, None]](dict)  # URLs, by the limit
        self._silence = Counter[str]()
        self._seconds = 0.0
        self._files = 0

    def given(self, url: str) -> None:
        """Remember that a person named this URL."""
        if origin_url(url):
            self._hosts.setdefault(_host(url), None)
            if urlsplit(url).path in ("", "/"):
                self._homes[url] = None

    def may_ask(self, url: str) -> bool:
        """Return whether all files of a host may be asked for: a person named it."""
        return _host(url) in self._hosts

    def admit(self, file: FoundFile) -> None:
        """Raise NotReadError if no more files are read."""
        if self.entries > self.max_entries:
            found = f"is not read, as more than {self.max_entries:,} entries were"
            limit = f"a check reads at most {self.max_entries:,} entries"
            raise _OutsideError(file.name, found, limit)
        if file.led_by is not LedBy.NAMED:
            self._files += 1
            if self._files > self.max_files:
                found = f"is not read, as {self.max_files:,} files were"
                limit = f"a check reads at most {self.max_files:,} files"
                raise _OutsideError(file.name, found, limit)

    def not_read(self, url: str, error: NotReadError) -> None:
        """Remember that a sitemap is not read."""
        if isinstance(error, _OutsideError):
            self._unread[error.limit][url] = None

    def get(self, url: str, limit: int, led_by: LedBy = LedBy.LISTED) -> Response:
        """Return the answer at `url`, as `Client.get` does; raise NotReadError out of bounds."""
        if self._other and self._other[0] == url and not self.may_ask(url):
            if isinstance(self._other[1], SitemapError):
                raise self._other[1]
            return self._other[1]
        try:
            return self._ask(url, limit, led_by)
        except _OutsideError as error:
            where = error.elsewhere
            if error.limit or led_by is LedBy.NAMED or not self._leads_to(where):
                raise
        return self._ask(where, limit, led_by)

    def _leads_to(self, url: str) -> bool:
        """Return whether the host that a person named redirects to the host of this URL."""
        while self._homes:
            with suppress(SitemapError):
                self._ask(self._homes.popitem()[0], MAX_BYTES, LedBy.NAMED)
        return self.may_ask(url)

    def _ask(self, url: str, limit: int, led_by: LedBy) -> Response:
        if self.may_ask(url):
            return self._answer(url, limit, led_by)
        if led_by is not LedBy.ROBOTS or self._other:
            raise _OutsideError(url, "is on another host, which is not asked", None, url)
        if self._leads_to(url):
            return self._answer(url, limit, led_by)
        # The one file of another host. Whoever asks for it again gets the same answer.
        try:
            answer = self._answer(url, limit, led_by)
        except SitemapError as error:
            self._other = url, error
            raise
        self._other = url, answer
        return answer

    def _answer(self, url: str, limit: int, led_by: LedBy) -> Response:
        host = _host(url)
        if self._silence[host] >= self.max_silence:
            limit_of_host = f"{host} gave no answer {self.max_silence} times"
            raise _OutsideError(url, f"is not asked for, as {limit_of_host}", limit_of_host)
        left, minutes = self.max_seconds - self._seconds, f"{self.max_seconds / 60:g} minutes"
        of_time = f"a check waits for robots.txt and sitemaps {minutes} in all"
        if left <= 0:
            raise _OutsideError(url, "is not asked for, as the time is over", of_time)

        def may_go(target: str) -> None:
            other = _host(target)
            if other == host or other in self._hosts:
                return
            if led_by is LedBy.NAMED and self._hosts.get(host, "") is None:
                self._hosts |= {host: other, other: other}
                self._note(
                    f"{origin_url(url)} redirects to {origin_url(target)}, which is checked."
                )
                return
            found = f"redirects to {format_value(target)}, on another host, which is not asked"
            raise _OutsideError(url, found, None, target)

        began = monotonic()
        try:
            return self.client.get(url, limit, left=left, may_go=may_go)
        except NoAnswerError as error:
            if monotonic() - began >= left:
                raise _OutsideError(url, "is not read, as the time is over", of_time) from error
            self._silence[host] += not isinstance(error, RedirectsError)
            raise
        finally:
            self._seconds += monotonic() - began

    @property
    def elsewhere(self) -> list[str]:
        """The URLs that were not asked for, since nobody named their hosts."""
        return [*self._unread.get(None, ())]

    def problems(self) -> Iterator[str]:
        """Yield a line for each limit that was met."""
        for limit, (first, *more) in self._unread.items():
            names = f"{first} and {len(more):,} more" if more else first
            files = f"{counted(1 + len(more), 'sitemap is', 'sitemaps are')} not read ({names})"
            if limit:
                yield f"{files}: {limit}."


def _host(url: str) -> str:
    """Return the host of a URL with its port, unless that is the usual one."""
    return (origin_url(url) or "").partition("://")[2]
