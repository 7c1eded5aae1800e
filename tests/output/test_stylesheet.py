"""The file beside the sitemap that shows it to people."""

import pytest
from one_file import one_file

from mkdocs_sitemap_plus.sitemap.entries import UrlEntry
from mkdocs_sitemap_plus.sitemap.write import stylesheet

LINE = '<?xml-stylesheet type="text/css" href="sitemap.css"?>'


@pytest.fixture
def home(site):
    """A site with one page."""
    site.docs({"index.md": "# Home\n"})
    site.config()
    return site


def test_it_is_written_and_named_behind_the_declaration(home):
    """The second line of the file names it, whatever the sitemap itself is called."""
    home.config("filename: map.xml")
    built = home.build("--strict")
    lines = built.xml("map.xml").splitlines()
    assert lines[0] == '<?xml version="1.0" encoding="UTF-8"?>'
    assert lines[1] == LINE
    assert built.path("sitemap.css").read_bytes() == stylesheet()
    assert [path.name for path in built.path("").glob("*.tmp")] == []


def test_it_can_be_left_out(home):
    """Neither the file nor the line."""
    home.config("stylesheet: false")
    built = home.build("--strict")
    assert "stylesheet" not in built.xml()
    assert not built.path("sitemap.css").exists()


def test_an_own_one_is_kept_and_used(home):
    """Whatever stands in the docs folder under its name, in each build."""
    home.docs({"sitemap.css": "url { display: block }\n"})
    for _ in range(2):
        built = home.build("--strict")
        assert LINE in built.xml()
        assert built.path("sitemap.css").read_text() == "url { display: block }\n"


def test_without_a_sitemap_there_is_none(home):
    """Where nothing is listed there is nothing to show."""
    home.config("exclude: index.md")
    assert not home.build().path("sitemap.css").exists()


def test_it_is_one_file_without_scripts_or_addresses_of_others():
    """No server learns who opens a sitemap; the addresses in it are names of namespaces."""
    text = stylesheet().decode("ascii")
    assert "\r" not in text
    assert "@import" not in text
    assert text.count("url(") == text.count("@namespace") == 4


def test_a_name_is_escaped_and_nothing_names_none():
    """An ampersand in an attribute of a processing instruction is written as in any other."""
    entries = [UrlEntry(loc="https://web.example/")]
    assert b'href="a&amp;b.css"?>\n<urlset' in one_file(entries, stylesheet="a&b.css")
    assert b"stylesheet" not in one_file(entries)
