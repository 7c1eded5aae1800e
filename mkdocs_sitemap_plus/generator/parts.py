"""Which files does a page take in? One walk over the names in its text, and MkDocs' reader of them.

A builder's texts name files, and these name further ones. What a name means is told by `PartFinder`
for the plugins and extensions of MkDocs, and by `any_site.includes` for other builders. They differ
on purpose:

- MkDocs reads the disk, and goes on without a file that is missing: the page keeps its date.
- With another builder only the files at HEAD are known, and a name without one may mean anything:
  the page has no date.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from mkdocs_sitemap_plus.files import (
    AnyPath,
    Unreadable,
    absolute_path,
    exists,
    is_file,
    is_folder,
    read_text,
    real_path,
)
from mkdocs_sitemap_plus.generator.options.settings import IncludeKind
from mkdocs_sitemap_plus.generator.pages.include_syntax import (
    Include,
    IncludeOptions,
    includes_in,
    section_of,
)
from mkdocs_sitemap_plus.generator.pages.site import Parts
from mkdocs_sitemap_plus.wording import listing

T = TypeVar("T")


class Meaning(NamedTuple, Generic[T]):
    """What a name in a text means: files, or why not; and the names to look up next."""

    files: tuple[Path, ...] = ()
    inner: Iterable[T] = ()
    missing: str | None = None  # the name, if there is no such file
    unsearched: tuple[str, str] | None = None  # the name, and why files were not searched
    unknown: str | None = None  # what nobody but the builder can tell


def find_parts(
    source: Path | None, names: Iterable[T], look_up: Callable[[T], Meaning[T]]
) -> Parts:
    """Return the parts of the page of a source: of its `names`, and of the names in these files."""
    found, pending, seen = list[Meaning[T]](), [*names], set[T]()
    while pending:
        name = pending.pop()
        if name not in seen:
            seen.add(name)
            found.append(meaning := look_up(name))
            pending += meaning.inner
    return Parts(
        files=frozenset(path for each in found for path in each.files) - {source},
        missing=tuple(sorted({each.missing for each in found if each.missing})),
        unsearched=tuple(sorted({each.unsearched for each in found if each.unsearched})),
        unknown=tuple(sorted({each.unknown for each in found if each.unknown})),
    )


MAX_FOUND = 10_000  # files that one pattern can match

_ONLY_NAMED = frozenset((IncludeKind.DEPENDS, IncludeKind.MKDOCSTRINGS))
"""Kinds that only name files: the text of the files is not put into the page."""


_EXTENDED = re.compile(r"[{]|[?*+@!]\(|\A!")
"""What only `wcmatch` understands in a pattern: braces, lists in parentheses, and negation."""


def is_same_file(path: AnyPath, other: AnyPath) -> bool:
    """Return whether two paths are the same file; False if one of them does not exist."""
    try:
        return os.path.samefile(path, other)  # noqa: PTH121 - `Path` raises more
    except (OSError, ValueError):
        return False


def plain_path(path: Path) -> Path:
    """Return a path without ``..`` to the same file.

    Symbolic links stay. But if the path without ``..`` is another file, all links are resolved.
    """
    plain = absolute_path(path)
    return real_path(path) if exists(path) and not is_same_file(plain, path) else plain


class Match(NamedTuple):
    """The files that a pattern matches."""

    files: tuple[Path, ...] = ()  # sorted by path
    reason: str | None = None  # why there are no files although some may match, as a sentence


class Search:
    """Searches the folders `roots` for files. Patterns are those of `glob.glob` with ``**``."""

    def __init__(self, roots: Sequence[Path]) -> None:
        self._names_of_roots = listing(dict.fromkeys(root.name or str(root) for root in roots))
        self._roots = {real_path(root) for root in roots}
        self.files = cache(self._files)

    def _files(self, folder: Path, pattern: str) -> Match:
        """Return the files that `pattern`, a path or a pattern relative to `folder`, names.

        A path may name a file outside of the `roots`. A pattern that finds more than `MAX_FOUND`
        files gives none, since it would be chance which files are found first.
        """
        path = plain_path(folder / pattern)  # `folder` need not exist, as that of a generated page
        if is_file(path):  # its name may contain "*"
            return Match((path,))
        if not (magic := re.search(r"[*?[]", pattern)):
            return Match()
        above, slash, _ = pattern[: magic.start()].rpartition("/")
        start = plain_path(folder / (above + slash))
        if not self._is_inside(start):
            return Match(reason=f"No file outside of {self._names_of_roots} is searched.")
        parts = pattern.removeprefix(above + slash).split("/")
        found = {*islice(_matches(str(start), parts), MAX_FOUND + 1)}
        if len(found) > MAX_FOUND:
            return Match(reason=f"It matches more than {MAX_FOUND:,} files.")
        return Match(tuple(sorted(filter(self._is_inside, (plain_path(Path(f)) for f in found)))))

    def _is_inside(self, path: Path) -> bool:
        return any(real_path(path).is_relative_to(root) for root in self._roots)


def _matches(folder: str, parts: Sequence[str]) -> Iterator[str]:  # noqa: C901 - kinds of parts
    """`glob.iglob` would follow symbolic links below ``**``, which can lead round in circles."""
    while parts and not re.search(r"[*?[]", parts[0]):
        folder, parts = os.path.join(folder, parts[0]), parts[1:]  # noqa: PTH118 - a Path takes long
    if not parts:
        if is_file(folder):
            yield folder
        return
    part, *rest = parts
    if part == "**" and rest:
        yield from _matches(folder, rest)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if part == "**" and not entry.name.startswith("."):
                if entry.is_dir(follow_symlinks=False):
                    yield from _matches(entry.path, parts)
                elif not rest and entry.is_file():
                    yield entry.path
            elif part != "**" and fnmatchcase(entry.name, part):
                if entry.name.startswith(".") and not part.startswith("."):
                    continue
                if rest and entry.is_dir():
                    yield from _matches(entry.path, rest)
                elif not rest and entry.is_file():
                    yield entry.path


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

    def parts_of(
        self, source: Path | None, includes: Iterable[Include], depends: Iterable[str] = ()
    ) -> Parts:
        """Return the parts of a page with these includes, and patterns that its owner names.

        `source` is the absolute path of the page's own file; None if the page has no file.
        """
        named = (Include(IncludeKind.DEPENDS, name) for name in depends)
        lookups = (_Lookup(include, source, source) for include in (*includes, *named))
        return find_parts(source, lookups, self._meaning)

    def _meaning(self, lookup: _Lookup) -> Meaning[_Lookup]:
        name, only_named = lookup.include.name, lookup.include.kind in _ONLY_NAMED
        if lookup.include.kind not in self._kinds:
            return Meaning()
        match = self._files(lookup)
        found = tuple(path for path in match.files if only_named or self._text(path) is not None)
        if not found and self._is_extended(lookup.include):
            return Meaning(unknown=name)
        if match.reason:
            return Meaning(unsearched=(name, match.reason))
        if not found:
            return Meaning(missing=name)
        inside = () if only_named else found
        return Meaning(found, [each for path in inside for each in self._lookups_in(path, lookup)])

    def _lookups_in(self, path: Path, lookup: _Lookup) -> Iterator[_Lookup]:
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
        """A name with ``./`` or ``../`` at its start is in `folder`, others in the docs folder."""
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
        is_directive = include.kind is IncludeKind.INCLUDE_MARKDOWN and not include.base
        return is_directive and bool(_EXTENDED.search(include.name))


def _text(path: Path) -> str | None:
    try:
        return read_text(path)
    except Unreadable:
        return None


def _stage(include: Include) -> int:
    """Return the number of a stage; names in the file are read by this stage and later ones."""
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
