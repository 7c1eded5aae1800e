"""All steps from a built site to the entries of its sitemap, in order."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from mkdocs_sitemap_plus.generator.lastmod import DateSource
from mkdocs_sitemap_plus.generator.lastmod.sources import Dates
from mkdocs_sitemap_plus.generator.options import Settings
from mkdocs_sitemap_plus.generator.pages import SourcePage, UncheckedSite
from mkdocs_sitemap_plus.generator.pipeline import Context, Listed, Outcome, Work
from mkdocs_sitemap_plus.generator.pipeline.date_pages import date_pages, find_dates
from mkdocs_sitemap_plus.generator.pipeline.select import (
    keep_one_per_url,
    overrides_of,
    select_pages,
)
from mkdocs_sitemap_plus.problems import Origin, Problem


def decide(context: Context) -> Outcome:
    """Return the decisions on all pages of the site, and all problems.

    Equal arguments give equal outcomes. Raises SitemapError if the owner's function raised an
    exception.
    """
    # What few sites have is imported only for them: builds should be quick.
    site, settings, work = context.site, context.settings, Work(context)
    select_pages(work)
    date_pages(work)
    if settings.extra_urls:
        from mkdocs_sitemap_plus.generator.pipeline.extra import add_extra_urls  # noqa: PLC0415

        add_extra_urls(work)
    keep_one_per_url(work)
    if any(_has_images(page) for page in work.listed):
        from mkdocs_sitemap_plus.generator.pipeline.images import add_images  # noqa: PLC0415

        add_images(work)
    if any(p.locale for p in site.pages) or isinstance(settings.alternates, tuple):
        from mkdocs_sitemap_plus.generator.pipeline.alternates import add_alternates  # noqa: PLC0415

        add_alternates(work)
    if settings.transform:
        from mkdocs_sitemap_plus.generator.pipeline.transform import transform_entries  # noqa: PLC0415

        transform_entries(work, settings.transform)
    if context.shown_dates or any(page.date_by_plugin for page in site.pages):
        from mkdocs_sitemap_plus.generator.pipeline.date_notes import compare_page_dates  # noqa: PLC0415

        compare_page_dates(work)
    if site.reads_sitemap:
        from mkdocs_sitemap_plus.generator.pipeline.theme import add_theme_notes  # noqa: PLC0415

        add_theme_notes(work)
    return _outcome(work)


def _has_images(page: Listed) -> bool:
    about = page.about
    return bool(page.overrides.images or (isinstance(about, SourcePage) and about.images))


def _outcome(work: Work) -> Outcome:
    problems = tuple(dict.fromkeys(work.problems))
    by_file: dict[str | None, list[Problem]] = defaultdict(list)
    for problem in problems:
        if problem.place and problem.place.origin is Origin.FRONT_MATTER:
            by_file[problem.place.file].append(problem)
    for decision in work.decisions:
        if by_file and isinstance(decision.about, SourcePage):
            decision.rejected += tuple(by_file.get(decision.about.file, ()))
    return Outcome(work.context.site, tuple(work.decisions), problems)


def decide_page_dates(
    site: UncheckedSite, settings: Settings, sources: Sequence[DateSource], now: datetime
) -> Dates:
    """Return the dates of all pages of a site, before it is known which of them are listed."""
    wanted = [(page, overrides_of(page, settings)[0]) for page in site.pages]
    return find_dates(wanted, site, settings, sources, now)
