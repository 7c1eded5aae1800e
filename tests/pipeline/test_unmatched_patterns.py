"""A pattern that matches nothing is named: what it meant would stay as it is in silence."""

import json

import pytest
from quantity import one_in
from sites import SiteMaker


def test_patterns_that_match_are_not_mentioned(site):
    """Also where a later pattern takes back what an earlier one matched."""
    site.docs({"index.md": "# Home\n", "sub/a.md": "# A\n", "data.pdf": "x"})
    site.config(
        'lastmod: {sources: []}\nexclude: ["/sub/", "!/sub/a.md"]\nextra_files: "*.pdf"\n'
        "rules: [{match: '*.md', priority: 0.5}]"
    )
    assert site.build().notes == []


PAGES = ("index.md", "install.md", "guide/index.md", "guide/alerts.md", "guide/in/x.md")
INSTALL = "docs/install.md is listed. Did you mean '/install.md'?"
ALERTS = "docs/guide/alerts.md is listed. Did you mean '/guide/alerts.md'?"
MEANT = {
    "/install/": INSTALL,
    "/install": INSTALL,
    "install": INSTALL,
    "Install": INSTALL,
    "/INSTALL.MD": INSTALL,
    "install.html": INSTALL,
    "install/index.html": INSTALL,
    "install/*": INSTALL,
    "/instal/": INSTALL,
    "/isntall.md": INSTALL,
    "https://example.com/docs/install/": INSTALL,
    "/docs/install/": INSTALL,
    "docs/install.md": INSTALL,
    "https://example.com/docs/": "docs/index.md is listed. Did you mean '/index.md'?",
    "alerts": ALERTS,
    "/guide/alerts/": ALERTS,
    "/guide/alrets.md": ALERTS,
    "/gide/": "The pages in docs/guide/ are listed. Did you mean '/guide/'?",
    "docs/guide/": "The pages in docs/guide/ are listed. Did you mean '/guide/'?",
    "/Guide/In/": "The pages in docs/guide/in/ are listed. Did you mean '/guide/in/'?",
}
NOT_MEANT = [
    "/v1.md",
    "(gone|v1).md",
    "^v1.*",
    "/gone/",
    "*.txt",
    "^internal/.*",
    r"guide/al.*\.md",
    "(install|guide/alerts).md",
    "/nope/*",
    "!/instal.md",
    "https://example.org/install/",
]


@pytest.fixture(scope="module")
def guide(tmp_path_factory):
    """A site whose name of the docs folder is also in its URL."""
    site = SiteMaker(tmp_path_factory.mktemp("guide"))
    site.docs(dict.fromkeys(PAGES, "# Page\n"))
    return site


def excluding(site, pattern, rule):
    """The build, with a pattern of the option, or of a rule that excludes."""
    quoted = json.dumps(pattern)
    option = f"rules: [{{match: {quoted}, exclude: true}}]" if rule else f"exclude: {quoted}"
    site.config(option, site_url="https://example.com/docs/")
    return site.build()


def test_a_slash_alone_matches_nothing(guide):
    """In a rule, it is an error."""
    (warning,) = excluding(guide, "/", rule=False).warnings
    assert "exclude has '/', which matches no page. docs/index.md is listed." in warning


@one_in(5)
@pytest.mark.parametrize("rule", [False, True], ids=["option", "rule"])
@pytest.mark.parametrize(("pattern", "meant"), MEANT.items(), ids=MEANT)
def test_a_pattern_that_should_leave_out_a_listed_page_is_a_warning(guide, pattern, meant, rule):
    """As a URL, without slashes or in other letters; the page would be published in silence."""
    key = "rules[0].match" if rule else "exclude"
    assert excluding(guide, pattern, rule).warnings == [
        (
            f"mkdocs.yml:5: {key} has {pattern!r}, which matches no page. {meant} "
            "Patterns are paths in docs/, not URLs."
        )
    ]


@one_in(3)
@pytest.mark.parametrize(("pattern", "meant"), MEANT.items(), ids=MEANT)
def test_what_the_warning_suggests_leaves_the_page_out(guide, pattern, meant):
    """And there is no warning any more."""
    suggested = meant.partition("Did you mean '")[2].removesuffix("'?")
    built = excluding(guide, suggested, rule=False)
    assert built.warnings == []
    assert "left out (excluded)" in built.summary


@one_in(4)
@pytest.mark.parametrize("pattern", NOT_MEANT)
def test_a_pattern_that_is_like_no_listed_page_stays_an_information(guide, pattern):
    """It is left over from a page that is gone, or from another site."""
    built = excluding(guide, pattern, rule=False)
    assert built.warnings == []
    assert built.notes == [f"mkdocs.yml:5: exclude has {pattern!r}, which matches no page."]


def test_a_page_that_is_left_out_anyway_needs_no_warning(site):
    """By another pattern, or by its front matter."""
    site.docs({"index.md": "# Home\n", "a.md": "---\nsitemap: false\n---\n# A\n", "b.md": "# B\n"})
    site.config("exclude: [/a/, /b/, /b.md]")
    assert site.build("--strict").notes == [
        "mkdocs.yml:5: exclude has '/a/', which matches no page.",
        "mkdocs.yml:5: exclude has '/b/', which matches no page.",
    ]


def test_in_a_rule_that_excludes_nothing_it_is_an_information_with_a_suggestion(site):
    """The page is listed as it should be; only a value is missing."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.config("rules: [{match: /a/, priority: 0.5}]")
    assert site.build("--strict").notes == [
        "mkdocs.yml:5: rules[0].match has '/a/', which matches no page. Did you mean '/a.md'?"
    ]


@one_in(4)
@pytest.mark.parametrize("line", ["a.md, b.md", "a.md b.md", "a.md,/b.md"])
def test_several_patterns_in_one_line_are_reported(site, line):
    """For `exclude` it is a warning: the pages that should be left out are listed."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n", "b.md": "# B\n"})
    site.config(f"lastmod: {{sources: []}}\nexclude: {line}")
    built = site.build()
    assert built.warnings == [
        (
            f"mkdocs.yml:6: exclude has '{line}', which matches no page. Write one pattern a line, "
            "or a list of patterns."
        )
    ]
    assert built.locs() == ["", "a/", "b/"]
    site.config(f"lastmod: {{sources: []}}\nrules: [{{match: '{line}', priority: 0.1}}]")
    (note,) = site.build("--strict").notes
    assert note.endswith("matches no page. Write one pattern a line, or a list of patterns.")


@pytest.mark.parametrize("line", ["a.md, c.md", "no such.md"])
def test_a_name_with_a_blank_is_not_taken_for_several_patterns(site, line):
    """Only if each part matches a page."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n", "b.md": "# B\n"})
    site.config(f"lastmod: {{sources: []}}\nexclude: {line}")
    assert "one pattern a line" not in site.build().output
