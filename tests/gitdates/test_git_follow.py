"""Small histories that need each of the rules by which files are followed."""

import pytest
from git_repositories import Commit, files, line, make
from git_settings import Options, git_dates

from mkdocs_sitemap_plus.gitdates import GitChange, GitDate
from mkdocs_sitemap_plus.gitdates.repository import covering

pytestmark = pytest.mark.usefixtures("plain_git")

DAY = 86_400
COMMIT = Options(date=GitDate.COMMIT)


def changes_of(history, *pages, settings=None, folders=("docs",)):
    """For each page, the number of the commit that dates it, and its path there."""
    engine = git_dates(settings)
    for folder in folders:
        engine.start(history.top / folder)
    found = engine.changes([history.top / page for page in pages])
    engine.close()
    assert engine.problems == []
    numbers = {oid: number for number, oid in enumerate(history.oids)}
    return {
        file.relative_to(history.top).as_posix(): (numbers[change.commit], change.path)
        for file, change in found.items()
    }


def graph(*commits):
    """A history with merges: trees with their parents, and the day of each."""
    return [
        Commit(tree=tree, parents=parents, committed=DAY * day, authored=DAY * day)
        for tree, parents, day in commits
    ]


def test_a_rename_that_is_printed_after_an_older_change(tmp_path):
    """The clock of the rename is slow, so that git would print its parent first."""
    last = files(docs__new_md="2", docs__x_md="y")
    commits = graph(
        (files(docs__old_md="1", docs__x_md="x"), [], 10),
        (files(docs__old_md="2", docs__x_md="x"), [0], 20),
        (files(docs__new_md="2", docs__x_md="x"), [1], 1),
        (files(docs__old_md="2", docs__x_md="y"), [1], 30),
        (last, [2, 3], 40),
    )
    history = make(tmp_path, commits)
    found = changes_of(history, "docs/new.md", settings=COMMIT)
    assert found == {"docs/new.md": (1, "docs/old.md")}


def test_a_page_that_came_from_a_path_that_another_page_has_now(tmp_path):
    """The new page of that path stops first; the other still needs the older changes of it."""
    history = make(
        tmp_path,
        line(
            files(old__a_md="v"),
            files(old__a_md="w"),
            files(docs__a_md="w"),
            files(docs__a_md="w", old__a_md="new"),
        ),
    )
    found = changes_of(history, "docs/a.md", "old/a.md")
    assert found == {"docs/a.md": (1, "old/a.md"), "old/a.md": (3, "old/a.md")}


def test_two_pages_that_came_from_one_outside_of_the_docs(tmp_path):
    """Both continue under its name, at the same commit."""
    history = make(
        tmp_path,
        line(files(a_md="v"), files(a_md="w"), files(docs__a_md="w", docs__b_md="w")),
    )
    found = changes_of(history, "docs/a.md", "docs/b.md")
    assert found == dict.fromkeys(("docs/a.md", "docs/b.md"), (1, "a.md"))


def test_pages_from_many_folders_with_slow_clocks(tmp_path):
    """Walks that start at several commits, one of them below another, over the whole repository."""
    names = range(30)
    first = {f"f{n}/a.md".encode(): (b"100644", b"%d" % n) for n in names}
    second = first | {b"f0/a.md": (b"100644", b"changed")}
    third = {b"g/a.md": second[b"f0/a.md"]} | {k: v for k, v in second.items() if k[:3] != b"f0/"}
    fourth = {b"docs/0.md": third[b"g/a.md"]} | {k: v for k, v in third.items() if k != b"g/a.md"}
    fifth = {b"docs/0.md": fourth[b"docs/0.md"]} | {
        f"docs/{n}.md".encode(): first[f"f{n}/a.md".encode()] for n in names[1:]
    }
    trees = (first, second, third, fourth, fifth)
    days = (50, 40, 30, 20, 10)
    parents = ([], [0], [1], [2], [3])
    history = make(tmp_path, graph(*zip(trees, parents, days, strict=True)))
    pages = [f"docs/{n}.md" for n in names]
    expected = {f"docs/{n}.md": (0, f"f{n}/a.md") for n in names[1:]}
    expected["docs/0.md"] = (1, "f0/a.md")
    for date in (GitDate.PUBLISHED, GitDate.COMMIT):
        found = changes_of(history, *pages, settings=Options(date=date))
        assert found == expected


def test_a_merge_that_changed_the_mode_alone(tmp_path):
    """The other side has the content but not the mode, so the merge is the change."""
    plain, program = (b"100644", b"new"), (b"100755", b"new")
    root = files(docs__a_md="old")
    commits = graph(
        (root, [], 1),
        (root | files(x="x"), [0], 2),
        ({b"docs/a.md": plain}, [0], 3),
        ({b"docs/a.md": program, **files(x="x")}, [1, 2], 4),
    )
    history = make(tmp_path, commits)
    settings = Options(date=GitDate.COMMIT, change=GitChange.ANY)
    assert changes_of(history, "docs/a.md", settings=settings) == {"docs/a.md": (3, "docs/a.md")}


def test_a_walk_over_the_whole_repository_sees_all_renames(tmp_path, git_calls):
    """No trees are compared a second time."""
    history = make(
        tmp_path, line(files(a_md="1", x="x"), files(b_md="1", x="x"), files(b_md="1", c_md="c"))
    )
    found = changes_of(history, "b.md", "c.md", folders=(".",))
    assert found == {"b.md": (0, "a.md"), "c.md": (2, "c.md")}
    assert git_calls.counted()["diff-tree"] == 0


def test_an_included_file_that_came_from_the_docs(tmp_path):
    """A deleted path of the docs comes before one outside, for files outside too."""
    history = make(
        tmp_path, line(files(docs__z_md="v", x__f_md="v", y="y"), files(other__f_md="v", y="y"))
    )
    assert changes_of(history, "other/f.md") == {"other/f.md": (0, "docs/z.md")}


@pytest.mark.parametrize(
    ("paths", "pathspecs"),
    [
        ([b"a/b.md"], [b"a/b.md"]),
        ([b"a/%d.md" % n for n in range(24)], sorted(b"a/%d.md" % n for n in range(24))),
        ([b"a/%d.md" % n for n in range(25)], [b"a"]),
        ([b"x.md", *(b"a/b/%d.md" % n for n in range(99))], [b"a/b", b"x.md"]),
        ([b"%d.md" % n for n in range(25)], []),
    ],
)
def test_many_paths_are_covered_by_few_pathspecs(paths, pathspecs):
    """By the folders above the deepest ones; none stands for the whole repository."""
    assert covering(paths) == pathspecs
