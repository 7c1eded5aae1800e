"""The owner's own hooks, which run after the plugin, and may have the last word."""

import gzip

import pytest
from sites import needs

PAGES = {"index.md": "# Home\n", "a.md": "# A\n"}
UNDATED = "lastmod: {sources: []}"
SUMMARY = "INFO sitemap.xml: 2 pages, none dated (no sources of dates)"
EDIT = """\
from pathlib import Path


def on_post_build(config):
    file = Path(config.site_dir, "sitemap.xml")
    file.write_text(file.read_text().replace("web.example/a/", "web.example/b/"))
"""
REMOVE = """\
from pathlib import Path


def on_post_build(config):
    Path(config.site_dir, "sitemap.xml").unlink()
"""
COPY = """\
import shutil
from pathlib import Path


def on_post_build(config):
    folder = Path(config.site_dir, "sub")
    folder.mkdir(exist_ok=True)
    shutil.copy(Path(config.site_dir, "sitemap.xml"), folder)
"""


@pytest.fixture
def hooked(site):
    """Builds a site with a hook; strict, since nothing of this is a mistake."""

    def build(hook):
        site.docs(PAGES)
        site.write({"hook.py": hook})
        site.config(UNDATED, more="hooks: [hook.py]\n")
        return site.build("--strict", found=["not-listed", "page-absent"])

    return build


def test_what_a_hook_edits_stays_and_the_archive_holds_the_same(hooked):
    """The archive is packed last of all."""
    built = hooked(EDIT)
    assert built.by_loc() == {"": {}, "b/": {}}
    assert built.lines == [SUMMARY]


def test_what_a_hook_takes_away_stays_away_with_its_archive(hooked):
    """An archive alone would be a sitemap that its owner does not want."""
    built = hooked(REMOVE)
    assert not list(built.path("").glob("sitemap.xml*"))


def test_a_hook_that_copies_the_file_gets_the_finished_one(hooked):
    """Sites with languages do so for the theme's selector."""
    built = hooked(COPY)
    assert built.path("sub/sitemap.xml").read_text() == built.xml()
    assert built.lines == [SUMMARY]


@needs("mkdocs-static-i18n")
def test_a_hook_sees_all_languages_in_the_end(site):
    """It runs at each language's build, and what it did last is what the archive holds."""
    site.docs(PAGES | {"index.de.md": "# Start\n"})
    site.write({"hook.py": EDIT})
    languages = "[{locale: en, default: true, name: E}, {locale: de, name: D}]"
    i18n = f"  - i18n: {{fallback_to_default: false, languages: {languages}}}\n"
    site.config(UNDATED, more=f"{i18n}hooks: [hook.py]\n")
    built = site.build("--strict", found=["not-listed", "page-absent"])
    assert built.locs() == ["", "b/", "de/"]
    assert gzip.decompress(built.path("sitemap.xml.gz").read_bytes()) == built.path().read_bytes()
