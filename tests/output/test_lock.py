"""Two builds at once: one waits for the other, but for no other program, and not for ever."""

import logging
import os
import shutil
import subprocess
import sys
import threading

import pytest
from faults import documented
from sites import clean_environment

from mkdocs_sitemap_plus.output import lock, write_files
from mkdocs_sitemap_plus.output.lock import locked
from mkdocs_sitemap_plus.sitemap.split import SitemapFile

fcntl = pytest.importorskip("fcntl")

FILES = (SitemapFile(name="sitemap.xml", pieces=(b"new",)),)
HELD = "Another build has held the folder {!r} for 0.2 seconds; not waiting for it."


@pytest.mark.parametrize("kind", ["LOCK_EX", "LOCK_SH"])
@pytest.mark.fault("another program has locked the folder of the site")
def test_a_build_does_not_wait_for_a_lock_of_another_program(tmp_path, caplog, kind):
    """As of ``flock site mkdocs build``, which waited for itself."""
    caplog.set_level(logging.INFO, "mkdocs_sitemap_plus")
    folder = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(folder, getattr(fcntl, kind))
    write_files(tmp_path, FILES, "sitemap.xml")
    os.close(folder)
    assert caplog.messages == []
    assert {path.name for path in tmp_path.iterdir()} == {"sitemap.xml", "sitemap.xml.gz"}


@pytest.mark.skipif(not shutil.which("flock"), reason="needs util-linux")
@pytest.mark.parametrize("program", ["mkdocs", "mkdocs_sitemap_plus"])
def test_a_build_under_flock_ends(site, program):
    """The plugin and the command."""
    site.docs({"index.md": "# Home\n"})
    site.config()
    site.build()
    command = ["flock", "site", sys.executable, "-m", program, "build"]
    done = subprocess.run(
        command, cwd=site.folder, env=clean_environment(), check=False, timeout=120,
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "held" not in done.stdout + done.stderr
    assert (site.folder / "site" / "sitemap.xml").exists()


@pytest.mark.fault("another build is stopped while it writes")
def test_a_stopped_build_blocks_no_other_for_ever(tmp_path, caplog, monkeypatch):
    """After a while the other one goes on, and says so."""
    caplog.set_level(logging.INFO, "mkdocs_sitemap_plus")
    monkeypatch.setattr(lock, "LIMIT", 0.2)
    with locked(tmp_path):
        write_files(tmp_path, FILES, "sitemap.xml")
    said = [each.getMessage() for each in caplog.records if each.name == "mkdocs_sitemap_plus"]
    assert said == [HELD.format(tmp_path.name)]
    documented("another build is stopped while it writes", *said)
    assert (tmp_path / "sitemap.xml").read_bytes() == b"new"
    assert {path.name for path in tmp_path.iterdir()} == {"sitemap.xml", "sitemap.xml.gz"}


def test_only_one_at_a_time_is_inside(tmp_path):
    """Although each removes the file that the others wait for."""
    inside, most, ended = [], [], []

    def enter():
        for _ in range(50):
            with locked(tmp_path):
                inside.append(1)
                most.append(len(inside))
                inside.pop()
        ended.append(1)

    threads = [threading.Thread(target=enter) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ended) == len(threads)
    assert set(most) == {1}
    assert [*tmp_path.iterdir()] == []


def test_a_folder_in_which_no_lock_can_be_made_is_written_into_all_the_same(tmp_path, caplog):
    """As on a file system without locks."""
    caplog.set_level(logging.INFO, "mkdocs_sitemap_plus")
    (tmp_path / "sitemap-plus.lock.tmp").mkdir()
    write_files(tmp_path, FILES, "sitemap.xml")
    assert (tmp_path / "sitemap.xml").read_bytes() == b"new"
    assert caplog.messages == []
