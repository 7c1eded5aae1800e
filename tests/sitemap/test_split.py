"""The files of a sitemap: which there are, how they are named, what goes where."""

import pytest
from one_file import one_file
from sitemap_xml import read_entries, validate

from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap.entries import SitemapEntry, UrlEntry
from mkdocs_sitemap_plus.sitemap.write import Layout, files, is_part, listed_urls, render_index

BASE = "https://example.com/docs/"


def entries_of(*paths):
    return [UrlEntry(loc=BASE + path) for path in paths]


def made(entries, extra=(), **layout):
    """The names of all files, with the paths or files that each lists."""
    layout = {"filename": "sitemap.xml", "base": BASE} | layout
    written = {}
    for file in files(entries, Layout(**layout), extra):
        data = b"".join(file.pieces)
        validate(data)
        written[file.name] = [entry["loc"].removeprefix(BASE) for entry in read_entries(data)]
    return written


PATHS = ["", "a/", "guide/", "guide/b/", "guide/b/c/", "ref/d.html", "z.html"]


def test_a_site_within_the_limits_is_one_file():
    """Pages of all folders are in it."""
    assert made(entries_of(*PATHS)) == {"sitemap.xml": PATHS}


def test_a_file_has_as_many_entries_as_a_limit_allows():
    """The limit itself is allowed; one entry or one byte less makes two files."""
    entries = entries_of("", "a/", "b/")
    size = len(one_file(entries))
    assert list(made(entries, max_urls=3)) == ["sitemap.xml"]
    assert made(entries, max_urls=2)["sitemap-1.xml"] == ["", "a/"]
    assert list(made(entries, max_bytes=size)) == ["sitemap.xml"]
    assert made(entries, max_bytes=size - 1)["sitemap-1.xml"] == ["", "a/"]


def test_a_namespace_counts_for_the_size_of_a_file():
    """Also if only the last entry of it needs the declaration."""
    entries = [*entries_of("", "a/"), UrlEntry(loc=f"{BASE}b/", images=(f"{BASE}b.png",))]
    for stylesheet in (None, "sitemap.css"):
        layout = Layout(filename="sitemap.xml", base=BASE, stylesheet=stylesheet)
        size = sum(map(len, next(files(entries, layout)).pieces))
        same = {"stylesheet": stylesheet}
        assert list(made(entries, max_bytes=size, **same)) == ["sitemap.xml"]
        assert list(made(entries, max_bytes=size - 1, **same)) == [
            *("sitemap-1.xml", "sitemap-2.xml", "sitemap.xml")
        ]


def test_the_index_of_other_sitemaps_lists_parts_where_the_sitemap_is_an_index():
    """No index lists an index."""
    others = (f"{BASE}blog/sitemap.xml",)
    entries = entries_of("", "a/", "b/")
    beside = made(entries, others=others)
    assert beside == {
        "sitemap.xml": ["", "a/", "b/"],
        "sitemap-index.xml": ["sitemap.xml", "blog/sitemap.xml"],
    }
    assert made(entries, others=(f"{BASE}sitemap.xml", *others)) == beside
    split = made(entries, others=others, max_urls=2)
    assert split["sitemap.xml"] == ["sitemap-1.xml", "sitemap-2.xml"]
    assert split["sitemap-index.xml"] == ["sitemap-1.xml", "sitemap-2.xml", "blog/sitemap.xml"]


def test_above_a_limit_the_sitemap_is_the_index_of_what_stands_apart_as_well():
    """No program reads pages from it then; the index beside it has all of them too."""
    extra = entries_of("a.pdf")
    entries = entries_of("", "a/", "b/")
    parts = ["sitemap-1.xml", "sitemap-2.xml", "sitemap-extra.xml"]
    written = made(entries, extra, max_urls=2)
    assert list(written) == [*parts, "sitemap.xml"]
    assert written["sitemap.xml"] == parts
    others = (f"{BASE}blog/sitemap.xml",)
    beside = made(entries, extra, max_urls=2, others=others)
    assert beside["sitemap-index.xml"] == [*parts, "blog/sitemap.xml"]


def test_all_names_come_from_the_file_name():
    """So two sitemaps of one folder do not meet."""
    others = (f"{BASE}blog/sitemap.xml",)
    written = made(
        entries_of("", "s/1/"),
        entries_of("a.pdf"),
        max_urls=1,
        filename="map.v1.xml",
        others=others,
    )
    assert list(written) == [
        "map.v1-1.xml",
        "map.v1-2.xml",
        "map.v1-extra.xml",
        "map.v1.xml",
        "map.v1-index.xml",
    ]


def test_names_of_parts_are_recognised():
    """Only those that we would give."""
    ours = [f"sitemap-{end}.xml" for end in ("1", "12", "extra", "extra-2")]
    others = [f"sitemap{end}.xml" for end in ("", "-index", "-old", "-root", "-section-a")]
    others += ["sitemap-extras.xml", "sitemap-1.xml.gz", "other-1.xml", "sitemap-٣.xml"]
    assert [name for name in (*ours, *others) if is_part(name, "sitemap.xml")] == ours


def test_an_entry_that_is_larger_than_a_file_may_be_is_an_error():
    """It names the page and both sizes; the same entry with a byte more is fine."""
    entries = [UrlEntry(loc=BASE, images=tuple(f"{BASE}{n:040}.png" for n in range(10)))]
    size = sum(map(len, next(files(entries, Layout(filename="s.xml", base=BASE))).pieces))
    with pytest.raises(SitemapError) as caught:
        made(entries, max_bytes=size - 1)
    assert caught.value.problem.code == "max-bytes"
    assert str(caught.value) == (
        f"the entry of {BASE} alone needs a sitemap of {size} bytes, but only {size - 1} are "
        "allowed. No file is written. List fewer images, videos or links for that page."
    )
    assert list(made(entries, max_bytes=size)) == ["sitemap.xml"]


def test_an_index_above_its_limit_is_an_error():
    """50,000 entries are its limit, whatever max_urls says."""
    entries = [SitemapEntry(loc=f"{BASE}sitemap-{number}.xml") for number in range(50_001)]
    with pytest.raises(SitemapError) as caught:
        render_index(entries)
    assert caught.value.problem.code == "index"
    size = len(render_index(entries[:-1])) + len(render_index(entries[-1:])) - len(
        render_index([SitemapEntry(loc="")])
    ) + len("  <sitemap>\n    <loc></loc>\n  </sitemap>\n")  # fmt: skip
    assert str(caught.value) == (
        f"the sitemap index has 50001 sitemaps in {size} bytes, but at most 50000 in 52428800 "
        "bytes are allowed. No file is written. Raise max_urls and max_bytes, if they are set."
    )


def test_a_style_sheet_is_named_before_the_root():
    """In files of pages and in indexes, and nowhere if there is none."""
    layout = Layout(filename="s.xml", base=BASE, max_urls=1, stylesheet="sitemap.css")
    for file in files(entries_of("", "a/"), layout):
        assert b"".join(file.pieces).splitlines()[:2] == [
            b'<?xml version="1.0" encoding="UTF-8"?>',
            b'<?xml-stylesheet type="text/css" href="sitemap.css"?>',
        ]
    plain = next(files(entries_of(""), Layout(filename="s.xml", base=BASE)))
    assert b"stylesheet" not in b"".join(plain.pieces)


def test_what_an_index_lists_is_read_by_name():
    """Escapes are undone; a file that is no index lists nothing."""
    entry = SitemapEntry(loc="https://example.com/a&b/sitemap-1.xml")
    assert list(listed_urls(render_index([entry], "sitemap.css"))) == [
        "https://example.com/a&b/sitemap-1.xml"
    ]
    assert list(listed_urls(b"<urlset><loc>https://example.com/sitemap-1.xml</loc>")) == []
    broken = b"<sitemapindex ><loc>https://example.com/\xff.xml</loc>"
    assert list(listed_urls(broken)) == ["https://example.com/\ufffd.xml"]
