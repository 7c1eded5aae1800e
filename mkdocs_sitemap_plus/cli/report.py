"""The subcommand ``report``: all pages, and what `check` found, in one HTML file."""

import os
from pathlib import Path

import click

from mkdocs_sitemap_plus.built_site import Project
from mkdocs_sitemap_plus.built_site.owner import owners_decisions
from mkdocs_sitemap_plus.built_site.published import (
    DecidedSite,
    decided_site,
    published_outcome,
)
from mkdocs_sitemap_plus.check import CheckCode
from mkdocs_sitemap_plus.check.decided import OwnersDecisions
from mkdocs_sitemap_plus.check.settings import Options
from mkdocs_sitemap_plus.check.sitemaps import check_sitemaps
from mkdocs_sitemap_plus.cli import console
from mkdocs_sitemap_plus.cli.printing import say
from mkdocs_sitemap_plus.output import STDOUT, write_file
from mkdocs_sitemap_plus.report.html_report import to_html
from mkdocs_sitemap_plus.report.html_report.rows import Checked, Found
from mkdocs_sitemap_plus.report.json_report import report_of
from mkdocs_sitemap_plus.wording import counted


@click.command(short_help="Write one HTML report of all pages and dates.")
@click.argument(
    "site", required=False, type=click.Path(exists=True, path_type=Path, allow_dash=True)
)
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
    if site and (site == STDOUT or site.is_file()):
        data = console.read_report(site)
    else:
        project = console.read_project(config_file, site, site_url, docs_dir)
        decided = decided_site(project, site)
        outcome = published_outcome(decided, every=False)
        data = report_of(outcome)
        checked = _check(decided, project)
    write_file(output, to_html(data, checked))
    if output != STDOUT:
        count = checked.more + len(checked.findings) if checked else 0
        findings = f", {counted(count, 'finding')} of check" if count else ""
        say(f"{output.as_posix()}: {counted(len(data['pages']), 'page')}{findings}")


def _check(decided: DecidedSite, project: Project) -> Checked | None:
    """Return what `check` finds in the sitemap of a built site; None if there is no sitemap."""
    files = decided.pages.files
    if not files:
        return None
    folder = Path(os.path.relpath(decided.site.site_dir))

    def decisions(site_dir: Path) -> OwnersDecisions | None:
        return owners_decisions(project, decided) if site_dir == folder else None

    sitemap = (folder / files[0]).as_posix()
    result = check_sitemaps([sitemap], Options(decided=decisions), frozenset(CheckCode))
    findings = [
        Found(code, code.severity, str(place), loc or "", reason, fix, code.url)
        for finding in result.findings
        for code, place, loc, reason, fix in [finding]
    ]
    return Checked(findings, result.more, result.unusable)
