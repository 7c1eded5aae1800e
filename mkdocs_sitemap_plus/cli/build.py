"""The subcommands that need a project: write its sitemap, write its dates."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from mkdocs_sitemap_plus.built_site.project import Project, read_project
from mkdocs_sitemap_plus.built_site.project_file import find_project_file, read_option_lines
from mkdocs_sitemap_plus.built_site.site import site_of, unbuilt_site
from mkdocs_sitemap_plus.cli.console import tell_error, tell_problems
from mkdocs_sitemap_plus.cli.options import config_file_option
from mkdocs_sitemap_plus.files import Search, exists, is_file, is_folder, repository_folder
from mkdocs_sitemap_plus.generate import generate, replaced, write_report, writes_for
from mkdocs_sitemap_plus.lastmod.dates_file import dates_file
from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.lastmod.git.shallow import shallow_problem
from mkdocs_sitemap_plus.lastmod.reasons import Reason as NoDateReason
from mkdocs_sitemap_plus.options.function import load_transform
from mkdocs_sitemap_plus.options.settings import GitSettings, Settings, Shallow, Source
from mkdocs_sitemap_plus.options.table import Reading, read_options, settings_of
from mkdocs_sitemap_plus.output.summary import summary
from mkdocs_sitemap_plus.output.write import remove_files, write_file
from mkdocs_sitemap_plus.pages.page import path_from
from mkdocs_sitemap_plus.pipeline.date_pages import undated
from mkdocs_sitemap_plus.pipeline.decision import Decision, Outcome
from mkdocs_sitemap_plus.pipeline.merge_overrides import hear
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError, invalid, with_lines
from mkdocs_sitemap_plus.wording import counted, first_names, format_value, printable

site_dir_option: Callable[[Any], Any] = click.option(
    "-d",
    "--site-dir",
    type=click.Path(file_okay=False, path_type=Path),
    help="The built site; else what the project file says.",
)


@click.command(short_help="Write the sitemap of a site that is built already.")
@config_file_option
@site_dir_option
@click.option("-s", "--strict", is_flag=True, help="Exit with 1 if there is any warning.")
@click.pass_context
def build(
    context: click.Context, config_file: Path | None, site_dir: Path | None, *, strict: bool
) -> None:
    """Write the sitemap of a site that is built already, whatever built it.

    Pages are found in the built site, and their dates and front matter at their sources. The
    options are those of the plugin, in the project file.

    \b
    Examples:
      mkdocs-sitemap-plus build
      mkdocs-sitemap-plus build -f docs/mkdocs.yml -d public --strict

    The exit code is 0, and 1 if nothing could be written.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    with _stopping():
        project = project_at(config_file)
        reading = options_of(project)
        if not _enabled(project):
            tell_problems([_switched_off()])
            return
        settings = settings_in(reading, project)
        outcome = write_sitemap_of(project, built_folder(project, site_dir), settings)
    problems = [*reading.unknown, *outcome.problems, *notes_on(outcome, project)]
    tell_problems(problems)
    if outcome.files:
        click.echo(summary(outcome))
    if not outcome.files or (strict and not all(problem.note for problem in problems)):
        context.exit(1)


@click.command(short_help="Write the dates of all pages, for a build without .git.")
@config_file_option
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file; else what lastmod.file says.",
)
@click.option(
    "--also",
    multiple=True,
    metavar="PATTERN",
    help="Further files that date pages, from the folder of the project file: sources of generated "
    "pages, or code that mkdocstrings shows. May be given several times.",
)
def dates(config_file: Path | None, output: Path | None, also: tuple[str, ...]) -> None:
    """Write the dates of all pages, for a build that has no .git.

    That build reads them where it finds no .git. A date counts there only for a file that is still
    the same.

    \b
    Examples:
      mkdocs-sitemap-plus dates && docker build .
      mkdocs-sitemap-plus dates -o sitemap-dates.json --also "src/**/*.py"

    The exit code is 0, and 1 if no date is known, or the file can't be written.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    with _stopping():
        project = project_at(config_file)
        reading = options_of(project)
        settings = _checked(reading, project)
        path = output or project.root / settings.lastmod.file
        count, problems = write_dates_of(project, settings, path, also)
        tell_problems([*reading.unknown, *problems])
    click.echo(f"Wrote {path.name}: the dates of {counted(count, 'file')}.")
    if Source.FILE not in settings.lastmod.sources:
        click.echo("Add `file` to lastmod.sources to use it.")


def write_sitemap_of(project: Project, site_dir: Path, settings: Settings) -> Outcome:
    """Write the sitemap of a built site, as the plugin writes it.

    Args:
        project: what the project file says.
        site_dir: the absolute folder of the built site.
        settings: the options.

    Raises:
        SitemapError: a source can't be read, the sitemap can't be written, or the owner wants no
            dates of a clone without the whole history.
    """
    with closing(History(settings.lastmod.git, project.root)) as history:
        if Source.GIT in settings.lastmod.sources:
            history.start(project.docs_dir)
        site = site_of(project, site_dir, settings)
        outcome = generate(site, settings, history, datetime.now(UTC))
    other = settings.filename != "sitemap.xml"
    if other and writes_for(project.url) and not exists(project.docs_dir / "sitemap.xml"):
        remove_files(site_dir, "sitemap.xml")  # the builder's own
    problem = write_report(outcome, settings)
    return replace(outcome, problems=(*outcome.problems, problem)) if problem else outcome


def notes_on(outcome: Outcome, project: Project) -> Iterator[Problem]:
    """What the owner should know of a sitemap that was not written while the site was built."""
    if not outcome.files:
        return
    names = [name for name in outcome.files if not name.endswith(".gz")]
    folders = [folder for folder in (project.docs_dir, project.custom_dir) if folder]
    for path in (folder / name for name in names for folder in folders):
        if is_file(path):
            yield replaced(path_from(str(project.root), str(path)))
    listed = [each.page for each in outcome.decisions if each.entry and each.page]
    unknown = [page.file for page in listed if not page.sources]
    if unknown:
        has = "has" if len(unknown) == 1 else "have"
        yield Problem(
            code="no-source",
            found=f"{counted(len(unknown), 'page')} {has} no known source ({first_names(unknown)})",
            done="Pages without a source are listed without a date.",
            note=True,
        )


def write_dates_of(
    project: Project, settings: Settings, path: Path, also: Iterable[str] = ()
) -> tuple[int, list[Problem]]:
    """Write the dates of all files that date a page.

    Args:
        project: what the project file says.
        settings: the options.
        path: the file to write.
        also: patterns of further files, from the folder of the project file.

    Returns:
        The number of files with a date, and what kept dates from being known.

    Raises:
        SitemapError: no date is known at all, a source can't be read, or the file can't be written;
            or a shallow clone hides dates, and ``shallow: error`` is set.
    """
    site = unbuilt_site(project, settings.lastmod)
    heard = hear(site.pages, settings)
    all_of_them = [Decision(page=page, loc=None) for page in site.pages]
    asking = undated(site, all_of_them, heard, settings).values()
    files = {file for page in asking for file in (*page.sources, *page.parts.files)}
    found, unsearched = _matching(project, also)
    files.update(found)
    git = settings.lastmod.git
    with closing(History(git, project.root)) as history:
        history.start(project.docs_dir)
        count = len(history.changes(files))
        hidden = _hidden(files, git, history)
        problems = [*([hidden] if hidden else []), *history.problems]
        if hidden and git.shallow is Shallow.ERROR:
            raise SitemapError(hidden)
        if not count:
            raise SitemapError(_no_dates(problems))
        write_file(path, dates_file(files, project.root, git, history))
        return count, [*unsearched, *problems]


def _hidden(files: set[Path], settings: GitSettings, history: History) -> Problem | None:
    """Return how many files have no date because the clone is shallow; None if there is none."""
    reasons = [why.reason for why in history.why_undated(files).values()]
    hidden = reasons.count(NoDateReason.SHALLOW)
    if not hidden:
        return None
    of_all = counted(len(files), "file")
    found = f"the clone is shallow, so the last change of {hidden:,} of {of_all} is unknown"
    return shallow_problem(found, None, settings.shallow, note=False)


def _matching(project: Project, patterns: Iterable[str]) -> tuple[set[Path], list[Problem]]:
    """Return the files that some patterns match, and what was not searched."""
    search = Search((repository_folder(project.root), project.docs_dir))
    matches = {pattern: search.files(project.root, pattern) for pattern in patterns}
    problems = [
        Problem(
            code="also", found=f"--also has the pattern {format_value(pattern)}", done=match.reason
        )
        for pattern, match in matches.items()
        if match.reason
    ]
    return {path for match in matches.values() for path in match.files}, problems


def _no_dates(problems: list[Problem]) -> Problem:
    if problems:
        return replace(problems[0], done="Nothing is written.", note=False)
    found = "git has no date of any page"
    done, fix = "Nothing is written.", "Commit the pages."
    return Problem(code="no-dates", found=found, done=done, fix=fix)


def project_at(config_file: Path | None) -> Project:
    """The project of a file; None: of the one in the current folder."""
    if config_file:
        return read_project(config_file)
    found, note = find_project_file(Path.cwd())
    tell_problems([note] if note else [])
    return read_project(found)


def built_folder(project: Project, site_dir: Path | None) -> Path:
    """The absolute folder of the built site; None: what the project says.

    Raises:
        SitemapError: it is not there.
    """
    folder = Path(os.path.abspath(site_dir or project.site_dir))  # noqa: PTH100
    if is_folder(folder):
        return folder
    found = f"there is no built site at {os.path.relpath(folder)}"
    fix = "Build the site first, or name its folder with -d."
    raise SitemapError(Problem(code="site-dir", found=found, fix=fix))


def options_of(project: Project) -> Reading:
    """The options, read; what is wrong with them is in there.

    Raises:
        SitemapError: they are no mapping.
    """
    options = project.plugins.get("sitemap-plus", {})
    reading = read_options(
        {key: value for key, value in options.items() if key != "enabled"}, project.file.name
    )
    if not reading.errors and not reading.unknown:
        return reading
    lines = read_option_lines(project.file, "sitemap-plus")
    return replace(
        reading,
        errors=tuple(with_lines(reading.errors, lines)),
        unknown=tuple(with_lines(reading.unknown, lines)),
    )


def _enabled(project: Project) -> bool:
    """What MkDocs lets every plugin be: switched off."""
    value = project.plugins.get("sitemap-plus", {}).get("enabled", True)
    if isinstance(value, bool):
        return value
    place = Place(origin=Origin.OPTION, file=project.file.name, key="enabled")
    raise SitemapError(replace(invalid("option", place, value, "true or false"), done=None))


def settings_in(reading: Reading, project: Project) -> Settings:
    """The options, checked, with the owner's function for ``transform``.

    Raises:
        SitemapError: one of them is wrong; if there are several, the others were told.
    """
    settings = _checked(reading, project)
    name = reading.values.get("transform")
    if not name:
        return settings
    place = Place(origin=Origin.OPTION, file=project.file.name, key="transform")
    transform = load_transform(name, project.root, place)
    if isinstance(transform, Problem):
        raise SitemapError(transform)
    return replace(settings, transform=transform)


def _checked(reading: Reading, project: Project) -> Settings:
    if reading.errors:
        for problem in reading.errors[:-1]:
            tell_error(problem)
        raise SitemapError(reading.errors[-1])
    return settings_of(reading.values, project.file.name)


def _switched_off() -> Problem:
    found = "sitemap-plus is switched off; nothing is written"
    return Problem(code="enabled", found=found, note=True)


@contextmanager
def _stopping() -> Iterator[None]:
    """What can't go on is one line, and exit code 1: these two have no other use for it."""
    try:
        yield
    except SitemapError as error:
        raise click.ClickException(printable(str(error))) from error
