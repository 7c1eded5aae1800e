"""All steps from a built site to the entries of its sitemap, in order."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from mkdocs_sitemap_plus.pages import SourcePage
from mkdocs_sitemap_plus.pipeline import Context, Decided, Decision, Outcome
from mkdocs_sitemap_plus.pipeline.add_alternates import add_alternates
from mkdocs_sitemap_plus.pipeline.add_extra_urls import add_extra_urls
from mkdocs_sitemap_plus.pipeline.add_media import add_images, add_news, add_videos
from mkdocs_sitemap_plus.pipeline.date_pages import compare_page_dates, date_pages
from mkdocs_sitemap_plus.pipeline.select_pages import drop_duplicates, select_pages
from mkdocs_sitemap_plus.pipeline.theme import add_theme_notes
from mkdocs_sitemap_plus.problems import Origin, Problem


def apply_transform(decisions: Sequence[Decision], context: Context) -> Decided:
    """Replace each entry by what the owner's function returns, if there is such a function."""
    function = context.settings.transform
    if function is None:
        return decisions, ()
    from mkdocs_sitemap_plus.pipeline.apply_transform import transform_entries  # noqa: PLC0415 - rare

    return transform_entries(decisions, context, function)


STEPS = (
    select_pages,
    date_pages,
    add_extra_urls,
    drop_duplicates,
    add_images,
    add_videos,
    add_news,
    add_alternates,
    apply_transform,
    compare_page_dates,
    add_theme_notes,
)
"""Each takes the decisions and the context, and returns the new decisions and problems."""


def decide(context: Context) -> Outcome:
    """Return the decisions on all pages of the site, and all problems.

    Equal arguments give equal outcomes. Raises SitemapError if the owner's function raised an
    exception; with ``shallow: error``, also if a shallow clone hides dates.
    """
    decisions: Sequence[Decision] = ()
    problems: list[Problem] = []
    for step in STEPS:
        decisions, found = step(decisions, context)
        problems += found
    # A problem in front matter is about a value that is not written.
    by_file: dict[str | None, list[Problem]] = defaultdict(list)
    for problem in dict.fromkeys(problems):
        if problem.place and problem.place.origin is Origin.FRONT_MATTER:
            by_file[problem.place.file].append(problem)
    decided = list(decisions)
    for number, decision in enumerate(decisions):
        page = decision.about
        if isinstance(page, SourcePage) and page.file in by_file:
            rejected = (*decision.rejected, *by_file[page.file])
            decided[number] = replace(decision, rejected=rejected)
    return Outcome(site=context.site, decisions=tuple(decided), problems=tuple(problems))
