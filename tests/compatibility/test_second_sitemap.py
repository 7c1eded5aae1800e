"""A second plugin for the sitemap: a line names the winner, and no file contradicts another."""

import gzip

from sitemap_xml import read_entries
from sites import needs

UNDATED = "lastmod: {sources: []}"
OURS = "sitemap-plus: {lastmod: {sources: []}}"


def with_plugins(*plugins):
    lines = "".join(f"  - {plugin}\n" for plugin in plugins)
    return f"site_name: S\nsite_url: https://example.com/\nplugins:\n{lines}"


@needs("mkdocs-sitemap-exclusion")
def test_mkdocs_sitemap_exclusion_behind_us_wins(site):
    """It writes a file without the protocol's namespace; the archive holds the same at least."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n", "b.md": "# B\n"})
    site.config(UNDATED, more="  - mkdocs-sitemap-exclusion: {exclude: [b/]}\n")
    built = site.build(found=["wrong-root"])
    data = built.path().read_bytes()
    assert [entry["loc"] for entry in read_entries(data)] == [
        "https://example.com/",
        "https://example.com/a/",
    ]
    assert gzip.decompress(built.path("sitemap.xml.gz").read_bytes()) == data


@needs("mkdocs-sitemap-exclusion")
def test_mkdocs_sitemap_exclusion_before_us_finds_nothing_to_edit(site):
    """Plugins run in their order; the last one wins."""
    site.docs({"index.md": "# Home\n", "b.md": "# B\n"})
    site.write({"mkdocs.yml": with_plugins("mkdocs-sitemap-exclusion: {exclude: [b/]}", OURS)})
    built = site.build()
    assert built.by_loc() == {"": {}, "b/": {}}
    assert len(built.lines) == 1


@needs("mkdocs-no-sitemap-plugin")
def test_mkdocs_no_sitemap_plugin_leaves_ours(site):
    """It takes the theme's template away, which MkDocs would then publish as it is."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.write({"mkdocs.yml": with_plugins("no-sitemap", OURS)})
    built = site.build("--strict")
    assert built.by_loc() == {"": {}, "a/": {}}
    assert built.notes == []
