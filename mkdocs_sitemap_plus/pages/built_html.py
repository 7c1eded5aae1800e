"""Read what the head of a built page tells search engines, and find HTML tags.

Tags are found where browsers find them (HTML 13.2.5). A comment, an element or a quoted value
without an end extends to the end of the text, as in browsers. So no expression has to go back, and
no part of a text is read more than twice.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from mkdocs_sitemap_plus.files import MAX_FILE, Unreadable, read_start
from mkdocs_sitemap_plus.sitemap.limits import MAX_LOC_LENGTH
from mkdocs_sitemap_plus.sitemap.urls import can_be_url, same_page
from mkdocs_sitemap_plus.wording import unescape

# The value of an attribute, in quotes or not. A group may start at {0} and end at {1}.
_VALUE = r"\"{0}[^\"]*+{1}(?:\"|\Z)|'{0}[^']*+{1}(?:'|\Z)|{0}[^ \t\n\f\r>]*+{1}"
_ATTRIBUTES = rf"(?>(?:[^>=]++|=[ \t\n\f\r]*+(?:{_VALUE.format('', '')}))*)"
_ATTRIBUTE = re.compile(
    r"([^ \t\n\f\r/>][^ \t\n\f\r/>=]*+)"
    rf"(?:[ \t\n\f\r]*+=[ \t\n\f\r]*+(?:{_VALUE.format('(', ')')}))?"
)
_HEAD_BYTES = 16_384
"""Bytes that are read first. If the head is longer, the whole file is read."""


def tag_pattern(names: str, skipped: str) -> re.Pattern[str]:
    """Return an expression for certain tags, with the groups ``name`` and ``attributes``.

    The expression also matches whole comments and skipped elements, so that no tag is found inside
    of them. For these matches ``attributes`` is None.

    Args:
        names: an expression for the names of the tags. The name of an end tag begins with a slash.
        skipped: an expression for the names of the elements to skip.
    """
    return re.compile(
        r"<(?:!--(?:-?>|.*?(?:--!?>|\Z))"  # a comment
        rf"|({skipped})(?=[ \t\n\f\r/>]){_ATTRIBUTES}(?:\Z|>"  # a skipped element
        r"(?>(?:[^<]++|<(?!/\1[ \t\n\f\r/>]))*)(?:</\1[^>]*+(?:>|\Z)|\Z))"
        rf"|(?P<name>{names})(?=[ \t\n\f\r/>])(?:(?P<attributes>{_ATTRIBUTES})>|.*))",
        re.DOTALL | re.IGNORECASE,
    )


_HEAD_TAGS = tag_pattern("meta|link|base|body|/head", "script|style|template|noscript|title")


def attributes_of(text: str) -> dict[str, str]:
    """Return the value of each attribute, by lower case name; the first of a name counts (HTML)."""
    found: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(text):
        found.setdefault(name.lower(), unescape("".join(values)))
    return found


# The seconds of a refresh, and the text before its URL (HTML, "shared declarative refresh steps").
_SECONDS = re.compile(r"[0-9.]++(?:\Z|(?=[ \t\n\f\r;,])[ \t\n\f\r]*+[;,]?+[ \t\n\f\r]*+)")
_URL = re.compile(r"url[ \t\n\f\r]*+=[ \t\n\f\r]*+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltPage:
    """The tags in the head of a built page that matter to search engines.

    Of several tags of one kind the first counts.

    Attributes:
        noindex: the content of the ``meta`` tag that forbids robots to index the page; None if no
            tag does.
        canonical: the ``rel=canonical`` reference as it is written, entities resolved; None if
            there is none. It may be relative.
        base: the ``base`` reference, which relative references start from; None if there is none.
        redirect: the reference of a ``meta`` refresh, as it is written; None if there is none, or
            if the refresh only loads the page again.
        alternates: the ``rel=alternate`` references as they are written, by their ``hreflang``.
        unreadable: why the file can't be read, in a few words; None if it can be read. The other
            fields are then empty.
    """

    noindex: str | None = None
    canonical: str | None = None
    base: str | None = None
    redirect: str | None = None
    alternates: Mapping[str, str] = field(default_factory=dict)
    unreadable: str | None = None

    def leads_elsewhere(self, loc: str) -> bool:
        """Return whether a refresh leads to another page; `loc` is the URL of this page."""
        return self.redirect is not None and not same_page(self.redirect, loc, self.base)


def read_built_page(path: str | PathLike[str]) -> BuiltPage | None:
    """Return the head of a built file; None if there is no such file."""
    try:
        data = read_start(path, _HEAD_BYTES)
        page, complete = read_head(data.decode("utf-8", "replace"))
        if len(data) == _HEAD_BYTES and not complete:
            page, _ = read_head(read_start(path, MAX_FILE).decode("utf-8", "replace"))
    except Unreadable as error:
        return None if error.missing else BuiltPage(unreadable=error.reason)
    return page


def read_head(html: str) -> tuple[BuiltPage, bool]:
    """Return the head of an HTML text, and whether the text has the end of the head."""
    found: dict[str, Any] = {"alternates": {}}
    complete = False
    for tag in _HEAD_TAGS.finditer(html):
        if tag["attributes"] is None:
            continue
        name = tag["name"].lower()
        if name in ("body", "/head"):
            complete = True
            break
        if _may_matter(tag[0].lower()):
            _READERS[name](attributes_of(tag["attributes"]), found)
    if found.get("redirect") == "":  # a refresh without a URL leads to the base
        found["redirect"] = found.get("base")
    return BuiltPage(**found), complete


def _may_matter(tag: str) -> bool:
    """Return False for tags that do not matter, by a quick search: most tags are of this kind."""
    if "robots" in tag or "googlebot" in tag:
        return True
    return "canonical" in tag or "hreflang" in tag or "refresh" in tag or "<base" in tag


def _read_base(attributes: Mapping[str, str], found: dict[str, Any]) -> None:
    # Each reference of the page is joined to the base. So a long base would take much time.
    href = attributes.get("href")
    if href is not None and len(href) <= MAX_LOC_LENGTH:
        found.setdefault("base", href.strip())


def _read_link(attributes: Mapping[str, str], found: dict[str, Any]) -> None:
    kinds = attributes.get("rel", "").lower().split()
    href, code = attributes.get("href"), attributes.get("hreflang", "").strip()
    if href is not None and "canonical" in kinds:
        found.setdefault("canonical", href.strip())
    if href and href.strip() and code and "alternate" in kinds:
        found["alternates"].setdefault(code, href.strip())


def _read_meta(attributes: Mapping[str, str], found: dict[str, Any]) -> None:
    content = attributes.get("content", "").strip()
    if attributes.get("name", "").strip().lower() in ("robots", "googlebot"):
        if _forbids_indexing(content.lower()):
            found.setdefault("noindex", content)
    elif attributes.get("http-equiv", "").strip().lower() == "refresh":
        seconds = _SECONDS.match(content)
        if seconds and seconds.end() == len(content):
            found.setdefault("redirect", None)  # it loads the page again: no other refresh counts
        elif seconds and can_be_url(url := _refresh_url(content[seconds.end() :])):
            found.setdefault("redirect", url)


def _refresh_url(text: str) -> str:
    """Return the URL after the seconds of a refresh, without ``url=`` and quotes."""
    written = _URL.match(text)
    url = text[written.end() :] if written else text
    if url.startswith(("'", '"')):
        url = url[1:].partition(url[0])[0]
    return url.strip()


def _forbids_indexing(content: str) -> bool:
    """Return whether the content of a robots tag forbids to index the page."""
    # A rule with a colon has a value, as in "max-image-preview: none".
    rules = (rule for rule in content.split(",") if ":" not in rule)
    return not {"noindex", "none"}.isdisjoint(word for rule in rules for word in rule.split())


_READERS = {"base": _read_base, "link": _read_link, "meta": _read_meta}
