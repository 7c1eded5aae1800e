"""The report in a real browser: it sorts and filters, and asks for nothing outside of its file."""

import pytest
from reports import a_page, a_report

from mkdocs_sitemap_plus.report.html_report import to_html

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

    def opened(report, width=1200, **options):
        path = tmp_path / "report.html"
        path.write_bytes(b"".join(to_html(report)))
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
    page.emulate_media(media="print")
    assert page.locator("#table tbody tr:visible").count() == 601
    assert page.locator("ul.pages li:visible").count() == 1
    assert page.locator("#controls").is_hidden()
