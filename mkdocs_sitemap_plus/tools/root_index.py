"""List built sites that lie side by side: in one index of their sitemaps, or all pages in one."""

import json
import os
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from mkdocs_sitemap_plus.files import Unreadable, is_file, is_folder, read_file, real_path
from mkdocs_sitemap_plus.pages.built_html import read_built_page
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.entry import SitemapEntry, UrlEntry, newest
from mkdocs_sitemap_plus.sitemap.urls import same_page, served_file, within
from mkdocs_sitemap_plus.tools.collect import collect
from mkdocs_sitemap_plus.tools.open_sitemaps import NAMES

VERSIONS = "versions.json"
"""The file in which mike keeps the versions of a site, and their aliases."""

_MAX_NAME = 255
"""Bytes of a folder's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A built site among others.

    Attributes:
        name: its folder below the common one, with ``/``; of any other folder its last part.
        folder: its absolute folder.
        url: the URL of that folder, with its last slash; empty if it is not known yet.
        aliases: other names of the same pages, each a copy, a link or a redirect beside it.
        sitemaps: its sitemaps, without any index, each with its entries by ``loc``.
    """

    name: str
    folder: Path
    url: str
    aliases: tuple[str, ...]
    sitemaps: Mapping[Path, Mapping[str, UrlEntry]]

    @property
    def entries(self) -> list[UrlEntry]:
        """The entries of all its sitemaps."""
        return [entry for entries in self.sitemaps.values() for entry in entries.values()]

    def home(self) -> str | None:
        """Return the canonical URL of its home page, or its shortest URL, if others begin so."""
        locs = [loc for entries in self.sitemaps.values() for loc in entries]
        built = read_built_page(self.folder / "index.html")
        canonical = built.canonical if built and built.canonical else ""
        shortest = min(locs, key=len, default="") if len(locs) > 1 else ""
        for url in (canonical, shortest):
            is_folder = url.startswith(("https://", "http://")) and url.endswith("/")
            if is_folder and all(loc.startswith(url) for loc in locs):
                return url
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteGroup:
    """Sites in the order in which they were given, in one absolute folder, which has this URL.

    Versions are in the order of mike, newest first. The problems are about what can't be listed.
    """

    folder: Path
    url: str
    sites: tuple[Member, ...]
    problems: tuple[Problem, ...]

    def file_of(self, loc: str) -> Path | None:
        """Return the built file of a URL: in the site with the longest URL that it begins with."""
        folders = {self.url: self.folder}
        for site in reversed(self.sites):
            folders |= {f"{self.url}{quote(name)}/": self.folder / name for name in site.aliases}
        for site in reversed(self.sites):
            folders[site.url] = site.folder
        url = max(filter(loc.startswith, folders), key=len, default=None)
        if url is None:
            return None
        folder = folders[url]
        return served_file(folder, unquote(urlsplit(loc.removeprefix(url)).path))


def read_sites(
    where: Sequence[str], folder: Path | None = None, url: str | None = None
) -> SiteGroup:
    """Read built sites.

    Args:
        where: folders of built sites, each also as ``FOLDER=URL``; a folder with mike's
            ``versions.json`` stands for its versions.
        folder: where the root sitemap will be; None: the folder that all sites have in common.
        url: the URL of that folder; None: it follows from the URLs of the sites.

    Raises:
        SitemapError: one of them can't be read, or its URL is not known.
    """
    given = [_parse(each) for each in where]
    root = folder or _common_folder([path for path, _ in given])
    aliases = _versions(root)
    members, problems = [], []
    for path, own_url in _distinct(given, root, aliases):
        has_sitemap = any(is_file(path / name) for name in NAMES)
        sitemaps = dict(_sitemaps(path)) if own_url or has_sitemap else {}
        if not sitemaps:
            problems.append(_without_sitemap(path))
            continue
        inside = path.is_relative_to(root)
        member = Member(
            name=path.relative_to(root).as_posix().removeprefix(".") if inside else "",
            folder=path,
            url=own_url or "",
            aliases=aliases.get(path.name, ()) if path.parent == root else (),
            sitemaps=sitemaps,
        )
        members.append(member)
    if not members:
        raise SitemapError([*problems, _without_sitemap(root)][0])
    base = _slashed(url) if url else _base(members, root)
    names = [name for each in members for name in (each.name, *each.aliases) if name]
    known = {f"{base}{quote(name)}/" for name in names}
    sites = tuple(_with_url(each, root, base, known) for each in members)
    return SiteGroup(folder=root, url=base, sites=sites, problems=tuple(problems))


def _parse(text: str) -> tuple[Path, str | None]:
    """Return folder and URL of ``FOLDER`` or ``FOLDER=URL``."""
    name, equals, rest = text.partition("=http")
    path = Path(os.path.abspath(name))  # noqa: PTH100 - resolve() follows links
    if not is_folder(path):
        raise SitemapError(_problem(name, "is not a folder"))
    return path, _slashed(f"http{rest}") if equals else None


def _slashed(url: str) -> str:
    return url if url.endswith("/") else f"{url}/"


def _common_folder(folders: Sequence[Path]) -> Path:
    try:
        return Path(os.path.commonpath(folders))
    except ValueError as error:  # on different drives
        fix = "Name the file to write with -o, and its URL with --url."
        found = "has no folder in common with the others"
        raise SitemapError(_problem(_relative(folders[0]), found, fix=fix)) from error


def _distinct(
    given: Iterable[tuple[Path, str | None]], root: Path, aliases: Mapping[str, Sequence[str]]
) -> Iterator[tuple[Path, str | None]]:
    """Yield folder and URL of each site and version once; an alias is not a site of its own."""
    known = {name for names in aliases.values() for name in names}
    seen = set()
    for path, url in given:
        versions = _versions(path)
        sites = [(path / each, f"{url}{quote(each)}/" if url else None) for each in versions]
        for folder, own_url in sites if is_file(path / VERSIONS) else [(path, url)]:
            is_alias = folder.parent == root and folder.name in known
            real = real_path(folder)
            if not is_alias and real not in seen:
                seen.add(real)
                yield folder, own_url


def _versions(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return the folder of each version of mike, with its aliases; empty without its file.

    Raises:
        SitemapError: the file is not as mike writes it.
    """
    path = folder / VERSIONS
    if not is_file(path):
        return {}
    try:
        listed = json.loads(read_file(path))
        versions = {each["version"]: tuple(each.get("aliases", ())) for each in listed}
    except (Unreadable, ValueError, RecursionError, TypeError, KeyError, AttributeError) as error:
        raise SitemapError(_problem(_relative(path), "is not as mike writes it")) from error
    names = [name for version, aliases in versions.items() for name in (version, *aliases)]
    if not all(isinstance(name, str) and _is_name(name) for name in names):
        raise SitemapError(
            _problem(_relative(path), "lists a version that is not a folder beside it")
        )
    return versions


def _is_name(name: str) -> bool:
    """Return whether a folder can have this name; JSON can escape halves of surrogate pairs."""
    fits = name.isprintable() and len(name.encode()) <= _MAX_NAME
    return fits and name not in ("", ".", "..") and not set(name) & set("/\\:")


def _sitemaps(folder: Path) -> Iterator[tuple[Path, Mapping[str, UrlEntry]]]:
    """Yield the sitemaps of a folder with their entries; of an index only its parts."""
    for name in collect(folder.as_posix()).files:
        collected = collect(name)
        if collected.files == (name,):
            yield Path(name), collected.entries


def _base(members: Sequence[Member], root: Path) -> str:
    """Return the URL of the common folder: each site's URL without the name of its folder.

    If no folder has the name that it has on the web, the URL that all sites' URLs begin with.
    """
    homes = [each.url or each.home() or "" for each in members]
    bases: set[str] = set()
    for member, home in zip(members, homes, strict=True):
        if home and member.folder.is_relative_to(root):
            endings = [f"{quote(name)}/" if name else "" for name in (member.name, *member.aliases)]
            own = (home.removesuffix(end) for end in endings if home.endswith(f"/{end}"))
            bases.update(islice(own, 1))
    if not bases and all(homes):
        common = os.path.commonprefix(homes)  # noqa: RUF071 - cut at its last slash below
        common = common[: common.rfind("/") + 1]
        bases = {common if urlsplit(common).netloc else ""}
    if len(bases) != 1 or "" in bases:
        found = "holds sites with URLs that do not fit each other" if bases else "has no known URL"
        raise SitemapError(_problem(_relative(root), found, fix="Give it with --url."))
    return bases.pop()


def _with_url(member: Member, root: Path, base: str, names: Container[str]) -> Member:
    """Return a site with its URL: by its folder's name, unless its home page has another one.

    If that is the URL by name of another site, it does not count: versions of mike name the pages
    of the canonical version.
    """
    home = member.home()
    is_inside = member.folder.is_relative_to(root)
    by_name = f"{base}{quote(member.name)}/" if member.name else base
    uses_home = home is not None and (home not in names or not is_inside)
    url = member.url or (home if home is not None and uses_home else by_name)
    return replace(member, url=url, name=member.name or member.folder.name)


def listed_sitemaps(
    group: SiteGroup, *, only_canonical: bool = False
) -> tuple[list[SitemapEntry], list[Problem]]:
    """Return what an index at the common folder lists, and what it does not.

    An index lists sitemaps at or below its own folder, on its host (sitemaps.org, "location").
    ``lastmod`` is the newest of a sitemap's entries, and absent unless each has one.

    With `only_canonical` it does not list sites none of whose pages is its own canonical one.
    """
    listed: list[SitemapEntry] = []
    problems: list[Problem] = []
    owners: dict[str, str] = {}
    for site in group.sites:
        total = len(site.entries)
        others = total - len(_canonical(site.entries, group)) if only_canonical else 0
        if not within(site.url, group.url):
            problems.append(_outside(site, f"its URL {site.url} is", "It is", group))
        elif total and others == total:
            problems.append(_not_canonical(site, others, total, done="They are not listed."))
        elif site.url in owners:
            found = f"its URL {site.url} is that of {owners[site.url]} as well"
            fix = "If that is wrong, give its URL as DIR=URL."
            done = "The site is not listed."
            problems.append(_problem(site.name, found, "same-url", done=done, fix=fix))
        else:
            owners[site.url] = site.name
            for path, own in site.sitemaps.items():
                loc = site.url + quote(path.relative_to(site.folder).as_posix())
                lastmod = newest(entry.lastmod for entry in own.values())
                listed.append(SitemapEntry(loc=loc, lastmod=lastmod))
            problems.extend(_notes(site, others))
    return listed, problems


def _notes(site: Member, others: int) -> Iterator[Problem]:
    """Yield what an index can't leave out: it lists files, with all that is in them."""
    entries = site.entries
    outside = sum(not within(entry.loc, site.url) for entry in entries)
    if outside:
        found = f"{outside} of {len(entries)} URLs are not under {site.url}"
        done, fix = "Search engines ignore them.", "With --merge they are listed at the root."
        yield _problem(site.name, found, "outside", done=done, fix=fix, note=True)
    elif others:
        done, fix = "They are listed with the others.", "With --merge they are not listed."
        yield _not_canonical(site, others, len(entries), done=done, fix=fix)


def merged(
    group: SiteGroup, *, only_canonical: bool = False
) -> tuple[list[UrlEntry], list[Problem]]:
    """Return all pages under the common folder by ``loc``, each once, and what is not listed.

    Of two entries with one URL counts that of the site in which, or in an alias of which, the page
    lies; else the first.

    With `only_canonical` neither pages that name another URL as the canonical one are listed, nor
    those that do not exist.
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
        homes = (site.url, *(f"{group.url}{quote(alias)}/" for alias in site.aliases))
        for entry in kept:
            is_own = any(within(entry.loc, home) for home in homes)
            if entry.loc not in found or (is_own and not found[entry.loc][0]):
                found[entry.loc] = is_own, entry
    return [entry for _, (_, entry) in sorted(found.items())], problems


def _canonical(entries: Iterable[UrlEntry], group: SiteGroup) -> list[UrlEntry]:
    """Return the entries of pages that exist, and name no other URL than their own."""
    return [each for each in entries if _is_canonical(each.loc, group.file_of(each.loc))]


def _is_canonical(loc: str, file: Path | None) -> bool:
    built = read_built_page(file) if file else None
    if built is None or built.leads_elsewhere(loc):
        return False
    return built.canonical is None or same_page(built.canonical, loc, built.base)


def _outside(site: Member, what: str, subject: str, group: SiteGroup) -> Problem:
    found = f"{what} not under {group.url}, and a sitemap there may list nothing else"
    return _problem(site.name, found, "outside", done=f"{subject} not listed.")


def _not_canonical(
    site: Member, count: int, total: int, *, done: str, fix: str | None = None
) -> Problem:
    found = f"{count} of {total} pages do not exist, redirect, or name another URL as canonical"
    return _problem(site.name, found, "canonical", done=done, fix=fix, note=True)


def _problem(  # noqa: PLR0913 - the parts of one message
    name: str,
    found: str,
    code: str = "root-index",
    *,
    done: str | None = None,
    fix: str | None = None,
    note: bool = False,
) -> Problem:
    place = Place(origin=Origin.SITEMAP, file=name)
    return Problem(code=code, place=place, found=found, done=done, fix=fix, note=note)


def _without_sitemap(folder: Path) -> Problem:
    found = "has no sitemap in it"
    return _problem(_relative(folder), found, "no-sitemap", done="It is not listed.")


def _relative(path: Path) -> str:
    """Return a path from the current folder, if it is in there."""
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()
