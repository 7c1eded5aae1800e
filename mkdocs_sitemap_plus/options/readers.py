"""Readers of single values in options and front matter: each returns the value or a Problem.

A raw value comes from YAML: a string, a number, a boolean, a date, a list or a mapping. In
MultiMarkdown headers all values are strings, so the readers of front matter accept strings, too.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from enum import StrEnum
from typing import Any, Literal

from mkdocs_sitemap_plus.problems import Place, Problem, faulty, invalid, suggest_quotes
from mkdocs_sitemap_plus.sitemap import MAX_PRIORITY, MIN_PRIORITY, Changefreq
from mkdocs_sitemap_plus.sitemap.languages import hreflang, suggest_hreflang
from mkdocs_sitemap_plus.wording import closest, format_value

Read = Callable[[object, Place], Any]
"""A function of a raw value. It returns the value, a Problem, or a list of Problems."""

_NUMBER = r"(?a)[+-]?(\d+(\.\d*)?|\.\d+)"
# W3C NOTE-datetime without YYYY and YYYY-MM, which the protocol's own schema rejects. It also
# matches what `read_lastmod` corrects, such as a blank for the T.
_W3C = (
    r"(?a)(?P<day>\d{4}-\d\d-\d\d)"
    r"(?:(?:[Tt]|[ \t]+)(?P<clock>\d\d:\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?"
    r"[ \t]*(?P<zone>[Zz]|[+-]\d\d(?::?(?P<minutes>\d\d))?)?)?"
)
_MAX_OFFSET = timedelta(hours=14)  # XML Schema part 2, 3.2.7.3
_DATE = "a date such as 2026-11-20"
_DATETIME = "a datetime such as 2026-11-20T10:00:00+01:00"
_MAX_BITS = 1_000  # bits of a whole number. In YAML a hexadecimal number may have any length.
_MIN_EXPONENT = -20
"""A number with this exponent or a lower one has too many digits after the point."""
# Characters that XML does not allow, not even as a character reference (XML 1.0, 2.2).
_NEVER_IN_XML = r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]"
_NEWS_LANGUAGE = r"[a-z]{2,3}|zh-cn|zh-tw"  # sitemap-news.xsd


def problems_in(values: Iterable[Any]) -> Iterator[Problem]:
    """Yield the problems among values that readers returned, also those in lists."""
    for value in values:
        if isinstance(value, Problem):
            yield value
        elif isinstance(value, list):
            yield from problems_in(value)


def one_of(kind: type[StrEnum]) -> Read:
    """Return a reader of strings that are the values of an enumeration."""
    allowed = [str(each) for each in kind]

    def read(raw: object, place: Place) -> StrEnum | Problem:
        if isinstance(raw, str) and raw in allowed:
            return kind(raw)
        suggestion = closest(raw, allowed) if isinstance(raw, str) else None
        return invalid("option", place, raw, "one of " + ", ".join(allowed), suggestion)

    return read


def list_of(read_item: Callable[..., Any], of_what: str) -> Callable[..., Any]:
    """Return a reader that makes a tuple of a list; it passes further arguments to `read_item`."""

    def read(raw: object, place: Place, *more: object) -> tuple[Any, ...] | Problem | list[Problem]:
        if not isinstance(raw, list):
            return invalid("option", place, raw, f"a list of {of_what}")
        items = [read_item(item, place.item(i), *more) for i, item in enumerate(raw)]
        return list(problems_in(items)) or tuple(items)

    return read


def text(expected: str, pattern: str = r"[^\0]+") -> Read:
    """Return a reader of strings that match a pattern; it removes blanks around them."""

    def read(raw: object, place: Place) -> str | Problem:
        if isinstance(raw, str) and re.fullmatch(pattern, raw.strip()):
            return raw.strip()
        return invalid("option", place, raw, expected)

    return read


def whole_number(least: int, most: int) -> Read:
    """Return a reader of whole numbers; it does not accept strings."""

    def read(raw: object, place: Place) -> int | Problem:
        if isinstance(raw, int) and not isinstance(raw, bool) and least <= raw <= most:
            return raw
        return invalid("option", place, raw, f"a whole number from {least} to {most}")

    return read


def read_filename(raw: object, place: Place) -> str | Problem:
    """Return a file name that ends in ``.xml`` and has no folder; no blanks are around it."""
    if isinstance(raw, str) and re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]*\.xml", raw):
        return raw
    expected = "a bare file name of ASCII letters, digits, '.', '_' and '-' that ends in .xml"
    return invalid("option", place, raw, expected)


def read_zone(raw: object, place: Place) -> tzinfo | Problem:
    """Return the time zone with this name in the IANA database."""
    if isinstance(raw, str) and re.fullmatch(r"(?a)[A-Za-z][\w+-]*(/[\w+-]+)*", raw):
        from dateutil import tz  # noqa: PLC0415 - its import takes 15 ms, and few name a zone

        # gettz also reads POSIX rules such as UTC+3, whose sign is the opposite of what is meant.
        if (zone := tz.gettz(raw)) and not isinstance(zone, (tz.tzstr, tz.tzlocal)):
            return zone
    return invalid("option", place, raw, "the name of a time zone, such as UTC or Europe/Berlin")


def read_flag(raw: object, place: Place) -> bool | Problem:
    """Return a boolean; words such as ``yes`` and ``off`` are accepted as text, too."""
    word = raw.strip().lower() if isinstance(raw, str) else raw
    if word in ("true", "yes", "on") or word is True:
        return True
    if word in ("false", "no", "off") or word is False:
        return False
    return invalid(place.name, place, raw, "true or false")


def read_changefreq(raw: object, place: Place) -> Changefreq | Problem:
    """Return a ``changefreq``; case and blanks around the word do not matter."""
    allowed = [str(each) for each in Changefreq]
    word = raw.strip().lower() if isinstance(raw, str) else ""
    if word in allowed:
        return Changefreq(word)
    expected = "one of " + ", ".join(allowed)
    return invalid("changefreq", place, raw, expected, closest(word, allowed))


def read_priority(raw: object, place: Place) -> Decimal | Problem:
    """Return a number from 0.0 to 1.0 (sitemaps.org); the problem of ``0,5`` suggests ``0.5``."""
    number = read_number(raw, place, MAX_PRIORITY, least=MIN_PRIORITY)
    if isinstance(number, Decimal):
        return number
    pointed = raw.replace(",", ".") if isinstance(raw, str) else None
    meant = read_number(pointed, place, MAX_PRIORITY, least=MIN_PRIORITY)
    suggestion = None if isinstance(meant, Problem) else format_value(meant)
    return number._replace(code="priority", suggestion=suggestion)


def decimal_of(raw: object) -> Decimal | None:
    """Return a raw value as an exact number; None if it is not a number.

    Booleans, NaN, infinity, and text with an exponent or a comma are not numbers. Nor are numbers
    of too many digits, since some readers of sitemaps do not accept these.
    """
    number = None
    if isinstance(raw, str) and re.fullmatch(_NUMBER, raw.strip()):
        number = Decimal(raw.strip())
    elif isinstance(raw, int) and not isinstance(raw, bool) and raw.bit_length() <= _MAX_BITS:
        number = Decimal(raw)
    elif isinstance(raw, (float, Decimal)) and Decimal(raw).is_finite():
        number = Decimal(str(raw))
    return None if number and number.adjusted() <= _MIN_EXPONENT else number


def read_lastmod(
    raw: object, place: Place, zone: tzinfo
) -> date | datetime | Literal[False] | Problem:
    """Return what `read_date` returns, or False for "no date"."""
    if raw is False or (isinstance(raw, str) and raw.strip().lower() == "false"):
        return False
    when = read_date(raw, place, zone)
    if not isinstance(when, Problem):
        return when
    expected = f"{_DATE}, {_DATETIME}, or false" if when.expected else None
    return when._replace(code="lastmod", expected=expected)


def read_date(raw: object, place: Place, zone: tzinfo) -> date | datetime | Problem:
    """Return a date, or an aware datetime in whole seconds.

    A date without a time stays a date. A datetime keeps its offset; without one it is in `zone`.
    A string must have a form of W3C NOTE-datetime that the protocol's schema allows. Three
    mistakes are corrected: a blank for the T, lower case letters, an offset without a colon.
    """
    try:
        when = _parsed(raw) if isinstance(raw, str) else raw
        if isinstance(when, datetime):
            fault = "has an offset of more than 14:00"
            return _aware(when, zone) or faulty("date", place, raw, fault)
    except (ValueError, OverflowError):
        return faulty("date", place, raw, "is not a date that exists")
    if isinstance(when, date):
        return date(when.year, when.month, when.day)
    return invalid("date", place, raw, f"{_DATE} or {_DATETIME}")


def _parsed(raw: str) -> date | datetime | None:
    """Return the date or datetime in a text; None if the text has another form.

    A datetime without an offset is naive. Two times that do not exist in XML Schema are corrected:
    second 60 becomes 59, and 24:00:00 becomes 00:00:00 of the next day.
    """
    match = re.fullmatch(_W3C, raw.strip())
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
    """Return a datetime in whole seconds with an offset; None if the offset is over 14 hours."""
    aware = when.replace(microsecond=0, tzinfo=when.tzinfo or zone)
    offset = aware.utcoffset() or timedelta()
    if abs(offset) > _MAX_OFFSET:
        return None
    # The value may be of a subclass, whose methods may raise anything. So a new one is made.
    day, clock = (when.year, when.month, when.day), (when.hour, when.minute, when.second)
    fixed = datetime(*day, *clock, tzinfo=timezone(offset) if offset else UTC)
    # Old local times have offsets with seconds, which XML Schema does not allow.
    return fixed.astimezone(UTC) if offset % timedelta(minutes=1) else fixed


def read_number(
    raw: object, place: Place, greatest: int | Decimal, *, least: int | Decimal = 0
) -> Decimal | Problem:
    """Return an exact number from `least` to `greatest`; a string is accepted, too."""
    number = decimal_of(raw)
    if number is not None and least <= number <= greatest:
        return abs(number)  # -0.0 is 0.0
    return invalid(place.name, place, raw, f"a number from {least} to {greatest}")


def read_whole_number(raw: object, place: Place, greatest: int, *, least: int = 0) -> int | Problem:
    """Return a whole number from `least` to `greatest`; a string is accepted, too."""
    number = decimal_of(raw)
    if number is not None and least <= number <= greatest and number == int(number):
        return int(number)
    return invalid(place.name, place, raw, f"a whole number from {least} to {greatest}")


def read_text(
    raw: object, place: Place, longest: int | None = None
) -> tuple[str | None, list[Problem]]:
    """Return a text in one line, and its problems; a whole number becomes its digits.

    Characters that XML does not allow are removed, with a problem. None: it is not a text, is
    empty, or is too long.
    """
    number = isinstance(raw, int) and not isinstance(raw, bool)
    written = format_value(raw) if number else raw if isinstance(raw, str) else ""
    clean = re.sub(r"[ \t\r\n]+", " ", re.sub(_NEVER_IN_XML, "", written)).strip(" ")
    if not clean:
        return None, [suggest_quotes(invalid(place.name, place, raw, "a text"), raw)]
    if longest and len(clean) > longest:
        fault = f"has {len(clean)} characters, but at most {longest} are allowed"
        return None, [faulty(place.name, place, raw, fault)]
    if bad := re.search(_NEVER_IN_XML, written):
        found = f"has the character U+{ord(bad[0]):04X}, which XML does not allow"
        done = "The text is written without it."
        return clean, [Problem(code="text", place=place, found=found, done=done)]
    return clean, []


def read_hreflang(raw: object, place: Place) -> str | Problem:
    """Return a language code that search engines accept, in its usual spelling."""
    written = raw if isinstance(raw, str) else ""
    if code := hreflang(written):
        return code
    suggestion = suggest_hreflang(written)
    expected = "a language code, such as de, pt-BR or zh-Hant"
    return suggest_quotes(invalid("hreflang", place, raw, expected, suggestion), raw)


def read_x_default(raw: object, place: Place) -> str | bool | Problem:
    """Return a language code, or False for "no x-default"."""
    return False if raw is False else read_hreflang(raw, place)


def read_news_language(raw: object, place: Place) -> str | Problem:
    """Return a language code that Google News accepts (``sitemap-news.xsd``)."""
    if isinstance(raw, str) and re.fullmatch(_NEWS_LANGUAGE, raw):
        return raw
    expected = "two or three small letters, zh-cn or zh-tw"
    return suggest_quotes(invalid("language", place, raw, expected, news_language(raw)), raw)


def news_language(locale: object) -> str | None:
    """Return the language of a locale such as ``pt-BR`` or ``zh_TW``, as Google News writes it."""
    words = locale.lower().replace("_", "-") if isinstance(locale, str) else ""
    language, _, rest = words.partition("-")
    if language == "zh":
        return "zh-tw" if {"tw", "hant", "hk", "mo"}.intersection(rest.split("-")) else "zh-cn"
    return language if re.fullmatch(_NEWS_LANGUAGE, language) else None
