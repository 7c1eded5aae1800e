"""What the head of a built page says to robots, and the scanner of HTML tags.

Tags are found where browsers find them, in one pass over the text (HTML 13.2.5). Each expression
here consumes whatever it has begun: a comment, an element or a quotation mark that never ends takes
all of the rest, as in browsers. So no part of a text is read more than twice.
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

_VALUE = r"\"{0}[^\"]*+{1}(?:\"|\Z)|'{0}[^']*+{1}(?:'|\Z)|{0}[^ \t\n\f\r>]*+{1}"
_ATTRIBUTES = rf"(?:[^>=]++|=[ \t\n\f\r]*+(?:{_VALUE.format('', '')}))*+"
_ATTRIBUTE = re.compile(
    r"([^ \t\n\f\r/>][^ \t\n\f\r/>=]*+)"
    rf"(?:[ \t\n\f\r]*+=[ \t\n\f\r]*+(?:{_VALUE.format('(', ')')}))?"
)
_HEAD_BYTES = 16_384
"""Read first; a head that is longer is read with all of its file."""


def tag_pattern(names: str, skipped: str) -> re.Pattern[str]:
    """Return an expression for certain tags, with the groups ``name`` and ``attributes``.

    It also finds what is to be skipped, such as comments; that has no ``attributes``.

    Args:
        names: an expression for the names of the tags; those of end tags have a slash before.
        skipped: an expression for the names of elements whose content is skipped.
    """
    return re.compile(
        r"<(?:!--(?:-?>|.*?(?:--!?>|\Z))"
        rf"|({skipped})(?=[ \t\n\f\r/>]){_ATTRIBUTES}(?:\Z|>"
        r"(?:[^<]++|<(?!/\1[ \t\n\f\r/>]))*+(?:</\1[^>]*+(?:>|\Z)|\Z))"
        rf"|(?P<name>{names})(?=[ \t\n\f\r/>])(?:(?P<attributes>{_ATTRIBUTES})>|.*))",
        re.DOTALL | re.IGNORECASE,
    )


_HEAD_TAGS = tag_pattern("meta|link|base|body|/head", "script|style|template|noscript|title")


def attributes_of(text: str) -> dict[str, str]:
    """Return attributes by lower case name; the first of a name counts, as in HTML."""
    found: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(text):
        found.setdefault(name.lower(), unescape("".join(values)))
    return found


# HTML, "shared declarative refresh steps": the seconds, and what stands before the URL.
_SECONDS = re.compile(r"[0-9.]++(?:\Z|(?=[ \t\n\f\r;,])[ \t\n\f\r]*+[;,]?+[ \t\n\f\r]*+)")
_URL = re.compile(r"url[ \t\n\f\r]*+=[ \t\n\f\r]*+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltPage:
    """What the head of a built page says; of equal tags the first counts.

    Attributes:
        noindex: the ``meta`` tag's content that forbids to index the page; None if none does.
        canonical: the ``rel=canonical`` reference as written, entities resolved; None if there is
            none. It may be relative.
        base: the ``base`` reference that relative ones start from; None if there is none.
        redirect: the reference of a ``meta`` refresh, as written; None if there is none, or if it
            only loads the page again.
        alternates: the ``rel=alternate`` references as written, by their ``hreflang``.
        unreadable: why the file can't be read, in a few words; None if it can. All else is None.
    """

    noindex: str | None = None
    canonical: str | None = None
    base: str | None = None
    redirect: str | None = None
    alternates: Mapping[str, str] = field(default_factory=dict)
    unreadable: str | None = None

    def leads_elsewhere(self, loc: str) -> bool:
        """Return whether a refresh leads from the page, whose URL is `loc`, to another one."""
        return self.redirect is not None and not same_page(self.redirect, loc, self.base)


def read_built_page(path: str | PathLike[str]) -> BuiltPage | None:
    """Read the head of a built file; None if the file is not there."""
    try:
        data = read_start(path, _HEAD_BYTES)
        page, complete = read_head(data.decode("utf-8", "replace"))
        if len(data) == _HEAD_BYTES and not complete:
            page, _ = read_head(read_start(path, MAX_FILE).decode("utf-8", "replace"))
    except Unreadable as error:
        return None if error.missing else BuiltPage(unreadable=error.reason)
    return page


def read_head(html: str) -> tuple[BuiltPage, bool]:
    """Read the head in a text of HTML; return it, and whether its end was seen."""
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
    """Return whether a tag may say something to robots: a quick look, since most do not."""
    if "bot" in tag and ("robots" in tag or "googlebot" in tag):  # and not the font Roboto
        return True
    return "canonical" in tag or "hreflang" in tag or "refresh" in tag or "<base" in tag


def _read_base(attributes: Mapping[str, str], found: dict[str, Any]) -> None:
    # Each reference of the page is joined to the base, so its length counts as often.
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
    """Return the URL behind the seconds of a refresh: with or without ``url=`` and quotes."""
    written = _URL.match(text)
    url = text[written.end() :] if written else text
    if url.startswith(("'", '"')):
        url = url[1:].partition(url[0])[0]
    return url.strip()


def _forbids_indexing(content: str) -> bool:
    """Return whether robots may not index the page; ``max-image-preview: none`` is another rule."""
    rules = (rule for rule in content.split(",") if ":" not in rule)
    return not {"noindex", "none"}.isdisjoint(word for rule in rules for word in rule.split())


_READERS = {"base": _read_base, "link": _read_link, "meta": _read_meta}
