"""The commits that never date a page: a file of them, as ``git blame --ignore-revs-file`` reads."""

import re
from dataclasses import dataclass
from fnmatch import translate
from pathlib import Path

from mkdocs_sitemap_plus.files import Unreadable, read_text
from mkdocs_sitemap_plus.problems import Origin, Place, Problem
from mkdocs_sitemap_plus.wording import format_value

USUAL_NAME = ".git-blame-ignore-revs"
"""Where forges look for the file too: at the top of the repository."""

_COMMIT = re.compile(r"[0-9a-f]{4,64}", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """Commits and authors that never date a page.

    Attributes:
        whole: full ids of commits, in lower case.
        abbreviated: beginnings of such ids, of at least four digits.
        authors: matches ``Name <mail>`` in whole; None if there are no such authors.
        file: the name of the file that lists the commits.
    """

    whole: frozenset[bytes] = frozenset()
    abbreviated: tuple[bytes, ...] = ()
    authors: re.Pattern[str] | None = None
    file: str = USUAL_NAME

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self.whole or self.abbreviated or self.authors)

    def why(self, oid: bytes, author: bytes) -> str | None:
        """Why this commit dates no page, in a few words; None if it may."""
        if oid in self.whole or oid.startswith(self.abbreviated):
            return f"listed in {self.file}"
        name = author.decode("utf-8", "replace")
        return f"ignored author {name}" if self.authors and self.authors.fullmatch(name) else None


def author_patterns(globs: tuple[str, ...]) -> re.Pattern[str] | None:
    """One pattern for ``Name <mail>`` globs; ``*`` and ``?`` are special, brackets are not.

    Bots have brackets in their names. Upper and lower case are the same.
    """
    parts = (translate(glob.replace("[", "[[]")) for glob in globs)  # without backtracking
    return re.compile("|".join(parts), re.IGNORECASE) if globs else None


def read_revisions(
    path: Path, place: Place | None = None, named: str = ""
) -> tuple[set[bytes], list[Problem]]:
    """The ids in a file, one a line, with ``#`` before comments; and what is wrong with it.

    Args:
        path: the file.
        place: the option that names it; None for the file that was found by itself.
        named: how the option names it.
    """
    try:
        lines = read_text(path, "utf-8-sig").split("\n")
    except Unreadable as error:
        return set(), [_unreadable(named, error, place)] if place else []
    found: set[bytes] = set()
    problems = []
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if text and _COMMIT.fullmatch(text):
            found.add(text.lower().encode())
        elif text:
            problems.append(_no_commit(path, number, text))
    return found, problems


def _unreadable(named: str, error: Unreadable, place: Place) -> Problem:
    return Problem(
        code="ignore-revs",
        place=place,
        found=f"names {format_value(named)}, which can't be read ({error.reason})",
        done="No commit is ignored.",
    )


def _no_commit(path: Path, number: int, text: str) -> Problem:
    return Problem(
        code="ignore-revs",
        place=Place(origin=Origin.OPTION, file=path.name, line=number),
        found=f"{format_value(text)} is not the id of a commit",
        done="The line is ignored.",
        note=True,
    )
