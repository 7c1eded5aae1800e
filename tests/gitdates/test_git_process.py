"""The git process: it ends with its context, and its errors are reported."""

import os
import shutil
import sys
import time
from pathlib import Path

import pytest
from git_repositories import files, git, line, make, remove_object
from processes import HAS_PROC, child_processes

from mkdocs_sitemap_plus.gitdates import process
from mkdocs_sitemap_plus.gitdates.process import GitFailed, GitMissing, GitProcess, output

pytestmark = pytest.mark.usefixtures("plain_git")


PROC = pytest.mark.skipif(not HAS_PROC, reason="looks into /proc")


@PROC
def test_leaving_early_leaves_no_process(tmp_path):
    """A git that still has much to say is gone once nobody listens."""
    make(tmp_path, line(*(files(a_md=str(number)) for number in range(1000))))
    before = child_processes()
    with GitProcess(tmp_path, "log", "--raw") as running:
        assert running.read()
        assert child_processes() - before
    assert not child_processes() - before


@PROC
def test_an_error_in_the_reader_leaves_no_process(tmp_path):
    """A reader that fails takes git with it."""
    make(tmp_path, line(files(a_md="a")))
    before = child_processes()
    with pytest.raises(ZeroDivisionError), GitProcess(tmp_path, "log"):
        _ = 1 / 0
    assert not child_processes() - before


def test_stopping_twice_is_no_error(tmp_path):
    """To stop twice does no harm."""
    make(tmp_path, line(files(a_md="a")))
    running = GitProcess(tmp_path, "log")
    running.stop()
    running.stop()


def test_an_error_of_git_is_in_english(tmp_path, monkeypatch):
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
    """A machine without git has a message of its own."""
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


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux can end git then")
UNTIL = 3  # seconds, after which nobody waits for what should happen at once


@pytest.fixture
def held_back(tmp_path, monkeypatch):
    """A git that begins only when the file that this returns is there; each call is a line."""
    folder, begin, calls = tmp_path / "bin", tmp_path / "begin", tmp_path / "calls"
    folder.mkdir()
    (folder / "git").write_text(
        f'#!/bin/sh\necho x >>"{calls}"\nwhile [ ! -e "{begin}" ]; do sleep 0.01; done\n'
        f'exec "{shutil.which("git")}" "$@"\n'
    )
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return begin, calls


@LINUX
@pytest.mark.parametrize(("most", "runs_of_git"), [(5_000, 2), (1 << 25, 1)])
def test_what_is_read_ahead_has_a_bound_and_nothing_is_lost(
    tmp_path, monkeypatch, held_back, most, runs_of_git
):
    """A longer output is asked for again, when it is read."""
    begin, calls = held_back
    top = make(tmp_path / "site", line(*(files(a_md=str(number)) for number in range(100))))
    monkeypatch.setattr(process, "_MAX_AHEAD", most)
    start = f"{top.oids[-1]}\n".encode()
    arguments = (tmp_path / "site", "log", "--raw", "--stdin")
    with GitProcess(*arguments, stdin=start, prefetch=True) as ahead:
        begin.write_text("")
        found = b"".join(iter(ahead.read, b""))
    assert len(calls.read_text("ascii").split()) == runs_of_git
    with GitProcess(*arguments, stdin=start) as plain:
        wanted = b"".join(iter(plain.read, b""))
    assert len(wanted) > 10_000
    assert found == wanted


@LINUX
def test_the_bound_is_that_of_the_memory(tmp_path, monkeypatch, held_back):
    """Nothing beyond it is kept while nobody reads."""
    begin, _ = held_back
    make(tmp_path / "site", line(*(files(a_md=str(number)) for number in range(100))))
    monkeypatch.setattr(process, "_MAX_AHEAD", 5_000)
    with GitProcess(tmp_path / "site", "log", "--raw", prefetch=True) as ahead:
        begin.write_text("")
        ahead._process.wait(UNTIL)  # noqa: SLF001 - nothing else shows that it has ended
        assert os.fstat(ahead._stdout.fileno()).st_size == 5_000  # noqa: SLF001 - nor this


@LINUX
def test_no_descriptor_is_left(tmp_path):
    """Whether the output was read or not."""
    make(tmp_path, line(files(a_md="a")))
    before = {path.name for path in Path("/proc/self/fd").iterdir()}
    for ahead in (False, True):
        with GitProcess(tmp_path, "log", prefetch=ahead) as running:
            running.read()
        GitProcess(tmp_path, "log", prefetch=ahead).stop()
    assert not {path.name for path in Path("/proc/self/fd").iterdir()} - before
