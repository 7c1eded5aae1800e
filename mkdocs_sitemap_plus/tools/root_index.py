"""List the pages of several built sites, in an index or in one sitemap."""

import json
import os
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.files import Unreadable, is_file, is_folder, read_file, real_path
from mkdocs_sitemap_plus.pages.built_html import read_built_page
from mkdocs_sitemap_plus.problems import Problem, SitemapError
from mkdocs_sitemap_plus.sitemap import SitemapEntry, UrlEntry, newest
from mkdocs_sitemap_plus.sitemap.parse import sitemap_place
from mkdocs_sitemap_plus.sitemap.urls import (
    quote_path,
    same_page,
    served_file,
    unquote_path,
    within,
)
from mkdocs_sitemap_plus.tools.collect import each_sitemap
from mkdocs_sitemap_plus.tools.open_sitemaps import NAMES

VERSIONS = "versions.json"  # the file in which mike lists the versions of a site with their aliases
_MAX_NAME = 255  # bytes of a folder's name


class Part(NamedTuple):
    """What an index says of a sitemap; its entries are kept only if they are listed themselves."""

    size: int  # the number of its entries
    lastmod: date | None  # the newest date; None if an entry has none
    start: str  # with which all URLs begin
    shortest: str  # the shortest URL, or the first of several; empty without an entry
    kept: Mapping[str, UrlEntry] | None  # its entries by ``loc``


class Member(NamedTuple):
    """A built site among others."""

    name: str  # its path below the common folder, with ``/``; or the name of its folder
    folder: Path  # absolute
    url: str  # of its folder, with the last slash; empty while it is not known
    aliases: tuple[str, ...]  # folders beside it that copy it, link to it or redirect to it
    sitemaps: Mapping[Path, Part]  # without indexes

    @property
    def total(self) -> int:
        """The number of its entries."""
        return sum(part.size for part in self.sitemaps.values())

    def entries(self) -> Iterator[UrlEntry]:
        """Yield the entries of all its sitemaps, one after the other."""
        for path, part in self.sitemaps.items():
            again = each_sitemap(path.as_posix()) if part.kept is None else [("", part.kept)]
            for _, entries in again:
                yield from entries.values()

    def count_outside(self, folder: str) -> int:
        """Return how many of its URLs are not below the URL of a folder."""
        parts = [part for part in self.sitemaps.values() if part.size]
        if all(part.start.startswith(folder) for part in parts):
            return 0
        return sum(not within(entry.loc, folder) for entry in self.entries())

    def home(self) -> str | None:
        """Return the canonical URL of ``index.html``, or else the shortest URL of a page, or None.

        It counts only if all URLs of the site begin with it.
        """
        parts = [part for part in self.sitemaps.values() if part.size]
        built = read_built_page(self.folder / "index.html")
        canonical = built.canonical if built and built.canonical else ""
        shortest = min((part.shortest for part in parts), key=len) if self.total > 1 else ""
        for url in (canonical, shortest):
            is_folder = url.startswith(("https://", "http://")) and url.endswith("/")
            if is_folder and all(part.start.startswith(url) for part in parts):
                return url
        return None


def _part(entries: Mapping[str, UrlEntry], *, keep: bool) -> Part:
    return Part(
        size=len(entries),
        lastmod=newest(entry.lastmod for entry in entries.values()),
        start=os.path.commonprefix((min(entries, default=""), max(entries, default=""))),  # noqa: RUF071 - of texts
        shortest=min(entries, key=len, default=""),
        kept=entries if keep else None,
    )


class SiteGroup(NamedTuple):
    """Built sites in one folder."""

    folder: Path  # absolute
    url: str  # of the folder, with the last slash
    sites: tuple[Member, ...]  # as a person named them; versions in the order of mike, newest first
    problems: tuple[Problem, ...]  # one for each folder that has no sitemap

    def file_of(self, loc: str) -> Path | None:
        """Return the built file of a URL, or None; the longest fitting URL of a site counts."""
        folders = {self.url: self.folder}
        for site in reversed(self.sites):
            folders |= {
                f"{self.url}{quote_path(name)}/": self.folder / name for name in site.aliases
            }
        folders |= {site.url: site.folder for site in reversed(self.sites)}
        url = max(filter(loc.startswith, folders), key=len, default=None)
        if url is None:
            return None
        return served_file(folders[url], unquote_path(urlsplit(loc.removeprefix(url)).path))

    def is_canonical(self, entry: UrlEntry) -> bool:
        """Return whether a page exists, and names no other URL as canonical."""
        file = self.file_of(entry.loc)
        built = read_built_page(file) if file else None
        if built is None or built.leads_elsewhere(entry.loc):
            return False
        return built.canonical is None or same_page(built.canonical, entry.loc, built.base)


def read_sites(
    where: Sequence[str], folder: Path | None = None, url: str | None = None, *, keep: bool = False
) -> SiteGroup:
    """Read built sites. Each is ``FOLDER`` or ``FOLDER=URL``.

    A folder with mike's ``versions.json`` stands for all its versions. `folder` is where the root
    sitemap will be; None: the deepest folder that contains all sites. `url` is that of this folder;
    None: it is derived from the URLs of the sites. With `keep`, all entries are kept, so that no
    file is read a second time for them.

    Raises SitemapError if a site can't be read, or the URL of the common folder is not known.
    """
    given = [_parse(each) for each in where]
    root = folder or _common_folder([path for path, _ in given])
    aliases = _versions(root)
    members, problems = [], []
    for path, own_url in _distinct(given, root, aliases):
        has_sitemap = any(is_file(path / name) for name in NAMES)
        opened = each_sitemap(path.as_posix()) if own_url or has_sitemap else ()
        found = {Path(name): _part(entries, keep=keep) for name, entries in opened}
        if not found:
            problems.append(_without_sitemap(path))
            continue
        inside = path.is_relative_to(root)
        member = Member(
            name=path.relative_to(root).as_posix().removeprefix(".") if inside else "",
            folder=path,
            url=own_url or "",
            aliases=aliases.get(path.name, ()) if path.parent == root else (),
            sitemaps=found,
        )
        members.append(member)
    if not members:
        raise SitemapError([*problems, _without_sitemap(root)][0])
    base = url.removesuffix("/") + "/" if url else _base(members, root)
    names = [name for each in members for name in (each.name, *each.aliases) if name]
    by_name = {f"{base}{quote_path(name)}/" for name in names}
    sites = tuple(_with_url(each, root, base, by_name) for each in members)
    return SiteGroup(folder=root, url=base, sites=sites, problems=tuple(problems))


def _parse(text: str) -> tuple[Path, str | None]:
    """Return the folder, and the URL or None, of ``FOLDER=URL`` or ``FOLDER``."""
    name, equals, rest = text.partition("=http")
    path = Path(os.path.abspath(name))  # noqa: PTH100 - resolve() follows links
    if not is_folder(path):
        raise _error(name, "is not a folder")
    return path, f"http{rest.removesuffix('/')}/" if equals else None


def _common_folder(folders: Sequence[Path]) -> Path:
    try:
        return Path(os.path.commonpath(folders))
    except ValueError as error:  # on different drives
        fix = "Name the file to write with -o, and its URL with --url."
        found = "has no folder in common with the others"
        raise _error(_relative(folders[0]), found, fix) from error


def _distinct(
    given: Iterable[tuple[Path, str | None]], root: Path, aliases: Mapping[str, Sequence[str]]
) -> Iterator[tuple[Path, str | None]]:
    """Yield folder and URL of each site and each version once; aliases are left out."""
    known_aliases = {name for names in aliases.values() for name in names}
    seen = set()
    for path, url in given:
        versions = _versions(path)
        sites = [(path / each, f"{url}{quote_path(each)}/" if url else None) for each in versions]
        for folder, own_url in sites if is_file(path / VERSIONS) else [(path, url)]:
            is_alias = folder.parent == root and folder.name in known_aliases
            real = real_path(folder)
            if not is_alias and real not in seen:
                seen.add(real)
                yield folder, own_url


def _versions(folder: Path) -> dict[str, tuple[str, ...]]:
    """Return the names of mike's versions, each with its aliases; empty without `VERSIONS`."""
    path = folder / VERSIONS
    if not is_file(path):
        return {}
    try:
        listed = json.loads(read_file(path))
        versions = {each["version"]: tuple(each.get("aliases", ())) for each in listed}
    except (Unreadable, ValueError, RecursionError, TypeError, KeyError, AttributeError) as error:
        raise _error(_relative(path), "is not as mike writes it") from error
    names = [name for version, aliases in versions.items() for name in (version, *aliases)]
    if not all(isinstance(name, str) and _is_name(name) for name in names):
        raise _error(_relative(path), "lists a version that is not a folder beside it")
    return versions


def _is_name(name: str) -> bool:
    # JSON can contain halves of surrogate pairs, which are not printable and can't be encoded.
    fits = name.isprintable() and len(name.encode()) <= _MAX_NAME
    return fits and name not in ("", ".", "..") and not set(name) & set("/\\:")


def _base(members: Sequence[Member], root: Path) -> str:
    """Return the URL of each site without the name of its folder, which must be the same for all.

    If no URL ends with the name of its folder, it is that with which the URLs of all sites begin.
    """
    homes = [each.url or each.home() or "" for each in members]
    bases: set[str] = set()
    for member, home in zip(members, homes, strict=True):
        if home and member.folder.is_relative_to(root):
            endings = [
                f"{quote_path(name)}/" if name else "" for name in (member.name, *member.aliases)
            ]
            own = (home.removesuffix(end) for end in endings if home.endswith(f"/{end}"))
            bases.update(islice(own, 1))
    if not bases and all(homes):
        common = os.path.commonprefix(homes)  # noqa: RUF071 - cut at its last slash below
        common = common[: common.rfind("/") + 1]
        bases = {common if urlsplit(common).netloc else ""}
    if len(bases) != 1 or "" in bases:
        found = "holds sites with URLs that do not fit each other" if bases else "has no known URL"
        raise _error(_relative(root), found, "Give it with --url.")
    return bases.pop()


def _with_url(member: Member, root: Path, base: str, by_name: Container[str]) -> Member:
    """Return a site with the URL that a person gave, of its home page, or of its folder's name.

    The home page of one version of mike may have the URL of another version as canonical: so in the
    common folder a URL of `by_name`, the URLs of all folders' names, does not count.
    """
    home = member.home()
    if home in by_name and member.folder.is_relative_to(root):
        home = None
    own = f"{base}{quote_path(member.name)}/" if member.name else base
    return member._replace(url=member.url or home or own, name=member.name or member.folder.name)


def _error(name: str, found: str, fix: str | None = None) -> SitemapError:
    return SitemapError(Problem(code="root-index", place=sitemap_place(name), found=found, fix=fix))


def _without_sitemap(folder: Path) -> Problem:
    place, found = sitemap_place(_relative(folder)), "has no sitemap in it"
    return Problem(code="no-sitemap", place=place, found=found, done="It is not listed.")


def _relative(path: Path) -> str:
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def listed_sitemaps(
    group: SiteGroup, *, only_canonical: bool = False
) -> tuple[list[SitemapEntry], list[Problem]]:
    """Return the entries of an index in the common folder, and problems of what it leaves out.

    An index lists sitemaps in or below its own folder, on its host (sitemaps.org, "location").
    ``lastmod`` is the newest date of a sitemap's entries. It is absent if an entry has no date.
    With `only_canonical`, sites without a canonical page are left out.
    """
    listed: list[SitemapEntry] = []
    problems: list[Problem] = []
    names: dict[str, str] = {}
    for site in group.sites:
        total = site.total
        others = total - sum(map(group.is_canonical, site.entries())) if only_canonical else 0
        if not within(site.url, group.url):
            problems.append(_outside(site, f"its URL {site.url} is", "It is", group))
        elif total and others == total:
            problems.append(_not_canonical(site, others, total, done="They are not listed."))
        elif site.url in names:
            found = f"its URL {site.url} is that of {names[site.url]} as well"
            done, fix = "The site is not listed.", "If that is wrong, give its URL as DIR=URL."
            place = sitemap_place(site.name)
            problems.append(Problem(code="same-url", place=place, found=found, done=done, fix=fix))
        else:
            names[site.url] = site.name
            for path, part in site.sitemaps.items():
                loc = site.url + quote_path(path.relative_to(site.folder).as_posix())
                listed.append(SitemapEntry(loc=loc, lastmod=part.lastmod))
            problems.extend(_notes(site, others))
    return listed, problems


def _notes(site: Member, others: int) -> Iterator[Problem]:
    """Yield a note about URLs of a listed site that the index should leave out, but can't."""
    total, place = site.total, sitemap_place(site.name)
    if outside := site.count_outside(site.url):
        found = f"{outside} of {total} URLs are not under {site.url}"
        done, fix = "Search engines ignore them.", "With --merge they are listed at the root."
        yield Problem(code="outside", place=place, found=found, done=done, fix=fix, note=True)
    elif others:
        done, fix = "They are listed with the others.", "With --merge they are not listed."
        yield _not_canonical(site, others, total, done=done, fix=fix)


def merged(
    group: SiteGroup, *, only_canonical: bool = False
) -> tuple[list[UrlEntry], list[Problem]]:
    """Return all entries below the common folder, and problems of what is left out.

    The entries are sorted by ``loc``, and each ``loc`` appears once. If several sites list a URL,
    the entry of the site whose folder, or alias, contains the page counts; else the first entry.
    With `only_canonical`, pages are left out that do not exist, redirect, or name another canonical
    URL.
    """
    found: dict[str, tuple[bool, UrlEntry]] = {}
    problems: list[Problem] = []
    for site in group.sites:
        total = site.total
        inside = [each for each in site.entries() if within(each.loc, group.url)]
        kept = list(filter(group.is_canonical, inside)) if only_canonical else inside
        if len(inside) < total:
            what = f"{total - len(inside)} of {total} URLs are"
            problems.append(_outside(site, what, "They are", group))
        if len(kept) < len(inside):
            count, done = len(inside) - len(kept), "They are not listed."
            problems.append(_not_canonical(site, count, len(inside), done=done))
        folders = (site.url, *(f"{group.url}{quote_path(alias)}/" for alias in site.aliases))
        for entry in kept:
            is_own = any(within(entry.loc, folder) for folder in folders)
            if entry.loc not in found or (is_own and not found[entry.loc][0]):
                found[entry.loc] = is_own, entry
    return [entry for _, (_, entry) in sorted(found.items())], problems


def _outside(site: Member, what: str, subject: str, group: SiteGroup) -> Problem:
    found = f"{what} not under {group.url}, and a sitemap there may list nothing else"
    place, done = sitemap_place(site.name), f"{subject} not listed."
    return Problem(code="outside", place=place, found=found, done=done)


def _not_canonical(
    site: Member, count: int, total: int, *, done: str, fix: str | None = None
) -> Problem:
    place = sitemap_place(site.name)
    found = f"{count} of {total} pages do not exist, redirect, or name another URL as canonical"
    return Problem(code="canonical", place=place, found=found, done=done, fix=fix, note=True)
