"""A second plugin for the sitemap: a line names the winner, and no file contradicts another."""

import gzip
import re

import pytest
from sitemap_xml import read_entries
from sites import needs, run_command

NOTE = (
    "mkdocs.yml:3: plugins has {0}, which is made for the sitemap of MkDocs. It has no effect on "
    "this one, or damages it. Remove {0}, and name in `exclude` of sitemap-plus what to leave out."
)
UNDATED = "lastmod: {sources: []}"
OURS = "sitemap-plus: {lastmod: {sources: []}}"


def with_plugins(*plugins):
    lines = "".join(f"  - {plugin}\n" for plugin in plugins)
    return f"site_name: S\nsite_url: https://web.example/\nplugins:\n{lines}"


def noted(built):
    """The note, as if plugins were in the third line."""
    return re.sub(r"^mkdocs\.yml(:\d+)?", "mkdocs.yml:3", built.notes[0])


@needs("mkdocs-sitemap-exclusion")
def test_mkdocs_sitemap_exclusion_behind_us_wins(site):
    """It writes a file without the protocol's namespace; the archive holds the same at least."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n", "b.md": "# B\n"})
    site.config(UNDATED, more="  - mkdocs-sitemap-exclusion: {exclude: [b/]}\n")
    built = site.build(found=["wrong-root"])
    data = built.path().read_bytes()
    assert [entry["loc"] for entry in read_entries(data)] == [
        "https://web.example/",
        "https://web.example/a/",
    ]
    assert gzip.decompress(built.path("sitemap.xml.gz").read_bytes()) == data


@needs("mkdocs-sitemap-exclusion")
def test_mkdocs_sitemap_exclusion_before_us_finds_nothing_to_edit(site):
    """Plugins run in their order; the last one wins."""
    site.docs({"index.md": "# Home\n", "b.md": "# B\n"})
    site.write({"mkdocs.yml": with_plugins("mkdocs-sitemap-exclusion: {exclude: [b/]}", OURS)})
    built = site.build()
    assert built.by_loc() == {"": {}, "b/": {}}
    assert noted(built) == NOTE.format("mkdocs-sitemap-exclusion")
    assert len(built.lines) == 2


@needs("mkdocs-no-sitemap-plugin")
def test_mkdocs_no_sitemap_plugin_leaves_ours(site):
    """It takes the theme's template away, which MkDocs would then publish as it is."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.write({"mkdocs.yml": with_plugins("no-sitemap", OURS)})
    built = site.build("--strict")
    assert built.by_loc() == {"": {}, "a/": {}}
    assert noted(built) == NOTE.format("no-sitemap")
    assert len(built.notes) == 1
    said = run_command("build", cwd=site.folder).stderr
    assert said.count("has no-sitemap, which is made for the sitemap of MkDocs") == 1


@needs("mkdocs-print-site-plugin")
@pytest.mark.parametrize("options", ["{}", "{print_page_basename: all}"])
@pytest.mark.parametrize("urls", ["true", "false"])
def test_the_page_for_printing_is_listed_by_neither_door(site, options, urls):
    """It repeats all others. `check` knows why it is not listed, and so does `explain`."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.config(UNDATED, more=f"  - print-site: {options}\nuse_directory_urls: {urls}\n")
    built = site.build()
    listed = built.locs()
    assert len(listed) == 2
    run_command("build", cwd=site.folder)
    assert built.locs() == listed
    done = run_command("check", cwd=site.folder)
    assert done.returncode == 0
    assert "as the build decided (print page)" in done.stdout
