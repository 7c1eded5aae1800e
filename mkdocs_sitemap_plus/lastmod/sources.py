"""Date pages by the first source that has a date. Git dates a page by its newest part."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.lastmod import Change, NoDate, Reason, Skipped
from mkdocs_sitemap_plus.lastmod.dates_file import DatesFile
from mkdocs_sitemap_plus.lastmod.git import History
from mkdocs_sitemap_plus.lastmod.parts import FoundParts
from mkdocs_sitemap_plus.options import LastmodSettings, Precision, Source
from mkdocs_sitemap_plus.options.overrides import Overrides
from mkdocs_sitemap_plus.problems import Place, Problem, faulty
from mkdocs_sitemap_plus.sitemap import to_datetime
from mkdocs_sitemap_plus.wording import counted

Key = tuple[str, str]  # A page: its path in the built site, and its path under the docs folder
MAX_FUTURE = timedelta(hours=24)
"""How far a date may be in the future: one day covers every UTC offset."""


class DateQuery(NamedTuple):
    """What the date of a page depends on."""

    overrides: Overrides
    sources: tuple[Path, ...] = ()  # it may be made from these; the first that git tracks counts
    parts: FoundParts = FoundParts()
    lists: tuple[Key, ...] = ()  # the pages whose content it lists, such as the posts of a blog
    generated: bool = False  # whether a plugin made it, so that it has no file of its own


class Dated(NamedTuple):
    """When a page last changed, and the owner's value or the commit that this is read from."""

    lastmod: date | datetime
    because: Place | Change


class Dates(NamedTuple):
    """The dates of pages, why the others have none, and what the dates depend on."""

    queries: Mapping[Key, DateQuery]
    dated: dict[Key, Dated]
    undated: dict[Key, NoDate]
    problems: Sequence[Problem] = ()  # those of the dates file
    file_exists: bool = False  # whether there is a dates file, used or not

    def with_more(self, other: "Dates") -> "Dates":
        """Return the dates of all pages; those of `other` count for pages that are in both."""
        return other._replace(
            queries={**self.queries, **other.queries},
            dated=self.dated | other.dated,
            undated=self.undated | other.undated,
            problems=tuple(dict.fromkeys((*self.problems, *other.problems))),
        )


_Answers = dict[Key, Dated | NoDate]
_Source = Callable[[dict[Key, DateQuery]], _Answers]

_NO_SOURCES = NoDate(Reason.NO_SOURCES)
_NOT_SET = NoDate(Reason.NOT_SET)
_UNKNOWN_SOURCE = NoDate(Reason.UNKNOWN_SOURCE, "the source file of the page is not known")


def dates_of_pages(
    pages: Mapping[Key, DateQuery],
    settings: LastmodSettings,
    history: History,
    now: datetime,
    file: DatesFile,
) -> Dates:
    """Return the date of each page, or why it has none.

    A date that is more than a day ahead of `now`, the current time, is not used.
    """
    read: dict[Source, _Source] = {
        Source.FRONT_MATTER: _from_front_matter,
        Source.GIT: lambda queries: _from_changes(queries, history),
        Source.FILE: lambda queries: _from_file(queries, file),
    }
    dates = _by_sources(pages, [read[source] for source in settings.sources], settings, now)
    return dates._replace(problems=file.problems, file_exists=file.exists)


def dates_of_urls(urls: Mapping[Key, DateQuery], settings: LastmodSettings, now: datetime) -> Dates:
    """Return the dates that the owner set for URLs that are not pages: nothing else dates them."""
    return _by_sources(urls, [_from_front_matter], settings, now)


def _by_sources(
    pages: Mapping[Key, DateQuery],
    sources: Iterable[_Source],
    settings: LastmodSettings,
    now: datetime,
) -> Dates:
    answers: _Answers = {
        key: _turned_off(page.overrides) or _NO_SOURCES for key, page in pages.items()
    }
    # A page with `lastmod: false` or an invalid date is not dated by other sources either.
    undated = {key: page for key, page in pages.items() if answers[key] is _NO_SOURCES}
    for source in sources:
        for key, answer in source(undated).items():
            answers[key] = _more_specific(answers[key], answer)
        undated = {key: page for key, page in undated.items() if isinstance(answers[key], NoDate)}
    answers |= _dates_of_lists(pages, answers)
    _remove_future_dates(answers, now)
    dated = {key: answer for key, answer in answers.items() if isinstance(answer, Dated)}
    return Dates(
        queries=pages,
        dated={key: Dated(_in_format(each, settings), each.because) for key, each in dated.items()},
        undated={key: answer for key, answer in answers.items() if isinstance(answer, NoDate)},
    )


def _more_specific(first: Dated | NoDate, second: Dated | NoDate) -> Dated | NoDate:
    """Return the date, or else the more specific reason; of two with the same one, the first."""
    if isinstance(first, NoDate) and isinstance(second, NoDate):
        order = list(Reason)
        return max(first, second, key=lambda why: order.index(why.reason))
    return second


def _turned_off(overrides: Overrides) -> NoDate | None:
    """Return why a page has no date if its owner set ``false`` or an invalid date; else None."""
    place = overrides.places.get("lastmod")
    if place is None or overrides.lastmod:
        return None
    reason = Reason.TURNED_OFF if overrides.lastmod is False else Reason.INVALID
    return NoDate(reason, place=place)


def _from_front_matter(queries: dict[Key, DateQuery]) -> _Answers:
    return {
        key: Dated(lastmod=page.overrides.lastmod, because=page.overrides.places["lastmod"])
        if page.overrides.lastmod
        else _NOT_SET
        for key, page in queries.items()
    }


def _from_file(queries: dict[Key, DateQuery], file: DatesFile) -> _Answers:
    """Date pages by the dates file.

    If it does not cover all parts of a page, the page gets no date: a part may have changed later.
    """
    covered = {key: page for key, page in queries.items() if file.covers(page.parts.files)}
    answers = _from_changes(covered, file)
    others = {key: page.parts.files for key, page in queries.items() if key not in covered}
    dates = file.dates({path for paths in others.values() for path in paths})
    for key, paths in others.items():
        undated = (why for path in paths if isinstance(why := dates[path], NoDate))
        answers[key] = min(undated, key=lambda why: (why.reason, why.detail or ""))
    return answers


def _from_changes(queries: dict[Key, DateQuery], history: History | DatesFile) -> _Answers:
    """Date pages by the first source that git tracks, or by a part that changed later."""
    tracked = history.tracked({path for page in queries.values() for path in page.sources})
    files = {key: path for key, page in queries.items() if (path := _file_of(page, tracked))}
    parts = {path for page in queries.values() for path in page.parts.files}
    dates = history.dates(parts.union(files.values()))
    answers: _Answers = dict.fromkeys(queries, _UNKNOWN_SOURCE)
    for key, path in files.items():
        date_of_it = dates[path]
        if isinstance(date_of_it, Change):
            answers[key] = _newest_of(date_of_it, queries[key].parts, dates)
        else:
            answers[key] = date_of_it
    return answers


def _file_of(page: DateQuery, tracked: set[Path]) -> Path | None:
    """Return the first source that git tracks; else the page's own file, if it has one."""
    of_git = [path for path in page.sources if path in tracked]
    own = () if page.generated else page.sources
    return next(iter((*of_git, *own)), None)


def _newest_of(own: Change, parts: FoundParts, dates: Mapping[Path, Change | NoDate]) -> Dated:
    """Return the newest change of a page and its parts, with the others as skipped."""
    known = [change for path in parts.files if isinstance(change := dates[path], Change)]
    newest = max(known, key=lambda change: (change.when, change.path), default=own)
    skipped = [Skipped(what=name, why="included, but not found") for name in parts.missing]
    skipped += [Skipped(what=name, why=f"not searched: {why}") for name, why in parts.unsearched]
    unknown = sorted(str(path) for path in parts.files if isinstance(dates[path], NoDate))
    skipped += [Skipped(what=name, why="included, but without a date") for name in unknown]
    if newest.when <= own.when:
        newest = own
    else:
        skipped.append(Skipped(what=own.commit, why=f"{own.path} itself changed earlier"))
    because = newest._replace(skipped=(*newest.skipped, *skipped))
    return Dated(lastmod=newest.when, because=because)


def _dates_of_lists(pages: Mapping[Key, DateQuery], answers: _Answers) -> _Answers:
    """Return the dates of pages that list others: the newest date, if all listed pages have one."""
    found: _Answers = {}
    for key, page in pages.items():
        if not page.lists or page.overrides.lastmod or "lastmod" in page.overrides.places:
            continue
        undated = [each[1] for each in page.lists if not isinstance(answers.get(each), Dated)]
        if undated:
            detail = f"{min(undated)}, which it lists, has no date"
            found[key] = NoDate(Reason.UNDATED_POST, detail)
        else:
            dates = (answers[each] for each in (*page.lists, key))
            dated = (each for each in dates if isinstance(each, Dated))
            found[key] = max(dated, key=lambda each: to_datetime(each.lastmod))
    return found


def _remove_future_dates(answers: _Answers, now: datetime) -> None:
    """Replace dates that are more than a day ahead by the reason."""
    future = {
        key: answer
        for key, answer in answers.items()
        if isinstance(answer, Dated) and to_datetime(answer.lastmod) > now + MAX_FUTURE
    }
    commits = [dated.because for dated in future.values() if isinstance(dated.because, Change)]
    of_commits = _future_commits(commits) if commits else None
    for key, dated in future.items():
        place = dated.because
        if isinstance(place, Place):
            fault = faulty("lastmod", place, dated.lastmod, "is in the future")
            cause = fault._replace(done="No lastmod is written.")
            answers[key] = NoDate(reason=Reason.FUTURE, place=place, cause=cause)
        else:
            detail = f"commit {place.commit[:12]} is dated in the future"
            answers[key] = NoDate(reason=Reason.FUTURE, detail=detail, cause=of_commits)


def future_problems(undated: Iterable[NoDate]) -> list[Problem]:
    """Return the problems of dates that are in the future, each once."""
    causes = (why.cause for why in undated if why.reason is Reason.FUTURE)
    return list(dict.fromkeys(filter(None, causes)))


def _in_format(dated: Dated, settings: LastmodSettings) -> date | datetime:
    """Return a date in the configured format; a date of git also in the configured time zone."""
    when = dated.lastmod
    if isinstance(dated.because, Change) and isinstance(when, datetime):
        when = when.astimezone(settings.timezone)
    if isinstance(when, datetime) and settings.format is Precision.DATE:
        return when.date()
    return when


def _future_commits(commits: list[Change]) -> Problem:
    first = min(commits, key=lambda change: (change.path, change.commit))
    return Problem(
        code="future",
        found=f"the last commit of {counted(len(commits), 'page')} is dated in the future "
        f"({first.path}: {first.commit[:12]}, {first.when.isoformat()})",
        fix="Dates more than 24 hours ahead are not used.",
        note=True,
    )
