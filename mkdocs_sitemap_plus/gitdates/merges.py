"""Know the merges before which the published branch was the second parent.

Along first parents one finds when a change reached the branch that is built, since a merge has the
branch that it was made on as its first parent. Two kinds of merges are made on another branch,
which became the published one afterwards:

- ``git pull`` merges the published branch into a local copy of itself.
- Somebody merges the published branch into a branch of their own, as with "Update branch" of a pull
  request, or with a pull request from the published branch itself, and that branch becomes the
  published one by a fast-forward or a push.

Both are told by the whole subject that git or GitHub writes. Every other merge is an ordinary one.
"""

import re
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from .git import output
from .log import Commit, subject_of
from .repository import Repository, url_of_remote

_SUBJECT = re.compile(
    r"Merge (?:branch '(?P<branch>[^']+)'(?: of (?P<url>\S+))?"
    r"|remote-tracking branch '(?:refs/remotes/)?origin/(?P<tracking>[^']+)')"
    r"(?: into (?P<into>[^\s']+))?"
)
_REQUEST = re.compile(r"Merge pull request #[0-9]+ from (?P<owner>[^\s/]+)/(?P<branch>\S+)")
_MAIN = ("main", "master")  # where git leaves out "into"
_HOST = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/]*|[^/:]+:")  # also of git@github.com:owner/name


class _Merged(NamedTuple):
    """What the subject of a merge says."""

    branch: str  # of this repository
    into: str  # the name of another branch or the same; empty if git left it out
    remote: bool  # whether the branch came from the remote repository


class Merges:
    """The merges of one repository. Git is asked for names only if a subject needs them."""

    def __init__(self, repository: Repository, url: str | None) -> None:
        """Ask nothing yet. `url` is that of the repository, if it has no remote ``origin``."""
        self._repository, self._url = repository, url

    def is_pull(self, commit: Commit) -> bool:
        """Whether what was published before a merge is its second parent."""
        if len(commit.parents) != 2 or not commit.subject.startswith("Merge "):
            return False
        if request := _REQUEST.fullmatch(commit.subject):
            return self._is_of_built_branch(request["owner"], request["branch"])
        if not (merged := self._merged(commit.subject)):
            return False
        branch, into, remote = merged
        if into in ("", branch):
            return remote and (branch in _MAIN or bool(into))
        return branch in self._built.union(_MAIN) and not self._is_published(merged)

    def _merged(self, subject: str) -> _Merged | None:
        """Return what a subject says; None if git did not write it, or of another repository."""
        if not (found := _SUBJECT.fullmatch(subject)):
            return None
        url = found["url"]
        if url and (not self._path or _path_of(url) != self._path):
            return None
        remote = bool(url or found["tracking"])
        return _Merged(found["branch"] or found["tracking"], found["into"] or "", remote)

    def _is_of_built_branch(self, owner: str, branch: str) -> bool:
        """Whether a pull request came from the branch that is built, so it brought that up to date.

        Its subject does not say into which branch it was merged. But on the line of first parents
        of the same branch, that can only be another one, which became it later.
        """
        built = self._built or set(self._names)
        return built == {branch} and self._path.startswith(f"{owner.casefold()}/")

    def _is_published(self, merged: _Merged) -> bool:
        """Whether the other branch is built itself, so that a merge into it publishes.

        It is one that HEAD has the name of. In a checkout without any, as of a tag, it is one into
        which the branch was merged again and again.
        """
        if self._names:
            return merged.into in self._names
        return self._times[merged.branch, merged.into] > 1

    @cached_property
    def _names(self) -> Mapping[str, bool]:
        """HEAD's branch and its upstream (true), and other branches of ``origin`` at HEAD."""
        form = "--format=%(HEAD)%00%(refname:lstrip=2)%00%(refname:lstrip=3)%00%(upstream:lstrip=3)"
        refs = ("refs/heads", "refs/remotes/origin")
        words = ("for-each-ref", "--points-at=HEAD", form, *refs)
        names: dict[str, bool] = {}
        for line in output(self._repository.top, *words).decode("utf-8", "replace").splitlines():
            mark, local, of_remote, upstream = line.split("\0")
            if mark == "*":
                names |= dict.fromkeys(filter(None, (local, upstream)), True)
            elif local.startswith("origin/") and of_remote != "HEAD":
                names.setdefault(of_remote, False)
        return names

    @property
    def _built(self) -> set[str]:
        """HEAD's branch and its upstream; none in a checkout without a branch."""
        return {name for name, is_head in self._names.items() if is_head}

    @cached_property
    def _times(self) -> Counter[tuple[str, str]]:
        """How often one branch was merged into another, along HEAD's first parents."""
        words = ("log", "--first-parent", "--min-parents=2", "--max-parents=2", "--format=%B%x00")
        printed = output(self._repository.top, *words, self._repository.head)
        subjects = (subject_of(message) for message in printed.split(b"\0"))
        return Counter(merged[:2] for merged in map(self._merged, subjects) if merged)

    @cached_property
    def _path(self) -> str:
        """The path of this repository by its ``origin``, or else by the given URL."""
        origin = _path_of(url_of_remote(self._repository.top))
        return origin or _path_of(self._url or "")


def _path_of(url: str) -> str:
    """Return the path of a repository's URL, such as ``owner/name``; empty if it has none.

    Hosts have other names for themselves, ignore case, and add ``.git`` or not.
    """
    url = url.strip()
    host = _HOST.match(url)
    path = url[host.end() :] if host else url
    return path.strip("/").removesuffix(".git").strip("/").casefold()
