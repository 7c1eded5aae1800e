"""The fields of the protocol and of its extensions, in one table, and how each is read.

A reader takes a text without blanks around it. It returns the value, or raises ValueError with a
clause. `read_sitemap` leaves such a field out, `check` reports the clause, and `problems_of` finds
them in an entry that somebody made.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element

from mkdocs_sitemap_plus.sitemap import (
    MAX_VIDEO_DESCRIPTION,
    MAX_VIDEO_SECONDS,
    MAX_VIDEO_TAGS,
    MAX_VIDEO_TITLE,
    MAX_VIDEO_VIEWS,
    Changefreq,
)
from mkdocs_sitemap_plus.sitemap.urls import loc_fault
from mkdocs_sitemap_plus.sitemap.xml import NS, split
from mkdocs_sitemap_plus.wording import format_value, listing

SPACE = " \t\r\n"  # the white space of XML. `str.strip` without an argument removes more.
ANY = 10**6  # how often an element may be there that may be there as often as one likes
_ZONE = r"(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))"
_DATE = re.compile(
    rf"\d{{4}}-\d\d-\d\d(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?{_ZONE})?", re.ASCII
)
_NUMBER = re.compile(r"[+-]?(?:\d{1,50}(?:\.\d{0,50})?|\.\d{1,50})", re.ASCII)


def must_be(text: str, expected: str) -> ValueError:
    """Return the error of a text that should be something else."""
    return ValueError(f"is {format_value(text)}, but must be {expected}")


def text(most: int | None = None) -> Callable[[str], str]:
    """Return a reader of a text of at most so many characters."""

    def read(value: str) -> str:
        if most and len(value) > most:
            raise ValueError(f"has {len(value):,} characters, but at most {most:,} are allowed")
        return value

    return read


def when(value: str) -> date | datetime:
    """Return a date, or an aware datetime in whole seconds.

    A time without a zone is no date: which moment it means would be a guess.
    """
    if _DATE.fullmatch(value):
        with suppress(ValueError):  # there is no such day
            if "T" not in value:
                return date.fromisoformat(value)
            return datetime.fromisoformat(value).replace(microsecond=0)
    raise must_be(value, "a date such as 2026-11-20 or 2026-11-20T10:00:00+01:00")


def number(low: int, high: int, *, whole: bool = False) -> Callable[[str], Decimal | int]:
    """Return a reader of a number in a range."""
    kind = f"whole number from {low:,} to {high:,}" if whole else f"number from {low}.0 to {high}.0"

    def read(value: str) -> Decimal | int:
        is_number = _NUMBER.fullmatch(value) and not (whole and "." in value)
        if not is_number or not low <= Decimal(value) <= high:
            raise must_be(value, f"a {kind}")
        return int(value) if whole else abs(Decimal(value))  # -0.0 is 0.0

    return read


def words(allowed: Iterable[str], expected: str) -> Callable[[str], str]:
    """Return a reader of one of these words."""
    known = {str(word): word for word in allowed}

    def read(value: str) -> str:
        if value not in known:
            raise must_be(value, expected)
        return known[value]

    return read


def yes_no(value: str) -> bool:
    """Return whether a text is yes."""
    if value not in ("yes", "Yes", "YES", "no", "No", "NO"):
        raise must_be(value, "yes or no")
    return value[0] in "yY"


def url(value: str) -> str:
    """Return a text that is an absolute URL."""
    fault = loc_fault(value)
    if fault is None and "[" in value:
        try:
            _ = urlsplit(value).port  # a bracket in a user name, which `loc_fault` does not see
        except ValueError:
            fault = "has a host or a port that is not valid"
    if fault:
        raise ValueError(f"is {format_value(value)}, which {fault}")
    return value


class Field(NamedTuple):
    """What an element may contain, and how often it may be there."""

    read: Callable[[str], Any] = text()
    required: bool = False
    most: int = 1  # how often it may be there
    children: Mapping[str, "Field"] = {}
    free: bool = False  # whether `check` does not look at its content


FREE = Field(most=ANY, free=True)  # what nobody reads
_URL = Field(url)
CHANGEFREQ = words(Changefreq, listing(Changefreq, "or"))

URL = Field(
    children={
        "loc": Field(url, required=True),
        "lastmod": Field(when),
        "changefreq": Field(CHANGEFREQ),
        "priority": Field(number(0, 1)),
    },
)
SITEMAP = Field(children={"loc": Field(url, required=True), "lastmod": Field(when)})
IMAGE = Field(
    most=ANY,
    children={"loc": Field(url, required=True)}
    | dict.fromkeys(("caption", "geo_location", "title", "license"), FREE),
)
VIDEO = Field(
    most=ANY,
    children={
        "thumbnail_loc": Field(url, required=True),
        "title": Field(text(MAX_VIDEO_TITLE), required=True),
        "description": Field(text(MAX_VIDEO_DESCRIPTION), required=True),
        "content_loc": _URL,
        "player_loc": _URL,
        "duration": Field(number(1, MAX_VIDEO_SECONDS, whole=True)),
        "tag": Field(most=MAX_VIDEO_TAGS),
        "expiration_date": Field(when, free=True),
        "family_friendly": Field(yes_no, free=True),
        "live": Field(yes_no, free=True),
        "platform": Field(free=True),
        "publication_date": Field(when, free=True),
        "rating": Field(number(0, 5), free=True),
        "requires_subscription": Field(yes_no, free=True),
        "restriction": Field(free=True),
        "uploader": Field(free=True),
        "view_count": Field(number(0, MAX_VIDEO_VIEWS, whole=True), free=True),
    }
    | dict.fromkeys(
        ("category", "content_segment_loc", "gallery_loc", "id", "price", "tvshow"), FREE
    ),
)

SPACES = {  # the known namespaces, with their usual prefixes
    NS: "",
    "{http://www.google.com/schemas/sitemap-image/1.1}": "image:",
    "{http://www.google.com/schemas/sitemap-video/1.1}": "video:",
    "{http://www.google.com/schemas/sitemap-news/0.9}": "news:",
    "{http://www.w3.org/1999/xhtml}": "xhtml:",
}
_IN = {prefix: space for space, prefix in SPACES.items()}
EXTENSIONS = {  # the elements that may follow the children of ``url``
    f"{_IN['image:']}image": IMAGE,
    f"{_IN['video:']}video": VIDEO,
    f"{_IN['news:']}news": FREE,
    f"{_IN['xhtml:']}link": FREE,  # it has rules of its own
}
IMAGE_TAG, VIDEO_TAG, _, LINK_TAG = EXTENSIONS


def shown(element: Element) -> str:
    """Return an element's name with the usual prefix of its namespace."""
    space, name = split(element.tag)
    return SPACES.get(space, "") + name


def content(element: Element) -> str:
    """Return the text of an element without blanks around it, also that between its children."""
    if len(element):
        return "".join([element.text or "", *(child.tail or "" for child in element)]).strip(SPACE)
    return (element.text or "").strip(SPACE)
