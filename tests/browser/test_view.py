"""What people see who open a sitemap in a browser."""

import base64
import os
from pathlib import Path

import pytest
from sitemap_xml import validate

pytestmark = pytest.mark.browser

PICTURE = Path(__file__).parents[2] / "docs" / "assets" / "sitemap-in-a-browser.png"
CSS = Path(__file__).parents[2] / "mkdocs_sitemap_plus" / "sitemap" / "sitemap.css"
BASE = "https://lighthouse.example/docs/"
DECLARED = """\
<?xml version="1.0" encoding="UTF-8"?>
<?xml-stylesheet type="text/css" href="sitemap.css"?>
"""
SITEMAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
EXTENSIONS = """\
 xmlns:xhtml="http://www.w3.org/1999/xhtml"
 xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
 xmlns:video="http://www.google.com/schemas/sitemap-video/1.1\""""
DATE = "2026-09-02T08:14:05+00:00"


def url(path, rest=""):
    return f"  <url>\n    <loc>{BASE}{path}</loc>\n    {rest}\n  </url>\n"


def links(*codes):
    return "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{BASE}{code}/"/>\n' for code in codes
    )


def images(count):
    each = "<image:image><image:loc>{}{}.png</image:loc></image:image>\n"
    return "".join(each.format(BASE, number) for number in range(count))


VIDEO = f"""\
<video:video>
  <video:thumbnail_loc>{BASE}lamp.png</video:thumbnail_loc>
  <video:title>How to light the first lamp</video:title>
  <video:description>From the box to the light</video:description>
  <video:content_loc>{BASE}lamp.mp4</video:content_loc>
  <video:duration>120</video:duration>
</video:video>"""
LONG = "guide/" + "and-so-on-" * 30 + "/"
PLAIN = f"{DECLARED}<urlset {SITEMAP}>\n{url('')}{url('guide/')}</urlset>\n"
DATED = f"""{DECLARED}<urlset {SITEMAP}>
{url("")}{url("guide/", f"<lastmod>{DATE}</lastmod>")}{url(LONG)}</urlset>
"""
RICH = f"""{DECLARED}<urlset {SITEMAP}{EXTENSIONS}>
{url("", f"<lastmod>{DATE}</lastmod><changefreq>weekly</changefreq><priority>1.0</priority>")}\
{url("guide/", "<lastmod>2026-03-14</lastmod>" + links("en", "de", "zh-Hant-TW", "x-default"))}\
{url("guide/first-lamp/", f"<lastmod>{DATE}</lastmod>" + images(1) + VIDEO)}\
{url("news/lamps/", f"<lastmod>{DATE}</lastmod><changefreq>never</changefreq>")}\
{url("pictures/", "<priority>0.4</priority>" + images(12))}\
{url("reference/")}</urlset>
"""
INDEX = f"""{DECLARED}<sitemapindex {SITEMAP}>
  <sitemap><loc>{BASE}sitemap-1.xml</loc><lastmod>{DATE}</lastmod></sitemap>
  <sitemap><loc>{BASE}sitemap-2.xml</loc></sitemap>
</sitemapindex>
"""
ALL = f"<lastmod>{DATE}</lastmod><changefreq>weekly</changefreq><priority>1.0</priority>"
ONE = f"{DECLARED}<urlset {SITEMAP}>\n{url('', ALL)}</urlset>\n"
EVERY_HEAD = ["URL", "Frequency", "Priority", "Last change"]
FILES = {
    "plain": (PLAIN, ["URL"]),
    "dated": (DATED, ["URL", "Last change"]),
    "rich": (RICH, EVERY_HEAD),
    "index": (INDEX, ["URL", "Last change"]),
    "one": (ONE, EVERY_HEAD),
}
"""What is looked at, and the heads of the columns there: one for each field in the file."""

SAID = """() => [...document.querySelectorAll(":root > * > loc, lastmod")]
  .map(element => element.textContent)"""
OUTSIDE = """() => [...document.querySelectorAll("*")]
  .filter(element => {
    const box = element.getBoundingClientRect();
    return box.width && (box.left < 0 || box.right > innerWidth);
  })
  .map(element => element.localName)"""
OVERLAPS = """() => [...document.querySelectorAll("url, sitemap")]
  .filter(entry => {
    const boxes = [...entry.querySelectorAll("loc, lastmod, changefreq, priority")]
      .filter(element => element.parentElement == entry)
      .map(element => {
        const text = document.createRange();
        text.selectNodeContents(element);
        return text.getBoundingClientRect();
      });
    return boxes.some((a, i) => boxes.some((b, j) =>
      i < j && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
  }).length"""


@pytest.fixture
def view(chromium, server, tmp_path):
    """Opens a file of the table beside the stylesheet."""
    for name, (text, _) in FILES.items():
        (tmp_path / f"{name}.xml").write_text(text, "utf-8")
    (tmp_path / "sitemap.css").write_bytes(CSS.read_bytes())
    contexts = []

    def view(name, scheme="light"):
        server.show(tmp_path)
        size = {"width": 1280, "height": 640}
        contexts.append(chromium.new_context(viewport=size, color_scheme=scheme))
        page = contexts[-1].new_page()
        page.goto(f"{server.url}{name}.xml")
        return page

    yield view
    for context in contexts:
        context.close()


def picture(page, height=640):
    """A screenshot of the upper part; Playwright's own waits in vain for a ``body``."""
    part = {"x": 0, "y": 0, "width": page.viewport_size["width"], "height": height, "scale": 1}
    options = {"format": "png", "clip": part}
    shot = page.context.new_cdp_session(page).send("Page.captureScreenshot", options)
    return base64.b64decode(shot["data"])


def look(page, selector, field="display"):
    """What a style comes to, of each element."""
    return page.evaluate(
        "([selector, field]) => [...document.querySelectorAll(selector)]"
        ".map(element => getComputedStyle(element)[field])",
        [selector, field],
    )


def drawn(page):
    """What is drawn, the text of the style sheet as well: left and top edges by text."""
    session = page.context.new_cdp_session(page)
    taken = session.send("DOMSnapshot.captureSnapshot", {"computedStyles": []})
    layout = taken["documents"][0]["layout"]
    texts = [taken["strings"][index] if index >= 0 else "" for index in layout["text"]]
    return {text: box[:2] for text, box in zip(texts, layout["bounds"], strict=True)}


def heads_of(page):
    """The heads of columns, from the left."""
    boxes = drawn(page)
    return sorted((head for head in EVERY_HEAD if head in boxes), key=lambda head: boxes[head])


def shown(page):
    """All text that can be seen, as it would be copied."""
    return page.evaluate("getSelection().selectAllChildren(document.documentElement),"
                         " getSelection().toString()")  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_every_url_and_date_can_be_read(view, name):
    """In windows of any width: the text is there, in the window, and nothing covers it."""
    text, heads = FILES[name]
    validate(text.encode())
    page = view(name)
    assert heads_of(page) == heads
    for width in (1280, 800, 360):
        page.set_viewport_size({"width": width, "height": 640})
        text = "".join(shown(page).split())
        for said in page.evaluate(SAID):
            assert "".join(said.split()) in text
        assert set(look(page, "lastmod", "visibility")) <= {"visible"}
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(OVERLAPS) == 0
    assert heads_of(page) == []  # so narrow a window has no columns


@pytest.mark.parametrize("name", ["rich", "one"])
def test_columns_stand_below_their_heads(view, name):
    """Those of the last entry as well, from which the heads hang."""
    page = view(name)
    boxes = drawn(page)
    below = {"lastmod": "Last change", "changefreq": "Frequency", "priority": "Priority"}
    for tag, head in below.items():
        left, top = boxes[head]
        for box in page.evaluate(
            "tag => [...document.querySelectorAll(tag)].map(each => {"
            " const [own, url] = [each, each.parentElement.firstElementChild]"
            ".map(element => element.getBoundingClientRect());"
            " return [own.left, own.top, url.top]; })",
            tag,
        ):
            assert box == pytest.approx([left, box[2], box[2]], abs=1)
            assert top < box[1]


@pytest.mark.parametrize(
    ("name", "title", "says"),
    [
        ("plain", "Sitemap", '"URLs: " counter(entry) ". This file is for search engines; '),
        (
            "index",
            "Sitemap index",
            '"Sitemaps: " counter(entry) ". This file is for search engines; ',
        ),
    ],
)
def test_the_title_names_the_kind_of_file(view, name, title, says):
    """A heading, and a sentence with the number of entries."""
    page = view(name)
    style = "getComputedStyle(document.documentElement, '::{}').content"
    assert page.evaluate(style.format("before")) == f'"{title}"'
    assert says in page.evaluate(style.format("after"))


def test_extensions_are_shown_in_short(view):
    """Languages by their codes, images by their number, videos by their titles."""
    page = view("rich")
    text = shown(page)
    assert "How to light the first lamp" in text
    for hidden in (".png", ".mp4", "From the box", "120"):
        assert hidden not in text
    assert set(look(page, "link")) == {"inline-block"}
    assert look(page, "image", "visibility").count("visible") == 2


def test_dark_differs_from_light(view):
    """It follows what the reader's system asks for, with enough contrast in both."""
    light, dark = view("rich"), view("rich", "dark")
    assert picture(light) != picture(dark)
    for page in (light, dark):
        (paper,) = look(page, "urlset", "backgroundColor")
        for selector in ("loc", "lastmod"):
            assert contrast(look(page, selector, "color")[0], paper) >= 4.5


def contrast(one, other):
    """The contrast of two colours (WCAG 2, "contrast ratio")."""
    lighter, darker = sorted(map(luminance, (one, other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour):
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_large_file_opens(view, tmp_path):
    """Its last entry is there to be seen, before Playwright gives up waiting for the page."""
    entries = "".join(url(f"{number}/", f"<lastmod>{DATE}</lastmod>") for number in range(10_000))
    text = f"{DECLARED}<urlset {SITEMAP}>\n{entries}</urlset>\n"
    (tmp_path / "large.xml").write_text(text, "utf-8")
    page = view("large")
    page.evaluate("document.documentElement.lastElementChild.scrollIntoView()")
    box = page.evaluate(
        "document.documentElement.lastElementChild.firstElementChild.getBoundingClientRect().top"
    )
    assert 0 < box < 640


def test_the_picture_in_the_docs_is_of_this_view(view):
    """It is made here, and small; fonts differ, so that it can't be held against each byte."""
    taken = picture(view("rich"), height=520)
    if os.environ.get("UPDATE_PICTURE"):
        PICTURE.parent.mkdir(exist_ok=True)
        PICTURE.write_bytes(taken)
    kept = PICTURE.read_bytes()
    assert kept[16:24] == taken[16:24], "width and height"
    assert len(kept) < 150_000
