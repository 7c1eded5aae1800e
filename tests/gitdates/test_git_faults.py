"""A git that misbehaves, and a machine that lacks something: no crash, and no wrong date."""

import os
import tempfile
from itertools import product

import pytest
from eventful import NAMES, eventful, pages
from git_repositories import files, git, line, make
from git_settings import Options, git_dates
from quantity import LONG, at_length, more_at_length, one_in

from mkdocs_sitemap_plus.gitdates import GitChange, GitDate
from mkdocs_sitemap_plus.gitdates.git_dates import _known
from mkdocs_sitemap_plus.gitdates.single_commits import subjects

pytestmark = [
    pytest.mark.usefixtures("plain_git"),
    pytest.mark.skipif(os.name == "nt", reason="the faulty git is a script of a Unix shell"),
]

SETTINGS = (
    Options(date=GitDate.PUBLISHED, change=GitChange.CONTENT),
    Options(date=GitDate.COMMIT, change=GitChange.BODY),
    Options(date=GitDate.AUTHOR, change=GitChange.ANY),
)

FAULTS = {
    "empty": "exit 0",
    "fail": "exit 1",
    "fatal": r"printf 'fatal: \033[31mred\nfatal: two\n' >&2; exit 128",
    "much": "head -c 20000000 /dev/zero | tr '\\0' x >&2; exit 128",
    "cut": "{git} | head -c 50",
    "killed": "{git} | head -c 50; kill -9 $$",
    "garbage": "head -c 5000 {garbage}",
    "banner": "echo 'warning: some banner'; {git}",
    "lines of Windows": "{git} | sed -u 's/$/\\r/'",
    "usage": "echo 'usage: git [--version]' >&2; exit 129",
}
INTERACTIVE = {
    "cut": 'read oid; echo "$oid" | {git} | head -c 30',
    "killed": 'read oid; echo "$oid" | {git} | head -c 30; kill -9 $$',
}
"""Faults of commands that wait for the next question after each answer."""

ASKED = ("diff-tree", "cat-file")
COMMANDS = ("rev-parse", "ls-tree", "log", "diff-tree", "cat-file")
UNREAL = {
    *((command, "lines of Windows") for command in ("ls-tree", "diff-tree", "cat-file")),
    ("ls-tree", "cut"),
    ("diff-tree", "banner"),
}
"""What looks like a good answer, and comes from no git."""

HARMLESS = {("ls-tree", "empty")}
"""Nothing is what git prints where HEAD holds none of the pages."""


@pytest.fixture(autouse=True)
def forgetful():
    """Each test reads its repositories anew."""
    _known.cache_clear()


def dates_of(docs, settings):
    """The date of each page by name, and what there is to say, from a new engine."""
    engine = git_dates(settings)
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
    assert all(found.keys() == set(NAMES) and not problems for found, problems in dates.values())
    return top, {settings: found for settings, (found, _) in dates.items()}


@one_in(4)
@more_at_length
@pytest.mark.parametrize(
    ("command", "fault"),
    [
        pytest.param(*pair, marks=() if pair[0] == "log" or pair[1] == "cut" else at_length)
        for pair in product(COMMANDS, FAULTS)
        if pair not in UNREAL
    ],
)
@pytest.mark.fault("git is killed, or stops too early")
@pytest.mark.fault("git prints something unexpected")
def test_a_faulty_git_is_one_line_and_no_wrong_date(healthy, faulty, command, fault):
    """Whatever a subcommand prints, and however it ends: a page has its date, or none."""
    top, dates = healthy
    faulty.fault(command, (INTERACTIVE if command in ASKED else {}).get(fault, FAULTS[fault]))
    number = [*COMMANDS].index(command) + [*FAULTS].index(fault)
    tried = SETTINGS[:2] if LONG else [SETTINGS[number % 2]]
    for settings in tried if command != "cat-file" else SETTINGS[1:2]:
        _known.cache_clear()
        found, problems = dates_of(top / "docs", settings)
        assert found.items() <= dates[settings].items()
        if (command, fault) in HARMLESS:
            assert problems == []
        else:
            assert len(found) < len(NAMES)
            (one,) = problems
            assert one.isprintable()
            assert len(one) < 400
            assert "git" in one


@pytest.mark.parametrize(
    ("command", "fault", "message"),
    [
        ("log", "banner", "git can't read the repository (git printed something unexpected: "),
        ("log", "empty", "git can't read the repository (git printed something unexpected)."),
        ("log", "fail", "git can't read the repository (exit status 1)."),
        ("log", "killed", "git can't read the repository (killed by signal 9)."),
        ("cat-file", "fatal", "git can't read the repository (fatal: \\x1b[31mred)."),
        ("rev-parse", "usage", "git is older than 2.31."),
    ],
)
@pytest.mark.fault("git is killed, or stops too early")
@pytest.mark.fault("git prints something unexpected")
def test_the_message_about_a_faulty_git(healthy, faulty, command, fault, message):
    """The text names what git printed, or how it ended."""
    faulty.fault(command, FAULTS[fault])
    _, (one,) = dates_of(healthy[0] / "docs", SETTINGS[1])
    assert one.startswith(message)


@pytest.mark.parametrize(
    ("script", "error"),
    [
        (r"head -c 20000 /dev/zero | tr '\0' x >&2; printf '\nerror: bad\n' >&2", "error: bad"),
        (r"printf 'fatal: caf\351\n' >&2", "fatal: caf\ufffd"),
    ],
    ids=["after much", "not UTF-8"],
)
def test_the_error_of_git_is_found(healthy, faulty, script, error):
    """Wherever it stands in what git printed, and whatever its letters are."""
    faulty.fault("log", f"{script}; exit 128")
    _, (one,) = dates_of(healthy[0] / "docs", SETTINGS[1])
    assert one.startswith(f"git can't read the repository ({error}).")


@pytest.mark.parametrize(
    ("script", "subject"),
    [
        (r"printf '\0ID\ncaf\351\n'", {"ID": "caf\ufffd"}),
        ("exit 128", {}),
    ],
)
def test_the_subject_of_a_commit(healthy, faulty, script, subject):
    """A letter that is not UTF-8 is replaced. What is not one line is no subject."""
    top = healthy[0]
    commit = git(top, "rev-parse", "HEAD").decode("ascii").strip()
    assert (
        subjects(top, [commit]).get(commit, "")
        == git(top, "log", "-1", "--format=%s").decode().strip()
    )
    faulty.fault("log", script)
    assert subjects(top, [commit]) == subject


# What the machine lacks


@pytest.mark.fault("there is no folder for temporary files")
def test_without_a_folder_for_temporary_files(healthy, monkeypatch, tmp_path):
    """A read-only container dates all pages, without a line."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    top, dates = healthy
    assert dates_of(top / "docs", SETTINGS[0]) == (dates[SETTINGS[0]], [])


def test_a_git_that_can_not_be_run(healthy, monkeypatch, tmp_path):
    """The line says why, where there is something of that name."""
    (tmp_path / "git").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path))
    found, (message,) = dates_of(healthy[0] / "docs", SETTINGS[0])
    assert found == {}
    assert message.startswith("the git program can't be run (Permission denied).")


def test_a_repository_in_a_folder_with_an_odd_name(tmp_path, faulty):
    """It dates its pages, and a line about it stays one line."""
    name = "ü \x1b[31m\na'\"b"
    made = make(tmp_path / name, line(pages(a_md="a")))
    docs = tmp_path / name / "docs"
    engine = git_dates()
    assert [change.commit for change in engine.changes([docs / "a.md"]).values()] == made.oids
    faulty.fault("rev-parse", f"echo 'fatal: dubious ownership in '\"'{name}'\" >&2; exit 128")
    (problem,) = (engine := git_dates()).changes([docs / "a.md"]) or engine.problems
    assert str(problem).isprintable()


def test_a_fetch_that_misbehaves(tmp_path, faulty):
    """The clone stays shallow, and one short line says why."""
    whole = make(tmp_path / "whole", line(pages(a_md="1"), files(x="x") | pages(a_md="1")))
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{whole.top}", "cut")
    faulty.fault("fetch", FAULTS["fail"])
    engine = git_dates(fetch=True)
    assert engine.changes([tmp_path / "cut" / "docs" / "a.md"]) == {}
    (message,) = [str(problem) for problem in engine.problems if problem.code == "fetch"]
    assert message.startswith("the missing history can't be fetched (exit status 1")
