"""Reading plain entries quickly gives what the parser alone gives, whatever stands around them."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from quantity import more_at_length, tries
from sitemap_texts import SPACE

from mkdocs_sitemap_plus.check import Findings, Report
from mkdocs_sitemap_plus.check.structure import (
    check_element,
    check_images,
    check_links,
    targets,
    targets_of,
)
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap.elements import URL, url_entry
from mkdocs_sitemap_plus.sitemap.parse import elements
from mkdocs_sitemap_plus.sitemap.plain_entries import PlainEntry, root_and_entries
from mkdocs_sitemap_plus.sitemap.values import strict_date

XHTML = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
IMAGE = ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
OTHER_PREFIX = f'<x:urlset xmlns:x="{SPACE}" xmlns="urn:x">'
OPENINGS = (
    f'<urlset xmlns="{SPACE}"{XHTML}{IMAGE}>',
    f'<urlset xmlns="{SPACE}">',
    f'<urlset{XHTML} xmlns="{SPACE}">',
    f'<urlset xmlns="{SPACE}" xmlns:xhtml="urn:x"{IMAGE}>',
    f'<urlset xmlns="{SPACE}" xmlns:x="urn:x">',
    f'<x:urlset xmlns:x="{SPACE}">',
    OTHER_PREFIX,
    f'<sitemapindex xmlns="{SPACE}">',
    '<urlset xmlns="urn:x">',
    "<urlset>",
    "",
)
LOCS = (
    *("https://example.com/", "http://a.b/%41b?c=d", "https://a.b/%", "https://a.b/#c", "/a"),
    *("https://a..b/", "https://999.1/", "https://a.b/" + "c" * 2040, "https://a.b:80/", "a&amp;b"),
    *(
        "https://ä.b/",
        "https://a.b/ä",
        "https://a.b/[",
        " https://a.b/ ",
        "https://a.b",
        "HTTP://a/",
    ),
)
DATES = (
    *(
        "2026-11-20",
        "2026-11-20T10:00:00Z",
        "2026-11-20T10:00:00+14:00",
        "2026-02-30",
        "0000-01-01",
    ),
    *("1970-01-01", "1969-12-31T23:00:00-01:00", "2027-01-01", "2026-11-20T10:00:00.5Z", "2026"),
    *("2026-11-20T10:00Z", "2026-11-20T24:00:00Z", " 2026-11-20", "2026-11-20T10:00:00+14:30", ""),
)
CHILDREN = (
    *(f"<loc>{loc}</loc>" for loc in LOCS),
    *(f"<lastmod>{when}</lastmod>" for when in DATES),
    *(f"<changefreq>{word}</changefreq>" for word in ("daily", "Daily", "often")),
    *(f"<priority>{number}</priority>" for number in ("0.5", "1.0", "1.01", "0.12345", "1", "-1")),
    *("<!-- </url> -->", "<x/>", '<x:y xmlns:x="urn:y"/>', "\n", "\r\n", "text", "<loc/>"),
)
EXTENSIONS = (
    *(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{loc}"/>'
        for code in ("de", "x-default", "zh-Hant-TW", "DE", "de_AT", "english", "-", "")
        for loc in ("https://example.com/", "http://a.b/%41b?c=d", "https://a..b/")
    ),
    *(
        f'<xhtml:link rel="alternate" hreflang="fr" href="{loc}"/>'
        for loc in (*LOCS, "https://a.b/" + "c" * 100_000)
    ),
    *(f"<image:image><image:loc>{loc}</image:loc></image:image>" for loc in LOCS),
    *(
        each.replace("LINK", '<xhtml:link rel="alternate" hreflang="')
        for each in (
            'LINKes" href="https://example.com/" />',
            'LINKpt"\n  href="https://example.com/"\n/>',
            'LINKit" href="https://example.com/"></xhtml:link>',
            'LINKit" href="https://example.com/">text</xhtml:link>',
            'LINKit"href="https://example.com/"/>',
            'LINKit" href="https://example.com/" href="https://example.com/"/>',
            'LINKit" media="print" href="https://example.com/"/>',
            '<xhtml:link href="https://example.com/" hreflang="nl" rel="alternate"/>',
            "<xhtml:link rel='alternate' hreflang='nl' href='https://example.com/'/>",
            '<xhtml:link hreflang="nl" href="https://example.com/"/>',
            '<xhtml:link rel="next" hreflang="nl" href="https://example.com/"/>',
            "<image:image>\n<image:loc>https://example.com/b.png</image:loc>\n</image:image>",
            "<image:image>"
            + "<image:loc>https://example.com/</image:loc>" * 2
            + "<image:title>A</image:title></image:image>",
            "<image:image/>",
        )
    ),
)
PLAIN = "<url><loc>https://example.com/a</loc><lastmod>2026-11-20</lastmod></url>"
AROUND = (
    *(PLAIN, f"\n{PLAIN}\n", f"<!-- {PLAIN} -->", f"<![CDATA[{PLAIN}]]>", f"<?x {PLAIN}?>"),
    *(f"<!-- </url>{PLAIN} -->", f"<![CDATA[</url>{PLAIN}]]>", f"<?x </url>{PLAIN}?>"),
    *(
        f"<x><url></url>{PLAIN}</x>",
        f"{PLAIN}\n{PLAIN}",
        f"<x>{PLAIN}</x>",
        f'<x a="{PLAIN}"/>',
        f"<!--\n{PLAIN}",
        "-->",
        "<![CDATA[",
        "]]>",
        "<url>",
    ),
    *("</url>", "<url/>", "text", "\n", "\r\n", "\r", "]", "<", "&amp;", "<x>", "</x>", "\x00"),
    *('<url xmlns="urn:x"><loc>https://a.b/</loc></url>', "<url >\n</url>", "<!DOCTYPE x>", "ü"),
    "<x>" * 20,
)


def entry(children):
    return f"<url>{''.join(children)}</url>"


EXTENDED = f"<url><loc>https://example.com/</loc>{EXTENSIONS[0]}{EXTENSIONS[3]}</url>"
ENTRIES = st.lists(st.sampled_from(CHILDREN + EXTENSIONS), max_size=5).map(entry) | st.builds(
    lambda *children: entry(filter(None, (*children[:-1], *children[-1]))),
    *(
        st.sampled_from(
            [each for each in CHILDREN if each.startswith(f"<{name}>")] + ([""] * empty)
        )
        for name, empty in (("loc", 0), ("lastmod", 5), ("changefreq", 3), ("priority", 5))
    ),
    st.lists(st.sampled_from(EXTENSIONS), max_size=4),
)
TWICE = EXTENDED.replace("</url>", f"{EXTENSIONS[0]}</url>")
SITEMAPS = st.tuples(
    st.sampled_from(("", '<?xml version="1.0"?>\n', "<!-- <url> -->", "\ufeff")),
    st.sampled_from(OPENINGS) | st.just(OPENINGS[0]),
    st.lists(ENTRIES | st.sampled_from((PLAIN, EXTENDED, *AROUND)), max_size=8).map("".join),
    st.sampled_from(("</urlset>", "</urlset>\n", "", "</url>", "</urlset><url/>")),
)


def quickly(data):
    def found():
        root, others = root_and_entries(data, "s.xml")
        yield root
        yield from others

    return found


def compare(data):
    """Compare what is read quickly with the elements of the parser, one by one."""
    quick, slow = _all(quickly(data)), _all(lambda: elements(data, "s.xml"))
    quick, slow = _joined(quick), _joined(slow)
    assert len(quick) == len(slow)
    for one, other in zip(quick, slow, strict=True):
        if not isinstance(one, PlainEntry):
            assert one == other
            continue
        assert one.line == other.line
        assert (one.entry(), []) == url_entry(other, "s.xml")
        when = other.all(SPACE, "lastmod")
        assert one.lastmod == (strict_date(when[0].text) if when else None)
        findings = Findings()
        report = Report(findings=findings, file="s.xml", loc=one.loc)
        check_element(other, URL, report)
        check_links(other, targets_of(other)[0], report)
        check_images(other, report)
        assert findings.kept == []
        assert targets(one.links) == targets_of(other)
    return quick


def _all(found):
    done = []
    try:
        done.extend(found())
    except SitemapError as error:
        done.append(str(error))
    return done


def _joined(found):
    """Leave out texts: how many there are depends on the pieces in which the file is read."""
    return [each for each in found if isinstance(each, (str, PlainEntry)) or each.name]


@settings(max_examples=tries(100, 2_000))
@given(SITEMAPS)
@example(("", OPENINGS[0], f"{PLAIN}\n{PLAIN}\n", "</url>"))  # a fault behind it, with its line
@example(("", OPENINGS[0], f"<!-- </url>{PLAIN} -->", "</urlset>"))
@example(("", OPENINGS[0], f"<?x </url>{PLAIN}?>", "</urlset>"))
@example(("", OPENINGS[0], f"<![CDATA[</url>{PLAIN}]]>", "</urlset>"))
@example(("", OPENINGS[0], f"{PLAIN}<x><url></url>{PLAIN}</x>", "</urlset>"))
@example(("", OTHER_PREFIX, PLAIN, "</urlset>"))
@example(("", OTHER_PREFIX, f'<x xmlns="{SPACE}"/>{PLAIN}', "</urlset>"))
@example(("", OPENINGS[1], EXTENDED, "</urlset>"))
@example(("", OPENINGS[3], EXTENDED, "</urlset>"))
@example(("", OPENINGS[0], TWICE, "</urlset>"))
def test_what_is_read_quickly_is_what_the_parser_reads(pieces):
    """The same entries with the same lines, and the same errors; plain entries have no finding."""
    compare("".join(pieces).encode())


def test_each_text_is_read_quickly_as_the_parser_reads_it():
    """Each URL, date, word, number and extension once, also where random sitemaps do not try it."""
    for child in (*CHILDREN, *EXTENSIONS):
        loc = "" if child.startswith("<loc>") else "<loc>https://example.com/</loc>"
        compare(f"{OPENINGS[0]}{entry([loc, child])}</urlset>".encode())


@more_at_length
@pytest.mark.parametrize("entry", [PLAIN, EXTENDED])
def test_plain_entries_are_read_quickly(entry):
    """Else all of this would be about nothing."""
    many = tries(1_500, 5_000)
    others = [f"<!-- {entry} -->", "<url/>", f"<![CDATA[{entry}]]>", *["<url/>"] * 500]
    text = "\n".join([OPENINGS[0], entry, entry, *others, *[entry] * many, "</urlset>"])
    found = compare(text.encode())
    assert sum(isinstance(each, PlainEntry) for each in found) > many / 2
    assert len(found) == 1 + 2 + 501 + many


LINK = EXTENSIONS[0]
LARGE = {
    "more elements than a reader takes": LINK * 10_001,
    "a tag that is longer than a reader takes": LINK.replace("m/", f"m/{'a' * 3_000_000}"),
    "white space in a tag": LINK.replace("/>", f"{' ' * 3_000_000}/>"),
    "more images than a page may have": "".join(
        f"<image:image><image:loc>http://a/{number}</image:loc></image:image>"
        for number in range(1_001)
    ),
}


@pytest.mark.parametrize("extensions", LARGE.values(), ids=LARGE)
def test_entries_with_too_much_are_not_plain(extensions):
    """Their findings and errors come from the parser."""
    large = f"<url><loc>https://example.com/</loc>{extensions}</url>"
    found = compare(f"{OPENINGS[0]}{large}</urlset>".encode())
    assert not any(isinstance(each, PlainEntry) for each in found)
