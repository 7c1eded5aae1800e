"""Edge cases of the protocol, from a table of 66 rows; other files have the other rows."""

import gzip
import unicodedata
from datetime import timedelta

import pytest
from decided import NOW, decided, page, settings, site_of
from one_file import one_file
from quantity import at_length
from sites import CHANGEFREQS, DATES, SiteMaker, git, read_entries, validate

from mkdocs_sitemap_plus.sitemap import UrlEntry
from mkdocs_sitemap_plus.sitemap.split import Layout, files

PRIORITY = "but must be a number from 0.0 to 1.0. No priority is written."
NO_LASTMOD = f"but must be {DATES}. No lastmod is written."
NOT_THERE = "which is not a date that exists. No lastmod is written."


def row(number, *values, case="", marks=()):
    return pytest.param(*values, id=f"row-{number}{'-' if case else ''}{case}", marks=marks)


# Rows 1 to 7 and 17 to 24: which URL comes out.


@pytest.mark.parametrize(
    ("loc", "text"),
    [
        row(1, "https://h.example/?a=1&b=2", "https://h.example/?a=1&amp;b=2"),
        row(2, "https://h.example/?a=1&amp;b", "https://h.example/?a=1&amp;amp;b"),
        row(3, "https://h.example/it's/", "https://h.example/it&apos;s/", case="raw-quote"),
        row(7, "https://h.example/a%20b/", "https://h.example/a%20b/"),
    ],
)
def test_a_url_is_escaped_for_xml_exactly_once(loc, text):
    """Rule 3: and reads back as it was."""
    data = one_file([UrlEntry(loc=loc)])
    assert f"<loc>{text}</loc>" in data.decode()
    assert read_entries(data) == [{"loc": loc}]
    validate(data)


NAMES = [
    row(2, "a&amp;b.md", "a%26amp%3Bb/"),
    row(3, "it's.md", "it%27s/"),
    row(4, "a b.md", "a%20b/"),
    row(5, unicodedata.normalize("NFC", "ü.md"), "%C3%BC/", case="nfc"),
    row(5, unicodedata.normalize("NFD", "ü.md"), "u%CC%88/", case="nfd"),
    row(6, "100%.md", "100%25/"),
    row(7, "c%20d.md", "c%2520d/"),
    row(24, "index.md", "", case="index"),
    row(24, "sub/README.md", "sub/", case="readme"),
    row(52, "😀.md", "%F0%9F%98%80/", case="emoji"),
    row(52, "l\u2028s.md", "l%E2%80%A8s/", case="line-separator"),
    row(52, "n\x85l.md", "n%C2%85l/", case="next-line"),
]


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    """A site whose pages have odd names, committed."""
    site = SiteMaker(tmp_path_factory.mktemp("names"))
    site.docs({name.values[0]: "# Page\n" for name in NAMES})
    site.config()
    site.commit()
    return site.build()


@pytest.mark.parametrize(("name", "url"), NAMES)
def test_the_name_of_a_page_becomes_its_url_as_mkdocs_makes_it(named, name, url):
    """Rule 10: percent-encoded as on disk, and dated: git knows the name as well."""
    assert named.by_loc()[url] == {"lastmod": "2024-05-01T10:00:00+00:00"}
    assert named.warnings == []
    assert len(named.locs()) == len(NAMES)


# Rows 8 to 19: the site's own URL.

NO_SITEMAP = (
    "so no sitemap is written. "
    "Set it to the full address of the site, such as https://example.com/docs/."
)


@pytest.mark.parametrize(
    ("site_url", "problem"),
    [
        row(9, "https://h.example/{a}/", "whose path should be percent-encoded", case="braces"),
        row(9, "https://h.example/a|b/", "whose path should be percent-encoded", case="bar"),
        row(9, "https://h.example/a\\b/", "whose path should be percent-encoded", case="backslash"),
        row(9, "https://h.example/é/", "whose path should be percent-encoded", case="letter"),
        row(10, "https://h.example/a/#frag/", "which should have no query and no fragment"),
        row(
            11,
            "https://bücher.example/",
            "whose host should be in its ASCII form (xn--...)",
        ),
        row(12, "https://faß.de/", "whose host should be in its ASCII form (xn--...)"),
        row(
            13,
            "https://Example.COM:443/A/",
            "which should begin with 'https://example.com/'",
        ),
    ],
)
def test_a_site_url_that_should_be_written_otherwise_is_one_warning(site, site_url, problem):
    """URLs are never rewritten: a build with such a ``site_url`` says how to write it."""
    site.docs({"index.md": "# Home\n"})
    site.config(site_url=f"'{site_url}'")
    built = site.build(found=["loc-character", "loc-not-ascii"])
    expected = f"mkdocs.yml:2: site_url is {site_url!r}, {problem}. It is used unchanged."
    assert built.warnings[:1] == [expected]


@pytest.mark.parametrize(
    ("site_url", "problem"),
    [
        row(8, "https://h.example/%zz/",
            "WARNING mkdocs.yml:2: site_url is 'https://h.example/%zz/', "
            "which has a % that is not followed by two hexadecimal digits"),
        row(9, "https://h.example/a b/",
            "WARNING mkdocs.yml:2: site_url is 'https://h.example/a b/', "
            "which has a character that a URL can't have", case="blank"),
        row(14, "", "WARNING mkdocs.yml: site_url is not set"),
        row(15, "ftp://h.example/", "WARNING mkdocs.yml:2: site_url is 'ftp://h.example/'"),
        row(16, "https://me:secret@h.example/",
            "WARNING mkdocs.yml:2: site_url has a user name or a password"),
    ],
)  # fmt: skip
def test_without_a_usable_site_url_there_is_one_message_and_no_sitemap(site, site_url, problem):
    """It says what to set; the file of MkDocs, with its build dates, is not there either."""
    site.docs({"index.md": "# Home\n"})
    site.config(site_url=site_url)
    built = site.build()
    assert built.lines == [f"{problem}, {NO_SITEMAP}"]
    assert not [*built.path(".").glob("*.xml*")]


def test_a_relative_site_url_is_an_error_of_mkdocs_itself(site):
    """Row 15, the other half."""
    site.docs({"index.md": "# Home\n"})
    site.config(site_url="docs/")
    built = site.build(check=False)
    assert built.returncode == 1
    assert "Config value 'site_url'" in built.output


@pytest.mark.parametrize(
    ("site_url", "arguments", "locs"),
    [
        row(17, "https://h.example/proj/", [], ["proj/", "proj/a/"]),
        row(18, "https://h.example/proj", [], ["proj/", "proj/a/"], case="path"),
        row(18, "https://h.example", [], ["", "a/"], case="host"),
        row(19, "https://h.example:8080/", [], [":8080/", ":8080/a/"]),
        row(23, "https://h.example/", ["--no-directory-urls"], ["a.html", "index.html"]),
        row(1, "https://h.example/a&b/", [], ["a&b/", "a&b/a/"], case="site-url"),
        row(3, "https://h.example/it's/", [], ["it's/", "it's/a/"], case="site-url"),
    ],
)
def test_every_url_begins_with_the_site_url(site, site_url, arguments, locs):
    """Path, port and characters as they are configured, with a slash at the end."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.config(site_url=f'"{site_url}"')
    built = site.build(*arguments)
    assert built.warnings == []
    start = "https://h.example"
    found = [loc.removeprefix("/") for loc in built.locs(base=start)]
    assert found == locs


# Rows 20 to 30: which pages are listed.

THEME = {
    "theme/main.html": """\
<!doctype html><html><head>
{%- if page and page.meta.head %}{{ page.meta.head }}{% endif -%}
</head><body>{% if page %}{{ page.content }}{% endif %}</body></html>
""",
    "theme/404.html": "<!doctype html><title>Not found</title>\n",
}


def with_head(html):
    return f"---\nhead: >-\n  {html}\n---\n# Page\n"


def page_of_length(length):
    left = length - len("https://example.com/") - 1
    parts = []
    while left > 201:
        parts.append("x" * 199)
        left -= 200
    return "/".join([*parts, "y" * left])


IN, OUT = True, False
LISTED = [
    row(20, "host.md", with_head('<link rel="canonical" href="https://other.example/">'), OUT),
    row(
        20,
        "scheme.md",
        with_head('<link rel="canonical" href="http://example.com/scheme/">'),
        OUT,
        case="scheme",
    ),
    row(21, "1.0.md", with_head('<link rel="canonical" href="/latest/">'), OUT),
    row(22, page_of_length(2047) + ".md", "# 2047\n", IN, case="2047"),
    row(22, page_of_length(2048) + ".md", "# 2048\n", OUT, case="2048"),
    row(27, "noindex.md", with_head('<meta name="robots" content="noindex">'), OUT),
    row(28, "stub.md", with_head('<meta http-equiv="refresh" content="0; url=/plain/">'), OUT),
    row(29, "draft.md", "# Draft\n", OUT, case="draft"),
    row(29, "hidden.md", "# Not in the navigation\n", IN, case="not-in-nav"),
    row(29, "orphan.md", "# Nobody names it\n", IN, case="orphan"),
    row(29, "excluded.md", "# Excluded\n", OUT, case="excluded"),
    row(30, "plain.md", "# Plain\n", IN, case="a-page-beside-an-external-link"),
]


@pytest.fixture(scope="module")
def listed(tmp_path_factory):
    """A site with pages of all kinds."""
    site = SiteMaker(tmp_path_factory.mktemp("listed"))
    site.docs({case.values[0]: case.values[1] for case in LISTED} | {"index.md": "# Home\n"})
    site.write(THEME)
    site.config(
        theme="theme: {name: null, custom_dir: theme, static_templates: [404.html]}\n",
        more="draft_docs: draft.md\nnot_in_nav: hidden.md\nexclude_docs: excluded.md\n"
        "nav: [index.md, plain.md, External: 'https://example.com/elsewhere/']\n",
    )
    return site.build()


@pytest.mark.parametrize(("name", "text", "there"), LISTED)
def test_a_page_is_listed_or_not(listed, name, text, there):
    """Rule 13: canonical, indexable pages of the built site, and nothing else."""
    assert (name.removesuffix(".md") + "/" in listed.locs()) is there


def test_a_url_that_is_too_long_is_told(listed):
    """Row 22, rule 9: the only one of these that the owner should mend."""
    name = page_of_length(2048)
    shown = f"https://example.com/{name}"[:97] + "..."
    assert listed.warnings == [
        (
            f"docs/{name}.md: its URL {shown} has 2048 characters, where the protocol allows 2047. "
            "The page is left out."
        )
    ]


@pytest.mark.parametrize(
    "part", [row(26, "404", case="of-the-theme"), row(30, "elsewhere", case="an-external-link")]
)
def test_neither_the_error_page_nor_an_external_link_is_listed(listed, part):
    """Rule 13: though the one is a page of the site, and the other is in its navigation."""
    assert listed.path("404.html").exists()
    assert not [loc for loc in listed.locs() if part in loc]


@pytest.mark.parametrize(
    ("arguments", "built_as"),
    [
        row(26, [], "404/index.html", case="of-ones-own-in-a-folder"),
        row(26, ["--no-directory-urls"], "404.html", case="of-ones-own"),
    ],
)
def test_an_error_page_of_ones_own_is_listed_only_where_it_is_none(site, arguments, built_as):
    """Servers look for ``404.html``; ``404/`` is a page like any other."""
    site.docs({"index.md": "# Home\n", "404.md": "# Not found\n"})
    site.config("lastmod: {sources: []}")
    built = site.build(*arguments)
    assert built.path(built_as).exists()
    assert ("404/" in built.locs(), "404.html" in built.locs()) == (not arguments, False)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        row(25, "2024-01-01", "2024-01-02", case="the-second"),
        row(25, "2024-01-02", "2024-01-01", case="the-first"),
    ],
)
def test_two_sources_of_one_url_are_one_entry_with_the_newest_date(site, first, second):
    """Rule 13: here a hook of the owner maps a second page to the first one's URL."""
    site.docs(
        {
            "index.md": "# Home\n",
            "a.md": f"---\nlastmod: {first}\n---\n",
            "b.md": f"---\nlastmod: {second}\n---\n",
        }
    )
    site.write(
        {
            "hook.py": "def on_pre_page(page, config, files):\n"
            "    if page.file.src_uri == 'b.md':\n"
            "        page.canonical_url = config.site_url + 'a/'\n"
            "    return page\n"
        }
    )
    site.config(more="hooks: [hook.py]\n")
    assert site.build().by_loc() == {"": {}, "a/": {"lastmod": "2024-01-02"}}


# Rows 31 to 50: what is said of a page. Each case is a page of one site.

SAID = [
    row(31, "lastmod: 2024-01-02", {"lastmod": "2024-01-02"}, None),
    row(
        32,
        "lastmod: 2024-01-02T10:00:00+02:00",
        {"lastmod": "2024-01-02T10:00:00+02:00"},
        None,
    ),
    row(33, "lastmod: 2024-01-02T10:00:00", {"lastmod": "2024-01-02T10:00:00+01:00"}, None),
    row(34, "lastmod: 2024-01-02T10:00:00.987Z", {"lastmod": "2024-01-02T10:00:00+00:00"}, None),
    row(35, "lastmod: 2026", {}, f"lastmod is 2026, {NO_LASTMOD}", case="year"),
    row(
        35,
        "lastmod: '2026'",
        {},
        f"lastmod is '2026', {NO_LASTMOD}",
        case="year-in-text",
    ),
    row(
        35,
        "lastmod: 2026-11",
        {},
        f"lastmod is '2026-11', {NO_LASTMOD}",
        case="month",
    ),
    row(36, "lastmod: 2024-01-02T10:00Z", {"lastmod": "2024-01-02T10:00:00+00:00"}, None),
    row(
        37,
        "lastmod: '2024-01-02 10:00:00'",
        {"lastmod": "2024-01-02T10:00:00+01:00"},
        None,
        case="blank",
    ),
    row(
        37,
        "lastmod: 2024-01-02T10:00:00+0000",
        {"lastmod": "2024-01-02T10:00:00+00:00"},
        None,
        case="no-colon",
    ),
    row(
        37,
        "lastmod: '2024-01-02t10:00:00z'",
        {"lastmod": "2024-01-02T10:00:00+00:00"},
        None,
        case="lower-case",
    ),
    row(
        38,
        "lastmod: '2026-02-29'",
        {},
        f"lastmod is '2026-02-29', {NOT_THERE}",
        case="leap-day",
    ),
    row(
        38,
        "lastmod: '2026-13-01'",
        {},
        f"lastmod is '2026-13-01', {NOT_THERE}",
        case="month-13",
    ),
    row(
        38,
        "lastmod: Fri, 20 Nov 2026 10:00:00 GMT",
        {},
        f"lastmod is 'Fri, 20 Nov 2026 10:00:00 GMT', {NO_LASTMOD}",
        case="rfc-822",
    ),
    row(39, "lastmod: '2016-12-31T23:59:60Z'", {"lastmod": "2016-12-31T23:59:59+00:00"}, None),
    row(40, "lastmod: '2024-02-28T24:00:00Z'", {"lastmod": "2024-02-29T00:00:00+00:00"}, None),
    row(41, "lastmod: '2024-01-02T10:00:00-00:00'", {"lastmod": "2024-01-02T10:00:00+00:00"}, None),
    row(
        42,
        "lastmod: 2024-01-02T10:00:00+14:30",
        {},
        "lastmod is 2024-01-02T10:00:00+14:30, which has an offset of more than 14:00. "
        "No lastmod is written.",
    ),
    row(
        43,
        "lastmod: 9999-12-31",
        {},
        "lastmod is 9999-12-31, which is in the future. No lastmod is written.",
    ),
    row(44, "lastmod: 1969-12-31", {"lastmod": "1969-12-31"}, None),
    row(45, "lastmod: '0000-01-01'", {}, f"lastmod is '0000-01-01', {NOT_THERE}", case="year-0"),
    row(
        45,
        "lastmod: '10000-01-01'",
        {},
        f"lastmod is '10000-01-01', {NO_LASTMOD}",
        case="year-10000",
    ),
    row(
        45,
        "lastmod: '-2024-01-01'",
        {},
        f"lastmod is '-2024-01-01', {NO_LASTMOD}",
        case="negative",
    ),
    row(48, "priority: .5", {"priority": "0.5"}, None, case=".5"),
    row(48, "priority: 1", {"priority": "1.0"}, None, case="1"),
    row(48, "priority: 0", {"priority": "0.0"}, None, case="0"),
    row(49, "priority: 1.01", {}, f"priority is 1.01, {PRIORITY}", case="1.01"),
    row(49, "priority: -0.1", {}, f"priority is -0.1, {PRIORITY}", case="-0.1"),
    row(49, "priority: 5e-1", {}, f"priority is '5e-1', {PRIORITY}", case="5e-1"),
    row(
        49,
        'priority: "0,5"',
        {},
        f"priority is '0,5', {PRIORITY} Did you mean 0.5?",
        case="comma",
    ),
    row(49, "priority: .nan", {}, f"priority is nan, {PRIORITY}", case="nan"),
    row(
        49,
        "priority: true",
        {},
        f"priority is true, {PRIORITY}",
        case="true",
    ),
    row(50, "changefreq: Daily", {"changefreq": "daily"}, None, case="daily"),
    row(
        50,
        "changefreq: biweekly",
        {},
        f"changefreq is 'biweekly', but must be one of {CHANGEFREQS}. No changefreq is written. "
        "Did you mean 'weekly'?",
        case="biweekly",
    ),
]  # fmt: skip


SITES = 4


def page_of(case):
    return case.id.replace(".", "point") + ".md"


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """Sites with one page for each case, in the time zone of Berlin, not in a repository.

    A build shows five messages of a kind, so that the cases are spread over several sites.
    """
    built = {}
    for start in range(SITES):
        site = SiteMaker(tmp_path_factory.mktemp("said"))
        cases = SAID[start::SITES]
        site.docs({page_of(case): f"---\n{case.values[0]}\n---\n# Page\n" for case in cases})
        site.config("lastmod: {timezone: Europe/Berlin, sources: [front_matter]}")
        built |= dict.fromkeys(map(page_of, cases), site.build())
    return built


@pytest.mark.parametrize(
    ("page", "fields", "warning"),
    [
        pytest.param(page_of(case), *case.values[1:], id=case.id)
        for case in SAID
    ],
)  # fmt: skip
def test_what_front_matter_says_is_emitted_or_told(said, page, fields, warning):
    """A value that can't be right is never emitted, and is one warning."""
    assert said[page].by_loc()[page.removesuffix(".md") + "/"] == fields
    told = [line for line in said[page].warnings if page in line]
    assert told == ([f"docs/{page}:2: {warning}"] if warning else [])


# Rows 8 to 13, 22, 43 and 45: URLs that the owner adds, and what is said of them.

LONGEST = "https://example.com/" + "x" * (2047 - len("https://example.com/"))
UNUSABLE = "which {}. The URL is not listed."
UNDER = (
    "but must be a URL under the sitemap's own folder https://example.com/. The URL is not listed."
)
ADDED = [
    row(8, {"loc": "/%zz"}, None,
        ".loc is '/%zz', "
        + UNUSABLE.format("has a % that is not followed by two hexadecimal digits")),
    row(7, {"loc": "a%20b"}, "https://example.com/a%20b", None),
    row(9, {"loc": "a\\b{c}|[d]"}, "https://example.com/a%5Cb%7Bc%7D%7C%5Bd%5D", None),
    row(10, {"loc": "a/#frag"}, "https://example.com/a/", None),
    row(10, {"loc": "ümlat.php?q=ü"}, "https://example.com/%C3%BCmlat.php?q=%C3%BC", None,
        case="letters"),
    row(11, {"loc": "https://bücher.example/"}, None,
        f".loc is 'https://bücher.example/', {UNDER}"),
    row(12, {"loc": "https://faß.de/"}, None, f".loc is 'https://faß.de/', {UNDER}"),
    row(13, {"loc": "HTTPS://Example.COM:443/A"}, "https://example.com/A",
        ".loc is 'HTTPS://Example.COM:443/A', but must be a URL that begins with "
        "https://example.com/. It is written with that beginning."),
    row(13, {"loc": "https://example.com:8443/a"}, None,
        f".loc is 'https://example.com:8443/a', {UNDER}", case="port"),
    row(22, {"loc": LONGEST}, LONGEST, None, case="2047"),
    row(22, {"loc": LONGEST + "x"}, None,
        f".loc is '{LONGEST[:76]}..., " + UNUSABLE.format(
            "has 2048 characters, where the protocol allows 2047"), case="2048"),
    row(43, {"loc": "a", "lastmod": "2026-11-22"}, "https://example.com/a",
        ".lastmod is 2026-11-22, which is in the future. No lastmod is written."),
]  # fmt: skip


@pytest.mark.parametrize(("added", "loc", "told"), ADDED)
def test_a_url_that_the_owner_adds_is_normalised_or_told(added, loc, told):
    """Rules 9 to 12: absolute, escaped, in ASCII, under the sitemap's own folder."""
    entries, problems = decided(site_of(), settings(extra_urls=[added]))
    assert [entry.loc for entry in entries.values()] == ([loc] if loc else [])
    assert problems == ([f"mkdocs.yml: extra_urls[0]{told}"] if told else [])
    assert all(entry.lastmod is None for entry in entries.values())


@pytest.mark.parametrize(
    ("host", "ascii_host"),
    [
        row(11, "bücher.example", "xn--bcher-kva.example"),
        row(11, "BÜCHER.example", "xn--bcher-kva.example", case="capitals"),
        row(12, "faß.de", "xn--fa-hia.de"),
    ],
)
def test_a_host_gets_its_ascii_form(host, ascii_host):
    """Rule 11: by IDNA2008, also where it stands in the link of a language version."""
    meta = {"sitemap": {"alternates": {"de": f"https://{host}/"}}}
    entries, problems = decided(site_of(page("a", meta=meta)))
    assert entries["a/"].alternates[0].href == f"https://{ascii_host}/"
    assert problems == []


# Rows 45, 51 to 53 and 63: videos.

A_VIDEO = {
    "thumbnail": "https://h.example/t",
    "title": "T",
    "description": "D",
    "content": "https://h.example/v",
}
NO_DATE = (
    ", but must be a date such as 2026-11-20 or a datetime such as 2026-11-20T10:00:00+01:00. "
    "It is not written."
)
FILMED = [
    row(45, {"publication_date": "0000-01-01"}, {"publication_date": None},
        ".publication_date is '0000-01-01', which is not a date that exists. It is not written."),
    row(45, {"expiration_date": "10000-01-01"}, {"expiration_date": None},
        ".expiration_date is '10000-01-01'" + NO_DATE, case="10000"),
    row(51, {"title": "a\x08b"}, {"title": "ab"},
        ".title has the character U+0008, which XML does not allow. "
        "The text is written without it."),
    row(51, {"title": "a\ud800b"}, {"title": "ab"},
        ".title has the character U+D800, which XML does not allow. "
        "The text is written without it.", case="surrogate"),
    row(52, {"title": "😀 \u2028 \x85"}, {"title": "😀 \u2028 \x85"}, None),
    row(53, {"title": "]]> <b>"}, {"title": "]]> <b>"}, None),
    row(63, {"content": None}, None, " has no content or player. The video is not listed."),
    row(63, {"duration": 0}, {"duration": None},
        ".duration is 0, but must be a whole number from 1 to 28800. It is not written.",
        case="0-s"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "fields", "told"), FILMED)
def test_a_video_is_right_or_told(said, fields, told):
    """Rule 29: what it needs is there, and each field is within its limits."""
    own = page("a", meta={"sitemap": {"videos": [A_VIDEO | said]}})
    entries, problems = decided(site_of(own))
    videos = entries["a/"].videos
    assert [{name: getattr(each, name) for name in fields} for each in videos] == (
        [fields] if fields else []
    )
    assert problems == ([f"docs/a.md: sitemap.videos[0]{told}"] if told else [])


# Rows 57, 58 and 62: images and news.


@pytest.mark.parametrize(
    ("count", "listed", "told"),
    [
        row(57, 1000, 1000, [], case="1000"),
        row(57, 1001, 1000, [("docs/a.md: has 1,001 images, but at most 1,000 are allowed for a "
                             "page. The first 1,000 are written.")]),
    ],
)  # fmt: skip
def test_a_page_has_at_most_1000_images(count, listed, told):
    """Rule 28: the schema does not check it."""
    shown = tuple(f"{number}.png" for number in range(count))
    entries, problems = decided(site_of(page("a", images=shown)), settings(images=True))
    assert entries["a/"].images == tuple(f"https://example.com/a/{name}" for name in shown[:listed])
    assert problems == told


@pytest.mark.parametrize(
    ("shown", "listed"),
    [
        row(58, ("x.png", "/a/x.png", "../a/x.png#top"), ["a/x.png"], case="twice"),
        row(58, ("data:image/png;base64,AA==",), [], case="data"),
        row(58, ("../img/x.png",), ["img/x.png"], case="relative"),
    ],
)
def test_an_image_is_listed_once_and_absolute(shown, listed):
    """And only if it can be fetched."""
    entries, problems = decided(site_of(page("a", images=shown)), settings(images=True))
    assert [url.removeprefix("https://example.com/") for url in entries["a/"].images] == listed
    assert problems == []


@pytest.mark.parametrize(
    ("days", "fresh"), [row(62, 2, IN, case="2-days"), row(62, 3, OUT, case="3-days")]
)
def test_an_article_of_three_days_has_no_news(days, fresh):
    """Rule 30: the entry stays."""
    own = page("a", meta={"date": NOW - timedelta(days=days)}, title="T")
    news = settings(news={"publication": "P", "match": "a.md"})
    entries, problems = decided(site_of(own), news)
    assert (bool(entries["a/"].news), problems) == (fresh, [])


def test_of_1001_articles_the_newest_1000_have_news():
    """Row 62, the other half; rule 30."""
    pages = [
        page(f"{number:04}", meta={"date": NOW - timedelta(minutes=number)}, title="T")
        for number in range(1001)
    ]
    news = settings(news={"publication": "P", "match": "*"})
    entries, problems = decided(site_of(*pages), news)
    assert [loc for loc, entry in entries.items() if entry.news is None] == ["1000/"]
    assert problems == [
        (
            "mkdocs.yml: news matches 1,001 articles of the last two days, but at most 1,000 are "
            "allowed in a sitemap. The newest 1,000 get news tags."
        )
    ]


# Rows 59 to 61: languages.

CODE = "but must be a language code, such as de, pt-BR or zh-Hant. No language links are written."
LINKED = [
    row(59, "de: https://example.com/row-61/", {}, "{}.de is 'https://example.com/row-61/', "
        "but must be a page of the sitemap that links back to this one. This link is not written."),
    row(60, "de_DE: https://h.example/", {"de-DE": "https://h.example/"}, None, case="de_DE"),
    row(60, "uk: https://h.example/", {"uk": "https://h.example/"}, None, case="uk"),
    row(60, "en-UK: https://h.example/", {}, f"{{}}.en-UK is 'en-UK', {CODE} Did you mean 'en-GB'?",
        case="en-UK"),
    row(60, "es-419: https://h.example/", {}, f"{{}}.es-419 is 'es-419', {CODE}", case="es-419"),
    row(60, "FR-ca: https://h.example/", {"fr-CA": "https://h.example/"}, None, case="capitals"),
    row(61, "en: https://example.com/row-61/", {}, None),
]  # fmt: skip


@pytest.fixture(scope="module")
def linked(tmp_path_factory):
    """A site in English with one page for each case."""
    site = SiteMaker(tmp_path_factory.mktemp("linked"))
    text = "---\nsitemap:\n  alternates:\n    {}\n---\n# Page\n"
    site.docs({page_of(case): text.format(case.values[0]) for case in LINKED})
    site.config("lastmod: {sources: []}")
    return site.build()


@pytest.mark.parametrize(
    ("page", "links", "warning"),
    [pytest.param(page_of(case), *case.values[1:], id=case.id) for case in LINKED],
)
def test_a_page_is_linked_with_its_versions_or_it_is_told_why_not(linked, page, links, warning):
    """Rules 26 and 27: reciprocal sets, known codes, and nothing for a page alone."""
    path = page.removesuffix(".md") + "/"
    own = {"en": path, "x-default": path}
    assert linked.alternates().get(path, {}) == (links | own if links else {})
    told = [line.split(": ", 1)[1] for line in linked.warnings if line.startswith(f"docs/{page}")]
    assert told == ([warning.format("sitemap.alternates")] if warning else [])


def test_the_epoch_is_no_date_of_a_commit(site):
    """Row 44: second 0 is what broken tools write, so the page stays undated."""
    site.docs({"index.md": "# Home\n"})
    site.config()
    site.commit(date="@0 +0000")
    assert site.build().by_loc() == {"": {}}


@pytest.mark.parametrize(
    ("arguments", "dates"),
    [
        row(46, ["--depth=1"], None, case="shallow"),
        row(46, [], "2024-05-01T10:00:00+00:00", case="whole"),
    ],
)
def test_a_clone_that_hides_the_dates_gives_none(site, arguments, dates):
    """Rule 14: not all pages the date of the last commit."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.config()
    site.commit()
    site.commit("Empty", "2024-06-01T10:00:00+0000")
    git("clone", "-q", *arguments, f"file://{site.folder}", "clone", cwd=site.folder)
    built = SiteMaker(site.folder / "clone").build(GITHUB_ACTIONS="true")
    assert {entry.get("lastmod") for entry in built.entries()} == {dates}
    hidden = (
        "0 of 2 pages have a date: the clone is shallow, so their last change is unknown. "
        "Set `fetch-depth: 0` for actions/checkout, "
        "or accept missing dates with `lastmod: {git: {shallow: omit}}`."
    )
    assert (built.warnings, built.notes) == ([] if dates else [hidden], [])


@pytest.mark.parametrize(
    "environment",
    [row(47, {}, case="again"), row(47, {"SOURCE_DATE_EPOCH": "1"}, case="source-date-epoch")],
)
def test_a_rebuild_gives_the_same_bytes(named, environment):
    """Rule 22: also of the archive."""
    before = [named.path(name).read_bytes() for name in ("sitemap.xml", "sitemap.xml.gz")]
    SiteMaker(named.folder).build(**environment)
    assert [named.path(name).read_bytes() for name in ("sitemap.xml", "sitemap.xml.gz")] == before
    assert gzip.decompress(before[1]) == before[0]


# Rows 54 to 56: limits. What a build tells of them is in test_large_sites.py.

HOME = "https://example.com/"
LIMIT = 52_428_800


def of_size(size):
    """Entries that make a file of that many bytes: 26 pages with a thousand pictures each."""
    bare = len(one_file(with_pictures([0] * 26_000)))
    length, longer = divmod(size - bare, 26_000)
    return with_pictures([length + 1] * longer + [length] * (26_000 - longer))


def with_pictures(lengths):
    return [
        UrlEntry(
            loc=f"{HOME}{start}/",
            images=tuple(HOME + "x" * length for length in lengths[start : start + 1_000]),
        )
        for start in range(0, len(lengths), 1_000)
    ]


def many(count):
    return [UrlEntry(loc=f"{HOME}{number:05}/") for number in range(count)]


@pytest.mark.parametrize(
    ("entries_of", "number", "names"),
    [
        row(54, many, 50_000, ["sitemap.xml"], case="50000", marks=at_length),
        row(
            54,
            many,
            50_001,
            ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"],
            case="50001",
            marks=at_length,
        ),
        row(55, of_size, LIMIT, ["sitemap.xml"], case="52428800", marks=at_length),
        row(
            55,
            of_size,
            LIMIT + 1,
            ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"],
            case="52428801",
            marks=at_length,
        ),
    ],
)
def test_a_file_is_as_large_as_the_protocol_allows_and_no_larger(entries_of, number, names):
    """Rules 19 and 31: with one more it is split, and the sitemap is the index of its parts."""
    entries, made = entries_of(number), {}
    for file in files(entries, Layout(filename="sitemap.xml", base=HOME)):
        made[file.name] = b"".join(file.pieces)
        assert len(made[file.name]) <= LIMIT
        validate(made[file.name])
    assert list(made) == names
    parts = names[:-1] or names
    locs = [entry["loc"] for name in parts for entry in read_entries(made[name])]
    assert locs == [entry.loc for entry in entries]
    if len(names) > 1:
        listed = [entry["loc"] for entry in read_entries(made["sitemap.xml"])]
        assert listed == [HOME + name for name in parts]
    elif entries_of is of_size:
        assert len(made["sitemap.xml"]) == LIMIT


@pytest.mark.parametrize(
    "options",
    [
        row(56, "max_urls: 1", case="max-urls"),
        row(56, "max_urls: 1\nsplit: section", case="section"),
        row(56, "max_urls: 1\nextra_sitemaps: [a/s.xml]", case="extra-sitemaps"),
    ],
)
def test_parts_lie_beside_their_index_which_lists_neither_itself_nor_an_index(site, options):
    """Rules 20 and 21: readers may take more, so that this is all that holds it."""
    site.docs({"index.md": "# Home\n", "a/b.md": "# B\n", "a/c.md": "# C\n"})
    site.config(options)
    built = site.build("--strict")
    folder = built.path("")
    indexes = {
        path.name: [entry["loc"].removeprefix(HOME) for entry in read_entries(path.read_bytes())]
        for path in folder.glob("*.xml")
        if b"<sitemapindex " in path.read_bytes()
    }
    assert "sitemap.xml" in indexes
    for listed in indexes.values():
        assert not set(listed) & set(indexes)
        assert all((folder / name).is_file() for name in listed if name != "a/s.xml")


@pytest.mark.parametrize(
    "options",
    [
        row(64, "", case="alone"),
        row(64, "max_urls: 1\nsplit: section\nextra_sitemaps: [a/s.xml]", case="in-parts"),
    ],
)
def test_a_site_without_a_page_that_may_be_listed_has_no_sitemap(site, options):
    """Rule 8: the protocol has no empty sitemap."""
    site.docs({"index.md": "---\nsitemap: false\n---\n# Home\n"})
    site.config(options)
    built = site.build()
    assert built.lines == [
        (
            "WARNING sitemap.xml: no page of the site can be listed (1 excluded). No file is "
            "written, because a sitemap must not be empty."
        )
    ]
    assert not list(built.path("").glob("*.xml*"))
