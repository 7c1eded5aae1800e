"""Edge cases of the protocol: URLs, dates, fields, limits."""

import gzip
import unicodedata

import pytest
from decided import decided, page, settings, site_of
from limits import limits
from one_file import one_file
from quantity import at_length
from sitemap_xml import read_entries, validate
from sites import CHANGEFREQS, DATES, SiteMaker, git

from mkdocs_sitemap_plus.sitemap import UrlEntry
from mkdocs_sitemap_plus.sitemap.write import Layout, files

PRIORITY = "but must be a number from 0.0 to 1.0. No priority is written."
NO_LASTMOD = f"but must be {DATES}. No lastmod is written."
NOT_THERE = "which is not a date that exists. No lastmod is written."


def param(name, *values, marks=()):
    return pytest.param(*values, id=name, marks=marks)


# Which URL comes out.


@pytest.mark.parametrize(
    ("loc", "text"),
    [
        param("ampersand", "https://h.example/?a=1&b=2", "https://h.example/?a=1&amp;b=2"),
        param("reference", "https://h.example/?a=1&amp;b", "https://h.example/?a=1&amp;amp;b"),
        param("quote", "https://h.example/it's/", "https://h.example/it&apos;s/"),
        param("percent-escape", "https://h.example/a%20b/", "https://h.example/a%20b/"),
    ],
)
def test_a_url_is_escaped_for_xml_exactly_once(loc, text):
    """And reads back as it was."""
    data = one_file([UrlEntry(loc=loc)])
    assert f"<loc>{text}</loc>" in data.decode()
    assert read_entries(data) == [{"loc": loc}]
    validate(data)


NAMES = [
    param("reference", "a&amp;b.md", "a%26amp%3Bb/"),
    param("quote", "it's.md", "it%27s/"),
    param("blank", "a b.md", "a%20b/"),
    param("nfc", unicodedata.normalize("NFC", "ü.md"), "%C3%BC/"),
    param("nfd", unicodedata.normalize("NFD", "ü.md"), "u%CC%88/"),
    param("percent", "100%.md", "100%25/"),
    param("percent-escape", "c%20d.md", "c%2520d/"),
    param("home", "index.md", ""),
    param("readme", "sub/README.md", "sub/"),
    param("emoji", "😀.md", "%F0%9F%98%80/"),
    param("line-separator", "l\u2028s.md", "l%E2%80%A8s/"),
    param("next-line", "n\x85l.md", "n%C2%85l/"),
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
    """Percent-encoded as on disk, and dated: git knows the name as well."""
    assert named.by_loc()[url] == {"lastmod": "2024-05-01T10:00:00+00:00"}
    assert named.warnings == []
    assert len(named.locs()) == len(NAMES)


# The site's own URL.

NO_SITEMAP = (
    "so no sitemap is written. "
    "Set it to the full address of the site, such as https://example.com/docs/."
)


@pytest.mark.parametrize(
    ("site_url", "problem"),
    [
        param("broken-escape", "https://h.example/%zz/",
            "WARNING mkdocs.yml:2: site_url is 'https://h.example/%zz/', "
            "which has a % that is not followed by two hexadecimal digits"),
        param("blank", "https://h.example/a b/",
            "WARNING mkdocs.yml:2: site_url is 'https://h.example/a b/', "
            "which has a character that a URL can't have"),
        param("not-set", "", "WARNING mkdocs.yml: site_url is not set"),
        param("ftp", "ftp://h.example/", "WARNING mkdocs.yml:2: site_url is 'ftp://h.example/'"),
        param("password", "https://me:secret@h.example/",
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
    """One without a scheme; MkDocs does not build such a site."""
    site.docs({"index.md": "# Home\n"})
    site.config(site_url="docs/")
    built = site.build(check=False)
    assert built.returncode == 1
    assert "Config value 'site_url'" in built.output


@pytest.mark.parametrize(
    ("site_url", "arguments", "locs"),
    [
        param("folder", "https://h.example/proj/", [], ["proj/", "proj/a/"]),
        param("folder-without-slash", "https://h.example/proj", [], ["proj/", "proj/a/"]),
        param("host-without-slash", "https://h.example", [], ["", "a/"]),
        param("port", "https://h.example:8080/", [], [":8080/", ":8080/a/"]),
        param(
            "no-directory-urls",
            "https://h.example/",
            ["--no-directory-urls"],
            ["a.html", "index.html"],
        ),
        param("ampersand", "https://h.example/a&b/", [], ["a&b/", "a&b/a/"]),
        param("quote", "https://h.example/it's/", [], ["it's/", "it's/a/"]),
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


# Which pages are listed.

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
    param(
        "canonical-on-another-host",
        "host.md",
        with_head('<link rel="canonical" href="https://other.example/">'),
        OUT,
    ),
    param(
        "canonical-with-another-scheme",
        "scheme.md",
        with_head('<link rel="canonical" href="http://example.com/scheme/">'),
        OUT,
    ),
    param(
        "canonical-of-another-version",
        "1.0.md",
        with_head('<link rel="canonical" href="/latest/">'),
        OUT,
    ),
    param("2047-characters", page_of_length(2047) + ".md", "# 2047\n", IN),
    param("2048-characters", page_of_length(2048) + ".md", "# 2048\n", OUT),
    param("noindex", "noindex.md", with_head('<meta name="robots" content="noindex">'), OUT),
    param(
        "redirect",
        "stub.md",
        with_head('<meta http-equiv="refresh" content="0; url=/plain/">'),
        OUT,
    ),
    param("draft", "draft.md", "# Draft\n", OUT),
    param("not-in-nav", "hidden.md", "# Not in the navigation\n", IN),
    param("orphan", "orphan.md", "# Nobody names it\n", IN),
    param("excluded", "excluded.md", "# Excluded\n", OUT),
    param("beside-an-external-link", "plain.md", "# Plain\n", IN),
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
    return site.build(found=["not-listed"])  # the page whose URL is too long


@pytest.mark.parametrize(("name", "text", "there"), LISTED)
def test_a_page_is_listed_or_not(listed, name, text, there):
    """Canonical, indexable pages of the built site, and nothing else."""
    assert (name.removesuffix(".md") + "/" in listed.locs()) is there


def test_a_url_that_is_too_long_is_a_warning(listed):
    """The only one of these that the owner should mend."""
    name = page_of_length(2048)
    shown = f"https://example.com/{name}"[:97] + "..."
    assert listed.warnings == [
        (
            f"docs/{name}.md: its URL {shown} has 2048 characters, where the protocol allows 2047. "
            "The page is left out."
        )
    ]


@pytest.mark.parametrize(
    "part", [param("error-page-of-the-theme", "404"), param("external-link", "elsewhere")]
)
def test_neither_the_error_page_nor_an_external_link_is_listed(listed, part):
    """Though the one is a page of the site, and the other is in its navigation."""
    assert listed.path("404.html").exists()
    assert not [loc for loc in listed.locs() if part in loc]


@pytest.mark.parametrize(
    ("arguments", "built_as"),
    [
        param("own-page-in-a-folder", [], "404/index.html"),
        param("own-page", ["--no-directory-urls"], "404.html"),
    ],
)
def test_an_error_page_of_ones_own_is_not_listed(site, arguments, built_as):
    """Wherever MkDocs builds it. Below a folder, ``404/`` is a page like any other."""
    page = "# Not found\n"
    site.docs(
        {"index.md": "# Home\n", "404.md": page, "de/404.md": page, "codes/list/404.md": page}
    )
    site.config("lastmod: {sources: []}")
    built = site.build(*arguments)
    assert built.path(built_as).exists()
    assert built.locs() == (["index.html"] if arguments else ["", "codes/list/404/"])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        param("the-second", "2024-01-01", "2024-01-02"),
        param("the-first", "2024-01-02", "2024-01-01"),
    ],
)
def test_two_sources_of_one_url_are_one_entry_with_the_newest_date(site, first, second):
    """Here a hook of the owner maps a second page to the first one's URL."""
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


# What front matter says. Each case is a page of one site.

SAID = [
    param("day", "lastmod: 2024-01-02", {"lastmod": "2024-01-02"}, None),
    param(
        "offset",
        "lastmod: 2024-01-02T10:00:00+02:00",
        {"lastmod": "2024-01-02T10:00:00+02:00"},
        None,
    ),
    param("without-offset", "lastmod: 2024-01-02T10:00:00",
        {"lastmod": "2024-01-02T10:00:00+01:00"}, None),
    param("fraction", "lastmod: 2024-01-02T10:00:00.987Z",
        {"lastmod": "2024-01-02T10:00:00+00:00"}, None),
    param("year", "lastmod: 2026", {}, f"lastmod is 2026, {NO_LASTMOD}"),
    param(
        "year-in-text",
        "lastmod: '2026'",
        {},
        f"lastmod is '2026', {NO_LASTMOD}",
    ),
    param(
        "month",
        "lastmod: 2026-11",
        {},
        f"lastmod is '2026-11', {NO_LASTMOD}",
    ),
    param("without-seconds", "lastmod: 2024-01-02T10:00Z",
        {"lastmod": "2024-01-02T10:00:00+00:00"}, None),
    param(
        "blank",
        "lastmod: '2024-01-02 10:00:00'",
        {"lastmod": "2024-01-02T10:00:00+01:00"},
        None,
    ),
    param(
        "no-colon",
        "lastmod: 2024-01-02T10:00:00+0000",
        {"lastmod": "2024-01-02T10:00:00+00:00"},
        None,
    ),
    param(
        "lower-case",
        "lastmod: '2024-01-02t10:00:00z'",
        {"lastmod": "2024-01-02T10:00:00+00:00"},
        None,
    ),
    param(
        "leap-day",
        "lastmod: '2026-02-29'",
        {},
        f"lastmod is '2026-02-29', {NOT_THERE}",
    ),
    param(
        "month-13",
        "lastmod: '2026-13-01'",
        {},
        f"lastmod is '2026-13-01', {NOT_THERE}",
    ),
    param(
        "rfc-822",
        "lastmod: Fri, 20 Nov 2026 10:00:00 GMT",
        {},
        f"lastmod is 'Fri, 20 Nov 2026 10:00:00 GMT', {NO_LASTMOD}",
    ),
    param("leap-second", "lastmod: '2016-12-31T23:59:60Z'",
        {"lastmod": "2016-12-31T23:59:59+00:00"}, None),
    param("hour-24", "lastmod: '2024-02-28T24:00:00Z'", {"lastmod": "2024-02-29T00:00:00+00:00"},
        None),
    param("negative-zero-offset", "lastmod: '2024-01-02T10:00:00-00:00'",
        {"lastmod": "2024-01-02T10:00:00+00:00"}, None),
    param(
        "offset-too-great",
        "lastmod: 2024-01-02T10:00:00+14:30",
        {},
        "lastmod is 2024-01-02T10:00:00+14:30, which has an offset of more than 14:00. "
        "No lastmod is written.",
    ),
    param(
        "year-9999",
        "lastmod: 9999-12-31",
        {},
        "lastmod is 9999-12-31, which is in the future. No lastmod is written.",
    ),
    param("before-1970", "lastmod: 1969-12-31", {"lastmod": "1969-12-31"}, None),
    param("year-0", "lastmod: '0000-01-01'", {}, f"lastmod is '0000-01-01', {NOT_THERE}"),
    param(
        "year-10000",
        "lastmod: '10000-01-01'",
        {},
        f"lastmod is '10000-01-01', {NO_LASTMOD}",
    ),
    param(
        "negative-year",
        "lastmod: '-2024-01-01'",
        {},
        f"lastmod is '-2024-01-01', {NO_LASTMOD}",
    ),
    param("priority-.5", "priority: .5", {"priority": "0.5"}, None),
    param("priority-1", "priority: 1", {"priority": "1.0"}, None),
    param("priority-0", "priority: 0", {"priority": "0.0"}, None),
    param("priority-1.01", "sitemap: {priority: 1.01}", {},
        f"sitemap.priority is 1.01, {PRIORITY}"),
    param("priority-negative", "sitemap: {priority: -0.1}", {},
        f"sitemap.priority is -0.1, {PRIORITY}"),
    param("priority-5e-1", "sitemap: {priority: 5e-1}", {},
        f"sitemap.priority is '5e-1', {PRIORITY}"),
    param(
        "priority-comma",
        'sitemap: {priority: "0,5"}',
        {},
        f"sitemap.priority is '0,5', {PRIORITY} Did you mean 0.5?",
    ),
    param("priority-nan", "sitemap: {priority: .nan}", {},
        f"sitemap.priority is nan, {PRIORITY}"),
    param(
        "priority-true",
        "sitemap: {priority: true}",
        {},
        f"sitemap.priority is true, {PRIORITY}",
    ),
    param("changefreq-capital", "changefreq: Daily", {"changefreq": "daily"}, None),
    param(
        "changefreq-biweekly",
        "changefreq: biweekly",
        {},
        f"changefreq is 'biweekly', but must be one of {CHANGEFREQS}. No changefreq is written. "
        "Did you mean 'weekly'?",
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
        built |= dict.fromkeys(map(page_of, cases), site.build(found=["lastmod-format"]))
    return built


@pytest.mark.parametrize(
    ("page", "fields", "warning"),
    [
        pytest.param(page_of(case), *case.values[1:], id=case.id)
        for case in SAID
    ],
)  # fmt: skip
def test_front_matter_is_written_or_reported(said, page, fields, warning):
    """A value that can't be right is never emitted, and is one warning."""
    assert said[page].by_loc()[page.removesuffix(".md") + "/"] == fields
    reported = [line for line in said[page].warnings if page in line]
    assert reported == ([f"docs/{page}:2: {warning}"] if warning else [])


# URLs that the owner adds.

LONGEST = "https://example.com/" + "x" * (2047 - len("https://example.com/"))
UNUSABLE = "which {}. The URL is not listed."
UNDER = (
    "but must be a URL under the sitemap's own folder https://example.com/. The URL is not listed."
)
ADDED = [
    param("broken-escape", {"loc": "/%zz"}, None,
        ".loc is '/%zz', "
        + UNUSABLE.format("has a % that is not followed by two hexadecimal digits")),
    param("percent-escape", {"loc": "a%20b"}, "https://example.com/a%20b", None),
    param("characters", {"loc": "a\\b{c}|[d]"}, "https://example.com/a%5Cb%7Bc%7D%7C%5Bd%5D", None),
    param("fragment", {"loc": "a/#frag"}, "https://example.com/a/", None),
    param("letters", {"loc": "ümlat.php?q=ü"}, "https://example.com/%C3%BCmlat.php?q=%C3%BC", None),
    param("letter-in-host", {"loc": "https://bücher.example/"}, None,
        f".loc is 'https://bücher.example/', {UNDER}"),
    param("sharp-s-in-host", {"loc": "https://faß.de/"}, None,
        f".loc is 'https://faß.de/', {UNDER}"),
    param("capitals-and-port", {"loc": "HTTPS://Example.COM:443/A"}, "https://example.com/A",
        ".loc is 'HTTPS://Example.COM:443/A', but must be a URL that begins with "
        "https://example.com/. It is written with that beginning."),
    param("other-port", {"loc": "https://example.com:8443/a"}, None,
        f".loc is 'https://example.com:8443/a', {UNDER}"),
    param("2047-characters", {"loc": LONGEST}, LONGEST, None),
    param("2048-characters", {"loc": LONGEST + "x"}, None,
        f".loc is '{LONGEST[:76]}..., " + UNUSABLE.format(
            "has 2048 characters, where the protocol allows 2047")),
    param("future", {"loc": "a", "lastmod": "2026-11-22"}, "https://example.com/a",
        ".lastmod is 2026-11-22, which is in the future. No lastmod is written."),
]  # fmt: skip


@pytest.mark.parametrize(("added", "loc", "reported"), ADDED)
def test_an_extra_url_is_normalised_or_reported(added, loc, reported):
    """Absolute, escaped, in ASCII, under the sitemap's own folder."""
    entries, problems = decided(site_of(), settings(extra_urls=[added]))
    assert [entry.loc for entry in entries.values()] == ([loc] if loc else [])
    assert problems == ([f"mkdocs.yml: extra_urls[0]{reported}"] if reported else [])
    assert all(entry.lastmod is None for entry in entries.values())


@pytest.mark.parametrize(
    ("host", "ascii_host"),
    [
        param("letter", "bücher.example", "xn--bcher-kva.example"),
        param("capitals", "BÜCHER.example", "xn--bcher-kva.example"),
        param("sharp-s", "faß.de", "xn--fa-hia.de"),
    ],
)
def test_a_host_gets_its_ascii_form(host, ascii_host):
    """By IDNA2008, also where it stands in the link of a language version."""
    meta = {"sitemap": {"alternates": {"de": f"https://{host}/"}}}
    entries, problems = decided(site_of(page("a", meta=meta)))
    assert entries["a/"].alternates[0].href == f"https://{ascii_host}/"
    assert problems == []


# Videos.

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
    param("year-0", {"publication_date": "0000-01-01"}, {"publication_date": None},
        ".publication_date is '0000-01-01', which is not a date that exists. It is not written."),
    param("year-10000", {"expiration_date": "10000-01-01"}, {"expiration_date": None},
        ".expiration_date is '10000-01-01'" + NO_DATE),
    param("control-character", {"title": "a\x08b"}, {"title": "ab"},
        ".title has the character U+0008, which XML does not allow. "
        "The text is written without it."),
    param("surrogate", {"title": "a\ud800b"}, {"title": "ab"},
        ".title has the character U+D800, which XML does not allow. "
        "The text is written without it."),
    param("emoji-and-separators", {"title": "😀 \u2028 \x85"}, {"title": "😀 \u2028 \x85"}, None),
    param("markup", {"title": "]]> <b>"}, {"title": "]]> <b>"}, None),
    param("nothing-to-play", {"content": None}, None,
        " has no content or player. The video is not listed."),
    param("0-seconds", {"duration": 0}, {"duration": None},
        ".duration is 0, but must be a whole number from 1 to 28800. It is not written."),
]  # fmt: skip


@pytest.mark.parametrize(("said", "fields", "reported"), FILMED)
def test_a_video_is_valid_or_reported(said, fields, reported):
    """What it needs is there, and each field is within its limits."""
    own = page("a", meta={"sitemap": {"videos": [A_VIDEO | said]}})
    entries, problems = decided(site_of(own))
    videos = entries["a/"].videos
    assert [{name: getattr(each, name) for name in fields} for each in videos] == (
        [fields] if fields else []
    )
    assert problems == ([f"docs/a.md: sitemap.videos[0]{reported}"] if reported else [])


# Images.


@pytest.mark.parametrize(
    ("count", "listed", "reported"),
    [
        param("1000-images", 1000, 1000, []),
        param("1001-images", 1001, 1000,
              [("docs/a.md: has 1,001 images, but at most 1,000 are allowed for a page. "
                "The first 1,000 are written.")]),
    ],
)  # fmt: skip
def test_a_page_has_at_most_1000_images(count, listed, reported):
    """The schema does not check it."""
    shown = tuple(f"{number}.png" for number in range(count))
    entries, problems = decided(site_of(page("a", images=shown)), settings(images=True))
    assert entries["a/"].images == tuple(f"https://example.com/a/{name}" for name in shown[:listed])
    assert problems == reported


@pytest.mark.parametrize(
    ("shown", "listed"),
    [
        param("twice", ("x.png", "/a/x.png", "../a/x.png#top"), ["a/x.png"]),
        param("data", ("data:image/png;base64,AA==",), []),
        param("relative", ("../img/x.png",), ["img/x.png"]),
    ],
)
def test_an_image_is_listed_once_and_absolute(shown, listed):
    """And only if it can be fetched."""
    entries, problems = decided(site_of(page("a", images=shown)), settings(images=True))
    assert [url.removeprefix("https://example.com/") for url in entries["a/"].images] == listed
    assert problems == []


# Languages.

CODE = "but must be a language code, such as de, pt-BR or zh-Hant. No language links are written."
LINKED = [
    param("no-link-back", "de: https://example.com/itself/", {},
        "{}.de is 'https://example.com/itself/', "
        "but must be a page of the sitemap that links back to this one. This link is not written."),
    param("de_DE", "de_DE: https://h.example/", {"de-DE": "https://h.example/"}, None),
    param("uk", "uk: https://h.example/", {"uk": "https://h.example/"}, None),
    param("en-UK", "en-UK: https://h.example/", {},
        f"{{}}.en-UK is 'en-UK', {CODE} Did you mean 'en-GB'?"),
    param("es-419", "es-419: https://h.example/", {}, f"{{}}.es-419 is 'es-419', {CODE}"),
    param("capitals", "FR-ca: https://h.example/", {"fr-CA": "https://h.example/"}, None),
    param("itself", "en: https://example.com/itself/", {}, None),
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
def test_a_page_is_linked_with_its_versions_or_a_warning_says_why_not(linked, page, links, warning):
    """Reciprocal sets, known codes, and nothing for a page alone."""
    path = page.removesuffix(".md") + "/"
    own = {"en": path, "x-default": path}
    assert linked.alternates().get(path, {}) == (links | own if links else {})
    reported = [
        line.split(": ", 1)[1] for line in linked.warnings if line.startswith(f"docs/{page}")
    ]
    assert reported == ([warning.format("sitemap.alternates")] if warning else [])


def test_the_epoch_is_no_date_of_a_commit(site):
    """Second 0 is what broken tools write, so the page stays undated."""
    site.docs({"index.md": "# Home\n"})
    site.config()
    site.commit(date="@0 +0000")
    assert site.build().by_loc() == {"": {}}


@pytest.mark.parametrize(
    ("arguments", "dates"),
    [
        param("shallow", ["--depth=1"], None),
        param("whole", [], "2024-05-01T10:00:00+00:00"),
    ],
)
def test_a_clone_that_hides_the_dates_gives_none(site, arguments, dates):
    """Not all pages the date of the last commit."""
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
    [param("again", {}), param("source-date-epoch", {"SOURCE_DATE_EPOCH": "1"})],
)
def test_a_rebuild_gives_the_same_bytes(named, environment):
    """Also of the archive."""
    before = [named.path(name).read_bytes() for name in ("sitemap.xml", "sitemap.xml.gz")]
    SiteMaker(named.folder).build(**environment)
    assert [named.path(name).read_bytes() for name in ("sitemap.xml", "sitemap.xml.gz")] == before
    assert gzip.decompress(before[1]) == before[0]


# Limits. What a build says of them is in test_large_sites.py.

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
        param("50000-urls", many, 50_000, ["sitemap.xml"], marks=at_length),
        param(
            "50001-urls",
            many,
            50_001,
            ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"],
            marks=at_length,
        ),
        param("limit", of_size, LIMIT, ["sitemap.xml"], marks=at_length),
        param(
            "a-byte-more",
            of_size,
            LIMIT + 1,
            ["sitemap-1.xml", "sitemap-2.xml", "sitemap.xml"],
            marks=at_length,
        ),
    ],
)
def test_a_file_is_as_large_as_the_protocol_allows_and_no_larger(entries_of, number, names):
    """With one more it is split, and the sitemap is the index of its parts."""
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
        param("parts", ""),
        param("extra-sitemaps", "extra_sitemaps: [a/s.xml]"),
    ],
)
def test_parts_lie_beside_their_index_which_lists_neither_itself_nor_an_index(site, options):
    """Readers may take more, so that this is all that holds it."""
    site.docs({"index.md": "# Home\n", "a/b.md": "# B\n", "a/c.md": "# C\n"})
    site.config(options)
    with limits(max_urls=1):
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
        param("alone", ""),
        param("in-parts", "extra_sitemaps: [a/s.xml]"),
    ],
)
def test_a_site_without_a_page_that_may_be_listed_has_no_sitemap(site, options):
    """The protocol has no empty sitemap."""
    site.docs({"index.md": "---\nsitemap: false\n---\n# Home\n"})
    site.config(options)
    with limits(max_urls=1):
        built = site.build()
    assert built.lines == [
        (
            "WARNING sitemap.xml: no page of the site can be listed (1 excluded). No file is "
            "written, because a sitemap must not be empty."
        )
    ]
    assert not list(built.path("").glob("*.xml*"))
