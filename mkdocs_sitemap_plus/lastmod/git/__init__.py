"""Find when files last changed, in all repositories of a build."""

import os
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path

from mkdocs_sitemap_plus.lastmod import Change, NoDate, Reason
from mkdocs_sitemap_plus.lastmod.git.follow import (
    covering,
    date_of,
    folder_pathspecs,
    last_changes,
    prefetch,
)
from mkdocs_sitemap_plus.lastmod.git.log import path_text
from mkdocs_sitemap_plus.lastmod.git.process import GitFailed, GitProcess, GitUnexpected, output
from mkdocs_sitemap_plus.lastmod.git.pulls import Pulls
from mkdocs_sitemap_plus.lastmod.git.repository import (
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
from mkdocs_sitemap_plus.lastmod.git.rules import (
    MISSING_BLOBS,
    Blobs,
    Ignored,
    Reading,
    read_ignored,
)
from mkdocs_sitemap_plus.lastmod.git.walk import Stop
from mkdocs_sitemap_plus.options import GitDate, GitSettings, Shallow
from mkdocs_sitemap_plus.problems import Problem

_FEW_FILES = 200
"""With more files, git reads the whole history while the build runs (`benchmarks/hidden_start.py`).
With fewer, git waits when its pipe is full: the walk often ends before it needs the rest."""

_REASONS = {"no-repository": Reason.NO_REPOSITORY, "no-commits": Reason.NOT_COMMITTED}
"""The reasons by the code of a problem. Every other code means that git failed."""


class History:
    """When files last changed, according to git. Files are absolute paths; links are followed.

    ``date: published`` is the committer date of ``git log -1 --first-parent -- PATH``, but what
    came with a ``git pull`` keeps the date that it had before (see `pulls`). ``date: commit`` and
    ``date: author`` are the committer and the author date of ``git log -1 -- PATH``.
    Commits that the owner ignores are skipped. With ``change: content`` or ``body``, so are commits
    that do not count.
    """

    def __init__(
        self, settings: GitSettings, root: Path = Path(), repository: str | None = None
    ) -> None:
        """Read nothing yet. `ignore_revs_file` is relative to `root`, the project file's folder.

        `repository` is the URL of the project's repository. It tells which merges are pulls where
        git has no remote ``origin``.
        """
        self._settings = settings
        self._root = root
        self._repository = repository
        self._repositories = RepositoryFinder(fetch=settings.shallow is Shallow.FETCH)
        self._folders: list[Path] = []
        self._prefetched: dict[Repository, GitProcess] = {}
        self._ignored: dict[Repository, Ignored] = {}
        self._problems: dict[Problem, None] = {}
        self._failed: dict[Repository, Problem] = {}

    def start(self, folder: Path) -> None:
        """Add a docs folder, and start git to read the history of this folder beside the build.

        Git is not started if an earlier build has read this history.
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
            folders, many = self._folders_in(repository), len(head.versions) > _FEW_FILES
            reading = Reading(repository, folders, self._settings)
            self._prefetched[repository] = prefetch(reading, to_end=many)
        except GitFailed as failure:
            self._fail(repository, failure)

    def tracked(self, files: Iterable[Path]) -> set[Path]:
        """Return those of these files that HEAD holds."""
        return {file for file, blob in self.blobs(files).items() if blob}

    def blobs(self, files: Iterable[Path]) -> dict[Path, str | None]:
        """Return the ids of the blobs of these files at HEAD; None if HEAD does not hold the file.

        Files in a repository that can't be read are left out.
        """
        located = self._locate(files)
        outside = located.outside.items()
        found: dict[Path, str | None] = {
            file: None for file, (_, problem) in outside if problem.code == "no-repository"
        }
        for repository, paths in located.paths.items():
            versions = self._versions(repository, paths.values())
            for file, path in paths.items():
                if path in versions:
                    version = versions[path]
                    found[file] = version[1].decode("ascii") if version else None
        return found

    def dates(self, files: Iterable[Path]) -> dict[Path, Change | NoDate]:
        """Return the commits that date these files, or why none does."""
        located = self._locate(files)
        found: dict[Path, Change | NoDate] = {}
        for file, (_, why) in located.outside.items():
            reason = _REASONS.get(why.code, Reason.GIT_FAILED)
            found[file] = NoDate(reason, why.found, cause=why)
        for repository, paths in located.paths.items():
            dates = self._dates_in(repository, paths.values())
            found |= {file: dates[path] for file, path in paths.items()}
        return found

    def changes(self, files: Iterable[Path]) -> dict[Path, Change]:
        """Return the commits that date these files; the other files are left out."""
        dates = self.dates(files).items()
        return {file: date for file, date in dates if isinstance(date, Change)}

    def subject(self, repository: Path, commit: str) -> str:
        """Return the subject of a commit, in one line; an empty text if git can't read it."""
        try:
            printed = output(repository, "log", "-1", "--format=%s", commit)
        except GitFailed:
            return ""
        return printed.decode("utf-8", "replace").strip() if printed.count(b"\n") == 1 else ""

    @property
    def problems(self) -> list[Problem]:
        """Why files have no date, or why commits count that should not; each problem once."""
        return list(dict.fromkeys((*self._repositories.problems, *self._problems)))

    def close(self) -> None:
        """End the processes that `start` began, if their output was not read."""
        for repository in list(self._prefetched):
            self._end(repository)

    def _end(self, repository: Repository) -> None:
        if process := self._prefetched.pop(repository, None):
            process.stop()

    def _locate(self, files: Iterable[Path]) -> Located:
        """Return the repositories of files. Note why files of the docs folders have none."""
        located = self._repositories.locate(files)
        for real, problem in dict.fromkeys(located.outside.values()):
            # A file that a page includes need not be in a repository.
            in_docs = any(Path(real).is_relative_to(folder) for folder in self._folders)
            is_harmless = problem.code == "no-repository" and self._folders and not in_docs
            if not is_harmless:
                self._problems[problem] = None
        return located

    def _head(self, repository: Repository) -> Head:
        """Return what this build or an earlier one has read of a repository's HEAD."""
        folders, ignored = self._folders_in(repository), self._ignored_in(repository)
        key = (repository, folders, self._settings, ignored, self._repository)
        return head_of(repository.top, key)

    def _fail(self, repository: Repository, failure: GitFailed, *, dated: bool = False) -> None:
        """Keep why git failed in a repository. Git is not run there again in this build.

        `dated` is whether git has dated some pages before.
        """
        problem = problem_of(failure, repository.top)
        if dated:
            done = "Pages that git has not dated yet get no date from git."
            problem = problem._replace(done=done)
        self._failed[repository] = problem
        self._problems[problem] = None

    def _list(self, repository: Repository) -> None:
        """Read which files HEAD holds in the docs folders, unless that was read before."""
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
                dates[path] = NoDate(Reason.GIT_FAILED, failed.found, cause=failed)
            else:
                detail = f"{path_text(path)} is not committed"
                dates[path] = NoDate(Reason.NOT_COMMITTED, detail)
        if not failed:
            head.dates |= dates
        return head.dates | dates

    def _walk(self, repository: Repository, files: Versions) -> dict[bytes, Stop]:
        """Return the stops of files by their paths at HEAD; if git fails, not of all files."""
        stops: dict[bytes, Stop] = {}
        if not files or repository in self._failed:
            return stops
        folders, ignored = self._folders_in(repository), self._ignored_in(repository)
        pulls = None
        if self._settings.date is GitDate.PUBLISHED:
            pulls = Pulls(repository.top, repository.head, self._repository)
        try:
            with closing(Blobs(repository.top)) as blobs:
                same_body = blobs.same_body
                reading = Reading(repository, folders, self._settings, ignored, same_body, pulls)
                prefetched = self._prefetched.pop(repository, None)
                for stop in last_changes(reading, files, prefetched):
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
            found, problems = read_ignored(self._settings, self._root, repository.top)
            self._problems.update(dict.fromkeys(problems))
            self._ignored[repository] = found
        return self._ignored[repository]

    def _folders_in(self, repository: Repository) -> tuple[bytes, ...]:
        """Return the docs folders in a repository, with ``/`` at the end; empty bytes: the top."""
        inside = set()
        for folder in self._folders:
            if repository.top.is_relative_to(folder):
                inside.add(b"")
            elif self._repositories.repository(str(folder)) == repository:
                inside.add(relative(str(folder), repository.top) + b"/")
        return tuple(sorted(inside))
