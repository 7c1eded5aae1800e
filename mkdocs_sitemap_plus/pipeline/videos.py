"""Read the videos of a page (Google, "Video sitemaps"; ``sitemap-video.xsd``)."""

import re
from collections.abc import Mapping
from dataclasses import fields
from datetime import tzinfo
from functools import partial
from typing import Any

from mkdocs_sitemap_plus import sitemap as limits
from mkdocs_sitemap_plus.options import values
from mkdocs_sitemap_plus.options.reading import Reading
from mkdocs_sitemap_plus.options.values import Invalid, Read, part, several
from mkdocs_sitemap_plus.pipeline import Listed
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap import Restriction, Video

FIELDS = {field.name.removesuffix("_loc"): field.name for field in fields(Video)}
_ELEMENTS = {**FIELDS, "tags": "tag"}  # the protocol's own names are accepted too
_KNOWN = frozenset((*FIELDS, *_ELEMENTS.values()))
# Without the last two, everybody could play the video.
_NEEDED = ("thumbnail", "title", "description", "restriction", "platform")
_PLAYED = ("content", "player")


def read_videos(
    page: Listed, read_url: Read, place: Place, zone: tzinfo
) -> tuple[tuple[Video, ...], list[Problem]]:
    """Return the valid videos that front matter names; problems have the line of their key."""
    readers = _readers(page.loc, read_url, zone)
    reading, found = Reading(place, zone), []
    for number, raw in enumerate(page.overrides.videos or ()):
        found.append(_read(raw, reading.item(number), readers))
    return tuple(filter(None, found)), reading.problems


def _read(raw: Mapping[Any, Any], reading: Reading, readers: Mapping[str, Read]) -> Video | None:
    """Return a video; None if a field that it needs is missing or invalid."""
    reading.unknown([key for key in raw if key not in _KNOWN], tuple(FIELDS))
    written = {key: raw.get(key, raw.get(_ELEMENTS[key])) for key in readers}
    unlisted = "The video is not listed."
    found: dict[str, Any] = {}
    for key, read in readers.items():
        if written[key] is not None:
            alone = key in _PLAYED and not any(written[each] for each in _PLAYED if each != key)
            done = unlisted if key in _NEEDED or alone else "It is not written."
            spelling = key if key in raw else _ELEMENTS[key]
            at = reading.under(spelling)
            found[key] = at.value(read, _without_bad_characters(written[key], at), done=done)
    missing = [key for key in _NEEDED[:3] if written[key] is None]
    missing += [] if any(written[key] for key in _PLAYED) else ["content or player"]
    for key in missing:
        reading.problems.append(Problem(Code.VIDEO, f"has no {key}", reading.place, done=unlisted))
    is_played = any(found.get(key) for key in _PLAYED)
    if missing or not is_played or any(found.get(key, "") is None for key in _NEEDED):
        return None
    return Video(**{FIELDS[key]: value for key, value in found.items() if value is not None})


def _without_bad_characters(raw: object, reading: Reading) -> object:
    """Return a text without characters that XML does not allow; the first one is a problem."""
    bad = re.search(values.NEVER_IN_XML, raw) if isinstance(raw, str) else None
    if bad is None:
        return raw
    found = f"has the character U+{ord(bad[0]):04X}, which XML does not allow"
    done = "The text is written without it."
    reading.problems.append(Problem(Code.TEXT, found, reading.place, done=done))
    return re.sub(values.NEVER_IN_XML, "", str(raw))


def _readers(loc: str, read_url: Read, zone: tzinfo) -> Mapping[str, Read]:
    """Return the reader of each field; what Google does not reject is taken as it is written."""

    def playable(raw: object) -> str:
        if (found := read_url(raw)) == loc:
            raise Invalid(fault="is the URL of the page itself")
        return found  # type: ignore[no-any-return]

    when = partial(values.day_or_time, zone=zone)
    return {
        "thumbnail": read_url,
        "title": partial(values.text, most=limits.MAX_VIDEO_TITLE),
        "description": partial(values.text, most=limits.MAX_VIDEO_DESCRIPTION),
        "content": playable,
        "player": playable,
        "duration": partial(values.whole, most=limits.MAX_VIDEO_SECONDS, least=1),
        "expiration_date": when,
        "rating": partial(values.number, most=limits.MAX_VIDEO_RATING),
        "view_count": partial(values.whole, most=limits.MAX_VIDEO_VIEWS),
        "publication_date": when,
        "tags": _tags,
        "family_friendly": values.flag,
        "restriction": _countries,
        "requires_subscription": values.flag,
        "uploader": values.text,
        "uploader_info": read_url,
        "platform": _platforms,
        "live": values.flag,
    }


def read_video(video: Video, read_url: Read, loc: str, zone: tzinfo) -> Video:
    """Return a video that somebody's code made, if it is valid."""
    written = {key: getattr(video, name) for key, name in FIELDS.items()}
    for key in ("restriction", "platform"):
        if limit := written[key]:
            written[key] = {"allow" if limit.allow else "deny": list(limit.names)}
    written["tags"] = list(video.tags) or None
    reading = Reading(Place(Origin.OPTION, key="video"))
    found = _read(written, reading, _readers(loc, read_url, zone))
    if found is None or reading.problems:
        mistake = str(reading.problems[0]._replace(done=None)).removesuffix(".")
        raise Invalid(fault=f"has a mistake: {mistake}")
    return found


def _tags(raw: object) -> tuple[str, ...]:
    found = several(values.text, f"a list of 1 to {limits.MAX_VIDEO_TAGS} texts", least=1)(raw)
    if len(found) > limits.MAX_VIDEO_TAGS:
        most = f"but at most {limits.MAX_VIDEO_TAGS} are allowed"
        raise Invalid(fault=f"has {len(found)} texts, {most}")
    return found


def _restriction(raw: object) -> tuple[bool, tuple[str, ...]]:
    """Return whether ``{allow: [DE, AT]}`` or ``{deny: DE AT}`` allows, and its names."""
    if not isinstance(raw, Mapping) or len(raw) != 1 or not {"allow", "deny"}.issuperset(raw):
        raise Invalid("a mapping of allow or deny to a list")
    [(relationship, written)] = raw.items()
    listed = written.split() if isinstance(written, str) else written
    with part(f".{relationship}", written):
        names = several(values.text, "a list", least=1)(listed)
    return relationship == "allow", names


def _countries(raw: object) -> Restriction:
    allow, names = _restriction(raw)
    return Restriction(allow=allow, names=tuple(dict.fromkeys(name.upper() for name in names)))


def _platforms(raw: object) -> Restriction:
    allow, names = _restriction(raw)
    return Restriction(allow=allow, names=tuple(dict.fromkeys(name.lower() for name in names)))
