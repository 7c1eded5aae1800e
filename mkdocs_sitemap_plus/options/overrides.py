"""A mapping to Overrides: front matter, a rule and the site-wide fields are all read here."""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Any, Literal

from mkdocs_sitemap_plus.options.settings import Overrides, Rule
from mkdocs_sitemap_plus.problems import QUOTE_IT, Origin, Place, Problem, invalid
from mkdocs_sitemap_plus.sitemap.fields import (
    read_changefreq,
    read_flag,
    read_hreflang,
    read_lastmod,
    read_priority,
)
from mkdocs_sitemap_plus.wording import first_names, format_key, format_value

RULE_FIELDS = ("changefreq", "priority", "lastmod", "exclude", "images")
"""The keys of a rule, beside ``match``."""

FIELDS = (*RULE_FIELDS, "videos", "alternates", "depends")
"""The keys under ``sitemap:`` in front matter."""

_MAX_UNKNOWN = 3
"""Unknown keys of a mapping that have a message each."""

SHORT_FIELDS = ("changefreq", "priority")
"""The keys that front matter may say at its top level, and the options that hold site-wide."""


@cache
def top_keys(lastmod_keys: tuple[str, ...]) -> frozenset[str]:
    """The keys at the top level of front matter that are read, with those of ``lastmod``."""
    dated = (key.partition(".")[0] for key in lastmod_keys)
    return frozenset(("sitemap", *SHORT_FIELDS, *dated))


_LONGEST_SLIP = 40
"""Characters of a key that may be one of ours, misspelled."""


@lru_cache(maxsize=1024)
def near_miss(key: object, known: frozenset[str]) -> str | None:
    """Return the key that an unknown key at the top of front matter was probably meant to be.

    ``Sitemap`` and ``change_freq`` are spelled otherwise, ``prioriti`` is a slip. None: it is
    another tool's.
    """
    if not isinstance(key, str) or key in known or len(key) > _LONGEST_SLIP:
        return None
    plain = _plain_key(key)
    spelled = next((each for each in sorted(known - {"date"}) if _plain_key(each) == plain), None)
    near = get_close_matches(plain, ("sitemap", *SHORT_FIELDS), n=1, cutoff=0.87)
    return spelled or next(iter(near), None)


def _plain_key(key: str) -> str:
    return key.lower().replace("_", "").replace("-", "").replace(" ", "")


def has_our_keys(meta: Mapping[Any, Any], known: frozenset[str]) -> bool:
    """Return whether front matter has a key of ours, or one that is nearly so."""
    return not known.isdisjoint(meta) or any(near_miss(key, known) for key in meta)


def may_list_images(src_uri: str, meta: Mapping[str, Any], rules: Iterable[Rule]) -> bool:
    """Whether a page's images may be asked for: a look at its HTML takes time."""
    own = meta.get("sitemap")
    if isinstance(own, Mapping) and own.get("images") is not None:
        return True
    return any(
        rule.overrides.images and (rule.match is None or rule.match.match_file(src_uri))
        for rule in rules
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One raw value, and where it stands."""

    field: str
    raw: object
    place: Place


def read_overrides(
    said: list[Said], zone: tzinfo, *, of_one: bool = True
) -> tuple[Overrides, list[Problem]]:
    """What is said, and what is wrong with it.

    Args:
        said: raw values; of those for one field the first that is not None wins.
        zone: of datetimes without an offset.
        of_one: whether it is said of one page; else ``lastmod`` may only be False ("undated"), and
            ``images`` no list.

    Returns:
        Overrides, where a wrong value leaves its field None but its place known, and one problem
        for each wrong value.
    """
    values: dict[str, Any] = {}
    places: dict[str, Place] = {}
    problems: list[Problem] = []
    for each in said:
        if each.raw is None or each.field in places:
            continue
        value = _read(each, zone, of_one=of_one)
        if isinstance(value, Problem):
            problems.append(replace(value, done=value.done or WITHOUT[each.field]))
            if value.note:
                continue
        else:
            values[each.field] = value
        places[each.field] = each.place
    return Overrides(places=places, **values), problems


def _read(said: Said, zone: tzinfo, *, of_one: bool) -> object | Problem:
    if said.field == "lastmod":
        return _read_date(said, zone) if of_one else _read_undated(said, zone)
    if said.field == "images" and not of_one:
        return read_flag(said.raw, said.place)
    return _READERS[said.field](said.raw, said.place)


def _read_date(said: Said, zone: tzinfo) -> date | datetime | Literal[False] | Problem:
    return read_lastmod(said.raw, said.place, zone)


def _read_undated(said: Said, zone: tzinfo) -> Literal[False] | Problem:
    if read_lastmod(said.raw, said.place, zone) is False:
        return False
    return invalid("lastmod", said.place, said.raw, "false, which gives the pages no date")


def _read_alternates(raw: object, place: Place) -> dict[str, str] | Problem:
    """URLs by hreflang; a relative one starts from the page's own."""
    expected = "a mapping of language codes, such as de or pt-BR, to URLs"
    if not isinstance(raw, Mapping) or not raw:
        return invalid("alternates", place, raw, expected)
    found = {}
    for locale, href in raw.items():
        code = read_hreflang(locale, replace(place, key=f"{place.key}.{format_key(locale)}"))
        if isinstance(code, Problem):
            return code
        if not isinstance(href, str) or not href.strip():
            here = replace(place, key=f"{place.key}.{format_key(locale)}")
            return invalid("alternates", here, href, "a URL")
        found[code] = href.strip()
    return found


def _read_images(raw: object, place: Place) -> bool | tuple[str, ...] | Problem:
    """Whether to list those of the page, or the images themselves."""
    flag = read_flag(raw, place)
    if isinstance(flag, bool):
        return flag
    names = [raw] if isinstance(raw, str) else raw
    if isinstance(names, list) and all(isinstance(name, str) and name.strip() for name in names):
        return tuple(names)
    return invalid("images", place, raw, "true, false or a list of paths or URLs")


def _read_videos(raw: object, place: Place) -> tuple[Mapping[Any, Any], ...] | Problem:
    videos = [raw] if isinstance(raw, Mapping) else raw
    if isinstance(videos, list) and all(isinstance(video, Mapping) for video in videos):
        return tuple(videos)
    return invalid("videos", place, raw, "a list of mappings")


def _read_depends(raw: object, place: Place) -> tuple[str, ...] | Problem:
    names = [raw] if isinstance(raw, str) else raw
    if isinstance(names, list) and names and all(isinstance(name, str) and name for name in names):
        return tuple(names)
    return invalid("depends", place, raw, "a list of paths or patterns, relative to the page")


_READERS: dict[str, Callable[[object, Place], object]] = {
    "changefreq": read_changefreq,
    "priority": read_priority,
    "exclude": read_flag,
    "images": _read_images,
    "videos": _read_videos,
    "alternates": _read_alternates,
    "depends": _read_depends,
}


WITHOUT = {
    "changefreq": "No changefreq is written.",
    "priority": "No priority is written.",
    "lastmod": "No lastmod is written.",
    "exclude": "It is ignored.",
    "images": "No images are written.",
    "videos": "No videos are written.",
    "alternates": "No language links are written.",
    "depends": "It is ignored.",
}
"""What happens to a field whose value is invalid."""

_SILENT = Overrides()


def read_front_matter(
    meta: Mapping[str, Any],
    file: str,
    lines: Mapping[str, int],
    zone: tzinfo,
    lastmod_keys: tuple[str, ...],
) -> tuple[Overrides, list[Problem]]:
    """What a page's front matter says of itself (the long form wins over the short one).

    Args:
        meta: the front matter, as MkDocs gives it.
        file: the page's source, as messages name it.
        lines: the 1-based line of each dotted key, as far as they are known.
        zone: of datetimes without an offset.
        lastmod_keys: dotted keys that are looked up after ``sitemap.lastmod``.
    """
    known = top_keys(lastmod_keys)
    if not has_our_keys(meta, known):
        return _SILENT, []

    def place(key: str) -> Place:
        return Place(origin=Origin.FRONT_MATTER, file=file, key=key, line=lines.get(key))

    long, problems = _long_form(meta.get("sitemap"), place)
    short = [Said(field=name, raw=meta.get(name), place=place(name)) for name in SHORT_FIELDS]
    dated = [Said(field="lastmod", raw=_at(meta, key), place=place(key)) for key in lastmod_keys]
    overrides, wrong_values = read_overrides([*long, *short, *dated], zone)
    near = [
        _near_miss(place(key), suggestion) for key in meta if (suggestion := near_miss(key, known))
    ]
    return overrides, [*problems, *wrong_values, *near]


def _near_miss(place: Place, suggestion: str) -> Problem:
    return Problem(
        code="near-miss",
        place=place,
        found="is not a key that this plugin reads",
        suggestion=format_value(suggestion),
        note=True,
    )


def _long_form(raw: object, place: Callable[[str], Place]) -> tuple[list[Said], list[Problem]]:
    here = place("sitemap")
    if raw is None:
        return [], []
    if isinstance(raw, Mapping):
        known = [
            Said(field=name, raw=raw.get(name), place=place(f"sitemap.{name}")) for name in FIELDS
        ]
        return known, unknown_keys(raw, place, "sitemap", FIELDS)
    listed = read_flag(raw, here)
    if isinstance(listed, Problem):
        allowed = "true, false or a mapping of " + ", ".join(FIELDS)
        return [], [replace(invalid("sitemap", here, raw, allowed), done="It is ignored.")]
    return [Said(field="exclude", raw=not listed, place=here)], []


def unknown_keys(
    raw: Mapping[Any, Any],
    place: Callable[[str], Place],
    parent: str,
    known: Sequence[str],
    also: Container[object] = (),
) -> list[Problem]:
    """Return the problems of the keys that nobody reads: of more than three keys it is one.

    Args:
        raw: the mapping.
        place: makes the place of a dotted key.
        parent: the dotted key of the mapping.
        known: the keys that it may have, as messages name them.
        also: further keys that it may have.
    """
    unknown = [key for key in raw if key not in known and key not in also]
    if len(unknown) <= _MAX_UNKNOWN:
        return [unknown_key(key, place, parent, known) for key in unknown]
    names = first_names([format_key(key) for key in unknown[:_MAX_UNKNOWN]])
    others = len(unknown) - _MAX_UNKNOWN
    return [
        Problem(
            code="unknown-key",
            place=place(parent),
            found=f"has the unknown keys {names} and {others:,} more (known: {', '.join(known)})",
            done="They are ignored.",
        )
    ]


def unknown_key(
    key: object, place: Callable[[str], Place], parent: str, known: Sequence[str]
) -> Problem:
    """The problem of a key that nobody reads."""
    name = format_key(key)
    near = get_close_matches(name, known, n=1)
    return Problem(
        code="unknown-key",
        place=place(f"{parent}.{name}" if parent else name),
        found=f"is not a known key (known: {', '.join(known)})",
        suggestion=format_value(near[0]) if near else None,
        done="It is ignored.",
        fix=None if isinstance(key, str) else QUOTE_IT,
    )


def _at(meta: object, dotted: str) -> object:
    """The value at a dotted key; None where the way there ends."""
    for name in dotted.split("."):
        meta = meta.get(name) if isinstance(meta, Mapping) else None
    return meta
