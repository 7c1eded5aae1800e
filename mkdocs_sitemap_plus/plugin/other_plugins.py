"""Read what other plugins of the build know: possible sources, languages and includes."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.utils.yaml import RelativeDirPlaceholder

from mkdocs_sitemap_plus.files import absolute_path
from mkdocs_sitemap_plus.generator.made_from import EditLinks
from mkdocs_sitemap_plus.generator.pages.include_syntax import IncludeOptions
from mkdocs_sitemap_plus.generator.pages.site import Evidence, MadeFrom
from mkdocs_sitemap_plus.generator.pages.theme_and_plugins import INCLUDERS, Languages

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import File
    from mkdocs.structure.pages import Page

_REDIRECTS = "mkdocs_redirects"
_BLOG = "material.plugins.blog"


def is_generated(file: "File", config: "MkDocsConfig") -> bool:
    """Return whether another plugin made the file of a page."""
    return bool(file.generated_by) or file.src_dir != config.docs_dir


def possible_sources(
    file: "File",
    page: "Page",
    config: "MkDocsConfig",
    links: "EditLinks | None",
    linked: Path | None,
) -> tuple[MadeFrom, ...]:
    """Return the files that a page may be made from; the first that git tracks dates the page.

    A page that another plugin generated is in a temporary folder. Its real source is the file of
    its edit link (``set_edit_path`` of mkdocs-gen-files), or the file with the same path in the
    docs folder, if the plugin only added text to that page. `linked` is the file to which the link
    leads by its own form.
    """
    found = [(file.abs_src_path, Evidence.BUILDER)] if file.abs_src_path else []
    if links and page.edit_url:
        found += [(path, Evidence.EDIT_LINK) for path in links.files(page.edit_url)]
    if linked:
        found.append((os.fspath(linked), Evidence.EDIT_LINK))
    if is_generated(file, config):
        path = os.path.normpath(os.path.join(config.docs_dir, file.src_uri))  # noqa: PTH118 - strings are compared faster
        found.append((path, Evidence.PATH))
    surest = dict(reversed(found))  # of a file that is found twice
    return tuple(MadeFrom(Path(path), surest[path]) for path in dict.fromkeys(p for p, _ in found))


def edit_links(config: "MkDocsConfig", pages: Iterable["Page"]) -> "EditLinks | None":
    """Return the links to edit pages, as MkDocs makes them; None if no page has one."""
    if not any(page.edit_url for page in pages):
        return None
    uri, template = config.edit_uri, config.edit_uri_template
    return EditLinks(config.docs_dir, config.repo_url, uri, template)


def run_after_redirects(config: "MkDocsConfig", generate: Callable[..., None]) -> None:
    """Let `generate` of ``on_post_build`` run after mkdocs-redirects, even if that is listed later.

    A redirect may replace a page that was built. Other plugins keep their order, since those that
    the owner lists after ours may edit the sitemap.
    """
    handlers = config.plugins.events["post_build"]
    redirects = [at for at, handler in enumerate(handlers) if _module(handler) == _REDIRECTS]
    last = max(redirects, default=0)
    if generate in handlers[:last]:  # not so in an inner build, which runs while this list is read
        handlers.remove(generate)
        handlers.insert(last, generate)


def _module(handler: object) -> str:
    return type(getattr(handler, "__self__", None)).__module__.partition(".")[0]


def docs_folder(config: "MkDocsConfig") -> Path:
    """Return the docs folder, not the temporary copy that mkdocs-monorepo-plugin makes of it."""
    plugin: Any = config.plugins.get("monorepo")
    return Path((plugin and plugin.originalDocsDir) or config.docs_dir)


def languages_of(config: "MkDocsConfig") -> "Languages | None":
    """Return the languages that mkdocs-static-i18n builds; None without it."""
    if "i18n" not in config.plugins:
        return None
    options = options_of(config)["i18n"]
    return Languages.from_options(options, docs_folder(config), by_zensical=False)


def posts_of_views(pages: Iterable["Page"]) -> dict[str, tuple[str, ...]]:
    """Return the posts that each view of a blog of Material lists: source paths by source path."""
    views: Any = (page for page in pages if type(page).__module__.startswith(_BLOG))
    return {
        view.file.src_uri: tuple(post.file.src_uri for post in view.posts)
        for view in views
        if getattr(view, "posts", ())  # a post is of that module, too
    }


def options_of_blogs(config: "MkDocsConfig") -> "Iterator[Mapping[str, Any]]":
    """Yield the options of each blog plugin of Material, and of those that extend it."""
    for plugin in config.plugins.values():
        if any(kind.__module__.startswith(_BLOG) for kind in type(plugin).__mro__):
            yield plugin.config


def theme_of(config: "MkDocsConfig") -> dict[str, Any]:
    """Return the options of the theme, with its locale as text, and not as an object of MkDocs."""
    return {**config.theme, "locale": str(config.theme.get("locale") or "")}


def options_of(config: "MkDocsConfig") -> dict[str, Mapping[str, Any]]:
    """Return the options of all plugins, by name; a hook is a module and has no options."""
    return {name: getattr(each, "config", {}) for name, each in config.plugins.items()}


def include_options(config: "MkDocsConfig") -> "IncludeOptions | None":
    """Return the options of the plugins and extensions that can include files, if there are any."""
    if INCLUDERS.isdisjoint((*config.markdown_extensions, *config.plugins)):
        return None
    extensions = {name: config.mdx_configs.get(name, {}) for name in config.markdown_extensions}
    docs_dir = Path(config.docs_dir)
    return IncludeOptions.from_options(options_of(config), extensions, docs_dir, _folder)


def _folder(path: "str | os.PathLike[str]") -> Path:
    """Return the absolute path of a folder; ``Path()`` stands for the folder of each page."""
    if isinstance(path, RelativeDirPlaceholder):
        return Path()
    return absolute_path(path)
