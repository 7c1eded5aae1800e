"""What dates and names of time zones mean that are written in another way, for a message."""

import re

from mkdocs_sitemap_plus.wording import closest

_MAX = 100  # characters of a date
_LEAST_ZONE = 5  # characters of the name of a zone; a shorter one is similar to many


_YEAR_FIRST = re.compile(r"(?a)(\d{4})([-/. ])(\d{1,2})\2(\d{1,2})|(\d{4})(\d\d)(\d\d)")
_YEAR_LAST = re.compile(r"(?a)(\d{1,2})([-/. ])(\d{1,2})\2(\d{4})")
_MONTH = re.compile(
    r"(?ai)(?:[a-z]{3,9}\.?, )?(?:(?P<month>[a-z]{3,9})\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?,?|"
    r"(?P<first>\d{1,2})(?:st|nd|rd|th)?\.?[ -](?P<second>[a-z]{3,9})\.?,?)[ -](?P<year>\d{4})"
)
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
_DASHES_AND_QUOTES = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
    | dict.fromkeys("\"'\u201c\u201d\u201e\u2018\u2019\u00ab\u00bb", "")
)


def date_meant(raw: object) -> tuple[str, bool] | None:
    """Return the date of another spelling, such as ``14.03.2026``, if it has only one meaning.

    It has the day in ISO 8601, and perhaps a time as it is written; and whether that is in UTC.
    """
    if isinstance(raw, bool) or not isinstance(raw, (str, int)) or len(str(raw)) > _MAX:
        return None
    text = " ".join(str(raw).translate(_DASHES_AND_QUOTES).split())
    day, rest = None, ""
    for form in (_YEAR_FIRST, _YEAR_LAST, _MONTH):
        if found := form.match(text):
            day, rest = _day_of(found), text[found.end() :]
            break
    if day is None or not re.fullmatch(r"(?a)|[T ,].*\d.*", rest):
        return None
    clock = re.sub(r"[,T\s]*(.*?)\s*(GMT|UTC)?", r"\1", rest)
    return f"{day} {clock}".strip(), rest.endswith(("GMT", "UTC"))


def _day_of(found: re.Match[str]) -> str | None:
    """Return a day in ISO 8601; None if it may be another one, as with ``1/3/2025``."""
    groups = found.groupdict()
    if groups:
        name = (groups["month"] or groups["second"]).lower()
        months = [number for number, full in enumerate(_MONTHS, 1) if full.startswith(name)]
        year, month, day = groups["year"], months, groups["day"] or groups["first"]
        return f"{year}-{month[0]:02}-{int(day):02}" if len(month) == 1 else None
    parts = [part for part in found.groups() if part and part.isdigit()]
    if len(parts[0]) == 4:
        year, month_, day = parts
    else:
        first, second, year = parts
        if first != second and int(first) <= len(_MONTHS) and int(second) <= len(_MONTHS):
            return None
        day, month_ = (second, first) if int(second) > len(_MONTHS) else (first, second)
    return f"{year}-{int(month_):02}-{int(day):02}"


# What no zone is called, with a place that has this time.
_PLACES = {
    "CEST": "Europe/Berlin", "MEZ": "Europe/Berlin", "MESZ": "Europe/Berlin",
    "EDT": "America/New_York", "PDT": "America/Los_Angeles", "PST": "America/Los_Angeles",
    "JST": "Asia/Tokyo",
}  # fmt: skip


def nearest_zone(raw: str) -> str | None:
    """Return the name of the zone that is meant by another name; None if that is not clear.

    It is never one of ``Etc/GMT+1``, whose sign is the opposite of what is meant.
    """
    from zoneinfo import available_timezones  # noqa: PLC0415 - for a message

    names = sorted(name for name in available_timezones() if not name.startswith("Etc/"))
    ends = (name for name in names if f"/{name}".lower().endswith(f"/{raw.lower()}"))
    if found := _PLACES.get(raw.upper()) or next(ends, None):
        return found
    if len(raw) < _LEAST_ZONE or not re.fullmatch(r"[A-Za-z_/-]+", raw):
        return None
    if "/" in raw:
        return closest(raw, names, cutoff=0.85)
    cities = {name.rpartition("/")[2]: name for name in reversed(names)}
    return cities.get(closest(raw, cities, cutoff=0.85) or "")
