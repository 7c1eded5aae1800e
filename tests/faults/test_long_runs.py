"""Many pages and many rebuilds: time and memory grow with the pages, and with rebuilds not at all.

`LONG=2 pytest -s tests/faults/test_long_runs.py` takes the sizes of ``tests/faults/faults.md``, and
prints what it measures.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from git_repositories import git, line, make
from lxml import etree
from processes import HAS_PROC
from quantity import LONG, at_length
from sites import clean_environment

PROC = pytest.mark.skipif(not HAS_PROC, reason="looks into /proc")
TEMPLATE = '<html><head><link rel="canonical" href="https://web.example/{}/"></head></html>\n'
CONFIG = "site_name: S\nsite_url: https://web.example/\nplugins: [sitemap-plus]\n"
PAGES = 100_000 if LONG > 1 else 2_000 if LONG else 200
REBUILDS = 300 if LONG > 1 else 30


def many_pages(top):
    """A built site with its sources, in one commit."""
    names = [f"{number // 500}/{number}" for number in range(PAGES)]
    make(top, line({f"docs/{name}.md".encode(): (b"100644", b"# A\n") for name in names}))
    for name in names:
        for path, text in (
            (top / "docs" / f"{name}.md", "# A\n"),
            (top / "site" / name / "index.html", TEMPLATE.format(name)),
        ):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    (top / "mkdocs.yml").write_text(CONFIG)


BUILD = """\
import atexit, os, sys
from pathlib import Path
from mkdocs_sitemap_plus.command.cli.main import main

def end():
    lines = Path("/proc/self/status").read_text().splitlines()
    (peak,) = (int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))
    print(sum(os.times()[:4]), peak / 1024)

atexit.register(end)
sys.argv[1:] = ["build"]
main()
"""


def say(text):
    """Print what was measured, for who asks by ``-s``."""
    sys.stdout.write(f"{text}\n")


@PROC
@at_length
@pytest.mark.timeout(3_000)
@pytest.mark.fault("100,000 pages")
def test_many_pages_take_time_and_memory_in_proportion(tmp_path):
    """All are listed with their dates, in files of 50,000 and their index."""
    many_pages(tmp_path)
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", BUILD],
        cwd=tmp_path,
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    clock = time.monotonic() - start
    seconds, memory = map(float, done.stdout.splitlines()[-1].split())
    say(f"{PAGES:,} pages: {clock:.1f} s, {seconds:.1f} s of the processor, {memory:.0f} MiB")
    assert f"{PAGES:,} pages, all dated (git)" in done.stdout
    assert seconds < 10 + PAGES / 200
    assert memory < 100 + PAGES / 100
    parts = sorted((tmp_path / "site").glob("sitemap-*.xml")) or [tmp_path / "site/sitemap.xml"]
    assert len(parts) == max(PAGES // 50_000, 1)
    assert sum(len(etree.parse(part).getroot()) for part in parts) == PAGES


def repository(top):
    """A site of two pages, in a repository."""
    make(top, line({b"docs/index.md": (b"100644", b"# Home\n")}))
    for name in ("index", "a"):
        (top / "docs").mkdir(exist_ok=True)
        (top / "docs" / f"{name}.md").write_text("# A\n")
    (top / "mkdocs.yml").write_text(CONFIG)
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "Second")


def assert_flat(before, after):
    """Nothing but memory may grow, by noise: three mebibytes of some forty."""
    grown = {name: after[name] - before[name] for name in before}
    say(f"{REBUILDS} rebuilds: {before}, {after}")
    assert grown.pop("memory") < 3 * 1024
    assert grown.pop("objects", 0) < 100
    assert max(grown.values()) <= 0


@PROC
@at_length
@pytest.mark.fault("300 rebuilds of `mkdocs serve`")
def test_rebuilds_of_one_process_keep_nothing(tmp_path):
    """Each is a new plugin with a new history, and so are commits in between."""
    repository(tmp_path)
    script = Path(__file__).parents[1] / "helpers" / "rebuilds.py"
    roles, parts = ("AUTHOR", "COMMITTER"), ("NAME", "EMAIL")
    who = {f"GIT_{role}_{part}": "x" for role in roles for part in parts}
    done = subprocess.run(
        [sys.executable, script, str(REBUILDS)],
        cwd=tmp_path,
        env=clean_environment(**who),
        capture_output=True,
        check=True,
    )
    assert_flat(*map(json.loads, done.stdout.splitlines()))
