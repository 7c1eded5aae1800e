"""From a file, a folder or a URL to all entries of the sitemap there, through its index."""

import os.path
import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import islice
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote, urlsplit

from mkdocs_sitemap_plus.files import exists, is_file, is_folder, reason_of
from mkdocs_sitemap_plus.output.robots import robots_lines
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.elements import sitemap_entry, url_entry
from mkdocs_sitemap_plus.sitemap.entry import SitemapEntry, UrlEntry
from mkdocs_sitemap_plus.sitemap.limits import MAX_BYTES
from mkdocs_sitemap_plus.sitemap.parse import (
    RawElement,
    UnreadableError,
    WebPageError,
    elements,
    is_web_page,
    too_large,
    unpacked,
)
from mkdocs_sitemap_plus.sitemap.render import NAMESPACE
from mkdocs_sitemap_plus.sitemap.urls import origin_of
from mkdocs_sitemap_plus.tools.fetch import TIMEOUT, TooLargeError, get
from mkdocs_sitemap_plus.wording import format_value

NAMES = ("sitemap.xml", "sitemap-index.xml", "sitemap.xml.gz", "sitemap-index.xml.gz")
"""What is looked for in a folder, in this order. Below the limits ``sitemap.xml`` has all URLs."""

MAX_FILES = 1_000
MAX_FOLDERS = 16
MAX_NESTED = 3
"""Google forbids an index in an index. Others follow them, and up to this depth so does this."""

_MAX_ROBOTS = 1 << 20
_URL = re.compile(r"https?:", re.IGNORECASE)
_WITHOUT_SCHEME = re.compile(r"(?:localhost|\w[\w-]*(?:\.[\w-]+)+)(?::\d+|/)|www\.|localhost$")
"""What a person types who leaves out ``https://``."""


Entry = TypeVar("Entry", UrlEntry, SitemapEntry)


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapFile:
    """A sitemap or an index, as it is.

    Attributes:
        name: its path or URL, as a person knows it.
        data: the XML, unpacked.
        path: where it is on the disk; None if it came over HTTP.
        modified: when it was written, in UTC, as the disk or the server says; None if unknown.
    """

    name: str
    data: bytes
    path: Path | None
    modified: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """All entries of a sitemap and its parts.

    Attributes:
        entries: by ``loc``, in the order of the files; the first of two counts.
        files: the names of all files that were read, in order.
        problems: what could not be read.
    """

    entries: Mapping[str, UrlEntry]
    files: tuple[str, ...]
    problems: tuple[Problem, ...]


class StatusError(SitemapError):
    """A server answered with a status that is not 200."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A file on a walk.

    Attributes:
        name: its path or URL.
        listed_by: what was given to `Walk.add` for it; None for a file at the start.
        depth: in how many indexes it is.
        file: the file; None if it can't be read, or was read before.
        error: why it can't be read.
    """

    name: str
    listed_by: object | None
    depth: int
    file: SitemapFile | None = None
    error: SitemapError | None = None


class Walk:
    """Opens files and the parts of indexes that are added while it goes on, each file once."""

    def __init__(self, start: Iterable[str | SitemapFile], timeout: float) -> None:
        """Begin with what a person gave."""
        self.timeout = timeout
        self.names: dict[str, None] = {}
        self._waiting: deque[tuple[str | SitemapFile, object | None, int]] = deque(
            (each, None, 0) for each in start
        )

    @property
    def size(self) -> int:
        """The number of files that were opened, or are waiting."""
        return len(self.names) + len(self._waiting)

    def add(self, index: Opened, listed: Sequence[tuple[str, object]]) -> None:
        """Add the parts of an index: the URL of each, and what is given back with it."""
        if index.file:
            places = parts(index.file, [loc for loc, _ in listed])
            for where, (_, entry) in zip(places, listed, strict=True):
                self._waiting.append((where, entry, index.depth + 1))

    def __iter__(self) -> Iterator[Opened]:
        """Open one after the other."""
        while self._waiting:
            where, listed_by, depth = self._waiting.popleft()
            name, file, error = name_of(where), None, None
            if name not in self.names:
                try:
                    file = (open_part if depth else open_sitemap)(where, timeout=self.timeout)
                    name = file.name
                except SitemapError as failed:
                    error = failed
                self.names[name] = None
            yield Opened(name=name, listed_by=listed_by, depth=depth, file=file, error=error)


def collect(where: str, *, timeout: float = TIMEOUT) -> Collected:
    """Return all entries at `where`: a file, a folder with a sitemap in it, or a URL.

    Parts of an index are read beside it if it is on a disk, and fetched if it was fetched.

    Raises:
        SitemapError: one of the files can't be read. Half a sitemap is no sitemap.
    """
    entries: dict[str, UrlEntry] = {}
    problems: list[Problem] = []
    walk = Walk(find_sitemaps(where, timeout=timeout), timeout)
    for opened in walk:
        if opened.error:
            raise opened.error
        if opened.file is None:
            continue
        found = elements(opened.file.data, opened.name)
        if not is_index(next(found), opened.name):
            for entry in _read(found, "url", url_entry, opened.name, problems):
                entries.setdefault(entry.loc, entry)
            continue
        if opened.depth == MAX_NESTED:
            nested = f"is an index in an index, more than {MAX_NESTED} deep"
            raise _fault(opened.name, "nested", nested)
        listed = _read(found, "sitemap", sitemap_entry, opened.name, problems)
        walk.add(opened, [(entry.loc, entry) for entry in listed])
        if walk.size > MAX_FILES:
            raise _fault(opened.name, "too-many", f"leads to more than {MAX_FILES:,} files")
    return Collected(entries=entries, files=tuple(walk.names), problems=tuple(problems))


def _read(
    found: Iterable[RawElement],
    name: str,
    read: Callable[[RawElement, str], tuple[Entry | None, tuple[Problem, ...]]],
    file: str,
    problems: list[Problem],
) -> Iterator[Entry]:
    """Yield the entries of a file; what can't be read of them is added to `problems`."""
    for element in found:
        if (element.space, element.name) == (NAMESPACE, name):
            entry, invalid = read(element, file)
            problems.extend(invalid)
            if entry:
                yield entry


def find_sitemaps(where: str, *, timeout: float = TIMEOUT) -> tuple[str | SitemapFile, ...]:
    """Return the sitemaps that a person means by `where`; those read on the way as they are.

    A file and a folder are returned as they are. So is the URL of a sitemap. The URL of a folder
    stands for the ``sitemap.xml`` in it. If that is not there, and for the URL of a host or of a
    web page, the sitemaps that the robots.txt of the host names are returned, or else the
    ``sitemap.xml`` at its root.

    Raises:
        SitemapError: there is no such URL, or it leads to no file.
    """
    if not _URL.match(where):
        return (where,)
    root = _root_of(where)
    if where.rstrip("/") == root.rstrip("/"):
        return _named_by_robots(root, timeout) or (root + NAMES[0],)
    try:
        return (open_sitemap(where, timeout=timeout),)
    except SitemapError as error:
        if not _is_page(where, error):
            if isinstance(error, UnreadableError):  # to open it gives the same error
                return (where,)
            raise
        return _named_by_robots(root, timeout) or (_at_root(root, error.problem, timeout),)


def open_sitemap(where: str | SitemapFile, *, timeout: float = TIMEOUT) -> SitemapFile:
    """Read what a person named: a file, a folder with one of `NAMES` in it, or a URL; unpacked.

    A URL that ends in ``/`` is that of a site, and stands for its ``sitemap.xml``.

    Raises:
        SitemapError: it is not there, or larger than the protocol allows.
    """
    if isinstance(where, SitemapFile):
        return where
    if _URL.match(where):
        _root_of(where)
        return _fetched(where + NAMES[0] if where.endswith("/") else where, timeout)
    return _read_file(_in_folder(Path(where)) if is_folder(where) else Path(where), where)


def open_part(where: str | SitemapFile, *, timeout: float = TIMEOUT) -> SitemapFile:
    """Read what an index names: a file, or a URL; unpacked. A pipe could keep a reader for ever.

    Raises:
        SitemapError: it is not there, not a file, or larger than the protocol allows.
    """
    if isinstance(where, SitemapFile):
        return where
    if _URL.match(where):
        return _fetched(where, timeout)
    if exists(where) and not is_file(where):
        raise _fault(where, "file", "can't be read (it is not a regular file)")
    return _read_file(Path(where), where)


def name_of(file: str | SitemapFile) -> str:
    """Return the path or URL of a sitemap, whether it was read or not."""
    return file.name if isinstance(file, SitemapFile) else file


def parts(index: SitemapFile, locs: Iterable[str]) -> tuple[str, ...]:
    """Where the parts of an index are: their URLs, or files in the folder of an index on a disk.

    A file that says nothing of its own URL can lie anywhere in the site: its folder is the one
    from which most parts are found.
    """
    urls = tuple(locs)
    if index.path is None or not urls:
        return urls
    folder = index.path.parent
    paths = [_segments(url) for url in urls]
    starts = range(min(MAX_FOLDERS, *map(len, paths)))
    choices = [[folder.joinpath(*path[start:]) for path in paths] for start in starts]
    best = max(choices, key=lambda files: sum(map(is_file, files)))
    return tuple(file.as_posix() for file in best)


def is_index(root: RawElement, name: str) -> bool:
    """Whether a root element is that of an index.

    Raises:
        SitemapError: it is that of no sitemap either.
    """
    kinds = {"urlset": False, "sitemapindex": True}
    if root.name not in kinds or root.space != NAMESPACE:
        name_and_space = f"{format_value(root.name)} of the namespace {format_value(root.space)}"
        found = f"the root element is {name_and_space}"
        raise _fault(name, "root", found, f"'urlset' or 'sitemapindex' of '{NAMESPACE}'")
    return kinds[root.name]


def _root_of(url: str) -> str:
    """Return the URL of the root of a host: ``https://example.com/``."""
    try:
        parts = urlsplit(url)
    except ValueError:
        parts = urlsplit("")
    if not parts.netloc:
        fix = "A URL looks like https://example.com/sitemap.xml."
        raise _fault(url, "url", "is not a URL with a host", fix=fix)
    return f"{parts.scheme}://{parts.netloc}/"


def _is_page(url: str, error: SitemapError) -> bool:
    """Return whether a URL that can't be read as a sitemap is that of a site or a page."""
    path = urlsplit(url).path
    if isinstance(error, WebPageError):
        return not path.lower().endswith((".xml", ".gz"))
    return isinstance(error, StatusError) and path.endswith("/")


def _named_by_robots(root: str, timeout: float) -> tuple[str, ...]:
    response = get(f"{root}robots.txt", limit=_MAX_ROBOTS, timeout=timeout)
    if response.status != 200:
        return ()
    lines = robots_lines(response.body)
    urls = (value for _, key, value in lines if key == "sitemap" and origin_of(value))
    return tuple(islice(dict.fromkeys(urls), MAX_FILES))


def _at_root(root: str, problem: Problem, timeout: float) -> SitemapFile:
    """Read the sitemap at the root of a host; `problem` is why it is looked for there."""
    try:
        return open_sitemap(root + NAMES[0], timeout=timeout)
    except SitemapError as error:
        fix = f"Neither {root}robots.txt nor {root}{NAMES[0]} leads to a sitemap."
        raise SitemapError(replace(problem, fix=fix)) from error


def _fetched(url: str, timeout: float) -> SitemapFile:
    try:
        response = get(url, limit=MAX_BYTES, timeout=timeout)
    except TooLargeError as error:
        raise UnreadableError(url, "too-many-bytes", error.problem.found) from error
    if response.status != 200:
        raise StatusError(_fault(url, "status", f"answers {response.answer}").problem)
    data = unpacked(response.body, url)
    if is_web_page(data):
        usual = f"{_root_of(url)}{NAMES[0]}"
        raise WebPageError(url, None if url == usual else f"Try {usual}.")
    return SitemapFile(name=url, data=data, path=None, modified=_moment(response.last_modified))


def _moment(header: str | None) -> datetime | None:
    try:
        return parsedate_to_datetime(header or "").astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _read_file(path: Path, where: str) -> SitemapFile:
    name = path.as_posix()
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
            modified = os.fstat(file.fileno()).st_mtime
    except (OSError, ValueError) as error:
        like_url = isinstance(error, FileNotFoundError) and _WITHOUT_SCHEME.match(where)
        fix = "A URL begins with https:// or http://." if like_url else None
        raise _fault(name, "file", f"can't be read ({reason_of(error)})", fix=fix) from error
    if len(data) > MAX_BYTES:
        raise too_large(name)
    when = datetime.fromtimestamp(modified, UTC)
    return SitemapFile(name=name, data=unpacked(data, name), path=path, modified=when)


def _in_folder(folder: Path) -> Path:
    for name in NAMES:
        if is_file(folder / name):
            return folder / name
    found = f"has no {' or '.join(NAMES[:2])} in it"
    raise _fault(folder.as_posix(), "file", found, fix="Name the file.")


def _segments(url: str) -> list[str]:
    """The path of a URL, piece by piece; none of them leaves its folder."""
    path = unquote(urlsplit(url).path)
    return [piece for piece in re.split(r"[/\\]", path) if piece not in ("", ".", "..")] or ["."]


def _fault(
    name: str, code: str, found: str, expected: str | None = None, fix: str | None = None
) -> SitemapError:
    place = Place(origin=Origin.SITEMAP, file=name)
    problem = Problem(code=code, place=place, found=found, expected=expected, fix=fix)
    return SitemapError(problem)
