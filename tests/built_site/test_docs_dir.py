"""``--docs-dir``: a page is made from the one file that has its path, whatever the ending."""

import pytest
from any_sites import EDIT, ORIGIN, built, by_git, commit, html, put
from commands import run
from sitemap_xml import read_entries

# Pages of one site, each with the file in the folder docs that it is made from.
PAGES = {
    "index.html": "index.md",
    "a/index.html": "a.md",
    "sphinx/b.html": "sphinx/b.txt",
    "sphinx/guide.html": "sphinx/guide.rst",
    "sphinx/guide/index.html": "sphinx/guide/index.rst",
    "sphinx/guide/c.html": "sphinx/guide/c.ipynb",
    "hugo/index.html": "hugo/_index.md",
    "hugo/leaf/index.html": "hugo/leaf/index.adoc",
    "hugo/list/index.html": None,
    "hugo/flat.html": "hugo/flat/index.md",
    "hugo/tofloat/index.html": "hugo/ToFloat.md",
    "hugo/my-page/index.html": "hugo/My Page.md",
    "hugo/two/index.html": None,
    "mdbook/index.html": "mdbook/README.md",
    "lower/index.html": "lower/readme.md",
    "both/index.html": "both/index.md",
    "own/readme/index.html": "own/README.md",
    "own/index.html": None,
    "twice/index.html": None,
    "endings.html": None,
    "picture.html": "picture.md",
    "template/index.html": None,
    "dated.html": None,
    "c d.html": "c d.md",
    "größe.html": "größe.md",
    "x/a/index.html": None,
}
OTHERS = (
    "hugo/list/a.md", "hugo/two.md", "hugo/Two.md", "both/README.md", "twice.md", "twice/index.md",
    "endings.md", "endings.rst", "picture.png", "picture.py", "template/index.njk",
    "template/README.md", "2025-01-01-dated.md", "dated.de.md",
)  # fmt: skip


def test_the_file_of_the_same_path_dates_a_page(top):
    """Where two files are possible, or only a template, none does."""
    compare(top, dict.fromkeys(PAGES, html()), PAGES, OTHERS)


WITH_LINKS = {
    "a page with another source": (
        {
            "a/index.html": html(EDIT + "docs/b.md"),
            "b/index.html": html(),
            "index.html": html(EDIT + "docs/index.md"),
        },
        {"a/index.html": "b.md", "b/index.html": None, "index.html": "index.md"},
    ),
    "an old version of a page": (
        {
            "a/index.html": html(EDIT + "docs/a.md"),
            "1.0/a/index.html": html(EDIT + "docs/a.md"),
            "b/index.html": html(EDIT + "docs/b.md"),
        },
        {"a/index.html": None, "1.0/a/index.html": None, "b/index.html": "b.md"},
    ),
    "the catalogue of gettext": (
        {"a/index.html": html(lang="it"), "index.html": html(lang="it")},
        {"a/index.html": None, "index.html": None},
    ),
    "a language in a folder": (
        {"it/a/index.html": html(lang="it"), "a/index.html": html()},
        {"it/a/index.html": "it/a.md", "a/index.html": "a.md"},
    ),
}


@pytest.mark.parametrize("name", WITH_LINKS)
def test_links_and_translations_are_believed_more_than_paths(top, name):
    """A file that the link of another page names is not that of a page that has its path."""
    pages, sources = WITH_LINKS[name]
    catalogue = ("locale/it/LC_MESSAGES/a.po",) if "gettext" in name else ()
    compare(top, pages, sources, ("a.md", "b.md", "index.md", *catalogue))


def test_why_a_path_does_not_count_can_be_asked(top):
    """It names both files."""
    compare(top, {"a.html": html()}, {"a.html": None}, ("a.md", "a.rst"))
    _, out, _ = run("explain", "-d", "built", "a.html")
    assert "is not known: its path is that of 'a.md' and 'a.rst'\n" in out


REASONS = {
    "index.html": ("index.njk", "its path is that of 'index.njk', a template"),
    "old.html": ("old.md", "its path is that of 'old.md', which has another address or is a draft"),
    "tags.html": (None, "print a link to edit it: no file in docs makes this one."),
}


@pytest.mark.parametrize("name", REASONS)
def test_a_page_beside_dated_ones_says_why_it_has_no_date(top, name):
    """Another --docs-dir would not help, since others have a date by this one."""
    path, reason = REASONS[name]
    texts = {path: "---\npermalink: /x/\n---\n"} if path else {}
    compare(top, {"a.html": html(), name: html()}, {"a.html": "a.md", name: None}, **texts)
    out = run("explain", "-d", "built", name)[1]
    assert reason in out


def test_a_redirect_is_no_page_of_its_own(top):
    """As Hugo writes it for an alias, so the file makes the page that is left."""
    stub = html(head='<meta http-equiv="refresh" content="0; url=/guide/">')
    pages = {"guide.html": stub, "guide/index.html": html()}
    compare(top, pages, {"guide/index.html": "guide.md"})


def test_without_git_its_front_matter_counts(top):
    """But no page has a date."""
    put(top / "docs", {"a.md": "---\nsitemap: false\n---\n", "b.md": "---\npriority: 0.5\n---\n"})
    put(top / "built", {"a.html": html(), "b.html": html()})
    dates, out, _ = built(top, "--docs-dir", "docs")
    assert dates == {"b.html": None}
    assert "1 left out (excluded)" in out


def test_a_folder_without_sources_is_named(top):
    """As that of Sphinx above its folder `source`."""
    commit(top, {"docs/source/a.rst": "A"})
    put(top / "built", {"a.html": html()})
    dates, _, errors = built(top, "--docs-dir", "docs")
    assert dates == {"a.html": None}
    assert "no file in docs makes a page, as guide/a.md makes guide/a.html." in errors
    dates, _, _ = built(top, "--docs-dir", "docs/source")
    assert dates == {"a.html": by_git(top, "docs/source/a.rst")}


def compare(top, pages, sources, others=(), **texts):
    """Compare the dates of the pages with those of git; sources are in the folder docs."""
    paths = dict.fromkeys([*filter(None, sources.values()), *others], "# Text\n") | texts
    commit(top, {f"docs/{path}": text for path, text in paths.items()}, ORIGIN)
    put(top / "built", pages)
    dates = built(top, "--docs-dir", "docs")[0]
    found = {f"/{path}".removesuffix("/"): date for path, date in dates.items()}
    wanted = {
        f"/{page}".removesuffix("/index.html"): by_git(top, path and f"docs/{path}")
        for page, path in sources.items()
    }
    assert found == wanted


BY_HAND = html(text="{{ site.posts }} {% include x.html %}")  # no builder reads it
MADE = html(head='<meta content="pandoc 3" name=Generator>')
ASK = "`mkdocs-sitemap-plus build built --docs-dir built --site-url https://docs.example/`"
WRITTEN_IN_HTML = {
    "pages": ({"index.html": BY_HAND, "a.html": BY_HAND + "a", "b/index.html": BY_HAND + "b"}, ""),
    "beside a text": ({"a.html": BY_HAND, "a.md": "# A"}, ""),
    "one says what made it": (
        {"a.html": MADE, "a.md": "# A", "b.html": BY_HAND},
        "'built/a.html' names its generator, 'pandoc 3'",
    ),
    "the home page says it": (
        {"index.html": MADE, "a.html": BY_HAND},
        "the home page names 'pandoc 3' as generator",
    ),
    "the home page has the comment of MkDocs": (
        {"index.html": f"{BY_HAND}<!--\nMkDocs version : 1.6.1\n-->", "a.html": BY_HAND},
        "the home page names 'MkDocs 1.6.1' as generator",
    ),
    "one has changes": (
        {"a.html": BY_HAND, "b.html": BY_HAND},
        "'built/a.html' is not as HEAD holds it, so it may have just been built",
    ),
    "one is new": ({"b.html": BY_HAND}, "'built/a.html' is not committed"),
}
"""The committed files of a site, and why a.html has no date; without a reason, it has one."""


@pytest.mark.parametrize("name", WRITTEN_IN_HTML)
def test_a_page_that_is_written_in_html_is_its_own_source(top, name):
    """If its owner says so, by naming the site as the folder of its sources."""
    files, reason = WRITTEN_IN_HTML[name]
    commit(top, {f"built/{path}": text for path, text in files.items()})
    if "changes" in name or "new" in name:
        put(top / "built", {"a.html": BY_HAND + "More"})
    dates, _, _ = built(top, "--docs-dir", "built")
    undated = {"a.html", *([""] if "home page" in name else [])} if reason else set()
    for path, date in dates.items():
        file = f"built/{path}index.html" if path in ("", "b/") else f"built/{path}"
        assert date == by_git(top, None if path in undated else file), path
    assert f": {reason}" in run("explain", "-d", "built", "a.html")[1]


def test_a_copy_of_a_site_that_is_written_in_html_has_its_dates(top):
    """As it is made for the host."""
    commit(top, {"html/a.html": BY_HAND, "html/b.html": BY_HAND, ".gitignore": "built\n"})
    put(top / "built", {"a.html": BY_HAND, "b.html": BY_HAND + "Built of b.html as a template"})
    dates, _, _ = built(top, "--docs-dir", "html")
    assert dates == {"a.html": by_git(top, "html/a.html"), "b.html": None}
    assert "its path is that of 'b.html', a template" in run("explain", "-d", "built", "b.html")[1]


@pytest.mark.parametrize("page", [BY_HAND, MADE])
def test_without_a_folder_of_sources_committed_html_is_none(top, page):
    """A builder may have made it. A message says what to do if not."""
    commit(top, {"built/index.html": page, "built/a.html": BY_HAND})
    dates, _, errors = built(top)
    assert set(dates.values()) == {None}
    assert (f"If the HTML is written by hand, run {ASK}." in errors) == (page == BY_HAND)


def test_what_a_copy_takes_from_elsewhere_counts(top):
    """A script copied the text before the build, and the text lists other pages."""
    commit(top, {"A.md": "# A", "B.md": "# B\n{% for p in site.posts %}{{ p.title }}{% endfor %}"})
    put(top / "docs", {"a.md": "# A", "b.md": (top / "B.md").read_text("utf-8")})
    put(top / "built", {"a.html": html(), "b.html": html()})
    dates, _, _ = built(top, "--docs-dir", "docs")
    assert dates == {"a.html": by_git(top, "A.md"), "b.html": None}


def test_the_top_of_a_repository_can_be_the_site(top):
    """As that of a person on GitHub Pages."""
    commit(top, {"index.html": BY_HAND, "a.html": BY_HAND + "a"})
    run("build", ".", "--site-url", "https://docs.example/", "--docs-dir", ".")
    found = [entry["lastmod"] for entry in read_entries((top / "sitemap.xml").read_bytes())]
    assert found == [by_git(top, "index.html"), by_git(top, "a.html")]
