"""The git program as a process: its arguments, environment and ending; nothing of what it says."""

import atexit
import os
import subprocess
import tempfile
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

CHUNK = 1 << 18
"""How many bytes are read from git at most in one go; a pipe holds a quarter of that on Linux."""

_PLACED = hasattr(os, "pread")
_PATIENCE = 0.002
"""Seconds between two looks for what git has written ahead."""

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
"""What no option of ``git log`` can overrule, or not in every version; see ``git help config``."""

_KEPT = (
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_KEY_",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_VALUE_",
    "GIT_EXEC_PATH",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_REPLACE_REF_BASE",
)
"""Variables of the user that stay: ``safe.directory`` is often set there, replaced objects are part
of what history is, and a git that was moved needs to find its programs. All other ``GIT_*`` go:
hooks and CI point them at another repository."""

_REACHING = ("GIT_ASKPASS", "GIT_HTTP_", "GIT_PROXY", "GIT_SSH", "GIT_SSL")
_UNREACHING = ("GIT_NO_LAZY_FETCH", "GIT_ALLOW_PROTOCOL")
_FIXED = {
    "LC_ALL": "C",  # its errors are read
    "GIT_FLUSH": "0",  # else each commit is one write into the pipe
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # the same for git before 2.44
}


class GitFailed(Exception):  # noqa: N818 - said of a program that ended, not of a bug
    """Git ended with an error.

    Attributes:
        code: its exit status, negative for the signal that ended it; None if it never ran.
        said: what it wrote to its standard error, in English.
    """

    def __init__(self, code: int | None, said: str) -> None:
        """Keep both; the text is what git said."""
        super().__init__(said)
        self.code = code
        self.said = said


class GitMissing(GitFailed):
    """There is no git program that can be run."""


class Running:
    """A git process whose output is being read. Leaving the context ends it, whatever its state."""

    def __init__(
        self,
        command: list[str],
        stdin: bytes | None,
        *,
        ahead: bool = False,
        environment: dict[str, str] | None = None,
    ) -> None:
        """Start it.

        Args:
            command: the program and its arguments.
            stdin: what it can read.
            ahead: let it write into a file: it then never waits to be read. Where files can't be
                read at a place (Windows), it is a pipe all the same, and waits when that is full.
            environment: another one than reading git takes.

        Raises:
            GitMissing: the program can't be run.
        """
        with ExitStack() as files:
            self._errors = files.enter_context(tempfile.TemporaryFile())
            source: int | IO[bytes] = subprocess.DEVNULL
            if stdin is not None:  # from a file: of two pipes both ends could come to wait
                source = files.enter_context(tempfile.TemporaryFile())
                source.write(stdin)
                source.seek(0)
            self._written = (
                files.enter_context(tempfile.TemporaryFile()) if ahead and _PLACED else None
            )
            try:
                self._process = subprocess.Popen(
                    command,
                    bufsize=0,
                    stdin=source,
                    stdout=self._written or subprocess.PIPE,
                    stderr=self._errors,  # a file: nobody has to empty it, so git never waits
                    env=environment or _environment(),
                )
            except OSError as error:
                raise GitMissing(None, str(error)) from error
            self._seen = 0
            self._files = files.pop_all()
        atexit.register(self.stop)  # a build that is left by `sys.exit` would leave it behind

    def __enter__(self) -> Self:
        """Nothing more to do."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: "TracebackType | None",
    ) -> None:
        """End it."""
        self.stop()

    def read(self, size: int = CHUNK) -> bytes:
        """The next bytes of its output, at most ``size``; none once it has ended well.

        Raises:
            GitFailed: it has ended, and not well. So whoever gets no bytes has seen all there are.
        """
        if (piece := self._next(size)) or self._process.wait() == 0:
            return piece
        self._errors.seek(0)
        raise GitFailed(self._process.returncode, self._errors.read().decode("utf-8", "replace"))

    def _next(self, size: int) -> bytes:
        """Bytes as soon as there are any, or none at the end."""
        if self._written is None:
            return self._output.read(size)
        while True:
            ended = self._process.poll() is not None
            piece = os.pread(self._written.fileno(), size, self._seen)
            self._seen += len(piece)
            if piece or ended:
                return piece
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_PATIENCE)

    def stop(self) -> None:
        """Kill it if it still runs, and wait until it is gone."""
        atexit.unregister(self.stop)
        if self._process.poll() is None:
            self._process.kill()
        if self._process.stdout:
            self._process.stdout.close()
        self._process.wait()
        self._files.close()

    @property
    def ended(self) -> bool:
        """Whether the process is gone."""
        return self._process.returncode is not None

    @property
    def _output(self) -> IO[bytes]:
        if self._process.stdout is None:  # never: it is a pipe
            raise ValueError("the output is not a pipe")
        return self._process.stdout


class Asking:
    """A ``git cat-file --batch`` that is asked for one blob after another."""

    def __init__(self, command: list[str]) -> None:
        """Start it.

        Raises:
            GitMissing: the program can't be run.
        """
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
            )
        except OSError as error:
            raise GitMissing(None, str(error)) from error

    def blob(self, oid: bytes) -> bytes | None:
        """The content of an object; None if the repository does not hold it.

        Raises:
            GitFailed: it ended before it answered.
        """
        questions, answers = self._process.stdin, self._process.stdout
        if questions is None or answers is None:  # never: they are pipes
            raise ValueError("the process has no pipes")
        try:
            questions.write(oid + b"\n")
            questions.flush()
        except BrokenPipeError as error:
            raise GitFailed(self._process.wait(), "git ended while it was asked") from error
        head = answers.readline()
        if not head:
            raise GitFailed(self._process.wait(), "git ended while it was asked")
        if head.endswith(b" missing\n"):
            return None
        size = int(head.split()[2])
        data = answers.read(size + 1)
        if len(data) != size + 1:
            raise GitFailed(self._process.wait(), "git ended while it answered")
        return data[:-1]

    def stop(self) -> None:
        """End it, and wait until it is gone."""
        self._process.kill()
        self._process.communicate()


@dataclass(frozen=True, slots=True)
class Git:
    """The git program, in one folder.

    Attributes:
        top: where it runs: the top folder of a work tree.
    """

    top: Path

    def start(
        self, *arguments: str | bytes, stdin: bytes | None = None, ahead: bool = False
    ) -> Running:
        """Start it, with ``stdin`` or nothing to read; ``ahead`` as `Running` takes it.

        Raises:
            GitMissing: the program can't be run.
        """
        return Running(self._command(arguments), stdin, ahead=ahead)

    def _command(self, arguments: "Iterable[str | bytes]") -> list[str]:
        settings = (part for setting in _SETTINGS for part in ("-c", setting))
        options = ["--no-pager", "--literal-pathspecs", *settings]
        given = [os.fsdecode(argument) for argument in arguments]
        return ["git", "-C", str(self.top), *options, *given]

    def fetch_history(self) -> None:
        """Fetch what a shallow clone lacks: plain, since a filter would leave a partial clone.

        The one call that reaches the network and runs what the configuration names: the owner
        asked for it.

        Raises:
            GitFailed: there is no remote, no network, or no right to it.
        """
        command = ["git", "-C", str(self.top), "fetch", "--quiet", "--unshallow"]
        command += ["--no-recurse-submodules", "--no-auto-maintenance"]  # that would outlive it
        with Running(command, None, environment=_environment(reach=True)) as running:
            while running.read():
                pass

    def ask(self, *arguments: str) -> Asking:
        """Start it so that it can be asked for blobs.

        Raises:
            GitMissing: the program can't be run.
        """
        return Asking(self._command(arguments))

    def output(self, *arguments: str | bytes, stdin: bytes | None = None) -> bytes:
        """All that it writes to its standard output.

        Raises:
            GitFailed: it ended with an error, or can't be run.
        """
        with self.start(*arguments, stdin=stdin) as running:
            return b"".join(iter(running.read, b""))


def _environment(*, reach: bool = False) -> dict[str, str]:
    """The environment of the build, without what would lead git astray.

    Args:
        reach: whether git may reach the network, as its user has set that up.
    """
    kept = (*_KEPT, *_REACHING) if reach else _KEPT
    mine = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(kept)
    }
    fixed = _FIXED.items()
    return mine | {name: value for name, value in fixed if not reach or name not in _UNREACHING}
