"""Sitemaps are read, written and checked by any program, as ``docs/reference/python.md`` says."""

import gzip
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from commands import run
from docs_pages import DOCS
from lighthouse import lighthouse

import mkdocs_sitemap_plus
from mkdocs_sitemap_plus import (
    Alternate,
    Changefreq,
    Restriction,
    SitemapError,
    UrlEntry,
    Video,
    check_sitemap,
    read_sitemap,
    write_sitemap,
)
from mkdocs_sitemap_plus.wording import json_text

PAGE = DOCS / "reference" / "python.md"
CORPUS = Path(__file__).parents[1] / "check" / "corpus"
URL = "https://example.com/docs/"
SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
NAMES = {
    "Alternate",
    "Changefreq",
    "CheckResult",
    "Finding",
    "Page",
    "Restriction",
    "SitemapError",
    "UrlEntry",
    "Video",
    "check_sitemap",
    "read_sitemap",
    "write_sitemap",
}
FULL = UrlEntry(
    loc=f"{URL}a/",
    lastmod=datetime(2026, 3, 1, 12, 30, tzinfo=UTC),
    changefreq=Changefreq.WEEKLY,
    priority=Decimal("0.5"),
    alternates=(
        Alternate(hreflang="de", href=f"{URL}a/"),
        Alternate(hreflang="en", href=f"{URL}b/"),
    ),
    images=(f"{URL}lamp.png",),
    videos=(
        Video(
            thumbnail_loc=f"{URL}t.png",
            title="Lamps & more",
            description="How a lamp is lit.",
            content_loc=f"{URL}lamp.mp4",
            restriction=Restriction(allow=True, names=("DE", "FR")),
        ),
    ),
)


def plain(*names):
    return [UrlEntry(loc=URL + name, lastmod=date(2026, 1, 1)) for name in names]


def urlset(*locs):
    urls = "".join(f"<url><loc>{loc}</loc></url>" for loc in locs)
    return f'<urlset xmlns="{SPACE}">{urls}</urlset>'.encode()


def index(*locs):
    parts = "".join(f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return f'<sitemapindex xmlns="{SPACE}">{parts}</sitemapindex>'.encode()


def in_python(program, folder):
    """What a program prints that runs in a process of its own."""
    command = [sys.executable, "-c", program]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder).stdout


def test_the_public_names_are_there():
    """Each with a docstring. A name that is added is a promise."""
    assert set(mkdocs_sitemap_plus.__all__) >= NAMES
    assert set(dir(mkdocs_sitemap_plus)) >= NAMES
    assert all(getattr(mkdocs_sitemap_plus, name).__doc__ for name in NAMES)
    with pytest.raises(AttributeError, match="has no attribute 'read_feed'"):
        _ = mkdocs_sitemap_plus.read_feed


def test_a_module_is_loaded_when_its_name_is_used(tmp_path):
    """The package alone loads none, and a reader of sitemaps needs nothing of a build."""
    program = """
import json, sys, mkdocs_sitemap_plus as package
start = package.__name__ + "."
loaded = lambda: {name.split(".")[1] for name in sys.modules if name.startswith(start)}
before = sorted(loaded())
package.read_sitemap, package.UrlEntry, package.SitemapError
print(json.dumps([before, sorted(loaded()), "mkdocs" in sys.modules]))
"""
    found = json.loads(in_python(program, tmp_path))
    assert found == [[], ["files", "problems", "sitemap", "wording"], False]


def test_what_was_written_is_read_again(tmp_path):
    """With all fields."""
    written = [FULL, *plain("b/", "c/")]
    write_sitemap(written, tmp_path / "new" / "folder", URL)
    assert list(read_sitemap(tmp_path / "new" / "folder")) == written


def test_all_files_are_named_and_right(tmp_path):
    """The sitemap first; each with its archive, in which the same stands."""
    paths = write_sitemap(iter(plain("a/", "b/", "c/")), str(tmp_path), URL, max_urls=2)
    names = ["sitemap.xml", "sitemap-1.xml", "sitemap-2.xml"]
    assert [path.name for path in paths[:2]] == ["sitemap.xml", "sitemap.xml.gz"]
    assert {path.name for path in paths} == {*names, *(f"{name}.gz" for name in names)}
    assert {*tmp_path.iterdir()} == {*paths}
    for name in names:
        data = (tmp_path / name).read_bytes()
        assert gzip.decompress((tmp_path / f"{name}.gz").read_bytes()) == data
    root = ET.fromstring((tmp_path / "sitemap.xml").read_bytes())
    locs = [loc.text for loc in root.iter(f"{{{SPACE}}}loc")]
    assert locs == [f"{URL}sitemap-1.xml", f"{URL}sitemap-2.xml"]
    assert list(read_sitemap(tmp_path)) == plain("a/", "b/", "c/")
    assert check_sitemap(tmp_path).findings == []


def test_what_an_earlier_sitemap_left_is_removed(tmp_path):
    """Its parts only: other files of the folder stay."""
    (tmp_path / "sitemap-9.xml").write_bytes(b"of somebody else")
    write_sitemap(plain("a/", "b/", "c/"), tmp_path, URL, max_urls=1)
    write_sitemap(plain("a/"), tmp_path, URL)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"sitemap.xml", "sitemap.xml.gz", "sitemap-9.xml"}


@pytest.mark.parametrize(
    ("entries", "url", "options", "message"),
    [
        ([], URL, {}, "at least one entry"),
        (plain("a/"), URL, {"max_urls": 0}, "at most 50000 entries"),
        (plain("a/"), URL, {"max_urls": 50_001}, "at most 50000 entries"),
        (plain("a/"), URL, {"max_bytes": 52_428_801}, "52428800 bytes"),
        (plain("a/"), URL, {"filename": "../a.xml"}, "ends in .xml, not ../a.xml"),
        (plain("a/"), URL, {"filename": "a.txt"}, "ends in .xml, not a.txt"),
        (plain("a/"), "https://example.com", {}, "does not end with a slash"),
        (plain("a/"), "/docs/", {}, "is not an http or https URL: /docs/"),
        (
            [replace(FULL, priority=Decimal(2))],
            URL,
            {},
            f"{URL}a/: priority is '2', but must be a number from 0.0 to 1.0",
        ),
    ],
)
def test_a_wrong_argument_writes_nothing(tmp_path, entries, url, options, message):
    """It is named."""
    with pytest.raises(ValueError, match=re.escape(message)):
        write_sitemap(entries, tmp_path, url, **options)
    assert [*tmp_path.iterdir()] == []


def test_a_folder_that_is_a_file_is_an_error(tmp_path):
    """Which names what can't be written."""
    (tmp_path / "folder").write_bytes(b"")
    with pytest.raises(SitemapError, match=r"sitemap\.xml: it can't be written"):
        write_sitemap(plain("a/"), tmp_path / "folder", URL)


def test_a_sitemap_of_a_server_is_read(web):
    """By the URL of its site, of an index, or of an archive."""
    web.pages = {"/sitemap.xml": index(f"{web.url}p1.xml.gz", f"{web.url}p2.xml.gz")}
    web.pages["/p1.xml.gz"] = gzip.compress(urlset(f"{URL}1/"))
    web.pages["/p2.xml.gz"] = gzip.compress(urlset(f"{URL}2/"))
    both = [UrlEntry(loc=f"{URL}1/"), UrlEntry(loc=f"{URL}2/")]
    assert list(read_sitemap(f"{web.url}sitemap.xml")) == both
    assert list(read_sitemap(web.url)) == both
    assert list(read_sitemap(f"{web.url}p2.xml.gz")) == both[1:]


def test_an_index_is_read_one_file_after_the_other(web):
    """A part is requested when its turn comes."""
    web.pages = {"/i.xml": index(f"{web.url}p1.xml", f"{web.url}p2.xml")}
    web.pages |= {"/p1.xml": urlset(URL), "/p2.xml": 500}
    entries = read_sitemap(f"{web.url}i.xml")
    assert isinstance(entries, Iterator)
    assert web.requests == []
    assert next(entries).loc == URL
    assert [path for _, path, *_ in web.requests] == ["/i.xml", "/p1.xml"]
    with pytest.raises(SitemapError, match="answers 500"):
        next(entries)


def test_what_is_not_usable_is_left_out(tmp_path):
    """An entry without a URL, and a field without a value; `check_sitemap` names both."""
    file = tmp_path / "s.xml"
    urls = f"<url><loc>a b</loc></url><url><loc>{URL}</loc><lastmod>soon</lastmod></url>"
    file.write_text(f'<urlset xmlns="{SPACE}">{urls}</urlset>')
    assert list(read_sitemap(file)) == [UrlEntry(loc=URL)]
    assert {finding.code for finding in check_sitemap(file).findings} >= {"lastmod-format"}


def test_what_is_no_sitemap_is_an_error(tmp_path):
    """As the command says it; a check returns the error."""
    with pytest.raises(SitemapError, match="can't be read"):
        next(read_sitemap(tmp_path / "none.xml"))
    result = check_sitemap(tmp_path / "none.xml")
    assert (result.findings, result.files) == ([], [])
    assert [text for text in result.unusable if "can't be read" in text] == result.unusable != []


CASES = sorted(path for path in CORPUS.iterdir() if path.suffix == ".xml" or path.is_dir())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_program_gets_what_the_command_reports(case):
    """All of it, in the same order."""
    _, out, _ = run("check", "--format", "json", "--require", URL, "--min-dated", "90%", case)
    expected = json.loads(out)
    assert expected.pop("version") == 1
    result = check_sitemap(case, require=[URL], min_dated=90)
    own = result._asdict()
    own["findings"] = [
        {
            "code": finding.code,
            "severity": finding.level,
            "file": finding.place.file,
            "line": finding.place.line,
            "loc": finding.loc,
            "reason": finding.reason,
            "fix": finding.fix,
            "url": finding.rule.url,
        }
        for finding in result.findings
    ]
    own["not_checked"] = [each._asdict() for each in result.not_checked]
    for each in expected["not_checked"]:  # the command also says how to get the report of a build
        each["why"] = re.sub("(is not known): no report.*", r"\1.", each["why"])
    without_passwords = json.loads(json_text(own))  # which the command hides
    assert without_passwords == expected


def test_live_pages_are_checked(web):
    """As with ``--pages``."""
    web.pages = {
        "/s.xml": urlset(f"{web.url}a/", f"{web.url}b/"),
        "/robots.txt": 404,
        "/a/": b"<html>Hello</html>",
        "/b/": 404,
    }
    result = check_sitemap(f"{web.url}s.xml", pages=True)
    assert (result.pages_asked, result.pages_checked) == (2, False)
    assert [(each.code, each.loc) for each in result.findings] == [("page-status", f"{web.url}b/")]
    assert check_sitemap(f"{web.url}s.xml", pages=True, sample=1).pages_asked == 1


def example_of(heading):
    """The first program below a heading of the page, and what it prints."""
    section = PAGE.read_text("utf-8").partition(heading)[2]
    blocks = (re.search(rf"```{kind}\n(.*?)```", section, re.DOTALL) for kind in ("python", "text"))
    return [block[1] for block in blocks]


@pytest.mark.skipif(not PAGE.is_file(), reason="only a whole checkout has the docs")
def test_the_example_prints_what_stands_there(plain_git, tmp_path):
    """In the sample site."""
    program, printed = example_of("\n## Sitemaps of your own programs\n")
    site = lighthouse(tmp_path / "site")
    site.build("--strict")
    assert in_python(program, site.folder) == printed


def test_read_sitemap_reads_a_site_from_the_web(plain_git, tmp_path, web):
    """The sample site as a server publishes it: in two archives with an index."""
    site = lighthouse(tmp_path / "site")
    site.build("--strict")
    entries = [*read_sitemap(site.folder / "site")]
    for path in write_sitemap(entries, tmp_path / "published", web.url, max_urls=len(entries) - 1):
        data = path.read_bytes()
        web.pages[f"/{path.name}"] = (200, {"Content-Type": "text/plain"}, data)
    assert [*read_sitemap(web.url)] == entries
    assert len(web.requests) > 2
