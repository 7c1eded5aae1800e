"""One entry of a sitemap, and the limits of the protocol and of Google, with their sources."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

MAX_LOC_LENGTH = 2047
"""Characters of a ``loc``, escaped as a URL: "less than 2,048" (sitemaps.org, ``<loc>``)."""

MIN_PRIORITY = Decimal("0.0")
MAX_PRIORITY = Decimal("1.0")
"""``priority`` runs from 0.0 to 1.0 (sitemaps.org, ``<priority>``)."""

MAX_URLS = 50_000
"""Entries of one file (sitemaps.org, "Using Sitemap index files")."""

MAX_BYTES = 52_428_800
"""Bytes of one file, uncompressed (sitemaps.org, "Using Sitemap index files")."""

MIN_MAX_BYTES = 1_000
"""The least value of the option ``max_bytes``: it leaves room for an ordinary entry."""

MAX_IMAGES = 1_000
"""Images of one page (Google, "Image sitemaps")."""

MAX_NEWS = 1_000
"""News articles of one file (Google, "News sitemaps")."""

MAX_VIDEO_TITLE = 100
MAX_VIDEO_DESCRIPTION = 2_048
MAX_VIDEO_UPLOADER = 255
"""Characters of texts of a video (``sitemap-video.xsd``; Google, "Video sitemaps")."""

MAX_VIDEO_SECONDS = 28_800
"""The largest ``video:duration``: eight hours; the smallest is 1 (Google, "Video sitemaps")."""

MAX_VIDEO_RATING = Decimal("5.0")
"""The largest ``video:rating``; the smallest is 0.0 (Google, "Video sitemaps")."""

MAX_VIDEO_VIEWS = 10**15
"""The largest ``video:view_count`` that is accepted. The protocol has no limit."""

MAX_VIDEO_TAGS = 32
"""Tags of one video (Google, "Video sitemaps")."""

NEWS_AGE = timedelta(days=2)
"""An older article is not news (Google, "News sitemaps")."""


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
    known = [*dates]
    dated = [when for when in known if when is not None]
    return max(dated, key=to_datetime, default=None) if len(dated) == len(known) else None


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
    """A version of a page in another language, or the page itself (Google, "localized versions").

    `hreflang` is a language code, or ``x-default``. `href` is absolute, and written without a
    change.
    """

    hreflang: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Video:
    """A ``video:video`` element (Google, "Video sitemaps"; ``sitemap-video.xsd``).

    `content_loc` or `player_loc` is set, or both. Neither is the ``loc`` of the page. All URLs are
    absolute, escaped, and written without a change; `uploader_info` is on the same host as the
    page. `duration` is in seconds. A datetime is aware. With False for `family_friendly`, people
    who use SafeSearch do not see it. A field with None or an empty tuple is not written. The fields
    are in the order of the schema, and the constants of this module have their limits.
    """

    thumbnail_loc: str
    title: str
    description: str
    content_loc: str | None = None
    player_loc: str | None = None
    duration: int | None = None
    expiration_date: date | datetime | None = None
    rating: Decimal | None = None
    view_count: int | None = None
    publication_date: date | datetime | None = None
    tags: tuple[str, ...] = ()
    family_friendly: bool | None = None
    restriction: "Restriction | None" = None
    requires_subscription: bool | None = None
    uploader: str | None = None
    uploader_info: str | None = None
    platform: "Restriction | None" = None
    live: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Restriction:
    """Where a video may be played: only there if `allow` is True, else everywhere but there.

    `names` are countries by ISO 3166-1 alpha-2 in capitals, or ``web``, ``mobile`` and ``tv``.
    """

    allow: bool
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """A ``news:news`` element (Google, "News sitemaps"; ``sitemap-news.xsd``).

    `publication` is the name on its front page, and `language` has two or three lower case letters,
    or is ``zh-cn`` or ``zh-tw``. `publication_date` is a date, or an aware datetime.
    """

    publication: str
    language: str
    publication_date: date | datetime
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlEntry:
    """A ``url`` element (sitemaps.org, "XML tag definitions").

    All URLs are absolute, escaped, and written without a change. `lastmod` is a date, or an aware
    datetime; None if not known. `alternates` are all language versions, with the page itself; none
    if there is only one. `images` are the pictures of its content; at most 1,000. `news` is set for
    an article of the last two days.
    """

    loc: str
    lastmod: date | datetime | None = None
    changefreq: Changefreq | None = None
    priority: Decimal | None = None
    alternates: tuple[Alternate, ...] = ()
    images: tuple[str, ...] = ()
    videos: tuple[Video, ...] = ()
    news: News | None = None


class SitemapEntry(NamedTuple):
    """A ``sitemap`` element of an index (sitemaps.org, "Using Sitemap index files").

    `lastmod` is when that file last changed: a date, or an aware datetime; None if not known.
    """

    loc: str
    lastmod: date | datetime | None = None
