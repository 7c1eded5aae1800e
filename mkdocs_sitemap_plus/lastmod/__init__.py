"""When pages changed: the commit that dates a file, and why a page has no date."""

from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.gitdates import Skipped
from mkdocs_sitemap_plus.options import Source
from mkdocs_sitemap_plus.problems import Place, Problem


class Change(NamedTuple):
    """The commit that dates a file; the first fields are those of `gitdates.Change`."""

    repository: Path  # the top folder of the work tree; of a dates file, the folder that it is in
    path: str  # of the file in this commit, relative to `repository`, with `/`
    commit: str  # the full hexadecimal id
    when: datetime  # aware and in UTC, whole seconds
    skipped: tuple[Skipped, ...] = ()  # newer commits that do not count, newest first; then files
    added: bool = False  # whether the commit added the file. If so, the file has no older date.
    file: str | None = None  # the name of the dates file that this was read from; None: from git

    @property
    def source(self) -> Source:
        """The source that has this date."""
        return Source.FILE if self.file else Source.GIT


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
    UNDATED_POST = "undated post"
    FUTURE = "date in the future"
    INVALID = "invalid date"
    TURNED_OFF = "lastmod: false"
    TRANSFORM = "transform"


class NoDate(NamedTuple):
    """Why a page has no date."""

    reason: Reason
    detail: str | None = None  # a clause such as `docs/a.md is not committed`
    place: Place | None = None  # of the owner's lastmod, if it is false, invalid or in the future
    cause: Problem | None = None  # the problem that leaves this page and others without a date


BY_TRANSFORM = NoDate(reason=Reason.TRANSFORM, detail="the function of `transform` removed it")
