"""One repository's files, round by round: walk, see what was renamed out of sight, walk on."""

import gc
from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mkdocs_sitemap_plus.lastmod.git.counts import Renames, pass_over
from mkdocs_sitemap_plus.lastmod.git.log import RAW, LogCommit, commits, line_format
from mkdocs_sitemap_plus.lastmod.git.walk import Stop, Token, Walk
from mkdocs_sitemap_plus.settings.values import GitChange, GitDate, GitSettings

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping

    from mkdocs_sitemap_plus.lastmod.git.repository import Repository

    Starts = Mapping[bytes, Iterable[Token]]

_MOST_PATHSPECS = 24
"""Git holds each entry of each tree against each pathspec."""


def last_changes(
    repository: "Repository",
    folders: tuple[bytes, ...],
    files: "Iterable[bytes]",
    settings: GitSettings,
) -> "Generator[Stop]":
    """The commit that dates each file, in the order in which they are found.

    Args:
        repository: where.
        folders: the docs folders in it, relative to its top, each with ``/`` at its end; empty
            bytes for the whole repository.
        files: the files, relative to its top; HEAD holds all of them.
        settings: which date, and what counts as a change.

    Raises:
        GitFailed: git died midway. What was yielded before stays right.
    """
    starts: Starts = {repository.head: [Token(file, file) for file in files]}
    pathspecs = covering(folders, (token.path for token in starts[repository.head]))
    renames = _renames(folders, settings, complete=not pathspecs)
    with _no_garbage():
        while starts:
            unclear = []
            for stop in _walk(repository, starts, pathspecs, renames, settings):
                if pathspecs and settings.change is GitChange.CONTENT and _may_be_renamed(stop):
                    unclear.append(stop)
                else:
                    yield stop
            further = defaultdict(list)
            for stop, token in _seen_whole(repository, folders, unclear, settings):
                if token is None:
                    yield stop
                else:
                    further[stop.commit.parents[0]].append(token)
            starts = further
            pathspecs = covering((), (token.path for there in further.values() for token in there))
            # where too little of the folders is seen, the first choice is not known
            renames = None if pathspecs else _renames(folders, settings, complete=True)


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


def _renames(
    folders: tuple[bytes, ...], settings: GitSettings, *, complete: bool
) -> Renames | None:
    """What finds renames, if they are asked for."""
    if settings.change is GitChange.CONTENT:
        return Renames(folders, complete=complete)
    return None


def _walk(
    repository: "Repository",
    starts: "Starts",
    pathspecs: list[bytes],
    renames: Renames | None,
    settings: GitSettings,
) -> "Iterator[Stop]":
    """One walk; the git process ends with it."""
    published = settings.date is GitDate.PUBLISHED
    in_order = published and len(starts) == 1  # a line has no other order than its own
    walk = Walk(
        starts, pass_over(settings.change, renames), renames.older if renames else _no_older
    )
    with repository.git.start(
        "log",
        "--first-parent" if published else "--full-history",
        *(["--topo-order"] if renames and not in_order else []),
        "--sparse",
        "--diff-merges=first-parent",
        *RAW,
        "--no-decorate",
        line_format("%at" if settings.date is GitDate.AUTHOR else "%ct"),
        "--stdin",
        "--",
        *pathspecs,
        stdin=b"\n".join((*starts, b"")),
    ) as log:
        parents = 1 if published else None
        yield from walk.stops(
            commits(log, walk.wanted, parents=parents, renames=renames is not None)
        )


def _no_older(_: LogCommit, __: object) -> None:
    """No file has an older name that is seen."""


def _may_be_renamed(stop: Stop) -> bool:
    """Whether the path was added: the file may have come from where the walk did not look."""
    return stop.change.added and bool(stop.commit.parents)


def _seen_whole(
    repository: "Repository",
    folders: tuple[bytes, ...],
    stops: list[Stop],
    settings: GitSettings,
) -> "Iterator[tuple[Stop, Token | None]]":
    """The stops again, each with the token that goes on, now that the whole trees are compared."""
    if not stops:
        return
    at = defaultdict(list)
    for stop in stops:
        at[stop.commit.oid].append(stop)
    judge = pass_over(settings.change, Renames(folders, complete=True))
    added = {stop.token.path for stop in stops}
    pairs = [b"%s %s\n" % (oid, there[0].commit.parents[0]) for oid, there in at.items()]
    with repository.git.start(
        "diff-tree", "--stdin", *RAW, line_format("%ct"), stdin=b"".join(pairs)
    ) as diffs:
        for commit in commits(diffs, added, renames=True):
            for stop in at[commit.oid]:
                on = judge(commit, stop.change)
                yield stop, stop.token.past(commit, on) if on else None


@contextmanager
def _no_garbage() -> "Iterator[None]":
    """Without the collector of cycles: none are made here, and it would look at each commit."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
