"""Find the sources of built pages by their own links, whatever built them."""

from collections.abc import Container, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.built_site import Project
from mkdocs_sitemap_plus.built_site.foreign_front_matter import foreign_front_matter
from mkdocs_sitemap_plus.built_site.included import IncludeFinder
from mkdocs_sitemap_plus.built_site.same_paths import SamePaths
from mkdocs_sitemap_plus.built_site.sphinx_copies import copied_sources
from mkdocs_sitemap_plus.files import (
    MAX_FILE,
    Unreadable,
    path_from,
    read_start,
    real_path,
    repository_folder,
)
from mkdocs_sitemap_plus.gitdates.at_head import AtHead, at_head
from mkdocs_sitemap_plus.options.mappings import Rule, may_list_images
from mkdocs_sitemap_plus.pages import SourcePage
from mkdocs_sitemap_plus.problems import Code, Level, Problem
from mkdocs_sitemap_plus.web.built_html import is_document, read_built_page
from mkdocs_sitemap_plus.web.edit_links import LinkedPage, PageLinks, read_links, repository_key
from mkdocs_sitemap_plus.web.page_sources import HeadFiles, page_sources, shared_repository
from mkdocs_sitemap_plus.web.rival_pages import without_rivals
from mkdocs_sitemap_plus.wording import format_value

_START = 1 << 14  # bytes in which a whole page has one of these tags


def is_whole_page(page: SourcePage, site_dir: Path) -> bool:
    """Return whether a built file is a whole HTML page, and no part of one."""
    if page.built and page.built.canonical:
        return True
    try:
        return is_document(read_start(site_dir / page.dest_uri, _START))
    except Unreadable:
        return True  # which is reported


def with_linked_sources(
    pages: Sequence[SourcePage], project: Project, site_dir: Path, rules: tuple[Rule, ...]
) -> tuple[list[SourcePage], Problem | None]:
    """Return the pages; those without a source have the file that their links name, if any.

    Such a file is in the repository of the docs folder. Without a project file, it also gives the
    page its `src_uri`, and what other builders include counts. Of its front matter, only the keys
    of this package count. The problem is that the links lead to another repository.
    """
    published = [page for page in pages if _is_published(page)]
    linked = _linked_pages(pages, site_dir)
    by_path = project.is_alone and project.has_sources
    has_sources = project.is_alone and any(page.source_files for page in pages)
    has_links = any(page.links.links or page.links.copied_from for page in linked.pages)
    if not (by_path or has_sources or has_links):
        return [*pages], None
    read = at_head(project.site.docs_dir, project.repo_url)
    head = read if isinstance(read, AtHead) else None
    sources: dict[str, Path] = {}
    problem = None
    if isinstance(read, AtHead):
        sources, doubts, problem = _find(linked, published, project, site_dir, read)
    else:
        doubts = {page.dest_uri: read.found for page in linked.pages if page.links.links}
    if by_path:
        leading = {page.dest_uri for page in pages if _leads_elsewhere(page)}
        built = {page.dest_uri for page in pages} - leading
        by_paths, rivals = _at_same_paths(linked.pages, built, sources, project, head)
        sources, doubts = sources | by_paths, doubts | rivals
    includes = IncludeFinder(head) if head and project.is_alone else None
    found = []
    for known in pages:
        file = sources.get(known.dest_uri)
        page = known._replace(no_source=doubts.get(known.dest_uri))
        page = with_source(page, file, project.site.root) if file else page
        if file and project.is_alone:
            page = page._replace(src_uri=path_from(project.site.docs_dir, file))
        if file and may_list_images(page.src_uri, page.meta, rules):
            page = page._replace(built=read_built_page(site_dir / page.dest_uri, images=True))
        found.append(includes.with_includes(page) if includes else page)
    return found, problem


class _Linked(NamedTuple):
    """The pages without a source, with their links."""

    pages: list[LinkedPage]  # those of the site
    left_out: list[LinkedPage]  # others but redirects, such as old versions of pages of the site


def _linked_pages(pages: Iterable[SourcePage], site_dir: Path) -> _Linked:
    """Return the pages without a source."""
    unknown = [page for page in pages if _is_readable(page) and not page.source_files]
    published = [page for page in unknown if _is_published(page)]
    canonical = [page for page in published if page.built and not page.built.names_other(page.loc)]
    if 2 * len(canonical) >= len(published):  # otherwise the URL of the site is wrong
        published = canonical
    listed = {page.dest_uri for page in published}
    linked = _Linked([], [])
    for page in unknown:
        links = links_of(site_dir, page.dest_uri)
        of_kind = linked.pages if page.dest_uri in listed else linked.left_out
        of_kind.append(LinkedPage(page.dest_uri, page.loc, links))
    return linked


def _find(
    linked: _Linked,
    published: Iterable[SourcePage],
    project: Project,
    site_dir: Path,
    head: AtHead,
) -> tuple[dict[str, Path], dict[str, str], Problem | None]:
    """Return the sources of linked pages by ``dest_uri``, and why the links of others name none.

    The problem is that all links lead to another repository.
    """
    taken = {
        path_from(head.top, real_path(path)) for page in published for path in page.source_files
    }
    files = HeadFiles([*filter(None, map(repository_key, head.remotes))], head.refs, head.files)
    copied = copied_sources((*linked.pages, *linked.left_out), site_dir, head)
    found, doubts = page_sources(linked.pages, files, copied, taken, linked.left_out)
    problem = None
    other = None if found or not files.repositories else shared_repository(linked.pages, files)
    if other and project.is_alone and other.partition("/")[2] not in files.repositories:
        problem = Problem(
            code=Code.NO_SOURCE,
            found=f"the links to edit the pages lead to {format_value(other)}, but the remote "
            f"`origin` of this repository is {format_value(head.remotes[0])}",
            done="So these links say nothing about the files here.",
            fix="If it is the same repository, mend the address of one of them.",
            level=Level.INFO,
        )
    top = repository_folder(project.site.docs_dir)
    top = top if real_path(top) == head.top else head.top
    return {page: top / path for page, path in found.items()}, doubts, problem


def _at_same_paths(
    linked: Sequence[LinkedPage],
    built: Container[str],
    sources: Mapping[str, Path],
    project: Project,
    head: AtHead | None,
) -> tuple[dict[str, Path], dict[str, str]]:
    """Return the sources in the folder that the user named, of pages whose links name none.

    The second result says why other pages have none.

    `built` has the paths of all built pages. `sources` are those by links, which belong to no
    further page.
    """
    folder = real_path(project.site.docs_dir)
    top = head.top if head else folder
    same_paths = SamePaths(folder, built)
    others = [page for page in linked if page.dest_uri not in sources]
    found = {page.dest_uri: same_paths.source_of(page.dest_uri) for page in others}
    paths = {page: path_from(top, folder / path) for page, path in found.items() if path}
    taken = {path_from(top, real_path(path)) for path in sources.values()}
    left, doubts = without_rivals(paths, others, head.files if head else (), taken)
    return {page: project.site.docs_dir / str(found[page]) for page in left}, doubts


def _is_published(page: SourcePage) -> bool:
    return bool(_is_readable(page) and page.built and not page.built.noindex)


def _is_readable(page: SourcePage) -> bool:
    can_be_read = page.built is not None and not page.built.unreadable
    return can_be_read and not _leads_elsewhere(page) and page.replaced_by is None


def _leads_elsewhere(page: SourcePage) -> bool:
    return page.built is not None and page.built.leads_elsewhere(page.loc)


def links_of(site_dir: Path, dest_uri: str) -> PageLinks:
    """Return the links of a built page that say what it is made from; none if it can't be read."""
    try:
        return read_links(read_start(site_dir / dest_uri, MAX_FILE), dest_uri)
    except Unreadable:
        return PageLinks()


def with_source(page: SourcePage, file: Path, root: Path) -> SourcePage:
    """Return a page with a source, whose front matter counts as far as its keys are ours."""
    front_matter = foreign_front_matter(file)
    return page._replace(
        file=path_from(root, file),
        source_files=(file,),
        meta=front_matter.meta,
        lines=front_matter.lines,
        broken=front_matter.broken,
    )
