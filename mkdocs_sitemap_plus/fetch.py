"""The only socket: what is on the web, and what IndexNow is told. No build opens it."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException, HTTPResponse
from time import monotonic
from urllib.request import HTTPHandler, HTTPSHandler, OpenerDirector, ProxyHandler, Request

from mkdocs_sitemap_plus.errors import SitemapError
from mkdocs_sitemap_plus.evidence import Place, Problem, Voice
from mkdocs_sitemap_plus.sitemap.fields import read_url

TIMEOUT = 30.0
"""Seconds of silence after which an answer is given up."""

MAX_SECONDS = 300.0
"""Seconds after which an answer is given up that still trickles in."""

MAX_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_PIECE = 1 << 16
_AGENT = "mkdocs-sitemap-plus"


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What a server answered.

    Attributes:
        url: where it came from at last, behind redirects.
        status: the HTTP status.
        reason: the status in words, as the server gives them.
        retry_after: the ``Retry-After`` header (RFC 9110 10.2.3).
        location: the ``Location`` header.
        body: what it sent, as it came.
    """

    url: str
    status: int
    reason: str
    retry_after: str | None
    location: str | None
    body: bytes

    @property
    def answer(self) -> str:
        """``404 (Not Found)``."""
        return f"{self.status} ({self.reason})" if self.reason else str(self.status)


def get(url: str, *, limit: int, timeout: float = TIMEOUT) -> Response:
    """The answer at `url`, behind at most five redirects, all of them to http or https.

    Args:
        url: a URL as a person writes it.
        limit: bytes of the body.
        timeout: seconds of silence.

    Raises:
        SitemapError: there is no whole answer, or it is larger than `limit`. Any status is one.
    """
    where = _clean(url, url)
    for _ in range(MAX_REDIRECTS + 1):
        response = _response(Request(where, headers=_headers()), limit, timeout)  # noqa: S310 - _clean() lets http and https pass
        if response.status not in _REDIRECTS or not response.location:
            return response
        where = _clean(response.location, where)
    raise _failed(url, f"is redirected more than {MAX_REDIRECTS} times")


def post_json(url: str, value: Mapping[str, object], *, timeout: float = TIMEOUT) -> Response:
    """The answer to `value`, sent as JSON; redirects are not followed.

    Raises:
        SitemapError: there is no whole answer.
    """
    data = json.dumps(value, ensure_ascii=False).encode()
    headers = _headers() | {"Content-Type": "application/json; charset=utf-8"}
    return _response(Request(_clean(url, url), data, headers), _PIECE, timeout)  # noqa: S310 - as above


def _headers() -> dict[str, str]:
    return {"User-Agent": _AGENT, "Accept-Encoding": "identity"}


def _clean(url: str, base: str) -> str:
    """The URL as it goes over the wire; only http and https are let through."""
    place = Place(voice=Voice.SITEMAP, file=base)
    clean = read_url(url, place, base)
    if isinstance(clean, Problem):
        raise SitemapError(clean)
    return clean


@cache
def _opener() -> OpenerDirector:
    """No files, no FTP, no redirects by itself, and every status is an answer."""
    opener = OpenerDirector()
    for handler in (ProxyHandler(), HTTPHandler(), HTTPSHandler()):
        opener.add_handler(handler)
    return opener


def _response(request: Request, limit: int, timeout: float) -> Response:
    with _failures(request.full_url, timeout):
        answer: HTTPResponse = _opener().open(request, timeout=timeout)
        with answer:
            return Response(
                url=request.full_url,
                status=answer.status,
                reason=answer.reason,
                retry_after=answer.getheader("Retry-After"),
                location=answer.getheader("Location"),
                body=_body(answer, request.full_url, limit),
            )


@contextmanager
def _failures(url: str, timeout: float) -> Iterator[None]:
    """All that can go wrong on the way, as one line."""
    try:
        yield
    except TimeoutError as error:
        raise _failed(url, f"does not answer within {timeout:g} s") from error
    except OSError as error:  # urllib's own errors are some of these, and have theirs in `reason`
        cause = getattr(error, "reason", None) or error
        if isinstance(cause, TimeoutError):
            raise _failed(url, f"does not answer within {timeout:g} s") from error
        words = getattr(cause, "strerror", None) or str(cause) or type(cause).__name__
        raise _failed(url, f"can't be reached ({words})") from error
    except (HTTPException, ValueError) as error:
        words = str(error) or type(error).__name__
        raise _failed(url, f"gives no answer that is HTTP ({words.strip()})") from error


def _body(answer: HTTPResponse, url: str, limit: int) -> bytes:
    length = answer.getheader("Content-Length", "")
    promised = int(length) if length.isdecimal() and answer.chunked is False else None
    pieces, size, until = [], 0, monotonic() + MAX_SECONDS
    while size != promised and (piece := answer.read1(_PIECE)):
        pieces.append(piece)
        size += len(piece)
        if size > limit:
            raise _failed(url, f"sends more than {limit:,} bytes", code="too-large")
        if monotonic() > until:
            raise _failed(url, f"still sends after {MAX_SECONDS:g} s")
    if promised is not None and size < promised:
        raise _failed(url, f"stops after {size:,} of {promised:,} bytes")
    return b"".join(pieces)


def _failed(url: str, found: str, code: str = "fetch") -> SitemapError:
    place = Place(voice=Voice.SITEMAP, file=url)
    return SitemapError(Problem(code=code, place=place, found=found))
