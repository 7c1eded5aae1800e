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
    """What changed later and does not date the file, such as a commit that is ignored."""

    what: str  # the full hexadecimal id of a commit
    why: str  # in a few words


class Change(NamedTuple):
    """The commit that dates a file."""

    repository: Path  # the top folder of the work tree, without symbolic links
    path: str  # of the file in this commit, relative to `repository`, with `/`
    commit: str  # the full hexadecimal id
    when: datetime  # aware and in UTC, whole seconds
    skipped: tuple[Skipped, ...] = ()  # newer commits that do not count, newest first
    added: bool = False  # whether the commit added the file. If so, the file has no older date.


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
    """Why files have no date, or why commits count that should not."""

    code: GitCode
    found: str  # a clause in one line, such as ``the git repository has no commits``
    fix: str | None = None  # what to do, as a sentence
    file: str | None = None  # the file of ignored commits, if it is about that
    line: int | None = None  # in this file, counted from 1; None: about the whole file
    partial: bool = False  # git failed after it had dated some of the files

    def __str__(self) -> str:
        """Return the problem in one line."""
        file = f"{self.file}:{self.line}" if self.line else self.file
        clause = f"{file}: {self.found}." if file else f"{self.found}."
        return printable(f"{clause} {self.fix}" if self.fix else clause)


class NoDate(NamedTuple):
    """Why git has no date of a file."""

    reason: GitReason
    detail: str  # a clause such as ``docs/a.md is not committed``
    cause: GitProblem | None = None  # the problem that leaves this file and others without a date
