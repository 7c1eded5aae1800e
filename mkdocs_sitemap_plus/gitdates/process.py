"""Run git as a process: its arguments, environment and end. Other modules parse its output."""

import atexit
import logging
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import IO, Self, cast

from .texts import MAX_VALUE, quote

if sys.platform == "linux":
    import fcntl
    import resource

SILENCE = 10.0  # seconds without output after which one line in the log names the command

_CHUNK = 1 << 18  # bytes that one read takes at most; a pipe holds a quarter of that on Linux
_MAX_OUTPUT = 1 << 21  # bytes; for more of them, `output` raises GitUnexpected
_MAX_ERRORS = 4096  # bytes that are read from the start of the standard error, and from its end
_PIPE = 4096  # bytes that every pipe can hold, so that writing them needs no thread
_POLL = 0.002  # seconds between two reads of a file that git still writes
_GRACE = 1.0  # seconds to wait for a killed process, and for the thread that writes its input
_MAX_AHEAD = 1 << 25  # bytes that git can print before they are read: about 300,000 commits

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
"""Beginnings of the ``GIT_*`` variables that are kept.

They can set ``safe.directory``, say where git's programs are, and decide which objects replace
others. All other ``GIT_*`` are removed: hooks and CI set them for another repository.
"""

_FIXED = {
    "LC_ALL": "C",  # errors in English, since they are parsed
    "GIT_FLUSH": "0",  # otherwise git writes each commit into the pipe by itself
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
}
_OFFLINE = {
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # the same for git before 2.44
}
_KEPT_FOR_FETCH = (*_KEPT, "GIT_ASKPASS", "GIT_HTTP_", "GIT_PROXY", "GIT_SSH", "GIT_SSL")


class GitFailed(Exception):  # noqa: N818 - a program ended, which is not a bug
    """Git ended with an error."""

    def __init__(self, code: int | None, stderr: str, command: str = "") -> None:
        super().__init__(stderr)
        self.code = code  # exit status; negative: the signal that ended it; None: it did not run
        self.stderr = stderr  # in English; of a long text the start and the end
        self.command = command  # such as `log`


class GitMissing(GitFailed):
    """The git program can't be run; ``stderr`` is the reason, or empty if there is no program."""


class GitBrokeOff(GitFailed):
    """Git ended without an error, but the end of its output is missing. The beginning is right."""

    def __init__(self) -> None:
        super().__init__(0, "git ended in the middle of its output")


class GitUnexpected(GitFailed):
    """Git printed something that it never prints, so nothing of this output is used."""

    def __init__(self, printed: bytes | bytearray) -> None:
        start = quote(printed[:MAX_VALUE].decode("utf-8", "replace"))
        what = f"something unexpected: {start}" if printed else "nothing"
        super().__init__(0, f"git printed {what}")


class _Leash:
    """Ends git when this process ends; on Linux only.

    SIGTERM and SIGKILL leave no time to stop git here. So git gets the reading end of a pipe, and
    this process keeps the writing end. As soon as nobody has it any more, the kernel sends SIGIO to
    the owner of the other end. This signal ends a program that does not handle it.
    """

    def __init__(self) -> None:
        self._reader, self._writer = os.pipe() if sys.platform == "linux" else (-1, -1)
        self.inherited = () if self._reader < 0 else (self._reader,)

    def fasten(self, pid: int) -> None:
        """Make a process that has inherited the reading end its owner."""
        if sys.platform == "linux":
            with suppress(OSError):  # the process may have ended
                fcntl.fcntl(self._reader, fcntl.F_SETOWN, pid)
                fcntl.fcntl(self._reader, fcntl.F_SETFL, os.O_ASYNC)

    def close(self) -> None:
        """Close the pipe, when the process has ended. A second call does nothing."""
        for end in (self._reader, self._writer):
            if end >= 0:
                os.close(end)
        self._reader = self._writer = -1


class GitProcess:
    """A process of git in the top folder of a work tree. Leaving the context ends the process."""

    def __init__(
        self,
        top: Path,
        *arguments: str | bytes,
        stdin: bytes | None = b"",
        prefetch: bool = False,
        network: bool = False,
    ) -> None:
        """Start git; raise GitMissing if the program can't be run.

        `stdin` is its whole standard input; None if `write` gives the input. With `prefetch`, git
        writes into a file. So it runs to its end even if its output is not read yet; if it is too
        long, git is run again when it is read. If no such file can be made or read, git waits when
        its pipe is full. With `network`, git may use the network, and run programs that its
        configuration names.
        """
        words = [os.fsdecode(argument) for argument in arguments]
        self._name = next(word for word in words if not word.startswith("-"))  # the subcommand
        settings = (part for setting in _SETTINGS for part in ("-c", setting))
        options = ("--no-pager", "--literal-pathspecs", *settings)
        self._command = ["git", "-C", os.fspath(top), *options, *words]
        self._stdin, self._network = stdin, network
        self._position = 0  # the number of bytes that were read from the file
        self._waiting_since: float | None = None
        self._stopped = Event()
        self._watcher: Thread | None = None
        # Windows has no `pread`, so the file could not be read while git writes it.
        self._run(_file() if prefetch and hasattr(os, "pread") else None)

    def _run(self, stdout: IO[bytes] | None) -> None:
        """Start the process, which writes into a file or into a pipe."""
        self._stdout, self._stderr = stdout, _file()
        self._feeder: Thread | None = None
        self._leash: _Leash | None = None
        try:
            self._leash = _Leash()
            self._process = subprocess.Popen(
                self._command,
                bufsize=0,
                stdin=subprocess.DEVNULL if self._stdin == b"" else subprocess.PIPE,
                stdout=self._stdout or subprocess.PIPE,
                stderr=self._stderr or subprocess.DEVNULL,
                env=_environment(network=self._network),
                pass_fds=self._leash.inherited,
            )
        except OSError as error:
            self._close_files()
            why = "" if isinstance(error, FileNotFoundError) else error.strerror or ""
            raise GitMissing(None, why, self._name) from error
        self._leash.fasten(self._process.pid)
        if self._stdout and sys.platform == "linux":
            with suppress(OSError):  # the process may have ended
                for limit, most in ((resource.RLIMIT_FSIZE, _MAX_AHEAD), (resource.RLIMIT_CORE, 0)):
                    resource.prlimit(self._process.pid, limit, (most, most))
        atexit.register(self.stop)  # `sys.exit` in a hook would leave the process behind
        if self._stdin and len(self._stdin) > _PIPE:  # git may wait for its output to be read first
            self._feeder = Thread(target=self._feed, args=(self._stdin,), daemon=True)
            self._feeder.start()
        elif self._stdin:
            self._feed(self._stdin)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def write(self, data: bytes) -> None:
        """Write to git's standard input. If git has ended, the next `read` raises GitFailed."""
        pipe, left = cast("IO[bytes]", self._process.stdin), memoryview(data)
        with suppress(OSError):
            while left:
                left = left[pipe.write(left) :]

    def read(self) -> bytes:
        """Return the next bytes of git's output; no bytes if git has printed all of it.

        Raises GitFailed if git ended with an error.
        """
        self._waiting_since = time.monotonic()
        # The thread starts with the first read, not with the prefetch: Python warns if a process
        # with threads is forked, as other plugins may do.
        if self._watcher is None:
            self._watcher = Thread(target=self._report_silence, daemon=True)
            self._watcher.start()
        piece = self._next()
        if not piece and self._stdout and self._position >= _MAX_AHEAD:
            piece = self._again()
        ended_well = bool(piece) or self._process.wait() == 0
        self._waiting_since = None
        if ended_well:
            return piece
        raise GitFailed(self._process.returncode, self._error_text(), self._name)

    def stop(self) -> None:
        """Kill git if it still runs, and wait for its end. A second call does nothing."""
        self._end()
        self._stopped.set()
        if self._watcher:
            self._watcher.join(_GRACE)

    def _end(self) -> None:
        atexit.unregister(self.stop)
        if self._process.poll() is None:
            self._process.kill()
        with suppress(subprocess.TimeoutExpired):  # a disk that does not answer holds a process
            self._process.wait(_GRACE)
        if self._feeder:
            self._feeder.join(_GRACE)
        elif self._process.stdin:
            self._process.stdin.close()
        self._close_files()
        if self._process.stdout:
            self._process.stdout.close()

    def _again(self) -> bytes:
        """Run git again, without a file, and return what follows the bytes that were read."""
        self._end()
        self._run(None)
        left = self._position
        while left and (piece := self._next()):
            rest = piece[left:]
            left -= len(piece) - len(rest)
            if rest:
                return rest
        return self._next()

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
        """Return the next bytes as soon as there are any; no bytes at the end."""
        if self._stdout is None:
            return cast("IO[bytes]", self._process.stdout).read(_CHUNK)
        while True:
            ended = self._process.poll() is not None  # if so, the file is complete before the read
            piece = os.pread(self._stdout.fileno(), _CHUNK, self._position)
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
        for file in (self._stdout, self._stderr, self._leash):
            if file:
                file.close()


def output(top: Path, *arguments: str | bytes, network: bool = False) -> bytes:
    """Return all that git prints; the arguments are those of `GitProcess`.

    Raises GitFailed if git can't be run, ended with an error, or printed too much.
    """
    found = bytearray()
    with GitProcess(top, *arguments, network=network) as process:
        while piece := process.read():
            found += piece
            if len(found) > _MAX_OUTPUT:
                raise GitUnexpected(found)
    return bytes(found)


def _environment(*, network: bool) -> dict[str, str]:
    kept, fixed = (_KEPT_FOR_FETCH, _FIXED) if network else (_KEPT, _FIXED | _OFFLINE)
    variables = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(kept)
    }
    return variables | fixed


def _file() -> IO[bytes] | None:
    """Return a new file without a name; None if no file can be made."""
    with suppress(OSError):
        if hasattr(os, "memfd_create"):  # in memory: there may be no folder that can be written
            return os.fdopen(os.memfd_create("git"), "r+b", buffering=0)
        return tempfile.TemporaryFile(buffering=0)
    return None
