"""The sample site has a history of its own: a text, from which the README makes a repository."""

import os
import re
import subprocess
from runpy import run_path

import pytest
from docs_pages import ROOT, marked
from lighthouse import HISTORY, SAMPLE, lighthouse
from sites import SiteMaker, clean_environment, git

pytestmark = pytest.mark.skipif(not SAMPLE.is_dir(), reason="only a whole checkout has the sample")
SCRIPT = ROOT / "scripts" / "make_sample_history.py"
REVS = ".git-blame-ignore-revs"


@pytest.fixture(scope="module")
def script():
    """What the script defines; it is not run."""
    return run_path(str(SCRIPT))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The sample site with its history."""
    return lighthouse(tmp_path_factory.mktemp("history") / "lighthouse")


def files_of_the_sample():
    """The bytes and the mode of each file that is not built, and not the history itself."""
    found = {}
    for path in SAMPLE.rglob("*"):
        name = path.relative_to(SAMPLE).as_posix()
        if path.is_file() and path != HISTORY and not name.startswith("site/"):
            mode = "100755" if os.access(path, os.X_OK) else "100644"
            found[name] = mode, path.read_bytes()
    return found


def test_the_history_ends_with_the_files_of_the_sample_site(site):
    """Byte for byte, with the same modes, and with no other file."""
    listed = git("ls-tree", "-rz", "main", cwd=site.folder).strip("\0").split("\0")
    entries = (each.partition("\t")[::2] for each in listed)
    kept = {name: (meta.split()[0], (site.folder / name).read_bytes()) for meta, name in entries}
    assert kept == files_of_the_sample()
    assert git("status", "--porcelain", "--ignored", cwd=site.folder) == ""


def test_the_script_makes_the_history(script):
    """After each change of the sample site, somebody has to run it."""
    assert HISTORY.read_text("utf-8") == script["history"](script["sample_files"]())


def test_the_commit_that_formats_is_the_one_that_is_ignored(site):
    """The id in the file is its id, so the file has not to be written again."""
    ignored = (site.folder / REVS).read_text("utf-8").splitlines()[1]
    subject = git("log", "-1", "--format=%s", ignored, cwd=site.folder)
    assert f"# {subject}\n{ignored}\n" == (SAMPLE / REVS).read_text("utf-8")
    changed = git("show", "--format=", "--name-only", ignored, "--", "docs", cwd=site.folder)
    assert len(changed.splitlines()) > 4


SCRIPT_OF_README = ROOT / marked("try").split()[1]
UNPACKS = re.search(r"(?s)git init .*? checkout \S+ main", SCRIPT_OF_README.read_text("utf-8"))[0]
"""The part of what the README's first command runs that is git's."""

STRICT = """\
[safe]
bareRepository = explicit
[protocol]
allow = never
[transfer]
fsckObjects = true
[commit]
gpgSign = true
"""


def test_the_readme_unpacks_the_history_outside_of_the_clone(site, tmp_path):
    """In a new home, twice, with the ids of everywhere; `git status` of the clone shows nothing."""
    clone, home = tmp_path / "clone", tmp_path / "home"
    home.mkdir()
    (home / ".gitconfig").write_text(STRICT)
    files = {
        "sample_site/history.fast-import": HISTORY.read_bytes(),
        ".gitignore": (ROOT / ".gitignore").read_bytes(),
    }
    SiteMaker(clone).write(files)
    SiteMaker(clone).commit()
    environment = clean_environment(
        HOME=str(home), GIT_CONFIG_GLOBAL=str(home / ".gitconfig"), GIT_DEFAULT_HASH="sha256"
    )
    for _ in range(2):
        done = subprocess.run(
            ["sh", "-ec", UNPACKS],
            cwd=clone,
            env=environment,
            check=True,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
        assert (done.stdout, done.stderr) == (b"", b"")
        (clone / "lighthouse" / "docs" / "install.md").write_text("An older sample.\n")
    subprocess.run(["sh", "-ec", UNPACKS], cwd=clone, env=environment, check=True)
    for command in ("rev-parse main v2.3", "status --porcelain", "ls-files -s"):
        shown = git(*command.split(), cwd=clone / "lighthouse")
        assert shown == git(*command.split(), cwd=site.folder), command
    assert git("status", "--porcelain", cwd=clone) == ""
