"""What is kept of git while serving: each rebuild is a new engine in the same process."""

import pytest
from git_repositories import files, git, line, make
from git_settings import Options, git_dates

pytestmark = pytest.mark.usefixtures("plain_git")


def rebuild(docs, *names, **settings):
    """One build's commits, by page."""
    engine = git_dates(Options(**settings))
    engine.start(docs)
    found = engine.changes([docs / name for name in names])
    engine.close()
    return {file.name: change.commit for file, change in found.items()}


def test_the_same_head_is_walked_once(tmp_path, git_calls):
    """A rebuild asks git only where HEAD is, whatever was edited or added without a commit."""
    history = make(tmp_path, line(files(docs__a_md="a", docs__b_md="b")))
    git(tmp_path, "reset", "-q", "--hard")
    docs = tmp_path / "docs"
    first = rebuild(docs, "a.md", "b.md")
    assert first == {"a.md": history.oids[0], "b.md": history.oids[0]}
    once = git_calls.counted()
    assert once["log"] == 1
    (docs / "a.md").write_text("edited")
    assert rebuild(docs, "a.md", "b.md") == first
    assert git_calls.counted() - once == {"rev-parse": 1}
    (docs / "new.md").write_text("new")
    assert rebuild(docs, "a.md", "b.md", "new.md") == first
    assert rebuild(docs, "a.md", "b.md", "new.md") == first
    # Once it asks of what HEAD holds that the new file could be a copy.
    assert git_calls.counted() - once == {"rev-parse": 3, "ls-tree": 1, "check-ignore": 2}


def test_a_new_commit_while_serving(tmp_path, git_calls):
    """It is seen at the next rebuild, with one more walk."""
    history = make(tmp_path, line(files(docs__a_md="a", docs__b_md="b")))
    git(tmp_path, "reset", "-q", "--hard")
    docs = tmp_path / "docs"
    rebuild(docs, "a.md", "b.md")
    (docs / "a.md").write_text("new")
    git(tmp_path, "commit", "-q", "-a", "-m", "new")
    head = git(tmp_path, "rev-parse", "HEAD").decode().strip()
    once = git_calls.counted()
    for _ in range(2):
        assert rebuild(docs, "a.md", "b.md") == {"a.md": head, "b.md": history.oids[0]}
    assert git_calls.counted() - once == {"rev-parse": 2, "log": 1, "ls-tree": 1}


def test_a_page_of_head_that_was_not_asked_for_before(tmp_path, git_calls):
    """A page that comes into the site later is walked for, and then known too."""
    history = make(tmp_path, line(files(docs__a_md="a", docs__b_md="b")))
    docs = tmp_path / "docs"
    assert rebuild(docs, "a.md") == {"a.md": history.oids[0]}
    for _ in range(2):
        assert rebuild(docs, "a.md", "b.md").keys() == {"a.md", "b.md"}
    assert git_calls.counted()["log"] == 2


def test_a_clone_that_is_completed_while_serving(tmp_path, git_calls):
    """The same HEAD, but another boundary: it is walked anew, and dates come."""
    history = make(tmp_path / "whole", line(files(docs__a_md="1"), files(docs__a_md="1", x="x")))
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{history.top}", "cut")
    docs = tmp_path / "cut" / "docs"
    for _ in range(2):
        assert rebuild(docs, "a.md") == {}
    assert git_calls.counted()["log"] == 1
    git(tmp_path / "cut", "fetch", "-q", "--unshallow")
    assert rebuild(docs, "a.md") == {"a.md": history.oids[0]}


def test_a_page_that_becomes_a_link_while_serving(tmp_path, git_calls):
    """It is dated by what it leads to from then on, and by the next thing when that changes."""
    trees = files(docs__a_md="a", docs__b_md="b"), files(docs__a_md="a", docs__b_md="c")
    history = make(tmp_path, line(*trees))
    git(tmp_path, "reset", "-q", "--hard")
    docs = tmp_path / "docs"
    assert rebuild(docs, "a.md") == {"a.md": history.oids[0]}
    (docs / "a.md").unlink()
    (docs / "a.md").symlink_to("b.md")
    assert rebuild(docs, "a.md") == {"a.md": history.oids[1]}
    (docs / "link.md").symlink_to("a.md")
    assert rebuild(docs, "link.md") == {"link.md": history.oids[1]}
    (docs / "a.md").unlink()
    (docs / "a.md").write_text("a")
    assert rebuild(docs, "link.md", "a.md") == dict.fromkeys(("link.md", "a.md"), history.oids[0])
    assert git_calls.counted()["log"] <= 2


def test_a_folder_that_becomes_a_repository_while_serving(tmp_path):
    """The nearest repository is asked, as it is at each rebuild."""
    history = make(tmp_path, line(files(docs__part__a_md="a")))
    git(tmp_path, "reset", "-q", "--hard")
    docs = tmp_path / "docs"
    assert rebuild(docs, "part/a.md") == {"a.md": history.oids[0]}
    inner = make(docs / "part", line(files(a_md="b")))
    assert rebuild(docs, "part/a.md") == {"a.md": inner.oids[0]}
    (docs / "part" / ".git").rename(tmp_path / "away")
    assert rebuild(docs, "part/a.md") == {"a.md": history.oids[0]}
