"""A page to look at: ``report``."""

import os
from pathlib import Path

import click

from mkdocs_sitemap_plus.cli.decided import decided
from mkdocs_sitemap_plus.cli.options import config_file_option
from mkdocs_sitemap_plus.output.json_report import Json, from_json, report_of
from mkdocs_sitemap_plus.output.write import write_file
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.tools.html_report.html import to_html
from mkdocs_sitemap_plus.wording import counted


@click.command(short_help="Write one HTML report of all pages and dates.")
@click.argument("site", required=False, type=click.Path(exists=True, path_type=Path))
@config_file_option
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
    data = read_report(site) if site and site.is_file() else _of_site(site, config_file)
    write_file(output, b"".join(to_html(data)))
    click.echo(f"{output.as_posix()}: {counted(len(data['pages']), 'page')}")


def _of_site(folder: Path | None, config_file: Path | None) -> Json:
    with decided(config_file, folder) as (outcome, _):
        if not outcome.decisions:
            built = folder or Path(os.path.relpath(outcome.site.site_dir))
            place = Place(origin=Origin.OPTION, file=built.as_posix())
            found = "no page of this project is built there"
            raise SitemapError(Problem(code="report", place=place, found=found))
        return report_of(outcome)


def read_report(path: Path) -> Json:
    """The report in a file.

    Raises:
        SitemapError: it is none, or can't be read.
    """
    name = path.as_posix()
    try:
        data = path.read_bytes()
    except OSError as error:
        place = Place(origin=Origin.OPTION, file=name)
        found = f"it can't be read ({error.strerror})"
        raise SitemapError(Problem(code="report", place=place, found=found)) from error
    return from_json(data, name)
