"""Read the front matter of a page: its values, the line of each key, and why it can't be read."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from typing import Any, NamedTuple

import yaml

from mkdocs_sitemap_plus.pages.yaml_mistakes import mistake_of
from mkdocs_sitemap_plus.wording import MAX_VALUE, printable, shorten

try:
    from yaml import CSafeLoader as Loader
except ImportError:  # PyYAML without libyaml
    from yaml import SafeLoader as Loader  # type: ignore[assignment]

# As in MkDocs: from a line `---` at the very start of the file to a line `---` or `...`.
_YAML = r"(?s)-{3}[ \t]*\n(.*?\n)(?:\.{3}|-{3})[ \t]*\n"
_MAX_DEPTH = 500
"""Depth of nesting. PyYAML's C code is recursive: some thousand levels overflow a stack of 1 MiB,
which is the size on Windows."""
_MAX_LINE_DEPTH = 16  # depth of a key whose line is kept. No message names a deeper key.
_MAX_KEY = 200  # characters of a key whose line is kept
_MAX_NUMBER = 1_000  # characters. The time to read ``1:1:1`` grows with the square of its length.
_MAX_MERGED = 1_000_000  # keys of all mappings, with those that ``<<`` copies into them
_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
_MERGE = "tag:yaml.org,2002:merge"
SITE_URL = "site_url"
_OPTION = r"plugins(?:\[\d+\])?\.sitemap-plus\."  # ``plugins`` is a list or a mapping
_MULTIMARKDOWN = r"[ ]{0,3}(?P<key>[A-Za-z0-9_-]+):\s*(?P<value>.*)"
_COMMENTS = r"(?:\s|<!--(?s:.*?)-->)*"
_NEXT_LINE = r"(?:[ ]{4}|\t)\s*(?P<value>.*)"


class Broken(NamedTuple):
    """Why front matter can't be read."""

    reason: str  # in a few words
    line: int | None = None  # 1-based, of the page
    key: str | None = None  # the dotted key whose value can't be read, if that is the reason
    value: str | None = None  # the text of this value
    keys: frozenset[str] = frozenset()  # possible keys: the text before the colon of each line
    is_shown: bool = True  # as text, by MkDocs; False: the file itself can't be read
    fix: str | None = None  # what to do, as a sentence, if the reason does not say it


class FrontMatter(NamedTuple):
    """The front matter of a page, as MkDocs reads it.

    Front matter that can't be read is empty, as in MkDocs. If it is too deep or too large, MkDocs
    itself may stop.
    """

    meta: Mapping[str, Any] = {}
    lines: Mapping[str, int] = {}  # 1-based, by dotted key; ``key[0]`` is the first of a list
    broken: Broken | None = None  # why it can't be read
    length: int = 0  # the number of its lines in the page


def read_front_matter_text(text: str) -> FrontMatter:
    """Return the front matter of a page's text: YAML between dashes, or MultiMarkdown lines."""
    block = re.match(_YAML, text)
    if block is None:
        front_matter = _multimarkdown(text)
        return front_matter if front_matter.meta else FrontMatter(broken=_not_seen(text))
    front_matter = read_yaml_mapping(block[1])
    if not front_matter.length:  # the block is not a mapping, so MkDocs shows it on the page
        return front_matter
    return front_matter._replace(length=block[0].count("\n"))


def unseen_front_matter(text: str) -> Broken | None:
    """Return why MkDocs found no front matter in a page that begins with it; None if it does not.

    MkDocs has removed blank lines from the start of the text.
    """
    front_matter = read_front_matter_text(text)
    return front_matter.broken or (_not_seen(f"\n{text}") if front_matter.meta else None)


def _not_seen(text: str) -> Broken | None:
    """Return why MkDocs does not see front matter after a line of dashes; None without such a line.

    It counts as front matter to the next line of dashes or the next blank line. Comments may stand
    before it. A line ``+++`` begins the front matter of other tools, which is TOML.
    """
    first, _, rest = text[re.match(_COMMENTS, text).end() :].partition("\n")  # type: ignore[union-attr]  # it matches
    mark = first.rstrip(" \t")
    if mark not in ("---", "+++"):
        return None
    ends = ("", mark, "...")
    keys = _possible_keys(takewhile(lambda line: line.strip() not in ends, rest.split("\n")))
    if mark == "+++":
        why = "MkDocs reads YAML between lines ---, not TOML between lines +++"
    elif text.startswith("---"):
        why = "a line --- must end it"
    else:
        why = "it must begin in the first line"
    return Broken(reason=why, line=1, keys=keys) if keys else None


def _possible_keys(lines: Iterable[str]) -> frozenset[str]:
    """Return what may be keys, also after a tab, of TOML, or before a Chinese colon."""
    equal = str.maketrans("=\uff1a", "::")
    parts = (line.lstrip("\t").translate(equal).partition(":") for line in lines)
    return frozenset(key.rstrip() for key, colon, _ in parts if colon)


def _without_space(text: str) -> tuple[str, int] | None:
    """Return the complaint about ``sitemap:false``, which YAML reads as a text, and its line."""
    for number, line in enumerate(text.splitlines(), 2):
        key, _, value = line.partition(":")
        if key.replace("-", "_").isidentifier() and value and value[0] not in " \t:/":
            written = shorten(printable(line.rstrip()), MAX_VALUE)
            return f"{written} needs a space after the colon", number
    return None


def _not_a_mapping(text: str) -> Broken | None:
    """Return why a YAML text is no mapping, if it was meant to be one."""
    reason, line = _without_space(text) or ("its lines are not KEY: VALUE", 1)
    keys = _possible_keys(text.splitlines())
    return Broken(reason=reason, line=line, keys=keys) if keys else None


def read_yaml_mapping(text: str) -> FrontMatter:
    """Return the values of a YAML text. Lines are counted from a line of dashes before it."""
    try:
        root = _compose(text)
        if root is None:
            return FrontMatter()
        _check_size(root)
        lines = _key_lines(_nodes(root))  # before the tree changes: PyYAML merges ``<<`` in it
        meta = Loader("").construct_document(root)
    # MkDocs drops the front matter on any exception, too. PyYAML's constructors raise many kinds:
    # ValueError for a date that does not exist, KeyError, TypeError, IndexError, RecursionError.
    except Exception as error:  # noqa: BLE001 - see above
        return FrontMatter(broken=_broken(error, text))
    if not isinstance(meta, dict):
        return FrontMatter(broken=_not_a_mapping(text))
    return FrontMatter(meta=meta, lines=lines, length=text.count("\n"))


def _compose(text: str) -> yaml.Node | None:
    """Return the tree of a YAML document; None if it is empty.

    Raises ValueError if it is so deep that PyYAML could end the process.
    """
    depth = 0
    if sum(map(text.count, "[{-?:")) > _MAX_DEPTH:  # each level has one of these characters
        for event in yaml.parse(text, Loader):  # without recursion
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _MAX_DEPTH:
                raise ValueError(f"it is nested more than {_MAX_DEPTH} deep")
    return yaml.compose(text, Loader)


def _check_size(root: yaml.Node) -> None:
    """Raise ValueError if a number or the merged mappings would take very long to construct."""
    sizes: dict[int, int] = {}
    waiting, seen = [root], {id(root)}
    while waiting:
        node = waiting.pop()
        inside: list[yaml.Node] = []
        if isinstance(node, yaml.MappingNode):
            _merged_size(node, sizes)
            inside = [each for pair in node.value for each in pair]
        elif isinstance(node, yaml.SequenceNode):
            inside = node.value
        else:
            _check_number(node)
        waiting += [each for each in inside if id(each) not in seen]
        seen.update(map(id, inside))
    if sum(sizes.values()) > _MAX_MERGED:
        raise ValueError(f"it has more than {_MAX_MERGED:,} merged keys")


def _check_number(node: yaml.Node) -> None:
    if node.tag in _NUMBERS and len(node.value) > _MAX_NUMBER:
        raise ValueError(f"it has a number of more than {_MAX_NUMBER:,} characters")


def _merged_size(node: yaml.Node, sizes: dict[int, int]) -> int:
    """Return the number of a node's keys with those that ``<<`` merges; `sizes` caches it by id."""
    if isinstance(node, yaml.SequenceNode):
        return sum(_merged_size(each, sizes) for each in node.value)
    if not isinstance(node, yaml.MappingNode):
        return 0
    if id(node) not in sizes:
        sizes[id(node)] = 0  # for a mapping that is merged into itself
        merged = [value for key, value in node.value if key.tag == _MERGE]
        sizes[id(node)] = len(node.value) + sum(_merged_size(each, sizes) for each in merged)
    return sizes[id(node)]


def option_lines(text: str) -> dict[str, int]:
    """Return the 1-based lines of our options and of ``site_url`` in ``mkdocs.yml``.

    There are none if it can't be read.
    """
    lines = {}
    for key, line, _ in _readable_nodes(text):
        if key == SITE_URL:
            lines[key] = line - 1
        elif start := re.match(_OPTION, key):
            # `_nodes` counts a first line of dashes, which this file does not have.
            lines[key[start.end() :]] = line - 1
    return lines


def front_matter_lines(text: str) -> Mapping[str, int]:
    """Return the line of each key, as `read_front_matter_text` does, even if a value is invalid."""
    block = re.match(_YAML, text)
    return _key_lines(_readable_nodes(block[1])) if block else _multimarkdown(text).lines


def merge(
    under: Mapping[str, Any], over: Mapping[str, Any], *, join_lists: bool
) -> Mapping[str, Any]:
    """Return two mappings merged at any depth. Other values of `over` replace those of `under`.

    With `join_lists`, two lists are joined.
    """
    known: dict[tuple[int, int], Any] = {}  # by ``id()``: YAML's aliases repeat values endlessly

    def merged(under: Any, over: Any) -> Any:  # noqa: ANN401 - of YAML
        pair = id(under), id(over)
        if pair in known:
            return known[pair]
        if isinstance(under, Mapping) and isinstance(over, Mapping):
            both = known[pair] = {**under, **over}
            for key in under.keys() & over.keys():
                both[key] = merged(under[key], over[key])
            return both
        are_lists = isinstance(under, list) and isinstance(over, list)
        return [*under, *over] if join_lists and are_lists else over

    return merged(under, over)  # type: ignore[no-any-return]


def split_page(text: str) -> tuple[FrontMatter, str]:
    """Return the front matter of a page and the text after it."""
    front_matter = read_front_matter_text(text)
    return front_matter, "\n".join(text.split("\n")[front_matter.length :])


def body_of(data: bytes) -> bytes:
    """Return a page without its front matter and its byte order mark. All lines end with LF.

    Front matter that can't be read stays, since MkDocs shows it on the page.
    """
    text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    _, body = split_page(text.replace("\r\n", "\n").replace("\r", "\n"))
    return body.encode("utf-8", "surrogateescape")


def _broken(error: Exception, text: str) -> Broken:
    """Return why a text raised this error, with the line and the value if they are known."""
    keys = _possible_keys(text.splitlines())
    at, fix = mistake_of(error, text.split("\n"))
    what = " ".join(str(getattr(error, "problem", None) or error).split())
    if not isinstance(error, (yaml.YAMLError, ValueError)):
        what = f"{type(error).__name__} {what}".strip()
    reason = shorten(printable(what))
    if "expected ':'" in what and (complaint := _without_space(text)):
        return Broken(*complaint, keys=keys)
    if at is None and (unreadable := _unreadable_value(text)):
        key, line, value = unreadable
        if value[4:5] == "-" and value[:4].isdigit():  # YAML reads it as a date
            reason = "there is no such date"
        return Broken(reason=reason, line=line, key=key, value=value, keys=keys)
    return Broken(reason=reason, line=None if at is None else at + 2, keys=keys, fix=fix)


def _unreadable_value(text: str) -> tuple[str, int, str] | None:
    """Return the key, line and text of the first invalid value, such as ``2026-13-45``."""
    for name, line, node in _readable_nodes(text):
        if isinstance(node, yaml.ScalarNode):
            try:
                _check_number(node)
                Loader("").construct_object(node)
            except Exception:  # noqa: BLE001 - as in `read_yaml_mapping`
                return name, line, node.value
    return None


def _key_lines(nodes: Iterable[tuple[str, int, yaml.Node]]) -> dict[str, int]:
    return {name: line for name, line, _ in nodes if name}


def _readable_nodes(text: str) -> Iterator[tuple[str, int, yaml.Node]]:
    """Return what `_nodes` yields of a YAML document; nothing if it can't be read."""
    try:
        root = _compose(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        root = None
    return _nodes(root) if root else iter(())


def _nodes(root: yaml.Node) -> Iterator[tuple[str, int, yaml.Node]]:
    """Yield each node with its dotted key and its line, in the order of the document.

    The lines are those of the page, where a line of dashes stands before the document. Deep nodes
    are left out. If an alias repeats a node, the nodes inside it come only once.
    """
    seen: set[int] = set()
    waiting = [("", 0, root, 0)]
    while waiting:
        name, line, node, depth = waiting.pop()
        yield name, line, node
        if id(node) not in seen and depth <= _MAX_LINE_DEPTH:
            seen.add(id(node))
            inside = [(key, at, value, depth + 1) for key, at, value in _named_nodes(node, name)]
            waiting += reversed(inside)  # the last one is read first


def _named_nodes(node: yaml.Node, parent: str) -> Iterator[tuple[str, int, yaml.Node]]:
    """Yield the values of a list or mapping, each with its dotted key and its line."""
    if isinstance(node, yaml.SequenceNode):
        for number, item in enumerate(node.value):
            yield f"{parent}[{number}]", item.start_mark.line + 2, item
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and len(key.value) <= _MAX_KEY:
                name = f"{parent}.{key.value}" if parent else key.value
                yield name, key.start_mark.line + 2, value


def _multimarkdown(text: str) -> FrontMatter:
    """Return the values of ``key: value`` lines at the start of a page; all values are texts."""
    meta: dict[str, list[str]] = {}
    lines: dict[str, int] = {}
    key, length = None, 0
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if not line.strip():
            break
        next_line = re.match(_NEXT_LINE, line)
        if first := re.match(_MULTIMARKDOWN, line):
            key = first["key"].lower()
            meta.setdefault(key, []).append(first["value"].strip())
            lines.setdefault(key, number)
        elif next_line and key:
            meta[key].append(next_line["value"].strip())
        else:
            break
        length = number
    joined = {key: " ".join(values) for key, values in meta.items()}
    return FrontMatter(joined, lines, length=length)
