"""What may go wrong on a machine: each row of ``faults.md`` has a test, and no other."""

import ast
import errno
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest
from faults import documented, messages, table
from git_fixtures import runs
from quantity import at_length
from sites import clean_environment, run_command

UNIX = pytest.mark.skipif(sys.platform == "win32", reason="Unix")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="Linux")
COMMAND = [sys.executable, "-m", "mkdocs_sitemap_plus"]


# The table.


@cache
def marked_tests():
    """Each fault that a test with the mark `fault` names, and the source of this test."""
    found = []
    for path in sorted(Path(__file__).parents[1].rglob("test_*.py")):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if "mark.fault(" in text else ():
            if isinstance(node, ast.FunctionDef):
                names = [
                    each.args[0].value
                    for each in node.decorator_list
                    if isinstance(each, ast.Call) and ast.unparse(each.func) == "pytest.mark.fault"
                ]
                if names:
                    text_of_test = ast.unparse(node)
                    found += [(name, text_of_test) for name in names]
    return found


def test_each_row_has_a_test_and_each_fault_of_a_test_a_row():
    """A row without a test may be wrong; a test without a row is of no use to readers."""
    assert {name for name, _ in marked_tests()} == table().keys()


def test_each_message_of_a_row_is_seen_by_a_test():
    """A test compares it with what is printed, by `documented`."""
    compared = {name for name, text in marked_tests() if f"documented({name!r}, " in text}
    assert compared == {name for name in table() if messages(name)}


# Git.


@at_length
@UNIX
@pytest.mark.fault("git never answers")
def test_a_git_that_hangs_ends_with_the_build(site, plain_git, faulty, tmp_path):
    """Ctrl-C is enough: no process is left, and no sitemap of MkDocs."""
    site.docs({"index.md": "# Home\n"})
    site.config()
    site.commit()
    pid = tmp_path / "pid"
    faulty.fault("log", f"echo $$ >'{pid}'; exec sleep 300")
    with subprocess.Popen(
        [sys.executable, "-m", "mkdocs", "build"],
        cwd=site.folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**clean_environment(), "PATH": os.environ["PATH"]},
        start_new_session=True,
    ) as build:
        wait_for(lambda: pid.exists() and pid.read_text("ascii"))
        wait_for((site.folder / "site" / "index.html").exists)
        os.killpg(build.pid, signal.SIGINT)  # as a terminal does
    assert build.returncode
    wait_for(lambda: not runs(int(pid.read_text("ascii"))))
    assert not list((site.folder / "site").glob("sitemap.xml*"))


def wait_for(condition):
    """Until it holds; some minutes at most, as on a busy machine."""
    end = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


LOCKS = ("index", "HEAD", "config", "packed-refs", "shallow", "refs/heads/main")


@pytest.mark.fault("another program has locked the repository")
def test_locks_of_the_repository_do_not_matter(site):
    """As a commit in an editor, or a git that was killed, leaves them."""
    site.docs({"index.md": "# Home\n"})
    site.config()
    site.commit_on("2024-05-01", {})
    site.write({f".git/{name}.lock": "" for name in LOCKS})
    built = site.build("--strict")
    assert (built.days(), built.warnings, built.notes) == ({"": "2024-05-01"}, [], [])


CHANGES = {
    "removed": "shutil.rmtree('.git')",
    "rewritten": (
        "[subprocess.run(['git', *words.split()], check=True, capture_output=True) for words in ("
        "'commit -q --amend --allow-empty -m new', 'reflog expire --expire=now --all', "
        "'gc -q --prune=now')]"
    ),
}


@pytest.mark.fault("the repository is rewritten or removed during the build")
@pytest.mark.parametrize("change", CHANGES)
def test_a_repository_that_changes_during_the_build(site, change):
    """All dates are those of the commit at which the build began, or absent."""
    roles, parts = ("AUTHOR", "COMMITTER"), ("NAME", "EMAIL")
    who = {f"GIT_{role}_{part}": "x" for role in roles for part in parts}
    text = f"import shutil, subprocess\n\ndef on_files(*_, **__):\n    {CHANGES[change]}\n"
    site.write({"hook.py": text})
    site.docs({"index.md": "# Home\n", "a.md": "# A\n"})
    site.config(more="hooks: [hook.py]\n")
    site.commit_on("2024-05-01", {})
    site.commit_on("2024-06-01", {"docs/a.md": "# New\n"})
    built = site.build(**who)
    for page, day in {"": "2024-05-01", "a/": "2024-06-01"}.items():
        assert built.days()[page] in (day, None)
    assert len(built.warnings + built.notes) <= 1


# Disk and folders.


@at_length
@LINUX
@pytest.mark.fault("the disk is full")
def test_a_disk_that_is_really_full(site):
    """Whole files stay, and one line says why, whichever file it is."""
    probe = ["unshare", "-rm", "mount", "-t", "tmpfs", "none", site.folder]
    if (
        not shutil.which("unshare")
        or subprocess.run(probe, check=False, stderr=subprocess.DEVNULL).returncode
    ):
        pytest.skip("this user may not mount a disk")
    site.docs({f"{number}.md": "# A\n" for number in range(60)} | {"index.md": "# Home\n"})
    site.config("robots_txt: true\nreport: site/report.json")
    site.write({"full/.keep": ""})
    site.commit()
    before = {path.name: path.read_bytes() for path in site.build().path("").glob("*.*")}
    site.write({"docs/0.md": "---\npriority: 0.7\n---\n"})
    site.commit()
    script = (
        "mv site old && mkdir site && mount -t tmpfs -o size=8m none site && cp -r old/* site && "
        "mount -t tmpfs -o size=64k none full && "
        "for disk in site full; do dd if=/dev/zero of=$disk/fill bs=4096 status=none; done; "
        f"for call in build 'dates -o full/dates.json'; do {sys.executable} -m "
        "mkdocs_sitemap_plus $call; done; "
        "rm site/fill && rm -r old && cp -r site old"
    )
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script],
        cwd=site.folder,
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    lines = [line for line in done.stderr.splitlines() if not line.startswith("dd: ")]
    documented("the disk is full", *lines)
    assert [line.partition("(")[0] for line in lines] == [
        "Error: sitemap.xml: it can't be written ",
        "Error: full/dates.json: it can't be written ",
    ]
    left = {path.name: path.read_bytes() for path in (site.folder / "old").glob("*.*")}
    assert left == before


def without_privileges():
    """The start of a command that makes modes count for root as well."""
    if os.geteuid():
        return []
    if not shutil.which("setpriv"):
        pytest.skip("needs setpriv, since root may write all")
    return ["setpriv", "--bounding-set", "-dac_override", "--inh-caps", "-dac_override"]


@at_length
@UNIX
@pytest.mark.fault("a folder is write-protected")
def test_read_only_folders(site):
    """One line each; what is there stays as it is, and the sitemap needs no other folder."""
    site.docs({"index.md": "# Home\n"})
    site.config("report: out/report.json\nlastmod: {sources: [git]}")
    site.write({"out/x": ""})
    site.commit()
    built = site.build()
    before = built.path().read_bytes()
    site.docs({"index.md": "---\npriority: 0.7\n---\n# Home\n"})
    folders = [site.folder / name for name in ("site", "out", "docs", ".")]

    def run(*arguments):
        return subprocess.run(
            [*without_privileges(), *COMMAND, *arguments],
            cwd=site.folder,
            env=clean_environment(),
            capture_output=True,
            text=True,
            check=False,
        )

    for folder in folders:
        folder.chmod(0o555)
    try:
        failed = run("build")
        kept = built.path().read_bytes()
        folders[0].chmod(0o755)
        written = run("build")
        dates = run("dates")
    finally:
        for folder in folders:
            folder.chmod(0o755)
    documented("a folder is write-protected", failed.stderr, written.stderr)
    assert (failed.returncode, written.returncode, dates.returncode) == (1, 0, 1)
    assert failed.stderr.count("\n") == written.stderr.count("\n") == dates.stderr.count("\n") == 1
    assert kept == before


REMOVES = """\
import shutil
from mkdocs.plugins import event_priority

@event_priority(100)
def on_post_build(config):
    shutil.rmtree(config.site_dir)
"""


@pytest.mark.fault("`site_dir` is removed during the build")
def test_a_site_that_is_removed_during_the_build(site):
    """No sitemap of pages that are not there."""
    site.docs({"index.md": "# Home\n"})
    site.write({"hook.py": REMOVES})
    site.config(more="hooks: [hook.py]\n")
    built = site.build()
    documented("`site_dir` is removed during the build", *built.warnings)
    assert len(built.warnings) == 1
    assert not built.path("").exists()


@UNIX
@pytest.mark.fault("the target of a symbolic link is missing")
def test_broken_links(site):
    """In the docs folder and in the built site; MkDocs itself can't build such a page."""
    site.docs({"index.md": "# Home\n"})
    site.config("extra_files: ['*.pdf']")
    site.commit()
    site.build(found=[])
    for name in ("docs/b.md", "docs/c.pdf", "site/b.html", "site/c.pdf", "site/robots.txt"):
        (site.folder / name).symlink_to("nowhere")
    for name in ("docs/loop.md", "site/loop.html"):
        (site.folder / name).symlink_to(Path(name).name)
    done = run_command("build", cwd=site.folder)
    assert done.returncode == 0
    assert "1 page, dated" in done.stdout
    assert run_command("check", "site", cwd=site.folder).returncode == 0
    assert run_command("dates", cwd=site.folder).returncode == 0
    with pytest.raises(FileNotFoundError):
        site.build()


@LINUX
@pytest.mark.fault("the name of a file is not UTF-8")
def test_names_that_are_not_utf_8(site):
    """The URL has the byte, as web servers send it; MkDocs itself can't build such a page."""
    name = os.fsdecode(b"lat\xe9")
    site.docs({"index.md": "# Home\n"})
    site.config("extra_files: ['*.pdf']\nreport: report.json\nimages: true")
    site.commit()
    page = site.build().path("index.html").read_bytes()
    site.write({f"docs/{name}.md": "# Text\n", f"site/{name}/index.html": b"<html></html>"})
    site.write({f"docs/{name}.pdf": "x", f"site/{name}.pdf": "x", f"{name}/index.html": page})
    site.commit_on("2024-06-01", {})
    built = run_command("build", cwd=site.folder)
    assert built.returncode == 0
    by_loc = {"": "2024-05-01", "lat%E9.pdf": "2024-06-01", "lat%E9/": "2024-06-01"}
    text = (site.folder / "site" / "sitemap.xml").read_text("utf-8")
    for url, day in by_loc.items():
        assert f"<loc>https://web.example/{url}</loc>\n    <lastmod>{day}" in text
    report = ["report", "site", "-o", "r.html"]
    for arguments in (["check", "site"], ["explain", f"{name}.md"], ["dates"], report):
        assert run_command(*arguments, cwd=site.folder).returncode == 0
    shutil.copy(site.folder / "site" / "sitemap.xml", site.folder / name)
    done = run_command("index", ".", "--site-url", "https://web.example/", cwd=site.folder)
    assert done.returncode in (0, 2)
    with pytest.raises(UnicodeEncodeError):
        site.build()


FULL = Path("/dev/full")


@at_length
@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a device that is full")
@pytest.mark.fault("the output can't be printed")
def test_an_output_that_can_not_be_printed(site):
    """What the command was asked to write is written; one line, and an exit code for scripts."""
    site.docs({"index.md": "# Home\n"})
    site.config()
    site.commit()
    site.build()
    with FULL.open("w") as full:
        done = subprocess.run(
            [*COMMAND, "build"],
            cwd=site.folder,
            env=clean_environment(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    documented("the output can't be printed", done.stderr)
    assert done.stderr == f"Error: the output can't be printed ({os.strerror(errno.ENOSPC)}).\n"
