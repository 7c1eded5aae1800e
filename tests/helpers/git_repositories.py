"""Repositories for tests: whole histories by one `git fast-import`, kept in Python as well."""

import os
import pickle
import subprocess
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

Tree = dict[bytes, tuple[bytes, bytes]]
"""Path to mode and content."""

_WHO = b"Ada Example <ada@example.org>"
_CONFIG = {
    "commit.gpgSign": "false",
    "core.fsync": "none",
    "core.logAllRefUpdates": "false",
    "fastimport.unpackLimit": "0",
    "gc.auto": "0",
    "init.defaultBranch": "main",
    "init.templateDir": "",
    "maintenance.auto": "false",
    "protocol.file.allow": "always",
}
"""A repository of a test is neither kept nor large, and has few files: making one takes long."""

_CLEAN = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada Example",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada Example",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "LC_ALL": "C",
    "GIT_CONFIG_COUNT": str(len(_CONFIG)),
    **{f"GIT_CONFIG_KEY_{number}": name for number, name in enumerate(_CONFIG)},
    **{f"GIT_CONFIG_VALUE_{number}": value for number, value in enumerate(_CONFIG.values())},
}


def git(top: Path, *arguments: str | bytes | Path, stdin: bytes = b"", **variables: str) -> bytes:
    """Return what git prints; it has no configuration but ours and the repository's own."""
    command = ["git", "-C", str(top), *arguments]
    done = subprocess.run(
        command, input=stdin, env=_CLEAN | variables, capture_output=True, check=False
    )
    if done.returncode:
        raise AssertionError(f"{command}: {done.stderr.decode('utf-8', 'replace')}")
    return done.stdout


@dataclass(kw_only=True)
class Commit:
    """A commit of a history that is kept in Python.

    Attributes:
        tree: all of its files.
        parents: their places in the history.
        committed: seconds since 1970.
        authored: the same.
        author: ``Name <mail>``.
        message: all of it.
    """

    tree: Tree
    parents: list[int]
    committed: int
    authored: int
    author: bytes = _WHO
    message: bytes = b""


@dataclass
class Histories:
    """A history in a repository without checked-out files.

    Attributes:
        top: the work tree's top folder.
        commits: in the order in which they were made; the last one is HEAD.
        oids: their ids.
    """

    top: Path
    commits: list[Commit]
    oids: list[str] = field(default_factory=list)

    def head(self) -> Commit:
        """The commit that is checked out."""
        return self.commits[-1]


@dataclass(frozen=True)
class _Kept:
    """What stands below ``.git`` of a repository, to make another one of it."""

    folders: list[str]
    files: dict[str, bytes]

    @classmethod
    def of(cls, top: Path) -> "_Kept":
        """Read all of it, but for the empty folders that git makes when it needs them."""
        folders = {".git", ".git/objects", ".git/refs"}
        files: dict[str, bytes] = {}
        for path in (top / ".git").rglob("*"):
            if path.is_file():
                name = path.relative_to(top)
                folders.update(folder.as_posix() for folder in name.parents[:-1])
                files[name.as_posix()] = path.read_bytes()
        return cls(sorted(folders), files)

    def put(self, top: Path) -> None:
        """Write all of it below a folder."""
        top.mkdir(parents=True, exist_ok=True)
        for name in self.folders:
            os.mkdir(os.path.join(top, name))  # noqa: PTH102, PTH118 - thousands of times
        for name, content in self.files.items():
            with open(os.path.join(top, name), "wb") as file:  # noqa: PTH118, PTH123 - the same
                file.write(content)


@cache
def _empty() -> _Kept:
    with TemporaryDirectory(prefix="empty-") as folder:
        git(Path(folder), "init", "-q")
        return _Kept.of(Path(folder))


def init(top: Path) -> None:
    """Make the empty repository that ``git init`` makes, in a tenth of the time."""
    _empty().put(top)


_made: dict[bytes, tuple[_Kept, list[str]]] = {}
"""The repository of each history that was made, and the ids of its commits."""


def make(top: Path, commits: list[Commit], *options: str) -> Histories:
    """Make a repository that holds these commits; `options` are those of `git init`."""
    key = pickle.dumps((commits, options))
    if key in _made:
        kept, oids = _made[key]
        kept.put(top)
    else:
        oids = _make(top, commits, options)
        _made[key] = _Kept.of(top), oids
    return Histories(top, commits, [*oids])


def _make(top: Path, commits: list[Commit], options: tuple[str, ...]) -> list[str]:
    if options:
        top.mkdir(parents=True, exist_ok=True)
        git(top, "init", "-q", *options)
    else:
        init(top)
    lines: list[bytes] = []
    for number, commit in enumerate(commits, 1):
        lines += [*_commit(number, commit), b"get-mark :%d\n" % number]
    return git(top, "fast-import", "--quiet", stdin=b"".join(lines)).decode("ascii").split()


def line(*trees: Tree, start: int = 1_600_000_000) -> list[Commit]:
    """A history without merges: a tree a commit, a day apart; authored an hour before."""
    parents = [[number - 1] if number else [] for number in range(len(trees))]
    return graph(*zip(trees, parents, strict=True), start=start)


def graph(*commits: tuple[Tree, list[int]], start: int = 1_600_000_000) -> list[Commit]:
    """A history of trees and the places of their parents; its times are those of `line`."""
    return [
        Commit(
            tree=tree,
            parents=parents,
            committed=start + 86_400 * number,
            authored=start + 86_400 * number - 3_600,
        )
        for number, (tree, parents) in enumerate(commits)
    ]


def files(**texts: str) -> Tree:
    """Regular files; `__` stands for `/` and a last `_md` for `.md`."""
    return {
        name.replace("__", "/").replace("_md", ".md").encode(): (b"100644", text.encode())
        for name, text in texts.items()
    }


def _commit(number: int, commit: Commit) -> list[bytes]:
    ref = b"refs/heads/main"
    lines = [] if commit.parents else [b"reset %s\n" % ref]
    lines += [b"commit %s\nmark :%d\n" % (ref, number)]
    lines += [b"author %s %d +0000\n" % (commit.author, commit.authored)]
    lines += [b"committer %s %d +0000\n" % (_WHO, commit.committed)]
    lines += [b"data %d\n%s\n" % (len(commit.message), commit.message)]
    lines += [
        b"%s :%d\n" % (b"merge" if place else b"from", parent + 1)
        for place, parent in enumerate(commit.parents)
    ]
    lines += [b"deleteall\n"]
    for path, (mode, content) in commit.tree.items():
        lines += [b"M %s inline %s\n" % (mode, _quoted(path))]
        lines += [b"data %d\n%s\n" % (len(content), content)]
    return lines


def _quoted(path: bytes) -> bytes:
    for plain, escaped in ((b"\\", b"\\\\"), (b'"', b'\\"'), (b"\n", b"\\n")):
        path = path.replace(plain, escaped)
    return b'"%s"' % path


def remove_object(top: Path, oid: str) -> None:
    """Take one object out of a repository, as damage does."""
    folder = top / ".git" / "objects"
    packed = [*(folder / "pack").iterdir()]
    listed = git(top, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
    others = [line for line in listed.splitlines(keepends=True) if line != f"{oid}\n".encode()]
    git(top, "pack-objects", "-q", folder / "pack" / "pack", stdin=b"".join(others))
    for file in packed:
        file.unlink()
    (folder / oid[:2] / oid[2:]).unlink(missing_ok=True)
