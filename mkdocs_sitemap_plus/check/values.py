"""The values of a sitemap's elements, as strictly as the protocol has them.

`sitemap.fields` forgives what a person may write in front matter; what was published is not
forgiven. Each reader gets the text as it stands, and yields a code and a clause for each fault.
"""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.sitemap.entry import Changefreq, instant
from mkdocs_sitemap_plus.sitemap.limits import MAX_LOC_LENGTH, MAX_PRIORITY, MIN_PRIORITY
from mkdocs_sitemap_plus.wording import format_value as shown

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
_DAY_EXPECTED = "expected a date such as 2026-11-20 or 2026-11-20T10:00:00+01:00"
_DECIMAL = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_HTTP = re.compile(r"https?://[^/?#]", re.IGNORECASE)
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_NEVER_IN_URLS = re.compile(r'[\x00-\x20"<>\\^`{|}\x7f-\x9f]')
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d+|#x[0-9A-Fa-f]+);")
_EPOCH = datetime.fromtimestamp(0, UTC)
_DAY = timedelta(days=1)


def moment(text: str) -> date | datetime | None:
    """A date or an aware datetime, in a form that W3C and the schema both take; None: neither."""
    text = text.strip(SPACE)
    if not _WHOLE.fullmatch(text):
        return None
    try:
        return datetime.fromisoformat(text) if "T" in text else date.fromisoformat(text)
    except ValueError:
        return None


def day_of(when: date | datetime) -> date:
    """Its day in UTC; at the ends of the calendar, where there is none, that of its own zone."""
    try:
        return instant(when).astimezone(UTC).date()
    except OverflowError:
        return instant(when).date()


def any_text(_text: str) -> Faults:
    """Whatever it is."""
    yield from ()


def loc(text: str) -> Faults:
    """An absolute, escaped http(s) URL of less than 2,048 characters (sitemaps.org, ``loc``)."""
    url = text.strip(SPACE)
    if len(url) > MAX_LOC_LENGTH:
        yield "loc-too-long", f"has {len(url):,} characters"
    if not _SCHEME.match(url):
        yield "loc-relative", f"is {shown(url)}"
    elif not _is_http(url):
        yield "loc-scheme", f"is {shown(url)}"
    if _BAD_ESCAPE.search(url):
        yield "loc-escape", "has a % that begins no escape"
    if found := _NEVER_IN_URLS.search(url):
        yield "loc-character", f"has the character {found[0]!r}"
    if not url.isascii():
        letter = next(letter for letter in url if not letter.isascii())
        yield "loc-not-ascii", f"has the letter {letter!r}"
    if "#" in url:
        yield "loc-fragment", "has a fragment"
    if found := _ENTITY.search(url):
        yield "loc-escaped-twice", f"has {found[0]!r} in its URL"


def url_fault(text: str) -> str | None:
    """What is wrong with the URL of something else than a page, as a clause; None: nothing."""
    wrong = {"loc-relative", "loc-scheme", "loc-escape", "loc-character"}
    return next((reason for code, reason in loc(text) if code in wrong), None)


def media_url(text: str) -> Faults:
    """The URL of an image or a video; it may be on any host."""
    fault = url_fault(text)
    if fault:
        yield "media-url", fault


def lastmod(text: str) -> Faults:
    """A date or a datetime (W3C NOTE-datetime); whether it may be so late is another question."""
    when = moment(text)
    if when is None:
        known = _W3C_ONLY.fullmatch(text.strip(SPACE))
        yield "lastmod-imprecise" if known else "lastmod-format", f"is {shown(text)}"
    elif instant(when) == _EPOCH:
        yield "lastmod-epoch", f"is {shown(text)}"


def too_late(when: date | datetime, now: datetime) -> bool:
    """Whether a date is later than a clock that is wrong by a day could have it."""
    return instant(when) > now + _DAY


def changefreq(text: str) -> Faults:
    """One of seven words; the schema takes no white space around it."""
    if text not in set(Changefreq):
        yield "changefreq", f"is {shown(text)}"


def priority(text: str) -> Faults:
    """A decimal number from 0.0 to 1.0."""
    if not _between(text, MIN_PRIORITY, MAX_PRIORITY):
        yield "priority", f"is {shown(text)}"


def at_most(code: str, length: int) -> Reader:
    """A text of at most so many characters."""

    def read(text: str) -> Faults:
        if len(text.strip(SPACE)) > length:
            yield code, f"has {len(text.strip(SPACE)):,} characters, where {length:,} are allowed"

    return read


def number(code: str, low: int, high: int, *, whole: bool = False) -> Reader:
    """A decimal number in a range; with `whole` one without a point."""

    def read(text: str) -> Faults:
        if not _between(text, Decimal(low), Decimal(high)) or (whole and "." in text):
            yield code, f"is {shown(text)}; expected a number from {low:,} to {high:,}"

    return read


def form(code: str, pattern: str, expected: str) -> Reader:
    """A text of a form."""
    compiled = re.compile(pattern, re.ASCII)

    def read(text: str) -> Faults:
        if not compiled.fullmatch(text.strip(SPACE)):
            yield code, f"is {shown(text)}; expected {expected}"

    return read


def video_day(text: str) -> Faults:
    """A date or a datetime, as in ``lastmod``."""
    if moment(text) is None:
        yield "video-value", f"is {shown(text)}; {_DAY_EXPECTED}"


def news_day(text: str) -> Faults:
    """The same, and without seconds, which Google takes."""
    if moment(text) is None and not _MINUTES.fullmatch(text.strip(SPACE)):
        yield "news-value", f"is {shown(text)}; {_DAY_EXPECTED}"


def no_text(text: str) -> Faults:
    """Nothing but white space."""
    if text.strip(SPACE):
        yield "text", f"has the text {shown(text.strip(SPACE))} in it"


def _is_http(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(_HTTP.match(url)) and "@" not in parts.netloc and parts.port != 0
    except ValueError:
        return False


def _between(text: str, low: Decimal, high: Decimal) -> bool:
    text = text.strip(SPACE)
    return bool(len(text) < 100 and _DECIMAL.fullmatch(text)) and low <= Decimal(text) <= high
