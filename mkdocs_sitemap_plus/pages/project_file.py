"""Read mkdocs.yml, properdocs.yml or zensical.toml without any of the three programs."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from mkdocs_sitemap_plus.files import Unreadable, is_file, path_from, read_file, read_text
from mkdocs_sitemap_plus.pages import toml
from mkdocs_sitemap_plus.pages.front_matter import SITE_URL, merge, option_lines
from mkdocs_sitemap_plus.pages.yaml_mistakes import mistake_of
from mkdocs_sitemap_plus.problems import (
    Code,
    Level,
    Origin,
    Place,
    Problem,
    SitemapError,
    invalid,
    lacks_line,
    with_lines,
)
from mkdocs_sitemap_plus.wording import printable, shorten

NAMES = ("zensical.toml", "properdocs.yml", "properdocs.yaml", "mkdocs.yml", "mkdocs.yaml")
"""The first of these that exists is read. Zensical and ProperDocs have the same order."""

_MAX_BYTES = 1 << 24


def project_files_in(folder: Path) -> list[str]:
    """Return which of `NAMES` a folder has."""
    return [name for name in NAMES if is_file(folder / name)]


def find_project_file(folder: Path) -> tuple[Path, Problem | None]:
    """Return the project file of a folder, and a note if the folder has several.

    Raises SitemapError if it has none.
    """
    names = project_files_in(folder)
    if not names:
        found = "there is no project file (mkdocs.yml, zensical.toml …) in this folder"
        fix = (
            "Name it with -f. For a site of another builder, name its built folder and "
            "--site-url https://…/."
        )
        raise SitemapError(Problem(code=Code.PROJECT_FILE, found=found, fix=fix))
    first, *others = names
    place = Place(origin=Origin.OPTION, file=first)
    found = f"this project file is read, not {' or '.join(others)}"
    fix = "If the site is built from another file, name that file with -f."
    note = Problem(code=Code.PROJECT_FILE, place=place, found=found, fix=fix, level=Level.INFO)
    return folder / first, note if others else None


def read_project_file(path: Path) -> Mapping[str, Any]:
    """Return the settings of a project file, with those that it inherits.

    YAML is read as MkDocs reads it, with ``INHERIT`` and ``!ENV``. No tag runs any code:
    ``!relative`` stays as it is written, a Python function becomes a mapping with its name as
    ``object``, and the value of an unknown tag is None. In TOML, the settings are in the table
    ``project``, as in Zensical.

    Raises SitemapError if the file can't be read; the problem has the line, if it is known.
    """
    if path.suffix.lower() == ".toml":
        table = _read_toml(path)
        return _as_mapping(table.get("project", table), path)
    merged: Mapping[str, Any] = {}
    for _, settings in reversed([*_with_parents(path)]):
        own = {key: value for key, value in settings.items() if key != "INHERIT"}
        merged = merge(merged, own, join_lists=False)
    return merged


def _read_bytes(path: Path) -> bytes:
    try:
        return read_file(path, _MAX_BYTES)
    except Unreadable as error:
        raise _unreadable(path, f"it can't be read ({error.reason})") from error


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return toml.loads(_read_bytes(path).decode("utf-8-sig"))
    except ValueError as error:  # also of a text that is not UTF-8
        line = error.line if isinstance(error, toml.TomlError) else None
        raise _unreadable(path, f"it is not TOML ({_one_line(error)})", line) from error


def _with_parents(path: Path) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Yield a YAML file and each file that it inherits, with the settings of that file alone."""
    seen: list[Path] = []
    file: Path | None = path
    while file:
        if file in seen:
            raise _unreadable(seen[-1], f"it inherits from itself, by way of {file.name}")
        seen.append(file)
        settings = _own_settings(file)
        yield file, settings
        file = _parent(file, settings)


def _own_settings(path: Path) -> Mapping[str, Any]:
    data = _read_bytes(path)
    try:
        read = yaml.load(data, _Loader)  # noqa: S506 - its tags make plain values only
    # PyYAML raises all of these for invalid values, such as a date in month 13.
    except (
        yaml.YAMLError, ValueError, TypeError, LookupError, AttributeError, RecursionError,
    ) as error:  # fmt: skip
        at, fix = mistake_of(error, data.decode("utf-8", "replace").split("\n"))
        what = _one_line(getattr(error, "problem", None) or error)
        line = None if at is None else at + 1
        raise _unreadable(path, f"it is not YAML ({what})", line, fix) from error
    return _as_mapping({} if read is None else read, path)


def _parent(path: Path, settings: Mapping[str, Any]) -> Path | None:
    """Return the file that the key ``INHERIT`` names; None if there is no such key.

    Raises SitemapError if there is no such file.
    """
    if "INHERIT" not in settings:
        return None
    name = settings["INHERIT"]
    parent = Path(os.path.normpath(path.parent / name)) if isinstance(name, str) else None
    if parent is None or not is_file(parent):
        place = Place(origin=Origin.OPTION, file=path.name, key="INHERIT")
        raise SitemapError(invalid(Code.PROJECT_FILE, place, name, "a file that exists"))
    return parent


def with_option_lines(problems: Sequence[Problem], project_file: Path) -> tuple[Problem, ...]:
    """Return problems; those of our options and of ``site_url`` have the file and line of the key.

    Other problems stay as they are.
    """
    if not any(map(lacks_line, problems)):
        return tuple(problems)
    lines: dict[str, int] = {}
    files: dict[str, str] = {}
    is_replaced = False
    with suppress(SitemapError, Unreadable):
        for path, settings in _with_parents(project_file):
            found = option_lines(read_text(path, "utf-8-sig"))
            if is_replaced:
                found = {key: line for key, line in found.items() if key == SITE_URL}
            lines = found | lines  # the value of the first file counts
            files = dict.fromkeys(found, path_from(project_file.parent, path)) | files
            # a list replaces all inherited plugins
            is_replaced = is_replaced or isinstance(settings.get("plugins"), list)
    placed = (with_lines([each], lines, files) if lacks_line(each) else [each] for each in problems)
    return tuple(chain.from_iterable(placed))


def _as_mapping(read: object, path: Path) -> Mapping[str, Any]:
    if isinstance(read, Mapping):
        return read
    raise _unreadable(path, "it is not a mapping of settings")


def _one_line(error: object) -> str:
    return shorten(printable(" ".join(str(error).split()))) or type(error).__name__


def _unreadable(
    path: Path, found: str, line: int | None = None, fix: str | None = None
) -> SitemapError:
    place = Place(origin=Origin.OPTION, file=path.name, line=line)
    return SitemapError(Problem(code=Code.PROJECT_FILE, place=place, found=found, fix=fix))


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
    """Return the text of ``!relative`` with its tag."""
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
