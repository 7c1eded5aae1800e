"""Find when files last changed, in all repositories of a build."""

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from mkdocs_sitemap_plus.lastmod import Change, NoDate, Reason
from mkdocs_sitemap_plus.lastmod.git.blobs import MISSING_BLOBS, Blobs
from mkdocs_sitemap_plus.lastmod.git.cache import Answer, Known, known_of, recall, remember
from mkdocs_sitemap_plus.lastmod.git.follow import (
    Reading,
    covering,
    date_of,
    folder_pathspecs,
    last_changes,
    path_text,
    prefetch,
)
from mkdocs_sitemap_plus.lastmod.git.process import Git, GitFailed, GitUnexpected
from mkdocs_sitemap_plus.lastmod.git.repository import (
    Located,
    Places,
    Repository,
    Versions,
    problem_of,
    relative,
    tracked,
)
from mkdocs_sitemap_plus.lastmod.git.rules import Conditions, Ignored, read_ignored
from mkdocs_sitemap_plus.options.settings import GitSettings, Shallow
from mkdocs_sitemap_plus.problems import Problem

if TYPE_CHECKING:
    from mkdocs_sitemap_plus.lastmod.git.process import Running
    from mkdocs_sitemap_plus.lastmod.git.walk import Stop

_FEW = 200
"""With so few files the walk ends early, so git waits when its pipe is full. With more, it runs on
to the end of the history beside the build (`benchmarks/hidden_start.py`)."""

_Value = TypeVar("_Value")


class History:
    """When files last changed, according to git. Files are absolute paths; links are followed.

    The meaning is one command. With ``change: any`` the date is the committer date of
    ``git log -1 --first-parent -- PATH`` at HEAD (``date: published``), or the committer or author
    date of ``git log -1 -- PATH`` (``commit``, ``author``). ``content`` and ``body`` continue along
    the same line of history past commits that do not count, as for commits that the owner ignores.
    """

    def __init__(self, settings: GitSettings, root: Path = Path()) -> None:
        """Read nothing yet.

        Args:
            settings: the options under ``lastmod.git``.
            root: the folder of the project file, from which `ignore_revs_file` is named.
        """
        self._settings = settings
        self._root = root
        self._places = Places(fetch=settings.shallow is Shallow.FETCH)
        self._folders: list[Path] = []
        self._prefetched: dict[Repository, Running] = {}
        self._ignored: dict[Repository, Ignored] = {}
        self._problems: dict[Problem, None] = {}
        self._failed: dict[Repository, Problem] = {}
        self._undated: dict[Path, NoDate] = {}

    def start(self, folder: Path) -> None:
        """Name a docs folder: its repository will be walked over that folder.

        Git begins to read the history now, beside the build, unless it is known already.

        Args:
            folder: as MkDocs gives it, absolute.
        """
        real = Path(os.path.realpath(folder))
        if real in self._folders:
            return
        self._folders.append(real)
        repository = self._places.repository(str(real))
        if not isinstance(repository, Repository) or repository in self._failed:
            return
        self._end(repository)  # it was started for fewer folders
        known = self._known(repository)
        if known.dates:
            return
        try:
            self._list(repository)
            folders, many = self._folders_in(repository), len(known.versions) > _FEW
            process = prefetch(repository, folders, self._settings, to_end=many)
            self._prefetched[repository] = process
        except GitFailed as failure:
            self._fail(repository, failure)

    def tracked(self, files: Iterable[Path]) -> set[Path]:
        """Return those of these files that HEAD holds."""
        return self._answer(files, self._tracked)

    def blobs(self, files: Iterable[Path]) -> dict[Path, str | None]:
        """Return the ids of what HEAD holds of these files; None: it holds no such file.

        A file in a repository that can't be read is left out.
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

    def changes(self, files: Iterable[Path]) -> dict[Path, Change]:
        """Return the commits that date these files; for the others see `why_undated`."""
        changes, undated = self._answer(files, self._changes)
        self._undated.update(undated)
        return changes

    def why_undated(self, files: Iterable[Path]) -> dict[Path, NoDate]:
        """Return for each of these files why git has no date of it; nothing for dated files."""
        files = set(files)
        self.changes(files - self._undated.keys())
        return {file: self._undated[file] for file in files if file in self._undated}

    def subject(self, repository: Path, commit: str) -> str:
        """Return the subject of a commit, in one line; an empty text if git can't read it."""
        try:
            printed = Git(repository).output("log", "-1", "--format=%s", commit)
        except GitFailed:
            return ""
        return printed.decode("utf-8", "replace").strip() if printed.count(b"\n") == 1 else ""

    @property
    def problems(self) -> list[Problem]:
        """What kept dates from being known, each once; notes but for what the owner wrote."""
        return list(dict.fromkeys((*self._places.problems, *self._problems)))

    def close(self) -> None:
        """End what was prefetched and not needed. No process outlives this."""
        for repository in list(self._prefetched):
            self._end(repository)

    def _end(self, repository: Repository) -> None:
        if process := self._prefetched.pop(repository, None):
            process.stop()

    def _answer(self, files: Iterable[Path], compute: Callable[[Located], _Value]) -> _Value:
        """Return what `compute` returns for these files, or returned in an earlier build."""
        files = list(files)
        question = compute.__name__, frozenset(map(str, files))
        if answer := recall(question, self._known_at):
            return cast("_Value", answer.value)
        located = self._locate(files)
        value = compute(located)
        # Stamps of folders do not tell if a link in another folder was changed on the way.
        if not (located.outside or located.has_links or self._failed):
            known = {repository.top: self._known(repository) for repository in located.paths}
            remember(question, Answer(value, known, dict(self._places.stamps)))
        return value

    def _tracked(self, located: Located) -> set[Path]:
        found: set[Path] = set()
        for repository, paths in located.paths.items():
            versions = self._versions(repository, paths.values())
            found.update(file for file, path in paths.items() if versions.get(path))
        return found

    def _changes(self, located: Located) -> tuple[dict[Path, Change], dict[Path, NoDate]]:
        """Return the commits that date files, and why other files have no date."""
        changes: dict[Path, Change] = {}
        undated = {file: _no_repository(why) for file, (_, why) in located.outside.items()}
        for repository, paths in located.paths.items():
            dates = self._dates(repository, paths.values())
            for file, path in paths.items():
                date = dates[path]
                if isinstance(date, Change):
                    changes[file] = date
                else:
                    undated[file] = date
        return changes, undated

    def _locate(self, files: Iterable[Path]) -> Located:
        """Return the repositories of files, and keep why there are none."""
        located = self._places.locate(files)
        for real, problem in dict.fromkeys(located.outside.values()):
            # What pages include need not be in a repository.
            in_docs = any(Path(real).is_relative_to(folder) for folder in self._folders)
            if problem.code != "no-repository" or in_docs or not self._folders:
                self._problems[problem] = None
        return located

    def _known(self, repository: Repository) -> Known:
        """Return what is known of HEAD, in this build or from an earlier one."""
        folders, ignored = self._folders_in(repository), self._ignored_in(repository)
        return known_of(repository.top, (repository, folders, self._settings, ignored))

    def _known_at(self, top: Path) -> Known | None:
        found = self._places.repository(str(top))
        return self._known(found) if isinstance(found, Repository) else None

    def _fail(self, repository: Repository, failure: GitFailed) -> None:
        """Keep why git failed in a repository. It is not asked again in this build."""
        problem = problem_of(failure, repository.top)
        self._failed[repository] = problem
        self._problems[problem] = None

    def _list(self, repository: Repository) -> None:
        """Read what HEAD holds in the docs folders, unless it is known."""
        known = self._known(repository)
        if not known.listed:
            folders = self._folders_in(repository)
            known.versions |= tracked(repository, folder_pathspecs(folders))
            known.listed = True

    def _versions(
        self, repository: Repository, paths: Iterable[bytes]
    ) -> Mapping[bytes, tuple[bytes, bytes] | None]:
        """Return what HEAD holds of these files; without those that git could not list."""
        versions, folders = self._known(repository).versions, self._folders_in(repository)
        new = [path for path in paths if path not in versions]
        if not new or repository in self._failed:
            return versions
        outside = [path for path in new if not path.startswith(folders)]
        try:
            if len(outside) < len(new):
                self._list(repository)
            if outside:
                versions |= tracked(repository, covering(outside))
        except GitFailed as failure:
            self._fail(repository, failure)
            return versions
        for path in new:
            versions.setdefault(path, None)
        return versions

    def _dates(
        self, repository: Repository, paths: Iterable[bytes]
    ) -> Mapping[bytes, Change | NoDate]:
        """Return the commits that date these files, or why none does."""
        known = self._known(repository)
        new = dict.fromkeys(path for path in paths if path not in known.dates)
        if not new:
            return known.dates
        versions = self._versions(repository, new)
        held = {path: version for path in new if (version := versions.get(path))}
        stops = self._walk(repository, held) if repository not in self._failed else {}
        failed = self._failed.get(repository)
        dates: dict[bytes, Change | NoDate] = {}
        for path in new:
            if path in stops:
                dates[path] = date_of(repository, stops[path])
            elif failed and (path in held or path not in versions):
                dates[path] = NoDate(reason=Reason.GIT_FAILED, detail=failed.found, cause=failed)
            else:
                detail = f"{path_text(path)} is not committed"
                dates[path] = NoDate(reason=Reason.NOT_COMMITTED, detail=detail)
        if not failed:
            known.dates |= dates
        return known.dates | dates

    def _walk(self, repository: Repository, files: Versions) -> "dict[bytes, Stop]":
        """Return where the histories of files stop, as far as git could tell."""
        stops: dict[bytes, Stop] = {}
        if not files:
            return stops
        folders, prefetched = self._folders_in(repository), self._prefetched.pop(repository, None)
        try:
            with Blobs(repository.git) as blobs:
                conditions = Conditions(
                    self._settings.change,
                    self._ignored_in(repository),
                    blobs.same_body,
                    repository.boundary,
                )
                reading = Reading(repository, folders, self._settings, conditions)
                for stop in last_changes(reading, files, prefetched):
                    stops[stop.cursor.page] = stop
            if blobs.missing:
                self._problems[MISSING_BLOBS] = None
        except GitUnexpected as failure:
            stops.clear()  # what git printed before may be wrong too
            self._fail(repository, failure)
        except GitFailed as failure:
            self._fail(repository, failure)
        return stops

    def _ignored_in(self, repository: Repository) -> Ignored:
        """Return what the owner ignores there: by the option, or by the file at the top."""
        if repository not in self._ignored:
            length = len(repository.head)
            found, problems = read_ignored(self._settings, self._root, repository.top, length)
            self._problems.update(dict.fromkeys(problems))
            self._ignored[repository] = found
        return self._ignored[repository]

    def _folders_in(self, repository: Repository) -> tuple[bytes, ...]:
        """Return the docs folders there, each with ``/`` at its end; empty bytes for the top."""
        inside = set()
        for folder in self._folders:
            if repository.top.is_relative_to(folder):
                inside.add(b"")
            elif self._places.repository(str(folder)) == repository:
                inside.add(relative(str(folder), repository.top) + b"/")
        return tuple(sorted(inside))


_CODES = {"no-repository": Reason.NO_REPOSITORY, "no-commits": Reason.NOT_COMMITTED}


def _no_repository(problem: Problem) -> NoDate:
    """Return why files have no date if their repository can't be read."""
    reason = _CODES.get(problem.code, Reason.GIT_FAILED)
    return NoDate(reason=reason, detail=problem.found, cause=problem)
