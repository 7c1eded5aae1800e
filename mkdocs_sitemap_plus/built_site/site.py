"""A built folder and its project file to a Site, equal to what the plugin makes of that site."""

import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin

from mkdocs_sitemap_plus.built_site.languages import with_languages
from mkdocs_sitemap_plus.built_site.project import Project
from mkdocs_sitemap_plus.files import Unreadable, is_folder, read_text, real_path
from mkdocs_sitemap_plus.options.overrides import (
    SHORT_FIELDS,
    has_our_keys,
    may_list_images,
    top_keys,
)
from mkdocs_sitemap_plus.options.patterns import read_patterns
from mkdocs_sitemap_plus.options.settings import Includer, LastmodSettings, Rule, Settings
from mkdocs_sitemap_plus.pages.built_html import BuiltPage, read_built_page
from mkdocs_sitemap_plus.pages.front_matter import Broken, read_front_matter_text
from mkdocs_sitemap_plus.pages.images import read_images
from mkdocs_sitemap_plus.pages.includes import (
    Directives,
    Include,
    Including,
    Templates,
    includes_in,
)
from mkdocs_sitemap_plus.pages.page import (
    Site,
    SourcePage,
    origin_of_languages,
    path_from,
    sorted_pages,
)
from mkdocs_sitemap_plus.pages.title import plain_title, title_of
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError, invalid
from mkdocs_sitemap_plus.sitemap.urls import same_page

MARKDOWN = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")
_MAX_FOLDERS = 100_000
"""Folders of the sources: a link may lead to a whole disk."""
_NO_PAGES = frozenset(("404.html", "search.html"))
"""What themes write that is no page of the site."""


def site_of(project: Project, site_dir: Path, settings: Settings) -> Site:
    """The site as it is built.

    A page is what the builder made of a source, under the usual name; and each HTML file that
    says so itself, by a ``rel=canonical`` that names its own URL. HTML of the docs folder and of
    sources that are not to be published is none.

    Args:
        project: what the project file says.
        site_dir: the absolute folder of the built site.
        settings: what the owner says.

    Raises:
        SitemapError: there is no docs folder.
    """
    known = {source.dest_uri for source in _sources(project)}
    pages = [*_built(source_pages(project, settings.lastmod), site_dir, settings.rules)]
    pages += _others(project, site_dir, known, settings.rules)
    return _site(project, site_dir, with_languages(pages, site_dir))


def unbuilt_site(project: Project, settings: LastmodSettings) -> Site:
    """The site as its sources are, all of which are taken for built.

    Args:
        project: what the project file says.
        settings: the options under ``lastmod``.

    Raises:
        SitemapError: there is no docs folder.
    """
    return _site(project, project.site_dir, source_pages(project, settings))


def _site(project: Project, site_dir: Path, pages: Iterable[SourcePage]) -> Site:
    return Site(
        url=project.url,
        url_key=project.url_key,
        project_file=project.file.name,
        root=project.root,
        docs_dir=project.docs_dir,
        site_dir=site_dir,
        reads_sitemap=project.theme == "material",
        instant=project.theme == "material" and "navigation.instant" in project.features,
        serving=False,
        default_locale=_default_locale(project),
        including=_including(project),
        languages=origin_of_languages(project.plugins),
        pages=sorted_pages(pages),
    )


def source_pages(project: Project, settings: LastmodSettings) -> Iterator[SourcePage]:
    """Every page of the docs folder that is to be published, whether it is built or not.

    What only a live plugin knows is not there: files behind generated pages, posts of a view,
    code that mkdocstrings collected, and front matter that another plugin adds.

    Raises:
        SitemapError: there is no docs folder.
    """
    including = _including(project)
    keys = top_keys(settings.front_matter_keys)
    for source in _sources(project):
        if source.published and source.markdown:
            yield _source_page(source, project, including, keys)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """A file of the docs folder.

    Attributes:
        src_uri: its path under that folder, with ``/``.
        dest_uri: the path of what is made of it in the built site, with ``/``.
        published: whether it is part of the site.
    """

    src_uri: str
    dest_uri: str
    published: bool

    @property
    def markdown(self) -> bool:
        """Whether a page is made of it."""
        return self.src_uri.endswith(MARKDOWN)


def _sources(project: Project) -> list[_Source]:
    """The files of the docs folder, as MkDocs finds and names them (``get_files``).

    Raises:
        SitemapError: there is no such folder.
    """
    if not is_folder(project.docs_dir):
        place = Place(origin=Origin.OPTION, file=project.file.name, key="docs_dir")
        named = path_from(str(project.root), str(project.docs_dir))
        raise SitemapError(invalid("docs-dir", place, named, "a folder that exists"))
    found: list[_Source] = []
    walk = os.walk(project.docs_dir, followlinks=True)
    for number, (folder, folders, names) in enumerate(walk):
        if number > _MAX_FOLDERS:
            raise SitemapError(_too_many_folders(project))
        folders[:] = [name for name in sorted(folders) if not _holds_itself(folder, name)]
        above = Path(folder).relative_to(project.docs_dir).as_posix()
        above = "" if above == "." else f"{above}/"
        found += _in_folder(above, names, project)
    return found


def _holds_itself(folder: str, name: str) -> bool:
    """Return whether a folder is a link to one that holds it: its files would have no end."""
    path = os.path.join(folder, name)  # noqa: PTH118 - each folder of the sources
    if not os.path.islink(path):  # noqa: PTH114
        return False
    return real_path(folder).is_relative_to(real_path(path))


def _too_many_folders(project: Project) -> Problem:
    place = Place(origin=Origin.OPTION, file=project.file.name, key="docs_dir")
    found = f"has more than {_MAX_FOLDERS:,} folders, with those that links lead to"
    return Problem(code="docs-dir", place=place, found=found)


def _in_folder(above: str, names: Iterable[str], project: Project) -> list[_Source]:
    """Of files that are made into one, an index wins over a README, and Markdown over HTML."""
    found: list[_Source] = []
    first: dict[str, _Source] = {}
    for name in sorted(names, key=lambda name: (not _is_index(name), name)):
        source = _source(f"{above}{name}", project)
        found.append(source)
        before = first.setdefault(source.dest_uri, source)
        if before is not source:
            loser = before if source.published else source
            found = [each for each in found if each is not loser]
    return found


def _source(src_uri: str, project: Project) -> _Source:
    excluded = project.excluded.match_file(src_uri) or project.drafts.match_file(src_uri)
    dest_uri = _dest_uri(src_uri, directory_urls=project.directory_urls)
    return _Source(src_uri=src_uri, dest_uri=dest_uri, published=not excluded)


def _is_index(name: str) -> bool:
    return posixpath.splitext(name)[0] in ("index", "README")


def _dest_uri(src_uri: str, *, directory_urls: bool) -> str:
    if not src_uri.endswith(MARKDOWN):
        return src_uri
    above, name = posixpath.split(src_uri)
    if _is_index(name):
        return posixpath.join(above, "index.html")
    stem = posixpath.splitext(name)[0]
    return (
        posixpath.join(above, stem, "index.html")
        if directory_urls
        else f"{above}/{stem}.html".lstrip("/")
    )


def _source_page(
    source: _Source, project: Project, including: Including, keys: frozenset[str]
) -> SourcePage:
    path = Path(os.path.normpath(project.docs_dir / source.src_uri))
    view = _is_view(source, project)
    file = path_from(str(project.root), str(path))
    text, unreadable = _text(path)
    read = read_front_matter_text(text)
    body = "\n".join(text.split("\n")[read.length :])
    return SourcePage(
        src_uri=source.src_uri,
        file=file,
        dest_uri=source.dest_uri,
        loc=_loc(project, source.dest_uri),
        sources=() if view else (path,),
        path=path if view else None,
        includes=tuple(_includes(body, including, source, read.meta, project)),
        meta=read.meta,
        lines=read.lines if has_our_keys(read.meta, keys) else {},
        broken=unreadable or read.broken,
        title=_title(source, project, read.meta, body),
        built=None,
    )


def _title(source: _Source, project: Project, meta: Mapping[str, Any], body: str) -> str | None:
    """What the page is called: by the navigation, else by itself."""
    said = project.titles.get(source.src_uri)
    if said is not None:
        return plain_title(said)
    stem = posixpath.splitext(posixpath.basename(source.src_uri))[0]
    name = "index" if stem == "README" else stem
    home = source.dest_uri == "index.html" and source.src_uri not in project.in_sections
    return title_of(meta, body, name, home=home)


def _text(path: Path) -> tuple[str, Broken | None]:
    """Return the text of a source; of one that can't be read any key may be lost."""
    try:
        return read_text(path, "utf-8-sig"), None
    except Unreadable as error:
        return "", Broken(reason=error.reason, keys=frozenset(SHORT_FIELDS))


def _is_view(source: _Source, project: Project) -> bool:
    """Whether a page lists the posts of a blog: its own file does not say when it last changed."""
    blog = project.plugins.get("blog")
    folder = _word((blog or {}).get("blog_dir"), "blog")
    return blog is not None and source.src_uri == posixpath.normpath(f"{folder}/index.md")


def _includes(
    body: str,
    including: Including,
    source: _Source,
    meta: Mapping[str, Any],
    project: Project,
) -> Iterator[Include]:
    """Without those of macros, where macros do not render the page."""
    for include in includes_in(body, including):
        if include.kind is not Includer.MACROS or _renders_macros(source, meta, project):
            yield include


def _renders_macros(source: _Source, meta: Mapping[str, Any], project: Project) -> bool:
    said = meta.get("render_macros")
    if said is not None:
        return bool(said)
    options = project.plugins.get("macros", {})
    if options.get("render_by_default", True):
        return True
    place = Place(origin=Origin.OPTION, file=project.file.name, key="macros.force_render_paths")
    forced = read_patterns(options.get("force_render_paths") or "", place)
    return not isinstance(forced, Problem) and forced.match_file(source.src_uri)


def _loc(project: Project, dest_uri: str) -> str | None:
    """The URL of a built file, as MkDocs writes it."""
    if not project.url:
        return None
    if project.directory_urls and posixpath.basename(dest_uri) == "index.html":
        dest_uri = dest_uri.removesuffix("index.html")
    try:
        return urljoin(project.url, quote(dest_uri))
    except ValueError:  # a site_url that is none, for which nothing will be written
        return None


def _built(
    pages: Iterable[SourcePage], site_dir: Path, rules: Iterable[Rule]
) -> Iterator[SourcePage]:
    """Those that are built, with what their HTML says."""
    rules = tuple(rules)
    for page in pages:
        path = site_dir / page.dest_uri
        built = read_built_page(path)
        if built is not None:
            images = read_images(path) if may_list_images(page.src_uri, page.meta, rules) else ()
            loc = _as_written(page.loc, built)
            yield replace(page, built=built, loc=loc, images=images)


def _as_written(loc: str | None, built: BuiltPage) -> str | None:
    """The page's URL as it names itself: builders escape some characters or do not."""
    said = built.canonical
    if loc and said and "://" in said and "#" not in said and same_page(said, loc, built.base):
        return said
    return loc


def _others(
    project: Project, site_dir: Path, known: set[str], rules: tuple[Rule, ...]
) -> Iterator[SourcePage]:
    """Pages that no source leads to, such as the posts of a blog; nobody knows their dates."""
    for dest_uri in _html_files(site_dir):
        if dest_uri in known or dest_uri in _NO_PAGES:
            continue
        path = site_dir / dest_uri
        loc, built = _loc(project, dest_uri), read_built_page(path)
        if loc and built and built.canonical and same_page(built.canonical, loc, built.base):
            yield SourcePage(
                src_uri=dest_uri,
                file=dest_uri,
                dest_uri=dest_uri,
                loc=_as_written(loc, built),
                meta={},
                images=read_images(path) if may_list_images(dest_uri, {}, rules) else (),
                built=built,
            )


def _html_files(site_dir: Path) -> Iterator[str]:
    for folder, _, names in os.walk(site_dir):
        for name in names:
            if name.endswith(".html"):
                yield Path(folder, name).relative_to(site_dir).as_posix()


def _default_locale(project: Project) -> str | None:
    """The default language of mkdocs-static-i18n, or that of the theme."""
    languages = project.plugins.get("i18n", {}).get("languages")
    for each in languages if isinstance(languages, list) else ():
        if isinstance(each, Mapping) and each.get("default") and each.get("locale"):
            return _word(each["locale"], "") or project.language
    return project.language


def _including(project: Project) -> Including:
    """What can include files in this site, and where it looks for them."""
    snippets = project.extensions.get("pymdownx.snippets")
    markdown = project.extensions.get("markdown_include.include")
    return Including(
        docs_dir=project.docs_dir,
        snippets=() if snippets is None else tuple(_bases(snippets, project)),
        restricted=(snippets or {}).get("restrict_base_path", True) is not False,
        markdown=None if markdown is None else _folder(markdown.get("base_path") or ".", project),
        directives=_directives(project.plugins.get("include-markdown")),
        templates=_templates(project.plugins.get("macros"), project),
    )


def _bases(snippets: Mapping[str, Any], project: Project) -> Iterator[Path]:
    base = snippets.get("base_path", ["."])
    for each in base if isinstance(base, list) else [base]:
        yield Path() if each == "!relative" else _folder(each, project)


def _word(value: object, usual: str) -> str:
    """Return a text that is not empty; for any other value the usual one."""
    return value if isinstance(value, str) and value else usual


def _folder(path: object, project: Project) -> Path:
    """Absolute, from the folder in which the command runs, as Markdown extensions take it."""
    text = _word(path, ".")
    for name, folder in (("$config_dir", project.root), ("$docs_dir", project.docs_dir)):
        if text.partition("/")[0] == f"!relative {name}":
            text = f"{folder}{text.removeprefix(f'!relative {name}')}"
    return Path(os.path.abspath(text))  # noqa: PTH100


def _directives(options: Mapping[str, Any] | None) -> Directives | None:
    if options is None:
        return None
    names, exclude = options.get("directives"), options.get("exclude")
    names = names if isinstance(names, Mapping) else {}
    return Directives(
        tags=(_word(options.get("opening_tag"), "{%"), _word(options.get("closing_tag"), "%}")),
        names=tuple(_word(names.get(name), name) for name in ("include", "include-markdown")),
        recursive=options.get("recursive", True) is not False,
        exclude=tuple(each for each in exclude if isinstance(each, str))
        if isinstance(exclude, list)
        else (),
    )


def _templates(options: Mapping[str, Any] | None, project: Project) -> Templates | None:
    if options is None:
        return None
    tags = ("j2_block_start_string", "{%"), ("j2_block_end_string", "%}")
    begin, end = (_word(options.get(key), usual) for key, usual in tags)
    return Templates(
        folder=_folder(options.get("include_dir") or project.docs_dir, project), tags=(begin, end)
    )
