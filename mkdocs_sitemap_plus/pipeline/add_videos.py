"""Videos that front matter describes."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from mkdocs_sitemap_plus.options.settings import Settings
from mkdocs_sitemap_plus.options.videos import read_video
from mkdocs_sitemap_plus.pages.page import Site
from mkdocs_sitemap_plus.pipeline.addresses import read_address
from mkdocs_sitemap_plus.pipeline.decision import Decision
from mkdocs_sitemap_plus.problems import Place, Problem, with_others

_NUMBER = re.compile(r"\[\d+\]")


def filmed(decision: Decision, site: Site, settings: Settings) -> tuple[Decision, list[Problem]]:
    """Give an entry the videos that its front matter describes rightly."""
    raw, place = decision.overrides.videos, decision.overrides.places.get("videos")
    if decision.entry is None or not raw or place is None:
        return decision, []

    def address(each: object, where: Place) -> str | Problem:
        return read_address(each, where, decision, site)

    zone = settings.lastmod.timezone
    read = [
        read_video(each, replace(place, key=f"{place.key}[{i}]"), zone, address, decision.entry.loc)
        for i, each in enumerate(raw)
    ]
    problems = [_lined(each, decision) for each in _first_of_each([found for _, found in read])]
    videos = tuple(video for video, _ in read if video)
    if not videos:
        return decision, problems
    entry = replace(decision.entry, videos=videos)
    return replace(decision, entry=entry, because={**decision.because, "videos": place}), problems


def _first_of_each(videos: Sequence[Sequence[Problem]]) -> Iterator[Problem]:
    """Yield for each key of a video the problems of the first that has any; they count the others.

    Args:
        videos: the problems of each video.
    """
    kept: dict[tuple[str, str], list[Problem]] = {}
    others: Counter[tuple[str, str]] = Counter()
    for found in videos:
        kinds: dict[tuple[str, str], list[Problem]] = {}
        for problem in found:
            kinds.setdefault(_kind(problem), []).append(problem)
        for kind, problems in kinds.items():
            others[kind] += len(problems) if kind in kept else 0
            kept.setdefault(kind, problems)
    for kind, problems in kept.items():
        *all_but_last, last = problems
        yield from all_but_last
        yield with_others(last, others[kind])


def _kind(problem: Problem) -> tuple[str, str]:
    """Return what is equal for one mistake in several videos."""
    key = problem.place.key if problem.place and problem.code != "unknown-key" else None
    return problem.code, _NUMBER.sub("", key or "")


def _lined(problem: Problem, decision: Decision) -> Problem:
    """The problem with the line of its own key, where that is known."""
    place, lines = problem.place, decision.page.lines if decision.page is not None else {}
    line = lines.get(place.key or "") if place else None
    return replace(problem, place=replace(place, line=line)) if place and line else problem
