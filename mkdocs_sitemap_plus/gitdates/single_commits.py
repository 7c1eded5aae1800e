"""Say what git has of single commits, and what their owner says of them."""

import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from .git import output
from .log import Blobs, Body, Diffs
from .query import read_ignored
from .values import GitFailed

_MAX_COMMITS = 500  # that are given to one process, whose command line is limited


_ID = re.compile("[0-9a-f]{40}|[0-9a-f]{64}")


def _about(top: Path, commits: Iterable[str], *options: str) -> dict[str, str]:
    """Return what ``git log`` prints of commits with these options, by their whole ids.

    Ids that are none are left out, as is all that git can't read.
    """
    ids, found = [each for each in dict.fromkeys(commits) if _ID.fullmatch(each)], dict[str, str]()
    for start in range(0, len(ids), _MAX_COMMITS):
        some = ids[start : start + _MAX_COMMITS]
        with suppress(GitFailed):
            printed = output(top, "log", "--no-walk=unsorted", *options, *some, "--")
            for part in printed.decode("utf-8", "replace").split("\0")[1:]:
                commit, _, text = part.partition("\n")
                found[commit] = text.strip()
    return found


def subjects(repository: Path, commits: Iterable[str]) -> dict[str, str]:
    """Return the subjects of commits by their whole ids, as far as git can read them."""
    return _about(repository, commits, "--format=%x00%H%n%s", "--no-patch")


def sizes(repository: Path, commits: Iterable[str]) -> dict[str, str]:
    """Return what git says of the sizes of commits, such as ``1 file changed, 2 deletions(-)``.

    A merge is compared with its first parent.
    """
    words = ("--format=%x00%H", "--shortstat", "--diff-merges=first-parent")
    return _about(repository, commits, *words)


def unchanged(
    repository: Path, commit: str, before: str, paths: Iterable[str], body: Body
) -> set[str]:
    """Return those of these files in which a commit changed nothing of what counts.

    `before` is the commit that it is compared with. `body` returns what counts of a file, by its
    path and its content; white space does not count.
    """
    found = set[str]()
    if not _ID.fullmatch(commit) or not _ID.fullmatch(before):
        return found
    with suppress(GitFailed, ValueError):
        diffs, blobs = Diffs(repository, ()), Blobs(repository)
        try:
            edits = diffs.edits(commit.encode(), before.encode())
            for path in {*paths}:
                edit = edits.get(path.encode("utf-8", "surrogateescape"))
                if edit and edit.regular:
                    old, new = blobs.read(edit.old_blob, edit.new_blob)
                    if body(path, old).split() == body(path, new).split():
                        found.add(path)
        finally:
            diffs.git.stop()
            blobs.stop()
    return found


def origin(repository: Path) -> str:
    """Return the URL of the remote ``origin`` as git has it; empty if there is none."""
    with suppress(GitFailed):
        printed = output(repository, "config", "--local", "--get-all", "remote.origin.url")
        return printed.decode("utf-8", "replace").partition("\n")[0]
    return ""


def is_kept(commit: str, file: Path) -> bool:
    """Return whether a file that lists ignored commits has this commit in a comment.

    So the owner says that the dates of this commit are right.
    """
    try:
        lines = file.read_text("utf-8", "replace")
    except (OSError, ValueError):
        return False
    return any(commit in line.partition("#")[2] for line in lines.splitlines())


def is_ignored(commit: str, file: Path) -> bool:
    """Return whether a file that lists ignored commits has this one."""
    ids, _ = read_ignored(file, None)
    return bool(ids) and commit.encode().startswith(ids)
