"""Send the URLs of changed pages to search engines by IndexNow (indexnow.org, "Documentation")."""

import re
import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from mkdocs_sitemap_plus.command.reader.client import Client, NoAnswerError
from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.urls import DEFAULT_PORTS, common_start, origin, within
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
    key_files: tuple[str, ...]  # URLs of the file that contains the key; one once it was found
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

    url: str
    client: Client
    pause: Callable[[float], None] = time.sleep  # waits for a number of seconds
    report_wait: Callable[[str], object] = str  # shows a text before each wait; `str` shows nothing


def make_submissions(
    urls: tuple[str, ...], key: str, listed: Iterable[str] = ()
) -> tuple[Submission, ...]:
    """Return a submission for each host of the URLs, of which there is at least one.

    The key file is in the folder that all `listed` URLs of the host share, or at the root of the
    host: it speaks for what is below its folder (indexnow.org, "keyLocation"). Raises SitemapError
    if the key is invalid.
    """
    if not _KEY.fullmatch(key):
        expected = "8 to 128 letters, digits and hyphens"
        raise _unusable(f"the key is {format_value(key)}, but must be {expected}")
    by_host: dict[tuple[str, int | None], list[str]] = {}
    for url in urls:
        by_host.setdefault(host_and_port(url), []).append(url)
    here: dict[tuple[str, int | None], list[str]] = {host: [] for host in by_host}
    for url in listed:
        here.get(host_and_port(url), []).append(url)
    return tuple(
        _submission(tuple(group), key, common_start(here[host] or group))
        for host, group in by_host.items()
    )


def _submission(urls: tuple[str, ...], key: str, start: str) -> Submission:
    parts = urlsplit(urls[0])
    netloc = parts.netloc.rpartition("@")[2]  # without a user name
    root = f"{parts.scheme}://{netloc}/"
    folder = root + urlsplit(start).path.rpartition("/")[0].lstrip("/")
    key_files = (f"{folder.removesuffix('/')}/{key}.txt", f"{root}{key}.txt")
    return Submission(netloc, key, tuple(dict.fromkeys(key_files)), urls)


def with_key_file(submission: Submission, client: Client) -> Submission:
    """Return a submission with the key file that is published, and the URLs for which it speaks.

    Raises SitemapError if there is none, or if it does not contain the key.
    """
    fix = f"Publish a file that contains only the key as {' or '.join(submission.key_files)}."
    whys = []
    for url in submission.key_files:
        response = client.get(url, _MAX_KEY_FILE)
        if response.status != 200:
            whys.append(f"{url} answers {response.answer}")
        elif response.body.removeprefix(b"\xef\xbb\xbf").strip() != submission.key.encode():
            whys.append(f"{url} does not contain the key")
        else:
            urls = (each for each in submission.urls if within(each, urljoin(url, ".")))
            return submission._replace(key_files=(url,), urls=tuple(urls))
    raise _unusable(", and ".join(whys), fix)


def submit(submission: Submission, endpoint: Endpoint) -> Iterator[Answer]:
    """Send the batches, and yield the result of each. Stop after the first that is refused."""
    for batch in submission.batches:
        answer = _send(submission, batch, endpoint)
        yield answer
        if not answer.accepted:
            return


def _send(submission: Submission, batch: tuple[str, ...], endpoint: Endpoint) -> Answer:
    """Send one batch. Send it again if the status is 429 or 5xx, or if there is no answer."""
    message = {"host": submission.host, "key": submission.key, "urlList": list(batch)}
    if urlsplit(key_file := submission.key_files[0]).path.count("/") > 1:
        message["keyLocation"] = key_file
    for attempt in range(1, ATTEMPTS + 1):
        wait = 2.0**attempt
        try:
            response = endpoint.client.post(endpoint.url, message)
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


def host_and_port(url: str) -> tuple[str, int | None]:
    """Return the host and the port. The port is None if it is the default of http or https."""
    try:
        _, host, port = origin(urlsplit(url))
    except ValueError as error:
        raise _unusable(f"{url} is not a URL") from error
    return host, None if port in DEFAULT_PORTS.values() else port


def _unusable(found: str, fix: str | None = None) -> SitemapError:
    return SitemapError(Problem(code=Code.INDEXNOW, found=found, fix=fix))
