"""Follow files from HEAD through the history to the commits that changed them last.

Git prints each commit before its parents, with its edits against the first parent. Each file has a
cursor, which waits at a commit until this commit is printed. If the commit did not edit the file,
the cursor goes on at the first parent. Otherwise another parent of a merge may have the same file,
and the cursor goes on there (see "History Simplification" in ``git help log``). If none has, the
commit changed the file: it dates the file, unless it does not count.

With ``date=published``, a commit has one parent, the commit that was published before it (see
`line`), and cursors never leave this line. Git is asked for first parents only. Where the line
leaves them for the first time, git is asked again, for the whole history behind that merge.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from .git import Git
from .line import Line, Trail
from .log import Blobs, Commit, Diffs, Edit, Edits, commits, path_text
from .query import Ignored, Query, glob_pattern, is_glob
from .repository import Version, covering
from .values import GitChange, GitCode, GitDate, GitFailed, GitReason


def touched_by_ids(top: Path, ids: Iterable[bytes]) -> frozenset[bytes]:
    """Return the files that these commits changed, by their whole ids, and maybe other texts."""
    words = ("--stdin", "--root", "-r", "-z", "--name-only", "--no-renames")
    with Git(top, "diff-tree", *words, stdin=True) as git:
        git.ask(b"\n".join((*ids, b"")))
        git.end_questions()
        return frozenset(b"".join(iter(git.read, b"")).split(b"\0"))


class MergedCommit(NamedTuple):
    """A commit that a merge of the published line brought."""

    commit: bytes
    parent: bytes  # empty: it has none
    why: str  # it is ignored; an empty text if it is not


def brought_by_merges(
    history: Iterable[Commit], line: Line, ignored: Ignored, boundary: frozenset[bytes]
) -> dict[bytes, list[MergedCommit]]:
    """Return what merges of the line brought, but for other merges, if anything of it is ignored.

    A side that a shallow clone cuts off, at the `boundary`, may have anything.

    `history` are all commits behind HEAD, children first. A merge brought what it reaches, but the
    commit of the line before it does not. So each commit beside the line belongs to the oldest
    commit of the line that reaches it.
    """
    brought: list[list[MergedCommit]] = []  # by commits of the line, newest first
    owners: dict[bytes, int] = {}  # of commits that are still to come: a place in this list
    merges: list[bytes] = []
    after: bytes | None = None
    for commit in history:
        parents = commit.parents
        owner = owners.pop(commit.oid, -1)
        if not merges or commit.oid == after:
            owner, after = len(merges), line.before(commit)
            merges.append(commit.oid)
            brought.append([])
            parents = [parent for parent in parents if parent != after]
        elif owner < 0:
            raise GitFailed("git printed a commit before its children")
        elif len(parents) < 2:
            why = ignored.why(commit) or ""
            brought[owner].append(MergedCommit(commit.oid, b"".join(parents), why))
        for parent in parents:
            owners[parent] = max(owners.get(parent, 0), owner)
    sides = zip(merges, brought, strict=True)
    return {
        merge: side
        for merge, side in sides
        if any(each.why or each.commit in boundary for each in side)
    }


class MergedSides:
    """Tells of the merges of a line that brought ignored commits what else they brought."""

    def __init__(
        self,
        query: Query,
        line: Line,
        diff: Callable[[bytes, bytes, Sequence[bytes]], Edits],
        noted: Callable[[Iterable[Commit]], Iterable[Commit]],
    ) -> None:
        """Read nothing yet. `diff` compares two commits, and `noted` sees all commits."""
        self._query, self._line, self._diff, self._noted = query, line, diff, noted
        # Why commits are ignored, and their edits, by the merge that brought them, and by file.
        self._brought: dict[
            tuple[bytes, tuple[bytes, ...]], defaultdict[bytes, list[tuple[str, Edit]]]
        ] = {}

    def only_ignored(
        self, merge: Commit, path: bytes, pathspecs: Sequence[bytes], unseen: Callable[[Edit], str]
    ) -> str | None:
        """Return why a merge brought nothing of a file that counts, if it did not.

        An empty text if it did; None if a shallow clone does not tell. `unseen` says why an edit of
        the file does not count.
        """
        boundary = self._query.repository.boundary
        if self._touched is not None and path not in self._touched:
            return ""
        side = self._by_merge.get(merge.oid, [])
        if any(each.commit in boundary for each in side):
            return None
        key = merge.oid, tuple(pathspecs)
        if side and key not in self._brought:
            self._brought[key] = defaultdict(list)
            for each in side:
                for changed, edit in self._diff(each.commit, each.parent, pathspecs).items():
                    self._brought[key][changed].append((each.why, edit))
        edits = self._brought[key].get(path, []) if side else []
        ignored = next((why for why, _ in edits if why), "")
        if ignored and all(why or unseen(edit) for why, edit in edits):
            return f"it merged nothing that counts ({ignored})"
        return None if boundary and ignored else ""

    @cached_property
    def _touched(self) -> frozenset[bytes] | None:
        """The files that ignored commits changed; None if only all of the history tells it."""
        ids, patterns = self._query.ignored.ids, self._query.ignored.patterns
        repository = self._query.repository
        is_known = not (patterns or repository.boundary) and all(
            len(oid) in (40, 64) for oid in ids
        )
        return touched_by_ids(repository.top, ids) if is_known else None

    @cached_property
    def _by_merge(self) -> Mapping[bytes, list[MergedCommit]]:
        """What merges of the line brought, if anything of it is ignored."""
        query = self._query
        with query.graph() as graph:
            history, boundary = self._noted(commits(graph)), query.repository.boundary
            return brought_by_merges(history, self._line, query.ignored, boundary)


_EMPTY = (  # the empty blob, by SHA-1 and SHA-256: a new empty file is never a renamed one
    b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    b"473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)
_BROKE_OFF = "git ended in the middle of its output"


class Cursor(NamedTuple):
    """The position of a file in the history."""

    file: bytes  # its path at HEAD
    path: bytes  # its path at this position
    version: Version  # its mode and blob at this position
    skipped: tuple[tuple[bytes, str], ...] = ()  # commits that do not count, and why; newest first

    def past(self, commit: Commit, why: str) -> "Cursor":
        """Return the cursor behind a commit that does not count."""
        return self._replace(skipped=(*self.skipped, (commit.oid, why)))


_Cursors = dict[bytes, list[Cursor]]  # by path


class FileChange(NamedTuple):
    """The commit that changed a file last."""

    cursor: Cursor
    commit: Commit
    added: bool
    ignored: str | None = None  # why it does not date the file; no older commit has the file
    hidden: GitReason | None = None  # how the clone lacks what tells where the file goes on
    note: str = ""  # a clause on the merges that the line passed, where plain git says another date
    before: bytes = b""  # with which the commit was compared; empty if there is none


class Walk:
    """One walk through the history of a repository."""

    def __init__(self, query: Query, line: Line, log: Git | None = None) -> None:
        """Read nothing yet. `log` is that of the query, if it runs already."""
        self._query, self._log = query, log
        self._patterns = {each: glob_pattern(each[1]) for each in query.ignored.patterns}
        self.unmatched = {*self._patterns}  # of the owner, as far as git was read
        # Commits that a pattern fits only in a part: until 0.11 they were not ignored.
        self.matched_inside = defaultdict[tuple[str, str], set[bytes]](set)
        self._left = 0  # how many files have not stopped
        self._line = line if query.date is GitDate.PUBLISHED else None
        self._start = query.repository.head  # with a line, the newest commit with a cursor
        self._trail: Trail | None = None  # of the line, once it has left HEAD's first parents
        self._marks: dict[bytes, tuple[bytes, bytes]] = {}  # `first` and `merge` of trails
        self._sides: MergedSides | None = None  # of merges, once it matters what is ignored there
        self._pathspecs = query.pathspecs  # what the log covers; nothing: everything
        self._waiting: defaultdict[bytes, _Cursors] = defaultdict(dict)  # by commit
        self._elsewhere = self._waiting.copy()  # at paths that the log does not cover
        self._diffs: dict[tuple[bytes, ...], Diffs] = {}  # by pathspecs
        self._blobs = Blobs(query.repository.top)
        self._deleted = lru_cache(maxsize=1)(self._deletions)

    def stops(self, files: Mapping[bytes, Version]) -> Iterator[FileChange]:
        """Yield where these files of HEAD stop; raise GitFailed if git fails."""
        self._left, head = len(files), self._query.repository.head
        for file, version in files.items():
            inside = file.startswith(self._query.folders)
            waiting = self._waiting if inside else self._elsewhere
            waiting[head][file] = [Cursor(file, file, version)]
        try:
            while self._left:
                if not self._waiting:
                    self._look_elsewhere()
                with self._next_log() as log:
                    yield from self._read(log)
        finally:
            for diffs in self._diffs.values():
                diffs.git.stop()
            self._blobs.stop()

    def _next_log(self) -> Git:
        """Let git print the commits at which cursors wait, and those behind them."""
        log, self._log = self._log, None
        if self._line and self._trail:
            first, merge = self._marks.get(self._start, (self._start, b""))
            self._trail = Trail(self._line, self._start, first, merge)
            starts = [self._start, *filter(None, [first])]
            return self._query.log_from(starts, self._pathspecs, whole=True)
        starts = [self._start] if self._line else [*self._waiting]
        return log or self._query.log_from(starts, self._pathspecs)

    def _look_elsewhere(self) -> None:
        """Take up the cursors whose paths the log did not cover."""
        self._waiting, self._elsewhere = self._elsewhere, self._waiting
        self._pathspecs = covering({path for here in self._waiting.values() for path in here})
        self._start = next(iter(self._waiting))  # they came here along the line
        if self._log:
            self._log.stop()
            self._log = None

    def _read(self, log: Git) -> Iterator[FileChange]:
        """Yield stops until no cursor waits here, or until the line passes its first merge."""
        for commit in self._noted(commits(log)):
            if self._trail and not self._trail.takes(commit):
                continue
            if (here := self._waiting.pop(commit.oid, None)) is None:
                continue
            parents = self._parents(commit)
            if parents is None:
                for cursor in chain.from_iterable(here.values()):
                    yield self._stop(cursor, commit, hidden=GitReason.SHALLOW)
            elif self._line and not self._trail and parents[:1] != (commit.parents or [b""])[:1]:
                self._start, self._waiting[commit.oid] = commit.oid, here
                self._trail = Trail(self._line, commit.oid, commit.oid, b"")
                return
            elif parents[0] in commit.parents[:1] and here.keys().isdisjoint(commit.paths):
                self._go_on(parents[0], here)
            else:
                yield from self._visit(commit, parents, here)
            if not self._waiting:
                return
        raise GitFailed(_BROKE_OFF)  # since each file was added by some commit

    def _parents(self, commit: Commit) -> Sequence[bytes] | None:
        """Return the parents of a commit, of which a line has one; None if it is not known."""
        if not self._line:
            return commit.parents or [b""]
        before = self._trail.before if self._trail else self._line.before(commit)
        return None if before is None else [before]

    def _stop(
        self,
        cursor: Cursor,
        commit: Commit,
        *,
        added: bool = False,
        ignored: str | None = None,
        hidden: GitReason | None = None,
    ) -> FileChange:
        self._left -= 1
        note = self._trail.note(commit, cursor.path) if self._trail else ""
        return FileChange(cursor, commit, added, ignored, hidden, note)

    def _noted(self, history: Iterable[Commit]) -> Iterator[Commit]:
        """Note which patterns of the owner fit the commits: the others are probably mistakes."""
        for commit in history:
            for (kind, text), pattern in [*self._patterns.items()]:
                found = getattr(commit, kind)
                if pattern.fullmatch(found):
                    self.unmatched.discard((kind, text))
                    if is_glob(text):
                        del self._patterns[kind, text]
                    elif len(text) < len(found):
                        self.matched_inside[kind, text].add(commit.oid)
            yield commit

    def _visit(
        self, commit: Commit, parents: Sequence[bytes], here: _Cursors
    ) -> Iterator[FileChange]:
        """Let cursors go on at the first parent that has the same file; yield those that stop."""
        for parent in parents:
            edits = self._edits(commit, parent, self._pathspecs)
            edited = {path: here.pop(path) for path in here.keys() & edits.keys()}
            self._go_on(parent, here)
            here = edited
            if not here:
                return
        parent, edits = parents[0], self._edits(commit, parents[0], self._pathspecs)
        for path, cursors in here.items():
            for cursor in cursors:
                if cursor.version != (edits[path].new_mode, edits[path].new_blob):
                    raise GitFailed("git left out a change of a file")
                try:
                    stop = self._changed(cursor, commit, parent, edits[path])
                except GitFailed as failure:
                    if failure.code is not GitCode.NO_BLOBS:
                        raise
                    stop = self._stop(cursor, commit, hidden=GitReason.NO_BLOBS)
                if stop:
                    yield stop._replace(before=parent)

    def _edits(self, commit: Commit, parent: bytes, pathspecs: Sequence[bytes]) -> Edits:
        if parent == (commit.parents or [b""])[0] and pathspecs == self._pathspecs:
            return commit.edits
        return self._diff(commit.oid, parent, pathspecs)

    def _diff(self, commit: bytes, parent: bytes, pathspecs: Sequence[bytes]) -> Edits:
        key = tuple(pathspecs)
        if key not in self._diffs:
            self._diffs[key] = Diffs(self._query.repository.top, key)
        return self._diffs[key].edits(commit, parent)

    def _changed(
        self, cursor: Cursor, commit: Commit, parent: bytes, edit: Edit
    ) -> FileChange | None:
        """Return the stop at a commit that changed the file; None if the file is followed on."""
        why, path, version = None, cursor.path, (edit.old_mode, edit.old_blob)
        is_new = edit.added and parent and self._query.change is not GitChange.ANY
        if is_new and (found := self._older_name(commit, parent, path)):
            path, version = found
            why = f"renamed from {path_text(path)}"
        else:
            why = (
                self._query.ignored.why(commit)
                or self._unseen(cursor, edit)
                or self._only_ignored(commit, cursor)
            )
            if not why or edit.added:
                hidden = GitReason.SHALLOW if why is None else None
                return self._stop(
                    cursor, commit, added=edit.added, ignored=why or None, hidden=hidden
                )
        self._place(parent, cursor.past(commit, why)._replace(path=path, version=version))
        return None

    def _only_ignored(self, merge: Commit, cursor: Cursor) -> str | None:
        """Return why a merge of the line brought nothing of a file that counts, if it did not.

        An empty text if it did; None if a shallow clone does not tell.
        """
        if not self._line or len(merge.parents) < 2 or not self._query.ignored:
            return ""
        if self._sides is None:
            self._sides = MergedSides(self._query, self._line, self._diff, self._noted)
        unseen = partial(self._unseen, cursor)
        return self._sides.only_ignored(merge, cursor.path, self._pathspecs, unseen)

    def _older_name(
        self, commit: Commit, parent: bytes, path: bytes
    ) -> tuple[bytes, Version] | None:
        """Return the path from which an added file was renamed, if it was, and its version there.

        The same commit deleted the same content there. Of several such paths, it is one inside of
        the folders, or else one with the same base name, or else the lowest.
        """
        edits, deleted = self._deleted(commit, parent)
        key = edits[path].new_blob, edits[path].new_mode[:3]
        found = filter(None, (deleted.get((*key, _base(path))), deleted.get(key)))
        old = min(found, key=self._is_outside, default=None)
        return None if old is None else (old, (edits[old].old_mode, edits[old].old_blob))

    def _deletions(
        self, commit: Commit, parent: bytes
    ) -> tuple[Edits, Mapping[tuple[bytes, ...], bytes]]:
        """Return the edits of a commit in all folders, and its best deleted path for each key.

        A key is a blob and a file type, and with or without a base name.
        """
        edits = self._edits(commit, parent, [])
        gone = (path for path, edit in edits.items() if edit.deleted)
        best: dict[tuple[bytes, ...], bytes] = {}
        for path in sorted(gone, key=lambda path: (self._is_outside(path), path)):
            if (blob := edits[path].old_blob) not in _EMPTY:
                key = blob, edits[path].old_mode[:3]
                best.setdefault(key, path)
                best.setdefault((*key, _base(path)), path)
        return edits, best

    def _is_outside(self, path: bytes) -> bool:
        return not path.startswith(self._query.folders)

    def _unseen(self, cursor: Cursor, edit: Edit) -> str:
        """Return why an edit of a file is none that counts; an empty text if it is.

        Raises GitFailed with NO_BLOBS if a partial clone does not tell.
        """
        query = self._query
        if query.change is GitChange.ANY or not edit.regular:
            return ""
        if edit.old_blob == edit.new_blob:
            return "mode change"
        contents = partial(self._blobs.read, edit.old_blob, edit.new_blob)
        if query.change is GitChange.CONTENT:
            file = f"{query.repository.top}/{os.fsdecode(cursor.file)}"
            return query.unseen(file, contents) if query.unseen else ""
        path, body = path_text(cursor.path), query.body or (lambda _, content: content)
        before, after = (body(path, content).split() for content in contents())
        return "front matter or white space" if before == after else ""

    def _place(self, commit: bytes, cursor: Cursor) -> None:
        specs, path = self._pathspecs, cursor.path
        covered = not specs or any(
            (path + b"/").startswith(spec.rstrip(b"/") + b"/") for spec in specs
        )
        here = self._waiting if covered else self._elsewhere
        if self._trail and not covered:
            self._marks[commit] = self._trail.first, self._trail.merge
        here[commit].setdefault(path, []).append(cursor)

    def _go_on(self, commit: bytes, cursors: _Cursors) -> None:
        """Let cursors of covered paths wait at a commit."""
        few, many = sorted((cursors, self._waiting.get(commit, {})), key=len)
        for path, others in few.items():  # merging many into few would be quadratic
            many.setdefault(path, []).extend(others)
        if many:
            self._waiting[commit] = many


def _base(path: bytes) -> bytes:
    return path.rpartition(b"/")[2]
