"""The dates of git in a build: front matter, messages in our words, and no git after the end."""

import logging
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from faults import documented
from git_fixtures import runs
from git_repositories import files, graph, line, make
from quantity import at_length, one_in
from sites import clean_environment, git

from mkdocs_sitemap_plus.generator.lastmod.date_source import Reason
from mkdocs_sitemap_plus.generator.lastmod.git_source import (
    branch_of_ci,
    git_dates,
    in_our_words,
    problems_of,
)
from mkdocs_sitemap_plus.generator.options.settings import GitSettings
from mkdocs_sitemap_plus.generator.pages.front_matter import differ_in_keys
from mkdocs_sitemap_plus.generator.pages.site import UNSEEN_KEYS
from mkdocs_sitemap_plus.gitdates import Change, GitChange, GitCode, GitProblem, GitReason, Skipped
from mkdocs_sitemap_plus.gitdates import git as process
from mkdocs_sitemap_plus.problems import Level

pytestmark = pytest.mark.usefixtures("plain_git")

NOT_WINDOWS = pytest.mark.skipif(
    os.name == "nt", reason="the faulty git is a script of a Unix shell"
)


# Front matter


@pytest.mark.parametrize(
    ("name", "before", "after", "same"),
    [
        pytest.param("a.MARKDOWN", "t: a\n\ntext", "t: b\n\ntext", True, id="MultiMarkdown"),
        pytest.param("a.md", "---\na: [\n---\nx", "---\nb: [\n---\nx", False, id="broken"),
        pytest.param("a.py", "---\nt: 1\n---\nx", "---\nt: 2\n---\nx", False, id="no page"),
    ],
)
def test_front_matter_of_pages_does_not_count(tmp_path, name, before, after, same):
    """With `change: body`. Front matter that MkDocs can't read counts: MkDocs shows it."""
    trees = ({f"docs/{name}".encode(): (b"100644", text.encode())} for text in (before, after))
    history = make(tmp_path, line(*trees))
    file = tmp_path / "docs" / name
    for change, place in ((GitChange.BODY, 0 if same else 1), (GitChange.CONTENT, 1)):
        with git_dates(GitSettings(change=change)) as dates:
            assert dates.last_changes([file])[file].commit == history.oids[place]


PRIORITY = "---\npriority: 0.8\n---\ntext"


@pytest.mark.parametrize(
    ("before", "after", "counts"),
    [
        pytest.param("text", PRIORITY, False, id="added"),
        pytest.param("text\n", "---\nsitemap:\n  images: [a]\n---\n\ntext", False, id="block"),
        pytest.param("text", "\ufeff---\r\nlastmod: false\r\n---\r\ntext", False, id="CRLF"),
        pytest.param("text", "priority: 0.8\n\ntext", False, id="MultiMarkdown"),
        pytest.param(PRIORITY, "---\npriority: 0.9\n---\ntext", False, id="changed"),
        pytest.param(PRIORITY, "---\nsitemap: false\n---\ntext", False, id="another one"),
        pytest.param(PRIORITY, "text", True, id="removed, and none is left"),
        pytest.param(
            "---\nt: a\nu: b\n---\n", "---\nu: 'b'\nlastmod:\nt: a\n---\n", False, id="style"
        ),
        pytest.param("a-b: c\n\ntext", "a-b: c\nPriority: 1\n\ntext", False, id="hyphen"),
        pytest.param("---\nt: a\n---\n", "---\n{t: a, priority: 1}\n---\n", False, id="flow"),
        pytest.param("---\ntitle: a\n---\n", "---\ntitle: b\npriority: 1\n---\n", True, id="title"),
        pytest.param("---\nt: on\n---\n", "---\nt: 1\nlastmod:\n---\n", True, id="true is not 1"),
        pytest.param("x", "---\ndescription: b\npriority: 1\n---\nx", True, id="description"),
        pytest.param("text", "---\npriority: 0.8\n---\nText", True, id="text"),
        pytest.param("text", "---\npriority: 0.8\n---\n    text", True, id="now code"),
        pytest.param(PRIORITY, "---\n# low\npriority: 0.8\n---\ntext", True, id="a comment"),
        pytest.param("text", "---\npriority: [\n---\ntext", True, id="broken"),
        pytest.param("text", "---\n- priority: 1\n---\ntext", True, id="no mapping"),
        pytest.param("a\n\npriority: 1", "a\n\npriority: 2", True, id="in the text"),
    ],
)  # fmt: skip
def test_what_only_the_sitemap_reads_does_not_count(tmp_path, before, after, counts):
    """With `change: content`: nobody sees it on the page. With `any`, each commit counts."""
    trees = ({b"docs/a.md": (b"100644", text.encode())} for text in (before, after))
    history = make(tmp_path, line(*trees))
    (tmp_path / "docs").mkdir()
    (file := tmp_path / "docs/a.md").write_bytes(after.encode())
    for change, place in ((GitChange.CONTENT, 1 if counts else 0), (GitChange.ANY, 1)):
        with git_dates(GitSettings(change=change)) as dates:
            assert dates.last_changes([file])[file].commit == history.oids[place]


def test_a_key_that_comes_back_makes_no_page_older(tmp_path):
    """The commit that took the last key away dates the page, whatever front matter it has later."""
    texts = ("text", PRIORITY, "text", PRIORITY)
    history = make(tmp_path, line(*({b"docs/a.md": (b"100644", t.encode())} for t in texts)))
    (tmp_path / "docs").mkdir()
    (file := tmp_path / "docs/a.md").write_bytes(PRIORITY.encode())
    with git_dates(GitSettings()) as dates:
        assert dates.last_changes([file])[file].commit == history.oids[2]


def test_a_clone_without_old_contents_dates_no_page_that_has_keys(tmp_path):
    """What it can't compare has no date, unless each commit counts; other pages need nothing."""
    trees = [files(docs__a_md=text, docs__b_md=text + "b") for text in ("text", PRIORITY)]
    trees[1][b"docs/b.md"] = (b"100644", b"b")
    history = make(tmp_path / "whole", line(*trees))
    git("config", "uploadpack.allowFilter", "true", cwd=history.top)
    git("clone", "-q", "--filter=blob:none", f"file://{history.top}", "partial", cwd=tmp_path)
    a, b = (tmp_path / "partial/docs" / name for name in ("a.md", "b.md"))
    for change, dated in ((GitChange.CONTENT, [b]), (GitChange.ANY, [a, b])):
        with git_dates(GitSettings(change=change)) as dates:
            found = dates.last_changes([a, b])
        commits = {file: each.commit for file, each in found.items() if isinstance(each, Change)}
        assert commits == dict.fromkeys(dated, history.oids[1])
    with git_dates(GitSettings()) as dates:
        why = dates.last_changes([a])[a]
    assert why.reason == GitReason.NO_BLOBS
    assert why.detail == (
        f"the clone lacks what docs/a.md had before commit {history.oids[1][:12]}"
    )


@pytest.mark.parametrize("change", [GitChange.CONTENT, GitChange.BODY])
@pytest.mark.parametrize("more", [PRIORITY, None, "Text"], ids=["keys", "mode", "text"])
def test_a_merge_of_an_ignored_commit_and_one_that_does_not_count(tmp_path, more, change):
    """The page goes on before the merge, as it would on the branch itself; a text counts."""
    old, new = b"*text*", b"_text_"
    formatted = {b"docs/a.md": (b"100644", new)}
    last = (
        {b"docs/a.md": (b"100644", more.replace("text", "_text_").encode())}
        if more
        else {b"docs/a.md": (b"100755", new)}
    )
    history = make(
        tmp_path,
        graph(
            ({b"docs/a.md": (b"100644", old)}, []),
            (formatted, [0]),
            (last, [1]),
            ({b"docs/a.md": (b"100644", old), b"x": (b"100644", b"x")}, [0]),
            ({**last, b"x": (b"100644", b"x")}, [3, 2]),
        ),
    )
    (tmp_path / ".git-blame-ignore-revs").write_text(history.oids[1])
    (tmp_path / "docs").mkdir()
    (file := tmp_path / "docs/a.md").write_bytes(last[b"docs/a.md"][1])
    with git_dates(GitSettings(change=change)) as dates:
        (found,) = dates.changes([file]).values()
    assert found.commit == history.oids[4 if more == "Text" else 0]
    if more != "Text":
        why = "it merged nothing that counts (listed in .git-blame-ignore-revs)"
        assert found.skipped == (Skipped(history.oids[4], why),)


def test_an_endless_page_is_compared_in_time():
    """Each alias repeats what is before it ten times."""
    bomb = "".join(f"k{n}: &k{n} [{', '.join([f'*k{n - 1}'] * 10)}]\n" for n in range(1, 30))
    before, after = (f"---\n{key}k0: &k0 a\n{bomb}---\nx" for key in ("", "priority: 1\n"))
    assert differ_in_keys(before.encode(), after.encode(), UNSEEN_KEYS)
    assert not differ_in_keys(before.encode(), after.replace("&k0 a", "b").encode(), UNSEEN_KEYS)
    deep = f"---\nk: {'[' * 450}{']' * 450}\n---\nx".encode()
    assert not differ_in_keys(deep, deep.replace(b"k:", b"priority: 1\nk:"), UNSEEN_KEYS)


# Messages

UNDATED = "Pages get no date from git."
CLONE = (
    "Build in a clone of the repository with its .git folder, or use a dates file "
    "beside the project file (`mkdocs-sitemap-plus dates`)."
)


def test_each_reason_of_git_is_one_of_pages():
    """With the same text, by which it is found."""
    assert {str(reason) for reason in GitReason} <= {str(reason) for reason in Reason}


OF_ITS_OWN = {
    GitCode.NO_REPOSITORY: f"x. {UNDATED} {CLONE}",
    GitCode.GIT_FAILED: "x. Pages that git has not dated yet get no date from git. Do it.",
    GitCode.FETCH: "x. The clone stays shallow. Do it.",
    GitCode.COMMIT_DATE: "x. It dates no page. Do it.",
    GitCode.IGNORE_REVS: "revs.txt:3: x. The line is ignored.",
}


@pytest.mark.parametrize("code", [*GitCode])
def test_what_git_finds_is_a_note_that_says_what_happens_to_pages(code):
    """With the options of this plugin, where they help."""
    line_in_log = OF_ITS_OWN.get(code, f"x. {UNDATED} Do it.")
    in_file = {"file": "revs.txt", "line": 3} if code is GitCode.IGNORE_REVS else {}
    problem = in_our_words(GitProblem(code, "x", "Do it.", **in_file))
    assert problem.level is Level.NOTE
    assert (problem.code, str(problem)) == (code, line_in_log)


def test_a_file_of_ignored_commits_that_can_not_be_read_is_a_warning(tmp_path):
    """It has the name of the option, since the owner wrote it there."""
    make(tmp_path, line(files(docs__a_md="a")))
    settings = GitSettings(ignore_revs_file="revs.txt")
    dates = git_dates(settings, tmp_path)
    dates.last_changes([tmp_path / "docs" / "a.md"])
    (problem,) = problems_of(dates)
    assert problem.level is Level.WARNING
    assert str(problem) == (
        "lastmod.git.ignore_revs_file is 'revs.txt', which can't be read (No such file or "
        "directory). The commits in it are not ignored."
    )


@pytest.mark.parametrize(
    ("option", "pattern", "matched"),
    [
        ("subjects", "Reformat?", "the whole first line of a message"),
        ("subjects", "reformat *", None),
        ("subjects", "Reformat all pages", None),
        ("authors", "eve", "the whole `Name <mail>`"),
        ("authors", "nobody <*", "the whole `Name <mail>`"),
    ],
)
def test_a_pattern_that_no_commit_matches_is_named(site, option, pattern, matched):
    """As far as git was read: it ends at the last dated page."""
    site.config(f'lastmod: {{git: {{ignore_{option}: ["{pattern}"]}}}}')
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n"})
    site.docs({"index.md": "# Home \n"})
    site.commit("Reformat all pages", date="2024-02-02T10:00:00+0000")
    built = site.build("--strict")
    assert built.days() == {"": "2024-02-02" if matched else "2024-01-01"}
    note = (
        f"mkdocs.yml:5: lastmod.git.ignore_{option} has {pattern!r}, which matches no commit that "
        f"was read. With `*` or `?` it must match {matched}, without them a part of it."
    )
    assert [each for each in built.notes if "ignore_" in each] == ([note] if matched else [])


@pytest.mark.parametrize(
    ("kind", "pattern", "number"),
    [
        ("subject", "chore(deps)", 2),
        ("subject", "CHORE(DEPS): bump b", 1),
        ("author", "dependabot[bot]", 2),
        ("author", "dependabot[bot]*", 0),
    ],
)
def test_a_text_is_found_anywhere_in_authors_and_subjects(site, kind, pattern, number):
    """Case aside, and brackets are letters. For one version a note counts what is new by that."""
    site.config(f'lastmod: {{git: {{ignore_{kind}s: ["{pattern}"]}}}}')
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n", "docs/a.md": "# A\n"})
    bot = {"GIT_AUTHOR_NAME": "dependabot[bot]", "GIT_AUTHOR_EMAIL": "1+dependabot@web.example"}
    for name, subject in {"a": "chore(deps): bump a", "index": "chore(deps): bump b"}.items():
        site.write({f"docs/{name}.md": "# New\n"})
        git("add", "-A", cwd=site.folder)
        git("commit", "-qm", subject, cwd=site.folder, date="2024-02-02T10:00:00+0000", **bot)
    built = site.build("--strict")
    days = set(built.days().values())
    assert days == ({"2024-01-01", "2024-02-02"} if pattern.endswith(" b") else {"2024-01-01"})
    part = f"is a part of the {kind} of {number} commit{'s' if number > 1 else ''}. "
    notes = [
        each for each in built.notes if f"ignore_{kind}s has {pattern!r}, which {part}" in each
    ]
    assert len(notes) == (1 if number and not pattern.endswith(" b") else 0)


def test_a_note_names_the_commits_that_a_shared_file_ignores(site):
    """Its other patterns may match nothing here; this one does, and changes dates."""
    site.config("lastmod: {git: {ignore_subjects: [reformat, nothing]}}")
    own = (site.folder / "mkdocs.yml").read_text("utf-8")
    site.write({"base.yml": own, "mkdocs.yml": "INHERIT: base.yml\n"})
    site.commit_on("2024-01-01", {"docs/index.md": "# Home\n"})
    site.docs({"index.md": "# New\n"})
    site.commit("Reformat all pages", date="2024-02-02T10:00:00+0000")
    built = site.build("--strict")
    assert built.days() == {"": "2024-01-01"}
    assert [each.partition(" has ")[2] for each in built.notes] == [
        (
            "'reformat', which is a part of the subject of 1 commit. It is ignored now; up to "
            "0.11, a pattern had to match the whole."
        ),
        (
            "'nothing', which matches no commit that was read. Other sites may need what matches "
            "nothing here: then it can stay as it is."
        ),
    ]


@NOT_WINDOWS
@pytest.mark.fault("git is killed, or stops too early")
@pytest.mark.fault("git prints something unexpected")
@pytest.mark.fault("git is older than 2.31")
def test_the_messages_about_a_faulty_git(tmp_path, faulty):
    """They are the documented ones."""
    make(tmp_path / "site", line(files(docs__a_md="a")))

    def said(script):
        faulty.fault("log", script)
        with git_dates(GitSettings()) as dates:
            dates.last_changes([tmp_path / "site" / "docs" / "a.md"])
        return problems_of(dates)

    killed = said("{git} | head -c 50; kill -9 $$")
    documented("git is killed, or stops too early", *killed)
    banner = said("echo 'warning: some banner'; {git}")
    documented("git prints something unexpected", *banner)
    old = said("echo 'fatal: unrecognized argument: --diff-merges=first-parent' >&2; exit 128")
    documented("git is older than 2.31", *old)


# Silence
SILENT = "git {} has not answered for 0.2 seconds; waiting for it."


@one_in(3)
@NOT_WINDOWS
@pytest.mark.parametrize("command", ["log", "ls-tree", "diff-tree"])
@pytest.mark.fault("git does not answer for ten seconds")
def test_a_git_that_is_silent_is_one_line_of_a_build(site, faulty, monkeypatch, caplog, command):
    """Also off a terminal and in CI. It is waited for, and the dates are there in the end."""
    logged = site.folder / "logged"
    monkeypatch.setattr(process, "SILENCE", 0.2)
    monkeypatch.setenv("CI", "true")
    site.docs({"old.md": "# Home\n"})
    site.config()
    site.commit()
    (site.folder / "docs" / "old.md").rename(site.folder / "docs" / "index.md")
    site.commit()
    wait = f"for n in $(seq 3000); do [ -e '{logged}' ] && break; sleep 0.02; done"
    faulty.fault(command, f"{wait}; exec {{git}}")
    monkeypatch.setattr(caplog.handler, "filters", [lambda record: note(record, logged)])
    with caplog.at_level(logging.INFO, "mkdocs.plugins.sitemap-plus"):
        build_here(site.folder)
    lines = [record.getMessage() for record in caplog.records if "mkdocs.plugins" in record.name]
    assert [each for each in lines if "answered" in each] == [
        f"sitemap-plus: {SILENT.format(command)}"
    ]
    assert "<lastmod>" in (site.folder / "site" / "sitemap.xml").read_text("utf-8")
    documented("git does not answer for ten seconds", *lines)


def note(record, logged):
    """Make a file when the line is logged."""
    if "not answered" in record.getMessage():
        logged.touch()
    return True


def build_here(folder):
    """Build in this process, so that the patience can be set."""
    from mkdocs.commands.build import build  # noqa: PLC0415 - imports MkDocs
    from mkdocs.config import load_config  # noqa: PLC0415

    build(load_config(str(folder / "mkdocs.yml")))


# The end of a build


def wait_for(condition):
    """Until it holds; half a minute at most."""
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


HOOK = """\
from pathlib import Path
from mkdocs.exceptions import PluginError

def on_page_markdown(markdown, **_):
    pids = Path({pids!r})
    while not pids.exists() or not pids.read_text():
        pass
    raise PluginError("the hook fails")
"""


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks into /proc")
@pytest.mark.fault("a hook or another plugin stops the build")
def test_a_build_that_dies(site, plain_git, slow):
    """Git does not outlive it."""
    site.write({"docs/index.md": "text", "hook.py": HOOK.format(pids=str(slow.folder / "pids"))})
    site.config("lastmod: {}", more="hooks: [hook.py]\n")
    make(site.folder, line(files(docs__index_md="text")))
    assert site.build(check=False).returncode
    (pid,) = slow.pids()
    wait_for(lambda: not runs(pid))


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@at_length
@pytest.mark.fault("the build gets SIGKILL, SIGTERM or SIGINT (Ctrl-C)")
def test_git_does_not_outlive_a_build_that_is_killed(site, tmp_path):
    """Its pipe tells it, since no code of ours runs any more."""
    site.docs({"index.md": "# Home\n", **{f"{number}.txt": "text" for number in range(300)}})
    went_on = tmp_path / "went-on"
    site.write({"hook.py": f"def on_nav(nav, **_): open({str(went_on)!r}, 'w').close()\n"})
    site.config(more="hooks: [hook.py]\n")
    site.commit()
    bin_, pids, git_program = tmp_path / "bin", tmp_path / "pids", shutil.which("git")
    bin_.mkdir()
    (bin_ / "git").write_text(
        f'#!/bin/sh\ncase " $* " in *" log "*) echo $$ >"{pids}"; exec yes;; esac\n'
        f'exec "{git_program}" "$@"\n'
    )
    (bin_ / "git").chmod(0o755)
    path = f"{bin_}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-m", "mkdocs", "build", "-q"]
    with subprocess.Popen(command, cwd=site.folder, env=clean_environment(PATH=path)) as build:
        wait_for(lambda: went_on.exists() and pids.exists() and pids.read_text("ascii").strip())
        pid = int(pids.read_text("ascii"))
        assert runs(pid)
        build.send_signal(signal.SIGKILL)
    try:
        wait_for(lambda: not runs(pid))
    finally:
        if runs(pid):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize(
    ("variables", "branch"),
    [
        ({"GITHUB_REF_TYPE": "branch", "GITHUB_REF_NAME": "main"}, "main"),
        ({"GITHUB_REF_TYPE": "tag", "GITHUB_REF_NAME": "v1"}, None),
        ({"GITLAB_CI": "true", "CI_COMMIT_BRANCH": "release/2"}, "release/2"),
        ({"GITLAB_CI": "true", "CI_COMMIT_TAG": "v1"}, None),
        ({"BITBUCKET_BUILD_NUMBER": "7", "BITBUCKET_BRANCH": "main"}, "main"),
        ({"TF_BUILD": "True", "BUILD_SOURCEBRANCH": "refs/heads/docs/x"}, "docs/x"),
        ({"TF_BUILD": "True", "BUILD_SOURCEBRANCH": "refs/tags/v1"}, None),
        ({"CIRCLECI": "true", "CIRCLE_BRANCH": "main"}, "main"),
        ({"JENKINS_URL": "https://ci.example/", "BRANCH_NAME": "main"}, "main"),
        ({"NETLIFY": "true", "BRANCH": "main"}, "main"),
        ({"CF_PAGES": "1", "CF_PAGES_BRANCH": "main"}, "main"),
        ({"VERCEL": "1", "VERCEL_GIT_COMMIT_REF": "main"}, "main"),
        ({"AWS_APP_ID": "x", "AWS_BRANCH": "main"}, "main"),
        ({"READTHEDOCS_VERSION_TYPE": "branch", "READTHEDOCS_GIT_IDENTIFIER": "main"}, "main"),
        ({"READTHEDOCS_VERSION_TYPE": "tag", "READTHEDOCS_GIT_IDENTIFIER": "v1"}, None),
        ({"BRANCH": "my-own-variable", "BRANCH_NAME": "another"}, None),
    ],
)
def test_the_branch_that_a_ci_names(plain_git, monkeypatch, variables, branch):
    """A variable counts with the mark of its own CI alone, and a tag is no branch."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    found = branch_of_ci()
    assert (found and found[0]) == branch
    assert found is None or found[1] in variables
