"""Videos that front matter describes."""

from dataclasses import replace

from mkdocs_sitemap_plus.decisions.addresses import read_address
from mkdocs_sitemap_plus.decisions.decision import Decision
from mkdocs_sitemap_plus.evidence import Place, Problem
from mkdocs_sitemap_plus.pages.page import Site
from mkdocs_sitemap_plus.settings.values import Settings
from mkdocs_sitemap_plus.settings.videos import read_video


def filmed(decision: Decision, site: Site, settings: Settings) -> tuple[Decision, list[Problem]]:
    """Give an entry the videos that its front matter describes rightly."""
    raw, place = decision.says.videos, decision.says.places.get("videos")
    if decision.entry is None or not raw or place is None:
        return decision, []

    def address(each: object, where: Place) -> str | Problem:
        return read_address(each, where, decision, site)

    zone = settings.lastmod.timezone
    read = [
        read_video(each, replace(place, key=f"{place.key}[{i}]"), zone, address, decision.entry.loc)
        for i, each in enumerate(raw)
    ]
    problems = [_lined(problem, decision) for _, found in read for problem in found]
    videos = tuple(video for video, _ in read if video)
    if not videos:
        return decision, problems
    entry = replace(decision.entry, videos=videos)
    return replace(decision, entry=entry, because={**decision.because, "videos": place}), problems


def _lined(problem: Problem, decision: Decision) -> Problem:
    """The problem with the line of its own key, where that is known."""
    place, lines = problem.place, decision.page.lines if decision.page is not None else {}
    line = lines.get(place.key or "") if place else None
    return replace(problem, place=replace(place, line=line)) if place and line else problem
