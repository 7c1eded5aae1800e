"""Which pages are listed, and which are left out."""

from collections.abc import Iterable, Iterator

from mkdocs_sitemap_plus.options.overrides import Overrides
from mkdocs_sitemap_plus.pages.page import Site, SourcePage
from mkdocs_sitemap_plus.pipeline.decision import Decision, LeftOut, Reason
from mkdocs_sitemap_plus.problems import Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.fields import loc_fault
from mkdocs_sitemap_plus.sitemap.urls import same_page, within
from mkdocs_sitemap_plus.wording import counted, first_names, format_value


def left_out(
    page: SourcePage, overrides: Overrides, site: Site, *, canonicals: bool
) -> LeftOut | None:
    """Why `page` is not listed; None if it is.

    Args:
        page: the page.
        overrides: what its owner set for it.
        site: its site.
        canonicals: whether ``rel=canonical`` of the built pages can be believed.
    """
    if page.replaced_by is not None:
        return _left_out(Reason.SAME_URL, page.replaced_by, page)
    if page.dest_uri == "404.html":
        return _left_out(Reason.ERROR_PAGE, page.dest_uri, page)
    if overrides.exclude:
        place = overrides.places["exclude"]
        return LeftOut(reason=Reason.EXCLUDED, detail=str(place.key), place=place)
    return _unfit_to_index(page, canonicals=canonicals) or _unfit_url(page, site)


def _left_out(reason: Reason, detail: str, page: SourcePage) -> LeftOut:
    place = Place(origin=Origin.BUILT_PAGE, file=page.dest_uri)
    return LeftOut(reason=reason, detail=detail, place=place)


def _unfit_to_index(page: SourcePage, *, canonicals: bool) -> LeftOut | None:
    """What the built HTML says against it (Google: "Build and submit a sitemap")."""
    built = page.built
    if built is None:
        return _left_out(Reason.NOT_BUILT, "no file in the built site", page)
    if built.unreadable is not None:
        return _left_out(Reason.NOT_BUILT, f"can't be read: {built.unreadable}", page)
    if built.noindex is not None:
        return _left_out(Reason.NOINDEX, f"robots: {built.noindex}", page)
    if built.leads_elsewhere(page.loc or ""):
        return _left_out(Reason.REDIRECT, f"refresh: {built.redirect}", page)
    if canonicals and names_another(page):
        return _left_out(Reason.NOT_CANONICAL, f"canonical: {built.canonical}", page)
    return None


def names_another(page: SourcePage) -> bool:
    """Whether the built page names another URL as its canonical one."""
    built = page.built
    if built is None or built.canonical is None or page.loc is None:
        return False
    return not same_page(built.canonical, page.loc, built.base)


def _unfit_url(page: SourcePage, site: Site) -> LeftOut | None:
    loc = page.loc or ""
    fault = loc_fault(loc)
    if fault:
        return _left_out(Reason.UNUSABLE_URL, fault, page)
    if not within(loc, site.url or ""):
        return _left_out(Reason.OUTSIDE, loc, page)
    return None


def believable_canonicals(pages: Iterable[SourcePage]) -> Problem | None:
    """The problem of a site most of whose pages name another URL; None if canonicals are right."""
    pages = list(pages)
    others = [page for page in pages if names_another(page)]
    if 2 * len(others) <= len(pages):
        return None
    first = others[0]
    named = first.built.canonical if first.built else None
    return Problem(
        code="canonical",
        found=f"{len(others)} of {len(pages)} pages name another URL as canonical "
        f"({first.file}: {format_value(named)}, its URL is {format_value(first.loc)})",
        done="No page is left out for that reason.",
        fix="Check site_url, and the theme's rel=canonical.",
    )


def same_url_problems(decisions: Iterable[Decision]) -> Iterator[Problem]:
    """A note for each page that is not listed since another page has its URL; it names both."""
    for decision in decisions:
        out = decision.left_out
        if out and out.reason is Reason.SAME_URL and decision.page is not None:
            lost = decision.page.replaced_by is not None
            yield Problem(
                code="same-url",
                place=Place(origin=Origin.PLUGIN, file=decision.name),
                found=f"this page has the same URL as {out.detail}",
                done=f"{'It is not published' if lost else 'It is not listed'}: "
                "the other page counts, with its date and front matter.",
                fix="Rename one of them." if lost else None,
                note=True,
            )


def unreadable_pages(pages: Iterable[SourcePage]) -> Problem | None:
    """Return the problem of pages whose built file can't be read; None if all can."""
    found = {page.dest_uri: page.built.unreadable for page in pages if page.built}
    faults = {name: why for name, why in found.items() if why is not None}
    if not faults:
        return None
    why = next(iter(faults.values()))
    return Problem(
        code="unreadable",
        found=f"{counted(len(faults), 'file')} of the built site can't be read "
        f"({first_names(list(faults))}: {why})",
        done="No such page is listed.",
    )


def url_problems(decisions: Iterable[Decision], site: Site) -> Iterator[Problem]:
    """One warning for each page whose URL can't be used, and one for all outside of the site."""
    outside = []
    for decision in decisions:
        out = decision.left_out
        if out and out.reason is Reason.UNUSABLE_URL:
            yield _url_problem(decision, out.detail)
        elif out and out.reason is Reason.OUTSIDE:
            outside.append(decision)
    if not outside or site.serving:
        return
    where = f"not under the sitemap's own folder {site.url}"
    first = outside[0]
    if len(outside) == 1:
        yield _url_problem(first, f"is {where}")
    else:
        yield Problem(
            code="loc",
            found=f"{len(outside)} pages have URLs that are {where} ({first.name}: "
            f"{_short(first.loc)})",
            done="They are left out.",
        )


def _url_problem(decision: Decision, fault: str) -> Problem:
    return Problem(
        code="loc",
        place=Place(origin=Origin.PLUGIN, file=decision.name),
        found=f"its URL {_short(decision.loc)} {fault}",
        done="The page is left out.",
    )


def _short(loc: str | None) -> str:
    text = loc or ""
    return text if len(text) <= 100 else text[:97] + "..."


def costs(site: Site, decisions: Iterable[Decision]) -> list[Problem]:
    """What pages that are left out cost where the theme's script reads the sitemap."""
    if not site.reads_sitemap:
        return []
    missing = [
        decision.page
        for decision in decisions
        if decision.page is not None
        and decision.left_out
        and decision.left_out.reason not in (Reason.ERROR_PAGE, Reason.SAME_URL)
    ]
    return [*_home_cost(missing), *(_page_cost(missing) if site.instant else [])]


def _home_cost(missing: list[SourcePage]) -> list[Problem]:
    return [
        Problem(
            code="home-left-out",
            place=Place(origin=Origin.PLUGIN, file=page.file),
            found="the home page is left out",
            done="The theme's version and language selectors then lead to the top of the other "
            "version or language instead of the same page.",
            note=True,
        )
        for page in missing
        if page.dest_uri == "index.html"
    ]


def _page_cost(missing: list[SourcePage]) -> list[Problem]:
    if not missing:
        return []
    names = first_names([page.file for page in missing])
    return [
        Problem(
            code="instant-navigation",
            found="navigation.instant reads the sitemap, which leaves out "
            f"{counted(len(missing), 'page')} ({names})",
            done=f"Links to {'it' if len(missing) == 1 else 'them'} load the whole page, without "
            "instant previews.",
            note=True,
        )
    ]
