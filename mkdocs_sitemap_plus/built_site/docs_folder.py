"""Read the sources of pages in the docs folder of a project, without a build."""

import os
import posixpath
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from mkdocs_sitemap_plus.files import Unreadable, is_folder, path_from, read_text, real_path
from mkdocs_sitemap_plus.options import IncludeKind, LastmodSettings
from mkdocs_sitemap_plus.options.fields import TOP_LEVEL_KEYS, has_sitemap_keys, top_keys
from mkdocs_sitemap_plus.pages import SourcePage, UncheckedSite
from mkdocs_sitemap_plus.pages.front_matter import Broken, merge, read_yaml_mapping, split_page
from mkdocs_sitemap_plus.pages.includes import includes_in
from mkdocs_sitemap_plus.problems import Code, SitemapError, invalid


def check_docs_dir(site: UncheckedSite) -> None:
    """Raise SitemapError if there is no docs folder."""
    if not is_folder(site.docs_dir):
        path = path_from(site.root, site.docs_dir)
        place = site.option("docs_dir")
        raise SitemapError(invalid(Code.DOCS_DIR, place, path, "a folder that exists"))


def docs_files(site: UncheckedSite) -> Iterator[Path]:
    """Yield all files of the docs folder, as MkDocs reads them: through symbolic links.

    A link to a folder above itself is not followed. Raises SitemapError if there is no such folder.
    """
    check_docs_dir(site)
    for folder, folders, names in os.walk(site.docs_dir, followlinks=True):
        here = real_path(folder)
        folders[:] = [
            name
            for name in sorted(folders)
            if not here.is_relative_to(real_path(Path(folder, name)))
        ]
        yield from (Path(folder, name) for name in sorted(names))


API = "what mkdocstrings shows"
"""What a page takes from code, if the owner wants it to count. Only a build knows which files."""

FolderMeta = Callable[[str], Mapping[str, Any]]
"""Takes the path of a folder in the docs folder; returns the front matter of the pages in it."""


def folder_meta(docs_dir: Path, options: Mapping[str, Any] | None) -> FolderMeta:
    """Return what the meta plugin of Zensical gives to the pages of folders, by its `options`.

    A file ``.meta.yml`` is for all pages below its folder. Without the plugin, there is nothing.
    """
    name = None if options is None else options.get("meta_file", ".meta.yml")

    @cache
    def of_folder(folder: str) -> Mapping[str, Any]:
        meta = of_folder(posixpath.dirname(folder)) if folder else {}
        if isinstance(name, str):
            with suppress(Unreadable):
                text = read_text(docs_dir / folder / name, "utf-8-sig")
                meta = merge(meta, read_yaml_mapping(text).meta, join_lists=True)
        return meta

    return of_folder


def with_source_text(
    page: SourcePage, site: UncheckedSite, settings: LastmodSettings, inherited: FolderMeta
) -> SourcePage:
    """Return a page with what its source says: front matter, and the files that it includes.

    The source is the file at `src_uri` in the docs folder. What only a build of MkDocs knows is
    missing, such as front matter that a plugin adds.
    """
    path = site.docs_dir / page.src_uri
    text, unreadable = "", None
    try:
        text = read_text(path, "utf-8-sig")
    except Unreadable as error:  # each key may be in the file
        unreadable = Broken(error.reason, keys=frozenset(TOP_LEVEL_KEYS), is_shown=False)
    front_matter, body = split_page(text)
    options, above = site.include_options, inherited(posixpath.dirname(page.src_uri))
    meta = merge(above, front_matter.meta, join_lists=True) if above else front_matter.meta
    keys = top_keys(settings.front_matter_keys)
    unknown = page.unknown_parts
    if IncludeKind.MKDOCSTRINGS in settings.includes and "\n::: " in f"\n{body}":
        unknown = (*unknown, API)
    return page._replace(
        file=path_from(site.root, path),
        source_files=(path,),
        unknown_parts=unknown,
        includes=options.active(includes_in(body, options), page.src_uri, meta) if options else (),
        meta=meta,
        lines=front_matter.lines if has_sitemap_keys(meta, keys) else {},
        broken=unreadable or front_matter.broken,
    )
