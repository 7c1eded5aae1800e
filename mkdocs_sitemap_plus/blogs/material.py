"""The blog of Material, MaterialX and Zensical.

In a built site, its posts and its views are found by the blog's options, or by titles.
"""

import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.blogs.built import Blogs, BuiltFiles
from mkdocs_sitemap_plus.blogs.material_options import BlogOptions, format_day
from mkdocs_sitemap_plus.files import text_or_empty
from mkdocs_sitemap_plus.pages import SourcePage
from mkdocs_sitemap_plus.pages.front_matter import read_yaml_mapping, split_page
from mkdocs_sitemap_plus.pages.theme_and_plugins import option_of
from mkdocs_sitemap_plus.pages.titles import slug_title, titles_in
from mkdocs_sitemap_plus.sitemap import to_datetime


def views_in_build(pages: Iterable[Any], _options: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the posts that each view lists: source paths by source path."""
    views = (page for page in pages if type(page).__module__.startswith("material.plugins.blog"))
    return {
        view.file.src_uri: tuple(post.file.src_uri for post in view.posts)
        for view in views
        if getattr(view, "posts", ())  # a post is of that module, too
    }


class _ViewName(NamedTuple):
    """A page that lists posts: an archive, a category, an author, or the blog itself."""

    src_uri: str
    title: str | None  # for a view without a source; None if it is not known


class _Post(NamedTuple):
    """A post of a blog."""

    page: SourcePage
    created: datetime  # with an offset
    dest_uri: str | None  # its built file, as the options name it; None if this is not known
    views: Sequence[_ViewName]  # that list it

    @property
    def order(self) -> tuple[bool, datetime]:
        """The sort key of the posts in a view: pinned posts are greatest, then new posts."""
        return self.page.meta.get("pin") is True, self.created


class _View(NamedTuple):
    """A view of a blog, with its posts in order."""

    title: str | None  # as in `_ViewName`
    dest_uri: str
    posts: list[_Post]


def find_blog(before: Blogs, options: Mapping[str, Any], site: BuiltFiles) -> Blogs:
    """Return the pages of `before`, with the posts and the views of one more blog."""
    blog = BlogOptions(options)
    posts, drafts = _posts(before.pages, blog, site)
    index = _ViewName(posixpath.join(blog.folder, "index.md"), "Blog")
    names = {view.dest_uri for view in _views(index, posts, site).values()}
    unknown = _unknown_files(before.pages, names, blog.folder, site)
    located = _locate(posts, unknown, site)
    lost = [post for post in posts if post.page.src_uri not in located]
    if not unknown.difference(located.values()):
        lost = []  # no file is left for them, so they were not built; mkdocs-static-i18n does that
    if blog.get("draft_if_future_date", default=False):
        now = datetime.now(UTC)  # a post with a later date may have been a draft in the build
        lost = [post for post in lost if post.created <= now]
    published = [post for post in posts if post.page.src_uri in located or post in lost]
    pages = {page.src_uri: page for page in before.pages}
    pages |= {post.page.src_uri: post.page for post in posts}
    for name, dest_uri in located.items():
        pages[name] = pages[name]._replace(dest_uri=dest_uri, loc=site.paths.loc_of(dest_uri))
    for name, view in _views(index, published, site).items():
        if view.dest_uri in site.html:
            page = pages.get(name) or _generated(name, view.dest_uri, view.title, site)
            pages |= _view_pages(page, view, set(located), blog, site)
    return Blogs(
        pages=[*pages.values()],
        drafts=before.drafts.union(post.dest_uri for post in drafts if post.dest_uri),
        lost=(*before.lost, *(post.page.file for post in lost if "sitemap" in post.page.meta)),
    )


def _posts(
    pages: Iterable[SourcePage], blog: BlogOptions, site: BuiltFiles
) -> tuple[list[_Post], list[_Post]]:
    """Return the posts that are published, and the drafts."""
    inside = f"{blog.path('post_dir', '{blog}/posts')}/"
    publish_all = blog.get("draft", default=False)
    authors = _authors(blog, site) if blog.get("authors_profiles", default=False) else {}
    published: list[_Post] = []
    drafts: list[_Post] = []
    for page in pages:
        if page.src_uri.startswith(inside) and (post := _post(page, blog, authors, site)):
            is_draft = not publish_all and page.meta.get("draft") is True
            (drafts if is_draft else published).append(post)
    return published, drafts


def _post(
    page: SourcePage, blog: BlogOptions, authors: Mapping[str, Mapping[str, str]], site: BuiltFiles
) -> _Post | None:
    """Return a post; None if it has no date: Material and Zensical refuse such a post."""
    value = page.meta.get("date")
    dates = value if isinstance(value, Mapping) else {"created": value}
    dates = {key: _in_utc(when) for key, when in dates.items()}
    created = dates.get("created")
    if not isinstance(created, datetime):
        return None
    if isinstance(value, Mapping):  # Material changes the mapping in the front matter, too
        page = page._replace(meta={**page.meta, "date": dates})
    categories = _texts(page.meta, "categories")
    slugs = [blog.slug("categories", category) for category in categories]
    first_slugs = slugs[: blog.get("post_url_max_categories", 1)]
    values = {
        "categories": None if None in first_slugs else "/".join(filter(None, first_slugs)),
        "date": format_day(created, blog.get("post_url_date_format", "yyyy/MM/dd")),
        "file": PurePosixPath(page.src_uri).stem,
        "slug": _slug(page, blog),
    }
    name = blog.source("post_url_format", "{date}/{slug}", values)
    dest_uri = site.paths.dest_uri_of(name) if name else None
    profiles = [authors[author] for author in _texts(page.meta, "authors") if author in authors]
    views = _views_of_post(created, dict(zip(categories, slugs, strict=True)), profiles, blog)
    return _Post(page=page, created=created, dest_uri=dest_uri, views=[*views])


def _views_of_post(
    created: datetime,
    categories: Mapping[str, str | None],
    authors: Iterable[Mapping[str, str]],
    blog: BlogOptions,
) -> Iterator[_ViewName]:
    """Yield the views that list a post, but for the blog itself; `categories` have their slugs."""
    if blog.get("archive", default=True):
        day = format_day(created, blog.get("archive_url_date_format", "yyyy"))
        title = format_day(created, blog.get("archive_date_format", "yyyy"))
        if path := blog.source("archive_url_format", "archive/{date}", {"date": day}):
            yield _ViewName(path, title)
    if blog.get("categories", default=True):
        for category, slug in categories.items():
            if path := blog.source("categories_url_format", "category/{slug}", {"slug": slug}):
                yield _ViewName(path, category)
    for profile in authors:
        if path := blog.source("authors_profiles_url_format", "author/{slug}", profile):
            yield _ViewName(path, profile["name"])


def _texts(meta: Mapping[str, Any], key: str) -> list[str]:
    """Return the texts of a list in the front matter, each once."""
    items = option_of(meta, key, list[Any]())
    return list(dict.fromkeys(item for item in items if isinstance(item, str)))


def _in_utc(value: object) -> object:
    """Return a date as midnight in UTC, a time without an offset in UTC, other values unchanged."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    return to_datetime(value) if isinstance(value, date) else value


def _slug(page: SourcePage, blog: BlogOptions) -> str | None:
    if slug := option_of(page.meta, "slug", ""):
        return slug
    _, body = split_page(text_or_empty(page.source_files[0]))
    title = slug_title(page.meta, body, PurePosixPath(page.src_uri).stem)
    return blog.slug("post", title) if title is not None else None


def _unknown_files(
    pages: Iterable[SourcePage], views: Iterable[str], folder: str, site: BuiltFiles
) -> frozenset[str]:
    """Return the built files in a blog that belong to no page in any language, and to no view."""
    taken = {page.dest_uri for page in pages}.union(views)
    inside = f"{folder}/" if folder else ""
    return frozenset(name for name in site.unknown - taken if name.startswith(inside))


def _locate(posts: Sequence[_Post], unknown: frozenset[str], site: BuiltFiles) -> dict[str, str]:
    """Return the built file of each post that is found for sure, by the path of its source."""
    wanted = Counter(post.dest_uri for post in posts)
    located = {
        post.page.src_uri: post.dest_uri
        for post in posts
        if post.dest_uri and post.dest_uri in site.html and wanted[post.dest_uri] == 1
    }
    others = [post for post in posts if post.page.src_uri not in located]
    if not others:
        return located
    return located | _by_titles(others, unknown.difference(located.values()), site.site_dir)


def _by_titles(posts: Sequence[_Post], names: Iterable[str], site_dir: Path) -> dict[str, str]:
    """Return the built files of posts by their sources.

    A post has a file only if no other file has its title and day, and no other post has the file.
    """
    pairs: list[tuple[str, str]] = []
    for name in names:
        html = text_or_empty(site_dir / name)
        titles = titles_in(html)
        for post in posts:
            day = f"{post.created:%Y-%m-%d}"
            shows_day = f'datetime="{day}' in html or f"datetime={day}" in html
            if shows_day and post.page.title in titles:
                pairs.append((post.page.src_uri, name))
    sources, files = Counter(source for source, _ in pairs), Counter(name for _, name in pairs)
    return {source: name for source, name in pairs if sources[source] == files[name] == 1}


def _views(index: _ViewName, posts: Iterable[_Post], site: BuiltFiles) -> dict[str, _View]:
    """Return the views of a blog, with the posts that each lists, by the paths of their sources."""
    in_order = sorted(posts, key=lambda post: post.order, reverse=True)
    views: dict[str, _View] = {}
    listed = [(name, post) for post in in_order for name in (index, *post.views)]
    for src_uri, title in (index, *(name for name, _ in listed)):
        if src_uri not in views:
            views[src_uri] = _View(title, site.paths.dest_uri_of(src_uri), [])
    for name, post in listed:
        views[name.src_uri].posts.append(post)
    return views


def _authors(blog: BlogOptions, site: BuiltFiles) -> dict[str, dict[str, str]]:
    """Return the slug and the name of each author, by the author's id."""
    file = blog.path("authors_file", "{blog}/.authors.yml")
    text = text_or_empty(site.docs_dir / file)
    authors = option_of(read_yaml_mapping(text).meta, "authors", dict[Any, Any]())
    return {
        key: {"slug": option_of(author, "slug", "") or key, "name": option_of(author, "name", "")}
        for key, author in authors.items()
        if isinstance(key, str) and isinstance(author, Mapping)
    }


def _generated(src_uri: str, dest_uri: str, title: str | None, site: BuiltFiles) -> SourcePage:
    """Return the page of a view that has no source file; its `posts` are still to be set."""
    return SourcePage(
        src_uri=src_uri,
        file=src_uri,
        dest_uri=dest_uri,
        loc=site.paths.loc_of(dest_uri),
        path=site.docs_dir / src_uri,
        source_files=(site.docs_dir / src_uri,),
        meta=site.folder_meta.with_own(src_uri, {}),
        title=title,
        built=None,
    )


def _view_pages(
    page: SourcePage, view: _View, located: set[str], blog: BlogOptions, site: BuiltFiles
) -> Iterator[tuple[str, SourcePage]]:
    """Yield the pages of a view, by the paths of their sources.

    If the built file of one of its posts is not known, the date of the view is not known either.
    """
    names = tuple(post.page.src_uri for post in view.posts)
    if located.issuperset(names):
        page = page._replace(posts=names)
    else:
        # Without source files, git and the dates file can't date it.
        path = page.path or next(iter(page.source_files), None)
        page = page._replace(source_files=(), path=path)
    yield page.src_uri, page
    for number in range(2, len(names) + 1):
        more = blog.page_of(page.src_uri, number)
        dest_uri = site.paths.dest_uri_of(more) if more else None
        if not more or dest_uri not in site.html:
            return
        generated = _generated(more, dest_uri, page.title, site)
        yield more, generated._replace(meta=page.meta, lines=page.lines, posts=page.posts)
