"""The walk that begins ahead of its time, and what is kept of it while serving."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from git_repositories import files, git, line, make
from quantity import at_length

from mkdocs_sitemap_plus.lastmod import git as engine
from mkdocs_sitemap_plus.lastmod.git import History
from mkdocs_sitemap_plus.options import GitChange, GitSettings, Shallow

pytestmark = pytest.mark.usefixtures("plain_git", "size")


@pytest.fixture(params=["few files", "many files"])
def size(request, monkeypatch):
    """Of few files git waits to be read; of many it runs on. How many more there have to be."""
    if request.param == "few files":
        return 0
    few = engine._FEW_FILES  # noqa: SLF001
    monkeypatch.setattr(engine, "_FEW_FILES", 0)
    return few


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
def test_a_build_that_dies(site, plain_git, slow, statement, size):
    """However it ends, git does not outlive it."""
    pids = slow.folder / "pids"
    site.write({"docs/index.md": "text", "hook.py": HOOK.format(pids=str(pids), then=statement)})
    site.config("lastmod: {}", more="hooks: [hook.py]\n")
    more = {f"docs__{n}_txt": "text" for n in range(size)}
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


# Serving: each rebuild is a new engine in the same process


def rebuild(docs, *names, **settings):
    """One build's commits, by page."""
    engine = History(GitSettings(**settings))
    engine.start(docs)
    found = engine.changes([docs / name for name in names])
    engine.close()
    return {file.name: change.commit for file, change in found.items()}


@pytest.mark.parametrize("change", GitChange)
def test_the_same_head_is_walked_once(tmp_path, git_calls, change):
    """A rebuild asks git only where HEAD is, whatever was edited or added without a commit."""
    history = make(tmp_path, line(files(docs__a_md="a", docs__b_md="b")))
    git(tmp_path, "reset", "-q", "--hard")
    docs = tmp_path / "docs"
    first = rebuild(docs, "a.md", "b.md", change=change)
    assert first == {"a.md": history.oids[0], "b.md": history.oids[0]}
    once = git_calls.counted()
    assert once["log"] == 1
    (docs / "a.md").write_text("edited")
    assert rebuild(docs, "a.md", "b.md", change=change) == first
    assert git_calls.counted() - once == {"rev-parse": 1}
    (docs / "new.md").write_text("new")
    assert rebuild(docs, "a.md", "b.md", "new.md", change=change) == first
    assert rebuild(docs, "a.md", "b.md", "new.md", change=change) == first
    assert git_calls.counted() - once == {"rev-parse": 3}


def test_a_new_commit_while_serving(tmp_path, git_calls):
    """It is seen at the next rebuild, with one more walk."""
    history = make(tmp_path, line(files(docs__a_md="a", docs__b_md="b")))
    git(tmp_path, "reset", "-q", "--hard")
    docs = tmp_path / "docs"
    rebuild(docs, "a.md", "b.md")
    (docs / "a.md").write_text("new")
    git(tmp_path, "commit", "-q", "-a", "-m", "new")
    head = git(tmp_path, "rev-parse", "HEAD").decode().strip()
    once = git_calls.counted()
    for _ in range(2):
        assert rebuild(docs, "a.md", "b.md") == {"a.md": head, "b.md": history.oids[0]}
    assert git_calls.counted() - once == {"rev-parse": 2, "log": 1, "ls-tree": 1}


def test_a_page_of_head_that_was_not_asked_for_before(tmp_path, git_calls):
    """A page that comes into the site later is walked for, and then known too."""
    history = make(tmp_path, line(files(docs__a_md="a", docs__b_md="b")))
    docs = tmp_path / "docs"
    assert rebuild(docs, "a.md") == {"a.md": history.oids[0]}
    for _ in range(2):
        assert rebuild(docs, "a.md", "b.md").keys() == {"a.md", "b.md"}
    assert git_calls.counted()["log"] == 2


def test_other_settings_are_another_walk(tmp_path):
    """What was kept was for the settings of then."""
    history = make(tmp_path, line(files(docs__a_md="a"), files(docs__b_md="a")))
    docs = tmp_path / "docs"
    assert rebuild(docs, "b.md", change=GitChange.ANY) == {"b.md": history.oids[1]}
    assert rebuild(docs, "b.md", change=GitChange.CONTENT) == {"b.md": history.oids[0]}
    assert rebuild(docs, "b.md", change=GitChange.ANY) == {"b.md": history.oids[1]}


def test_a_clone_that_is_completed_while_serving(tmp_path, git_calls):
    """The same HEAD, but another boundary: it is walked anew, and dates come."""
    history = make(tmp_path / "whole", line(files(docs__a_md="1"), files(docs__a_md="1", x="x")))
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{history.top}", "cut")
    docs = tmp_path / "cut" / "docs"
    for _ in range(2):
        assert rebuild(docs, "a.md") == {}
    assert git_calls.counted()["log"] == 1
    git(tmp_path / "cut", "fetch", "-q", "--unshallow")
    assert rebuild(docs, "a.md") == {"a.md": history.oids[0]}


def test_a_page_that_becomes_a_link_while_serving(tmp_path, git_calls):
    """It is dated by what it leads to from then on, and by the next thing when that changes."""
    trees = files(docs__a_md="a", docs__b_md="b"), files(docs__a_md="a", docs__b_md="c")
    history = make(tmp_path, line(*trees))
    git(tmp_path, "reset", "-q", "--hard")
    docs = tmp_path / "docs"
    assert rebuild(docs, "a.md") == {"a.md": history.oids[0]}
    (docs / "a.md").unlink()
    (docs / "a.md").symlink_to("b.md")
    assert rebuild(docs, "a.md") == {"a.md": history.oids[1]}
    (docs / "link.md").symlink_to("a.md")
    assert rebuild(docs, "link.md") == {"link.md": history.oids[1]}
    (docs / "a.md").unlink()
    (docs / "a.md").write_text("a")
    assert rebuild(docs, "link.md", "a.md") == dict.fromkeys(("link.md", "a.md"), history.oids[0])
    assert git_calls.counted()["log"] <= 2


def test_a_folder_that_becomes_a_repository_while_serving(tmp_path):
    """The nearest repository is asked, as it is at each rebuild."""
    history = make(tmp_path, line(files(docs__part__a_md="a")))
    git(tmp_path, "reset", "-q", "--hard")
    docs = tmp_path / "docs"
    assert rebuild(docs, "part/a.md") == {"a.md": history.oids[0]}
    inner = make(docs / "part", line(files(a_md="b")))
    assert rebuild(docs, "part/a.md") == {"a.md": inner.oids[0]}
    (docs / "part" / ".git").rename(tmp_path / "away")
    assert rebuild(docs, "part/a.md") == {"a.md": history.oids[0]}


def test_files_that_are_asked_for_again_and_again(tmp_path):
    """Each question has its own answer, however many there were."""
    names = [f"{n}.md" for n in range(9)]
    history = make(tmp_path, line(files(**{f"docs__{n}_md": str(n) for n in range(9)})))
    docs = tmp_path / "docs"
    for _ in range(2):
        for i in range(len(names)):
            assert rebuild(docs, *names[i:]) == dict.fromkeys(names[i:], history.oids[0])


# Fetching what a shallow clone lacks


@pytest.fixture
def cut(tmp_path):
    """A history, and a clone of its last commit."""
    trees = [files(docs__a_md="a", docs__b_md=str(n)) for n in range(4)]
    history = make(tmp_path / "whole", line(*trees))
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{history.top}", "cut")
    return history, tmp_path / "cut"


def fetched(top):
    """Dates and notes with `shallow: fetch`."""
    engine = History(GitSettings(shallow=Shallow.FETCH))
    engine.start(top / "docs")
    found = engine.changes([top / "docs" / name for name in ("a.md", "b.md")])
    engine.close()
    return {file.name: change.commit for file, change in found.items()}, engine.problems


def test_the_missing_history_is_fetched(cut, git_calls):
    """Once; and the clone is then a whole one, not a partial one."""
    history, top = cut
    for _ in range(2):
        found, problems = fetched(top)
        assert found == {"a.md": history.oids[0], "b.md": history.oids[3]}
        assert problems == []
    assert git_calls.counted()["fetch"] == 1
    assert not (top / ".git" / "shallow").exists()
    assert "promisor" not in (top / ".git" / "config").read_text()
    assert git(top, "status", "--porcelain") == b""


@pytest.mark.parametrize("remote", ["file:///nonexistent/gone", None, "https://256.0.0.1/x"])
def test_a_fetch_that_fails(cut, remote):
    """One note with git's reason; the build goes on."""
    _, top = cut
    git(top, "remote", "remove", "origin")
    if remote:
        git(top, "remote", "add", "origin", remote)
    found, problems = fetched(top)
    assert found == {}
    (failed,) = problems
    assert (failed.code, failed.note, failed.done) == ("fetch", True, "The clone stays shallow.")
    why = "fatal: " if remote else "no remote has more of the history)"
    assert failed.found.startswith(f"the missing history can't be fetched ({why}")


def test_a_remote_that_is_shallow_itself(cut, tmp_path):
    """What nobody has stays hidden, as in any shallow clone."""
    history, _ = cut
    git(tmp_path, "clone", "-q", "--depth=2", f"file://{history.top}", "mirror")
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{tmp_path / 'mirror'}", "third")
    found, problems = fetched(tmp_path / "third")
    assert found == {"b.md": history.oids[3]}
    assert problems == []


def test_a_whole_clone_is_not_fetched(tmp_path, git_calls):
    """There is nothing to fetch."""
    history = make(tmp_path, line(files(docs__a_md="a", docs__b_md="b")))
    found, _ = fetched(tmp_path)
    assert found == {"a.md": history.oids[0], "b.md": history.oids[0]}
    assert git_calls.counted()["fetch"] == 0
