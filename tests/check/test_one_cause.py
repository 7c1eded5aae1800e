"""One cause is one finding of ``check``, and what is legal is none."""

import json
import signal
import sys

import pytest
from any_sites import commit, put
from commands import run
from sitemap_texts import index_of, sitemap_of, urlset

from mkdocs_sitemap_plus.command.checks import one_sitemap as run_of_check
from mkdocs_sitemap_plus.command.reader.client import read_robots
from mkdocs_sitemap_plus.sitemap.urls import url_key

BASE = "https://example.com/"
OTHER = "https://other.example/"
NOINDEX = '<meta name="robots" content="noindex">'


def page(canonical=None, head=""):
    link = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    return f"<!doctype html><html><head><title>T</title>{link}{head}</head><body>Text</body></html>"


def found(*arguments):
    """The findings as (code, reason), and what is printed beside them."""
    _, out, err = run("check", "--format", "json", *arguments)
    result = json.loads(out)
    return [(each["code"], each["reason"]) for each in result["findings"]], err


def codes(*arguments):
    return [code for code, _ in found(*arguments)[0]]


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder, in which the command runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def site(here, listed, canonical=None, robots=None, pages=("", "a/", "b/")):
    """A built site of which the sitemap lists all pages, below the URL `listed`."""
    own = {f"{path}index.html": page(canonical and canonical + path) for path in pages}
    put(here, own | {"sitemap.xml": sitemap_of(*(listed + path for path in pages)).decode()})
    if robots:
        put(here, {"robots.txt": f"User-agent: *\nAllow: /\nSitemap: {robots}\n"})


def test_robots_txt_may_name_the_sitemap_of_another_host(here):
    """Where the pages say which host is theirs: that sitemap may list them (sitemaps.org)."""
    site(here, BASE, canonical=BASE, robots=f"{OTHER}sitemap.xml")
    assert codes(".") == []


@pytest.mark.parametrize("listed", [f"{BASE}en/0.1/", OTHER])
def test_robots_txt_tells_where_a_site_is_if_nothing_else_does(here, listed):
    """Such as that the URLs of a sitemap have a folder that is not published."""
    site(here, listed, robots=f"{BASE}sitemap.xml")
    reason = f"names {BASE}sitemap.xml, but the URLs of that sitemap begin with {listed}"
    assert found(".")[0] == [("robots", reason)]


@pytest.mark.parametrize("canonical", [None, BASE])
def test_a_line_of_robots_txt_that_is_wrong_is_one_finding(here, canonical):
    """Whether the pages say where the site is, or not."""
    site(here, BASE, canonical, robots=f"{BASE}docs/sitemap.xml")
    reason = f"Sitemap is '{BASE}docs/sitemap.xml', but there is no such file"
    assert found(".")[0] == [("robots", reason)]


@pytest.mark.parametrize("canonical", [None, BASE])
def test_a_sitemap_of_the_own_computer_is_one_finding(here, canonical):
    """Its URLs differ from those of the pages, and from robots.txt, for this one reason."""
    site(here, "http://localhost:3000/", canonical, robots=f"{BASE}sitemap.xml")
    assert codes(".") == ["loc-local"]


def test_pages_of_another_host_in_the_whole_sitemap_are_one_finding(here):
    """And not one for each page."""
    site(here, OTHER, canonical=BASE)
    named = f"index.html names '{BASE}' as its canonical URL"
    reason = f"3 of 3 pages name a canonical URL that no page of the site has: {named}"
    assert found(".")[0] == [("not-canonical", reason)]


def test_a_redirect_that_is_noindex_is_one_finding(here):
    """As Astro and Antora write it."""
    site(here, BASE)
    put(here, {"b/index.html": page(head=f'<meta http-equiv="refresh" content="0; ../">{NOINDEX}')})
    assert codes(".") == ["redirect"]


@pytest.mark.parametrize(
    "text",
    [
        urlset("\n{% for page in pages %}<url><loc>{{ page.url }}</loc></url>{% endfor %}\n"),
        urlset("<url><loc>{{ page.url }}</loc></url>"),
    ],
)
def test_a_template_of_a_sitemap_is_one_finding(here, text):
    """As plugins leave it that remove MkDocs' sitemap before it is rendered."""
    put(here, {"sitemap.xml": text.decode()})
    assert found("sitemap.xml")[0] == [("not-xml", "is a template that was not rendered")]


def test_pages_that_are_not_listed_are_counted_after_the_first_five(here):
    """Up to five, each has a finding."""
    for number, expected in ((5, 5), (8, 6)):
        put(here / str(number), {f"p{each}.html": page() for each in range(number)})
        site(here / str(number), BASE)
        reasons = [reason for code, reason in found(str(number))[0] if code == "not-listed"]
        assert len(reasons) == expected
    assert reasons[:5] == ["is not listed"] * 5
    assert reasons[5] == f"3 more pages are not listed, the last {BASE}p7.html"


def three(more="", paths=("1/", "2/", "3/")):
    return [f"<url><loc>{BASE}{path}</loc>{more}</url>" for path in paths]


IMAGES = "http://www.google.com/schemas/sitemap-image/1.0"  # it must be 1.1
NO_DATE = "but must be a date such as 2026-11-20 or 2026-11-20T10:00:00+01:00"
IN_ALL = [
    (
        ["<url><loc>/a/</loc></url>", "<url><loc>b.html</loc></url>", "<url><loc>//c</loc></url>"],
        "loc-relative",
        "loc is not an http or https URL",
    ),
    (
        [f"<sitemap><loc>{name}.xml</loc></sitemap>" for name in "abc"],
        "loc-relative",
        "loc is not an http or https URL",
    ),
    (three(paths=("#/a", "#/b", "#")), "loc-fragment", "loc has a fragment"),
    (
        three("<priority>5</priority>"),
        "value",
        "priority is '5', but must be a number from 0.0 to 1.0",
    ),
    (
        [
            f"<url><loc>{BASE}{day}/</loc><lastmod>2026-11-0{day}T10:00:00</lastmod></url>"
            for day in (1, 2, 3)
        ],
        "lastmod-format",
        f"lastmod is '2026-11-01T10:00:00', {NO_DATE}",
    ),
    (
        three(f'<x:link rel="alternate" hreflang="de" href="{OTHER}de/"/>'),
        "hreflang-self",
        "url has language links, but none to the page itself",
    ),
    (
        three("<i:image/>"),
        "namespace-misspelled",
        f"image has the namespace '{IMAGES}', which search engines do not know",
    ),
]
"""Three entries with the same fault, its code, and what is said of the first one."""


def whole(entries):
    root = "sitemapindex" if entries[0].startswith("<sitemap>") else "urlset"
    spaces = f' xmlns:x="http://www.w3.org/1999/xhtml" xmlns:i="{IMAGES}"'
    return urlset(*entries, more=spaces, root=root).decode()


@pytest.mark.parametrize(("entries", "code", "reason"), IN_ALL)
def test_what_is_wrong_with_every_entry_is_one_finding(here, entries, code, reason):
    """At the first entry, with their number. If one of them is right, each has its own."""
    put(here, {"s.xml": whole(entries), "right.xml": whole(three())})
    assert found("s.xml")[0] == [(code, f"{reason}; all 3 entries have this fault")]
    assert run("check", "s.xml")[1].startswith("s.xml:2: ")
    right = f"<url><loc>{BASE}</loc></url>"
    if code == "hreflang-self":
        right = linked(BASE)
    if "<sitemap>" in entries[0]:
        right = f"<sitemap><loc>{BASE}right.xml</loc></sitemap>"
    put(here, {"s.xml": whole([*entries, right])})
    assert codes("s.xml") == [code] * 3


@pytest.mark.parametrize(
    "loc",
    [
        "https://web .example/", "https://web&lt;.example/", "https://web%.example/",
        "https://web%20a.example/a", "https://web.example&amp;amp;/", "ftp://a b.example/#a",
        "C:\\site\\a.html", f"{BASE}?a=1&amp;#38;b=2",
    ],
)  # fmt: skip
def test_a_host_or_a_scheme_that_cannot_be_is_one_finding(here, loc):
    """And not another one for the letters that make it so."""
    put(here, {"s.xml": whole([f"<url><loc>{loc}</loc></url>"])})
    assert codes("s.xml") == ["loc-invalid"]


def test_two_causes_in_one_url_are_two_findings(here):
    """Both are there to be mended."""
    put(here, {"s.xml": whole(["<url><loc>https://web .example/a b</loc></url>"])})
    reasons = [reason for _, reason in found("s.xml")[0]]
    blank = "loc has the character ' ', which is not allowed in a URL"
    assert reasons == ["loc has a host that can't exist", blank]


def test_a_language_link_to_an_entry_whose_url_is_wrong_is_no_further_finding(here):
    """The page and all its versions name this URL. A link that is wrong itself has its own."""
    wrong, own = f"{BASE}de/a b/", f"{BASE}fr/a b/"
    links = "".join(
        f'<x:link rel="alternate" hreflang="{code}" href="{href}"/>'
        for code, href in (("en", BASE), ("de", wrong), ("fr", own))
    )
    versions = [f"<url><loc>{loc}</loc>{links}</url>" for loc in (BASE, wrong)]
    put(here, {"s.xml": whole([*versions, *three()])})
    assert codes("s.xml") == ["hreflang-code", "loc-invalid", "hreflang-code"]
    put(here, {"s.xml": whole([*versions, *three()]).replace(own, f"{BASE}fr/")})
    assert codes("s.xml") == ["loc-invalid"]


FEED = "<rss version='2.0'><channel>{}</channel></rss>"


def feed(*locs):
    return FEED.format("".join(f"<item><link>{loc}</link></item>" for loc in locs))


def test_a_feed_in_an_index_may_repeat_what_a_sitemap_lists(here):
    """Google advises both; a feed of a category may be empty."""
    site(here, BASE)
    index = index_of(f"{BASE}sitemap.xml", f"{BASE}rss.xml", f"{BASE}c/rss.xml").decode()
    put(here, {"rss.xml": feed(BASE, f"{BASE}a/"), "c/rss.xml": feed(), "sitemap-index.xml": index})
    findings, err = found(".")
    assert (findings, "publish a sitemap too" in err) == ([], False)
    put(here, {"rss.xml": feed(BASE, BASE)})
    assert codes(".") == ["duplicate-loc"]


def test_a_feed_in_an_index_may_list_pages_of_its_host_alone(here):
    """Of any folder there, but of no other host."""
    put(here, {"index.xml": index_of(f"{BASE}blog/rss.xml").decode()})
    for loc, expected in ((f"{BASE}docs/", []), (OTHER, ["loc-outside"])):
        put(here, {"blog/rss.xml": feed(loc)})
        assert codes("index.xml") == expected


def linked(loc, **others):
    links = "".join(
        f'<x:link rel="alternate" hreflang="{code}" href="{href}"/>'
        for code, href in ({"en": loc} | others).items()
    )
    return f"<url><loc>{loc}</loc>{links}</url>"


def test_a_language_of_which_no_page_is_listed_is_a_note(here):
    """It may be in a sitemap of its own. One that is listed in part is not named."""
    german = f"{BASE}de/"
    entries = [linked(f"{BASE}{each}/", fr=f"{BASE}fr/{each}/", de=german) for each in "ab"]
    space = ' xmlns:x="http://www.w3.org/1999/xhtml"'
    put(here, {"s.xml": urlset(*entries, f"<url><loc>{german}</loc></url>", more=space).decode()})
    _, err = found("s.xml")
    assert "Note: 2 language links lead to pages in fr, of which none is listed.\n" in err


@pytest.mark.parametrize(
    "name", ["sitemap_index.xml", "wp-sitemap.xml", "sitemapindex.xml", "pages.xml"]
)
def test_a_sitemap_with_another_name_is_found_in_a_folder(here, name):
    """Any name, if robots.txt beside it says it."""
    site(here, BASE)
    (here / "sitemap.xml").rename(here / name)
    if name == "pages.xml":
        assert run("check", ".")[0] == 2
        put(here, {"robots.txt": f"Sitemap: {BASE}pages.xml\n"})
    _, out, _ = run("check", "--format", "json", ".")
    assert (json.loads(out)["files"], json.loads(out)["urls"]) == ([name], 3)


DAYS = ["2999-01-01", "no", "never", "none"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_ctrl_c_in_the_middle_of_a_file_keeps_what_was_found(here, monkeypatch):
    """Also by the rules about a whole entry; with the exit code of an interrupted program."""
    entries = [f"<url><loc>{BASE}{day}/</loc><lastmod>{day}</lastmod></url>" for day in DAYS]
    put(here, {"s.xml": urlset(*entries).decode()})

    def interrupted(url):
        if url == f"{BASE}never/":
            signal.raise_signal(signal.SIGINT)
        return url_key(url)

    monkeypatch.setattr(run_of_check, "url_key", interrupted)
    code, out, err = run("check", "s.xml")
    assert code == 130
    assert "error lastmod-format: " in out
    assert "error lastmod-future: " in out
    assert "never" not in out
    assert "the check was interrupted" in err


@pytest.fixture
def dated(here):
    """A clone with a sitemap and an index that lists it beside a second one."""
    files = {f"docs/{name}.md": f"# {name}\n" for name in ("index", "a", "b")}
    commit(here, files | {"mkdocs.yml": f"site_name: S\nsite_url: {BASE}\n"})
    listed = {"sitemap.xml": ("", "a/"), "sitemap-extra.xml": ("b/",)}
    for name, paths in listed.items():
        urls = "".join(
            f"<url><loc>{BASE}{path}</loc><lastmod>2023-11-15</lastmod></url>" for path in paths
        )
        put(here, {f"site/{name}": urlset(urls).decode()})
    put(here, {"site/sitemap-index.xml": index_of(*(BASE + name for name in listed)).decode()})
    put(here, {f"site/{path}index.html": page(BASE + path) for path in ("", "a/", "b/")})
    return here


def test_a_date_that_an_index_lists_again_counts_once(dated):
    """Beside a sitemap that is its part, as Material wants it with files."""
    _, out, _ = run("check", "--format", "json", "site")
    git = json.loads(out)["git"]
    assert (json.loads(out)["urls"], git["dates"]) == (3, 3)
    _, out, _ = run("check", "--format", "json", "site/sitemap-index.xml")
    assert json.loads(out)["git"] == git


def test_one_line_of_robots_txt_is_one_finding_that_quotes_it(here):
    """However many URLs it forbids: the sitemap itself and all of them, or what begins alike."""
    site(here, BASE, pages=("", "a/", "ab/", "private/"))
    put(here, {"robots.txt": "User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nAllow: /\n"})
    line = "is disallowed for Bingbot by robots.txt:2: Disallow: /, as 4 listed URLs are"
    assert found(".")[0] == [("disallowed", line)]
    assert urls_of(".") == [[BASE + path for path in ("", "a/", "ab/", "private/")]]
    put(here, {"robots.txt": "User-agent: *\nDisallow: /private/\nDisallow: /a\nDisallow: /q*\n"})
    both = "is disallowed for Googlebot and Bingbot by robots.txt"
    assert found(".")[0] == [
        ("disallowed", f"{both}:3: Disallow: /a; likewise {BASE}ab/"),
        ("disallowed", f"{both}:2: Disallow: /private/"),
    ]
    assert urls_of(".") == [[f"{BASE}a/", f"{BASE}ab/"], [f"{BASE}private/"]]


def urls_of(where):
    """The URLs of each finding, which the JSON keeps."""
    _, out, _ = run("check", "--format", "json", where)
    return [each["urls"] for each in json.loads(out)["findings"]]


GROUPS = [
    ("User-agent: Bingbot\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n", "a", 2),
    ("User-agent: *\nUser-agent: bingbot\nDisallow: /\nAllow: /b\nDisallow: /a # more\n", "a", 5),
    ("Disallow: /a\nUser-agent: *\nDisallow: /\n", "a", 3),
    (
        "User-agent: *\nCrawl-delay: 1\nDisallow: /ab\n\nUser-agent: bing*\nDisallow: /*b$\n",
        "ab",
        6,
    ),
    ("user-agent : *\ndisallow : /%61\n", "a", 2),
]


@pytest.mark.parametrize(("text", "path", "line"), GROUPS)
def test_the_line_is_the_one_that_the_crawler_obeys(text, path, line):
    """The longest one of its own group (RFC 9309 2.2)."""
    robots = read_robots(text.encode())
    assert not robots.allows("Bingbot", BASE + path)
    assert robots.line_against("Bingbot", BASE + path)[0] == line
