"""What ``git log --raw -z`` prints, as commits and their changes."""

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

RAW = (
    "--raw",
    "-r",
    "-z",
    "--no-abbrev",
    "--no-renames",
    "--no-color",
    "--no-ext-diff",
    "--no-notes",
    "-O/dev/null",
)
"""Options that make ``git log`` and ``git diff-tree`` print what `commits` reads, whatever the
configuration says; ``-O``, since ``diff.orderFile`` may name a file that is not there."""

_ABSENT = b"000000"
_COLON, _NEWLINE, _DELETED = b":\nD"


class Stream(Protocol):
    """Bytes that come by and by."""

    def read(self) -> bytes:
        """The next bytes; none at the end."""


class RawChange(NamedTuple):
    """One line of a raw diff; see "Raw output format" in ``git help diff-tree``.

    Attributes:
        path: relative to the top of the work tree, as the bytes that git keeps.
        old_mode: six octal digits; zeros where the path was added.
        new_mode: six octal digits; zeros where the path was deleted.
        old_oid: the full hexadecimal id of the blob before.
        new_oid: the same after.
        status: a letter: A, D, M or T.
    """

    path: bytes
    old_mode: bytes
    new_mode: bytes
    old_oid: bytes
    new_oid: bytes
    status: bytes

    @property
    def added(self) -> bool:
        """Whether the path was not there before."""
        return self.old_mode == _ABSENT

    @property
    def deleted(self) -> bool:
        """Whether the path is not there any more."""
        return self.new_mode == _ABSENT


class LogCommit(NamedTuple):
    """A commit, and how it differs from its first parent.

    Attributes:
        oid: its full hexadecimal id.
        when: the date that was asked for, in seconds since 1970 in UTC; None if git can't read it.
        parents: the ids of its parents, in order.
        changes: the changes that were asked for, in git's order.
        author: ``Name <mail>``, as git keeps it; empty unless it was asked for.
    """

    oid: bytes
    when: int | None
    parents: tuple[bytes, ...]
    changes: tuple[RawChange, ...]
    author: bytes = b""


def line_format(date: str, *, authors: bool = False) -> str:
    """The option that makes git print a commit as `commits` reads it.

    Args:
        date: the placeholder of the date: ``%ct`` (committer) or ``%at`` (author).
        authors: whether the author is printed, behind a unit separator.
    """
    return f"--format=tformat:%H {date} %P" + ("%x1f%an <%ae>" if authors else "")


def commits(
    stream: Stream,
    wanted: "Container[bytes]",
    *,
    parents: int | None = None,
    renames: bool = False,
) -> "Iterator[LogCommit]":
    """Read commits, in the order in which git prints them.

    Args:
        stream: git's output. A commit is yielded when the next one begins or the stream has ended
            well, never when it broke off: what is yielded is whole.
        wanted: the paths whose changes are kept. It is asked anew for each change, so it may
            shrink and grow in the meantime.
        parents: how many parents of a commit are kept; None: all.
        renames: where a wanted path is added, keep all deletions of the same commit too.
    """
    deleted = _DELETED if renames else None
    tokens = chain.from_iterable(_tokens(stream))
    line = b""
    kept: list[tuple[bytes, bytes]] = []
    for token in tokens:
        if token[0] == _COLON or token[0] == _NEWLINE:
            path = next(tokens)
            if path in wanted or token[-1] == deleted:
                kept.append((token, path))
        else:
            if line:
                yield _commit(line, parents, _changes(kept, wanted) if kept else ())
            line = token
            kept = []
    if line:
        yield _commit(line, parents, _changes(kept, wanted))


def _tokens(stream: Stream) -> "Iterator[list[bytes]]":
    """What stands between NULs, without empty ones, many at a time."""
    rest = b""
    while piece := stream.read():
        *whole, rest = (rest + piece).split(b"\0")
        yield list(filter(None, whole))


def _commit(line: bytes, parents: int | None, changes: tuple[RawChange, ...]) -> LogCommit:
    known, _, author = line.partition(b"\x1f")
    oid, when, *others = known.split(b" ")
    there = tuple(filter(None, others[:parents]))
    return LogCommit(oid, _seconds(when), there, changes, author)


def _seconds(text: bytes) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


def _changes(kept: list[tuple[bytes, bytes]], wanted: "Container[bytes]") -> tuple[RawChange, ...]:
    """The changes of one commit; deletions of other paths only beside an added path."""
    changes = [RawChange(path, *header.lstrip(b"\n:").split(b" ")) for header, path in kept]
    if any(change.added for change in changes):
        return tuple(changes)
    return tuple(change for change in changes if not change.deleted or change.path in wanted)
