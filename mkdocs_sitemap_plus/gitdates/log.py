"""Read what git prints: commits and their edits, differences to other parents, contents."""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from .git import Git
from .values import GitCode, GitFailed

Body = Callable[[str, bytes], bytes]
"""Returns what counts of a file, by its path and its content."""

Unseen = Callable[[str, Callable[[], Sequence[bytes]]], str]
"""Returns why a change of a file does not count; an empty text if it does.

It takes the absolute path of the file, and a function that reads what it had before the change and
after it, if that is asked for.
"""

RAW = (
    *("--raw", "-r", "-z", "--no-abbrev", "--no-renames", "--no-color", "--no-ext-diff"),
    "-O/dev/null",  # instead of `diff.orderFile`, which may name a file that does not exist
)
"""Options that make git print what `_edits` reads, whatever is configured."""

FORMAT = "--format=tformat:%x00%x00%H {date} %P%x00%B%x00%an <%ae>"
"""Makes git print what `Commit` reads. With git's own NUL, three of them are between commits."""

_SEPARATOR = b"\0\0\0"
_HEADER = re.compile(rb"\n?:(\d{6}) (\d{6}) ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [ADMT]")
_IDS = re.compile(rb"[0-9a-f]{40,64} (-?\d*)(?: [0-9a-f]{40,64})* ?")
_ABSENT = b"000000"  # the mode of a file that does not exist


class Edit(NamedTuple):
    """What a commit did to a file; see "Raw output format" in ``git help diff-tree``."""

    old_mode: bytes
    new_mode: bytes
    old_blob: bytes
    new_blob: bytes

    @property
    def added(self) -> bool:
        """Whether the file did not exist before."""
        return self.old_mode == _ABSENT

    @property
    def deleted(self) -> bool:
        """Whether the file does not exist any more."""
        return self.new_mode == _ABSENT

    @property
    def regular(self) -> bool:
        """Whether it was a regular file, and still is."""
        return self.old_mode[:3] == self.new_mode[:3] == b"100"


Edits = dict[bytes, Edit]  # by path


def _edits(fields: list[bytes]) -> Edits:
    """Return the edits in fields that git printed: a header, its path, and so on."""
    edits = {}
    for header, path in zip(fields[::2], fields[1::2], strict=True):
        if (found := _HEADER.fullmatch(header)) is None:
            raise GitFailed(f"git printed something unexpected: {header!r}")
        edits[path] = Edit(*found.groups())
    return edits


class Commit:
    """A commit that git printed."""

    def __init__(self, printed: bytes) -> None:
        """Read what is needed of every commit."""
        self._ids, self._message, self._author, *self._fields = printed.split(b"\0")
        self.oid, _, *parents = self._ids.split(b" ")
        self.parents = [*filter(None, parents)]
        self.paths = self._fields[1::2]  # the files that differ from the first parent

    @cached_property
    def edits(self) -> Edits:
        """How the commit differs from its first parent."""
        return _edits(self._fields)

    @property
    def when(self) -> int:
        """Its date in seconds since 1970; 0 if git can't read it."""
        if not (found := _IDS.fullmatch(self._ids)):
            raise GitFailed(f"git printed something unexpected: {self._ids!r}")
        return int(found[1] or 0)

    @property
    def author(self) -> str:
        """``Name <mail>``."""
        return self._author.decode("utf-8", "replace")

    @property
    def subject(self) -> str:
        """The first line of the message."""
        return subject_of(self._message)


def subject_of(message: bytes) -> str:
    """Return the first line of a message."""
    return message.strip().partition(b"\n")[0].rstrip().decode("utf-8", "replace")


def commits(log: Git) -> Iterator[Commit]:
    """Yield the commits of ``git log`` as it prints them."""
    unread = bytearray(b"\0")  # it always begins with a separator
    while piece := log.read():
        start = max(1, len(unread) - len(_SEPARATOR))
        unread += piece
        if not unread.startswith(_SEPARATOR):
            raise GitFailed(f"git printed something unexpected: {bytes(piece[:80])!r}")
        end = unread.rfind(_SEPARATOR, start)
        if end > 0:
            yield from map(Commit, bytes(unread[len(_SEPARATOR) : end]).split(_SEPARATOR))
            del unread[:end]
    last = Commit(bytes(unread[len(_SEPARATOR) : -1]))
    if last.parents or not unread.endswith(b"\0"):  # children come first
        raise GitFailed("git ended in the middle of its output")
    yield last


class Diffs:
    """Compares commits with any of their parents. One process answers all questions."""

    def __init__(self, top: Path, pathspecs: Iterable[bytes]) -> None:
        """Start git."""
        self.git = Git(top, "diff-tree", "--stdin", "--root", *RAW, "--", *pathspecs, stdin=True)
        # Git prints a line that names no commit as it is. No path can have this one.
        self._end = b"end %s\n" % os.urandom(8).hex().encode()
        self.edits = lru_cache(maxsize=4)(self._edits)

    def _edits(self, commit: bytes, parent: bytes) -> Edits:
        """Return how a commit differs from a parent; from nothing, if that is empty."""
        self.git.ask(b"%s\n%s" % (b" ".join(filter(None, (commit, parent))), self._end))
        printed = b""
        while not printed.endswith(self._end):
            printed += self.git.line()
        return _edits(printed.split(b"\0")[1:-1])


class Blobs:
    """Reads what files had. One process reads all of them."""

    def __init__(self, top: Path) -> None:
        """Read nothing yet: git starts with the first question."""
        self._top = top
        self._git: Git | None = None
        self._lacks_some = False  # as a partial clone does. Then no other is read.

    def read(self, *blobs: bytes) -> list[bytes]:
        """Return these contents. Raise GitFailed with NO_BLOBS if the clone lacks one of any."""
        if not self._lacks_some:
            try:
                return [*map(self._read, blobs)]
            except GitFailed as failure:
                if failure.code is not GitCode.NO_TREES:  # objects of a partial clone
                    raise
                self._lacks_some = True
        raise GitFailed("the clone lacks old contents", GitCode.NO_BLOBS)

    def _read(self, blob: bytes) -> bytes:
        words = ("--no-replace-objects", "cat-file", "--batch")
        self._git = self._git or Git(self._top, *words, stdin=True)
        self._git.ask(blob + b"\n")
        header = self._git.line()
        if header.endswith(b" missing\n"):
            raise GitFailed("missing", GitCode.NO_TREES)
        return self._git.content(int(header.split()[-1]))

    def stop(self) -> None:
        """End git, if anything was read."""
        if self._git:
            self._git.stop()


def path_text(path: bytes) -> str:
    """Return a path of git as text; bytes that are not UTF-8 are kept as surrogate escapes."""
    return path.decode("utf-8", "surrogateescape")
