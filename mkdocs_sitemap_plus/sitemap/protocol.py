"""What the protocol fixes: limits, the names of files, and how a date is written."""

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta

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
