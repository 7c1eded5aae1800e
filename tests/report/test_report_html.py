"""``mkdocs-sitemap-plus report``: one HTML file."""

import base64
import hashlib
import json
import re
from datetime import date, timedelta
from html.parser import HTMLParser

import pytest
from lxml import html
from reports import a_page, a_report
from sites import run_command

from mkdocs_sitemap_plus.report.html_report import to_html
from mkdocs_sitemap_plus.report.html_report.figures import spans_of
from mkdocs_sitemap_plus.report.html_report.rows import Checked, Found, rows_of


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
    page["entry"] |= {"loc": "javascript:alert(1)", "changefreq": EVIL, "priority": EVIL}
    page["entry"]["lastmod"] = EVIL
    page["because"]["lastmod"] |= {"origin": EVIL, "commit": EVIL, "path": EVIL}
    place = {"origin": EVIL, "file": EVIL}
    out = a_page(2, out={"reason": EVIL, "detail": EVIL, "place": place})
    problem = {"code": EVIL, "level": EVIL, "text": EVIL}
    report = a_report(page, out, problems=[problem], files=[EVIL])
    report["site"]["url"] = f"https://x.example/{EVIL}/"
    found = Found(EVIL, EVIL, EVIL, page["loc"], EVIL, EVIL, "https://x.example/code")
    checked = Checked([found], more=1, unusable=[EVIL])
    text = to_html(report, checked).decode()
    plain = Tags(drawn(a_report(a_page(1), a_page(2))).decode())
    tags = Tags(text)
    assert set(tags.names) <= {*plain.names, "details", "summary", "em"}
    assert (tags.names.count("script"), tags.names.count("style"), tags.acting) == (2, 1, [])
    assert "img" not in tags.names
    links = re.findall(r'href="([^"]*)"', text)
    assert [each for each in links if not each.startswith(("https://", "data:,"))] == []
    assert not any(letter in text for letter in "\u202e\x00")
    data = text.partition('id="data">')[2].partition("</script>")[0]
    assert not any(letter in data for letter in "<>&'")
    data = json.loads(data)
    assert data["rows"][0][:4] == [SHOWN, None, SHOWN, SHOWN]
    assert data["rows"][1][:3] == ["Page 2", "https://x.example/docs/p2/", "docs/p2/"]
    assert (data["reasons"], data["codes"]) == ([SHOWN], [SHOWN])


def test_no_text_of_the_report_itself_is_replaced():
    """Only letters of others that can't be printed are; here there are none."""
    problem = {"code": "priority", "level": "warning", "text": "priority is 2."}
    pages = a_page(1), a_page(2, out=OUT)
    assert "\N{REPLACEMENT CHARACTER}" not in drawn(a_report(*pages, problems=[problem])).decode()


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
        f"script-src 'sha256-{hashes['script']}'; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )


def test_it_is_small_and_equal_reports_give_equal_bytes():
    """Less than 60 kB without its rows."""
    pages = [a_page(number) for number in range(200)]
    assert drawn(a_report(*pages)) == drawn(a_report(*pages))
    assert len(drawn(a_report())) < 20_000
    page = tree(a_report(*pages))
    for rows in page.xpath('//table[@id="table"]/tbody | //script[@id="data"]'):
        rows.drop_tree()
    assert len(html.tostring(page)) < 60_000


def test_the_figures_are_those_of_the_report():
    """Tiles, shares, reasons, sections, and the oldest pages."""
    pages = [a_page(1, day="2024-01-05"), a_page(2, day="2024-03-05", section="guide/")]
    pages += [a_page(3, day="2024-02-05", origin="front matter"), a_page(4, day=None)]
    page = tree(a_report(*pages, a_page(5, out=OUT)))
    assert texts(page.xpath("//dl/div")) == [
        "listed4of 5 pages",
        "dated75 %3 of 4",
        "left out1most: noindex",
        "newest change2024-03-05the oldest: 2024-01-05",
        "median date2024-02-05half of the dates are older",
    ]
    assert texts(page.xpath('//ul[@class="shares"]/li')) == [
        "git 2 50 %",
        "front matter 1 25 %",
        "without a date 1 25 %",
    ]
    assert texts(page.xpath("//ol/li")) == [
        "2024-01-05 Page 1",
        "2024-02-05 Page 3",
        "2024-03-05 Page 2",
    ]
    assert texts(page.xpath('//table[contains(@class,"sections")]/tbody/tr')) == [
        "top level312024-02-052024-01-05",
        "guide102024-03-052024-03-05",
    ]
    assert texts(page.xpath('//ul[@class="pages"]/li')) == ["Page 5 robots: noindex"]
    assert len(page.xpath('//table[@id="table"]/tbody/tr')) == 5


def test_an_excluded_page_names_the_place_of_the_pattern():
    """With the line of its front matter, or the key of the option."""
    place = {"origin": "front matter", "file": "docs/p1.md", "key": "sitemap", "line": 2}
    first = a_page(1, out={"reason": "excluded", "detail": "sitemap", "place": place})
    place = {"origin": "option", "file": "mkdocs.yml", "key": "exclude"}
    second = a_page(2, out={"reason": "excluded", "detail": "exclude", "place": place})
    page = tree(a_report(first, second))
    assert texts(page.xpath('//td[@class="status"]')) == [
        "excludedfront matter: line 2: sitemap",
        "excludedoption: mkdocs.yml: exclude",
    ]


@pytest.mark.parametrize("months", [1, 2, 10, 11, 30])
def test_a_label_of_the_plot_is_below_its_column(months):
    """Also those at both ends."""
    days = [date(2020 + month // 12, month % 12 + 1, 15) for month in range(months)]
    page = tree(a_report(*(a_page(number, day=str(day)) for number, day in enumerate(days))))
    columns = {
        group.find("title").text.partition(":")[0]: group.find("rect")
        for group in page.xpath('//svg[@class="plot"]/g')
    }
    labels = [each for each in page.xpath('//svg[@class="plot"]/text') if each.text in columns]
    assert {labels[0].text, labels[-1].text} == {min(columns), max(columns)}
    for label in labels:
        column = columns[label.text]
        found = column.get("x"), column.get("width"), label.get("x")
        left, width, x = (float(each.rstrip("%")) for each in found)
        assert left - 0.1 * width <= x <= left + 1.1 * width, label.text


def test_columns_that_no_page_has_are_not_there():
    """Most sites set no changefreq and no priority."""
    heads = texts(tree(a_report(a_page(1))).xpath('//table[@id="table"]/thead//th'))
    assert heads == ["Page", "Last changed", "Status"]
    page = a_page(1)
    page["entry"] |= {"priority": "0.5", "changefreq": "daily"}
    heads = texts(tree(a_report(page)).xpath('//table[@id="table"]/thead//th'))
    assert heads == ["Page", "Last changed", "changefreq", "priority", "Status"]


@pytest.mark.parametrize(
    ("days", "kind", "first", "last"),
    [
        (0, "day", "2020-01-01", "2020-01-01"),
        (62, "day", "2020-01-01", "2020-03-03"),
        (63, "month", "2020-01", "2020-03"),
        (1098, "month", "2020-01", "2023-01"),
        (1099, "quarter", "2020 Q1", "2023 Q1"),
        (4392, "quarter", "2020 Q1", "2032 Q1"),
        (4393, "year", "2020", "2032"),
        (2_900_000, "year", "2020", "9959"),
    ],
)
def test_a_column_is_as_long_as_one_can_still_tell_apart(days, kind, first, last):
    """Days, months, quarters or years."""
    begin = date(2020, 1, 1)
    ends = [begin, begin + timedelta(days=days)]
    report = a_report(*(a_page(number, day=str(day)) for number, day in enumerate(ends)))
    found, spans = spans_of(rows_of(report))
    assert (found, spans[0].label, spans[-1].label) == (kind, first, last)
    assert sum(span.counts.total() for span in spans) == 2
    assert drawn(report)


def test_a_report_without_any_page_or_date_is_drawn_as_well():
    """It says so."""
    page = tree(a_report())
    assert "No page has a date." in page.text_content()
    assert "No file was written." in tree(a_report(files=[])).text_content()
    assert "No page has a date." in tree(a_report(a_page(1, day=None))).text_content()


def test_the_command_draws_a_built_site_and_a_report(site):
    """Both give the same page of the same site, of which only the first can be checked.

    What is no report is one line.
    """
    site.docs({"index.md": "# Home\n", "a.md": "---\nlastmod: 2024-01-01\n---\n# A\n"})
    site.config("report: r.json\nlastmod: {sources: [front_matter]}")
    site.build("--strict")
    done = run_command("report", "site", cwd=site.folder)
    assert done.stdout == "report.html: 2 pages\n"
    run_command("report", "r.json", "-o", "other.html", cwd=site.folder)
    data = json.loads((site.folder / "r.json").read_bytes())
    assert (site.folder / "other.html").read_bytes() == drawn(data)
    assert (site.folder / "report.html").read_bytes() == to_html(data, Checked())
    (site.folder / "empty").mkdir()
    done = run_command("report", "empty", cwd=site.folder)
    assert (done.returncode, "no report of its build is kept here" in done.stderr) == (2, True)
    site.write({"bad.json": "{}"})
    done = run_command("report", "bad.json", cwd=site.folder)
    assert (done.returncode, done.stderr) == (
        2,
        "Error: bad.json: is not a report of this plugin.\n",
    )
    done = run_command("report", "r.json", "-o", "no/x.html", cwd=site.folder)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: x.html: it can't be written (No such file or directory)")


def findings_in(path):
    """The code and the number of each kind of finding, and the codes in the rows of pages."""
    page = html.fromstring(path.read_bytes())
    kinds = texts(page.xpath('//section[@id="check"]/details/summary'))
    rows = page.xpath('//table[@id="table"]/tbody/tr')
    badges = [row.xpath('td[@class="status"]/span[@class="badge warning"]') for row in rows]
    return kinds, [texts(each) for each in badges]


def test_the_report_has_what_check_finds(site):
    """With codes, and beside the page; not what an option has left out."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n", "out.md": "# Out\n"})
    site.config("exclude: /out.md\nlastmod: {sources: []}")
    site.build("--strict")
    assert run_command("report", cwd=site.folder).stdout == "report.html: 3 pages\n"
    assert findings_in(site.folder / "report.html") == ([], [[], [], []])
    sitemap = site.folder / "site/sitemap.xml"
    sitemap.write_text(sitemap.read_text().replace("/a/</loc>", "/a/</loc><priority>7</priority>"))
    (site.folder / "site/sitemap.xml.gz").unlink()
    (site.folder / "site/lost").mkdir()
    (site.folder / "site/lost/index.html").write_text("<!doctype html><html><title>Lost</title>")
    done = run_command("report", cwd=site.folder)
    assert done.stdout == "report.html: 3 pages, 2 findings of check\n"
    assert findings_in(site.folder / "report.html") == (
        ["error priority 1", "warning not-listed 1"],
        [[], ["priority"], []],
    )


def test_of_many_pages_the_first_are_elements_and_all_are_data():
    """A line says so to whoever has JavaScript turned off."""
    pages = [a_page(number) for number in range(501)]
    page = tree(a_report(*pages))
    assert len(page.xpath('//table[@id="table"]/tbody/tr')) == 500
    assert "the first 500 of 501 pages" in page.xpath("//noscript")[0].text_content()
    data = json.loads(page.xpath('//script[@id="data"]')[0].text)
    assert [row[0] for row in data["rows"]] == [f"Page {number}" for number in range(501)]
    assert tree(a_report(*pages[:500])).xpath("//noscript") == []


def test_the_command_finds_the_built_site_as_build_does(site):
    """In the current folder, or by its project file."""
    site.docs({"index.md": "# Home\n"})
    site.config("lastmod: {sources: []}")
    site.build("-d", "public")
    site.write({"o.yml": (site.folder / "mkdocs.yml").read_text("utf-8") + "site_dir: public\n"})
    assert run_command("report", "-f", "o.yml", cwd=site.folder).stdout == "report.html: 1 page\n"
    assert run_command("report", cwd=site.folder).returncode == 2
