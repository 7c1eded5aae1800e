"""A video that front matter describes: each key is read to the field of `Video` of that name."""

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
"""A reader of URLs, which knows where relative ones start."""

_FIELDS = {field.name.removesuffix("_loc"): field.name for field in fields(Video)}
"""The fields by their keys in front matter; the name of a field is read as a key, too."""

VIDEO_KEYS = tuple(_FIELDS)

_REQUIRED = ("thumbnail", "title", "description")
_PLAYABLE = ("content", "player")
_DEVICES = frozenset(("web", "mobile", "tv"))
_COUNTRIES = "of country codes, such as DE or US"
_PLATFORMS = "of web, mobile and tv"


def read_video(
    raw: Mapping[Any, Any], place: Place, zone: tzinfo, address: ReadUrl, loc: str
) -> tuple[Video | None, list[Problem]]:
    """Read one video; return None for it if a required field is missing or invalid.

    Args:
        raw: the mapping.
        place: of the mapping.
        zone: of datetimes without an offset.
        address: the reader of its URLs.
        loc: of the page, which can be neither the video's file nor its player.
    """
    values: dict[str, Any] = {}
    found: list[tuple[str, Problem]] = []
    names = {key: name for key in VIDEO_KEYS if (name := _name_in(raw, key))}
    readers = _readers(zone, address, loc)
    for key, name in names.items():
        values[key], problems = readers[key](raw[name], place.under(name))
        found += [(key, problem) for problem in problems]
    lacking = [key for key in _REQUIRED if not values.get(key)]
    if not any(values.get(key) for key in _PLAYABLE):
        lacking += _PLAYABLE
    unlisted = "The video is not listed."
    also = (*_FIELDS.values(), "tag")
    problems = [
        *unknown_keys(raw, lambda key: replace(place, key=key), place.key or "", VIDEO_KEYS, also),
        *(
            replace(each, done=unlisted if key in lacking else each.done or "It is not written.")
            for key, each in found
        ),
        *(
            Problem(code="video", place=place, found=f"has no {key}", done=unlisted)
            for key in _missing_keys(names)
        ),
    ]
    if lacking:
        return None, problems
    set_ = {_FIELDS[key]: value for key, value in values.items() if value is not None}
    return Video(**set_), problems


def _name_in(raw: Mapping[Any, Any], key: str) -> str | None:
    """Return the name under which a mapping has a value for a key; None if it has none."""
    names = (key, "tag") if key == "tags" else (key, _FIELDS[key])
    return next((name for name in names if raw.get(name) is not None), None)


def _missing_keys(written: Container[str]) -> Iterator[str]:
    """Yield the keys that a video needs and does not have (Google, "Video sitemaps")."""
    yield from (key for key in _REQUIRED if key not in written)
    if not any(key in written for key in _PLAYABLE):
        yield "content or player"


_ReadField = Callable[[object, Place], tuple[Any, list[Problem]]]


def _readers(zone: tzinfo, address: ReadUrl, loc: str) -> dict[str, _ReadField]:
    """Return the reader of each key: it returns the value, or None, and the problems."""
    day = _checked(partial(read_date, zone=zone))
    flag = _checked(read_flag)
    playable = _checked(partial(_read_playable, address=address, loc=loc))
    return {
        "thumbnail": _checked(address),
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
        "restriction": _checked(partial(_read_restriction, allowed=REGIONS, of_what=_COUNTRIES)),
        "requires_subscription": flag,
        "uploader": partial(read_text, longest=MAX_VIDEO_UPLOADER),
        "uploader_info": _checked(partial(_read_uploader_info, address=address, loc=loc)),
        "platform": _checked(partial(_read_restriction, allowed=_DEVICES, of_what=_PLATFORMS)),
        "live": flag,
    }


def _checked(read: Read) -> _ReadField:
    """Return a reader that returns a pair, from one that returns the value or a problem."""

    def checked(raw: object, place: Place) -> tuple[Any, list[Problem]]:
        value = read(raw, place)
        return (None, [value]) if isinstance(value, Problem) else (value, [])

    return checked


def _read_playable(raw: object, place: Place, address: ReadUrl, loc: str) -> str | Problem:
    url = address(raw, place)
    return faulty("video", place, raw, "is the URL of the page itself") if url == loc else url


def _read_uploader_info(raw: object, place: Place, address: ReadUrl, loc: str) -> str | Problem:
    url = address(raw, place)
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
    raw: object, place: Place, allowed: frozenset[str], of_what: str
) -> Restriction | Problem:
    """Read ``{allow: [DE, AT]}`` or ``{deny: ...}``; "DE AT" is a list, too."""
    if not isinstance(raw, Mapping) or len(raw) != 1 or not {"allow", "deny"}.issuperset(raw):
        expected = f"a mapping of allow or deny to a list {of_what}"
        return invalid("restriction", place, raw, expected)
    ((relationship, written),) = raw.items()
    names = written.split() if isinstance(written, str) else written
    here = place.under(relationship)
    if not isinstance(names, list) or not names:
        return invalid("restriction", here, written, f"a list {of_what}")
    known = []
    for name in names:
        spellings = (name.upper(), name.lower()) if isinstance(name, str) else ()
        usual = next((each for each in spellings if each in allowed), None)
        if usual is None:
            problem = invalid("restriction", here, name, f"a list {of_what}")
            return suggest_quotes(replace(problem, found=f"contains {format_value(name)}"), name)
        known.append(usual)
    return Restriction(allow=relationship == "allow", names=tuple(known))
