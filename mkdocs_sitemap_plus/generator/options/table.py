"""Read the owner's options into `Settings`."""

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, replace
from datetime import UTC
from importlib import import_module
from pathlib import Path
from runpy import run_path
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.files import exists, is_file, real_path, repository_folder
from mkdocs_sitemap_plus.generator.options.fields import Overrides, PageRule
from mkdocs_sitemap_plus.generator.options.reading import Reading
from mkdocs_sitemap_plus.generator.options.settings import TRANSFORM, Settings, Transform
from mkdocs_sitemap_plus.generator.options.value_kinds import Invalid, zone
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem, Result
from mkdocs_sitemap_plus.wording import describe_error, format_value


class ReadOptions(NamedTuple):
    """What `read_options` found."""

    settings: Settings  # the defaults if there are errors
    errors: tuple[Problem, ...]  # of invalid values
    unknown: tuple[Problem, ...]  # of unknown and removed keys, and of rules that set nothing


_WARNINGS = (Code.UNKNOWN_KEY, Code.NO_EFFECT)  # the codes of problems that do not stop the build


def group_of(field: Field[Any]) -> type | None:
    """Return the class of a group of options; None if the field is one option."""
    return None if field.default_factory is MISSING else field.default_factory  # type: ignore[return-value]  # a class


def top_names() -> tuple[str, ...]:
    """Return the names of the options and groups at the top level."""
    return tuple(field.name for field in fields(Settings))


def read_options(
    raw: Mapping[str, Any], file: str = "mkdocs.yml", folder: Path | None = None
) -> ReadOptions:
    """Return the options of a mapping, nested as in ``mkdocs.yml``. A key with None is not set.

    `folder` is that of the project file. Without it, no path is asked where it leads.
    """
    place = Place(Origin.OPTION, file)
    lastmod = raw.get("lastmod")
    name = lastmod.get("timezone") if isinstance(lastmod, Mapping) else None
    reading = Reading(place, Reading(place).value(zone, name) or UTC)
    settings = _group(Settings, raw, reading)
    revs_file = settings.lastmod.git.ignore_revs_file
    if folder and revs_file and _leads_out(folder / revs_file, repository_folder(folder)):
        at = reading.under("lastmod").under("git").under("ignore_revs_file")
        at.wrong(revs_file, Invalid("a file of this repository"))
    unknown = tuple(each for each in reading.problems if each.code in _WARNINGS)
    # An error stops the build, so what readers say in `done` does not happen.
    errors = (each._replace(done=None) for each in reading.problems if each.code not in _WARNINGS)
    if found := tuple(errors):
        return ReadOptions(Settings(), found, unknown)
    rules = (*_site_wide(settings, reading), *settings.rules)
    return ReadOptions(replace(settings, rules=rules), (), unknown)


def _leads_out(file: Path, repository: Path) -> bool:
    """Return whether a file is outside of a repository. Its lines are quoted in messages."""
    is_inside = real_path(file).is_relative_to(real_path(repository))
    return exists(repository / ".git") and not is_inside


def _group(kind: type, raw: Mapping[Any, Any], reading: Reading) -> Any:  # noqa: ANN401 - of the type `kind`
    """Return the options of a group; those that are not set, or are invalid, have their default."""
    known = {field.name: field for field in fields(kind)}
    values: dict[str, Any] = {}
    for key, value in raw.items():
        field, at = known.get(key), reading.under(key)
        if value is None:
            continue
        if field is None:
            reading.unknown([key], tuple(known))
        elif inner := group_of(field):
            if isinstance(value, Mapping):
                values[key] = _group(inner, value, at)
            else:
                names = ", ".join(each.name for each in fields(inner))
                fix = None
                if key == "lastmod" and value in (False, "false", "none", "off"):
                    fix = "To write no dates, use `lastmod: {sources: []}`."
                at.wrong(value, Invalid(f"a mapping of {names}", fix=fix))
        elif field.metadata["inside"]:
            values[key] = field.metadata["read"](value, at)
        else:
            values[key] = at.value(field.metadata["read"], value)
    return kind(**values)


def _site_wide(settings: Settings, reading: Reading) -> Iterator[PageRule]:
    """Yield a rule for each option that rules can set too, unless it has its default."""
    for name in ("changefreq", "priority", "exclude", "images"):
        value, match, place = getattr(settings, name), None, reading.under(name).place
        if value is not None and value is not False:
            if name == "exclude":  # its value is the patterns of the pages to leave out
                match, value = value, True
            overrides = Overrides(places={name: place})._replace(**{name: value})
            yield PageRule(match, overrides, place)


def import_transform(settings: Settings, file: Path) -> Result[Settings]:
    """Return the settings with the owner's function imported; `file` is the project file."""
    if settings.transform is None:
        return settings, []
    name = settings.transform.name
    module, _, function = name.rpartition(":")
    path = file.parent / module if module.endswith(".py") else None
    try:  # each build of `serve` runs a file again, since the owner may have changed it
        names = run_path(str(path)) if path else vars(import_module(module))
    except Exception as error:  # noqa: BLE001 - the owner's module may raise anything
        why = "whose file does not exist"
        if path is None or is_file(path):
            why = f"whose module can't be imported ({describe_error(error)})"
    else:
        if callable(call := names.get(function)):
            return replace(settings, transform=Transform(name, call)), []
        why = "whose module has no such function"
    place, found = Place(Origin.OPTION, file.name, "transform"), f"is {format_value(name)}, {why}"
    return None, [Problem(Code.TRANSFORM, found, place, expected=TRANSFORM)]
