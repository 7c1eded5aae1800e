"""Date every page that is listed, and say what owners should know of these dates."""

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time
from functools import cache
from typing import TYPE_CHECKING

from mkdocs_sitemap_plus.files import repository_folder
from mkdocs_sitemap_plus.generator.lastmod.date_source import (
    UNKNOWN_SOURCE,
    Dated,
    DateQuery,
    DateSource,
    Key,
)
from mkdocs_sitemap_plus.generator.lastmod.git_source import is_ci, uncommitted_note
from mkdocs_sitemap_plus.generator.lastmod.missing import (
    future_problems,
    missing_dates,
    one_commit_for_most,
)
from mkdocs_sitemap_plus.generator.lastmod.sources import Dates, dates_of_pages
from mkdocs_sitemap_plus.generator.options.fields import Overrides
from mkdocs_sitemap_plus.generator.options.settings import Settings
from mkdocs_sitemap_plus.generator.pages.include_syntax import IncludeOptions
from mkdocs_sitemap_plus.generator.pages.site import ExtraFile, Listable, SourcePage, UncheckedSite
from mkdocs_sitemap_plus.generator.pipeline.decisions import BuildState, Listed, key_of
from mkdocs_sitemap_plus.gitdates import Change, NoDate
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem
from mkdocs_sitemap_plus.wording import counted, first_names, format_value, listing

if TYPE_CHECKING:
    from mkdocs_sitemap_plus.generator.parts import PartFinder


PageToDate = tuple[Listable, Overrides]  # what is to be dated, and what its owner set


def date_pages(work: BuildState) -> None:
    """Add the date of each page, or why it has none."""
    site, settings, sources, now, known = work.context
    # A view of a blog is dated by the posts that it shows, listed or not.
    posts = {post for page in work.listed for post in getattr(page.target, "posts", ())}
    pages = [
        (each.target, each.overrides)
        for each in work.decisions
        if isinstance(each, Listed) or getattr(each.target, "src_uri", None) in posts
    ]
    if known:  # these are on the pages already, and stay
        new = [each for each in pages if key_of(each[0]) not in known.queries]
        dates = known.with_more(find_dates(new, site, settings, sources, now))
        dates = dates._replace(queries={key_of(a): dates.queries[key_of(a)] for a, _ in pages})
    else:
        dates = find_dates(pages, site, settings, sources, now)
    dates = dates._replace(problems=[*dates.problems, *future_problems(dates)])
    for page in work.listed:
        set_date(page, dates)
    work.problems += wrong_patterns(site, dates)
    if is_ci():
        work.problems += uncommitted(site, dates, sources)
    origins = [page.origins["lastmod"] for page in work.listed if page.entry.lastmod]
    in_order = [key_of(page.target) for page in work.listed]
    work.problems += missing_dates(in_order, dates, settings.lastmod, site)
    note = one_commit_for_most(origins, settings.lastmod.git, site.root)
    work.problems += [note] if note else []


def set_date(page: Listed, dates: Dates) -> None:
    """Set the date of an entry, or why there is none."""
    key = key_of(page.target)
    if dated := dates.of(key):
        page.set("lastmod", dated.lastmod, dated.origin)
        return
    page.undated = dates.why_not(key)
    if place := dates.owners_place(key):
        page.origins["undated"] = place


def find_dates(
    pages: Iterable[PageToDate],
    site: UncheckedSite,
    settings: Settings,
    sources: Sequence[DateSource],
    now: datetime,
) -> Dates:
    """Return the dates of these pages, by all sources; it need not be known which are listed."""
    return dates_of_pages(date_queries(pages, site, settings), sources, settings.lastmod, now)


def date_queries(
    pages: Iterable[PageToDate], site: UncheckedSite, settings: Settings
) -> dict[Key, DateQuery]:
    """Return what the date of each page depends on, by the key of the page."""
    by_src_uri = {page.src_uri: key_of(page) for page in site.pages}

    @cache
    def finder() -> "PartFinder":
        from mkdocs_sitemap_plus.generator.parts import PartFinder, Search  # noqa: PLC0415 - 3 ms; few include

        options = site.include_options or IncludeOptions(site.docs_dir)
        search = Search((repository_folder(site.root), site.docs_dir))
        return PartFinder(options, frozenset(settings.lastmod.includes), search)

    queries: dict[Key, DateQuery] = {}
    for target, overrides in pages:
        query, depends = DateQuery(overrides=overrides), overrides.depends or ()
        if isinstance(target, ExtraFile):
            query = query._replace(source_files=(target.source,))
        elif isinstance(target, SourcePage):
            parts = target.parts
            if target.includes or depends:
                path = target.path or next(iter(target.source_files), None)
                parts = finder().parts_of(path, target.includes, depends).with_more(parts)
            if depends:  # the owner named the files
                parts = parts._replace(unknown=())
            query = query._replace(
                source_files=target.source_files,
                no_source=_no_source(target, site),
                parts=parts,
                generated=target.path is not None,
                posts=tuple(by_src_uri[name] for name in target.posts if name in by_src_uri),
                published=_published(target, site) if site.waiting else None,
            )
        queries[key_of(target)] = query
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


def wrong_patterns(site: UncheckedSite, dates: Dates) -> Iterator[Problem]:
    """Yield a problem for each pattern of a page that matches no file, or was not searched."""
    files = {key_of(page): page.file for page in site.pages}
    for key, query in dates.queries.items():
        depends, place = query.overrides.depends or (), query.overrides.places.get("depends")
        for name in depends:
            if name in query.parts.missing:
                found = f"has the pattern {format_value(name)}, which matches no file"
                done = "So it never changes the date of the page."
                folder = posixpath.dirname(place.file or "") if place else ""
                fix = f"Paths start from {folder}/, the folder of the page." if folder else None
                yield Problem(Code.DEPENDS, found, place, done=done, fix=fix)
        for pattern, reason in query.parts.unsearched:
            ours = pattern in depends
            yield Problem(
                Code.UNSEARCHED,
                f"{'has' if ours else 'includes'} the pattern {format_value(pattern)}",
                place if ours else Place(Origin.FRONT_MATTER, files.get(key, key[1])),
                done=f"{reason} The page gets no date from these files.",
                level=Level.WARNING if ours else Level.NOTE,
            )


def uncommitted(
    site: UncheckedSite, dates: Dates, sources: Iterable[DateSource]
) -> Iterator[Problem]:
    """Yield a note if files of dated pages differ from the commits that date them."""
    files = {
        file
        for key, query in dates.queries.items()
        if (dated := dates.of(key)) and isinstance(dated.origin, Change)
        for file in (*query.source_files, *query.parts.files)
    }
    if changed := {file for source in sources for file in source.uncommitted(files)}:
        yield uncommitted_note(changed, site.root)


def compare_page_dates(work: BuildState) -> None:
    """Note which pages show another day than their entry has."""
    _, settings, _, _, known = work.context
    differences, plugins, transformed = [], set(), []
    for listed in work.listed:
        page, lastmod = listed.target, listed.entry.lastmod
        if not isinstance(page, SourcePage):
            continue
        shown = page.date_by_plugin
        if lastmod and shown and shown.differs_from(lastmod):
            differences.append(f"{page.file}: {shown.text[:10]}, not {lastmod.isoformat()[:10]}")
            plugins.add(shown.where)
        decided = known.of(key_of(page)) if known else None
        if decided and decided.lastmod != lastmod:
            transformed.append(page.file)
    if differences and settings.page_dates is not False:
        show, them = ("shows", "it") if len(plugins) == 1 else ("show", "them")
        found = (
            f"{listing(sorted(plugins))} {show} another day than the sitemap on "
            f"{counted(len(differences), 'page')} ({differences[0]})"
        )
        also = "" if settings.page_dates else " and set `page_dates: true`"
        fix = f"Remove {them}{also}, or accept this with `page_dates: false`."
        work.problems.append(Problem(Code.PAGE_DATES, found, fix=fix, level=Level.NOTE))
    if transformed:
        pages = counted(len(transformed), "page")
        found = "the function of `transform` changed dates that the pages already show: "
        found += f"{pages} ({first_names(transformed)})"
        fix = "Set these dates in front matter or in `rules`. Then the pages show them too."
        work.problems.append(Problem(Code.PAGE_DATES, found, fix=fix, level=Level.NOTE))
