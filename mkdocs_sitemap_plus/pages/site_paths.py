"""Say which built file and which URL each source of a site has."""

import posixpath
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.pages.paths import built_paths
from mkdocs_sitemap_plus.pages.theme_and_plugins import option_of
from mkdocs_sitemap_plus.sitemap.urls import joined, quote_path

MARKDOWN = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")
_NOTEBOOKS = (".ipynb", ".py")
_NOTEBOOK_PATTERNS: list[Any] = ["*.ipynb", "*.py"]  # that mkdocs-jupyter renders by default


class Notebooks(NamedTuple):
    """The notebooks and scripts of the docs folder that mkdocs-jupyter renders."""

    docs_dir: Path
    include: tuple[str, ...]  # patterns
    ignore: tuple[str, ...]

    @classmethod
    def from_options(cls, options: Mapping[str, Any], docs_dir: Path) -> "Notebooks":
        """Return what the options of mkdocs-jupyter say. They are not checked."""

        def patterns(key: str, default: list[Any]) -> tuple[str, ...]:
            found = option_of(options, key, default)
            texts = (pattern for pattern in found if isinstance(pattern, str))
            return tuple(text for text in texts if Path(text).parts)  # not "." and not empty

        return cls(docs_dir, patterns("include", _NOTEBOOK_PATTERNS), patterns("ignore", []))

    def has(self, src_uri: str) -> bool:
        """Return whether the file is rendered as a page."""
        path = self.docs_dir / src_uri
        return (
            src_uri.endswith(_NOTEBOOKS)
            and any(map(path.match, self.include))
            and not any(map(path.match, self.ignore))
        )


class SitePaths(NamedTuple):
    """How MkDocs chooses the built files of the sources of a site, and their URLs."""

    url: str | None  # of the site, with a slash at its end; None if it has none
    directory_urls: bool  # whether a.md becomes a/index.html, and not a.html
    notebooks: Notebooks | None = None  # None without mkdocs-jupyter

    def is_page(self, src_uri: str) -> bool:
        """Return whether a source becomes a page: other files are copied as they are."""
        return src_uri.endswith(MARKDOWN) or bool(self.notebooks and self.notebooks.has(src_uri))

    def dest_uri_of(self, src_uri: str) -> str:
        """Return the path of the built file of a source."""
        if not self.is_page(src_uri):
            return src_uri
        in_folder, beside = built_paths(src_uri)
        return in_folder if self.directory_urls else beside

    def loc_of(self, dest_uri: str) -> str:
        """Return the URL of a built file, as MkDocs writes it; empty without a usable `url`."""
        if self.directory_urls and posixpath.basename(dest_uri) == "index.html":
            dest_uri = dest_uri.removesuffix("index.html")
        return (joined(self.url, quote_path(dest_uri)) or "") if self.url else ""
