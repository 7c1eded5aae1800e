"""No text of a site makes the plugin take more than a time that grows in step with its length."""

import ast
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

import pytest
import yaml
from decided import page as made_page
from quantity import LONG, SLOWER, more_at_length
from sitemap_texts import urlset
from sources import PACKAGE, modules, nodes

from mkdocs_sitemap_plus.anysite import links
from mkdocs_sitemap_plus.anysite.includes import taken_by
from mkdocs_sitemap_plus.built_site.languages import add_languages
from mkdocs_sitemap_plus.check import Findings, Listed
from mkdocs_sitemap_plus.check.answers import _canonicals
from mkdocs_sitemap_plus.check.hosting import _pattern
from mkdocs_sitemap_plus.check.site_files import check_site
from mkdocs_sitemap_plus.gitdates.git import error_of
from mkdocs_sitemap_plus.gitdates.ignored import Ignored, glob_pattern
from mkdocs_sitemap_plus.gitdates.log import Commit
from mkdocs_sitemap_plus.gitdates.merges import Merges
from mkdocs_sitemap_plus.gitdates.repository import Repository
from mkdocs_sitemap_plus.options.overrides import read_front_matter
from mkdocs_sitemap_plus.options.readers import read_lastmod, read_text
from mkdocs_sitemap_plus.output.robots import with_sitemap
from mkdocs_sitemap_plus.pages.front_matter import read_front_matter_text
from mkdocs_sitemap_plus.pages.includes import (
    IncludeMarkdownOptions,
    IncludeOptions,
    MacrosOptions,
    includes_in,
    section_of,
    snippets_in,
)
from mkdocs_sitemap_plus.pages.toml import read_toml_front_matter
from mkdocs_sitemap_plus.pages.yaml_mistakes import mistake_of
from mkdocs_sitemap_plus.pipeline.unmatched import _are_several, _in_our_syntax
from mkdocs_sitemap_plus.plugin.docstrings import identifiers_in
from mkdocs_sitemap_plus.plugin.page_dates import shows_date
from mkdocs_sitemap_plus.problems import Origin, Place, SitemapError
from mkdocs_sitemap_plus.sitemap.client import read_robots
from mkdocs_sitemap_plus.sitemap.elements import VIDEO_VIDEO
from mkdocs_sitemap_plus.sitemap.languages import REGIONS
from mkdocs_sitemap_plus.sitemap.other_forms import read_elements
from mkdocs_sitemap_plus.sitemap.parse import elements
from mkdocs_sitemap_plus.sitemap.split import is_part, listed_urls, section_names
from mkdocs_sitemap_plus.sitemap.urls import loc_fault, read_url, same_page, url_key
from mkdocs_sitemap_plus.sitemap.values import LASTMOD, LOC, NEWS_DATE, InvalidTextError
from mkdocs_sitemap_plus.web.days_in_words import read_day
from mkdocs_sitemap_plus.web.html import is_document
from mkdocs_sitemap_plus.web.images import images_in
from mkdocs_sitemap_plus.web.page_text import is_empty, title_and_text
from mkdocs_sitemap_plus.web.says import CRAWLERS, HEADER, RobotsRules, read_built_page, read_page
from mkdocs_sitemap_plus.web.stated_dates import stated_dates, with_date
from mkdocs_sitemap_plus.web.stub_redirects import script_target
from mkdocs_sitemap_plus.wording import unescape, without_users

DOCS = Path("/docs")
OTHER_SOURCES = ("a.rst", "a.md", "a.adoc", "a.org", "a.ipynb")
PLACE = Place(origin=Origin.FRONT_MATTER, file="a.md", key="priority")
LARGEST = 1 << (20 if LONG > 1 else 16 if LONG else 14)
LANGUAGES = ("de", "en", "es", "fr", "it")
SCRIPTS = tuple(f"{a}a{b}a" for a in "BCDFGHJKLM" for b in "bcdfg")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A function, and texts that could make its expressions read the same letters many times.

    Attributes:
        expressions: what it uses of the expressions that the package has.
        run: the function.
        attacks: what each text begins with, what it repeats, and how it ends.
    """

    expressions: tuple[str, ...] = ()
    run: Callable[[str], object]
    attacks: tuple[tuple[str, str, str], ...]


def include_options(**on):
    """Read the names in a text, where these includers are on."""
    settings = IncludeOptions(docs_dir=DOCS, **on)
    return lambda text: list(includes_in(text, settings))


def quoted(name):
    """Put a name where pymdownx.snippets reads one."""
    return list(snippets_in(f'--8<-- "{name}"'))


def listed(url):
    """Make an entry of a sitemap that is checked."""
    return Listed(url, "sitemap.xml", 3, None, frozenset(), frozenset())


def mistake_in(text):
    """Say what mends a line that the parser can't read."""
    mark = yaml.Mark("", 0, 0, 0, None, None)
    problem = "found no alphabetic or numeric character"
    return mistake_of(yaml.MarkedYAMLError(problem=problem, problem_mark=mark), [text])


EXTENSIONS = (
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
)
DATED = "<rss><channel><item><link>a</link><pubDate>"
HERE = "<url><loc>https://a.b/</loc>"
LINK = '<xhtml:link rel="alternate" hreflang="de" href="https://a.b/"/>'
PICTURE = "<image:image><image:loc>https://a.b/</image:loc></image:image>"
NOW = datetime(2026, 1, 2, tzinfo=UTC)
LD = "<script type='application/ld+json'>"
FACT = "<span class=md-source-file__fact>"
SRCSET = '<body><img srcset="'
HTML = (
    ("", "<", ""),
    ("", "<!", ""),
    ("", "<!--", ""),
    ("", "<!-- -", ""),
    ("", "</", ""),
    ("", "<script>", ""),
    ("", "<script ", ""),
    ("<script>", "</script", ""),
    ("<script>", "</script ", "x"),
    ("", "<style></style>", ""),
    ("", "<title><template>", ""),
)
HEAD = (
    ("", '<link "', ""),
    ("", "<link a='", ""),
    ("", "<base a=\"'", ""),
    ("", "<link a=", ""),
    ("", "<link ", ""),
    ("<link ", "=", ""),
    ("<base a", " ", "b>"),
    ("<base a=", " ", ">"),
    ("<base ", "href=a ", ">"),
    ("", "<base a>", ""),
    ("<base ", "a=''", ">"),
    ("<meta name=robots content='", ",", "'>"),
    ("<meta name=robots content='", "&#", "'>"),
    ("<meta name=robots content='&#", "1", ";'>"),
    ("<meta name=robots content='", "&am", "'>"),
    ("<base href='", "/", "'>"),
    ("", "<link rel=canonical href=a>", ""),
)


def unread(kind, text):
    """Read a text; of most of these that is an error."""
    with suppress(InvalidTextError):
        return kind.read(text)


def all_entries(data):
    """Read a sitemap up to the first entry that has too much in it."""
    with suppress(SitemapError):
        list(elements(data, "s.xml"))


def feed_entries(data):
    """Read a text file or a feed up to the first fault."""
    with suppress(SitemapError):
        list(read_elements(data, "s.xml").entries)


TO_A_FILE = "<a href=https://x.example/a/b/edit/main/a.md>"
INCLUDES = (
    "_INCLUDING_SHORTCODES", "_HELD_BY_SITE", "_LISTS", "_DIRECTIVE", "_COMMENT", "_OPTION",
    "_FENCE", "_BRACES", "_ATTRIBUTE", "_CODE_SPAN", "_UNSEEN", "_STRING", "_IMPORT", "_LOADER",
    "_ASCIIDOC_COMMENT", "_ASCIIDOC_INCLUDE", "_MARKS", "_TAG", "_OUTPUT", "_LOOP", "_FIRST",
    "_in_tags", "_END_OF_SHORTCODE", "_SHORTCODE", "_ARGUMENT",
)  # fmt: skip
CASES = {
    "the head of a built page": Case(
        expressions=(
            "web/html.py _ATTRIBUTE", "web/says.py read_page",
            "web/tags.py _next_tag", "web/tags.py _END",
            "web/says.py read_refresh", "web/tags.py _TO_A_FILE",
            "wording.py unescape",
        ),
        run=lambda text: [read_page(f"{start}{text}<meta>".encode()) for start in ("", "<body>")],
        attacks=(
            *HTML, *HEAD,
            *(
                ("<meta http-equiv=refresh content='" + start, again, end + "'>")
                for start, again, end in (
                    ("", "0", ""), ("", ".", "x"), ("0", " ", "x"), ("0;", " ", ""),
                    ("0;url", " ", "x"), ("0;url=", " ", "x"), ("0;url=&quot;", "x", ""),
                    ("0", ";", ""), ("0;url=http://", "a.", ""), ("0;url=", "[", ""),
                )
            ),
        ),
    ),
    "whether a built page is a whole one": Case(
        expressions=("web/html.py _DOCUMENT",),
        run=lambda text: is_document(text.encode()),
        attacks=(*HTML, ("", "<!--", ""), ("", "<!-- --", ""), ("<!doctype", " ", "")),
    ),
    "the links of a built page to files of a repository": Case(
        expressions=("web/html.py language_of", "anysite/links.py _BEFORE"),
        run=lambda text: [
            links.read_page("a/b.html", "", f"{start}{text}{end}".encode())
            for start, end in (("", ""), ("", TO_A_FILE), (f"{TO_A_FILE}<a href='", "'>"))
        ],
        attacks=(
            *HTML, ("", "<a href=//", ""), ("", "<a href=//>", ""), ("", TO_A_FILE, ""),
            ("<a href='https://", "a/", "edit/'>"), ("<a href='//x?", "path", "=/a'>"),
            ("<a ", "_", "sources/>"), ("<a ", "_sources", ">"), ("", "<a href=_sources/>", ""),
            ("<a href=", "//a/edit", ">"), ("", "<html ", ""), ("", "<html lang=a", ""),
            ("<html", " lang", ">"), ("<a", " //x", ">"), ("<a href=//x/-", "/-/edit/", ">"),
            ("<p", " ", TO_A_FILE), ("", "<", TO_A_FILE), ("", "!--", TO_A_FILE),
        ),
    ),
    "dates that a page states": Case(
        expressions=(
            "web/stated_dates.py _ISO", "web/stated_dates.py _ENGLISH",
            "web/stated_dates.py _SCRIPT",
            "web/stated_dates.py _TORN_TAG",
            "web/stated_dates.py _FACT", "web/stated_dates.py _TAG_OR_SPACE",
            "web/stated_dates.py _shown_date", "web/stated_dates.py stated_dates",
        ),
        run=lambda text: stated_dates(f"dateModified{text}", "https://example.com/a/"),
        attacks=(
            *HTML, ("", '<meta "', ""), ("", "<time ", ""), ("", "<script type=a>", ""),
            (LD, "[", ""), (LD, "[{},", ""), (LD, '{"a":', ""), (LD, "1", "</script>"),
            (LD + "[", "{},", "{}]</script>"), (LD, '{"@graph":[', ""), ("", LD + "</script>", ""),
            ("", "<span class=md-source-file__fact>", ""), (FACT, "<", ""),
            ("<span class=md-source-file__fact>", "<html ", ""), (FACT, " ", "x"),
            (FACT, "<svg>", "2026-01-01"), (FACT, "a", ""), (FACT, "January 1", ""),
            ("<meta property=og:updated_time content='2026-01-01T00:00:00.", "1", "x'>"),
            ("<meta property=og:updated_time content='", "January 1, 2", "'>"),
        ),
    ),
    "a page that gets a date": Case(
        expressions=(
            "web/stated_dates.py _PREFIX", "web/stated_dates.py _DOCUMENT",
            "web/stated_dates.py _OWN_TAGS", "web/stated_dates.py _place_in_head",
        ),
        run=lambda text: with_date(f"{text}<html>dateModified", NOW, "https://example.com/a/"),
        attacks=(
            *HTML, *HEAD, ("", " ", ""), ("", "<!-- ", ""), ("<!--", "-", ""), ("<!--", "-!", "->"),
            ("", "<title>", ""), ("<title>", "a", ""), ("<title>", "</title", ""), ("", "</a ", ""),
            ("", "</", ""), ("", "<!", ""), ("", "<?", ""), ("<head ", "a='", ""),
            ("", '<meta property="article:modified_time" content="', ""),
            ("", '<script type="application/ld+json" data-sitemap-plus>', ""),
            ("", '<meta property="article:modified_time" content="" data-sitemap-plus>\n', ""),
            *(
                (f"<script>charset{end}", again, "")
                for end in ("", "</script>")
                for again in ("a", "<", "</script", "<script>", "<!--", "<style></style>")
            ),
        ),
    ),
    "a template of a theme": Case(
        expressions=("plugin/page_dates.py shows_date",),
        run=shows_date,
        attacks=(("", "|", ""), ("", "| ", ""), ("|", " ", "x"), ("", "revision_date_", "")),
    ),
    "the images of a built page": Case(
        expressions=(
            "web/images.py _largest", "web/images.py _size",
            "web/images.py _pictures",
        ),
        run=lambda text: images_in(f"<img src=a>{text}"),
        attacks=(
            *HTML, ("", '<img "', ""), ("", "<img ", ""), ("", "<div><img src=a>", ""),
            ("", "<div>", "</main>"), ("", "</div>", ""), ("", "<div></main>", ""),
            ("<main>", "<div role='", ""), ("<div role=", " ", "!>"), ("<div role='", "a ", "'>"),
            ("", "<source srcset=a>", ""), ("", "<source srcset=''><img>", ""),
            ("<picture>", "<source srcset=''>", "<img><img>"), ("<img class='", "a ", "'>"),
            (SRCSET, " ", "'>"), (SRCSET, ",", '">'), (SRCSET + "a", ",", '">'),
            (SRCSET, " ,", '">'), (SRCSET, "a,", '">'), (SRCSET, "a ", '">'),
            (SRCSET + "a ", "1", '">'), (SRCSET + "a", " ", '">'), (SRCSET, "a 1x,", '">'),
            (SRCSET, ",a", '"'),
        ),
    ),
    "files that snippets name": Case(
        expressions=("pages/includes.py snippets_in", "pages/includes.py _path_and_section"),
        run=quoted,
        attacks=(
            ("a", ":1,2", "!"), ("a:", "1:2,", "!"), ("a", ":1,2", ""), ("a", ":", ""),
            ("a", "1:", "x"), ("a", ",", ""), ("a:", "1", ""), ("a:", "-", ""), ("a:b", "-", ""),
            ("a:b", "-", "!"), ("", '\\"', ""), ("", "\\", ""), ("a:1", " ", "x"),
            ("a", ":1,,2", ""), ("a", ":1:2:3,4", ""), ('"\n', "--8<--\n", ""),
            ('"\n', "-8<-", "\n"), ('"\n', ";", "-8<-"), ('"\n8<', "-", "x"), ('"\n-8<-', " ", "x"),
        ),
    ),
    "a section of a file": Case(
        expressions=("pages/includes.py _named_section",),
        run=lambda text: section_of(text, "a"),
        attacks=(
            ("", "--8<-- [start:", ""), ("--8<-- [start:", "a-", ""), ("8<", "-", ""),
            ("", "-8<- ", ""), ("", ";-", "8<"), ("-8<-", " ", "["), ("-8<- [", " ", "x"),
            ("-8<- [start:a", " ", "x"), ("", "-8<- [start:a]\n", ""), ("", "-8<- [start:b", ""),
        ),
    ),
    "lines of a file": Case(
        run=lambda text: section_of("a\n" * 1000, text),
        attacks=(("1:", ",1:", ""), ("1:", "1", ""), ("1", ",-1", "")),
    ),
    "markdown-include": Case(
        expressions=("pages/includes.py _by_extensions",),
        run=include_options(markdown_include=DOCS, mdx_include=DOCS, variants=DOCS),
        attacks=(
            ("", "{!", ""), ("", "{!a ", ""), ("{!a", " ", ""), ("{!", " ", ""), ("{!a", "!", ""),
            ("{!a!lines=", "1 ", ""), ("", "{!a!lines=1", ""), ("", "{!a!}", ""), ("", "{!a\n", ""),
            ("", "\\{!", ""), ("{!", "[", ""), ("{!a", "|", "!}"), ("{*", " ", "*}"),
            ("", "{*\n", ""),
        ),
    ),
    "a pattern in the syntax of another tool": Case(
        expressions=("pipeline/unmatched.py _in_our_syntax", "pipeline/unmatched.py _are_several"),
        run=lambda text: (_in_our_syntax(text), _are_several(text, ["a.md"])),
        attacks=(
            ("", " ", "x"), ("", " #", ""), ("a", "#", ""), ("", "(", ""), ("(", "|", ")"),
            ("", "(a)", ""), ("", "{", "}"), ("(a", ")", ""), ("^", ".*", "$"),
        ),
    ),
    "what other builders include": Case(
        expressions=tuple(
            f"anysite/includes.py {name}"
            for name in INCLUDES
        ),
        run=lambda text: [list(taken_by(name, f"{text}\ninclude")) for name in OTHER_SOURCES],
        attacks=(
            *((start + word, again, "") for start, word, again in product(
                ("", "\n", ".. ", "```{", "import ", "{% ", "{{< ", "{{#", "<!-- ", "<<< "),
                ("", "include", "import"), (" ", "`"),
            )),
            (".. ", "a:", "::"), (".. ", "|a", ""), ("", ".. |", ""), ("", ".. a::\n", ""),
            ("", "```\n", ""), ("", "```{a}\n", ""), ("", "```{eval-rst}\n", ""), ("", ":::\n", ""),
            ("", "* ", ""), ("", "a. ", ""), ("*", " ", "x"), (":file:", " ", ""),
            ("", "import {\n", ""), ("import '", "a?", "'"), ("import '", "!", "'"),
            ("", "{%raw%}", ""), ("", "{%raw%}{%", ""), ("", "{% include ", ""),
            ("", "{% include '", ""), ("", "{{< include ", ""), ("{{< ", "include", " a>}}"),
            ("{{< include ", "a=b ", ">}}"), ("", "{{#include ", ""), ("{{#include ", "a:", "}}"),
            ("", "<!--@include: ", ""), ("<!--@include: ", "-", "-->"), ("", "<<< ", "\n"),
            ("", "include::a", "[]"), ("", "\ninclude::a$[]", ""), ("", "{", ""), ("", "{%", ""),
            ("::", "(i) ", ".. a"), ("::\n", ":a: ", ""), ("", " .. a :", "::"),
            ("", ".. a::\n ", ""),
            (".. a::\n", " :file:\n", ""), ("", "<script", ""), ("", "<script>", ""),
            ("", "<script ", "import"), ("", "{/*\n", ""),
            ("", ";import ", ""), ("import(", " ", ""), ("", "`", "import"), ("", "<!--\n", ""),
            ("", "include::a ", ""), ("////\n", "include::a[]\n", ""), ("", "{%comment%}", ""),
            ("{% render ", "file = ", ""), ("{{< a ", "a.", " >}}"), ("", "\n#+include:", ""),
            ("```{a}\n---\n", "a: \n", ""), ("", "- ", "```"), ("::\n", ".. |", "a"),
            ("", ".. a::\n :a: a\n", ""), ("", "```{a}\n:a: a\n```\n", ""), ("", "{{< a >}}", ""),
            ("---\n", "a:\n", "---\n{% for a in b %}"), ("{% for ", "a ", "in b %}"),
            ("{% for a", " ", "b %}"), ("", "{% for a in b %}", ""), ("", "{{ site.data", ""),
            ("{{", "site.data ", "}}"), ("", "{{", ""), ("", "{{< a a/", ""), ("", "{{< /a", ""),
            ("{{< a ", "a =", ">}}"), ("{{< a ", "'", ">}}"), ("{{< a a", " ", ">}}"),
            ("", "////\n", ""), ("", "////", ""), ("/", "/", ""), ("", "@[code", ""),
            ("@[code", "a", "](b"), ("", "![](", ""), ("![", "[", "](#"), ("", "-8<", ""),
            ("-", "-", "8<"), ("", "'a.b'", ""), ("", "'", ""), ("", "```{python}\n'a", ""),
            ("", "```a file=", ""), ("``` ", "file ", "=a"), ("```{", "a ", "}"),
            ("> ", "> ", "```"),
            ("::\n", ".. [", "a"), ("", "```{note}\n---\n", ""), ("", "```{eval-rst}\n```\n", ""),
        ),
    ),
    "include-markdown": Case(
        expressions=(
            "pages/includes.py _directive_pattern", "pages/includes.py _directives",
        ),
        run=include_options(include_markdown=IncludeMarkdownOptions()),
        attacks=(
            ("", '{% include "a" ', ""), ("", "{% include \"a' ", ""), ("", "{% include '", ""),
            ("", '{% include "\\', ""), ("{%", " ", "x"), ("{% include", " ", "x"),
            ('{% include "a"', " ", "x"), ('{% include "', '\\"', ""), ("", "{%", ""),
            ('{% include "a" ', "exclude='", "%}"), ('{% include "a" ', "exclude=\"\\' ", "%}"),
            ('{% include "a" ', "recursive=", "%}"), ("", '{% include "a" %}', ""),
            ('{% include "a" ', "%", ""), ('{% include "a" exclude="', '\\"', "%}"),
        ),
    ),
    "macros": Case(
        expressions=("pages/includes.py _jinja_pattern", "pages/includes.py _templates"),
        run=include_options(macros=MacrosOptions(folder=DOCS)),
        attacks=(
            ("{%", "{#", ""), ("{%", "{##}", ""), ("", "{% raw %}", ""), ("{%", " ", "x"),
            ("", "{% include [", ""), ("", "{% import (", ""), ("", '{% extends "', ""),
            ("", "{% include '\"", ""), ("{% include", " ", ""), ("{% raw", " ", "x"),
            ("{% raw %}", "{%", ""), ("{% raw %}{% endraw", " ", ""),
            ("{% raw %}", "{% endraw ", ""),
            ("{% include [", "'a',", "] %}"), ("{% include [", "\"'", "] %}"), ("{%#", "#{", ""),
        ),
    ),
    "macros with comments of an owner": Case(
        expressions=("pages/includes.py _jinja_pattern",),
        run=include_options(macros=MacrosOptions(folder=DOCS, comment_tags=("[#+", "+#]"))),
        attacks=(("{%", "[#+", ""), ("{%[#+", "+", ""), ("{%", "[#++#]", ""), ("{%", "[", "")),
    ),
    "front matter": Case(
        expressions=(
            "pages/front_matter.py read_front_matter_text",
            "pages/front_matter.py front_matter_lines", "pages/front_matter.py _multimarkdown",
            "pages/front_matter.py _not_seen",
        ),
        run=read_front_matter_text,
        attacks=(
            ("---", " ", "x"), ("---\n", "---x\n", ""), ("---\n", "---  ", ""), ("---\n", "-", ""),
            ("---\n", "\n", ""), ("---\n---", " ", "x"), ("a: b\n", "a: b\n", ""),
            ("a: b\n", "    c\n", ""), ("a: b\n    ", " ", "x"), ("a:", " ", ""), ("", "a", "\n"),
            ("", "a-", ":"), ("", "<!--", ""), ("", "<!---->", ""), ("", "<!-- -->\n", "<!--"),
        ),
    ),
    "front matter that YAML can't read": Case(
        expressions=("pages/yaml_mistakes.py _fix",),
        run=mistake_in,
        attacks=(
            ("a: b: c", " ", "#"), ("a: b: ", " #", ""), ("a: b: '", "'", "x"), ("a: '", "'", "x"),
            ('a: "', "\\", "x"), ('a: "', "\\\\", '"x'), ("a: @", " ", "x"), ("a: @", ": ", ""),
            ("a: [", "]", "x"), ("a: []", " ", "x"), ("", "- ", "@"), ("", " ", "\tb: c: d"),
            ("", "\t", "b: c"), ("a", " ", ": b: c"), ("a: *", "b: ", ""), ("", "a ", "\nb: c"),
            ("a: b\n ", "c ", ": d"), ("a: '' ", " ", "x"), ("a: b:", " ", "c:"), ("a", ": ", ""),
        ),
    ),
    "front matter in TOML": Case(
        expressions=(
            "pages/toml.py _START", "pages/toml.py _BLOCK", "pages/toml.py _KEY",
            "pages/toml.py _PART", "pages/toml.py _LONG_QUOTE",
        ),
        run=read_toml_front_matter,
        attacks=(
            ("+++", " ", "x"), ("+++\n", "+++x\n", ""), ("+++\n", "+++  ", ""), ("+++\n", "\n", ""),
            ("+++\n", " ", "\n+++"), ("+++\n[", " ", "\n+++"), ("+++\na", " ", "\n+++"),
            ("+++\n", "[", "\n+++"), ("+++\n", "a", "\n+++"), ("+++\n", "a . ", "\n+++"),
            ("+++\n", "'", "\n+++"), ("+++\n", "'a'.", "\n+++"), ("+++\n", '"', "\n+++"),
            ("+++\n", "'''\n", "\n+++"), ("+++\n", "a=1\n", "\n+++"), ("+++\n", "[a]\n", "\n+++"),
        ),
    ),
    "objects for mkdocstrings": Case(
        expressions=("plugin/docstrings.py identifiers_in",),
        run=lambda text: identifiers_in(f"{text}\n:::"),
        attacks=(
            ("", "```\n", ""), ("", "`", ""), ("```\n", "`", "x"), ("```\n```", " ", "x"),
            ("```\n", " ", "```x"), ("", "~~~", ""), ("````\n", "```\n", ""), ("", "\n", ""),
            (":::", " ", "x"), ("::: a", " ", "x"), ("::: ", "a.", "!"), ("", "::: a\n", ""),
            ("::: a\n", " ", "handler"), ("::: a\n handler:", " ", ""), ("", "#", ":::"),
            ("# ", " ", ":::"), ("", "::: a\n handler: b\n", ""), ("", " \n", ""),
            ("::: a\n", " b\n", ""), ("::: a\n", " \n", ""), ("::: a\n ", " ", "b"),
        ),
    ),
    "references": Case(
        expressions=("sitemap/urls.py _unescaped",),
        run=lambda text: same_page(text, "https://example.com/a/"),
        attacks=(
            ("", "%41", ""), ("", "%", ""), ("", "../", ""), ("", "/", ""), ("", "/.", ""),
            ("http://", "a.", "/"), ("http://a:", "1", "/"), ("", "?", ""), ("", "#", ""),
            ("", "a:", ""), ("http://[", ":", "]/"), ("", "ü", ""), ("http://", "ü", "/"),
        ),
    ),
    "URLs": Case(
        expressions=(
            "sitemap/urls.py BAD_ESCAPE", "sitemap/urls.py loc_fault",
            "sitemap/urls.py _HTTP",
        ),
        run=lambda text: loc_fault(text[:2000]) or loc_fault(text),
        attacks=(("http://", "a", ""), ("http://a/", "%41", "%"), ("http://", "@", "/")),
    ),
    "URLs that people write": Case(
        expressions=("sitemap/urls.py _HTTP",),
        run=lambda text: read_url(text, PLACE, "https://example.com/"),
        attacks=(
            ("http://", "ü", "/"), ("http://", "ü.", "/"), ("http://", "a.", "/"), ("", "../", ""),
            ("http://a:", "1", "/"), ("http://", "ä@", "/"), ("", "ü", ""), ("http://[", ":", "]"),
        ),
    ),
    "priority": Case(
        expressions=("options/readers.py read_number", "options/overrides.py _read_priority"),
        run=lambda text: read_front_matter({"priority": text}, "a.md", {}, UTC, ()),
        attacks=(
            ("", "1", "x"), ("", "1", ""), ("0.", "1", "x"), (".", "0", "1"), ("", ".", ""),
            ("", "-", ""), ("", "x", ""), ("", " ", "1"), ("", "1.", ""),
        ),
    ),
    "lastmod": Case(
        expressions=("options/readers.py _parsed",),
        run=lambda text: read_lastmod(text, PLACE, None),
        attacks=(
            ("2026-01-01", " ", "x"), ("2026-01-01 10:00:00.", "1", "x"), ("", "2026-", ""),
            ("2026-01-01 10:00", " ", "x"), ("2026-01-01 10:00:00.", "1", " x"),
        ),
    ),
    "texts": Case(
        expressions=("options/readers.py read_text",),
        run=lambda text: read_text(text, PLACE),
        attacks=(("", " ", "x"), ("", " a", ""), ("", "\0", ""), ("", "\0a ", "")),
    ),
    "a page with nothing but a script": Case(
        expressions=(
            "web/stub_redirects.py _SCRIPT", "web/stub_redirects.py _UNSEEN",
            "web/stub_redirects.py _TAG", "web/stub_redirects.py _CONTENT",
            "web/stub_redirects.py _OTHER_WORK", "web/stub_redirects.py _LEADS_TO",
        ),
        run=lambda text: script_target(f"<script>location='a'</script>{text}".encode()),
        attacks=(
            *HTML, ("", "<script", ""), ("", "<script>", ""), ("<script>", "</script", ""),
            ("<script>", "location=", ""), ("<script>", "location ", ""), ("", "<style", ""),
            ("<script>location='", "a", ""), ("", "<title></title ", ""), ("", "<a ", ""),
            ("<a", " on", ""), ("<a on", "a", ""), ("<a onclick", " ", ""),
        ),
    ),
    "a day in words": Case(
        expressions=("web/days_in_words.py _NUMBER", "web/days_in_words.py read_day"),
        run=lambda text: read_day(text, "de"),
        attacks=(("", "2024 ", ""), ("2024 1 ", "mai", ""), ("", "1", "")),
    ),
    "texts of a page": Case(
        expressions=(
            "web/page_text.py _BODY", "web/page_text.py _COMMENT", "web/page_text.py _HEAD",
            "web/page_text.py _TAG", "web/page_text.py _TITLE",
        ),
        run=lambda text: (title_and_text(text), is_empty(text)),
        attacks=(
            *HTML, ("", "<title>", ""), ("", "<title ", ""), ("<title>", "<", ""),
            ("", "<title></title ", ""), ("", "</head ", ""), ("</head", " ", "x"),
            ("", "<body ", ""), ("", "<script>", ""), ("", "<script></script ", ""),
            ("<svg>", "</svg ", ""), ("", "<meta ", ""), ("", "<!doctype ", ""), ("", "&", ""),
        ),
    ),
    "robots rules": Case(
        run=lambda text: RobotsRules("robots", text, HEADER).forbid_index(CRAWLERS, NOW),
        attacks=(
            ("", "a:", ""), ("", ",", ""), ("", "unavailable_after:", ""), ("", "noindex ", ""),
            ("", "unavailable_after: 1 jan ", ""), ("unavailable_after: ", "1", ""),
            ("unavailable_after: ", "1 ", ""), ("unavailable_after: ", "1:", ""),
        ),
    ),
    "links in a header": Case(
        expressions=(
            "check/answers.py _LINK", "check/answers.py _PARAMETER",
        ),
        run=lambda text: [*_canonicals([text])],
        attacks=(
            ("", "<", ""), ("", "<a>", ""), ("<a>", ";", ""), ("<a>", "; ", "x"),
            ("<a>;", " ", "x"), ("<a>;b", " ", "x"), ("<a>;b=", " ", ";"), ("<a>;b=", "a", '"'),
            ('<a>;b="', "\\", ""), ('<a>;b="', "a", ""), ("<a>", '"', ""), ("<a>", '"a', ""),
            ("", '<a>;rel="', ""), ("<a>", ";a=b", ""), ("<a>", ';a="b"', ""),
        ),
    ),
    "names of sections": Case(
        expressions=("sitemap/split.py section_names",),
        run=lambda text: section_names("sitemap.xml", text.split("/")),
        attacks=(
            ("", "-1", "x"), ("", "-", ""), ("-", "1", "x"), ("", "%C3%BC", ""), ("", "a/", ""),
        ),
    ),
    "many sections of one name": Case(
        run=lambda text: section_names(
            "sitemap.xml", (chr(0x4E00 + n % 20_000) + chr(0x4E00 + n // 20_000)
                            for n in range(len(text) // 16)),
        ),
        attacks=(("", " ", ""),),
    ),
    "names of parts": Case(
        expressions=("sitemap/split.py is_part",),
        run=lambda text: is_part(text, "sitemap.xml"),
        attacks=(("sitemap-", "1", "x"), ("sitemap-section-", "a.", ".xml"), ("", "sitemap-", "")),
    ),
    "the files of an index": Case(
        expressions=("sitemap/split.py listed_urls",),
        run=lambda text: list(listed_urls(f"<sitemapindex {text}".encode())),
        attacks=(
            ("", "<loc>", ""), ("", "<loc></loc>", ""), ("<loc>", "a", ""),
            ("<loc>&#", "1", "</loc>"),
        ),
    ),
    "an entry of a sitemap": Case(
        run=lambda text: all_entries(urlset(text, more=EXTENSIONS)),
        attacks=(
            ("", f"{HERE}{LINK}</url>", ""), ("", f"{HERE}{PICTURE}</url>", ""),
            (HERE, LINK, "</url>"), (HERE, PICTURE, "</url>"), (HERE, LINK, "<x/></url>"),
            (HERE, PICTURE + LINK, "<x/></url>"), ("", f"{HERE}{LINK * 9}<x/></url>", ""),
            (HERE + LINK[:-2], " ", "/></url>"), (HERE + LINK[:-3], "a", '"/></url>'),
            (f'{HERE}<xhtml:link rel="alternate" hreflang="', "de-", '"/></url>'),
            (f"{HERE}<image:image>", "\n", "</image:image></url>"),
            ("", "\n<url><loc>https://a.b/</loc></url>", ""),
            ("", "\n<url><loc>https://a.b/</loc></url>\n<url/>", ""),
            ("", "<url><loc>https://a.b/%</loc></url>", ""), ("", "\n", ""),
            ("<url><loc>https://a.b/", "a", "</loc></url>"),
            ("<url><loc>https://a.b/", "%41", "</loc></url>"),
            ("<url><loc>https://a.b/", "%41a", "%</loc></url>"),
            ("<url><loc>https://", "a", "</loc></url>"), ("<url>", " ", "</url>"),
            ("<!--", "</url>", "-->"), ("<!--", "<url>", "-->"), ("<![CDATA[", "</url>", "]]>"),
            ("<!--", "<url><loc>https://a.b/</loc></url>", "-->"), ("<url>", "a<b/>", "</url>"),
            ("<url><loc>", "a<!-- -->", "</loc></url>"), ("<url><loc>", "a&amp;", "</loc></url>"),
            ("<url>", "<![CDATA[a]]>", "</url>"), ("", "a<!-- -->", ""), ("", "<![CDATA[a]]>", ""),
        ),
    ),
    "a text file with URLs": Case(
        expressions=("sitemap/other_forms.py _BEGINS_WITH_URL", "sitemap/other_forms.py _LINE"),
        run=lambda text: feed_entries(text.encode()),
        attacks=(
            ("", "\n", "http://"), ("http://a/", "a", ""), ("http://a/", "\n", ""),
            ("", "http://a/\n", ""), ("http://a/\n", " \r", ""), ("", "http", ""),
        ),
    ),
    "a feed": Case(
        run=lambda text: feed_entries(text.encode()),
        attacks=(
            ("<rss>", "<channel><item><link>a</link></item></channel>", "</rss>"),
            ("<rss><channel>", "<item><link>a</link></item>", "</channel></rss>"),
            ("<rss><channel><item>", "<guid>a</guid>", "</item></channel></rss>"),
            ('<feed xmlns="http://www.w3.org/2005/Atom"><entry>', "<link/>", "</entry></feed>"),
            (DATED, "1 ", "</pubDate></item></channel></rss>"),
            (DATED, "(", "</pubDate></item></channel></rss>"),
            (DATED, ",", "</pubDate></item></channel></rss>"),
        ),
    ),
    "robots.txt, a line added": Case(
        expressions=("output/robots.py _LINE", "output/robots.py with_sitemap"),
        run=lambda text: with_sitemap(text.encode(), "https://example.com/sitemap.xml"),
        attacks=(
            ("", " ", "x"), ("sitemap", " ", "x"), ("sitemap:", " ", ""), ("sitemap:a", " ", "b"),
            ("sitemap:", "#", ""), ("sitemap:a", "#", "\v"), ("sitemap:a", " #", ""),
            ("", "sitemap:a\n", ""), ("", "\r", ""), ("sitemap:", "a", " b"),
        ),
    ),
    "robots.txt, its rules": Case(
        expressions=("sitemap/client.py _SITEMAP_LINE", "sitemap/client.py read_robots"),
        run=lambda text: read_robots(text.encode()).allows("a", "https://example.com/a"),
        attacks=(
            ("", "a", ""), ("", " ", "x"), ("a", " ", "x"), ("", "a-", ":"), ("", "\r", ""),
            ("user-agent:a\ndisallow:", "%41", ""), ("user-agent:a\ndisallow:", "/*", ""),
            ("user-agent:", "a", ""), ("", "user-agent:a\n", "disallow:/\n"),
            ("user-agent:a\n", "disallow:/a*a\n", ""), ("", "user-agent:a\ndisallow:/a*b\n", ""),
            ("user-agent:a\n" * 20_000, "disallow:/a\n", ""),
        ),
    ),
    "robots.txt, a URL": Case(
        run=lambda text: read_robots(b"user-agent:*\ndisallow:/*a*b*c$\n").allows("a", text),
        attacks=(
            ("", "a", ""), ("http://", "a", ""), ("http://a/", "a", ""), ("http://a/", "ab", ""),
            ("http://a/", "%41", ""), ("", ":", ""),
        ),
    ),
    "a loc of another sitemap": Case(
        expressions=(
            "sitemap/values.py _SCHEME",
            "sitemap/values.py _USUAL_URL",
            "sitemap/values.py _MUST_BE_ESCAPED",
            "sitemap/values.py _ENTITY",
            "sitemap/urls.py _PLAIN",
        ),
        run=lambda text: (list(LOC.faults(text)), url_key(text)),
        attacks=(
            ("", "a", ""), ("http://", "a.", ""), ("http://a/", "a/", ""), ("http://a/", "a/", "["),
            ("http://a/", "a", "["), ("http://a/", "%41", "%"), ("http://a/", "&#", ""),
            ("http://a/&#", "1", ""), ("http://a/", "&amp", ""), ("http://a/", "//", "\0"),
            ("http://a/?", "a", ""),
        ),
    ),
    "dates of another sitemap": Case(
        expressions=(
            "sitemap/values.py _STRICT_DATE",
            "sitemap/values.py _IMPRECISE_DATE",
            "sitemap/values.py _WITHOUT_SECONDS",
        ),
        run=lambda text: (
            list(LASTMOD.faults(text)), list(NEWS_DATE.faults(text)), unread(LASTMOD, text)
        ),
        attacks=(
            ("2026-01-01T10:00:00.", "1", "x"), ("2026-01-01", " ", "x"), ("", "2026-", ""),
        ),
    ),
    "a loc with many folders": Case(
        run=lambda text: check_site(
            [listed(f"https://a.example{text}")], PACKAGE, Findings(), whole=[PACKAGE]
        ),
        attacks=(("", "/", ""), ("", "/a", ""), ("", "/..", ""), ("", "/%41", "/")),
    ),
    "a rule of a host, and the path of a page": Case(
        expressions=("check/hosting.py _pattern",),
        run=lambda text: [
            rule.fullmatch(f"/{'a' * 2_000}!") if (rule := _pattern(f"/{text}-")) else None
        ],
        attacks=(("", ":a", ""), ("", "%2A", ""), ("", ":a/", ""), ("*", "a", ""), ("*", ":a", "")),
    ),
    "words of another sitemap": Case(
        expressions=("sitemap/values.py text_matching",),
        run=lambda text: [
            list(VIDEO_VIDEO.children[name].kind.faults(text))
            for name in ("restriction", "platform")
        ],
        attacks=(
            ("", "DE ", "x"), ("DE", " ", "x"), ("", "D", ""), ("", "web ", "x"), ("web", " ", "x"),
        ),
    ),
    "what git says": Case(
        expressions=("gitdates/git.py error_of",),
        run=lambda text: error_of(128, text.encode()),
        attacks=(
            ("", "safe.directory ", ""), ("", "safe.directory \n", ""), ("", "fatal: \n", ""),
            ("", "dubious ", ""), ("fatal: ", "x", ""),
        ),
    ),
    "names of authors": Case(
        expressions=("gitdates/ignored.py glob_pattern",),
        run=lambda text: Ignored(authors=glob_pattern(("*a*a*a*b", "?*a*?b"))).why(
            Commit(b"0 0 \0\0" + text.encode())
        ),
        attacks=(("", "a", ""), ("", "ab", "c"), ("", "[", "")),
    ),
    "subjects of commits": Case(
        expressions=("gitdates/ignored.py glob_pattern",),
        run=lambda text: Ignored(subjects=glob_pattern(("*a*a*a*b", "?*a*?b"))).why(
            Commit(b"0 0 \0%b\0" % text.encode())
        ),
        attacks=(("", "a", ""), ("", "ab", "c"), ("", "ab", ""), ("", "[", "")),
    ),
    "subjects of merges": Case(
        expressions=("gitdates/merges.py _SUBJECT", "gitdates/merges.py _HOST"),
        run=lambda text: Merges(
            Repository(Path.cwd(), b"HEAD", frozenset()), f"git@host:{text}"
        ).is_pull(Commit(b"0 0 1 2\0Merge %b\0" % text.encode())),
        attacks=(
            ("branch 'main' of ", "x", " into main"), ("branch 'main' of ", " into", "main"),
            ("branch '", "a", "' of x"), ("branch 'main' of ", "a:", ""),
            ("branch 'main' of http://", "/", ""), ("branch 'main' of x into ", "y", " "),
            ("remote-tracking branch 'origin/", "main' into ", ""),
        ),
    ),
    "character references": Case(
        expressions=("wording.py unescape",),
        run=unescape,
        attacks=(("&#", "1", ""), ("", "&#", ""), ("", "&#1", ""), ("&#x", "1", ";")),
    ),
    "users of URLs": Case(
        expressions=("wording.py _USER",),
        run=without_users,
        attacks=(("://", "a", ""), ("", "://", ""), ("", "://a", "@"), ("://", "@", "/"),
                 ("://", "a@", " "), ("", "://a@", "")),
    ),
}  # fmt: skip

OTHERS = {
    "gitdates/at_head.py at_head": "it sees the name of a branch",
    "gitdates/at_head.py _remote_path": "it takes each letter of the address of a remote once",
    "web/html.py _ERROR_PAGE": "it takes each letter of the path of a file once",
    "lastmod/parts.py _EXTENDED": "it looks at two letters",
    "lastmod/parts.py _markdown": "it looks at three letters",
    "check/site_files.py _TEMPLATE": "it sees the first 65,536 bytes of a file",
    "check/protocol.py _XML_DECLARATION": "it sees the first 4,096 bytes of a file",
    "check/answers.py _decoded": "it sees the first 1,024 bytes of a page or a header",
    "check/answers.py _ENCODINGS": "it takes each letter of a header once",
    "cli/check.py _HEADER": "it sees the argument of a person",
    "sitemap/open_sitemaps.py find_sitemaps": "it splits at single letters, in a URL someone gave",
    "sitemap/open_sitemaps.py _WITHOUT_SCHEME": "it sees the argument of a person",
    "files.py _matches": "it looks for single letters",
    "files.py _files": "it looks for single letters",
    "output/__init__.py _TEMPORARY": "it looks at the end of the name of a file",
    "gitdates/log.py _HEADER": "it ends after 200 bytes",
    "gitdates/log.py _IDS": "it takes each letter of the ids of a commit once",
    "gitdates/repository.py _HEAD": "it sees what git prints of itself, and 64 letters of an id",
    "pages/front_matter.py option_lines": "it sees keys of at most 200 letters",
    "sitemap/parse.py _WEB_PAGE": "it sees the first 4,096 bytes of a file",
    "wording.py with_relative_paths": "it finds a fixed text in a message",
    "sitemap/render.py begins_like_own_file": "it takes each letter of the first lines once",
    "cli/diff.py _cell": "it takes each letter once",
    "check/hosting.py _PLACEHOLDER": "it takes each letter of a line once",
    "check/hosting.py _REDIRECT": "it ends after four letters",
    "sitemap/values.py _BEFORE_PATH": "it takes each letter of the host once",
    "sitemap/values.py _all_loc_faults": "it finds one letter",
    "check/protocol.py _IS_HTTP": "it looks at the first eight letters",
    "sitemap/values.py _DECIMAL": "it gets less than 100 letters",
    "sitemap/open_sitemaps.py IS_URL": "it looks at the first eight letters",
    "sitemap/open_sitemaps.py _segments": "it splits at single letters, in a URL someone gave",
    "pages/toml.py loads": "it sees an error of Python's own reader",
    "pages/site_url.py _normal_form_fault": "it reads the option site_url, a letter at a time",
    "pipeline/add_media.py _cause": "it reads digits once, in the keys that messages name",
    "indexnow.py _KEY": "it ends after 128 letters, and sees the key of a person",
    "lastmod/dates_file.py _entry": "it ends after 64 letters",
    "anysite/includes.py _DATA_OF_HUGO": "it finds words in a template",
    "anysite/includes.py _OTHER_PAGES": "it finds words in a template",
    "anysite/includes.py _paths": "it takes each slash at the start of a name once",
    "anysite/paths.py _ELSEWHERE": "it takes each line of front matter once",
    "built_site/foreign_front_matter.py _DATE": "it ends after ten letters",
    "web/html.py _BESIDE_PAGES": "it sees the path of a built file",
    "web/file_links.py _FILE": "it sees the path of a URL of at most 2,048 letters",
    "web/file_links.py _IDE": "it sees the path of a URL of at most 2,048 letters",
    "web/file_links.py file_link": "it sees the path of a URL of at most 2,048 letters",
    "lastmod/git.py _author": "it reads the option ignore_authors, and takes each letter once",
    "gitdates/ignored.py read_ignored": "it ends after 64 letters",
    "options/readers.py news_language": "it ends after five letters",
    "options/readers.py read_news_language": "it ends after five letters",
    "options/readers.py read": "it sees an option that is a text",
    "options/readers.py read_filename": "it sees the option filename",
    "options/readers.py read_zone": "it sees the option timezone",
    "options/patterns.py _make_stars_atomic": "it sees a pattern of at most 1,000 letters",
    "options/patterns.py _make_linear": "test_patterns.py measures what it makes of patterns",
    "sitemap/urls.py _LABEL": "it ends after 63 letters",
    "sitemap/languages.py _parts": "it ends after ten letters",
}
"""Expressions for which no text of a site can be long."""


def expressions():
    """Find each regular expression of the package: where it is compiled or used."""
    for file, tree in modules().items():
        for node in nodes(file):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                assert not _hides_expressions(node), f"{file} imports re in another way"
            if _makes_an_expression(node):
                (top,) = [each for each in tree.body if _is_in(node, each)]
                yield f"{file} {_name(top, node)}"


def _is_in(node, top):
    return top.lineno <= node.lineno <= top.end_lineno


def _hides_expressions(node):
    if isinstance(node, ast.ImportFrom):
        return node.module == "re"
    return any(each.name == "re" and each.asname for each in node.names)


def _makes_an_expression(node):
    function = node.func if isinstance(node, ast.Call) else None
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "re"
        and function.attr != "escape"
    )


def _name(top, node):
    """Name what an expression is assigned to, or the innermost function that uses it."""
    if isinstance(top, ast.Assign):
        return ast.unparse(top.targets[0])
    functions = [each for each in ast.walk(top) if isinstance(each, ast.FunctionDef)]
    return [each.name for each in functions if node in ast.walk(each)][-1]


def test_no_group_is_repeated_possessively():
    """Python before 3.11.5 does not find all that ``(?:a|b)*+`` matches; ``(?>(?:a|b)*)`` works."""
    repeated = re.compile(r"(?<![\\(])\)(?:[*+?]|\{[\d,]+\})\+")
    sources = {path: path.read_text("utf-8").splitlines() for path in PACKAGE.rglob("*.py")}
    found = [
        f"{path.relative_to(PACKAGE)}:{number}"
        for path, lines in sources.items()
        for number, line in enumerate(lines, 1)
        if repeated.search(line)
    ]
    assert found == []


def test_each_regular_expression_is_known_here():
    """A new one needs its worst cases above, or a reason why no long text reaches it."""
    tested = {name for case in CASES.values() for name in case.expressions}
    assert sorted({*expressions()}) == sorted({*tested, *OTHERS})


def seconds(run, attack, size):
    """Measure the processor's time for a text of about this length."""
    start, again, end = attack
    text = start + again * (size // len(again)) + end
    begun = time.process_time()
    run(text)
    return time.process_time() - begun


def check_growth(run, attack):
    """Fail if the time grows faster than the text, before it takes long.

    Four times the text may take up to eight times as long, since machines vary; a quadratic
    function takes sixteen times as long. Less than 20 ms is not worth a comparison.
    """
    size, before, shortest = 1 << 10, 0.0, 0.02 * SLOWER
    while size <= LARGEST:
        now = seconds(run, attack, size)
        for _ in range(4 if size > 1 << 14 else 1):
            if now > 8 * max(before, shortest):  # the machine may have been slow for a moment
                before = max(before, seconds(run, attack, size // 4))
                now = min(now, seconds(run, attack, size))
        assert now <= 8 * max(before, shortest), (
            f"{attack}: {size:,} letters take {now:.2f} s, a quarter {before:.2f} s"
        )
        size, before = size * 4, now


@more_at_length
@pytest.mark.timeout(60)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_time_grows_with_the_text_and_no_faster(case):
    """Whatever a page, a robots.txt, git or a foreign sitemap holds; with LONG=2 1 MB."""
    for attack in case.attacks:
        check_growth(case.run, attack)


@more_at_length
@pytest.mark.timeout(60)
def test_the_time_for_many_languages_grows_with_them_and_no_faster(tmp_path):
    """Two pages that name each other in thousands of languages."""
    codes = [f"{a}-{b}-{c}" for a, b, c in product(LANGUAGES, SCRIPTS, sorted(REGIONS))]
    pages = [made_page("a"), made_page("b")]

    def run(text):
        for page in pages:
            links = (
                f"<link rel=alternate hreflang={code} href={pages[number % 2].loc}>"
                for number, code in enumerate(codes[: len(text) // 64])
            )
            (tmp_path / page.dest_uri).parent.mkdir(exist_ok=True)
            (tmp_path / page.dest_uri).write_text("".join(links), "utf-8")
        built = [p._replace(built=read_built_page(tmp_path / p.dest_uri)) for p in pages]
        first, second = add_languages(built)
        assert len(text) < 128 or first.translation_of == second.translation_of

    check_growth(run, ("", " ", ""))
