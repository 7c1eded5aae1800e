"""The subcommands ``build``, which writes the sitemap of a built site, and ``dates``."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import click

from mkdocs_sitemap_plus.built_site import (
    Project,
    built_folder,
    is_enabled,
    read_plugin_options,
    read_settings,
)
from mkdocs_sitemap_plus.built_site.docs_folder import docs_files
from mkdocs_sitemap_plus.built_site.others import with_others
from mkdocs_sitemap_plus.built_site.page_date import why_kept
from mkdocs_sitemap_plus.built_site.replaced import entries_before, missing_from_new
from mkdocs_sitemap_plus.built_site.site import open_site, unbuilt_site
from mkdocs_sitemap_plus.cli import console
from mkdocs_sitemap_plus.cli.printing import echo, print_line
from mkdocs_sitemap_plus.files import (
    Search,
    Unreadable,
    exists,
    is_file,
    path_from,
    read_file,
    real_path,
    repository_folder,
)
from mkdocs_sitemap_plus.generate import generate, replaced_file
from mkdocs_sitemap_plus.gitdates import GitDates, GitReason, NoDate
from mkdocs_sitemap_plus.lastmod.dates_file import dates_file, uncommitted
from mkdocs_sitemap_plus.lastmod.git import git_dates, problems_of
from mkdocs_sitemap_plus.lastmod.missing import shallow_problem
from mkdocs_sitemap_plus.lastmod.sources import Dates
from mkdocs_sitemap_plus.options import GitSettings, Settings, Source
from mkdocs_sitemap_plus.output import remove_files, write_file
from mkdocs_sitemap_plus.output.summary import summary
from mkdocs_sitemap_plus.output.targets import is_stdout
from mkdocs_sitemap_plus.pages import Site, SourcePage
from mkdocs_sitemap_plus.pages.project_file import with_option_lines
from mkdocs_sitemap_plus.pipeline import Context, Decision, Outcome
from mkdocs_sitemap_plus.pipeline.date_pages import date_queries, decide_page_dates, key_of
from mkdocs_sitemap_plus.pipeline.select_pages import overrides_of
from mkdocs_sitemap_plus.problems import Problem, SitemapError
from mkdocs_sitemap_plus.report.json_report import write_report
from mkdocs_sitemap_plus.web.stated_dates import with_date
from mkdocs_sitemap_plus.wording import counted, first_names, format_value


@click.command(short_help="Write the sitemap of a built site. Not needed with MkDocs.")
@console.config_file_option
@console.site_dir_option
@click.option("--page-dates", is_flag=True, help="Also write the dates into the built pages.")
@click.option("-s", "--strict", is_flag=True, help="Exit with 1 if there is any warning.")
@click.pass_context
def build(
    context: click.Context,
    *,
    config_file: Path | None,
    site_dir: Path | None,
    page_dates: bool,
    strict: bool,
) -> None:
    """Write the sitemap of a built site, whatever built it.

    With MkDocs, ProperDocs and MaterialX you do not need this: there, the plugin does it. The pages
    are those of the built site. Their dates and front matter come from their sources. The options
    are those of the plugin, in the project file.

    \b
    Examples:
      mkdocs-sitemap-plus build
      mkdocs-sitemap-plus build -f docs/mkdocs.yml -d public --strict

    The exit code is 0. It is 1 if there should be a sitemap and there is none, or with --strict if
    there is a warning.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    project = console.read_project(config_file)
    if not is_enabled(project):
        print_line("Note", None, "sitemap-plus is turned off. Nothing is written.")
        return
    settings, unknown_keys = read_settings(project)
    if page_dates:
        settings = replace(settings, page_dates=True)
    outcome = _write_sitemap(project, built_folder(project, site_dir), settings)
    problems = [*unknown_keys, *outcome.problems]
    if outcome.files:
        problems += _notes(outcome, project)
    console.print_problems(problems)
    if outcome.files:
        echo(summary(outcome))
    if (strict or not outcome.files) and not all(problem.note for problem in problems):
        context.exit(1)


def _write_sitemap(project: Project, site_dir: Path, settings: Settings) -> Outcome:
    """Write the sitemap, the JSON report, and dates into the pages, as the plugin does."""
    problems: list[Problem | None] = []
    before = entries_before(site_dir, settings.filename)
    with open_site(project, site_dir, settings) as (built, history):
        site = built.site
        context = Context(site, settings, history, datetime.now(UTC))
        if settings.page_dates:
            dates = decide_page_dates(context)
            problems.append(_write_page_dates(site, dates))
            context = context._replace(shown_dates=dates)
        try:
            outcome = generate(context)
        except SitemapError as error:
            found = (error.problem, *error.others)
            raise SitemapError(*with_option_lines(found, project.file)) from error
        lines = with_option_lines(outcome.problems, project.file)
        outcome = outcome._replace(problems=lines)
    if outcome.files:
        problems.append(missing_from_new(before, outcome, built.docs, settings))
        outcome = with_others(outcome, built, every=False)
    renamed = settings.filename != "sitemap.xml"
    if renamed and not exists(site.docs_dir / "sitemap.xml"):
        remove_files(site_dir, "sitemap.xml")  # the one that the builder wrote
    problems.append(write_report(outcome, settings))
    return outcome._replace(problems=(*outcome.problems, *filter(None, problems)))


def _write_page_dates(site: Site, dates: Dates) -> Problem | None:
    """Write dates into the built pages. Return a note on the pages that were not changed.

    A page is not changed if it, or a folder of the site on the way to it, is a symbolic link: its
    file may lie outside of the site. Nor is it if it is in UTF-16 or UTF-32, or has a compressed
    copy, which would have no date. A page that leads elsewhere gets no date, since nobody reads it.
    Raises SitemapError if a file can't be written.
    """
    unchanged, site_dir = [], real_path(site.site_dir)
    for page in site.pages:
        dated = None if _leads_elsewhere(page) else dates.dated.get(key_of(page))
        lastmod = dated.lastmod if dated else None
        file = site_dir / page.dest_uri
        if page.replaced_by is None and not _write_date(file, lastmod, page.loc):
            unchanged.append(page.dest_uri)
    if not unchanged:
        return None
    pages = counted(len(unchanged), "page was", "pages were")
    return Problem(
        code="page-dates",
        found=f"{pages} not changed ({first_names(unchanged)})",
        done="No date is written into a page that has a compressed copy (index.html.gz), is a "
        "symbolic link or in a linked folder, or is in UTF-16 or UTF-32.",
        note=True,
    )


def _leads_elsewhere(page: SourcePage) -> bool:
    """Return whether a built page is a redirect to another page."""
    return page.built is not None and page.built.leads_elsewhere(page.loc or "")


def _write_date(file: Path, lastmod: date | datetime | None, url: str | None) -> bool:
    """Write a date into a page. Return False if the page should have it, but can't be changed.

    `file` is absolute, and no part of it but for those below the site's folder is a link.
    """
    try:
        old = read_file(file)
    except Unreadable as error:
        return error.missing  # a page that was not built has no date to show
    if why_kept(file, old):
        return lastmod is None
    # The tags are ASCII, which has the same bytes in nearly all encodings. Other bytes are kept.
    new = with_date(old.decode("utf-8", "surrogateescape"), lastmod, url)
    data = new.encode("utf-8", "surrogateescape")
    if data != old:
        write_file(file, data)
    return True


def _notes(outcome: Outcome, project: Project) -> Iterator[Problem]:
    """Yield problems of replaced files, of front matter without effect, and of unknown sources."""
    for name in outcome.files:
        for folder in filter(None, (project.site.docs_dir, project.custom_dir)):
            if not name.endswith(".gz") and is_file(folder / name):
                yield replaced_file(path_from(project.site.root, folder / name))
    if lost := outcome.site.lost_posts:
        yield Problem(
            code="no-source",
            found=f"{counted(len(lost), 'post has', 'posts have')} `sitemap` in front matter, but "
            f"no known built page ({first_names(lost)})",
            done="That front matter has no effect.",
            fix="Give each of these posts its own title.",
        )
    listed = [each.page for each in outcome.decisions if each.entry and each.page]
    unknown = [page.file for page in listed if not page.source_files]
    if unknown:
        pages = counted(len(unknown), "page has", "pages have")
        yield Problem(
            code="no-source",
            found=f"{pages} no known source ({first_names(unknown)})",
            done="Pages without a source are listed without a date.",
            note=True,
        )


@click.command(short_help="Write the dates of all pages, for a build without .git.")
@console.config_file_option
@console.output_option(
    help="The file to write, or - for standard output.  [default: the option lastmod.file, beside "
    "the project file]",
)
@click.option(
    "--also",
    multiple=True,
    metavar="PATTERN",
    help="Other files whose dates the build needs, relative to the project file: sources of "
    "generated pages, or code that mkdocstrings shows. You can repeat the option.",
)
def dates(config_file: Path | None, output: Path | None, also: tuple[str, ...]) -> None:
    """Write the dates of all pages into a file, for a build that has no .git.

    A build without .git reads the dates from this file. It uses the date of a source only if the
    source is still the same.

    \b
    Examples:
      mkdocs-sitemap-plus dates && docker build .
      mkdocs-sitemap-plus dates -o sitemap-dates.json --also "src/**/*.py"

    The exit code is 0. It is 1 if no date is known, or if the file can't be written.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    project = console.read_project(config_file)
    options = read_plugin_options(project)
    settings = options.settings
    path = output or project.site.root / settings.lastmod.file
    other_files, unsearched = _matching_files(project, also)
    count, problems = _write_dates(project, settings, path, other_files)
    console.print_problems([*options.unknown, *unsearched, *problems])
    if is_stdout(path):
        return
    echo(f"Wrote {path.name}: the dates of {counted(count, 'file')}.")
    if Source.FILE not in settings.lastmod.sources:
        echo("Add `file` to lastmod.sources to use it.")


def _matching_files(project: Project, patterns: Iterable[str]) -> tuple[set[Path], list[Problem]]:
    """Return the files that the patterns match, and a problem for each incomplete search."""
    search = Search((repository_folder(project.site.root), project.site.docs_dir))
    files: set[Path] = set()
    problems = []
    for pattern in dict.fromkeys(patterns):
        match = search.files(project.site.root, pattern)
        files.update(match.files)
        if match.reason:
            found = f"--also has the pattern {format_value(pattern)}"
            problems.append(Problem(code="also", found=found, done=match.reason))
    return files, problems


def _write_dates(
    project: Project, settings: Settings, path: Path, other_files: set[Path]
) -> tuple[int, list[Problem]]:
    """Write the dates of all files that can date a page, and of `other_files`.

    Return how many files have a date, and the reasons why the rest has none. Raises SitemapError if
    no file has a date.
    """
    site = unbuilt_site(project, settings.lastmod)
    decisions = []
    for page in site.pages:
        overrides, _ = overrides_of(page, settings)
        decisions.append(Decision(page=page, overrides=overrides, loc=None))
    files = set(other_files)
    for query in date_queries(decisions, site, settings).values():
        files.update(query.source_files, query.parts.files)
    files.update(_extra_files(project, settings))
    git = settings.lastmod.git
    with git_dates(git, site.root, project.repo_url) as history:
        history.start(site.docs_dir)
        count = len(history.changes(files))
        problems = [*_shallow_problems(files, git, history), *problems_of(history)]
        problems = [*with_option_lines(problems, project.file)]
        if not count:
            raise SitemapError(*_no_dates(problems))
        problems += filter(None, [uncommitted(files, site.root, history)])
        write_file(path, dates_file(files, site.root, git, history))
        return count, problems


def _no_dates(problems: Sequence[Problem]) -> Iterator[Problem]:
    """Yield why no file has a date, and then the problems that do not explain it."""
    fix = "Commit the pages."
    no_dates = Problem(code="no-dates", found="git has no date for any page", fix=fix)
    others = [each for each in problems if each.code == "ignore-revs"]
    problem = next((each for each in problems if each not in others), no_dates)
    if problem.code == "no-repository":
        problem = problem._replace(fix="Run the command in the repository.")
    yield problem._replace(done="Nothing is written.", note=False)
    yield from others


def _extra_files(project: Project, settings: Settings) -> Iterator[Path]:
    """Yield the files of the docs folder that the option ``extra_files`` lists."""
    patterns = settings.extra_files
    if patterns is None or project.docs is None:
        return
    for file in docs_files(project.docs, project.paths):
        is_copied = not file.hidden_by and not file.is_page
        if is_copied and patterns.match_file(file.src_uri):
            yield project.docs.path / file.src_uri


def _shallow_problems(files: set[Path], git: GitSettings, history: GitDates) -> Iterator[Problem]:
    """Yield a problem if files have no date because the clone is shallow."""
    found_dates = history.last_changes(files).values()
    reasons = [why.reason for why in found_dates if isinstance(why, NoDate)]
    if undated := reasons.count(GitReason.SHALLOW):
        of_all = counted(len(files), "file")
        found = f"the clone is shallow, so the last change of {undated:,} of {of_all} is unknown"
        yield shallow_problem(found, None, git.shallow, note=False)
