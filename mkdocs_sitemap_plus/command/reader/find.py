"""Find and open sitemaps: files, folders with a sitemap in them, URLs, and the parts of indexes."""

import os
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import Enum, auto
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.files import (
    STDIN,
    Unreadable,
    exists,
    is_file,
    is_folder,
    read_start,
    read_stdin,
    reason_of,
)
from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap import xml
from mkdocs_sitemap_plus.sitemap.protocol import MAX_BYTES, NAMES, TIMEOUT
from mkdocs_sitemap_plus.sitemap.urls import common_start, origin_url, unquote_path, url_key

if TYPE_CHECKING:
    from mkdocs_sitemap_plus.command.reader.client import Client, Response, Robots

_MAX_FOLDERS = 8  # folders above another in which something is looked for
_MAX_BASE_SEGMENTS = 16  # segments at the start of URLs; see `_parts`
MAX_FILES = 1_000  # files that are read of one sitemap with its parts
STDIN_NAME = "<stdin>"  # what messages call the standard input
IS_URL = re.compile(r"https?:", re.IGNORECASE)
_WITHOUT_SCHEME = re.compile(
    r"(?:localhost|(?:\d+\.){3}\d+|(?:[\w-]+\.)+(?!(?:xml|gz|txt|html?|json|ya?ml|md)\b)[a-z][\w-]+)"
    r"(?:[:/]|$)",
    re.IGNORECASE,
)
"""A URL without a scheme, such as ``example.com`` or ``localhost:8000``, which is no file name."""


class LoadedSitemap(NamedTuple):
    """A file that was read from a disk or a server: a sitemap, an index, or neither."""

    name: str  # the path or URL that was opened, before redirects
    data: bytes  # unpacked
    path: Path | None  # None if it came over HTTP, or from the standard input
    moved_to: str | None = None  # the URL to which the server redirected the request
    is_packed: bool = True  # whether a ``.gz`` on a disk is one; a server may unpack what it sends


class LedBy(Enum):
    """Who leads to a file."""

    NAMED = auto()  # a person
    ROBOTS = auto()  # a robots.txt
    LISTED = auto()  # an index


class FoundFile(NamedTuple):
    """A file that a `SitemapQueue` opened, will open, or can't open."""

    name: str  # its path or URL
    file: LoadedSitemap | None = None  # its content; None if it is not opened, or was opened before
    listed_by: Any = None  # its entry in the index that lists it; None for the first file
    depth: int = 0  # how many indexes lead to it; 0 for the first file
    error: SitemapError | None = None  # why it can't be read
    hosts: tuple[str, ...] = ()  # URLs of hosts whose robots.txt names it, or its index
    copy: str | None = None  # the URL of its folder, if that is a copy of the published site
    site: Path | None = None  # another folder in which the parts of an index on a disk may be

    @property
    def led_by(self) -> LedBy:
        """Who leads to the file."""
        if self.depth:
            return LedBy.LISTED
        return LedBy.ROBOTS if self.hosts else LedBy.NAMED


class StatusError(SitemapError):
    """A server answered with a status that is not 200."""


class NotReadError(SitemapError):
    """A file was not read, since its reader has bounds."""


class Web:
    """How web servers are asked. The client is imported when one is asked for the first time.

    `entries` is the number of entries that were read; here it has no bound.
    """

    entries = 0

    def __init__(
        self,
        timeout: float = TIMEOUT,
        headers: Mapping[str, str] | None = None,
        send_to: Iterable[str] = (),
    ) -> None:
        self._options = timeout, headers, send_to
        self._robots: dict[str, Response | None] = {}  # each is asked for once

    @cached_property
    def client(self) -> "Client":
        """What asks the servers, and keeps connections to them open."""
        from mkdocs_sitemap_plus.command.reader.client import Client  # noqa: PLC0415 - 40 ms

        return Client(*self._options)

    def admit(self, file: FoundFile) -> None:
        """Raise NotReadError if this file is one too many."""

    def not_read(self, url: str, error: NotReadError) -> None:
        """Take that a file was not read."""

    def given(self, url: str) -> None:
        """Take that a person named this URL."""

    def may_ask(self, url: str) -> bool:  # noqa: ARG002 - see `BoundedWeb`
        """Return whether this URL is of the host that a person named, as far as that is known."""
        return False

    def get(self, url: str, limit: int, led_by: LedBy = LedBy.LISTED) -> "Response":  # noqa: ARG002 - see `BoundedWeb`
        """Return what `Client.get` does."""
        return self.client.get(url, limit)

    def robots(self, root: str, led_by: LedBy = LedBy.LISTED) -> "Response | None":
        """Return what `robots_of` does."""
        from mkdocs_sitemap_plus.command.reader.client import robots_of  # noqa: PLC0415 - 40 ms

        if root not in self._robots:
            self._robots[root] = robots_of(root, partial(self.get, led_by=led_by))
        return self._robots[root]


WEB = Web()


def find_sitemaps(where: str, web: Web = WEB) -> list[FoundFile]:
    """Return the sitemaps that a person means. Some may be open already.

    A path or the URL of a sitemap names one sitemap. Any other URL is that of a host or a web page.
    Then these are tried, one after the other: the sitemap in the folder of the web page, all
    sitemaps that the robots.txt of the host names, and the ``sitemap.xml`` at the root of the host,
    which is not opened if a person gave the URL of the host. A folder has one of `NAMES`, or else
    all sitemaps that the robots.txt in it names. Raises SitemapError if the URL is invalid, or no
    sitemap is found for a web page.
    """
    if not IS_URL.match(where):
        names = sitemaps_in(where) if is_folder(where) else []
        if not names or names[0] in NAMES:
            return [FoundFile(where)]
        return [FoundFile(Path(where, name).as_posix()) for name in names]
    root = _root_of(where)
    if where.rstrip("/") == root.rstrip("/"):
        return _sitemaps_of_robots(root, web) or [FoundFile(root + NAMES[0])]
    found = _opened(FoundFile(where), web)
    if found.error is None or not _is_page(where, found.error):
        return [found]
    page = re.split("[?#]", where)[0]
    folder = folder_of(page if page.lower().endswith((".html", ".htm")) else f"{page.rstrip('/')}/")
    if folder not in (where, root):  # a page may be the site of a folder: user.github.io/project
        beside = _opened(FoundFile(folder), web)
        if beside.error is None or not _is_page(folder, beside.error):
            return [beside]
    return _sitemaps_of_robots(root, web) or [_at_root(root, found.error.problem, web)]


def sitemaps_in(folder: str | os.PathLike[str]) -> list[str]:
    """Return which of `NAMES` a folder has; if none, those that the robots.txt in it names."""
    names = [name for name in NAMES if is_file(Path(folder, name))]
    return names or named_by_robots(folder)


def robots_in(folder: str | os.PathLike[str]) -> "Robots | None":
    """Return what the robots.txt in a folder says; None if there is none that can be read."""
    path = Path(folder, "robots.txt")
    if not is_file(path):
        return None
    from mkdocs_sitemap_plus.command.reader.client import MAX_ROBOTS, read_robots  # noqa: PLC0415 - 40 ms; few have one

    with suppress(Unreadable):
        return read_robots(read_start(path, MAX_ROBOTS))
    return None


def named_by_robots(folder: str | os.PathLike[str]) -> list[str]:
    """Return the names of the files in a folder that its robots.txt names as sitemaps."""
    robots = robots_in(folder)
    names = (unquote_path(url.rpartition("/")[2]) for _, url in (robots.sitemaps if robots else ()))
    return [name for name in dict.fromkeys(names) if name and is_file(Path(folder, name))]


def open_sitemap(where: str, web: Web = WEB, led_by: LedBy = LedBy.NAMED) -> LoadedSitemap:
    """Read what a person named: a file, a folder with one of `NAMES` in it, or a URL.

    A URL that ends in ``/`` stands for the ``sitemap.xml`` there, and ``-`` for the standard input,
    whose name is then `STDIN_NAME`. Raises SitemapError if there is no file, or it is larger than
    the protocol allows.
    """
    if IS_URL.match(where):
        _root_of(where)  # raises the error of a URL without a host
        return _fetch(where + NAMES[0] if where.endswith("/") else where, web, led_by)
    if where == STDIN:
        return _read_stdin()
    path = Path(where)
    return _read_file(_in_folder(path) if is_folder(path) else path, where)


def _read_stdin() -> LoadedSitemap:
    try:
        data = read_stdin(MAX_BYTES + 1)
    except Unreadable as error:
        raise sitemap_error(STDIN_NAME, f"can't be read ({error.reason})") from error
    return _loaded(STDIN_NAME, data)


def _loaded(name: str, data: bytes, path: Path | None = None) -> LoadedSitemap:
    if len(data) > MAX_BYTES:
        raise xml.too_large(name)
    return LoadedSitemap(name, xml.unpacked(data, name), path, is_packed=xml.is_packed(data))


def _open_part(where: str, web: Web, led_by: LedBy) -> LoadedSitemap:
    if IS_URL.match(where):
        return _fetch(where, web, led_by)
    if exists(where) and not is_file(where):  # reading a pipe may never end
        raise sitemap_error(where, "can't be read (it is not a regular file)")
    return _read_file(Path(where), where)


def _root_of(url: str) -> str:
    with suppress(ValueError):
        parts = urlsplit(url)
        if parts.netloc:
            return f"{parts.scheme}://{parts.netloc}/"
    fix = "A URL looks like https://example.com/sitemap.xml."
    raise sitemap_error(url, "is not a URL with a host", fix=fix)


def _is_page(url: str, error: SitemapError) -> bool:
    """Return whether a URL that can't be read as a sitemap is probably a site or a web page."""
    path = urlsplit(url).path
    if isinstance(error, xml.WebPageError):
        return not path.lower().endswith((".xml", ".gz"))
    return isinstance(error, StatusError) and path.endswith("/")


def _sitemaps_of_robots(root: str, web: Web) -> list[FoundFile]:
    response = web.robots(root, LedBy.NAMED)
    if response is None or response.status != 200:
        return []
    urls = (url for _, url in response.as_robots().sitemaps if origin_url(url))
    hosts = tuple(dict.fromkeys((root, _root_of(response.url))))
    names = {urlsplit(host).netloc.casefold() for host in hosts}
    found = []
    for url in islice(dict.fromkeys(urls), MAX_FILES):
        sitemap = FoundFile(url, hosts=hosts)
        if urlsplit(url).netloc.casefold() not in names:
            # Another host may have the sitemap of this one (sitemaps.org, "Cross Submits"), or
            # robots.txt was copied from there.
            sitemap = _opened(sitemap, web)
            data = sitemap.file.data if sitemap.file else b""
            if not web.may_ask(url) and not any(host.encode() in data for host in hosts):
                continue
        found.append(sitemap)
    return found


def _at_root(root: str, problem: Problem, web: Web) -> FoundFile:
    """Return the sitemap at the root of a host. If there is none, raise `problem`, with a fix."""
    found = _opened(FoundFile(root + NAMES[0]), web)
    if found.error:
        fix = f"Neither {root}robots.txt nor {root}{NAMES[0]} leads to a sitemap."
        raise SitemapError(problem._replace(fix=fix))
    return found


def _fetch(url: str, web: Web, led_by: LedBy) -> LoadedSitemap:
    response = web.get(url, MAX_BYTES, led_by)
    if response.status != 200:
        raise StatusError(sitemap_error(url, f"answers {response.answer}").problem)
    data = xml.unpacked(response.body, url)
    if xml.is_web_page(data):
        usual = f"{_root_of(url)}{NAMES[0]}"
        raise xml.WebPageError(url, None if url == usual else f"Try {usual}.")
    moved_to = response.url if response.url != url else None
    return LoadedSitemap(url, data, path=None, moved_to=moved_to)


def _read_file(path: Path, where: str) -> LoadedSitemap:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        is_missing = isinstance(error, FileNotFoundError)
        may_be_url = is_missing and ("://" in where or _WITHOUT_SCHEME.match(where))
        fix = "A URL begins with https:// or http://." if may_be_url else None
        raise sitemap_error(where, f"can't be read ({reason_of(error)})", fix=fix) from error
    return _loaded(path.as_posix(), data, path)


def _in_folder(folder: Path) -> Path:
    if names := sitemaps_in(folder):
        return folder / names[0]
    above = folder.parents[:_MAX_FOLDERS]  # a page has no sitemap, but its site may have one
    site = next((up for up in above if is_file(up / "index.html") and sitemaps_in(up)), None)
    fix = "Build the site again, or give the path of the sitemap itself."
    fix = f"{site.as_posix()} has one." if site else fix
    raise sitemap_error(folder.as_posix(), f"has no {' or '.join(NAMES[:2])} in it", fix=fix)


def sitemap_error(name: str, found: str, *, fix: str | None = None) -> SitemapError:
    """Return the error of a file that can't be used."""
    place = xml.sitemap_place(name)
    return SitemapError(Problem(code=Code.SITEMAP, place=place, found=found, fix=fix))


def folder_of(url: str) -> str:
    """Return the URL of the folder of a page or a file, with a slash at its end."""
    path = url.partition("#")[0].partition("?")[0]  # a query may have slashes too
    return path[: path.rindex("/") + 1] if path.count("/") > 2 else f"{path}/"


def common_folder(urls: Iterable[str]) -> str:
    """Return the URL of the deepest folder that has all of these URLs, which are on one host."""
    return folder_of(common_start([folder_of(url) for url in urls]))


class Copy(NamedTuple):
    """Where a site is published, and where its copy is: URLs of folders, which end in a slash."""

    published: str
    folder: str

    def url_of(self, published: str) -> str | None:
        """Return the URL in the copy of a published URL; None if it is outside of the site."""
        key, folder = url_key(published), url_key(self.published)
        if published.startswith(self.published):
            return self.folder + published.removeprefix(self.published)
        return self.folder + key.removeprefix(folder) if key.startswith(folder) else None


class SitemapQueue:
    """Opens files, and then the parts of indexes that are added. A file is opened only once."""

    def __init__(self, start: Iterable[FoundFile], web: Web) -> None:
        self.web = web
        self.copy: Copy | None = None  # if an index of a copy lists published URLs
        self.names: dict[str, None] = {}  # of the opened files, in order
        self._waiting = deque(start)

    @property
    def size(self) -> int:
        """The number of files that were opened or will be opened."""
        return len(self.names) + len(self._waiting)

    def add(self, index: FoundFile, entries: Sequence[Any]) -> None:
        """Add the parts of an index. `entries` are those of the index, and have a ``loc``."""
        if not index.file:
            return
        urls = [entry.loc for entry in entries]
        if index.name == STDIN_NAME and urls:  # who pipes an index names its host
            self.web.given(urls[0])
        # Nobody reads those after the first ones.
        places = [*_parts(index.file, urls[:MAX_FILES], index.site), *urls[MAX_FILES:]]
        if index.copy and urls:
            self.copy = _copy_with(urls, index.copy, self.web)
            places = [self.copy.url_of(url) or url for url in urls]
        for name, entry in zip(places, entries, strict=True):
            part = index._replace(name=name, file=None, listed_by=entry, depth=index.depth + 1)
            self._waiting.append(part)

    def __iter__(self) -> Iterator[FoundFile]:
        """Open one file after the other, and yield it. An error is in its field `error`."""
        while self._waiting:
            waiting = self._waiting.popleft()
            if waiting.name in self.names:
                yield waiting._replace(file=None)
                continue
            opened = _opened(waiting, self.web)
            if not isinstance(opened.error, NotReadError):
                self.names[opened.name] = None
            yield opened


def _opened(found: FoundFile, web: Web) -> FoundFile:
    """Return the file with its content, or with an error if it can't be read."""
    if found.file or found.error:
        return found
    open_it = _open_part if found.depth else open_sitemap
    try:
        web.admit(found)
        file = open_it(found.name, web, found.led_by)
    except SitemapError as error:
        if isinstance(error, NotReadError) and found.led_by is not LedBy.NAMED:
            web.not_read(found.name, error)
        return found._replace(error=error)
    return found._replace(name=file.name, file=file)


def _parts(index: LoadedSitemap, urls: Sequence[str], site: Path | None) -> Sequence[str]:
    """Return the URLs of the parts of an index. For an index on a disk, return paths beside it.

    The same number of segments at the start of each URL is left out of its path. It is the number
    with which most files are found, beside the index or in the folder `site`. The index itself
    does not count: parts of one name in many folders would all be found in it.
    """
    own = index.path
    if own is None or not urls:
        return urls
    paths = [_segments(url) for url in urls]
    starts = range(min(_MAX_BASE_SEGMENTS, *map(len, paths)))
    choices = [
        [folder.joinpath(*path[start:]) for path in paths]
        for folder in filter(None, (own.parent, site))
        for start in starts
    ]
    best = max(choices, key=lambda files: sum(file != own and is_file(file) for file in files))
    return [file.as_posix() for file in best]


def _copy_with(urls: Sequence[str], copy: str, web: Web) -> Copy:
    """Return the copy in which the first part of an index can be read. `urls` are those of parts.

    The index is in the folder with the URL `copy`. It is published in the folder that has all parts
    of one host, or in a folder above. If none of these copies has the part, return the first one.
    """
    host = origin_url(urls[0])
    folder = common_folder(url for url in urls if origin_url(url) == host)
    above = [folder]
    while above[-1].count("/") > 3:  # the root of a host has three
        above.append(folder_of(above[-1].removesuffix("/")))
    for copied in (Copy(published, copy) for published in above[:_MAX_FOLDERS]):
        name = copied.url_of(urls[0]) or urls[0]
        if _opened(FoundFile(name, depth=1), web).error is None:
            return copied
    return Copy(folder, copy)


def _segments(url: str) -> list[str]:
    """Return the segments of the path of a URL, without ``..``. If there are none, return ``.``."""
    path = unquote_path(urlsplit(url).path)
    return [piece for piece in re.split(r"[/\\]", path) if piece not in ("", ".", "..")] or ["."]
