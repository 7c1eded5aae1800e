"""What the source ``git`` finds, in our words."""

import shlex
from collections.abc import Iterable
from pathlib import Path

from mkdocs_sitemap_plus.files import absolute_path, path_from, real_path, repository_folder
from mkdocs_sitemap_plus.gitdates import GitCode, GitDates, GitProblem
from mkdocs_sitemap_plus.gitdates.values import UNSHALLOW
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem
from mkdocs_sitemap_plus.wording import counted, first_names, format_value

_MATCHED = {"author": "the whole `Name <mail>`", "subject": "the whole first line of a message"}
_INSIDE = {"author": "the author", "subject": "the subject"}


def problems_of(git: GitDates) -> list[Problem]:
    """Return why files have no date or commits count that should not, and patterns without use."""
    return [
        *map(in_our_words, git.problems),
        *(
            Problem(
                code=Code.PATTERN,
                place=Place(origin=Origin.OPTION, key=f"lastmod.git.ignore_{kind}s"),
                found=f"has {format_value(pattern)}, which matches no commit that was read",
                fix=f"With `*` or `?` it must match {_MATCHED[kind]}, without them a part of it.",
                level=Level.INFO,
            )
            for kind, pattern in git.unmatched
        ),
        *(
            Problem(
                code=Code.OPTION,
                place=Place(origin=Origin.OPTION, key=f"lastmod.git.ignore_{kind}s"),
                found=f"has {format_value(pattern)}, which is a part of {_INSIDE[kind]} of "
                f"{counted(number, 'commit')}",
                done=f"{'It is' if number == 1 else 'They are'} ignored now; up to 0.11, a pattern "
                "had to match the whole.",
                level=Level.INFO,
            )
            for (kind, pattern), number in git.matched_inside.items()
        ),
    ]


_OR_FILE = (
    "Build in a clone of the repository with its .git folder, or use a dates file "
    "(`mkdocs-sitemap-plus dates`)."
)
_DONE = {
    GitCode.GIT_FAILED: "Pages that git has not dated yet get no date from git.",
    GitCode.FETCH: "The clone stays shallow.",
    GitCode.COMMIT_DATE: "It dates no page.",
}


def unshallow_command(clone: Path, root: Path) -> str:
    """Return the command that gets the whole history of a clone, for the folder `root`.

    In a complete clone it does nothing.
    """
    if is_own_clone(clone, root):
        return f"git {UNSHALLOW}"
    return f"git -C {shlex.quote(path_from(real_path(root), clone))} {UNSHALLOW}"


def is_own_clone(clone: Path, root: Path) -> bool:
    """Return whether a clone is that of the project file, and not a submodule or another one."""
    return clone == real_path(repository_folder(absolute_path(root)))


def fix_of(problem: GitProblem, root: Path) -> str | None:
    """Return what the owner of a site can do in `root`, the folder of the project file."""
    if problem.repository:
        return f"Run `{unshallow_command(problem.repository, root)}`."
    return _OR_FILE if problem.code is GitCode.NO_REPOSITORY else problem.fix


def uncommitted_note(files: Iterable[Path], root: Path) -> Problem:
    """Return the note that files are not as they were committed, as where a CI writes pages."""
    names = sorted(path_from(root, file) for file in files)
    found = f"{counted(len(names), 'file has', 'files have')} changes that are not committed"
    return Problem(
        code=Code.UNCOMMITTED,
        found=f"{found} ({first_names(names)})",
        done="The date of each is that of its last commit.",
        level=Level.INFO,
    )


def in_our_words(problem: GitProblem) -> Problem:
    """Return a problem of git as a message that says what happens to pages, and what to do."""
    code, found, level = problem.code, problem.found, Level.INFO
    if code is not GitCode.IGNORE_REVS:
        done, fix = _DONE.get(code, "Pages get no date from git."), fix_of(problem, Path())
        return Problem(code=code, found=found, done=done, fix=fix, level=level)
    place, done = Place(Origin.OPTION, problem.file, line=problem.line), "The line is ignored."
    if not problem.line:
        place = Place(Origin.OPTION, key="lastmod.git.ignore_revs_file")
        found, level = f"is {format_value(problem.file)}, which {found}", Level.WARNING
        done = "The commits in it are not ignored."
    return Problem(code=code, place=place, found=found, done=done, level=level)
