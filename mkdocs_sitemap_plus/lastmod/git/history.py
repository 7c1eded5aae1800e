"""All repositories of a build: files in, the commits that date them out."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs_sitemap_plus.lastmod.change import Change, Skipped
from mkdocs_sitemap_plus.lastmod.git.blobs import Blobs
from mkdocs_sitemap_plus.lastmod.git.follow import Reading, begin, covering, last_changes
from mkdocs_sitemap_plus.lastmod.git.memory import Answer, Memory, Versions, memory_of
from mkdocs_sitemap_plus.lastmod.git.places import Group, Places, relative
from mkdocs_sitemap_plus.lastmod.git.process import Git, GitFailed, GitUnexpected
from mkdocs_sitemap_plus.lastmod.git.repository import Repository, problem_of, tracked
from mkdocs_sitemap_plus.lastmod.git.revisions import (
    USUAL_NAME,
    Ignored,
    author_patterns,
    read_revisions,
)
from mkdocs_sitemap_plus.lastmod.git.rules import Counting
from mkdocs_sitemap_plus.lastmod.git.shallow import with_history
from mkdocs_sitemap_plus.lastmod.reasons import NoDate, Reason
from mkdocs_sitemap_plus.options.settings import GitSettings, Shallow
from mkdocs_sitemap_plus.problems import Origin, Place, Problem
from mkdocs_sitemap_plus.wording import shorten

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mkdocs_sitemap_plus.lastmod.git.process import Running
    from mkdocs_sitemap_plus.lastmod.git.walk import Stop

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FEW = 200
"""Of so few files the last is dated soon: git waits behind a full pipe until it is read. With more,
it runs on to the end of the history beside the build (`benchmarks/hidden_start.py`)."""


class History:
    """When files last changed, as git knows it.

    What it means is one command. With ``change: any`` the date is the committer date of
    ``git log -1 --first-parent -- PATH`` at HEAD (``date: published``), or the committer or author
    date of ``git log -1 -- PATH`` (``commit``, ``author``). ``content`` and ``body`` go on along
    the same line of history past commits that do not count, and so does whatever the owner ignores.
    """

    def __init__(self, settings: GitSettings, root: Path = Path()) -> None:
        """Nothing is read yet.

        Args:
            settings: the options under ``lastmod.git``.
            root: the folder of the project file, from which `ignore_revs_file` is named.
        """
        self._settings = settings
        self._root = root
        self._places = Places(self._whole)
        self._folders: list[str] = []
        self._begun: dict[Repository, tuple[tuple[bytes, ...], Running]] = {}
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
        if (real := os.path.realpath(folder)) in self._folders:
            return
        self._folders.append(real)
        found = self._places.repository(real)
        if not isinstance(found, Repository) or found in self._failed:
            return
        if not self._memory(found).stops:
            self._end(found)
            folders = self._folders_in(found)
            try:
                ahead = len(self._list(found)) > _FEW
                begun = begin(found, folders, self._settings, ahead=ahead)
                self._begun[found] = folders, begun
            except GitFailed as failure:
                self._fail(found, failure)

    def tracked(self, files: "Iterable[Path]") -> set[Path]:
        """Those of these files that HEAD holds.

        Args:
            files: absolute paths. A symbolic link stands for what it names.
        """
        held: set[Path] = set()
        for group in self._groups(files):
            answers = self._memory(group.repository).tracked
            answer = answers.get(group)
            if answer is None:
                known = self._held(group.repository, group.paths.values())
                answer = frozenset(file for file, path in group.paths.items() if known.get(path))
                if known.keys() >= set(group.paths.values()):
                    answers[group] = answer
            held |= answer
        return held

    def changes(self, files: "Iterable[Path]") -> dict[Path, Change]:
        """The commits that date these files.

        Args:
            files: absolute paths, as MkDocs gives them. A symbolic link stands for what it names.

        Returns:
            A key for each file whose date is known. `why_undated` has the reasons for the others.
        """
        found: dict[Path, Change] = {}
        for group in self._groups(files):
            answer = self._answer(group)
            self._undated.update(answer.undated)
            found |= answer.changes
        return found

    def why_undated(self, files: "Iterable[Path]") -> dict[Path, NoDate]:
        """Return for each of these files why git has no date of it; nothing for dated files.

        Args:
            files: absolute paths.
        """
        files = set(files)
        self.changes(files - self._undated.keys())
        return {file: self._undated[file] for file in files if file in self._undated}

    def subject(self, repository: Path, commit: str) -> str:
        """The subject of a commit, in one line; empty if git can't read it.

        Args:
            repository: the top folder of its work tree.
            commit: its full id.
        """
        try:
            printed = Git(repository).output("log", "-1", "--format=%s", commit)
        except GitFailed:
            return ""
        return printed.decode("utf-8", "replace").strip() if printed.count(b"\n") == 1 else ""

    @property
    def problems(self) -> list[Problem]:
        """What kept dates from being known, each once; notes but for what the owner wrote."""
        return list(self._problems)

    def close(self) -> None:
        """End what was begun and not needed. No process outlives this."""
        for repository in list(self._begun):
            self._end(repository)

    def _end(self, repository: Repository) -> None:
        if repository in self._begun:
            self._begun.pop(repository)[1].stop()

    def _whole(self, repository: Repository) -> Repository:
        """The repository with the history that a shallow clone lacks, if that is to be fetched."""
        if not repository.boundary or self._settings.shallow is not Shallow.FETCH:
            return repository
        found = with_history(repository)
        if isinstance(found, Problem):
            self._problems[found] = None
            return repository
        return found

    def _groups(self, files: "Iterable[Path]") -> tuple[Group, ...]:
        """The files by repository; those in none are a problem where they are of the docs."""
        located = self._places.locate(files)
        outside = {folder.real: folder.found for folder in located.elsewhere.values()}
        for real, problem in outside.items():
            if isinstance(problem, Problem) and self._is_reported(problem, real):
                self._problems[problem] = None
        for file, folder in located.elsewhere.items():
            if isinstance(folder.found, Problem):
                self._undated[file] = _no_repository(folder.found)
        return located.groups

    def _is_reported(self, problem: Problem, real: str) -> bool:
        return problem.code != "no-repository" or self._in_folders(real)

    def _in_folders(self, real: str) -> bool:
        """Whether a folder is of the docs: what pages include need not be in a repository."""
        tops = [Path(folder) for folder in self._folders]
        return not tops or any(Path(real).is_relative_to(top) for top in tops)

    def _memory(self, repository: Repository) -> Memory:
        """What is known of a repository, all that it depends on being the same."""
        ignored = self._ignored_in(repository)
        key = (repository, self._folders_in(repository), self._settings, ignored)
        return memory_of(repository.top, key)

    def _answer(self, group: Group) -> Answer:
        """What dates the files of a group; worked out once, if git could answer."""
        repository, answers = group.repository, self._memory(group.repository).answers
        if group in answers:
            return answers[group]
        stops = self._stops_of(repository, group.paths.values())
        changes, undated = {}, {}
        for file, path in group.paths.items():
            stop = stops.get(path)
            change = stop and _change(repository, stop)
            if change:
                changes[file] = change
            else:
                undated[file] = self._why(repository, path, stop)
        answer = Answer(changes=changes, undated=undated)
        if self._memory(repository).stops.keys() >= set(group.paths.values()):
            answers[group] = answer
        return answer

    def _why(self, repository: Repository, path: bytes, stop: "Stop | None") -> NoDate:
        """Return why git, which was asked for the file, has no date of it."""
        if stop is not None:
            return _end_of_history(repository, stop)
        problem, held = self._failed.get(repository), self._memory(repository).held
        if problem is None or (path in held and held[path] is None):
            detail = f"{_text(path)} is not committed"
            return NoDate(reason=Reason.NOT_COMMITTED, detail=detail)
        return NoDate(reason=Reason.GIT_FAILED, detail=problem.found, cause=problem)

    def _fail(self, repository: Repository, failure: GitFailed) -> None:
        """Remember why git failed in a repository. It is not asked again in this build."""
        problem = problem_of(failure, repository.top)
        self._failed[repository] = problem
        self._problems[problem] = None

    def _held(
        self, repository: Repository, paths: "Iterable[bytes]"
    ) -> dict[bytes, tuple[bytes, bytes] | None]:
        """The modes and blobs of these files at HEAD, and of all asked before."""
        held, folders = self._memory(repository).held, self._folders_in(repository)
        if repository in self._failed:
            return held
        new = [path for path in dict.fromkeys(paths) if path not in held]
        outside = [path for path in new if not path.startswith(folders)]
        try:
            there = self._list(repository) if len(new) > len(outside) else {}
            if outside:
                there = there | tracked(repository, covering((), outside))
        except GitFailed as failure:
            self._fail(repository, failure)
            return held
        held.update((path, there.get(path)) for path in new)
        return held

    def _list(self, repository: Repository) -> Versions:
        """What HEAD holds in the docs folders of a repository.

        Raises:
            GitFailed: git can't read HEAD's trees.
        """
        memory = self._memory(repository)
        if memory.listed is None:
            pathspecs = covering(self._folders_in(repository), ())
            memory.listed = tracked(repository, pathspecs)
        return memory.listed

    def _stops_of(
        self, repository: Repository, paths: "Iterable[bytes]"
    ) -> "dict[bytes, Stop | None]":
        """Where these files and all asked before stop; None: nowhere."""
        known = self._memory(repository).stops
        new = [path for path in dict.fromkeys(paths) if path not in known]
        held = self._held(repository, new) if new else {}
        asked = {path: version for path in new if (version := held.get(path))}
        if not asked or repository in self._failed:
            return known
        found: dict[bytes, Stop | None] = dict.fromkeys(asked)
        try:
            self._walk(repository, asked, found)
        except GitFailed as failure:
            self._fail(repository, failure)
            return known if isinstance(failure, GitUnexpected) else known | found
        known.update(found)
        return known

    def _walk(
        self, repository: Repository, files: Versions, found: "dict[bytes, Stop | None]"
    ) -> None:
        """Fill in where files stop.

        Raises:
            GitUnexpected: git printed something that can't be right.
            GitFailed: git died midway. What was filled in before stays right.
        """
        folders = self._folders_in(repository)
        if repository in self._begun and self._begun[repository][0] != folders:
            self._end(repository)
        _, begun = self._begun.pop(repository, (folders, None))
        ignored = self._ignored_in(repository)
        with Blobs(repository.git) as blobs:
            counting = Counting(
                self._settings.change, ignored, blobs.same_body, repository.boundary
            )
            reading = Reading(repository, folders, self._settings, counting)
            for stop in last_changes(reading, files, begun):
                found[stop.token.page] = stop
        if blobs.missing:
            self._problems[_NO_BLOBS] = None

    def _ignored_in(self, repository: Repository) -> Ignored:
        """Whom the owner ignores there: by the option, or by the file at the top."""
        if repository not in self._ignored:
            named = self._settings.ignore_revs_file
            place = (
                Place(origin=Origin.OPTION, key="lastmod.git.ignore_revs_file") if named else None
            )
            path = self._root / named if named else repository.top / USUAL_NAME
            commits, problems = read_revisions(path, place, named or "")
            self._problems.update(dict.fromkeys(problems))
            length = len(repository.head)
            self._ignored[repository] = Ignored(
                whole=frozenset(oid for oid in commits if len(oid) == length),
                abbreviated=tuple(sorted(oid for oid in commits if len(oid) < length)),
                authors=author_patterns(self._settings.ignore_authors),
                file=named or USUAL_NAME,
            )
        return self._ignored[repository]

    def _folders_in(self, repository: Repository) -> tuple[bytes, ...]:
        """The docs folders of a repository, each with ``/`` at its end; empty bytes for the top."""
        inside = set()
        for folder in map(Path, self._folders):
            if repository.top.is_relative_to(folder):
                inside.add(b"")
            elif self._places.repository(str(folder)) == repository:
                inside.add(relative(str(folder), repository.top) + b"/")
        return tuple(sorted(inside))


_NO_BLOBS = Problem(
    code="no-blobs",
    found="the clone lacks what files said in older commits, as after `git clone "
    "--filter=blob:none`",
    done="What such commits changed is unknown, so each of them counts.",
    fix="Clone without a filter if `lastmod.git.change` is `body`.",
    note=True,
)


def _change(repository: Repository, stop: "Stop") -> Change | None:
    """The commit as evidence; None if it does not date the file, or has no valid date."""
    if stop.ignored or stop.commit.oid in repository.boundary:
        return None
    if not stop.commit.when:  # git prints 0 for some dates that it can't read
        return None
    try:
        when = _EPOCH + timedelta(seconds=stop.commit.when)
    except OverflowError:
        return None
    return Change(
        repository=repository.top,
        path=_text(stop.token.path),
        commit=stop.commit.oid.decode("ascii"),
        when=when,
        added=stop.change.added,
        skipped=tuple(
            Skipped(what=oid.decode("ascii"), why=why) for oid, why in stop.token.skipped
        ),
    )


def _end_of_history(repository: Repository, stop: "Stop") -> NoDate:
    """Return why the commit at which a file's history ends does not date it."""
    commit, path = stop.commit.oid[:12].decode("ascii"), _text(stop.token.path)
    if stop.ignored:
        why = shorten(stop.ignored)
        detail = f"commit {commit} is ignored ({why}), and {path} has no older commit"
        return NoDate(reason=Reason.IGNORED, detail=detail)
    if stop.commit.oid in repository.boundary:
        detail = f"the clone is shallow and does not reach back to the last change of {path}"
        return NoDate(reason=Reason.SHALLOW, detail=detail)
    detail = f"commit {commit} has no valid date"
    return NoDate(reason=Reason.INVALID_COMMIT_DATE, detail=detail)


_CODES = {"no-repository": Reason.NO_REPOSITORY, "no-commits": Reason.NOT_COMMITTED}


def _no_repository(problem: Problem) -> NoDate:
    """Return why files have no date whose repository can't be read."""
    reason = _CODES.get(problem.code, Reason.GIT_FAILED)
    return NoDate(reason=reason, detail=problem.found, cause=problem)


def _text(path: bytes) -> str:
    """Return a path of git as text; bytes that are not UTF-8 are kept as surrogate escapes."""
    return path.decode("utf-8", "surrogateescape")
