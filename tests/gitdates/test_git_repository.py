"""The repository of a folder, and why there may be none; each reason names its fix."""

import os

import pytest
from git_repositories import files, git, line, make

from mkdocs_sitemap_plus.gitdates import GitCode, GitProblem
from mkdocs_sitemap_plus.gitdates.git import error_of, problem_of
from mkdocs_sitemap_plus.gitdates.repository import (
    Repository,
    RepositoryFinder,
    files_at_head,
)


def repository_of(top):
    """The repository of a folder."""
    return RepositoryFinder().folder(str(top))[0]


def failed(text):
    """Git ended with this error."""
    return error_of(128, text.encode())


pytestmark = pytest.mark.usefixtures("plain_git")


def test_the_nearest_git_above_a_folder(tmp_path):
    """A folder's repository is that of the nearest `.git`, as git finds it."""
    history = make(tmp_path, line(files(docs__a_md="a")))
    found = RepositoryFinder().folder(str(tmp_path / "docs" / "not" / "there"))[0]
    head = history.oids[-1].encode()
    assert found == Repository(top=tmp_path, head=head, boundary=frozenset())


def test_what_head_holds(tmp_path):
    """Tracked files come with their mode and blob, under any name."""
    tree = {
        "docs/ü.md".encode(): (b"100755", b"a"),
        b"docs/new\nline\t.md": (b"120000", b"b"),
        b"other.md": (b"100644", b""),
    }
    make(tmp_path, line(tree))
    found = repository_of(tmp_path)
    assert isinstance(found, Repository)
    held = files_at_head(found, [])
    assert {path: mode for path, (mode, _) in held.items()} == {
        path: mode for path, (mode, _) in tree.items()
    }
    assert held[b"other.md"][1] == b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    assert files_at_head(found, [b"docs"]).keys() == tree.keys() - {b"other.md"}


def test_the_boundary_of_a_shallow_clone(tmp_path):
    """A shallow clone says where it was cut off, in its worktrees too."""
    history = make(tmp_path / "whole", line(*(files(a_md=str(n)) for n in range(4))))
    git(tmp_path, "clone", "-q", "--depth=2", f"file://{history.top}", "cut")
    git(tmp_path / "cut", "worktree", "add", "-q", "--detach", tmp_path / "beside")
    for top in (tmp_path / "cut", tmp_path / "beside"):
        found = repository_of(top)
        assert isinstance(found, Repository)
        assert found.top == top
        assert found.boundary == {history.oids[-2].encode()}


def test_no_commits(tmp_path):
    """A repository right after `git init`."""
    git(tmp_path, "init", "-q")
    assert repository_of(tmp_path) == GitProblem(
        code=GitCode.NO_COMMITS,
        found="the git repository has no commits",
        fix="Commit the files.",
    )


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs to change owners"
)
def test_a_repository_of_another_user(tmp_path):
    """As in a container that builds as root: the message has git's own advice."""
    top = tmp_path / "two words"
    make(top, line(files(a_md="a")))
    for path in (top, top / ".git"):
        os.chown(path, 12345, 12345)
    assert repository_of(top) == GitProblem(
        code=GitCode.UNSAFE_REPOSITORY,
        found="git refuses to read the repository, because it belongs to another user",
        fix=f"Run `git config --global --add safe.directory '{top}'` before the build.",
    )


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs to change owners"
)
def test_a_repository_that_the_user_calls_safe(tmp_path, plain_git):
    """`safe.directory` is the user's to set."""
    top = tmp_path / "site"
    make(top, line(files(a_md="a")))
    for path in (top, top / ".git"):
        os.chown(path, 12345, 12345)
    plain_git.mkdir()
    (plain_git / ".gitconfig").write_text(f'[safe]\n\tdirectory = "{top}"\n')
    assert isinstance(repository_of(top), Repository)


BROKEN = GitProblem(
    code=GitCode.BROKEN_REPOSITORY,
    found="git can't read the .git of the repository",
    fix="If the repository was moved, run `git worktree repair` or `git submodule update --init`.",
)


def test_a_worktree_whose_repository_is_gone(tmp_path):
    """A `.git` file that points to nothing, as after copying a worktree into a container."""
    (tmp_path / ".git").write_text("gitdir: /nonexistent/.git/worktrees/site\n")
    assert repository_of(tmp_path) == BROKEN


@pytest.mark.parametrize(
    "said",
    [
        "fatal: unknown value for --diff-merges: first-parent\n",
        "fatal: unrecognized argument: --diff-merges=first-parent\n",
    ],
)
def test_a_git_that_is_too_old(tmp_path, said):
    """Git 2.30 of Debian 11, and older ones, in their words."""
    assert problem_of(failed(said), tmp_path) == GitProblem(
        code=GitCode.OLD_GIT,
        found="git is older than 2.31",
        fix="Install git 2.31 or newer.",
    )


def test_a_configuration_that_git_can_not_read(tmp_path):
    """The same, by git itself."""
    make(tmp_path, line(files(a_md="a")))
    (tmp_path / ".git/config").write_text("[broken\n")
    found = repository_of(tmp_path)
    assert isinstance(found, GitProblem)
    assert found.found == (
        "git can't read the repository (fatal: bad config line 1 in file .git/config)"
    )
