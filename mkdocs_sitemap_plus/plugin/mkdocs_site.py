"""Make a Site from the configuration and the files of MkDocs."""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urljoin

from mkdocs.structure.files import InclusionLevel

from mkdocs_sitemap_plus.files import is_file, path_from
from mkdocs_sitemap_plus.generator.options.fields import has_sitemap_keys, may_list_images, top_keys
from mkdocs_sitemap_plus.generator.options.settings import IncludeKind, Settings
from mkdocs_sitemap_plus.generator.pages.front_matter import (
    Broken,
    FrontMatter,
    read_front_matter_text,
    written_front_matter,
)
from mkdocs_sitemap_plus.generator.pages.include_syntax import Include, IncludeOptions, includes_in
from mkdocs_sitemap_plus.generator.pages.project_file import read_project_file
from mkdocs_sitemap_plus.generator.pages.site import (
    OutReason,
    Parts,
    SourcePage,
    UncheckedSite,
    plain_title,
    sorted_pages,
)
from mkdocs_sitemap_plus.generator.pages.theme_and_plugins import posts_by_date, site_facts
from mkdocs_sitemap_plus.generator.pipeline.decisions import Candidate, LeftOut
from mkdocs_sitemap_plus.html.page_says import read_built_page
from mkdocs_sitemap_plus.plugin import other_plugins
from mkdocs_sitemap_plus.plugin.from_elsewhere import (
    Identifier,
    docstring_files,
    identifiers_in,
    linked_sources,
)
from mkdocs_sitemap_plus.plugin.page_dates import shown_by_others
from mkdocs_sitemap_plus.problems import Origin, Place, SitemapError

if TYPE_CHECKING:
    from jinja2 import Environment
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File, Files
    from mkdocs.structure.nav import Navigation
    from mkdocs.structure.pages import Page


SITEMAP = "sitemap.xml"
"""The template of MkDocs that this plugin replaces."""


def site_of(config: "MkDocsConfig", url: str | None, pages: Iterable[SourcePage]) -> UncheckedSite:
    """Return the site of this build; its pages come in the order in which they were built.

    `url` is the ``site_url`` of the whole site, read after ``on_config``: mike changes it there.
    """
    project = project_file(config.config_file_path)
    return UncheckedSite(
        url=f"{url.removesuffix('/')}/" if url else url,
        has_url_key=bool(config.site_url) or _has_url_key(project),
        project_file=project.name,
        root=project.parent,
        docs_dir=other_plugins.docs_folder(config),
        site_dir=Path(config.site_dir),
        # The development server has its own address.
        serving=(config.site_url or "").startswith(f"http://{config.dev_addr}/"),
        include_options=other_plugins.include_options(config),
        pages=sorted_pages(pages),
        waiting=posts_by_date(other_plugins.options_of_blogs(config)),
        **site_facts(
            other_plugins.theme_of(config), other_plugins.options_of(config), config.extra
        ),
    )


def _has_url_key(project: Path) -> bool:
    """In the configuration of MkDocs, a key without a value looks like no key."""
    with suppress(SitemapError):
        return "site_url" in read_project_file(project)
    return False


def project_file(path: str | None) -> Path:
    """Return the absolute path of the project file; None stands for ``mkdocs.yml``."""
    return Path(path or "mkdocs.yml").absolute()


def _name_in_messages(file: "File", made_from: Iterable[Path], docs_dir: str, root: str) -> str:
    """Return the path of the source of a page; for a generated page, its real source if known."""
    built_from = file.abs_src_path
    if built_from and not file.generated_by and built_from.startswith(f"{docs_dir}{os.sep}"):
        return path_from(root, built_from)
    real = next((path for path in made_from if str(path) != built_from and is_file(path)), None)
    return path_from(root, real) if real else file.src_uri


def replaced_files(files: "Files", config: "MkDocsConfig", names: Iterable[str]) -> Iterator[Path]:
    """Yield the files of these names in the docs folder and in the theme's ``custom_dir``."""
    not_of_owner = (None, *config.theme.dirs)
    for name in names:
        file = files.get_file_from_path(name)
        if file is not None and file.inclusion.is_included() and file.src_dir not in not_of_owner:
            yield Path(file.abs_src_path or Path(config.docs_dir, name))
    for name in dict.fromkeys((SITEMAP, *names)):
        if (custom_dir := config.theme.custom_dir) and is_file(Path(custom_dir, name)):
            yield Path(custom_dir, name).absolute()


def sitemap_of_template(
    env: "Environment", nav: "Navigation", files: "Files", config: "MkDocsConfig"
) -> tuple[Path, str] | None:
    """Return the owner's template of the sitemap, and what it writes, as MkDocs would render it.

    The result is None without one, or if it fails: it may need what its owner has removed since.
    """
    file = Path(config.theme.custom_dir or "", SITEMAP).absolute()
    if config.theme.custom_dir and is_file(file):
        from mkdocs.commands.build import get_context  # noqa: PLC0415 - few have one

        with suppress(Exception):
            template = env.get_template(SITEMAP)
            if Path(template.filename or "") == file:  # no other plugin has one before it
                named: dict[str, Any] = {"template_name": SITEMAP, "config": config}
                template = config.plugins.run_event("pre_template", template, **named)
                context = get_context(nav, files, config, base_url=".")
                context = config.plugins.run_event("template_context", context, **named)
                return file, template.render(context)
    return None


class PageText(NamedTuple):
    """What is read in a page's text before other plugins change it."""

    broken: Broken | None = None  # why its front matter can't be read
    includes: tuple[Include, ...] = ()
    identifiers: tuple[Identifier, ...] = ()


def page_text(
    markdown: str, include_options: IncludeOptions | None, broken: Broken | None = None
) -> PageText:
    """Read the text of a page after its front matter. `broken` says why that can't be read."""
    if include_options is None:
        return PageText(broken)
    identifiers = identifiers_in(markdown) if include_options.docstrings else ()
    return PageText(broken, tuple(includes_in(markdown, include_options)), identifiers)


def source_pages(
    files: "Files",
    config: "MkDocsConfig",
    texts: Mapping[str, PageText],
    settings: Settings,
    nav: "Navigation | None" = None,
) -> Iterator[SourcePage]:
    """Yield every page of the built site, without drafts that only ``serve`` shows.

    Without `nav`, MkDocs has not written the pages yet: there is no built HTML, and other plugins
    may still change front matter. `texts` are by ``src_uri``.
    """
    in_nav = None if nav is None else {page.file.src_uri for page in nav.pages}  # perhaps none
    keys = top_keys(settings.lastmod.front_matter_keys)
    include_options = other_plugins.include_options(config)
    docstrings = IncludeKind.MKDOCSTRINGS in settings.lastmod.includes
    site_dir, root = config.site_dir, str(project_file(config.config_file_path).parent)
    docs_dir = str(other_plugins.docs_folder(config))
    pages = [file.page for file in files.documentation_pages() if file.page]
    posts = other_plugins.posts_of_views(pages)
    languages = other_plugins.languages_of(config)
    links = other_plugins.edit_links(config, pages)
    linked = linked_sources(files.documentation_pages(), config, links) if links else {}
    for file in files.documentation_pages():
        page = file.page
        if page is None:
            continue
        front_matter, text = _front_matter(file, page, keys, include_options, texts)
        meta = front_matter.meta
        built = os.path.join(site_dir, file.dest_uri)  # noqa: PTH118 - faster than Path, for many pages
        images = may_list_images(file.src_uri, meta, settings.rules)
        identifiers = text.identifiers if docstrings else ()
        linked_to = linked.get(file.dest_uri)
        made_from = other_plugins.possible_sources(file, page, config, links, linked_to)
        generated = file.generated_by or not file.abs_src_path
        source_page = SourcePage(
            src_uri=file.src_uri,
            file=_name_in_messages(file, (source.file for source in made_from), docs_dir, root),
            dest_uri=file.dest_uri,
            loc=page.canonical_url or "",
            made_from=made_from,
            path=Path(config.docs_dir, file.src_uri) if generated else None,
            includes=include_options.active(text.includes, file.src_uri, meta)
            if include_options
            else (),
            parts=Parts(frozenset(docstring_files(identifiers, config))),
            posts=posts.get(file.src_uri, ()),
            meta=meta,
            lines=front_matter.lines,
            written=front_matter.written,
            twice=front_matter.twice,
            broken=text.broken,
            title=plain_title(page.title),
            built=None if nav is None else read_built_page(built, images=images),
            in_nav=None if in_nav is None else file.src_uri in in_nav,
            date_by_plugin=shown_by_others(meta),
        )
        yield languages.with_version(source_page) if languages else source_page


def unpublished(files: "Files", config: "MkDocsConfig") -> Iterator[LeftOut]:
    """Yield that an option of MkDocs, or a plugin, leaves a page out of the site, for each one."""
    project = project_file(config.config_file_path)
    for file in files.documentation_pages(inclusion=InclusionLevel.is_excluded):
        page = SourcePage(
            src_uri=file.src_uri,
            file=path_from(project.parent, file.abs_src_path or file.src_uri),
            dest_uri=file.dest_uri,
            loc=urljoin(config.site_url, file.url) if config.site_url else "",
            meta={},
            built=None,
        )
        options = {"draft_docs": config.draft_docs, "exclude_docs": config.exclude_docs}
        named = (key for key, spec in options.items() if spec and spec.match_file(file.src_uri))
        place, why = Place(Origin.PLUGIN), "a draft, or left out by a plugin or by MkDocs"
        if option := next(named, None):
            place, why = Place(Origin.OPTION, project.name, option), option
        yield Candidate(target=page).left_out(OutReason.EXCLUDED, why, place)


def _front_matter(
    file: "File",
    page: "Page",
    keys: frozenset[str],
    include_options: IncludeOptions | None,
    texts: Mapping[str, PageText],
) -> tuple[FrontMatter, PageText]:
    if page.markdown is None:  # with --dirty, MkDocs does not read unchanged pages
        content = file.content_string
        read = read_front_matter_text(content)
        text = page_text(content, include_options, read.broken)
        return read._replace(meta=read.meta or page.meta), text
    text = texts.get(file.src_uri) or PageText()
    if has_sitemap_keys(page.meta, keys):
        with suppress(OSError, UnicodeDecodeError):  # the page may have no file
            return written_front_matter(file.content_string)._replace(meta=page.meta), text
    return FrontMatter(page.meta), text  # nobody looks for lines in it
