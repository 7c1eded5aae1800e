"""Sitemaps are read as lxml reads them, and mean the same in every spelling."""

import re
from datetime import UTC, datetime

from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import etree
from quantity import tries
from sitemap_texts import SPACE

from mkdocs_sitemap_plus.check import Findings, Report
from mkdocs_sitemap_plus.check.protocol import check
from mkdocs_sitemap_plus.check.structure import _check_wrong_children, _right_shapes
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap import elements as shapes
from mkdocs_sitemap_plus.sitemap.collect import collect
from mkdocs_sitemap_plus.sitemap.elements import URL, shapes_by_tag
from mkdocs_sitemap_plus.sitemap.open_sitemaps import FoundFile
from mkdocs_sitemap_plus.sitemap.parse import RawElement, elements
from mkdocs_sitemap_plus.sitemap.urls import _parsed_key, loc_fault, url_key, within
from mkdocs_sitemap_plus.sitemap.values import LOC, InvalidTextError, _all_loc_faults

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

WRONG = re.compile('"href|href=.* href=')  # no XML
EXTENDING = (
    *(text for text in EXTENSIONS if len(text) < 1_000 and not WRONG.search(text)),
    '<xhtml:link rel="alternate" hreflang="de" href="https://example.com/?a=1&amp;b=%C3%BC"/>',
    '<xhtml:link rel="alternate" hreflang="en" href="https://example.com/en/?a=1&amp;b=2"/>',
)

SITEMAPS = st.tuples(
    st.sampled_from(("", '<?xml version="1.0"?>\n', "<!-- <url> -->", "\ufeff")),
    st.sampled_from(OPENINGS) | st.just(OPENINGS[0]),
    st.lists(ENTRIES | st.sampled_from((PLAIN, EXTENDED, *AROUND)), max_size=8).map("".join),
    st.sampled_from(("</urlset>", "</urlset>\n", "", "</url>", "</urlset><url/>")),
)
PARSER = etree.XMLParser(resolve_entities=False, huge_tree=True)


def by_lxml(data):
    """Return the root and its children as lxml reads them; None if it can't."""
    try:
        root = etree.fromstring(data, PARSER)
    except etree.XMLSyntaxError:
        return None
    return [raw(root, children=False), *map(raw, root.iterchildren(etree.Element))]


def raw(element, *, children=True):
    """Return an element of lxml in our shape, with the text that is directly in it."""
    texts = [element.text, *(child.tail for child in element)] if children else []
    return RawElement(
        tag(element.tag),
        element.sourceline,
        {tag(name): value for name, value in element.attrib.items()},
        "".join(filter(None, texts)),
        [raw(child) for child in element.iterchildren(etree.Element)] if children else [],
    )


def tag(name):
    return name.replace("}", " ").removeprefix("{")


@settings(max_examples=tries(200, 2_000))
@given(SITEMAPS)
@example(("", OPENINGS[0], f"<!-- </url>{PLAIN} -->", "</urlset>"))
@example(("", OPENINGS[0], f"<?x </url>{PLAIN}?>", "</urlset>"))
@example(("", OPENINGS[0], f"<![CDATA[</url>{PLAIN}]]>", "</urlset>"))
@example(("", OPENINGS[0], f"{PLAIN}<x><url></url>{PLAIN}</x>", "</urlset>"))
@example(("", OTHER_PREFIX, f'<x xmlns="{SPACE}"/>{PLAIN}', "</urlset>"))
@example(("", OPENINGS[0], f"<url>a<b>c</b>d<!-- e -->f<?g h?>i</url>{PLAIN}", "</urlset>"))
def test_elements_are_read_as_lxml_reads_them(pieces):
    """All of them with their attributes, texts and lines; and what one can't read, both can't."""
    # Of a tag of several lines, lxml gives the last line. It does not count a "\r" alone.
    text = "".join(pieces).replace('"\n', '" ')
    data = re.sub(r"\r(?!\n)", "\n", text).encode()
    found, error = [], None
    try:
        for element in elements(data, "s.xml"):
            found.append(element)  # noqa: PERF402 - those before an error, too
    except SitemapError as caught:
        error = caught.problem
    expected = by_lxml(data)
    if error is None:
        assert [element for element in found if element.tag] == expected
    elif error.code == "not-xml" and "unbound prefix" not in error.found:  # which lxml reads
        assert expected is None


LOC_OF_HOME = "<loc>https://example.com/?a=1&amp;b=%C3%BC</loc>"
FIELDS = ("<lastmod>2026-11-20T10:00:00Z</lastmod>", "<lastmod>2026-02-30</lastmod>")
FIELDS += (
    "<changefreq>daily</changefreq>",
    "<priority>0.5</priority>",
    "<priority>2</priority>",
)
SPELLINGS = {
    "our own": lambda text: text,
    "single quotes": lambda text: text.replace('"', "'"),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "character references": lambda text: text.replace("&amp;", "&#38;").replace("com", "c&#x6f;m"),
    "CDATA": lambda text: re.sub(
        "<loc>(.*?)</loc>",
        lambda loc: f"<loc><![CDATA[{loc[1].replace('&amp;', '&')}]]></loc>",
        text,
    ),
    "a prefix": lambda text: re.sub(
        r"<(/?)(urlset|url|loc|lastmod|changefreq|priority)\b", r"<\1s:\2", text
    ).replace("xmlns=", "xmlns:s="),
    "comments": lambda text: re.sub("(<url>)\n(<loc>)", r"\1<!-- <loc> -->\n\2<!--</loc>-->", text),
    "another order of attributes": lambda text: re.sub(
        r'(rel="[^"]*") (hreflang="[^"]*") (href="[^"]*")', r"\3 \1 \2", text
    ),
    "another closing": lambda text: re.sub(r"(<xhtml:link[^>]*)/>", r"\1></xhtml:link>", text),
    "spaces in tags": lambda text: re.sub(r"(</?[a-z:]+)>", r"\1 >", text),
    "other prefixes": lambda text: text.replace("xhtml:", "h:").replace(":xhtml=", ":h="),
}


@settings(max_examples=tries(40, 500), deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sets(st.sampled_from(FIELDS)).map(lambda fields: sorted(fields, key=FIELDS.index)),
            st.lists(st.sampled_from(EXTENDING), max_size=4),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_an_entry_means_the_same_in_every_spelling(tmp_path_factory, entries):
    """The same entries, the same findings in the same lines."""
    urls = (
        f"<url>\n{loc_of(number)}\n{''.join(fields)}{''.join(extensions)}\n</url>\n"
        for number, (fields, extensions) in enumerate(entries)
    )
    text = f"{OPENINGS[0]}\n{''.join(urls)}</urlset>\n"
    file = tmp_path_factory.mktemp("spelled") / "s.xml"
    read = {}
    for name, spell in SPELLINGS.items():
        file.write_bytes(spell(text).encode())
        checked = check(FoundFile(file.as_posix()), now=datetime(2026, 11, 21, tzinfo=UTC))
        entries_read = collect(file.as_posix()).entries
        read[name] = (entries_read, checked.listed, checked.findings.kept)
    assert all(found == read["our own"] for found in read.values())
    assert len(read["our own"][0]) == len(entries)


def loc_of(number):
    return LOC_OF_HOME.replace("?a=1", f"{number or ''}?a=1")


CHILD_TAGS = (
    *shapes_by_tag(URL, SPACE),
    *shapes.EXTENSIONS,
    "loc",
    f"{SPACE} url",
    "urn:x loc",
    "http://www.google.com/schemas/sitemap-mobile/1.0 mobile",
)


@settings(max_examples=tries(200, 5_000))
@given(st.lists(st.sampled_from(CHILD_TAGS), max_size=6) | st.permutations(CHILD_TAGS[:6]))
@example([*shapes_by_tag(URL, SPACE), *shapes.EXTENSIONS])
def test_which_children_are_right_is_known_by_their_names(tags):
    """The rules for each child find nothing exactly if all of them are right together."""
    entry = RawElement(f"{SPACE} url", 3, children=[RawElement(tag, 4, text="?") for tag in tags])
    findings = Findings()
    _check_wrong_children(entry, URL, Report(findings=findings, file="s.xml"))
    of_places = ("element-order", "element-twice", "element-unknown", "namespace-unknown")
    wrong = [
        finding
        for finding in findings.kept
        if finding.code in of_places or finding.reason.startswith("url has no ")
    ]
    known = _right_shapes(URL, SPACE, tuple(tags))
    mobile = "http://www.google.com/schemas/sitemap-mobile/1.0 mobile" in tags
    assert (known is None) == bool(wrong or mobile)


URLS = st.text("htps:/.ex@[]%4&;amp#?=é <\\0", max_size=12).map(lambda end: f"https://e.com{end}")


@settings(max_examples=tries(300, 10_000))
@given(URLS | st.sampled_from(LOCS))
@example("https://e.com/" + "a" * 2033)
@example("https://e.com/" + "a" * 2034)
@example("https://e.com:0/")
@example("https://e.com:9999/")
@example("https://e.com:65536/")
@example("https://e.com/?a&amp;b")
@example("https://a..b/")
def test_a_usual_url_has_no_fault_that_all_rules_find(url):
    """Most URLs are known to be right at a glance."""
    assert list(LOC.faults(url)) == list(_all_loc_faults(url.strip(" \t\r\n")))
    assert reading_fault(url) in (loc_fault(url), "has a host or a port that is not valid")


PLACES = st.lists(
    st.sampled_from([*"/.?&=:%", "a", "b.c", "..", "%C3", "%2F", "%c3", ":80", ":8443"])
)


@settings(max_examples=tries(300, 10_000))
@given(st.sampled_from(["https://e.com", "http://e.com"]), PLACES.map("".join))
@example("https://e.com", "/a/b.html?c=d&e=/../")
@example("https://e.com", ":65536/")
@example("http://e.com", ":443/")
@example("https://e.com", "/a/..")
@example("https://e.com", "/a/.?b")
@example("https://e.com", "//a")
@example("https://e.com", "/a?")
def test_a_plain_url_is_its_own_key(host, place):
    """Most URLs are known to have no other spelling at a glance."""
    assert url_key(host + place) == _parsed_key(host + place)
    folders = ("https://e.com/", "https://e.com/a/", "https://e.com:8443/")
    for folder in folders:
        key = url_key(host + place)
        is_below = key.partition("?")[0].startswith(folder)
        assert within(host + place, folder) is is_below


def reading_fault(url):
    """Return why a URL is not read, as a clause; None if it is."""
    try:
        LOC.read(url)
    except InvalidTextError as error:
        return str(error).rpartition(", which ")[2]
    return None
