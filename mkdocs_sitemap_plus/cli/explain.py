"""The subcommands ``explain``, on single pages, and ``report``, on all pages in one HTML file."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from mkdocs_sitemap_plus.built_site import Project, read_plugin_options
from mkdocs_sitemap_plus.built_site.find_page import Found, find_in_report, find_in_site
from mkdocs_sitemap_plus.built_site.page_date import page_date
from mkdocs_sitemap_plus.built_site.published import published_outcome
from mkdocs_sitemap_plus.cli import console
from mkdocs_sitemap_plus.cli.printing import echo, print_json, styled
from mkdocs_sitemap_plus.files import is_file
from mkdocs_sitemap_plus.gitdates import GitDates
from mkdocs_sitemap_plus.lastmod.dates_file import uncommitted
from mkdocs_sitemap_plus.output import write_file
from mkdocs_sitemap_plus.output.targets import is_stdout
from mkdocs_sitemap_plus.pages.project_file import with_option_lines
from mkdocs_sitemap_plus.pipeline import Outcome
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.report.explain import lines
from mkdocs_sitemap_plus.report.html_report import to_html
from mkdocs_sitemap_plus.report.html_report.rows import decided_by_build
from mkdocs_sitemap_plus.report.json_report import Json, from_json, report_of
from mkdocs_sitemap_plus.sitemap.render import begins_like_own_file
from mkdocs_sitemap_plus.web.stated_dates import read_date
from mkdocs_sitemap_plus.wording import counted, listing

_START = 4096  # bytes that show who wrote a sitemap


@click.command(short_help="Explain why a page is listed or not.")
@click.argument("pages", metavar="PAGE...", nargs=-1, required=True)
@console.config_file_option
@console.site_dir_option
@click.option(
    "--report",
    "report_file",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="Read this report of the plugin instead of the project and its site.",
)
@console.format_option("text", "json", meaning="Output for people or for programs.")
@click.pass_context
def explain(  # noqa: PLR0913 - one parameter an option
    context: click.Context,
    *,
    pages: tuple[str, ...],
    config_file: Path | None,
    site_dir: Path | None,
    report_file: Path | None,
    form: str,
) -> None:
    """Explain why each PAGE is in the sitemap or not, and where each of its fields comes from.

    A PAGE is a source path, a path in the built site, a URL, or a title. It may also be a file that
    is no page, such as 404.html or a redirect. The values are those of the sitemap in the built
    site. Nothing is written, and no code of the project is run.

    \b
    Example:
      mkdocs-sitemap-plus explain docs/guide/index.md https://example.com/about/

    The exit code is 0, 1 if there is no such page, and 2 if something can't be read.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    if report_file:
        report = read_report(report_file)
        answers = {name: find_in_report(report, name) for name in pages}
    else:
        project = console.read_project(config_file, site_dir)
        with published_outcome(project, site_dir, every=True) as (outcome, history):
            report = report_of(outcome)
            console.print_problems(  # the build has reported all others
                problem
                for problem in outcome.problems
                if problem.place and problem.place.origin is Origin.SITEMAP
            )
            console.print_problems(_without_plugin(project, outcome))
            answers = {name: find_in_site(report, name, outcome.site) for name in pages}
            page_dates = bool(read_plugin_options(project).settings.page_dates)
            fallbacks = _fallbacks(outcome)
            for page in _found_pages(answers):
                _add_details(page, outcome, history)
                if page.get("dest") in fallbacks:
                    page["fallback"] = True
                _add_line(page, project)
                _add_page_date(page, outcome, wanted=page_dates)
    found_pages = _found_pages(answers)
    unknown = {name: answer for name, answer in answers.items() if not answer.pages}
    if form == "json":
        missing = [{"asked": name, "nearest": answer.nearest} for name, answer in unknown.items()]
        print_json({"sitemap": report["files"], "pages": found_pages, "unknown": missing})
    else:
        _print_pages(found_pages)
        for name, answer in unknown.items():
            _print_unknown(name, answer)
    context.exit(1 if unknown else 0)


def _without_plugin(project: Project, outcome: Outcome) -> Iterator[Problem]:
    """Yield a note if MkDocs builds the site without this plugin, so that others decide."""
    site = outcome.site
    sitemap = site.site_dir / "sitemap.xml"
    if site.project_file.endswith(".toml") or not project.has_sources or not is_file(sitemap):
        return
    with sitemap.open("rb") as file:
        is_own = begins_like_own_file(file.read(_START))
    if "sitemap-plus" not in project.plugins and not is_own:
        yield Problem(
            code=Code.PROJECT_FILE,
            place=Place(origin=Origin.OPTION, file=site.project_file),
            found="it does not use sitemap-plus, so another program wrote this sitemap",
            fix="Add `- sitemap-plus` under plugins, and build the site again.",
            level=Level.INFO,
        )


def _found_pages(answers: dict[str, Found]) -> list[Json]:
    """Return the pages of all answers, each once."""
    pages = (page for answer in answers.values() for page in answer.pages)
    return list({id(page): page for page in pages}.values())


def _add_details(page: Json, outcome: Outcome, history: GitDates) -> None:
    """Add to a page the subject of the commit that dates it, and what is newer than its date.

    The source may have changes without a commit.
    Newer files are the source and the project file, if they changed after the sitemap was written.
    They are added only if something about the page was decided during the build.
    """
    site = outcome.site
    reason = page.get("because", {}).get("lastmod", {})
    if "commit" in reason:
        repository = site.root / reason["repository"]
        source = site.docs_dir / page.get("source", "")
        if source.suffix and (changed := uncommitted([source], site.root, history)):
            page["uncommitted"] = f"{changed.found}, and this does not count yet"
        if subject := history.subject(repository, reason["commit"]):
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
    pages = (decision.page for decision in outcome.decisions if decision.entry)
    return {page.dest_uri for page in pages if page is not None and page.is_fallback}


def _add_line(page: Json, project: Project) -> None:
    """Add to a page that an option or a rule leaves out the line of the option."""
    place = page.get("left_out", {}).get("place", {})
    if place.get("origin") not in (Origin.OPTION, Origin.RULE) or not project.has_sources:
        return
    at = Place(Origin(place["origin"]), place.get("file"), place.get("key"))
    for problem in with_option_lines([Problem(code=Code.OPTION, found="", place=at)], project.file):
        if problem.place and problem.place.line:
            place.update(file=problem.place.file, line=problem.place.line)


def _add_page_date(page: Json, outcome: Outcome, *, wanted: bool) -> None:
    """Add to a page with a date whether its built HTML carries it, and why not."""
    lastmod = read_date(page.get("entry", {}).get("lastmod", ""))
    if lastmod and "dest" in page:
        site_dir = outcome.site.site_dir
        if found := page_date(site_dir, page["dest"], lastmod, page["loc"], wanted=wanted):
            page["page_date"] = {"carries": found.carries, "why": [*found.why]}


def _modified(path: Path) -> float:
    """Return the time of the last change on this machine, in seconds; 0 if there is no file."""
    return path.stat().st_mtime if is_file(path) else 0.0


def _print_pages(pages: Iterable[Json]) -> None:
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
        line = (
            f"There is no page with the source file {found.source!r}. Perhaps it is a draft, or "
            "newer than the built site. If a plugin made the page, give its URL."
        )
    if found.nearest:
        line += f" Did you mean {listing(map(repr, found.nearest[:3]), 'or')}?"
    echo(styled(line, fg="red"), err=True)


@click.command(short_help="Write one HTML report of all pages and dates.")
@click.argument("site", required=False, type=click.Path(exists=True, path_type=Path))
@console.config_file_option
@console.output_option(default="report.html", show_default=True, help="The file to write, or -.")
def report(site: Path | None, config_file: Path | None, output: Path) -> None:
    """Write one HTML report of a SITE: dates over time, all pages, and why pages are left out.

    SITE is a built site, or the JSON file that the plugin wrote for its option `report`. Without
    SITE, the built site of the project in this folder is taken. The report is one file, and needs
    no network.

    \b
    Examples:
      mkdocs-sitemap-plus report
      mkdocs-sitemap-plus report site -o report.html
      mkdocs-sitemap-plus report report.json
    """  # noqa: D301 - \b keeps the lines of an example, for click
    if site and site.is_file():
        data = read_report(site)
    else:
        project = console.read_project(config_file, site)
        with published_outcome(project, site, every=False) as (outcome, _):
            if not outcome.decisions:
                folder = site or Path(os.path.relpath(project.site.site_dir))
                raise _invalid(folder, "no page of this project is built there")
            data = report_of(outcome)
    write_file(output, b"".join(to_html(data)))
    if not is_stdout(output):
        echo(f"{output.as_posix()}: {counted(len(data['pages']), 'page')}")


def read_report(path: Path) -> Json:
    """Return a JSON report that the plugin wrote. Raises SitemapError if it can't be read."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _invalid(path, f"it can't be read ({error.strerror})") from error
    return from_json(data, path.as_posix())


def _invalid(path: Path, found: str) -> SitemapError:
    place = Place(origin=Origin.OPTION, file=path.as_posix())
    return SitemapError(Problem(code=Code.REPORT, place=place, found=found))
