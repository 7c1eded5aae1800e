"""The chain of sources: the first that knows dates a page."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from mkdocs_sitemap_plus.evidence import Change, Place, Problem
from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.settings.values import LastmodSettings, Overrides, Precision, Source
from mkdocs_sitemap_plus.sitemap.fields import wrong

Key = tuple[str, str]
"""A page: its path in the built site, and its path under the docs folder."""

AHEAD = timedelta(hours=24)
"""How far a date may lie ahead of the clock: a whole day, so that no time zone is wronged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Undated:
    """A page that asks for its date.

    Attributes:
        source: the file that it is made from, absolute; None where there is none.
        says: what its owner says.
    """

    source: Path | None
    says: Overrides


@dataclass(frozen=True, slots=True, kw_only=True)
class Dated:
    """When a page last changed, as it is to be written, and who says so."""

    lastmod: date | datetime
    because: Place | Change


def date_pages(
    pages: Mapping[Key, Undated], settings: LastmodSettings, history: History, now: datetime
) -> tuple[dict[Key, Dated], list[Problem]]:
    """Date the pages that a source knows.

    Args:
        pages: those that ask.
        settings: which sources there are, and how dates are written.
        history: the repositories.
        now: the clock, aware; a date more than a day ahead of it is not believed.

    Returns:
        Dates; a page that is not there is undated. And what is wrong with them.

    Raises:
        SitemapError: the owner wants a build without the whole history to stop.
    """
    ask: dict[Source, Callable[[dict[Key, Undated]], dict[Key, Dated]]] = {
        Source.FRONT_MATTER: _front_matter,
        Source.GIT: lambda asking: _git(asking, history),
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
    return _believed(found, settings, now)


def _front_matter(asking: dict[Key, Undated]) -> dict[Key, Dated]:
    return {
        key: Dated(lastmod=page.says.lastmod, because=page.says.places["lastmod"])
        for key, page in asking.items()
        if page.says.lastmod
    }


def _git(asking: dict[Key, Undated], history: History) -> dict[Key, Dated]:
    changes = history.changes({page.source for page in asking.values() if page.source})
    return {
        key: Dated(lastmod=change.when, because=change)
        for key, page in asking.items()
        if page.source and (change := changes.get(page.source))
    }


def _believed(
    found: dict[Key, Dated], settings: LastmodSettings, now: datetime
) -> tuple[dict[Key, Dated], list[Problem]]:
    ahead = {key: dated for key, dated in found.items() if _start(dated.lastmod) > now + AHEAD}
    believed = {
        key: Dated(lastmod=_written(dated, settings), because=dated.because)
        for key, dated in found.items()
        if key not in ahead
    }
    return believed, _future(ahead)


def _start(when: date | datetime) -> datetime:
    """The first instant that `when` can mean."""
    if isinstance(when, datetime):
        return when
    return datetime(when.year, when.month, when.day, tzinfo=UTC)


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
        wrong("lastmod", dated.because, dated.lastmod, "a day that has come")
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
                done="left undated",
                note=True,
            )
        )
    return problems
