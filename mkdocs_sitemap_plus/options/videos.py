"""A video that front matter describes, each field checked."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.options.overrides import unknown_keys
from mkdocs_sitemap_plus.options.readers import read_flag, read_number, read_text, read_whole_number
from mkdocs_sitemap_plus.problems import Place, Problem, faulty, first_of, invalid, quoted_word
from mkdocs_sitemap_plus.sitemap.entry import Restriction, Video
from mkdocs_sitemap_plus.sitemap.fields import read_date
from mkdocs_sitemap_plus.sitemap.languages import REGIONS
from mkdocs_sitemap_plus.sitemap.limits import (
    MAX_VIDEO_DESCRIPTION,
    MAX_VIDEO_RATING,
    MAX_VIDEO_SECONDS,
    MAX_VIDEO_TAGS,
    MAX_VIDEO_TITLE,
    MAX_VIDEO_UPLOADER,
)
from mkdocs_sitemap_plus.wording import format_value

Address = Callable[[object, Place], str | Problem]
"""A reader of URLs, which knows where relative ones start."""

_NAMES = {
    "thumbnail": "thumbnail_loc",
    "title": "title",
    "description": "description",
    "content": "content_loc",
    "player": "player_loc",
    "duration": "duration",
    "expiration_date": "expiration_date",
    "rating": "rating",
    "view_count": "view_count",
    "publication_date": "publication_date",
    "tags": "tags",
    "family_friendly": "family_friendly",
    "restriction": "restriction",
    "platform": "platform",
    "requires_subscription": "requires_subscription",
    "uploader": "uploader",
    "uploader_info": "uploader_info",
    "live": "live",
}
"""Keys of front matter, and the fields that they are."""

VIDEO_KEYS = tuple(_NAMES)

_REQUIRED = ("thumbnail_loc", "title", "description")
_PLAYABLE = ("content_loc", "player_loc")
_TEXTS = {
    "title": MAX_VIDEO_TITLE,
    "description": MAX_VIDEO_DESCRIPTION,
    "uploader": MAX_VIDEO_UPLOADER,
}
_DATES = ("expiration_date", "publication_date")
_MOST_VIEWS = 10**15
_DEVICES = frozenset(("web", "mobile", "tv"))


def read_video(
    raw: Mapping[Any, Any], place: Place, zone: tzinfo, address: Address, loc: str
) -> tuple[Video | None, list[Problem]]:
    """One video; None if something that it needs is missing or wrong.

    Args:
        raw: the mapping; the protocol's own names, such as ``thumbnail_loc``, are taken as well.
        place: of the mapping.
        zone: of datetimes without an offset.
        address: the reader of its URLs.
        loc: of the page, which can be neither the video's file nor its player.
    """
    fields = dict(_by_field(raw))
    values: dict[str, Any] = {}
    problems: list[tuple[str, Problem]] = []
    for field, (key, value) in fields.items():
        here = replace(place, key=f"{place.key}.{key}")
        values[field], found = _read(field, value, here, zone, address)
        if field in _PLAYABLE and values[field] == loc:
            values[field] = None
            found = [faulty("video", here, value, "is the URL of the page itself")]
        if field == "uploader_info" and _host(values[field]) not in ("", _host(loc)):
            values[field] = None
            found = [faulty("video", here, value, "is not on the host of the page")]
        problems += [(field, problem) for problem in found]
    lacking = [name for name in _REQUIRED if not values.get(name)]
    if not any(values.get(name) for name in _PLAYABLE):
        lacking += _PLAYABLE
    told = [
        *_unknown(raw, place),
        *(_fatal(each) if field in lacking else _ignored(each) for field, each in problems),
        *(_missing(name, place) for name in _missing_keys(fields)),
    ]
    if lacking:
        return None, told
    return Video(**{name: value for name, value in values.items() if value is not None}), told


def _host(url: str | None) -> str:
    return urlsplit(url or "").hostname or ""


def _unknown(raw: Mapping[Any, Any], place: Place) -> list[Problem]:
    def at(dotted: str) -> Place:
        return replace(place, key=dotted)

    return unknown_keys(raw, at, place.key or "", VIDEO_KEYS, also=(*_NAMES.values(), "tag"))


def _by_field(raw: Mapping[Any, Any]) -> Iterator[tuple[str, tuple[str, object]]]:
    """Keys and values by field; the short name of a field comes before the protocol's."""
    for key, field in _NAMES.items():
        known = (key, field, "tag") if key == "tags" else (key, field)
        said = next((name for name in known if raw.get(name) is not None), None)
        if said is not None:
            yield field, (said, raw[said])


def _missing_keys(fields: Mapping[str, object]) -> Iterator[str]:
    """The keys that a video needs and does not have (Google, "Video sitemaps")."""
    for key in ("thumbnail", "title", "description"):
        if _NAMES[key] not in fields:
            yield key
    if "content_loc" not in fields and "player_loc" not in fields:
        yield "content or player"


def _missing(name: str, place: Place) -> Problem:
    return Problem(
        code="video", place=place, found=f"has no {name}", done="The video is not listed."
    )


def _fatal(problem: Problem) -> Problem:
    """The problem of a field that the video can't do without."""
    return replace(problem, done="The video is not listed.")


def _ignored(problem: Problem) -> Problem:
    """The problem of a field that the video does not need."""
    return replace(problem, done=problem.done or "It is not written.")


def _read(
    field: str, raw: object, place: Place, zone: tzinfo, address: Address
) -> tuple[Any, list[Problem]]:
    if field in _TEXTS:
        return read_text(raw, place, _TEXTS[field])
    if field == "tags":
        return _read_tags(raw, place)
    value = _read_value(field, raw, place, zone, address)
    return (None, [value]) if isinstance(value, Problem) else (value, [])


def _read_value(
    field: str, raw: object, place: Place, zone: tzinfo, address: Address
) -> object | Problem:
    if field in _DATES:
        return read_date(raw, place, zone)
    return _READERS.get(field, address)(raw, place)


def _read_tags(raw: object, place: Place) -> tuple[tuple[str, ...] | None, list[Problem]]:
    tags = [raw] if isinstance(raw, str) else raw
    if not isinstance(tags, list) or not tags or len(tags) > MAX_VIDEO_TAGS:
        if isinstance(tags, list) and tags:
            fault = f"has {len(tags)} texts, but at most {MAX_VIDEO_TAGS} are allowed"
            return None, [Problem(code="tags", place=place, found=fault)]
        return None, [invalid("tags", place, raw, f"a list of 1 to {MAX_VIDEO_TAGS} texts")]
    read = [read_text(tag, replace(place, key=f"{place.key}[{i}]")) for i, tag in enumerate(tags)]
    problems = [problem for _, found in read for problem in found]
    return tuple(tag for tag, _ in read if tag) or None, first_of(problems)


def _read_restriction(
    raw: object, place: Place, allowed: frozenset[str], of_what: str
) -> Restriction | Problem:
    """``{allow: [DE, AT]}`` or ``{deny: …}``; a text of several with blanks is a list, too."""
    expected = f"a mapping of allow or deny to a list {of_what}"
    if not isinstance(raw, Mapping) or len(raw) != 1:
        return invalid("restriction", place, raw, expected)
    ((relationship, said),) = raw.items()
    if relationship not in ("allow", "deny"):
        return invalid("restriction", place, raw, expected)
    names = said.split() if isinstance(said, str) else said
    here = replace(place, key=f"{place.key}.{relationship}")
    if not isinstance(names, list) or not names:
        return invalid("restriction", here, said, f"a list {of_what}")
    usual = [_usual(name, allowed) for name in names]
    odd = next((name for name, known in zip(names, usual, strict=True) if known is None), None)
    if None in usual:
        problem = invalid("restriction", here, odd, f"a list {of_what}")
        return quoted_word(replace(problem, found=f"contains {format_value(odd)}"), odd)
    return Restriction(allow=relationship == "allow", names=tuple(filter(None, usual)))


def _usual(name: object, allowed: frozenset[str]) -> str | None:
    spellings = (name.upper(), name.lower()) if isinstance(name, str) else ()
    return next((each for each in spellings if each in allowed), None)


_READERS: dict[str, Callable[[object, Place], object]] = {
    "duration": partial(read_whole_number, greatest=MAX_VIDEO_SECONDS, least=1),
    "view_count": partial(read_whole_number, greatest=_MOST_VIEWS),
    "rating": partial(read_number, greatest=MAX_VIDEO_RATING),
    "restriction": partial(
        _read_restriction, allowed=REGIONS, of_what="of country codes, such as DE or US"
    ),
    "platform": partial(_read_restriction, allowed=_DEVICES, of_what="of web, mobile and tv"),
    "family_friendly": read_flag,
    "requires_subscription": read_flag,
    "live": read_flag,
}
