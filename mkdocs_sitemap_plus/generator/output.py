"""Write files: each is whole or not there, and an index lists only files that exist."""

import glob
import os
import re
import shutil
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from errno import EISDIR, EPIPE
from gzip import GzipFile
from itertools import chain
from pathlib import Path

from mkdocs_sitemap_plus.files import (
    Mark,
    Unreadable,
    absolute_path,
    exists,
    is_file,
    is_folder,
    is_ours,
    read_file,
    real_path,
)
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.entries import UrlEntry
from mkdocs_sitemap_plus.sitemap.protocol import MAX_BYTES, MAX_URLS
from mkdocs_sitemap_plus.sitemap.urls import folder_fault
from mkdocs_sitemap_plus.sitemap.write import (
    Layout,
    SitemapFile,
    files,
    index_name,
    is_part,
    listed_urls,
)

STDOUT = Path("-")
"""The path by which a person names the standard output."""

Names = Callable[[], Collection[str]]
"""Returns the names of the files that the last build of a site wrote, as far as they are known.

It is asked only if there are files with such names, since the report of a large site is large.
"""

_TEMPORARY = re.compile(r"\.[0-9a-f]{16}\.tmp\Z")
_AN_HOUR = 3600


def write_files(
    folder: Path,
    files: Iterable[SitemapFile],
    filename: str,
    last: Names = tuple,
    *,
    through_links: bool = False,
) -> tuple[str, ...]:
    """Write the files of the sitemap `filename` into `folder`, and return their names.

    1. All files are written under temporary names. 2. The old ``.gz`` are removed. 3. The new files
    get their names. 4. Files that only an earlier build wrote are removed. So whenever the process
    is killed, each file is complete, and an index lists only files that exist. `pack` then writes
    the new ``.gz``: last of all, since hooks may edit the files.

    `files` has each file before the index that lists it. The sitemap is returned first. Raises
    SitemapError if a file can't be written. Files that are not yet replaced stay as they were, but
    their ``.gz`` may be removed. A file of the site that is a link is replaced, since the link may
    lead out of the site; with `through_links`, the file to which it leads is.
    """
    _sweep(folder, filename)
    with ExitStack() as stack:
        new: dict[str, Path] = {}  # the temporary files, by name
        target = {}
        for file in files:
            with _sitemap_error_for(file.name, folder / filename):
                folder.mkdir(parents=True, exist_ok=True)
                path = folder / file.name
                target[file.name] = real_path(path) if through_links else path
                new[file.name] = stack.enter_context(_temporary(target[file.name]))
                with new[file.name].open("xb") as text:
                    text.writelines(file.pieces)
        old = {name for name, goes in old_files(folder, filename, new, last).items() if goes}
        for name in chain.from_iterable((name, f"{name}.gz") for name in new):
            with _sitemap_error_for(name, folder / filename):  # before anything is changed
                if is_folder(folder / name):
                    raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        for name in old | new.keys():
            with _sitemap_error_for(f"{name}.gz", folder / f"{name}.gz"):
                (folder / f"{name}.gz").unlink(missing_ok=True)
        for name, temporary in new.items():
            with _sitemap_error_for(name, folder / name):
                temporary.replace(target[name])
        _remove(folder, filename, old)
    return (filename, *(name for name in new if name != filename))


def pack(folder: Path, names: Iterable[str]) -> tuple[str, ...]:
    """Write a ``.gz`` beside each of these files that is still there; return all names."""
    written: list[str] = []
    for name in names:
        packed = f"{name}.gz"
        with (
            _sitemap_error_for(packed, folder / packed, "The sitemap has no archive."),
            suppress(FileNotFoundError),
            _temporary(folder / packed) as new,
        ):
            # Without name and time, so that equal content gives equal bytes.
            with (
                (folder / name).open("rb") as text,
                new.open("xb") as raw,
                GzipFile("", "wb", 9, raw, mtime=0) as archive,
            ):
                shutil.copyfileobj(text, archive)
            new.replace(folder / packed)
            written += name, packed
    return tuple(written)


def old_files(
    folder: Path, filename: str, new: Collection[str] = (), last: Names = tuple
) -> dict[str, bool]:
    """Return which parts and which index of a sitemap are of an earlier build, and whether they go.

    A file goes if it carries our mark, as its ``.gz`` does, and if the sitemap that is there lists
    it, or `last` has it. Other files of ours stay, and so does what an index lists that stays.
    `new` are the names of the files of this build.
    """
    beside, found = index_name(filename), _parts_in(folder, filename).difference(new)
    if not found:
        return {}
    of_last = frozenset(last())
    in_index = {name: _listed(folder / name) for name in (filename, beside)}
    listed = of_last.union(
        *(in_index[each] for each in in_index if is_ours(folder / each, Mark.SITEMAP))
    )
    ours = {each for each in found if is_ours(folder / each, Mark.SITEMAP)}
    packed = {each: folder / f"{each}.gz" for each in ours & listed}
    go = {
        each
        for each, archive in packed.items()
        if not exists(archive) or is_ours(archive, Mark.SITEMAP)
    }
    if beside in found and beside not in go:
        go -= in_index[beside]
    return {each: each in go for each in sorted(ours | (found & of_last))}


def _parts_in(folder: Path, filename: str) -> set[str]:
    """Return which files have the name of a part or an index of a sitemap."""
    found = folder.glob(f"{glob.escape(filename.removesuffix('.xml'))}-*.xml")
    names = (each.name for each in found)
    return {name for name in names if name == index_name(filename) or is_part(name, filename)}


def _listed(index: Path) -> set[str]:
    with suppress(Unreadable):
        return {url.rpartition("/")[2] for url in listed_urls(read_file(index, MAX_BYTES))}
    return set()


def remove_files(
    folder: Path, filename: str, last: Names = tuple, keep: Collection[str] = ()
) -> None:
    """Remove a sitemap with its ``.gz``, and its `old_files` that go, but for the files to `keep`.

    Raises SitemapError if that fails.
    """
    _sweep(folder, filename)
    old = (name for name, goes in old_files(folder, filename, keep, last).items() if goes)
    _remove(folder, filename, {filename, *old}.difference(keep))


def remove_old_index(folder: Path, filename: str, last: Names = tuple) -> None:
    """Remove the sitemap of an earlier build that has several files, an index first.

    MkDocs removes files in any order. If it is killed then, an index could list what is gone.
    """
    if any(old_files(folder, filename, last=last).values()):
        with suppress(SitemapError):  # MkDocs says what it can't remove
            remove_files(folder, filename, last)


def _sweep(folder: Path, filename: str) -> None:
    """Remove temporary files of builds that were killed: such as no build writes for so long."""
    for file in folder.glob(f"{glob.escape(filename.removesuffix('.xml'))}*.tmp"):
        with suppress(OSError):
            if _TEMPORARY.search(file.name) and file.stat().st_mtime < time.time() - _AN_HOUR:
                file.unlink()


def _remove(folder: Path, filename: str, names: Iterable[str]) -> None:
    """Remove files with their ``.gz``, an index before what it lists."""
    for name in sorted(
        names, key=lambda name: (name != index_name(filename), name != filename, name)
    ):
        with _sitemap_error_for(name, folder / name):
            (folder / f"{name}.gz").unlink(missing_ok=True)
            (folder / name).unlink(missing_ok=True)


def is_stream(path: Path) -> bool:
    """Whether a path names the standard output, a pipe or a device, which is never replaced."""
    return path == STDOUT or (exists(path) and not is_file(path) and not is_folder(path))


def write_named_file(path: Path, data: bytes, mark: Mark) -> None:
    """Write a file that a person named, as `write_file` does, unless another file would be lost.

    Raises SitemapError if there is a file that does not carry this mark, or if it can't be written.
    """
    refuse_others(path, mark)
    write_file(path, data)


def refuse_others(path: Path, mark: Mark) -> None:
    """Raise SitemapError if a file would be replaced that is not one of ours with this mark.

    An empty file is nobody's: `mktemp` makes one.
    """
    is_there = exists(path) and not is_folder(path) and not is_stream(path)
    if is_there and path.stat().st_size and not is_ours(path, mark):
        raise SitemapError(
            Problem(
                Code.WRITE,
                "it exists and does not say that mkdocs-sitemap-plus wrote it",
                Place(Origin.OPTION, shown_path(path)),
                done="It stays as it was.",
                fix="Name another file. If release 0.10 or older wrote this one, delete it once.",
            )
        )


def shown_path(path: Path) -> str:
    """Return a path as messages show it: from the current folder, if it is there."""
    here = Path.cwd()
    return (path.relative_to(here) if path.is_relative_to(here) else path).as_posix()


def write_file(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all; a link stays. Raises SitemapError.

    ``-`` is the standard output. If the path is that of a pipe or a device, write into it.
    """
    with _sitemap_error_for(shown_path(path), path):
        if path == STDOUT:
            with open(1, "wb", closefd=False) as stdout:
                stdout.write(data)
        elif is_stream(path):
            path.write_bytes(data)
        else:
            write_site_file(path.resolve(), data, shown_path(path))


def write_site_file(path: Path, data: bytes, shown: str | None = None) -> None:
    """Write a file of a site, whole or not at all. A link is replaced: it may lead out of the site.

    Raises SitemapError, which has the name of the file, or the one that is to be `shown`.
    """
    with _sitemap_error_for(shown or path.name, path), _temporary(path) as new:
        new.write_bytes(data)
        if exists(path):
            shutil.copymode(path, new)
        new.replace(path)


def write_if_changed(path: Path, data: bytes, mark: Mark) -> None:
    """Write a file by `write_named_file`, unless it has these bytes.

    A new file would make ``serve`` build again.
    """
    if not path.is_file() or path.read_bytes() != data:
        _make_folder(path)
        write_named_file(path, data, mark)


def write_if_missing(path: Path, data: bytes) -> None:
    """Write a file, unless one of that name exists."""
    if not exists(path):
        _make_folder(path)
        write_site_file(path, data)


def _make_folder(file: Path) -> None:
    with _sitemap_error_for(file.name, file):
        file.parent.mkdir(parents=True, exist_ok=True)


def kept_file(file: str) -> Problem:
    """Return the note that a file of an earlier build stays, since it may be used."""
    return Problem(
        Code.REPLACED,
        "this file stays, since nothing proves that the last build of this site wrote it",
        Place(Origin.PLUGIN, file),
        fix="Delete it if you do not need it.",
        level=Level.NOTE,
    )


def files_of_others(folder: Path, filename: str) -> list[str]:
    """Return which files have the name of a part or an index of a sitemap, but are not ours."""
    names = sorted(_parts_in(folder, filename))
    return [name for name in names if not is_ours(folder / name, Mark.SITEMAP)]


def overwritten_file(file: str) -> Problem:
    """Return the note that a file of the built site, which is not ours, was replaced."""
    return Problem(
        Code.REPLACED,
        "another program wrote this file, and the new sitemap took its place",
        Place(Origin.PLUGIN, file),
        level=Level.NOTE,
    )


@contextmanager
def _temporary(path: Path) -> Iterator[Path]:
    """Give a temporary path in the folder of `path`; a file of that name is removed at the end.

    MkDocs removes a file that a killed build left, since its name does not begin with a dot.
    """
    new = path.with_name(f"{path.name}.{os.urandom(8).hex()}.tmp")
    try:
        yield new
    finally:
        with suppress(OSError):  # the first error is the one to report
            new.unlink(missing_ok=True)


@contextmanager
def _sitemap_error_for(name: str, old: Path, done: str | None = None) -> Iterator[None]:
    """If nothing else is `done`, a file that was there stays."""
    try:
        yield
    except OSError as error:
        if error.errno == EPIPE:  # whoever read our output has enough, which is no problem
            raise
        problem = Problem(
            Code.WRITE,
            f"it can't be written ({error.strerror})",
            Place(Origin.PLUGIN, name),
            done=done or ("The file of an earlier build stays as it was." if exists(old) else None),
        )
        raise SitemapError(problem) from error


def write_sitemap(  # noqa: PLR0913 - what a sitemap needs
    entries: Iterable[UrlEntry],
    folder: str | os.PathLike[str],
    url: str,
    *,
    filename: str = "sitemap.xml",
    max_urls: int = MAX_URLS,
    max_bytes: int = MAX_BYTES,
) -> tuple[Path, ...]:
    """Write a sitemap into `folder`, and return the paths of all its files, `filename` first.

    Each file has a ``.gz`` beside it. More than `max_urls` entries, or `max_bytes` bytes, are split
    into several files, and `filename` is then their index. `url` is that of the folder, with a
    slash at its end; the index has the URLs of its files from it. Files of an earlier sitemap of
    this name that are not needed any more are removed. Whenever the process is killed, each file is
    complete, and an index lists only files that exist.

    The entries are written in their order and as they are. Raises ValueError if one of them has a
    problem (`UrlEntry.problems`), if there is none, a limit is below 1 or above that of the
    protocol, `filename` is not a name that ends in ``.xml``, or `url` is not the URL of a folder.
    Nothing is written then. Raises SitemapError if a file can't be written, or an entry alone
    exceeds `max_bytes`.
    """
    listed = list(entries)
    for entry in listed:
        for name, _, clause in entry.problems():
            raise ValueError(f"{entry.loc}: {name} {clause}")
    if not listed:
        raise ValueError("a sitemap has at least one entry")
    if not (1 <= max_urls <= MAX_URLS and 1 <= max_bytes <= MAX_BYTES):
        raise ValueError(f"a file has at most {MAX_URLS} entries and {MAX_BYTES} bytes")
    if Path(filename).name != filename or not filename.endswith(".xml"):
        raise ValueError(f"the name of a sitemap is a name that ends in .xml, not {filename}")
    if fault := folder_fault(url) or (None if url.endswith("/") else "does not end with a slash"):
        raise ValueError(f"the URL of the folder {fault}: {url}")
    path = absolute_path(folder)
    layout = Layout(filename=filename, base=url, max_urls=max_urls, max_bytes=max_bytes)
    names = pack(path, write_files(path, files(listed, layout), filename))
    return tuple(path / name for name in names)
