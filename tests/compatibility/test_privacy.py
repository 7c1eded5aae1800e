"""Material's privacy plugin: copies of what other hosts serve.

Without a network there is nothing to copy: what it does to a page's links is what is tested.
"""

from sites import MATERIAL, needs

pytestmark = needs("mkdocs-material")

PRIVACY = "  - privacy: {assets: false, links_attr_map: {target: _blank}}\n"
DATED = {"lastmod": "2024-05-01T10:00:00+00:00"}


def test_its_rewriting_of_pages_changes_nothing(site):
    """Canonical URLs stay what they are."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n\n[Away](https://elsewhere.example/)\n"})
    site.config(theme=MATERIAL, more=PRIVACY)
    site.commit()
    built = site.build("--strict")
    assert 'target="_blank"' in built.path("a/index.html").read_text()
    assert built.by_loc() == {"": DATED, "a/": DATED}
    assert len(built.lines) == 1
