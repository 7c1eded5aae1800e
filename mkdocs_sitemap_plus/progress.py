"""Show on a terminal that long work goes on."""

import os
import shutil
import time
from threading import Event, Thread
from typing import Self, TextIO


class Progress:
    """Shows on a terminal what a build or a check does, if it takes more than a second.

    It is one line, which is written again each second and erased at the end. Nothing is written
    into a pipe, a file, or the log of a CI job. The stream is usually ``sys.stderr``.
    """

    def __init__(self, stream: TextIO, *, shown: bool = True) -> None:
        self._stream = stream
        self._activity = ""
        self._length = 0
        self._done = Event()
        is_dumb = os.environ.get("TERM") == "dumb"  # such a terminal can't replace a line
        shown = shown and stream.isatty() and not is_dumb and not os.environ.get("CI")
        self._thread = Thread(target=self._run, daemon=True) if shown else None

    def show(self, activity: str) -> None:
        """Show an activity from now on: a few words such as ``writing 12 URLs``."""
        self._activity = activity

    @property
    def is_shown(self) -> bool:
        """Whether the line is written."""
        return self._thread is not None

    def clear(self) -> None:
        """Erase the line until the next second, so that another can be printed."""
        self._write("")

    def __enter__(self) -> Self:
        """Start to count the seconds."""
        if self._thread:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Erase the line, also after an exception."""
        if self._thread:
            self._done.set()
            self._thread.join()
            self._write("")

    def _run(self) -> None:
        begin = time.monotonic()
        while not self._done.wait(1.0):
            seconds = round(time.monotonic() - begin)
            self._write(f"sitemap-plus: {self._activity} ({seconds} s)")

    def _write(self, line: str) -> None:
        """Replace the line on the terminal; a long line is cut at the width of the terminal."""
        line = line[: shutil.get_terminal_size().columns - 1]
        if line or self._length:
            rest = " " * (self._length - len(line))
            self._stream.write(f"\r{line}{rest}" if line else f"\r{rest}\r")
            self._stream.flush()
        self._length = len(line)
