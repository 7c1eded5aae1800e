"""Read front matter for whole folders, from the files of a meta plugin (``.meta.yml``)."""

import posixpath
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.built_site.project import Project
from mkdocs_sitemap_plus.files import Unreadable, read_text
from mkdocs_sitemap_plus.pages.front_matter import read_yaml_mapping


class FolderMeta(NamedTuple):
    """The values that folders give to the pages inside, at any depth."""

    by_folder: Mapping[str, Mapping[str, Any]] = {}  # under the docs folder; empty for itself
    deep: bool = True  # whether mappings are merged and lists joined, as by the plugin meta

    def with_own(self, src_uri: str, own: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the values of a page: its own, merged into those of its folders."""
        if not self.by_folder:
            return own
        merged: Mapping[str, Any] = {}
        for end in [-1, *(i for i, letter in enumerate(src_uri) if letter == "/")]:
            values = self.by_folder.get(src_uri[: max(end, 0)])
            merged = self._merged(merged, values) if values else merged
        return self._merged(merged, own)

    def _merged(self, under: Mapping[str, Any], over: Mapping[str, Any]) -> Mapping[str, Any]:
        merged: Mapping[str, Any] = _merge(under, over, {}) if self.deep else {**under, **over}
        return merged


def read_folder_meta(src_uris: Iterable[str], project: Project) -> FolderMeta:
    """Return the values in the meta files among these files of the docs folder.

    They are empty without the meta plugin of Material or Zensical, and without
    mkdocs-meta-manager-plugin. A file that can't be read counts as empty: the builders stop at it.
    """
    options, deep = project.plugins.get("meta"), True
    name = (options or {}).get("meta_file", ".meta.yml")
    if options is None:
        options, deep = project.plugins.get("meta-manager"), False
        name = (options or {}).get("meta_filename", ".meta.yml")
    if options is None or options.get("enabled") is False:
        return FolderMeta()
    found: dict[str, Mapping[str, Any]] = {}
    for src_uri in src_uris:
        folder, base = posixpath.split(src_uri)
        if base == name:
            with suppress(Unreadable):
                text = read_text(project.docs_dir / src_uri, "utf-8-sig")
                found[folder] = read_yaml_mapping(text).meta
    return FolderMeta(found, deep)


def _merge(under: Any, over: Any, known: dict[tuple[int, int], Any]) -> Any:  # noqa: ANN401 - of YAML
    """Return mappings merged at any depth, and lists joined; of other values, the one `over`.

    Aliases of YAML repeat a value without limit, so each pair of values is merged once.
    """
    pair = id(under), id(over)
    if pair in known:
        return known[pair]
    if isinstance(under, Mapping) and isinstance(over, Mapping):
        merged = {**under, **over}
        known[pair] = merged
        for key in under.keys() & over.keys():
            merged[key] = _merge(under[key], over[key], known)
        return merged
    return [*under, *over] if isinstance(under, list) and isinstance(over, list) else over
