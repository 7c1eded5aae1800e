"""The language versions that a built page names in its head."""

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path

from mkdocs_sitemap_plus.files import MAX_FILE, Unreadable, read_start

_END = re.compile(rb"</head", re.IGNORECASE)
_HEAD_BYTES = 16_384
"""Read first; a head that is longer is read with all of its file."""
_TAGS = frozenset(("link", "base"))


def read_links(path: Path) -> tuple[Mapping[str, str], str | None]:
    """Read ``rel=alternate`` links with ``hreflang`` from the head of a built file.

    Returns:
        References as they are written, by hreflang; and the ``base`` that relative ones start
        from, None if there is none.
    """
    html = _head(path)
    head = _Head()
    if "hreflang" in html:
        head.feed(html)
    return head.hrefs, head.base


def _head(path: Path) -> str:
    try:
        data = read_start(path, _HEAD_BYTES)
        if len(data) == _HEAD_BYTES and not _END.search(data):
            data = read_start(path, MAX_FILE)
    except Unreadable:
        return ""
    return _END.split(data, maxsplit=1)[0].decode("utf-8", "replace")


class _Head(HTMLParser):
    """Collects what the tags of a head say; of equal ones the first counts."""

    def __init__(self) -> None:
        super().__init__()
        self.hrefs: dict[str, str] = {}
        self.base: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _TAGS:
            return
        said = {name: (value or "").strip() for name, value in reversed(attrs)}
        href = said.get("href")
        if tag == "base" and self.base is None:
            self.base = href
        elif href and said.get("hreflang") and "alternate" in said.get("rel", "").lower().split():
            self.hrefs.setdefault(said["hreflang"], href)
