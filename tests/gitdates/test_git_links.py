"""Files that are symbolic links."""

import pytest
from git_repositories import Commit, make
from git_settings import git_dates

from mkdocs_sitemap_plus.gitdates import Change, GitReason

pytestmark = pytest.mark.usefixtures("plain_git")

DAY = 86_400


def history(*links):
    """Two files that are older than a link; the link gets each of these targets in turn."""
    files = {b"a.md": (b"100644", b"a"), b"b.md": (b"100644", b"b")}
    trees = [files, *(files | {b"docs/link.md": (b"120000", link)} for link in links)]
    return [
        Commit(tree=tree, parents=[n - 1] if n else [], committed=(n + 1) * DAY, authored=0)
        for n, tree in enumerate(trees)
    ]


def test_a_link_that_got_another_target_is_a_change(tmp_path):
    """Readers see another text, though neither file has changed."""
    made = make(tmp_path, history(b"../a.md", b"../b.md"))
    (tmp_path / "docs").mkdir()
    (tmp_path / "b.md").write_text("b")
    (tmp_path / "docs/link.md").symlink_to("../b.md")
    with git_dates() as dates:
        dates.start(tmp_path / "docs")
        (found,) = dates.last_changes([tmp_path / "docs/link.md"]).values()
    assert (found.commit, found.path) == (made.oids[2], "docs/link.md")


def test_a_file_that_changed_after_the_link_dates_it(tmp_path):
    """The newer one counts, as with an included file."""
    commits = history(b"../a.md")
    commits.append(
        Commit(
            tree=commits[-1].tree | {b"a.md": (b"100644", b"new")},
            parents=[1],
            committed=9 * DAY,
            authored=0,
        )
    )
    made = make(tmp_path, commits)
    (tmp_path / "docs").mkdir()
    (tmp_path / "a.md").write_text("new")
    (tmp_path / "docs/link.md").symlink_to("../a.md")
    with git_dates() as dates:
        (found,) = dates.last_changes([tmp_path / "docs/link.md"]).values()
    assert (found.commit, found.path) == (made.oids[2], "a.md")


def test_a_link_out_of_the_repository_is_no_problem_of_all_files(tmp_path):
    """That file has no date; the others have theirs, and no line says that there is no git."""
    make(tmp_path / "top", history(b"../../outside.md"))
    (tmp_path / "top/docs").mkdir()
    (tmp_path / "top/a.md").write_text("a")
    (tmp_path / "outside.md").write_text("secret")
    (tmp_path / "top/docs/link.md").symlink_to("../../outside.md")
    with git_dates() as dates:
        linked, plain = dates.last_changes(
            [tmp_path / "top/docs/link.md", tmp_path / "top/a.md"]
        ).values()
    assert linked.reason is GitReason.NO_REPOSITORY
    assert isinstance(plain, Change)
    assert dates.problems == []
