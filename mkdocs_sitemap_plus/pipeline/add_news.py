"""Add news tags to the articles of the last two days (Google, "News sitemaps")."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import NamedTuple

from mkdocs_sitemap_plus.options.mappings import NewsSettings
from mkdocs_sitemap_plus.options.patterns import unmatched_problems
from mkdocs_sitemap_plus.options.readers import news_language, read_date, read_text
from mkdocs_sitemap_plus.pages.page import SourcePage
from mkdocs_sitemap_plus.pipeline.decision import Context, State
from mkdocs_sitemap_plus.problems import Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.entry import News, to_datetime
from mkdocs_sitemap_plus.sitemap.limits import MAX_NEWS, NEWS_AGE

_NO_NEWS = "The page gets no news tags."


class _Article(NamedTuple):
    """The news tags of a page, and the place of its date."""

    news: News
    place: Place


def add_news(state: State, context: Context) -> State:
    """Return the state with news tags for the newest articles; an article must have a date."""
    news = context.settings.news
    if news is None:
        return state
    paths = [each.page.src_uri for each in state.decisions if each.page is not None]
    problems = unmatched_problems(news.match, context.option("news.match"), paths)
    articles: dict[int, _Article] = {}
    for number, decision in enumerate(state.decisions):
        page = decision.page
        if decision.entry and page is not None and news.match.match_file(page.src_uri):
            article, faults = _article(page, news, context)
            problems += faults
            if article:
                articles[number] = article
    newest = sorted(
        articles.items(), key=lambda item: to_datetime(item[1].news.publication_date), reverse=True
    )
    if len(newest) > MAX_NEWS:
        found = (
            f"matches {len(newest):,} articles of the last two days, but at most {MAX_NEWS:,} are "
            "allowed in a sitemap"
        )
        done = f"The newest {MAX_NEWS:,} get news tags."
        place = context.option("news")
        problems.append(Problem(code="news", place=place, found=found, done=done))
    decisions = list(state.decisions)
    for number, article in newest[:MAX_NEWS]:
        decisions[number] = decisions[number].with_field("news", article.news, article.place)
    return state.with_result(decisions, dict.fromkeys(problems))


def _article(
    page: SourcePage, news: NewsSettings, context: Context
) -> tuple[_Article | None, list[Problem]]:
    """Return the news tags of a page if it is a fresh article, and its problems."""
    zone = context.settings.lastmod.timezone
    key, raw = _date_of(page.meta)
    place = Place(origin=Origin.FRONT_MATTER, file=page.file, key=key, line=page.lines.get(key))
    published = read_date(raw, place, zone) if raw is not None else None
    if isinstance(published, Problem):
        return None, [replace(published, done=_NO_NEWS)]
    if published is None or not is_fresh(published, context.now.astimezone(zone)):
        return None, []
    language = news.language or news_language(page.locale or context.site.default_locale)
    if language is None:
        place = context.option("news.language")
        found = "is not set, and the language of the site is not known"
        done = "No page gets news tags."
        return None, [Problem(code="news", place=place, found=found, done=done)]
    title, problems = read_text(page.title, replace(place, key="title", line=None))
    if title is None:
        place = replace(place, key=None, line=None)
        found = "the news article has no title that is a text"
        return None, [Problem(code="news", place=place, found=found, done=_NO_NEWS)]
    article = News(
        publication=news.publication, language=language, publication_date=published, title=title
    )
    return _Article(article, place), problems


def _date_of(meta: Mapping[str, object]) -> tuple[str, object]:
    """Return key and raw value of the publication date; Material's blog has ``date.created``."""
    when = meta.get("date")
    return ("date.created", when.get("created")) if isinstance(when, Mapping) else ("date", when)


def is_fresh(published: date | datetime, now: datetime) -> bool:
    """Return whether an article is at most two days old, and not in the future.

    A date without a time is compared with the date of `now`, in the time zone of `now`.
    """
    if isinstance(published, datetime):
        return timedelta() <= now - published <= NEWS_AGE
    return timedelta() <= now.date() - published <= NEWS_AGE
