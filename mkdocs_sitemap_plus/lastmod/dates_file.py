"""Write and read the dates file: dates from git, for builds that have no repository.

The dates file is written where the repository is. An entry has the commit that dates a source file,
and the id of the blob with the content of this file. If the content is another one at the build,
the entry is not used.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha1, sha256
from pathlib import Path
from typing import Any

from mkdocs_sitemap_plus import gitdates
from mkdocs_sitemap_plus.files import Unreadable, exists, path_from, read_file
from mkdocs_sitemap_plus.gitdates import GitDates, Skipped
from mkdocs_sitemap_plus.lastmod import Change, NoDate, Reason
from mkdocs_sitemap_plus.lastmod.date_source import (
    Answers,
    DateQuery,
    DateSource,
    Key,
    date_by_files,
    more_specific,
)
from mkdocs_sitemap_plus.options import GitSettings, LastmodSettings, Source
from mkdocs_sitemap_plus.problems import Code, Level, Problem
from mkdocs_sitemap_plus.wording import first_names, format_value

_VERSION = 1
_MAX_BYTES = 1 << 28  # of the dates file, and of each file in it; a million pages need fewer
_LATER_OPTIONS: dict[str, object] = {"ignore_subjects": []}
"""Options that older dates files do not name, with the values that they had then."""
_OID = r"[0-9a-f]{40}([0-9a-f]{24})?"


_Entry = tuple[str, Change]  # the id of a file's blob at HEAD, and the commit that dates the file
_Entries = Mapping[str, _Entry | None]
"""By path relative to the project folder, with ``/``; None: the file was not at HEAD."""

WRITE_AGAIN = "Write the file again in the repository: `mkdocs-sitemap-plus dates`."
COMMIT_FIRST = "Commit all changes, then run `mkdocs-sitemap-plus dates` in the repository."


class FileSource(DateSource):
    """The source ``file``: dates from the dates file, which is read only if a page needs a date."""

    def dates(self, queries: Mapping[Key, DateQuery]) -> tuple[Answers, Sequence[Problem]]:
        """Return the dates of pages, and notes if the file can't be used, or not for all pages.

        If the file has no date of a part, its page gets none: the part may have changed later. A
        part that was not committed can't have a date, so it does not matter.
        """
        file = DatesFile(self.root, self.settings)
        answers = date_by_files(queries, file.tracked, file.dates)
        dates = file.dates({path for query in queries.values() for path in query.parts.files})
        for key, query in queries.items():
            found = [dates[path] for path in query.parts.files]
            undated = [why for why in found if isinstance(why, NoDate)]
            if causes := [why for why in undated if why.reason is not Reason.NOT_COMMITTED]:
                # The most specific reason. Of several parts with it, the first by its text.
                by_text = sorted(causes, key=lambda why: why.detail or "")
                cause = max(by_text, key=lambda why: why.rank)
                answers[key] = more_specific(answers[key], cause)
        return answers, file.problems


class DatesFile:
    """The dates file of a project. It is read when the first date is needed."""

    def __init__(self, root: Path, settings: LastmodSettings) -> None:
        """Read nothing yet. Its paths are relative to `root`, the folder of the project file."""
        self._root = root
        self._name = settings.file
        self._settings = settings.git
        self._loaded: _Entries | NoDate | None = None
        self._dates: dict[Path, Change | NoDate] = {}

    def tracked(self, files: set[Path]) -> set[Path]:
        """Return those of these files that git tracked when the dates file was written."""
        entries = self._entries() if files else {}
        if isinstance(entries, NoDate):
            return set()
        return {file for file in files if entries.get(path_from(self._root, file))}

    def dates(self, files: Iterable[Path]) -> dict[Path, Change | NoDate]:
        """Return the commits that date these files, or why none does."""
        dates = {file: self._date(file) for file in files}
        stale = self._stale
        for file, date in dates.items():
            if isinstance(date, NoDate) and date.reason is Reason.CHANGED_SINCE:
                dates[file] = date._replace(cause=stale)
        return dates

    @property
    def problems(self) -> list[Problem]:
        """Notes that the dates file can't be used, or not for all files; none if it is missing."""
        unusable = self._loaded.cause if isinstance(self._loaded, NoDate) else None
        return [problem for problem in (unusable, self._stale) if problem]

    def _date(self, file: Path) -> Change | NoDate:
        if file not in self._dates:
            self._dates[file] = self._read_date(file)
        return self._dates[file]

    def _read_date(self, file: Path) -> Change | NoDate:
        entries, key = self._entries(), path_from(self._root, file)
        if isinstance(entries, NoDate):
            return entries
        if key not in entries:
            return NoDate(Reason.NOT_IN_DATES_FILE, f"{key} is not in {self._name}")
        if (entry := entries[key]) is None:
            detail = f"{key} was not committed when {self._name} was written"
            return NoDate(Reason.NOT_COMMITTED, detail)
        blob, change = entry
        if _is_blob(file, blob):
            return change
        return NoDate(Reason.CHANGED_SINCE, f"{key} changed after {self._name} was written")

    def _entries(self) -> _Entries | NoDate:
        if self._loaded is None:
            self._loaded = _load(self._root / self._name, self._name, self._settings)
        return self._loaded

    @property
    def _stale(self) -> Problem | None:
        """The note about files that have changed since the dates file was written, if any."""
        changed = sorted(
            path_from(self._root, file)
            for file, date in self._dates.items()
            if isinstance(date, NoDate) and date.reason is Reason.CHANGED_SINCE
        )
        if not changed:
            return None
        them = "it" if len(changed) == 1 else "them"
        return Problem(
            code=Code.DATES_FILE,
            found=f"{_changed(changed)} since {self._name} was written",
            done=f"Pages made from {them} get no date from the dates file.",
            fix=COMMIT_FIRST,
            level=Level.INFO,
        )


def _changed(names: Sequence[str]) -> str:
    """Return ``docs/a.md has changed``, or the same with several names."""
    return f"{first_names(names)} {'has' if len(names) == 1 else 'have'} changed"


def uncommitted(files: Iterable[Path], root: Path, history: GitDates) -> Problem | None:
    """Return the problem that files have changes without a commit, as they will be in a build."""
    blobs = history.blobs(set(files))
    there = {file: blob for file, blob in blobs.items() if blob and exists(file)}
    changed = [file for file, blob in there.items() if not _is_blob(file, blob)]
    if not changed:
        return None
    names = sorted(path_from(root, file) for file in changed)
    return Problem(
        code=Code.DATES_FILE,
        found=f"{_changed(names)} since the last commit",
        done="A build with these changes gets no date for the pages made from them.",
        fix="Commit them, then run `mkdocs-sitemap-plus dates` again.",
    )


def _is_blob(file: Path, blob: str) -> bool:
    """Whether a file has the content of a blob.

    A checkout may have changed its line ends, or replaced a pointer of Git LFS by the file.
    """
    try:
        data = read_file(file, _MAX_BYTES)
    except Unreadable:
        return False
    length = len(blob)
    return (
        blob_id(data, length) == blob
        or blob_id(data.replace(b"\r\n", b"\n"), length) == blob
        or blob_id(_lfs_pointer(data), length) == blob
    )


def blob_id(data: bytes, length: int) -> str:
    """Return the id of a blob in a repository whose ids have this length, 40 or 64."""
    digest = sha256 if length == 64 else sha1
    return digest(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()


def _lfs_pointer(data: bytes) -> bytes:
    """Return what git holds of a file that Git LFS stores (git-lfs, ``docs/spec.md``)."""
    version = b"version https://git-lfs.github.com/spec/v1"
    return b"%b\noid sha256:%b\nsize %d\n" % (version, sha256(data).hexdigest().encode(), len(data))


def _load(path: Path, name: str, settings: GitSettings) -> _Entries | NoDate:
    try:
        content = json.loads(read_file(path, _MAX_BYTES))
        if content["version"] != _VERSION:
            found = f"has version {format_value(content['version'])}, not {_VERSION}"
        elif _LATER_OPTIONS | content["git"] != _git_options(settings):
            found = "was written with other options of lastmod.git"
        else:
            return {key: _entry(each, path.parent, name) for key, each in content["files"].items()}
    except Unreadable as error:
        if not exists(path):
            return NoDate(Reason.NO_DATES_FILE, f"there is no {name}")
        found = f"can't be read ({error.reason})"
    # Anything may stand in the file: a text that is not JSON, or values of any type.
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError):
        found = "is not a file of `mkdocs-sitemap-plus dates`"
    problem = Problem(
        code=Code.DATES_FILE,
        found=f"{name} {found}",
        done="Pages get no date from this file.",
        fix=WRITE_AGAIN,
        level=Level.INFO,
    )
    return NoDate(Reason.UNUSABLE_DATES_FILE, problem.found, cause=problem)


def _entry(value: Any, root: Path, name: str) -> _Entry | None:  # noqa: ANN401 - any JSON
    """Return one entry. An invalid value raises one of the errors that `_load` catches."""
    if value is None:
        return None
    blob, commit, path = value["blob"], value["commit"], value["path"]
    when = datetime.fromisoformat(value["when"])
    are_ids = re.fullmatch(_OID, blob) and re.fullmatch(_OID, commit)
    if not are_ids or not isinstance(path, str) or when.utcoffset() is None:
        raise ValueError
    return blob, Change(
        source=Source.FILE,
        repository=root,
        path=path,
        commit=commit,
        when=when.astimezone(UTC),
        skipped=tuple(Skipped(str(what), str(why)) for what, why in value.get("skipped", ())),
        added=value.get("added") is True,
        file=name,
    )


def _git_options(settings: GitSettings) -> dict[str, object]:
    """Return the options that dates depend on. With other values, the file is not used."""
    return {
        "date": str(settings.date),
        "change": str(settings.change),
        "ignore_revs_file": settings.ignore_revs_file,
        "ignore_authors": list(settings.ignore_authors),
        "ignore_subjects": list(settings.ignore_subjects),
    }


def dates_file(
    files: Iterable[Path], root: Path, settings: GitSettings, history: GitDates
) -> bytes:
    """Return the content of a dates file: the same bytes for the same commit and files.

    `files` are all files that may date a page. The paths in the content are relative to `root`.
    """
    files = set(files)
    blobs, changes = history.blobs(files), history.changes(files)
    values: dict[str, object] = {}
    for file, blob in blobs.items():
        if blob is None:
            values[path_from(root, file)] = None
        elif file in changes:  # otherwise its date is unknown, as in a shallow clone
            values[path_from(root, file)] = _value(blob, changes[file])
    head = f'"version": {_VERSION},\n"git": {json.dumps(_git_options(settings))}'
    lines = (f"{json.dumps(key)}: {json.dumps(values[key])}" for key in sorted(values))
    entries = ",\n".join(lines)
    return f'{{\n{head},\n"files": {{\n{entries}\n}}\n}}\n'.encode("ascii")


def _value(blob: str, change: gitdates.Change) -> dict[str, object]:
    when = change.when.isoformat()
    value = {"blob": blob, "commit": change.commit, "when": when, "path": change.path}
    optional = {"added": change.added, "skipped": change.skipped}
    return value | {key: each for key, each in optional.items() if each}
