"""Plugins that many sites have, all in one build: none of them takes a date or adds a page."""

import json

import pytest
from sites import MATERIAL, git, needs, run_command

pytestmark = needs(
    "mkdocs-material",
    "mkdocs-awesome-nav",
    "mkdocs-gen-files",
    "mkdocs-literate-nav",
    "mkdocs-macros-plugin",
    "mkdocs-minify-plugin",
    "mkdocs-redirects",
    "mkdocs-rss-plugin",
    "mkdocs-section-index",
    "mkdocstrings",
    "mkdocstrings-python",
)

ROBOTS = """\
{% extends "base.html" %}
{% block extrahead %}
  {% if page and page.meta.robots %}<meta name="robots" content="{{ page.meta.robots }}">{% endif %}
{% endblock %}
"""
GENERATED = (
    "import mkdocs_gen_files\n"
    "with mkdocs_gen_files.open('made.md', 'w') as file:\n    file.write('# Made')\n"
    "mkdocs_gen_files.set_edit_path('made.md', 'sub/a.md')\n"
)
FILES = {
    "overrides/main.html": ROBOTS,
    "gen.py": GENERATED,
    "src/pkg/__init__.py": '"""A package."""\n',
    "docs/SUMMARY.md": "* Sub\n    * [Sub](sub/index.md)\n    * [A](sub/a.md)\n",
    "docs/index.md": "# Home\n\n[Away](https://elsewhere.example/)\n",
    "docs/sub/index.md": "# Heading\n",
    "docs/sub/a.md": "---\ndate: 2024-01-02\ntags: [One]\npriority: 0.5\n---\n# A\n\n{{ 1 + 1 }}\n",
    "docs/sub/b.md": "# B, outside of the navigation\n",
    "docs/no.md": "---\nrobots: noindex\n---\n# No\n",
    "docs/tags.md": "# Tags\n\n<!-- material/tags -->\n",
    "docs/api.md": "# API\n\n::: pkg\n",
    "docs/old.md": "# Replaced by a redirect\n",
}
PLUGINS = """\
  - gen-files: {scripts: [gen.py]}
  - literate-nav
  - section-index
  - macros
  - tags
  - mkdocstrings: {handlers: {python: {paths: [src]}}}
  - redirects: {redirect_maps: {old.md: sub/a.md, away.md: 'https://elsewhere.example/'}}
  - rss: {use_git: false, match_path: sub/a.md}
  - privacy: {assets: false, links_attr_map: {target: _blank}}
  - minify: {minify_html: true, htmlmin_opts: {remove_optional_attribute_quotes: true}}
repo_url: https://github.com/a/b
edit_uri: edit/main/docs/
"""
THEME = MATERIAL.replace("}", ", custom_dir: overrides}")
MAY, JUNE = ({"lastmod": f"2024-0{month}-01T10:00:00+00:00"} for month in (5, 6))
LISTED = {
    "": MAY,
    "api/": MAY,
    "made/": JUNE,
    "sub/": MAY,
    "sub/a/": JUNE | {"priority": "0.5"},
    "sub/b/": MAY,
    "tags/": {},
}


@pytest.fixture
def many(site):
    """The site, of which a page changed a month later."""
    options = "rules: [{match: /tags.md, lastmod: false}]\nexclude: SUMMARY.md\nreport: r.json"
    site.config(options, theme=THEME, more=PLUGINS)
    site.commit_on("2024-05-01", FILES)
    site.commit_on("2024-06-01", {"docs/sub/a.md": FILES["docs/sub/a.md"] + "\nMore.\n"})
    return site


def title_of_section(site):
    """The title of the page that stands for a section of the navigation."""
    pages = json.loads((site.folder / "r.json").read_text("utf-8"))["pages"]
    return next(page["title"] for page in pages if page.get("source") == "sub/index.md")


def test_each_page_is_listed_once_and_dated_by_its_own_file(many):
    """Neither redirects, nor feeds, nor what is not to be indexed; the same by the command."""
    built = many.build("--strict")
    assert built.by_loc() == LISTED
    assert built.warnings == []
    assert "content=noindex" in built.path("no/index.html").read_text("utf-8")
    assert "_blank" in built.path("index.html").read_text("utf-8")
    assert "tag:one" in built.path("tags/index.html").read_text("utf-8")
    assert built.path("feed_rss_created.xml").exists()
    assert title_of_section(many) == "Sub"
    assert run_command("build", cwd=many.folder).returncode == 0
    assert built.by_loc() == LISTED | {"made/": {}}  # no edit link says what it is made from
    assert title_of_section(many) == "Sub"


def test_pages_that_awesome_nav_hides_are_listed(site):
    """The navigation does not decide what the site has."""
    site.docs({"index.md": "# Home\n", "sub/a.md": "# A\n", "sub/b.md": "# B\n"})
    site.docs({"sub/.nav.yml": "nav: [a.md]\nignore: b.md\n"})
    site.config(more="  - awesome-nav\n")
    site.commit()
    built = site.build("--strict")
    assert built.by_loc() == {"": MAY, "sub/a/": MAY, "sub/b/": MAY}
    assert len(built.lines) == 1


def test_a_shallow_clone_fails_with_one_warning_and_passes_where_it_is_accepted(many):
    """Dates were asked for, and the clone does not have them; the warning names the option."""
    many.commit_on("2024-06-02", {"README": "The newest commit changes no page.\n"})
    shallow = many.folder.with_name("shallow")
    git("clone", "-q", "--depth", "1", many.folder.as_uri(), str(shallow), cwd=many.folder)
    clone = type(many)(shallow)
    built = clone.build("--strict", check=False, GITHUB_ACTIONS="true")
    assert built.returncode == 1
    (warning,) = built.warnings
    assert warning.startswith("0 of ")
    assert "fetch-depth: 0" in warning
    config = (shallow / "mkdocs.yml").read_text("utf-8")
    option = "- sitemap-plus:\n      lastmod: {git: {shallow: omit}}"
    clone.write({"mkdocs.yml": config.replace("- sitemap-plus:", option)})
    built = clone.build("--strict")
    assert built.warnings == []
    assert not any("lastmod" in entry for entry in built.entries())
