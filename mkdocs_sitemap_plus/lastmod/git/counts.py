"""Which changes of a file count, and under which name it goes on past those that do not."""

from typing import TYPE_CHECKING, NamedTuple

from mkdocs_sitemap_plus.settings.values import GitChange

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from mkdocs_sitemap_plus.lastmod.git.log import LogCommit, RawChange

    PassOver = Callable[[LogCommit, RawChange], "GoOn | None"]

_REGULAR = b"100"
_EMPTY = frozenset(
    (
        b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        b"473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
    )
)
"""The empty blob under SHA-1 and SHA-256. Empty files are alike by accident."""


class GoOn(NamedTuple):
    """Where a file's history goes on past a commit that does not count: at its first parent.

    Attributes:
        path: the file's path there.
        why: why the commit does not count, in a few words.
    """

    path: bytes
    why: str


def pass_over(change: GitChange, renames: "Renames | None") -> "PassOver":
    """The judge of a commit's change to its first parent; None from it: the change counts.

    Args:
        change: what counts as a change.
        renames: finds them; None where the diffs show too little for it.
    """
    judges: list[PassOver] = []
    if change is GitChange.CONTENT:
        judges.append(_mode_change)
        if renames:
            judges.append(renames.go_on)

    def judge(commit: "LogCommit", change: "RawChange") -> GoOn | None:
        return next((found for ask in judges if (found := ask(commit, change))), None)

    return judge


def _mode_change(_: "LogCommit", change: "RawChange") -> GoOn | None:
    """A regular file became executable, or was, and its content is the same."""
    regular = change.old_mode[:3] == change.new_mode[:3] == _REGULAR
    if regular and change.old_oid == change.new_oid:
        return GoOn(change.path, "mode change")
    return None


class Renames:
    """Finds the older name of a file that was renamed and nothing else.

    A rename: one diff to the first parent deletes a path and adds another with the same blob, not
    empty, of the same file type. Of several deleted paths, one inside the folders is taken first,
    then one with the same base name, then the lowest by its bytes.
    """

    def __init__(self, folders: tuple[bytes, ...], *, complete: bool) -> None:
        """Remember what is seen.

        Args:
            folders: the folders that are walked, each with ``/`` at its end; empty bytes for the
                whole repository.
            complete: whether the diffs show the whole tree. If not, they show the folders: a path
                inside is sure to be the first choice, and no other is taken.
        """
        self._folders = folders
        self._complete = complete
        self._seen: LogCommit | None = None
        self._best: dict[tuple[object, ...], bytes] = {}

    def go_on(self, commit: "LogCommit", change: "RawChange") -> GoOn | None:
        """Under the older name, if the commit is a rename for this path."""
        if (path := self.older(commit, change)) is None:
            return None
        return GoOn(path, f"renamed from {path.decode('utf-8', 'surrogateescape')}")

    def older(self, commit: "LogCommit", change: "RawChange") -> bytes | None:
        """The name before this commit, or None if it is no rename for this path."""
        if not change.added or change.new_oid in _EMPTY:
            return None
        if self._seen is not commit:
            self._seen, self._best = commit, self._index(commit.changes)
        blob = (change.new_oid, change.new_mode[:3])
        for inside in (True, False) if self._complete else (True,):
            for like in ((*blob, inside, _base(change.path)), (*blob, inside)):
                if path := self._best.get(like):
                    return path
        return None

    def _index(self, changes: "Iterable[RawChange]") -> dict[tuple[object, ...], bytes]:
        """The lowest deleted path for each blob, type, side and base name, or without the last."""
        best: dict[tuple[object, ...], bytes] = {}
        for path in sorted(change for change in changes if change.deleted):
            inside = path.path.startswith(self._folders)
            like = (path.old_oid, path.old_mode[:3], inside)
            best.setdefault(like, path.path)
            best.setdefault((*like, _base(path.path)), path.path)
        return best


def _base(path: bytes) -> bytes:
    return path.rpartition(b"/")[2]
