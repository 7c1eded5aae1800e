"""Run git as a process: its arguments, environment and end. Other modules parse its output."""

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
from typing import IO, Self, cast

from mkdocs_sitemap_plus.wording import MAX_VALUE, format_value

CHUNK = 1 << 18
"""How many bytes are read from git at most in one go; a pipe holds a quarter of that on Linux."""

MAX_OUTPUT = 1 << 21
"""More bytes than any output has that is read as a whole."""

SILENCE = 10.0
"""After so many seconds without output, one line in the log names the command."""

_POLL = 0.002
"""Seconds between two reads of a file that git still writes."""

_PIPE = 4096
"""Bytes that every pipe takes at once, so that writing them needs no thread."""

_MAX_ERRORS = 4096
"""Bytes of the standard error that are read from its start, and as many from its end."""

_GRACE = 1.0
"""Seconds to wait for the thread that writes the input of an ended process."""

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

_KEPT = ("GIT_CONFIG_", "GIT_EXEC_PATH", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE")
"""Variables of the user that stay: ``safe.directory`` is often set there, replaced objects are part
of what history is, and a git that was moved needs to find its programs. All other ``GIT_*`` go:
hooks and CI point them at another repository."""

_FIXED = {
    "LC_ALL": "C",  # its errors are parsed
    "GIT_FLUSH": "0",  # else each commit is one write into the pipe
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
_OFFLINE = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # the same for git before 2.44
}
_KEPT_FOR_FETCH = (*_KEPT, "GIT_ASKPASS", "GIT_HTTP_", "GIT_PROXY", "GIT_SSH", "GIT_SSL")


class GitFailed(Exception):  # noqa: N818 - a program ended, which is not a bug
    """Git ended with an error.

    Attributes:
        code: its exit status, negative for the signal that ended it; None if it never ran.
        stderr: its standard error, in English; of a long text the start and the end.
        command: the subcommand, such as ``log``.
    """

    def __init__(self, code: int | None, stderr: str, command: str = "") -> None:
        """Keep all three."""
        super().__init__(stderr)
        self.code = code
        self.stderr = stderr
        self.command = command


class GitMissing(GitFailed):
    """No git program can be run; ``stderr`` is empty, or says why it can't be run."""


class GitBrokeOff(GitFailed):
    """Git ended without an error, but its output lacks its end. What it printed is right."""

    def __init__(self) -> None:
        """Set a text for messages."""
        super().__init__(0, "git ended in the middle of its output")


class GitUnexpected(GitFailed):
    """Git printed what git never prints, so nothing of this output is used."""

    def __init__(self, printed: bytes | bytearray) -> None:
        """Set a text for messages, with the start of the output."""
        start = format_value(printed[:MAX_VALUE].decode("utf-8", "replace"))
        what = f"something unexpected: {start}" if printed else "nothing"
        super().__init__(0, f"git printed {what}")


class Running:
    """A git process whose output is read. Leaving the context ends it, whatever its state."""

    def __init__(
        self,
        command: list[str],
        stdin: bytes | None,
        *,
        name: str,
        prefetch: bool = False,
        environment: dict[str, str] | None = None,
    ) -> None:
        """Start it.

        Args:
            command: the program and its arguments.
            stdin: its whole standard input; None: what `write` is given.
            name: the subcommand, for messages.
            prefetch: let it write into a file, so that it runs to its end even if its output is not
                read yet. Where there can be no such file, it waits when its pipe is full.
            environment: its variables; None: those for reading a repository.

        Raises:
            GitMissing: the program can't be run.
        """
        # Windows has no `pread`, so the file could not be read while git writes it.
        self._stdout = _file() if prefetch and hasattr(os, "pread") else None
        self._stderr = _file()
        self._position = 0
        self._name = name
        try:
            self._process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.DEVNULL if stdin == b"" else subprocess.PIPE,
                stdout=self._stdout or subprocess.PIPE,
                stderr=self._stderr or subprocess.DEVNULL,
                env=environment or _environment(_KEPT, _FIXED | _OFFLINE),
            )
        except OSError as error:
            self._close_files()
            why = "" if isinstance(error, FileNotFoundError) else error.strerror or ""
            raise GitMissing(None, why, name) from error
        atexit.register(self.stop)  # `sys.exit` in a hook would leave the process behind
        self._waiting_since: float | None = None
        self._stopped = Event()
        self._watcher: Thread | None = None
        self._feeder: Thread | None = None
        if stdin and len(stdin) > _PIPE:  # git may wait for its output to be read first
            self._feeder = Thread(target=self._feed, args=(stdin,), daemon=True)
            self._feeder.start()
        elif stdin:
            self._feed(stdin)

    def __enter__(self) -> Self:
        """Return the process."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.stop()

    def write(self, data: bytes) -> None:
        """Write to its standard input. If it has ended, the next `read` raises."""
        pipe, left = cast("IO[bytes]", self._process.stdin), memoryview(data)
        with suppress(OSError):
            while left:
                left = left[pipe.write(left) :]

    def read(self) -> bytes:
        """Return the next bytes of its output; none if it ended without an error.

        Raises:
            GitFailed: it ended with an error. So an empty result means that the output is complete.
        """
        self._waiting_since = time.monotonic()
        # The thread starts with the first read: Python warns of a fork in a process with threads,
        # and while git is only prefetched, the build should not be such a process.
        if self._watcher is None:
            self._watcher = Thread(target=self._report_silence, daemon=True)
            self._watcher.start()
        piece = self._next()
        ended_well = bool(piece) or self._process.wait() == 0
        self._waiting_since = None
        if ended_well:
            return piece
        raise GitFailed(self._process.returncode, self._error_text(), self._name)

    def read_all(self) -> bytes:
        """Return all of its output, which is short.

        Raises:
            GitFailed: it ended with an error, or prints without end.
        """
        found = bytearray()
        while piece := self.read():
            found += piece
            if len(found) > MAX_OUTPUT:
                raise GitUnexpected(found)
        return bytes(found)

    def stop(self) -> None:
        """Kill it if it still runs, and wait until it is gone. A second call does nothing."""
        atexit.unregister(self.stop)
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._stopped.set()
        if self._watcher:
            self._watcher.join()
        if self._feeder:
            self._feeder.join(_GRACE)
        elif self._process.stdin:
            self._process.stdin.close()
        self._close_files()
        if self._process.stdout:
            self._process.stdout.close()

    def _report_silence(self) -> None:
        """Log one line if one read takes longer than `SILENCE`."""
        left = SILENCE
        while not self._stopped.wait(left):
            since = self._waiting_since
            left = SILENCE if since is None else since + SILENCE - time.monotonic()
            if left <= 0:
                message = "git %s has not answered for %g seconds; waiting for it."
                _log.info(message, self._name, SILENCE)
                return

    def _feed(self, data: bytes) -> None:
        self.write(data)
        with suppress(OSError):
            cast("IO[bytes]", self._process.stdin).close()

    def _next(self) -> bytes:
        """Return bytes as soon as there are any, or none at the end."""
        if self._stdout is None:
            return cast("IO[bytes]", self._process.stdout).read(CHUNK)
        while True:
            ended = self._process.poll() is not None  # asked first: what it wrote is then complete
            piece = os.pread(self._stdout.fileno(), CHUNK, self._position)
            self._position += len(piece)
            if piece or ended:
                return piece
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_POLL)

    def _error_text(self) -> str:
        """Return the start and the end of what an ended process wrote to its standard error."""
        if self._stderr is None:
            return ""
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(0)
        start = self._stderr.read(_MAX_ERRORS)
        self._stderr.seek(max(len(start), size - _MAX_ERRORS))
        return (start + self._stderr.read(_MAX_ERRORS)).decode("utf-8", "replace")

    def _close_files(self) -> None:
        for file in (self._stdout, self._stderr):
            if file:
                file.close()


@dataclass(frozen=True, slots=True)
class Git:
    """The git program, in one folder.

    Attributes:
        top: where it runs: the top folder of a work tree.
    """

    top: Path

    def start(
        self, *arguments: str | bytes, stdin: bytes | None = b"", prefetch: bool = False
    ) -> Running:
        """Start it; `stdin` and `prefetch` are as in `Running`.

        Raises:
            GitMissing: the program can't be run.
        """
        settings = (part for setting in _SETTINGS for part in ("-c", setting))
        words = [os.fsdecode(argument) for argument in arguments]
        command = ["git", "-C", str(self.top), "--no-pager", "--literal-pathspecs", *settings]
        name = next(word for word in words if not word.startswith("-"))
        return Running([*command, *words], stdin, name=name, prefetch=prefetch)

    def output(self, *arguments: str | bytes) -> bytes:
        """Return all that it prints, which is short.

        Raises:
            GitFailed: it ended with an error, can't be run, or prints without end.
        """
        with self.start(*arguments) as running:
            return running.read_all()

    def fetch_history(self) -> None:
        """Fetch what a shallow clone lacks: plain, since a filter would leave a partial clone.

        The one call that reaches the network and runs what the configuration names: the owner
        asked for it.

        Raises:
            GitFailed: there is no network, or no right to it.
        """
        command = ["git", "-C", str(self.top), "fetch", "--quiet", "--unshallow"]
        command += ["--no-recurse-submodules", "--no-auto-maintenance"]  # that would outlive it
        environment = _environment(_KEPT_FOR_FETCH, _FIXED)
        with Running(command, b"", name="fetch", environment=environment) as running:
            running.read_all()


def _file() -> IO[bytes] | None:
    """Return a new file without a name; None where there can be none."""
    with suppress(OSError):
        if hasattr(os, "memfd_create"):  # no folder may be writable
            return os.fdopen(os.memfd_create("git"), "r+b", buffering=0)
        return tempfile.TemporaryFile(buffering=0)
    return None


def _environment(kept: tuple[str, ...], fixed: dict[str, str]) -> dict[str, str]:
    """Return the variables of the build without ``GIT_*`` but `kept`, and with `fixed`."""
    variables = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(kept)
    }
    return variables | fixed
