"""Date pages by the first source that has a date.

A page may include other files, which are its parts. By git or the dates file, such a page has the
newest date of its own file and its parts.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.gitdates import GitDates, Skipped
from mkdocs_sitemap_plus.lastmod import Change, NoDate, Reason
from mkdocs_sitemap_plus.lastmod.dates_file import DatesFile
from mkdocs_sitemap_plus.lastmod.git import dates_by_git
from mkdocs_sitemap_plus.lastmod.parts import FoundParts
from mkdocs_sitemap_plus.options import LastmodSettings, Precision, Source
from mkdocs_sitemap_plus.options.overrides import Overrides
from mkdocs_sitemap_plus.problems import Code, Level, Place, Problem, invalid
from mkdocs_sitemap_plus.sitemap import to_datetime
from mkdocs_sitemap_plus.wording import counted

Key = tuple[str, str]  # A page: its path in the built site, and its path under the docs folder
MAX_FUTURE = timedelta(hours=24)
"""How far ahead a date may be. One day is more than the UTC offset of any time zone."""


class DateQuery(NamedTuple):
    """What the date of a page depends on."""

    overrides: Overrides
    # The files that the page may be made from. The first that git tracks counts.
    source_files: tuple[Path, ...] = ()
    parts: FoundParts = FoundParts()
    posts: tuple[Key, ...] = ()  # the posts that it shows, if it is a view of a blog
    generated: bool = False  # whether a plugin made it. Such a page has no file of its own.


class Dated(NamedTuple):
    """The date of a page, and where it comes from: the place of the owner's value, or a commit."""

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
        """Return the dates of the pages of both. Of a page that is in both, `other` counts."""
        dated = {key: each for key, each in self.dated.items() if key not in other.queries}
        undated = {key: each for key, each in self.undated.items() if key not in other.queries}
        return other._replace(
            queries={**self.queries, **other.queries},
            dated=dated | other.dated,
            undated=undated | other.undated,
            problems=tuple(dict.fromkeys((*self.problems, *other.problems))),
        )


_Answers = dict[Key, Dated | NoDate]
_Source = Callable[[dict[Key, DateQuery]], _Answers]

_ORDER = list(Reason)  # from the least to the most specific reason

_NO_SOURCES = NoDate(Reason.NO_SOURCES)
_NOT_SET = NoDate(Reason.NOT_SET)
_OF_CLONE = (Reason.SHALLOW, Reason.GIT_FAILED)  # reasons that are not those of single pages
_UNKNOWN_SOURCE = NoDate(Reason.UNKNOWN_SOURCE, "the source file of the page is not known")


def dates_of_pages(
    queries: Mapping[Key, DateQuery],
    settings: LastmodSettings,
    history: GitDates,
    now: datetime,
    file: DatesFile,
) -> Dates:
    """Return the date of each page, or why it has none.

    A date that is more than a day ahead of `now`, the current time, is not used.
    """
    read: dict[Source, _Source] = {
        Source.FRONT_MATTER: _from_overrides,
        Source.GIT: lambda undated: _from_changes(
            undated, history.tracked, lambda files: dates_by_git(history, files)
        ),
        Source.FILE: lambda undated: _from_file(undated, file),
    }
    dates = _by_sources(queries, [read[source] for source in settings.sources], settings, now)
    return dates._replace(problems=file.problems, file_exists=file.exists)


def dates_of_urls(urls: Mapping[Key, DateQuery], settings: LastmodSettings, now: datetime) -> Dates:
    """Return the dates that the owner set for URLs that are not pages: nothing else dates them."""
    return _by_sources(urls, [_from_overrides], settings, now)


def _by_sources(
    queries: Mapping[Key, DateQuery],
    sources: Iterable[_Source],
    settings: LastmodSettings,
    now: datetime,
) -> Dates:
    by_owner = {key: _no_date_by_owner(query.overrides) for key, query in queries.items()}
    answers: _Answers = {key: why or _NO_SOURCES for key, why in by_owner.items()}
    # The sources are not asked for the date of a page with `lastmod: false` or an invalid date.
    undated = {key: query for key, query in queries.items() if by_owner[key] is None}
    for source in sources:
        for key, answer in source(undated).items():
            answers[key] = _more_specific(answers[key], answer)  # no source has dated it before
        undated = {key: each for key, each in undated.items() if isinstance(answers[key], NoDate)}
    answers |= _dates_of_views(queries, answers)
    _remove_future_dates(answers, now)
    dated = {key: answer for key, answer in answers.items() if isinstance(answer, Dated)}
    return Dates(
        queries=queries,
        dated={key: _in_format(each, settings) for key, each in dated.items()},
        undated={key: answer for key, answer in answers.items() if isinstance(answer, NoDate)},
    )


def _more_specific(first: Dated | NoDate, second: Dated | NoDate) -> Dated | NoDate:
    """Return the more specific of two reasons, or `first` if they are equally specific.

    If one of the two is a date, return `second`.
    """
    if isinstance(first, NoDate) and isinstance(second, NoDate):
        return max(first, second, key=lambda why: _ORDER.index(why.reason))
    return second


def _no_date_by_owner(overrides: Overrides) -> NoDate | None:
    """Return the reason why a page has no date if its owner set ``false`` or an invalid date."""
    place = overrides.places.get("lastmod")
    if place is None or overrides.lastmod:
        return None
    reason = Reason.TURNED_OFF if overrides.lastmod is False else Reason.INVALID
    return NoDate(reason, place=place)


def _from_overrides(queries: dict[Key, DateQuery]) -> _Answers:
    answers: _Answers = dict.fromkeys(queries, _NOT_SET)
    for key, query in queries.items():
        if query.overrides.lastmod:
            answers[key] = Dated(query.overrides.lastmod, query.overrides.places["lastmod"])
    return answers


def _from_file(queries: dict[Key, DateQuery], file: DatesFile) -> _Answers:
    """Date pages by the dates file.

    If the file has no date of a part, its page gets none: the part may have changed later. A part
    that was not committed can't have a date, so it does not matter.
    """
    answers = _from_changes(queries, file.tracked, file.dates)
    dates = file.dates({path for query in queries.values() for path in query.parts.files})
    for key, query in queries.items():
        found = [dates[path] for path in query.parts.files]
        undated = [why for why in found if isinstance(why, NoDate)]
        if causes := [why for why in undated if why.reason is not Reason.NOT_COMMITTED]:
            # The most specific reason. Of several parts with this reason, the first by its text.
            by_text = sorted(causes, key=lambda why: why.detail or "")
            cause = max(by_text, key=lambda why: _ORDER.index(why.reason))
            answers[key] = _more_specific(answers[key], cause)
    return answers


def _from_changes(
    queries: dict[Key, DateQuery],
    tracked_of: Callable[[set[Path]], set[Path]],
    dates_of: Callable[[set[Path]], Mapping[Path, Change | NoDate]],
) -> _Answers:
    """Date pages by the first source file that git tracks, or by a part that changed later.

    `tracked_of` returns those of some files that git tracks; `dates_of` dates files.
    """
    tracked = tracked_of({path for query in queries.values() for path in query.source_files})
    chosen = ((key, _file_of(query, tracked)) for key, query in queries.items())
    files = {key: path for key, path in chosen if path}
    parts = {path for query in queries.values() for path in query.parts.files}
    dates = dates_of(parts.union(files.values()))
    answers: _Answers = dict.fromkeys(queries, _UNKNOWN_SOURCE)
    for key, path in files.items():
        own = dates[path]
        answers[key] = (
            own if isinstance(own, NoDate) else _newest_of(own, queries[key].parts, dates)
        )
    return answers


def _file_of(query: DateQuery, tracked: set[Path]) -> Path | None:
    """Return the first source file that git tracks; otherwise the page's own file, if any."""
    own_file = None if query.generated else next(iter(query.source_files), None)
    return next((path for path in query.source_files if path in tracked), own_file)


def _newest_of(own: Change, parts: FoundParts, dates: Mapping[Path, Change | NoDate]) -> Dated:
    """Return the newest change of a page and its parts; of equally new ones, that of the page.

    Its `skipped` also names the parts that have no date, were not found or were not searched. If a
    part changed later than the page's own file, it also names the commit of this file.
    """
    found = [dates[path] for path in parts.files]
    changes = [own, *(change for change in found if isinstance(change, Change))]
    newest = max(changes, key=lambda change: (change.when, change is own, change.path))
    skipped = [Skipped(what=name, why="included, but not found") for name in parts.missing]
    skipped += [Skipped(what=name, why=f"not searched: {why}") for name, why in parts.unsearched]
    undated = [(path, dates[path]) for path in parts.files]
    skipped += sorted(
        Skipped(what=str(path), why=f"included, but without a date: {why.reason}")
        for path, why in undated
        if isinstance(why, NoDate)
    )
    if newest is not own:
        skipped.append(Skipped(what=own.commit, why=f"{own.path} itself changed earlier"))
    because = newest._replace(skipped=(*newest.skipped, *skipped))
    return Dated(lastmod=newest.when, because=because)


def _dates_of_views(queries: Mapping[Key, DateQuery], answers: _Answers) -> _Answers:
    """Return the dates of the views of a blog: pages such as its index, which show posts.

    A view has the newest date of its posts and itself; no date if one of its posts has none. If
    that post has none because of the clone, the view has none for this reason too.
    """
    found: _Answers = {}
    for key, query in queries.items():
        if not query.posts or "lastmod" in query.overrides.places:
            continue
        undated = [post for post in query.posts if not isinstance(answers.get(post), Dated)]
        if undated:
            first = min(src_uri for _, src_uri in undated)
            whys = (answers.get(post) for post in undated)
            clone = (why for why in whys if isinstance(why, NoDate) and why.reason in _OF_CLONE)
            why = next(clone, NoDate(Reason.UNDATED_POST))
            found[key] = why._replace(detail=f"{first}, which it lists, has no date")
        else:
            dates = (answers[each] for each in (*query.posts, key))
            dated = (each for each in dates if isinstance(each, Dated))
            found[key] = max(dated, key=lambda each: to_datetime(each.lastmod))
    return found


def _remove_future_dates(answers: _Answers, now: datetime) -> None:
    """Replace each date that is more than a day ahead by the reason why it is not used."""
    future = {
        key: answer
        for key, answer in answers.items()
        if isinstance(answer, Dated) and to_datetime(answer.lastmod) > now + MAX_FUTURE
    }
    commits = [dated.because for dated in future.values() if isinstance(dated.because, Change)]
    commits_problem = _future_commits_problem(commits) if commits else None
    for key, dated in future.items():
        because = dated.because
        if isinstance(because, Place):
            fault = invalid(Code.LASTMOD, because, dated.lastmod, fault="is in the future")
            cause = fault._replace(done="No lastmod is written.")
            answers[key] = NoDate(reason=Reason.FUTURE, place=because, cause=cause)
        else:
            detail = f"commit {because.commit[:12]} is dated in the future"
            answers[key] = NoDate(reason=Reason.FUTURE, detail=detail, cause=commits_problem)


def future_problems(undated: Iterable[NoDate]) -> list[Problem]:
    """Return the problems of pages whose date is in the future, each once."""
    causes = (why.cause for why in undated if why.reason is Reason.FUTURE)
    return list(dict.fromkeys(filter(None, causes)))


def _in_format(dated: Dated, settings: LastmodSettings) -> Dated:
    """Return a date in the configured format; a date of git also in the configured time zone."""
    when = dated.lastmod
    if isinstance(dated.because, Change) and isinstance(when, datetime):
        when = when.astimezone(settings.timezone)
    if isinstance(when, datetime) and settings.format is Precision.DATE:
        when = when.date()
    return Dated(when, dated.because)


def _future_commits_problem(commits: list[Change]) -> Problem:
    first = min(commits, key=lambda change: (change.path, change.commit))
    pages = counted(len(commits), "page has", "pages have")
    example = f"{first.path}: {first.commit[:12]}, {first.when.isoformat()}"
    return Problem(
        code=Code.FUTURE,
        found=f"{pages} a last commit that is dated in the future ({example})",
        done="Dates more than 24 hours ahead are not used.",
        level=Level.INFO,
    )
