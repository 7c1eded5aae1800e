"""Read a built folder and its project into a `Site`, as this plugin makes it during a build."""

import os
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.built_site import Project, docs_folder
from mkdocs_sitemap_plus.built_site.blog import BuiltFiles, find_blogs
from mkdocs_sitemap_plus.files import is_file
from mkdocs_sitemap_plus.lastmod.date_source import DateSource
from mkdocs_sitemap_plus.lastmod.sources import open_sources
from mkdocs_sitemap_plus.options import LastmodSettings, Settings
from mkdocs_sitemap_plus.options.mappings import Rule, may_list_images
from mkdocs_sitemap_plus.pages import SourcePage, UncheckedSite, sorted_pages
from mkdocs_sitemap_plus.pages.theme_and_plugins import default_locale, option_of
from mkdocs_sitemap_plus.sitemap.languages import X_DEFAULT, hreflang
from mkdocs_sitemap_plus.sitemap.urls import before_path, joined, url_key
from mkdocs_sitemap_plus.web.built_html import NOT_PAGES, read_built_page

_LOCALE = re.compile(r"[a-z]{2}(?:(?:-[A-Za-z]{4})?(?:-[A-Z]{2})?|_[A-Z]{2})")

_Versions = frozenset[tuple[str, str]]
"""The language versions of a page: their languages and URLs."""


class BuiltSite(NamedTuple):
    """A site as it is built, and the files that are no pages of it."""

    site: UncheckedSite
    files: Sequence[docs_folder.DocsFile]  # of the docs folder
    others: Sequence[SourcePage]  # HTML files that are no pages, as from `page_without_source`


@contextmanager
def open_site(
    project: Project, site_dir: Path, settings: Settings
) -> Iterator[tuple[BuiltSite, Sequence[DateSource]]]:
    """Yield what `read_site` returns, and the sources of dates, which are closed at the end."""
    root, docs_dir = project.site.root, project.site.docs_dir
    sources = open_sources(settings.lastmod, root, docs_dir, project.repo_url)
    try:
        yield read_site(project, site_dir, settings), sources  # meanwhile, git reads its history
    finally:
        for source in sources:
            source.close()


def read_site(project: Project, site_dir: Path, settings: Settings) -> BuiltSite:
    """Return the site as it is built.

    Two kinds of HTML files are pages: those that have the path of a published source, and those
    that belong to no file of the docs folder and whose ``rel=canonical`` is their own URL. Raises
    SitemapError if there is no docs folder.
    """
    html = frozenset(
        Path(folder, name).relative_to(site_dir).as_posix()
        for folder, _, names in os.walk(site_dir)
        for name in names
        if name.endswith(".html")
    )
    files = docs_folder.docs_files(project)
    as_built = _as_built(project, files, site_dir)
    if as_built is not project:
        project, files = as_built, docs_folder.docs_files(as_built)
    folder_meta = docs_folder.read_folder_meta(files, project)
    sources = [*docs_folder.source_pages(files, project, settings.lastmod, folder_meta)]
    pages = [*find_translations(sources, project, html)]
    not_from_sources = html.difference(page.dest_uri for page in pages)
    blogs = find_blogs(sources, BuiltFiles(project, site_dir, html, not_from_sources, folder_meta))
    if project.blogs:
        pages = [*find_translations(blogs.pages, project, html)]
    never = NOT_PAGES.union(blogs.drafts, (file.dest_uri for file in files))
    names = sorted(html.difference(page.dest_uri for page in pages))
    unknown = (page_without_source(name, docs_folder.loc_of(project, name)) for name in names)
    pages = [*_add_html(pages, site_dir, settings.rules)]
    others: list[SourcePage] = []
    for page in _add_html(unknown, site_dir, settings.rules):
        is_page = page.dest_uri not in never and _is_canonical(page)
        (pages if is_page else others).append(page)
    site = replace(
        project.site,
        site_dir=site_dir,
        lost_posts=blogs.lost,
        pages=sorted_pages(add_languages(pages)),
    )
    return BuiltSite(site, files, others)


def _as_built(project: Project, files: Iterable[docs_folder.DocsFile], site_dir: Path) -> Project:
    """Return the project with the kind of URLs that the site was built with.

    It may differ from that in the project file, as with ``mkdocs build --no-directory-urls``.
    """
    other = project._replace(directory_urls=not project.directory_urls)
    published = (each for each in files if each.published)
    pairs = [(each.dest_uri, docs_folder.dest_uri_of(each.src_uri, other)) for each in published]
    # A path that both kinds of URLs give to a file does not show the kind.
    same = {"404.html", *(path for path, other_path in pairs if path == other_path)}
    different = [pair for pair in pairs if same.isdisjoint(pair)]
    if any(is_file(site_dir / path) for path, _ in different):
        return project
    return other if any(is_file(site_dir / path) for _, path in different) else project


def unbuilt_site(project: Project, settings: LastmodSettings) -> UncheckedSite:
    """Return the site with a page for each published source, whether it is built or not."""
    files = docs_folder.docs_files(project)
    folder_meta = docs_folder.read_folder_meta(files, project)
    pages = docs_folder.source_pages(files, project, settings, folder_meta)
    return replace(project.site, pages=sorted_pages(pages))


def page_without_source(dest_uri: str, loc: str) -> SourcePage:
    """Return the page of a built file whose source is not known, such as a generated page."""
    return SourcePage(
        src_uri=dest_uri, file=dest_uri, dest_uri=dest_uri, loc=loc, meta={}, built=None
    )


def _add_html(
    pages: Iterable[SourcePage], site_dir: Path, rules: tuple[Rule, ...]
) -> Iterator[SourcePage]:
    """Yield the pages that have an HTML file, with what is read in it."""
    for unread in pages:
        images = may_list_images(unread.src_uri, unread.meta, rules)
        built = read_built_page(site_dir / unread.dest_uri, images=images)
        if built is None:
            continue
        page = unread._replace(built=built)
        # Not all builders escape the same characters of a path, so the page's own spelling is used.
        url, canonical = page.loc or "", built.canonical or ""
        same_site = before_path(canonical) == before_path(url)
        if same_site and "#" not in canonical and _is_canonical(page):
            page = page._replace(loc=canonical)
        yield page


def _is_canonical(page: SourcePage) -> bool:
    """Return whether a built page names its own URL as the canonical one."""
    built = page.built
    return bool(page.loc and built and built.canonical and not built.names_other(page.loc))


class _I18n(NamedTuple):
    """The options of mkdocs-static-i18n."""

    languages: Sequence[Mapping[str, Any]]  # that are built, each with a ``locale``
    default: str
    in_folders: bool
    fallback: bool
    locales: frozenset[str]  # of all languages, built or not

    def localized(self, src_uri: str) -> tuple[str | None, str]:
        """Return the language that a path names, or None, and the path without the language."""
        if self.in_folders:
            first, _, rest = src_uri.partition("/")
            return (first, rest) if rest and self._is_locale(first) else (None, src_uri)
        stem, ending = posixpath.splitext(src_uri)
        path, suffix = posixpath.splitext(stem)
        is_locale = self._is_locale(suffix.removeprefix("."))
        return (suffix[1:], f"{path}{ending}") if is_locale else (None, src_uri)

    def _is_locale(self, text: str) -> bool:
        return text in self.locales or _LOCALE.fullmatch(text) is not None


def find_translations(
    pages: Iterable[SourcePage], project: Project, html: frozenset[str]
) -> Iterator[SourcePage]:
    """Yield a page for each source and each language, if the built site has its file.

    A language that lacks a translation may show the page of the default language. Without
    mkdocs-static-i18n, yield the pages as they are.
    """
    i18n = _read_i18n(project.plugins.get("i18n", {}))
    if i18n is None:
        yield from pages
        return
    by_name: dict[str, dict[str, SourcePage]] = defaultdict(dict)
    for page in pages:
        locale, name = i18n.localized(page.src_uri)
        # Of two pages of one language, mkdocs-static-i18n takes the later one.
        by_name[name][locale or i18n.default] = page
    for language in i18n.languages:
        locale = language["locale"]
        url = option_of(language, "site_url", "")
        site = replace(project.site, url=f"{url.rstrip('/')}/") if url else project.site
        project_of_language = project._replace(site=site)
        for name, versions in by_name.items():
            best = versions.get(locale)
            if best is None and i18n.fallback:
                best = versions.get(i18n.default)
            folder = "" if locale == i18n.default else locale
            dest_uri = posixpath.join(folder, docs_folder.dest_uri_of(name, project))
            if best is not None and dest_uri in html:
                yield best._replace(
                    dest_uri=dest_uri,
                    loc=docs_folder.loc_of(project_of_language, dest_uri),
                    locale=locale,
                    translation_of=name if locale in versions else None,
                    is_fallback=locale not in versions,
                )


def _read_i18n(options: Mapping[str, Any]) -> _I18n | None:
    """Return the options of the plugin; None if no language is the default, or none is built."""
    raw = option_of(options, "languages", list[Any]())
    mappings = [each for each in raw if isinstance(each, Mapping)]
    languages = [each for each in mappings if isinstance(each.get("locale"), str)]
    only, default = options.get("build_only_locale"), default_locale(options)
    wanted = [each for each in languages if only in (None, each["locale"])]
    built = [each for each in wanted if option_of(each, "build", default=True)]
    if default is None or not built:
        return None
    return _I18n(
        languages=built,
        default=default,
        in_folders=options.get("docs_structure") == "folder",
        fallback=option_of(options, "fallback_to_default", default=True),
        locales=frozenset(each["locale"] for each in languages),
    )


def add_languages(pages: Iterable[SourcePage]) -> Iterator[SourcePage]:
    """Yield the built pages, with `locale` and `translation_of` from their language links.

    A page that does not link itself has no `locale`. Pages are versions of each other only if all
    of them have the same links: some themes link the home page of each language on every page.
    """
    pages = list(pages)
    links = {page.dest_uri: _language_links(page) for page in pages}
    by_url = {_url(page.loc): links[page.dest_uri] for page in pages}
    # Equal sets become one object, so that `is` can compare them, which is fast.
    sets: dict[_Versions, _Versions] = {}
    versions: dict[str, _Versions] = {}
    for url, named in by_url.items():
        inside = frozenset((code, other) for code, other in named.items() if other in by_url)
        versions[url] = sets.setdefault(inside, inside)
    for page in pages:
        own_url = _url(page.loc)
        locale = next((code for code, url in links[page.dest_uri].items() if url == own_url), None)
        if page.locale or locale is None:  # the language is known already, or not known
            yield page
            continue
        same_links = all(versions[url] is versions[own_url] for _, url in versions[own_url])
        first = min((url for _, url in versions[own_url]), default=own_url)
        yield page._replace(locale=locale, translation_of=first if same_links else None)


def _language_links(page: SourcePage) -> Mapping[str, str]:
    """Return the URLs of the language versions that a built page links, by language."""
    if not page.built:
        return {}
    base, hrefs = page.built.base or "", page.built.alternates
    urls = {hreflang(code): _url(page.loc, base, href) for code, href in hrefs.items()}
    return {code: url for code, url in urls.items() if code and code != X_DEFAULT and url}


def _url(loc: str, *references: str) -> str:
    """Return a URL in one spelling, each reference joined to the URL before; empty if invalid."""
    url = joined(loc, *references)
    return url_key(url) if url else ""
