"""Write the dates of all pages, for a build without ``.git``: ``dates``."""

from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import click

from mkdocs_sitemap_plus.built_site.project import Project, read_plugin_options
from mkdocs_sitemap_plus.built_site.site import unbuilt_site
from mkdocs_sitemap_plus.cli import console
from mkdocs_sitemap_plus.files import Search, repository_folder
from mkdocs_sitemap_plus.lastmod import NoDate, Reason
from mkdocs_sitemap_plus.lastmod.dates_file import dates_file
from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.lastmod.missing import shallow_problem
from mkdocs_sitemap_plus.options.settings import GitSettings, Settings, Source
from mkdocs_sitemap_plus.options.table import settings_of
from mkdocs_sitemap_plus.output.write import write_file
from mkdocs_sitemap_plus.pipeline.date_pages import date_queries
from mkdocs_sitemap_plus.pipeline.decision import Decision
from mkdocs_sitemap_plus.pipeline.select_pages import overrides_of
from mkdocs_sitemap_plus.problems import Problem, SitemapError
from mkdocs_sitemap_plus.wording import counted, format_value


@click.command(short_help="Write the dates of all pages, for a build without .git.")
@console.config_file_option
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file to write.  [default: the option lastmod.file, beside the project file]",
)
@click.option(
    "--also",
    multiple=True,
    metavar="PATTERN",
    help="Further files, relative to the project file, such as sources of generated pages, or code "
    "that mkdocstrings shows. May be given several times.",
)
def dates(config_file: Path | None, output: Path | None, also: tuple[str, ...]) -> None:
    """Write the dates of all pages, for a build that has no .git.

    A build without .git reads the dates from this file. It uses a date only if the file that the
    date belongs to is still the same.

    \b
    Examples:
      mkdocs-sitemap-plus dates && docker build .
      mkdocs-sitemap-plus dates -o sitemap-dates.json --also "src/**/*.py"

    The exit code is 0, and 1 if no date is known, or the file can't be written.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    project = console.read_project(config_file)
    options = read_plugin_options(project)
    settings = settings_of(options.values, project.file.name)
    path = output or project.root / settings.lastmod.file
    matched, unsearched = _matching_files(project, also)
    count, problems = _write_dates(project, settings, path, matched)
    console.print_problems([*options.unknown, *unsearched, *problems])
    click.echo(f"Wrote {path.name}: the dates of {counted(count, 'file')}.")
    if Source.FILE not in settings.lastmod.sources:
        click.echo("Add `file` to lastmod.sources to use it.")


def _matching_files(project: Project, patterns: Iterable[str]) -> tuple[set[Path], list[Problem]]:
    """Return the files that the patterns match, and a problem for each incomplete search."""
    search = Search((repository_folder(project.root), project.docs_dir))
    files: set[Path] = set()
    problems = []
    for pattern in dict.fromkeys(patterns):
        match = search.files(project.root, pattern)
        files.update(match.files)
        if match.reason:
            found = f"--also has the pattern {format_value(pattern)}"
            problems.append(Problem(code="also", found=found, done=match.reason))
    return files, problems


def _write_dates(
    project: Project, settings: Settings, path: Path, also: set[Path]
) -> tuple[int, list[Problem]]:
    """Write the dates of all files that date a page, and of those in `also`.

    The number of dated files is returned, and the problems why other files have no date.

    Raises:
        SitemapError: no file has a date, a source can't be read, or the dates file can't be
            written; or a date is unknown in a shallow clone, and ``shallow: error`` is set.
    """
    files = _files_to_date(project, settings) | also
    git = settings.lastmod.git
    with closing(History(git, project.root)) as history:
        history.start(project.docs_dir)
        count = len(history.changes(files))
        shallow = _unknown_in_shallow_clone(files, git, history)
        problems = [*([shallow] if shallow else []), *history.problems]
        if not count:
            fix = "Commit the pages."
            none = Problem(code="no-dates", found="git has no date of any page", fix=fix)
            first = problems[0] if problems else none
            raise SitemapError(replace(first, done="Nothing is written.", note=False))
        write_file(path, dates_file(files, project.root, git, history))
        return count, problems


def _files_to_date(project: Project, settings: Settings) -> set[Path]:
    """Return the sources of all pages that need a date, and the files that they include."""
    site = unbuilt_site(project, settings.lastmod)
    pages = [
        Decision(page=page, overrides=overrides_of(page, settings)[0], loc=None)
        for page in site.pages
    ]
    queries = date_queries(pages, site, settings).values()
    return {file for query in queries for file in (*query.sources, *query.parts.files)}


def _unknown_in_shallow_clone(
    files: set[Path], settings: GitSettings, history: History
) -> Problem | None:
    """Return the problem that some files have no date because the clone is shallow; else None."""
    dates = history.dates(files).values()
    undated = sum(isinstance(date, NoDate) and date.reason is Reason.SHALLOW for date in dates)
    if not undated:
        return None
    of_all = counted(len(files), "file")
    found = f"the clone is shallow, so the last change of {undated:,} of {of_all} is unknown"
    return shallow_problem(found, None, settings.shallow, note=False)
