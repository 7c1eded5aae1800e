"""Which files does a page take in? One walk over the names in its text, whichever builder reads it.

A builder's texts name files, and these name further ones. What a name means is asked of `mkdocs`,
for the plugins and extensions of MkDocs, or of `other_builders`. They differ on purpose:

- MkDocs reads the disk, and goes on without a file that is missing: the page keeps its date.
- With another builder only the files at HEAD are known, and a name without one may mean anything:
  the page has no date.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

from mkdocs_sitemap_plus.generator.pages import Parts

T = TypeVar("T")


class Meaning(NamedTuple, Generic[T]):
    """What a name in a text means: files, or why not; and the names to look up next."""

    files: tuple[Path, ...] = ()
    inner: Iterable[T] = ()
    missing: str | None = None  # the name, if there is no such file
    unsearched: tuple[str, str] | None = None  # the name, and why files were not searched
    unknown: str | None = None  # what nobody but the builder can tell


def find_parts(
    source: Path | None, names: Iterable[T], look_up: Callable[[T], Meaning[T]]
) -> Parts:
    """Return the parts of the page of a source: of its `names`, and of the names in these files."""
    found, pending, seen = list[Meaning[T]](), [*names], set[T]()
    while pending:
        name = pending.pop()
        if name not in seen:
            seen.add(name)
            found.append(meaning := look_up(name))
            pending += meaning.inner
    return Parts(
        files=frozenset(path for each in found for path in each.files) - {source},
        missing=tuple(sorted({each.missing for each in found if each.missing})),
        unsearched=tuple(sorted({each.unsearched for each in found if each.unsearched})),
        unknown=tuple(sorted({each.unknown for each in found if each.unknown})),
    )
