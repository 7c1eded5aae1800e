"""Add the images and videos of each entry, and news tags (Google, "News sitemaps")."""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin

from mkdocs_sitemap_plus.files import exists
from mkdocs_sitemap_plus.options.mappings import NewsSettings, read_video
from mkdocs_sitemap_plus.options.readers import (
    Read,
    news_language,
    read_date,
    read_items,
    read_text,
)
from mkdocs_sitemap_plus.pages import Site, SourcePage, Url
from mkdocs_sitemap_plus.pipeline import Context, Decided, Decision, Listed, files_in
from mkdocs_sitemap_plus.pipeline.unmatched import unmatched
from mkdocs_sitemap_plus.problems import (
    Code,
    Origin,
    Place,
    Problem,
    Result,
    invalid,
    one_per_field,
    with_count,
    with_lines,
)
from mkdocs_sitemap_plus.sitemap import MAX_IMAGES, MAX_NEWS, NEWS_AGE, News, to_datetime
from mkdocs_sitemap_plus.sitemap.urls import base_url, quote_path, read_url, unquote_path

_NO_NEWS = "The page gets no news tags."


class _Article(NamedTuple):
    """The news tags of a page, and the place of its date."""

    tags: News
    place: Place

    @property
    def published(self) -> datetime:
        """The publication date as a datetime, for sorting."""
        return to_datetime(self.tags.publication_date)


def add_images(decisions: Sequence[Decision], context: Context) -> Decided:
    """Add the images of each entry, in the order of the page or of the owner's list."""
    return _map_listed(_with_images, decisions, context)


def _map_listed(
    change: Callable[[Listed, Context], tuple[Listed, list[Problem]]],
    decisions: Sequence[Decision],
    context: Context,
) -> Decided:
    """Change each decision that has an entry, and return all problems."""
    changed: list[Decision] = []
    problems: list[Problem] = []
    for decision in decisions:
        if isinstance(decision, Listed):
            new, found = change(decision, context)
            changed.append(new)
            problems += found
        else:
            changed.append(decision)
    return changed, problems


def _with_images(decision: Listed, context: Context) -> tuple[Listed, list[Problem]]:
    wanted, place = decision.overrides.images, decision.overrides.places.get("images")
    page = decision.about
    if wanted is None and isinstance(page, SourcePage) and page.images:
        return decision.with_field("images", page.images, Place(origin=Origin.SITEMAP)), []
    if not wanted or place is None:
        return decision, []
    found_at = place
    problems: list[Problem] = []
    if isinstance(wanted, tuple):
        urls, problems = read_items(_address_reader(decision, context.site), wanted, place)
        problems = [problem._replace(done="This image is not listed.") for problem in problems]
    elif isinstance(page, SourcePage) and page.built:
        base = base_url(page.loc, page.built.base)
        found_at = Place(origin=Origin.BUILT_PAGE, file=decision.name)
        # URLs that can't be listed, such as those with `data:`, are normal in HTML.
        urls, _ = read_items(partial(read_url, base=base), page.built.images, found_at)
    else:
        return decision, []
    found = tuple(dict.fromkeys(urls))
    if len(found) > MAX_IMAGES:
        problems.append(too_many_images(found_at, len(found)))
    return decision.with_field("images", found[:MAX_IMAGES], place), one_per_field(problems)


def too_many_images(place: Place, count: int) -> Problem:
    """Return the problem of a page with more images than the protocol allows."""
    return Problem(
        code=Code.IMAGES,
        place=place,
        found=f"has {count:,} images, but at most {MAX_IMAGES:,} are allowed for a page",
        done=f"The first {MAX_IMAGES:,} are written.",
    )


def add_videos(decisions: Sequence[Decision], context: Context) -> Decided:
    """Add the valid videos of each entry."""
    return _map_listed(_with_videos, decisions, context)


def _with_videos(decision: Listed, context: Context) -> tuple[Listed, list[Problem]]:
    raw, place = decision.overrides.videos, decision.overrides.places.get("videos")
    if not raw or place is None:
        return decision, []
    zone, page = context.settings.lastmod.timezone, decision.about
    read = _address_reader(decision, context.site)
    results = [
        read_video(video, place.item(number), zone, read, decision.loc)
        for number, video in enumerate(raw)
    ]
    is_from_page = place.origin is Origin.FRONT_MATTER
    lines = page.lines if is_from_page and isinstance(page, SourcePage) else {}
    problems = list(with_lines(_of_first_videos(found for _, found in results), lines))
    videos = tuple(video for video, _ in results if video)
    return decision.with_field("videos", videos, place) if videos else decision, problems


def _of_first_videos(videos: Iterable[Iterable[Problem]]) -> Iterator[Problem]:
    """Yield for each cause the problems of the first video that has it; later ones are counted."""
    first: dict[tuple[StrEnum, str], list[Problem]] = {}
    others: Counter[tuple[StrEnum, str]] = Counter()
    for found in videos:
        before = frozenset(first)
        for problem in found:
            cause = _cause(problem)
            if cause in before:
                others[cause] += 1
            else:
                first.setdefault(cause, []).append(problem)
    for cause, problems in first.items():
        yield from problems[:-1]
        yield with_count(problems[-1], others[cause])


def _cause(problem: Problem) -> tuple[StrEnum, str]:
    """Return what is equal if several videos have one mistake: code, and key without numbers."""
    key = problem.place.key if problem.place and problem.code is not Code.UNKNOWN_KEY else None
    return problem.code, re.sub(r"\[\d+\]", "", key or "")


def _address_reader(decision: Listed, site: Site) -> Read:
    """Return a reader of URLs of images and videos. A URL in this site must have an existing file.

    A relative URL starts from the folder of the page's source, as in Markdown. If there is no such
    file, it starts from the URL of the page: languages and blogs are built into other folders. In
    the entry of an extra URL, it starts from the extra URL.
    """
    bases, about = [decision.loc], decision.about
    if not isinstance(about, Url):
        folder = quote_path(about.src_uri.rpartition("/")[0])
        bases.insert(0, urljoin(site.url, f"{folder}/" if folder else ""))

    def read(raw: object, place: Place) -> Result[str]:
        results = [read_url(raw, place, base) for base in bases]
        for url, problems in results:
            if url and _exists(url, site):
                return url, problems
        if results[0][0] is None:
            return results[0]
        expected = "a file of the built site, as a path from the page's source, or a URL"
        return None, [invalid(Code.URL, place, raw, expected)]

    return read


def _exists(url: str, site: Site) -> bool:
    """Return whether the built site has a file or a folder at a URL; True for other sites' URLs."""
    if not url.startswith(site.url):
        return True
    path = os.path.normpath(unquote_path(url.removeprefix(site.url).partition("?")[0]))
    inside = not path.startswith("..") and not Path(path).is_absolute()
    return inside and exists(site.site_dir / path)


def add_news(decisions: Sequence[Decision], context: Context) -> Decided:
    """Add news tags for the newest articles; an article must have a date."""
    news = context.settings.news
    if news is None:
        return decisions, ()
    paths = [file.src_uri for file in files_in(decisions)]
    docs, place = context.site.docs_dir.name, context.site.option("news.match")
    problems = [*unmatched(news.match, place, (docs,), paths)]
    articles: list[tuple[int, Listed, _Article]] = []
    for number, decision in enumerate(decisions):
        page = decision.about
        if not (isinstance(decision, Listed) and isinstance(page, SourcePage)):
            continue
        if news.match.match_file(page.src_uri):
            article, faults = _article(page, news, context)
            problems += faults
            if article:
                articles.append((number, decision, article))
    newest = sorted(articles, key=lambda found: found[2].published, reverse=True)
    if len(newest) > MAX_NEWS:
        most = f"at most {MAX_NEWS:,} are allowed in a sitemap"
        found = f"matches {len(newest):,} articles of the last two days, but {most}"
        done = f"The newest {MAX_NEWS:,} get news tags."
        place = context.site.option("news")
        problems.append(Problem(code=Code.NEWS, place=place, found=found, done=done))
    changed = list(decisions)
    for number, decision, article in newest[:MAX_NEWS]:
        changed[number] = decision.with_field("news", article.tags, article.place)
    return changed, dict.fromkeys(problems)


def _article(
    page: SourcePage, news: NewsSettings, context: Context
) -> tuple[_Article | None, list[Problem]]:
    """Return the news tags of a page if it is a fresh article, and its problems."""
    zone = context.settings.lastmod.timezone
    key, raw = _date_of(page.meta)
    place = Place(origin=Origin.FRONT_MATTER, file=page.file, key=key, line=page.lines.get(key))
    published, problems = read_date(raw, place, zone) if raw is not None else (None, [])
    if published is None or not is_fresh(published, context.now.astimezone(zone)):
        return None, [each._replace(done=_NO_NEWS) for each in problems]
    language = news.language or news_language(page.locale or context.site.default_locale)
    if language is None:
        place = context.site.option("news.language")
        found = "is not set, and the language of the site is not known"
        done = "No page gets news tags."
        return None, [Problem(code=Code.NEWS, place=place, found=found, done=done)]
    title, problems = read_text(page.title, place._replace(key="title", line=None))
    if title is None:
        place = place._replace(key=None, line=None)
        found = "the news article has no title that is a text"
        return None, [Problem(code=Code.NEWS, place=place, found=found, done=_NO_NEWS)]
    tags = News(
        publication=news.publication, language=language, publication_date=published, title=title
    )
    return _Article(tags, place), problems


def _date_of(meta: Mapping[str, object]) -> tuple[str, object]:
    """Return key and raw value of the publication date; in Material's blog, ``date.created``."""
    when = meta.get("date")
    return ("date.created", when.get("created")) if isinstance(when, Mapping) else ("date", when)


def is_fresh(published: date | datetime, now: datetime) -> bool:
    """Return whether an article is at most two days old. A day is compared with that of `now`."""
    if isinstance(published, datetime):
        return timedelta() <= now - published <= NEWS_AGE
    return timedelta() <= now.date() - published <= NEWS_AGE
