"""Find what a text of Sphinx takes from elsewhere: reStructuredText, and the directives of MyST.

A page whose directives may show more than they say has no date. So what a directive of another
name than those below does is not known, unless it has content and no argument.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple


class Embed(NamedTuple):
    """What a text takes from elsewhere."""

    name: str  # as it is written: the path of a file, or what makes the text
    is_file: bool = True  # whether `name` is a path; a relative one starts at either file's folder
    # It may also start at one of these below any folder above the page. ``/x`` always does.
    below: tuple[str, ...] = ()
    is_text: bool = True  # whether what that file includes is included too
    by_theme: bool = False  # whether a theme of Jekyll may bring the file: then nothing is included
    syntax: str = "sphinx"  # only builders that know it read the text so
    is_guess: bool = False  # whether nothing is included if no path at HEAD ends so


CODE = frozenset(
    ("eval-rst", "code", "code-block", "code-cell", "sourcecode", "parsed-literal", "math", "raw",
     "console", "prompt", "doctest", "testcode", "testoutput", "mermaid", "graphviz", "uml",
     "example", "highlight", "digraph", "graph", "testsetup", "testcleanup", "productionlist",
     "csv-table", "ipython", "tikz")
)  # fmt: skip
"""Directives whose content is no markup."""

_OTHERS = frozenset(
    ("admonition", "attention", "caution", "danger", "error", "hint", "important", "note", "tip",
     "warning", "image", "figure", "topic", "sidebar", "line-block", "rubric", "epigraph",
     "highlights", "pull-quote", "compound", "container", "table", "list-table", "contents",
     "sectnum", "section-numbering", "header", "footer", "target-notes", "meta", "replace",
     "unicode", "date", "class", "role", "default-role", "title", "toctree", "versionadded",
     "versionchanged", "versionremoved", "deprecated", "deprecated-removed", "seealso", "centered",
     "hlist", "glossary", "only", "tabularcolumns", "acks", "index", "codeauthor", "sectionauthor",
     "moduleauthor", "default-domain", "module", "currentmodule", "function", "method",
     "classmethod", "staticmethod", "attribute", "property", "data", "exception", "decorator",
     "decoratormethod", "type", "variable", "macro", "struct", "union", "enum", "enumerator",
     "member", "var", "option", "program", "envvar", "confval", "setting", "object", "describe",
     "cmdoption", "todo", "directive", "cfunction", "ctype", "cvar", "cmember", "cmacro", "grid",
     "grid-item", "grid-item-card", "card", "card-carousel", "card-header", "card-footer",
     "dropdown", "tab-set", "tab-item", "tab-set-code", "tabs", "tab", "group-tab", "code-tab",
     "button-link", "button-ref", "div", "article-info", "figure-md", "aside", "margin",
     "subfigure", "thumbnail", "youtube", "vimeo", "video", "details", "toggle", "panels",
     "tabbed", "link-button", "attribution", "blockquote", "proof", "theorem", "lemma",
     "definition", "exercise", "solution", "algorithm", "cssclass", "rst-class", "myst-example",
     "furo-demo")
)  # fmt: skip
"""Other directives that show what they contain, and nothing else: those of docutils and Sphinx, the
objects of its domains, and those with which themes arrange a page."""

_DOMAINS = frozenset(("py", "c", "cpp", "js", "rst", "std", "http", "php", "rb", "go", "java"))
_OF_FILES = frozenset(("graphviz", "uml", "mermaid", "tikz"))
"""Directives whose argument is the file that they draw."""


def of_directive(
    written: str, argument: str, options: Mapping[str, str], *, has_content: bool
) -> Iterator[Embed]:
    """Yield what a directive of reStructuredText or MyST includes."""
    domain, _, name = written.lower().rpartition(":")
    if "include" in name:
        if not argument:
            yield Embed(name, is_file=False)
        elif not argument.startswith("<"):  # that is a file of docutils
            verbatim = "literal" in name or "code" in name or options.keys() & {"code", "literal"}
            yield Embed(argument, is_text=not verbatim)
        if path := options.get("diff"):
            yield Embed(path, is_text=False)
    elif name.startswith("auto") or not (
        name in CODE | _OTHERS or domain in _DOMAINS or (has_content and not argument)
    ):
        yield Embed(f"{name} {argument}".rstrip(), is_file=False)
    elif name in _OF_FILES and argument:
        yield Embed(argument, is_text=False)
    if "url" in options and name in ("csv-table", "raw"):
        yield Embed(options["url"], is_file=False)
    for key in ("file", "load"):
        if path := options.get(key):
            yield Embed(path, is_text=False)


def plain(written: str) -> str:
    """Return the name of a directive without that of its domain, such as ``py:``."""
    return written.rpartition(":")[2].lower()


_IN_LIST = re.compile(
    r"(?>(?:(?:[*+\u2022\u2023\u2043-]|\(?(?:\d{1,9}|[a-zA-Z#]|[ivxlcdm]{1,9}|[IVXLCDM]{1,9})[.)]|:[^:`]{1,80}:"
    r"|\.\.[ ]{1,9}\[[^\]]{1,80}\])[ ]++)*)"
)
_HEAD = r"\.\.[ ]++(?:\|[^|]{1,200}\|[ ]++)?(?P<name>\w[\w.+:-]*?)[ ]?::(?:[ ]++|$)"
_DIRECTIVE = re.compile(_HEAD)
_SOMEWHERE = re.compile(rf"(?<![^\s|]){_HEAD}")
_COMMENT = re.compile(r"\.\.[ ]++(?![_\[|])")
_OPTION = re.compile(r":(?P<key>[\w-]{1,80}):(?:[ ]++(?P<value>.*))?\Z")
_LONGEST = 50  # lines that the argument and the options of a directive have at most


def in_rst(text: str) -> Iterator[Embed]:
    """Yield what reStructuredText includes. Literal blocks and comments are passed over."""
    lines = [line.expandtabs(8).rstrip() for line in text.splitlines()]
    block: int | None = None  # the column above a literal block or a comment
    for after, line in enumerate(lines, 1):
        written = line.lstrip()
        indentation = len(line) - len(written)
        if not written or (block is not None and indentation > block):
            continue
        block = None
        found = _IN_LIST.match(written)
        start = found.end() if found else 0
        column, item = indentation + start, written[start:]
        is_empty_below = not "".join(lines[after : after + 1])
        if match := _DIRECTIVE.match(item):
            first = item[match.end() :]
            argument, options, end = _arguments(first, lines, after, column)
            has_content = _indentation(lines, end) > column
            yield from of_directive(match["name"], argument, options, has_content=has_content)
            if plain(match["name"]) in CODE:
                block = column
            else:  # the text of an admonition may begin in its first line
                yield from _somewhere(first)
        elif _COMMENT.match(item) or (item.endswith("::") if is_empty_below else item == ".."):
            block = column
        else:
            yield from _somewhere(item)


def _somewhere(text: str) -> Iterator[Embed]:
    """Yield what a directive within a line includes, which may be in a table or only be shown."""
    if match := _SOMEWHERE.search(text):
        embeds = of_directive(match["name"], text[match.end() :], {}, has_content=False)
        yield from (embed._replace(is_file=False) for embed in embeds)


def _arguments(
    first: str, lines: Sequence[str], after: int, column: int
) -> tuple[str, dict[str, str], int]:
    """Return the argument and the options of a directive, and the number of lines up to their end.

    They may stand on its next lines.
    """
    argument, options = first, dict[str, str]()
    key: str | None = None
    end = after
    for line in lines[after : after + _LONGEST]:
        text = line.strip()
        if not text or len(line) - len(line.lstrip()) <= column:
            break
        end += 1
        if option := _OPTION.match(text):
            key = option["key"].lower()
            options[key] = option["value"] or ""
        elif key is None:
            argument += text
        else:
            options[key] += text
    return argument, options, end


def _indentation(lines: Sequence[str], start: int) -> int:
    """Return the column of the first text from a line on; -1 without one nearby."""
    texts = (line for line in lines[start : start + _LONGEST] if line)
    return next((len(line) - len(line.lstrip()) for line in texts), -1)


_OPTION_OF_MYST = re.compile(r"[ \t>]*+:?(?P<key>[\w-]{1,80}):(?:[ \t]++(?P<value>.*))?\Z")


_END_OF_FENCE = re.compile(r"[`~:]{3,}\Z")


def options_of_myst(lines: Sequence[str], after: int) -> tuple[dict[str, str], bool]:
    """Return the options at the beginning of a directive of MyST, and whether text follows.

    They are in YAML or in lines ``:a: b``.
    """
    found: dict[str, str] = {}
    in_yaml = has_text = False
    for number, line in enumerate(lines[after : after + _LONGEST]):
        text = line.strip(" \t>\r")
        if text == "---" and (in_yaml or number == 0):
            in_yaml = not in_yaml
        elif (option := _OPTION_OF_MYST.match(text)) and (in_yaml or text.startswith(":")):
            found[option["key"].lower()] = (option["value"] or "").strip(" \t\"'")
        elif text and not in_yaml:
            has_text = not _END_OF_FENCE.match(text)
            break
    files = {key: found[key] or "?" for key in ("file", "load") if key in found}
    return found | files, has_text
