"""Date pages by the first source that has a date: the table of all sources, and what they share."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.lastmod import Change, NoDate, Reason
from mkdocs_sitemap_plus.lastmod.date_source import (
    Answers,
    Dated,
    DateQuery,
    DateSource,
    Key,
    more_specific,
)
from mkdocs_sitemap_plus.lastmod.dates_file import FileSource
from mkdocs_sitemap_plus.lastmod.front_matter import FrontMatter
from mkdocs_sitemap_plus.lastmod.git import GitSource
from mkdocs_sitemap_plus.options import LastmodSettings, Precision, Source
from mkdocs_sitemap_plus.options.overrides import Overrides
from mkdocs_sitemap_plus.problems import Code, Level, Place, Problem, invalid
from mkdocs_sitemap_plus.sitemap import to_datetime
from mkdocs_sitemap_plus.wording import counted

_SOURCES: dict[Source, type[DateSource]] = {
    Source.FRONT_MATTER: FrontMatter,
    Source.GIT: GitSource,
    Source.FILE: FileSource,
}

MAX_FUTURE = timedelta(hours=24)
"""How far ahead a date may be. One day is more than the UTC offset of any time zone."""

_NO_SOURCES = NoDate(Reason.NO_SOURCES)
_OF_CLONE = (Reason.SHALLOW, Reason.GIT_FAILED)  # reasons that are not those of single pages


def open_sources(
    settings: LastmodSettings,
    root: Path = Path(),
    docs_dir: Path | None = None,
    repo_url: str | None = None,
) -> tuple[DateSource, ...]:
    """Open the sources that the owner chose, in their order. The arguments are those of a source.

    With `docs_dir`, they may work in the background, so close them at the end.
    """
    names = dict.fromkeys(settings.sources)
    return tuple(_SOURCES[name](settings, root, docs_dir, repo_url) for name in names)


class Dates(NamedTuple):
    """The dates of pages, why the others have none, and what the dates depend on."""

    queries: Mapping[Key, DateQuery]
    dated: dict[Key, Dated]
    undated: dict[Key, NoDate]
    problems: Sequence[Problem] = ()  # what the sources found

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


def dates_of_pages(
    queries: Mapping[Key, DateQuery],
    sources: Iterable[DateSource],
    settings: LastmodSettings,
    now: datetime,
) -> Dates:
    """Return the date of each page by the first of the sources that has one, or why it has none.

    A date that is more than a day ahead of `now`, the current time, is not used.
    """
    by_owner = {key: _no_date_by_owner(query.overrides) for key, query in queries.items()}
    answers: Answers = {key: why or _NO_SOURCES for key, why in by_owner.items()}
    problems: list[Problem] = []
    # The sources are not asked for the date of a page with `lastmod: false` or an invalid date.
    undated = {key: query for key, query in queries.items() if by_owner[key] is None}
    for source in sources:
        found, found_problems = source.dates(undated)
        problems += found_problems
        for key, answer in found.items():
            answers[key] = more_specific(answers[key], answer)  # no source has dated it before
        undated = {key: query for key, query in undated.items() if isinstance(answers[key], NoDate)}
    answers |= _dates_of_views(queries, answers)
    _remove_future_dates(answers, now)
    dated = {key: answer for key, answer in answers.items() if isinstance(answer, Dated)}
    return Dates(
        queries=queries,
        dated={key: _in_format(found, settings) for key, found in dated.items()},
        undated={key: answer for key, answer in answers.items() if isinstance(answer, NoDate)},
        problems=tuple(dict.fromkeys(problems)),
    )


def dates_of_urls(urls: Mapping[Key, DateQuery], settings: LastmodSettings, now: datetime) -> Dates:
    """Return the dates that the owner set for URLs that are not pages: nothing else dates them."""
    return dates_of_pages(urls, [FrontMatter(settings)], settings, now)


def _no_date_by_owner(overrides: Overrides) -> NoDate | None:
    """Return the reason why a page has no date if its owner set ``false`` or an invalid date."""
    place = overrides.places.get("lastmod")
    if place is None or overrides.lastmod:
        return None
    reason = Reason.TURNED_OFF if overrides.lastmod is False else Reason.INVALID
    return NoDate(reason, place=place)


def _dates_of_views(queries: Mapping[Key, DateQuery], answers: Answers) -> Answers:
    """Return the dates of the views of a blog: pages such as its index, which show posts.

    A view has the newest date of its posts and itself; no date if one of its posts has none. If
    that post has none because of the clone, the view has none for this reason too.
    """
    found: Answers = {}
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


def _remove_future_dates(answers: Answers, now: datetime) -> None:
    """Replace each date that is more than a day ahead by the reason why it is not used."""
    future = {
        key: answer
        for key, answer in answers.items()
        if isinstance(answer, Dated) and to_datetime(answer.lastmod) > now + MAX_FUTURE
    }
    changes = [dated.because for dated in future.values() if isinstance(dated.because, Change)]
    changes_problem = _future_changes_problem(changes) if changes else None
    for key, dated in future.items():
        because = dated.because
        if isinstance(because, Place):
            fault = invalid(Code.LASTMOD, because, dated.lastmod, fault="is in the future")
            cause = fault._replace(done="No lastmod is written.")
            answers[key] = NoDate(reason=Reason.FUTURE, place=because, cause=cause)
        else:
            what = f"commit {because.commit[:12]}" if because.commit else because.path
            detail = f"{what} is dated in the future"
            answers[key] = NoDate(reason=Reason.FUTURE, detail=detail, cause=changes_problem)


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


def _future_changes_problem(changes: list[Change]) -> Problem:
    first = min(changes, key=lambda change: (change.path, change.name))
    pages = counted(len(changes), "page has", "pages have")
    change = "commit" if first.commit else "change"
    commit = f"{first.commit[:12]}, " if first.commit else ""
    example = f"{first.path}: {commit}{first.when.isoformat()}"
    return Problem(
        code=Code.FUTURE,
        found=f"{pages} a last {change} that is dated in the future ({example})",
        done="Dates more than 24 hours ahead are not used.",
        level=Level.INFO,
    )
