"""Edge cases of the protocol: URLs, dates, fields, limits."""

import gzip
import unicodedata

import pytest
from decided import decided, page, settings, site_of
from limits import limits
from sitemap_xml import read_entries


def param(name, *values):
    return pytest.param(*values, id=name)


# Which URL comes out.


NAMES = {
    "a&amp;b.md": "a%26amp%3Bb/",
    "it's.md": "it%27s/",
    "a b.md": "a%20b/",
    unicodedata.normalize("NFC", "ü.md"): "%C3%BC/",
    unicodedata.normalize("NFD", "ü.md"): "u%CC%88/",
    "100%.md": "100%25/",
    "c%20d.md": "c%2520d/",
    "index.md": "",
    "sub/README.md": "sub/",
    "😀.md": "%F0%9F%98%80/",
    "l\u2028s.md": "l%E2%80%A8s/",
    "n\x85l.md": "n%C2%85l/",
}


def test_the_names_of_pages_become_their_urls_as_mkdocs_makes_them(site):
    """Percent-encoded as on disk, and dated: git knows the names as well.

    Another build gives the same bytes, whatever clock it is given.
    """
    site.docs(dict.fromkeys(NAMES, "# Page\n"))
    site.config()
    site.commit()
    built = site.build()
    dated = {"lastmod": "2024-05-01T10:00:00+00:00"}
    assert built.by_loc() == dict.fromkeys(NAMES.values(), dated)
    assert built.warnings == []
    before = [built.path(name).read_bytes() for name in ("sitemap.xml", "sitemap.xml.gz")]
    site.build(SOURCE_DATE_EPOCH="1")
    assert [built.path(name).read_bytes() for name in ("sitemap.xml", "sitemap.xml.gz")] == before
    assert gzip.decompress(before[1]) == before[0]


@pytest.mark.parametrize(
    ("site_url", "arguments", "locs"),
    [
        param("folder-without-slash", "https://h.example/proj", [], ["proj/", "proj/a/"]),
        param("port", "https://h.example:8080/", [], [":8080/", ":8080/a/"]),
        param(
            "no-directory-urls",
            "https://h.example/a&b/it's/",
            ["--no-directory-urls"],
            ["a&b/it's/a.html", "a&b/it's/index.html"],
        ),
    ],
)
def test_every_url_begins_with_the_site_url(site, site_url, arguments, locs):
    """Path, port and characters as they are configured, with a slash at the end."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.config(site_url=f'"{site_url}"')
    built = site.build(*arguments)
    assert built.warnings == []
    start = "https://h.example"
    found = [loc.removeprefix("/") for loc in built.locs(base=start)]
    assert found == locs


# Which pages are listed.

THEME = {
    "theme/main.html": """\
<!doctype html><html><head>
{%- if page and page.meta.head %}{{ page.meta.head }}{% endif -%}
</head><body>{% if page %}{{ page.content }}{% endif %}</body></html>
""",
    "theme/404.html": "<!doctype html><title>Not found</title>\n",
}


def with_head(html):
    return f"---\nhead: >-\n  {html}\n---\n# Page\n"


def page_of_length(length):
    left = length - len("https://web.example/") - 1
    parts = []
    while left > 201:
        parts.append("x" * 199)
        left -= 200
    return "/".join([*parts, "y" * left])


LISTED = {
    page_of_length(2047) + ".md": "# 2047\n",
    "hidden.md": "# Not in the navigation\n",
    "index.md": "# Home\n",
    "orphan.md": "# Nobody names it\n",
    "plain.md": "# Plain\n",
}
LEFT_OUT = {
    "host.md": with_head('<link rel="canonical" href="https://other.example/">'),
    "scheme.md": with_head('<link rel="canonical" href="http://web.example/scheme/">'),
    "1.0.md": with_head('<link rel="canonical" href="/latest/">'),
    page_of_length(2048) + ".md": "# 2048\n",
    "noindex.md": with_head('<meta name="robots" content="noindex">'),
    "stub.md": with_head('<meta http-equiv="refresh" content="0; url=/plain/">'),
    "draft.md": "# Draft\n",
    "excluded.md": "# Excluded\n",
}


def test_which_pages_are_listed(site):
    """Canonical, indexable pages of the built site: no error page, no link to elsewhere.

    A URL that is too long is the only one of these that the owner should mend.
    """
    site.docs(LISTED | LEFT_OUT)
    site.write(THEME)
    site.config(
        theme="theme: {name: null, custom_dir: theme, static_templates: [404.html]}\n",
        more="draft_docs: draft.md\nnot_in_nav: hidden.md\nexclude_docs: excluded.md\n"
        "nav: [index.md, plain.md, External: 'https://web.example/elsewhere/']\n",
    )
    built = site.build(found=["not-listed"])  # the page whose URL is too long
    assert built.path("404.html").exists()
    locs = {f"{name.removesuffix('.md')}/".removeprefix("index/") for name in LISTED}
    assert set(built.locs()) == locs
    name = page_of_length(2048)
    shown = f"https://web.example/{name}"[:97] + "..."
    assert built.warnings == [
        (
            f"docs/{name}.md: its URL {shown} has 2048 characters, where the protocol allows 2047. "
            "The page is left out."
        )
    ]


def test_an_error_page_of_ones_own_is_not_listed(site):
    """Wherever MkDocs builds it. Below a folder, ``404/`` is a page like any other."""
    site.docs(dict.fromkeys(("index.md", "404.md", "de/404.md", "codes/list/404.md"), "# Page\n"))
    site.config("lastmod: {sources: []}")
    built = site.build()
    assert built.path("404/index.html").exists()
    assert built.locs() == ["", "codes/list/404/"]


# URLs that the owner adds.

LONGEST = "https://web.example/" + "x" * (2047 - len("https://web.example/"))
UNUSABLE = "which {}. The URL is not listed."
UNDER = (
    "but must be a URL under the sitemap's own folder https://web.example/. The URL is not listed."
)
ADDED = [
    param("broken-escape", {"loc": "/%zz"}, None,
        ".loc is '/%zz', "
        + UNUSABLE.format("has a % that is not followed by two hexadecimal digits")),
    param("percent-escape", {"loc": "a%20b"}, "https://web.example/a%20b", None),
    param("characters", {"loc": "a\\b{c}|[d]"}, "https://web.example/a%5Cb%7Bc%7D%7C%5Bd%5D", None),
    param("fragment", {"loc": "a/#frag"}, "https://web.example/a/", None),
    param("letters", {"loc": "ümlat.php?q=ü"}, "https://web.example/%C3%BCmlat.php?q=%C3%BC", None),
    param("letter-in-host", {"loc": "https://bücher.example/"}, None,
        f".loc is 'https://bücher.example/', {UNDER}"),
    param("capitals-and-port", {"loc": "HTTPS://Web.EXAMPLE:443/A"}, "https://web.example/A",
        ".loc is 'HTTPS://Web.EXAMPLE:443/A', but must be a URL that begins with "
        "https://web.example/. It is written with that beginning."),
    param("other-port", {"loc": "https://web.example:8443/a"}, None,
        f".loc is 'https://web.example:8443/a', {UNDER}"),
    param("2047-characters", {"loc": LONGEST}, LONGEST, None),
    param("2048-characters", {"loc": LONGEST + "x"}, None,
        f".loc is '{LONGEST[:76]}..., " + UNUSABLE.format(
            "has 2048 characters, where the protocol allows 2047")),
    param("future", {"loc": "a", "lastmod": "2026-11-22"}, "https://web.example/a",
        ".lastmod is 2026-11-22, which is in the future. No lastmod is written."),
]  # fmt: skip


@pytest.mark.parametrize(("added", "loc", "reported"), ADDED)
def test_an_extra_url_is_normalised_or_reported(added, loc, reported):
    """Absolute, escaped, in ASCII, under the sitemap's own folder."""
    entries, problems = decided(site_of(), settings(extra_urls=[added]))
    assert [entry.loc for entry in entries.values()] == ([loc] if loc else [])
    assert problems == ([f"mkdocs.yml: extra_urls[0]{reported}"] if reported else [])
    assert all(entry.lastmod is None for entry in entries.values())


@pytest.mark.parametrize(
    ("host", "ascii_host"),
    [
        param("capitals", "BÜCHER.example", "xn--bcher-kva.example"),
        param("sharp-s", "faß.de", "xn--fa-hia.de"),
    ],
)
def test_a_host_gets_its_ascii_form(host, ascii_host):
    """By IDNA2008, also where it stands in the URL of an image."""
    meta = {"sitemap": {"images": [f"https://{host}/a.png"]}}
    entries, problems = decided(site_of(page("a", meta=meta)))
    assert entries["a/"].images == (f"https://{ascii_host}/a.png",)
    assert problems == []


# Images.


@pytest.mark.parametrize(
    ("count", "listed", "reported"),
    [
        param("1000-images", 1000, 1000, []),
        param("1001-images", 1001, 1000,
              [("docs/a.md: has 1,001 images, but at most 1,000 are allowed for a page. "
                "The first 1,000 are written.")]),
    ],
)  # fmt: skip
def test_a_page_has_at_most_1000_images(count, listed, reported):
    """The schema does not check it."""
    shown = tuple(f"{number}.png" for number in range(count))
    entries, problems = decided(site_of(page("a", images=shown)), settings(images=True))
    assert entries["a/"].images == tuple(f"https://web.example/a/{name}" for name in shown[:listed])
    assert problems == reported


def test_an_image_is_listed_once():
    """However it is written."""
    own = page("a", images=("x.png", "/a/x.png", "../a/x.png#top"))
    entries, problems = decided(site_of(own), settings(images=True))
    assert (entries["a/"].images, problems) == (("https://web.example/a/x.png",), [])


# Several files, and none.

HOME = "https://web.example/"


def test_parts_lie_beside_their_index_which_lists_neither_itself_nor_an_index(site):
    """Readers may take more, so that this is all that holds it."""
    site.docs({"index.md": "# Home\n", "a/b.md": "# B\n", "a/c.md": "# C\n"})
    site.config("extra_sitemaps: [a/s.xml]")
    with limits(max_urls=1):
        built = site.build("--strict")
    folder = built.path("")
    indexes = {
        path.name: [entry["loc"].removeprefix(HOME) for entry in read_entries(path.read_bytes())]
        for path in folder.glob("*.xml")
        if b"<sitemapindex " in path.read_bytes()
    }
    assert "sitemap.xml" in indexes
    for listed in indexes.values():
        assert not set(listed) & set(indexes)
        assert all((folder / name).is_file() for name in listed if name != "a/s.xml")


def test_a_site_without_a_page_that_may_be_listed_has_no_sitemap(site):
    """The protocol has no empty sitemap."""
    site.docs({"index.md": "---\nsitemap: false\n---\n# Home\n"})
    site.config("extra_sitemaps: [a/s.xml]")
    with limits(max_urls=1):
        built = site.build()
    assert built.lines == [
        (
            "WARNING docs/index.md:2: sitemap leaves no page that can be listed (1 excluded). No "
            "file is written, because a sitemap must not be empty."
        )
    ]
    assert not list(built.path("").glob("*.xml*"))
