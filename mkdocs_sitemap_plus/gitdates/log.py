"""Parse what ``git log --raw -z`` prints: commits and their changes."""

import re
from collections.abc import Container, Iterator
from itertools import chain
from typing import NamedTuple

from .process import GitBrokeOff, GitProcess, GitUnexpected

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
"""Options that make ``git log`` and ``git diff-tree`` print what `commits` reads, whatever is
configured. ``-O`` replaces ``diff.orderFile``, which may name a file that does not exist."""

_MAX_FIELD = 1 << 24  # more bytes than any field has: the longest are messages
_ABSENT = b"000000"
_COLON, _NEWLINE, _DELETED = ord(":"), ord("\n"), ord("D")

ID = rb"[0-9a-f]{40,64}"  # of SHA-1 or SHA-256
_HEADER = rb"\n?:([0-7]{6}) ([0-7]{6}) (%b) (%b) ([ADMT])" % (ID, ID)  # of a raw diff
_HEADER_LENGTHS = 98, 99, 146, 147  # with ids of SHA-1 or SHA-256, without and with the newline
# A line of `line_format`.
_COMMIT = rb"(?s)(%b) (-?[0-9]{1,20})? (%b(?: %b)*)?(?:\x1f([^\n]*)(?:\n(.*))?)?" % (ID, ID, ID)


class RawChange(NamedTuple):
    """One line of a raw diff; see "Raw output format" in ``git help diff-tree``."""

    path: bytes  # relative to the top of the work tree
    old_mode: bytes  # six octal digits
    new_mode: bytes
    old_oid: bytes  # the full id of the blob
    new_oid: bytes
    status: bytes  # A (added), D (deleted), M (modified) or T (other file type)

    @property
    def added(self) -> bool:
        """Whether the path did not exist before the change."""
        return self.old_mode == _ABSENT

    @property
    def deleted(self) -> bool:
        """Whether the path does not exist after the change."""
        return self.new_mode == _ABSENT


class LogCommit(NamedTuple):
    """A commit, and how it differs from its first parent."""

    oid: bytes
    when: int | None  # committer or author date, seconds since 1970 in UTC; None: git can't read it
    parents: tuple[bytes, ...]  # their ids, in order
    changes: tuple[RawChange, ...]  # the wanted ones, in git's order
    author: bytes = b""  # `Name <mail>`; empty if it was not printed
    subject: bytes = b""  # the first line of the message; empty if it was not printed
    # Of a pull: the same commit with its second parent as its only one, and the changes against it.
    pulled: "LogCommit | None" = None


def path_text(path: bytes) -> str:
    """Return a path of git as text; bytes that are not UTF-8 are kept as surrogate escapes."""
    return path.decode("utf-8", "surrogateescape")


def nul_fields(stream: GitProcess, end: bytes = b"") -> Iterator[list[bytes]]:
    """Yield the fields of each read. A NUL ends each field; `end` stands after the last NUL.

    Raises GitBrokeOff if the stream ended inside of a field. Raises GitUnexpected if the stream has
    too few NULs or too many.
    """
    rest, found_any = b"", False
    while piece := stream.read():
        *fields, rest = (rest + piece).split(b"\0")
        if len(rest) > _MAX_FIELD or b"\0\0\0" in piece:
            raise GitUnexpected(rest or piece)
        found_any = found_any or bool(fields)
        yield fields
    if rest != end:
        raise GitBrokeOff if found_any or not rest else GitUnexpected(rest)


def line_format(date: str, *, authors: bool = False, subjects: bool = False) -> str:
    """Return the option that makes git print commits in the format that `commits` reads.

    Before the author stands a unit separator, and before the message a newline, which no author
    has. Without authors, the separator stands before this newline: any other newline is an error.
    The whole message is printed, because git's ``%s`` joins all lines of the first paragraph.
    """
    separator = "%x1f" if authors or subjects else ""
    author, message = "%an <%ae>" if authors else "", "%n%B" if subjects else ""
    return f"--format=tformat:%H {date} %P{separator}{author}{message}"


def commits(
    stream: GitProcess,
    wanted: Container[bytes],
    *,
    renames: bool = False,
    end: bytes = b"",
) -> Iterator[LogCommit]:
    """Yield commits in the order in which git prints them, each when the next one begins.

    A commit has its changes of the `wanted` paths, which the caller may change between two commits.
    With `renames`, a commit that adds a wanted path also has all its deletions. Git must then print
    children first, so that the last commit has no parents, or it must print `end` after the last.

    Raises GitBrokeOff if the stream ended inside of a commit. Raises GitUnexpected if it holds
    anything but commits and changes.
    """
    fields = chain.from_iterable(nul_fields(stream, end))
    commit: LogCommit | None = None
    has_changes = False
    kept: list[tuple[bytes, bytes]] = []
    for field in fields:
        if not field:
            continue
        if (first := field[0]) == _COLON or first == _NEWLINE:  # only a first change has a newline
            misplaced = commit is None or (has_changes and first == _NEWLINE)
            if misplaced or len(field) not in _HEADER_LENGTHS:
                raise GitUnexpected(field)
            has_changes = True
            if not (path := next(fields, b"")):
                raise GitBrokeOff
            # A deletion is known by its status or its mode. `_change` checks that both agree.
            if path in wanted or (renames and (field[-1] == _DELETED or b" 000000 " in field)):
                kept.append((field, path))
        else:
            following = _commit(field)
            if commit:
                yield commit._replace(changes=_changes(kept, wanted)) if kept else commit
            commit, has_changes, kept = following, False, []
    if commit:
        if renames and commit.parents and not end:
            raise GitBrokeOff
        yield commit._replace(changes=_changes(kept, wanted))


def _commit(text: bytes) -> LogCommit:
    """Return a commit without its changes, from its text in the format of `line_format`.

    Raises GitUnexpected if it has another format.
    """
    if (found := re.fullmatch(_COMMIT, text)) is None:
        raise GitUnexpected(text)
    oid, when, parents, author, message = found.groups(b"")
    seconds = int(when) if when else None
    return LogCommit(oid, seconds, tuple(parents.split()), (), author, subject_of(message))


def subject_of(message: bytes) -> bytes:
    """Return the first line of a commit message that is not blank."""
    return message.strip().partition(b"\n")[0].rstrip()


def _changes(kept: list[tuple[bytes, bytes]], wanted: Container[bytes]) -> tuple[RawChange, ...]:
    """Return the changes of one commit; deletions of unwanted paths only if a path was added."""
    changes = tuple(_change(header, path) for header, path in kept)
    if any(change.added for change in changes):
        return changes
    return tuple(change for change in changes if not change.deleted or change.path in wanted)


def _change(header: bytes, path: bytes) -> RawChange:
    found = re.fullmatch(_HEADER, header)
    if found is None:
        raise GitUnexpected(header)
    change = RawChange(path, *found.groups())
    if (change.added, change.deleted) != (change.status == b"A", change.status == b"D"):
        raise GitUnexpected(header)
    return change
