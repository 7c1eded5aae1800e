"""A site and its pages. The plugin and the command make the same values."""

import os
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mkdocs_sitemap_plus.pages.built_html import BuiltPage
from mkdocs_sitemap_plus.pages.front_matter import Broken
from mkdocs_sitemap_plus.pages.includes import Include, IncludeOptions
from mkdocs_sitemap_plus.problems import Origin, Place

_I18N = Place(origin=Origin.PLUGIN, file="mkdocs-static-i18n")
_LINKS = Place(origin=Origin.BUILT_PAGE, key="hreflang links")


def languages_place(plugins: Container[str]) -> Place:
    """Return the place that messages about language versions name, by the plugins of a site."""
    return _I18N if "i18n" in plugins else _LINKS


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePage:
    """A page of the site.

    Attributes:
        src_uri: the path under the docs folder, with ``/``.
        file: the path of its source from the folder of the project file, with ``/``, as messages
            name it; `src_uri` if there is no such file.
        dest_uri: the path of the built file under the site's folder, with ``/``.
        loc: the page's canonical URL, byte for byte; None if the site has no URL.
        sources: absolute paths of possible source files; the first that git tracks is used.
        path: the absolute path that the included files are relative to; None: the first source.
        includes: the files that its text includes.
        collected: absolute paths of further files that other plugins put into the page.
        lists: the source paths of the pages whose content it lists (a blog's views).
        locale: the language of the page; None if the site has only one language.
        translation_of: a key that all language versions of this page share; None for a page whose
            text is not translated into its language.
        meta: the front matter, with the values that other plugins add.
        lines: the 1-based line of each dotted key of the front matter; empty for a page that sets
            nothing for the sitemap.
        broken: why the front matter can't be read; None if it can be read.
        title: its title; None if it is not known.
        images: references of the images of its content, as its built HTML has them; empty for
            pages whose images can't be listed.
        built: the head of its built HTML; None if the page was not built.
        replaced_by: the `file` of a page that was built later to the same `dest_uri`. This page is
            then not published. None if there is no such page.
    """

    src_uri: str
    file: str
    dest_uri: str
    loc: str | None
    sources: tuple[Path, ...] = ()
    path: Path | None = None
    includes: tuple[Include, ...] = ()
    collected: tuple[Path, ...] = ()
    lists: tuple[str, ...] = ()
    locale: str | None = None
    translation_of: str | None = None
    meta: Mapping[str, Any]
    lines: Mapping[str, int] = field(default_factory=dict)
    broken: Broken | None = None
    title: str | None = None
    images: tuple[str, ...] = ()
    built: BuiltPage | None
    replaced_by: str | None = None


def sorted_pages(pages: Iterable[SourcePage]) -> tuple[SourcePage, ...]:
    """Return the pages sorted by `dest_uri` and `src_uri`, with `replaced_by` set.

    Args:
        pages: the pages in the order in which they were built. If several have one `dest_uri`, the
            last one is published, since it was written over the others.
    """
    pages = list(pages)
    last = {page.dest_uri: page for page in pages}
    replaced = (
        page if last[page.dest_uri] is page else replace(page, replaced_by=last[page.dest_uri].file)
        for page in pages
    )
    return tuple(sorted(replaced, key=lambda page: (page.dest_uri, page.src_uri)))


def path_from(root: str, path: str) -> str:
    """Return a path relative to the folder `root`, with ``/``.

    Args:
        root: an absolute folder.
        path: an absolute path. It stays absolute if it is on another drive of Windows.
    """
    inside = f"{root}{os.sep}"
    if path.startswith(inside):
        return path.removeprefix(inside).replace(os.sep, "/")
    try:
        return os.path.relpath(path, root).replace(os.sep, "/")
    except ValueError:
        return path.replace(os.sep, "/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A built site.

    Attributes:
        url: the site's URL, which ends with a slash; None if it has none.
        has_url_key: whether the project file has the key ``site_url``, even if its value is empty.
        project_file: the name of the file that holds the options, for messages.
        root: the absolute folder of that file.
        docs_dir: the absolute folder of the sources.
        site_dir: the absolute folder of the built site.
        reads_sitemap: whether the theme's script reads ``sitemap.xml`` in the browser (Material's
            instant navigation, version and language selectors).
        instant: whether its instant navigation is on.
        serving: whether a development server shows the site under its own address.
        default_locale: the language of the site, or its first language; None if it is not known.
        include_options: the options of what includes files in pages.
        languages_place: the place that messages about language versions name.
        pages: the pages, as `sorted_pages` gives them.
    """

    url: str | None
    has_url_key: bool
    project_file: str
    root: Path
    docs_dir: Path
    site_dir: Path
    reads_sitemap: bool
    instant: bool
    serving: bool
    default_locale: str | None
    include_options: IncludeOptions
    languages_place: Place = _I18N
    pages: tuple[SourcePage, ...]
