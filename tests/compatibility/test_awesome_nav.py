"""mkdocs-awesome-nav: the navigation stands in files of its own."""

from sites import needs

pytestmark = needs("mkdocs-awesome-nav")

DATED = {"lastmod": "2024-05-01T10:00:00+00:00"}


def test_pages_that_the_navigation_hides_are_listed(site):
    """The navigation does not decide what the site has."""
    site.docs({"index.md": "# Home\n", "sub/a.md": "# A\n", "sub/b.md": "# B\n"})
    site.docs({"sub/.nav.yml": "nav: [a.md]\nignore: b.md\n"})
    site.config(more="  - awesome-nav\n")
    site.commit()
    built = site.build("--strict")
    assert built.by_loc() == {"": DATED, "sub/a/": DATED, "sub/b/": DATED}
    assert len(built.lines) == 1
