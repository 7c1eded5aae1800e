"""The repository that a folder belongs to, and what its HEAD holds."""

import os
import re
import shlex
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs_sitemap_plus.lastmod.git.process import (
    Git,
    GitBrokeOff,
    GitFailed,
    GitMissing,
    GitUnexpected,
)
from mkdocs_sitemap_plus.lastmod.git.tokens import tokens
from mkdocs_sitemap_plus.problems import Problem
from mkdocs_sitemap_plus.wording import printable, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable

_UNDATED = "Pages get no date from git."

_ID = re.compile(rb"[0-9a-f]{40}|[0-9a-f]{64}")
_ANSWER = re.compile(
    rb"(?P<prefix>|.*/)\n(?P<shallow>true|false)\n(?P<path>.*shallow)\n(?P<head>%b)\n"
    % _ID.pattern,
    re.DOTALL,
)
_ENTRY = re.compile(
    rb"(?P<mode>[0-7]{6}) (?P<type>blob|commit) (?P<oid>%b)\t(?P<path>.+)" % _ID.pattern,
    re.DOTALL,
)


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
    """Ask git, in one call that also shows whether git can read the repository at all.

    Raises:
        GitFailed: it can't.
    """
    asked = ("--show-prefix", "--is-shallow-repository", "--git-path", "shallow", "HEAD")
    printed = Git(top).output("rev-parse", *asked)
    found = _ANSWER.fullmatch(printed)
    if found is None:
        raise GitUnexpected(printed)
    if found["prefix"]:  # git did not take this `.git`, but one further up
        raise GitFailed(None, "fatal: not a git repository", "rev-parse")
    cut = found["shallow"] == b"true"
    boundary = _boundary(top, found["path"]) if cut else frozenset[bytes]()
    return Repository(top=top, head=found["head"], boundary=boundary)


def tracked(
    repository: Repository, pathspecs: "Iterable[bytes]"
) -> dict[bytes, tuple[bytes, bytes]]:
    """The files that HEAD holds, without submodules: path to mode and blob, as git prints them.

    Args:
        repository: where.
        pathspecs: folders and files, relative to its top; none: all that HEAD holds.

    Raises:
        GitFailed: git can't read HEAD's trees.
    """
    found = {}
    options = ("-r", "-z", "--full-tree")
    with repository.git.start("ls-tree", *options, repository.head, "--", *pathspecs) as running:
        for token in chain.from_iterable(tokens(running)):
            if (entry := _ENTRY.fullmatch(token)) is None:
                raise GitUnexpected(token)
            if entry["type"] == b"blob":
                found[entry["path"]] = entry["mode"], entry["oid"]
    return found


def problem_of(failure: GitFailed, top: Path) -> Problem:
    """What git's failure means for the owner, as a note with the fix."""
    known = None if isinstance(failure, GitMissing) else _known(failure, top)
    code, found, fix = known or _unknown(failure, top)
    return Problem(code=code, found=found, done=_UNDATED, fix=fix, note=True)


def reason_of(failure: GitFailed, top: Path) -> str:
    """What git wrote about its failure, in one short line; else how it ended."""
    lines = failure.said.replace(str(top), ".").splitlines()
    errors = [line for line in lines if line.startswith(("fatal:", "error:"))]
    text = next((line.strip() for line in (*errors, *reversed(lines)) if line.strip()), "")
    if not text and failure.code is not None:
        killed = failure.code < 0
        text = f"killed by signal {-failure.code}" if killed else f"exit status {failure.code}"
    return shorten(printable(text))


def _known(failure: GitFailed, top: Path) -> tuple[str, str, str] | None:
    """The code, what was found, and the fix, where git's words say what is wrong."""
    for pattern, code, found, fix in _KNOWN:
        if re.search(pattern, failure.said, re.MULTILINE):
            named = _named_by_git(failure) or shlex.quote(str(top))
            return code, found, fix.replace("TOP", printable(named))
    return None


def _unknown(failure: GitFailed, top: Path) -> tuple[str, str, str]:
    """The same for all other failures, in git's words."""
    reason = reason_of(failure, top)
    if isinstance(failure, GitMissing):
        found = f"the git program can't be run ({reason})" if reason else _MISSING
        return "no-git", found, "Install git 2.31 or newer where the site is built."
    if isinstance(failure, (GitBrokeOff, GitUnexpected)):
        return "git-failed", reason, "Check which program runs as `git`, and run `git fsck`."
    found = f"git can't read the repository (git {failure.command}: {reason})"
    return "git-failed", found, "Run `git fsck` in it."


_MISSING = "the git program can't be run"

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
        r"unknown value for --|unrecognized argument|^[Uu]nknown option|^usage: git|--is-shallow",
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


def _is_top(folder: Path) -> bool:
    return os.path.lexists(folder / ".git")


def _boundary(top: Path, path: bytes) -> frozenset[bytes]:
    """The commits in git's ``shallow`` file, a full hexadecimal id a line.

    Raises:
        GitFailed: the file can't be read, or holds something else.
    """
    try:
        lines = (top / os.fsdecode(path)).read_bytes().split()
    except OSError as error:
        raise GitFailed(None, f"error: shallow: {error.strerror}", "rev-parse") from error
    if invalid := next((line for line in lines if not _ID.fullmatch(line)), None):
        raise GitUnexpected(invalid)
    return frozenset(lines)
