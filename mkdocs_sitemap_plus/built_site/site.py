"""Read a built folder and its project into a `Site`, whatever built it."""

import os
import posixpath
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.anysite.paths import several
from mkdocs_sitemap_plus.built_site import Project
from mkdocs_sitemap_plus.built_site.docs_folder import (
    check_docs_dir,
    folder_meta,
    with_source_text,
)
from mkdocs_sitemap_plus.built_site.languages import add_languages
from mkdocs_sitemap_plus.built_site.linked import is_whole_page, with_sources
from mkdocs_sitemap_plus.files import Unreadable, is_file, read_start
from mkdocs_sitemap_plus.lastmod import DateSource
from mkdocs_sitemap_plus.lastmod.sources import open_sources
from mkdocs_sitemap_plus.options import Settings
from mkdocs_sitemap_plus.options.mappings import Rule, may_list_images
from mkdocs_sitemap_plus.options.patterns import Patterns
from mkdocs_sitemap_plus.pages import SourcePage, UncheckedSite, sorted_pages
from mkdocs_sitemap_plus.pages.paths import SOURCES
from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.urls import absolute_url, base_url, before_path, joined, same_page
from mkdocs_sitemap_plus.web.html import NOT_PAGES, is_error_page, is_made_by_sphinx
from mkdocs_sitemap_plus.web.says import read_built_page
from mkdocs_sitemap_plus.web.whole_pages import title_of

_START = 1 << 14  # bytes in which a page has its title


class BuiltSite(NamedTuple):
    """A site as it is built."""

    site: UncheckedSite
    problem: Problem | None = None  # why the links of the pages name no source


@contextmanager
def open_site(
    project: Project, site_dir: Path, settings: Settings, exclude: Patterns | None = None
) -> Iterator[tuple[BuiltSite, Sequence[DateSource]]]:
    """Yield what `read_site` returns, and the sources of dates, which are closed at the end."""
    root = project.site.root
    docs_dir = project.site.docs_dir if project.has_sources else None
    sources = open_sources(settings.lastmod, root, docs_dir, project.repo_url)
    try:
        # Meanwhile, git reads its history.
        yield read_site(project, site_dir, settings, exclude), sources
    finally:
        for source in sources:
            source.close()


def read_site(
    project: Project, site_dir: Path, settings: Settings, exclude: Patterns | None = None
) -> BuiltSite:
    """Return the site as it is built, without the built files that `exclude` matches.

    In a project, two kinds of HTML files are pages: those with a source at their path in the docs
    folder, and those whose ``rel=canonical`` is their own URL, unless they are copied from there.
    Without a project file, all whole pages are. Raises SitemapError if nothing is built.
    """
    html = _html_files(site_dir)
    html = frozenset(path for path in html if not (exclude and exclude.match_file(path)))
    if not html and not any(site_dir.glob("*.xml")):  # a site of a sitemap alone has only its URLs
        found = f"there is no HTML file in {Path(os.path.relpath(site_dir)).as_posix()}"
        fix = "Build the site first, or name its folder."
        raise SitemapError(Problem(code=Code.SITE_DIR, found=found, fix=fix))
    files = [_page(name, project, site_dir) for name in sorted(html)]
    sources = {} if project.is_alone else _sources_by_path(files, project)
    inherited = folder_meta(project.site.docs_dir, project.plugins.get("meta"))
    pages = []
    for page in files:
        possible = sources.get(page.dest_uri, [])
        if len(possible) == 1:
            (src_uri,) = possible
            known = page._replace(src_uri=src_uri, unknown_parts=project.made_of(src_uri))
            pages.append(with_source_text(known, project.site, settings.lastmod, inherited))
        elif _is_page(page, project, site_dir):
            pages.append(page._replace(no_source=several(possible) if possible else None))
    pages, problem = with_sources(pages, project, site_dir)
    pages = [_with_images(page, site_dir, settings.rules) for page in pages]
    site = replace(project.site, site_dir=site_dir, pages=sorted_pages(add_languages(pages)))
    return BuiltSite(site, problem)


def _html_files(site_dir: Path) -> frozenset[str]:
    """Return the paths of all HTML files in a built site."""
    return frozenset(
        Path(folder, name).relative_to(site_dir).as_posix()
        for folder, _, names in os.walk(site_dir)
        for name in names
        if name.endswith(".html")
    )


def _page(dest_uri: str, project: Project, site_dir: Path) -> SourcePage:
    """Return the page of an HTML file whose source is not looked for yet.

    Without a project file, a canonical URL that differs from the URL of the file only by ``/``,
    ``.html`` or ``index`` is the URL of the page: so servers show it. In a project, it may differ
    by ``index.html``, since ``use_directory_urls`` can be another for one build.
    """
    loc = project.loc_of(dest_uri)
    page = SourcePage(
        src_uri=dest_uri,
        file=dest_uri,
        dest_uri=dest_uri,
        loc=loc,
        meta={},
        built=read_built_page(site_dir / dest_uri),
        title=_title(site_dir / dest_uri, project.name),
    )
    built = page.built
    if built is None or not loc:
        return page
    canonical = built.canonical or ""
    # Not all builders escape the same characters of a path, so the page's own spelling is used.
    same_site = before_path(canonical) == before_path(loc)
    if same_site and "#" not in canonical and _is_canonical(page):
        return page._replace(loc=_in_ascii(canonical))
    if own := _with_other_ending(page, any_ending=project.is_alone):
        # The home page of a site in a folder may name it without a slash, which is outside.
        loc = _in_ascii(own) if len(own) >= len(project.site.url or "") else loc
        return page._replace(loc=loc, built=built._replace(canonicals=(loc,)))
    return page


def _title(file: Path, of_site: str) -> str | None:
    """Return the text of the ``title`` of a page without the name of the site; None without any."""
    with suppress(Unreadable):
        title = title_of(read_start(file, _START).decode("utf-8", "replace"))
        return title.removesuffix(f" - {of_site}") or None
    return None


def _sources_by_path(files: Sequence[SourcePage], project: Project) -> Mapping[str, Sequence[str]]:
    """Return the possible sources in the docs folder, by the path of the built file.

    They are as MkDocs and Zensical lay them out: ``guide/a.md`` or ``guide/a/index.md`` is the
    source of ``guide/a/index.html``, and so is ``guide/a/README.md`` if there is no index.
    """
    docs_dir = project.site.docs_dir
    check_docs_dir(project.site)

    @cache
    def in_folder(folder: str) -> Mapping[str, list[str]]:
        """Return the names of the sources in a folder of the docs folder, by their stem."""
        named: dict[str, list[str]] = defaultdict(list)
        with suppress(OSError):
            for name in sorted(os.listdir(docs_dir / folder)):  # noqa: PTH208 - only names
                stem, ending = posixpath.splitext(name)
                if ending.lower() in SOURCES:
                    named[stem].append(name)
        return named

    def sources_of(path: str) -> list[str]:
        """Return the sources with this path, but for their ending."""
        folder, stem = posixpath.split(path)
        return [posixpath.join(folder, name) for name in in_folder(folder).get(stem, ())]

    redirects = {
        page.dest_uri for page in files if page.built and page.built.leads_elsewhere(page.loc)
    }
    built = {page.dest_uri for page in files} - redirects
    found = {}
    for page in files:
        path = page.dest_uri.removesuffix(".html")
        folder, name = posixpath.split(path)
        stems = [path]
        if name == "index":
            of_folder = [] if f"{folder}.html" in built else [folder]
            index = path if sources_of(path) else posixpath.join(folder, "README")
            stems = [index, *of_folder]
        possible = [source for stem in stems for source in sources_of(stem)]
        if page.built and possible and not _is_copied(page, project):
            found[page.dest_uri] = possible
    return found


def _is_copied(page: SourcePage, project: Project) -> bool:
    """Return whether a built file is copied from the docs folder as it is."""
    return is_file(project.site.docs_dir / page.dest_uri)


def _is_page(page: SourcePage, project: Project, site_dir: Path) -> bool:
    """Return whether an HTML file without a source in the docs folder is a page."""
    path = page.dest_uri
    if page.built is None or path in NOT_PAGES or is_error_page(path):
        return False
    if is_made_by_sphinx(site_dir, path):
        return False
    if project.is_alone:
        return is_whole_page(page, site_dir)
    return _is_canonical(page) and not _is_copied(page, project)


def _with_images(page: SourcePage, site_dir: Path, rules: tuple[Rule, ...]) -> SourcePage:
    """Return a page with the images of its content, if it may list them."""
    if page.built is None or not may_list_images(page.src_uri, page.meta, rules):
        return page
    read = read_built_page(site_dir / page.dest_uri, images=True)
    return page._replace(built=page.built._replace(images=read.images)) if read else page


def is_by_zensical(site: UncheckedSite) -> bool:
    """Return whether Zensical built the site. Zensical runs no plugins of MkDocs."""
    if site.project_file.lower().endswith(".toml"):
        return True
    with suppress(Unreadable):
        return b'content="zensical-' in read_start(site.site_dir / "index.html", _START)
    return False


def _in_ascii(url: str) -> str:
    """Return a URL as a sitemap may have it: Docusaurus escapes no letters in pages."""
    if url.isascii() or not before_path(url).isascii():
        return url
    return absolute_url(url, "")[0] or url


def _with_other_ending(page: SourcePage, *, any_ending: bool) -> str | None:
    """Return the canonical URL of a page if it differs from its own only by the ending.

    Without `any_ending`, it may only have or lack an ``index.html`` at the end.
    """
    if page.built is None or not page.built.canonical:
        return None
    url = joined(base_url(page.loc, page.built.base), page.built.canonical)
    if url is None or "#" in url or "?" in url:
        return None
    if not any_ending:
        is_index = url.removesuffix("index.html") == page.loc.removesuffix("index.html")
        return url if is_index else None
    named = _without_ending(url)
    known = _without_ending(page.loc)
    is_own = same_page(named, known) or same_page(named.removesuffix("/index"), known)
    return url if is_own else None


def _without_ending(url: str) -> str:
    """Return a URL without what servers add to it or leave out."""
    return url.removesuffix("/index.html").removesuffix("/").removesuffix(".html")


def _is_canonical(page: SourcePage) -> bool:
    """Return whether a built page names its own URL as the canonical one."""
    built = page.built
    return bool(page.loc and built and built.canonical and not built.names_other(page.loc))
