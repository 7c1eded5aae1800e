"""mkdocs-section-index: a section of the navigation is a page as well."""

from sites import MATERIAL, needs

pytestmark = needs("mkdocs-section-index", "mkdocs-material")

DATED = {"lastmod": "2024-05-01T10:00:00+00:00"}


def test_the_page_of_a_section_is_listed_once(site):
    """Under its own URL, with the date of its own file."""
    site.docs({"index.md": "# Home\n", "sub/index.md": "# Sub\n", "sub/a.md": "# A\n"})
    nav = "nav: [index.md, {Sub: [sub/index.md, sub/a.md]}]\n"
    site.config(theme=MATERIAL, more=f"  - section-index\n{nav}")
    site.commit()
    built = site.build("--strict")
    assert built.by_loc() == {"": DATED, "sub/": DATED, "sub/a/": DATED}
    assert len(built.lines) == 1
