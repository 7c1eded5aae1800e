"""Follow files from HEAD through the history to the commits that changed them last.

Git prints each commit before its parents, with its edits against the first parent. Each file has a
cursor, which waits at a commit until this commit is printed. If the commit did not edit the file,
the cursor goes on at the first parent. Otherwise another parent of a merge may have the same file,
and the cursor goes on there (see "History Simplification" in ``git help log``). If none has, the
commit changed the file: it dates the file, unless it does not count.

``date=published`` reads first parents only, but for pulls and their like, before which the second
parent was published (see `merges`). At the first of them, git is asked again, for the whole history
behind it.
"""

import re
import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import translate
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from .git import Git, GitFailed
from .log import FORMAT, RAW, Bodies, Body, Commit, Diffs, Edit, Edits, commits, path_text
from .merges import Merges
from .repository import Repository, Version, covering
from .values import GitChange, GitCode, GitDate, GitProblem, one_line

USUAL_NAME = ".git-blame-ignore-revs"
"""The file of ignored commits that GitHub and others read, at the top of the repository."""
_EMPTY = (  # the empty blob, by SHA-1 and SHA-256: a new empty file is never a renamed one
    b"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    b"473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
)
_BROKE_OFF = "git ended in the middle of its output"


class Ignored(NamedTuple):
    """The commits that never date a file."""

    ids: tuple[bytes, ...] = ()  # whole or short, in lower case
    authors: re.Pattern[str] | None = None  # matches the whole of `Name <mail>`
    subjects: re.Pattern[str] | None = None  # matches the whole first line of a message
    file: str = USUAL_NAME  # which lists the ids
    globs: tuple[tuple[str, str], ...] = ()  # of both: "author" or "subject", and the glob

    def why(self, commit: Commit) -> str | None:
        """Return in a few words why a commit never dates a file; None if it may date one."""
        if self.ids and commit.oid.startswith(self.ids):
            return f"listed in {self.file}"
        if self.authors and self.authors.fullmatch(commit.author):
            return f"ignored author {commit.author}"
        if self.subjects and self.subjects.fullmatch(commit.subject):
            return f"ignored subject {one_line(repr(commit.subject), 80)}"
        return None


def glob_pattern(globs: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern that matches what one of these globs matches; None without globs.

    Case is ignored. Only ``*`` and ``?`` are special: names of bots and subjects have brackets.
    """
    parts = [translate(glob.replace("[", "[[]")) for glob in globs]
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None


def read_ignored(file: Path, name: str | None) -> tuple[tuple[bytes, ...], list[GitProblem]]:
    """Return the ids in a file that lists commits, and what is wrong with it.

    `name` is what the owner calls it; None if nobody named it, and it need not exist.
    """
    try:
        lines = file.read_text("utf-8-sig", "replace").split("\n")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "No file can have this name"
        problem = GitProblem(GitCode.IGNORE_REVS, f"can't be read ({why})", file=name)
        return (), [problem] if name else []
    ids, problems = set(), []
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if re.fullmatch(r"(?i)[0-9a-f]{4,64}", text):
            ids.add(text.lower().encode())
        elif text:
            found = f"{one_line(repr(text), 80)} is not the id of a commit"
            problems.append(GitProblem(GitCode.IGNORE_REVS, found, file=file.name, line=number))
    return tuple(sorted(ids)), problems


class Cursor(NamedTuple):
    """The position of a file in the history."""

    file: bytes  # its path at HEAD
    path: bytes  # its path at this position
    version: Version  # its mode and blob at this position
    skipped: tuple[tuple[bytes, str], ...] = ()  # commits that do not count, and why; newest first

    def past(self, commit: Commit, why: str) -> "Cursor":
        """Return the cursor behind a commit that does not count."""
        return self._replace(skipped=(*self.skipped, (commit.oid, why)))


_Cursors = dict[bytes, list[Cursor]]  # by path


class Stop(NamedTuple):
    """The commit that changed a file last."""

    cursor: Cursor
    commit: Commit
    added: bool
    ignored: str | None = None  # why it does not date the file; no older commit has the file


class Query(NamedTuple):
    """What is asked of a repository."""

    repository: Repository
    folders: tuple[bytes, ...]  # below its top, each with `/` at its end; b"": the top
    ignored: Ignored = Ignored()
    date: GitDate = GitDate.PUBLISHED
    change: GitChange = GitChange.CONTENT
    body: Body | None = None
    url: str | None = None  # of the repository, if git has no remote `origin`

    @property
    def pathspecs(self) -> list[bytes]:
        """Those of the folders, with slashes: an older file may have the name of a folder."""
        return [] if b"" in self.folders else [*self.folders]

    def log(self) -> Git:
        """Let git begin to print the history of the folders."""
        return self.log_from([self.repository.head], self.pathspecs)

    def log_from(
        self, starts: Sequence[bytes], pathspecs: Iterable[bytes], *, pulls: bool = False
    ) -> Git:
        """Let git print the history behind some commits; with `pulls`, all sides of merges."""
        narrow = self.date is GitDate.PUBLISHED and not pulls
        lines = ["--first-parent" if narrow else "--full-history", "--sparse"]
        if not narrow or len(starts) > 1:  # a single line has children before parents anyway
            lines.append("--topo-order")
        form = FORMAT.format(date="%at" if self.date is GitDate.AUTHOR else "%ct")
        words = (*lines, "--diff-merges=first-parent", "--no-decorate", "--no-notes", form, *RAW)
        log = Git(self.repository.top, "log", *words, "--stdin", "--", *pathspecs, stdin=True)
        log.ask(b"\n".join((*starts, b"")))
        log.end_questions()
        return log


class Walk:
    """One walk through the history of a repository."""

    def __init__(self, query: Query, log: Git | None = None) -> None:
        """Read nothing yet. `log` is that of the query, if it runs already."""
        self._query, self._log = query, log
        self.unmatched = {each: glob_pattern(each[1:]) for each in query.ignored.globs}
        self._left = 0  # how many files have not stopped
        self._pulls = False  # whether there was a pull
        narrow = query.date is GitDate.PUBLISHED
        self._merges = Merges(query.repository, query.url) if narrow else None
        self._pathspecs = query.pathspecs  # what the log covers; nothing: everything
        self._waiting: defaultdict[bytes, _Cursors] = defaultdict(dict)  # by commit
        self._elsewhere = self._waiting.copy()  # at paths that the log does not cover
        self._diffs: dict[tuple[bytes, ...], Diffs] = {}  # by pathspecs
        self._bodies: Bodies | None = None
        self._deleted = lru_cache(maxsize=1)(self._deletions)

    @property
    def missing_blobs(self) -> bool:
        """Whether contents could not be compared, because the clone lacks them."""
        return self._bodies is not None and self._bodies.missing

    def stops(self, files: Mapping[bytes, Version]) -> Iterator[Stop]:
        """Yield where these files of HEAD stop; raise GitFailed if git fails."""
        self._left, head = len(files), self._query.repository.head
        for file, version in files.items():
            inside = file.startswith(self._query.folders)
            waiting = self._waiting if inside else self._elsewhere
            waiting[head][file] = [Cursor(file, file, version)]
        try:
            while self._left:
                if not self._waiting:
                    self._look_elsewhere()
                starts = [*self._waiting]
                log = self._log or self._query.log_from(starts, self._pathspecs, pulls=self._pulls)
                self._log = None
                with log:
                    yield from self._read(log)
        finally:
            for diffs in self._diffs.values():
                diffs.git.stop()
            if self._bodies:
                self._bodies.git.stop()

    def _look_elsewhere(self) -> None:
        """Take up the cursors whose paths the log did not cover."""
        self._waiting, self._elsewhere = self._elsewhere, self._waiting
        self._pathspecs = covering({path for here in self._waiting.values() for path in here})
        if self._log:
            self._log.stop()
            self._log = None

    def _read(self, log: Git) -> Iterator[Stop]:
        """Yield stops until all files have stopped, or until the first pull."""
        for commit in commits(log):
            if self.unmatched:
                self._note_matches(commit)
            if (here := self._waiting.pop(commit.oid, None)) is None:
                continue
            pull = self._merges is not None and self._merges.is_pull(commit)
            if pull and not self._pulls:
                self._pulls, self._waiting[commit.oid] = True, here
                return
            if not pull and here.keys().isdisjoint(commit.paths):
                self._go_on(commit.parents[0] if commit.parents else b"", here)
                continue
            yield from self._visit(commit, here, pull=pull)
            if not self._left:
                return
        if self._waiting:  # but each file was added by some commit
            raise GitFailed(_BROKE_OFF)

    def _note_matches(self, commit: Commit) -> None:
        """Note which globs of the owner match a commit: the others are probably mistakes."""
        for (kind, glob), pattern in [*self.unmatched.items()]:
            if pattern and pattern.fullmatch(getattr(commit, kind)):
                del self.unmatched[kind, glob]

    def _visit(self, commit: Commit, here: _Cursors, *, pull: bool) -> Iterator[Stop]:
        """Let cursors go on at the first parent that has the same file; yield those that stop."""
        parents = commit.parents or [b""]
        if self._query.date is GitDate.PUBLISHED:
            parents = parents[::-1] if pull else parents[:1]
        for parent in parents:
            edits = self._edits(commit, parent, self._pathspecs)
            edited = {path: here.pop(path) for path in here.keys() & edits.keys()}
            if pull and parent is parents[0]:  # along first parents alone, the pull would count
                for path in here.keys() & commit.paths:
                    here[path] = [_past_pull(cursor, commit) for cursor in here[path]]
            self._go_on(parent, here)
            here = edited
            if not here:
                return
        parent, edits = parents[0], self._edits(commit, parents[0], self._pathspecs)
        for path, cursors in here.items():
            for cursor in cursors:
                if cursor.version != (edits[path].new_mode, edits[path].new_blob):
                    raise GitFailed("git left out a change of a file")
                if stop := self._changed(cursor, commit, parent, edits[path]):
                    self._left -= 1
                    yield stop

    def _edits(self, commit: Commit, parent: bytes, pathspecs: Sequence[bytes]) -> Edits:
        """Return how a commit differs from one of its parents, in some folders or all."""
        if parent == (commit.parents or [b""])[0] and pathspecs == self._pathspecs:
            return commit.edits
        key = tuple(pathspecs)
        if key not in self._diffs:
            self._diffs[key] = Diffs(self._query.repository.top, key)
        return self._diffs[key].edits(commit.oid, parent)

    def _changed(self, cursor: Cursor, commit: Commit, parent: bytes, edit: Edit) -> Stop | None:
        """Return the stop at a commit that changed the file; None if the file is followed on."""
        change, path, why = self._query.change, cursor.path, None
        version = edit.old_mode, edit.old_blob
        if change is not GitChange.ANY:
            if edit.regular and edit.old_blob == edit.new_blob:
                why = "mode change"
            elif parent and edit.added and (found := self._older_name(commit, parent, path)):
                path, version = found
                why = f"renamed from {path_text(path)}"
        if change is GitChange.BODY and not why and edit.regular and self._same_body(path, edit):
            why = "front matter or white space"
        if not why and (ignored := self._query.ignored.why(commit)):
            if edit.added:
                return Stop(cursor, commit, added=True, ignored=ignored)
            why = ignored
        if not why:
            return Stop(cursor, commit, edit.added)
        self._place(parent, cursor.past(commit, why)._replace(path=path, version=version))
        return None

    def _older_name(
        self, commit: Commit, parent: bytes, path: bytes
    ) -> tuple[bytes, Version] | None:
        """Return the path from which an added file was renamed, if it was, and its version there.

        The same commit deleted the same content there. Of several such paths, it is one inside of
        the folders, or else one with the same base name, or else the lowest.
        """
        edits, deleted = self._deleted(commit, parent)
        key = edits[path].new_blob, edits[path].new_mode[:3]
        found = filter(None, (deleted.get((*key, _base(path))), deleted.get(key)))
        old = min(found, key=self._is_outside, default=None)
        return None if old is None else (old, (edits[old].old_mode, edits[old].old_blob))

    def _deletions(
        self, commit: Commit, parent: bytes
    ) -> tuple[Edits, Mapping[tuple[bytes, ...], bytes]]:
        """Return the edits of a commit in all folders, and its best deleted path for each key.

        A key is a blob and a file type, and with or without a base name.
        """
        edits = self._edits(commit, parent, [])
        gone = (path for path, edit in edits.items() if edit.deleted)
        best: dict[tuple[bytes, ...], bytes] = {}
        for path in sorted(gone, key=lambda path: (self._is_outside(path), path)):
            if (blob := edits[path].old_blob) not in _EMPTY:
                key = blob, edits[path].old_mode[:3]
                best.setdefault(key, path)
                best.setdefault((*key, _base(path)), path)
        return edits, best

    def _is_outside(self, path: bytes) -> bool:
        return not path.startswith(self._query.folders)

    def _same_body(self, path: bytes, edit: Edit) -> bool:
        self._bodies = self._bodies or Bodies(self._query.repository.top, self._query.body)
        return self._bodies.same(path, edit)

    def _place(self, commit: bytes, cursor: Cursor) -> None:
        """Let a cursor wait at a commit."""
        specs, path = self._pathspecs, cursor.path
        covered = not specs or any(
            (path + b"/").startswith(spec.rstrip(b"/") + b"/") for spec in specs
        )
        here = self._waiting if covered else self._elsewhere
        here[commit].setdefault(path, []).append(cursor)

    def _go_on(self, commit: bytes, cursors: _Cursors) -> None:
        """Let cursors of covered paths wait at a commit."""
        few, many = sorted((cursors, self._waiting.get(commit, {})), key=len)
        for path, others in few.items():  # merging many into few would be quadratic
            many.setdefault(path, []).extend(others)
        if many:
            self._waiting[commit] = many


def _base(path: bytes) -> bytes:
    return path.rpartition(b"/")[2]


def _past_pull(cursor: Cursor, pull: Commit) -> Cursor:
    before = f"git log -1 --first-parent {pull.oid.decode()[:10]}^2"
    path = shlex.quote(path_text(cursor.path))
    return cursor.past(pull, f"it only merged what was published, which `{before} -- {path}` dates")
