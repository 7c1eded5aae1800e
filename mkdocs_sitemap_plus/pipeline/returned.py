"""What the owner's function gave back, each field checked by the reader of that field."""

from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, replace
from datetime import datetime, tzinfo
from typing import Any

from mkdocs_sitemap_plus.lastmod.sources import AHEAD
from mkdocs_sitemap_plus.options.overrides import WITHOUT
from mkdocs_sitemap_plus.options.readers import read_hreflang, read_news_language, read_text
from mkdocs_sitemap_plus.options.videos import read_video
from mkdocs_sitemap_plus.pages.page import Site
from mkdocs_sitemap_plus.pipeline.add_news import is_fresh
from mkdocs_sitemap_plus.pipeline.decision import Decision
from mkdocs_sitemap_plus.problems import Place, Problem, faulty, first_of, invalid
from mkdocs_sitemap_plus.sitemap.entry import (
    Alternate,
    News,
    Restriction,
    UrlEntry,
    Video,
    to_datetime,
)
from mkdocs_sitemap_plus.sitemap.fields import (
    read_changefreq,
    read_date,
    read_lastmod,
    read_priority,
    read_url,
)
from mkdocs_sitemap_plus.sitemap.limits import MAX_IMAGES
from mkdocs_sitemap_plus.sitemap.urls import within
from mkdocs_sitemap_plus.wording import describe_error, format_value

_Checked = tuple[Any, list[Problem]]
"""The value of a field, empty if it is wrong; and what is wrong with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What the fields of an entry are held against."""

    decision: Decision
    site: Site
    zone: tzinfo
    now: datetime

    @property
    def loc(self) -> str:
        """Where relative URLs start."""
        return self.decision.loc or ""


def read_returned(
    given: UrlEntry, about: About, place: Place
) -> tuple[UrlEntry | None, set[str], list[Problem]]:
    """The entry, None if its URL can't be used; the names of the fields that changed; problems."""
    values: dict[str, Any] = {}
    changed: set[str] = set()
    problems: list[Problem] = []
    for field in fields(UrlEntry):
        raw = getattr(given, field.name)
        old = getattr(about.decision.entry, field.name)
        if raw is old or (raw is None and field.default is not MISSING):
            values[field.name] = field.default if raw is None else raw
            continue
        here = replace(place, key=f"{place.key}: {about.decision.name}: {field.name}")
        values[field.name], found = _read(field.name, raw, here, about)
        done = _DONE[field.name]
        problems += first_of([replace(each, done=each.done or done) for each in found])
        if field.name != "loc" and values[field.name] not in (None, ()):
            changed.add(field.name)
    if values["loc"] is None:
        return None, set(), problems
    return UrlEntry(**values), changed, problems


def _read(name: str, raw: object, place: Place, about: About) -> _Checked:
    """Read one field; a value of the owner's own class may raise anything."""
    try:
        return _READERS[name](raw, place, about)
    except Exception as error:  # noqa: BLE001
        raised = f"is {format_returned(raw)}, which raised {describe_error(error)}"
        return None, [Problem(code="transform", place=place, found=raised)]


def format_returned(raw: object) -> str:
    """Return a plain value as in YAML, and of any other value its type, such as ``a dict``."""
    plain = type(raw) in (str, int, float, bool, type(None))  # others have a text of their own
    return format_value(raw) if plain else f"a {type(raw).__name__}"


def unusable(raw: object, place: Place, expected: str) -> Problem:
    """The problem of a value that is of another type than it should be."""
    found = f"is {format_returned(raw)}"
    return Problem(code="transform", place=place, found=found, expected=expected)


def _under(place: Place, name: str) -> Place:
    return replace(place, key=f"{place.key}.{name}")


def _one(read: object) -> _Checked:
    return (None, [read]) if isinstance(read, Problem) else (read, [])


def _loc(raw: object, place: Place, about: About) -> _Checked:
    base = about.site.url or ""
    loc = read_url(raw, place, base)
    if isinstance(loc, str) and not within(loc, base):
        loc = invalid("loc", place, raw, f"a URL under the sitemap's own folder {base}")
    return _one(loc)


def _lastmod(raw: object, place: Place, about: About) -> _Checked:
    read = read_lastmod(raw, place, about.zone)
    if read is False:
        return None, []
    if not isinstance(read, Problem) and to_datetime(read) > about.now + AHEAD:
        return None, [faulty("lastmod", place, raw, "is in the future")]
    return _one(read)


def _changefreq(raw: object, place: Place, about: About) -> _Checked:
    del about
    return _one(read_changefreq(raw, place))


def _priority(raw: object, place: Place, about: About) -> _Checked:
    del about
    return _one(read_priority(raw, place))


def _images(raw: object, place: Place, about: About) -> _Checked:
    def image(each: object, at: Place) -> _Checked:
        return _one(read_url(each, at, about.loc))

    if isinstance(raw, (tuple, list)) and len(raw) > MAX_IMAGES:
        images, problems = _several(raw[:MAX_IMAGES], place, "URLs", image)
        found = f"has {len(raw):,} images, but at most {MAX_IMAGES:,} are allowed for a page"
        done = f"The first {MAX_IMAGES:,} are written."
        return images, [*problems, Problem(code="images", place=place, found=found, done=done)]
    return _several(raw, place, "URLs", image)


def _alternates(raw: object, place: Place, about: About) -> _Checked:
    def alternate(each: object, at: Place) -> _Checked:
        if not isinstance(each, Alternate):
            return None, [unusable(each, at, "an Alternate")]
        code = read_hreflang(each.hreflang, _under(at, "hreflang"))
        href = read_url(each.href, _under(at, "href"), about.loc)
        if isinstance(code, Problem) or isinstance(href, Problem):
            return None, [problem for problem in (code, href) if isinstance(problem, Problem)]
        return Alternate(hreflang=code, href=href), []

    return _several(raw, place, "Alternates", alternate)


def _videos(raw: object, place: Place, about: About) -> _Checked:
    def address(each: object, where: Place) -> str | Problem:
        return read_url(each, where, about.loc)

    def video(each: object, at: Place) -> _Checked:
        if not isinstance(each, Video):
            return None, [unusable(each, at, "a Video")]
        said = {field.name: _as_written(getattr(each, field.name)) for field in fields(Video)}
        return read_video(said, at, about.zone, address, about.loc)

    return _several(raw, place, "Videos", video)


def _as_written(value: object) -> object:
    """A field of a Video as front matter has it."""
    if isinstance(value, Restriction):
        return {"allow" if value.allow else "deny": _as_written(value.names)}
    return (list(value) or None) if isinstance(value, tuple) else value


def _news(raw: object, place: Place, about: About) -> _Checked:
    if not isinstance(raw, News):
        return None, [unusable(raw, place, "a News or None")]
    publication, problems = read_text(raw.publication, _under(place, "publication"))
    title, title_problems = read_text(raw.title, _under(place, "title"))
    language, language_problems = _one(read_news_language(raw.language, _under(place, "language")))
    day = _under(place, "publication_date")
    when, date_problems = _one(read_date(raw.publication_date, day, about.zone))
    problems += [*title_problems, *language_problems, *date_problems]
    if publication is None or title is None or language is None or when is None:
        return None, problems
    news = News(publication=publication, language=language, publication_date=when, title=title)
    return (news if is_fresh(when, about.now.astimezone(about.zone)) else None), problems


def _several(
    raw: object, place: Place, of_what: str, read: Callable[[object, Place], _Checked]
) -> _Checked:
    """A tuple of what is right, each once."""
    if not isinstance(raw, (tuple, list)):
        return (), [unusable(raw, place, f"a tuple of {of_what}")]
    values: list[Any] = []
    problems: list[Problem] = []
    for number, each in enumerate(raw):
        value, found = read(each, replace(place, key=f"{place.key}[{number}]"))
        problems += [replace(each, done=each.done or "It is not written.") for each in found]
        values += [] if value is None else [value]
    return tuple(dict.fromkeys(values)), problems


_DONE = {
    **WITHOUT,
    "loc": "The page is left out.",
    "news": "The page gets no news tags.",
}

_READERS: dict[str, Callable[[object, Place, About], _Checked]] = {
    "loc": _loc,
    "lastmod": _lastmod,
    "changefreq": _changefreq,
    "priority": _priority,
    "images": _images,
    "alternates": _alternates,
    "videos": _videos,
    "news": _news,
}
