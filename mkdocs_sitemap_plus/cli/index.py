"""One sitemap for several built sites: ``index``."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from mkdocs_sitemap_plus.cli.console import print_problems
from mkdocs_sitemap_plus.files import real_path
from mkdocs_sitemap_plus.output.write import write_files
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.render import render_index
from mkdocs_sitemap_plus.sitemap.split import Layout, SitemapFile, files
from mkdocs_sitemap_plus.tools.root_index import Members, listed_sitemaps, members, merged
from mkdocs_sitemap_plus.wording import counted


@click.command(short_help="Write one sitemap for several built sites.")
@click.argument("sites", metavar="DIR...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The file to write.  [default: sitemap-index.xml, with --merge sitemap.xml, in the folder "
    "that all sites have in common]",
)
@click.option("--url", metavar="URL", help="The URL of the folder of the file.")
@click.option("--merge", is_flag=True, help="Write one list of all pages instead of an index.")
@click.option(
    "--only-canonical",
    is_flag=True,
    help="Leave out pages that do not exist, redirect, or name another canonical URL.",
)
def index(
    *,
    sites: tuple[str, ...],
    output: Path | None,
    url: str | None,
    merge: bool,
    only_canonical: bool,
) -> None:
    """Write one sitemap index for several built sites: languages, projects, or mike's versions.

    Each DIR is a built site with its sitemap, or a folder with the versions.json of mike. The URL
    of a site is taken from the canonical link of its home page, else from its sitemap. If neither
    gives it, pass DIR=URL.

    \b
    Examples:
      mkdocs-sitemap-plus index public/en public/de
      mkdocs-sitemap-plus index --merge --only-canonical gh-pages

    The exit code is 0, and 2 if something can't be read or written.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    folder = Path(os.path.abspath(output)).parent if output else None  # noqa: PTH100
    among = members(sites, folder, url)
    name = output.name if output else _name(among, merge=merge)
    made = (_list if merge else _index)(name, among, only_canonical=only_canonical)
    print_problems((*among.problems, *made.problems))
    if not made.count:
        raise SitemapError(_problem(name, "would be empty; no file is written"))
    written = write_files(among.folder, _none_of_theirs(made.files, among), name)
    what = counted(made.count, "URL" if merge else "sitemap")
    click.echo(f"{' and '.join(written)} for {among.url}: {what}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    """The files to write, how much is listed in them, and the problems."""

    files: Iterable[SitemapFile]
    count: int
    problems: Sequence[Problem]


def _index(name: str, among: Members, *, only_canonical: bool) -> _Made:
    listed, problems = listed_sitemaps(among, only_canonical=only_canonical)
    file = SitemapFile(name=name, pieces=(render_index(listed),))
    return _Made(files=[file], count=len(listed), problems=problems)


def _list(name: str, among: Members, *, only_canonical: bool) -> _Made:
    entries, problems = merged(among, only_canonical=only_canonical)
    made = files(entries, Layout(filename=name, base=among.url))
    return _Made(files=made, count=len(entries), problems=problems)


def _name(among: Members, *, merge: bool) -> str:
    """Return the usual name; in the folder of a site the owner has to choose one."""
    name = "sitemap.xml" if merge else "sitemap-index.xml"
    if any(site.folder == among.folder for site in among.sites):
        raise SitemapError(
            _problem(name, "would be written into the folder of a site, which may have such a file")
        )
    return name


def _none_of_theirs(made: Iterable[SitemapFile], among: Members) -> Iterator[SitemapFile]:
    """Yield the files; none of them may replace one of the sitemaps that they list."""
    theirs = {real_path(path) for site in among.sites for path in site.sitemaps}
    for file in made:
        if real_path(among.folder / file.name) in theirs:
            raise SitemapError(
                _problem(file.name, "would replace one of the sitemaps that it lists")
            )
        yield file


def _problem(name: str, found: str) -> Problem:
    place = Place(origin=Origin.OPTION, file=name)
    return Problem(code="index", place=place, found=found, fix="Choose the output file with -o.")
