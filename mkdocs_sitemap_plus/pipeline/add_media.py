"""Add images and videos: the images in a page, and those that the owner sets."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, unquote, urljoin

from mkdocs_sitemap_plus.files import exists
from mkdocs_sitemap_plus.options.videos import read_video
from mkdocs_sitemap_plus.pages.page import Site, SourcePage
from mkdocs_sitemap_plus.pipeline.decision import Context, Decision, State
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, first_of, invalid, with_others
from mkdocs_sitemap_plus.sitemap.limits import MAX_IMAGES
from mkdocs_sitemap_plus.sitemap.urls import base_url, read_url

_NUMBER = re.compile(r"\[\d+\]")


def add_images(state: State, context: Context) -> State:
    """Return the state with the images of each entry: each once, in the order of page or list."""
    return state.map_listed(lambda decision: _with_images(decision, context.site))


def _with_images(decision: Decision, site: Site) -> tuple[Decision, list[Problem]]:
    wanted, place = decision.overrides.images, decision.overrides.places.get("images")
    if not wanted or place is None:
        return decision, []
    if isinstance(wanted, tuple):
        found, problems = _named_images(wanted, place, decision, site)
    elif decision.page is None:
        return decision, []
    else:
        found, problems = _content_images(decision.page), []
    if len(found) > MAX_IMAGES:
        page = Place(origin=Origin.BUILT_PAGE, file=decision.name)
        where = place if isinstance(wanted, tuple) else page
        problems.append(too_many_images(where, len(found)))
    images = tuple(found[:MAX_IMAGES])
    changed = decision.with_field("images", images, place) if images else decision
    return changed, first_of(problems)


def _named_images(
    names: tuple[str, ...], place: Place, decision: Decision, site: Site
) -> tuple[list[str], list[Problem]]:
    read = [
        _read_address(name, place.item(number), decision, site) for number, name in enumerate(names)
    ]
    done = "This image is not listed."
    problems = [replace(each, done=done) for each in read if isinstance(each, Problem)]
    return list(dict.fromkeys(each for each in read if isinstance(each, str))), problems


def _content_images(page: SourcePage) -> list[str]:
    """Return the URLs of the images in the built HTML, without others such as ``data:``."""
    base = base_url(page.loc or "", page.built.base if page.built else None)
    place = Place(origin=Origin.BUILT_PAGE, file=page.dest_uri)
    urls = (read_url(reference, place, base) for reference in page.images)
    return list(dict.fromkeys(url for url in urls if isinstance(url, str)))


def too_many_images(place: Place, count: int) -> Problem:
    """Return the problem of a page with more images than the protocol allows."""
    return Problem(
        code="images",
        place=place,
        found=f"has {count:,} images, but at most {MAX_IMAGES:,} are allowed for a page",
        done=f"The first {MAX_IMAGES:,} are written.",
    )


def add_videos(state: State, context: Context) -> State:
    """Return the state with the valid videos of each entry."""
    return state.map_listed(lambda decision: _with_videos(decision, context))


def _with_videos(decision: Decision, context: Context) -> tuple[Decision, list[Problem]]:
    raw, place = decision.overrides.videos, decision.overrides.places.get("videos")
    if not raw or place is None:
        return decision, []

    def address(each: object, where: Place) -> str | Problem:
        return _read_address(each, where, decision, context.site)

    zone, loc = context.settings.lastmod.timezone, decision.loc or ""
    read = [
        read_video(each, place.item(number), zone, address, loc) for number, each in enumerate(raw)
    ]
    lines = decision.page.lines if decision.page is not None else {}
    problems = [
        replace(each, place=replace(each.place, line=lines.get(each.place.key or "", place.line)))
        if each.place
        else each
        for each in _first_of_each_key(found for _, found in read)
    ]
    videos = tuple(video for video, _ in read if video)
    return decision.with_field("videos", videos, place) if videos else decision, problems


def _first_of_each_key(videos: Iterable[Iterable[Problem]]) -> Iterator[Problem]:
    """Yield the problems of each key in the first video that has any.

    The last of them has the number of those in other videos.

    Args:
        videos: the problems of each video.
    """
    first: dict[tuple[str, str], list[Problem]] = {}
    others: Counter[tuple[str, str]] = Counter()
    for found in videos:
        by_cause: dict[tuple[str, str], list[Problem]] = {}
        for problem in found:
            by_cause.setdefault(_cause(problem), []).append(problem)
        for cause, problems in by_cause.items():
            others[cause] += len(problems) if cause in first else 0
            first.setdefault(cause, problems)
    for cause, problems in first.items():
        *all_but_last, last = problems
        yield from all_but_last
        yield with_others(last, others[cause])


def _cause(problem: Problem) -> tuple[str, str]:
    """Return the code and the key without numbers: equal for one mistake in several videos."""
    key = problem.place.key if problem.place and problem.code != "unknown-key" else None
    return problem.code, _NUMBER.sub("", key or "")


def _read_address(raw: object, place: Place, decision: Decision, site: Site) -> str | Problem:
    """Return the absolute URL of an image or a video; in this site, it must be an existing file.

    A relative URL starts from the folder of the page's source, as in Markdown. If there is no such
    file, it starts from the URL of the page: languages and blogs are built into other folders. For
    an extra URL, it starts from that URL.
    """
    bases = [decision.loc or ""]
    if decision.page is not None:
        folder = quote(decision.page.src_uri.rpartition("/")[0])
        bases.insert(0, urljoin(site.url or "", f"{folder}/" if folder else ""))
    urls = [read_url(raw, place, base) for base in bases]
    found = next((url for url in urls if isinstance(url, str) and _exists(url, site)), urls[0])
    if isinstance(found, Problem) or _exists(found, site):
        return found
    expected = "a file of the built site, as a path from the page's source, or a URL"
    return invalid("url", place, raw, expected)


def _exists(url: str, site: Site) -> bool:
    """Return whether the built site has the file of a URL; True for URLs of other sites."""
    if not site.url or not url.startswith(site.url):
        return True
    path = os.path.normpath(unquote(url.removeprefix(site.url).partition("?")[0]))
    inside = not path.startswith("..") and not Path(path).is_absolute()
    return inside and exists(site.site_dir / path)
