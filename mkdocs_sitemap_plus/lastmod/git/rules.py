"""Which changes of a file count, and under which name it goes on past those that do not."""

from typing import TYPE_CHECKING, NamedTuple

from mkdocs_sitemap_plus.lastmod.git.revisions import Ignored
from mkdocs_sitemap_plus.options.settings import GitChange

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
        path: the file's path there; None if it was not there, so that no commit dates the file.
        why: why the commit does not count, in a few words.
    """

    path: bytes | None
    why: str


class Counting(NamedTuple):
    """What counts as a change in one repository.

    Attributes:
        change: the option.
        ignored: commits and authors that never date a page.
        same_body: whether two blobs of a path differ in front matter and white space alone.
        boundary: where a shallow clone was cut off: what those commits did is not seen.
    """

    change: GitChange
    ignored: Ignored = Ignored()
    same_body: "Callable[[bytes, bytes, bytes], bool] | None" = None
    boundary: frozenset[bytes] = frozenset()


def pass_over(counting: Counting, renames: "Renames | None") -> "PassOver":
    """The judge of a commit's change to its first parent; None from it: the change counts.

    Args:
        counting: what counts.
        renames: what finds renames; None where too little is seen to know.
    """
    judges: list[PassOver] = []
    if counting.change is not GitChange.ANY:
        judges.append(_mode_change)
        if renames:
            judges.append(renames.go_on)
    if counting.change is GitChange.BODY and counting.same_body:
        judges.append(_body(counting.same_body))
    if counting.ignored:
        whole = counting.change is GitChange.ANY or bool(renames and renames.complete)
        judges.append(_ignored(counting, whole=whole))

    def judge(commit: "LogCommit", change: "RawChange") -> GoOn | None:
        return next((found for ask in judges if (found := ask(commit, change))), None)

    return judge


def _mode_change(_: "LogCommit", change: "RawChange") -> GoOn | None:
    """A regular file became executable, or was, and its content is the same."""
    if _stays_regular(change) and change.old_oid == change.new_oid:
        return GoOn(change.path, "mode change")
    return None


def _stays_regular(change: "RawChange") -> bool:
    return change.old_mode[:3] == change.new_mode[:3] == _REGULAR


def _body(same: "Callable[[bytes, bytes, bytes], bool]") -> "PassOver":
    """The front matter changed, or white space, and nothing else."""

    def judge(_: "LogCommit", change: "RawChange") -> GoOn | None:
        if _stays_regular(change) and same(change.path, change.old_oid, change.new_oid):
            return GoOn(change.path, "front matter or white space")
        return None

    return judge


def _ignored(counting: Counting, *, whole: bool) -> "PassOver":
    """The owner says that the commit never dates a page.

    A path that it added has no older commit, unless it was renamed: while too little is seen to
    know (not `whole`), it stops there, and is looked at again. At the boundary it stops for good.
    """

    def judge(commit: "LogCommit", change: "RawChange") -> GoOn | None:
        why = counting.ignored.why(commit.oid, commit.author)
        unclear = change.added and commit.parents and not whole
        if why is None or unclear or commit.oid in counting.boundary:
            return None
        return GoOn(None if change.added else change.path, why)

    return judge


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
        self.complete = complete
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
        for inside in (True, False) if self.complete else (True,):
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
