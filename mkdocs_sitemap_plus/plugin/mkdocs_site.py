"""Make a Site from the configuration and the files of MkDocs."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs_sitemap_plus.files import Unreadable, is_file, read_text
from mkdocs_sitemap_plus.options.mappings import may_list_images
from mkdocs_sitemap_plus.options.overrides import has_sitemap_keys, top_keys
from mkdocs_sitemap_plus.options.settings import IncludeKind, Settings
from mkdocs_sitemap_plus.pages.built_html import read_built_page
from mkdocs_sitemap_plus.pages.front_matter import (
    Broken,
    front_matter_lines,
    option_lines,
    read_front_matter_text,
)
from mkdocs_sitemap_plus.pages.images import read_images
from mkdocs_sitemap_plus.pages.includes import Include, IncludeOptions, includes_in
from mkdocs_sitemap_plus.pages.page import (
    Site,
    SourcePage,
    languages_place,
    path_from,
    sorted_pages,
)
from mkdocs_sitemap_plus.pages.title import plain_title
from mkdocs_sitemap_plus.plugin.other_plugins import (
    default_locale,
    docs_folder,
    docstring_files,
    identifiers_in,
    include_options,
    path_of_generated,
    possible_sources,
    posts_of,
    renders_macros,
    translation,
)

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.pages import Page


def site_of(config: "MkDocsConfig", url: str | None, pages: Iterable[SourcePage]) -> Site:
    """Return the site of this build.

    Args:
        config: of MkDocs.
        url: the ``site_url`` of the whole site, read after ``on_config``: mike changes it there.
        pages: in the order in which they were built.
    """
    project = project_file(config.config_file_path)
    features = config.theme.get("features") or []
    return Site(
        url=url if not url or url.endswith("/") else f"{url}/",
        has_url_key=bool(config.site_url) or _has_url_key(config.config_file_path),
        project_file=project.name,
        root=project.parent,
        docs_dir=docs_folder(config),
        site_dir=Path(config.site_dir),
        reads_sitemap=config.theme.name == "material",
        instant=config.theme.name == "material" and "navigation.instant" in features,
        serving=serving(config),
        default_locale=default_locale(config),
        include_options=include_options(config),
        languages_place=languages_place(config.plugins),
        pages=sorted_pages(pages),
    )


def _has_url_key(path: str) -> bool:
    """Return whether the project file has the key ``site_url``; MkDocs drops an empty one."""
    try:
        lines = read_text(path).splitlines()
    except Unreadable:  # the configuration came from elsewhere
        return False
    return any(line.startswith("site_url:") for line in lines)


def project_lines(path: str | None) -> Mapping[str, int]:
    """Return the lines of our options in the project file, by dotted key."""
    try:
        return option_lines(read_text(path or "mkdocs.yml", "utf-8-sig"), "sitemap-plus")
    except Unreadable:  # the configuration came from elsewhere
        return {}


def project_file(path: str | None) -> Path:
    """Return the absolute path of the project file; None stands for ``mkdocs.yml``."""
    return Path(path or "mkdocs.yml").absolute()


def _name_in_messages(file: "File", made_from: tuple[Path, ...], docs_dir: str, root: str) -> str:
    """Return the path of the source of a page; for a generated page, that of its real source."""
    own = file.abs_src_path
    if own and not file.generated_by and own.startswith(f"{docs_dir}{os.sep}"):
        return path_from(root, own)
    others = (path for path in made_from if str(path) != own)
    real = next((path for path in others if is_file(path)), None)
    return path_from(root, str(real)) if real else file.src_uri


def serving(config: "MkDocsConfig") -> bool:
    """Return whether ``serve`` replaced ``site_url`` by the address of the development server."""
    return (config.site_url or "").startswith(f"http://{config.dev_addr}/")


def replaced_files(files: "Files", config: "MkDocsConfig", names: Iterable[str]) -> Iterator[str]:
    """Yield the files of these names in the docs folder and in the theme's ``custom_dir``.

    Paths are relative to the folder of the project file.
    """
    root, own = str(project_file(config.config_file_path).parent), config.theme.custom_dir
    for name in names:
        file = files.get_file_from_path(name)
        if file is not None and file.inclusion.is_included() and file.src_dir is not None:
            yield path_from(root, file.abs_src_path or os.path.join(config.docs_dir, name))  # noqa: PTH118 - a string is wanted
        if own and is_file(template := Path(own, name)):
            yield path_from(root, str(template.absolute()))


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """What is read in a page's text before other plugins change it.

    Attributes:
        broken: why its front matter can't be read; None if it can.
        includes: the files that it includes.
        identifiers: the names of the objects that mkdocstrings shows, each with its handler; the
            handler is None if the text does not name it.
    """

    broken: Broken | None = None
    includes: tuple[Include, ...] = ()
    identifiers: tuple[tuple[str, str | None], ...] = ()


def page_text(markdown: str, include_options: IncludeOptions, *, without_meta: bool) -> PageText:
    """Read the text of a page.

    Args:
        markdown: the text.
        include_options: what can include files in this site.
        without_meta: whether MkDocs found no front matter. Then the text may begin with front
            matter that MkDocs could not read.
    """
    may_be_broken = without_meta and markdown.startswith("---")
    broken = read_front_matter_text(markdown).broken if may_be_broken else None
    includes = tuple(includes_in(markdown, include_options))
    identifiers = identifiers_in(markdown) if include_options.docstrings else ()
    return PageText(broken=broken, includes=includes, identifiers=identifiers)


def source_pages(
    files: "Files", config: "MkDocsConfig", texts: Mapping[str, PageText], settings: Settings
) -> Iterator[SourcePage]:
    """Yield every page of the built site, without drafts that only ``serve`` shows.

    Call it after MkDocs wrote the pages: until then, other plugins change front matter.

    Args:
        files: the collection of this build.
        config: of MkDocs.
        texts: what was read in the texts, by ``src_uri``.
        settings: the options.
    """
    keys = top_keys(settings.lastmod.front_matter_keys)
    docstrings = IncludeKind.MKDOCSTRINGS in settings.lastmod.includes
    site_dir, root = config.site_dir, str(project_file(config.config_file_path).parent)
    docs_dir = str(docs_folder(config))
    for file in files.documentation_pages():
        page = file.page
        if page is None:
            continue
        meta, lines, text = _front_matter(file, page, keys, config, texts)
        locale, translation_of = translation(file)
        built = os.path.join(site_dir, file.dest_uri)  # noqa: PTH118 - faster than Path, for many pages
        wants_images = may_list_images(file.src_uri, meta, settings.rules)
        made_from = possible_sources(file, page, config)
        yield SourcePage(
            src_uri=file.src_uri,
            file=_name_in_messages(file, made_from, docs_dir, root),
            dest_uri=file.dest_uri,
            loc=page.canonical_url,
            sources=made_from,
            path=path_of_generated(file, config),
            includes=_active_includes(text, file, meta, config),
            collected=tuple(docstring_files(text.identifiers, config)) if docstrings else (),
            lists=posts_of(page),
            locale=locale,
            translation_of=translation_of,
            meta=meta,
            lines=lines,
            broken=text.broken,
            title=plain_title(page.title),
            images=read_images(Path(built)) if wants_images else (),
            built=read_built_page(built),
        )


def _active_includes(
    text: PageText, file: "File", meta: Mapping[str, Any], config: "MkDocsConfig"
) -> tuple[Include, ...]:
    """Return the includes of a text, without those of macros if macros do not render the page."""
    kinds = {include.kind for include in text.includes}
    if IncludeKind.MACROS not in kinds or renders_macros(file, meta, config):
        return text.includes
    return tuple(each for each in text.includes if each.kind is not IncludeKind.MACROS)


def _front_matter(
    file: "File",
    page: "Page",
    keys: frozenset[str],
    config: "MkDocsConfig",
    texts: Mapping[str, PageText],
) -> tuple[Mapping[str, Any], Mapping[str, int], PageText]:
    """Return front matter, the lines of its keys, and what was read in the text.

    With ``--dirty``, MkDocs does not read unchanged pages: their text is read here.
    """
    if page.markdown is None:
        content = file.content_string
        read = read_front_matter_text(content)
        text = page_text(content, include_options(config), without_meta=True)
        return read.meta or page.meta, read.lines, text
    lines = _front_matter_lines(file) if has_sitemap_keys(page.meta, keys) else {}
    return page.meta, lines, texts.get(file.src_uri) or PageText()


def _front_matter_lines(file: "File") -> Mapping[str, int]:
    try:
        return front_matter_lines(file.content_string)
    except (OSError, UnicodeDecodeError):
        return {}  # another plugin read the page from somewhere else
