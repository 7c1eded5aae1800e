"""Read and search the files of a site or a project.

Only regular files are opened, since a named pipe or a device could stop a build for ever. The
number of bytes has a limit. An error of the system becomes an `Unreadable` with a short reason.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from errno import EISDIR
from fnmatch import fnmatchcase
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.wording import listing

MAX_FILE = 1 << 26  # bytes of a source file or a built page: 64 MiB
MAX_FOUND = 10_000  # files that one pattern can match
STDIN = "-"  # what a person writes for the standard input
AnyPath = str | os.PathLike[str]


class Unreadable(Exception):  # noqa: N818 - the state of a file, which callers turn into a message
    """A file can't be read. `reason` says why. `missing` says that there is no regular file."""

    def __init__(self, reason: str, *, missing: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.missing = missing


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
        if exists(path) and not is_file(path):  # a pipe could be waited for for ever
            why = os.strerror(EISDIR) if is_folder(path) else "Not a regular file"
            raise Unreadable(why, missing=True)
        with Path(path).open("rb") as file:
            # Python makes room for as many bytes as it is asked for.
            return file.read(length if os.fstat(file.fileno()).st_size > length else -1)
    except (OSError, ValueError) as error:
        missing = isinstance(error, (FileNotFoundError, NotADirectoryError))
        raise Unreadable(reason_of(error), missing=missing) from error


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


def is_same_file(path: AnyPath, other: AnyPath) -> bool:
    """Return whether two paths are the same file; False if one of them does not exist."""
    try:
        return os.path.samefile(path, other)  # noqa: PTH121 - `Path` raises more
    except (OSError, ValueError):
        return False


def absolute_path(path: AnyPath) -> Path:
    """Return an absolute path without ``.`` and ``..``; symbolic links are not followed."""
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolve() follows links


def real_path(path: AnyPath) -> Path:
    """Return the path with its symbolic links resolved; unchanged if they can't be resolved."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return Path(path)


def is_linked(path: Path) -> bool:
    """Return whether an absolute path without ``..``, or a folder in it, is a symbolic link."""
    return os.path.normcase(real_path(path)) != os.path.normcase(path)


def plain_path(path: Path) -> Path:
    """Return a path without ``..`` to the same file.

    Symbolic links stay. But if the path without ``..`` is another file, all links are resolved.
    """
    plain = absolute_path(path)
    return real_path(path) if exists(path) and not is_same_file(plain, path) else plain


def repository_folder(folder: Path) -> Path:
    """Return the nearest folder, from `folder` upwards, with a ``.git``; `folder` if none has."""
    for parent in (folder, *folder.parents):
        if os.path.lexists(parent / ".git"):
            return parent
    return folder


class Match(NamedTuple):
    """The files that a pattern matches."""

    files: tuple[Path, ...] = ()  # sorted by path
    reason: str | None = None  # why there are no files although some may match, as a sentence


class Search:
    """Searches the folders `roots` for files.

    Patterns are those of `glob.glob` with ``**``.
    """

    def __init__(self, roots: Sequence[Path]) -> None:
        self._names_of_roots = listing(dict.fromkeys(root.name or str(root) for root in roots))
        self._roots = {real_path(root) for root in roots}
        self.files = cache(self._files)

    def _files(self, folder: Path, pattern: str) -> Match:
        """Return the files that `pattern`, a path or a pattern relative to `folder`, names.

        A path may name a file outside of the `roots`. A pattern that finds more than `MAX_FOUND`
        files gives none, since it would be chance which files are found first.
        """
        path = plain_path(folder / pattern)  # `folder` need not exist, as that of a generated page
        if is_file(path):  # its name may contain "*"
            return Match((path,))
        if not (magic := re.search(r"[*?[]", pattern)):
            return Match()
        above, slash, _ = pattern[: magic.start()].rpartition("/")
        start = plain_path(folder / (above + slash))
        if not self._is_inside(start):
            return Match(reason=f"No file outside of {self._names_of_roots} is searched.")
        parts = pattern.removeprefix(above + slash).split("/")
        found = {*islice(_matches(str(start), parts), MAX_FOUND + 1)}
        if len(found) > MAX_FOUND:
            return Match(reason=f"It matches more than {MAX_FOUND:,} files.")
        return Match(tuple(sorted(filter(self._is_inside, (plain_path(Path(f)) for f in found)))))

    def _is_inside(self, path: Path) -> bool:
        return any(real_path(path).is_relative_to(root) for root in self._roots)


def _matches(folder: str, parts: Sequence[str]) -> Iterator[str]:  # noqa: C901 - kinds of parts
    """Yield the files below a folder that a pattern matches, which is given as its parts.

    `glob.iglob` would follow symbolic links below ``**``, which can lead round in circles.
    """
    while parts and not re.search(r"[*?[]", parts[0]):
        folder, parts = os.path.join(folder, parts[0]), parts[1:]  # noqa: PTH118 - a Path takes long
    if not parts:
        if is_file(folder):
            yield folder
        return
    part, *rest = parts
    if part == "**" and rest:
        yield from _matches(folder, rest)
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if part == "**" and not entry.name.startswith("."):
                if entry.is_dir(follow_symlinks=False):
                    yield from _matches(entry.path, parts)
                elif not rest and entry.is_file():
                    yield entry.path
            elif part != "**" and fnmatchcase(entry.name, part):
                if entry.name.startswith(".") and not part.startswith("."):
                    continue
                if rest and entry.is_dir():
                    yield from _matches(entry.path, rest)
                elif not rest and entry.is_file():
                    yield entry.path
