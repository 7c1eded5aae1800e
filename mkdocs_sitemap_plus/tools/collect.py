"""Collect all entries of a sitemap, which is a file, a folder or a URL; also those of its parts."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from decimal import Decimal
from typing import Any, NamedTuple, TypeVar, cast

from mkdocs_sitemap_plus.problems import Problem
from mkdocs_sitemap_plus.sitemap import Alternate, Changefreq, SitemapEntry, UrlEntry
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
    sitemaps: Mapping[str, Mapping[str, UrlEntry]]  # the same for each file that is no index
    files: tuple[str, ...]  # names of all files that were read, in order
    problems: tuple[Problem, ...]  # what could not be read


def collect(where: str, *, timeout: float = TIMEOUT) -> Collected:
    """Return all entries at `where`: a file, a folder with a sitemap in it, or a URL.

    The parts of an index are read from the disk or fetched, as the index. Raises SitemapError if a
    file can't be read, so that entries would be missing.
    """
    entries: dict[str, UrlEntry] = {}
    sitemaps: dict[str, dict[str, UrlEntry]] = {}
    problems: list[Problem] = []
    walk = Walk(find_sitemaps(where, timeout=timeout), timeout)
    for name, own in _sitemaps(walk, problems):
        sitemaps[name] = own
        for loc, entry in own.items():
            entries.setdefault(loc, entry)
    return Collected(entries, sitemaps, tuple(walk.names), tuple(problems))


def each_sitemap(
    where: str, *, timeout: float = TIMEOUT
) -> Iterator[tuple[str, Mapping[str, UrlEntry]]]:
    """Yield the name and the entries of each file that is no index, as `Collected.sitemaps`.

    So not all of them are held at once. Raises SitemapError as `collect`.
    """
    return _sitemaps(Walk(find_sitemaps(where, timeout=timeout), timeout), [])


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
        listed = _read(found, "sitemap", sitemap_entry, opened.name, problems)
        walk.add(opened, [(entry.loc, entry) for entry in listed])
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


_FIELDS = tuple(each.name for each in fields(UrlEntry) if each.name != "loc")


class Changed(NamedTuple):
    """The entries of a URL in both sitemaps, and the names of the fields that differ."""

    loc: str
    fields: tuple[str, ...]
    old: UrlEntry
    new: UrlEntry


class Difference(NamedTuple):
    """The entries that differ, all sorted by ``loc``; and how many are the same."""

    added: tuple[UrlEntry, ...]
    removed: tuple[UrlEntry, ...]
    changed: tuple[Changed, ...]
    unchanged: int

    @property
    def urls(self) -> tuple[str, ...]:
        """All URLs that were added, removed or changed, sorted."""
        entries = [*self.added, *self.removed, *(each.new for each in self.changed)]
        return tuple(sorted(entry.loc for entry in entries))


def difference(old: Mapping[str, UrlEntry], new: Mapping[str, UrlEntry]) -> Difference:
    """Return what changed from `old` to `new`, which are the entries of two sitemaps by ``loc``.

    Two spellings of a value are equal: 12:00+02:00 is 10:00Z. The order of alternates, images and
    videos does not matter.
    """
    both = sorted(old.keys() & new.keys())
    pairs = ((loc, _differing(old[loc], new[loc])) for loc in both if old[loc] != new[loc])
    changed = tuple(Changed(loc, names, old[loc], new[loc]) for loc, names in pairs if names)
    added = tuple(new[loc] for loc in sorted(new.keys() - old.keys()))
    removed = tuple(old[loc] for loc in sorted(old.keys() - new.keys()))
    return Difference(added, removed, changed, unchanged=len(both) - len(changed))


def _differing(old: UrlEntry, new: UrlEntry) -> tuple[str, ...]:
    pairs = ((name, getattr(old, name), getattr(new, name)) for name in _FIELDS)
    return tuple(name for name, one, other in pairs if _unordered(one) != _unordered(other))


def _unordered(value: object) -> object:
    return frozenset(value) if isinstance(value, tuple) else value
