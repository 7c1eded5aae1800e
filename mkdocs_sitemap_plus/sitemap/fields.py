"""One reader a field: a raw value, whoever wrote it, becomes the field's value or a Problem.

Raw values are what YAML gives: strings, numbers, booleans, dates, datetimes. MultiMarkdown headers
give strings alone, so each reader takes those as well.
"""

import math
import re
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from difflib import get_close_matches
from typing import Literal, TypeGuard
from urllib.parse import quote, urljoin, urlsplit

from mkdocs_sitemap_plus.evidence import Place, Problem, Voice
from mkdocs_sitemap_plus.sitemap.entry import Changefreq
from mkdocs_sitemap_plus.sitemap.languages import hreflang, meant_hreflang
from mkdocs_sitemap_plus.sitemap.limits import MAX_LOC_LENGTH, MAX_PRIORITY, MIN_PRIORITY

_QUOTE = "quote it: YAML reads the bare words yes, no, on and off as booleans"
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)", re.ASCII)
# W3C NOTE-datetime without its forms YYYY, YYYY-MM and hh:mm, which the protocol's own schema
# rejects; with the spellings around it that people write (space for T, no colon in the offset).
_W3C = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)"
    r"(?:(?:[Tt]|[ \t]+)(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?"
    r"[ \t]*(?P<zone>[Zz]|[+-]\d\d(?::?\d\d)?)?)?",
    re.ASCII,
)
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_NEVER_IN_URLS = re.compile(r"[\x00-\x20\x7f\ud800-\udfff\ufffe\uffff]")
_HTTP = re.compile(r"https?://[^/]", re.IGNORECASE)
_IN_PATHS = "/%:@!$&'()*+,;=~"
"""Characters that mean themselves in paths and queries, and "%", which begins an escape."""
_PORTS = {"http": 80, "https": 443}
_MAX_OFFSET = timedelta(hours=14)  # XML Schema part 2, 3.2.7.3
_DATES = "a date such as 2026-11-20, a datetime such as 2026-11-20T10:00:00+01:00, or false"


def wrong(code: str, place: Place, raw: object, expected: str, meant: object = None) -> Problem:
    """The problem of a value that is not what its place allows; it is left out."""
    return Problem(
        code=code,
        place=place,
        found=f"is {shown(raw)}",
        expected=expected,
        meant=None if meant is None else shown(meant),
        done="left out",
        fix=f"If a word was meant, {_QUOTE}." if isinstance(raw, bool) else None,
    )


def shown(raw: object) -> str:
    """A raw value as its owner wrote it, near enough, in one short line."""
    if raw is None:
        return "empty"
    if isinstance(raw, bool):
        return "true" if raw else "false"
    if isinstance(raw, date):
        return raw.isoformat()
    text = repr(str(raw)) if isinstance(raw, str) else _plain(raw)
    return text if len(text) <= 80 else text[:77] + "..."


def _plain(raw: object) -> str:
    try:
        return str(raw)
    except ValueError:  # Python prints no integer of more than 4,300 digits, but in hexadecimal
        return f"{raw:#x}"


def read_changefreq(raw: object, place: Place) -> Changefreq | Problem:
    """One of seven words; case and surrounding white space are forgiven (sitemaps.org)."""
    allowed = [str(each) for each in Changefreq]
    word = raw.strip().lower() if isinstance(raw, str) else ""
    if word in allowed:
        return Changefreq(word)
    near = get_close_matches(word, allowed, n=1)
    return wrong("changefreq", place, raw, "one of " + ", ".join(allowed), *near)


def read_priority(raw: object, place: Place) -> Decimal | Problem:
    """A number from 0.0 to 1.0, exact as it is written (sitemaps.org).

    Booleans and NaN are no numbers here, nor are strings with a comma or an exponent.
    """
    number = _number(raw)
    if _in_range(number):
        return abs(number)  # -0.0 is 0.0
    if _belongs_to_another_tool(raw, place):
        return Problem(
            code="priority-of-another-tool",
            place=place,
            found=f"is {shown(raw)}",
            done="taken for another tool's",
            note=True,
        )
    expected = f"a number from {MIN_PRIORITY} to {MAX_PRIORITY}"
    pointed = _number(raw.replace(",", ".")) if isinstance(raw, str) else None
    return wrong("priority", place, raw, expected, pointed if _in_range(pointed) else None)


def _in_range(number: Decimal | None) -> TypeGuard[Decimal]:
    return number is not None and MIN_PRIORITY <= number <= MAX_PRIORITY


def _belongs_to_another_tool(raw: object, place: Place) -> bool:
    """A top-level ``priority: high`` in front matter is some issue tracker's, not ours."""
    top_level = place.voice is Voice.FRONT_MATTER and place.key == "priority"
    return top_level and isinstance(raw, str) and not re.search(r"\d", raw)


def _number(raw: object) -> Decimal | None:
    if isinstance(raw, str):
        return Decimal(raw.strip()) if _NUMBER.fullmatch(raw.strip()) else None
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int):
        return Decimal(raw)
    return Decimal(str(raw)) if isinstance(raw, float) and math.isfinite(raw) else None


def shown_key(key: object) -> str:
    """A key of a mapping as its owner wrote it, near enough."""
    return key if isinstance(key, str) else shown(key)


def read_hreflang(raw: object, place: Place) -> str | Problem:
    """A language code as search engines know it, in its usual spelling."""
    code = hreflang(raw) if isinstance(raw, str) else None
    if code is not None:
        return code
    meant = meant_hreflang(raw) if isinstance(raw, str) else None
    return replace(
        wrong("hreflang", place, raw, "a language code, such as de, pt-BR or zh-Hant", meant),
        fix=f"If a language was meant, {_QUOTE}." if isinstance(raw, bool) else None,
    )


def read_flag(raw: object, place: Place) -> bool | Problem:
    """True or false, also as the strings that MultiMarkdown headers give."""
    word = raw.strip().lower() if isinstance(raw, str) else raw
    if word in ("true", "yes", "on") or word is True:
        return True
    if word in ("false", "no", "off") or word is False:
        return False
    return wrong(place.key.rpartition(".")[2] if place.key else "flag", place, raw, "true or false")


def read_lastmod(
    raw: object, place: Place, zone: tzinfo
) -> date | datetime | Literal[False] | Problem:
    """A date, an aware datetime in whole seconds, or False for "undated".

    A date without a time stays a date. A datetime without an offset is in `zone`; an offset is
    kept. Only the forms of W3C NOTE-datetime that the protocol's schema takes as well are read,
    with the usual slips: a blank for the T, lower case letters, an offset without its colon.
    """
    if raw is False or (isinstance(raw, str) and raw.strip().lower() == "false"):
        return False
    try:
        if isinstance(raw, str):
            return _parsed(raw, place, zone)
        if isinstance(raw, datetime):
            return _aware(raw, raw, place, zone)
    except (ValueError, OverflowError):
        return wrong("lastmod", place, raw, _DATES + "; this one does not exist")
    return raw if isinstance(raw, date) else wrong("lastmod", place, raw, _DATES)


def _parsed(raw: str, place: Place, zone: tzinfo) -> date | datetime | Problem:
    match = _W3C.fullmatch(raw.strip())
    if match is None:
        return wrong("lastmod", place, raw, _DATES)
    part = match.groupdict()
    day = date(int(part["year"]), int(part["month"]), int(part["day"]))
    return day if part["hour"] is None else _aware(_moment(day, part), raw, place, zone)


def _moment(day: date, part: dict[str, str | None]) -> datetime:
    """The instant, with two that XML Schema lacks: second 60 becomes 59, 24:00:00 the next day."""
    hour, minute, second = (int(part[name] or 0) for name in ("hour", "minute", "second"))
    midnight = (hour, minute, second) == (24, 0, 0)
    clock = time(0 if midnight else hour, minute, 59 if second == 60 else second)
    offset = _offset(part["zone"])
    return datetime.combine(day, clock, offset) + timedelta(days=1 if midnight else 0)


def _offset(text: str | None) -> tzinfo | None:
    if text is None:
        return None
    if text in "Zz":
        return UTC
    hours, minutes = int(text[1:3]), int(text[3:].lstrip(":") or 0)
    if minutes > 59:
        raise ValueError(text)
    return timezone((-1 if text[0] == "-" else 1) * timedelta(hours=hours, minutes=minutes))


def _aware(when: datetime, raw: object, place: Place, zone: tzinfo) -> datetime | Problem:
    aware = when.replace(microsecond=0, tzinfo=when.tzinfo or zone)
    offset = aware.utcoffset() or timedelta()
    if abs(offset) > _MAX_OFFSET:
        return wrong("lastmod", place, raw, _DATES + "; offsets go to 14:00")
    if offset % timedelta(minutes=1):  # a zone's local mean time: XML Schema knows no seconds there
        return aware.astimezone(UTC)
    return aware


def loc_fault(loc: str) -> str | None:
    """What keeps an absolute URL out of a ``loc``, as a clause; None if nothing does.

    Less than 2,048 characters (sitemaps.org); valid percent escapes and no fragment (RFC 3986 2.1,
    3.5: a fragment never reaches the server); http or https.
    """
    if len(loc) > MAX_LOC_LENGTH:
        return f"has {len(loc)} characters, where the protocol allows {MAX_LOC_LENGTH}"
    if _BAD_ESCAPE.search(loc):
        return "has a % that begins no escape"
    if "#" in loc:
        return "has a fragment"
    if _NEVER_IN_URLS.search(loc):
        return "has a character that a URL can't have"
    if not _HTTP.match(loc):
        return "is not an http or https URL"
    return None


def read_url(raw: object, place: Place, base: str) -> str | Problem:
    """A URL that a person wrote, as it can stand in a sitemap; a relative one starts from `base`.

    Characters that a URL can't have are escaped, as are those that are not ASCII; scheme and host
    get small letters; a default port and a fragment go (RFC 3986 2.1, 3.5, 6.2.2, 6.2.3).
    """
    if not isinstance(raw, str) or not raw.strip():
        return wrong("url", place, raw, "a URL")
    try:
        parts = urlsplit(urljoin(base, raw.strip()))
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return wrong("url", place, raw, "a URL")
    if not host.isascii():
        return wrong("url", place, raw, "a URL whose host is in its ASCII form (xn--...)")
    own_port = "" if port in (None, _PORTS.get(parts.scheme)) else f":{port}"
    path, query = quote(parts.path, _IN_PATHS), quote(parts.query, _IN_PATHS + "?")
    url = f"{parts.scheme}://{_bracketed(host)}{own_port}{path or '/'}{'?' if query else ''}{query}"
    fault = loc_fault(url) or ("has a user name" if "@" in parts.netloc else None)
    return wrong("url", place, raw, f"a URL for a sitemap; this one {fault}") if fault else url


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
