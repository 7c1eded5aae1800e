"""Find what other builders than MkDocs put into a page from elsewhere, by the text of its source.

The settings of the builder are not known, and neither are the files that plugins read. A page that
shows such a file has no date, so what is not sure counts as included.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from mkdocs_sitemap_plus.pages.includes import snippets_in
from mkdocs_sitemap_plus.pages.site_paths import MARKDOWN

_MARKDOWN = (*MARKDOWN, ".mdx", ".qmd")
_RST = (".rst", ".rest", ".txt")
_ASCIIDOC = (".adoc", ".asciidoc", ".asc")


class Embed(NamedTuple):
    """What a text takes from elsewhere."""

    name: str  # as it is written: the path of a file, or what makes the text
    is_file: bool = True  # whether `name` is a path; a relative one starts at either file's folder
    # It may also start at one of these below any folder above the page. ``/x`` always does.
    below: tuple[str, ...] = ()
    is_text: bool = True  # whether what that file includes is included too
    by_theme: bool = False  # whether a theme may bring the file, and then nothing is included


def embeds_in(path: str, text: str) -> Iterator[Embed]:
    """Yield what a file includes. The ending of its path tells how to read its text."""
    name = path.lower()
    if not _SIGNS.search(text):
        return
    if name.endswith(_RST):
        yield from _in_rst(text.splitlines())
    elif name.endswith(_ASCIIDOC):
        yield from _in_asciidoc(text)
    elif name.endswith(_MARKDOWN):
        yield from _in_markdown(text)
        yield from _in_templates(text)
        yield from _before_markdown(text)


_MAKERS = frozenset(
    ("click", "argparse", "program-output", "command-output", "exec", "exec_code", "jsonschema",
     "openapi", "apidoc", "changelog", "bibliography")
)  # fmt: skip
"""Directives that show more than they say. So do those whose name begins with one of `_MAKE`."""
_MAKE = ("auto", "doxygen")

_SIGNS = re.compile(
    rf"(?i)include|import|<<<|8<-|:file:|read-?file|snippet|embed|transclude|renderfile|#play"
    rf"|#template|(?:{'|'.join((*_MAKE, *map(re.escape, sorted(_MAKERS))))})[\w-]*(?:::|\}})"
)
"""A text without a match includes nothing; most texts have none."""

_CODE = frozenset(
    ("eval-rst", "code", "code-block", "code-cell", "sourcecode", "parsed-literal", "math", "raw",
     "console", "prompt", "doctest", "testcode", "testoutput", "mermaid", "graphviz", "uml",
     "example")
)  # fmt: skip
"""Directives whose content is no markup."""


def _of_directive(name: str, argument: str) -> Iterator[Embed]:
    """Yield what a directive of reStructuredText or MyST includes."""
    if name.startswith(_MAKE) or name in _MAKERS:
        yield Embed(f"{name} {argument}".rstrip(), is_file=False)
    elif "include" in name and argument and not argument.startswith("<"):
        yield Embed(argument, is_text="literal" not in name and "code" not in name)


def _plain(name: str) -> str:
    """Return the name of a directive without that of its domain, such as ``py:``."""
    return name.rpartition(":")[2].lower()


_IN_LIST = re.compile(r"\A(?>(?:(?:[*+|-]|[#\w]\.)[ \t]+)*)")
_DIRECTIVE = re.compile(
    r"\.\.[ \t]++(?:\|[^|]*+\|[ \t]++)?(?P<name>[^\s|:]++(?>(?::[^\s|:]++)*))::"
)
_OPTION = re.compile(r":file:[ \t]++(?P<name>.+)")  # of csv-table, raw and others
_COMMENT = re.compile(r"\.\. (?![_\[|])")


def _in_rst(lines: Iterable[str]) -> Iterator[Embed]:
    """Yield what reStructuredText includes. Literal blocks and comments are passed over."""
    block: int | None = None  # the indentation above a literal block
    is_raw = False  # whether the block is one whose text may be in a file
    for line in lines:
        text = line.strip()
        indentation = len(line) - len(line.lstrip())
        in_block = block is not None and indentation > block
        if (not in_block or is_raw) and (option := _OPTION.match(text)):
            yield Embed(option["name"], is_text=False)
        if not text or in_block:
            continue
        item = _IN_LIST.sub("", text)
        if match := _DIRECTIVE.match(item):
            name = _plain(match["name"])
            yield from _of_directive(name, item[match.end() :].strip())
            block, is_raw = indentation if name in _CODE else None, name == "raw"
        elif text.endswith("::") or text == ".." or _COMMENT.match(text):
            block, is_raw = indentation, False
        else:
            block = None


def _in_asciidoc(text: str) -> Iterator[Embed]:
    for name in re.findall(r"(?m)^include::([^\s\[]++)\[", text):
        family, dollar, rest = name.partition("$")  # of Antora: ``partial$a.adoc``
        yield Embed(f"/{rest}", below=(f"{family}s",)) if dollar else Embed(name)


class _Fence(NamedTuple):
    """The first line of a block in Markdown."""

    mark: str  # the backticks, tildes or colons
    directive: str | None  # of MyST; None: the block is code, or a container of another builder

    @property
    def is_code(self) -> bool:
        return self.directive in _CODE if self.directive else not self.mark.startswith(":")


_LINE = re.compile(  # that begins a block or ends it, is an option, or may be an import of MDX
    r"(?m)^[ \t>]*+(?:(?P<mark>`{3,}+|~{3,}+|:{3,}+)(?P<info>.*)"
    r"|(?=import\b|export\b|\}|:file:|<<<)(?P<text>.*))"
)
_VITEPRESS_CODE = re.compile(r"<<<(?!<)[ \t]*+(?P<name>[^\s{}#\[\]]++)")
_MYST = re.compile(r"\{(?P<name>[^\s{}]++)\}(?P<argument>.*)")
_IMPORT = re.compile(r"(?:import\b|export\b|\}\s*+from\b)[^'\"=]*+['\"](?P<name>[^'\"]++)")
_DATA = (".json", ".json5", ".yml", ".yaml", ".toml", ".csv", ".txt")


def _in_markdown(text: str) -> Iterator[Embed]:
    """Yield what MyST, imports of MDX and VitePress include, outside of code blocks."""
    fences: list[_Fence] = []
    rst: int | None = None  # where the text of ``{eval-rst}`` begins
    for line in _LINE.finditer(text):
        inner = fences[-1] if fences else None
        mark, info = line["mark"], (line["info"] or "").strip()
        if mark is None:
            yield from _of_line(line["text"], inner)
        elif inner and mark.startswith(inner.mark) and not info:
            fences.pop()
            if rst is not None:
                yield from _in_rst(text[rst : line.start()].splitlines())
            rst = None
        elif not (inner and inner.is_code) and (info or not mark.startswith(":")):
            directive = _MYST.match(info)
            name = _plain(directive["name"]) if directive else None
            if directive and name:
                yield from _of_directive(name, directive["argument"].strip())
            rst = line.end() if name == "eval-rst" else None
            fences.append(_Fence(mark, name))
    if rst is not None:
        yield from _in_rst(text[rst:].splitlines())


def _of_line(text: str, inner: _Fence | None) -> Iterator[Embed]:
    """Yield what a line includes that is in this block."""
    if inner and inner.directive and (option := _OPTION.match(text)):
        yield Embed(option["name"].strip(), is_text=False)
    elif inner and inner.is_code:
        return
    elif code := _VITEPRESS_CODE.match(text):
        yield Embed(code["name"], below=("",), is_text=False)
    else:
        yield from _of_import(text)


def _of_import(line: str) -> Iterator[Embed]:
    """Yield the file of text or data that a line of MDX imports. Other files are components."""
    match = _IMPORT.match(line)
    if match is None:
        return
    loader, _, name = match["name"].rpartition("!")
    name, _, query = name.partition("?")
    lower = name.lower()
    if re.search(r"\.data\.[cm]?[jt]s\Z", lower):  # VitePress runs it during the build
        yield Embed(name, is_file=False)
    elif lower.endswith(_MARKDOWN):
        yield Embed(name, below=("", "src"))
    elif lower.endswith(_DATA) or "raw" in loader or "raw" in query:
        yield Embed(name, below=("", "src"), is_text=False)


_NAME = r"\"[^\"\n]*+\"|'[^'\n]*+'|`[^`\n]*+`|[^\s\"'`%{}]++"
_LIQUID = re.compile(
    rf"(?<!\{{)\{{%-?\s*+(?P<tag>include[\w-]*+|remote_include|renderFile)\s++(?P<name>{_NAME})"
)
_RAW = re.compile(r"\{%-?\s*+raw\s*+-?%\}(?:.*?\{%-?\s*+endraw\b|.*)", re.DOTALL)
_SHORTCODE = re.compile(r"\{\{[<%]\s*+(?P<tag>[\w./-]++)(?P<arguments>[^<>{}]*+)")
_SHORTCODES = re.compile(r"(?i)include|import|read-?file|snippet|embed-?(?:file|code)|transclude")
_PATH_KEYS = ("file", "path", "src", "filename", "page", "name")
_MDBOOK = re.compile(
    r"(?<!\\)\{\{\s*+#(?P<tag>include|rustdoc_include|playground|playpen|template)\s++"
    r"(?P<name>[^\s}:]++)"
)
_VITEPRESS = re.compile(r"<!--\s*+@include:\s*+(?P<name>[^\s{}#<>]++)")


def _in_templates(text: str) -> Iterator[Embed]:
    """Yield what Liquid, Nunjucks and Hugo's shortcodes include."""
    if "{%" in text:
        for match in _LIQUID.finditer(_RAW.sub("", text)):
            tag, name = match["tag"], match["name"]
            below = () if tag == "include_relative" else ("_includes",)
            by_theme = tag.startswith("include") and bool(below) and name[0] not in "\"'`"  # Jekyll
            yield Embed(name.strip("\"'`"), below=below, by_theme=by_theme)
    for match in _SHORTCODE.finditer(text) if "{{" in text else ():
        if _SHORTCODES.search(match["tag"]):
            name = _path_in(match["arguments"]) or match["tag"]
            yield Embed(name, below=("", "content", "static", "assets"))


def _path_in(arguments: str) -> str | None:
    """Return the first argument of a shortcode that can be a path; None without one."""
    for word in arguments.split():
        key, equals, value = word.partition("=")
        if not equals or key in _PATH_KEYS:
            return (value if equals else key).strip("\"'`%") or None
    return None


def _before_markdown(text: str) -> Iterator[Embed]:
    """Yield what mdBook, VitePress and snippets put into the text, in code blocks too."""
    for match in _MDBOOK.finditer(text) if "{{" in text else ():
        yield Embed(match["name"], is_text=match["tag"] in ("include", "template"))
    for match in _VITEPRESS.finditer(text) if "@include" in text else ():
        yield Embed(match["name"].rstrip("-"), below=("",))
    if "8<-" in text:
        for name, _ in snippets_in(text):
            yield Embed(name, below=("",))
