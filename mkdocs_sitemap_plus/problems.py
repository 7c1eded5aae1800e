"""Where things come from: the places that were read, and the commits that date a file."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from mkdocs_sitemap_plus.wording import counted

MAX_OF_A_KIND = 5
"""Problems of one code that are shown; the others are counted."""


class Origin(StrEnum):
    """Who says something about a page."""

    FRONT_MATTER = "front matter"
    RULE = "rule"
    OPTION = "option"
    BUILT_PAGE = "built page"
    PLUGIN = "plugin"
    SITEMAP = "sitemap"


class Includer(StrEnum):
    """What puts a file into a page; the values of the option ``lastmod.includes``."""

    SNIPPETS = "snippets"
    INCLUDE_MARKDOWN = "include-markdown"
    MACROS = "macros"
    DEPENDS = "depends"
    MKDOCSTRINGS = "mkdocstrings"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where somebody said something.

    Attributes:
        origin: who speaks there.
        file: the file as its owner knows it: a page's path under the docs folder, ``mkdocs.yml``,
            or a file of the built site; None where there is none.
        key: the dotted key, such as ``sitemap.priority`` or ``rules[2].match``; None for a
            whole file.
        line: the 1-based line of the key, where it is known.
    """

    origin: Origin
    file: str | None = None
    key: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        """``guide/a.md:3: sitemap.priority``, as far as it is known."""
        file = f"{self.file}:{self.line}" if self.file and self.line else self.file
        return ": ".join(part for part in (file, self.key) if part) or self.origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Something that was looked at and did not decide.

    Attributes:
        what: a commit's full id, or a file's path.
        why: the reason in a few words, such as ``renamed from docs/old.md``.
    """

    what: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The commit that dates a file.

    Attributes:
        repository: the top folder of the work tree.
        path: the file's path in that commit, relative to ``repository``, with ``/``; bytes that are
            not UTF-8 are kept as surrogate escapes.
        commit: the full hexadecimal id of the commit.
        when: its date, aware and in UTC, whole seconds.
        skipped: newer commits that changed the file and do not count, newest first.
        added: whether the commit added the file; if not, the file has an older date.
        file: the name of the dates file that remembers it; None: git said so itself.
    """

    repository: Path
    path: str
    commit: str
    when: datetime
    skipped: tuple[Skipped, ...] = ()
    added: bool = False
    file: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong, or that the owner should know.

    Attributes:
        code: a stable short name, such as ``priority`` or ``shallow``.
        found: what was found, as a clause, such as ``is 7``.
        place: where, or None for the environment.
        expected: what is allowed there, to be read after "must be".
        suggestion: what was probably meant, as its author would write it.
        done: what happens, as a sentence, such as ``No priority is written.``
        fix: what to do about it, as a sentence.
        note: True if it is worth a line only (INFO); False if the owner wrote something that
            can't be right (WARNING, which fails a strict build).
    """

    code: str
    found: str
    place: Place | None = None
    expected: str | None = None
    suggestion: str | None = None
    done: str | None = None
    fix: str | None = None
    note: bool = False

    def __str__(self) -> str:
        """One line that says all of it."""
        where = f"{self.place} " if self.place and self.place.key else f"{self.place}: "
        found = (where if self.place else "") + self.found
        sentences = (
            f"{found}, but must be {self.expected}." if self.expected else f"{found}.",
            self.done,
            f"Did you mean {self.suggestion}?" if self.suggestion else None,
            self.fix,
        )
        return " ".join(filter(None, sentences))


def first_of(problems: Sequence[Problem]) -> list[Problem]:
    """Return at most one problem of a field: the first, which also counts the others."""
    return [with_others(problems[0], len(problems) - 1)] if problems else []


def with_others(problem: Problem, others: int) -> Problem:
    """Return the problem with the number of other problems of its field, if there are any."""
    if not others:
        return problem
    more = f"This field has {counted(others, 'more problem')}."
    return replace(problem, fix=f"{problem.fix} {more}" if problem.fix else more)


def with_lines(problems: Iterable[Problem], lines: Mapping[str, int]) -> Iterator[Problem]:
    """Yield problems of options, each with the line of its key or of the key around it.

    Args:
        problems: with a place each.
        lines: the 1-based lines, by dotted key.
    """
    for problem in problems:
        key = problem.place.key if problem.place else None
        while key and key not in lines:
            key = key[: max(key.rfind("."), key.rfind("["), 0)]
        if problem.place and key:
            yield replace(problem, place=replace(problem.place, line=lines[key]))
        else:
            yield problem


def shown_problems(problems: Iterable[Problem]) -> Iterator[tuple[bool, str]]:
    """Yield the lines about some problems, each once, with whether it is a note.

    Of one code and level at most five problems are shown, then how many more there are.
    """
    counts: Counter[tuple[bool, str]] = Counter()
    for problem in dict.fromkeys(problems):
        kind = (problem.note, problem.code)
        counts[kind] += 1
        if counts[kind] <= MAX_OF_A_KIND:
            yield problem.note, str(problem)
    for (note, code), count in counts.items():
        if count > MAX_OF_A_KIND:
            more = counted(count - MAX_OF_A_KIND, "more problem")
            yield note, f"{more} of this kind ({code})."
