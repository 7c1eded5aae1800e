"""A pattern that matches nothing is named: what it meant would stay as it is in silence."""

import pytest
from decided import URL, decided, page, settings, site_of

PAGES = ("index.md", "install.md", "guide/index.md", "guide/alerts.md", "guide/in/x.md")
INSTALL = "docs/install.md is listed. Did you mean '/install.md'?"
ALERTS = "docs/guide/alerts.md is listed. Did you mean '/guide/alerts.md'?"
MEANT = {
    "/install/": INSTALL,
    "install": INSTALL,
    "Install": INSTALL,
    "install.html": INSTALL,
    "install/*": INSTALL,
    "/isntall.md": INSTALL,
    "https://example.com/docs/install/": INSTALL,
    "/docs/install/": INSTALL,
    "docs/install.md": INSTALL,
    "https://example.com/docs/": "docs/index.md is listed. Did you mean '/index.md'?",
    "/guide/alerts/": ALERTS,
    "/guide/alrets.md": ALERTS,
    "/gide/": "The pages in docs/guide/ are listed. Did you mean '/guide/'?",
    "/Guide/In/": "The pages in docs/guide/in/ are listed. Did you mean '/guide/in/'?",
}
NOT_MEANT = [
    "/v1.md",
    "(gone|v1).md",
    "/gone/",
    "^internal/.*",
    r"guide/al.*\.md",
    "/nope/*",
    "!/instal.md",
    "https://example.org/install/",
]


SITE = "https://example.com/docs/"


def excluding(pattern, *, rule=False):
    """The problems, and the pages that are listed, with a pattern of the option or of a rule.

    The name of the docs folder is also in the URL of the site.
    """
    said = {"rules": [{"match": pattern, "exclude": True}]} if rule else {"exclude": pattern}
    pages = (page(name.removesuffix(".md")) for name in PAGES)
    made = (each._replace(loc=each.loc.replace(URL, SITE)) for each in pages)
    site = site_of(*(each._replace(loc=each.loc.removesuffix("index/")) for each in made), url=SITE)
    entries, problems = decided(site, settings(**said))
    return problems, [*entries]


def test_a_slash_alone_matches_nothing():
    """In a rule, it is an error."""
    ((warning,), _) = excluding("/")
    assert "exclude has '/', which matches no page. docs/index.md is listed." in warning


@pytest.mark.parametrize(("pattern", "meant"), MEANT.items(), ids=MEANT)
def test_a_pattern_that_should_leave_out_a_listed_page_is_a_warning(pattern, meant):
    """As a URL, without slashes or in other letters; the page would be published in silence.

    What the warning suggests leaves the page out.
    """
    for rule, key in ((False, "exclude"), (True, "rules[0].match")):
        said = f"mkdocs.yml: {key} has {pattern!r}, which matches no page. {meant} "
        problems, _ = excluding(pattern, rule=rule)
        assert problems == [f"{said}Patterns are paths in docs/, not URLs."]
    problems, listed = excluding(meant.partition("Did you mean '")[2].removesuffix("'?"))
    assert problems == []
    assert len(listed) < len(PAGES)


@pytest.mark.parametrize("pattern", NOT_MEANT)
def test_a_pattern_that_is_like_no_listed_page_has_no_suggestion(pattern):
    """It is left over from a page that is gone, or from another site."""
    said = f"mkdocs.yml: exclude has {pattern!r}, which matches no page."
    assert excluding(pattern)[0] == [said]


def test_a_page_that_is_left_out_anyway_needs_no_warning():
    """By another pattern, or by its front matter."""
    pages = page("index"), page("a", meta={"sitemap": False}), page("b")
    _, problems = decided(site_of(*pages), settings(exclude=["/a/", "/b/", "/b.md"]))
    assert problems == [
        "mkdocs.yml: exclude has '/a/', which matches no page.",
        "mkdocs.yml: exclude has '/b/', which matches no page.",
    ]


def test_in_a_rule_that_excludes_nothing_it_is_an_information_with_a_suggestion(site):
    """The page is listed as it should be; only a value is missing. A strict build passes."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.config("rules: [{match: /a/, priority: 0.5}]")
    assert site.build("--strict").notes == [
        "mkdocs.yml:5: rules[0].match has '/a/', which matches no page. Did you mean '/a.md'?"
    ]


@pytest.mark.parametrize("line", ["index.md, install.md", "install.md,/index.md"])
def test_several_patterns_in_one_line_are_reported(line):
    """The pages that should be left out are listed."""
    for rule, key in ((False, "exclude"), (True, "rules[0].match")):
        problems, _ = excluding(line, rule=rule)
        assert problems == [
            (
                f"mkdocs.yml: {key} has '{line}', which matches no page. Write one pattern a line, "
                "or a list of patterns."
            )
        ]


@pytest.mark.parametrize("line", ["install.md, c.md", "no such.md"])
def test_a_name_with_a_blank_is_not_taken_for_several_patterns(line):
    """Only if each part matches a page."""
    assert "one pattern a line" not in str(excluding(line)[0])
