"""Where output goes: a device, a pipe and a link are never replaced by a file."""

import json
import os
import stat
import subprocess
import sys
import threading

import pytest
from sites import clean_environment

from mkdocs_sitemap_plus.output import write_file, write_files, write_site_file
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap.split import SitemapFile

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="only POSIX has such files")

COMMANDS = {
    "dates": (("dates",), b'"files"'),
    "report": (("report", "site"), b"<!doctype html>"),
    "index": (("index", "site", "--url", "https://example.com/"), b"<sitemapindex"),
    "merge": (("index", "site", "--url", "https://example.com/", "--merge"), b"<urlset"),
}
EACH = pytest.mark.parametrize("name", COMMANDS)


@pytest.fixture
def built(site):
    """A built site of two pages, in a repository."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.config()
    site.commit()
    site.build()
    return site.folder


def call(folder, name, output, **streams):
    """The command in its own process."""
    command = [sys.executable, "-m", "mkdocs_sitemap_plus", *COMMANDS[name][0], "-o", str(output)]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    done = subprocess.run(command, cwd=folder, env=clean_environment(), check=False, **streams)
    assert done.returncode == 0, done.stderr
    return done


def fifo(path):
    """A new pipe, and a list that gets what is written into it."""
    os.mkfifo(path)
    read = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()), daemon=True)
    reader.start()
    return reader, read


@EACH
@pytest.mark.parametrize("linked", [False, True])
def test_a_pipe_is_written_into(built, name, linked):
    """By its own name, or by that of a link; it stays a pipe, and nothing is beside it."""
    (built / "out").mkdir()
    reader, read = fifo(built / "out" / "pipe")
    if linked:
        (built / "out" / "link").symlink_to("pipe")
    call(built, name, built / "out" / ("link" if linked else "pipe"))
    reader.join(60)
    assert COMMANDS[name][1] in read[0]
    assert stat.S_ISFIFO((built / "out" / "pipe").stat().st_mode)
    assert {path.name for path in (built / "out").iterdir()} == {"pipe", *["link"] * linked}


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid(), reason="only root makes devices")
@EACH
def test_a_device_stays_one(built, name):
    """As root, who could replace it: as /dev/null in a container."""
    device = built / "null"
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        device.write_bytes(b"x")
    except OSError:
        pytest.skip("no devices can be made here")
    call(built, name, device)
    assert stat.S_ISCHR(device.lstat().st_mode)
    assert not [*built.glob("null?*")]


@EACH
@pytest.mark.parametrize("output", ["-", "stdout"])
def test_the_standard_output_has_nothing_else(built, name, output):
    """Into a pipe, or into a file, which has the same inode as before.

    A link in this folder stands for /dev/stdout, which a fault would break for the whole machine.
    """
    if output != "-":
        (built / output).symlink_to("/proc/self/fd/1")
    assert COMMANDS[name][1] in (piped := call(built, name, output).stdout)
    with (built / "out").open("wb") as file:
        inode = os.fstat(file.fileno()).st_ino
        file.write(b"before\n")
        file.flush()
        call(built, name, output, stdout=file)
    assert (built / "out").stat().st_ino == inode
    assert (built / "out").read_bytes() == b"before\n" + piped
    if name == "dates":
        assert json.loads(piped)["files"]


@EACH
def test_a_link_stays_and_its_target_is_written(built, name):
    """Also one that leads to no file yet."""
    (built / "far").mkdir()
    for link, target in (("old", "old-target"), ("new", "new-target")):
        (built / link).symlink_to(f"far/{target}")
    (built / "far" / "old-target").write_bytes(b"old")
    (built / "far" / "old-target").chmod(0o640)
    for link in ("old", "new"):
        call(built, name, built / link)
        assert (built / link).readlink().name == f"{link}-target"
        assert COMMANDS[name][1] in (built / "far" / f"{link}-target").read_bytes()


def test_who_reads_enough_gets_no_error(built):
    """As `head` does."""
    with subprocess.Popen(
        [sys.executable, "-m", "mkdocs_sitemap_plus", "report", "site", "-o", "-"],
        cwd=built, env=clean_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        process.stdout.close()
        assert process.stderr.read() == b""


def test_a_sitemap_of_several_files_needs_a_folder(built):
    """A pipe is none."""
    text = (built / "site" / "sitemap.xml").read_text("utf-8")
    url = "<url><loc>https://example.com/{}/</loc></url>"
    many = text.replace("</urlset>", "".join(map(url.format, range(50_000))) + "</urlset>")
    (built / "site" / "sitemap.xml").write_text(many, "utf-8")
    command = [sys.executable, "-m", "mkdocs_sitemap_plus", *COMMANDS["merge"][0], "-o", "-"]
    done = subprocess.run(
        command, cwd=built, env=clean_environment(), check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "Error: -: is no folder, but the sitemap needs 3 files." in done.stderr


def test_the_report_of_a_build_goes_through_a_link_and_waits_for_no_reader(site):
    """As the option `report` of the plugin."""
    site.docs({"index.md": "# Home\n"})
    (site.folder / "far.json").write_text("old")
    (site.folder / "link.json").symlink_to("far.json")
    os.mkfifo(site.folder / "pipe.json")
    for name in ("link", "pipe"):
        site.config(f"report: {name}.json")
        built = site.build()
    assert (site.folder / "link.json").is_symlink()
    assert json.loads((site.folder / "far.json").read_text("utf-8"))["version"] == 1
    assert stat.S_ISFIFO((site.folder / "pipe.json").stat().st_mode)
    reported = (
        "mkdocs.yml: report is 'pipe.json', which can't be written (No such device or address)."
    )
    assert built.warnings == [f"{reported} No report is written."]


def test_nothing_outside_of_a_site_is_written(tmp_path):
    """The site may have links in it; a link inside of it stays."""
    site, outside = tmp_path / "site", tmp_path / "outside"
    site.mkdir()
    outside.write_bytes(b"mine")
    for name in ("sitemap.xml", "sitemap.xml.gz", "robots.txt"):
        (site / name).symlink_to(outside)
    (site / "inside.txt").symlink_to("target.txt")
    write_files(site, [SitemapFile(name="sitemap.xml", pieces=[b"new"])], "sitemap.xml")
    for name in ("robots.txt", "inside.txt"):
        write_site_file(site, name, b"new")
    assert outside.read_bytes() == b"mine"
    assert {path.name for path in site.iterdir() if path.is_symlink()} == {"inside.txt"}
    for name in ("sitemap.xml", "robots.txt", "target.txt"):
        assert (site / name).read_bytes() == b"new"


def test_a_pipe_in_a_site_blocks_no_build(tmp_path):
    """It has no reader, so writing into it would wait for ever."""
    for name in ("sitemap.xml", "robots.txt"):
        os.mkfifo(tmp_path / name)
    write_files(tmp_path, [SitemapFile(name="sitemap.xml", pieces=[b"new"])], "sitemap.xml")
    write_site_file(tmp_path, "robots.txt", b"new")
    for name in ("sitemap.xml", "robots.txt"):
        assert (tmp_path / name).read_bytes() == b"new"


def test_a_pipe_beside_a_named_file_is_reported(tmp_path):
    """The archive of a sitemap that a person named can't be written into it."""
    os.mkfifo(tmp_path / "sitemap.xml.gz")
    files = [SitemapFile(name="sitemap.xml", pieces=[b"new"])]
    with pytest.raises(SitemapError, match=r"sitemap.xml.gz: .* \(Not a regular file\)"):
        write_files(tmp_path, files, "sitemap.xml", follow=True)
    assert [path.name for path in tmp_path.iterdir()] == ["sitemap.xml.gz"]


def test_a_folder_that_is_a_link_is_written_into(tmp_path):
    """As a server's `current`."""
    (tmp_path / "release").mkdir()
    (tmp_path / "current").symlink_to("release")
    files = [SitemapFile(name="sitemap.xml", pieces=[b"new"])]
    write_files(tmp_path / "current", files, "sitemap.xml")
    write_file(tmp_path / "current" / "a.txt", b"new")
    assert (tmp_path / "current").is_symlink()
    names = {path.name for path in (tmp_path / "release").iterdir()}
    assert names == {"sitemap.xml", "sitemap.xml.gz", "a.txt"}
