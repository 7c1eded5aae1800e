"""Messages about dates: dates that no source has, a shallow clone, one commit for most pages."""

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from mkdocs_sitemap_plus.lastmod import Change, NoDate, Reason
from mkdocs_sitemap_plus.lastmod.dates_file import WRITE_AGAIN
from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.lastmod.git.rules import USUAL_NAME
from mkdocs_sitemap_plus.lastmod.sources import Dates, Key
from mkdocs_sitemap_plus.options.settings import GitSettings, LastmodSettings, Shallow, Source
from mkdocs_sitemap_plus.problems import Problem, SitemapError
from mkdocs_sitemap_plus.wording import counted, format_value

_FEWEST_PAGES = 20
"""With fewer dated pages, it is normal that one commit changed most of them."""

_SHARE = 0.8
"""The fraction of the dated pages above which the commit is worth a note."""

_ACCEPT = "accept it with `lastmod: {sources: [front_matter]}`"
_TEXTS = {
    Reason.NO_DATES_FILE: (
        "there is no dates file",
        "Write it where the repository is: `mkdocs-sitemap-plus dates`.",
    ),
    Reason.NOT_IN_DATES_FILE: ("they are not in the dates file", WRITE_AGAIN),
    Reason.UNKNOWN_SOURCE: (
        "it is not known which files they are made from",
        "Let the edit links of generated pages name their sources.",
    ),
    Reason.NOT_COMMITTED: ("they are not committed", "Commit them."),
    Reason.IGNORED: (
        "all of their commits are ignored",
        "Do not ignore the commits that added them.",
    ),
    Reason.INVALID_COMMIT_DATE: ("their commits have no valid date", None),
    Reason.UNDATED_POST: ("the pages that they list have no date", None),
}
"""What is found if all pages have this reason, and the fix; None if there is no fix.

The other reasons have a problem (`NoDate.cause`), which has both texts.
"""

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
"""How to get the whole history, by an environment variable that only this CI sets."""

_NO_GIT = frozenset(("no-repository", "no-git"))
"""Codes of problems where git can't be used at all."""


def missing_dates(
    listed: Sequence[Key],
    dates: Dates,
    settings: LastmodSettings,
    git_problems: Iterable[Problem],
    *,
    serving: bool,
) -> list[Problem]:
    """Return all messages about dates.

    There is at most one warning: a shallow clone hides the date of a listed page, or the sources
    `git` and `file` date no page. Everything else is a note.

    Args:
        listed: the pages that the sitemap lists.
        dates: their dates, and why others have none.
        settings: the options under ``lastmod``.
        git_problems: the problems of `History`.
        serving: whether a development server runs; then the warning is a note as well.

    Raises:
        SitemapError: a shallow clone hides dates, and ``shallow: error`` is set.
    """
    problems = [*dates.problems, *git_problems]
    uses_file = Source.FILE in settings.sources and dates.file_exists
    if uses_file:  # its owner expects that there is no git
        problems = [each for each in problems if each.code not in _NO_GIT]
    undated = [why for key in listed if (why := dates.undated.get(key)) and why.place is None]
    if not undated or not settings.sources:
        return problems
    if dates.file_exists and not uses_file:
        found = f"{settings.file} is there but not used: add `file` to lastmod.sources"
        problems.append(Problem(code="dates-file", found=found, note=True))
    if hidden := sum(why.reason is Reason.SHALLOW for why in undated):
        found, done = _hidden_by_shallow_clone(hidden, listed, dates)
        problem = _shallow(found, done, settings, problems, serving=serving)
        return [problem, *(each for each in problems if each.code != "fetch")]
    dated = [dates.dated[key] for key in listed if key in dates.dated]
    by_git = any(isinstance(each.because, Change) for each in dated)
    if by_git or not {Source.GIT, Source.FILE}.intersection(settings.sources):
        return problems
    problem, cause = _nothing_dated(undated, listed, dates, serving=serving)
    return [problem, *(each for each in problems if each != cause)]


def _hidden_by_shallow_clone(
    hidden: int, listed: Sequence[Key], dates: Dates
) -> tuple[str, str | None]:
    """Return what is hidden, as a clause, and the effect, as a sentence.

    The effect is None if the clause states it.
    """
    if hidden == len(listed) or not dates.dated.keys() & listed:
        whose = "their last change" if hidden == len(listed) else f"the last change of {hidden:,}"
        return f"{_number_dated(listed, dates)}: the clone is shallow, so {whose} is unknown", None
    pages = counted(len(listed), "page")
    found = f"the clone is shallow, so the last change of {hidden:,} of {pages} is unknown"
    return found, "It gets no date." if hidden == 1 else "They get no date."


def _shallow(
    found: str,
    done: str | None,
    settings: LastmodSettings,
    problems: Iterable[Problem],
    *,
    serving: bool,
) -> Problem:
    """Return the message about a shallow clone, with the message about a failed fetch."""
    if fetch := next((each.found for each in problems if each.code == "fetch"), None):
        done = f"{fetch[0].upper()}{fetch[1:]}."
    problem = shallow_problem(found, done, settings.git.shallow, note=serving)
    if settings.git.shallow is Shallow.ERROR:
        raise SitemapError(replace(problem, note=False))
    return problem


def fix_for_shallow() -> str:
    """Return how to get the whole history, in the CI that runs or anywhere."""
    fixes = (fix for variable, fix in _FIXES.items() if os.environ.get(variable))
    return next(fixes, f"{_UNSHALLOW}.")


def shallow_problem(found: str, done: str | None, shallow: Shallow, *, note: bool) -> Problem:
    """Return the problem of a clone that hides dates, with the fix for the CI that runs.

    Args:
        found: what is hidden, as a clause.
        done: the effect, as a sentence; None if `found` states it.
        shallow: the option; with ``omit`` it is a note.
        note: whether it is a note with the other values too.
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


def _nothing_dated(
    undated: Sequence[NoDate], listed: Sequence[Key], dates: Dates, *, serving: bool
) -> tuple[Problem, Problem | None]:
    """Return the message that git dates no page, and the problem that this message contains."""
    reasons = Counter(why.reason for why in undated).most_common()
    first = next(why for why in undated if why.reason is reasons[0][0])
    if first.cause is not None:
        clause, fix = first.cause.found, first.cause.fix
    else:
        clause, fix = _TEXTS[first.reason]
    if len(reasons) > 1:
        clause = ", ".join(f"{reason} ({counted(count, 'page')})" for reason, count in reasons)
    accept = f"{fix.removesuffix('.')}, or {_ACCEPT}." if fix else f"{_ACCEPT.capitalize()}."
    found = f"{_number_dated(listed, dates)}: {clause}"
    return Problem(code="no-dates", found=found, fix=accept, note=serving), first.cause


def _number_dated(listed: Sequence[Key], dates: Dates) -> str:
    """Return ``0 of 3 pages have a date`` if none has one, else ``2 of 3 pages have no date``."""
    pages = counted(len(listed), "page")
    undated = sum(key not in dates.dated for key in listed)
    if undated == len(listed):
        return f"0 of {pages} {'has' if len(listed) == 1 else 'have'} a date"
    return f"{undated:,} of {pages} {'has' if undated == 1 else 'have'} no date"


def one_commit_for_most(
    origins: Iterable[object], history: History, settings: GitSettings
) -> Problem | None:
    """Return a note if one commit, such as a new formatting, dates most pages; else None.

    The commit is the last change of at least 80 % of at least 20 dated pages. Pages that it added
    do not count: they have no older date.

    Args:
        origins: for each dated page, the owner's value or the commit that dates it.
        history: reads the commit's subject.
        settings: the options under ``lastmod.git``.
    """
    origins = list(origins)
    changes = [each for each in origins if isinstance(each, Change)]
    commits = Counter((each.repository, each.commit) for each in changes if not each.added)
    if len(origins) < _FEWEST_PAGES or not commits:
        return None
    (repository, commit), count = commits.most_common(1)[0]
    if count < _SHARE * len(origins):
        return None
    added = sum((each.repository, each.commit) == (repository, commit) for each in changes) - count
    subject = format_value(history.subject(repository, commit))
    file = settings.ignore_revs_file or USUAL_NAME
    effect = f"{counted(count, 'page')} then get an older date"
    if added:
        effect += f", and {added:,} that it added {'gets' if added == 1 else 'get'} none"
    return Problem(
        code="one-commit",
        found=f"{count:,} of {counted(len(origins), 'dated page')} were last changed by one "
        f"commit, {commit[:12]} {subject}",
        done="Search engines may stop trusting such dates.",
        fix=f"If it did not change what readers see, ignore it: {effect}. "
        f"Add this line to {file}: {commit}",
        note=True,
    )
