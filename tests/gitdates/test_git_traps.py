"""Histories on which other programs name a wrong day, and what is right in each setting."""

from datetime import UTC, datetime

import git_settings
import pytest
from git_answers import ask_for_all, places
from git_repositories import files, git, graph, line, make
from git_settings import TRIED, Options, git_dates
from quantity import more_at_length

from mkdocs_sitemap_plus.gitdates import GitChange, GitDate
from mkdocs_sitemap_plus.gitdates.git_dates import _known

pytestmark = [pytest.mark.usefixtures("plain_git"), more_at_length]

ANY, CONTENT, BODY = GitChange
PUBLISHED, COMMIT, AUTHOR = GitDate
START, DAY = 1_600_000_000, 86_400


@pytest.fixture(params=TRIED, ids=git_settings.name)
def settings(request):
    """Each date with each kind of change, or enough to have each."""
    return request.param


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


@pytest.fixture(autouse=True)
def forgetful():
    """Each test reads its repositories anew."""
    _known.cache_clear()


@pytest.fixture(scope="module")
def scripted(tmp_path_factory):
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
    history = make(tmp_path_factory.mktemp("traps") / "site", commits)
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


# Dates


@pytest.mark.parametrize("seconds", [-1, 0])
def test_dates_before_1970_and_at_its_start(tmp_path, seconds):
    """Git can't print them: that page is undated, and no other is harmed."""
    trees = (files(docs__a_md="a", docs__b_md="b"), files(docs__a_md="a2", docs__b_md="b"))
    make(tmp_path, line(*trees))
    raw = git(tmp_path, "cat-file", "commit", "HEAD~1")
    for clock in (START, START - 3_600):
        raw = raw.replace(b" %d +0000" % clock, b" %d +0000" % seconds)
    oid = git(tmp_path, "hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=raw)
    git(tmp_path, "replace", "HEAD~1", oid.strip())
    head = git(tmp_path, "rev-parse", "HEAD").decode().strip()
    engine = git_dates()
    engine.start(tmp_path / "docs")
    found = engine.changes([tmp_path / "docs" / name for name in ("a.md", "b.md")])
    assert {file.name: change.commit for file, change in found.items()} == {"a.md": head}
    assert [problem.code for problem in engine.problems] == ["commit-date"]
    engine.close()


# Bodies


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        pytest.param(b"a\nb\n", b"a\r\nb\r\n", True, id="line endings"),
        pytest.param(b"a b", b"  a\t\n\n b\n", True, id="white space"),
        pytest.param(b"a b", b"ab", False, id="words that became one"),
        pytest.param(b"text", b"---\ntitle: a\n---\ntext", True, id="front matter came"),
        pytest.param(b"text", b"\xef\xbb\xbftext", True, id="a byte order mark"),
        pytest.param(b"---\na: [\n---\nx", b"---\nb: [\n---\nx", False, id="broken: it is shown"),
        pytest.param(b"\xff\xfe\x00 x", b"\xff\xfe\x00  x", True, id="no UTF-8"),
        pytest.param(b"\x00\n" * 9, b"\x00\n" * 8, False, id="binary"),
        pytest.param(b"", b"\n", True, id="nothing and nearly nothing"),
    ],
)
def test_what_a_body_is(tmp_path, before, after, same):
    """What readers see, without regard to white space."""
    trees = ({b"docs/a.md": (b"100644", text)} for text in (before, after))
    history = make(tmp_path, line(*trees))
    assert places(history, Options(change=BODY)) == {"a.md": 0 if same else 1}


def test_a_change_names_the_skipped_commits(tmp_path):
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
    found, _ = ask_for_all(history, Options(change=BODY))
    assert [(history.oids.index(each.what), each.why) for each in found["b.md"].skipped] == [
        (3, "mode change"),
        (2, "renamed from docs/a.md"),
        (1, "front matter or white space"),
    ]


def test_a_linked_page_has_the_body_of_what_it_names(tmp_path):
    """Also outside of the docs folder; where the link itself was made does not matter."""
    tree = files(README_md="---\nt: 1\n---\nx")
    linked = tree | {b"docs/index.md": (b"120000", b"../README.md")}
    later = linked | files(README_md="---\nt: 2\n---\nx")
    history = make(tmp_path, line(tree, linked, later))
    git(tmp_path, "reset", "-q", "--hard")
    for change, place in ((CONTENT, 2), (BODY, 0)):
        assert places(history, Options(change=change)) == {"index.md": place}
