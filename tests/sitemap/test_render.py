"""Entries as XML, to the letter."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from one_file import one_file

from mkdocs_sitemap_plus.sitemap import (
    Changefreq,
    Restriction,
    SitemapEntry,
    UrlEntry,
    Video,
    newest,
    utc_day,
)
from mkdocs_sitemap_plus.sitemap.write import (
    begins_like_own_file,
    decimal_text,
    escape_attribute,
    escape_element,
    render_head,
    render_index,
    render_url,
)

LOC = "https://example.com/"
WHEN = datetime(2026, 11, 20, 11, 34, 59, 7, tzinfo=UTC)
VIDEO = Video(thumbnail_loc="t", title="T", description="D", content_loc="c")


def inside(entry):
    """The lines of an entry between its ``loc`` and its end, without their indentation."""
    first, loc, *lines, last = [line.strip() for line in render_url(entry).splitlines()]
    assert (first, loc, last) == ("<url>", f"<loc>{entry.loc}</loc>", "</url>")
    return lines


def of_video(**changes):
    """The lines of a video after its ``content_loc``."""
    values = {name: getattr(VIDEO, name) for name in ("thumbnail_loc", "title", "description")}
    video = Video(content_loc="c", **values, **changes)
    first, *lines, last = inside(UrlEntry(loc=LOC, videos=(video,)))
    assert (first, last) == ("<video:video>", "</video:video>")
    assert lines[:4] == [
        "<video:thumbnail_loc>t</video:thumbnail_loc>",
        "<video:title>T</video:title>",
        "<video:description>D</video:description>",
        "<video:content_loc>c</video:content_loc>",
    ]
    return lines[4:]


def test_a_page_alone_has_its_url_only():
    """And two blanks for each level."""
    assert render_url(UrlEntry(loc=LOC)) == f"  <url>\n    <loc>{LOC}</loc>\n  </url>\n"


def test_core_fields_are_in_the_order_of_the_schema():
    """Whatever has no value is not there; a priority of 0 is a value."""
    entry = UrlEntry(
        loc=LOC, lastmod=WHEN, changefreq=Changefreq.NEVER, priority=Decimal(0), images=("i",)
    )
    assert inside(entry) == [
        "<lastmod>2026-11-20T11:34:59+00:00</lastmod>",
        "<changefreq>never</changefreq>",
        "<priority>0.0</priority>",
        "<image:image>",
        "<image:loc>i</image:loc>",
        "</image:image>",
    ]
    assert inside(UrlEntry(loc=LOC, lastmod=date(2026, 11, 20))) == [
        "<lastmod>2026-11-20</lastmod>"
    ]


def test_all_fields_of_a_video_are_in_the_order_of_the_schema():
    """Also those whose value is 0 or False."""
    lines = of_video(
        player_loc="p",
        duration=1,
        expiration_date=date(2027, 1, 2),
        rating=Decimal(0),
        view_count=0,
        publication_date=WHEN,
        tags=("a", "b"),
        family_friendly=False,
        restriction=Restriction(allow=True, names=("DE", "AT")),
        requires_subscription=True,
        uploader="Ann",
        uploader_info="https://example.com/?a&b",
        platform=Restriction(allow=False, names=("tv",)),
        live=False,
    )
    assert lines == [
        "<video:player_loc>p</video:player_loc>",
        "<video:duration>1</video:duration>",
        "<video:expiration_date>2027-01-02</video:expiration_date>",
        "<video:rating>0.0</video:rating>",
        "<video:view_count>0</video:view_count>",
        "<video:publication_date>2026-11-20T11:34:59+00:00</video:publication_date>",
        "<video:tag>a</video:tag>",
        "<video:tag>b</video:tag>",
        "<video:family_friendly>no</video:family_friendly>",
        '<video:restriction relationship="allow">DE AT</video:restriction>',
        "<video:requires_subscription>yes</video:requires_subscription>",
        '<video:uploader info="https://example.com/?a&amp;b">Ann</video:uploader>',
        '<video:platform relationship="deny">tv</video:platform>',
        "<video:live>no</video:live>",
    ]


def test_only_a_file_that_begins_exactly_like_ours_may_be_one_of_ours():
    """With or without a style sheet, a list or an index; other indentation is not ours."""
    for sheet in (None, "sitemap.css"):
        index = render_index([SitemapEntry(loc=LOC)], sheet)
        for own in (one_file([UrlEntry(loc=LOC)], sheet), index):
            assert begins_like_own_file(own)
            assert not begins_like_own_file(own.replace(b"\n  <", b"\n<"))
            assert not begins_like_own_file(b" " + own)
    assert render_head(frozenset(), None).endswith(b'sitemap/0.9">\n')


def test_an_index_has_dates_where_they_are_known():
    """One line for each, and an end."""
    entries = [SitemapEntry(loc="a&b"), SitemapEntry(loc="c", lastmod=date(2026, 11, 20))]
    assert render_index(entries).decode() == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        "  <sitemap>\n    <loc>a&amp;b</loc>\n  </sitemap>\n"
        "  <sitemap>\n    <loc>c</loc>\n    <lastmod>2026-11-20</lastmod>\n  </sitemap>\n"
        "</sitemapindex>\n"
    )


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
