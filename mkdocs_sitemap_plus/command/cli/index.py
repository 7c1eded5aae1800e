"""One sitemap for several built sites: ``index``."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from mkdocs_sitemap_plus.command.cli import console
from mkdocs_sitemap_plus.command.cli.printing import say
from mkdocs_sitemap_plus.command.index_of_sites import (
    SiteGroup,
    listed_sitemaps,
    merged,
    read_sites,
)
from mkdocs_sitemap_plus.files import Mark, absolute_path, real_path
from mkdocs_sitemap_plus.generator.output import (
    STDOUT,
    is_stream,
    pack,
    refuse_others,
    write_file,
    write_files,
)
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.write import Layout, SitemapFile, files, render_index
from mkdocs_sitemap_plus.wording import counted

_OTHER_FILE = "Choose the output file with -o."


@click.command()
@click.argument("sites", metavar="DIR...", nargs=-1, required=True, type=console.PATH_OR_URL)
@console.output_option(
    help="The file to write, or - for standard output.  [default: sitemap-index.xml, or "
    "sitemap.xml with --merge, in the folder that all sites have in common]"
)
@click.option("--url", metavar="URL", help="The URL of the folder of the new file.")
@click.option("--merge", is_flag=True, help="Write one list of all pages instead of an index.")
def index(*, sites: tuple[str, ...], output: Path | None, url: str | None, merge: bool) -> None:
    """Write one sitemap index for several built sites: languages, projects, or mike's versions.

    Each DIR is a built site with its sitemap, or a folder with the versions.json of mike. The URL
    of a site is the canonical URL of its home page, or otherwise the first URL of its sitemap, in
    sorted order. If neither is that of a folder, pass DIR=URL.

    \b
    Examples:
      mkdocs-sitemap-plus index public/en public/de
      mkdocs-sitemap-plus index --merge gh-pages

    The exit code is 0, and 1 if a DIR has no sitemap with URLs, or something can't be read or
    written.
    """  # noqa: D301 - \b keeps the lines of an example, for click
    name, folder = "sitemap.xml" if merge else "sitemap-index.xml", None
    stream = output if output and is_stream(output) else None
    if output and not stream:
        path = absolute_path(output)
        name, folder = path.name, path.parent
    group = read_sites(sites, folder, url, keep=merge)
    if not output and any(site.folder == group.folder for site in group.sites):
        raise _error(name, "would be written into the folder of a site, which may have such a file")
    new_files: Iterable[SitemapFile]
    if merge:
        entries, problems = merged(group)
        new_files = files(entries, Layout(filename=name, base=group.url))
        count, noun = len(entries), "URL"
    else:
        listed, problems = listed_sitemaps(group)
        new_files = [SitemapFile(name=name, pieces=(render_index(listed),))]
        count, noun = len(listed), "sitemap"
    console.print_problems((*group.problems, *problems))
    if not count:
        raise _error(name, "would be empty; no file is written", fix=None)
    if stream:
        written: tuple[str, ...] = (_write_stream(stream, new_files),)
    else:
        checked = _refuse_overwriting(new_files, group)
        names = write_files(group.folder, checked, name, through_links=True)
        written = pack(group.folder, names)
    if not stream or stream != STDOUT:
        say(f"{' and '.join(written)} for {group.url}: {counted(count, noun)}.")


def _write_stream(stream: Path, new_files: Iterable[SitemapFile]) -> str:
    """Write the only file into a pipe or a device, and return its name."""
    contents = [b"".join(file.pieces) for file in new_files]
    if len(contents) > 1:
        found = f"is no folder, but the sitemap needs {len(contents)} files"
        raise _error(stream.as_posix(), found)
    write_file(stream, contents[0])
    return stream.as_posix()


def _refuse_overwriting(
    new_files: Iterable[SitemapFile], group: SiteGroup
) -> Iterator[SitemapFile]:
    """Yield the files; raise SitemapError before one replaces a listed or a foreign file."""
    listed = {real_path(path) for site in group.sites for path in site.sitemaps}
    for file in new_files:
        if real_path(group.folder / file.name) in listed:
            raise _error(file.name, "would replace one of the sitemaps that it lists")
        for name in (file.name, f"{file.name}.gz"):
            refuse_others(group.folder / name, Mark.SITEMAP)
        yield file


def _error(name: str, found: str, fix: str | None = _OTHER_FILE) -> SitemapError:
    place = Place(origin=Origin.OPTION, file=name)
    return SitemapError(Problem(code=Code.INDEX, place=place, found=found, fix=fix))
