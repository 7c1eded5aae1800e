"""Generate the sitemap of a built site: make its entries, split them, then write its files."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import cache, partial
from pathlib import Path

from mkdocs_sitemap_plus.files import exists, is_file, path_from
from mkdocs_sitemap_plus.generator import output
from mkdocs_sitemap_plus.generator.kept_report import last_files
from mkdocs_sitemap_plus.generator.lastmod.date_source import DateSource
from mkdocs_sitemap_plus.generator.lastmod.sources import Dates
from mkdocs_sitemap_plus.generator.options.settings import Settings
from mkdocs_sitemap_plus.generator.pages.site import (
    OutReason,
    Site,
    SourcePage,
    UncheckedSite,
    by_count,
    reasons_of,
)
from mkdocs_sitemap_plus.generator.pipeline import notes
from mkdocs_sitemap_plus.generator.pipeline.alternates import add_alternates
from mkdocs_sitemap_plus.generator.pipeline.date_pages import (
    compare_page_dates,
    date_pages,
    find_dates,
)
from mkdocs_sitemap_plus.generator.pipeline.decisions import (
    BuildState,
    Context,
    Listed,
    Outcome,
    files_in,
)
from mkdocs_sitemap_plus.generator.pipeline.extra import add_extra_urls
from mkdocs_sitemap_plus.generator.pipeline.images import add_images
from mkdocs_sitemap_plus.generator.pipeline.select import one_per_url, overrides_of, select_pages
from mkdocs_sitemap_plus.generator.robots_txt import add_to_robots
from mkdocs_sitemap_plus.gitdates import GitCode
from mkdocs_sitemap_plus.problems import MAX_OF_A_KIND, Code, Level, Origin, Place, Problem, invalid
from mkdocs_sitemap_plus.sitemap.protocol import MAX_BYTES, MAX_URLS
from mkdocs_sitemap_plus.sitemap.urls import other_host, read_url, within
from mkdocs_sitemap_plus.sitemap.write import STYLESHEET, Layout, files, index_name, stylesheet
from mkdocs_sitemap_plus.wording import counted, distinct, first_names, format_value, listing


def decide(context: Context) -> Outcome:
    """Return the decisions on all pages of the site, and all problems.

    Equal arguments give equal outcomes. Raises SitemapError if the owner's function raised an
    exception.
    """
    site, settings, work = context.site, context.settings, BuildState(context)
    select_pages(work)
    date_pages(work)
    add_extra_urls(work)
    one_per_url(work)
    work.problems += notes.same_url_notes(work.decisions)
    add_images(work)
    add_alternates(work)
    if settings.transform:
        from mkdocs_sitemap_plus.generator.pipeline.transform import transform_entries  # noqa: PLC0415 - 3 ms

        transform_entries(work, settings.transform)
    compare_page_dates(work)
    if site.reads_sitemap:
        notes.add_theme_notes(work)
    return _outcome(work)


def _outcome(work: BuildState) -> Outcome:
    problems = tuple(dict.fromkeys(work.problems))
    by_file: dict[str | None, list[Problem]] = defaultdict(list)
    for problem in problems:
        if problem.place and problem.place.origin is Origin.FRONT_MATTER:
            by_file[problem.place.file].append(problem)
    for decision in work.decisions:
        if by_file and isinstance(decision.target, SourcePage):
            decision.rejected += tuple(by_file.get(decision.target.file, ()))
    return Outcome(work.context.site, tuple(work.decisions), problems)


def decide_page_dates(
    site: UncheckedSite, settings: Settings, sources: Sequence[DateSource], now: datetime
) -> Dates:
    """Return the dates of all pages of a site, before it is known which of them are listed."""
    pages = [(page, overrides_of(page, settings)[0]) for page in site.pages]
    return find_dates(pages, site, settings, sources, now)


def generate(context: Context, progress: Callable[[str], None] = lambda _: None) -> Outcome:
    """Write the sitemap of a site, in one file or in several, and return all results.

    `progress` is called before each task that may take long, with a few words about the task.
    Raises SitemapError if an option makes the build stop, or a file can't be written.
    """
    site, settings = context.site, context.settings
    folder, last = site.site_dir, cache(last_build(site.site_dir, site.root, settings))
    progress(f"dating {counted(len(site.pages), 'page')}")
    outcome = decide(context)
    main, extra = outcome.listed, list[Listed]()
    if site.reads_sitemap:
        main, extra = notes.split_for_theme(outcome, settings.filename)
    if not main and not extra:
        output.remove_files(folder, settings.filename, last)
        empty = _empty_problem(outcome, settings.filename)
        return outcome._replace(problems=(*outcome.problems, empty))
    layout, layout_problems = _layout_of(site, settings)
    progress(f"writing {counted(len(main) + len(extra), 'URL')}")
    entries, extra_entries = ([page.entry for page in listed] for listed in (main, extra))
    content = files(entries, layout, extra_entries)
    if settings.stylesheet:
        output.write_if_missing(folder / STYLESHEET, stylesheet())
    others = output.files_of_others(folder, settings.filename)
    written = output.write_files(folder, content, settings.filename, last)
    problems = [*outcome.problems, *layout_problems]
    problems += [
        output.overwritten_file(path_from(site.root, folder / name))
        for name in others
        if name in written and not is_file(site.docs_dir / name)  # else that file is named
    ]
    if site.reads_sitemap:
        problems += notes.theme_problems(site, layout, extra, written)
    old = output.old_files(folder, settings.filename, written, last)
    problems += map(output.kept_file, old)
    if settings.robots_txt:
        index = index_name(settings.filename)
        first = index if index in written else settings.filename
        problems += filter(None, [add_to_robots(site, first)])
    for name in site.edited_by:
        problems.append(
            Problem(
                Code.REPLACED,
                f"has {name}, which is made for the sitemap of MkDocs",
                site.option("plugins"),
                done="It has no effect on this one, or damages it.",
                fix=f"Remove {name}, and name in `exclude` of sitemap-plus what to leave out.",
                level=Level.NOTE,
            )
        )
    if host := other_host(site.site_dir, site.url):
        in_docs = exists(site.docs_dir / "CNAME")
        name = path_from(site.root, (site.docs_dir if in_docs else site.site_dir) / "CNAME")
        problem = Problem(
            Code.SITE_URL,
            f"it names {format_value(host)}, so GitHub Pages redirects {site.url} to it",
            Place(Origin.OPTION, name),
            fix="Set site_url to the address there, or delete this file.",
        )
        problems += [] if site.serving else [problem]
    return outcome._replace(files=written, problems=tuple(problems))


def last_build(site_dir: Path, root: Path, settings: Settings) -> output.Names:
    """Return what tells which files of the sitemap the last build of a site wrote."""
    return partial(last_files, site_dir, root / settings.report if settings.report else None)


def _layout_of(site: Site, settings: Settings) -> tuple[Layout, list[Problem]]:
    """An index lists only sitemaps in its own folder or below (Google, "Manage your sitemaps")."""
    own, index = site.url + settings.filename, site.url + index_name(settings.filename)
    others, problems = [], []
    for number, raw in enumerate(settings.extra_sitemaps):
        place = site.option("extra_sitemaps").item(number)
        loc, faults = read_url(raw, place, site.url)
        if loc == index:
            faults = [invalid(Code.EXTRA_SITEMAP, place, raw, fault="is the index itself")]
        # The address of a development server is not the one that the owner configured.
        elif loc and not site.serving and not within(loc, site.url):
            expected = f"a URL under the index's own folder {site.url}"
            faults = [invalid(Code.EXTRA_SITEMAP, place, raw, expected)]
        if loc and not faults and loc != own:
            others.append(loc)
        done = "It is not listed."
        problems += [each._replace(code=Code.EXTRA_SITEMAP, done=done) for each in faults]
    return Layout(
        filename=settings.filename,
        base=site.url,
        max_urls=MAX_URLS,
        max_bytes=MAX_BYTES,
        others=tuple(dict.fromkeys(others)),
        stylesheet=STYLESHEET if settings.stylesheet else None,
    ), problems


def without_sitemap(site: UncheckedSite, settings: Settings) -> Outcome:
    """Remove the sitemap of a site without a usable URL: the builder's own is of no use either."""
    last = last_build(site.site_dir, site.root, settings)
    output.remove_files(site.site_dir, settings.filename, last)
    return Outcome(site=site, decisions=(), problems=())


def _empty_problem(outcome: Outcome, filename: str) -> Problem:
    """Return a note if every page is noindex, as in a preview; otherwise a warning."""
    place = Place(Origin.PLUGIN, filename)
    left_out = [page for page in outcome.left_out if page.reason not in _NEVER_LISTED]
    built = [file.built for file in files_in(left_out)]
    if built and all(page and page.noindex for page in built):
        pages = counted(len(built), "page")
        found = f"there is no sitemap, since the whole site is noindex ({pages})"
        return Problem(Code.EMPTY, found, place, level=Level.NOTE)
    reasons = Counter(page.reason for page in outcome.left_out)
    counts = ", ".join(f"{count:,} {reason}" for reason, count in sorted(reasons.items()))
    places = {page.place for page in left_out if page.reason is OutReason.EXCLUDED}
    found = "no page of the site can be listed"
    if len(places) == 1:
        (place,), found = places, "leaves no page that can be listed"
    return Problem(
        Code.EMPTY,
        f"{found} ({counts})" if counts else found,
        place,
        done="No file is written, because a sitemap must not be empty.",
    )


_NEVER_LISTED = (OutReason.ERROR_PAGE, OutReason.REDIRECT, OutReason.SAME_URL)


_SAY_NOTHING_IS_DATED = (Code.NO_DATES, Code.NO_SOURCE, Code.SHALLOW, GitCode.NO_BLOBS)
"""Problems that give the reason if no page has a date; the summary does not repeat it."""


def summary(outcome: Outcome) -> str:
    """Return the summary line: pages, dates by source, and pages left out by reason.

    For example: ``sitemap.xml: 12 pages, 10 dated (git 9, front matter 1), 2 undated (docs/a.md,
    docs/b.md); 3 left out (2 excluded, 1 noindex)``. What is zero is not in it.
    """
    listed = outcome.listed
    parts = [_pages(listed), *_dates(listed, outcome.problems)]
    line = f"{_files(outcome.files)}: {', '.join(parts)}"
    out = Counter(str(decision.reason) for decision in outcome.left_out)
    if out:
        line += f"; {out.total():,} left out ({reasons_of(out)})"
    return line


def _pages(listed: Sequence[Listed]) -> str:
    """Return ``2 pages``, or ``2 URLs`` if one of them is not a page; and how many are copies."""
    files = files_in(listed)
    pages = sum(file.dest_uri.lower().endswith((".html", ".htm")) for file in files)
    number = counted(len(listed), "page" if pages == len(listed) else "URL")
    copies = sum(isinstance(file, SourcePage) and file.is_fallback for file in files)
    return f"{number} ({counted(copies, OutReason.FALLBACK_PAGE)})" if copies else number


def _dates(listed: Sequence[Listed], problems: Sequence[Problem]) -> Iterator[str]:
    dated = Counter(decision.date_source for decision in listed if decision.date_source)
    undated = [decision for decision in listed if not decision.date_source]
    if not dated:
        if not any(problem.code in _SAY_NOTHING_IS_DATED for problem in problems):
            reasons = Counter(str(each.undated.reason) for each in undated if each.undated)
            why = ", ".join(reason for reason, _ in by_count(reasons))
            yield f"none dated ({why})" if why else "none dated"
        return
    number = f"{dated.total():,} " if undated else "all " if len(listed) > 1 else ""
    sources = [f"{source} {count:,}" for source, count in by_count(dated)]
    yield f"{number}dated ({', '.join(sources if len(dated) > 1 else dated)})"
    if undated:
        names = distinct((decision.name, decision.loc) for decision in undated)
        yield f"{len(undated):,} undated ({first_names(names, MAX_OF_A_KIND)})"


def _files(names: Sequence[str]) -> str:
    sitemaps = sorted((name for name in names if name.endswith(".xml")), key=len)
    main, index = sitemaps[0], index_name(sitemaps[0])
    shown = [main, index] if index in sitemaps else [main]
    if parts := len(sitemaps) - len(shown):
        shown.append(counted(parts, "part"))
    return listing(shown)
