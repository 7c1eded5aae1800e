"""What is listed beside the pages: URLs that the owner names, and files of the built site."""

import gzip
import os
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from decided import NOINDEX, URL, decided, page, settings, site_of
from limits import limits
from sitemap_xml import read_entries, validate
from sites import INSTANT, SiteMaker

from mkdocs_sitemap_plus.generator.options.fields import EXTRA_URL_FIELDS
from mkdocs_sitemap_plus.generator.options.table import read_options


def extra(*urls, pages=(), reported=(), lastmod=None, **more):
    """The entries of a site with extra URLs."""
    own = settings(extra_urls=list(urls), **({"lastmod": lastmod} if lastmod else {}))
    entries, problems = decided(site_of(*pages, **more), own)
    assert problems == [f"mkdocs.yml: extra_urls{each}" for each in reported]
    return entries


def test_the_date_of_an_extra_url_is_that_of_the_option_whatever_the_sources():
    """In the zone and the format of the others; one that has not come is not believed."""
    own = {"sources": [], "timezone": "Europe/Berlin", "format": "date"}
    said = [
        {"loc": "a", "lastmod": "2026-11-01T23:30:00Z"},
        {"loc": "b", "lastmod": "2026-11-01T23:30:00"},
        {"loc": "c", "lastmod": "2026-11-22"},
        {"loc": "d", "lastmod": False},
    ]
    reported = ["[2].lastmod is 2026-11-22, which is in the future. No lastmod is written."]
    entries = extra(*said, lastmod=own, reported=reported)
    assert [entry.lastmod for entry in entries.values()] == [
        date(2026, 11, 1),
        date(2026, 11, 1),
        None,
        None,
    ]


def test_the_page_of_a_url_wins():
    """Also where it is left out: what must not be indexed does not come back so."""
    pages = [page("a"), page("b", built=NOINDEX)]
    urls = [{"loc": "a/"}, {"loc": f"{URL}b/"}, {"loc": "c/"}, {"loc": "/c/#top"}]
    entries = extra(
        *urls,
        pages=pages,
        reported=[
            "[0].loc is 'a/', which is the URL of docs/a.md. It is not listed twice.",
            (
                "[1].loc is 'https://web.example/b/', which is the URL of docs/b.md. "
                "It is not listed twice."
            ),
            "[3].loc is '/c/#top', which is the URL of extra_urls[2]. It is not listed twice.",
        ],
    )
    assert list(entries) == ["a/", "c/"]


def test_the_url_of_a_page_may_be_spoilt_by_a_hook():
    """It is left out, and the extra URL is not."""
    own = page("a")._replace(loc="http://[::1")
    entries, problems = decided(site_of(own), settings(extra_urls=[{"loc": "app/"}]))
    reported = ["docs/a.md: its URL http://[::1 has a host that can't exist. The page is left out."]
    assert (list(entries), problems) == (["app/"], reported)


KEYS = ("loc", *EXTRA_URL_FIELDS)


@pytest.mark.parametrize(
    ("raw", "errors"),
    [
        (["a"], [f"[0] is 'a', but must be a mapping of {', '.join(KEYS)}."]),
        ([{"loc": 3}], ["[0].loc is 3, but must be a URL, or a path below site_url."]),
        (
            [{"loc": "a", "priority": 2}],
            ["[0].priority is 2, but must be a number from 0.0 to 1.0."],
        ),
        (
            [{"loc": "a", "images": True}],
            ["[0].images is true, but must be a list of paths or URLs."],
        ),
    ],
)
def test_a_wrong_mapping_is_a_configuration_error(raw, errors):
    """Each wrong field is named."""
    reported = [str(error) for error in read_options({"extra_urls": raw}).errors]
    start = "mkdocs.yml: extra_urls"
    assert reported == [start + ("" if each[0] == "[" else " ") + each for each in errors]


@pytest.fixture
def files(tmp_path):
    """A built site with files of all kinds."""
    html = '<head><link rel="canonical" href="{}">{}</head>'
    for name, text in {
        "a/index.html": "",
        "b.pdf": "",
        "docs/a b.pdf": "",
        "docs/ü.PDF": "",
        "404.html": "",
        "robots.txt": "",
        "sitemap.xml": "",
        "sitemap.xml.gz": "",
        "sitemap-1.xml": "",
        "sitemap-index.xml.gz": "",
        "sitemap.css": "",
        "data/sitemap.xml": "",
        "demo/index.html": html.format(f"{URL}demo/", ""),
        "old/index.html": html.format(f"{URL}a/", ""),
        "stub.html": '<meta http-equiv="refresh" content="0; url=a/">',
        "hidden.html": '<meta name="robots" content="noindex">',
    }.items():
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def found(files, *patterns, **options):
    own = settings(extra_files=list(patterns), **options)
    entries, problems = decided(site_of(page("a"), root=files), own)
    assert problems == []
    return list(entries)


@pytest.mark.parametrize(
    ("patterns", "listed"),
    [
        (["**/*.pdf"], ["b.pdf", "docs/a%20b.pdf"]),
        (["*.pdf", "*.PDF"], ["b.pdf", "docs/%C3%BC.PDF", "docs/a%20b.pdf"]),
        (["*.pdf", "!/docs/*.pdf"], ["b.pdf"]),
        (["*.xml", "*.gz", "*.css", "*.txt"], ["data/sitemap.xml"]),
        (["*.html"], ["demo/"]),
    ],
)
def test_files_that_match_are_listed_like_pages(files, patterns, listed):
    """Once, under their escaped URL; no sitemap, no page a second time, nothing unfit to index."""
    assert [loc for loc in found(files, *patterns) if loc != "a/"] == listed


def test_a_pattern_that_matches_no_file_is_a_note(files):
    """It may be misspelt; the files of the other patterns are listed."""
    own = settings(extra_files=["none", "/*.pdf"])
    entries, problems = decided(site_of(page("a"), root=files), own)
    assert list(entries) == ["a/", "b.pdf"]
    assert problems == [
        "mkdocs.yml: extra_files has 'none', which matches no file of the built site."
    ]


def test_exclude_and_rules_are_about_them_as_well(files):
    """By the path in the site, which is that of their source."""
    assert found(files, "*.pdf", exclude="/docs/") == ["a/", "b.pdf"]
    own = settings(extra_files="*.pdf", rules=[{"match": "*.pdf", "priority": 0.1}])
    entries, _ = decided(site_of(page("a"), root=files), own)
    assert entries["b.pdf"].priority == Decimal("0.1")


@pytest.mark.unix
def test_no_link_leads_out_of_the_site(files):
    """Neither to a file nor to a folder; one inside does."""
    outside = files / "secret"
    outside.mkdir()
    (outside / "s.pdf").touch()
    (files / "site" / "s.pdf").symlink_to(outside / "s.pdf")
    (files / "site" / "secret").symlink_to(outside)
    (files / "site" / "c.pdf").symlink_to(files / "site" / "b.pdf")
    (files / "site" / "gone.pdf").symlink_to(files / "nowhere")
    assert found(files, "*.pdf") == ["a/", "b.pdf", "c.pdf", "docs/a%20b.pdf"]


@pytest.mark.unix
def test_a_name_that_is_not_utf_8_has_the_url_of_web_servers(files):
    """MkDocs itself can't name such a file in the docs folder, but a hook can write one."""
    (files / "site" / os.fsdecode(b"\xff.pdf")).touch()
    assert found(files, "/*.pdf") == ["%FF.pdf", "a/", "b.pdf"]


APART = "extra_files: ['*.pdf']\nextra_urls: [{loc: app/, lastmod: 2024-01-01}]\n"
MANY = "extra_files: ['*.pdf']\nextra_urls: [{loc: x/}, {loc: y/}]\n"


def with_pdf(site: SiteMaker, options):
    """A built site with a page, a PDF and what the options name."""
    site.docs({"index.md": "# Home\n", "a/b.md": "# B\n", "a.pdf": "A"})
    site.config(f"lastmod: {{sources: [front_matter]}}\n{options}", theme=INSTANT)
    built = site.build("--strict")
    for path in built.path("").glob("*.xml"):
        assert gzip.decompress(Path(f"{path}.gz").read_bytes()) == path.read_bytes()
    return built


def lists(built):
    """What each file lists, by its name; all are valid."""
    files = {path.name: path.read_bytes() for path in built.path("").glob("*.xml")}
    for data in files.values():
        validate(data)
    return {
        name: [entry["loc"].removeprefix(URL) for entry in read_entries(data)]
        for name, data in files.items()
    }


def test_where_no_script_takes_them_for_pages_they_stand_with_them(site):
    """In one file, and without a problem."""
    built = with_pdf(site, APART + "filename: map.xml")
    (name,) = lists(built)
    assert built.locs(name) == ["", "a.pdf", "a/b/", "app/"]
    assert built.notes == []


def test_above_a_limit_the_file_has_parts_as_well(site):
    """The sitemap of the pages is within it, and stays flat."""
    with limits(max_urls=2):
        built = with_pdf(site, MANY)
    assert lists(built) == {
        "sitemap.xml": ["", "a/b/"],
        "sitemap-extra-1.xml": ["a.pdf", "x/"],
        "sitemap-extra-2.xml": ["y/"],
        "sitemap-index.xml": ["sitemap.xml", "sitemap-extra-1.xml", "sitemap-extra-2.xml"],
    }


def test_where_no_page_is_listed_the_sitemap_is_the_index_of_the_rest(site):
    """No sitemap may be empty, and the script takes nothing from an index."""
    built = with_pdf(site, "exclude: '*.md'\nextra_files: '*.pdf'")
    assert lists(built) == {
        "sitemap.xml": ["sitemap-extra.xml"],
        "sitemap-extra.xml": ["a.pdf"],
    }
