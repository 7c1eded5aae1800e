"""Collect all entries of a sitemap: of a file, a folder or a URL, and of the parts of its index."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import unquote, urlsplit

from mkdocs_sitemap_plus.files import is_file
from mkdocs_sitemap_plus.problems import Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.elements import sitemap_entry, url_entry
from mkdocs_sitemap_plus.sitemap.entry import SitemapEntry, UrlEntry
from mkdocs_sitemap_plus.sitemap.parse import RawElement, elements
from mkdocs_sitemap_plus.sitemap.render import NAMESPACE
from mkdocs_sitemap_plus.tools.fetch import TIMEOUT
from mkdocs_sitemap_plus.tools.open_sitemaps import (
    MAX_FILES,
    SitemapFile,
    find_sitemaps,
    name_of,
    open_part,
    open_sitemap,
    sitemap_error,
)
from mkdocs_sitemap_plus.wording import format_value

MAX_FOLDERS = 16
MAX_NESTED = 3
"""Google forbids an index in an index. Others follow them, and up to this depth so does this."""

Entry = TypeVar("Entry", UrlEntry, SitemapEntry)


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
                    if isinstance(where, SitemapFile):
                        file = where
                    else:
                        open_it = open_part if depth else open_sitemap
                        file = open_it(where, timeout=self.timeout)
                    name = file.name
                except SitemapError as failed:
                    error = failed
                self.names[name] = None
            yield Opened(name=name, listed_by=listed_by, depth=depth, file=file, error=error)


def collect(where: str, *, timeout: float = TIMEOUT) -> Collected:
    """Return all entries at `where`: a file, a folder with a sitemap in it, or a URL.

    Parts of an index are read beside it if it is on a disk, and fetched if it was fetched.

    Raises:
        SitemapError: one of the files can't be read, so that entries would be missing.
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
            raise sitemap_error(opened.name, nested)
        listed = _read(found, "sitemap", sitemap_entry, opened.name, problems)
        walk.add(opened, [(entry.loc, entry) for entry in listed])
        if walk.size > MAX_FILES:
            raise sitemap_error(opened.name, f"leads to more than {MAX_FILES:,} files")
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


def parts(index: SitemapFile, locs: Iterable[str]) -> tuple[str, ...]:
    """Return where the parts of an index are: their URLs, or files below an index on a disk.

    The URL of an index on a disk is not known. It is taken for the one with which most parts are
    found.
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


def _segments(url: str) -> list[str]:
    """Return the segments of the path of a URL, without those that lead upwards."""
    path = unquote(urlsplit(url).path)
    return [piece for piece in re.split(r"[/\\]", path) if piece not in ("", ".", "..")] or ["."]


def is_index(root: RawElement, name: str) -> bool:
    """Return whether a root element is that of an index.

    Raises:
        SitemapError: it is not that of a sitemap either.
    """
    kinds = {"urlset": False, "sitemapindex": True}
    if root.name not in kinds or root.space != NAMESPACE:
        name_and_space = f"{format_value(root.name)} of the namespace {format_value(root.space)}"
        found = f"the root element is {name_and_space}"
        raise sitemap_error(name, found, expected=f"'urlset' or 'sitemapindex' of '{NAMESPACE}'")
    return kinds[root.name]
