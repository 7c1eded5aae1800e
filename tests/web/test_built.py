"""What a built page's own HTML says: whether to index it, and under which URL."""

import html5lib
import pytest
from growth import LARGE, SHORT, check_growth
from heads import tags_of_robots
from hypothesis import given
from hypothesis import strategies as st

from mkdocs_sitemap_plus.command.any_site.page_sources import language_of
from mkdocs_sitemap_plus.html.page_says import PageSays, RobotsRules, read_built_page, read_page
from mkdocs_sitemap_plus.sitemap.urls import same_page, within


def page_of(html):
    return read_page(html.encode())


PAGE = "<!doctype html><html><head>{}</head><body></body></html>"


def head(html):
    return page_of(PAGE.format(html))


META = '<meta name="robots" content="noindex">'
NOINDEX = {
    "plain": '<meta name="robots" content="noindex">',
    "none": '<meta name="robots" content="none">',
    "without-blank": '<meta name="robots" content="nofollow,noindex">',
    "upper-case": '<META NAME="ROBOTS" CONTENT="NOINDEX">',
    "googlebot-mixed-case": '<meta name="GoogleBot" content="NoIndex">',
    "content-first": '<meta content="noindex" name="robots">',
    "single-quotes": "<meta name='robots' content='noindex'>",
    "no-quotes": "<meta name=robots content=noindex>",
    "no-quotes-closed": "<meta name=robots content=noindex />",
    "blanks-around-equals": '<meta name = "robots" content = "noindex" >',
    "newlines": '<meta\n  name="robots"\n  content="noindex"\n>',
    "other-attributes": '<meta data-a="1" name="robots" hidden content="noindex" id=x>',
    "greater-than-in-a-value": '<meta name="robots" data-x="a>b" content="noindex">',
    "other-quotes-in-a-value": "<meta data-x=\"it's\" name='robots' content='noindex'>",
    "entity": '<meta name="robots" content="no&#105;ndex">',
    "second-tag-is-stricter": '<meta name="robots" content="index">' + META,
    "behind-an-empty-comment": "<!---->" + META,
    "behind-an-abrupt-comment": "<!-->" + META,
    "behind-a-script-with-a-head-in-it": '<script>"</head>"</script>' + META,
    "behind-an-upper-case-script": '<SCRIPT>"<body>"</SCRIPT >' + META,
    "behind-a-style": '<style>a::after{content:"</head>"}</style>' + META,
    "behind-a-title": "<title>The <body> element</title>" + META,
    "behind-a-header": '<link rel="header" href="x">' + META,
    "behind-a-stray-quote": '<meta name="description" content=it\'s>' + META,
    "behind-an-unfinished-attribute": '<meta name="a" content="b" ">' + META,
    "max-snippet": '<meta name="robots" content="max-snippet:-1, noindex">',
}  # fmt: skip
INDEX = {
    "nothing": "",
    "nofollow": '<meta name="robots" content="nofollow">',
    "other-word": '<meta name="robots" content="noindexing">',
    "noimageindex": '<meta name="robots" content="noimageindex">',
    "max-image-preview-none": '<meta name="robots" content="max-image-preview:none">',
    "blank-in-max-image-preview-none": '<meta name="robots" content="max-image-preview: none">',
    "other-robot": '<meta name="bingbot" content="noindex">',
    "property": '<meta property="robots" content="noindex">',
    "no-content": '<meta name="robots">',
    "comment": '<!-- <meta name="robots" content="noindex"> -->',
    "open-comment": '<!-- <meta name="robots" content="noindex">',
    "script": "<script>'<meta name=\"robots\" content=\"noindex\">'</script>",
    "style": '<style>/* <meta name="robots" content="noindex"> */</style>',
    "title": '<title>The <meta name="robots" content="noindex"> tag</title>',
    "template": '<template><meta name="robots" content="noindex"></template>',
    "in-an-attribute": f"<meta name='description' content='{META}'>",
    "other-tag": '<metadata name="robots" content="noindex">',
    "first-attribute-counts": '<meta name="x" name="robots" content="noindex">',
}  # fmt: skip


def test_a_page_that_tells_robots_not_to_index_it():
    """However the tag is written; and nothing counts that only looks like it."""
    assert [name for name, html in NOINDEX.items() if head(html).noindex is None] == []
    assert [name for name, html in INDEX.items() if head(html).noindex is not None] == []


IN_BODY = {
    "first": META,
    "in-a-paragraph": f"<p>{META}</p>",
    "in-a-list": f"<ul><li>a<li>{META}</ul>",
    "in-a-table": f"<table>{META}<tr><td>a</table>",
    "behind-code": f"<pre><code>&lt;meta&gt;</code></pre>{META}",
    "behind-a-value-with-a-quote": f'<p title="it\'s">{META}',
    "behind-a-value-with-a-tag": f"<p title='a>b' data-a=\"</p><!--\">{META}",
    "behind-an-equals-without-a-name": f"<p =\"a>{META}<p title='\"'>",
    "behind-blanks-around-equals": f"<p title = 'a>b' >{META}",
    "behind-a-quote-in-a-name": f"<p a\"b>{META}<p title='\"'>",
    "behind-a-declaration": f"<!x \"a>{META}<p title='\"'>",
    "behind-an-end-tag-of-nothing": f"</ a='>'>{META}",
    "behind-a-less-than": f"1 < 2 <3 <{META}",
    "behind-a-drawing": f"<svg><title/><style/><path d='M0'/></svg>{META}",
    "behind-a-template": f"<template><template></template></template>{META}",
    "behind-a-text-area": f"<textarea><p title='</textarea>{META}",
    "behind-an-iframe": f"<iframe srcdoc='<p>'></iframe>{META}",
    "upper-case": META.upper(),
}
NOT_IN_BODY = {
    "escaped": META.replace("<", "&lt;"),
    "comment": f"<!-- {META} -->",
    "declaration": META.replace("<meta", "<!meta"),
    "value-in-single-quotes": f"<div data-code='{META}'></div>",
    "value-in-double-quotes": '<div data-code="<meta name=robots content=noindex>">',
    "value-without-a-blank-before": f"<div id=\"a\"data-code='{META}'>",
    "value-of-an-end-tag": f"<p></p title='{META}'>",
    "value-without-an-end": '<p title="<meta name=robots content=noindex>',
    "srcdoc": f"<iframe srcdoc='{META}'></iframe>",
    **{
        name: f"<{name}>{META}</{name}>"
        for name in (
            "template", "script", "style", "title", "textarea", "iframe", "noscript", "noembed",
            "noframes", "xmp",
        )
    },
    "template-in-a-template": f"<template><template></template>{META}</template>",
    "template-without-an-end": f"<template><p>{META}",
    "plain-text": f"<plaintext>{META}",
    "another-name": "<p name=robots content=noindex><metadata name=robots content=noindex>",
    "canonical": "<link rel=canonical href=/other/>",
}  # fmt: skip
AROUND = "<!doctype html><html><head><title>A</title></head><body class=a><p>b</p>{}</body></html>"


def test_a_robots_tag_in_the_body_counts_as_browsers_find_it():
    """Search engines obey it there too. In text, or in an attribute, it is none."""
    for name, html in (IN_BODY | NOT_IN_BODY).items():
        page = page_of(AROUND.format(html))
        is_tag = name in IN_BODY
        assert page == PageSays(robots=page.robots), name
        assert (page.noindex or "").lower() == ("noindex" if is_tag else ""), name
        assert (len(page.robots), page.noindex_in_body) == (is_tag, is_tag), name
        assert bool(tags_of_robots(AROUND.format(html))) is is_tag, name


def test_a_refresh_in_the_body_is_a_redirect():
    """As in a page of Markdown that only has this tag."""
    html = AROUND.format('<p><meta http-equiv="refresh" content="0; url=/x/"></p>')
    assert page_of(html) == PageSays(redirect="/x/")
    assert page_of(html.replace("refresh", "refreshed")) == PageSays()


def test_a_robots_tag_in_the_head_and_in_the_body_is_one_of_the_head():
    """So no message names the page."""
    page = page_of(f"<head>{META}</head><body>{META.replace('noindex', 'none')}")
    assert (page.noindex, page.noindex_in_body) == ("noindex", False)


def test_a_page_without_the_end_of_its_head():
    """HTML lets authors leave the tags out."""
    for html in (f"{META}<p>No head, no body", f"<html><head>{META}", f"\ufeff<html>{META}"):
        assert page_of(html).noindex == "noindex"


@pytest.mark.parametrize("before", [10, 16_384, 65_536, 400_000])
def test_a_head_of_any_length_is_read_whole(tmp_path, before):
    """Styles and scripts can make it long."""
    path = tmp_path / "index.html"
    path.write_text(
        f"<html><head><style>{'a' * before}</style><meta name=robots content=noindex>"
        f"<link rel=canonical href=/ü/></head><body>{'b' * 100_000}</body></html>",
        encoding="utf-8",
    )
    assert read_built_page(path) == PageSays(
        robots=(RobotsRules("robots", "noindex", "head"),), canonicals=("/ü/",)
    )


def test_a_script_that_names_the_head_within_the_first_bytes_does_not_hide_the_rest(tmp_path):
    """The text ``</head>`` in a script ends nothing."""
    path = tmp_path / "index.html"
    path.write_text(
        f"<html><head><script>'</head>'</script><style>{'a' * 70_000}</style>"
        "<meta name=robots content=noindex></head><body></body></html>",
        encoding="utf-8",
    )
    assert read_built_page(path).noindex == "noindex"


def test_bytes_that_are_no_utf_8_do_not_break_the_build(tmp_path):
    """Another plugin may have written anything."""
    path = tmp_path / "index.html"
    path.write_bytes(b"<head><title>\xff\xfe</title><meta name=robots content=noindex></head>")
    assert read_built_page(path).noindex == "noindex"


def test_a_page_that_was_not_built_is_none(tmp_path):
    """No file, or a folder in its place."""
    assert read_built_page(tmp_path / "a" / "index.html") is None
    assert read_built_page(tmp_path) is None


CANONICAL = {
    "plain": ('<link rel="canonical" href="https://example.com/a/">', "https://example.com/a/"),
    "href-first": ('<link href="/a/" rel="canonical">', "/a/"),
    "upper-case": ('<LINK REL="CANONICAL" HREF="/A/">', "/A/"),
    "several-words": ('<link rel="alternate canonical" href="/a/">', "/a/"),
    "single-quotes": ("<link rel='canonical' href='/it\"s/'>", '/it"s/'),
    "no-quotes": ("<link rel=canonical href=/a/>", "/a/"),
    "no-quotes-query": ("<link rel=canonical href=/a/?b=c>", "/a/?b=c"),
    "entity": ('<link rel="canonical" href="/a&amp;b&#39;/">', "/a&b'/"),
    "blanks": ('<link rel="canonical" href=" /a/\n">', "/a/"),
    "empty": ('<link rel="canonical" href="">', ""),
    "no-href": ('<link rel="canonical">', None),
    "other-word": ('<link rel="canonicals" href="/a/">', None),
    "alternate": ('<link rel="alternate" href="/a/">', None),
    "comment": ('<!--<link rel="canonical" href="/a/">-->', None),
    "first-of-two": ('<link rel=canonical href="/a/"><link rel=canonical href="/b/">', "/a/"),
}  # fmt: skip


def test_the_canonical_url_is_read_as_it_is_written():
    """Entities are resolved; nothing else is done to it."""
    expected = dict(CANONICAL.values())
    assert {html: head(html).canonical for html in expected} == expected


REFRESH = {
    "no-blank": ("0;url=../b/", "../b/"),
    "upper-case": ("0; URL=../b/", "../b/"),
    "comma": ("0, url=../b/", "../b/"),
    "quotes": ("0; url='../b/'", "../b/"),
    "quotes-and-more": ("0; url='../b/' x", "../b/"),
    "without-url": ("0; ../b/", "../b/"),
    "fraction": ("0.5; url=../b/", "../b/"),
    "blanks": (" 0 ; url = ../b/ ", "../b/"),
    "reload": ("30", None),
    "reload-with-a-semicolon": ("30;", None),
    "empty": ("", None),
    "no-number": ("url=../b/", None),
    "empty-url": ("0;url=", None),
    "blank-url": ("0; url = ", None),
    "empty-quotes": ("0; url=''", None),
    "no-url-at-all": ("0;http://[", None),
    "no-host-has-a-blank": ("0;url=http://a b/", None),
    "bad-port": ("0;url=http://a.example:x/", None),
    "script": ("0;url=JavaScript:history.back()", None),
    "quote-that-is-not-closed": ("0; url='../b/", "../b/"),
    "quotes-without-url": ("0 '../b/' x", "../b/"),
    "point": (".;url=../b/", "../b/"),
    "letters-behind-the-number": ("0s; url=../b/", None),
    "two-separators": ("0;;url=../b/", ";url=../b/"),
    "word-url": ("0; url", "url"),
    "word-url-without-equals": ("0; urls/", "urls/"),
}


def test_where_a_refresh_leads():
    """HTML, "shared declarative refresh steps": the many spellings; a reload leads nowhere."""
    refresh = '<meta http-equiv="refresh" content="{}">'.format
    expected = dict(REFRESH.values())
    assert {content: head(refresh(content)).redirect for content in expected} == expected


def test_the_first_refresh_that_browsers_take_counts():
    """One that loads the page again is one; one whose URL can't be read is none."""
    refresh = '<meta http-equiv=refresh content="{}">'.format
    assert head(refresh("5") + refresh("0;url=/b/")).redirect is None
    assert head(refresh("0;url=http://[") + refresh("0;url=/b/")).redirect == "/b/"


def test_a_base_is_read_as_it_is_written():
    """The first one with an address counts (HTML 4.2.3)."""
    assert head('<base target="_top"><base href="/b/"><base href="/c/">').base == "/b/"


def test_a_refresh_without_a_url_leads_to_the_base():
    """An empty reference is that of ``base``, which may be another page."""
    html = '<base href="/b/"><meta http-equiv=refresh content="0;url=">'
    assert head(html).leads_elsewhere("https://example.com/a/")
    assert not head(html).leads_elsewhere("https://example.com/b/")


def test_a_base_that_is_too_long_for_a_sitemap_is_not_read():
    """Each reference of a page is joined to it, so its length would count as often."""
    assert head(f"<base href='/{'a/' * 2000}'>").base is None


def test_a_character_reference_of_thousands_of_digits_stands_for_no_character():
    """Python can't read such a number; browsers show U+FFFD."""
    html = f"<link rel=canonical href='/a&#{'1' * 5000};/&#0000000065;'>"
    assert head(html).canonical == "/a\ufffd/A"


def test_a_refresh_without_javascript_is_no_redirect():
    """``noscript`` is for browsers without scripts."""
    html = '<noscript><meta http-equiv="refresh" content="0; url=/no-js/"></noscript>'
    assert head(html).redirect is None


STUB = '<!doctype html><title>Moved</title><script>{}</script><p>Moved to <a href="/a/">/a/</a>'


SCRIPTS = {
    'location="/a/"': "/a/",
    "window.location = '../a/' + location.hash": "../a/",
    'window.location.replace("https://example.com/a/")': "https://example.com/a/",
    "var x = 1;\n  top.location.href='/a/';": "/a/",
    "document.location.assign( `/a/` )": "/a/",
    "setTimeout(function () { self.location.replace('/a/') }, 100)": "/a/",
    "if (location.href == '/a/') {}": None,
    "location.replace(place)": None,
    "location.replace(`${base}/a/`)": None,
    "my_location = '/a/'": None,
    "location.hash = '/a/'": None,
    "let location = '/a/'": None,
    "location = 'Berlin'": None,
    "if (navigator.language == 'de') location.href = '/de/'": None,
    "b.addEventListener('click', () => location.href = '/a/')": None,
    "document.body.innerHTML = '<p>'; if (x) location = '/a/'": None,
}


def test_a_page_with_nothing_but_a_script_leads_where_the_script_does():
    """Search engines run it. The place must stand in the script."""
    assert {script: head(STUB.format(script)).redirect for script in SCRIPTS} == SCRIPTS


OF_SPHINX_REREDIRECTS = (
    '<html><head><noscript><meta http-equiv="refresh" content="0; url=a/b.html" /></noscript>'
    '<script>var target = "a/b.html";if (window.location.hash) {{window.location.replace(target '
    "+ window.location.hash);}} else {{window.location.replace(target);}}</script></head>{}</html>"
)


@pytest.mark.parametrize(("body", "target"), [("", "a/b.html"), ("<h1>A</h1><ul><li>b", None)])
def test_where_a_script_has_a_variable_the_refresh_without_scripts_counts(body, target):
    """sphinx-reredirects makes such pages."""
    assert head(OF_SPHINX_REREDIRECTS.format(body)).redirect == target


MORE = [
    *("<img src=a.png>", "<form>", "<script src=a.js></script>", "<ul><li>a", "a " * 200),
    *("<a href='#' onclick='go()'>go</a>", "<!--" + "-" * 20_000),
]


def test_a_page_with_more_than_a_script_is_a_page():
    """Its script may be for some visitors only."""
    page = STUB.format('if (old) location = "/a/"')
    assert [more for more in MORE if head(page + more).redirect] == []


FULL = "<head><title>A</title>{}</head><body><img src=a.png>" + "text " * 9_000


OF_HEADS = {
    '<script>location.replace("/a/");</script>': "/a/",
    "<script type='text/javascript'>\n window.location.href = '../a/'\n</script>": "../a/",
    "<!-- <script>location = '/a/'</script> -->": None,
    "<script>if (old) location = '/a/'</script>": None,
    "<script>location = '/a/'; more()</script>": None,
    "<script>location = 'Berlin'</script>": None,
    "</head><script>location = '/a/'</script>": None,
}


def test_a_script_of_the_head_that_only_leads_away_leads_everybody_away():
    """Whatever else the page has. In the body, it may be an example."""
    assert {script: page_of(FULL.format(script)).redirect for script in OF_HEADS} == OF_HEADS


def test_a_refresh_counts_before_a_script():
    """As in the pages of mkdocs-redirects, which have both."""
    html = '<meta http-equiv="refresh" content="0; url=/b/">' + STUB.format('location = "/a/"')
    assert head(html).redirect == "/b/"


@pytest.mark.parametrize(
    ("before", "again", "after"),
    [("<meta ", "a", ""), ("<meta ", "a=", ""), ("<meta ", "'", ""), ("", "<!--", ""),
     ("", "<script>", ""), ("", "<meta ", ""), ("<meta a", " ", ""),
     ('<meta http-equiv=refresh content="', "0", '">'),
     ('<meta http-equiv=refresh content="0', " ", '">'),
     ("<meta name=robots content='", ",", "'>")],
    ids=["name", "equals", "quotes", "comments", "scripts", "metas", "blanks", "zeros",
         "refresh-blanks", "commas"],
)  # fmt: skip
def test_no_page_takes_long(before, again, after):
    """The time grows with the page, and no faster, so that a larger one costs milliseconds, too."""
    small, large = (before + again * (size // len(again)) + after for size in (SHORT, LARGE))
    check_growth(page_of, small, large, again)


@given(st.lists(st.sampled_from(["<meta ", "<link ", "<base ", "name=", "rel=", "href=", "content=",
    "robots", "canonical", "'", '"', ">", "<", "/", " ", "<!--", "-->", "<script>", "</script>",
    "</head>", "&amp;", "&", "=", "noindex", "refresh", "http-equiv=",
    "0;url="]), max_size=40))  # fmt: skip
def test_no_html_breaks_the_reader(parts):
    """Tag soup gives an answer."""
    assert isinstance(page_of("".join(parts)), PageSays)


LOC = "https://example.com/docs/it%27s/%C3%A9/"
SAME = {
    "itself": LOC,
    "empty": "",
    "with-a-fragment": LOC + "#top",
    "empty-fragment": LOC + "#",
    "path": "/docs/it%27s/%C3%A9/",
    "relative": "../%C3%A9/",
    "dots": "https://example.com/docs/a/../it%27s/%C3%A9/",
    "host-only": "//example.com/docs/it%27s/%C3%A9/",
    "unescaped-quote": "https://example.com/docs/it's/%C3%A9/",
    "unescaped-letter": "https://example.com/docs/it%27s/é/",
    "lower-case-escapes": "https://example.com/docs/it%27s/%c3%a9/",
    "upper-case-host": "HTTPS://EXAMPLE.COM/docs/it%27s/%C3%A9/",
    "default-port": "https://example.com:443/docs/it%27s/%C3%A9/",
    "dot-behind-the-host": "https://example.com./docs/it%27s/%C3%A9/",
}
OTHER = {
    "scheme": LOC.replace("https", "http"),
    "host": LOC.replace("example", "www.example"),
    "port": LOC.replace(".com", ".com:8443"),
    "path": "https://example.com/docs/other/",
    "case-of-the-path": LOC.replace("docs", "Docs"),
    "no-slash": LOC.rstrip("/"),
    "index": LOC + "index.html",
    "query": LOC + "?a=b",
    "escaped-slash": LOC.replace("/%C3", "%2F%C3"),
    "escaped-question-mark": LOC + "%3F",
    "no-url": "https://[::1/",
    "bad-port": "https://example.com:x/docs/it%27s/%C3%A9/",
    "mail": "mailto:a@example.com",
}


def test_references_that_name_the_page_itself():
    """RFC 3986 6.2.2: case of the host, ports, dots and escapes make no other page.

    Another page is whatever a server may answer differently.
    """
    assert [name for name, reference in SAME.items() if not same_page(reference, LOC)] == []
    assert [name for name, reference in OTHER.items() if same_page(reference, LOC)] == []


@pytest.mark.parametrize(
    ("reference", "base", "same"),
    [
        ("a/", "https://example.com/", True),
        ("a/", "/", True),
        ("a/", None, False),
        ("", "/b/", False),
        ("https://example.com/a/", "https://other.example/", True),
    ],
)
def test_a_base_changes_where_relative_references_start(reference, base, same):
    """``<base href>`` holds for the canonical URL as well."""
    assert same_page(reference, "https://example.com/a/", base) is same


def test_international_hosts_are_equal_in_both_of_their_forms():
    """A canonical URL may spell the host with letters, ``site_url`` without."""
    for host in ("bücher", "BÜCHER"):
        assert same_page(f"https://{host}.example/a/", "https://xn--bcher-kva.example/a/")


WITHIN = ["/p/a/", "/p/", ":443/p/a/", "/p/%zz/", "/p/./a/", "/p/.a/"]
OUTSIDE = ["/q/", "/pq/", ":444/p/a/", "/p/../q/"]


def test_a_url_lies_under_the_folder_of_the_sitemap_or_not():
    """sitemaps.org, "Sitemap file location": scheme, host, port and folder."""
    locs = [f"https://h.example{end}" for end in WITHIN + OUTSIDE]
    found = [loc for loc in locs if within(loc, "https://h.example/p/")]
    assert found == locs[: len(WITHIN)]
    for loc in ("http://h.example/p/a/", "nonsense"):
        assert not within(loc, "https://h.example/p/")


def test_the_language_of_a_page():
    """It is the one that html5lib finds, whatever other attributes hold."""
    for tag in (
        *("<HTML class='a > b' LANG=\"pt-BR\">", "<html\nlang = 'de' >", "<html>"),
        *("<html xml:lang=fr>", "<html data-lang=fr>", "<html title='lang=fr' lang=de>"),
    ):
        page = f"<!doctype html>\n{tag}<title>lang=it</title><p lang=it>A"
        root = html5lib.parse(page, namespaceHTMLElements=False)
        assert language_of(page) == root.get("lang", ""), tag
