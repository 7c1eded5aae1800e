"""Date every page that is listed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mkdocs_sitemap_plus.files import Search, repository_folder
from mkdocs_sitemap_plus.lastmod.dates_file import DatesFile
from mkdocs_sitemap_plus.lastmod.missing import missing_dates, one_commit_for_most
from mkdocs_sitemap_plus.lastmod.parts import PartFinder
from mkdocs_sitemap_plus.lastmod.sources import DateQuery, Dates, Key, dates_of_pages
from mkdocs_sitemap_plus.options.settings import IncludeKind, Settings
from mkdocs_sitemap_plus.pages.includes import Include
from mkdocs_sitemap_plus.pages.page import Site, SourcePage
from mkdocs_sitemap_plus.pipeline.decision import Context, Decision, State
from mkdocs_sitemap_plus.problems import Origin, Place, Problem
from mkdocs_sitemap_plus.wording import format_value


def date_pages(state: State, context: Context) -> State:
    """Return the state with the date of each page; SitemapError by ``shallow: error``."""
    site, history, settings = context.site, context.history, context.settings.lastmod
    queries = date_queries(_need_date(state.decisions), site, context.settings)
    file = DatesFile(site.root, settings)
    dates = dates_of_pages(queries, settings, history, context.now, file)
    listed = [_key_of(each.page) for each in state.decisions if each.page and each.entry]
    changes = (dates.dated[key].because for key in listed if key in dates.dated)
    problems = [
        *_missing_depends(queries.values()),
        *missing_dates(listed, dates, settings, history.problems, serving=site.serving),
        *_unsearched_patterns(site, queries),
        one_commit_for_most(changes, history, settings.git),
    ]
    decisions = [
        with_date(each, dates, _key_of(each.page)) if each.page else each
        for each in state.decisions
    ]
    return state.with_result(decisions, filter(None, problems))


def _key_of(page: SourcePage) -> Key:
    """Return built file and source: sources may share a file, and files may share a source."""
    return page.dest_uri, page.src_uri


def with_date(decision: Decision, dates: Dates, key: Key) -> Decision:
    """Return the decision with the date of its entry, or why there is none."""
    if decision.entry is None:
        return decision
    if dated := dates.dated.get(key):
        return decision.with_field("lastmod", dated.lastmod, dated.because)
    place = decision.overrides.places.get("lastmod")
    because = {**decision.because, "undated": place} if place else decision.because
    return decision._replace(because=because, undated=dates.undated.get(key))


def _need_date(decisions: Sequence[Decision]) -> Iterator[Decision]:
    """Yield listed pages, and posts that a listed view of a blog shows: they date the view."""
    listed = (each.page for each in decisions if each.page and each.entry)
    shown = {post for page in listed for post in page.lists}
    for decision in decisions:
        page = decision.page
        if page is not None and (decision.entry or page.src_uri in shown):
            yield decision


def date_queries(
    decisions: Iterable[Decision], site: Site, settings: Settings
) -> dict[Key, DateQuery]:
    """Return what the date of each page depends on, by the key of the page."""
    search = Search((repository_folder(site.root), site.docs_dir))
    kinds = frozenset(settings.lastmod.includes)
    finder = PartFinder(include_options=site.include_options, kinds=kinds, search=search)
    by_src_uri = {page.src_uri: _key_of(page) for page in site.pages}
    queries = {}
    for page, overrides in ((each.page, each.overrides) for each in decisions):
        if page is None:
            continue
        depends = overrides.depends or ()
        includes = (Include(kind=IncludeKind.DEPENDS, name=name) for name in depends)
        path = page.path or next(iter(page.sources), None)
        parts = finder.parts_of(path, (*page.includes, *includes))
        queries[_key_of(page)] = DateQuery(
            overrides=overrides,
            sources=page.sources,
            parts=parts._replace(files=parts.files.union(page.collected)),
            generated=page.path is not None,
            lists=tuple(by_src_uri[name] for name in page.lists if name in by_src_uri),
        )
    return queries


def _missing_depends(pages: Iterable[DateQuery]) -> Iterator[Problem]:
    """Yield a note for each name under ``sitemap.depends`` for which there is no file."""
    for page in pages:
        for name in page.overrides.depends or ():
            if name in page.parts.missing:
                yield Problem(
                    code="depends",
                    place=page.overrides.places["depends"],
                    found=f"has the pattern {format_value(name)}, which matches no file",
                    note=True,
                )


def _unsearched_patterns(site: Site, queries: Mapping[Key, DateQuery]) -> Iterator[Problem]:
    """Yield one problem for each pattern of a page that was not searched."""
    files = {_key_of(page): page.file for page in site.pages}
    for key, page in queries.items():
        for pattern, reason in page.parts.unsearched:
            in_depends = pattern in (page.overrides.depends or ())
            place = Place(origin=Origin.FRONT_MATTER, file=files.get(key, key[1]))
            yield Problem(
                code="unsearched",
                place=page.overrides.places["depends"] if in_depends else place,
                found=f"{'has' if in_depends else 'includes'} the pattern {format_value(pattern)}",
                done=f"{reason} The page gets no date from it.",
                note=not in_depends,
            )
