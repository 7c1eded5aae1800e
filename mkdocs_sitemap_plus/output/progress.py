"""A line on a terminal that says that long work goes on."""

import os
import shutil
import time
from threading import Event, Thread
from typing import TYPE_CHECKING, Self, TextIO

if TYPE_CHECKING:
    from types import TracebackType

_SECOND = 1.0


class Progress:
    """Says what is being done, on a terminal, once it takes over a second.

    It is one line, written again each second and erased at the end. Into a pipe or a file, and in
    CI, it writes nothing.
    """

    def __init__(self, stream: TextIO) -> None:
        """Nothing is shown yet.

        Args:
            stream: where people look, usually ``sys.stderr``.
        """
        self._stream = stream
        self._doing = ""
        self._shown = 0
        self._done = Event()
        self._thread = Thread(target=self._run, daemon=True) if _is_watched(stream) else None

    def tell(self, doing: str) -> None:
        """Say what is being done from now on, in a few words."""
        self._doing = doing

    def __enter__(self) -> Self:
        """Begin to count the seconds."""
        if self._thread:
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: "TracebackType | None",
    ) -> None:
        """Erase the line, however the work ended."""
        if self._thread:
            self._done.set()
            self._thread.join()
            self._write("")

    def _run(self) -> None:
        begun = time.monotonic()
        while not self._done.wait(_SECOND):
            seconds = round(time.monotonic() - begun)
            self._write(f"sitemap-plus: {self._doing} ({seconds} s)")

    def _write(self, line: str) -> None:
        """Write over the line that is shown; a longer one than the terminal would be two."""
        line = line[: shutil.get_terminal_size().columns - 1]
        if line or self._shown:
            rest = " " * (self._shown - len(line))
            self._stream.write(f"\r{line}{rest}" if line else f"\r{rest}\r")
            self._stream.flush()
        self._shown = len(line)


def _is_watched(stream: TextIO) -> bool:
    """Whether somebody looks at it who can see a line being written over."""
    return stream.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("CI")
