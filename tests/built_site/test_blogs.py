"""A blog plugin is one module: it says which pages list which posts, to both doors."""

import sys
from types import ModuleType

import pytest
from sites import Built, run_command

from mkdocs_sitemap_plus.blogs import BLOG_PLUGINS, BlogPlugin, blog_module
from mkdocs_sitemap_plus.built_site import read_project

LISTS = {"index.md": ("a.md", "b.md")}


def views_in_build(pages, options):
    """The home page lists two pages of the build."""
    assert options["min_search_length"] == 4
    assert {page.file.src_uri for page in pages} == {"index.md", "a.md", "b.md", "c.md"}
    return LISTS


def find_blog(before, options, site):
    """The same pages in a built site."""
    assert options == {"min_search_length": 4}
    assert {page.dest_uri for page in before.pages} <= site.html
    pages = [page._replace(posts=LISTS.get(page.src_uri, ())) for page in before.pages]
    return before._replace(pages=pages)


@pytest.fixture
def blog(monkeypatch):
    """The plugin ``search`` of MkDocs makes a blog, and its module is this one."""
    module = ModuleType("of_search")
    module.views_in_build, module.find_blog = views_in_build, find_blog
    monkeypatch.setitem(sys.modules, "mkdocs_sitemap_plus.blogs.of_search", module)
    monkeypatch.setitem(BLOG_PLUGINS, "search", BlogPlugin("of_search", "mkdocs.contrib.search"))


@pytest.mark.usefixtures("blog")
def test_a_page_that_lists_posts_is_as_new_as_the_newest_one(site):
    """In a build of MkDocs, and in the site that it built."""
    site.commit_on("2024-01-01", {"docs/index.md": "# Blog\n", "docs/a.md": "# A\n"})
    site.commit_on("2024-02-02", {"docs/b.md": "# B\n"})
    site.commit_on("2024-03-03", {"docs/c.md": "# C\n"})
    site.config(more="  - search: {min_search_length: 4}\n")
    built = site.build()
    days = {loc: fields["lastmod"][:10] for loc, fields in built.by_loc().items()}
    assert days == {"": "2024-02-02", "a/": "2024-01-01", "b/": "2024-02-02", "c/": "2024-03-03"}
    written = built.path().read_bytes()
    built.path().unlink()
    done = run_command("build", cwd=site.folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert Built(site.folder, 0, "").path().read_bytes() == written


@pytest.mark.parametrize("name", ["blog", "/blog", "material/blog", "materialx/blog"])
def test_the_blog_of_a_theme_is_known_by_all_its_names(site, name):
    """In the project file of a built site."""
    site.config(more=f"  - {name}: {{blog_dir: news}}\n")
    ((plugin, options),) = read_project(site.folder / "mkdocs.yml").blogs
    assert blog_module(plugin).__name__ == "mkdocs_sitemap_plus.blogs.material"
    assert options == {"blog_dir": "news"}


@pytest.mark.parametrize("name", ["search", "other/blog", "blog-2", "material/search"])
def test_other_plugins_make_no_blog(site, name):
    """Only a plugin that has a row."""
    site.config(more=f"  - {name}\n")
    assert read_project(site.folder / "mkdocs.yml").blogs == ()
