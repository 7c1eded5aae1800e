"""mkdocs-include-markdown-plugin: a page is as new as the newest file that it includes."""

import pytest

pytest.importorskip("mkdocs_include_markdown_plugin", reason="needs mkdocs-include-markdown-plugin")

PLUGIN = "  - include-markdown\nexclude_docs: |\n  parts/\n"
PAGES = {
    "plain.md": "# Plain\n",
    "markdown.md": '# M\n\n{% include-markdown "parts/a.md" %}\n',
    "raw.md": "# R\n\n{%\n  include 'parts/a.md'\n  start='A'\n%}\n",
    "sub/relative.md": '# R\n\n{% include-markdown "../../README.md" %}\n',
    "sub/beside.md": '# B\n\n{% include-markdown "./beside.txt" %}\n',
    "sub/from-docs.md": '# D\n\n{% include-markdown "parts/a.md" heading-offset=1 %}\n',
    "glob.md": '# G\n\n{% include-markdown "parts/*.md" exclude="./parts/[bcx]*.md" %}\n',
    "deep.md": '# G\n\n{% include "parts/**/*.md" exclude="./parts/[acx]*.md" %}\n',
    "url.md": "# U\n",
    "recursive.md": '# R\n\n{% include-markdown "parts/c.md" %}\n',
    "flat.md": '# F\n\n{% include-markdown "parts/c.md" recursive=false %}\n',
    "fenced.md": '# F\n\n```md\n{% include "parts/a.md" %}\n```\n',
    "quoted.md": "# Q\n\n{% include 'parts/x\\'s.md' %}\n",
    "older.md": '# O\n\n{% include "parts/a.md" %}\n',
}
DAYS = {
    "plain/": "2024-01-01",
    "markdown/": "2024-02-01",
    "raw/": "2024-02-01",
    "sub/relative/": "2024-02-02",
    "sub/beside/": "2024-02-03",
    "sub/from-docs/": "2024-02-01",
    "glob/": "2024-02-01",
    "deep/": "2024-02-05",
    "url/": "2024-01-01",
    "recursive/": "2024-02-04",
    "flat/": "2024-01-01",
    "fenced/": "2024-02-01",
    "quoted/": "2024-02-06",
    "older/": "2024-03-01",
}


@pytest.fixture
def including(site):
    """Pages that include files of later days, in every way."""
    pages = {f"docs/{name}": text for name, text in PAGES.items()}
    part = 'C\n\n{% include "./b.md" %}\n'
    site.commit_on("2024-01-01", pages | {"docs/parts/c.md": part})
    site.commit_on("2024-02-01", {"docs/parts/a.md": "A\n"})
    site.commit_on("2024-02-02", {"README.md": "Read me.\n"})
    site.commit_on("2024-02-03", {"docs/sub/beside.txt": "Beside\n"})
    site.commit_on("2024-02-04", {"docs/parts/b.md": "B\n"})
    site.commit_on("2024-02-05", {"docs/parts/deep/d.md": "D\n"})
    site.commit_on("2024-02-06", {"docs/parts/x's.md": "X\n"})
    site.commit_on("2024-03-01", {"docs/older.md": PAGES["older.md"] + "Newer.\n"})
    return site


def test_a_page_is_as_new_as_what_it_includes(including):
    """Both directives, relative to the page and to the docs folder, patterns, and in turn."""
    including.config(more=PLUGIN)
    built = including.build("--strict")
    assert built.days() == DAYS
    assert (built.warnings, built.notes) == ([], [])
    assert "Read me." in built.path("sub/relative/index.html").read_text("utf-8")


def test_the_plugin_s_own_options(site):
    """Other tags, other names of the directives, no recursion, and files that are left out."""
    options = """\
  - include-markdown:
      opening_tag: "{!"
      closing_tag: "!}"
      directives: {include: put, include-markdown: put-markdown}
      recursive: false
      exclude: [parts/secret.md, verbatim.md]
exclude_docs: |
  parts/
"""
    site.commit_on(
        "2024-01-01",
        {
            "docs/index.md": '{! put "parts/a.md" !}\n',
            "docs/markdown.md": '{! put-markdown "parts/*.md" !}\n',
            "docs/old.md": '{! include "parts/a.md" !} {% include "parts/a.md" %}\n',
            "docs/verbatim.md": '{! put "parts/a.md" !}\n',
            "docs/recursive.md": '{! put "parts/a.md" recursive=true !}\n',
        },
    )
    site.commit_on("2024-01-02", {"docs/parts/a.md": '{! put "deep/b.txt" !}\n'})
    site.commit_on("2024-01-03", {"docs/parts/secret.md": "secret\n"})
    site.commit_on("2024-01-04", {"docs/deep/b.txt": "B\n"})
    site.config(more=options)
    built = site.build("--strict")
    assert built.days() == {
        "": "2024-01-02",
        "markdown/": "2024-01-02",
        "old/": "2024-01-01",
        "recursive/": "2024-01-04",
        "verbatim/": "2024-01-01",
    }
    assert (built.warnings, built.notes) == ([], [])


def test_snippets_in_an_included_file_count(site):
    """They are put in after it; a snippet's own directives are text."""
    pytest.importorskip("pymdownx.snippets", reason="needs pymdown-extensions")
    site.commit_on(
        "2024-01-01",
        {
            "docs/index.md": '{% include "../parts/a.md" %}\n',
            "docs/other.md": '--8<-- "parts/c.md"\n',
            "parts/a.md": '--8<-- "parts/b.md"\n',
        },
    )
    site.commit_on("2024-01-02", {"parts/b.md": "B\n"})
    site.commit_on("2024-01-03", {"parts/c.md": '{% include "../parts/d.md" %}\n'})
    site.commit_on("2024-01-04", {"parts/d.md": "D\n"})
    more = "  - include-markdown\nmarkdown_extensions: [pymdownx.snippets]\n"
    site.config(more=more)
    assert site.build("--strict").days() == {"": "2024-01-02", "other/": "2024-01-03"}


PATTERNS = [
    '"parts/*.md" exclude="parts/b.md"',
    '"parts/*.md" exclude="./parts/b.md"',
    '"./parts/*.md" exclude="./parts/b.md"',
    '"./parts/*.md" exclude="parts/b.md"',
    '"parts/../parts/*.md" exclude="./parts/b.md"',
    '"parts/*.md" exclude="../docs/parts/b.md"',
    '"../docs/parts/*.md" exclude="../docs/parts/b.md"',
    '"parts/[ab].md"',
    '"parts/{a,b}.md"',
    '"parts/@(a|b).md"',
    '"parts/!(a).md"',
]


def test_what_is_left_out_is_what_the_plugin_leaves_out(site):
    """A page is as new as the parts that it shows, or has no date if the pattern is not known."""
    pages = {f"docs/p{n}.md": f"# P\n\n{{% include {each} %}}\n" for n, each in enumerate(PATTERNS)}
    site.commit_on("2024-01-01", {**pages, "docs/parts/c.md": "Old part\n"})
    site.commit_on("2024-01-02", {"docs/parts/a.md": "First part\n"})
    site.commit_on("2024-01-03", {"docs/parts/b.md": "Second part\n"})
    site.config(more=PLUGIN)
    built = site.build()
    days = built.days()
    for number, pattern in enumerate(PATTERNS):
        text = built.path(f"p{number}/index.html").read_text("utf-8")
        shown = "2024-01-03" if "Second" in text else "2024-01-02"
        is_known = not {"{", "("} & {*pattern}
        assert (pattern, days[f"p{number}/"]) == (pattern, shown if is_known else None)
