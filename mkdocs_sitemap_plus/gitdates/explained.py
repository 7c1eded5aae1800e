"""Say in one line why git failed, and what the owner of the files can do."""

import os
import shlex
from contextlib import suppress
from pathlib import Path

from .git import output
from .values import GitCode, GitFailed, GitProblem, one_line

_INSTALL = "Install git 2.31 or newer."
_PROBLEMS = {
    GitCode.UNSAFE_REPOSITORY: (
        "git refuses to read the repository, because it belongs to another user",
        "Run `git config --global --add safe.directory {folder}` before the build.",
    ),
    GitCode.NO_COMMITS: ("the git repository has no commits", "Commit the files."),
    GitCode.NO_GIT: ("{why}", _INSTALL),
    GitCode.OLD_GIT: ("git is older than 2.31", _INSTALL),
    GitCode.NEWER_GIT: (
        "the repository needs a newer git ({why})",
        "Install a newer git where the site is built.",
    ),
    GitCode.NO_TREES: (
        "the clone has no folders of older commits, as after `git clone --filter=tree:0`",
        "Run `git fetch --refetch --filter=blob:none`, or clone with `--filter=blob:none`.",
    ),
    GitCode.BROKEN_REPOSITORY: (
        "git can't read the .git of the repository",
        "Clone the repository again.",
    ),
    GitCode.LOST_REPOSITORY: (
        "the .git of the files leads to {why}, where git finds no repository",
        "Make this folder available to the build. After a move, run `git worktree repair` there.",
    ),
    GitCode.LOST_REFERENCE: (
        "the clone was made with `--reference`, and {why} is not there",
        "Make this folder available to the build, or clone without `--reference`.",
    ),
    GitCode.BARE_REPOSITORY: (
        "the repository says that it has no work tree (`core.bare`)",
        "Run `git config core.bare false` in the repository.",
    ),
    GitCode.LOST_WORK_TREE: (
        "the repository says that its work tree is in a folder that is not there (`core.worktree`)",
        "Run `git --work-tree=. config --unset core.worktree` in the repository.",
    ),
    GitCode.GIT_FAILED: (
        "git can't read the repository ({why})",
        "Run `git fsck` in the repository.",
    ),
}


def problem_of(failure: GitFailed, top: Path) -> GitProblem:
    """Return what a failure of git in the repository at `top` means, and the fix."""
    why = one_line(str(failure))
    code = failure.code
    # Git 2.55 says no more of folders that a partial clone lacks than of those of a damaged one.
    if "unable to read tree" in why and _is_partial(top):
        code = GitCode.NO_TREES
    if code is GitCode.LOST_REPOSITORY:
        why = _repository_of(top) or why
    found, fix = _PROBLEMS[code]
    folder = why or shlex.quote(str(top))
    return GitProblem(code, found.format(why=why), fix.format(folder=folder))


def _repository_of(top: Path) -> str | None:
    """Return where the file ``.git`` of a worktree or a submodule leads: git 2.55 prints (null)."""
    with suppress(OSError, ValueError):
        text = (top / ".git").read_text("utf-8", "surrogateescape")
        if text.startswith("gitdir: "):
            return one_line(os.path.normpath(top / text.removeprefix("gitdir: ").rstrip("\n")))
    return None


def _is_partial(top: Path) -> bool:
    with suppress(GitFailed):  # without such a setting
        return bool(output(top, "config", "--get-regexp", r"^remote\..*\.promisor$"))
    return False
