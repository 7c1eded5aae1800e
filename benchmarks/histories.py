"""Histories of one page, each with the day on which what readers see of it last changed.

The rule is the same for all: **the day on which the text that is published last changed**. Text is
published when it reaches the branch that is built. To move, rename or copy a file's bytes, to
change its mode, or to bring a branch up to date, changes no text. Where the history says nothing of
a page, nobody can know its day, and the right answer is no date.

Each commit has a day of its own, at noon UTC, so that a wrong date shows where it comes from.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

ANN = "Ann <ann@lighthouse.example>"
PAGE = "docs/page.md"
FIRST, SECOND, THIRD, LAST = "2026-01-10", "2026-02-10", "2026-03-10", "2026-06-10"
MERGED = "2026-05-10"
OWNER = "https://github.com/lighthouse/lighthouse"
UPDATE = "Merge branch 'main' into patch-1"
REQUEST = "Merge pull request #7 from lighthouse/main"
_SETTINGS = {
    "user.name": "Ann",
    "user.email": "ann@lighthouse.example",
    "commit.gpgSign": "false",
    "init.defaultBranch": "main",
    "protocol.file.allow": "always",
    "core.hooksPath": "/dev/null",
    "advice.detachedHead": "false",
}
GIT = {
    **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_COUNT": str(len(_SETTINGS)),
    **{f"GIT_CONFIG_KEY_{place}": name for place, name in enumerate(_SETTINGS)},
    **{f"GIT_CONFIG_VALUE_{place}": value for place, value in enumerate(_SETTINGS.values())},
    "TZ": "UTC",
    "LC_ALL": "C.UTF-8",
}


class Repository:
    """A work tree whose history is written by git itself."""

    def __init__(self, top: Path) -> None:
        """Start an empty repository in a folder that is not there yet."""
        self.top = top
        top.mkdir(parents=True)
        self.git("init", "-q")

    def git(self, *arguments: str, day: str = LAST, written: str | None = None) -> str:
        """Return what git prints; a commit that it makes is of noon on `day`, in UTC."""
        dates = {
            "GIT_COMMITTER_DATE": f"{day}T12:00:00+00:00",
            "GIT_AUTHOR_DATE": f"{written or day}T12:00:00+00:00",
        }
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.top,
            env=GIT | dates,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def write(self, path: str, text: str) -> None:
        """Write a file of the work tree."""
        file = self.top / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")

    def commit(
        self, day: str, subject: str, files: Mapping[str, str] = {}, author: str = ANN
    ) -> None:
        """Write these files, and commit all that the work tree has."""
        for path, text in files.items():
            self.write(path, text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", subject, f"--author={author}", day=day)

    def end(self) -> None:
        """Commit something else, so that the last commit is not the page's."""
        self.commit(LAST, "Change another page", {"docs/other.md": text("other", 9)})


class History(NamedTuple):
    """What happened to a page.

    Attributes:
        name: of the row in the table, and with ``-`` of the folder.
        make: makes it below a folder; what is built there is in ``site``.
        day: on which its published text last changed; None if nobody can know.
        page: its path in ``site``.
        options: what the owner sets for it, by tool, if a tool has something to set.
        mkdocs_only: whether only MkDocs has the means.
    """

    name: str
    make: Callable[[Path], None]
    day: str | None
    page: str = PAGE
    options: Mapping[str, dict] = {}
    mkdocs_only: bool = False


def text(name: str, version: int = 1) -> str:
    """A page; two versions of it differ in one line of many, so that git sees a rename."""
    lines = [f"Line {number} of the page {name} says what it always said." for number in range(9)]
    head = f"---\ntitle: Page {name}\n---\n"  # without one, Hugo dates no page
    return head + "\n".join([*lines, f"Version {version}."]) + "\n"


def start(folder: Path, page: str = PAGE) -> Repository:
    """A repository whose first commit adds the page and another one."""
    repository = Repository(folder / "site")
    files = {page: text("one"), "docs/other.md": text("other"), "README.md": text("readme")}
    repository.commit(FIRST, "Write the pages", files)
    return repository


def edit(folder: Path, page: str = PAGE) -> None:
    """An edit of the page, between edits of another page."""
    repository = start(folder, page)
    repository.commit("2026-02-01", "Change another page", {"docs/other.md": text("other", 3)})
    repository.commit(SECOND, "Say more", {page: text("one", 2)})
    repository.end()


def not_ascii(folder: Path) -> None:
    """The same, with letters that git quotes in what it prints."""
    edit(folder, "docs/prüfung.md")


def moved(*names: str, changed: bool = False) -> Callable[[Path], None]:
    """The page was each of these in turn, and is `PAGE` in the end."""

    def make(folder: Path) -> None:
        repository = start(folder, names[0])
        for number, (old, new) in enumerate(zip(names, [*names[1:], PAGE], strict=True)):
            (repository.top / new).parent.mkdir(parents=True, exist_ok=True)
            repository.git("mv", old, new)
            if changed:
                repository.write(new, text("one", 2))
            repository.commit(f"2026-03-{10 + number}", f"Rename to {new}")
        repository.end()

    return make


def mode(folder: Path) -> None:
    """Somebody made all files executable."""
    repository = start(folder)
    repository.git("update-index", "--chmod=+x", PAGE)
    repository.git("commit", "-q", "-m", "Change modes", day=THIRD)
    repository.git("reset", "-q", "--hard")
    repository.end()


def reverted(folder: Path) -> None:
    """An edit, and its revert a month later: on that day the text changed back."""
    repository = start(folder)
    repository.commit(SECOND, "Say more", {PAGE: text("one", 2)})
    repository.git("revert", "--no-edit", "HEAD", day=THIRD)
    repository.end()


def branch(*versions: int, how: str = "merge") -> Callable[[Path], None]:
    """Versions of the page from a branch, which came to `main` on the day `MERGED`."""

    def make(folder: Path) -> None:
        repository = start(folder)
        repository.git("switch", "-q", "-c", "change")
        for number, version in enumerate(versions):
            repository.commit(f"2026-02-{10 + number}", "Change", {PAGE: text("one", version)})
        repository.git("switch", "-q", "main")
        repository.commit("2026-04-10", "Meanwhile", {"docs/other.md": text("other", 3)})
        if how == "merge":
            repository.git("merge", "-q", "--no-ff", "--no-edit", "change", day=MERGED)
        elif how == "squash":
            repository.git("merge", "-q", "--squash", "change")
            repository.git("commit", "-q", "-m", "Change (#7)", day=MERGED)
        elif how == "cherry-pick":  # keeps the author's date
            repository.git("cherry-pick", "change", day=MERGED, written="2026-02-10")
        elif how == "rebase":
            repository.git("rebase", "-q", "main", "change", day=MERGED)
            repository.git("switch", "-q", "main")
            repository.git("merge", "-q", "--ff-only", "change")
        repository.end()

    return make


def conflict(folder: Path) -> None:
    """Both branches changed the same line; the merge wrote a third text."""
    repository = start(folder)
    repository.git("switch", "-q", "-c", "change")
    repository.commit(SECOND, "One way", {PAGE: text("one", 2)})
    repository.git("switch", "-q", "main")
    repository.commit(THIRD, "Another way", {PAGE: text("one", 3)})
    repository.git("merge", "-q", "-s", "ours", "--no-commit", "change")
    repository.commit(MERGED, "Merge branch 'change'", {PAGE: text("one", 4)})
    repository.end()


def renamed_on_a_branch(folder: Path) -> None:
    """The rename came by a merge."""
    repository = start(folder, "docs/old.md")
    repository.git("switch", "-q", "-c", "change")
    repository.git("mv", "docs/old.md", PAGE)
    repository.commit(SECOND, "Rename")
    repository.git("switch", "-q", "main")
    repository.commit("2026-04-10", "Meanwhile", {"docs/other.md": text("other", 3)})
    repository.git("merge", "-q", "--no-ff", "--no-edit", "change", day=MERGED)
    repository.end()


def pulled(folder: Path) -> None:
    """Published by one person, then pulled by another, whose merge was pushed."""
    repository = start(folder)
    repository.git("branch", "mine")
    repository.commit(SECOND, "Say more", {PAGE: text("one", 2)})
    repository.git("switch", "-q", "mine")
    repository.commit("2026-04-10", "Mine", {"docs/other.md": text("other", 3)})
    subject = "Merge branch 'main' of github.com:lighthouse/lighthouse"
    repository.git("merge", "-q", "--no-ff", "-m", subject, "main", day=MERGED)
    repository.git("branch", "-q", "-f", "main", "mine")
    repository.git("switch", "-q", "main")
    repository.git("remote", "add", "origin", f"{OWNER}.git")
    repository.end()


def updated(subject: str) -> Callable[[Path], None]:
    """A branch was brought up to date by a merge with this subject, and `main` then moved to it."""

    def make(folder: Path) -> None:
        repository = start(folder)
        repository.git("branch", "patch-1")
        repository.commit(SECOND, "Say more", {PAGE: text("one", 2)})
        repository.git("switch", "-q", "patch-1")
        repository.commit("2026-04-10", "Patch", {"docs/other.md": text("other", 3)})
        repository.git("merge", "-q", "--no-ff", "-m", subject, "main", day=MERGED)
        repository.git("switch", "-q", "main")
        repository.git("merge", "-q", "--ff-only", "patch-1")
        repository.git("remote", "add", "origin", f"{OWNER}.git")
        repository.end()

    return make


def deployed(folder: Path) -> None:
    """`production` is built, and gets what `main` has once a month."""
    repository = start(folder)
    repository.git("branch", "production")
    repository.commit(SECOND, "Say more", {PAGE: text("one", 2)})
    repository.git("switch", "-q", "production")
    repository.git("merge", "-q", "--no-ff", "--no-edit", "main", day=MERGED)


def reformatted(folder: Path) -> None:
    """A formatter went over all pages; `.git-blame-ignore-revs` names its commit."""
    repository = start(folder)
    files = {path: text(path, 2) for path in (PAGE, "docs/other.md")}
    repository.commit(THIRD, "Reformat", files)
    listed = repository.git("rev-parse", "HEAD") + "\n"
    repository.commit("2026-03-11", "Ignore it", {".git-blame-ignore-revs": listed})
    repository.end()


def by_a_bot(folder: Path) -> None:
    """A bot changed a line of each page; the owner does not count bots."""
    repository = start(folder)
    author = "deps[bot] <deps@lighthouse.example>"
    repository.commit(THIRD, "Bump", {PAGE: text("one", 2)}, author=author)
    repository.end()


def white_space(folder: Path) -> None:
    """Blank lines at the end, which nobody sees."""
    repository = start(folder)
    repository.commit(THIRD, "Add blank lines", {PAGE: text("one") + "\n\n"})
    repository.end()


def included(folder: Path) -> None:
    """The page includes a file, by snippets or as in VitePress, which changed later."""
    repository = start(folder)
    both = '--8<-- "docs/part.txt"\n\n<!--@include: ./part.txt-->\n'
    repository.commit(SECOND, "Add", {PAGE: text("one") + both, "docs/part.txt": "Old part\n"})
    repository.commit("2026-04-10", "Change the part", {"docs/part.txt": "New part\n"})
    repository.end()


def linked(folder: Path) -> None:
    """The page is a symbolic link to the README."""
    repository = start(folder)
    (repository.top / PAGE).unlink()
    (repository.top / PAGE).symlink_to("../README.md")
    repository.commit(SECOND, "Link it")
    repository.commit("2026-04-10", "Say more", {"README.md": text("readme", 2)})
    repository.end()


def copied(folder: Path) -> None:
    """The page began as a copy of another one."""
    repository = start(folder, "docs/model.md")
    repository.commit(THIRD, "Copy", {PAGE: text("one")})
    repository.end()


def added_again(folder: Path) -> None:
    """The page was removed, and came back a month later."""
    repository = start(folder)
    repository.git("rm", "-q", PAGE)
    repository.commit(THIRD, "Remove")
    repository.commit("2026-04-10", "Bring it back", {PAGE: text("one")})
    repository.end()


def submodule(*, later: bool) -> Callable[[Path], None]:
    """The docs are a submodule; the site took its last state at once, or later."""

    def make(folder: Path) -> None:
        docs = Repository(folder / "docs")
        docs.commit(FIRST, "Write", {"page.md": text("one"), "other.md": text("other")})
        docs.commit(SECOND, "Say more", {"page.md": text("one", 2)})
        site = Repository(folder / "site")
        site.write("README.md", text("readme"))
        site.git("submodule", "--quiet", "add", str(docs.top), "docs")
        if later:
            site.git("-C", "docs", "checkout", "-q", "HEAD^")
            site.commit(FIRST, "Start")
            site.git("-C", "docs", "checkout", "-q", "main")
        site.commit(MERGED if later else SECOND, "Take the docs")
        site.commit(LAST, "Change another file", {"README.md": text("readme", 2)})

    return make


def work_tree(folder: Path) -> None:
    """The site is built in a linked work tree."""
    edit(folder / "main")
    repository = folder / "main" / "site"
    command = ["git", "worktree", "add", "-q", "--detach", str(folder / "site")]
    subprocess.run(command, cwd=repository, env=GIT, check=True, capture_output=True)


def clone(*options: str) -> Callable[[Path], None]:
    """What a server fetches of `edit`."""

    def make(folder: Path) -> None:
        edit(folder / "origin")
        command = ["git", "clone", "-q", *options, f"file://{folder}/origin/site"]
        origin = folder / "origin" / "site"
        subprocess.run(
            ["git", "config", "uploadpack.allowFilter", "true"], cwd=origin, env=GIT, check=True
        )
        subprocess.run([*command, folder / "site"], env=GIT, check=True, capture_output=True)

    return make


def untracked(folder: Path) -> None:
    """The page was never committed."""
    repository = start(folder, "docs/model.md")
    repository.end()
    repository.write(PAGE, text("one"))


def no_repository(folder: Path) -> None:
    """The site is built from an archive."""
    repository = start(folder)
    shutil.rmtree(repository.top / ".git")


def prepared(folder: Path) -> None:
    """CI filled in a version number before the build."""
    repository = start(folder)
    repository.end()
    repository.write(PAGE, text("one") + "\nVersion 1.2.3\n")


def slow_clock(folder: Path) -> None:
    """The clock of the last author was a month behind."""
    repository = start(folder)
    repository.commit(SECOND, "Say more", {PAGE: text("one", 2)})
    repository.commit("2026-01-20", "Say even more", {PAGE: text("one", 3)})
    repository.end()


def fast_clock(folder: Path) -> None:
    """The clock of the last author was years ahead."""
    repository = start(folder)
    repository.commit("2035-01-10", "Say more", {PAGE: text("one", 2)})
    repository.end()


def by_hand(folder: Path) -> None:
    """The owner wrote a date, under the key that each tool reads."""
    repository = start(folder)
    keys = "lastmod: 2025-05-05\nupdated: 2025-05-05\nlastUpdated: 2025-05-05\n"
    keys += "last_update:\n  date: 2025-05-05\n"
    repository.commit(SECOND, "Set a date", {PAGE: text("one", 2).replace("title", f"{keys}title")})
    repository.end()


def generated(source: str | None) -> Callable[[Path], None]:
    """A script makes the page, from a file that its edit link names, or from nothing."""

    def make(folder: Path) -> None:
        repository = start(folder, "docs/model.md")
        script = 'import mkdocs_gen_files\nwith mkdocs_gen_files.open("page.md", "w") as page:\n'
        script += '    page.write("# Page\\n")\n'
        if source:
            script += f'mkdocs_gen_files.set_edit_path("page.md", "../{source}")\n'
        repository.commit(SECOND, "Generate", {"gen.py": script, "alerts.py": "old = 1\n"})
        repository.commit("2026-04-10", "Change the code", {"alerts.py": "new = 2\n"})
        repository.end()

    return make


BOTS = {"this plugin": {"lastmod": {"git": {"ignore_authors": "*[bot]*"}}}}
LISTED = {"git-revision-date-localized": {"ignored_commits_file": ".git-blame-ignore-revs"}}
GENERATED = {"gen-files": {"scripts": ["gen.py"]}}

HISTORIES = [
    History("edited", edit, SECOND),
    History("renamed", moved("docs/old.md"), FIRST),
    History("renamed twice", moved("docs/a.md", "docs/b.md"), FIRST),
    History("folder moved", moved("documentation/page.md"), FIRST),
    History("case of its name changed", moved("docs/Page.md"), FIRST),
    History("renamed and edited at once", moved("docs/old.md", changed=True), THIRD),
    History("renamed on a merged branch", renamed_on_a_branch, FIRST),
    History("only its mode changed", mode, FIRST),
    History("only blank lines added", white_space, FIRST),
    History("edited and reverted", reverted, THIRD),
    History("edited and reverted on one branch", branch(2, 1), FIRST),
    History("branch merged", branch(2), MERGED),
    History("branch squashed", branch(2, how="squash"), MERGED),
    History("branch rebased", branch(2, how="rebase"), MERGED),
    History("cherry-picked", branch(2, how="cherry-pick"), MERGED),
    History("text written in a merge", conflict, MERGED),
    History("pulled by somebody else", pulled, SECOND),
    History("branch updated, then fast-forwarded", updated(UPDATE), SECOND),
    History("the same by a pull request", updated(REQUEST), SECOND),
    History("production branch is built", deployed, MERGED),
    History("reformatted, commit listed as ignored", reformatted, FIRST, options=LISTED),
    History("changed by a bot that is ignored", by_a_bot, FIRST, options=BOTS),
    History("copied from another page", copied, THIRD),
    History("removed and added again", added_again, "2026-04-10"),
    History("includes a newer file", included, "2026-04-10"),
    History("link to a newer file", linked, "2026-04-10"),
    History("docs in a submodule", submodule(later=False), SECOND),
    History("submodule taken months later", submodule(later=True), MERGED),
    History("linked work tree", work_tree, SECOND),
    History("clone without old blobs", clone("--filter=blob:none"), SECOND),
    History("shallow clone, changed before", clone("--depth=1"), None),
    History("shallow clone, changed within", clone("--depth=3"), SECOND),
    History("name that is not ASCII", not_ascii, SECOND, page="docs/prüfung.md"),
    History("not committed", untracked, None),
    History("no repository", no_repository, None),
    History("changed by CI before the build", prepared, FIRST),
    History("clock a month behind", slow_clock, "2026-01-20"),
    History("clock nine years ahead", fast_clock, None),
    History("date in front matter", by_hand, "2025-05-05"),
    History("generated from a file", generated("alerts.py"), "2026-04-10", mkdocs_only=True),
    History("generated from nothing known", generated(None), None, mkdocs_only=True),
]
