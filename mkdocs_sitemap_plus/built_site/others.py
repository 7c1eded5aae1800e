"""Say what the files of a built site are that are no pages of it, such as redirects."""

import posixpath
from collections.abc import Iterable, Iterator
from pathlib import Path

from mkdocs_sitemap_plus.built_site import Project
from mkdocs_sitemap_plus.built_site.docs_folder import DocsFile, is_page, loc_of
from mkdocs_sitemap_plus.built_site.site import BuiltSite, page_without_source
from mkdocs_sitemap_plus.files import path_from
from mkdocs_sitemap_plus.pages import Site, SourcePage
from mkdocs_sitemap_plus.pipeline import Candidate, Decision, LeftOut, Outcome, OutReason, files_in
from mkdocs_sitemap_plus.pipeline.select_pages import reason_in_html
from mkdocs_sitemap_plus.problems import Origin, Place
from mkdocs_sitemap_plus.sitemap.urls import joined, quote_path

_OF_THEME = {
    "404.html": (OutReason.ERROR_PAGE, "servers show it for addresses that do not exist"),
    "search.html": (OutReason.SEARCH_PAGE, "the results of the theme's search"),
}
_TO_LIST = "to list it, use `extra_files`"


def with_others(outcome: Outcome, built: BuiltSite, project: Project, *, every: bool) -> Outcome:
    """Return an outcome with a decision on each HTML file that is no page of the site.

    With `every`, also on what a theme adds to each site, and on each source that the project file
    leaves out, such as a draft.
    """
    known = {file.dest_uri for file in files_in(outcome.decisions)}
    sources = {file.dest_uri: file for file in reversed(built.files)}
    others: list[Decision] = [
        _decide(page, sources.get(page.dest_uri), project)
        for page in built.others
        if page.dest_uri not in known and (every or _name(page.dest_uri) not in _OF_THEME)
    ]
    if every:
        known.update(page.dest_uri for page in built.others)
        others += _unbuilt(built.files, known, project)
    decisions = [*outcome.decisions, *others]
    decisions.sort(key=lambda decision: (decision.loc, decision.name))
    return outcome._replace(decisions=tuple(decisions))


def _name(dest_uri: str) -> str:
    return posixpath.basename(dest_uri)


def _decide(page: SourcePage, source: DocsFile | None, project: Project) -> LeftOut:
    """Return why a built HTML file is not listed. `source` is the file of the docs folder."""
    if source is not None:
        page = _with_source(page, source, project)
        if not source.published:
            return _excluded(page, project)
    elif page.built and page.built.canonical and not page.built.names_other(page.loc):
        # It is a page, and no page of the build: the blog does not publish it.
        return _left_out(page, OutReason.EXCLUDED, "a draft of the blog")
    if of_theme := _OF_THEME.get(_name(page.dest_uri)):
        return _left_out(page, *of_theme)
    if in_html := reason_in_html(page, trust_canonicals=True):
        return _left_out(page, *in_html)
    if source is not None and not is_page(source.src_uri, project):
        return _left_out(page, OutReason.STATIC, f"copied as it is; {_TO_LIST}")
    what = f"it has no source file and no rel=canonical; {_TO_LIST}"
    return _left_out(page, OutReason.NO_CANONICAL, what)


def _with_source(page: SourcePage, source: DocsFile, project: Project) -> SourcePage:
    file = path_from(project.site.root, project.site.docs_dir / source.src_uri)
    return page._replace(src_uri=source.src_uri, file=file)


def _left_out(page: SourcePage, reason: OutReason, detail: str) -> LeftOut:
    place = Place(origin=Origin.BUILT_PAGE, file=page.dest_uri)
    return Candidate(about=page).left_out(reason, detail, place)


def _excluded(page: SourcePage, project: Project) -> LeftOut:
    """Return that the project file leaves out a source."""
    key = "draft_docs" if project.drafts.match_file(page.src_uri) else "exclude_docs"
    return Candidate(about=page).left_out(OutReason.EXCLUDED, key, project.site.option(key))


def _unbuilt(files: Iterable[DocsFile], known: set[str], project: Project) -> Iterator[LeftOut]:
    """Yield a decision on each source that the project file leaves out and that is not built."""
    for file in files:
        if not file.published and file.dest_uri not in known and is_page(file.src_uri, project):
            page = page_without_source(file.dest_uri, loc_of(project, file.dest_uri))
            yield _excluded(_with_source(page, file, project), project)


def static_file(path: Path, site: Site) -> LeftOut:
    """Return why a file of the built site that is no HTML, such as a PDF, is not listed."""
    dest_uri = path.relative_to(site.site_dir).as_posix()
    page = page_without_source(dest_uri, joined(site.url, quote_path(dest_uri)) or "")
    is_sitemap = path.name.startswith("sitemap") and path.name.endswith((".xml", ".xml.gz"))
    what = "a sitemap, which lists pages" if is_sitemap else f"not a page; {_TO_LIST}"
    return _left_out(page, OutReason.STATIC, what)
