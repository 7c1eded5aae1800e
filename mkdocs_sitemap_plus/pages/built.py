"""What a built page's own HTML tells robots."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING

from mkdocs_sitemap_plus.files import MAX_FILE, Unreadable, read_start

if TYPE_CHECKING:
    from os import PathLike

# One pass over the head: what can hide a tag is skipped whole, the tags that matter are kept.
_TAGS = re.compile(
    r"<(?:!--(?:-?>|.*?(?:--!?>|\Z))"
    r"|(script|style|template|noscript|title)\b(?:[^<]++|<(?!/\1\s*>))*+(?:</\1\s*>|\Z)"
    r"|(?P<tag>meta|link|base)\b(?P<attributes>(?:[^>\"']++|\"[^\"]*\"|'[^']*')*+)>"
    r"|(?P<end>/head\s*>|body\b))",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    r"""([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+)))?""", re.DOTALL
)
# "0; url='…'" with its many spellings (HTML, "shared declarative refresh steps").
_REFRESH = re.compile(
    r"[\d.]+(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:(?P<quote>[\"'])(?P<quoted>.*?)(?P=quote).*|(?P<bare>\S.*))",
    re.DOTALL | re.IGNORECASE,
)
_HEAD_BYTES = 16_384
"""Read first; a head that is longer is read with all of its file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltPage:
    """What the head of a built page says.

    Attributes:
        noindex: the ``meta`` tag's content that forbids to index the page; None if none does.
        canonical: the ``rel=canonical`` reference as written, entities resolved; None if there is
            none. It may be relative.
        base: the ``base`` reference that relative ones start from; None if there is none.
        redirect: the reference of a ``meta`` refresh, as written; None if there is none.
        unreadable: why the file can't be read, in a few words; None if it can. All else is None.
    """

    noindex: str | None = None
    canonical: str | None = None
    base: str | None = None
    redirect: str | None = None
    unreadable: str | None = None


def read_built_page(path: "str | PathLike[str]") -> BuiltPage | None:
    """Read the head of a built file; None if the file is not there."""
    try:
        data = read_start(path, _HEAD_BYTES)
        tags, complete = _head_tags(data.decode("utf-8", "replace"))
        if len(data) == _HEAD_BYTES and not complete:
            tags, _ = _head_tags(read_start(path, MAX_FILE).decode("utf-8", "replace"))
    except Unreadable as error:
        return None if error.missing else BuiltPage(unreadable=error.reason)
    return _built_page(tags)


def parse_built_page(html: str) -> BuiltPage:
    """What the head of `html` says; the first of several equal tags counts."""
    return _built_page(_head_tags(html)[0])


def _built_page(tags: list[re.Match[str]]) -> BuiltPage:
    said: dict[str, str] = {}
    for tag in tags:
        for name, value in _said(tag["tag"].lower(), attributes_of(tag["attributes"])):
            said.setdefault(name, value)
    return BuiltPage(**said)


def _head_tags(html: str) -> tuple[list[re.Match[str]], bool]:
    """The tags that may say something, and whether the end of the head was seen."""
    tags: list[re.Match[str]] = []
    for match in _TAGS.finditer(html):
        if match["end"]:
            return tags, True
        if match["tag"] and _may_tell(match[0].lower()):
            tags.append(match)
    return tags, False


def _may_tell(tag: str) -> bool:
    """A cheap look before the attributes are read, since most tags say nothing to robots."""
    if "bot" in tag and ("robots" in tag or "googlebot" in tag):  # and not the font Roboto
        return True
    return "canonical" in tag or "refresh" in tag or "<base" in tag


def attributes_of(text: str) -> dict[str, str]:
    """Attributes by lower case name; the first of a name counts, as in HTML."""
    found: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(text):
        found.setdefault(name.lower(), unescape(next(filter(None, values), "")))
    return found


def _said(tag: str, attributes: dict[str, str]) -> Iterator[tuple[str, str]]:
    if tag == "meta":
        yield from _said_by_meta(attributes, attributes.get("content", "").strip())
    elif "href" in attributes:
        if tag == "base":
            yield "base", attributes["href"].strip()
        elif "canonical" in attributes.get("rel", "").lower().split():
            yield "canonical", attributes["href"].strip()


def _said_by_meta(attributes: dict[str, str], content: str) -> Iterator[tuple[str, str]]:
    name = attributes.get("name", "").strip().lower()
    if name in ("robots", "googlebot"):
        if _forbids(content.lower()):
            yield "noindex", content
    elif attributes.get("http-equiv", "").strip().lower() == "refresh":
        refresh = _REFRESH.fullmatch(content)
        if refresh:
            yield "redirect", refresh["quoted"] or refresh["bare"] or ""


def _forbids(content: str) -> bool:
    """Whether robots may not index the page; ``max-image-preview: none`` says something else."""
    rules = (rule for rule in content.split(",") if ":" not in rule)
    return not {"noindex", "none"}.isdisjoint(word for rule in rules for word in rule.split())
