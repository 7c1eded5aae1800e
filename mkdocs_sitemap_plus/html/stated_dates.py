"""Find the dates of last change that a built page states, and add that of the sitemap."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, datetime
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.html.tags import ATTRIBUTES, attributes_of, tags
from mkdocs_sitemap_plus.sitemap.protocol import lastmod_text, utc_day
from mkdocs_sitemap_plus.sitemap.urls import same_page

META, UPDATED = "article:modified_time", "og:updated_time"
JSON_LD, MICRODATA = "JSON-LD dateModified", "itemprop dateModified"
SHOWN = "the date that the theme shows"

# The ends of types of schema.org whose date is not that of the page.
_NOT_PAGES = ("Application", "SourceCode", "VideoGame", "Object", "Dataset", "Download", "Product")
_MAX_NODES = 1_000  # nodes of a page's JSON-LD that are read

GIT_REVISION, DOCUMENT_DATES = "mkdocs-git-revision-date-localized", "mkdocs-document-dates"
# A word of the HTML in which a plugin shows the date of last change.
_OF_PLUGINS = {GIT_REVISION: "git-revision-date-localized-plugin", DOCUMENT_DATES: "doc_updated"}


class StatedDate(NamedTuple):
    """A date of last change that a page states."""

    where: str  # what states it: one of the names above, or a plugin
    text: str  # as it is written
    when: date | datetime | None  # None if it is written in a form that is not known

    def is_shown_in(self, html: str) -> bool:
        """Return whether a page, or the content of one, shows this date of a plugin."""
        return _OF_PLUGINS[self.where] in html

    def differs_from(self, lastmod: date | datetime) -> bool:
        """Return whether the page states another day than `lastmod`; False if `when` is None.

        Two times are on one day if they are so as they are written, or in UTC.
        """
        if self.when is None or self.when.isoformat()[:10] == lastmod.isoformat()[:10]:
            return False
        both = (self.when, lastmod)
        if not all(isinstance(when, datetime) and when.tzinfo for when in both):
            return True
        return utc_day(self.when) != utc_day(lastmod)


_ISO = r"(?a)\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)?)?"
_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_ENGLISH = rf"(?a)(?:{_MONTHS})[a-z]{{0,6}} \d{{1,2}}, \d{{4}}"


def read_date(text: str) -> date | datetime | None:
    """Return the ISO 8601 date at the start of a text, or an English date in it, or None."""
    with suppress(ValueError, OverflowError):
        if match := re.match(_ISO, text.strip()):
            return (datetime if ":" in match[0] else date).fromisoformat(match[0])
        if match := re.search(_ENGLISH, text[:200]):
            from dateutil import parser  # noqa: PLC0415 - its import takes 15 ms, and few need it

            return parser.parse(match[0]).date()
    return None


# Long words are found faster than short ones.
_WORDS = (META, UPDATED, "dateModified")
_FACT_CLASS = "md-source-file__fact"
_UPDATED_ICON = _OF_PLUGINS[DOCUMENT_DATES]
_END_OF_SCRIPT = re.compile(rb"(?i)</script")
# Material writes facts about a page below its content. The first fact is the date of its update.
_FACT = r"(?s).*?(?=md-source-file__fact|</aside|\Z)"
_OF_DOCUMENT_DATES = (
    r"data-icon=[\"']?doc_updated[\"']?[^<>]*+></span>\s*+<time datetime=[\"']?([^\"'\s>]++)"
)
_TORN_TAG = r"<[^<>]*+\Z"  # of the next fact
_TAG_OR_SPACE = r"(?>(?:<[^>]*>|\s)+)"


def stated_dates(html: str, url: str | None) -> list[StatedDate]:
    """Return the dates of last change that a page states, for programs and for people.

    These are ``article:modified_time`` and ``og:updated_time`` (Open Graph), ``dateModified`` of
    JSON-LD, ``meta`` and ``time`` (schema.org), and the dates that the theme Material and the
    plugin mkdocs-document-dates show.
    Dates in JSON-LD about a page with another URL than `url` are left out.
    """
    found: list[StatedDate] = []
    words = (*_WORDS, _FACT_CLASS, _UPDATED_ICON)
    if not any(word in html for word in words):  # most pages state none
        return found
    shown, page = None, html.encode("utf-8", "replace")
    names = ("meta", "time", "script", *(("span",) if _FACT_CLASS in html else ()))
    for kind, tag in tags(page, *names):
        attributes = attributes_of(_text(tag["attributes"]))
        name = attributes.get("property", attributes.get("name", ""))
        if kind == b"script":
            if attributes.get("type", "").strip() == "application/ld+json":
                end = _END_OF_SCRIPT.search(page, tag.end())
                json = _text(page[tag.end() : end.start() if end else None])
                found += (_stated(JSON_LD, text) for text in _in_json_ld(json, url))
        elif name in (META, UPDATED):
            found.append(_stated(name, attributes.get("content", "")))
        elif "dateModified" in attributes.get("itemprop", "").split():
            text = attributes.get("content", attributes.get("datetime"))
            if text is None and kind == b"time":
                inside = _text(page[tag.end() : tag.end() + 200]).partition("</")[0]
                text = re.sub(_TAG_OR_SPACE, " ", inside)
            found.append(_stated(MICRODATA, text or ""))
        elif shown is None and _FACT_CLASS in attributes.get("class", "").split():
            shown = _shown_date(_text(page[tag.end() : tag.end() + 4_000]))
    if _UPDATED_ICON in html and (plugin := re.search(_OF_DOCUMENT_DATES, html)):
        found.append(_stated(DOCUMENT_DATES, plugin[1]))
    return [*found, shown] if shown else found


def _text(html: bytes) -> str:
    return html.decode("utf-8", "replace")


def _stated(where: str, text: str) -> StatedDate:
    return StatedDate(where, text.strip(), read_date(text))


def _shown_date(html: str) -> StatedDate:
    """Return the date in the text after the tag of a fact; plugins write it in many ways."""
    fact = re.match(_FACT, html)
    text = re.sub(_TORN_TAG, "", fact[0]) if fact else ""
    for _, tag in tags(text.encode(), "time", "span"):
        if "datetime" in (values := attributes_of(tag["attributes"].decode())):
            return _stated(SHOWN, values["datetime"])
    return _stated(SHOWN, re.sub(_TAG_OR_SPACE, " ", text))


def _in_json_ld(text: str, url: str | None) -> Iterator[str]:
    """Yield each ``dateModified`` of the page itself in a JSON-LD text of any shape."""
    with suppress(ValueError, RecursionError):  # what is not JSON states nothing
        nodes: list[Any] = [json.loads(text)]
        for node in nodes:  # the loop adds the nodes inside to the list
            if isinstance(node, list):
                nodes += node[: max(0, _MAX_NODES - len(nodes))]
            elif isinstance(node, dict):
                # A term may be written as a URL, or with a prefix such as "schema:".
                terms = {key.rpartition("/")[2].rpartition(":")[2]: node[key] for key in node}
                if not _describes(terms, url):
                    continue
                parts = ("@graph", "mainEntity", "mainEntityOfPage")
                nodes += [terms[part] for part in parts if part in terms]
                if "dateModified" in terms:
                    yield from _texts(terms["dateModified"])


def _describes(terms: dict[str, Any], url: str | None) -> bool:
    """A program or a file that a page is about has a date of its own."""
    if any(kind.endswith(_NOT_PAGES) for kind in _texts(terms.get("@type"))):
        return False
    named = [text for term in ("url", "@id") for text in _texts(terms.get(term))]
    if not named or not url:
        return True
    # A fragment alone, such as "#page", names a part of this page.
    return any(same_page(reference.partition("#")[0] or url, url) for reference in named)


def _texts(value: object) -> Iterator[str]:
    values = value if isinstance(value, list) else [value]
    for node in values:
        text = node.get("@value", node.get("@id")) if isinstance(node, dict) else node
        if isinstance(text, str):
            yield text


# What stands at the start of a page: a parser is in the head after each part (HTML 13.2.6.4). The
# tags are added after the first parts, before a script and before whatever may end the head.
_PARTS = (
    r"[ \t\n\f\r]++"
    r"|<!--(?:-?>|(?>(?:[^-]++|-(?!-!?>))*)--!?>)"
    r"|<(?:!(?!--)|\?|/[^a-z>])[^>]*+>|</>"  # the document type, and what parsers skip
    rf"|</(?!(?:head|body|html|br|template)[ \t\n\f\r/>])[a-z]{ATTRIBUTES}>"
    rf"|<(?:html|head|meta|link|base)(?=[ \t\n\f\r/>]){ATTRIBUTES}>"
    rf"|<title(?=[ \t\n\f\r>]){ATTRIBUTES}>[^<]*+</title[ \t\n\f\r]*+>"
)
_PREFIX = rf"(?i)\ufeff?(?>(?:{_PARTS})*)"
# One of these parts, or a script or a style. A text with "<script" may not end where it seems to.
_PART = (
    rf"(?i){_PARTS}|<(script|style)(?=[ \t\n\f\r/>]){ATTRIBUTES}>"
    r"(?>(?:[^<]++|<(?!/?(?:script|style)))*)</\1[ \t\n\f\r]*+>"
)
_CHARSET_WITHIN = 1_024  # bytes in which browsers look for the encoding of a page (HTML 13.2.3.2)
_DOCUMENT = r"(?i)<(?:!doctype\s+html|html|head|body)\b"
_MARK = "data-sitemap-plus"
_OWN_TAGS = (
    rf'<meta property="{META}" content="[^"<>]*" {_MARK}>\n'
    rf'|<script type="application/ld\+json" {_MARK}>[^<]*</script>\n'
)


def with_date(
    html: str,
    lastmod: date | datetime | None,
    url: str | None,
    *,
    shows_it: bool = False,
    tell: Callable[[StatedDate], None] = lambda _no_date: None,
) -> str:
    """Return the page with tags in its head that state when it last changed.

    The tags are ``article:modified_time`` and JSON-LD with ``dateModified``. Each is added only if
    the page has none of its kind with a date; `tell` is called for one without. If the page states
    another day, none is added. Tags that this function wrote earlier are replaced. A text that is
    not a whole page does not change. With `shows_it`, what the theme shows is known to be
    `lastmod`, and is not read.
    """
    states_some = any(word in html for word in _WORDS)
    if states_some:
        html = re.sub(_OWN_TAGS, "", html)
    if lastmod is None or not re.search(_DOCUMENT, html):  # no whole page
        return html
    # Most pages state no other date, and this is much quicker than to read all tags.
    stated = stated_dates(html, url) if states_some or not shows_it else []
    if any(found.differs_from(lastmod) for found in stated):
        return html
    kinds = {found.where for found in stated if found.when is not None}
    for found in stated:
        if found.where in (META, JSON_LD) and found.where not in kinds:
            tell(found)
    text = lastmod_text(lastmod)
    tags = ""
    if META not in kinds:
        tags += f'<meta property="{META}" content="{text}" {_MARK}>\n'
    if JSON_LD not in kinds:
        # A "<" in the URL could end the script.
        link = f'"url":{json.dumps(url)},'.replace("<", r"\u003c") if url else ""
        page = '{"@context":"https://schema.org","@type":"WebPage",'
        page += f'{link}"dateModified":"{text}"}}'
        tags += f'<script type="application/ld+json" {_MARK}>{page}</script>\n'
    place = _place_in_head(html)
    return f"{html[:place]}{tags}{html[place:]}"


def _place_in_head(html: str) -> int:
    """Return where tags can be added to the head of a page.

    If the page declares its encoding soon after that, it is the place behind the declaration, which
    would otherwise move out of the bytes that browsers read for it.
    """
    prefix = re.match(_PREFIX, html)
    place = first = prefix.end() if prefix else 0
    if "charset" not in html[first:_CHARSET_WITHIN].lower():
        return first
    while place < _CHARSET_WITHIN and (part := re.compile(_PART).match(html, place)):
        place = part.end()
        tag = part[0].lower()
        if tag.startswith("<meta") and "charset" in tag:
            return place
    return first
