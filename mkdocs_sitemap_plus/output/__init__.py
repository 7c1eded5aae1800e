"""Write files so that all are complete and fit together, even if the process is killed."""

import gzip
import os
import shutil
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from errno import EISDIR
from gzip import GzipFile
from hashlib import file_digest
from pathlib import Path

from mkdocs_sitemap_plus.files import Unreadable, exists, is_file, read_file
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap import MAX_BYTES
from mkdocs_sitemap_plus.sitemap.split import SitemapFile, index_name, is_part, listed_names

if sys.platform != "win32":
    import fcntl

_PIECE = 1 << 16
_GZIP_HEAD = b"\x1f\x8b\x08\x00" + bytes(4)
"""The first bytes of an archive without a name and a time, as ours are (RFC 1952 2.3)."""


def write_files(folder: Path, files: Iterable[SitemapFile], filename: str) -> tuple[str, ...]:
    """Write `files` into `folder`, each with a ``.gz``, and return the names of all of them.

    1. All new files are written under temporary names. 2. The old ``.gz`` are removed. 3. The new
    files get their names, then the new ``.gz``. 4. Files that only an earlier build wrote are
    removed. So whenever the process is killed, each file is complete, each ``.gz`` matches its
    file, and an index lists only files that exist.

    `files` has each file before the index that lists it. `filename` is the name of the sitemap,
    which is returned first, before that of its ``.gz``. Raises SitemapError if a file can't be
    written. Files that are not yet replaced stay as they were, but their ``.gz`` may be removed.
    """
    with ExitStack() as stack:
        new: dict[Path, Path] = {}
        for file in files:
            with _sitemap_error_for(file.name):
                folder.mkdir(parents=True, exist_ok=True)
                plain, packed = folder / file.name, folder / f"{file.name}.gz"
                new[plain] = stack.enter_context(_temporary(plain))
                new[packed] = stack.enter_context(_temporary(packed))
                with new[plain].open("xb") as text, _new_archive(new[packed]) as archive:
                    for piece in file.pieces:
                        text.write(piece)
                        archive.write(piece)
        with _sitemap_error_for(filename):
            stack.enter_context(_locked(folder))
            old = own_files(folder, filename) - {path.name for path in new}
        _rename_all(new)
        with _sitemap_error_for(filename):
            _remove(folder, filename, old)
    first = (filename, f"{filename}.gz")
    return (*first, *(path.name for path in new if path.name not in first))


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let only one build at a time rename and remove files in a folder; on POSIX only.

    If a process is killed, the system frees its lock.
    """
    if sys.platform == "win32":
        yield
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some file systems have no locks
            fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def _rename_all(new: Mapping[Path, Path]) -> None:
    """Rename each value of `new` to its key. Nothing changes if one of the keys is a folder."""
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


def own_files(folder: Path, filename: str) -> set[str]:
    """Return the names of the index beside a sitemap and of the parts that we wrote earlier.

    A file of the site's owner may have such a name, but it has no ``.gz`` like ours.
    """
    names = {index_name(filename)}
    for index in (filename, index_name(filename)):
        with suppress(Unreadable):
            listed = listed_names(read_file(folder / index, MAX_BYTES))
            names.update(name for name in listed if is_part(name, filename))
    return {name for name in names if _is_ours(folder / name, folder / f"{name}.gz")}


def _is_ours(plain: Path, packed: Path) -> bool:
    """Return whether the archive `packed` matches `plain`, and begins like ours."""
    if not _matches(plain, packed):
        return False
    with packed.open("rb") as file:
        return file.read(len(_GZIP_HEAD)) == _GZIP_HEAD


def _remove(folder: Path, filename: str, names: Iterable[str]) -> None:
    """Remove files of the sitemap `filename` with their ``.gz``, an index before what it lists."""
    ranks = {index_name(filename): 0, filename: 1}
    for name in sorted(names, key=lambda name: (ranks.get(name, 2), name)):
        (folder / f"{name}.gz").unlink(missing_ok=True)
        (folder / name).unlink(missing_ok=True)


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, also if the process is killed; or raise SitemapError."""
    with _sitemap_error_for(path.name):
        _write(path, data)


def _write(path: Path, data: bytes) -> None:
    """Do what `write_file` does; but raise OSError."""
    with _temporary(path) as new:
        new.write_bytes(data)
        if exists(path):
            shutil.copymode(path, new)
        new.replace(path)


def write_if_missing(folder: Path, name: str, content: bytes) -> None:
    """Write a file as `write_file` does, unless a file of that name exists."""
    with _sitemap_error_for(name):
        folder.mkdir(parents=True, exist_ok=True)
        if not exists(folder / name):
            _write(folder / name, content)


def write_if_changed(path: Path, data: bytes) -> None:
    """Write a file, unless it has these bytes. A new file would make ``serve`` build again.

    Raises OSError if the file can't be written; the old one stays as it was.
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
    """Write or remove the ``.gz`` of a file so that it matches; return whether that was needed."""
    plain, packed = folder / name, folder / f"{name}.gz"
    with _sitemap_error_for(packed.name):
        if _matches(plain, packed) or not (exists(plain) or exists(packed)):
            return False
        packed.unlink(missing_ok=True)
        if exists(plain):
            with _temporary(packed) as new_packed:
                with plain.open("rb") as text, _new_archive(new_packed) as archive:
                    shutil.copyfileobj(text, archive)
                new_packed.replace(packed)
    return True


def _matches(plain: Path, packed: Path) -> bool:
    """Return whether both files exist, and the archive has the content of the other one."""
    if not is_file(plain) or not is_file(packed):
        return False
    try:
        with plain.open("rb") as text, gzip.open(packed) as archive:
            while piece := text.read(_PIECE):
                if archive.read(len(piece)) != piece:
                    return False
            return not archive.read(1)
    except (EOFError, gzip.BadGzipFile, zlib.error):
        return False


def remove_files(folder: Path, filename: str) -> None:
    """Remove a sitemap with its ``.gz`` and all parts. Raises SitemapError if that fails."""
    with _sitemap_error_for(filename):
        _remove(folder, filename, {filename, *own_files(folder, filename)})


def remove_split_files(folder: Path, filename: str) -> None:
    """Remove an index of an earlier build, then its parts.

    MkDocs would remove them in any order. A kill could then leave an index of missing files.
    """
    for name in (index_name(filename), filename):
        with suppress(SitemapError, Unreadable):
            is_index = any(listed_names(read_file(folder / name, MAX_BYTES)))
            if is_index and _is_ours(folder / name, folder / f"{name}.gz"):
                remove_files(folder, filename)
                return


@contextmanager
def _sitemap_error_for(name: str) -> Iterator[None]:
    """Raise an error of the file system as a SitemapError that names the file."""
    try:
        yield
    except OSError as error:
        problem = Problem(
            code="write",
            place=Place(origin=Origin.PLUGIN, file=name),
            found=f"it can't be written ({error.strerror or os.fspath(error.filename)})",
            done="The file of an earlier build stays as it was.",
        )
        raise SitemapError(problem) from error


@contextmanager
def _temporary(path: Path) -> Iterator[Path]:
    """Give a temporary path in the folder of `path`. At the end, a file of that name is removed.

    MkDocs removes a file that a killed build left, since its name does not begin with a dot.
    """
    new = path.with_name(f"{path.name}.{os.urandom(8).hex()}.tmp")
    try:
        yield new
    finally:
        with suppress(OSError):  # the first error is the one to report
            new.unlink(missing_ok=True)


@contextmanager
def _new_archive(path: Path) -> Iterator[GzipFile]:
    """Give a new archive without name and time, so that equal content gives equal bytes."""
    with path.open("xb") as raw, GzipFile("", mode="wb", fileobj=raw, mtime=0) as archive:
        yield archive
