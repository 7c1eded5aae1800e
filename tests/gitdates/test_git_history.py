"""Files in, the commits that date them out: what a build sees of git."""

import os
from collections import Counter
from datetime import UTC, datetime

import pytest
from git_answers import ask, commits_of
from git_repositories import Commit, files, git, line, make
from git_settings import Options, git_dates
from quantity import more_at_length

from mkdocs_sitemap_plus.gitdates import Change, GitChange, GitDate, GitReason, NoDate, Skipped

pytestmark = [pytest.mark.usefixtures("plain_git"), more_at_length]

START = 1_600_000_000
DAY = 86_400


def day(number):
    """When the helper `line` makes its commits."""
    return datetime.fromtimestamp(START + DAY * number, UTC)


# What a date is


def test_a_page_has_the_date_of_the_commit_that_changed_it(tmp_path):
    """The whole evidence: repository, path, commit, and when, in UTC."""
    history = make(
        tmp_path,
        line(files(docs__a_md="a"), files(docs__a_md="b"), files(docs__a_md="b", other="x")),
    )
    found, problems = ask(tmp_path / "docs", "a.md")
    assert found == {
        tmp_path / "docs" / "a.md": Change(
            repository=tmp_path,
            path="docs/a.md",
            commit=history.oids[1],
            when=day(1),
            before=history.oids[0],
        )
    }
    assert problems == []


@pytest.mark.parametrize("seconds", [0, 1 << 60])
def test_a_commit_without_a_valid_date_dates_nothing(tmp_path, seconds):
    """Git takes 0 for a date that it can't read, and knows years that no calendar has."""
    commit = Commit(tree=files(docs__a_md="a"), parents=[], committed=seconds, authored=seconds)
    (oid,) = make(tmp_path, [commit]).oids
    engine = git_dates(None)
    engine.start(tmp_path / "docs")
    (found,) = engine.last_changes([tmp_path / "docs" / "a.md"]).values()
    engine.close()
    assert isinstance(found, NoDate)
    assert found.reason == GitReason.INVALID_COMMIT_DATE
    (problem,) = engine.problems
    assert str(problem) == (
        f"commit {oid[:12]} has no valid date (1970-01-01, as by git-svn, or one that git can't "
        f"read). Put {oid} into .git-blame-ignore-revs: what it changed then has the date before "
        "it. What it added needs one in front matter."
    )


def late_merge():
    """A page that was written on a branch, and merged two days later."""
    old, new = files(docs__a_md="old", code="1"), files(docs__a_md="new", code="1")
    side, main = files(docs__a_md="new", code="1"), files(docs__a_md="old", code="2")
    trees = ((old, []), (side, [0]), (main, [0]), (new | files(code="2"), [2, 1]))
    return [
        Commit(tree=tree, parents=parents, committed=START + DAY * at, authored=START)
        for at, (tree, parents) in enumerate(trees)
    ]


def test_published_is_when_the_change_was_merged(tmp_path):
    """`published` is the merge that brought it to the line that is built; `commit` the commit."""
    history = make(tmp_path, late_merge())
    docs = tmp_path / "docs"
    assert commits_of(docs, "a.md") == {"a.md": history.oids[3]}
    commit = Options(date=GitDate.COMMIT)
    assert commits_of(docs, "a.md", settings=commit) == {"a.md": history.oids[1]}


# What does not count as a change


def test_a_rename_keeps_the_date(tmp_path):
    """Under `content` a page that only moved is as old as its content; the rename is named."""
    history = make(tmp_path, line(files(docs__a_md="text"), files(docs__guide__b_md="text")))
    found, _ = ask(tmp_path / "docs", "guide/b.md")
    assert found == {
        tmp_path / "docs/guide/b.md": Change(
            repository=tmp_path,
            path="docs/a.md",
            commit=history.oids[0],
            when=day(0),
            skipped=(Skipped(what=history.oids[1], why="renamed from docs/a.md"),),
            added=True,
            before="",
        )
    }


@pytest.mark.parametrize("date", [GitDate.PUBLISHED, GitDate.COMMIT])
def test_a_mode_change_keeps_the_date(tmp_path, date):
    """A page that became executable and back is the page it was."""
    plain = {b"docs/a.md": (b"100644", b"text")}
    executable = {b"docs/a.md": (b"100755", b"text")}
    history = make(tmp_path, line(plain, executable, plain))
    found, _ = ask(tmp_path / "docs", "a.md", settings=Options(date=date))
    (change,) = found.values()
    assert change.commit == history.oids[0]
    assert change.skipped == (
        Skipped(what=history.oids[2], why="mode change"),
        Skipped(what=history.oids[1], why="mode change"),
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            files(docs__a_md="text"), files(docs__a_md="text", docs__b_md="text"), id="a copy"
        ),
        pytest.param(files(docs__a_md=""), files(docs__b_md=""), id="an empty file"),
        pytest.param(
            files(docs__a_md="text"), files(docs__b_md="text!"), id="a rename with an edit"
        ),
        pytest.param(
            {b"docs/a.md": (b"120000", b"text")}, files(docs__b_md="text"), id="a link before"
        ),
    ],
)
def test_what_is_no_pure_rename(tmp_path, before, after):
    """A new file is new, unless its one and only content went away under another name."""
    history = make(tmp_path, line(before, after))
    assert commits_of(tmp_path / "docs", "b.md") == {"b.md": history.oids[1]}


@pytest.mark.parametrize(
    ("gone", "older"),
    [
        (("docs/x/page.md", "docs/a.md", "page.md"), "docs/x/page.md"),
        (("docs/z.md", "docs/a.md", "page.md"), "docs/a.md"),
        (("z/page.md", "a/other.md", "b/page.md"), "b/page.md"),
        (("z/other.md", "a/other.md"), "a/other.md"),
    ],
)
def test_of_several_older_names_one_is_taken(tmp_path, gone, older):
    """Inside the docs folder first, then the same base name, then the lowest path."""
    before = {name.encode(): (b"100644", b"text") for name in gone}
    make(tmp_path, line(before, files(docs__page_md="text")))
    found, _ = ask(tmp_path / "docs", "page.md")
    assert [change.path for change in found.values()] == [older]


@pytest.mark.parametrize("date", [GitDate.PUBLISHED, GitDate.COMMIT])
def test_docs_that_moved_from_elsewhere_keep_their_dates(tmp_path, date, git_calls):
    """A move of the whole folder, twice: one more look and one more walk each, for all pages."""
    count = 60
    trees = [{b"manual/%d.md" % n: (b"100644", b"%d" % n) for n in range(count)}]
    trees += [trees[0] | {b"manual/7.md": (b"100644", b"edited")}]
    for folder in (b"site/manual", b"docs"):
        trees += [{folder + path[path.rindex(b"/") :]: file for path, file in trees[-1].items()}]
    trees += [trees[-1] | {b"docs/8.md": (b"100644", b"edited")}]
    history = make(tmp_path, line(*trees))
    found, _ = ask(
        tmp_path / "docs", *(f"{n}.md" for n in range(count)), settings=Options(date=date)
    )
    commits = {change.path: history.oids.index(change.commit) for change in found.values()}
    expected = {f"manual/{n}.md": 0 for n in range(count)} | {"manual/7.md": 1, "docs/8.md": 4}
    del expected["manual/8.md"]
    assert commits == expected
    assert git_calls.counted() == {"rev-parse": 1, "ls-tree": 1, "log": 3, "diff-tree": 1}


# Which files


def test_pages_that_git_does_not_hold_have_no_date(tmp_path):
    """Untracked, staged only, or deleted and made anew: there is no commit to take."""
    make(tmp_path, line(files(docs__a_md="a", docs__gone_md="x"), files(docs__a_md="a")))
    git(tmp_path, "reset", "-q", "--hard")
    for name in ("new.md", "staged.md", "gone.md"):
        (tmp_path / "docs" / name).write_text("text")
    git(tmp_path, "add", "docs/staged.md")
    assert commits_of(tmp_path / "docs", "new.md", "staged.md", "gone.md") == {}


def test_a_link_is_dated_by_the_page_that_it_names(tmp_path):
    """A symbolic link's own commit says nothing about the page."""
    page = {b"docs/page.md": (b"100644", b"old"), b"README.md": (b"100644", b"read")}
    links = {
        b"docs/link.md": (b"120000", b"page.md"),
        b"docs/index.md": (b"120000", b"../README.md"),
    }
    history = make(tmp_path, line(page, page | links, page | links | files(docs__page_md="new")))
    git(tmp_path, "reset", "-q", "--hard")
    found = commits_of(tmp_path / "docs", "link.md", "index.md", "page.md")
    assert found == {
        "link.md": history.oids[2],
        "page.md": history.oids[2],
        "index.md": history.oids[0],
    }


def test_files_in_hundreds_of_folders_outside(tmp_path, git_calls):
    """Git is asked for few paths, since it holds each entry of a tree against each of them."""
    tree = {b"src/%d/%d.py" % (n % 40, n): (b"100644", b"%d" % n) for n in range(400)}
    history = make(tmp_path, line(tree, tree | {b"src/3/3.py": (b"100644", b"edited")}))
    paths = [tmp_path / os.fsdecode(path) for path in tree]
    engine = git_dates(Options(change=GitChange.ANY))
    engine.start(tmp_path / "docs")
    found = engine.changes(paths)
    assert {str(f.relative_to(tmp_path)) for f in found} == {os.fsdecode(path) for path in tree}
    assert [c.path for c in found.values() if c.commit == history.oids[1]] == ["src/3/3.py"]
    assert git_calls.counted() == {"rev-parse": 1, "ls-tree": 2, "log": 2}


def test_a_second_question_walks_for_new_files_only(tmp_path, git_calls):
    """Pages first, then what they include; what is known is not asked again."""
    history = make(tmp_path, line(files(docs__a_md="a", README_md="r")))
    engine = git_dates()
    engine.start(tmp_path / "docs")
    page, readme = tmp_path / "docs" / "a.md", tmp_path / "README.md"
    first = engine.changes([page])
    asked = len(git_calls)
    assert engine.changes([page]) == first
    assert len(git_calls) == asked
    assert {c.commit for c in engine.changes([page, readme]).values()} == {history.oids[0]}
    assert git_calls.commands()[asked:] == ["ls-tree", "log"]


def test_no_files(tmp_path, git_calls):
    """Nothing is asked for nothing, but for what begins ahead."""
    make(tmp_path, line(files(docs__a_md="a")))
    assert ask(tmp_path / "docs") == ({}, [])
    assert git_calls.counted() <= Counter({"rev-parse": 1, "ls-tree": 1, "log": 1})


ODD = [
    "two words.md",
    '"quoted".md',
    "new\nline.md",
    "tab\t.md",
    "-dash.md",
    ":colon.md",
    "*[x]?.md",
    "ü-日本.md",
    os.fsdecode(b"latin-\xe9.md"),
    "back\\slash.md",
]


def test_files_of_any_name_are_dated(tmp_path):
    """Names are bytes to git, and are never patterns here."""
    folder = ":(top)d*"
    paths = [os.fsencode(f"{folder}/{name}") for name in ODD]
    first, second = (dict.fromkeys(paths, (b"100644", text)) for text in (b"a", b"b"))
    history = make(tmp_path, line(first, first | second))
    git(tmp_path, "reset", "-q", "--hard")
    assert commits_of(tmp_path / folder, *ODD) == dict.fromkeys(ODD, history.oids[1])


# Dates that are none


@pytest.mark.parametrize("seconds", [b"0", b"99999999999999", b"soon"])
def test_a_date_that_can_not_be_read_is_none(tmp_path, seconds):
    """Git takes commits with any date; where it is none, the page has none."""
    make(tmp_path, line(files(docs__a_md="a"), files(docs__a_md="b")))
    raw = git(tmp_path, "cat-file", "commit", "HEAD")
    forged = raw.replace(b"%d +0000" % (START + DAY), seconds + b" +0000")
    assert forged != raw
    oid = git(tmp_path, "hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=forged)
    git(tmp_path, "update-ref", "HEAD", oid.strip())
    found, problems = ask(tmp_path / "docs", "a.md")
    assert found == {}
    assert [problem.code for problem in problems] == ["commit-date"]
    (tmp_path / ".git-blame-ignore-revs").write_bytes(oid)
    assert commits_of(tmp_path / "docs", "a.md") == {
        "a.md": git(tmp_path, "rev-parse", "HEAD~1").decode().strip()
    }
