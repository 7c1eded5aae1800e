"""Where output goes: into a file, through a link to the file, or into a pipe or a device.

A file is replaced as a whole. A link, a pipe and a device that a person names never are: a file in
the place of ``/dev/null`` would break the machine.
"""

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from errno import EINVAL, EISDIR
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from mkdocs_sitemap_plus.files import real_path

STDOUT = Path("-")
"""The path by which a person names the standard output."""


def target_of(path: Path, within: Path | None = None) -> Path:
    """Return the path of the file to replace: `path`, or the file that it links to.

    With `within`, the folder of a built site, what is no file and no folder is replaced, and so is
    a link out of the folder: a site may be the work of others, nothing outside of it is written,
    and a pipe in it must not hold a build. Raises OSError for anything else that is no file.
    """
    if path.is_symlink():
        real = real_path(path)
        if within and not real.is_relative_to(real_path(within)):
            return path
        path = real
    with suppress(FileNotFoundError, NotADirectoryError):
        mode = path.lstat().st_mode
        if S_ISDIR(mode):
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR), path)
        if not within and not S_ISREG(mode):
            raise OSError(EINVAL, "Not a regular file", path)
    return path


def is_stdout(path: Path) -> bool:
    """Return whether a path is that of the standard output, such as ``-`` or ``/dev/stdout``."""
    return path == STDOUT or _is_open_as(path, 1)


def is_stream(path: Path) -> bool:
    """Return whether a path is that of a pipe, a device, or an output of this process."""
    if is_stdout(path) or _is_open_as(path, 2):
        return True
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return False
    return not S_ISREG(mode) and not S_ISDIR(mode)


def write_stream(path: Path, pieces: Iterable[bytes], *, wait: bool = True) -> None:
    """Write into what `is_stream` has found.

    Without `wait`, a pipe that nobody reads is an error. Raises OSError if nothing can be written.
    """
    with os.fdopen(_descriptor(path, wait=wait), "wb") as stream:
        stream.writelines(pieces)


def _descriptor(path: Path, *, wait: bool) -> int:
    # Opening /dev/stdout again would not work for a socket, and write over the start of a file.
    for number, stream in ((1, sys.stdout), (2, sys.stderr)):
        if (number == 1 and path == STDOUT) or _is_open_as(path, number):
            stream.flush()
            return os.dup(number)
    descriptor = os.open(path, os.O_WRONLY | (0 if wait else getattr(os, "O_NONBLOCK", 0)))
    if not wait:
        os.set_blocking(descriptor, True)
    return descriptor


def _is_open_as(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except (OSError, ValueError):
        return False
