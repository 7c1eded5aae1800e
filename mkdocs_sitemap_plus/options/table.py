"""The table of options, made of the fields of `Settings`, and what reads ``mkdocs.yml`` by it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields, replace
from datetime import UTC, tzinfo
from difflib import get_close_matches
from enum import StrEnum
from functools import partial
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from mkdocs_sitemap_plus.options.mappings import Rule
from mkdocs_sitemap_plus.options.overrides import (
    SHORT_FIELDS,
    Overrides,
    unknown_key,
    unknown_keys,
)
from mkdocs_sitemap_plus.options.readers import problems_in, read_zone
from mkdocs_sitemap_plus.options.settings import Settings
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, invalid
from mkdocs_sitemap_plus.wording import format_key, format_value


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option; `options.settings.option` says what its attributes are.

    Attributes:
        name: dotted, as it is nested in ``mkdocs.yml``.
    """

    name: str
    read: Callable[..., Any]
    default: Any
    summary: str
    keys: tuple[str, ...]
    needs_zone: bool


def options_of(group: type, above: str = "") -> Iterator[Option]:
    """Yield the options of a class such as `Settings`, with those of the groups in it."""
    for each in fields(group):
        if inner := _group(each):
            yield from options_of(inner, f"{above}{each.name}.")
        else:
            yield Option(name=above + each.name, default=each.default, **each.metadata)


def _group(field: Field[Any]) -> type | None:
    """Return the class of a field that is a group of options; None for an option."""
    return None if field.default_factory is MISSING else field.default_factory  # type: ignore[return-value]  # a class


OPTIONS = tuple(options_of(Settings))


def top_names() -> tuple[str, ...]:
    """Return the names of the first level, in the order of the table."""
    return tuple(each.name for each in fields(Settings))


def json_schema(group: type = Settings) -> dict[str, Any]:
    """Return a JSON schema of the options: for each its meaning, its default, and its usual type.

    A value may have another type than the schema's, such as a number that is written as text.
    """
    types, properties = get_type_hints(group), {}
    for each in fields(group):
        if inner := _group(each):
            properties[each.name] = json_schema(inner)
        else:
            about = {"description": each.metadata["summary"], **_json_type(types[each.name])}
            if isinstance(each.default, (bool, int, str, tuple)):
                about["default"] = each.default
            properties[each.name] = about
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _json_type(annotation: Any) -> dict[str, Any]:  # noqa: ANN401 - a class, or a union of some
    kinds = [kind for kind in get_args(annotation) if kind not in (NoneType, ...)] or [annotation]
    if get_origin(annotation) is tuple:
        return {"type": "array", "items": _json_type(kinds[0])}
    if len(kinds) == 1 and issubclass(kinds[0], StrEnum):
        return {"enum": list(kinds[0])}
    return {"type": _JSON_TYPES[kinds[0]]} if kinds[0] in _JSON_TYPES and len(kinds) == 1 else {}


_JSON_TYPES = {bool: "boolean", int: "integer", str: "string"}


def nearest_option(name: str, group: str = "") -> str | None:
    """Return the dotted name of the option that was probably meant; None if none is similar.

    Names that are nested elsewhere count as well: ``timezone`` and ``git_timezone`` are
    ``lastmod.timezone``.

    Args:
        name: an unknown key, as it is written.
        group: the dotted group that it stands in; empty for the top level.
    """
    spellings: dict[str, str] = {}
    for option in OPTIONS:
        parts = option.name.split(".")
        for first in range(len(parts)):
            spellings.setdefault("_".join(parts[first:]), option.name)
    here = [option.name for option in OPTIONS if option.name.startswith(group)]
    beside = {each.removeprefix(group).partition(".")[0]: each for each in here}
    near = get_close_matches(name, beside, n=1)
    if near:
        return f"{group}{near[0]}"
    near = get_close_matches(name.replace("-", "_").lower(), spellings, n=1, cutoff=0.7)
    return spellings[near[0]] if near else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """Options as they were read.

    Attributes:
        values: by dotted name; only options that are set and valid.
        errors: invalid values.
        unknown: unknown keys.
    """

    values: Mapping[str, Any]
    errors: tuple[Problem, ...]
    unknown: tuple[Problem, ...]


def read_options(raw: Mapping[str, Any], file: str = "mkdocs.yml") -> ReadOptions:
    """Read a mapping, nested as in ``mkdocs.yml``; None leaves an option at its default."""
    values: dict[str, Any] = {}
    errors: list[Problem] = []
    unknown: list[Problem] = []
    zone = _zone(raw, file)

    def read_group(group: type, raw: Mapping[Any, Any], above: str) -> None:
        known = {field.name: field for field in fields(group)}
        for key, value in raw.items():
            field, name = known.get(key), f"{above}{format_key(key)}"
            place = _place(file, name)
            if value is None:
                continue
            if field is None:
                unknown.append(_unknown(key, above, tuple(known), place))
            elif not (inner := _group(field)):
                more = [zone] if field.metadata["needs_zone"] else []
                read = field.metadata["read"](value, place, *more)
                problems = [replace(each, done=None, note=False) for each in problems_in([read])]
                errors.extend(problems)
                if not problems:
                    values[name] = read
            elif isinstance(value, Mapping):
                read_group(inner, value, f"{name}.")
            else:
                errors.append(_not_a_group(value, place))

    read_group(Settings, raw, "")
    unknown.extend(_unknown_inner_keys(raw, file))
    return ReadOptions(values=values, errors=tuple(errors), unknown=tuple(unknown))


def _zone(raw: Mapping[str, Any], file: str) -> tzinfo:
    """Return ``lastmod.timezone``, which other options need as well; UTC if it is not valid."""
    lastmod = raw.get("lastmod")
    name = lastmod.get("timezone") if isinstance(lastmod, Mapping) else None
    zone = read_zone(name, _place(file, "lastmod.timezone"))
    return UTC if isinstance(zone, Problem) else zone


def _not_a_group(value: object, place: Place) -> Problem:
    fix = "To write no dates, use `lastmod: {sources: []}`." if place.key == "lastmod" else None
    return replace(invalid("option", place, value, "a mapping of options"), fix=fix)


def _unknown(key: object, above: str, known: tuple[str, ...], place: Place) -> Problem:
    """Return the problem of an unknown key, with the nearest option, wherever that is nested."""
    problem = unknown_key(key, lambda name: replace(place, key=name), above.rstrip("."), known)
    near = nearest_option(format_key(key), above)
    return problem if near is None else replace(problem, suggestion=format_value(near))


def _unknown_inner_keys(raw: Mapping[str, Any], file: str) -> Iterator[Problem]:
    """Yield the unknown keys of options that are mappings, or lists of them."""
    for option in OPTIONS:
        value = raw.get(option.name) if option.keys else None
        items = {option.name: value}
        if isinstance(value, list):
            items = {f"{option.name}[{i}]": each for i, each in enumerate(value)}
        for name, each in items.items():
            if isinstance(each, Mapping):
                yield from unknown_keys(each, partial(_place, file), name, option.keys)


def _place(file: str, key: str) -> Place:
    return Place(origin=Origin.OPTION, file=file, key=key)


def settings_of(values: Mapping[str, Any], file: str = "mkdocs.yml") -> Settings:
    """Return settings of read values; an option without a value has its default.

    ``transform`` is left out: `load_transform` makes a function of its name.
    """
    settings: Settings = _filled_group(Settings, {**values, "transform": None})
    return replace(settings, rules=(*_site_wide(settings, file), *settings.rules))


def _filled_group(group: type, values: Mapping[str, Any], above: str = "") -> Any:  # noqa: ANN401 - a `group`
    own = {}
    for each in fields(group):
        name = above + each.name
        if inner := _group(each):
            own[each.name] = _filled_group(inner, values, f"{name}.")
        elif name in values:
            own[each.name] = values[name]
    return group(**own)


def _site_wide(settings: Settings, file: str) -> Iterator[Rule]:
    """Yield the options that hold for all pages, and ``exclude``, as rules."""
    values = {name: getattr(settings, name) for name in SHORT_FIELDS}
    values["images"] = settings.images or None
    values["exclude"] = None if settings.exclude is None else True
    for name, value in values.items():
        if value is not None:
            place = _place(file, name)
            overrides = Overrides(places={name: place}, **{name: value})
            match = settings.exclude if name == "exclude" else None
            yield Rule(match=match, overrides=overrides, place=place)
