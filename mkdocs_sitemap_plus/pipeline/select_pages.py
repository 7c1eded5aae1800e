"""Select the pages that are listed.

First, front matter, rules and site-wide options are merged into one Overrides for each page. Then
each page is checked. Of the pages with the same URL, one is kept. So it is with ``extra_files``.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
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
from mkdocs_sitemap_plus.pages import ExtraFile, Site, SiteFile, SourcePage, Url
from mkdocs_sitemap_plus.pages.front_matter import Broken
from mkdocs_sitemap_plus.pipeline import (
    Candidate,
    Context,
    Decided,
    Decision,
    LeftOut,
    Listed,
    OutReason,
    files_in,
    listed_in,
)
from mkdocs_sitemap_plus.pipeline.extra_files import extra_files
from mkdocs_sitemap_plus.pipeline.unmatched import unmatched_in_rules
from mkdocs_sitemap_plus.problems import MAX_OF_A_KIND, Code, Level, Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap import to_datetime
from mkdocs_sitemap_plus.sitemap.urls import loc_fault, within
from mkdocs_sitemap_plus.web.html import is_error_page
from mkdocs_sitemap_plus.wording import counted, first_names, format_value, shorten


def overrides_of(file: SiteFile, settings: Settings) -> tuple[Overrides, list[Problem]]:
    """Return the overrides of a page or a file, and what is wrong with its front matter.

    For each field, the first of these that sets it wins, even if its value is invalid: the front
    matter, the last matching rule, the site-wide option.
    """
    of_page, problems = Overrides(), list[Problem]()
    if isinstance(file, SourcePage):
        of_page, problems = _front_matter_of(file, settings)
    # The site-wide options are the first rules of the settings.
    matching = [rule.overrides for rule in settings.rules if rule.matches(file.src_uri)]
    if not matching:
        return of_page, problems
    values: dict[str, Any] = {}
    places: dict[str, Place] = {}
    for overrides in (*matching, of_page):
        values |= {field: getattr(overrides, field) for field in overrides.places}
        places |= overrides.places
    return Overrides(places=places, **values), problems


def _front_matter_of(page: SourcePage, settings: Settings) -> tuple[Overrides, list[Problem]]:
    if page.broken is not None:
        return Overrides(), _unreadable(page, page.broken, settings)
    zone, keys = settings.lastmod.timezone, settings.lastmod.front_matter_keys
    overrides, problems = read_front_matter(page.meta, page.file, page.lines, zone, keys)
    problems.sort(key=lambda problem: problem.place.line or 0 if problem.place else 0)
    return overrides, problems


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
    return [Problem(Code.FRONT_MATTER, found, place, done=done, fix=broken.fix)]


def select_pages(decisions: Sequence[Decision], context: Context) -> Decided:
    """Add each page and each file of ``extra_files``: an entry, or the reason why it has none."""
    site = context.site
    extra, extra_problems = extra_files(context)
    files: Sequence[SiteFile] = (*site.pages, *extra)
    merged = [(file, *overrides_of(file, context.settings)) for file in files]
    canonical_problem = _canonical_problem(site.pages)
    selected = [
        _selected(file, overrides, context, trust_canonicals=canonical_problem is None)
        for file, overrides, _ in merged
    ]
    posts = {post for page in site.pages for post in page.posts}
    listed = [each.about for each in listed_in(selected)]
    problems = [
        *extra_problems,
        *(problem for _, _, found in merged for problem in found),
        *(_not_left_out(page, posts) for page in listed if isinstance(page, SourcePage)),
        *unmatched_in_rules(selected, context),
        canonical_problem,
        _unreadable_problem(files),
        _noindex_note(selected),
        *_url_problems(selected, site),
    ]
    return (*decisions, *selected), filter(None, problems)


def _not_left_out(page: SourcePage, posts: Container[str]) -> Problem | None:
    """Return the note that a key such as ``noindex: true`` does not leave out a listed page."""
    key = key_of_other_tool(page.meta)
    if key is None or (key == "draft" and page.src_uri in posts):  # a blog can publish drafts
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
    file: SiteFile, overrides: Overrides, context: Context, *, trust_canonicals: bool
) -> Decision:
    """Return the decision on one page or file."""
    candidate, site = Candidate(about=file, overrides=overrides), context.site
    if isinstance(file, SourcePage) and file.is_fallback and not context.settings.fallback_pages:
        detail = f"no translation into {file.locale}"
        option = site.option("fallback_pages")
        return candidate.left_out(OutReason.FALLBACK_PAGE, detail, option)
    built = Place(origin=Origin.BUILT_PAGE, file=file.dest_uri)
    place = built if overrides.exclude is None else overrides.places["exclude"]
    if isinstance(file, SourcePage) and file.replaced_by is not None:
        return candidate.left_out(OutReason.SAME_URL, file.replaced_by, built)
    if is_error_page(file.dest_uri):
        return candidate.left_out(OutReason.ERROR_PAGE, file.dest_uri, built)
    if overrides.exclude:
        return candidate.left_out(OutReason.EXCLUDED, str(place.key), place)
    in_html = reason_in_html(file, trust_canonicals=trust_canonicals)
    reason = in_html or _reason_in_url(file.loc, site)
    return candidate.left_out(*reason, built) if reason else candidate.listed(file.loc, place)


def _reason_in_url(loc: str, site: Site) -> tuple[OutReason, str] | None:
    """Return why a page is left out because of its URL, or None."""
    if fault := loc_fault(loc):
        return OutReason.UNUSABLE_URL, fault
    return None if within(loc, site.url) else (OutReason.OUTSIDE, loc)


def reason_in_html(file: SiteFile, *, trust_canonicals: bool) -> tuple[OutReason, str] | None:
    """Return why a page or a file is left out because of its HTML, or None.

    The reasons follow Google, "Build and submit a sitemap".
    """
    built = file.built
    if built is None:
        return OutReason.NOT_BUILT, "no file in the built site"
    if built.unreadable is not None:
        return OutReason.NOT_BUILT, f"can't be read: {built.unreadable}"
    if built.noindex is not None:
        return OutReason.NOINDEX, f"robots: {built.noindex}"
    if built.leads_elsewhere(file.loc):
        return OutReason.REDIRECT, f"refresh: {built.redirect}"
    if trust_canonicals and _names_other(file):
        return OutReason.NOT_CANONICAL, f"canonical: {built.canonical}"
    return None


def _names_other(file: SiteFile) -> bool:
    """Return whether the HTML names another URL as the canonical one."""
    return bool(file.loc and file.built and file.built.names_other(file.loc))


def _canonical_problem(pages: Sequence[SourcePage]) -> Problem | None:
    """Return a problem if more than half of the pages name another URL as canonical."""
    others = [(page, page.built.canonical) for page in pages if page.built and _names_other(page)]
    if 2 * len(others) <= len(pages):
        return None
    first, canonical = others[0]
    of_pages = counted(len(pages), "page names", "pages name")
    example = f"{first.file}: {format_value(canonical)}, its URL is {format_value(first.loc)}"
    return Problem(
        code=Code.CANONICAL,
        found=f"{len(others)} of {of_pages} another URL as canonical ({example})",
        done="These canonical URLs are ignored.",
        fix="Check site_url, and the theme's rel=canonical.",
    )


def _unreadable_problem(files: Iterable[SiteFile]) -> Problem | None:
    """Return a problem if the built files of some pages can't be read."""
    built = ((file.dest_uri, file.built.unreadable) for file in files if file.built)
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
    left_out = [
        each for each in decisions if isinstance(each, LeftOut) and each.reason is OutReason.NOINDEX
    ]
    pages = [file.file for file in files_in(left_out) if file.built and file.built.noindex_in_body]
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
        match decision:
            case LeftOut(reason=OutReason.UNUSABLE_URL):
                yield _url_problem(decision, decision.detail)
            case LeftOut(reason=OutReason.OUTSIDE):
                outside.append(decision)
    if not outside or site.serving:
        return
    where = f"not under the sitemap's own folder {site.url}"
    first = outside[0]
    if len(outside) == 1:
        yield _url_problem(first, f"is {where}")
    else:
        example = f"{first.name}: {shorten(first.loc, 100)}"
        found = f"{len(outside)} pages have URLs that are {where} ({example})"
        yield Problem(code=Code.LOC, found=found, done="They are left out.")


def _url_problem(decision: LeftOut, fault: str) -> Problem:
    return Problem(
        code=Code.LOC,
        place=Place(origin=Origin.PLUGIN, file=decision.name),
        found=f"its URL {shorten(decision.loc, 100)} {fault}",
        done="The page is left out.",
    )


def drop_duplicates(decisions: Sequence[Decision], _context: Context) -> Decided:
    """Sort by URL, and leave at most one entry for each URL."""
    decisions = one_per_url(decisions)
    return decisions, _same_url_problems(decisions)


def one_per_url(decisions: Iterable[Decision]) -> list[Decision]:
    """Return decisions sorted by URL. Of those with the same URL, the newest keeps its entry."""
    decided: list[Decision] = []
    ordered = sorted(decisions, key=lambda decision: (decision.loc, decision.name))
    for _, group in groupby(ordered, key=lambda decision: decision.loc):
        same = list(group)
        newest = max(listed_in(same), key=_last_change, default=None)
        for decision in same:
            if newest is None or isinstance(decision, LeftOut) or decision is newest:
                decided.append(decision)
            else:
                about = decision.about
                file = None if isinstance(about, Url) else about.dest_uri
                place = Place(origin=Origin.BUILT_PAGE, file=file)
                decided.append(decision.left_out(OutReason.SAME_URL, newest.name, place))
    return decided


def _last_change(decision: Listed) -> datetime:
    when = decision.entry.lastmod
    return datetime.min.replace(tzinfo=UTC) if when is None else to_datetime(when)


def _same_url_problems(decisions: Sequence[Decision]) -> Iterator[Problem]:
    """Yield a note for each page that is not listed because another page has its URL."""
    listed = {decision.name for decision in listed_in(decisions)}
    for decision in decisions:
        match decision:
            case LeftOut(about=SourcePage() | ExtraFile() as about, reason=OutReason.SAME_URL):
                is_overwritten = isinstance(about, SourcePage) and about.replaced_by is not None
                what = "It is not published" if is_overwritten else "It is not listed"
                why = "the other page is written over it"
                if decision.detail in listed:
                    why = "the other page is listed, with its own date and front matter"
                yield Problem(
                    code=Code.SAME_URL,
                    place=Place(origin=Origin.PLUGIN, file=decision.name),
                    found=f"this page has the same URL as {decision.detail}",
                    done=f"{what}: {why}.",
                    fix="Rename one of them." if is_overwritten else None,
                    level=Level.INFO,
                )
