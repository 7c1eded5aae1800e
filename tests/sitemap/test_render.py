"""Entries as XML, to the letter."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from one_file import one_file

from mkdocs_sitemap_plus.sitemap.entries import SitemapEntry, UrlEntry
from mkdocs_sitemap_plus.sitemap.protocol import newest, utc_day
from mkdocs_sitemap_plus.sitemap.write import (
    decimal_text,
    escape_attribute,
    escape_element,
    render_head,
    render_index,
)

LOC = "https://example.com/"


def test_the_last_line_says_who_wrote_the_file():
    """With or without a style sheet, a list or an index; no release is in it."""
    for sheet in (None, "sitemap.css"):
        index = render_index([SitemapEntry(loc=LOC)], sheet)
        for own in (one_file([UrlEntry(loc=LOC)], sheet), index):
            assert own.splitlines()[-1] == b"<!-- Made by mkdocs-sitemap-plus -->"
    assert render_head(frozenset(), None).endswith(b'sitemap/0.9">\n')


def test_the_root_is_in_the_first_bytes_without_a_style_sheet():
    """LinkChecker looks for it in 70 characters, and takes the file for another one without."""
    index = render_index([SitemapEntry(loc=LOC)])
    for own, root in ((one_file([UrlEntry(loc=LOC)]), b"<urlset "), (index, b"<sitemapindex ")):
        assert root in own[:70]


@pytest.mark.parametrize(
    ("number", "text"),
    [("1", "1.0"), ("0.50", "0.5"), ("0", "0.0"), ("0.0001", "0.0001"), ("1E-7", "0.0000001")],
)
def test_a_priority_has_digits_and_a_point(number, text):
    """Never an exponent."""
    assert decimal_text(Decimal(number)) == text


@pytest.mark.parametrize(
    ("text", "in_element", "in_attribute"),
    [
        ("a b/ü", "a b/ü", "a b/ü"),
        ("a&b", "a&amp;b", "a&amp;b"),
        ("a<b", "a&lt;b", "a&lt;b"),
        ("a>b", "a&gt;b", "a&gt;b"),
        ('a"b', "a&quot;b", "a&quot;b"),
        ("a'b", "a&apos;b", "a&apos;b"),
        ("&<>\"'", "&amp;&lt;&gt;&quot;&apos;", "&amp;&lt;&gt;&quot;&apos;"),
        ("\t\n\r", "\t\n&#13;", "&#9;&#10;&#13;"),
        ("\x00a\x0b\ud800\ufffe\uffff\x1f", "a", "a"),
        ("\x7f\u2028", "\x7f\u2028", "\x7f\u2028"),
    ],
)
def test_what_xml_has_no_letter_for_is_escaped_or_left_out(text, in_element, in_attribute):
    """In elements and attributes."""
    assert (escape_element(text), escape_attribute(text)) == (in_element, in_attribute)


def test_the_newest_date_is_known_if_all_are():
    """A date counts as its first moment in UTC."""
    day, later = date(2026, 11, 20), datetime(2026, 11, 20, 0, 0, 1, tzinfo=UTC)
    assert newest([]) is None
    assert newest([later, None]) is None
    assert newest([day]) == day
    assert newest([day, later]) == newest([later, day]) == later
    assert utc_day(datetime.fromisoformat("2026-11-20T23:30:00-05:00")) == date(2026, 11, 21)
    assert utc_day(datetime.max.replace(tzinfo=UTC)) == date(9999, 12, 31)
