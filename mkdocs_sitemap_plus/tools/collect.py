"""Collect all entries of a sitemap, which is a file, a folder or a URL; also those of its parts."""

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple, TypeVar, cast

from mkdocs_sitemap_plus.problems import Problem
from mkdocs_sitemap_plus.sitemap import FIELDS, Alternate, Changefreq, SitemapEntry, UrlEntry
from mkdocs_sitemap_plus.sitemap.elements import sitemap_entry, url_entry
from mkdocs_sitemap_plus.sitemap.parse import RawElement
from mkdocs_sitemap_plus.sitemap.plain_entries import Entries, PlainEntry, root_and_entries
from mkdocs_sitemap_plus.sitemap.render import NAMESPACE
from mkdocs_sitemap_plus.tools.fetch import TIMEOUT
from mkdocs_sitemap_plus.tools.open_sitemaps import MAX_FILES, Walk, find_sitemaps, sitemap_error
from mkdocs_sitemap_plus.wording import format_value

MAX_NESTED = 3
"""How deep an index may be in other indexes. Google follows none, other search engines do."""

Entry = TypeVar("Entry", UrlEntry, SitemapEntry)


class Collected(NamedTuple):
    """All entries of a sitemap and its parts."""

    entries: Mapping[str, UrlEntry]  # by ``loc``, in order; of two, the first
    files: tuple[str, ...]  # names of all files that were read, in order
    problems: tuple[Problem, ...]  # what could not be read


def collect(where: str, *, timeout: float = TIMEOUT) -> Collected:
    """Return all entries at `where`: a file, a folder with a sitemap in it, or a URL.

    The parts of an index are read from the disk or fetched, as the index. Raises SitemapError if a
    file can't be read, so that entries would be missing.
    """
    entries: dict[str, UrlEntry] = {}
    problems: list[Problem] = []
    walk = Walk(find_sitemaps(where, timeout=timeout), timeout)
    for _, own in _sitemaps(walk, problems):
        for loc, entry in own.items():
            entries.setdefault(loc, entry)
    return Collected(entries, tuple(walk.names), tuple(problems))


def each_sitemap(where: str) -> Iterator[tuple[str, Mapping[str, UrlEntry]]]:
    """Yield the name of each file that is no index, and its entries by ``loc``.

    So not all of them are held at once. Raises SitemapError as `collect`.
    """
    return _sitemaps(Walk(find_sitemaps(where), TIMEOUT), [])


def _sitemaps(walk: Walk, problems: list[Problem]) -> Iterator[tuple[str, dict[str, UrlEntry]]]:
    for opened in walk:
        if opened.error:
            raise opened.error
        if opened.file is None:
            continue
        root, found = root_and_entries(opened.file.data, opened.name)
        if not _is_index(root, opened.name):
            own: dict[str, UrlEntry] = {}
            for entry in _read(found, "url", url_entry, opened.name, problems):
                own.setdefault(entry.loc, entry)
            yield opened.name, own
            continue
        if opened.depth == MAX_NESTED:
            nested = f"is an index in an index, more than {MAX_NESTED} deep"
            raise sitemap_error(opened.name, nested)
        walk.add(opened, [*_read(found, "sitemap", sitemap_entry, opened.name, problems)])
        if walk.size > MAX_FILES:
            raise sitemap_error(opened.name, f"leads to more than {MAX_FILES:,} files")


def _read(
    found: Entries,
    name: str,
    read: Callable[[RawElement, str], tuple[Entry | None, tuple[Problem, ...]]],
    file: str,
    problems: list[Problem],
) -> Iterator[Entry]:
    """Yield the entries of a file, and add a problem for each part of them that can't be read."""
    for element in found:
        if isinstance(element, PlainEntry):
            yield cast("Any", _plain_entry(element))
        elif (element.space, element.name) == (NAMESPACE, name):
            entry, invalid = read(element, file)
            problems.extend(invalid)
            if entry:
                yield entry


def _plain_entry(entry: PlainEntry) -> UrlEntry:
    if not (entry.changefreq or entry.priority or entry.links or entry.images):
        return UrlEntry(loc=entry.loc, lastmod=entry.lastmod)
    return UrlEntry(
        loc=entry.loc,
        lastmod=entry.lastmod,
        changefreq=Changefreq(entry.changefreq) if entry.changefreq else None,
        priority=Decimal(entry.priority) if entry.priority else None,
        alternates=tuple(Alternate(hreflang=code, href=href) for code, href in entry.links),
        images=tuple(entry.images),
    )


def _is_index(root: RawElement, name: str) -> bool:
    """Return whether a root is that of an index; raise an error if it is not that of a sitemap."""
    if root.name not in ("urlset", "sitemapindex") or root.space != NAMESPACE:
        name_and_space = f"{format_value(root.name)} of the namespace {format_value(root.space)}"
        expected = f"'urlset' or 'sitemapindex' of '{NAMESPACE}'"
        found = f"the root element is {name_and_space}, but must be {expected}"
        raise sitemap_error(name, found)
    return root.name == "sitemapindex"


class Change(NamedTuple):
    """What became of a URL from one sitemap to another."""

    old: UrlEntry | None  # None if it was added
    new: UrlEntry | None  # None if it was removed
    fields: tuple[str, ...]  # the names of those that differ, if both have the URL


def changes(old: Mapping[str, UrlEntry], new: Mapping[str, UrlEntry]) -> dict[str, Change]:
    """Return what changed from `old` to `new`, by ``loc``, sorted. Both have entries by ``loc``.

    Two spellings of a value are equal: 12:00+02:00 is 10:00Z. The order of alternates, images and
    videos does not matter.
    """
    locs = sorted(old.keys() | new.keys())
    return {loc: found for loc in locs if (found := _change(old.get(loc), new.get(loc)))}


def _change(old: UrlEntry | None, new: UrlEntry | None) -> Change | None:
    if old == new:
        return None
    if not old or not new:
        return Change(old, new, ())
    names = differing_fields(old, new)
    return Change(old, new, names) if names else None


def differing_fields(old: UrlEntry, new: UrlEntry) -> tuple[str, ...]:
    """Return the names of the fields whose values differ, as `changes` compares them."""
    pairs = ((name, getattr(old, name), getattr(new, name)) for name in FIELDS)
    return tuple(name for name, one, other in pairs if _unordered(one) != _unordered(other))


def _unordered(value: object) -> object:
    return frozenset(value) if isinstance(value, tuple) else value
