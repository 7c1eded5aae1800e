"""What was decided, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from mkdocs_sitemap_plus.lastmod import Change, NoDate
from mkdocs_sitemap_plus.options.overrides import Overrides
from mkdocs_sitemap_plus.pages.page import Site, SourcePage
from mkdocs_sitemap_plus.problems import Place, Problem
from mkdocs_sitemap_plus.sitemap.entry import UrlEntry


class Reason(StrEnum):
    """Why a page is left out."""

    EXCLUDED = "excluded"
    ERROR_PAGE = "error page"
    NOT_BUILT = "not built"
    NOINDEX = "noindex"
    REDIRECT = "redirect"
    NOT_CANONICAL = "not canonical"
    OUTSIDE = "outside the site"
    UNUSABLE_URL = "unusable URL"
    SAME_URL = "same URL"
    TRANSFORM = "transform"
    NOT_IN_SITEMAP = "not in the sitemap"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Why a page is not listed.

    Attributes:
        reason: of which kind.
        detail: what exactly was found, in a few words.
        place: who said so.
    """

    reason: Reason
    detail: str
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What is said of one page or URL; either `entry` or `left_out` is set.

    Attributes:
        page: the page, or a file that is listed like one; None for a URL that is no page.
        overrides: what its owner set for it.
        loc: its URL; None if the site has none.
        entry: what the sitemap says of it.
        left_out: why it says nothing.
        because: for each field of `entry` that is set, who said so; ``listed``: who says that it
            is; ``undated``: who says, rightly or wrongly, that it has no date.
        undated: why `entry` has no date; None if it has one, or if there is no entry.
        rejected: what is wrong with values that its owner gave, none of which is written.
    """

    page: SourcePage | None
    overrides: Overrides = field(default_factory=Overrides)
    loc: str | None
    entry: UrlEntry | None = None
    left_out: LeftOut | None = None
    because: Mapping[str, Place | Change] = field(default_factory=dict)
    undated: NoDate | None = None
    rejected: tuple[Problem, ...] = ()

    @property
    def name(self) -> str:
        """The page's source as messages name it, or the URL of what is not a page."""
        return self.page.file if self.page is not None else self.loc or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """All that came of a build.

    Attributes:
        site: the site.
        decisions: one a page, extra file or extra URL, sorted by ``loc`` by code point, then by
            source path.
        problems: in the order in which they should be told.
        files: the names of the files that were written; the sitemap and its ``.gz`` come first.
    """

    site: Site
    decisions: tuple[Decision, ...]
    problems: tuple[Problem, ...]
    files: tuple[str, ...] = ()
