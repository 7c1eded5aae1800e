"""Find the repositories of files, list the files at HEAD, and keep what was read of it.

A server that builds a site again and again has a new `GitDates` each time. But a date changes only
if HEAD does, so what was read of one HEAD stays in `_heads`.
"""

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from .log import ID, nul_fields
from .process import (
    GitBrokeOff,
    GitFailed,
    GitMissing,
    GitProcess,
    GitUnexpected,
    output,
)
from .texts import printable, shorten
from .values import Change, GitCode, GitProblem, NoDate

Versions = dict[bytes, tuple[bytes, bytes]]
"""Mode and blob of files, as git prints them, by path relative to the top."""

_Path = TypeVar("_Path", bound=str | os.PathLike[str])
_Dates = dict[bytes, Change | NoDate]  # by path: the commit that dates a file, or why none does

_MAX_HEADS = 64

_INSTALL = "Install git 2.31 or newer."

# One line for each option of `_read`, and one for HEAD. These patterns are compiled when they are
# needed: importing the plugin should be quick.
_REV_PARSE = (
    rb"(?s)(?P<prefix>|.*/)\n(?P<shallow>true|false)\n(?P<path>.*shallow)\n(?P<head>%b)\n" % ID
)
_ENTRY = rb"(?s)(?P<mode>[0-7]{6}) (?P<type>blob|commit) (?P<oid>%b)\t(?P<path>.+)" % ID


class Repository(NamedTuple):
    """A repository with at least one commit, and its work tree."""

    top: Path  # the top folder of the work tree, without symbolic links
    head: bytes  # the full hexadecimal id of the commit that is checked out
    boundary: frozenset[bytes]  # the commits of a shallow clone whose parents git does not have


def repository_of(top: Path) -> Repository | GitProblem:
    """Return the repository of the ``.git`` in the real path `top`, or why there is none."""
    if not _is_top(top):
        return GitProblem(
            GitCode.NO_REPOSITORY,
            "the files are not in a git repository",
            "Use a clone of the repository with its .git folder.",
        )
    try:
        return _read(top)
    except GitFailed as failure:
        return problem_of(failure, top)


def _read(top: Path) -> Repository:
    """Read a repository with one call of git.

    For a shallow clone, also read git's ``shallow`` file, which has one id per line.
    """
    options = ("--show-prefix", "--is-shallow-repository", "--git-path", "shallow", "HEAD")
    printed = output(top, "rev-parse", *options)
    found = re.fullmatch(_REV_PARSE, printed)
    if found is None:
        raise GitUnexpected(printed)
    if found["prefix"]:  # git did not use this `.git`, but one in a folder above
        raise GitFailed(None, "fatal: not a git repository", "rev-parse")
    boundary: list[bytes] = []
    if found["shallow"] == b"true":
        try:
            boundary = (top / os.fsdecode(found["path"])).read_bytes().split()
        except OSError as error:
            raise GitFailed(None, f"error: shallow: {error.strerror}", "rev-parse") from error
    if invalid := next((line for line in boundary if not re.fullmatch(ID, line)), None):
        raise GitUnexpected(invalid)
    return Repository(top=top, head=found["head"], boundary=frozenset(boundary))


class _Folder(NamedTuple):
    """A folder, and where it lies in its repository."""

    real: str  # its path without symbolic links
    repository: Repository | GitProblem
    prefix: bytes  # its path in the repository, with `/` at its end; empty for the top
    links: Mapping[str, str]  # the real paths of the symbolic links in it, by their names


class Located(NamedTuple, Generic[_Path]):
    """The repositories of files."""

    paths: Mapping[Repository, Mapping[_Path, bytes]]  # relative to the top, as git keeps them
    outside: Mapping[_Path, tuple[str, GitProblem]]  # the real folder, and why it has no repository


class RepositoryFinder:
    """Finds repositories. Each folder is looked up only once: a lookup for each file takes seconds.

    With `fetch`, the missing history of shallow clones is fetched.
    """

    def __init__(self, *, fetch: bool) -> None:
        self._fetch = fetch
        self._folders: dict[str, _Folder] = {}
        self._repositories: dict[str, Repository | GitProblem] = {}
        self.problems: list[GitProblem] = []  # why histories can't be fetched

    def locate(self, files: Iterable[_Path]) -> Located[_Path]:
        """Return the repositories of files; of a symbolic link, that of its target."""
        paths: dict[Repository, dict[_Path, bytes]] = defaultdict(dict)
        outside: dict[_Path, tuple[str, GitProblem]] = {}
        for file in files:
            path: str | os.PathLike[str] = file
            above, name = os.path.split(os.fspath(path))
            folder = self._folder(above or os.curdir)
            if target := folder.links.get(name):
                above, name = os.path.split(target)
                folder = self._folder(above)
            if isinstance(folder.repository, Repository):
                paths[folder.repository][file] = folder.prefix + os.fsencode(name)
            else:
                outside[file] = folder.real, folder.repository
        return Located(paths, outside)

    def repository(self, folder: str) -> Repository | GitProblem:
        """Return the repository of a folder, given by its real path, or why there is none."""
        if folder not in self._repositories:
            above = os.path.dirname(folder)  # noqa: PTH120 - strings: there are many folders
            if above != folder and not _is_top(folder):
                self._repositories[folder] = self.repository(above)
            else:
                self._repositories[folder] = self._read(Path(folder))
        return self._repositories[folder]

    def _read(self, folder: Path) -> Repository | GitProblem:
        found = repository_of(folder)
        if not self._fetch or not isinstance(found, Repository) or not found.boundary:
            return found
        # With --filter, the clone would become a partial one. Maintenance would outlive the fetch.
        options = ("--unshallow", "--no-recurse-submodules", "--no-auto-maintenance")
        try:
            output(found.top, "fetch", "--quiet", *options, network=True)
        except GitFailed as failure:
            why = reason_of(failure, found.top)
        else:
            whole = repository_of(found.top)
            if whole != found:
                return whole
            why = "no remote has more of the history"  # git reports no error then
        what = f"the missing history can't be fetched ({why})"
        self.problems.append(GitProblem(GitCode.FETCH, what))
        return found

    def _folder(self, path: str) -> _Folder:
        if path not in self._folders:
            real = os.path.realpath(path)
            found = self.repository(real)
            inside = relative(real, found.top) if isinstance(found, Repository) else b""
            prefix = inside + b"/" if inside else b""
            self._folders[path] = _Folder(real, found, prefix, _links(path))
        return self._folders[path]


def _links(folder: str) -> dict[str, str]:
    """Return the real paths of the symbolic links in a folder, by their names."""
    try:
        with os.scandir(folder) as entries:
            links = [entry for entry in entries if entry.is_symlink()]
            return {link.name: os.path.realpath(link.path) for link in links}
    except OSError:  # it does not exist, or can't be read
        return {}


def relative(real: str, top: Path) -> bytes:
    """Return a real path as git keeps it: relative to the top of its repository, with ``/``."""
    return os.fsencode(real.removeprefix(str(top)).lstrip(os.sep).replace(os.sep, "/"))


def files_at_head(repository: Repository, pathspecs: Iterable[bytes]) -> Versions:
    """Return the files at HEAD that these pathspecs cover; without pathspecs, all files.

    Submodules are left out. Raises GitFailed if git can't read HEAD's trees.
    """
    found = {}
    options = ("-r", "-z", "--full-tree", repository.head)
    with GitProcess(repository.top, "ls-tree", *options, "--", *pathspecs) as printed:
        for field in chain.from_iterable(nul_fields(printed)):
            if (entry := re.fullmatch(_ENTRY, field)) is None:
                raise GitUnexpected(field)
            if entry["type"] == b"blob":
                found[entry["path"]] = entry["mode"], entry["oid"]
    return found


def url_of_remote(top: Path, name: str = "origin") -> str:
    """Return the URL of a remote, the first of several; empty if there is none."""
    try:
        printed = output(top, "config", "--local", "--get-all", f"remote.{name}.url")
    except GitFailed:
        return ""
    return printed.decode("utf-8", "replace").partition("\n")[0]


def reason_of(failure: GitFailed, top: Path) -> str:
    """Return in one line git's first error. Without an error: its last line, or how it ended."""
    # Names that contain the path of the folder stay, such as /docs2 and /docs.old of /docs.
    own_path = rf"(?<![\w./\]-]){re.escape(str(top))}(?![\w-]|\.\w)"
    lines = re.sub(own_path, ".", failure.stderr).splitlines()
    errors = [line for line in lines if line.startswith(("fatal:", "error:"))]
    text = next((line.strip() for line in (*errors, *reversed(lines)) if line.strip()), "")
    if not text and failure.code is not None:
        killed = failure.code < 0
        text = f"killed by signal {-failure.code}" if killed else f"exit status {failure.code}"
    return shorten(printable(text))


def problem_of(failure: GitFailed, top: Path, *, partial: bool = False) -> GitProblem:
    """Return what a failure of git in the repository at `top` means, and the fix."""
    reason, stderr = reason_of(failure, top), failure.stderr
    error = next((row for row in _ERRORS if re.search(row[0], stderr, re.MULTILINE)), None)
    if isinstance(failure, GitMissing):
        found = "the git program can't be run" + (f" ({reason})" if reason else "")
        code, fix = GitCode.NO_GIT, _INSTALL
    elif error:
        import shlex  # noqa: PLC0415 - rare

        _, code, found, fix = error
        # Git's own advice may name a different folder than the top; git has quoted it.
        advice = re.search(r"safe\.directory (.+)$", stderr, re.MULTILINE)
        folder = advice[1] if advice else shlex.quote(str(top))
        fix = fix.replace("TOP", printable(folder))
    elif isinstance(failure, (GitBrokeOff, GitUnexpected)):
        code, found = GitCode.GIT_FAILED, reason
        fix = "Check which program runs as `git`, and run `git fsck`."
    else:
        code, fix = GitCode.GIT_FAILED, "Run `git fsck` in the repository."
        found = f"git can't read the repository (git {failure.command}: {reason})"
    return GitProblem(code, found, fix, partial=partial)


_ERRORS = (
    (
        r"dubious ownership|unsafe repository",
        GitCode.UNSAFE_REPOSITORY,
        "git refuses to read the repository, because it belongs to another user",
        "Run `git config --global --add safe.directory TOP` before the build.",
    ),
    (
        r"ambiguous argument 'HEAD'",
        GitCode.NO_COMMITS,
        "the git repository has no commits",
        "Commit the files.",
    ),
    (
        r"unknown value for --|unrecognized argument|^[Uu]nknown option|^usage: git|--is-shallow",
        GitCode.OLD_GIT,
        "git is older than 2.31",
        _INSTALL,
    ),
    (
        r"promisor remote|lazy fetching disabled|not a tree object|unable to read tree",
        GitCode.NO_TREES,
        "the clone has no folders of older commits, as after `git clone --filter=tree:0`",
        "Run `git fetch --refetch --filter=blob:none`, or clone with `--filter=blob:none`.",
    ),
    (
        r"not a git repository",
        GitCode.BROKEN_REPOSITORY,
        "git can't read the .git of the repository",
        "If the repository was moved, run `git worktree repair` or `git submodule update --init`.",
    ),
)
"""For each error of git: its pattern, and the code, `found` and `fix` of the problem."""


def _is_top(folder: Path | str) -> bool:
    return os.path.lexists(f"{folder}{os.sep}.git")


class Head:
    """What was read of the commit at HEAD. Paths are relative to the top."""

    def __init__(self, key: object) -> None:
        self.key = key  # everything that the dates depend on
        self.listed = False  # whether `versions` has all files of the folders
        self.versions: dict[bytes, tuple[bytes, bytes] | None] = {}  # mode and blob; None: not held
        self.dates: _Dates = {}


_heads: dict[Path, Head] = {}


def head_of(top: Path, key: object) -> Head:
    """Return what was read of a repository's HEAD; a new `Head` if the key has changed."""
    if top not in _heads or _heads[top].key != key:
        if len(_heads) >= _MAX_HEADS:
            _heads.clear()
        _heads[top] = Head(key)
    return _heads[top]
