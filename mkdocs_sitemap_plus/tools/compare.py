"""Compare two sitemaps: which entries were added, removed or changed, and in which fields."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from mkdocs_sitemap_plus.sitemap.entry import UrlEntry

_FIELDS = tuple(each.name for each in fields(UrlEntry) if each.name != "loc")


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """The entries of a URL in both sitemaps, and the names of the fields that differ."""

    loc: str
    fields: tuple[str, ...]
    old: UrlEntry
    new: UrlEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
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
    pairs = ((loc, _differing(old[loc], new[loc])) for loc in both)
    changed = tuple(
        Changed(loc=loc, fields=names, old=old[loc], new=new[loc]) for loc, names in pairs if names
    )
    return Difference(
        added=tuple(new[loc] for loc in sorted(new.keys() - old.keys())),
        removed=tuple(old[loc] for loc in sorted(old.keys() - new.keys())),
        changed=changed,
        unchanged=len(both) - len(changed),
    )


def _differing(old: UrlEntry, new: UrlEntry) -> tuple[str, ...]:
    if old == new:
        return ()
    return tuple(
        name for name in _FIELDS if _unordered(getattr(old, name)) != _unordered(getattr(new, name))
    )


def _unordered(value: object) -> object:
    return frozenset(value) if isinstance(value, tuple) else value
