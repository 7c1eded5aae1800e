"""Sitemaps are read, written and checked by any program, as ``docs/reference/python.md`` says."""

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from commands import run
from quantity import LONG, more_at_length
from sitemap_texts import SPACE
from sitemap_texts import index_of as index
from sitemap_texts import sitemap_of as urlset

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

CORPUS = Path(__file__).parents[1] / "check" / "corpus"
URL = "https://web.example/docs/"
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
        (plain("a/"), URL, {"max_bytes": 52_428_801}, "52428800 bytes"),
        (plain("a/"), URL, {"filename": "../a.xml"}, "ends in .xml, not ../a.xml"),
        (plain("a/"), "https://web.example", {}, "does not end with a slash"),
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


@more_at_length
def test_a_program_gets_what_the_command_reports(tmp_path, monkeypatch):
    """All of it, in the same order; outside of a clone, since a program does not ask git."""
    monkeypatch.chdir(tmp_path)
    for case in sorted(CORPUS.glob("site-*"))[:: 1 if LONG else 4]:
        _, out, _ = run("check", "--format", "json", "--require", URL, "--min-dated", "90%", case)
        expected = json.loads(out)
        result = check_sitemap(case, require=[URL], min_dated=90)
        own = {"version": 1, **result._asdict()}
        own["findings"] = [
            {
                "code": finding.code,
                "severity": finding.level,
                "file": finding.place.file,
                "line": finding.place.line,
                "loc": finding.loc,
                "urls": finding.urls,
                "reason": finding.reason,
                "fix": finding.fix,
                "url": finding.rule.url,
            }
            for finding in result.findings
        ]
        own["not_checked"] = [each._asdict() for each in result.not_checked]
        for each in expected["not_checked"]:  # the command also says how to get the report
            each["why"] = re.sub("(is not known): no report.*", r"\1.", each["why"])
        assert json.loads(json_text(own)) == expected


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
