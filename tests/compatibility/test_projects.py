"""Material's projects plugin: sites inside a site, each with a sitemap of its own."""

from sites import MATERIAL, needs, only_material

pytestmark = [needs("mkdocs-material"), only_material("MaterialX has no such plugin")]

DATED = {"lastmod": "2024-05-01T10:00:00+00:00"}
SUB = """\
site_name: Sub
theme: {name: material, font: false}
plugins:
  - sitemap-plus
"""


def test_each_project_has_its_own_sitemap(site):
    """Under its own folder, and none lists the pages of another."""
    site.docs({"index.md": "# Home\n"})
    site.config(theme=MATERIAL, more="  - projects: {concurrency: 1}\n")
    site.write({"projects/sub/mkdocs.yml": SUB, "projects/sub/docs/index.md": "# Sub\n"})
    site.write({"projects/sub/docs/a.md": "---\npriority: 0.5\n---\n# A\n"})
    site.commit()
    built = site.build()
    assert built.by_loc() == {"": DATED}
    assert built.by_loc("sub/sitemap.xml") == {"sub/": DATED, "sub/a/": DATED | {"priority": "0.5"}}
    assert built.warnings == []
