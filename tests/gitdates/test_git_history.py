"""Files in, the commits that date them out: what a build sees of git."""

import os
from collections import Counter
from datetime import UTC, datetime

import git_settings
import pytest
from git_answers import ask, commits_of
from git_repositories import Commit, files, git, line, make
from git_settings import TRIED, Options, git_dates
from quantity import more_at_length

from mkdocs_sitemap_plus.gitdates import Change, GitChange, GitDate, Skipped

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
            repository=tmp_path, path="docs/a.md", commit=history.oids[1], when=day(1)
        )
    }
    assert problems == []


def test_the_author_date_is_the_authors(tmp_path):
    """`date: author` is `%at` of the same commit."""
    make(tmp_path, line(files(docs__a_md="a"), files(docs__a_md="b")))
    found, _ = ask(tmp_path / "docs", "a.md", settings=Options(date=GitDate.AUTHOR))
    assert [change.when.timestamp() for change in found.values()] == [START + DAY - 3_600]


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


def test_a_merge_that_resolves_a_conflict_is_a_change(tmp_path):
    """A version that no parent has was made by the merge."""
    tree = files(docs__a_md="old")
    trees = (
        (tree, []),
        (files(docs__a_md="left"), [0]),
        (files(docs__a_md="right"), [0]),
        (files(docs__a_md="both"), [1, 2]),
    )
    history = make(
        tmp_path,
        [
            Commit(tree=tree, parents=parents, committed=START + at, authored=START)
            for at, (tree, parents) in enumerate(trees)
        ],
    )
    for settings in TRIED:
        found = commits_of(tmp_path / "docs", "a.md", settings=settings)
        assert found == {"a.md": history.oids[3]}


@pytest.mark.parametrize("settings", TRIED, ids=git_settings.name)
def test_dates_of_a_repository_with_wrong_clocks(tmp_path, settings):
    """A child that is older than its parent by its clock is its child nevertheless."""
    trees = [files(docs__a_md=str(number)) for number in range(6)]
    history = make(
        tmp_path,
        [
            Commit(
                tree=tree,
                parents=[number - 1] if number else [],
                committed=START - number * DAY * 400,
                authored=START - number * DAY * 400,
            )
            for number, tree in enumerate(trees)
        ],
    )
    assert commits_of(tmp_path / "docs", "a.md", settings=settings) == {"a.md": history.oids[-1]}


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
        )
    }


def test_under_any_a_rename_is_a_change(tmp_path):
    """As `git log -1` says."""
    history = make(tmp_path, line(files(docs__a_md="text"), files(docs__b_md="text")))
    found = commits_of(tmp_path / "docs", "b.md", settings=Options(change=GitChange.ANY))
    assert found == {"b.md": history.oids[1]}


@pytest.mark.parametrize("date", GitDate)
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
    for date in GitDate:
        found = commits_of(tmp_path / "docs", "b.md", settings=Options(date=date))
        assert found == {"b.md": history.oids[1]}


def test_a_file_that_was_a_link_has_changed(tmp_path):
    """The same bytes, but no more as the name of another file."""
    history = make(tmp_path, line({b"docs/a.md": (b"120000", b"b.md")}, files(docs__a_md="b.md")))
    assert commits_of(tmp_path / "docs", "a.md") == {"a.md": history.oids[1]}


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
    for date in GitDate:
        found, _ = ask(tmp_path / "docs", "page.md", settings=Options(date=date))
        assert [change.path for change in found.values()] == [older]


@pytest.mark.parametrize("date", GitDate)
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


def test_an_edited_page_keeps_the_date_of_its_last_commit(tmp_path):
    """CI often edits pages before a build; even a page that was taken away has one."""
    history = make(tmp_path, line(files(docs__a_md="a", docs__b_md="b")))
    git(tmp_path, "reset", "-q", "--hard")
    (tmp_path / "docs/a.md").write_text("edited")
    git(tmp_path, "rm", "-q", "docs/b.md")
    found = commits_of(tmp_path / "docs", "a.md", "b.md")
    assert found == {"a.md": history.oids[0], "b.md": history.oids[0]}


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


def test_a_docs_folder_that_is_a_link(tmp_path):
    """The folder that is named is walked where it really is."""
    history = make(tmp_path / "site", line(files(docs__a_md="a"), files(docs__a_md="b")))
    git(tmp_path / "site", "reset", "-q", "--hard")
    (tmp_path / "linked").symlink_to(tmp_path / "site" / "docs")
    assert commits_of(tmp_path / "linked", "a.md") == {"a.md": history.oids[1]}


def test_files_outside_of_the_docs_folder(tmp_path, git_calls):
    """What a page includes is dated by one more walk: the first began before it was known."""
    history = make(
        tmp_path,
        line(files(docs__a_md="a", README_md="r"), files(docs__a_md="b", README_md="r")),
    )
    engine = git_dates(Options(change=GitChange.ANY))
    engine.start(tmp_path / "docs")
    found = engine.changes([tmp_path / "docs" / "a.md", tmp_path / "README.md"])
    assert [change.commit for change in found.values()] == [history.oids[1], history.oids[0]]
    assert git_calls.counted() == {"rev-parse": 1, "ls-tree": 2, "log": 2}


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


def test_no_docs_folder_named(tmp_path):
    """Files alone are enough."""
    history = make(tmp_path, line(files(docs__a_md="a", README_md="r")))
    engine = git_dates()
    found = engine.changes([tmp_path / "docs" / "a.md"])
    assert [change.commit for change in found.values()] == [history.oids[0]]
    assert engine.problems == []


def test_no_files(tmp_path, git_calls):
    """Nothing is asked for nothing, but for what begins ahead."""
    make(tmp_path, line(files(docs__a_md="a")))
    assert ask(tmp_path / "docs") == ({}, [])
    assert git_calls.counted() <= Counter({"rev-parse": 1, "ls-tree": 1, "log": 1})


def test_the_docs_folder_is_the_repository(tmp_path):
    """A repository of nothing but pages."""
    history = make(tmp_path, line(files(a_md="a"), files(b_md="a"), files(b_md="a", c_md="c")))
    for settings in TRIED:
        found = commits_of(tmp_path, "b.md", "c.md", settings=settings)
        first = 1 if settings.change is GitChange.ANY else 0
        assert found == {"b.md": history.oids[first], "c.md": history.oids[2]}


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


@pytest.mark.parametrize(
    ("folder", "name"), [*(("docs", name) for name in ODD), (":(top)d*", "*[x]?.md")]
)
def test_a_file_of_any_name_is_dated(tmp_path, folder, name):
    """Names are bytes to git, and are never patterns here."""
    path = os.fsencode(f"{folder}/{name}")
    history = make(tmp_path, line({path: (b"100644", b"a")}, {path: (b"100644", b"b")}))
    git(tmp_path, "reset", "-q", "--hard")
    found, problems = ask(tmp_path / folder, name)
    assert problems == []
    (change,) = found.values()
    assert (change.commit, change.path) == (history.oids[1], f"{folder}/{name}")


# Dates that are none


@pytest.mark.parametrize(
    "seconds", [b"0", b"99999999999999", b"18446744073709551614", b"soon", b""]
)
def test_a_date_that_can_not_be_read_is_none(tmp_path, seconds):
    """Git takes commits with any date; where it is none, the page has none."""
    make(tmp_path, line(files(docs__a_md="a"), files(docs__a_md="b")))
    raw = git(tmp_path, "cat-file", "commit", "HEAD")
    forged = raw.replace(b"%d +0000" % (START + DAY), seconds + b" +0000")
    assert forged != raw
    oid = git(tmp_path, "hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=forged)
    git(tmp_path, "update-ref", "HEAD", oid.strip())
    assert ask(tmp_path / "docs", "a.md") == ({}, [])


def test_a_date_far_in_the_future_is_returned_unchanged(tmp_path):
    """Whoever asks decides whether to use it."""
    make(tmp_path, line(files(docs__a_md="a"), start=4_000_000_000))
    found, _ = ask(tmp_path / "docs", "a.md")
    assert [change.when.year for change in found.values()] == [2096]
