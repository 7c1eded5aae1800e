"""Generate the sitemap of a built site: make its entries, split them, then write its files."""

from collections import Counter
from collections.abc import Callable
from functools import cache, partial

from mkdocs_sitemap_plus.files import exists, is_file, path_from
from mkdocs_sitemap_plus.generator.kept_report import last_files
from mkdocs_sitemap_plus.generator.options import Settings
from mkdocs_sitemap_plus.generator.output import (
    Names,
    files_of_others,
    kept_file,
    old_files,
    overwritten_file,
    remove_files,
    write_files,
    write_if_missing,
)
from mkdocs_sitemap_plus.generator.pages import OutReason, Site, UncheckedSite
from mkdocs_sitemap_plus.generator.pipeline import Context, Listed, Outcome, files_in
from mkdocs_sitemap_plus.generator.pipeline.decide import decide
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem, invalid
from mkdocs_sitemap_plus.sitemap import MAX_BYTES, MAX_URLS
from mkdocs_sitemap_plus.sitemap.urls import other_host, read_url, within
from mkdocs_sitemap_plus.sitemap.write import STYLESHEET, Layout, files, index_name, stylesheet
from mkdocs_sitemap_plus.wording import counted, format_value


def generate(context: Context, progress: Callable[[str], None] = lambda _: None) -> Outcome:
    """Write the sitemap of a site, in one file or in several, and return all results.

    `progress` is called before each task that may take long, with a few words about the task.
    Raises SitemapError if an option makes the build stop, or a file can't be written.
    """
    site, settings = context.site, context.settings
    folder, last = site.site_dir, cache(last_build(site, settings))
    progress(f"dating {counted(len(site.pages), 'page')}")
    outcome = decide(context)
    main, extra = outcome.listed, list[Listed]()
    if site.reads_sitemap:
        from mkdocs_sitemap_plus.generator.pipeline import theme  # noqa: PLC0415 - with some themes

        main, extra = theme.split_for_theme(outcome, settings.filename)
    if not main and not extra:
        remove_files(folder, settings.filename, last)
        empty = _empty_problem(outcome, settings.filename)
        return outcome._replace(problems=(*outcome.problems, empty))
    layout, layout_problems = _layout_of(site, settings)
    progress(f"writing {counted(len(main) + len(extra), 'URL')}")
    entries, extra_entries = ([page.entry for page in listed] for listed in (main, extra))
    content = files(entries, layout, extra_entries)
    if settings.stylesheet:
        write_if_missing(folder / STYLESHEET, stylesheet())
    others = files_of_others(folder, settings.filename)
    written = write_files(folder, content, settings.filename, last)
    problems = [*outcome.problems, *layout_problems]
    problems += [
        overwritten_file(path_from(site.root, folder / name))
        for name in others
        if name in written and not is_file(site.docs_dir / name)  # else that file is named
    ]
    if site.reads_sitemap:
        problems += theme.theme_problems(site, layout, extra, written)
    problems += map(kept_file, old_files(folder, settings.filename, written, last))
    if settings.robots_txt:
        from mkdocs_sitemap_plus.generator.robots_txt import add_to_robots  # noqa: PLC0415 - rare

        index = index_name(settings.filename)
        first = index if index in written else settings.filename
        problems += filter(None, [add_to_robots(site, first)])
    for name in site.edited_by:
        problems.append(
            Problem(
                code=Code.REPLACED,
                place=site.option("plugins"),
                found=f"has {name}, which is made for the sitemap of MkDocs",
                done="It has no effect on this one, or damages it.",
                fix=f"Remove {name}, and name in `exclude` of sitemap-plus what to leave out.",
                level=Level.INFO,
            )
        )
    if host := other_host(site.site_dir, site.url):
        in_docs = exists(site.docs_dir / "CNAME")
        name = path_from(site.root, (site.docs_dir if in_docs else site.site_dir) / "CNAME")
        problem = Problem(
            code=Code.SITE_URL,
            place=Place(origin=Origin.OPTION, file=name),
            found=f"it names {format_value(host)}, so GitHub Pages redirects {site.url} to it",
            fix="Set site_url to the address there, or delete this file.",
        )
        problems += [] if site.serving else [problem]
    return outcome._replace(files=written, problems=tuple(problems))


def last_build(site: UncheckedSite, settings: Settings) -> Names:
    """Return what tells which files of the sitemap the last build of a site wrote."""
    named = site.root / settings.report if settings.report else None
    return partial(last_files, site.site_dir, named)


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
    remove_files(site.site_dir, settings.filename, last_build(site, settings))
    return Outcome(site=site, decisions=(), problems=())


def _empty_problem(outcome: Outcome, filename: str) -> Problem:
    """Return a note if every page is noindex, as in a preview; otherwise a warning."""
    place = Place(origin=Origin.PLUGIN, file=filename)
    left_out = [page for page in outcome.left_out if page.reason not in _NEVER_LISTED]
    built = [file.built for file in files_in(left_out)]
    if built and all(page and page.noindex for page in built):
        pages = counted(len(built), "page")
        found = f"there is no sitemap, since the whole site is noindex ({pages})"
        return Problem(code=Code.EMPTY, place=place, found=found, level=Level.INFO)
    reasons = Counter(page.reason for page in outcome.left_out)
    counts = ", ".join(f"{count:,} {reason}" for reason, count in sorted(reasons.items()))
    places = {page.place for page in left_out if page.reason is OutReason.EXCLUDED}
    found = "no page of the site can be listed"
    if len(places) == 1:
        (place,), found = places, "leaves no page that can be listed"
    return Problem(
        code=Code.EMPTY,
        place=place,
        found=f"{found} ({counts})" if counts else found,
        done="No file is written, because a sitemap must not be empty.",
    )


_NEVER_LISTED = (OutReason.ERROR_PAGE, OutReason.REDIRECT, OutReason.SAME_URL)
