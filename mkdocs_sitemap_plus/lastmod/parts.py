"""Find the files that a page includes, and those that they include."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from mkdocs_sitemap_plus.files import (
    Match,
    Search,
    Unreadable,
    is_file,
    is_folder,
    is_same_file,
    plain_path,
    read_text,
)
from mkdocs_sitemap_plus.options.settings import IncludeKind
from mkdocs_sitemap_plus.pages.includes import Include, IncludeOptions, includes_in, section_of

_PATTERNS = frozenset((IncludeKind.DEPENDS, IncludeKind.MKDOCSTRINGS))
"""These only name files; the text of the files is not put into the page."""

_MAX_WAYS = 10_000
"""Include paths of a page that are told apart, since a snippet is not put into itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The parts of a page.

    Attributes:
        files: absolute paths, without the page's own.
        missing: names for which there is no file, or none that can be read, as they are written.
        unsearched: patterns that were not searched, as they are written, each with a sentence that
            says why.
    """

    files: frozenset[Path] = frozenset()
    missing: tuple[str, ...] = ()
    unsearched: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Named:
    """An included name whose file is looked up.

    Attributes:
        include: the name.
        within: the file in which it stands; None if it is not known.
        page: the file of the page; None if it has none.
        above: the snippets that it stands in: none of them is put into itself.
    """

    include: Include
    within: Path | None
    page: Path | None
    above: frozenset[Path] = frozenset()


@dataclass(slots=True)
class Parts:
    """Finds the parts of pages; keeps the texts of files, since many pages share a part.

    Attributes:
        include_options: what can include files in this site.
        kinds: the kinds that count.
        search: looks for patterns.
    """

    include_options: IncludeOptions
    kinds: frozenset[IncludeKind]
    search: Search
    _texts: dict[Path, str | None] = field(default_factory=dict)
    _named: dict[tuple[Path, str | None], tuple[Include, ...]] = field(default_factory=dict)

    def of(self, source: Path | None, includes: Iterable[Include]) -> Found:
        """Return all that a page includes, and what that includes in turn. Cycles end.

        Args:
            source: the page's own file, absolute; None if it has none.
            includes: what its text names.
        """
        files: set[Path] = set()
        missing: set[str] = set()
        unsearched: dict[str, str] = {}
        seen: set[_Named] = set()
        pending = [
            _Named(include, source, source) for include in includes if include.kind in self.kinds
        ]
        while pending:
            named = pending.pop()
            # Files that include each other can have more include paths than can be counted.
            known = named if len(seen) < _MAX_WAYS else replace(named, above=frozenset())
            if known in seen:
                continue
            seen.add(known)
            match = self._files(named)
            found = [path for path in match.files if self._can_be_read(path, named.include)]
            if match.reason:
                unsearched[named.include.name] = match.reason
            elif not found:
                missing.add(named.include.name)
            files.update(found)
            for path in found:
                if path not in named.above:
                    pending += self._named_by(path, named)
        return Found(
            files=frozenset(files - {source}),
            missing=tuple(sorted(missing)),
            unsearched=tuple(sorted(unsearched.items())),
        )

    def _can_be_read(self, path: Path, include: Include) -> bool:
        """Return whether a file can be a part; of one that is only named the text is not read."""
        return include.kind in _PATTERNS or self._text(path) is not None

    def _named_by(self, path: Path, named: _Named) -> Iterator[_Named]:
        """Yield what a part names, as far as an extension reads it there."""
        include, above = named.include, named.above
        if include.kind in _PATTERNS:
            return
        if include.kind is IncludeKind.SNIPPETS:
            above |= {path}
        for each in self._includes(path, include.section):
            again = _stage(each) == _stage(include)
            reads = include.recursive if again else _stage(each) > _stage(include)
            if reads and each.kind in self.kinds:
                yield _Named(each, path, named.page, above)

    def _includes(self, path: Path, section: str | None) -> tuple[Include, ...]:
        """Return what a section of a file names."""
        if (path, section) not in self._named:
            text = section_of(self._text(path) or "", section)
            self._named[path, section] = tuple(includes_in(text, self.include_options))
        return self._named[path, section]

    def _text(self, path: Path) -> str | None:
        """Return the text of a part; None if it can't be read."""
        if path not in self._texts:
            try:
                self._texts[path] = read_text(path)
            except Unreadable:
                self._texts[path] = None
        return self._texts[path]

    def _files(self, named: _Named) -> Match:
        include = named.include
        folder = named.within.parent if named.within else self.include_options.docs_dir
        match include.kind:
            case IncludeKind.SNIPPETS:
                return Match(files=tuple(self._snippet(include.name, named.page)))
            case IncludeKind.MACROS:
                return Match(files=tuple(self._template((include.name, *include.fallbacks))))
            case IncludeKind.INCLUDE_MARKDOWN if include.extension:
                name = os.path.expanduser(include.name)  # noqa: PTH111 - as the extension
                return Match(files=tuple(_existing(self.include_options.markdown, name)))
            case IncludeKind.INCLUDE_MARKDOWN:
                return self._markdown(folder, named)
            case _:
                return self.search.files(folder, include.name)

    def _snippet(self, name: str, page: Path | None) -> Iterator[Path]:
        """Yield the file in the first base path that has it, as pymdownx.snippets does."""
        own = page.parent if page else self.include_options.docs_dir
        for base in (own / each for each in self.include_options.snippets):
            folder = base if is_folder(base) else base.parent
            path = Path(os.path.abspath(folder / name))  # noqa: PTH100 - resolve() follows links
            if folder == base:
                taken = path.is_relative_to(base) or not self.include_options.restricted
            else:
                taken = is_file(base) and is_file(path) and is_same_file(path, base)
            if taken and is_file(path):
                yield path
                return

    def _template(self, names: tuple[str, ...]) -> Iterator[Path]:
        """Yield the first that exists; Jinja takes no path that leaves its folder."""
        folder = self.include_options.templates.folder if self.include_options.templates else None
        inside = (name.lstrip("/") for name in names if ".." not in name.split("/"))
        yield from next((found for name in inside if (found := list(_existing(folder, name)))), [])

    def _markdown(self, folder: Path, named: _Named) -> Match:
        """Return matches from the text's folder if the name begins with a dot, else from docs."""
        docs_dir, include = self.include_options.docs_dir, named.include
        start = folder if include.name.startswith(("./", "../")) else docs_dir
        without: set[Path] = set()
        for pattern in (
            self.include_options.directives.exclude if self.include_options.directives else ()
        ):
            without.update(self.search.files(docs_dir, pattern).files)
        if named.within in without:
            return Match()
        if include.exclude:
            relative = include.exclude.startswith(("./", "../"))
            start_of_exclude = folder if relative else docs_dir
            without.update(self.search.files(start_of_exclude, include.exclude).files)
        match = self.search.files(start, include.name)
        return replace(match, files=tuple(path for path in match.files if path not in without))


def _stage(include: Include) -> int:
    """Return when it is included: a part is read by extensions of the same stage or a later one."""
    if include.kind is IncludeKind.INCLUDE_MARKDOWN:
        return 2 if include.extension else 0
    return 1 if include.kind is IncludeKind.MACROS else 3


def _existing(base: Path | None, name: str) -> Iterator[Path]:
    if base and is_file(base / name):
        yield plain_path(base / name)
