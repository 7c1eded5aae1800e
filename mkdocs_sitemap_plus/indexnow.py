"""Send the URLs of changed pages to search engines by IndexNow (indexnow.org, "Documentation")."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from mkdocs_sitemap_plus.files import Unreadable, read_file
from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.fetch import TIMEOUT, NoAnswerError, get, post_json
from mkdocs_sitemap_plus.sitemap.urls import DEFAULT_PORTS, origin, within
from mkdocs_sitemap_plus.wording import MAX_VALUE, format_value, shorten

ENDPOINT = "https://api.indexnow.org/indexnow"  # it tells all search engines that take part

MAX_URLS = 10_000  # URLs of one request (indexnow.org, "Submitting set of URLs")
ATTEMPTS = 4
MAX_WAIT = 120.0  # seconds. If a server asks for a longer wait, nothing more is sent
_KEY = re.compile(r"[A-Za-z0-9-]{8,128}", re.ASCII)
_MAX_KEY_FILE = 1 << 16
_MEANINGS = {
    200: "accepted",
    202: "accepted, but the key is not checked yet",
    400: "refused: the request has a wrong form",
    403: "refused: the key is not valid for this host",
    422: "refused: the URLs are not on this host, or the key is not valid",
    429: "refused: too many requests",
}


class Submission(NamedTuple):
    """URLs of one host, and the key that proves that the owner of the host sends them."""

    host: str  # with the port if the URLs have one
    key: str  # 8 to 128 letters, digits and hyphens
    key_file: str  # the URL of a file on the host that contains the key
    key_location: str | None  # the URL of the file if the user gave it, or None
    urls: tuple[str, ...]  # absolute, in order

    @property
    def batches(self) -> tuple[tuple[str, ...], ...]:
        """The URLs of each request."""
        starts = range(0, len(self.urls), MAX_URLS)
        return tuple(self.urls[start : start + MAX_URLS] for start in starts)


class Answer(NamedTuple):
    """The result of one request."""

    urls: int  # the number of URLs that were sent
    accepted: bool
    words: str  # the status with its meaning, or why there is no answer


class Endpoint(NamedTuple):
    """Where to send URLs, and how to wait before the next attempt."""

    url: str = ENDPOINT
    timeout: float = TIMEOUT  # seconds of silence; see `fetch.get`
    pause: Callable[[float], None] = time.sleep  # waits for a number of seconds
    report_wait: Callable[[str], object] = str  # shows a text before each wait; `str` shows nothing


def find_key_file(folder: Path) -> Path | None:
    """Return the first file of a folder that is named after the key in it; None without one."""
    for file in sorted(folder.glob("*.txt")):
        with suppress(Unreadable):
            if _KEY.fullmatch(file.stem) and read_file(file, _MAX_KEY_FILE).strip() == (
                file.stem.encode()
            ):
                return file
    return None


def make_submissions(
    urls: tuple[str, ...], key: str, key_location: str | None = None
) -> tuple[Submission, ...]:
    """Return a submission for each host of the URLs, of which there is at least one.

    Raises SitemapError if the key is invalid, or a URL is not below the folder of the key file
    (indexnow.org, "keyLocation").
    """
    if not _KEY.fullmatch(key):
        expected = "8 to 128 letters, digits and hyphens"
        raise _unusable(f"the key is {format_value(key)}, but must be {expected}")
    by_host: dict[tuple[str, int | None], list[str]] = {}
    for url in urls:
        if key_location and _host(key_location) != _host(url):
            raise _unusable(f"{key_location} is not on the host of {url}")
        if key_location and not within(url, folder := urljoin(key_location, ".")):
            raise _unusable(f"{url} is not under {folder}, the folder of the key")
        by_host.setdefault(_host(url), []).append(url)
    return tuple(_submission(tuple(group), key, key_location) for group in by_host.values())


def _submission(urls: tuple[str, ...], key: str, key_location: str | None) -> Submission:
    parts = urlsplit(urls[0])
    netloc = parts.netloc.rpartition("@")[2]  # without a user name
    key_file = key_location or f"{parts.scheme}://{netloc}/{key}.txt"
    return Submission(host=netloc, key=key, key_file=key_file, key_location=key_location, urls=urls)


def key_fits(url: str, page: str, key_location: str | None) -> bool:
    """Return whether the key for `page`, which is on the site, is also valid for `url`."""
    if len({_host(address) for address in (url, page, key_location) if address}) > 1:
        return False
    return not key_location or within(url, urljoin(key_location, "."))


def check_key_file(submission: Submission, *, timeout: float = TIMEOUT) -> None:
    """Raise a SitemapError if the key file is not published, or does not contain the key."""
    url = submission.key_file
    response = get(url, limit=_MAX_KEY_FILE, timeout=timeout)
    elsewhere = "" if submission.key_location else ", or name its URL with --key-location"
    fix = f"Publish a file that contains only the key as {url}{elsewhere}."
    if response.status != 200:
        raise _unusable(f"{url} answers {response.answer}", fix)
    if response.body.removeprefix(b"\xef\xbb\xbf").strip() != submission.key.encode():
        raise _unusable(f"{url} does not contain the key", fix)


def submit(submission: Submission, endpoint: Endpoint) -> Iterator[Answer]:
    """Send the batches, and yield the result of each. Stop after the first that is refused."""
    for batch in submission.batches:
        answer = _send(submission, batch, endpoint)
        yield answer
        if not answer.accepted:
            return


def _send(submission: Submission, batch: tuple[str, ...], endpoint: Endpoint) -> Answer:
    """Send one batch. Send it again if the status is 429 or 5xx, or if there is no answer."""
    location = {"keyLocation": submission.key_location} if submission.key_location else {}
    message = {"host": submission.host, "key": submission.key, **location, "urlList": list(batch)}
    for attempt in range(1, ATTEMPTS + 1):
        wait = 2.0**attempt
        try:
            response = post_json(endpoint.url, message, timeout=endpoint.timeout)
        except NoAnswerError as error:
            words, may_retry = str(error).removesuffix("."), True
        else:
            reason = shorten(response.reason or "refused", MAX_VALUE)
            meaning = _MEANINGS.get(response.status, reason)
            words = f"{response.status}, {meaning}"
            if response.status in (200, 202):
                return Answer(urls=len(batch), accepted=True, words=words)
            may_retry = response.status == 429 or response.status >= 500
            if response.retry_after is not None:
                wait = response.retry_after
        if not may_retry or attempt == ATTEMPTS:
            break
        if wait > MAX_WAIT:
            words += f"; it asks to wait {wait:g} s"
            break
        endpoint.report_wait(f"{words}; again in {wait:g} s")
        endpoint.pause(wait)
    return Answer(urls=len(batch), accepted=False, words=words)


def _host(url: str) -> tuple[str, int | None]:
    """Return the host and the port. The port is None if it is the default of http or https."""
    try:
        _, host, port = origin(urlsplit(url))
    except ValueError as error:
        raise _unusable(f"{url} is not a URL") from error
    return host, None if port in DEFAULT_PORTS.values() else port


def _unusable(found: str, fix: str | None = None) -> SitemapError:
    return SitemapError(Problem(code=Code.INDEXNOW, found=found, fix=fix))
