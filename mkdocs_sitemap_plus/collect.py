"""A file, a folder or a URL to all entries of the sitemap there, through its index."""

import os.path
import re
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from mkdocs_sitemap_plus.errors import SitemapError
from mkdocs_sitemap_plus.evidence import Place, Problem, Voice
from mkdocs_sitemap_plus.fetch import TIMEOUT, get
from mkdocs_sitemap_plus.sitemap.entry import UrlEntry
from mkdocs_sitemap_plus.sitemap.limits import MAX_BYTES
from mkdocs_sitemap_plus.sitemap.parse import RawElement, elements, too_large, unpacked
from mkdocs_sitemap_plus.sitemap.read_entry import sitemap_entry, url_entry
from mkdocs_sitemap_plus.sitemap.urlset import NAMESPACE
from mkdocs_sitemap_plus.wording import format_value

NAMES = ("sitemap.xml", "sitemap-index.xml", "sitemap.xml.gz", "sitemap-index.xml.gz")
"""What is looked for in a folder, in this order. Below the limits ``sitemap.xml`` has all URLs."""

MAX_FILES = 1_000
MAX_FOLDERS = 16
MAX_NESTED = 3
"""An index in an index is none by Google's rules; others follow it, and so far do we."""

_URL = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapFile:
    """A sitemap or an index, as it is.

    Attributes:
        name: its path or URL, as a person knows it.
        data: the XML, unpacked.
        path: where it is on the disk; None if it came over HTTP.
    """

    name: str
    data: bytes
    path: Path | None


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
    """All entries at `where`: a file, a folder with a sitemap in it, or a URL.

    Parts of an index are looked for beside it where it is on a disk, and fetched where it was
    fetched. Each file is read once, so an index that leads back to itself comes to an end.

    Raises:
        SitemapError: one of the files can't be read. Half a sitemap is none.
    """
    entries: dict[str, UrlEntry] = {}
    problems: list[Problem] = []
    files: dict[str, None] = {}
    waiting = deque([(where, 0)])
    while waiting:
        part, depth = waiting.popleft()
        if part in files:
            continue
        file = open_sitemap(part, timeout=timeout)
        files[file.name] = None
        found = elements(file.data, file.name)
        if is_index(next(found), file.name):
            locs = _locs(found, file.name, problems)
            _check_bounds(file.name, depth, len(files) + len(waiting) + len(locs))
            waiting.extend((each, depth + 1) for each in parts(file, locs))
        else:
            _take(found, file.name, entries, problems)
    return Collected(entries=entries, files=tuple(files), problems=tuple(problems))


def open_sitemap(where: str, *, timeout: float = TIMEOUT) -> SitemapFile:
    """The file at `where`: a file, a folder with one of `NAMES` in it, or a URL; unpacked.

    A URL that ends in ``/`` is that of a site, whose ``sitemap.xml`` is meant.

    Raises:
        SitemapError: it is not there, or larger than the protocol allows.
    """
    if _URL.match(where):
        return _fetched(where + NAMES[0] if where.endswith("/") else where, timeout)
    path = _in_folder(Path(where)) if _is_dir(where) else Path(where)
    name = path.as_posix()
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise _fault(name, "file", f"can't be read ({_words(error)})") from error
    if len(data) > MAX_BYTES:
        raise too_large(name)
    return SitemapFile(name=name, data=unpacked(data, name), path=path)


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
        element, space = format_value(root.name), format_value(root.space)
        found = f"has the root element {element} of the namespace {space}"
        raise _fault(name, "root", found, f"'urlset' or 'sitemapindex' of '{NAMESPACE}'")
    return kinds[root.name]


def _locs(found: Iterable[RawElement], name: str, problems: list[Problem]) -> list[str]:
    locs = []
    for element in found:
        if (element.space, element.name) == (NAMESPACE, "sitemap"):
            entry, wrong = sitemap_entry(element, name)
            problems.extend(wrong)
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
            entry, wrong = url_entry(element, name)
            problems.extend(wrong)
            if entry:
                entries.setdefault(entry.loc, entry)


def _check_bounds(name: str, depth: int, files: int) -> None:
    if depth == MAX_NESTED:
        raise _fault(name, "nested", f"is an index in an index, more than {MAX_NESTED} deep")
    if files > MAX_FILES:
        raise _fault(name, "too-many", f"leads to more than {MAX_FILES:,} files")


def _fetched(url: str, timeout: float) -> SitemapFile:
    response = get(url, limit=MAX_BYTES, timeout=timeout)
    if response.status != 200:
        raise _fault(url, "status", f"answers {response.answer}")
    return SitemapFile(name=url, data=unpacked(response.body, url), path=None)


def _in_folder(folder: Path) -> Path:
    for name in NAMES:
        if _is_file(folder / name):
            return folder / name
    raise _fault(folder.as_posix(), "file", f"has no {' or '.join(NAMES[:2])} in it; name the file")


def _segments(url: str) -> list[str]:
    """The path of a URL, piece by piece; none of them leaves its folder."""
    path = unquote(urlsplit(url).path)
    return [piece for piece in re.split(r"[/\\]", path) if piece not in ("", ".", "..")] or ["."]


# Those of `Path` raise for names that no file can have; these say no.
def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # noqa: PTH113 - see above


def _is_dir(where: str) -> bool:
    return os.path.isdir(where)  # noqa: PTH112 - see above


def _words(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or str(error)


def _fault(name: str, code: str, found: str, expected: str | None = None) -> SitemapError:
    place = Place(voice=Voice.SITEMAP, file=name)
    return SitemapError(Problem(code=code, place=place, found=found, expected=expected))
