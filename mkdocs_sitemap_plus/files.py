"""Read and search files of a site or a project, whatever they are and whatever their names.

Only regular files are opened: a named pipe or a device could stop a build for ever. At most some
bytes are read. An error of the system becomes an `Unreadable` with a short reason.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from errno import EISDIR
from fnmatch import fnmatch
from glob import has_magic
from io import FileIO
from pathlib import Path, PurePath
from stat import S_ISDIR, S_ISREG

from mkdocs_sitemap_plus.wording import listing

MAX_FILE = 1 << 26
"""Bytes of a page, a part of it, or a built page: 64 MiB."""

MAX_FOUND = 10_000
"""Files that one pattern may match."""

MAX_SEEN = 100_000
"""Files and folders that are looked at for one pattern."""

MAX_SEEN_IN_ALL = 1_000_000
"""Files and folders that are looked at for all patterns of a build."""

MAX_PATTERN = 4_096
"""Characters of a pattern."""

_SEPARATOR = r"[/\\]" if os.sep == "\\" else "/"
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

AnyPath = str | os.PathLike[str]


class Unreadable(Exception):  # noqa: N818 - the state of a file, which callers turn into a message
    """A file can't be read.

    Attributes:
        reason: why, in a few words.
        missing: whether there is no regular file of this name.
    """

    def __init__(self, reason: str, *, missing: bool = False) -> None:
        """Keep the reason."""
        super().__init__(reason)
        self.reason = reason
        self.missing = missing


def read_file(path: AnyPath, limit: int = MAX_FILE) -> bytes:
    """Return the content of a regular file, or of the one that a symbolic link names.

    Raises:
        Unreadable: it is missing, not regular, larger than `limit` bytes, or the system refuses.
    """
    data = read_start(path, limit + 1)
    if len(data) > limit:
        raise Unreadable(f"More than {limit >> 20} MiB")
    return data


def read_start(path: AnyPath, length: int) -> bytes:
    """Return the first bytes of a regular file.

    Raises:
        Unreadable: it is missing, not regular, or the system refuses.
    """
    try:
        _check_regular(os.stat(path))  # noqa: PTH116 - a `Path` for each page takes time
        with open(path, "rb", buffering=0, opener=_opener) as file:
            status = os.fstat(file.fileno())
            _check_regular(status)  # it may have been replaced meanwhile
            return _read(file, status.st_size, length)
    except (OSError, ValueError) as error:
        missing = isinstance(error, (FileNotFoundError, NotADirectoryError))
        raise Unreadable(reason_of(error), missing=missing) from error


def _check_regular(status: os.stat_result) -> None:
    if S_ISDIR(status.st_mode):
        raise Unreadable(os.strerror(EISDIR), missing=True)
    if not S_ISREG(status.st_mode):
        raise Unreadable("Not a regular file", missing=True)


def _read(file: FileIO, size: int, length: int) -> bytes:
    """Return at most `length` bytes of a file whose size is `size`, as the system says."""
    data = file.read(min(size + 1, length)) or b""
    if len(data) == min(size, length) > 0:
        return data
    pieces = [data]  # it grows, or is one that the system makes, whose size is 0
    while (left := length - sum(map(len, pieces))) and (piece := file.read(min(left, 1 << 16))):
        pieces.append(piece)
    return b"".join(pieces)


def _opener(path: str, _flags: int) -> int:
    """Open a file without waiting for the other end of a pipe."""
    return os.open(path, _FLAGS)


def read_text(path: AnyPath, encoding: str = "utf-8") -> str:
    """Return the text of a regular file; bytes that are not UTF-8 are replaced.

    Raises:
        Unreadable: as `read_file`.
    """
    text = read_file(path).decode(encoding, "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def reason_of(error: OSError | ValueError) -> str:
    """Return the system's reason, in a few words."""
    reason = getattr(error, "strerror", None)
    return reason if isinstance(reason, str) else "No file can have this name"


# Unlike the methods of `Path`, these return False for a name that is too long, or that lies in a
# folder that can't be read.
is_file, is_folder, exists = os.path.isfile, os.path.isdir, os.path.exists


def is_same_file(path: AnyPath, other: AnyPath) -> bool:
    """Return whether two names lead to one file; False if one of them leads nowhere."""
    try:
        return os.path.samefile(path, other)  # noqa: PTH121 - `Path` raises more
    except (OSError, ValueError):
        return False


def real_path(path: AnyPath) -> Path:
    """Return the path without symbolic links; links that lead in a circle stay."""
    try:
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return Path(path)


def plain_path(path: Path) -> Path:
    """Return the path without ``..``; where that leads out of a link, without links, too."""
    plain = Path(os.path.abspath(path))  # noqa: PTH100 - resolve() follows all links
    return real_path(path) if exists(path) and not is_same_file(plain, path) else plain


def repository_folder(folder: Path) -> Path:
    """Return the nearest folder at or above `folder` with a ``.git``; else `folder` itself."""
    for each in (folder, *folder.parents):
        if os.path.lexists(each / ".git"):
            return each
    return folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """What a pattern matches.

    Attributes:
        files: the regular files, sorted by path; none if `reason` is set.
        reason: why the pattern was not searched, or not to its end, as a sentence; None if it was.
    """

    files: tuple[Path, ...] = ()
    reason: str | None = None


def _upwards(folder: Path, pattern: str) -> tuple[Path, str]:
    """Return the folder that the first dots of a pattern lead to, and the rest of the pattern."""
    while pattern.startswith(("./", "../")):
        step, _, pattern = pattern.partition("/")
        folder = folder.parent if step == ".." else folder
    return folder, pattern


class _TooMuchError(Exception):
    """A search ends before it has seen all."""


class Search:
    """Searches files by patterns in some folders.

    Patterns are those of `glob.glob` with ``**``. But ``**`` follows no symbolic links, and a link
    to a folder outside of these folders is not followed.
    """

    def __init__(self, roots: Iterable[Path]) -> None:
        """Search below these folders."""
        self._names = listing(dict.fromkeys(root.name or str(root) for root in roots))
        self._roots = tuple(dict.fromkeys(map(real_path, roots)))
        self._left, self._least = MAX_SEEN_IN_ALL, 0
        self._known: dict[tuple[Path, str], Match] = {}

    def files(self, folder: Path, pattern: str) -> Match:
        """Return the files that a path or a pattern names, relative to a folder.

        A path may lead anywhere. A pattern that matches too much gives no files: which of them are
        found first would be chance.
        """
        key = (folder, pattern)
        if key not in self._known:
            self._known[key] = self._match(folder, pattern)
        return self._known[key]

    def _match(self, folder: Path, pattern: str) -> Match:
        if not is_folder(folder):  # that of a generated page; but what is beside it is there
            folder, pattern = _upwards(folder, pattern)
        literal = folder / pattern
        if is_file(literal) or not has_magic(pattern):  # the name of a file may have a "*"
            return Match(files=(plain_path(literal),) if is_file(literal) else ())
        if len(pattern) > MAX_PATTERN:
            return Match(reason=f"It has more than {MAX_PATTERN:,} characters.")
        anchor = PurePath(pattern).anchor
        *folders, last = re.split(_SEPARATOR, pattern[len(anchor) :])
        if last in ("", ".", ".."):  # that names folders alone
            return Match()
        parts = [*(part for part in folders if part not in ("", ".")), last]
        named = next(i for i, part in enumerate(parts) if has_magic(part))
        start = plain_path(folder.joinpath(anchor, *parts[:named]))
        if not self._is_inside(start):
            return Match(reason=f"No file outside of {self._names} is searched.")
        try:
            return Match(files=tuple(sorted(self._walk(start, parts[named:]))))
        except _TooMuchError as error:
            return Match(reason=str(error))

    def _is_inside(self, path: Path) -> bool:
        real = real_path(path)
        return any(real.is_relative_to(root) for root in self._roots)

    def _walk(self, start: Path, parts: Sequence[str]) -> set[Path]:
        """Match the parts of a pattern from `start`: each folder with each rest of them once."""
        found: set[Path] = set()
        self._least = max(self._left - MAX_SEEN, 0)
        seen = {(start, 0)}
        ahead = [*seen]
        while ahead:
            for step in self._step(*ahead.pop(), parts):
                path, rest = step
                if rest < len(parts):
                    ahead += [step] if step not in seen else []
                    seen.add(step)
                elif is_file(path):
                    found.add(path)
            if len(found) > MAX_FOUND:
                raise _TooMuchError(f"It matches more than {MAX_FOUND:,} files.")
        return found

    def _step(self, folder: Path, at: int, parts: Sequence[str]) -> Iterator[tuple[Path, int]]:
        """Yield the paths that a part of a pattern leads to, and which part comes then."""
        part = parts[at]
        if part == "**":
            yield from self._below(folder, at, last=at + 1 == len(parts))
        elif has_magic(part):
            for entry in self._entries(folder):
                path = folder / entry.name
                hidden = entry.name.startswith(".") and not part.startswith(".")
                if not hidden and fnmatch(entry.name, part) and not self._leads_out(entry, path):
                    yield path, at + 1
        else:
            path = plain_path(folder / part)
            if exists(folder / part) and self._is_inside(path):
                yield path, at + 1

    def _below(self, folder: Path, at: int, *, last: bool) -> Iterator[tuple[Path, int]]:
        """Yield the folders in a folder, to look below them; with them it, or the files in it."""
        if not last:
            yield folder, at + 1
        for entry in self._entries(folder):
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield folder / entry.name, at
            elif last:
                yield folder / entry.name, at + 1

    def _entries(self, folder: Path) -> Iterator["os.DirEntry[str]"]:
        """Yield what is in a folder, and count it; a folder that can't be read is empty."""
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    self._left -= 1
                    if self._left < self._least:
                        raise _TooMuchError(f"It needs a look at more than {MAX_SEEN:,} files.")
                    yield entry
        except OSError:
            return

    def _leads_out(self, entry: "os.DirEntry[str]", path: Path) -> bool:
        return entry.is_symlink() and is_folder(path) and not self._is_inside(path)
