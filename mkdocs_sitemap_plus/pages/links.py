"""The language versions that a built page names in its head."""

from collections.abc import Mapping
from pathlib import Path

from mkdocs_sitemap_plus.files import Unreadable
from mkdocs_sitemap_plus.pages.tags import attributes_of, base_of, read_head_tags


def read_links(path: Path) -> tuple[Mapping[str, str], str | None]:
    """Read ``rel=alternate`` links with ``hreflang`` from the head of a built file.

    Returns:
        References as they are written, by hreflang; and the ``base`` that relative ones start
        from, None if there is none. Of equal tags the first counts.
    """
    hrefs: dict[str, str] = {}
    base: str | None = None
    try:
        tags = read_head_tags(path, _may_tell)
    except Unreadable:
        tags = []
    for tag in tags:
        attributes = attributes_of(tag["attributes"])
        href, code = (attributes.get(name, "").strip() for name in ("href", "hreflang"))
        if tag["name"].lower() == "base":
            base = base_of(attributes) if base is None else base
        elif href and code and "alternate" in attributes.get("rel", "").lower().split():
            hrefs.setdefault(code, href)
    return hrefs, base


def _may_tell(tag: str) -> bool:
    return "hreflang" in tag or "<base" in tag
