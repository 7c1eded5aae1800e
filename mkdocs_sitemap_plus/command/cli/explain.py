"""The subcommand ``explain``: why a page is listed or not, and where its values come from."""

from collections.abc import Iterable
from pathlib import Path

import click

from mkdocs_sitemap_plus.command.cli import console
from mkdocs_sitemap_plus.command.cli.kept import (
    KeptReport,
    note_unknown_project,
    open_report,
    place_of,
)
from mkdocs_sitemap_plus.command.cli.printing import echo, print_json, print_line, styled
from mkdocs_sitemap_plus.command.views.explanation import find_pages, lines, row_of, table
from mkdocs_sitemap_plus.files import absolute_path, is_file, path_from
from mkdocs_sitemap_plus.generator.kept_report import Data
from mkdocs_sitemap_plus.gitdates import GitDates
from mkdocs_sitemap_plus.gitdates.single_commits import subjects as subjects_of
from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.wording import format_value


@click.command()
@click.argument(
    "pages", metavar="PAGE...", nargs=-1, type=console.PATH_OR_URL, callback=console.names_of_stdin
)
@click.option("--all", "every", is_flag=True, help="Print one line a page: path, day, reason.")
@console.config_file_option
@console.site_dir_option
@console.report_option
@console.format_option("text", "json", meaning="Output for people or for programs.")
@click.pass_context
def explain(  # noqa: PLR0913 - one parameter an option
    context: click.Context,
    *,
    pages: tuple[str, ...],
    every: bool,
    config_file: Path | None,
    site_dir: Path | None,
    report_file: Path | None,
    form: str,
) -> None:
    """Explain why each PAGE is in the sitemap or not, and where each of its fields comes from.

    A PAGE is a source path, a path in the built site, or a URL; - stands for those on standard
    input. It may also be a file that is no page, such as 404.html or a redirect. What the
    last build decided is in the report that it kept. Nothing is decided again.

    \b
    Examples:
      mkdocs-sitemap-plus explain guide/index.md https://example.com/about/
      mkdocs-sitemap-plus explain --all
      mkdocs-sitemap-plus explain --report report.json guide/index.md

    The exit code is 0, 1 if there is no such page, and 2 if there is no report of the build.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    if bool(pages) is every:
        raise click.UsageError("Name pages, or use --all for all of them.")
    kept = open_report(config_file, site_dir, report_file)
    report = kept.report
    if why := report.get("no_sitemap"):
        if not report["pages"]:
            raise SitemapError(Problem(code=Code.NO_SITEMAP, found=why.removesuffix(".")))
        print_line("Note", why)
    answers = {name: find_pages(report, name, _names_inside(name, kept)) for name in pages}
    named = {id(page): page for answer in answers.values() for page in answer}
    found = [*report["pages"], *report["others"]] if every else [*named.values()]
    unknown = [name for name, answer in answers.items() if not answer]
    if not every:
        _add_details(found, kept)
    if form == "json":
        missing = [{"asked": name} for name in unknown]
        print_json({"sitemap": report["files"], "pages": found, "unknown": missing})
    elif every:
        # Without the files of a theme.
        pages_of_site = [page for page in found if page.get("dest", ".html").endswith(".html")]
        docs_dir = report["site"]["docs_dir"]
        for line in table([row_of(page, docs_dir) for page in pages_of_site]):
            echo(line)
    else:
        _print_pages(found)
        for name in unknown:
            line = f"There is no page {format_value(name)}. `explain --all` names all pages."
            echo(styled(line, fg="red"), err=True)
    context.exit(1 if unknown else 0)


def _names_inside(name: str, kept: KeptReport) -> list[str]:
    """Return the paths that a file of this folder has in the project, its docs and its site."""
    project = kept.project
    folders = [project.site.root, project.site.docs_dir] if project else [Path.cwd()]
    if kept.site_dir:
        folders.append(kept.site_dir)
    path = absolute_path(name) if "://" not in name and "\0" not in name else None
    return [path_from(folder, path) for folder in folders if path and path.is_relative_to(folder)]


def _add_details(pages: Iterable[Data], kept: KeptReport) -> None:
    """Add to pages what is no decision: the subjects of commits, and what is not committed.

    The line of an option that leaves a page out is added, too.
    """
    project = kept.project
    root = project.site.root if project else Path.cwd()
    subjects = list[str]()
    with GitDates() as git:
        for page in pages:
            reason = page.get("because", {}).get("lastmod")
            if reason and "repository" in reason and (commit := reason.get("commit")):
                found = subjects_of(root / reason["repository"], [commit])
                subjects.append(found.get(commit, ""))
                if words := subjects[-1]:
                    reason["subject"] = words
                source = root / kept.report["site"]["docs_dir"] / page.get("source", "")
                if is_file(source) and git.uncommitted([source]):
                    changed = f"{path_from(root, source)} has changed since the last commit"
                    page["uncommitted"] = f"{changed}, and this does not count yet"
            if out := page.get("left_out"):
                place = place_of(out["place"], project)
                if place.line and place.file:
                    out["place"]["line"], out["place"]["file"] = place.line, place.file
    note_unknown_project(kept, subjects)


def _print_pages(pages: Iterable[Data]) -> None:
    for number, page in enumerate(pages):
        name = page.get("source") or page.get("dest") or page.get("loc", "")
        status, colour = ("listed", "green") if "entry" in page else ("not listed", "yellow")
        if number:
            echo()
        echo(styled(name, bold=True), ": ", styled(status, fg=colour))
        for line, dim in lines(page):
            echo(styled(line, dim=dim))
