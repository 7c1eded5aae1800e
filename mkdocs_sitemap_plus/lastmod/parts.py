"""Names of parts to files, followed to their end."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from glob import glob
from pathlib import Path

from mkdocs_sitemap_plus.evidence import Includer
from mkdocs_sitemap_plus.pages.includes import Include, Including, includes_in
from mkdocs_sitemap_plus.pages.snippets import section_of

_PATTERNS = frozenset((Includer.DEPENDS, Includer.MKDOCSTRINGS))
"""What only names files; their text is not put into the page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The parts of a page.

    Attributes:
        files: absolute paths, without the page's own.
        missing: names for which there is no file, as they are written.
    """

    files: frozenset[Path] = frozenset()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Named:
    """A name on the way to its file.

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
    """Finds the parts of pages; remembers what files say, since many pages share a part.

    Attributes:
        including: what can include files in this site.
        kinds: the kinds that count.
    """

    including: Including
    kinds: frozenset[Includer]
    _texts: dict[Path, str] = field(default_factory=dict)

    def of(self, source: Path | None, includes: Iterable[Include]) -> Found:
        """All that a page includes, and what that includes in turn; a cycle ends where it began.

        Args:
            source: the page's own file, absolute; None if it has none.
            includes: what its text names.
        """
        files: dict[Path, None] = {}
        missing: dict[str, None] = {}
        seen: set[object] = set()
        ahead = [
            _Named(include, source, source) for include in includes if include.kind in self.kinds
        ]
        while ahead:
            named = ahead.pop()
            found = self._files(named)
            if not found:
                missing[named.include.name] = None
            for path in found:
                files[path] = None
                step = (path, named.include, named.above)
                if step not in seen and path not in named.above:
                    seen.add(step)
                    ahead += self._named_by(path, named)
        if source:
            files.pop(source, None)
        return Found(files=frozenset(files), missing=tuple(sorted(missing)))

    def _named_by(self, path: Path, named: _Named) -> Iterator[_Named]:
        """What a part names, as far as somebody reads it there."""
        include, above = named.include, named.above
        if include.kind in _PATTERNS:
            return
        if include.kind is Includer.SNIPPETS:
            above |= {path}
        for each in includes_in(section_of(self._text(path), include.section), self.including):
            again = _stage(each) == _stage(include)
            reads = include.recursive if again else _stage(each) > _stage(include)
            if reads and each.kind in self.kinds:
                yield _Named(each, path, named.page, above)

    def _text(self, path: Path) -> str:
        if path not in self._texts:
            try:
                self._texts[path] = path.read_text(encoding="utf-8", errors="replace")
            except OSError:
                self._texts[path] = ""
        return self._texts[path]

    def _files(self, named: _Named) -> list[Path]:
        include = named.include
        folder = named.within.parent if named.within else self.including.docs_dir
        match include.kind:
            case Includer.SNIPPETS:
                return list(self._snippet(include.name, named.page))
            case Includer.MACROS:
                return list(self._template((include.name, *include.instead)))
            case Includer.INCLUDE_MARKDOWN if include.extension:
                return list(_existing(self.including.markdown, os.path.expanduser(include.name)))  # noqa: PTH111
            case Includer.INCLUDE_MARKDOWN:
                return list(self._markdown(folder, named))
            case _:
                return list(_matching(folder, include.name))

    def _snippet(self, name: str, page: Path | None) -> Iterator[Path]:
        """The first base path that has it, as pymdownx.snippets looks."""
        own = page.parent if page else self.including.docs_dir
        for base in (own / each for each in self.including.snippets):
            folder = base if base.is_dir() else base.parent
            path = Path(os.path.abspath(folder / name))  # noqa: PTH100 - resolve() follows links
            if folder == base:
                taken = path.is_relative_to(base) or not self.including.restricted
            else:
                taken = base.is_file() and path.is_file() and path.samefile(base)
            if taken and path.is_file():
                yield path
                return

    def _template(self, names: tuple[str, ...]) -> Iterator[Path]:
        """The first that exists; Jinja takes no path that leaves its folder."""
        folder = self.including.templates.folder if self.including.templates else None
        inside = (name.lstrip("/") for name in names if ".." not in name.split("/"))
        yield from next((found for name in inside if (found := list(_existing(folder, name)))), [])

    def _markdown(self, folder: Path, named: _Named) -> Iterator[Path]:
        """By pattern: from the text's folder if it begins with a dot, else from the docs folder."""
        docs_dir, include = self.including.docs_dir, named.include
        start = folder if include.name.startswith(("./", "../")) else docs_dir
        without: set[Path] = set()
        for pattern in self.including.directives.exclude if self.including.directives else ():
            without.update(_matching(docs_dir, pattern))
        if named.within in without:
            return
        if include.exclude:
            relative = include.exclude.startswith(("./", "../"))
            without.update(_matching(folder if relative else docs_dir, include.exclude))
        yield from (path for path in _matching(start, include.name) if path not in without)


def _stage(include: Include) -> int:
    """When it is put in: what a part names is read by who comes at the same time or later."""
    if include.kind is Includer.INCLUDE_MARKDOWN:
        return 2 if include.extension else 0
    return 1 if include.kind is Includer.MACROS else 3


def _existing(base: Path | None, name: str) -> Iterator[Path]:
    if base and (base / name).is_file():
        yield _absolute(base / name)


def _matching(folder: Path, pattern: str) -> Iterator[Path]:
    """The files that a path or a pattern names, sorted."""
    if not folder.is_dir():  # that of a generated page may not exist, but what is beside it does
        while pattern.startswith(("./", "../")):
            step, _, pattern = pattern.partition("/")
            folder = folder.parent if step == ".." else folder
    literal = (folder / pattern).is_file()  # a name may hold a pattern's characters
    names = [pattern] if literal else glob(pattern, root_dir=folder, recursive=True)  # noqa: PTH207
    for name in sorted(names):
        path = folder / name
        if path.is_file():
            yield _absolute(path)


def _absolute(path: Path) -> Path:
    """Without ``..``; where that leads out of a symbolic link, without such links."""
    plain = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() follows all links
    return plain if plain.exists() and plain.samefile(path) else path.resolve()
