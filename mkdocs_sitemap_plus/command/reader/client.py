"""Ask web servers: for sitemaps, pages and robots.txt; and post to IndexNow.

urllib3 keeps connections open and speaks to proxies, and Protego reads robots.txt (RFC 9309). Only
this module imports them, and only commands that use the web import it. The time limits of urllib3
begin anew with each byte, so a request runs in a thread of its own: at its deadline its socket is
shut down, and nobody waits for it any longer.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache, lru_cache, partial
from http.client import HTTPException, HTTPResponse
from importlib.metadata import PackageNotFoundError, version
from math import inf
from queue import Empty, SimpleQueue
from socket import SHUT_RDWR, socket
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

import urllib3
from protego import Protego
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    IncompleteRead,
    NewConnectionError,
    ProtocolError,
    ReadTimeoutError,
)

from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.protocol import DEADLINE_FACTOR, TIMEOUT
from mkdocs_sitemap_plus.sitemap.urls import absolute_url, origin_url
from mkdocs_sitemap_plus.sitemap.xml import NotASitemapError, sitemap_place, unpacked
from mkdocs_sitemap_plus.wording import PROJECT, format_value, printable, shorten

AGENT = "mkdocs-sitemap-plus"  # the name that robots.txt may have rules for
MAX_REDIRECTS = 5
REDIRECTS = (301, 302, 303, 307, 308)
MAX_ROBOTS = 512_000  # bytes that each crawler must read (RFC 9309 2.5); most crawlers stop there
MAX_ROBOTS_BYTES = 1 << 24  # of a robots.txt. A larger one is an error
_MAX_PAGE = 15_000_000  # bytes of a web page. Google's crawlers read no more
_PIECE = 1 << 16
_TICK = 0.5  # seconds. Windows lets Ctrl-C end a wait only between two of them
_RULE_LINE = re.compile(r"[ \t]*(user-agent|allow|disallow)[ \t]*:([^#]*)", re.IGNORECASE)
_OTHER_ENCODINGS = ("br", "zstd", "deflate", "compress")  # nobody asked for them
_SITEMAP_LINE = re.compile(r"[ \t]*sitemap[ \t]*:([^#]*)", re.IGNORECASE)


_AS_SENT = {"redirect": False, "preload_content": False, "decode_content": False}
_Headers = urllib3.HTTPHeaderDict


class NoAnswerError(SitemapError):
    """A server gives no answer, or only a part of one."""


class RedirectsError(NoAnswerError):
    """A server redirects more than `MAX_REDIRECTS` times."""


class Response(NamedTuple):
    """The answer of a server."""

    status: int
    reason: str
    headers: _Headers
    url: str  # the URL that gave this answer, after all redirects
    body: bytes  # unpacked

    @property
    def answer(self) -> str:
        """Status and reason, such as ``404 (Not Found)``."""
        reason = shorten(printable(self.reason), 80)
        return f"{self.status} ({reason})" if reason else str(self.status)

    @property
    def is_failure(self) -> bool:
        """Whether the server failed, or is busy, so that it may have the file."""
        return self.status >= 500 or self.status == 429

    @property
    def redirect(self) -> str | None:
        """The URL to which it redirects, or None; SitemapError if it is neither http nor https."""
        location = self.headers.get("Location")
        return _clean(location, self.url) if location and self.status in REDIRECTS else None

    def as_robots(self) -> "Robots":
        """Return what its body says as a robots.txt."""
        return read_robots(self.body)

    @property
    def retry_after(self) -> float | None:
        """The seconds to wait that the server asks for (RFC 9110 10.2.3), or None."""
        text = self.headers.get("Retry-After", "").strip()
        if text.isascii() and text.isdecimal():
            return float(text.lstrip("0")[:9] or 0)  # at most 31 years
        try:
            when = parsedate_to_datetime(text)  # in UTC (RFC 9110 5.6.7)
            until = (when if when.tzinfo else when.replace(tzinfo=UTC)) - datetime.now(UTC)
        except (ValueError, TypeError, IndexError, OverflowError):  # it raises all of them
            return None
        return max(0.0, float(round(until.total_seconds())))


class _Group(NamedTuple):
    """A group of rules (RFC 9309 2.2.1)."""

    agents: list[str]  # in lower case
    disallowed: list[tuple[int, str]]  # line number and value of each ``Disallow:``


class Robots(NamedTuple):
    """What a robots.txt says."""

    rules: Protego
    sitemaps: tuple[tuple[int, str], ...]  # line number and value of each ``Sitemap:``
    # Returns the lines that a crawler obeys and that disallow something, the longest first: number
    # and value of each.
    lines_for: Callable[[str], Sequence[tuple[int, str]]] = lambda _crawler: ()

    def allows(self, crawler: str, url: str) -> bool:
        """Return whether a crawler may fetch a URL."""
        return urlsplit(url).path == "/robots.txt" or self.rules.can_fetch(url, crawler)

    def line_against(self, crawler: str, url: str) -> tuple[int, str] | None:
        """Return the line that keeps a crawler from a URL: its number, and what it disallows.

        Of several such lines, the longest decides (RFC 9309 2.2.2). None is known of a URL that
        the crawler may fetch.
        """
        lines = self.lines_for(crawler)
        return next((line for line in lines if not _only(line[1]).can_fetch(url, "*")), None)

    def delay(self, crawler: str) -> float:
        """Return the seconds that ``Crawl-delay`` wants between two requests, or 0."""
        seconds = self.rules.crawl_delay(crawler) or 0.0
        return seconds if 0 < seconds < inf else 0.0


def robots_of(root: str, get: Callable[[str, int], Response]) -> Response | None:
    """Return the answer with the robots.txt of a host, by its URL with a slash.

    It is None after too many redirects, which count as no robots.txt (RFC 9309 2.3.1.2).
    """
    try:
        return get(f"{root}robots.txt", MAX_ROBOTS_BYTES)
    except RedirectsError:
        return None


def read_robots(data: bytes) -> Robots:
    """Return what the first `MAX_ROBOTS` bytes of a robots.txt say; unknown lines are ignored."""
    text = data[:MAX_ROBOTS].decode("utf-8-sig", "replace")
    lines = [*enumerate(re.split(r"\r\n|\r|\n", text), start=1)]
    found = ((number, _SITEMAP_LINE.match(line)) for number, line in lines)
    sitemaps = tuple((number, match[1].strip()) for number, match in found if match)
    return Robots(Protego.parse(text), sitemaps, cache(partial(_lines_for, _groups(lines))))


def _groups(lines: Iterable[tuple[int, str]]) -> list[_Group]:
    groups, is_named = [_Group([], [])], False
    for number, line in lines:
        if match := _RULE_LINE.match(line):
            field, value = match[1].lower(), match[2].strip()
            if field == "user-agent":
                groups += [] if is_named else [_Group([], [])]
                # As Protego takes it: without what looks like a pattern.
                groups[-1].agents.append(value if value == "*" else value.lower().replace("*", ""))
            elif field == "disallow" and value:
                groups[-1].disallowed.append((number, value))
            is_named = field == "user-agent"
    return groups


def _lines_for(groups: Iterable[_Group], crawler: str) -> list[tuple[int, str]]:
    by_length = defaultdict[int, list[tuple[int, str]]](list)  # of the name of the group
    for agents, disallowed in groups:
        named = (len(agent) for agent in agents if agent in crawler.lower())
        by_length[max(named, default=0 if "*" in agents else -1)] += disallowed
    by_length[-1].clear()  # of others
    return sorted(by_length[max(by_length)], key=lambda line: -len(line[1]))


@lru_cache(maxsize=1024)
def _only(pattern: str) -> Protego:
    return Protego.parse(f"User-agent: *\nDisallow: {pattern}")


def own_version() -> str:
    """Return the version of this package; "0" for a copy that is not installed."""
    try:
        return version(AGENT)
    except PackageNotFoundError:
        return "0"


class Client:
    """Asks web servers. Its connections stay open, and several threads may use it at once.

    Each method raises SitemapError if there is no whole answer, or a URL is not http or https.
    """

    def __init__(
        self,
        timeout: float = TIMEOUT,
        headers: Mapping[str, str] | None = None,
        send_to: Iterable[str] = (),
    ) -> None:
        """Let a server be silent for `timeout` seconds, and a request last a few times as long.

        The headers, which may be secrets, are sent to the hosts of the URLs `send_to`, and to no
        other.
        """
        self.timeout = timeout
        self.seconds = timeout * DEADLINE_FACTOR  # for a request with all of its redirects
        self._headers = headers or {}
        self._origins = frozenset(map(origin_url, send_to)) - {None}
        self._pool_by = cache(_new_pool)
        self._user_agent = f"{AGENT}/{own_version()} (+{PROJECT})"

    def get(
        self,
        url: str,
        limit: int,
        *,
        left: float = inf,
        may_go: Callable[[str], None] = lambda _url: None,
    ) -> Response:
        """Return the answer at `url`, whatever its status. At most five redirects are followed.

        It takes `left` seconds at most, and before each redirect `may_go` gets its URL and may
        raise an error. Raises NotASitemapError if the body has more than `limit` bytes as it is
        sent.
        """

        def follow() -> Response:
            where = _clean(url, url)
            for _ in range(MAX_REDIRECTS + 1):
                response = self._ask(where, limit)
                target = response.redirect
                if target is None:
                    return response
                may_go(target)
                where = target
            raise RedirectsError(_problem(url, f"is redirected more than {MAX_REDIRECTS} times"))

        return self._in_time(follow, url, min(left, self.seconds))

    def page(
        self, url: str, statuses: Collection[int] = (200,), left: float | None = None
    ) -> Response:
        """Return the answer at `url`, without following a redirect.

        The body is empty if it is not HTML, or if the status is not one of `statuses`. It is cut
        after 15,000,000 bytes. Of the time for the page, the seconds `left` are left; by default
        all.
        """
        work = partial(self._ask, _clean(url, url), _MAX_PAGE, cut=True, html_of=statuses)
        return self._in_time(work, url, self.seconds if left is None else left)

    def post(self, url: str, value: Mapping[str, object]) -> Response:
        """Send `value` as JSON, and return the answer with the start of its body."""
        data = json.dumps(value, ensure_ascii=False).encode()
        work = partial(self._ask, _clean(url, url), _PIECE, cut=True, data=data)
        return self._in_time(work, url, self.seconds)

    def _in_time(self, work: Callable[[], Response], url: str, left: float) -> Response:
        """Return the result of some work, for which so many seconds are left."""
        turn = _Turn()
        done: SimpleQueue[Response | Exception] = SimpleQueue()

        def run() -> None:
            _TURN.set(turn)
            try:
                done.put(work())
            except Exception as error:  # noqa: BLE001 - it is raised again below
                done.put(error)

        end = monotonic() + left
        result: Response | Exception | None = None
        Thread(target=run, daemon=True).start()
        try:
            while result is None and (left := end - monotonic()) > 0:
                with suppress(Empty):
                    result = done.get(timeout=min(left, _TICK))
        finally:
            if result is None:
                turn.end()
        if result is None:
            found = f"gives no whole answer within {self.seconds:g} s"
            result = NoAnswerError(_problem(url, found))
        if isinstance(result, Exception):
            raise result
        return result

    def _ask(
        self,
        url: str,
        limit: int,
        *,
        cut: bool = False,
        html_of: Collection[int] | None = None,
        data: bytes | None = None,
    ) -> Response:
        """Return the answer. An error of the network becomes a `NoAnswerError`, in one line.

        With `cut`, the body ends after `limit` bytes; otherwise a longer one is an error. With
        `html_of`, only HTML is returned, and only that of answers with one of these statuses.
        """
        try:
            answer = self._answer(url, data)
            wanted = html_of is None or (answer.status in html_of and is_html(answer.headers))
            is_whole = False
            try:
                # A short answer is read to its end, so that the connection can stay open.
                is_short = answer.length_remaining is not None and answer.length_remaining < _PIECE
                body = _body(answer, limit) if wanted or is_short else b""
                is_whole = len(body) <= limit and (wanted or is_short)
            finally:
                if not is_whole:  # what is left would be taken for the next answer
                    answer.close()
        except (HTTPError, OSError, HTTPException, ValueError) as error:
            raise NoAnswerError(_problem(url, _why(error, self.timeout))) from error
        if len(body) > limit and not cut:
            raise NotASitemapError(url, "too-large", f"sends more than {limit:,} bytes")
        headers = _in_utf_8(answer.headers)
        body = body[:limit] if wanted else b""
        if answer.status in (html_of or (200,)):
            body = _without_encoding(body, headers, url)
        return Response(answer.status, answer.reason or "", headers, url, body)

    def _answer(self, url: str, data: bytes | None) -> urllib3.BaseHTTPResponse:
        ours = {"User-Agent": self._user_agent, "Accept-Encoding": "identity"}
        if data is not None:
            ours["Content-Type"] = "application/json; charset=utf-8"
        if origin_url(url) in self._origins:
            names = {name.lower() for name in self._headers}
            ours = {name: text for name, text in ours.items() if name.lower() not in names}
            ours |= self._headers
        timeout = urllib3.Timeout(connect=self.timeout, read=self.timeout)
        more: dict[str, Any] = {"body": data, "headers": ours, "timeout": timeout, **_AS_SENT}
        send = partial(self._pool(url).request, "GET" if data is None else "POST", url, **more)
        turn = _TURN.get()
        turn.is_connected = False
        try:
            return send()
        except ProtocolError:
            if data is not None or turn.is_connected:
                raise
            return send()  # a server may close just now a connection that it kept open

    def _pool(self, url: str) -> urllib3.PoolManager:
        """Return the connections to servers, or to the proxy that the environment names."""
        parts = urlsplit(url)
        proxy = getproxies().get(parts.scheme)
        if proxy and not proxy_bypass(parts.netloc):
            return self._pool_by(proxy if "://" in proxy else f"http://{proxy}")
        return self._pool_by(None)


class _Turn:
    """What a thread tells who waits for its request."""

    def __init__(self) -> None:
        self.is_connected = False  # whether a connection was opened for this request
        self.socket: socket | None = None
        self._is_over = False

    def end(self) -> None:
        self._is_over = True
        self._shut_down()

    def reads(self, open_socket: socket) -> None:
        self.socket = open_socket
        if self._is_over:
            self._shut_down()

    def _shut_down(self) -> None:
        if self.socket:
            with suppress(OSError):  # past the methods of TLS, which another thread must not use
                socket.shutdown(self.socket, SHUT_RDWR)


_TURN: ContextVar[_Turn] = ContextVar("the request of this thread")


class _Http(HTTPConnection):
    """A connection that another thread can end."""

    def connect(self) -> None:
        super().connect()
        _TURN.get().is_connected = True

    def getresponse(self) -> HTTPResponse:  # type: ignore[override] # urllib3's is none by its type
        _TURN.get().reads(self.sock)
        return super().getresponse()  # type: ignore[return-value]


class _Https(_Http, HTTPSConnection):
    """The same with TLS."""


class _HttpPool(urllib3.HTTPConnectionPool):
    ConnectionCls = _Http  # type: ignore[assignment] # a protocol of urllib3, with read-only names


class _HttpsPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _Https  # type: ignore[assignment]


def _new_pool(proxy: str | None) -> urllib3.PoolManager:
    options: dict[str, Any] = {"num_pools": 20, "maxsize": 20, "retries": False}
    if proxy is None:
        pool = urllib3.PoolManager(**options)
    else:
        user = urlsplit(proxy).netloc.rpartition("@")[0]
        login = urllib3.make_headers(proxy_basic_auth=unquote(user)) if user else None
        pool = urllib3.ProxyManager(proxy, proxy_headers=login, **options)
    pool.pool_classes_by_scheme = {"http": _HttpPool, "https": _HttpsPool}
    return pool


def _body(answer: urllib3.BaseHTTPResponse, limit: int) -> bytes:
    """Return the body, or its start with more bytes than `limit`."""
    body = bytearray()
    # A read waits for as many bytes as it asks for.
    while more := min(_PIECE, limit + 1 - len(body)):
        if not (piece := answer.read(more, decode_content=False)):
            break
        body += piece
    return bytes(body)


def _why(error: Exception, timeout: float) -> str:
    """Return a clause for an error of urllib3, or of what is below it."""
    is_late = isinstance(error, (ReadTimeoutError, ConnectTimeoutError, TimeoutError))
    if is_late and not isinstance(error, NewConnectionError):
        return f"does not answer within {timeout:g} s"
    cause: BaseException = error
    while isinstance(cause, HTTPError):
        inside = [each for each in cause.args if isinstance(each, BaseException)]
        if not (inner := inside[-1] if inside else cause.__cause__):
            break
        cause = inner
    if isinstance(cause, IncompleteRead):
        got, missing = cause.partial, cause.expected or 0
        return f"stops after {got:,} of {got + missing:,} bytes"
    words = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
    words = shorten(printable(words.strip()))
    if isinstance(cause, OSError):
        return f"can't be reached ({words})"
    return f"gives an answer that is not HTTP ({words})"


def _in_utf_8(headers: Mapping[str, str]) -> _Headers:
    """Return the headers read as UTF-8, if they are UTF-8. `http.client` reads them as Latin-1.

    Some servers write letters of a path in ``Location`` and ``Link`` without escapes.
    """
    found = _Headers()
    for name, value in headers.items():
        try:
            found.add(name, value.encode("latin-1").decode())
        except UnicodeError:
            found.add(name, value)
    return found


def _without_encoding(body: bytes, headers: Mapping[str, str], url: str) -> bytes:
    """Return a body unpacked, with the bounds of a sitemap.

    A server that has only a packed file may send it, although that was not asked for (RFC 9110
    12.5.3). Other names of encodings, such as ``utf-8``, are mistakes that browsers ignore.
    """
    if not body:
        return body
    for coding in reversed(headers.get("Content-Encoding", "").lower().split(",")):
        if coding.strip() in ("gzip", "x-gzip"):
            body = unpacked(body, url)
        elif coding.strip() in _OTHER_ENCODINGS:
            found = f"has the Content-Encoding {format_value(coding.strip())}"
            raise SitemapError(_problem(url, f"{found}, which was not asked for"))
    return body


def is_html(headers: Mapping[str, str]) -> bool:
    """Return whether headers say that it is a page, or say nothing."""
    kind = headers.get("Content-Type", "text/html").partition(";")[0].strip().lower()
    return kind in ("text/html", "application/xhtml+xml")


def _clean(url: str, base: str) -> str:
    """Return the absolute URL to fetch. Raises SitemapError if it is invalid."""
    clean, fault = absolute_url(url, base)
    if clean is not None:
        return clean
    found = f"{'is' if url == base else 'redirects to'} {format_value(url)}"
    found, expected = (f"{found}, which {fault}", None) if fault else (found, "a URL")
    raise SitemapError(Problem(Code.URL, found, sitemap_place(base), expected=expected))


def _problem(url: str, found: str) -> Problem:
    return Problem(code=Code.FETCH, place=sitemap_place(url), found=found)
