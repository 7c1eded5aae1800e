"""Telling IndexNow, by the command, against a real server."""

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from importlib import import_module

import pytest
from commands import run
from one_file import one_file
from web import CLOSE

from mkdocs_sitemap_plus.command import indexnow
from mkdocs_sitemap_plus.command.indexnow import Answer, Endpoint, make_submissions, submit
from mkdocs_sitemap_plus.command.reader.client import Client
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap.entries import UrlEntry

SUBMIT = import_module("mkdocs_sitemap_plus.command.cli.submit")
KEY = "2f5c0e1b7a9d48632f5c0e1b7a9d4863"
DOCS = "https://web.example:8080/docs/"
JSON = "application/json; charset=utf-8"


@pytest.fixture
def submit_site(web, tmp_path, monkeypatch):
    """A site before and after, published with its key, and the command that submits it."""
    monkeypatch.chdir(tmp_path)

    def write(name, *entries):
        path = tmp_path / name
        path.write_bytes(one_file([UrlEntry(loc=web.url + loc) for loc in entries]))
        return path

    old, new = write("old.xml", "", "gone/"), write("new.xml", "", "new/")
    web.pages = {f"/{KEY}.txt": KEY.encode() + b"\r\n", "/indexnow": 200}
    monkeypatch.setattr(SUBMIT, "ENDPOINT", web.url + "indexnow")

    def call(*arguments, since=old):
        since = ("--since", since) if since else ()
        return run("submit", new, "--key", KEY, *since, *arguments)

    call.write = write
    return call


CHANGES = """\
- {url}gone/
+ {url}new/
1 added, 1 removed, 0 changed, 1 unchanged; 2 URLs now.
"""


def changes(web):
    return CHANGES.format(url=web.url)


def sending(web, urls="2 URLs", requests="1 request"):
    return f"Sending {urls} of {web.host} to {web.url}indexnow in {requests}.\n"


@pytest.mark.parametrize(
    ("status", "words"),
    [(200, "200, accepted"), (202, "202, accepted, but the key is not checked yet")],
)
def test_what_changed_is_sent(web, submit_site, status, words):
    """Added and removed URLs, and no other, once the key file was seen."""
    web.pages["/indexnow"] = status
    assert submit_site() == (0, changes(web) + sending(web) + f"2 URLs: {words}.\n", "")
    assert web.paths() == [f"/{KEY}.txt", "/indexnow"]
    _, _, headers, body = web.requests[1]
    assert headers["Content-Type"] == JSON
    assert json.loads(body) == {
        "host": web.host,
        "key": KEY,
        "urlList": [f"{web.url}gone/", f"{web.url}new/"],
    }


def test_all_urls_are_sent_if_asked_for(web, submit_site):
    """A first time, or after a move."""
    assert submit_site("--all", since=None) == (0, sending(web) + "2 URLs: 200, accepted.\n", "")
    assert json.loads(web.posts()[0])["urlList"] == [web.url, f"{web.url}new/"]


def test_nothing_is_sent_if_nothing_changed(web, submit_site, tmp_path):
    """Not even a question."""
    new = tmp_path / "new.xml"
    code, out, err = submit_site(since=new)
    assert (code, err, web.requests) == (0, "", [])
    assert out == (
        "0 added, 0 removed, 0 changed, 2 unchanged; 2 URLs now.\nThere is nothing to submit.\n"
    )


@pytest.mark.parametrize("arguments", [(), ("--since", "x", "--all")], ids=["neither", "both"])
def test_the_urls_to_send_must_be_named(submit_site, arguments):
    """Every URL each time is what IndexNow asks not to do, so it is done only on request."""
    code, out, err = submit_site(*arguments, since=None)
    assert (code, out) == (2, "")
    assert err.endswith("\nError: Give one of --since OLD and --all.\n")


def test_a_dry_run_sends_nothing_at_all(web, submit_site):
    """It does not even look at the key file. All URLs are listed, one a line."""
    would = f"Would send 2 URLs of {web.host} to {web.url}indexnow in 1 request. Nothing is sent.\n"
    assert submit_site("--dry-run") == (0, changes(web) + would, "")
    listed = f"{web.url}\n{web.url}new/\n"
    assert submit_site("--all", "--dry-run", since=None) == (0, listed + would, "")
    assert web.requests == []


REFUSALS = {
    301: "Moved Permanently",
    400: "refused: the request has a wrong form",
    403: "refused: the key is not valid for this host",
    404: "Not Found",
    422: "refused: the URLs are not on this host, or the key is not valid",
}


@pytest.mark.parametrize("status", REFUSALS)
def test_a_refusal_is_reported_and_not_tried_again(web, submit_site, status):
    """Exit code 1."""
    web.pages["/indexnow"] = (status, {"Location": "/elsewhere"}, b"")
    refused = f"Error: 2 URLs: {status}, {REFUSALS[status]}.\n"
    assert submit_site() == (1, changes(web) + sending(web), refused)
    assert web.paths()[1:] == ["/indexnow"]


def answers(web, *pages, urls=2, timeout=60.0):
    """What comes of a submission to an endpoint that answers so, and what is waited for."""
    web.pages["/indexnow"] = list(pages)
    pauses, lines = [], []
    endpoint = Endpoint(
        url=web.url + "indexnow",
        client=Client(timeout),
        pause=pauses.append,
        report_wait=lines.append,
    )
    (given,) = make_submissions(tuple(f"{web.url}{number:05}" for number in range(urls)), KEY)
    return list(submit(given, endpoint)), pauses, lines


def test_a_wait_is_reported(web, submit_site):
    """While it lasts."""
    web.pages["/indexnow"] = [later("0"), 202]
    words = "202, accepted, but the key is not checked yet"
    said = changes(web) + sending(web) + f"2 URLs: {words}.\n"
    assert submit_site() == (0, said, f"{SLOWER}; again in 0 s\n")


ACCEPTED = Answer(urls=2, accepted=True, words="200, accepted")
SLOWER = "429, refused: too many requests"


def later(header):
    return (429, {"Retry-After": header}, b"")


def test_who_is_asked_to_wait_waits(web):
    """So many seconds as were asked for, and then it is tried again."""
    assert answers(web, later("0007"), 200) == ([ACCEPTED], [7.0], [f"{SLOWER}; again in 7 s"])
    assert len(web.posts()) == 2
    assert len(set(web.posts())) == 1


def test_who_is_asked_to_wait_until_a_date_waits(web):
    """A date is what HTTP allows as well; one that is over is now."""
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=60), usegmt=True)
    found, (pause,), _ = answers(web, later(soon), 200)
    assert found == [ACCEPTED]
    assert 50 <= pause <= 60
    assert answers(web, later("Fri, 20 Nov 2020 10:00:00 GMT"), 200)[1] == [0.0]


@pytest.mark.parametrize(
    "header", ["soon", "-1", "9" * 400, f"Fri, {'9' * 20} Nov 2020 10:00:00 GMT"]
)
def test_an_unreadable_wait_is_ignored(web, header):
    """Then it is two seconds, or it is too long."""
    found, pauses, _ = answers(web, later(header), 200)
    assert (found, pauses) == ([ACCEPTED], [2.0]) or (not found[0].accepted and not pauses)


def test_who_is_asked_to_wait_long_gives_up(web):
    """Two minutes are the most; longer is for another run."""
    words = f"{SLOWER}; it asks to wait 3600 s"
    assert answers(web, later("3600"), 200) == (
        [Answer(urls=2, accepted=False, words=words)],
        [],
        [],
    )


def test_who_is_always_asked_to_wait_gives_up(web):
    """After four times, each with a longer wait."""
    found, pauses, _ = answers(web, 429)
    assert found == [Answer(urls=2, accepted=False, words=SLOWER)]
    assert (pauses, len(web.posts())) == ([2.0, 4.0, 8.0], 4)


CLOSED = "indexnow: can't be reached (Remote end closed connection without response)"
BROKEN = {"error": (500, "500, Internal Server Error"), "closes": (CLOSE, CLOSED)}


@pytest.mark.parametrize(("page", "words"), BROKEN.values(), ids=BROKEN)
def test_what_may_pass_is_tried_again(web, page, words):
    """Errors of the server, a closed connection: up to four times."""
    words = words.replace("indexnow:", f"{web.url}indexnow:")
    lines = [f"{words}; again in {wait} s" for wait in (2, 4, 8)]
    assert answers(web, page, 200) == ([ACCEPTED], [2.0], lines[:1])
    refused = Answer(urls=2, accepted=False, words=words)
    assert answers(web, page) == ([refused], [2.0, 4.0, 8.0], lines)


@pytest.mark.parametrize(("urls", "sizes"), [(3, [3]), (4, [3, 1])])
def test_ten_thousand_urls_are_one_request_and_one_more_are_two(web, monkeypatch, urls, sizes):
    """The limit of IndexNow; here three, to be quick."""
    assert indexnow.MAX_URLS == 10_000
    monkeypatch.setattr(indexnow, "MAX_URLS", 3)
    expected = [Answer(urls=size, accepted=True, words="200, accepted") for size in sizes]
    assert answers(web, 200, urls=urls)[0] == expected
    lists = [json.loads(body)["urlList"] for body in web.posts()]
    assert [len(each) for each in lists] == sizes
    assert [url for each in lists for url in each] == [
        f"{web.url}{number:05}" for number in range(urls)
    ]


def test_nothing_is_sent_after_a_refusal(web, submit_site, monkeypatch):
    """The others would be refused as well."""
    monkeypatch.setattr(indexnow, "MAX_URLS", 1)
    web.pages["/indexnow"] = [200, 403]
    submit_site.write("old.xml", "gone/")
    said = sending(web, "3 URLs", "3 requests")
    code, out, err = submit_site()
    assert (code, err) == (1, f"Error: 1 URL: 403, {REFUSALS[403]}.\n")
    assert out.endswith(f"{said}1 URL: 200, accepted.\n")
    assert len(web.posts()) == 2


def test_a_program_gets_json(web, submit_site):
    """All else is on stderr then."""
    web.pages["/indexnow"] = 403
    code, out, _ = submit_site("--format", "json")
    urls = [f"{web.url}gone/", f"{web.url}new/"]
    refused = f"2 URLs: 403, {REFUSALS[403]}"
    sent = {"host": web.host, "accepted": 0, "answers": [refused], "left": urls}
    assert code == 1
    assert json.loads(out) == {"version": 1, "urls": urls, "dry_run": False, "hosts": [sent]}


KEYS = "8 to 128 letters, digits and hyphens"


@pytest.mark.parametrize("key", ["a" * 7, "a" * 129, "abcdefgh\n", "äbcdefgh"])
def test_an_invalid_key_is_an_error(key):
    """8 to 128 of the letters that IndexNow allows."""
    with pytest.raises(SitemapError) as caught:
        make_submissions(("https://web.example/",), key)
    shown = repr(key) if len(key) < 79 else f"'{key[:76]}..."
    assert str(caught.value) == f"the key is {shown}, but must be {KEYS}."


@pytest.mark.parametrize("key", ["a" * 8, "Z-9" * 42 + "00"])
def test_a_key_of_8_to_128_letters_is_taken(key):
    """Letters, digits and hyphens."""
    (given,) = make_submissions(("https://web.example:8080/docs/a/",), key, [f"{DOCS}a/", DOCS])
    root = "https://web.example:8080/"
    assert (given.host, given.key_files) == (
        "web.example:8080",
        (f"{root}docs/{key}.txt", f"{root}{key}.txt"),
    )


def test_each_host_has_a_submission():
    """With a key file of its own; two spellings of a host are one, and two ports are two."""
    one = ("https://a.example/", "https://A.example:443/b", "http://a.example/c")
    urls = (*one, "https://b.example/", "https://b.example:8443/")
    given = make_submissions(urls, KEY)
    assert [(each.host, each.urls, each.key_files) for each in given] == [
        ("a.example", one, (f"https://a.example/{KEY}.txt",)),
        ("b.example", urls[3:4], (f"https://b.example/{KEY}.txt",)),
        ("b.example:8443", urls[4:], (f"https://b.example:8443/{KEY}.txt",)),
    ]


@pytest.mark.parametrize(
    ("page", "found"),
    [
        (404, "answers 404 (Not Found)"),
        (KEY[:-1].encode(), "does not contain the key"),
    ],
)
def test_nothing_is_sent_without_the_key_file(web, submit_site, page, found):
    """The output names what to publish, and where."""
    web.pages[f"/{KEY}.txt"] = page
    file = f"{web.url}{KEY}.txt"
    fix = f"Publish a file that contains only the key as {file}."
    assert submit_site() == (2, changes(web), f"Error: {file} {found}. {fix}\n")
    assert web.posts() == []


def test_a_key_file_in_the_folder_of_the_site_is_found(web, submit_site):
    """As one that is committed in the docs folder of a project page; it speaks for its folder."""
    location = f"{web.url}docs/{KEY}.txt"
    submit_site.write("old.xml", "docs/")
    submit_site.write("new.xml", "docs/", "docs/a/")
    del web.pages[f"/{KEY}.txt"]
    code, _, err = submit_site()
    said = f"{location} answers 404 (Not Found), and {web.url}{KEY}.txt answers 404 (Not Found). "
    assert (code, said in err) == (2, True)
    web.pages[f"/docs/{KEY}.txt"] = KEY.encode()
    code, _, err = submit_site()
    assert (code, err) == (0, "")
    assert json.loads(web.posts()[0]) == {
        "host": web.host,
        "key": KEY,
        "keyLocation": location,
        "urlList": [f"{web.url}docs/a/"],
    }


def test_after_a_move_the_new_urls_are_submitted(submit_site, web, tmp_path):
    """The key of the new folder or host is not valid for the old pages; a note says how many."""
    web.pages[f"/new/{KEY}.txt"] = KEY.encode()
    submit_site.write("new.xml", "new/", "new/a/")
    elsewhere = tmp_path / "elsewhere.xml"
    elsewhere.write_bytes(
        one_file([UrlEntry(loc="http://a.example/"), UrlEntry(loc="http://a.example/a/")])
    )
    new = [f"{web.url}new/", f"{web.url}new/a/"]
    for old, first in (
        (submit_site.write("old.xml", "old/", "old/a/"), f"{web.url}old/"),
        (elsewhere, "http://a.example/"),
    ):
        code, _, err = submit_site(since=old)
        left = f"Note: 2 removed URLs can't be submitted with this key: {first} and 1 more.\n"
        assert (code, err) == (0, left)
        assert json.loads(web.posts()[-1])["urlList"] == new
