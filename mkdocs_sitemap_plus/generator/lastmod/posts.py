"""Date the posts of a blog that wait for their day, and the views that list posts."""

from collections.abc import Mapping
from datetime import datetime

from mkdocs_sitemap_plus.generator.lastmod import Answers, Dated, DateQuery, Key, Reason
from mkdocs_sitemap_plus.gitdates import Change, NoDate
from mkdocs_sitemap_plus.sitemap import to_datetime

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
        and isinstance(change.because, Change)
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
