"""What git says, in the words of a plugin: what happens to pages, and what their owner can do."""

from collections.abc import Iterable, Iterator

from mkdocs_sitemap_plus.gitdates import GitCode, GitDates, GitProblem
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem
from mkdocs_sitemap_plus.wording import format_value

_DONE = {
    GitCode.GIT_FAILED: "Pages that git has not dated yet get no date from git.",
    GitCode.FETCH: "The clone stays shallow.",
    GitCode.NO_BLOBS: "So commits that change only front matter or white space count too.",
}
_UNDATED = "Pages get no date from git."

_INSTALL = "Install git 2.31 or newer where the site is built."
_FIXES_OF_GIT = {
    GitCode.NO_REPOSITORY: "Build in a clone of the repository with its .git folder, or use a "
    "dates file (`mkdocs-sitemap-plus dates`).",
    GitCode.NO_COMMITS: "Commit the pages.",
    GitCode.NO_GIT: _INSTALL,
    GitCode.OLD_GIT: _INSTALL,
    GitCode.NO_BLOBS: "Clone without a filter if `lastmod.git.change` is `body`.",
}
"""What an owner of a site can do, where that is more than the library can know."""


def words_of_git(git: GitDates) -> Iterator[Problem]:
    """Yield why files have no date, or why commits count that should not."""
    yield from map(in_our_words, git.problems)
    yield from _matching_no_commit(git.unmatched)


def fix_of(problem: GitProblem) -> str | None:
    """Return what the owner of a site can do about a problem of git."""
    return _FIXES_OF_GIT.get(problem.code, problem.fix)


def in_our_words(problem: GitProblem) -> Problem:
    """Return a problem of git as a message that says what happens to pages, and what to do."""
    code, found = problem.code, problem.found
    if code is GitCode.IGNORE_REVS and problem.line:
        place = Place(origin=Origin.OPTION, file=problem.file, line=problem.line)
        return Problem(
            code=code, place=place, found=found, done="The line is ignored.", level=Level.INFO
        )
    if code is GitCode.IGNORE_REVS:
        place = Place(origin=Origin.OPTION, key="lastmod.git.ignore_revs_file")
        found = f"is {format_value(problem.file)}, which {found}"
        done = "The commits in it are not ignored."
        return Problem(code=code, place=place, found=found, done=done)
    done = _DONE.get(code, _UNDATED)
    return Problem(code=code, found=found, done=done, fix=fix_of(problem), level=Level.INFO)


_MATCHED = {"author": "the whole `Name <mail>`", "subject": "the whole first line of a message"}


def _matching_no_commit(patterns: Iterable[tuple[str, str]]) -> Iterator[Problem]:
    """Yield a note for each pattern that matched no commit, as far as the history was read."""
    for kind, pattern in patterns:
        yield Problem(
            code=Code.PATTERN,
            place=Place(origin=Origin.OPTION, key=f"lastmod.git.ignore_{kind}s"),
            found=f"has {format_value(pattern)}, which matches no commit that was read",
            fix=f"A pattern must match {_MATCHED[kind]}; `*` stands for any text.",
            level=Level.INFO,
        )
