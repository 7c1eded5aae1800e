"""A page to look at: ``report``."""

from pathlib import Path

import click

from mkdocs_sitemap_plus.command.build import config_file_option
from mkdocs_sitemap_plus.command.decided import decided
from mkdocs_sitemap_plus.command.tell import plural
from mkdocs_sitemap_plus.errors import SitemapError
from mkdocs_sitemap_plus.evidence import Place, Problem, Voice
from mkdocs_sitemap_plus.report.data import Json, from_json, report_of
from mkdocs_sitemap_plus.report.html import to_html
from mkdocs_sitemap_plus.write import write_file


@click.command(short_help="One HTML file on all pages and dates.")
@click.argument("site", type=click.Path(exists=True, path_type=Path))
@config_file_option
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default="report.html",
    show_default=True,
    help="The file to write.",
)
def report(site: Path, config_file: Path | None, output: Path) -> None:
    """Draw a page on a SITE: its dates over time, what is left out and why, and every page.

    SITE is a built folder, or the JSON that the plugin wrote for its option `report`. The page is
    one file, and opens without any network.

    \b
    Examples:
      mkdocs-sitemap-plus report site -o report.html
      mkdocs-sitemap-plus report report.json
    """  # noqa: D301 - \b keeps the lines of an example, for click
    data = _of_site(site, config_file) if site.is_dir() else read_report(site)
    write_file(output, b"".join(to_html(data)))
    click.echo(f"{output.as_posix()}: {plural(len(data['pages']), 'page')}")


def _of_site(folder: Path, config_file: Path | None) -> Json:
    with decided(config_file, folder) as (outcome, _):
        if not outcome.decisions:
            place = Place(voice=Voice.OPTION, file=folder.as_posix())
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
        place = Place(voice=Voice.OPTION, file=name)
        found = f"it can't be read ({error.strerror})"
        raise SitemapError(Problem(code="report", place=place, found=found)) from error
    return from_json(data, name)
