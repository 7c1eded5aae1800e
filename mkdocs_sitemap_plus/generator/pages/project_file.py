"""Read mkdocs.yml, properdocs.yml or zensical.toml without any of the three programs."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import yaml

from mkdocs_sitemap_plus.files import Unreadable, is_file, path_from, read_file, read_text
from mkdocs_sitemap_plus.generator.pages.front_matter import merge, mistake_of, option_lines
from mkdocs_sitemap_plus.problems import (
    Code,
    Level,
    Origin,
    Place,
    Problem,
    SitemapError,
    invalid,
    lacks_line,
    with_line,
)
from mkdocs_sitemap_plus.wording import first_names, printable, shorten

_MAX_BYTES = 1 << 24

_Value = TypeVar("_Value")


def read_project_file(path: Path) -> Mapping[str, Any]:
    """Return the settings of a project file, with those that it inherits.

    YAML is read as MkDocs reads it, but no tag runs any code: ``!relative`` stays as it is written,
    a Python function becomes a mapping with its name, and the value of an unknown tag is None. In
    TOML, the settings are in the table ``project``. Raises SitemapError if it can't be read.
    """
    if path.suffix.lower() == ".toml":
        try:
            table = read_toml(_bytes(path).decode("utf-8-sig"))
        except (Unreadable, UnicodeDecodeError) as error:
            raise _unreadable(path, "TOML", error, getattr(error, "line", None)) from error
        return _mapping(table.get("project", table), path)
    (_, merged), *parents = with_parents(path)
    for _, settings in parents:
        merged = merge(settings, merged, join_lists=False)
    return {key: value for key, value in merged.items() if key != "INHERIT"}


def read_toml(text: str) -> dict[str, Any]:
    """Return the values of a TOML text. Raises Unreadable.

    It is TOML 1.1, as Zensical reads it: a table in braces may be written over several lines.
    """
    import tomli  # noqa: PLC0415 - sites with YAML need none

    try:
        return tomli.loads(text)
    except (ValueError, RecursionError) as error:
        why = " ".join(str(error).split())
        at = re.search(r" \(at line (\d{1,9}), column \d{1,9}\)", why)
        why = why.replace(at[0], "") if at else why
        why = shorten(printable(why)) or type(error).__name__
        raise Unreadable(why, line=int(at[1]) if at else None) from error


def with_parents(path: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Yield a YAML file and each file that it inherits, with the settings of that file alone."""
    seen: list[Path] = []
    while path not in seen:
        seen.append(path)
        yield path, (settings := _own_settings(path))
        if "INHERIT" not in settings:
            return
        name = settings["INHERIT"]
        if not isinstance(name, str) or not is_file(path.parent / name):
            place = Place(Origin.OPTION, path.name, "INHERIT")
            raise SitemapError(invalid(Code.PROJECT_FILE, place, name, "a file that exists"))
        path = (path.parent / name).resolve()
    raise _error(path, "it inherits from itself")


def _own_settings(path: Path) -> Mapping[str, Any]:
    data = _bytes(path)
    try:
        read = yaml.load(data, _Loader)  # noqa: S506 - its tags make plain values only
    except Exception as error:
        at, fix = mistake_of(error, data.decode("utf-8", "replace"))
        line = None if at is None else at + 1
        raise _unreadable(
            path, "YAML", getattr(error, "problem", None) or error, line, fix
        ) from error
    return _mapping({} if read is None else read, path)


def with_option_lines(problems: Sequence[Problem], project_file: Path) -> tuple[Problem, ...]:
    """Return problems; those of our options and of ``site_url`` have file and line of the key.

    A file that others inherit (INHERIT) serves many sites, so its patterns may match nothing in
    some of them: of these, there is at most one note.
    """
    if not any(map(lacks_line, problems)):
        return tuple(problems)
    lines, files = lines_of_options(with_parents(project_file), project_file.parent)
    found = [
        each._replace(place=with_line(each.place, lines, files))
        if each.place and lacks_line(each)
        else each
        for each in problems
    ]
    return tuple(_not_inherited(found, project_file.name))


def lines_of_options(
    chain: Iterable[tuple[Path, Mapping[str, Any]]], root: Path
) -> tuple[Mapping[str, int], Mapping[str, str]]:
    """Return the line of each option in a file or one that it inherits, and that file, by key.

    The files are those of `with_parents`, as far as they can be read, and named from `root`.
    """
    lines: dict[str, int] = {}
    files: dict[str, str] = {}
    is_replaced = False  # a list replaces all inherited plugins
    with suppress(SitemapError, Unreadable):
        for path, settings in chain:
            for key, line in option_lines(read_text(path, "utf-8-sig")).items():
                if key not in lines and (key == "site_url" or not is_replaced):
                    lines[key], files[key] = line, path_from(root, path)
            is_replaced = is_replaced or isinstance(settings.get("plugins"), list)
    return lines, files


def _not_inherited(problems: Iterable[Problem], own_file: str) -> Iterator[Problem]:
    """Yield problems, but one note for all inherited patterns: they serve other sites as well."""
    inherited = []
    for each in problems:
        if each.code is not Code.PATTERN or not each.place or each.place.file in (None, own_file):
            yield each
        else:
            inherited.append(each)
    if inherited:
        first, *others = inherited
        more = [each.found.removeprefix("has ").partition(", which ")[0] for each in others]
        like = f", like {first_names(more, 10)}" if more else ""
        fix = "Other sites may need what matches nothing here: then it can stay as it is."
        yield first._replace(found=f"{first.found}{like}", done=None, fix=fix, level=Level.NOTE)


def _bytes(path: Path) -> bytes:
    try:
        return read_file(path, _MAX_BYTES)
    except Unreadable as error:
        raise _error(path, f"it can't be read ({error.reason})") from error


def _mapping(read: object, path: Path) -> Mapping[str, Any]:
    if isinstance(read, Mapping):
        return read
    raise _error(path, "it is not a mapping of settings")


def _unreadable(
    path: Path, what: str, error: object, line: int | None, fix: str | None = None
) -> SitemapError:
    why = shorten(printable(" ".join(str(error).split()))) or type(error).__name__
    return _error(path, f"it is not {what} ({why})", line, fix)


def _error(path: Path, found: str, line: int | None = None, fix: str | None = None) -> SitemapError:
    place = Place(Origin.OPTION, path.name, line=line)
    return SitemapError(Problem(Code.PROJECT_FILE, found, place, fix=fix))


class _Loader(yaml.SafeLoader):
    """A loader with the tags of project files."""


def _environment(loader: yaml.SafeLoader, node: yaml.Node) -> object:
    """Return the value of ``!ENV NAME`` or ``!ENV [NAME, OTHER, default]``, as YAML reads it."""
    default = None
    names: Iterable[Any] = [node]
    if isinstance(node, yaml.SequenceNode):
        names = node.value
        if len(node.value) > 1:
            *names, last = node.value
            default = loader.construct_object(last)
    for name in map(loader.construct_scalar, names):
        value = os.environ.get(str(name))
        if value is not None:
            tag = loader.resolve(yaml.ScalarNode, value, (True, False))  # type: ignore[no-untyped-call]
            return loader.construct_object(yaml.ScalarNode(tag, value))
    return default


def _relative(_: yaml.SafeLoader, node: yaml.Node) -> object:
    return f"{node.tag} {node.value}".strip() if isinstance(node, yaml.ScalarNode) else None


def _python(loader: yaml.SafeLoader, name: str, node: yaml.Node) -> Mapping[str, Any]:
    """Return the name in a Python tag and its keyword arguments, as Zensical has them in TOML."""
    values = loader.construct_mapping(node, deep=True) if isinstance(node, yaml.MappingNode) else {}
    return {"object": name, "kwds": values.get("kwds")}


_Loader.add_constructor("!ENV", _environment)
_Loader.add_constructor("!relative", _relative)
for _kind in ("name", "object/apply"):
    _Loader.add_multi_constructor(f"tag:yaml.org,2002:python/{_kind}:", _python)
_Loader.add_constructor(None, lambda _, __: None)  # every other tag


def option_of(options: Mapping[str, Any], key: str, default: _Value) -> _Value:
    """Return an option of another plugin; the default if it is missing, or of another type.

    The plugin itself reports an option of a wrong type.
    """
    value = options.get(key)
    return value if isinstance(value, type(default)) else default
