"""A git that misbehaves, and a machine that lacks something: no crash, and no wrong date."""

import logging
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from eventful import NAMES, eventful, pages
from faults import documented
from git_repositories import files, git, line, make
from quantity import LONG, at_length, more_at_length

from mkdocs_sitemap_plus.cli import main
from mkdocs_sitemap_plus.lastmod import git as engine
from mkdocs_sitemap_plus.lastmod.git import History, process, repository
from mkdocs_sitemap_plus.options import GitChange, GitDate, GitSettings, Shallow

pytestmark = [
    pytest.mark.usefixtures("plain_git"),
    pytest.mark.skipif(os.name == "nt", reason="the faulty git is a script of a Unix shell"),
]

SETTINGS = (
    GitSettings(date=GitDate.PUBLISHED, change=GitChange.CONTENT),
    GitSettings(date=GitDate.COMMIT, change=GitChange.BODY),
    GitSettings(date=GitDate.AUTHOR, change=GitChange.ANY),
)

FAULTS = {
    "empty": "exit 0",
    "fail": "exit 1",
    "fatal": r"printf 'fatal: \033[31mred\nfatal: two\n' >&2; exit 128",
    "much": "head -c 20000000 /dev/zero | tr '\\0' x >&2; exit 128",
    "cut": "{git} | head -c 50",
    "killed": "{git} | head -c 50; kill -9 $$",
    "garbage": "head -c 5000 {garbage}",
    "nul": "head -c 1000 /dev/zero",
    "text": "yes hello | head -n 9",
    "banner": "echo 'warning: some banner'; {git}",
    "lines of Windows": "{git} | sed -u 's/$/\\r/'",
    "endless": "exec yes hello",
    "endless nul": "exec cat /dev/zero",
    "usage": "echo 'usage: git [--version]' >&2; exit 129",
}
INTERACTIVE = {
    "cut": 'read oid; echo "$oid" | {git} | head -c 30',
    "killed": 'read oid; echo "$oid" | {git} | head -c 30; kill -9 $$',
}
"""Faults of ``cat-file``, which waits for the next question after each answer."""

COMMANDS = ("rev-parse", "ls-tree", "log", "diff-tree", "cat-file")
HARMLESS = {("ls-tree", "empty")}
"""Nothing is what git prints where HEAD holds none of the pages."""


@pytest.fixture(autouse=True)
def forgetful(monkeypatch):
    """Each test reads its repositories anew."""
    monkeypatch.setattr(repository, "_heads", {})


def dates_of(docs, settings):
    """The date of each page by name, and what there is to say, from a new engine."""
    engine = History(settings)
    engine.start(docs)
    found = engine.changes([docs / name for name in NAMES])
    engine.changes([docs / name for name in NAMES[:2]])
    engine.close()
    return {file.name: change.when for file, change in found.items()}, list(
        map(str, engine.problems)
    )


@pytest.fixture(scope="module")
def healthy(tmp_path_factory):
    """An eventful repository, and the dates of its pages by settings."""
    top = tmp_path_factory.mktemp("healthy")
    make(top, eventful(pull=True))
    dates = {settings: dates_of(top / "docs", settings) for settings in SETTINGS}
    assert all(found.keys() == set(NAMES) and not told for found, told in dates.values())
    return top, {settings: found for settings, (found, _) in dates.items()}


@more_at_length
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.fault("git is killed, or stops too early")
@pytest.mark.fault("git prints something unexpected")
def test_a_faulty_git_is_one_line_and_no_wrong_date(healthy, faulty, command, fault):
    """Whatever a subcommand prints, and however it ends: a page has its date, or none."""
    top, dates = healthy
    faulty.fault(command, (INTERACTIVE if command == "cat-file" else {}).get(fault, FAULTS[fault]))
    number = [*COMMANDS].index(command) + [*FAULTS].index(fault)
    tried = SETTINGS[:2] if LONG else [SETTINGS[number % 2]]
    for settings in tried if command != "cat-file" else SETTINGS[1:2]:
        repository._heads.clear()  # noqa: SLF001
        found, told = dates_of(top / "docs", settings)
        assert found.items() <= dates[settings].items()
        if (command, fault) in HARMLESS:
            assert told == []
        else:
            assert len(found) < len(NAMES)
            (one,) = told
            assert one.isprintable()
            assert len(one) < 400
            assert "git" in one


@pytest.mark.parametrize(
    ("command", "fault", "told"),
    [
        (
            "log",
            "banner",
            "git printed something unexpected: 'warning: some banner\\n",
        ),
        ("rev-parse", "empty", "git printed nothing. Pages"),
        ("log", "empty", "git ended in the middle of its output. Pages"),
        ("log", "fail", "git can't read the repository (git log: exit status 1). Pages"),
        ("log", "killed", "git can't read the repository (git log: killed by signal 9). Pages"),
        (
            "cat-file",
            "fatal",
            "git can't read the repository (git cat-file: fatal: \\x1b[31mred). Pages",
        ),
        ("rev-parse", "usage", "git is older than 2.31. Pages"),
    ],
)
@pytest.mark.fault("git is killed, or stops too early")
@pytest.mark.fault("git prints something unexpected")
def test_what_is_told_of_a_faulty_git(healthy, faulty, command, fault, told):
    """The text names what git printed, or how it ended."""
    faulty.fault(command, FAULTS[fault])
    _, (one,) = dates_of(healthy[0] / "docs", SETTINGS[1])
    assert one.startswith(told)
    if fault == "killed":
        documented("git is killed, or stops too early", one)
    if fault == "banner":
        documented("git prints something unexpected", one)


def test_the_folder_of_the_repository_is_not_printed(healthy, faulty):
    """The log of a public CI job should not show the paths of its machine."""
    top = healthy[0]
    faulty.fault("log", f"echo 'fatal: {top}/docs is bad' >&2; exit 128")
    _, (one,) = dates_of(top / "docs", SETTINGS[1])
    assert one.startswith("git can't read the repository (git log: fatal: ./docs is bad).")


@pytest.mark.parametrize(
    ("script", "error"),
    [
        (r"head -c 20000 /dev/zero | tr '\0' x >&2; printf '\nerror: bad\n' >&2", "error: bad"),
        (r"printf 'hint\nfatal: bad\n' >&2; head -c 20000 /dev/zero >&2", "fatal: bad"),
        (r"printf 'fatal: caf\351\n' >&2", "fatal: caf\ufffd"),
    ],
    ids=["after much", "before much", "not UTF-8"],
)
def test_the_error_of_git_is_found(healthy, faulty, script, error):
    """Wherever it stands in what git printed, and whatever its letters are."""
    faulty.fault("log", f"{script}; exit 128")
    _, (one,) = dates_of(healthy[0] / "docs", SETTINGS[1])
    assert one.startswith(f"git can't read the repository (git log: {error}). Pages get")


def test_the_fix_for_a_git_that_prints_something_else(healthy, faulty):
    """Another program may run as `git`, or a wrapper that prints a banner."""
    faulty.fault("log", FAULTS["banner"])
    _, (one,) = dates_of(healthy[0] / "docs", SETTINGS[1])
    assert one.endswith(" Check which program runs as `git`, and run `git fsck`.")


@pytest.mark.parametrize(
    ("advice", "folder"),
    [("git config --global --add safe.directory '/a b/.git'", "'/a b/.git'"), ("", "TOP")],
)
def test_the_folder_in_the_advice_of_git_is_told(healthy, faulty, advice, folder):
    """Git knows which folder it distrusts, which need not be the top; older ones say nothing."""
    top = healthy[0]
    error = f"fatal: detected dubious ownership in repository at 'x'\nTo add it:\n\t{advice}\nEnd"
    (top.parent / "error.txt").write_text(error)
    faulty.fault("rev-parse", f'cat "{top.parent}/error.txt" >&2; exit 128')
    _, (one,) = dates_of(top / "docs", SETTINGS[0])
    folder = folder.replace("TOP", str(top))
    assert one.endswith(
        f"Run `git config --global --add safe.directory {folder}` before the build."
    )


@pytest.mark.parametrize(
    ("script", "told"),
    [
        (r"printf 'caf\351\n'", "caf\ufffd"),
        ("echo 'warning: some banner'; {git}", ""),
        ("exit 128", ""),
        ("exit 0", ""),
    ],
)
def test_the_subject_of_a_commit(healthy, faulty, script, told):
    """A letter that is not UTF-8 is replaced. What is not one line is no subject."""
    top = healthy[0]
    commit = git(top, "rev-parse", "HEAD").decode("ascii").strip()
    engine = History(SETTINGS[0])
    assert engine.subject(top, commit) == git(top, "log", "-1", "--format=%s").decode().strip()
    faulty.fault("log", script)
    assert engine.subject(top, commit) == told


# Silence


SLOW = "sleep 0.9; exec {git}"
SILENT = "git log has not answered for 0.2 seconds; waiting for it."


@pytest.mark.fault("git does not answer for ten seconds")
def test_a_git_that_is_silent_is_one_line_of_a_build(site, faulty, monkeypatch, caplog):
    """Also off a terminal and in CI. It is waited for, and the dates are there in the end."""
    told = site.folder / "told"
    monkeypatch.setattr(process, "SILENCE", 0.2)
    monkeypatch.setenv("CI", "true")
    site.docs({"index.md": "# Home\n"})
    site.config()
    site.commit()
    wait = f"for n in $(seq 500); do [ -e '{told}' ] && break; sleep 0.02; done"
    faulty.fault("log", f"{wait}; exec {{git}}")
    monkeypatch.setattr(caplog.handler, "filters", [lambda record: note(record, told)])
    with caplog.at_level(logging.INFO, "mkdocs.plugins.sitemap-plus"):
        build_here(site.folder)
    lines = [record.getMessage() for record in caplog.records if "mkdocs.plugins" in record.name]
    assert [each for each in lines if "answered" in each] == [f"sitemap-plus: {SILENT}"]
    assert "<lastmod>" in (site.folder / "site" / "sitemap.xml").read_text("utf-8")
    documented("git does not answer for ten seconds", *lines)


def note(record, told):
    """Make a file when the line is logged."""
    if "not answered" in record.getMessage():
        told.touch()
    return True


def build_here(folder):
    """Build in this process, so that the patience can be set."""
    from mkdocs.commands.build import build  # noqa: PLC0415 - imports MkDocs
    from mkdocs.config import load_config  # noqa: PLC0415

    build(load_config(str(folder / "mkdocs.yml")))


@at_length
def test_a_git_that_is_silent_is_one_note_of_the_command(site, faulty, monkeypatch, capsys):
    """The command says so on stderr."""
    monkeypatch.setattr(process, "SILENCE", 0.2)
    site.docs({"index.md": "# Home\n"})
    site.config()
    site.commit()
    faulty.fault("log", SLOW)
    monkeypatch.chdir(site.folder)
    monkeypatch.setattr(sys, "argv", ["mkdocs-sitemap-plus", "dates", "-o", "dates.json"])
    with pytest.raises(SystemExit):
        main()
    logging.getLogger("mkdocs_sitemap_plus").handlers.pop()
    assert capsys.readouterr().err.count(f"Note: {SILENT}\n") == 1


@at_length
def test_a_git_that_is_only_slow_is_no_line(healthy, faulty, monkeypatch, caplog):
    """Each piece of output begins the wait anew."""
    monkeypatch.setattr(process, "SILENCE", 0.5)
    faulty.fault("log", "{git} | for n in 1 2 3 4 5 6; do sleep 0.15; head -c 300; done; exec cat")
    with caplog.at_level(logging.INFO):
        dates_of(healthy[0] / "docs", SETTINGS[0])
    assert caplog.records == []


# What the machine lacks


@pytest.mark.parametrize("many", [False, True], ids=["few files", "many files"])
@pytest.mark.parametrize("anonymous", [False, True], ids=["no file at all", "as it is"])
def test_without_a_folder_for_temporary_files(healthy, monkeypatch, tmp_path, many, anonymous):
    """A read-only container dates all pages, without a line."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    monkeypatch.setattr(engine, "_FEW_FILES", 0 if many else 200)
    if not anonymous:
        monkeypatch.delattr(os, "memfd_create", raising=False)
    top, dates = healthy
    assert dates_of(top / "docs", SETTINGS[0]) == (dates[SETTINGS[0]], [])


@pytest.mark.fault("there is no folder for temporary files")
def test_a_build_without_a_folder_for_temporary_files(site, monkeypatch):
    """The same through MkDocs."""
    site.docs({"index.md": "# Home\n"})
    site.config()
    site.commit()
    monkeypatch.setattr(tempfile, "tempdir", "/nonexistent")
    built = site.build()
    assert [line for line in built.lines if "WARNING" in line] == []
    assert "1 page, dated (git)" in built.summary


def program(folder, kind):
    """Something with the name of git that can't be run."""
    folder.mkdir()
    if kind == "a folder":
        (folder / "git").mkdir()
    else:
        (folder / "git").write_bytes(
            b"\x7fELF no program of this machine" if kind == "ELF" else b""
        )
        (folder / "git").chmod(0o755 if kind == "ELF" else 0o644)


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("a folder", " (Permission denied)"),
        ("a file", " (Permission denied)"),
        ("ELF", " (Exec format error)"),
        ("nothing", ""),
    ],
)
def test_a_git_that_can_not_be_run(healthy, monkeypatch, tmp_path, kind, why):
    """The line says why, where there is something of that name."""
    if kind == "nothing":
        monkeypatch.setenv("PATH", "")
        monkeypatch.chdir(tmp_path)
    else:
        program(tmp_path / "bin", kind)
        monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    found, (told,) = dates_of(healthy[0] / "docs", SETTINGS[0])
    assert found == {}
    assert told.startswith(f"the git program can't be run{why}. Pages get no date from git.")


def test_a_variable_that_is_too_long_for_a_process(healthy, monkeypatch):
    """The system refuses to start git, which is not a git that is missing."""
    monkeypatch.setenv("LONG", "x" * 4_000_000)
    found, (told,) = dates_of(healthy[0] / "docs", SETTINGS[0])
    assert found == {}
    assert told.startswith("the git program can't be run (Argument list too long).")


@pytest.mark.parametrize("name", ["two\nlines", "ü \x1b[31m", "a'\"b"])
def test_a_repository_in_a_folder_with_an_odd_name(tmp_path, name, faulty):
    """It dates its pages, and a line about it stays one line."""
    made = make(tmp_path / name, line(pages(a_md="a")))
    docs = tmp_path / name / "docs"
    engine = History(GitSettings())
    assert [change.commit for change in engine.changes([docs / "a.md"]).values()] == made.oids
    faulty.fault("rev-parse", f"echo 'fatal: dubious ownership in '\"'{name}'\" >&2; exit 128")
    (problem,) = (engine := History(GitSettings())).changes([docs / "a.md"]) or engine.problems
    assert str(problem).isprintable()


def test_a_boundary_that_can_not_be_read(tmp_path, faulty):
    """A clone that is called shallow, and whose list of commits is not there."""
    make(tmp_path / "site", line(pages(a_md="a")))
    faulty.fault("rev-parse", "{git} | sed s/false/true/")
    engine = History(GitSettings())
    assert engine.changes([tmp_path / "site" / "docs" / "a.md"]) == {}
    (told,) = map(str, engine.problems)
    assert told.startswith(
        "git can't read the repository (git rev-parse: error: shallow: No such file or directory)."
    )


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("endless", "git printed something unexpected: 'hello\\nhello"),
        ("much", "xxxxxxxx"),
        ("fail", "exit status 1"),
    ],
)
def test_a_fetch_that_misbehaves(tmp_path, faulty, fault, why):
    """The clone stays shallow, and one short line says why."""
    whole = make(tmp_path / "whole", line(pages(a_md="1"), files(x="x") | pages(a_md="1")))
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{whole.top}", "cut")
    faulty.fault("fetch", FAULTS[fault])
    engine = History(GitSettings(shallow=Shallow.FETCH))
    assert engine.changes([tmp_path / "cut" / "docs" / "a.md"]) == {}
    told = [str(problem) for problem in engine.problems if problem.code == "fetch"]
    assert len(told) == 1
    assert told[0].startswith(f"the missing history can't be fetched ({why}")
    assert len(told[0]) < 400


@at_length
def test_a_killed_build_leaves_no_git(site, faulty):
    """A git whose reader is gone ends at its next word."""
    site.docs({"index.md": "# Home\n"})
    site.config(more="hooks: [hook.py]\n")
    site.write({"hook.py": "import time\ndef on_page_markdown(*_, **__):\n    time.sleep(60)\n"})
    site.commit()
    pid = site.folder / "pid"
    faulty.fault("log", f"echo $$ >'{pid}'; exec yes")
    with subprocess.Popen(
        [sys.executable, "-m", "mkdocs", "build", "-q"], cwd=site.folder, start_new_session=True
    ) as build:
        wait_for(lambda: pid.exists() and pid.read_text("ascii"))
        build.kill()
    wait_for(lambda: not Path(f"/proc/{pid.read_text('ascii').strip()}").exists())


def wait_for(condition):
    """Until it holds; half a minute at most."""
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)
