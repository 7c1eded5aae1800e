"""The sources of the pages of a project, by their URLs alone: nothing needs to be built."""

import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from mkdocs_sitemap_plus.built_site import Project
from mkdocs_sitemap_plus.built_site.site import sources_by_path
from mkdocs_sitemap_plus.built_site.source_files import folder_meta, with_source_text
from mkdocs_sitemap_plus.options import Settings
from mkdocs_sitemap_plus.pages import SourcePage
from mkdocs_sitemap_plus.pages.theme_and_plugins import option_of
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
    languages = _languages(project)
    named = {
        url: [*_in_languages(path, *languages)] if languages else [path]
        for url, path in built.items()
    }
    paths = {path for paths in named.values() for path in paths}
    sources = sources_by_path(paths, paths, project)
    found = {}
    for url, paths_of_url in named.items():
        possible = next(filter(None, (sources.get(path) for path in paths_of_url)), ())
        if len(possible) == 1:
            (found[url],) = possible
    return found


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


def _languages(project: Project) -> tuple[str, Sequence[str], str] | None:
    """Return structure, locales and default locale of mkdocs-static-i18n; None without it."""
    options = project.plugins.get("i18n")
    if options is None:
        return None
    rows: list[Any] = option_of(options, "languages", [])
    locales = [str(row["locale"]) for row in rows if isinstance(row, Mapping) and "locale" in row]
    default = next(
        (str(row["locale"]) for row in rows if isinstance(row, Mapping) and row.get("default")), ""
    )
    return option_of(options, "docs_structure", "suffix"), locales, default


def _in_languages(path: str, structure: str, locales: Iterable[str], default: str) -> Iterator[str]:
    """Yield the paths that sources of a page in a language have, the best first."""
    first, _, rest = path.partition("/")
    locale, rest = (first, rest) if first in locales and rest else (default, path)
    for code in dict.fromkeys((locale, default)):
        if structure == "folder":
            yield f"{code}/{rest}"
        else:
            stem = rest.removesuffix(".html")
            yield f"{stem}.{code}.html"
            if posixpath.basename(stem) == "index" and posixpath.dirname(stem):
                yield f"{posixpath.dirname(stem)}.{code}.html"
    yield rest
