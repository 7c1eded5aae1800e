"""The git process: it ends with its context, and its errors are reported."""

import pytest
from git_repositories import files, git, line, make, remove_object
from processes import HAS_PROC, child_processes

from mkdocs_sitemap_plus.gitdates.git import Git as GitProcess
from mkdocs_sitemap_plus.gitdates.git import output
from mkdocs_sitemap_plus.gitdates.values import GitFailed

pytestmark = pytest.mark.usefixtures("plain_git")


PROC = pytest.mark.skipif(not HAS_PROC, reason="looks into /proc")


@PROC
def test_an_error_in_the_reader_leaves_no_process(tmp_path):
    """A reader that fails takes git with it."""
    make(tmp_path, line(files(a_md="a")))
    before = child_processes()
    with pytest.raises(ZeroDivisionError), GitProcess(tmp_path, "log"):
        _ = 1 / 0
    assert not child_processes() - before


def test_an_error_of_git_is_in_english(tmp_path, monkeypatch):
    """What git says is read by the engine, so the user's language must not change it."""
    make(tmp_path, line(files(a_md="a")))
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setenv("LANGUAGE", "de")
    with pytest.raises(GitFailed) as failed:
        output(tmp_path, "rev-parse", "--verify", "nowhere")
    assert str(failed.value) == "fatal: Needed a single revision"


def test_an_empty_piece_means_a_good_end(tmp_path):
    """A stream that breaks off is an error, not an end: what was read may be half of something."""
    make(tmp_path, line(files(a_md="a"), files(a_md="b")))
    tree = git(tmp_path, "rev-parse", "HEAD~1^{tree}").decode("ascii").strip()
    remove_object(tmp_path, tree)
    with (
        GitProcess(tmp_path, "log", "--format=%H", "--raw") as running,
        pytest.raises(GitFailed, match=rf"fatal: unable to read tree \(?{tree}"),
    ):
        b"".join(iter(running.read, b""))
