"""``mkdocs-sitemap-plus check``, called as people and CI call it."""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from broken_sitemaps import CORPUS
from commands import run
from test_check_corpus import HOME, RIGHT, part, url, urlset

from mkdocs_sitemap_plus.check.codes import CODES, Severity
from mkdocs_sitemap_plus.check.finding import MOST


def write(folder, files):
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder, in which the command runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_clean_sitemap_is_said_to_be_clean(here):
    """In one line, and with exit code 0."""
    write(here, {"sitemap.xml": RIGHT})
    assert run("check", ".") == (0, "No problems in 1 file with 1 URL.\n", "")


def test_a_problem_has_its_place_its_reason_and_a_fix(here):
    """Each in a line, each fix once, and exit code 1."""
    loc = "https://example.com/"
    write(here, {"s.xml": urlset(HOME, f"<url><loc>{loc}#a</loc></url>", "text")})
    assert run("check", "s.xml") == (
        1,
        (
            "s.xml:3: error loc-fragment: https://example.com/#a: loc has a fragment\n"
            "s.xml:3: error duplicate-loc: https://example.com/#a: is already in s.xml:2\n"
            "s.xml:4: error text: has the text 'text' between its entries\n"
            "duplicate-loc (1): Remove one.\n"
            "loc-fragment (1): Remove `#` and what follows it.\n"
            "text (1): Remove it.\n"
            "3 errors in 1 file with 2 URLs.\n"
        ),
        "",
    )


def test_warnings_are_problems(here):
    """A sitemap with one is not clean; who means it ignores the code."""
    write(here, {"s.xml": b"\xef\xbb\xbf" + RIGHT})
    assert run("check", "s.xml")[:2] == (
        1,
        (
            "s.xml:1: warning bom: begins with a byte order mark\n"
            "bom (1): Write it without one.\n"
            "1 warning in 1 file with 1 URL.\n"
        ),
    )
    assert run("check", "--ignore", "bom", "s.xml")[0] == 0


def test_codes_are_selected_and_ignored(here):
    """By their names, with commas or one by one."""
    write(here, {"s.xml": b"\xef\xbb\xbf" + urlset("<url><loc>/a#b</loc></url>")})
    every = ["bom", "loc-fragment", "loc-relative"]

    def codes(*arguments):
        said = json.loads(run("check", "--format", "json", *arguments, "s.xml")[1])
        return sorted(finding["code"] for finding in said["findings"])

    assert codes() == every
    assert codes("--select", "bom") == ["bom"]
    assert codes("--select", "bom,loc-fragment", "--ignore", "bom") == ["loc-fragment"]
    assert codes("--ignore", "bom", "--ignore", "loc-fragment,loc-relative") == []


def test_a_code_that_is_none_is_refused(here):
    """With the one that was probably meant."""
    code, out, err = run("check", "--ignore", "loc-fragmen", ".")
    assert (code, out) == (2, "")
    assert err.endswith("there is no code 'loc-fragmen'. Did you mean 'loc-fragment'?\n")


def test_what_can_not_be_read_can_not_be_ignored(here):
    """Nobody may take a file that was not checked for a clean one."""
    write(here, {"s.xml": b"no sitemap"})
    code, out, _ = run("check", "--ignore", "not-xml", "--select", "bom", "s.xml")
    assert code == 2
    assert out.startswith("s.xml: error not-xml: is not XML\n")


def test_what_is_not_there_is_unusable(here):
    """The others are checked all the same."""
    write(here, {"s.xml": RIGHT})
    error = "Error: nothing.xml: can't be read (No such file or directory).\n"
    assert run("check", "nothing.xml") == (2, "", error)
    assert run("check", "nothing.xml", "s.xml") == (2, "No problems in 1 file with 1 URL.\n", error)
    assert run("check", "n" * 300)[0] == 2
    code, out, err = run("check", "--format", "json", "nothing.xml")
    assert (code, err) == (2, error)
    assert json.loads(out)["unusable"] == [error.removeprefix("Error: ").strip()]


def test_json_says_everything(here):
    """For each finding all that is known of it."""
    write(here, {"s.xml": urlset("<url><loc>https://example.com/%</loc></url>")})
    code, out, _ = run("check", "--format", "json", "s.xml")
    assert code == 1
    assert json.loads(out) == {
        "findings": [
            {
                "code": "loc-escape",
                "severity": "error",
                "file": "s.xml",
                "line": 2,
                "loc": "https://example.com/%",
                "reason": "loc has a % that begins no escape",
                "fix": "Write `%25`.",
            }
        ],
        "more": 0,
        "files": ["s.xml"],
        "urls": 1,
        "unusable": [],
    }


def test_github_gets_annotations(here):
    """With what GitHub takes for its own syntax escaped, in values and in messages."""
    write(here, {"a, b: 100%/s.xml": urlset("<url><loc>https://example.com/%\n%</loc></url>")})
    _, out, _ = run("check", "--format", "github", "a, b: 100%")
    assert out == ""
    _, out, _ = run("check", "--format", "github", "a, b: 100%/s.xml")
    start = "::error file=a%2C b%3A 100%25/s.xml,line=2,title="
    loc = "https://example.com/%25\\n%25"
    assert out.splitlines() == [
        f"{start}loc-escape::{loc}: loc has a %25 that begins no escape. Write `%2525`.",
        f"{start}loc-character::{loc}: loc has the character '\\n'. Escape it with `%25`.",
        "2 errors in 1 file with 1 URL.",
    ]


def test_a_url_is_checked(web):
    """Its scope is its folder, parts of an index are fetched once, and no file is annotated."""
    docs = web.url + "docs/"
    locs = (docs + "1", web.url + "2", docs + "sitemap.xml")
    entries = (f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    page = f"<url><loc>{docs}a/</loc></url>"
    web.pages |= {
        "/docs/sitemap.xml": urlset(*entries, root="sitemapindex"),
        "/docs/1": urlset(page, f"<url><loc>{web.url}b/</loc></url>"),
        "/2": gzip.compress(urlset(page)),
    }
    code, out, _ = run("check", "--format", "github", docs)
    lines = out.splitlines()
    assert code == 1
    assert [line.partition(" ")[2].partition("::")[0] for line in lines[:-1]] == [
        "title=part-outside",
        "title=nested-index",
        "title=loc-outside",
        "title=duplicate-loc",
    ]
    assert lines[2].startswith(f"::error title=loc-outside::{docs}1:3: {web.url}b/: is not under ")
    assert lines[-1] == "4 errors in 3 files with 3 URLs."
    assert web.paths() == ["/docs/sitemap.xml", "/docs/1", "/2"]


def test_a_server_that_does_not_answer_leaves_nothing_to_check(web):
    """What is not there, or says nothing, is unusable; a part of an index is a problem."""
    web.pages["/sitemap.xml"] = urlset(part(1), root="sitemapindex").replace(
        b"https://example.com/", web.url.encode()
    )
    assert run("check", web.url + "nothing.xml") == (
        2,
        "",
        f"Error: {web.url}nothing.xml: answers 404 (Not Found).\n",
    )
    code, out, _ = run("check", web.url)
    missing = f"error part-missing: {web.url}1.xml: is not there: {web.url}1.xml answers 404"
    assert code == 1
    assert out.startswith(f"{web.url}sitemap.xml:2: {missing} (Not Found)\n")


def test_many_of_a_code_are_counted(here):
    """Twenty are shown to people, a thousand are kept, and all are counted."""
    write(here, {"s.xml": urlset(*(url(n).replace("/</", "/#</") for n in range(MOST + 5)))})
    lines = run("check", "s.xml")[1].splitlines()
    assert len([line for line in lines if ": error loc-fragment: " in line]) == 20
    assert lines[-2:] == [
        "loc-fragment (1,000, 980 of them not shown): Remove `#` and what follows it.",
        "1,000 errors, and 5 more of the same in 1 file with 1,005 URLs.",
    ]


def test_a_site_is_checked_where_the_sitemap_lies_elsewhere(here):
    """With ``--site``; a folder that holds none of the pages is not that site."""
    shutil.copytree(CORPUS / "site-languages", here / "site")
    shutil.move(here / "site" / "sitemap.xml", here / "s.xml")
    assert " alternate-absent: " in run("check", "s.xml", "--site", "site")[1]
    assert " alternate-absent: " not in run("check", "s.xml")[1]
    (here / "empty").mkdir()
    assert run("check", "s.xml", "--site", "empty") == (
        2,
        "",
        "Error: empty: has no file of any page that the sitemap lists.\n",
    )


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_odd_files_in_a_site_are_passed_over(here):
    """Links to themselves, folders that are called like pages, and names that are too long."""
    shutil.copytree(CORPUS / "site-languages", here / "site")
    (here / "site" / "loop.html").symlink_to("loop.html")
    (here / "site" / "folder.html").mkdir()
    name = "s" * 251 + ".xml"
    write(here, {f"site/{name}": urlset(HOME, url("a" * 300), url("%00"), url("folder.html"))})
    code, out, err = run("check", f"site/{name}", "--format", "json")
    found = [(each["code"], each["line"]) for each in json.loads(out)["findings"]]
    assert (code, found, err) == (1, [("page-absent", line) for line in (3, 4, 5)], "")
    assert "loop" not in run("check", "site")[1]


def test_of_a_folder_the_sitemap_and_the_index_beside_it_are_checked(here):
    """Packed ones are only compared, unless they are alone."""
    index = urlset(part("missing"), root="sitemapindex")
    write(here, {"sitemap.xml": RIGHT, "sitemap-index.xml": index})
    write(here, {f"{name}.xml.gz": gzip.compress(RIGHT) for name in ("sitemap", "sitemap-index")})
    _, out, _ = run("check", ".", "--format", "json")
    said = json.loads(out)
    assert said["files"] == ["sitemap.xml", "sitemap-index.xml", "missing.xml"]
    assert [each["code"] for each in said["findings"]] == ["part-missing", "gz-differs"]
    (here / "sitemap.xml").unlink()
    (here / "sitemap-index.xml").unlink()
    _, out, _ = run("check", ".", "--format", "json")
    assert json.loads(out)["files"] == ["sitemap.xml.gz", "sitemap-index.xml.gz"]


def test_a_part_is_not_asked_for_all_pages_of_the_site(here):
    """Only the file that stands for its folder is."""
    shutil.copytree(CORPUS / "site-parts", here / "site")
    assert run("check", "site/sitemap-1.xml")[0] == 0
    assert " not-listed: " in run("check", "site/sitemap.xml")[1]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_colours_are_for_terminals(here):
    """And not for those who set NO_COLOR."""
    pty = pytest.importorskip("pty")
    write(here, {"s.xml": b"\xef\xbb\xbf" + RIGHT})

    def on_a_terminal(**environment):
        leader, follower = pty.openpty()
        arguments = [sys.executable, "-m", "mkdocs_sitemap_plus", "check", "s.xml"]
        subprocess.run(arguments, check=False, stdout=follower, env={**os.environ, **environment})
        os.close(follower)
        return os.read(leader, 10_000)

    assert b"\x1b[33mwarning\x1b[0m" in on_a_terminal(TERM="xterm")
    assert b"\x1b" not in on_a_terminal(TERM="xterm", NO_COLOR="1")


def test_the_codes_are_stable_words():
    """Short, in kebab case, and each says what it means and what to do."""
    for name, code in CODES.items():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
        assert len(name) <= 20
        assert code.severity in Severity
        assert all(text.endswith(".") for text in (code.meaning, code.fix))
        assert code.source
