"""Give the pages of a built site the sources that `anysite` finds for them."""

from collections.abc import Sequence
from pathlib import Path

from mkdocs_sitemap_plus.anysite import Head, Page
from mkdocs_sitemap_plus.anysite.includes import PartsAtHead
from mkdocs_sitemap_plus.anysite.links import read_page
from mkdocs_sitemap_plus.anysite.sources import find_sources
from mkdocs_sitemap_plus.built_site import Project
from mkdocs_sitemap_plus.built_site.foreign_front_matter import foreign_front_matter
from mkdocs_sitemap_plus.files import (
    MAX_FILE,
    Unreadable,
    path_from,
    read_start,
    real_path,
    repository_folder,
)
from mkdocs_sitemap_plus.gitdates.at_head import AtHead, at_head
from mkdocs_sitemap_plus.pages import SourcePage
from mkdocs_sitemap_plus.problems import Problem
from mkdocs_sitemap_plus.web.html import is_document

_START = 1 << 14  # bytes in which a whole page has one of these tags


def is_whole_page(page: SourcePage, site_dir: Path) -> bool:
    """Return whether a built file is a whole HTML page, and no part of one."""
    if page.built and page.built.canonical:
        return True
    try:
        return is_document(read_start(site_dir / page.dest_uri, _START))
    except Unreadable:
        return True  # which is reported


def with_sources(
    pages: Sequence[SourcePage], project: Project, site_dir: Path
) -> tuple[list[SourcePage], Problem | None]:
    """Return the pages; those without a source have the one that `find_sources` finds, if any.

    Such a file is in the repository of the docs folder. Without a project file, it also gives the
    page its `src_uri`, and what it takes from other files counts. Of its front matter, only the
    keys of this package count. The problem is one that many pages share.
    """
    unknown = [
        linked_page(site_dir, page.dest_uri, page.loc) for page in pages if _may_have_source(page)
    ]
    if not unknown:
        return [*pages], None
    docs_dir = project.site.docs_dir if project.is_alone and project.has_sources else None
    read = at_head(project.site.docs_dir, project.repo_url)
    if isinstance(read, AtHead):
        head = Head.of(read)
    else:  # without git, front matter still counts
        head = Head(real_path(project.site.docs_dir), (), (), frozenset())
    known = {path_from(head.top, real_path(each)) for page in pages for each in page.source_files}
    sources = find_sources(unknown, site_dir, head, docs_dir, known)
    parts = PartsAtHead(head.top, head.files) if project.is_alone else None
    top = repository_folder(project.site.docs_dir)  # as the user spells it, with symbolic links
    top = top if real_path(top) == head.top else head.top
    found = []
    for known_page in pages:
        page = known_page
        if path := sources.files.get(page.dest_uri):
            page = with_source(page, top / path, project.site.root)
            if project.is_alone:
                page = page._replace(src_uri=path_from(project.site.docs_dir, top / path))
            if parts and path in head.files:
                taken = parts.of(path)
                collected = tuple(head.top / each for each in taken.files)
                page = page._replace(collected=collected, unknown_parts=taken.unknown)
        else:
            why = sources.doubts.get(page.dest_uri, page.no_source)
            why = read.found if why and not isinstance(read, AtHead) else why
            page = page._replace(no_source=why)
        found.append(page)
    return found, sources.problem if project.is_alone else None


def _may_have_source(page: SourcePage) -> bool:
    """Return whether a built page may have a source that is not known. A redirect has none."""
    can_be_read = page.built is not None and not page.built.unreadable
    leads_elsewhere = page.built is not None and page.built.leads_elsewhere(page.loc)
    is_new = page.replaced_by is None and not page.source_files
    return can_be_read and not leads_elsewhere and is_new


def linked_page(site_dir: Path, dest_uri: str, loc: str = "") -> Page:
    """Return what a built page says of its source; nothing if it can't be read."""
    try:
        return read_page(dest_uri, loc, read_start(site_dir / dest_uri, MAX_FILE))
    except Unreadable:
        return Page(dest_uri, loc)


def with_source(page: SourcePage, file: Path, root: Path) -> SourcePage:
    """Return a page with a source, whose front matter counts as far as its keys are ours."""
    front_matter = foreign_front_matter(file)
    return page._replace(
        file=path_from(root, file),
        source_files=(file,),
        no_source=None,
        meta=front_matter.meta,
        lines=front_matter.lines,
        broken=front_matter.broken,
    )
