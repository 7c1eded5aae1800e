"""Messages about dates: those that no source has, a shallow clone, one commit for most pages.

Only a build that may need one imports this.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from mkdocs_sitemap_plus.files import exists, path_from, repository_folder
from mkdocs_sitemap_plus.gitdates import Change, GitCode, NoDate
from mkdocs_sitemap_plus.gitdates.ignored import USUAL_NAME
from mkdocs_sitemap_plus.lastmod import WRITE_AGAIN, Key, Reason
from mkdocs_sitemap_plus.lastmod.git import git_dates
from mkdocs_sitemap_plus.lastmod.git_words import in_our_words
from mkdocs_sitemap_plus.lastmod.sources import FEWEST_PAGES, Dates
from mkdocs_sitemap_plus.options import GitSettings, LastmodSettings, Shallow, Source
from mkdocs_sitemap_plus.pages import UncheckedSite
from mkdocs_sitemap_plus.problems import Code, Level, Problem, SitemapError
from mkdocs_sitemap_plus.wording import counted, format_value

_SHARE = 0.8  # of the dated pages: one commit that dates so many is worth a note

_ACCEPT = "accept missing dates with `lastmod: {sources: [front_matter]}`"
_OR_ACCEPT = ", or accept missing dates"
_TEXTS: dict[str, tuple[str, str | None]] = {
    Reason.NO_DATES_FILE: (
        "there is no dates file",
        "Write the file in the repository: `mkdocs-sitemap-plus dates`.",
    ),
    Reason.NOT_IN_DATES_FILE: ("they are not in the dates file", WRITE_AGAIN),
    Reason.UNKNOWN_SOURCE: (
        "their source files are not known",
        "Set the edit links of generated pages to their source files.",
    ),
    Reason.UNKNOWN_INCLUDE: (
        "they include files that are not known",
        "Name the files under `sitemap.depends` in front matter.",
    ),
    Reason.NOT_COMMITTED: ("they are not committed", "Commit them."),
    Reason.IGNORED: (
        "all of their commits are ignored",
        "Do not ignore the commits that added them.",
    ),
    Reason.INVALID_COMMIT_DATE: ("their commits have no valid date", None),
    Reason.UNDATED_POST: ("the pages that they list have no date", None),
}
"""What is found if all pages have this reason, and the fix, if there is one.

For the other reasons, a problem has both texts. A reason that the owner chose needs no message.
"""
_CODES: dict[str, Code] = {
    Reason.UNUSABLE_DATES_FILE: Code.DATES_FILE,
    Reason.CHANGED_SINCE: Code.DATES_FILE,
    Reason.FUTURE: Code.FUTURE,
}
"""The codes of the problems by which pages have these reasons."""

_UNSHALLOW = "Run `git fetch --unshallow` before the build"
_FIXES = {
    "GITHUB_ACTIONS": "Set `fetch-depth: 0` for actions/checkout.",
    "GITLAB_CI": "Set the variable `GIT_DEPTH: 0`.",
    "BITBUCKET_BUILD_NUMBER": "Set `clone: depth: full` in bitbucket-pipelines.yml.",
    "TF_BUILD": "Set `fetchDepth: 0` for the checkout step.",
    "READTHEDOCS": "Add `git fetch --unshallow || true` to `build.jobs.post_checkout` in "
    ".readthedocs.yaml.",
    "NETLIFY": f"{_UNSHALLOW}, in the build command.",
    "CF_PAGES": f"{_UNSHALLOW}, in the build command.",
    "VERCEL": "Set the environment variable `VERCEL_DEEP_CLONE=true`.",
}
"""How to get the whole history in a CI, by an environment variable that only this CI sets."""


def missing_dates(
    listed: Sequence[Key],
    dates: Dates,
    settings: LastmodSettings,
    site: UncheckedSite,
) -> list[Problem]:
    """Return all messages about the dates of listed pages.

    There is a warning if a shallow clone hides dates. Otherwise there is one if no source but front
    matter dates any page. In ``serve``, it is a note, as all other messages are. With
    ``shallow: error``, raises SitemapError if a shallow clone hides dates.
    """
    problems = [*dates.problems]
    file_exists = exists(site.root / settings.file)
    uses_file = Source.FILE in settings.sources and file_exists
    if uses_file:  # who has a dates file expects that there is no git
        problems = [
            each for each in problems if each.code not in (GitCode.NO_REPOSITORY, GitCode.NO_GIT)
        ]
    keys = [key for key in listed if key in dates.undated and not dates.owners_place(key)]
    undated = [dates.undated[key] for key in keys]
    if not undated or not settings.sources:
        return problems
    if file_exists and not uses_file:
        found = f"{settings.file} is there but not used: add `file` to lastmod.sources"
        problems.append(Problem(code=Code.DATES_FILE, found=found, level=Level.INFO))
    level = Level.INFO if site.serving else Level.WARNING
    if hidden := sum(why.reason == Reason.SHALLOW for why in undated):
        found, done = _hidden_by_shallow_clone(hidden, listed, dates)
        if clause := next((each.found for each in problems if each.code is GitCode.FETCH), None):
            done = f"{clause[0].upper()}{clause[1:]}."
        problem = shallow_problem(found, done, settings.git.shallow, level)
        return [problem, *(each for each in problems if each.code is not GitCode.FETCH)]
    dated = [dates.dated[key] for key in listed if key in dates.dated]
    by_source = any(isinstance(each.because, Change) for each in dated)
    if by_source or set(settings.sources) == {Source.FRONT_MATTER}:
        return problems
    problem, cause = _nothing_dated(undated, listed, dates, level)
    in_clone = exists(repository_folder(site.root) / ".git")
    if cause and cause.code is GitCode.NO_REPOSITORY and in_clone:  # mkdocs.yml alone is in one
        found = f"{problem.found} ({path_from(site.root, site.docs_dir)})"
        problem = problem._replace(found=found)
    if settings.file != LastmodSettings.file and not file_exists:
        found = f"{problem.found}, and {settings.file} does not exist"
        fix = (
            f"Run `mkdocs-sitemap-plus dates` in the repository, copy the file here, or {_ACCEPT}."
        )
        problem = problem._replace(found=found, fix=fix)
    return [problem, *(each for each in problems if each != cause)]


def _hidden_by_shallow_clone(
    hidden: int, listed: Sequence[Key], dates: Dates
) -> tuple[str, str | None]:
    """Return `found` and `done` of the problem that `hidden` pages have no date."""
    if dates.dated.keys().isdisjoint(listed):
        what = "their last change" if hidden == len(listed) else f"the last change of {hidden:,}"
        return f"{_number_dated(listed, dates)}: the clone is shallow, so {what} is unknown", None
    pages = counted(len(listed), "page")
    found = f"the clone is shallow, so the last change of {hidden:,} of {pages} is unknown"
    return found, "It gets no date." if hidden == 1 else "They get no date."


def fix_for_shallow() -> str:
    """Return how to get the whole history in the CI that runs; by git if the CI is not known."""
    fixes = (fix for variable, fix in _FIXES.items() if os.environ.get(variable))
    return next(fixes, f"{_UNSHALLOW}.")


def without_accepting(problem: Problem) -> Problem:
    """Return a problem without the advice to accept missing dates, where no option can do that."""
    fix, accepts, _ = (problem.fix or "").partition(_OR_ACCEPT)
    return problem._replace(fix=f"{fix}.") if accepts else problem


def shallow_problem(found: str, done: str | None, shallow: Shallow, level: Level) -> Problem:
    """Return the problem of a clone that hides dates, with the fix for the CI that runs.

    With ``shallow: omit``, it is a note, whatever the `level`. With ``shallow: error``, it is
    raised as a SitemapError.
    """
    accepted, stops = shallow is Shallow.OMIT, shallow is Shallow.ERROR
    accept = "" if accepted else f"{_OR_ACCEPT} with `lastmod: {{git: {{shallow: omit}}}}`"
    problem = Problem(
        code=Code.SHALLOW,
        found=found,
        done=done,
        fix=f"{fix_for_shallow().removesuffix('.')}{accept}.",
        level=Level.INFO if accepted else Level.WARNING if stops else level,
    )
    if stops:
        raise SitemapError(problem)
    return problem


def _nothing_dated(
    undated: Sequence[NoDate], listed: Sequence[Key], dates: Dates, level: Level
) -> tuple[Problem, Problem | None]:
    """Return the message that no source dates a page, and the problem whose text it has, if any."""
    reasons = Counter(why.reason for why in undated).most_common()
    most_frequent, _ = reasons[0]
    first = next(why for why in undated if why.reason == most_frequent)
    if first.cause is not None:
        cause: Problem | None = in_our_words(first.cause)
    else:
        code = _CODES.get(first.reason)
        cause = next((each for each in dates.problems if each.code is code), None)
    clause, fix = _TEXTS.get(first.reason, (first.reason, None))
    if cause is not None:
        clause, fix = cause.found, cause.fix
    if len(reasons) > 1:
        clause = ", ".join(f"{reason} ({counted(count, 'page')})" for reason, count in reasons)
    fix = f"{fix.removesuffix('.')}, or {_ACCEPT}." if fix else f"{_ACCEPT.capitalize()}."
    found = f"{_number_dated(listed, dates)}: {clause}"
    return Problem(code=Code.NO_DATES, found=found, fix=fix, level=level), cause


def _number_dated(listed: Sequence[Key], dates: Dates) -> str:
    """Return ``2 of 3 pages have no date``; ``0 of 3 pages have a date`` if none has one."""
    pages = counted(len(listed), "page")
    undated = sum(key not in dates.dated for key in listed)
    if undated == len(listed):
        return f"0 of {pages} {'has' if len(listed) == 1 else 'have'} a date"
    return f"{undated:,} of {pages} {'has' if undated == 1 else 'have'} no date"


def one_commit_for_most(
    because: Iterable[object], settings: GitSettings, root: Path
) -> Problem | None:
    """Return a note if one commit, such as a new formatting, dates most pages; otherwise None.

    `because` has what dates each dated page. A commit that added most of the pages that it dates is
    a normal one. There is no note on a commit that the file of ignored commits has in a comment.
    """
    because = list(because)
    dated: defaultdict[tuple[Path, str], list[Change]] = defaultdict(list)
    for change in because:
        if isinstance(change, Change) and change.commit:
            dated[change.repository, change.commit].append(change)
    if len(because) < FEWEST_PAGES or not dated:
        return None
    (repository, commit), changes = max(dated.items(), key=lambda item: len(item[1]))
    count, new = len(changes), sum(change.added for change in changes)
    git = git_dates(settings, root)
    if count < _SHARE * len(because) or new > count / 2 or git.is_kept(repository, commit):
        return None
    subject = format_value(git.subject(repository, commit))
    file = settings.ignore_revs_file or USUAL_NAME
    where = "" if settings.ignore_revs_file else " at the top of the repository"
    # The list may end without a newline, and two ids in one line would be none.
    if _have_older_dates(changes, settings, root):
        fix = f"If it only reformatted them, run `printf '\\n%s\\n' {commit} >> {file}`{where}. "
        fix += "If the dates are right, write `#` before the line."
    else:
        fix = f"If the dates are right, run `printf '\\n# %s\\n' {commit} >> {file}`{where}."
    return Problem(
        code=Code.ONE_COMMIT,
        found=f"{count:,} of {counted(len(because), 'dated page')} have the date of one commit, "
        f"{commit[:12]} {subject}",
        fix=fix,
        level=Level.INFO,
    )


def _have_older_dates(changes: Sequence[Change], settings: GitSettings, root: Path) -> bool:
    """Whether all of these files keep a date if the commit that dates them is ignored.

    Older commits may be ignored too, or not be in a shallow clone.
    """
    files = {change.repository / change.path for change in changes}
    commits = {change.commit for change in changes if change.commit}
    with git_dates(settings, root, ignored=commits) as git:
        return git.changes(files).keys() == files
