"""When pages changed: the change that dates a page, or why it has no date."""

from enum import StrEnum

from mkdocs_sitemap_plus.gitdates import Change, NoDate

__all__ = [
    "BY_TRANSFORM",
    "COMMIT_FIRST",
    "WRITE_AGAIN",
    "Change",
    "NoDate",
    "Reason",
    "more_specific",
]


class Reason(StrEnum):
    """Why a page has no date, from the least to the most specific reason.

    If several sources have no date of the page, the reason that stands last here is kept. Those of
    git are those of `GitReason`. A source may also have a reason of its own.
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


def more_specific(first: NoDate, second: NoDate) -> NoDate:
    """Return the more specific of two reasons, or `first` if they are equally specific."""
    own_words = _RANKS[Reason.NOT_IN_DATES_FILE]
    return max(first, second, key=lambda why: _RANKS.get(why.reason, own_words))


WRITE_AGAIN = "Write the file again in the repository: `mkdocs-sitemap-plus dates`."
COMMIT_FIRST = "Commit all changes, then run `mkdocs-sitemap-plus dates` in the repository."

BY_TRANSFORM = NoDate(Reason.TRANSFORM, "the function of `transform` removed it")
