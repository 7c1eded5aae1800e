"""What a page says of itself to search engines: one reader for built pages and for live ones.

It judges nothing. Whether a page may be listed is decided by the pipeline, and by `check`. A build
needs no more than the tags; `whole_pages` reads the rest. Images are those of the content, and a
script counts where it leads visitors elsewhere.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from os import PathLike
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.files import MAX_FILE, Unreadable, read_start
from mkdocs_sitemap_plus.html.stated_dates import StatedDate
from mkdocs_sitemap_plus.html.tags import attributes_of, find_tags, tags
from mkdocs_sitemap_plus.sitemap.protocol import MAX_LOC_LENGTH
from mkdocs_sitemap_plus.sitemap.urls import base_url, can_be_url, joined, same_page

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
        if len(self.canonicals) < 2:
            return None
        base = base_url(loc, self.base)
        first, *others = [joined(base, url) or url for url in self.canonicals]
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
        text = attributes.lower()
        if name == b"base" or any(word in text for word in _WORDS):  # most tags do not matter
            readers[name](attributes_of(attributes.decode("utf-8", "replace")))
    says = found.says
    if says.get("redirect") == "":  # a refresh without a URL leads to the base
        says["redirect"] = says.get("base")
    target = script_target(html) if "redirect" not in says and b"location" in html else None
    if target and can_be_url(target):
        says["redirect"] = target
    return PageSays(**says)


_WORDS = (b"canonical", b"hreflang", b"refresh", *(name.encode() for name in CRAWLERS))


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


_REGIONS = ("main", "article", "body", "nav", "header", "footer", "aside", "div", "section")
_TAGS = ("img", "source", "picture", "/picture", *_REGIONS, *(f"/{name}" for name in _REGIONS))
_FRAME = frozenset(("nav", "header", "footer", "aside"))  # elements
_FRAME |= {"navigation", "banner", "contentinfo", "complementary", "search"}  # roles
"""What is around the content (HTML 4.3; WAI-ARIA 5.3.4)."""
_OF_CONTENT = ("main", "article", "body")
"""Elements and roles that hold the content. The first of these that a page has is used."""
_LAZY = ("data-src", "data-original", "data-lazy-src", "data-lazy")
"""Attributes with the URL of an image that a script loads later; ``src`` is then a placeholder."""
_LAZY_SETS = ("data-srcset", "data-lazy-srcset")
_EMOJI_CLASSES = frozenset(("emojione", "twemoji", "gemoji"))
"""Classes of emoji (pymdownx.emoji), which are not listed as images."""
_CANDIDATE = r"(?P<url>[^\s,]++(?>(?:,++[^\s,]++)*))(?P<size>\s++[^,]*+)?"


def images_in(html: str) -> tuple[str, ...]:
    """Return one reference for each picture in the content of a page, in the order of the page.

    The content is the inside of ``main``; if there is none, of ``article``; if there is none, of
    ``body``. Images in ``nav``, ``header``, ``footer`` and ``aside`` do not count. The role of an
    element replaces its name. Emoji do not count. A reference is as it is written, with entities
    resolved. It may be relative, or have any scheme.
    """
    present, images = _pictures(html)
    content = next(kind for kind in _OF_CONTENT if kind in present)
    return tuple(image for kinds, image in images if content in kinds)


class _Region(NamedTuple):
    name: str
    frame: bool  # whether it is part of `_FRAME`, or inside of such an element
    content: frozenset[str]  # which of `_OF_CONTENT` it is, or is inside of


def _pictures(html: str) -> tuple[frozenset[str], list[tuple[frozenset[str], str]]]:
    """Return which of `_OF_CONTENT` a page has, and its images, each with those it is inside of."""
    present = frozenset(("body",))  # its tag may be left out (HTML 13.1.2.4)
    images = []
    regions = [_Region("", frame=False, content=present)]  # around the current tag
    open_names: Counter[str] = Counter()  # so that an end tag without a start takes no search
    sources: list[dict[str, str]] = []  # the attributes of each ``source`` before an image
    for found, tag in tags(html.encode("utf-8", "replace"), *_TAGS):
        name, written = found.decode(), tag["attributes"].decode("utf-8", "replace")
        if name in ("picture", "/picture"):
            sources = []
        elif name.startswith("/"):
            _close(name[1:], regions, open_names)
        elif name in _REGIONS:
            regions.append(_region(regions[-1], name, written))
            open_names[name] += 1
            present |= regions[-1].content
        elif not regions[-1].frame:
            attributes = attributes_of(written)
            if name == "source":
                sources.append(attributes)
                continue
            if image := _image(attributes, sources):
                images.append((regions[-1].content, image))
            sources = []  # a picture has one image (HTML 4.8.1)
    return present, images


def _close(name: str, regions: list[_Region], open_names: Counter[str]) -> None:
    """Remove the innermost open element of this name, if any, and all that are open inside it."""
    if open_names[name]:
        while (inside := regions.pop().name) != name:
            open_names[inside] -= 1
        open_names[name] -= 1


def _region(outer: _Region, name: str, attributes: str) -> _Region:
    """Return the region of a new element. If it has the role of a region, its name is ignored."""
    roles = attributes_of(attributes).get("role", "").lower().split()
    role = roles[0] if roles and roles[0] in (*_FRAME, *_OF_CONTENT) else name
    content = outer.content | {role} if role in _OF_CONTENT else outer.content
    return _Region(name, frame=outer.frame or role in _FRAME, content=content)


def _image(attributes: dict[str, str], sources: list[dict[str, str]]) -> str | None:
    """Return the reference of a picture; None if it has no reference, or is an emoji.

    The first of these that is set counts: a lazy attribute, ``src``, the largest candidate of
    a lazy ``srcset``, of ``srcset``, or of a ``source``. ``src`` comes before ``srcset``, since
    "some crawlers do not understand srcset" (Google).
    """
    if not _EMOJI_CLASSES.isdisjoint(attributes.get("class", "").split()):
        return None
    candidates = [attributes.get(name, "").strip() for name in (*_LAZY, "src")]
    for source in (attributes, *sources):
        candidates += [_largest(source.get(name, "")) for name in (*_LAZY_SETS, "srcset")]
    return next((each for each in candidates if each and not _inline(each)), None)


def _inline(reference: str) -> bool:
    return reference[:5].lower() in ("data:", "blob:")


def _largest(srcset: str) -> str:
    """Return the URL with the greatest width or density; the first if several are equal."""
    if _inline(srcset.lstrip()):
        return ""
    found = [
        (_size(match["size"] or ""), match["url"]) for match in re.finditer(_CANDIDATE, srcset)
    ]
    return max(found, key=lambda candidate: candidate[0], default=(0.0, ""))[1]


def _size(descriptor: str) -> float:
    number = re.match(r"\s*(\d{1,9}(?:\.\d{1,9})?)[wx]", descriptor)
    return float(number[1]) if number else 1.0


# A page whose script leads every visitor away stands where a server should redirect; mike writes
# one for each alias. Search engines run the script, and list the page that it leads to.
_MAX_BYTES = 16_384  # of a page that has nothing else
_MAX_TEXT = 300  # bytes, such as "Redirecting to ... Click here if nothing happens."
_SCRIPT = rb"(?is)<script\b([^>]*+)>(.*?)(?:</script[^>]*+>|\Z)"
_UNSEEN = rb"(?is)<!--.*?(?:-->|\Z)|<(style|title|noscript|script)\b.*?(?:</\1[^>]*+>|\Z)"
_TAG = rb"<[!?/a-zA-Z][^>]*+>"
# A page with one of these has more than a redirect. A link is for those who wait.
_CONTENT = (
    rb"(?i)<(?:img|svg|iframe|form|input|button|textarea|select|table|ul|ol|dl|pre|article|nav"
    rb"|object|embed|video|audio|canvas|dialog)\b|\bon[a-z]+\s*+="
)
# A script that makes content, waits for a click, or looks at the visitor's language, does not lead
# each visitor away.
_OTHER_WORK = (
    rb"addEventListener|\bonclick|innerHTML|textContent|document\.write|createElement|append"
    rb"|fetch\(|XMLHttpRequest|navigator\.language"
)
_LEADS_TO = (
    rb"(?<![\w$-])(?<!const )(?<!let )(?<!var )location(?:\.href)?\s*+"
    rb"(?:=(?!=)|\.(?:replace|assign)\s*+\()\s*+"
    rb"([\"'`])([^\"'`\r\n$]++)"
)
_LEADS_TO_VARIABLE = (
    rb"(?<![\w$-])location(?:\.href)?\s*+(?:=(?!=)|\.(?:replace|assign)\s*+\()\s*+[A-Za-z_$]"
)
_WITHOUT_SCRIPTS = rb"(?i)<noscript\b[^>]*+>\s*+<meta\b([^>]*+)>"
_REFRESH_URL = rb"(?i)\burl\s*+=\s*+([^\"'>\s]++)"
_END_OF_HEAD = rb"(?i)<(?:/head|body)\b"
_COMMENT = rb"(?s)<!--.*?(?:-->|\Z)"
_ONLY_LEADS = (
    rb"(?i)<script(?:\s[^<>]*+)?>\s*+(?:(?:window|document|self|top)\.)?location(?:\.href)?\s*+"
    rb"(?:=|\.(?:replace|assign)\s*+\()\s*+([\"'])([^\"'\r\n<>]++)\1\s*+\)?\s*+;?\s*+</script"
)


def script_target(page: bytes) -> str | None:
    """Return the URL to which a script leads from a page, or None.

    Either the script is in the head and does nothing else, or the page has nothing else. The URL is
    that which stands in the script, without what a variable adds behind it. Where the script has
    only a variable, it is that of the refresh for visitors without scripts (sphinx-reredirects).
    """
    if re.search(_ONLY_LEADS, page):
        head = re.split(_END_OF_HEAD, re.sub(_COMMENT, b"", page), maxsplit=1)[0]
        if alone := re.search(_ONLY_LEADS, head):
            return _possible_url(alone[2])
    if len(page) > _MAX_BYTES:
        return None
    scripts = re.findall(_SCRIPT, page)
    code = b"\n".join(text for _, text in scripts)
    target = _target_in(code, page)
    is_loaded = any(b"src" in attributes.lower() for attributes, _ in scripts)
    if target is None or is_loaded or re.search(_OTHER_WORK, code):
        return None
    rest = re.sub(_UNSEEN, b"", page)
    text = b" ".join(re.sub(_TAG, b" ", rest).split())
    if re.search(_CONTENT, rest) or len(text) > _MAX_TEXT:
        return None
    return _possible_url(target)


def _target_in(code: bytes, page: bytes) -> bytes | None:
    if target := re.search(_LEADS_TO, code):
        return target[2]
    if re.search(_LEADS_TO_VARIABLE, code) and (refresh := re.search(_WITHOUT_SCRIPTS, page)):
        url = re.search(_REFRESH_URL, refresh[1]) if b"refresh" in refresh[1].lower() else None
        return url[1] if url else None
    return None


def _possible_url(written: bytes) -> str | None:
    """Return a text that can be a URL; None for a word such as ``Berlin``."""
    url = written.decode("utf-8", "replace")
    return url if "/" in url or "." in url else None
