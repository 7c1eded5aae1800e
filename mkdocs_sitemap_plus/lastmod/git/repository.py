"""The repository that a folder belongs to, and what its HEAD holds."""

import os
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs_sitemap_plus.evidence import Problem
from mkdocs_sitemap_plus.lastmod.git.process import Git, GitFailed, GitMissing

if TYPE_CHECKING:
    from collections.abc import Iterable

_UNDATED = "Pages get no date from git."


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """A repository with at least one commit, and its work tree.

    Attributes:
        top: the top folder of the work tree, without symbolic links.
        head: the full hexadecimal id of the commit that is checked out.
        boundary: the commits at which a shallow clone was cut off; they look as if they had no
            parents. Empty for a whole history.
    """

    top: Path
    head: bytes
    boundary: frozenset[bytes]

    @property
    def git(self) -> Git:
        """The git program, in this repository."""
        return Git(self.top)


def repository_of(folder: Path) -> Repository | Problem:
    """The repository whose work tree holds a folder: that of the nearest ``.git`` above it.

    Args:
        folder: an existing folder, without symbolic links.

    Returns:
        The repository, or why there is none to read, as a note with the fix.
    """
    top = next((parent for parent in (folder, *folder.parents) if _is_top(parent)), None)
    if top is None:
        return Problem(
            code="no-repository",
            found="the files are not in a git repository",
            done=_UNDATED,
            fix="Build from a clone of the repository, with its .git folder.",
            note=True,
        )
    try:
        return _read(top)
    except GitFailed as failure:
        return problem_of(failure, top)


def _read(top: Path) -> Repository:
    """What git says of it, in one call that also shows whether git can read it at all."""
    asked = ("--show-prefix", "--is-shallow-repository", "--git-path", "shallow", "HEAD")
    said = Git(top).output("rev-parse", *asked)
    prefix, shallow, *path, head = said.removesuffix(b"\n").split(b"\n")
    if prefix:  # git did not take this `.git`, but one further up
        raise GitFailed(None, "fatal: not a git repository")
    boundary = _boundary(top, b"\n".join(path)) if shallow == b"true" else frozenset[bytes]()
    return Repository(top=top, head=head, boundary=boundary)


def tracked(
    repository: Repository, pathspecs: "Iterable[bytes]"
) -> dict[bytes, tuple[bytes, bytes]]:
    """The files that HEAD holds: path to mode and blob, all as git prints them.

    Args:
        repository: where.
        pathspecs: folders and files, relative to its top; none: all that HEAD holds.

    Raises:
        GitFailed: git can't read HEAD's trees.
    """
    listed = repository.git.output(
        "ls-tree", "-r", "-z", "--full-tree", repository.head, "--", *pathspecs
    )
    entries = (entry.partition(b"\t") for entry in listed.split(b"\0") if entry)
    return {path: _mode_and_oid(meta) for meta, _, path in entries}


def problem_of(failure: GitFailed, top: Path) -> Problem:
    """What git's failure means for the owner, as a note with the fix."""
    if isinstance(failure, GitMissing):
        return Problem(
            code="no-git",
            found="the git program can't be run",
            done=_UNDATED,
            fix="Install git 2.31 or newer where the site is built.",
            note=True,
        )
    code, found, fix = next(
        (known[1:] for known in _KNOWN if re.search(known[0], failure.said)),
        ("git-failed", "git can't read the repository", "Run `git fsck` in it."),
    )
    if code == "git-failed" and (said := _first_line(failure, top)):
        found = f"{found} ({said})"
    return Problem(
        code=code,
        found=found,
        done=_UNDATED,
        fix=fix.replace("TOP", _named_by_git(failure) or shlex.quote(str(top))),
        note=True,
    )


_KNOWN = (
    (
        r"dubious ownership|unsafe repository",
        "unsafe-repository",
        "git refuses to read the repository, since it belongs to another user",
        "Run `git config --global --add safe.directory TOP` before the build.",
    ),
    (
        r"ambiguous argument 'HEAD'",
        "no-commits",
        "the git repository has no commits",
        "Commit the pages.",
    ),
    (
        r"unknown value for --diff-merges|unrecognized argument: --diff-merges",
        "old-git",
        "git is older than 2.31",
        "Install git 2.31 or newer where the site is built.",
    ),
    (
        r"promisor remote|lazy fetching disabled|not a tree object|unable to read tree",
        "no-trees",
        "the clone lacks the folders of older commits, as after `git clone --filter=tree:0`",
        "Run `git fetch --refetch --filter=blob:none`, or clone with `--filter=blob:none`.",
    ),
    (
        r"not a git repository",
        "broken-repository",
        "the .git of the repository is not one that git can read",
        "Run `git worktree repair` or `git submodule update --init` if it was moved or copied.",
    ),
)
"""What git says, the code, what was found, and the fix."""


def _named_by_git(failure: GitFailed) -> str | None:
    """The folder in git's own advice, which may be another one than the top: quoted by git."""
    advice = re.search(r"safe\.directory (.+)$", failure.said, re.MULTILINE)
    return advice[1] if advice else None


def _first_line(failure: GitFailed, top: Path) -> str:
    lines = [line for line in failure.said.splitlines() if line.startswith(("fatal:", "error:"))]
    return next(iter(lines), "").replace(str(top), ".")


def _is_top(folder: Path) -> bool:
    return os.path.lexists(folder / ".git")


def _boundary(top: Path, path: bytes) -> frozenset[bytes]:
    """The commits in git's ``shallow`` file, a full hexadecimal id a line."""
    return frozenset((top / os.fsdecode(path)).read_bytes().split())


def _mode_and_oid(meta: bytes) -> tuple[bytes, bytes]:
    mode, _, oid = meta.split(b" ")
    return mode, oid
