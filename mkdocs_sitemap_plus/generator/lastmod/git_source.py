"""The source ``git``: `gitdates` with our options, and what it finds in our words."""

import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from mkdocs_sitemap_plus.files import (
    Unreadable,
    absolute_path,
    path_from,
    read_start,
    real_path,
    repository_folder,
)
from mkdocs_sitemap_plus.generator.lastmod.date_source import (
    Answers,
    DateQuery,
    DateSource,
    Key,
    date_by_files,
)
from mkdocs_sitemap_plus.generator.options.settings import GitSettings, Shallow
from mkdocs_sitemap_plus.generator.pages.front_matter import body_of, differ_in_keys, parts_of
from mkdocs_sitemap_plus.generator.pages.site import MARKDOWN, UNSEEN_KEYS
from mkdocs_sitemap_plus.gitdates import GitCode, GitDates, GitProblem, GitReason, NoDate
from mkdocs_sitemap_plus.gitdates.single_commits import unchanged
from mkdocs_sitemap_plus.gitdates.values import UNSHALLOW
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem
from mkdocs_sitemap_plus.wording import counted, first_names, format_value

_START = 1 << 14  # bytes of a page in which its front matter is
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
                cause = answer.cause
                fix = fix_of(cause, self.root) if cause else _FIXES.get(answer.reason)
                answers[key] = answer._replace(fix=fix)
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
    settings: GitSettings, root: Path = Path(), repository: str | None = None
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
    return body_of(content) if path.lower().endswith(MARKDOWN) else content


def only_sitemap_keys(file: str, contents: Callable[[], Sequence[bytes]]) -> str:
    """Return that a change of a page is one of keys that nobody sees, if it is.

    What git has is read of pages whose front matter has such a key, and of no others.
    """
    start = b""
    with suppress(Unreadable):
        start = read_start(file, _START) if file.lower().endswith(MARKDOWN) else b""
    if not _UNSEEN_KEY.search(start):  # to read all front matter would take a per cent of a build
        return ""
    front_matter, _ = parts_of(start)
    if front_matter.meta.keys().isdisjoint(UNSEEN_KEYS):
        return ""
    before, after = contents()
    is_unseen = differ_in_keys(before, after, UNSEEN_KEYS)
    return "only sitemap keys in front matter" if is_unseen else ""


_MATCHED = {"author": "the whole `Name <mail>`", "subject": "the whole first line of a message"}
_INSIDE = {"author": "the author", "subject": "the subject"}


def problems_of(git: GitDates) -> list[Problem]:
    """Return why files have no date or commits count that should not, and patterns without use."""
    return [
        *map(in_our_words, git.problems),
        *(
            Problem(
                Code.PATTERN,
                f"has {format_value(pattern)}, which matches no commit that was read",
                Place(Origin.OPTION, key=f"lastmod.git.ignore_{kind}s"),
                fix=f"With `*` or `?` it must match {_MATCHED[kind]}, without them a part of it.",
                level=Level.NOTE,
            )
            for kind, pattern in git.unmatched
        ),
        *(
            Problem(
                Code.OPTION,
                f"has {format_value(pattern)}, which is a part of {_INSIDE[kind]} of "
                f"{counted(number, 'commit')}",
                Place(Origin.OPTION, key=f"lastmod.git.ignore_{kind}s"),
                done=f"{'It is' if number == 1 else 'They are'} ignored now; up to 0.11, a pattern "
                "had to match the whole.",
                level=Level.NOTE,
            )
            for (kind, pattern), number in git.matched_inside.items()
        ),
    ]


_OR_FILE = (
    "Build in a clone of the repository with its .git folder, or use a dates file "
    "beside the project file (`mkdocs-sitemap-plus dates`)."
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
        Code.UNCOMMITTED,
        f"{found} ({first_names(names)})",
        done="The date of each is that of its last commit.",
        level=Level.NOTE,
    )


def in_our_words(problem: GitProblem) -> Problem:
    """Return a problem of git as a message that says what happens to pages, and what to do."""
    code, found, level = problem.code, problem.found, Level.NOTE
    if code is not GitCode.IGNORE_REVS:
        done, fix = _DONE.get(code, "Pages get no date from git."), fix_of(problem, Path())
        return Problem(code, found, done=done, fix=fix, level=level)
    place, done = Place(Origin.OPTION, problem.file, line=problem.line), "The line is ignored."
    if not problem.line:
        place = Place(Origin.OPTION, key="lastmod.git.ignore_revs_file")
        found, level = f"is {format_value(problem.file)}, which {found}", Level.WARNING
        done = "The commits in it are not ignored."
    return Problem(code, found, place, done=done, level=level)


def without_words(repository: Path, commit: str, before: str, paths: Iterable[str]) -> set[str]:
    """Return in which of these files a commit changed no word; code is words, too.

    `before` is the commit that it is compared with. Front matter but for titles and descriptions,
    markup, attributes and the targets of links are no words.
    """
    return unchanged(repository, commit, before, paths, _words)


_SHOWN = ("title", "description")  # by search engines

# Each alternative of the first and the third begins with a letter that is looked for.
_FENCE = re.compile(
    rb"(?m)\n[ \t>]*(?P<fence>`{3,}|~{3,})[^\n]*\n(?P<code>(?:.*\n)*?)[ \t>]*(?P=fence)[`~]*[ \t]*$"
    rb"|`(?P<inline>[^`\n]+)`"
)
_INDENTED = re.compile(rb"(?m)^(?:[ \t]+(?P<code>\S.*)|(?P<inline>(?!)))$")
_UNSEEN = re.compile(
    rb"(?m)\]\([^)\n]*\)|\]\[[^\]\n]*\]|<[^>\n]*>|https?://\S+|\[(?<=^\[)[^\]\n]+\]:.*$|\{[^}\n]*\}"
)
_LETTERS = bytes(
    byte if byte >= 0x80 or chr(byte).isalnum() or chr(byte) == "_" else ord(" ")
    for byte in range(256)
).lower()
"""What each byte is among words, in lower case: itself or a blank."""


def _words(path: str, content: bytes) -> bytes:
    """In other texts than Markdown, such as RST, whatever is indented may be code."""
    is_markdown = path.lower().endswith(MARKDOWN)
    text = body_of(content, _SHOWN) if is_markdown else content
    text = b"\n" + text  # so that each line follows a newline
    words, end, code = list[bytes](), 0, _FENCE if is_markdown else _INDENTED
    for found in code.finditer(text):
        shown = found["code"] or found["inline"] or b""
        words += [_plain(text[end : found.start()]), *shown.split()]
        end = found.end()
    return b" ".join(filter(None, [*words, _plain(text[end:])]))


def _plain(text: bytes) -> bytes:
    return b" ".join(_UNSEEN.sub(b" ", text).translate(_LETTERS).split())
