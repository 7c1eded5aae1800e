"""Shallow clones: where they come from, and how to get the whole history."""

import os

from mkdocs_sitemap_plus.lastmod.git.process import GitFailed
from mkdocs_sitemap_plus.lastmod.git.repository import Repository, reason_of, repository_of
from mkdocs_sitemap_plus.options.settings import Shallow
from mkdocs_sitemap_plus.problems import Problem

_UNSHALLOW = "Run `git fetch --unshallow` before the build"
_FIXES = {
    "GITHUB_ACTIONS": "Set `fetch-depth: 0` for actions/checkout.",
    "GITLAB_CI": "Set the variable `GIT_DEPTH: 0`.",
    "BITBUCKET_BUILD_NUMBER": "Set `clone: depth: full` in bitbucket-pipelines.yml.",
    "TF_BUILD": "Set `fetchDepth: 0` for the checkout step.",
    "READTHEDOCS": "Add `git fetch --unshallow` to `build.jobs.post_checkout` in "
    ".readthedocs.yaml.",
    "NETLIFY": f"{_UNSHALLOW}, in the build command.",
    "CF_PAGES": f"{_UNSHALLOW}, in the build command.",
    "VERCEL": "Set the environment variable `VERCEL_DEEP_CLONE=true`.",
}
"""By the variable that each CI sets, what to change there."""


def fix_for_shallow() -> str:
    """What to set where the build runs."""
    known = (fix for variable, fix in _FIXES.items() if os.environ.get(variable))
    return next(known, f"{_UNSHALLOW}.")


def shallow_problem(found: str, done: str | None, shallow: Shallow, *, note: bool) -> Problem:
    """Return the problem of a clone that hides dates, with the fix for the CI that runs.

    Args:
        found: what is hidden, as a clause.
        done: what happens, as a sentence; None if `found` says it.
        shallow: the option.
        note: whether it is only information, whatever the option is.
    """
    accepted = shallow is Shallow.OMIT
    accept = "" if accepted else ", or accept it with `lastmod: {git: {shallow: omit}}`"
    return Problem(
        code="shallow",
        found=found,
        done=done,
        fix=f"{fix_for_shallow().removesuffix('.')}{accept}.",
        note=note or accepted,
    )


def with_history(repository: Repository) -> Repository | Problem:
    """Fetch what a shallow clone lacks, and read the repository anew; or why that failed."""
    try:
        repository.git.fetch_history()
    except GitFailed as failure:
        return _not_fetched(reason_of(failure, repository.top))
    found = repository_of(repository.top)
    if found == repository:  # git fetches nothing from no remote, and calls that well
        return _not_fetched("there is no remote that has more of it")
    return found


def _not_fetched(why: str) -> Problem:
    return Problem(
        code="fetch",
        found=f"the missing history can't be fetched ({why})",
        done="The clone stays shallow.",
        note=True,
    )
