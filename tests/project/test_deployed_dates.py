"""The benchmark that judges dates by the deployments of a site, on a site that was made for it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from git_repositories import git, init
from quantity import at_length

TOP = Path(__file__).parents[2]
SCRIPT = TOP / "benchmarks/deployed_dates.py"


class Site:
    """A repository with pages in `main`, and deployments of them in `gh-pages`."""

    def __init__(self, top: Path) -> None:
        self.top = top
        top.mkdir()
        init(top)
        self.git("remote", "add", "origin", "https://git.example/lighthouse/site.git")
        self._deployed: list[str] = []

    def git(self, *arguments: str, day: str = "01-01") -> str:
        """Return what git prints; what it commits is of a day of 2026, at noon."""
        when = f"2026-{day}T12:00:00Z"
        dates = {"GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when}
        return git(self.top, *arguments, **dates).decode().strip()

    def commit(self, day: str, **pages: str) -> None:
        """Write pages, and commit them with all that was changed before."""
        for name, text in pages.items():
            page = self.top / "docs" / f"{name}.md"
            page.parent.mkdir(exist_ok=True)
            page.write_text(f"# The page {name}\n\n{text}\n", "utf-8")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", f"Write of {day}", day=day)

    def deploy(self, day: str, message: str = "Deployed {} with MkDocs version: 1.6.1") -> None:
        """Add a commit to `gh-pages` which names the commit that is checked out."""
        subject = message.format(self.git("rev-parse", "--short=8", "HEAD"))
        tree = self.git("write-tree")
        commit = self.git("commit-tree", tree, *self._deployed, "-m", subject, day=day)
        self.git("update-ref", "refs/heads/gh-pages", commit)
        self._deployed = ["-p", commit]


@pytest.fixture
def site(tmp_path):
    """Pages whose first text was deployed on the day on which it was written."""
    made = Site(tmp_path / "site")
    made.commit("01-01", kept="Old.", late="Old.", moved="Old.", mode="Old.", early="Old.")
    made.deploy("01-01")
    return made


def judge(site: Site, *options: str, **variables: str) -> tuple[dict[str, list[int]], str]:
    """Return how many dates of each tool are true, too old, too new, moved, and none."""
    command, env = [sys.executable, SCRIPT, site.top, *options], os.environ | variables
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
    rows = re.findall(r"^\| (.+?) \|((?: \d+ \|)+)$", done.stdout, re.MULTILINE)
    return {name: [*map(int, re.findall(r"\d+", row))] for name, row in rows}, done.stdout


def test_work_that_was_merged_late_is_new_on_the_day_of_the_merge(site):
    """The deployment between them did not have it, so the day of the commit is too old."""
    site.git("switch", "-q", "-c", "branch")
    site.commit("02-01", late="Written in February.")
    site.git("switch", "-q", "main")
    site.commit("02-15", other="Another page.")
    site.deploy("02-20", "deploy: {}")
    site.git("merge", "-q", "--no-ff", "-m", "Merge the branch", "branch", day="03-01")
    site.deploy("03-01", "Deploying to gh-pages from @ lighthouse/site@{} 🚀")
    found, printed = judge(site, "--only", "plugin|git log|Hugo|Docusaurus")
    assert "lighthouse/site: 3 deployments from 2026-01-01 to 2026-03-01 prove 2 dates" in printed
    assert found["this plugin"] == [2, 0, 0, 0, 0]
    assert found["git log -1 --first-parent"] == [2, 0, 0, 0, 0]
    assert found["git log -1, Docusaurus 3"] == [1, 1, 0, 0, 0]
    assert found["Hugo"] == [1, 1, 0, 0, 0]
    assert found["Docusaurus 4"] == [1, 1, 0, 0, 0]


@at_length
def test_the_name_of_the_repository_leads_nowhere(site, tmp_path):
    """The clone has a fixed name, since `origin` may end in dots."""
    site.git("remote", "set-url", "origin", "https://git.example/lighthouse/..")
    site.commit("02-01", late="Written in February.")
    site.deploy("02-01")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    judge(site, "--only", "git log", TMPDIR=str(temporary))
    assert [*temporary.iterdir()] == []


@at_length
def test_a_commit_that_changes_no_text_brings_nothing(site):
    """A move has a column of its own; another mode is too new."""
    site.commit("02-01", moved="New.", mode="New.")
    site.deploy("02-01")
    (site.top / "docs/mode.md").chmod(0o755)
    site.git("mv", "docs/moved.md", "docs/here.md")
    site.git("update-index", "--chmod=+x", "docs/mode.md")
    site.git("commit", "-q", "-m", "Move a page", day="04-01")
    site.deploy("04-01")
    found, _ = judge(site, "--only", "plugin|first-parent|Docusaurus 4")
    assert found["this plugin"] == [2, 0, 0, 0, 0]
    assert found["this plugin, change: any"] == [0, 0, 1, 1, 0]
    assert found["git log -1 --first-parent"] == [0, 0, 1, 1, 0]
    assert found["Docusaurus 4"] == [0, 0, 1, 1, 0]


@at_length
def test_what_was_deployed_before_its_merge_is_called_too_new(site):
    """And what a clock dates before the deployment that lacked it, too old; both are explained."""
    site.git("switch", "-q", "-c", "branch")
    site.commit("05-01", early="Deployed from a branch.")
    site.deploy("05-01")
    site.git("switch", "-q", "main")
    site.git("merge", "-q", "--no-ff", "-m", "Merge the branch", "branch", day="06-01")
    site.commit("07-15", other="Another page.")
    site.deploy("07-15")
    site.commit("07-01", late="Written with a slow clock.")
    site.deploy("08-01")
    found, printed = judge(site, "--explain", "--only", "this plugin")
    assert found["this plugin"] == found["this plugin, change: any"] == [1, 1, 1, 0, 0]
    merged, slow = site.git("log", "--first-parent", "--format=%h", "--abbrev=10").split()[2::-2]
    assert "docs/early.md, change: content: too new, +31.0 days" in printed
    assert f"dated   {merged} of 2026-06-01 12:00: Merge the branch" in printed
    assert "docs/late.md, change: content: too old, -14.0 days" in printed
    assert f"dated   {slow} of 2026-07-01 12:00: Write of 07-01" in printed
    assert "of 2026-07-15 12:00, deployed 2026-07-15 12:00" in printed


@at_length
def test_deployments_of_other_branches_prove_nothing(site):
    """Nor do those of commits that nobody has, and commits of `gh-pages` that deploy nothing."""
    site.commit("02-01", late="New.")
    site.deploy("02-01")
    site.git("switch", "-q", "-c", "old", "main~1")
    site.commit("03-01", kept="Of an old version.")
    site.deploy("03-01")
    site.git("switch", "-q", "main")
    site.deploy("03-02", "Measure the speed of {}")
    site.deploy("03-03", "deploy: 0123456789abcdef0123456789abcdef01234567")
    site.commit("04-01", other="Another page.")
    site.deploy("04-01")
    ours = ("--only", "this plugin")
    assert judge(site, *ours)[0]["this plugin"] == [2, 0, 0, 0, 0]
    assert judge(site, *ours, "--every-branch")[0]["this plugin"] == [1, 2, 0, 0, 0]
    assert judge(site, *ours, "--states", "2")[0]["this plugin"] == [2, 0, 0, 0, 0]
