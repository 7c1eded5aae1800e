"""Foreign sitemaps, element by element, whatever they hold."""

import gzip
import time
from collections import deque
from xml.etree.ElementTree import tostring

import pytest
from hypothesis import given
from hypothesis import strategies as st
from quantity import at_length, more_at_length, tries

from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap.protocol import MAX_BYTES
from mkdocs_sitemap_plus.sitemap.xml import read as read_file
from mkdocs_sitemap_plus.sitemap.xml import unpacked

SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
START = f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{SPACE}">\n'.encode()
URL = b"<url><loc>https://example.com/</loc></url>\n"
SITEMAP = START + URL + b"</urlset>\n"


def read(data):
    """The root and the entries, as they are written out again."""
    root, entries, _ = read_file(data, "s.xml")
    return [root.tag, *map(tostring, entries)]


def error_of(data):
    with pytest.raises(SitemapError) as caught:
        deque(read_file(unpacked(data, "s.xml"), "s.xml").entries, maxlen=0)
    return str(caught.value)


def test_a_byte_order_mark_is_read_over():
    """The protocol does not ask for one, and all readers take it."""
    assert read(b"\xef\xbb\xbf" + SITEMAP) == read(SITEMAP)


def test_entries_come_before_a_later_error():
    """So that a check can report all that came before."""
    _, found, _ = read_file(START + URL * 5_000 + b"<url>", "s.xml")
    assert next(found).tag == f"{{{SPACE}}}url"
    with pytest.raises(SitemapError) as caught:
        list(found)
    assert str(caught.value) == "s.xml:5003: is not well-formed XML (no element found)."


WRONG = {
    "empty": (b"", "s.xml: is empty. Build the sitemap again."),
    "blank": (b" \n", "s.xml: is empty. Build the sitemap again."),
    "binary": (
        b"\x89PNG\r\n\x1a\n\0\0",
        "s.xml: is not XML, but must be a sitemap. Name a sitemap in XML.",
    ),
    "html": (
        b"\n<!DOCTYPE html><p>Not found",
        "s.xml: is a web page (HTML), not a sitemap. Name the sitemap itself, such as sitemap.xml.",
    ),
    "utf-16": (
        SITEMAP.decode().encode("utf-16"),
        "s.xml: is in UTF-16 or UTF-32, but must be UTF-8.",
    ),
    "utf-16-without-mark": (
        SITEMAP.decode().encode("utf-16-le"),
        "s.xml: is in UTF-16 or UTF-32, but must be UTF-8.",
    ),
    "latin-1": (
        SITEMAP.replace(b"UTF-8", b"ISO-8859-1"),
        "s.xml:1: is declared as 'ISO-8859-1', but must be UTF-8.",
    ),
    "not-utf-8": (
        SITEMAP.replace(b".com/", b".com/\xfc"),
        "s.xml:3: is not well-formed XML (not well-formed (invalid token)).",
    ),
    "line-before-declaration": (
        b"\n" + SITEMAP,
        "s.xml:2: is not well-formed XML (XML or text declaration not at start of entity).",
    ),
    "cut": (SITEMAP[:-12], "s.xml:3: is not well-formed XML (unclosed token)."),
    "doctype": (
        b"<!DOCTYPE urlset SYSTEM 'urlset.dtd'>" + URL,
        "s.xml:1: has a document type declaration, which is not allowed.",
    ),
    "xml-1.1": (
        SITEMAP.replace(b'"1.0"', b"'1.1'"),
        "s.xml:1: is declared as XML '1.1', but must be XML 1.0.",
    ),
    "deep": (START + b"<a>" * 10_001, "s.xml: has an entry of more than 10,000 elements."),
    "truncated-gzip": (
        gzip.compress(SITEMAP)[:-20],
        "s.xml: is a gzip file that ends too early.",
    ),
    "broken-gzip": (
        gzip.compress(SITEMAP)[:-8] + bytes(8),
        "s.xml: is a broken gzip file.",
    ),
    "gzip-with-more-behind": (gzip.compress(SITEMAP) + b"more", "s.xml: is a broken gzip file."),
    "gzip-in-gzip": (
        gzip.compress(gzip.compress(SITEMAP)),
        "s.xml: is not XML, but must be a sitemap. Name a sitemap in XML.",
    ),
}


def test_what_is_no_sitemap_is_one_clear_line():
    """Each says what the file is, and where it goes wrong."""
    assert {name: error_of(data) for name, (data, _) in WRONG.items()} == {
        name: line for name, (_, line) in WRONG.items()
    }


def test_a_gz_in_several_parts_is_one_file():
    """As `cat` and parallel packers make them, also with few or many zeros behind."""
    for zeros in (512, 300_000):
        packed = gzip.compress(START) + gzip.compress(URL + b"</urlset>") + bytes(zeros)
        assert unpacked(packed, "s.xml.gz") == gzip.decompress(packed)
        assert read(unpacked(packed, "s.xml.gz")) == read(SITEMAP)


@at_length
def test_a_file_of_just_the_size_that_is_allowed_is_unpacked():
    """52,428,800 bytes are the limit of the protocol, and one more is beyond it."""
    whole = SITEMAP.ljust(MAX_BYTES)
    assert unpacked(gzip.compress(whole, 1), "s.xml.gz") == whole
    assert error_of(gzip.compress(whole + b" ", 1)) == TOO_LARGE


TOO_LARGE = "s.xml: has more than 52,428,800 bytes, unpacked."
TOO_MANY = "s.xml: has more than 100,000 entries."
MANY = tries(few=2_000_000, many=5_000_000)
"""Bytes of what never ends."""

ATTACKS = {
    "entries-without-end": (lambda: START + b"<url/>" * 100_001, TOO_MANY),
    "one-entry-without-end": (
        lambda: START + b"<url>" + b"<loc/>" * (MANY // 20),
        "s.xml: has an entry of more than 10,000 elements.",
    ),
    "tag-without-end": (lambda: START + b"<url " + b" " * MANY, None),
    "comment-without-end": (lambda: START + b"<!-- " + b"x" * MANY, None),
    "gzip-members-without-end": (
        lambda: gzip.compress(b"") * (MANY // 40),
        "s.xml: is empty. Build the sitemap again.",
    ),
}


@more_at_length
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_ends_at_once(name):
    """Entities, endless lists and endless tags are one clear line, soon."""
    make, line = ATTACKS[name]
    data = make()
    start = time.process_time()
    reported = error_of(data)
    assert time.process_time() - start < 10  # with room for a busy machine
    assert reported == (line or "s.xml:3: is not well-formed XML (unclosed token).")


@given(st.binary(max_size=200), st.integers(0, len(SITEMAP)), st.booleans())
def test_no_bytes_end_in_anything_but_elements_or_an_error(noise, where, packed):
    """Whatever is put into a sitemap, or into the ``.gz`` of one."""
    whole = gzip.compress(SITEMAP) if packed else SITEMAP
    try:
        reported = read(unpacked(whole[:where] + noise + whole[where:], "s.xml"))
    except SitemapError as error:
        reported = [error.problem.place.file]
    assert reported[0]
