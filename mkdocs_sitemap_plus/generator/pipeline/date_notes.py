"""Say what owners should know of the dates of pages, and of the patterns that they depend on."""

import posixpath
from collections.abc import Iterable, Iterator

from mkdocs_sitemap_plus.generator.lastmod import DateSource
from mkdocs_sitemap_plus.generator.lastmod.git_source import uncommitted_note
from mkdocs_sitemap_plus.generator.lastmod.sources import Dates
from mkdocs_sitemap_plus.generator.pages import SourcePage, UncheckedSite
from mkdocs_sitemap_plus.generator.pipeline import Work, key_of
from mkdocs_sitemap_plus.gitdates import Change
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem
from mkdocs_sitemap_plus.wording import counted, first_names, format_value, listing


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
                level=Level.WARNING if ours else Level.INFO,
            )


def uncommitted(
    site: UncheckedSite, dates: Dates, sources: Iterable[DateSource]
) -> Iterator[Problem]:
    """Yield a note if files of dated pages differ from the commits that date them."""
    files = {
        file
        for key, query in dates.queries.items()
        if (dated := dates.of(key)) and isinstance(dated.because, Change)
        for file in (*query.source_files, *query.parts.files)
    }
    if changed := {file for source in sources for file in source.uncommitted(files)}:
        yield uncommitted_note(changed, site.root)


def compare_page_dates(work: Work) -> None:
    """Note which pages show another day than their entry has."""
    _, settings, _, _, known = work.context
    differences, plugins, transformed = [], set(), []
    for listed in work.listed:
        page, lastmod = listed.about, listed.entry.lastmod
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
        work.problems.append(Problem(Code.PAGE_DATES, found, fix=fix, level=Level.INFO))
    if transformed:
        pages = counted(len(transformed), "page")
        found = "the function of `transform` changed dates that the pages already show: "
        found += f"{pages} ({first_names(transformed)})"
        fix = "Set these dates in front matter or in `rules`. Then the pages show them too."
        work.problems.append(Problem(Code.PAGE_DATES, found, fix=fix, level=Level.INFO))
