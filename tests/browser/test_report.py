"""The report in a real browser: it sorts and filters, and asks for nothing outside of its file."""

import re

import pytest
from reports import a_page, a_report

from mkdocs_sitemap_plus.report.html_report import to_html
from mkdocs_sitemap_plus.report.html_report.rows import Checked, Found

pytestmark = pytest.mark.browser

OUT = {"reason": "noindex", "detail": "robots: noindex", "place": {"origin": "built page"}}
PAGES = (
    a_page(1, day="2024-03-01", title="Cherry </script><b>&amp;"),
    a_page(2, day="2024-01-01T23:30:00-05:00", title="Apple", section="guide/"),
    a_page(3, day="2024-01-02T04:00:00+00:00", title="Banana", origin="front matter"),
    a_page(4, day=None, title="Date"),
    a_page(10, out=OUT, title="Elder", section="guide/"),
)


@pytest.fixture
def opened(chromium, tmp_path):
    """Opens a report in a window of some width; whatever the browser complains of is an error."""
    complaints, contexts = [], []

    def opened(report, width=1200, checked=None, **options):
        path = tmp_path / "report.html"
        path.write_bytes(to_html(report, checked))
        context = chromium.new_context(viewport={"width": width, "height": 800}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: complaints.append(request.url))
        page.goto(path.as_uri())
        assert complaints.pop(0) == path.as_uri()
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def names(page):
    """The titles that are to be seen, in their order."""
    return page.locator("#table tbody tr:visible th a").all_inner_texts()


def press(page, column):
    """Sort by a column, with the keyboard; returns how it says that it is sorted."""
    head = page.locator("#table thead th", has_text=column)
    head.get_by_role("button").focus()
    page.keyboard.press("Enter")
    return head.get_attribute("aria-sort")


FRUIT = ["Cherry </script><b>&amp;", "Apple", "Banana", "Date", "Elder"]


def test_the_table_sorts_by_each_column(opened):
    """Dates as instants, paths with their numbers, up and down; what has no date comes last."""
    page = opened(a_report(*PAGES))
    assert names(page) == FRUIT
    cherry, apple, banana, date, elder = FRUIT
    assert press(page, "Last changed") == "ascending"
    assert names(page) == [banana, apple, cherry, date, elder]
    assert press(page, "Last changed") == "descending"
    assert names(page) == [cherry, apple, banana, date, elder]
    assert press(page, "Page") == "ascending"
    assert names(page) == [apple, elder, cherry, banana, date]
    assert page.locator("#table thead th[aria-sort]").count() == 1


def test_the_table_filters(opened):
    """By words, by what came of a page, by section; a line says how many are left."""
    page = opened(a_report(*PAGES))
    count = page.locator("#count")
    assert count.inner_text() == "5 pages"
    page.fill("#find", "GUIDE p2")
    assert (names(page), count.inner_text()) == (["Apple"], "1 of 5")
    page.fill("#find", "")
    page.select_option("#show", label="Dated by front matter")
    assert names(page) == ["Banana"]
    page.select_option("#show", label="Left out: noindex")
    assert names(page) == ["Elder"]
    page.select_option("#section", label="top level")
    assert (names(page), count.inner_text()) == ([], "0 of 5")
    assert page.locator("#nothing").is_visible()
    page.select_option("#show", label="Without a date")
    assert names(page) == ["Date"]


def finding(code, page):
    return Found(
        code, "error", "sitemap.xml:3", page["loc"], "is so", "Mend it.", "https://x.example"
    )


def test_the_table_filters_by_what_check_found(opened):
    """By any code, or by one."""
    findings = [finding("priority", PAGES[1]), finding("noindex", PAGES[1])]
    checked = Checked([*findings, finding("noindex", PAGES[3])])
    page = opened(a_report(*PAGES), checked=checked)
    page.select_option("#show", label="Found by check")
    assert names(page) == ["Apple", "Date"]
    page.select_option("#show", label="Found by check: priority")
    assert names(page) == ["Apple"]
    badges = page.locator("#table tbody .status .badge").all_inner_texts()
    assert badges == ["listed", "priority", "noindex"]


def test_the_script_makes_the_rows_that_are_in_the_file(opened):
    """Element by element, whatever a page has."""
    page = a_page(6, title="Set")
    page["entry"] |= {"priority": "0.5", "changefreq": "daily"}
    no_link = a_page(7, title="No </th> link", loc="javascript:alert(1)")
    foreign = a_page(8, title="Elsewhere", loc="https://other.example/%C3%BC?a=1&b")
    report = a_report(*PAGES, page, no_link, foreign)
    checked = Checked([finding("priority", page)])
    texts = [
        opened(report, checked=checked, java_script_enabled=script)
        .locator("#table tbody")
        .inner_html()
        for script in (True, False)
    ]
    made, written = (re.sub(r">\s+<", "><", text.strip()) for text in texts)
    assert made == written


def test_ten_thousand_pages_can_be_sorted_and_filtered(opened):
    """The first 500 are laid out, the others on request; each is found."""
    page = opened(a_report(*(a_page(number) for number in range(10_000))))
    rows = page.locator("#table tbody tr:visible")
    assert rows.count() == 500
    press(page, "Page")
    press(page, "Page")
    assert page.locator("#table tbody tr:visible th a").first.inner_text() == "Page 9999"
    page.fill("#find", "p4321.md")
    page.locator("#count", has_text="1 of 10,000").wait_for()
    assert names(page) == ["Page 4321"]
    page.fill("#find", "p43")
    page.locator("#count", has_text="111 of 10,000").wait_for()
    page.fill("#find", "")
    page.get_by_role("button", name="Show all 10,000").click()
    assert rows.count() == 10_000


def test_fifty_thousand_pages_are_laid_out_in_parts(opened):
    """Each is found and sorted; a browser would need half a minute for all of their elements."""
    page = opened(a_report(*(a_page(number) for number in range(50_000))))
    assert page.locator("#count").inner_text() == "50,000 pages"
    rows = page.locator("#table tbody tr")
    assert rows.count() == 500
    page.get_by_role("button", name="Show 10,000 more").click()
    assert rows.count() == 10_500
    assert press(page, "Page") == "ascending"
    assert press(page, "Page") == "descending"
    assert rows.count() == 500
    assert page.locator("#table tbody tr a").first.inner_text() == "Page 49999"
    page.fill("#find", "p43210")
    page.locator("#count", has_text="1 of 50,000").wait_for()
    assert names(page) == ["Page 43210"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 768, 1200])
def test_nothing_is_wider_than_the_window(opened, width, scheme):
    """Not even with long names; a phone has 360 pixels."""
    long = {
        "title": "A" * 200,
        "source": "x" * 200 + ".md",
        "loc": "https://x.example/" + "y" * 300,
    }
    problem = {"code": "x", "level": "warning", "text": "z" * 300}
    report = a_report(*PAGES, a_page(5, section="s" * 100 + "/", **long), problems=[problem])
    report["site"]["url"] = "https://x.example/" + "w" * 100 + "/"
    page = opened(report, width, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_text_can_be_read_in_light_and_dark(opened):
    """Colours of text and ground differ as WCAG asks of small text: 4.5 to 1."""
    for scheme in ("light", "dark"):
        page = opened(a_report(*PAGES), color_scheme=scheme)
        assert page.evaluate(CONTRAST) >= 4.5


CONTRAST = """() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((each) => each / 255)
      .map((each) => each <= 0.03928 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    const own = getComputedStyle(element).backgroundColor;
    return own === "rgba(0, 0, 0, 0)" ? ground(element.parentElement) : own;
  };
  const all = [...document.querySelectorAll("main *:not(svg *), header *")]
    .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  return Math.min(...all.map((each) => {
    const [a, b] = [getComputedStyle(each).color, ground(each)].map(light);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }));
}"""


def test_without_a_script_all_is_there_to_read(opened):
    """Only sorting and filtering are not; nothing pretends to."""
    page = opened(a_report(*PAGES), java_script_enabled=False)
    assert names(page) == FRUIT
    assert page.locator("#controls").is_hidden()
    assert page.locator("#table thead button").count() == 0


def test_all_pages_are_printed(opened):
    """Also those that are not laid out on the screen, and lists that are closed there."""
    pages = [a_page(number) for number in range(600)]
    page = opened(a_report(*pages, a_page(999, out=OUT)))
    assert printed(page) == (601, False)
    assert page.locator("#table tbody tr").count() == 500
    page.emulate_media(media="print")
    assert page.locator("ul.pages li:visible").count() == 1
    assert page.locator("#controls").is_hidden()


def test_only_the_pages_of_the_filter_are_printed_and_no_more_than_can_be(opened):
    """Chromium crashes if it has to print 50,000 rows. A line on the paper says what is missing."""
    page = opened(a_report(*(a_page(number) for number in range(10_001))))
    page.evaluate("dispatchEvent(new Event('beforeprint'))")  # so many sheets would take long
    assert page.locator("#table tbody tr").count() == 10_000
    line = "Only the first 10,000 of 10,001 pages are printed."
    assert page.locator("#unprinted").text_content() == line
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.fill("#find", "p43")
    page.locator("#count", has_text="111 of 10,001").wait_for()
    assert printed(page) == (111, False)


def printed(page):
    """Print the page; returns how many rows are on paper, and whether a line says what lacks."""
    page.evaluate(COUNT_PRINTED)
    page.pdf()
    return tuple(page.evaluate("window.printed"))


COUNT_PRINTED = """() => addEventListener("beforeprint", () => {
  const rows = document.querySelectorAll("#table tbody tr").length;
  window.printed = [rows, !document.getElementById("unprinted").hidden];
}, { once: true })"""
