"""Material's tags plugin: pages that list others."""

from sites import MATERIAL, needs

pytestmark = needs("mkdocs-material")

DATED = {"lastmod": "2024-05-01T10:00:00+00:00"}


def test_the_page_with_the_tags_is_a_page_with_a_path(site):
    """A rule leaves it undated, since its own file is short; `exclude` would leave it out."""
    site.docs({"index.md": "# Home\n", "tags.md": "# Tags\n\n<!-- material/tags -->\n"})
    site.docs({"a.md": "---\ntags: [One]\npriority: 0.5\n---\n# A\n"})
    site.config("rules: [{match: /tags.md, lastmod: false}]", theme=MATERIAL, more="  - tags\n")
    site.commit()
    built = site.build("--strict")
    assert built.by_loc() == {"": DATED, "a/": DATED | {"priority": "0.5"}, "tags/": {}}
    assert "tag:one" in built.path("tags/index.html").read_text()
    assert len(built.lines) == 1
