"""What `GitDates` takes and returns."""

from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from .texts import printable


class GitDate(StrEnum):
    """Which date of which commit is the date of a file."""

    PUBLISHED = "published"  # the committer date of ``git log -1 --first-parent -- PATH``
    COMMIT = "commit"  # the committer date of ``git log -1 -- PATH``
    AUTHOR = "author"  # the author date of ``git log -1 -- PATH``


class GitChange(StrEnum):
    """Which commits count as a change of a file."""

    ANY = "any"  # every commit that git lists for the path
    CONTENT = "content"  # as `ANY`, without those that only rename the file or change its mode
    BODY = "body"  # as `CONTENT`, without those that only change front matter or white space


class Skipped(NamedTuple):
    """What changed later and does not date the file, such as a commit that is ignored.

    Attributes:
        what: The full hexadecimal id of a commit.
        why: Why it does not count, in a few words.
    """

    what: str
    why: str


class Change(NamedTuple):
    """The commit that dates a file.

    Attributes:
        repository: The top folder of the work tree, without symbolic links.
        path: The path of the file in this commit, relative to `repository`, with ``/``. Before a
            rename it is another one than today. Bytes that are not UTF-8 are surrogate escapes.
        commit: The full hexadecimal id: 40 characters, or 64 in a repository with SHA-256.
        when: The date, in whole seconds. It is aware, and in UTC.
        skipped: Newer commits that do not count, newest first.
        added: Whether the commit added the file. If so, the file has no older date.
    """

    repository: Path
    path: str
    commit: str
    when: datetime
    skipped: tuple[Skipped, ...] = ()
    added: bool = False


class GitReason(StrEnum):
    """Why git has no date of a file."""

    NO_REPOSITORY = "no git repository"
    GIT_FAILED = "git failed"
    NOT_COMMITTED = "not committed"  # HEAD does not hold the file, or there are no commits yet
    SHALLOW = "shallow clone"  # which does not reach back to the last change of the file
    IGNORED = "ignored commits"  # all commits that changed the file are ignored
    INVALID_COMMIT_DATE = "invalid commit date"


class GitCode(StrEnum):
    """What a `GitProblem` is about. Up to `GIT_FAILED`, files have no date because of it."""

    NO_REPOSITORY = "no-repository"
    NO_COMMITS = "no-commits"
    NO_GIT = "no-git"
    OLD_GIT = "old-git"
    UNSAFE_REPOSITORY = "unsafe-repository"
    BROKEN_REPOSITORY = "broken-repository"
    NO_TREES = "no-trees"
    GIT_FAILED = "git-failed"
    FETCH = "fetch"  # the clone stays shallow
    NO_BLOBS = "no-blobs"  # commits that change only front matter or white space count too
    IGNORE_REVS = "ignore-revs"  # a line has no effect; without a line, the file has none


class GitProblem(NamedTuple):
    """Why files have no date, or why commits count that should not. As text, it is one line.

    Attributes:
        code: A short name, which does not change.
        found: What was found: a clause in one line, such as ``the git repository has no commits``.
        fix: What to do, as a sentence; None if nobody knows.
        file: The file of ignored commits, if the problem is about that.
        line: The line in this file, counted from 1; None if it is about the whole file.
        partial: Whether git failed after it had dated some of the files.
    """

    code: GitCode
    found: str
    fix: str | None = None
    file: str | None = None
    line: int | None = None
    partial: bool = False

    def __str__(self) -> str:
        """Return the problem in one line, without passwords, whatever git printed."""
        file = f"{self.file}:{self.line}" if self.line else self.file
        clause = f"{file}: {self.found}." if file else f"{self.found}."
        return printable(f"{clause} {self.fix}" if self.fix else clause)


class NoDate(NamedTuple):
    """Why git has no date of a file.

    Attributes:
        reason: One of six, as text such as ``not committed`` or ``shallow clone``.
        detail: A clause such as ``docs/a.md is not committed``.
        cause: The problem that leaves this file and others without a date, if there is one.
    """

    reason: GitReason
    detail: str
    cause: GitProblem | None = None
