"""What a built page's own HTML tells robots."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from mkdocs_sitemap_plus.files import MAX_FILE, Unreadable, read_start
from mkdocs_sitemap_plus.sitemap.limits import MAX_LOC_LENGTH
from mkdocs_sitemap_plus.sitemap.urls import can_be_url, same_page
from mkdocs_sitemap_plus.wording import unescape

# HTML, "shared declarative refresh steps": the seconds, and what stands before the URL.
_SECONDS = re.compile(r"[0-9.]++(?:\Z|(?=[ \t\n\f\r;,])[ \t\n\f\r]*+[;,]?+[ \t\n\f\r]*+)")
_URL = re.compile(r"url[ \t\n\f\r]*+=[ \t\n\f\r]*+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltPage:
    """What the head of a built page says.

    Attributes:
        noindex: the ``meta`` tag's content that forbids to index the page; None if none does.
        canonical: the ``rel=canonical`` reference as written, entities resolved; None if there is
            none. It may be relative.
        base: the ``base`` reference that relative ones start from; None if there is none.
        redirect: the reference of a ``meta`` refresh, as written; None if there is none, or if it
            only loads the page again.
        unreadable: why the file can't be read, in a few words; None if it can. All else is None.
    """

    noindex: str | None = None
    canonical: str | None = None
    base: str | None = None
    redirect: str | None = None
    unreadable: str | None = None

    def leads_elsewhere(self, loc: str) -> bool:
        """Return whether a refresh leads from the page, whose URL is `loc`, to another one."""
        return self.redirect is not None and not same_page(self.redirect, loc, self.base)


def read_built_page(path: "str | PathLike[str]") -> BuiltPage | None:
    """Read the head of a built file; None if the file is not there."""
    try:
        return _built_page(read_head_tags(path, _may_tell))
    except Unreadable as error:
        return None if error.missing else BuiltPage(unreadable=error.reason)


def parse_built_page(html: str) -> BuiltPage:
    """What the head of `html` says; the first of several equal tags counts."""
    return _built_page(head_tags(html, _may_tell)[0])


def _built_page(tags: list[re.Match[str]]) -> BuiltPage:
    said: dict[str, str | None] = {}
    for tag in tags:
        for name, value in _said(tag["name"].lower(), attributes_of(tag["attributes"])):
            said.setdefault(name, value)
    if said.get("redirect") == "":  # no URL is that of the base
        said["redirect"] = said.get("base")
    return BuiltPage(**said)


def _may_tell(tag: str) -> bool:
    """A cheap look before the attributes are read, since most tags say nothing to robots."""
    if "bot" in tag and ("robots" in tag or "googlebot" in tag):  # and not the font Roboto
        return True
    return "canonical" in tag or "refresh" in tag or "<base" in tag


def _said(tag: str, attributes: dict[str, str]) -> Iterator[tuple[str, str | None]]:
    if tag == "meta":
        yield from _said_by_meta(attributes, attributes.get("content", "").strip())
    elif tag == "base":
        if (base := base_of(attributes)) is not None:
            yield "base", base
    elif "href" in attributes and "canonical" in attributes.get("rel", "").lower().split():
        yield "canonical", attributes["href"].strip()


def _said_by_meta(attributes: dict[str, str], content: str) -> Iterator[tuple[str, str | None]]:
    name = attributes.get("name", "").strip().lower()
    if name in ("robots", "googlebot"):
        if _forbids(content.lower()):
            yield "noindex", content
    elif attributes.get("http-equiv", "").strip().lower() == "refresh":
        seconds = _SECONDS.match(content)
        if seconds and seconds.end() == len(content):
            yield "redirect", None  # it loads the page again, and no other refresh counts
        elif seconds and can_be_url(url := _refresh_url(content[seconds.end() :])):
            yield "redirect", url


def _refresh_url(text: str) -> str:
    """Return the URL behind the seconds of a refresh: with or without ``url=`` and quotes."""
    written = _URL.match(text)
    url = text[written.end() :] if written else text
    if url.startswith(("'", '"')):
        url = url[1:].partition(url[0])[0]
    return url.strip()


def _forbids(content: str) -> bool:
    """Whether robots may not index the page; ``max-image-preview: none`` says something else."""
    rules = (rule for rule in content.split(",") if ":" not in rule)
    return not {"noindex", "none"}.isdisjoint(word for rule in rules for word in rule.split())


def read_links(path: Path) -> tuple[Mapping[str, str], str | None]:
    """Read ``rel=alternate`` links with ``hreflang`` from the head of a built file.

    Returns:
        References as they are written, by hreflang; and the ``base`` that relative ones start
        from, None if there is none. Of equal tags the first counts.
    """
    hrefs: dict[str, str] = {}
    base: str | None = None
    try:
        tags = read_head_tags(path, _may_link)
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


def _may_link(tag: str) -> bool:
    return "hreflang" in tag or "<base" in tag


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
