"""What is asked of the history of a repository, and which commits never date a file."""

import os
import re
from collections.abc import Iterable, Sequence
from fnmatch import translate
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .git import Git
from .log import FORMAT, RAW, Body, Commit, Unseen
from .repository import Repository
from .values import GitChange, GitCode, GitDate, GitProblem, one_line

USUAL_NAME = ".git-blame-ignore-revs"
"""The file of ignored commits that GitHub and others read, at the top of the repository."""


class Ignored(NamedTuple):
    """The commits that never date a file."""

    ids: tuple[bytes, ...] = ()  # whole or short, in lower case
    file: str = USUAL_NAME  # which lists the ids
    # "author" or "subject", and a pattern on `Name <mail>` or on the first line of a message
    patterns: tuple[tuple[str, str], ...] = ()

    def __bool__(self) -> bool:
        """Whether any commit may be ignored."""
        return bool(self.ids or self.patterns)

    def why(self, commit: Commit) -> str | None:
        """Return in a few words why a commit never dates a file; None if it may date one."""
        if self.ids and commit.oid.startswith(self.ids):
            return f"listed in {self.file}"
        for kind, pattern in self.patterns:
            found = getattr(commit, kind)
            if glob_pattern(pattern).fullmatch(found):
                shown = found if kind == "author" else one_line(repr(found), 80)
                return f"ignored {kind} {shown}"
        return None


def is_glob(pattern: str) -> bool:
    """Return whether a pattern has to fit a whole text; any other is found anywhere in it."""
    return "*" in pattern or "?" in pattern


@cache
def glob_pattern(pattern: str) -> re.Pattern[str]:
    """Return what matches the whole of each text that a pattern fits.

    Case is ignored. Only ``*`` and ``?`` are special: names of bots and subjects have brackets. So
    ``dependabot[bot]`` and ``chore(deps)`` mean what everybody means by them.
    """
    glob = pattern if is_glob(pattern) else f"*{pattern}*"
    return re.compile(translate(glob.replace("[", "[[]")), re.IGNORECASE)


def read_ignored(file: Path, name: str | None) -> tuple[tuple[bytes, ...], list[GitProblem]]:
    """Return the ids in a file that lists commits, and what is wrong with it.

    `name` is what the owner calls it; None if nobody named it, and it need not exist. Then it is in
    the top folder of a repository, and a link that leads out of it is not read: lines are quoted.
    """
    if name is None and not Path(os.path.realpath(file)).is_relative_to(
        os.path.realpath(file.parent)
    ):
        found = "leads out of the repository"
        return (), [GitProblem(GitCode.IGNORE_REVS, found, file=file.name)]
    try:
        lines = file.read_text("utf-8-sig", "replace").split("\n")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "No file can have this name"
        problem = GitProblem(GitCode.IGNORE_REVS, f"can't be read ({why})", file=name)
        return (), [problem] if name else []
    ids, problems = set(), []
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if re.fullmatch(r"(?i)[0-9a-f]{4,64}", text):
            ids.add(text.lower().encode())
        elif text:
            found = f"{one_line(repr(text), 80)} is not the id of a commit"
            problems.append(GitProblem(GitCode.IGNORE_REVS, found, file=file.name, line=number))
    return tuple(sorted(ids)), problems


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
