"""Read the docs folder: its files, and a page for each Markdown file, as MkDocs makes them.

Front matter for whole folders comes from the files of a meta plugin (``.meta.yml``).
"""

import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.built_site import Project
from mkdocs_sitemap_plus.files import Unreadable, is_folder, path_from, read_text, real_path
from mkdocs_sitemap_plus.options import LastmodSettings
from mkdocs_sitemap_plus.options.overrides import TOP_LEVEL_KEYS, has_sitemap_keys, top_keys
from mkdocs_sitemap_plus.pages import SourcePage, plain_title
from mkdocs_sitemap_plus.pages.front_matter import Broken, merge, read_yaml_mapping, split_page
from mkdocs_sitemap_plus.pages.includes import includes_in
from mkdocs_sitemap_plus.pages.paths import built_paths, is_index
from mkdocs_sitemap_plus.pages.theme_and_plugins import option_of
from mkdocs_sitemap_plus.pages.titles import title_of
from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError, invalid
from mkdocs_sitemap_plus.sitemap.urls import joined, quote_path

MARKDOWN = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")
_NOTEBOOKS = (".ipynb", ".py")
_NOTEBOOK_PATTERNS: list[Any] = ["*.ipynb", "*.py"]  # that mkdocs-jupyter renders by default
_MAX_FOLDERS = 100_000
"""Folders that are read: a symbolic link in the docs folder may lead to a whole disk."""


class DocsFile(NamedTuple):
    """A file of the docs folder. Paths have ``/``."""

    src_uri: str  # the path under the docs folder
    dest_uri: str  # the path of the built file under the site's folder
    published: bool  # False if the file is excluded or a draft


def docs_files(project: Project) -> list[DocsFile]:
    """Return the files of the docs folder as MkDocs does.

    Raises SitemapError if there is no docs folder, or if it has too many folders inside.
    """
    if not project.has_sources:
        return []
    place = project.site.option("docs_dir")
    if not is_folder(project.site.docs_dir):
        path = path_from(project.site.root, project.site.docs_dir)
        raise SitemapError(invalid(Code.DOCS_DIR, place, path, "a folder that exists"))
    found: list[DocsFile] = []
    walk = os.walk(project.site.docs_dir, followlinks=True)
    for number, (folder, folders, names) in enumerate(walk):
        if number > _MAX_FOLDERS:
            links = "including the targets of symbolic links"
            what = f"has more than {_MAX_FOLDERS:,} folders, {links}"
            raise SitemapError(Problem(code=Code.DOCS_DIR, place=place, found=what))
        folders[:] = [name for name in sorted(folders) if not _is_loop(folder, name)]
        relative = Path(folder).relative_to(project.site.docs_dir).as_posix()
        found += _files_in("" if relative == "." else f"{relative}/", names, project)
    return found


def _is_loop(folder: str, name: str) -> bool:
    """Return whether a folder is a link to a folder that contains it: the walk would never end."""
    path = os.path.join(folder, name)  # noqa: PTH118 - faster, and done for each folder
    is_link = os.path.islink(path)  # noqa: PTH114 - as above
    return is_link and real_path(folder).is_relative_to(real_path(path))


def _files_in(folder: str, names: Iterable[str], project: Project) -> list[DocsFile]:
    """Return the files of a folder. Of several with one `dest_uri`, return the one MkDocs keeps.

    An index is preferred to a README, and Markdown to HTML. `folder` is the path under the docs
    folder, with a last ``/``; empty for the docs folder itself.
    """
    found: list[DocsFile] = []
    first: dict[str, DocsFile] = {}
    for name in sorted(names, key=lambda name: (not is_index(name), name)):
        src_uri = f"{folder}{name}"
        hidden = project.excluded.match_file(src_uri) or project.drafts.match_file(src_uri)
        dest_uri = dest_uri_of(src_uri, project)
        file = DocsFile(src_uri=src_uri, dest_uri=dest_uri, published=not hidden)
        found.append(file)
        # MkDocs compares each further file with the first one, even if the first one was removed.
        rival = first.setdefault(dest_uri, file)
        if rival is not file:
            removed = rival if file.published else file
            found = [each for each in found if each is not removed]
    return found


def is_page(src_uri: str, project: Project) -> bool:
    """Return whether a file is Markdown, or a notebook or script that mkdocs-jupyter renders."""
    if src_uri.endswith(MARKDOWN):
        return True
    options = project.plugins.get("mkdocs-jupyter")
    if options is None or not src_uri.endswith(_NOTEBOOKS):
        return False

    def is_matched(key: str, default: list[Any]) -> bool:
        path, patterns = project.site.docs_dir / src_uri, option_of(options, key, default)
        return any(isinstance(each, str) and each and path.match(each) for each in patterns)

    return is_matched("include", _NOTEBOOK_PATTERNS) and not is_matched("ignore", [])


def dest_uri_of(src_uri: str, project: Project) -> str:
    """Return the path of the built file of a source, as MkDocs chooses it."""
    if not is_page(src_uri, project):
        return src_uri
    in_folder, beside = built_paths(src_uri)
    return in_folder if project.directory_urls else beside


class FolderMeta(NamedTuple):
    """The front matter that folders give to the pages inside, at any depth."""

    by_folder: Mapping[PurePosixPath, Mapping[str, Any]] = {}  # by path under the docs folder
    deep: bool = True  # whether the mappings and lists inside are merged, too

    def with_own(self, src_uri: str, own: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the front matter of a page: its `own`, merged into that of its folders."""
        if not self.by_folder:
            return own
        meta: Mapping[str, Any] = {}
        for folder in reversed(PurePosixPath(src_uri).parents):
            meta = self._merged(meta, self.by_folder.get(folder, {}))
        return self._merged(meta, own)

    def _merged(self, under: Mapping[str, Any], over: Mapping[str, Any]) -> Mapping[str, Any]:
        return merge(under, over, join_lists=True) if self.deep else {**under, **over}


def read_folder_meta(files: Iterable[DocsFile], project: Project) -> FolderMeta:
    """Return what the meta files of folders say; `files` are those of the docs folder.

    Only the meta plugin of Material or Zensical, and mkdocs-meta-manager-plugin, use such files. A
    file that can't be read counts as empty: a build stops at it.
    """
    if "meta" in project.plugins:
        name, deep = project.plugins["meta"].get("meta_file", ".meta.yml"), True
    elif "meta-manager" in project.plugins:
        name, deep = project.plugins["meta-manager"].get("meta_filename", ".meta.yml"), False
    else:
        return FolderMeta()
    found: dict[PurePosixPath, Mapping[str, Any]] = {}
    for path in (PurePosixPath(file.src_uri) for file in files):
        if path.name == name:
            with suppress(Unreadable):
                text = read_text(project.site.docs_dir / path, "utf-8-sig")
                found[path.parent] = read_yaml_mapping(text).meta
    return FolderMeta(found, deep)


def source_pages(
    files: Iterable[DocsFile], project: Project, settings: LastmodSettings, folder_meta: FolderMeta
) -> Iterator[SourcePage]:
    """Yield a page for each published source, without its built HTML.

    What only a build of MkDocs knows is missing: the sources of generated pages, the code that
    mkdocstrings collects, and front matter that a hook adds.
    """
    keys, options = top_keys(settings.front_matter_keys), project.site.include_options
    for file in files:
        if not file.published or not is_page(file.src_uri, project):
            continue
        path = Path(os.path.normpath(project.site.docs_dir / file.src_uri))
        text, unreadable = "", None
        try:
            text = read_text(path, "utf-8-sig")
        except Unreadable as error:  # each key may be in the file
            unreadable = Broken(error.reason, keys=frozenset(TOP_LEVEL_KEYS), is_shown=False)
        front_matter, body = split_page(text)
        meta = folder_meta.with_own(file.src_uri, front_matter.meta)
        yield SourcePage(
            src_uri=file.src_uri,
            file=path_from(project.site.root, path),
            dest_uri=file.dest_uri,
            loc=loc_of(project, file.dest_uri),
            source_files=(path,),
            includes=options.active(includes_in(body, options), file.src_uri, meta),
            meta=meta,
            lines=front_matter.lines if has_sitemap_keys(meta, keys) else {},
            broken=unreadable or front_matter.broken,
            title=_title(file, project, meta, body),
            built=None,
        )


def _title(file: DocsFile, project: Project, meta: Mapping[str, Any], body: str) -> str | None:
    """Return the title of a page from the navigation, or if there is none, from its own text."""
    item = project.nav.get(file.src_uri)
    if item and item.title is not None:
        return plain_title(item.title)
    stem = posixpath.splitext(posixpath.basename(file.src_uri))[0]
    home = file.dest_uri == "index.html" and not (item and item.in_section)
    return title_of(meta, body, "index" if stem == "README" else stem, home=home)


def loc_of(project: Project, dest_uri: str) -> str:
    """Return the URL of a built file, as MkDocs writes it; empty if the site has none."""
    if project.directory_urls and posixpath.basename(dest_uri) == "index.html":
        dest_uri = dest_uri.removesuffix("index.html")
    url = project.site.url
    return (joined(url, quote_path(dest_uri)) or "") if url else ""
