"""Date pages: by the first source that has a date, and by the newest of a page and its parts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from pathlib import Path

from mkdocs_sitemap_plus.lastmod import Change, NoDate, Reason, Skipped, more_specific
from mkdocs_sitemap_plus.lastmod.dates_file import DatesFile
from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.lastmod.parts import Found
from mkdocs_sitemap_plus.options.overrides import Overrides
from mkdocs_sitemap_plus.options.settings import LastmodSettings, Precision, Source
from mkdocs_sitemap_plus.problems import Place, Problem, faulty
from mkdocs_sitemap_plus.sitemap.entry import to_datetime
from mkdocs_sitemap_plus.wording import counted

Key = tuple[str, str]
"""A page: its path in the built site, and its path under the docs folder."""

MAX_FUTURE = timedelta(hours=24)
"""How far a date may be in the future: one day covers every UTC offset."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undated:
    """A page whose date is looked up.

    Attributes:
        overrides: what its owner set.
        sources: absolute paths of files that it may be made from; the first that git tracks counts.
        parts: the files that it includes.
        lists: the pages whose content it lists.
        generated: whether a plugin made it, so that it has no file of its own.
    """

    overrides: Overrides
    sources: tuple[Path, ...] = ()
    parts: Found = field(default_factory=Found)
    lists: tuple[Key, ...] = ()
    generated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """When a page last changed, and the place or the commit that says so."""

    lastmod: date | datetime
    because: Place | Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """The dates of pages.

    Attributes:
        dated: the pages with a date.
        undated: all other pages, with the reason.
        problems: what is wrong with dates that the owner wrote, with dates in the future, and with
            the dates file.
        file_exists: whether there is a dates file, used or not.
    """

    dated: dict[Key, Dated]
    undated: dict[Key, NoDate]
    problems: list[Problem]
    file_exists: bool = False


_Answers = dict[Key, Dated | NoDate]
"""By page, its date or why it has none."""

_Source = Callable[[dict[Key, Undated]], _Answers]


def dates_of_pages(
    pages: Mapping[Key, Undated],
    settings: LastmodSettings,
    history: History,
    now: datetime,
    file: DatesFile,
) -> Dates:
    """Return the date of each page, or why it has none.

    Args:
        pages: the pages.
        settings: which sources there are, and how dates are written.
        history: the repositories.
        now: the current time, aware; a date more than a day ahead of it is not used.
        file: the dates file.
    """
    read: dict[Source, _Source] = {
        Source.FRONT_MATTER: _from_front_matter,
        Source.GIT: lambda asking: _from_changes(asking, history),
        Source.FILE: lambda asking: _from_file(asking, file),
    }
    dates = _by_sources(pages, [read[source] for source in settings.sources], settings, now)
    problems = [*file.problems, *dates.problems]
    return replace(dates, problems=problems, file_exists=file.exists)


def dates_of_urls(urls: Mapping[Key, Undated], settings: LastmodSettings, now: datetime) -> Dates:
    """Return the dates that the owner set for URLs that are not pages: nothing else dates them."""
    return _by_sources(urls, [_from_front_matter], settings, now)


def _by_sources(
    pages: Mapping[Key, Undated],
    sources: Iterable[_Source],
    settings: LastmodSettings,
    now: datetime,
) -> Dates:
    answers: _Answers = {
        key: _turned_off(page.overrides) or _NO_SOURCES for key, page in pages.items()
    }
    # `lastmod: false` and an invalid date also keep other sources from dating the page.
    asking = {key: page for key, page in pages.items() if answers[key] is _NO_SOURCES}
    for source in sources:
        for key, answer in source(asking).items():
            before = answers[key]
            if isinstance(before, NoDate) and isinstance(answer, NoDate):
                answers[key] = more_specific(before, answer)
            else:
                answers[key] = answer
        asking = {key: page for key, page in asking.items() if isinstance(answers[key], NoDate)}
    answers |= _views(pages, answers)
    problems = _remove_future_dates(answers, now)
    dated = {key: answer for key, answer in answers.items() if isinstance(answer, Dated)}
    return Dates(
        dated={key: replace(each, lastmod=_written(each, settings)) for key, each in dated.items()},
        undated={key: answer for key, answer in answers.items() if isinstance(answer, NoDate)},
        problems=problems,
    )


_NO_SOURCES = NoDate(reason=Reason.NO_SOURCES)
_NOT_SET = NoDate(reason=Reason.NOT_SET)
_UNKNOWN_SOURCE = NoDate(
    reason=Reason.UNKNOWN_SOURCE, detail="it is not known which file the page is made from"
)


def _turned_off(overrides: Overrides) -> NoDate | None:
    """Return why the owner's own value leaves a page without a date; None if it does not."""
    place = overrides.places.get("lastmod")
    if place is None or overrides.lastmod:
        return None
    reason = Reason.TURNED_OFF if overrides.lastmod is False else Reason.INVALID
    return NoDate(reason=reason, place=place)


def _from_front_matter(asking: dict[Key, Undated]) -> _Answers:
    return {
        key: Dated(lastmod=page.overrides.lastmod, because=page.overrides.places["lastmod"])
        if page.overrides.lastmod
        else _NOT_SET
        for key, page in asking.items()
    }


def _from_file(asking: dict[Key, Undated], file: DatesFile) -> _Answers:
    """Date only pages all of whose parts the file knows: another part may have changed later."""
    known = {key: page for key, page in asking.items() if file.knows(page.parts.files)}
    answers = _from_changes(known, file)
    others = {key: page.parts.files for key, page in asking.items() if key not in known}
    why = file.why_undated({path for paths in others.values() for path in paths})
    for key, paths in others.items():
        reasons = (why[path] for path in paths if path in why)
        answers[key] = min(reasons, key=lambda reason: (reason.reason, reason.detail or ""))
    return answers


def _from_changes(asking: dict[Key, Undated], history: History | DatesFile) -> _Answers:
    """Date pages by the first source that git tracks, or a part that changed later."""
    sources = _tracked(asking, history)
    parts = {path for page in asking.values() for path in page.parts.files}
    changes = history.changes(parts.union(sources.values()))
    files = {key: sources.get(key) or _own_file(page) for key, page in asking.items()}
    why = history.why_undated(path for path in files.values() if path and path not in changes)
    answers: _Answers = {}
    for key, page in asking.items():
        path = files[key]
        if key in sources and path in changes:
            answers[key] = _newest_of(changes[path], page.parts, changes)
        else:
            answers[key] = why[path] if path else _UNKNOWN_SOURCE
    return answers


def _own_file(page: Undated) -> Path | None:
    """Return the file that the page is made from; None for a page that a plugin generated."""
    return None if page.generated else next(iter(page.sources), None)


def _tracked(asking: dict[Key, Undated], history: History | DatesFile) -> dict[Key, Path]:
    """Return the first source of each page that git tracks; later ones are read only if needed."""
    found: dict[Key, Path] = {}
    for round_ in range(max((len(page.sources) for page in asking.values()), default=0)):
        candidates = {
            key: page.sources[round_]
            for key, page in asking.items()
            if key not in found and round_ < len(page.sources)
        }
        tracked = history.tracked(set(candidates.values()))
        found |= {key: path for key, path in candidates.items() if path in tracked}
    return found


def _newest_of(own: Change, parts: Found, changes: Mapping[Path, Change]) -> Dated:
    """Return the newest change of a page and its parts, with the others as skipped."""
    known = [changes[path] for path in parts.files if path in changes]
    newest = max(known, key=lambda change: (change.when, change.path), default=own)
    skipped = [Skipped(what=name, why="included, but not found") for name in parts.missing]
    skipped += [Skipped(what=name, why=f"not searched: {why}") for name, why in parts.unsearched]
    unknown = sorted(str(path) for path in parts.files if path not in changes)
    skipped += [Skipped(what=name, why="included, but without a date") for name in unknown]
    if newest.when <= own.when:
        newest = own
    else:
        skipped.append(Skipped(what=own.commit, why=f"{own.path} itself changed earlier"))
    because = replace(newest, skipped=(*newest.skipped, *skipped)) if skipped else newest
    return Dated(lastmod=newest.when, because=because)


def _views(pages: Mapping[Key, Undated], answers: _Answers) -> _Answers:
    """Return the dates of pages that list others: the newest of those, if each of them has one."""
    found: _Answers = {}
    for key, view in pages.items():
        if not view.lists or view.overrides.lastmod or "lastmod" in view.overrides.places:
            continue
        listed = {each: answers.get(each) for each in view.lists}
        dates = [dated for dated in listed.values() if isinstance(dated, Dated)]
        if len(dates) < len(listed):
            first = min(each[1] for each, dated in listed.items() if not isinstance(dated, Dated))
            detail = f"{first}, which it lists, has no date"
            found[key] = NoDate(reason=Reason.UNDATED_POST, detail=detail)
        else:
            own = answers[key]
            found[key] = newest([*dates, own] if isinstance(own, Dated) else dates)
    return found


def newest(dates: Iterable[Dated]) -> Dated:
    """Return the newest of some dates, of which there must be one; of equal ones the first."""
    return max(dates, key=lambda dated: to_datetime(dated.lastmod))


def _remove_future_dates(answers: _Answers, now: datetime) -> list[Problem]:
    """Replace dates that are more than a day ahead by the reason, and return what is wrong."""
    future = {
        key: answer
        for key, answer in answers.items()
        if isinstance(answer, Dated) and to_datetime(answer.lastmod) > now + MAX_FUTURE
    }
    problems = [
        replace(
            faulty("lastmod", dated.because, dated.lastmod, "is in the future"),
            done="No lastmod is written.",
        )
        for dated in future.values()
        if isinstance(dated.because, Place)
    ]
    commits = [dated.because for dated in future.values() if isinstance(dated.because, Change)]
    of_commits = _future_commits(commits) if commits else None
    for key, dated in future.items():
        if isinstance(dated.because, Place):
            answers[key] = NoDate(reason=Reason.FUTURE, place=dated.because)
        else:
            detail = f"commit {dated.because.commit[:12]} is dated in the future"
            answers[key] = NoDate(reason=Reason.FUTURE, detail=detail, cause=of_commits)
    return [*problems, of_commits] if of_commits else problems


def _written(dated: Dated, settings: LastmodSettings) -> date | datetime:
    """Return a date of git in the configured zone; an offset in front matter is kept."""
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
