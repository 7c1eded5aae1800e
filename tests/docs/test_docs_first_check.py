"""What README and the home page show of a first `check` is what a terminal shows."""

import os
import re
import subprocess
import sys

import pytest
from docs_pages import HOME, README, blocks
from servers import served
from sites import SiteMaker, clean_environment
from terminals import pieces, seen

pty = pytest.importorskip("pty", reason="Windows has no pseudo-terminals")
pytestmark = pytest.mark.skipif(not HOME.is_file(), reason="only a whole checkout has the docs")


def without_figures(text):
    """The lines of a text, whatever site it is about."""
    for figure in (r"https?://[\w.:]+/(?=sitemap\.xml$)", r"docs/[\w/]+\.md", r"\d[\d,-]*"):
        text = re.sub(figure, "N", text, flags=re.MULTILINE)
    return text.splitlines()


def shown_on(page):
    """The block of a page that shows it."""
    return next(each for each in blocks(page.read_text("utf-8"), "text") if "lastmod-git" in each)


def test_a_first_check_prints_what_stands_there(tmp_path):
    """Of a site that MkDocs alone built, asked by its URL in a clone; up to its summary."""
    site = SiteMaker(tmp_path / "site")
    with served() as (url, show):
        site.write({"mkdocs.yml": f"site_name: Test\nsite_url: {url}\n"})
        for number in range(12):
            name = "index" if number == 0 else f"p{number}"
            site.commit_on(f"2024-{number + 1:02}-10", {f"docs/{name}.md": f"# {name}\n"})
        site.build()
        show(site.folder / "site")
        watcher, terminal = pty.openpty()
        with subprocess.Popen(
            [sys.executable, "-m", "mkdocs_sitemap_plus", "check", url],
            cwd=site.folder,
            env=clean_environment(TERM="xterm", no_proxy="127.0.0.1"),
            stdin=subprocess.DEVNULL,
            stdout=terminal,
            stderr=subprocess.DEVNULL,
        ):
            os.close(terminal)
            got = b"".join(pieces(watcher)).decode()
        os.close(watcher)
    printed = without_figures("\n".join(seen(got)).strip())
    for page in (README, HOME):
        shown = without_figures(shown_on(page))
        assert shown == printed[:4], page
