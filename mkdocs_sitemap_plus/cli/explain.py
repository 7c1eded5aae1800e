"""The subcommand ``explain``: why a page is listed or not, and where its values come from."""

import os
from collections.abc import Iterable
from pathlib import Path

import click

from mkdocs_sitemap_plus import GitDates
from mkdocs_sitemap_plus.built_site import Project, read_plugin_options
from mkdocs_sitemap_plus.built_site.find_page import Found, find_in_report, find_in_site
from mkdocs_sitemap_plus.built_site.page_date import page_date
from mkdocs_sitemap_plus.built_site.published import decided_site, published_outcome
from mkdocs_sitemap_plus.cli import console
from mkdocs_sitemap_plus.cli.printing import echo, print_json, say, styled
from mkdocs_sitemap_plus.files import is_file
from mkdocs_sitemap_plus.lastmod.dates_file import uncommitted
from mkdocs_sitemap_plus.lastmod.git import git_dates
from mkdocs_sitemap_plus.pages import SourcePage
from mkdocs_sitemap_plus.pages.project_file import with_option_lines
from mkdocs_sitemap_plus.pipeline import Outcome
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem
from mkdocs_sitemap_plus.report.data import PageData, ReportData
from mkdocs_sitemap_plus.report.explain import lines
from mkdocs_sitemap_plus.report.json_report import report_of
from mkdocs_sitemap_plus.report.phrases import decided_by_build
from mkdocs_sitemap_plus.web.stated_dates import read_date
from mkdocs_sitemap_plus.wording import listing


@click.command(short_help="Explain why a page is listed or not.")
@click.argument(
    "pages",
    metavar="PAGE...",
    nargs=-1,
    type=console.PATH_OR_URL,
    callback=console.names_of_stdin,
)
@click.option("--left-out", is_flag=True, help="Explain all pages that are not listed.")
@console.config_file_option
@console.site_dir_option
@console.site_url_option
@console.docs_dir_option
@click.option(
    "--report",
    "report_file",
    type=click.Path(dir_okay=False, exists=True, path_type=Path, allow_dash=True),
    help="Read this report of the plugin instead of the project and its site.",
)
@console.format_option("text", "json", meaning="Output for people or for programs.")
@click.pass_context
def explain(  # noqa: PLR0913 - one parameter an option
    context: click.Context,
    *,
    pages: tuple[str, ...],
    left_out: bool,
    config_file: Path | None,
    site_dir: Path | None,
    site_url: str | None,
    docs_dir: Path | None,
    report_file: Path | None,
    form: str,
) -> None:
    """Explain why each PAGE is in the sitemap or not, and where each of its fields comes from.

    A PAGE is a source path, a path in the built site, a URL, or a title; - stands for those on
    standard input. It may also be a file that is no page, such as 404.html or a redirect. The
    values are those of the sitemap in the built site. Nothing is written, and no code of the
    project is run.

    \b
    Examples:
      mkdocs-sitemap-plus explain guide/index.md https://example.com/about/
      mkdocs-sitemap-plus explain --left-out

    The exit code is 0, 1 if there is no such page, and 2 if something can't be read.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    if not pages and not left_out:
        raise click.UsageError("Name a page, or use --left-out.")
    if report_file:
        report = console.read_report(report_file)
        answers = {name: find_in_report(report, name) for name in pages}
        if left_out:
            answers["--left-out"] = _left_out(report)
    else:
        project = console.read_project(config_file, site_dir, site_url, docs_dir)
        answers, report = _explain(project, site_dir, pages, left_out=left_out)
    found_pages = _found_pages(answers)
    unknown = {name: answers[name] for name in pages if not answers[name].pages}
    if form == "json":
        missing = [{"asked": name, "nearest": answer.nearest} for name, answer in unknown.items()]
        print_json({"sitemap": report["files"], "pages": found_pages, "unknown": missing})
    else:
        _print_pages(found_pages)
        for name, answer in unknown.items():
            _print_unknown(name, answer)
        if not pages and not found_pages:
            say("No page is left out.")
    context.exit(1 if unknown else 0)


def _left_out(report: ReportData) -> Found:
    """Return all pages that are not listed, as if each had been named."""
    return Found(pages=[page for page in report["pages"] if "left_out" in page])


def _explain(
    project: Project, site_dir: Path | None, names: Iterable[str], *, left_out: bool
) -> tuple[dict[str, Found], ReportData]:
    """Return what is known of the pages with these names, and the report that has all pages."""
    decided = decided_site(project, site_dir)
    site, outcome = decided.site, published_outcome(decided, every=True)
    report = report_of(outcome)
    console.print_problems(  # the build has reported all others
        problem
        for problem in outcome.problems
        if problem.place and problem.place.origin is Origin.SITEMAP
    )
    answers = {name: find_in_site(report, name, site) for name in names}
    if left_out:
        answers["--left-out"] = _left_out(report)
    settings = read_plugin_options(project).settings
    fallbacks = _fallbacks(outcome)
    with git_dates(settings.lastmod.git) as git:
        for page in _found_pages(answers):
            _add_details(page, outcome, git)
            if page.get("dest") in fallbacks:
                page["fallback"] = True
            _add_line(page, project)
            _add_page_date(page, outcome, wanted=bool(settings.page_dates))
    return answers, report


def _found_pages(answers: dict[str, Found]) -> list[PageData]:
    """Return the pages of all answers, each once."""
    pages = (page for answer in answers.values() for page in answer.pages)
    return list({id(page): page for page in pages}.values())


def _add_details(page: PageData, outcome: Outcome, git: GitDates) -> None:
    """Add to a page the subject of the commit that dates it, and what is newer than its date.

    The source may have changes without a commit.
    Newer files are the source and the project file, if they changed after the sitemap was written.
    They are added only if something about the page was decided during the build.
    """
    site = outcome.site
    reason = page.get("because", {}).get("lastmod")
    if reason and "commit" in reason:
        repository = site.root / reason["repository"]
        file = site.docs_dir / page.get("source", "")
        if file.suffix and (changed := uncommitted([file], site.root, git)):
            page["uncommitted"] = f"{changed.found}, and this does not count yet"
        if subject := git.subject(repository, reason["commit"]):
            reason["subject"] = subject
    if decided_by_build(page):
        written = _modified(site.site_dir / outcome.files[0]) if outcome.files else 0.0
        source = page.get("source", "")
        paths = (site.docs_dir / source, site.root / site.project_file)
        newer = [os.path.relpath(path, site.root) for path in paths if _modified(path) > written]
        if newer:
            page["newer"] = newer


def _fallbacks(outcome: Outcome) -> set[str]:
    """Return the built files of listed pages that show the text of another language."""
    pages = (decision.about for decision in outcome.listed)
    return {page.dest_uri for page in pages if isinstance(page, SourcePage) and page.is_fallback}


def _add_line(page: PageData, project: Project) -> None:
    """Add to a page that an option or a rule leaves out the line of the option."""
    out = page.get("left_out")
    if not out or project.is_alone:
        return
    place = out["place"]
    if place["origin"] not in (Origin.OPTION, Origin.RULE):
        return
    at = Place(Origin(place["origin"]), place.get("file"), place.get("key"))
    for problem in with_option_lines([Problem(code=Code.OPTION, found="", place=at)], project.file):
        if problem.place and problem.place.line:
            place["line"] = problem.place.line
            if problem.place.file:
                place["file"] = problem.place.file


def _add_page_date(page: PageData, outcome: Outcome, *, wanted: bool) -> None:
    """Add to a page with a date whether its built HTML carries it, and why not."""
    entry = page.get("entry")
    lastmod = read_date(entry.get("lastmod", "")) if entry else None
    if entry and lastmod and "dest" in page:
        site_dir = outcome.site.site_dir
        if found := page_date(site_dir, page["dest"], lastmod, entry["loc"], wanted=wanted):
            page["page_date"] = {"carries": found.carries, "why": [*found.why]}


def _modified(path: Path) -> float:
    """Return the time of the last change on this machine, in seconds; 0 if there is no file."""
    return path.stat().st_mtime if is_file(path) else 0.0


def _print_pages(pages: Iterable[PageData]) -> None:
    for number, page in enumerate(pages):
        name = str(page.get("source") or page.get("loc", ""))
        status, colour = ("listed", "green") if "entry" in page else ("not listed", "yellow")
        if number:
            echo()
        echo(styled(name, bold=True), ": ", styled(status, fg=colour))
        for line, dim in lines(page):
            echo(styled(line, dim=dim))


def _print_unknown(name: str, found: Found) -> None:
    line = f"There is no page {name!r}."
    if found.source:
        line = f"There is no page with the source file {found.source!r}. {found.why}"
    if found.nearest:
        line += f" Did you mean {listing(map(repr, found.nearest[:3]), 'or')}?"
    echo(styled(line, fg="red"), err=True)
