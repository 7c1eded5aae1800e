"""Whose a file is: what this package wrote carries a mark, and nothing else tells."""

import gzip
import json

import pytest
from sites import run_command

from mkdocs_sitemap_plus.files import Mark, carries, is_ours

DECLARED = '<?xml version="1.0" encoding="UTF-8"?>'
COMMENT = "<!-- Made by mkdocs-sitemap-plus -->"
ENTRIES = """<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url>
    <loc>https://web.example/</loc>
  </url>
</urlset>
"""
SITEMAP = f"{DECLARED}\n{ENTRIES}{COMMENT}\n"
OF_0_11 = f"{DECLARED}\n{COMMENT}\n{ENTRIES}"


@pytest.fixture
def built(site):
    """A site that wrote all that we write, by the plugin and by each command that writes a file."""
    site.docs({"index.md": "# Home\n", "a.pdf": "text"})
    site.config("report: report.json\nextra_files: ['*.pdf']\nextra_sitemaps: [b/sitemap.xml]")
    site.commit()
    built = site.build()
    for call in (
        ("dates",),
        ("report", "site", "-o", "report.html"),
        ("index", "site", "-o", "i.xml"),
    ):
        run_command(*call, cwd=site.folder)
    return built


def test_every_file_that_we_write_carries_the_mark_of_its_kind_alone(built, site):
    """The sitemap, the index beside it, their archives, dates, and both reports."""
    names = {
        Mark.SITEMAP: (
            "site/sitemap.xml",
            "site/sitemap.xml.gz",
            "site/sitemap-index.xml",
            "i.xml",
        ),
        Mark.DATES: ("sitemap-dates.json",),
        Mark.REPORT: ("report.json",),
        Mark.HTML_REPORT: ("report.html",),
    }
    for mark, files in names.items():
        for name in files:
            assert [each for each in Mark if is_ours(site.folder / name, each)] == [mark], name
    others = {
        path for path in site.folder.rglob("*") if path.is_file() and ".git" not in path.parts
    }
    others -= {site.folder / name for files in names.values() for name in files}
    others -= {*site.folder.glob("site/sitemap*.xml*"), site.folder / "i.xml.gz"}
    assert others
    assert [path for path in others for mark in Mark if is_ours(path, mark)] == []


@pytest.mark.parametrize(
    "text",
    [
        SITEMAP.encode(),
        SITEMAP.replace("\n", "\r\n").encode(),
        f"\ufeff{SITEMAP}".encode(),
        SITEMAP.replace("\n", "").replace("  ", "").encode(),
        SITEMAP.replace("UTF-8", "utf-8").encode(),
        gzip.compress(SITEMAP.encode(), 1),
        gzip.compress(OF_0_11.encode()),
        OF_0_11.encode(),
        f"{DECLARED}\n<sitemapindex/>{COMMENT}".encode(),
        f"{ENTRIES}{COMMENT}".encode(),
        SITEMAP.replace("<url>", "<url>" + 99_999 * " ").encode(),
    ],
    ids=[
        *("as written", "CRLF", "byte order mark", "minified", "declared anew", "packed"),
        *("packed by 0.11", "by 0.11", "index", "without declaration", "large"),
    ],
)
def test_a_sitemap_stays_ours_whatever_its_layout(text, tmp_path):
    """An editor, a checkout on Windows or a minifier may change it."""
    (tmp_path / "file").write_bytes(text)
    assert carries(text, Mark.SITEMAP)
    assert is_ours(tmp_path / "file", Mark.SITEMAP)


@pytest.mark.parametrize(
    "text",
    [
        f"{DECLARED}\n{ENTRIES}",
        f'{DECLARED}\n<?xml-stylesheet type="text/css" href="sitemap.css"?>\n{ENTRIES}',
        SITEMAP.replace("<url>", f"{COMMENT}<url>").removesuffix(f"{COMMENT}\n"),
        f"{SITEMAP}<!-- and more -->",
        f"{DECLARED}\n<!-- Not made by mkdocs-sitemap-plus -->\n{ENTRIES}",
        f"{COMMENT}\n{ENTRIES}",
        "",
    ],
    ids=[
        "our layout",
        "our style sheet",
        "between",
        "not last",
        "another comment",
        "undeclared",
        "empty",
    ],
)
def test_a_sitemap_without_the_mark_in_its_place_is_not_ours(text):
    """However much it looks like one: Quarto's has the layout of ours."""
    assert not carries(text.encode(), Mark.SITEMAP)
    assert not carries(gzip.compress(text.encode(), mtime=0), Mark.SITEMAP)


def test_json_is_ours_by_its_first_key():
    """However it is indented; the same text elsewhere is somebody else's."""
    said = {"format": "mkdocs-sitemap-plus report", "version": 2}
    for indent in (None, 2, "\t"):
        assert carries(json.dumps(said, indent=indent).encode(), Mark.REPORT)
    for other in ({"name": "a"} | said, {"a": said}, [said], {"format": "mkdocs-sitemap-plus"}):
        assert not carries(json.dumps(other).encode(), Mark.REPORT)


def test_what_can_not_be_read_is_not_ours(tmp_path):
    """A folder, a file that is not there, and an archive that is cut off or none."""
    assert not is_ours(tmp_path, Mark.SITEMAP)
    assert not is_ours(tmp_path / "none.xml", Mark.SITEMAP)
    for data in (gzip.compress(SITEMAP.encode())[:15], b"\x1f\x8bno archive"):
        assert not carries(data, Mark.SITEMAP)
