"""Date every page that is listed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mkdocs_sitemap_plus.files import Search, repository_folder
from mkdocs_sitemap_plus.lastmod.dates_file import DatesFile
from mkdocs_sitemap_plus.lastmod.git import problems_of
from mkdocs_sitemap_plus.lastmod.missing import missing_dates, one_commit_for_most
from mkdocs_sitemap_plus.lastmod.parts import PartFinder
from mkdocs_sitemap_plus.lastmod.sources import (
    DateQuery,
    Dates,
    Key,
    dates_of_pages,
    future_problems,
)
from mkdocs_sitemap_plus.options import IncludeKind, Settings
from mkdocs_sitemap_plus.pages import Site, SourcePage
from mkdocs_sitemap_plus.pages.includes import Include
from mkdocs_sitemap_plus.pipeline import Context, Decided, Decision
from mkdocs_sitemap_plus.pipeline.select_pages import merge_overrides
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem
from mkdocs_sitemap_plus.wording import counted, first_names, format_value, listing


def date_pages(decisions: Sequence[Decision], context: Context) -> Decided:
    """Add the date of each page, or why it has none.

    With ``shallow: error``, raises SitemapError if a shallow clone hides dates.
    """
    site, history, settings = context.site, context.history, context.settings.lastmod
    dates = _find_new_dates(_need_date(decisions), context)
    # The dates may be those of more pages: `queries` has only the pages of these decisions.
    undated = (dates.undated[key] for key in dates.queries if key in dates.undated)
    dates = dates._replace(problems=[*dates.problems, *future_problems(undated)])
    listed = [key_of(each.page) for each in decisions if each.page and each.entry]
    because = (dates.dated[key].because for key in listed if key in dates.dated)
    problems = [
        *_missing_depends(dates.queries.values()),
        *missing_dates(listed, dates, settings, problems_of(history), serving=site.serving),
        *_unsearched_patterns(site, dates.queries),
        one_commit_for_most(because, history, settings.git),
    ]
    dated = [with_date(each, dates, key_of(each.page)) if each.page else each for each in decisions]
    return dated, filter(None, problems)


def decide_page_dates(context: Context) -> Dates:
    """Return the dates of all pages of a site, before it is known which of them are listed."""
    pages = [Decision(page=page, loc=page.loc) for page in context.site.pages]
    decisions, _ = merge_overrides(pages, context)
    return _find_dates(decisions, context)


def _find_new_dates(decisions: Iterable[Decision], context: Context) -> Dates:
    """Return the dates of the pages of these decisions. Dates that pages show are kept."""
    known = context.shown_dates
    if known is None:
        return _find_dates(decisions, context)
    pages = {key_of(each.page): each for each in decisions if each.page}
    new = [each for key, each in pages.items() if key not in known.queries]
    found = known.with_more(_find_dates(new, context))
    return found._replace(queries={key: found.queries[key] for key in pages})


def _find_dates(decisions: Iterable[Decision], context: Context) -> Dates:
    """Return the dates of the pages of these decisions, by all sources."""
    site, settings = context.site, context.settings.lastmod
    queries = date_queries(decisions, site, context.settings)
    file = DatesFile(site.root, settings)
    return dates_of_pages(queries, settings, context.history, context.now, file)


def compare_page_dates(decisions: Sequence[Decision], context: Context) -> Decided:
    """Note which pages show a different day than their entry has."""
    known = context.shown_dates
    differences, plugins, transformed = [], set(), []
    for each in decisions:
        if each.page is None or each.entry is None:
            continue
        page, shown, lastmod = each.page, each.page.date_by_plugin, each.entry.lastmod
        if lastmod and shown and shown.differs_from(lastmod):
            day = lastmod.isoformat()[:10]
            differences.append(f"{page.file}: {shown.text[:10]}, not {day}")
            plugins.add(shown.where)
        decided = known.dated.get(key_of(page)) if known else None
        if decided and decided.lastmod != lastmod:
            transformed.append(page.file)
    problems = []
    if differences and context.settings.page_dates is not False:
        problems.append(_other_days(differences, sorted(plugins), context.settings))
    if transformed:
        pages = counted(len(transformed), "page")
        found = "the function of `transform` changed dates that the pages already show: "
        found += f"{pages} ({first_names(transformed)})"
        fix = "Set these dates in front matter or in `rules`. Then the pages show them too."
        problems.append(Problem(code=Code.PAGE_DATES, found=found, fix=fix, level=Level.INFO))
    return decisions, problems


def _other_days(differences: Sequence[str], plugins: Sequence[str], settings: Settings) -> Problem:
    """Return the note on pages on which other plugins show a different day than their entry has."""
    show, them = ("shows", "it") if len(plugins) == 1 else ("show", "them")
    pages = counted(len(differences), "page")
    also = "" if settings.page_dates else " and set `page_dates: true`"
    return Problem(
        code=Code.PAGE_DATES,
        found=f"{listing(plugins)} {show} another day than the sitemap on {pages} "
        f"({differences[0]})",
        fix=f"Remove {them}{also}, or accept this with `page_dates: false`.",
        level=Level.INFO,
    )


def key_of(page: SourcePage) -> Key:
    """Return the key of a page: its built file and its source. Two pages may share one of them."""
    return page.dest_uri, page.src_uri


def with_date(decision: Decision, dates: Dates, key: Key) -> Decision:
    """Return the decision with the date of its entry, or why there is none."""
    if decision.entry is None:
        return decision
    if dated := dates.dated.get(key):
        return decision.with_field("lastmod", dated.lastmod, dated.because)
    undated = dates.undated.get(key)
    place = undated.place if undated else None
    because = {**decision.because, "undated": place} if place else decision.because
    return decision._replace(because=because, undated=undated)


def _need_date(decisions: Sequence[Decision]) -> list[Decision]:
    """Return listed pages, and the posts that a listed view of a blog shows: they date it."""
    pages = [(each, each.page) for each in decisions if each.page]
    shown = {post for each, page in pages if each.entry for post in page.posts}
    return [each for each, page in pages if each.entry or page.src_uri in shown]


def date_queries(
    decisions: Iterable[Decision], site: Site, settings: Settings
) -> dict[Key, DateQuery]:
    """Return what the date of each page depends on, by the key of the page."""
    search = Search((repository_folder(site.root), site.docs_dir))
    kinds = frozenset(settings.lastmod.includes)
    finder = PartFinder(include_options=site.include_options, kinds=kinds, search=search)
    by_src_uri = {page.src_uri: key_of(page) for page in site.pages}
    queries = {}
    for each in decisions:
        page, overrides = each.page, each.overrides
        if page is None:
            continue
        depends = [Include(IncludeKind.DEPENDS, name) for name in overrides.depends or ()]
        path = page.path or next(iter(page.source_files), None)
        parts = finder.parts_of(path, (*page.includes, *depends))
        queries[key_of(page)] = DateQuery(
            overrides=overrides,
            source_files=page.source_files,
            parts=parts._replace(files=parts.files.union(page.collected)),
            generated=page.path is not None,
            posts=tuple(by_src_uri[name] for name in page.posts if name in by_src_uri),
        )
    return queries


def _missing_depends(queries: Iterable[DateQuery]) -> Iterator[Problem]:
    """Yield a note for each name under ``sitemap.depends`` for which there is no file."""
    for query in queries:
        for name in query.overrides.depends or ():
            if name in query.parts.missing:
                yield Problem(
                    code=Code.DEPENDS,
                    place=query.overrides.places["depends"],
                    found=f"has the pattern {format_value(name)}, which matches no file",
                    level=Level.INFO,
                )


def _unsearched_patterns(site: Site, queries: Mapping[Key, DateQuery]) -> Iterator[Problem]:
    """Yield a problem for each pattern of a page that was not searched."""
    files = {key_of(page): page.file for page in site.pages}
    for key, query in queries.items():
        for pattern, reason in query.parts.unsearched:
            in_depends = pattern in (query.overrides.depends or ())
            page = Place(origin=Origin.FRONT_MATTER, file=files.get(key, key[1]))
            yield Problem(
                code=Code.UNSEARCHED,
                place=query.overrides.places["depends"] if in_depends else page,
                found=f"{'has' if in_depends else 'includes'} the pattern {format_value(pattern)}",
                done=f"{reason} The page gets no date from these files.",
                level=Level.WARNING if in_depends else Level.INFO,
            )
