"""Find the parts of a page: the files that it includes, and the files that its parts include."""

import os
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.files import (
    Match,
    Search,
    Unreadable,
    absolute_path,
    is_file,
    is_folder,
    is_same_file,
    plain_path,
    read_text,
)
from mkdocs_sitemap_plus.lastmod.date_source import FoundParts
from mkdocs_sitemap_plus.options import IncludeKind
from mkdocs_sitemap_plus.pages.includes import Include, IncludeOptions, includes_in, section_of

_ONLY_NAMED = frozenset((IncludeKind.DEPENDS, IncludeKind.MKDOCSTRINGS))
"""Kinds that only name files: the text of the files is not put into the page."""


_EXTENDED = re.compile(r"[{]|[?*+@!]\(|\A!")
"""What only `wcmatch` understands in a pattern: braces, lists in parentheses, and negation."""


class _Lookup(NamedTuple):
    """An included name whose files are looked up."""

    include: Include
    within: Path | None  # the file in which the name stands; None if the page has no file
    page: Path | None  # the file of the page; None if the page has no file


class PartFinder:
    """Finds the parts of pages. Many pages share a part, so the texts of parts are kept."""

    def __init__(
        self, include_options: IncludeOptions, kinds: frozenset[IncludeKind], search: Search
    ) -> None:
        """Read nothing yet; only includes of these kinds count."""
        self._options = include_options
        self._kinds = kinds
        self._search = search
        self._text = cache(_text)
        self._includes = cache(self._read_includes)

    def parts_of(self, source: Path | None, includes: Iterable[Include]) -> FoundParts:
        """Return the parts of a page with these includes.

        `source` is the absolute path of the page's own file; None if the page has no file.
        """
        files: set[Path] = set()
        missing: set[str] = set()
        unknown: set[str] = set()
        unsearched: dict[str, str] = {}
        seen: set[_Lookup] = set()
        pending = [_Lookup(include, source, source) for include in includes]
        while pending:
            lookup = pending.pop()
            if lookup in seen or lookup.include.kind not in self._kinds:
                continue
            seen.add(lookup)
            only_named = lookup.include.kind in _ONLY_NAMED
            match = self._files(lookup)
            found = [path for path in match.files if only_named or self._text(path) is not None]
            if not found and self._is_extended(lookup.include):
                unknown.add(lookup.include.name)
            elif match.reason:
                unsearched[lookup.include.name] = match.reason
            elif not found:
                missing.add(lookup.include.name)
            files.update(found)
            for path in found if not only_named else ():
                pending += self._lookups_in(path, lookup)
        return FoundParts(
            files=frozenset(files - {source}),
            missing=tuple(sorted(missing)),
            unsearched=tuple(sorted(unsearched.items())),
            unknown=tuple(sorted(unknown)),
        )

    def _lookups_in(self, path: Path, lookup: _Lookup) -> Iterator[_Lookup]:
        """Yield the names in a part whose files are included too."""
        include = lookup.include
        for inner in self._includes(path, include.section):
            at_later_stage = _stage(inner) > _stage(include)
            at_same_stage = include.recursive and _stage(inner) == _stage(include)
            if at_later_stage or at_same_stage:
                yield _Lookup(inner, path, lookup.page)

    def _read_includes(self, path: Path, section: str | None) -> tuple[Include, ...]:
        text = section_of(self._text(path) or "", section)
        return tuple(includes_in(text, self._options))

    def _files(self, lookup: _Lookup) -> Match:
        include = lookup.include
        folder = lookup.within.parent if lookup.within else self._options.docs_dir
        match include.kind:
            case IncludeKind.SNIPPETS:
                return self._snippet(include.name, lookup.page)
            case IncludeKind.MACROS:
                return self._template(include.name, *include.fallbacks)
            case IncludeKind.INCLUDE_MARKDOWN if include.base:
                name = os.path.expanduser(include.name)  # noqa: PTH111 - as the extensions
                path = include.base / name
                return _variants(path) if include.variants else _file(include.base, name)
            case IncludeKind.INCLUDE_MARKDOWN:
                return self._markdown(folder, lookup)
            case _:
                return self._search.files(folder, include.name)

    def _snippet(self, name: str, page: Path | None) -> Match:
        """Return the file in the first base path that has it, like pymdownx.snippets."""
        start = page.parent if page else self._options.docs_dir
        for base in (start / each for each in self._options.snippets):
            folder = base if is_folder(base) else base.parent  # a base path may be a file
            path = absolute_path(folder / name)
            if folder == base:
                allowed = path.is_relative_to(base) or not self._options.restricted
            else:
                allowed = is_file(base) and is_same_file(path, base)
            if allowed and is_file(path):
                return Match(files=(path,))
        return Match()

    def _template(self, *names: str) -> Match:
        """Return the first template that exists; Jinja ignores names with ``..``."""
        folder = self._options.macros.folder if self._options.macros else None
        inside = (name.lstrip("/") for name in names if ".." not in name.split("/"))
        matches = (_file(folder, name) for name in inside)
        return next((match for match in matches if match.files), Match())

    def _markdown(self, folder: Path, lookup: _Lookup) -> Match:
        """Return the files of a directive of mkdocs-include-markdown-plugin.

        A name that begins with ``./`` or ``../`` starts at `folder`, others at the docs folder.
        """
        docs_dir, include = self._options.docs_dir, lookup.include

        def search(pattern: str) -> Match:
            start = folder if pattern.startswith(("./", "../")) else docs_dir
            return self._search.files(start, pattern)

        excluded: set[Path] = set()
        options = self._options.include_markdown
        for pattern in options.exclude if options else ():
            excluded.update(self._search.files(docs_dir, pattern).files)
        if lookup.within in excluded:
            return Match()
        match = search(include.name)
        if not {".", ".."}.isdisjoint(include.name.split("/")):
            return match  # the plugin compares such paths as they are written, so none is excluded
        if include.exclude and re.match(r"\.{0,2}/", include.exclude):
            excluded.update(search(include.exclude).files)
        return match._replace(files=tuple(each for each in match.files if each not in excluded))

    def _is_extended(self, include: Include) -> bool:
        """Return whether a directive has a pattern that is not searched here."""
        is_directive = include.kind is IncludeKind.INCLUDE_MARKDOWN and not include.base
        return is_directive and bool(_EXTENDED.search(include.name))


def _text(path: Path) -> str | None:
    try:
        return read_text(path)
    except Unreadable:
        return None


def _stage(include: Include) -> int:
    """Return the number of the stage of a build that includes a file: 0 is the first.

    The names in this file are then read by the same stage and by later ones.
    """
    if include.kind is IncludeKind.INCLUDE_MARKDOWN:
        return 2 if include.base else 0
    return 1 if include.kind is IncludeKind.MACROS else 3


def _variants(path: Path) -> Match:
    """Return a Python file with the variants that markdown-include-variants shows beside it.

    These are ``a.py``, ``a_py310.py``, ``a_an.py`` and so on; if there is only one, the files with
    its name in such variants of its folder.
    """
    folder = path.parent
    files = [folder / f"{name}.py" for name in _variant_names(path.stem)]
    found = [each for each in files if is_file(each)]
    if len(found) == 1:
        files = [folder.parent / name / path.name for name in _variant_names(folder.name)]
        found = [each for each in files if is_file(each)]
    return Match(files=tuple(map(plain_path, found)))


def _variant_names(name: str) -> list[str]:
    versions = ("", "_py39", "_py310", "_py311")
    while suffix := next((each for each in ("_an", *versions[1:]) if name.endswith(each)), None):
        name = name.removesuffix(suffix)
    return [f"{name}{kind}{version}" for kind in ("", "_an") for version in versions]


def _file(base: Path | None, name: str) -> Match:
    found = (plain_path(base / name),) if base and is_file(base / name) else ()
    return Match(files=found)
