"""Why a page is in the sitemap, or not: ``explain``."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from mkdocs_sitemap_plus.command.build import config_file_option, site_dir_option
from mkdocs_sitemap_plus.command.decided import decided
from mkdocs_sitemap_plus.command.report import read_report
from mkdocs_sitemap_plus.command.tell import tell_json
from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.report.data import Json, report_of
from mkdocs_sitemap_plus.report.explain import find, lines, name_of, nearest, text
from mkdocs_sitemap_plus.wording import printable

UNKNOWN = 1
"""The exit code if there is no such page."""


@click.command(short_help="Why a page is in the sitemap, or not.")
@click.argument("pages", metavar="PAGE...", nargs=-1, required=True)
@config_file_option
@site_dir_option
@click.option(
    "--report",
    "report_file",
    metavar="FILE",
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="Read this report of the plugin, and neither project nor site.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="For people, or for programs.",
)
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
    """Say of each PAGE whether it is in the sitemap, and where each of its fields comes from.

    A PAGE is a source path, a path in the built site, or a URL. Nothing is written.

    \b
    Example:
      mkdocs-sitemap-plus explain docs/guide/index.md https://example.com/about/

    The exit code is 0, 1 if there is no such page, and 2 if something can't be read.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    opened = _from_file(report_file) if report_file else _from_site(config_file, site_dir)
    with opened as (report, folders, history):
        answers = {asked: find(report, _names(asked, folders)) for asked in pages}
        found = {id(page): page for answer in answers.values() for page in answer}
        if history:
            _add_subjects(found.values(), history, folders[0])
    unknown = {asked: nearest(report, asked) for asked, answer in answers.items() if not answer}
    if form == "json":
        missing = [{"asked": asked, "nearest": near} for asked, near in unknown.items()]
        tell_json({"pages": list(found.values()), "unknown": missing})
    else:
        _tell(found.values())
        _tell_unknown(unknown)
    if unknown:
        context.exit(UNKNOWN)


_Opened = tuple[Json, tuple[Path, ...], History | None]
"""A report, the folders that names may be relative to, and who knows a commit's subject."""


@contextmanager
def _from_file(path: Path) -> Iterator[_Opened]:
    yield read_report(path), (), None


@contextmanager
def _from_site(config_file: Path | None, site_dir: Path | None) -> Iterator[_Opened]:
    with decided(config_file, site_dir) as (outcome, history):
        site = outcome.site
        yield report_of(outcome), (site.root, site.docs_dir, site.site_dir), history


def _names(asked: str, folders: tuple[Path, ...]) -> list[str]:
    """What is asked for, as it is and from each of the folders that it is in."""
    path = Path(os.path.abspath(asked))  # noqa: PTH100 - resolve() follows links
    inside = [folder for folder in folders if "://" not in asked and path.is_relative_to(folder)]
    return [asked, *(path.relative_to(folder).as_posix() for folder in inside)]


def _add_subjects(pages: Iterable[Json], history: History, root: Path) -> None:
    for page in pages:
        because = page.get("because", {}).get("lastmod", {})
        if "commit" in because:
            subject = history.subject(root / because["repository"], because["commit"])
            because |= {"subject": subject} if subject else {}


def _tell(pages: Iterable[Json]) -> None:
    for number, page in enumerate(pages):
        if number:
            click.echo()
        status = ("listed", "green") if "entry" in page else ("left out", "yellow")
        click.echo(f"{click.style(printable(name_of(page)), bold=True)}: ", nl=False)
        click.secho(status[0], fg=status[1])
        for line, dim in text(lines(page)):
            click.secho(printable(line), dim=dim)


def _tell_unknown(unknown: dict[str, list[str]]) -> None:
    for asked, near in unknown.items():
        meant = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
        click.secho(f"There is no page {asked!r}.{meant}", fg="red", err=True)
