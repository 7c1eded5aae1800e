"""What a program may import from the package, and the examples of its page."""

import json
import re
import subprocess
import sys

import pytest
from docs_pages import DOCS
from lighthouse import lighthouse

import mkdocs_sitemap_plus

NAMES = [
    "Alternate", "Change", "Changefreq", "CheckResult", "Finding", "GitDates", "NoDate",
    "Page", "Restriction", "SitemapError", "UrlEntry", "Video", "check_sitemap", "read_sitemap",
    "write_sitemap",
]  # fmt: skip
PAGE = DOCS / "reference" / "python.md"


def test_the_public_names_are_these():
    """Each has a docstring. A name that is added here is a promise."""
    assert sorted(mkdocs_sitemap_plus.__all__) == NAMES
    assert set(NAMES) <= set(dir(mkdocs_sitemap_plus))
    assert all(getattr(mkdocs_sitemap_plus, name).__doc__ for name in NAMES)
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        _ = mkdocs_sitemap_plus.Nothing


def test_a_name_is_loaded_when_it_is_used():
    """The import of the package alone loads no other module of it."""
    program = (
        "import json, sys, mkdocs_sitemap_plus as package\n"
        "loaded = lambda: sorted(name for name in sys.modules if 'mkdocs_sitemap' in name)\n"
        "before = loaded(); package.GitDates\n"
        "after = 'mkdocs_sitemap_plus.gitdates' in loaded(), 'yaml' in sys.modules\n"
        "print(json.dumps([before, *after]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert json.loads(done.stdout) == [["mkdocs_sitemap_plus"], True, False]


@pytest.mark.skipif(not PAGE.is_file(), reason="only a whole checkout has the docs")
def test_the_example_of_git_dates_prints_what_stands_there(plain_git, tmp_path):
    """In the sample site."""
    section = PAGE.read_text("utf-8").partition("\n## GitDates\n")[2].partition("\n## ")[0]
    (program,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    (printed,) = re.findall(r"```text\n(.*?)```", section, re.DOTALL)
    folder = lighthouse(tmp_path / "site").folder
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stdout == printed
