"""The option ``transform``: a function of the owner's, by name."""

import re
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from mkdocs_sitemap_plus.files import is_file
from mkdocs_sitemap_plus.options.settings import Transform
from mkdocs_sitemap_plus.problems import Place, Problem, invalid
from mkdocs_sitemap_plus.wording import describe_error, format_value

_EXPECTED = (
    "package.module:function, or a path relative to mkdocs.yml such as hooks/file.py:function"
)
_NAMED = re.compile(
    r"(?P<file>[^:\0]+\.py):(?P<in_file>\w+)|(?P<module>\w+(\.\w+)*):(?P<in_module>\w+)"
)


def read_transform(raw: object, place: Place) -> str | Problem:
    """The name of a function; it is imported later."""
    if isinstance(raw, str) and _NAMED.fullmatch(raw.strip()):
        return raw.strip()
    return invalid("transform", place, raw, _EXPECTED)


def load_transform(name: str, root: Path, place: Place) -> Transform | Problem:
    """Import the function.

    Args:
        name: as `read_transform` gives it.
        root: the folder of the project file.
        place: the option.
    """
    match = _NAMED.fullmatch(name)
    if match is None:
        return invalid("transform", place, name, _EXPECTED)
    file = match["file"]
    try:
        module = _imported(root / file) if file else import_module(match["module"])
    except Exception as error:  # noqa: BLE001 - the module is the owner's, and may raise anything
        if file and not is_file(root / file):
            return _unusable(place, name, "whose file does not exist")
        return _unusable(place, name, f"whose module can't be imported ({describe_error(error)})")
    call = getattr(module, match["in_file"] or match["in_module"], None)
    if not callable(call):
        return _unusable(place, name, "whose module has no such function")
    return Transform(name=name, call=call)


def _imported(path: Path) -> ModuleType:
    """The module of a file, run anew, so that `serve` sees what was changed."""
    spec = spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _unusable(place: Place, name: str, why: str) -> Problem:
    return Problem(
        code="transform",
        place=place,
        found=f"is {format_value(name)}, {why}",
        expected=_EXPECTED,
    )
