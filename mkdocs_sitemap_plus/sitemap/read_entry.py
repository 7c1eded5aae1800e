"""Elements of a sitemap to entries: what `urlset.render` writes, read back.

What can't be right is not read, and is a problem with its line.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TypeVar
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.problems import Origin, Place, Problem, faulty, invalid
from mkdocs_sitemap_plus.sitemap.entry import (
    Alternate,
    News,
    Restriction,
    SitemapEntry,
    UrlEntry,
    Video,
)
from mkdocs_sitemap_plus.sitemap.fields import (
    loc_fault,
    read_changefreq,
    read_lastmod,
    read_priority,
)
from mkdocs_sitemap_plus.sitemap.parse import RawElement
from mkdocs_sitemap_plus.sitemap.render import NAMESPACE, XHTML

IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
VIDEO = "http://www.google.com/schemas/sitemap-video/1.1"
NEWS = "http://www.google.com/schemas/sitemap-news/0.9"
_PREFIXES = {XHTML: "xhtml:", IMAGE: "image:", VIDEO: "video:", NEWS: "news:"}
_DIGITS = re.compile(r"\d{1,18}(\.\d{1,18})?", re.ASCII)
_SPACE = " \t\r\n"  # of XML; str.strip() takes more
_WHEN = "a date such as 2026-11-20, or a datetime such as 2026-11-20T10:00:00+01:00"

Value = TypeVar("Value")


def url_entry(element: RawElement, file: str) -> tuple[UrlEntry | None, tuple[Problem, ...]]:
    """A ``url`` element as an entry, and what of it could not be read; None without a ``loc``."""
    fields = _Fields(element=element, space=NAMESPACE, file=file)
    loc = fields.one("loc", _url)
    if loc is None:
        fields.without("loc")
        return None, tuple(fields.problems)
    entry = UrlEntry(
        loc=loc,
        lastmod=fields.one("lastmod", _date),
        changefreq=fields.one("changefreq", read_changefreq),
        priority=fields.one("priority", read_priority),
        alternates=fields.each(XHTML, "link", _alternate),
        images=fields.each(IMAGE, "image", _image),
        videos=fields.each(VIDEO, "video", _video),
        news=next(iter(fields.each(NEWS, "news", _news)), None),
    )
    return entry, tuple(fields.problems)


def sitemap_entry(
    element: RawElement, file: str
) -> tuple[SitemapEntry | None, tuple[Problem, ...]]:
    """A ``sitemap`` element of an index as an entry; as `url_entry`."""
    fields = _Fields(element=element, space=NAMESPACE, file=file)
    loc = fields.one("loc", _url)
    if loc is None:
        fields.without("loc")
        return None, tuple(fields.problems)
    entry = SitemapEntry(loc=loc, lastmod=fields.one("lastmod", _date))
    return entry, tuple(fields.problems)


@dataclass(slots=True, kw_only=True)
class _Fields:
    """The children of one element in one namespace, read one by one, with what went wrong."""

    element: RawElement
    space: str
    file: str
    problems: list[Problem] = field(default_factory=list)

    def one(self, name: str, read: Callable[[str, Place], Value | Problem]) -> Value | None:
        """The value of the first child of that name; None if there is none that can be read."""
        found = self.element.all(self.space, name)
        for second in found[1:2]:
            self._tell("twice", self._place(name, second), "is there a second time", None)
        return self._value(found[0], name, read) if found else None

    def many(self, name: str, read: Callable[[str, Place], Value | Problem]) -> tuple[Value, ...]:
        """The values of all children of that name that can be read."""
        values = (self._value(child, name, read) for child in self.element.all(self.space, name))
        return tuple(value for value in values if value is not None)

    def each(
        self, space: str, name: str, read: "Callable[[_Fields], Value | None]"
    ) -> tuple[Value, ...]:
        """The values of all children of that name, which have fields of their own."""
        values = (
            read(_Fields(element=child, space=space, file=self.file, problems=self.problems))
            for child in self.element.all(space, name)
        )
        return tuple(value for value in values if value is not None)

    def without(self, *names: str) -> None:
        """Say that the element is not read, since it lacks what it must have."""
        place = self._place(self.element.name, self.element)
        self._tell("incomplete", place, f"has no {' and no '.join(names)} that can be read", None)

    def lacks(self, **values: object) -> None:
        """The same for those that have no value."""
        self.without(*(name for name, value in values.items() if value is None))

    def _value(
        self, child: RawElement, name: str, read: Callable[[str, Place], Value | Problem]
    ) -> Value | None:
        value = read(child.text.strip(_SPACE), self._place(name, child))
        if isinstance(value, Problem):
            self._tell(value.code, value.place, value.found, value.expected)
            return None
        return value

    def _place(self, name: str, element: RawElement) -> Place:
        key = self._key(name)
        return Place(origin=Origin.SITEMAP, file=self.file, key=key, line=element.line)

    def _key(self, name: str) -> str:
        return _PREFIXES.get(self.space, "") + name

    def _tell(self, code: str, place: Place | None, found: str, expected: str | None) -> None:
        self.problems.append(
            Problem(code=code, place=place, found=found, expected=expected, done="It is not read.")
        )


def _alternate(fields: _Fields) -> Alternate | None:
    link = fields.element
    if link.attribute("rel") != "alternate":
        return None
    hreflang, href = link.attribute("hreflang"), link.attribute("href")
    if not hreflang or not href:
        fields.without("hreflang" if not hreflang else "href")
        return None
    return Alternate(hreflang=hreflang, href=href)


def _image(fields: _Fields) -> str | None:
    loc = fields.one("loc", _text)
    if loc is None:
        fields.without("loc")
    return loc


def _video(fields: _Fields) -> Video | None:
    thumbnail_loc = fields.one("thumbnail_loc", _text)
    title = fields.one("title", _text)
    description = fields.one("description", _text)
    content_loc, player_loc = fields.one("content_loc", _text), fields.one("player_loc", _text)
    if thumbnail_loc is None or title is None or description is None:
        fields.lacks(thumbnail_loc=thumbnail_loc, title=title, description=description)
        return None
    if content_loc is None and player_loc is None:
        fields.without("content_loc", "player_loc")
        return None
    return Video(
        thumbnail_loc=thumbnail_loc,
        title=title,
        description=description,
        content_loc=content_loc,
        player_loc=player_loc,
        duration=fields.one("duration", _count),
        expiration_date=fields.one("expiration_date", _date),
        rating=fields.one("rating", _rating),
        view_count=fields.one("view_count", _count),
        publication_date=fields.one("publication_date", _date),
        tags=fields.many("tag", _text),
        family_friendly=fields.one("family_friendly", _yes),
        restriction=_restriction(fields, "restriction"),
        requires_subscription=fields.one("requires_subscription", _yes),
        uploader=fields.one("uploader", _text),
        uploader_info=_attribute(fields, "uploader", "info"),
        platform=_restriction(fields, "platform"),
        live=fields.one("live", _yes),
    )


def _news(fields: _Fields) -> News | None:
    publication = next(iter(fields.each(NEWS, "publication", _publication)), None)
    when, title = fields.one("publication_date", _date), fields.one("title", _text)
    if publication is None or when is None or title is None:
        fields.lacks(publication=publication, publication_date=when, title=title)
        return None
    name, language = publication
    return News(publication=name, language=language, publication_date=when, title=title)


def _publication(fields: _Fields) -> tuple[str, str] | None:
    name, language = fields.one("name", _text), fields.one("language", _text)
    return None if name is None or language is None else (name, language)


def _restriction(fields: _Fields, name: str) -> Restriction | None:
    names, relationship = fields.one(name, _text), _attribute(fields, name, "relationship")
    if names is None or relationship not in ("allow", "deny"):
        return None
    return Restriction(allow=relationship == "allow", names=tuple(names.split()))


def _attribute(fields: _Fields, name: str, attribute: str) -> str | None:
    found = fields.element.all(fields.space, name)
    return found[0].attribute(attribute) if found else None


def _text(text: str, place: Place) -> str | Problem:
    return text or invalid("empty", place, text, "a text")


def _url(text: str, place: Place) -> str | Problem:
    fault = loc_fault(text) or _host_fault(text)
    return faulty("loc", place, text, fault) if fault else text


def _host_fault(url: str) -> str | None:
    try:
        _ = urlsplit(url).port
    except ValueError:
        return "has a host or a port that is not valid"
    return None


def _date(text: str, place: Place) -> date | datetime | Problem:
    when = read_lastmod(text, place, UTC)
    return when if isinstance(when, date) else invalid("lastmod", place, text, _WHEN)


def _rating(text: str, place: Place) -> Decimal | Problem:
    rating = Decimal(text) if _DIGITS.fullmatch(text) else Decimal(-1)
    return (
        rating if 0 <= rating <= 5 else invalid("rating", place, text, "a number from 0.0 to 5.0")
    )


def _count(text: str, place: Place) -> int | Problem:
    whole = _DIGITS.fullmatch(text) and "." not in text
    return int(text) if whole else invalid("number", place, text, "a whole number")


def _yes(text: str, place: Place) -> bool | Problem:
    known = {"yes": True, "no": False}
    return known[text] if text in known else invalid("flag", place, text, "yes or no")
