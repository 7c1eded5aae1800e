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
LATER = {"docs/zz.md": NEW}  # no page is as new as this file

# Of each text: the source, what it says, the file that is newer, and what dates the page.
TEXTS = {
    # Directives
    "W1 a directive with content that reads a folder": (
        "docs/a.md",
        "```{towncrier-draft-entries}\nmain\n```",
        "changelog.d/1.md",
        None,
    ),
    "C4 nested content": (
        "docs/a.rst",
        ".. argparse::\n   :module: lamp\n\n   light\n      It shines.",
        "lamp.py",
        None,
    ),
    "C5 keys as content": ("docs/a.rst", ".. bibliography::\n\n   lamp2024", "refs.bib", None),
    "autodoc": ("docs/a.rst", ".. automodule:: lamp\n   :members:", "lamp.py", None),
    "autodoc in a domain": ("docs/a.rst", ".. py:autofunction:: lamp.on", "lamp.py", None),
    "in a list": ("docs/a.rst", "* .. include:: b.rst", "docs/b.rst", "docs/b.rst"),
    "in one line with another": (
        "docs/a.rst",
        ".. tip:: .. include:: b.rst",
        "docs/b.rst",
        "docs/b.rst",
    ),
    "its path in the next line": ("docs/a.rst", ".. include::\n   b.rst", "docs/b.rst", None),
    "an option that names a file": (
        "docs/a.rst",
        ".. csv-table:: Lamps\n   of a house\n   :file: b.csv",
        "docs/b.csv",
        "docs/b.csv",
    ),
    "an option in YAML": (
        "docs/a.md",
        "```{csv-table} L\n---\nfile: b.csv\n---\n```",
        "docs/b.csv",
        "docs/b.csv",
    ),
    "from the folder of conf.py": (
        "docs/g/a.rst",
        ".. include:: /b.rst",
        "docs/b.rst",
        "docs/b.rst",
    ),
    "reStructuredText in MyST": (
        "docs/a.md",
        "```{eval-rst}\n.. include:: b.rst\n```",
        "docs/b.rst",
        "docs/b.rst",
    ),
    "inside a tab": (
        "docs/a.md",
        "::::{tab-set}\n```{include} b.md\n```\n::::",
        "docs/b.md",
        "docs/b.md",
    ),
    "a cell that reads data": (
        "docs/a.md",
        "```{code-cell}\nread_csv('b.csv')\n```",
        "docs/b.csv",
        "docs/b.csv",
    ),
    "C17 a block of another page": ("docs/a.md", "![](#lamps)", "docs/b.md", None),
    "an example": (
        "docs/a.rst",
        ".. code-block:: rst\n\n   .. automodule:: lamp",
        "lamp.py",
        "docs/a.rst",
    ),
    "a literal block": ("docs/a.rst", "So::\n\n   .. automodule:: lamp", "lamp.py", "docs/a.rst"),
    "a comment": ("docs/a.rst", ".. Not now\n   .. automodule:: lamp", "lamp.py", "docs/a.rst"),
    "an example in Markdown": (
        "docs/a.md",
        "````md\n```{automodule} lamp\n```\n````",
        "lamp.py",
        "docs/a.md",
    ),
    "a comment in Markdown": (
        "docs/a.md",
        "<!--\n```{automodule} lamp\n```\n-->",
        "lamp.py",
        "docs/a.md",
    ),
    # Tags
    "C6 a folder of includes with another name": (
        "docs/a.md",
        "{% include b.html %}",
        "parts/b.html",
        "parts/b.html",
    ),
    "C7 a loop over data": (
        "docs/a.md",
        "{% for m in site.data.team %}{% endfor %}",
        "_data/team.yml",
        None,
    ),
    "an output of data": ("docs/a.md", "{{ site.data.team.ann }}", "_data/team.yml", None),
    "C8 a loop over posts": (
        "docs/a.md",
        "{% for p in site.posts %}{% endfor %}",
        "_posts/1.md",
        None,
    ),
    "W5 a list of posts": (
        "blog.md",
        "{%- for p in collections.posts %}{% endfor %}",
        "blog/1.md",
        None,
    ),
    "W5 a loop over data of the site": (
        "docs/a.njk",
        "{%- for s in supporters %}{% endfor %}",
        "_data/supporters.js",
        None,
    ),
    "a loop over what the page has": (
        "docs/a.md",
        "{% assign s = 'a b' | split: ' ' %}{% for x in s %}{% endfor %}",
        "b.md",
        "docs/a.md",
    ),
    "plain values of the site": (
        "docs/a.md",
        "{{ site.baseurl }}/{{ page.title }}",
        "_config.yml",
        "docs/a.md",
    ),
    "C13 an include of Hexo": ("docs/a.md", "{% include_code b.js %}", "code/b.js", "code/b.js"),
    "C18 a tag of the site": (
        "docs/a.md",
        '{% codeFile "code/x.js" %}',
        "src/code/x.js",
        "src/code/x.js",
    ),
    "the title of a sample": ("docs/a.md", '{% codetitle "x.js" %}', "x.js", "docs/a.md"),
    "C18 a page of pages": (
        "docs/a.njk",
        "---\npagination:\n  data: team\n---\n",
        "_data/team.yml",
        None,
    ),
    "a computed name": ("docs/a.md", "{% include {{ page.lamp }} %}", "b.html", None),
    "tags that are shown": (
        "docs/a.md",
        "{% raw %}{% for p in site.posts %}{% endraw %}",
        "_posts/1.md",
        "docs/a.md",
    ),
    # Shortcodes
    "W4 a template that reads a file of data": (
        "content/a.md",
        "{{< toggle config=media />}}",
        "data/docs.yaml",
        "data/docs.yaml",
        {"layouts/_shortcodes/toggle.html": "{{ index hugo.Data.docs.config }}"},
    ),
    "W4 a template that shows another page": (
        "content/a.md",
        "{{% term float %}}",
        "content/float.md",
        None,
        {"layouts/shortcodes/term.html": "{{ with site.GetPage (.Get 0) }}{{ .Content }}{{ end }}"},
    ),
    "a template that shows what is inside": (
        "content/a.md",
        "{{< toggle >}}\na: 1\n{{< /toggle >}}",
        "data/docs.yaml",
        "content/a.md",
        {"layouts/_shortcodes/toggle.html": "{{ .Inner }}{{ index hugo.Data.docs.config }}"},
    ),
    "a file by its path": (
        "content/a.md",
        '{{% code_sample file="pods/b.yaml" %}}',
        "content/examples/pods/b.yaml",
        "content/examples/pods/b.yaml",
    ),
    "an include without a file": ("content/a.md", '{{% readfile "nowhere.md" %}}', "b.md", None),
    "a title": ("content/a.md", '{{< tab "b.go" >}}', "src/b.go", "content/a.md"),
    # Imports
    "W2 data without ending": (
        "docs/a.md",
        "<script setup>\nimport { t } from './_data/team'\n</script>",
        "docs/_data/team.ts",
        "docs/_data/team.ts",
    ),
    "W2 a loader without ending": (
        "docs/a.md",
        "<script setup>\nimport { data } from './b.data'\n</script>",
        "docs/b.data.ts",
        None,
    ),
    "a component without ending": ("docs/a.mdx", "import B from './B'", "docs/B.jsx", "docs/a.mdx"),
    "a package": ("docs/a.mdx", "import Tabs from '@theme/Tabs'", "docs/Tabs.js", "docs/a.mdx"),
    "text": (
        "docs/a.mdx",
        "import B from '@site/parts/_b.mdx'",
        "web/parts/_b.mdx",
        "web/parts/_b.mdx",
    ),
    "code as text": (
        "docs/a.mdx",
        "import b from '!!raw-loader!./b.py'",
        "docs/b.py",
        "docs/b.py",
    ),
    "C15 what matches a pattern": (
        "docs/a.md",
        "<script>\nimport.meta.glob('./parts/*.md')\n</script>",
        "docs/parts/b.md",
        None,
    ),
    "C14 a route": ("docs/[name].md", "# {{ $params.name }}", "docs/[name].paths.ts", None),
    # Marks of single builders
    "C11 an attribute of a code block": (
        "docs/a.md",
        "```js file=../src/a.js\n```",
        "src/a.js",
        "src/a.js",
    ),
    "an attribute that is a title": (
        "docs/a.md",
        '```toml {file="hugo.toml"}\n```',
        "x/hugo.toml",
        "docs/a.md",
    ),
    "C12 code in VuePress": ("docs/a.md", "@[code](./x.js)", "docs/x.js", "docs/x.js"),
    "C12 text in VuePress": ("docs/a.md", "<!-- @include: ./b.md -->", "docs/b.md", "docs/b.md"),
    "C16 a child of R Markdown": (
        "docs/a.Rmd",
        '```{r child="_x.Rmd"}\n```',
        "docs/_x.Rmd",
        "docs/_x.Rmd",
    ),
    "C16 a listing": ("docs/a.qmd", "---\nlisting: posts\n---\n", "docs/posts/1.qmd", None),
    "C16 data that code reads": (
        "docs/a.qmd",
        '```{python}\npd.read_csv("b.csv")\n```',
        "docs/b.csv",
        "docs/b.csv",
    ),
    "mdBook, in a code block": (
        "src/a.md",
        "```rust\n{{#rustdoc_include ../code/b.rs:here}}\n```",
        "code/b.rs",
        "code/b.rs",
    ),
    "mdBook, as an example": ("src/a.md", "```\n{{#include file.rs}}\n```", "b.rs", "src/a.md"),
    "Antora": (
        "modules/m/pages/a.adoc",
        "include::partial$b.adoc[]",
        "modules/m/partials/b.adoc",
        "modules/m/partials/b.adoc",
    ),
    "a variable of AsciiDoc": ("docs/a.adoc", "include::{parts}/b.adoc[]", "docs/b.adoc", None),
    "snippets": ("docs/a.md", '--8<-- "parts/b.md"', "parts/b.md", "parts/b.md"),
    "two files of one name": ("docs/a.md", '{% include "b.md" %}', "x/b.md", None, {"y/b.md": NEW}),
    "the file of one's own language": (
        "docs/en/a.md",
        "<<< @/parts/b.js",
        "docs/en/parts/b.js",
        "docs/en/parts/b.js",
        {"docs/de/parts/b.js": NEW},
    ),
}


@one_in(3)
@pytest.mark.parametrize("case", TEXTS)
def test_no_page_is_older_than_what_its_text_names(top, case):
    source, text, part, wanted, *more = TEXTS[case]
    others = {"docs/index.md": NEW} | (more[0] if more else {})
    commit(top, others | {source: f"{text}\n", part: NEW} | LATER)
    put(top / "built", {"a.html": html(EDIT + source), "index.html": html(EDIT + "docs/index.md")})
    assert built(top)[0]["a.html"] == by_git(top, wanted)


def page(source="", text=""):
    return html(EDIT + source if source else "", text)


# Of each site: its pages, and what dates those that are not as in the first of these.
THEMED = {f"{name}.html": page(f"docs/{name}.md") for name in ("index", "b", "c", "d")}
SOURCES = {name: f"docs/{name.removesuffix('.html')}.md" for name in THEMED}
BARE = {name: page() for name in THEMED}
LICENCE = link(f"{BLOB}LICENSE.txt")  # in the footer of each page
SHOWN = {name: page(text=f"{LICENCE}<b>{link(BLOB + path)}</b>") for name, path in SOURCES.items()}
SITES = {
    "C1 two pages whose text shows a file of their name": (
        BARE | {f"{name}.html": page(text=link(f"{BLOB}{name.upper()}.md")) for name in ("x", "y")},
        dict.fromkeys((*BARE, "x.html", "y.html")),
    ),
    "a link in a text that looks like that of the footer": (
        SHOWN | {"index.html": SHOWN["index.html"] + f"<p>Text. {link(BLOB + 'README.md')}</p>"},
        {},
    ),
    "C2 a link to edit a file in the text": (
        THEMED | {"contributing.html": page(text=link(f"{EDIT}CONTRIBUTING.md"))},
        {"contributing.html": None},
    ),
    "two links to edit a page": (
        THEMED | {"b.html": page("docs/b.md") + page("docs/c.md")},
        {"b.html": None},
    ),
    "an edit link of the theme, and one in the text": (
        THEMED | {"b.html": page("docs/b.md", link(f"{EDIT}README.md"))},
        {},
    ),
    "C3 an old version in a folder": (
        THEMED | {f"v1/{name}": page(SOURCES[name]) for name in ("b.html", "c.html")},
        dict.fromkeys(("b.html", "c.html", "v1/b.html", "v1/c.html")),
    ),
    "another branch": (
        THEMED | {"v1/b.html": html("https://github.com/lamp/lamp/edit/1.x/docs/b.md")},
        {"v1/b.html": None},
    ),
    "a translation whose link is that of the original": (
        THEMED | {"fr/b.html": html(EDIT + "docs/b.md", lang="fr")},
        {"fr/b.html": None},
    ),
    "a page that nobody has translated yet": (
        THEMED | {"de/c.html": html(EDIT + "docs/c.md", lang="de")},
        {"de/c.html": "docs/c.md"},
    ),
    "a page that is translated": (
        THEMED | {"de/b.html": html(EDIT + "docs/b.md", lang="de")},
        {"de/b.html": None},
    ),
    "a catalogue of gettext": (
        THEMED | {"it/c.html": html(EDIT + "docs/c.md", lang="it")},
        {"it/c.html": None},
    ),
    "the first chapter of a book, which is its index too": (
        THEMED | {"b/one.html": page("docs/new.md"), "b/index.html": page("docs/new.md")},
        {"b/one.html": "docs/new.md", "b/": "docs/new.md"},
    ),
    "a page that no robot reads, of the next version": (
        THEMED
        | {"next/b.html": html(EDIT + "docs/b.md", head="<meta name=robots content=noindex>")},
        {"b.html": None},
    ),
}


@one_in(2)
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


def test_c9_a_path_that_is_that_of_a_draft(top):
    """Nor is a file with an address of its own the source of the page that has its path."""
    sources = {
        "content/setup.md": "---\nurl: /install/\n---\n",
        "content/install.md": "---\ndraft: true\n---\n",
        "content/moved.md": "+++\nslug = 'x'\n+++\n",
        "content/b.md": "---\ndraft: false\n---\n",
    }
    commit(top, sources)
    put(
        top / "built",
        dict.fromkeys(("install/index.html", "moved/index.html", "b/index.html"), html()),
    )
    dates, _, _ = built(top, "--docs-dir", "content")
    assert dates == {"b/": by_git(top, "content/b.md"), "install/": None, "moved/": None}


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
    assert out.count("static file  Sphinx makes it beside the pages\n") == 2


@pytest.mark.parametrize(
    ("key", "date"),
    [
        ("lastUpdated: 2024-01-02", "2024-01-02"),
        ("last_update: {date: 2024-01-03}", "2024-01-03"),
        ("last_modified_at: 2024-01-04", "2024-01-04"),
        ("lastUpdated: false", None),
        ("date: 2024-01-05", None),
    ],
)
def test_dates_in_the_keys_of_builders(top, key, date):
    """If they are dates; the day on which a page was written is none of its changes."""
    commit(top, {"docs/a.md": f"---\n{key}\n---\n", "docs/b.md": NEW})
    put(top / "built", {"a.html": page("docs/a.md"), "b.html": page("docs/b.md")})
    assert built(top)[0]["a.html"] == (date or by_git(top, "docs/a.md"))


def test_explain_names_the_construct(top):
    commit(top, {"docs/a.rst": ".. automodule:: lamp\n", "docs/b.md": NEW})
    put(top / "built", {"a.html": page("docs/a.rst"), "b.html": page("docs/b.md")})
    built(top)
    _, out, _ = run("explain", "-d", "built", "a.html")
    assert "automodule lamp" in out
