"""What ``git log --raw -z`` prints, as commits and their changes."""

import re
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from mkdocs_sitemap_plus.lastmod.git.process import GitBrokeOff, GitUnexpected
from mkdocs_sitemap_plus.lastmod.git.tokens import Stream, tokens

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

_IDS = frozenset((40, 64))
"""The lengths of ids in repositories of SHA-1 and SHA-256."""

_HEADERS = frozenset((98, 99, 146, 147))
"""The lengths of a change's header with such ids, without and with a newline before it."""

_HEADER = re.compile(
    rb"\n?:(?P<old>[0-7]{6}) (?P<new>[0-7]{6}) (?P<ids>[0-9a-f]{40} [0-9a-f]{40}|[0-9a-f]{64} "
    rb"[0-9a-f]{64}) (?P<status>[ADMT])"
)
_SECONDS = re.compile(rb"(-?[0-9]{1,20})?")


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
    end: bytes = b"",
) -> "Iterator[LogCommit]":
    """Read commits, in the order in which git prints them.

    Args:
        stream: git's output. A commit is yielded when the next one begins or the stream has ended
            well, never when it broke off: what is yielded is whole.
        wanted: the paths whose changes are kept. It is asked anew for each change, so it may
            shrink and grow in the meantime.
        parents: how many parents of a commit are kept; None: all.
        renames: where a wanted path is added, keep all deletions of the same commit too. Children
            come before their parents, so that the last commit has none.
        end: what git prints after the last commit; with it, the last commit can be any.

    Raises:
        GitBrokeOff: the stream ended inside of a commit.
        GitUnexpected: it holds something else than commits and changes.
    """
    found = chain.from_iterable(tokens(stream, end))
    commit: LogCommit | None = None
    begun = False  # whether changes of the commit have come
    kept: list[tuple[bytes, bytes]] = []
    for token in found:
        if not token:
            continue
        if (first := token[0]) == _COLON or first == _NEWLINE:
            if (begun and first == _NEWLINE) or commit is None or len(token) not in _HEADERS:
                raise GitUnexpected(token)
            begun = True
            if not (path := next(found, b"")):
                raise GitBrokeOff
            if path in wanted or (renames and (token[-1] == _DELETED or b" 000000 " in token)):
                kept.append((token, path))
        else:
            following = _commit(token, parents)
            if commit:
                yield _with_changes(commit, kept, wanted) if kept else commit
            commit, begun, kept = following, False, []
    if commit:
        if renames and commit.parents and not end:
            raise GitBrokeOff
        yield _with_changes(commit, kept, wanted)


def _commit(line: bytes, parents: int | None) -> LogCommit:
    """A commit without its changes."""
    known, _, author = line.partition(b"\x1f")
    oid, _, rest = known.partition(b" ")
    when, blank, others = rest.partition(b" ")
    there = others.split(b" ") if others else []
    length = len(oid)
    whole = not there or len(others) + 1 == (length + 1) * len(there)
    if length not in _IDS or not blank or not whole:
        raise GitUnexpected(line)
    if not (when.isdigit() and len(when) < 20) and not _SECONDS.fullmatch(when):
        raise GitUnexpected(line)
    return LogCommit(oid, int(when) if when else None, tuple(there[:parents]), (), author)


def _with_changes(
    commit: LogCommit, kept: list[tuple[bytes, bytes]], wanted: "Container[bytes]"
) -> LogCommit:
    return commit._replace(changes=_changes(kept, wanted))


def _changes(kept: list[tuple[bytes, bytes]], wanted: "Container[bytes]") -> tuple[RawChange, ...]:
    """The changes of one commit; deletions of other paths only beside an added path."""
    changes = [_change(header, path) for header, path in kept]
    if any(change.added for change in changes):
        return tuple(changes)
    return tuple(change for change in changes if not change.deleted or change.path in wanted)


def _change(header: bytes, path: bytes) -> RawChange:
    found = _HEADER.fullmatch(header)
    if found is None:
        raise GitUnexpected(header)
    old_mode, new_mode, ids, status = found.groups()
    old_oid, new_oid = ids.split(b" ")
    change = RawChange(path, old_mode, new_mode, old_oid, new_oid, status)
    if (change.added, change.deleted) != (status == b"A", status == b"D"):
        raise GitUnexpected(header)
    return change
