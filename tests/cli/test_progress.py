"""The line that says that long work goes on, on a real terminal."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from quantity import at_length
from sites import clean_environment
from terminals import pieces, seen

pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals")

SLOW_GIT = """\
#!/bin/sh
case "$*" in *" log "*) sleep "${{SECONDS_OF_LOG:-2.5}}" ;; esac
exec {git} "$@"
"""


@pytest.fixture
def site_of_one_page(site):
    """A page in a repository, whose history can be made slow to read."""
    site.docs({"index.md": "# Home\n"})
    site.config()
    site.commit()
    return site


@pytest.fixture
def slowly(tmp_path_factory):
    """The environment of somebody whose disk is slow: git waits before it reads the history."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "git"
    program.write_text(SLOW_GIT.format(git=shutil.which("git")))
    program.chmod(0o755)
    return {"PATH": os.pathsep.join([str(folder), os.environ["PATH"]])}


def on_a_terminal(folder, **environment):
    """Build, and return all that a terminal of 80 columns gets."""
    watcher, terminal = pty.openpty()
    kept = clean_environment(TERM="xterm", COLUMNS="80")
    kept.pop("CI", None)
    with subprocess.Popen(
        [sys.executable, "-m", "mkdocs", "build"],
        cwd=folder,
        env=kept | environment,
        stdin=subprocess.DEVNULL,
        stdout=terminal,
        stderr=terminal,
    ) as build:
        os.close(terminal)
        got = b"".join(pieces(watcher))
    os.close(watcher)
    assert build.returncode == 0, got
    return got.decode()


@at_length
def test_a_long_build_says_what_it_does_and_cleans_up(site_of_one_page, slowly):
    """After a second a line counts the seconds; in the end nothing of it is left."""
    got = on_a_terminal(site_of_one_page.folder, **slowly)
    seconds = [int(each) for each in re.findall(r"\rsitemap-plus: dating 1 page \((\d+) s\)", got)]
    assert seconds
    assert seconds == sorted(seconds)
    assert seconds[0] >= 1
    assert not [line for line in seen(got) if "dating" in line]
    summary = "INFO    -  sitemap-plus: sitemap.xml: 1 page, dated (git)"
    assert [line.startswith(summary) for line in seen(got)].count(True) == 1
