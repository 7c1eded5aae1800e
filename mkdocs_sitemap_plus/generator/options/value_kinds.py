"""Values as people write them: one function per kind, which returns the value or raises `Invalid`.

They take what YAML gives. Numbers, booleans and dates may also be texts, since all values of
MultiMarkdown headers are.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timedelta, timezone, tzinfo
from decimal import Decimal
from enum import StrEnum
from typing import Any, Literal, NamedTuple, TypeVar

from pathspec import GitIgnoreSpec

from mkdocs_sitemap_plus.sitemap.entries import Changefreq
from mkdocs_sitemap_plus.sitemap.languages import hreflang
from mkdocs_sitemap_plus.sitemap.protocol import MAX_OFFSET, WEB_BEGAN

ReadValue = Callable[[Any], Any]
_T = TypeVar("_T", bound=StrEnum)
_NOT_GIVEN = object()
_SEVERAL = re.compile(r"\S[,\s]").search  # finds what may be several values in one text

QUOTE_IT = "Put it in quotes: YAML reads the words yes, no, on and off as true and false."


class Invalid(ValueError):  # noqa: N818 - what a value is, for a message
    """A value is not what it must be; whoever asked for it knows where it stands."""

    def __init__(
        self,
        expected: str | None = None,
        *,
        fault: str | None = None,  # instead of what is expected: a clause such as `has a fragment`
        fix: str | None = None,
    ) -> None:
        """Say what is allowed, or what is wrong, and perhaps what to do."""
        super().__init__(expected or fault)
        self.expected, self.fault, self.fix = expected, fault, fix
        self.key = ""  # of the part that is wrong, such as `[2].title`; empty if all of it is
        self.raw: object = _NOT_GIVEN  # that part

    def of(self, raw: object) -> object:
        """Return the part of `raw` that is wrong."""
        return raw if self.raw is _NOT_GIVEN else self.raw


@contextmanager
def part(key: str, raw: object) -> Iterator[None]:
    """Let an `Invalid` that is raised inside name this part of the value."""
    try:
        yield
    except Invalid as error:
        error.key, error.raw = key + error.key, error.of(raw)
        raise


def flag(raw: object) -> bool:
    """Return a boolean; the words of YAML may be texts."""
    word = raw.strip().lower() if isinstance(raw, str) else raw
    if word in _YES or word is True:
        return True
    if word in _NO or word is False:
        return False
    raise Invalid("true or false")


_YES, _NO = ("true", "yes", "on"), ("false", "no", "off")


def one_of(kind: type[_T]) -> Callable[[object], _T]:
    """Return a reader of the members of an enumeration."""

    def read(raw: object) -> _T:
        if raw in (allowed := [str(member) for member in kind]):
            return kind(raw)
        raise Invalid("one of " + ", ".join(allowed))

    return read


def changefreq(raw: object) -> Changefreq:
    """Return a ``changefreq``; case and blanks around it do not matter."""
    return one_of(Changefreq)(raw.strip().lower() if isinstance(raw, str) else raw)


_SMALLEST = -19  # exponent of the first digit that is not 0


def priority(raw: object) -> Decimal:
    """Return a ``priority``, exact; booleans, NaN, exponents in texts and commas are none."""
    found = None
    if isinstance(raw, str) and re.fullmatch(r"(?a)[+-]?(\d+(\.\d*)?|\.\d+)", raw.strip()):
        found = Decimal(raw.strip())
    elif isinstance(raw, (int, float, Decimal)) and not isinstance(raw, bool):
        # A whole number may have any length, and then takes long to read.
        found = Decimal(str(raw)) if not isinstance(raw, int) or raw in (0, 1) else None
    # Some readers of sitemaps allow few digits.
    if (
        found is None
        or not found.is_finite()
        or (found and found.adjusted() < _SMALLEST)
        or not 0 <= found <= 1
    ):
        raise Invalid("a number from 0.0 to 1.0")
    return abs(found)  # -0.0 is 0.0


def matching(expected: str, pattern: str = r"[^\0]+") -> Callable[[object], str]:
    """Return a reader of texts that match a pattern; blanks around them are removed."""

    def read(raw: object) -> str:
        if isinstance(raw, str) and re.fullmatch(pattern, raw.strip()):
            return raw.strip()
        raise Invalid(expected)

    return read


def filename(raw: object) -> str:
    """Return the bare name of an XML file."""
    if isinstance(raw, str) and re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]*\.xml", raw):
        return raw
    raise Invalid("a bare file name of ASCII letters, digits, '.', '_' and '-' that ends in .xml")


def several(read: ReadValue, what: str, *, least: int = 0) -> Callable[[object], tuple[Any, ...]]:
    """Return a reader of lists; a single text is a list of one."""

    def read_all(raw: object) -> tuple[Any, ...]:
        if isinstance(raw, str):
            try:
                return (read(raw),)
            except Invalid:
                if _SEVERAL(raw):
                    raise Invalid(what, fix="A list is written as [a, b].") from None
                raise
        if not isinstance(raw, list) or len(raw) < least:
            raise Invalid(what)
        values = []
        for place, item in enumerate(raw):
            with part(f"[{place}]", item):
                values.append(read(item))
        return tuple(values)

    return read_all


_ZONE = "the name of a time zone, such as UTC or Europe/Berlin"
_MAX_ZONE = 100  # characters
_DATE = "a date such as 2026-11-20"
_DATETIME = "a datetime such as 2026-11-20T10:00:00+01:00"
# W3C NOTE-datetime from the day on; a blank may stand for the T, and an offset be short.
_W3C = (
    r"(?a)(\d{4}-\d\d-\d\d)(?:[Tt\s]\s*(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s*"
    r"([Zz]|[+-]\d\d(?::?[0-5]\d)?)?)?"
)


def day_or_time(raw: object, zone: tzinfo) -> date | datetime:
    """Return a date, or an aware datetime in whole seconds; without an offset it is in `zone`."""
    when = raw
    if isinstance(raw, str) and (found := re.fullmatch(_W3C, raw.strip())):
        day, clock, zone_of_text = found.groups("")
        # An offset of a day or more is no offset for Python; below, 23 hours are too many.
        zone_of_text = re.sub("(?<=[+-])(2[4-9]|[3-9].)", "23", zone_of_text)
        clock = re.sub("(:..):60$", r"\1:59", clock)  # a leap second, which XML Schema rejects
        is_midnight = clock in ("24:00", "24:00:00")  # of the next day
        try:
            begin = "00:00" if is_midnight or not clock else clock
            iso = datetime.fromisoformat(f"{day}T{begin}{zone_of_text.upper()}")
            iso += timedelta(days=is_midnight)
        except (ValueError, OverflowError):
            raise Invalid(fault="is not a date that exists") from None
        when = iso if clock else iso.date()
    if isinstance(when, datetime):
        when = when.replace(microsecond=0, tzinfo=when.tzinfo or zone)
        try:
            offset = when.utcoffset() or timedelta()
            if abs(offset) > MAX_OFFSET:
                raise Invalid(fault="has an offset of more than 14:00")
            when = when.astimezone(timezone(offset))
        except OverflowError:
            raise Invalid(fault="is not a date that exists") from None
    if isinstance(when, date):
        if when.year < WEB_BEGAN:
            raise Invalid(fault="is before there was a web")
        return when
    raise Invalid(f"{_DATE} or {_DATETIME}")


def lastmod(raw: object, zone: tzinfo) -> date | datetime | Literal[False]:
    """Return a date; False for "no date"."""
    if raw is False or (isinstance(raw, str) and raw.strip().lower() == "false"):
        return False
    try:
        return day_or_time(raw, zone)
    except Invalid as error:
        error.expected = error.expected and f"{_DATE}, {_DATETIME}, or false"
        raise


def no_lastmod(raw: object) -> Literal[False]:
    """Return False, for "no date"; a rule holds for many pages, so it can't set one."""
    if raw is False or (isinstance(raw, str) and raw.strip().lower() == "false"):
        return False
    fix = "A date of its own goes into the front matter of a page."
    raise Invalid("false, which gives the pages no date", fix=fix)


def zone(raw: object) -> tzinfo:
    """Return the time zone with this name in the IANA database."""
    # It also has the zone of the machine, and zones with leap seconds.
    known = r"(?a)(?!localtime|posixrules|right/)[A-Za-z][\w+-]*(/[\w+-]+)*"
    if not isinstance(raw, str) or len(raw) > _MAX_ZONE or not re.fullmatch(known, raw):
        raise Invalid(_ZONE)
    from dateutil import tz  # noqa: PLC0415 - its import takes 15 ms, and few name a zone

    found: tzinfo | None = tz.gettz(raw)
    # gettz also reads POSIX rules such as UTC+3, whose sign is the opposite of what is meant.
    if found and not isinstance(found, (tz.tzstr, tz.tzlocal)):
        return found
    raise Invalid(_ZONE)


def language(raw: object) -> str:
    """Return a language code as hreflang writes it."""
    written = raw if isinstance(raw, str) else ""
    if code := hreflang(written):
        return code
    fix = QUOTE_IT if isinstance(raw, bool) else None
    expected = "a language code, such as de, pt-BR or zh-Hant"
    raise Invalid(expected, fix=fix)


class Patterns(NamedTuple):
    """Patterns on paths."""

    lines: tuple[str, ...]  # as they are written; each is a pattern or a comment
    spec: GitIgnoreSpec  # the patterns of the lines

    def __bool__(self) -> bool:
        """Return whether there is at least one pattern; comments do not count."""
        return any(pattern.include is not None for pattern in self.spec.patterns)

    def match_file(self, path: str) -> bool:
        """Return whether a relative path matches; the last pattern that fits decides."""
        return bool(self.spec.match_file(path))

    def without(self, lines: Collection[str]) -> "Patterns":
        """Return the patterns without some of the lines."""
        kept = tuple(line for line in self.lines if line not in lines)
        return Patterns(kept, GitIgnoreSpec.from_lines(kept)) if kept != self.lines else self

    def unmatched(self, paths: Sequence[str]) -> list[str]:
        """Return the patterns that match none of the `paths`, as they are written."""
        named = dict(zip(self.lines, self.spec.patterns, strict=True))
        return [
            line
            for line, pattern in named.items()
            if line.strip(" ")
            and not line.startswith("#")
            and not any(map(pattern.match_file, paths))
        ]


def pattern_list(raw: object) -> Patterns:
    """Return the patterns of a text with one in each line, or of a list of such texts."""
    texts = [raw] if isinstance(raw, str) else raw
    if isinstance(texts, list):  # in a list, a list stands for several patterns
        texts = [each for text in texts for each in (text if isinstance(text, list) else [text])]
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise Invalid("a pattern, a list of patterns, or a block of them")
    lines = [line for text in texts for line in text.splitlines() if line]
    for line in lines:
        with part("", line):
            try:
                GitIgnoreSpec.from_lines([line])
            except (ValueError, re.error) as error:
                raise Invalid(fault=f"is not a pattern as in .gitignore ({error})") from error
    return Patterns(tuple(lines), GitIgnoreSpec.from_lines(lines))


def match(raw: object) -> Patterns:
    """Return `pattern_list`, of which there must be one that is no comment."""
    found = pattern_list(raw)
    if any(line.strip(" ") and not line.startswith("#") for line in found.lines):
        return found
    raise Invalid("at least one pattern")
