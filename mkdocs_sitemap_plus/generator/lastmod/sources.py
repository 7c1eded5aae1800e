"""Date pages by the first source that has a date: the sources, and what they share."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.generator.lastmod.date_source import (
    Answers,
    Dated,
    DateQuery,
    DateSource,
    Key,
    Reason,
    more_specific,
)
from mkdocs_sitemap_plus.generator.lastmod.dates_file import FileSource
from mkdocs_sitemap_plus.generator.lastmod.git_source import GitSource, in_our_words
from mkdocs_sitemap_plus.generator.options.settings import LastmodSettings, Precision, Source
from mkdocs_sitemap_plus.gitdates import Change, GitCode, NoDate
from mkdocs_sitemap_plus.gitdates.query import USUAL_NAME
from mkdocs_sitemap_plus.gitdates.values import without_date
from mkdocs_sitemap_plus.problems import Place, Problem
from mkdocs_sitemap_plus.sitemap.protocol import WEB_BEGAN, to_datetime

MAX_FUTURE = timedelta(hours=24)
"""How far ahead a date may be. One day is more than the UTC offset of any time zone."""


class FrontMatterSource(DateSource):
    """The source ``front_matter``: dates that the owner set, in front matter or elsewhere."""

    def dates(self, queries: Mapping[Key, DateQuery]) -> tuple[Answers, tuple[()]]:
        """Return the owner's date of each page. The problems of invalid dates are known already."""
        answers: Answers = dict.fromkeys(queries, NoDate(Reason.NOT_SET))
        for key, query in queries.items():
            if query.overrides.lastmod:
                answers[key] = Dated(query.overrides.lastmod, query.overrides.places["lastmod"])
        return answers, ()


_KINDS: dict[Source, type[DateSource]] = {
    Source.FRONT_MATTER: FrontMatterSource,
    Source.GIT: GitSource,
    Source.FILE: FileSource,
}


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
    return tuple(_KINDS[name](settings, root, docs_dir, repo_url) for name in names)


class Dates(NamedTuple):
    """The dates of pages, why the others have none, and what the dates depend on."""

    queries: Mapping[Key, DateQuery]
    answers: Answers
    future: Mapping[Key, Dated]  # dates that are not used, since they are ahead
    problems: Sequence[Problem] = ()  # what the sources found

    def of(self, key: Key | None) -> Dated | None:
        """Return the date of a page; None if it has none."""
        answer = self.answers.get(key) if key else None
        return answer if isinstance(answer, Dated) else None

    def why_not(self, key: Key) -> NoDate | None:
        """Return why a page has no date."""
        answer = self.answers.get(key)
        return answer if isinstance(answer, NoDate) else None

    def with_more(self, other: "Dates") -> "Dates":
        """Return the dates of the pages of both. Of a page that is in both, `other` counts."""
        return Dates(
            queries={**self.queries, **other.queries},
            answers=self.answers | other.answers,
            future={**self.future, **other.future},
            problems=tuple(dict.fromkeys((*self.problems, *other.problems))),
        )

    def owners_place(self, key: Key) -> Place | None:
        """Return the place of the owner's value that leaves a page undated, if one does."""
        match self.answers.get(key):
            case NoDate(Reason.TURNED_OFF | Reason.INVALID):
                return self.queries[key].overrides.places["lastmod"]
            case NoDate(Reason.FUTURE):
                origin = self.future[key].origin
                return origin if isinstance(origin, Place) else None
        return None


_NO_SOURCES = NoDate(Reason.NO_SOURCES)


def dates_of_pages(
    queries: Mapping[Key, DateQuery],
    sources: Iterable[DateSource],
    settings: LastmodSettings,
    now: datetime,
) -> Dates:
    """Return the date of each page by the first of the sources that has one, or why it has none.

    A date that is more than a day ahead of `now`, the current time, is not used, and none that is
    older than the web.
    """
    answers: Answers = dict.fromkeys(queries, _NO_SOURCES)
    for key, query in queries.items():
        if "lastmod" in query.overrides.places and not query.overrides.lastmod:  # the owner's
            is_off = query.overrides.lastmod is False
            answers[key] = NoDate(Reason.TURNED_OFF if is_off else Reason.INVALID)
    problems: list[Problem] = []
    asked = {key: queries[key] for key, why in answers.items() if why == _NO_SOURCES}
    for source in sources:
        found, found_problems = source.dates(asked)
        problems += found_problems
        for key, answer in found.items():
            before = answers[key]  # no source has dated it
            both = isinstance(before, NoDate) and isinstance(answer, NoDate)
            answers[key] = more_specific(before, answer) if both else answer  # type: ignore[arg-type]
        asked = {key: query for key, query in asked.items() if isinstance(answers[key], NoDate)}
    answers |= published_later(queries, answers, now)
    answers |= dates_of_views(queries, answers)
    future = {
        key: each
        for key, each in answers.items()
        if isinstance(each, Dated) and to_datetime(each.lastmod) > now + MAX_FUTURE
    }
    for key, answer in answers.items():
        if key in future:
            origin, detail = future[key].origin, ""
            if isinstance(origin, Change):
                what = f"commit {origin.commit[:12]}" if origin.commit else origin.path
                detail = f"{what} is dated in the future"
            answers[key] = NoDate(Reason.FUTURE, detail)
        elif isinstance(answer, Dated):
            written = _in_format(answer, settings)
            is_old = written.lastmod.year < WEB_BEGAN
            answers[key] = _too_old(written, settings) if is_old else written
    problems += _of_commits(answers)
    return Dates(queries, answers, future, tuple(dict.fromkeys(problems)))


def _in_format(dated: Dated, settings: LastmodSettings) -> Dated:
    """Return a date in the configured format; a date of git also in the configured time zone."""
    when = dated.lastmod
    if isinstance(dated.origin, Change) and isinstance(when, datetime):
        when = when.astimezone(settings.timezone)
    if isinstance(when, datetime) and settings.format is Precision.DATE:
        when = when.date()
    return Dated(when, dated.origin)


def _too_old(dated: Dated, settings: LastmodSettings) -> NoDate:
    origin, what = dated.origin, f"is dated {dated.lastmod.year}, before there was a web"
    if isinstance(origin, Change) and origin.commit:
        return without_date(origin.commit, what, settings.git.ignore_revs_file or USUAL_NAME)
    name = origin.path if isinstance(origin, Change) else origin
    return NoDate(Reason.INVALID_COMMIT_DATE, f"{name} {what}")


def _of_commits(answers: Answers) -> list[Problem]:
    causes = (why.cause for why in answers.values() if isinstance(why, NoDate) and why.cause)
    return [in_our_words(why) for why in dict.fromkeys(causes) if why.code is GitCode.COMMIT_DATE]


_OF_CLONE = (Reason.SHALLOW, Reason.NO_BLOBS, Reason.GIT_FAILED)  # and not of single pages


def published_later(queries: Mapping[Key, DateQuery], answers: Answers, now: datetime) -> Answers:
    """Return the dates of posts that waited for their day after their last change.

    In ``serve``, a post may still wait for it.
    """
    return {
        key: query.published
        for key, query in queries.items()
        if query.published
        and isinstance(change := answers[key], Dated)
        and isinstance(change.origin, Change)
        and to_datetime(change.lastmod) < to_datetime(query.published.lastmod) <= now
    }


def dates_of_views(queries: Mapping[Key, DateQuery], answers: Answers) -> Answers:
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
            whys = (answers.get(post) for post in undated)
            clone = (why for why in whys if isinstance(why, NoDate) and why.reason in _OF_CLONE)
            detail = f"{min(src_uri for _, src_uri in undated)}, which it lists, has no date"
            found[key] = next(clone, NoDate(Reason.UNDATED_POST))._replace(detail=detail)
        else:
            dated = [
                each for post in (*query.posts, key) if isinstance(each := answers[post], Dated)
            ]
            found[key] = max(dated, key=lambda each: to_datetime(each.lastmod))
    return found
