"""One entry of a sitemap, how two differ, and the limits of the protocol and of Google."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

MAX_LOC_LENGTH = 2047  # characters, escaped: "less than 2,048" (sitemaps.org, ``<loc>``)
MIN_PRIORITY, MAX_PRIORITY = Decimal("0.0"), Decimal("1.0")  # sitemaps.org, ``<priority>``
MAX_URLS = 50_000  # entries of one file (sitemaps.org, "Using Sitemap index files")
MAX_BYTES = 52_428_800  # of one file, uncompressed (the same)
MIN_MAX_BYTES = 1_000  # of the option ``max_bytes``: it leaves room for an ordinary entry
MAX_IMAGES = 1_000  # of one page (Google, "Image sitemaps")
MAX_NEWS = 1_000  # articles of one file (Google, "News sitemaps")
NEWS_AGE = timedelta(days=2)  # an older article is not news (Google, "News sitemaps")

# Characters, seconds and counts of a video (``sitemap-video.xsd``; Google, "Video sitemaps").
MAX_VIDEO_TITLE = 100
MAX_VIDEO_DESCRIPTION = 2_048
MAX_VIDEO_UPLOADER = 255
MAX_VIDEO_SECONDS = 28_800  # eight hours; the smallest duration is 1
MAX_VIDEO_RATING = Decimal("5.0")  # the smallest is 0.0
MAX_VIDEO_TAGS = 32
MAX_VIDEO_VIEWS = 10**15  # that are accepted; the protocol has no limit


def to_datetime(when: date | datetime) -> datetime:
    """Return an aware datetime; of a date without a time, midnight in UTC."""
    if isinstance(when, datetime):
        return when
    return datetime(when.year, when.month, when.day, tzinfo=UTC)


def utc_day(when: date | datetime) -> date:
    """Return the day in UTC; if that is before year 1 or after 9999, the day as it is written."""
    try:
        return to_datetime(when).astimezone(UTC).date()
    except OverflowError:
        return to_datetime(when).date()


def newest(dates: Iterable[date | datetime | None]) -> date | datetime | None:
    """Return the newest date; None if one of them is None, or if there are no dates."""
    all_dates = [*dates]
    known = [when for when in all_dates if when is not None]
    return max(known, key=to_datetime, default=None) if len(known) == len(all_dates) else None


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
    `player_loc` is set, or both. Neither is the ``loc`` of the page. None and () are not written.
    """

    thumbnail_loc: str
    title: str  # at most 100 characters
    description: str  # at most 2,048 characters
    content_loc: str | None = None
    player_loc: str | None = None
    duration: int | None = None  # seconds, from 1 to 28,800
    expiration_date: date | datetime | None = None  # when it is no longer available
    rating: Decimal | None = None  # from 0.0 to 5.0
    view_count: int | None = None
    publication_date: date | datetime | None = None  # when it was first published
    tags: tuple[str, ...] = ()  # at most 32
    family_friendly: bool | None = None  # False: people who use SafeSearch do not see it
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
class News:
    """A ``news:news`` element (Google, "News sitemaps"; ``sitemap-news.xsd``)."""

    publication: str  # the name on its front page
    language: str  # two or three lower case letters, or ``zh-cn``, ``zh-tw``
    publication_date: date | datetime  # when it was first published: a date, or an aware datetime
    title: str


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
    images: tuple[str, ...] = ()  # the pictures of its content; at most 1,000
    videos: tuple[Video, ...] = ()
    news: News | None = None  # of the last two days


FIELDS = tuple(field.name for field in fields(UrlEntry) if field.name != "loc")


class UrlChange(NamedTuple):
    """What became of a URL from one sitemap to another."""

    old: UrlEntry | None  # None if it was added
    new: UrlEntry | None  # None if it was removed
    fields: tuple[str, ...]  # the names of the fields that differ; () if it was added or removed


def changes(old: Mapping[str, UrlEntry], new: Mapping[str, UrlEntry]) -> dict[str, UrlChange]:
    """Return what changed from `old` to `new`, by ``loc``, sorted. Both have entries by ``loc``.

    Two spellings of a value are equal: 12:00+02:00 is 10:00Z. The order of alternates, images and
    videos does not matter.
    """
    locs = sorted(old.keys() | new.keys())
    found = ((loc, _change(old.get(loc), new.get(loc))) for loc in locs)
    return {loc: change for loc, change in found if change}


def _change(old: UrlEntry | None, new: UrlEntry | None) -> UrlChange | None:
    if old == new:
        return None
    if not old or not new:
        return UrlChange(old, new, ())
    names = differing_fields(old, new)
    return UrlChange(old, new, names) if names else None


def differing_fields(old: UrlEntry, new: UrlEntry) -> tuple[str, ...]:
    """Return the names of the fields whose values differ, as `changes` compares them."""
    pairs = ((name, getattr(old, name), getattr(new, name)) for name in FIELDS)
    return tuple(name for name, one, other in pairs if _unordered(one) != _unordered(other))


def _unordered(value: object) -> object:
    return frozenset(value) if isinstance(value, tuple) else value


class SitemapEntry(NamedTuple):
    """A ``sitemap`` element of an index (sitemaps.org, "Using Sitemap index files")."""

    loc: str  # absolute and escaped; written without a change
    lastmod: date | datetime | None = None  # of that file; None if not known
