"""One entry of a sitemap."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum


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
    """A version of a page in another language, or the page itself (Google, rule of hreflang).

    Attributes:
        hreflang: a language code, or ``x-default``.
        href: an absolute URL, written as it is.
    """

    hreflang: str
    href: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlEntry:
    """A ``url`` element (sitemaps.org, "XML tag definitions").

    Attributes:
        loc: an absolute, escaped http(s) URL; written as it is.
        lastmod: when the page's content last changed: a date, or an aware datetime; None if that
            is not known.
        changefreq: how often it is likely to change; None says nothing.
        priority: relative to the site's other pages, from 0.0 to 1.0; None says nothing.
        alternates: all language versions, itself included; empty if there is but one.
    """

    loc: str
    lastmod: date | datetime | None = None
    changefreq: Changefreq | None = None
    priority: Decimal | None = None
    alternates: tuple[Alternate, ...] = ()
