"""Problems: what is wrong, where it is written, and the lines that messages show of it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from mkdocs_sitemap_plus.wording import counted, format_value

QUOTE_IT = "Put it in quotes: YAML reads the words yes, no, on and off as true and false."

MAX_OF_A_KIND = 5
"""Problems of one code that are shown; the others are counted."""


class Origin(StrEnum):
    """What kind of thing sets something for a page."""

    FRONT_MATTER = "front matter"
    RULE = "rule"
    OPTION = "option"
    BUILT_PAGE = "built page"
    PLUGIN = "plugin"
    SITEMAP = "sitemap"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a value stands.

    Attributes:
        origin: what kind of place it is.
        file: the file as messages name it, such as ``docs/a.md``; None if there is none.
        key: the dotted key, such as ``rules[2].match``; None for a whole file.
        line: the 1-based line of the key; None if it is not known.
    """

    origin: Origin
    file: str | None = None
    key: str | None = None
    line: int | None = None

    @property
    def name(self) -> str:
        """The last part of the key."""
        return (self.key or "value").rpartition(".")[2]

    def under(self, name: str) -> "Place":
        """Return the place of a key of the mapping that stands here."""
        return replace(self, key=f"{self.key}.{name}")

    def item(self, number: int) -> "Place":
        """Return the place of an item, counted from 0, of the list that stands here."""
        return replace(self, key=f"{self.key}[{number}]")

    def __str__(self) -> str:
        """Return ``docs/a.md:3: sitemap.priority``, or what is known of that."""
        file = f"{self.file}:{self.line}" if self.file and self.line else self.file
        return ": ".join(part for part in (file, self.key) if part) or self.origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong, or that the owner should know of.

    Attributes:
        code: a stable short name, such as ``priority`` or ``shallow``.
        found: what was found, as a clause, such as ``is 7``.
        place: where it was found; None: in the environment.
        expected: what is allowed there, to be read after "must be".
        suggestion: what was probably meant, as its author would write it.
        done: what happens, as a sentence, such as ``No priority is written.``
        fix: what to do about it, as a sentence.
        note: True: information (INFO); False: the owner should correct it (WARNING, which fails a
            strict build).
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
        """Return the line for the log."""
        where = f"{self.place} " if self.place and self.place.key else f"{self.place}: "
        found = (where if self.place else "") + self.found
        sentences = (
            f"{found}, but must be {self.expected}." if self.expected else f"{found}.",
            self.done,
            f"Did you mean {self.suggestion}?" if self.suggestion else None,
            self.fix,
        )
        return " ".join(filter(None, sentences))


class SitemapError(Exception):
    """The sitemap can't be made, so the build or the command stops.

    Attributes:
        problem: what is wrong, where, and what to do about it.
        others: more problems of the same kind, such as other invalid options.
    """

    def __init__(self, problem: Problem, *others: Problem) -> None:
        """Keep the problems; the text is the line of the first."""
        super().__init__(str(problem))
        self.problem = problem
        self.others = others


def invalid(
    code: str, place: Place, raw: object, expected: str, suggestion: object = None
) -> Problem:
    """Return the problem of a value that its place does not allow."""
    return Problem(
        code=code,
        place=place,
        found=f"is {format_value(raw)}",
        expected=expected,
        suggestion=None if suggestion is None else format_value(suggestion),
    )


def faulty(code: str, place: Place, raw: object, fault: str) -> Problem:
    """Return the problem of a value of the right type with a fault, such as ``has a fragment``."""
    return Problem(code=code, place=place, found=f"is {format_value(raw)}, which {fault}")


def suggest_quotes(problem: Problem, raw: object) -> Problem:
    """Return the problem with a fix if YAML made a boolean of a word."""
    return replace(problem, fix=QUOTE_IT) if isinstance(raw, bool) else problem


def first_of(problems: Sequence[Problem]) -> list[Problem]:
    """Return the first problem of a field, with the number of the others; or none."""
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
