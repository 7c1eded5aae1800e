"""Where MkDocs and Zensical build the page of each source, and so which source a page may have.

``guide/a.md`` or ``guide/a/index.md`` is the source of ``guide/a/index.html``, and so is
``guide/a/README.md`` if there is no index. With mkdocs-static-i18n, a language has its own places.
"""

import os
import posixpath
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.generator.pages.site import SOURCES
from mkdocs_sitemap_plus.generator.pages.theme_and_plugins import Languages


class MkDocsLayout(NamedTuple):
    """The places of sources in a docs folder, and of their pages in a built site."""

    docs_dir: Path
    directory_urls: bool  # whether a/index.html is the page of a.md
    languages: Languages | None = None

    def built_path(self, path: str) -> str | None:
        """Return the built file that is shown at the path of a URL; None if it can't be a page."""
        path = path.lstrip("/")
        if "\0" in path or ".." in path.split("/"):
            return None
        if not path or path.endswith("/"):
            return f"{path}index.html"
        if posixpath.splitext(path)[1].lower() in (".html", ".htm"):
            return path
        # A server may leave out the ending or the slash.
        return f"{path}/index.html" if self.directory_urls else f"{path}.html"

    def places(self, path: str) -> Sequence[str]:
        """Return the sources of a path in the docs folder, without endings; the best is first."""
        return self.languages.places(path) if self.languages else (path,)

    def sources(
        self, paths: Iterable[str], built: Container[str] = ()
    ) -> Mapping[str, Sequence[str]]:
        """Return the possible sources of built files in the docs folder, by the paths of the files.

        `built` are the paths of all pages: ``guide.html`` has the source ``guide.md`` alone.
        """
        in_folder = cache(self._in_folder)
        found = {}
        for dest_uri in paths:
            for stems in self._stems(dest_uri, built):
                index, *others = (
                    [posixpath.join(folder, name) for name in in_folder(folder).get(stem, ())]
                    for folder, stem in map(posixpath.split, stems)
                )
                if others:
                    readme, *others = others
                    index = index or readme
                if possible := [*index, *(source for each in others for source in each)]:
                    found[dest_uri] = possible
                    break
        return found

    def _stems(self, dest_uri: str, built: Container[str]) -> Iterator[tuple[str, ...]]:
        """Yield what the source may be called, without ending: by each language, the best first.

        Of an index, that is the index, the README, and the file with the name of the folder.
        """
        path = dest_uri.removesuffix(".html")
        folder, name = posixpath.split(path)
        paths = [path]
        if name == "index":
            of_folder = [] if f"{folder}.html" in built else [folder]
            paths = [path, posixpath.join(folder, "README"), *of_folder]
        return zip(*map(self.places, paths), strict=True)

    def _in_folder(self, folder: str) -> Mapping[str, list[str]]:
        """Return the names of the sources in a folder of the docs folder, by their stem."""
        named: dict[str, list[str]] = defaultdict(list)
        with suppress(OSError):
            for name in sorted(os.listdir(self.docs_dir / folder)):  # noqa: PTH208 - only names
                stem, ending = posixpath.splitext(name)
                if ending.lower() in SOURCES:
                    named[stem].append(name)
        return named
