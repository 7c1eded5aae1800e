"""The chain of sources: the first that knows dates a page; then the newest of it and its parts."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Protocol

from mkdocs_sitemap_plus.evidence import Change, Passed, Place, Problem
from mkdocs_sitemap_plus.lastmod.dates_file import DatesFile
from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.lastmod.parts import Found
from mkdocs_sitemap_plus.settings.values import LastmodSettings, Overrides, Precision, Source
from mkdocs_sitemap_plus.sitemap.entry import instant
from mkdocs_sitemap_plus.sitemap.fields import faulty

Key = tuple[str, str]
"""A page: its path in the built site, and its path under the docs folder."""

AHEAD = timedelta(hours=24)
"""How far a date may lie ahead of the clock: a whole day, so that no time zone is wronged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undated:
    """A page that asks for its date.

    Attributes:
        says: what its owner says.
        sources: absolute paths of files that it may be made from; the first that git tracks is it.
        parts: what it includes.
        lists: the pages whose content it lists.
    """

    says: Overrides
    sources: tuple[Path, ...] = ()
    parts: Found = field(default_factory=Found)
    lists: tuple[Key, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """When a page last changed, as it is to be written, and who says so."""

    lastmod: date | datetime
    because: Place | Change


def date_pages(
    pages: Mapping[Key, Undated],
    settings: LastmodSettings,
    history: History,
    now: datetime,
    root: Path = Path(),
) -> tuple[dict[Key, Dated], list[Problem]]:
    """Date the pages that a source knows.

    Args:
        pages: those that ask.
        settings: which sources there are, and how dates are written.
        history: the repositories.
        now: the clock, aware; a date more than a day ahead of it is not believed.
        root: the folder of the project file, from which the dates file is named.

    Returns:
        Dates; a page that is not there is undated. And what is wrong with them.

    Raises:
        SitemapError: the owner wants a build without the whole history to stop.
    """
    file = DatesFile(root, settings)
    ask: dict[Source, Callable[[dict[Key, Undated]], dict[Key, Dated]]] = {
        Source.FRONT_MATTER: _front_matter,
        Source.GIT: lambda asking: _by_changes(asking, history),
        Source.FILE: lambda asking: _file(asking, file),
    }
    # Whoever says "undated", or says a date wrongly, is not overruled by a weaker voice.
    asking = {
        key: page
        for key, page in pages.items()
        if page.says.lastmod or "lastmod" not in page.says.places
    }
    found: dict[Key, Dated] = {}
    for source in settings.sources:
        known = ask[source](asking)
        found |= known
        asking = {key: page for key, page in asking.items() if key not in known}
    found = _as_new_as_what_they_list(pages, found)
    believed, problems = _believed(found, settings, now)
    return believed, [*file.problems, *problems]


def _front_matter(asking: dict[Key, Undated]) -> dict[Key, Dated]:
    return {
        key: Dated(lastmod=page.says.lastmod, because=page.says.places["lastmod"])
        for key, page in asking.items()
        if page.says.lastmod
    }


def _file(asking: dict[Key, Undated], file: DatesFile) -> dict[Key, Dated]:
    """Only pages all of whose parts the file knows: of another, a part may have changed later."""
    known = {key: page for key, page in asking.items() if file.knows(page.parts.files)}
    return _by_changes(known, file)


class Changes(Protocol):
    """Who knows what changed files last: git, or the file of dates that git gave."""

    def tracked(self, files: Iterable[Path]) -> set[Path]:
        """Those of these files that are in the repository."""

    def changes(self, files: Iterable[Path]) -> dict[Path, Change]:
        """The commits that date these files, as far as they are known."""


def _by_changes(asking: dict[Key, Undated], history: Changes) -> dict[Key, Dated]:
    """By the first source that git tracks, or a part that changed later."""
    sources = _tracked(asking, history)
    parts = {path for page in asking.values() for path in page.parts.files}
    changes = history.changes(parts.union(filter(None, sources.values())))
    return {
        key: _newest_of(changes[source], page.parts, changes)
        for key, page in asking.items()
        if (source := sources.get(key)) and source in changes
    }


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
    passed = [Passed(what=name, why="included, but not found") for name in parts.missing]
    unknown = sorted(str(path) for path in parts.files if path not in changes)
    passed += [Passed(what=name, why="included, but without a date") for name in unknown]
    if newest.when <= own.when:
        newest = own
    else:
        passed.append(Passed(what=own.commit, why=f"{own.path} itself changed earlier"))
    because = replace(newest, passed=(*newest.passed, *passed)) if passed else newest
    return Dated(lastmod=newest.when, because=because)


def _as_new_as_what_they_list(
    pages: Mapping[Key, Undated], found: dict[Key, Dated]
) -> dict[Key, Dated]:
    """A view is as new as the newest page that it lists; undated, if one of them is."""
    views = {key: page for key, page in pages.items() if page.lists and not page.says.lastmod}
    listed = {key: [found.get(each) for each in page.lists] for key, page in views.items()}
    known = {
        key: newest([*filter(None, dates), *filter(None, [found.get(key)])])
        for key, dates in listed.items()
        if None not in dates and "lastmod" not in views[key].says.places
    }
    return {key: dated for key, dated in found.items() if key not in views} | known


def newest(dates: Iterable[Dated]) -> Dated:
    """The newest of some dates, of which there must be one; of equal ones the first."""
    return max(dates, key=lambda dated: instant(dated.lastmod))


def _believed(
    found: dict[Key, Dated], settings: LastmodSettings, now: datetime
) -> tuple[dict[Key, Dated], list[Problem]]:
    ahead = {key: dated for key, dated in found.items() if instant(dated.lastmod) > now + AHEAD}
    believed = {
        key: Dated(lastmod=_written(dated, settings), because=dated.because)
        for key, dated in found.items()
        if key not in ahead
    }
    return believed, _future(ahead)


def _written(dated: Dated, settings: LastmodSettings) -> date | datetime:
    """A date of git is shown in the configured zone; an offset in front matter is kept."""
    when = dated.lastmod
    if isinstance(dated.because, Change) and isinstance(when, datetime):
        when = when.astimezone(settings.timezone)
    if isinstance(when, datetime) and settings.format is Precision.DATE:
        return when.date()
    return when


def _future(ahead: dict[Key, Dated]) -> list[Problem]:
    problems = [
        replace(
            faulty("lastmod", dated.because, dated.lastmod, "is in the future"),
            done="No lastmod is written.",
        )
        for dated in ahead.values()
        if isinstance(dated.because, Place)
    ]
    commits = [dated.because for dated in ahead.values() if isinstance(dated.because, Change)]
    if commits:
        first = min(commits, key=lambda change: (change.path, change.commit))
        problems.append(
            Problem(
                code="future",
                found=f"{len(commits)} {'page was' if len(commits) == 1 else 'pages were'} last "
                f"changed by a commit that is dated in the future ({first.path}: "
                f"{first.commit[:12]}, {first.when.isoformat()})",
                done="They get no date." if len(commits) > 1 else "It gets no date.",
                note=True,
            )
        )
    return problems
