"""Read the values that front matter, a rule or an extra URL sets for a page."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal
from functools import cache, lru_cache, partial
from typing import Any, Literal, NamedTuple

from mkdocs_sitemap_plus.options.readers import (
    Read,
    code_of,
    read_changefreq,
    read_flag,
    read_hreflang,
    read_lastmod,
    read_priority,
)
from mkdocs_sitemap_plus.options.unknown import unknown_keys
from mkdocs_sitemap_plus.problems import (
    Code,
    Level,
    Origin,
    Place,
    Problem,
    Result,
    invalid,
)
from mkdocs_sitemap_plus.sitemap import Changefreq
from mkdocs_sitemap_plus.wording import closest, format_key, format_value

RULE_FIELDS = ("changefreq", "priority", "lastmod", "exclude", "images")  # beside ``match``
# Under ``sitemap:`` in front matter
SITEMAP_KEYS = (*RULE_FIELDS, "videos", "alternates", "depends")
TOP_LEVEL_KEYS = ("changefreq", "priority")  # also allowed at the top level of front matter

# Keys that leave a page out in other tools.
_OUT_IN_OTHER_TOOLS = (
    "noindex",
    "no_index",
    "exclude",
    "exclude_from_sitemap",
    "sitemap_exclude",
    "draft",
)

_MAX_MISSPELLED = 40  # characters of a key; a longer one is not a misspelling of a known key
_SEPARATORS = str.maketrans("", "", "_- ")


class Overrides(NamedTuple):
    """The values that front matter, a rule or an option sets for a page.

    A field that is not set is None, and not in `places`. An invalid field is None, too, but it is
    in `places`, so that no rule and no option sets it instead.
    """

    exclude: bool | None = None  # False: the page is listed, even if a rule leaves it out
    lastmod: date | datetime | Literal[False] | None = None  # aware; False: no date is written
    changefreq: Changefreq | None = None
    priority: Decimal | None = None  # from 0.0 to 1.0
    # True: the images of the content are listed; False: none; a tuple: these paths or URLs.
    images: bool | tuple[str, ...] | None = None
    videos: tuple[Mapping[Any, Any], ...] | None = None  # as they are written
    alternates: Mapping[str, str] | None = None  # URLs of the page by hreflang
    depends: tuple[str, ...] | None = None  # paths and patterns of files; their changes count, too
    places: Mapping[str, Place] = {}  # where each field is set


RawValue = tuple[str, object, Place]
"""The name of a field, its value as it is written (None: it is not set), and the value's place."""


def read_overrides(
    values: Iterable[RawValue], readers: Mapping[str, Read]
) -> tuple[Overrides, list[Problem]]:
    """Return the overrides, and all problems. The first raw value of a field that is set counts."""
    values_read: dict[str, Any] = {}
    places: dict[str, Place] = {}
    problems: list[Problem] = []
    for field, raw, place in values:
        if raw is None or field in places:
            continue
        value, faults = readers[field](raw, place)
        problems += [fault._replace(done=fault.done or IF_INVALID[field]) for fault in faults]
        if any(fault.level is Level.INFO for fault in faults):
            continue  # the key may belong to another tool, so a later value may set the field
        if value is not None:
            values_read[field] = value
        places[field] = place
    return Overrides(places=places, **values_read), problems


def page_readers(zone: tzinfo) -> Mapping[str, Read]:
    """Return the reader of each field of a page. Datetimes without an offset are in `zone`."""
    return {**_READERS, "lastmod": partial(read_lastmod, zone=zone)}


def _read_priority(raw: object, place: Place) -> Result[Decimal]:
    """Return a priority. But ``priority: high`` at the top level is the key of another tool."""
    top_level = place.origin is Origin.FRONT_MATTER and place.key == "priority"
    if top_level and isinstance(raw, str) and not re.search(r"\d", raw):
        problem = Problem(
            code=Code.PRIORITY_OF_ANOTHER_TOOL,
            place=place,
            found=f"is {format_value(raw)}, which is not a number from 0.0 to 1.0",
            done="It is ignored, because it may belong to another tool.",
            level=Level.INFO,
        )
        return None, [problem]
    return read_priority(raw, place)


def _read_alternates(raw: object, place: Place) -> Result[dict[str, str]]:
    if not isinstance(raw, Mapping) or not raw:
        expected = "a mapping of language codes, such as de or pt-BR, to URLs"
        return None, [invalid(Code.ALTERNATES, place, raw, expected)]
    hrefs: dict[str, str] = {}
    for locale, href in raw.items():
        place_of_link = place.under(format_key(locale))
        code, problems = read_hreflang(locale, place_of_link)
        if code is None:
            return None, problems
        if not isinstance(href, str) or not href.strip():
            return None, [invalid(Code.ALTERNATES, place_of_link, href, "a URL")]
        if hrefs.setdefault(code, href.strip()) != href.strip():
            fault = f"is a second URL of {code}"
            return None, [invalid(Code.ALTERNATES, place_of_link, href, fault=fault)]
    return hrefs, []


def _one_or_several(kind: type, expected: str, *, least: int = 0) -> Read:
    """Return a reader of an object of the class `kind`, or of a list of at least `least` of them.

    Blank texts are invalid.
    """

    def read(raw: object, place: Place) -> Result[tuple[Any, ...]]:
        items = [raw] if isinstance(raw, kind) else raw
        if isinstance(items, list) and len(items) >= least:
            blank = (isinstance(item, str) and not item.strip() for item in items)
            if all(isinstance(item, kind) for item in items) and not any(blank):
                return tuple(items), []
        return None, [invalid(code_of(place), place, raw, expected)]

    return read


_read_image_paths = _one_or_several(str, "true, false or a list of paths or URLs")


def _read_images(raw: object, place: Place) -> Result[bool | tuple[str, ...]]:
    flag, _ = read_flag(raw, place)
    return (flag, []) if flag is not None else _read_image_paths(raw, place)


def _read_no_date(raw: object, place: Place) -> Result[Literal[False]]:
    """Return False ("no date")."""
    value, _ = read_lastmod(raw, place, UTC)  # the zone does not matter, since no date is allowed
    if value is False:
        return False, []
    return None, [invalid(Code.LASTMOD, place, raw, "false, which gives the pages no date")]


_READERS: Mapping[str, Read] = {
    "changefreq": read_changefreq,
    "priority": _read_priority,
    "exclude": read_flag,
    "images": _read_images,
    "videos": _one_or_several(Mapping, "a list of mappings"),
    "alternates": _read_alternates,
    "depends": _one_or_several(str, "a list of paths or patterns, relative to the page", least=1),
}

# A rule holds for many pages, so it can't set a date or list images.
RULE_READERS: Mapping[str, Read] = {**_READERS, "lastmod": _read_no_date, "images": read_flag}

IF_INVALID = {  # what happens to a field with an invalid value, as a sentence
    "changefreq": "No changefreq is written.",
    "priority": "No priority is written.",
    "lastmod": "No lastmod is written.",
    "exclude": "The page is listed, even if a rule or an option excludes it.",
    "images": "No images are written.",
    "videos": "No videos are written.",
    "alternates": "No language links are written.",
    "depends": "It is ignored.",
}


def read_front_matter(
    meta: Mapping[str, Any],
    file: str,
    lines: Mapping[str, int],
    zone: tzinfo,
    lastmod_keys: tuple[str, ...],
) -> tuple[Overrides, list[Problem]]:
    """Return the overrides in a page's front matter, and the problems of its keys.

    A key under ``sitemap:`` wins over the same key at the top level. The date is that of
    ``sitemap.lastmod``, or of the first of the dotted `lastmod_keys` that is set. Datetimes without
    an offset are in `zone`. `file` is the page's source, as messages name it. `lines` has the line
    of each dotted key.
    """
    known = top_keys(lastmod_keys)
    if not has_sitemap_keys(meta, known):
        return Overrides(), []

    def place_of(key: str) -> Place:
        return Place(origin=Origin.FRONT_MATTER, file=file, key=key, line=lines.get(key))

    values, problems = _read_sitemap_key(meta.get("sitemap"), place_of, lines)
    values += [(name, meta.get(name), place_of(name)) for name in TOP_LEVEL_KEYS]
    values += [
        ("lastmod", _date_at(meta, key, lastmod_keys), place_of(key)) for key in lastmod_keys
    ]
    overrides, value_problems = read_overrides(values, page_readers(zone))
    problems += value_problems
    for key in meta:
        if similar := similar_key(key, known):
            found = "is not a key that this plugin reads"
            near_miss = Problem(
                code=Code.NEAR_MISS, place=place_of(key), found=found, level=Level.INFO
            )
            problems.append(near_miss._replace(suggestion=format_value(similar)))
    return overrides, problems


def _read_sitemap_key(
    raw: object, place_of: Callable[[str], Place], lines: Mapping[str, int]
) -> tuple[list[RawValue], list[Problem]]:
    """Return the raw values under ``sitemap:``, and the problems of its keys."""
    place = place_of("sitemap")
    if raw is None:
        return [], []
    if isinstance(raw, Mapping):
        values = [(name, raw.get(name), place_of(f"sitemap.{name}")) for name in SITEMAP_KEYS]
        return values, unknown_keys(raw, place, SITEMAP_KEYS, lines)
    listed, _ = read_flag(raw, place)
    if listed is None:
        allowed = "true, false or a mapping of " + ", ".join(SITEMAP_KEYS)
        return [], [invalid(Code.SITEMAP, place, raw, allowed)._replace(done="It is ignored.")]
    return [("exclude", not listed, place)], []


@cache
def top_keys(lastmod_keys: tuple[str, ...]) -> frozenset[str]:
    """Return the keys at the top level of front matter that the plugin reads."""
    date_keys = (key.partition(".")[0] for key in lastmod_keys)
    return frozenset(("sitemap", *TOP_LEVEL_KEYS, *date_keys))


def has_sitemap_keys(meta: Mapping[Any, Any], known: frozenset[str]) -> bool:
    """Return whether front matter has a key that a message may name.

    These are the `known` keys, misspelled ones, and keys that leave a page out in other tools.
    """
    if not known.isdisjoint(meta) or key_of_other_tool(meta):
        return True
    return any(similar_key(key, known) for key in meta)


def key_of_other_tool(meta: Mapping[Any, Any]) -> str | None:
    """Return the key that would leave the page out in another tool, such as ``noindex: true``."""
    for key in _OUT_IN_OTHER_TOOLS:
        if key in meta and read_flag(meta[key], Place(Origin.FRONT_MATTER))[0]:
            return key
    robots = meta.get("robots")
    said = robots.lower().replace(",", " ").split() if isinstance(robots, str) else ()
    return "robots" if "noindex" in said or "none" in said else None


@lru_cache(maxsize=1024)
def similar_key(key: object, known: frozenset[str]) -> str | None:
    """Return the known key that is meant by a key such as ``Sitemap`` or ``prioriti``.

    None if the key is known, or if it is similar to no known key: it belongs to another tool.
    """
    if not isinstance(key, str) or key in known or len(key) > _MAX_MISSPELLED:
        return None
    outer, _, field = key.partition(".")
    if outer == "sitemap" and field in SITEMAP_KEYS:
        return f"sitemap: {{{field}: ...}}"
    by_letters: dict[str, str] = {}
    for name in sorted(known - {"date"}):  # "Date" is a key of other tools
        by_letters.setdefault(name.lower().translate(_SEPARATORS), name)
    letters = key.lower().translate(_SEPARATORS)
    return by_letters.get(letters) or closest(letters, ("sitemap", *TOP_LEVEL_KEYS), cutoff=0.87)


def read_mapping(raw: object, place: Place, known: Sequence[str]) -> Result[Mapping[Any, Any]]:
    """Return a mapping. Its unknown keys are problems."""
    if not isinstance(raw, Mapping):
        return None, [invalid(Code.OPTION, place, raw, "a mapping of " + ", ".join(known))]
    return raw, unknown_keys(raw, place, known, {})


def _date_at(meta: Mapping[str, Any], key: str, lastmod_keys: tuple[str, ...]) -> object:
    """Return the raw date at a dotted key; None for a mapping, if a longer key leads into it."""
    value: object = meta
    for name in key.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    has_inner_key = any(other.startswith(f"{key}.") for other in lastmod_keys)
    return None if has_inner_key and isinstance(value, Mapping) else value
