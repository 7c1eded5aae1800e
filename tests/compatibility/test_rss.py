"""mkdocs-rss-plugin: feeds beside the sitemap."""

from sites import needs

pytestmark = needs("mkdocs-rss-plugin")

DATED = {"lastmod": "2024-05-01T10:00:00+00:00"}


def test_feeds_and_sitemap_stand_side_by_side(site):
    """Feeds are no pages."""
    site.docs({"index.md": "# Home\n", "a.md": "---\ndate: 2024-01-02\n---\n# A\n"})
    site.config(more="  - rss: {use_git: false, match_path: a.md}\n")
    site.commit()
    built = site.build()
    assert built.path("feed_rss_created.xml").exists()
    assert built.by_loc() == {"": DATED, "a/": DATED}
    assert len(built.lines) == 1
