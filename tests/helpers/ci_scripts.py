"""Run the scripts of the action for GitHub and of the component for GitLab, as they stand there.

What a host does around them is done here: it puts inputs into variables of the environment, and
runs the script in a shell.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from quantity import at_length
from warm_mkdocs import copy_of_site

ROOT = Path(__file__).parents[2]
ACTION, COMPONENT = ROOT / "action.yml", ROOT / "templates" / "sitemap.yml"

IF_THERE = [
    pytest.mark.skipif(not ACTION.is_file(), reason="only a whole checkout has these files"),
    pytest.mark.skipif(sys.platform == "win32", reason="the scripts run in a shell of POSIX"),
]


def copied(folder, tmp_path):
    """A copy of a built site, and beside it a folder with the command."""
    copy_of_site(folder, tmp_path / "site")
    command = tmp_path / "bin" / "mkdocs-sitemap-plus"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mkdocs_sitemap_plus "$@"\n')
    command.chmod(0o755)
    return tmp_path / "site"


def run(shell, script, folder, variables):
    """The exit code and the output of a script in the folder of the site."""
    path = f"{folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    source = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [*shell, script],
        cwd=folder,
        env=os.environ | {"PATH": path, "PYTHONPATH": source} | variables,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def act(folder, machine=(), **given):
    """Run the action with these inputs, as GitHub does, on a machine with such variables."""
    action = yaml.safe_load(ACTION.read_text("utf-8"))
    known = {name: about.get("default", "") for name, about in action["inputs"].items()}
    given = {name.replace("_", "-"): value for name, value in given.items()}
    assert given.keys() <= known.keys()
    inputs = known | given
    (step,) = action["runs"]["steps"]
    assert step["shell"] == "bash"
    names = {
        name: re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", value)[1]
        for name, value in step["env"].items()
    }
    assert sorted(names.values()) == sorted(known)
    variables = {name: inputs[value] for name, value in names.items()} | dict(machine)
    return run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"], step["run"], folder, variables
    )


def run_job(folder, **given):
    """Run the job of the component with these inputs, as a runner of GitLab does."""
    spec, jobs = yaml.safe_load_all(COMPONENT.read_text("utf-8"))
    given = {name.replace("_", "-"): value for name, value in given.items()}
    inputs = {name: about.get("default") for name, about in spec["spec"]["inputs"].items()} | given
    assert None not in inputs.values()
    (job,) = jobs.values()
    variables = {
        name: re.sub(r"\$\[\[ inputs\.([\w-]+) \]\]", lambda match: inputs[match[1]], value)
        for name, value in job["variables"].items()
    }
    return run(
        ["dash" if shutil.which("dash") else "sh", "-ec"],
        "\n".join(job["script"]),
        folder,
        variables,
    )


HOSTS = (pytest.param(act, id="github"), pytest.param(run_job, id="gitlab"))
SLOW = pytest.param(run_job, id="gitlab", marks=at_length)
BOTH = pytest.mark.parametrize("host", HOSTS)
ONE_OR_BOTH = pytest.mark.parametrize("host", [HOSTS[0], SLOW])
