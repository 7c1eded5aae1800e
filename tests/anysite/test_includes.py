"""What other builders put into a page from elsewhere: the page is as new as the newest file of it.

Where such a file can't be told, the page has no date. Each file is one day newer than those above
it, and the dates are compared with ``git log``.
"""

import pytest
from any_sites import EDIT, URL, check, commit, html, put
from commands import run
from quantity import one_in

OLD, NEW = "# Page\n", "Text.\n"

FOUND = {
    "reStructuredText": ("docs/a.rst", ".. include:: parts/b.txt", "docs/parts/b.txt"),
    "code": ("docs/a.rst", ".. literalinclude:: ../src/b.py\n   :lines: 1-3", "src/b.py"),
    "below the folder of conf.py": (
        "docs/guide/a.rst",
        ".. include:: /parts/b.rst",
        "docs/parts/b.rst",
    ),
    "inside a directive": ("docs/a.rst", ".. note::\n\n   .. include:: b.rst", "docs/b.rst"),
    "a table": (
        "docs/a.rst",
        ".. csv-table:: Lamps\n   :header-rows: 1\n   :file: b.csv",
        "docs/b.csv",
    ),
    "a table in MyST": (
        "docs/a.md",
        "```{csv-table} Lamps\n:file: b.csv\n```",
        "docs/b.csv",
    ),
    "a list": ("docs/a.rst", "* - One\n  - .. include:: b.rst", "docs/b.rst"),
    "HTML": ("docs/a.rst", ".. raw:: html\n   :file: b.html", "docs/b.html"),
    "Markdown in reStructuredText": ("docs/a.rst", ".. mdinclude:: ../README.md", "README.md"),
    "MyST": ("docs/a.md", "```{include} ../README.md\n```", "README.md"),
    "MyST with colons": ("docs/a.md", ":::{literalinclude} b.py\n:::", "docs/b.py"),
    "MyST after code": (
        "docs/a.md",
        "```py\nx\n```\n\n```{include} b.md\n```",
        "docs/b.md",
    ),
    "MDX": ("docs/a.mdx", "import B from './_b.mdx';\n\n<B />", "docs/_b.mdx"),
    "MDX of Docusaurus": (
        "web/docs/a.mdx",
        "import B from '@site/parts/_b.md'",
        "web/parts/_b.md",
    ),
    "MDX of Astro": ("src/content/a.mdx", "import B from '~/parts/b.mdx'", "src/parts/b.mdx"),
    "an import of several lines": (
        "docs/a.mdx",
        "import B, {\n  toc,\n} from './_b.mdx'",
        "docs/_b.mdx",
    ),
    "raw code in MDX": ("docs/a.mdx", "import b from '!!raw-loader!./b.js'", "docs/b.js"),
    "raw code in Astro": ("docs/a.mdx", 'import b from "./b.astro?raw"', "docs/b.astro"),
    "data": ("docs/a.mdx", "import b from '../data/b.json'", "data/b.json"),
    "VitePress": (
        "docs/a.md",
        "<!--@include: ./parts/b.md{3,}-->",
        "docs/parts/b.md",
    ),
    "VitePress from its top": (
        "docs/guide/a.md",
        "<!-- @include: @/parts/b.md#one -->",
        "docs/parts/b.md",
    ),
    "code in VitePress": (
        "docs/guide/a.md",
        "<<< @/snippets/b.js#one{1,2 js:line-numbers}",
        "docs/snippets/b.js",
    ),
    "mdBook": ("src/a.md", "{{#include b.md:2:5}}", "src/b.md"),
    "a playground": ("src/a.md", "{{ #playground b.rs editable }}", "src/b.rs"),
    "Hugo": (
        "content/en/a.md",
        '{{% readfile file="parts/b.md" %}}',
        "content/en/parts/b.md",
    ),
    "Hugo from its top": (
        "content/en/guide/a.md",
        '{{< include "/parts/b.md" >}}',
        "content/en/parts/b.md",
    ),
    "Hugo's files": (
        "content/a.md",
        "{{< include-code lang=js file=code/b.js >}}",
        "static/code/b.js",
    ),
    "Quarto": ("docs/a.qmd", "{{< include _b.qmd >}}", "docs/_b.qmd"),
    "Jekyll": ("docs/a.md", "{% include b.html kind='x' %}", "_includes/b.html"),
    "Jekyll beside the page": (
        "docs/a.md",
        "{% include_relative parts/b.md %}",
        "docs/parts/b.md",
    ),
    "Eleventy": (
        "src/docs/a.md",
        '{%- include "parts/b.njk" -%}',
        "src/_includes/parts/b.njk",
    ),
    "AsciiDoc": ("docs/a.adoc", "include::parts/b.adoc[leveloffset=1]", "docs/parts/b.adoc"),
    "a name that is not ASCII": ("docs/a.rst", ".. include:: straße 1.rst", "docs/straße 1.rst"),
    "a space before the colons": ("docs/a.rst", ".. include :: b.rst", "docs/b.rst"),
    "inside one with a space": ("docs/a.rst", ".. note ::\n\n   .. include:: b.rst", "docs/b.rst"),
    "a quote after an empty comment": (
        "docs/a.rst",
        "..\n\n   .. include:: b.rst",
        "docs/b.rst",
    ),
    "a field": ("docs/a.rst", ":x: .. include:: b.rst", "docs/b.rst"),
    "a list with brackets": ("docs/a.rst", "(1) .. include:: b.rst", "docs/b.rst"),
    "a list with numbers": ("docs/a.rst", "12. .. include:: b.rst", "docs/b.rst"),
    "a footnote": ("docs/a.rst", ".. [1] .. include:: b.rst", "docs/b.rst"),
    "a definition of a term with colons": (
        "docs/a.rst",
        "std::\n   .. include:: b.rst",
        "docs/b.rst",
    ),
    "after code in a list": (
        "docs/a.rst",
        "* .. code-block:: c\n\n     x\n\n  .. include:: b.rst",
        "docs/b.rst",
    ),
    "a difference": (
        "docs/a.rst",
        ".. literalinclude:: ../docs/index.md\n   :diff: b.py",
        "docs/b.py",
    ),
    "a drawing": ("docs/a.rst", ".. graphviz:: b.dot", "docs/b.dot"),
    "MyST in a list": ("docs/a.md", "- ```{include} b.md\n  ```", "docs/b.md"),
    "MyST in a list with numbers": (
        "docs/a.md",
        "- x\n\n  1. ```{literalinclude} b.py\n     ```",
        "docs/b.py",
    ),
    "a table of MyST with YAML": (
        "docs/a.md",
        "```{csv-table} T\n---\nheader-rows: 1\nfile: 'b.csv'\n---\n```",
        "docs/b.csv",
    ),
    "a cell of code": ("docs/a.md", "```{code-cell}\n:load: b.py\n```", "docs/b.py"),
    "MyST after a comment": (
        "docs/a.md",
        "<!-- ```{note}\n-->\n```{include} b.md\n```",
        "docs/b.md",
    ),
    "a block of MDX": (
        "docs/a.md",
        "```mdx-code-block\nimport B from './_b.mdx';\n```",
        "docs/_b.mdx",
    ),
    "an import of two lines": ("docs/a.mdx", 'import B\n  from "./_b.mdx"', "docs/_b.mdx"),
    "two imports in a line": (
        "docs/a.mdx",
        "import A from './A'; import B from './_b.mdx';",
        "docs/_b.mdx",
    ),
    "code that is required": (
        "docs/a.mdx",
        "<Code>{require('!!raw-loader!./b.py').default}</Code>",
        "docs/b.py",
    ),
    "a script of VitePress": (
        "docs/a.md",
        "<script setup>\n  import b from '../b.json'\n</script>",
        "b.json",
    ),
    "HTML of Jekyll": ("a.html", "{% include_relative b.md %}", "b.md"),
    "Nunjucks": (
        "docs/a.njk",
        '{% from "b.njk" import b %}',
        "docs/_includes/b.njk",
    ),
    "Liquid of Eleventy": ("docs/a.md", "{% render 'b.md' %}", "_includes/b.md"),
    "HTML of Hugo": ("content/a.html", '{{% include "b.md" %}}', "content/b.md"),
    "Markdoc": ("docs/a.mdoc", '{% partial file="b.mdoc" /%}', "docs/b.mdoc"),
    "AsciiDoc with a space": ("docs/a.adoc", "include::my b.adoc[]", "docs/my b.adoc"),
}


@one_in(3)
@pytest.mark.parametrize("case", FOUND)
def test_a_page_is_as_new_as_the_file_that_it_includes(top, case):
    source, text, part = FOUND[case]
    check_page(top, {source: f"{OLD}\n{text}\n", part: NEW}, part)


def check_page(top, files, wanted):
    """Build a site of the first file and of one page more, and compare the dates with git."""
    source = next(iter(files))
    others = {"docs/index.md": OLD}
    pages = {"a.html": html(EDIT + source), "index.html": html(EDIT + "docs/index.md")}
    expected = {"a.html": wanted, "index.html": "docs/index.md"}
    check(top, pages, expected, of=others | files, only=True)


def test_files_include_further_files(top):
    """By the syntax of each, relative to it, and in a circle."""
    files = {
        "docs/a.rst": ".. include:: b/b.rst\n",
        "docs/b/b.rst": ".. include:: c.rst\n",
        "docs/b/c.rst": ".. include:: ../a.rst\n.. literalinclude:: d.rst\n",
        "docs/b/d.rst": ".. include:: nowhere.rst\n",  # is shown as it is written
    }
    check_page(top, files, "docs/b/d.rst")


def test_an_older_file_dates_nothing(top):
    check_page(top, {"docs/a.md": "{{#include ../docs/index.md}}\n"}, "docs/a.md")


UNKNOWN = {
    "a domain": ("docs/a.rst", ".. js:autofunction:: light"),
    "autodoc in MyST": ("docs/a.md", "```{autoclass} lamp.Lamp\n```"),
    "autodoc in a list": ("docs/a.rst", "*   .. autoclass:: lamp.Lamp"),
    "autodoc in a block of MyST": ("docs/a.md", "```{eval-rst}\n.. autosummary::\n\n   lamp\n```"),
    "Doxygen": ("docs/a.rst", ".. doxygenclass:: Lamp"),
    "a command line": ("docs/a.rst", ".. click:: lamp.cli:main\n   :prog: lamp"),
    "no such file": ("docs/a.rst", ".. include:: generated/b.rst"),
    "a file outside": ("docs/a.rst", ".. include:: ../../b.rst"),
    "two such files": ("docs/guide/a.rst", ".. include:: /b.rst"),
    "a package": ("docs/a.mdx", "import B from '@lamp/docs/b.mdx'"),
    "a loader of data": (
        "docs/a.md",
        "<script setup>\nimport { data } from './b.data.js'\n</script>",
    ),
    "an address": ("docs/a.md", "{% remote_include https://lamp.example/b.md %}"),
    "a shortcode without a path": ("content/a.md", "{{< include >}}"),
    "a shortcode of another folder": ("content/a.md", '{{< readfile "nowhere.md" >}}'),
    "Eleventy": ("src/a.md", "{% include 'nowhere.njk' %}"),
    "no path": ("docs/a.rst", ".. include::\n\nText."),
    "autodoc with a space": ("docs/a.rst", ".. automodule :: lamp"),
    "a cell of a table": ("docs/a.rst", "+----------------+\n| .. include:: b.rst |\n"),
    "a table from the web": ("docs/a.rst", ".. csv-table:: T\n   :url: https://lamp.example/b"),
    "argparse": ("docs/a.rst", ".. sphinx_argparse_cli::\n   :module: lamp"),
    "typer": ("docs/a.rst", ".. typer:: lamp:app"),
    "a template of data": ("docs/a.rst", ".. datatemplate:yaml:: b.yaml"),
    "release notes": ("docs/a.rst", ".. release-notes::"),
    "towncrier": ("docs/a.rst", ".. towncrier-draft-entries:: Next"),
    "redoc": ("docs/a.md", "```{redoc} b.yml\n```"),
    "a plot": ("docs/a.rst", ".. plot:: b.py"),
    "Jupyter": ("docs/a.rst", ".. jupyter-execute:: b.py"),
    "a directive of the project": ("docs/a.rst", "* (a) .. lamp-table:: all"),
    "one without content": ("docs/a.rst", ".. lamp-table::\n   :all:\n\nText."),
    "one of MyST": ("docs/a.md", "```{lamp-table}\n---\nall: 1\n---\n```"),
    "a variable of Nunjucks": ("docs/a.njk", "{% include lamp %}"),
    "org": ("content/a.org", '#+INCLUDE: "b.org"'),
    "a plugin of MkDocs": ("docs/a.md", "{% include 'nowhere.md' %}"),
}


@one_in(3)
@pytest.mark.parametrize("case", UNKNOWN)
def test_a_page_of_unknown_files_has_no_date(top, case):
    source, text = UNKNOWN[case]
    parts = {"b.rst": NEW, "docs/b.rst": NEW, "docs/b.data.js": NEW}
    check_page(top, {source: f"{OLD}\n{text}\n", **parts}, None)


NOTHING = {
    "an example": (
        "docs/a.rst",
        ".. code-block:: rst\n\n   .. include:: b.rst\n   .. automodule:: b",
    ),
    "a literal block": ("docs/a.rst", "Write::\n\n    .. include:: b.rst\n"),
    "a comment": ("docs/a.rst", ".. Not this:\n\n   .. automodule:: b"),
    "the name of a file": ("docs/a.rst", ":file:`b.rst` is included."),
    "characters of docutils": ("docs/a.rst", ".. include:: <isonum.txt>"),
    "a directive of the project with content": (
        "docs/a.rst",
        ".. lamp:example::\n   :bright:\n\n   light()",
    ),
    "the same in MyST": ("docs/a.md", "```{lamp:example}\n:bright: 1\nlight()\n```"),
    "a substitution": ("docs/a.rst", ".. |b| replace:: include b.rst"),
    "code in Markdown": (
        "docs/a.md",
        "````md\n```{include} b.md\n```\n````\n~~~js\nimport b from './b.md'\n~~~",
    ),
    "a conflict": ("docs/a.md", "<<<<<<< HEAD\none\n======="),
    "a component": ("docs/a.mdx", "import Tabs from '@theme/Tabs';\nimport B from './B.jsx';"),
    "a constant": ("docs/a.mdx", "export const b = './b.md';"),
    "Liquid that is shown": (
        "docs/a.md",
        "{% raw %}{% include 'b.njk' %}{% endraw %}",
    ),
    "mdBook's escape": ("docs/a.md", "\\{{#include b.md}}"),
    "Hugo's comment": ("docs/a.md", '{{</* include "b.md" */>}}'),
    "another shortcode": ("docs/a.md", '{{< figure src="b.md" >}}'),
    "words": ("docs/a.md", "We include b.md, import b.md and automate it: {include} `b.md`"),
    "a comment below": ("docs/a.rst", "..\n   .. include:: b.rst"),
    "no space after the colons": ("docs/a.rst", ".. include::b.rst"),
    "usual directives": (
        "docs/a.rst",
        ".. py:function:: light(b)\n\n.. image:: b.png\n\n.. toctree::\n   :glob:\n\n   b",
    ),
    "a shortcode with a title": ("content/a.md", '{{< tab "main.go" >}}'),
    "a tag that is shown": (
        "a.md",
        "{% comment %}{% include b.md %}{% endcomment %}",
    ),
    "a comment of AsciiDoc": ("docs/a.adoc", "////\ninclude::b.md[]\n////"),
    "a comment of Markdown": (
        "docs/a.md",
        "<!--\n```{include} b.md\n```\n-->",
    ),
    "a comment of MDX": ("docs/a.mdx", "{/*\nimport B from './b.md'\n*/}"),
    "an import in a text": ("docs/a.mdx", "Write `require('./b.md')`."),
    "VitePress elsewhere": ("docs/a.md", "```md\n<!--@include: ./b.md-->\n```"),
    "Django": ("docs/a.md", '```django\n{% include "header.html" %}\n```'),
}


@one_in(3)
@pytest.mark.parametrize("case", NOTHING)
def test_what_only_looks_like_an_include_does_not_count(top, case):
    source, text = NOTHING[case]
    parts = dict.fromkeys(("docs/b.rst", "docs/b.md", "docs/B.jsx", "docs/b.njk"), NEW)
    check_page(top, {source: f"{OLD}\n{text}\n", **parts}, source)


def test_explain_names_the_file_or_what_is_not_known(top):
    files = {
        "docs/a.rst": ".. include:: b.rst\n",
        "docs/c.rst": ".. automodule:: lamp.cli\n",
        "docs/b.rst": "Text.\n",
    }
    commit(top, files)
    put(top / "built", {f"{name}.html": html(f"{EDIT}docs/{name}.rst") for name in "ac"})
    assert run("build", "built", "--site-url", URL)[0] == 0
    code, out, _ = run("explain", "-d", "built", "docs/a.rst", "docs/c.rst")
    assert code == 0
    assert "docs/b.rst" in out
    assert "docs/a.rst itself" in out
    assert "it includes 'automodule lamp.cli', whose file is not known" in out


def test_the_owner_names_the_files_that_can_not_be_told(top):
    """Then those are all that counts."""
    front_matter = "---\nsitemap:\n  depends: [../src/*.py]\n---\n"
    text = f"{front_matter}\n```{{automodule}} lamp\n```\n"
    check_page(top, {"docs/a.md": text, "src/lamp.py": "pass\n"}, "src/lamp.py")
