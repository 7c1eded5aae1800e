"""Two sitemaps: what was added, removed and changed, and which field."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import date
from decimal import Decimal

from mkdocs_sitemap_plus.sitemap.entry import UrlEntry
from mkdocs_sitemap_plus.sitemap.render import lastmod_text, priority_text

_FIELDS = tuple(each.name for each in fields(UrlEntry) if each.name != "loc")


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """A URL that both sitemaps have, with entries that differ.

    Attributes:
        loc: the URL.
        fields: the names of the fields that differ, in the order of the protocol.
        old: the entry before.
        new: the entry after.
    """

    loc: str
    fields: tuple[str, ...]
    old: UrlEntry
    new: UrlEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What became of a sitemap; all by ``loc``, by code point.

    Attributes:
        added: entries that only the new one has.
        removed: entries that only the old one has.
        changed: those that both have, and that differ.
        unchanged: how many are the same.
    """

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
    """What is different in `new`; both by ``loc``.

    Values are compared, not their spelling: 12:00+02:00 is 10:00Z, and the order of alternates,
    images and videos says nothing.
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


def plain(value: object) -> object:
    """A value of an entry, or a whole one, as JSON has it; what says nothing is left out."""
    if is_dataclass(value):
        pairs = ((each.name, getattr(value, each.name)) for each in fields(value))
        return {name: plain(each) for name, each in pairs if each is not None and each != ()}
    if isinstance(value, tuple):
        return [plain(each) for each in value]
    if isinstance(value, Decimal):
        return priority_text(value)
    return lastmod_text(value) if isinstance(value, date) else value
