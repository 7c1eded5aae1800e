"""Files to disk, each one whole, whatever happens meanwhile."""

import gzip
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from sites import clean_environment, run_command

from mkdocs_sitemap_plus.generator import output
from mkdocs_sitemap_plus.generator.kept_report import file_of_report
from mkdocs_sitemap_plus.generator.output import pack, remove_files, write_file
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap.entries import SitemapEntry, UrlEntry
from mkdocs_sitemap_plus.sitemap.write import Layout, SitemapFile, files, render_index

BASE = "https://web.example/"
PAGES = [UrlEntry(loc=f"{BASE}{name}/") for name in "ab"]
OURS = b"".join(next(files(PAGES[:1], Layout("sitemap.xml", BASE))).pieces)


def index_of(*names):
    """An index as ours are, of these files."""
    return render_index([SitemapEntry(loc=BASE + name) for name in names], "sitemap.css")


def write_files(folder, new, name):
    """Write and pack."""
    return pack(folder, output.write_files(folder, new, name))


def write_sitemap(folder, name, pieces):
    """A sitemap of one file."""
    return write_files(folder, [SitemapFile(name=name, pieces=pieces)], name)


@pytest.mark.fault("two builds write into one folder")
def test_two_writers_at_once_leave_whole_files(tmp_path):
    """A build in an editor beside one in a terminal: no error, no torn file, nothing left over."""
    failures = []

    def write(letter):
        for _ in range(30):
            try:
                write_sitemap(tmp_path, "sitemap.xml", [letter * 100_000])
            except SitemapError as error:
                failures.append(str(error))

    threads = [threading.Thread(target=write, args=[letter]) for letter in (b"a", b"b", b"c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sitemap.xml", "sitemap.xml.gz"]
    whole = {letter * 100_000 for letter in (b"a", b"b", b"c")}
    assert (tmp_path / "sitemap.xml").read_bytes() in whole
    assert gzip.decompress((tmp_path / "sitemap.xml.gz").read_bytes()) in whole


def test_the_archive_has_no_name_and_no_time(tmp_path):
    """Equal bytes stay equal, whenever and wherever they are packed (RFC 1952 2.3)."""
    write_sitemap(tmp_path, "sitemap.xml", [b"a", b"", b"b"])
    data = (tmp_path / "sitemap.xml.gz").read_bytes()
    assert data[:3] == b"\x1f\x8b\x08"
    assert data[3] == 0, "flags: no name, no comment, no extra field"
    assert data[4:8] == bytes(4), "modification time"
    assert gzip.decompress(data) == (tmp_path / "sitemap.xml").read_bytes() == b"ab"


def test_the_files_can_be_read_by_a_web_server(tmp_path):
    """The modes that any file gets from the user's mask."""
    write_sitemap(tmp_path, "sitemap.xml", [b"a"])
    plain = tmp_path / "plain"
    plain.write_bytes(b"")
    modes = {path.stat().st_mode for path in tmp_path.iterdir()}
    assert modes == {plain.stat().st_mode}


def test_each_error_names_the_file_that_could_not_be_written(tmp_path):
    """With its folder, if a person named it. The old file keeps its mode."""
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    blocked.chmod(0o640)
    mode = blocked.stat().st_mode
    write_file(blocked, b"new")
    assert (blocked.read_bytes(), blocked.stat().st_mode) == (b"new", mode)
    (tmp_path / "s.xml").mkdir()
    (tmp_path / "s.xml.gz").mkdir()
    calls = {
        f"{blocked.as_posix()}/below": lambda: write_file(blocked / "below", b"x"),
        "s.css": lambda: output.write_if_missing(blocked / "s.css", b"x"),
        "s.xml": lambda: remove_files(tmp_path, "s.xml"),
        "t.xml": lambda: write_sitemap(blocked, "t.xml", [b"x"]),
    }
    for name, call in calls.items():
        with pytest.raises(SitemapError) as caught:
            call()
        assert str(caught.value).startswith(f"{name}: it can't be written (")
    output.write_if_missing(tmp_path / "a" / "b" / "s.css", b"x")
    assert (tmp_path / "a" / "b" / "s.css").read_bytes() == b"x"


def test_parts_of_an_earlier_build_are_removed_after_their_index(tmp_path, monkeypatch):
    """So an index never lists a file that is gone, whenever the process is killed."""
    main = SitemapFile(name="sitemap.xml", pieces=[OURS])
    write_files(tmp_path, files(PAGES, Layout("sitemap.xml", BASE, max_urls=1)), "sitemap.xml")
    removed, unlink = [], Path.unlink
    monkeypatch.setattr(
        Path, "unlink", lambda path, **how: (removed.append(path.name), unlink(path, **how))
    )
    write_files(tmp_path, [main], "sitemap.xml")
    old = [name for name in removed if name.endswith(".xml") and name != "sitemap.xml"]
    assert old == ["sitemap-1.xml", "sitemap-2.xml"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sitemap.xml", "sitemap.xml.gz"]


def broken_pieces():
    yield b"a" * 200_000
    raise RuntimeError


def test_entries_that_can_not_be_rendered_leave_the_old_files(tmp_path):
    """Nothing is replaced before everything is written."""
    write_sitemap(tmp_path, "sitemap.xml", [b"old"])
    with pytest.raises(RuntimeError):
        write_sitemap(tmp_path, "sitemap.xml", broken_pieces())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sitemap.xml", "sitemap.xml.gz"]
    assert (tmp_path / "sitemap.xml").read_bytes() == b"old"
    assert gzip.decompress((tmp_path / "sitemap.xml.gz").read_bytes()) == b"old"


@pytest.mark.parametrize("name", ["sitemap.xml.gz"])
def test_a_folder_in_the_place_of_a_file_is_a_clear_error(tmp_path, name):
    """No torn file, and no new file beside an old archive."""
    (tmp_path / name / "sub").mkdir(parents=True)
    with pytest.raises(SitemapError) as caught:
        write_sitemap(tmp_path, "sitemap.xml", [b"a"])
    assert str(caught.value) == f"{name}: it can't be written (Is a directory)."
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_removing_takes_both_files_and_needs_none(tmp_path):
    """For a site without a page that may be listed."""
    remove_files(tmp_path, "sitemap.xml")
    write_sitemap(tmp_path, "sitemap.xml", [b"a"])
    remove_files(tmp_path, "sitemap.xml")
    assert list(tmp_path.iterdir()) == []


def own(folder, name, text):
    """A file that the owner wrote and, as many hosts do, packed without its name and its time."""
    (folder / name).write_bytes(text)
    pack(folder, [name])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sitemap-7.xml", OURS),
        ("sitemap-index.xml", index_of("sitemap.xml")),
        ("sitemap-index.xml", b"<sitemapindex xmlns='x'><sitemap/></sitemapindex>"),
    ],
    ids=["a part that nobody lists", "an index of the command", "another program"],
)
def test_a_file_that_the_last_build_did_not_write_stays(tmp_path, name, text):
    """Even if it carries our mark, as what the command `index` writes does."""
    write_sitemap(tmp_path, "sitemap.xml", [OURS])
    own(tmp_path, name, text)
    write_sitemap(tmp_path, "sitemap.xml", [OURS])
    remove_files(tmp_path, "sitemap.xml")
    assert sorted(path.name for path in tmp_path.iterdir()) == [name, f"{name}.gz"]
    assert (tmp_path / name).read_bytes() == text


@pytest.mark.parametrize(
    ("part", "packed"),
    [
        (b"<mine/>", b"<mine/>"),
        (OURS.replace(b"<!-- Made by mkdocs-sitemap-plus -->\n", b""), OURS),
        (OURS, b"<mine/>"),
    ],
    ids=["another text", "our layout", "another archive"],
)
def test_what_our_index_lists_stays_if_somebody_else_wrote_it(tmp_path, part, packed):
    """A part that was replaced since: it lacks our mark, however much it looks like ours."""
    write_files(tmp_path, files(PAGES, Layout("sitemap.xml", BASE, max_urls=1)), "sitemap.xml")
    (tmp_path / "sitemap-1.xml").write_bytes(part)
    (tmp_path / "sitemap-1.xml.gz").write_bytes(gzip.compress(packed, mtime=0))
    write_sitemap(tmp_path, "sitemap.xml", [OURS])
    left = {path.name for path in tmp_path.glob("*.xml")}
    assert left == {"sitemap.xml", "sitemap-1.xml"}


def test_a_part_goes_however_it_is_packed(tmp_path):
    """A host may have packed it anew: with a name, a time, and in other bytes."""
    write_files(tmp_path, files(PAGES, Layout("sitemap.xml", BASE, max_urls=1)), "sitemap.xml")
    data = (tmp_path / "sitemap-1.xml").read_bytes()
    (tmp_path / "sitemap-1.xml.gz").write_bytes(gzip.compress(data, 1))
    (tmp_path / "sitemap-2.xml.gz").unlink()
    write_sitemap(tmp_path, "sitemap.xml", [OURS])
    assert {path.name for path in tmp_path.iterdir()} == {"sitemap.xml", "sitemap.xml.gz"}


def with_index(site):
    """A site whose last build wrote an index beside the sitemap, and whose next one will not."""
    site.docs({"index.md": "# Home\n"})
    site.config("lastmod: {sources: []}\nextra_sitemaps: [blog/sitemap.xml]")
    site.build()
    site.config("lastmod: {sources: []}")
    return site.folder / "site"


STAYS = (
    "Note: {}: this file stays, since nothing proves that the last build of this site wrote it. "
    "Delete it if you do not need it."
)


def test_an_index_that_the_last_build_wrote_goes(site):
    """Its kept report names the file, and the file has our mark."""
    built = with_index(site)
    assert run_command("build", cwd=site.folder).stderr == ""
    assert {path.name for path in built.glob("*.xml*")} == {"sitemap.xml", "sitemap.xml.gz"}


def test_the_report_in_a_file_tells_what_the_last_build_wrote(site):
    """With the option `report`, none is kept in the cache."""
    site.docs({"index.md": "# Home\n"})
    site.config("lastmod: {sources: []}\nreport: r.json\nextra_sitemaps: [blog/sitemap.xml]")
    site.build()
    file_of_report(site.folder / "site").unlink(missing_ok=True)
    site.config("lastmod: {sources: []}\nreport: r.json")
    assert run_command("build", cwd=site.folder).stderr == ""
    assert not (site.folder / "site/sitemap-index.xml").exists()


def test_an_index_of_ours_that_no_report_names_stays_and_is_named(site):
    """It may be the one of several sites, which the command `index` writes."""
    built = with_index(site)
    file_of_report(built).unlink()
    stderr = run_command("build", cwd=site.folder).stderr
    assert stderr.splitlines() == [STAYS.format("sitemap-index.xml")]
    assert (built / "sitemap-index.xml").exists()


def test_a_file_of_another_program_stays_though_the_report_names_it(site):
    """Release 0.10 left no mark, so that nobody can tell it from one of another program."""
    built = with_index(site)
    theirs = b"<sitemapindex xmlns='x'><sitemap/></sitemapindex>"
    (built / "sitemap-index.xml").write_bytes(theirs)
    stderr = run_command("build", cwd=site.folder).stderr
    assert stderr.splitlines() == [STAYS.format("sitemap-index.xml")]
    assert (built / "sitemap-index.xml").read_bytes() == theirs


def test_what_an_index_lists_stays_with_it(tmp_path):
    """An index never lists a file that is not there."""
    extra = [UrlEntry(loc=f"{BASE}a.pdf")]
    new = files(PAGES, Layout("sitemap.xml", BASE, max_urls=1), extra)
    write_files(tmp_path, new, "sitemap.xml")
    own(tmp_path, "sitemap-index.xml", index_of("sitemap-1.xml", "blog/sitemap.xml"))
    write_sitemap(tmp_path, "sitemap.xml", [OURS])
    left = {path.name for path in tmp_path.glob("*.xml")}
    assert left == {"sitemap.xml", "sitemap-index.xml", "sitemap-1.xml"}


@pytest.mark.parametrize("filename", ["sitemap-1.xml"])
def test_the_command_keeps_what_it_has_just_written(site, filename):
    """It removes only the sitemap that MkDocs wrote, whatever the new one is called."""
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.config(f"filename: {filename}")
    before = site.build(found=["not-at-root"]).path(filename).read_bytes()
    run_command("build", cwd=site.folder)
    made = {path.name for path in (site.folder / "site").glob("*.xml*")}
    assert made == {filename, f"{filename}.gz"}
    assert (site.folder / "site" / filename).read_bytes() == before


def test_what_a_killed_build_left_is_removed_after_an_hour(tmp_path):
    """Not before: another build may run. Files of others stay."""
    old, new, other = (
        tmp_path / f"sitemap.xml.{name}.tmp" for name in ("0" * 16, "1" * 16, "editor")
    )
    for file in (old, new, other):
        file.touch()
        if file != new:
            os.utime(file, (0, 0))
    write_sitemap(tmp_path, "sitemap.xml", [OURS])
    assert {path.name for path in tmp_path.glob("*.tmp")} == {new.name, other.name}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is full")
def test_a_disk_that_is_full_at_the_second_part_leaves_all_old_files(tmp_path):
    """The error names the part; nothing of the new parts is there, nor of their index."""
    write_sitemap(tmp_path, "sitemap.xml", [b"old"])
    code = (
        "import resource, signal, sys; from pathlib import Path\n"
        "from mkdocs_sitemap_plus.generator.output import *\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "sizes = {'sitemap-1.xml': 1, 'sitemap-2.xml': 10, 'sitemap.xml': 1}\n"
        "files = [SitemapFile(name=n, pieces=[b'a' * 50_000] * s) for n, s in sizes.items()]\n"
        "try: write_files(Path(sys.argv[1]), files, 'sitemap.xml')\n"
        "except SitemapError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        capture_output=True, text=True, check=False, env=clean_environment(),
    )  # fmt: skip
    assert (done.stdout, done.stderr) == (
        (
            "sitemap-2.xml: it can't be written (File too large). "
            "The file of an earlier build stays as it was.\n"
        ),
        "",
    )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sitemap.xml", "sitemap.xml.gz"]
    assert (tmp_path / "sitemap.xml").read_bytes() == b"old"
    assert gzip.decompress((tmp_path / "sitemap.xml.gz").read_bytes()) == b"old"


@pytest.mark.unix
def test_what_is_no_file_is_written_into_and_stays(tmp_path):
    """A pipe stands for `>(gzip)` and for devices, which must never be replaced."""
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_file(pipe, b"all of it")
    reader.join()
    assert (read, pipe.is_fifo()) == ([b"all of it"], True)


@pytest.mark.unix
def test_a_link_of_a_person_is_followed_and_one_of_a_site_is_not(tmp_path):
    """A report may be linked to elsewhere. What lies outside of a site is not the plugin's."""
    (tmp_path / "site").mkdir()
    outside = tmp_path / "outside"
    for write, kept in ((write_file, b"new"), (output.write_site_file, b"old")):
        outside.write_bytes(b"old")
        link = tmp_path / "site" / write.__name__
        link.symlink_to(outside)
        write(link, b"new")
        assert (link.read_bytes(), outside.read_bytes()) == (b"new", kept)
