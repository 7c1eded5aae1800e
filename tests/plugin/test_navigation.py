"""A function of the owner knows whether the navigation has a page."""

import pytest
from sites import run_command

FUNCTION = """\
def only_navigation(entry, page):
    if page and page.in_nav is False:
        return None
    return entry
"""
PAGES = dict.fromkeys(("index.md", "a.md", "guide/b.md", "guide/c.md", "later.md"), "# Page\n")
NAVIGATIONS = {
    "without nav": ("", ["", "a/", "app/", "guide/b/", "guide/c/", "later/", "x.pdf"]),
    "not_in_nav": ("not_in_nav: /guide/\n", ["", "a/", "app/", "later/", "x.pdf"]),
    "nav": (
        "nav: [index.md, {Guide: [guide/c.md]}, {Else: 'https://web.example/a/'}]\n",
        ["", "app/", "guide/c/", "x.pdf"],
    ),
    "nothing in it": ("not_in_nav: '*'\n", ["app/", "x.pdf"]),
    "a hook": ("hooks: [nav.py]\n", ["", "app/", "guide/b/", "guide/c/", "later/", "x.pdf"]),
}
HOOK = """\
def on_nav(nav, config, files):
    nav.pages = [page for page in nav.pages if page.url != "a/"]
    return nav
"""


@pytest.mark.parametrize("name", NAVIGATIONS)
def test_only_what_the_navigation_has_can_be_listed(site, name):
    """The one that is built, whoever made it; files and URLs of other builds are not in it."""
    more, listed = NAVIGATIONS[name]
    site.docs(PAGES | {"x.pdf": "%PDF"})
    site.write({"hooks/navigation.py": FUNCTION, "nav.py": HOOK})
    site.config(
        "transform: hooks/navigation.py:only_navigation\nextra_urls: [{loc: app/}]\n"
        "extra_files: '*.pdf'",
        more=more,
    )
    assert site.build().locs() == listed


def test_the_command_does_not_know_the_navigation(site):
    """So the same function leaves nothing out there."""
    site.docs(PAGES)
    site.write({"hooks/navigation.py": FUNCTION})
    site.config("transform: hooks/navigation.py:only_navigation", more="nav: [index.md]\n")
    assert site.build().locs() == [""]
    (site.folder / "site/sitemap.xml").unlink()
    run_command("build", cwd=site.folder)
    text = (site.folder / "site/sitemap.xml").read_text("utf-8")
    assert text.count("<loc>") == 5
