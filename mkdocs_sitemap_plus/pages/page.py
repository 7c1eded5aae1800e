"""A site and its pages: the same values, whether the plugin or the command makes them."""

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


def origin_of_languages(plugins: Container[str]) -> Place:
    """Return what names the language versions of pages in a site with these plugins."""
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
        sources: absolute paths of files that the page may be made from; the first that git tracks
            is the one.
        path: the absolute path that names in its text are relative to; None: its first source.
        includes: the included files that its text names.
        collected: absolute paths of further files that other plugins put into it.
        lists: the source paths of the pages whose content it lists (a blog's views).
        locale: the language of the page, where the site has several; None elsewhere.
        translation_of: what all language versions of this page have in common; None for a page
            whose text is not translated into its language.
        meta: the page's front matter, with what other plugins put there.
        lines: the 1-based line of each dotted key of the front matter; only of pages that set
            something for the sitemap.
        broken: why the front matter can't be read; None if it can.
        title: its title; None if it is not known.
        images: references of the images of its content, as its built HTML has them; read only for
            pages whose images may be listed.
        built: the head of its built HTML; None if the page was not built.
        replaced_by: the `file` of the page that was built later to the same `dest_uri`, so that
            nothing of this page is published; None if there is none.
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
    """Return pages by `dest_uri` and `src_uri`, each with the page that replaced it on the disk.

    Args:
        pages: in the order in which they were built. Of several with one `dest_uri` the last one
            is published, since it was written over the others.
    """
    pages = list(pages)
    last = {page.dest_uri: page for page in pages}
    replaced = (
        page if last[page.dest_uri] is page else replace(page, replaced_by=last[page.dest_uri].file)
        for page in pages
    )
    return tuple(sorted(replaced, key=lambda page: (page.dest_uri, page.src_uri)))


def path_from(root: str, path: str) -> str:
    """Return `path` as it can be opened from the folder `root`, with ``/``.

    Args:
        root: an absolute folder.
        path: an absolute path; on another drive of Windows it stays as it is.
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
        url: the site's URL with its last slash; None if it has none.
        url_key: whether the project file has the key ``site_url``, be it empty.
        project_file: the name of the file that holds the options, for messages.
        root: the absolute folder of that file.
        docs_dir: the absolute folder of the sources.
        site_dir: the absolute folder of the built site.
        reads_sitemap: whether the theme's script reads ``sitemap.xml`` in the browser (Material's
            instant navigation, version and language selectors).
        instant: whether its instant navigation is on.
        serving: whether a development server shows the site under its own address.
        default_locale: the language of the site, or its first one; None if it is not known.
        include_options: what can include files in this site.
        languages: what names the language versions of pages.
        pages: the pages, as `sorted_pages` gives them.
    """

    url: str | None
    url_key: bool
    project_file: str
    root: Path
    docs_dir: Path
    site_dir: Path
    reads_sitemap: bool
    instant: bool
    serving: bool
    default_locale: str | None
    include_options: IncludeOptions
    languages: Place = _I18N
    pages: tuple[SourcePage, ...]
