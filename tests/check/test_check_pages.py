"""``check --pages``: what a real server answers for the listed pages."""

import gzip
import json
import threading
import time
from functools import partial
from urllib.parse import quote

import pytest
from commands import run
from quantity import at_length, one_in
from sitemap_texts import urlset
from web import CLOSE, HANG, free_port, trickle

from mkdocs_sitemap_plus.command.checks import live_pages
from mkdocs_sitemap_plus.command.reader import client as web_client
from mkdocs_sitemap_plus.command.reader.client import Client

PAGE = b"<!doctype html><head>%s</head><body>Hello"
DATED = PAGE % b'<meta property="article:modified_time" content="2026-11-0%d">'


def flood(cut, handler):
    """Send the head of a page and forty megabytes, or add its path to `cut` when nobody reads."""
    handler.close_connection = True
    handler.send_response(200)
    handler.end_headers()
    handler.wfile.write(PAGE % b'<meta name="robots" content="noindex">')
    try:
        for _ in range(640):
            handler.wfile.write(bytes(1 << 16))
    except OSError:
        cut.append(handler.path)


def to(target, status=301):
    return (status, {"Location": target}, b"")


def serve(web, pages, robots=404, lastmod=""):
    """Serve pages by their names, and a sitemap of those whose names begin with ``/``."""
    web.pages |= {name: page for name, page in pages.items() if name[:2] != "//"}
    locs = [web.url + name[1:] for name in pages if not name.startswith("/hop")]
    if isinstance(robots, bytes):
        robots = f"Sitemap: {web.url}sitemap.xml\n".encode() + robots
    web.pages["/robots.txt"] = robots
    web.pages["/sitemap.xml"] = urlset(*(f"<url><loc>{loc}</loc>{lastmod}</url>" for loc in locs))


def check(web, *arguments):
    """Return the exit code, each finding as code, path and reason, and the JSON."""
    arguments = ("--format", "json", "--timeout", "60", *arguments)
    code, out, err = run("check", "--pages", *arguments, web.url + "sitemap.xml")
    result = json.loads(out)
    found = {
        (each["code"], each["loc"].removeprefix(web.url), each["reason"].replace(web.url, "/"))
        for each in result["findings"]
    }
    assert len(found) == len(result["findings"])
    return code, found, result, err.replace(web.url, "/")


def paths(web):
    """The paths that were requested, without that of a page that does not exist."""
    return [path for path in web.paths() if path != f"/{live_pages.NO_PAGE}"]


DAY = "Saturday, 25-Jun-50 15:00:00 GMT"


def test_each_answer_of_a_server_is_found_once(web, monkeypatch):
    """Whatever is wrong with a page; and nothing where it is right. A large one is read in part."""
    monkeypatch.setattr(web_client, "_MAX_PAGE", 1 << 20)
    cut = []
    other = web.url.replace("127.0.0.1", "localhost")
    pages = {
        "/": PAGE % b'<link rel="canonical" href="/">',
        "/file.pdf": (200, {"Content-Type": "application/pdf"}, b"%PDF"),
        "/moved": to("/"),
        "/chain": to("/hop1", 302),
        "/hop1": to("/hop2", 308),
        "/hop2": PAGE,
        "/loop": to("/hop3"),
        "/hop3": to("/loop"),
        "/long": to("/hop4"),
        **{f"/hop{number}": to(f"/hop{number + 1}") for number in range(4, 12)},
        "/host": to(f"{other}x"),
        "/lost": to("/hop-nowhere"),
        "/ftp": to("ftp://127.0.0.1/"),
        "/absent": 404,
        "/gone": 410,
        "/broken": 500,
        "/close": CLOSE,
        "/header": (200, {"X-Robots-Tag": "otherbot: none, googlebot: noindex"}, PAGE),
        "/file.zip": (200, {"X-Robots-Tag": "none", "Content-Type": "application/zip"}, b"x"),
        "/right": (200, {"X-Robots-Tag": "otherbot: noindex, unavailable_after: none"}, PAGE),
        "/small": (200, {"X-Robots-Tag": "max-image-preview: none, max-snippet: 9"}, PAGE),
        "/day": (200, {"X-Robots-Tag": f"unavailable_after: {DAY}, none"}, PAGE),
        "/meta": PAGE % b'<meta name="robots" content="noindex">',
        "/canonical": PAGE % b'<link rel="canonical" href="/">',
        "/refresh": PAGE % b'<meta http-equiv="refresh" content="0; url=/">',
        "/large": partial(flood, cut),
    }
    serve(web, pages)
    code, found, result, err = check(web)
    hops = ", then ".join(f"/hop{number}" for number in range(4, 10))
    assert (code, err) == (1, "")
    assert found == {
        ("redirect", "moved", "redirects (301) to /"),
        ("redirect", "chain", "redirects (302) to /hop1, then /hop2"),
        ("redirect", "loop", "redirects (301) to /hop3, then /loop, in a circle"),
        ("redirect", "long", f"redirects (301) to {hops}, and so on"),
        ("redirect", "host", f"redirects (301) to {other}x, on another host"),
        ("redirect", "lost", "redirects (301) to /hop-nowhere, which answers 404 (Not Found)"),
        (
            "redirect",
            "ftp",
            "redirects to 'ftp://127.0.0.1/', which is not an http or https URL",
        ),
        ("page-status", "absent", "answers 404 (Not Found)"),
        ("page-status", "gone", "answers 410 (Gone)"),
        ("page-status", "broken", "answers 500 (Internal Server Error)"),
        (
            "page-status",
            "close",
            "can't be reached (Remote end closed connection without response)",
        ),
        ("noindex", "large", "the page has the robots meta tag 'noindex'"),
        (
            "noindex",
            "header",
            "has the header X-Robots-Tag 'otherbot: none, googlebot: noindex'",
        ),
        ("noindex", "file.zip", "has the header X-Robots-Tag 'none'"),
        ("noindex", "day", f"has the header X-Robots-Tag 'unavailable_after: {DAY}, none'"),
        ("noindex", "meta", "the page has the robots meta tag 'noindex'"),
        ("not-canonical", "canonical", "the page names '/' as its canonical URL"),
        ("redirect", "refresh", "the page redirects to '/'"),
    }
    assert result["pages_asked"] == len([name for name in pages if not name.startswith("/hop")])
    assert "/x" not in web.paths()
    assert cut == ["/large"]


@at_length
def test_pages_that_do_not_answer_in_time_are_found(web, monkeypatch):
    """Only these pages have little time here, so that a busy machine misses no other."""
    monkeypatch.setattr(web_client, "DEADLINE_FACTOR", 1.5)
    ask = Client.page

    def impatient(client, url, *arguments):
        if url.endswith("right"):
            return ask(client, url, *arguments)
        return ask(Client(0.2), url)

    monkeypatch.setattr(Client, "page", impatient)
    serve(web, {"/hang": HANG, "/right": PAGE, "/slow": trickle})
    code, found, result, _ = check(web)
    assert (code, result["pages_asked"]) == (1, 3)
    reasons = {loc: reason for code, loc, reason in found if code == "page-status"}
    assert (len(found), sorted(reasons)) == (2, ["hang", "slow"])
    assert set(reasons.values()) <= {
        "does not answer within 0.2 s",
        "gives no whole answer within 0.3 s",
    }


LINKS = {
    '<https://example.com/a>; rel="canonical"': "https://example.com/a",
    "<a.html>;REL=Canonical": "a.html",
    ' <x>; rel=next , <b>;title="<c>; rel=canonical, ";rel="next canonical"': "b",
    '<x>; rel="next"; rel=canonical, <b>; rel=canonical, <c>; rel=canonical': None,
    '<x>; rel=canonical; anchor="#a", <y>; title="; rel=canonical"; rel=next': None,
    '<x>; title="\\"; rel=canonical': None,
    '<>; rel="canonical"': None,
    "<x>; rel": None,
    "<x>; rel=canonicals, <y; rel=canonical, rel=canonical": None,
    "": None,
}


@at_length
def test_a_canonical_url_in_a_header_counts(web):
    """RFC 8288: for a file of any type, and before that of the page."""
    of_page = PAGE % b'<link rel="canonical" href="/other">'
    pages = {f"/{number}": (200, {"Link": link}, PAGE) for number, link in enumerate(LINKS)}
    pages |= {
        "/file.pdf": (200, {"Link": "</file/>; rel=canonical"}, b"%PDF"),
        "/both": (200, {"Link": "</file/>; rel=canonical"}, of_page),
        "/same": (200, {"Link": f"<{web.url}same>; rel=canonical"}, of_page),
    }
    serve(web, pages)
    header = "the header Link names '{}' as its canonical URL"
    two = "'b' in the header Link and 'c' in the header Link"
    assert check(web)[1] == {
        *(
            ("not-canonical", str(number), header.format(target))
            for number, target in enumerate(LINKS.values())
            if target
        ),
        ("not-canonical", "file.pdf", header.format("/file/")),
        (
            "canonicals-differ",
            "3",
            f"the page names two canonical URLs, {two}; likewise /both, /same",
        ),
    }


@at_length
def test_twenty_connections_are_open_at_once_and_no_more(web):
    """Twenty pages are held until all of them are there, and a moment longer."""
    lock, twenty = threading.Lock(), threading.Barrier(20)
    now, most = 0, 0

    def hold(handler):
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        twenty.wait(60)
        time.sleep(0.1)
        with lock:
            now -= 1
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(PAGE)

    serve(web, {f"/{number}": hold for number in range(40)})
    code, out, err = run("check", "--pages", web.url + "sitemap.xml")
    assert (code, err) == (0, "")
    assert out == "No problems in 1 file with 40 URLs; 40 pages requested.\n"
    assert most == 20


def test_pages_state_the_day_of_their_entry(web):
    """As the pages of a built site."""
    serve(web, {"/a": DATED % 2, "/b": DATED % 1}, lastmod="<lastmod>2026-11-02</lastmod>")
    reason = "has lastmod 2026-11-02, but the page has article:modified_time '2026-11-01'"
    assert check(web)[:2] == (1, {("lastmod-differs", "b", reason)})


def test_robots_txt_is_obeyed(web):
    """For the name of this program; what it disallows for search engines is found as well."""
    robots = b"User-agent: mkdocs-sitemap-plus\nDisallow: /no\n\nUser-agent: Bingbot\nDisallow: /b"
    serve(web, {"/a": PAGE, "/b": PAGE, "/no": PAGE, "/to": to("/no")}, robots)
    code, found, result, err = check(web)
    assert (code, result["pages_asked"]) == (1, 3)
    assert found == {
        ("disallowed", "b", "is disallowed for Bingbot by robots.txt:6: Disallow: /b"),
        ("redirect", "to", "redirects (301) to /no, which was not requested"),
    }
    host = web.url.rstrip("/")
    why = "robots.txt disallows 1 of them for mkdocs-sitemap-plus"
    assert err.replace("/\n", "\n") == f"Note: 4 pages of {host}: {why}.\n"
    assert "/no" not in web.paths()


@pytest.mark.parametrize("status", [500, 429])
def test_without_a_robots_txt_that_can_be_read_no_page_is_asked(web, tmp_path, status):
    """RFC 9309 2.3.1.4: crawlers take it for a robots.txt that disallows all."""
    serve(web, {"/a": PAGE}, status)
    (tmp_path / "s.xml").write_bytes(web.pages["/sitemap.xml"])
    code, out, err = run("check", "--pages", tmp_path / "s.xml")
    assert code == 1
    assert f"{web.url}robots.txt: error page-status: " in out
    assert "Let the server send robots.txt, or answer 404 if there is none.\n" in out
    assert err.endswith("1 were not requested: robots.txt can't be read.\n")
    assert paths(web) == ["/robots.txt"]


def test_a_host_that_can_not_be_reached_has_advice_of_its_own(tmp_path):
    """No entry is to be removed for it."""
    loc = f"http://127.0.0.1:{free_port()}/"
    (tmp_path / "s.xml").write_bytes(urlset(f"<url><loc>{loc}</loc></url>"))
    _, out, _ = run("check", "--pages", "--ignore", "loc-local", tmp_path / "s.xml")
    advice = "can't be reached (Connection refused). Check the address, and whether the host can"
    assert f"{loc}robots.txt: error page-status: {advice} be reached.\n" in out


@at_length
def test_retry_after_is_waited_for(web):
    """Three times at most."""
    now = {"Retry-After": "0"}
    pages = {"/a": [(503, now, b""), PAGE], "/b": (503, now, b""), "/c": 503}
    serve(web, pages)
    assert check(web)[1] == {
        ("page-status", name, "answers 503 (Service Unavailable)") for name in "bc"
    }
    assert [web.paths().count(name) for name in pages] == [2, 3, 1]


@at_length
def test_a_long_retry_after_is_not_waited_for(web, rate):
    """A check in CI does not wait for an hour."""
    rate(8)
    busy = (429, {"Retry-After": "3600"}, b"")
    serve(web, {f"/{number}": busy for number in range(30)})
    code, out, err = run("check", "--pages", web.url + "sitemap.xml")
    assert code == 1
    asked = len(paths(web)) - 2
    assert asked <= 8
    assert f"; {asked} pages requested.\n" in out.replace("1 page requested", "1 pages requested")
    assert f"{30 - asked} were not requested: the server asks to wait 3,600 seconds.\n" in err


@at_length
def test_retry_after_is_not_waited_for_again_and_again(web, monkeypatch):
    """After five minutes of waits, whatever each of them is; here after five seconds."""
    assert live_pages.MAX_PAUSES == 300
    monkeypatch.setattr(live_pages, "MAX_PAUSES", 5)
    serve(web, {f"/{number}": 429 for number in range(30)})  # each time, ten seconds are taken
    _, _, err = run("check", "--pages", web.url + "sitemap.xml")
    left = 30 - (len(paths(web)) - 2)
    why = "all waits together are longer than 5 seconds"
    assert f"{left} were not requested: {why}.\n" in err


@at_length
def test_a_dead_server_is_given_up(web, rate, monkeypatch):
    """After twenty pages in a row without an answer; here after three."""
    rate(8)
    assert live_pages.MAX_SILENT == 20
    monkeypatch.setattr(live_pages, "MAX_SILENT", 3)
    serve(web, {f"/{number}": CLOSE for number in range(30)})
    code, found, result, err = check(web)  # with as many connections
    assert code == 1
    assert len(found) == result["pages_asked"] <= 10
    assert "were not requested: the server did not answer 3 requests in a row.\n" in err


def test_a_sample_is_asked_at_even_distances(web):
    """Of all pages of the host that most entries have; each page once."""
    serve(web, {f"/{number}": PAGE for number in range(9)})
    entries = [*range(9), *range(9)]
    locs = [f"<url><loc>{web.url}{number}</loc></url>" for number in entries]
    elsewhere = "<url><loc>http://localhost:9/x</loc></url>"
    web.pages["/sitemap.xml"] = urlset(*locs, elsewhere)
    check(web, "--sample", "3")
    assert sorted(paths(web)) == ["/0", "/3", "/6", "/robots.txt", "/sitemap.xml"]
    assert (
        "Error: --sample needs --pages: `check --pages --sample NUMBER PATH-or-URL`.\n"
        in run("check", "--sample", "3", "s.xml")[2]
    )


HOME = "<url><loc>https://example.com/</loc><lastmod>2026-11-02</lastmod></url>"
OTHER = "<url><loc>https://example.com/a%20b</loc></url>"


def test_a_required_url_has_to_be_listed(tmp_path):
    """In any spelling, in any of the sitemaps."""
    names = [tmp_path / "1.xml", tmp_path / "2.xml"]
    for name, entry in zip(names, (HOME, OTHER), strict=True):
        name.write_bytes(urlset(entry))
    here = ("--require", "https://EXAMPLE.com", "--require", "https://example.com/%61%20b")
    assert run("check", *here, *names)[0] == 0
    code, out, _ = run("check", *here, "--require", "https://example.com/b", *names)
    assert code == 1
    assert out.startswith(
        f"{names[0].as_posix()}: error required-absent: https://example.com/b: is not listed. "
    )
    assert "--require': 'b' is not an http or https URL.\n" in run("check", "--require", "b")[2]


@pytest.mark.parametrize(("percent", "code"), [("50%", 0), ("50", 0), ("0.5%", 0), ("50.1%", 1)])
def test_so_many_entries_have_to_be_dated(tmp_path, percent, code):
    """A percentage of the entries of all sitemaps."""
    (tmp_path / "s.xml").write_bytes(urlset(HOME, OTHER))
    got, out, _ = run("check", "--min-dated", percent, tmp_path / "s.xml")
    assert got == code
    reason = "error too-few-dates: 1 of 2 entries have a date, but 50.1% are required. "
    assert (reason in out) == (code == 1)


@pytest.mark.parametrize(
    ("share", "said"),
    [
        ("0.5", "0.5 is not clear. Write 50% or 0.5%."),
        ("1", "1 is not clear. Write 100% or 1%."),
        ("101%", "'101%' is not a percentage from 0% to 100%."),
        ("sNaN", "'sNaN' is not a percentage from 0% to 100%."),
    ],
)
def test_what_is_no_clear_percentage_is_refused(tmp_path, share, said):
    """0.9 was meant as 90 %; a guard of 0.9 % would guard nothing. With a sign, it is clear."""
    code, _, err = run("check", f"--min-dated={share}", tmp_path)
    assert (code, err.splitlines()[-1].endswith(f" {said}")) == (2, True)


def test_a_server_that_has_only_packed_files_is_read(web):
    """Such as storage with files that were packed before; robots.txt and the sitemap too."""
    noindex = PAGE % b'<meta name="robots" content="noindex">'
    robots = b"User-agent: *\nDisallow: /private\n"

    def packed(data, coding="gzip"):
        return (200, {"Content-Encoding": coding}, gzip.compress(data))

    pages = {
        "/a": packed(noindex),
        "/b": packed(noindex, "x-gzip"),
        "/right": packed(PAGE),
        "/private": packed(PAGE),
        "/named-wrong": (200, {"Content-Encoding": "UTF-8"}, noindex),
        "/brotli": (200, {"Content-Encoding": "br"}, b"\x0b\x02\x80hello\x03"),
        "/torn": (200, {"Content-Encoding": "gzip"}, gzip.compress(PAGE)[:20]),
    }
    serve(web, pages, packed(b"Sitemap: %ssitemap.xml\n" % web.url.encode() + robots))
    web.pages["/sitemap.xml"] = packed(web.pages["/sitemap.xml"])
    tag = "the page has the robots meta tag 'noindex'"
    asked = "has the Content-Encoding 'br', which was not asked for"
    both = "Googlebot and Bingbot"
    _, found, _, _ = check(web)
    assert found == {
        ("noindex", "a", tag),
        ("noindex", "b", tag),
        ("noindex", "named-wrong", tag),
        ("disallowed", "private", f"is disallowed for {both} by robots.txt:3: Disallow: /private"),
        ("page-status", "brotli", asked),
        ("page-status", "torn", "is a gzip file that ends too early"),
    }
    assert "/private" not in web.paths()


@one_in(4)
@pytest.mark.parametrize(
    ("encoding", "name", "kind", "in_head"),
    [
        ("latin-1", "caf\u00e9", "text/html; charset=ISO-8859-1", ""),
        ("cp1252", "caf\u00e9", "text/html", '<meta charset="windows-1252">'),
        (
            "gb18030",
            "\u4e2d\u6587",
            "text/html",
            '<meta http-equiv=Content-Type content="text/html; charset = gbk">',
        ),
        ("utf-16", "caf\u00e9", "text/html", ""),
        ("utf-16-be", "caf\u00e9", "text/html; charset=UTF-16BE", ""),
        ("utf-8", "caf\u00e9", "text/html; charset=iso-8859-1", ""),
        ("utf-8", "caf\u00e9", "text/html; charset=punycode", '<meta charset="windows-1252">'),
        ("latin-1", "cafe", "text/html; charset=iso-8859-99", "<title>\u00e9</title>"),
    ],
)
def test_a_page_is_read_in_its_encoding(web, encoding, name, kind, in_head):
    """The canonical URL with its letters is that of the page, and noindex is found."""
    path = f"/{quote(name)}/"

    def page(more):
        html = f'<!doctype html><head>{in_head}<link rel="canonical" href="/{name}/">{more}</head>x'
        return (200, {"Content-Type": kind}, html.encode(encoding))

    serve(web, {path: page("")})
    assert check(web)[1] == set()
    web.pages[path] = page('<meta name="robots" content="noindex">')
    assert {code for code, _, _ in check(web)[1]} == {"noindex"}


@pytest.mark.parametrize("pages", [["--pages"], []], ids=["with the pages", "the sitemap alone"])
def test_the_robots_txt_of_the_host_is_applied(web, pages):
    """The rules of a test site, published by mistake, are the classic disaster."""
    serve(web, {"/a": PAGE})
    web.pages["/robots.txt"] = b"User-agent: *\nDisallow: /\nSitemap: /sitemap.xml"
    code, out, _ = run("check", "--format", "json", *pages, web.url + "sitemap.xml")
    found = [
        (each["code"], each["line"], len(each["urls"])) for each in json.loads(out)["findings"]
    ]
    assert code == 1
    assert sorted(found) == [("disallowed", None, 1), ("robots", 3, 0)]
    web.pages["/robots.txt"] = b"User-agent: *\nDisallow: /private\n"
    code, out, _ = run("check", "--format", "json", *pages, web.url + "sitemap.xml")
    assert [each["code"] for each in json.loads(out)["findings"]] == ["robots"]
    for nothing in (404, 500 if not pages else 404):
        web.pages["/robots.txt"] = nothing
        assert run("check", *pages, web.url + "sitemap.xml")[0] == 0
