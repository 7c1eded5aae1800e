"""The lines in the docs for those who are stuck are what a build prints."""

import re
import shutil

import pytest
from commands import run
from docs_pages import DOCS, blocks
from lighthouse import lighthouse
from sites import SiteMaker, as_user, git

pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="only a whole checkout has the docs")


def shown_in(page):
    """All lines of the log that a page shows."""
    text = (DOCS / page).read_text("utf-8")
    return [line for block in blocks(text, "text") for line in block.splitlines()]


def log(built):
    """What a build printed, as MkDocs formats it."""
    found = [line.partition(" ")[::2] for line in built.lines]
    return [f"{level:<7} -  sitemap-plus: {text}" for level, text in found]


def test_a_shallow_clone_fails_a_strict_build(tmp_path):
    """The warning about nine pages, with what GitHub Actions has to set."""
    site = SiteMaker(tmp_path / "repository")
    site.config()
    for number in range(9):
        name = f"docs/{'index' if number == 0 else number}.md"
        site.commit_on(f"2026-01-0{number + 1}", {name: f"# {number}\n"})
    git("clone", "-q", "--depth=1", f"file://{site.folder}", "clone", cwd=tmp_path)
    clone = SiteMaker(tmp_path / "clone")
    warning = log(clone.build(GITHUB_ACTIONS="true"))[0]
    assert warning in shown_in("hosting/index.md")


def test_a_dates_file_dates_a_build_without_git(tmp_path):
    """The summary counts its dates."""
    site = lighthouse(tmp_path / "site")
    with as_user(site.folder):
        assert run("dates")[0] == 0
    shutil.rmtree(site.folder / ".git")
    said = re.search(r"`(10 dated \(.*?\))`", (DOCS / "hosting/index.md").read_text("utf-8"))
    assert f", {said[1]}," in log(site.build("--strict"))[-1]
