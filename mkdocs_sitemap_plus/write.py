"""Files to disk: each one whole, in an order that no kill can break."""

import gzip
import os
import secrets
import shutil
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from gzip import GzipFile
from hashlib import file_digest
from itertools import zip_longest
from pathlib import Path
from typing import IO, BinaryIO

from mkdocs_sitemap_plus.errors import SitemapError
from mkdocs_sitemap_plus.evidence import Place, Problem, Voice

_PIECE = 1 << 16


def write_sitemap(folder: Path, name: str, pieces: Iterable[bytes]) -> tuple[str, ...]:
    """Write `name` and `name`.gz into `folder`; returns their names.

    Both are first written whole beside their places. Then the old ``.gz`` goes, the new file
    comes, and at last the new ``.gz``: whenever this is killed, no file is torn and no ``.gz``
    differs from its file.

    Raises:
        SitemapError: the folder or the disk does not let us; the old file is then as it was.
    """
    plain, packed = folder / name, folder / f"{name}.gz"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _beside(plain) as new_plain, _beside(packed) as new_packed:
            _fill(new_plain, new_packed, pieces)
            packed.unlink(missing_ok=True)
            new_plain.replace(plain)
            new_packed.replace(packed)
    except OSError as error:
        raise SitemapError(_unwritable(name, error)) from error
    return plain.name, packed.name


def fingerprint(folder: Path, name: str) -> bytes | None:
    """What tells a file from an edited one; None if it is not there."""
    try:
        with (folder / name).open("rb") as file:
            return file_digest(file, "sha256").digest()
    except FileNotFoundError:
        return None


def repack(folder: Path, name: str) -> bool:
    """Make the ``.gz`` follow a file that somebody changed or took away; whether that was so.

    Raises:
        SitemapError: the folder or the disk does not let us.
    """
    plain, packed = folder / name, folder / f"{name}.gz"
    try:
        if _same(plain, packed):
            return False
        packed.unlink(missing_ok=True)
        if plain.exists():
            with _beside(packed) as new_packed:
                with plain.open("rb") as text, new_packed.open("xb") as raw, _gzip(raw) as archive:
                    shutil.copyfileobj(text, archive)
                new_packed.replace(packed)
    except OSError as error:
        raise SitemapError(_unwritable(packed.name, error)) from error
    return True


def _same(plain: Path, packed: Path) -> bool:
    """Whether the archive holds the file."""
    try:
        with plain.open("rb") as text, gzip.open(packed) as archive:
            pieces = zip_longest(_pieces(text), _pieces(archive))
            return all(one == other for one, other in pieces)
    except (EOFError, gzip.BadGzipFile, zlib.error, FileNotFoundError):
        return False


def _pieces(file: IO[bytes] | GzipFile) -> Iterator[bytes]:
    return iter(lambda: file.read(_PIECE), b"")


def remove_sitemap(folder: Path, name: str) -> None:
    """Take `name` and its ``.gz`` away, where they are.

    Raises:
        SitemapError: the folder does not let us.
    """
    try:
        for each in (f"{name}.gz", name):
            (folder / each).unlink(missing_ok=True)
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


def _fill(plain: Path, packed: Path, pieces: Iterable[bytes]) -> None:
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
        place=Place(voice=Voice.PLUGIN, file=name),
        found=f"it can't be written ({error.strerror or os.fspath(error.filename)})",
        done="the file of an earlier build is left as it was",
    )
