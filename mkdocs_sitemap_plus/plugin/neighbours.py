"""What only another live plugin knows: the file behind a page, the posts of a view, its parts."""

import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urljoin, urlsplit

from mkdocs.utils.yaml import RelativeDirPlaceholder

from mkdocs_sitemap_plus.pages.includes import Including

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File
    from mkdocs.structure.pages import Page


def sources(file: "File", page: "Page", config: "MkDocsConfig") -> tuple[Path, ...]:
    """The files that a page may be made from; the first that git tracks is the one.

    A page that another plugin generated lies in a temporary folder. Its real source is what its
    edit link names (mkdocs-gen-files' ``set_edit_path``), or the page of the docs folder that it
    was added to.
    """
    own, docs_dir = file.abs_src_path, config.docs_dir
    named = [own] if own else []
    if page.edit_url:
        named += _edited(page.edit_url, config)
    if file.generated_by or file.src_dir != docs_dir:
        named.append(os.path.join(docs_dir, file.src_uri))  # noqa: PTH118 - mostly one file twice
    return tuple(dict.fromkeys(map(Path, dict.fromkeys(named))))


def docs_folder(config: "MkDocsConfig") -> Path:
    """The folder of the sources; mkdocs-monorepo-plugin puts a temporary copy in its place."""
    plugin: Any = config.plugins.get("monorepo")
    return Path((plugin and plugin.originalDocsDir) or config.docs_dir)


def path_of(file: "File", config: "MkDocsConfig") -> Path | None:
    """Where a generated page would lie: names in it are relative to that; None for other pages."""
    if not file.generated_by and file.abs_src_path:
        return None
    return Path(config.docs_dir, file.src_uri)


def _edited(edit_url: str, config: "MkDocsConfig") -> Iterator[str]:
    """The file that an edit link names: the link of the docs folder stands for that folder.

    mkdocs-gen-files makes its links from ``edit_uri``, also where pages have them from
    ``edit_uri_template``.
    """
    template = config.edit_uri_template
    for uri in (template.format(path="", path_noext="") if template else None, config.edit_uri):
        relative = _relative(edit_url, _linked(config.repo_url, uri)) if uri else None
        if relative and "\0" not in relative:
            yield os.path.abspath(os.path.join(config.docs_dir, relative))  # noqa: PTH100, PTH118


def _relative(edit_url: str, base: str) -> str | None:
    """The way from one link to another, as a path; None if there is none."""
    if edit_url.startswith(base):
        return unquote(edit_url.removeprefix(base))
    try:
        ours, theirs = urlsplit(base), urlsplit(edit_url)
    except ValueError:  # whoever set it
        return None
    if ours.query or ours.fragment or ours[:2] != theirs[:2]:
        return None
    return unquote(posixpath.relpath(theirs.path or "/", ours.path or "/"))


@lru_cache(maxsize=8)  # the same for each page
def _linked(repository: str | None, uri: str) -> str:
    """The edit link of the docs folder itself, made as MkDocs makes those of its pages."""
    repository = repository or ""
    if repository and not repository.endswith("/") and not uri.startswith(("?", "#")):
        repository += "/"
    return urljoin(repository, uri)


def posts_of(page: "Page") -> tuple[str, ...]:
    """The source paths of the posts that a view of Material's blog lists; none for other pages."""
    if not type(page).__module__.startswith("material.plugins.blog"):
        return ()
    return tuple(post.file.src_uri for post in getattr(page, "posts", ()))


def translation(file: "File") -> tuple[str | None, str | None]:
    """The language of a page of mkdocs-static-i18n, and what its versions have in common.

    A page that is not translated is built from the default language's file: it is in that
    language, whatever its address says, and no version of anything.
    """
    locale: str | None = getattr(file, "locale_alternate_of", None)
    own: str | None = getattr(file, "locale", None)
    common: str | None = getattr(file, "norm_src_uri", None)
    return locale, common if locale and locale == own else None


def default_locale(config: "MkDocsConfig") -> str | None:
    """The default language of mkdocs-static-i18n, or that of the theme."""
    i18n: Any = config.plugins.get("i18n")
    if i18n and getattr(i18n, "default_language", None):
        return str(i18n.default_language)
    language = config.theme.get("language")
    if isinstance(language, str) and language:
        return language
    locale = config.theme.get("locale")  # an object that MkDocs made of a name
    return str(locale) if locale else None


def including(config: "MkDocsConfig") -> Including:
    """Return what can include files in this site, and where it looks for them."""
    # A hook is a module, without options.
    plugins = {name: getattr(each, "config", {}) for name, each in config.plugins.items()}
    extensions = {name: config.mdx_configs.get(name, {}) for name in config.markdown_extensions}
    return Including.from_options(plugins, extensions, Path(config.docs_dir), _folder)


def _folder(path: "str | os.PathLike[str]") -> Path:
    """Return an absolute path; an empty one stands for the folder of each page."""
    if isinstance(path, RelativeDirPlaceholder):
        return Path()
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() follows links


def renders_macros(file: "File", meta: Mapping[str, Any], config: "MkDocsConfig") -> bool:
    """Whether mkdocs-macros-plugin renders a page; if not, its directives are plain text."""
    plugin: Any = config.plugins.get("macros")
    said = meta.get("render_macros")
    if not plugin or said is not None:
        return bool(said)
    return bool(plugin.config["render_by_default"] or plugin.force_page_rendering(file.src_path))


_FENCED = re.compile(
    r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
_IDENTIFIER = re.compile(
    r"^[ \t]*(?:#{1,6} *)?::: ?(?P<name>[\w.]+) *$(?:\n[ \t]+handler:[ \t]*(?P<handler>\w+))?",
    re.MULTILINE,
)


def identifiers_in(markdown: str) -> tuple[tuple[str, str | None], ...]:
    """The objects that a page asks mkdocstrings for, with the handler if the page names it."""
    if ":::" not in markdown:
        return ()
    found = _IDENTIFIER.finditer(_FENCED.sub("", markdown))
    return tuple((match["name"], match["handler"]) for match in found)


def collected(
    identifiers: tuple[tuple[str, str | None], ...], config: "MkDocsConfig"
) -> Iterator[Path]:
    """The Python files whose docstrings mkdocstrings puts into a page.

    The file of each object that the page names, and of what that object exports from elsewhere.
    """
    plugin: Any = config.plugins.get("mkdocstrings") if identifiers else None
    if not plugin or not plugin.config.enabled:
        return
    usual = plugin.config.default_handler
    python = [name for name, handler in identifiers if (handler or usual) == "python"]
    handler = plugin.get_handler("python") if python else None
    for identifier in python:
        yield from _files(handler, identifier)


def _files(handler: Any, identifier: str) -> Iterator[Path]:
    # Installed where the plugin is on.
    from griffe import GriffeError  # noqa: PLC0415
    from mkdocstrings import CollectionError  # noqa: PLC0415

    try:
        found = handler.collect(identifier, handler.get_options({}))
    except CollectionError:  # mkdocstrings has said so itself
        return
    exported = [found.members.get(name) for name in found.exports or ()]
    for each in (found, *filter(None, exported)):
        try:
            path = each.filepath
        except GriffeError:  # an alias to what was not loaded, or a built-in
            continue
        if isinstance(path, Path):
            yield Path(os.path.abspath(path))  # noqa: PTH100
