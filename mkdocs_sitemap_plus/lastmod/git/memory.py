"""What was read of a repository, kept while its HEAD and the settings stay: for ``serve``.

The only thing that outlives a build. Each rebuild of ``serve`` is a new plugin object, and an
uncommitted edit changes no date.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from mkdocs_sitemap_plus.lastmod.change import Change
    from mkdocs_sitemap_plus.lastmod.git.places import Group
    from mkdocs_sitemap_plus.lastmod.git.walk import Stop
    from mkdocs_sitemap_plus.lastmod.reasons import NoDate

Versions = dict[bytes, tuple[bytes, bytes]]
"""Files by path, with mode and blob, as git prints them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What dates the files of a group.

    Attributes:
        changes: by file, the commit; without those that have no date.
        undated: by file, why it has no date.
    """

    changes: "Mapping[Path, Change]"
    undated: "Mapping[Path, NoDate]"


@dataclass(slots=True)
class Memory:
    """What is known of one repository's files, by path, and what was said of groups of them.

    Attributes:
        listed: the files that HEAD holds in the docs folders; None: not asked yet.
        held: the mode and blob of a file at HEAD; None: HEAD does not hold the file.
        stops: where a file's history stops; None: nowhere.
        tracked: the files of a group that HEAD holds.
        answers: what dates the files of a group.
    """

    listed: Versions | None = None
    held: dict[bytes, tuple[bytes, bytes] | None] = field(default_factory=dict)
    stops: "dict[bytes, Stop | None]" = field(default_factory=dict)
    tracked: "WeakKeyDictionary[Group, frozenset[Path]]" = field(default_factory=WeakKeyDictionary)
    answers: "WeakKeyDictionary[Group, Answer]" = field(default_factory=WeakKeyDictionary)


_memories: "dict[Path, tuple[object, Memory]]" = {}


def memory_of(top: "Path", key: object) -> Memory:
    """What is known of the repository at `top` under `key`; what was known under another goes.

    Args:
        top: the top folder of the work tree.
        key: all that answers depend on: the commit at HEAD, the boundary, the settings.
    """
    known = _memories.get(top)
    if known is None or known[0] != key:
        _memories[top] = known = (key, Memory())
    return known[1]
