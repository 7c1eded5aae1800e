"""``mkdocs-sitemap-plus check``, called as people and CI call it."""

import gzip
import json
import os
import shutil
import sys
from datetime import UTC, datetime

import pytest
from broken_sitemaps import CORPUS
from commands import run
from sitemap_texts import HOME, RIGHT, part, url, urlset

from mkdocs_sitemap_plus import read_sitemap
from mkdocs_sitemap_plus.command.checks.check_sitemap import all_rules


def write(folder, files):
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())


NO_PAGES = (
    "Only the sitemap was checked. To find dead pages, noindex and redirects, "
    "check the built site, or use --pages.\n"
)
NO_SERVER = "Nothing was requested from the server, not even robots.txt; --pages does that."
CODES_PAGE = "https://mkdocs-sitemap-plus.readthedocs.io/page/command/check-codes/"
LIST_IT = (
    "List the page. If only the sitemap should not have it, write `sitemap: false` in its front "
    "matter. A noindex meta tag also takes the page out of Google."
)
MEANINGS = f"What the codes mean: {CODES_PAGE}\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder, in which the command runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_sitemap_without_findings(here):
    """With exit code 0, and with what was not looked at."""
    write(here, {"sitemap.xml": RIGHT})
    assert run("check", ".") == (0, f"No problems in 1 file with 1 URL.\n{NO_PAGES}", "")
    assert run("check", "--format", "github", ".") == (0, "No problems in 1 file with 1 URL.\n", "")
    assert json.loads(run("check", "--format", "json", ".")[1])["pages_checked"] is False
    write(here, {"index.html": "<!doctype html>"})
    assert run("check", ".") == (0, "No problems in 1 file with 1 URL.\n", "")
    assert json.loads(run("check", "--format", "json", ".")[1])["pages_checked"] is True


def test_a_problem_has_its_place_its_reason_and_a_fix(here):
    """All in one line, and exit code 1."""
    loc = "https://example.com/"
    write(here, {"s.xml": urlset(HOME, f"text<url><loc>{loc}#a</loc></url>", HOME)})
    assert run("check", "s.xml") == (
        1,
        (
            "s.xml:3: warning element-unknown: contains the text 'text' between its entries. "
            "Remove it, or correct its name, its namespace or its place.\n"
            "s.xml:3: error loc-fragment: https://example.com/#a: loc has a fragment. "
            "Remove `#` and the text after it.\n"
            "s.xml:4: warning duplicate-loc: https://example.com/: is already listed in s.xml:2. "
            "Remove one of the two entries.\n"
            f"1 error and 2 warnings in 1 file with 3 URLs.\n{NO_PAGES}{MEANINGS}"
        ),
        "",
    )


def test_codes_are_ignored(here):
    """By their names, with commas or one by one."""
    write(here, {"s.xml": b"\xef\xbb\xbf" + urlset("<url><loc>/ä#b</loc></url>")})
    every = ["loc-fragment", "loc-not-ascii", "loc-relative"]

    def codes(*arguments):
        said = json.loads(run("check", "--format", "json", *arguments, "s.xml")[1])
        return sorted(finding["code"] for finding in said["findings"])

    assert codes() == every
    assert codes("--ignore", "loc-not-ascii") == ["loc-fragment", "loc-relative"]
    assert codes("--ignore", "loc-not-ascii", "--ignore", "loc-fragment,loc-relative") == []
    write(here, {"s.xml": urlset(HOME.replace("</url>", "<priority>9</priority></url>"))})
    assert codes() == ["value"]
    assert [run("check", *more, "s.xml")[0] for more in ((), ("--ignore", "value"))] == [1, 0]


def test_what_can_not_be_read_can_not_be_ignored(here):
    """A file that was not checked must not look like a clean one."""
    write(here, {"s.xml": b"no sitemap"})
    code, out, _ = run("check", "--ignore", "not-xml", "s.xml")
    assert code == 2
    assert out == (
        "s.xml: error not-xml: is not XML, but must be a sitemap. Name a sitemap in XML.\n"
        f"1 error in 1 file with 0 URLs.\n{MEANINGS}"
    )


@pytest.mark.parametrize(
    "text", ["url,lastmod\nhttps://example.com/,2026-01-02\n", "Pages:\n- https://example.com/\n"]
)
def test_a_list_of_urls_that_can_not_be_read_is_told_how_to_be_written(here, text):
    """As one with a URL on each line can be read."""
    write(here, {"urls.csv": text.encode()})
    code, out, _ = run("check", "urls.csv")
    assert code == 2
    assert "A list of URLs has one URL on each line, and nothing else.\n" in out
    assert run("diff", "urls.csv", "urls.csv")[2].endswith(
        "A list of URLs has one URL on each line, and nothing else.\n"
    )


def test_what_is_not_there_is_unusable(here):
    """The others are checked all the same."""
    write(here, {"s.xml": RIGHT})
    error = "Error: nothing.xml: can't be read (No such file or directory).\n"
    assert run("check", "nothing.xml") == (2, "", error)
    assert run("check", "nothing.xml", "s.xml") == (
        2,
        f"No problems in 1 file with 1 URL.\n{NO_PAGES}",
        error,
    )
    assert run("check", "n" * 300)[0] == 2
    code, out, err = run("check", "--format", "json", "nothing.xml")
    assert (code, err) == (2, error)
    assert json.loads(out)["unusable"] == [error.removeprefix("Error: ").strip()]


def test_a_code_is_explained():
    """As in the docs; for an unknown one, where all stand."""
    code, out, err = run("check", "--explain", "not-listed")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "not-listed: warning, by Google, sitemaps.",
        "A page of the built site is not listed, but search engines are allowed to index it.",
        f"What to do: {LIST_IT}",
        f"{CODES_PAGE}#not-listed",
    ]
    said = f"there is no code 'loc-fragmnt'. All codes: {CODES_PAGE}"
    assert said in run("check", "--explain", "loc-fragmnt")[2]


def test_json_has_every_field(here):
    """For each finding all that is known of it."""
    write(here, {"s.xml": urlset("<url><loc>https://example.com/%</loc></url>")})
    code, out, _ = run("check", "--format", "json", "s.xml")
    assert code == 1
    assert json.loads(out) == {
        "version": 1,
        "counts": {"error": 1, "warning": 0},
        "findings": [
            {
                "code": "loc-invalid",
                "severity": "error",
                "file": "s.xml",
                "line": 2,
                "loc": "https://example.com/%",
                "urls": ["https://example.com/%"],
                "reason": "loc has a % that is not followed by two hexadecimal digits",
                "fix": all_rules()["loc-invalid"].fix,
                "url": f"{CODES_PAGE}#loc-invalid",
            }
        ],
        "files": ["s.xml"],
        "urls": 1,
        "not_checked": [
            {"what": "site", "why": NO_PAGES.strip()},
            {"what": "server", "why": NO_SERVER},
        ],
        "pages_checked": False,
        "pages_asked": 0,
        "interrupted": False,
        "left_out": {},
        "accepted": 0,
        "git": None,
        "gone": [],
        "unusable": [],
    }


def test_github_gets_annotations(here):
    """With what GitHub takes for its own syntax escaped, in values and in messages."""
    write(here, {"a, b: 100%/s.xml": urlset("<url><loc>https://example.com/%\n%</loc></url>")})
    _, out, _ = run("check", "--format", "github", "a, b: 100%")
    why = "has no sitemap.xml or sitemap-index.xml in it. Build the site again, or give the path"
    assert out == f"::error title=unusable::a, b: 100%25: {why} of the sitemap itself.\n"
    _, out, _ = run("check", "--format", "github", "a, b: 100%/s.xml")
    start = "::error file=a%2C b%3A 100%25/s.xml,line=2,title="
    loc = "https://example.com/%25\\n%25"
    fix = all_rules()["loc-invalid"].fix.replace("%", "%25")
    assert out.splitlines() == [
        (
            f"{start}loc-invalid::{loc}: loc has a %25 that is not followed by two hexadecimal "
            f"digits. {fix} {CODES_PAGE}#loc-invalid"
        ),
        (
            f"{start}loc-invalid::{loc}: loc has the character '\\n', which is not allowed in a "
            f"URL. {fix} {CODES_PAGE}#loc-invalid"
        ),
        "2 errors in 1 file with 1 URL.",
    ]


def test_an_annotation_has_a_line_where_one_is_known(here):
    """GitHub shows what is wrong with a whole file at its first line."""
    write(here, {"s.xml": b""})
    _, out, _ = run("check", "--format", "github", "s.xml")
    assert out.startswith("::error file=s.xml,title=not-xml::is empty. ")


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
        "title=loc-outside",
        "title=nested-index",
        "title=loc-outside",
        "title=duplicate-loc",
    ]
    assert lines[2].startswith(f"::error title=loc-outside::{docs}1:3: {web.url}b/: is not below ")
    assert lines[-1] == "3 errors and 1 warning in 3 files with 3 URLs."
    assert web.paths() == ["/docs/sitemap.xml", "/docs/1", "/2", "/robots.txt"]


def loc(url):
    return f"<url><loc>{url}</loc></url>"


def test_a_sitemap_may_list_all_pages_of_a_host_whose_robots_txt_names_it(web):
    """It may be in a folder, or on another host; also the parts of its index. No other host."""
    other = web.url.replace("127.0.0.1", "localhost")
    entries = (f"<sitemap><loc>{url}</loc></sitemap>" for url in (other + "1.xml", web.url + "2"))
    web.pages |= {
        "/robots.txt": f"Sitemap: {web.url}maps/s.xml\nSitemap: {other}i/i.xml\n".encode(),
        "/maps/s.xml": urlset(loc(web.url), loc(web.url + "a/"), loc("https://example.com/")),
        "/i/i.xml": urlset(*entries, root="sitemapindex"),
        "/1.xml": urlset(loc(web.url + "b/"), loc(other)),
        "/2": urlset(loc(web.url + "c/"), loc(other + "d/")),
    }
    _, out, _ = run("check", "--format", "json", web.url)
    found = {(each["code"], each["loc"]) for each in json.loads(out)["findings"]}
    assert found == {
        ("loc-outside", "https://example.com/"),
        ("loc-outside", other + "d/"),
        ("loc-outside", other + "1.xml"),
    }
    # Who names the sitemap itself means this sitemap alone.
    _, out, _ = run("check", "--format", "json", web.url + "maps/s.xml")
    (finding,) = json.loads(out)["findings"]
    assert finding["reason"] == f"is not below {web.url}maps/, nor is any other entry"


def test_a_sitemap_whose_url_redirects_may_list_the_pages_beside_its_new_url(web):
    """As from http to https, or from a host to the same host with www; the old URL counts too."""
    new = web.url.replace("127.0.0.1", "localhost")
    outside = "https://example.com/"

    def at_new_host(body):
        def answer(handler):
            is_new = handler.headers["Host"].startswith("localhost")
            handler.send_response(200 if is_new else 301)
            handler.send_header("Content-Length", str(len(body) if is_new else 0))
            handler.send_header("Location", new.rstrip("/") + handler.path)
            handler.end_headers()
            handler.wfile.write(body if is_new else b"")

        return answer

    sitemap = urlset(loc(new), loc(new + "a/"), loc(web.url + "b/"), loc(outside))
    web.pages["/sitemap.xml"] = at_new_host(sitemap)
    web.pages["/robots.txt"] = at_new_host(f"Sitemap: {new}maps/s.xml\n".encode())
    web.pages["/maps/s.xml"] = sitemap
    for given in (web.url + "sitemap.xml", web.url):
        _, out, _ = run("check", "--format", "json", given)
        found = [(each["code"], each["loc"]) for each in json.loads(out)["findings"]]
        assert found == [("loc-outside", outside)]


def test_many_of_a_code_are_counted(here):
    """Twenty are shown to people, and all are in the JSON."""
    write(here, {"s.xml": urlset(url("a"), *(url(n).replace("/</", "/#</") for n in range(1_005)))})
    lines = run("check", "s.xml")[1].splitlines()
    assert len([line for line in lines if ": error loc-fragment: " in line]) == 20
    assert lines[-4:] == [
        "loc-fragment: 985 more are not shown.",
        "1,005 errors in 1 file with 1,006 URLs.",
        NO_PAGES.strip(),
        MEANINGS.strip(),
    ]
    write(here, {"old.xml": RIGHT})
    said = json.loads(run("check", "--format", "json", "--since", "old.xml", "s.xml")[1])
    assert len(said["findings"]) == 1_006
    assert said["counts"] == {"error": 1_005, "warning": 1}


SHOP = "https://www.example.com/"
DOCS = "https://example.com/docs/"
FIVE = [f"page{number}/" for number in range(1, 6)]


@pytest.mark.parametrize(
    ("urls", "pages", "findings"),
    [
        (
            [f"{SHOP}p{number}/" for number in range(100, 140)],
            [f"p{number}/" for number in range(101, 140, 2)],
            [("page-absent", f"{SHOP}p{number}/") for number in range(100, 140, 2)],
        ),
        (
            [DOCS, *(f"{DOCS}a{number}/" for number in range(40))],
            [f"docs/a{number}/" for number in range(0, 40, 2)],
            [("page-absent", DOCS + page) for page in ("", *(f"a{n}/" for n in range(1, 40, 2)))],
        ),
        (
            [DOCS, *(DOCS + page for page in FIVE), "https://x.io/"],
            ["", *FIVE],
            [("loc-outside", "https://x.io/")],
        ),
        ([DOCS[:-5], DOCS, *(DOCS + page for page in FIVE)], ["", *FIVE], []),
        (
            [SHOP + page for page in ("de/", "de/a/", "a/", "")],
            ["", "a/"],
            [("page-absent", f"{SHOP}de/{page}") for page in ("", "a/")],
        ),
    ],
    ids=["every second file", "in a folder", "another host", "a page above", "another language"],
)
def test_one_entry_does_not_decide_the_url_of_a_site(here, urls, pages, findings):
    """Every page ending in a slash could be the ``index.html`` in the folder of the sitemap."""
    entries = (f"<url><loc>{each}</loc></url>" for each in urls)
    files = {f"site/{page}index.html": PAGE for page in pages}
    files.setdefault("site/index.html", "<!-- a part of a page -->")
    write(here, {"site/sitemap.xml": urlset(*entries), **files})
    _, out, _ = run("check", "--format", "json", "site")
    assert [(each["code"], each["loc"]) for each in json.loads(out)["findings"]] == findings


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_file_that_is_named_twice_is_checked_once(here, web):
    """By itself and by an index beside it, on the disk or in robots.txt; as are its pages."""
    entry = "<url><loc>https://example.com/</loc><lastmod>no</lastmod></url>"
    index = "<sitemap><loc>https://example.com/sitemap.xml</loc></sitemap>"
    files = {"sitemap.xml": urlset(entry), "sitemap-index.xml": urlset(index, root="sitemapindex")}
    write(here, {**files, "index.html": PAGE, "a.html": PAGE, "robots.txt": "Sitemap: /s.xml\n"})
    _, out, _ = run("check", "--format", "json", ".")
    result = json.loads(out)
    codes = [each["code"] for each in result["findings"]]
    assert codes == ["lastmod-format", "not-listed", "robots"]
    assert (result["urls"], result["files"]) == (1, ["sitemap.xml", "sitemap-index.xml"])
    for name, data in files.items():
        web.pages[f"/{name}"] = data.replace(b"https://example.com/", web.url.encode())
    names = "".join(f"Sitemap: {web.url}{name}\n" for name in files)
    web.pages |= {"/robots.txt": names.encode(), "/": 404}
    _, out, _ = run("check", "--format", "json", "--pages", web.url)
    result = json.loads(out)
    assert [each["code"] for each in result["findings"]] == ["lastmod-format", "page-status"]
    assert (result["urls"], result["pages_asked"]) == (1, 1)
    assert web.paths().count("/") == 1


def test_check_ignores_files_that_can_be_no_pages(here):
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
    assert [each["code"] for each in said["findings"]] == ["part-missing", "gzip"]
    (here / "sitemap.xml").unlink()
    (here / "sitemap-index.xml").unlink()
    _, out, _ = run("check", ".", "--format", "json")
    assert json.loads(out)["files"] == ["sitemap.xml.gz", "sitemap-index.xml.gz"]


def test_a_part_is_not_asked_for_all_pages_of_the_site(here):
    """Only the file that stands for its folder is."""
    shutil.copytree(CORPUS / "site-parts", here / "site")
    assert run("check", "site/sitemap-1.xml")[0] == 0
    assert " not-listed: " in run("check", "site/sitemap.xml")[1]


PAGE = b"<!doctype html><title>Home</title><p>Text"


def test_a_site_is_checked_by_its_url(web):
    """All sitemaps that its robots.txt names; a note says which."""
    entry = f"<url><loc>{web.url}</loc></url>"
    robots = f"Sitemap: {web.url}a.xml\nSitemap: {web.url}b.xml\nSitemap: {web.url}c.xml\n"
    web.pages |= {"/": PAGE, "/page": PAGE, "/robots.txt": robots.encode()}
    web.pages |= {"/a.xml": urlset(entry), "/b.xml": urlset(entry, entry)}
    names = f"{web.url}a.xml, {web.url}b.xml, {web.url}c.xml"
    for given in (web.url, web.url.removesuffix("/"), web.url + "page"):
        code, out, err = run("check", given)
        assert code == 2
        assert out == (
            f"{web.url}b.xml:3: warning duplicate-loc: {web.url}: is already listed in "
            f"{web.url}b.xml:2. Remove one of the two entries.\n"
            f"1 warning in 2 files with 3 URLs.\n{NO_PAGES}{MEANINGS}"
        )
        assert err == (
            f"Note: {given}: checking {names}.\nError: {web.url}c.xml: answers 404 (Not Found).\n"
        )


RSS = """\
<rss version="2.0"><channel><item>
<link>https://example.com/a/</link><pubDate>Thu, 05 Nov 2026 10:00:00 +0100</pubDate>
</item></channel></rss>
"""


def test_text_files_and_feeds_are_sitemaps(here):
    """sitemaps.org and Google list both; of a feed, a note says what it can not do."""
    write(here, {"s.txt": "https://example.com/a/\nhttps://example.com/b/\n", "feed.xml": RSS})
    note = "Note: feed.xml: a feed lists only the newest pages, and Yandex reads none, "
    assert run("check", "s.txt") == (0, f"No problems in 1 file with 2 URLs.\n{NO_PAGES}", "")
    assert run("check", "feed.xml") == (
        0,
        f"No problems in 1 file with 1 URL.\n{NO_PAGES}",
        f"{note}so publish a sitemap too.\n",
    )
    entries = {entry.loc: entry.lastmod for entry in read_sitemap("feed.xml")}
    assert entries == {"https://example.com/a/": datetime(2026, 11, 5, 9, tzinfo=UTC)}


def test_a_feed_need_not_list_all_pages_of_its_site(here):
    """A sitemap must."""
    page = "<html><title>A</title><link rel=canonical href=https://example.com/{}/>".format
    write(here, {f"{name}/index.html": page(name) for name in "ab"} | {"feed.xml": RSS})
    write(here, {"index.html": page("a")})
    assert run("check", "feed.xml")[:2] == (0, "No problems in 1 file with 1 URL.\n")


def test_the_built_site_of_the_project_is_checked(here):
    """As `build` finds it: in the current folder, or by its project file."""
    page = "<!doctype html><p>Text"
    write(here, {"mkdocs.yml": "site_name: S\nsite_dir: public\n"})
    write(here, {"public/sitemap.xml": RIGHT, "public/index.html": page})
    write(here, {"public/a/index.html": page, "public/map.xml": RIGHT})
    line = (
        "public/a/index.html: warning not-listed: https://example.com/a/: is not listed. "
        f"{LIST_IT}\n"
        f"1 warning in 1 file with 1 URL.\n{MEANINGS}"
    )
    note = (
        "Note: what the owner left out is not known: no report of its build is kept here, and "
        "mkdocs.yml does not have the plugin sitemap-plus. Add it, or run "
        "`mkdocs-sitemap-plus build`.\n"
    )
    assert run("check") == (1, line, note)
    write(here, {"o/mkdocs.yml": "site_name: S\nsite_dir: ../public\n"})
    (here / "mkdocs.yml").unlink()
    assert run("check", "-f", "o/mkdocs.yml") == (1, line, note)
    assert run("check", "-f", "o/mkdocs.yml", "public") == (1, line, note)


def test_without_a_project_or_a_built_site_there_is_nothing_to_check(here):
    """One line says what to do."""
    code, out, err = run("check")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "mkdocs.yml" in err
    write(here, {"mkdocs.yml": "site_name: S\n"})
    reported = "there is no built site at site. Build the site first, or name its folder."
    assert run("check") == (2, "", f"Error: {reported}\n")
    assert "Build the site first, or name its folder." in run("check", "site")[2]


def test_a_finding_is_bounded(here):
    """A URL that is allowed is shown whole; a longer one is cut, wherever it is shown."""
    right, long = f"https://example.com/#{'a' * 2000}", "https://example.com/" + "x" * 30_000
    write(here, {"s.xml": urlset(*(f"<url><loc>{loc}</loc></url>" for loc in (right, long)))})
    for form in ("text", "json", "github"):
        _, out, _ = run("check", "--format", form, "s.xml")
        assert f"{right}" in out
        assert len(out) < 20_000
    parts = [f"<sitemap><loc>{long}{number}</loc></sitemap>" for number in range(3)]
    write(here, {"i.xml": urlset(*parts, root="sitemapindex")})
    assert len(run("check", "i.xml")[1]) < 20_000
    name = "n" * 30_000
    write(here, {"e.xml": urlset(f"<{name}/>", f"<url><{name}/></url>")})
    assert len(run("check", "e.xml")[1]) < 20_000


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Unix")
def test_a_pipe_blocks_no_check(here):
    """Neither as a part of an index, nor among the pages."""
    write(here, {"sitemap.xml": urlset(part("a"), root="sitemapindex"), "index.html": PAGE})
    os.mkfifo(here / "a.xml")
    os.mkfifo(here / "p.html")
    assert run("check", ".")[1] == (
        "sitemap.xml:2: error part-missing: https://example.com/a.xml: a.xml "
        "can't be read (it is not a regular file). "
        "Publish the sitemap, or remove it from the index.\n"
        f"1 error in 2 files with 0 URLs.\n{MEANINGS}"
    )


def test_the_index_itself_is_not_taken_for_parts_of_its_name_in_folders(here):
    """As one that somebody downloaded alone. A part that is the index is still said to be that."""
    parts = [part(f"{number}.0/sitemap") for number in (1, 2)]
    write(here, {"sitemap.xml": urlset(*parts, root="sitemapindex")})
    _, out, _ = run("check", "--format", "json", "sitemap.xml")
    found = [(each["code"], each["loc"]) for each in json.loads(out)["findings"]]
    assert found == [
        ("part-missing", f"https://example.com/{number}.0/sitemap.xml") for number in (1, 2)
    ]
    write(here, {"sitemap.xml": urlset(part("sitemap"), root="sitemapindex")})
    assert "is this index itself" in run("check", "sitemap.xml")[1]


@pytest.mark.parametrize("path", ["?s=1", "/sitemap.php?path=/x/y"])
def test_a_url_without_a_folder_is_that_of_the_root(web, path):
    """Other hosts are outside of it, and no relative URL is; a slash in a query is no folder's."""
    relative = "<url><loc>/c/</loc></url>"
    web.pages["/" + path.lstrip("/")] = urlset(loc(f"{web.url}a/"), url("b"), relative)
    _, out, _ = run("check", "--format", "json", web.url.rstrip("/") + path)
    found = [(each["code"], each["reason"]) for each in json.loads(out)["findings"]]
    assert found == [
        ("loc-outside", f"is not below {web.url}"),
        ("loc-relative", "loc is not an http or https URL"),
    ]


def linked(*names):
    """Return a sitemap of the pages below a host; a page links to the language versions."""
    links = "".join(
        f'<xhtml:link rel="alternate" hreflang="{name[:2]}" href="https://example.com/{name}"/>'
        for name in names
    )
    xhtml = 'xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    space = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    entry = f"<url><loc>https://example.com/{names[0]}</loc>{links if len(names) > 1 else ''}</url>"
    return f"<urlset {space} {xhtml}>\n{entry}\n</urlset>\n"


@pytest.mark.parametrize("given", ["arguments", "robots.txt"])
def test_a_language_version_in_another_sitemap_must_link_back(here, web, given):
    """Languages are often built one by one, each with its own sitemap (Google)."""
    for back, expected in (((), 1), (("en/a/",), 0)):
        files = {"en.xml": linked("en/a/", "de/a/", "fr/a/"), "de.xml": linked("de/a/", *back)}
        write(here, files)
        web.pages |= {f"/{name}": data.encode() for name, data in files.items()}
        web.pages["/robots.txt"] = "".join(f"Sitemap: {web.url}{name}\n" for name in files).encode()
        where = [*files] if given == "arguments" else [web.url]
        _, out, _ = run("check", *where)
        assert out.count("warning hreflang-return: ") == expected
        assert ("links to https://example.com/de/a/, which does not link back" in out) == bool(
            expected
        )
        assert "fr/a" not in out  # the French sitemap is not checked
