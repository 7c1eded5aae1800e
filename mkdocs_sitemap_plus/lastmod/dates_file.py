"""The dates that git gave, in a file: for builds that have no repository.

It is written where the repository is. An entry is the commit that dates a file, with the blob that
the file was then; of a file that is another one now nobody knows when it changed.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha1, sha256
from pathlib import Path
from typing import Any

from mkdocs_sitemap_plus.files import Unreadable, exists, read_file
from mkdocs_sitemap_plus.lastmod.change import Change, Skipped
from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.lastmod.git.process import GitFailed
from mkdocs_sitemap_plus.lastmod.git.repository import Repository, repository_of, tracked
from mkdocs_sitemap_plus.lastmod.reasons import NoDate, Reason
from mkdocs_sitemap_plus.options.settings import GitSettings, LastmodSettings
from mkdocs_sitemap_plus.problems import Problem
from mkdocs_sitemap_plus.wording import counted, first_names, format_value

_VERSION = 1
_LARGEST = 1 << 28
"""Bytes; a million pages have fewer."""
_OID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """A file that git tracks.

    Attributes:
        blob: the id of its content at HEAD.
        change: the commit that dates it.
    """

    blob: str
    change: Change


_Entries = Mapping[str, _Entry | None]
"""By path relative to the project file, with ``/``; None: git does not track it, or has no date."""


class DatesFile:
    """What changed files last, as a file remembers it. It is read when it is first asked."""

    def __init__(self, root: Path, settings: LastmodSettings) -> None:
        """Nothing is read yet.

        Args:
            root: the folder of the project file, from which all paths start.
            settings: the options under ``lastmod``.
        """
        self._root = root
        self._name = settings.file
        self._git = settings.git
        self._read: _Entries | NoDate | None = None
        self._fits: dict[Path, bool] = {}

    def tracked(self, files: Iterable[Path]) -> set[Path]:
        """Those of these files that git tracked when the file was written."""
        return {file for file in files if self._entry(file)}

    def changes(self, files: Iterable[Path]) -> dict[Path, Change]:
        """The commits that date those of these files that are still what they were."""
        known = ((file, self._entry(file)) for file in files)
        return {file: entry.change for file, entry in known if entry and self._fit(file, entry)}

    def knows(self, files: Iterable[Path]) -> bool:
        """Whether all of these files were seen when the file was written, and did not change."""
        return all(self._is_known(file) for file in files)

    def why_undated(self, files: Iterable[Path]) -> dict[Path, NoDate]:
        """Return for each of these files why it gets no date; nothing for files with a date."""
        found = {file: why for file in files if (why := self._why(file))}
        stale = self._stale
        return {
            file: replace(why, cause=stale) if why.reason is Reason.CHANGED_SINCE else why
            for file, why in found.items()
        }

    @property
    def problems(self) -> list[Problem]:
        """What kept dates from being known, as notes. It is none that there is no such file."""
        unusable = self._read.cause if isinstance(self._read, NoDate) else None
        return [problem for problem in (unusable, self._stale) if problem]

    @property
    def exists(self) -> bool:
        """Whether there is such a file, whatever is in it."""
        return (self._root / self._name).exists()

    def _why(self, file: Path) -> NoDate | None:
        if isinstance(self._entries_or_why, NoDate):
            return self._entries_or_why
        name, key = self._name, _key(file, self._root)
        entry = self._entry(file)
        if entry and not self._fit(file, entry):
            detail = f"{key} is not as it was when {name} was written"
            return NoDate(reason=Reason.CHANGED_SINCE, detail=detail)
        if entry:
            return None
        if key in self._entries:
            detail = f"{key} was not committed when {name} was written"
            return NoDate(reason=Reason.NOT_COMMITTED, detail=detail)
        return NoDate(reason=Reason.NOT_IN_DATES_FILE, detail=f"{key} is not in {name}")

    def _is_known(self, file: Path) -> bool:
        entry = self._entry(file)
        return self._fit(file, entry) if entry else _key(file, self._root) in self._entries

    def _entry(self, file: Path) -> _Entry | None:
        return self._entries.get(_key(file, self._root))

    @property
    def _entries(self) -> _Entries:
        return {} if isinstance(self._entries_or_why, NoDate) else self._entries_or_why

    @property
    def _entries_or_why(self) -> _Entries | NoDate:
        if self._read is None:
            self._read = _read(self._root / self._name, self._name, self._git)
        return self._read

    def _fit(self, file: Path, entry: _Entry) -> bool:
        if file not in self._fits:
            self._fits[file] = _is_blob(file, entry.blob)
        return self._fits[file]

    @property
    def _stale(self) -> Problem | None:
        changed = sorted(_key(file, self._root) for file, fits in self._fits.items() if not fits)
        if not changed:
            return None
        names = first_names(changed)
        return Problem(
            code="dates-file",
            found=f"{self._name} is out of date for {counted(len(changed), 'file')} ({names})",
            done="Pages that are made from them get no date from it.",
            fix=WRITE_AGAIN,
            note=True,
        )


WRITE_AGAIN = "Write it again where the repository is: `mkdocs-sitemap-plus dates`."


def _key(file: Path, root: Path) -> str:
    """The path from `root`, with ``/``; the whole path where there is no way (other drives)."""
    try:
        return os.path.relpath(file, root).replace(os.sep, "/")
    except ValueError:
        return file.as_posix()


def _is_blob(file: Path, blob: str) -> bool:
    """Whether a file's content is a blob of git, also where a checkout changed its line ends."""
    try:
        data = read_file(file, _LARGEST)
    except Unreadable:
        return False
    return blob in (_blob_id(data, blob), _blob_id(data.replace(b"\r\n", b"\n"), blob))


def _blob_id(data: bytes, like: str) -> str:
    """The id of a blob, in a repository whose ids are as long as `like`."""
    # What git calls them by, not a protection.
    digest = sha1(usedforsecurity=False) if len(like) == 40 else sha256()
    digest.update(b"blob %d\0" % len(data))
    digest.update(data)
    return digest.hexdigest()


def _read(path: Path, name: str, settings: GitSettings) -> _Entries | NoDate:
    try:
        data = read_file(path, _LARGEST)
    except Unreadable as error:
        if not exists(path):
            return NoDate(reason=Reason.NO_DATES_FILE, detail=f"there is no {name}")
        return _unusable(name, f"can't be read ({error.reason})")
    return _parsed(data, path.parent, name, settings)


def _parsed(data: bytes, root: Path, name: str, settings: GitSettings) -> _Entries | NoDate:
    try:
        said = json.loads(data)
        if said["version"] != _VERSION:
            return _unusable(name, f"has version {format_value(said['version'])}, not {_VERSION}")
        if said["git"] != _settings(settings):
            return _unusable(name, "was written with other options of lastmod.git")
        return {key: _entry(value, root, name) for key, value in said["files"].items()}
    # Whoever wrote it: it may be no JSON, or hold anything.
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError):
        return _unusable(name, "is not a file of `mkdocs-sitemap-plus dates`")


def _unusable(name: str, found: str) -> NoDate:
    problem = Problem(
        code="dates-file",
        found=f"{name} {found}",
        done="Pages get no date from it.",
        fix=WRITE_AGAIN,
        note=True,
    )
    return NoDate(reason=Reason.UNUSABLE_DATES_FILE, detail=problem.found, cause=problem)


def _entry(said: Any, root: Path, name: str) -> _Entry | None:  # noqa: ANN401 - of unknown make
    """One entry, checked.

    Raises:
        ValueError, TypeError, LookupError, AttributeError, OverflowError: it is none.
    """
    if said is None:
        return None
    blob, commit, path = said["blob"], said["commit"], said["path"]
    when = datetime.fromisoformat(said["when"])
    if not (_OID.fullmatch(blob) and _OID.fullmatch(commit) and isinstance(path, str)):
        raise ValueError
    if when.utcoffset() is None:
        raise ValueError
    skipped = tuple(Skipped(what=str(what), why=str(why)) for what, why in said.get("skipped", ()))
    change = Change(
        repository=root,
        path=path,
        commit=commit,
        when=when.astimezone(UTC),
        skipped=skipped,
        added=said.get("added") is True,
        file=name,
    )
    return _Entry(blob=blob, change=change)


def _settings(settings: GitSettings) -> dict[str, object]:
    """What dates depend on; in a build without a repository, nothing else says it."""
    return {
        "date": str(settings.date),
        "change": str(settings.change),
        "ignore_revs_file": settings.ignore_revs_file,
        "ignore_authors": list(settings.ignore_authors),
    }


def dates_file(files: Iterable[Path], root: Path, settings: GitSettings, history: History) -> bytes:
    """The content of a dates file: the same bytes for the same commit and files.

    Args:
        files: absolute paths of all files that may date a page.
        root: the folder of the project file.
        settings: the options under ``lastmod.git``.
        history: the repositories.
    """
    files = sorted(set(files))
    blobs, changes = blobs_of(files), history.changes(files)
    said = {
        _key(file, root): _said(blob, changes[file]) if blob else None
        for file, blob in blobs.items()
        if not blob or file in changes  # else its date is hidden, as by a shallow clone
    }
    head = f'"version": {_VERSION},\n"git": {json.dumps(_settings(settings))}'
    lines = (f"{json.dumps(key)}: {json.dumps(said[key])}" for key in sorted(said))
    entries = ",\n".join(lines)
    return f'{{\n{head},\n"files": {{\n{entries}\n}}\n}}\n'.encode("ascii")


def _said(blob: str, change: Change) -> dict[str, object]:
    said: dict[str, object] = {
        "blob": blob,
        "commit": change.commit,
        "when": change.when.isoformat(),
        "path": change.path,
    }
    skipped = [[each.what, each.why] for each in change.skipped]
    added = {"added": True} if change.added else {}
    return said | added | ({"skipped": skipped} if skipped else {})


def blobs_of(files: Iterable[Path]) -> dict[Path, str | None]:
    """The ids of what HEAD holds of these files; None: it holds no such file.

    A symbolic link stands for what it names. A file in a repository that can't be read is left out.
    """
    found: dict[Path, str | None] = {}
    repositories: dict[str, Repository | Problem] = {}
    tops: dict[str, str] = {}
    held: dict[Repository, dict[bytes, str] | None] = {}
    for file in files:
        real = os.path.realpath(file)
        folder = os.path.dirname(real)  # noqa: PTH120 - 10,000 of them
        if folder not in tops:
            tops[folder] = _top(folder)
        if tops[folder] not in repositories:
            repositories[tops[folder]] = repository_of(Path(tops[folder]))
        repository = repositories[tops[folder]]
        if isinstance(repository, Repository):
            if repository not in held:
                held[repository] = _held(repository)
            path = os.path.relpath(real, repository.top).replace(os.sep, "/")
            if (there := held[repository]) is not None:
                found[file] = there.get(os.fsencode(path))
        elif repository.code == "no-repository":
            found[file] = None
    return found


def _top(folder: str) -> str:
    """The nearest folder with a ``.git``; that at the root of all where there is none."""
    while not os.path.lexists(os.path.join(folder, ".git")):  # noqa: PTH118 - 10,000 of them
        above = os.path.dirname(folder)  # noqa: PTH120
        if above == folder:
            break
        folder = above
    return folder


def _held(repository: Repository) -> dict[bytes, str] | None:
    try:
        there = tracked(repository, ())
    except GitFailed:  # `History` says so
        return None
    return {path: blob.decode("ascii") for path, (_, blob) in there.items()}
