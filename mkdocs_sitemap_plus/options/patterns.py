"""Patterns on paths, as in MkDocs' ``exclude_docs``, which match in linear time."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from pathspec import GitIgnoreSpec

from mkdocs_sitemap_plus.problems import Code, Place, Result, invalid

MAX_PATTERN = 1_000  # characters of one pattern

_MAX_STARS = 2  # outside of atomic groups, in one file or folder name; see `_make_linear`

# How pathspec writes ``*``, ``**/`` before the first name, and ``/**`` between two names.
_STAR, _FOLDERS_BEFORE, _FOLDERS_BETWEEN = "[^/]*", "(?:.+/)?", "(?:/.+)?"
_LAZY_STAR = "[^/]*?"
# A piece of a regular expression: a star, a set, an escaped character, or any other character.
_PIECE = r"(?s)\[\^/\]\*|\[\^?\]?(?:\\\\|[^\]\\])*\]|\\.|."
_SPECIAL = frozenset("/()|^$?+*.")  # what does not match itself: text after a star ends there


class Patterns(NamedTuple):
    """Patterns on paths."""

    lines: tuple[str, ...]  # as they are written; each is a pattern or a comment
    spec: GitIgnoreSpec  # the patterns of the lines

    def __bool__(self) -> bool:
        """Return whether there is at least one pattern; comments do not count."""
        return any(pattern.include is not None for pattern in self.spec.patterns)

    def match_file(self, path: str) -> bool:
        """Return whether a relative path with ``/`` matches; the last pattern that fits decides."""
        return bool(self.spec.match_file(path))

    def unmatched(self, paths: Sequence[str]) -> list[str]:
        """Return the patterns that match none of the `paths`, as they are written."""
        named = dict(zip(self.lines, self.spec.patterns, strict=True))
        return [
            line
            for line, pattern in named.items()
            if line.strip(" ")
            and not line.startswith("#")
            and not any(map(pattern.match_file, paths))
        ]


def read_match(raw: object, place: Place) -> Result[Patterns]:
    """Return what `read_patterns` returns; but a value without a pattern is a problem."""
    patterns, problems = read_patterns(raw, place)
    if patterns or problems:
        return patterns, problems
    return None, [invalid(Code.OPTION, place, raw, "at least one pattern")]


def read_patterns(raw: object, place: Place) -> Result[Patterns]:
    """Return the patterns in a text with a pattern in each line, or in a list of such texts."""
    parts = [raw] if isinstance(raw, str) else raw
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        expected = "a pattern, a list of patterns, or a block of them"
        return None, [invalid(Code.OPTION, place, raw, expected)]
    lines = [line for part in parts for line in part.splitlines() if line]
    for line in lines:
        if fault := _pattern_fault(line):
            return None, [invalid(Code.OPTION, place, line, fault=fault)]
    spec = GitIgnoreSpec.from_lines(lines)
    _make_linear(spec)
    return Patterns(tuple(lines), spec), []


def _pattern_fault(line: str) -> str | None:
    """Return why a line can't be a pattern, as a clause; None if it can be one."""
    if len(line) > MAX_PATTERN:
        return f"has more than {MAX_PATTERN:,} characters"
    try:
        is_linear = _make_linear(GitIgnoreSpec.from_lines([line]))
    except (ValueError, re.error) as error:
        return f"is not a pattern as in .gitignore ({error})"
    return None if is_linear else "has too many * beside [!...]"


def _make_linear(spec: GitIgnoreSpec) -> bool:
    """Make the patterns match in linear time; return False if that is not possible.

    In the regular expressions of pathspec, each star backtracks for each later star. This is not
    needed: the first place where the text between two stars fits is always right, since the second
    star matches whatever comes next. The same is true of ``**/``. So these parts become atomic
    groups, which do not backtrack. A star before a set such as ``[!a]`` can't be in such a group.
    """
    for pattern in spec.patterns:
        if pattern.regex is not None:
            linear = _make_folders_atomic(_make_stars_atomic(pattern.regex.pattern))
            # Without escaped characters and the stars in atomic groups.
            others = re.sub(r"\\.", "", linear).replace(_LAZY_STAR, "").replace(_STAR, "*")
            if any(name.count("*") > _MAX_STARS for name in others.split("/")):
                return False
            pattern.regex = re.compile(linear)
    return True


def _make_stars_atomic(regex: str) -> str:
    """Return the expression with an atomic group around each star and the text to the next star."""
    pieces: list[str] = []
    last_star: int | None = None  # its index, if only text has followed it so far
    for piece in re.findall(_PIECE, regex):
        is_set_with_slash = piece[0] == "[" and re.match(piece, "/")
        if piece == _STAR:
            if last_star is not None:
                pieces[last_star] = f"(?>{_LAZY_STAR}"
                pieces.append(")")
            last_star = len(pieces)
        elif piece in _SPECIAL or is_set_with_slash:
            last_star = None
        pieces.append(piece)
    return "".join(pieces)


def _make_folders_atomic(regex: str) -> str:
    """Return the expression with an atomic group around each ``**`` and the names to the next."""
    first, *others = regex.removeprefix("^").split(_FOLDERS_BETWEEN)
    if not others:
        return regex
    if first.startswith(_FOLDERS_BEFORE):
        first = "(?:.+?/)??" + first.removeprefix(_FOLDERS_BEFORE)
    between = "".join(f"(?>(?:/.+?)??{part}(?=/))" for part in others[:-1])
    return f"^(?>{first}(?=/)){between}{_FOLDERS_BETWEEN}{others[-1]}"
