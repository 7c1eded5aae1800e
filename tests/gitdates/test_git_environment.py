"""What must not matter for the dates of git: the environment, configuration, hooks, many pages."""

from contextlib import suppress
from dataclasses import replace

import git_settings
import pytest
from git_answers import ask, commits_of
from git_repositories import files, git, line, make
from git_settings import TRIED, Options
from quantity import more_at_length

from mkdocs_sitemap_plus.gitdates import GitChange
from mkdocs_sitemap_plus.gitdates.single_commits import subjects

pytestmark = [pytest.mark.usefixtures("plain_git"), more_at_length]


# What must not matter

FOLDERS = """
GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX GIT_COMMON_DIR GIT_OBJECT_DIRECTORY GIT_NAMESPACE
GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_SHALLOW_FILE GIT_GRAFT_FILE GIT_CONFIG GIT_EXTERNAL_DIFF
GIT_DIFF_OPTS GIT_CEILING_DIRECTORIES GIT_TRACE GIT_TRACE2 GIT_PAGER GIT_QUARANTINE_PATH
"""
SWITCHES = "GIT_LITERAL_PATHSPECS GIT_GLOB_PATHSPECS GIT_NOGLOB_PATHSPECS GIT_ICASE_PATHSPECS"


def test_the_environment_of_a_hook(tmp_path, monkeypatch):
    """Hooks and CI point git elsewhere; the pages' repository is still theirs."""
    history = make(tmp_path, line(files(docs__a_md="a"), files(docs__a_md="b")))
    for name in FOLDERS.split():
        monkeypatch.setenv(name, "/nonexistent/nonsense")
    for name in SWITCHES.split():
        monkeypatch.setenv(name, "1")
    for settings in TRIED:
        found = commits_of(tmp_path / "docs", "a.md", settings=settings)
        assert found == {"a.md": history.oids[1]}


CONFIGURATION = """
[log]
    showSignature = true
    showRoot = false
    follow = true
    mailmap = true
    date = relative
    decorate = full
    diffMerges = combined
    abbrevCommit = true
    graphColors = red
[format]
    pretty = fuller
    notes = true
[diff]
    renames = copies
    orderFile = /nonexistent/order
    noprefix = true
    relative = true
    external = /nonexistent/diff
    ignoreSubmodules = all
    suppressBlankEmpty = true
    submodule = log
    algorithm = patience
    colorMoved = zebra
    statGraphWidth = 3
    wordRegex = .
    interHunkContext = 5
[core]
    quotePath = false
    abbrev = 4
    pager = /nonexistent/pager
    notesRef = refs/notes/x
    attributesFile = /nonexistent/attributes
    excludesFile = /nonexistent/excludes
    precomposeUnicode = true
    ignoreCase = true
    commentChar = %
[color]
    ui = always
    diff = always
[i18n]
    logOutputEncoding = UTF-16
    commitEncoding = ISO-8859-1
[notes]
    displayRef = *
[pager]
    log = true
[column]
    ui = always
[alias]
    log = !false
    ls-tree = !false
[advice]
    graftFileDeprecated = true
"""


def test_configuration_that_changes_what_git_log_prints(tmp_path, plain_git):
    """The user's taste in logs does not change a date."""
    trees = [files(docs__a_md=t, docs__b_md="b") for t in "12"] + [
        files(docs__a_md="2", docs__c_md="b")
    ]
    history = make(tmp_path / "site", line(*trees))
    plain_git.mkdir()
    (plain_git / ".gitconfig").write_text(CONFIGURATION)
    for settings in TRIED:
        found = commits_of(history.top / "docs", "a.md", "c.md", settings=settings)
        renamed = 2 if settings.change is GitChange.ANY else 0
        assert found == {"a.md": history.oids[1], "c.md": history.oids[renamed]}


HOOKS = """
post-index-change pre-auto-gc reference-transaction fsmonitor-watchman post-checkout post-merge
post-rewrite post-commit pre-commit
"""


def configure(top, values):
    """Set what `git config` would set, without a process for each value."""
    with (top / ".git/config").open("a", encoding="utf-8") as file:
        for key, value in values.items():
            section, _, rest = key.partition(".")
            subsection, _, name = rest.rpartition(".")
            quoted = f' "{subsection}"' if subsection else ""
            file.write(f'[{section}{quoted}]\n\t{name} = "{value}"\n')


def test_nothing_that_a_repository_names_is_run(tmp_path):
    """A repository that others made configures programs; none of them runs."""
    trees = [files(docs__a_md=text, docs__b_md=text) for text in ("1", "1 ")]
    trees += [trees[1] | files(docs__a_md="2")]
    history = make(tmp_path / "site", line(*trees))
    git(history.top, "reset", "-q", "--hard")
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f'#!/bin/sh\necho "$0 $*" >>"{ran}"\n')
    program.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for hook in HOOKS.split():
        (hooks / hook).symlink_to(program)
        (history.top / ".git/hooks").mkdir(exist_ok=True)
        (history.top / ".git/hooks" / hook).symlink_to(program)
    included = tmp_path / "included"
    included.write_text(f"[core]\n  fsmonitor = {program}\n[alias]\n  cat-file = !{program}\n")
    configure(
        history.top,
        {
            "core.fsmonitor": program,
            "core.pager": program,
            "core.hooksPath": hooks,
            "core.sshCommand": program,
            "core.gitProxy": program,
            "core.askPass": program,
            "core.editor": program,
            "core.alternateRefsCommand": program,
            "diff.external": program,
            "diff.x.command": program,
            "diff.x.textconv": program,
            "filter.x.clean": program,
            "filter.x.smudge": program,
            "gpg.program": program,
            "gpg.ssh.program": program,
            "log.showSignature": "true",
            "pager.log": program,
            "alias.log": f"!{program}",
            "alias.rev-parse": f"!{program}",
            "alias.cat-file": f"!{program}",
            "alias.ls-tree": f"!{program}",
            "alias.diff-tree": f"!{program}",
            "include.path": included,
            "includeIf.gitdir:/.path": included,
            "core.worktree": history.top,
            "diff.x.cachetextconv": "true",
            "diff.x.binary": "true",
            "filter.x.process": program,
            "filter.x.required": "true",
            "trace2.eventTarget": tmp_path / "ran",
            "remote.origin.url": f"ext::{program}",
            "remote.origin.promisor": "true",
            "remote.origin.uploadpack": program,
            "remote.origin.vcs": "x",
            "extensions.partialClone": "origin",
            "protocol.allow": "always",
            "blame.ignoreRevsFile": program,
            "gc.auto": "1",
            "credential.helper": f"!{program}",
            "interactive.diffFilter": program,
            "uploadpack.packObjectsHook": program,
        },
    )
    (history.top / ".git/info").mkdir(exist_ok=True)
    (history.top / ".git/info/attributes").write_text("*.md diff=x filter=x merge=x\n")
    for settings in (
        replace(each, ignore_authors=("nobody",), ignore_subjects=("x",)) for each in TRIED
    ):
        found = commits_of(history.top / "docs", "a.md", "b.md", settings=settings)
        same = settings.change is GitChange.BODY
        assert found == {"a.md": history.oids[2], "b.md": history.oids[0 if same else 1]}
    assert subjects(history.top, [history.oids[2]]) == {history.oids[2]: ""}
    assert not ran.exists()
    with suppress(AssertionError):
        git(history.top, "diff", "HEAD~1", "HEAD")
    assert ran.exists()  # git alone does run them


def test_nothing_is_written_into_the_repository(tmp_path):
    """A build reads; it may run on a file system that can't be written to."""
    history = make(tmp_path, line(files(docs__a_md="1"), files(docs__a_md="2")))
    git(tmp_path, "reset", "-q", "--hard")

    def state():
        return {p: p.stat().st_mtime_ns for p in sorted((tmp_path / ".git").rglob("*"))}

    before = state()
    commits_of(history.top / "docs", "a.md", settings=Options(change=GitChange.BODY))
    assert state() == before


# How much is run


@pytest.mark.parametrize("settings", TRIED, ids=git_settings.name)
def test_processes_do_not_depend_on_the_number_of_pages(tmp_path, git_calls, settings):
    """One for the repository, one for what HEAD holds, one walk; one look for renames at most."""
    pages, trees = 60, [files(docs__z_md="z", README_md="r")]
    for some in (pages // 2, pages):
        trees += [trees[-1] | {b"docs/%d.md" % n: (b"100644", b"%d" % n) for n in range(some)}]
    make(tmp_path, line(*trees))
    found, _ = ask(tmp_path / "docs", *(f"{n}.md" for n in range(pages)), settings=settings)
    assert len(found) == pages
    looks = {} if settings.change is GitChange.ANY else {"diff-tree": 1}
    assert git_calls.counted() == {"rev-parse": 1, "ls-tree": 1, "log": 1} | looks
