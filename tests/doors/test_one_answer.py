"""One question, one answer: two rooms are asked the same, and must not contradict each other.

The built pages of the golden sites are asked in ``tests/golden``.
"""

import re
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from urllib.parse import quote

import pytest
from any_sites import html, put
from both_rooms import both
from broken_sitemaps import CORPUS
from commands import run
from quantity import one_in
from sitemap_texts import urlset
from sites import SiteMaker
from small_sitemaps import read_cases

from mkdocs_sitemap_plus import (
    SitemapError,
    UrlEntry,
    check_sitemap,
    read_sitemap,
    write_sitemap,
)
from mkdocs_sitemap_plus.command.checks.one_sitemap import check
from mkdocs_sitemap_plus.command.reader.find import FoundFile
from mkdocs_sitemap_plus.command.reader.read import collect
from mkdocs_sitemap_plus.generator.options.table import read_options

NOW = datetime(2026, 11, 21, tzinfo=UTC)
BASE = "https://web.example/"
CASES = read_cases()

ACCEPTED = ("lastmod: 2026", "lastmod: 2026-11")
"""A year and a month, which search engines accept, and which are no date for readers."""
BEFORE_THE_WEB = ("lastmod: 19", "lastmod: 0001")
"""Dates that can be read, though no page can have them."""
UNCHECKED = {
    "video:expiration_date", "video:family_friendly", "video:live", "video:publication_date",
    "video:rating", "video:requires_subscription", "video:video", "video:view_count",
}  # fmt: skip
"""What `check` does not look at. A video is not read if one of its limits can't be read."""
LOSES = {
    "element-missing", "hreflang-code", "lastmod-format", "loc-fragment", "loc-relative", "value",
}  # fmt: skip
"""The codes of ``check`` about an element that has no value for anybody."""


def asked_of_both(case, folder):
    """What the reader says of a sitemap, and what ``check`` does: the lines, and the codes.

    A finding about all entries stands for what is lost of this element in each of them.
    """
    path = case.write(folder)
    found = check(FoundFile(str(path)), now=NOW).findings
    of_all = {each.reason.split()[0] for each in found.kept if "; all " in each.reason}
    codes = {
        (each.code, each.place.line)
        for each in found.kept
        if "a second time" not in each.reason  # both links are read
    }
    try:
        problems = collect(str(path)).problems
    except SitemapError:
        return "unreadable", codes, found.stopped
    lost = [problem.place for problem in problems]
    codes |= {("of all", place.line) for place in lost if place.key in of_all}
    return lost, codes, found.stopped


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name[:40])
def test_what_is_lost_for_readers_is_found_by_check(case, tmp_path):
    """And what `check` finds in an element, nobody reads; a file is unreadable to both or none."""
    lost, codes, stopped = asked_of_both(case, tmp_path)
    if stopped or lost == "unreadable":
        assert codes, case
        return
    if case.name in ACCEPTED:
        assert not codes
        return
    lines = {line for _, line in codes}
    checked = {place.line for place in lost if place.key not in UNCHECKED}
    assert checked <= lines, "lost without a finding"
    of_values = {line for code, line in codes if code in LOSES}
    if not case.name.startswith(BEFORE_THE_WEB):
        assert not of_values or lost, "found, but read as if it were right"


@pytest.mark.parametrize("tag", ["loc", "lastmod", "changefreq", "priority"])
def test_what_is_written_twice_is_lost_for_readers_and_found_by_check(tag, tmp_path):
    """At the line of the second one."""
    values = {"loc": BASE, "lastmod": "2026-11-01", "changefreq": "daily", "priority": "0.5"}
    written = [f"<{name}>{value}</{name}>" for name, value in values.items()]
    twice = f"<{tag}>{values[tag]}</{tag}>"
    path = tmp_path / "sitemap.xml"
    path.write_bytes(urlset("<url>", *written, twice, "</url>"))
    lines = path.read_text().splitlines()
    line = len(lines) - lines[::-1].index(twice)
    lost = [problem.place.line for problem in collect(str(path)).problems]
    found = [each.place.line for each in check(FoundFile(str(path)), now=NOW).findings.kept]
    assert (lost, found) == ([line], [line])


NAMED = {
    "sitemap.xml": (["sitemap.xml"], []),
    "another name": (["sitemap_index.xml"], []),
    "a name in robots.txt": (["pages.xml"], ["pages.xml"]),
    "two names in robots.txt": (["pages.xml", "posts.xml"], ["posts.xml", "pages.xml"]),
    "one that robots.txt does not name": (["pages.xml", "posts.xml"], ["posts.xml"]),
    "one that is not there": (["pages.xml"], ["posts.xml", "pages.xml"]),
    "none that anybody names": (["pages.xml"], []),
}
"""The sitemaps in a folder, and those that the robots.txt in it names."""


@pytest.mark.parametrize("name", NAMED)
def test_a_folder_has_the_same_sitemaps_for_readers_and_for_check(name, tmp_path):
    """With a usual name, or with the names that its robots.txt says."""
    files, named = NAMED[name]
    for file in files:
        (tmp_path / file).write_bytes(urlset(f"<url><loc>{BASE}{file}/</loc></url>"))
    lines = "".join(f"Sitemap: {BASE}{each}\n" for each in named)
    (tmp_path / "robots.txt").write_text(lines)
    found = check_sitemap(tmp_path)
    checked = [Path(file).name for file in found.files]
    try:
        read = [entry.loc.split("/")[-2] for entry in read_sitemap(tmp_path)]
    except SitemapError:
        assert found.unusable
        read = []
    expected = [each for each in named or files if each in files and name[:4] != "none"]
    assert (read, checked) == (expected, expected)


SITES = sorted(
    path for path in CORPUS.iterdir() if path.is_dir() and (path / "index.html").exists()
)


@one_in(4)
@pytest.mark.parametrize("site", SITES, ids=lambda site: site.name)
def test_a_build_and_check_agree_on_the_pages_of_the_corpus(site, tmp_path):
    """Which files are pages, error pages, redirects, noindex and canonical."""
    sitemap = (site / "sitemap.xml").read_text("utf-8")
    base = min(re.findall(r"<loc>(https?://[^<]*/)", sitemap), key=len)
    by_build, by_check = both(tmp_path, site, base)
    assert by_check == by_build


def canonical(path):
    return f'<link rel="canonical" href="{BASE}{path}">'


def refresh(path):
    return f'<meta http-equiv="refresh" content="0; url={BASE}{path}">'


PAGES = {
    "index.html": html(head=canonical("")),
    "a/index.html": html(),
    "b.html": html(head=canonical("b.html")),
    "c.htm": html(),
    "d.HTML": html(),
    "404.html": html(),
    "de/404.html": html(),
    "de/404/index.html": html(),
    "guide/404/index.html": html(),
    "search.html": html(),
    "part.html": "<p>no page</p>",
    "raw.html": "{% extends 'base.html' %}<html><body></body></html>",
    "raw-canonical.html": "{# x #}<html><head>"
    + canonical("raw-canonical.html")
    + "</head></html>",
    "noindex/index.html": html(head='<meta name="robots" content="noindex">'),
    "in-body.html": html().replace("<main>", '<main><meta name="robots" content="none">'),
    "moved.html": html(head=refresh("a/")),
    "reload.html": html(head=refresh("reload.html")),
    "moved-noindex.html": html(head=refresh("a/") + '<meta name="robots" content="noindex">'),
    "old/a/index.html": html(head=canonical("a/")),
    "older/a/index.html": html(head=canonical("old/a/")),
    "there/index.html": html(head=canonical("back/")),
    "back/index.html": html(head=refresh("there/")),
    "left/index.html": html(head=canonical("right/")),
    "right/index.html": html(head=canonical("left/")),
    "into/index.html": html(head=canonical("left/")),
    "far.html": html(head='<link rel="canonical" href="https://elsewhere.example/">'),
    "gone.html": html(head=canonical("nowhere/")),
    "comment.html": html(head="<!-- " + canonical("a/") + " -->"),
    "attribute.html": html(head=f"<meta content='{canonical('a/')}'>"),
    "template.html": html(head=f"<template>{canonical('a/')}</template>"),
}
LISTED = {
    "a/index.html", "attribute.html", "b.html", "comment.html", "guide/404/index.html",
    "index.html", "left/index.html", "reload.html", "right/index.html", "template.html",
    "there/index.html",
}  # fmt: skip


def test_a_build_and_check_agree_on_every_kind_of_page(tmp_path):
    """With pages that name each other as canonical, and what looks like a tag and is none."""
    put(tmp_path / "site", PAGES)
    by_build, by_check = both(tmp_path, tmp_path / "site", BASE)
    assert by_check == by_build
    assert {path for path, said in by_build.items() if said == "listed"} == LISTED


URLS = [
    unescape(case.name.removeprefix("loc: ")) for case in CASES if case.name.startswith("loc: ")
]
URLS = sorted({url for url in URLS if "\\" not in url and "{" not in url and "<" not in url})
URLS += [
    'https://web.example/"', "https://web.example/<", "https://web.example/{a}",
    "https://web.example/a|b", "https://web.example/`", "https://web.example/\\a",
    "https://me@example.com/", "https://me:secret@example.com/", "https://web.example:/",
    "https://web.example:0/", "https://web.example/?a=1&amp;b=2", "https://web.example/é",
    "https://bücher.example/", "https://web.example/" + "a" * 2028, "ftp://web.example/",
]  # fmt: skip


@pytest.mark.parametrize("url", URLS)
def test_a_url_is_right_for_all_or_for_nobody(url, tmp_path):
    """For who makes an entry, who writes it, and who checks it, written by hand."""
    faults = UrlEntry(loc=url).problems()
    path = tmp_path / "sitemap.xml"
    text = url.replace("&", "&amp;").replace("<", "&lt;")
    path.write_text(
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        f"<url><loc>{text}</loc></url></urlset>",
        "utf-8",
    )
    codes = {each.code for each in check_sitemap(path).findings} - {"loc-local"}
    try:
        write_sitemap([UrlEntry(loc=url)], tmp_path, BASE)
        is_written = True
    except ValueError:
        is_written = False
    assert (bool(faults), not is_written) == (bool(codes), bool(codes))


def test_a_url_that_transform_returns_is_right_or_not_written(tmp_path):
    """It is escaped, or its page is left out; `SiteMaker` checks what is written."""
    site = SiteMaker(tmp_path)
    site.docs({f"p{number}.md": f"# {number}\n" for number in range(len(URLS))} | {"index.md": ""})
    site.write(
        {
            "hook.py": f"from dataclasses import replace\nURLS = {URLS!r}\n"
            "def move(entry, page):\n"
            "    name = page.src_uri.removesuffix('.md')\n"
            "    return replace(entry, loc=URLS[int(name[1:])]) if name[1:].isdigit() else entry\n"
        }
    )
    site.config("transform: hook.py:move")
    built = site.build(found=["page-absent", "not-listed", "not-canonical", "duplicate-loc"])
    assert all(UrlEntry(loc=loc).problems() == [] for loc in built.locs(base=""))


PATTERNS = [
    "a.md", "*.md", "!a.md", "/a.md", "a/", "**/b.md", "a/**", "#a.md", "\\#a.md", "q.md", "a b.md",
    "[ab].md", "a//b", "", " ", "*" * 9, "a" * 1001, "[", "\\", ["a.md", "b.md"], "a.md\nb.md", 7,
    None, {}, [7], True,
]  # fmt: skip
NAMES = ["a.md", "b.md", "a/b.md", "a b.md", "#a.md", "Q.md", "a/b/c.md", "x.pdf"]
PLACES = {
    "exclude": lambda raw: {"exclude": raw},
    "rules": lambda raw: {"rules": [{"match": raw, "exclude": True}]},
    "extra_files": lambda raw: {"extra_files": raw},
}


def matched(option, raw):
    """Which names the pattern of an option matches; None if the option does not take it."""
    read = read_options(PLACES[option](raw), "mkdocs.yml")
    if read.errors:
        return None
    settings = read.settings
    patterns = {
        "exclude": lambda: [rule for rule in settings.rules if rule.overrides.exclude],
        "rules": lambda: [rule for rule in settings.rules if rule.overrides.exclude],
        "extra_files": lambda: settings.extra_files and [settings.extra_files],
    }[option]()
    return {
        name
        for name in NAMES
        for each in patterns or ()
        if (each.match_file if hasattr(each, "match_file") else each.matches)(name)
    }


@pytest.mark.parametrize("raw", PATTERNS, ids=lambda raw: repr(raw)[:20])
def test_a_pattern_means_the_same_wherever_it_is_written(raw, tmp_path, monkeypatch):
    """In each option that takes one, and after ``--exclude``, which takes a text."""
    found = {option: matched(option, raw) for option in PLACES}
    if not found["exclude"] and None in found.values():  # a comment, where a pattern is needed
        assert [each for each in found.values() if each] == []
        return
    assert len({repr(sorted(each) if each is not None else None) for each in found.values()}) == 1
    if not isinstance(raw, str):
        return
    monkeypatch.chdir(tmp_path)
    names = [f"{Path(name).with_suffix('')}.html" for name in NAMES if name.endswith(".md")]
    put(tmp_path / "site", {name: html() for name in names})
    code, out, err = run(
        "build", "site", "--site-url", BASE, "--exclude", raw.replace(".md", ".html")
    )
    excluded = found["exclude"]
    if excluded is None:
        assert code == 1 or "--exclude" in err
        return
    sitemap = Path("site/sitemap.xml")
    listed = set(re.findall(r"<loc>([^<]*)", sitemap.read_text())) if sitemap.exists() else set()
    expected = {name.removesuffix(".md") for name in NAMES if name.endswith(".md")}
    expected -= {name.removesuffix(".md") for name in excluded}
    assert listed == {BASE + quote(name) + ".html" for name in expected}, out
