"""What a program may import from the package, and the examples of its page."""

import json
import re
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO

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
        "before = loaded(); package.read_sitemap, package.UrlEntry, package.SitemapError\n"
        "sitemap = sorted({name.split('.')[1] for name in loaded() if '.' in name})\n"
        "package.GitDates\n"
        "after = 'mkdocs_sitemap_plus.gitdates' in loaded(), 'yaml' in sys.modules\n"
        "print(json.dumps([before, sitemap, *after]))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    modules = ["command", "files", "problems", "sitemap", "wording"]
    assert json.loads(done.stdout) == [["mkdocs_sitemap_plus"], modules, True, False]


@pytest.mark.skipif(not PAGE.is_file(), reason="only a whole checkout has the docs")
def test_each_example_prints_what_stands_there(plain_git, tmp_path, monkeypatch):
    """In the sample site."""
    site = lighthouse(tmp_path / "site")
    site.build("--strict")
    monkeypatch.chdir(site.folder)
    for heading in ("\n## GitDates\n", "\n## Sitemaps of your own programs\n"):
        section = PAGE.read_text("utf-8").partition(heading)[2].partition("\n## ")[0]
        program, printed = (
            re.search(rf"```{kind}\n(.*?)```", section, re.DOTALL)[1] for kind in ("python", "text")
        )
        with redirect_stdout(StringIO()) as out:
            exec(program, {})  # noqa: S102 - as a reader runs it
        assert out.getvalue() == printed
