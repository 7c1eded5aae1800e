"""IndexNow: telling search engines which URLs changed (indexnow.org, "Documentation")."""

import re
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin, urlsplit

from mkdocs_sitemap_plus.problems import Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.urls import origin, within
from mkdocs_sitemap_plus.tools.fetch import TIMEOUT, NoAnswerError, Response, get, post_json
from mkdocs_sitemap_plus.wording import format_value

ENDPOINT = "https://api.indexnow.org/indexnow"
"""One engine that is told tells the others (indexnow.org, FAQ)."""

MAX_URLS = 10_000
"""URLs of one request (indexnow.org, "Submitting set of URLs")."""

ATTEMPTS = 4
MAX_WAIT = 120.0
"""Seconds; a server that asks for more is asked again another day, by whoever runs the command."""

_KEY = re.compile(r"[A-Za-z0-9-]{8,128}", re.ASCII)
_MEANINGS = {
    200: "accepted",
    202: "accepted, the key is still to be checked",
    400: "refused: the request is not as it must be",
    403: "refused: the key is not valid for this host",
    422: "refused: the URLs are not those of the host, or the key does not fit",
    429: "refused: too many requests",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """What IndexNow is told.

    Attributes:
        host: the host of all URLs, with its port if that is an unusual one.
        key: 8 to 128 letters, digits and hyphens.
        key_file: the URL of the file that proves that the key is the host's own.
        key_location: the same if it was said, since it is not at the root; None otherwise.
        urls: absolute, by code point.
    """

    host: str
    key: str
    key_file: str
    key_location: str | None
    urls: tuple[str, ...]

    @property
    def batches(self) -> tuple[tuple[str, ...], ...]:
        """The URLs of each request."""
        starts = range(0, len(self.urls), MAX_URLS)
        return tuple(self.urls[start : start + MAX_URLS] for start in starts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of one request.

    Attributes:
        urls: how many URLs it named.
        accepted: whether it was taken.
        words: status and meaning, or why there was no answer.
    """

    urls: int
    accepted: bool
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Who is told, and how patiently.

    Attributes:
        url: of an engine.
        timeout: seconds of silence.
        pause: waits for so many seconds.
        tell: is told of each wait in one line.
    """

    url: str = ENDPOINT
    timeout: float = TIMEOUT
    pause: Callable[[float], None] = time.sleep
    tell: Callable[[str], object] = str


def new_key() -> str:
    """32 lower case hexadecimal digits: the only keys that each of the engines takes."""
    return secrets.token_hex(16)


def submission(urls: tuple[str, ...], key: str, key_location: str | None = None) -> Submission:
    """What is to be said of `urls`, of which there is at least one.

    Raises:
        SitemapError: the key is none, or the URLs are not all of the one host and folder that the
            place of the key file allows.
    """
    if not _KEY.fullmatch(key):
        raise _unusable(
            "key", f"the key is {format_value(key)}", "8 to 128 letters, digits and hyphens"
        )
    here = _host(urls[0])
    parts = urlsplit(urls[0])
    netloc = parts.netloc.rpartition("@")[2]  # no user names
    for url in urls:
        if _host(url) != here:
            raise _unusable("host", f"{url} is not on {netloc}, but all URLs must be on one host")
    key_file = key_location or f"{parts.scheme}://{netloc}/{key}.txt"
    if key_location:
        _check_scope(urls, key_location)
    return Submission(host=netloc, key=key, key_file=key_file, key_location=key_location, urls=urls)


def _check_scope(urls: tuple[str, ...], key_location: str) -> None:
    """A key file speaks for its host and folder (indexnow.org, "keyLocation")."""
    if _host(key_location) != _host(urls[0]):
        raise _unusable("key-location", f"{key_location} is not on the host of {urls[0]}")
    folder = urljoin(key_location, ".")
    for url in urls:
        if not within(url, folder):
            raise _unusable("key-location", f"{url} is not under {folder}, the folder of the key")


def check_key_file(told: Submission, *, timeout: float = TIMEOUT) -> None:
    """See that the key file is published and says the key.

    Raises:
        SitemapError: it is not, or does not.
    """
    response = get(told.key_file, limit=1 << 16, timeout=timeout)
    fix = f"Publish a file with nothing but the key in it as {told.key_file}."
    if response.status != 200:
        raise _unusable("key-file", f"{told.key_file} answers {response.answer}", fix=fix)
    if response.body.removeprefix(b"\xef\xbb\xbf").strip() != told.key.encode():
        raise _unusable("key-file", f"{told.key_file} does not contain the key", fix=fix)


def submit(told: Submission, endpoint: Endpoint) -> Iterator[Answer]:
    """Send each batch, and give what came of it; the first that is refused is the last.

    Raises:
        SitemapError: the endpoint is not a URL.
    """
    for batch in told.batches:
        answer = _sent(told, batch, endpoint)
        yield answer
        if not answer.accepted:
            return


def _sent(told: Submission, batch: tuple[str, ...], endpoint: Endpoint) -> Answer:
    """One batch, tried again where that can help: 429, errors of the server, no answer at all."""
    for attempt in range(1, ATTEMPTS + 1):
        status, words, asked = _tried(told, batch, endpoint)
        if status in (200, 202):
            return Answer(urls=len(batch), accepted=True, words=words)
        if not _passing(status) or attempt == ATTEMPTS:
            break
        wait = 2.0**attempt if asked is None else asked
        if wait > MAX_WAIT:
            words += f"; it asks to wait {wait:g} s"
            break
        endpoint.tell(f"{words}; again in {wait:g} s")
        endpoint.pause(wait)
    return Answer(urls=len(batch), accepted=False, words=words)


def _tried(
    told: Submission, batch: tuple[str, ...], endpoint: Endpoint
) -> tuple[int | None, str, float | None]:
    """The status, what it means, and the seconds that the server asks to wait."""
    location = {"keyLocation": told.key_location} if told.key_location else {}
    message = {"host": told.host, "key": told.key, **location, "urlList": list(batch)}
    try:
        response = post_json(endpoint.url, message, timeout=endpoint.timeout)
    except NoAnswerError as error:
        return None, str(error).removesuffix("."), None
    words = _MEANINGS.get(response.status, response.reason or "refused")
    return response.status, f"{response.status}, {words}", _retry_after(response)


def _passing(status: int | None) -> bool:
    return status is None or status == 429 or status >= 500


def _retry_after(response: Response) -> float | None:
    """Seconds from now, of a number or a date (RFC 9110 10.2.3); None if neither is there."""
    text = (response.retry_after or "").strip()
    if text.isascii() and text.isdecimal():
        return float(text)
    try:
        until = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    aware = until if until.tzinfo else until.replace(tzinfo=UTC)
    return max(0.0, float(round((aware - datetime.now(UTC)).total_seconds())))


def _host(url: str) -> tuple[str, int | None]:
    """Host, and port if it is an unusual one; the scheme may differ."""
    try:
        _, host, port = origin(urlsplit(url))
    except ValueError as error:
        raise _unusable("host", f"{url} is not a URL") from error
    return host, None if port in (80, 443) else port


def _unusable(
    code: str, found: str, expected: str | None = None, fix: str | None = None
) -> SitemapError:
    return SitemapError(Problem(code=code, found=found, expected=expected, fix=fix))
