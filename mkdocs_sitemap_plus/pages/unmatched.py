"""Messages about patterns that match nothing."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from mkdocs_sitemap_plus.options.values import Patterns
from mkdocs_sitemap_plus.problems import Code, Level, Place, Problem
from mkdocs_sitemap_plus.wording import format_value


def unmatched(
    patterns: Patterns, paths: Sequence[str], place: Place, what: str
) -> Iterator[Problem]:
    """Yield a note on each pattern that matches none of the `paths`; `what` says what these are."""
    for line in patterns.unmatched(paths):
        found = f"has {format_value(line)}, which matches no {what}"
        yield Problem(Code.PATTERN, found, place, level=Level.INFO)


def unmatched_excludes(
    patterns: Patterns,
    paths: Sequence[str],
    place: Place,
    folder: str,
    other_files: Callable[[], Iterable[str]] = tuple,
) -> Iterator[Problem]:
    """Yield a warning for each pattern that should leave out pages, and matches nothing.

    Whatever its author meant by it, those pages are listed. `paths` are those of pages below the
    `folder`; a pattern that matches another file there may stay, so `other_files` are asked for
    where there is one that matches no page.
    """
    lines = [line for line in patterns.lines if line.strip(" ")]
    done = "It leaves out nothing."
    if lines and all(line.startswith("#") for line in lines):
        yield Problem(Code.PATTERN, "has only comments", place, done=done, level=Level.INFO)
        return
    if lines and all(line[0] in "!#" for line in lines):
        first = next(line for line in lines if line.startswith("!"))
        found = f"has no pattern but {format_value(first)}, and `!` brings pages back"
        yield Problem(Code.PATTERN, found, place, done=done)
        return
    if not patterns.unmatched(paths):
        return
    rule = f"Patterns are paths below {folder}/ as in .gitignore, no URLs and no regular "
    for line in patterns.unmatched([*paths, *other_files()]):
        brings_back = line.startswith("!")
        yield Problem(
            Code.PATTERN,
            f"has {format_value(line)}, which matches nothing in {folder}/",
            place,
            fix=None if brings_back else f"{rule}expressions.",
            level=Level.INFO if brings_back else Level.WARNING,
        )
