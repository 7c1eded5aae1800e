"""Read and search the files of a site or a project.

Only regular files are opened, since a named pipe or a device could stop a build for ever. The
number of bytes has a limit. An error of the system becomes an `Unreadable` with a short reason.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from errno import EISDIR
from fnmatch import fnmatch
from pathlib import Path, PurePath
from stat import S_ISDIR, S_ISREG
from typing import NamedTuple

from mkdocs_sitemap_plus.wording import listing

MAX_FILE = 1 << 26  # bytes of a source file or a built page: 64 MiB
MAX_FOUND = 10_000  # files that one pattern can match
MAX_SEEN = 100_000  # files and folders that the search for one pattern visits
MAX_SEEN_IN_ALL = 1_000_000  # files and folders that the searches for all patterns of a build visit
MAX_PATTERN = 4_096  # characters of a pattern

_SEPARATOR = r"[/\\]" if os.sep == "\\" else "/"
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

AnyPath = str | os.PathLike[str]
_Step = tuple[Path, int]  # a path that was found, and the index of the next part of the pattern


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
    """Return the content of a regular file.

    Raises Unreadable if `read_start` does, and if the file has more than `limit` bytes.
    """
    data = read_start(path, limit + 1)
    if len(data) > limit:
        raise Unreadable(f"More than {limit >> 20} MiB")
    return data


def read_start(path: AnyPath, length: int) -> bytes:
    """Return at most `length` bytes from the start of a regular file; links are followed.

    Raises Unreadable if there is no such file, or if the system can't read it.
    """
    try:
        _check_regular(os.stat(path))  # noqa: PTH116 - a `Path` for each page takes time
        # Opening with these flags does not wait for the other end of a pipe.
        with open(path, "rb", buffering=0, opener=lambda name, _: os.open(name, _FLAGS)) as file:
            status = os.fstat(file.fileno())
            _check_regular(status)  # another file may have replaced it
            at_once = max(status.st_size + 1, 1 << 12)  # the size of a file in /proc is 0
            pieces = []
            while length and (piece := file.read(min(at_once, length))):
                pieces.append(piece)
                length -= len(piece)
            return b"".join(pieces)
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


def _check_regular(status: os.stat_result) -> None:
    if S_ISDIR(status.st_mode):
        raise Unreadable(os.strerror(EISDIR), missing=True)
    if not S_ISREG(status.st_mode):
        raise Unreadable("Not a regular file", missing=True)


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


def _has_magic(pattern: str) -> bool:
    """Return whether a pattern has a wildcard, as `glob.has_magic` does; that import is slow."""
    return not {"*", "?", "["}.isdisjoint(pattern)


class _StoppedError(Exception):
    """A search did not start or did not end; the text is the reason of the `Match`."""


class Search:
    """Searches the folders `roots` for files.

    Patterns are those of `glob.glob` with ``**``. But ``**`` does not follow symbolic links, and no
    part of a pattern follows a link to a folder outside of the `roots`.
    """

    def __init__(self, roots: Sequence[Path]) -> None:
        self._names_of_roots = listing(dict.fromkeys(root.name or str(root) for root in roots))
        self._roots = {real_path(root) for root in roots}
        self._left = MAX_SEEN_IN_ALL  # files and folders that all searches may still visit
        self._stop_at = 0  # the search for one pattern ends if `_left` is less than this
        self._cache: dict[tuple[Path, str], Match] = {}

    def files(self, folder: Path, pattern: str) -> Match:
        """Return the files that `pattern`, a path or a pattern relative to `folder`, names.

        A path may name a file outside of the `roots`. A pattern that reaches a limit gives no
        files, since it would be chance which files are found first.
        """
        key = (folder, pattern)
        if key not in self._cache:
            try:
                self._cache[key] = Match(files=tuple(sorted(self._matching(folder, pattern))))
            except _StoppedError as error:
                self._cache[key] = Match(reason=str(error))
        return self._cache[key]

    def _matching(self, folder: Path, pattern: str) -> set[Path]:
        if not is_folder(folder):  # a generated page may have no folder, but one above it may exist
            while pattern.startswith(("./", "../")):
                step, _, pattern = pattern.partition("/")
                folder = folder.parent if step == ".." else folder
        if is_file(folder / pattern):  # its name may contain "*"
            return {plain_path(folder / pattern)}
        if not _has_magic(pattern):
            return set()
        if len(pattern) > MAX_PATTERN:
            raise _StoppedError(f"It has more than {MAX_PATTERN:,} characters.")
        anchor = PurePath(pattern).anchor
        *folders, last = re.split(_SEPARATOR, pattern[len(anchor) :])
        if last in ("", ".", ".."):  # only folders match such a pattern
            return set()
        parts = [*(part for part in folders if part not in ("", ".")), last]
        first = next(i for i, part in enumerate(parts) if _has_magic(part))
        start = plain_path(folder.joinpath(anchor, *parts[:first]))
        if not self._is_inside(start):
            raise _StoppedError(f"No file outside of {self._names_of_roots} is searched.")
        return self._walk(start, parts[first:])

    def _is_inside(self, path: Path) -> bool:
        real = real_path(path)
        return any(real.is_relative_to(root) for root in self._roots)

    def _walk(self, start: Path, parts: Sequence[str]) -> set[Path]:
        """Return the files that match the parts of a pattern below `start`."""
        found: set[Path] = set()
        self._stop_at = self._left - MAX_SEEN
        waiting = [(start, 0)]
        seen = set(waiting)
        while waiting:
            folder, index = waiting.pop()
            for path, following in self._next_steps(folder, index, parts):
                if following == len(parts):
                    if is_file(path):
                        found.add(path)
                elif (path, following) not in seen:
                    seen.add((path, following))
                    waiting.append((path, following))
            if len(found) > MAX_FOUND:
                raise _StoppedError(f"It matches more than {MAX_FOUND:,} files.")
        return found

    def _next_steps(self, folder: Path, index: int, parts: Sequence[str]) -> Iterator[_Step]:
        """Yield a step for each path in a folder that matches the part at `index`."""
        part = parts[index]
        if part == "**":
            yield from self._recursive_steps(folder, index, last=index + 1 == len(parts))
        elif _has_magic(part):
            for entry in self._entries(folder):
                path = folder / entry.name
                hidden = entry.name.startswith(".") and not part.startswith(".")
                if not hidden and fnmatch(entry.name, part):
                    link_to_folder = entry.is_symlink() and is_folder(path)
                    if not link_to_folder or self._is_inside(path):
                        yield path, index + 1
        else:
            path = plain_path(folder / part)
            if exists(folder / part) and self._is_inside(path):
                yield path, index + 1

    def _recursive_steps(self, folder: Path, index: int, *, last: bool) -> Iterator[_Step]:
        """Yield the steps of ``**``, which stands for a folder and all folders below it.

        As the `last` part it stands for all files in them.
        """
        if not last:
            yield folder, index + 1
        for entry in self._entries(folder):
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield folder / entry.name, index
            elif last:
                yield folder / entry.name, index + 1

    def _entries(self, folder: Path) -> Iterator[os.DirEntry[str]]:
        """Yield the entries of a folder; none if it can't be read. Count them for the limits."""
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    self._left -= 1
                    if self._left < 0:
                        look = f"a look at more than {MAX_SEEN_IN_ALL:,} files"
                        raise _StoppedError(f"The patterns of this build need {look}.")
                    if self._left < self._stop_at:
                        raise _StoppedError(f"It needs a look at more than {MAX_SEEN:,} files.")
                    yield entry
        except OSError:
            return
