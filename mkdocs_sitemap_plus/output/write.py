"""Write files whole, in an order that stays right whenever the process is killed."""

import gzip
import os
import secrets
import shutil
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from errno import EISDIR
from gzip import GzipFile
from hashlib import file_digest
from itertools import zip_longest
from pathlib import Path
from typing import IO, BinaryIO

from mkdocs_sitemap_plus.files import Unreadable, exists, is_file, read_file
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.limits import MAX_BYTES
from mkdocs_sitemap_plus.sitemap.split import SitemapFile, index_name, is_part, listed_names

_PIECE = 1 << 16
_GZIP_HEAD = b"\x1f\x8b\x08\x00" + bytes(4)
"""The first bytes of an archive without a name and a time, as ours are (RFC 1952 2.3)."""


def write_files(folder: Path, files: Iterable[SitemapFile], filename: str) -> tuple[str, ...]:
    """Write `files` into `folder`, each with a ``.gz``, and return the names of all of them.

    First, all new files are written under temporary names. Then the old ``.gz`` are removed, the
    new files get their names in order, then the new ``.gz``, and last the files that only an
    earlier build wrote are removed. So whenever the process is killed, each file is complete, each
    ``.gz`` holds its file, and an index lists only files that exist.

    Args:
        folder: of the built site; made if it is not there.
        files: each before the index that lists it.
        filename: of the sitemap, which the names of all others are derived from.

    Returns:
        The sitemap and its ``.gz`` first, then the others.

    Raises:
        SitemapError: a file can't be written; files that are not yet replaced stay as they were.
    """
    with ExitStack() as stack:
        new: dict[Path, Path] = {}
        for file in files:
            with _naming(file.name):
                folder.mkdir(parents=True, exist_ok=True)
                plain, packed = folder / file.name, folder / f"{file.name}.gz"
                new[plain] = stack.enter_context(_beside(plain))
                new[packed] = stack.enter_context(_beside(packed))
                _fill(new[plain], new[packed], file.pieces)
        with _naming(filename):
            old = _left_by_earlier(folder, filename) - {path.name for path in new}
        _replace(new)
        with _naming(filename):
            _remove(folder, sorted(old, key=lambda name: (name != index_name(filename), name)))
    own = (filename, f"{filename}.gz")
    return (*own, *(path.name for path in new if path.name not in own))


def _replace(new: Mapping[Path, Path]) -> None:
    """Give the new files their names; a folder of such a name is found before anything changes."""
    packed = [path for path in new if path.suffix == ".gz"]
    for path in new:
        with _naming(path.name):
            if path.is_dir():
                raise IsADirectoryError(EISDIR, os.strerror(EISDIR), path)
    for path in packed:
        with _naming(path.name.removesuffix(".gz")):
            path.unlink(missing_ok=True)
    for path in (*(path for path in new if path.suffix != ".gz"), *packed):
        with _naming(path.name.removesuffix(".gz")):
            new[path].replace(path)


def _left_by_earlier(folder: Path, filename: str) -> set[str]:
    """Return the names of files that only an earlier build of ours can have written.

    They are the index beside the sitemap, and parts that an index lists. A file of the site's owner
    may have such a name, but it has no ``.gz`` like ours.
    """
    beside = index_name(filename)
    listed = {
        name
        for index in (filename, beside)
        for name in listed_names(_content(folder / index))
        if is_part(name, filename)
    }
    return {name for name in (*listed, beside) if _ours(folder / name)}


def _content(index: Path) -> bytes:
    """Return what an index of an earlier build holds; nothing if it can't be one."""
    try:
        return read_file(index, MAX_BYTES)
    except Unreadable:
        return b""


def _ours(plain: Path) -> bool:
    packed = plain.with_name(f"{plain.name}.gz")
    if not _same(plain, packed):
        return False
    with packed.open("rb") as file:
        return file.read(len(_GZIP_HEAD)) == _GZIP_HEAD


def _remove(folder: Path, names: Iterable[str]) -> None:
    for name in names:
        (folder / f"{name}.gz").unlink(missing_ok=True)
        (folder / name).unlink(missing_ok=True)


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole: whenever the process is killed, it is the old file or the new one.

    Raises:
        SitemapError: the file can't be written.
    """
    with _naming(path.name), _beside(path) as new:
        new.write_bytes(data)
        new.replace(path)


def write_beside(folder: Path, name: str, content: bytes) -> None:
    """Write a file that the sitemap needs; a file of that name that exists is kept.

    Raises:
        SitemapError: the file can't be written.
    """
    with _naming(name):
        folder.mkdir(parents=True, exist_ok=True)
        there = exists(folder / name)
    if not there:
        write_file(folder / name, content)


def write_if_changed(path: Path, data: bytes) -> None:
    """Write a file whole, unless it has these bytes: ``serve`` rebuilds when a file changes.

    Raises:
        OSError: the file can't be written; the old one stays as it was.
    """
    if is_file(path) and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with _beside(path) as new:
        new.write_bytes(data)
        new.replace(path)


def fingerprint(folder: Path, name: str) -> bytes | None:
    """Return a hash that tells a file from an edited one; None if there is no file."""
    if not is_file(folder / name):
        return None
    with (folder / name).open("rb") as file:
        return file_digest(file, "sha256").digest()


def repack(folder: Path, name: str) -> bool:
    """Write or remove the ``.gz`` of a file that somebody changed or removed.

    Returns:
        Whether the ``.gz`` had to be changed.

    Raises:
        SitemapError: the file can't be written.
    """
    plain, packed = folder / name, folder / f"{name}.gz"
    with _naming(packed.name):
        if _same(plain, packed):
            return False
        packed.unlink(missing_ok=True)
        if exists(plain):
            with _beside(packed) as new_packed:
                with plain.open("rb") as text, new_packed.open("xb") as raw, _gzip(raw) as archive:
                    shutil.copyfileobj(text, archive)
                new_packed.replace(packed)
    return True


def _same(plain: Path, packed: Path) -> bool:
    """Return whether the archive holds the file."""
    if not is_file(plain) or not is_file(packed):
        return False
    try:
        with plain.open("rb") as text, gzip.open(packed) as archive:
            pieces = zip_longest(_pieces(text), _pieces(archive))
            return all(one == other for one, other in pieces)
    except (EOFError, gzip.BadGzipFile, zlib.error):
        return False


def _pieces(file: IO[bytes] | GzipFile) -> Iterator[bytes]:
    return iter(lambda: file.read(_PIECE), b"")


def remove_files(folder: Path, filename: str) -> None:
    """Remove the sitemap of an earlier build, with its ``.gz`` and all parts.

    Raises:
        SitemapError: a file can't be removed.
    """
    with _naming(filename):
        old = _left_by_earlier(folder, filename)
        first = [name for name in (index_name(filename), filename) if name in {*old, filename}]
        _remove(folder, dict.fromkeys([*first, *sorted(old)]))


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Raise an error of the file system as a SitemapError that names the file."""
    try:
        yield
    except OSError as error:
        raise SitemapError(_unwritable(name, error)) from error


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """Give a temporary name beside `path`; a file of that name is removed at the end.

    It is not a dotfile: MkDocs removes what a killed build left behind, but not dotfiles.
    """
    new = path.with_name(f"{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        yield new
    finally:
        with suppress(OSError):  # the first error says more
            new.unlink(missing_ok=True)


def _fill(plain: Path, packed: Path, pieces: Iterable[bytes | bytearray]) -> None:
    """Write both files in one pass; the archive has no name and no time, so it is reproducible."""
    with plain.open("xb") as text, packed.open("xb") as raw, _gzip(raw) as archive:
        for piece in pieces:
            text.write(piece)
            archive.write(piece)


def _gzip(raw: BinaryIO) -> GzipFile:
    return GzipFile(filename="", mode="wb", fileobj=raw, mtime=0)


def _unwritable(name: str, error: OSError) -> Problem:
    return Problem(
        code="write",
        place=Place(origin=Origin.PLUGIN, file=name),
        found=f"it can't be written ({error.strerror or os.fspath(error.filename)})",
        done="The file of an earlier build stays as it was.",
    )
