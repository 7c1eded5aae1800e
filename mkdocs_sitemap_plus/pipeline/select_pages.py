"""Select the pages that are listed.

First, front matter, rules and site-wide options are merged into one Overrides for each page. Then
each page is checked. Of the pages with the same URL, one is kept.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from mkdocs_sitemap_plus.options import Settings
from mkdocs_sitemap_plus.options.overrides import (
    Overrides,
    key_of_other_tool,
    read_front_matter,
    top_keys,
)
from mkdocs_sitemap_plus.pages import Site, SourcePage
from mkdocs_sitemap_plus.pages.front_matter import Broken
from mkdocs_sitemap_plus.pipeline import Context, Decided, Decision, OutReason
from mkdocs_sitemap_plus.pipeline.unmatched import unmatched_in_rules
from mkdocs_sitemap_plus.problems import MAX_OF_A_KIND, Code, Level, Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap import to_datetime
from mkdocs_sitemap_plus.sitemap.urls import loc_fault, within
from mkdocs_sitemap_plus.wording import counted, first_names, format_value, shorten


def merge_overrides(decisions: Sequence[Decision], context: Context) -> Decided:
    """Add the overrides of every page."""
    settings = context.settings
    pages = [each.page for each in decisions if each.page is not None]
    merged: list[Decision] = []
    problems: list[Problem] = []
    for page in pages:
        overrides, found = overrides_of(page, settings)
        merged.append(Decision(page, page.loc, overrides))
        problems += found
    return merged, problems


def overrides_of(page: SourcePage, settings: Settings) -> tuple[Overrides, list[Problem]]:
    """Return the overrides of a page, and what is wrong with its front matter.

    For each field, the first of these that sets it wins, even if its value is invalid: the front
    matter, the last matching rule, the site-wide option.
    """
    if page.broken is not None:
        of_page, problems = Overrides(), _unreadable(page, page.broken, settings)
    else:
        zone, keys = settings.lastmod.timezone, settings.lastmod.front_matter_keys
        of_page, problems = read_front_matter(page.meta, page.file, page.lines, zone, keys)
        problems.sort(key=lambda each: each.place.line or 0 if each.place else 0)
    # The site-wide options are the first rules of the settings.
    matching = [rule.overrides for rule in settings.rules if rule.matches(page.src_uri)]
    if not matching:
        return of_page, problems
    values: dict[str, Any] = {}
    places: dict[str, Place] = {}
    for overrides in (*matching, of_page):
        values |= {field: getattr(overrides, field) for field in overrides.places}
        places |= overrides.places
    return Overrides(places=places, **values), problems


def _unreadable(page: SourcePage, broken: Broken, settings: Settings) -> list[Problem]:
    """Return a warning if unreadable front matter has a key that this plugin reads."""
    if broken.keys.isdisjoint(top_keys(settings.lastmod.front_matter_keys)):
        return []
    found = f"the front matter can't be read ({broken.reason})"
    if broken.key:
        found = f"is {format_value(broken.value)}, which can't be read ({broken.reason})"
    key = broken.key or None
    place = Place(origin=Origin.FRONT_MATTER, file=page.file, key=key, line=broken.line)
    done = "All front matter of this page is ignored."
    if broken.is_shown:
        done = "MkDocs ignores all front matter of this page, and shows it as text."
    return [Problem(code=Code.FRONT_MATTER, place=place, found=found, done=done)]


def select_pages(decisions: Sequence[Decision], context: Context) -> Decided:
    """Add an entry for each page that is listed, and a reason for the others."""
    site = context.site
    canonical_problem = _canonical_problem(site.pages)
    pages = [(each, each.page) for each in decisions if each.page is not None]
    selected = [
        _without_fallback(each, page, site)
        if page.is_fallback and not context.settings.fallback_pages
        else _selected(each, page, site, trust_canonicals=canonical_problem is None)
        for each, page in pages
    ]
    unreadable = _unreadable_problem(page for _, page in pages)
    listed = [each.page for each in selected if each.page is not None and each.entry]
    posts = {src_uri for _, page in pages for src_uri in page.posts}
    problems = [
        *(_not_left_out(page, is_post=page.src_uri in posts) for page in listed),
        *unmatched_in_rules(selected, context),
        canonical_problem,
        unreadable,
        _noindex_note(selected),
        *_url_problems(selected, site),
    ]
    return selected, filter(None, problems)


def _without_fallback(decision: Decision, page: SourcePage, site: Site) -> Decision:
    detail = f"no translation into {page.locale}"
    return decision.without_entry(OutReason.FALLBACK_PAGE, detail, site.option("fallback_pages"))


def _not_left_out(page: SourcePage, *, is_post: bool) -> Problem | None:
    """Return the note that a key such as ``noindex: true`` does not leave out a listed page."""
    key = key_of_other_tool(page.meta)
    if key is None or (key == "draft" and is_post):  # a blog can publish drafts
        return None
    place = Place(Origin.FRONT_MATTER, page.file, key, page.lines.get(key))
    written = f"is {format_value(page.meta[key])}"
    found = f"{written}, but this plugin does not read that key"
    done, fix = "The page is listed.", "To leave it out, write `sitemap: false`."
    if key == "draft":
        found = f"{written}, but MkDocs does not read that key"
        done = "The page is published and listed."
        fix = (
            "To keep it unpublished, use draft_docs in mkdocs.yml. To leave it out of the sitemap "
            "only, write `sitemap: false`."
        )
    return Problem(
        code=Code.NEAR_MISS, place=place, found=found, done=done, fix=fix, level=Level.INFO
    )


def _selected(
    decision: Decision, page: SourcePage, site: Site, *, trust_canonicals: bool
) -> Decision:
    """Return the decision on one page. `decision` has the overrides of the page."""
    built = Place(origin=Origin.BUILT_PAGE, file=page.dest_uri)
    exclude = decision.overrides.exclude
    place = built if exclude is None else decision.overrides.places["exclude"]
    if page.replaced_by is not None:
        return decision.without_entry(OutReason.SAME_URL, page.replaced_by, built)
    if page.dest_uri == "404.html":
        return decision.without_entry(OutReason.ERROR_PAGE, page.dest_uri, built)
    if exclude:
        return decision.without_entry(OutReason.EXCLUDED, str(place.key), place)
    loc = page.loc or ""
    reason = reason_in_html(page, trust_canonicals=trust_canonicals) or _reason_in_url(loc, site)
    return decision.without_entry(*reason, built) if reason else decision.listed(loc, place)


def _reason_in_url(loc: str, site: Site) -> tuple[OutReason, str] | None:
    """Return why a page is left out because of its URL, or None."""
    if fault := loc_fault(loc):
        return OutReason.UNUSABLE_URL, fault
    return None if within(loc, site.url or "") else (OutReason.OUTSIDE, loc)


def reason_in_html(page: SourcePage, *, trust_canonicals: bool) -> tuple[OutReason, str] | None:
    """Return why a page is left out because of its HTML, or None.

    The reasons follow Google, "Build and submit a sitemap".
    """
    built = page.built
    if built is None:
        return OutReason.NOT_BUILT, "no file in the built site"
    if built.unreadable is not None:
        return OutReason.NOT_BUILT, f"can't be read: {built.unreadable}"
    if built.noindex is not None:
        return OutReason.NOINDEX, f"robots: {built.noindex}"
    if built.leads_elsewhere(page.loc or ""):
        return OutReason.REDIRECT, f"refresh: {built.redirect}"
    if trust_canonicals and _has_foreign_canonical(page):
        return OutReason.NOT_CANONICAL, f"canonical: {built.canonical}"
    return None


def _has_foreign_canonical(page: SourcePage) -> bool:
    """Return whether the built page names another URL as its canonical one."""
    return page.built is not None and page.loc is not None and page.built.names_other(page.loc)


def _canonical_problem(pages: Sequence[SourcePage]) -> Problem | None:
    """Return a problem if more than half of the pages name another URL as canonical."""
    others = [page for page in pages if _has_foreign_canonical(page)]
    if 2 * len(others) <= len(pages):
        return None
    first = others[0]
    canonical = first.built.canonical if first.built else None
    of_pages = counted(len(pages), "page names", "pages name")
    example = f"{first.file}: {format_value(canonical)}, its URL is {format_value(first.loc)}"
    return Problem(
        code=Code.CANONICAL,
        found=f"{len(others)} of {of_pages} another URL as canonical ({example})",
        done="No page is left out for that reason.",
        fix="Check site_url, and the theme's rel=canonical.",
    )


def _unreadable_problem(pages: Iterable[SourcePage]) -> Problem | None:
    """Return a problem if the built files of some pages can't be read."""
    built = ((page.dest_uri, page.built.unreadable) for page in pages if page.built)
    faults = {name: why for name, why in built if why is not None}
    if not faults:
        return None
    first, why = next(iter(faults.items()))
    example = f"{shorten(first)}: {why}"
    found = f"{counted(len(faults), 'file')} of the built site can't be read ({example})"
    return Problem(code=Code.UNREADABLE, found=found, done="No such page is listed.")


def _noindex_note(decisions: Iterable[Decision]) -> Problem | None:
    """Return a note on pages that are left out for a robots tag in their body; None without any.

    The tag may stand in the text by accident, for example as an example that is not escaped.
    """
    pages = [
        each.page.file
        for each in decisions
        if each.page and each.page.built and each.page.built.noindex_in_body
        if each.left_out and each.left_out.reason is OutReason.NOINDEX
    ]
    if not pages:
        return None
    these = counted(len(pages), "page has", "pages have")
    return Problem(
        code=Code.NOINDEX_IN_BODY,
        found=f"{these} a robots meta tag with noindex in the text "
        f"({first_names([*dict.fromkeys(pages)], MAX_OF_A_KIND)})",
        done="Search engines obey it there, so the page is not listed."
        if len(pages) == 1
        else "Search engines obey it there, so these pages are not listed.",
        fix="If the tag is an example, write it as code.",
        level=Level.INFO,
    )


def _url_problems(decisions: Iterable[Decision], site: Site) -> Iterator[Problem]:
    """Yield a warning for each page whose URL can't be used, and one for all outside the site."""
    outside = []
    for decision in decisions:
        out = decision.left_out
        if out and out.reason is OutReason.UNUSABLE_URL:
            yield _url_problem(decision, out.detail)
        elif out and out.reason is OutReason.OUTSIDE:
            outside.append(decision)
    if not outside or site.serving:
        return
    where = f"not under the sitemap's own folder {site.url}"
    first = outside[0]
    if len(outside) == 1:
        yield _url_problem(first, f"is {where}")
    else:
        example = f"{first.name}: {shorten(first.loc or '', 100)}"
        found = f"{len(outside)} pages have URLs that are {where} ({example})"
        yield Problem(code=Code.LOC, found=found, done="They are left out.")


def _url_problem(decision: Decision, fault: str) -> Problem:
    return Problem(
        code=Code.LOC,
        place=Place(origin=Origin.PLUGIN, file=decision.name),
        found=f"its URL {shorten(decision.loc or '', 100)} {fault}",
        done="The page is left out.",
    )


def drop_duplicates(decisions: Sequence[Decision], context: Context) -> Decided:
    """Sort by URL, and leave at most one entry for each URL."""
    del context
    decisions = one_per_url(decisions)
    return decisions, _same_url_problems(decisions)


def one_per_url(decisions: Iterable[Decision]) -> list[Decision]:
    """Return decisions sorted by URL. Of those with the same URL, the newest keeps its entry."""
    ordered = sorted(decisions, key=lambda each: (each.loc or "", each.name))
    decided = []
    for _, group in groupby(ordered, key=lambda each: each.loc):
        same = list(group)
        newest = max((each for each in same if each.entry), key=_last_change, default=None)
        for each in same:
            if newest and each.entry and each is not newest:
                file = each.page.dest_uri if each.page is not None else None
                place = Place(origin=Origin.BUILT_PAGE, file=file)
                decided.append(each.without_entry(OutReason.SAME_URL, newest.name, place))
            else:
                decided.append(each)
    return decided


def _last_change(decision: Decision) -> datetime:
    when = decision.entry.lastmod if decision.entry else None
    return datetime.min.replace(tzinfo=UTC) if when is None else to_datetime(when)


def _same_url_problems(decisions: Sequence[Decision]) -> Iterator[Problem]:
    """Yield a note for each page that is not listed because another page has its URL."""
    listed = {each.name for each in decisions if each.entry}
    for decision in decisions:
        out = decision.left_out
        if out and out.reason is OutReason.SAME_URL and decision.page is not None:
            is_overwritten = decision.page.replaced_by is not None
            what = "It is not published" if is_overwritten else "It is not listed"
            why = "the other page is written over it"
            if out.detail in listed:
                why = "the other page is listed, with its own date and front matter"
            yield Problem(
                code=Code.SAME_URL,
                place=Place(origin=Origin.PLUGIN, file=decision.name),
                found=f"this page has the same URL as {out.detail}",
                done=f"{what}: {why}.",
                fix="Rename one of them." if is_overwritten else None,
                level=Level.INFO,
            )
