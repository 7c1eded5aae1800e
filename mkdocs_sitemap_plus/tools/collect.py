"""From a file, a folder or a URL to all entries of the sitemap there, through its index."""

import os.path
import re
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from itertools import islice
from pathlib import Path
from urllib.parse import unquote, urlsplit

from mkdocs_sitemap_plus.output.robots import robots_lines
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.entry import UrlEntry
from mkdocs_sitemap_plus.sitemap.limits import MAX_BYTES
from mkdocs_sitemap_plus.sitemap.parse import (
    RawElement,
    elements,
    is_web_page,
    too_large,
    unpacked,
    web_page,
)
from mkdocs_sitemap_plus.sitemap.read_entry import sitemap_entry, url_entry
from mkdocs_sitemap_plus.sitemap.render import NAMESPACE
from mkdocs_sitemap_plus.sitemap.urls import origin_of
from mkdocs_sitemap_plus.tools.fetch import TIMEOUT, get
from mkdocs_sitemap_plus.wording import format_value

NAMES = ("sitemap.xml", "sitemap-index.xml", "sitemap.xml.gz", "sitemap-index.xml.gz")
"""What is looked for in a folder, in this order. Below the limits ``sitemap.xml`` has all URLs."""

MAX_FILES = 1_000
MAX_FOLDERS = 16
MAX_NESTED = 3
"""Google forbids an index in an index. Others follow them, and up to this depth so does this."""

_MAX_ROBOTS = 1 << 20
_CONTENT = ("html", "gzip", "too-large")
"""The codes of files that are there and can't be read."""
_URL = re.compile(r"https?:", re.IGNORECASE)
_WITHOUT_SCHEME = re.compile(r"(?:localhost|\w[\w-]*(?:\.[\w-]+)+)(?::\d+|/)|www\.|localhost$")
"""What a person types who leaves out ``https://``."""


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


def collect(where: str, *, timeout: float = TIMEOUT) -> Collected:
    """Return all entries at `where`: a file, a folder with a sitemap in it, or a URL.

    Parts of an index are read beside it if it is on a disk, and fetched if it was fetched. Each
    file is read once, so an index that leads back to itself comes to an end.

    Raises:
        SitemapError: one of the files can't be read. Half a sitemap is no sitemap.
    """
    entries: dict[str, UrlEntry] = {}
    problems: list[Problem] = []
    files: dict[str, None] = {}
    waiting = deque((each, 0) for each in find_sitemaps(where, timeout=timeout))
    while waiting:
        part, depth = waiting.popleft()
        if name_of(part) in files:
            continue
        file = (open_part if depth else open_sitemap)(part, timeout=timeout)
        files[file.name] = None
        found = elements(file.data, file.name)
        if is_index(next(found), file.name):
            locs = _locs(found, file.name, problems)
            _check_bounds(file.name, depth, len(files) + len(waiting) + len(locs))
            waiting.extend((each, depth + 1) for each in parts(file, locs))
        else:
            _take(found, file.name, entries, problems)
    return Collected(entries=entries, files=tuple(files), problems=tuple(problems))


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
        if not _is_address(where, error.problem.code):
            if error.problem.code in _CONTENT:  # whoever opens it sees the same
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
    return _read(_in_folder(Path(where)) if _is_dir(where) else Path(where), where)


def open_part(where: str | SitemapFile, *, timeout: float = TIMEOUT) -> SitemapFile:
    """Read what an index names: a file, or a URL; unpacked. A pipe could keep a reader for ever.

    Raises:
        SitemapError: it is not there, not a file, or larger than the protocol allows.
    """
    if isinstance(where, SitemapFile):
        return where
    if _URL.match(where):
        return _fetched(where, timeout)
    if os.path.exists(where) and not _is_file(Path(where)):  # noqa: PTH110 - as for _is_file
        raise _fault(where, "file", "can't be read (it is not a regular file)")
    return _read(Path(where), where)


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
    best = max(choices, key=lambda files: sum(map(_is_file, files)))
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


def _locs(found: Iterable[RawElement], name: str, problems: list[Problem]) -> list[str]:
    locs = []
    for element in found:
        if (element.space, element.name) == (NAMESPACE, "sitemap"):
            entry, invalid = sitemap_entry(element, name)
            problems.extend(invalid)
            locs.extend([entry.loc] if entry else [])
    return locs


def _take(
    found: Iterable[RawElement],
    name: str,
    entries: dict[str, UrlEntry],
    problems: list[Problem],
) -> None:
    for element in found:
        if (element.space, element.name) == (NAMESPACE, "url"):
            entry, invalid = url_entry(element, name)
            problems.extend(invalid)
            if entry:
                entries.setdefault(entry.loc, entry)


def _check_bounds(name: str, depth: int, files: int) -> None:
    if depth == MAX_NESTED:
        raise _fault(name, "nested", f"is an index in an index, more than {MAX_NESTED} deep")
    if files > MAX_FILES:
        raise _fault(name, "too-many", f"leads to more than {MAX_FILES:,} files")


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


def _is_address(where: str, code: str) -> bool:
    """Whether `where`, which could not be read for `code`, is the URL of a site or a page."""
    path = urlsplit(where).path
    if code == "html":
        return not path.lower().endswith((".xml", ".gz"))
    return code == "status" and path.endswith("/")


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
    response = get(url, limit=MAX_BYTES, timeout=timeout)
    if response.status != 200:
        raise _fault(url, "status", f"answers {response.answer}")
    data = unpacked(response.body, url)
    if is_web_page(data):
        usual = f"{_root_of(url)}{NAMES[0]}"
        raise web_page(url, None if url == usual else f"Try {usual}.")
    return SitemapFile(name=url, data=data, path=None, modified=_moment(response.last_modified))


def _moment(header: str | None) -> datetime | None:
    try:
        return parsedate_to_datetime(header or "").astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _read(path: Path, where: str) -> SitemapFile:
    name = path.as_posix()
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
            modified = os.fstat(file.fileno()).st_mtime
    except (OSError, ValueError) as error:
        like_url = isinstance(error, FileNotFoundError) and _WITHOUT_SCHEME.match(where)
        fix = "A URL begins with https:// or http://." if like_url else None
        raise _fault(name, "file", f"can't be read ({_words(error)})", fix=fix) from error
    if len(data) > MAX_BYTES:
        raise too_large(name)
    when = datetime.fromtimestamp(modified, UTC)
    return SitemapFile(name=name, data=unpacked(data, name), path=path, modified=when)


def _in_folder(folder: Path) -> Path:
    for name in NAMES:
        if _is_file(folder / name):
            return folder / name
    found = f"has no {' or '.join(NAMES[:2])} in it"
    raise _fault(folder.as_posix(), "file", found, fix="Name the file.")


def _segments(url: str) -> list[str]:
    """The path of a URL, piece by piece; none of them leaves its folder."""
    path = unquote(urlsplit(url).path)
    return [piece for piece in re.split(r"[/\\]", path) if piece not in ("", ".", "..")] or ["."]


# Those of `Path` raise for names that no file can have; these return False.
def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 - see above


def _is_dir(where: str) -> bool:
    return os.path.isdir(where)  # noqa: PTH112 - see above


def _words(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)


def _fault(
    name: str, code: str, found: str, expected: str | None = None, fix: str | None = None
) -> SitemapError:
    place = Place(origin=Origin.SITEMAP, file=name)
    problem = Problem(code=code, place=place, found=found, expected=expected, fix=fix)
    return SitemapError(problem)
