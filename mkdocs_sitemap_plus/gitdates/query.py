"""What is asked of the history of a repository, and how git is asked for it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .git import Git
from .ignored import Ignored
from .log import FORMAT, RAW, Body, Unseen
from .repository import Repository
from .values import GitChange, GitDate


class Query(NamedTuple):
    """What is asked of a repository."""

    repository: Repository
    folders: tuple[bytes, ...]  # below its top, each with `/` at its end; b"": the top
    ignored: Ignored = Ignored()
    date: GitDate = GitDate.PUBLISHED
    change: GitChange = GitChange.CONTENT
    body: Body | None = None
    unseen: Unseen | None = None
    url: str | None = None  # of the repository, if git has no remote `origin` on a host
    branch: str | None = None  # that is built, if the owner says it
    ci_branch: tuple[str, str] | None = None  # that is built if HEAD is on none, and who says so

    @property
    def pathspecs(self) -> list[bytes]:
        """Those of the folders, with slashes: an older file may have the name of a folder."""
        return [] if b"" in self.folders else [*self.folders]

    def log(self) -> Git:
        """Let git begin to print the history of the folders."""
        return self.log_from([self.repository.head], self.pathspecs)

    def log_from(
        self, starts: Sequence[bytes], pathspecs: Iterable[bytes], *, whole: bool = False
    ) -> Git:
        """Let git print the history behind some commits; with `whole`, all sides of merges."""
        narrow = self.date is GitDate.PUBLISHED and not whole
        lines = ["--first-parent" if narrow else "--full-history", "--sparse"]
        if not narrow or len(starts) > 1:  # a single line has children before parents anyway
            lines.append("--topo-order")
        words = (*lines, "--diff-merges=first-parent", *self._form, *RAW)
        log = Git(self.repository.top, "log", *words, "--stdin", "--", *pathspecs, stdin=True)
        log.ask(b"\n".join((*starts, b"")))
        log.end_questions()
        return log

    def graph(self) -> Git:
        """Let git print all commits behind HEAD, without their edits."""
        head = self.repository.head
        return Git(self.repository.top, "log", "-z", "--topo-order", *self._form, head, "--")

    @property
    def _form(self) -> tuple[str, ...]:
        form = FORMAT.format(date="%at" if self.date is GitDate.AUTHOR else "%ct")
        return "--no-decorate", "--no-notes", form
