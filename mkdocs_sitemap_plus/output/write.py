"""Files to disk: each one whole, in an order that no kill can break."""

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
"""Of an archive without a name and a time, as ours are (RFC 1952 2.3)."""


def write_files(folder: Path, files: Iterable[SitemapFile], filename: str) -> tuple[str, ...]:
    """Write `files` into `folder`, each with a ``.gz``; returns the names of all of them.

    All are first written whole beside their places, one after the other. Then the old ``.gz`` go,
    the new files come in their order, then the new ``.gz``, and at last what an earlier build left
    of ours goes: whenever this is killed, no file is torn, no ``.gz`` differs from its file, and an
    index names files that are there.

    Args:
        folder: of the built site; made if it is not there.
        files: each before the index that lists it.
        filename: of the sitemap, which the names of all others are derived from.

    Returns:
        The sitemap and its ``.gz`` first, then the others.

    Raises:
        SitemapError: the folder or the disk does not let us; what is not yet replaced is as it was.
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
    """Put what was written beside its places there; a folder in the way is found beforehand."""
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
    """Names of files that only an earlier build of ours can have left there.

    The index beside the sitemap, and parts that an index of ours lists. A file of the site's owner
    may have such a name, but not a ``.gz`` beside it as we make it.
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
    """Write a file whole: it is the old one or the new one, whenever this is killed.

    Raises:
        SitemapError: the folder or the disk does not let us.
    """
    with _naming(path.name), _beside(path) as new:
        new.write_bytes(data)
        new.replace(path)


def write_beside(folder: Path, name: str, content: bytes) -> None:
    """Write a file that the sitemap goes with, unless one of that name is there: it is kept.

    Raises:
        SitemapError: the folder or the disk does not let us.
    """
    with _naming(name):
        folder.mkdir(parents=True, exist_ok=True)
        there = exists(folder / name)
    if not there:
        write_file(folder / name, content)


def write_if_changed(path: Path, data: bytes) -> None:
    """Write a file whole, unless it is so already: ``serve`` builds for whatever changes.

    Raises:
        OSError: the folder or the disk does not let us; the old file is then as it was.
    """
    if is_file(path) and path.read_bytes() == data:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with _beside(path) as new:
        new.write_bytes(data)
        new.replace(path)


def fingerprint(folder: Path, name: str) -> bytes | None:
    """What tells a file from an edited one; None if it is not there."""
    if not is_file(folder / name):
        return None
    with (folder / name).open("rb") as file:
        return file_digest(file, "sha256").digest()


def repack(folder: Path, name: str) -> bool:
    """Make the ``.gz`` follow a file that somebody changed or took away; whether that was so.

    Raises:
        SitemapError: the folder or the disk does not let us.
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
    """Whether the archive holds the file."""
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
    """Take the sitemap of an earlier build away, with its ``.gz`` and all parts.

    Raises:
        SitemapError: the folder does not let us.
    """
    with _naming(filename):
        old = _left_by_earlier(folder, filename)
        first = [name for name in (index_name(filename), filename) if name in {*old, filename}]
        _remove(folder, dict.fromkeys([*first, *sorted(old)]))


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """An error of the file system becomes one that names the file."""
    try:
        yield
    except OSError as error:
        raise SitemapError(_unwritable(name, error)) from error


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A new name beside `path`, which is gone at the end.

    Not a dot file: MkDocs sweeps what a killed build left behind, but for those.
    """
    new = path.with_name(f"{path.name}.{secrets.token_hex(8)}.tmp")
    try:
        yield new
    finally:
        with suppress(OSError):  # the error that brought us here says more
            new.unlink(missing_ok=True)


def _fill(plain: Path, packed: Path, pieces: Iterable[bytes | bytearray]) -> None:
    """Both files in one pass. The gzip header has no name and no time: equal bytes stay equal."""
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
