"""The subcommand ``build``, which writes the sitemap of a built site."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click

from mkdocs_sitemap_plus.command.any_site.built_site import add_languages, open_site
from mkdocs_sitemap_plus.command.any_site.former_sitemap import (
    entries_before,
    fields_missing_from_new,
    missing_from_new,
    new_pages,
    no_pages_listed,
    other_forms,
    sitemaps_left,
    with_values_of,
)
from mkdocs_sitemap_plus.command.any_site.project import (
    Project,
    built_folder,
    is_by_zensical,
    is_enabled,
    project_files_in,
    project_of_url,
    read_settings,
)
from mkdocs_sitemap_plus.command.any_site.source_files import API
from mkdocs_sitemap_plus.command.cli import console
from mkdocs_sitemap_plus.command.cli.kept import open_project
from mkdocs_sitemap_plus.command.cli.printing import print_line, say
from mkdocs_sitemap_plus.command.views.report_reader import is_by_us
from mkdocs_sitemap_plus.files import Mark, absolute_path, exists, is_file, path_from
from mkdocs_sitemap_plus.generator.generate import generate, summary, without_sitemap
from mkdocs_sitemap_plus.generator.json_report import write_report
from mkdocs_sitemap_plus.generator.options.reading import Reading
from mkdocs_sitemap_plus.generator.options.settings import Settings
from mkdocs_sitemap_plus.generator.options.value_kinds import Patterns, pattern_list
from mkdocs_sitemap_plus.generator.output import pack, refuse_others, remove_files
from mkdocs_sitemap_plus.generator.pages.project_file import with_option_lines
from mkdocs_sitemap_plus.generator.pages.site import SourcePage, sorted_pages
from mkdocs_sitemap_plus.generator.pages.site_url import check_url, site_url_fault
from mkdocs_sitemap_plus.generator.pages.unmatched_patterns import unmatched_excludes
from mkdocs_sitemap_plus.generator.pipeline.decisions import Context, Listed, Outcome
from mkdocs_sitemap_plus.generator.replaced import listed_by, replaced_by_ours
from mkdocs_sitemap_plus.html.site_folder import SiteFolder
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.wording import counted, first_names


def _checked_url(_context: object, _parameter: object, value: str | None) -> str | None:
    if value is not None and (fault := site_url_fault(value)):
        raise click.BadParameter(f"It {fault}. Give the full address of the site.")
    return value


@click.command()
@click.argument("site", required=False, type=click.Path(file_okay=False, path_type=Path))
@console.config_file_option
@console.site_dir_option
@click.option(
    "--site-url",
    metavar="URL",
    callback=_checked_url,
    help="The address of the site. With it, a built site needs no project file.",
)
@click.option(
    "--docs-dir",
    type=click.Path(file_okay=False, exists=True, path_type=Path),
    help="With --site-url: a folder with the sources of the pages, under the same paths.",
)
@click.option(
    "--exclude",
    multiple=True,
    metavar="PATTERN",
    help="With --site-url: leave out a folder or files of the built site, such as pre-release/.",
)
@click.option(
    "--write-report",
    "report",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the JSON report of this build into this file.",
)
@click.option("-s", "--strict", is_flag=True, help="Exit with 1 if there is any warning.")
@click.pass_context
def build(  # noqa: PLR0913 - one parameter an option
    context: click.Context,
    *,
    site: Path | None,
    config_file: Path | None,
    site_dir: Path | None,
    site_url: str | None,
    docs_dir: Path | None,
    exclude: tuple[str, ...],
    report: Path | None,
    strict: bool,
) -> None:
    """Write the sitemap of a built SITE, whatever built it.

    With MkDocs, ProperDocs and MaterialX the plugin does this. You need the command only where the
    plugin can't run, as in the Docker image of a theme. The pages are those of the built site.
    Their dates and front matter come from their sources, which are known by a project file, or else
    by the link to edit each page. Without a project file, run this in the repository of the
    sources, and name SITE and --site-url.

    \b
    Examples:
      mkdocs-sitemap-plus build
      mkdocs-sitemap-plus build -f docs/mkdocs.yml -d public --strict
      mkdocs-sitemap-plus build public --site-url https://example.com/

    The exit code is 0. It is 1 if there should be a sitemap and there is none, or with --strict if
    there is a warning.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    if site and site_dir:
        raise click.UsageError("Name the built site once, as SITE or with --site-dir.")
    site_dir = site or site_dir
    project = _read_project(config_file, site_dir, site_url, docs_dir)
    if not is_enabled(project):
        print_line("Note", "sitemap-plus is turned off. Nothing is written.")
        return
    settings, unknown_keys = read_settings(project)
    if exclude and not project.is_alone:
        raise click.UsageError(
            "--exclude is for a site without a project file. Use the option `exclude` in "
            f"{project.site.project_file}."
        )
    if report:
        refuse_others(report, Mark.REPORT)
        settings = replace(settings, report=str(absolute_path(report)))
    outcome = _write_sitemap(project, built_folder(project, site_dir), settings, exclude)
    problems = [*unknown_keys, *outcome.problems]
    unknown = _without_source(outcome)
    name = unknown[0].dest_uri if unknown else "--all"
    explain = console.command(
        "explain", name, config_file=config_file, site_dir=site_dir, report_file=report
    )
    why = f"{explain} says why{' of the first' if len(unknown) > 1 else ''}."
    if outcome.files:
        problems += _notes(outcome, project, unknown, why)
    if unknown and project.is_alone and not outcome.site.no_source.cause:
        problems = [
            each._replace(fix=f"{each.fix} {why}") if each.code is Code.NO_DATES else each
            for each in problems
        ]
    console.print_problems(problems)
    if outcome.files:
        say(summary(outcome))
    is_warned = any(each.level is Level.WARNING for each in problems)
    if is_warned and (strict or not outcome.files):
        context.exit(1)


def _read_project(
    config_file: Path | None, site_dir: Path | None, site_url: str | None, docs_dir: Path | None
) -> Project:
    """Return the project of a site. A site with a URL needs none.

    Then a project file in this folder counts only if it is that of this site. `docs_dir` has the
    sources.
    """
    if site_dir and site_url and not config_file:
        project = project_of_url(site_dir, site_url, docs_dir)
    elif docs_dir:
        found = "--docs-dir is for a site with --site-url and without a project file."
        raise click.UsageError(found)
    elif config_file or project_files_in(Path()):
        project = open_project(config_file)
    else:
        found = "the address of the site is not known: there is no project file in this folder"
        fix = "Name the built folder and --site-url https://…/, or the file with -f."
        raise SitemapError(Problem(code=Code.PROJECT_FILE, found=found, fix=fix))
    if site_url:
        url = f"{site_url.removesuffix('/')}/"
        project = project._replace(site=replace(project.site, url=url, has_url_key=True))
    return project


def _write_sitemap(
    project: Project, site_dir: Path, settings: Settings, exclude: tuple[str, ...]
) -> Outcome:
    """Write the sitemap and the JSON report, as the plugin does."""
    problems: list[Problem | None] = []
    before = entries_before(site_dir, settings.filename)
    is_of_other = not is_by_us(site_dir, settings.filename)
    foreign = project.is_alone and is_of_other
    reading = Reading(Place(Origin.OPTION, key="--exclude"))
    excluded: Patterns = reading.value(pattern_list, [*exclude])
    if reading.problems:
        raise SitemapError(*reading.problems)
    with open_site(project, site_dir, settings, excluded) as (read, sources):
        built, folder = read, SiteFolder(site_dir, read.site.url or "")
        if project.is_alone:
            pages = sorted_pages(
                add_languages(with_values_of(before, built.site.pages, folder), folder)
            )
            built = built._replace(site=replace(built.site, pages=pages))
        now = datetime.now(UTC)
        site, url_problems = check_url(built.site)
        try:
            if site is None:
                outcome = without_sitemap(built.site, settings)
            else:
                outcome = generate(Context(site, settings, sources, now))
                outcome = outcome._replace(files=pack(site.site_dir, outcome.files))
                at = reading.place, site_dir, site_dir.name
                problems += unmatched_excludes(excluded, (), *at)
        except SitemapError as error:
            found = (error.problem, *error.others)
            raise SitemapError(*with_option_lines(found, project.file)) from error
        lines = with_option_lines((*url_problems, *outcome.problems), project.file)
        outcome = outcome._replace(problems=lines)
        problems += [built.problem, no_pages_listed(built.no_pages) if project.is_alone else None]
        commit = next(filter(None, (source.commit for source in sources)), None)
    if outcome.files:
        files = (path for paths in built.no_pages.values() for path in paths)
        own = [*_own_sitemaps(project, outcome, before if is_of_other else None)]
        told = any(each.level is Level.WARNING for each in own)
        no_pages = map(project.loc_of, files)
        old = before if exclude else ()
        left_out = [loc for loc in old if excluded.match_file(folder.path_of(loc) or "")]
        problems += [
            *own,
            missing_from_new(before, outcome, settings, [*no_pages, *left_out], urls=not told),
            other_forms(before, outcome),
            new_pages(before, outcome) if is_of_other and not told else None,
            fields_missing_from_new(before, outcome) if foreign else None,
        ]
    renamed = settings.filename != "sitemap.xml"
    if renamed and not exists(built.site.docs_dir / "sitemap.xml"):
        remove_files(site_dir, "sitemap.xml", keep=outcome.files)  # the one that the builder wrote
    problems += sitemaps_left(outcome) if outcome.files else ()
    outcome = outcome._replace(problems=(*outcome.problems, *filter(None, problems)))
    is_named = settings.report != project.own_options.get("report")  # by --write-report
    unwritten = write_report(outcome, settings, commit=commit, keeps=is_named)
    return outcome._replace(problems=(*outcome.problems, *filter(None, (unwritten,))))


def _own_sitemaps(
    project: Project, outcome: Outcome, before: Collection[str] | None
) -> Iterator[Problem]:
    """Yield what is to be said of files of the owner that the new sitemap replaces.

    What a template wrote is among the URLs `before`, which the built site had; None if it is ours.
    """
    site, names = project.site, [name for name in outcome.files if not name.endswith(".gz")]
    folder, found = project.custom_dir, list[tuple[Path, Collection[str] | None]]()
    if not project.is_alone:
        found += ((file := site.docs_dir / name, listed_by(file)) for name in names)
        templates = dict.fromkeys(("sitemap.xml", *names)) if folder else ()
        found += ((Path(folder or "", name), before) for name in templates)
    for file, listed in found:
        if is_file(file):
            yield from replaced_by_ours(path_from(site.root, file), listed, outcome)


def _is_folder_without_slash(page: Listed) -> bool:
    target = page.target
    is_folder = isinstance(target, SourcePage) and target.dest_uri.endswith("/index.html")
    return is_folder and not target.loc.endswith(("/", "/index.html"))


def _without_source(outcome: Outcome) -> list[SourcePage]:
    listed = (page.target for page in outcome.listed)
    return [page for page in listed if isinstance(page, SourcePage) and not page.source_files]


def _notes(
    outcome: Outcome, project: Project, unknown: Sequence[SourcePage], why: str
) -> Iterator[Problem]:
    """Yield what is no warning. `why` names the command that explains pages of `unknown` source."""
    if without_slash := [page.name for page in outcome.listed if _is_folder_without_slash(page)]:
        pages = counted(len(without_slash), "page is a folder", "pages are folders")
        yield Problem(
            code=Code.SITE_URL,
            found=f"{pages} without a slash at the end of the canonical URL "
            f"({first_names(without_slash)})",
            done="Most servers redirect such a URL.",
            fix="Let the builder write it: most have an option for slashes at the end of URLs.",
            level=Level.NOTE,
        )
    by_zensical = is_by_zensical(project.site.project_file, outcome.site.site_dir)
    if project.own_options.get("page_dates") and by_zensical:  # which runs no plugin
        yield Problem(
            code=Code.PAGE_DATES,
            place=project.site.option("page_dates"),
            found="is for the plugin: `build` writes no dates into pages",
            level=Level.NOTE,
        )
    of_code = [
        page.name
        for page in outcome.listed
        if page.undated and isinstance(page.target, SourcePage) and API in page.target.parts.unknown
    ]
    if of_code:
        pages = counted(len(of_code), "page shows", "pages show")
        yield Problem(
            code=Code.NO_SOURCE,
            place=project.site.option("lastmod.includes"),
            found=f"has mkdocstrings, but only the plugin knows which code {pages} "
            f"({first_names(of_code)})",
            done="Such a page has no date here.",
            fix="Remove `mkdocstrings`, or name the files under `sitemap.depends` of the page.",
            level=Level.NOTE,
        )
    is_dated = any(page.entry.lastmod for page in outcome.listed)
    says_so = (Code.NO_DATES,) if is_dated else (Code.NO_DATES, Code.NO_SOURCE)
    if unknown and not any(each.code in says_so for each in outcome.problems):
        pages = counted(len(unknown), "page has", "pages have")
        yield Problem(
            code=Code.NO_SOURCE,
            found=f"{pages} no known source, and so no date",
            fix=why,
            level=Level.NOTE,
        )
