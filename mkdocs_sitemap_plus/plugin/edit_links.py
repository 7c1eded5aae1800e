"""Find the files that the edit links of generated pages lead to, whatever plugin set them."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs_sitemap_plus.plugin.other_plugins import is_generated

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File

_OF_THEME = ("", "", "edit", "", "")  # the markup of a link that is no part of a text


def linked_sources(files: Iterable["File"], config: "MkDocsConfig") -> Mapping[str, Path]:
    """Return the file to which the edit link of each generated page leads, by ``dest_uri``.

    The link is like one in a built page, and need not begin with ``repo_url``. A page without a
    link, or whose link is not clear, is left out.
    """
    generated = [(file, file.page) for file in files if file.page and is_generated(file, config)]
    if not any(page.edit_url for _, page in generated):
        return {}
    # Most builds end before: importing the plugin should be quick.
    from mkdocs_sitemap_plus.gitdates.at_head import at_head  # noqa: PLC0415
    from mkdocs_sitemap_plus.web.edit_links import LinkedPage, PageLinks, file_link, repository_key  # noqa: PLC0415
    from mkdocs_sitemap_plus.web.page_sources import HeadFiles, page_sources  # noqa: PLC0415

    linked = []
    for file, page in generated:
        if page.edit_url and (link := file_link(page.edit_url)):
            links = PageLinks((link._replace(edits=True, markup=_OF_THEME),))
            linked.append(LinkedPage(file.dest_uri, page.canonical_url or "", links))
    head = at_head(Path(config.docs_dir), config.repo_url) if linked else None
    if head is None:
        return {}
    held = HeadFiles([*filter(None, map(repository_key, head.remotes))], head.refs, head.files)
    found, _ = page_sources(linked, held)
    return {page: head.top / path for page, path in found.items()}
