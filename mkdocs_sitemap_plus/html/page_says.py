"""What a page says of itself to search engines: one reader for built pages and for live ones.

It judges nothing. Whether a page may be listed is decided by the pipeline, and by `check`. A build
needs no more than the tags; `whole_pages` reads the rest.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

from mkdocs_sitemap_plus.files import MAX_FILE, Unreadable, read_start
from mkdocs_sitemap_plus.html.tags import attributes_of, find_tags
from mkdocs_sitemap_plus.sitemap import MAX_LOC_LENGTH
from mkdocs_sitemap_plus.sitemap.urls import base_url, can_be_url, joined, same_page

if TYPE_CHECKING:
    from mkdocs_sitemap_plus.html.stated_dates import StatedDate

CRAWLERS = ("robots", "googlebot", "bingbot")
"""Names of meta tags that Google and Bing obey. The first one is for all crawlers."""
GOOGLE_CRAWLERS = CRAWLERS[:2]
_EXPIRY = "unavailable_after"
_WITH_VALUE = (_EXPIRY, "max-snippet", "max-image-preview", "max-video-preview")
"""Rules with a colon and a value. In a header, the name of a crawler is before other colons."""
HEADER = "header"


class RobotsRules(NamedTuple):
    """What a page tells the robots of search engines, in one tag or header.

    Google, "Robots meta tag, data-nosnippet, and X-Robots-Tag specifications".
    """

    crawler: str  # one of `CRAWLERS`; in a header, the text may name others
    text: str  # as it is written
    where: str  # ``head``, ``body`` or `HEADER`

    def forbid_index(self, crawlers: Sequence[str], now: datetime | None = None) -> bool:
        """Return whether they forbid one of the crawlers to have the page in its index.

        Without `now`, no page expires: a build must not depend on the clock.
        """
        crawler, pieces = self.crawler, self.text.lower().split(",")
        for at, piece in enumerate(pieces):
            name, colon, value = (part.strip() for part in piece.partition(":"))
            is_name = colon and name not in _WITH_VALUE and " " not in name  # "25 jun 2030 15:00"
            if is_name and self.where == HEADER:
                crawler = name
                name, colon, value = (part.strip() for part in value.partition(":"))
            if crawler not in crawlers:
                continue
            if not colon and not {"noindex", "none"}.isdisjoint(name.split()):
                return True
            if now and name == _EXPIRY:
                until = _expiry(",".join((value, *pieces[at + 1 : at + 2])))
                if until and until < now:
                    return True
        return False

    @property
    def name(self) -> str:
        """What it is, in words."""
        return "header X-Robots-Tag" if self.where == HEADER else f"{self.crawler} meta tag"


def _expiry(text: str) -> datetime | None:
    """Return the date with which a text begins, in UTC (RFC 822, RFC 850, ISO 8601), or None."""
    from email.utils import parsedate_to_datetime  # noqa: PLC0415 - no build needs it

    for piece in (text, text.partition(",")[0]):  # a date may have a comma
        for read in (datetime.fromisoformat, parsedate_to_datetime):
            # Python's reader of RFC 822 raises all of these.
            with suppress(ValueError, TypeError, IndexError, OverflowError):
                when = read(piece.strip().upper())
                return (when if when.tzinfo else when.replace(tzinfo=UTC)).astimezone(UTC)
    return None


class PageSays(NamedTuple):
    """What a page says of itself.

    Robots rules and a redirect count wherever they stand, the rest of the tags in the head only.
    References are as they are written, with entities resolved. They may be relative.
    """

    robots: tuple[RobotsRules, ...] = ()
    canonicals: tuple[str, ...] = ()  # each ``rel=canonical`` reference
    base: str | None = None  # the ``base`` reference, which relative references start from
    redirect: str | None = None  # where a refresh or a script leads; None for the page itself
    alternates: Mapping[str, str] = {}  # ``rel=alternate`` references, by their ``hreflang``
    unreadable: str | None = None  # why the file can't be read; the other fields are then empty
    images: tuple[str, ...] = ()  # of its content, if they are wanted
    # What `whole_pages` adds:
    dates: Sequence["StatedDate"] = ()
    text: int | None = None  # equal for pages of the same title and text
    lacks: str | None = None  # why it is no page of a site though it was answered, as a clause
    in_headers: frozenset[str] = frozenset()  # which of the references stand in a header

    @property
    def noindex(self) -> str | None:
        """The rules of the first tag that forbids Google to index the page."""
        return next((rules.text for rules in self._forbidding), None)

    @property
    def noindex_in_body(self) -> bool:
        """Whether such a tag stands in the body, and none in the head."""
        return {rules.where for rules in self._forbidding} == {"body"}

    @property
    def _forbidding(self) -> list[RobotsRules]:
        return [rules for rules in self.robots if rules.forbid_index(GOOGLE_CRAWLERS)]

    @property
    def canonical(self) -> str | None:
        """The first canonical reference."""
        return next(iter(self.canonicals), None)

    def leads_elsewhere(self, loc: str) -> bool:
        """Return whether a refresh leads away from this page, which has the URL `loc`."""
        return self.redirect is not None and not same_page(self.redirect, loc, self.base)

    def second_canonical(self, loc: str) -> str | None:
        """Return the first canonical reference that names another page than the first one does.

        Search engines then ignore both.
        """
        base = base_url(loc, self.base)
        first, *others = [joined(base, url) or url for url in self.canonicals] or [""]
        at = next((at for at, url in enumerate(others, 1) if not same_page(url, first)), None)
        return None if at is None else self.canonicals[at]

    def names_other(self, loc: str) -> bool:
        """Return whether the page names another one as canonical."""
        if self.canonical is None or same_page(self.canonical, loc, self.base):
            return False
        return self.second_canonical(loc) is None


def read_built_page(path: str | PathLike[str], *, images: bool = False) -> PageSays | None:
    """Return what the tags of a built file say, with `images` if wanted; None without the file."""
    try:
        data = read_start(path, MAX_FILE)
    except Unreadable as error:
        return None if error.missing else PageSays(unreadable=error.reason)
    says = read_page(data)
    if not images:
        return says
    from mkdocs_sitemap_plus.html.images import images_in  # noqa: PLC0415 - if they are wanted

    return says._replace(images=images_in(data.decode("utf-8", "replace")))


def read_page(html: bytes) -> PageSays:
    """Return what the tags of a page in UTF-8 say."""
    found = _Found()
    readers = {b"base": found.read_base, b"link": found.read_link, b"meta": found.read_meta}
    for name, attributes, end in find_tags(html):
        if name in (b"/head", b"body"):
            if not re.search(rb"(?i)<meta", html[end:]):  # most pages have no such tag in the body
                break
            found.where = "body"
            continue
        # A quick search finds out whether a tag matters. Most do not.
        text = attributes.lower()
        if any(word in text for word in _WORDS[name]):
            readers[name](attributes_of(attributes.decode("utf-8", "replace")))
    says = found.says
    if says.get("redirect") == "":  # a refresh without a URL leads to the base
        says["redirect"] = says.get("base")
    if "redirect" not in says and b"location" in html:
        from mkdocs_sitemap_plus.html.script_redirect import script_target  # noqa: PLC0415 - few do

        if (target := script_target(html)) and can_be_url(target):
            says["redirect"] = target
    return PageSays(**says)


_WORDS = {  # in the tags that matter
    b"base": (b"href",),
    b"link": (b"canonical", b"hreflang"),
    b"meta": (*(name.encode() for name in CRAWLERS), b"refresh"),
}


class _Found:
    """What the tags of a page have said so far."""

    def __init__(self) -> None:
        self.where = "head"  # the place of the current tag
        self.says: dict[str, Any] = {"alternates": {}}

    def read_base(self, attributes: Mapping[str, str]) -> None:
        # Each reference of the page is joined to the base, which takes much time with a long base.
        href = attributes.get("href")
        if href is not None and len(href) <= MAX_LOC_LENGTH:
            self.says.setdefault("base", href.strip())

    def read_link(self, attributes: Mapping[str, str]) -> None:
        kinds = attributes.get("rel", "").lower().split()
        href, code = attributes.get("href"), attributes.get("hreflang", "").strip()
        if href is not None and "canonical" in kinds:
            self._add("canonicals", href.strip())
        if href and href.strip() and code and "alternate" in kinds:
            self.says["alternates"].setdefault(code, href.strip())

    def read_meta(self, attributes: Mapping[str, str]) -> None:
        content = attributes.get("content", "").strip()
        crawler = attributes.get("name", "").strip().lower()
        if crawler in CRAWLERS:
            self._add("robots", RobotsRules(crawler, content, self.where))
        elif attributes.get("http-equiv", "").strip().lower() == "refresh":
            is_refresh, url = read_refresh(content)
            if is_refresh:  # if it loads the page again, no other refresh counts
                self.says.setdefault("redirect", url)

    def _add(self, field: str, value: object) -> None:
        self.says[field] = (*self.says.get(field, ()), value)


# The seconds of a refresh, and the text before its URL (HTML, "shared declarative refresh steps").
_SECONDS = r"[0-9.]++(?:\Z|(?=[ \t\n\f\r;,])[ \t\n\f\r]*+[;,]?+[ \t\n\f\r]*+)"
_URL = r"(?i)url[ \t\n\f\r]*+=[ \t\n\f\r]*+"


def read_refresh(content: str) -> tuple[bool, str | None]:
    """Return whether the text of a refresh is valid, and its URL; None if it loads the page again.

    The text is that of a tag, or of the header ``Refresh``.
    """
    seconds = re.match(_SECONDS, content)
    if seconds and seconds.end() < len(content):
        text = content[seconds.end() :]
        written = re.match(_URL, text)
        url = text[written.end() :] if written else text
        if url.startswith(("'", '"')):
            url = url[1:].partition(url[0])[0]
        return can_be_url(url.strip()), url.strip()
    return bool(seconds), None
