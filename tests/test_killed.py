"""A build that is killed: whatever it did last, the files that are there are true."""

import gzip
import json
import os
import shutil
import subprocess
import sys
from itertools import pairwise, permutations
from pathlib import Path

import pytest
from lxml import etree
from quantity import LONG
from sites import NAMESPACE, clean_environment, validate

BASE = "https://example.com/"
LAYOUTS = {
    "flat": {"entries": 3},
    "two-parts": {"entries": 5, "max_urls": 3},
    "four-parts-and-others": {
        "entries": 4,
        "max_urls": 1,
        "others": ["https://example.com/sub/sitemap.xml"],
    },
    "sections": {"entries": 6, "max_urls": 6, "sections": True},
}

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="only POSIX forks")


def read(folder):
    """Each whole ``.xml``, checked; none is torn, and no archive differs from its file."""
    made = {path.name: path.read_bytes() for path in folder.glob("*.xml")}
    for data in made.values():
        validate(data)
    for path in folder.glob("*.gz"):
        assert gzip.decompress(path.read_bytes()) == made[path.stem]
    return made


def listed(data):
    root = etree.fromstring(data)
    locs = [node.findtext(f"{NAMESPACE}loc") for node in root]
    return locs if root.tag == f"{NAMESPACE}sitemapindex" else []


PAIRS = (
    [*permutations(LAYOUTS, 2), *zip(LAYOUTS, LAYOUTS, strict=True)]
    if LONG
    else [*pairwise(LAYOUTS), ("sections", "flat"), ("two-parts", "two-parts")]
)


@pytest.mark.parametrize(("old", "new"), PAIRS)
def test_a_kill_before_any_operation_leaves_true_files(tmp_path, old, new):
    """SIGKILL at each of them in turn: no torn file, true archives, indexes of what is there."""
    script = Path(__file__).with_name("killed_writer.py")
    said = [
        json.dumps(LAYOUTS[name] | {"stamp": stamp}) for name, stamp in ((old, "old"), (new, "new"))
    ]
    subprocess.run([sys.executable, script, *said, tmp_path], check=True, env=clean_environment())
    before, after = read(tmp_path / "old"), read(tmp_path / "whole")
    killed = [path for path in tmp_path.iterdir() if path.name.isdigit()]
    assert len(killed) > 4 * len(after)
    for folder in killed:
        made = read(folder)
        assert set(before) & set(after) <= set(made), "what stays was there all the time"
        for name, data in made.items():
            assert data in (before.get(name), after.get(name)), "old or new"
            for loc in listed(data):
                assert loc.removeprefix(BASE) in made or "/sub/" in loc
    assert sorted(path.name for path in (tmp_path / "whole").iterdir()) == sorted(
        [*after, *(f"{name}.gz" for name in after)]
    )
    assert {name for name in after if b"?old" in after[name]} == set()
    for folder in (tmp_path / "old", *killed):
        shutil.rmtree(folder)
