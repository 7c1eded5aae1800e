"""Know the merges that `git pull` made, and read the commits on both of their sides.

``git pull`` merges the published branch into a local copy of itself. So the second parent of such a
merge is what was published before, and the first parent is the work of whoever pulled. Along first
parents alone, what others had published would seem to come with the pull.
"""

import re
from collections.abc import Container, Generator, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from .log import (
    RAW,
    LogCommit,
    commits,
    line_format,
    nul_fields,
    subject_of,
)
from .process import GitBrokeOff, GitProcess, GitUnexpected
from .repository import url_of_remote

# The subjects that git writes. On main and master, git leaves out "into".
_OF_URL = rb"Merge branch '(?P<branch>[^']+)' of (?P<url>\S+)(?: into (?P<into>\S+))?"
_OF_ORIGIN = (
    rb"Merge remote-tracking branch '(?:refs/remotes/)?origin/(?P<branch>[^']+)'"
    rb"(?: into (?P<into>\S+))?"
)
_NOT_NAMED = (b"main", b"master")

_HOST = r"[A-Za-z][A-Za-z0-9+.-]*://[^/]*|[^/:]+:"  # of a URL, or of `git@github.com:owner/name`
_END = b"end\n"  # `git diff-tree --stdin` prints this line as it is, since it names no commit


class _Node(NamedTuple):
    """A commit on a line."""

    oid: bytes
    parents: tuple[bytes, ...]  # at which lines go on: both of a pull, the first of another


class Pulls:
    """The pulls of one repository. Git is asked about them when the first one is found.

    The commits that published changes form lines: a line begins at HEAD and goes on at first
    parents. At a pull, a second line begins at the second parent.
    """

    def __init__(self, top: Path, head: bytes, repo_url: str | None = None) -> None:
        """Read nothing yet. `repo_url` names the repository if it has no remote ``origin``."""
        self._top = top
        self._head = head
        self._repo_url = repo_url
        self._own_path: str | None = None  # empty: unknown
        self._lines: list[_Node] = []

    @property
    def found(self) -> bool:
        """Whether a pull was found. If so, `commits` needs no log."""
        return bool(self._lines)

    def commits(
        self,
        starts: Iterable[bytes],
        log: Iterator[LogCommit] | None,
        pathspecs: Iterable[bytes],
        wanted: Container[bytes],
        *,
        renames: bool,
    ) -> Generator[LogCommit]:
        """Yield the commits on the lines from these starts, each with one parent.

        `log` has what ``git log --first-parent`` prints from the same starts; it may be None if a
        pull was found before. From the first pull on, children come before parents. `pathspecs`,
        `wanted` and `renames` are those of the log.
        """
        begin = set(starts)
        first_parents: Iterator[LogCommit] | None = None
        for commit in log or ():
            if len(commit.parents) < 2:
                yield commit
            elif not self.is_pull(commit.parents, commit.subject):
                yield commit._replace(parents=commit.parents[:1])
            else:
                if len(begin) == 1:  # the rest of this line is still of use
                    begin, first_parents = {commit.oid}, chain([commit], log or ())
                break
        else:
            if log:
                return
        yield from self._with_changes(begin, first_parents, pathspecs, wanted, renames=renames)

    def is_pull(self, parents: Sequence[bytes], subject: bytes) -> bool:
        """Whether a commit merges a branch of this repository into itself.

        It has two parents, and its subject is one that git writes for such a merge. A URL in it
        must have the path of this repository. The host does not matter, as it may have other names.
        """
        if len(parents) != 2 or not subject.startswith(b"Merge "):
            return False
        if found := re.fullmatch(_OF_URL, subject):
            if _path_of(found["url"].decode("utf-8", "replace")) != self._path():
                return False
        elif not (found := re.fullmatch(_OF_ORIGIN, subject)):
            return False
        into = found["into"]
        return found["branch"] in _NOT_NAMED if into is None else found["branch"] == into

    def _with_changes(
        self,
        starts: set[bytes],
        first_parents: Iterator[LogCommit] | None,
        pathspecs: Iterable[bytes],
        wanted: Container[bytes],
        *,
        renames: bool,
    ) -> Iterator[LogCommit]:
        """Yield the commits of `_lines_from`, with their changes.

        `first_parents` has the commits of the first line, with changes. All other changes are read
        by one process. Both are read only as far as needed, since `wanted` grows on the way.
        """
        lines = [*self._lines_from(starts)]
        on_first_line = _first_line(lines) if first_parents else ()
        pairs = [
            b"%s %s\n" % (node.oid, parent)
            for node in lines
            for parent in (node.parents or (b"",))[node.oid in on_first_line :]
        ]
        form = line_format("%ct", authors=True, subjects=True)
        options = ("--stdin", "--root", "--always", *RAW, form)
        arguments: list[str | bytes] = ["diff-tree", *options, "--", *pathspecs]
        with GitProcess(self._top, *arguments, stdin=b"".join((*pairs, _END))) as process:
            diffs = commits(process, wanted, renames=renames, end=_END)
            for oid, parents in lines:
                on_first = oid in on_first_line
                source = first_parents if first_parents and on_first else diffs
                commit = _next(source, oid, parents[:1])
                pulled = _next(diffs, oid, parents[1:]) if len(parents) > 1 else None
                yield commit._replace(pulled=pulled)

    def _lines_from(self, starts: set[bytes]) -> Iterator[_Node]:
        """Yield the commits on the lines from these starts, which are on the lines from HEAD.

        Children come before parents.
        """
        self._lines = self._lines or [*self._read_lines()]
        reached = set(starts)
        for node in self._lines:
            if node.oid in reached:
                reached.update(node.parents)
                yield node

    def _read_lines(self) -> Iterator[_Node]:
        """Yield the commits on the lines from HEAD; git prints all, as only subjects tell pulls."""
        options = (
            "--topo-order",
            "-z",
            "--no-decorate",
            "--no-notes",
            "--format=tformat:%H %P%n%B",
        )
        reached = {self._head}
        with GitProcess(self._top, "log", *options, self._head, "--") as log:
            for field in chain.from_iterable(nul_fields(log)):
                ids, _, message = field.partition(b"\n")
                oid, *parents = ids.split() or (b"",)
                if oid in reached:
                    reached.remove(oid)
                    kept = 2 if self.is_pull(parents, subject_of(message)) else 1
                    reached.update(parents[:kept])
                    yield _Node(oid, tuple(parents[:kept]))

    def _path(self) -> str | None:
        """Return the path of this repository by its ``origin``, or else by `repo_url`."""
        if self._own_path is None:
            origin = url_of_remote(self._top)
            self._own_path = _path_of(origin) or _path_of(self._repo_url or "")
        return self._own_path or None


def _first_line(lines: Iterable[_Node]) -> set[bytes]:
    """Return the ids of the first commit, its first parent, and so on."""
    line: set[bytes] = set()
    following: bytes | None = None
    for node in lines:
        if following in (None, node.oid):
            line.add(node.oid)
            following = next(iter(node.parents), b"")
    return line


def _path_of(url: str) -> str:
    """Return the path of a repository's URL, such as ``owner/name``; empty if it has none.

    Hosts ignore case in it, and add ``.git`` or not.
    """
    path = re.sub(f"^(?:{_HOST})", "", url.strip())
    return path.strip("/").removesuffix(".git").strip("/").casefold()


def _next(printed: Iterator[LogCommit], oid: bytes, parents: tuple[bytes, ...]) -> LogCommit:
    """Return the next printed commit, which must be this one, compared with the first of `parents`.

    Raises GitBrokeOff or GitUnexpected if it is not.
    """
    found = next(printed, None)
    if found is None:
        raise GitBrokeOff
    if (found.oid, found.parents[:1]) != (oid, parents[:1]):
        raise GitUnexpected(found.oid)
    return found._replace(parents=parents[:1])
