"""The package of the git engine on its own: it needs no other package, and none of this one."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from git_repositories import files, git, line, make

from mkdocs_sitemap_plus import gitdates

pytestmark = pytest.mark.usefixtures("plain_git")

PROGRAM = """\
import json, sys
sys.path.insert(0, sys.argv[1])
from gitdates import GitDates
with GitDates("docs") as dates:
    found = dates.last_changes(sys.argv[2:])
facts = {file: [date.commit, int(date.when.timestamp())] for file, date in found.items()}
modules = {name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names
print(json.dumps([facts, sorted(modules)]))
"""


def test_a_copy_of_the_package_dates_files_without_any_other_package(tmp_path):
    """In an empty folder, under another name, by a Python that sees only its standard library."""
    package = tmp_path / "empty" / "gitdates"
    shutil.copytree(
        Path(gitdates.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__")
    )
    top = tmp_path / "site"
    make(top, line(files(docs__a_md="1", docs__b_md="b"), files(docs__a_md="2", docs__b_md="b")))
    names = ["docs/a.md", "docs/b.md"]
    command = [sys.executable, "-I", "-S", "-c", PROGRAM, package.parent, *names]
    done = subprocess.run(command, cwd=top, capture_output=True, check=True)
    found, modules = json.loads(done.stdout)
    by_git = ("log", "-1", "--first-parent", "--format=%H %ct", "--")
    expected = {name: git(top, *by_git, name).decode().split() for name in names}
    assert found == {name: [commit, int(when)] for name, (commit, when) in expected.items()}
    assert modules == ["__main__", "gitdates"]
