"""Date every page that is listed."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from functools import cache
from typing import TYPE_CHECKING

from mkdocs_sitemap_plus.files import repository_folder
from mkdocs_sitemap_plus.generator.lastmod import (
    UNKNOWN_SOURCE,
    Dated,
    DateQuery,
    DateSource,
    Key,
)
from mkdocs_sitemap_plus.generator.lastmod.git_source import is_ci
from mkdocs_sitemap_plus.generator.lastmod.sources import FEWEST_PAGES, Dates, dates_of_pages
from mkdocs_sitemap_plus.generator.options import Settings
from mkdocs_sitemap_plus.generator.options.fields import Overrides
from mkdocs_sitemap_plus.generator.pages import ExtraFile, Listable, SourcePage, UncheckedSite
from mkdocs_sitemap_plus.generator.pipeline import Listed, Work, key_of
from mkdocs_sitemap_plus.gitdates import NoDate
from mkdocs_sitemap_plus.problems import Origin, Place

if TYPE_CHECKING:
    from mkdocs_sitemap_plus.generator.parts import PartFinder

Wanted = tuple[Listable, Overrides]  # what is to be dated, and what its owner set


def date_pages(work: Work) -> None:
    """Add the date of each page, or why it has none."""
    site, settings, sources, now, known = work.context
    # A view of a blog is dated by the posts that it shows, listed or not.
    posts = {post for page in work.listed for post in getattr(page.about, "posts", ())}
    wanted = [
        (each.about, each.overrides)
        for each in work.decisions
        if isinstance(each, Listed) or getattr(each.about, "src_uri", None) in posts
    ]
    if known:  # these are on the pages already, and stay
        new = [each for each in wanted if key_of(each[0]) not in known.queries]
        dates = known.with_more(find_dates(new, site, settings, sources, now))
        dates = dates._replace(queries={key_of(a): dates.queries[key_of(a)] for a, _ in wanted})
    else:
        dates = find_dates(wanted, site, settings, sources, now)
    if dates.future:
        from mkdocs_sitemap_plus.generator.lastmod.missing import future_problems  # noqa: PLC0415 - rare

        dates = dates._replace(problems=[*dates.problems, *future_problems(dates)])
    for page in work.listed:
        set_date(page, dates)
    if any(each.overrides.depends or each.parts.unsearched for each in dates.queries.values()):
        from mkdocs_sitemap_plus.generator.pipeline.date_notes import wrong_patterns  # noqa: PLC0415 - few

        work.problems += wrong_patterns(site, dates)
    if is_ci():
        from mkdocs_sitemap_plus.generator.pipeline.date_notes import uncommitted  # noqa: PLC0415 - in a CI

        work.problems += uncommitted(site, dates, sources)
    because = [page.because["lastmod"] for page in work.listed if page.entry.lastmod]
    if dates.problems or len(because) < len(dates.answers) or len(because) >= FEWEST_PAGES:
        from mkdocs_sitemap_plus.generator.lastmod import missing  # noqa: PLC0415 - there may be a message

        in_order = [key_of(page.about) for page in work.listed]
        work.problems += missing.missing_dates(in_order, dates, settings.lastmod, site)
        note = missing.one_commit_for_most(because, settings.lastmod.git, site.root)
        work.problems += [note] if note else []


def set_date(page: Listed, dates: Dates) -> None:
    """Set the date of an entry, or why there is none."""
    key = key_of(page.about)
    if dated := dates.of(key):
        page.set("lastmod", dated.lastmod, dated.because)
        return
    page.undated = dates.why_not(key)
    if place := dates.owners_place(key):
        page.because["undated"] = place


def find_dates(
    wanted: Iterable[Wanted],
    site: UncheckedSite,
    settings: Settings,
    sources: Sequence[DateSource],
    now: datetime,
) -> Dates:
    """Return the dates of these pages, by all sources; it need not be known which are listed."""
    return dates_of_pages(date_queries(wanted, site, settings), sources, settings.lastmod, now)


def date_queries(
    wanted: Iterable[Wanted], site: UncheckedSite, settings: Settings
) -> dict[Key, DateQuery]:
    """Return what the date of each page depends on, by the key of the page."""
    by_src_uri = {page.src_uri: key_of(page) for page in site.pages}

    @cache
    def finder() -> "PartFinder":
        from mkdocs_sitemap_plus.generator.pages.include_syntax import IncludeOptions  # noqa: PLC0415 - few
        from mkdocs_sitemap_plus.generator.parts import PartFinder, Search  # noqa: PLC0415 - as above

        options = site.include_options or IncludeOptions(site.docs_dir)
        search = Search((repository_folder(site.root), site.docs_dir))
        return PartFinder(options, frozenset(settings.lastmod.includes), search)

    queries: dict[Key, DateQuery] = {}
    for about, overrides in wanted:
        query, depends = DateQuery(overrides=overrides), overrides.depends or ()
        if isinstance(about, ExtraFile):
            query = query._replace(source_files=(about.source,))
        elif isinstance(about, SourcePage):
            parts = about.parts
            if about.includes or depends:
                path = about.path or next(iter(about.source_files), None)
                parts = finder().parts_of(path, about.includes, depends).with_more(parts)
            if depends:  # the owner named the files
                parts = parts._replace(unknown=())
            query = query._replace(
                source_files=about.source_files,
                no_source=_no_source(about, site),
                parts=parts,
                generated=about.path is not None,
                posts=tuple(by_src_uri[name] for name in about.posts if name in by_src_uri),
                published=_published(about, site) if site.waiting else None,
            )
        queries[key_of(about)] = query
    return queries


def _no_source(page: SourcePage, site: UncheckedSite) -> NoDate:
    cause = site.no_source.cause
    if page.no_source:  # what helps is another thing for each of them
        detail = f"{UNKNOWN_SOURCE.detail}: {page.no_source}"
        return UNKNOWN_SOURCE._replace(detail=detail, cause=cause)
    return UNKNOWN_SOURCE._replace(cause=cause, fix=site.no_source.fix)


def _published(post: SourcePage, site: UncheckedSite) -> Dated | None:
    """Material reads ``date`` or ``date.created``, and takes a day for midnight in UTC."""
    value, key = post.meta.get("date"), "date"
    if isinstance(value, Mapping):
        value, key = value.get("created"), "date.created"
    waits = any(map(site.waits, post.source_files[:1]))
    if not waits or not isinstance(value, date) or isinstance(post.meta.get("draft"), bool):
        return None
    if isinstance(value, datetime):
        value = value if value.tzinfo else value.replace(tzinfo=UTC)
        if value.astimezone(UTC).time() == time():  # Material may have made it of a day
            value = value.astimezone(UTC).date()
    place = Place(Origin.FRONT_MATTER, post.file, key, post.lines.get(key))
    return Dated(value, place)
