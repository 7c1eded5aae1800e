"""Read the front matter that a folder gives to its pages: the files of a meta plugin.

These are the plugin of Material or Zensical, and mkdocs-meta-manager-plugin.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.files import Unreadable, read_text
from mkdocs_sitemap_plus.pages.front_matter import merge, read_yaml_mapping


class FolderMeta(NamedTuple):
    """The front matter that folders give to the pages inside, at any depth."""

    by_folder: Mapping[PurePosixPath, Mapping[str, Any]] = {}  # by path under the docs folder
    deep: bool = True  # whether the mappings and lists inside are merged, too

    def with_own(self, src_uri: str, own: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the front matter of a page: its `own`, merged into that of its folders."""
        if not self.by_folder:
            return own
        meta: Mapping[str, Any] = {}
        for folder in reversed(PurePosixPath(src_uri).parents):
            meta = self._merged(meta, self.by_folder.get(folder, {}))
        return self._merged(meta, own)

    def _merged(self, under: Mapping[str, Any], over: Mapping[str, Any]) -> Mapping[str, Any]:
        return merge(under, over, join_lists=True) if self.deep else {**under, **over}


class MetaFiles(NamedTuple):
    """The option of a meta plugin."""

    name: object  # of its files
    deep: bool  # as in `FolderMeta`

    @classmethod
    def from_options(cls, plugins: Mapping[str, Mapping[str, Any]]) -> "MetaFiles | None":
        """Return what the options of the plugins say; None without a meta plugin."""
        if "meta" in plugins:
            return cls(plugins["meta"].get("meta_file", ".meta.yml"), deep=True)
        if "meta-manager" in plugins:
            return cls(plugins["meta-manager"].get("meta_filename", ".meta.yml"), deep=False)
        return None

    def folder_meta(self, src_uris: Iterable[str], docs_dir: Path) -> FolderMeta:
        """Return what the meta files say among these files of the docs folder.

        A file that can't be read counts as empty: a build stops at it.
        """
        found: dict[PurePosixPath, Mapping[str, Any]] = {}
        for path in map(PurePosixPath, src_uris):
            if path.name == self.name:
                with suppress(Unreadable):
                    text = read_text(docs_dir / path, "utf-8-sig")
                    found[path.parent] = read_yaml_mapping(text).meta
        return FolderMeta(found, self.deep)
