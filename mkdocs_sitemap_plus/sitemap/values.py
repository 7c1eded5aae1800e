"""The kinds of text in a sitemap: each says how a text is read, and what is wrong with it.

Reading is lenient, and `check` is strict: `` Daily `` is read as ``daily``, but `check` reports it.
"""

import re
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.sitemap import (
    MAX_LOC_LENGTH,
    MAX_PRIORITY,
    MIN_PRIORITY,
    Changefreq,
    to_datetime,
)
from mkdocs_sitemap_plus.sitemap.codes import SitemapCode
from mkdocs_sitemap_plus.sitemap.urls import BAD_ESCAPE, authority_fault, loc_fault
from mkdocs_sitemap_plus.wording import format_value, listing

SPACE = " \t\r\n"  # the white space of XML. `str.strip` without an argument removes more.
CLOCK = r"(?:[01]\d|2[0-3]):[0-5]\d"
ZONE = r"(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))"
# What both W3C NOTE-datetime and the schema allow.
_STRICT_DATE = re.compile(rf"\d{{4}}-\d\d-\d\d(?:T{CLOCK}:[0-5]\d(?:\.\d+)?{ZONE})?", re.ASCII)
# What W3C allows, but not the schema: a year, a month, a time without seconds.
_IMPRECISE_DATE = re.compile(
    rf"(?!0000)\d{{4}}(?:-(?:0[1-9]|1[0-2])(?:-\d\dT{CLOCK}{ZONE})?)?", re.ASCII
)
_WITHOUT_SECONDS = re.compile(rf"\d{{4}}-\d\d-\d\dT{CLOCK}{ZONE}", re.ASCII)
_DATE_EXPECTED = "a date such as 2026-11-20 or 2026-11-20T10:00:00+01:00"
_WEB_BEGAN = datetime(1991, 1, 1, tzinfo=UTC)
_DECIMAL = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)
_MAX_DIGITS = 100
_URL_EXPECTED = "an absolute URL that begins with https:// or http://"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_BEFORE_PATH = re.compile(r"[^:/?#]*://[^/?#]*")  # where brackets may be, around an IPv6 address
_MUST_BE_ESCAPED = re.compile(r'[\x00-\x20"<>\\^`{|}\x7f-\x9f]')
_PATH = r"[\w.~!$&'()*+,;=:@/?-]*+"
_USUAL_URL = re.compile(  # in which nothing can be wrong but its host, its length and an entity
    rf"https?://([a-z0-9.-]++(?::[1-9]\d{{0,3}}+)?)/{_PATH}(?>(?:%[0-9A-Fa-f]{{2}}{_PATH})*)",
    re.ASCII,
)
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d+|#x[0-9A-Fa-f]+);")


class InvalidTextError(ValueError):
    """A text can't be read. The message is a clause: ``is 'x', but must be yes or no``."""


Faults = Iterable[tuple[SitemapCode, str]]  # what is wrong with a text, each with a clause


class Kind(NamedTuple):
    """A kind of text."""

    read: Callable[[str], Any]  # a text without blanks around it; raises InvalidTextError
    faults: Callable[[str], Faults]  # of a text as it is written


def _kind(code: SitemapCode, read: Callable[[str], Any]) -> Kind:
    """Return a kind of texts whose only fault can be that `read` raises an error."""

    def faults(text: str) -> Faults:
        try:
            read(text.strip(SPACE))
        except InvalidTextError as error:
            yield code, str(error)

    return Kind(read, faults)


def _must_be(text: str, expected: str) -> str:
    return f"is {format_value(text)}, but must be {expected}"


def _read_text(text: str) -> str:
    if not text:
        raise InvalidTextError("is empty, but must have a value")
    return text


ANY_TEXT = Kind(_read_text, lambda _text: ())


def text_up_to(code: SitemapCode, most: int) -> Kind:
    """Return the kind of texts with at most `most` characters. Longer texts are read, too."""
    return Kind(_read_text, lambda text: _length_faults(text.strip(SPACE), code, most))


def _length_faults(text: str, code: SitemapCode, most: int) -> Faults:
    if len(text) > most:
        yield code, f"has {len(text):,} characters, but at most {most:,} are allowed"


def text_matching(code: SitemapCode, pattern: str, expected: str) -> Kind:
    """Return the kind of texts that match a pattern. Other texts are read, if not empty."""
    compiled = re.compile(pattern, re.ASCII)

    def faults(text: str) -> Faults:
        if not compiled.fullmatch(text.strip(SPACE)):
            yield code, _must_be(text, expected)

    return Kind(read=str if compiled.fullmatch("") else _read_text, faults=faults)


def words_of(code: SitemapCode, words: Iterable[str], expected: str) -> Kind:
    """Return the kind of texts with none or several of these words, with blanks between them."""
    word = "|".join(sorted(words))
    return text_matching(code, rf"(?:(?:{word})(?: +(?:{word}))*)?", expected)


def _no_text(text: str) -> Faults:
    if text.strip(SPACE):
        yield (
            SitemapCode.TEXT,
            f"contains the text {format_value(text.strip(SPACE))}, but must be empty",
        )


NO_TEXT = Kind(read=str, faults=_no_text)


def number(
    code: SitemapCode, low: Decimal | int, high: Decimal | int, *, whole: bool = False
) -> Kind:
    """Return the kind of decimal or `whole` numbers from `low` to `high`."""
    noun = "whole number" if whole else "number"
    expected = f"a {noun} from {low:,} to {high:,}"

    def read(text: str) -> Decimal | int:
        is_number = len(text) < _MAX_DIGITS and _DECIMAL.fullmatch(text)
        if not is_number or not low <= Decimal(text) <= high or (whole and "." in text):
            raise InvalidTextError(_must_be(text, expected))
        return int(text) if whole else abs(Decimal(text))  # -0.0 is 0.0

    return _kind(code, read)


PRIORITY = number(SitemapCode.PRIORITY, MIN_PRIORITY, MAX_PRIORITY)


def _read_yes_no(text: str) -> bool:
    if text not in ("yes", "Yes", "YES", "no", "No", "NO"):
        raise InvalidTextError(_must_be(text, "yes or no"))
    return text[0] in "yY"


YES_NO = _kind(SitemapCode.VIDEO_VALUE, _read_yes_no)


_CHANGEFREQS = frozenset(Changefreq)


def _read_changefreq(text: str) -> Changefreq:
    try:
        return Changefreq(text.lower())
    except ValueError as error:
        raise InvalidTextError(_must_be(text, listing(Changefreq, "or"))) from error


def _changefreq_faults(text: str) -> Faults:
    if text in _CHANGEFREQS:  # the schema allows no white space around it
        return ()
    return [(SitemapCode.CHANGEFREQ, _must_be(text, listing(Changefreq, "or")))]


CHANGEFREQ = Kind(read=_read_changefreq, faults=_changefreq_faults)


def strict_date(text: str) -> date | datetime | None:
    """Return a date or an aware datetime; None in another form, or if there is no such day."""
    text = text.strip(SPACE)
    return _known_date(text) if len(text) < _MAX_DIGITS else _strict_date(text)


def _strict_date(text: str) -> date | datetime | None:
    return date_if_any(text) if _STRICT_DATE.fullmatch(text) else None


_known_date = lru_cache(maxsize=1024)(_strict_date)  # `check` asks for each date more than once


def date_if_any(text: str) -> date | datetime | None:
    """Return the date in a text of the right form; None if there is no such day."""
    try:
        return (datetime if "T" in text else date).fromisoformat(text)
    except ValueError:
        return None


def _read_date(text: str) -> date | datetime:
    """Return a date or an aware datetime in whole seconds.

    A time without a zone is no date: which moment it means would be a guess.
    """
    when = strict_date(text)
    if when is None and _WITHOUT_SECONDS.fullmatch(text):
        when = date_if_any(text)
    if when is None:
        raise InvalidTextError(_must_be(text, _DATE_EXPECTED))
    return when.replace(microsecond=0) if isinstance(when, datetime) else when


def _lastmod_faults(text: str) -> Faults:
    when = strict_date(text)
    if when is None:
        is_imprecise = _IMPRECISE_DATE.fullmatch(text.strip(SPACE))
        code = SitemapCode.LASTMOD_IMPRECISE if is_imprecise else SitemapCode.LASTMOD_FORMAT
        return [(code, _must_be(text, _DATE_EXPECTED))]
    if to_datetime(when) < _WEB_BEGAN:
        return [(SitemapCode.LASTMOD_EPOCH, f"is {format_value(text)}, before there was a web")]
    return ()


def _date_kind(code: SitemapCode, also_allowed: re.Pattern[str] | None = None) -> Kind:
    """Return the kind of dates in the form of `strict_date`, or in the form `also_allowed`."""

    def faults(text: str) -> Faults:
        is_allowed = also_allowed and also_allowed.fullmatch(text.strip(SPACE))
        if not is_allowed and strict_date(text) is None:
            yield code, _must_be(text, _DATE_EXPECTED)

    return Kind(_read_date, faults)


LASTMOD = Kind(_read_date, _lastmod_faults)
VIDEO_DATE = _date_kind(SitemapCode.VIDEO_VALUE)
NEWS_DATE = _date_kind(SitemapCode.NEWS_VALUE, _WITHOUT_SECONDS)  # which Google allows


def _read_loc(text: str) -> str:
    usual = _USUAL_URL.fullmatch(text) if len(text) <= MAX_LOC_LENGTH else None
    fault = authority_fault(usual[1]) if usual else loc_fault(text)
    if not usual and fault is None:
        try:
            # `urlsplit` raises for a bracket in the user name, which `loc_fault` does not look at.
            _ = urlsplit(text).port
        except ValueError:
            fault = "has a host or a port that is not valid"
    if fault:
        raise InvalidTextError(f"is {format_value(text)}, which {fault}")
    return text


def _loc_faults(text: str) -> Faults:
    """Return why a text is no absolute, escaped http(s) URL (sitemaps.org, ``loc``)."""
    url = text.strip(SPACE)
    usual = _USUAL_URL.fullmatch(url) if len(url) <= MAX_LOC_LENGTH else None
    if not usual or ("&" in url and _ENTITY.search(url)) or authority_fault(usual[1]):
        return _all_loc_faults(url)
    return ()


def _all_loc_faults(url: str) -> Faults:
    yield from _length_faults(url, SitemapCode.LOC_TOO_LONG, MAX_LOC_LENGTH)
    if not _SCHEME.match(url):
        yield SitemapCode.LOC_RELATIVE, _must_be(url, _URL_EXPECTED)
    elif not _has_valid_host(url):
        expected = "an http or https URL with a host, a valid port and no user name"
        yield SitemapCode.LOC_SCHEME, _must_be(url, expected)
    elif fault := authority_fault(host := urlsplit(url).netloc):
        yield SitemapCode.LOC_HOST, fault
    elif host.endswith(":"):
        yield SitemapCode.LOC_HOST, "has a colon after its host, but no port"
    if BAD_ESCAPE.search(url):
        yield SitemapCode.LOC_ESCAPE, "has a % that is not followed by two hexadecimal digits"
    before = _BEFORE_PATH.match(url)
    path = url[before.end() :] if before else url
    if found := _MUST_BE_ESCAPED.search(url) or re.search(r"[\[\]]", path):
        yield (
            SitemapCode.LOC_CHARACTER,
            f"has the character {found[0]!r}, which is not allowed in a URL",
        )
    if not url.isascii():
        character = next(character for character in url if not character.isascii())
        yield SitemapCode.LOC_NOT_ASCII, f"has the character {character!r}, but must be ASCII"
    if "#" in url:
        yield SitemapCode.LOC_FRAGMENT, f"has the fragment {format_value(url[url.index('#') :])}"
    if found := _ENTITY.search(url):
        yield SitemapCode.LOC_ESCAPED_TWICE, f"has {found[0]!r} in its URL, so it was escaped twice"


def _has_valid_host(url: str) -> bool:
    """Return whether a URL is http or https, and has a host, a valid port and no user name."""
    try:
        parts = urlsplit(url)
        has_host = bool(parts.hostname) and "@" not in parts.netloc and parts.port != 0
    except ValueError:
        return False
    return has_host and parts.scheme in ("http", "https")


LOC = Kind(read=_read_loc, faults=_loc_faults)


_OF_ANY_URL = (
    SitemapCode.LOC_RELATIVE,
    SitemapCode.LOC_SCHEME,
    SitemapCode.LOC_HOST,
    SitemapCode.LOC_ESCAPE,
    SitemapCode.LOC_CHARACTER,
)


def url_fault(text: str) -> str | None:
    """Return why a text can't be the URL of an image, a video or a page; None if it can be one."""
    for code, clause in _loc_faults(text):
        if code in _OF_ANY_URL:
            return clause
    return None


def _media_faults(text: str) -> Faults:
    fault = url_fault(text)
    return [(SitemapCode.MEDIA_URL, fault)] if fault else ()


MEDIA_URL = Kind(read=_read_text, faults=_media_faults)
