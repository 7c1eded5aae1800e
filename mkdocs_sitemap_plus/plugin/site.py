"""MkDocs' config and files to a Site."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs_sitemap_plus.pages.built import read_built_page
from mkdocs_sitemap_plus.pages.front_matter import read_front_matter_text
from mkdocs_sitemap_plus.pages.page import Site, SourcePage

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.pages import Page


def site_of(config: "MkDocsConfig", pages: Iterable[SourcePage]) -> Site:
    """The site as it is built now; read late, since mike changes ``site_url`` in ``on_config``."""
    url = config.site_url
    features = config.theme.get("features") or []
    return Site(
        url=url if not url or url.endswith("/") else f"{url}/",
        project_file=Path(config.config_file_path or "mkdocs.yml").name,
        docs_dir=Path(config.docs_dir),
        site_dir=Path(config.site_dir),
        reads_sitemap=config.theme.name == "material",
        instant=config.theme.name == "material" and "navigation.instant" in features,
        serving=serving(config),
        pages=tuple(sorted(pages, key=lambda page: (page.dest_uri, page.src_uri))),
    )


def serving(config: "MkDocsConfig") -> bool:
    """Whether ``serve`` put the development server's address in the place of ``site_url``."""
    return (config.site_url or "").startswith(f"http://{config.dev_addr}/")


def replaced_docs_file(files: "Files", name: str) -> bool:
    """Whether the docs folder has a file that the sitemap takes the place of."""
    file = files.get_file_from_path(name)
    return file is not None and file.inclusion.is_included() and file.src_dir is not None


def source_pages(
    files: "Files", config: "MkDocsConfig", broken: Mapping[str, str], keys: frozenset[str]
) -> Iterator[SourcePage]:
    """Every documentation page of the built site; drafts that only ``serve`` shows are none.

    To be called after the pages are written: until then other plugins change front matter.

    Args:
        files: the collection of this build.
        config: MkDocs' own.
        broken: by ``src_uri``, why front matter could not be read.
        keys: the top-level keys of front matter that say something about the sitemap.
    """
    for file in files.documentation_pages():
        page = file.page
        if page is None:
            continue
        meta, lines, reason = _front_matter(file, page, keys, broken.get(file.src_uri))
        yield SourcePage(
            src_uri=file.src_uri,
            dest_uri=file.dest_uri,
            loc=page.canonical_url,
            source=Path(file.abs_src_path) if file.abs_src_path else None,
            meta=meta,
            lines=lines,
            broken=reason,
            built=read_built_page(Path(config.site_dir, file.dest_uri)),
        )


def _front_matter(
    file: "File", page: "Page", keys: frozenset[str], broken: str | None
) -> tuple[Mapping[str, Any], Mapping[str, int], str | None]:
    """Front matter, the lines of its keys, and why it can't be read.

    ``--dirty`` leaves pages that did not change unread: their text is read here.
    """
    if page.markdown is None:
        text = read_front_matter_text(file.content_string)
        return text.meta or page.meta, text.lines, text.broken
    return page.meta, {} if keys.isdisjoint(page.meta) else _lines(file), broken


def _lines(file: "File") -> Mapping[str, int]:
    try:
        return read_front_matter_text(file.content_string).lines
    except (OSError, UnicodeDecodeError):
        return {}  # another plugin read the page from somewhere else
