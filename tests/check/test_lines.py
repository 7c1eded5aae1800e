"""The line of an entry in its file, for findings."""

from mkdocs_sitemap_plus.command.reader.read import Lines
from mkdocs_sitemap_plus.sitemap.xml import read

SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def test_an_entry_has_its_line_and_so_has_what_is_in_it():
    """Comments and other elements do not count."""
    data = (
        '<?xml version="1.0"?>\n<?xml-stylesheet href="x.css"?>\n<!-- <url> -->\n'
        f'<s:urlset xmlns:s="{SPACE}" xmlns:v="urn:v">\n'
        '<s:url id="1">\n  <s:loc> https://example.com/<!-- - -->a </s:loc>\n'
        "  <v:more><deep/></v:more>\n<s:lastmod/></s:url>\nstray\n"
        "<other/><s:url >\n<s:loc/></s:url></s:urlset>"
    ).encode()
    lines = Lines(data)
    assert [lines.of(0), lines.of(0, "loc"), lines.of(0, "deep"), lines.of(0, "lastmod")] == [
        *(5, 6, 7, 8)
    ]
    assert [lines.of(1), lines.of(1, "loc"), lines.of(1, "lastmod")] == [10, 11, 10]
    _, entries, _ = read(data, "s.xml")
    for number, entry in enumerate(each for each in entries if each.tag.endswith("}url")):
        assert lines.of_element(number, entry, entry[0]) == (6, 11)[number]


def test_a_line_of_a_text_file_is_an_entry():
    """If it is not blank."""
    data = b"\n  \nhttps://example.com/\r\n\r\nhttps://example.com/a\n"
    assert len([*read(data, "s.xml").entries]) == 2
    assert [Lines(data).of(0), Lines(data).of(1)] == [3, 5]
