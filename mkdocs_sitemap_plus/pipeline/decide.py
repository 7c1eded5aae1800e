"""The stages, in order: heard, listed, dated, filled in, extended, linked, transformed."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from mkdocs_sitemap_plus.lastmod import Change
from mkdocs_sitemap_plus.lastmod.dates_file import DatesFile
from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.lastmod.missing import missing_dates, one_commit_for_most
from mkdocs_sitemap_plus.lastmod.sources import Dated, Dates, date_pages
from mkdocs_sitemap_plus.options.overrides import Overrides
from mkdocs_sitemap_plus.options.settings import Settings
from mkdocs_sitemap_plus.pages.page import Site, SourcePage
from mkdocs_sitemap_plus.pipeline.add_alternates import linked
from mkdocs_sitemap_plus.pipeline.add_extra_urls import extra_files, extra_urls
from mkdocs_sitemap_plus.pipeline.add_images import illustrated
from mkdocs_sitemap_plus.pipeline.add_news import reported
from mkdocs_sitemap_plus.pipeline.add_videos import filmed
from mkdocs_sitemap_plus.pipeline.apply_transform import transformed
from mkdocs_sitemap_plus.pipeline.date_pages import key_of, missing_depends, undated, unsearched
from mkdocs_sitemap_plus.pipeline.decision import Decision, Outcome
from mkdocs_sitemap_plus.pipeline.drop_duplicates import one_a_url
from mkdocs_sitemap_plus.pipeline.merge_overrides import Heard, hear
from mkdocs_sitemap_plus.pipeline.rejected import with_rejected
from mkdocs_sitemap_plus.pipeline.select_pages import (
    believable_canonicals,
    costs,
    left_out,
    same_url_problems,
    unreadable_pages,
    url_problems,
)
from mkdocs_sitemap_plus.problems import Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.entry import UrlEntry


def decide(site: Site, settings: Settings, history: History, now: datetime) -> Outcome:
    """Decide on every page of `site`; equal arguments give equal outcomes.

    Raises:
        SitemapError: the owner wants a build without the whole history to stop, or the owner's own
            function raised something.
    """
    files, file_problems = extra_files(site, settings)
    pages = (*site.pages, *files)
    heard = hear(pages, settings)
    canonical_problem = believable_canonicals(site.pages)
    decisions = _listed(pages, site, heard, canonicals=canonical_problem is None)
    asking = undated(site, decisions, heard, settings)
    file = DatesFile(site.root, settings.lastmod)
    dates = date_pages(asking, settings.lastmod, history, now, file)
    listed = [
        key_of(each.page) for each in decisions if each.page is not None and not each.left_out
    ]
    missing = missing_dates(listed, dates, settings.lastmod, history.problems, serving=site.serving)
    changes = (dates.dated[key].because for key in listed if key in dates.dated)
    alarm = one_commit_for_most(changes, history, settings.lastmod.git)
    extra, extra_problems = extra_urls(decisions, site, settings, history, now)
    decisions = [*(_filled_in(decision, dates) for decision in decisions), *extra]
    decisions, extension_problems = _extended(one_a_url(decisions), site, settings, now)
    decisions, language_problems = linked(decisions, site, settings)
    unusable = [*url_problems(decisions, site), *same_url_problems(decisions)]
    decisions, transform_problems = transformed(decisions, site, settings, now)
    problems = [
        canonical_problem,
        unreadable_pages(pages),
        *heard.problems,
        *file_problems,
        *missing_depends(asking.values()),
        *unusable,
        *missing,
        *unsearched(site, asking),
        alarm,
        *extra_problems,
        *extension_problems,
        *language_problems,
        *transform_problems,
        *costs(site, decisions),
    ]
    told = tuple(filter(None, problems))
    decisions = with_rejected(decisions, told)
    return Outcome(site=site, decisions=tuple(decisions), problems=told)


def _listed(
    pages: Iterable[SourcePage], site: Site, heard: Heard, *, canonicals: bool
) -> list[Decision]:
    return [
        Decision(
            page=page,
            overrides=heard.overrides[key_of(page)],
            loc=page.loc,
            left_out=left_out(page, heard.overrides[key_of(page)], site, canonicals=canonicals),
        )
        for page in pages
    ]


def _filled_in(decision: Decision, dates: Dates) -> Decision:
    page, overrides = decision.page, decision.overrides
    if decision.left_out is not None or decision.loc is None or page is None:
        return decision
    dated = dates.dated.get(key_of(page))
    entry = UrlEntry(
        loc=decision.loc,
        lastmod=dated.lastmod if dated else None,
        changefreq=overrides.changefreq,
        priority=overrides.priority,
    )
    because = _because(page, overrides, entry, dated)
    undated = dates.undated.get(key_of(page))
    return replace(decision, entry=entry, because=because, undated=undated)


def _extended(
    decisions: Iterable[Decision], site: Site, settings: Settings, now: datetime
) -> tuple[list[Decision], list[Problem]]:
    """Give each entry its images, videos and news."""
    done: list[Decision] = []
    problems: list[Problem] = []
    for decision in decisions:
        with_images, image_problems = illustrated(decision, site)
        with_videos, video_problems = filmed(with_images, site, settings)
        done.append(with_videos)
        problems += [*image_problems, *video_problems]
    done, news_problems = reported(done, site, settings, now)
    return done, [*problems, *news_problems]


def _because(
    page: SourcePage, overrides: Overrides, entry: UrlEntry, dated: Dated | None
) -> dict[str, Place | Change]:
    built = Place(origin=Origin.BUILT_PAGE, file=page.dest_uri)
    listed = built if overrides.exclude is None else overrides.places["exclude"]
    because: dict[str, Place | Change] = {"listed": listed}
    if dated:
        because["lastmod"] = dated.because
    elif "lastmod" in overrides.places:
        because["undated"] = overrides.places["lastmod"]
    for field in ("changefreq", "priority"):
        if getattr(entry, field) is not None:
            because[field] = overrides.places[field]
    return because
