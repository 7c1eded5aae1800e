"""The links between the language versions of a page (Google, "localized versions")."""

from collections.abc import Iterable, Iterator

from mkdocs_sitemap_plus.check.elements import fault
from mkdocs_sitemap_plus.check.finding import Fault, Findings
from mkdocs_sitemap_plus.check.listed import Listed, same
from mkdocs_sitemap_plus.check.values import SPACE, url_fault
from mkdocs_sitemap_plus.pages.urls import origin_of
from mkdocs_sitemap_plus.sitemap.languages import X_DEFAULT, hreflang, meant_hreflang
from mkdocs_sitemap_plus.sitemap.parse import RawElement
from mkdocs_sitemap_plus.sitemap.urlset import XHTML
from mkdocs_sitemap_plus.wording import format_value as shown


def links(url: RawElement) -> tuple[RawElement, ...]:
    """The links of an entry to language versions; ``media`` is for separate mobile pages."""
    return tuple(
        link
        for link in url.all(XHTML, "link")
        if link.attribute("rel") == "alternate" and link.attribute("media") is None
    )


def targets(url: RawElement, *, languages: bool = False) -> frozenset[str]:
    """The URLs that these links name, as `same` gives them; with `languages` without x-default."""
    return frozenset(
        same(href.strip(SPACE))
        for link in links(url)
        if (code := link.attribute("hreflang")) and (href := link.attribute("href"))
        if not languages or code.lower() != X_DEFAULT
    )


def link_faults(url: RawElement, loc: str) -> Iterator[Fault]:
    """What is wrong with the links of one entry."""
    found = links(url)
    yield from _relations(url)
    codes: set[str] = set()
    for link in found:
        code, href = link.attribute("hreflang"), link.attribute("href")
        if not code or not href:
            lacking = "href" if code else "hreflang"
            yield fault("hreflang-link", link, f"has no {lacking}")
            continue
        yield from _code(link, code)
        if wrong := url_fault(href):
            yield fault("hreflang-url", link, f"{code!r} {wrong}")
        if code.lower() in codes:
            yield fault("hreflang-twice", link, f"has hreflang {code!r} twice")
        codes.add(code.lower())
    if found and loc and same(loc) not in targets(url):
        yield fault("hreflang-self", url, "has language versions, and none is the page itself")


def between(listed: Iterable[Listed], findings: Findings) -> None:
    """Whether all language versions name each other."""
    pages: dict[str, Listed] = {}
    for each in listed:
        pages.setdefault(same(each.loc), each)
    for own, page in pages.items():
        for other in sorted(page.alternates - {own}):
            there = pages.get(other)
            if there is None:
                _unlisted(page, other, findings)
            elif own not in there.alternates:
                reason = f"names {there.loc}, which does not name it back"
                findings.add("hreflang-return", page.place, reason, page.loc)


def _unlisted(page: Listed, other: str, findings: Findings) -> None:
    """On another host it may be in a sitemap of its own; x-default may lead on by language."""
    if other in page.languages and origin_of(other) == origin_of(page.loc):
        reason = f"names {other}, which is not in the sitemap"
        findings.add("hreflang-unlisted", page.place, reason, page.loc)


def _relations(url: RawElement) -> Iterator[Fault]:
    for link in url.all(XHTML, "link"):
        if link.attribute("rel") is None:
            yield fault("hreflang-link", link, "has no rel")


def _code(link: RawElement, code: str) -> Iterator[Fault]:
    known = hreflang(code)
    if known is None or "_" in code:
        meant = known or meant_hreflang(code)
        hint = f"; {meant} perhaps" if meant else ""
        yield fault("hreflang-code", link, f"has hreflang {shown(code)}{hint}")
