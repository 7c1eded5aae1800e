"""Problems: what is wrong, where it is, and how a log shows it."""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple, TypeVar

from mkdocs_sitemap_plus.wording import (
    MAX_VALUE,
    counted,
    first_names,
    format_value,
    printable,
    shorten,
)

MAX_OF_A_KIND = 5  # problems of one code and level that are printed
_MAX_NAMES = 20  # places of the others that are named


class Code(StrEnum):
    """What a problem is about, as the JSON report names it. A code never changes.

    Git's problems have the codes of `gitdates.GitCode`, and files that can't be read as a sitemap
    those of `check`.
    """

    # The project and its options
    PROJECT_FILE = "project-file"
    DOCS_DIR = "docs-dir"
    SITE_DIR = "site-dir"
    SITE = "site"  # a folder or a project is not that of the sitemap
    SITE_URL = "site-url"
    OPTION = "option"  # the value of an option is invalid, or new in what it does
    UNKNOWN_KEY = "unknown-key"
    NO_EFFECT = "no-effect"  # a rule sets nothing
    PATTERN = "pattern"  # it matches no page, file or author
    EXTRA_SITEMAP = "extra-sitemap"
    TRANSFORM = "transform"

    # Front matter, and the same fields elsewhere
    FRONT_MATTER = "front-matter"  # it can't be read
    SITEMAP = "sitemap"  # the key `sitemap`; or a sitemap can't be opened
    NEAR_MISS = "near-miss"  # a key is similar to one that is read
    PRIORITY_OF_ANOTHER_TOOL = "priority-of-another-tool"
    URL = "url"
    CHANGEFREQ = "changefreq"
    PRIORITY = "priority"
    LASTMOD = "lastmod"
    EXCLUDE = "exclude"
    IMAGES = "images"
    VIDEOS = "videos"
    ALTERNATES = "alternates"
    DEPENDS = "depends"

    # Pages and URLs
    LOC = "loc"
    CANONICAL = "canonical"
    SAME_URL = "same-url"
    OUTSIDE = "outside"  # of the folder that an index may list
    UNREADABLE = "unreadable"  # files of the built site
    NOINDEX_IN_BODY = "noindex-in-body"
    HOME_LEFT_OUT = "home-left-out"
    INDEX_FOR_THEME = "index-for-theme"
    INSTANT_NAVIGATION = "instant-navigation"
    NO_SOURCE = "no-source"
    NO_PAGE = "no-page"  # HTML files of a site of another builder

    # Dates
    NO_DATES = "no-dates"
    SHALLOW = "shallow"
    ONE_COMMIT = "one-commit"
    DATES_FILE = "dates-file"
    UNCOMMITTED = "uncommitted"  # files differ from the commits that date their pages
    FUTURE = "future"
    UNSEARCHED = "unsearched"  # a pattern of `depends` or of an include
    PAGE_DATES = "page-dates"

    # Files that are written
    EMPTY = "empty"
    MAX_BYTES = "max-bytes"
    INDEX = "index"
    ROBOTS_TXT = "robots-txt"
    WRITE = "write"
    REPORT = "report"
    REPLACED = "replaced"
    WORSE = "worse"  # than the sitemap that was there
    NO_SITEMAP = "no-sitemap"
    ROOT_INDEX = "root-index"

    # Sitemaps that are read, and servers
    INVALID = "invalid"
    FETCH = "fetch"
    INDEXNOW = "indexnow"


class Level(StrEnum):
    """How much a problem of a build, or a finding of a check, matters, as reports name it."""

    ERROR = "error"  # of a check: search engines ignore the file, the entry or the date
    WARNING = "warning"  # it fails a strict build
    NOTE = "note"  # of a build


class Origin(StrEnum):
    """The kind of place that a value comes from."""

    FRONT_MATTER = "front matter"
    RULE = "rule"
    OPTION = "option"
    BUILT_PAGE = "built page"
    PLUGIN = "plugin"
    SITEMAP = "sitemap"


class Place(NamedTuple):
    """Where a value stands."""

    origin: Origin
    file: str | None = None  # as messages name it, such as ``docs/a.md``
    key: str | None = None  # dotted, such as ``rules[2].match``; None for a whole file
    line: int | None = None  # where the key stands, counted from 1; None if that is not known

    @property
    def name(self) -> str:
        """The last part of the key."""
        return (self.key or "value").rpartition(".")[2]

    def under(self, name: str) -> "Place":
        """Return the place of a key in the mapping at this place."""
        return self._replace(key=f"{self.key}.{name}")

    def item(self, number: int) -> "Place":
        """Return the place of an item, counted from 0, in the list at this place."""
        return self._replace(key=f"{self.key}[{number}]")

    def __str__(self) -> str:
        """Return ``docs/a.md:3: sitemap.priority``, without what is None; the origin if all is."""
        file = f"{self.file}:{self.line}" if self.file and self.line else self.file
        return printable(": ".join(part for part in (file, self.key) if part) or self.origin)


class Problem(NamedTuple):
    """One thing that is wrong, or that the owner should know."""

    code: StrEnum  # a `Code`, or that of a library
    found: str  # what was found: words that follow a key, such as ``is 7``, or a clause
    place: Place | None = None  # None: it is about the environment
    expected: str | None = None  # what is allowed, as the words after "must be"
    done: str | None = None  # what happens now, as a sentence, such as ``No priority is written.``
    fix: str | None = None  # what the owner can do, as a sentence
    level: Level = Level.WARNING

    def __str__(self) -> str:
        """Return the line for the log, whatever text of others is in it."""
        clause = self.found
        if self.place:  # its key is the subject of the clause; a file is not
            clause = f"{self.place}{'' if self.place.key else ':'} {clause}"
        sentences = (
            f"{clause}, but must be {self.expected}." if self.expected else f"{clause}.",
            self.done,
            self.fix,
        )
        return printable(" ".join(filter(None, sentences)))


_T = TypeVar("_T")
Result = tuple[_T | None, list[Problem]]
"""What a reader returns: a value, or None if there is no valid one, and the problems."""


class SitemapError(Exception):
    """The sitemap can't be made. `others` are further problems of the same kind."""

    def __init__(self, problem: Problem, *others: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem
        self.others = others


def invalid(  # noqa: PLR0913 - what is wrong, and how it was written
    code: Code,
    place: Place,
    raw: object,
    expected: str | None = None,
    *,
    fault: str | None = None,
    written: str | None = None,
) -> Problem:
    """Return the problem of a value: it is not what is `expected`, or it has a `fault`.

    A fault is a clause such as ``has a fragment``. `written` is the text from which YAML made the
    value, if that is known.
    """
    shown = shorten(printable(written), MAX_VALUE) if written else format_value(raw)
    found = "is missing or empty" if raw is None else f"is {shown}"
    return Problem(code, f"{found}, which {fault}" if fault else found, place, expected=expected)


def with_line(place: Place, lines: Mapping[str, int], files: Mapping[str, str] = {}) -> Place:
    """Return the place with the line of its key, or of the nearest key around it.

    `lines` has the line of each key, and `files` the file, if it is another one.
    """
    key = place.key or ""
    while key and key not in lines:
        key = key[: max(key.rfind("."), key.rfind("["), 0)]
    return place._replace(line=lines.get(key), file=files.get(key, place.file))


def lacks_line(problem: Problem) -> bool:
    """Return whether a problem is about an option whose line is not known yet."""
    place = problem.place
    return bool(
        place and place.key and not place.line and place.origin in (Origin.OPTION, Origin.RULE)
    )


def log_lines(problems: Iterable[Problem]) -> Iterator[tuple[Level, str]]:
    """Yield the lines for the log, each with its level.

    Equal problems have one line. At most `MAX_OF_A_KIND` problems of one code and level have lines;
    one more line says how many others there are, and names their places.
    """
    kinds: dict[tuple[Level, StrEnum], list[Problem]] = {}
    for problem in dict.fromkeys(problems):
        of_kind = kinds.setdefault((problem.level, problem.code), [])
        of_kind.append(problem)
        if len(of_kind) <= MAX_OF_A_KIND:
            yield problem.level, str(problem)
    for (level, code), of_kind in kinds.items():
        if others := of_kind[MAX_OF_A_KIND:]:
            more = counted(len(others), "more note" if level is Level.NOTE else "more problem")
            places = (each.place for each in others if each.place and each.place.file)
            files = [str(place._replace(key=None)) for place in places]
            names = first_names([*dict.fromkeys(files)], _MAX_NAMES)
            yield level, f"{more} of this kind ({code}){f': {names}' if names else ''}."
