"""No text of a site takes more than a time that grows in step with its length.

The words that mean something in a format are put together: each one is repeated after each other
one. So a new regular expression needs no line here, unless it reads a format of its own.
"""

from pathlib import Path

import pytest
from commands import run
from git_repositories import files, line, make
from growth import LARGE, SHORT, check_growth
from quantity import LONG, more_at_length
from sitemap_texts import urlset

from mkdocs_sitemap_plus.command.any_site.includes import taken_by
from mkdocs_sitemap_plus.generator.pages.front_matter import read_front_matter_text
from mkdocs_sitemap_plus.generator.pages.include_syntax import (
    IncludeMarkdownOptions,
    IncludeOptions,
    MacrosOptions,
    includes_in,
    section_of,
    snippets_in,
)
from mkdocs_sitemap_plus.plugin.from_elsewhere import identifiers_in

EVERY = 1 if LONG > 1 else 11 if LONG else 97
"""Of the texts, one in so many is tried."""

MARKS = ("<", ">", '"', "'", "/", "=", ",", ";", ":", ".", "-", "#", "?", "!", "[", "]", "(", ")")
OTHERS = ("a", "1", "ü", " ", "\n", "%41", "&#", "&#1", "&am")
HTML = (
    "<!--", "-->", "</", "<script>", "<script ", "</script", "<style></style>", "<title>",
    "</title", "<link rel=canonical href=a>", "<link ", "<base href=", "<html lang=a", "</head",
    "<meta name=robots content='", "noindex ", "unavailable_after: ", "<a href=//x.example/",
    "<meta http-equiv=refresh content='0;url=", "<a href=//x.example/a/edit/main/a.md>",
    "<a href=_sources/", "<img src=a>", "<img srcset='", "a 1x,", "<picture>", "<source srcset=a>",
    "<main>", "</main>", "<div>", "<span class=md-source-file__fact>", "<time datetime=",
    "2026-01-01T10:00:00.", "January 1, 2", '<script type="application/ld+json">', '{"a":[',
    "location=", "location='/a/'", "<body onload=", "<!doctype ", "<svg>", "<template>",
    "data-icon='doc_updated'></span>",
)  # fmt: skip
MARKDOWN = (
    "{!", "!}", "{*", "*}", "{%", "%}", "{{", "}}", "{#", "#}", "{% raw %}", "{% endraw %}",
    "include ", "import ", "--8<-- ", "-8<-", "[start:a]", ":1,2", "1:", "|", "`", "```", "~~~",
    ":::", "::: a\n", "handler:", "exclude='", "\\", "\\'", "<!--", "-->", "---", "\n---\n", "a: ",
    "a: b\n", "    ", "- ", "\t", "@", "*", "&",
)  # fmt: skip
BUILDERS = (
    *MARKDOWN, ".. ", "::", "|a|", ":a:", ":file:", "```{a}\n", "```{eval-rst}\n", "import {",
    "import '", "import(", "{/*", "//", "{% include '", "{% for a in b %}", "{% comment %}",
    "{{< include ", ">}}", "{{#include ", "<!--@include: ", "<<< ", "include::a[]", "////\n",
    "#+include:", "@[code", "![](", "file=", "{{ site.data ", "<script",
)  # fmt: skip
ALL = IncludeOptions(
    docs_dir=Path("/docs"),
    markdown_include=Path("/docs"),
    mdx_include=Path("/docs"),
    variants=Path("/docs"),
    include_markdown=IncludeMarkdownOptions(),
    macros=MacrosOptions(folder=Path("/docs")),
)


def read_markdown(text):
    """Read all that the plugin looks for in the text of a page."""
    read_front_matter_text(text)
    list(includes_in(text, ALL))
    list(snippets_in(f'--8<-- "{text}"'))
    section_of(text, "a")
    identifiers_in(f"{text}\n:::")


def read_sources(text):
    """Read what other builders include."""
    for name in ("a.rst", "a.md", "a.adoc", "a.org", "a.ipynb"):
        list(taken_by(name, f"{text}\ninclude"))


def texts(known, size):
    """Texts of about so many letters, by what they are made of."""
    pairs = [(start, again) for start in ("", *known) for again in known]
    return {(start, again): start + again * (size // len(again)) for start, again in pairs[::EVERY]}


@more_at_length
@pytest.mark.parametrize(
    ("read", "known"),
    [(read_markdown, MARKDOWN), (read_sources, BUILDERS)],
    ids=["Markdown", "sources of other builders"],
)
def test_the_time_for_a_text_grows_with_it_and_no_faster(read, known):
    """Whatever stands in it."""
    known = (*known, *MARKS, *OTHERS)
    small, large = texts(known, SHORT), texts(known, LARGE)
    for about, text in large.items():
        check_growth(read, small[about], text, about)


def put_page(folder, text):
    """Write it as a page of the site."""
    (folder / "site" / "index.html").write_text(f"dateModified{text}<meta>", "utf-8")


@more_at_length
@pytest.mark.timeout(600)
def test_the_time_for_a_built_page_grows_with_it_and_no_faster(tmp_path, monkeypatch):
    """It is read, checked, and written anew."""
    make(tmp_path, line(files(a_md="# A")))
    (tmp_path / "site").mkdir()
    monkeypatch.chdir(tmp_path)

    def work(text):
        (tmp_path / "site" / "sitemap.xml").write_bytes(
            urlset("<url><loc>https://a.b/</loc></url>")
        )
        put_page(tmp_path, text)
        run("check", "site")
        run("build", "site", "--site-url", "https://a.b/")

    known = (*HTML, *MARKS, *OTHERS)
    small, large = texts(known, SHORT), texts(known, LARGE)
    for about, text in [*large.items()][:: 1 if LONG > 1 else 3]:
        check_growth(work, small[about], text, about)
