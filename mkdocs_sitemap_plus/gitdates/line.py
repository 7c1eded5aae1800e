"""Know the line of commits that were published, one after the other.

It begins at HEAD. What was published before a commit is its first parent, since a merge has the
branch that it was made on as its first parent. But some merges were made on another branch, which
became the published one afterwards. What was published before them is their second parent:

- ``git pull`` merges the published branch into a local copy of itself.
- Somebody merges the published branch into a branch of their own, as with "Update branch" of a pull
  request, or with a pull request from the published branch itself, and that branch becomes the
  published one by a fast-forward or a push.

The line *passes* these. They are told by the whole subject that git or GitHub writes, and by the
branch that is built. Every other merge is an ordinary one.
"""

import re
import shlex
from collections import Counter
from functools import cached_property
from typing import NamedTuple

from .git import output
from .log import Commit, path_text, subject_of
from .repository import Repository
from .values import GitFailed

_SUBJECT = (
    r"Merge (?:branch '(?P<branch>[^']+)'(?: of (?P<url>\S+))?"
    r"|remote-tracking branch '(?:refs/remotes/)?origin/(?P<tracking>[^']+)')"
    r"(?: into (?P<into>[^\s']+))?"
)
_REQUEST = r"Merge pull request #[0-9]+ from (?P<owner>[^\s/]+)/(?P<branch>\S+)"
_MAIN = frozenset(("main", "master"))  # where git leaves out "into"
# Also of git@github.com:owner/name, but not of the folder C:/name.
_HOST = re.compile(r"(?!file:)[A-Za-z][A-Za-z0-9+.-]*://[^/]*|[^/:]{2,}:(?!//)")
_NOT_NAMES = ("_git", "a", "scm", "v3")  # what hosts put into the paths of URLs


class BuiltBranch(NamedTuple):
    """The branch that is built."""

    names: frozenset[str]  # its own and that of its upstream; none if nobody says which it is
    who: str  # says it, as a message may name it


class _Merged(NamedTuple):
    """What the subject of a merge says."""

    branch: str  # of this repository
    into: str  # the name of another branch or the same; empty if git left it out

    @property
    def is_pull(self) -> bool:
        """Whether the branch was merged into itself."""
        return self.into in ("", self.branch)


class Line:
    """The published line of one repository. Git is asked for names only if a subject needs them.

    Args:
        repository: The repository.
        url: Its URL, if git has no remote ``origin``, or one that is a folder.
        branch: The branch that is built, if the owner says it.
        ci_branch: The branch that is built if HEAD is on none, and who says so.
    """

    def __init__(
        self,
        repository: Repository,
        url: str | None = None,
        branch: str | None = None,
        ci_branch: tuple[str, str] | None = None,
    ) -> None:
        self._repository, self._url = repository, url
        self._branch, self._ci_branch = branch, ci_branch
        self._answers: dict[tuple[str, ...], str] = {}

    def before(self, commit: Commit) -> bytes | None:
        """Return the commit that was published before this one; nothing before the first.

        None if a shallow clone does not tell which it was.
        """
        if len(commit.parents) != 2 or not commit.subject.startswith("Merge "):
            return commit.parents[0] if commit.parents else b""
        passes = self._passes(commit.subject)
        return None if passes is None else commit.parents[passes]

    def _passes(self, subject: str) -> bool | None:
        """Whether a merge with this subject is passed; None if a shallow clone does not tell."""
        if request := re.fullmatch(_REQUEST, subject):
            owner, branch = request["owner"].casefold(), request["branch"]
            return branch in (self.built.names or self._usual) and any(
                owner == path[0] for path in self._paths
            )
        if not (merged := self._merged(subject)):
            return False
        names = self.built.names
        if merged.branch not in (names | _MAIN if names else self._usual):
            return False
        if merged.is_pull or names:
            return merged.is_pull or merged.into not in names
        # Nobody says which branch is built. It is the other one if this happens again and again.
        is_built = self._times[merged] > 1
        return None if self._repository.boundary and not is_built else not is_built

    def _merged(self, subject: str) -> _Merged | None:
        """Return what a subject says; None if git did not write it, or of another repository."""
        if not (found := re.fullmatch(_SUBJECT, subject)):
            return None
        merged = _Merged(found["branch"] or found["tracking"], found["into"] or "")
        is_remote = found["url"] or found["tracking"]
        if merged.is_pull and not (is_remote and (merged.into or merged.branch in _MAIN)):
            return None
        if found["url"] and not any(_end_alike(_names_in(found["url"]), p) for p in self._paths):
            return None
        return merged

    @cached_property
    def built(self) -> BuiltBranch:
        """The branch that is built, and who says so."""
        if self._branch:
            return BuiltBranch(frozenset((self._branch,)), "`lastmod.git.branch`")
        form = "--format=%(HEAD) %(refname) %(upstream)"
        refs = self._ask("for-each-ref", "--points-at=HEAD", form, "refs/heads").split("\n")
        for line in refs:
            if line.startswith("* "):
                names = re.findall(r" refs/(?:heads|remotes/[^/ ]+)/(\S+)", line)
                return BuiltBranch(frozenset(names), "HEAD")
        if self._ci_branch and self._may_be_at_head(self._ci_branch[0]):
            return BuiltBranch(frozenset(self._ci_branch[:1]), self._ci_branch[1])
        return BuiltBranch(frozenset(), "nobody")

    def _may_be_at_head(self, branch: str) -> bool:
        """Whether a branch of ``origin`` is at HEAD or newer, or git does not know it."""
        ref, form = f"refs/remotes/origin/{branch}", "--format=%(refname)"
        head = self._repository.head.decode()
        return ref in self._ask("for-each-ref", form, f"--contains={head}", ref).split(
            "\n"
        ) or ref not in self._ask("for-each-ref", form, ref).split("\n")

    @cached_property
    def _usual(self) -> frozenset[str]:
        """The branches that are built where nobody says it: main, master, the default one."""
        default = self._ask(
            "for-each-ref", "--format=%(symref:lstrip=3)", "refs/remotes/origin/HEAD"
        )
        return _MAIN | ({default} if default else set())

    @cached_property
    def _times(self) -> Counter[_Merged]:
        words = ("log", "--first-parent", "--min-parents=2", "--max-parents=2", "--format=%B%x00")
        printed = output(self._repository.top, *words, self._repository.head)
        subjects = (subject_of(message) for message in printed.split(b"\0"))
        return Counter(filter(None, map(self._merged, subjects)))

    @cached_property
    def _paths(self) -> list[list[str]]:
        """The paths of this repository: by its ``origin``, and by the given URL if that is none.

        An ``origin`` that is a folder is a copy, made by a CI for example.
        """
        words = ("config", "--local", "--get-all", "remote.origin.url")
        origin = self._ask(*words).partition("\n")[0].strip()
        urls = (origin,) if _HOST.match(origin) else (origin, self._url or "")
        return [*filter(None, map(_names_in, urls))]

    def _ask(self, *words: str) -> str:
        """Return what git says; nothing if it fails, as for a setting that does not exist."""
        if words not in self._answers:
            self._answers[words] = self._asked(words)
        return self._answers[words]

    def _asked(self, words: tuple[str, ...]) -> str:
        try:
            return output(self._repository.top, *words).decode("utf-8", "replace").rstrip("\n")
        except GitFailed:
            return ""

    def is_current(self) -> bool:
        """Whether git still says the same of names and branches: a server keeps what it read."""
        return all(self._asked(words) == answer for words, answer in self._answers.items())


def _names_in(url: str) -> list[str]:
    """Return the names in the path of a repository's URL, such as ``owner`` and ``name``.

    Hosts have other names for themselves, ignore case, and add ``.git`` or not.
    """
    url = url.strip()
    host = _HOST.match(url) or re.match(r"file://[^/]*", url)
    path = url[host.end() :] if host else url
    names = path.strip("/").removesuffix(".git").casefold().split("/")
    return [name for name in names if name and name not in _NOT_NAMES]


def _end_alike(one: list[str], other: list[str]) -> bool:
    """Whether two paths are equal, or one is the end of the other: a host may be below a folder."""
    least = min(len(one), len(other))
    return one == other or (least > 1 and one[-least:] == other[-least:])


class Trail:
    """The published line in a log of all that lies behind one of its commits.

    Attributes:
        before: The commit of the line before the one that was taken last, as `Line.before` has it.
        first: The next one of HEAD's first parents, which the line may have left.
        merge: The last merge that the line passed up to there; empty if it passed none.
    """

    def __init__(self, line: Line, start: bytes, first: bytes, merge: bytes) -> None:
        """The line goes on at `start`; there, the others are as above."""
        self.before: bytes | None = start
        self.first, self.merge = first, merge
        self._line = line
        self._is_apart = False  # whether the commit that was taken last is none of them
        self._beside: set[bytes] = set()  # what the first parents changed where the line did not

    def takes(self, commit: Commit) -> bool:
        """Whether the next commit that git printed is the next one of the line."""
        is_first, is_next = commit.oid == self.first, commit.oid == self.before
        first = commit.parents[0] if commit.parents else b""
        if is_next:
            self.before, self._is_apart = self._line.before(commit), not is_first
            if self.before not in (first, None):
                self.merge = commit.oid
        if is_first:
            self.first = first
            if not is_next or self.merge == commit.oid:
                self._beside.update(commit.paths)
        return is_next

    def note(self, commit: Commit, path: bytes) -> str:
        """Return what passed merges have to do with a file that the taken commit dates.

        An empty text if ``git log -1 --first-parent`` finds the same commit all the same.
        """
        merge, name = self.merge.decode("ascii")[:10], shlex.quote(path_text(path))
        names, who = self._line.built
        built = f"{' or '.join(sorted(names))} is built, says {who}"
        if not names:
            built = "nobody says which branch is built"
        if self.merge == commit.oid:
            show = f"`git diff {merge}^2 {merge} -- {name}` shows it"
            return f"this merge brought what was published and this change ({built}): {show}"
        if self._is_apart or path in self._beside:
            log = f"`git log -1 --first-parent {merge}^2 -- {name}` prints this commit"
            return f"merge {merge} only brought what was published before ({built}): {log}"
        return ""
