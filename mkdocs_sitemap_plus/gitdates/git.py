"""Run git, and say in one line why it failed and what the owner of the files can do."""

import logging
import os
import re
import select
import shlex
import subprocess
import tempfile
from contextlib import suppress
from io import BufferedReader
from pathlib import Path
from typing import IO, BinaryIO, Self, cast

from .values import GitCode, GitFailed, GitProblem, one_line

SILENCE = 10.0  # seconds without output after which one line in the log names the command

_log = logging.getLogger(__name__)

_SETTINGS = (
    "log.showSignature=false",
    "log.showRoot=true",
    "log.follow=false",
    "log.mailmap=false",
    "diff.renames=false",
    "diff.relative=false",
    "diff.ignoreSubmodules=none",
    "i18n.logOutputEncoding=UTF-8",
)
"""Configuration for which ``git log`` has no option, or not in every version of git."""

_KEPT = ("GIT_CONFIG_", "GIT_EXEC_PATH", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE")
"""Beginnings of the ``GIT_*`` variables that say something of all repositories.

Hooks and CI set the others for one repository, which need not be this one.
"""

_FIXED = {
    "LC_ALL": "C",  # errors in English, since `error_of` looks at them
    "GIT_FLUSH": "0",  # otherwise git writes each commit into the pipe by itself
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # the same for git before 2.44
}


class Git:
    """A running git, whose output is read from a pipe. Leaving the context ends it.

    It works ahead until the pipe is full. It ends by itself when nobody holds the other end of the
    pipe any more, so also if the build is killed.
    """

    def __init__(self, top: Path, *words: str | bytes, stdin: bool = False) -> None:
        """Start git in a folder. With `stdin`, questions can be asked."""
        texts = (word for word in words if isinstance(word, str))
        self._name = next(f"git {word}" for word in texts if not word.startswith("-"))
        self._errors = _file()
        self._unread = bytearray()
        try:
            self._process = subprocess.Popen(
                [*command(top), *words],
                stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env=environment(),
                pipesize=1 << 20,  # on Linux; without it a pipe holds 64 KiB there
            )
        except OSError as error:
            self._errors.close()
            why = "" if isinstance(error, FileNotFoundError) else f" ({error.strerror})"
            raise GitFailed(f"the git program can't be run{why}", GitCode.NO_GIT) from error
        self._out = cast("BufferedReader", self._process.stdout)
        self._in = cast("IO[bytes]", self._process.stdin)  # only with `stdin`

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def ask(self, question: bytes) -> None:
        """Write to git. If git has ended, the next reading raises GitFailed."""
        with suppress(OSError):
            self._in.write(question)
            self._in.flush()

    def end_questions(self) -> None:
        """Let git know that there is no other question."""
        with suppress(OSError):
            self._in.close()

    def read(self) -> bytes:
        """Return the next bytes that git has printed; none at the end. Raise GitFailed if it fails.

        If git says nothing for a while, a line in the log tells for what somebody waits.
        """
        if os.name == "posix" and not select.select([self._out], [], [], SILENCE)[0]:
            _log.info("%s has not answered for %g seconds; waiting for it.", self._name, SILENCE)
        printed = self._out.read1(1 << 18)
        if not printed and self._process.wait():
            self._errors.seek(0)
            raise error_of(self._process.returncode, self._errors.read(1 << 20))
        return printed

    def line(self) -> bytes:
        """Return the next line."""
        while (end := self._unread.find(b"\n") + 1) == 0:
            self._read_more()
        return self._take(end)

    def content(self, size: int) -> bytes:
        """Return so many bytes, which a newline follows."""
        while len(self._unread) <= size:
            self._read_more()
        if not (taken := self._take(size + 1)).endswith(b"\n"):
            raise GitFailed("git printed something unexpected")
        return taken[:-1]

    def _read_more(self) -> None:
        if not (printed := self.read()):
            raise GitFailed("git ended in the middle of its output")
        self._unread += printed

    def _take(self, size: int) -> bytes:
        taken = bytes(self._unread[:size])
        del self._unread[:size]
        return taken

    def stop(self) -> None:
        """End git, if it still runs. A second call does nothing."""
        self._process.kill()
        self._process.wait()
        for file in filter(None, (self._process.stdin, self._process.stdout, self._errors)):
            with suppress(OSError):  # what could not be written does not matter any more
                file.close()


def output(top: Path, *words: str | bytes) -> bytes:
    """Return all that git prints; raise GitFailed if it fails."""
    with Git(top, *words) as git:
        return b"".join(iter(git.read, b""))


def unshallow(top: Path) -> None:
    """Fetch the missing history of a shallow clone, as the user would; raise GitFailed."""
    # With --filter, the clone would become a partial one. Maintenance would outlive the fetch.
    options = ("--quiet", "--unshallow", "--no-recurse-submodules", "--no-auto-maintenance")
    command = ["git", "-C", str(top), "fetch", *options]
    env = os.environ | {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, check=False, env=env
    )
    if done.returncode:
        raise error_of(done.returncode, done.stderr)


def _file() -> BinaryIO:
    """Return a file for errors. A pipe could be full before anybody reads it."""
    try:
        return tempfile.TemporaryFile()
    except OSError:  # a machine on which nothing can be written
        return Path(os.devnull).open("r+b")


def command(top: Path, *, literal: bool = True) -> list[str]:
    """Return the words before a subcommand; if `literal`, no path has a pattern."""
    settings = (word for setting in _SETTINGS for word in ("-c", setting))
    options = ("--literal-pathspecs",) if literal else ()
    return ["git", "-C", str(top), "--no-pager", *options, *settings]


def environment() -> dict[str, str]:
    """Return the environment of each process of git."""
    inherited = os.environ.items()
    kept = {k: v for k, v in inherited if not k.startswith("GIT_") or k.startswith(_KEPT)}
    return kept | _FIXED


def error_of(status: int, errors: bytes) -> GitFailed:
    """Return git's first error as an exception; without one, its last line, or its status."""
    text = errors.decode("utf-8", "replace")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    first = next((line for line in lines if line.startswith(("fatal:", "error:"))), None)
    end = f"killed by signal {-status}" if status < 0 else f"exit status {status}"
    why = first or (lines[-1] if lines else end)
    for pattern, code in _MEANINGS:
        if found := re.search(pattern, text):
            # What follows each of these errors is what they are about, such as a folder.
            about = found["about"] if "about" in found.groupdict() else why
            return GitFailed(re.sub(r"\n\s+", ", ", (about or "").strip()), code)
    return GitFailed(why)


_MEANINGS = (
    (
        # The folder that git's advice names need not be the one that was asked for.
        r"(?:dubious ownership|unsafe repository)(?:(?s:.*?)safe\.directory (?P<about>.+))?",
        GitCode.UNSAFE_REPOSITORY,
    ),
    (r"unknown repository extensions? found:(?P<about>(?:\s*\n\s+\S+)+)", GitCode.NEWER_GIT),
    (r"(?P<about>Expected git repo version <= \d+, found \d+)", GitCode.NEWER_GIT),
    (r"unable to normalize alternate object path: (?P<about>.+)", GitCode.LOST_REFERENCE),
    (r"ambiguous argument 'HEAD'", GitCode.NO_COMMITS),
    (r"unknown value for --|unrecognized argument|usage: git|--is-shallow", GitCode.OLD_GIT),
    (r"promisor remote|lazy fetching disabled|not a tree object", GitCode.NO_TREES),
    (r"must be run in a work tree", GitCode.BARE_REPOSITORY),
    (r"Invalid path '|cannot chdir to '", GitCode.LOST_WORK_TREE),
    (r"not a git repository: ", GitCode.LOST_REPOSITORY),
    (r"not a git repository", GitCode.BROKEN_REPOSITORY),
)
"""What git's errors mean, and what they are about: the first pattern that is found counts."""


_INSTALL = "Install git 2.31 or newer."
_PROBLEMS = {
    GitCode.UNSAFE_REPOSITORY: (
        "git refuses to read the repository, because it belongs to another user",
        "Run `git config --global --add safe.directory {folder}` before the build.",
    ),
    GitCode.NO_COMMITS: ("the git repository has no commits", "Commit the files."),
    GitCode.NO_GIT: ("{why}", _INSTALL),
    GitCode.OLD_GIT: ("git is older than 2.31", _INSTALL),
    GitCode.NEWER_GIT: (
        "the repository needs a newer git ({why})",
        "Install a newer git where the site is built.",
    ),
    GitCode.NO_TREES: (
        "the clone has no folders of older commits, as after `git clone --filter=tree:0`",
        "Run `git fetch --refetch --filter=blob:none`, or clone with `--filter=blob:none`.",
    ),
    GitCode.BROKEN_REPOSITORY: (
        "git can't read the .git of the repository",
        "Clone the repository again.",
    ),
    GitCode.LOST_REPOSITORY: (
        "the .git of the files leads to {why}, where git finds no repository",
        "Make this folder available to the build. After a move, run `git worktree repair` there.",
    ),
    GitCode.LOST_REFERENCE: (
        "the clone was made with `--reference`, and {why} is not there",
        "Make this folder available to the build, or clone without `--reference`.",
    ),
    GitCode.BARE_REPOSITORY: (
        "the repository says that it has no work tree (`core.bare`)",
        "Run `git config core.bare false` in the repository.",
    ),
    GitCode.LOST_WORK_TREE: (
        "the repository says that its work tree is in a folder that is not there (`core.worktree`)",
        "Run `git --work-tree=. config --unset core.worktree` in the repository.",
    ),
    GitCode.GIT_FAILED: (
        "git can't read the repository ({why})",
        "Run `git fsck` in the repository.",
    ),
}


def problem_of(failure: GitFailed, top: Path) -> GitProblem:
    """Return what a failure of git in the repository at `top` means, and the fix."""
    why = one_line(str(failure))
    code = failure.code
    # Git 2.55 says no more of folders that a partial clone lacks than of those of a damaged one.
    if "unable to read tree" in why and _is_partial(top):
        code = GitCode.NO_TREES
    if code is GitCode.LOST_REPOSITORY:
        why = _repository_of(top) or why
    found, fix = _PROBLEMS[code]
    folder = why or shlex.quote(str(top))
    return GitProblem(code, found.format(why=why), fix.format(folder=folder))


def _repository_of(top: Path) -> str | None:
    """Return where the file ``.git`` of a worktree or a submodule leads: git 2.55 prints (null)."""
    with suppress(OSError, ValueError):
        text = (top / ".git").read_text("utf-8", "surrogateescape")
        if text.startswith("gitdir: "):
            return one_line(os.path.normpath(top / text.removeprefix("gitdir: ").rstrip("\n")))
    return None


def _is_partial(top: Path) -> bool:
    with suppress(GitFailed):  # without such a setting
        return bool(output(top, "config", "--get-regexp", r"^remote\..*\.promisor$"))
    return False
