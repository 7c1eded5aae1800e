"""News: the articles of the last two days (Google, "News sitemaps")."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta

from mkdocs_sitemap_plus.options.mappings import NewsSettings
from mkdocs_sitemap_plus.options.patterns import unmatched_problems
from mkdocs_sitemap_plus.options.readers import news_language, read_text
from mkdocs_sitemap_plus.options.settings import Settings
from mkdocs_sitemap_plus.pages.page import Site, SourcePage
from mkdocs_sitemap_plus.pipeline.decision import Decision
from mkdocs_sitemap_plus.problems import Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.entry import News, to_datetime
from mkdocs_sitemap_plus.sitemap.fields import read_date
from mkdocs_sitemap_plus.sitemap.limits import MAX_NEWS

_FRESH = timedelta(days=2)
_NO_NEWS = "The page gets no news tags."
_Article = tuple[News, Place]
"""The news, and where its date stands."""


def reported(
    decisions: Iterable[Decision], site: Site, settings: Settings, now: datetime
) -> tuple[list[Decision], list[Problem]]:
    """Give the newest articles their news; what has no date of publication is no article."""
    decisions = list(decisions)
    problems: dict[Problem, None] = {}
    if settings.news is None:
        return decisions, []
    place = Place(origin=Origin.OPTION, file=site.project_file, key="news.match")
    paths = [each.page.src_uri for each in decisions if each.page is not None]
    problems |= dict.fromkeys(unmatched_problems(settings.news.match, place, paths))
    found: dict[int, _Article] = {}
    for index, decision in enumerate(decisions):
        page = decision.page
        if decision.entry and page is not None and settings.news.match.match_file(page.src_uri):
            article, invalid = _article(page, settings.news, site, settings, now)
            problems |= dict.fromkeys(invalid)
            if article:
                found[index] = article
    newest = sorted(
        found, key=lambda index: to_datetime(found[index][0].publication_date), reverse=True
    )
    if len(newest) > MAX_NEWS:
        problems[_too_many(site, len(newest))] = None
    for index in newest[:MAX_NEWS]:
        decisions[index] = _with(decisions[index], *found[index])
    return decisions, list(problems)


def _with(decision: Decision, news: News, place: Place) -> Decision:
    entry = replace(decision.entry, news=news) if decision.entry else None
    return replace(decision, entry=entry, because={**decision.because, "news": place})


def _article(
    page: SourcePage, news: NewsSettings, site: Site, settings: Settings, now: datetime
) -> tuple[_Article | None, list[Problem]]:
    """The news of a fresh article, if it is one, and what is wrong with it."""
    zone = settings.lastmod.timezone
    key, raw = _date_of(page.meta)
    place = Place(origin=Origin.FRONT_MATTER, file=page.file, key=key, line=page.lines.get(key))
    published = read_date(raw, place, zone) if raw is not None else None
    if isinstance(published, Problem):
        return None, [replace(published, done=_NO_NEWS)]
    if published is None or not is_fresh(published, now.astimezone(zone)):
        return None, []
    language = news.language or news_language(page.locale or site.default_locale)
    if language is None:
        return None, [_no_language(site)]
    title, problems = read_text(page.title, replace(place, key="title", line=None))
    if title is None:
        return None, [_no_title(page)]
    article = News(
        publication=news.publication, language=language, publication_date=published, title=title
    )
    return (article, place), problems


def _date_of(meta: Mapping[str, object]) -> tuple[str, object]:
    """When an article was first published: ``date``, or ``date.created`` of Material's blog."""
    said = meta.get("date")
    return ("date.created", said.get("created")) if isinstance(said, Mapping) else ("date", said)


def is_fresh(published: date | datetime, now: datetime) -> bool:
    """Whether an article is at most two days old, and not of the future.

    A date without a time is fresh as long as any hour of that day may be, by the clock of `now`.
    """
    if isinstance(published, datetime):
        return timedelta() <= now - published <= _FRESH
    return timedelta() <= now.date() - published <= _FRESH


def _no_title(page: SourcePage) -> Problem:
    return Problem(
        code="news",
        place=Place(origin=Origin.FRONT_MATTER, file=page.file),
        found="the news article has no title that is a text",
        done=_NO_NEWS,
    )


def _no_language(site: Site) -> Problem:
    return Problem(
        code="news",
        place=Place(origin=Origin.OPTION, file=site.project_file, key="news.language"),
        found="is not set, and the language of the site is not known",
        done="No page gets news tags.",
    )


def _too_many(site: Site, count: int) -> Problem:
    return Problem(
        code="news",
        place=Place(origin=Origin.OPTION, file=site.project_file, key="news"),
        found=f"matches {count:,} articles of the last two days, but at most {MAX_NEWS:,} are "
        "allowed in a sitemap",
        done=f"The newest {MAX_NEWS:,} get news tags.",
    )
