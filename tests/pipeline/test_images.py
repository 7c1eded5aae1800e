"""Images: of a page's own content, or those that its front matter names."""

import pytest
from decided import URL, decided, page, settings, site_of

from mkdocs_sitemap_plus.generator.options.table import read_options
from mkdocs_sitemap_plus.html.page_says import PageSays, images_in, read_built_page
from mkdocs_sitemap_plus.wording import format_value


def shows(content):
    return f"<body><main>{content}</main></body>"


@pytest.mark.parametrize(
    ("html", "references"),
    [
        ('<img src="a.png">', ["a.png"]),
        ("<IMG ALT=x SRC=a.png>", ["a.png"]),
        ("<img src='a&amp;b.png'/>", ["a&b.png"]),
        ('<img alt="1 > 0" src="a.png">', ["a.png"]),
        ('<img src="a.png"><p><img src="b.png"></p>', ["a.png", "b.png"]),
        ('<!-- <img src="a.png"> -->', []),
        ('<script>"<img src=a.png>"</script>', []),
        ('<noscript><img src="pixel.gif"></noscript>', []),
        ('<template><img src="a.png"></template>', []),
        ('<img alt="none">', []),
        ('<img src="data:image/png;base64,AAAA">', []),
        ('<img class="twemoji" src="1f604.svg">', []),
        ('<img class="big emojione" src="1f604.svg">', []),
        ('<img src="wait.gif" data-src="a.png">', ["a.png"]),
        ('<img src="data:x" srcset="a.png 480w, b.png 800w, c.png 640w">', ["b.png"]),
        ('<img srcset="a.png, b.png 2x">', ["b.png"]),
        ('<img srcset="a,b.png 1x,c.png 3x">', ["c.png"]),
        ('<img src="a.png" srcset="b.png 2x">', ["a.png"]),
        (
            '<picture><source srcset="a.avif"><source srcset="a.webp"><img src="a.png"></picture>',
            ["a.png"],
        ),
        (
            '<picture><source srcset="a.webp 1x, b.webp 2x"><img src="data:x"></picture>',
            ["b.webp"],
        ),
        ('<picture><source srcset="a.webp"></picture><img alt="x">', []),
        ('<video><source src="film.mp4"></video><img src="a.png">', ["a.png"]),
    ],
)
def test_each_picture_of_the_content_is_one_image(html, references):
    """The first of: a lazy address, ``src``, the largest of ``srcset``, that of a ``source``."""
    assert list(images_in(shows(html))) == references


@pytest.mark.parametrize(
    ("html", "references"),
    [
        ('<img src="logo.png"><main><img src="a.png"></main><img src="b.png">', ["a.png"]),
        ('<img src="logo.png"><div role="main"><img src="a.png"></div>', ["a.png"]),
        ("<img src=logo.png><div role=main><div></div><img src=a.png></div>", ["a.png"]),
        ('<img src="logo.png"><article><img src="a.png"></article>', ["a.png"]),
        (
            '<main><article><img src="a.png"></article><img src="b.png"></main>',
            ["a.png", "b.png"],
        ),
        ('<body><header><img src="logo.png"></header><img src="a.png"></body>', ["a.png"]),
        ('<img src="a.png">', ["a.png"]),
        ('<main><nav><img src="logo.png"></nav><img src="a.png"></main>', ["a.png"]),
        ('<main><div role="navigation"><img src="n.png"></div><img src="a.png"></main>', ["a.png"]),
        ('<main><img src="a.png"></div></main><img src="b.png">', ["a.png"]),
        ('<main><div><img src="a.png"></main><img src="b.png">', ["a.png"]),
        ("<main><nav><div><img src=n.png></div></nav><img src=a.png></main>", ["a.png"]),
        ("<main><div></div></div><img src=a.png></main><img src=b.png>", ["a.png"]),
    ],
)
def test_what_the_theme_shows_is_no_content(html, references):
    """Inside ``main``, else ``article``, else ``body``; without what stands around the content."""
    assert list(images_in(html)) == references


def test_a_page_that_was_not_built_shows_nothing(tmp_path):
    """Nor does a folder."""
    assert read_built_page(tmp_path / "index.html", images=True) is None
    assert read_built_page(tmp_path, images=True) is None


def images(*pages, root=None, reported=(), **options):
    """The images of each page, and the problems as lines."""
    site = site_of(*pages, **({"root": root} if root else {}))
    entries, problems = decided(site, settings(**options))
    assert problems == list(reported)
    return {loc: list(entry.images) for loc, entry in entries.items()}


@pytest.mark.parametrize(
    ("reference", "url"),
    [
        ("../img/a.png", f"{URL}img/a.png"),
        ("//cdn.example/a.png", "https://cdn.example/a.png"),
        ("http://CDN.example:80/ü b.png#only-dark", "http://cdn.example/%C3%BC%20b.png"),
        ("a.png?w=1&h=2", f"{URL}a/a.png?w=1&h=2"),
        ("data:image/png,x", None),
        ("http://[::1", None),
        ("%zz", None),
    ],
)
def test_their_urls_are_absolute(reference, url):
    """As a browser resolves them, and escaped; what can't be fetched is none."""
    assert images(page("a", images=(reference,)), images=True) == {"a/": [url] if url else []}


def test_a_base_of_the_page_counts():
    """``<base href>``; one that can't be a URL does not."""
    based = page("a", built=PageSays(base="/docs/", images=("a.png",)))
    assert images(based, images=True) == {"a/": [f"{URL}docs/a.png"]}
    broken = page("a", built=PageSays(base="http://[::1", images=("a.png",)))
    assert images(broken, images=True) == {"a/": [f"{URL}a/a.png"]}


@pytest.fixture
def built(tmp_path):
    """A built site with two images."""
    for name in ("site/guide/img/a.png", "site/de/b.png", "site/c d.png"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "secret").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("img/a.png", f"{URL}guide/img/a.png"),
        ("../c d.png", f"{URL}c%20d.png"),
        ("/c%20d.png", f"{URL}c%20d.png"),
        ("../../de/b.png", f"{URL}de/b.png"),
        ("https://cdn.example/x.png", "https://cdn.example/x.png"),
    ],
)
def test_a_path_in_front_matter_starts_from_the_source(built, written, url):
    """As in Markdown; or from the page's own URL, where the built site has a file only there."""
    own = page("guide/x", images=("shown.png",), meta={"sitemap": {"images": [written, written]}})
    assert images(own, root=built, images=True) == {"guide/x/": [url]}


FILE = (
    "but must be a file of the built site, as a path from the page's source, or a URL. "
    "This image is not listed."
)
LIST = "but must be true, false or a list of paths or URLs. No images are written."


@pytest.mark.parametrize(
    ("said", "warning"),
    [
        (["no.png"], f"[0] is 'no.png', {FILE}"),
        ([f"{URL}%2e%2e/secret"], f"[0] is '{URL}%2e%2e/secret', {FILE}"),
        (["img/a.png", "/../../x"], f"[1] is '/../../x', {FILE}"),
        (
            ["data:x"],
            "[0] is 'data:x', which is not an http or https URL. This image is not listed.",
        ),
        (
            ["%zz"],
            ("[0] is '%zz', which has a % that is not followed by two hexadecimal digits. "
            "This image is not listed."),
        ),
        (3, f" is 3, {LIST}"),
        ([""], f" is [''], {LIST}"),
        ({"a": 1}, f" is {{'a': 1}}, {LIST}"),
    ],
)  # fmt: skip
def test_an_image_that_is_none_is_a_warning(built, said, warning):
    """One each, with its place in the list."""
    own = page("guide/x", meta={"sitemap": {"images": said}})
    reported = [f"docs/guide/x.md: sitemap.images{warning}"]
    found = images(own, root=built, reported=reported)["guide/x/"]
    assert found == ([f"{URL}guide/img/a.png"] if "img/a.png" in format_value(said) else [])


def test_a_rule_can_t_name_images():
    """One line stands for many pages."""
    reading = read_options({"rules": [{"match": "a.md", "images": ["a.png"]}]})
    assert [str(each) for each in reading.errors] == [
        "mkdocs.yml: rules[0].images is ['a.png'], but must be true or false."
    ]
