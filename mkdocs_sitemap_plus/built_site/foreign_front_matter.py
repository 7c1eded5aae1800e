"""Read the front matter of other builders' pages, as far as its keys are ours."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mkdocs_sitemap_plus.files import Unreadable, read_text
from mkdocs_sitemap_plus.options.fields import SITEMAP_KEYS, TOP_LEVEL_KEYS
from mkdocs_sitemap_plus.pages.front_matter import FrontMatter, read_front_matter_text
from mkdocs_sitemap_plus.pages.paths import MARKDOWN
from mkdocs_sitemap_plus.pages.toml import read_toml_front_matter

_WITH_FRONT_MATTER = (*MARKDOWN, ".mdx")
_DATES = ("lastmod", "lastUpdated", "last_update", "last_modified_at")
"""Keys with the date of a page: Hugo, VitePress and Starlight, Docusaurus, Jekyll."""
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_READERS = {"---": read_front_matter_text, "+++": read_toml_front_matter}


def foreign_front_matter(file: Path) -> FrontMatter:
    """Return the front matter of a Markdown file, YAML or TOML, with our keys only."""
    if not file.name.lower().endswith(_WITH_FRONT_MATTER):
        return FrontMatter()
    try:
        text = read_text(file, "utf-8-sig")
    except Unreadable:
        return FrontMatter()
    read = _READERS.get(text[:3])
    if read is None:
        return FrontMatter()
    found = read(text)
    broken = found.broken and found.broken._replace(is_shown=False)
    lines = {_plain(key): line for key, line in found.lines.items()}
    return found._replace(meta=_ours(found.meta), lines=lines, broken=broken)


def _ours(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of front matter that are this package's, without what others mean by them.

    A date in a key of another builder becomes ``lastmod``, unless it is true or false.
    ``sitemap: {disable: true}`` leaves a page out of the sitemap of Hugo, and so of ours. Hugo
    writes ``changeFreq``.
    """
    found = {key: meta[key] for key in TOP_LEVEL_KEYS if key in meta}
    values = [meta[key] for key in _DATES if key in meta]
    dates = [each.get("date") if isinstance(each, Mapping) else each for each in values]
    dates = [each for each in dates if _DATE.match(str(each))]
    if "lastmod" in meta or dates:
        found["lastmod"] = meta["lastmod"] if "lastmod" in meta else dates[0]
    sitemap = meta.get("sitemap")
    if isinstance(sitemap, bool):
        found["sitemap"] = sitemap
    elif isinstance(sitemap, Mapping):
        if sitemap.get("disable") is True:
            found["sitemap"] = False
        else:
            keys = {_plain(f"sitemap.{key}"): value for key, value in sitemap.items()}
            found["sitemap"] = {
                key: keys[f"sitemap.{key}"] for key in SITEMAP_KEYS if f"sitemap.{key}" in keys
            }
    return found


def _plain(key: str) -> str:
    """Return a dotted key as this package writes it."""
    if key in ("lastUpdated", "last_update.date", "last_modified_at"):
        return "lastmod"
    return "sitemap.changefreq" if key == "sitemap.changeFreq" else key
