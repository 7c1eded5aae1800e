"""Every defect of the corpus is found, and nothing in what is right."""

import gzip
import os
import shutil
from datetime import date
from pathlib import Path

import pytest
from broken_sitemaps import CORPUS, NOW, expected, findings, found
from sitemap_texts import HOME, RIGHT, articles, images, url, urlset
from small_sitemaps import read_cases

from mkdocs_sitemap_plus import UrlEntry, write_sitemap
from mkdocs_sitemap_plus.command.checks import protocol_rules as protocol
from mkdocs_sitemap_plus.command.checks.check_sitemap import check_sitemap
from mkdocs_sitemap_plus.command.checks.one_sitemap import check
from mkdocs_sitemap_plus.command.checks.protocol_rules import same_lastmod
from mkdocs_sitemap_plus.command.checks.rules import CODES
from mkdocs_sitemap_plus.command.reader.find import FoundFile

GENERATORS = Path(__file__).with_name("generators")
CASES = sorted(CORPUS.iterdir())


MADE = {
    "utf-16": ("s.xml", RIGHT.decode().encode("utf-16"), ["encoding"]),
    "utf-8 cut short": ("s.xml", urlset(HOME)[:-20] + b"\xc3", ["encoding 2"]),
    "latin-1, later": (
        "s.xml",
        urlset(HOME, *["<!-- - -->"] * 60_000).replace(b"</url", b"\xfc</url"),
        ["encoding 2"],
    ),
    "no xml, later": (
        "s.xml",
        urlset("<!--" + "ü" * 400_000 + "-->", HOME.replace("</loc>", "")),
        ["not-xml 3"],
    ),
    "nothing": ("s.xml", b"", ["not-xml"]),
    "cut short": ("s.xml.gz", gzip.compress(RIGHT)[:-12], ["gzip"]),
    "broken": ("s.xml.gz", b"\x1f\x8b\x08" + b"no gzip" * 9, ["gzip"]),
    "a text file": ("s.txt", b"https://web.example/\r\n\nhttps://web.example/a?b=1&c=2\n", []),
    "a text file with faults": (
        "s.txt",
        b"\xef\xbb\xbfhttps://web.example/\n#more\n\nhttps://web.example/\n",
        ["duplicate-loc 4", "loc-fragment 2", "loc-relative 2"],
    ),
    "a text file in Latin-1": ("s.txt", b"https://web.example/\nhttps://a.b/\xfc", ["encoding 2"]),
    "packed": ("s.xml.gz", gzip.compress(RIGHT), []),
    "not packed": ("s.xml.gz", RIGHT, ["gzip"]),
    "too large": ("s.xml", RIGHT + b" " * (52_428_801 - len(RIGHT)), ["too-large"]),
    "deep": ("s.xml", urlset("<a>" * 99 + "</a>" * 99), ["element-unknown 1", "empty"]),
    "1,000 images": ("s.xml", images(1000), []),
    "1,001 images": ("s.xml", images(1001), ["too-large 2"]),
    "1,000 articles": ("s.xml", articles(1000), []),
}
"""What can't be stored as a text, or is large: the file's name, its bytes, and the findings."""


@pytest.mark.parametrize("is_site", [False, True], ids=["files", "sites"])
def test_each_case_has_the_findings_that_stand_in_it(is_site):
    """All of them at their places, and no other."""
    cases = [case for case in CASES if case.is_dir() is is_site]
    assert {case.name: found(case) for case in cases} == {
        case.name: expected(case) for case in cases
    }


def test_each_made_case_has_its_findings(tmp_path):
    """The same for files that are large, packed, or not in UTF-8."""
    reported = {}
    for name, (file, data, _) in MADE.items():
        (tmp_path / file).write_bytes(data)
        reported[name] = found(tmp_path / file)
        (tmp_path / file).unlink()
    assert reported == {name: wanted for name, (_, _, wanted) in MADE.items()}


@pytest.mark.parametrize(("count", "codes"), [(3, []), (4, ["too-large"])])
def test_a_file_has_as_many_urls_as_the_limit_allows(tmp_path, monkeypatch, count, codes):
    """Here three, to be quick."""
    assert protocol.MAX_URLS == 50_000
    monkeypatch.setattr(protocol, "MAX_URLS", 3)
    (tmp_path / "s.xml").write_bytes(urlset(*map(url, range(count))))
    assert found(tmp_path / "s.xml") == codes


def test_the_files_of_one_name_hold_the_same(tmp_path):
    """From whichever side one looks, and a broken one is recognised."""
    (tmp_path / "s.xml").write_bytes(RIGHT)
    (tmp_path / "s.xml.gz").write_bytes(gzip.compress(RIGHT))
    assert found(tmp_path / "s.xml") == []
    (tmp_path / "s.xml.gz").write_bytes(gzip.compress(RIGHT + b"\n"))
    assert found(tmp_path / "s.xml") == ["gzip s.xml.gz"]
    assert found(tmp_path / "s.xml.gz") == ["gzip"]
    (tmp_path / "s.xml.gz").write_bytes(gzip.compress(RIGHT)[:-5])
    assert found(tmp_path / "s.xml") == ["gzip s.xml.gz"]
    (tmp_path / "s.xml.gz").write_bytes(gzip.compress(RIGHT))
    (tmp_path / "s.xml").write_bytes(b"\x1f\x8bjunk")
    (finding,) = findings(tmp_path / "s.xml.gz")
    assert (finding.code, finding.place.file) == ("gzip", (tmp_path / "s.xml").as_posix())
    assert finding.fix == "Unpack s.xml.gz again."


@pytest.mark.parametrize(
    ("hosts", "reason"),
    [
        ("aab", "is not on https://a.example, unlike most entries"),
        ("ab", "is not on https://a.example, but all entries must be on one host"),
        ("aabc", "is not on https://a.example, but all entries must be on one host"),
    ],
)
def test_most_entries_are_more_than_half(tmp_path, hosts, reason):
    """If no host has so many, it is not known which one is right."""
    locs = [f"<url><loc>https://{host}.example/{n}/</loc></url>" for n, host in enumerate(hosts)]
    (tmp_path / "s.xml").write_bytes(urlset(*locs))
    outside = [each for each in findings(tmp_path / "s.xml") if each.code == "loc-outside"]
    assert {each.reason for each in outside} == {reason}
    assert len(outside) == sum(host != "a" for host in hosts)


def test_every_code_has_a_case():
    """At least one, and no case names a code that is not in the table."""
    texts = [text for case in CASES for text in expected(case)]
    texts += [text for _, _, wanted in MADE.values() for text in wanted]
    texts += [code for case in read_cases() for code in case.codes]
    texts += ["same-lastmod", "page-status", "required-absent", "too-few-dates"]
    texts += ["gone", "replaced", "lastmod-git"]  # `test_planted.py`, `test_check_git.py`
    texts += ["closed"]  # `test_check_live.py`
    texts += ["canonicals-differ"]  # `test_canonicals.py`
    assert {text.split()[0] for text in texts} == set(CODES)


def test_nothing_is_found_in_what_others_write_correctly():
    """Sitemaps of other generators; `README.md` beside them says how they were made."""
    generators = sorted(GENERATORS.glob("*/"))
    assert [path.name for path in generators if findings(path, NOW)] == []
    assert len(generators) > 3


DATED = {
    "one day": (["2026-11-18"] * 10, True),
    "the seconds of a build": ([f"2026-11-18T10:00:0{n}Z" for n in range(10)], True),
    "a day and moments of it": (["2026-11-18", *["2026-11-18T10:00:01Z"] * 9], True),
    "one day in two zones": (["2026-11-18", *["2026-11-19T01:00:00+02:00"] * 9], True),
    "two days": ([*["2026-11-19"] * 19, "2026-11-18"], False),
    "nine pages": (["2026-11-18"] * 9, False),
}
"""Dates of pages, and whether a build may have written all of them."""


def test_dates_on_one_day_are_found(tmp_path):
    """However old the file is: a checkout, a download and an artifact all change its date."""
    reported = {}
    for name, (dates, _) in DATED.items():
        pages = enumerate([*dates, None])
        (tmp_path / "s.xml").write_bytes(urlset(*(url(number, date) for number, date in pages)))
        os.utime(tmp_path / "s.xml", (0, 0))
        checked = check(FoundFile((tmp_path / "s.xml").as_posix()), now=NOW)
        reported[name] = any(same_lastmod.find(checked.listed, checked.own, None))
    assert reported == {name: invalid for name, (_, invalid) in DATED.items()}


def test_one_day_in_a_sitemap_of_our_own_is_no_build_date(tmp_path):
    """It is that of a commit which changed all pages."""
    locs = (f"https://web.example/{number}/" for number in range(10))
    entries = [UrlEntry(loc=loc, lastmod=date(2026, 11, 18)) for loc in locs]
    write_sitemap(entries, tmp_path, "https://web.example/")
    assert check_sitemap(tmp_path).findings == []


def test_what_sphinx_makes_beside_the_pages_is_not_missed(tmp_path):
    """Its index and search are no pages, unless another builder makes them."""
    for name in ("index.html", "genindex.html", "_modules/a.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("<!doctype html><title>A</title><p>A")
    (tmp_path / "sitemap.xml").write_bytes(urlset(HOME))
    lost = ["not-listed _modules/a.html", "not-listed genindex.html"]
    assert found(tmp_path) == lost
    (tmp_path / "searchindex.js").touch()
    assert found(tmp_path) == []


def test_mkdocs_own_dates_are_found(site):
    """MkDocs dates each page with the day of the build, which is no fact on any page."""
    pages = {f"p{number}.md": "# P\n" for number in range(9)}
    site.docs({"index.md": "# Home\n", **pages})
    site.write({"mkdocs.yml": "site_name: Sample\nsite_url: https://web.example/\n"})
    site.build()
    result = check_sitemap(site.folder / "site")
    assert [finding.code for finding in result.findings] == ["same-lastmod"]
    shutil.rmtree(site.folder / "site")
