"""Write one HTML report of a site: ``report``."""

import os
from pathlib import Path

import click

from mkdocs_sitemap_plus.built_site.project import read_project
from mkdocs_sitemap_plus.built_site.published import published_outcome
from mkdocs_sitemap_plus.cli import console
from mkdocs_sitemap_plus.output.json_report import Json, from_json, report_of
from mkdocs_sitemap_plus.output.write import write_file
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.tools.html_report.html import to_html
from mkdocs_sitemap_plus.wording import counted


@click.command(short_help="Write one HTML report of all pages and dates.")
@click.argument("site", required=False, type=click.Path(exists=True, path_type=Path))
@console.config_file_option
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default="report.html",
    show_default=True,
    help="The file to write.",
)
def report(site: Path | None, config_file: Path | None, output: Path) -> None:
    """Write one HTML report of a SITE: its dates over time, what is left out and why, every page.

    SITE is a built folder, or the JSON that the plugin wrote for its option `report`. Without it,
    it is the built site of the project in this folder. The report is one file, and needs no
    network.

    \b
    Examples:
      mkdocs-sitemap-plus report
      mkdocs-sitemap-plus report site -o report.html
      mkdocs-sitemap-plus report report.json
    """  # noqa: D301 - \b keeps the lines of an example, for click
    data = read_report(site) if site and site.is_file() else _report_of_site(site, config_file)
    write_file(output, b"".join(to_html(data)))
    click.echo(f"{output.as_posix()}: {counted(len(data['pages']), 'page')}")


def _report_of_site(site_dir: Path | None, config_file: Path | None) -> Json:
    project = read_project(config_file)
    console.print_problems(project.notes)
    with published_outcome(project, site_dir) as (outcome, _):
        if not outcome.decisions:
            folder = site_dir or Path(os.path.relpath(project.site_dir))
            raise _invalid(folder, "no page of this project is built there")
        return report_of(outcome)


def read_report(path: Path) -> Json:
    """Return a JSON report that the plugin wrote.

    Raises:
        SitemapError: the file can't be read, or is not such a report.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _invalid(path, f"it can't be read ({error.strerror})") from error
    return from_json(data, path.as_posix())


def _invalid(path: Path, found: str) -> SitemapError:
    place = Place(origin=Origin.OPTION, file=path.as_posix())
    return SitemapError(Problem(code="report", place=place, found=found))
