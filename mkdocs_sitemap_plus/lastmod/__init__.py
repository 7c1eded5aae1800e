"""When pages changed: the change that dates a file, and why a page has no date."""

from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.gitdates import Skipped
from mkdocs_sitemap_plus.options import Source
from mkdocs_sitemap_plus.problems import Place, Problem


class Change(NamedTuple):
    """The change that dates a file; all fields but `source` and `file` are as in `gitdates`."""

    source: Source  # that has this date
    repository: Path  # the top folder of the work tree; for other sources, that of `path`
    path: str  # of the file in this commit, relative to `repository`, with `/`
    commit: str | None  # the full hexadecimal id; None if the source knows no commits
    when: datetime  # aware and in UTC, whole seconds
    skipped: tuple[Skipped, ...] = ()  # newer commits that do not count, newest first; then files
    added: bool = False  # whether the commit added the file. If so, the file has no older date.
    file: str | None = None  # the name of the dates file that this was read from, if it was

    @property
    def name(self) -> str:
        """The commit; of a source without commits, the path of the file."""
        return self.commit or self.path


class Reason(StrEnum):
    """Why a page has no date, from the least to the most specific reason.

    If several sources have no date of the page, the reason that stands last here is kept.
    """

    NO_SOURCES = "no sources of dates"
    NOT_SET = "no date in front matter"
    NO_DATES_FILE = "no dates file"
    NO_REPOSITORY = "no git repository"
    GIT_FAILED = "git failed"
    UNUSABLE_DATES_FILE = "unusable dates file"
    NOT_IN_DATES_FILE = "not in the dates file"
    CHANGED_SINCE = "changed since the dates file"
    UNKNOWN_SOURCE = "unknown source"
    NOT_COMMITTED = "not committed"
    SHALLOW = "shallow clone"
    IGNORED = "ignored commits"
    INVALID_COMMIT_DATE = "invalid commit date"
    UNKNOWN_INCLUDE = "unknown include"
    UNDATED_POST = "undated post"
    FUTURE = "date in the future"
    INVALID = "invalid date"
    TURNED_OFF = "lastmod: false"
    TRANSFORM = "transform"


_RANKS = {str(reason): rank for rank, reason in enumerate(Reason)}


class NoDate(NamedTuple):
    """Why a page has no date."""

    reason: str  # a `Reason`, or a few words that a source has for its own
    detail: str | None = None  # a clause such as `docs/a.md is not committed`
    place: Place | None = None  # of the owner's lastmod, if it is false, invalid or in the future
    cause: Problem | None = None  # the problem that leaves this page and others without a date

    @property
    def rank(self) -> int:
        """How specific the reason is: of several reasons, the one with the highest rank is kept."""
        return _RANKS.get(self.reason, _RANKS[Reason.NOT_IN_DATES_FILE])


BY_TRANSFORM = NoDate(reason=Reason.TRANSFORM, detail="the function of `transform` removed it")
