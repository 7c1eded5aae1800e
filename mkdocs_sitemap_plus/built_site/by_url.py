"""The sources of the pages of a project, by their URLs alone: nothing needs to be built."""

from collections.abc import Iterable, Iterator, Mapping

from mkdocs_sitemap_plus.built_site import Project
from mkdocs_sitemap_plus.built_site.source_files import (
    check_docs_dir,
    folder_meta,
    with_source_text,
)
from mkdocs_sitemap_plus.options import Settings
from mkdocs_sitemap_plus.pages import Evidence, MadeFrom, SourcePage
from mkdocs_sitemap_plus.sitemap.urls import path_below


def sources_below(urls: Iterable[str], folder: str, project: Project) -> dict[str, str]:
    """Return the one source that each of these URLs may have, by its path below a folder's URL.

    Two possible sources are none. Raises SitemapError without a docs folder.
    """
    check_docs_dir(project.site)
    layout = project.layout(project.languages(project.site.site_dir))
    paths = {url: None if "?" in url else path_below(url, folder) for url in urls}
    built = {
        url: dest
        for url, path in paths.items()
        if path is not None and (dest := layout.built_path(path))
    }
    sources = layout.sources({*built.values()}, {*built.values()})
    possible = {url: sources.get(dest, ()) for url, dest in built.items()}
    return {url: found[0] for url, found in possible.items() if len(found) == 1}


def pages_of(
    sources: Mapping[str, str], project: Project, settings: Settings, evidence: Evidence
) -> Iterator[SourcePage]:
    """Yield the pages of sources, which are given by URL, with what they say.

    `dest_uri` is the URL.
    """
    inherited = folder_meta(project.site.docs_dir, project.plugins.get("meta"))
    for url, source in sources.items():
        parts, made_from = (
            project.parts_of(source),
            MadeFrom(project.site.docs_dir / source, evidence),
        )
        page = SourcePage(
            source, source, url, url, meta={}, built=None, made_from=(made_from,), parts=parts
        )
        yield with_source_text(page, project.site, settings.lastmod, inherited)
