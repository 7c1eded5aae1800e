"""Whatever stands in a file, in the answer of a server or in what git prints: no crash.

Each file begins as a right one, and is then damaged: bytes are cut, doubled, moved or replaced, or
a value of its JSON is another one.
"""

import copy
import json
import os
import socket
import time
from contextlib import suppress
from datetime import timedelta
from itertools import cycle

import html5lib
import pytest
from broken_sitemaps import CORPUS, findings
from git_repositories import files, line, make
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from lxml import etree
from one_file import one_file
from protego import Protego
from quantity import at_length, tries
from reports import a_report
from sitemap_texts import urlset
from sitemap_xml import read_entries, validate
from sites import run_command
from web import speaking

from mkdocs_sitemap_plus.gitdates import GitChange
from mkdocs_sitemap_plus.gitdates.git_dates import _known
from mkdocs_sitemap_plus.gitdates.walk import read_ignored as read_ignored_ids
from mkdocs_sitemap_plus.lastmod import Dated, DateQuery
from mkdocs_sitemap_plus.lastmod.dates_file import FileSource, dates_file
from mkdocs_sitemap_plus.lastmod.git import git_dates
from mkdocs_sitemap_plus.options import GitSettings, LastmodSettings
from mkdocs_sitemap_plus.options.fields import Overrides
from mkdocs_sitemap_plus.output.robots import with_sitemap
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.report.html import to_html
from mkdocs_sitemap_plus.report.read import from_json
from mkdocs_sitemap_plus.sitemap.client import Client, read_robots
from mkdocs_sitemap_plus.sitemap.read import collect

LIMIT = settings(
    max_examples=tries(few=20, many=80),
    deadline=timedelta(seconds=10),
    suppress_health_check=list(HealthCheck),
)
SLOW = settings(LIMIT, max_examples=tries(few=8, many=50))

PIECES = (
    *(
        b"",
        b"\0",
        b"\n",
        b"\r\n",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\xc3",
        b"<",
        b">",
        b'"',
        b"&",
        b"-->",
    ),
    *(b"<!--", b"]]>", b"{", b"[" * 600, b"9" * 5_000, b"1e999", b"null", b":", b"#", b"\x1f"),
)
BYTES = st.sampled_from(PIECES) | st.binary(max_size=6)
EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 40), st.floats(0, 1), st.integers(0, 40), BYTES),
    min_size=1,
    max_size=4,
)


def damaged(data, edits):
    """Replace some bytes by others, from elsewhere in the data or new."""
    for at, length, other, more, new in edits:
        start, source = int(at * len(data)), int(other * len(data))
        data = data[:start] + data[source : source + more] + new + data[start + length :]
    return data


ODD = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 10**25)
    | st.floats()
    | st.sampled_from(
        ["", "x", "\ud800", "\0", "2026-11-20", "9999-12-31T23:59:59-14:00", "a" * 40]
    )
    | st.sampled_from(["0" * 64, "javascript:x", "http://[::1", "</script><script>", "../../etc"])
    | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2)
    ),
    max_leaves=4,
)
PLACES = st.lists(st.tuples(st.lists(st.integers(0, 9), max_size=6), ODD), min_size=1, max_size=3)


def changed(value, places):
    """The same JSON with other values in some places, each found by numbers on the way down."""
    value = copy.deepcopy(value)
    for way, new in places:
        node, key = {"": value}, ""
        for number in way:
            inner = node[key]
            if not inner or not isinstance(inner, dict | list):
                break
            keys = [*inner] if isinstance(inner, dict) else range(len(inner))
            node, key = inner, keys[number % len(keys)]
        if way:
            node[key] = new
    return value


# robots.txt.

URL = "https://example.com/sitemap.xml"
LINES = (
    *("User-agent: *", "Disallow: /", "Disallow: /a", "Allow: /a/b", "Sitemap: x", "User-agent"),
    *(f"Sitemap: {URL}", f"sitemap :{URL}  # ours", f"#Sitemap: {URL}", f"Sitemap: {URL}x", "ü"),
    *("User-agent: Googlebot", "# text", "", "Crawl-delay: 1", "\x85", "\ufeff", "\x0b", "\u2028"),
)
ENDS = st.sampled_from(["\n", "\r\n", "\r", ""])
ROBOTS = st.lists(st.tuples(st.sampled_from(LINES), ENDS), max_size=8).map(
    lambda lines: "".join(text + end for text, end in lines)
)
PATHS = ("/", "/a", "/a/b", "/x")


@LIMIT
@given(ROBOTS)
def test_a_line_in_any_robots_txt_is_found_by_others_and_changes_no_rule(text):
    """Scrapy's parser is asked; all that stood there stays, and a second time nothing is added."""
    new = with_sitemap(text.encode(), URL)
    assert new.startswith(text.encode())
    assert with_sitemap(new, URL) == new
    before, after = (Protego.parse(data.decode("utf-8-sig")) for data in (text.encode(), new))
    assert URL in after.sitemaps
    for path in PATHS:
        asked = f"https://example.com{path}", "Googlebot"
        assert before.can_fetch(*asked) == after.can_fetch(*asked)


@LIMIT
@given(ROBOTS, EDITS)
def test_any_bytes_can_be_a_robots_txt(text, edits):
    """Rules are read of it, or none."""
    data = damaged(text.encode(), edits)
    robots = read_robots(data)
    assert all(
        robots.allows("Googlebot", f"https://example.com{path}") in (True, False) for path in PATHS
    )
    assert with_sitemap(data, URL).startswith(data)


# The dates file.


@pytest.fixture(scope="module")
def dated(tmp_path_factory):
    """A repository with two pages, their dates, and the bytes of the dates file."""
    top = tmp_path_factory.mktemp("dated")
    make(top, line(files(docs__a_md="a", docs__b_md="b"), files(docs__a_md="a2", docs__b_md="b")))
    for name, text in (("a", "a2"), ("b", "b")):
        (top / "docs").mkdir(exist_ok=True)
        (top / "docs" / f"{name}.md").write_text(text)
    pages = [top / "docs" / "a.md", top / "docs" / "b.md"]
    history = git_dates(GitSettings(), top)
    data = dates_file(pages, top, GitSettings(), history)
    history.close()
    return top, pages, data


def dates_in(dated, data):
    """What a file with these bytes dates."""
    top, pages, _ = dated
    (top / "sitemap-dates.json").write_bytes(data)
    queries = {(page.name, page.name): DateQuery(Overrides(), (page,)) for page in pages}
    found, problems = FileSource(LastmodSettings(), top).dates(queries)
    assert all(len(str(each)) < 600 and str(each).isprintable() for each in problems)
    return {name: date.because for (name, _), date in found.items() if isinstance(date, Dated)}


def test_a_dates_file_gives_back_what_was_written(dated):
    """Else the tests below would be about nothing."""
    history = git_dates(GitSettings(), dated[0])
    known = {page.name: date for page, date in history.changes(dated[1]).items()}
    found = dates_in(dated, dated[2])
    assert {name: (date.when, date.commit) for name, date in found.items()} == {
        name: (date.when, date.commit) for name, date in known.items()
    }


@LIMIT
@given(EDITS)
def test_a_dates_file_with_any_damage_is_read_or_refused(dated, edits):
    """A date that comes of it is an instant."""
    for date in dates_in(dated, damaged(dated[2], edits)).values():
        assert date.when.utcoffset() == timedelta(0)


@LIMIT
@given(PLACES)
def test_a_dates_file_with_any_values_is_read_or_refused(dated, places):
    """Also where it is JSON. A page has a date only with its own blob."""
    right = json.loads(dated[2])
    value = changed(right, places)
    for name, date in dates_in(dated, json.dumps(value).encode()).items():
        key = f"docs/{name}"
        assert date.when.utcoffset() == timedelta(0)
        assert value["files"][key]["blob"] == right["files"][key]["blob"]


# The JSON report.

WHOLE = a_report(
    files=["sitemap.xml"],
    problems=[{"code": "x", "level": "warning", "text": "X"}],
    pages=[
        {
            "loc": "https://example.com/a/",
            "source": "a.md",
            "dest": "a/index.html",
            "title": "A",
            "entry": {"loc": "https://example.com/a/", "lastmod": "2026-11-20", "priority": "0.5"},
            "because": {
                "lastmod": {
                    "origin": "git",
                    "commit": "a" * 40,
                    "when": "2026-11-20T10:00:00+00:00",
                    "path": "docs/a.md",
                    "skipped": [{"what": "b", "why": "renamed"}],
                },
                "priority": {"origin": "front_matter", "file": "docs/a.md", "line": 2, "key": "p"},
            },
            "rejected": [{"text": "T", "field": "priority", "line": 3}],
        },
        {
            "source": "b.md",
            "undated": {"reason": "git failed", "detail": "d"},
            "left_out": {"reason": "noindex", "detail": "d", "place": {"origin": "built_page"}},
        },
    ],
)


def check_drawn(report):
    """What is drawn has no script but ours, and data that a script can read."""
    page = html5lib.parse(to_html(report), namespaceHTMLElements=False)
    ours = html5lib.parse(to_html(WHOLE), namespaceHTMLElements=False)
    (data, script), (_, our_script) = ([*tree.iter("script")] for tree in (page, ours))
    assert script.text == our_script.text
    assert data.attrib == {"type": "application/json", "id": "data"}
    assert len(json.loads(data.text)) == len(report["pages"])
    assert not any(name.startswith("on") for each in page.iter() for name in each.attrib)
    for link in page.iter("a"):
        assert link.get("href", "https:").partition(":")[0] in ("https", "http")


def with_strings(value, texts):
    """The same JSON, whose strings are replaced by these texts, over and over."""
    if isinstance(value, dict):
        return {key: with_strings(item, texts) for key, item in value.items()}
    if isinstance(value, list):
        return [with_strings(item, texts) for item in value]
    return next(texts) if isinstance(value, str) else value


MARKUP = ("</script>", "<!--", "-->", "<script>", "]]>", "&lt;", "'\"", "\u202e", "\udcff")
LINKS = ("https://x.example/", "http://[", "javascript:1", "2024-01-05", "//")


@at_length
@LIMIT
@given(st.lists(st.text() | st.sampled_from((*MARKUP, *LINKS)), min_size=1, max_size=12))
def test_any_text_of_a_report_is_drawn(texts):
    """A title, a path, a URL, a date or whatever else."""
    endless = cycle(["".join(texts), *texts])
    parts = ("site", "files", "problems", "pages")
    report = WHOLE | {key: with_strings(WHOLE[key], endless) for key in parts}
    check_drawn(from_json(json.dumps(report).encode(), "r.json"))


# Sitemaps.

RIGHT = (CORPUS / "right.xml").read_bytes()
TEXTS = (
    *(
        "2026-11-20",
        "2026-11-20T10:00:00.123456789Z",
        "2026-11-20T10:00:00+14:00",
        "2026-11",
        "0.55",
    ),
    *("1.000", " https://example.com/b ", "HTTPS://EXAMPLE.COM:443/c", "https://example.com/%7e"),
    *("https://example.com/ü", "https://example.com/?a=b&c", "always", "\n0.1\n", "", "2026-02-30"),
    *("1969-12-31", "9999-12-31T23:59:59-14:00", "-0.0", "+0.5", "https://xn--/", "\u0085", "de"),
)
# No time without seconds: Google allows it for news, and its schema does not.
NEW_TEXTS = st.lists(st.tuples(st.integers(0, 99), st.sampled_from(TEXTS)), max_size=4)


def with_texts(data, texts):
    """A sitemap with other texts in some of its elements without children, found by numbers."""
    tree = etree.fromstring(data)
    leaves = [each for each in tree.iter(etree.Element) if not len(each)]
    for number, text in texts:
        leaves[number % len(leaves)].text = text
    return etree.tostring(tree, encoding="utf-8", xml_declaration=True)


@LIMIT
@given(NEW_TEXTS, st.none() | EDITS)
@example([], None)
@example([(21, "\u0085")], None)
@example([(97, "")], None)
def test_what_check_accepts_others_accept(tmp_path_factory, texts, edits):
    """Of any bytes: lxml, and our own writer, which gives them back."""
    data = with_texts(RIGHT, texts)
    data = damaged(data, edits) if edits else data
    path = tmp_path_factory.getbasetemp() / "damaged.xml"
    path.write_bytes(data)
    found = findings(path)
    assert all(len(str(each)) < 1_000 for each in found)
    try:
        read = collect(str(path))
    except SitemapError as error:
        assert len(str(error)) < 600  # noqa: PT017
        assert found
        return
    if not found:
        locs = [each["loc"].strip() for each in read_entries(data)]
        assert sorted(read.entries) == sorted(locs)
    if read.entries:
        path.write_bytes(one_file(list(read.entries.values())))
        assert collect(str(path)).entries == read.entries


# What git reads, and what it prints.

REVISIONS = ("a" * 40, "B" * 12, "abc", "# x", "", " c0ffee # y", "\0", "ü")


@LIMIT
@given(
    st.lists(st.sampled_from(["a" * 40, "B" * 12, "abc", "# x", "", " c0ffee # y", "\0", "ü"])),
    EDITS,
)
def test_any_bytes_can_be_a_list_of_ignored_commits(tmp_path_factory, lines, edits):
    """Each line is an id, a comment, or one problem."""
    top = tmp_path_factory.getbasetemp()
    data = damaged("\n".join(lines).encode(), edits)
    (top / ".git-blame-ignore-revs").write_bytes(data)
    ids, problems = read_ignored_ids(top / ".git-blame-ignore-revs", None)
    assert all(set(oid) <= set(b"0123456789abcdef") for oid in ids)
    assert len(ids) + len(problems) <= data.count(b"\n") + data.count(b"\r") + 1
    assert all(len(str(each)) < 600 and str(each).isprintable() for each in problems)


COMMANDS = ("rev-parse", "ls-tree", "log", "diff-tree", "cat-file")


@at_length
@pytest.mark.skipif(os.name == "nt", reason="the faulty git is a script of a Unix shell")
@SLOW
@given(command=st.sampled_from(COMMANDS), edits=EDITS)
def test_whatever_git_prints_there_is_one_line_or_dates(
    plain_git, faulty, tmp_path, command, edits
):
    """Also where what it prints looks right: no crash, and it ends."""
    top = tmp_path / "site"
    if not top.exists():
        trees = [files(old="x", docs__b_md="1"), files(docs__a_md="x", docs__b_md="---\n---\n1")]
        make(top, line(*trees, files(docs__a_md="x", docs__b_md="2")))
    printed, script = tmp_path / "printed", tmp_path / "edit"
    faulty.fault(command, f"{{git}} | tee '{printed}'")
    dates(top)
    script.write_bytes(damaged(printed.read_bytes() if printed.exists() else b"", edits))
    faulty.fault(command, f"cat '{script}'")
    start = time.monotonic()
    found, reported = dates(top)
    assert time.monotonic() - start < 60
    assert len(reported) <= 1
    assert all(each.isprintable() and len(each) < 600 for each in reported)
    assert all(date.when.utcoffset() == timedelta(0) for date in found.values())


def dates(top):
    """The dates of both pages, and the problems."""
    _known.cache_clear()
    engine = git_dates(GitSettings(change=GitChange.BODY), top)
    engine.start(top / "docs")
    found = engine.changes([top / "docs" / "a.md", top / "docs" / "b.md"])
    engine.close()
    return found, [str(each) for each in engine.problems]


# Other files of the owner.

VERSIONS = [
    {"version": "1.0", "title": "1.0", "aliases": ["latest"]},
    {"version": "0.9", "title": "0.9", "aliases": []},
]


@SLOW
@given(PLACES, st.none() | EDITS)
def test_an_index_over_any_versions_is_valid_or_refused(tmp_path, places, edits):
    """One line and exit code 1, or an index that others accept."""
    for name in ("1.0", "0.9", "latest"):
        (tmp_path / name).mkdir(exist_ok=True)
        url = f"https://example.com/{name}/"
        (tmp_path / name / "sitemap.xml").write_bytes(urlset(f"<url><loc>{url}</loc></url>"))
    data = json.dumps(changed(VERSIONS, places)).encode()
    (tmp_path / "versions.json").write_bytes(damaged(data, edits) if edits else data)
    (tmp_path / "index.xml").unlink(missing_ok=True)
    done = run_command("index", ".", "-o", "index.xml", cwd=tmp_path)
    assert done.returncode in (0, 1), done.stderr
    assert len(done.stderr) < 4_000
    if done.returncode == 0:
        validate((tmp_path / "index.xml").read_bytes())


PROJECTS = {
    "mkdocs.yml": b"site_name: S\nsite_url: https://example.com/\nplugins:\n  - sitemap-plus:\n"
    b"      priority: 0.5\n      rules: [{match: a.md, changefreq: daily}]\n",
    "zensical.toml": b'[project]\nsite_name = "S"\nsite_url = "https://example.com/"\n'
    b'[project.plugins.sitemap-plus]\npriority = 0.5\nrules = [{match = "a.md"}]\n',
}


@SLOW
@given(st.sampled_from(list(PROJECTS)), EDITS)
def test_any_project_file_is_read_or_refused(tmp_path, name, edits):
    """By the command, which reads it without MkDocs."""
    for other in PROJECTS:
        (tmp_path / other).unlink(missing_ok=True)
    for path in ("docs", "site"):
        (tmp_path / path).mkdir(exist_ok=True)
    page = '<html><head><link rel="canonical" href="https://example.com/"></head></html>'
    (tmp_path / "site" / "index.html").write_text(page)
    (tmp_path / name).write_bytes(damaged(PROJECTS[name], edits))
    done = run_command("build", cwd=tmp_path)
    assert done.returncode in (0, 1, 2), done.stderr
    assert len(done.stderr) < 8_000
    sitemap = tmp_path / "site" / "sitemap.xml"
    if sitemap.exists():
        validate(sitemap.read_bytes())


# Servers.

ANSWERS = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 2\r\n\r\nok",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
    b"HTTP/1.0 503 Busy\r\nRetry-After: 1\r\nLast-Modified: Fri, 20 Nov 2026 10:00:00 GMT\r\n\r\n",
    b"HTTP/1.1 301 Moved\r\nLocation: http://[::1\r\nContent-Length: 0\r\n\r\n",
    b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\n\r\n",
    b"HTTP/1.1 302 Found\r\nLocation: //a..b:99999/\xff\r\nContent-Length: -1\r\n\r\n",
)


@LIMIT
@given(st.sampled_from(ANSWERS), EDITS)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_whatever_a_server_answers_is_an_answer_or_one_line(loud, answer, edits):
    """Of a size that was asked for."""
    port, answers = loud
    answers[:] = [damaged(answer, edits)]
    try:
        response = Client(60).get(f"http://127.0.0.1:{port}/", 1_000)
    except SitemapError as error:
        assert len(str(error)) < 5_000  # noqa: PT017 - a URL may have 2,047 characters
    else:
        assert len(response.body) <= 1_000


@pytest.fixture(scope="module")
def loud():
    """A server that sends what is in a list, and closes the connection."""
    answers = [b""]

    def speak(client):
        with suppress(OSError):
            client.sendall(answers[0])
            client.shutdown(socket.SHUT_WR)

    with speaking(speak) as port:
        yield port, answers
