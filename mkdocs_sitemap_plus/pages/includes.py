"""Find the names of the files that Markdown extensions and plugins include in a page.

`lastmod.parts` finds the files with these names.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Any

from mkdocs_sitemap_plus.options.settings import IncludeKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Include:
    """The name of a file that a text includes.

    Attributes:
        kind: the extension, plugin or option that includes it.
        name: a path, as it is written; for some kinds a pattern.
        section: the part of the file, as pymdownx.snippets writes it (``1:5`` or ``name``); None:
            the whole file.
        exclude: a pattern of files that are not included (include-markdown).
        recursive: whether the included file can include further files (include-markdown).
        extension: True for the Markdown extension markdown-include; False for the plugin
            include-markdown.
        fallbacks: names that are tried in this order if there is no such file (macros).
    """

    kind: IncludeKind
    name: str
    section: str | None = None
    exclude: str | None = None
    recursive: bool = True
    extension: bool = False
    fallbacks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IncludeMarkdownOptions:
    """The options of mkdocs-include-markdown-plugin.

    Attributes:
        tags: the opening and the closing tag of a directive.
        names: the names of its directives.
        recursive: whether included files can include further files; a directive can change this.
        exclude: patterns of files that are not included, and of pages that include nothing.
    """

    tags: tuple[str, str] = ("{%", "%}")
    names: tuple[str, ...] = ("include", "include-markdown")
    recursive: bool = True
    exclude: tuple[str, ...] = ()

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> "IncludeMarkdownOptions":
        """Read the plugin's options; an invalid one has its default."""
        names, exclude = options.get("directives"), options.get("exclude")
        names = names if isinstance(names, Mapping) else {}
        exclude = exclude if isinstance(exclude, list) else []
        return cls(
            tags=(_text(options, "opening_tag", "{%"), _text(options, "closing_tag", "%}")),
            names=tuple(_text(names, name, name) for name in ("include", "include-markdown")),
            recursive=options.get("recursive", True) is not False,
            exclude=tuple(each for each in exclude if isinstance(each, str)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MacrosOptions:
    """The options of mkdocs-macros-plugin.

    Attributes:
        folder: the absolute folder of the files to include.
        tags: the start and the end of a block of Jinja.
    """

    folder: Path
    tags: tuple[str, str] = ("{%", "%}")

    @classmethod
    def from_options(cls, options: Mapping[str, Any], folder: Path) -> "MacrosOptions":
        """Read the plugin's options; an invalid one has its default."""
        begin = _text(options, "j2_block_start_string", "{%")
        end = _text(options, "j2_block_end_string", "%}")
        return cls(folder=folder, tags=(begin, end))


@dataclass(frozen=True, slots=True, kw_only=True)
class IncludeOptions:
    """The options of the extensions and plugins that include files in the pages of a site.

    Attributes:
        docs_dir: the absolute folder of the sources.
        snippets: the absolute base paths of pymdownx.snippets; ``Path()`` stands for the folder of
            each page. Empty if it is off.
        restricted: whether snippets must be inside of their base path.
        markdown: the base path of the Markdown extension markdown-include; None if it is off.
        directives: the options of mkdocs-include-markdown-plugin; None if it is off.
        templates: the options of mkdocs-macros-plugin; None if it is off.
        docstrings: whether mkdocstrings is on.
    """

    docs_dir: Path
    snippets: tuple[Path, ...] = ()
    restricted: bool = True
    markdown: Path | None = None
    directives: IncludeMarkdownOptions | None = None
    templates: MacrosOptions | None = None
    docstrings: bool = False

    @classmethod
    def from_options(
        cls,
        plugins: Mapping[str, Mapping[str, Any]],
        extensions: Mapping[str, Mapping[str, Any]],
        docs_dir: Path,
        folder: Callable[[Any], Path],
    ) -> "IncludeOptions":
        """Return the options of the plugins and Markdown extensions that include files.

        Args:
            plugins: the options of each plugin, by name.
            extensions: the options of each Markdown extension, by name.
            docs_dir: the absolute folder of the sources.
            folder: returns the absolute path of an option's path. As in Markdown extensions, this
                is relative to the folder in which the build runs.
        """
        snippets, markdown = (
            extensions.get(name) for name in ("pymdownx.snippets", "markdown_include.include")
        )
        directives, macros = (plugins.get(name) for name in ("include-markdown", "macros"))
        bases: Any = () if snippets is None else snippets.get("base_path", ["."])
        return cls(
            docs_dir=docs_dir,
            snippets=tuple(map(folder, bases if isinstance(bases, (list, tuple)) else [bases])),
            restricted=(snippets or {}).get("restrict_base_path", True) is not False,
            markdown=None if markdown is None else folder(markdown.get("base_path") or "."),
            directives=None
            if directives is None
            else IncludeMarkdownOptions.from_options(directives),
            templates=None
            if macros is None
            else MacrosOptions.from_options(macros, folder(macros.get("include_dir") or docs_dir)),
            docstrings="mkdocstrings" in plugins,
        )


def _text(options: Mapping[str, Any], key: str, default: str) -> str:
    """Return the value of an option if it is a text and not empty; otherwise the default."""
    value = options.get(key)
    return value if isinstance(value, str) and value else default


# An opening without an end matches the rest of its line (further below: of the text). There is then
# no end for a later opening either. So each text is read once.
_MARKDOWN_INCLUDE = re.compile(r"\{!(?:[^\S\n]*+(\S.*?)!(?:lines=[0-9 -]+)?\}|.*)")


def includes_in(text: str, include_options: IncludeOptions) -> Iterator[Include]:
    """Yield the files that a text includes, by one extension or plugin after the other.

    Files come in the order of the text. Only what is on in this site is looked for.
    """
    if include_options.snippets and "8<-" in text:
        for name, section in snippets_in(text):
            yield Include(kind=IncludeKind.SNIPPETS, name=name, section=section)
    if include_options.markdown and "{!" in text:
        for name in filter(None, _MARKDOWN_INCLUDE.findall(text)):
            yield Include(kind=IncludeKind.INCLUDE_MARKDOWN, name=name.rstrip(), extension=True)
    if include_options.directives and include_options.directives.tags[0] in text:
        yield from _directives(text, include_options.directives)
    if include_options.templates and include_options.templates.tags[0] in text:
        yield from _templates(text, *include_options.templates.tags)


_QUOTED = r"(?:\"(?P<double>(?>(?:[^\"]++|(?<=\\)\")+))\"|'(?P<single>(?>(?:[^']++|(?<=\\)')+))')"
_EXCLUDE = re.compile(rf"\bexclude={_QUOTED}")
_RECURSIVE = re.compile(r"\brecursive=(true|false)\b")


@cache
def _directive_pattern(directives: IncludeMarkdownOptions) -> re.Pattern[str]:
    opening, closing = map(re.escape, directives.tags)
    names = "|".join(map(re.escape, directives.names))
    return re.compile(
        rf"{opening}\s*+(?:{names})\s++{_QUOTED}(?:(?P<arguments>.*?){closing}|.*)", re.DOTALL
    )


def _directives(text: str, directives: IncludeMarkdownOptions) -> Iterator[Include]:
    for match in _directive_pattern(directives).finditer(text):
        name, arguments = _unquoted(match), match["arguments"]
        if arguments is not None and not name.startswith(("http://", "https://")):
            exclude = _EXCLUDE.search(arguments)
            recursive = _RECURSIVE.search(arguments)
            yield Include(
                kind=IncludeKind.INCLUDE_MARKDOWN,
                name=name,
                exclude=_unquoted(exclude) if exclude else None,
                recursive=recursive[1] == "true" if recursive else directives.recursive,
            )


def _unquoted(match: re.Match[str]) -> str:
    double: str | None = match["double"]
    return match["single"].replace(r"\'", "'") if double is None else double.replace(r"\"", '"')


_ONE_NAME = r"\"[^\"]+\"|'[^']+'"


@cache
def _jinja_pattern(opening: str, closing: str) -> re.Pattern[str]:
    """Return an expression for Jinja's comments, raw blocks, and statements that name templates.

    If one of these has no end, Jinja renders nothing. Then the expression matches the rest.
    """
    begin, end = re.escape(opening) + r"[+-]?\s*+", r"\s*+[+-]?" + re.escape(closing)
    comment = r"\{#(?:.*?#\}|.*)"
    raw = rf"{begin}raw{end}(?:.*?{begin}endraw{end}|.*)"
    names = rf"(?P<names>\[[^\]]*+\]|\([^)]*+\)|{_ONE_NAME})|[\[(].*"
    named = rf"{begin}(?:include|import|from|extends)\s*+(?:{names})"
    return re.compile(f"{comment}|{raw}|{named}", re.DOTALL)


def _templates(text: str, opening: str, closing: str) -> Iterator[Include]:
    """Yield the templates that include, import, from and extends name.

    Of a list of templates, Jinja uses the first that exists.
    """
    for match in _jinja_pattern(opening, closing).finditer(text):
        quoted = re.findall(_ONE_NAME, match["names"] or "")
        first, *others = [each[1:-1] for each in quoted] or [""]
        if first:
            yield Include(kind=IncludeKind.MACROS, name=first, fallbacks=tuple(others))


_MARKER = re.compile(
    r"""
    [ \t]*(?P<escape>;*)-+8<-+
    (?:[ \t]+(?:"(?P<double>(?:\\"|[^"\n\r])+?)"|'(?P<single>(?:\\'|[^'\n\r])+?)'))?
    \r?
    """,
    re.VERBOSE,
)
# A path may end with a colon and a section, which is a list of `FIRST:LAST` or a name. This
# expression matches the reversed text, so that it finds the longest section.
_NUMBERS = r"[0-9]*-?(?::[0-9]*-?)?"
_SECTION_REVERSED = re.compile(
    rf"(?P<section>(?:(?=[-0-9:]){_NUMBERS},)*{_NUMBERS}|[\w-]*[a-z]):", re.IGNORECASE | re.ASCII
)
# A match does not start inside a run of `;` or `-`, so such a run is read once.
_SECTION = re.compile(
    r"(?<!;)(?!(?<=-)-)(?P<escape>;*)-+8<-+[ \t]+"
    r"\[[ \t]*(?P<type>start|end)[ \t]*:[ \t]*(?P<name>[a-z][\w-]*)[ \t]*\]",
    re.IGNORECASE | re.ASCII,
)
_MAX_COPIES = 10
"""How often the lines of a file may be repeated by a section such as ``1:9,1:9``."""
_MAX_DIGITS = 1000
"""Digits of a line number. Python can't read a number of more than 4,300 digits."""


def snippets_in(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield each included path and its section.

    A path stands in quotes after a marker, or on a line between two markers. A section is ``name``,
    or lines such as ``1:5,8:9``; None: the whole file.
    """
    block = False
    for line in text.split("\n"):
        marker = _MARKER.fullmatch(line) if "8<-" in line else None
        if marker is None:
            yield from _path_and_section(line) if block else ()
        elif marker["escape"]:
            continue
        elif quoted := marker["double"] or marker["single"]:
            yield from _path_and_section(quoted) if not block else ()
        else:
            block = not block


def _path_and_section(written: str) -> Iterator[tuple[str, str | None]]:
    written = written.strip()
    found = _SECTION_REVERSED.match(written[::-1])
    path = (written[: -found.end()] if found else written).strip()
    if path and not path.lower().startswith((";", "http://", "https://")):
        yield path, found["section"][::-1] if found and found["section"] else None


def section_of(text: str, section: str | None) -> str:
    """Return the part of a file that a section names; None names the whole file.

    A section may repeat lines. At most ten times the number of the file's lines are returned.
    """
    if section is None:
        return text
    lines = text.split("\n") if text else []
    if section[0].isalpha():
        return "\n".join(_named_section(lines, section))
    spans = (lines[_line_slice(span)] for span in section.split(","))
    return "\n".join(islice(chain.from_iterable(spans), _MAX_COPIES * len(lines)))


def _named_section(lines: list[str], name: str) -> Iterator[str]:
    """Yield the lines between the two markers of a section."""
    inside = False
    for line in lines:
        mark = _SECTION.search(line) if "8<-" in line else None
        if mark is None or mark["escape"]:
            if inside:
                yield line
        elif mark["name"] == name:
            if mark["type"].lower() == "end":
                return
            inside = True


def _line_slice(span: str) -> slice:
    """Return the slice of ``FIRST:LAST``: 1-based, with the last line; negative: from the end."""
    first, _, last = (part.removesuffix("-") for part in span.partition(":"))
    start = int(first[:_MAX_DIGITS]) if first else None
    end = int(last[:_MAX_DIGITS]) if last else None
    if start is not None and start > 0:
        start -= 1
    if end is not None and end < 0:
        end = end + 1 or None
    return slice(start, end)
