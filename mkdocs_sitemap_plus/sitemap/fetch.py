"""Fetch sitemaps and pages, and post to IndexNow.

Only this module and `connections` open sockets, and no build uses them.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from functools import cache
from http.client import HTTPException, HTTPResponse
from importlib.metadata import PackageNotFoundError, version
from typing import NamedTuple
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.connections import Clock, Session
from mkdocs_sitemap_plus.sitemap.parse import sitemap_place, unpacked
from mkdocs_sitemap_plus.sitemap.urls import absolute_url, origin_url
from mkdocs_sitemap_plus.wording import PROJECT, format_value, printable, shorten

TIMEOUT = 30.0  # seconds of silence after which a request is given up
DEADLINE_FACTOR = 5  # a whole request may take the seconds of silence times this
MAX_REDIRECTS = 5
REDIRECTS = (301, 302, 303, 307, 308)
_PIECE = 1 << 16
_MAX_PAGE = 15_000_000  # bytes of a web page. Google's crawlers read no more
AGENT = "mkdocs-sitemap-plus"  # the name that robots.txt may have rules for
_MAX_LEFT = 1 << 18  # bytes that are read to keep a connection whose answer is not wanted,
_HURRY = 1.0  # and seconds
_OTHER_ENCODINGS = ("br", "zstd", "deflate", "compress")  # they can't be unpacked here
_SENT: ContextVar[tuple[Mapping[str, str], frozenset[str]]] = ContextVar(
    "headers of the user, and the origins that get them", default=({}, frozenset())
)


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
    body: bytes  # as it was sent; of status 200, and of all that `get_page` returns, unpacked

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
    def is_html(self) -> bool:
        """Whether the header says that it is a page, or says nothing."""
        return _is_html(self.headers.get("Content-Type"))

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
    except (ValueError, TypeError, IndexError, OverflowError):  # Python's reader raises all of them
        return None


@contextmanager
def sending(headers: Mapping[str, str], *urls: str) -> Iterator[None]:
    """Send these headers to the hosts of these URLs, and to no other host, until the block ends.

    They may be secrets. A host gets them also after its redirect from http to https. A thread that
    starts in the block needs the context of the block (`contextvars.copy_context`).
    """
    origins = {origin for url in urls if (origin := origin_url(url))}
    secure = {f"https{each[4:]}" for each in origins if each[:5] == "http:" and _has_no_port(each)}
    token = _SENT.set((headers, frozenset(origins | secure)))
    try:
        yield
    finally:
        _SENT.reset(token)


def _has_no_port(origin: str) -> bool:
    return urlsplit(origin).port is None


@cache
def user_agent() -> str:
    """Return what this program says that it is: name, version and address."""
    try:
        return f"{AGENT}/{version(AGENT)} (+{PROJECT})"
    except PackageNotFoundError:  # a copy that is not installed
        return f"{AGENT} (+{PROJECT})"


def _headers_for(url: str) -> dict[str, str]:
    headers, origins = _SENT.get()
    ours = {"User-Agent": user_agent(), "Accept-Encoding": "identity"}
    if not headers or origin_url(url) not in origins:
        return ours
    names = {name.lower() for name in headers}
    return {name: text for name, text in ours.items() if name.lower() not in names} | {**headers}


def get(url: str, *, limit: int, timeout: float = TIMEOUT) -> Response:
    """Return the answer at `url`, whatever its status. At most five redirects are followed.

    The body may have at most `limit` bytes as it is sent. The server may be silent for `timeout`
    seconds. The request with all redirects may take `DEADLINE_FACTOR` times as long.

    Raises SitemapError if there is no complete answer, its body is larger than `limit`, or a URL is
    neither http nor https.
    """
    clock = Clock(timeout, timeout * DEADLINE_FACTOR)
    where = _clean(url, url)
    with Session() as session:
        for _ in range(MAX_REDIRECTS + 1):
            response = _response(session, where, limit, clock)
            target = redirect_target(response, where)
            if target is None:
                return _without_encoding(response, where)
            where = target
    raise RedirectsError(_problem(url, f"is redirected more than {MAX_REDIRECTS} times"))


def get_page(
    url: str, session: Session, clock: Clock, statuses: Collection[int] = (200,)
) -> Response:
    """Return the answer at `url`, without following a redirect.

    The body is empty if it is not HTML, or if the status is not one of `statuses`. It is cut after
    15,000,000 bytes. The errors are those of `get`.
    """
    where = _clean(url, url)
    response = _response(session, where, _MAX_PAGE, clock, cut=True, html_of=statuses)
    return _without_encoding(response, url, statuses)


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
    with Session() as session:
        clock = Clock(timeout, timeout * DEADLINE_FACTOR)
        return _response(session, _clean(url, url), _PIECE, clock, cut=True, data=data)


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


def _response(  # noqa: PLR0913 - the last three are exceptions, each of one caller
    session: Session,
    url: str,
    limit: int,
    clock: Clock,
    *,
    cut: bool = False,
    html_of: Collection[int] | None = None,
    data: bytes | None = None,
) -> Response:
    """Return the answer. An error of the network becomes a `NoAnswerError`, in one line.

    With `cut`, the body ends after `limit` bytes; otherwise a longer one is an error. With
    `html_of`, only HTML is returned, and only that of answers with one of these statuses.
    """
    headers = _headers_for(url)
    if data is not None:
        headers["Content-Type"] = "application/json; charset=utf-8"
    is_whole = False
    try:
        answer = session.request(url, headers, clock, data)
        with answer:
            if html_of is None or (
                answer.status in html_of and _is_html(answer.getheader("Content-Type"))
            ):
                body = _body(answer, url, limit, cut=cut)
                is_whole = len(body) < limit
            else:
                body, is_whole = b"", _is_read_to_its_end(answer, clock)
            return Response(answer.status, answer.reason, _in_utf_8(answer.headers), url, body)
    except OSError as error:
        words = error.strerror or str(error) or type(error).__name__
        found = f"can't be reached ({shorten(printable(words.strip()))})"
        if isinstance(error, TimeoutError):
            found = f"does not answer within {clock.silence:g} s"
            if clock.is_over:
                found = f"gives no whole answer within {clock.total:g} s"
        raise NoAnswerError(_problem(url, found)) from error
    except (HTTPException, ValueError) as error:
        words = str(error) or type(error).__name__
        found = f"gives an answer that is not HTTP ({shorten(printable(words.strip()))})"
        raise NoAnswerError(_problem(url, found)) from error
    finally:
        if not is_whole:  # what is left of the answer would be taken for the next one
            session.close()


def _is_read_to_its_end(answer: HTTPResponse, clock: Clock) -> bool:
    """Read the rest of an answer that nobody wants, if it is short. Return whether it was.

    Then the connection can stay open for the next request.
    """
    if answer.will_close or (answer.length or 0) > _MAX_LEFT:
        return False
    with clock.hurrying(_HURRY), suppress(OSError, HTTPException, ValueError, NoAnswerError):
        return len(_body(answer, "", _MAX_LEFT, cut=True)) < _MAX_LEFT
    return False


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


def _without_encoding(response: Response, url: str, statuses: Collection[int] = (200,)) -> Response:
    """Return the answer with its body unpacked.

    A server that has only a packed file may send it, although that was not asked for (RFC 9110
    12.5.3). Other names of encodings, such as ``utf-8``, are mistakes that browsers ignore.
    """
    body = response.body
    if response.status not in statuses or not body:
        return response
    for coding in reversed(response.headers.get("Content-Encoding", "").lower().split(",")):
        if coding.strip() in ("gzip", "x-gzip"):
            body = unpacked(body, url)
        elif coding.strip() in _OTHER_ENCODINGS:
            found = f"has the Content-Encoding {format_value(coding.strip())}"
            raise SitemapError(_problem(url, f"{found}, which was not asked for"))
    return response._replace(body=body)


def _is_html(content_type: str | None) -> bool:
    kind = (content_type or "text/html").partition(";")[0].strip().lower()
    return kind in ("text/html", "application/xhtml+xml")


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
