"""Options of a shared file (INHERIT): what a site's own file drops of them is said."""

import pytest
from sitemap_xml import read_entries
from sites import run_command

from mkdocs_sitemap_plus.generator.pages.inherited import read_inherited

SHARED = """\
plugins:
  search: {}
  sitemap-plus:
    exclude:
      - /internal/
      - /drafts/
      - '!/drafts/public.md'
      - /of-other-sites/
    rules: [{match: /plans/, exclude: true}, {match: /old.md, priority: 0.1}]
    lastmod: {sources: [front_matter]}
"""
PAGES = ("index", "old", "internal/a", "internal/b", "drafts/a", "drafts/public", "plans/a")
ALL = {"", "old/", "internal/a/", "internal/b/", "drafts/a/", "drafts/public/", "plans/a/"}
WANTED = {"", "old/", "drafts/public/"}
ITSELF = (
    "mkdocs.yml:5: sitemap-plus is {}, so the plugin is on without the options in "
    "../shared/base.yml:3 (exclude, rules, lastmod). To keep them, remove it. To turn the plugin "
    "off, write `sitemap-plus: {{enabled: false}}`."
)
BOTH = (
    "{} lacks '/internal/' and '/drafts/', which in ../shared/base.yml:4 leave out 3 pages "
    "(docs/internal/a.md, docs/internal/b.md, docs/drafts/a.md). Now they are listed. An own list "
    "replaces the inherited one: add them, or '!/internal/' and '!/drafts/' if this is meant."
)
RULES = (
    "{} lacks '/plans/', which in ../shared/base.yml:9 leaves out 1 page (docs/plans/a.md). Now it "
    "is listed. An own list replaces the inherited one: add it, or '!/plans/' if this is meant."
)
DRAFTS = (
    "mkdocs.yml:5: exclude lacks '/drafts/', which in ../shared/base.yml:4 leaves out 1 page "
    "(docs/drafts/a.md). Now it is listed. An own list replaces the inherited one: add it, or "
    "'!/drafts/' if this is meant."
)


@pytest.mark.parametrize(
    ("own", "listed", "said"),
    [
        ("", WANTED, []),
        ("  search: {}\n", WANTED, []),
        ("  sitemap-plus: {robots_txt: true}\n", WANTED, []),
        ("  sitemap-plus:\n", ALL, [ITSELF.format("empty")]),
        ("  sitemap-plus: false\n", ALL, [ITSELF.format("false")]),
        (
            "  sitemap-plus: {exclude: /old.md}\n",
            ALL - {"old/", "plans/a/"},
            [BOTH.format("mkdocs.yml:5: exclude")],
        ),
        (
            "  sitemap-plus: {exclude: [/old.md, '!/internal/']}\n",
            ALL - {"old/", "plans/a/"},
            [DRAFTS],
        ),
        ("  sitemap-plus: {exclude: ['!/internal/', '!/drafts/']}\n", ALL - {"plans/a/"}, []),
        (  # one that brings back what an own list has not left out
            "  sitemap-plus: {exclude: ['!/internal/a.md']}\n",
            ALL - {"plans/a/"},
            [BOTH.format("mkdocs.yml:5: exclude")],
        ),
        (
            "  sitemap-plus: {exclude: ['/internal/*', /drafts/a.md]}\n",
            WANTED,
            [],
        ),
        (
            "  sitemap-plus:\n    exclude: |\n      /internal/\n      /drafts/\n      !public.md\n",
            WANTED,
            [],
        ),
        (
            "  sitemap-plus: {rules: []}\n",
            WANTED | {"plans/a/"},
            [RULES.format("mkdocs.yml:5: rules")],
        ),
        (
            "  - search\n  - sitemap-plus: {lastmod: {sources: [front_matter]}}\n",
            ALL,
            [BOTH.format("mkdocs.yml: exclude"), RULES.format("mkdocs.yml: rules")],
        ),
    ],
)
def test_what_a_site_drops_of_a_shared_file_is_said_if_it_is_published(site, own, listed, said):
    """By the plugin and the command. What other sites need, or is named with `!`, is no mistake."""
    site.docs({f"{name}.md": f"# {name}\n" for name in PAGES})
    url = "https://web.example/"
    plugins = f"plugins:\n{own}" if own else ""
    text = f"INHERIT: ../shared/base.yml\nsite_name: T\nsite_url: {url}\n{plugins}"
    site.write({"../shared/base.yml": SHARED, "mkdocs.yml": text})
    built = site.build(found=["not-listed"])
    entries = read_entries(built.path().read_bytes())
    assert {entry["loc"].removeprefix(url) for entry in entries} == listed
    warnings = [line for line in built.output.splitlines() if line.startswith("WARNING")]
    assert [line[line.index("mkdocs.yml") :] for line in warnings if "mkdocs.yml" in line] == said
    command = run_command("build", cwd=site.folder).stderr.splitlines()
    warnings = [line for line in command if line.startswith("Warning: mkdocs.yml")]
    assert [line.removeprefix("Warning: ") for line in warnings] == said


def test_front_matter_that_lists_a_page_counts_more_than_an_inherited_pattern(site):
    """It did so before the pattern was dropped."""
    site.docs({"index.md": "# Home\n", "internal/a.md": "---\nsitemap: true\n---\n# A\n"})
    text = "plugins:\n  sitemap-plus: {exclude: ['!/nothing/', /internal/b/]}\n"
    site.docs({"internal/b/b.md": "# B\n"})
    text = f"INHERIT: ../shared/base.yml\nsite_name: T\nsite_url: https://web.example/\n{text}"
    site.write({"../shared/base.yml": SHARED, "mkdocs.yml": text})
    assert site.build(found=["not-listed"]).warnings == []


@pytest.mark.parametrize(
    "text",
    [
        "INHERIT: no.yml\n",
        "INHERIT: [\n",
        "# INHERIT\nplugins: [sitemap-plus]\n",
        "INHERIT: mkdocs.yml\n",
        "INHERIT: base.yml\nplugins: 7\n",
    ],
)
def test_files_that_inherit_nothing_or_cannot_be_read_drop_nothing(tmp_path, text):
    """Whoever reads the project file says what is wrong with it."""
    (tmp_path / "base.yml").write_text(SHARED)
    (tmp_path / "mkdocs.yml").write_text(text)
    assert read_inherited(tmp_path / "mkdocs.yml") == (None, ())
