"""The git program as a process: its arguments, environment and ending; nothing of what it says."""

import os
import subprocess
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Self

if TYPE_CHECKING:
    from types import TracebackType

CHUNK = 1 << 18
"""How many bytes are read from git at most in one go; a pipe holds a quarter of that on Linux."""

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

    def __init__(self, command: list[str], stdin: bytes | None) -> None:
        """Start it.

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
            try:
                self._process = subprocess.Popen(
                    command,
                    bufsize=0,
                    stdin=source,
                    stdout=subprocess.PIPE,
                    stderr=self._errors,  # a file: nobody has to empty it, so git never waits
                    env=_environment(),
                )
            except OSError as error:
                raise GitMissing(None, str(error)) from error
            self._files = files.pop_all()

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
        if (piece := self._output.read(size)) or self._process.wait() == 0:
            return piece
        self._errors.seek(0)
        raise GitFailed(self._process.returncode, self._errors.read().decode("utf-8", "replace"))

    def stop(self) -> None:
        """Kill it if it still runs, and wait until it is gone."""
        if self._process.poll() is None:
            self._process.kill()
        self._output.close()
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


@dataclass(frozen=True, slots=True)
class Git:
    """The git program, in one folder.

    Attributes:
        top: where it runs: the top folder of a work tree.
    """

    top: Path

    def start(self, *arguments: str | bytes, stdin: bytes | None = None) -> Running:
        """Start it, with ``stdin`` or nothing to read.

        Raises:
            GitMissing: the program can't be run.
        """
        settings = (part for setting in _SETTINGS for part in ("-c", setting))
        options = ["--no-pager", "--literal-pathspecs", *settings]
        given = [os.fsdecode(argument) for argument in arguments]
        return Running(["git", "-C", str(self.top), *options, *given], stdin)

    def output(self, *arguments: str | bytes, stdin: bytes | None = None) -> bytes:
        """All that it writes to its standard output.

        Raises:
            GitFailed: it ended with an error, or can't be run.
        """
        with self.start(*arguments, stdin=stdin) as running:
            return b"".join(iter(running.read, b""))


def _environment() -> dict[str, str]:
    """The environment of the build, without what would lead git astray."""
    mine = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(_KEPT)
    }
    return mine | _FIXED
