"""The entries of a sitemap, and the fields of the protocol in one table.

A reader of a field takes a text without blanks around it. It returns the value, or raises
ValueError with a clause. `read_sitemap` leaves such a field out, and `check` reports the clause.
`UrlEntry.problems` has those of an entry that somebody made.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element

from mkdocs_sitemap_plus.sitemap.languages import hreflang as known_hreflang
from mkdocs_sitemap_plus.sitemap.protocol import (
    MAX_IMAGES,
    MAX_URLS,
    MAX_VIDEO_DESCRIPTION,
    MAX_VIDEO_SECONDS,
    MAX_VIDEO_TAGS,
    MAX_VIDEO_TITLE,
    MAX_VIDEO_VIEWS,
    lastmod_text,
)
from mkdocs_sitemap_plus.sitemap.urls import loc_fault, loc_faults, url_key
from mkdocs_sitemap_plus.sitemap.xml import NS, split
from mkdocs_sitemap_plus.wording import format_value, listing


class Changefreq(StrEnum):
    """The values of ``changefreq`` (sitemaps.org, ``<changefreq>``)."""

    ALWAYS = "always"
    HOURLY = "hourly"
    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    YEARLY = "yearly"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternate:
    """A language version of a page, or the page itself (Google, "localized versions")."""

    hreflang: str  # a language code, or ``x-default``
    href: str  # an absolute URL, written without a change


@dataclass(frozen=True, slots=True, kw_only=True)
class Video:
    """A ``video:video`` element (Google, "Video sitemaps"), in the order of ``sitemap-video.xsd``.

    URLs are absolute, escaped, and written without a change; datetimes are aware. `content_loc` or
    `player_loc` is set, or both. Neither is the ``loc`` of the page.
    """

    thumbnail_loc: str
    title: str  # at most 100 characters
    description: str  # at most 2,048 characters
    content_loc: str | None = None
    player_loc: str | None = None
    duration: int | None = None  # seconds, from 1 to 28,800
    expiration_date: date | datetime | None = None  # from when on it is not available
    rating: Decimal | None = None  # from 0.0 to 5.0
    view_count: int | None = None
    publication_date: date | datetime | None = None  # when it was first published
    tags: tuple[str, ...] = ()  # at most 32
    family_friendly: bool | None = None  # False: Google's SafeSearch hides it
    restriction: "Restriction | None" = None  # the countries where it may, or may not, be played
    requires_subscription: bool | None = None
    uploader: str | None = None  # a name of at most 255 characters
    uploader_info: str | None = None  # the URL of a page about the uploader, on the page's host
    platform: "Restriction | None" = None  # the devices on which it may, or may not, be played
    live: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Restriction:
    """Where a video may be played."""

    allow: bool  # True: only there; False: everywhere but there
    names: tuple[str, ...]  # countries (ISO 3166-1 alpha-2, in capitals), or web, mobile and tv


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlEntry:
    """A ``url`` element (sitemaps.org, "XML tag definitions").

    URLs are absolute, escaped, and written without a change.
    """

    loc: str
    lastmod: date | datetime | None = None  # a date, or an aware datetime; None if not known
    changefreq: Changefreq | None = None
    priority: Decimal | None = None  # from 0.0 to 1.0
    alternates: tuple[Alternate, ...] = ()  # all language versions, with the page itself
    images: tuple[str, ...] = ()  # the URLs of pictures in its content; at most 1,000
    videos: tuple[Video, ...] = ()

    def problems(self) -> "list[Fault]":
        """Return what the protocol does not allow in this entry, in the order of the fields."""
        return list(faults_of(self))


class Fault(NamedTuple):
    """A value of an entry that the protocol does not allow."""

    field: str  # such as ``priority``, ``images[0]`` or ``videos[0].title``
    value: object
    clause: str  # what is wrong with it, such as ``is '2', but must be a number from 0.0 to 1.0``


ENTRY_FIELDS = tuple(field.name for field in fields(UrlEntry) if field.name != "loc")


class SitemapEntry(NamedTuple):
    """A ``sitemap`` element of an index (sitemaps.org, "Using Sitemap index files")."""

    loc: str  # the URL of a sitemap: absolute, escaped, and written without a change
    lastmod: date | datetime | None = None  # of that sitemap; None if not known


SPACE = " \t\r\n"  # the white space of XML. `str.strip` without an argument removes more.
ANY = 10**6  # how often an element may be there that may be there as often as one likes
_ZONE = r"(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))"
_DATE = re.compile(
    rf"\d{{4}}-\d\d-\d\d(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?{_ZONE})?", re.ASCII
)
_NUMBER = re.compile(r"[+-]?(?:\d{1,50}(?:\.\d{0,50})?|\.\d{1,50})", re.ASCII)


def must_be(text: str, expected: str) -> ValueError:
    """Return the error of a text that should be something else."""
    return ValueError(f"is {format_value(text)}, but must be {expected}")


def text(most: int | None = None) -> Callable[[str], str]:
    """Return a reader of a text of at most so many characters."""

    def read(value: str) -> str:
        if most and len(value) > most:
            raise ValueError(f"has {len(value):,} characters, but at most {most:,} are allowed")
        return value

    return read


@lru_cache(maxsize=4_096)  # one commit dates many pages
def when(value: str) -> date | datetime:
    """Return a date, or an aware datetime in whole seconds.

    A time without a zone is no date: which moment it means would be a guess.
    """
    try:
        if not _DATE.fullmatch(value):
            raise ValueError  # noqa: TRY301 - as where there is no such day
        if "T" not in value:
            return date.fromisoformat(value)
        time = datetime.fromisoformat(value)
    except ValueError:
        expected = "a date such as 2026-11-20 or 2026-11-20T10:00:00+01:00"
        raise must_be(value, expected) from None
    return time.replace(microsecond=0) if time.microsecond else time


def number(low: int, high: int, *, whole: bool = False) -> Callable[[str], Decimal | int]:
    """Return a reader of a number in a range."""
    kind = f"whole number from {low:,} to {high:,}" if whole else f"number from {low}.0 to {high}.0"

    def read(value: str) -> Decimal | int:
        is_number = _NUMBER.fullmatch(value) and not (whole and "." in value)
        if not is_number or not low <= Decimal(value) <= high:
            raise must_be(value, f"a {kind}")
        return int(value) if whole else abs(Decimal(value))  # -0.0 is 0.0

    return read


def words(allowed: Iterable[str], expected: str) -> Callable[[str], str]:
    """Return a reader of one of these words."""
    known = {str(word): word for word in allowed}

    def read(value: str) -> str:
        if value not in known:
            raise must_be(value, expected)
        return known[value]

    return read


def yes_no(value: str) -> bool:
    """Return whether a text is yes."""
    if value not in ("yes", "Yes", "YES", "no", "No", "NO"):
        raise must_be(value, "yes or no")
    return value[0] in "yY"


def url(value: str) -> str:
    """Return a text that is an absolute URL."""
    fault = loc_fault(value)
    if fault is None and "[" in value:
        try:
            _ = urlsplit(value).port  # a bracket in a user name, which `loc_fault` does not see
        except ValueError:
            fault = "has a host or a port that is not valid"
    if fault:
        raise ValueError(f"is {format_value(value)}, which {fault}")
    return value


link_url = lru_cache(maxsize=MAX_URLS)(url)  # all versions of a page have the same links


@lru_cache(maxsize=256)
def hreflang(value: str) -> str:
    """Return a text that is a language code."""
    known = known_hreflang(value)
    if known is None or "_" in value:
        raise must_be(value, "a language code such as de, pt-BR or zh-Hant")
    return value


_TEXT = text()


@dataclass(frozen=True, slots=True)
class Field:
    """What an element may contain, and how often it may be there."""

    read: Callable[[str], Any] = _TEXT
    required: bool = False
    most: int = 1  # how often it may be there
    code: str = "value"  # of `check`, for what can't be read; empty: `check` does not look at it


class Group:
    """What the children of an element may be."""

    def __init__(
        self, space: str, fields: Mapping[str, Field], others: Mapping[str, Field] = {}
    ) -> None:
        """Take the fields by their names in a namespace, and those of other namespaces by tags."""
        self.space, self.fields = space, fields
        by_tag = {space + name: field for name, field in fields.items()} | {**others}
        self.by_tag = {tag: (split(tag)[1], field) for tag, field in by_tag.items()}
        self.required = tuple(name for name, field in fields.items() if field.required)


FREE = Field(most=ANY, code="")  # what nobody reads
WHOLE = Field(most=ANY, code="")  # an element that has a reader of its own
LOC = Field(url, required=True)  # `check` has codes of its own for it
_URL = Field(url)
CHANGEFREQ = words(Changefreq, listing(Changefreq, "or"))

SPACES = {  # the known namespaces, with their usual prefixes
    NS: "",
    "{http://www.google.com/schemas/sitemap-image/1.1}": "image:",
    "{http://www.google.com/schemas/sitemap-video/1.1}": "video:",
    "{http://www.google.com/schemas/sitemap-news/0.9}": "news:",
    "{http://www.w3.org/1999/xhtml}": "xhtml:",
}
_IN = {prefix: space for space, prefix in SPACES.items()}
EXTENSIONS = {  # the elements that may follow the children of ``url``
    f"{_IN['image:']}image": WHOLE,
    f"{_IN['video:']}video": WHOLE,
    f"{_IN['news:']}news": FREE,
    f"{_IN['xhtml:']}link": WHOLE,
}

URL = Group(
    NS,
    {
        "loc": LOC,
        "lastmod": Field(when, code="lastmod-format"),
        "changefreq": Field(CHANGEFREQ),
        "priority": Field(number(0, 1)),
    },
    EXTENSIONS,
)
SITEMAP = Group(NS, {name: URL.fields[name] for name in ("loc", "lastmod")})
LINK = {"hreflang": Field(hreflang, required=True), "href": Field(url, required=True)}
IMAGE = Group(
    _IN["image:"],
    {"loc": Field(url, required=True)}
    | dict.fromkeys(("caption", "geo_location", "title", "license"), FREE),
)
VIDEO = Group(
    _IN["video:"],
    {
        "thumbnail_loc": Field(url, required=True),
        "title": Field(text(MAX_VIDEO_TITLE), required=True),
        "description": Field(text(MAX_VIDEO_DESCRIPTION), required=True),
        "content_loc": _URL,
        "player_loc": _URL,
        "duration": Field(number(1, MAX_VIDEO_SECONDS, whole=True)),
        "tag": Field(most=MAX_VIDEO_TAGS),
        "expiration_date": Field(when, code=""),
        "family_friendly": Field(yes_no, code=""),
        "live": Field(yes_no, code=""),
        "platform": Field(code=""),
        "publication_date": Field(when, code=""),
        "rating": Field(number(0, 5), code=""),
        "requires_subscription": Field(yes_no, code=""),
        "restriction": Field(code=""),
        "uploader": Field(code=""),
        "view_count": Field(number(0, MAX_VIDEO_VIEWS, whole=True), code=""),
    }
    | dict.fromkeys(
        ("category", "content_segment_loc", "gallery_loc", "id", "price", "tvshow"), FREE
    ),
)


def shown(element: Element) -> str:
    """Return an element's name with the usual prefix of its namespace."""
    space, name = split(element.tag)
    return SPACES.get(space, "") + name


def content(element: Element) -> str:
    """Return the text of an element without blanks around it, also that between its children."""
    if len(element):
        return "".join([element.text or "", *(child.tail or "" for child in element)]).strip(SPACE)
    return (element.text or "").strip(SPACE)


def value_of(field: Field, raw: object) -> Any:  # noqa: ANN401 - the field decides
    """Return the value of a field that a program gives as a text, a number or a date.

    Raises ValueError with a clause if it is none.
    """
    if isinstance(raw, str):
        return field.read(raw)
    if isinstance(raw, date):
        return field.read(lastmod_text(raw))
    if isinstance(raw, (int, float, Decimal)) and not isinstance(raw, bool):
        return field.read(f"{raw:f}" if isinstance(raw, Decimal) else str(raw))
    raise ValueError(f"is of the type {type(raw).__name__}")


def faults_of(entry: UrlEntry) -> Iterator[Fault]:
    """Yield what is wrong with an entry that somebody made; see `UrlEntry.problems`."""
    yield from _faults(entry, URL.fields, "")
    for number, link in enumerate(entry.alternates):
        yield from _faults_inside(link, Alternate, LINK, f"alternates[{number}]")
    if len(entry.images) > MAX_IMAGES:
        clause = f"has {len(entry.images):,} images, but at most {MAX_IMAGES:,} are allowed"
        yield Fault("images", entry.images, clause)
    for number, image in enumerate(entry.images):
        yield from _fault(f"images[{number}]", image, IMAGE.fields["loc"])
    for number, video in enumerate(entry.videos):
        name = f"videos[{number}]"
        yield from _faults_inside(video, Video, VIDEO.fields, name)
        if isinstance(video, Video):
            yield from _video_faults(video, name, entry.loc)


def _video_faults(video: Video, name: str, loc: str) -> Iterator[Fault]:
    if video.content_loc is None and video.player_loc is None:
        yield Fault(name, video, "has no content_loc and no player_loc")
    for field in ("content_loc", "player_loc"):
        value = getattr(video, field)
        if value is not None and url_key(str(value)) == url_key(str(loc)):
            yield Fault(f"{name}.{field}", value, "is the page itself")
    if len(video.tags) > MAX_VIDEO_TAGS:
        clause = f"has {len(video.tags)} tags, but at most {MAX_VIDEO_TAGS} are allowed"
        yield Fault(f"{name}.tags", video.tags, clause)


def _faults_inside(
    value: object, kind: type, known: Mapping[str, Field], name: str
) -> Iterator[Fault]:
    if isinstance(value, kind):
        yield from _faults(value, known, f"{name}.")
    else:
        clause = f"is of the type {type(value).__name__}, but must be of {kind.__name__}"
        yield Fault(name, value, clause)


def _faults(owner: object, known: Mapping[str, Field], prefix: str) -> Iterator[Fault]:
    for name, field in known.items():
        value = getattr(owner, name, None)
        if field.required and value in (None, ""):
            yield Fault(f"{prefix}{name}", value, "is missing")
        elif value is not None and field.code:
            yield from _fault(f"{prefix}{name}", value, field)


def _fault(name: str, raw: object, field: Field) -> Iterator[Fault]:
    try:
        value = value_of(field, raw)
        if field.read is url:  # of our own, more is asked than of what others wrote
            for fault in loc_faults(value):
                raise ValueError(f"is {format_value(value)}, which {fault.clause}")  # noqa: TRY301
    except ValueError as error:
        yield Fault(name, raw, str(error))
    else:
        if not isinstance(raw, str if isinstance(value, str) else type(value)):
            kind = type(value).__name__
            yield Fault(name, raw, f"is of the type {type(raw).__name__}, but must be of {kind}")
