"""Fetching what a shallow clone lacks."""

import pytest
from git_repositories import files, git, line, make
from git_settings import git_dates

from mkdocs_sitemap_plus.gitdates import GitCode

pytestmark = pytest.mark.usefixtures("plain_git")


@pytest.fixture
def cut(tmp_path):
    """A history, and a clone of its last commit."""
    trees = [files(docs__a_md="a", docs__b_md=str(n)) for n in range(4)]
    history = make(tmp_path / "whole", line(*trees))
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{history.top}", "cut")
    return history, tmp_path / "cut"


def fetched(top):
    """Dates and notes with `shallow: fetch`."""
    engine = git_dates(fetch=True)
    engine.start(top / "docs")
    found = engine.changes([top / "docs" / name for name in ("a.md", "b.md")])
    engine.close()
    return {file.name: change.commit for file, change in found.items()}, engine.problems


def test_the_missing_history_is_fetched(cut, git_calls):
    """Once; and the clone is then a whole one, not a partial one."""
    history, top = cut
    for _ in range(2):
        found, problems = fetched(top)
        assert found == {"a.md": history.oids[0], "b.md": history.oids[3]}
        assert problems == []
    assert git_calls.counted()["fetch"] == 1
    assert not (top / ".git" / "shallow").exists()
    assert "promisor" not in (top / ".git" / "config").read_text()
    assert git(top, "status", "--porcelain") == b""


@pytest.mark.parametrize("remote", ["file:///nonexistent/gone", None])
def test_a_fetch_that_fails(cut, remote):
    """One note with git's reason; the build goes on."""
    _, top = cut
    git(top, "remote", "remove", "origin")
    if remote:
        git(top, "remote", "add", "origin", remote)
    found, problems = fetched(top)
    assert found == {}
    (failed,) = problems
    assert failed.code is GitCode.FETCH
    why = "fatal: " if remote else "no remote has more of the history)"
    assert failed.found.startswith(f"the missing history can't be fetched ({why}")


def test_a_whole_clone_is_not_fetched(tmp_path, git_calls):
    """There is nothing to fetch."""
    history = make(tmp_path, line(files(docs__a_md="a", docs__b_md="b")))
    found, _ = fetched(tmp_path)
    assert found == {"a.md": history.oids[0], "b.md": history.oids[0]}
    assert git_calls.counted()["fetch"] == 0
