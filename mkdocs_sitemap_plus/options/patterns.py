"""Patterns on paths, as in MkDocs' ``exclude_docs``."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from pathspec import GitIgnoreSpec

from mkdocs_sitemap_plus.options.values import Invalid, part

_MAX_STARS = 3  # in one file or folder name, and of ** in a pattern; twice as many of both


class Patterns(NamedTuple):
    """Patterns on paths."""

    lines: tuple[str, ...]  # as they are written; each is a pattern or a comment
    spec: GitIgnoreSpec  # the patterns of the lines

    def __bool__(self) -> bool:
        """Return whether there is at least one pattern; comments do not count."""
        return any(pattern.include is not None for pattern in self.spec.patterns)

    def match_file(self, path: str) -> bool:
        """Return whether a relative path matches; the last pattern that fits decides."""
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


def pattern_list(raw: object) -> Patterns:
    """Return the patterns of a text with one in each line, or of a list of such texts."""
    texts = [raw] if isinstance(raw, str) else raw
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise Invalid("a pattern, a list of patterns, or a block of them")
    lines = [line for text in texts for line in text.splitlines() if line]
    for line in lines:
        with part("", line):
            if len(line) > 1000:
                raise Invalid(fault="has more than 1,000 characters")
            # In pathspec's regular expressions, each star backtracks for each later one.
            counts = [line.count("**"), *(name.count("*") for name in line.split("/"))]
            if max(counts) > _MAX_STARS or len(re.findall(r"\*+", line)) > 2 * _MAX_STARS:
                raise Invalid(fault="has too many *")
            try:
                GitIgnoreSpec.from_lines([line])
            except (ValueError, re.error) as error:
                raise Invalid(fault=f"is not a pattern as in .gitignore ({error})") from error
    return Patterns(tuple(lines), GitIgnoreSpec.from_lines(lines))


def match(raw: object) -> Patterns:
    """Return `pattern_list`, of which there must be one."""
    if found := pattern_list(raw):
        return found
    raise Invalid("at least one pattern")
