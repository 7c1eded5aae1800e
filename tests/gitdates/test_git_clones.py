"""Dates of pages in submodules, worktrees, and clones without all of the history."""

import shutil

import pytest
from git_answers import ask, commits_of
from git_repositories import files, git, line, make
from git_settings import TRIED, Options, git_dates
from quantity import more_at_length

from mkdocs_sitemap_plus.gitdates import GitChange, GitCode, GitProblem, GitReason, NoDate

pytestmark = [pytest.mark.usefixtures("plain_git"), more_at_length]


# Several repositories


def test_a_submodule_is_a_repository_of_its_own(tmp_path, git_calls):
    """Pages in it are dated by its history; the outer one knows only which commit it is at."""
    inner = make(tmp_path / "inner", line(files(guide_md="a"), files(guide_md="b")))
    outer = make(tmp_path / "outer", line(files(docs__a_md="a")))
    git(outer.top, "reset", "-q", "--hard")
    git(outer.top, "submodule", "--quiet", "add", str(inner.top), "docs/sub")
    git(outer.top, "commit", "-q", "-m", "submodule")
    docs = outer.top / "docs"
    found, problems = ask(docs, "a.md", "sub/guide.md")
    assert problems == []
    assert {change.repository: change.commit for change in found.values()} == {
        outer.top: outer.oids[0],
        docs / "sub": inner.oids[1],
    }
    assert git_calls.counted()["log"] == 2


def test_a_worktree(tmp_path):
    """A second work tree has its own HEAD."""
    history = make(tmp_path / "site", line(files(docs__a_md="a"), files(docs__a_md="b")))
    beside = tmp_path / "beside"
    git(history.top, "worktree", "add", "-q", "--detach", beside, history.oids[0])
    found, _ = ask(beside / "docs", "a.md")
    assert [(c.repository, c.commit) for c in found.values()] == [(beside, history.oids[0])]


def test_sha256(tmp_path):
    """A repository with the longer ids."""
    history = make(
        tmp_path,
        line(
            files(docs__a_md=""),
            files(docs__b_md="", docs__c_md="c"),
            files(docs__b_md="", docs__d_md="c"),
        ),
        "--object-format=sha256",
    )
    assert len(history.oids[0]) == 64
    found = commits_of(tmp_path / "docs", "b.md", "d.md", settings=Options(change=GitChange.BODY))
    assert found == {"b.md": history.oids[1], "d.md": history.oids[1]}


# Cut-off and broken histories


@pytest.fixture
def cut(tmp_path):
    """A clone of the last three of five commits."""
    trees = [files(docs__a_md="a", docs__b_md=text, docs__c_md="c") for text in "12345"]
    trees[-1] |= files(docs__d_md="d")
    history = make(tmp_path / "whole", line(*trees))
    git(tmp_path, "clone", "-q", "--depth=3", f"file://{history.top}", "cut")
    return history, tmp_path / "cut"


def hidden(engine, *paths):
    """The names of files whose date is hidden by the boundary of a shallow clone."""
    dates = engine.last_changes(paths).items()
    undated = {file.name: date.reason for file, date in dates if isinstance(date, NoDate)}
    return {name for name, reason in undated.items() if reason is GitReason.SHALLOW}


def test_a_shallow_clone_hides_some_dates(cut):
    """Only what the boundary hides has no date."""
    history, top = cut
    for settings in TRIED:
        engine = git_dates(settings)
        engine.start(top / "docs")
        paths = [top / "docs" / name for name in ("a.md", "b.md", "c.md", "d.md")]
        found = engine.changes(paths)
        commits = {file.name: change.commit for file, change in found.items()}
        assert commits == {"b.md": history.oids[4], "d.md": history.oids[4]}
        assert hidden(engine, *paths) == {"a.md", "c.md"}
        assert engine.problems == []
        engine.close()


def test_a_clone_without_old_files_fetches_none(tmp_path):
    """`--filter=blob:none` has all that the dates need; nothing is fetched.

    With `body`, what was changed has no date, also after the first file that is missing.
    """
    trees = (files(docs__a_md=text, docs__b_md="b", docs__c_md=f"c{text}") for text in "1234")
    history = make(tmp_path / "whole", line(*trees))
    git(history.top, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{history.top}", "partial")
    shutil.move(history.top, tmp_path / "gone")  # a fetch fails
    for settings in TRIED:
        docs = tmp_path / "partial" / "docs"
        found, problems = ask(docs, "a.md", "b.md", "c.md", settings=settings)
        commits = {file.name: change.commit for file, change in found.items()}
        changed = {} if settings.change is GitChange.BODY else dict.fromkeys(("a.md", "c.md"), 3)
        places = {"b.md": 0, **changed}
        assert commits == {name: history.oids[place] for name, place in places.items()}
        assert problems == []


def test_a_clone_without_old_folders(tmp_path):
    """`--filter=tree:0` lacks what a date is read from, and nothing is fetched for it."""
    history = make(tmp_path / "whole", line(*(files(docs__a_md=t, docs__b_md="b") for t in "1234")))
    git(history.top, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=tree:0", f"file://{history.top}", "partial")
    found, problems = ask(tmp_path / "partial" / "docs", "b.md")
    assert found == {}
    assert problems == [
        GitProblem(
            GitCode.NO_TREES,
            "the clone has no folders of older commits, as after `git clone --filter=tree:0`",
            "Run `git fetch --refetch --filter=blob:none`, or clone with `--filter=blob:none`.",
        )
    ]
    git(tmp_path / "partial", "fetch", "-q", "--refetch", "--filter=blob:none")
    found = commits_of(tmp_path / "partial" / "docs", "a.md", "b.md")
    assert found == {"a.md": history.oids[3], "b.md": history.oids[0]}


def test_each_problem_is_reported_once(tmp_path):
    """Many pages without a repository are one line."""
    docs = tmp_path / "docs"
    for name in ("a.md", "b.md", "deep/c.md"):
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text("text")
    found, problems = ask(docs, "a.md", "b.md", "deep/c.md")
    assert found == {}
    assert [problem.code for problem in problems] == ["no-repository"]
