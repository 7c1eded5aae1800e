"""List the pages of several built sites: in an index of their sitemaps, or in one sitemap."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

from mkdocs_sitemap_plus.pages.built_html import read_built_page
from mkdocs_sitemap_plus.problems import Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.entry import SitemapEntry, UrlEntry, newest
from mkdocs_sitemap_plus.sitemap.urls import same_page, within
from mkdocs_sitemap_plus.tools.site_group import Member, SiteGroup


def listed_sitemaps(
    group: SiteGroup, *, only_canonical: bool = False
) -> tuple[list[SitemapEntry], list[Problem]]:
    """Return the entries of an index in the common folder, and problems of what it leaves out.

    An index lists sitemaps in or below its own folder, on its host (sitemaps.org, "location").
    ``lastmod`` is the newest date of a sitemap's entries. It is absent if an entry has no date.

    Args:
        group: the sites.
        only_canonical: whether to leave out the sites that have no canonical page.
    """
    listed: list[SitemapEntry] = []
    problems: list[Problem] = []
    names: dict[str, str] = {}
    for site in group.sites:
        total = len(site.entries)
        others = total - len(_canonical(site.entries, group)) if only_canonical else 0
        if not within(site.url, group.url):
            problems.append(_outside(site, f"its URL {site.url} is", "It is", group))
        elif total and others == total:
            problems.append(_not_canonical(site, others, total, done="They are not listed."))
        elif site.url in names:
            found = f"its URL {site.url} is that of {names[site.url]} as well"
            fix = "If that is wrong, give its URL as DIR=URL."
            done = "The site is not listed."
            problems.append(_problem(site, "same-url", found, done=done, fix=fix))
        else:
            names[site.url] = site.name
            for path, entries in site.sitemaps.items():
                loc = site.url + quote(path.relative_to(site.folder).as_posix())
                lastmod = newest(entry.lastmod for entry in entries.values())
                listed.append(SitemapEntry(loc=loc, lastmod=lastmod))
            problems.extend(_notes(site, others))
    return listed, problems


def _notes(site: Member, others: int) -> Iterator[Problem]:
    """Yield a note about URLs that the index should leave out, but can't: it lists whole files.

    Args:
        site: a site that is listed.
        others: how many of its pages are not canonical.
    """
    entries = site.entries
    outside = sum(not within(entry.loc, site.url) for entry in entries)
    if outside:
        found = f"{outside} of {len(entries)} URLs are not under {site.url}"
        done, fix = "Search engines ignore them.", "With --merge they are listed at the root."
        yield _problem(site, "outside", found, done=done, fix=fix, note=True)
    elif others:
        done, fix = "They are listed with the others.", "With --merge they are not listed."
        yield _not_canonical(site, others, len(entries), done=done, fix=fix)


def merged(
    group: SiteGroup, *, only_canonical: bool = False
) -> tuple[list[UrlEntry], list[Problem]]:
    """Return all entries below the common folder, and problems of what is left out.

    The entries are sorted by ``loc``, and each ``loc`` appears once. If several sites list a URL,
    the entry of the site whose folder, or alias, contains the page counts; else the first entry.

    Args:
        group: the sites.
        only_canonical: whether to leave out pages that do not exist, redirect, or name another
            canonical URL.
    """
    found: dict[str, tuple[bool, UrlEntry]] = {}
    problems: list[Problem] = []
    for site in group.sites:
        total = len(site.entries)
        inside = [each for each in site.entries if within(each.loc, group.url)]
        kept = _canonical(inside, group) if only_canonical else inside
        if len(inside) < total:
            what = f"{total - len(inside)} of {total} URLs are"
            problems.append(_outside(site, what, "They are", group))
        if len(kept) < len(inside):
            count = len(inside) - len(kept)
            done = "They are not listed."
            problems.append(_not_canonical(site, count, len(inside), done=done))
        folders = (site.url, *(f"{group.url}{quote(alias)}/" for alias in site.aliases))
        for entry in kept:
            is_own = any(within(entry.loc, folder) for folder in folders)
            if entry.loc not in found or (is_own and not found[entry.loc][0]):
                found[entry.loc] = is_own, entry
    return [entry for _, (_, entry) in sorted(found.items())], problems


def _canonical(entries: Iterable[UrlEntry], group: SiteGroup) -> list[UrlEntry]:
    """Return the entries of pages that exist, and name no other URL as canonical."""
    return [each for each in entries if _is_canonical(each.loc, group.file_of(each.loc))]


def _is_canonical(loc: str, file: Path | None) -> bool:
    built = read_built_page(file) if file else None
    if built is None or built.leads_elsewhere(loc):
        return False
    return built.canonical is None or same_page(built.canonical, loc, built.base)


def _outside(site: Member, what: str, subject: str, group: SiteGroup) -> Problem:
    found = f"{what} not under {group.url}, and a sitemap there may list nothing else"
    return _problem(site, "outside", found, done=f"{subject} not listed.")


def _not_canonical(
    site: Member, count: int, total: int, *, done: str, fix: str | None = None
) -> Problem:
    found = f"{count} of {total} pages do not exist, redirect, or name another URL as canonical"
    return _problem(site, "canonical", found, done=done, fix=fix, note=True)


def _problem(  # noqa: PLR0913 - the parts of one message
    site: Member, code: str, found: str, *, done: str, fix: str | None = None, note: bool = False
) -> Problem:
    place = Place(origin=Origin.SITEMAP, file=site.name)
    return Problem(code=code, place=place, found=found, done=done, fix=fix, note=note)
