"""One reader a field: a raw value, whoever wrote it, becomes the field's value or a Problem.

Raw values are what YAML gives: strings, numbers, booleans, dates, datetimes. MultiMarkdown headers
give strings alone, so each reader takes those as well.
"""

import math
import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from decimal import Decimal
from difflib import get_close_matches
from typing import Literal, TypeGuard
from urllib.parse import quote, urljoin, urlsplit

from mkdocs_sitemap_plus.problems import Origin, Place, Problem, faulty, invalid, quoted_word
from mkdocs_sitemap_plus.sitemap.entry import Changefreq
from mkdocs_sitemap_plus.sitemap.languages import hreflang, meant_hreflang
from mkdocs_sitemap_plus.sitemap.limits import MAX_LOC_LENGTH, MAX_PRIORITY, MIN_PRIORITY
from mkdocs_sitemap_plus.sitemap.urls import ascii_host, authority_fault
from mkdocs_sitemap_plus.wording import format_value

_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)", re.ASCII)
# W3C NOTE-datetime without its forms YYYY, YYYY-MM and hh:mm, which the protocol's own schema
# rejects; with the spellings around it that people write (space for T, no colon in the offset).
_W3C = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)"
    r"(?:(?:[Tt]|[ \t]+)(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?"
    r"[ \t]*(?P<zone>[Zz]|[+-]\d\d(?::?\d\d)?)?)?",
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
# XML 1.0, 2.2: what can't stand in a file, not even as a character reference.
_NEVER_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_BLANKS = re.compile(r"[ \t\r\n]+")
_MAX_BITS = 1_000
"""Of a whole number: YAML has hexadecimal ones of any length."""
_MAX_WRITTEN_URL = 10 * MAX_LOC_LENGTH
"""Characters of a URL as it is written; what can get shorter, such as ``../``, is in there."""
_FINEST = -20
"""The least exponent of a number that is written in digits."""


def read_changefreq(raw: object, place: Place) -> Changefreq | Problem:
    """One of seven words; case and surrounding white space are forgiven (sitemaps.org)."""
    allowed = [str(each) for each in Changefreq]
    word = raw.strip().lower() if isinstance(raw, str) else ""
    if word in allowed:
        return Changefreq(word)
    near = get_close_matches(word, allowed, n=1)
    return invalid("changefreq", place, raw, "one of " + ", ".join(allowed), *near)


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
            found=f"is {format_value(raw)}, which is not a number",
            done="It is ignored, since it may belong to another tool.",
            note=True,
        )
    expected = f"a number from {MIN_PRIORITY} to {MAX_PRIORITY}"
    pointed = _number(raw.replace(",", ".")) if isinstance(raw, str) else None
    return invalid("priority", place, raw, expected, pointed if _in_range(pointed) else None)


def _in_range(number: Decimal | None) -> TypeGuard[Decimal]:
    return number is not None and MIN_PRIORITY <= number <= MAX_PRIORITY


def _belongs_to_another_tool(raw: object, place: Place) -> bool:
    """A top-level ``priority: high`` in front matter is some issue tracker's, not ours."""
    top_level = place.origin is Origin.FRONT_MATTER and place.key == "priority"
    return top_level and isinstance(raw, str) and not re.search(r"\d", raw)


def _number(raw: object) -> Decimal | None:
    """A number that is written in less than a hundred digits, as some engines ask for."""
    number = _decimal(raw)
    return None if number and number.adjusted() <= _FINEST else number


def _decimal(raw: object) -> Decimal | None:
    if isinstance(raw, str):
        return Decimal(raw.strip()) if _NUMBER.fullmatch(raw.strip()) else None
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int):
        return Decimal(raw) if raw.bit_length() <= _MAX_BITS else None
    if isinstance(raw, Decimal):
        return raw if raw.is_finite() else None
    return Decimal(str(raw)) if isinstance(raw, float) and math.isfinite(raw) else None


def read_hreflang(raw: object, place: Place) -> str | Problem:
    """A language code as search engines know it, in its usual spelling."""
    code = hreflang(raw) if isinstance(raw, str) else None
    if code is not None:
        return code
    suggestion = meant_hreflang(raw) if isinstance(raw, str) else None
    expected = "a language code, such as de, pt-BR or zh-Hant"
    return quoted_word(invalid("hreflang", place, raw, expected, suggestion), raw)


def read_flag(raw: object, place: Place) -> bool | Problem:
    """True or false, also as the strings that MultiMarkdown headers give."""
    word = raw.strip().lower() if isinstance(raw, str) else raw
    if word in ("true", "yes", "on") or word is True:
        return True
    if word in ("false", "no", "off") or word is False:
        return False
    return invalid(_last(place), place, raw, "true or false")


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
    return _date(raw, zone, ("lastmod", place), f"{_DATE}, {_DATETIME}, or false")


def read_date(raw: object, place: Place, zone: tzinfo) -> date | datetime | Problem:
    """A date, or an aware datetime in whole seconds, as `read_lastmod` reads them."""
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
    match = _W3C.fullmatch(raw.strip())
    if match is None:
        return None
    part = match.groupdict()
    day = date(int(part["year"]), int(part["month"]), int(part["day"]))
    return day if part["hour"] is None else _moment(day, part)


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


def _aware(when: datetime, zone: tzinfo) -> datetime | None:
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
    """What keeps an absolute URL out of a ``loc``, as a clause; None if nothing does.

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
    """A URL that a person wrote, as it can stand in a sitemap; a relative one starts from `base`.

    Characters that a URL can't have are escaped, as are those that are not ASCII; scheme and host
    get small letters; a default port and a fragment go (RFC 3986 2.1, 3.5, 6.2.2, 6.2.3).
    """
    if not isinstance(raw, str) or not raw.strip() or len(raw) > _MAX_WRITTEN_URL:
        return invalid("url", place, raw, "a URL")
    try:
        parts = urlsplit(urljoin(base, raw.strip()))
        host, port = ascii_host(parts.hostname or ""), parts.port
        path, query = quote(parts.path, _IN_PATHS), quote(parts.query, _IN_PATHS + "?")
    except ValueError:  # also of a host that is none, and of a surrogate
        return invalid("url", place, raw, "a URL")
    own_port = "" if port in (None, _PORTS.get(parts.scheme)) else f":{port}"
    url = f"{parts.scheme}://{_bracketed(host)}{own_port}{path or '/'}{'?' if query else ''}{query}"
    fault = loc_fault(url) or ("has a user name" if "@" in parts.netloc else None)
    return faulty("url", place, raw, fault) if fault else url


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def read_number(
    raw: object, place: Place, greatest: int | Decimal, *, least: int = 0
) -> Decimal | Problem:
    """A number from `least` to `greatest`, exact as it is written."""
    number = _number(raw)
    if number is not None and least <= number <= greatest:
        return abs(number)  # -0.0 is 0.0
    return invalid(_last(place), place, raw, f"a number from {least} to {greatest}")


def read_whole_number(raw: object, place: Place, greatest: int, *, least: int = 0) -> int | Problem:
    """A whole number from `least` to `greatest`, also as text."""
    number = _number(raw)
    if number is not None and least <= number <= greatest and number == int(number):
        return int(number)
    return invalid(_last(place), place, raw, f"a whole number from {least} to {greatest}")


def read_text(
    raw: object, place: Place, longest: int | None = None
) -> tuple[str | None, list[Problem]]:
    """One line of text, without what XML 1.0 can't hold (2.2); numbers are taken as text.

    Returns:
        The text, or None if there is none; and what is wrong with it, which need not be fatal.
    """
    known = isinstance(raw, (str, int)) and not isinstance(raw, bool)
    text = format_value(raw) if isinstance(raw, int) else str(raw) if known else ""
    clean = _BLANKS.sub(" ", _NEVER_IN_XML.sub("", text)).strip(" ")
    if not clean or (longest and len(clean) > longest):
        if clean:
            fault = f"has {len(clean)} characters, but at most {longest} are allowed"
            return None, [faulty(_last(place), place, raw, fault)]
        return None, [quoted_word(invalid(_last(place), place, raw, "a text"), raw)]
    bad = _NEVER_IN_XML.search(text)
    return clean, [_stripped(place, bad[0])] if bad else []


def _stripped(place: Place, character: str) -> Problem:
    return Problem(
        code="text",
        place=place,
        found=f"has the character U+{ord(character):04X}, which XML does not allow",
        done="The text is written without it.",
    )


def _last(place: Place) -> str:
    return (place.key or "value").rpartition(".")[2]
