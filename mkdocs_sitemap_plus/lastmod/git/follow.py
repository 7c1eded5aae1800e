"""One repository's files, round by round: walk, see what was renamed out of sight, walk on."""

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from mkdocs_sitemap_plus.garbage import no_garbage
from mkdocs_sitemap_plus.lastmod.git.log import RAW, LogCommit, commits, line_format
from mkdocs_sitemap_plus.lastmod.git.process import GitBrokeOff, GitUnexpected
from mkdocs_sitemap_plus.lastmod.git.rules import Counting, GoOn, Renames, pass_over
from mkdocs_sitemap_plus.lastmod.git.walk import Stop, Token, Walk
from mkdocs_sitemap_plus.options.settings import GitChange, GitDate, GitSettings

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping

    from mkdocs_sitemap_plus.lastmod.git.process import Running
    from mkdocs_sitemap_plus.lastmod.git.repository import Repository

    Starts = Mapping[bytes, Iterable[Token]]

_END = b"end\n"
"""A line that ``git diff-tree --stdin`` prints as it is, since it names no commit."""

_MOST_PATHSPECS = 24
"""Git holds each entry of each tree against each pathspec."""


class Reading(NamedTuple):
    """How one repository is read.

    Attributes:
        repository: where.
        folders: the docs folders in it, relative to its top, each with ``/`` at its end; empty
            bytes for the whole repository.
        settings: which date.
        counting: what counts as a change.
    """

    repository: "Repository"
    folders: tuple[bytes, ...]
    settings: GitSettings
    counting: Counting


def last_changes(
    reading: Reading, files: "Mapping[bytes, tuple[bytes, bytes]]", begun: "Running | None" = None
) -> "Generator[Stop]":
    """The commit at which each file stops, in the order in which they are found.

    First the docs folders are walked; then, one walk a round, what lies outside of them and what
    was renamed from there.

    Args:
        reading: where, and how.
        files: the files, relative to the top, and their modes and blobs at HEAD.
        begun: the process of `begin`, if it was called with the same folders and settings.

    Raises:
        GitUnexpected: git printed something that can't be right.
        GitFailed: git died midway. What was yielded before stays right.
    """
    head, folders = reading.repository.head, reading.folders
    starts: dict[bytes, list[Token]] = defaultdict(list)
    further: dict[bytes, list[Token]] = defaultdict(list)
    for file, version in files.items():
        (starts if file.startswith(folders) else further)[head].append(Token(file, file, version))
    pathspecs = covering(folders, ())
    renames = _renames(reading, complete=not pathspecs)
    with no_garbage():
        while starts or further:
            unclear = []
            for stop in _walk(reading, starts, pathspecs, renames, begun):
                if pathspecs and _may_be_renamed(reading, stop):
                    unclear.append(stop)
                else:
                    yield stop
            begun = None
            for stop, on in _seen_whole(reading, unclear):
                if on is None:
                    yield stop
                elif on.path is None:
                    yield stop._replace(ignored=on.why)
                else:
                    token = stop.token.past(stop.commit, stop.change, on)
                    further[stop.commit.parents[0]].append(token)
            starts, further = further, defaultdict(list)
            pathspecs = covering((), (token.path for there in starts.values() for token in there))
            # where too little of the folders is seen, the first choice is not known
            renames = None if pathspecs else _renames(reading, complete=True)


def begin(
    repository: "Repository", folders: tuple[bytes, ...], settings: GitSettings, *, ahead: bool
) -> "Running":
    """Start the walk over the folders; whoever calls this must end it.

    Args:
        repository: where.
        folders: as in `Reading`.
        settings: which date.
        ahead: whether it runs on to its end while nobody reads what it prints.

    Raises:
        GitMissing: git can't be run.
    """
    return _log(repository, [repository.head], covering(folders, ()), settings, ahead=ahead)


def covering(folders: tuple[bytes, ...], files: "Iterable[bytes]") -> list[bytes]:
    """Few pathspecs that cover folders and files, and maybe more; none for the whole repository."""
    specs = {file for file in files if not file.startswith(folders)}
    most = max(_MOST_PATHSPECS, len(folders))
    while len(specs) + len(folders) > most and specs:
        deepest = max(spec.count(b"/") for spec in specs)
        specs = {
            spec.rpartition(b"/")[0] if spec.count(b"/") == deepest else spec for spec in specs
        }
        if b"" in specs:
            return []
    if b"" in folders:
        return []
    return sorted(specs | {folder.removesuffix(b"/") for folder in folders})


def _renames(reading: Reading, *, complete: bool) -> Renames | None:
    """What finds renames, if they are asked for."""
    if reading.counting.change is GitChange.ANY:
        return None
    return Renames(reading.folders, complete=complete)


def _walk(
    reading: Reading,
    starts: "Starts",
    pathspecs: list[bytes],
    renames: Renames | None,
    begun: "Running | None",
) -> "Iterator[Stop]":
    """One walk; the git process ends with it.

    Raises:
        GitFailed: as in `last_changes`.
    """
    log = begun or (
        _log(reading.repository, list(starts), pathspecs, reading.settings) if starts else None
    )
    if log is None:
        return
    older = renames.older if renames else _no_older
    walk = Walk(starts, pass_over(reading.counting, renames), older)
    with log:
        parents = 1 if reading.settings.date is GitDate.PUBLISHED else None
        yield from walk.stops(
            commits(log, walk.wanted, parents=parents, renames=renames is not None)
        )
    if walk.left:  # each file was added by some commit
        raise GitBrokeOff


def _log(
    repository: "Repository",
    starts: list[bytes],
    pathspecs: list[bytes],
    settings: GitSettings,
    *,
    ahead: bool = False,
) -> "Running":
    """Git, printing what `commits` reads; newer commits first, children first where it matters."""
    published = settings.date is GitDate.PUBLISHED
    in_order = published and len(starts) == 1  # a line has no other order than its own
    return repository.git.start(
        "log",
        "--first-parent" if published else "--full-history",
        *([] if in_order or settings.change is GitChange.ANY else ["--topo-order"]),
        "--sparse",
        "--diff-merges=first-parent",
        *RAW,
        "--no-decorate",
        _format(settings),
        "--stdin",
        "--",
        *pathspecs,
        stdin=b"\n".join((*starts, b"")),
        ahead=ahead,
    )


def _format(settings: GitSettings) -> str:
    date = "%at" if settings.date is GitDate.AUTHOR else "%ct"
    return line_format(date, authors=bool(settings.ignore_authors))


def _no_older(_: LogCommit, __: object) -> None:
    """No file has an older name that is seen."""


def _may_be_renamed(reading: Reading, stop: Stop) -> bool:
    """Whether the path was added: the file may have come from where the walk did not look."""
    asked = reading.counting.change is not GitChange.ANY
    return asked and stop.change.added and bool(stop.commit.parents)


def _seen_whole(reading: Reading, stops: list[Stop]) -> "Iterator[tuple[Stop, GoOn | None]]":
    """The stops again, each with where it goes on, now that the whole trees are compared."""
    if not stops:
        return
    at = defaultdict(list)
    for stop in stops:
        at[stop.commit.oid].append(stop)
    judge = pass_over(reading.counting, Renames(reading.folders, complete=True))
    added = {stop.token.path for stop in stops}
    pairs = [b"%s %s\n" % (oid, there[0].commit.parents[0]) for oid, there in at.items()]
    with reading.repository.git.start(
        "diff-tree", "--stdin", *RAW, line_format("%ct"), stdin=b"".join((*pairs, _END))
    ) as diffs:
        for commit in commits(diffs, added, renames=True, end=_END):
            if commit.oid not in at:
                raise GitUnexpected(commit.oid)
            stops = at.pop(commit.oid)
            seen = stops[0].commit._replace(changes=commit.changes)
            for stop in stops:
                yield stop, judge(seen, stop.change)
    if at:
        raise GitBrokeOff
