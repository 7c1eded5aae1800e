"""Tell whether a file has the content that git holds."""

from hashlib import sha1, sha256
from pathlib import Path

from mkdocs_sitemap_plus.files import Unreadable, read_file

MAX_BLOB = 1 << 28  # bytes of a file whose id is computed


def is_blob(file: Path, blob: str) -> bool:
    """Whether a file has the content of a blob.

    A checkout may have changed its line ends, or replaced a pointer of Git LFS by the file.
    """
    try:
        data = read_file(file, MAX_BLOB)
    except Unreadable:
        return False
    length = len(blob)
    return (
        blob_id(data, length) == blob
        or blob_id(data.replace(b"\r\n", b"\n"), length) == blob
        or blob_id(_lfs_pointer(data), length) == blob
    )


def blob_id(data: bytes, length: int) -> str:
    """Return the id of a blob in a repository whose ids have this length, 40 or 64."""
    digest = sha256 if length == 64 else sha1
    return digest(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()


def _lfs_pointer(data: bytes) -> bytes:
    """Return what git holds of a file that Git LFS stores (git-lfs, ``docs/spec.md``)."""
    version = b"version https://git-lfs.github.com/spec/v1"
    return b"%b\noid sha256:%b\nsize %d\n" % (version, sha256(data).hexdigest().encode(), len(data))
