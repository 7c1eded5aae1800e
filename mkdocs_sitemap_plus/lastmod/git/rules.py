"""Which commits do not date a file, and at which path its history continues before them."""

import hashlib
import re
from collections.abc import Callable, Iterable
from fnmatch import translate
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.files import Unreadable, read_text
from mkdocs_sitemap_plus.lastmod.git.log import LogCommit, RawChange, path_text
from mkdocs_sitemap_plus.lastmod.git.process import (
    GitBrokeOff,
    GitFailed,
    GitProcess,
    GitUnexpected,
)
from mkdocs_sitemap_plus.lastmod.git.pulls import Pulls
from mkdocs_sitemap_plus.lastmod.git.repository import Repository
from mkdocs_sitemap_plus.options import GitChange, GitSettings
from mkdocs_sitemap_plus.pages.front_matter import body_of
from mkdocs_sitemap_plus.problems import Origin, Place, Problem
from mkdocs_sitemap_plus.wording import format_value

USUAL_NAME = ".git-blame-ignore-revs"
"""The file of ignored commits that GitHub and others read, at the top of the repository."""

_REGULAR = b"100"
_MARKDOWN = (b".md", b".markdown", b".mdown", b".mkdn", b".mkd")
"""The endings of pages in MkDocs. Files with other endings have no front matter."""

_NOT_FETCHED = "promisor remote|lazy fetching disabled"
"""Errors of git if a partial clone lacks a blob. Git is not allowed to fetch it."""

_HASHES = {40: "sha1", 64: "sha256"}  # the hash of a repository, by the length of its ids
_MAX_HEADER = 256

_MAX_SPLIT = 1 << 22
"""In a file with more bytes, white space counts: a list of its words would take much memory."""

MISSING_BLOBS = Problem(
    code="no-blobs",
    found="the clone does not have the content of old files, as after `git clone "
    "--filter=blob:none`",
    done="So commits that change only front matter or white space count too.",
    fix="Clone without a filter if `lastmod.git.change` is `body`.",
    note=True,
)


def blob_id(data: bytes, length: int) -> str:
    """Return the id of a blob in a repository whose ids have this length, 40 or 64."""
    digest = hashlib.new(_HASHES[length], b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


_EMPTY = frozenset(blob_id(b"", length).encode() for length in _HASHES)
"""The ids of the empty blob. A new empty file is never a renamed one."""


class ContinueAt(NamedTuple):
    """Where a file's history continues in the parent of a commit that does not count."""

    path: bytes | None  # None: the parent lacks the file, so no commit dates it
    why: str  # why the commit does not count, in a few words


Rule = Callable[[LogCommit, RawChange], ContinueAt | None]


class Ignored(NamedTuple):
    """Commits, authors and subjects that never date a page."""

    ids: tuple[bytes, ...] = ()  # of commits, whole or short, in lower case
    authors: re.Pattern[str] | None = None  # matches the whole of `Name <mail>`
    subjects: re.Pattern[str] | None = None  # matches the whole of a subject
    file: str = USUAL_NAME  # the name of the file that lists the commits

    def why(self, commit: LogCommit) -> str | None:
        """Return in a few words why this commit never dates a page; None if it may date one."""
        if commit.oid.startswith(self.ids):
            return f"listed in {self.file}"
        author = commit.author.decode("utf-8", "replace")
        if self.authors and self.authors.fullmatch(author):
            return f"ignored author {author}"
        subject = commit.subject.decode("utf-8", "replace")
        if self.subjects and self.subjects.fullmatch(subject):
            return f"ignored subject {format_value(subject)}"
        return None


class Reading(NamedTuple):
    """How one repository is read, and what counts as a change in it."""

    repository: Repository
    folders: tuple[bytes, ...]  # docs folders below its top, each with `/` at its end; b"": the top
    settings: GitSettings
    ignored: Ignored = Ignored()
    same_body: Callable[[bytes, bytes, bytes], bool] | None = None  # `Blobs.same_body`
    pulls: Pulls | None = None  # None: only the start of git is needed


class Blobs:
    """Compares blobs."""

    def __init__(self, top: Path) -> None:
        self.missing = False  # whether the clone lacks a blob that was compared
        self._top = top
        self._running: GitProcess | None = None
        self._unread = bytearray()

    def close(self) -> None:
        """End the process, if one was started."""
        if self._running:
            self._running.stop()

    def same_body(self, path: bytes, one: bytes, other: bytes) -> bool:
        """Whether two blobs, by their ids, differ only in front matter and white space.

        Both are the file at `path`, whose ending says whether it can have front matter. Raises
        GitFailed if git can't read one of them.
        """
        page = path.lower().endswith(_MARKDOWN)
        bodies = [self._body(oid, page=page) for oid in (one, other)]
        if None in bodies:
            self.missing = True
            return False  # an unknown difference counts as a change
        return bodies[0] == bodies[1]

    def _body(self, oid: bytes, *, page: bool) -> bytes | None:
        """Return the text with white space as single blanks; None if the clone lacks a blob.

        After the first missing blob, no other is read.
        """
        data = None if self.missing else self._content(oid)
        if data is None:
            return None
        text = body_of(data) if page else data
        return b" ".join(text.split()) if len(text) <= _MAX_SPLIT else text

    def _content(self, oid: bytes) -> bytes | None:
        if self._running is None:
            arguments = ("--no-replace-objects", "cat-file", "--batch")
            self._running = GitProcess(self._top, *arguments, stdin=None)
        self._running.write(oid + b"\n")
        try:
            while (end := self._unread.find(b"\n")) < 0:
                if len(self._unread) > _MAX_HEADER:
                    raise GitUnexpected(self._unread)
                self._read_more()
            header = self._take(end)
            if header == oid + b" missing":
                return None
            if (found := re.fullmatch(rb"[0-9a-f]+ blob ([0-9]{1,9})", header)) is None:
                raise GitUnexpected(header)
            data = self._take(int(found[1]))
        except GitFailed as failure:
            if re.search(_NOT_FETCHED, failure.stderr):
                return None
            raise
        if blob_id(data, len(oid)) != oid.decode():
            raise GitUnexpected(data)
        return data

    def _take(self, size: int) -> bytes:
        """Return the next bytes of the output, and drop the newline after them."""
        while len(self._unread) <= size:
            self._read_more()
        data = bytes(self._unread[:size])
        del self._unread[: size + 1]
        return data

    def _read_more(self) -> None:
        if self._running is None or not (piece := self._running.read()):
            raise GitBrokeOff
        self._unread += piece


class Renames:
    """Finds the older name of a file that was renamed and not changed.

    In a rename, one diff to the first parent deletes a path and adds another. Both have the same
    file type and the same blob, which is not empty. Of several deleted paths, one inside the docs
    folders is preferred, then one with the same base name, then the lowest by its bytes. So if a
    diff of only the docs folders finds a path, the diff of all folders finds the same one.
    """

    def __init__(self, folders: tuple[bytes, ...]) -> None:
        self._folders = folders
        self._indexed: LogCommit | None = None
        self._best: dict[tuple[object, ...], bytes] = {}

    def older_name(self, commit: LogCommit, change: RawChange) -> bytes | None:
        """Return the path before this commit; None if the commit did not rename the file."""
        if not change.added or change.new_oid in _EMPTY:
            return None
        if self._indexed is not commit:
            self._indexed, self._best = commit, self._index(commit.changes)
        for inside in (True, False):
            key = (change.new_oid, change.new_mode[:3], inside)
            path = self._best.get((*key, _base(change.path))) or self._best.get(key)
            if path:
                return path
        return None

    def _index(self, changes: Iterable[RawChange]) -> dict[tuple[object, ...], bytes]:
        """Return the lowest deleted path for each key.

        A key is the blob, the file type, and whether the path is in the docs folders. Each path
        also has a second key: the same with its base name added.
        """
        best: dict[tuple[object, ...], bytes] = {}
        for change in sorted(change for change in changes if change.deleted):
            inside = change.path.startswith(self._folders)
            key = (change.old_oid, change.old_mode[:3], inside)
            best.setdefault(key, change.path)
            best.setdefault((*key, _base(change.path)), change.path)
        return best


def _base(path: bytes) -> bytes:
    return path.rpartition(b"/")[2]


def skip_rule(reading: Reading, renames: Renames | None, *, complete: bool) -> Rule:
    """Return the rule of a walk: a function of a commit and one of its changes.

    The rule returns where the file's history continues; None if the change counts. A file that an
    ignored commit added has no older commit, unless the commit renamed it. If the walk may miss
    renames (not `complete`), the rule returns None for such a file. `follow` then compares the
    whole trees.
    """
    counts = reading.settings.change
    same_body = reading.same_body if counts is GitChange.BODY else None

    def rule(commit: LogCommit, change: RawChange) -> ContinueAt | None:
        regular = change.old_mode[:3] == change.new_mode[:3] == _REGULAR
        if counts is not GitChange.ANY:
            if regular and change.old_oid == change.new_oid:
                return ContinueAt(change.path, "mode change")
            if renames and (older := renames.older_name(commit, change)):
                return ContinueAt(older, f"renamed from {path_text(older)}")
        if regular and same_body and same_body(change.path, change.old_oid, change.new_oid):
            return ContinueAt(change.path, "front matter or white space")
        why = reading.ignored.why(commit)
        if why is None:
            return None
        if not change.added:
            return ContinueAt(change.path, why)
        may_be_renamed = commit.parents and not complete
        return None if may_be_renamed else ContinueAt(None, why)

    return rule


def glob_pattern(globs: tuple[str, ...]) -> re.Pattern[str] | None:
    """Return a pattern that matches what one of these globs matches; None without globs.

    Case is ignored. Only ``*`` and ``?`` are special: names of bots and subjects have brackets. All
    stars but the last are atomic, so the time of a search is not exponential.
    """
    parts = (translate(glob.replace("[", "[[]")) for glob in globs)
    return re.compile("|".join(parts), re.IGNORECASE) if globs else None


def file_of_ignored(settings: GitSettings, root: Path, top: Path) -> Path:
    """Return the file that lists the commits to ignore in the repository at `top`.

    ``ignore_revs_file`` is relative to `root`, the project file's folder. Without it, the file is
    ``.git-blame-ignore-revs`` at the top of the repository.
    """
    named = settings.ignore_revs_file
    return root / named if named else top / USUAL_NAME


def read_ignored(settings: GitSettings, root: Path, top: Path) -> tuple[Ignored, list[Problem]]:
    """Return what the owner ignores in a repository, and what is wrong with the file of commits."""
    named, path = settings.ignore_revs_file, file_of_ignored(settings, root, top)
    problems: list[Problem] = []
    ids: set[bytes] = set()
    try:
        lines = read_text(path, "utf-8-sig").split("\n")
    except Unreadable as error:
        lines = []
        if named:
            place = Place(origin=Origin.OPTION, key="lastmod.git.ignore_revs_file")
            found = f"is {format_value(named)}, which can't be read ({error.reason})"
            done = "The commits in it are not ignored."
            problems.append(Problem(code="ignore-revs", place=place, found=found, done=done))
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if re.fullmatch(r"(?i)[0-9a-f]{4,64}", text):
            ids.add(text.lower().encode())
        elif text:
            place = Place(origin=Origin.OPTION, file=path.name, line=number)
            found = f"{format_value(text)} is not the id of a commit"
            done = "The line is ignored."
            problem = Problem(code="ignore-revs", place=place, found=found, done=done, note=True)
            problems.append(problem)
    ignored = Ignored(
        ids=tuple(sorted(ids)),
        authors=glob_pattern(settings.ignore_authors),
        subjects=glob_pattern(settings.ignore_subjects),
        file=named or USUAL_NAME,
    )
    return ignored, problems
