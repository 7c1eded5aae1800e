"""Follow each file from HEAD through the history to the commit that changed it last.

Each file has a cursor. It stops where ``git log -1 -- PATH`` stops (see "History Simplification" in
``git help log``): if a parent of a commit has the same file, the cursor continues at the first such
parent; otherwise the commit is the file's last change.

Diffs to the first parent are enough. If such a diff does not list a file, the file is the same in
the first parent. If the diff of a merge lists the file, another parent may still have the same
file. To find out, the walk begins at that parent, and goes along first parents until a commit lists
the file. That commit left the file as it is in the parent. If the merge has the same version, the
cursor continues at that commit, since no commit on the way changed the file.

Printed commits are kept, so their order does not matter, even if their dates are wrong. There is
one exception: see `Walk` on older names.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple, cast

from .log import LogCommit, RawChange, path_text
from .process import GitUnexpected
from .rules import SkipRule

OlderName = Callable[[LogCommit, RawChange], bytes | None]


class Cursor(NamedTuple):
    """The position of a file in the history."""

    page: bytes  # its path at HEAD
    path: bytes  # its path at this position
    version: tuple[bytes, bytes]  # its mode and blob here; the mode is empty if it is unknown
    skipped: tuple[tuple[bytes, str], ...] = ()  # commits that do not count, and why; newest first

    def at_parent(self, commit: LogCommit, change: RawChange, path: bytes, why: str) -> "Cursor":
        """Return the cursor at the parent of a commit whose change does not count."""
        older = change.old_mode, change.old_oid
        version = (b"", change.new_oid) if change.added else older  # a rename keeps the blob
        return Cursor(self.page, path, version, (*self.skipped, (commit.oid, why)))

    def after_pull(self, pull: bytes) -> "Cursor":
        """Return the cursor at the second parent of a pull, which has the same file."""
        path = shlex.quote(path_text(self.path))
        before = f"git log -1 --first-parent {pull.decode()[:10]}^2 -- {path}"
        why = f"it only merged the change (git pull), which `{before}` dates"
        return self._replace(skipped=(*self.skipped, (pull, why)))


class Stop(NamedTuple):
    """The commit at which a cursor stopped, and its change of the file against its first parent.

    Of a pull, the commit is its `pulled`, whose only parent is the second one.

    The commit dates the file if `ignored` is None. Otherwise `ignored` says why it does not, and no
    older commit has the file.
    """

    cursor: Cursor
    commit: LogCommit
    change: RawChange
    ignored: str | None = None


class ParentQuery(NamedTuple):
    """The question whether a parent of a merge has the same file as the merge.

    If it has, the merge did not change the file, and the cursor continues at that parent. `parent`
    is the index of the parent. `change` is the merge's change of the file against its first parent.
    """

    cursor: Cursor
    merge: LogCommit
    change: RawChange
    parent: int


_Waiting = dict[bytes, list[Cursor | ParentQuery]]
"""The cursors and queries that wait for the next change of a path, by this path."""


class Walk:
    """One walk over printed commits.

    A cursor that continues at an older name needs the changes of this name in all older commits.
    The name is wanted only after the commit of the rename is read. So if the walk looks for
    renames, git must print children before their parents.
    """

    def __init__(
        self, starts: Mapping[bytes, Iterable[Cursor]], rule: SkipRule, older_name: OlderName
    ) -> None:
        """Place each cursor at the commit at which it starts. `starts` has the ids of the commits.

        `older_name` returns the older name at which `rule` may continue; None if there is none.
        """
        self.wanted: set[bytes] = set()  # the paths whose changes still matter, for `log.commits`
        self.left = 0  # how many cursors have not stopped
        self._rule = rule
        self._older_name = older_name
        self._older_names: set[bytes] = set()  # wanted to the end: more cursors may get to them
        self._printed: dict[bytes, LogCommit] = {}
        self._waiting: dict[bytes, _Waiting] = {}  # by commit
        self._again: list[bytes] = []  # printed commits that a cursor or query came to later
        self._found: list[Stop] = []
        for oid, cursors in starts.items():
            for cursor in cursors:
                self.wanted.add(cursor.path)
                if cursor.skipped:
                    self._older_names.add(cursor.path)
                self.left += 1
                self._place(oid, {cursor.path: [cursor]})

    def stops(self, commits: Iterable[LogCommit]) -> Iterator[Stop]:
        """Yield where cursors stop, until the commits end or every cursor has stopped.

        Raises GitUnexpected if a change does not result in the version at the cursor.
        """
        if not self.left:
            return
        for commit in commits:
            self._printed[commit.oid] = commit
            views = (commit, commit.pulled) if commit.pulled else (commit,)
            found = (self._older_name(view, change) for view in views for change in view.changes)
            names = set(filter(None, found))
            self._older_names |= names
            self.wanted |= names
            self._visit(commit)
            while self._again:
                self._visit(self._printed[self._again.pop()])
            if self._found:
                yield from self._found
                self._found.clear()
                if not self.left:
                    return

    def _visit(self, commit: LogCommit) -> None:
        """Handle the cursors and queries at a printed commit.

        Those for whose file it has no change go on to the first parent of the commit.
        """
        waiting = self._waiting.pop(commit.oid, None)
        if waiting is None:
            return
        if commit.pulled:
            waiting = self._pass_pull(commit, commit.pulled, waiting)
        for change in commit.changes:
            for waiter in waiting.pop(change.path, ()):
                if isinstance(waiter, Cursor):
                    self._changed(waiter, commit, change)
                else:
                    self._answer(waiter, commit, change)
        if commit.parents:
            self._place(commit.parents[0], waiting)
            return
        for waiter in chain.from_iterable(waiting.values()):
            if isinstance(waiter, ParentQuery):  # the queried parent does not have the file
                self._query_next(waiter)

    def _pass_pull(self, pull: LogCommit, pulled: LogCommit, waiting: _Waiting) -> _Waiting:
        """Let cursors go on at the second parent if it has the same file. Return the others.

        The pull changed a file that is different in both of its parents. It counts as a change of
        what was published, which is the second parent.
        """
        # Commits on lines have one parent, so there are no queries.
        cursors_at = cast("dict[bytes, list[Cursor]]", waiting)
        others: _Waiting = {}
        local = {change.path for change in pull.changes}
        for change in pulled.changes:
            if not (cursors := cursors_at.pop(change.path, None)):
                continue
            if change.path not in local:
                others[change.path] = [*cursors]
                continue
            for cursor in cursors:
                self._changed(cursor, pulled, change)
        for path in local & cursors_at.keys():  # along first parents alone, the pull would count
            cursors_at[path] = [cursor.after_pull(pull.oid) for cursor in cursors_at[path]]
        self._place(pulled.parents[0], waiting)
        return others

    def _changed(self, cursor: Cursor, commit: LogCommit, change: RawChange) -> None:
        mode, oid = cursor.version
        if change.new_oid != oid or mode not in (b"", change.new_mode):  # git left out a change
            raise GitUnexpected(b"%s %s %s" % (change.new_mode, change.new_oid, change.path))
        self._query_next(ParentQuery(cursor, commit, change, 0))

    def _answer(self, query: ParentQuery, commit: LogCommit, change: RawChange) -> None:
        """Answer a query: the queried parent has the version that results from `change`."""
        in_merge = query.change
        if (change.new_mode, change.new_oid) == (in_merge.new_mode, in_merge.new_oid):
            self._changed(query.cursor, commit, change)
        else:
            self._query_next(query)

    def _query_next(self, query: ParentQuery) -> None:
        """Query the next parent of the merge. After the last one, the merge changed the file."""
        parent = query.parent + 1
        if parent < len(query.merge.parents):
            following = query._replace(parent=parent)
            self._place(query.merge.parents[parent], {query.cursor.path: [following]})
        else:
            self._stop_or_continue(query.cursor, query.merge, query.change)

    def _stop_or_continue(self, cursor: Cursor, commit: LogCommit, change: RawChange) -> None:
        """Stop at the commit that changed the file, unless its change does not count."""
        at = self._rule(commit, change)
        if at and at.path is not None:
            older = cursor.at_parent(commit, change, at.path, at.why)
            self._place(commit.parents[0], {at.path: [older]})
            return
        self.left -= 1
        if cursor.path not in self._older_names:
            self.wanted.discard(cursor.path)
        self._found.append(Stop(cursor, commit, change, at.why if at else None))

    def _place(self, oid: bytes, these: _Waiting) -> None:
        """Let cursors and queries wait at a commit; if it is printed already, visit it again."""
        if not these:
            return
        there = self._waiting.setdefault(oid, these)
        if there is not these:
            few, many = sorted((these, there), key=len)  # merging many into few would be quadratic
            for path, waiting in few.items():
                many.setdefault(path, []).extend(waiting)
            self._waiting[oid] = many
        if oid in self._printed:
            self._again.append(oid)
