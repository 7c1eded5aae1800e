"""Let only one build at a time rename and remove files in a folder."""

import logging
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mkdocs_sitemap_plus.wording import format_value

if sys.platform != "win32":
    import fcntl

LIMIT = 10.0  # seconds to wait for another build. It needs less than one, unless it is stopped
_NAME = "sitemap-plus.lock.tmp"  # MkDocs removes a file that a killed build left
_PAUSE = 0.02

_log = logging.getLogger("mkdocs_sitemap_plus")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Wait until no other build is in this context with the same folder; on POSIX only.

    The lock is on a file of our own, since ``flock site mkdocs build`` holds the folder itself. If
    a process is killed, the system frees its lock. After `LIMIT` seconds the build goes on without
    a lock, and says so: each file is still whole, but the files may be those of two builds.
    """
    descriptor = None
    with suppress(OSError):  # some file systems have no locks
        descriptor = _lock(folder / _NAME)
    try:
        yield
    finally:
        if descriptor is not None:
            # Whoever waits for the lock of the removed file sees that, and makes a new one.
            with suppress(OSError):
                os.unlink(folder / _NAME)  # noqa: PTH108 - as below
            os.close(descriptor)


def _lock(path: Path) -> int | None:
    """Return the descriptor of a locked file; None if there are no locks, or the wait is over."""
    if sys.platform == "win32":
        return None
    end = time.monotonic() + LIMIT
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(descriptor), os.stat(path)):  # noqa: PTH116 - no `Path`
                return descriptor
        except BlockingIOError:
            if time.monotonic() > end:
                os.close(descriptor)
                message = "Another build has held the folder %s for %g seconds; not waiting for it."
                _log.info(message, format_value(path.parent.name), LIMIT)
                return None
            time.sleep(_PAUSE)
        except FileNotFoundError:  # the other build has removed the file
            pass
        except OSError:
            os.close(descriptor)
            raise
        os.close(descriptor)
