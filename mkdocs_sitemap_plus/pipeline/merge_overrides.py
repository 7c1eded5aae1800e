"""Who is heard on each field of a page: front matter, then the last rule that says it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mkdocs_sitemap_plus.options.overrides import FIELDS, Overrides, read_front_matter, top_keys
from mkdocs_sitemap_plus.options.patterns import unmatched_problems
from mkdocs_sitemap_plus.options.settings import Settings
from mkdocs_sitemap_plus.pages.front_matter import Broken
from mkdocs_sitemap_plus.pages.page import SourcePage
from mkdocs_sitemap_plus.problems import Origin, Place, Problem
from mkdocs_sitemap_plus.wording import format_value


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What counts for each page, by ``dest_uri`` and ``src_uri``; and what is wrong with it."""

    overrides: dict[tuple[str, str], Overrides]
    problems: list[Problem]


def hear(pages: Iterable[SourcePage], settings: Settings) -> Heard:
    """Read every page's front matter, and put it before the rules that match it."""
    pages = tuple(pages)
    heard = Heard(overrides={}, problems=[])
    for page in pages:
        own, problems = _own(page, settings)
        rules = [rule for rule in settings.rules if rule.matches(page.src_uri)]
        origins = [own, *(rule.overrides for rule in reversed(rules))]
        heard.overrides[page.dest_uri, page.src_uri] = merge(origins) if rules else own
        heard.problems.extend(problems)
    paths = [page.src_uri for page in pages]
    for rule in settings.rules:
        if rule.match:
            heard.problems.extend(unmatched_problems(rule.match, rule.place, paths))
    return heard


def _own(page: SourcePage, settings: Settings) -> tuple[Overrides, list[Problem]]:
    if page.broken is not None:
        return Overrides(), list(_unreadable(page, page.broken, settings))
    zone, keys = settings.lastmod.timezone, settings.lastmod.front_matter_keys
    overrides, problems = read_front_matter(page.meta, page.file, page.lines, zone, keys)
    return overrides, sorted(
        problems, key=lambda problem: (problem.place and problem.place.line) or 0
    )


def merge(origins: list[Overrides]) -> Overrides:
    """For each field the first voice that says it, rightly or wrongly."""
    values, places = {}, {}
    for field in FIELDS:
        for origin in origins:
            if field in origin.places:
                values[field] = getattr(origin, field)
                places[field] = origin.places[field]
                break
    return Overrides(places=places, **values)


def _unreadable(page: SourcePage, broken: Broken, settings: Settings) -> Iterator[Problem]:
    """Yield a warning if the text that can't be read has a key of ours."""
    if broken.keys.isdisjoint(top_keys(settings.lastmod.front_matter_keys)):
        return
    found = f"the front matter can't be read ({broken.reason})"
    if broken.key:
        found = f"is {format_value(broken.value)}, which can't be read ({broken.reason})"
    yield Problem(
        code="front-matter",
        place=Place(
            origin=Origin.FRONT_MATTER, file=page.file, key=broken.key or None, line=broken.line
        ),
        found=found,
        done="The whole front matter of this page is ignored.",
    )
