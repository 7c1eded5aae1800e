"""Add the images and videos of each entry (Google, "Video sitemaps"; ``sitemap-video.xsd``)."""

import os
import re
from collections.abc import Mapping
from dataclasses import fields
from datetime import tzinfo
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from mkdocs_sitemap_plus import sitemap as limits
from mkdocs_sitemap_plus.files import exists
from mkdocs_sitemap_plus.options import values
from mkdocs_sitemap_plus.options.reading import Reading
from mkdocs_sitemap_plus.options.values import Invalid, Read, part, several
from mkdocs_sitemap_plus.pages import Site, SourcePage, Url
from mkdocs_sitemap_plus.pipeline import Listed, Work
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem, with_line
from mkdocs_sitemap_plus.sitemap import MAX_IMAGES, Restriction, Video
from mkdocs_sitemap_plus.sitemap.urls import absolute_url, base_url, quote_path, unquote_path


def add_media(work: Work) -> None:
    """Add the images and the videos of each entry."""
    for page in work.listed:
        about = page.about
        if page.overrides.images:
            _add_images(page, work)
        elif isinstance(about, SourcePage) and about.images and page.overrides.images is None:
            page.set("images", about.images, Place(Origin.SITEMAP))
    for page in work.listed:
        if page.overrides.videos:
            read = partial(_file_url, page, work.context.site)
            place, zone = page.overrides.places["videos"], work.context.settings.lastmod.timezone
            videos, problems = _read_videos(page, read, place, zone)
            page.set("videos", videos, place)
            lines = getattr(page.about, "lines", {})
            work.problems += [
                p._replace(place=p.place and with_line(p.place, lines)) for p in problems
            ]


def _add_images(page: Listed, work: Work) -> None:
    """Add the images that the owner names, or those of the built page, in their order."""
    wanted, place, about = page.overrides.images, page.overrides.places["images"], page.about
    reading, found, found_at = Reading(place), [], place
    if isinstance(wanted, tuple):
        for number, raw in enumerate(wanted):
            read = partial(_file_url, page, work.context.site)
            found.append(reading.item(number).value(read, raw, done="This image is not listed."))
    elif isinstance(about, SourcePage) and about.built:
        base, found_at = base_url(about.loc, about.built.base), Place(Origin.BUILT_PAGE, page.name)
        found = [absolute_url(raw, base)[0] for raw in about.built.images]
    images = tuple(dict.fromkeys(filter(None, found)))
    page.set("images", images[:MAX_IMAGES], place)
    work.problems += reading.problems[:1]
    work.problems += too_many_images(found_at, len(images))


def too_many_images(place: Place, count: int) -> list[Problem]:
    """Return the problem of a page with more images than the protocol allows."""
    if count <= MAX_IMAGES:
        return []
    found = f"has {count:,} images, but at most {MAX_IMAGES:,} are allowed for a page"
    return [Problem(Code.IMAGES, found, place, done=f"The first {MAX_IMAGES:,} are written.")]


def url_from(raw: object, base: str) -> str:
    """Return the absolute URL of what somebody wrote."""
    found, fault = absolute_url(raw, base)
    if found is None:
        raise Invalid(None if fault else "a URL", fault=fault)
    return found


def _file_url(page: Listed, site: Site, raw: object) -> str:
    """Return the URL of an image or a video. A URL in this site must have an existing file.

    A relative one starts from the folder of the page's source, as in Markdown; else from the URL of
    the page, since languages and blogs are built into other folders.
    """
    bases, about = [page.loc], page.about
    if not isinstance(about, Url):
        folder = quote_path(about.src_uri.rpartition("/")[0])
        bases.insert(0, urljoin(site.url, f"{folder}/" if folder else ""))
    for found in (url_from(raw, base) for base in bases):
        path = os.path.normpath(unquote_path(found.removeprefix(site.url).partition("?")[0]))
        inside = not path.startswith("..") and not Path(path).is_absolute()
        if not found.startswith(site.url) or (inside and exists(site.site_dir / path)):
            return found
    raise Invalid("a file of the built site, as a path from the page's source, or a URL")


VIDEO_KEYS = {field.name.removesuffix("_loc"): field.name for field in fields(Video)}
_VIDEO_ELEMENTS = {**VIDEO_KEYS, "tags": "tag"}  # the protocol's own names are accepted too
_KNOWN = frozenset((*VIDEO_KEYS, *_VIDEO_ELEMENTS.values()))
# Without the last two, everybody could play the video.
_NEEDED_OF_VIDEO = ("thumbnail", "title", "description", "restriction", "platform")
_PLAYED = ("content", "player")


def _read_videos(
    page: Listed, read_url: Read, place: Place, zone: tzinfo
) -> tuple[tuple[Video, ...], list[Problem]]:
    """Return the valid videos that front matter names; problems have the line of their key."""
    readers = _video_readers(page.loc, read_url, zone)
    reading, found = Reading(place, zone), []
    for number, raw in enumerate(page.overrides.videos or ()):
        found.append(_video(raw, reading.item(number), readers))
    return tuple(filter(None, found)), reading.problems


def _video(raw: Mapping[Any, Any], reading: Reading, readers: Mapping[str, Read]) -> Video | None:
    """Return a video; None if a field that it needs is missing or invalid."""
    reading.unknown([key for key in raw if key not in _KNOWN], tuple(VIDEO_KEYS))
    written = {key: raw.get(key, raw.get(_VIDEO_ELEMENTS[key])) for key in readers}
    unlisted = "The video is not listed."
    found: dict[str, Any] = {}
    for key, read in readers.items():
        if written[key] is not None:
            alone = key in _PLAYED and not any(written[each] for each in _PLAYED if each != key)
            done = unlisted if key in _NEEDED_OF_VIDEO or alone else "It is not written."
            spelling = key if key in raw else _VIDEO_ELEMENTS[key]
            at = reading.under(spelling)
            found[key] = at.value(read, _without_bad_characters(written[key], at), done=done)
    missing = [key for key in _NEEDED_OF_VIDEO[:3] if written[key] is None]
    missing += [] if any(written[key] for key in _PLAYED) else ["content or player"]
    for key in missing:
        reading.problems.append(Problem(Code.VIDEO, f"has no {key}", reading.place, done=unlisted))
    is_played = any(found.get(key) for key in _PLAYED)
    if missing or not is_played or any(found.get(key, "") is None for key in _NEEDED_OF_VIDEO):
        return None
    return Video(**{VIDEO_KEYS[key]: value for key, value in found.items() if value is not None})


def _without_bad_characters(raw: object, reading: Reading) -> object:
    """Return a text without characters that XML does not allow; the first one is a problem."""
    bad = re.search(values.NEVER_IN_XML, raw) if isinstance(raw, str) else None
    if bad is None:
        return raw
    found = f"has the character U+{ord(bad[0]):04X}, which XML does not allow"
    done = "The text is written without it."
    reading.problems.append(Problem(Code.TEXT, found, reading.place, done=done))
    return re.sub(values.NEVER_IN_XML, "", str(raw))


def _video_readers(loc: str, read_url: Read, zone: tzinfo) -> Mapping[str, Read]:
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
    written = {key: getattr(video, name) for key, name in VIDEO_KEYS.items()}
    for key in ("restriction", "platform"):
        if limit := written[key]:
            written[key] = {"allow" if limit.allow else "deny": list(limit.names)}
    written["tags"] = list(video.tags) or None
    reading = Reading(Place(Origin.OPTION, key="video"))
    found = _video(written, reading, _video_readers(loc, read_url, zone))
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
