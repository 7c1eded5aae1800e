"""One sitemap, or one index, for several built sites in a common folder."""

import os
from collections.abc import Container, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.command.reader.find import folder_of, sitemaps_in
from mkdocs_sitemap_plus.command.reader.read import each_sitemap
from mkdocs_sitemap_plus.command.reader.versions import (
    LIST,
    Versions,
    current_versions,
    read_versions,
    version_in_version,
)
from mkdocs_sitemap_plus.files import Unreadable, absolute_path, is_file, is_folder, real_path
from mkdocs_sitemap_plus.html.site_folder import SiteFolder, home_url, served_file
from mkdocs_sitemap_plus.problems import Code, Level, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.entries import SitemapEntry, UrlEntry
from mkdocs_sitemap_plus.sitemap.protocol import newest
from mkdocs_sitemap_plus.sitemap.urls import common_start, folder_fault, quote_path, within
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place
from mkdocs_sitemap_plus.wording import counted, first_names, listing


class _Summary(NamedTuple):
    size: int  # the number of its entries
    lastmod: date | None  # the newest date; None if an entry has none
    kept: Mapping[str, UrlEntry] | None  # its entries by ``loc``; None if only the file has them


class SiteOfGroup(NamedTuple):
    """One of the built sites."""

    folder: Path  # absolute
    names: tuple[str, ...]  # its path in the common folder, and its aliases; empty outside
    url: str  # of its folder, with a slash at its end. `read_sites` sets it if no person gave it
    home: str  # the URL of its home page, by its own files; or empty
    start: str  # the text with which all its URLs begin
    sitemaps: Mapping[Path, _Summary]  # without indexes
    required: bool  # whether nothing may be written without it

    @property
    def name(self) -> str:
        """Its path in the common folder, or otherwise the name of its folder."""
        return "".join(self.names[:1]) or self.folder.name

    @property
    def total(self) -> int:
        """The number of its entries."""
        return sum(part.size for part in self.sitemaps.values())

    def entries(self) -> Iterator[UrlEntry]:
        """Yield the entries of all its sitemaps, one after the other."""
        for path, part in self.sitemaps.items():
            read = each_sitemap(path.as_posix()) if part.kept is None else [("", part.kept)]
            for _, entries in read:
                yield from entries.values()

    def count_outside(self) -> int:
        """Return how many of its entries have a URL that is not below `url`."""
        if self.start.startswith(self.url):
            return 0
        return sum(not within(entry.loc, self.url) for entry in self.entries())

    def problem(self, code: Code, found: str, done: str, fix: str | None = None) -> Problem:
        """Return a problem of this site."""
        return Problem(code, found, sitemap_place(self.name), done=done, fix=fix)


class SiteGroup(NamedTuple):
    """Built sites in one folder."""

    folder: Path  # the common folder, absolute
    url: str  # of the folder, with a slash at its end
    sites: Sequence[SiteOfGroup]  # in the order of the arguments, and versions in that of mike
    problems: tuple[Problem, ...]  # one for each old version that has no usable sitemap


def read_sites(
    where: Sequence[str], folder: Path | None = None, url: str | None = None, *, keep: bool = False
) -> SiteGroup:
    """Read built sites. Each is ``FOLDER`` or ``FOLDER=URL``.

    A folder with mike's ``versions.json`` stands for all its versions. `folder` is the common
    folder; by default, it is the deepest folder that contains all sites. `url` is the URL of this
    folder; by default, it is derived from those of the sites. `keep` keeps entries in memory.

    Raises SitemapError if a site can't be read or has no URLs, unless it is an old version of mike,
    and if the URL of the common folder is not known.
    """
    given = [_parse(folder) for folder in where]
    root = folder or _common_folder([path for path, _ in given])
    aliases, base = _versions(root), _folder_url(url) if url else ""
    members, faults = [], []
    for path, given_url, required in _distinct(given, root, aliases):
        names = _names(path, root, aliases)
        site = _read(path, given_url, names, keep=keep, required=required)
        known = given_url or (_url_below(base, names[0]) if base and names else "")
        if fault := _fault(site, known):
            faults.append((fault, required))
        else:
            members.append(site)
    if errors := [fault._replace(done="No file is written.") for fault, needed in faults if needed]:
        raise SitemapError(*errors)
    if not members:
        raise _error(_relative(root / LIST), "lists no version")
    base = base or _base(members, root)
    named = {_url_below(base, name) for member in members for name in member.names if name}
    sites = tuple(member._replace(url=_url_of(member, base, named)) for member in members)
    problems = tuple(fault for fault, _ in faults)
    return SiteGroup(root, base, sites, problems=problems)


def _names(path: Path, root: Path, aliases: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the path of a site in the common folder, and its aliases. Outside, return nothing."""
    if not path.is_relative_to(root):
        return ()
    name = "" if path == root else path.relative_to(root).as_posix()
    return (name, *aliases.get(name, ()))


def _read(
    folder: Path, url: str, names: tuple[str, ...], *, keep: bool, required: bool
) -> SiteOfGroup:
    """Return the site in a folder. It has no sitemaps if there are none."""
    sitemaps: dict[Path, _Summary] = {}
    ends: list[str] = []  # of each sitemap, the smallest and the largest URL
    if sitemaps_in(folder):
        for name, entries in each_sitemap(folder.as_posix()):
            lastmod = newest(entry.lastmod for entry in entries.values())
            sitemaps[Path(name)] = _Summary(len(entries), lastmod, entries if keep else None)
            if entries:
                ends += min(entries), max(entries)
    start = common_start(ends)
    site = SiteOfGroup(
        folder, names, url=url, home="", start=start, sitemaps=sitemaps, required=required
    )
    return site._replace(home=_home(site, ends))


def _fault(site: SiteOfGroup, known: str) -> Problem | None:
    """Return why a site can't be listed; None if it can. `known` is the URL that a person gave."""
    name, done = _relative(site.folder), "It is not listed."
    place = sitemap_place(name)
    if not site.sitemaps:
        return Problem(Code.NO_SITEMAP, "has no sitemap in it", place, done=done)
    if not site.total:
        fix = "Set site_url, and build the site again."
        return Problem(Code.EMPTY, "its sitemap has no URLs", place, done=done, fix=fix)
    own = site.home or folder_of(site.start)
    wrong = version_in_version(site.folder, own)
    if wrong and _above(own) != _above(known):  # a site at a URL such as /latest/ is possible
        return Problem(Code.SITE_URL, wrong[0], place, done=done, fix=wrong[1])
    return None


def _above(url: str) -> str:
    return folder_of(url.removesuffix("/")) if url else ""


def _home(site: SiteOfGroup, ends: Sequence[str]) -> str:
    """Return the canonical URL of ``index.html``, or that of the first of several entries, sorted.

    A URL counts only if it is that of a folder, and all URLs of the site begin with it. The result
    is empty if no URL counts. ``index.html`` at the end of the canonical URL is left out.
    """
    canonical = home_url(SiteFolder(site.folder, "")) or ""
    for url in (canonical, min(ends) if site.total > 1 else ""):
        is_url_of_folder = url.endswith("/") and not folder_fault(url)
        if is_url_of_folder and all(end.startswith(url) for end in ends):
            return url
    return ""


def _parse(text: str) -> tuple[Path, str]:
    """Return the folder and the URL of ``FOLDER=URL``. Without ``=URL``, the URL is empty."""
    before, _, rest = text.partition("://")
    name, equals, scheme = before.rpartition("=")
    has_url = equals and rest and scheme.lower() in ("http", "https")
    path = absolute_path(name if has_url else text)
    if not is_folder(path):
        raise _error(name if has_url else text, "is not a folder")
    return path, _folder_url(f"{scheme.lower()}://{rest}") if has_url else ""


def _folder_url(url: str) -> str:
    """Return a URL that a person gave, with a slash at its end."""
    if fault := folder_fault(url):
        raise _error(url, fault)
    return url.removesuffix("/") + "/"


def _common_folder(folders: Sequence[Path]) -> Path:
    try:
        return Path(os.path.commonpath(folders))
    except ValueError as error:  # on different drives
        fix = "Name the file to write with -o, and the URL of its folder with --url."
        found = "has no folder in common with the others"
        raise _error(_relative(folders[0]), found, fix) from error


def _distinct(
    given: Sequence[tuple[Path, str]], root: Path, aliases: Mapping[str, Sequence[str]]
) -> Iterator[tuple[Path, str, bool]]:
    """Yield folder and URL of each site, and of each version. A folder is yielded only once.

    An alias in the common folder is left out if its version is given too. The last value is whether
    the site is required: it is no old version of mike.
    """
    folders = {path / name for path, _ in given for name in _versions(path)}
    listed = [names for version, names in aliases.items() if root / version in folders]
    left_out = {root / alias for names in listed for alias in names}
    seen = set()
    for path, url in given:
        versions = _versions(path)
        current = current_versions(versions)
        for name in versions:
            folder, real = path / name, real_path(path / name)
            if folder not in left_out and real not in seen:
                seen.add(real)
                yield folder, _url_below(url, name) if url else "", name in current


def _versions(folder: Path) -> Versions:
    """Return mike's versions with their aliases. Without mike, "" stands for the folder itself."""
    try:
        versions = read_versions(folder)
    except Unreadable as error:
        raise _error(_relative(folder / LIST), str(error)) from error
    return {"": ()} if versions is None else versions


def _base(members: Sequence[SiteOfGroup], root: Path) -> str:
    """Return the URL of the common folder. Raises SitemapError if it can't be derived.

    The URL of a site may end with the name of its folder. The URL before this name is then that of
    the common folder, and must be the same for all such sites. Without such a site, it is the URL
    of the deepest folder that contains the URLs of all sites.
    """
    bases: dict[str, list[str]] = {}  # the names of the sites by the URL
    homes = [site.url or site.home for site in members]
    for site, home in zip(members, homes, strict=True):
        for end in (_url_below("", name) for name in site.names):
            if home.endswith(f"/{end}"):
                bases.setdefault(home.removesuffix(end), []).append(site.name)
                break  # further names are aliases
    if not bases and all(homes):
        common = common_start(homes)
        common = common[: common.rfind("/") + 1]
        bases = {common if urlsplit(common).netloc else "": []}
    if len(bases) == 1 and (base := next(iter(bases))):
        return base
    if len(bases) < 2:
        raise _error(_relative(root), "has no known URL", "Give it with --url.")
    built = listing([f"{base} ({listing(names)})" for base, names in sorted(bases.items())])
    found = f"has sites that were built for {built}"
    fix = "Build those of another address again, or give the right one with --url."
    raise _error(_relative(root), found, fix)


def _url_of(site: SiteOfGroup, base: str, named: Container[str]) -> str:
    """Return a site's URL as a person gave it, or otherwise that of its home page or its folder.

    `named` has the URLs that the folders and aliases of all sites have in the common folder. With
    mike, the home page of a version may name another version as canonical. So the home page of a
    site in the common folder does not count if its URL is one of `named`, unless it is that of an
    alias of this site, whose folder has the same sitemaps.
    """
    name, *aliases = site.names or ("",)
    copies = [
        site.folder.with_name(alias) for alias in aliases if site.home == _url_below(base, alias)
    ]
    names = [path.relative_to(site.folder) for path in site.sitemaps]
    is_alias = any(is_file(copy / path) for copy in copies for path in names)
    home = "" if site.names and site.home in named and not is_alias else site.home
    return site.url or home or _url_below(base, name)


def _url_below(base: str, name: str) -> str:
    return f"{base}{quote_path(name)}/" if name else base


def _error(name: str, found: str, fix: str | None = None) -> SitemapError:
    return SitemapError(
        Problem(code=Code.ROOT_INDEX, place=sitemap_place(name), found=found, fix=fix)
    )


def _relative(path: Path) -> str:
    """Return a path as a message names it: the current folder by its name."""
    here = Path.cwd()
    if path == here:
        return path.name or path.as_posix()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def listed_sitemaps(group: SiteGroup) -> tuple[list[SitemapEntry], list[Problem]]:
    """Return the entries of an index in the common folder, and problems of what it leaves out.

    An index lists sitemaps in or below its own folder, on its host (sitemaps.org, "location"). The
    ``lastmod`` of a sitemap is the newest date of its entries, or absent if an entry has no date.
    Raises SitemapError if a required site can't be listed.
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
        names[site.url] = site.name
        for path, summary in site.sitemaps.items():
            name = path.relative_to(site.folder).as_posix()
            if summary.size:
                loc = site.url + quote_path(name)
                listed.append(SitemapEntry(loc=loc, lastmod=summary.lastmod))
            else:
                found = f"{name} has no URLs"
                problems.append(site.problem(Code.EMPTY, found, "That file is not listed."))
        if outside:
            problems.append(_ignored(site, group, outside))
    return listed, problems


def _unlisted(
    site: SiteOfGroup, group: SiteGroup, names: Mapping[str, str], outside: int
) -> Problem | None:
    """Return why an index can't list a site; None if it can.

    `names` are those of the listed sites, and `outside` is how many URLs are not below its own.
    """
    if not within(site.url, group.url):
        return _outside(site, group, f"its URL {site.url} is", "It is not listed.")
    if site.url in names:
        found = f"its URL {site.url} is that of {names[site.url]} as well"
        fix = "Set the site_url of each, or give the URL as DIR=URL."
        return site.problem(Code.SAME_URL, found, "The site is not listed.", fix)
    if outside == site.total:
        return _ignored(site, group, outside)._replace(done="It is not listed.")
    return None


def _refuse_to_lose(site: SiteOfGroup, problem: Problem) -> Problem:
    """Return the problem of a site that is not listed. Raises SitemapError if it is required."""
    if site.required:
        raise SitemapError(problem._replace(done="No file is written."))
    return problem


def _ignored(site: SiteOfGroup, group: SiteGroup, outside: int) -> Problem:
    found = f"{outside} of {site.total} URLs are not under {site.url}"
    done, fix = "Search engines ignore them.", f"With --merge, those under {group.url} are listed."
    return site.problem(Code.OUTSIDE, found, done, fix)._replace(level=Level.NOTE)


def merged(group: SiteGroup) -> tuple[list[UrlEntry], list[Problem]]:
    """Return all entries below the common folder, sorted by ``loc``, and why others are left out.

    Several sites may list the same ``loc``. Then the entry of the site that has the page is
    returned; the first entry if no site has the page. A site may list a page of another one, as an
    old version of mike does: such an entry counts if that page is there. Raises SitemapError if no
    entry of a required site is below the common folder.
    """
    own: dict[str, UrlEntry] = {}  # by ``loc``: the entries of the sites that have the pages
    others: list[tuple[SiteOfGroup, UrlEntry]] = []
    problems: list[Problem] = []
    for site in group.sites:
        inside = [entry for entry in site.entries() if within(entry.loc, group.url)]
        if outside := site.total - len(inside):
            what = f"{outside} of {site.total} URLs are"
            problem = _outside(site, group, what, "They are not listed.")
            problems.append(problem if inside else _refuse_to_lose(site, problem))
        urls = _urls(site, group)
        for entry in inside:
            if any(within(entry.loc, url) for url in urls):
                own.setdefault(entry.loc, entry)
            else:
                others.append((site, entry))
    found, absent = dict(own), dict[int, list[str]]()
    for site, entry in others:
        if entry.loc not in found and not _is_there(entry.loc, group):
            absent.setdefault(group.sites.index(site), []).append(entry.loc)
        else:
            found.setdefault(entry.loc, entry)
    for number, locs in absent.items():
        what = f"lists {counted(len(locs), 'page that is', 'pages that are')} not in the site of "
        what += f"{'its URL' if len(locs) == 1 else 'their URLs'} ({first_names(locs)})"
        site = group.sites[number]
        problem = site.problem(Code.OUTSIDE, what, "The merged sitemap does not list them.")
        problems.append(problem._replace(level=Level.NOTE))
    return [entry for _, entry in sorted(found.items())], problems


def _urls(site: SiteOfGroup, group: SiteGroup) -> tuple[str, ...]:
    return site.url, *(_url_below(group.url, alias) for alias in site.names[1:])


def _is_there(loc: str, group: SiteGroup) -> bool:
    places = [(site.folder, url) for site in group.sites for url in _urls(site, group)]
    places.append((group.folder, group.url))
    return any(within(loc, url) and served_file(folder, url, loc) for folder, url in places)


def _outside(site: SiteOfGroup, group: SiteGroup, what: str, done: str) -> Problem:
    found = f"{what} not under {group.url}, and a sitemap there may list only URLs under it"
    return site.problem(Code.OUTSIDE, found, done)
