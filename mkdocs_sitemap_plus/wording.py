"""Format values, names and counts for messages: in one line, shortened and escaped."""

import html
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import islice
from pathlib import Path

PROJECT = "https://mkdocs-sitemap-plus.readthedocs.io/"
DOCS = f"{PROJECT}page/"  # the pages of the documentation
MAX_VALUE = 80  # characters of a value in a message
_MAX_BITS = 10_000  # of an integer whose digits Python prints
_MAX_ITEMS = 30  # of a list or mapping that a message shows
MAX_TEXT = 200  # characters of another program's text in a message, such as an error of git

# The user part of a URL ends with the last @ before a slash. No host is as long as 256 characters:
# such a text is the beginning of a user part that somebody else has cut.
_USER = re.compile(r"(?<=://)(?:[^\s/?#]*@|[^\s/?#]{256,})")
CI_COMMANDS = ("##[", "##vso[")  # GitHub and Azure obey these anywhere in a line


def printable(text: str) -> str:
    """Return `text` as a message may show it.

    It is one line, whose control characters are escaped. It commands neither a terminal nor a CI
    system, and no URL in it has a user name or a password.
    """
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
    for command in CI_COMMANDS:
        text = text.replace(command, rf"\x23{command[1:]}")
    return without_users(text)


def without_users(text: str) -> str:
    """Return `text` with ``***`` for the user name and the password of each URL in it."""
    return _USER.sub("***@", text) if "://" in text else text


def json_text(value: object, indent: int | None = None) -> str:
    """Return a JSON value as text, in which no URL has a user name or a password."""
    return json.dumps(_without_users(value), ensure_ascii=False, indent=indent)


def _without_users(value: object) -> object:
    if isinstance(value, str):
        return without_users(value)
    if isinstance(value, dict):
        return {key: _without_users(inner) for key, inner in value.items()}
    return [*map(_without_users, value)] if isinstance(value, (list, tuple)) else value


def shorten(text: str, most: int = MAX_TEXT) -> str:
    """Return `text`, cut to `most` characters; three dots at its end show that it is cut."""
    if len(text) > most:
        text = without_users(text)  # nobody could find the half of a password
    return text if len(text) <= most else text[: most - 3] + "..."


def format_value(raw: object) -> str:
    """Return a value of YAML in one line of at most `MAX_VALUE` characters, nearly as written."""
    return "empty" if raw is None else shorten(printable(_text(raw)), MAX_VALUE)


def _text(raw: object, depth: int = 3) -> str:
    """Return the beginning of a value: lists may contain themselves, and aliases gigabytes."""
    if isinstance(raw, str):
        return repr(str(without_users(raw)[: MAX_VALUE + 1]))  # nobody could find half a password
    if not isinstance(raw, (Mapping, list, tuple, set, frozenset)):
        return _plain(raw)
    if not depth:
        return "..."
    items = [_text(item, depth - 1) for item in islice(raw, _MAX_ITEMS)]
    if isinstance(raw, Mapping):
        values = (_text(raw[key], depth - 1) for key in islice(raw, _MAX_ITEMS))
        items = [f"{key}: {value}" for key, value in zip(items, values, strict=True)]
    start, end = "[]" if isinstance(raw, list) else "()" if isinstance(raw, tuple) else "{}"
    return f"{start}{', '.join(items)}{end}"


def _plain(raw: object) -> str:
    """Return the text of a value that is not a container; for an unknown type, only its name."""
    if raw is None or isinstance(raw, bool):
        return "null" if raw is None else str(raw).lower()
    if isinstance(raw, date):
        return raw.isoformat()
    if isinstance(raw, int) and raw.bit_length() > _MAX_BITS:
        return f"{raw:#x}"[: MAX_VALUE + 1]  # Python prints very long ones only so
    if isinstance(raw, (int, float, bytes)):
        return repr(raw)[: MAX_VALUE + 1]
    name = type(raw).__name__
    return (
        str(raw) if isinstance(raw, Decimal) else f"{'an' if name[0] in 'AEIOaeio' else 'a'} {name}"
    )


def format_key(key: object) -> str:
    """Return a key of a mapping in one line; a string that is printable has no quotes."""
    if isinstance(key, str) and key.isprintable() and key:
        return shorten(key, MAX_VALUE)
    return format_value(key)


def describe_error(error: BaseException) -> str:
    """Return the type and the text of an exception, such as ``ValueError: no``, in one line."""
    return shorten(printable(" ".join(f"{type(error).__name__}: {error}".split())))


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """Return ``1 URL``, ``2 URLs`` or ``10,001 URLs``. `plural` is for nouns such as ``entry``."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def first_names(names: Sequence[str], most: int = 3) -> str:
    """Return the first `most` names, and how many more there are: ``a, b, c and 5 more``."""
    shown = ", ".join(map(shorten, names[:most]))
    return f"{shown} and {len(names) - most:,} more" if len(names) > most else shown


def distinct(names: Iterable[tuple[str, str]]) -> list[str]:
    """Return the first of each pair of names; the second where the first is that of several."""
    pairs = list(names)
    counts = Counter(first for first, _ in pairs)
    return [second if second and counts[first] > 1 else first for first, second in pairs]


def listing(words: Iterable[str], last: str = "and") -> str:
    """Return ``a``, ``a and b`` or ``a, b and c``."""
    *before, end = words
    return f"{', '.join(before)} {last} {end}" if before else end


def unescape(text: str) -> str:
    """Return `text` with its character references resolved, as in browsers."""
    # `html.unescape` raises an error for a number of more than 4,300 digits.
    return html.unescape(re.sub(r"&#[0-9]{1000,}+;?", "\ufffd", text) if "&#" in text else text)


def with_relative_paths(text: str, folder: Path) -> str:
    """Return a text with ``.`` in place of the absolute path of a folder.

    Names that contain the path stay: with the folder /docs, ``https://example.com/docs/``, /docs2
    and /docs.old.
    """
    return re.sub(rf"(?<![\w./\]-]){re.escape(str(folder))}(?![\w-]|\.\w)", ".", text)
