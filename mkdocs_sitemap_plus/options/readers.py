"""Readers of values in options and front matter.

A reader takes a raw value of YAML, such as a string, a date or a list. It returns the value that
the package uses, None if the raw value is invalid, and the problems. Readers of front matter accept
numbers, booleans and dates as strings, too, since all values of MultiMarkdown headers are strings.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from enum import StrEnum
from functools import partial
from typing import Any, Literal

from mkdocs_sitemap_plus.problems import (
    Code,
    Place,
    Problem,
    Result,
    invalid,
    suggest_quotes,
)
from mkdocs_sitemap_plus.sitemap import MAX_OFFSET, MAX_PRIORITY, MIN_PRIORITY, Changefreq
from mkdocs_sitemap_plus.sitemap.languages import NEWS_LANGUAGE, hreflang, suggest_hreflang
from mkdocs_sitemap_plus.wording import closest, format_key, format_value

Read = Callable[[object, Place], Result[Any]]  # a reader, of a raw value and of its place

# The folder of the time zones also has the zone of the machine (`localtime`, `posixrules`), and
# zones with leap seconds (`right/`). These are not allowed.
_ZONE = r"(?a)(?!localtime|posixrules|right/)[A-Za-z][\w+-]*(/[\w+-]+)*"
_NUMBER = r"(?a)[+-]?(\d+(\.\d*)?|\.\d+)"
# W3C NOTE-datetime without YYYY and YYYY-MM, which the protocol's own schema rejects. It also
# matches what `read_date` corrects, such as a blank for the T.
_W3C = (
    r"(?a)(?P<day>\d{4}-\d\d-\d\d)"
    r"(?:(?:[Tt]|[ \t]+)(?P<clock>\d\d:\d\d)(?::(?P<second>\d\d)(?:\.\d+)?)?"
    r"[ \t]*(?P<zone>[Zz]|[+-]\d\d(?::?[0-5]\d)?)?)?"
)

_DATE = "a date such as 2026-11-20"
_DATETIME = "a datetime such as 2026-11-20T10:00:00+01:00"
_MAX_BITS = 1_000  # of a whole number. In YAML a hexadecimal number may have any length.
_MIN_EXPONENT = -19  # of the first digit that is not 0. Some readers of sitemaps allow few digits.
# Characters that XML does not allow, not even as a character reference (XML 1.0, 2.2).
_NEVER_IN_XML = r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]"


def code_of(place: Place) -> Code:
    """Return the code of an invalid value: that of its field, or of all options."""
    name, _, _ = place.name.partition("[")  # an item of a list has the code of the list
    try:
        return Code(name)
    except ValueError:
        return Code.OPTION


def read_items(read: Read, raw: Iterable[object], place: Place) -> tuple[list[Any], list[Problem]]:
    """Return the valid items of a list, and the problems of all items."""
    results = [read(item, place.item(number)) for number, item in enumerate(raw)]
    values = [value for value, _ in results if value is not None]
    return values, [problem for _, faults in results for problem in faults]


def read_fields(
    readers: Mapping[str, Read], raw: Mapping[Any, Any], place: Place
) -> tuple[dict[str, Any], list[Problem]]:
    """Return the value of each field in `readers`, None if it is invalid; and all problems."""
    results = {name: read(raw.get(name), place.under(name)) for name, read in readers.items()}
    values = {name: value for name, (value, _) in results.items()}
    return values, [problem for _, faults in results.values() for problem in faults]


def list_of(
    read_item: Callable[..., Result[Any]], of_what: str, *, of_mappings: bool = False
) -> Callable[..., Result[Any]]:
    """Return a reader of lists of valid items. It gives further arguments to `read_item`.

    A single text is a list of one, unless the items are mappings.
    """

    def read(raw: object, place: Place, *more: object) -> Result[tuple[Any, ...]]:
        if isinstance(raw, str) and not of_mappings:
            item, problems = read_item(raw, place, *more)
            return (None if item is None else (item,)), problems
        if not isinstance(raw, list):
            problem = invalid(Code.OPTION, place, raw, f"a list of {of_what}")
            return None, [_missing_dash(problem, raw) if of_mappings else problem]
        items, problems = read_items(lambda item, here: read_item(item, here, *more), raw, place)
        return (tuple(items) if len(items) == len(raw) else None), problems

    return read


def _missing_dash(problem: Problem, raw: object) -> Problem:
    """Return the problem of a value that is no list. For a mapping, it names the missing dash."""
    if not isinstance(raw, Mapping) or not raw:
        return problem
    first = format_key(next(iter(raw)))
    return problem._replace(found="is a mapping", fix=f"Put `- ` before its first key, `{first}`.")


def one_of(kind: type[StrEnum], *, any_case: bool = False) -> Read:
    """Return a reader of the values of an enumeration.

    With `any_case`, capital letters and blanks around a value do not matter.
    """
    allowed = [str(member) for member in kind]

    def read(raw: object, place: Place) -> Result[StrEnum]:
        word = raw if isinstance(raw, str) else ""
        word = word.strip().lower() if any_case else word
        if word in allowed:
            return kind(word), []
        expected = "one of " + ", ".join(allowed)
        return None, [invalid(Code.OPTION, place, raw, expected, closest(word, allowed))]

    return read


def read_changefreq(raw: object, place: Place) -> Result[Changefreq]:
    """Return a ``changefreq``; case and blanks around the word do not matter."""
    value, problems = one_of(Changefreq, any_case=True)(raw, place)
    return value, [problem._replace(code=Code.CHANGEFREQ) for problem in problems]


def string_matching(expected: str, pattern: str = r"[^\0]+") -> Read:
    """Return a reader of strings that match a pattern; blanks around them are removed."""

    def read(raw: object, place: Place) -> Result[str]:
        if isinstance(raw, str) and re.fullmatch(pattern, raw.strip()):
            return raw.strip(), []
        return None, [invalid(Code.OPTION, place, raw, expected)]

    return read


def int_between(least: int, most: int) -> Read:
    """Return a reader of whole numbers from `least` to `most`. It does not accept strings."""

    def read(raw: object, place: Place) -> Result[int]:
        if isinstance(raw, int) and not isinstance(raw, bool) and least <= raw <= most:
            return raw, []
        return None, [invalid(Code.OPTION, place, raw, f"a whole number from {least} to {most}")]

    return read


def read_filename(raw: object, place: Place) -> Result[str]:
    """Return a file name that ends in ``.xml`` and has no folder. Blanks around it are an error."""
    if isinstance(raw, str) and re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]*\.xml", raw):
        return raw, []
    expected = "a bare file name of ASCII letters, digits, '.', '_' and '-' that ends in .xml"
    return None, [invalid(Code.OPTION, place, raw, expected)]


def read_zone(raw: object, place: Place) -> Result[tzinfo]:
    """Return the time zone with this name in the IANA database."""
    if isinstance(raw, str) and len(raw) < 100 and re.fullmatch(_ZONE, raw):
        from dateutil import tz  # noqa: PLC0415 - its import takes 15 ms, and few name a zone

        # gettz also reads POSIX rules such as UTC+3, whose sign is the opposite of what is meant.
        if (zone := tz.gettz(raw)) and not isinstance(zone, (tz.tzstr, tz.tzlocal)):
            return zone, []
    expected = "the name of a time zone, such as UTC or Europe/Berlin"
    return None, [invalid(Code.OPTION, place, raw, expected)]


def read_flag(raw: object, place: Place) -> Result[bool]:
    """Return a boolean. The words ``true``, ``yes``, ``on`` and so on are accepted as strings."""
    word = raw.strip().lower() if isinstance(raw, str) else raw
    if word in ("true", "yes", "on") or word is True:
        return True, []
    if word in ("false", "no", "off") or word is False:
        return False, []
    return None, [invalid(code_of(place), place, raw, "true or false")]


def read_priority(raw: object, place: Place) -> Result[Decimal]:
    """Return a number from 0.0 to 1.0 (sitemaps.org). The problem of ``0,5`` suggests ``0.5``."""
    read = partial(read_number, place=place, greatest=MAX_PRIORITY, least=MIN_PRIORITY)
    number, problems = read(raw)
    suggestion = None
    if problems and isinstance(raw, str):
        meant, _ = read(raw.replace(",", "."))
        suggestion = None if meant is None else format_value(meant)
    return number, [
        problem._replace(code=Code.PRIORITY, suggestion=suggestion) for problem in problems
    ]


def read_lastmod(
    raw: object, place: Place, zone: tzinfo
) -> Result[date | datetime | Literal[False]]:
    """Return what `read_date` returns, or False for "no date"."""
    if raw is False or (isinstance(raw, str) and raw.strip().lower() == "false"):
        return False, []
    when, problems = read_date(raw, place, zone)
    problems = [problem._replace(code=Code.LASTMOD) for problem in problems]
    expected = f"{_DATE}, {_DATETIME}, or false"
    return when, [
        problem._replace(expected=expected) if problem.expected else problem for problem in problems
    ]


def read_date(raw: object, place: Place, zone: tzinfo) -> Result[date | datetime]:
    """Return a date, or an aware datetime in whole seconds.

    A date without a time stays a date. A datetime keeps its offset; without one it is in `zone`.
    A string must be a whole date of W3C NOTE-datetime, with or without a time. Also accepted are a
    blank for the T, lower case letters, and an offset without a colon or minutes.
    """
    try:
        when = _parsed(raw) if isinstance(raw, str) else raw
        if isinstance(when, datetime):
            if aware := _aware(when, zone):
                return aware, []
            return None, [invalid(Code.DATE, place, raw, fault="has an offset of more than 14:00")]
    except (ValueError, OverflowError):
        return None, [invalid(Code.DATE, place, raw, fault="is not a date that exists")]
    if isinstance(when, date):
        return date(when.year, when.month, when.day), []
    return None, [invalid(Code.DATE, place, raw, f"{_DATE} or {_DATETIME}")]


def _parsed(raw: str) -> date | datetime | None:
    """Return the date or the datetime in a text, which may be naive; None for any other text.

    Raises ValueError or OverflowError if there is no such day or time. But second 60 becomes 59,
    and 24:00:00 becomes 00:00:00 of the next day.
    """
    match = re.fullmatch(_W3C, raw.strip())
    if match is None:
        return None
    day, clock, second, zone = match.groups("")
    if not clock:
        return date.fromisoformat(day)
    # An offset of 24 hours or more becomes 23 hours, since `fromisoformat` raises an error for it.
    # `_aware` then rejects it.
    sign, hours, minutes = zone[:1], zone[1:3], zone[3:]
    zone = sign + min(hours, "23") + minutes
    second = {"": "00", "60": "59"}.get(second, second)
    if f"{clock}:{second}" == "24:00:00":
        return datetime.fromisoformat(f"{day}T00:00:00{zone.upper()}") + timedelta(days=1)
    return datetime.fromisoformat(f"{day}T{clock}:{second}{zone.upper()}")


def _aware(when: datetime, zone: tzinfo) -> datetime | None:
    """Return a datetime in whole seconds with an offset; None if it is more than 14 hours."""
    aware = when.replace(microsecond=0, tzinfo=when.tzinfo or zone)
    offset = aware.utcoffset() or timedelta()
    if abs(offset) > MAX_OFFSET:
        return None
    # A plain datetime is made, since methods of the value's own class may raise anything.
    day, clock = (when.year, when.month, when.day), (when.hour, when.minute, when.second)
    fixed = datetime(*day, *clock, tzinfo=timezone(offset) if offset else UTC)
    # Old local times have offsets with seconds, which XML Schema does not allow.
    return fixed.astimezone(UTC) if offset % timedelta(minutes=1) else fixed


def read_number(
    raw: object, place: Place, greatest: int | Decimal, *, least: int | Decimal = 0
) -> Result[Decimal]:
    """Return an exact number from `least` to `greatest`; a string is accepted, too.

    Booleans, NaN, infinity, and text with an exponent or a comma are not numbers.
    """
    number = None
    if isinstance(raw, str) and re.fullmatch(_NUMBER, raw.strip()):
        number = Decimal(raw.strip())
    elif isinstance(raw, int) and not isinstance(raw, bool) and raw.bit_length() <= _MAX_BITS:
        number = Decimal(raw)
    elif isinstance(raw, (float, Decimal)) and Decimal(raw).is_finite():
        number = Decimal(str(raw))
    if number and number.adjusted() < _MIN_EXPONENT:
        number = None
    if number is None or not least <= number <= greatest:
        return None, [invalid(code_of(place), place, raw, f"a number from {least} to {greatest}")]
    return abs(number), []  # -0.0 is 0.0


def read_int(raw: object, place: Place, greatest: int, *, least: int = 0) -> Result[int]:
    """Return a whole number from `least` to `greatest`; a string is accepted, too."""
    number, _ = read_number(raw, place, greatest, least=least)
    if number is not None and number == int(number):
        return int(number), []
    return None, [invalid(code_of(place), place, raw, f"a whole number from {least} to {greatest}")]


def read_text(raw: object, place: Place, longest: int | None = None) -> Result[str]:
    """Return a text in one line; None if it is empty, too long or no text.

    A whole number becomes its digits. What XML does not allow is removed, with a problem.
    """
    written = raw if isinstance(raw, str) else ""
    if isinstance(raw, int) and not isinstance(raw, bool):
        written = format_value(raw)
    clean = re.sub(r"[ \t\r\n]+", " ", re.sub(_NEVER_IN_XML, "", written)).strip(" ")
    if not clean:
        return None, [suggest_quotes(invalid(code_of(place), place, raw, "a text"), raw)]
    if longest and len(clean) > longest:
        fault = f"has {len(clean)} characters, but at most {longest} are allowed"
        return None, [invalid(code_of(place), place, raw, fault=fault)]
    if bad := re.search(_NEVER_IN_XML, written):
        found = f"has the character U+{ord(bad[0]):04X}, which XML does not allow"
        done = "The text is written without it."
        return clean, [Problem(code=Code.TEXT, place=place, found=found, done=done)]
    return clean, []


def read_hreflang(raw: object, place: Place) -> Result[str]:
    """Return a language code that search engines accept, in its usual spelling."""
    written = raw if isinstance(raw, str) else ""
    if code := hreflang(written):
        return code, []
    suggestion = suggest_hreflang(written)
    expected = "a language code, such as de, pt-BR or zh-Hant"
    return None, [suggest_quotes(invalid(Code.HREFLANG, place, raw, expected, suggestion), raw)]


def read_x_default(raw: object, place: Place) -> Result[str | bool]:
    """Return a language code, or False for "no x-default"."""
    return (False, []) if raw is False else read_hreflang(raw, place)


def read_news_language(raw: object, place: Place) -> Result[str]:
    """Return a language code that Google News accepts (``sitemap-news.xsd``)."""
    if isinstance(raw, str) and re.fullmatch(NEWS_LANGUAGE, raw):
        return raw, []
    expected = "a language code of two or three lower-case letters, zh-cn or zh-tw"
    problem = invalid(Code.LANGUAGE, place, raw, expected, news_language(raw))
    return None, [suggest_quotes(problem, raw)]


def news_language(locale: object) -> str | None:
    """Return the language of a locale such as ``zh_TW`` as Google News writes it, or None."""
    code = locale.lower().replace("_", "-") if isinstance(locale, str) else ""
    language, *subtags = code.split("-")
    if language == "zh":
        is_traditional = not {"tw", "hant", "hk", "mo"}.isdisjoint(subtags)
        return "zh-tw" if is_traditional and "hans" not in subtags else "zh-cn"
    return language if re.fullmatch(NEWS_LANGUAGE, language) else None
