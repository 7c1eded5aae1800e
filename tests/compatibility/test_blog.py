"""Material's blog plugin: posts, and views that list them."""

from sites import MATERIAL, needs

pytestmark = needs("mkdocs-material")

MAY, JUNE = ({"lastmod": f"2024-0{month}-01T10:00:00+00:00"} for month in (5, 6))
VIEWS = """\
exclude: |
  /blog/archive/
  /blog/category/
  /blog/page/
  /blog/author/
"""
OPTIONS = [
    "authors_profiles: true",
    "pagination_per_page: 2",
    "post_url_format: '{file}'",
    "draft_if_future_date: true",
]
AUTHORS = "authors: {ann: {name: Ann, description: Author, avatar: 'https://example.com/a.png'}}\n"


def post(date, *, more=""):
    return f"---\ndate: {date}\ncategories: [News]\n{more}---\n# Post\n\nText\n"


POSTS = {
    "one": post("2024-01-02", more="authors: [ann]\n"),
    "two": post("2024-02-03"),
    "updated": post("{created: 2024-03-04, updated: 2024-03-05}"),
    "draft": post("2024-04-05", more="draft: true\n"),
    "future": post("2999-01-01", more="slug: future\n"),
}


def written(site, options):
    site.docs({f"blog/posts/{name}.md": text for name, text in POSTS.items()})
    site.docs({"index.md": "# Home\n", "blog/index.md": "# Blog\n"})
    site.docs({"blog/.authors.yml": AUTHORS})
    more = "  - blog:\n" + "".join(f"      {line}\n" for line in OPTIONS)
    site.config(options, theme=MATERIAL, more=more)
    site.commit(date="2024-05-01T10:00:00+0000")
    site.docs({"blog/posts/one.md": POSTS["one"] + "More.\n"})
    site.commit(date="2024-06-01T10:00:00+0000")


PUBLISHED = {
    "blog/one/": JUNE,
    "blog/two/": MAY,
    "blog/updated/": {"lastmod": "2024-03-05T00:00:00+00:00"},  # Material makes it a datetime
}


def test_posts_are_listed_and_views_are_as_new_as_their_newest_post(site):
    """Drafts are not there, nor posts of the future, if the blog takes those for drafts."""
    written(site, "")
    built = site.build("--strict")
    assert built.by_loc() == PUBLISHED | {
        "": MAY,
        "blog/": JUNE,
        "blog/page/2/": JUNE,
        "blog/author/ann/": JUNE,
        "blog/archive/2024/": JUNE,
        "blog/archive/2024/page/2/": JUNE,
        "blog/category/news/": JUNE,
        "blog/category/news/page/2/": JUNE,
    }


def test_patterns_leave_views_out(site):
    """They are pages with paths of their own, though no file is there."""
    written(site, VIEWS)
    built = site.build("--strict")
    assert built.by_loc() == PUBLISHED | {"": MAY, "blog/": JUNE}
