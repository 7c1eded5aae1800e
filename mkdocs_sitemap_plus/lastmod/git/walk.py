"""The walk: each file is a token that goes down its own line of history until it changes.

It stops where ``git log -1 -- PATH`` stops (see "History Simplification" in ``git help log``): a
commit with a parent in which the file is the same hands it to the first such parent; otherwise the
commit is the file's last change.

Diffs to the first parent are enough to know. A file that such a diff does not list is the same in
the first parent. One that a merge lists may be the same in a further parent: its blob there is the
one that the first commit to list the file has, down that parent's line of first parents. All
commits in between are the same as their first parent, so a token that finds its own blob stands
there.

Commits that were printed stay recorded, so their order does not matter, however wrong their dates
are; but see `Walk` on older names.
"""

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from mkdocs_sitemap_plus.lastmod.git.process import GitUnexpected

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from mkdocs_sitemap_plus.lastmod.git.log import LogCommit, RawChange
    from mkdocs_sitemap_plus.lastmod.git.rules import GoOn, PassOver

    Older = Callable[[LogCommit, RawChange], bytes | None]

_T = TypeVar("_T")


class Token(NamedTuple):
    """A file on its way down through history.

    Attributes:
        page: its path at HEAD.
        path: its path where it stands.
        version: its mode and blob there; the mode is empty where it is not known.
        skipped: the commits that changed it and do not count, and why; newest first.
    """

    page: bytes
    path: bytes
    version: tuple[bytes, bytes]
    skipped: tuple[tuple[bytes, str], ...] = ()

    def past(self, commit: "LogCommit", change: "RawChange", on: "GoOn") -> "Token":
        """The token below a commit whose change does not count."""
        path = self.path if on.path is None else on.path
        older = change.old_mode, change.old_oid
        version = (b"", change.new_oid) if change.added else older  # a renamed file has its blob
        return Token(self.page, path, version, (*self.skipped, (commit.oid, on.why)))

    def check(self, change: "RawChange") -> None:
        """Hold what a commit made of the file against what the file is there.

        Raises:
            GitUnexpected: they differ, so git did not print all changes, or not as they are.
        """
        mode, oid = self.version
        if change.new_oid != oid or mode not in (b"", change.new_mode):
            raise GitUnexpected(b"%s %s %s" % (change.new_mode, change.new_oid, change.path))


class Stop(NamedTuple):
    """Where a token stopped: at the commit that dates the file, or at the end of its history.

    Attributes:
        token: as it stood there.
        commit: the commit that changed the file.
        change: what it changed, against its first parent.
        ignored: why the commit does not count, although no older one has the file; None: it counts.
    """

    token: Token
    commit: "LogCommit"
    change: "RawChange"
    ignored: str | None = None


class _Claim(NamedTuple):
    """A token that asks whether a further parent of a merge has its file as the merge has it."""

    token: Token
    merge: "LogCommit"
    change: "RawChange"
    parent: int


class Walk:
    """One walk over printed commits.

    Attributes:
        wanted: the paths whose changes still matter; `log.commits` filters by it.
        left: how many tokens have not stopped.

    A token that goes on under an older name needs the changes of that name in all commits below.
    They are wanted from the rename on: so if there can be renames, git has to print children
    before their parents.
    """

    def __init__(
        self,
        starts: "Mapping[bytes, Iterable[Token]]",
        pass_over: "PassOver",
        older: "Older",
    ) -> None:
        """Place the tokens.

        Args:
            starts: the commits at which tokens stand at first.
            pass_over: says where a token goes on past a change that does not count.
            older: the older name of an added path that ``pass_over`` may come to.
        """
        self.wanted: set[bytes] = set()
        self.left = 0
        self._pass_over = pass_over
        self._older = older
        self._names: set[bytes] = set()
        self._printed: dict[bytes, LogCommit] = {}
        self._standing: dict[bytes, dict[bytes, list[Token]]] = {}
        self._claims: dict[bytes, dict[bytes, list[_Claim]]] = {}
        self._again: list[bytes] = []
        self._found: list[Stop] = []
        for oid, tokens in starts.items():
            for token in tokens:
                self.wanted.add(token.path)
                if token.skipped:
                    self._names.add(token.path)
                self.left += 1
                self._stand(oid, {token.path: [token]})

    def stops(self, commits: "Iterable[LogCommit]") -> "Iterator[Stop]":
        """Follow the commits, until they end or every token has stopped.

        Raises:
            GitUnexpected: a change made another blob of a file than the file has there.
        """
        if not self.left:
            return
        for commit in commits:
            self._record(commit)
            self._visit(commit)
            while self._again:
                self._visit(self._printed[self._again.pop()])
            if self._found:
                yield from self._found
                self._found.clear()
                if not self.left:
                    return

    def _record(self, commit: "LogCommit") -> None:
        self._printed[commit.oid] = commit
        for change in commit.changes:
            if change.added and (name := self._older(commit, change)):
                self._names.add(name)
                self.wanted.add(name)

    def _visit(self, commit: "LogCommit") -> None:
        """Move on whatever stands at a printed commit."""
        standing = self._standing.pop(commit.oid, None)
        claims = self._claims.pop(commit.oid, None)
        for change in commit.changes:
            for token in standing.pop(change.path, ()) if standing else ():
                self._changed(token, commit, change)
            for claim in claims.pop(change.path, ()) if claims else ():
                self._answer(claim, commit, change)
        if commit.parents:
            if standing:
                self._stand(commit.parents[0], standing)
            if claims:
                self._ask(commit.parents[0], claims)
        elif claims:  # the root does not have these files
            for claim in (claim for there in claims.values() for claim in there):
                self._ask_next(claim)

    def _changed(self, token: Token, commit: "LogCommit", change: "RawChange") -> None:
        """The file is not the same in the first parent."""
        token.check(change)
        self._ask_next(_Claim(token, commit, change, 0))

    def _answer(self, claim: _Claim, commit: "LogCommit", change: "RawChange") -> None:
        """What the file is in the parent that was asked, and in all down to this commit."""
        mine = (claim.change.new_mode, claim.change.new_oid)
        if (change.new_mode, change.new_oid) == mine:
            self._changed(claim.token, commit, change)
        else:
            self._ask_next(claim)

    def _ask_next(self, claim: _Claim) -> None:
        """Ask the merge's next parent; after the last one, the file changed in the merge."""
        parent = claim.parent + 1
        if parent < len(claim.merge.parents):
            asked = claim._replace(parent=parent)
            self._ask(claim.merge.parents[parent], {claim.token.path: [asked]})
        else:
            self._decide(claim.token, claim.merge, claim.change)

    def _decide(self, token: Token, commit: "LogCommit", change: "RawChange") -> None:
        """The commit changed the file: stop there, unless it does not count."""
        if (on := self._pass_over(commit, change)) and on.path is not None:
            self._stand(commit.parents[0], {on.path: [token.past(commit, change, on)]})
            return
        self.left -= 1
        if token.path not in self._names:
            self.wanted.discard(token.path)
        self._found.append(Stop(token, commit, change, on.why if on else None))

    def _stand(self, oid: bytes, tokens: dict[bytes, list[Token]]) -> None:
        self._hand(self._standing, oid, tokens)

    def _ask(self, oid: bytes, claims: dict[bytes, list[_Claim]]) -> None:
        self._hand(self._claims, oid, claims)

    def _hand(
        self, table: dict[bytes, dict[bytes, list[_T]]], oid: bytes, these: dict[bytes, list[_T]]
    ) -> None:
        """Put these at a commit: the fewer to the more, and by reference, not one by one."""
        if not these:
            return
        those = table.get(oid)
        if those is None:
            table[oid] = these
        else:
            table[oid] = _joined(*sorted((those, these), key=len))
        if oid in self._printed:
            self._again.append(oid)


def _joined(few: dict[bytes, list[_T]], many: dict[bytes, list[_T]]) -> dict[bytes, list[_T]]:
    for path, there in few.items():
        many.setdefault(path, []).extend(there)
    return many
