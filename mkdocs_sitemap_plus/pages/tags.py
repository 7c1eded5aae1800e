"""Tags of HTML, found where browsers find them, in one pass over the text (HTML 13.2.5).

Each expression here consumes whatever it has begun: a comment, an element or a quotation mark that
never ends takes all of the rest, as in browsers. So no part of a text is read more than twice.
"""

import re
from collections.abc import Callable, Mapping
from os import PathLike

from mkdocs_sitemap_plus.entities import unescape
from mkdocs_sitemap_plus.files import MAX_FILE, read_start
from mkdocs_sitemap_plus.sitemap.limits import MAX_LOC_LENGTH

_VALUE = r"\"{0}[^\"]*+{1}(?:\"|\Z)|'{0}[^']*+{1}(?:'|\Z)|{0}[^ \t\n\f\r>]*+{1}"
_ATTRIBUTES = rf"(?:[^>=]++|=[ \t\n\f\r]*+(?:{_VALUE.format('', '')}))*+"
_ATTRIBUTE = re.compile(
    r"([^ \t\n\f\r/>][^ \t\n\f\r/>=]*+)"
    rf"(?:[ \t\n\f\r]*+=[ \t\n\f\r]*+(?:{_VALUE.format('(', ')')}))?"
)
_HEAD_BYTES = 16_384
"""Read first; a head that is longer is read with all of its file."""


def tag_pattern(names: str, hiding: str) -> re.Pattern[str]:
    """Return an expression for certain tags, with the groups ``name`` and ``attributes``.

    It also finds what is to be skipped, such as comments; that has no ``attributes``.

    Args:
        names: an expression for the names of the tags; those of end tags have a slash before.
        hiding: an expression for the names of elements whose content is skipped.
    """
    return re.compile(
        r"<(?:!--(?:-?>|.*?(?:--!?>|\Z))"
        rf"|({hiding})(?=[ \t\n\f\r/>]){_ATTRIBUTES}(?:\Z|>"
        r"(?:[^<]++|<(?!/\1[ \t\n\f\r/>]))*+(?:</\1[^>]*+(?:>|\Z)|\Z))"
        rf"|(?P<name>{names})(?=[ \t\n\f\r/>])(?:(?P<attributes>{_ATTRIBUTES})>|.*))",
        re.DOTALL | re.IGNORECASE,
    )


_IN_HEADS = tag_pattern("meta|link|base|body|/head", "script|style|template|noscript|title")


def attributes_of(text: str) -> dict[str, str]:
    """Return attributes by lower case name; the first of a name counts, as in HTML."""
    found: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(text):
        found.setdefault(name.lower(), unescape("".join(values)))
    return found


def base_of(attributes: Mapping[str, str]) -> str | None:
    """Return the reference of a ``base`` tag; None if it has none, or one that is far too long.

    Each reference of the page is joined to it, so its length counts as often.
    """
    href = attributes.get("href")
    return href.strip() if href is not None and len(href) <= MAX_LOC_LENGTH else None


def head_tags(html: str, wanted: Callable[[str], bool]) -> tuple[list[re.Match[str]], bool]:
    """Return tags ``meta``, ``link`` and ``base`` of a head, and whether its end was seen.

    Args:
        html: the text of a page.
        wanted: a cheap look at the text of a tag, in lower case, before its attributes are read.
    """
    tags: list[re.Match[str]] = []
    for tag in _IN_HEADS.finditer(html):
        if tag["attributes"] is None:
            continue
        if tag["name"].lower() in ("body", "/head"):
            return tags, True
        if wanted(tag[0].lower()):
            tags.append(tag)
    return tags, False


def read_head_tags(path: str | PathLike[str], wanted: Callable[[str], bool]) -> list[re.Match[str]]:
    """Return the same of a built file.

    Raises:
        Unreadable: the file is not there, or can't be read.
    """
    data = read_start(path, _HEAD_BYTES)
    tags, complete = head_tags(data.decode("utf-8", "replace"), wanted)
    if len(data) == _HEAD_BYTES and not complete:
        tags, _ = head_tags(read_start(path, MAX_FILE).decode("utf-8", "replace"), wanted)
    return tags
