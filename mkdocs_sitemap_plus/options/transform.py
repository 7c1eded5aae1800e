"""The option ``transform``: the name of the owner's function, and its import."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from mkdocs_sitemap_plus.files import is_file
from mkdocs_sitemap_plus.problems import Place, Problem, invalid
from mkdocs_sitemap_plus.sitemap.entry import UrlEntry
from mkdocs_sitemap_plus.wording import describe_error, format_value

_EXPECTED = (
    "package.module:function, or a path relative to mkdocs.yml such as hooks/file.py:function"
)
_FUNCTION_NAME = re.compile(r"([^:\0]+\.py|\w+(\.\w+)*):\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOfEntry:
    """The page of an entry, which is the second argument of the owner's function.

    Attributes:
        src_uri: the path of its source under the docs folder, with ``/``.
        url: its URL, relative to the site's URL, such as ``guide/a/``.
        meta: its front matter.
    """

    src_uri: str
    url: str
    meta: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Transform:
    """The owner's function.

    Attributes:
        name: its name in the option, such as ``hooks/file.py:function``.
        call: the function; its second argument is None if the entry has no page.
    """

    name: str
    call: Callable[[UrlEntry, PageOfEntry | None], object]


def read_transform(raw: object, place: Place) -> str | Problem:
    """Return the name of a function, which `load_transform` imports."""
    if isinstance(raw, str) and _FUNCTION_NAME.fullmatch(raw.strip()):
        return raw.strip()
    return invalid("transform", place, raw, _EXPECTED)


def load_transform(name: str, root: Path, place: Place) -> Transform | Problem:
    """Return the function of this name, or a problem if it can't be imported.

    Args:
        name: what `read_transform` returns.
        root: the folder of the project file.
        place: of the option.
    """
    left, _, function = name.rpartition(":")
    file = left if left.endswith(".py") else None
    try:
        module = _import_file(root / file) if file else import_module(left)
    except Exception as error:  # noqa: BLE001 - the module is the owner's, and may raise anything
        if file and not is_file(root / file):
            return _unusable(place, name, "whose file does not exist")
        return _unusable(place, name, f"whose module can't be imported ({describe_error(error)})")
    call = getattr(module, function, None)
    if not callable(call):
        return _unusable(place, name, "whose module has no such function")
    return Transform(name=name, call=call)


def _import_file(path: Path) -> ModuleType:
    """Run a file again and return its module, so that `serve` uses the changed code."""
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _unusable(place: Place, name: str, why: str) -> Problem:
    found = f"is {format_value(name)}, {why}"
    return Problem(code="transform", place=place, found=found, expected=_EXPECTED)
