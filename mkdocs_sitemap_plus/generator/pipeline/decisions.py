"""The values that the steps of the pipeline share: the decisions, and what they are made from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from mkdocs_sitemap_plus.generator.lastmod.date_source import DateSource, Key
from mkdocs_sitemap_plus.generator.lastmod.sources import Dates
from mkdocs_sitemap_plus.generator.options.fields import Overrides
from mkdocs_sitemap_plus.generator.options.settings import Settings
from mkdocs_sitemap_plus.generator.pages.site import (
    Listable,
    OutReason,
    Site,
    SiteFile,
    UncheckedSite,
    Url,
)
from mkdocs_sitemap_plus.gitdates import Change, NoDate
from mkdocs_sitemap_plus.problems import Place, Problem
from mkdocs_sitemap_plus.sitemap.entries import UrlEntry


@dataclass(kw_only=True, repr=False)
class Candidate:
    """What may be listed, with what its owner set for it."""

    target: Listable
    overrides: Overrides = Overrides()  # noqa: RUF009 - a value
    rejected: tuple[Problem, ...] = ()  # of the owner's values that are not written

    @property
    def name(self) -> str:
        """The source as messages name it; the URL if there is no source."""
        return self.target.loc if isinstance(self.target, Url) else self.target.file

    def listed(self, loc: str, place: Place) -> "Listed":
        """Return that it is listed with this URL, and its ``changefreq`` and ``priority``."""
        listed = Listed(
            target=self.target,
            overrides=self.overrides,
            entry=UrlEntry(loc=loc),
            origins={"listed": place},
        )
        for name in ("changefreq", "priority"):
            if (value := getattr(self.overrides, name)) is not None:
                listed.set(name, value, self.overrides.places[name])
        return listed

    def left_out(self, reason: OutReason, detail: str, place: Place) -> "LeftOut":
        """Return that it is not listed; `detail` says in a few words what was found at `place`."""
        return LeftOut(
            target=self.target, overrides=self.overrides, rejected=self.rejected,
            loc=self.target.loc, reason=reason, detail=detail, place=place,
        )  # fmt: skip


@dataclass(kw_only=True, repr=False)
class LeftOut(Candidate):
    """What the sitemap does not list, and why."""

    loc: str  # not checked; empty if it has none
    reason: OutReason
    detail: str  # what was found at `place`, in a few words
    place: Place


@dataclass(kw_only=True, repr=False)
class Listed(Candidate):
    """What the sitemap lists. The steps fill its entry."""

    entry: UrlEntry
    # Where the value of each field of the entry comes from, by the name of the field. Two keys are
    # not fields. "listed": what decided that the page has an entry. "undated": the owner's lastmod
    # if it is false, invalid or in the future.
    origins: dict[str, Place | Change] = field(default_factory=dict)
    undated: NoDate | None = None  # why the entry has no date

    @property
    def loc(self) -> str:
        """The URL of the entry."""
        return self.entry.loc

    @property
    def date_source(self) -> str | None:
        """What the date comes from, such as ``git`` or ``front matter``; None if there is none."""
        if (origin := self.origins.get("lastmod")) is None:
            return None
        return str(origin.origin if isinstance(origin, Place) else origin.source)

    def left_out(self, reason: OutReason, detail: str, place: Place) -> "LeftOut":
        """Return that it is not listed after all, under the URL that its entry had."""
        return replace(super().left_out(reason, detail, place), loc=self.loc)

    def set(self, name: str, value: object, why: Place | Change) -> None:
        """Set a field of the entry."""
        self.entry = replace(self.entry, **{name: value})  # type: ignore[arg-type]
        self.origins.pop(name, None)
        if value not in (None, ()):
            self.origins[name] = why


Decision = Listed | LeftOut


class Context(NamedTuple):
    """What every step reads.

    `now` has a time zone. It tells which dates are in the future.
    `shown_dates` has the dates that are on the pages already. They are not decided again.
    """

    site: Site
    settings: Settings
    sources: Sequence[DateSource]  # of dates, the first to ask first
    now: datetime
    shown_dates: Dates | None = None


@dataclass(eq=False, repr=False)
class BuildState:
    """The decisions of a build while they are made, and what it found."""

    context: Context
    decisions: list[Decision] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def listed(self) -> list[Listed]:
        """The decisions with an entry."""
        return listed_in(self.decisions)


class Outcome(NamedTuple):
    """All results of a build; the decisions are sorted by ``loc``, then by source path."""

    site: UncheckedSite  # a `Site`, unless it has no URL for a sitemap; then nothing is decided
    decisions: tuple[Decision, ...]  # one for each page, extra file and extra URL
    problems: tuple[Problem, ...]  # in the order in which they are reported
    files: tuple[str, ...] = ()  # the written names; the sitemap and its .gz come first

    @property
    def listed(self) -> list[Listed]:
        """The decisions with an entry, in their order."""
        return listed_in(self.decisions)

    @property
    def left_out(self) -> list[LeftOut]:
        """The other decisions, in their order."""
        return [decision for decision in self.decisions if isinstance(decision, LeftOut)]


def listed_in(decisions: Iterable[Decision]) -> list[Listed]:
    """Return the decisions that have an entry."""
    return [decision for decision in decisions if isinstance(decision, Listed)]


def files_in(decisions: Iterable[Decision]) -> list[SiteFile]:
    """Return the pages and files that decisions are about, listed or not."""
    return [target for target in (each.target for each in decisions) if not isinstance(target, Url)]


def key_of(target: Listable) -> Key:
    """Return the key of a date: built file and source, since two pages may share one of them."""
    return ("", target.loc) if isinstance(target, Url) else (target.dest_uri, target.src_uri)
