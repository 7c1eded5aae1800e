"""Messages about dates: future or missing ones, a shallow clone, one commit for most pages."""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mkdocs_sitemap_plus.files import exists, path_from, real_path, repository_folder, text_or_empty
from mkdocs_sitemap_plus.generator.lastmod.date_source import Key, Reason
from mkdocs_sitemap_plus.generator.lastmod.git_source import (
    git_dates,
    in_our_words,
    is_own_clone,
    unshallow_command,
    without_words,
)
from mkdocs_sitemap_plus.generator.lastmod.sources import Dates
from mkdocs_sitemap_plus.generator.options.settings import (
    DATES_FILE,
    GitSettings,
    LastmodSettings,
    Shallow,
    Source,
)
from mkdocs_sitemap_plus.generator.pages.site import UncheckedSite
from mkdocs_sitemap_plus.gitdates import Change, GitCode, NoDate
from mkdocs_sitemap_plus.gitdates.query import USUAL_NAME
from mkdocs_sitemap_plus.gitdates.single_commits import is_kept, subjects
from mkdocs_sitemap_plus.gitdates.values import UNSHALLOW
from mkdocs_sitemap_plus.problems import Code, Level, Place, Problem, invalid
from mkdocs_sitemap_plus.wording import counted, first_names, format_value, listing

_FEWEST_PAGES = 10  # one commit for fewer pages is normal
_SHARE, _MOSTLY = 0.2, 0.6
"""One commit that dates this share of the dated pages is worth a note, if it changed no word on
most of them."""
_SHARE_OF_ALL, _FEWEST_OF_ALL = 0.8, 20
"""One that dates this share of at least so many is worth a note whatever it changed."""

_ACCEPT = "accept missing dates with `lastmod: {sources: [front_matter]}`"
_CLAUSES: dict[str, str] = {
    Reason.NO_DATES_FILE: "there is no dates file",
    Reason.NOT_IN_DATES_FILE: "they are not in the dates file",
    Reason.UNKNOWN_SOURCE: "their source files are not known",
    Reason.UNKNOWN_INCLUDE: "they include files that are not known",
    Reason.NOT_COMMITTED: "they are not committed",
    Reason.IGNORED: "all of their commits are ignored",
    Reason.INVALID_COMMIT_DATE: "their commits have no valid date",
    Reason.UNDATED_POST: "the pages that they list have no date",
}
"""What is found if all pages have this reason. For the other reasons, a problem says it.

A reason that the owner chose needs no message.
"""
_CODES: dict[str, Code] = {
    Reason.UNUSABLE_DATES_FILE: Code.DATES_FILE,
    Reason.CHANGED_SINCE: Code.DATES_FILE,
    Reason.FUTURE: Code.FUTURE,
}
"""The codes of the problems by which pages have these reasons."""

NO_BLOBS = "the clone lacks old contents (`--filter=blob:none`)"

_UNSHALLOW = f"Run `git {UNSHALLOW}` before the build"
_FIXES = {
    "GITHUB_ACTIONS": "Set `fetch-depth: 0` for actions/checkout.",
    "GITLAB_CI": "Set the variable `GIT_DEPTH: 0`.",
    "BITBUCKET_BUILD_NUMBER": "Set `clone: depth: full` in bitbucket-pipelines.yml.",
    "TF_BUILD": "Set `fetchDepth: 0` for the checkout step.",
    "READTHEDOCS": f"Add `git {UNSHALLOW}` to `build.jobs.post_checkout` in .readthedocs.yaml.",
    "NETLIFY": f"{_UNSHALLOW}, in the build command.",
    "CF_PAGES": f"{_UNSHALLOW}, in the build command.",
    "VERCEL": "Set the environment variable `VERCEL_DEEP_CLONE=true`.",
}
"""How to get the whole history in a CI, by an environment variable that only this CI sets."""


def missing_dates(
    listed: Sequence[Key], dates: Dates, settings: LastmodSettings, site: UncheckedSite
) -> list[Problem]:
    """Return all messages about the dates of listed pages.

    There is a warning if a shallow or a partial clone hides dates. Otherwise there is one if no
    source but front matter dates any page. In ``serve``, it is a note, as all other messages are.
    """
    problems, has_file = [*dates.problems], exists(site.root / DATES_FILE)
    uses_file = Source.FILE in settings.sources and has_file
    if uses_file:  # who has a dates file expects that there is no git
        no_git = (GitCode.NO_REPOSITORY, GitCode.NO_GIT)
        problems = [each for each in problems if each.code not in no_git]
    whys = [dates.why_not(key) for key in listed if not dates.owners_place(key)]
    undated = [why for why in whys if why]
    if not undated or not settings.sources:
        return problems
    if has_file and not uses_file:
        found = f"{DATES_FILE} is there but not used: add `file` to lastmod.sources"
        problems.append(Problem(Code.DATES_FILE, found, level=Level.NOTE))
    count = sum(dates.of(key) is None for key in listed)
    level, accept = Level.NOTE if site.serving else Level.WARNING, bool(site.project_file)
    of_clones: list[Problem] = []
    if hidden := [why for why in undated if why.reason == Reason.NO_BLOBS]:
        found, done = _hidden_by_clone(NO_BLOBS, len(hidden), count, len(listed))
        of_clones.append(no_blobs_problem(found, done, level, accept=accept))
    if hidden := [why for why in undated if why.reason == Reason.SHALLOW]:
        clones, fix = shallow_clones(hidden, site.root)
        failed = next((each.found for each in problems if each.code is GitCode.FETCH), None)
        found, done = _hidden_by_clone(clones, len(hidden), count, len(listed))
        done = f"{failed[0].upper()}{failed[1:]}." if failed else done
        problem = shallow_problem(found, done, fix, settings.git.shallow, level, accept=accept)
        of_clones.append(problem)
        problems = [each for each in problems if each.code is not GitCode.FETCH]
    if of_clones:
        return [*of_clones, *problems]
    dated = (dates.of(key) for key in listed)
    by_source = any(each and isinstance(each.origin, Change) for each in dated)
    if by_source or set(settings.sources) == {Source.FRONT_MATTER}:
        return problems
    return _nothing_dated(undated, _number_dated(count, len(listed)), problems, site)


def _hidden_by_clone(clones: str, hidden: int, undated: int, listed: int) -> tuple[str, str | None]:
    """Return `found` and `done` of the problem that `hidden` pages have no date."""
    if undated == listed:
        what = "their last change" if hidden == undated else f"the last change of {hidden:,}"
        number = _number_dated(undated, listed)
        return f"{number}: {clones}, so {what} is unknown", None
    pages = counted(listed, "page")
    found = f"{clones}, so the last change of {hidden:,} of {pages} is unknown"
    return found, "It gets no date." if hidden == 1 else "They get no date."


def _number_dated(undated: int, listed: int) -> str:
    pages = counted(listed, "page")
    if undated == listed:
        return f"0 of {pages} {'has' if listed == 1 else 'have'} a date"
    return f"{undated:,} of {pages} {'has' if undated == 1 else 'have'} no date"


def _nothing_dated(
    undated: Sequence[NoDate], number: str, problems: Sequence[Problem], site: UncheckedSite
) -> list[Problem]:
    """Return the `problems`, and before them the one that no source dates a page.

    What says why already is not said twice. Without a project file, there is no option to accept
    missing dates.
    """
    reasons = Counter(why.reason for why in undated).most_common()
    first = next(why for why in undated if why.reason == reasons[0][0])
    if first.reason == Reason.UNKNOWN_SOURCE and len(reasons) == 1 and site.no_source.is_said:
        return [*problems]
    of_git = in_our_words(first.cause) if first.cause else None
    code = _CODES.get(first.reason)
    cause = next((each for each in problems if each == of_git or each.code is code), of_git)
    clause, fix = cause.found if cause else _CLAUSES.get(first.reason, first.reason), first.fix
    if first.reason == Reason.UNKNOWN_SOURCE:
        fix = site.no_source.fix
    if len(reasons) > 1:
        clause = ", ".join(f"{reason} ({counted(count, 'page')})" for reason, count in reasons)
    if not site.project_file:
        accept = ""
    elif fix:
        accept = f", or {_ACCEPT}"
    else:
        accept = _ACCEPT.capitalize()
    fix = f"{(fix or '').removesuffix('.')}{accept}." if fix or accept else None
    in_clone = exists(repository_folder(site.root) / ".git")
    if cause and cause.code is GitCode.NO_REPOSITORY and in_clone:  # mkdocs.yml alone is in one
        clause = f"{clause} ({path_from(site.root, site.docs_dir)})"
    level = Level.NOTE if site.serving else Level.WARNING
    problem = Problem(Code.NO_DATES, f"{number}: {clause}", fix=fix, level=level)
    return [problem, *(each for each in problems if each != cause)]


def fix_for_shallow() -> str:
    """Return how to get the whole history in the CI that runs; by git if the CI is not known."""
    fixes = (fix for variable, fix in _FIXES.items() if os.environ.get(variable))
    return next(fixes, f"{_UNSHALLOW}.")


def shallow_clones(hidden: Iterable[NoDate], root: Path) -> tuple[str, str]:
    """Return which shallow clones hide dates, as a clause, and how to get their history.

    Where the clone of the project file is one of them, the setting of the CI that runs is the fix;
    most of them count for submodules too.
    """
    found = {why.cause.repository for why in hidden if why.cause and why.cause.repository}
    others = sorted(found)
    if not others or any(is_own_clone(clone, root) for clone in others):
        return "the clone is shallow", fix_for_shallow()
    names = [path_from(real_path(root), clone) for clone in others]
    commands = listing(f"`{unshallow_command(clone, root)}`" for clone in others)
    they_are = "the clone {} is" if len(names) == 1 else "the clones {} are"
    clause = f"{they_are.format(first_names(names))} shallow"
    if _SHALLOW_SUBMODULE.search(text_or_empty(repository_folder(root) / ".gitmodules")):
        clause += " (.gitmodules has `shallow = true`)"
    return clause, f"Run {commands} before the build."


_SHALLOW_SUBMODULE = re.compile(r"(?mi)^\s*shallow\s*=\s*true\s*$")


def shallow_problem(  # noqa: PLR0913 - what a problem has, and what its owner chose
    found: str, done: str | None, fix: str, shallow: Shallow, level: Level, *, accept: bool
) -> Problem:
    """Return the problem of a shallow clone, with its `fix`.

    With ``shallow: omit``, it is a note, whatever the `level`. `accept` says whether there is an
    option to accept it.
    """
    if shallow is Shallow.OMIT:
        level = Level.NOTE
    elif accept:
        option = "`lastmod: {git: {shallow: omit}}`"
        fix = f"{fix.removesuffix('.')}, or accept missing dates with {option}."
    return Problem(Code.SHALLOW, found, done=done, fix=fix, level=level)


def no_blobs_problem(found: str, done: str | None, level: Level, *, accept: bool) -> Problem:
    """Return the problem of a clone without old contents. `accept` is as for a shallow one."""
    fix = "Clone without a filter"
    if accept:
        fix += ", or count each commit with `lastmod: {git: {change: any}}`"
    return Problem(GitCode.NO_BLOBS, found, done=done, fix=f"{fix}.", level=level)


def one_commit_for_most(
    origins: Iterable[object], settings: GitSettings, root: Path
) -> Problem | None:
    """Return a note if one commit that readers see nothing of dates many pages; otherwise None.

    `origins` has what dates each dated page. So is one that dates nearly all of them, whatever it
    changed. A commit that added most of the pages that it dates is a normal one. There is no note
    on a commit that the file of ignored commits has in a comment.
    """
    origins = [*origins]
    dated: defaultdict[tuple[Path, str], list[Change]] = defaultdict(list)
    for change in origins:
        if isinstance(change, Change) and change.commit:
            dated[change.repository, change.commit].append(change)
    git = git_dates(settings, root)
    for (repository, commit), changes in sorted(dated.items(), key=lambda item: -len(item[1])):
        count, new = len(changes), sum(change.added for change in changes)
        if count < max(_FEWEST_PAGES, _SHARE * len(origins)):
            return None
        if new > count / 2 or is_kept(commit, git.ignored_file(repository)):
            continue
        paths, before = [change.path for change in changes], changes[0].before
        wordless = without_words(repository, commit, before, paths)
        unseen = sum(path in wordless for path in paths)  # a file may be the source of several
        is_most = len(origins) >= _FEWEST_OF_ALL and count >= _SHARE_OF_ALL * len(origins)
        if not is_most and unseen < _MOSTLY * count:
            continue
        subject = format_value(subjects(repository, [commit]).get(commit, ""))
        file = settings.ignore_revs_file or USUAL_NAME
        where = "" if settings.ignore_revs_file else " at the top of the repository"
        # The list may end without a newline, and two ids in one line would be none.
        if all(change.before and not change.added for change in changes):  # older ones date them
            fix = f"If readers need not see them as new, run `printf '\\n%s\\n' {commit} >> {file}`"
            fix += f"{where}. If the dates are right, write `#` before the line."
        else:
            fix = f"If the dates are right, run `printf '\\n# %s\\n' {commit} >> {file}`{where}."
        words = f"; on {unseen:,} of them it changed no word" if unseen else ""
        return Problem(
            Code.ONE_COMMIT,
            f"{count:,} of {counted(len(origins), 'dated page')} have the date of one "
            f"commit, {commit[:12]} {subject}{words}",
            fix=fix,
            level=Level.NOTE,
        )
    return None


def future_problems(dates: Dates) -> Iterator[Problem]:
    """Yield the problems of pages whose date is in the future: one of all changes together."""
    future = [dated for key, dated in dates.future.items() if key in dates.queries]
    changes = [dated.origin for dated in future if isinstance(dated.origin, Change)]
    for dated in future:
        if isinstance(dated.origin, Place):
            fault = invalid(Code.LASTMOD, dated.origin, dated.lastmod, fault="is in the future")
            yield fault._replace(done="No lastmod is written.")
    if changes:
        first = min(changes, key=lambda change: (change.path, change.commit))
        commit = f"{first.commit[:12]}, " if first.commit else ""
        what = "commit" if commit else "change"
        yield Problem(
            Code.FUTURE,
            f"{counted(len(changes), 'page has', 'pages have')} a last {what} that is dated "
            f"in the future ({first.path}: {commit}{first.when.isoformat()})",
            done="Dates more than 24 hours ahead are not used.",
            level=Level.NOTE,
        )
