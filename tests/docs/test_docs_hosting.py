"""The workflow in the docs: pinned, with least permissions, and run as a host runs it."""

import re
import subprocess
import sys

import pytest
import yaml
from docs_pages import DOCS, PAGES, ROOT, blocks
from lighthouse import lighthouse
from quantity import at_length
from sites import clean_environment

pytestmark = [
    pytest.mark.skipif(not DOCS.is_dir(), reason="only a whole checkout has the docs"),
    pytest.mark.skipif(sys.platform == "win32", reason="the hosts run these scripts on Linux"),
]
WORKFLOW = next(
    each
    for each in blocks((DOCS / "hosting" / "index.md").read_text("utf-8"), "yaml")
    if each.startswith("name: ")
)


def steps(workflow):
    """All steps of a workflow, in the order of its jobs."""
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_the_package_is_installed_from_where_it_is():
    """By git, until it is on PyPI; there, nobody or somebody else may have its name."""
    files = [*PAGES, *(ROOT / name for name in ("action.yml", "templates/sitemap.yml"))]
    installs = re.compile(r"pip install[^\n`]*[ \"]mkdocs-sitemap-plus\b")
    assert {path.name for path in files if installs.search(path.read_text("utf-8"))} == set()


def test_a_workflow_is_pinned_and_may_do_no_more_than_it_needs():
    """Actions by the hash of a commit, no permission by default, and never all of them."""
    workflow = yaml.safe_load(WORKFLOW)
    assert workflow["permissions"] == {}
    for job in workflow["jobs"].values():
        assert isinstance(job["permissions"], dict)
    uses = re.findall(r"uses: (.*)", WORKFLOW)
    assert uses
    for each in uses:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each)
    (checkout,) = (
        step for step in steps(workflow) if step.get("uses", "").startswith("actions/checkout@")
    )
    assert checkout["with"]["fetch-depth"] == 0


@at_length
def test_the_workflow_builds_and_checks_the_sample_site(tmp_path):
    """Its scripts, in a clone with the whole history; a share of dates that is missing ends it."""
    site = lighthouse(tmp_path / "site")
    for name in ("mkdocs", "mkdocs-sitemap-plus"):
        program = tmp_path / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {name.replace("-", "_")} "$@"\n')
        program.chmod(0o755)
    environment = clean_environment(CI="true")
    environment["PATH"] = f"{tmp_path}:{environment['PATH']}"
    scripts = [step["run"] for step in steps(yaml.safe_load(WORKFLOW)) if "run" in step]
    assert len(scripts) == 3

    def run(script):
        return subprocess.run(
            ["bash", "-eo", "pipefail", "-c", script],
            check=False,
            cwd=site.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    done = [run(each) for each in scripts if not each.startswith("pip install")]
    assert [each.returncode for each in done] == [0, 0], done
    assert "12 pages, 10 dated" in done[0].stdout
    assert run(scripts[-1].replace("50%", "90%")).returncode == 1
