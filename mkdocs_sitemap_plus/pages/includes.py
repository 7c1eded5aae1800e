"""The parts of a text: files that Markdown extensions and plugins put into a page.

Only names are read here, as their authors wrote them; `lastmod.parts` finds the files.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mkdocs_sitemap_plus.options.settings import Includer
from mkdocs_sitemap_plus.pages.snippets import snippets_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Include:
    """A part of a text, by name.

    Attributes:
        kind: who includes it.
        name: a path, or for some kinds a pattern, as it is written.
        section: what of the file is taken, as pymdownx.snippets writes it (``1:5`` or ``name``);
            None: all of it.
        exclude: a pattern of files that do not count (include-markdown).
        recursive: whether it may include further files in the same way (include-markdown).
        extension: whether the Markdown extension markdown-include names it, not the plugin.
        instead: names that are tried in turn where there is no such file (macros).
    """

    kind: Includer
    name: str
    section: str | None = None
    exclude: str | None = None
    recursive: bool = True
    extension: bool = False
    instead: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Directives:
    """How mkdocs-include-markdown-plugin is set.

    Attributes:
        tags: its opening and closing tag.
        names: what its directives are called.
        recursive: whether parts include further files, where they do not say so themselves.
        exclude: patterns of files that are not included, and of pages that include nothing.
    """

    tags: tuple[str, str] = ("{%", "%}")
    names: tuple[str, ...] = ("include", "include-markdown")
    recursive: bool = True
    exclude: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Templates:
    """How mkdocs-macros-plugin is set.

    Attributes:
        folder: the absolute folder of its includes.
        tags: what begins and ends a block of Jinja.
    """

    folder: Path
    tags: tuple[str, str] = ("{%", "%}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Including:
    """What can include files in this site, and where it looks for them.

    Attributes:
        docs_dir: the absolute folder of the sources.
        snippets: the base paths of pymdownx.snippets, absolute; ``Path()`` stands for the folder of
            each page; empty if it is off.
        restricted: whether snippets must lie under their base path.
        markdown: the base path of the Markdown extension markdown-include; None if it is off.
        directives: how mkdocs-include-markdown-plugin is set; None if it is off.
        templates: how mkdocs-macros-plugin is set; None if it is off.
        docstrings: whether mkdocstrings is on.
    """

    docs_dir: Path
    snippets: tuple[Path, ...] = ()
    restricted: bool = True
    markdown: Path | None = None
    directives: Directives | None = None
    templates: Templates | None = None
    docstrings: bool = False


# Where an opening has no end on its line, or in the text, nor has any further one. So it takes all
# of the rest, and each text is read once.
_MARKDOWN_INCLUDE = re.compile(r"\{!(?:[^\S\n]*+(\S.*?)!(?:lines=[0-9 -]+)?\}|.*)")


def includes_in(text: str, including: Including) -> Iterator[Include]:
    """The parts that `text` names, in order, by all that is on in this site."""
    if including.snippets and "8<-" in text:
        for name, section in snippets_in(text):
            yield Include(kind=Includer.SNIPPETS, name=name, section=section)
    if including.markdown and "{!" in text:
        for name in filter(None, _MARKDOWN_INCLUDE.findall(text)):
            yield Include(kind=Includer.INCLUDE_MARKDOWN, name=name.rstrip(), extension=True)
    if including.directives and including.directives.tags[0] in text:
        yield from _directives(text, including.directives)
    if including.templates and including.templates.tags[0] in text:
        yield from _templates(text, *including.templates.tags)


_QUOTED = r"(?:\"(?P<double>(?:[^\"]++|(?<=\\)\")++)\"|'(?P<single>(?:[^']++|(?<=\\)')++)')"
_EXCLUDE = re.compile(rf"\bexclude={_QUOTED}")
_RECURSIVE = re.compile(r"\brecursive=(true|false)\b")


@cache
def _directive(directives: Directives) -> re.Pattern[str]:
    opening, closing = map(re.escape, directives.tags)
    names = "|".join(map(re.escape, directives.names))
    return re.compile(
        rf"{opening}\s*+(?:{names})\s++{_QUOTED}(?:(?P<arguments>.*?){closing}|.*)", re.DOTALL
    )


def _directives(text: str, directives: Directives) -> Iterator[Include]:
    for match in _directive(directives).finditer(text):
        name, arguments = _unquoted(match), match["arguments"]
        if arguments is not None and not name.startswith(("http://", "https://")):
            exclude = _EXCLUDE.search(arguments)
            recursive = _RECURSIVE.search(arguments)
            yield Include(
                kind=Includer.INCLUDE_MARKDOWN,
                name=name,
                exclude=_unquoted(exclude) if exclude else None,
                recursive=recursive[1] == "true" if recursive else directives.recursive,
            )


def _unquoted(match: re.Match[str]) -> str:
    double: str | None = match["double"]
    return match["single"].replace(r"\'", "'") if double is None else double.replace(r"\"", '"')


_ONE_NAME = r"\"[^\"]+\"|'[^']+'"


@cache
def _jinja(opening: str, closing: str) -> re.Pattern[str]:
    """Statements of Jinja that name other templates, and text that Jinja does not read.

    Jinja renders nothing of a text with a comment, a raw block or a list that has no end.
    """
    begin, end = re.escape(opening) + r"[+-]?\s*+", r"\s*+[+-]?" + re.escape(closing)
    comment = r"\{#(?:.*?#\}|.*)"
    raw = rf"{begin}raw{end}(?:.*?{begin}endraw{end}|.*)"
    names = rf"(?P<names>\[[^\]]*+\]|\([^)]*+\)|{_ONE_NAME})|[\[(].*"
    named = rf"{begin}(?:include|import|from|extends)\s*+(?:{names})"
    return re.compile(f"{comment}|{raw}|{named}", re.DOTALL)


def _templates(text: str, opening: str, closing: str) -> Iterator[Include]:
    """Jinja's include, import, from and extends, also of a list of which the first is taken."""
    for match in _jinja(opening, closing).finditer(text):
        quoted = re.findall(_ONE_NAME, match["names"] or "")
        first, *others = [each[1:-1] for each in quoted] or [""]
        if first:
            yield Include(kind=Includer.MACROS, name=first, instead=tuple(others))
