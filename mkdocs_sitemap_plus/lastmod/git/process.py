"""The git program as a process: its arguments, environment and ending; not what it prints."""

import atexit
import logging
import os
import subprocess
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import IO, TYPE_CHECKING, Self

from mkdocs_sitemap_plus.wording import MAX_VALUE, format_value

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType

CHUNK = 1 << 18
"""How many bytes are read from git at most in one go; a pipe holds a quarter of that on Linux."""

MOST_OUTPUT = 1 << 21
"""More bytes than any answer has that is read as a whole."""

SILENCE = 10.0
"""After so many seconds without output, one line in the log names the command."""

_POLL = 0.002
"""Seconds between two looks for what git has written into a file."""

_PIPE = 4096
"""Bytes that every pipe takes at once, so that writing them needs no thread."""

_KEPT_ERRORS = 4096
"""Bytes of the standard error that are kept from its start, and as many from its end."""

_GRACE = 1.0
"""Seconds that an ended process's pipes may stay open: another process can hold them too."""

_log = logging.getLogger("mkdocs_sitemap_plus")

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


class GitFailed(Exception):  # noqa: N818 - a program ended, which is not a bug
    """Git ended with an error.

    Attributes:
        code: its exit status, negative for the signal that ended it; None if it never ran.
        said: what it wrote to its standard error, in English; of much, the start and the end.
        command: the subcommand, such as ``log``.
    """

    def __init__(self, code: int | None, said: str, command: str = "") -> None:
        """Keep all three; the text is what git wrote."""
        super().__init__(said)
        self.code = code
        self.said = said
        self.command = command


class GitMissing(GitFailed):
    """There is no git program that can be run; ``said`` is empty, or why it can't be run."""


class GitBrokeOff(GitFailed):
    """Git ended well, but before it had printed everything. What it printed is right."""

    def __init__(self) -> None:
        """The text is a clause for messages."""
        super().__init__(0, "git ended in the middle of its output")


class GitUnexpected(GitFailed):
    """Git printed what git never prints, so nothing of this output is used."""

    def __init__(self, printed: bytes | bytearray) -> None:
        """The text is a clause for messages, with the start of what was printed."""
        shown = format_value(printed[:MAX_VALUE].decode("utf-8", "replace"))
        what = f"something unexpected: {shown}" if printed else "nothing"
        super().__init__(0, f"git printed {what}")


class _Silence:
    """Logs one line if the build has waited ten seconds for a command's next output.

    It is a context: the build waits as long as it is inside. The thread is started with the first
    wait, since a process that runs beside the build must not make that a build of several threads
    (Python warns of a fork in such a process).
    """

    def __init__(self, command: str) -> None:
        self._command = command
        self._since: float | None = None
        self._stopped = Event()
        self._thread: Thread | None = None

    def __enter__(self) -> None:
        """The build begins to wait."""
        self._since = time.monotonic()
        if self._thread is None:
            self._thread = Thread(target=self._watch, daemon=True)
            self._thread.start()

    def __exit__(self, *_: object) -> None:
        """There is output, or an end."""
        self._since = None

    def stop(self) -> None:
        """Nobody waits any more."""
        self._stopped.set()
        if self._thread:
            self._thread.join()

    def _watch(self) -> None:
        left = SILENCE
        while not self._stopped.wait(left):
            since = self._since
            left = SILENCE if since is None else since + SILENCE - time.monotonic()
            if left <= 0:
                waiting = "git %s has not answered for %g seconds; waiting for it."
                _log.info(waiting, self._command, SILENCE)
                return


class _Errors:
    """Reads a process's standard error in a thread, so that the process never waits for that."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._start = self._end = b""
        self._thread: Thread | None = None

    def start(self) -> None:
        """Begin to read, if that has not begun."""
        if self._thread is None:
            self._thread = Thread(target=self._read, daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Close the pipe, unless another process still holds its other end."""
        if self._thread is None:
            self._pipe.close()
        else:
            self._thread.join(_GRACE)

    def text(self) -> str:
        """What an ended process has written."""
        self.start()
        self.stop()
        return (self._start + self._end).decode("utf-8", "replace")

    def _read(self) -> None:
        with self._pipe:
            while piece := self._pipe.read(CHUNK):
                room = _KEPT_ERRORS - len(self._start)
                self._start += piece[:room]
                self._end = (self._end + piece[room:])[-_KEPT_ERRORS:]


class Running:
    """A git process whose output is being read. Leaving the context ends it, whatever its state."""

    def __init__(
        self,
        command: list[str],
        stdin: bytes | None,
        *,
        name: str,
        ahead: bool = False,
        environment: dict[str, str] | None = None,
    ) -> None:
        """Start it.

        Args:
            command: the program and its arguments.
            stdin: what it can read; None: what `write` gives it.
            name: the subcommand, for messages.
            ahead: let it write into a file: it then never waits to be read. Where there is no such
                file, it is a pipe all the same, and waits when that is full.
            environment: another one than reading git takes.

        Raises:
            GitMissing: the program can't be run.
        """
        self.name = name
        self._written = _file() if ahead else None
        try:
            self._process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.DEVNULL if stdin == b"" else subprocess.PIPE,
                stdout=self._written or subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment or _environment(),
            )
        except OSError as error:
            if self._written:
                self._written.close()
            why = "" if isinstance(error, FileNotFoundError) else error.strerror or ""
            raise GitMissing(None, why, name) from error
        atexit.register(self.stop)  # a build that is left by `sys.exit` would leave it behind
        self._seen = 0
        self._silence = _Silence(name)
        self._errors = _Errors(_pipe(self._process.stderr))
        self._feeder: Thread | None = None
        if stdin and len(stdin) > _PIPE:
            self._feeder = Thread(target=self._feed, args=(stdin,), daemon=True)
            self._feeder.start()
        elif stdin:
            self._feed(stdin)

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

    def write(self, data: bytes) -> None:
        """Give it something to read. If it has ended, `read` says so."""
        pipe, left = _pipe(self._process.stdin), memoryview(data)
        with suppress(OSError):
            while left:
                left = left[pipe.write(left) :]

    def read(self) -> bytes:
        """The next bytes of its output; none once it has ended well.

        Raises:
            GitFailed: it has ended, and not well. So whoever gets no bytes has seen all there are.
        """
        self._errors.start()
        with self._silence:
            if (piece := self._next()) or self._process.wait() == 0:
                return piece
        raise GitFailed(self._process.returncode, self._errors.text(), self.name)

    def everything(self) -> bytes:
        """All of its output, which is short.

        Raises:
            GitFailed: it has ended, and not well, or prints without end.
        """
        found = bytearray()
        while piece := self.read():
            found += piece
            if len(found) > MOST_OUTPUT:
                raise GitUnexpected(found)
        return bytes(found)

    def _feed(self, data: bytes) -> None:
        """Write all of its standard input, beside the build if a pipe may not hold that."""
        self.write(data)
        with suppress(OSError):
            _pipe(self._process.stdin).close()

    def _next(self) -> bytes:
        """Bytes as soon as there are any, or none at the end."""
        if self._written is None:
            return _pipe(self._process.stdout).read(CHUNK)
        while True:
            ended = self._process.poll() is not None
            piece = os.pread(self._written.fileno(), CHUNK, self._seen)
            self._seen += len(piece)
            if piece or ended:
                return piece
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_POLL)

    def stop(self) -> None:
        """Kill it if it still runs, and wait until it is gone."""
        atexit.unregister(self.stop)
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._silence.stop()
        self._errors.stop()
        if self._feeder:
            self._feeder.join(_GRACE)
        elif self._process.stdin:
            self._process.stdin.close()
        if output := self._written or self._process.stdout:
            output.close()

    @property
    def ended(self) -> bool:
        """Whether the process is gone."""
        return self._process.returncode is not None


@dataclass(frozen=True, slots=True)
class Git:
    """The git program, in one folder.

    Attributes:
        top: where it runs: the top folder of a work tree.
    """

    top: Path

    def start(
        self, *arguments: str | bytes, stdin: bytes | None = b"", ahead: bool = False
    ) -> Running:
        """Start it; `stdin` and `ahead` are as in `Running`.

        Raises:
            GitMissing: the program can't be run.
        """
        command = self._command(arguments)
        name = next(argument for argument in map(os.fsdecode, arguments) if argument[:1] != "-")
        return Running(command, stdin, name=name, ahead=ahead)

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
            GitFailed: there is no network, or no right to it.
        """
        command = ["git", "-C", str(self.top), "fetch", "--quiet", "--unshallow"]
        command += ["--no-recurse-submodules", "--no-auto-maintenance"]  # that would outlive it
        environment = _environment(reach=True)
        with Running(command, b"", name="fetch", environment=environment) as running:
            running.everything()

    def output(self, *arguments: str | bytes) -> bytes:
        """All that it writes to its standard output, which is short.

        Raises:
            GitFailed: it ended with an error, can't be run, or prints without end.
        """
        with self.start(*arguments) as running:
            return running.everything()


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    """The pipe that was asked for when the process was started."""
    if pipe is None:  # never
        raise ValueError("there is no pipe")
    return pipe


def _file() -> IO[bytes] | None:
    """A file to write into and to read at any place; None where there can be none."""
    if not hasattr(os, "pread"):
        return None
    with suppress(OSError):
        if hasattr(os, "memfd_create"):  # no folder may be writable
            return os.fdopen(os.memfd_create("git"), "r+b", buffering=0)
        return tempfile.TemporaryFile()
    return None


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
