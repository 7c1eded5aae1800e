"""Patterns on paths, of the same kind as MkDocs' ``exclude_docs``."""

from pathspec import GitIgnoreSpec

from mkdocs_sitemap_plus.evidence import Place, Problem
from mkdocs_sitemap_plus.sitemap.fields import wrong


def read_match(raw: object, place: Place) -> GitIgnoreSpec | Problem:
    """Patterns of which there must be one."""
    spec = read_patterns(raw, place)
    if isinstance(spec, Problem) or any(each.include is not None for each in spec.patterns):
        return spec
    return wrong("option", place, raw, "at least one pattern")


def read_patterns(raw: object, place: Place) -> GitIgnoreSpec | Problem:
    """One pattern, a list or a block of them, of the same kind as MkDocs' ``exclude_docs``."""
    parts = [raw] if isinstance(raw, str) else raw
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        return wrong("option", place, raw, "a pattern, a list of patterns, or a block of them")
    lines = [line for part in parts for line in part.splitlines()]
    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError as error:
        return wrong("option", place, raw, f"patterns as in .gitignore ({error})")
