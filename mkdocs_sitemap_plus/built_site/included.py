"""Find the files that other builders include in pages, in the repository of the pages."""

import posixpath
from collections import defaultdict
from collections.abc import Collection
from functools import cache, cached_property
from pathlib import PurePosixPath
from typing import NamedTuple

from mkdocs_sitemap_plus.built_site.builders import Builders
from mkdocs_sitemap_plus.files import Unreadable, path_from, read_text, real_path
from mkdocs_sitemap_plus.gitdates.at_head import AtHead
from mkdocs_sitemap_plus.pages import SourcePage
from mkdocs_sitemap_plus.pages.builder_includes import embeds_in
from mkdocs_sitemap_plus.pages.rst_includes import Embed

_ROOTS = ("@site/", "@/", "~/", "/")
"""What a path begins with that starts at a folder of the builder, which is above the page."""


class _Name(NamedTuple):
    """A name that a file includes; the paths are relative to the repository."""

    embed: Embed
    within: str  # that file
    page: str  # the source of the page


class IncludeFinder:
    """Finds what pages include. Many pages share a file, so what each includes is kept."""

    def __init__(self, head: AtHead) -> None:
        """Read only the settings of builders."""
        self._head = head
        self._builders = Builders(head)
        self._embeds = cache(self._read)
        self._real_folder = cache(real_path)

    def with_includes(self, page: SourcePage) -> SourcePage:
        """Return a page with the files that its source includes, and the names that are no files.

        A name is a file if just one file at HEAD can be meant. What the builder of the page does
        not read as an include is passed over; if it may read it so, the name is no file.
        """
        if not page.source_files:
            return page
        file = page.source_files[0]
        source = path_from(self._head.top, self._real_folder(file.parent) / file.name)
        if not (embeds := self._embeds(source)):  # as most pages
            return page
        found: dict[str, None] = {}
        unknown: dict[str, None] = {}
        pending = [_Name(embed, source, source) for embed in embeds]
        counting, possible = self._builders.of(source)
        while pending:
            name = pending.pop()
            embed = name.embed
            if embed.syntax not in counting:
                if embed.syntax in possible and not self._is_other(embed):
                    unknown[embed.name] = None
                continue
            files = _possible_files(name, self._head.files) if embed.is_file else set()
            if len(files) == 1:
                (path,) = files
                if path not in found and path != source and embed.is_text:
                    pending += [_Name(each, path, source) for each in self._embeds(path)]
                found[path] = None
            elif files or not ((embed.by_theme and "jekyll" in counting) or self._is_other(embed)):
                unknown[embed.name] = None
        collected = tuple(self._head.top / path for path in sorted(found) if path != source)
        return page._replace(collected=collected, unknown_parts=tuple(unknown))

    def _is_other(self, embed: Embed) -> bool:
        """Return whether an embed is a guess, and no file at HEAD has a path that ends so."""
        ending = posixpath.normpath(f"/{embed.name}")
        paths = self._by_name.get(posixpath.basename(ending), ()) if embed.is_guess else ()
        return embed.is_guess and not any(f"/{path}".endswith(ending) for path in paths)

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found = defaultdict[str, list[str]](list)
        for path in self._head.files:
            found[posixpath.basename(path)].append(path)
        return found

    def _read(self, path: str) -> tuple[Embed, ...]:
        try:
            text = read_text(self._head.top / path, "utf-8-sig")
        except Unreadable:
            return ()
        return tuple(dict.fromkeys(embeds_in(path, text)))


def _possible_files(name: _Name, files: Collection[str]) -> set[str]:
    """Return the files that a name can mean; ``./x`` is beside one of the two files if it can."""
    written = name.embed.name
    root = next(filter(written.startswith, _ROOTS), "")
    beside = [posixpath.dirname(file) for file in (name.within, name.page) if not root]
    above = [
        posixpath.join(folder, start)
        for folder in PurePosixPath(name.page).parents
        for start in name.embed.below or (("",) if root else ())
    ]
    near, far = (
        {path for folder in folders if (path := _joined(folder, written, root)) in files}
        for folders in (beside, above)
    )
    return near if near and written.startswith(".") else near | far


def _joined(folder: str, written: str, root: str) -> str:
    return posixpath.normpath(posixpath.join(folder, written.removeprefix(root)))
