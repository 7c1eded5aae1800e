"""Sitemaps that were made to hurt end in one clear line, in little memory."""

import gzip
import tracemalloc
from contextlib import suppress

import pytest
from broken_sitemaps import NOW
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_sitemap_plus.command.checks.one_sitemap import check
from mkdocs_sitemap_plus.command.reader.find import FoundFile
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap import xml

SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


@pytest.mark.fault("`check` reads a sitemap that an attacker wrote")
def test_no_more_is_unpacked_than_a_sitemap_may_have(monkeypatch):
    """The limit is 1 MB here, and the file would be 20: unpacked, it would be in the memory."""
    monkeypatch.setattr(xml, "MAX_BYTES", 1_000_000)
    packed = gzip.compress(bytes(20_000_000), 1)
    tracemalloc.start()
    try:
        with pytest.raises(SitemapError, match="has more than 1,000,000 bytes, unpacked"):
            xml.unpacked(packed, "sitemap.xml")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000


PIECES = st.sampled_from(
    [
        b"<url>",
        b"</url>",
        b"<loc>",
        b"<sitemap><loc>http://[::1</loc></sitemap>",
        b"<sitemap><loc>https://h/%00%ff</loc></sitemap>",
        b"</loc>",
        b"<lastmod>",
        b"</lastmod>",
        b"https://web.example/",
        b"https://[",
        b"http://h:99999/",
        b"9999-12-31T23:59:59-14:00",
        b"0001-01-01T00:00:00+14:00",
        b"<x:link xmlns:x='http://www.w3.org/1999/xhtml' rel='alternate' hreflang='",
        b"' href='//[::1'/>",
        b"de",
        b"<!--",
        b"-->",
        b"&#x10FFFF;",
        b"&amp;",
        b"\xff",
        b"%zz",
    ]
)


@given(st.lists(PIECES, max_size=12).map(b"".join), st.booleans())
def test_no_input_ends_in_a_traceback(tmp_path_factory, body, index):
    """Any file gives findings, or an error that names the file."""
    path = tmp_path_factory.getbasetemp() / "fuzz.xml"
    root = b"sitemapindex" if index else b"urlset"
    start = b'<%s xmlns="%s">' % (root, SPACE.encode())
    path.write_bytes(start + body + b"</%s>" % root)
    with suppress(SitemapError):
        check(FoundFile(str(path)), now=NOW)
