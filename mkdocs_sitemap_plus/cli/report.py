"""The subcommand ``report``: all pages, and what `check` found, in one HTML file."""

import os
from pathlib import Path

import click

from mkdocs_sitemap_plus.check import CheckCode
from mkdocs_sitemap_plus.check.decided import OwnersDecisions
from mkdocs_sitemap_plus.check.settings import Options
from mkdocs_sitemap_plus.check.sitemaps import check_sitemaps
from mkdocs_sitemap_plus.cli import console
from mkdocs_sitemap_plus.cli.kept import Kept, open_report
from mkdocs_sitemap_plus.cli.owner import owners_decisions
from mkdocs_sitemap_plus.cli.printing import say
from mkdocs_sitemap_plus.files import is_file
from mkdocs_sitemap_plus.output import STDOUT, write_file
from mkdocs_sitemap_plus.report.html_report import to_html
from mkdocs_sitemap_plus.report.html_report.rows import Checked, Found
from mkdocs_sitemap_plus.wording import counted


@click.command(short_help="Write one HTML report of all pages and dates.")
@click.argument(
    "site", required=False, type=click.Path(exists=True, path_type=Path, allow_dash=True)
)
@console.config_file_option
@console.output_option(default="report.html", show_default=True, help="The file to write, or -.")
def report(
    site: Path | None,
    config_file: Path | None,
    output: Path,
) -> None:
    """Write one HTML report of a SITE: dates over time, all pages, and why pages are left out.

    SITE is a built site, or the JSON file that its build wrote for the option `report`. Without
    SITE, the built site of the project in this folder is taken. Of a built site, the report also
    has what `check` finds. It is one file, and needs no network.

    \b
    Examples:
      mkdocs-sitemap-plus report
      mkdocs-sitemap-plus report site -o report.html
      mkdocs-sitemap-plus report report.json
    """  # noqa: D301 - \b keeps the lines of an example, for click
    is_report = site and (site == STDOUT or site.is_file())
    kept = open_report(config_file, None if is_report else site, site if is_report else None)
    data, checked = kept.report, _check(kept)
    write_file(output, to_html(data, checked))
    if output != STDOUT:
        count = checked.more + len(checked.findings) if checked else 0
        findings = f", {counted(count, 'finding')} of check" if count else ""
        say(f"{output.as_posix()}: {counted(len(data['pages']), 'page')}{findings}")


def _check(kept: Kept) -> Checked | None:
    """Return what `check` finds in the sitemap of a built site; None if there is no sitemap."""
    report, site_dir = kept.report, kept.site_dir
    if site_dir is None or not report["files"] or not is_file(site_dir / report["files"][0]):
        return None
    folder = Path(os.path.relpath(site_dir))

    def decisions(other: Path) -> OwnersDecisions | None:
        return owners_decisions(report, kept.project, site_dir) if other == folder else None

    sitemap = (folder / report["files"][0]).as_posix()
    result = check_sitemaps([sitemap], Options(decided=decisions), frozenset(CheckCode))
    findings = [
        Found(code, code.severity, str(place), loc or "", reason, fix, code.url)
        for finding in result.findings
        for code, place, loc, reason, fix in [finding]
    ]
    return Checked(findings, result.more, result.unusable)
