"""Fetch sitemaps and pages, and post to IndexNow.

Only this module opens sockets, and no build uses it.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from io import BufferedReader, RawIOBase
from socket import SOCK_STREAM, create_connection, getaddrinfo, socket
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.request import AbstractHTTPHandler, OpenerDirector, ProxyHandler, Request

from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.parse import sitemap_place, unpacked
from mkdocs_sitemap_plus.sitemap.urls import absolute_url
from mkdocs_sitemap_plus.wording import format_value, printable, shorten

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

TIMEOUT = 30.0  # seconds of silence after which a request is given up
DEADLINE_FACTOR = 5  # a whole request may take the seconds of silence times this
MAX_REDIRECTS = 5
REDIRECTS = (301, 302, 303, 307, 308)
_PIECE = 1 << 16
_MAX_PAGE = 15_000_000  # bytes of a web page. Google's crawlers read no more
AGENT = "mkdocs-sitemap-plus"  # the name that robots.txt may have rules for
_OTHER_ENCODINGS = ("br", "zstd", "deflate", "compress")  # they can't be unpacked here
_HEADERS = {"User-Agent": AGENT, "Accept-Encoding": "identity"}


class NoAnswerError(SitemapError):
    """A server gives no answer, or only a part of one."""


class RedirectsError(NoAnswerError):
    """A server redirects more than `MAX_REDIRECTS` times."""


class TooLargeError(SitemapError):
    """A server sends more bytes than are read."""


class Response(NamedTuple):
    """The answer of a server."""

    status: int
    reason: str
    headers: Message
    url: str  # the URL that gave this answer, after all redirects
    body: bytes  # as it was sent; if `get` or `get_page` returns it with status 200, unpacked

    @property
    def answer(self) -> str:
        """Status and reason, such as ``404 (Not Found)``."""
        reason = shorten(printable(self.reason), 80)
        return f"{self.status} ({reason})" if reason else str(self.status)

    @property
    def retry_after(self) -> float | None:
        """The seconds to wait that the server asks for (RFC 9110 10.2.3), or None."""
        text = self.headers.get("Retry-After", "").strip()
        if text.isascii() and text.isdecimal():
            return float(text.lstrip("0")[:9] or 0)  # at most 31 years
        until = http_date(text)
        if until is None:
            return None
        return max(0.0, float(round((until - datetime.now(UTC)).total_seconds())))


def http_date(text: str) -> datetime | None:
    """Return a date of a header, in UTC (RFC 9110 5.6.7); None if it is not a date."""
    try:
        when = parsedate_to_datetime(text)
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def get(url: str, *, limit: int, timeout: float = TIMEOUT) -> Response:
    """Return the answer at `url`, whatever its status. At most five redirects are followed.

    The body may have at most `limit` bytes as it is sent. The server may be silent for `timeout`
    seconds. The request with all redirects may take `DEADLINE_FACTOR` times as long.

    Raises SitemapError if there is no complete answer, its body is larger than `limit`, or a URL is
    neither http nor https.
    """
    clock = _Clock(timeout)
    where = _clean(url, url)
    for _ in range(MAX_REDIRECTS + 1):
        response = _response(Request(where, headers=_HEADERS), limit, clock)  # noqa: S310 - _clean() allows only http and https
        target = redirect_target(response, where)
        if target is None:
            return _without_encoding(response, where)
        where = target
    raise RedirectsError(_problem(url, f"is redirected more than {MAX_REDIRECTS} times"))


def get_page(url: str, *, timeout: float) -> Response:
    """Return the answer at `url`, without following a redirect.

    The body is empty if it is not HTML, or if the status is not 200. It is cut after 15,000,000
    bytes. The other limits and the errors are those of `get`.
    """
    request = Request(_clean(url, url), headers=_HEADERS)  # noqa: S310 - as above
    response = _response(request, _MAX_PAGE, _Clock(timeout), cut=True, only_html=True)
    return _without_encoding(response, url)


def redirect_target(response: Response, url: str) -> str | None:
    """Return the URL to which the answer at `url` redirects, or None.

    Raises SitemapError if this URL is neither http nor https.
    """
    location = response.headers.get("Location")
    return _clean(location, url) if location and response.status in REDIRECTS else None


def post_json(url: str, value: Mapping[str, object], *, timeout: float = TIMEOUT) -> Response:
    """Send `value` as JSON, and return the answer with the start of its body.

    Raises NoAnswerError if there is no complete answer, and SitemapError if the URL is neither http
    nor https.
    """
    data = json.dumps(value, ensure_ascii=False).encode()
    headers = _HEADERS | {"Content-Type": "application/json; charset=utf-8"}
    request = Request(_clean(url, url), data, headers)  # noqa: S310 - as above
    return _response(request, _PIECE, _Clock(timeout), cut=True)


def _clean(url: str, base: str) -> str:
    """Return the absolute URL to fetch. Raises SitemapError if it is invalid."""
    clean, fault = absolute_url(url, base)
    if clean is None:
        found = f"{'is' if url == base else 'redirects to'} {format_value(url)}"
        problem = Problem(code=Code.URL, found=found, place=sitemap_place(base), expected="a URL")
        if fault:
            problem = problem._replace(found=f"{found}, which {fault}", expected=None)
        raise SitemapError(problem)
    return clean


class _Clock:
    """The time that a server has: for its next byte, and for all of a request."""

    def __init__(self, silence: float) -> None:
        self.silence = silence
        self.total = silence * DEADLINE_FACTOR
        self.end = monotonic() + self.total

    def left(self) -> float:
        """Return the seconds to wait for the next byte; raise a TimeoutError at the deadline."""
        left = self.end - monotonic()
        if left <= 0:
            raise TimeoutError
        return min(self.silence, left)


class _TimedReader(RawIOBase):
    """The bytes of a connection. A read ends at the deadline, so that no answer is endless."""

    def __init__(self, raw: RawIOBase, connection: socket, clock: _Clock) -> None:
        self._raw, self._connection, self._clock = raw, connection, clock

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int | None:
        self._connection.settimeout(self._clock.left())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _TimedConnection(HTTPConnection):
    """A connection, to a server or a proxy, that is opened and read only until the deadline."""

    def __init__(self, *arguments: Any, clock: _Clock, **options: Any) -> None:  # noqa: ANN401 - those of http.client
        super().__init__(*arguments, **options)
        self.clock = clock
        self.response_class = self._timed_response  # type: ignore[assignment] # any callable will do
        self._create_connection = self._connected  # the hook of http.client

    def _connected(self, address: tuple[str, int], *_: object) -> socket:
        """Connect to the first address of the host that answers. All addresses share the time."""
        failed = OSError("the host has no address")
        for *_kind, (ip, *_port) in getaddrinfo(*address, type=SOCK_STREAM):
            try:
                return create_connection((str(ip), address[1]), self.clock.left())
            except OSError as error:
                failed = error
        raise failed

    def _timed_response(self, connection: socket, *arguments: Any, **options: Any) -> HTTPResponse:  # noqa: ANN401 - as above
        response = HTTPResponse(connection, *arguments, **options)
        raw = response.fp.detach()
        response.fp = BufferedReader(_TimedReader(raw, connection, self.clock))
        return response


class _TimedHttpsConnection(_TimedConnection, HTTPSConnection):
    """The same with TLS. The timeout of the socket also ends the handshake."""


class _TimedHandler(AbstractHTTPHandler):
    def __init__(self, clock: _Clock) -> None:
        super().__init__()
        self.clock = clock

    def http_open(self, request: Request) -> HTTPResponse:
        return self.do_open(partial(_TimedConnection, clock=self.clock), request)

    def https_open(self, request: Request) -> HTTPResponse:
        return self.do_open(partial(_TimedHttpsConnection, clock=self.clock), request)

    http_request = https_request = AbstractHTTPHandler.do_request_


def _response(
    request: Request, limit: int, clock: _Clock, *, cut: bool = False, only_html: bool = False
) -> Response:
    """Return the answer. An error of the network becomes a `NoAnswerError`, in one line.

    With `cut`, the body ends after `limit` bytes; otherwise a longer one is an error.
    """
    url = request.full_url
    opener = OpenerDirector()  # without files, FTP and redirects; each status is an answer
    opener.add_handler(ProxyHandler())
    opener.add_handler(_TimedHandler(clock))
    try:
        with opener.open(request, timeout=clock.left()) as answer:
            is_read = _is_html(answer) or not only_html
            body = _body(answer, url, limit, cut=cut) if is_read else b""
            return Response(answer.status, answer.reason, _in_utf_8(answer.headers), url, body)
    except OSError as error:  # a URLError is one, and has its cause in `reason`
        cause = getattr(error, "reason", None) or error
        words = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
        found = f"can't be reached ({shorten(printable(words.strip()))})"
        if isinstance(cause, TimeoutError):
            found = f"does not answer within {clock.silence:g} s"
            if monotonic() >= clock.end:
                found = f"gives no whole answer within {clock.total:g} s"
        raise NoAnswerError(_problem(url, found)) from error
    except (HTTPException, ValueError) as error:
        words = str(error) or type(error).__name__
        found = f"gives an answer that is not HTTP ({shorten(printable(words.strip()))})"
        raise NoAnswerError(_problem(url, found)) from error


def _in_utf_8(headers: Message) -> Message:
    """Return the headers read as UTF-8, if they are UTF-8. `http.client` reads them as Latin-1.

    Some servers write letters of a path in ``Location`` and ``Link`` without escapes.
    """
    found = Message()
    for name, value in headers.items():
        try:
            found[name] = value.encode("latin-1").decode()
        except UnicodeError:
            found[name] = value
    return found


def _without_encoding(response: Response, url: str) -> Response:
    """Return the answer with its body unpacked.

    A server that has only a packed file may send it, although that was not asked for (RFC 9110
    12.5.3). Other names of encodings, such as ``utf-8``, are mistakes that browsers ignore.
    """
    if response.status != 200 or not response.body:
        return response
    body = response.body
    for coding in reversed(response.headers.get("Content-Encoding", "").lower().split(",")):
        if coding.strip() in ("gzip", "x-gzip"):
            body = unpacked(body, url)
        elif coding.strip() in _OTHER_ENCODINGS:
            found = f"has the Content-Encoding {format_value(coding.strip())}"
            raise SitemapError(_problem(url, f"{found}, which was not asked for"))
    return response._replace(body=body)


def _is_html(answer: HTTPResponse) -> bool:
    kind = answer.getheader("Content-Type", "text/html").partition(";")[0].strip().lower()
    return answer.status == 200 and kind in ("text/html", "application/xhtml+xml")


def _body(answer: HTTPResponse, url: str, limit: int, *, cut: bool) -> bytes:
    length = answer.getheader("Content-Length", "")
    promised = int(length) if length.isdecimal() and answer.chunked is False else None
    pieces, size = [], 0
    while size != promised and (piece := answer.read1(_PIECE)):
        pieces.append(piece)
        size += len(piece)
        if size > limit and cut:
            return b"".join(pieces)[:limit]
        if size > limit:
            raise TooLargeError(_problem(url, f"sends more than {limit:,} bytes"))
    if promised is not None and size < promised:
        raise NoAnswerError(_problem(url, f"stops after {size:,} of {promised:,} bytes"))
    return b"".join(pieces)


def _problem(url: str, found: str) -> Problem:
    return Problem(code=Code.FETCH, place=sitemap_place(url), found=found)
