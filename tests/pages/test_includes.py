"""What a text names as its parts, and what is taken of a file."""

from pathlib import Path

import pytest

from mkdocs_sitemap_plus.generator.options.settings import IncludeKind
from mkdocs_sitemap_plus.generator.pages.include_syntax import (
    IncludeMarkdownOptions,
    IncludeOptions,
    MacrosOptions,
    includes_in,
    section_of,
    snippets_in,
)

DOCS = Path("/docs")


def names(text, **on):
    """The names in a text, where these includers are on."""
    return [include.name for include in includes_in(text, IncludeOptions(docs_dir=DOCS, **on))]


EVERYTHING = """\
--8<-- "a"
{! b !}
{% include "c" %}
"""


@pytest.mark.parametrize(
    ("on", "found"),
    [
        ({}, []),
        ({"snippets": (DOCS,)}, ["a"]),
        ({"markdown_include": DOCS}, ["b"]),
        ({"include_markdown": IncludeMarkdownOptions()}, ["c"]),
        ({"macros": MacrosOptions(folder=DOCS)}, ["c"]),
        ({"snippets": (DOCS,), "markdown_include": DOCS}, ["a", "b"]),
    ],
)
def test_only_what_is_on_includes(on, found):
    """A notation that no extension reads is text."""
    assert names(EVERYTHING, **on) == found


SNIPPETS = {
    '--8<-- "a.md"': [("a.md", None)],
    '\t ---8<--\t"a.md"\r': [("a.md", None)],
    '--8<-- "a.md:1:2,-3:-1,:4"': [("a.md", "1:2,-3:-1,:4")],
    '--8<-- "a.md:part-1"': [("a.md", "part-1")],
    '--8<-- "a.md:"': [("a.md", None)],
    '--8<-- "a.md:1,"': [("a.md:1,", None)],
    '--8<-- "c:/a.md:1"': [("c:/a.md", "1")],
    '--8<--"a.md"': [],
    'x --8<-- "a.md"': [],
    '--8<-- ";a.md"': [],
    '--8<-- "HTTPS://web.example/a.md"': [],
    "--8<--\na.md\n--8<--\nb.md": [("a.md", None)],
    "--8<--\na.md:x\n\n; b.md\nc.md": [("a.md", "x"), ("c.md", None)],
    '--8<--\n--8<-- "a.md"\nb.md\n--8<--\n--8<-- "c.md"': [("b.md", None), ("c.md", None)],
}  # fmt: skip


@pytest.mark.parametrize(("text", "found"), SNIPPETS.items(), ids=map(repr, SNIPPETS))
def test_the_notation_of_snippets(text, found):
    """Both forms, and what looks like one."""
    assert list(snippets_in(text)) == found


LINES = "1\n2\n3\n4\n"
SECTIONS = "0\n[start: A]\n1\n[start:b]\n2\n;[end:A]\n[end:A]\n3\n[end:c]\n[start:c]\n4"
MARKED = (
    SECTIONS.replace("[", "# --8<-- [")
    .replace(";#", "#;")
    .replace("#;", "# ;")
    .replace("; --8<--", ";--8<--")
)


@pytest.mark.parametrize(
    ("text", "section", "taken"),
    [
        (LINES, None, LINES),
        (LINES, "2", "2\n3\n4\n"),
        (LINES, ":2", "1\n2"),
        (LINES, "0:1", "1"),
        (LINES, "-3:-2", "3\n4"),
        (LINES, "-99:1", "1"),
        (LINES, ":0", ""),
        (LINES, "4:4,1:1", "4\n1"),
        ("1\x0c\u2028\n2", "2", "2"),
        (MARKED, "A", "1\n2\n# ;--8<-- [end:A]"),
        (MARKED, "b", "2\n# ;--8<-- [end:A]\n3\n4"),
        (MARKED, "c", ""),
        ("--8<-- [Start:a]\n1\n--8<-- [end:a]", "a", ""),
        ("--8<-- [start:a]\n1\n--8<-- [START:a]\n2\n--8<-- [end:a]", "a", "1"),
    ],
)
def test_what_is_taken_of_a_file(text, section, taken):
    """All, lines from either end, or a named section; a name's case counts."""
    assert section_of(text, section) == taken


DIRECTIVES = {
    "{%include-markdown 'a.md'%}": ["a.md"],
    '{%\n  include-markdown\n  "a.md"\n  start="x"\n%}': ["a.md"],
    "{% include 'it\\'s.md' %}": ["it's.md"],
    '{% include "a.md" %} {% include "b.md" %}': ["a.md", "b.md"],
    '{% include "https://web.example/a.md" %}': [],
    '{% includes "a.md" %}': [],
    "{% include a.md %}": [],
}


@pytest.mark.parametrize(("text", "found"), DIRECTIVES.items(), ids=map(repr, DIRECTIVES))
def test_the_directives_of_include_markdown(text, found):
    """Both of them, over several lines, with quotes in names."""
    assert names(text, include_markdown=IncludeMarkdownOptions()) == found


def test_the_arguments_of_a_directive():
    """What is left out, and whether it goes on."""
    text = '{% include "a/*" exclude=\'a/b\' recursive=false %}{% include "c" %}'
    include_options = IncludeOptions(docs_dir=DOCS, include_markdown=IncludeMarkdownOptions())
    first, second = includes_in(text, include_options)
    assert (first.exclude, first.recursive) == ("a/b", False)
    assert (second.exclude, second.recursive) == (None, True)
    assert {first.kind, second.kind} == {IncludeKind.INCLUDE_MARKDOWN}


TEMPLATES = {
    "{%- include 'a.md' ignore missing without context +%}": [("a.md", ())],
    '{% from "a.md" import b %}{% import "c.md" as d %}{% extends "e.md" %}': [
        ("a.md", ()),
        ("c.md", ()),
        ("e.md", ()),
    ],
    "{% include ['a.md', \"b.md\"] %}": [("a.md", ("b.md",))],
    "{% include name %}": [],
    '{# {% include "a.md" %} #}': [],
    '{% raw %}{% include "a.md" %}{% endraw %}': [],
    '{%- raw -%}{% include "a.md" %}{%- endraw -%}{% include "b.md" %}': [("b.md", ())],
}


@pytest.mark.parametrize(("text", "found"), TEMPLATES.items(), ids=map(repr, TEMPLATES))
def test_the_statements_of_jinja(text, found):
    """Each that names a template, and not what Jinja does not read."""
    include_options = IncludeOptions(docs_dir=DOCS, macros=MacrosOptions(folder=DOCS))
    assert [(each.name, each.fallbacks) for each in includes_in(text, include_options)] == found


MDX = {
    "{!a.md!}": ["a.md"],
    "{!> a.md !} {!+ b.md!} {!-c.md!}": ["a.md", "b.md", "c.md"],
    "{! a.py [ln:1-5,7.2-] | latin-1 !}": ["a.py"],
    "```python\n{!a.py!}\n```": ["a.py"],
    "\\{!a.md!} {!b.md!}": ["b.md"],
    "{! https://web.example/a.md !}": [],
}


@pytest.mark.parametrize(("text", "found"), MDX.items(), ids=map(repr, MDX))
def test_the_notation_of_mdx_include(text, found):
    """Within one line, with lines, an encoding and marks."""
    assert names(text, mdx_include=DOCS) == found


VARIANTS = {
    "{* a.py *}": ["a.py"],
    '{* ../../a_py310.py ln[1:5,7] hl[3] title["A b"] *}': ["../../a_py310.py"],
    "a\n{* a.py hl[1] *}\n\n{* b.py *}\n": ["a.py", "b.py"],
    "{* a.py *} b": [],
    "{!a.py!}": [],
}


@pytest.mark.parametrize(("text", "found"), VARIANTS.items(), ids=map(repr, VARIANTS))
def test_the_notation_of_markdown_include_variants(text, found):
    """On a line of its own."""
    assert names(text, variants=DOCS) == found


BRACES = {
    "{!a.md!}": ["a.md"],
    "{!a.md!lines=1-2 4}": ["a.md"],
    "{!a.md!} {!b.md!}": ["a.md", "b.md"],
    "{!a.md\n!}": [],
}


@pytest.mark.parametrize(("text", "found"), BRACES.items(), ids=map(repr, BRACES))
def test_the_notation_of_markdown_include(text, found):
    """Within one line."""
    assert names(text, markdown_include=DOCS) == found
