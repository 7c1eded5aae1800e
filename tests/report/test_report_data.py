"""The option ``report``: a JSON file on every page."""

import json
import re
import shutil
from decimal import Decimal

import pytest
from docs_pages import DOCS, blocks
from lighthouse import SAMPLE
from lighthouse import lighthouse as make_lighthouse
from sites import SiteMaker

from mkdocs_sitemap_plus.command.views.report_reader import from_json
from mkdocs_sitemap_plus.generator.json_report import to_json
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap.entries import Alternate, Changefreq, UrlEntry, Video
from mkdocs_sitemap_plus.sitemap.write import json_value

pytestmark = pytest.mark.skipif(not SAMPLE.is_dir(), reason="only a whole checkout has the sample")

WARNING = "mkdocs.yml: report is {!r}, which {}. No report is written."


def with_report(site, path="out/report.json"):
    """Ask for a report in the sample site's own options."""
    config = site.folder / "mkdocs.yml"
    text = config.read_text("utf-8")
    config.write_text(
        text.replace("sitemap-plus:", f"sitemap-plus:\n      report: {path}"), "utf-8"
    )
    return site


@pytest.fixture(scope="module")
def lighthouse(tmp_path_factory):
    """The sample site, built with a report."""
    site = with_report(make_lighthouse(tmp_path_factory.mktemp("lighthouse")))
    site.build("--strict")
    return site.folder


def read(folder):
    return json.loads((folder / "out/report.json").read_bytes())


def page(folder, source):
    (found,) = [each for each in read(folder)["pages"] if each["source"] == source]
    return found


def test_it_counts_what_the_log_counts(lighthouse):
    """URLs, dates by their source, and pages that are left out by why."""
    report = read(lighthouse)
    assert (report["format"], report["version"]) == ("mkdocs-sitemap-plus report", 2)
    assert report["site"] == {
        "url": "https://lighthouse.example/docs/",
        "project_file": "mkdocs.yml",
        "docs_dir": "docs",
    }
    assert report["files"] == ["sitemap.xml", "sitemap.xml.gz"]
    assert report["problems"] == []
    assert report["counts"] == {
        "urls": 12,
        "dated": 10,
        "undated": 2,
        "left_out": 3,
        "by_source": {"front matter": 1, "git": 9},
        "by_reason": {"excluded": 2, "noindex": 1},
    }
    assert len(report["pages"]) == 15


def test_the_page_in_the_docs_is_real(lighthouse):
    """Each key and each value of the example, the id of the commit among them."""
    (example,) = blocks((DOCS / "reference/json.md").read_text("utf-8"), "json")
    assert json.loads(example) == page(lighthouse, "index.md")


def test_a_page_that_is_left_out_has_its_reason(lighthouse):
    """With the reason, what was found, and where."""
    found = page(lighthouse, "all-on-one-page.md")
    assert found["left_out"] == {
        "reason": "noindex",
        "detail": "robots: noindex",
        "place": {"origin": "built page", "file": "all-on-one-page/index.html"},
    }
    assert "entry" not in found


def test_equal_builds_write_equal_bytes(lighthouse, tmp_path):
    """In another folder, to another site folder; it has a line for each page."""
    first = without_time(lighthouse)
    copy = shutil.copytree(lighthouse, tmp_path / "elsewhere")
    (copy / "out/report.json").unlink()
    SiteMaker(copy).build("--strict", "-d", str(tmp_path / "built"))
    assert without_time(copy) == first
    assert str(tmp_path).encode() not in first
    assert str(lighthouse).encode() not in first
    pages = first.partition(b'"others": ')[0]
    assert sum(line.startswith(b'    {"loc": ') for line in pages.splitlines()) == 15


def without_time(folder):
    """The bytes of a report, but for the time of its build."""
    found = (folder / "out/report.json").read_bytes()
    assert re.search(rb'\n  "time": "[0-9T:-]{19}\+00:00",\n', found)
    return re.sub(rb'\n  "time": ".*",', b"", found)


def test_a_place_that_cannot_be_written_is_a_warning(site):
    """The site and its sitemap are there all the same."""
    site.docs({"index.md": "# Home\n"})
    site.write({"file": "no folder"})
    site.config("report: file/report.json")
    built = site.build()
    assert built.warnings == [WARNING.format("file/report.json", "can't be written (File exists)")]
    assert built.locs() == [""]


def test_a_report_in_the_built_site_is_a_warning(site):
    """There it would be published, and could replace what another plugin wrote."""
    site.docs({"index.md": "# Home\n"})
    name = "site/search/../search/search_index.json"
    site.config(f"report: {name}", more="  - search\n")
    built = site.build()
    fault = "is in the built site, where it would be published"
    assert built.warnings == [WARNING.format(name, fault)]
    assert '"docs"' in built.path("search/search_index.json").read_text("utf-8")


def test_problems_are_reported_as_in_the_log(site):
    """Warnings and notes, with their places."""
    site.docs({"index.md": "---\nchangefreq: wekly\n---\n# Home\n"})
    site.config("report: out/report.json\nlastmod: {sources: []}\nrules: [{match: x}]")
    built = site.build()
    found = read(site.folder)["problems"]
    assert [each["text"] for each in found] == [*built.warnings, *built.notes]
    assert [(each["code"], each["level"], each["place"]) for each in found] == [
        (
            "changefreq",
            "warning",
            {"origin": "front matter", "file": "docs/index.md", "key": "changefreq", "line": 2},
        ),
        (
            "pattern",
            "note",
            {"origin": "rule", "file": "mkdocs.yml", "key": "rules[0].match", "line": 7},
        ),
    ]


def test_a_url_that_contains_the_folder_of_the_project_stays_as_it_is(site):
    """For example with a project in ``/docs``, the folder of Material's image for Docker."""
    url = f"https://web.example{site.folder.as_posix()}/"
    site.docs({"index.md": "# Home\n"})
    site.config("report: out/report.json\nlastmod: {sources: []}\nrobots_txt: true", site_url=url)
    [warning] = site.build().warnings
    assert url in warning
    assert [each["text"] for each in read(site.folder)["problems"]] == [warning]


def test_what_a_hook_does_to_urls_is_reported(site):
    """A URL outside of the site is a warning about the page, and a second page of a URL a note.

    A page that is `404.html` is left out without either.
    """
    hook = (
        "def on_pre_page(page, config, files):\n"
        "    urls = {'a': 'https://other.example/' + 'a' * 200, 'b': 'https://web.example/c.html'}\n"
        "    page.canonical_url = urls.get(page.file.name, page.canonical_url)\n"
        "    return page\n"
    )
    site.write({"hook.py": hook, "theme/main.html": "{{ page.content }}"})
    site.docs({f"{name}.md": f"# {name}\n" for name in ("a", "b", "c", "404")})
    site.config(
        "report: out/report.json\nlastmod: {sources: []}",
        theme="theme: {name: null, custom_dir: theme}\n",
        more="hooks: [hook.py]\n",
    )
    site.build("--no-directory-urls")
    outside, twice = read(site.folder)["problems"]
    assert (outside["code"], outside["place"]) == (
        "loc",
        {"origin": "plugin", "file": "docs/a.md"},
    )
    shown = f"https://other.example/{'a' * 75}..."
    assert outside["text"].startswith(f"docs/a.md: its URL {shown} is not under")
    left_out = page(site.folder, "c.md")["left_out"]
    assert left_out["place"] == {"origin": "built page", "file": "c.html"}
    assert twice["text"].startswith("docs/c.md: this page has the same URL as docs/b.md.")
    assert (twice["code"], twice["place"]) == (
        "same-url",
        {"origin": "plugin", "file": "docs/c.md"},
    )
    assert page(site.folder, "404.md")["left_out"] == {
        "reason": "error page",
        "detail": "404.html",
        "place": {"origin": "built page", "file": "404.html"},
    }


def test_values_that_are_not_written_are_reported_with_their_page(site):
    """Of front matter and of the owner's function, each with its field and the warning."""
    text = "---\nsitemap: {images: [a.png, 'https://x y/'], exclude: 7}\n---\n# Home\n"
    function = "def change(entry, page):\n    import dataclasses\n"
    function += (
        "    return dataclasses.replace(entry, priority=page.src_uri == 'a.md' and 2 or None)\n"
    )
    site.docs({"index.md": text, "a.md": "# A\n", "a.png": b"x"})
    site.write({"change.py": function})
    site.config("report: out/report.json\ntransform: change.py:change\nlastmod: {sources: []}")
    warnings = site.build().warnings
    home, of_function = page(site.folder, "index.md"), page(site.folder, "a.md")
    assert [each.pop("text") for each in home["rejected"]] == warnings[:2]
    place = {"file": "docs/index.md", "line": 2}
    assert home["rejected"] == [
        {"field": "exclude", "key": "sitemap.exclude"} | place,
        {"field": "images", "key": "sitemap.images[1]"} | place,
    ]
    assert home["because"]["listed"] == {"origin": "built page", "file": "index.html"}
    (rejected,) = of_function["rejected"]
    assert rejected == {
        "field": "priority",
        "key": "transform: docs/a.md: priority",
        "file": "mkdocs.yml",
        "text": warnings[2],
    }


def test_fields_that_an_entry_lacks_are_not_there():
    """Values are written as in the sitemap; a false one is there, too."""
    video = Video(
        thumbnail_loc="https://x.example/t.png",
        title="T",
        description="D",
        content_loc="https://x.example/v.mp4",
        duration=60,
        rating=Decimal("4.50"),
        live=False,
    )
    entry = UrlEntry(
        loc="https://x.example/",
        changefreq=Changefreq.DAILY,
        priority=Decimal("0.50"),
        alternates=(Alternate(hreflang="de", href="https://x.example/de/"),),
        images=("https://x.example/a.png",),
        videos=(video,),
    )
    assert json_value(entry) == {
        "loc": "https://x.example/",
        "changefreq": "daily",
        "priority": "0.5",
        "alternates": [{"hreflang": "de", "href": "https://x.example/de/"}],
        "images": ["https://x.example/a.png"],
        "videos": [
            {
                "thumbnail_loc": "https://x.example/t.png",
                "title": "T",
                "description": "D",
                "content_loc": "https://x.example/v.mp4",
                "duration": 60,
                "rating": "4.5",
                "live": False,
            }
        ],
    }


def a_report(**changes):
    """The least that a report has."""
    return {
        "format": "mkdocs-sitemap-plus report",
        "version": 2,
        "site": {"project_file": "mkdocs.yml", "docs_dir": "docs"},
        "files": [],
        "counts": {},
        "problems": [],
        "pages": [],
        "others": [],
    } | changes


@pytest.mark.parametrize(
    "report",
    [
        a_report(),
        a_report(pages=[{"source": "a.md"}], later="what a later version adds"),
        a_report(pages=[{"source": "not-utf-8-\udcff.md", "title": "</script>\u2028"}]),
    ],
    ids=["empty", "later", "odd"],
)
def test_what_is_written_reads_back(report):
    """Whatever is in a name."""
    assert from_json(to_json(report), "r.json") == report


def documented(heading):
    """The keys in the table of the docs under a heading."""
    page = (DOCS / "reference/json.md").read_text("utf-8")
    section = page.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return set(re.findall(r"^\| `(\w+)`", section, re.MULTILINE))


def test_what_is_written_is_what_the_docs_describe(site):
    """Of every kind of value that there is: each key of a report, of a page, and of a place."""
    link = "alternates: {de: /de/}"
    video = "videos: [{thumbnail: t.png, title: T, description: D, content: v.mp4}]"
    front = f"sitemap: {{priority: 0.5, images: [a.png], {link}, {video}}}"
    site.docs({"index.md": f"---\n{front}\n---\n# Home\n", "a.md": "# A\n", "out.md": "# Out\n"})
    site.docs({"b.md": "---\npriority: 7\nlastmod: 2024-01-01\n---\n# B\n"})
    git = "lastmod: {git: {ignore_subjects: [Reformat]}}"
    site.config(f"report: out/report.json\nexclude: /out.md\n{git}")
    site.commit("Begin", "2024-01-01T10:00:00+0000")
    site.docs({"a.md": "# A\n\nText\n"})
    site.commit("Reformat", "2024-01-02T10:00:00+0000")
    site.commit_on("2024-01-03", {"docs/later.md": "# Later\n"})
    site.docs({"untracked.md": "# Untracked\n"})
    site.build()
    report = from_json((site.folder / "out/report.json").read_bytes(), "report.json")
    assert report.keys() == documented("The report") - {"no_sitemap"}
    pages = [*report["pages"], *report["others"]]
    assert {key for page in pages for key in page} == documented("A page") - {"file", "fallback"}
    places = [place for page in pages for place in page.get("because", {}).values()]
    places += [page["left_out"]["place"] for page in pages if "left_out" in page]
    places += [each["place"] for each in report["problems"] if "place" in each]
    described = documented("Where a value comes from") - {"note"}  # on merges
    assert {key for place in places for key in place} == described


DAMAGED = {
    "": "is not a report of this plugin",
    "[]": "is not a report of this plugin",
    '{"format": "x"}': "is not a report of this plugin",
    "[" * 100_000: "is not a report of this plugin",
    json.dumps(a_report(version=1)): "is a report of version 1, but must be of version 2",
    '{"format": "mkdocs-sitemap-plus report", "version": 2, "files": [], "pages": []}': (
        "is a damaged report without counts, others, problems and site"
    ),
}


@pytest.mark.parametrize("text", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_report_is_one_line(text):
    """It names what is wrong."""
    with pytest.raises(SitemapError) as error:
        from_json(text.encode(), "r.json")
    assert str(error.value) == f"r.json: {DAMAGED[text]}."
