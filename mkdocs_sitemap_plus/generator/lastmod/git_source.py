"""The source ``git``: `gitdates` with our options."""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from mkdocs_sitemap_plus.files import glance
from mkdocs_sitemap_plus.generator.lastmod import (
    Answers,
    DateQuery,
    DateSource,
    Key,
    date_by_files,
)
from mkdocs_sitemap_plus.generator.options import GitSettings, Shallow
from mkdocs_sitemap_plus.generator.pages import MARKDOWN, UNSEEN_KEYS
from mkdocs_sitemap_plus.gitdates import (
    GitDates,
    GitReason,
    NoDate,
)
from mkdocs_sitemap_plus.problems import Problem

_FRONT_MATTER = re.compile(
    rb"(?s)(?:\xef\xbb\xbf)?(?:---.*?\n(?:---|\.\.\.)| {0,3}[\w-]+:.*?(?:\n\s*\n|\Z))"
)
_UNSEEN_KEY = re.compile(rf"(?i)\b(?:{'|'.join(UNSEEN_KEYS)})[\"']?\s*:".encode())

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


def is_ci() -> bool:
    """Return whether a CI is running."""
    return any(map(os.environ.get, ("CI", *(mark for mark, _ in _BRANCHES.values()))))


class GitSource(DateSource):
    """The source ``git``: the last commits of files. With `docs_dir`, git begins to read now."""

    def begin(self) -> None:
        """Let git begin to read if the docs folder is known."""
        self._git = git_dates(self.settings.git, self.root, self.repo_url)
        if self.docs_dir is not None:
            self._git.start(self.docs_dir)

    def dates(self, queries: Mapping[Key, DateQuery]) -> tuple[Answers, Sequence[Problem]]:
        """Return the dates of pages by their files and parts, and all that git has found so far."""
        answers = date_by_files(queries, self._git.tracked, self._git.last_changes)
        for key, answer in answers.items():
            if isinstance(answer, NoDate) and not answer.fix:
                from mkdocs_sitemap_plus.generator.lastmod.git_words import fix_of  # noqa: PLC0415 - rare

                cause = answer.cause
                fix = fix_of(cause, self.root) if cause else _FIXES.get(answer.reason)
                answers[key] = answer._replace(fix=fix)
        if not (self._git.problems or self._git.unmatched or self._git.matched_inside):
            return answers, []
        from mkdocs_sitemap_plus.generator.lastmod.git_words import problems_of  # noqa: PLC0415 - as above

        return answers, problems_of(self._git)

    def uncommitted(self, files: Iterable[Path]) -> Iterable[Path]:
        """Return those of these files that HEAD holds with another content."""
        return self._git.uncommitted(files)

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
) -> GitDates:
    """Return the dates of git with these options. Nothing is read yet.

    `root` is the folder of the project file. `repository` is the URL of the project's repository.
    """
    return GitDates(
        date=settings.date,
        change=settings.change,
        ignore_revs_file=settings.ignore_revs_file,
        ignore_authors=settings.ignore_authors,
        ignore_subjects=settings.ignore_subjects,
        root=root,
        repository=repository,
        branch=settings.branch,
        ci_branch=branch_of_ci(),
        fetch=settings.shallow is Shallow.FETCH,
        body=body,
        unseen=only_sitemap_keys,
    )


def body(path: str, content: bytes) -> bytes:
    """Return what readers see of a file: a page without its front matter."""
    from mkdocs_sitemap_plus.generator.pages.front_matter import body_of  # noqa: PLC0415 - `change: body`

    return body_of(content) if path.lower().endswith(MARKDOWN) else content


def only_sitemap_keys(file: str, contents: Callable[[], Sequence[bytes]]) -> str:
    """Return that a change of a page is one of keys that nobody sees, if it is.

    What git has is read of pages whose front matter has such a key, and of no others.
    """
    start = glance(file) if file.lower().endswith(MARKDOWN) else b""
    may_be = _FRONT_MATTER.match(start)
    if not may_be or not _UNSEEN_KEY.search(may_be[0]):
        return ""
    from mkdocs_sitemap_plus.generator.pages.front_matter import (  # noqa: PLC0415 - few pages
        differ_in_keys,
        parts_of,
    )

    front_matter, _ = parts_of(start)
    if front_matter.meta.keys().isdisjoint(UNSEEN_KEYS):
        return ""
    before, after = contents()
    is_unseen = differ_in_keys(before, after, UNSEEN_KEYS)
    return "only sitemap keys in front matter" if is_unseen else ""
