"""Write and read the dates file: dates from git, for builds that have no repository.

It is written where the repository is. An entry has the commit that dates a file, and the blob that
the file was then. If the file has other content at the build, the entry is not used.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.files import Unreadable, exists, read_file
from mkdocs_sitemap_plus.lastmod import Change, NoDate, Reason, Skipped
from mkdocs_sitemap_plus.lastmod.git.blobs import blob_id
from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.options.settings import GitSettings, LastmodSettings
from mkdocs_sitemap_plus.problems import Problem
from mkdocs_sitemap_plus.wording import counted, first_names, format_value

_VERSION = 1
_LARGEST = 1 << 28
"""Bytes that are read of the dates file, and of a file in it; a million pages need fewer."""
_ADDED: dict[str, object] = {"ignore_subjects": []}
"""Options that older dates files lack, with the defaults that such files were written with."""
_OID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class _Entry(NamedTuple):
    """The id of a file's blob at HEAD, and the commit that dates the file."""

    blob: str
    change: Change


_Entries = Mapping[str, _Entry | None]
"""By path relative to the project folder, with ``/``; None: HEAD did not hold the file."""


class DatesFile:
    """The last changes of files, according to the dates file, which is read when it is needed."""

    def __init__(self, root: Path, settings: LastmodSettings) -> None:
        """Read nothing yet.

        Args:
            root: the folder of the project file; the paths in the dates file are relative to it.
            settings: the options under ``lastmod``.
        """
        self._root = root
        self._name = settings.file
        self._settings = settings.git
        self._read: _Entries | NoDate | None = None
        self._dates: dict[Path, Change | NoDate] = {}

    def tracked(self, files: Iterable[Path]) -> set[Path]:
        """Return those of these files that git tracked when the dates file was written."""
        entries = self._entries()
        if isinstance(entries, NoDate):
            return set()
        return {file for file in files if entries.get(_key(file, self._root))}

    def changes(self, files: Iterable[Path]) -> dict[Path, Change]:
        """Return the commits that date these files; for the others see `why_undated`."""
        dates = ((file, self._date(file)) for file in files)
        return {file: date for file, date in dates if isinstance(date, Change)}

    def covers(self, files: Iterable[Path]) -> bool:
        """Whether each of these files has a date, or was not committed and so can't have one."""
        dates = map(self._date, files)
        return all(isinstance(d, Change) or d.reason is Reason.NOT_COMMITTED for d in dates)

    def why_undated(self, files: Iterable[Path]) -> dict[Path, NoDate]:
        """Return for each of these files why it has no date; files with a date are left out."""
        dates = {file: self._date(file) for file in files}
        stale = self._stale
        return {
            file: date._replace(cause=stale) if date.reason is Reason.CHANGED_SINCE else date
            for file, date in dates.items()
            if isinstance(date, NoDate)
        }

    @property
    def problems(self) -> list[Problem]:
        """Why files have no date from it, as notes. A missing dates file is not a problem."""
        unusable = self._read.cause if isinstance(self._read, NoDate) else None
        return [problem for problem in (unusable, self._stale) if problem]

    @property
    def exists(self) -> bool:
        """Whether the dates file exists, whatever it holds."""
        return (self._root / self._name).exists()

    def _date(self, file: Path) -> Change | NoDate:
        """Return what dates a file, or why nothing does."""
        if file not in self._dates:
            self._dates[file] = self._read_date(file)
        return self._dates[file]

    def _read_date(self, file: Path) -> Change | NoDate:
        entries, name, key = self._entries(), self._name, _key(file, self._root)
        if isinstance(entries, NoDate):
            return entries
        if entry := entries.get(key):
            if _is_blob(file, entry.blob):
                return entry.change
            detail = f"{key} is not as it was when {name} was written"
            return NoDate(reason=Reason.CHANGED_SINCE, detail=detail)
        if key in entries:
            detail = f"{key} was not committed when {name} was written"
            return NoDate(reason=Reason.NOT_COMMITTED, detail=detail)
        return NoDate(reason=Reason.NOT_IN_DATES_FILE, detail=f"{key} is not in {name}")

    def _entries(self) -> _Entries | NoDate:
        if self._read is None:
            self._read = _read(self._root / self._name, self._name, self._settings)
        return self._read

    @property
    def _stale(self) -> Problem | None:
        """The note about files that have changed since the dates file was written, if any."""
        changed = sorted(
            _key(file, self._root)
            for file, date in self._dates.items()
            if isinstance(date, NoDate) and date.reason is Reason.CHANGED_SINCE
        )
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
    """Return the path relative to `root`, with ``/``; the whole path if it is on another drive."""
    try:
        return os.path.relpath(file, root).replace(os.sep, "/")
    except ValueError:
        return file.as_posix()


def _is_blob(file: Path, blob: str) -> bool:
    """Whether a file has the content of a blob; a checkout may have changed its line ends."""
    try:
        data = read_file(file, _LARGEST)
    except Unreadable:
        return False
    return blob in (blob_id(data, len(blob)), blob_id(data.replace(b"\r\n", b"\n"), len(blob)))


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
        content = json.loads(data)
        if content["version"] != _VERSION:
            version = format_value(content["version"])
            return _unusable(name, f"has version {version}, not {_VERSION}")
        if _ADDED | content["git"] != _settings(settings):
            return _unusable(name, "was written with other options of lastmod.git")
        return {key: _entry(value, root, name) for key, value in content["files"].items()}
    # The file is not trusted: it may not be JSON, or have values of any type.
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


def _entry(value: Any, root: Path, name: str) -> _Entry | None:  # noqa: ANN401 - any JSON
    """Return one entry. An invalid value raises one of the errors that `_parsed` catches."""
    if value is None:
        return None
    blob, commit, path = value["blob"], value["commit"], value["path"]
    when = datetime.fromisoformat(value["when"])
    if not (_OID.fullmatch(blob) and _OID.fullmatch(commit) and isinstance(path, str)):
        raise ValueError
    if when.utcoffset() is None:
        raise ValueError
    change = Change(
        repository=root,
        path=path,
        commit=commit,
        when=when.astimezone(UTC),
        skipped=tuple(
            Skipped(what=str(what), why=str(why)) for what, why in value.get("skipped", ())
        ),
        added=value.get("added") is True,
        file=name,
    )
    return _Entry(blob=blob, change=change)


def _settings(settings: GitSettings) -> dict[str, object]:
    """Return the options that dates depend on. With other values, the file is not used."""
    return {
        "date": str(settings.date),
        "change": str(settings.change),
        "ignore_revs_file": settings.ignore_revs_file,
        "ignore_authors": list(settings.ignore_authors),
        "ignore_subjects": list(settings.ignore_subjects),
    }


def dates_file(files: Iterable[Path], root: Path, settings: GitSettings, history: History) -> bytes:
    """Return the content of a dates file: the same bytes for the same commit and files.

    Args:
        files: absolute paths of all files that may date a page.
        root: the folder of the project file; the paths in the dates file are relative to it.
        settings: the options under ``lastmod.git``.
        history: reads the dates from git.
    """
    files = set(files)
    blobs, changes = history.blobs(files), history.changes(files)
    values = {
        _key(file, root): _value(blob, changes[file]) if blob else None
        for file, blob in blobs.items()
        if not blob or file in changes  # else its date is unknown, as in a shallow clone
    }
    head = f'"version": {_VERSION},\n"git": {json.dumps(_settings(settings))}'
    lines = (f"{json.dumps(key)}: {json.dumps(values[key])}" for key in sorted(values))
    entries = ",\n".join(lines)
    return f'{{\n{head},\n"files": {{\n{entries}\n}}\n}}\n'.encode("ascii")


def _value(blob: str, change: Change) -> dict[str, object]:
    value: dict[str, object] = {
        "blob": blob,
        "commit": change.commit,
        "when": change.when.isoformat(),
        "path": change.path,
    }
    if change.added:
        value["added"] = True
    if change.skipped:
        value["skipped"] = [[each.what, each.why] for each in change.skipped]
    return value
