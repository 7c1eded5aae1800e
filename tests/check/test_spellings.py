"""Sitemaps mean the same in every spelling, and usual URLs are known at a glance."""

import re
from datetime import UTC, datetime

from hypothesis import example, given, settings
from hypothesis import strategies as st
from quantity import tries
from sitemap_texts import SPACE

from mkdocs_sitemap_plus.command.checks.one_sitemap import check
from mkdocs_sitemap_plus.command.reader.find import FoundFile
from mkdocs_sitemap_plus.command.reader.read import collect
from mkdocs_sitemap_plus.sitemap.urls import _parsed_key, loc_fault, loc_faults, url_key, within

NOW = datetime(2026, 11, 21, tzinfo=UTC)
XHTML = ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
IMAGE = ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
OPENING = f'<urlset xmlns="{SPACE}"{XHTML}{IMAGE}>'
LOCS = (
    *("https://web.example/", "http://a.b/%41b?c=d", "https://a.b/%", "https://a.b/#c", "/a"),
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
EXTENDING = (
    *(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{loc}"/>'
        for code in ("de", "x-default", "zh-Hant-TW", "DE", "de_AT", "english", "")
        for loc in ("https://web.example/", "http://a.b/%41b?c=d", "https://a..b/")
    ),
    *(f"<image:image><image:loc>{loc}</image:loc></image:image>" for loc in LOCS),
    '<xhtml:link rel="alternate" hreflang="es" href="https://web.example/" />',
    '<xhtml:link rel="alternate" hreflang="pt"\n  href="https://web.example/"\n/>',
    '<xhtml:link rel="alternate" hreflang="it" href="https://web.example/">text</xhtml:link>',
    '<xhtml:link rel="alternate" hreflang="it" media="print" href="https://web.example/"/>',
    '<xhtml:link hreflang="nl" href="https://web.example/"/>',
    '<xhtml:link rel="next" hreflang="nl" href="https://web.example/"/>',
    '<xhtml:link rel="alternate" hreflang="de" href="https://web.example/?a=1&amp;b=%C3%BC"/>',
    "<image:image>\n<image:loc>https://web.example/b.png</image:loc>\n</image:image>",
    "<image:image><image:title>A</image:title></image:image>",
)

LOC_OF_HOME = "<loc>https://web.example/?a=1&amp;b=%C3%BC</loc>"
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


@settings(max_examples=tries(6, 60), deadline=None)
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
    """The same entries in the same lines, and the same findings."""
    urls = (
        f"<url>\n{loc_of(number)}\n{''.join(fields)}{''.join(extensions)}\n</url>\n"
        for number, (fields, extensions) in enumerate(entries)
    )
    text = f"{OPENING}\n{''.join(urls)}</urlset>\n"
    file = tmp_path_factory.mktemp("spelled") / "s.xml"
    read = {}
    for name, spell in SPELLINGS.items():
        file.write_bytes(spell(text).encode())
        checked = check(FoundFile(file.as_posix()), now=NOW)
        found = [(each.rule, each.loc, each.reason) for each in checked.findings.kept]
        read[name] = (collect(file.as_posix()).entries, checked.listed, found)
    assert all(found == read["our own"] for found in read.values())
    assert len(read["our own"][0]) == len(entries)


def loc_of(number):
    return LOC_OF_HOME.replace("?a=1", f"{number or ''}?a=1")


URLS = st.text("htps:/.ex@[]%4&;amp#?=é <\\0", max_size=12).map(lambda end: f"https://e.com{end}")


@settings(max_examples=tries(40, 600))
@given(URLS | st.sampled_from(LOCS))
@example("https://e.com/" + "a" * 2033)
@example("https://e.com/" + "a" * 2034)
@example("https://e.com:0/")
@example("https://e.com:9999/")
@example("https://e.com:65536/")
@example("https://e.com/?a&amp;b")
@example("https://a..b/")
def test_a_plain_url_has_no_fault_that_a_rule_could_find(url):
    """Most URLs are known to be right at a glance, and the rules are asked about others alone."""
    url = url.strip(" \t\r\n")
    assert loc_fault(url) is None or [*loc_faults(url)]


PLACES = st.lists(
    st.sampled_from([*"/.?&=:%", "a", "b.c", "..", "%C3", "%2F", "%c3", ":80", ":8443"])
)


@settings(max_examples=tries(40, 600))
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


def test_an_escaped_slash_is_no_slash_and_no_letters():
    """Its hexadecimal digits are the same in both cases (RFC 3986 6.2.2.1)."""
    keys = [url_key(f"https://h/a{written}b") for written in ("%2f", "%2F", "2F", "/")]
    assert len(set(keys)) == 3
    assert keys[0] == keys[1]
