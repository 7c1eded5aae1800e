"""The values that the steps of the pipeline share: the decisions and the context."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.lastmod import Change, NoDate
from mkdocs_sitemap_plus.lastmod.date_source import DateSource
from mkdocs_sitemap_plus.lastmod.sources import Dates
from mkdocs_sitemap_plus.options import Settings
from mkdocs_sitemap_plus.options.overrides import Overrides
from mkdocs_sitemap_plus.pages import Site, SourcePage
from mkdocs_sitemap_plus.problems import Place, Problem
from mkdocs_sitemap_plus.sitemap import UrlEntry


class OutReason(StrEnum):
    """Why a page is left out."""

    EXCLUDED = "excluded"
    ERROR_PAGE = "error page"
    FALLBACK_PAGE = "fallback page"
    SEARCH_PAGE = "search page"
    NOT_BUILT = "not built"
    NOINDEX = "noindex"
    REDIRECT = "redirect"
    NOT_CANONICAL = "not canonical"
    NO_CANONICAL = "no canonical"
    STATIC = "static file"
    OUTSIDE = "outside the site"
    UNUSABLE_URL = "unusable URL"
    SAME_URL = "same URL"
    TRANSFORM = "transform"
    NOT_IN_SITEMAP = "not in the sitemap"


class LeftOut(NamedTuple):
    """Why a page is not listed; `detail` says in a few words what was found at `place`."""

    reason: OutReason
    detail: str
    place: Place


def source_of(because: Place | Change) -> str:
    """Return what a value comes from: an origin such as ``rule``, or a source of dates."""
    return str(because.origin if isinstance(because, Place) else because.source)


class Decision(NamedTuple):
    """What is decided about one page or URL. After all steps, `entry` or `left_out` is set."""

    page: SourcePage | None  # or a file of `extra_files`; None for a URL of `extra_urls`
    loc: str | None  # None if the site has no URL
    overrides: Overrides = Overrides()
    entry: UrlEntry | None = None
    left_out: LeftOut | None = None
    # Where the value of each field of the entry comes from, by the name of the field. Two keys are
    # not fields. "listed": what decided that the page has an entry. "undated": the owner's lastmod
    # if it is false, invalid or in the future.
    because: Mapping[str, Place | Change] = MappingProxyType({})
    undated: NoDate | None = None  # why the entry has no date
    rejected: tuple[Problem, ...] = ()  # of the owner's values that are not written

    @property
    def name(self) -> str:
        """The page's source as messages name it; the URL if there is no page."""
        return self.page.file if self.page is not None else self.loc or ""

    @property
    def date_source(self) -> str | None:
        """What the date comes from, such as ``git`` or ``front matter``; None if there is none."""
        because = self.because.get("lastmod")
        return source_of(because) if because else None

    def listed(self, loc: str, place: Place) -> "Decision":
        """Return the decision with an entry: its URL, ``changefreq`` and ``priority``."""
        decision = self._replace(loc=loc, entry=UrlEntry(loc=loc), because={"listed": place})
        for name in ("changefreq", "priority"):
            if (value := getattr(self.overrides, name)) is not None:
                decision = decision.with_field(name, value, self.overrides.places[name])
        return decision

    def with_field(self, name: str, value: object, why: Place | Change) -> "Decision":
        """Return the decision with a field of its entry set; unchanged if there is no entry."""
        if self.entry is None:
            return self
        replaced = (name, "undated") if name == "lastmod" else (name,)
        because = {key: each for key, each in self.because.items() if key not in replaced}
        if value not in (None, ()):
            because[name] = why
        change: dict[str, Any] = {name: value}
        return self._replace(entry=replace(self.entry, **change), because=because)

    def without_entry(self, reason: OutReason, detail: str, place: Place) -> "Decision":
        """Return the decision without an entry, and why."""
        out = LeftOut(reason, detail, place)
        return self._replace(entry=None, left_out=out, because={}, undated=None)


Decided = tuple[Sequence[Decision], Iterable[Problem]]
"""What a step returns: all decisions after it, and the problems that it found."""


class Context(NamedTuple):
    """What every step reads.

    `now` has a time zone. It tells which dates are in the future, and which news are fresh.
    `shown_dates` has the dates that are on the pages already. They are not decided again.
    """

    site: Site
    settings: Settings
    sources: Sequence[DateSource]  # of dates, the first to ask first
    now: datetime
    shown_dates: Dates | None = None


class Outcome(NamedTuple):
    """All results of a build; the decisions are sorted by ``loc``, then by source path."""

    site: Site
    decisions: tuple[Decision, ...]  # one for each page, extra file and extra URL
    problems: tuple[Problem, ...]  # in the order in which they are reported
    files: tuple[str, ...] = ()  # the written names; the sitemap and its .gz come first
