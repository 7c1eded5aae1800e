"""Readers of the protocol's own values: each returns the value of a field or a Problem.

Raw values are texts of a sitemap, or what YAML gives: strings, numbers, dates, datetimes.
"""

import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from difflib import get_close_matches
from typing import Literal, TypeGuard
from urllib.parse import quote, urljoin, urlsplit

from mkdocs_sitemap_plus.problems import Place, Problem, faulty, invalid
from mkdocs_sitemap_plus.sitemap.entry import Changefreq
from mkdocs_sitemap_plus.sitemap.limits import MAX_LOC_LENGTH, MAX_PRIORITY, MIN_PRIORITY
from mkdocs_sitemap_plus.sitemap.urls import ascii_host, authority_fault

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)", re.ASCII)
# W3C NOTE-datetime without its forms YYYY, YYYY-MM and hh:mm, which the protocol's own schema
# rejects; with the spellings around it that people write (space for T, no colon in the offset).
_W3C = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)"
    r"(?:(?:[Tt]|[ \t]+)(?P<clock>\d\d:\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?"
    r"[ \t]*(?P<zone>[Zz]|[+-]\d\d(?::?(?P<minutes>\d\d))?)?)?",
    re.ASCII,
)
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_NEVER_IN_URLS = re.compile(r"[\x00-\x20\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_HTTP = re.compile(r"https?://(?P<authority>[^/?#]+)", re.IGNORECASE)
_IN_PATHS = "/%:@!$&'()*+,;=~"
"""Characters that mean themselves in paths and queries, and "%", which begins an escape."""
_PORTS = {"http": 80, "https": 443}
_MAX_OFFSET = timedelta(hours=14)  # XML Schema part 2, 3.2.7.3
_DATE = "a date such as 2026-11-20"
_DATETIME = "a datetime such as 2026-11-20T10:00:00+01:00"
_MAX_BITS = 1_000
"""Of a whole number: YAML has hexadecimal ones of any length."""
_MAX_WRITTEN_URL = 10 * MAX_LOC_LENGTH
"""Characters of a URL as it is written; what can get shorter, such as ``../``, is in there."""
_FINEST = -20
"""The least exponent of a number that is written in digits."""


def read_changefreq(raw: object, place: Place) -> Changefreq | Problem:
    """Read one of seven words, in any case and with blanks around it (sitemaps.org)."""
    allowed = [str(each) for each in Changefreq]
    word = raw.strip().lower() if isinstance(raw, str) else ""
    if word in allowed:
        return Changefreq(word)
    near = get_close_matches(word, allowed, n=1)
    return invalid("changefreq", place, raw, "one of " + ", ".join(allowed), *near)


def read_priority(raw: object, place: Place) -> Decimal | Problem:
    """Read a number from 0.0 to 1.0, exact as it is written (sitemaps.org)."""
    number = decimal_of(raw)
    if _in_range(number):
        return abs(number)  # -0.0 is 0.0
    expected = f"a number from {MIN_PRIORITY} to {MAX_PRIORITY}"
    pointed = decimal_of(raw.replace(",", ".")) if isinstance(raw, str) else None
    return invalid("priority", place, raw, expected, pointed if _in_range(pointed) else None)


def _in_range(number: Decimal | None) -> TypeGuard[Decimal]:
    return number is not None and MIN_PRIORITY <= number <= MAX_PRIORITY


def decimal_of(raw: object) -> Decimal | None:
    """Return a raw value as a number; None for booleans, NaN, and text with an exponent or comma.

    The number needs less than a hundred digits, since some readers of sitemaps take no more.
    """
    number = None
    if isinstance(raw, str) and _NUMBER.fullmatch(raw.strip()):
        number = Decimal(raw.strip())
    elif isinstance(raw, int) and not isinstance(raw, bool) and raw.bit_length() <= _MAX_BITS:
        number = Decimal(raw)
    elif isinstance(raw, (float, Decimal)) and Decimal(raw).is_finite():
        number = Decimal(str(raw))
    return None if number and number.adjusted() <= _FINEST else number


def read_lastmod(
    raw: object, place: Place, zone: tzinfo
) -> date | datetime | Literal[False] | Problem:
    """Read a date, an aware datetime in whole seconds, or False for "no date".

    A date without a time stays a date. A datetime without an offset is in `zone`; an offset is
    kept. Text has a form of W3C NOTE-datetime that the protocol's schema allows. Three slips are
    corrected: a blank for the T, lower case letters, an offset without its colon.
    """
    if raw is False or (isinstance(raw, str) and raw.strip().lower() == "false"):
        return False
    return _date(raw, zone, ("lastmod", place), f"{_DATE}, {_DATETIME}, or false")


def read_date(raw: object, place: Place, zone: tzinfo) -> date | datetime | Problem:
    """Read a date, or an aware datetime in whole seconds, as `read_lastmod` does."""
    return _date(raw, zone, ("date", place), f"{_DATE} or {_DATETIME}")


def _date(
    raw: object, zone: tzinfo, at: tuple[str, Place], expected: str
) -> date | datetime | Problem:
    try:
        read = _parsed(raw) if isinstance(raw, str) else raw
        if isinstance(read, datetime):
            return _aware(read, zone) or faulty(*at, raw, "has an offset of more than 14:00")
    except (ValueError, OverflowError):
        return faulty(*at, raw, "is not a date that exists")
    if isinstance(read, date):
        return date(read.year, read.month, read.day)
    return invalid(*at, raw, expected)


def _parsed(raw: str) -> date | datetime | None:
    """Return the date in a text, without a zone if it has none; None for any other text.

    Two times that XML Schema lacks are corrected: second 60 to 59, 24:00:00 to the next day.

    Raises:
        ValueError, OverflowError: there is no such date or time.
    """
    match = _W3C.fullmatch(raw.strip())
    if match is None:
        return None
    day, clock, second, zone, minutes = match.groups("")
    if not clock:
        return date.fromisoformat(day)
    if minutes > "59":
        raise ValueError(zone)
    clock = f"{clock}:{second.replace('60', '59') or '00'}"
    midnight = clock == "24:00:00"
    when = datetime.fromisoformat(f"{day}T{'00:00:00' if midnight else clock}{zone.upper()}")
    return when + timedelta(days=midnight)


def _aware(when: datetime, zone: tzinfo) -> datetime | None:
    """Return a datetime in whole seconds with an offset; None if that is over 14 hours."""
    aware = when.replace(microsecond=0, tzinfo=when.tzinfo or zone)
    offset = aware.utcoffset() or timedelta()
    if abs(offset) > _MAX_OFFSET:
        return None
    # Of a foreign class nothing is kept: its methods may raise anything later.
    day, clock = (when.year, when.month, when.day), (when.hour, when.minute, when.second)
    fixed = datetime(*day, *clock, tzinfo=timezone(offset) if offset else UTC)
    # A zone's local mean time: XML Schema knows no seconds there.
    return fixed.astimezone(UTC) if offset % timedelta(minutes=1) else fixed


def loc_fault(loc: str) -> str | None:
    """Return what keeps an absolute URL out of a ``loc``, as a clause; None if nothing does.

    Less than 2,048 characters (sitemaps.org); valid percent escapes and no fragment (RFC 3986 2.1,
    3.5: a fragment never reaches the server); http or https; a host that can exist.
    """
    if len(loc) > MAX_LOC_LENGTH:
        return f"has {len(loc)} characters, where the protocol allows {MAX_LOC_LENGTH}"
    if _BAD_ESCAPE.search(loc):
        return "has a % that begins no escape"
    if "#" in loc:
        return "has a fragment"
    if _NEVER_IN_URLS.search(loc):
        return "has a character that a URL can't have"
    http = _HTTP.match(loc)
    if http is None:
        return "is not an http or https URL"
    return authority_fault(http["authority"].rpartition("@")[2])


def read_url(raw: object, place: Place, base: str) -> str | Problem:
    """Read a URL that a person wrote; a relative one starts from `base`.

    Characters that a URL can't have are escaped, as are those that are not ASCII; scheme and host
    get small letters; a default port and a fragment go (RFC 3986 2.1, 3.5, 6.2.2, 6.2.3).
    """
    if not isinstance(raw, str) or not raw.strip() or len(raw) > _MAX_WRITTEN_URL:
        return invalid("url", place, raw, "a URL")
    try:
        parts = urlsplit(urljoin(base, raw.strip()))
        host, port = ascii_host(parts.hostname or ""), parts.port
        path, query = quote(parts.path, _IN_PATHS), quote(parts.query, _IN_PATHS + "?")
    except ValueError:  # also of a host that can't exist, and of a surrogate
        return invalid("url", place, raw, "a URL")
    host = f"[{host}]" if ":" in host else host
    own_port = "" if port in (None, _PORTS.get(parts.scheme)) else f":{port}"
    url = f"{parts.scheme}://{host}{own_port}{path or '/'}{'?' if query else ''}{query}"
    fault = loc_fault(url) or ("has a user name" if "@" in parts.netloc else None)
    return faulty("url", place, raw, fault) if fault else url
