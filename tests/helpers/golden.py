"""Golden sites: a project with its history, and all that its build is to give."""

import re
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from git_repositories import Commit, Tree, make
from sites import SiteMaker, found_in, run_command

from mkdocs_sitemap_plus.command.checks.rules import CODES

COMMIT = re.compile(r"(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d))?(?: by ([^:]+):)? (.+)")
CHANGE = re.compile(
    r"    (\S.*?)(?: -> (.+?))?(?: \((deleted|white space|front matter|priority)\))?"
)


@dataclass
class Change:
    """What a commit does to a file.

    Attributes:
        path: from the top of the repository.
        new: its path from then on, if the commit renames it.
        kind: ``deleted``, or all that the commit changes: ``white space``, ``front matter``, or the
            ``priority`` that it adds there.
        adds: whether the file was not there before.
    """

    path: str
    new: str | None
    kind: str | None
    adds: bool = False


def make_repository(folder: Path, history: str) -> None:
    """Make a repository of a folder whose history is such a text, with the oldest commit first.

    ::

        2024-01-10 Write the guide
            docs/guide.md
            docs/old.md
        2024-02-11T08:30 by Ben: Say more
            docs/guide.md
            docs/old.md -> docs/new.md
            docs/new.md (white space)
        2024-03-12 Delete a page
            docs/gone.md (deleted)

    A commit without a time is made at ten o'clock, in UTC. The last commit that names a file leaves
    it as it is in the folder; before each commit that names it again, it had a sentence more, or
    other ``white space`` or ``front matter``. ``docs/*`` stands for all files below that folder
    that no other line names. What no line names is not committed.
    """
    log = _read(folder, history)
    present: set[str] = set()
    for change in (change for _, changes in log for change in changes):
        change.adds = change.path not in present
        if change.new or change.kind == "deleted":
            present.discard(change.path)
        if change.kind != "deleted":
            present.add(change.new or change.path)
    tree = {path.encode(): (b"100644", (folder / path).read_bytes()) for path in present}
    commits: list[Commit] = []
    for number, (commit, changes) in reversed([*enumerate(log)]):
        commit.tree, commit.parents = tree, [number - 1] if number else []
        commits.insert(0, commit)
        tree = _before(tree, changes, number)
    make(folder, commits)


def _read(folder: Path, history: str) -> list[tuple[Commit, list[Change]]]:
    """Return the commits of a history, without their trees, and what each changes."""
    log: list[tuple[Commit, list[Change]]] = []
    for line in history.splitlines():
        if found := COMMIT.fullmatch(line):
            day, time, author, subject = found.groups()
            when = datetime.fromisoformat(f"{day}T{time or '10:00'}").replace(tzinfo=UTC)
            seconds = int(when.timestamp())
            who = f"{author or 'Ann'} <{author or 'ann'}@example.com>".encode()
            commit = Commit(
                tree={}, parents=[], committed=seconds, authored=seconds, author=who,
                message=subject.encode(),
            )  # fmt: skip
            log.append((commit, []))
        else:
            found = CHANGE.fullmatch(line)
            assert found, f"history.txt: neither a commit nor a file: {line!r}"
            log[-1][1].append(Change(*found.groups()))
    named = {name for _, changes in log for change in changes for name in (change.path, change.new)}
    for _, changes in log:
        for change in [change for change in changes if change.path.endswith("/*")]:
            below = sorted((folder / change.path[:-2]).rglob("*"))
            paths = [path.relative_to(folder).as_posix() for path in below if path.is_file()]
            changes.remove(change)
            changes += [Change(path, None, None) for path in paths if path not in named]
    return log


def _before(tree: Tree, changes: list[Change], number: int) -> Tree:
    """Return the files before a commit, of those after it."""
    tree = dict(tree)
    for change in reversed(changes):
        path = change.path.encode()
        if change.new:
            tree[path] = tree.pop(change.new.encode())
        elif change.kind == "deleted":
            tree[path] = (b"100644", b"This page is deleted later.\n")
        elif change.adds:
            del tree[path]
        else:
            mode, text = tree[path]
            tree[path] = (mode, _earlier(text, change.kind, number))
    return tree


def _earlier(text: bytes, kind: str | None, number: int) -> bytes:
    if kind == "white space":
        return text.replace(b"\n", b" \n")
    if kind == "priority":
        return re.sub(rb"(?m)^priority: .*\n", b"", text)
    if kind == "front matter":
        assert text.startswith(b"---\n"), text
        return text.replace(b"---\n", b"---\nbefore_commit: %d\n" % number, 1)
    return text + b"\nThis sentence goes with commit %d.\n" % number


@dataclass
class Golden:
    """A golden site, put into a folder of its own.

    Attributes:
        home: its folder in the repository.
        folder: where it is built.
    """

    home: Path
    folder: Path

    def prepare(self) -> None:
        """Copy the project, and make its repository."""
        ours = shutil.ignore_patterns(
            "expected", "history.txt", "needs.txt", "plugin-only.txt", "max-urls.txt"
        )
        shutil.copytree(self.home, self.folder, ignore=ours, dirs_exist_ok=True)
        history = self.home / "history.txt"
        if history.is_file():
            make_repository(self.folder, history.read_text("utf-8"))

    def expected(self) -> dict[str, str]:
        """Return the texts below ``expected/`` by name."""
        top = self.home / "expected"
        files = sorted(path for path in top.rglob("*") if path.is_file())
        return {path.relative_to(top).as_posix(): path.read_text("utf-8") for path in files}

    def build(self) -> dict[str, str]:
        """Build with MkDocs; return what ``expected/`` is to hold.

        These are all sitemaps, the log with the exit code of a failure, what ``explain`` prints of
        all pages, the codes of what ``check`` finds if it finds something, and those other files of
        the site that ``expected/`` has already.
        """
        built = SiteMaker(self.folder).build(check=False, found=CODES)
        sitemaps = [path.name for path in built.path("").glob("*.xml")]
        for name in sitemaps:
            built.xml(name)  # valid, and the same in its archive
        others = [name for name in self.expected() if built.path(name).is_file()]
        pages = sorted((self.folder / "docs").rglob("*.md"))
        names = [page.relative_to(self.folder).as_posix() for page in pages]
        failed = [f"exit code {built.returncode}"] if built.returncode else []
        checked = sorted(found_in(self.folder / "site")) if sitemaps else []
        explained = run_command("explain", *names, cwd=self.folder)
        return {name: built.path(name).read_text("utf-8") for name in {*sitemaps, *others}} | {
            "log.txt": "".join(f"{line}\n" for line in [*built.lines, *failed]),
            "explain.txt": explained.stdout + explained.stderr,
            **({"check.txt": "\n".join(checked) + "\n"} if checked else {}),
        }

    def expect(self, found: dict[str, str]) -> None:
        """Write ``expected/`` anew; whether it is right now, a person has to say."""
        for name in self.expected().keys() - found.keys():
            (self.home / "expected" / name).unlink()
        for name, text in found.items():
            path = self.home / "expected" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
