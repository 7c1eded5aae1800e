"""The values of a sitemap's elements, as strictly as the protocol defines them.

`sitemap.fields` accepts more, since it reads what people write in front matter. Each reader gets
the text as it is published, and yields a code and a clause for each fault. The clause says what
the value is and what is allowed.
"""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.sitemap.entry import Changefreq, to_datetime
from mkdocs_sitemap_plus.sitemap.limits import MAX_LOC_LENGTH, MAX_PRIORITY, MIN_PRIORITY
from mkdocs_sitemap_plus.wording import format_value, listing

Faults = Iterator[tuple[str, str]]
Reader = Callable[[str], Faults]

SPACE = " \t\r\n"
"""White space of XML; `str.strip` takes more."""
_CLOCK = r"(?:[01]\d|2[0-3]):[0-5]\d"
_ZONE = r"(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))"
_WHOLE = re.compile(rf"\d{{4}}-\d\d-\d\d(?:T{_CLOCK}:[0-5]\d(?:\.\d+)?{_ZONE})?", re.ASCII)
_W3C_ONLY = re.compile(
    rf"(?!0000)\d{{4}}(?:-(?:0[1-9]|1[0-2])(?:-\d\d(?=T)T{_CLOCK}{_ZONE})?)?", re.ASCII
)
_MINUTES = re.compile(rf"\d{{4}}-\d\d-\d\dT{_CLOCK}{_ZONE}", re.ASCII)
_DAY_EXPECTED = "a date such as 2026-11-20 or 2026-11-20T10:00:00+01:00"
_URL_EXPECTED = "an absolute URL that begins with https:// or http://"
_DECIMAL = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_HTTP = re.compile(r"https?://[^/?#]", re.IGNORECASE)
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_NEVER_IN_URLS = re.compile(r'[\x00-\x20"<>\\^`{|}\x7f-\x9f]')
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d+|#x[0-9A-Fa-f]+);")
_EPOCH = datetime.fromtimestamp(0, UTC)
_DAY = timedelta(days=1)


def moment(text: str) -> date | datetime | None:
    """Return a date or an aware datetime, if both W3C and the schema allow its form, else None."""
    text = text.strip(SPACE)
    if not _WHOLE.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text) if "T" in text else date.fromisoformat(text)
    except ValueError:
        return None


def day_of(when: date | datetime) -> date:
    """Return the day in UTC; at the ends of the calendar the day in its own zone."""
    try:
        return to_datetime(when).astimezone(UTC).date()
    except OverflowError:
        return to_datetime(when).date()


def any_text(_text: str) -> Faults:
    """Whatever it is."""
    yield from ()


def loc(text: str) -> Faults:
    """An absolute, escaped http(s) URL of less than 2,048 characters (sitemaps.org, ``loc``)."""
    url = text.strip(SPACE)
    if len(url) > MAX_LOC_LENGTH:
        most = f"at most {MAX_LOC_LENGTH:,} are allowed"
        yield "loc-too-long", f"has {len(url):,} characters, but {most}"
    if not _SCHEME.match(url):
        yield "loc-relative", f"is {format_value(url)}, but must be {_URL_EXPECTED}"
    elif not _is_http(url):
        expected = "an http or https URL with a host, a valid port and no user name"
        yield "loc-scheme", f"is {format_value(url)}, but must be {expected}"
    if _BAD_ESCAPE.search(url):
        yield "loc-escape", "has a % that is not followed by two hexadecimal digits"
    if found := _NEVER_IN_URLS.search(url):
        yield "loc-character", f"has the character {found[0]!r}, which is not allowed in a URL"
    if not url.isascii():
        letter = next(letter for letter in url if not letter.isascii())
        yield "loc-not-ascii", f"has the letter {letter!r}, but must be ASCII"
    if "#" in url:
        yield "loc-fragment", f"has the fragment {format_value(url[url.index('#') :])}"
    if found := _ENTITY.search(url):
        yield "loc-escaped-twice", f"has {found[0]!r} in its URL, so it was escaped twice"


def url_fault(text: str) -> str | None:
    """Return what is wrong with a URL that need not be that of a page, as a clause, or None."""
    invalid = {"loc-relative", "loc-scheme", "loc-escape", "loc-character"}
    return next((reason for code, reason in loc(text) if code in invalid), None)


def media_url(text: str) -> Faults:
    """The URL of an image or a video; it may be on any host."""
    fault = url_fault(text)
    if fault:
        yield "media-url", fault


def lastmod(text: str) -> Faults:
    """A date or a datetime (W3C NOTE-datetime), in the past or in the future."""
    when = moment(text)
    if when is None:
        known = _W3C_ONLY.fullmatch(text.strip(SPACE))
        code = "lastmod-imprecise" if known else "lastmod-format"
        yield code, f"is {format_value(text)}, but must be {_DAY_EXPECTED}"
    elif to_datetime(when) == _EPOCH:
        yield "lastmod-epoch", f"is {format_value(text)}, the first second of Unix time"


def too_late(when: date | datetime, now: datetime) -> bool:
    """Return whether a date is in the future, even for a clock that is a day ahead."""
    return to_datetime(when) > now + _DAY


def changefreq(text: str) -> Faults:
    """One of seven words; the schema takes no white space around it."""
    if text not in set(Changefreq):
        yield "changefreq", f"is {format_value(text)}, but must be {listing(Changefreq, 'or')}"


def priority(text: str) -> Faults:
    """A decimal number from 0.0 to 1.0."""
    if not _between(text, MIN_PRIORITY, MAX_PRIORITY):
        expected = f"a number from {MIN_PRIORITY} to {MAX_PRIORITY}"
        yield "priority", f"is {format_value(text)}, but must be {expected}"


def at_most(code: str, length: int) -> Reader:
    """A text of at most so many characters."""

    def read(text: str) -> Faults:
        if len(text.strip(SPACE)) > length:
            most = f"at most {length:,} are allowed"
            yield code, f"has {len(text.strip(SPACE)):,} characters, but {most}"

    return read


def number(code: str, low: int, high: int, *, whole: bool = False) -> Reader:
    """A decimal number in a range; with `whole` one without a point."""

    def read(text: str) -> Faults:
        if not _between(text, Decimal(low), Decimal(high)) or (whole and "." in text):
            kind = "whole number" if whole else "number"
            yield code, f"is {format_value(text)}, but must be a {kind} from {low:,} to {high:,}"

    return read


def form(code: str, pattern: str, expected: str) -> Reader:
    """A text of a form."""
    compiled = re.compile(pattern, re.ASCII)

    def read(text: str) -> Faults:
        if not compiled.fullmatch(text.strip(SPACE)):
            yield code, f"is {format_value(text)}, but must be {expected}"

    return read


def video_day(text: str) -> Faults:
    """A date or a datetime, as in ``lastmod``."""
    if moment(text) is None:
        yield "video-value", f"is {format_value(text)}, but must be {_DAY_EXPECTED}"


def news_day(text: str) -> Faults:
    """The same, and without seconds, which Google takes."""
    if moment(text) is None and not _MINUTES.fullmatch(text.strip(SPACE)):
        yield "news-value", f"is {format_value(text)}, but must be {_DAY_EXPECTED}"


def no_text(text: str) -> Faults:
    """Nothing but white space."""
    if text.strip(SPACE):
        yield "text", f"contains the text {format_value(text.strip(SPACE))}, but must be empty"


def _is_http(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(_HTTP.match(url)) and "@" not in parts.netloc and parts.port != 0
    except ValueError:
        return False


def _between(text: str, low: Decimal, high: Decimal) -> bool:
    text = text.strip(SPACE)
    return bool(len(text) < 100 and _DECIMAL.fullmatch(text)) and low <= Decimal(text) <= high
