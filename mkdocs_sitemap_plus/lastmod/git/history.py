"""All repositories of a build: files in, the commits that date them out."""

import os
from collections import defaultdict
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs_sitemap_plus.errors import SitemapError
from mkdocs_sitemap_plus.evidence import Change, Passed, Problem
from mkdocs_sitemap_plus.lastmod.git.process import GitFailed
from mkdocs_sitemap_plus.lastmod.git.repository import (
    Repository,
    problem_of,
    repository_of,
    tracked,
)
from mkdocs_sitemap_plus.lastmod.git.rounds import covering, last_changes
from mkdocs_sitemap_plus.settings.values import GitSettings, Shallow

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mkdocs_sitemap_plus.lastmod.git.walk import Stop

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class History:
    """When files last changed, as git knows it.

    What it means is one command. With ``change: any`` the date is the committer date of
    ``git log -1 --first-parent -- PATH`` at HEAD (``date: published``), or the committer or author
    date of ``git log -1 -- PATH`` (``commit``, ``author``). ``content`` goes on along the same line
    of history past commits that are pure renames or mode changes alone.
    """

    def __init__(self, settings: GitSettings) -> None:
        """Nothing is read yet."""
        self._settings = settings
        self._places = _Places()
        self._folders: list[str] = []
        self._stops: dict[Repository, dict[bytes, Stop | None]] = defaultdict(dict)
        self._problems: dict[Problem, None] = {}
        self._hidden: set[Path] = set()
        self._asked: set[Path] = set()

    def start(self, folder: Path) -> None:
        """Name a docs folder: its repository will be walked over that folder.

        Args:
            folder: as MkDocs gives it, absolute.
        """
        if (real := os.path.realpath(folder)) not in self._folders:
            self._folders.append(real)

    def changes(self, files: "Iterable[Path]") -> dict[Path, Change]:
        """The commits that date these files.

        Args:
            files: absolute paths, as MkDocs gives them. A symbolic link stands for what it names.

        Returns:
            A key for each file whose date is known: not for files that HEAD does not hold, whose
            commit has no date that can be read, or whose change is behind a shallow clone's
            boundary.

        Raises:
            SitemapError: a shallow clone hides dates, and ``shallow: error`` is set.
        """
        found = {}
        for repository, paths in self._by_repository(files).items():
            stops = self._stops_of(repository, paths.values())
            for file, path in paths.items():
                self._asked.add(file)
                if (stop := stops.get(path)) is None:
                    continue
                if stop.commit.oid in repository.boundary:
                    self._hidden.add(file)
                elif change := _change(repository, stop):
                    found[file] = change
        if self._hidden and self._settings.shallow is Shallow.ERROR:
            raise SitemapError(self._shallow(note=False))
        return found

    @property
    def problems(self) -> list[Problem]:
        """What kept dates from being known, each once, all of them notes."""
        shallow = [self._shallow(note=True)] if self._hidden else []
        return [*self._problems, *shallow]

    def close(self) -> None:
        """Forget what was read. No process outlives the call that started it."""
        self._stops.clear()

    def _by_repository(self, files: "Iterable[Path]") -> dict[Repository, dict[Path, bytes]]:
        """The files, by repository, as paths relative to its top."""
        groups: dict[Repository, dict[Path, bytes]] = defaultdict(dict)
        for file in files:
            real = self._places.real(file)
            found = self._places.repository(os.path.dirname(real))  # noqa: PTH120 - 10,000 of them
            if isinstance(found, Repository):
                groups[found][file] = _relative(real, found.top)
            elif found.code != "no-repository" or self._in_folders(real):
                self._problems[found] = None
        return groups

    def _in_folders(self, real: str) -> bool:
        """Whether a file is of the docs: what else a page includes need not be in a repository."""
        tops = tuple(os.path.join(folder, "") for folder in self._folders)  # noqa: PTH118
        return not tops or real.startswith(tops)

    def _stops_of(
        self, repository: Repository, paths: "Iterable[bytes]"
    ) -> "dict[bytes, Stop | None]":
        """Where these files and all asked before stop; None: nowhere."""
        known = self._stops[repository]
        if new := [path for path in dict.fromkeys(paths) if path not in known]:
            known.update(dict.fromkeys(new))
            folders = self._folders_in(repository)
            try:
                there = tracked(repository, covering(folders, new))
                asked = [path for path in new if path in there]
                with closing(last_changes(repository, folders, asked, self._settings)) as stops:
                    known.update((stop.token.page, stop) for stop in stops)
            except GitFailed as failure:
                self._problems[problem_of(failure, repository.top)] = None
        return known

    def _folders_in(self, repository: Repository) -> tuple[bytes, ...]:
        """The docs folders of a repository, each with ``/`` at its end; empty bytes for the top."""
        inside = set()
        for folder in map(Path, self._folders):
            if repository.top.is_relative_to(folder):
                inside.add(b"")
            elif self._places.repository(str(folder)) == repository:
                inside.add(_relative(str(folder), repository.top) + b"/")
        return tuple(sorted(inside))

    def _shallow(self, *, note: bool) -> Problem:
        hidden, asked = len(self._hidden), len(self._asked)
        return Problem(
            code="shallow",
            found=f"the clone is shallow, and hides when {hidden} of {asked} files last changed",
            done="they get no date from git" if note else None,
            fix=_fix_for_shallow(),
            note=note,
        )


class _Places:
    """Real paths and repositories, looked up once a folder: a lookup a file takes seconds."""

    def __init__(self) -> None:
        self._real: dict[str, str] = {}
        self._found: dict[str, Repository | Problem] = {}
        self._tops: dict[str, Repository | Problem] = {}

    def real(self, file: Path) -> str:
        """The path without symbolic links."""
        folder, name = os.path.split(file)
        if folder not in self._real:
            self._real[folder] = os.path.realpath(folder)
        path = os.path.join(self._real[folder], name)  # noqa: PTH118 - 10,000 of them
        return os.path.realpath(path) if os.path.islink(path) else path  # noqa: PTH114

    def repository(self, folder: str) -> Repository | Problem:
        """The repository of a real folder, or why there is none."""
        if folder not in self._found:
            above = os.path.dirname(folder)  # noqa: PTH120
            if above != folder and not os.path.lexists(os.path.join(folder, ".git")):  # noqa: PTH118
                self._found[folder] = self.repository(above)
            else:
                self._found[folder] = repository_of(Path(folder))
        return self._found[folder]


def _relative(real: str, top: Path) -> bytes:
    """A path in a repository, as git keeps it."""
    return os.fsencode(real.removeprefix(str(top)).lstrip(os.sep).replace(os.sep, "/"))


def _change(repository: Repository, stop: "Stop") -> Change | None:
    """The commit as evidence; None without a date that can be read."""
    if not stop.commit.when:  # git prints 0 for some dates that it can't read
        return None
    try:
        when = _EPOCH + timedelta(seconds=stop.commit.when)
    except OverflowError:
        return None
    return Change(
        repository=repository.top,
        path=stop.token.path.decode("utf-8", "surrogateescape"),
        commit=stop.commit.oid.decode("ascii"),
        when=when,
        passed=tuple(Passed(what=oid.decode("ascii"), why=why) for oid, why in stop.token.passed),
    )


def _fix_for_shallow() -> str:
    """What to set where the build runs."""
    if "GITHUB_ACTIONS" in os.environ:
        return "Set `fetch-depth: 0` for actions/checkout."
    if "GITLAB_CI" in os.environ:
        return "Set the variable `GIT_DEPTH: 0`."
    if "READTHEDOCS" in os.environ:
        return "Add `git fetch --unshallow` to `build.jobs.post_checkout` in .readthedocs.yaml."
    return "Run `git fetch --unshallow` before the build."
