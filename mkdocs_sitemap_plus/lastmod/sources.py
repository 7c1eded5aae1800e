"""Date pages by the first source that has a date: the table of all sources, and what they share."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.files import exists
from mkdocs_sitemap_plus.gitdates import Change, NoDate
from mkdocs_sitemap_plus.lastmod import (
    Answers,
    Dated,
    DateQuery,
    DateSource,
    Key,
    Reason,
    more_specific,
)
from mkdocs_sitemap_plus.options import LastmodSettings, Precision, Source
from mkdocs_sitemap_plus.problems import Code, Level, Place, Problem, invalid
from mkdocs_sitemap_plus.sitemap import to_datetime
from mkdocs_sitemap_plus.wording import counted

MAX_FUTURE = timedelta(hours=24)
"""How far ahead a date may be. One day is more than the UTC offset of any time zone."""

FEWEST_PAGES = 20  # with fewer dated pages, one commit for most of them is normal

_OF_CLONE = (Reason.SHALLOW, Reason.GIT_FAILED)  # reasons that are not those of single pages


class FrontMatterSource(DateSource):
    """The source ``front_matter``: dates that the owner set, in front matter or elsewhere."""

    def dates(self, queries: Mapping[Key, DateQuery]) -> tuple[Answers, tuple[()]]:
        """Return the owner's date of each page. The problems of invalid dates are known already."""
        answers: Answers = dict.fromkeys(queries, NoDate(Reason.NOT_SET))
        for key, query in queries.items():
            if query.overrides.lastmod:
                answers[key] = Dated(query.overrides.lastmod, query.overrides.places["lastmod"])
        return answers, ()


class NoFile(DateSource):
    """The source ``file`` of a project that has no dates file."""

    def dates(self, queries: Mapping[Key, DateQuery]) -> tuple[Answers, tuple[()]]:
        """Return that there is no such file."""
        why = NoDate(Reason.NO_DATES_FILE, f"there is no {self.settings.file}")
        return dict.fromkeys(queries, why), ()


_SOURCES = {
    Source.FRONT_MATTER: ("sources", "FrontMatterSource"),
    Source.GIT: ("git", "GitSource"),
    Source.FILE: ("dates_file", "FileSource"),
}
"""The module and the class of each source, which is imported when it is opened."""


def open_sources(
    settings: LastmodSettings,
    root: Path = Path(),
    docs_dir: Path | None = None,
    repo_url: str | None = None,
) -> tuple[DateSource, ...]:
    """Open the sources that the owner chose, in their order. The arguments are those of a source.

    With `docs_dir`, they may work in the background, so close them at the end.
    """
    opened = []
    for name in dict.fromkeys(settings.sources):
        module, kind = _SOURCES[name]
        if name is Source.FILE and not exists(root / settings.file):
            module, kind = "sources", "NoFile"
        source = getattr(import_module(f"{__package__}.{module}"), kind)
        opened.append(source(settings, root, docs_dir, repo_url))
    return tuple(opened)


class Dates(NamedTuple):
    """The dates of pages, why the others have none, and what the dates depend on."""

    queries: Mapping[Key, DateQuery]
    dated: dict[Key, Dated]
    undated: dict[Key, NoDate]
    future: dict[Key, Dated]  # dates that are not used, since they are ahead; also in `undated`
    problems: Sequence[Problem] = ()  # what the sources found

    def with_more(self, other: "Dates") -> "Dates":
        """Return the dates of the pages of both. Of a page that is in both, `other` counts."""
        dated = {key: each for key, each in self.dated.items() if key not in other.queries}
        undated = {key: each for key, each in self.undated.items() if key not in other.queries}
        return Dates(
            queries={**self.queries, **other.queries},
            dated=dated | other.dated,
            undated=undated | other.undated,
            future=self.future | other.future,
            problems=tuple(dict.fromkeys((*self.problems, *other.problems))),
        )

    def owners_place(self, key: Key) -> Place | None:
        """Return the place of the owner's value that leaves a page undated, if one does."""
        match self.undated.get(key):
            case NoDate(Reason.TURNED_OFF | Reason.INVALID):
                return self.queries[key].overrides.places["lastmod"]
            case NoDate(Reason.FUTURE):
                because = self.future[key].because
                return because if isinstance(because, Place) else None
        return None


def dates_of_pages(
    queries: Mapping[Key, DateQuery],
    sources: Iterable[DateSource],
    settings: LastmodSettings,
    now: datetime,
) -> Dates:
    """Return the date of each page by the first of the sources that has one, or why it has none.

    A date that is more than a day ahead of `now`, the current time, is not used.
    """
    answers: Answers = {key: _why_by_owner(query) for key, query in queries.items()}
    problems: list[Problem] = []
    # The sources are not asked for the date of a page with `lastmod: false` or an invalid date.
    asked = {key: queries[key] for key, why in answers.items() if why == _NO_SOURCES}
    for source in sources:
        found, found_problems = source.dates(asked)
        problems += found_problems
        for key, answer in found.items():
            before = answers[key]  # no source has dated it
            if isinstance(before, NoDate) and isinstance(answer, NoDate):
                answers[key] = more_specific(before, answer)
            else:
                answers[key] = answer
        asked = {key: query for key, query in asked.items() if isinstance(answers[key], NoDate)}
    answers |= _dates_of_views(queries, answers)
    dated = {key: answer for key, answer in answers.items() if isinstance(answer, Dated)}
    last = now + MAX_FUTURE
    future = {key: each for key, each in dated.items() if to_datetime(each.lastmod) > last}
    answers |= {key: NoDate(Reason.FUTURE, _future_detail(each)) for key, each in future.items()}
    return Dates(
        queries=queries,
        dated={key: _in_format(dated[key], settings) for key in dated if key not in future},
        undated={key: answer for key, answer in answers.items() if isinstance(answer, NoDate)},
        future=future,
        problems=tuple(dict.fromkeys(problems)),
    )


_NO_SOURCES = NoDate(Reason.NO_SOURCES)


def dates_of_urls(urls: Mapping[Key, DateQuery], settings: LastmodSettings, now: datetime) -> Dates:
    """Return the dates that the owner set for URLs that are not pages: nothing else dates them."""
    return dates_of_pages(urls, [FrontMatterSource(settings)], settings, now)


def _why_by_owner(query: DateQuery) -> NoDate:
    """Return the reason of a page whose owner set ``false`` or an invalid date; that of others."""
    overrides = query.overrides
    if "lastmod" not in overrides.places or overrides.lastmod:
        return _NO_SOURCES
    return NoDate(Reason.TURNED_OFF if overrides.lastmod is False else Reason.INVALID)


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


def _in_format(dated: Dated, settings: LastmodSettings) -> Dated:
    """Return a date in the configured format; a date of git also in the configured time zone."""
    when = dated.lastmod
    if isinstance(dated.because, Change) and isinstance(when, datetime):
        when = when.astimezone(settings.timezone)
    if isinstance(when, datetime) and settings.format is Precision.DATE:
        when = when.date()
    return Dated(when, dated.because)


def _future_detail(dated: Dated) -> str:
    match dated.because:
        case Change(commit=commit, path=path):
            return f"{f'commit {commit[:12]}' if commit else path} is dated in the future"
    return ""


def future_problems(dates: Dates) -> Iterator[Problem]:
    """Yield the problems of pages whose date is in the future: one of all changes together.

    Of the pages of `dates`, only those in its `queries` count.
    """
    future = [dated for key, dated in dates.future.items() if key in dates.queries]
    changes = [dated.because for dated in future if isinstance(dated.because, Change)]
    for dated in future:
        if isinstance(dated.because, Place):
            fault = invalid(Code.LASTMOD, dated.because, dated.lastmod, fault="is in the future")
            yield fault._replace(done="No lastmod is written.")
    if changes:
        first = min(changes, key=lambda change: (change.path, change.commit))
        pages = counted(len(changes), "page has", "pages have")
        commit = f"{first.commit[:12]}, " if first.commit else ""
        example = f"{first.path}: {commit}{first.when.isoformat()}"
        yield Problem(
            code=Code.FUTURE,
            found=f"{pages} a last {'commit' if commit else 'change'} that is dated in the future "
            f"({example})",
            done="Dates more than 24 hours ahead are not used.",
            level=Level.INFO,
        )
