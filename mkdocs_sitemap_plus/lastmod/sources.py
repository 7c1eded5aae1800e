"""The chain of sources: the first that knows dates a page; then the newest of it and its parts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import NamedTuple, Protocol

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

AHEAD = timedelta(hours=24)
"""How far a date may lie ahead of the clock: a whole day, so that no time zone is wronged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undated:
    """A page that asks for its date.

    Attributes:
        overrides: what its owner set.
        sources: absolute paths of files that it may be made from; the first that git tracks is it.
        parts: what it includes.
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
    """When a page last changed, as it is to be written, and who says so."""

    lastmod: date | datetime
    because: Place | Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """What is known of when pages last changed.

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


class _Answer(NamedTuple):
    """What one source knows of some pages: the date, or why it has none."""

    dated: dict[Key, Dated]
    undated: dict[Key, NoDate]


_Source = Callable[[dict[Key, Undated]], _Answer]


def dates_of_pages(
    pages: Mapping[Key, Undated],
    settings: LastmodSettings,
    history: History,
    now: datetime,
    file: DatesFile,
) -> Dates:
    """Return the date of each page, or why it has none.

    Args:
        pages: those that ask.
        settings: which sources there are, and how dates are written.
        history: the repositories.
        now: the clock, aware; a date more than a day ahead of it is not used.
        file: the dates file.
    """
    ask: dict[Source, _Source] = {
        Source.FRONT_MATTER: _front_matter,
        Source.GIT: lambda asking: _by_changes(asking, history),
        Source.FILE: lambda asking: _file(asking, file),
    }
    dates = _by_sources(pages, [ask[source] for source in settings.sources], settings, now)
    problems = [*file.problems, *dates.problems]
    return replace(dates, problems=problems, file_exists=file.exists)


def dates_of_urls(urls: Mapping[Key, Undated], settings: LastmodSettings, now: datetime) -> Dates:
    """Return the dates that the owner set for URLs that are not pages: nothing else dates them."""
    return _by_sources(urls, [_front_matter], settings, now)


def _by_sources(
    pages: Mapping[Key, Undated],
    sources: Iterable[_Source],
    settings: LastmodSettings,
    now: datetime,
) -> Dates:
    # A page without a date by its owner's word, or with an invalid one, gets none from git.
    undated = {key: why for key, page in pages.items() if (why := _by_owner(page.overrides))}
    asking = {key: page for key, page in pages.items() if key not in undated}
    undated |= dict.fromkeys(asking, _NO_SOURCES)
    found: dict[Key, Dated] = {}
    for ask in sources:
        answer = ask(asking)
        found |= answer.dated
        asking = {key: page for key, page in asking.items() if key not in answer.dated}
        undated |= {key: more_specific(undated[key], why) for key, why in answer.undated.items()}
    found, of_views = _as_new_as_what_they_list(pages, found)
    found, of_future, problems = _without_future(found, now)
    undated |= of_views | of_future
    dated = {key: replace(dated, lastmod=_written(dated, settings)) for key, dated in found.items()}
    undated = {key: why for key, why in undated.items() if key not in dated}
    return Dates(dated=dated, undated=undated, problems=problems)


_NO_SOURCES = NoDate(reason=Reason.NO_SOURCES)
_NOT_SET = NoDate(reason=Reason.NOT_SET)
_UNKNOWN_SOURCE = NoDate(
    reason=Reason.UNKNOWN_SOURCE, detail="it is not known which file the page is made from"
)


def _by_owner(overrides: Overrides) -> NoDate | None:
    """Return why the owner's own value leaves a page without a date; None if it does not."""
    place = overrides.places.get("lastmod")
    if place is None or overrides.lastmod:
        return None
    reason = Reason.TURNED_OFF if overrides.lastmod is False else Reason.INVALID
    return NoDate(reason=reason, place=place)


def _front_matter(asking: dict[Key, Undated]) -> _Answer:
    dated = {
        key: Dated(lastmod=page.overrides.lastmod, because=page.overrides.places["lastmod"])
        for key, page in asking.items()
        if page.overrides.lastmod
    }
    return _Answer(dated, {key: _NOT_SET for key in asking if key not in dated})


def _file(asking: dict[Key, Undated], file: DatesFile) -> _Answer:
    """Date only pages all of whose parts the file knows: another part may have changed later."""
    known = {key: page for key, page in asking.items() if file.knows(page.parts.files)}
    answer = _by_changes(known, file)
    rest = {key: page.parts.files for key, page in asking.items() if key not in known}
    why = file.why_undated({path for paths in rest.values() for path in paths})
    of_parts = {
        key: min(filter(None, map(why.get, paths)), key=_text) for key, paths in rest.items()
    }
    return _Answer(answer.dated, answer.undated | of_parts)


def _text(why: NoDate) -> tuple[str, str]:
    """Return what sorts reasons the same in each build."""
    return why.reason, why.detail or ""


class Changes(Protocol):
    """Who knows what changed files last: git, or the file of dates that git gave."""

    def tracked(self, files: Iterable[Path]) -> set[Path]:
        """Those of these files that are in the repository."""

    def changes(self, files: Iterable[Path]) -> dict[Path, Change]:
        """The commits that date these files, as far as they are known."""

    def why_undated(self, files: Iterable[Path]) -> dict[Path, NoDate]:
        """Return why files have no date."""


def _by_changes(asking: dict[Key, Undated], history: Changes) -> _Answer:
    """By the first source that git tracks, or a part that changed later."""
    sources = _tracked(asking, history)
    parts = {path for page in asking.values() for path in page.parts.files}
    changes = history.changes(parts.union(sources.values()))
    dated = {
        key: _newest_of(changes[source], page.parts, changes)
        for key, page in asking.items()
        if (source := sources.get(key)) is not None and source in changes
    }
    rest = {key: sources.get(key) or _own_file(asking[key]) for key in asking.keys() - dated.keys()}
    why = history.why_undated(filter(None, rest.values()))
    return _Answer(
        dated, {key: why[path] if path else _UNKNOWN_SOURCE for key, path in rest.items()}
    )


def _own_file(page: Undated) -> Path | None:
    """Return the file that the page is made from; None for a page that a plugin generated."""
    return None if page.generated else next(iter(page.sources), None)


def _tracked(asking: dict[Key, Undated], history: Changes) -> dict[Key, Path]:
    """The first source of each page that git tracks; a later one is looked at only if need be."""
    found: dict[Key, Path] = {}
    for round_ in range(max((len(page.sources) for page in asking.values()), default=0)):
        ahead = {
            key: page.sources[round_]
            for key, page in asking.items()
            if key not in found and round_ < len(page.sources)
        }
        tracked = history.tracked(set(ahead.values()))
        found |= {key: path for key, path in ahead.items() if path in tracked}
    return found


def _newest_of(own: Change, parts: Found, changes: Mapping[Path, Change]) -> Dated:
    """The page's own change or a later one of its parts, with what was looked at beside it."""
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


def _as_new_as_what_they_list(
    pages: Mapping[Key, Undated], found: dict[Key, Dated]
) -> tuple[dict[Key, Dated], dict[Key, NoDate]]:
    """Date views by the newest page that they list; a view has no date if one of them has none."""
    views = {
        key: page
        for key, page in pages.items()
        if page.lists and not page.overrides.lastmod and "lastmod" not in page.overrides.places
    }
    known, undated = {}, {}
    for key, view in views.items():
        dates = {each: found.get(each) for each in view.lists}
        if None in dates.values():
            undated[key] = _undated_post(dates)
        else:
            known[key] = newest(filter(None, [*dates.values(), found.get(key)]))
    return {key: dated for key, dated in found.items() if key not in views} | known, undated


def _undated_post(dates: Mapping[Key, Dated | None]) -> NoDate:
    first = min(src_uri for (_, src_uri), dated in dates.items() if dated is None)
    detail = f"{first}, which it lists, has no date"
    return NoDate(reason=Reason.UNDATED_POST, detail=detail)


def newest(dates: Iterable[Dated]) -> Dated:
    """The newest of some dates, of which there must be one; of equal ones the first."""
    return max(dates, key=lambda dated: to_datetime(dated.lastmod))


def _without_future(
    found: dict[Key, Dated], now: datetime
) -> tuple[dict[Key, Dated], dict[Key, NoDate], list[Problem]]:
    """Take out dates that are more than a day ahead of the clock."""
    ahead = {key: dated for key, dated in found.items() if to_datetime(dated.lastmod) > now + AHEAD}
    problems = [
        replace(
            faulty("lastmod", dated.because, dated.lastmod, "is in the future"),
            done="No lastmod is written.",
        )
        for dated in ahead.values()
        if isinstance(dated.because, Place)
    ]
    commits = [dated.because for dated in ahead.values() if isinstance(dated.because, Change)]
    problem = _future_commits(commits) if commits else None
    undated = {key: _in_future(dated, problem) for key, dated in ahead.items()}
    rest = {key: dated for key, dated in found.items() if key not in ahead}
    return rest, undated, [*problems, *([problem] if problem else [])]


def _written(dated: Dated, settings: LastmodSettings) -> date | datetime:
    """A date of git is shown in the configured zone; an offset in front matter is kept."""
    when = dated.lastmod
    if isinstance(dated.because, Change) and isinstance(when, datetime):
        when = when.astimezone(settings.timezone)
    if isinstance(when, datetime) and settings.format is Precision.DATE:
        return when.date()
    return when


def _in_future(dated: Dated, of_commits: Problem | None) -> NoDate:
    if isinstance(dated.because, Place):
        return NoDate(reason=Reason.FUTURE, place=dated.because)
    detail = f"commit {dated.because.commit[:12]} is dated in the future"
    return NoDate(reason=Reason.FUTURE, detail=detail, cause=of_commits)


def _future_commits(commits: list[Change]) -> Problem:
    first = min(commits, key=lambda change: (change.path, change.commit))
    return Problem(
        code="future",
        found=f"the last commit of {counted(len(commits), 'page')} is dated in the future "
        f"({first.path}: {first.commit[:12]}, {first.when.isoformat()})",
        fix="Dates more than 24 hours ahead are not used.",
        note=True,
    )
