"""The source ``git``: `gitdates` with our options, and what it says in our words."""

import os
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from mkdocs_sitemap_plus.files import absolute_path, path_from, real_path, repository_folder
from mkdocs_sitemap_plus.gitdates import (
    GitChange,
    GitCode,
    GitDates,
    GitProblem,
    GitReason,
    NoDate,
)
from mkdocs_sitemap_plus.gitdates.values import UNSHALLOW
from mkdocs_sitemap_plus.lastmod import (
    Answers,
    DateQuery,
    DateSource,
    Key,
    date_by_files,
)
from mkdocs_sitemap_plus.options import GitSettings, LastmodSettings, Shallow
from mkdocs_sitemap_plus.pages import MARKDOWN
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem
from mkdocs_sitemap_plus.wording import format_value

_FIXES: dict[str, str] = {
    GitReason.NOT_COMMITTED: "Commit your changes.",
    GitReason.IGNORED: "Do not ignore the commits that add pages.",
}
"""What helps a file that has no date, and has no problem which says that."""

_BRANCHES = {
    "GITHUB_REF_NAME": ("GITHUB_REF_TYPE", "branch"),  # Forgejo's and Gitea's, too
    "CI_COMMIT_BRANCH": ("GITLAB_CI", "true"),
    "BITBUCKET_BRANCH": ("BITBUCKET_BUILD_NUMBER", None),
    "BUILD_SOURCEBRANCH": ("TF_BUILD", "True"),  # Azure Pipelines
    "CIRCLE_BRANCH": ("CIRCLECI", "true"),
    "BRANCH_NAME": ("JENKINS_URL", None),
    "BRANCH": ("NETLIFY", "true"),
    "CF_PAGES_BRANCH": ("CF_PAGES", "1"),  # Cloudflare
    "VERCEL_GIT_COMMIT_REF": ("VERCEL", "1"),
    "AWS_BRANCH": ("AWS_APP_ID", None),
    "READTHEDOCS_GIT_IDENTIFIER": ("READTHEDOCS_VERSION_TYPE", "branch"),
}
"""The variable in which a CI names the branch that it builds; another one, which tells that this CI
is running and builds a branch, and its value, unless any counts."""


def branch_of_ci() -> tuple[str, str] | None:
    """Return the branch that the running CI names, and the variable; None if none does."""
    for variable, (mark, value) in _BRANCHES.items():
        branch = os.environ.get(variable, "").removeprefix("refs/heads/")
        found = os.environ.get(mark)
        is_running = found == value if value else bool(found)
        if is_running and branch and not branch.startswith("refs/"):  # as that of a tag
            return branch, variable
    return None


class GitSource(DateSource):
    """The source ``git``: the last commits of files. With `docs_dir`, git begins to read now."""

    def __init__(
        self,
        settings: LastmodSettings,
        root: Path = Path(),
        docs_dir: Path | None = None,
        repo_url: str | None = None,
    ) -> None:
        """Let git begin to read if the docs folder is known."""
        super().__init__(settings, root, docs_dir, repo_url)
        self._git = git_dates(settings.git, root, repo_url)
        if docs_dir is not None:
            self._git.start(docs_dir)

    def dates(self, queries: Mapping[Key, DateQuery]) -> tuple[Answers, Sequence[Problem]]:
        """Return the dates of pages by their files and parts, and all that git has found so far."""
        answers = date_by_files(queries, self._git.tracked, self._git.last_changes)
        for key, answer in answers.items():
            if isinstance(answer, NoDate) and not answer.fix:
                cause = answer.cause
                fix = fix_of(cause, self.root) if cause else _FIXES.get(answer.reason)
                answers[key] = answer._replace(fix=fix)
        return answers, problems_of(self._git)

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
    *,
    words: bool = False,
) -> GitDates:
    """Return the dates of git with these options. Nothing is read yet.

    `root` is the folder of the project file. `repository` is the URL of the project's repository.
    Commits with the `ignored` ids never date a file, as if their owner had listed them. With
    `words`, only a change of what readers see counts.
    """
    return GitDates(
        date=settings.date,
        change=GitChange.BODY if words else settings.change,
        ignore_revs_file=settings.ignore_revs_file,
        ignore_revs=ignored,
        ignore_authors=settings.ignore_authors,
        ignore_subjects=settings.ignore_subjects,
        root=root,
        repository=repository,
        branch=settings.branch,
        ci_branch=branch_of_ci(),
        fetch=settings.shallow is Shallow.FETCH,
        body=_words if words else _body,
    )


def without_words(
    commits: Mapping[Path, str], settings: GitSettings, root: Path, repository: str | None = None
) -> set[Path]:
    """Return which of these files have no word changed by their commit; code is words, too.

    `commits` has the commit that dates each file by the `settings`. Front matter, markup,
    attributes and the targets of links are no words.
    """
    with git_dates(settings, root, repository, words=True) as git:
        found = git.changes(commits)
    return {path for path, change in found.items() if change.commit != commits[path]}


def _body(path: str, content: bytes) -> bytes:
    """Return what readers see of a file: a page without its front matter."""
    from mkdocs_sitemap_plus.pages.front_matter import body_of  # noqa: PLC0415 - `change: body`

    return body_of(content) if path.lower().endswith(MARKDOWN) else content


_FENCE = re.compile(
    rb"(?m)^[ \t>]*(?P<fence>`{3,}|~{3,})[^\n]*\n(?P<code>(?:.*\n)*?)[ \t>]*(?P=fence)[`~]*[ \t]*$"
    rb"|`(?P<inline>[^`\n]+)`"
)
_INDENTED = re.compile(rb"(?m)^(?:[ \t]+(?P<code>\S.*)|(?P<inline>(?!)))$")
_UNSEEN = re.compile(
    rb"\]\([^)\n]*\)|\]\[[^\]\n]*\]|<[^>\n]*>|https?://\S+|(?m:^\[[^\]\n]+\]:.*$)|\{[^}\n]*\}"
)
_NO_WORD = re.compile(rb"[^0-9A-Za-z_\x80-\xff]+")


def _words(path: str, content: bytes) -> bytes:
    """Return what readers see of a page: its words, and its code but for white space.

    In other texts than Markdown, such as RST, whatever is indented may be code.
    """
    text, words, end = _body(path, content), list[bytes](), 0
    code = _FENCE if path.lower().endswith(MARKDOWN) else _INDENTED
    for found in code.finditer(text):
        words += [_plain(text[end : found.start()]), *(found["code"] or found["inline"]).split()]
        end = found.end()
    return b" ".join(filter(None, [*words, _plain(text[end:])]))


def _plain(text: bytes) -> bytes:
    """Return the words of a text without its markup, in lower case."""
    return _NO_WORD.sub(b" ", _UNSEEN.sub(b" ", text)).strip().lower()


_MATCHED = {"author": "the whole `Name <mail>`", "subject": "the whole first line of a message"}


def problems_of(git: GitDates) -> list[Problem]:
    """Return why files have no date or commits count that should not, and patterns without use."""
    return [
        *map(in_our_words, git.problems),
        *(
            Problem(
                code=Code.PATTERN,
                place=Place(origin=Origin.OPTION, key=f"lastmod.git.ignore_{kind}s"),
                found=f"has {format_value(pattern)}, which matches no commit that was read",
                fix=f"A pattern must match {_MATCHED[kind]}; `*` stands for any text.",
                level=Level.INFO,
            )
            for kind, pattern in git.unmatched
        ),
    ]


_OR_FILE = (
    "Build in a clone of the repository with its .git folder, or use a dates file "
    "(`mkdocs-sitemap-plus dates`)."
)
_DONE = {
    GitCode.GIT_FAILED: "Pages that git has not dated yet get no date from git.",
    GitCode.FETCH: "The clone stays shallow.",
    GitCode.NO_BLOBS: "So commits that change only front matter or white space count too.",
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
