"""Find the files that the edit links of generated pages lead to, whatever plugin set them."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs_sitemap_plus.gitdates.at_head import at_head, remote_path
from mkdocs_sitemap_plus.web.edit_links import PageLinks, file_link, repository_key
from mkdocs_sitemap_plus.web.page_sources import HeadFiles, LinkedPage, page_sources

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File

_OF_THEME = ("", "", "edit", "", "")  # the markup of a link that is no part of a text


def is_generated(file: "File", config: "MkDocsConfig") -> bool:
    """Return whether another plugin made the file of a page."""
    return bool(file.generated_by) or file.src_dir != config.docs_dir


def linked_sources(files: Iterable["File"], config: "MkDocsConfig") -> Mapping[str, Path]:
    """Return the file to which the edit link of each generated page leads, by ``dest_uri``.

    The link is like one in a built page, and need not begin with ``repo_url``. A page without a
    link, or whose link is not clear, is left out.
    """
    linked = []
    for file in files:
        page = file.page
        if page is None or not page.edit_url or not is_generated(file, config):
            continue
        if link := file_link(page.edit_url):
            links = PageLinks((link._replace(edits=True, markup=_OF_THEME),))
            linked.append(LinkedPage(file.dest_uri, page.canonical_url or "", links))
    head = at_head(Path(config.docs_dir)) if linked else None
    if head is None:
        return {}
    remote = repository_key(head.remote or remote_path(config.repo_url or "") or "")
    found = page_sources(linked, HeadFiles(remote, head.refs, head.files))
    return {page: head.top / path for page, path in found.items()}
