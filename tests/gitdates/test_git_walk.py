"""The walk, on commits that are written down here: newest first, as `parents: changes`."""

from pathlib import Path

import pytest

from mkdocs_sitemap_plus.gitdates import GitChange
from mkdocs_sitemap_plus.gitdates.log import LogCommit, RawChange
from mkdocs_sitemap_plus.gitdates.repository import Repository
from mkdocs_sitemap_plus.gitdates.rules import (
    ContinueAt,
    Ignored,
    Renames,
    RepositoryQuery,
    skip_rule,
)
from mkdocs_sitemap_plus.gitdates.walk import Cursor, Walk

ABSENT = b"000000"


def change(path, old, new):
    """A file's content before and after; None: not there."""
    return RawChange(
        path,
        ABSENT if old is None else b"100644",
        ABSENT if new is None else b"100644",
        (old or b"0").ljust(40, b"-"),
        (new or b"0").ljust(40, b"-"),
        b"A" if old is None else b"D" if new is None else b"M",
    )


def commit(oid, parents, *changes):
    """A commit; its date does not matter to the walk."""
    return LogCommit(oid, 0, tuple(parents.encode().split()), tuple(changes))


def query(counts, **more):
    """What is asked of a repository in which such changes count."""
    repository = Repository(Path("top"), b"head", frozenset())
    return RepositoryQuery(repository, (b"",), change=counts, **more)


def blob_at(oid, page, commits):
    """A page's blob at a commit: what the nearest change down the line of first parents made."""
    graph = {each.oid: each for each in filter(None, commits)}
    while each := graph.get(oid):
        for made in each.changes:
            if made.path == page:
                return made.new_oid
        oid = next(iter(each.parents), None)
    return b""


def wanted_changes(commits, walk):
    """The commits as `log.commits` reads them: with the wanted changes, and deletions."""
    for each in commits:
        kept = (made for made in each.changes if made.deleted or made.path in walk.wanted)
        yield each._replace(changes=tuple(kept))


def walked(commits, *pages, start=b"head", counts=GitChange.ANY):
    """Where each page stops, and under which path."""
    renames = Renames((b"",))
    older = renames.older_name if counts is GitChange.CONTENT else lambda *_: None
    cursors = [Cursor(page, page, (b"", blob_at(start, page, commits))) for page in pages]
    rule = skip_rule(query(counts), renames, sees_all_renames=True)
    walk = Walk({start: cursors}, rule, older)
    read = wanted_changes(commits, walk)
    seen = {stop.cursor.page: (stop.commit.oid, stop.cursor.path) for stop in walk.stops(read)}
    assert walk.left == len(pages) - len(seen)
    return seen


F = b"f"

MERGE = {
    b"head": commit(b"head", "l r", change(F, b"left", b"right")),
    b"r": commit(b"r", "root", change(F, b"old", b"right")),
    b"l": commit(b"l", "root", change(F, b"old", b"left")),
    b"root": commit(b"root", "", change(F, None, b"old")),
}


@pytest.mark.parametrize(
    "order",
    ["head l r root", "head r l root", "head root r l", "root l r head", "r l root head"],
)
def test_a_merge_that_takes_the_other_side(order):
    """The date is that side's, in whatever order the clocks make git print the commits."""
    printed = [MERGE[oid.encode()] for oid in order.split()]
    assert walked(printed, F) == {F: (b"r", F)}


@pytest.mark.parametrize("order", ["head l r root", "root r l head"])
def test_a_merge_with_a_version_of_its_own(order):
    """No parent has it: the merge is the change."""
    own = MERGE | {b"head": commit(b"head", "l r", change(F, b"left", b"both"))}
    assert walked([own[oid.encode()] for oid in order.split()], F) == {F: (b"head", F)}


def test_an_octopus_asks_each_parent_in_turn():
    """The third parent has it."""
    printed = [
        commit(b"head", "a b c", change(F, None, b"new")),
        commit(b"a", "root"),
        commit(b"b", "root", change(F, None, b"other")),
        commit(b"c", "root", change(F, None, b"new")),
        commit(b"root", "", change(b"x", None, b"x")),
    ]
    assert walked(printed, F) == {F: (b"c", F)}


def test_a_side_without_the_file_does_not_have_it():
    """A line that ends at its root without a word of the file."""
    printed = [
        commit(b"head", "a b", change(F, None, b"new")),
        commit(b"a", ""),
        commit(b"b", ""),
    ]
    assert walked(printed, F) == {F: (b"head", F)}


def test_the_walk_ends_when_every_page_is_dated():
    """Commits that nobody needs are not even read."""
    printed = [commit(b"head", "p", change(F, b"old", b"new")), None]
    assert walked(printed, F) == {F: (b"head", F)}


def test_a_history_that_breaks_off_leaves_pages_undated():
    """What was not seen is not known."""
    printed = [commit(b"head", "p", change(F, b"old", b"new"))]
    assert walked(printed, F, b"g") == {F: (b"head", F)}


def test_nothing_to_date_reads_nothing():
    """Not one commit."""
    assert walked([], start=b"head") == {}


@pytest.mark.parametrize("order", ["head l m r root", "head r l m root"])
def test_a_rename_below_a_merge_that_asked_in_vain(order):
    """A page that waited for another parent's answer finds its older name's changes recorded."""
    graph = {
        b"head": commit(b"head", "l r", change(b"old", b"v", None), change(F, None, b"v")),
        b"l": commit(b"l", "m"),
        b"m": commit(b"m", "root", change(b"old", b"u", b"v")),
        b"r": commit(b"r", "root", change(F, None, b"w")),
        b"root": commit(b"root", "", change(b"old", None, b"u")),
    }
    printed = [graph[oid.encode()] for oid in order.split()]
    assert walked(printed, F, counts=GitChange.CONTENT) == {F: (b"m", b"old")}


def test_two_pages_that_came_from_one():
    """A page that was split into two copies gives both its date."""
    printed = [
        commit(
            b"head", "p", change(b"a", None, b"v"), change(b"b", None, b"v"), change(F, b"v", None)
        ),
        commit(b"p", "root", change(F, b"u", b"v")),
        commit(b"root", "", change(F, None, b"u")),
    ]
    found = walked(printed, b"a", b"b", counts=GitChange.CONTENT)
    assert found == {b"a": (b"p", F), b"b": (b"p", F)}


def test_a_page_under_a_name_that_was_used_before():
    """The new page of that name stops early; the one that had it before goes on through it."""
    printed = [
        commit(b"head", "p", change(F, None, b"new")),
        commit(b"p", "q", change(F, b"v", None), change(b"moved", None, b"v")),
        commit(b"q", "", change(F, None, b"v")),
    ]
    found = walked(printed, F, b"moved", counts=GitChange.CONTENT)
    assert found == {F: (b"head", F), b"moved": (b"q", F)}


def test_many_renames_at_once_are_quick():
    """Ten thousand files with one content, moved together: no search through all for each."""
    names = [b"%05d" % number for number in range(10_000)]
    moved = [change(b"old/" + name, b"v", None) for name in names]
    moved += [change(b"new/" + name, None, b"v") for name in names]
    one = commit(b"head", "p", *moved)
    rule = skip_rule(query(GitChange.CONTENT), Renames((b"old/",)), sees_all_renames=False)
    for name in names:
        found = rule(one, change(b"new/" + name, None, b"v"))
        assert found == ContinueAt(b"old/" + name, f"renamed from old/{name.decode()}")


def test_a_name_that_two_pages_have_on_two_sides_of_a_merge():
    """The page that has the name stops first; the renamed one still needs its older changes."""
    printed = [
        commit(b"head", "l r", change(F, None, b"w")),
        commit(b"l", "p", change(F, b"v", None), change(b"moved", None, b"v")),
        commit(b"r", "p", change(F, b"v", b"w")),
        commit(b"p", "root", change(F, b"u", b"v")),
        commit(b"root", "", change(F, None, b"u")),
    ]
    found = walked(printed, F, b"moved", counts=GitChange.CONTENT)
    assert found == {F: (b"r", F), b"moved": (b"p", F)}


def test_skipped_commits_are_kept_newest_first():
    """Each with the reason."""
    printed = [
        commit(b"head", "p", change(b"b", b"v", None), change(F, None, b"v")),
        commit(b"p", "q", change(b"a", b"v", None), change(b"b", None, b"v")),
        commit(b"q", "", change(b"a", None, b"v")),
    ]
    rule = skip_rule(query(GitChange.CONTENT), Renames((b"",)), sees_all_renames=True)
    walk = Walk({b"head": [Cursor(F, F, (b"", blob_at(b"head", F, printed)))]}, rule, older)
    (stop,) = walk.stops(printed)
    assert stop.cursor.skipped == ((b"head", "renamed from b"), (b"p", "renamed from a"))


def older(made, of):
    """The older name in a history without copies."""
    return Renames((b"",)).older_name(made, of)


ADDED = change(F, None, b"v")


@pytest.mark.parametrize(
    ("parents", "sees_all", "found"),
    [
        ("", True, ContinueAt(None, "listed in revs")),
        ("", False, ContinueAt(None, "listed in revs")),
        ("p", True, ContinueAt(None, "listed in revs")),
        ("p", False, None),
    ],
)
def test_an_ignored_commit_that_added_a_page(parents, sees_all, found):
    """No older commit has the page, unless it may have been renamed."""
    ignored = Ignored(ids=(b"head",), file="revs")
    rule = skip_rule(query(GitChange.CONTENT, ignored=ignored), None, sees_all_renames=sees_all)
    assert rule(commit(b"head", parents, ADDED), ADDED) == found


@pytest.mark.parametrize(
    ("gone", "older_name"),
    [
        ((b"x/f", b"docs/z"), b"docs/z"),
        ((b"docs/a", b"docs/sub/f"), b"docs/sub/f"),
        ((b"docs/c", b"docs/b", b"docs/d"), b"docs/b"),
        ((b"a", b"x/f"), b"x/f"),
        ((), None),
    ],
)
def test_of_several_deleted_paths_one_is_the_older_name(gone, older_name):
    """One inside the folders, then one with the same base name, then the lowest."""
    added = change(b"docs/f", None, b"v")
    made = commit(b"head", "p", *(change(path, b"v", None) for path in gone), added)
    assert Renames((b"docs/",)).older_name(made, added) == older_name


def test_empty_files_are_not_renamed():
    """They are equal by accident."""
    empty = b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    gone, added = change(b"a", empty, None), change(F, None, empty)
    assert Renames((b"",)).older_name(commit(b"head", "p", gone, added), added) is None


@pytest.mark.parametrize(
    ("new_mode", "found"),
    [(b"100755", ContinueAt(F, "mode change")), (b"120000", None), (b"160000", None)],
)
@pytest.mark.parametrize("counts", [GitChange.CONTENT, GitChange.BODY])
def test_a_change_of_mode_alone(new_mode, found, counts):
    """It does not count while the file stays a regular one."""
    same = RawChange(F, b"100644", new_mode, b"1" * 40, b"1" * 40, b"M")
    rule = skip_rule(query(counts, same_body=lambda *_: True), None, sees_all_renames=True)
    assert rule(commit(b"head", "p", same), same) == found
