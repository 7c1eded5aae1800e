"""Read the videos of front matter: each key gives the field of `Video` with the same name."""

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import fields, replace
from datetime import tzinfo
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.options.overrides import unknown_keys
from mkdocs_sitemap_plus.options.readers import (
    Read,
    read_date,
    read_flag,
    read_number,
    read_text,
    read_whole_number,
)
from mkdocs_sitemap_plus.problems import Place, Problem, faulty, first_of, invalid, suggest_quotes
from mkdocs_sitemap_plus.sitemap.entry import Restriction, Video
from mkdocs_sitemap_plus.sitemap.languages import REGIONS
from mkdocs_sitemap_plus.sitemap.limits import (
    MAX_VIDEO_DESCRIPTION,
    MAX_VIDEO_RATING,
    MAX_VIDEO_SECONDS,
    MAX_VIDEO_TAGS,
    MAX_VIDEO_TITLE,
    MAX_VIDEO_UPLOADER,
    MAX_VIDEO_VIEWS,
)
from mkdocs_sitemap_plus.wording import format_value

ReadUrl = Callable[[object, Place], str | Problem]
"""A reader of URLs, which makes relative URLs absolute."""

_FIELDS = {field.name.removesuffix("_loc"): field.name for field in fields(Video)}
"""The name of each field, by its key in front matter.

A field's own name, such as ``thumbnail_loc``, is accepted as a key, too.
"""

VIDEO_KEYS = tuple(_FIELDS)

_REQUIRED = ("thumbnail", "title", "description")
_PLAYABLE = ("content", "player")
_DEVICES = frozenset(("web", "mobile", "tv"))
_COUNTRIES = "a list of country codes, such as DE or US"
_PLATFORMS = "a list of web, mobile and tv"


def read_video(
    raw: Mapping[Any, Any], place: Place, zone: tzinfo, read_url: ReadUrl, loc: str
) -> tuple[Video | None, list[Problem]]:
    """Return a video and its problems; it is None if a required field is missing or invalid.

    Args:
        raw: the mapping of the video.
        place: of the mapping.
        zone: the time zone of datetimes without an offset.
        read_url: the reader of the video's URLs.
        loc: the URL of the page. It can't be the URL of the video's file or player.
    """
    values: dict[str, Any] = {}
    found: list[tuple[str, Problem]] = []
    spellings = {key: spelling for key in VIDEO_KEYS if (spelling := _spelling_in(raw, key))}
    readers = _readers(zone, read_url, loc)
    for key, spelling in spellings.items():
        values[key], problems = readers[key](raw[spelling], place.under(spelling))
        found += [(key, problem) for problem in problems]
    without_value = [key for key in _REQUIRED if not values.get(key)]
    if not any(values.get(key) for key in _PLAYABLE):
        without_value += _PLAYABLE
    unlisted = "The video is not listed."
    unnamed = (*_FIELDS.values(), "tag")
    problems = unknown_keys(
        raw, lambda key: replace(place, key=key), place.key or "", VIDEO_KEYS, unnamed
    )
    for key, problem in found:
        done = unlisted if key in without_value else problem.done or "It is not written."
        problems.append(replace(problem, done=done))
    problems += [
        Problem(code="video", place=place, found=f"has no {key}", done=unlisted)
        for key in _missing_keys(spellings)
    ]
    if without_value:
        return None, problems
    valid = {_FIELDS[key]: value for key, value in values.items() if value is not None}
    return Video(**valid), problems


def _spelling_in(raw: Mapping[Any, Any], key: str) -> str | None:
    """Return the spelling of a key that has a value in a mapping; None if no spelling has one."""
    spellings = (key, "tag") if key == "tags" else (key, _FIELDS[key])
    return next((each for each in spellings if raw.get(each) is not None), None)


def _missing_keys(written: Container[str]) -> Iterator[str]:
    """Yield the required keys that are not written (Google, "Video sitemaps")."""
    yield from (key for key in _REQUIRED if key not in written)
    if not any(key in written for key in _PLAYABLE):
        yield "content or player"


_ReadField = Callable[[object, Place], tuple[Any, list[Problem]]]
"""A function of a raw value. It returns the value, or None if it is invalid, and the problems."""


def _readers(zone: tzinfo, read_url: ReadUrl, loc: str) -> dict[str, _ReadField]:
    """Return the reader of each key."""
    day = _checked(partial(read_date, zone=zone))
    flag = _checked(read_flag)
    playable = _checked(partial(_read_playable, read_url=read_url, loc=loc))
    return {
        "thumbnail": _checked(read_url),
        "title": partial(read_text, longest=MAX_VIDEO_TITLE),
        "description": partial(read_text, longest=MAX_VIDEO_DESCRIPTION),
        "content": playable,
        "player": playable,
        "duration": _checked(partial(read_whole_number, greatest=MAX_VIDEO_SECONDS, least=1)),
        "expiration_date": day,
        "rating": _checked(partial(read_number, greatest=MAX_VIDEO_RATING)),
        "view_count": _checked(partial(read_whole_number, greatest=MAX_VIDEO_VIEWS)),
        "publication_date": day,
        "tags": _read_tags,
        "family_friendly": flag,
        "restriction": _checked(partial(_read_restriction, allowed=REGIONS, expected=_COUNTRIES)),
        "requires_subscription": flag,
        "uploader": partial(read_text, longest=MAX_VIDEO_UPLOADER),
        "uploader_info": _checked(partial(_read_uploader_info, read_url=read_url, loc=loc)),
        "platform": _checked(partial(_read_restriction, allowed=_DEVICES, expected=_PLATFORMS)),
        "live": flag,
    }


def _checked(read: Read) -> _ReadField:
    """Return a reader of a field, from a reader that returns the value or a problem."""

    def checked(raw: object, place: Place) -> tuple[Any, list[Problem]]:
        value = read(raw, place)
        return (None, [value]) if isinstance(value, Problem) else (value, [])

    return checked


def _read_playable(raw: object, place: Place, read_url: ReadUrl, loc: str) -> str | Problem:
    url = read_url(raw, place)
    return faulty("video", place, raw, "is the URL of the page itself") if url == loc else url


def _read_uploader_info(raw: object, place: Place, read_url: ReadUrl, loc: str) -> str | Problem:
    url = read_url(raw, place)
    if isinstance(url, Problem) or urlsplit(url).hostname in (None, urlsplit(loc).hostname):
        return url
    return faulty("video", place, raw, "is not on the host of the page")


def _read_tags(raw: object, place: Place) -> tuple[tuple[str, ...] | None, list[Problem]]:
    tags = [raw] if isinstance(raw, str) else raw
    if not isinstance(tags, list) or not tags:
        return None, [invalid("tags", place, raw, f"a list of 1 to {MAX_VIDEO_TAGS} texts")]
    if len(tags) > MAX_VIDEO_TAGS:
        fault = f"has {len(tags)} texts, but at most {MAX_VIDEO_TAGS} are allowed"
        return None, [Problem(code="tags", place=place, found=fault)]
    read = [read_text(tag, place.item(i)) for i, tag in enumerate(tags)]
    problems = [problem for _, found in read for problem in found]
    return tuple(tag for tag, _ in read if tag) or None, first_of(problems)


def _read_restriction(
    raw: object, place: Place, allowed: frozenset[str], expected: str
) -> Restriction | Problem:
    """Return the restriction of ``{allow: [DE, AT]}``, ``{allow: DE AT}`` or ``{deny: ...}``."""
    if not isinstance(raw, Mapping) or len(raw) != 1 or not {"allow", "deny"}.issuperset(raw):
        return invalid("restriction", place, raw, f"a mapping of allow or deny to {expected}")
    ((relationship, written),) = raw.items()
    names = written.split() if isinstance(written, str) else written
    here = place.under(relationship)
    if not isinstance(names, list) or not names:
        return invalid("restriction", here, written, expected)
    codes = []
    for name in names:
        spellings = (name.upper(), name.lower()) if isinstance(name, str) else ()
        code = next((each for each in spellings if each in allowed), None)
        if code is None:
            problem = invalid("restriction", here, name, expected)
            return suggest_quotes(replace(problem, found=f"contains {format_value(name)}"), name)
        codes.append(code)
    return Restriction(allow=relationship == "allow", names=tuple(codes))
