"""The walk that begins ahead of its time."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from git_repositories import files, git, line, make
from quantity import at_length

from mkdocs_sitemap_plus.lastmod.git import History
from mkdocs_sitemap_plus.options import GitSettings

pytestmark = pytest.mark.usefixtures("plain_git", "few_or_many_files")


def open_files():
    """The files that this process holds open."""
    links = Path("/proc/self/fd").iterdir()
    return sorted(str(link.readlink()) for link in links if link.is_symlink())


def lives(pid):
    """Whether a process is there."""
    return Path(f"/proc/{pid}").exists()


class Slow:
    """A git whose ``log`` never ends, and whose other commands are git's."""

    def __init__(self, folder):
        """Its program is in this folder, and notes there which processes it was."""
        self.folder, self._pids = folder, folder / "pids"

    def pids(self):
        """The processes of ``git log``."""
        return self._pids.read_text("ascii").split() if self._pids.exists() else []

    def wait(self):
        """Until the first has begun."""
        while not self.pids():
            pass


@pytest.fixture
def slow(tmp_path, monkeypatch):
    """First on the PATH from here on."""
    folder = tmp_path / "slow"
    folder.mkdir()
    program = folder / "git"
    program.write_text(
        "#!/bin/sh\n"
        f'case " $* " in *" log "*) echo $$ >>"{folder}/pids"; exec sleep 300;; esac\n'
        f'exec "{shutil.which("git")}" "$@"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return Slow(folder)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks into /proc")
def test_what_was_begun_and_never_asked_for(tmp_path, monkeypatch, slow):
    """Closing ends it: no process is left, and no file."""
    make(tmp_path / "site", line(files(docs__a_md="a")))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    before = open_files()
    engine = History(GitSettings())
    engine.start(tmp_path / "site" / "docs")
    slow.wait()
    (pid,) = slow.pids()
    assert lives(pid)
    engine.close()
    assert not lives(pid)
    assert list((tmp_path / "temporary").iterdir()) == []
    assert open_files() == before
    engine.close()


HOOK = """\
from pathlib import Path

def on_page_markdown(markdown, **_):
    pids = Path({pids!r})
    while not pids.exists() or not pids.read_text():
        pass
    {then}
"""


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks into /proc")
@pytest.mark.parametrize(
    "statement",
    [
        "from mkdocs.exceptions import PluginError; raise PluginError('the hook fails')",
        pytest.param("raise KeyboardInterrupt", marks=at_length),
    ],
)
@pytest.mark.fault("a hook or another plugin stops the build")
def test_a_build_that_dies(site, plain_git, slow, statement, few_or_many_files):
    """However it ends, git does not outlive it."""
    pids = slow.folder / "pids"
    site.write({"docs/index.md": "text", "hook.py": HOOK.format(pids=str(pids), then=statement)})
    site.config("lastmod: {}", more="hooks: [hook.py]\n")
    more = {f"docs__{n}_txt": "text" for n in range(few_or_many_files)}
    make(site.folder, line(files(docs__index_md="text", **more)))
    try:
        built = site.build(check=False, program="mkdocs")
    except AssertionError as error:  # MkDocs shows a traceback of what it does not know
        assert "Traceback" in str(error)  # noqa: PT017
    else:
        assert built.returncode
    (pid,) = slow.pids()
    assert not lives(pid)


def test_pages_that_git_does_not_hold_wait_for_no_walk(tmp_path, slow):
    """Nothing of it is needed, so it is ended, not waited for."""
    make(tmp_path / "site", line(files(docs__a_md="a")))
    engine = History(GitSettings())
    engine.start(tmp_path / "site" / "docs")
    slow.wait()
    assert engine.changes([tmp_path / "site" / "docs" / "new.md"]) == {}
    engine.close()
    assert not any(map(lives, slow.pids()))


def test_no_git_when_it_begins(tmp_path, monkeypatch):
    """One note, and no more when dates are asked for."""
    make(tmp_path, line(files(docs__a_md="a")))
    monkeypatch.setenv("PATH", str(tmp_path))
    engine = History(GitSettings())
    engine.start(tmp_path / "docs")
    assert engine.changes([tmp_path / "docs" / "a.md"]) == {}
    assert [problem.code for problem in engine.problems] == ["no-git"]
    engine.close()


def test_git_goes_away_between(tmp_path, monkeypatch):
    """It was there when the repository was looked at, and is not when the walk begins."""
    make(tmp_path, line(files(docs__a_md="a")))
    engine = History(GitSettings())
    assert engine.tracked([tmp_path / "docs" / "a.md"])
    monkeypatch.setenv("PATH", str(tmp_path))
    engine.start(tmp_path / "docs")
    assert engine.changes([tmp_path / "docs" / "a.md"]) == {}
    assert [problem.code for problem in engine.problems] == ["no-git"]
    engine.close()


@pytest.mark.parametrize("nested", [False, True])
def test_two_docs_folders_of_one_repository(tmp_path, git_calls, nested):
    """The walk begins anew over both; the first one is ended."""
    other = "docs/de" if nested else "other"
    trees = [
        {b"docs/a.md": (b"100644", b"a"), f"{other}/b.md".encode(): (b"100644", b"%d" % n)}
        for n in range(3)
    ]
    history = make(tmp_path, line(*trees))
    engine = History(GitSettings())
    for folder in ("docs", other, "docs"):
        engine.start(tmp_path / folder)
    pages = [tmp_path / "docs/a.md", tmp_path / other / "b.md"]
    found = [change.commit for change in engine.changes(pages).values()]
    assert found == [history.oids[0], history.oids[2]]
    engine.close()
    assert git_calls.counted()["rev-parse"] == 1
    assert git_calls.counted()["log"] <= 2


@pytest.mark.fault("there is a new commit during the build")
def test_a_head_that_moves_while_a_build_runs(tmp_path):
    """All of a build is of the commit at which it began."""
    history = make(tmp_path, line(files(docs__a_md="1"), files(docs__a_md="2")))
    engine = History(GitSettings())
    engine.start(tmp_path / "docs")
    git(tmp_path, "update-ref", "HEAD", history.oids[0])
    found = engine.changes([tmp_path / "docs" / "a.md"])
    assert [change.commit for change in found.values()] == [history.oids[1]]
    engine.close()
