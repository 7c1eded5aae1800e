"""Say what the files of a built site are that are no pages of it, such as redirects."""

import posixpath
from collections.abc import Iterator
from pathlib import Path

from mkdocs_sitemap_plus.built_site.docs_folder import Docs, DocsFile
from mkdocs_sitemap_plus.built_site.site import BuiltSite, page_without_source
from mkdocs_sitemap_plus.files import path_from
from mkdocs_sitemap_plus.pages import Site, SourcePage, UncheckedSite
from mkdocs_sitemap_plus.pipeline import Candidate, Decision, LeftOut, Outcome, OutReason, files_in
from mkdocs_sitemap_plus.pipeline.select_pages import reason_in_html
from mkdocs_sitemap_plus.problems import Origin, Place
from mkdocs_sitemap_plus.sitemap.urls import joined, quote_path
from mkdocs_sitemap_plus.web.built_html import is_error_page

_OF_THEME = {
    "404.html": (OutReason.ERROR_PAGE, "servers show it for addresses that do not exist"),
    "search.html": (OutReason.SEARCH_PAGE, "the results of the theme's search"),
}
_TO_LIST = "to list it, use `extra_files`"


def with_others(outcome: Outcome, built: BuiltSite, *, every: bool) -> Outcome:
    """Return an outcome with a decision on each HTML file that is no page of the site.

    With `every`, also on what a theme adds to each site, and on each source that the project file
    leaves out, such as a draft.
    """
    known = {file.dest_uri for file in files_in(outcome.decisions)}
    sources = {file.dest_uri: file for file in reversed(built.docs.files)}
    others: list[Decision] = [
        _decide(page, sources.get(page.dest_uri), built.site)
        for page in built.others
        if page.dest_uri not in known and (every or _name(page.dest_uri) not in _OF_THEME)
    ]
    if every:
        known.update(page.dest_uri for page in built.others)
        others += _unbuilt(built.docs, known, built.site)
    decisions = [*outcome.decisions, *others]
    decisions.sort(key=lambda decision: (decision.loc, decision.name))
    return outcome._replace(decisions=tuple(decisions))


def _name(dest_uri: str) -> str:
    return "404.html" if is_error_page(dest_uri) else posixpath.basename(dest_uri)


def _decide(page: SourcePage, source: DocsFile | None, site: UncheckedSite) -> LeftOut:
    """Return why a built HTML file is not listed. `source` is the file of the docs folder."""
    of_theme = _OF_THEME.get(_name(page.dest_uri))
    if source is not None:
        page = _with_source(page, source, site)
        if source.hidden_by:
            return _excluded(page, source.hidden_by, site)
    elif of_theme is None and _is_canonical(page):
        # It is a page, and no page of the build: the blog does not publish it.
        return _left_out(page, OutReason.EXCLUDED, "a draft of the blog")
    if of_theme:
        return _left_out(page, *of_theme)
    if in_html := reason_in_html(page, trust_canonicals=True):
        return _left_out(page, *in_html)
    if (source is not None and not source.is_page) or not site.project_file:
        # Without a project file, only a part of a page is no page.
        what = f"copied as it is; {_TO_LIST}" if source else "no whole HTML page"
        return _left_out(page, OutReason.STATIC, what)
    what = f"it has no source file and no rel=canonical; {_TO_LIST}"
    return _left_out(page, OutReason.NO_CANONICAL, what)


def _is_canonical(page: SourcePage) -> bool:
    built = page.built
    return bool(built and built.canonical and not built.names_other(page.loc))


def _with_source(page: SourcePage, source: DocsFile, site: UncheckedSite) -> SourcePage:
    file = path_from(site.root, site.docs_dir / source.src_uri)
    return page._replace(src_uri=source.src_uri, file=file)


def _left_out(page: SourcePage, reason: OutReason, detail: str) -> LeftOut:
    place = Place(origin=Origin.BUILT_PAGE, file=page.dest_uri)
    return Candidate(about=page).left_out(reason, detail, place)


def _excluded(page: SourcePage, option: str, site: UncheckedSite) -> LeftOut:
    """Return that an option of the project file leaves out a source."""
    return Candidate(about=page).left_out(OutReason.EXCLUDED, option, site.option(option))


def _unbuilt(docs: Docs, known: set[str], site: UncheckedSite) -> Iterator[LeftOut]:
    """Yield a decision on each source that the project file leaves out and that is not built."""
    for file in docs.files:
        if file.hidden_by and file.dest_uri not in known and file.is_page:
            page = page_without_source(file.dest_uri, docs.paths.loc_of(file.dest_uri))
            yield _excluded(_with_source(page, file, site), file.hidden_by, site)


def static_file(path: Path, site: Site) -> LeftOut:
    """Return why a file of the built site that is no HTML, such as a PDF, is not listed."""
    dest_uri = path.relative_to(site.site_dir).as_posix()
    page = page_without_source(dest_uri, joined(site.url, quote_path(dest_uri)) or "")
    is_sitemap = path.name.startswith("sitemap") and path.name.endswith((".xml", ".xml.gz"))
    what = "a sitemap, which lists pages" if is_sitemap else f"not a page; {_TO_LIST}"
    return _left_out(page, OutReason.STATIC, what)
