"""Commits, authors and subjects that never date a page."""

import os

import pytest
from git_repositories import files, git, line, make
from git_settings import Options, git_dates
from quantity import more_at_length

from mkdocs_sitemap_plus.gitdates import (
    GitChange,
    GitCode,
    GitDate,
    GitProblem,
    GitReason,
    Skipped,
)
from mkdocs_sitemap_plus.gitdates.log import Commit
from mkdocs_sitemap_plus.gitdates.query import Ignored, glob_pattern

pytestmark = [pytest.mark.usefixtures("plain_git"), more_at_length]

USUAL = ".git-blame-ignore-revs"
BOT = b"dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>"


def dated(history, settings=None, root=None):
    """Each page's commit by its place in the history, and what there is to say."""
    engine = git_dates(settings, root=root or history.top)
    engine.start(history.top / "docs")
    paths = [history.top / os.fsdecode(path) for path in history.head().tree]
    found = engine.changes([path for path in paths if path.parent.name == "docs"])
    engine.close()
    places = {file.name: history.oids.index(change.commit) for file, change in found.items()}
    return places, engine.problems


@pytest.fixture
def edited(tmp_path):
    """One page, edited three times."""
    return make(tmp_path / "site", line(*(files(docs__a_md=str(n)) for n in range(4))))


def note(number, text, file=USUAL):
    """What is said of a line that is no commit."""
    found = f"{text!r} is not the id of a commit"
    return GitProblem(GitCode.IGNORE_REVS, found, file=file, line=number)


def test_the_file_that_is_found_by_itself(edited):
    """Full, abbreviated, upper-case and unknown ids, comments, blank lines, any line ending.

    It is read anew for each build.
    """
    oid = edited.oids[3]
    for text in (
        f"# reformatted\n\n   {oid}   # by black\n",
        oid[:8],
        f"{oid.upper()}\r\n",
        f"\ufeff{oid}\n",
        f"0123456789\n{'f' * 40}\n{oid}{'0' * 24}\n{oid}\n",
        f"# a comment \u2028 {'f' * 40}\n{oid}",
    ):
        (edited.top / USUAL).write_bytes(text.encode())
        assert dated(edited) == ({"a.md": 2}, [])
    (edited.top / USUAL).unlink()
    assert dated(edited) == ({"a.md": 3}, [])


def test_the_evidence_names_each_ignored_commit(edited):
    """And why it does not count."""
    (edited.top / USUAL).write_text("\n".join(edited.oids[2:]))
    engine = git_dates(root=edited.top)
    (change,) = engine.changes([edited.top / "docs" / "a.md"]).values()
    assert change.skipped == (
        Skipped(what=edited.oids[3], why="listed in .git-blame-ignore-revs"),
        Skipped(what=edited.oids[2], why="listed in .git-blame-ignore-revs"),
    )


def test_a_line_that_is_no_commit(edited):
    """It is ignored, with one note that says where it stands."""
    (edited.top / USUAL).write_text(f"{edited.oids[3]}\nHEAD~1\n\n# x\nabc\n")
    assert dated(edited) == ({"a.md": 2}, [note(2, "HEAD~1"), note(5, "abc")])
    message = ".git-blame-ignore-revs:2: 'HEAD~1' is not the id of a commit."
    assert str(note(2, "HEAD~1")) == message


def test_a_file_that_the_option_names(edited, tmp_path):
    """From the root; the usual one is then not read."""
    (edited.top / USUAL).write_text(edited.oids[3])
    project = tmp_path / "project"
    project.mkdir()
    (tmp_path / "revs").write_text(f"{edited.oids[3]}\n{edited.oids[2]}\njunk\n")
    settings = Options(ignore_revs_file="../revs")
    assert dated(edited, settings, project) == ({"a.md": 1}, [note(3, "junk", "revs")])


@pytest.mark.parametrize("date", [GitDate.PUBLISHED, GitDate.COMMIT])
def test_a_rename_in_an_ignored_commit(tmp_path, date):
    """A pure one goes on under the old name; what the commit really added has no date at all."""
    history = make(
        tmp_path,
        line(
            files(docs__a_md="a", docs__b_md="b"),
            files(docs__c_md="a", docs__b_md="b2", docs__new_md="new"),
        ),
    )
    (tmp_path / USUAL).write_text(history.oids[1])
    for change in (GitChange.CONTENT, GitChange.BODY):
        found = dated(history, Options(date=date, change=change))
        assert found == ({"c.md": 0, "b.md": 0}, [])
    assert dated(history, Options(date=date, change=GitChange.ANY)) == ({"b.md": 0}, [])


def test_an_ignored_commit_at_the_boundary(tmp_path):
    """What a shallow clone hides is reported as such, though the commit there is ignored."""
    history = make(tmp_path / "whole", line(files(docs__a_md="a"), files(docs__a_md="b")))
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{history.top}", "cut")
    history.top = tmp_path / "cut"
    (history.top / USUAL).write_text(history.oids[1])
    path = history.top / "docs/a.md"
    why = git_dates().last_changes([path])[path]
    assert why.reason is GitReason.SHALLOW


@pytest.mark.parametrize(
    ("glob", "author", "matches"),
    [
        ("dependabot[bot] <*>", "dependabot[bot] <1+dependabot[bot]@x.org>", True),
        ("dependabot[bot] <*>", "dependabotb <1@x.org>", False),
        ("DEPENDABOT[BOT] <*>", "dependabot[bot] <1@x.org>", True),
        ("*[bot]", "renovate[bot] <x@x.org>", False),
        ("* <bot@x.org>", "Ada <bot@xxorg>", False),
        ("a?a <*>", "ada <>", True),
        ("a?a <*>", "adda <>", False),
        ("*", "any\none <>", True),
        ("Jürgen *", "JÜRGEN <j@x.org>", True),
        (r"\d+ <*>", "12 <x>", False),
    ],
)
def test_patterns_of_authors(glob, author, matches):
    """Stars and question marks; brackets are brackets; upper and lower case are the same."""
    pattern = glob_pattern(glob)
    assert bool(pattern.fullmatch(author)) is matches


def test_an_author_who_is_ignored(tmp_path):
    """A bot that changes pages; the evidence names it."""
    commits = line(*(files(docs__a_md=str(n)) for n in range(3)))
    commits[1].author = commits[2].author = BOT
    history = make(tmp_path, commits)
    engine = git_dates(Options(ignore_authors=("Dependabot[bot] <*>",)), root=tmp_path)
    engine.start(tmp_path / "docs")
    (change,) = engine.changes([tmp_path / "docs" / "a.md"]).values()
    assert change.commit == history.oids[0]
    assert {each.why for each in change.skipped} == {f"ignored author {BOT.decode()}"}
    engine.close()


def test_a_subject_that_is_ignored(tmp_path):
    """Each of the patterns; the subject is the first line, and the evidence quotes it."""
    commits = line(*(files(docs__a_md=str(n)) for n in range(5)))
    commits[0].message = b"Add a page"
    commits[1].message = b"Correct a page\n[skip ci]\n\nReformat it\n"
    commits[2].message = b"chore(deps): bump x\n\nFrom 1 to 2\n"
    commits[3].message = b"REFORMAT\nall pages\n"
    commits[4].message = b"chore(deps): " + b"x" * 900
    history = make(tmp_path, commits)
    settings = Options(ignore_subjects=("chore(deps): *", "Reformat", "*[skip ci]*"))
    engine = git_dates(settings, root=tmp_path)
    engine.start(tmp_path / "docs")
    (change,) = engine.changes([tmp_path / "docs" / "a.md"]).values()
    engine.close()
    assert change.commit == history.oids[1]
    assert [each.why for each in change.skipped] == [
        f"ignored subject 'chore(deps): {'x' * 63}...",
        "ignored subject 'REFORMAT'",
        "ignored subject 'chore(deps): bump x'",
    ]


def test_the_subject_of_a_merge_counts_on_the_main_line(tmp_path):
    """With `published` that of the merge, or those of all that it brought."""
    commits = line(*(files(docs__a_md=text) for text in ("1", "2", "2")))
    commits[1].message, commits[2].message = b"Correct a page", b"Merge branch 'a'"
    commits[2].parents = [0, 1]
    history = make(tmp_path, commits)
    for date, merge, branch in (
        (GitDate.PUBLISHED, 0, 0),
        (GitDate.COMMIT, 1, 0),
    ):
        for pattern, place in (("Merge *", merge), ("Correct *", branch)):
            settings = Options(date=date, ignore_subjects=(pattern,))
            assert dated(history, settings) == ({"a.md": place}, [])


def test_names_that_are_not_utf_8():
    """Git prints a commit that declares no encoding as it is: each such byte is one letter."""
    ignored = Ignored(patterns=(("author", "B?rd *"), ("subject", "f?r*")))
    by_author = Commit(b"1 0 \0\0B\xf6rd <b@example.com>")
    assert ignored.why(by_author) == "ignored author B\ufffdrd <b@example.com>"
    by_subject = Commit(b"1 0 \0f\xfcr\0A <a@example.com>")
    assert ignored.why(by_subject) == "ignored subject 'f\ufffdr'"


def test_each_repository_has_its_own_file(tmp_path):
    """A submodule's is at its own top."""
    inner = make(tmp_path / "inner", line(files(x_md="1"), files(x_md="2")))
    outer = make(tmp_path / "outer", line(files(docs__a_md="1"), files(docs__a_md="2")))
    git(outer.top, "reset", "-q", "--hard")
    git(outer.top, "submodule", "--quiet", "add", str(inner.top), "docs/sub")
    (outer.top / USUAL).write_text("\n".join([outer.oids[1], inner.oids[1]]))
    engine = git_dates(root=outer.top)
    docs = outer.top / "docs"
    engine.start(docs)
    pages = [docs / "a.md", docs / "sub" / "x.md"]
    found = [change.commit for change in engine.changes(pages).values()]
    assert found == [outer.oids[0], inner.oids[1]]
    (docs / "sub" / USUAL).write_text(inner.oids[1])
    engine = git_dates(root=outer.top)
    found = [change.commit for change in engine.changes(pages).values()]
    assert found == [outer.oids[0], inner.oids[0]]


def merged(*subjects, author=None):
    """A page, commits on a branch that change it one after the other, and the merge of the branch.

    Another page is changed on the main line meanwhile.
    """
    first, *rest = line(*(files(docs__a_md=str(n)) for n in range(len(subjects) + 1)))
    for commit, subject in zip(rest, subjects, strict=True):
        commit.message = subject.encode()
        commit.author = author or commit.author
    main, last = line(
        files(docs__a_md="0", docs__b_md="1"),
        files(docs__a_md=str(len(subjects)), docs__b_md="1"),
    )
    main.parents, last.parents = [0], [len(rest) + 1, len(rest)]
    last.message = b"Merge branch 'format'"
    return [first, *rest, main, last]


def test_a_merge_that_brought_nothing_but_ignored_commits(tmp_path):
    """As GitHub merges: the merge is not listed, and its author is who pressed the button."""
    history = make(tmp_path / "ids", merged("Format all pages"))
    (history.top / USUAL).write_text(history.oids[1])
    assert dated(history) == ({"a.md": 0, "b.md": 2}, [])
    by_subject = Options(ignore_subjects=("Format*", "never *"))
    (history.top / USUAL).write_text("")
    engine = git_dates(by_subject, root=history.top)
    page = history.top / "docs" / "a.md"
    engine.start(page.parent)
    (change,) = engine.changes([page]).values()
    assert change.commit == history.oids[0]
    why = "it merged nothing that counts (ignored subject 'Format all pages')"
    assert change.skipped == (Skipped(history.oids[3], why),)
    assert engine.unmatched == [("subject", "never *")]
    engine.close()


def test_the_merge_of_a_bot(tmp_path):
    """Its commits are ignored by author, and so is a page that only bots made undated."""
    history = make(tmp_path, merged("Bump x", "Bump y", author=BOT))
    settings = Options(ignore_authors=("*[bot]*",))
    assert dated(history, settings) == ({"a.md": 0, "b.md": 3}, [])


def test_a_merge_that_brought_another_commit_too_dates_the_page(tmp_path):
    """One of the two was no formatting."""
    history = make(tmp_path, merged("Format all pages", "Say more"))
    settings = Options(ignore_subjects=("Format*",))
    assert dated(history, settings) == ({"a.md": 4, "b.md": 3}, [])


def test_a_shallow_clone_that_cuts_off_what_a_merge_brought(tmp_path):
    """What is behind may be ignored or not, so the page has no date."""
    history = make(tmp_path / "whole", merged("Format all pages", "Format again"))
    clone = tmp_path / "clone"
    url = f"file://{history.top}"
    git(tmp_path, "clone", "-q", "--depth=2", "--no-checkout", url, clone)
    engine = git_dates(Options(ignore_subjects=("Format*",)), root=clone)
    page = clone / "docs" / "a.md"
    engine.start(page.parent)
    assert engine.last_changes([page])[page].reason is GitReason.SHALLOW
    engine.close()


def test_commits_that_touched_no_page_cost_one_question(tmp_path, git_calls):
    """Most lists name commits that formatted code: the history is not read again for them."""
    (code,) = line(files(docs__a_md="1", docs__b_md="1", src__x="x"))
    code.parents = [3]
    made = make(tmp_path, [*merged("Say more"), code])
    (tmp_path / USUAL).write_text(made.oids[4])
    before = git_calls.counted()
    assert dated(made) == ({"a.md": 3, "b.md": 2}, [])
    more = git_calls.counted() - before
    assert (more["log"], more["diff-tree"]) == (1, 2)  # the other one looks for renames
