"""Readers of single values in options and front matter: each returns the value or a Problem.

Raw values are what YAML gives: strings, numbers, booleans, dates. MultiMarkdown headers give
strings alone, so readers of front matter read those as well.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import tzinfo
from decimal import Decimal
from difflib import get_close_matches
from enum import StrEnum
from typing import Any

from dateutil import tz

from mkdocs_sitemap_plus.problems import Place, Problem, faulty, invalid, suggest_quotes
from mkdocs_sitemap_plus.sitemap.fields import decimal_of
from mkdocs_sitemap_plus.sitemap.languages import hreflang, meant_hreflang
from mkdocs_sitemap_plus.wording import format_value

Read = Callable[[object, Place], Any]
"""Reads a raw value: returns the value, a Problem, or a list of Problems."""

# XML 1.0, 2.2: what can't stand in a file, not even as a character reference.
_NEVER_IN_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_BLANKS = re.compile(r"[ \t\r\n]+")
_NEWS_LANGUAGE = re.compile(r"[a-z]{2,3}|zh-cn|zh-tw")  # sitemap-news.xsd


def problems_in(values: Iterable[Any]) -> Iterator[Problem]:
    """Yield the problems among what readers returned."""
    for value in values:
        if isinstance(value, Problem):
            yield value
        elif isinstance(value, list):
            yield from problems_in(value)


def one_of(kind: type[StrEnum]) -> Read:
    """Return a reader of the values of an enumeration."""
    allowed = [str(each) for each in kind]

    def read(raw: object, place: Place) -> StrEnum | Problem:
        if isinstance(raw, str) and raw in allowed:
            return kind(raw)
        near = get_close_matches(raw, allowed, n=1) if isinstance(raw, str) else []
        return invalid("option", place, raw, "one of " + ", ".join(allowed), *near)

    return read


def list_of(read_item: Callable[..., Any], of_what: str) -> Callable[..., Any]:
    """Return a reader of lists; further arguments go to the reader of the items."""

    def read(raw: object, place: Place, *more: object) -> tuple[Any, ...] | Problem | list[Problem]:
        if not isinstance(raw, list):
            return invalid("option", place, raw, f"a list of {of_what}")
        items = [read_item(item, place.item(i), *more) for i, item in enumerate(raw)]
        return list(problems_in(items)) or tuple(items)

    return read


def text(expected: str, pattern: str = r"[^\0]+") -> Read:
    """Return a reader of texts, without blanks around them, that match a pattern."""

    def read(raw: object, place: Place) -> str | Problem:
        if isinstance(raw, str) and re.fullmatch(pattern, raw.strip()):
            return raw.strip()
        return invalid("option", place, raw, expected)

    return read


def whole_number(least: int, most: int) -> Read:
    """Return a reader of whole numbers that are not written as text."""

    def read(raw: object, place: Place) -> int | Problem:
        if isinstance(raw, int) and not isinstance(raw, bool) and least <= raw <= most:
            return raw
        return invalid("option", place, raw, f"a whole number from {least} to {most}")

    return read


def read_filename(raw: object, place: Place) -> str | Problem:
    """Read the bare name of an XML file."""
    if isinstance(raw, str) and re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]*\.xml", raw):
        return raw
    expected = "a bare file name of ASCII letters, digits, '.', '_' and '-' that ends in .xml"
    return invalid("option", place, raw, expected)


def read_zone(raw: object, place: Place) -> tzinfo | Problem:
    """Read the name of a zone of the IANA database."""
    named = isinstance(raw, str) and re.fullmatch(r"[A-Za-z][\w+-]*(/[\w+-]+)*", raw, re.ASCII)
    zone = tz.gettz(raw) if isinstance(raw, str) and named else None
    # gettz also reads POSIX rules such as UTC+3, whose sign is the opposite of what people mean.
    if zone is None or isinstance(zone, (tz.tzstr, tz.tzlocal)):
        expected = "the name of a time zone, such as UTC or Europe/Berlin"
        return invalid("option", place, raw, expected)
    return zone


def read_flag(raw: object, place: Place) -> bool | Problem:
    """Read true or false, also as text."""
    word = raw.strip().lower() if isinstance(raw, str) else raw
    if word in ("true", "yes", "on") or word is True:
        return True
    if word in ("false", "no", "off") or word is False:
        return False
    return invalid(place.name, place, raw, "true or false")


def read_number(
    raw: object, place: Place, greatest: int | Decimal, *, least: int = 0
) -> Decimal | Problem:
    """Read a number from `least` to `greatest`, exact as it is written, also as text."""
    number = decimal_of(raw)
    if number is not None and least <= number <= greatest:
        return abs(number)  # -0.0 is 0.0
    return invalid(place.name, place, raw, f"a number from {least} to {greatest}")


def read_whole_number(raw: object, place: Place, greatest: int, *, least: int = 0) -> int | Problem:
    """Read a whole number from `least` to `greatest`, also as text."""
    number = decimal_of(raw)
    if number is not None and least <= number <= greatest and number == int(number):
        return int(number)
    return invalid(place.name, place, raw, f"a whole number from {least} to {greatest}")


def read_text(
    raw: object, place: Place, longest: int | None = None
) -> tuple[str | None, list[Problem]]:
    """Read one line of text, without what XML 1.0 can't hold (2.2); numbers are taken as text.

    Returns:
        The text, or None if there is none; and its problems, which need not be fatal.
    """
    known = isinstance(raw, (str, int)) and not isinstance(raw, bool)
    written = format_value(raw) if isinstance(raw, int) else str(raw) if known else ""
    clean = _BLANKS.sub(" ", _NEVER_IN_XML.sub("", written)).strip(" ")
    if not clean:
        return None, [suggest_quotes(invalid(place.name, place, raw, "a text"), raw)]
    if longest and len(clean) > longest:
        fault = f"has {len(clean)} characters, but at most {longest} are allowed"
        return None, [faulty(place.name, place, raw, fault)]
    if bad := _NEVER_IN_XML.search(written):
        found = f"has the character U+{ord(bad[0]):04X}, which XML does not allow"
        done = "The text is written without it."
        return clean, [Problem(code="text", place=place, found=found, done=done)]
    return clean, []


def read_hreflang(raw: object, place: Place) -> str | Problem:
    """Read a language code as search engines know it; return it in its usual spelling."""
    code = hreflang(raw) if isinstance(raw, str) else None
    if code is not None:
        return code
    suggestion = meant_hreflang(raw) if isinstance(raw, str) else None
    expected = "a language code, such as de, pt-BR or zh-Hant"
    return suggest_quotes(invalid("hreflang", place, raw, expected, suggestion), raw)


def read_x_default(raw: object, place: Place) -> str | bool | Problem:
    """Read a language code, or False for "no x-default"."""
    return False if raw is False else read_hreflang(raw, place)


def read_news_language(raw: object, place: Place) -> str | Problem:
    """Read a language as Google News knows it (``sitemap-news.xsd``)."""
    if isinstance(raw, str) and _NEWS_LANGUAGE.fullmatch(raw):
        return raw
    expected = "two or three small letters, zh-cn or zh-tw"
    return suggest_quotes(invalid("language", place, raw, expected, news_language(raw)), raw)


def news_language(locale: object) -> str | None:
    """Return the language of a locale such as ``pt-BR`` or ``zh_TW``, as Google News knows it.

    None if there is none.
    """
    words = locale.lower().replace("_", "-") if isinstance(locale, str) else ""
    language, _, rest = words.partition("-")
    if language == "zh":
        return "zh-tw" if {"tw", "hant", "hk", "mo"}.intersection(rest.split("-")) else "zh-cn"
    return language if _NEWS_LANGUAGE.fullmatch(language) else None
