"""Find the last change of each file of one repository, also of files that were renamed.

The first walk reads the folders, and finds renames inside of them. If a commit added a path
there, the file may have been renamed from outside of the folders. So the whole trees of this commit
and its parent are compared. Files that were renamed from outside are followed by further walks.
"""

from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, nullcontext
from datetime import UTC, datetime, timedelta

from .log import RAW, commits, line_format, path_text
from .process import GitBrokeOff, GitProcess, GitUnexpected
from .repository import Repository
from .rules import ContinueAt, Renames, RepositoryQuery, skip_rule
from .texts import shorten
from .values import Change, GitChange, GitDate, GitReason, NoDate, Skipped
from .walk import Cursor, Stop, Walk

_END = b"end\n"  # `git diff-tree --stdin` prints this line as it is, since it names no commit
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_MAX_PATHSPECS = 24  # more would be slow: git compares each entry of each tree with each pathspec


def last_changes(
    query: RepositoryQuery,
    files: Mapping[bytes, tuple[bytes, bytes]],
    prefetched: GitProcess | None = None,
) -> Generator[Stop]:
    """Yield the `Stop` of each file, as soon as it is found.

    `files` has the mode and the blob at HEAD of each path. `prefetched` is the process of
    `prefetch`, if it was called with the same folders and settings. Raises GitUnexpected if git
    printed something that can't be right. Raises another GitFailed if git ended too early; the
    stops before that are right.
    """
    head, folders = query.repository.head, query.folders
    any_change = query.change is GitChange.ANY
    cursors = [Cursor(file, file, version) for file, version in files.items()]
    inside = [cursor for cursor in cursors if cursor.path.startswith(folders)]
    outside = [cursor for cursor in cursors if not cursor.path.startswith(folders)]
    further = {head: outside} if outside else {}  # cursors of the next walk, by their commit
    log = prefetched or (prefetch(query) if inside else None)
    renames = None if any_change else Renames(folders)
    sees_all_renames = _sees_all_renames(query)
    stops: Iterator[Stop] = iter(())
    if log:
        specs = folder_pathspecs(folders)
        stops = _walk(query, {head: inside}, log, specs, renames)
    while True:
        # Stops whose commits may have renamed the file from a path that the walk does not read.
        maybe_renamed = []
        for stop in stops:
            if sees_all_renames or not stop.change.added or not stop.commit.parents:
                yield stop
            else:
                maybe_renamed.append(stop)
        for stop, at in _with_whole_trees(query, maybe_renamed):
            if at is None:  # the commit counts
                yield stop
            elif at.path is None:  # the commit does not count, and no older commit has the file
                yield stop._replace(ignored=at.why)
            else:
                cursor = stop.cursor.at_parent(stop.commit, stop.change, at.path, at.why)
                further.setdefault(stop.commit.parents[0], []).append(cursor)
        if not further:
            return
        starts, further = further, {}
        specs = covering({cursor.path for there in starts.values() for cursor in there})
        log = None if query.pulls and query.pulls.found else _log(query, starts, specs)
        # These walks do not look for renames: git would have to sort the commits. Where a commit
        # added the path, the file may have been renamed too.
        stops = _walk(query, starts, log, specs, None)


def prefetch(query: RepositoryQuery, *, to_end: bool = False) -> GitProcess:
    """Start the git process of the first walk. The caller stops it, or gives it to `last_changes`.

    With `to_end`, git runs to its end even before its output is read. Raises GitMissing if git
    can't be run.
    """
    head, folders = query.repository.head, query.folders
    # A walk that looks for renames needs children before parents. With first parents only, git
    # prints them in this order anyway.
    needs_sorting = query.date is not GitDate.PUBLISHED and query.change is not GitChange.ANY
    options = ["--topo-order"] if needs_sorting else []
    return _log(query, [head], folder_pathspecs(folders), *options, prefetch=to_end)


def covering(paths: Iterable[bytes]) -> list[bytes]:
    """Return a few pathspecs that cover these paths, and maybe others.

    An empty list covers the whole repository.
    """
    specs = set(paths)
    while len(specs) > _MAX_PATHSPECS:
        deepest = max(spec.count(b"/") for spec in specs)
        deep = {spec for spec in specs if spec.count(b"/") == deepest}
        specs = (specs - deep) | {spec.rpartition(b"/")[0] for spec in deep}
        if b"" in specs:
            return []
    return sorted(specs)


def folder_pathspecs(folders: tuple[bytes, ...]) -> list[bytes]:
    """Return the pathspecs of the folders; an empty list covers the whole repository."""
    # Each ends with a slash. So it does not cover an older file with the name of the folder.
    return [] if b"" in folders else list(folders)


def _sees_all_renames(query: RepositoryQuery) -> bool:
    """Whether no rename can be missed: each is a change, or the walks read all folders."""
    return query.change is GitChange.ANY or b"" in query.folders


def _log(
    query: RepositoryQuery,
    starts: Iterable[bytes],
    pathspecs: list[bytes],
    *options: str,
    prefetch: bool = False,
) -> GitProcess:
    """Start the ``git log`` that `commits` reads."""
    published = query.date is GitDate.PUBLISHED
    return GitProcess(
        query.repository.top,
        "log",
        "--first-parent" if published else "--full-history",
        *options,
        "--sparse",
        "--diff-merges=first-parent",
        *RAW,
        "--no-decorate",
        line_format(
            "%at" if query.date is GitDate.AUTHOR else "%ct",
            authors=query.ignored.authors is not None,
            subjects=published or query.ignored.subjects is not None,  # they tell which are pulls
        ),
        "--stdin",
        "--",
        *pathspecs,
        stdin=b"\n".join((*starts, b"")),
        prefetch=prefetch,
    )


def _walk(
    query: RepositoryQuery,
    starts: Mapping[bytes, Iterable[Cursor]],
    log: GitProcess | None,
    pathspecs: list[bytes],
    renames: Renames | None,
) -> Iterator[Stop]:
    """Yield where the cursors stop, and end the git process."""
    rule = skip_rule(query, renames, sees_all_renames=_sees_all_renames(query))
    walk = Walk(starts, rule, renames.older_name if renames else lambda *_: None)
    find_renames = renames is not None
    with log or nullcontext():
        printed = commits(log, walk.wanted, renames=find_renames) if log else None
        if query.pulls:
            lines = query.pulls.commits(
                starts, printed, pathspecs, walk.wanted, renames=find_renames
            )
            with closing(lines):
                yield from walk.stops(lines)
        elif printed:
            yield from walk.stops(printed)
    # Each file was added by some commit. So if a cursor is left, git ended too early.
    if walk.left:
        raise GitBrokeOff


def _with_whole_trees(
    query: RepositoryQuery, stops: list[Stop]
) -> Iterator[tuple[Stop, ContinueAt | None]]:
    """Yield each stop with what the rule returns for its commit if whole trees are compared."""
    if not stops:
        return
    by_commit = defaultdict(list)
    for stop in stops:
        by_commit[stop.commit.oid].append(stop)
    rule = skip_rule(query, Renames(query.folders), sees_all_renames=True)
    added = {stop.cursor.path for stop in stops}
    pairs = [b"%s %s\n" % (oid, group[0].commit.parents[0]) for oid, group in by_commit.items()]
    # Only the changes are used. The date is printed since `commits` reads one.
    arguments = ("diff-tree", "--stdin", *RAW, line_format("%ct"))
    with GitProcess(query.repository.top, *arguments, stdin=b"".join((*pairs, _END))) as diffs:
        for commit in commits(diffs, added, renames=True, end=_END):
            if commit.oid not in by_commit:
                raise GitUnexpected(commit.oid)
            group = by_commit.pop(commit.oid)
            whole = group[0].commit._replace(changes=commit.changes)
            for stop in group:
                yield stop, rule(whole, stop.change)
    if by_commit:
        raise GitBrokeOff


def date_of(repository: Repository, stop: Stop) -> Change | NoDate:
    """Return the commit that dates a file, or why the file has no date."""
    commit, path = stop.commit.oid.decode("ascii"), path_text(stop.cursor.path)
    if stop.commit.oid in repository.boundary:
        detail = f"the clone is shallow and does not reach back to the last change of {path}"
        return NoDate(GitReason.SHALLOW, detail)
    if stop.ignored:
        why = shorten(stop.ignored)
        detail = f"commit {commit[:12]} is ignored ({why}), and {path} has no older commit"
        return NoDate(GitReason.IGNORED, detail)
    seconds = stop.commit.when  # git prints 0 for some dates that it can't read
    try:
        when = _EPOCH + timedelta(seconds=seconds) if seconds else None
    except OverflowError:
        when = None
    if when is None:
        return NoDate(GitReason.INVALID_COMMIT_DATE, f"commit {commit[:12]} has no valid date")
    skipped = (Skipped(what=oid.decode("ascii"), why=why) for oid, why in stop.cursor.skipped)
    return Change(
        repository=repository.top,
        path=path,
        commit=commit,
        when=when,
        added=stop.change.added,
        skipped=tuple(skipped),
    )
