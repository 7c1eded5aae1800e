"""Cases in which a page could get a date that is too old, or that of another file.

Each file has a commit on a day of its own, in the order in which the files stand here. So the date
of a page names the file that dates it. None: the page has no date.
"""

import pytest
from any_sites import BLOB, EDIT, built, by_git, commit, html, link, put
from commands import run
from git_repositories import git
from quantity import one_in

NEW = "Text.\n"


def page(source="", text=""):
    return html(EDIT + source if source else "", text)


# Of each site: its pages, and what dates those that are not as in the first of these.
THEMED = {f"{name}.html": page(f"docs/{name}.md") for name in ("index", "b", "c", "d")}
SOURCES = {name: f"docs/{name.removesuffix('.html')}.md" for name in THEMED}
BARE = {name: page() for name in THEMED}
TREE = BLOB.replace("/blob/", "/tree/")
VIEW = f'<a href="{TREE}{{}}.md" title="Edit">edit this file</a>'
SITES = {
    "C1 two pages whose text shows a file of their name": (
        BARE | {f"{name}.html": page(text=link(f"{BLOB}{name.upper()}.md")) for name in ("x", "y")},
        dict.fromkeys((*BARE, "x.html", "y.html")),
    ),
    "C2 a link to edit a file in the text": (
        THEMED | {"contributing.html": page(text=link(f"{EDIT}CONTRIBUTING.md"))},
        {"contributing.html": None},
    ),
    "two links to edit a page": (
        THEMED | {"b.html": page("docs/b.md") + page("docs/c.md")},
        {"b.html": None},
    ),
    "C3 an old version in a folder": (
        THEMED | {f"v1/{name}": page(SOURCES[name]) for name in ("b.html", "c.html")},
        dict.fromkeys(("b.html", "c.html", "v1/b.html", "v1/c.html")),
    ),
    "another branch": (
        THEMED | {"v1/b.html": html("https://github.com/lamp/lamp/edit/1.x/docs/b.md")},
        {"v1/b.html": None},
    ),
    "a page that nobody has translated yet": (
        THEMED | {"de/c.html": html(EDIT + "docs/c.md", lang="de")},
        {"de/c.html": "docs/c.md"},
    ),
    "a catalogue of gettext": (
        THEMED | {"it/c.html": html(EDIT + "docs/c.md", lang="it")},
        {"it/c.html": None},
    ),
    "the first chapter of a book, which is its index too": (
        THEMED | {"b/one.html": page("docs/new.md"), "b/index.html": page("docs/new.md")},
        {"b/one.html": "docs/new.md", "b/": "docs/new.md"},
    ),
    "the first chapter in a folder, with links that lead up from there": (
        THEMED
        | {
            "index.html": page("docs/index.md", '<a href="part/one.html">One</a>'),
            "part/index.html": page("docs/index.md", '<a href="../part/one.html">One</a>'),
            "part/one.html": page("docs/new.md"),
        },
        {"part/": "docs/index.md", "part/one.html": "docs/new.md"},
    ),
    "links to edit a page that lead to GitHub's view of the file": (
        THEMED | {"guide.html": html(TREE + "docs/new.md"), "start.html": html(BLOB + "README.md")},
        {"guide.html": "docs/new.md", "start.html": "README.md"},
    ),
    "links in texts to the view of a file that readers may edit": (
        THEMED | {f"{name.lower()}.html": page(text=VIEW.format(name)) for name in ("NEW", "X")},
        {"new.html": None, "x.html": None},
    ),
}


@one_in(3)
@pytest.mark.parametrize("case", SITES)
def test_no_page_has_the_date_of_another_file(top, case):
    pages, expected = SITES[case]
    others = (
        "LICENSE.txt",
        "X.md",
        "Y.md",
        "CONTRIBUTING.md",
        "README.md",
        "docs/new.md",
        "i18n/de/b.md",
    )
    commit(top, dict.fromkeys((*SOURCES.values(), *others, "locale/it/c.po"), NEW))
    put(top / "built", pages)
    wanted = {("" if name == "index.html" else name): path for name, path in SOURCES.items()}
    wanted |= {("" if name == "index.html" else name): path for name, path in expected.items()}
    assert built(top)[0] == {name: by_git(top, path) for name, path in wanted.items()}


def test_a_version_is_named_and_can_be_left_out(top):
    """D2, C3: then the rest of the site has its dates."""
    pages, _ = SITES["C3 an old version in a folder"]
    commit(top, dict.fromkeys(SOURCES.values(), NEW))
    put(top / "built", pages)
    _, _, errors = built(top)
    assert "--exclude v1/" in errors
    dates, _, _ = built(top, "--exclude", "v1/")
    assert dates == {
        ("" if name == "index.html" else name): by_git(top, path) for name, path in SOURCES.items()
    }


def test_two_versions_without_more_are_one_warning(top):
    """As on mdBook's own site: that a theme has no links would be wrong."""
    commit(top, dict.fromkeys(SOURCES.values(), NEW))
    put(top / "built", THEMED | {f"pre-release/{name}": text for name, text in THEMED.items()})
    _, out, errors = built(top)
    assert out == "sitemap.xml: 8 pages\n"
    (line,) = errors.splitlines()
    assert line.startswith("Warning: 8 pages have no date, since two built pages claim each file")


def test_a_folder_with_pages_of_its_own_is_no_version(top):
    """`--exclude part/` would leave out pages that are nowhere else."""
    own = {"part/index.html": page("docs/index.md", "Part"), "part/one.html": page("docs/new.md")}
    commit(top, dict.fromkeys((*SOURCES.values(), "docs/new.md"), NEW))
    put(top / "built", THEMED | own)
    dates, _, errors = built(top)
    assert (dates[""], dates["part/"]) == (None, None)
    assert dates["part/one.html"] == by_git(top, "docs/new.md")
    assert "--exclude" not in errors


def test_a_page_without_a_file_is_not_told_to_get_a_link(top):
    """A list of tags has none, and the theme prints the links of all other pages."""
    commit(top, dict.fromkeys(SOURCES.values(), NEW))
    put(top / "built", THEMED | {"tags.html": page()})
    built(top)
    out = run("explain", "-d", "built", "tags.html")[1]
    assert "If the page has a source file, let the theme print a link to edit it, or name" in out


def test_c9_a_path_that_is_that_of_a_draft(top):
    """Nor is a file with an address of its own the source of the page that has its path."""
    sources = {
        "content/setup.md": "---\nurl: /install/\n---\n",
        "content/install.md": "---\ndraft: true\n---\n",
        "content/moved.md": "+++\nslug = 'x'\n+++\n",
        "content/up.md": "---\npermalink: /new/up/\n---\n",
        "content/b.md": "---\ndraft: false\n---\n",
    }
    commit(top, sources)
    names = ("install", "moved", "up", "b")
    put(top / "built", {f"{name}/index.html": html() for name in names})
    dates, _, _ = built(top, "--docs-dir", "content")
    undated = dict.fromkeys(("install/", "moved/", "up/"))
    assert dates == {"b/": by_git(top, "content/b.md"), **undated}


def test_a_file_may_name_the_address_that_its_path_gives_it(top):
    """As about.md of each new site of Jekyll; a slug is the last part of an address."""
    sources = {
        "docs/index.md": "---\npermalink: /index.html\n---\n",
        "docs/about.md": "---\npermalink: /about/\n---\n",
        "docs/a/x.md": "---\nurl: '/a/x.html'\n---\n",
        "docs/a/slug.md": '+++\nslug = "slug"\n+++\n',
    }
    commit(top, sources)
    pages = ("index.html", "about/index.html", "a/x.html", "a/slug/index.html")
    put(top / "built", dict.fromkeys(pages, html()))
    dates, _, _ = built(top, "--docs-dir", "docs")
    wanted = dict(zip(("", "about/", "a/x.html", "a/slug/"), sources, strict=True))
    assert dates == {url: by_git(top, path) for url, path in wanted.items()}


def test_c10_a_sparse_checkout_hides_what_a_page_includes(top):
    """HEAD has the file, and nobody can read it here."""
    commit(
        top,
        {"docs/a.md": "{% include b.md %}", "parts/b.md": "{% include c.md %}", "parts/c.md": NEW},
    )
    put(top / "built", {"a.html": page("docs/a.md"), "b.html": page("parts/b.md")})
    git(top, "sparse-checkout", "set", "docs")
    assert set(built(top)[0].values()) == {None}


def copies(top, names, text="x\n"):
    put(top / "built/_sources", dict.fromkeys(names, text))


def test_d1_sphinx_publishes_its_sources_without_a_link(top):
    """By path and text; whatever ends its lines."""
    commit(top, dict.fromkeys(("doc/index.rst", "doc/a/b.md", "doc/n.txt", "a/b.md"), "x\n"))
    copies(top, ("index.rst.txt", "n.txt", "api/made.rst.txt"))
    copies(top, ("a/b.md.txt",), "x\r\n")
    put(top / "built", dict.fromkeys(("index.html", "a/b.html", "n.html", "api/made.html"), html()))
    sources = {"": "doc/index.rst", "a/b.html": "doc/a/b.md", "n.html": "doc/n.txt"}
    expected = {name: by_git(top, path) for name, path in sources.items()}
    assert built(top)[0] == expected | {"api/made.html": None}


def test_d1_two_projects_with_the_same_copies_name_nothing(top):
    commit(top, dict.fromkeys(("one/index.rst", "two/index.rst"), "x\n"))
    copies(top, ("index.rst.txt",))
    put(top / "built", {"index.html": html()})
    assert built(top)[0] == {"": None}


def test_d3_what_sphinx_makes_itself_is_not_listed(top):
    """In a site of Sphinx; elsewhere, a page may have such a name."""
    pages = (
        "index.html",
        "404/index.html",
        "genindex/index.html",
        "search.html",
        "_modules/a.html",
    )
    put(top / "built", dict.fromkeys((*pages, "py-modindex.html", "guide/search.html"), html()))
    put(top / "built", {"searchindex.js": ""})
    commit(top, {"docs/index.md": NEW})
    assert [*built(top)[0]] == ["", "guide/search.html"]
    _, out, _ = run("explain", "-d", "built", "py-modindex.html", "_modules/a.html")
    assert out.count("static file  index, search or code that its builder adds\n") == 2


@pytest.mark.parametrize(
    ("key", "date"),
    [
        ("lastUpdated: 2024-01-02", "2024-01-02"),
        ("last_update: {date: 2024-01-03}", "2024-01-03"),
        ("date: 2024-01-05", None),
    ],
)
def test_dates_in_the_keys_of_builders(top, key, date):
    """If they are dates; the day on which a page was written is none of its changes."""
    commit(top, {"docs/a.md": f"---\n{key}\n---\n", "docs/b.md": NEW})
    put(top / "built", {"a.html": page("docs/a.md"), "b.html": page("docs/b.md")})
    assert built(top)[0]["a.html"] == (date or by_git(top, "docs/a.md"))
