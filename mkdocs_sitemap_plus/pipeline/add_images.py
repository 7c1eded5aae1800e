"""Images: those of a page's content, or those that its owner names."""

from collections.abc import Iterable
from dataclasses import replace

from mkdocs_sitemap_plus.pages.page import Site, SourcePage
from mkdocs_sitemap_plus.pipeline.addresses import read_address
from mkdocs_sitemap_plus.pipeline.decision import Decision
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, first_of
from mkdocs_sitemap_plus.sitemap.fields import read_url
from mkdocs_sitemap_plus.sitemap.limits import MAX_IMAGES
from mkdocs_sitemap_plus.sitemap.urls import joined


def illustrated(decision: Decision, site: Site) -> tuple[Decision, list[Problem]]:
    """Give an entry its images, each once, in the order of the page or the list."""
    wanted, place = decision.overrides.images, decision.overrides.places.get("images")
    if decision.entry is None or not wanted or place is None:
        return decision, []
    if isinstance(wanted, tuple):
        found, problems = _named(wanted, place, decision, site)
    else:
        found, problems = _shown(decision.page, decision.loc or ""), []
    if len(found) > MAX_IMAGES:
        problems.append(_too_many(decision, place, len(found)))
    problems = first_of(problems)
    if not found:
        return decision, problems
    entry = replace(decision.entry, images=tuple(found[:MAX_IMAGES]))
    return replace(decision, entry=entry, because={**decision.because, "images": place}), problems


def _named(
    names: Iterable[str], place: Place, decision: Decision, site: Site
) -> tuple[list[str], list[Problem]]:
    at = (replace(place, key=f"{place.key}[{i}]") for i, _ in enumerate(names))
    read = [read_address(name, each, decision, site) for name, each in zip(names, at, strict=False)]
    done = "This image is not listed."
    problems = [replace(each, done=done) for each in read if isinstance(each, Problem)]
    return list(dict.fromkeys(each for each in read if isinstance(each, str))), problems


def _shown(page: SourcePage | None, loc: str) -> list[str]:
    """Those of the built HTML; what can't be fetched, such as ``data:``, is none."""
    if page is None:
        return []
    base = joined(loc, page.built.base if page.built else None)
    place = Place(origin=Origin.BUILT_PAGE, file=page.dest_uri)
    urls = (read_url(reference, place, base) for reference in page.images)
    return list(dict.fromkeys(url for url in urls if isinstance(url, str)))


def _too_many(decision: Decision, place: Place, count: int) -> Problem:
    shown = (
        Place(origin=Origin.BUILT_PAGE, file=decision.page.file)
        if decision.page is not None
        else place
    )
    return Problem(
        code="images",
        place=place if isinstance(decision.overrides.images, tuple) else shown,
        found=f"has {count:,} images, but at most {MAX_IMAGES:,} are allowed for a page",
        done=f"The first {MAX_IMAGES:,} are written.",
    )
