"""The report in a real browser: it sorts and filters, and asks for nothing outside of its file."""

import pytest
from reports import a_page, a_report

from mkdocs_sitemap_plus.command.views.html_report import to_html

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
    """Opens a report in a window; whatever the browser complains of is an error."""
    complaints, contexts = [], []

    def opened(report, **options):
        path = tmp_path / "report.html"
        path.write_bytes(to_html(report))
        context = chromium.new_context(viewport={"width": 1200, "height": 800}, **options)
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
    return page.locator("tbody tr td:first-child > :first-child").all_inner_texts()


FRUIT = ["Cherry </script><b>&amp;", "Apple", "Banana", "Date", "Elder"]


def test_the_table_sorts_by_each_column(opened):
    """Up and down; what has no date comes last."""
    page = opened(a_report(*PAGES))
    assert names(page) == FRUIT
    cherry, apple, banana, date, elder = FRUIT
    page.get_by_role("button", name="Last changed").press("Enter")
    assert names(page) == [apple, banana, cherry, date, elder]
    page.get_by_role("button", name="Last changed").click()
    assert names(page) == [cherry, banana, apple, date, elder]
    page.get_by_role("button", name="Page", exact=True).click()
    assert names(page) == sorted(FRUIT)


def test_the_table_filters(opened):
    """By words, and by what came of a page; a line says how many are left."""
    page = opened(a_report(*PAGES))
    count = page.locator("output")
    assert count.inner_text() == "5 of 5"
    page.fill("input", "GUIDE p2")
    assert (names(page), count.inner_text()) == (["Apple"], "1 of 5")
    page.fill("input", "")
    for chip, found in (("dated by front matter", ["Banana"]), ("left out: noindex", ["Elder"])):
        page.get_by_role("button", name=chip).click()
        assert names(page) == found
    page.get_by_role("button", name="left out: noindex").click()
    assert names(page) == FRUIT


def test_a_bar_filters_the_table(opened):
    """Beside the words in the box; a second click, or Enter, shows the others again."""
    page = opened(a_report(*PAGES, a_page(5, day="2023-05-01", title="Fig")))
    count, bar = page.locator("output"), page.get_by_role("button", name="2024-01: 2 pages")
    bar.click()
    assert (names(page), count.inner_text()) == (["Apple", "Banana"], "2 of 6")
    assert bar.get_attribute("aria-pressed") == "true"
    page.fill("input", "banana")
    assert (names(page), count.inner_text()) == (["Banana"], "1 of 6")
    page.get_by_role("button", name="2024-03: 1 page").click()
    assert (names(page), count.inner_text()) == ([], "0 of 6")
    assert bar.get_attribute("aria-pressed") == "false"
    page.fill("input", "")
    assert names(page) == FRUIT[:1]
    page.get_by_role("button", name="2024-03: 1 page").press("Enter")
    assert (names(page), count.inner_text()) == ([*FRUIT, "Fig"], "6 of 6")


def test_many_pages_are_laid_out_in_parts(opened):
    """Each is found and sorted; a browser needs half a minute for the elements of 50,000 pages."""
    page = opened(a_report(*(a_page(number) for number in range(6_000))))
    assert page.locator("output").inner_text() == "6,000 of 6,000"
    rows = page.locator("tbody tr")
    assert rows.count() == 500
    page.get_by_role("button", name="Show more").click()
    assert rows.count() == 5_500
    page.get_by_role("button", name="Page", exact=True).click()
    assert rows.count() == 500
    page.fill("input", "p4321")
    assert names(page) == ["Page 4321"]
    assert page.get_by_role("button", name="Show more").is_hidden()


def test_nothing_is_wider_than_the_window(opened):
    """Not even with long names; a phone has 360 pixels."""
    long = {
        "title": "A" * 200,
        "source": "x" * 200 + ".md",
        "loc": "https://x.example/" + "y" * 300,
    }
    problem = {"code": "x", "level": "warning", "text": "z" * 300}
    report = a_report(*PAGES, a_page(5, section="s" * 100 + "/", **long), problems=[problem])
    report["site"]["url"] = "https://x.example/" + "w" * 100 + "/"
    page = opened(report)
    for width in (360, 768, 1200):
        page.set_viewport_size({"width": width, "height": 800})
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
  const all = [...document.querySelectorAll("body *:not(svg *, script, style, noscript *)")]
    .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  return Math.min(...all.map((each) => {
    const [a, b] = [getComputedStyle(each).color, ground(each)].map(light);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }));
}"""
