"""``mkdocs-sitemap-plus report``: one HTML file."""

import base64
import hashlib
import json
import re
from datetime import date, timedelta
from html.parser import HTMLParser
from importlib.metadata import version
from itertools import pairwise

import pytest
from lxml import html
from reports import a_page, a_report
from sites import run_command

from mkdocs_sitemap_plus.command.checks.rules import Finding, Rule, Subject
from mkdocs_sitemap_plus.command.views.html_report import ShownCommit, to_html
from mkdocs_sitemap_plus.problems import Level
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place


def drawn(report):
    """The file."""
    return to_html(report)


def tree(report):
    """The file, read."""
    return html.document_fromstring(drawn(report).decode())


def texts(found):
    return [" ".join(each.text_content().split()) for each in found]


OUT = {"reason": "noindex", "detail": "robots: noindex", "place": {"origin": "built page"}}
EVIL = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(2)>&\u202e\x00\udcff"
SHOWN = EVIL[:-3] + 3 * "\N{REPLACEMENT CHARACTER}"


class Tags(HTMLParser):
    """Names of all elements, and attributes that act."""

    def __init__(self, text):
        """Read it."""
        super().__init__()
        self.names, self.acting = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        """Note an element."""
        self.names.append(tag)
        self.acting += [name for name, _ in attrs if name.startswith("on") or name == "style"]


def test_text_of_a_report_is_never_markup():
    """Titles, paths, problems and addresses of somebody who means ill."""
    page = a_page(1, title=EVIL, source=EVIL, loc="javascript:alert(1)")
    page["entry"] |= {"loc": "javascript:alert(1)", "lastmod": EVIL}
    page["because"]["lastmod"] |= {"origin": EVIL, "commit": EVIL, "path": EVIL}
    place = {"origin": EVIL, "file": EVIL}
    out = a_page(2, out={"reason": EVIL, "detail": EVIL, "place": place})
    problem = {"code": EVIL, "level": EVIL, "text": EVIL}
    report = a_report(page, out, problems=[problem], files=[EVIL], time=EVIL, commit=EVIL)
    report["site"]["url"] = f"https://x.example/{EVIL}/"
    of = Rule("code", Level.ERROR, EVIL, EVIL, EVIL, Subject.PAGE, list)
    found = Finding(of, sitemap_place(EVIL), page["loc"], EVIL, EVIL)
    shown = ShownCommit(3, EVIL, EVIL, EVIL, "", EVIL, 2, "")
    others = [shown._replace(status=status) for status in ("ignored", "kept")]
    text = to_html(report, [found], [shown, *others], EVIL).decode()
    plain = Tags(drawn(a_report(a_page(1), a_page(2, day=None), time="2026")).decode())
    tags = Tags(text)
    assert set(tags.names) <= {
        *(*plain.names, "h2", "ul", "li", "details", "summary", "a", "span", "code", "td", "small")
    }
    assert (tags.names.count("script"), tags.names.count("style"), tags.acting) == (2, 1, [])
    assert re.findall(r'href="([^"]*)"', text) == [of.url]
    assert not any(letter in text for letter in "\u202e\x00")
    data = text.partition('id="data">')[2].partition("</script>")[0]
    assert not any(letter in data for letter in "<>&'")
    rows = json.loads(data)
    assert rows[0][:4] == [SHOWN, "", SHOWN, SHOWN[:10]]
    assert rows[1][:2] == ["Page 2", "https://x.example/docs/p2/"]


def test_the_policy_lets_in_its_own_two_blocks_alone():
    """By their hashes; and nothing from anywhere."""
    text = drawn(a_report(a_page(1))).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    blocks = {
        name: re.search(rf"<{name}>(.*?)</{name}>", text, re.DOTALL)[1]
        for name in ("style", "script")
    }
    hashes = {
        name: base64.b64encode(hashlib.sha256(block.encode()).digest()).decode()
        for name, block in blocks.items()
    }
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{hashes['style']}'; "
        f"script-src 'sha256-{hashes['script']}'; base-uri 'none'; form-action 'none'"
    )


def rows_of(page):
    """The rows of the table, from the data of the script."""
    return json.loads(page.xpath('//script[@id="data"]')[0].text)


def test_the_report_says_what_when_and_by_what_it_was_made():
    """How many pages are listed and dated, where the dates come from, and what is left out."""
    pages = [a_page(1, day="2024-01-05"), a_page(2, day="2024-03-05", section="guide/")]
    pages += [a_page(3, day="2024-02-05", origin="front matter"), a_page(4, day=None)]
    made = {"time": "2026-11-26T14:00:59+00:00", "commit": "0123456789abcdef"}
    page = tree(a_report(*pages, a_page(5, out=OUT), **made))
    assert texts(page.xpath("//h1 | //p"))[:3] == [
        "x.example/docs",
        "5 pages: 4 listed, 3 of them dated.",
        (
            "Built 2026-11-26 14:00 UTC from commit 0123456789. "
            f"Made by mkdocs-sitemap-plus {version('mkdocs-sitemap-plus')}."
        ),
    ]
    assert texts(page.xpath('//div[@class="chips"]/button')) == [
        "dated by git 2",
        "dated by front matter 1",
        "undated 1",
        "left out: noindex 1",
    ]


def test_a_row_says_where_a_date_comes_from_or_why_there_is_none():
    """Also the line of front matter or the option that leaves a page out."""
    place = {"origin": "front matter", "file": "docs/p1.md", "key": "sitemap", "line": 2}
    first = a_page(1, out={"reason": "excluded", "detail": "sitemap", "place": place})
    place = {"origin": "option", "file": "mkdocs.yml", "key": "exclude"}
    second = a_page(2, out={"reason": "excluded", "detail": "exclude", "place": place})
    undated = a_page(3, day=None, undated={"reason": "not committed"})
    rows = rows_of(tree(a_report(first, second, undated, a_page(4))))
    assert [row[3:] for row in rows] == [
        ["", "", "left out: excluded", "front matter: line 2: sitemap"],
        ["", "", "left out: excluded", "option: mkdocs.yml: exclude"],
        ["", "git: not committed", "undated", ""],
        ["2024-01-05", "0000000000", "dated by git", ""],
    ]


@pytest.mark.parametrize(
    ("days", "kind", "first", "last", "ticks"),
    [
        (0, "day", "2020-01-01", "2020-01-01", 5),
        (62, "day", "2020-01-01", "2020-03-03", 4),
        (63, "month", "2020-01", "2020-03", 4),
        (4392, "month", "2020-01", "2032-01", 3),
        (4393, "year", "2020", "2032", 2),
        (2_900_000, "year", "2020", "9959", 2),
    ],
)
def test_the_steps_of_the_plot_are_even(days, kind, first, last, ticks):
    """Days, months or years, by how long the dates reach back. The newest has a mark of its own."""
    begin = date(2020, 1, 1)
    ends = [begin, begin + timedelta(days=days)]
    page = tree(a_report(*(a_page(number, day=str(day)) for number, day in enumerate(ends))))
    (plot,) = page.xpath("//svg")
    title = f"Pages by the {kind} of their last change, {first} to {last}"
    assert plot.get("aria-label") == title
    titles = texts(plot.xpath("./rect/title"))
    assert {titles[0].partition(":")[0], titles[-1].partition(":")[0]} == {first, last}
    at = [float(each.get("x").rstrip("%")) for each in plot.xpath("./text[@x]")]
    newest = plot.xpath("./text[@text-anchor='end']")
    assert (texts(newest), at.pop()) == ([last], 100)
    steps = {round(later - earlier, 1) for earlier, later in pairwise(at)}
    assert max(steps) - min(steps) <= 0.2
    assert len(at) == ticks


def test_a_report_without_any_page_or_date_is_drawn_as_well():
    """It says so."""
    page = tree(a_report())
    assert "No page has a date." in page.text_content()
    assert "No file was written." in tree(a_report(files=[])).text_content()
    assert "No page has a date." in tree(a_report(a_page(1, day=None))).text_content()


def test_the_command_draws_a_built_site_and_a_report(site):
    """Both give the same page of the same site. What is no report is one line.

    Nothing is written where nobody asked for it.
    """
    site.docs({"index.md": "# Home\n", "a.md": "---\nlastmod: 2024-01-01\n---\n# A\n"})
    site.config("report: r.json\nlastmod: {sources: [front_matter]}")
    site.build("--strict")
    before = sorted(site.folder.iterdir())
    done = run_command("report", "site", cwd=site.folder)
    assert (done.returncode, sorted(site.folder.iterdir())) == (2, before)
    done = run_command("report", "site", "-o", "report.html", cwd=site.folder)
    assert done.stdout == "report.html: 2 pages\n"
    run_command("report", "--report", "r.json", "-o", "other.html", cwd=site.folder)
    data = json.loads((site.folder / "r.json").read_bytes())
    assert (site.folder / "other.html").read_bytes() == drawn(data)
    assert (site.folder / "report.html").read_bytes() == drawn(data)
    (site.folder / "empty").mkdir()
    done = run_command("report", "empty", "-o", "x.html", cwd=site.folder)
    assert (done.returncode, "no report of its build is kept here" in done.stderr) == (2, True)
    site.write({"bad.json": "{}"})
    done = run_command("report", "--report", "bad.json", "-o", "x.html", cwd=site.folder)
    reported = "Error: bad.json: is not a report of this plugin.\n"
    assert (done.returncode, done.stderr) == (2, reported)
    done = run_command("report", "--report", "r.json", "-o", "no/x.html", cwd=site.folder)
    assert done.returncode == 2
    named = "Error: no/x.html: it can't be written (No such file or directory)"
    assert done.stderr.startswith(named)


def findings_in(path):
    """Each kind of finding with its number, and what the rows of pages say of them."""
    page = html.fromstring(path.read_bytes())
    return texts(page.xpath("//summary")), [row[6] for row in rows_of(page)]


def test_the_report_has_what_check_finds(site):
    """With codes, and beside the page; not what an option has left out."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n", "out.md": "# Out\n"})
    site.config("exclude: /out.md\nlastmod: {sources: []}\nreport: r.json")
    site.build("--strict")
    call, path = ("report", "-o", "r.html"), site.folder / "r.html"
    assert run_command(*call, cwd=site.folder).stdout == "r.html: 3 pages\n"
    left_out = "option: mkdocs.yml: exclude"
    assert findings_in(path) == ([], ["", "", left_out])
    sitemap = site.folder / "site/sitemap.xml"
    sitemap.write_text(sitemap.read_text().replace("/a/</loc>", "/a/</loc><priority>7</priority>"))
    (site.folder / "site/sitemap.xml.gz").unlink()
    (site.folder / "site/lost").mkdir()
    (site.folder / "site/lost/index.html").write_text("<!doctype html><title>Lost</title><p>Lost")
    for more in ((), ("site", "--report", "r.json")):
        done = run_command(*call, *more, cwd=site.folder)
        assert done.stdout == "r.html: 3 pages, 2 findings of check\n"
        assert findings_in(path) == (
            ["warning not-listed 1", "warning value 1"],
            ["", "check: value", left_out],
        )
