"""The subcommand ``dates``, which writes the dates of pages, or of any files, as JSON."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from mkdocs_sitemap_plus.command.any_site.project import Project, read_plugin_options
from mkdocs_sitemap_plus.command.any_site.source_files import (
    check_docs_dir,
    folder_meta,
    with_source_text,
)
from mkdocs_sitemap_plus.command.cli import console
from mkdocs_sitemap_plus.command.cli.kept import open_project, refuse_published
from mkdocs_sitemap_plus.command.cli.printing import say
from mkdocs_sitemap_plus.files import Mark, files_below, path_from
from mkdocs_sitemap_plus.generator.lastmod.dates_file import dates_file
from mkdocs_sitemap_plus.generator.lastmod.git_source import (
    git_dates,
    problems_of,
    uncommitted_note,
)
from mkdocs_sitemap_plus.generator.lastmod.missing import (
    NO_BLOBS,
    no_blobs_problem,
    shallow_clones,
    shallow_problem,
)
from mkdocs_sitemap_plus.generator.options.settings import DATES_FILE, GitSettings, Settings, Source
from mkdocs_sitemap_plus.generator.output import STDOUT, shown_path, write_named_file
from mkdocs_sitemap_plus.generator.pages.project_file import with_option_lines
from mkdocs_sitemap_plus.generator.pages.site import SOURCES, SourcePage
from mkdocs_sitemap_plus.generator.pipeline.date_pages import date_queries
from mkdocs_sitemap_plus.generator.pipeline.select import overrides_of
from mkdocs_sitemap_plus.gitdates import GitCode, GitDates, GitReason, NoDate
from mkdocs_sitemap_plus.problems import Code, Level, Problem, SitemapError
from mkdocs_sitemap_plus.wording import counted


@click.command()
@console.config_file_option
@console.output_option(
    help="The file to write, or - for standard output.  "
    f"[default: {DATES_FILE}, beside the project file]"
)
def dates(config_file: Path | None, output: Path | None) -> None:
    """Write the dates of all pages into a file, for a build that has no .git.

    A build without .git reads the dates from this file. It uses the date of a source only if the
    source is still the same.

    \b
    Example:
      mkdocs-sitemap-plus dates && docker build .

    The exit code is 0. It is 1 if no date is known, or if the file can't be written.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    project = open_project(config_file)
    settings, _, unknown = read_plugin_options(project)  # the owner's function is not imported
    path = output or project.site.root / DATES_FILE
    refuse_published(path, project)
    paths = _files_of_pages(project, settings)
    count, problems = _write_dates(paths, path, project, settings.lastmod.git)
    console.print_problems([*unknown, *problems])
    if path == STDOUT:
        return
    say(f"Wrote {shown_path(path)}: the dates of {counted(count, 'file')}.")
    if Source.FILE not in settings.lastmod.sources:
        say("Add `file` to lastmod.sources to use it.")


def _files_of_pages(project: Project, settings: Settings) -> set[Path]:
    """Return all files of a project that can date a page, or a file of ``extra_files``."""
    site, files, pages = project.site, set[Path](), list[SourcePage]()
    inherited = folder_meta(site.docs_dir, project.plugins.get("meta"))
    check_docs_dir(site)
    for path in files_below(site.docs_dir):
        name = path_from(site.docs_dir, path)
        if name.endswith(SOURCES):
            page = SourcePage(src_uri=name, file=name, dest_uri=name, loc=name, meta={}, built=None)
            pages.append(with_source_text(page, site, settings.lastmod, inherited))
        elif settings.extra_files is not None and settings.extra_files.match_file(name):
            files.add(path)
    wanted = [(page, overrides_of(page, settings)[0]) for page in pages]
    for query in date_queries(wanted, site, settings).values():
        files.update(query.source_files, query.parts.files)
    return files


def _write_dates(
    files: set[Path], path: Path, project: Project, options: GitSettings
) -> tuple[int, list[Problem]]:
    """Write the dates of files, by their paths from the project file, or else from this folder.

    Return how many files have a date, and the reasons why the rest has none. Raises SitemapError if
    no file has a date.
    """
    root, repo_url = project.site.root, project.repo_url
    with git_dates(options, root, repo_url) as git:
        git.start(project.site.docs_dir)
        count = len(git.changes(files))
        hidden = _hidden_by_clone(files, options, git, root, accept=count > 0)
        problems = [*hidden, *problems_of(git)]
        problems = [*with_option_lines(problems, project.file)]
        if not count:
            raise SitemapError(*_no_dates(problems))
        if changed := git.uncommitted(files):
            problems.append(uncommitted_note(changed, root))
        write_named_file(path, dates_file(files, root, options, git), Mark.DATES)
        return count, problems


def _no_dates(problems: Sequence[Problem]) -> Iterator[Problem]:
    """Yield why no file has a date, and then the problems that do not explain it."""
    fix = "Commit the files."
    no_dates = Problem(code=Code.NO_DATES, found="git has no date for any file", fix=fix)
    causes = [problem for problem in problems if problem.code != Code.PATTERN]
    others = [problem for problem in causes if problem.code == GitCode.IGNORE_REVS]
    first = next((problem for problem in causes if problem not in others), no_dates)
    if first.code == GitCode.NO_REPOSITORY:
        first = first._replace(fix="Run the command in the repository.")
    yield first._replace(done="Nothing is written.", level=Level.WARNING)
    yield from others


def _hidden_by_clone(
    files: set[Path], options: GitSettings, git: GitDates, root: Path, *, accept: bool
) -> Iterator[Problem]:
    """Yield a problem if files have no date because the clone is shallow, or lacks old contents.

    `accept` says whether the dates of the others are written all the same.
    """
    found_dates = git.last_changes(files).values()
    undated = [why for why in found_dates if isinstance(why, NoDate)]
    of_all = counted(len(files), "file")
    if hidden := [why for why in undated if why.reason == GitReason.NO_BLOBS]:
        found = f"{NO_BLOBS}, so the last change of {len(hidden):,} of {of_all} is unknown"
        yield no_blobs_problem(found, None, Level.WARNING, accept=accept)
    if hidden := [why for why in undated if why.reason == GitReason.SHALLOW]:
        clones, fix = shallow_clones(hidden, root)
        found = f"{clones}, so the last change of {len(hidden):,} of {of_all} is unknown"
        yield shallow_problem(found, None, fix, options.shallow, Level.WARNING, accept=accept)
