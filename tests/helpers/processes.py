"""The processes of this machine, on Linux."""

import os
from contextlib import suppress
from pathlib import Path

HAS_PROC = Path("/proc/self/fd").exists()
"""Whether this system shows its processes as files."""


def child_processes(parent: int | None = None) -> set[int]:
    """The ids of the child processes of a process (of this one), ended or not, until waited for.

    All processes are asked for their parent. A list of children is kept with each thread, and a
    thread may end between two looks.
    """
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):  # one that has ended is none
            fields = process.joinpath("stat").read_text("utf-8", "replace").rpartition(")")[2]
            if int(fields.split()[1]) == (parent or os.getpid()):
                found.add(int(process.name))
    return found
