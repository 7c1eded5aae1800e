"""The parts of a text: files that Markdown extensions and plugins put into a page.

Only names are read here, as their authors wrote them; `lastmod.parts` finds the files.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from mkdocs_sitemap_plus.evidence import Includer
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


_MARKDOWN_INCLUDE = re.compile(r"\{![^\S\n]*(\S.*?)[^\S\n]*!(?:lines=[0-9 -]+)?\}")


def includes_in(text: str, including: Including) -> Iterator[Include]:
    """The parts that `text` names, in order, by all that is on in this site."""
    if including.snippets and "8<-" in text:
        for name, section in snippets_in(text):
            yield Include(kind=Includer.SNIPPETS, name=name, section=section)
    if including.markdown and "{!" in text:
        for name in _MARKDOWN_INCLUDE.findall(text):
            yield Include(kind=Includer.INCLUDE_MARKDOWN, name=name, extension=True)
    if including.directives and including.directives.tags[0] in text:
        yield from _directives(text, including.directives)
    if including.templates and including.templates.tags[0] in text:
        yield from _templates(text, *including.templates.tags)


_QUOTED = r"(?:\"(?P<double>(?:[^\"]|(?<=\\)\")+)\"|'(?P<single>(?:[^']|(?<=\\)')+)')"
_EXCLUDE = re.compile(rf"\bexclude={_QUOTED}")
_RECURSIVE = re.compile(r"\brecursive=(true|false)\b")


@cache
def _directive(directives: Directives) -> re.Pattern[str]:
    opening, closing = map(re.escape, directives.tags)
    names = "|".join(map(re.escape, directives.names))
    return re.compile(
        rf"{opening}\s*(?:{names})\s+{_QUOTED}(?P<arguments>.*?)\s*{closing}", re.DOTALL
    )


def _directives(text: str, directives: Directives) -> Iterator[Include]:
    for match in _directive(directives).finditer(text):
        name = _unquoted(match)
        exclude = _EXCLUDE.search(match["arguments"])
        recursive = _RECURSIVE.search(match["arguments"])
        if not name.startswith(("http://", "https://")):
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
def _jinja(opening: str, closing: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Text that Jinja does not read, and its statements that name other templates."""
    begin, end = re.escape(opening) + r"[+-]?\s*", r"\s*[+-]?" + re.escape(closing)
    unread = rf"\{{#.*?#\}}|{begin}raw{end}.*?{begin}endraw{end}"
    names = rf"(?P<names>\[[^\]]*\]|\([^)]*\)|{_ONE_NAME})"
    named = rf"{begin}(?:include|import|from|extends)\s*{names}"
    return re.compile(unread, re.DOTALL), re.compile(named)


def _templates(text: str, opening: str, closing: str) -> Iterator[Include]:
    """Jinja's include, import, from and extends, also of a list of which the first is taken."""
    unread, named = _jinja(opening, closing)
    for match in named.finditer(unread.sub("", text)):
        first, *others = [quoted[1:-1] for quoted in re.findall(_ONE_NAME, match["names"])] or [""]
        if first:
            yield Include(kind=Includer.MACROS, name=first, instead=tuple(others))
