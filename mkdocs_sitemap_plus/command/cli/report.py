"""The subcommand ``report``: all pages, and what `check` found, in one HTML file."""

import os
from pathlib import Path

import click

from mkdocs_sitemap_plus.command.any_site.project import read_plugin_options
from mkdocs_sitemap_plus.command.checks.check_sitemap import CheckResult, Options, check_sitemaps
from mkdocs_sitemap_plus.command.checks.owner import Owner
from mkdocs_sitemap_plus.command.cli import console
from mkdocs_sitemap_plus.command.cli.check import owner_of
from mkdocs_sitemap_plus.command.cli.kept import (
    KeptReport,
    note_unknown_project,
    open_report,
    refuse_published,
)
from mkdocs_sitemap_plus.command.cli.printing import print_errors, say
from mkdocs_sitemap_plus.command.views.html_report import shown_commits, to_html
from mkdocs_sitemap_plus.files import Mark, is_file
from mkdocs_sitemap_plus.generator.options.settings import GitSettings
from mkdocs_sitemap_plus.generator.output import STDOUT, write_named_file
from mkdocs_sitemap_plus.gitdates.query import USUAL_NAME
from mkdocs_sitemap_plus.wording import counted


@click.command()
@click.argument(
    "site", required=False, type=console.BuiltFolder(exists=True, file_okay=False, path_type=Path)
)
@console.config_file_option
@console.report_option
@console.output_option(required=True, help="The file to write, such as report.html, or -.")
def report(
    site: Path | None, config_file: Path | None, report_file: Path | None, output: Path
) -> None:
    """Write one HTML report of a built SITE: its dates over time, all pages, and what is left out.

    Without SITE, the built site of the project in this folder is taken. What the last build decided
    is in the report that it kept; what `check` finds now is added. The file needs no network.

    \b
    Examples:
      mkdocs-sitemap-plus report -o report.html
      mkdocs-sitemap-plus report site --report report.json -o report.html
    """  # noqa: D301 - \b keeps the lines of an example, for click
    kept = open_report(config_file, site, report_file)
    refuse_published(output, kept.project, kept.site_dir)
    result = _check(kept)
    found = result.findings if result else []
    print_errors(result.unusable if result else ())
    project = kept.project
    settings = read_plugin_options(project).settings.lastmod.git if project else GitSettings()
    root = project.site.root if project else Path.cwd()
    uris = (project.edit_uri or "", project.repo_url or "") if project else ("", "")
    commits = shown_commits(kept.report, settings, root, *uris)
    note_unknown_project(kept, [each.subject for each in commits])
    ignored_in = settings.ignore_revs_file or USUAL_NAME
    write_named_file(output, to_html(kept.report, found, commits, ignored_in), Mark.HTML_REPORT)
    if output != STDOUT:
        findings = f", {counted(len(found), 'finding')} of check" if found else ""
        say(f"{output.as_posix()}: {counted(len(kept.report['pages']), 'page')}{findings}")


def _check(kept: KeptReport) -> CheckResult | None:
    """Return what `check` finds in the sitemap of a built site; None if there is no sitemap."""
    report, site_dir = kept.report, kept.site_dir
    if site_dir is None or not report["files"] or not is_file(site_dir / report["files"][0]):
        return None
    folder = Path(os.path.relpath(site_dir))

    def owner(other: Path) -> Owner:
        return owner_of(report, kept.project, site_dir) if other == folder else Owner()

    sitemap = (folder / report["files"][0]).as_posix()
    return check_sitemaps([sitemap], Options(owner=owner))
