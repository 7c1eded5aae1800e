"""Find when files last changed, in all of their repositories."""

import os
import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Self, TypeVar

from .at_head import first_parent_times
from .blobs import is_blob
from .copies import of_original, originals, paths_by_blob, why_undated
from .git import Git, output, problem_of
from .line import Line
from .log import Body, Unseen, path_text
from .query import USUAL_NAME, Ignored, Query, read_ignored
from .repository import Repository, RepositoryFinder, Version, covering, files_at_head
from .values import (
    UNSHALLOW,
    Change,
    GitChange,
    GitCode,
    GitDate,
    GitFailed,
    GitProblem,
    GitReason,
    NoDate,
    Skipped,
    one_line,
    without_date,
)
from .walk import FileChange, Walk

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_REASONS = {
    GitCode.NO_REPOSITORY: GitReason.NO_REPOSITORY,
    GitCode.NO_COMMITS: GitReason.NOT_COMMITTED,
}
"""The reasons by the code of a problem. Every other code means that git failed."""

_NO_BLOBS = GitProblem(
    GitCode.NO_BLOBS,
    "the clone lacks the old contents of files, as after `git clone --filter=blob:none`",
    "Clone without a filter.",
)

_AnyPath = str | os.PathLike[str]
_Path = TypeVar("_Path", bound=_AnyPath)


class GitDates:
    """When files last changed, according to git. A context manager, which ends git at its end.

    ``date=published`` is the day on which a change reached the branch that is built: the committer
    date of the newest change along the line of what was published, which is the date of
    ``git log -1 --first-parent -- PATH`` but for merges that only brought what had been published
    before, as those of ``git pull`` (see `line`). ``date=commit`` and
    ``date=author`` are the committer and the author date of ``git log -1 -- PATH``. Commits that
    are ignored are skipped, and so are commits that do not count by `change`.

    Paths are absolute, or relative to the current folder; symbolic links are followed. A file may
    be in any repository, also in a submodule. Nothing is written, and nothing is fetched without
    `fetch`. Git that fails raises no error: see `problems`.

    An object reads HEAD of each repository once, so make a new one after a commit. It is not for
    several threads at once.

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
        ignore_revs: Iterable[str] = (),
        ignore_authors: Iterable[str] = (),
        ignore_subjects: Iterable[str] = (),
        root: _AnyPath = "",
        repository: str | None = None,
        branch: str | None = None,
        ci_branch: tuple[str, str] | None = None,
        fetch: bool = False,
        body: Body | None = None,
        unseen: Unseen | None = None,
    ) -> None:
        """Start git to read the history of these folders, which hold all files or most of them.

        Args:
            folders: As `start` takes them.
            date: Which date of which commit is the date of a file.
            change: Which commits count as a change.
            ignore_revs_file: A file of commits to ignore, as ``git blame --ignore-revs-file`` reads
                it. Without it, ``.git-blame-ignore-revs`` at the top of each repository.
            ignore_revs: Ids of further commits to ignore.
            ignore_authors: Patterns for ``Name <mail>``. One with ``*`` or ``?`` has to fit the
                whole, any other is found anywhere. Case is ignored.
            ignore_subjects: Patterns of the same kind for the first lines of messages.
            root: The folder that `ignore_revs_file` is relative to. Its repository is the one of
                which `repository`, `branch` and `ci_branch` speak; without it, the repository of
                the first folder.
            repository: The URL of the repository. It tells which merges are pulls if git has no
                remote ``origin``, or one that is a folder.
            branch: The branch that is built, which tells which merges brought nothing new. Without
                it, HEAD's branch and its upstream are.
            ci_branch: The branch that is built if HEAD is on none, unless ``origin`` has it at
                another commit that is not newer; and who says so, such as ``GITHUB_REF_NAME``.
            fetch: Whether the missing history of a shallow clone is fetched.
            body: Takes the path of a file in its repository, and its content. Returns what of it
                counts for ``change=body``, such as a page without its front matter.
            unseen: Takes the path of a file, and a function that reads what it had before and after
                a change. Returns why this does not count for ``change=content``, or an empty text.

        Raises:
            ValueError: `date` or `change` has another value.
        """
        self._date, self._change = GitDate(date), GitChange(change)
        authors = (("author", pattern) for pattern in ignore_authors)
        subjects = (("subject", pattern) for pattern in ignore_subjects)
        name = ignore_revs_file or USUAL_NAME
        self._ignored = Ignored(file=name, patterns=(*authors, *subjects))
        self._ignored_file = Path(root, ignore_revs_file) if ignore_revs_file else None
        self._ignored_ids = tuple(oid.encode() for oid in ignore_revs)
        self._named = repository, branch, ci_branch
        self._root, self._body, self._unseen = os.fspath(root) or None, body, unseen
        self._finder = RepositoryFinder(fetch=fetch)
        self._folders: dict[str, None] = {}
        self._readers: dict[Repository, _Reader] = {}
        self._problems: dict[GitProblem, None] = {}
        for folder in folders:
            self.start(folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, folder: _AnyPath) -> None:
        """Start git to read the history of one more folder, while the caller goes on."""
        real = os.path.realpath(folder)
        repository, _ = self._finder.folder(real)
        if real not in self._folders and isinstance(repository, Repository):
            if old := self._readers.pop(repository, None):  # it was started for fewer folders
                old.stop()
            self._folders[real] = None
            self._reader(repository).start()
        self._folders[real] = None

    def last_changes(self, files: Iterable[_Path]) -> dict[_Path, Change | NoDate]:
        """Return the commits that date these files, or why none does; each file is a key."""
        located, outside = self._locate(files)
        found: dict[_Path, Change | NoDate] = {**outside}
        links = self._links(located)
        for repository, paths in located.items():
            own = links[repository]
            dates = self._reader(repository).dates({*paths.values(), *own.values()})
            found |= {file: dates[path] for file, path in paths.items()}
            found |= {file: _newer(found[file], dates[path]) for file, path in own.items()}
        return found

    def _links(
        self, located: Mapping[Repository, Mapping[_Path, bytes]]
    ) -> Mapping[Repository, dict[_Path, bytes]]:
        """Return the own paths of links: one that got another target changed the file, too."""
        links: dict[Repository, dict[_Path, bytes]] = defaultdict(dict)
        for repository, paths in located.items():
            for file in filter(os.path.islink, paths):
                above, name = os.path.split(str(file))
                found, folder = self._finder.folder(above or os.curdir)
                if found == repository:
                    links[repository][file] = folder + os.fsencode(name)
        return links

    def changes(self, files: Iterable[_Path]) -> dict[_Path, Change]:
        """Return the commits that date these files; the other files are left out."""
        found = self.last_changes(files).items()
        return {file: change for file, change in found if isinstance(change, Change)}

    def blobs(self, files: Iterable[_Path]) -> dict[_Path, str | None]:
        """Return the ids of the blobs of these files at HEAD; None if HEAD does not hold the file.

        Files in a repository that can't be read are left out.
        """
        located, outside = self._locate(files)
        found: dict[_Path, str | None] = {
            file: None for file, why in outside.items() if why.reason is GitReason.NO_REPOSITORY
        }
        for repository, paths in located.items():
            held = self._reader(repository).held(paths.values())
            versions = {file: held[path] for file, path in paths.items() if path in held}
            found |= {file: held and held[1].decode("ascii") for file, held in versions.items()}
        return found

    def uncommitted(self, files: Iterable[_Path]) -> list[_Path]:
        """Return those of these files that HEAD holds with another content than they have."""
        held = ((file, Path(file), blob) for file, blob in self.blobs(files).items() if blob)
        there = (each for each in held if os.path.lexists(each[1]))
        return [file for file, path, blob in there if not is_blob(path, blob)]

    def tracked(self, files: Iterable[_Path]) -> set[_Path]:
        """Return those of these files that HEAD holds."""
        return {file for file, blob in self.blobs(files).items() if blob}

    def head(self, folder: _AnyPath) -> str | None:
        """Return the id of the commit that is checked out in the repository of a folder."""
        repository, _ = self._finder.folder(os.path.realpath(folder))
        return repository.head.decode("ascii") if isinstance(repository, Repository) else None

    def head_time(self, folder: _AnyPath) -> datetime | None:
        """Return when the checked out commit of the repository of a folder was made, in UTC."""
        repository, _ = self._finder.folder(os.path.realpath(folder))
        with suppress(GitFailed, ValueError, OverflowError):
            if isinstance(repository, Repository):
                printed = output(repository.top, "log", "-1", "--format=%ct")
                return _EPOCH + timedelta(seconds=int(printed))
        return None

    def first_parent_times(
        self, files: Iterable[_Path], revision: str = "HEAD"
    ) -> dict[_Path, datetime]:
        """Return the dates of ``git log -1 --first-parent``, in UTC, whatever the options are.

        A file is left out if git has none for it at this revision.
        """
        found: dict[_Path, datetime] = {}
        for repository, paths in self._locate(files)[0].items():
            with suppress(GitFailed):
                times = first_parent_times(repository.top, paths.values(), revision)
                found |= {file: times[path] for file, path in paths.items() if path in times}
        return found

    def ignored_file(self, repository: Path) -> Path:
        """Return the file that lists ignored commits of a repository, whether it exists or not."""
        return self._ignored_file or repository / USUAL_NAME

    @property
    def problems(self) -> list[GitProblem]:
        """Why files have no date, or why commits count that should not; each problem once."""
        found = (reader.problems for reader in self._readers.values())
        return [*dict.fromkeys(chain(self._finder.problems, self._problems, *found))]

    @property
    def unmatched(self) -> list[tuple[str, str]]:
        """The patterns that match no commit, as far as git was read.

        ``("author", pattern)`` is one of `ignore_authors`, ``("subject", pattern)`` of
        `ignore_subjects`.
        """
        found = [walk.unmatched for walk in self._walks]
        return sorted(set.intersection(*found)) if found else []

    @property
    def matched_inside(self) -> dict[tuple[str, str], int]:
        """How many commits a pattern without ``*`` and ``?`` ignores that it does not fit whole.

        The keys are as those of `unmatched`. Until 0.11 such commits were not ignored.
        """
        found: dict[tuple[str, str], set[bytes]] = defaultdict(set)
        for walk in self._walks:
            for pattern, commits in walk.matched_inside.items():
                found[pattern] |= commits
        return {pattern: len(commits) for pattern, commits in sorted(found.items())}

    @property
    def _walks(self) -> list[Walk]:
        return [walk for reader in self._readers.values() for walk in reader.walks]

    def close(self) -> None:
        """End the processes that `start` began, if their output was not read."""
        for reader in self._readers.values():
            reader.stop()

    def _locate(
        self, files: Iterable[_Path]
    ) -> tuple[dict[Repository, dict[_Path, bytes]], dict[_Path, NoDate]]:
        located: dict[Repository, dict[_Path, bytes]] = defaultdict(dict)
        outside: dict[_Path, NoDate] = {}
        for file in files:
            repository, path = self._finder.locate(file)
            if isinstance(repository, Repository):
                located[repository][file] = path
                continue
            reason = _REASONS.get(repository.code, GitReason.GIT_FAILED)
            outside[file] = NoDate(reason, repository.found, cause=repository)
            # A file outside of the folders, such as one that a page includes, need not be in one.
            real = os.path.realpath(str(file))
            inside = any(Path(real).is_relative_to(folder) for folder in self._folders)
            if inside or reason is not GitReason.NO_REPOSITORY:
                self._problems[repository] = None
        if not located and not self._folders:
            self._problems |= {why.cause: None for why in outside.values() if why.cause}
        return located, outside

    def _reader(self, repository: Repository) -> "_Reader":
        if repository not in self._readers:
            file = self.ignored_file(repository.top)
            ids, problems = read_ignored(file, self._ignored.file if self._ignored_file else None)
            self._problems |= dict.fromkeys(problems)
            folders = set()
            for folder in self._folders:
                found, path = self._finder.folder(folder)
                if found == repository or repository.top.is_relative_to(folder):
                    folders.add(path if found == repository else b"")
            url, *branches = self._named
            query = Query(
                repository,
                tuple(sorted(folders)),
                self._ignored._replace(ids=(*ids, *self._ignored_ids)),
                self._date,
                self._change,
                self._body,
                self._unseen,
                url,
                *(branches if any(branches) and self._is_projects(repository) else ()),
            )
            self._readers[repository] = _Reader(query)
        return self._readers[repository]

    def _is_projects(self, repository: Repository) -> bool:
        """Whether a repository is that of the project, and no submodule of it for example."""
        for folder in filter(None, (self._root, *self._folders)):
            found, _ = self._finder.folder(os.path.realpath(folder))
            if isinstance(found, Repository):
                return found == repository
        return True


def _newer(file: Change | NoDate, link: Change | NoDate) -> Change | NoDate:
    """To add a link does not change the file that it shows; to give it another target does."""
    if not isinstance(file, Change) or not isinstance(link, Change) or link.added:
        return file
    return max(file, link, key=lambda change: change.when)


class _Reader:
    """Dates the files of one repository. If git fails, none of them gets a date."""

    def __init__(self, query: Query) -> None:
        """Read nothing yet."""
        self.problems: list[GitProblem] = []
        self.walks: list[Walk] = []
        self._failed: GitProblem | None = None
        self._query = query
        self._log: Git | None = None
        self._known = _known(query)
        if self._known.dates and not self._known.line.is_current():
            _known.cache_clear()
            self._known = _known(query)

    def start(self) -> None:
        """Let git begin to print the history, unless that was read before."""
        if not self._known.dates:
            with self._noting_failure():
                self._log = self._query.log()

    def stop(self) -> None:
        if self._log:
            self._log.stop()

    def held(self, paths: Iterable[bytes]) -> dict[bytes, Version | None]:
        """Return the versions at HEAD; None for what it does not hold; no file if git fails."""
        paths = [*paths]
        if not self._failed and not self._known.held.keys() >= {*paths}:
            with self._noting_failure():
                self._read_head(paths)
        return {path: self._known.held[path] for path in paths if path in self._known.held}

    def _read_head(self, paths: Iterable[bytes]) -> None:
        repository, folders = self._query.repository, self._query.folders
        if not self._known.held and folders:
            self._known.held |= files_at_head(repository, self._query.pathspecs)
        outside = {path for path in paths if not path.startswith(folders)}
        if new := outside - self._known.held.keys():
            self._known.held |= files_at_head(repository, covering(new))
        for path in paths:
            self._known.held.setdefault(path, None)

    def dates(self, paths: Iterable[bytes]) -> dict[bytes, Change | NoDate]:
        paths = [*paths]
        held = self.held(paths)
        new = {
            path: version
            for path, version in held.items()
            if version and path not in self._known.dates
        }
        if new and not self._failed:
            walk = Walk(self._query, self._known.line, self._log)
            self._log = None
            with self._noting_failure():
                for stop in walk.stops(new):
                    self._known.dates[stop.cursor.file] = self._date(stop)
            self.walks.append(walk)
        found = {path: self._known.dates.get(path) or self._undated(path) for path in paths}
        causes = (why.cause for why in found.values() if isinstance(why, NoDate) and why.cause)
        self.problems += (cause for cause in causes if cause.code is GitCode.COMMIT_DATE)
        absent = [path for path, version in held.items() if version is None]
        return found | self._dates_of_absent(absent) if absent and not self._failed else found

    def _dates_of_absent(self, paths: Sequence[bytes]) -> dict[bytes, Change | NoDate]:
        """Return the dates of files that HEAD does not hold: of the one file with their bytes."""
        repository, known = self._query.repository, self._known
        if known.by_blob is None:
            files: dict[bytes, Version] = {}
            with suppress(GitFailed):  # a clone may lack folders that have no pages
                files = files_at_head(repository)
            known.held |= files
            known.by_blob = paths_by_blob(files)
        same = originals(repository.top, paths, known.by_blob)
        copies = {path: others[0] for path, others in same.items() if len(others) == 1}
        dates = self.dates({*copies.values()}) if copies else {}
        found = {path: of_original(each, dates[each]) for path, each in copies.items()}
        others = [path for path in paths if path not in copies]
        return found | (why_undated(repository.top, others, same) if others else {})

    def _undated(self, path: bytes) -> NoDate:
        if self._failed and self._known.held.get(path, (b"", b"")):
            return NoDate(GitReason.GIT_FAILED, self._failed.found, cause=self._failed)
        return NoDate(GitReason.NOT_COMMITTED, f"{path_text(path)} is not committed")

    def _date(self, stop: "FileChange") -> Change | NoDate:
        repository, cursor = self._query.repository, stop.cursor
        commit, path = stop.commit.oid.decode("ascii"), path_text(cursor.path)
        if stop.hidden is GitReason.NO_BLOBS:
            detail = f"the clone lacks what {path} had before commit {commit[:12]}"
            return NoDate(GitReason.NO_BLOBS, detail, _NO_BLOBS)
        if stop.hidden or stop.commit.oid in repository.boundary:
            detail = f"the clone is shallow and does not reach back to the last change of {path}"
            fix = f"Run `git -C {shlex.quote(str(repository.top))} {UNSHALLOW}`."
            found = "the clone is shallow"
            cause = GitProblem(GitCode.SHALLOW, found, fix, repository=repository.top)
            return NoDate(GitReason.SHALLOW, detail, cause)
        if stop.ignored:
            why = one_line(stop.ignored)
            detail = f"commit {commit[:12]} is ignored ({why}), and {path} has no older commit"
            return NoDate(GitReason.IGNORED, detail)
        try:
            when = _EPOCH + timedelta(seconds=stop.commit.when)
        except OverflowError:
            when = _EPOCH
        if when == _EPOCH:
            what = "has no valid date (1970-01-01, as by git-svn, or one that git can't read)"
            return without_date(commit, what, self._query.ignored.file)
        skipped = tuple(Skipped(oid.decode("ascii"), why) for oid, why in cursor.skipped)
        before = stop.before.decode("ascii")
        return Change(
            repository.top, path, commit, when, skipped, stop.added, note=stop.note, before=before
        )

    @contextmanager
    def _noting_failure(self) -> Iterator[None]:
        """Note why git fails. It is not run again then."""
        try:
            yield
        except (GitFailed, ValueError, TypeError) as error:  # or what git printed can't be parsed
            unexpected = GitFailed("git printed something unexpected")
            failure = error if isinstance(error, GitFailed) else unexpected
            self._failed = problem_of(failure, self._query.repository.top)
            self.problems.append(self._failed)


class _Known:
    """What was read of a HEAD. A server builds a site again and again, and reads it once."""

    def __init__(self, query: Query) -> None:
        self.held: dict[bytes, Version | None] = {}
        self.dates: dict[bytes, Change | NoDate] = {}
        self.by_blob: Mapping[bytes, Sequence[bytes]] | None = None  # None: no file was absent
        self.line = Line(query.repository, query.url, query.branch, query.ci_branch)


_known = lru_cache(maxsize=64)(_Known)
