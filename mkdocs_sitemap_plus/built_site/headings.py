"""Which source a built page shows, where two sources have its path: the first heading tells."""

import re
from collections.abc import Collection

from mkdocs_sitemap_plus.web.html import tags
from mkdocs_sitemap_plus.wording import unescape

_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_ATX = re.compile(r" {0,3}#{1,6}(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*\Z")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*\Z")
# Of a link; or the attributes at the end of a heading.
_TARGET = re.compile(r"\]\([^)]*\)|\]\[[^]]*\]|\{[^}]*\}\s*\Z")
_MAX_LINE = 1_000  # characters of a line that are looked at
_TAG = re.compile(r"<[^>]*>")

Heading = tuple[str, ...]
"""The words of a heading, without markup."""


def first_heading(markdown: str) -> Heading:
    """Return the first heading of a Markdown text; nothing without one."""
    fence, before = "", ""
    for whole in _without_front_matter(markdown).splitlines():
        line = whole[:_MAX_LINE]
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
        elif mark:
            fence, before = mark[1], ""
        elif heading := _ATX.match(line):
            return _words(_TARGET.sub("", heading[1] or ""))
        elif before.strip() and _UNDERLINE.match(line):
            return _words(_TARGET.sub("", before))
        else:
            before = line
    return ()


def headings_of_page(html: str) -> Collection[Heading]:
    """Return the headings of a built page of the first level; themes have some of their own."""
    page, found = html.encode("utf-8", "replace"), set[Heading]()
    for _, tag in tags(page, "h1"):
        end = re.compile(rb"(?i)</h1").search(page, tag.end())
        inside = page[tag.end() : end.start() if end else tag.end()]
        found.add(_words(inside.decode("utf-8", "replace")))
    return found - {()}


def _without_front_matter(text: str) -> str:
    text = text.removeprefix("\ufeff")
    if not text.startswith("---"):
        return text
    parts = re.split(r"(?m)^(?:---|\.\.\.)[ \t]*$", text, maxsplit=2)
    return parts[2] if len(parts) > 2 else text


def _words(text: str) -> Heading:
    return tuple(re.findall(r"\w+", unescape(_TAG.sub(" ", text)).replace("_", " ")))
