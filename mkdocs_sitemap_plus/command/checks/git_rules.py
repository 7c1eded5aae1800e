"""Compare the dates of a sitemap with what git knows of its pages.

The checker runs no git and knows no project: who calls it hands in what git says. A date is right
if it lies between the first and the last day that git has for the last change of the page. Author,
commit, merge and rename are several days, and other tools rightly write each of them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from enum import StrEnum
from typing import NamedTuple

from mkdocs_sitemap_plus.command.checks.rules import WARNING, EntryInFile, Findings, by_url, rule
from mkdocs_sitemap_plus.problems import Place
from mkdocs_sitemap_plus.sitemap.protocol import utc_day
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place
from mkdocs_sitemap_plus.wording import counted

_NONE = timedelta()
_DAY = timedelta(days=1)  # more than the offset of any time zone
_WEEK = timedelta(days=7)  # what a few dates may differ by: a squash merge dates pages anew
_STALE = timedelta(days=31)  # the owner's date may be so much older: not each edit is a change
_FEW = 5  # pages with a finding each; more are summed up, unless a person wants each
_LEAST_OF_BUILD, _PART_OF_BUILD = 3, 0.1  # dates of a build: at least so many, and of all dates


class NotJudged(StrEnum):
    """Why a date is neither right nor wrong."""

    NO_SOURCE = "no source known"
    TWO_SOURCES = "two possible sources"
    NO_DATE = "git has no date"
    SHALLOW = "hidden by a shallow clone"
    LATER = "later than HEAD"
    BEHIND = "of a page that changed later"
    OLD_VERSION = "earlier in a version"
    ACCEPTED = "accepted by --ignore"


class LastChange(NamedTuple):
    """What git says of the page of an entry."""

    source: str  # what messages call its source
    evidence: str  # what tells that this is its source
    commit: str  # that dates it by the options of the project
    day: date  # of this commit; all days are in UTC
    first: date  # the first and the last day that git has for the last change
    last: date
    by_owner: date | None = None  # the day that its front matter has
    place: Place | None = None  # of this day


class History(NamedTuple):
    """What git says of the pages of a sitemap."""

    changes: Mapping[str, LastChange] = {}  # by the `url_key` of an entry
    not_judged: Mapping[str, NotJudged] = {}  # those that git was asked about in vain; as above
    by_build: int = 0  # dates that are as the last build here decided, and not compared
    head: date | None = None  # the day of the commit that is checked out
    is_version: bool = False  # whether the site is a version, which may be older than HEAD


class WrongDate(NamedTuple):
    """A date that is not that of git. The JSON has the same keys as this has fields."""

    loc: str
    lastmod: date  # the day that the sitemap has; all days are in UTC
    last_changed: date  # the day that the options of the project give the page
    days: int  # by which the sitemap is later; negative if it is earlier
    source: str  # what messages call the source
    commit: str  # empty if no commit dates the page


class SourceOf(NamedTuple):
    """The source of a page, and what tells it. The JSON has the same keys as this has fields."""

    loc: str
    source: str  # what messages call it
    evidence: str


class Comparison(NamedTuple):
    """What git says of all dates. The JSON has the same keys as this has fields."""

    dates: int  # that git was asked about
    right: int  # of those
    by_build: int  # further ones, which are as the last build here decided
    not_judged: Counter[str]  # how many of `dates` are neither right nor wrong, and why
    sources: tuple[SourceOf, ...]  # by URL
    wrong: tuple[WrongDate, ...]  # those with a finding, by URL

    def and_more(self, other: "Comparison") -> "Comparison":
        """Return the sums."""
        return Comparison(
            self.dates + other.dates,
            self.right + other.right,
            self.by_build + other.by_build,
            self.not_judged + other.not_judged,
            tuple(sorted(self.sources + other.sources)),
            self.wrong + other.wrong,
        )

    def with_unknown(self, dates: int) -> "Comparison":
        """Return the same with further dates, of which nothing tells the source."""
        unknown = self.not_judged + Counter({NotJudged.NO_SOURCE.value: dates})
        return self._replace(dates=self.dates + dates, not_judged=unknown)

    def with_accepted(self) -> "Comparison":
        """Return the same if a person accepts every finding about these dates."""
        accepted = self.not_judged + Counter({NotJudged.ACCEPTED.value: len(self.wrong)})
        return self._replace(not_judged=accepted, wrong=())


class ComparedEntry(NamedTuple):
    """An entry with its day, and what git says of it."""

    entry: EntryInFile
    day: date  # in UTC
    change: LastChange

    @property
    def excess(self) -> timedelta:
        """By how much the day is later than the last change; negative if it is earlier."""
        if self.day > self.change.last:
            return self.day - self.change.last
        return min(self.day - self.change.first, _NONE)

    @property
    def is_late(self) -> bool:
        """Whether the day is later than the last change."""
        return self.excess > _NONE

    @property
    def is_by_owner(self) -> bool:
        """Whether the day is the one that stands in front matter."""
        return self.change.by_owner is not None and abs(self.day - self.change.by_owner) <= _DAY

    @property
    def differs(self) -> bool:
        """Whether the day is neither git's nor the owner's."""
        return abs(self.excess) > _DAY and not self.is_by_owner

    @property
    def wrong(self) -> WrongDate:
        """What is wrong, as data: the right day is the one that a build would write."""
        last, change = self.change.day, self.change
        days = (self.day - last).days
        return WrongDate(self.entry.loc, self.day, last, days, change.source, change.commit)

    @property
    def clause(self) -> str:
        """What is wrong."""
        change = self.change
        by = f" ({change.commit[:10]})" if change.commit else ""
        return f"has lastmod {self.day}, but {change.source} last changed on {change.day}{by}"


_Found = Iterator[tuple[EntryInFile, str, str | None]]
"""An entry, a clause, and what to do if the finding is about this entry alone."""


@rule("lastmod-git", WARNING, "Google, Bing")
def lastmod_git(
    of_build: Sequence[ComparedEntry],
    late: Sequence[ComparedEntry],
    early: Sequence[ComparedEntry],
    of_dates: str,
    *,
    each: bool,
) -> _Found:
    """A date is not that of the last change: by git, the page changed later or earlier.

    Write the date of each page's last change, as `mkdocs-sitemap-plus build` does, or no date.
    `--dates` names each page.
    """
    if of_build and not each:
        oldest = min(of_build, key=lambda row: row.change.day)
        days = len({row.change.day for row in of_build})
        found = (
            f"{len(of_build):,} of {of_dates} are {oldest.day}, like those of a build, but by git "
            f"these pages last changed on {counted(days, 'day')}, the oldest on "
            f"{oldest.change.day} ({oldest.change.source}). {_by_how_much(of_build)}"
        )
        yield oldest.entry, found, None
    for rows in (of_build if each else (), late, early):
        if each or len(rows) <= _FEW:
            yield from (
                (row.entry, row.clause, f"Write {row.change.day}, or no date.") for row in rows
            )
            continue
        worst = max(rows, key=lambda row: abs(row.excess))
        than = "later" if worst.is_late else "earlier"
        found = (
            f"{len(rows):,} of {of_dates} are {than} than the last change by git; the worst is "
            f"{worst.entry.loc}, which {worst.clause}. {_by_how_much(rows)}"
        )
        yield worst.entry, found, None


def _by_how_much(rows: Sequence[ComparedEntry]) -> str:
    """Return by how many days dates differ, as the end of a sentence without its full stop."""
    days = sorted(abs(row.wrong.days) for row in rows)[len(rows) // 2]
    return f"Half of these dates are wrong by {counted(days, 'day')} or more"


def compare_with_git(  # noqa: PLR0913 - what a check knows
    listed: Sequence[EntryInFile],
    history: History,
    findings: Findings,
    *,
    today: date,
    each: bool,
    on_web: bool,
) -> Comparison:
    """Report dates that are not those of git, and return how many were compared.

    With `each`, every such date has a finding of its own. `on_web` tells that the sitemap was
    requested from a server: then its site may have been built before the newest commit here.
    """
    entries = dated(listed)
    days = {key: utc_day(entry.lastmod) for key, entry in entries.items() if entry.lastmod}
    rows = [
        ComparedEntry(entry, days[key], history.changes[key])
        for key, entry in entries.items()
        if key in history.changes
    ]
    newest, head = max(days.values(), default=today), history.head or today
    wrong = [row for row in rows if row.differs]
    # A day in the future has a finding of its own.
    future, wrong = _parted(wrong, lambda row: row.day > today + _DAY)
    late, early = _parted(wrong, lambda row: row.is_late)
    of_build, late = _parted(late, lambda row: row.day == newest)
    if len(of_build) < max(_LEAST_OF_BUILD, _PART_OF_BUILD * len(days)):
        of_build, late = [], [*of_build, *late]
    # Where one side is behind the other, these dates may well be right.
    ahead, late = _parted(late, lambda row: row.day > head + _DAY)
    after, early = _parted(early, lambda row: on_web and row.change.first > newest + _DAY)
    late, early = _beyond_a_week(late), _beyond_a_week(early)
    older, early = _parted(early, lambda _: history.is_version)
    of_dates = counted(len(rows), "date")
    if len(rows) < len(days) - history.by_build:
        of_dates += " that git can judge"
    for entry, clause, fix in lastmod_git.find(of_build, late, early, of_dates, each=each):
        place = entry.place if fix else sitemap_place(entry.file)
        findings.add(lastmod_git, place, clause, entry.loc if fix else None, fix)
    for sentence in _notes(rows, ahead, after, newest, head):
        findings.note(sentence)
    not_judged = Counter[str](history.not_judged.values())
    if shallow := not_judged[NotJudged.SHALLOW]:
        dates = counted(shallow, "date is", "dates are")
        why = f"{dates} not compared with git: the clone is shallow."
        findings.skip("git", f"{why} Run `git fetch --unshallow || true`, and check again")
    not_judged[NotJudged.LATER] += len(ahead)
    not_judged[NotJudged.BEHIND] += len(after)
    not_judged[NotJudged.OLD_VERSION] += len(older)
    found = sorted(row.wrong for row in (*of_build, *late, *early))
    sources = (SourceOf(row.entry.loc, row.change.source, row.change.evidence) for row in rows)
    return Comparison(
        dates=len(days) - history.by_build,
        right=len(rows) - len(found) - sum(map(len, (future, ahead, after, older))),
        by_build=history.by_build,
        not_judged=+not_judged,
        sources=tuple(sorted(sources)),
        wrong=tuple(found),
    )


def dated(listed: Iterable[EntryInFile]) -> dict[str, EntryInFile]:
    """Return the entries with a date by `url_key`, as `by_url` does."""
    return {key: entry for key, entry in by_url(listed).items() if entry.lastmod}


def _parted(
    rows: Iterable[ComparedEntry], test: Callable[[ComparedEntry], bool]
) -> tuple[list[ComparedEntry], list[ComparedEntry]]:
    passed: list[ComparedEntry] = []
    others: list[ComparedEntry] = []
    for row in rows:
        (passed if test(row) else others).append(row)
    return passed, others


def _beyond_a_week(rows: list[ComparedEntry]) -> list[ComparedEntry]:
    """Return the rows; of a few, those that differ by more than a week."""
    return rows if len(rows) > _FEW else [row for row in rows if abs(row.excess) > _WEEK]


def _notes(
    rows: Iterable[ComparedEntry],
    ahead: Sequence[ComparedEntry],
    after: Sequence[ComparedEntry],
    newest: date,
    head: date,
) -> Iterator[str]:
    """Yield what is no finding, since it may be right."""
    if ahead:
        yield (
            f"{counted(len(ahead), 'date is', 'dates are')} later than the newest commit here "
            f"({head}): this clone is behind what is online, or they are those of a build. Run "
            "`git pull`, and check again."
        )
    if after:
        yield (
            f"{counted(len(after), 'page')} changed after {newest}, the newest date of this "
            f"sitemap ({after[0].change.source}): the site was built before, or its dates do not "
            "move."
        )
    stale = [
        (row.change.last - row.change.by_owner, row.change)
        for row in rows
        if row.change.by_owner and row.is_by_owner and row.excess < -_STALE
    ]
    if stale:
        _, oldest = max(stale, key=lambda each: each[0])
        yield (
            f"front matter dates {counted(len(stale), 'page')} more than {_STALE.days} days before "
            f"the last change by git ({oldest.place or oldest.source}: {oldest.by_owner}, but "
            f"{oldest.last})."
        )
