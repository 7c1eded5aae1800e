"""The repository of a folder, and why there may be none; each reason names its fix."""

import os
import subprocess

import pytest
from git_repositories import files, git, line, make

from mkdocs_sitemap_plus.gitdates import GitCode, GitDates, GitProblem
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


def test_an_empty_git_folder(tmp_path):
    """As a volume or a cache leaves it."""
    (tmp_path / ".git").mkdir()
    assert repository_of(tmp_path) == GitProblem(
        code=GitCode.BROKEN_REPOSITORY,
        found="git can't read the .git of the repository",
        fix="Clone the repository again.",
    )


UNSET = "git --work-tree=. config --unset core.worktree"


@pytest.mark.parametrize(
    ("key", "value", "code", "mend"),
    [
        ("core.bare", "true", "bare-repository", "git config core.bare false"),
        *(
            ("core.worktree", value, "lost-work-tree", UNSET)
            for value in ("/gone/below", "../../gone", "{}/gone")
        ),
    ],
)  # fmt: skip
def test_settings_that_take_the_work_tree_away(tmp_path, key, value, code, mend):
    """As tools with worktrees leave them. What the message says helps."""
    top = tmp_path / "site"
    make(top, line(files(docs__a_md="a")))
    (top / "docs").mkdir()
    git(top, "config", key, value.format(tmp_path))
    problem = repository_of(top)
    assert problem.code == code
    assert f"`{key}`" in problem.found
    assert problem.fix == f"Run `{mend}` in the repository."
    subprocess.run(mend.split(), cwd=top / "docs", check=True)
    assert repository_of(top) == Repository(top, git(top, "rev-parse", "HEAD").strip(), frozenset())


def lost(folder):
    """The problem of a .git file that leads to a folder which is not there."""
    return GitProblem(
        code=GitCode.LOST_REPOSITORY,
        found=f"the .git of the files leads to {folder}, where git finds no repository",
        fix="Make this folder available to the build. After a move, run `git worktree repair` "
        "there.",
    )


def test_a_worktree_whose_repository_is_not_there(tmp_path):
    """As in a container that has the worktree alone: the folder that is missing is named.

    Once it is there, or after a move repaired as the message says, the worktree is read.
    """
    main = make(tmp_path / "main", line(files(a_md="a"))).top
    beside = tmp_path / "beside"
    git(main, "worktree", "add", "-q", beside)
    git_folder = main / ".git" / "worktrees" / "beside"
    main.rename(tmp_path / "moved")
    assert repository_of(beside) == lost(git_folder)
    git(tmp_path / "moved", "worktree", "repair")
    assert isinstance(repository_of(beside), Repository)


def test_a_submodule_without_the_repository_around_it(tmp_path):
    """Its .git names a folder by a way through the parents."""
    (tmp_path / "docs" / "sub").mkdir(parents=True)
    (tmp_path / "docs" / "sub" / ".git").write_text("gitdir: ../../.git/modules/sub\n")
    assert repository_of(tmp_path / "docs" / "sub") == lost(tmp_path / ".git/modules/sub")


def test_a_clone_whose_reference_is_gone(tmp_path):
    """As of `git clone --reference` on a machine of CI, in a container that lacks this folder."""
    whole = make(tmp_path / "whole", line(files(a_md="a"))).top
    git(tmp_path, "clone", "-q", "--bare", whole, "cache")
    git(tmp_path, "clone", "-q", "--reference", tmp_path / "cache", f"file://{whole}", "clone")
    (tmp_path / "cache").rename(tmp_path / "gone")
    engine = GitDates()
    engine.last_changes([tmp_path / "clone" / "a.md"])
    assert engine.problems == [
        GitProblem(
            code=GitCode.LOST_REFERENCE,
            found=f"the clone was made with `--reference`, and {tmp_path / 'cache' / 'objects'} is "
            "not there",
            fix="Make this folder available to the build, or clone without `--reference`.",
        )
    ]


def test_a_repository_for_a_newer_git(tmp_path):
    """As one that the git of the host made, read by the older one of an image: by git itself."""
    make(tmp_path, line(files(a_md="a")))
    config = tmp_path / ".git" / "config"
    config.write_text("[core]\n\trepositoryformatversion = 1\n[extensions]\n\tlater = x\n")
    assert repository_of(tmp_path) == GitProblem(
        code=GitCode.NEWER_GIT,
        found="the repository needs a newer git (later)",
        fix="Install a newer git where the site is built.",
    )
    config.write_text("[core]\n\trepositoryformatversion = 99\n")
    found = repository_of(tmp_path)
    assert isinstance(found, GitProblem)
    assert found.found == (
        "the repository needs a newer git (Expected git repo version <= 1, found 99)"
    )


def test_several_extensions_that_git_does_not_know(tmp_path):
    """Git names each in a line of its own."""
    said = "fatal: unknown repository extensions found:\n\trefstorage\n\trelativeworktrees\n"
    assert problem_of(failed(said), tmp_path).found == (
        "the repository needs a newer git (refstorage, relativeworktrees)"
    )


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
