"""Whatever the head of a page is: `page_dates` adds its tags once, and changes nothing else."""

import json
import re
from datetime import UTC, date, datetime

from heads import dates_in_head, shape
from hypothesis import given, settings
from hypothesis import strategies as st
from quantity import tries

from mkdocs_sitemap_plus.html.stated_dates import (
    DOCUMENT_DATES,
    StatedDate,
    stated_dates,
    with_date,
)

WHEN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
TEXT = "2026-01-02T03:04:05+00:00"
URL = "https://web.example/a/"
JSON = {
    "@context": "https://schema.org",
    "@type": "WebPage",
    "dateModified": TEXT,
    "url": URL,
}

STARTS = ["", "\ufeff", "<!doctype html>", "<!DOCTYPE HTML PUBLIC '-//W3C//DTD HTML 4.01//EN'>\n"]
PARTS = st.sampled_from(
    [
        "<html>", "<html lang=de class='a>b'>", "<HTML>", "<head>", '<head data-a="<head>">',
        "<HEAD\n>", "</head>", "</HEAD >", "<body>", "<BODY class=x>", "</body>", "</html>",
        "<meta charset=utf-8>", "<meta charset='utf-8' />", '<META name="a" content="</head>">',
        "<link rel=stylesheet href=a.css>", "<link rel=canonical href='/?a>b'>", "<base href=/>",
        "<title>A</title>", "<title>a < b</title>", "<title></title>", "<TITLE>&lt;/head></TITLE>",
        "<title>", "<style>a > b {}</style>", "<style></head></style>",
        "<script>'</head>'</script>", "<script>", "<script src=a></script>",
        "<script>const charset = '<head>'</script >", "<style>body::after {content: '<'}</style>",
        "<script><!--<script></script></head>--></script>", "<noscript><link rel=a></noscript>",
        "<noscript><p>x</p></noscript>", "<noscript>", "<template><p></template>", "<template>",
        "<!-- </head> -->", "<!-->", "<!--->", "<!--", "<!-- a --!>", "<!-- -- > -->",
        "<![CDATA[ </head> ]]>", "<?xml version='1.0'?>", "<!x>", "</>", "</p>", "</br>", "text",
        " ", "\n", "\t\r\n", "日本語", "é", "<p>p</p>", "<svg><title>", "<math>", "<frameset>",
        "<select>", "<table>", "<a <b>", "<meta", "<head", "&amp;", "<", "<div title='<head>'>",
        "<object>", "<form>", "<textarea></head>", "<pre>\n", "<iframe>",
    ]
)  # fmt: skip
HEADS = st.builds(
    lambda start, parts: start + "".join(parts),
    st.sampled_from(STARTS),
    st.lists(PARTS, max_size=12),
)
MORE = settings(max_examples=tries(few=50, many=250))


@MORE
@given(html=HEADS, scripting=st.booleans())
def test_whatever_the_head_is_it_gets_both_tags_once_and_is_otherwise_unchanged(html, scripting):
    """As html5lib reads the page; a text that is no whole page does not change at all."""
    new = with_date(html, WHEN, URL)
    if not re.search(r"<(?:!doctype\s+html|html|head|body)\b", html, re.IGNORECASE):
        assert new == html
        return
    metas, scripts = dates_in_head(new, scripting=scripting)
    assert (metas, scripts) == ([TEXT], [JSON])
    assert shape(new, scripting=scripting) == shape(html, scripting=scripting)
    assert with_date(new, WHEN, URL) == new
    assert with_date(new, None, URL) == html


def test_the_date_of_mkdocs_document_dates_is_read():
    """As its version 3.8.9 writes it, and minified; not that of the first commit."""
    html = (
        "<span class='dd-item' data-tippy-raw='04.05.2024'><span class='material-icons' "
        "data-icon='doc_created'></span><time datetime='2023-01-01T00:00:00+00:00'>a</time></span>"
        "<span class='dd-item' data-tippy-raw='04.05.2024'><span class='material-icons' "
        "data-icon='doc_updated'></span><time datetime='2024-05-04T08:53:19+00:00'>b</time></span>"
    )
    when = datetime(2024, 5, 4, 8, 53, 19, tzinfo=UTC)
    expected = [(DOCUMENT_DATES, "2024-05-04T08:53:19+00:00", when)]
    assert stated_dates(html, URL) == stated_dates(html.replace("'", ""), URL) == expected


def test_days_are_compared_as_they_are_written_or_in_utc():
    """A date without a time is no other day than the times that begin with it."""
    day, noon = date(2026, 1, 2), datetime(2026, 1, 2, 12, tzinfo=UTC)
    evening = datetime.fromisoformat("2026-01-02T23:30:00-05:00")
    next_day = datetime(2026, 1, 3, 4, 30, tzinfo=UTC)
    for stated, lastmod, differs in (
        *((None, day, False), (day, noon, False), (noon, day, False), (evening, next_day, False)),
        *((next_day, day, True), (day, next_day, True), (noon, next_day, True)),
    ):
        assert StatedDate("a", "b", stated).differs_from(lastmod) is differs


def test_json_ld_dates_the_page_that_it_names():
    """By its URL, by a part of it, or by none."""
    for name, is_page in (
        (URL, True),
        (f"{URL}#page", True),
        ("#page", True),
        (f"{URL}b/#a", False),
    ):
        node = {"@id": name, "dateModified": "2026-01-02"}
        html = f'<script type="application/ld+json">{json.dumps(node)}</script>'
        assert [each.text for each in stated_dates(html, URL)] == ["2026-01-02"] * is_page, name
