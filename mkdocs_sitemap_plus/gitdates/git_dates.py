"""Find when files last changed, in all of their repositories."""

import os
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Self, TypeVar

from .follow import covering, date_of, folder_pathspecs, last_changes, prefetch
from .log import path_text
from .process import GitFailed, GitProcess, GitUnexpected, output
from .pulls import Pulls
from .removed import Removed, removed
from .repository import (
    Head,
    Located,
    Repository,
    RepositoryFinder,
    Versions,
    files_at_head,
    head_of,
    problem_of,
    relative,
)
from .rules import (
    MISSING_BLOBS,
    USUAL_NAME,
    Blobs,
    Body,
    Ignored,
    RepositoryQuery,
    glob_pattern,
    read_ignored_ids,
    read_lines,
)
from .values import Change, GitChange, GitCode, GitDate, GitProblem, GitReason, NoDate
from .walk import Stop

_FEW_FILES = 200
"""With more files, git reads the whole history ahead (`benchmarks/hidden_start.py`). With fewer, it
waits when its pipe is full: the walk often ends before it needs the rest."""

_REASONS = {
    GitCode.NO_REPOSITORY: GitReason.NO_REPOSITORY,
    GitCode.NO_COMMITS: GitReason.NOT_COMMITTED,
}
"""The reasons by the code of a problem. Every other code means that git failed."""

_AnyPath = str | os.PathLike[str]
_Path = TypeVar("_Path", bound=_AnyPath)


class GitDates:
    """When files last changed, according to git. A context manager, which ends git at its end.

    ``date=published`` is the committer date of ``git log -1 --first-parent -- PATH``, but what came
    with a ``git pull`` keeps the date that it had before (see `pulls`). ``date=commit`` and
    ``date=author`` are the committer and the author date of ``git log -1 -- PATH``. Commits that
    are ignored are skipped, and so are commits that do not count by `change`.

    Paths are absolute, or relative to the current folder; symbolic links are followed. A file may
    be in any repository, also in a submodule. Nothing is written, and nothing is fetched without
    `fetch`. Git that fails raises no error: see `problems`.

    An object reads HEAD of each repository once, so make a new one after a commit. The history is
    then read again, but not if HEAD is the same. An object is not for several threads at once.

    Example::

        with GitDates("docs") as dates:
            found = dates.last_changes(["docs/index.md"])["docs/index.md"]
            print(found.when if isinstance(found, Change) else found.reason)
    """

    def __init__(  # noqa: PLR0913 - options
        self,
        *folders: _AnyPath,
        date: GitDate | str = GitDate.PUBLISHED,
        change: GitChange | str = GitChange.CONTENT,
        ignore_revs_file: str | None = None,
        ignore_authors: Iterable[str] = (),
        ignore_subjects: Iterable[str] = (),
        root: _AnyPath = "",
        repository: str | None = None,
        fetch: bool = False,
        body: Body | None = None,
    ) -> None:
        """Start git to read the history of these folders, which hold all files or most of them.

        Args:
            folders: As `start` takes them.
            date: Which date of which commit is the date of a file.
            change: Which commits count as a change.
            ignore_revs_file: A file of commits to ignore, as ``git blame --ignore-revs-file`` reads
                it. Without it, ``.git-blame-ignore-revs`` at the top of each repository.
            ignore_authors: Patterns with ``*`` and ``?`` for ``Name <mail>``. Case is ignored.
            ignore_subjects: Patterns of the same kind for the first lines of messages.
            root: The folder that `ignore_revs_file` is relative to.
            repository: The URL of the repository. It tells which merges are pulls if git has no
                remote ``origin``.
            fetch: Whether the missing history of a shallow clone is fetched.
            body: Takes the path of a file in its repository, and its content. Returns what of it
                counts for ``change=body``, such as a page without its front matter.

        Raises:
            ValueError: `date` or `change` has another value.
        """
        self._date = GitDate(date)
        self._change = GitChange(change)
        self._ignore_revs_file = ignore_revs_file
        self._authors = glob_pattern(tuple(ignore_authors))
        self._subjects = glob_pattern(tuple(ignore_subjects))
        self._root = Path(root)
        self._repository = repository
        self._body = body
        self._repositories = RepositoryFinder(fetch=fetch)
        self._folders: list[Path] = []
        self._prefetched: dict[Repository, GitProcess] = {}
        self._ignored: dict[Repository, Ignored] = {}
        self._problems: dict[GitProblem, None] = {}
        self._failed: dict[Repository, GitProblem] = {}
        for folder in folders:
            self.start(folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, folder: _AnyPath) -> None:
        """Start git to read the history of one more folder, while the caller does something else.

        Git is not started if the history was read before in this process, and HEAD is the same.
        """
        real = Path(os.path.realpath(folder))
        if real in self._folders:
            return
        self._folders.append(real)
        repository = self._repositories.repository(str(real))
        if not isinstance(repository, Repository) or repository in self._failed:
            return
        self._end(repository)  # it may have been started for fewer folders
        head = self._head(repository)
        if head.dates:
            return
        try:
            self._list(repository)
            many = len(head.versions) > _FEW_FILES
            self._prefetched[repository] = prefetch(self._query(repository), to_end=many)
        except GitFailed as failure:
            self._fail(repository, failure)

    def last_changes(self, files: Iterable[_Path]) -> dict[_Path, Change | NoDate]:
        """Return the commits that date these files, or why none does; each file is a key."""
        located = self._locate(files)
        found: dict[_Path, Change | NoDate] = {}
        for file, (_, why) in located.outside.items():
            reason = _REASONS.get(why.code, GitReason.GIT_FAILED)
            found[file] = NoDate(reason, why.found, cause=why)
        for repository, paths in located.paths.items():
            dates = self._dates_in(repository, paths.values())
            found |= {file: dates[path] for file, path in paths.items()}
        return found

    def changes(self, files: Iterable[_Path]) -> dict[_Path, Change]:
        """Return the commits that date these files; the other files are left out."""
        found = self.last_changes(files).items()
        return {file: change for file, change in found if isinstance(change, Change)}

    def tracked(self, files: Iterable[_Path]) -> set[_Path]:
        """Return those of these files that HEAD holds."""
        return {file for file, blob in self.blobs(files).items() if blob}

    def blobs(self, files: Iterable[_Path]) -> dict[_Path, str | None]:
        """Return the ids of the blobs of these files at HEAD; None if HEAD does not hold the file.

        Files in a repository that can't be read are left out.
        """
        located = self._locate(files)
        outside = located.outside.items()
        found: dict[_Path, str | None] = {
            file: None for file, (_, why) in outside if why.code is GitCode.NO_REPOSITORY
        }
        for repository, paths in located.paths.items():
            versions = self._versions(repository, paths.values())
            for file, path in paths.items():
                if path in versions:
                    version = versions[path]
                    found[file] = version[1].decode("ascii") if version else None
        return found

    def subject(self, repository: Path, commit: str) -> str:
        """Return the subject of a commit, in one line; an empty text if git can't read it."""
        try:
            printed = output(repository, "log", "-1", "--format=%s", commit)
        except GitFailed:
            return ""
        return printed.decode("utf-8", "replace").strip() if printed.count(b"\n") == 1 else ""

    def removed(self, files: Iterable[_Path]) -> dict[_Path, Removed]:
        """Return the commits that deleted or renamed files which HEAD does not hold any more.

        A file that HEAD holds, that was never committed, or whose repository git can't read is left
        out.
        """
        located = self._locate(files)
        found: dict[_Path, Removed] = {}
        for repository, paths in located.paths.items():
            versions = self._versions(repository, paths.values())
            gone = {file: path for file, path in paths.items() if not versions.get(path)}
            with suppress(GitFailed):
                removals = removed(repository.top, gone.values())
                found |= {file: removals[path] for file, path in gone.items() if path in removals}
        return found

    def is_kept(self, repository: Path, commit: str) -> bool:
        """Return whether the file of ignored commits has this commit in a comment.

        So the owner says that the dates of this commit are right.
        """
        try:
            lines = read_lines(self._file_of_ignored(repository))
        except (OSError, ValueError):
            return False
        return any(commit in line.partition("#")[2] for line in lines)

    @property
    def problems(self) -> list[GitProblem]:
        """Why files have no date, or why commits count that should not; each problem once."""
        return list(dict.fromkeys((*self._repositories.problems, *self._problems)))

    def close(self) -> None:
        """End the processes that `start` began, if their output was not read."""
        for repository in list(self._prefetched):
            self._end(repository)

    def _end(self, repository: Repository) -> None:
        if process := self._prefetched.pop(repository, None):
            process.stop()

    def _locate(self, files: Iterable[_Path]) -> Located[_Path]:
        """Return the repositories of files. Note why files of the folders have none."""
        located = self._repositories.locate(files)
        for real, problem in dict.fromkeys(located.outside.values()):
            # A file outside of the folders, such as one that a page includes, need not be in one.
            inside = any(Path(real).is_relative_to(folder) for folder in self._folders)
            no_repository = problem.code is GitCode.NO_REPOSITORY
            is_harmless = no_repository and self._folders and not inside
            if not is_harmless:
                self._problems[problem] = None
        return located

    def _head(self, repository: Repository) -> Head:
        """Return what was read of a repository's HEAD, by this object or an earlier one."""
        return head_of(repository.top, (self._query(repository), self._body, self._repository))

    def _query(self, repository: Repository) -> RepositoryQuery:
        folders, ignored = self._folders_in(repository), self._ignored_in(repository)
        return RepositoryQuery(repository, folders, self._date, self._change, ignored)

    def _fail(self, repository: Repository, failure: GitFailed, *, dated: bool = False) -> None:
        """Keep why git failed in a repository. Git is not run there again.

        `dated` is whether git has dated some files before.
        """
        problem = problem_of(failure, repository.top, partial=dated)
        self._failed[repository] = problem
        self._problems[problem] = None

    def _list(self, repository: Repository) -> None:
        """Read which files HEAD holds in the folders, unless that was read before."""
        head = self._head(repository)
        if not head.listed:
            folders = self._folders_in(repository)
            head.versions |= files_at_head(repository, folder_pathspecs(folders))
            head.listed = True

    def _versions(
        self, repository: Repository, paths: Iterable[bytes]
    ) -> Mapping[bytes, tuple[bytes, bytes] | None]:
        """Return mode and blob of these files at HEAD; None for a file that HEAD lacks.

        The result may also have other files. If git fails, some of these files may be missing.
        """
        versions, folders = self._head(repository).versions, self._folders_in(repository)
        new = [path for path in paths if path not in versions]
        if not new or repository in self._failed:
            return versions
        outside = [path for path in new if not path.startswith(folders)]
        try:
            if any(path.startswith(folders) for path in new):
                self._list(repository)
            if outside:
                versions |= files_at_head(repository, covering(outside))
        except GitFailed as failure:
            self._fail(repository, failure)
            return versions
        for path in new:
            versions.setdefault(path, None)
        return versions

    def _dates_in(
        self, repository: Repository, paths: Iterable[bytes]
    ) -> Mapping[bytes, Change | NoDate]:
        """Return the dates of these files, and maybe of others."""
        head = self._head(repository)
        new = dict.fromkeys(path for path in paths if path not in head.dates)
        if not new:
            return head.dates
        versions = self._versions(repository, new)
        held = {path: version for path in new if (version := versions.get(path))}
        stops = self._walk(repository, held)
        failed = self._failed.get(repository)
        dates: dict[bytes, Change | NoDate] = {}
        for path in new:
            if path in stops:
                dates[path] = date_of(repository, stops[path])
            elif failed and (path in held or path not in versions):  # HEAD may hold the file
                dates[path] = NoDate(GitReason.GIT_FAILED, failed.found, cause=failed)
            else:
                detail = f"{path_text(path)} is not committed"
                dates[path] = NoDate(GitReason.NOT_COMMITTED, detail)
        if not failed:
            head.dates |= dates
        return head.dates | dates

    def _walk(self, repository: Repository, files: Versions) -> dict[bytes, Stop]:
        """Return the stops of files by their paths at HEAD; if git fails, not of all files."""
        stops: dict[bytes, Stop] = {}
        if not files or repository in self._failed:
            return stops
        pulls = None
        if self._date is GitDate.PUBLISHED:
            pulls = Pulls(repository.top, repository.head, self._repository)
        try:
            with closing(Blobs(repository.top, self._body)) as blobs:
                query = self._query(repository)._replace(same_body=blobs.same_body, pulls=pulls)
                prefetched = self._prefetched.pop(repository, None)
                for stop in last_changes(query, files, prefetched):
                    stops[stop.cursor.page] = stop
            if blobs.missing:
                self._problems[MISSING_BLOBS] = None
        except GitUnexpected as failure:
            stops.clear()  # what git printed before may be wrong too
            self._fail(repository, failure)
        except GitFailed as failure:
            self._fail(repository, failure, dated=bool(stops))
        return stops

    def _ignored_in(self, repository: Repository) -> Ignored:
        if repository not in self._ignored:
            named = self._ignore_revs_file
            ids, problems = read_ignored_ids(self._file_of_ignored(repository.top), named)
            self._problems.update(dict.fromkeys(problems))
            ignored = Ignored(ids, self._authors, self._subjects, named or USUAL_NAME)
            self._ignored[repository] = ignored
        return self._ignored[repository]

    def _file_of_ignored(self, top: Path) -> Path:
        named = self._ignore_revs_file
        return self._root / named if named else top / USUAL_NAME

    def _folders_in(self, repository: Repository) -> tuple[bytes, ...]:
        """Return the folders in a repository, with ``/`` at the end; empty bytes: the top."""
        inside = set()
        for folder in self._folders:
            if repository.top.is_relative_to(folder):
                inside.add(b"")
            elif self._repositories.repository(str(folder)) == repository:
                inside.add(relative(str(folder), repository.top) + b"/")
        return tuple(sorted(inside))
