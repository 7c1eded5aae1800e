"""Read the files of a site or a project, and tell which of them this package wrote.

Only regular files are opened, since a named pipe or a device could stop a build for ever. The
number of bytes has a limit. An error of the system becomes an `Unreadable` with a short reason.
"""

import os
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from errno import EISDIR
from pathlib import Path
from stat import S_ISDIR, S_ISREG

MAX_FILE = 1 << 26  # bytes of a source file or a built page: 64 MiB
STDIN = "-"  # what a person writes for the standard input
AnyPath = str | os.PathLike[str]


class Unreadable(Exception):  # noqa: N818 - the state of a file, which callers turn into a message
    """A file, or a text of it, can't be read. `reason` says why, and `line` where (1-based).

    `missing` says that there is no regular file.
    """

    def __init__(self, reason: str, *, missing: bool = False, line: int | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.missing = missing
        self.line = line


def path_from(root: AnyPath, path: AnyPath) -> str:
    """Return the path from the folder `root` to an absolute path, with ``/``."""
    path, folder = str(path), f"{root}{os.sep}"
    if path.startswith(folder):
        path = path.removeprefix(folder)
    else:
        with suppress(ValueError):  # a path on another drive stays absolute
            path = os.path.relpath(path, root)
    return path.replace(os.sep, "/")


def read_file(path: AnyPath, limit: int = MAX_FILE) -> bytes:
    """Return the content of a regular file of at most `limit` bytes; raise Unreadable."""
    data = read_start(path, limit + 1)
    if len(data) > limit:
        raise Unreadable(f"More than {limit >> 20} MiB")
    return data


def read_start(path: AnyPath, length: int) -> bytes:
    """Return at most `length` bytes from the start of a regular file; raise Unreadable."""
    try:
        status = os.stat(path)  # noqa: PTH116 - files are many
        if not S_ISREG(status.st_mode):  # a pipe could be waited for for ever
            why = os.strerror(EISDIR) if S_ISDIR(status.st_mode) else "Not a regular file"
            raise Unreadable(why, missing=True)
        with open(path, "rb") as file:  # noqa: PTH123 - files are many
            # Python makes room for as many bytes as it is asked for.
            return file.read(length if status.st_size > length else -1)
    except (OSError, ValueError) as error:
        missing = isinstance(error, (FileNotFoundError, NotADirectoryError))
        raise Unreadable(reason_of(error), missing=missing) from error


class Mark(StrEnum):
    """What a file of this package says of itself, by the kind of the file.

    Nothing else tells whose a file is. There is no version in it, so that a new release writes the
    same bytes.
    """

    SITEMAP = "<!-- Made by mkdocs-sitemap-plus -->"  # the last line of an XML file
    DATES = "mkdocs-sitemap-plus dates"  # the first key of a JSON file, ``format``
    REPORT = "mkdocs-sitemap-plus report"  # the same
    HTML_REPORT = '<meta name="generator" content="mkdocs-sitemap-plus">'


_MARKED = 4096  # bytes of a file in which its mark is
_GZIP = b"\x1f\x8b"
_BEFORE = {
    Mark.SITEMAP: rb"(?:\xef\xbb\xbf)?<\?xml\b[^>]*\?>\s*",  # the second line, in release 0.11
    Mark.DATES: rb'\s*\{\s*"format"\s*:\s*"',
    Mark.REPORT: rb'\s*\{\s*"format"\s*:\s*"',
    Mark.HTML_REPORT: rb"(?s)\s*<!doctype html>.*?",
}


def is_ours(path: AnyPath, mark: Mark) -> bool:
    """Return whether this package wrote a file of this kind: whether the file carries the mark.

    An archive of gzip is ours if what is packed in it is. What can't be read is not.
    """
    with suppress(Unreadable):
        is_at_end = mark is Mark.SITEMAP
        return carries(read_file(path) if is_at_end else read_start(path, _MARKED), mark)
    return False


def carries(data: bytes, mark: Mark) -> bool:
    """Return whether a file with these bytes carries our mark."""
    if data.startswith(_GZIP):
        with suppress(zlib.error):
            data = zlib.decompressobj(wbits=31).decompress(data, MAX_FILE)
    text = re.escape(mark.encode())
    if mark is Mark.SITEMAP and re.search(rb">\s*" + text + rb"\s*\Z", data[-_MARKED:]):
        return True
    return re.match(_BEFORE[mark] + text, data[:_MARKED]) is not None


def read_stdin(limit: int = MAX_FILE) -> bytes:
    """Return the first `limit` bytes of the standard input; with -1, all of them.

    Raises Unreadable if it is closed.
    """
    try:
        with os.fdopen(0, "rb", closefd=False) as stream:
            return stream.read(limit)
    except OSError as error:
        raise Unreadable(reason_of(error)) from error


def read_text(path: AnyPath, encoding: str = "utf-8") -> str:
    """Return the text of `read_file`, with LF at all line ends; invalid bytes are replaced."""
    text = read_file(path).decode(encoding, "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def text_or_empty(path: AnyPath) -> str:
    """Return the text of `read_text` without a byte order mark; empty if it can't be read."""
    try:
        return read_text(path, "utf-8-sig")
    except Unreadable:
        return ""


def reason_of(error: OSError | ValueError) -> str:
    """Return why the system can't open or read a file, in a few words."""
    reason = getattr(error, "strerror", None)
    return reason if isinstance(reason, str) else "No file can have this name"


# These return False for a name that is too long, and for one in a folder that can't be read. The
# methods of `Path` raise errors there.
is_file, is_folder, exists = os.path.isfile, os.path.isdir, os.path.exists


def absolute_path(path: AnyPath) -> Path:
    """Return an absolute path without ``.`` and ``..``; symbolic links are not followed."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() follows links


def real_path(path: AnyPath) -> Path:
    """Return the path with its symbolic links resolved; unchanged if they can't be resolved."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return Path(path)


def files_below(folder: Path) -> Iterator[Path]:
    """Yield all files below a folder, sorted, through symbolic links as MkDocs finds them.

    A link to a folder above itself is not followed.
    """
    for above, folders, names in os.walk(folder, followlinks=True):
        here = real_path(above)
        folders[:] = [
            name
            for name in sorted(folders)
            if not here.is_relative_to(real_path(Path(above, name)))
        ]
        yield from (Path(above, name) for name in sorted(names))


def repository_folder(folder: Path) -> Path:
    """Return the nearest folder, from `folder` upwards, with a ``.git``; `folder` if none has."""
    for parent in (folder, *folder.parents):
        if os.path.lexists(parent / ".git"):
            return parent
    return folder
