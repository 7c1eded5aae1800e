"""Which commits do not date a file, and at which path its history continues before them."""

import hashlib
import os
import re
from collections.abc import Callable, Iterable
from errno import EFBIG, EINVAL, EISDIR
from fnmatch import translate
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import NamedTuple

from .log import LogCommit, RawChange, path_text
from .process import (
    GitBrokeOff,
    GitFailed,
    GitProcess,
    GitUnexpected,
)
from .pulls import Pulls
from .repository import Repository
from .texts import quote
from .values import GitChange, GitCode, GitDate, GitProblem

USUAL_NAME = ".git-blame-ignore-revs"
"""The file of ignored commits that GitHub and others read, at the top of the repository."""

_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_MAX_REVS = 1 << 26  # bytes of a file that lists commits
_REGULAR = b"100"
_NOT_FETCHED = "promisor remote|lazy fetching disabled"
"""Errors of git if a partial clone lacks a blob. Git is not allowed to fetch it."""

_HASHES = {40: "sha1", 64: "sha256"}  # the hash of a repository, by the length of its ids
_MAX_HEADER = 256

_MAX_SPLIT = 1 << 22
"""In a file with more bytes, white space counts: a list of its words would take much memory."""

MISSING_BLOBS = GitProblem(
    GitCode.NO_BLOBS,
    "the clone does not have the content of old files, as after `git clone --filter=blob:none`",
    "Clone without a filter.",
)


def blob_id(data: bytes, length: int) -> str:
    """Return the id of a blob in a repository whose ids have this length, 40 or 64."""
    digest = hashlib.new(_HASHES[length], b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


_EMPTY = frozenset(blob_id(b"", length).encode() for length in _HASHES)
"""The ids of the empty blob. A new empty file is never a renamed one."""


class ContinueAt(NamedTuple):
    """Where a file's history continues in the parent of a commit that does not count."""

    path: bytes | None  # None: the parent lacks the file, so no commit dates it
    why: str  # why the commit does not count, in a few words


SkipRule = Callable[[LogCommit, RawChange], ContinueAt | None]
Body = Callable[[str, bytes], bytes]
"""Returns what counts of a file, by its path and its content."""


class Ignored(NamedTuple):
    """Commits, authors and subjects that never date a page."""

    ids: tuple[bytes, ...] = ()  # of commits, whole or short, in lower case
    authors: re.Pattern[str] | None = None  # matches the whole of `Name <mail>`
    subjects: re.Pattern[str] | None = None  # matches the whole of a subject
    file: str = USUAL_NAME  # the name of the file that lists the commits

    def why(self, commit: LogCommit) -> str | None:
        """Return in a few words why this commit never dates a page; None if it may date one."""
        if commit.oid.startswith(self.ids):
            return f"listed in {self.file}"
        author = commit.author.decode("utf-8", "replace")
        if self.authors and self.authors.fullmatch(author):
            return f"ignored author {author}"
        subject = commit.subject.decode("utf-8", "replace")
        if self.subjects and self.subjects.fullmatch(subject):
            return f"ignored subject {quote(subject)}"
        return None


class RepositoryQuery(NamedTuple):
    """What is asked of one repository: which commits date files, and what counts as a change."""

    repository: Repository
    folders: tuple[bytes, ...]  # below its top, each with `/` at its end; b"": the top
    date: GitDate = GitDate.PUBLISHED
    change: GitChange = GitChange.CONTENT
    ignored: Ignored = Ignored()
    same_body: Callable[[bytes, bytes, bytes], bool] | None = None  # `Blobs.same_body`
    pulls: Pulls | None = None  # None: only the start of git is needed


class Blobs:
    """Compares blobs."""

    def __init__(self, top: Path, body: Body | None) -> None:
        self.missing = False  # whether the clone lacks a blob that was compared
        self._top = top
        self._body_of = body  # None: all of each file counts
        self._running: GitProcess | None = None
        self._unread = bytearray()

    def close(self) -> None:
        """End the process, if one was started."""
        if self._running:
            self._running.stop()

    def same_body(self, path: bytes, one: bytes, other: bytes) -> bool:
        """Whether two blobs of a path, by their ids, have bodies that differ only in white space.

        Raises GitFailed if git can't read one of them.
        """
        bodies = [self._body(path, oid) for oid in (one, other)]
        if None in bodies:
            self.missing = True
            return False  # an unknown difference counts as a change
        return bodies[0] == bodies[1]

    def _body(self, path: bytes, oid: bytes) -> bytes | None:
        """Return the body with white space as single blanks; None if the clone lacks a blob.

        After the first missing blob, no other is read.
        """
        data = None if self.missing else self._content(oid)
        if data is None:
            return None
        text = self._body_of(path_text(path), data) if self._body_of else data
        return b" ".join(text.split()) if len(text) <= _MAX_SPLIT else text

    def _content(self, oid: bytes) -> bytes | None:
        if self._running is None:
            arguments = ("--no-replace-objects", "cat-file", "--batch")
            self._running = GitProcess(self._top, *arguments, stdin=None)
        self._running.write(oid + b"\n")
        try:
            while (end := self._unread.find(b"\n")) < 0:
                if len(self._unread) > _MAX_HEADER:
                    raise GitUnexpected(self._unread)
                self._read_more()
            header = self._take(end)
            if header == oid + b" missing":
                return None
            if (found := re.fullmatch(rb"[0-9a-f]+ blob ([0-9]{1,9})", header)) is None:
                raise GitUnexpected(header)
            data = self._take(int(found[1]))
        except GitFailed as failure:
            if re.search(_NOT_FETCHED, failure.stderr):
                return None
            raise
        if blob_id(data, len(oid)) != oid.decode():
            raise GitUnexpected(data)
        return data

    def _take(self, size: int) -> bytes:
        """Return the next bytes of the output, and drop the newline after them."""
        while len(self._unread) <= size:
            self._read_more()
        data = bytes(self._unread[:size])
        del self._unread[: size + 1]
        return data

    def _read_more(self) -> None:
        if self._running is None or not (piece := self._running.read()):
            raise GitBrokeOff
        self._unread += piece


class Renames:
    """Finds the older name of a file that was renamed and not changed.

    In a rename, one diff to the first parent deletes a path and adds another. Both have the same
    file type and the same blob, which is not empty. Of several deleted paths, one inside the docs
    folders is preferred, then one with the same base name, then the lowest by its bytes. So if a
    diff of only the folders finds a path, the diff of all folders finds the same one.
    """

    def __init__(self, folders: tuple[bytes, ...]) -> None:
        self._folders = folders
        self._indexed: LogCommit | None = None
        self._best: dict[tuple[object, ...], bytes] = {}

    def older_name(self, commit: LogCommit, change: RawChange) -> bytes | None:
        """Return the path before this commit; None if the commit did not rename the file."""
        if not change.added or change.new_oid in _EMPTY:
            return None
        if self._indexed is not commit:
            self._indexed, self._best = commit, self._index(commit.changes)
        for inside in (True, False):
            key = (change.new_oid, change.new_mode[:3], inside)
            path = self._best.get((*key, _base(change.path))) or self._best.get(key)
            if path:
                return path
        return None

    def _index(self, changes: Iterable[RawChange]) -> dict[tuple[object, ...], bytes]:
        """Return the lowest deleted path for each key.

        A key is the blob, the file type, and whether the path is in the folders. Each path
        also has a second key: the same with its base name added.
        """
        best: dict[tuple[object, ...], bytes] = {}
        for change in sorted(change for change in changes if change.deleted):
            inside = change.path.startswith(self._folders)
            key = (change.old_oid, change.old_mode[:3], inside)
            best.setdefault(key, change.path)
            best.setdefault((*key, _base(change.path)), change.path)
        return best


def _base(path: bytes) -> bytes:
    return path.rpartition(b"/")[2]


def skip_rule(
    query: RepositoryQuery, renames: Renames | None, *, sees_all_renames: bool
) -> SkipRule:
    """Return the rule of a walk: a function of a commit and one of its changes.

    The rule returns where the file's history continues; None if the change counts. A file that an
    ignored commit added has no older commit, unless the commit renamed it. If the walk may miss
    renames, the rule returns None for such a file. `follow` then compares the whole trees.
    """
    same_body = query.same_body if query.change is GitChange.BODY else None

    def rule(commit: LogCommit, change: RawChange) -> ContinueAt | None:
        regular = change.old_mode[:3] == change.new_mode[:3] == _REGULAR
        if query.change is not GitChange.ANY:
            if regular and change.old_oid == change.new_oid:
                return ContinueAt(change.path, "mode change")
            if renames and (older := renames.older_name(commit, change)):
                return ContinueAt(older, f"renamed from {path_text(older)}")
        if regular and same_body and same_body(change.path, change.old_oid, change.new_oid):
            return ContinueAt(change.path, "front matter or white space")
        why = query.ignored.why(commit)
        if why is None:
            return None
        if not change.added:
            return ContinueAt(change.path, why)
        may_be_renamed = commit.parents and not sees_all_renames
        return None if may_be_renamed else ContinueAt(None, why)

    return rule


def glob_pattern(globs: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return a pattern that matches what one of these globs matches; None without globs.

    Case is ignored. Only ``*`` and ``?`` are special: names of bots and subjects have brackets. All
    stars but the last are atomic, so the time of a search is not exponential.
    """
    parts = (translate(glob.replace("[", "[[]")) for glob in globs)
    return re.compile("|".join(parts), re.IGNORECASE) if globs else None


def read_ignored_ids(path: Path, named: str | None) -> tuple[tuple[bytes, ...], list[GitProblem]]:
    """Return the ids in a file that lists commits, and what is wrong with it.

    `named` is what the owner calls it; None if nobody named it, and it need not exist.
    """
    problems: list[GitProblem] = []
    ids: set[bytes] = set()
    try:
        lines = read_lines(path)
    except (OSError, ValueError) as error:
        lines = []
        if named:
            why = getattr(error, "strerror", None) or "No file can have this name"
            problem = GitProblem(GitCode.IGNORE_REVS, f"can't be read ({why})", file=named)
            problems.append(problem)
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if re.fullmatch(r"(?i)[0-9a-f]{4,64}", text):
            ids.add(text.lower().encode())
        elif text:
            found = f"{quote(text)} is not the id of a commit"
            problem = GitProblem(GitCode.IGNORE_REVS, found, file=path.name, line=number)
            problems.append(problem)
    return tuple(sorted(ids)), problems


def read_lines(path: Path) -> list[str]:
    """Return the lines of a regular file in UTF-8; raise OSError or ValueError if that fails."""
    _check_regular(os.stat(path))  # noqa: PTH116 - opening a device could do something
    # Opening with these flags does not wait for the other end of a pipe.
    with open(path, "rb", opener=lambda name, _: os.open(name, _FLAGS)) as file:
        _check_regular(os.fstat(file.fileno()))  # another file may have replaced it
        data = file.read(_MAX_REVS + 1)
    if len(data) > _MAX_REVS:
        raise OSError(EFBIG, f"More than {_MAX_REVS >> 20} MiB")
    text = data.decode("utf-8-sig", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _check_regular(status: os.stat_result) -> None:
    if S_ISDIR(status.st_mode):
        raise OSError(EISDIR, os.strerror(EISDIR))
    if not S_ISREG(status.st_mode):
        raise OSError(EINVAL, "Not a regular file")
