"""Histories on which other programs name a wrong day, and what is right in each setting."""

import os
from datetime import UTC, datetime

import git_settings
import pytest
from git_repositories import Commit, files, git, line, make
from git_settings import TRIED
from quantity import at_length, more_at_length

from mkdocs_sitemap_plus.lastmod.git import History
from mkdocs_sitemap_plus.options import GitChange, GitDate, GitSettings

pytestmark = [pytest.mark.usefixtures("plain_git"), more_at_length]

ANY, CONTENT, BODY = GitChange
PUBLISHED, COMMIT, AUTHOR = GitDate
START, DAY = 1_600_000_000, 86_400


@pytest.fixture(params=TRIED, ids=git_settings.name)
def settings(request):
    """Each date with each kind of change, or enough to have each."""
    return request.param


def graph(*commits):
    """Commits as (tree, parents), a day apart, authored an hour before."""
    return [
        Commit(
            tree=tree,
            parents=parents,
            committed=START + DAY * number,
            authored=START + DAY * number - 3_600,
        )
        for number, (tree, parents) in enumerate(commits)
    ]


def asked(history, settings, folder="docs", top=None):
    """What the engine says of all files of HEAD in the docs folder, and what there is to say."""
    top = top or history.top
    engine = History(settings)
    engine.start(top / folder)
    paths = [top / os.fsdecode(path) for path in history.head().tree]
    found = engine.changes([path for path in paths if path.is_relative_to(top / folder)])
    engine.close()
    return {os.fspath(file.relative_to(top / folder)): change for file, change in found.items()}, [
        problem.code for problem in engine.problems
    ]


def places(history, settings, folder="docs"):
    """Each page's commit by its place in the history; there must be nothing to say."""
    found, problems = asked(history, settings, folder)
    assert problems == []
    return {name: history.oids.index(change.commit) for name, change in found.items()}


# The ten traps

ROOT = files(
    docs__merged_md="old",
    docs__main_md="old",
    docs__side_md="old",
    docs__moved_md="moved",
    docs__mode_md="mode",
    docs__space_md="some words\n",
    docs__front_md="---\ntitle: a\n---\ntext",
    docs__edited_md="committed",
    docs__backdated_md="old",
    docs__rebased_md="old",
) | {"docs/ü-日本.md".encode(): (b"100644", b"non-ASCII")}
MAIN = ROOT | files(docs__merged_md="left", docs__main_md="new")
SIDE = ROOT | files(docs__merged_md="right", docs__side_md="new")
MERGE = MAIN | files(docs__merged_md="both", docs__side_md="new")
MOVED = {path: file for path, file in MERGE.items() if path != b"docs/moved.md"} | files(
    docs__guide__moved_md="moved"
)
MODE = MOVED | {b"docs/mode.md": (b"100755", b"mode")}
SPACE = MODE | files(docs__space_md="some  words\r\n", docs__front_md="---\ntitle: b\n---\n\ntext")
BACKDATED = SPACE | files(docs__backdated_md="new")
REBASED = BACKDATED | files(docs__rebased_md="new")


def at(year):
    """New Year's Day, in seconds."""
    return int(datetime(year, 1, 1, tzinfo=UTC).timestamp())


@pytest.fixture
def scripted(tmp_path):
    """One repository with all traps, checked out, with one edit and one new page."""
    commits = graph(
        (ROOT, []),
        (MAIN, [0]),
        (SIDE, [0]),
        (MERGE, [1, 2]),
        (MOVED, [3]),
        (MODE, [4]),
        (SPACE, [5]),
        (BACKDATED, [6]),
        (REBASED, [7]),
    )
    commits[7].committed = commits[7].authored = at(2015)
    commits[8].authored, commits[8].committed = at(2019), at(2023)
    history = make(tmp_path / "site", commits)
    git(history.top, "reset", "-q", "--hard")
    (history.top / "docs" / "edited.md").write_text("edited")
    (history.top / "docs" / "untracked.md").write_text("new")
    return history


def test_the_ten_traps(scripted, settings):
    """Each row in which a peer is wrong, in each setting."""
    published, change = settings.date is PUBLISHED, settings.change
    assert places(scripted, settings) == {
        "ü-日本.md": 0,  # a name that is not ASCII
        "merged.md": 3,  # an edit made while a merge was resolved
        "main.md": 1,  # a clean merge is no change of a page that it did not change
        "side.md": 3 if published else 2,  # but the day on which the branch was published
        "guide/moved.md": 4 if change is ANY else 0,  # a pure rename
        "mode.md": 5 if change is ANY else 0,  # an executable bit
        "space.md": 0 if change is BODY else 6,  # white space and line endings
        "front.md": 0 if change is BODY else 6,  # front matter
        "edited.md": 0,  # an edit that is not committed
        "backdated.md": 7,  # a newer commit with an older date
        "rebased.md": 8,  # an author date from before it was published
    }


def test_the_dates_of_the_traps(scripted, settings):
    """Topology decides on the commit; the date is that commit's, whatever others say."""
    found, _ = asked(scripted, settings)
    assert found["backdated.md"].when.year == 2015
    assert found["rebased.md"].when.year == (2019 if settings.date is AUTHOR else 2023)


def test_a_page_that_git_does_not_hold(scripted, settings):
    """It has no date: neither today nor that of the file system."""
    engine = History(settings)
    engine.start(scripted.top / "docs")
    assert engine.changes([scripted.top / "docs" / "untracked.md"]) == {}
    assert engine.problems == []
    engine.close()


def test_a_clone_of_one_commit(scripted, settings, tmp_path):
    """All dates are hidden, and none is given; a line about it needs to know the listed pages."""
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{scripted.top}", "cut")
    assert asked(scripted, settings, top=tmp_path / "cut") == ({}, [])


# Names


def test_renames_across_folders(tmp_path, settings):
    """Twice, with an edit before, between and after."""
    history = make(
        tmp_path,
        line(
            files(docs__a_md="1", docs__b_md="b", docs__c_md="c"),
            files(docs__a_md="2", docs__b_md="b", docs__c_md="c"),
            files(docs__deep__er__a_md="2", docs__b_md="b", docs__x__c_md="c"),
            files(docs__deep__er__a_md="2", docs__y__b_md="b", docs__x__c_md="c2"),
            files(docs__z_md="2", docs__y__b_md="b2", docs__w__c_md="c2"),
        ),
    )
    any_ = settings.change is ANY
    expected = {"z.md": 4 if any_ else 1, "y/b.md": 4, "w/c.md": 4 if any_ else 3}
    assert places(history, settings) == expected


def test_a_rename_with_an_edit_is_a_change(tmp_path, settings):
    """Also of front matter alone: whether it is the same page is a guess."""
    history = make(
        tmp_path,
        line(
            files(docs__a_md="long text\n", docs__b_md="---\nt: 1\n---\ntext"),
            files(docs__c_md="long text!\n", docs__d_md="---\nt: 2\n---\ntext"),
        ),
    )
    assert places(history, settings) == {"c.md": 1, "d.md": 1}


def test_a_file_that_was_a_folder_in_between(tmp_path, settings):
    """The same text under `guide.md/index.md` is a rename there and back; another is a change."""
    history = make(
        tmp_path,
        line(
            files(docs__guide_md="same", docs__other_md="1"),
            files(docs__guide_md__index_md="same", docs__other_md__index_md="2"),
            files(docs__guide_md="same", docs__other_md="3"),
        ),
    )
    first = 2 if settings.change is ANY else 0
    assert places(history, settings) == {"guide.md": first, "other.md": 2}


def test_a_page_that_was_a_link(tmp_path, settings):
    """What is no regular file has no body."""
    history = make(
        tmp_path,
        line(
            {b"docs/a.md": (b"120000", b"text"), b"docs/b.md": (b"100644", b"text")},
            files(docs__a_md="text", docs__b_md="text "),
        ),
    )
    assert places(history, settings) == {"a.md": 1, "b.md": 0 if settings.change is BODY else 1}


def test_a_rename_of_case_alone(tmp_path, settings):
    """Git keeps names as bytes, whatever the file system thinks of them."""
    history = make(tmp_path, line(files(docs__Guide_md="text"), files(docs__guide_md="text")))
    assert places(history, settings) == {"guide.md": 1 if settings.change is ANY else 0}


def test_a_page_that_was_deleted_and_brought_back(tmp_path, settings):
    """It came back on that day, though with the old text; the deletion is no other name."""
    page, rest = files(docs__a_md="text"), files(docs__b_md="b")
    history = make(tmp_path, line(page | rest, rest, page | rest))
    assert places(history, settings) == {"a.md": 2, "b.md": 0}


def test_docs_that_moved_into_another_folder(tmp_path, settings):
    """`docs/` became `website/docs/`: no page is new, but the one that was edited since."""
    old = {f"docs/{n}.md".encode(): (b"100644", b"---\nt: 1\n---\n%d" % n) for n in range(30)}
    edited = old | {b"docs/3.md": (b"100644", b"edited")}
    new = {b"website/" + path: file for path, file in edited.items()}
    later = new | {b"website/docs/4.md": (b"100644", b"---\nt: 2\n---\n4")}
    history = make(tmp_path, line(old, edited, new, later))
    if settings.change is ANY:
        expected = {f"{n}.md": 2 for n in range(30)} | {"4.md": 3}
    else:
        expected = {f"{n}.md": 0 for n in range(30)} | {"3.md": 1}
        expected["4.md"] = 0 if settings.change is BODY else 3
    assert places(history, settings, "website/docs") == expected


# Merges


@pytest.mark.parametrize("swapped", [False, True])
def test_a_change_that_was_undone_in_a_merge(tmp_path, settings, swapped):
    """Where the branch did not survive, nothing changed; on the line itself it was undone."""
    old, new = files(docs__a_md="old"), files(docs__a_md="new")
    other = old | files(code="2")
    parents = [2, 1] if swapped else [1, 2]
    history = make(tmp_path, graph((old, []), (other, [0]), (new, [0]), (other, parents)))
    undone = swapped and settings.date is PUBLISHED
    assert places(history, settings) == {"a.md": 3 if undone else 0}


def test_a_change_on_both_sides(tmp_path, settings):
    """Cherry-picked to the branch too: the first parent has it, and its day counts."""
    old, new = files(docs__a_md="old"), files(docs__a_md="new")
    history = make(
        tmp_path,
        graph((old, []), (new, [0]), (new | files(code="2"), [0]), (new | files(code="2"), [1, 2])),
    )
    assert places(history, settings) == {"a.md": 1}


def test_an_octopus(tmp_path, settings):
    """A merge of three, each of which edited a page of its own."""
    root = files(docs__a_md="1", docs__b_md="1", docs__c_md="1", docs__d_md="1")
    edits = [files(docs__a_md="2"), files(docs__b_md="2"), files(docs__c_md="2")]
    sides = [(root | edit, [0]) for edit in edits]
    history = make(
        tmp_path, graph((root, []), *sides, (root | edits[0] | edits[1] | edits[2], [1, 2, 3]))
    )
    published = settings.date is PUBLISHED
    expected = {"a.md": 1, "b.md": 4 if published else 2, "c.md": 4 if published else 3}
    assert places(history, settings) == expected | {"d.md": 0}


def test_front_matter_that_a_merge_changed_alone(tmp_path, settings):
    """Against the first parent the body is the same: it goes on there."""
    texts = ("---\nt: 1\n---\nx", "---\nt: 2\n---\nx", "---\nt: 3\n---\nx", "---\nt: 4\n---\nx")
    one, two, three, four = (files(docs__a_md=text) for text in texts)
    history = make(tmp_path, graph((one, []), (two, [0]), (three, [0]), (four, [1, 2])))
    assert places(history, settings) == {"a.md": 0 if settings.change is BODY else 3}


@pytest.mark.parametrize("how", ["replace", "grafts"])
def test_a_history_that_was_mended(tmp_path, settings, how):
    """Replaced and grafted commits are what `git log` shows."""
    history = make(tmp_path, line(*(files(docs__a_md=text) for text in ("a", "b", "b"))))
    if how == "replace":
        git(tmp_path, "replace", "--graft", history.oids[2], history.oids[0])
    else:
        (tmp_path / ".git/info").mkdir(exist_ok=True)
        (tmp_path / ".git/info/grafts").write_text(f"{history.oids[2]} {history.oids[0]}\n")
    assert places(history, settings) == {"a.md": 2}


def test_a_blob_that_was_replaced(tmp_path, settings):
    """What was committed counts, as in `git log`: the front matter changed, and the text did not.

    The blob that replaces it has another text.
    """
    one, two = (files(docs__a_md=f"---\nt: {number}\n---\nx") for number in (1, 2))
    history = make(tmp_path, line(one, two))
    other = git(tmp_path, "hash-object", "-w", "--stdin", stdin=b"another text").strip()
    git(tmp_path, "replace", "HEAD:docs/a.md", other)
    assert git(tmp_path, "show", "HEAD:docs/a.md") == b"another text"
    assert places(history, settings) == {"a.md": 0 if settings.change is BODY else 1}


# Dates


@pytest.mark.parametrize("seconds", [-1, -DAY * 365, 0])
def test_dates_before_1970_and_at_its_start(tmp_path, settings, seconds):
    """Git can't tell them: that page is undated, and no other is harmed."""
    trees = (files(docs__a_md="a", docs__b_md="b"), files(docs__a_md="a2", docs__b_md="b"))
    make(tmp_path, line(*trees))
    raw = git(tmp_path, "cat-file", "commit", "HEAD~1")
    for clock in (START, START - 3_600):
        raw = raw.replace(b" %d +0000" % clock, b" %d +0000" % seconds)
    oid = git(tmp_path, "hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=raw)
    git(tmp_path, "replace", "HEAD~1", oid.strip())
    head = git(tmp_path, "rev-parse", "HEAD").decode().strip()
    engine = History(settings)
    engine.start(tmp_path / "docs")
    found = engine.changes([tmp_path / "docs" / name for name in ("a.md", "b.md")])
    assert {file.name: change.commit for file, change in found.items()} == {"a.md": head}
    assert engine.problems == []
    engine.close()


def test_dates_in_the_future(tmp_path, settings):
    """They are told as they are; a build does not believe them."""
    history = make(tmp_path, line(files(docs__a_md="a"), start=4_000_000_000))
    assert places(history, settings) == {"a.md": 0}


# Bodies


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        pytest.param(b"a\nb\n", b"a\r\nb\r\n", True, id="line endings"),
        pytest.param(b"a b", b"  a\t\n\n b\n", True, id="white space"),
        pytest.param(b"a b", b"ab", False, id="words that became one"),
        pytest.param(b"text", b"---\ntitle: a\n---\ntext", True, id="front matter came"),
        pytest.param(b"t: a\n\ntext", b"t: b\n\ntext", True, id="MultiMarkdown"),
        pytest.param(b"text", b"\xef\xbb\xbftext", True, id="a byte order mark"),
        pytest.param(b"---\na: [\n---\nx", b"---\nb: [\n---\nx", False, id="broken: it is shown"),
        pytest.param(b"---\n- a\n---\nx", b"---\n- b\n---\nx", False, id="a list is shown too"),
        pytest.param(b"\xff\xfe\x00 x", b"\xff\xfe\x00  x", True, id="no UTF-8"),
        pytest.param(b"\x00\n" * 9, b"\x00\n" * 8, False, id="binary"),
        pytest.param(
            b"word " * 800_000, b"word\n" * 800_000, True, id="four megabytes", marks=at_length
        ),
        pytest.param(
            b"word " * 900_000,
            b"word\n" * 900_000,
            False,
            id="too much to look at",
            marks=at_length,
        ),
        pytest.param(b"", b"\n", True, id="nothing and nearly nothing"),
        pytest.param(b"", b"x", False, id="the first word"),
    ],
)
def test_what_a_body_is(tmp_path, before, after, same):
    """What readers see, without regard to white space."""
    trees = ({b"docs/a.md": (b"100644", text)} for text in (before, after))
    history = make(tmp_path, line(*trees))
    assert places(history, GitSettings(change=BODY)) == {"a.md": 0 if same else 1}
    assert places(history, GitSettings(change=CONTENT)) == {"a.md": 1}


def test_front_matter_is_of_pages_alone(tmp_path):
    """What else is included, such as code, has none."""
    trees = ({b"docs/a.yml": (b"100644", b"---\nt: %d\n---\nx" % n)} for n in range(2))
    history = make(tmp_path, line(*trees))
    assert places(history, GitSettings(change=BODY)) == {"a.yml": 1}
    found, _ = asked(history, GitSettings(change=BODY))
    assert found["a.yml"].skipped == ()


def test_what_was_passed_over_is_told(tmp_path):
    """Each commit that does not count, and why, newest first."""
    history = make(
        tmp_path,
        line(
            files(docs__a_md="x"),
            files(docs__a_md="x\n"),
            files(docs__b_md="x\n"),
            {b"docs/b.md": (b"100755", b"x\n")},
        ),
    )
    found, _ = asked(history, GitSettings(change=BODY))
    assert [(history.oids.index(each.what), each.why) for each in found["b.md"].skipped] == [
        (3, "mode change"),
        (2, "renamed from docs/a.md"),
        (1, "front matter or white space"),
    ]


TWO = (files(docs__a_md="---\nt: 1\n---\nx"), files(docs__a_md="---\nt: 2\n---\nx\n"))


def test_bodies_in_a_repository_with_longer_ids(tmp_path):
    """SHA-256."""
    history = make(tmp_path, line(*TWO), "--object-format=sha256")
    assert places(history, GitSettings(change=BODY)) == {"a.md": 0}


def test_bodies_in_worktrees_and_submodules(tmp_path):
    """Each is asked where it is."""
    history = make(tmp_path / "site", line(*TWO))
    git(history.top, "worktree", "add", "-q", "--detach", tmp_path / "beside")
    outer = make(tmp_path / "outer", line(*TWO))
    git(outer.top, "reset", "-q", "--hard")
    git(outer.top, "submodule", "--quiet", "add", str(history.top), "docs/sub")
    git(outer.top, "commit", "-q", "-m", "submodule")
    engine = History(GitSettings(change=BODY))
    engine.start(outer.top / "docs")
    pages = [
        outer.top / "docs/a.md",
        outer.top / "docs/sub/docs/a.md",
        tmp_path / "beside/docs/a.md",
    ]
    found = [change.commit for change in engine.changes(pages).values()]
    assert found == [outer.oids[0], history.oids[0], history.oids[0]]
    assert engine.problems == []
    engine.close()


def test_a_linked_page_has_the_body_of_what_it_names(tmp_path):
    """Also outside of the docs folder; where the link itself was made does not matter."""
    tree = files(README_md="---\nt: 1\n---\nx")
    linked = tree | {b"docs/index.md": (b"120000", b"../README.md")}
    later = linked | files(README_md="---\nt: 2\n---\nx")
    history = make(tmp_path, line(tree, linked, later))
    git(tmp_path, "reset", "-q", "--hard")
    for change, place in ((ANY, 2), (CONTENT, 2), (BODY, 0)):
        assert places(history, GitSettings(change=change)) == {"index.md": place}


def test_one_process_reads_all_bodies(tmp_path, git_calls):
    """And it is asked only where a commit is in question."""
    trees = [{b"docs/%d.md" % n: (b"100644", b"%d\n" % n) for n in range(50)}]
    trees += [{path: (mode, text + b"\n") for path, (mode, text) in trees[0].items()}]
    history = make(tmp_path, line(*trees))
    assert set(places(history, GitSettings(change=BODY)).values()) == {0}
    assert git_calls.counted() == {"rev-parse": 1, "log": 1, "ls-tree": 1, "cat-file": 1}
    places(history, GitSettings(change=CONTENT))
    assert git_calls.counted()["cat-file"] == 1
