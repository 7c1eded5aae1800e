"""Say what to do about a text that YAML can't read: the mistakes that many people make."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from mkdocs_sitemap_plus.wording import MAX_VALUE, printable, shorten

_BEGINS_EARLIER = ("while scanning a simple key", "while scanning a quoted scalar")
"""What the parser was at if it noticed a mistake only below the line that has it."""

_QUOTED = r"""(?:'(?>(?:[^']|'')*)'|"(?>(?:[^"\\]|\\.)*)")\s*(?:#.*)?"""
# A value that is meant as a text: it begins with a character that begins no text in YAML, has text
# after a bracket that was closed, or has a colon.
_IS_TEXT = r"[@`%]|\{\{|\[[^\[\]{}]*\]\s*[^\s\]},]|[^\s'\"\[{*&!].*:(?:\s|$)"
_SPECIAL_STARTS = ("*", "&", "!")
_OF_SPECIAL_STARTS = "alphabetic or numeric|undefined alias|constructor for the tag"
_INDENT = "Indent this line as those beside it."
_FIXES = {
    "expected ':'": "Write `KEY: VALUE`, or indent the line if it continues the value above.",
    "mapping values are not allowed": _INDENT,
    "expected key": _INDENT,
    "<block end>": _INDENT,
    "expected '-'": _INDENT,
    "<document start>": _INDENT,
}
"""What to do by the words of the parser, if nothing is wrong in the line itself."""


class Mistake(NamedTuple):
    """Where a text has a mistake, and what to do about it."""

    line: int | None  # counted from 0; None if it is not known
    fix: str | None  # a sentence; None if nobody knows


def mistake_of(error: Exception, lines: Sequence[str]) -> Mistake:
    """Return the mistake for which PyYAML raised this error; `lines` are those of the text."""
    mark = getattr(error, "problem_mark", None)
    if getattr(error, "context", None) in _BEGINS_EARLIER:
        mark = getattr(error, "context_mark", None) or mark
    if mark is None:
        return Mistake(None, None)
    what = str(getattr(error, "problem", None))
    return Mistake(mark.line, _fix(lines[mark.line], what) if mark.line < len(lines) else None)


def _fix(line: str, what: str) -> str | None:
    """Return what to do about a line of which the parser says `what`."""
    if re.match(r" *\t", line):
        return "Replace the tab by spaces."
    text = re.sub(r"^ *(?:- +)*", "", line).strip()
    key, colon, value = text.partition(":")
    if not colon or value.lstrip() == value != "":
        key, value = "", text
    value = value.strip()
    is_quoted = value.startswith(("'", '"'))
    value = value if is_quoted else re.sub(r"\s#.*", "", value)
    of_key = f" of {shorten(printable(key), MAX_VALUE)}" if key else ""
    if "escape" in what and value.startswith('"'):
        return f"Put the value{of_key} in single quotes: in double quotes, \\ has a meaning."
    if is_quoted and not re.fullmatch(_QUOTED, value):
        return f"Check the quotes around the value{of_key}."
    is_special = value.startswith(_SPECIAL_STARTS) and re.search(_OF_SPECIAL_STARTS, what)
    if is_special or re.match(_IS_TEXT, value):
        return f"Put the value{of_key} in quotes."
    if what.startswith("mapping values") and not line.startswith((" ", "-")):
        return "Write the line before it as `KEY: VALUE`."
    return next((fix for words, fix in _FIXES.items() if words in what), None)
