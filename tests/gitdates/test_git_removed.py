"""The commits that deleted or renamed files, as git itself names them."""

from git_repositories import git, init

from mkdocs_sitemap_plus.gitdates import GitDates


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def commit(folder, subject):
    """Commit everything; returns the id."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", subject)
    return git(folder, "rev-parse", "HEAD").decode().strip()


def test_a_deleted_and_a_renamed_file(tmp_path):
    """Also in a folder that is gone; a file that HEAD holds, and one that never was, are absent."""
    init(tmp_path)
    text = "A text that is long enough to be found again under another name.\n" * 3
    write(tmp_path, {"d/a.md": text, "d/b.md": "B\n", "d/ü\tc.md": "C\n", "d/gone/x.md": "X\n"})
    commit(tmp_path, "Add")
    git(tmp_path, "mv", "d/a.md", "d/new.md")
    renamed = commit(tmp_path, "Rename A")
    git(tmp_path, "rm", "-q", "-r", "d/b.md", "d/gone", "d/ü\tc.md")
    deleted = commit(tmp_path, "Delete B")
    write(tmp_path, {"d/b.md": "again\n"})
    commit(tmp_path, "Add B again")
    git(tmp_path, "rm", "-q", "d/b.md")
    again = commit(tmp_path, "Delete B again")
    names = ["a.md", "b.md", "ü\tc.md", "gone/x.md", "new.md", "never.md"]
    files = {name: tmp_path / "d" / name for name in names}
    with GitDates(tmp_path / "d") as dates:
        found = dates.removed(files.values())
    named = {name: found.get(path) for name, path in files.items()}
    assert named == {
        "a.md": (renamed, "d/new.md"),
        "b.md": (again, None),
        "ü\tc.md": (deleted, None),
        "gone/x.md": (deleted, None),
        "new.md": None,
        "never.md": None,
    }


def test_a_merge_counts_as_the_commit_that_brings_it(tmp_path):
    """As in ``git log --first-parent``: on that day the page left the published branch."""
    init(tmp_path)
    write(tmp_path, {"a.md": "A\n", "b.md": "B\n"})
    commit(tmp_path, "Add")
    git(tmp_path, "switch", "-q", "-c", "topic")
    (tmp_path / "a.md").unlink()
    commit(tmp_path, "Delete A")
    git(tmp_path, "switch", "-q", "main")
    git(tmp_path, "merge", "-q", "--no-ff", "--no-edit", "topic")
    merge = git(tmp_path, "rev-parse", "HEAD").decode().strip()
    with GitDates(tmp_path) as dates:
        assert dates.removed([tmp_path / "a.md"]) == {tmp_path / "a.md": (merge, None)}


def test_git_that_fails_removes_nothing(tmp_path):
    """No repository, and no commits."""
    with GitDates(tmp_path) as dates:
        assert dates.removed([tmp_path / "a.md"]) == {}
    init(tmp_path)
    with GitDates(tmp_path) as dates:
        assert dates.removed([tmp_path / "a.md"]) == {}
