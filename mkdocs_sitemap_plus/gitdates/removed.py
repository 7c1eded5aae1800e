"""Find the commits that removed files, and the names under which these files live on."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from .log import path_text
from .process import GitFailed, output

_MAX_PATHS = 500  # paths that are given to one process, whose command line is limited
_MAX_COMMITS = 50  # commits in which a rename is looked for: one process each
_COMMIT = b"\x01"  # begins the line of a commit; no documentation has it in the name of a file


class Removed(NamedTuple):
    """The commit that removed a file.

    Attributes:
        commit: The full hexadecimal id.
        renamed_to: The path that the file got in this commit, relative to the top of the
            repository, with ``/``; None if the commit deleted it.
    """

    commit: str
    renamed_to: str | None = None


def removed(top: Path, paths: Iterable[bytes]) -> dict[bytes, Removed]:
    """Return the newest commit that removed each of these paths; without those never removed.

    Paths are relative to `top`, the top folder of the work tree. A merge counts as the commit that
    brings what it merges, as in ``git log --first-parent``. Raises GitFailed if git fails.
    """
    found: dict[bytes, bytes] = {}
    wanted = dict.fromkeys(paths)
    in_order = [*wanted]
    for start in range(0, len(wanted), _MAX_PATHS):
        some = in_order[start : start + _MAX_PATHS]
        options = ("--first-parent", "-m", "--diff-filter=D", "--name-only", "-z")
        printed = output(top, "log", *options, "--format=%x01%H", "HEAD", "--", *some)
        for lines in printed.split(_COMMIT)[1:]:
            commit, _, names = lines.partition(b"\0")
            for path in names.removeprefix(b"\n").split(b"\0"):
                found.setdefault(path, commit)
    new_names: dict[bytes, dict[bytes, bytes]] = {}
    for commit in [*dict.fromkeys(found.values())][:_MAX_COMMITS]:
        new_names[commit] = _renames(top, commit)
    answers = {}
    for path, commit in found.items():
        if path in wanted:
            new, ident = new_names.get(commit, {}).get(path), commit.decode("ascii", "replace")
            answers[path] = Removed(ident, path_text(new) if new else None)
    return answers


def _renames(top: Path, commit: bytes) -> dict[bytes, bytes]:
    """Return the new paths of the files that a commit renamed, by their old paths."""
    options = ("--first-parent", "-m", "-M", "--diff-filter=R", "--name-status", "-z", "--format=")
    try:
        parts = output(top, "log", "--no-walk", *options, commit).strip(b"\n").split(b"\0")
    except GitFailed:
        return {}  # who removed the file is known all the same
    return dict(zip(parts[1::3], parts[2::3], strict=False))
