"""Read the docs folder: its files, and a page for each Markdown file, as MkDocs makes them."""

import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin

from mkdocs_sitemap_plus.built_site.project import Project
from mkdocs_sitemap_plus.files import Unreadable, is_folder, read_text, real_path
from mkdocs_sitemap_plus.options.overrides import SHORT_FIELDS, has_sitemap_keys, top_keys
from mkdocs_sitemap_plus.options.patterns import read_patterns
from mkdocs_sitemap_plus.options.settings import IncludeKind, LastmodSettings
from mkdocs_sitemap_plus.pages.front_matter import Broken, read_front_matter_text
from mkdocs_sitemap_plus.pages.includes import IncludeOptions, includes_in
from mkdocs_sitemap_plus.pages.page import SourcePage, path_from
from mkdocs_sitemap_plus.pages.title import plain_title, title_of
from mkdocs_sitemap_plus.problems import Problem, SitemapError, invalid

MARKDOWN = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")
_MAX_FOLDERS = 100_000
"""Folders with sources; a symbolic link may lead to a whole disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocsFile:
    """A file of the docs folder.

    Attributes:
        src_uri: its path under that folder, with ``/``.
        dest_uri: the path in the built site of what is made from it, with ``/``.
        published: whether it is part of the site.
    """

    src_uri: str
    dest_uri: str
    published: bool


def docs_files(project: Project) -> list[DocsFile]:
    """Return the files of the docs folder, as MkDocs finds and names them (``get_files``).

    Raises:
        SitemapError: there is no such folder.
    """
    place = project.place("docs_dir")
    if not is_folder(project.docs_dir):
        path = path_from(str(project.root), str(project.docs_dir))
        raise SitemapError(invalid("docs-dir", place, path, "a folder that exists"))
    found: list[DocsFile] = []
    walk = os.walk(project.docs_dir, followlinks=True)
    for number, (folder, folders, names) in enumerate(walk):
        if number > _MAX_FOLDERS:
            what = f"has more than {_MAX_FOLDERS:,} folders, with those that links lead to"
            raise SitemapError(Problem(code="docs-dir", place=place, found=what))
        folders[:] = [name for name in sorted(folders) if not _holds_itself(folder, name)]
        above = Path(folder).relative_to(project.docs_dir).as_posix()
        found += _in_folder("" if above == "." else f"{above}/", names, project)
    return found


def _holds_itself(folder: str, name: str) -> bool:
    """Return whether a folder is a link to a folder around it: its files would have no end."""
    path = os.path.join(folder, name)  # noqa: PTH118 - each folder of the sources
    if not os.path.islink(path):  # noqa: PTH114 - as above
        return False
    return real_path(folder).is_relative_to(real_path(path))


def _in_folder(above: str, names: Iterable[str], project: Project) -> list[DocsFile]:
    """Return the files of a folder; an index wins over README, and Markdown over HTML."""
    found: list[DocsFile] = []
    first: dict[str, DocsFile] = {}
    for name in sorted(names, key=lambda name: (not _is_index(name), name)):
        src_uri = f"{above}{name}"
        excluded = project.excluded.match_file(src_uri) or project.drafts.match_file(src_uri)
        dest_uri = _dest_uri(above, name, directory_urls=project.directory_urls)
        source = DocsFile(src_uri=src_uri, dest_uri=dest_uri, published=not excluded)
        found.append(source)
        before = first.setdefault(dest_uri, source)
        if before is not source:  # MkDocs also compares each file with the first one
            loser = before if source.published else source
            found = [each for each in found if each is not loser]
    return found


def _is_index(name: str) -> bool:
    return posixpath.splitext(name)[0] in ("index", "README")


def _dest_uri(above: str, name: str, *, directory_urls: bool) -> str:
    if not name.endswith(MARKDOWN):
        return f"{above}{name}"
    if _is_index(name):
        return f"{above}index.html"
    stem = posixpath.splitext(name)[0]
    return f"{above}{stem}/index.html" if directory_urls else f"{above}{stem}.html"


def source_pages(
    files: Iterable[DocsFile],
    project: Project,
    include_options: IncludeOptions,
    settings: LastmodSettings,
) -> Iterator[SourcePage]:
    """Yield a page for each published Markdown file, not yet read from the built site.

    What only a live plugin knows is missing: files behind generated pages, posts of a blog's view,
    code that mkdocstrings collected, and front matter that another plugin adds.
    """
    keys = top_keys(settings.front_matter_keys)
    for file in files:
        if file.published and file.src_uri.endswith(MARKDOWN):
            yield _source_page(file, project, include_options, keys)


def _source_page(
    source: DocsFile, project: Project, include_options: IncludeOptions, keys: frozenset[str]
) -> SourcePage:
    path = Path(os.path.normpath(project.docs_dir / source.src_uri))
    text, unreadable = "", None
    try:
        text = read_text(path, "utf-8-sig")
    except Unreadable as error:  # any key may be lost
        unreadable = Broken(reason=error.reason, keys=frozenset(SHORT_FIELDS))
    read = read_front_matter_text(text)
    body = "\n".join(text.split("\n")[read.length :])
    view = _is_view(source, project)
    return SourcePage(
        src_uri=source.src_uri,
        file=path_from(str(project.root), str(path)),
        dest_uri=source.dest_uri,
        loc=loc_of(project, source.dest_uri),
        sources=() if view else (path,),
        path=path if view else None,
        includes=tuple(
            include
            for include in includes_in(body, include_options)
            if include.kind is not IncludeKind.MACROS or _renders_macros(source, read.meta, project)
        ),
        meta=read.meta,
        lines=read.lines if has_sitemap_keys(read.meta, keys) else {},
        broken=unreadable or read.broken,
        title=_title(source, project, read.meta, body),
        built=None,
    )


def _title(source: DocsFile, project: Project, meta: Mapping[str, Any], body: str) -> str | None:
    """Return the title of a page: that of the navigation, or else its own."""
    item = project.nav.get(source.src_uri)
    if item and item.title is not None:
        return plain_title(item.title)
    stem = posixpath.splitext(posixpath.basename(source.src_uri))[0]
    home = source.dest_uri == "index.html" and not (item and item.in_section)
    return title_of(meta, body, "index" if stem == "README" else stem, home=home)


def _is_view(source: DocsFile, project: Project) -> bool:
    """Return whether a page lists posts of a blog: its own file does not tell its last change."""
    if "blog" not in project.plugins:
        return False
    folder = project.plugins["blog"].get("blog_dir")
    name = f"{folder if folder and isinstance(folder, str) else 'blog'}/index.md"
    return source.src_uri == posixpath.normpath(name)


def _renders_macros(source: DocsFile, meta: Mapping[str, Any], project: Project) -> bool:
    """Return whether the macros plugin renders a page, so that templates include files in it."""
    if meta.get("render_macros") is not None:
        return bool(meta["render_macros"])
    options = project.plugins.get("macros", {})
    if options.get("render_by_default", True):
        return True
    place = project.place("macros.force_render_paths")
    forced = read_patterns(options.get("force_render_paths") or "", place)
    return not isinstance(forced, Problem) and forced.match_file(source.src_uri)


def loc_of(project: Project, dest_uri: str) -> str | None:
    """Return the URL of a built file, as MkDocs writes it."""
    if not project.url:
        return None
    if project.directory_urls and posixpath.basename(dest_uri) == "index.html":
        dest_uri = dest_uri.removesuffix("index.html")
    try:
        return urljoin(project.url, quote(dest_uri))
    except ValueError:  # site_url is not a URL: no sitemap will be written
        return None
