"""Collect all entries of a sitemap, which is a file, a folder or a URL; also those of its parts."""

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
    LoadedSitemap,
    find_sitemaps,
    name_of,
    open_part,
    open_sitemap,
    sitemap_error,
)
from mkdocs_sitemap_plus.wording import format_value

MAX_FOLDERS = 16
MAX_NESTED = 3
"""How deep an index may be in other indexes. Google follows none, other search engines do."""

Entry = TypeVar("Entry", UrlEntry, SitemapEntry)


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """All entries of a sitemap and its parts.

    Attributes:
        entries: by ``loc``, in the order of the files; of two with one ``loc``, the first.
        files: the names of all files that were read, in order.
        problems: what could not be read.
    """

    entries: Mapping[str, UrlEntry]
    files: tuple[str, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A file that a `Walk` opened, or tried to open.

    Attributes:
        name: its path or URL.
        listed_by: the value that `Walk.add` got for this file; None for a file at the start.
        depth: 0 for a file at the start, 1 for a part of its index, and so on.
        file: the file; None if it can't be read, or was read before.
        error: why it can't be read.
    """

    name: str
    listed_by: object | None
    depth: int
    file: LoadedSitemap | None = None
    error: SitemapError | None = None


class Walk:
    """Opens files, and then the parts of indexes that are added; each file once."""

    def __init__(self, start: Iterable[str | LoadedSitemap], timeout: float) -> None:
        """Start with the files that a person named."""
        self.timeout = timeout
        self.names: dict[str, None] = {}
        self._waiting: deque[tuple[str | LoadedSitemap, object | None, int]] = deque(
            (each, None, 0) for each in start
        )

    @property
    def size(self) -> int:
        """The number of files, opened or not."""
        return len(self.names) + len(self._waiting)

    def add(self, index: Opened, listed: Sequence[tuple[str, object]]) -> None:
        """Add the parts of an index: the URL of each, and the value for `Opened.listed_by`."""
        if index.file:
            places = parts(index.file, [loc for loc, _ in listed])
            for where, (_, entry) in zip(places, listed, strict=True):
                self._waiting.append((where, entry, index.depth + 1))

    def __iter__(self) -> Iterator[Opened]:
        """Open one file after the other, and yield it."""
        while self._waiting:
            where, listed_by, depth = self._waiting.popleft()
            name, file, error = name_of(where), None, None
            if name not in self.names:
                try:
                    if isinstance(where, LoadedSitemap):
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

    The parts of an index on a disk are read from this disk. The parts of an index at a URL are
    fetched.

    Raises:
        SitemapError: a file can't be read, so that entries would be missing.
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
    """Yield the entries of a file, and add a problem for each part of them that can't be read."""
    for element in found:
        if (element.space, element.name) == (NAMESPACE, name):
            entry, invalid = read(element, file)
            problems.extend(invalid)
            if entry:
                yield entry


def parts(index: LoadedSitemap, locs: Iterable[str]) -> tuple[str, ...]:
    """Return the URLs of the parts of an index, or their files for an index on a disk.

    The URL of an index on a disk is not known. So as many first segments of the URLs are ignored as
    it takes to find most files.
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
    """Return the segments of the path of a URL without ``..``; at least one, which may be ``.``."""
    path = unquote(urlsplit(url).path)
    return [piece for piece in re.split(r"[/\\]", path) if piece not in ("", ".", "..")] or ["."]


def is_index(root: RawElement, name: str) -> bool:
    """Return whether a root element is the root of an index.

    Raises:
        SitemapError: it is the root of neither an index nor a sitemap.
    """
    kinds = {"urlset": False, "sitemapindex": True}
    if root.name not in kinds or root.space != NAMESPACE:
        name_and_space = f"{format_value(root.name)} of the namespace {format_value(root.space)}"
        found = f"the root element is {name_and_space}"
        raise sitemap_error(name, found, expected=f"'urlset' or 'sitemapindex' of '{NAMESPACE}'")
    return kinds[root.name]
