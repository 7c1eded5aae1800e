"""What ``serve`` keeps between builds: the files of one HEAD per repository, and the last answers.

Each rebuild has a new `History`. An edit without a commit changes no date. Answers are kept since
10,000 lookups take 80 ms, and all else in a rebuild of the same HEAD takes 9 ms
(`benchmarks/hidden_start.py`).
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.lastmod import Change, NoDate

Question = tuple[str, frozenset[str]]  # the function that answers it, and the paths of the files
Dates = dict[bytes, Change | NoDate]  # by path, the commit that dates a file, or why none does
Stamp = tuple[int, int, int]
"""A number of the state of a folder: it changes if a name in the folder is added or removed."""

_MAX_REPOSITORIES = 64
_MAX_ANSWERS = 4
"""A build asks two questions: which files HEAD holds, and which commits date them."""


class Head:
    """What was read of the commit at HEAD, by path relative to the top."""

    def __init__(self, key: object) -> None:
        self.key = key  # all that dates depend on
        self.listed = False  # whether `versions` has all files of the docs folders
        self.versions: dict[bytes, tuple[bytes, bytes] | None] = {}  # mode and blob; None: not held
        self.dates: Dates = {}


class Answer(NamedTuple):
    """An answer, and what must not change for it to stay right."""

    value: Any
    heads: Mapping[Path, Head]  # by top folder of the repository
    stamps: Mapping[str, Stamp | None]  # of the folders of all files, and of those above them


_heads: dict[Path, Head] = {}
_answers: dict[Question, Answer] = {}


def head_of(top: Path, key: object) -> Head:
    """Return what was read of a repository's HEAD; an empty value if the key has changed."""
    if top not in _heads or _heads[top].key != key:
        _keep(_heads, top, Head(key), _MAX_REPOSITORIES)
    return _heads[top]


def recall(question: Question, head_at: Callable[[Path], Head | None]) -> Answer | None:
    """Return the kept answer to a question, if it is still right with the present heads."""
    answer = _answers.get(question)
    if answer is None or any(head_at(top) is not head for top, head in answer.heads.items()):
        return None
    changed = any(stamp_of(folder) != stamp for folder, stamp in answer.stamps.items())
    return None if changed else answer


def remember(question: Question, answer: Answer) -> None:
    """Keep an answer."""
    _keep(_answers, question, answer, _MAX_ANSWERS)


def stamp_of(folder: str) -> Stamp | None:
    """Return the stamp of a folder; None if it can't be read."""
    try:
        status = os.stat(folder)  # noqa: PTH116 - strings: there are many folders
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns


def _keep(cache: dict[Any, Any], key: object, value: object, most: int) -> None:
    while len(cache) >= most:
        del cache[next(iter(cache))]
    cache[key] = value
