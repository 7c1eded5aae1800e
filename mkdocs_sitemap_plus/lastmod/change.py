"""The commit that dates a file, and what was skipped on the way to it."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """Something that was looked at and did not decide.

    Attributes:
        what: a commit's full id, or a file's path.
        why: the reason in a few words, such as ``renamed from docs/old.md``.
    """

    what: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """The commit that dates a file.

    Attributes:
        repository: the top folder of the work tree.
        path: the file's path in that commit, relative to ``repository``, with ``/``; bytes that are
            not UTF-8 are kept as surrogate escapes.
        commit: the full hexadecimal id of the commit.
        when: its date, aware and in UTC, whole seconds.
        skipped: newer commits that changed the file and do not count, newest first.
        added: whether the commit added the file; if not, the file has an older date.
        file: the name of the dates file that remembers it; None: git said so itself.
    """

    repository: Path
    path: str
    commit: str
    when: datetime
    skipped: tuple[Skipped, ...] = ()
    added: bool = False
    file: str | None = None
