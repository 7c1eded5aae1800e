"""Check the images, videos and news of an entry: the rules about more than one value."""

from datetime import date, datetime, timedelta

from mkdocs_sitemap_plus.sitemap.entry import to_datetime, utc_day
from mkdocs_sitemap_plus.sitemap.limits import MAX_IMAGES, MAX_VIDEO_TAGS, NEWS_AGE
from mkdocs_sitemap_plus.sitemap.parse import RawElement
from mkdocs_sitemap_plus.sitemap.render import IMAGE, NEWS, VIDEO
from mkdocs_sitemap_plus.sitemap.urls import url_key
from mkdocs_sitemap_plus.sitemap.values import SPACE, strict_date
from mkdocs_sitemap_plus.tools.checks.finding import Report
from mkdocs_sitemap_plus.wording import format_value


def check_images(url: RawElement, report: Report) -> None:
    """Report too many images, and images that are listed twice."""
    images = url.all(IMAGE, "image")
    if len(images) > MAX_IMAGES:
        clause = f"has {len(images):,} images, but {MAX_IMAGES:,} are allowed"
        report.add("too-many-images", url, clause)
    seen: set[str] = set()
    for image in images:
        for loc in image.all(IMAGE, "loc")[:1]:
            text = loc.text.strip(SPACE)
            if text in seen:
                report.add("image-twice", loc, f"is {format_value(text)} a second time")
            seen.add(text)


def check_videos(url: RawElement, report: Report) -> None:
    """Report videos without a source, with the page as their source, or with too many tags."""
    for video in url.all(VIDEO, "video"):
        sources = (*video.all(VIDEO, "content_loc"), *video.all(VIDEO, "player_loc"))
        if not sources:
            clause = "has no video:content_loc or video:player_loc"
            report.add("element-missing", video, clause)
        for source in sources:
            if report.loc and url_key(source.text.strip(SPACE)) == url_key(report.loc):
                report.add("video-loc", source, "is the page itself")
        tags = video.all(VIDEO, "tag")
        if len(tags) > MAX_VIDEO_TAGS:
            clause = f"is there {len(tags):,} times, but {MAX_VIDEO_TAGS} are allowed"
            report.add("video-value", tags[MAX_VIDEO_TAGS], clause)


def check_news(url: RawElement, report: Report, now: datetime) -> None:
    """Report articles that are too old, or in the future."""
    for news in url.all(NEWS, "news"):
        for element in news.all(NEWS, "publication_date")[:1]:
            when = strict_date(element.text)
            text = format_value(element.text.strip(SPACE))
            if when and is_before(when, now - NEWS_AGE):
                report.add("news-old", element, f"is {text}, which is more than two days ago")
            if when and is_future(when, now):
                report.add("news-value", element, f"is {text}, which is in the future")


def is_future(when: date | datetime, now: datetime) -> bool:
    """Return whether a date is more than a day in the future; clocks may differ by less."""
    return to_datetime(when) > now + timedelta(days=1)


def is_before(one: date | datetime, other: date | datetime) -> bool:
    """Return whether `one` is certainly earlier; only days are compared if one has no time."""
    if isinstance(one, datetime) and isinstance(other, datetime):
        return one < other
    return utc_day(one) < utc_day(other)
