"""What a built page's own HTML tells robots."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mkdocs_sitemap_plus.files import Unreadable
from mkdocs_sitemap_plus.pages.tags import attributes_of, base_of, head_tags, read_head_tags
from mkdocs_sitemap_plus.sitemap.urls import can_be_url, same_page

if TYPE_CHECKING:
    from os import PathLike

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
