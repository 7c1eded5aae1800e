"""Read a built folder and its project into a `Site`, as this plugin makes it during a build."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.blogs.built import Blogs, BuiltFiles, find_blogs
from mkdocs_sitemap_plus.built_site import Project
from mkdocs_sitemap_plus.built_site.docs_folder import Docs, read_docs
from mkdocs_sitemap_plus.built_site.languages import add_languages, find_translations
from mkdocs_sitemap_plus.built_site.linked import is_whole_page, with_sources
from mkdocs_sitemap_plus.files import Unreadable, is_file, read_start
from mkdocs_sitemap_plus.lastmod.date_source import DateSource
from mkdocs_sitemap_plus.lastmod.sources import open_sources
from mkdocs_sitemap_plus.options import LastmodSettings, Settings
from mkdocs_sitemap_plus.options.mappings import Rule, may_list_images
from mkdocs_sitemap_plus.options.patterns import Patterns
from mkdocs_sitemap_plus.pages import SourcePage, UncheckedSite, sorted_pages
from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.urls import absolute_url, base_url, before_path, joined, same_page
from mkdocs_sitemap_plus.web.built_html import NOT_PAGES, is_error_page, read_built_page

_BY_SPHINX = re.compile(
    r"(?:\A|(?<=/))(?:(?:genindex(?:-[^/]+)?|py-modindex|search)(?:/index)?\.html\Z|_modules/)"
)


class BuiltSite(NamedTuple):
    """A site as it is built, and the files that are no pages of it."""

    site: UncheckedSite
    docs: Docs
    others: Sequence[SourcePage]  # HTML files that are no pages, as from `page_without_source`
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

    Two kinds of HTML files are pages: those that have the path of a published source, and those
    that belong to no file of the docs folder and whose ``rel=canonical`` is their own URL. Without
    a project file, all whole pages are. Raises SitemapError if there is no docs folder, or nothing
    is built.
    """
    html = _html_files(site_dir)
    html = frozenset(path for path in html if not (exclude and exclude.match_file(path)))
    if not html and not any(site_dir.glob("*.xml")):  # a site of a sitemap alone has only its URLs
        found = f"there is no HTML file in {Path(os.path.relpath(site_dir)).as_posix()}"
        fix = "Build the site first, or name its folder."
        raise SitemapError(Problem(code=Code.SITE_DIR, found=found, fix=fix))
    alone = project.is_alone  # then only the links and paths of built pages name sources
    docs_folder = None if alone else project.docs
    docs = read_docs(docs_folder, project.paths, settings.lastmod, site_dir)
    pages, blogs = _find_pages(docs, project, site_dir, html)
    never = NOT_PAGES.union(blogs.drafts, (file.dest_uri for file in docs.files))
    names = sorted(html.difference(page.dest_uri for page in pages))
    unknown = (page_without_source(name, docs.paths.loc_of(name)) for name in names)
    any_ending_of = project.site.url if alone else None
    pages = [*_add_html(pages, site_dir, settings.rules, any_ending_of)]
    others: list[SourcePage] = []
    for page in _add_html(unknown, site_dir, settings.rules, any_ending_of):
        if alone:
            is_page = not _is_of_theme(page, site_dir) and is_whole_page(page, site_dir)
        else:
            is_page = page.dest_uri not in never and _is_canonical(page)
        (pages if is_page else others).append(page)
    pages, problem = with_sources(pages, project, site_dir, settings.rules)
    site = replace(
        project.site,
        site_dir=site_dir,
        lost_posts=blogs.lost,
        pages=sorted_pages(add_languages(pages)),
    )
    return BuiltSite(site, docs, others, problem)


def _html_files(site_dir: Path) -> frozenset[str]:
    """Return the paths of all HTML files in a built site."""
    return frozenset(
        Path(folder, name).relative_to(site_dir).as_posix()
        for folder, _, names in os.walk(site_dir)
        for name in names
        if name.endswith(".html")
    )


def _find_pages(
    docs: Docs, project: Project, site_dir: Path, html: frozenset[str]
) -> tuple[list[SourcePage], Blogs]:
    """Return the pages with a source in each language, and the blogs with the pages of sources."""
    pages = [*find_translations(docs.pages, project.i18n, docs.paths, html)]
    if not project.blogs:
        return pages, Blogs(pages=docs.pages)
    unknown = html.difference(page.dest_uri for page in pages)
    docs_dir = project.site.docs_dir
    built = BuiltFiles(docs_dir, site_dir, html, unknown, docs.paths, docs.folder_meta)
    blogs = find_blogs(docs.pages, project.blogs, built)
    return [*find_translations(blogs.pages, project.i18n, docs.paths, html)], blogs


def unbuilt_site(project: Project, settings: LastmodSettings) -> UncheckedSite:
    """Return the site with a page for each published source, whether it is built or not."""
    docs = read_docs(project.docs, project.paths, settings)
    return replace(project.site, pages=sorted_pages(docs.pages))


def is_by_zensical(site: UncheckedSite) -> bool:
    """Return whether Zensical built the site. Zensical runs no plugins of MkDocs."""
    if site.project_file.lower().endswith(".toml"):
        return True
    with suppress(Unreadable):
        return b'content="zensical-' in read_start(site.site_dir / "index.html", 1 << 14)
    return False


def page_without_source(dest_uri: str, loc: str) -> SourcePage:
    """Return the page of a built file whose source is not known, such as a generated page."""
    return SourcePage(
        src_uri=dest_uri, file=dest_uri, dest_uri=dest_uri, loc=loc, meta={}, built=None
    )


def _is_of_theme(page: SourcePage, site_dir: Path) -> bool:
    """Return whether a file is an error page, in the folder of a language too, or a search.

    Sphinx also makes indexes, and pages of code. Its sites have a ``searchindex.js``.
    """
    path = page.dest_uri
    made = _BY_SPHINX.search(path)
    by_sphinx = made and is_file(site_dir / path[: made.start()] / "searchindex.js")
    return path in NOT_PAGES or is_error_page(path) or bool(by_sphinx)


def _add_html(
    pages: Iterable[SourcePage],
    site_dir: Path,
    rules: tuple[Rule, ...],
    site_url: str | None = None,
) -> Iterator[SourcePage]:
    """Yield the pages that have an HTML file, with what is read in it.

    With `site_url`, a canonical URL that differs from the URL of the file only by ``/``,
    ``.html`` or ``index`` is the URL of the page: so servers show it.
    """
    for unread in pages:
        images = may_list_images(unread.src_uri, unread.meta, rules)
        built = read_built_page(site_dir / unread.dest_uri, images=images)
        if built is None:
            continue
        page = unread._replace(built=built)
        # Not all builders escape the same characters of a path, so the page's own spelling is used.
        url, canonical = page.loc, built.canonical or ""
        same_site = before_path(canonical) == before_path(url)
        if same_site and "#" not in canonical and _is_canonical(page):
            page = page._replace(loc=_in_ascii(canonical))
        elif site_url and (own := _with_other_ending(page)):
            # The home page of a site in a folder may name it without a slash, which is outside.
            loc = _in_ascii(own) if len(own) >= len(site_url) else page.loc
            page = page._replace(loc=loc, built=built._replace(canonical=loc))
        yield page


def _in_ascii(url: str) -> str:
    """Return a URL as a sitemap may have it: Docusaurus escapes no letters in pages."""
    if url.isascii() or not before_path(url).isascii():
        return url
    return absolute_url(url, "")[0] or url


def _with_other_ending(page: SourcePage) -> str | None:
    """Return the canonical URL of a page if it differs from its own only by the ending."""
    if page.built is None or not page.built.canonical:
        return None
    url = joined(base_url(page.loc, page.built.base), page.built.canonical)
    if url is None or "#" in url or "?" in url:
        return None
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
