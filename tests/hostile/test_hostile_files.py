"""Whatever stands in a file, in the answer of a server or in what git prints: no crash.

Each file begins as a right one, and is then damaged: bytes are cut, doubled, moved or replaced, or
a value of its JSON is another one.
"""

import copy
import json
from datetime import timedelta

import pytest
from broken_sitemaps import CORPUS, findings
from git_repositories import files, line, make
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from lxml import etree
from one_file import one_file
from protego import Protego
from quantity import tries
from sitemap_xml import read_entries

from mkdocs_sitemap_plus.command.reader.read import collect
from mkdocs_sitemap_plus.generator.lastmod.date_source import Dated, DateQuery
from mkdocs_sitemap_plus.generator.lastmod.dates_file import FileSource, dates_file
from mkdocs_sitemap_plus.generator.lastmod.git_source import git_dates
from mkdocs_sitemap_plus.generator.options.fields import Overrides
from mkdocs_sitemap_plus.generator.options.settings import GitSettings, LastmodSettings
from mkdocs_sitemap_plus.generator.robots_txt import with_sitemap
from mkdocs_sitemap_plus.problems import SitemapError

LIMIT = settings(
    max_examples=tries(few=20, many=80),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
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

URL = "https://web.example/sitemap.xml"
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
        asked = f"https://web.example{path}", "Googlebot"
        assert before.can_fetch(*asked) == after.can_fetch(*asked)


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
    return {name: date.origin for (name, _), date in found.items() if isinstance(date, Dated)}


def test_a_dates_file_gives_back_what_was_written(dated):
    """Else the tests below would be about nothing."""
    history = git_dates(GitSettings(), dated[0])
    known = {page.name: date for page, date in history.changes(dated[1]).items()}
    found = dates_in(dated, dated[2])
    assert {name: (date.when, date.commit) for name, date in found.items()} == {
        name: (date.when, date.commit) for name, date in known.items()
    }


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
    *("1.000", " https://web.example/b ", "HTTPS://WEB.EXAMPLE:443/c", "https://web.example/%7e"),
    *("https://web.example/ü", "https://web.example/?a=b&c", "always", "\n0.1\n", "", "2026-02-30"),
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
