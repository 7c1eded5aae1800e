"""The git process: it ends with its context, and its errors are told."""

import time
from pathlib import Path

import pytest
from git_repositories import files, git, line, make, remove_object

from mkdocs_sitemap_plus.lastmod.git.process import GitFailed, GitMissing, GitProcess, output

pytestmark = pytest.mark.usefixtures("plain_git")


def children() -> str:
    """The processes that this one has started and not waited for."""
    return "".join(
        task.joinpath("children").read_text("ascii") for task in Path("/proc/self/task").iterdir()
    )


def test_leaving_early_leaves_no_process(tmp_path):
    """A git that still has much to say is gone once nobody listens."""
    make(tmp_path, line(*(files(a_md=str(number)) for number in range(1000))))
    before = children()
    with GitProcess(tmp_path, "log", "--raw") as running:
        assert running.read()
        assert children() != before
    assert children() == before


def test_an_error_in_the_reader_leaves_no_process(tmp_path):
    """A reader that fails takes git with it."""
    make(tmp_path, line(files(a_md="a")))
    before = children()
    with pytest.raises(ZeroDivisionError), GitProcess(tmp_path, "log"):
        _ = 1 / 0
    assert children() == before


def test_stopping_twice_is_no_error(tmp_path):
    """Whoever is unsure may stop again."""
    make(tmp_path, line(files(a_md="a")))
    running = GitProcess(tmp_path, "log")
    running.stop()
    running.stop()


def test_an_error_is_told_in_english(tmp_path, monkeypatch):
    """What git says is read by the engine, so the user's language must not change it."""
    make(tmp_path, line(files(a_md="a")))
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    monkeypatch.setenv("LANGUAGE", "de")
    with pytest.raises(GitFailed) as failed:
        output(tmp_path, "rev-parse", "--verify", "nowhere")
    assert failed.value.code == 128
    assert failed.value.stderr == "fatal: Needed a single revision\n"
    assert str(failed.value) == failed.value.stderr


def test_an_empty_piece_means_a_good_end(tmp_path):
    """A stream that breaks off is an error, not an end: what was read may be half of something."""
    make(tmp_path, line(files(a_md="a"), files(a_md="b")))
    tree = git(tmp_path, "rev-parse", "HEAD~1^{tree}").decode("ascii").strip()
    remove_object(tmp_path, tree)
    with (
        GitProcess(tmp_path, "log", "--format=%H", "--raw") as running,
        pytest.raises(GitFailed, match=f"fatal: unable to read tree {tree}"),
    ):
        b"".join(iter(running.read, b""))


def test_much_input_and_much_output_do_not_wait_for_each_other(tmp_path):
    """Git reads its input beside its output, so it can write before it has read all."""
    top = make(tmp_path, line(files(a_md="a")))
    asked = f"{top.oids[0]}\n".encode() * 3_000
    start = time.monotonic()
    with GitProcess(tmp_path, "cat-file", "--batch-check", stdin=asked) as running:
        said = b"".join(iter(running.read, b""))
    assert said.count(b"\n") == 3_000
    assert time.monotonic() - start < 60


def test_no_git_program(tmp_path, monkeypatch):
    """A machine without git is told from a git that fails."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitMissing) as missing:
        output(tmp_path, "version")
    assert missing.value.code is None


def test_a_git_that_may_not_be_run_is_none(tmp_path, monkeypatch):
    """A file of that name that is no program."""
    (tmp_path / "git").write_text("not a program")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GitMissing):
        output(tmp_path, "version")
