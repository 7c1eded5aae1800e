"""Read what a live page tells Google and Bing: robots rules, and all of its canonical URLs.

Google, "Robots meta tag, data-nosnippet, and X-Robots-Tag specifications".
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from mkdocs_sitemap_plus.web.built_html import attributes_of
from mkdocs_sitemap_plus.web.tags import find_tags

CRAWLERS = ("robots", "googlebot", "bingbot")  # names of meta tags; "robots" is for all crawlers
_EXPIRY = "unavailable_after"
_WITH_VALUE = (_EXPIRY, "max-snippet", "max-image-preview", "max-video-preview")
"""Rules with a colon and a value. Before other colons is the name of a crawler."""


class _Rule(NamedTuple):
    crawler: str
    name: str
    value: str  # of one of `_WITH_VALUE`; up to the end of the text for `_EXPIRY`, or empty


class PageRules(NamedTuple):
    """What the tags of a page say, as they are written."""

    robots: Sequence[tuple[str, str]]  # crawler and rules of each meta tag for `CRAWLERS`
    canonicals: Sequence[str]  # each ``rel=canonical`` reference of the head


def page_rules(html: bytes) -> PageRules:
    """Return the rules of a page in UTF-8. Tags are found as `read_page` finds them."""
    robots, canonicals, in_head = [], [], True
    for name, raw, _ in find_tags(html):
        in_head = in_head and name not in (b"/head", b"body")
        text = raw.lower()
        if name == b"meta" and any(crawler.encode() in text for crawler in CRAWLERS):
            attributes = attributes_of(raw.decode("utf-8", "replace"))
            crawler = attributes.get("name", "").strip().lower()
            if crawler in CRAWLERS:
                robots.append((crawler, attributes.get("content", "").strip()))
        elif name == b"link" and in_head and b"canonical" in text:
            attributes = attributes_of(raw.decode("utf-8", "replace"))
            if "canonical" in attributes.get("rel", "").lower().split() and "href" in attributes:
                canonicals.append(attributes["href"].strip())
    return PageRules(robots, canonicals)


def forbids_index(rules: str, now: datetime, crawler: str = "robots") -> bool:
    """Return whether rules forbid Google or Bing to have a page in its index at the time `now`.

    `crawler` is the name of the meta tag. In a header, the rules after a name and a colon are for
    the crawler of this name.
    """
    return any(
        rule.name in ("noindex", "none")
        or (rule.name == _EXPIRY and (until := _expiry(rule.value)) is not None and until < now)
        for rule in _rules(rules.lower(), crawler)
        if rule.crawler in CRAWLERS
    )


def _rules(text: str, crawler: str) -> Iterator[_Rule]:
    pieces = text.split(",")
    for at, piece in enumerate(pieces):
        name, colon, value = (part.strip() for part in piece.partition(":"))
        # A blank: "25 jun 2030 15" of a date with a comma.
        if colon and name not in _WITH_VALUE and " " not in name:
            crawler = name
            name, colon, value = (part.strip() for part in value.partition(":"))
        if not colon or name in _WITH_VALUE:
            # A date may have a comma.
            more = ",".join((value, *pieces[at + 1 : at + 2])) if name == _EXPIRY else value
            yield from (_Rule(crawler, word, more) for word in name.split())


def _expiry(text: str) -> datetime | None:
    """Return the date with which a text begins, in UTC (RFC 822, RFC 850, ISO 8601), or None."""
    for piece in (text, text.partition(",")[0]):
        for read in (datetime.fromisoformat, parsedate_to_datetime):
            # Python's reader of RFC 822 raises all of these.
            with suppress(ValueError, TypeError, IndexError, OverflowError):
                when = read(piece.strip().upper())
                return (when if when.tzinfo else when.replace(tzinfo=UTC)).astimezone(UTC)
    return None
