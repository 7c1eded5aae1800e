"""Find the files of the built site that are listed beside its pages, such as a PDF."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from mkdocs_sitemap_plus.files import is_file, real_path
from mkdocs_sitemap_plus.pages import ExtraFile, Site
from mkdocs_sitemap_plus.pipeline import Context
from mkdocs_sitemap_plus.pipeline.unmatched import unmatched
from mkdocs_sitemap_plus.problems import Problem
from mkdocs_sitemap_plus.sitemap.urls import quote_path
from mkdocs_sitemap_plus.web.says import PageSays, read_built_page


def extra_files(context: Context) -> tuple[list[ExtraFile], Iterable[Problem]]:
    """Return the files of the option ``extra_files``, sorted by path, and its problems.

    Each is dated by the file of the docs folder with the same path. Pages, files that this plugin
    writes, and files outside of the site's folder are not among them.
    """
    site, patterns = context.site, context.settings.extra_files
    if patterns is None:
        return [], ()
    pages = {page.dest_uri for page in site.pages}
    paths = [path for path in _files(site.site_dir) if path not in pages]
    place, folders = site.option("extra_files"), (site.site_dir.name, site.docs_dir.name)
    problems = unmatched(patterns, place, folders, paths, "file of the built site")
    stem = context.settings.filename.removesuffix(".xml")
    wanted = sorted(path for path in paths if patterns.match_file(path))
    return [_file(path, site) for path in wanted if not _is_never_listed(path, stem)], problems


def _files(folder: Path) -> Iterator[str]:
    """Yield the relative paths of the files in a folder, with ``/``; no links that lead out."""
    real = real_path(folder)
    for top, _, names in os.walk(real):
        for path in (Path(top, name) for name in names):
            inside = not path.is_symlink() or real_path(path).is_relative_to(real)
            if inside and is_file(path):
                yield path.relative_to(real).as_posix()


def _is_never_listed(path: str, stem: str) -> bool:
    """Return whether a file is robots.txt, the 404 page, or a file of the sitemap."""
    name = path.removesuffix(".gz")
    sitemap = name.endswith((".xml", ".css")) and (name[:-4] == stem or name.startswith(f"{stem}-"))
    return path in ("robots.txt", "404.html") or ("/" not in path and sitemap)


def _file(path: str, site: Site) -> ExtraFile:
    folder, _, name = path.rpartition("/")
    url = f"{folder}/" if name == "index.html" and folder else path
    html = path.lower().endswith((".html", ".htm"))
    return ExtraFile(
        path=path,
        loc=f"{site.url}{quote_path(url)}",
        source=site.docs_dir / path,
        built=read_built_page(site.site_dir / path) if html else PageSays(),
    )
