"""The stages, in order: heard, listed, dated, filled in, one entry a URL."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby

from mkdocs_sitemap_plus.decisions.alternates import linked
from mkdocs_sitemap_plus.decisions.cascade import Heard, hear
from mkdocs_sitemap_plus.decisions.decision import Decision, LeftOut, Outcome, Reason
from mkdocs_sitemap_plus.decisions.listed import (
    believable_canonicals,
    costs,
    left_out,
    url_problems,
)
from mkdocs_sitemap_plus.decisions.undated import key_of, undated
from mkdocs_sitemap_plus.evidence import Change, Place, Voice
from mkdocs_sitemap_plus.lastmod.alarm import one_commit_for_most
from mkdocs_sitemap_plus.lastmod.dates import Dated, Key, date_pages, start
from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.pages.page import Site, SourcePage
from mkdocs_sitemap_plus.settings.values import Overrides, Settings
from mkdocs_sitemap_plus.sitemap.entry import UrlEntry


def decide(site: Site, settings: Settings, history: History, now: datetime) -> Outcome:
    """Decide on every page of `site`; equal arguments give equal outcomes.

    Raises:
        SitemapError: the owner wants a build without the whole history to stop.
    """
    heard = hear(site.pages, settings)
    canonical_problem = believable_canonicals(site.pages)
    decisions = _listed(site, heard, canonicals=canonical_problem is None)
    asking = undated(site, decisions, heard, settings)
    dates, date_problems = date_pages(asking, settings.lastmod, history, now)
    listed = [key_of(decision.page) for decision in decisions if decision.left_out is None]
    alarm = one_commit_for_most((dates[key].because for key in listed if key in dates), history)
    decisions = [_filled_in(decision, heard, dates) for decision in decisions]
    decisions = list(_one_a_url(decisions))
    decisions, language_problems = linked(decisions, heard, site, settings)
    problems = [
        canonical_problem,
        *heard.problems,
        *url_problems(decisions, site),
        *date_problems,
        alarm,
        *language_problems,
        *history.problems,
        *costs(site, decisions),
    ]
    return Outcome(site=site, decisions=tuple(decisions), problems=tuple(filter(None, problems)))


def _listed(site: Site, heard: Heard, *, canonicals: bool) -> list[Decision]:
    return [
        Decision(
            page=page,
            loc=page.loc,
            left_out=left_out(page, heard.overrides[key_of(page)], site, canonicals=canonicals),
        )
        for page in site.pages
    ]


def _filled_in(decision: Decision, heard: Heard, dates: dict[Key, Dated]) -> Decision:
    if decision.left_out is not None or decision.loc is None:
        return decision
    key = key_of(decision.page)
    says, dated = heard.overrides[key], dates.get(key)
    entry = UrlEntry(
        loc=decision.loc,
        lastmod=dated.lastmod if dated else None,
        changefreq=says.changefreq,
        priority=says.priority,
    )
    return replace(decision, entry=entry, because=_because(decision.page, says, entry, dated))


def _because(
    page: SourcePage, says: Overrides, entry: UrlEntry, dated: Dated | None
) -> dict[str, Place | Change]:
    built = Place(voice=Voice.BUILT_PAGE, file=page.dest_uri)
    because: dict[str, Place | Change] = {"listed": says.places.get("exclude", built)}
    if dated:
        because["lastmod"] = dated.because
    for field in ("changefreq", "priority"):
        if getattr(entry, field) is not None:
            because[field] = says.places[field]
    return because


def _one_a_url(decisions: Iterable[Decision]) -> Iterable[Decision]:
    """Sorted by URL; of several pages with one URL the newest stays."""
    by_loc = sorted(decisions, key=lambda each: (each.loc or "", each.page.src_uri))
    for _, group in groupby(by_loc, key=lambda each: each.loc):
        same = list(group)
        listed = [decision for decision in same if decision.entry]
        newest = max(listed, key=_age, default=None)
        for decision in same:
            if decision.entry and newest and decision is not newest:
                yield _second(decision, newest)
            else:
                yield decision


def _age(decision: Decision) -> datetime:
    when = decision.entry.lastmod if decision.entry else None
    if when is None:
        return datetime.min.replace(tzinfo=UTC)
    return start(when)


def _second(decision: Decision, newest: Decision) -> Decision:
    place = Place(voice=Voice.BUILT_PAGE, file=decision.page.dest_uri)
    out = LeftOut(reason=Reason.SAME_URL, detail=newest.page.src_uri, place=place)
    return replace(decision, entry=None, left_out=out, because={})
