"""``check --pages`` as its user sees it: previews, hosts, headers, Ctrl-C, and hostile servers."""

import gzip
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest
from commands import run
from hostile_answers import ANSWERS
from quantity import LONG, at_length, more_at_length
from sitemap_texts import index_of, urlset
from sites import clean_environment
from web import Web

from mkdocs_sitemap_plus.command.checks import live_pages
from mkdocs_sitemap_plus.command.checks.live_pages import NO_PAGE
from mkdocs_sitemap_plus.command.cli.check import Watcher
from mkdocs_sitemap_plus.command.reader import client
from mkdocs_sitemap_plus.progress import Progress

PAGE = b"<!doctype html><head><title>Docs</title>%s</head><body>%s"
NOT_FOUND = (404, {"Content-Type": "text/html"}, PAGE % (b"", b"Not found. <p>Go home"))


def page(head="", body="Hello", headers=None):
    return (
        200,
        {"Content-Type": "text/html", **(headers or {})},
        PAGE % (head.encode(), body.encode()),
    )


@pytest.fixture
def web(web):
    """A server that keeps its connections open, as those of the web do, and counts them."""
    handler = web.server.RequestHandlerClass
    handler.protocol_version = "HTTP/1.1"
    web.connections = 0
    setup = handler.setup

    def counted(self):
        web.connections += 1
        setup(self)

    handler.setup = counted
    return web


@pytest.fixture
def other(monkeypatch):
    """A second host."""
    monkeypatch.setenv("no_proxy", "127.0.0.1,localhost")
    server = Web()
    server.url = server.url.replace("127.0.0.1", "localhost")
    yield server
    server.stop()


def entry(loc, *more):
    return f"<url><loc>{loc}</loc>{''.join(more)}</url>"


def check(where, *arguments):
    """Return the exit code, each finding as code, URL and reason, and what is noted."""
    code, out, err = run("check", "--pages", "--format", "json", *arguments, where)
    result = json.loads(out)
    found = {(each["code"], each["loc"], each["reason"]) for each in result["findings"]}
    return code, found, result, err.splitlines()


def serve(web, **pages):
    web.pages |= {f"/{name}": answer for name, answer in pages.items()}
    web.pages["/sitemap.xml"] = urlset(*(entry(f"{web.url}{name}") for name in pages))
    return f"{web.url}sitemap.xml"


PAST, FUTURE = "25 Jun 2010 15:00:00 PST", "25 Jun 2999 15:00:00 PST"
NOINDEX = {
    "after": page(f'<meta name="robots" content="unavailable_after: {PAST}">'),
    "after_iso": page('<meta name="googlebot" content="unavailable_after: 2010-06-25, nofollow">'),
    "after_header": page(headers={"X-Robots-Tag": f"unavailable_after: {PAST}"}),
    "after_850": page(
        headers={"X-Robots-Tag": "unavailable_after: Friday, 25-Jun-10 15:00:00 PST, nofollow"}
    ),
    "after_bot": page(
        headers={"X-Robots-Tag": f"otherbot: noindex, googlebot: unavailable_after: {PAST}"}
    ),
}
OF_BING = {
    "bing": page('<meta name="bingbot" content="noindex">'),
    "bing_header": page(headers={"X-Robots-Tag": "bingbot: nofollow, noindex"}),
}
INDEXED = {
    "yandex": page('<meta name="yandex" content="noindex">'),
    "later": page(f'<meta name="robots" content="unavailable_after: {FUTURE}">'),
    "later_header": page(headers={"X-Robots-Tag": f"unavailable_after: {FUTURE}"}),
    "no_date": page(headers={"X-Robots-Tag": "unavailable_after: soon"}),
    "other_bot": page(headers={"X-Robots-Tag": f"otherbot: unavailable_after: {PAST}"}),
}


def test_a_connection_that_ends_between_two_requests_changes_nothing(web):
    """A server may close one that it kept open. The request is sent again as it was."""
    seen, answer = set[object](), web.answer

    def once(handler):
        """Answer the first request of a connection, and close it at the second."""
        if handler.connection in seen:
            handler.close_connection = True
        else:
            seen.add(handler.connection)
            answer(handler)

    pages = {"a/": PAGE, "moved/": (301, {"Location": "/a/"}, b""), "b/": PAGE}
    url, web.answer = serve(web, **pages), once
    _, found, _, _ = check(url, "--header", "X-Token: t")
    assert {code for code, _, _ in found} == {"redirect"}, found
    sent = [dict(headers) for _, path, headers, _ in web.requests if path == "/a/"]
    assert {(each.get("X-Token"), each["User-Agent"][:20]) for each in sent} == {
        ("t", "mkdocs-sitemap-plus/")
    }


def test_noindex_for_google_is_found_and_that_for_bing_is_noted(web):
    """In a tag or a header, at once or since a date that has passed."""
    where = serve(web, **NOINDEX, **INDEXED, **OF_BING)
    code, found, _, notes = check(where)
    of_bing = f"{web.url}bing, {web.url}bing_header"
    assert notes == [f"Note: 2 pages have noindex for Bing alone ({of_bing})."]
    assert code == 1
    assert {(kind, loc.removeprefix(web.url)) for kind, loc, _ in found} == {
        ("noindex", name) for name in NOINDEX
    }


def test_a_refresh_in_a_header_is_a_redirect(web):
    """Google treats it like one; a page that only loads itself again is none."""
    where = serve(
        web,
        away=page(headers={"Refresh": "0; url=/b"}),
        again=page(headers={"Refresh": "30"}),
        itself=page(headers={"Refresh": "30; url=/itself"}),
        script=page(headers={"Refresh": "0; url=javascript:x()"}),
    )
    assert check(where)[1] == {
        ("redirect", f"{web.url}away", "the header Refresh redirects to '/b'")
    }


def test_two_canonical_urls_are_found(web):
    """Google then ignores both: one finding. Twice the same URL is none of this."""
    one, two = '<link rel="canonical" href="/{}">', '<link rel="canonical" href="/other">'
    where = serve(
        web,
        two=page(one.format("two") + two),
        same=page(one.format("same") * 2),
        header=page(headers={"Link": "</header>; rel=canonical, </other>; rel=canonical"}),
    )
    reason = "the page names two canonical URLs, '/two' and '/other'"
    both = f"{reason}; likewise {web.url}header"
    assert check(where)[1] == {("canonicals-differ", f"{web.url}two", both)}


def test_pages_that_are_not_there_although_the_server_says_200_are_found(web):
    """They are the error page of the site, or empty; the home page may have the same title."""
    lost = b"<title>404 Not Found</title><h1>404 Not Found</h1>"
    where = serve(
        web,
        home=page(body="Welcome"),
        lost=page(body="Not found.\n<p>Go home"),
        empty=page(body=" <!-- nothing --> "),
        nothing=(200, {"Content-Type": "text/html"}, b""),
        script=page(body="<script>app()</script>"),
        nginx=(200, {"Content-Type": "text/html"}, lost + b"<hr>nginx"),
        about=(200, {"Content-Type": "text/html"}, lost + b"What the status means. " * 30),
    )
    nginx = "answers 200, but has the title '404 Not Found', and hardly more text"
    web.pages["/sitemap.xml"] += b"<!-- -->"
    web.pages[f"/{NO_PAGE}"] = NOT_FOUND
    alike = "answers 200, but with the title and the text of the page of error 404"
    assert check(where)[1] == {
        ("soft-not-found", f"{web.url}lost", alike),
        ("soft-not-found", f"{web.url}empty", "answers 200, but has an empty body"),
        ("soft-not-found", f"{web.url}nothing", "answers 200, but has an empty body"),
        ("soft-not-found", f"{web.url}nginx", nginx),
    }


def test_an_empty_page_with_another_fault_is_found_once(web):
    """Whoever hides it, or leads away from it, knows that it is no page."""
    heads = {
        "noindex": '<meta name="robots" content="noindex">',
        "redirect": '<meta http-equiv="refresh" content="0; url=/b">',
        "not_canonical": '<link rel="canonical" href="/b">',
    }
    where = serve(web, **{name: page(head, body="") for name, head in heads.items()})
    found = {
        (loc.removeprefix(web.url), code.replace("-", "_")) for code, loc, _ in check(where)[1]
    }
    assert found == {(name, name) for name in heads}


def test_a_server_that_answers_200_for_whatever_is_asked_is_noted(web):
    """Its error page is known all the same; but where scripts fill all pages, nothing is known."""
    why = "Note: the server answers 200 for a page that does not exist"
    where = serve(web, a=page(), b=page(body="B"), lost=page(body="Not found"))
    web.pages[f"/{NO_PAGE}"] = page(body="Not found")
    code, found, _, notes = check(where)
    assert (code, {loc for _, loc, _ in found}, notes) == (1, {f"{web.url}lost"}, [f"{why}."])
    where = serve(web, **dict.fromkeys(("a", "b", "lost"), page(body="Not found")))
    code, found, _, notes = check(where)
    assert (code, found) == (0, set())
    assert notes == [f"{why}, and with the same text for most pages that do."]


def test_an_error_page_that_names_the_url_is_the_same_for_all(web):
    """The URL is left out when texts are compared."""
    where = serve(web, lost=page(body="There is no /lost here"), home=page())
    web.pages[f"/{NO_PAGE}"] = (404, {}, PAGE % (b"", f"There is no /{NO_PAGE} here".encode()))
    assert {loc for _, loc, _ in check(where)[1]} == {f"{web.url}lost"}


def test_only_hosts_that_the_sitemap_may_list_are_requested(web, other, tmp_path):
    """Another host would be asked whatever a stranger wrote into the sitemap."""
    admin = [entry(f"{other.url}admin/delete?id={number}") for number in range(5)]
    web.pages |= {"/sitemap.xml": urlset(entry(f"{web.url}a"), *admin), "/a": page()}
    code, found, result, notes = check(f"{web.url}sitemap.xml", "--ignore", "loc-outside")
    assert (code, found, result["pages_asked"], other.requests) == (0, set(), 1, [])
    what = "5 pages on other hosts: this sitemap may not list them, so they were not requested."
    assert notes == [f"Note: {what}"]
    # The robots.txt of the other host allows it.
    other.pages |= {
        "/robots.txt": f"Sitemap: {web.url}sitemap.xml".encode(),
        "/admin/delete?id=1": page(),
    }
    code, found, result, notes = check(other.url)
    assert {(kind, loc) for kind, loc, _ in found} == {
        ("page-status", f"{other.url}admin/delete?id={number}") for number in (0, 2, 3, 4)
    }
    assert (result["pages_asked"], notes) == (
        6,
        [f"Note: {other.url}: checking {web.url}sitemap.xml."],
    )


def headers_of(server):
    return {path: headers.get("Authorization") for _, path, headers, _ in server.requests}


def test_a_header_goes_to_the_host_that_is_asked_and_to_no_other(web, other, tmp_path):
    """Neither to a page of another host, nor across a redirect; it is in no message either."""
    where = serve(web, a=page(), away=(302, {"Location": f"{other.url}x"}, b""))
    web.pages["/robots.txt"] = (302, {"Location": f"{other.url}robots.txt"}, b"")
    code, out, err = run("check", "--pages", "--header", "Authorization: s3cret", where)
    assert code == 1
    assert "s3cret" not in out + err
    assert headers_of(web) == dict.fromkeys(web.paths(), "s3cret")
    assert headers_of(other) == {"/robots.txt": None}
    web.requests.clear()
    (tmp_path / "s.xml").write_bytes(
        urlset(entry(f"{web.url}a"), entry(f"{web.url}b"), entry(other.url))
    )
    check(tmp_path / "s.xml", "--header", "Authorization: s3cret")
    assert headers_of(web)["/a"] == "s3cret"
    assert {*headers_of(other).values()} == {None}


@pytest.mark.parametrize("header", ["s3cret", "A: s3cret\r\nB: x"])
def test_what_is_no_header_is_refused(header):
    """Without the text, which may be a secret."""
    code, _, err = run("check", "--header", header, "s.xml")
    assert code == 2
    assert "a header looks like 'Name: value', in one line." in err
    assert "s3cret" not in err


def preview(web, *, robots=404, headers=None, pages=None):
    """Serve a preview below /pr-7/ whose pages are published at web.example/docs/."""
    site = "https://web.example/docs/"
    own = '<link rel="canonical" href="https://web.example/docs/{}">'
    web.pages = {
        "/robots.txt": robots,
        "/pr-7/": page(own.format(""), headers=headers),
        "/pr-7/a/": page(own.format("a/"), headers=headers),
        f"/pr-7/{NO_PAGE}": NOT_FOUND,
    }
    web.pages |= {f"/pr-7/{name}": answer for name, answer in (pages or {}).items()}
    sitemap = urlset(*(entry(f"{site}{name}") for name in ("", "a/", *(pages or {}))))
    web.pages["/pr-7/sitemap.xml"] = sitemap
    return f"{web.url}pr-7/", sitemap


def test_a_preview_is_asked_instead_of_the_published_site(web, tmp_path):
    """Its faults are those that the site will have; canonical URLs are those of the site."""
    base, sitemap = preview(
        web, pages={"b/": 404, "c/": page('<link rel="canonical" href="/docs/a/">')}
    )
    (tmp_path / "s.xml").write_bytes(sitemap)
    for where in (tmp_path / "s.xml", base, f"{base}sitemap.xml"):
        code, found, result, notes = check(where, "--base-url", base)
        assert (code, result["pages_asked"]) == (1, 4)
        assert found == {
            ("page-status", "https://web.example/docs/b/", "answers 404 (Not Found)"),
            (
                "not-canonical",
                "https://web.example/docs/c/",
                "the page names '/docs/a/' as its canonical URL",
            ),
        }
        assert [note for note in notes if "checking" not in note] == []


def test_a_fault_of_the_built_site_is_reported_once(web, tmp_path):
    """Though the preview of this site has it, too; what only the server does is found."""
    stub = '<meta name="robots" content="noindex">'
    two = '<link rel="canonical" href="/a/"><link rel="canonical" href="/b/">'
    heads = {"c/": stub, "e/": two, "f/": two}
    pages = {"b/": 404, "d/": page(headers={"X-Robots-Tag": "noindex"})}
    pages |= {name: page(head) for name, head in heads.items()}
    base, sitemap = preview(web, pages=pages)
    (tmp_path / "sitemap.xml").write_bytes(sitemap)
    for name in ("", "a/", "c/", "d/", "e/", "f/"):
        (tmp_path / name).mkdir(exist_ok=True)
        html = PAGE % (heads.get(name, "").encode(), b"Hello")
        (tmp_path / name / "index.html").write_bytes(html)
    _, found, _, _ = check(tmp_path, "--base-url", base)
    paths = sorted((code, loc.rpartition("docs/")[2]) for code, loc, _ in found)
    assert paths == [
        ("canonicals-differ", "e/"),
        ("noindex", "c/"),
        ("noindex", "d/"),
        ("page-absent", "b/"),
    ]


def test_what_forbids_the_whole_preview_is_one_note(web, tmp_path):
    """Hosts forbid all of a preview, in robots.txt or in a header; one page with it is a fault."""
    noindex = {"X-Robots-Tag": "noindex"}
    base, sitemap = preview(web, robots=b"User-agent: *\nDisallow: /", headers=noindex)
    (tmp_path / "s.xml").write_bytes(sitemap)
    code, found, result, notes = check(tmp_path / "s.xml", "--base-url", base)
    assert (code, found, result["pages_asked"]) == (0, set(), 2)
    assert notes == [
        f"Note: {web.url}robots.txt disallows the whole preview. It was requested all the same.",
        "Note: each page of the preview has noindex in its header X-Robots-Tag.",
    ]
    base, sitemap = preview(web, pages={"b/": page(headers=noindex)})
    (tmp_path / "s.xml").write_bytes(sitemap)
    assert {loc for _, loc, _ in check(tmp_path / "s.xml", "--base-url", base)[1]} == {
        "https://web.example/docs/b/"
    }


def test_the_built_site_tells_where_it_is_published(web, tmp_path):
    """Although its home page is not listed, and all of its pages are in one folder."""
    for name in ("a", "b"):
        folder = tmp_path / "guide" / name
        folder.mkdir(parents=True)
        (folder / "index.html").write_bytes(PAGE % (b"", b"Hello"))
        web.pages[f"/pr-7/guide/{name}/"] = page()
    (tmp_path / "index.html").write_bytes(PAGE % (b'<meta name="robots" content="noindex">', b"x"))
    locs = (f"https://web.example/docs/guide/{name}/" for name in "ab")
    (tmp_path / "sitemap.xml").write_bytes(urlset(*map(entry, locs)))
    code, found, result, _ = check(tmp_path, "--base-url", f"{web.url}pr-7")
    assert (code, found, result["pages_asked"]) == (0, set(), 2)


def test_a_preview_has_an_index_of_sites(web):
    """Which are in folders below its own; the listed URLs do not say how far below."""
    names = ["docs/en/", "docs/de/"]
    web.pages = {f"/pr-7/{NO_PAGE}": NOT_FOUND}
    for name in names:
        site = f"https://web.example/{name}"
        own = f'<link rel="canonical" href="{site}">'
        web.pages[f"/pr-7/{name}"] = page(own)
        web.pages[f"/pr-7/{name}sitemap.xml"] = urlset(entry(site), entry(f"{site}gone/"))
    listed = index_of(*(f"https://web.example/{name}sitemap.xml" for name in names))
    web.pages["/pr-7/sitemap-index.xml"] = listed
    base = f"{web.url}pr-7/"
    _, found, result, _ = check(f"{base}sitemap-index.xml", "--base-url", base)
    assert {(code, loc) for code, loc, _ in found} == {
        ("page-status", f"https://web.example/{name}gone/") for name in names
    }
    assert result["pages_asked"] == 2 * len(names)


def test_base_url_has_to_be_one(tmp_path):
    """And needs ``--pages``."""
    for url, fault in (("preview", "is not an http or https URL"), ("https://a/?b", "has a query")):
        assert fault in run("check", "--pages", "--base-url", url, "s.xml")[2]
    assert "--base-url needs --pages" in run("check", "--base-url", "https://a/", "s.xml")[2]


def test_a_crawl_delay_that_is_too_long_stops_the_check(web):
    """Nobody waits for an hour between two pages."""
    where = serve(web, a=page(), b=page())
    web.pages["/robots.txt"] = b"User-agent: *\nCrawl-delay: 3600"
    _, _, result, notes = check(where)
    assert result["pages_asked"] == 0
    why = "robots.txt asks for 3,600 seconds between two requests"
    assert notes == [f"Note: 2 pages of {web.url[:-1]}: 2 were not requested: {why}."]


@at_length
def test_connections_stay_open(web):
    """Whatever the answers are: one for the sitemap, one for robots.txt, and those of the pages."""
    names = [f"p{number}" for number in range(60)]
    answers = [
        page(),
        404,
        (301, {"Location": "/p0"}, b"moved"),
        (200, {"Content-Type": "image/png"}, bytes(999)),
    ]
    where = serve(web, **{name: answers[at % 4] for at, name in enumerate(names)})
    assert check(where)[2]["pages_asked"] == 60
    assert web.connections <= 2 + 20


@more_at_length
def test_no_answer_of_a_server_ends_the_check(web, monkeypatch):
    """More than 250 answers at length: all pages are counted, and each finding is one line."""
    answers = ANSWERS if LONG else ANSWERS[::5]
    monkeypatch.setattr(live_pages, "MAX_SILENT", 1000)
    for number, raw in enumerate(answers):

        def answer(handler, raw=raw):
            handler.wfile.write(raw)
            handler.close_connection = True

        web.pages[f"/{number}"] = answer
    web.pages["/good"] = page('<meta name="robots" content="noindex">')
    locs = [*(str(number) for number in range(len(answers))), "good"]
    web.pages["/sitemap.xml"] = urlset(*(entry(web.url + name) for name in locs))
    arguments = ("--timeout", "20", f"{web.url}sitemap.xml")
    code, out, err = run("check", "--pages", "--format", "json", *arguments)
    result = json.loads(out)
    assert (code, result["pages_asked"]) == (1, len(answers) + 1)
    reasons = {each["loc"].removeprefix(web.url): each["reason"] for each in result["findings"]}
    assert reasons["good"] == "the page has the robots meta tag 'noindex'"
    assert [text for text in reasons.values() if "answer that can't be read" in text] == []
    assert err == ""
    text = "\n".join(reasons.values())
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]|Traceback", text)


@at_length
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_ctrl_c_gives_what_was_found_so_far(web):
    """Although servers hold all connections; with the exit code of an interrupted program."""
    held, released = threading.Semaphore(0), threading.Event()

    def hold(handler):
        held.release()
        released.wait(60)
        handler.close_connection = True

    where = serve(web, gone=404, **{f"p{number}": hold for number in range(50)})
    command = [
        sys.executable,
        "-m",
        "mkdocs_sitemap_plus",
        "check",
        "--pages",
        where,
    ]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=clean_environment(no_proxy="127.0.0.1"),
    ) as process:
        for _ in range(8):
            assert held.acquire(timeout=60)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=25)  # less than the 30 s of a silent server
        released.set()
    assert process.returncode == 130
    assert f"error page-status: {web.url}gone: answers 404 (Not Found)" in out
    assert "1 error in 1 file with 51 URLs; 1 page requested.\n" in out
    assert err.splitlines() == [
        f"Note: 51 pages of {web.url[:-1]}: 50 were not requested: interrupted.",
        "Note: the check was interrupted, so this is not all.",
    ]


@at_length
def test_all_redirects_of_a_page_have_one_deadline(web, monkeypatch):
    """Each of them comes in time, but all together do not."""
    monkeypatch.setattr(client, "DEADLINE_FACTOR", 0.01)  # so 0.5 s in all

    def slow(handler):
        time.sleep(0.2)
        handler.send_response(302)
        handler.send_header("Location", f"{handler.path}x")
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    where = serve(web, a=slow, **dict.fromkeys(("ax", "axx", "axxx", "axxxx"), slow))
    web.pages["/sitemap.xml"] = urlset(entry(f"{web.url}a"))
    ((_, _, reason),) = check(where, "--timeout", "50")[1]
    assert reason.endswith("gives no whole answer within 0.5 s")


def test_a_search_for_an_address_ends_at_the_deadline(monkeypatch):
    """A name server may be silent for minutes, and nothing can stop the system's search."""
    monkeypatch.setattr(client, "DEADLINE_FACTOR", 1)
    released = threading.Event()

    def search(*_, **__):
        released.wait(60)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", search)
    code, _, err = run("check", "--timeout", "0.2", "http://site.example/sitemap.xml")
    released.set()
    url = "http://site.example/sitemap.xml"
    assert (code, err) == (2, f"Error: {url}: gives no whole answer within 0.2 s.\n")


def test_a_log_gets_a_line_a_minute(capsys):
    """And a terminal a line that is written again and again, which another test looks at."""
    times = iter([0, 1, 59, 60, 61, 119, 121, 200, 200])
    watcher = Watcher(Progress(sys.stderr), now=lambda: next(times))
    for done in (10, 590, 600, 1190, 1210):
        watcher.progress(done, 5000)
    assert capsys.readouterr().err.splitlines() == [
        "Note: requested 600 of 5,000 pages.",
        "Note: requested 1,210 of 5,000 pages.",
    ]


# What robots.txt names


def check_robots(web, lines, *arguments):
    """What `check` finds of robots.txt with these lines, and all that it says."""
    web.pages["/robots.txt"] = "".join(f"{line}\n" for line in lines).encode()
    code, out, err = run("check", "--format", "json", *(arguments or [web.url + "sitemap.xml"]))
    found = [each for each in json.loads(out)["findings"] if each["code"] == "robots"]
    return code, [(each["line"], each["reason"]) for each in found], err


NOINDEX_TAG = page('<meta name="robots" content="noindex, nofollow">')


@pytest.mark.parametrize(
    ("home", "said"),
    [
        (NOINDEX_TAG, "the robots meta tag 'noindex, nofollow'"),
        (page(headers={"X-Robots-Tag": "noindex"}), "the header X-Robots-Tag 'noindex'"),
        (page(), None),
        (page('<meta name="bingbot" content="noindex">'), None),
        ((302, {"Location": "http://localhost:1/login"}, b""), None),
        ((302, {"Location": "/home/"}, b""), "the header X-Robots-Tag 'none'"),
        (404, None),
    ],
)
@pytest.mark.parametrize("path", ["", "docs/", "docs/sitemap.xml"])
def test_a_site_without_a_sitemap_whose_home_page_is_noindex_is_a_warning(web, home, said, path):
    """It may be meant so, or all pages are out of Google since the host was changed."""
    folder = path.removesuffix("sitemap.xml")
    web.pages |= {f"/{folder}": home, "/home/": page(headers={"X-Robots-Tag": "none"})}
    code, out, err = run("check", f"{web.url}{path}")
    assert (code, "Error" in err) == ((1, False) if said else (2, True))
    if said:
        found = f"answers 404 (Not Found), and {web.url}{folder} has {said}. "
        assert out.startswith(f"{web.url}{folder}sitemap.xml: warning closed: {found}")
        assert run("check", "--ignore", "closed", f"{web.url}{path}")[0] == 0
        assert run("check", "--require", f"{web.url}a/", f"{web.url}{path}")[0] == 2


@pytest.fixture
def two_hosts(web):
    """A host with a sitemap, an index of it and one of others; and the same server as another."""
    other = web.url.replace("127.0.0.1", "localhost")
    entry = "<url><loc>{}a/</loc></url>".format
    web.pages |= {
        "/sitemap.xml": urlset(entry(web.url)),
        "/index.xml": urlset(
            f"<sitemap><loc>{web.url}sitemap.xml</loc></sitemap>", root="sitemapindex"
        ),
        "/blog.xml": urlset(entry(f"{web.url}blog/")),
        "/of-other.xml": urlset(entry(other)),
        "/of-this.xml": urlset(entry(web.url)),
    }
    return web.url, other


def test_robots_txt_names_this_sitemap_or_what_leads_to_it(web, two_hosts):
    """An index of it, its archive, or a sitemap on another host that lists pages of this one.

    Also the file of its name at the root, which Read the Docs makes of that of a version.
    """
    this, other = two_hosts
    for line in (
        f"Sitemap: {this}sitemap.xml",
        f"sitemap: {this}sitemap.xml.gz",
        f"Sitemap: {this}index.xml",
        f"Sitemap: {other}of-this.xml",
    ):
        web.pages["/sitemap.xml.gz"] = gzip.compress(web.pages["/sitemap.xml"])
        assert check_robots(web, ["User-agent: *", line])[:2] == (0, [])
    web.pages["/en/latest/sitemap.xml"] = web.pages["/sitemap.xml"] = urlset(
        entry(f"{this}en/latest/")
    )
    lines = [f"Sitemap: {this}sitemap.xml"]
    assert check_robots(web, lines, f"{this}en/latest/sitemap.xml")[:2] == (0, [])


def test_robots_txt_that_names_only_other_sitemaps_is_a_finding(web, two_hosts):
    """It was copied from another host, or from another part of this one."""
    this, other = two_hosts
    for url in (f"{other}of-other.xml", f"{this}blog.xml"):
        code, found, _ = check_robots(web, ["User-agent: *", f"Sitemap: {url}"])
        assert (code, found) == (1, [(2, f"names '{url}', but not this sitemap")])


def test_a_sitemap_of_robots_txt_that_is_gone_is_a_finding(web, two_hosts):
    """Also beside this sitemap. A server that is busy says nothing."""
    this, _ = two_hosts
    gone = "but there is no such file"
    lines = [f"Sitemap: {this}old.xml", f"Sitemap: {this}sitemap.xml"]
    assert check_robots(web, lines)[1] == [(1, f"Sitemap is '{this}old.xml', {gone}")]
    assert check_robots(web, lines[:1])[1] == [(1, f"Sitemap is '{this}old.xml', {gone}")]
    web.pages["/busy.xml"] = 503
    assert check_robots(web, [f"Sitemap: {this}busy.xml"])[1] == []


def test_a_host_is_not_checked_by_the_sitemap_of_another_host(web, two_hosts):
    """robots.txt names one that lists no page of this host: its own sitemap is checked."""
    this, other = two_hosts
    line = f"Sitemap: {other}of-other.xml"
    code, found, _ = check_robots(web, [line], this)
    assert (code, found) == (1, [(1, f"names '{other}of-other.xml', but not this sitemap")])
    _, out, _ = run("check", "--format", "json", this)
    assert json.loads(out)["files"] == [f"{this}sitemap.xml"]
    web.pages["/robots.txt"] = f"Sitemap: {other}of-this.xml\n".encode()
    _, out, _ = run("check", "--format", "json", this)
    assert json.loads(out)["files"] == [f"{other}of-this.xml"]
