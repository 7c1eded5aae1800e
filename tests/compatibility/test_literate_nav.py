"""mkdocs-literate-nav: the navigation is a page, which is built like any other."""

import pytest
from sites import needs

pytestmark = needs("mkdocs-literate-nav")

DATED = {"lastmod": "2024-05-01T10:00:00+00:00"}


@pytest.mark.parametrize(
    ("options", "summary"), [("", {"SUMMARY/": DATED}), ("exclude: SUMMARY.md", {})]
)
def test_the_page_with_the_navigation_can_be_excluded_by_its_name(site, options, summary):
    """Pages that the navigation does not name are listed as well."""
    site.docs({"index.md": "# Home\n", "sub/a.md": "# A\n", "sub/b.md": "# B\n"})
    site.docs({"SUMMARY.md": "* [Home](index.md)\n* [A](sub/a.md)\n"})
    site.config(options, more="  - literate-nav\n")
    site.commit()
    built = site.build("--strict")
    assert built.by_loc() == {"": DATED, "sub/a/": DATED, "sub/b/": DATED} | summary
    assert len(built.lines) == 1
