"""What other builders put into a page from elsewhere: the page is as new as the newest file of it.

Where such a file can't be told, the page has no date. In builds, each file has a commit on a day of
its own, in the order in which the files stand here, and the dates are compared with ``git log``.
Names with a letter and a number were wrong on real sites.
"""

import pytest
from any_sites import EDIT, URL, check, commit, html, put
from commands import run

from mkdocs_sitemap_plus.command.any_site.includes import PartsAtHead

OLD, NEW = "# Page\n", "Text.\n"

# Of each text: the source, what it says, and a file that is newer, which dates the page.
FOUND = {
    # Directives
    "reStructuredText": ("docs/a.rst", ".. include:: parts/b.txt", "docs/parts/b.txt"),
    "below the folder of conf.py": (
        "docs/guide/a.rst",
        ".. include:: /parts/b.rst",
        "docs/parts/b.rst",
    ),
    "a table in MyST": ("docs/a.md", "```{csv-table} Lamps\n:file: b.csv\n```", "docs/b.csv"),
    "HTML": ("docs/a.rst", ".. raw:: html\n   :file: b.html", "docs/b.html"),
    "Markdown in reStructuredText": ("docs/a.rst", ".. mdinclude:: ../README.md", "README.md"),
    "MyST": ("docs/a.md", "```{include} ../README.md\n```", "README.md"),
    "MyST after code": ("docs/a.md", "```py\nx\n```\n\n```{include} b.md\n```", "docs/b.md"),
    "a space before the colons": ("docs/a.rst", ".. include :: b.rst", "docs/b.rst"),
    "a quote after an empty comment": ("docs/a.rst", "..\n\n   .. include:: b.rst", "docs/b.rst"),
    "a field": ("docs/a.rst", ":x: .. include:: b.rst", "docs/b.rst"),
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
    "an option that names a file": (
        "docs/a.rst",
        ".. csv-table:: Lamps\n   of a house\n   :file: b.csv",
        "docs/b.csv",
    ),
    "reStructuredText in MyST": (
        "docs/a.md",
        "```{eval-rst}\n.. include:: b.rst\n```",
        "docs/b.rst",
    ),
    "a cell that reads data": ("docs/a.md", "```{code-cell}\nread_csv('b.csv')\n```", "docs/b.csv"),
    # Tags
    "a playground": ("src/a.md", "{{ #playground b.rs editable }}", "src/b.rs"),
    "Jekyll beside the page": ("docs/a.md", "{% include_relative parts/b.md %}", "docs/parts/b.md"),
    "Eleventy": ("src/docs/a.md", '{%- include "parts/b.njk" -%}', "src/_includes/parts/b.njk"),
    "Nunjucks": ("docs/a.njk", '{% from "b.njk" import b %}', "docs/_includes/b.njk"),
    "Markdoc": ("docs/a.mdoc", '{% partial file="b.mdoc" /%}', "docs/b.mdoc"),
    "C6 a folder of includes with another name": (
        "docs/a.md",
        "{% include b.html %}",
        "parts/b.html",
    ),
    "C13 an include of Hexo": ("docs/a.md", "{% include_code b.js %}", "code/b.js"),
    "C18 a tag of the site": ("docs/a.md", '{% codeFile "code/x.js" %}', "src/code/x.js"),
    # Shortcodes
    "Hugo": ("content/en/a.md", '{{% readfile file="parts/b.md" %}}', "content/en/parts/b.md"),
    "Hugo from its top": (
        "content/en/guide/a.md",
        '{{< include "/parts/b.md" >}}',
        "content/en/parts/b.md",
    ),
    "Quarto": ("docs/a.qmd", "{{< include _b.qmd >}}", "docs/_b.qmd"),
    "W4 a template that reads a file of data": (
        "content/a.md",
        "{{< toggle config=media />}}",
        "data/docs.yaml",
        {"layouts/_shortcodes/toggle.html": "{{ index hugo.Data.docs.config }}"},
    ),
    "a file by its path": (
        "content/a.md",
        '{{% code_sample file="pods/b.yaml" %}}',
        "content/examples/pods/b.yaml",
    ),
    # Imports
    "MDX": ("docs/a.mdx", "import B from './_b.mdx';\n\n<B />", "docs/_b.mdx"),
    "MDX of Docusaurus": ("web/docs/a.mdx", "import B from '@site/parts/_b.md'", "web/parts/_b.md"),
    "an import of several lines": (
        "docs/a.mdx",
        "import B, {\n  toc,\n} from './_b.mdx'",
        "docs/_b.mdx",
    ),
    "raw code in MDX": ("docs/a.mdx", "import b from '!!raw-loader!./b.js'", "docs/b.js"),
    "data": ("docs/a.mdx", "import b from '../data/b.json'", "data/b.json"),
    "a block of MDX": (
        "docs/a.md",
        "```mdx-code-block\nimport B from './_b.mdx';\n```",
        "docs/_b.mdx",
    ),
    "a script of VitePress": (
        "docs/a.md",
        "<script setup>\n  import b from '../b.json'\n</script>",
        "b.json",
    ),
    "W2 data without ending": (
        "docs/a.md",
        "<script setup>\nimport { t } from './_data/team'\n</script>",
        "docs/_data/team.ts",
    ),
    # Marks of single builders
    "VitePress": ("docs/a.md", "<!--@include: ./parts/b.md{3,}-->", "docs/parts/b.md"),
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
    "C11 an attribute of a code block": ("docs/a.md", "```js file=../src/a.js\n```", "src/a.js"),
    "C12 code in VuePress": ("docs/a.md", "@[code](./x.js)", "docs/x.js"),
    "C16 a child of R Markdown": ("docs/a.Rmd", '```{r child="_x.Rmd"}\n```', "docs/_x.Rmd"),
    "C16 data that code reads": (
        "docs/a.qmd",
        '```{python}\npd.read_csv("b.csv")\n```',
        "docs/b.csv",
    ),
    "snippets": ("docs/a.md", '--8<-- "parts/b.md"', "parts/b.md"),
    "the file of one's own language": (
        "docs/en/a.md",
        "<<< @/parts/b.js",
        "docs/en/parts/b.js",
        {"docs/de/parts/b.js": NEW},
    ),
    # AsciiDoc
    "AsciiDoc": ("docs/a.adoc", "include::parts/b.adoc[leveloffset=1]", "docs/parts/b.adoc"),
    "Antora": ("modules/m/pages/a.adoc", "include::partial$b.adoc[]", "modules/m/partials/b.adoc"),
}


@pytest.mark.parametrize("case", FOUND)
def test_a_text_names_a_file(top, case):
    """The page is as new as this file."""
    files, unknown = parts_of(top, *FOUND[case])
    assert (FOUND[case][2] in files, unknown) == (True, ())


def parts_of(top, source, text, part, more=None):
    """What a source with a text takes, in a folder with the file `part` and `more`."""
    files = {source: f"{text}\n" if text.startswith("---") else f"{OLD}\n{text}\n"}
    files |= {"docs/index.md": OLD, part: NEW} | (more or {})
    put(top, files)
    found = PartsAtHead(top, files).of(source)
    return {path.relative_to(top).as_posix() for path in found.files}, found.unknown


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


@pytest.mark.parametrize(
    "files",
    [
        {"docs/a.rst": ".. include:: b.inc\n", "docs/b.inc": ".. include:: /c.rsti\n"},
        {"docs/a.md": "```{include} b.inc\n```\n", "docs/b.inc": "```{include} c.rsti\n```\n"},
        {"docs/a.md": "{% include b.inc %}\n", "_includes/b.inc": "{% include c.rsti %}\n"},
    ],
)
def test_an_included_text_is_read_like_the_text_around_it(top, files):
    """Its ending may be any: builders parse it as part of the page."""
    where = "_includes/c.rsti" if "_includes/b.inc" in files else "docs/c.rsti"
    check_page(top, {**files, where: NEW}, where)


# The same; nobody can tell what the page shows, so it has no date.
UNKNOWN = {
    # Directives
    "a domain": ("docs/a.rst", ".. js:autofunction:: light", "docs/b.rst"),
    "autodoc in a list": ("docs/a.rst", "*   .. autoclass:: lamp.Lamp", "docs/b.rst"),
    "autodoc in a block of MyST": (
        "docs/a.md",
        "```{eval-rst}\n.. autosummary::\n\n   lamp\n```",
        "docs/b.rst",
    ),
    "Doxygen": ("docs/a.rst", ".. doxygenclass:: Lamp", "docs/b.rst"),
    "no such file": ("docs/a.rst", ".. include:: generated/b.rst", "docs/b.rst"),
    "a file outside": ("docs/a.rst", ".. include:: ../../b.rst", "b.rst"),
    "two such files": ("docs/guide/a.rst", ".. include:: /b.rst", "docs/b.rst", {"b.rst": NEW}),
    "no path": ("docs/a.rst", ".. include::\n\nText.", "docs/b.rst"),
    "a cell of a table": (
        "docs/a.rst",
        "+----------------+\n| .. include:: b.rst |\n",
        "docs/b.rst",
    ),
    "a table from the web": (
        "docs/a.rst",
        ".. csv-table:: T\n   :url: https://lamp.example/b",
        "docs/b.rst",
    ),
    "a plot": ("docs/a.rst", ".. plot:: b.py", "docs/b.rst"),
    "a directive of the project": ("docs/a.rst", "* (a) .. lamp-table:: all", "docs/b.rst"),
    "one of MyST": ("docs/a.md", "```{lamp-table}\n---\nall: 1\n---\n```", "docs/b.rst"),
    "W1 a directive with content that reads a folder": (
        "docs/a.md",
        "```{towncrier-draft-entries}\nmain\n```",
        "changelog.d/1.md",
    ),
    "C5 keys as content": ("docs/a.rst", ".. bibliography::\n\n   lamp2024", "refs.bib"),
    "the text of a URL": ("docs/a.rst", ".. include:: https://lamp.example/b.rst", "docs/b.rst"),
    "its path in the next line": ("docs/a.rst", ".. include::\n   b.rst", "docs/b.rst"),
    # Tags
    "an address": ("docs/a.md", "{% remote_include https://lamp.example/b.md %}", "docs/b.rst"),
    "Eleventy": ("src/a.md", "{% include 'nowhere.njk' %}", "docs/b.rst"),
    "C7 a loop over data": (
        "docs/a.md",
        "{% for m in site.data.team %}{% endfor %}",
        "_data/team.yml",
    ),
    "C8 a loop over posts": ("docs/a.md", "{% for p in site.posts %}{% endfor %}", "_posts/1.md"),
    "W5 a list of posts": ("blog.md", "{%- for p in collections.posts %}{% endfor %}", "blog/1.md"),
    "a computed name": ("docs/a.md", "{% include {{ page.lamp }} %}", "b.html"),
    "C14 a route": ("docs/[name].md", "# {{ $params.name }}", "docs/[name].paths.ts"),
    "two files of one name": ("docs/a.md", '{% include "b.md" %}', "x/b.md", {"y/b.md": NEW}),
    # Shortcodes
    "a shortcode without a path": ("content/a.md", "{{< include >}}", "docs/b.rst"),
    "W4 a template that shows another page": (
        "content/a.md",
        "{{% term float %}}",
        "content/float.md",
        {"layouts/shortcodes/term.html": "{{ with site.GetPage (.Get 0) }}{{ .Content }}{{ end }}"},
    ),
    # Imports
    "a package": ("docs/a.mdx", "import B from '@lamp/docs/b.mdx'", "docs/b.rst"),
    "a loader of data": (
        "docs/a.md",
        "<script setup>\nimport { data } from './b.data.js'\n</script>",
        "docs/b.data.js",
    ),
    "W2 a loader without ending": (
        "docs/a.md",
        "<script setup>\nimport { data } from './b.data'\n</script>",
        "docs/b.data.ts",
    ),
    "C15 what matches a pattern": (
        "docs/a.md",
        "<script>\nimport.meta.glob('./parts/*.md')\n</script>",
        "docs/parts/b.md",
    ),
    # Marks of single builders
    "org": ("content/a.org", '#+INCLUDE: "b.org"', "docs/b.rst"),
    "C17 a block of another page": ("docs/a.md", "![](#lamps)", "docs/b.md"),
    "C18 a page of pages": (
        "docs/a.njk",
        "---\npagination:\n  data: team\n---\n",
        "_data/team.yml",
    ),
    "C16 a listing": ("docs/a.qmd", "---\nlisting: posts\n---\n", "docs/posts/1.qmd"),
    # AsciiDoc
    "a variable of AsciiDoc": ("docs/a.adoc", "include::{parts}/b.adoc[]", "docs/b.adoc"),
}


@pytest.mark.parametrize("case", UNKNOWN)
def test_nobody_can_tell_what_a_text_shows(top, case):
    """The page has no date then."""
    assert parts_of(top, *UNKNOWN[case])[1]


def test_a_page_of_unknown_files_has_no_date(top):
    """A build says so; only a file that is known can date a page."""
    check_page(top, {"docs/a.rst": ".. automodule:: lamp\n", "lamp.py": "pass\n"}, None)


# The same; the text shows no other file.
NOTHING = {
    # Directives
    "an example": (
        "docs/a.rst",
        ".. code-block:: rst\n\n   .. include:: b.rst\n   .. automodule:: b",
        "docs/b.rst",
    ),
    "a string in a block of code": (
        "docs/a.rst",
        ".. code-block:: py\n\n   read_csv('b.csv')\n",
        "docs/b.csv",
    ),
    "a film": (
        "docs/a.rst",
        ".. lamp:film:: https://films.example/1?t=2\n   :wide:\n",
        "docs/1.rst",
    ),
    "a film in MyST": ("docs/a.md", "```{film} https://films.example/1\n```", "docs/1.md"),
    "a literal block": ("docs/a.rst", "Write::\n\n    .. include:: b.rst\n", "docs/b.rst"),
    "a comment": ("docs/a.rst", ".. Not this:\n\n   .. automodule:: b", "docs/b.rst"),
    "the name of a file": ("docs/a.rst", ":file:`b.rst` is included.", "docs/b.rst"),
    "characters of docutils": ("docs/a.rst", ".. include:: <isonum.txt>", "docs/b.rst"),
    "a directive of the project with content": (
        "docs/a.rst",
        ".. lamp:example::\n   :bright:\n\n   light()",
        "docs/b.rst",
    ),
    "code in Markdown": (
        "docs/a.md",
        "````md\n```{include} b.md\n```\n````\n~~~js\nimport b from './b.md'\n~~~",
        "docs/b.md",
    ),
    "no space after the colons": ("docs/a.rst", ".. include::b.rst", "docs/b.rst"),
    "a comment of Markdown": ("docs/a.md", "<!--\n```{include} b.md\n```\n-->", "docs/b.md"),
    # Tags
    "a tag that is shown": ("a.md", "{% comment %}{% include b.md %}{% endcomment %}", "b.md"),
    "a loop over what the page has": (
        "docs/a.md",
        "{% assign s = 'a b' | split: ' ' %}{% for x in s %}{% endfor %}",
        "b.md",
    ),
    "plain values of the site": ("docs/a.md", "{{ site.baseurl }}/{{ page.title }}", "_config.yml"),
    "tags that are shown": (
        "docs/a.md",
        "{% raw %}{% for p in site.posts %}{% endraw %}",
        "_posts/1.md",
    ),
    # Shortcodes
    "Hugo's comment": ("docs/a.md", '{{</* include "b.md" */>}}', "docs/b.md"),
    "another shortcode": ("docs/a.md", '{{< figure src="b.md" >}}', "docs/b.md"),
    "a template that shows what is inside": (
        "content/a.md",
        "{{< toggle >}}\na: 1\n{{< /toggle >}}",
        "data/docs.yaml",
        {"layouts/_shortcodes/toggle.html": "{{ .Inner }}{{ index hugo.Data.docs.config }}"},
    ),
    # Imports
    "a component": (
        "docs/a.mdx",
        "import Tabs from '@theme/Tabs';\nimport B from './B.jsx';",
        "docs/B.jsx",
    ),
    "words": (
        "docs/a.md",
        "We include b.md, import b.md and automate it: {include} `b.md`",
        "docs/b.md",
    ),
    "a comment of MDX": ("docs/a.mdx", "{/*\nimport B from './b.md'\n*/}", "docs/b.md"),
    # Marks of single builders
    "a conflict": ("docs/a.md", "<<<<<<< HEAD\none\n=======", "docs/b.md"),
    "mdBook's escape": ("docs/a.md", "\\{{#include b.md}}", "docs/b.md"),
    "an attribute that is a title": ("docs/a.md", '```toml {file="hugo.toml"}\n```', "x/hugo.toml"),
    # AsciiDoc
    "a comment of AsciiDoc": ("docs/a.adoc", "////\ninclude::b.md[]\n////", "docs/b.md"),
}


@pytest.mark.parametrize("case", NOTHING)
def test_what_only_looks_like_an_include_does_not_count(top, case):
    """Nor is it unknown what the page shows."""
    files, unknown = parts_of(top, *NOTHING[case])
    assert (NOTHING[case][2] in files, unknown) == (False, ())


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
    assert "sitemap.depends" not in out  # reStructuredText has no front matter


def test_the_owner_names_the_files_that_can_not_be_told(top):
    """Then those are all that counts."""
    front_matter = "---\nsitemap:\n  depends: [../src/*.py]\n---\n"
    text = f"{front_matter}\n```{{automodule}} lamp\n```\n"
    check_page(top, {"docs/a.md": text, "src/lamp.py": "pass\n"}, "src/lamp.py")
