"""Patterns on paths, as in MkDocs' ``exclude_docs``, made fast enough for any path."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pathspec import GitIgnoreSpec

from mkdocs_sitemap_plus.problems import Place, Problem, faulty, invalid
from mkdocs_sitemap_plus.wording import format_value

MAX_PATTERN = 1_000
"""Characters of one pattern."""

_MAX_STARS = 2
"""Stars in one name that has sets such as ``[!a]``, which may match a slash."""

# What pathspec makes of a pattern, piece by piece: "*", "?", a set, an escaped letter, any other.
_STAR = "[^/]*"
_FIRST = "[^/]*?"
_PIECE = re.compile(r"\[\^/\]\*|\[\^?\]?(?:\\\\|[^\]\\])*\]|\\.|.", re.DOTALL)
_MARKS = frozenset("/()|^$?+*.")
"""Characters of the regular expression itself; a name ends there."""
_FOLDERS_BEFORE, _FOLDERS_BETWEEN = "(?:.+/)?", "(?:/.+)?"


@dataclass(frozen=True, slots=True)
class Patterns:
    """Patterns on paths.

    Attributes:
        lines: as they are written, one a pattern or a comment; none is empty.
        spec: the same, to match paths.
    """

    lines: tuple[str, ...]
    spec: GitIgnoreSpec

    def __bool__(self) -> bool:
        """Return whether there is a pattern, and not only comments."""
        return any(each.include is not None for each in self.spec.patterns)

    def match_file(self, path: str) -> bool:
        """Return whether a path, relative and with ``/``, matches; the last pattern decides."""
        return bool(self.spec.match_file(path))

    def without_a_match(self, paths: Iterable[str]) -> list[str]:
        """Return the patterns that match none of some paths, each without regard to the others."""
        unused = {
            line: pattern
            for line, pattern in zip(self.lines, self.spec.patterns, strict=True)
            if pattern.include is not None
        }
        for path in paths:
            if not unused:
                break
            unused = {line: each for line, each in unused.items() if each.match_file(path) is None}
        return list(unused)


def read_match(raw: object, place: Place) -> Patterns | Problem:
    """Read patterns, of which there must be one."""
    patterns = read_patterns(raw, place)
    if isinstance(patterns, Problem) or patterns:
        return patterns
    return invalid("option", place, raw, "at least one pattern")


def read_patterns(raw: object, place: Place) -> Patterns | Problem:
    """Read one pattern, a list, or a block of them, as in MkDocs' ``exclude_docs``."""
    parts = [raw] if isinstance(raw, str) else raw
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        return invalid("option", place, raw, "a pattern, a list of patterns, or a block of them")
    lines = [line for part in parts for line in part.splitlines() if line]
    for line in lines:
        if len(line) > MAX_PATTERN:
            return faulty("option", place, line, f"has more than {MAX_PATTERN:,} characters")
        try:
            quick = _make_linear(GitIgnoreSpec.from_lines([line]))
        except (ValueError, re.error) as error:
            return faulty("option", place, line, f"is not a pattern as in .gitignore ({error})")
        if not quick:
            return faulty("option", place, line, "has too many * beside [!...]")
    spec = GitIgnoreSpec.from_lines(lines)
    _make_linear(spec)
    return Patterns(tuple(lines), spec)


def unmatched_problems(patterns: Patterns, place: Place, paths: Iterable[str]) -> list[Problem]:
    """Return a note for each pattern of an option that matches none of the paths."""
    found = (
        f"has the pattern {format_value(line)}, which matches nothing"
        for line in patterns.without_a_match(paths)
    )
    return [Problem(code="pattern", place=place, found=each, note=True) for each in found]


def _make_linear(spec: GitIgnoreSpec) -> bool:
    """Make the patterns match in linear time; return False if that is not possible.

    The expressions of pathspec backtrack to each star for each later star. The first place where
    the text between two stars fits is always right, since the second star takes what follows: so
    no backtracking is needed. It is the same with ``**/``.
    """
    for pattern in spec.patterns:
        if pattern.regex is not None:
            quick = _make_folders_atomic(_make_stars_atomic(pattern.regex.pattern))
            stars = re.sub(r"\\.", "", quick).replace(_FIRST, "").replace(_STAR, "*")
            if any(name.count("*") > _MAX_STARS for name in stars.split("/")):
                return False
            pattern.regex = re.compile(quick)
    return True


def _make_stars_atomic(regex: str) -> str:
    """Return the expression with the text from a star to the next in an atomic group."""
    found: list[str] = []
    star: int | None = None
    for piece in _PIECE.findall(regex):
        if piece == _STAR:
            if star is not None:
                found[star] = f"(?>{_FIRST}"
                found.append(")")
            star = len(found)
        elif piece in _MARKS or (piece[0] == "[" and re.match(piece, "/")):
            star = None
        found.append(piece)
    return "".join(found)


def _make_folders_atomic(regex: str) -> str:
    """Return the expression with the folders from a ``**`` to the next in an atomic group."""
    first, *others = regex.removeprefix("^").split(_FOLDERS_BETWEEN)
    if not others:
        return regex
    if first.startswith(_FOLDERS_BEFORE):
        first = "(?:.+?/)??" + first.removeprefix(_FOLDERS_BEFORE)
    between = "".join(f"(?>(?:/.+?)??{part}(?=/))" for part in others[:-1])
    return f"^(?>{first}(?=/)){between}{_FOLDERS_BETWEEN}{others[-1]}"
