"""A writer that is killed: whatever it did last, the files that are there are true."""

import json
import os
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from killed_files import BASE, listed, read
from quantity import one_in
from sites import clean_environment

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="only POSIX forks")

LAYOUTS = {
    "flat": {"entries": 3},
    "two-parts": {"entries": 5, "max_urls": 3},
    "four-parts-and-others": {
        "entries": 4,
        "max_urls": 1,
        "others": ["https://web.example/sub/sitemap.xml"],
    },
}

PAIRS = [*pairwise([*LAYOUTS, "flat"])]


@one_in(3)
@pytest.mark.parametrize(("old", "new"), PAIRS)
@pytest.mark.fault("the build gets SIGKILL, SIGTERM or SIGINT (Ctrl-C)")
def test_a_kill_before_any_operation_leaves_true_files(tmp_path, old, new):
    """SIGKILL at each of them in turn: no torn file, true archives, indexes of what is there."""
    script = Path(__file__).parents[1] / "helpers" / "killed_writer.py"
    said = [
        json.dumps(LAYOUTS[name] | {"stamp": stamp}) for name, stamp in ((old, "old"), (new, "new"))
    ]
    subprocess.run([sys.executable, script, *said, tmp_path], check=True, env=clean_environment())
    before, after = read(tmp_path / "old"), read(tmp_path / "whole")
    killed = [path for path in tmp_path.iterdir() if path.name.isdigit()]
    assert len(killed) > 4 * sum(b"?new" in data for data in after.values())
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
    # An old index that lists sitemaps of others may be the owner's. It stays, with what it lists.
    stays = "others" in LAYOUTS[old] and new in ("flat", "two-parts")
    assert ("sitemap-index.xml" in after) == (stays or "others" in LAYOUTS[new])
    assert stays or {name for name in after if b"?old" in after[name]} == set()
    for folder in (tmp_path / "old", *killed):
        shutil.rmtree(folder)
