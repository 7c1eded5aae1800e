"""The workflows in the docs: pinned, with least permissions, and run as a host runs them."""

import json
import re
import shutil
import subprocess
import sys
import textwrap

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
GITHUB = DOCS / "hosting" / "github.md"
KEY = "2f5c0e1b7a9d48632f5c0e1b7a9d4863"


def pieces():
    """The blocks of the page: a workflow, and its environment, steps and job for IndexNow."""
    return blocks(GITHUB.read_text("utf-8"), "yaml")


def workflows():
    """The workflow of the page, with and without IndexNow, as texts."""
    whole, env, steps, job = pieces()
    concurrency, upload = "\njobs:\n", "      - uses: actions/upload-pages-artifact@"
    submitting = whole.replace(concurrency, f"\n{env}{concurrency}")
    submitting = submitting.replace(upload, textwrap.indent(steps, " " * 6) + upload)
    return [f"{submitting}\n{job.removeprefix('jobs:')}", whole]


def steps(workflow):
    """All steps of a workflow, in the order of its jobs."""
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_the_package_is_installed_from_where_it_is():
    """By git, until it is on PyPI; there, nobody or somebody else may have its name."""
    files = [*PAGES, *(ROOT / name for name in ("action.yml", "templates/sitemap.yml"))]
    installs = re.compile(r"pip install[^\n`]*[ \"]mkdocs-sitemap-plus\b")
    assert {path.name for path in files if installs.search(path.read_text("utf-8"))} == set()


@pytest.mark.parametrize("text", workflows())
def test_a_workflow_is_pinned_and_may_do_no_more_than_it_needs(text):
    """Actions by the hash of a commit, no permission by default, and never all of them."""
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] == {}
    for job in workflow["jobs"].values():
        assert isinstance(job["permissions"], dict)
    uses = re.findall(r"uses: (.*)", text)
    assert uses
    for each in uses:
        assert re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", each)
    for step in steps(workflow):
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["fetch-depth"] == 0


@pytest.fixture
def runner(web, tmp_path):
    """Runs the scripts of the workflow for the sample site, published at a real server."""
    site = lighthouse(tmp_path / "site")
    config = site.folder / "mkdocs.yml"
    config.write_text(
        config.read_text("utf-8").replace("https://lighthouse.example/", web.url), "utf-8"
    )
    web.pages |= {f"/docs/{KEY}.txt": KEY.encode(), "/indexnow": 200}
    workflow = yaml.safe_load(workflows()[0])
    scripts = [step["run"] for step in steps(workflow) if "run" in step]
    assert len(scripts) == 6
    assert workflow["env"]["INDEXNOW_KEY"] == KEY
    environment = clean_environment(
        SITE_URL=web.url + "docs/", INDEXNOW_KEY=KEY, no_proxy="127.0.0.1", CI="true"
    )
    environment["PATH"] = f"{tmp_path}:{environment['PATH']}"
    here = f"from mkdocs_sitemap_plus import indexnow; indexnow.ENDPOINT = '{web.url}indexnow'"
    command = f"{here}; from mkdocs_sitemap_plus.command.cli.main import command; command()"
    calls = {"mkdocs": "-m mkdocs", "mkdocs-sitemap-plus": f'-c "{command}"'}
    for name, call in calls.items():
        program = tmp_path / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {call} "$@"\n')
        program.chmod(0o755)

    def run():
        shutil.rmtree(site.folder / "sitemaps", ignore_errors=True)
        output = ""
        for script in scripts:
            if not script.startswith("pip install"):
                local = script.replace(" check ", " check --ignore loc-local ")
                # A build warns of an address that only this computer can open.
                local = local.replace("mkdocs build --strict", "mkdocs build")
                output += subprocess.run(
                    ["bash", "-eo", "pipefail", "-c", local],
                    check=True,
                    cwd=site.folder,
                    env=environment,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    text=True,
                ).stdout
        return output

    run.site = site
    return run


@at_length
@pytest.mark.skipif(shutil.which("curl") is None, reason="the workflow calls curl")
def test_the_workflow_submits_what_changed_since_the_last_deployment(web, runner):
    """At first all pages; then, with that sitemap on the web, the page of a new commit."""
    runner()
    (first,) = map(json.loads, web.posts())
    assert len(first["urlList"]) == 12
    site = runner.site
    web.pages["/docs/sitemap.xml"] = (site.folder / "site" / "sitemap.xml").read_bytes()
    site.write({"docs/install.md": "# Install\n\nOtherwise.\n"})
    site.commit("Install otherwise", "2026-10-01T10:00:00+0000")
    assert "0 added, 0 removed, 1 changed" in runner()
    second = json.loads(web.posts()[-1])
    assert second["urlList"] == [f"{web.url}docs/install/"]
    assert second["keyLocation"] == f"{web.url}docs/{KEY}.txt"
