"""Read the front matter of a page: its values, the line of each key, and why it can't be read."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import yaml

from mkdocs_sitemap_plus.wording import MAX_VALUE, printable, shorten

Loader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
Dumper = yaml.CSafeDumper if yaml.__with_libyaml__ else yaml.SafeDumper

# As in MkDocs: from a line `---` at the very start of the file to a line `---` or `...`.
_YAML = r"(?s)-{3}[ \t]*\n(.*?\n)(?:\.{3}|-{3})[ \t]*\n"
_COMMENTS = r"(?:\s|<!--(?s:.*?)-->)*"
_MULTIMARKDOWN = r"[ ]{0,3}(?P<key>[A-Za-z0-9_-]+):\s*(?P<value>.*)"
_BEGINS_EARLIER = ("while scanning a simple key", "while scanning a quoted scalar")
"""What the parser was at if it noticed a mistake only below the line that has it."""
_TEXT = "tag:yaml.org,2002:str"
_MAX_DEPTH = 500  # of nesting: PyYAML's C code is recursive, and could end the process
PLUGIN = "sitemap-plus"  # its name in ``mkdocs.yml``
_MAX_LINE_DEPTH = 16  # of a key whose line is kept


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
    """The front matter of a page, as MkDocs reads it; empty if it can't be read."""

    meta: Mapping[str, Any] = {}
    lines: Mapping[str, int] = {}  # 1-based, by dotted key; ``key[0]`` is the first of a list
    broken: Broken | None = None
    length: int = 0  # the number of its lines in the page
    written: Mapping[str, str] = {}  # by dotted key: the texts that YAML reads as something else
    twice: tuple[str, ...] = ()  # the dotted keys that a mapping has twice; the last one counts


def read_front_matter_text(text: str) -> FrontMatter:
    """Return the front matter of a page's text: YAML between dashes, or MultiMarkdown lines."""
    if block := re.match(_YAML, text):
        found = read_yaml_mapping(block[1])
        # A block that is no mapping is shown on the page.
        return found._replace(length=block[0].count("\n")) if found.length else found
    found = _multimarkdown(text)
    return found if found.meta else FrontMatter(broken=_not_seen(text))


def unseen_front_matter(text: str) -> Broken | None:
    """Return why MkDocs found no front matter in a page that begins with it; None if it does not.

    MkDocs has removed blank lines from the start of the text.
    """
    found = read_front_matter_text(text)
    return found.broken or (_not_seen(f"\n{text}") if found.meta else None)


def _not_seen(text: str) -> Broken | None:
    """Return why a block of front matter is none; None if there is no such block."""
    if found := _almost(text):
        return found
    comments = re.match(_COMMENTS, text)
    start = re.match(r"(---|\+\+\+)[ \t]*\n", text[comments.end() if comments else 0 :])
    if comments is None or start is None:
        return None
    rest = text[comments.end() + start.end() :]
    inside = re.split(r"(?m)^(?:---|\+\+\+|\.\.\.)?[ \t]*$", rest, maxsplit=1)[0]
    why = "it must begin in the first line"
    if start[1] == "+++":
        why = "MkDocs reads YAML between lines ---, not TOML between lines +++"
    elif text.startswith("---"):
        why = "a line --- must end it"
    return Broken(why, line=1, keys=keys) if (keys := _possible_keys(inside)) else None


_ALMOST = (
    (r"[ \t]+-{3}[ \t]*\n(.*?)^[ \t]*-{3}", "the line --- must begin without blanks"),
    (r"-{4,}[ \t]*\n(.*?)^-{3,}", "a line of three dashes, ---, must begin it"),
    (r"```ya?ml[ \t]*\n(?:---\n)?(.*?)^```", "it must not be in a block of code"),
    (r"#[^\n]*\n\s*^---[ \t]*\n(.*?)^---", "it must begin in the first line, before the heading"),
)
"""What begins a page and looks like front matter, with what is inside, and why it is none."""
_MAX_ALMOST = 4000  # characters in which such a block ends


def _almost(text: str) -> Broken | None:
    """Return why a block at the start is no front matter, though it has a key for the sitemap."""
    for pattern, why in _ALMOST:
        found = re.match(f"(?ms){pattern}", text[:_MAX_ALMOST])
        if found and "sitemap" in (keys := _possible_keys(found[1])):
            return Broken(why, line=1, keys=keys)
    return None


def _possible_keys(text: str) -> frozenset[str]:
    """Return the text before the colon of each line, also of one in a list."""
    found = re.findall("(?m)^(?:- )?\t*([^:=\uff1a\n]+)[:=\uff1a]", text)
    return frozenset(key.rstrip() for key in found)


def read_yaml_mapping(text: str) -> FrontMatter:
    """Return the values of a YAML text. Lines are counted from a line of dashes before it."""
    try:
        root = _compose(text)
        if root is None:
            return FrontMatter()
        seen = _seen(_nodes(root))
        meta = Loader("").construct_document(root)
    # MkDocs drops the front matter on any exception, too. PyYAML's constructors raise many kinds.
    except Exception as error:  # noqa: BLE001 - see above
        return FrontMatter(broken=_broken(error, text))
    if not isinstance(meta, dict):
        keys = _possible_keys(text)
        why = _without_space(text) or ("its lines are not KEY: VALUE", 1)
        return FrontMatter(broken=Broken(*why, keys=keys) if keys else None)
    return seen._replace(meta=meta, length=text.count("\n"))


def _compose(text: str) -> yaml.Node | None:
    """Return the tree of a YAML document; ValueError if it is so deep that it ends the process."""
    depth = 0
    if sum(map(text.count, "[{-?:")) > _MAX_DEPTH:  # each level has one of these characters
        for event in yaml.parse(text, Loader):  # without recursion
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _MAX_DEPTH:
                raise ValueError(f"it is nested more than {_MAX_DEPTH} deep")
    return yaml.compose(text, Loader)


def _without_space(text: str) -> tuple[str, int] | None:
    """Return the complaint about ``sitemap:false``, which YAML reads as a text, and its line."""
    for number, line in enumerate(text.splitlines(), 2):
        if re.match(r"\w[\w-]*:[^\s:/]", line):
            return (
                f"{shorten(printable(line.rstrip()), MAX_VALUE)} needs a space after the colon",
                number,
            )
    return None


def _broken(error: Exception, text: str) -> Broken:
    keys, (at, fix) = _possible_keys(text), mistake_of(error, text)
    reason = shorten(printable(" ".join(str(getattr(error, "problem", None) or error).split())))
    if "expected ':'" in reason and (complaint := _without_space(text)):
        return Broken(*complaint, keys=keys)
    for name, line, node in _nodes_of(text) if at is None else ():
        if isinstance(node, yaml.ScalarNode):
            try:
                Loader("").construct_object(node)
            except Exception:  # noqa: BLE001 - as in `read_yaml_mapping`
                reason = "there is no such date" if node.value[4:5] == "-" else reason
                return Broken(reason, line=line, key=name, value=node.value, keys=keys)
    return Broken(reason, line=None if at is None else at + 2, keys=keys, fix=fix)


# A value that is meant as a text: it begins with a character that begins no text in YAML, has text
# after a bracket that was closed, or has a colon.
_IS_TEXT = r"[@`%]|\[[^\[\]{}]*\]\s*[^\s\]},]|[^\s'\"\[{*&!].*:(?:\s|$)"
_OF_SPECIAL = "alphabetic or numeric|undefined alias|constructor for the tag"


def mistake_of(error: Exception, text: str) -> tuple[int | None, str | None]:
    """Return the line (from 0) for which PyYAML raised this error, and what to do about it."""
    mark = getattr(error, "problem_mark", None)
    if getattr(error, "context", None) in _BEGINS_EARLIER:
        mark = getattr(error, "context_mark", None) or mark
    if mark is None:
        return None, None
    line = (text.split("\n") + [""] * 2)[mark.line]
    if re.match(r" *\t", line):
        return mark.line, "Replace the tab by spaces."
    key = re.match(r"[ -]*([\w-]+):\s+", line)
    value = line[key.end() :] if key else line.lstrip(" -")
    if value.startswith("{{"):
        return mark.line, "Templates do not work here. Delete the line."
    is_special = value.startswith(("*", "&", "!")) and re.search(_OF_SPECIAL, str(error))
    if not is_special and not re.match(_IS_TEXT, value):
        return mark.line, None
    of_key = f" of {shorten(key[1], MAX_VALUE)}" if key else ""
    return mark.line, f"Put the value{of_key} in quotes."


def written_front_matter(text: str) -> FrontMatter:
    """Return the front matter of a page without its values, even if one of them is invalid."""
    block = re.match(_YAML, text)
    return _multimarkdown(text)._replace(meta={}) if block is None else _seen(_nodes_of(block[1]))


def _seen(nodes: Iterator[tuple[str, int, yaml.Node]]) -> FrontMatter:
    lines: dict[str, int] = {}
    written: dict[str, str] = {}
    twice: dict[str, None] = {}
    for name, line, node in nodes:
        if not name:
            continue
        inside = name.rpartition(".")[0]
        if name in lines and inside not in twice:
            twice[name] = None
        lines[name] = line
        if isinstance(node, yaml.ScalarNode) and node.tag != _TEXT:
            written[name] = node.value
    return FrontMatter(lines=lines, written=written, twice=tuple(twice))


def _nodes_of(text: str) -> Iterator[tuple[str, int, yaml.Node]]:
    try:
        root = _compose(text)
    except (yaml.YAMLError, ValueError, RecursionError):
        root = None
    return _nodes(root) if root else iter(())


def _nodes(root: yaml.Node) -> Iterator[tuple[str, int, yaml.Node]]:
    """Yield each node with its dotted key and its line, in the order of the document.

    The lines are those of a page, where a line of dashes is the first. A node comes only once.
    """
    seen: set[int] = set()
    waiting = [("", 2, root)]
    while waiting:
        name, line, node = waiting.pop()
        yield name, line, node
        if id(node) in seen or name.count(".") + name.count("[") > _MAX_LINE_DEPTH:
            continue
        seen.add(id(node))
        inside: list[tuple[str, int, yaml.Node]] = []
        if isinstance(node, yaml.SequenceNode):
            for number, item in enumerate(node.value):
                inside.append((f"{name}[{number}]", item.start_mark.line + 2, item))
        elif isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if isinstance(key, yaml.ScalarNode) and len(key.value) < MAX_VALUE:
                    dotted = f"{name}.{key.value}" if name else key.value
                    inside.append((dotted, key.start_mark.line + 2, value))
        waiting += reversed(inside)


def option_lines(text: str) -> dict[str, int]:
    """Return the 1-based lines of our options and of ``site_url`` in ``mkdocs.yml``.

    The key of all our options together is the name of the plugin.
    """
    lines = {}
    for key, line, _ in _nodes_of(text):
        if key == "site_url":
            lines[key] = line - 1
        elif start := re.match(rf"plugins(?:\[\d+\])?\.(?:{PLUGIN}\.|(?={PLUGIN}\Z))", key):
            lines[key[start.end() :]] = line - 1
    return lines


def merge(
    under: Mapping[str, Any], over: Mapping[str, Any], *, join_lists: bool
) -> Mapping[str, Any]:
    """Return two mappings merged at any depth. Other values of `over` replace those of `under`.

    With `join_lists`, two lists are joined.
    """
    both = {**under, **over}
    for key in under.keys() & over.keys():
        below, above = under[key], over[key]
        if isinstance(below, Mapping) and isinstance(above, Mapping):
            both[key] = merge(below, above, join_lists=join_lists)
        elif join_lists and isinstance(below, list) and isinstance(above, list):
            both[key] = [*below, *above]
    return both


def split_page(text: str) -> tuple[FrontMatter, str]:
    """Return the front matter of a page and the text after it."""
    front_matter = read_front_matter_text(text)
    return front_matter, "\n".join(text.split("\n")[front_matter.length :])


def body_of(data: bytes, keys: Iterable[str] = ()) -> bytes:
    """Return a page without its front matter and its byte order mark. All lines end with LF.

    Of front matter, the texts of the `keys` come first, each a paragraph.
    """
    front_matter, body = parts_of(data)
    texts = [value for key in keys if isinstance(value := front_matter.meta.get(key), str)]
    return "\n\n".join((*texts, body)).encode("utf-8", "surrogateescape")


def parts_of(data: bytes) -> tuple[FrontMatter, str]:
    """Return the front matter of a page and the text after it; all lines end with LF."""
    text = data.decode("utf-8", "surrogateescape").removeprefix("\ufeff")
    return split_page(text.replace("\r\n", "\n").replace("\r", "\n"))


def differ_in_keys(before: bytes, after: bytes, keys: Collection[str]) -> bool:
    """Return whether two versions of a page differ in these keys of front matter, and only there.

    The later one must have one of them. How YAML is written does not matter, nor do blank lines
    around the text.
    """
    (old, old_body), (new, new_body) = map(parts_of, (before, after))
    is_same_text = old_body.lstrip("\n").rstrip() == new_body.lstrip("\n").rstrip()
    if not is_same_text or new.meta.keys().isdisjoint(keys):
        return False
    try:
        return _canonical(old.meta, without=keys) == _canonical(
            new.meta, without=keys
        ) and _canonical(old.meta) != _canonical(new.meta)
    except (ValueError, RecursionError):
        return False


def _canonical(meta: Mapping[str, Any], without: Collection[str] = ()) -> str:
    """Equal values give an equal text. What is repeated is an alias, so the text has an end."""
    values = {key: value for key, value in meta.items() if key not in without}
    return yaml.dump(values, Dumper=Dumper)


def _multimarkdown(text: str) -> FrontMatter:
    meta: dict[str, str] = {}
    lines: dict[str, int] = {}
    key, length = None, 0
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if first := re.match(_MULTIMARKDOWN, line):
            key = first["key"].lower()
            meta[key] = f"{meta.get(key, '')} {first['value']}".strip()
            lines.setdefault(key, number)
        elif key and line.strip() and line.startswith(("    ", "\t")):
            meta[key] += f" {line.strip()}"
        else:
            break
        length = number
    return FrontMatter(meta, lines, length=length)
