"""The sources of pages, by their URLs alone: nothing needs to be built."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from mkdocs_sitemap_plus.command.any_site.built_site import with_sources
from mkdocs_sitemap_plus.command.any_site.page_sources import Page
from mkdocs_sitemap_plus.command.any_site.project import Project
from mkdocs_sitemap_plus.command.any_site.source_files import (
    check_docs_dir,
    folder_meta,
    with_source_text,
)
from mkdocs_sitemap_plus.files import is_file
from mkdocs_sitemap_plus.generator.options import Settings
from mkdocs_sitemap_plus.generator.pages import Evidence, MadeFrom, SourcePage
from mkdocs_sitemap_plus.sitemap.urls import path_below


def possible_sources(
    urls: Iterable[str], folder: str, project: Project
) -> Mapping[str, Sequence[str]]:
    """Return the sources that each of these URLs may have, by its path below a folder's URL.

    They are relative to the docs folder. Raises SitemapError without one.
    """
    check_docs_dir(project.site)
    layout = project.layout(project.languages(project.site.site_dir))
    paths = {url: path for url in urls if (path := _path_below(url, folder)) is not None}
    built = {url: dest for url, path in paths.items() if (dest := layout.built_path(path))}
    sources = layout.sources({*built.values()}, {*built.values()})
    found = {url: sources[dest] for url, dest in built.items() if dest in sources}
    files = {url: paths[url].lstrip("/") for url in built.keys() - found.keys()}  # MkDocs copies
    copied = {url: [path] for url, path in files.items() if is_file(layout.docs_dir / path)}
    return {**found, **copied}


def _path_below(url: str, folder: str) -> str | None:
    return None if "?" in url else path_below(url, folder)


def pages_of(
    sources: Mapping[str, str], project: Project, settings: Settings, evidence: Evidence
) -> Iterator[SourcePage]:
    """Yield the pages of sources, which are given by URL, with what they say.

    `dest_uri` is the URL.
    """
    inherited = folder_meta(project.site.docs_dir, project.plugins.get("meta"))
    for url, source in sources.items():
        page = _page(url, source)._replace(
            made_from=(MadeFrom(project.site.docs_dir / source, evidence),),
            parts=project.parts_of(source),
        )
        yield with_source_text(page, project.site, settings.lastmod, inherited)


def pages_at_paths(
    urls: Iterable[str], project: Project
) -> tuple[Sequence[SourcePage], Collection[str]]:
    """Return the pages whose paths below the URL of the site are those of one source.

    The project is that of any builder, whose docs folder a person named; the rules are those of its
    built pages. Returned as well are the URLs that may have several sources.
    """
    site = project.site
    layout = project.layout()._replace(directory_urls=False)
    built = {
        dest: url
        for url in urls
        if (path := _path_below(url, site.url or "")) is not None
        and (dest := layout.built_path(path))
    }
    pages = [_page(url, dest)._replace(dest_uri=dest) for dest, url in built.items()]
    asked = [Page(page.dest_uri, page.loc) for page in pages]
    pages, found, _ = with_sources(pages, asked, project, None)
    return pages, {built[dest] for dest in found.several}


def _page(url: str, src_uri: str) -> SourcePage:
    return SourcePage(src_uri, src_uri, url, url, meta={}, built=None)
