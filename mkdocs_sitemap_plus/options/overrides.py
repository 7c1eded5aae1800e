"""Read the values that front matter, a rule or an extra URL sets for a page."""

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal
from functools import cache, lru_cache, partial
from typing import Any, Literal

from mkdocs_sitemap_plus.options.readers import (
    Read,
    read_changefreq,
    read_flag,
    read_hreflang,
    read_lastmod,
    read_priority,
)
from mkdocs_sitemap_plus.problems import QUOTE_IT, Origin, Place, Problem, invalid
from mkdocs_sitemap_plus.sitemap.entry import Changefreq
from mkdocs_sitemap_plus.wording import closest, first_names, format_key, format_value

RULE_FIELDS = ("changefreq", "priority", "lastmod", "exclude", "images")
"""The keys of a rule, apart from ``match``."""

FIELDS = (*RULE_FIELDS, "videos", "alternates", "depends")
"""The keys under ``sitemap:`` in front matter."""

SHORT_FIELDS = ("changefreq", "priority")
"""The keys that may also stand at the top level of front matter.

Options of the same names hold for the whole site.
"""

_MAX_UNKNOWN = 3
"""Unknown keys of a mapping that get a message each. If there are more, one message names them."""

_MAX_MISSPELLED = 40
"""Characters of a key that is compared with the known keys. A longer one is not a misspelling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides:
    """The values that front matter, a rule or an option sets for a page; None: it sets none.

    Attributes:
        exclude: True leaves the page out; False lists it, even if another source leaves it out.
        lastmod: a date or an aware datetime; False: no date is written.
        changefreq: how often the page is likely to change.
        priority: from 0.0 to 1.0.
        images: whether the images of the page's content are listed; or the images themselves, as
            URLs or as paths relative to the page's source.
        videos: the mapping of each video, as it is written.
        alternates: URLs of the page in other languages, by hreflang.
        depends: paths and patterns of files, relative to the page's source. If one of them changes,
            the page counts as changed.
        places: the place of each field that is set. A field with a place and without a value is
            invalid: nothing is written for it, and no source of lower priority replaces it.
    """

    exclude: bool | None = None
    lastmod: date | datetime | Literal[False] | None = None
    changefreq: Changefreq | None = None
    priority: Decimal | None = None
    images: bool | tuple[str, ...] | None = None
    videos: tuple[Mapping[Any, Any], ...] | None = None
    alternates: Mapping[str, str] | None = None
    depends: tuple[str, ...] | None = None
    places: Mapping[str, Place] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RawValue:
    """The value of one field, as its author wrote it; None: the field is not set."""

    field: str
    raw: object
    place: Place


def read_overrides(
    values: Iterable[RawValue], readers: Mapping[str, Read]
) -> tuple[Overrides, list[Problem]]:
    """Return the overrides that raw values set, and one problem for each invalid value.

    Args:
        values: the raw values. If there are several of one field, the first that is set counts.
        readers: the reader of each field: `page_readers` or `RULE_READERS`.
    """
    read: dict[str, Any] = {}
    places: dict[str, Place] = {}
    problems: list[Problem] = []
    for each in values:
        if each.raw is None or each.field in places:
            continue
        value = readers[each.field](each.raw, each.place)
        if isinstance(value, Problem):
            problems.append(replace(value, done=value.done or IF_INVALID[each.field]))
            if value.note:  # the key of another tool: a rule may still set the field
                continue
        else:
            read[each.field] = value
        places[each.field] = each.place
    return Overrides(places=places, **read), problems


def page_readers(zone: tzinfo) -> Mapping[str, Read]:
    """Return the reader of each field of one page; datetimes without an offset are in `zone`."""
    return {**_READERS, "lastmod": partial(read_lastmod, zone=zone)}


def _read_priority(raw: object, place: Place) -> Decimal | Problem:
    """Return a priority; a word at the top level, such as ``priority: high``, is another tool's."""
    top_level = place.origin is Origin.FRONT_MATTER and place.key == "priority"
    if top_level and isinstance(raw, str) and not re.search(r"\d", raw):
        return Problem(
            code="priority-of-another-tool",
            place=place,
            found=f"is {format_value(raw)}, which is not a number",
            done="It is ignored, since it may belong to another tool.",
            note=True,
        )
    return read_priority(raw, place)


def _read_alternates(raw: object, place: Place) -> dict[str, str] | Problem:
    if not isinstance(raw, Mapping) or not raw:
        expected = "a mapping of language codes, such as de or pt-BR, to URLs"
        return invalid("alternates", place, raw, expected)
    found = {}
    for locale, href in raw.items():
        here = place.under(format_key(locale))
        code = read_hreflang(locale, here)
        if isinstance(code, Problem):
            return code
        if not isinstance(href, str) or not href.strip():
            return invalid("alternates", here, href, "a URL")
        found[code] = href.strip()
    return found


def _read_images(raw: object, place: Place) -> bool | tuple[str, ...] | Problem:
    flag = read_flag(raw, place)
    if isinstance(flag, bool):
        return flag
    return _one_or_several(str, raw, place, "true, false or a list of paths or URLs")


def _read_videos(raw: object, place: Place) -> tuple[Mapping[Any, Any], ...] | Problem:
    return _one_or_several(Mapping, raw, place, "a list of mappings")


def _read_depends(raw: object, place: Place) -> tuple[str, ...] | Problem:
    expected = "a list of paths or patterns, relative to the page"
    if raw == []:
        return invalid("depends", place, raw, expected)
    return _one_or_several(str, raw, place, expected)


def _one_or_several(
    kind: type, raw: object, place: Place, expected: str
) -> tuple[Any, ...] | Problem:
    """Return a tuple from one value of a class, or from a list of such values; no text is blank."""
    items = [raw] if isinstance(raw, kind) else raw
    if isinstance(items, list) and all(
        isinstance(each, kind) and (not isinstance(each, str) or each.strip()) for each in items
    ):
        return tuple(items)
    return invalid(place.name, place, raw, expected)


def _read_no_date(raw: object, place: Place) -> Literal[False] | Problem:
    """Return False, which stands for "no date"; a rule can set no other date for many pages."""
    if read_lastmod(raw, place, UTC) is False:
        return False
    return invalid("lastmod", place, raw, "false, which gives the pages no date")


_READERS: Mapping[str, Read] = {
    "changefreq": read_changefreq,
    "priority": _read_priority,
    "exclude": read_flag,
    "images": _read_images,
    "videos": _read_videos,
    "alternates": _read_alternates,
    "depends": _read_depends,
}

RULE_READERS: Mapping[str, Read] = {**_READERS, "lastmod": _read_no_date, "images": read_flag}
"""The reader of each field of a rule, which holds for many pages."""

IF_INVALID = {
    "changefreq": "No changefreq is written.",
    "priority": "No priority is written.",
    "lastmod": "No lastmod is written.",
    "exclude": "It is ignored.",
    "images": "No images are written.",
    "videos": "No videos are written.",
    "alternates": "No language links are written.",
    "depends": "It is ignored.",
}
"""What happens to a field with an invalid value, as a sentence."""


def read_front_matter(
    meta: Mapping[str, Any],
    file: str,
    lines: Mapping[str, int],
    zone: tzinfo,
    lastmod_keys: tuple[str, ...],
) -> tuple[Overrides, list[Problem]]:
    """Return the overrides in a page's front matter, and the problems of its keys.

    A key under ``sitemap:`` wins over the same key at the top level.

    Args:
        meta: the front matter, as MkDocs gives it.
        file: the page's source, as messages name it.
        lines: the 1-based line of each dotted key; a key without a known line is missing.
        zone: the time zone of datetimes without an offset.
        lastmod_keys: dotted keys that are looked up after ``sitemap.lastmod``, in this order.
    """
    known = top_keys(lastmod_keys)
    if not has_sitemap_keys(meta, known):
        return Overrides(), []

    def place(key: str) -> Place:
        return Place(origin=Origin.FRONT_MATTER, file=file, key=key, line=lines.get(key))

    values, problems = _read_sitemap_key(meta.get("sitemap"), place)
    values += [RawValue(name, meta.get(name), place(name)) for name in SHORT_FIELDS]
    values += [RawValue("lastmod", _value_at(meta, key), place(key)) for key in lastmod_keys]
    overrides, invalid_values = read_overrides(values, page_readers(zone))
    problems += invalid_values
    for key in meta:
        if known_key := similar_key(key, known):
            problems.append(_near_miss_problem(place(key), known_key))
    return overrides, problems


def _near_miss_problem(place: Place, key: str) -> Problem:
    found = "is not a key that this plugin reads"
    suggestion = format_value(key)
    return Problem(code="near-miss", place=place, found=found, suggestion=suggestion, note=True)


def _read_sitemap_key(
    raw: object, place: Callable[[str], Place]
) -> tuple[list[RawValue], list[Problem]]:
    """Return the raw values under ``sitemap:``, and the problems of its keys."""
    here = place("sitemap")
    if raw is None:
        return [], []
    if isinstance(raw, Mapping):
        values = [RawValue(name, raw.get(name), place(f"sitemap.{name}")) for name in FIELDS]
        return values, unknown_keys(raw, place, "sitemap", FIELDS)
    listed = read_flag(raw, here)
    if isinstance(listed, Problem):
        allowed = "true, false or a mapping of " + ", ".join(FIELDS)
        return [], [replace(invalid("sitemap", here, raw, allowed), done="It is ignored.")]
    return [RawValue("exclude", not listed, here)], []


@cache
def top_keys(lastmod_keys: tuple[str, ...]) -> frozenset[str]:
    """Return the keys at the top level of front matter that the plugin reads."""
    dated = (key.partition(".")[0] for key in lastmod_keys)
    return frozenset(("sitemap", *SHORT_FIELDS, *dated))


def has_sitemap_keys(meta: Mapping[Any, Any], known: frozenset[str]) -> bool:
    """Return whether front matter has one of the `known` keys, or a misspelled one."""
    return not known.isdisjoint(meta) or any(similar_key(key, known) for key in meta)


@lru_cache(maxsize=1024)
def similar_key(key: object, known: frozenset[str]) -> str | None:
    """Return the known key that the author of an unknown key at the top level probably meant.

    ``Sitemap``, ``change_freq`` and ``prioriti`` are such keys. None: no known key is similar, so
    the key belongs to another tool.
    """
    if not isinstance(key, str) or key in known or len(key) > _MAX_MISSPELLED:
        return None
    plain = _letters(key)
    # Other tools use "Date". So it is not a misspelled "date".
    same = next((each for each in sorted(known - {"date"}) if _letters(each) == plain), None)
    return same or closest(plain, ("sitemap", *SHORT_FIELDS), cutoff=0.87)


def _letters(key: str) -> str:
    """Return a key in lower case, without ``_``, ``-`` and blanks."""
    return key.lower().replace("_", "").replace("-", "").replace(" ", "")


def unknown_keys(
    raw: Mapping[Any, Any],
    place: Callable[[str], Place],
    parent: str,
    known: Sequence[str],
    unnamed: Container[object] = (),
) -> list[Problem]:
    """Return one problem for each unknown key of a mapping, or one for all if there are many.

    Args:
        raw: the mapping.
        place: makes the place of a dotted key.
        parent: the dotted key of the mapping.
        known: the keys that it may have; messages name them.
        unnamed: further keys that it may have; messages do not name them.
    """
    unknown = [key for key in raw if key not in known and key not in unnamed]
    if len(unknown) <= _MAX_UNKNOWN:
        return [unknown_key(key, place(f"{parent}.{format_key(key)}"), known) for key in unknown]
    names = first_names([format_key(key) for key in unknown], _MAX_UNKNOWN)
    found = f"has the unknown keys {names} (known: {', '.join(known)})"
    return [Problem(code="unknown-key", place=place(parent), found=found, done="They are ignored.")]


def unknown_key(key: object, place: Place, known: Sequence[str]) -> Problem:
    """Return the problem of an unknown key at this place; it suggests the nearest known key."""
    suggestion = closest(format_key(key), known)
    return Problem(
        code="unknown-key",
        place=place,
        found=f"is not a known key (known: {', '.join(known)})",
        suggestion=format_value(suggestion) if suggestion else None,
        done="It is ignored.",
        fix=None if isinstance(key, str) else QUOTE_IT,
    )


def _value_at(meta: object, dotted: str) -> object:
    """Return the value at a dotted key; None if there is none."""
    for name in dotted.split("."):
        meta = meta.get(name) if isinstance(meta, Mapping) else None
    return meta
