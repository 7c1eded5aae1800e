"""Date files by git: `gitdates` with our options, and what it finds in our words."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from mkdocs_sitemap_plus import gitdates
from mkdocs_sitemap_plus.gitdates import GitCode, GitDates, GitProblem
from mkdocs_sitemap_plus.lastmod import Change, NoDate, Reason
from mkdocs_sitemap_plus.lastmod.date_source import (
    Answers,
    DateQuery,
    DateSource,
    Key,
    date_by_files,
)
from mkdocs_sitemap_plus.options import GitSettings, Shallow, Source
from mkdocs_sitemap_plus.pages.front_matter import body_of
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem
from mkdocs_sitemap_plus.wording import format_value

_MARKDOWN = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")
"""The endings of pages in MkDocs. Files with other endings have no front matter."""

_DONE = {
    GitCode.GIT_FAILED: "Pages that git has not dated yet get no date from git.",
    GitCode.FETCH: "The clone stays shallow.",
    GitCode.NO_BLOBS: "So commits that change only front matter or white space count too.",
}
_UNDATED = "Pages get no date from git."

_INSTALL = "Install git 2.31 or newer where the site is built."
_FIXES = {
    GitCode.NO_REPOSITORY: "Build in a clone of the repository with its .git folder, or use a "
    "dates file (`mkdocs-sitemap-plus dates`).",
    GitCode.NO_COMMITS: "Commit the pages.",
    GitCode.NO_GIT: _INSTALL,
    GitCode.OLD_GIT: _INSTALL,
    GitCode.NO_BLOBS: "Clone without a filter if `lastmod.git.change` is `body`.",
}
"""What an owner of a site can do, where that is more than the library can know."""


class GitSource(DateSource):
    """The source ``git``: the last commits of files. With `docs_dir`, git begins to read now."""

    def open(self) -> None:
        """Make the reader of git, and let git begin if the docs folder is known."""
        self._git = git_dates(self.settings.git, self.root, self.repo_url)
        if self.docs_dir is not None:
            self._git.start(self.docs_dir)

    def dates(self, queries: Mapping[Key, DateQuery]) -> tuple[Answers, Sequence[Problem]]:
        """Return the dates of pages by their files and parts, and all that git has found so far."""
        answers = date_by_files(queries, self._git.tracked, partial(dates_by_git, self._git))
        return answers, problems_of(self._git, self.settings.git)

    @property
    def commit(self) -> str | None:
        """The commit that is checked out in the repository of the docs folder, if there is one."""
        return self._git.head(self.docs_dir) if self.docs_dir else None

    def close(self) -> None:
        """End the processes of git."""
        self._git.close()


def git_dates(
    settings: GitSettings,
    root: Path = Path(),
    repository: str | None = None,
    ignored: Iterable[str] = (),
) -> GitDates:
    """Return the dates of git with these options. Nothing is read yet.

    `root` is the folder of the project file. `repository` is the URL of the project's repository.
    Commits with the `ignored` ids never date a file, as if their owner had listed them.
    """
    return GitDates(
        date=settings.date,
        change=settings.change,
        ignore_revs_file=settings.ignore_revs_file,
        ignore_revs=ignored,
        ignore_authors=settings.ignore_authors,
        ignore_subjects=settings.ignore_subjects,
        root=root,
        repository=repository,
        fetch=settings.shallow is Shallow.FETCH,
        body=_body,
    )


def dates_by_git(git: GitDates, files: Iterable[Path]) -> dict[Path, Change | NoDate]:
    """Return the commits that date these files, or why none does."""
    return {
        file: Change(Source.GIT, *found) if isinstance(found, gitdates.Change) else _no_date(found)
        for file, found in git.last_changes(files).items()
    }


def problems_of(git: GitDates, settings: GitSettings) -> list[Problem]:
    """Return why files have no date, or why commits count that should not."""
    return [
        *map(in_our_words, git.problems),
        *_matching_nobody(settings.ignore_authors),
        *_matching_no_commit(git.unmatched_subjects),
    ]


def _matching_nobody(patterns: Iterable[str]) -> Iterator[Problem]:
    """Yield a note for each pattern that no author can match, such as a bare name.

    What no commit matches can't be known: git reads no further than to the last dated page.
    """
    for pattern in patterns:
        if pattern.startswith("<") or not pattern.endswith((">", "*", "?")):
            yield Problem(
                code=Code.PATTERN,
                place=Place(origin=Origin.OPTION, key="lastmod.git.ignore_authors"),
                found=f"has {format_value(pattern)}, which matches no author",
                suggestion=(meant := _author(pattern)) and format_value(meant),
                fix="A pattern must match the whole `Name <mail>`.",
                level=Level.INFO,
            )


def _author(name: str) -> str | None:
    """Return the pattern for the author with this name or mail; None if it is neither."""
    if "[bot]" in name:
        return f"*{name.strip('*')}*"
    if re.fullmatch(r"<[^<>\s]+@[^<>\s]+>", name):
        return f"* {name}"
    if "<" in name or ("@" in name and " " in name):
        return None
    return f"* <{name}>" if "@" in name else f"{name} <*"


def _matching_no_commit(patterns: Iterable[str]) -> Iterator[Problem]:
    """Yield a note for each pattern that matched no commit, as far as the history was read."""
    for pattern in patterns:
        is_whole = pattern.endswith("*")
        yield Problem(
            code=Code.PATTERN,
            place=Place(origin=Origin.OPTION, key="lastmod.git.ignore_subjects"),
            found=f"has {format_value(pattern)}, which matches no commit that was read",
            suggestion=None if is_whole else format_value(f"{pattern}*"),
            fix=None if is_whole else "A pattern must match the whole first line of a message.",
            level=Level.INFO,
        )


def _no_date(why: gitdates.NoDate) -> NoDate:
    cause = why.cause and in_our_words(why.cause)
    return NoDate(Reason(why.reason.value), why.detail, cause=cause)


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
    return Problem(
        code=code, found=found, done=done, fix=_FIXES.get(code, problem.fix), level=Level.INFO
    )


def _body(path: str, content: bytes) -> bytes:
    """Return what readers see of a file: a page without its front matter."""
    return body_of(content) if path.lower().endswith(_MARKDOWN) else content
