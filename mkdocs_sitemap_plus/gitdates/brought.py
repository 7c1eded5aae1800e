"""Know the merges that brought nothing but commits that are ignored or do not count."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from .git import Git
from .ignored import Ignored
from .line import Line
from .log import Commit, Edit, Edits, commits
from .query import Query
from .values import GitFailed


def touched_by_ids(top: Path, ids: Iterable[bytes]) -> frozenset[bytes]:
    """Return the files that these commits changed, by their whole ids, and maybe other texts."""
    words = ("--stdin", "--root", "-r", "-z", "--name-only", "--no-renames")
    with Git(top, "diff-tree", *words, stdin=True) as git:
        git.ask(b"\n".join((*ids, b"")))
        git.end_questions()
        return frozenset(b"".join(iter(git.read, b"")).split(b"\0"))


class Brought(NamedTuple):
    """A commit that a merge of the published line brought."""

    commit: bytes
    parent: bytes  # empty: it has none
    why: str  # it is ignored; an empty text if it is not


def brought_by_merges(
    history: Iterable[Commit], line: Line, ignored: Ignored, boundary: frozenset[bytes]
) -> dict[bytes, list[Brought]]:
    """Return what merges of the line brought, but for other merges, if anything of it is ignored.

    A side that a shallow clone cuts off, at the `boundary`, may have anything.

    `history` are all commits behind HEAD, children first. A merge brought what it reaches, but the
    commit of the line before it does not. So each commit beside the line belongs to the oldest
    commit of the line that reaches it.
    """
    brought: list[list[Brought]] = []  # by commits of the line, newest first
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
            brought[owner].append(Brought(commit.oid, b"".join(parents), why))
        for parent in parents:
            owners[parent] = max(owners.get(parent, 0), owner)
    sides = zip(merges, brought, strict=True)
    return {
        merge: side
        for merge, side in sides
        if any(each.why or each.commit in boundary for each in side)
    }


class Sides:
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
        self,
        merge: Commit,
        path: bytes,
        pathspecs: Sequence[bytes],
        unseen: Callable[[Edit], str],
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
        ids, globs = self._query.ignored.ids, self._query.ignored.globs
        repository = self._query.repository
        is_known = not (globs or repository.boundary) and all(len(oid) in (40, 64) for oid in ids)
        return touched_by_ids(repository.top, ids) if is_known else None

    @cached_property
    def _by_merge(self) -> Mapping[bytes, list[Brought]]:
        """What merges of the line brought, if anything of it is ignored."""
        query = self._query
        with query.graph() as graph:
            history, boundary = self._noted(commits(graph)), query.repository.boundary
            return brought_by_merges(history, self._line, query.ignored, boundary)
