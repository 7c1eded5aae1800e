"""Find the files that Markdown extensions and plugins include in a page, by name.

`lastmod.parts` finds the files of these names.
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
    """A file that a text includes, by name.

    Attributes:
        kind: what includes it.
        name: a path, or for some kinds a pattern, as it is written.
        section: the part of the file, as pymdownx.snippets writes it (``1:5`` or ``name``); None:
            all of it.
        exclude: a pattern of files that do not count (include-markdown).
        recursive: whether it may include further files in the same way (include-markdown).
        extension: whether the Markdown extension markdown-include names it, not the plugin.
        instead: names that are tried in turn where there is no such file (macros).
    """

    kind: IncludeKind
    name: str
    section: str | None = None
    exclude: str | None = None
    recursive: bool = True
    extension: bool = False
    instead: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class IncludeMarkdownOptions:
    """The options of mkdocs-include-markdown-plugin.

    Attributes:
        tags: its opening and closing tag.
        names: what its directives are called.
        recursive: whether included files include further files, if a directive does not say so.
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
        folder: the absolute folder of its includes.
        tags: what begins and ends a block of Jinja.
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
    """What can include files in this site, and where it looks for them.

    Attributes:
        docs_dir: the absolute folder of the sources.
        snippets: the base paths of pymdownx.snippets, absolute; ``Path()`` stands for the folder of
            each page; empty if it is off.
        restricted: whether snippets must lie under their base path.
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
        """Read the options of the plugins and Markdown extensions that include files.

        Args:
            plugins: the options of each plugin, by name.
            extensions: the options of each Markdown extension, by name.
            docs_dir: the absolute folder of the sources.
            folder: makes a path of an option absolute, as Markdown extensions do: from the folder
                in which the build runs.
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
    """Return an option that is a text and not empty; otherwise its default."""
    value = options.get(key)
    return value if isinstance(value, str) and value else default


# If an opening has no end on its line (below also: in the text), no later opening has one. So it
# takes all of the rest, and each text is read once.
_MARKDOWN_INCLUDE = re.compile(r"\{!(?:[^\S\n]*+(\S.*?)!(?:lines=[0-9 -]+)?\}|.*)")


def includes_in(text: str, include_options: IncludeOptions) -> Iterator[Include]:
    """Yield the files that `text` includes, in order, by all that is on in this site."""
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


_QUOTED = r"(?:\"(?P<double>(?:[^\"]++|(?<=\\)\")++)\"|'(?P<single>(?:[^']++|(?<=\\)')++)')"
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
    """Return an expression for Jinja's comments, raw text, and statements that name templates.

    Jinja renders nothing of a text with a comment, a raw block or a list that has no end.
    """
    begin, end = re.escape(opening) + r"[+-]?\s*+", r"\s*+[+-]?" + re.escape(closing)
    comment = r"\{#(?:.*?#\}|.*)"
    raw = rf"{begin}raw{end}(?:.*?{begin}endraw{end}|.*)"
    names = rf"(?P<names>\[[^\]]*+\]|\([^)]*+\)|{_ONE_NAME})|[\[(].*"
    named = rf"{begin}(?:include|import|from|extends)\s*+(?:{names})"
    return re.compile(f"{comment}|{raw}|{named}", re.DOTALL)


def _templates(text: str, opening: str, closing: str) -> Iterator[Include]:
    """Yield the templates of include, import, from and extends; of a list the first that exists."""
    for match in _jinja_pattern(opening, closing).finditer(text):
        quoted = re.findall(_ONE_NAME, match["names"] or "")
        first, *others = [each[1:-1] for each in quoted] or [""]
        if first:
            yield Include(kind=IncludeKind.MACROS, name=first, instead=tuple(others))


_MARKER = re.compile(
    r"""
    [ \t]*(?P<escape>;*)-+8<-+
    (?:[ \t]+(?:"(?P<double>(?:\\"|[^"\n\r])+?)"|'(?P<single>(?:\\'|[^'\n\r])+?)'))?
    \r?
    """,
    re.VERBOSE,
)
# A path ends with its section. The expression reads the reversed text: the longest list of
# `FIRST:LAST`, or a name; then a colon.
_NUMBERS = r"[0-9]*-?(?::[0-9]*-?)?"
_SECTION_REVERSED = re.compile(
    rf"(?P<section>(?:(?=[-0-9:]){_NUMBERS},)*{_NUMBERS}|[\w-]*[a-z]):", re.IGNORECASE | re.ASCII
)
# Not from inside a run of `;` or `-`: such a run is read once.
_SECTION = re.compile(
    r"(?<!;)(?!(?<=-)-)(?P<escape>;*)-+8<-+[ \t]+"
    r"\[[ \t]*(?P<type>start|end)[ \t]*:[ \t]*(?P<name>[a-z][\w-]*)[ \t]*\]",
    re.IGNORECASE | re.ASCII,
)
_MOST_COPIES = 10
_MOST_DIGITS = 1000
"""Of a line number. Python reads no number of over 4,300 digits."""


def snippets_in(text: str) -> Iterator[tuple[str, str | None]]:
    """Yield each path with its section: quoted behind a marker, or on lines between two markers.

    A section is ``name``, or lines as in ``1:5,8:9``; None: the whole file.
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
    """Return the part of a file that a section stands for; None stands for all of it.

    A section may list the same lines again and again: only ten times the file's lines are taken.
    """
    if section is None:
        return text
    lines = text.split("\n") if text else []
    if section[0].isalpha():
        return "\n".join(_named(lines, section))
    spans = (lines[_lines(span)] for span in section.split(","))
    return "\n".join(islice(chain.from_iterable(spans), _MOST_COPIES * len(lines)))


def _named(lines: list[str], name: str) -> Iterator[str]:
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


def _lines(span: str) -> slice:
    """Return the lines of ``FIRST:LAST``, both included; a negative number counts from the end."""
    first, _, last = (part.removesuffix("-") for part in span.partition(":"))
    start = int(first[:_MOST_DIGITS]) if first else None
    end = int(last[:_MOST_DIGITS]) if last else None
    if start is not None and start > 0:
        start -= 1
    if end is not None and end < 0:
        end = end + 1 or None
    return slice(start, end)
