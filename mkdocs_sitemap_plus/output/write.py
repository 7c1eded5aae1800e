"""Write files so that all of them are complete and fit together, even if the process is killed."""

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
from mkdocs_sitemap_plus.sitemap.entry import MAX_BYTES
from mkdocs_sitemap_plus.sitemap.split import SitemapFile, index_name, is_part, listed_names

_PIECE = 1 << 16
_GZIP_HEAD = b"\x1f\x8b\x08\x00" + bytes(4)
"""The first bytes of an archive without a name and a time, as ours are (RFC 1952 2.3)."""


def write_files(folder: Path, files: Iterable[SitemapFile], filename: str) -> tuple[str, ...]:
    """Write `files` into `folder`, each with a ``.gz``, and return the names of all of them.

    The steps are in this order: write all new files under temporary names; remove the old ``.gz``;
    give the new files their names, and then the new ``.gz``; remove the files that only an earlier
    build wrote. So whenever the process is killed, each file is complete, each ``.gz`` matches its
    file, and an index lists only files that exist.

    Args:
        folder: the folder of the built site; it is made if it does not exist.
        files: each before the index that lists it.
        filename: the name of the sitemap; the names of the other files are derived from it.

    Returns:
        The sitemap and its ``.gz`` first, then the others.

    Raises:
        SitemapError: a file can't be written; files that are not yet replaced stay as they were.
    """
    with ExitStack() as stack:
        new: dict[Path, Path] = {}
        for file in files:
            with _sitemap_error_for(file.name):
                folder.mkdir(parents=True, exist_ok=True)
                plain, packed = folder / file.name, folder / f"{file.name}.gz"
                new[plain] = stack.enter_context(_temporary(plain))
                new[packed] = stack.enter_context(_temporary(packed))
                _write_both(new[plain], new[packed], file.pieces)
        with _sitemap_error_for(filename):
            old = _old_files(folder, filename) - {path.name for path in new}
        _rename_all(new)
        with _sitemap_error_for(filename):
            _remove(folder, sorted(old, key=lambda name: (name != index_name(filename), name)))
    own = (filename, f"{filename}.gz")
    return (*own, *(path.name for path in new if path.name not in own))


def _rename_all(new: Mapping[Path, Path]) -> None:
    """Give the new files their names; nothing changes if a name is that of a folder."""
    packed = [path for path in new if path.suffix == ".gz"]
    for path in new:
        with _sitemap_error_for(path.name):
            if path.is_dir():
                raise IsADirectoryError(EISDIR, os.strerror(EISDIR), path)
    for path in packed:
        with _sitemap_error_for(path.name.removesuffix(".gz")):
            path.unlink(missing_ok=True)
    for path in (*(path for path in new if path.suffix != ".gz"), *packed):
        with _sitemap_error_for(path.name.removesuffix(".gz")):
            new[path].replace(path)


def _old_files(folder: Path, filename: str) -> set[str]:
    """Return the names of the index and of the parts that an earlier build of ours wrote.

    A file of the site's owner may have such a name, but it has no ``.gz`` like ours.
    """
    beside = index_name(filename)
    listed = {
        name
        for index in (filename, beside)
        for name in listed_names(_read_index(folder / index))
        if is_part(name, filename)
    }
    return {name for name in (*listed, beside) if _is_ours(folder / name)}


def _read_index(index: Path) -> bytes:
    """Return the bytes of an index; empty if the file is missing, unreadable or too large."""
    try:
        return read_file(index, MAX_BYTES)
    except Unreadable:
        return b""


def _is_ours(plain: Path) -> bool:
    """Return whether a file has a matching ``.gz`` with the header that this plugin writes."""
    packed = plain.with_name(f"{plain.name}.gz")
    if not _matches(plain, packed):
        return False
    with packed.open("rb") as file:
        return file.read(len(_GZIP_HEAD)) == _GZIP_HEAD


def _remove(folder: Path, names: Iterable[str]) -> None:
    for name in names:
        (folder / f"{name}.gz").unlink(missing_ok=True)
        (folder / name).unlink(missing_ok=True)


def write_file(path: Path, data: bytes) -> None:
    """Write a file; if the process is killed, it is the whole old file or the whole new one.

    Raises:
        SitemapError: the file can't be written.
    """
    with _sitemap_error_for(path.name):
        _write(path, data)


def _write(path: Path, data: bytes) -> None:
    with _temporary(path) as new:
        new.write_bytes(data)
        new.replace(path)


def write_if_missing(folder: Path, name: str, content: bytes) -> None:
    """Write a file, unless a file of that name exists.

    Raises:
        SitemapError: the file can't be written.
    """
    with _sitemap_error_for(name):
        folder.mkdir(parents=True, exist_ok=True)
        is_there = exists(folder / name)
    if not is_there:
        write_file(folder / name, content)


def write_if_changed(path: Path, data: bytes) -> None:
    """Write a file as `write_file` does, unless it has these bytes.

    ``serve`` builds the site again when a file changes.

    Raises:
        OSError: the file can't be written; the old one stays as it was.
    """
    if is_file(path) and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, data)


def fingerprint(folder: Path, name: str) -> bytes | None:
    """Return the SHA-256 hash of a file; None if there is no file."""
    if not is_file(folder / name):
        return None
    with (folder / name).open("rb") as file:
        return file_digest(file, "sha256").digest()


def repack(folder: Path, name: str) -> bool:
    """Make the ``.gz`` of a file match it, also after somebody removed the file.

    Returns:
        Whether the ``.gz`` was written or removed.

    Raises:
        SitemapError: the file can't be written.
    """
    plain, packed = folder / name, folder / f"{name}.gz"
    with _sitemap_error_for(packed.name):
        if _matches(plain, packed):
            return False
        packed.unlink(missing_ok=True)
        if exists(plain):
            with _temporary(packed) as new_packed:
                with plain.open("rb") as text, new_packed.open("xb") as raw, _gzip(raw) as archive:
                    shutil.copyfileobj(text, archive)
                new_packed.replace(packed)
    return True


def _matches(plain: Path, packed: Path) -> bool:
    """Return whether both files exist and the archive has the content of the plain one."""
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
    with _sitemap_error_for(filename):
        old = _old_files(folder, filename)
        first = [name for name in (index_name(filename), filename) if name in {*old, filename}]
        _remove(folder, dict.fromkeys([*first, *sorted(old)]))


@contextmanager
def _sitemap_error_for(name: str) -> Iterator[None]:
    """Raise an error of the file system as a SitemapError that names the file."""
    try:
        yield
    except OSError as error:
        raise SitemapError(_write_problem(name, error)) from error


@contextmanager
def _temporary(path: Path) -> Iterator[Path]:
    """Give a temporary path in the folder of `path`; a file of that name is removed at the end.

    The name has no leading dot: MkDocs then removes a file that a killed build left behind.
    """
    new = path.with_name(f"{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        yield new
    finally:
        with suppress(OSError):  # the first error is the one to report
            new.unlink(missing_ok=True)


def _write_both(plain: Path, packed: Path, pieces: Iterable[bytes | bytearray]) -> None:
    """Write both files in one pass."""
    with plain.open("xb") as text, packed.open("xb") as raw, _gzip(raw) as archive:
        for piece in pieces:
            text.write(piece)
            archive.write(piece)


def _gzip(raw: BinaryIO) -> GzipFile:
    """Return an archive without name and time: equal content gives equal bytes."""
    return GzipFile(filename="", mode="wb", fileobj=raw, mtime=0)


def _write_problem(name: str, error: OSError) -> Problem:
    return Problem(
        code="write",
        place=Place(origin=Origin.PLUGIN, file=name),
        found=f"it can't be written ({error.strerror or os.fspath(error.filename)})",
        done="The file of an earlier build stays as it was.",
    )
