"""Merge front matter, rules and site-wide options into one Overrides for each page."""

from collections.abc import Sequence
from dataclasses import replace

from mkdocs_sitemap_plus.options.overrides import FIELDS, Overrides, read_front_matter, top_keys
from mkdocs_sitemap_plus.options.patterns import unmatched_problems
from mkdocs_sitemap_plus.options.settings import Settings
from mkdocs_sitemap_plus.pages.front_matter import Broken
from mkdocs_sitemap_plus.pages.page import SourcePage
from mkdocs_sitemap_plus.pipeline.decision import Context, Decision, State
from mkdocs_sitemap_plus.problems import Origin, Place, Problem
from mkdocs_sitemap_plus.wording import format_value


def merge_overrides(state: State, context: Context) -> State:
    """Return the state with the overrides of every page."""
    settings = context.settings
    decisions: list[Decision] = []
    problems: list[Problem] = []
    paths: list[str] = []
    for decision in state.decisions:
        if decision.page is not None:
            paths.append(decision.page.src_uri)
            overrides, found = overrides_of(decision.page, settings)
            decisions.append(replace(decision, overrides=overrides))
            problems += found
    for rule in settings.rules:
        if rule.match:
            problems += unmatched_problems(rule.match, rule.place, paths)
    return state.with_result(decisions, problems)


def overrides_of(page: SourcePage, settings: Settings) -> tuple[Overrides, list[Problem]]:
    """Return the overrides of a page, and what is wrong with its front matter.

    For each field, the first of these that sets it wins, even if its value is invalid: the front
    matter, the last matching rule, the site-wide option.
    """
    own, problems = _front_matter(page, settings)
    # The site-wide options are the first rules of the settings.
    matching = [rule.overrides for rule in reversed(settings.rules) if rule.matches(page.src_uri)]
    return _first_set([own, *matching]) if matching else own, problems


def _front_matter(page: SourcePage, settings: Settings) -> tuple[Overrides, list[Problem]]:
    if page.broken is not None:
        return Overrides(), _unreadable(page, page.broken, settings)
    zone, keys = settings.lastmod.timezone, settings.lastmod.front_matter_keys
    overrides, problems = read_front_matter(page.meta, page.file, page.lines, zone, keys)
    problems.sort(key=lambda problem: (problem.place and problem.place.line) or 0)
    return overrides, problems


def _first_set(sources: Sequence[Overrides]) -> Overrides:
    """Return for each field the value of the first source that sets it."""
    values, places = {}, {}
    for field in FIELDS:
        source = next((each for each in sources if field in each.places), None)
        if source is not None:
            values[field] = getattr(source, field)
            places[field] = source.places[field]
    return Overrides(places=places, **values)


def _unreadable(page: SourcePage, broken: Broken, settings: Settings) -> list[Problem]:
    """Return a warning if unreadable front matter has a key that this plugin reads."""
    if broken.keys.isdisjoint(top_keys(settings.lastmod.front_matter_keys)):
        return []
    found = f"the front matter can't be read ({broken.reason})"
    if broken.key:
        found = f"is {format_value(broken.value)}, which can't be read ({broken.reason})"
    key = broken.key or None
    place = Place(origin=Origin.FRONT_MATTER, file=page.file, key=key, line=broken.line)
    done = "The whole front matter of this page is ignored."
    return [Problem(code="front-matter", place=place, found=found, done=done)]
