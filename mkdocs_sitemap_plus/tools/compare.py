"""Compare two sitemaps: what was added, removed and changed, and which field."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from mkdocs_sitemap_plus.sitemap.entry import UrlEntry

_FIELDS = tuple(each.name for each in fields(UrlEntry) if each.name != "loc")


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A URL that both sitemaps have, and the fields that differ, in the order of the protocol."""

    loc: str
    fields: tuple[str, ...]
    old: UrlEntry
    new: UrlEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The entries that only one of two sitemaps has, or that differ; all sorted by ``loc``."""

    added: tuple[UrlEntry, ...]
    removed: tuple[UrlEntry, ...]
    changed: tuple[Changed, ...]
    unchanged: int

    @property
    def urls(self) -> tuple[str, ...]:
        """All URLs that were added, removed or changed."""
        entries = [*self.added, *self.removed, *(each.new for each in self.changed)]
        return tuple(sorted(entry.loc for entry in entries))


def difference(old: Mapping[str, UrlEntry], new: Mapping[str, UrlEntry]) -> Difference:
    """Return what is different in `new`; both are entries by ``loc``.

    Values are compared, not their spelling: 12:00+02:00 is 10:00Z. The order of alternates, images
    and videos does not matter.
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
