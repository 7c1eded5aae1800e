"""Read TOML: a project file, or the front matter of Hugo and Zola between lines ``+++``."""

import re
import tomllib
from collections.abc import Mapping
from typing import Any

from mkdocs_sitemap_plus.pages.front_matter import Broken, FrontMatter
from mkdocs_sitemap_plus.wording import printable, shorten

_START = re.compile(r"\+{3}[ \t]*\n")
_BLOCK = re.compile(rf"(?ms){_START.pattern}(.*?)^\+{{3}}[ \t]*$")
_MAX_BLOCK = 1 << 14  # characters; the time to read a dotted key grows with the square of its parts
_NAME = r"(?:[\w-]++|\"[^\"\n]*\"|'[^'\n]*')"
_KEY = re.compile(rf"[ \t]*+(\[?\[?)[ \t]*+({_NAME}(?:[ \t]*+\.[ \t]*+{_NAME})*)[ \t]*+[=:\]]")
_PART = re.compile(rf"[ \t]*+\.?[ \t]*+({_NAME})")
_LONG_QUOTE = re.compile(r"\"{3}|'{3}")


class TomlError(ValueError):
    """Why a text is not TOML, in a few words, and the line (1-based) if it is known."""

    def __init__(self, why: str, line: int | None) -> None:
        super().__init__(why)
        self.line = line


def loads(text: str) -> dict[str, Any]:
    """Return the values of a TOML text. Raises TomlError."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        why = " ".join(str(error).split())
        at = re.search(r" \(at line (\d{1,9}), column \d{1,9}\)", why)
        why = why.replace(at[0], "") if at else why
        raise TomlError(
            shorten(printable(why)) or type(error).__name__, int(at[1]) if at else None
        ) from error


def read_toml_front_matter(text: str) -> FrontMatter:
    """Return the front matter of a page; it is empty unless the first line is ``+++``."""
    start, block = _START.match(text), _BLOCK.match(text)
    if start is None:
        return FrontMatter()
    toml = block[1] if block else text[start.end() :][:_MAX_BLOCK].partition("\n\n")[0]
    lines = _key_lines(toml)
    keys = frozenset(name.partition(".")[0] for name in lines)
    if block is None:
        return FrontMatter(broken=Broken("a line +++ must end it", line=1, keys=keys))
    if len(toml) > _MAX_BLOCK:
        why = f"it has more than {_MAX_BLOCK:,} characters"
        return FrontMatter(broken=Broken(why, line=1, keys=keys))
    try:
        meta = loads(toml)
    except TomlError as error:
        line = error.line and error.line + 1
        return FrontMatter(broken=Broken(str(error), line=line, keys=keys))
    return FrontMatter(meta, _with_inline_keys(lines, meta), length=block[0].count("\n") + 1)


def _key_lines(toml: str) -> dict[str, int]:
    """Return the line in the page of each dotted key that begins a line."""
    lines: dict[str, int] = {}
    table, quote = "", ""
    for number, line in enumerate(toml.split("\n"), 2):
        if not quote and (key := _KEY.match(line)):
            name = ".".join(part.strip("\"'") for part in _PART.findall(key[2]))
            if key[1]:
                table = f"{name}."
            lines.setdefault(name if key[1] else f"{table}{name}", number)
        for mark in _LONG_QUOTE.findall(line):  # text of several lines may look like keys
            quote = "" if quote == mark else quote or mark
    return lines


def _with_inline_keys(lines: Mapping[str, int], meta: Mapping[str, Any]) -> dict[str, int]:
    """Return the lines, also of keys such as that in ``sitemap = {priority = 0.5}``."""
    inline = {
        f"{name}.{key}": lines[name]
        for name, value in meta.items()
        if isinstance(value, Mapping) and name in lines
        for key in value
    }
    return inline | dict(lines)
