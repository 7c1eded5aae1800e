"""The blogs of a built site."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.blogs import blog_module
from mkdocs_sitemap_plus.pages import SourcePage
from mkdocs_sitemap_plus.pages.folder_meta import FolderMeta
from mkdocs_sitemap_plus.pages.site_paths import SitePaths


class BuiltFiles(NamedTuple):
    """A built site, in which the posts and the views of a blog are looked for."""

    docs_dir: Path  # absolute, as is the next one
    site_dir: Path
    html: frozenset[str]  # the paths of all HTML files in it
    unknown: frozenset[str]  # of these, the files that belong to no source in any language
    paths: SitePaths
    folder_meta: FolderMeta


class Blogs(NamedTuple):
    """All pages of a built site, with its blogs."""

    pages: Sequence[SourcePage]  # with the built files of posts, and with `posts` of views
    drafts: frozenset[str] = frozenset()  # built files of posts that the blog does not publish
    lost: tuple[str, ...] = ()  # posts with ``sitemap`` keys whose built file is not known


def find_blogs(
    pages: Iterable[SourcePage],
    plugins: Iterable[tuple[str, Mapping[str, Any]]],
    site: BuiltFiles,
) -> Blogs:
    """Return the pages, with the posts and the views of each blog among these plugins."""
    found = Blogs(pages=[*pages])
    for name, options in plugins:
        if blog := blog_module(name):
            found = blog.find_blog(found, options, site)
    return found
