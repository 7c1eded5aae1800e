"""Say what a repository is called, and which files it holds at HEAD."""

import os
import re
from pathlib import Path
from typing import NamedTuple

from .process import GitFailed, output
from .repository import Repository, RepositoryFinder, files_at_head, problem_of, url_of_remote
from .values import GitProblem

_REMOTE = r"(?:(?!file:)[A-Za-z][A-Za-z0-9+.-]*://[^/]+/|[^/:]{2,}:(?!//))(?P<path>.+)"
_NAMES = "refs/(?:heads|tags|remotes/[^/]+)/"


class AtHead(NamedTuple):
    """A repository at HEAD."""

    top: Path  # the top folder of its work tree, without symbolic links
    # The paths of the repository on its host, such as ``owner/name.git``: those of the remotes
    # `origin` and, in a clone of a fork, `upstream`. Without an `origin`, that of `repo_url`.
    remotes: tuple[str, ...]
    refs: frozenset[str]  # the id of HEAD, and the branches and tags that point to it
    files: frozenset[str]  # all files but those of submodules, relative to `top`, with ``/``


def at_head(folder: Path, repo_url: str | None = None) -> AtHead | GitProblem:
    """Return what the repository of a folder holds, or why git can't read it.

    `repo_url` names the repository if it has no remote `origin` on a host.
    """
    repository = RepositoryFinder(fetch=False).repository(os.path.realpath(folder))
    if not isinstance(repository, Repository):
        return repository
    try:
        files = frozenset(map(os.fsdecode, files_at_head(repository, ())))
        printed = output(repository.top, "for-each-ref", "--points-at=HEAD", "--format=%(refname)")
    except GitFailed as failure:
        return problem_of(failure, repository.top)
    names = printed.decode("utf-8", "replace").splitlines()
    refs = {re.sub(f"^{_NAMES}", "", name, count=1) for name in names} - {"HEAD"}
    refs.add(repository.head.decode("ascii"))
    urls = (url_of_remote(repository.top, name) for name in ("origin", "upstream"))
    origin, upstream = map(_remote_path, urls)
    named = (origin, upstream) if origin else (_remote_path(repo_url or ""),)
    return AtHead(repository.top, tuple(filter(None, named)), frozenset(refs), files)


def _remote_path(url: str) -> str | None:
    """Return the path of a repository on its host; None for a folder of this machine."""
    found = re.fullmatch(_REMOTE, url.strip())
    return found["path"] if found else None
