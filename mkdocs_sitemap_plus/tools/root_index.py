"""Built sites side by side to one index of their sitemaps, or to one list of their pages."""

import json
import os
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from mkdocs_sitemap_plus.files import Unreadable, is_file, is_folder, read_file, real_path
from mkdocs_sitemap_plus.pages.built_html import read_built_page
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.entry import SitemapEntry, UrlEntry, newest
from mkdocs_sitemap_plus.sitemap.urls import same_page, within
from mkdocs_sitemap_plus.tools.collect import collect

VERSIONS = "versions.json"
"""Where mike keeps the versions of a site, and their aliases."""


_MAX_NAME = 255
"""Bytes of a folder's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A built site among others.

    Attributes:
        name: its folder from the common one, with ``/``; empty for that folder itself.
        folder: its absolute folder.
        url: the URL of that folder, with its last slash.
        aliases: other names of the same pages, each a copy, a link or a redirect beside it.
        sitemaps: its sitemaps, without any index, each with its entries by ``loc``.
    """

    name: str
    folder: Path
    url: str
    aliases: tuple[str, ...]
    sitemaps: Mapping[Path, Mapping[str, UrlEntry]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Members:
    """Sites that have a folder in common.

    Attributes:
        folder: that folder, absolute.
        url: its URL, with the last slash.
        sites: in the order in which they were given; versions as mike orders them, newest first.
        problems: what of them can't be listed.
    """

    folder: Path
    url: str
    sites: tuple[Member, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A built site before its URL is known."""

    folder: Path
    url: str | None
    aliases: tuple[str, ...]
    sitemaps: Mapping[Path, Mapping[str, UrlEntry]]

    @property
    def home(self) -> str | None:
        """The URL of its home page, by its own word or as the one that all others begin with."""
        locs = [loc for entries in self.sitemaps.values() for loc in entries]
        built = read_built_page(self.folder / "index.html")
        named = built.canonical if built and built.canonical else ""
        first = min(locs, key=len, default="") if len(locs) > 1 else ""
        for url in (named, first):
            if _is_folder(url) and all(loc.startswith(url) for loc in locs):
                return url
        return None


def _is_folder(url: str) -> bool:
    return url.startswith(("https://", "http://")) and url.endswith("/")


def members(where: Sequence[str], folder: Path | None = None, url: str | None = None) -> Members:
    """Read built sites.

    Args:
        where: folders of built sites, each also as ``FOLDER=URL``; a folder with mike's
            ``versions.json`` stands for its versions.
        folder: where the root sitemap is to lie; None: the folder that all have in common.
        url: the URL of that folder; None: as the sites' own URLs say.

    Raises:
        SitemapError: one of them can't be read, or nobody says where it is on the web.
    """
    given = [_given(each) for each in where]
    folders = [path for path, _ in given]
    root = folder or _common_folder(folders)
    aliases = _aliases(root)
    found, problems = [], []
    for path, own_url in _distinct(_expanded(given), root, aliases):
        sitemaps = dict(_sitemaps(path)) if own_url or _has_sitemap(path) else {}
        if sitemaps:
            names = aliases.get(path.name, ()) if path.parent == root else ()
            found.append(_Found(folder=path, url=own_url, aliases=names, sitemaps=sitemaps))
        else:
            problems.append(_no_sitemap(path))
    if not found:
        raise SitemapError(problems[0] if problems else _no_sitemap(root))
    base = _slashed(url) if url else _base(found, root)
    called = [name for each in found for name in (_name(each, root), *each.aliases) if name]
    known = {f"{base}{quote(name)}/" for name in called}
    sites = tuple(_member(each, root, base, known) for each in found)
    return Members(folder=root, url=base, sites=sites, problems=tuple(problems))


def _common_folder(folders: Sequence[Path]) -> Path:
    try:
        return Path(os.path.commonpath(folders))
    except ValueError as error:  # on drives of their own
        fix = "Name the file to write with -o, and its URL with --url."
        fault = _fault(_shown(folders[0]), "has no folder in common with the others", fix)
        raise SitemapError(fault) from error


def _given(text: str) -> tuple[Path, str | None]:
    """``FOLDER`` or ``FOLDER=URL``."""
    name, equals, rest = text.partition("=http")
    path = Path(os.path.abspath(name))  # noqa: PTH100 - resolve() follows links
    if not is_folder(path):
        raise SitemapError(_fault(name, "is no folder"))
    return path, _slashed(f"http{rest}") if equals else None


def _slashed(url: str) -> str:
    return url if url.endswith("/") else f"{url}/"


def _expanded(given: Iterable[tuple[Path, str | None]]) -> Iterator[tuple[Path, str | None]]:
    for path, url in given:
        if is_file(path / VERSIONS):
            for version in _versions(path):
                yield path / version, f"{url}{quote(version)}/" if url else None
        else:
            yield path, url


def _distinct(
    given: Iterable[tuple[Path, str | None]], root: Path, aliases: Mapping[str, Sequence[str]]
) -> Iterator[tuple[Path, str | None]]:
    """Each site once: an alias is no site of its own, whether it is a link or a copy."""
    known = {name for names in aliases.values() for name in names}
    seen = set()
    for path, url in given:
        alias = path.parent == root and path.name in known
        real = real_path(path)
        if not alias and real not in seen:
            seen.add(real)
            yield path, url


def _aliases(root: Path) -> Mapping[str, tuple[str, ...]]:
    return _versions(root) if is_file(root / VERSIONS) else {}


def _versions(folder: Path) -> dict[str, tuple[str, ...]]:
    """The folder of each version, with its aliases.

    Raises:
        SitemapError: the file is not as mike writes it.
    """
    path = folder / VERSIONS
    try:
        said = json.loads(read_file(path))
        versions = {each["version"]: tuple(each.get("aliases", ())) for each in said}
    except (Unreadable, ValueError, RecursionError, TypeError, KeyError, AttributeError) as error:
        raise SitemapError(_fault(_shown(path), "is not as mike writes it")) from error
    names = [name for version, aliases in versions.items() for name in (version, *aliases)]
    if not all(isinstance(name, str) and _is_name(name) for name in names):
        raise SitemapError(_fault(_shown(path), "names what is no folder beside it"))
    return versions


def _is_name(name: str) -> bool:
    try:
        fits = len(name.encode()) <= _MAX_NAME
    except UnicodeEncodeError:  # half of a pair, which JSON can escape
        return False
    return fits and name not in ("", ".", "..") and not set(name) & set("/\\:\0")


def _has_sitemap(folder: Path) -> bool:
    names = ("sitemap.xml", "sitemap-index.xml")
    return any(is_file(folder / f"{name}{gz}") for name in names for gz in ("", ".gz"))


def _sitemaps(folder: Path) -> Iterator[tuple[Path, Mapping[str, UrlEntry]]]:
    """The sitemaps of a folder with their entries; of an index its parts, since none lists one."""
    for name in collect(folder.as_posix()).files:
        collected = collect(name)
        if collected.files == (name,):
            yield Path(name), collected.entries


def _base(found: Sequence[_Found], root: Path) -> str:
    """The URL of the common folder: of each site's own URL what is left without its name.

    Where folders are not called as on the web, the URL that those of all sites begin with.
    """
    bases = {base for each in found for base in _bases(each, root)}
    if not bases:
        homes = [each.url or each.home or "" for each in found]
        bases = {_common(homes)} if all(homes) else set()
    if len(bases) != 1 or "" in bases:
        why = "holds sites with URLs that do not fit each other" if bases else "has no known URL"
        raise SitemapError(_fault(_shown(root), why, fix="Give it with --url."))
    return bases.pop()


def _bases(found: _Found, root: Path) -> Iterator[str]:
    home, name = found.url or found.home, _name(found, root)
    if home is None or name is None:
        return
    for each in (name, *found.aliases):
        ending = f"{quote(each)}/" if each else ""
        if home.endswith(f"/{ending}"):
            yield home.removesuffix(ending)
            return


def _common(urls: Sequence[str]) -> str:
    """The folder that all of some URLs are in; empty if they are not on one host."""
    common = os.path.commonprefix(urls)  # noqa: RUF071 - cut at its last slash below
    folder = common[: common.rfind("/") + 1]
    return folder if urlsplit(folder).netloc else ""


def _name(found: _Found, root: Path) -> str | None:
    """Its folder from the common one; empty for that folder itself, None if it is not in there."""
    if not found.folder.is_relative_to(root):
        return None
    return found.folder.relative_to(root).as_posix().removeprefix(".")


def _member(found: _Found, root: Path, base: str, called: Container[str]) -> Member:
    """A site with its URL: by its folder's name, but where its home page has another one.

    Unless that is `called` like another site: versions name the pages of the canonical one.
    """
    name, home = _name(found, root), found.home
    by_name = f"{base}{quote(name)}/" if name else base
    renamed = home is not None and home not in called
    url = found.url or (home if home is not None and (renamed or name is None) else by_name)
    return Member(
        name=name or found.folder.name,
        folder=found.folder,
        url=url,
        aliases=found.aliases,
        sitemaps=found.sitemaps,
    )


def listed_sitemaps(
    among: Members, *, only_canonical: bool = False
) -> tuple[list[SitemapEntry], list[Problem]]:
    """What an index at the common folder lists, and what it does not.

    An index lists sitemaps at or below its own folder, on its host (sitemaps.org, "location").
    ``lastmod`` is the newest of a sitemap's entries, and absent unless each has one.

    Args:
        among: the sites.
        only_canonical: leave out sites none of whose pages is its own canonical one.
    """
    listed: dict[str, SitemapEntry] = {}
    problems: list[Problem] = []
    owners: dict[str, str] = {}
    for site in among.sites:
        entries = [entry for each in site.sitemaps.values() for entry in each.values()]
        canonical = [each for each in entries if not only_canonical or _is_canonical(each, among)]
        if not within(site.url, among.url):
            problems.append(_outside(site.name, f"its URL {site.url}", among.url))
        elif not canonical and entries:
            problems.append(_others(site.name, len(entries), len(entries), listed=False))
        elif site.url in owners:
            problems.append(_second(site, owners[site.url]))
        else:
            owners[site.url] = site.name
            for path, own in site.sitemaps.items():
                loc = site.url + quote(path.relative_to(site.folder).as_posix())
                lastmod = newest(entry.lastmod for entry in own.values())
                listed[loc] = SitemapEntry(loc=loc, lastmod=lastmod)
            problems.extend(_astray(site, entries, len(entries) - len(canonical)))
    return list(listed.values()), problems


def _astray(site: Member, entries: Sequence[UrlEntry], others: int) -> Iterator[Problem]:
    """What an index can't help: it lists files, with all that is in them."""
    outside = sum(not within(entry.loc, site.url) for entry in entries)
    if outside:
        yield Problem(
            code="outside",
            place=Place(origin=Origin.SITEMAP, file=site.name),
            found=f"{outside} of {len(entries)} URLs are not under {site.url}",
            done="Search engines ignore them.",
            fix="With --merge they are listed at the root.",
            note=True,
        )
    elif others:
        yield _others(site.name, others, len(entries), listed=True)


def merged(among: Members, *, only_canonical: bool = False) -> tuple[list[UrlEntry], list[Problem]]:
    """All pages under the common folder by ``loc``, each once, and what is not listed.

    Of two entries with one URL counts that of the site in which, or in an alias of which, the page
    lies; else the first.

    Args:
        among: the sites.
        only_canonical: leave out pages that name another URL as the canonical one, and those that
            are not there.
    """
    found: dict[str, tuple[bool, UrlEntry]] = {}
    problems: list[Problem] = []
    for site in among.sites:
        entries = [entry for each in site.sitemaps.values() for entry in each.values()]
        inside = [each for each in entries if within(each.loc, among.url)]
        kept = [each for each in inside if not only_canonical or _is_canonical(each, among)]
        if len(inside) < len(entries):
            what = f"{len(entries) - len(inside)} of {len(entries)} URLs"
            problems.append(_outside(site.name, what, among.url))
        if len(kept) < len(inside):
            count = len(inside) - len(kept)
            problems.append(_others(site.name, count, len(inside), listed=False))
        for entry in kept:
            own = _is_at_home(entry, site, among.url)
            if entry.loc not in found or (own and not found[entry.loc][0]):
                found[entry.loc] = own, entry
    return [entry for _, (_, entry) in sorted(found.items())], problems


def _is_at_home(entry: UrlEntry, site: Member, base: str) -> bool:
    homes = (site.url, *(f"{base}{quote(alias)}/" for alias in site.aliases))
    return any(within(entry.loc, home) for home in homes)


def _is_canonical(entry: UrlEntry, among: Members) -> bool:
    """Whether the page is there, and names no other URL than its own."""
    path = _file_of(entry.loc, among)
    built = read_built_page(path) if path else None
    if built is None or built.leads_elsewhere(entry.loc):
        return False
    return built.canonical is None or same_page(built.canonical, entry.loc, built.base)


def _file_of(loc: str, among: Members) -> Path | None:
    """The built file of a URL: in the site with the longest URL that it begins with."""
    places = [(site.url, site.folder) for site in among.sites]
    for site in among.sites:
        places += [(f"{among.url}{quote(name)}/", among.folder / name) for name in site.aliases]
    inside = [(url, folder) for url, folder in places if loc.startswith(url)]
    url, folder = max(inside, key=lambda each: len(each[0]), default=(among.url, among.folder))
    if not loc.startswith(url):
        return None
    rest = unquote(urlsplit(loc.removeprefix(url)).path)
    name = f"{rest}index.html" if rest.endswith("/") or not rest else rest
    path = Path(os.path.abspath(folder / name))  # noqa: PTH100 - resolve() follows links
    return path if path.is_relative_to(folder) and "\0" not in name else None


def _second(site: Member, first: str) -> Problem:
    return Problem(
        code="same-url",
        place=Place(origin=Origin.SITEMAP, file=site.name),
        found=f"its URL {site.url} is that of {first} as well",
        done="The site is not listed.",
        fix="If that is wrong, give its URL as DIR=URL.",
    )


def _outside(name: str, what: str, base: str) -> Problem:
    return Problem(
        code="outside",
        place=Place(origin=Origin.SITEMAP, file=name),
        found=f"{what} {'is' if what.startswith('its') else 'are'} not under {base}, "
        "and a sitemap there may list nothing else",
        done="It is not listed." if what.startswith("its") else "They are not listed.",
    )


def _others(name: str, count: int, total: int, *, listed: bool) -> Problem:
    return Problem(
        code="canonical",
        place=Place(origin=Origin.SITEMAP, file=name),
        found=f"{count} of {total} pages do not exist, redirect, or name another URL as canonical",
        done="They are listed with the others." if listed else "They are not listed.",
        fix="With --merge they are not listed." if listed else None,
        note=True,
    )


def _no_sitemap(folder: Path) -> Problem:
    return Problem(
        code="no-sitemap",
        place=Place(origin=Origin.SITEMAP, file=_shown(folder)),
        found="has no sitemap in it",
        done="It is not listed.",
    )


def _fault(name: str, found: str, fix: str | None = None) -> Problem:
    place = Place(origin=Origin.SITEMAP, file=name)
    return Problem(code="root-index", place=place, found=found, fix=fix)


def _shown(path: Path) -> str:
    """From the current folder, if it is in there."""
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()
