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

from collections.abc import Iterable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

from mkdocs_sitemap_plus.pages.theme_and_plugins import plain_name

BLOG_PLUGINS = {
    "blog": "material",  # also of MaterialX and Zensical
}
"""The module of each blog plugin, by the `plain_name` of the plugin."""


def blog_module(plugin: str) -> ModuleType | None:
    """Return the module of a plugin; None if the plugin makes no blog that is known.

    It is imported only for a site with such a blog. MkDocs calls the second blog of a site
    ``material/blog #2``.
    """
    module = BLOG_PLUGINS.get(plain_name(plugin.partition(" #")[0]))
    return import_module(f"{__name__}.{module}") if module else None


def views_in_build(
    plugins: Iterable[tuple[str, Mapping[str, Any]]], pages: Iterable[Any]
) -> dict[str, tuple[str, ...]]:
    """Return the posts that each view lists during a build, of all blogs among these plugins."""
    found: dict[str, tuple[str, ...]] = {}
    for name, options in plugins:
        if blog := blog_module(name):
            found |= blog.views_in_build(pages, options)
    return found
