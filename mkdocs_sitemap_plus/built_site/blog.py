"""Find the posts and the views of blogs in a built site: by the blog's options, or by titles."""

import posixpath
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.built_site import Project
from mkdocs_sitemap_plus.built_site.blog_options import BlogOptions, format_day
from mkdocs_sitemap_plus.built_site.docs_folder import FolderMeta, dest_uri_of, loc_of
from mkdocs_sitemap_plus.files import text_or_empty
from mkdocs_sitemap_plus.pages import SourcePage
from mkdocs_sitemap_plus.pages.front_matter import read_yaml_mapping, split_page
from mkdocs_sitemap_plus.pages.theme_and_plugins import option_of
from mkdocs_sitemap_plus.pages.titles import slug_title, titles_in
from mkdocs_sitemap_plus.sitemap import to_datetime


class _Post(NamedTuple):
    """A post of a blog."""

    page: SourcePage
    created: datetime  # with an offset
    dest_uri: str | None  # its built file, as the options name it; None if this is not known

    @property
    def order(self) -> tuple[bool, datetime]:
        """The sort key of the posts in a view: pinned posts are greatest, then new posts."""
        return self.page.meta.get("pin") is True, self.created

    def names(self, key: str) -> list[str]:
        """Return the texts of a list in the front matter, each once."""
        items = option_of(self.page.meta, key, list[Any]())
        return list(dict.fromkeys(each for each in items if isinstance(each, str)))


class _View(NamedTuple):
    """A page that lists posts: an archive, a category, an author, or the blog itself."""

    title: str | None  # for a view without a source; None if it is not known
    posts: list[_Post]


class Blogs(NamedTuple):
    """All pages of a site, with the built files of posts, and with the views of blogs."""

    pages: Sequence[SourcePage]
    drafts: frozenset[str]  # built files of posts that are not published
    lost: tuple[str, ...]  # posts with ``sitemap`` in front matter whose built file is not known


class BuiltFiles(NamedTuple):
    """A built site, in which the posts and the views of a blog are looked for."""

    project: Project
    site_dir: Path
    html: frozenset[str]  # the paths of all HTML files in it
    unknown: frozenset[str]  # of these, the files that belong to no source in any language
    folder_meta: FolderMeta


def find_blogs(pages: Iterable[SourcePage], site: BuiltFiles) -> Blogs:
    """Return the pages, with the posts and the views of each blog of the project."""
    found = Blogs(pages=[*pages], drafts=frozenset(), lost=())
    for raw in site.project.blogs:
        found = _find_blog(found, BlogOptions(raw), site)
    return found


def _find_blog(before: Blogs, options: BlogOptions, site: BuiltFiles) -> Blogs:
    """Return the pages of `before`, with the posts and the views of one more blog."""
    pages = {page.src_uri: page for page in before.pages}
    inside = f"{options.path('post_dir', '{blog}/posts')}/"
    in_folder = [page for page in before.pages if page.src_uri.startswith(inside)]
    posts = [*filter(None, (_post(page, options, site.project) for page in in_folder))]
    publish_all = options.get("draft", default=False)
    drafts = [post for post in posts if not publish_all and post.page.meta.get("draft") is True]
    posts = [post for post in posts if post not in drafts]
    unknown = _unknown_files(before.pages, _views(posts, options, site), options, site)
    located = _locate(posts, unknown, site)
    lost = [post for post in posts if post.page.src_uri not in located]
    if not unknown.difference(located.values()):
        lost = []  # no file is left for them, so they were not built; mkdocs-static-i18n does that
    if options.get("draft_if_future_date", default=False):
        now = datetime.now(UTC)  # a post with a later date may have been a draft in the build
        lost = [post for post in lost if post.created <= now]
    published = [post for post in posts if post.page.src_uri in located or post in lost]
    pages |= {post.page.src_uri: post.page for post in posts}
    for name, dest_uri in located.items():
        loc = loc_of(site.project, dest_uri)
        pages[name] = pages[name]._replace(dest_uri=dest_uri, loc=loc)
    for name, view in _views(published, options, site).items():
        if dest_uri_of(name, site.project) in site.html:
            page = pages.get(name) or _generated(name, view, site)
            pages |= _view_pages(page, view, set(located), options, site)
    return Blogs(
        pages=[*pages.values()],
        drafts=before.drafts.union(post.dest_uri for post in drafts if post.dest_uri),
        lost=(*before.lost, *(post.page.file for post in lost if "sitemap" in post.page.meta)),
    )


def _post(page: SourcePage, options: BlogOptions, project: Project) -> _Post | None:
    """Return a post; None if it has no date: Material and Zensical refuse such a post."""
    value = page.meta.get("date")
    dates = value if isinstance(value, Mapping) else {"created": value}
    dates = {key: _in_utc(each) for key, each in dates.items()}
    created = dates.get("created")
    if not isinstance(created, datetime):
        return None
    if isinstance(value, Mapping):  # Material changes the mapping in the front matter, too
        page = page._replace(meta={**page.meta, "date": dates})
    post = _Post(page=page, created=created, dest_uri=None)
    categories = post.names("categories")[: options.get("post_url_max_categories", 1)]
    slugs = [options.slug("categories", each) for each in categories]
    values = {
        "categories": None if None in slugs else "/".join(filter(None, slugs)),
        "date": format_day(created, options.get("post_url_date_format", "yyyy/MM/dd")),
        "file": PurePosixPath(page.src_uri).stem,
        "slug": _slug(page, options),
    }
    name = options.source("post_url_format", "{date}/{slug}", values)
    return post._replace(dest_uri=dest_uri_of(name, project)) if name else post


def _in_utc(value: object) -> object:
    """Return a date as midnight in UTC, a time without an offset in UTC, other values unchanged."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    return to_datetime(value) if isinstance(value, date) else value


def _slug(page: SourcePage, options: BlogOptions) -> str | None:
    if slug := option_of(page.meta, "slug", ""):
        return slug
    _, body = split_page(text_or_empty(page.source_files[0]))
    title = slug_title(page.meta, body, PurePosixPath(page.src_uri).stem)
    return options.slug("post", title) if title is not None else None


def _unknown_files(
    pages: Sequence[SourcePage], views: Iterable[str], options: BlogOptions, site: BuiltFiles
) -> frozenset[str]:
    """Return the built files in a blog that belong to no page in any language, and to no view."""
    taken = {page.dest_uri for page in pages}
    taken.update(dest_uri_of(name, site.project) for name in views)
    inside = f"{options.folder}/" if options.folder else ""
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


def _views(posts: Sequence[_Post], options: BlogOptions, site: BuiltFiles) -> dict[str, _View]:
    """Return the views of a blog, with the posts that each lists, by the paths of their sources."""
    index = posixpath.join(options.folder, "index.md")
    views = {index: _View(title="Blog", posts=[])}
    authors = _authors(options, site) if options.get("authors_profiles", default=False) else {}
    for post in sorted(posts, key=lambda each: each.order, reverse=True):
        found: list[tuple[str | None, str | None]] = [(index, None)]  # source and title of each
        if options.get("archive", default=True):
            day = format_day(post.created, options.get("archive_url_date_format", "yyyy"))
            title = format_day(post.created, options.get("archive_date_format", "yyyy"))
            path = options.source("archive_url_format", "archive/{date}", {"date": day})
            found.append((path, title))
        if options.get("categories", default=True):
            for name in post.names("categories"):
                values = {"slug": options.slug("categories", name)}
                path = options.source("categories_url_format", "category/{slug}", values)
                found.append((path, name))
        for author in post.names("authors"):
            if profile := authors.get(author):
                path = options.source("authors_profiles_url_format", "author/{slug}", profile)
                found.append((path, profile["name"]))
        for path, title in found:
            if path:
                view = views.setdefault(path, _View(title=title, posts=[]))
                view.posts.append(post)
    return views


def _authors(options: BlogOptions, site: BuiltFiles) -> dict[str, dict[str, str]]:
    """Return the slug and the name of each author, by the author's id."""
    file = options.path("authors_file", "{blog}/.authors.yml")
    text = text_or_empty(site.project.site.docs_dir / file)
    authors = option_of(read_yaml_mapping(text).meta, "authors", dict[Any, Any]())
    return {
        key: {"slug": option_of(author, "slug", "") or key, "name": option_of(author, "name", "")}
        for key, author in authors.items()
        if isinstance(key, str) and isinstance(author, Mapping)
    }


def _generated(src_uri: str, view: _View, site: BuiltFiles) -> SourcePage:
    """Return the page of a view that has no source file; its `posts` are still to be set."""
    path = site.project.site.docs_dir / src_uri
    dest_uri = dest_uri_of(src_uri, site.project)
    return SourcePage(
        src_uri=src_uri,
        file=src_uri,
        dest_uri=dest_uri,
        loc=loc_of(site.project, dest_uri),
        source_files=(path,),
        path=path,
        meta=site.folder_meta.with_own(src_uri, {}),
        title=view.title,
        built=None,
    )


def _view_pages(
    page: SourcePage, view: _View, located: set[str], options: BlogOptions, site: BuiltFiles
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
        more = options.page_of(page.src_uri, number)
        if not more or dest_uri_of(more, site.project) not in site.html:
            return
        generated = _generated(more, view, site)._replace(title=page.title)
        yield more, generated._replace(meta=page.meta, lines=page.lines, posts=page.posts)
