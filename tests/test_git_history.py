"""Files in, the commits that date them out: what a build sees of git."""

import os
import shutil
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import git_settings
import pytest
from git_repositories import Commit, files, git, line, make, remove_object
from git_settings import TRIED
from quantity import more_at_length

from mkdocs_sitemap_plus.lastmod import Change, NoDate, Reason, Skipped
from mkdocs_sitemap_plus.lastmod.git import History
from mkdocs_sitemap_plus.options import GitChange, GitDate, GitSettings
from mkdocs_sitemap_plus.problems import Problem

pytestmark = [pytest.mark.usefixtures("plain_git"), more_at_length]

START = 1_600_000_000
DAY = 86_400


def ask(docs, *names, settings=None):
    """The dates of files in a docs folder, and what there is to say, from a new engine."""
    engine = History(settings or GitSettings())
    engine.start(docs)
    found = engine.changes([docs / name for name in names])
    problems = engine.problems
    engine.close()
    return found, problems


def commits_of(docs, *names, settings=None):
    """The commit of each file by name; there must be nothing to say."""
    found, problems = ask(docs, *names, settings=settings)
    assert problems == []
    return {str(file.relative_to(docs)): change.commit for file, change in found.items()}


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
    found, _ = ask(tmp_path / "docs", "a.md", settings=GitSettings(date=GitDate.AUTHOR))
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
    commit = GitSettings(date=GitDate.COMMIT)
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
    found = commits_of(tmp_path / "docs", "b.md", settings=GitSettings(change=GitChange.ANY))
    assert found == {"b.md": history.oids[1]}


@pytest.mark.parametrize("date", GitDate)
def test_a_mode_change_keeps_the_date(tmp_path, date):
    """A page that became executable and back is the page it was."""
    plain = {b"docs/a.md": (b"100644", b"text")}
    executable = {b"docs/a.md": (b"100755", b"text")}
    history = make(tmp_path, line(plain, executable, plain))
    found, _ = ask(tmp_path / "docs", "a.md", settings=GitSettings(date=date))
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
        found = commits_of(tmp_path / "docs", "b.md", settings=GitSettings(date=date))
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
        found, _ = ask(tmp_path / "docs", "page.md", settings=GitSettings(date=date))
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
        tmp_path / "docs", *(f"{n}.md" for n in range(count)), settings=GitSettings(date=date)
    )
    commits = {change.path: history.oids.index(change.commit) for change in found.values()}
    expected = {f"manual/{n}.md": 0 for n in range(count)} | {"manual/7.md": 1, "docs/8.md": 4}
    del expected["manual/8.md"]
    assert commits == expected
    assert git_calls.counted() == {"rev-parse": 1, "ls-tree": 1, "log": 3, "diff-tree": 2}


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
    engine = History(GitSettings(change=GitChange.ANY))
    engine.start(tmp_path / "docs")
    found = engine.changes([tmp_path / "docs" / "a.md", tmp_path / "README.md"])
    assert [change.commit for change in found.values()] == [history.oids[1], history.oids[0]]
    assert git_calls.counted() == {"rev-parse": 1, "ls-tree": 2, "log": 2}


def test_files_in_hundreds_of_folders_outside(tmp_path, git_calls):
    """Git is asked for few paths, since it holds each entry of a tree against each of them."""
    tree = {b"src/%d/%d.py" % (n % 40, n): (b"100644", b"%d" % n) for n in range(400)}
    history = make(tmp_path, line(tree, tree | {b"src/3/3.py": (b"100644", b"edited")}))
    paths = [tmp_path / os.fsdecode(path) for path in tree]
    engine = History(GitSettings(change=GitChange.ANY))
    engine.start(tmp_path / "docs")
    found = engine.changes(paths)
    assert {str(f.relative_to(tmp_path)) for f in found} == {os.fsdecode(path) for path in tree}
    assert [c.path for c in found.values() if c.commit == history.oids[1]] == ["src/3/3.py"]
    assert git_calls.counted() == {"rev-parse": 1, "ls-tree": 2, "log": 2}


def test_a_second_question_walks_for_new_files_only(tmp_path, git_calls):
    """Pages first, then what they include; what is known is not asked again."""
    history = make(tmp_path, line(files(docs__a_md="a", README_md="r")))
    engine = History(GitSettings())
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
    engine = History(GitSettings())
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


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("folder", ["docs", ":(top)d*"])
def test_odd_names(tmp_path, name, folder):
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


def test_a_date_far_ahead_is_told_as_it_is(tmp_path):
    """Whether it is believed is decided elsewhere."""
    make(tmp_path, line(files(docs__a_md="a"), start=4_000_000_000))
    found, _ = ask(tmp_path / "docs", "a.md")
    assert [change.when.year for change in found.values()] == [2096]


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


def test_pages_in_one_repository_and_others_in_none(tmp_path):
    """What is outside of the docs and of any repository is not worth a word."""
    history = make(tmp_path / "site", line(files(docs__a_md="a")))
    (tmp_path / "loose.py").write_text("x")
    engine = History(GitSettings())
    engine.start(history.top / "docs")
    found = engine.changes([history.top / "docs" / "a.md", tmp_path / "loose.py"])
    assert [change.commit for change in found.values()] == [history.oids[0]]
    assert engine.problems == []


@pytest.mark.parametrize("settings", TRIED, ids=git_settings.name)
def test_sha256(tmp_path, settings):
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
    found = commits_of(tmp_path / "docs", "b.md", "d.md", settings=settings)
    moved = 2 if settings.change is GitChange.ANY else 1
    assert found == {"b.md": history.oids[1], "d.md": history.oids[moved]}


def test_replaced_commits_are_seen_as_git_log_sees_them(tmp_path):
    """`git replace` is part of what the history is."""
    history = make(tmp_path, line(*(files(docs__a_md=text) for text in ("a", "b", "b"))))
    git(tmp_path, "replace", "--graft", history.oids[2], history.oids[0])
    said = git(tmp_path, "log", "-1", "--first-parent", "--format=%H", "--", "docs/a.md")
    assert said.decode().strip() == history.oids[2]
    assert commits_of(tmp_path / "docs", "a.md") == {"a.md": history.oids[2]}


def test_grafts_are_seen_as_git_log_sees_them(tmp_path):
    """The older form of the same, about which git warns."""
    history = make(tmp_path, line(*(files(docs__a_md=text) for text in ("a", "b", "b"))))
    (tmp_path / ".git/info").mkdir(exist_ok=True)
    (tmp_path / ".git/info/grafts").write_text(f"{history.oids[2]} {history.oids[0]}\n")
    assert commits_of(tmp_path / "docs", "a.md") == {"a.md": history.oids[2]}


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
    dates = engine.dates(paths).items()
    undated = {file.name: date.reason for file, date in dates if isinstance(date, NoDate)}
    return {name for name, reason in undated.items() if reason is Reason.SHALLOW}


def test_a_shallow_clone_hides_some_dates(cut):
    """Only what the boundary hides has no date."""
    history, top = cut
    for settings in TRIED:
        engine = History(settings)
        engine.start(top / "docs")
        paths = [top / "docs" / name for name in ("a.md", "b.md", "c.md", "d.md")]
        found = engine.changes(paths)
        commits = {file.name: change.commit for file, change in found.items()}
        assert commits == {"b.md": history.oids[4], "d.md": history.oids[4]}
        assert hidden(engine, *paths) == {"a.md", "c.md"}
        assert engine.problems == []
        engine.close()


def test_a_clone_of_one_commit_knows_no_date(tmp_path):
    """The default of actions/checkout."""
    history = make(tmp_path / "whole", line(files(docs__a_md="a"), files(docs__a_md="b")))
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{history.top}", "cut")
    path = tmp_path / "cut" / "docs" / "a.md"
    engine = History(GitSettings())
    assert engine.changes([path]) == {}
    assert hidden(engine, path) == {"a.md"}


def test_a_shallow_clone_that_hides_nothing(cut):
    """Nothing to say where nothing is lost."""
    history, top = cut
    assert commits_of(top / "docs", "b.md") == {"b.md": history.oids[4]}


def test_the_fix_for_a_shallow_clone_helps(cut):
    """After `git fetch --unshallow` every page has its date."""
    history, top = cut
    git(top, "fetch", "-q", "--unshallow")
    found = commits_of(top / "docs", "a.md", "b.md", "d.md")
    assert found == {"a.md": history.oids[0], "b.md": history.oids[4], "d.md": history.oids[4]}


@pytest.mark.parametrize("settings", TRIED, ids=git_settings.name)
def test_a_history_with_a_hole(tmp_path, settings):
    """Git dies midway: dates found before stay, since they are final; one line says the rest."""
    trees = [files(docs__a_md="a", docs__b_md=str(number)) for number in range(5)]
    history = make(tmp_path, line(*trees))
    tree = git(tmp_path, "rev-parse", f"{history.oids[1]}:docs").decode("ascii").strip()
    remove_object(tmp_path, tree)
    found, problems = ask(tmp_path / "docs", "a.md", "b.md", settings=settings)
    assert {file.name: change.commit for file, change in found.items()} == {"b.md": history.oids[4]}
    (problem,) = problems
    assert problem.note
    assert problem.done == "Pages that git has not dated yet get no date from git."


def test_a_clone_without_old_files_fetches_none(tmp_path):
    """`--filter=blob:none` has all that the dates need; nothing is fetched.

    With `body`, each change of each page counts, also after the first file that is missing.
    """
    trees = (files(docs__a_md=text, docs__b_md="b", docs__c_md=f"c{text}") for text in "1234")
    history = make(tmp_path / "whole", line(*trees))
    git(history.top, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{history.top}", "partial")
    shutil.move(history.top, tmp_path / "gone")  # whoever fetches fails
    for settings in TRIED:
        docs = tmp_path / "partial" / "docs"
        found, problems = ask(docs, "a.md", "b.md", "c.md", settings=settings)
        commits = {file.name: change.commit for file, change in found.items()}
        last = history.oids[3]
        assert commits == {"a.md": last, "b.md": history.oids[0], "c.md": last}
        body = settings.change is GitChange.BODY
        assert [problem.code for problem in problems] == (["no-blobs"] if body else [])


def test_a_clone_without_old_folders(tmp_path):
    """`--filter=tree:0` lacks what a date is read from, and nothing is fetched for it."""
    history = make(tmp_path / "whole", line(*(files(docs__a_md=t, docs__b_md="b") for t in "1234")))
    git(history.top, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=tree:0", f"file://{history.top}", "partial")
    for settings in TRIED:
        found, problems = ask(tmp_path / "partial" / "docs", "b.md", settings=settings)
        assert found == {}
        assert problems == [
            Problem(
                code="no-trees",
                found="the clone has no folders of older commits, as after `git clone "
                "--filter=tree:0`",
                done="Pages get no date from git.",
                fix="Run `git fetch --refetch --filter=blob:none`,"
                " or clone with `--filter=blob:none`.",
                note=True,
            )
        ]
    git(tmp_path / "partial", "fetch", "-q", "--refetch", "--filter=blob:none")
    found = commits_of(tmp_path / "partial" / "docs", "a.md", "b.md")
    assert found == {"a.md": history.oids[3], "b.md": history.oids[0]}


def test_each_problem_is_told_once(tmp_path):
    """Many pages without a repository are one line."""
    docs = tmp_path / "docs"
    for name in ("a.md", "b.md", "deep/c.md"):
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text("text")
    found, problems = ask(docs, "a.md", "b.md", "deep/c.md")
    assert found == {}
    assert [problem.code for problem in problems] == ["no-repository"]


# What must not matter

FOLDERS = """
GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX GIT_COMMON_DIR GIT_OBJECT_DIRECTORY GIT_NAMESPACE
GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_SHALLOW_FILE GIT_GRAFT_FILE GIT_CONFIG GIT_EXTERNAL_DIFF
GIT_DIFF_OPTS GIT_CEILING_DIRECTORIES GIT_TRACE GIT_TRACE2 GIT_PAGER GIT_QUARANTINE_PATH
"""
SWITCHES = "GIT_LITERAL_PATHSPECS GIT_GLOB_PATHSPECS GIT_NOGLOB_PATHSPECS GIT_ICASE_PATHSPECS"


def test_the_environment_of_a_hook(tmp_path, monkeypatch):
    """Hooks and CI point git elsewhere; the pages' repository is still theirs."""
    history = make(tmp_path, line(files(docs__a_md="a"), files(docs__a_md="b")))
    for name in FOLDERS.split():
        monkeypatch.setenv(name, "/nonexistent/nonsense")
    for name in SWITCHES.split():
        monkeypatch.setenv(name, "1")
    for settings in TRIED:
        found = commits_of(tmp_path / "docs", "a.md", settings=settings)
        assert found == {"a.md": history.oids[1]}


CONFIGURATION = """
[log]
    showSignature = true
    showRoot = false
    follow = true
    mailmap = true
    date = relative
    decorate = full
    diffMerges = combined
    abbrevCommit = true
    graphColors = red
[format]
    pretty = fuller
    notes = true
[diff]
    renames = copies
    orderFile = /nonexistent/order
    noprefix = true
    relative = true
    external = /nonexistent/diff
    ignoreSubmodules = all
    suppressBlankEmpty = true
    submodule = log
    algorithm = patience
    colorMoved = zebra
    statGraphWidth = 3
    wordRegex = .
    interHunkContext = 5
[core]
    quotePath = false
    abbrev = 4
    pager = /nonexistent/pager
    notesRef = refs/notes/x
    attributesFile = /nonexistent/attributes
    excludesFile = /nonexistent/excludes
    precomposeUnicode = true
    ignoreCase = true
    commentChar = %
[color]
    ui = always
    diff = always
[i18n]
    logOutputEncoding = UTF-16
    commitEncoding = ISO-8859-1
[notes]
    displayRef = *
[pager]
    log = true
[column]
    ui = always
[alias]
    log = !false
    ls-tree = !false
[advice]
    graftFileDeprecated = true
"""


@pytest.mark.parametrize("where", ["user", "repository", "variables"])
def test_configuration_that_changes_what_git_log_prints(tmp_path, plain_git, monkeypatch, where):
    """The user's taste in logs does not change a date."""
    trees = [files(docs__a_md=t, docs__b_md="b") for t in "12"] + [
        files(docs__a_md="2", docs__c_md="b")
    ]
    history = make(tmp_path / "site", line(*trees))
    if where == "user":
        plain_git.mkdir()
        (plain_git / ".gitconfig").write_text(CONFIGURATION)
    elif where == "repository":
        with (history.top / ".git/config").open("a") as file:
            file.write(CONFIGURATION)
    else:
        included = tmp_path / "more.cfg"
        included.write_text(CONFIGURATION)
        monkeypatch.setenv("GIT_CONFIG_PARAMETERS", f"'include.path={included}'")
    for settings in TRIED:
        found = commits_of(history.top / "docs", "a.md", "c.md", settings=settings)
        renamed = 2 if settings.change is GitChange.ANY else 0
        assert found == {"a.md": history.oids[1], "c.md": history.oids[renamed]}


HOOKS = """
post-index-change pre-auto-gc reference-transaction fsmonitor-watchman post-checkout post-merge
post-rewrite post-commit pre-commit
"""


def configure(top, values):
    """Set what `git config` would set, without a process for each value."""
    with (top / ".git/config").open("a", encoding="utf-8") as file:
        for key, value in values.items():
            section, _, rest = key.partition(".")
            subsection, _, name = rest.rpartition(".")
            quoted = f' "{subsection}"' if subsection else ""
            file.write(f'[{section}{quoted}]\n\t{name} = "{value}"\n')


def test_nothing_that_a_repository_names_is_run(tmp_path):
    """A repository from a stranger configures programs; none of them runs."""
    trees = [files(docs__a_md=text, docs__b_md=text) for text in ("1", "1 ")]
    trees += [trees[1] | files(docs__a_md="2")]
    history = make(tmp_path / "site", line(*trees))
    git(history.top, "reset", "-q", "--hard")
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f'#!/bin/sh\necho "$0 $*" >>"{ran}"\n')
    program.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for hook in HOOKS.split():
        (hooks / hook).symlink_to(program)
        (history.top / ".git/hooks").mkdir(exist_ok=True)
        (history.top / ".git/hooks" / hook).symlink_to(program)
    included = tmp_path / "included"
    included.write_text(f"[core]\n  fsmonitor = {program}\n[alias]\n  cat-file = !{program}\n")
    configure(
        history.top,
        {
            "core.fsmonitor": program,
            "core.pager": program,
            "core.hooksPath": hooks,
            "core.sshCommand": program,
            "core.gitProxy": program,
            "core.askPass": program,
            "core.editor": program,
            "core.alternateRefsCommand": program,
            "diff.external": program,
            "diff.x.command": program,
            "diff.x.textconv": program,
            "filter.x.clean": program,
            "filter.x.smudge": program,
            "gpg.program": program,
            "gpg.ssh.program": program,
            "log.showSignature": "true",
            "pager.log": program,
            "alias.log": f"!{program}",
            "alias.rev-parse": f"!{program}",
            "alias.cat-file": f"!{program}",
            "alias.ls-tree": f"!{program}",
            "alias.diff-tree": f"!{program}",
            "include.path": included,
            "includeIf.gitdir:/.path": included,
            "core.worktree": history.top,
            "diff.x.cachetextconv": "true",
            "diff.x.binary": "true",
            "filter.x.process": program,
            "filter.x.required": "true",
            "trace2.eventTarget": tmp_path / "ran",
            "remote.origin.url": f"ext::{program}",
            "remote.origin.promisor": "true",
            "remote.origin.uploadpack": program,
            "remote.origin.vcs": "x",
            "extensions.partialClone": "origin",
            "protocol.allow": "always",
            "blame.ignoreRevsFile": program,
            "gc.auto": "1",
            "credential.helper": f"!{program}",
            "interactive.diffFilter": program,
            "uploadpack.packObjectsHook": program,
        },
    )
    (history.top / ".git/info").mkdir(exist_ok=True)
    (history.top / ".git/info/attributes").write_text("*.md diff=x filter=x merge=x\n")
    for settings in (
        replace(each, ignore_authors=("nobody",), ignore_subjects=("x",)) for each in TRIED
    ):
        found = commits_of(history.top / "docs", "a.md", "b.md", settings=settings)
        same = settings.change is GitChange.BODY
        assert found == {"a.md": history.oids[2], "b.md": history.oids[0 if same else 1]}
    assert History(GitSettings()).subject(history.top, history.oids[2]) == ""
    assert not ran.exists()
    with suppress(AssertionError):
        git(history.top, "diff", "HEAD~1", "HEAD")
    assert ran.exists()  # whoever is careless does run them


def test_a_blob_that_is_missing_reaches_no_remote(tmp_path):
    """Nor is the program of a remote that promised it run, with `body`."""
    trees = [files(docs__a_md=text) for text in ("1", "1 ", "1  ")]
    history = make(tmp_path / "site", line(*trees))
    ran, program = tmp_path / "ran", tmp_path / "program"
    program.write_text(f'#!/bin/sh\necho "$0 $*" >>"{ran}"\n')
    program.chmod(0o755)
    configure(
        history.top,
        {
            "core.repositoryFormatVersion": "1",
            "remote.origin.url": f"ext::{program}",
            "remote.origin.promisor": "true",
            "extensions.partialClone": "origin",
            "protocol.allow": "always",
            "protocol.ext.allow": "always",
        },
    )
    blob = git(history.top, "rev-parse", "HEAD~1:docs/a.md").decode().strip()
    remove_object(history.top, blob)
    settings = GitSettings(change=GitChange.BODY)
    found, problems = ask(history.top / "docs", "a.md", settings=settings)
    assert [change.commit for change in found.values()] == [history.oids[2]]
    assert [problem.code for problem in problems] == ["no-blobs"]
    assert not ran.exists()


def test_nothing_is_written_into_the_repository(tmp_path):
    """A build reads; it may run on a file system that can't be written to."""
    history = make(tmp_path, line(files(docs__a_md="1"), files(docs__a_md="2")))
    git(tmp_path, "reset", "-q", "--hard")

    def state():
        return {p: p.stat().st_mtime_ns for p in sorted((tmp_path / ".git").rglob("*"))}

    before = state()
    for settings in TRIED:
        commits_of(history.top / "docs", "a.md", settings=settings)
    assert state() == before


# How much is run


@pytest.mark.parametrize("settings", TRIED, ids=git_settings.name)
@pytest.mark.parametrize("pages", [1, 300])
def test_processes_do_not_depend_on_the_number_of_pages(tmp_path, git_calls, settings, pages):
    """One for the repository, one for what HEAD holds, one walk; one look for renames at most."""
    trees = [files(docs__z_md="z", README_md="r")]
    for some in (pages // 2, pages):
        trees += [trees[-1] | {b"docs/%d.md" % n: (b"100644", b"%d" % n) for n in range(some)}]
    make(tmp_path, line(*trees))
    found, _ = ask(tmp_path / "docs", *(f"{n}.md" for n in range(pages)), settings=settings)
    assert len(found) == pages
    looks = {} if settings.change is GitChange.ANY else {"diff-tree": 1}
    assert git_calls.counted() == {"rev-parse": 1, "ls-tree": 1, "log": 1} | looks


def child_processes():
    """The ids of all child processes of this one, on Linux."""
    tasks = Path("/proc/self/task")
    texts = [task.joinpath("children").read_text() for task in tasks.glob("*")]
    return {pid for text in texts for pid in text.split()}


def test_git_is_stopped_as_soon_as_every_page_is_dated(tmp_path):
    """A history of which the last commit dates all is not read to its end, and no process stays."""
    trees = [files(docs__a_md=str(number), docs__b_md="b") for number in range(400)]
    history = make(tmp_path, line(*trees))
    # the first commit's tree is gone: reading so far would fail
    tree = git(tmp_path, "rev-parse", f"{history.oids[0]}^{{tree}}").decode("ascii").strip()
    remove_object(tmp_path, tree)
    before = child_processes()
    assert commits_of(tmp_path / "docs", "a.md") == {"a.md": history.oids[-1]}
    assert child_processes() <= before
