"""Whom `check` asks, how long, and how much it reads, whatever a stranger has written."""

import json
import time

import pytest
from commands import run
from quantity import LONG, more_at_length
from sitemap_texts import urlset
from web import HANG

from mkdocs_sitemap_plus.command.checks.bounds import BoundedWeb

MANY = 999 if LONG else 200


def index(urls):
    return urlset(*(f"<sitemap><loc>{url}</loc></sitemap>" for url in urls), root="sitemapindex")


def pages(*urls):
    return urlset(*(f"<url><loc>{url}</loc></url>" for url in urls))


def check(*arguments):
    """The exit code, the whole JSON, and the notes."""
    code, out, err = run("check", "--format", "json", "--ignore", "loc-local", *arguments)
    return code, json.loads(out), [line for line in err.splitlines() if line.startswith("Note: ")]


@pytest.fixture
def other(web):
    """The same server under another name."""
    return web.url.replace("127.0.0.1", "localhost")


def asked(web, host):
    """The paths that a host was asked for."""
    name = host.split("/")[2]
    return [path for _, path, headers, _ in web.requests if headers["Host"] == name]


def redirects(url):
    return 301, {"Location": url}, b""


def of_robots(web, other):
    """Lines that name its files; each of them lists a page of this host."""
    lines = (f"Sitemap: {other}{number}.xml\n" for number in range(MANY))
    web.pages["/robots.txt"] = "".join(lines).encode()
    web.pages |= {f"/{number}.xml": pages(web.url) for number in range(MANY)}
    return web.url, MANY - 1


def of_an_index(web, other):
    """The parts of an index of this host."""
    web.pages["/sitemap.xml"] = index([web.url + "own.xml", *(f"{other}{n}" for n in range(MANY))])
    web.pages["/own.xml"] = pages(web.url)
    return web.url + "sitemap.xml", MANY


def of_an_index_there(web, other):
    """The parts of an index there, which robots.txt names."""
    web.pages["/robots.txt"] = f"Sitemap: {other}i.xml\n".encode()
    web.pages["/i.xml"] = index([web.url + "own.xml", *(f"{other}{n}" for n in range(MANY))])
    web.pages["/own.xml"] = pages(web.url)
    return web.url, MANY


def of_redirects(web, other):
    """The parts of an index that are redirected."""
    web.pages["/sitemap.xml"] = index(f"{web.url}{number}.xml" for number in range(MANY))
    web.pages |= {f"/{number}.xml": redirects(f"{other}x.xml") for number in range(MANY)}
    return web.url + "sitemap.xml", MANY


def of_redirected_lines(web, other):
    """The lines of robots.txt name files of this host that are redirected."""
    lines = (f"Sitemap: {web.url}{number}.xml\n" for number in range(MANY))
    web.pages["/robots.txt"] = f"Sitemap: {web.url}own.xml\n{''.join(lines)}".encode()
    web.pages["/own.xml"] = pages(web.url)
    web.pages |= {f"/{number}.xml": redirects(f"{other}x.xml") for number in range(MANY)}
    return web.url, MANY


@more_at_length
@pytest.mark.parametrize(
    "lead", [of_robots, of_an_index, of_an_index_there, of_redirects, of_redirected_lines]
)
def test_of_another_host_one_file_is_read_at_most(web, other, lead, monkeypatch):
    """Whoever leads there, and how often. One line counts what was not read, and names a call."""
    monkeypatch.setattr(BoundedWeb, "max_files", 2 * MANY)
    where, left = lead(web, other)
    code, result, notes = check(where)
    of_robots_txt = lead in (of_robots, of_an_index_there)
    assert len(asked(web, other)) == of_robots_txt
    assert code in (0, 1)
    assert result["unusable"] == []
    assert len(result["files"]) <= 2
    (why,) = (each["why"] for each in result["not_checked"] if each["what"] == "parts")
    assert why.startswith(f"{left:,} sitemaps lead to another host, which was not asked. ")
    call = f"`mkdocs-sitemap-plus check {other}" if lead in (of_robots, of_an_index) else "check"
    assert call in why
    assert f"Note: {why}" in notes


def test_pages_are_requested_without_the_files_that_robots_txt_names_elsewhere(web, other):
    """But for one, which may name this host."""
    web.pages |= {"/sitemap.xml": pages(web.url), "/": b"<!doctype html><title>A</title>"}
    lines = (f"Sitemap: {other}{number}.xml\n" for number in range(MANY))
    web.pages["/robots.txt"] = "".join(lines).encode()
    check("--pages", web.url + "sitemap.xml")
    assert asked(web, other) == ["/0.xml"]


class Hosts:
    """Answers by host and path; what a host lacks is redirected by a mapping of hosts."""

    def __init__(self, web, answers, moved=()):
        self.web, self.answers, self.moved = web, answers, dict(moved)
        web.answer = self.answer

    def answer(self, handler):
        """Answer one request."""
        host = f"http://{handler.headers['Host']}/"
        page = self.answers.get(host + handler.path[1:])
        if page is None and host in self.moved:
            page = redirects(self.moved[host] + handler.path[1:])
        if not isinstance(page, tuple):
            page = (200 if page else 404), {}, page or b""
        status, headers, body = page
        handler.send_response(status)
        for name, value in ({"Content-Length": str(len(body))} | headers).items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)


APEX = {
    "all is redirected": ((), ("",)),
    "all but robots.txt is": (("robots.txt",), ("",)),
    "the sitemap is named": ((), ("sitemap.xml",)),
}


@pytest.mark.parametrize("case", APEX)
def test_a_host_that_redirects_to_another_is_checked_whole(web, other, case):
    """As `example.com` to `www.`, which a line names; a third host is not asked."""
    kept, names = APEX[case]
    third = web.url.replace("127.0.0.1", "127.0.0.2")
    robots = f"Sitemap: {other}sitemap.xml\n".encode()
    answers = {
        f"{other}robots.txt": robots,
        f"{other}sitemap.xml": index([f"{other}1.xml", f"{other}2.xml", f"{third}3.xml"]),
        f"{other}1.xml": pages(other),
        f"{other}2.xml": pages(f"{other}a/"),
        f"{other}": b"<!doctype html><title>Home</title>",
    } | {web.url + name: robots for name in kept}
    Hosts(web, answers, {web.url: other})
    code, result, notes = check(web.url + names[0])
    assert result["urls"] == 2
    assert [each["code"] for each in result["findings"]] == ["loc-outside"]
    assert f"Note: {web.url[:-1]} redirects to {other[:-1]}, which is checked." in notes
    assert asked(web, third) == []
    assert code == 1


def test_a_third_host_is_not_asked_after_a_redirect(web, other):
    """Two hosts at most; what was named can't be read then, which is said."""
    third = web.url.replace("127.0.0.1", "127.0.0.2")
    Hosts(web, {}, {web.url: other, other: third})
    code, result, _ = check(web.url + "sitemap.xml")
    assert asked(web, third) == []
    assert code == 2
    (line,) = result["unusable"]
    place, what = f"{web.url}sitemap.xml", f"'{third}sitemap.xml', on another host"
    assert line == f"{place}: redirects to {what}, which is not asked."


def parts(web, number):
    """An index with parts of one page each."""
    names = [f"{web.url}{each}.xml" for each in range(number)]
    web.pages["/sitemap.xml"] = index(names)
    web.pages |= {f"/{each}.xml": pages(f"{web.url}{each}") for each in range(number)}
    return web.url + "sitemap.xml"


@pytest.mark.parametrize("on_disk", [False, True])
@pytest.mark.parametrize(("limit", "value"), [("max_files", 3), ("max_entries", 7)])
def test_what_is_over_a_limit_is_not_read(web, monkeypatch, tmp_path, limit, value, on_disk):  # noqa: PLR0917
    """One line says so, and the exit code is 2; what was read is checked."""
    monkeypatch.setattr(BoundedWeb, limit, value)
    where = parts(web, 5)
    if on_disk:
        for path, data in web.pages.items():
            (tmp_path / path[1:]).write_bytes(data)
        where = (tmp_path / "sitemap.xml").as_posix()
    code, result, _ = check(where)
    kind = limit.removeprefix("max_")
    first = where.replace("sitemap", "3")
    line = f"2 sitemaps are not read ({first} and 1 more): a check reads at most {value} {kind}."
    assert (code, result["unusable"]) == (2, [line])
    assert (result["urls"], result["findings"]) == (3, [])


def test_a_host_that_gives_no_answer_three_times_is_asked_no_more(web):
    """The parts that were asked for are findings; one line counts the others."""
    where = parts(web, 20)
    web.pages |= {f"/{each}.xml": HANG for each in range(2, 20)}
    began = time.monotonic()
    code, result, _ = check("--timeout", "0.4", where)
    assert time.monotonic() - began < 20
    assert [each["code"] for each in result["findings"]] == ["part-missing"] * 3
    host = web.url.split("/")[2]
    line = f"15 sitemaps are not read ({web.url}5.xml and 14 more): {host} gave no answer 3 times."
    assert (code, result["unusable"]) == (2, [line])
    assert "/5.xml" not in web.paths()
    assert "/robots.txt" not in web.paths()


def test_the_time_of_a_check_has_a_limit(web, monkeypatch):
    """Of many parts that come slowly, some are not read."""
    monkeypatch.setattr(BoundedWeb, "max_seconds", 0.6)

    def slow(handler):
        time.sleep(0.05)
        handler.send_response(200)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    where = parts(web, 60)
    web.pages |= {f"/{each}.xml": slow for each in range(60)}
    code, result, _ = check(where)
    (line,) = result["unusable"]
    assert code == 2
    assert line.endswith(": a check waits for robots.txt and sitemaps 0.01 minutes in all.")
    assert len(web.paths()) < 20
