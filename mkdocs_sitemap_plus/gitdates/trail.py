"""Follow the published line where it has left HEAD's first parents."""

import shlex

from .line import Line
from .log import Commit, path_text


class Trail:
    """The published line in a log of all that lies behind one of its commits.

    Attributes:
        before: The commit of the line before the one that was taken last, as `Line.before` has it.
        first: The next one of HEAD's first parents, which the line may have left.
        merge: The last merge that the line passed up to there; empty if it passed none.
    """

    def __init__(self, line: Line, start: bytes, first: bytes, merge: bytes) -> None:
        """The line goes on at `start`; there, the others are as above."""
        self.before: bytes | None = start
        self.first, self.merge = first, merge
        self._line = line
        self._is_apart = False  # whether the commit that was taken last is none of them
        self._beside: set[bytes] = set()  # what the first parents changed where the line did not

    def takes(self, commit: Commit) -> bool:
        """Whether the next commit that git printed is the next one of the line."""
        is_first, is_next = commit.oid == self.first, commit.oid == self.before
        first = commit.parents[0] if commit.parents else b""
        if is_next:
            self.before, self._is_apart = self._line.before(commit), not is_first
            if self.before not in (first, None):
                self.merge = commit.oid
        if is_first:
            self.first = first
            if not is_next or self.merge == commit.oid:
                self._beside.update(commit.paths)
        return is_next

    def note(self, commit: Commit, path: bytes) -> str:
        """Return what passed merges have to do with a file that the taken commit dates.

        An empty text if ``git log -1 --first-parent`` finds the same commit all the same.
        """
        merge, name = self.merge.decode("ascii")[:10], shlex.quote(path_text(path))
        names, who = self._line.built
        built = f"{' or '.join(sorted(names))} is built, says {who}"
        if not names:
            built = "nobody says which branch is built"
        if self.merge == commit.oid:
            show = f"`git diff {merge}^2 {merge} -- {name}` shows it"
            return f"this merge brought what was published and this change ({built}): {show}"
        if self._is_apart or path in self._beside:
            log = f"`git log -1 --first-parent {merge}^2 -- {name}` prints this commit"
            return f"merge {merge} only brought what was published before ({built}): {log}"
        return ""
