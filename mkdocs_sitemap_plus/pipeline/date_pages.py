"""Date every page that is listed."""

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from mkdocs_sitemap_plus.files import repository_folder
from mkdocs_sitemap_plus.lastmod.date_source import DateQuery, DateSource, Key
from mkdocs_sitemap_plus.lastmod.parts import PartFinder, Search
from mkdocs_sitemap_plus.lastmod.sources import FEWEST_PAGES, Dates, dates_of_pages, future_problems
from mkdocs_sitemap_plus.options import IncludeKind, Settings
from mkdocs_sitemap_plus.pages import ExtraFile, Listable, SourcePage, UncheckedSite, Url
from mkdocs_sitemap_plus.pages.includes import Include
from mkdocs_sitemap_plus.pipeline import Candidate, Context, Decided, Decision, Listed, listed_in
from mkdocs_sitemap_plus.pipeline.select_pages import overrides_of
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem
from mkdocs_sitemap_plus.wording import counted, first_names, format_value, listing


def date_pages(decisions: Sequence[Decision], context: Context) -> Decided:
    """Add the date of each page, or why it has none.

    With ``shallow: error``, raises SitemapError if a shallow clone hides dates.
    """
    site, settings = context.site, context.settings.lastmod
    dates = _find_new_dates(_need_date(decisions), context)
    # The dates may be those of more pages: `queries` has only the pages of these decisions.
    dates = dates._replace(problems=[*dates.problems, *future_problems(dates)])
    listed = [key_of(decision.about) for decision in listed_in(decisions)]
    because = [dates.dated[key].because for key in listed if key in dates.dated]
    problems = [*_missing_depends(dates.queries.values())]
    if dates.problems or dates.undated or len(because) >= FEWEST_PAGES:
        from mkdocs_sitemap_plus.lastmod import missing  # noqa: PLC0415 - there may be a message

        problems += missing.missing_dates(listed, dates, settings, site.root, serving=site.serving)
        note = missing.one_commit_for_most(because, settings.git, site.root)
        problems += [note] if note else []
    problems += _unsearched_patterns(site, dates.queries)
    dated = [
        with_date(decision, dates) if isinstance(decision, Listed) else decision
        for decision in decisions
    ]
    return dated, problems


def decide_page_dates(
    site: UncheckedSite, settings: Settings, sources: Sequence[DateSource], now: datetime
) -> Dates:
    """Return the dates of all pages of a site, before it is known which of them are listed."""
    merged = ((page, overrides_of(page, settings)[0]) for page in site.pages)
    candidates = [Candidate(about=page, overrides=overrides) for page, overrides in merged]
    return _find_dates(candidates, site, settings, sources, now)


def _find_new_dates(candidates: Sequence[Candidate], context: Context) -> Dates:
    """Return the dates of these pages. Dates that pages show are kept."""
    site, settings, sources, now, known = context
    if known is None:
        return _find_dates(candidates, site, settings, sources, now)
    new = [page for page in candidates if key_of(page.about) not in known.queries]
    found = known.with_more(_find_dates(new, site, settings, sources, now))
    keys = [key_of(page.about) for page in candidates]
    return found._replace(queries={key: found.queries[key] for key in keys})


def _find_dates(
    candidates: Iterable[Candidate],
    site: UncheckedSite,
    settings: Settings,
    sources: Sequence[DateSource],
    now: datetime,
) -> Dates:
    """Return the dates of these pages, by all sources."""
    queries = date_queries(candidates, site, settings)
    return dates_of_pages(queries, sources, settings.lastmod, now)


def compare_page_dates(decisions: Sequence[Decision], context: Context) -> Decided:
    """Note which pages show a different day than their entry has."""
    known = context.shown_dates
    differences, plugins, transformed = [], set(), []
    for decision in listed_in(decisions):
        page, lastmod = decision.about, decision.entry.lastmod
        if not isinstance(page, SourcePage):
            continue
        shown = page.date_by_plugin
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


def key_of(about: Listable) -> Key:
    """Return the key of a date: built file and source, since two pages may share one of them."""
    return ("", about.loc) if isinstance(about, Url) else (about.dest_uri, about.src_uri)


def with_date(decision: Listed, dates: Dates) -> Listed:
    """Return the decision with the date of its entry, or why there is none."""
    key = key_of(decision.about)
    if dated := dates.dated.get(key):
        return decision.with_field("lastmod", dated.lastmod, dated.because)
    undated = dates.undated.get(key)
    place = dates.owners_place(key)
    because = {**decision.because, "undated": place} if place else decision.because
    return replace(decision, because=because, undated=undated)


def _need_date(decisions: Sequence[Decision]) -> list[Candidate]:
    """Return what is listed, and the posts that a listed view of a blog shows: they date it."""
    listed = [decision.about for decision in listed_in(decisions)]
    posts = {post for page in listed if isinstance(page, SourcePage) for post in page.posts}

    def is_post(about: Listable) -> bool:
        return isinstance(about, SourcePage) and about.src_uri in posts

    return [each for each in decisions if isinstance(each, Listed) or is_post(each.about)]


def date_queries(
    candidates: Iterable[Candidate], site: UncheckedSite, settings: Settings
) -> dict[Key, DateQuery]:
    """Return what the date of each page depends on, by the key of the page."""
    search = Search((repository_folder(site.root), site.docs_dir))
    kinds = frozenset(settings.lastmod.includes)
    finder = PartFinder(include_options=site.include_options, kinds=kinds, search=search)
    by_src_uri = {page.src_uri: key_of(page) for page in site.pages}
    queries = {}
    for candidate in candidates:
        about, overrides = candidate.about, candidate.overrides
        match about:
            case SourcePage():
                depends = [Include(IncludeKind.DEPENDS, name) for name in overrides.depends or ()]
                path = about.path or next(iter(about.source_files), None)
                parts = finder.parts_of(path, (*about.includes, *depends))
                query = DateQuery(
                    overrides=overrides,
                    source_files=about.source_files,
                    no_source=about.no_source,
                    parts=parts._replace(
                        files=parts.files.union(about.collected),
                        # Under `depends`, the owner named the files.
                        unknown=() if depends else (*parts.unknown, *about.unknown_parts),
                    ),
                    generated=about.path is not None,
                    posts=tuple(by_src_uri[name] for name in about.posts if name in by_src_uri),
                )
            case ExtraFile():
                query = DateQuery(overrides=overrides, source_files=(about.source,))
            case Url():
                query = DateQuery(overrides=overrides)
        queries[key_of(about)] = query
    return queries


def _missing_depends(queries: Iterable[DateQuery]) -> Iterator[Problem]:
    """Yield a warning for each name under ``sitemap.depends`` for which there is no file.

    The date of the page would be too old for ever.
    """
    for query in queries:
        for name in query.overrides.depends or ():
            if name in query.parts.missing:
                place = query.overrides.places["depends"]
                folder = posixpath.dirname(place.file or "")
                yield Problem(
                    code=Code.DEPENDS,
                    place=place,
                    found=f"has the pattern {format_value(name)}, which matches no file",
                    done="So it never changes the date of the page.",
                    fix=f"Paths start from {folder}/, the folder of the page." if folder else None,
                )


def _unsearched_patterns(
    site: UncheckedSite, queries: Mapping[Key, DateQuery]
) -> Iterator[Problem]:
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
