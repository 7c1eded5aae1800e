"""List the pages of several built sites, in an index or in one sitemap, in their common folder."""

from collections.abc import Iterator, Mapping

from mkdocs_sitemap_plus.index_of_sites.site_group import Member, SiteGroup, url_below
from mkdocs_sitemap_plus.problems import Code, Level, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap import SitemapEntry, UrlEntry
from mkdocs_sitemap_plus.sitemap.urls import quote_path, within


def listed_sitemaps(
    group: SiteGroup, *, only_canonical: bool = False
) -> tuple[list[SitemapEntry], list[Problem]]:
    """Return the entries of an index in the common folder, and problems of what it leaves out.

    An index lists sitemaps in or below its own folder, on its host (sitemaps.org, "location"). The
    ``lastmod`` of a sitemap is the newest date of its entries, or absent if an entry has no date.
    With `only_canonical`, sites without a canonical page are left out. Raises SitemapError if a
    required site can't be listed.
    """
    listed: list[SitemapEntry] = []
    problems: list[Problem] = []
    names: dict[str, str] = {}  # of the listed sites, by URL
    for site in group.sites:
        outside = site.count_outside()
        if problem := _unlisted(site, group, names, outside):
            homes = (other.url for other in group.sites if other is not site)
            is_other_version = site.home != site.url and site.home in homes  # by canonical_version
            problems.append(problem if is_other_version else _refuse_to_lose(site, problem))
            continue
        others = 0
        if only_canonical:
            others = sum(not group.is_canonical(entry) for entry in site.entries())
        if others == site.total:
            problems.append(_not_canonical(site, others, site.total))
            continue
        names[site.url] = site.name
        for path, summary in site.sitemaps.items():
            name = path.relative_to(site.folder).as_posix()
            if summary.size:
                loc = site.url + quote_path(name)
                listed.append(SitemapEntry(loc=loc, lastmod=summary.lastmod))
            else:
                found = f"{name} has no URLs"
                problems.append(site.problem(Code.EMPTY, found, "That file is not listed."))
        problems += _notes(site, group, outside, others)
    return listed, problems


def _unlisted(
    site: Member, group: SiteGroup, names: Mapping[str, str], outside: int
) -> Problem | None:
    """Return why an index can't list a site; None if it can.

    `names` are those of the listed sites, and `outside` is how many URLs are not below its own.
    """
    if not within(site.url, group.url):
        return _outside(site, group, f"its URL {site.url} is", "It is not listed.")
    if site.url in names:
        found = f"its URL {site.url} is that of {names[site.url]} as well"
        done, fix = (
            "The site is not listed.",
            "Set the site_url of each, or give the URL as DIR=URL.",
        )
        return site.problem(Code.SAME_URL, found, done, fix)
    if outside == site.total:
        return _ignored(site, group, outside)._replace(done="It is not listed.")
    return None


def _refuse_to_lose(site: Member, problem: Problem) -> Problem:
    """Return the problem of a site that is not listed. Raises SitemapError if it is required."""
    if site.required:
        raise SitemapError(problem._replace(done="No file is written."))
    return problem


def _ignored(site: Member, group: SiteGroup, outside: int) -> Problem:
    found = f"{outside} of {site.total} URLs are not under {site.url}"
    done, fix = "Search engines ignore them.", f"With --merge, those under {group.url} are listed."
    return site.problem(Code.OUTSIDE, found, done, fix)._replace(level=Level.INFO)


def _notes(site: Member, group: SiteGroup, outside: int, others: int) -> Iterator[Problem]:
    """Yield why search engines ignore URLs of a listed site. `others` are not canonical."""
    if outside:
        yield _ignored(site, group, outside)
    if others:
        done, fix = "They are listed with the others.", "With --merge they are not listed."
        yield _not_canonical(site, others, site.total)._replace(done=done, fix=fix)


def merged(
    group: SiteGroup, *, only_canonical: bool = False
) -> tuple[list[UrlEntry], list[Problem]]:
    """Return all entries below the common folder, sorted by ``loc``, and why others are left out.

    Several sites may list the same ``loc``. Then the entry of the site that has the page is
    returned; the first entry if no site has the page. With `only_canonical`, entries for which
    `SiteGroup.is_canonical` is false are left out. Raises SitemapError if no entry of a required
    site is below the common folder.
    """
    # By ``loc``: whether the entry is of the site that has the page, and the entry.
    found: dict[str, tuple[bool, UrlEntry]] = {}
    problems: list[Problem] = []
    for site in group.sites:
        inside = [entry for entry in site.entries() if within(entry.loc, group.url)]
        kept = list(filter(group.is_canonical, inside)) if only_canonical else inside
        if outside := site.total - len(inside):
            what = f"{outside} of {site.total} URLs are"
            problem = _outside(site, group, what, "They are not listed.")
            problems.append(problem if inside else _refuse_to_lose(site, problem))
        if others := len(inside) - len(kept):
            problems.append(_not_canonical(site, others, len(inside)))
        folders = (site.url, *(url_below(group.url, alias) for alias in site.names[1:]))
        for entry in kept:
            is_own = any(within(entry.loc, folder) for folder in folders)
            if entry.loc not in found or (is_own and not found[entry.loc][0]):
                found[entry.loc] = is_own, entry
    return [entry for _, (_, entry) in sorted(found.items())], problems


def _outside(site: Member, group: SiteGroup, what: str, done: str) -> Problem:
    found = f"{what} not under {group.url}, and a sitemap there may list only URLs under it"
    return site.problem(Code.OUTSIDE, found, done)


def _not_canonical(site: Member, count: int, total: int) -> Problem:
    there = "there is no page, or a redirect, or a page with another canonical URL"
    found = f"at {count} of {total} URLs {there}"
    return site.problem(Code.CANONICAL, found, "Such URLs are not listed.")._replace(
        level=Level.INFO
    )
