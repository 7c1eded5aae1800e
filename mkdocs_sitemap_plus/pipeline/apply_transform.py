"""The owner's function has the last word on each entry; what it says is checked like all else."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from mkdocs_sitemap_plus.lastmod import BY_TRANSFORM
from mkdocs_sitemap_plus.options.settings import Settings
from mkdocs_sitemap_plus.options.transform import PageOfEntry, Transform
from mkdocs_sitemap_plus.pages.page import Site
from mkdocs_sitemap_plus.pipeline.decision import Decision, LeftOut, Reason
from mkdocs_sitemap_plus.pipeline.drop_duplicates import one_a_url
from mkdocs_sitemap_plus.pipeline.returned import About, format_returned, read_returned, unusable
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.entry import Alternate, UrlEntry
from mkdocs_sitemap_plus.sitemap.languages import X_DEFAULT
from mkdocs_sitemap_plus.wording import describe_error, format_value, shorten


def transformed(
    decisions: list[Decision], site: Site, settings: Settings, now: datetime
) -> tuple[list[Decision], list[Problem]]:
    """Ask the owner's function once for each entry.

    Args:
        decisions: sorted by URL.
        site: their site.
        settings: with the function; None leaves everything as it is.
        now: the clock, aware, for dates in the future.

    Returns:
        Decisions, one a URL, whose alternates are reciprocal as before; and what is wrong with
        what the function gave back.

    Raises:
        SitemapError: the function raised something.
    """
    function = settings.transform
    if function is None:
        return decisions, []
    place = Place(origin=Origin.OPTION, file=site.project_file, key="transform")
    problems: list[Problem] = []
    done = []
    for decision in decisions:
        if decision.entry is None:
            done.append(decision)
            continue
        given = _call(function, decision, decision.entry, site, place)
        checked, found = _checked(given, decision, site, settings, now)
        done.append(replace(checked, rejected=tuple(found)) if found else checked)
        problems += found
    return list(one_a_url(_answered(done, decisions))), list(_once_a_cause(problems))


def _once_a_cause(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The first problem of each kind, with the number of others: one bug spoils every entry."""
    kinds: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        kinds.setdefault((problem.code, problem.expected or problem.found), []).append(problem)
    for first, *others in kinds.values():
        more = f"{first.done or ''} The same holds for {len(others):,} more.".strip()
        yield replace(first, done=more) if others else first


def _call(
    function: Transform, decision: Decision, entry: UrlEntry, site: Site, place: Place
) -> object:
    try:
        return function.call(entry, _page(decision, site))
    except Exception as error:
        raised = f"raised {describe_error(error)} for {shorten(decision.name)}"
        problem = Problem(
            code="transform",
            place=place,
            found=f"is {format_value(function.name)}, which {raised}",
        )
        raise SitemapError(problem) from error


def _page(decision: Decision, site: Site) -> PageOfEntry | None:
    page = decision.page
    if page is None:
        return None
    url = (decision.loc or "").removeprefix(site.url or "")
    return PageOfEntry(src_uri=page.src_uri, url=url, meta=MappingProxyType(dict(page.meta)))


def _checked(
    given: object, decision: Decision, site: Site, settings: Settings, now: datetime
) -> tuple[Decision, list[Problem]]:
    """The decision with what the function gave back, where that is right."""
    place = Place(origin=Origin.OPTION, file=site.project_file, key="transform")
    if given is None:
        name = settings.transform.name if settings.transform else ""
        return _without(decision, Reason.TRANSFORM, name, place), []
    if not isinstance(given, UrlEntry):
        here = replace(place, key=f"{place.key}: {decision.name}")
        problem = unusable(given, here, "an entry or None")
        return decision, [replace(problem, done="The entry stays as it was.")]
    about = About(decision=decision, site=site, zone=settings.lastmod.timezone, now=now)
    entry, changed, problems = read_returned(given, about, place)
    if entry is None:
        detail = format_returned(given.loc)
        return _without(decision, Reason.UNUSABLE_URL, detail, place), problems
    kept = {
        name: why
        for name, why in decision.because.items()
        if name == "listed" or getattr(entry, name) not in (None, ())
    }
    because = kept | dict.fromkeys(changed, place)
    undated = None if entry.lastmod is not None else decision.undated or BY_TRANSFORM
    own = replace(decision, loc=entry.loc, entry=entry, because=because, undated=undated)
    return own, problems


def _without(decision: Decision, reason: Reason, detail: str, place: Place) -> Decision:
    out = LeftOut(reason=reason, detail=detail, place=place)
    return replace(decision, entry=None, left_out=out, because={}, undated=None)


def _answered(done: list[Decision], before: list[Decision]) -> Iterator[Decision]:
    """Entries whose alternates follow pages that moved, without pages that left or don't answer."""
    moved = {
        old.loc: new.entry.loc if new.entry else None
        for old, new in zip(before, done, strict=True)
        if old.entry
    }
    links = {each.loc: _followed(each.entry.alternates, moved) for each in done if each.entry}
    for decision in done:
        if decision.entry and decision.entry.alternates:
            yield _linked(decision, decision.entry, links)
        else:
            yield decision


def _followed(
    alternates: Iterable[Alternate], moved: Mapping[str | None, str | None]
) -> list[Alternate]:
    hrefs = ((link, moved.get(link.href, link.href)) for link in alternates)
    return [replace(link, href=href) for link, href in hrefs if href]


def _linked(
    decision: Decision, entry: UrlEntry, links: Mapping[str | None, list[Alternate]]
) -> Decision:
    """With the links that are answered, or that lead to other sites; with none if it is alone."""
    own = links[entry.loc]
    answering = {
        link.href
        for link in own
        if any(back.href == entry.loc for back in links.get(link.href, ()))
    }
    answered = tuple(link for link in own if link.href not in links or link.href in answering)
    languages = {link.hreflang for link in answered if link.hreflang != X_DEFAULT}
    if len(languages) >= 2 and entry.loc in answering:
        return replace(decision, entry=replace(entry, alternates=answered))
    because = {name: why for name, why in decision.because.items() if name != "alternates"}
    return replace(decision, entry=replace(entry, alternates=()), because=because)
