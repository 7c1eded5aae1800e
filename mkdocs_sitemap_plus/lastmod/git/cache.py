"""What outlives a build, for ``serve``: one HEAD a repository, and the last answers.

Each rebuild has a new `History`, and an edit without a commit changes no date. The answers are kept
since 10,000 lookups take longer than all else in a rebuild of the same HEAD: 80 ms instead of 9
(`benchmarks/hidden_start.py`).
"""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mkdocs_sitemap_plus.lastmod import Change, NoDate

Question = tuple[str, frozenset[str]]
"""What is asked for, and the paths of the files."""

Stamp = tuple[int, int, int]
"""Differs if something in a folder was added, removed, or replaced by something else."""

_MAX_REPOSITORIES = 64
_MAX_ANSWERS = 4
"""A build asks two questions: which files HEAD holds, and what dates them and their parts."""


@dataclass(slots=True)
class Known:
    """What is known of one HEAD, by path relative to the top.

    Attributes:
        listed: whether `versions` has all files of the docs folders.
        versions: mode and blob; None if HEAD does not hold the file.
        dates: the commit that dates a file, or why none does.
    """

    listed: bool = False
    versions: dict[bytes, tuple[bytes, bytes] | None] = field(default_factory=dict)
    dates: "dict[bytes, Change | NoDate]" = field(default_factory=dict)


class Answer(NamedTuple):
    """An answer, and what must not change for it to stay right.

    Attributes:
        value: the answer.
        known: what it was made from, by top folder of the repository.
        stamps: of the folders of all files, and of the folders above them.
    """

    value: Any
    known: "Mapping[Path, Known]"
    stamps: "Mapping[str, Stamp | None]"


_known: dict[Path, tuple[object, Known]] = {}
_answers: dict[Question, Answer] = {}


def known_of(top: Path, key: object) -> Known:
    """Return what is known of a repository; nothing if it was known under another key.

    Args:
        top: the top folder of the work tree.
        key: all that it depends on: the commit at HEAD, the boundary, the settings.
    """
    cached = _known.get(top)
    if cached is None or cached[0] != key:
        _make_room(_known, _MAX_REPOSITORIES)
        _known[top] = cached = key, Known()
    return cached[1]


def recall(question: Question, known_at: "Callable[[Path], Known | None]") -> Answer | None:
    """Return the answer to a question; None if something that it depends on has changed.

    Args:
        question: the question.
        known_at: returns what is known now of the repository at a top folder.
    """
    answer = _answers.get(question)
    if answer is None or any(known_at(top) is not known for top, known in answer.known.items()):
        return None
    changed = any(stamp_of(folder) != stamp for folder, stamp in answer.stamps.items())
    return None if changed else answer


def remember(question: Question, answer: Answer) -> None:
    """Keep an answer."""
    _make_room(_answers, _MAX_ANSWERS)
    _answers[question] = answer


def stamp_of(folder: str) -> Stamp | None:
    """Return the stamp of a folder; None if it can't be read."""
    try:
        status = os.stat(folder)  # noqa: PTH116 - strings: there are many folders
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns


def _make_room(cache: dict[Any, Any], most: int) -> None:
    while len(cache) >= most:
        del cache[next(iter(cache))]
