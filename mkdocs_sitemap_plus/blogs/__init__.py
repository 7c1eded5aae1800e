"""Blogs: which pages are posts, and which pages list them.

A blog plugin is a module of this package, and a row in `BLOG_PLUGINS`. The module has a function
for each way to make a site:

``views_in_build(pages, options) -> dict[str, tuple[str, ...]]``
    returns the posts that each view lists during a build: source paths by source path. `pages` are
    MkDocs' own, and `options` those of the plugin.

``find_blog(before: Blogs, options, site: BuiltFiles) -> Blogs``
    returns `before`, with the posts and the views of one blog in a built site (`built.py`).
    `options` are as they stand in the project file: nobody has checked them.
"""

from collections.abc import Iterable
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple


class BlogPlugin(NamedTuple):
    """A blog plugin that is known."""

    module: str  # of this package; it is imported only for a site with such a blog
    package: str  # with the plugin's own code


BLOG_PLUGINS = {
    "blog": BlogPlugin("material", "material.plugins.blog"),  # also of MaterialX and Zensical
}
"""The blog plugins by the names that they have in a project file, as from `plain_name`."""


def blog_module(name: str) -> ModuleType | None:
    """Return the module of a plugin; None if the plugin makes no blog that is known."""
    plugin = BLOG_PLUGINS.get(name)
    return import_module(f"{__name__}.{plugin.module}") if plugin else None


def views_in_build(plugins: Iterable[object], pages: Iterable[Any]) -> dict[str, tuple[str, ...]]:
    """Return the posts that each view lists during a build, of all blogs among these plugins.

    They are known by their code: a site may extend a blog plugin, and give it a name of its own.
    """
    found: dict[str, tuple[str, ...]] = {}
    for plugin in plugins:
        code = [f"{base.__module__}." for base in type(plugin).__mro__]
        for name, known in BLOG_PLUGINS.items():
            is_blog = any(module.startswith(f"{known.package}.") for module in code)
            if is_blog and (blog := blog_module(name)):
                found |= blog.views_in_build(pages, getattr(plugin, "config", {}))
    return found
