"""Write files so that all are complete and fit together, even if the process is killed."""

import gzip
import os
import shutil
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from errno import EPIPE
from gzip import GzipFile
from hashlib import file_digest
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.files import Unreadable, exists, is_file, read_file
from mkdocs_sitemap_plus.output.lock import locked
from mkdocs_sitemap_plus.output.targets import is_stream, target_of, write_stream
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap import MAX_BYTES
from mkdocs_sitemap_plus.sitemap.split import SitemapFile, index_name, is_part, listed_names

_PIECE = 1 << 16
_GZIP_HEAD = b"\x1f\x8b\x08\x00" + bytes(4)
"""The first bytes of an archive without a name and a time, as ours are (RFC 1952 2.3)."""


class _New(NamedTuple):
    """A file that is to be replaced, and the temporary file that replaces it."""

    target: Path
    temporary: Path


def write_files(
    folder: Path, files: Iterable[SitemapFile], filename: str, *, follow: bool = False
) -> tuple[str, ...]:
    """Write `files` into `folder`, each with a ``.gz``, and return the names of all of them.

    1. All new files are written under temporary names. 2. The old ``.gz`` are removed. 3. The new
    files get their names, then the new ``.gz``. 4. Files that only an earlier build wrote are
    removed. So whenever the process is killed, each file is complete, each ``.gz`` matches its
    file, and an index lists only files that exist.

    `files` has each file before the index that lists it. `filename` is the name of the sitemap,
    which is returned first, before that of its ``.gz``. Links inside of the folder stay, and with
    `follow` also those out of it: the files that they link to are replaced. Raises SitemapError if
    a file can't be written. Files that are not yet replaced stay as they were, but their ``.gz``
    may be removed.
    """
    within = None if follow else folder
    with ExitStack() as stack:
        new: dict[str, _New] = {}
        for file in files:
            with _sitemap_error_for(file.name):
                folder.mkdir(parents=True, exist_ok=True)
            for name in (file.name, f"{file.name}.gz"):
                with _sitemap_error_for(name):
                    target = target_of(folder / name, within)
                    new[name] = _New(target, stack.enter_context(_temporary(target)))
            plain, packed = (new[name].temporary for name in (file.name, f"{file.name}.gz"))
            with (
                _sitemap_error_for(file.name),
                plain.open("xb") as text,
                _new_archive(packed) as archive,
            ):
                for piece in file.pieces:
                    text.write(piece)
                    archive.write(piece)
        with _sitemap_error_for(filename):
            stack.enter_context(locked(folder))
            old = own_files(folder, filename) - new.keys()
        _rename_all(new)
        with _sitemap_error_for(filename):
            _remove(folder, filename, old)
    first = (filename, f"{filename}.gz")
    return (*first, *(name for name in new if name not in first))


def _rename_all(new: Mapping[str, _New]) -> None:
    """Replace each file. Nothing changes if there is a folder in the place of one."""
    packed = [name for name in new if name.endswith(".gz")]
    for name, (target, _) in new.items():
        with _sitemap_error_for(name):
            target_of(target, target.parent)
    for name in packed:
        with _sitemap_error_for(name.removesuffix(".gz")):
            new[name].target.unlink(missing_ok=True)
    for name in (*(name for name in new if name not in packed), *packed):
        with _sitemap_error_for(name.removesuffix(".gz")):
            new[name].temporary.replace(new[name].target)


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
    """Write a file that a person named, whole or not at all, also if the process is killed.

    If it is a pipe, a device or the standard output, write into it. Raises SitemapError.
    """
    with _sitemap_error_for(path.name):
        if is_stream(path):
            write_stream(path, (data,))
        else:
            _replace(target_of(path), data)


def write_site_file(folder: Path, name: str, data: bytes) -> None:
    """Write a file of a built site whole or not at all, and nothing outside of the site.

    Raises SitemapError.
    """
    with _sitemap_error_for(name):
        folder.mkdir(parents=True, exist_ok=True)
        _replace(target_of(folder / name, folder), data)


def _replace(path: Path, data: bytes) -> None:
    with _temporary(path) as new:
        new.write_bytes(data)
        if exists(path):
            shutil.copymode(path, new)
        new.replace(path)


def write_if_missing(folder: Path, name: str, content: bytes) -> None:
    """Write a file as `write_site_file` does, unless a file of that name exists."""
    if not exists(folder / name):
        write_site_file(folder, name, content)


def write_if_changed(path: Path, data: bytes) -> None:
    """Write a file, unless it has these bytes. A new file would make ``serve`` build again.

    Raises OSError if the file can't be written; the old one stays as it was. A pipe that nobody
    reads is such an error, since a build must not wait for a reader.
    """
    if is_stream(path):
        write_stream(path, (data,), wait=False)
    elif not is_file(path) or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(target_of(path), data)


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
        packed = target_of(packed, folder)
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
        if error.errno == EPIPE:  # whoever read our output has enough, which is no problem
            raise
        problem = Problem(
            code=Code.WRITE,
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
