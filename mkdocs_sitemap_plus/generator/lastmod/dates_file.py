"""Write and read the dates file: dates from git, for builds that have no repository.

The dates file is written where the repository is. An entry has the commit that dates a source file,
and the id of the blob with the content that this file has then, committed or not. If the content is
another one at the build, the entry is not used.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mkdocs_sitemap_plus.files import Mark, Unreadable, exists, path_from, read_file
from mkdocs_sitemap_plus.generator.lastmod.date_source import (
    COMMIT_FIRST,
    WRITE_AGAIN,
    Answers,
    DateQuery,
    DateSource,
    Key,
    Reason,
    date_by_files,
    more_specific,
)
from mkdocs_sitemap_plus.generator.options.settings import (
    DATES_FILE,
    GitSettings,
    LastmodSettings,
    Source,
)
from mkdocs_sitemap_plus.gitdates import Change, GitDates, NoDate, Skipped
from mkdocs_sitemap_plus.gitdates.blobs import blob_ids, content_of, is_blob
from mkdocs_sitemap_plus.problems import Code, Level, Problem
from mkdocs_sitemap_plus.wording import first_names, format_value

_VERSION = 1
_MAX_BYTES = 1 << 28  # of the dates file, and of each file in it; a million pages need fewer
_NOT_OURS = "is not a file of `mkdocs-sitemap-plus dates`"
_OID = r"[0-9a-f]{40}([0-9a-f]{24})?"


_Entry = tuple[str, Change]  # the id of a file's blob, and the commit that dates the file
_Entries = Mapping[str, _Entry | None]
"""By path relative to the project folder, with ``/``; None: the file was not at HEAD."""


class FileSource(DateSource):
    """The source ``file``: dates from the dates file."""

    def dates(self, queries: Mapping[Key, DateQuery]) -> tuple[Answers, Sequence[Problem]]:
        """Return the dates of pages, and a note if the file can't be used, or not for all pages.

        If the file has no date of a part, its page gets none: the part may have changed later. A
        part that was not committed can't have a date, so it does not matter.
        """
        path = self.root / DATES_FILE
        if not exists(path):
            fix = "Write the file in the repository: `mkdocs-sitemap-plus dates`."
            why = NoDate(Reason.NO_DATES_FILE, f"there is no {DATES_FILE}", fix=fix)
            return dict.fromkeys(queries, why), ()
        entries = _load(path, self.settings) if queries else {}
        if isinstance(entries, Problem):
            why = NoDate(Reason.UNUSABLE_DATES_FILE, entries.found, fix=entries.fix)
            return dict.fromkeys(queries, why), [entries]
        dates: dict[Path, Change | NoDate] = {}

        def known_files(files: set[Path]) -> set[Path]:
            return {file for file in files if entries.get(path_from(self.root, file))}

        def dates_of(files: set[Path]) -> dict[Path, Change | NoDate]:
            dates.update({file: self._date(file, entries) for file in files})
            return dates

        answers = date_by_files(queries, known_files, dates_of)
        for key, query in queries.items():
            of_parts = [dates[path] for path in query.parts.files]
            undated = [why for why in of_parts if isinstance(why, NoDate)]
            whys = [why for why in undated if why.reason != Reason.NOT_COMMITTED]
            # Of equally specific reasons, the first by its text.
            for why in sorted(whys, key=lambda why: why.detail):
                answer = answers[key]
                answers[key] = more_specific(answer, why) if isinstance(answer, NoDate) else why
        changed = sorted(
            path_from(self.root, file)
            for file, why in dates.items()
            if isinstance(why, NoDate) and why.reason == Reason.CHANGED_SINCE
        )
        if not changed:
            return answers, ()
        have, them = ("has", "it") if len(changed) == 1 else ("have", "them")
        found = f"{first_names(changed)} {have} changed since {DATES_FILE} was written"
        done = f"Pages made from {them} get no date from the dates file."
        stale = Problem(Code.DATES_FILE, found, done=done, fix=WRITE_AGAIN, level=Level.NOTE)
        return answers, [stale]

    def _date(self, file: Path, entries: _Entries) -> Change | NoDate:
        key, name = path_from(self.root, file), DATES_FILE
        if key not in entries:
            detail = f"{key} is not in {name}"
            return NoDate(Reason.NOT_IN_DATES_FILE, detail, fix=WRITE_AGAIN)
        if (entry := entries[key]) is None:
            detail = f"{key} was not committed when {name} was written"
            return NoDate(Reason.NOT_COMMITTED, detail, fix=COMMIT_FIRST)
        blob, change = entry
        if is_blob(file, blob):
            return change
        detail = f"{key} changed after {name} was written"
        return NoDate(Reason.CHANGED_SINCE, detail, fix=WRITE_AGAIN)


def _load(path: Path, settings: LastmodSettings) -> _Entries | Problem:
    try:
        content = json.loads(read_file(path, _MAX_BYTES))
        if content.get("format", Mark.DATES) != Mark.DATES:  # until 0.10, there was no mark
            found = _NOT_OURS
        elif content["version"] != _VERSION:
            found = f"has version {format_value(content['version'])}, not {_VERSION}"
        elif content["git"] != _git_options(settings.git):
            found = "was written with other options of lastmod.git"
        else:
            return {key: _entry(each, path.parent) for key, each in content["files"].items()}
    except Unreadable as error:
        found = f"can't be read ({error.reason})"
    # Anything may stand in the file: a text that is not JSON, or values of any type.
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError):
        found = _NOT_OURS
    return Problem(
        Code.DATES_FILE,
        f"{DATES_FILE} {found}",
        done="Pages get no date from this file.",
        fix=WRITE_AGAIN,
        level=Level.NOTE,
    )


def _entry(value: Any, root: Path) -> _Entry | None:  # noqa: ANN401 - any JSON
    """Return one entry. An invalid value raises one of the errors that `_load` catches."""
    if value is None:
        return None
    blob, commit, path = value["blob"], value["commit"], value["path"]
    when = datetime.fromisoformat(value["when"])
    are_ids = re.fullmatch(_OID, blob) and re.fullmatch(_OID, commit)
    if not are_ids or not isinstance(path, str) or when.utcoffset() is None:
        raise ValueError
    return blob, Change(
        repository=root,
        path=path,
        commit=commit,
        when=when.astimezone(UTC),
        skipped=tuple(Skipped(str(what), str(why)) for what, why in value.get("skipped", ())),
        added=value.get("added") is True,
        source=Source.FILE,
        note=str(value.get("note", "")),
    )


def _git_options(settings: GitSettings) -> dict[str, object]:
    """Return the options that dates depend on. With other values, the file is not used."""
    return {
        "date": str(settings.date),
        "change": str(settings.change),
        "ignore_revs_file": settings.ignore_revs_file,
        "ignore_authors": list(settings.ignore_authors),
        "ignore_subjects": list(settings.ignore_subjects),
        **({"branch": settings.branch} if settings.branch else {}),
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
        if change := changes.get(file):
            found = blob if blob and is_blob(file, blob) else _blob_of(file, change)
            values[path_from(root, file)] = _value(found or blob, change)
        elif blob is None:  # of a file at HEAD it is unknown, as in a shallow clone
            values[path_from(root, file)] = None
    mark = f'"format": {json.dumps(Mark.DATES)},\n"version": {_VERSION}'
    head = f'{mark},\n"git": {json.dumps(_git_options(settings))}'
    lines = (f"{json.dumps(key)}: {json.dumps(values[key])}" for key in sorted(values))
    entries = ",\n".join(lines)
    return f'{{\n{head},\n"files": {{\n{entries}\n}}\n}}\n'.encode("ascii")


def _blob_of(file: Path, change: Change) -> str | None:
    """Return the blob of a file that is a copy, or has changes; None if it can't be read."""
    data = content_of(file)
    return None if data is None else next(blob_ids(data, len(change.commit)))


def _value(blob: str | None, change: Change) -> dict[str, object]:
    when = change.when.isoformat()
    value = {"blob": blob, "commit": change.commit, "when": when, "path": change.path}
    optional = {"added": change.added, "skipped": change.skipped, "note": change.note}
    return value | {key: each for key, each in optional.items() if each}
