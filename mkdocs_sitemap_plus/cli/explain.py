"""Why a page is in the sitemap, or not: ``explain``."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from mkdocs_sitemap_plus.built_site.moved import pages_of, pages_titled, source_in
from mkdocs_sitemap_plus.cli.build import site_dir_option
from mkdocs_sitemap_plus.cli.console import tell_json, tell_problems
from mkdocs_sitemap_plus.cli.decided import decided
from mkdocs_sitemap_plus.cli.explanation import find, lines, name_of, nearest, text
from mkdocs_sitemap_plus.cli.options import config_file_option
from mkdocs_sitemap_plus.cli.report import read_report
from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.output.json_report import Json, report_of
from mkdocs_sitemap_plus.pipeline.decision import Outcome
from mkdocs_sitemap_plus.problems import Origin, Problem
from mkdocs_sitemap_plus.tools.html_report.rows import decided_by_build
from mkdocs_sitemap_plus.wording import listing, printable

UNKNOWN = 1
"""The exit code if there is no such page."""


@click.command(short_help="Explain why a page is listed or not.")
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
    """Explain why each PAGE is in the sitemap or not, and where each of its fields comes from.

    A PAGE is a source path, a path in the built site, a URL, or a title. The values are those of
    the sitemap that is there. Nothing is written.

    \b
    Example:
      mkdocs-sitemap-plus explain docs/guide/index.md https://example.com/about/

    The exit code is 0, 1 if there is no such page, and 2 if something can't be read.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    opened = _from_file(report_file) if report_file else _from_site(config_file, site_dir)
    with opened as known:
        tell_problems(known.notes)
        answers = {asked: known.find(asked) for asked in pages}
        found = {id(page): page for answer in answers.values() for page in answer.pages}
        for page in found.values():
            known.add_to(page)
    unknown = {asked: answer for asked, answer in answers.items() if not answer.pages}
    if form == "json":
        missing = [{"asked": asked, "nearest": answer.near} for asked, answer in unknown.items()]
        tell_json(
            {"sitemap": known.report["files"], "pages": list(found.values()), "unknown": missing}
        )
    else:
        _tell(found.values())
        _tell_unknown(unknown)
    if unknown:
        context.exit(UNKNOWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """The pages that a name means; if there is none, names that are near.

    Attributes:
        pages: from the report.
        near: source paths, or URLs where a source is known that may be that of several pages.
        source: the path of a source that has no page of its own.
    """

    pages: list[Json]
    near: list[str]
    source: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """A report.

    Attributes:
        report: all pages.
    """

    report: Json

    @property
    def notes(self) -> list[Problem]:
        """What the reader should know before anything is explained."""
        return []

    def find(self, asked: str) -> _Answer:
        """What a name means."""
        return self._answer(find(self.report, [asked]), asked)

    def add_to(self, page: Json) -> None:
        """Add what is known of a page that is explained, and not in any report."""

    def _answer(self, pages: list[Json], asked: str) -> _Answer:
        return _Answer(pages=pages, near=[] if pages else nearest(self.report, asked))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Site(_Known):
    """A built site.

    Attributes:
        outcome: as the sitemap that is there has it.
        history: the commits.
    """

    outcome: Outcome
    history: History

    @property
    def notes(self) -> list[Problem]:
        """What is wrong with the sitemap that is there."""
        places = ((each, each.place) for each in self.outcome.problems)
        return [each for each, place in places if place and place.origin is Origin.SITEMAP]

    def find(self, asked: str) -> _Answer:
        """What a name means, also from each folder, or as a source under another URL."""
        site = self.outcome.site
        names = _names(asked, (site.root, site.docs_dir, site.site_dir))
        pages = find(self.report, names)
        source = None if pages else source_in(names, site.docs_dir, site.root)
        if source is None:
            return self._answer(pages or pages_titled(asked, self.report, site.site_dir), asked)
        made = pages_of(source, self.report, site.docs_dir, site.site_dir)
        if len(made) == 1:
            return _Answer(pages=[made[0] | {"made_of": source}], near=[])
        return _Answer(pages=[], near=[page["loc"] for page in made], source=source)

    def add_to(self, page: Json) -> None:
        """Add the subject of its commit, and the files that are newer than the sitemap."""
        root = self.outcome.site.root
        because = page.get("because", {}).get("lastmod", {})
        if "commit" in because:
            subject = self.history.subject(root / because["repository"], because["commit"])
            because |= {"subject": subject} if subject else {}
        newer = self._newer(page) if decided_by_build(page) else []
        if newer:
            page["newer"] = newer

    def _newer(self, page: Json) -> list[str]:
        """The files of its own that changed after the sitemap was written."""
        site = self.outcome.site
        written = _changed(site.site_dir / next(iter(self.outcome.files), ""))
        source: str = page.get("made_of") or page.get("source", "")
        paths = [site.docs_dir / source, site.root / site.project_file]
        return [os.path.relpath(path, site.root) for path in paths if written < _changed(path)]


def _changed(path: Path) -> float:
    """When a file last changed on this machine; long ago if it is not there."""
    try:
        return path.stat().st_mtime if path.is_file() else 0.0
    except OSError:
        return 0.0


@contextmanager
def _from_file(path: Path) -> Iterator[_Known]:
    yield _Known(report=read_report(path))


@contextmanager
def _from_site(config_file: Path | None, site_dir: Path | None) -> Iterator[_Known]:
    with decided(config_file, site_dir) as (outcome, history):
        yield _Site(report=report_of(outcome), outcome=outcome, history=history)


def _names(asked: str, folders: tuple[Path, ...]) -> list[str]:
    """What is asked for, as it is and from each of the folders that it is in."""
    path = Path(os.path.abspath(asked))  # noqa: PTH100 - resolve() follows links
    inside = [folder for folder in folders if "://" not in asked and path.is_relative_to(folder)]
    return [asked, *(path.relative_to(folder).as_posix() for folder in inside)]


def _tell(pages: Iterable[Json]) -> None:
    for number, page in enumerate(pages):
        if number:
            click.echo()
        status = ("listed", "green") if "entry" in page else ("not listed", "yellow")
        click.echo(f"{click.style(printable(name_of(page)), bold=True)}: ", nl=False)
        click.secho(status[0], fg=status[1])
        for line, dim in text(lines(page)):
            click.secho(printable(line), dim=dim)


def _tell_unknown(unknown: dict[str, _Answer]) -> None:
    for asked, answer in unknown.items():
        if answer.source:
            found = f"No page is known to be made of {answer.source!r}. Posts of a blog and pages "
            found += "of other plugins are known here by their URL."
        else:
            found = f"There is no page {asked!r}."
        suggestion = (
            f" Did you mean {listing(map(repr, answer.near[:3]), 'or')}?" if answer.near else ""
        )
        click.secho(f"{found}{suggestion}", fg="red", err=True)
