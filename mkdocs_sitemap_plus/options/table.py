"""Make the table of options from the fields of `Settings`, and read the owner's options."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, replace
from datetime import UTC, tzinfo
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.files import is_file
from mkdocs_sitemap_plus.options import EXPECTED_TRANSFORM, Settings, Source, Transform
from mkdocs_sitemap_plus.options.mappings import Rule
from mkdocs_sitemap_plus.options.overrides import RULE_FIELDS, Overrides
from mkdocs_sitemap_plus.options.readers import read_zone
from mkdocs_sitemap_plus.options.unknown import meant, unknown_key
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem, Result, invalid
from mkdocs_sitemap_plus.wording import MAX_VALUE, closest, describe_error, format_key, format_value


class Option(NamedTuple):
    """One option. `options.option` describes most attributes."""

    name: str  # dotted, such as ``lastmod.git.date``
    read: Callable[..., Any]
    default: Any
    summary: str
    needs_zone: bool


def options_of(group: type, prefix: str = "") -> Iterator[Option]:
    """Yield the options of a class such as `Settings`, and those of its groups."""
    for field in fields(group):
        if inner := _group(field):
            yield from options_of(inner, f"{prefix}{field.name}.")
        else:
            yield Option(name=prefix + field.name, default=field.default, **field.metadata)


def _group(field: Field[Any]) -> type | None:
    """Return the class of a group of options; None if the field is one option."""
    return None if field.default_factory is MISSING else field.default_factory  # type: ignore[return-value]  # a class


_FEWEST_LETTERS = 3  # of the beginning of an option that stands for the option
OPTIONS = tuple(options_of(Settings))


def top_names() -> tuple[str, ...]:
    """Return the names of the options and groups at the top level, in the order of the table."""
    return tuple(field.name for field in fields(Settings))


def nearest_option(name: str, group: str = "") -> str | None:
    """Return the dotted name of the option that is most similar to an unknown key.

    None if no option is similar. `group` is the prefix of the key's group, such as ``lastmod.``.
    Options of other groups are found, too: ``timezone`` and ``git_timezone`` at the top level give
    ``lastmod.timezone``.
    """
    by_ending: dict[str, str] = {}
    for option in OPTIONS:
        words = option.name.split(".")
        for first in range(len(words)):
            by_ending.setdefault("_".join(words[first:]), option.name)
    keys_of_group = {
        option.name.removeprefix(group).partition(".")[0]
        for option in OPTIONS
        if option.name.startswith(group)
    }
    spelling = name.replace("-", "_").lower()
    beginning = [key for key in keys_of_group if key.startswith(f"{spelling}_")]
    if len(beginning) == 1 and len(spelling) >= _FEWEST_LETTERS:  # `robots` for `robots_txt`
        return f"{group}{beginning[0]}"
    if word := meant(spelling, by_ending):
        return by_ending[word]
    if spelling not in by_ending and (key := closest(name, keys_of_group)):
        return f"{group}{key}"
    ending = closest(spelling, by_ending, cutoff=0.7)
    return by_ending[ending] if ending else None


def _meant_option(key: object, raw: object, group: str) -> str | None:
    """Return what was probably meant by an unknown key and its value, for a message.

    For a key of another group, it is the nesting that is right: ``lastmod: {timezone: UTC}``.
    """
    name = format_key(key)
    names = {option.name for option in OPTIONS}
    groups = {name.rpartition(".")[0] for name in names} - {""}
    inner = [other for other in groups if other.endswith(f".{name}")]
    nearest = next(
        (candidate for candidate in (*inner, f"{group}{name}") if candidate in names | groups), None
    )
    nearest = nearest or nearest_option(name, group)
    if nearest is None or (name != nearest and nearest.rpartition(".")[0] == group[:-1]):
        return nearest and format_value(nearest)
    return _nested(nearest, raw)


def _nested(name: str, raw: object) -> str:
    """Return an option and its value as they stand in a file: ```lastmod: {timezone: UTC}```."""
    value = raw if isinstance(raw, str) and raw else format_value(raw)
    if isinstance(raw, Mapping):
        value = "{...}"
    elif (
        len(value) > MAX_VALUE or not value.isprintable() or set(value) & set("{}[],:#'\"`&*!|>%@")
    ):
        value = "..."
    *outer, last = name.split(".")
    return f"`{''.join(f'{key}: {{' for key in outer)}{last}: {value}{'}' * len(outer)}`"


_WARNINGS = (Code.UNKNOWN_KEY, Code.NO_EFFECT)  # the codes of problems that do not stop the build


class ReadOptions(NamedTuple):
    """What `read_options` found."""

    settings: Settings  # with the default of each option that is not set, or is invalid
    errors: tuple[Problem, ...]  # of invalid values
    unknown: tuple[Problem, ...]  # of unknown keys, and of rules that set nothing


def read_options(raw: Mapping[str, Any], file: str = "mkdocs.yml") -> ReadOptions:
    """Return the options of a mapping, nested as in ``mkdocs.yml``. A key with None is not set."""
    problems: list[Problem] = []
    zone = _zone(raw, file)

    def read_group(group: type, keys: Mapping[Any, Any], prefix: str) -> Any:  # noqa: ANN401 - of the type `group`
        values: dict[str, Any] = {}
        known = {field.name: field for field in fields(group)}
        for key, raw_value in keys.items():
            field, name = known.get(key), f"{prefix}{format_key(key)}"
            place = _place(file, name)
            if raw_value is None:
                continue
            if field is None:
                nearest = _meant_option(key, raw_value, prefix)
                problems.append(unknown_key(key, place, tuple(known), nearest))
            elif inner := _group(field):
                if isinstance(raw_value, Mapping):
                    values[key] = read_group(inner, raw_value, f"{name}.")
                else:
                    problem = invalid(Code.OPTION, place, raw_value, "a mapping of options")
                    problems.append(_with_meant_option(problem, name, raw_value))
            else:
                more = [zone] if field.metadata["needs_zone"] else []
                value, faults = field.metadata["read"](raw_value, place, *more)
                problems.extend(faults)
                if value is not None:
                    values[key] = value
        return group(**values)

    settings = read_group(Settings, raw, "")
    settings = replace(settings, rules=(*_site_wide(settings, file), *settings.rules))
    unknown = tuple(problem for problem in problems if problem.code in _WARNINGS)
    errors = (problem for problem in problems if problem.code not in _WARNINGS)
    # An error stops the build, so what readers say in `done` does not happen.
    return ReadOptions(settings, tuple(problem._replace(done=None) for problem in errors), unknown)


def _with_meant_option(problem: Problem, group: str, raw: object) -> Problem:
    """Return the problem of a group that is no mapping, with what was meant if that is clear."""
    sources = [raw] if isinstance(raw, str) else raw
    known = isinstance(sources, list) and all(source in tuple(Source) for source in sources)
    if group == "lastmod" and isinstance(sources, list) and sources and known:
        return problem._replace(suggestion=f"`lastmod: {{sources: [{', '.join(sources)}]}}`")
    for option in OPTIONS if isinstance(raw, str) else ():
        if option.name.startswith(f"{group}.") and not option.needs_zone:
            place = _place("", option.name)
            takes_any_text = option.read("-", place)[0] is not None
            if not takes_any_text and option.read(raw, place)[0] is not None:
                return problem._replace(suggestion=_nested(option.name, raw))
    if group != "lastmod":
        return problem
    return problem._replace(fix="To write no dates, use `lastmod: {sources: []}`.")


def _zone(raw: Mapping[str, Any], file: str) -> tzinfo:
    """Return ``lastmod.timezone`` for the readers that need it; UTC if it is not set or invalid."""
    lastmod = raw.get("lastmod")
    name = lastmod.get("timezone") if isinstance(lastmod, Mapping) else None
    zone, _ = read_zone(name, _place(file, "lastmod.timezone"))
    return zone or UTC


def _place(file: str, key: str) -> Place:
    return Place(origin=Origin.OPTION, file=file, key=key)


def _site_wide(settings: Settings, file: str) -> Iterator[Rule]:
    """Yield a rule for each option that rules can set too, unless it has its default."""
    for option in OPTIONS:
        name, match = option.name, None
        if name in RULE_FIELDS and (value := getattr(settings, name)) != option.default:
            if name == "exclude":  # its value is the patterns of the pages to leave out
                match, value = value, True
            place = _place(file, name)
            yield Rule(match, Overrides(places={name: place}, **{name: value}), place)


def import_transform(settings: Settings, file: Path) -> Result[Settings]:
    """Return the settings with the owner's function imported; `file` is the project file."""
    if settings.transform is None:
        return settings, []
    from runpy import run_path  # noqa: PLC0415 - rare

    name = settings.transform.name
    module, _, function = name.rpartition(":")
    path = file.parent / module if module.endswith(".py") else None
    try:  # each build of `serve` runs the file again, since the owner may have changed it
        names = run_path(str(path)) if path else vars(import_module(module))
    except Exception as error:  # noqa: BLE001 - the owner's module may raise anything
        why = "whose file does not exist"
        if path is None or is_file(path):
            why = f"whose module can't be imported ({describe_error(error)})"
    else:
        call = names.get(function)
        if callable(call):
            return replace(settings, transform=Transform(name, call)), []
        why = "whose module has no such function"
    place, found = _place(file.name, "transform"), f"is {format_value(name)}, {why}"
    problem = Problem(code=Code.TRANSFORM, place=place, found=found, expected=EXPECTED_TRANSFORM)
    return None, [problem]
