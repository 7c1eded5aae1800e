"""What Windows and macOS do differently, simulated one condition at a time.

Nobody could run the tests there yet; `nox -s exfat` builds on a file system like theirs.
"""

import ntpath
import os
import subprocess
import sys
import unicodedata
from pathlib import Path
from types import SimpleNamespace

import pytest
from commands import run
from limits import limits
from processes import HAS_PROC
from quantity import at_length
from sites import clean_environment, git

from mkdocs_sitemap_plus import files

PAGES = {
    "index.md": "---\ntitle: Home\n---\n# Home\n\n--8<-- 'part.txt'\n",
    "part.txt": "A part.\n",
    "ü.md": "---\nsitemap:\n  priority: 0.7\n  changefreq: daily\n---\n# Ü\n",
    "out.md": "---\nsitemap: false\n---\n# Out\n",
    "robots.txt": "User-agent: *\nDisallow: /x/\n",
}
SNIPPETS = "markdown_extensions:\n  - pymdownx.snippets:\n      base_path: docs\n"


@pytest.fixture
def committed(site):
    """A site with the usual parts, whose pages changed on different days; it is not built."""
    site.docs(PAGES)
    site.config("robots_txt: true\nreport: r.json", more=SNIPPETS)
    site.commit(date="2024-01-01T10:00:00+0000")
    site.docs({"part.txt": "Another part.\n"})
    site.commit(date="2024-02-02T10:00:00+0000")
    return site


WITHOUT_UNIX = """
import os, runpy, sys
for name in ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"):
    sys.modules[name] = None
for name in (
    "chown", "fchmod", "fork", "killpg", "memfd_create", "mkfifo",
    "posix_fadvise", "pread", "pwrite", "sched_getaffinity", "setsid",
):
    delattr(os, name)
runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
"""


@at_length
@pytest.mark.skipif(sys.platform != "linux", reason="takes away what Linux has")
def test_nothing_that_only_unix_has_is_needed(committed):
    """A build without these modules and functions."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_UNIX, "mkdocs", "build"],
        cwd=committed.folder,
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "<lastmod>2024-01-01T" in (committed.folder / "site" / "sitemap.xml").read_text("utf-8")


@at_length
def test_a_console_may_lack_letters(committed):
    """What it can't show is an escape; Python chooses the letters of a program when it starts."""
    committed.docs({"→.md": "---\nsitemap: {priority: 2}\n---\n# A\n"})
    committed.build()
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs_sitemap_plus", "explain", "→.md"],
        cwd=committed.folder,
        env=clean_environment(PYTHONIOENCODING="cp1252"),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"\\u2192.md" in done.stdout


def test_lines_end_with_crlf_where_git_makes_them_so(committed):
    """With ``core.autocrlf`` in a clone: the same sitemap, and nothing counts as changed."""
    expected = committed.build().xml()
    git("config", "core.autocrlf", "true", cwd=committed.folder)
    git("rm", "-rq", "--cached", ".", cwd=committed.folder)
    git("reset", "-q", "--hard", cwd=committed.folder)
    assert b"---\r\nsitemap:\r\n" in (committed.folder / "docs" / "ü.md").read_bytes()
    built = committed.build()
    assert (built.xml(), built.warnings) == (expected, [])
    robots = built.path("robots.txt").read_bytes()
    line = b"Sitemap: https://web.example/sitemap.xml\r\n"
    assert robots == b"User-agent: *\r\nDisallow: /x/\r\n" + line


def test_a_name_may_be_composed_in_git_and_decomposed_on_the_disk(committed):
    """As on an old disk of a Mac: git finds no such file, but one with its bytes."""
    docs = committed.folder / "docs"
    (docs / "ü.md").rename(docs / unicodedata.normalize("NFD", "ü.md"))
    built = committed.build()
    assert built.by_loc()["u%CC%88/"].get("lastmod") == "2024-01-01T10:00:00+00:00"


def test_paths_with_drives_and_backslashes_are_written_with_slashes(monkeypatch):
    """In messages and reports; a file of another drive keeps its whole path."""
    monkeypatch.setattr(files, "os", SimpleNamespace(sep="\\", path=ntpath))
    assert files.path_from(r"C:\work\site", r"C:\work\site\docs\a b.md") == "docs/a b.md"
    assert files.path_from(r"C:\work\site", r"C:\work\parts\a.md") == "../parts/a.md"
    assert files.path_from(r"C:\work\site", r"D:\parts\a.md") == "D:/parts/a.md"


@pytest.mark.parametrize("path", [r"C:\site\sitemap.xml", "c:sitemap.xml"])
def test_a_drive_is_no_scheme_of_a_url(path):
    """It is a file, which is not there."""
    code, out, err = run("check", path)
    assert (code, out) == (2, "")
    assert err.endswith(": can't be read (No such file or directory).\n")


@pytest.mark.skipif(not HAS_PROC, reason="needs a list of the open files of a process")
def test_no_file_is_replaced_or_removed_while_it_is_open(committed, monkeypatch):
    """Windows refuses both. All files are written, replaced, and in the end removed."""
    refused = []

    def open_files():
        for name in Path("/proc/self/fd").iterdir():
            yield os.path.realpath(name)

    def checked(method):
        def call(self, *arguments, **options):
            named = {os.path.realpath(path) for path in (self, *arguments)}
            refused.extend(named & {*open_files()})
            return method(self, *arguments, **options)

        return call

    for name in ("replace", "rename", "unlink"):
        monkeypatch.setattr(Path, name, checked(getattr(Path, name)))
    committed.config("robots_txt: true\nreport: r.json", more=SNIPPETS)
    with limits(max_urls=1):
        committed.build()
        committed.build("--dirty")
    committed.config("robots_txt: true\nenabled: false", more=SNIPPETS)
    committed.build("--dirty")
    assert refused == []
