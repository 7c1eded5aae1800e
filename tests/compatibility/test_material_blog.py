"""Material's blog: posts have their own dates, views that of the newest post; and the tags."""

import pytest
from sites import MATERIAL, MATERIAL_NAME, Built, git, run_command

pytest.importorskip("material.plugins.blog", reason="needs mkdocs-material")


def post(when, *categories, more="", title="Post"):
    """The text of a post."""
    listed = f"categories: [{', '.join(categories)}]\n" if categories else ""
    return f"---\ndate: {when}\n{listed}{more}---\n# {title}\n\nText.\n"


@pytest.fixture
def blog(site):
    """Five posts of two years and two categories, a draft, and a page beside the blog."""
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n", "docs/blog/index.md": "# Blog\n"})
    posts = {
        "a.md": post("2023-05-01", "Red", title="A"),
        "b.md": post("2023-06-01", "Red", "Blue", title="B"),
        "c.md": post("2024-01-10", "Blue", title="C"),
    }
    for day, (name, text) in enumerate(posts.items(), 2):
        site.commit_on(f"2024-01-0{day}", {f"docs/blog/posts/{name}": text})
    draft = post("2024-01-11", "Blue", more="draft: true\n", title="Draft")
    site.commit_on("2024-03-01", {"docs/blog/posts/draft.md": draft})
    return site


@pytest.mark.parametrize(
    "plugins",
    [
        f"  - /{MATERIAL_NAME}/blog\n",
        "  - group: {enabled: true, plugins: [blog]}\n",
        "  - blog: {blog_dir: other}\n  - blog\n",
    ],
    ids=["by-slash", "in-a-group", "second"],
)
def test_views_are_known_by_every_name_of_the_plugin(blog, plugins):
    """MkDocs calls a second blog ``material/blog #2``."""
    blog.commit_on("2024-01-01", {"docs/other/index.md": "# Other\n"})
    blog.docs({"other/posts/.gitkeep": ""})
    blog.config(theme=MATERIAL, more=plugins)
    days = blog.build().days()
    assert days["blog/"] == days["blog/archive/2024/"] == "2024-01-04"
    assert days["blog/category/red/"] == "2024-01-03"


def test_views_of_a_plugin_that_extends_the_blog(blog, tmp_path):
    """A team may give it a name of its own."""
    files = {
        "own.py": "from material.plugins.blog import plugin\nclass Own(plugin.BlogPlugin): ...\n",
        "own-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: own\nVersion: 1\n",
        "own-1.dist-info/entry_points.txt": "[mkdocs.plugins]\nnews = own:Own\n",
    }
    (tmp_path / "installed/own-1.dist-info").mkdir(parents=True)
    for name, text in files.items():
        (tmp_path / "installed" / name).write_text(text, "utf-8")
    blog.config(theme=MATERIAL, more="  - news\n")
    days = blog.build(program="mkdocs", PYTHONPATH=str(tmp_path / "installed")).days()
    assert days["blog/"] == days["blog/archive/2024/"] == "2024-01-04"
    assert days["blog/category/red/"] == "2024-01-03"


def test_a_view_s_own_file_may_be_newer_than_its_posts(blog):
    """The blog's index has text of its own."""
    blog.commit_on("2024-02-01", {"docs/blog/index.md": "# The blog\n"})
    blog.config(theme=MATERIAL, more="  - blog\n")
    assert blog.build("--strict").days()["blog/"] == "2024-02-01"


def test_every_page_of_a_view_is_as_new_as_the_view(blog):
    """A new post moves the others from page to page."""
    blog.config(theme=MATERIAL, more="  - blog: {pagination_per_page: 1, archive: false}\n")
    built = blog.build("--strict")
    days = built.days()
    views = {loc: day for loc, day in days.items() if "/20" not in loc}
    assert views == {
        "": "2024-01-01",
        "blog/": "2024-01-04",
        "blog/category/blue/": "2024-01-04",
        "blog/category/blue/page/2/": "2024-01-04",
        "blog/category/red/": "2024-01-03",
        "blog/category/red/page/2/": "2024-01-03",
        "blog/page/2/": "2024-01-04",
        "blog/page/3/": "2024-01-04",
    }
    assert (built.warnings, built.notes) == ([], [])


def test_dates_of_posts_in_front_matter(blog):
    """``date.updated`` dates the post and its views; ``date`` alone is when it was written."""
    mapping = "{created: 2023-05-01, updated: 2024-05-05}"
    blog.commit_on("2024-04-01", {"docs/blog/posts/a.md": post(mapping, "Red", title="A")})
    stamp = "{created: 2023-06-01, updated: 2024-04-04T10:00:00Z}"
    blog.commit_on("2024-04-01", {"docs/blog/posts/b.md": post(stamp, "Blue", title="B")})
    blog.config(theme=MATERIAL, more="  - blog\n")
    built = blog.build("--strict")
    found = {loc: entry["lastmod"] for loc, entry in built.by_loc().items()}
    assert found == {
        "": "2024-01-01T10:00:00+00:00",
        "blog/": "2024-05-05T00:00:00+00:00",
        "blog/2023/05/01/a/": "2024-05-05T00:00:00+00:00",
        "blog/2023/06/01/b/": "2024-04-04T10:00:00+00:00",
        "blog/2024/01/10/c/": "2024-01-04T10:00:00+00:00",
        "blog/archive/2023/": "2024-05-05T00:00:00+00:00",
        "blog/archive/2024/": "2024-01-04T10:00:00+00:00",
        "blog/category/blue/": "2024-04-04T10:00:00+00:00",
        "blog/category/red/": "2024-05-05T00:00:00+00:00",
    }
    assert (built.warnings, built.notes) == ([], [])


def test_the_own_date_of_a_view_goes_before_its_posts(blog):
    """A rule that leaves them undated, and front matter of the blog's own page."""
    blog.commit_on("2024-02-01", {"docs/blog/index.md": "---\nlastmod: 2022-01-01\n---\n# B\n"})
    rules = "rules: [{match: [/blog/archive/, /blog/category/], lastmod: false}]"
    blog.config(rules, theme=MATERIAL, more="  - blog\n")
    days = blog.build("--strict").days()
    assert days["blog/"] == "2022-01-01"
    assert {day for loc, day in days.items() if "archive" in loc or "category" in loc} == {None}


def test_a_post_that_is_left_out_still_dates_its_views(blog):
    """They show it all the same."""
    hidden = post("2024-02-01", "Red", more="sitemap: false\n", title="Hidden")
    blog.commit_on("2024-02-02", {"docs/blog/posts/hidden.md": hidden})
    blog.config(theme=MATERIAL, more="  - blog\n")
    days = blog.build("--strict").days()
    assert "blog/2024/02/01/hidden/" not in days
    assert days["blog/category/red/"] == "2024-02-02"


WAITING = "  - blog: {draft_if_future_date: true, categories: false}\n"


def test_a_post_that_waited_for_its_date_is_as_old_as_its_publication(blog):
    """Its views too: they changed on that day. An edit after that day counts as ever.

    Where `draft` says that the post is published, it did not wait.
    """
    later = {
        "wait.md": post("2024-05-14", title="Wait"),
        "hour.md": post("{created: 2025-06-15T09:30:00+02:00}", title="Hour"),
        "edited.md": post("2024-01-20", title="Edited"),
        "at-once.md": post("2026-02-01", more="draft: false\n", title="At once"),
    }
    blog.commit_on("2024-02-05", {f"docs/blog/posts/{name}": text for name, text in later.items()})
    blog.config("report: r.json", theme=MATERIAL, more=WAITING)
    built = blog.build("--strict")
    found = {loc: entry["lastmod"] for loc, entry in built.by_loc().items()}
    assert {loc: lastmod for loc, lastmod in found.items() if not loc.endswith("/2023/")} == {
        "": "2024-01-01T10:00:00+00:00",
        "blog/": "2025-06-15T09:30:00+02:00",
        "blog/2023/05/01/a/": "2024-01-02T10:00:00+00:00",
        "blog/2023/06/01/b/": "2024-01-03T10:00:00+00:00",
        "blog/2024/01/10/c/": "2024-01-10",
        "blog/2024/01/20/edited/": "2024-02-05T10:00:00+00:00",
        "blog/2024/05/14/wait/": "2024-05-14",
        "blog/2025/06/15/hour/": "2025-06-15T09:30:00+02:00",
        "blog/2026/02/01/at-once/": "2024-02-05T10:00:00+00:00",
        "blog/archive/2024/": "2024-05-14",
        "blog/archive/2025/": "2025-06-15T09:30:00+02:00",
        "blog/archive/2026/": "2024-02-05T10:00:00+00:00",
    }
    told = run_command("explain", "blog/posts/wait.md", cwd=blog.folder).stdout
    assert "docs/blog/posts/wait.md:2: date" in told


def test_without_the_option_no_post_waits_for_its_date(blog):
    """Then `date` is only what readers see."""
    blog.commit_on("2024-02-05", {"docs/blog/posts/wait.md": post("2024-05-14", title="Wait")})
    for options in ("draft_if_future_date: false", "draft_if_future_date: true, draft: true"):
        blog.config(theme=MATERIAL, more=f"  - blog: {{{options}}}\n")
        assert blog.build("--strict").days()["blog/2024/05/14/wait/"] == "2024-02-05"


def test_a_post_in_a_folder_of_its_own_blog_waits(blog):
    """The option is that of one blog of several, and its posts may be anywhere."""
    waiting = post("2024-05-14", title="Wait")
    blog.commit_on("2024-02-05", {"docs/n/w.md": waiting, "docs/blog/posts/w.md": waiting})
    options = "{blog_dir: ., post_dir: n, draft_if_future_date: true, archive: false}"
    blog.config(theme=MATERIAL, more=f"  - blog\n  - blog: {options}\n")
    days = blog.build("--strict").days()
    assert (days["2024/05/14/wait/"], days["blog/2024/05/14/wait/"]) == ("2024-05-14", "2024-02-05")


def test_the_command_dates_a_post_that_waited_as_the_plugin_does(blog):
    """Where it knows the file of the post, by the link to edit it."""
    blog.commit_on("2024-02-05", {"docs/blog/posts/wait.md": post("2024-05-14", title="Wait")})
    git("remote", "add", "origin", "https://github.com/ann/lamp", cwd=blog.folder)
    project = "repo_url: https://github.com/ann/lamp\nedit_uri: edit/main/docs/\n"
    theme = (
        f"{project}theme: {{name: {MATERIAL_NAME}, font: false, features: [content.action.edit]}}\n"
    )
    blog.config(theme=theme, more=WAITING)
    plugin = blog.build("--strict").days()
    run_command("build", cwd=blog.folder)
    command = Built(blog.folder, 0, "").days()
    posts = {loc for loc in plugin if loc.count("/") == 5}
    assert len(posts) == 4
    assert {loc: command[loc] for loc in posts} == {loc: plugin[loc] for loc in posts}
    assert command["blog/2024/05/14/wait/"] == "2024-05-14"


def test_a_blog_at_the_top_of_the_site(site):
    """The home page is the first view."""
    site.commit_on("2024-01-01", {"docs/index.md": "# Blog\n"})
    site.commit_on("2024-01-02", {"docs/posts/a.md": post("2023-05-01", title="A")})
    site.config(theme=MATERIAL, more="  - blog: {blog_dir: ., archive: false}\n")
    built = site.build("--strict")
    assert built.days() == {"": "2024-01-02", "2023/05/01/a/": "2024-01-02"}


def test_a_translated_post_is_not_linked_by_the_url_of_the_original(site):
    """Each language is built alone, and each title makes another URL. The blogs are linked."""
    alternates = """\
alternates:
  en: {url: https://web.example/, docs_dir: docs}
  de: {url: https://web.example/de/, docs_dir: docs-de}
"""
    for folder, title in (("docs", "Hello"), ("docs-de", "Hallo")):
        text = post("2024-01-05", title=title)
        pages = {"index.md": "# Home\n", "blog/index.md": "# Blog\n", "blog/posts/a.md": text}
        site.write({f"{folder}/{name}": each for name, each in pages.items()})
    site.config(alternates, theme=MATERIAL, more="  - blog\n")
    own = "INHERIT: mkdocs.yml\nsite_url: https://web.example/de/\ndocs_dir: docs-de\n"
    site.write({"de.yml": f"{own}site_dir: site/de\n"})
    built = site.build("--strict")
    assert "blog/2024/01/05/hello/" in built.locs()
    assert built.alternates().keys() == {"", "blog/"}
    site.build("--strict", "-f", "de.yml")
    assert built.path("de/blog/2024/01/05/hallo/index.html").exists()


def test_the_page_with_the_tags_is_a_page_with_a_path(site):
    """A rule leaves it undated, since its own file is short; `exclude` would leave it out."""
    site.docs({"index.md": "# Home\n", "tags.md": "# Tags\n\n<!-- material/tags -->\n"})
    site.docs({"a.md": "---\ntags: [One]\n---\n# A\n"})
    site.config("rules: [{match: /tags.md, lastmod: false}]", theme=MATERIAL, more="  - tags\n")
    site.commit()
    built = site.build("--strict")
    assert built.days() == {"": "2024-05-01", "a/": "2024-05-01", "tags/": None}
    assert "tag:one" in built.path("tags/index.html").read_text("utf-8")


def test_faces_of_authors_are_no_images_of_a_post(blog):
    """What Material puts beside a post, or above it in a list, is not of its content."""
    face = "authors: {ann: {name: Ann, description: D, avatar: 'https://h.example/ann.png'}}\n"
    text = post("2024-02-01", more="authors: [ann]\n", title="D") + "\n![P](p.png)\n"
    files = {"blog/posts/d.md": text, "blog/posts/p.png": "", "blog/.authors.yml": face}
    blog.commit_on("2024-02-02", {f"docs/{name}": each for name, each in files.items()})
    blog.config("images: true", theme=MATERIAL, more="  - blog\n")
    xml = blog.build("--strict").xml()
    assert "ann.png" not in xml
    assert "<image:loc>https://web.example/blog/p.png</image:loc>" in xml
