"""The entries of a sitemap, the changes between two sitemaps, and the limits of the protocol."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

# Names of a sitemap in a folder. The first that exists is read.
NAMES = (
    "sitemap.xml", "sitemap-index.xml", "sitemap.xml.gz", "sitemap-index.xml.gz",
    "sitemap_index.xml", "wp-sitemap.xml", "sitemapindex.xml",
)  # fmt: skip
TIMEOUT = 30.0  # seconds of silence after which a request is given up
DEADLINE_FACTOR = 5  # a whole request may take the seconds of silence times this
MAX_LOC_LENGTH = 2047  # characters, escaped: "less than 2,048" (sitemaps.org, ``<loc>``)
MAX_URLS = 50_000  # entries of one file (sitemaps.org, "Using Sitemap index files")
MAX_BYTES = 52_428_800  # of one file, uncompressed (sitemaps.org, "Using Sitemap index files")
MAX_OFFSET = timedelta(hours=14)  # of a time from UTC (XML Schema part 2, 3.2.7.3)
WEB_BEGAN = 1990  # the year; an older date is none of a page
MAX_IMAGES = 1_000  # of one page (Google, "Image sitemaps")

# Of a video (``sitemap-video.xsd``; Google, "Video sitemaps"): characters, seconds and counts.
MAX_VIDEO_TITLE = 100
MAX_VIDEO_DESCRIPTION = 2_048
MAX_VIDEO_SECONDS = 28_800  # eight hours; the smallest duration is 1
MAX_VIDEO_TAGS = 32
MAX_VIDEO_VIEWS = 10**15  # a limit of this package; the protocol has none


def to_datetime(when: date | datetime) -> datetime:
    """Return an aware datetime. For a date without a time, it is midnight in UTC."""
    if isinstance(when, datetime):
        return when
    return datetime(when.year, when.month, when.day, tzinfo=UTC)


def utc_day(when: date | datetime) -> date:
    """Return the day in UTC; if that is before year 1 or after 9999, the day as it is written."""
    try:
        return to_datetime(when).astimezone(UTC).date()
    except OverflowError:
        return to_datetime(when).date()


def lastmod_text(when: date | datetime) -> str:
    """Return a date as ``2026-11-20``, and an aware datetime as ``2026-11-20T11:34:59+00:00``."""
    return when.isoformat(timespec="seconds") if isinstance(when, datetime) else when.isoformat()


def newest(dates: Iterable[date | datetime | None]) -> date | datetime | None:
    """Return the newest date; None if there are no dates, or if one of them is None."""
    known: list[date | datetime] = []
    for when in dates:
        if when is None:
            return None
        known.append(when)
    return max(known, key=to_datetime, default=None)


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
        from mkdocs_sitemap_plus.sitemap.schema import faults_of  # noqa: PLC0415 - it imports this

        return list(faults_of(self))


class Fault(NamedTuple):
    """A value of an entry that the protocol does not allow."""

    field: str  # such as ``priority``, ``images[0]`` or ``videos[0].title``
    value: object
    clause: str  # what is wrong with it, such as ``is '2', but must be a number from 0.0 to 1.0``


ENTRY_FIELDS = tuple(field.name for field in fields(UrlEntry) if field.name != "loc")


class UrlChange(NamedTuple):
    """What became of a URL from one sitemap to another."""

    old: UrlEntry | None  # None if it was added
    new: UrlEntry | None  # None if it was removed
    fields: tuple[str, ...]  # the names of the fields that differ; () if it was added or removed


def changes(old: Mapping[str, UrlEntry], new: Mapping[str, UrlEntry]) -> dict[str, UrlChange]:
    """Return the changes from `old` to `new`, sorted. The keys of all three are ``loc``."""
    found = {}
    for loc in sorted(old.keys() | new.keys()):
        before, after = old.get(loc), new.get(loc)
        if before == after:
            continue
        names = differing_fields(before, after) if before and after else ()
        if names or not before or not after:
            found[loc] = UrlChange(before, after, names)
    return found


def differing_fields(old: UrlEntry, new: UrlEntry) -> tuple[str, ...]:
    """Return the names of the fields whose values differ.

    Two spellings of a time are equal: 12:00+02:00 is 10:00Z. The order of alternates, images and
    videos does not matter.
    """

    def comparable(entry: UrlEntry, name: str) -> object:
        value = getattr(entry, name)
        return frozenset(value) if isinstance(value, tuple) else value

    return tuple(name for name in ENTRY_FIELDS if comparable(old, name) != comparable(new, name))


class SitemapEntry(NamedTuple):
    """A ``sitemap`` element of an index (sitemaps.org, "Using Sitemap index files")."""

    loc: str  # the URL of a sitemap: absolute, escaped, and written without a change
    lastmod: date | datetime | None = None  # of that sitemap; None if not known
