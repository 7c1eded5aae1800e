"""Front matter as text: what MkDocs reads from it, why it could not, and the line of each key."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

try:
    from yaml import CSafeLoader as Loader
except ImportError:  # PyYAML without libyaml
    from yaml import SafeLoader as Loader  # type: ignore[assignment]

# As in MkDocs: a block between --- and --- or ..., at the very start of the file.
_YAML = re.compile(r"-{3}[ \t]*\n(.*?\n)(?:\.{3}|-{3})[ \t]*\n", re.DOTALL)
_DEEPEST = 20_000
"""Opening brackets and dashes; libyaml dies of a hundred thousand that are nested."""
_MULTIMARKDOWN = re.compile(r"[ ]{0,3}(?P<key>[A-Za-z0-9_-]+):\s*(?P<value>.*)")
_MORE = re.compile(r"(?:[ ]{4}|\t)\s*(?P<value>.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontMatter:
    """The front matter of a page.

    Attributes:
        meta: what MkDocs reads from it; empty if there is none, or if it is broken.
        lines: the 1-based line of each dotted key; ``key[0]`` is the first item of a list.
        broken: why it could not be read, in a few words; MkDocs then drops all of it.
        length: how many lines of the page it takes; 0 if there is none, or if it is broken.
    """

    meta: Mapping[str, Any]
    lines: Mapping[str, int]
    broken: str | None = None
    length: int = 0


def read_front_matter_text(text: str) -> FrontMatter:
    """Read the text of a page as MkDocs does: YAML between dashes, else MultiMarkdown lines."""
    block = _YAML.match(text)
    if block is None:
        return _multimarkdown(text)
    if sum(map(block.group(1).count, ("[", "{", "- "))) > _DEEPEST:
        return FrontMatter(meta={}, lines={}, broken="more nesting than can be read")
    try:
        meta = yaml.load(block.group(1), Loader)
        if not isinstance(meta, dict):
            return FrontMatter(meta={}, lines={})
        lines = dict(_key_lines(yaml.compose(block.group(1), Loader), "", set()))
    # MkDocs drops the front matter on whatever is raised here; PyYAML's constructors raise much:
    # ValueError for a date that does not exist, KeyError, TypeError, IndexError, RecursionError.
    except Exception as error:  # noqa: BLE001
        return FrontMatter(meta={}, lines={}, broken=_reason(error))
    return FrontMatter(meta=meta, lines=lines, length=block.group().count("\n"))


def body_of(data: bytes) -> bytes:
    """The text of a page without its front matter, lines ended by LF; other bytes stay as they are.

    A block that MkDocs can't read is part of the text: it is shown on the page.
    """
    text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    length = read_front_matter_text("\n".join(lines)).length
    return "\n".join(lines[length:]).encode("utf-8", "surrogateescape")


def _reason(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    what = " ".join(str(getattr(error, "problem", None) or error).split())
    if not isinstance(error, (yaml.YAMLError, ValueError)):
        what = f"{type(error).__name__} {what}".strip()
    return f"{what} (line {mark.line + 2})" if mark else what


def _key_lines(node: yaml.Node | None, above: str, seen: set[int]) -> Iterator[tuple[str, int]]:
    """Dotted keys with their lines; the block begins behind the file's first line.

    An alias may lead to a mapping a second time, or into itself: each is listed once.
    """
    if not isinstance(node, yaml.CollectionNode) or id(node) in seen:
        return
    seen.add(id(node))
    if isinstance(node, yaml.SequenceNode):
        for i, item in enumerate(node.value):
            name = f"{above.removesuffix('.')}[{i}]"
            yield name, item.start_mark.line + 2
            yield from _key_lines(item, f"{name}.", seen)
    else:
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode):
                name = f"{above}{key.value}"
                yield name, key.start_mark.line + 2
                yield from _key_lines(value, f"{name}.", seen)


def _multimarkdown(text: str) -> FrontMatter:
    meta: dict[str, str] = {}
    lines: dict[str, int] = {}
    key, length = None, 0
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if not line.strip():
            break
        more = _MORE.match(line)
        if first := _MULTIMARKDOWN.match(line):
            key = first["key"].lower()
            meta[key] = (
                f"{meta[key]} {first['value'].strip()}" if key in meta else first["value"].strip()
            )
            lines.setdefault(key, number)
        elif more is not None and key:
            meta[key] += f" {more['value'].strip()}"
        else:
            break
        length = number
    return FrontMatter(meta=meta, lines=lines, length=length)
