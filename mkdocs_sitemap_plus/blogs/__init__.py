"""Blogs: which pages are posts, and which pages list them.

A blog plugin is a module of this package that has the functions of `BlogPlugin`, and a row in
`BLOG_PLUGINS`. Its module is imported only if a site has such a blog.
"""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from mkdocs_sitemap_plus.pages.theme_and_plugins import plain_name

if TYPE_CHECKING:  # a build of MkDocs needs none of them
    from mkdocs_sitemap_plus.pages import SourcePage
    from mkdocs_sitemap_plus.pages.folder_meta import FolderMeta
    from mkdocs_sitemap_plus.pages.paths import BuiltPaths

BLOG_PLUGINS = {
    "blog": "material",  # also of MaterialX and Zensical
}
"""The module of each blog plugin, by the `plain_name` of the plugin."""


class BuiltFiles(NamedTuple):
    """A built site, in which the posts and the views of a blog are looked for."""

    docs_dir: Path  # absolute, as is the next one
    site_dir: Path
    html: frozenset[str]  # the paths of all HTML files in it
    unknown: frozenset[str]  # of these, the files that belong to no source in any language
    paths: "BuiltPaths"
    folder_meta: "FolderMeta"


class Blogs(NamedTuple):
    """All pages of a built site, with its blogs."""

    pages: "Sequence[SourcePage]"  # with the built files of posts, and with `posts` of views
    drafts: frozenset[str] = frozenset()  # built files of posts that the blog does not publish
    lost: tuple[str, ...] = ()  # posts with ``sitemap`` keys whose built file is not known


class BlogPlugin(Protocol):
    """What the module of a blog plugin has: a function for each way to make a site."""

    def views_in_build(
        self, pages: Iterable[Any], options: Mapping[str, Any]
    ) -> Mapping[str, tuple[str, ...]]:
        """Return the posts that each view lists during a build: source paths by source path.

        `pages` are MkDocs' own, and `options` those of the plugin. Pages without posts are missing.
        """

    def find_blog(self, before: Blogs, options: Mapping[str, Any], site: BuiltFiles) -> Blogs:
        """Return `before`, with the posts and the views of one blog in a built site.

        `options` are as they stand in the project file: nobody has checked them.
        """


def blog_plugin(name: str) -> BlogPlugin | None:
    """Return the module of a plugin; None if it makes no blog that is known.

    MkDocs calls the second blog of a site ``material/blog #2``.
    """
    module = BLOG_PLUGINS.get(plain_name(name.partition(" #")[0]))
    return cast("BlogPlugin", import_module(f"{__name__}.{module}")) if module else None


def views_in_build(
    plugins: Iterable[tuple[str, Mapping[str, Any]]], pages: Iterable[Any]
) -> dict[str, tuple[str, ...]]:
    """Return what `BlogPlugin.views_in_build` returns, of all blogs among these plugins."""
    found: dict[str, tuple[str, ...]] = {}
    for name, options in plugins:
        if blog := blog_plugin(name):
            found |= blog.views_in_build(pages, options)
    return found


def find_blogs(
    pages: "Iterable[SourcePage]",
    plugins: Iterable[tuple[str, Mapping[str, Any]]],
    site: BuiltFiles,
) -> Blogs:
    """Return the pages, with the posts and the views of each blog among these plugins."""
    found = Blogs(pages=[*pages])
    for name, options in plugins:
        if blog := blog_plugin(name):
            found = blog.find_blog(found, options, site)
    return found
