"""What git would hold of a file as it lies there, and under which id.

No filter is run, since a repository can name any program as one.
"""

import os
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha1, sha256
from pathlib import Path
from stat import S_ISLNK, S_ISREG

_MAX_SIZE = 1 << 28  # bytes of a file whose id is computed


def is_annexed(link: Path) -> bool:
    """Whether a symbolic link is one of git-annex, which has the hash of the content in it.

    Its target lies in ``.git``, so HEAD does not hold it. It need not be there.
    """
    return "/.git/annex/" in f"/{link.readlink().as_posix()}"


def content_of(file: Path) -> bytes | None:
    """Return the content of a file, or of a link of git-annex; None if it can't be read."""
    with suppress(OSError, ValueError):
        status = file.lstat()
        if S_ISLNK(status.st_mode):
            if is_annexed(file):
                return os.fsencode(file.readlink())
            status = file.stat()
        if S_ISREG(status.st_mode) and status.st_size <= _MAX_SIZE:
            return file.read_bytes()
    return None


def is_blob(file: Path, blob: str) -> bool:
    """Whether a file has the content of a blob."""
    data = content_of(file)
    return data is not None and blob in blob_ids(data, len(blob))


def blob_ids(data: bytes, length: int) -> Iterator[str]:
    """Yield the ids, of 40 or 64 characters, that the blob of a file with this content may have.

    A checkout may have changed its line ends, or replaced a pointer of Git LFS by the file. The
    first id is the same whatever the line ends are.
    """
    with_lf = data.replace(b"\r\n", b"\n")
    yield _blob_id(with_lf, length)
    if with_lf != data:
        yield _blob_id(data, length)
    yield _blob_id(_lfs_pointer(data), length)


def _blob_id(data: bytes, length: int) -> str:
    digest = sha256 if length == 64 else sha1
    return digest(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()


def _lfs_pointer(data: bytes) -> bytes:
    """Return what git holds of a file that Git LFS stores (git-lfs, ``docs/spec.md``)."""
    version = b"version https://git-lfs.github.com/spec/v1"
    return b"%b\noid sha256:%b\nsize %d\n" % (version, sha256(data).hexdigest().encode(), len(data))
