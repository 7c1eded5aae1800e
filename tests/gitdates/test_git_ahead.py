"""The walk that begins ahead of its time."""

import tempfile
from collections import Counter
from pathlib import Path

import pytest
from git_fixtures import lives
from git_repositories import files, git, line, make
from git_settings import git_dates

pytestmark = pytest.mark.usefixtures("plain_git")


def open_files():
    """The files that this process holds open."""
    links = Path("/proc/self/fd").iterdir()
    return Counter(str(link.readlink()) for link in links if link.is_symlink())


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks into /proc")
def test_what_was_begun_and_never_asked_for(tmp_path, monkeypatch, slow):
    """Closing ends it: no process is left, and no file."""
    make(tmp_path / "site", line(files(docs__a_md="a")))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    before = open_files()
    engine = git_dates()
    engine.start(tmp_path / "site" / "docs")
    slow.wait()
    (pid,) = slow.pids()
    assert lives(pid)
    engine.close()
    assert not lives(pid)
    assert list((tmp_path / "temporary").iterdir()) == []
    assert not open_files() - before
    engine.close()


def test_pages_that_git_does_not_hold_wait_for_no_walk(tmp_path, slow):
    """Nothing of it is needed, so it is ended, not waited for."""
    make(tmp_path / "site", line(files(docs__a_md="a")))
    engine = git_dates()
    engine.start(tmp_path / "site" / "docs")
    slow.wait()
    assert engine.changes([tmp_path / "site" / "docs" / "new.md"]) == {}
    engine.close()
    assert not any(map(lives, slow.pids()))


def test_no_git_when_it_begins(tmp_path, monkeypatch):
    """One note, and no more when dates are asked for."""
    make(tmp_path, line(files(docs__a_md="a")))
    monkeypatch.setenv("PATH", str(tmp_path))
    engine = git_dates()
    engine.start(tmp_path / "docs")
    assert engine.changes([tmp_path / "docs" / "a.md"]) == {}
    assert [problem.code for problem in engine.problems] == ["no-git"]
    engine.close()


def test_two_docs_folders_of_one_repository(tmp_path, git_calls):
    """The walk begins anew over both; the first one is ended."""
    other = "docs/de"
    trees = [
        {b"docs/a.md": (b"100644", b"a"), f"{other}/b.md".encode(): (b"100644", b"%d" % n)}
        for n in range(3)
    ]
    history = make(tmp_path, line(*trees))
    engine = git_dates()
    for folder in ("docs", other, "docs"):
        engine.start(tmp_path / folder)
    pages = [tmp_path / "docs/a.md", tmp_path / other / "b.md"]
    found = [change.commit for change in engine.changes(pages).values()]
    assert found == [history.oids[0], history.oids[2]]
    engine.close()
    assert git_calls.counted()["rev-parse"] == 1
    assert git_calls.counted()["log"] <= 2


@pytest.mark.fault("there is a new commit during the build")
def test_a_head_that_moves_while_a_build_runs(tmp_path):
    """All of a build is of the commit at which it began."""
    history = make(tmp_path, line(files(docs__a_md="1"), files(docs__a_md="2")))
    engine = git_dates()
    engine.start(tmp_path / "docs")
    git(tmp_path, "update-ref", "HEAD", history.oids[0])
    found = engine.changes([tmp_path / "docs" / "a.md"])
    assert [change.commit for change in found.values()] == [history.oids[1]]
    engine.close()
