"""Read the docs folder: its files, and a page for each Markdown file, as MkDocs makes them."""

import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.files import (
    Unreadable,
    is_file,
    is_folder,
    path_from,
    read_text,
    real_path,
)
from mkdocs_sitemap_plus.options import LastmodSettings
from mkdocs_sitemap_plus.options.overrides import TOP_LEVEL_KEYS, has_sitemap_keys, top_keys
from mkdocs_sitemap_plus.options.patterns import Patterns
from mkdocs_sitemap_plus.pages import SourcePage, plain_title
from mkdocs_sitemap_plus.pages.folder_meta import FolderMeta, MetaFiles
from mkdocs_sitemap_plus.pages.front_matter import Broken, split_page
from mkdocs_sitemap_plus.pages.includes import IncludeOptions, includes_in
from mkdocs_sitemap_plus.pages.paths import is_index
from mkdocs_sitemap_plus.pages.site_paths import SitePaths
from mkdocs_sitemap_plus.pages.titles import title_of
from mkdocs_sitemap_plus.problems import Code, Place, Problem, SitemapError, invalid

_MAX_FOLDERS = 100_000
"""Folders that are read: a symbolic link in the docs folder may lead to a whole disk."""


class NavItem(NamedTuple):
    """A page in the navigation: its title there, and whether it is in a section."""

    title: object
    in_section: bool


class DocsFolder(NamedTuple):
    """The docs folder, and what the project file says about its files."""

    path: Path  # absolute
    root: Path  # the folder of the project file, from which messages name files
    place: Place  # of the option ``docs_dir``
    excluded: Patterns  # the option ``exclude_docs``
    drafts: Patterns  # the option ``draft_docs``
    nav: Mapping[str, NavItem]  # by source path
    includes: IncludeOptions
    meta_files: MetaFiles | None


class DocsFile(NamedTuple):
    """A file of the docs folder. Paths have ``/``."""

    src_uri: str  # the path under the docs folder
    dest_uri: str  # the path of the built file under the site's folder
    is_page: bool  # as from `SitePaths.is_page`
    hidden_by: str | None  # the option that leaves it out of the site; None if it is published


class Docs(NamedTuple):
    """What the docs folder holds."""

    paths: SitePaths  # with the kind of URLs that the site was built with
    files: Sequence[DocsFile] = ()
    pages: Sequence[SourcePage] = ()  # as from `_source_pages`
    folder_meta: FolderMeta = FolderMeta()


def read_docs(
    docs: DocsFolder | None,
    paths: SitePaths,
    settings: LastmodSettings,
    site_dir: Path | None = None,
) -> Docs:
    """Return the files and the pages of a docs folder, if it is known.

    The files of a built site, if `site_dir` is given, show which kind of URLs it was built with. It
    may differ from that in the project file, as with ``mkdocs build --no-directory-urls``. Raises
    SitemapError as `docs_files` does.
    """
    if docs is None:
        return Docs(paths)
    files = docs_files(docs, paths)
    if site_dir is not None:
        sources = [file.src_uri for file in files if file.is_page and not file.hidden_by]
        other = paths._replace(directory_urls=not paths.directory_urls)
        if _count_built(sources, other, site_dir) > _count_built(sources, paths, site_dir):
            paths, files = other, docs_files(docs, other)
    meta_files = docs.meta_files
    names = (file.src_uri for file in files)
    folder_meta = meta_files.folder_meta(names, docs.path) if meta_files else FolderMeta()
    pages = _source_pages(files, docs, paths, settings, folder_meta)
    return Docs(paths, files, [*pages], folder_meta)


def _count_built(sources: Iterable[str], paths: SitePaths, site_dir: Path) -> int:
    return sum(is_file(site_dir / paths.dest_uri_of(name)) for name in sources)


def docs_files(docs: DocsFolder, paths: SitePaths) -> list[DocsFile]:
    """Return the files of the docs folder as MkDocs does.

    Raises SitemapError if there is no docs folder, or if it has too many folders inside.
    """
    if not is_folder(docs.path):
        path = path_from(docs.root, docs.path)
        raise SitemapError(invalid(Code.DOCS_DIR, docs.place, path, "a folder that exists"))
    found: list[DocsFile] = []
    for number, (folder, folders, names) in enumerate(os.walk(docs.path, followlinks=True)):
        if number > _MAX_FOLDERS:
            links = "including the targets of symbolic links"
            what = f"has more than {_MAX_FOLDERS:,} folders, {links}"
            raise SitemapError(Problem(code=Code.DOCS_DIR, place=docs.place, found=what))
        folders[:] = [name for name in sorted(folders) if not _is_loop(folder, name)]
        relative = Path(folder).relative_to(docs.path).as_posix()
        found += _files_in("" if relative == "." else f"{relative}/", names, docs, paths)
    return found


def _is_loop(folder: str, name: str) -> bool:
    """Return whether a folder is a link to a folder that contains it: the walk would never end."""
    path = os.path.join(folder, name)  # noqa: PTH118 - faster, and done for each folder
    is_link = os.path.islink(path)  # noqa: PTH114 - as above
    return is_link and real_path(folder).is_relative_to(real_path(path))


def _files_in(
    folder: str, names: Iterable[str], docs: DocsFolder, paths: SitePaths
) -> list[DocsFile]:
    """Return the files of a folder. Of several with one `dest_uri`, return the one MkDocs keeps.

    An index is preferred to a README, and Markdown to HTML. `folder` is the path under the docs
    folder, with a last ``/``; empty for the docs folder itself.
    """
    found: list[DocsFile] = []
    first: dict[str, DocsFile] = {}
    for name in sorted(names, key=lambda name: (not is_index(name), name)):
        src_uri = f"{folder}{name}"
        hidden_by = None
        if docs.drafts.match_file(src_uri):
            hidden_by = "draft_docs"
        elif docs.excluded.match_file(src_uri):
            hidden_by = "exclude_docs"
        dest_uri = paths.dest_uri_of(src_uri)
        file = DocsFile(src_uri, dest_uri, is_page=paths.is_page(src_uri), hidden_by=hidden_by)
        found.append(file)
        # MkDocs compares each further file with the first one, even if the first one was removed.
        rival = first.setdefault(dest_uri, file)
        if rival is not file:
            removed = file if file.hidden_by else rival
            found = [kept for kept in found if kept is not removed]
    return found


def _source_pages(
    files: Iterable[DocsFile],
    docs: DocsFolder,
    paths: SitePaths,
    settings: LastmodSettings,
    folder_meta: FolderMeta,
) -> Iterator[SourcePage]:
    """Yield a page for each published source, without its built HTML.

    What only a build of MkDocs knows is missing: the sources of generated pages, the code that
    mkdocstrings collects, and front matter that a hook adds.
    """
    keys, options = top_keys(settings.front_matter_keys), docs.includes
    for file in files:
        if file.hidden_by or not file.is_page:
            continue
        path = Path(os.path.normpath(docs.path / file.src_uri))
        text, unreadable = "", None
        try:
            text = read_text(path, "utf-8-sig")
        except Unreadable as error:  # each key may be in the file
            unreadable = Broken(error.reason, keys=frozenset(TOP_LEVEL_KEYS), is_shown=False)
        front_matter, body = split_page(text)
        meta = folder_meta.with_own(file.src_uri, front_matter.meta)
        yield SourcePage(
            src_uri=file.src_uri,
            file=path_from(docs.root, path),
            dest_uri=file.dest_uri,
            loc=paths.loc_of(file.dest_uri),
            source_files=(path,),
            includes=options.active(includes_in(body, options), file.src_uri, meta),
            meta=meta,
            lines=front_matter.lines if has_sitemap_keys(meta, keys) else {},
            broken=unreadable or front_matter.broken,
            title=_title(file, docs.nav.get(file.src_uri), meta, body),
            built=None,
        )


def _title(file: DocsFile, item: NavItem | None, meta: Mapping[str, Any], body: str) -> str | None:
    """Return the title of a page from the navigation, or if there is none, from its own text."""
    if item and item.title is not None:
        return plain_title(item.title)
    stem = posixpath.splitext(posixpath.basename(file.src_uri))[0]
    home = file.dest_uri == "index.html" and not (item and item.in_section)
    return title_of(meta, body, "index" if stem == "README" else stem, home=home)
