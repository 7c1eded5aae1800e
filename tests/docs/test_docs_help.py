"""The lines in the docs for those who are stuck are what a build prints."""

import re
import shutil

import pytest
from commands import run
from docs_pages import DOCS
from lighthouse import lighthouse
from sites import as_user

pytestmark = pytest.mark.skipif(not DOCS.is_dir(), reason="only a whole checkout has the docs")


def log(built):
    """What a build printed, as MkDocs formats it."""
    found = [line.partition(" ")[::2] for line in built.lines]
    return [f"{level:<7} -  sitemap-plus: {text}" for level, text in found]


def test_a_dates_file_dates_a_build_without_git(tmp_path):
    """The summary counts its dates."""
    site = lighthouse(tmp_path / "site")
    with as_user(site.folder):
        assert run("dates")[0] == 0
    shutil.rmtree(site.folder / ".git")
    said = re.search(r"`(10 dated \(.*?\))`", (DOCS / "hosting/index.md").read_text("utf-8"))
    assert f", {said[1]}," in log(site.build("--strict"))[-1]
