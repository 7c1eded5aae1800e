"""A build that is killed or stopped: whatever it did last, the files that are there are true."""

import gzip
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from killed_files import BASE, listed, read
from limits import limits
from quantity import LONG, at_length
from sitemap_xml import validate
from sites import SiteMaker, clean_environment

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="only POSIX forks")

THEME = "theme: {name: null, custom_dir: theme}\n"
TEMPLATE = '<link rel="canonical" href="{{ page.canonical_url }}">{{ page.content }}\n'
LIMIT = "from mkdocs_sitemap_plus.generator import generate\ngenerate.MAX_URLS = 3\n"
OLD, NEW = "2024-05-01T10:00:00+00:00", "2025-06-07T10:00:00+00:00"


@pytest.fixture(scope="module")
def two_builds(tmp_path_factory):
    """A site under ``source``, and under ``old`` what it was before its last commit."""
    root = tmp_path_factory.mktemp("two-builds")
    site = SiteMaker(root / "source")
    site.write({"theme/main.html": TEMPLATE})
    site.docs({f"{folder}/{name}.md": "# A\n" for folder in "ab" for name in "xy"})
    site.docs({"index.md": "# Home\n"})
    site.config(theme=THEME)
    site.commit()
    with limits(max_urls=4):
        site.build(found=["not-at-root"]).path("").rename(root / "old")
    site.docs({"b/new.md": "# New\n"})
    site.write({"limit.py": LIMIT})
    site.config(theme=THEME, more="hooks: [limit.py]\n")
    site.commit(date=NEW)
    return root


@at_length
@pytest.mark.parametrize("kind", ["SIGTERM", "SIGINT"])
@pytest.mark.fault("the build gets SIGKILL, SIGTERM or SIGINT (Ctrl-C)")
def test_a_signal_at_any_moment_of_a_build_leaves_true_files(two_builds, tmp_path, kind):
    """None torn, true archives, indexes of what is there, dates of git; all the time."""
    for name in ("source", "old"):
        shutil.copytree(two_builds / name, tmp_path / name, symlinks=True)
    step = 1 if LONG > 1 else 7 if LONG else 19
    script = Path(__file__).parents[1] / "helpers" / "killed_build.py"
    command = [sys.executable, script, kind, str(step), tmp_path]
    subprocess.run(command, check=True, env=clean_environment())
    killed = [path for path in tmp_path.iterdir() if path.name.isdigit()]
    assert len(killed) > 60 / step
    for folder in killed:
        made = {path.name: path.read_bytes() for path in folder.glob("*.xml")}
        for data in made.values():
            validate(data)
            assert {loc.removeprefix(BASE) for loc in listed(data)} <= set(made)
            assert set(re.findall(r"<lastmod>(.*)</lastmod>", data.decode())) <= {OLD, NEW}
        for path in folder.glob("*.gz"):
            packed = gzip.decompress(path.read_bytes())
            assert made.get(path.stem, packed) == packed
        if kind == "SIGINT":
            assert not list(folder.rglob("*.tmp"))
    assert set(read(tmp_path / "whole")) == {"sitemap.xml", *(f"sitemap-{n}.xml" for n in (1, 2))}
