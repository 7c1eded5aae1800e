"""Know the line of commits that were published, one after the other.

It begins at HEAD. What was published before a commit is its first parent, since a merge has the
branch that it was made on as its first parent. But some merges were made on another branch, which
became the published one afterwards. What was published before them is their second parent:

- ``git pull`` merges the published branch into a local copy of itself.
- Somebody merges the published branch into a branch of their own, as with "Update branch" of a pull
  request, or with a pull request from the published branch itself, and that branch becomes the
  published one by a fast-forward or a push.

The line *passes* these. They are told by the whole subject that git or GitHub writes, and by the
branch that is built. Every other merge is an ordinary one.
"""

from functools import cached_property
from typing import TYPE_CHECKING

from .log import Commit
from .repository import Repository

if TYPE_CHECKING:
    from .pulls import Built, Pulls


class Line:
    """The published line of one repository. Git is asked for names only if a subject needs them.

    Args:
        repository: The repository.
        url: Its URL, if git has no remote ``origin``, or one that is a folder.
        branch: The branch that is built, if the owner says it.
        ci_branch: The branch that is built if HEAD is on none, and who says so.
    """

    def __init__(
        self,
        repository: Repository,
        url: str | None = None,
        branch: str | None = None,
        ci_branch: tuple[str, str] | None = None,
    ) -> None:
        self._named = repository, url, branch, ci_branch

    def before(self, commit: Commit) -> bytes | None:
        """Return the commit that was published before this one; nothing before the first.

        None if a shallow clone does not tell which it was.
        """
        if len(commit.parents) != 2 or not commit.subject.startswith("Merge "):
            return commit.parents[0] if commit.parents else b""
        passes = self._pulls.passes(commit.subject)
        return None if passes is None else commit.parents[passes]

    @cached_property
    def _pulls(self) -> "Pulls":
        from .pulls import Pulls  # noqa: PLC0415 - with merges of two branches

        return Pulls(*self._named)

    @property
    def built(self) -> "Built":
        """The branch that is built, and who says so."""
        return self._pulls.built

    def is_current(self) -> bool:
        """Whether git still says the same of names and branches: a server keeps what it read."""
        return "_pulls" not in vars(self) or self._pulls.is_current()
