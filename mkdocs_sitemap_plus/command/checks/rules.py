"""What a check can find: rules, each with its code, and the findings that they make.

A rule is one function in `protocol_rules` or `page_rules`. Its docstring says in two paragraphs
what is wrong, and what to do. The page of the codes, ``--explain`` and all findings say the same.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import Enum, auto
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.problems import Level, Place
from mkdocs_sitemap_plus.sitemap.protocol import MAX_LOC_LENGTH
from mkdocs_sitemap_plus.sitemap.urls import loc_fault
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place
from mkdocs_sitemap_plus.wording import DOCS, shorten

CODES_URL = f"{DOCS}command/check-codes/"
CODES = (
    "page-absent", "page-status", "noindex", "redirect", "folder-slash", "not-canonical",
    "canonicals-differ", "soft-not-found", "lastmod-differs", "robots", "disallowed", "not-listed",
    "closed", "replaced", "gone", "required-absent", "too-few-dates", "not-xml", "encoding",
    "wrong-root",
    "gzip", "too-large", "empty", "element-missing", "element-unknown", "namespace-misspelled",
    "loc-relative", "loc-invalid", "loc-fragment", "loc-not-ascii", "loc-local", "loc-outside",
    "duplicate-loc", "lastmod-format", "lastmod-future", "same-lastmod", "lastmod-git", "value",
    "nested-index", "part-missing", "part-lastmod", "hreflang-code", "hreflang-self",
    "hreflang-return",
)  # fmt: skip
"""All codes, in the order of the documentation. Each is that of a rule."""
_MAX_REASON = 2 * MAX_LOC_LENGTH  # characters of a reason, which may contain a URL


ERROR, WARNING = Level.ERROR, Level.WARNING
GOOGLE = "Google, sitemaps"  # the source of several rules


class Subject(Enum):
    """What a rule is asked about."""

    NOTHING = auto()  # what reads, requests or compares finds it on its way
    ENTRY = auto()  # each entry of a sitemap or an index
    URL = auto()  # each entry of a sitemap
    FILE = auto()  # a whole file
    ENTRIES = auto()  # all entries of all files
    PAGE = auto()  # a listed page, built or live
    ROBOTS = auto()  # a robots.txt, built or live


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A rule: what the docs say of it, and how it is found."""

    code: str  # in kebab case
    level: Level
    source: str  # where it is published
    meaning: str  # what is wrong, as a sentence
    fix: str  # what to do about it, as a sentence
    subject: Subject
    find: Callable[..., Any]  # yields what is wrong

    @property
    def url(self) -> str:
        """The section of the documentation about this code."""
        return f"{CODES_URL}#{self.code}"


RULES: dict[str, Rule] = {}  # the rules of the modules that are imported, by their codes


def rule(
    code: str, level: Level, source: str, asked: Subject = Subject.NOTHING
) -> Callable[[Callable[..., Iterator[Any] | None]], Rule]:
    """Make a rule of a function that yields what is wrong; nobody asks one about `NOTHING`."""

    def add(find: Callable[..., Iterator[Any] | None]) -> Rule:
        meaning, _, fix = (find.__doc__ or "").partition("\n\n")
        meaning, fix = (" ".join(text.split()) for text in (meaning, fix))
        RULES[code] = Rule(code, level, source, meaning, fix, asked, find)
        return RULES[code]

    return add


def rules_about(*kinds: Subject) -> list[Rule]:
    """Return the rules about these, in the order of the documentation."""
    return [each for each in RULES.values() if each.subject in kinds]


class Finding(NamedTuple):
    """One thing that is wrong with a sitemap."""

    rule: Rule
    place: Place  # in the sitemap, or the file of a built page
    loc: str | None  # of the entry, cut if too long; None for a finding about a file
    reason: str  # what was found, as a clause
    fix: str  # what to do about it, as a sentence
    stops: bool = False  # whether the rest of the file can't be read
    urls: tuple[str, ...] = ()  # all that have this cause; `loc` is the first of them

    @property
    def code(self) -> str:
        """The code of its rule."""
        return self.rule.code

    @property
    def level(self) -> Level:
        """How much it matters."""
        return self.rule.level


class NotChecked(NamedTuple):
    """Something that a check did not look at."""

    what: str
    """``site``: the pages of a built site. ``server``: pages and robots.txt on the web.
    ``project``: what the owner decided, since there is no report of the build; ``decisions``, since
    it can't be used. ``sample``: the pages outside of the sample. ``pages``: some of those on the
    web. ``robots.txt``: that of the host. ``dates``: some of those that pages show. ``parts``: some
    of the sitemaps that lead to other hosts. ``git``: dates that could be compared with git.
    ``address``: where the site is published.
    """
    why: str  # a sentence


@dataclass(slots=True)
class Findings:
    """All findings of a check."""

    kept: list[Finding] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)  # pages not listed, by the reason
    stopped: bool = False  # whether a file can't be read to its end
    accepted: int = 0  # findings that the owner accepts for good
    accepts: Callable[[Finding], bool] | None = None  # tells which these are
    not_checked: list[NotChecked] = field(default_factory=list)
    note: Callable[[str], None] = lambda _sentence: None  # takes what is worth a line, and no more

    def skip(self, what: str, why: str) -> None:
        """Say that something was not looked at. The arguments are the fields of `NotChecked`."""
        self.not_checked.append(NotChecked(what, f"{why}."))

    def add(  # noqa: PLR0913 - the fields of a finding
        self,
        of: Rule,
        place: Place,
        reason: str,
        loc: str | None = None,
        fix: str | None = None,
        *,
        stops: bool = False,
        urls: Sequence[str] = (),
    ) -> None:
        """Add a finding. By default, its fix is that of its rule."""
        self.stopped |= stops
        loc = shorten(loc, MAX_LOC_LENGTH) if loc else None
        reason, of_all = shorten(reason, _MAX_REASON), tuple(urls or filter(None, (loc,)))
        finding = Finding(of, place, loc, reason, fix or of.fix, stops, of_all)
        if self.accepts and self.accepts(finding):
            self.accepted += 1
        else:
            self.kept.append(finding)


class EntryInFile(NamedTuple):
    """An entry of a sitemap or an index, for the rules about several entries and about pages."""

    loc: str  # as it is written, without white space around it
    file: str  # the path or URL of its sitemap
    line: int
    key: str  # the `url_key` of its URL
    lastmod: date | datetime | None  # None if it is absent or invalid
    alternates: Mapping[str, str]  # codes of language links, by the `url_key` of their URLs
    images: int = 0

    @property
    def can_be_requested(self) -> bool:
        """Whether its ``loc`` is a URL that can be requested from a server."""
        return len(self.loc) <= MAX_LOC_LENGTH and loc_fault(self.loc.partition("#")[0]) is None

    @property
    def place(self) -> Place:
        """Where the entry stands."""
        return sitemap_place(self.file, self.line)


def by_url(listed: Iterable[EntryInFile]) -> dict[str, EntryInFile]:
    """Return the entries by `url_key`. Of several entries with the same URL, the first counts."""
    pages: dict[str, EntryInFile] = {}
    for entry in listed:
        pages.setdefault(entry.key, entry)
    return pages


def most_frequent(origins: Counter[str | None]) -> str:
    """Return the most frequent origin, of several the first one; empty if there is no origin."""
    known = filter(None, origins)
    return max(known, key=origins.__getitem__, default="")
