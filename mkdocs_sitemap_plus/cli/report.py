"""The subcommand ``report``: all pages, and what `check` found, in one HTML file."""

import os
from functools import partial
from pathlib import Path

import click

from mkdocs_sitemap_plus.built_site import Project
from mkdocs_sitemap_plus.built_site.owner import owners_decisions
from mkdocs_sitemap_plus.built_site.published import published_outcome
from mkdocs_sitemap_plus.check import CheckCode
from mkdocs_sitemap_plus.check.settings import Options
from mkdocs_sitemap_plus.check.sitemaps import check_sitemaps
from mkdocs_sitemap_plus.cli import console
from mkdocs_sitemap_plus.cli.printing import echo
from mkdocs_sitemap_plus.output import write_file
from mkdocs_sitemap_plus.output.targets import is_stdout
from mkdocs_sitemap_plus.pipeline import Outcome
from mkdocs_sitemap_plus.report.html_report import to_html
from mkdocs_sitemap_plus.report.html_report.rows import Checked, Found
from mkdocs_sitemap_plus.report.json_report import report_of
from mkdocs_sitemap_plus.wording import counted


@click.command(short_help="Write one HTML report of all pages and dates.")
@click.argument("site", required=False, type=click.Path(exists=True, path_type=Path))
@console.config_file_option
@console.site_url_option
@console.docs_dir_option
@console.output_option(default="report.html", show_default=True, help="The file to write, or -.")
def report(
    site: Path | None,
    config_file: Path | None,
    site_url: str | None,
    docs_dir: Path | None,
    output: Path,
) -> None:
    """Write one HTML report of a SITE: dates over time, all pages, and why pages are left out.

    SITE is a built site, or the JSON file that the plugin wrote for its option `report`. Without
    SITE, the built site of the project in this folder is taken. Of a built site, the report also
    has what `check` finds. It is one file, and needs no network.

    \b
    Examples:
      mkdocs-sitemap-plus report
      mkdocs-sitemap-plus report site -o report.html
      mkdocs-sitemap-plus report report.json
    """  # noqa: D301 - \b keeps the lines of an example, for click
    checked = None
    if site and site.is_file():
        data = console.read_report(site)
    else:
        project = console.read_project(config_file, site, site_url, docs_dir)
        _, outcome = published_outcome(project, site, every=False)
        if not outcome.decisions:
            folder = site or Path(os.path.relpath(project.site.site_dir))
            raise console.unusable_report(folder, "no page of this project is built there")
        data = report_of(outcome)
        checked = _check(outcome, project)
    write_file(output, to_html(data, checked))
    if not is_stdout(output):
        count = checked.more + len(checked.findings) if checked else 0
        findings = f", {counted(count, 'finding')} of check" if count else ""
        echo(f"{output.as_posix()}: {counted(len(data['pages']), 'page')}{findings}")


def _check(outcome: Outcome, project: Project) -> Checked | None:
    """Return what `check` finds in the sitemap of a built site; None if there is no sitemap."""
    if not outcome.files:
        return None
    folder = Path(os.path.relpath(outcome.site.site_dir))
    options = Options(decided=partial(owners_decisions, project))
    result = check_sitemaps([(folder / outcome.files[0]).as_posix()], options, frozenset(CheckCode))
    findings = [
        Found(code, code.severity, str(place), loc or "", reason, fix, code.url)
        for finding in result.findings
        for code, place, loc, reason, fix in [finding]
    ]
    return Checked(findings, result.more, result.unusable)
