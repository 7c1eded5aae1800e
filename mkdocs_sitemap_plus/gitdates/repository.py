"""Find the repositories of files, and what they hold at HEAD."""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from .blobs import is_annexed
from .git import output, problem_of, unshallow
from .values import GitCode, GitFailed, GitProblem, one_line

Version = tuple[bytes, bytes]
"""The mode and the blob of a file, as git prints them."""

_HEAD = re.compile(rb"(?s)(.+)\n(true|false)\n(.+)\n([0-9a-f]{40,64})\n")
_ENTRY = re.compile(rb"(?s)([0-7]{6}) ([a-z]+) ([0-9a-f]{40,64})\t(.+)")
_MAX_PATHSPECS = 24  # more would be slow: git compares each entry of each tree with each pathspec


class Repository(NamedTuple):
    """A repository with at least one commit, and its work tree."""

    top: Path  # the top folder of the work tree, without symbolic links
    head: bytes  # the full hexadecimal id of the commit that is checked out
    boundary: frozenset[bytes]  # the commits of a shallow clone whose parents git does not have


class RepositoryFinder:
    """Finds repositories. Folders are kept: looking each file up would take seconds."""

    def __init__(self, *, fetch: bool = False) -> None:
        """With `fetch`, the missing history of shallow clones is fetched."""
        self.problems: list[GitProblem] = []
        self._fetch = fetch
        self._folders: dict[str, tuple[Repository | GitProblem, bytes]] = {}
        self._repositories: dict[str, Repository | GitProblem] = {}

    def locate(self, file: str | os.PathLike[str]) -> tuple[Repository | GitProblem, bytes]:
        """Return the repository of a file, or why it has none, and its path there.

        Of a symbolic link, it is the file that it leads to; of one of git-annex, the link itself.
        """
        path = os.fspath(file)
        linked = os.path.islink(path) and not is_annexed(Path(path))  # noqa: PTH114 - a Path takes long
        above, name = os.path.split(os.path.realpath(path) if linked else path)
        repository, folder = self.folder(above or os.curdir)
        return repository, folder + os.fsencode(name)

    def folder(self, folder: str) -> tuple[Repository | GitProblem, bytes]:
        """Return the repository of a folder, and its path there: empty, or with a last slash."""
        if folder not in self._folders:
            real = os.path.realpath(folder)
            repository, path = self._repository(real), b""
            if isinstance(repository, Repository) and real != str(repository.top):
                inside = os.path.relpath(real, repository.top).replace(os.sep, "/")
                path = os.fsencode(f"{inside}/")
            self._folders[folder] = repository, path
        return self._folders[folder]

    def _repository(self, real: str) -> Repository | GitProblem:
        if real not in self._repositories:
            folder = Path(real)
            if not os.path.lexists(folder / ".git") and folder.parent != folder:
                self._repositories[real] = self._repository(str(folder.parent))
            else:
                self._repositories[real] = self._read(folder)
        return self._repositories[real]

    def _read(self, folder: Path) -> Repository | GitProblem:
        if not os.path.lexists(folder / ".git"):
            found = "the files are not in a git repository"
            fix = "Use a clone of the repository with its .git folder."
            return GitProblem(GitCode.NO_REPOSITORY, found, fix)
        try:
            repository = _read(folder)
            if not self._fetch or not repository.boundary:
                return repository
        except GitFailed as failure:
            return problem_of(failure, folder)
        try:
            unshallow(folder)
            whole, why = _read(folder), "no remote has more of the history"
        except GitFailed as failure:
            whole, why = repository, one_line(str(failure))
        if whole == repository:
            found = f"the missing history can't be fetched ({why})"
            self.problems.append(GitProblem(GitCode.FETCH, found))
        return whole


def _read(folder: Path) -> Repository:
    options = ("--show-toplevel", "--is-shallow-repository", "--git-path", "shallow", "HEAD")
    found = _HEAD.fullmatch(output(folder, "rev-parse", *options))
    if found is None:
        raise GitFailed("git rev-parse printed something unexpected")
    top, shallow, file, head = found.groups()
    if not Path(os.fsdecode(top)).is_dir():
        raise GitFailed("core.worktree", GitCode.LOST_WORK_TREE)
    try:
        boundary = (folder / os.fsdecode(file)).read_bytes().split() if shallow == b"true" else ()
    except OSError as error:
        raise GitFailed(f"shallow: {error.strerror}") from error
    return Repository(Path(os.fsdecode(top)), head, frozenset(boundary))


def files_at_head(repository: Repository, pathspecs: Iterable[bytes] = ()) -> dict[bytes, Version]:
    """Return the files that HEAD holds, without those of submodules; raise GitFailed."""
    options = ("-r", "-z", "--full-tree", repository.head)
    printed = output(repository.top, "ls-tree", *options, "--", *pathspecs)
    files = {}
    for entry in printed.split(b"\0")[:-1]:
        if not (found := _ENTRY.fullmatch(entry)):
            raise GitFailed(f"git printed something unexpected: {entry[:80]!r}")
        mode, kind, oid, path = found.groups()
        if kind == b"blob":
            files[path] = mode, oid
    return files


def covering(paths: Iterable[bytes]) -> list[bytes]:
    """Return a few pathspecs that cover these paths, and maybe others; none covers everything."""
    specs = set(paths)
    while len(specs) > _MAX_PATHSPECS:
        depth = max(spec.count(b"/") for spec in specs)
        specs = {spec.rpartition(b"/")[0] if spec.count(b"/") == depth else spec for spec in specs}
    return [] if b"" in specs else sorted(specs)
