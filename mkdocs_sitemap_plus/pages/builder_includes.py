"""Find what other builders than MkDocs put into a page from elsewhere, by the text of its source.

The settings of the builder are not known, and neither are the files that plugins read. A page that
shows such a file has no date, so what is not sure counts as included.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from mkdocs_sitemap_plus.pages.includes import snippets_in
from mkdocs_sitemap_plus.pages.rst_includes import (
    CODE,
    Embed,
    in_rst,
    of_directive,
    options_of_myst,
    plain,
)
from mkdocs_sitemap_plus.pages.site_paths import MARKDOWN
from mkdocs_sitemap_plus.pages.template_includes import in_liquid, in_shortcodes

_MARKDOWN = (*MARKDOWN, ".mdx", ".qmd")
_RST = (".rst", ".rest", ".txt")
_ASCIIDOC = (".adoc", ".asciidoc", ".asc")
_TEMPLATES = (".html", ".htm", ".njk", ".liquid", ".webc", ".mdoc", ".org")
SYNTAX_OF_ENDING = {
    **dict.fromkeys(_RST, frozenset(("sphinx",))),
    **dict.fromkeys(_ASCIIDOC, frozenset(("asciidoc",))),
    ".mdx": frozenset(("mdx",)),
    ".qmd": frozenset(("shortcodes",)),
    ".mdoc": frozenset(("liquid",)),
    ".org": frozenset(("org", "shortcodes")),
}
"""The syntaxes of the files that only builders of one kind read."""


def embeds_in(path: str, text: str) -> Iterator[Embed]:
    """Yield what a file includes in each syntax that its ending allows."""
    name = path.lower()
    if name.endswith(_RST):
        if "::" in text:
            yield from in_rst(text)
    elif name.endswith(_ASCIIDOC):
        yield from _in_asciidoc(text)
    elif name.endswith((*_MARKDOWN, *_TEMPLATES)):
        if name.endswith(_MARKDOWN):
            yield from _in_markdown(text) if _may_include(text) else ()
            yield from _before_markdown(text)
        yield from in_liquid(text)
        yield from in_shortcodes(text)
        if name.endswith(".org"):
            for line in re.findall(r"(?mi)^[ \t]*+(#\+(?:include|setupfile):.*)", text):
                yield Embed(line, is_file=False, syntax="org")


_VERBATIM = re.compile(r"(?:-{4,}|\.{4,}|\+{4,}|/{4,}|`{3,})[ \t]*\Z")


def _in_asciidoc(text: str) -> Iterator[Embed]:
    """Yield what AsciiDoc includes, outside of comments."""
    block = ""  # the delimiter of the block whose text is shown as it is, or is a comment
    for line in text.splitlines() if "include::" in text else ():
        written = line.rstrip()
        if written == block:
            block = ""
        elif not block and _VERBATIM.match(written):
            block = written
        elif not block.startswith("/") and (found := re.match(r"include::([^\s\[][^\[]*)\[", line)):
            family, dollar, rest = found[1].partition("$")  # of Antora: ``partial$a.adoc``
            embed = Embed(f"/{rest}", below=(f"{family}s",)) if dollar else Embed(found[1])
            yield embed._replace(syntax="asciidoc")


class _Fence(NamedTuple):
    """The first line of a block in Markdown."""

    mark: str  # the backticks, tildes or colons
    directive: str | None  # of MyST; None: the block is code, or a container of another builder
    is_mdx: bool  # whether Docusaurus reads the code as if it were not in a block

    @property
    def is_code(self) -> bool:
        if self.directive:
            return self.directive in CODE
        return not self.mark.startswith(":") and not self.is_mdx


_FENCED = re.compile(r"(?:`{3}|~{3}|:{3})[ \t]*+\{[A-Za-z]")
_WORDS = tuple(re.compile(rf"{word}\b") for word in ("import", "require", "export"))

_FENCE = re.compile(
    r"(?P<before>(?>(?:[ \t>]|(?:[*+:-]|\d{1,9}[.)])(?=[ \t]))*))"
    r"(?P<mark>`{3,}+|~{3,}+|:{3,}+)(?P<info>.*)"
)
_VITEPRESS_CODE = re.compile(r"[ \t>]*+<<<(?!<)[ \t]*+(?P<name>[^\s{}#\[\]]++)")
_MYST = re.compile(r"\{(?P<name>[A-Za-z][^\s{}]*+)\}(?P<argument>.*)")


def _may_include(text: str) -> bool:
    """Return whether a text may include anything by MyST, MDX or ``<<<``; most texts do not.

    Words are searched for one by one, which is many times as fast as all at once.
    """
    return (
        "<<<" in text
        or any(word.search(text) for word in _WORDS)
        or (any(mark in text for mark in ("```", "~~~", ":::")) and bool(_FENCED.search(text)))
    )


def _in_markdown(text: str) -> Iterator[Embed]:
    """Yield what MyST, imports of MDX and VitePress include, outside of code and comments."""
    fences: list[_Fence] = []
    outside: list[str] = []
    lines = text.split("\n")
    rst: int | None = None  # where the text of ``{eval-rst}`` begins
    comment = ""  # what ends the comment around the line
    for after, line in enumerate(lines, 1):
        inner = fences[-1] if fences else None
        is_code = bool(inner and inner.is_code)
        if not is_code and (comment := _comment(line, comment)):
            continue
        fence = _FENCE.match(line)
        info = fence["info"].strip() if fence else ""
        if fence and inner and not fence["before"].strip(" \t>") and _closes(fence, inner):
            fences.pop()
            if rst is not None:
                yield from in_rst("\n".join(lines[rst : after - 1]))
            rst = None
        elif fence and not is_code and (info or not fence["mark"].startswith(":")):
            new = _Fence(fence["mark"], _directive(info), info == "mdx-code-block")
            yield from _of_fence(info, lines, after)
            rst = after if new.directive == "eval-rst" else None
            fences.append(new)
        elif not is_code:
            outside.append(line)
            if code := _VITEPRESS_CODE.match(line):
                name = code["name"]
                yield Embed(name, below=("",), is_text=False, syntax="vitepress")
    if rst is not None:
        yield from in_rst("\n".join(lines[rst:]))
    yield from _imports("\n".join(outside))


def _closes(fence: re.Match[str], inner: _Fence) -> bool:
    return fence["mark"].startswith(inner.mark) and not fence["info"].strip()


def _comment(line: str, inside: str) -> str:
    """Return what ends the comment that a line is in or begins; empty if the line is read."""
    text = line.strip()
    for start, end in (("<!--", "-->"), ("{/*", "*/}")):
        if inside == end or (not inside and text.startswith(start)):
            return "" if end in text else end
    return ""


def _directive(info: str) -> str | None:
    match = _MYST.match(info)
    return plain(match["name"]) if match else None


def _of_fence(info: str, lines: Sequence[str], after: int) -> Iterator[Embed]:
    if match := _MYST.match(info):
        argument = match["argument"].strip()
        options, has_content = options_of_myst(lines, after)
        yield from of_directive(match["name"], argument, options, has_content=has_content)


_IMPORT = re.compile(
    r"(?m)(?:^|;)[ \t]*+(?:import|export)\b(?:[^'\"=;`]{0,1000}\bfrom\b)?\s*+"
    r"['\"](?P<name>[^'\"\n]++)"
    r"|\b(?:require|import)\s*+\(\s*+['\"](?P<called>[^'\"\n]++)"
)
_DATA = (".json", ".json5", ".yml", ".yaml", ".toml", ".csv", ".txt")
_CODE_SPAN = re.compile(r"`[^`\n]*+`")
_SCRIPT = re.compile(r"(?i)<script\b[^<>]*+>(.*?)(?:</script\b|\Z)", re.DOTALL)


def _imports(text: str) -> Iterator[Embed]:
    """Yield the files of text or data that MDX imports, and those that scripts of VitePress do."""
    shown = _CODE_SPAN.sub("", text)
    for match in _IMPORT.finditer(shown):
        if match[0][0] not in " \t":  # an indented line is text
            yield from _imported(match, "mdx")
    for script in _SCRIPT.findall(text) if "<script" in text else ():
        for match in _IMPORT.finditer(script):
            yield from _imported(match, "vitepress")


def _imported(match: re.Match[str], syntax: str) -> Iterator[Embed]:
    """Yield a file of text or data. Other files are components."""
    loader, _, name = (match["name"] or match["called"]).rpartition("!")
    name, _, query = name.partition("?")
    lower = name.lower()
    embed = partial(Embed, name, syntax=syntax)
    if re.search(r"\.data\.[cm]?[jt]s\Z", lower):  # VitePress runs it during the build
        yield embed(is_file=False)
    elif lower.endswith(_MARKDOWN):
        yield embed(below=("", "src"))
    elif lower.endswith(_DATA) or "raw" in loader or "raw" in query:
        yield embed(below=("", "src"), is_text=False)


_MDBOOK = re.compile(
    r"(?<!\\)\{\{\s*+#(?P<tag>include|rustdoc_include|playground|playpen|template)\s++"
    r"(?P<name>[^\s}:]++)"
)
_VITEPRESS = re.compile(r"<!--\s*+@include:\s*+(?P<name>[^\s{}#<>]++)")


def _before_markdown(text: str) -> Iterator[Embed]:
    """Yield what mdBook, VitePress and snippets put into the text, in code blocks too."""
    for match in _MDBOOK.finditer(text) if "{{" in text else ():
        is_text = match["tag"] in ("include", "template")
        yield Embed(match["name"], is_text=is_text, syntax="mdbook")
    for match in _VITEPRESS.finditer(text) if "@include" in text else ():
        yield Embed(match["name"].rstrip("-"), below=("",), syntax="vitepress")
    if "8<-" in text:
        for name, _ in snippets_in(text):
            yield Embed(name, below=("",), syntax="snippets")
