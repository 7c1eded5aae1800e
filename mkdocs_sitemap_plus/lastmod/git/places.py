"""Where files lie: their real folders, and the repositories of these.

A lookup a file would take seconds on a large site, and a rebuild of ``serve`` asks for the same
files again. So all is looked up once a folder, and what a folder holds is kept while it stays.
"""

import os
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mkdocs_sitemap_plus.lastmod.git.repository import Repository, repository_of
from mkdocs_sitemap_plus.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_MOST_KEPT = 4
"""A build asks two questions: which files HEAD holds, and what dates them and their parts."""


class Folder(NamedTuple):
    """A folder, as it is now.

    Attributes:
        real: its path without symbolic links.
        found: its repository, or why there is none.
        prefix: its path in the repository, with ``/`` at its end; empty for the top.
        links: the symbolic links in it, and what they lead to without such links.
    """

    real: str
    found: Repository | Problem
    prefix: bytes
    links: "Mapping[str, str]"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, weakref_slot=True)
class Group:
    """Files of one repository; the same object for the same question, while nothing changes.

    Attributes:
        repository: theirs.
        paths: by file, its path relative to the top, as git keeps it.
    """

    repository: Repository
    paths: "Mapping[Path, bytes]"


class Located(NamedTuple):
    """Where some files lie.

    Attributes:
        groups: those in a repository.
        elsewhere: those in none, with their folders, which say why.
        folders: all folders that were looked at, by path.
    """

    groups: tuple[Group, ...]
    elsewhere: "Mapping[Path, Folder]"
    folders: "Mapping[str, Folder]"


class _Listing(NamedTuple):
    """What a folder was found to be, and what tells whether it is so still."""

    stamp: tuple[int, int, int]
    real: str
    links: tuple[str, ...]
    is_top: bool


_folders: "dict[str, tuple[_Listing, Folder]]" = {}
_listings: dict[str, _Listing] = {}
_located: dict[frozenset[str], Located] = {}
_repositories: dict[Path, Repository] = {}


class Places:
    """Folders and repositories as they are during one build."""

    def __init__(self, whole: "Callable[[Repository], Repository]") -> None:
        """Nothing is looked up yet; each repository goes through `whole`, which may change it."""
        self._whole = whole
        self._folders: dict[str, Folder] = {}
        self._found: dict[str, Repository | Problem] = {}

    def locate(self, files: "Iterable[Path]") -> Located:
        """Where files lie. A symbolic link stands for what it leads to.

        Args:
            files: absolute paths.
        """
        files = list(files)
        asked = frozenset(map(str, files))
        known = _located.get(asked)
        if known and all(self._folder(path) == was for path, was in known.folders.items()):
            return known
        if len(_located) >= _MOST_KEPT:
            _located.clear()
        _located[asked] = located = self._locate(files)
        return located

    def repository(self, folder: str) -> Repository | Problem:
        """The repository of a real folder, or why there is none."""
        if folder not in self._found:
            above = os.path.dirname(folder)  # noqa: PTH120 - strings, here and below: many of them
            if above != folder and not os.path.lexists(os.path.join(folder, ".git")):  # noqa: PTH118
                self._found[folder] = self.repository(above)
            else:
                found = repository_of(Path(folder))
                self._found[folder] = (
                    _same(self._whole(found)) if isinstance(found, Repository) else found
                )
        return self._found[folder]

    def _locate(self, files: list[Path]) -> Located:
        paths: dict[Repository, dict[Path, bytes]] = defaultdict(dict)
        elsewhere = {}
        folders = {}
        for file in files:
            above, name = os.path.split(str(file))
            folder = folders[above] = self._folder(above)
            if name in folder.links:
                above, name = os.path.split(folder.links[name])
                folder = folders[above] = self._folder(above)
            if isinstance(folder.found, Repository):
                paths[folder.found][file] = folder.prefix + os.fsencode(name)
            else:
                elsewhere[file] = folder
        groups = tuple(Group(repository=it, paths=there) for it, there in paths.items())
        return Located(groups, elsewhere, folders)

    def _folder(self, path: str) -> Folder:
        if path not in self._folders:
            listing = _listing(path)
            real = listing.real
            found = self.repository(real if listing.is_top else os.path.dirname(real))  # noqa: PTH120
            known = _folders.get(path)
            if known and known[0] is listing and known[1].found is found and not listing.links:
                self._folders[path] = known[1]
            else:
                self._folders[path] = folder = _folder(path, listing, found)
                _folders[path] = listing, folder
        return self._folders[path]


def _folder(path: str, listing: _Listing, found: Repository | Problem) -> Folder:
    inside = isinstance(found, Repository) and relative(listing.real, found.top)
    return Folder(
        real=listing.real,
        found=found,
        prefix=inside + b"/" if inside else b"",
        links={name: os.path.realpath(f"{path}/{name}") for name in listing.links},
    )


def relative(real: str, top: Path) -> bytes:
    """A real path relative to the top of its repository, as git keeps it; empty for the top."""
    return os.fsencode(real.removeprefix(str(top)).lstrip(os.sep).replace(os.sep, "/"))


def _same(repository: Repository) -> Repository:
    """The object of the build before, if they are equal: identity is quick to compare."""
    known = _repositories.get(repository.top)
    if known != repository:
        _repositories[repository.top] = known = repository
    return known


def _listing(path: str) -> _Listing:
    """What a folder is; read again if something in it came, went or became another."""
    try:
        status = os.stat(path)  # noqa: PTH116
        stamp = (status.st_dev, status.st_ino, status.st_mtime_ns)
        known = _listings.get(path)
        if known and known.stamp == stamp:
            return known
        with os.scandir(path) as entries:
            found = list(entries)
    except OSError:  # it is not there, or may not be read
        return _Listing((0, 0, 0), os.path.realpath(path), (), is_top=True)
    links = tuple(entry.name for entry in found if entry.is_symlink())
    is_top = any(entry.name == ".git" for entry in found)
    _listings[path] = listing = _Listing(stamp, os.path.realpath(path), links, is_top)
    return listing
