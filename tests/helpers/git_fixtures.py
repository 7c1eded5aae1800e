"""What tests that run git share."""

import os
import random
import shutil
from collections import Counter
from pathlib import Path

import pytest

CI = (
    *("CI", "GITHUB_ACTIONS", "GITLAB_CI", "BITBUCKET_BUILD_NUMBER", "TF_BUILD"),
    *("READTHEDOCS", "NETLIFY", "CF_PAGES", "VERCEL"),
)
"""What services that build sites set."""

NAMES_BRANCH = (
    "GITHUB_REF_TYPE",
    "CIRCLECI",
    "JENKINS_URL",
    "AWS_APP_ID",
    "READTHEDOCS_VERSION_TYPE",
)
"""Without which no service names the branch that it builds."""


class Calls:
    """The calls of git while a test runs: a program of that name, first on the PATH, notes them."""

    def __init__(self, file: Path) -> None:
        """Notes are lines of this file."""
        self._file = file

    def __len__(self) -> int:
        """How many there were."""
        return len(self.commands())

    def commands(self) -> list[str]:
        """The first word of each call that is no option or its value."""
        return self._file.read_text("utf-8").split() if self._file.exists() else []

    def counted(self) -> Counter[str]:
        """The same, however those that ran beside each other came in turn."""
        return Counter(self.commands())


class Faulty:
    """A git with one faulty subcommand, first on the PATH."""

    def __init__(self, folder, monkeypatch):
        """There is no fault yet."""
        self._folder, self._monkeypatch = folder, monkeypatch
        folder.mkdir()
        dice = random.Random(1)  # noqa: S311 - the same garbage each time
        (folder / "garbage").write_bytes(dice.randbytes(5_000))

    def fault(self, command, script):
        """From here on, this subcommand runs a script; ``{git}`` in it is what it should run."""
        real = shutil.which(
            "git", path=os.environ["PATH"].replace(f"{self._folder}{os.pathsep}", "")
        )
        program = self._folder / "git"
        script = script.replace("{git}", f'"{real}" "$@"')
        script = script.replace("{garbage}", str(self._folder / "garbage"))
        program.write_text(
            f'#!/bin/sh\ncase " $* " in *" {command} "*) {script};; *) exec "{real}" "$@";; esac\n'
        )
        program.chmod(0o755)
        if str(self._folder) not in os.environ["PATH"].split(os.pathsep):
            path = f"{self._folder}{os.pathsep}{os.environ['PATH']}"
            self._monkeypatch.setenv("PATH", path)


def lives(pid):
    """Whether a process is there."""
    return Path(f"/proc/{pid}").exists()


def runs(pid):
    """Whether a process runs: it is there, and does not only wait to be counted."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


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
def plain_git(tmp_path, monkeypatch):
    """A user without git configuration, and no trace of CI or hooks.

    Returns the home folder, which is not there yet.
    """
    home = tmp_path / "home"
    for name in [*os.environ]:
        if name.startswith("GIT_") or name in (*CI, *NAMES_BRANCH):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return home


@pytest.fixture
def git_calls(tmp_path, monkeypatch, plain_git):
    """Counts the calls of git from here on."""
    folder = tmp_path / "counting"
    folder.mkdir()
    calls = folder / "calls"
    program = folder / "git"
    program.write_text(
        "#!/bin/sh\n"
        'for word in "$@"; do case $word in\n'
        "  rev-parse|ls-tree|log|diff-tree|cat-file|fetch|check-ignore)\n"
        f'  echo "$word" >>"{calls}"; break;;\n'
        "esac; done\n"
        f'exec "{shutil.which("git")}" "$@"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return Calls(calls)


@pytest.fixture
def faulty(tmp_path, monkeypatch):
    """Sets faults of git."""
    return Faulty(tmp_path / "faulty", monkeypatch)


@pytest.fixture
def slow(tmp_path, monkeypatch):
    """First on the PATH from here on."""
    folder = tmp_path / "slow"
    folder.mkdir()
    program = folder / "git"
    program.write_text(
        "#!/bin/sh\n"
        f'case " $* " in *" log "*) echo $$ >>"{folder}/pids"; exec yes;; esac\n'
        f'exec "{shutil.which("git")}" "$@"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return Slow(folder)
