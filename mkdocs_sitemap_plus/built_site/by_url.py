"""The sources of the pages of a project, by their URLs alone: nothing needs to be built."""

import posixpath
from collections.abc import Mapping

from mkdocs_sitemap_plus.built_site import Project
from mkdocs_sitemap_plus.built_site.site import sources_by_path
from mkdocs_sitemap_plus.built_site.source_files import folder_meta, with_source_text
from mkdocs_sitemap_plus.options import Settings
from mkdocs_sitemap_plus.pages import SourcePage
from mkdocs_sitemap_plus.sitemap.urls import path_below


def pages_by_url(
    urls: Mapping[str, str], project: Project, settings: Settings, known: Mapping[str, str]
) -> list[SourcePage]:
    """Return the pages of URLs that have one source, with what it says. `dest_uri` is the URL.

    `urls` has the folder of the site by each URL: the source has the same path in the docs folder.
    `known` has sources by URL that a build has told. Raises SitemapError without a docs folder.
    """
    sources = {**_sources(urls, project), **known}
    inherited = folder_meta(project.site.docs_dir, project.plugins.get("meta"))
    pages = []
    for url, source in sources.items():
        parts = project.made_of(source)
        page = SourcePage(source, source, url, url, meta={}, built=None, unknown_parts=parts)
        pages.append(with_source_text(page, project.site, settings.lastmod, inherited))
    return pages


def _sources(urls: Mapping[str, str], project: Project) -> dict[str, str]:
    """Return the one source that each URL may belong to; two possible ones are none."""
    built = {url: path for url, base in urls.items() if (path := _built_path(url, base, project))}
    paths = set(built.values())
    sources = sources_by_path(paths, paths, project, project.languages(project.site.site_dir))
    possible = {url: sources.get(path, ()) for url, path in built.items()}
    return {url: found[0] for url, found in possible.items() if len(found) == 1}


def _built_path(url: str, base: str, project: Project) -> str | None:
    """Return the path of the built file that a URL shows; None if it can't be that of a page."""
    path = None if "?" in url else path_below(url, base)
    if path is None or "\0" in path or ".." in path.split("/"):
        return None
    path = path.lstrip("/")
    if not path or path.endswith("/"):
        return f"{path}index.html"
    if posixpath.splitext(path)[1].lower() in (".html", ".htm"):
        return path
    # A server may leave out the ending or the slash.
    return f"{path}/index.html" if project.directory_urls else f"{path}.html"
