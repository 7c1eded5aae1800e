"""One entry of a sitemap."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import StrEnum


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
    """A version of a page in another language, or the page itself (Google, "localized versions").

    Attributes:
        hreflang: a language code, or ``x-default``.
        href: an absolute URL, written without a change.
    """

    hreflang: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Video:
    """A ``video:video`` element (Google, "Video sitemaps"; ``sitemap-video.xsd``).

    `content_loc` or `player_loc` is set, or both. Neither is the ``loc`` of the page. All URLs are
    absolute, escaped, and written without a change. A field with None or an empty tuple is not
    written. The fields are in the order of the schema.

    Attributes:
        title: at most 100 characters.
        description: at most 2,048 characters.
        duration: seconds, from 1 to 28,800.
        expiration_date: when it is no longer available: a date, or an aware datetime.
        rating: from 0.0 to 5.0.
        publication_date: when it was first published: a date, or an aware datetime.
        tags: at most 32.
        family_friendly: False: people who use SafeSearch do not see it.
        restriction: the countries where it may, or may not, be played.
        platform: the kinds of devices on which it may, or may not, be played.
        uploader: a name of at most 255 characters.
        uploader_info: the URL of a page about the uploader, on the same host as the page.
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
    """Where a video may be played.

    Attributes:
        allow: True: only there; False: everywhere but there.
        names: countries by ISO 3166-1 alpha-2 in capitals, or ``web``, ``mobile`` and ``tv``.
    """

    allow: bool
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """A ``news:news`` element (Google, "News sitemaps"; ``sitemap-news.xsd``).

    Attributes:
        publication: the name of the publication, as on its front page.
        language: two or three lower case letters, or ``zh-cn``, ``zh-tw``.
        publication_date: when the article was first published: a date, or an aware datetime.
        title: the title of the article.
    """

    publication: str
    language: str
    publication_date: date | datetime
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlEntry:
    """A ``url`` element (sitemaps.org, "XML tag definitions").

    Attributes:
        loc: an absolute, escaped http(s) URL; written without a change.
        lastmod: when the page's content last changed: a date, or an aware datetime; None if not
            known.
        changefreq: how often it is likely to change, or None.
        priority: relative to the site's other pages, from 0.0 to 1.0, or None.
        alternates: all language versions, with the page itself; empty if there is only one.
        images: absolute, escaped URLs of the pictures of its content; at most 1,000.
        videos: the videos on it.
        news: the fields of a news article of the last two days, or None.
    """

    loc: str
    lastmod: date | datetime | None = None
    changefreq: Changefreq | None = None
    priority: Decimal | None = None
    alternates: tuple[Alternate, ...] = ()
    images: tuple[str, ...] = ()
    videos: tuple[Video, ...] = ()
    news: News | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapEntry:
    """A ``sitemap`` element of an index (sitemaps.org, "Using Sitemap index files").

    Attributes:
        loc: the absolute, escaped URL of a sitemap; written without a change.
        lastmod: when that file last changed: a date, or an aware datetime; None if not known.
    """

    loc: str
    lastmod: date | datetime | None = None
