"""Which commit dates a file: the rules in code, as slow and as plain as they can be.

One file is followed at a time, one commit at a time, with nothing of the package. Objects are read
by ``git cat-file``; everything else is done here. Run it to date files by hand::

    python tests/helpers/slow_dates.py REPOSITORY [REPO_URL] -- PATH...
"""

import io
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from mkdocs.utils.meta import get_data

Version = tuple[bytes, str]
"""The mode of a file and the id of its blob."""

KEYS = ("sitemap", "changefreq", "priority", "lastmod")
PAGES = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")


@dataclass(frozen=True)
class Settings:
    """What the owner decided.

    Attributes:
        date: ``published``, ``commit`` or ``author``.
        change: ``any``, ``content`` or ``body``.
        ids: of ignored commits, whole or short.
        authors: globs of ignored authors.
        subjects: globs of ignored subjects.
        folders: the docs folders below the top, with ``/`` at the end; an empty text is the top.
        branch: the branch that is built, if the owner says it.
        ci: the branch that the CI says it builds.
    """

    date: str = "published"
    change: str = "content"
    ids: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    folders: tuple[bytes, ...] = (b"docs/",)
    branch: str = ""
    ci: str = ""


@dataclass(frozen=True)
class Found:
    """The commit that dates a file; its path there; which commits did not count on the way.

    `pulls` are those at which the file went on in the second parent, newest first.
    """

    commit: str
    path: bytes
    when: int
    skipped: tuple[str, ...]
    pulls: tuple[str, ...]


@dataclass(frozen=True)
class Commit:
    """One commit, as git keeps it; its parents are those that the clone has."""

    tree: str
    parents: tuple[str, ...]
    author: str
    authored: int
    committed: int
    subject: str


class Objects:
    """The objects of one repository. Each is read once."""

    def __init__(self, top: Path, head: str = "HEAD") -> None:
        """Start the process that reads; `close` ends it.

        `local` are the names of HEAD's branch and its upstream, `default` those of branches that
        are usually built.
        """
        self._git = ("git", "--no-replace-objects", "-C", str(top))
        self.head = self._say("rev-parse", "--verify", f"{head}^{{commit}}")
        self.origin = self._say("config", "--local", "--get-all", "remote.origin.url").split("\n")[
            0
        ]
        local = self._say("symbolic-ref", "-q", "HEAD") or "none"
        upstream = self._say("for-each-ref", "--format=%(upstream)", local)
        self.local = {*self._names("heads", local), *self._names("remotes/[^/]+", upstream)}
        default = self._say("symbolic-ref", "-q", "refs/remotes/origin/HEAD")
        self.default = {"main", "master", *self._names("remotes/origin", default)}
        shallow = top / self._say("rev-parse", "--git-path", "shallow")
        self.boundary = set(shallow.read_text("ascii").split()) if shallow.exists() else set()
        self._process = subprocess.Popen(
            (*self._git, "cat-file", "--batch"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._commits: dict[str, Commit] = {}
        self._trees: dict[str, dict[bytes, Version]] = {}

    def _say(self, *arguments: str) -> str:
        said = subprocess.run((*self._git, *arguments), capture_output=True, check=False).stdout
        return said.decode("utf-8", "surrogateescape").strip("\n")

    def may_be(self, branch: str) -> bool:
        """Whether `origin` has a branch at HEAD or at a newer commit, or does not have it."""
        ref = f"refs/remotes/origin/{branch}"
        if not branch or not self._say("rev-parse", "-q", "--verify", ref):
            return bool(branch)
        return self._say("merge-base", self.head, ref) == self.head

    @staticmethod
    def _names(kind: str, refs: str) -> list[str]:
        """The names of the branches among these refs, a line each."""
        return re.findall(rf"(?m)^refs/{kind}/(.+)$", refs)

    def close(self) -> None:
        """End the process."""
        self._process.communicate()

    def read(self, oid: str) -> bytes:
        """The content of an object."""
        self._process.stdin.write(f"{oid}\n".encode())
        self._process.stdin.flush()
        size = int(self._process.stdout.readline().split()[2])
        return self._process.stdout.read(size + 1)[:-1]

    def commit(self, oid: str) -> Commit:
        """A commit; one at the boundary of a shallow clone has no parents."""
        if oid not in self._commits:
            header, _, message = self.read(oid).partition(b"\n\n")
            lines = [line.decode("utf-8", "replace").partition(" ") for line in header.split(b"\n")]
            parents = [value for key, _, value in lines if key == "parent"]
            values = {key: value for key, _, value in reversed(lines)}
            author, authored, _ = values["author"].rsplit(" ", 2)
            written = [*filter(None, (line.strip() for line in message.split(b"\n"))), b""]
            self._commits[oid] = Commit(
                tree=values["tree"],
                parents=() if oid in self.boundary else tuple(parents),
                author=author,
                authored=int(authored),
                committed=int(values["committer"].rsplit(" ", 2)[1]),
                subject=written[0].decode("utf-8", "replace"),
            )
        return self._commits[oid]

    def _entries(self, tree: str) -> dict[bytes, Version]:
        """What stands in one folder."""
        if tree not in self._trees:
            rest, entries = self.read(tree), {}
            while rest:
                mode, _, rest = rest.partition(b" ")
                name, _, rest = rest.partition(b"\0")
                length = len(tree) // 2
                entries[name] = (mode.zfill(6), rest[:length].hex())
                rest = rest[length:]
            self._trees[tree] = entries
        return self._trees[tree]

    def version(self, oid: str, path: bytes) -> Version | None:
        """A file in a commit."""
        tree = self.commit(oid).tree
        *folders, name = path.split(b"/")
        for folder in folders:
            mode, tree = self._entries(tree).get(folder, (b"", ""))
            if mode != b"040000":
                return None
        found = self._entries(tree).get(name)
        return None if found is None or found[0] == b"040000" else found

    def files(self, oid: str) -> dict[bytes, Version]:
        """All files of a commit."""
        return self._below(self.commit(oid).tree, b"")

    def _below(self, tree: str, prefix: bytes) -> dict[bytes, Version]:
        found: dict[bytes, Version] = {}
        for name, (mode, oid) in self._entries(tree).items():
            if mode == b"040000":
                found |= self._below(oid, prefix + name + b"/")
            else:
                found[prefix + name] = (mode, oid)
        return found


def path_of(url: str) -> list[str]:
    """The owner and the name of a repository: ``git@host:Ada/Docs.git`` is ``ada``, ``docs``."""
    if "://" in url:
        path = url.split("://", 1)[1].partition("/")[2]
    else:
        host, colon, path = url.partition(":")
        if not colon or "/" in host:  # a folder of this machine
            path = url
    names = path.strip("/").removesuffix(".git").lower().split("/")
    return [name for name in names if name not in ("", "_git", "a", "scm", "v3")]


class Oracle:
    """Dates the files of one repository. Tests that plant a fault change one of its methods."""

    def __init__(self, objects: Objects, settings: Settings, repo_url: str | None = None) -> None:
        """Nothing is read yet."""
        self.objects, self.settings, self.repo_url = objects, settings, repo_url
        self._line: list[tuple[str, str, bool] | None] | None = None
        self.is_told = False  # whether the file at HEAD tells the sitemap anything

    def here(self) -> list[list[str]]:
        """The owner and the name of this repository, as far as somebody says them."""
        origin = self.objects.origin
        is_folder = not re.match(r"(?!file:)[a-z+]+://|[^/:]{2,}:(?!//)", origin)
        urls = [origin, self.repo_url or ""] if is_folder else [origin]
        return [names for names in map(path_of, urls) if names]

    def ours(self, url: str) -> bool:
        """Whether a URL is that of this repository."""
        return any(self.same(path_of(url), here) for here in self.here())

    def same(self, one: list[str], other: list[str]) -> bool:
        """Whether two paths are equal, or one, of two names at least, ends the other."""
        short, long = sorted((one, other), key=len)
        return one == other or (len(short) > 1 and long[len(long) - len(short) :] == short)

    def built(self) -> set[str]:
        """The names of the branch that is built; none if nobody says which it is."""
        if self.settings.branch:
            return {self.settings.branch}
        if self.objects.local:
            return self.objects.local
        return {self.settings.ci} if self.objects.may_be(self.settings.ci) else set()

    def candidates(self) -> set[str]:
        """The branches whose merges into others publish nothing."""
        return {*self.built(), "main", "master"} if self.built() else self.objects.default

    def merged(self, subject: str) -> tuple[str, str, bool] | None:
        """What git says that it merged: a branch of this repository, into which one, by a remote.

        The second is empty if git does not say it.
        """
        said, into, target = subject.partition(" into ")
        start, remote = "'", True
        match said.split(" "):
            case ["Merge", "branch", quoted]:
                remote = False
            case ["Merge", "branch", quoted, "of", url] if self.ours(url):
                pass
            case ["Merge", "remote-tracking", "branch", quoted]:
                full = quoted.startswith("'refs/remotes/")
                start = "'refs/remotes/origin/" if full else "'origin/"
            case _:
                return None
        branch = quoted[len(start) : -1]
        if not branch or not (quoted.startswith(start) and quoted.endswith("'")) or "'" in branch:
            return None
        if into and (not target or set(target) & set(" '")):
            return None
        return branch, target, remote

    def merges_itself(self, subject: str) -> bool:
        """Whether a subject says that a branch was merged into itself."""
        if not (merged := self.merged(subject)):
            return False
        branch, into, remote = merged
        itself = branch == into if into else branch in ("main", "master")
        return branch in self.candidates() and remote and itself

    def became_published(self, subject: str) -> bool:
        """Whether the branch that is built was merged into another one, which became it later."""
        if not (merged := self.merged(subject)):
            return False
        branch, into, _ = merged
        return bool(
            into
            and into != branch
            and branch in self.candidates()
            and not self.is_deployed(branch, into)
        )

    def was_requested(self, subject: str) -> bool:
        """Whether a pull request of this repository came from the branch that is built."""
        match subject.split(" "):
            case ["Merge", "pull", "request", number, "from", source] if number[1:].isdecimal():
                owner, _, branch = source.partition("/")
                owners = [names[0] for names in self.here()]
                return branch in (self.built() or self.objects.default) and owner.lower() in owners
        return False

    def is_deployed(self, branch: str, into: str) -> bool:
        """Whether a branch is built by itself, so that merges into it publish."""
        names = self.built()
        return into in names if names else self.times_merged(branch, into) > 1

    def is_hidden(self, oid: str) -> bool:
        """Whether more history could say that a branch is deployed."""
        commit = self.objects.commit(oid)
        return bool(
            self.objects.boundary
            and not self.built()
            and len(commit.parents) == 2
            and self.became_published(commit.subject)
        )

    def times_merged(self, branch: str, into: str) -> int:
        """How often the line of first parents merges one branch into the other."""
        if self._line is None:
            self._line, at = [], self.objects.head
            while at:
                parents = self.objects.commit(at).parents
                if len(parents) == 2:
                    self._line.append(self.merged(self.objects.commit(at).subject))
                at = parents[0] if parents else ""
        return sum(merged is not None and merged[:2] == (branch, into) for merged in self._line)

    def is_pull(self, oid: str) -> bool:
        """Whether what was published before a merge is its second parent."""
        commit = self.objects.commit(oid)
        return len(commit.parents) == 2 and (
            self.merges_itself(commit.subject)
            or self.became_published(commit.subject)
            or self.was_requested(commit.subject)
        )

    def parents(self, oid: str, path: bytes) -> Sequence[str]:
        """The parents at which a file may go on if it is the same there, the likeliest first."""
        parents = self.objects.commit(oid).parents
        if self.settings.date != "published":
            return parents
        return self.pulled(oid, path) if self.is_pull(oid) else parents[:1]

    def pulled(self, oid: str, path: bytes) -> Sequence[str]:
        """The same of a pull: what was published is its second parent."""
        del path  # which some faults ask for
        return self.objects.commit(oid).parents[1:]

    def before(self, oid: str) -> str | None:
        """The commit of the line before this one."""
        parents = self.objects.commit(oid).parents
        return parents[self.is_pull(oid)] if parents else None

    def reached(self, oid: str) -> set[str]:
        """A commit and all before it."""
        seen, left = set(), [oid]
        while left:
            if (at := left.pop()) not in seen:
                seen.add(at)
                left += self.objects.commit(at).parents
        return seen

    def merged_only_ignored(self, oid: str, path: bytes) -> bool | None:
        """Whether a merge of the line brought a file ignored commits, and nothing that counts.

        None if a clone that is cut off can't tell it.
        """
        if self.settings.date != "published" or len(self.objects.commit(oid).parents) < 2:
            return False
        side = self.reached(oid) - self.reached(self.before(oid))
        any_ignored, any_counts = False, False
        for at in side:
            parents = self.objects.commit(at).parents
            if len(parents) < 2:
                was = self.objects.version(parents[0], path) if parents else None
                now = self.objects.version(at, path)
                if was != now and self.ignores(at):
                    any_ignored = True
                elif was != now:
                    any_counts |= not self.is_same(path, was, now)
        cut = not self.objects.boundary.isdisjoint(side)
        if self.objects.boundary and (cut or (any_ignored and any_counts)):
            return None
        return any_ignored and not any_counts

    def compared(self, parents: Sequence[str]) -> str | None:
        """The parent with which a commit is compared that differs from all of them."""
        return parents[0] if parents else None

    def follow(self, path: bytes) -> Found | None:
        """The commit that dates a file of HEAD; None if there is none."""
        at = self.objects.head
        self.is_told = self.tells(path)
        skipped: list[str] = []
        pulls: list[str] = []
        while at not in self.objects.boundary:
            commit, mine = self.objects.commit(at), self.objects.version(at, path)
            if self.settings.date == "published" and self.is_hidden(at):
                return None
            parents = self.parents(at, path)
            same = [p for p in parents if self.objects.version(p, path) == mine]
            if same:
                if same[0] != commit.parents[0] and self.settings.date == "published":
                    pulls.append(at)
                at = same[0]
                continue
            parent = self.compared(parents)
            older = self.older_path(at, parent, path) if parent else None
            ignored = older is None and (self.ignores(at) or self.merged_only_ignored(at, path))
            if ignored is None and self.has_ignored():
                return None
            if ignored:
                if parent is None or self.objects.version(parent, path) is None:
                    return None
                older = path
            if older is None:
                if self.settings.date == "published" and self.is_pull(at):
                    pulls.append(at)
                when = commit.authored if self.settings.date == "author" else commit.committed
                return Found(at, path, when, tuple(skipped), tuple(pulls))
            skipped.append(at)
            at, path = parent, older
        return None

    def has_ignored(self) -> bool:
        """Whether the owner ignores anything."""
        return bool(self.settings.ids or self.settings.authors or self.settings.subjects)

    def ignores(self, oid: str) -> bool:
        """Whether the owner does not let this commit date anything."""
        commit, settings = self.objects.commit(oid), self.settings
        return (
            any(oid.startswith(start.lower()) for start in settings.ids)
            or any(alike(commit.author, glob) for glob in settings.authors)
            or any(alike(commit.subject, glob) for glob in settings.subjects)
        )

    def older_path(self, new: str, old: str, path: bytes) -> bytes | None:
        """The path of a file in the parent, if what the commit changed does not count."""
        if self.settings.change == "any":
            return None
        mode, blob = self.objects.version(new, path) or (b"", "")
        before = self.objects.version(old, path)
        if before:
            return path if self.is_same(path, before, (mode, blob)) else None
        if not self.objects.read(blob):
            return None
        now = self.objects.files(new)
        gone = [
            other
            for other, (kind, text) in self.objects.files(old).items()
            if other not in now and text == blob and kind[:3] == mode[:3]
        ]
        return min(gone, key=lambda other: self.rank(other, path)) if gone else None

    def is_same(self, path: bytes, before: Version | None, now: Version | None) -> bool:
        """Whether nothing that counts of a file differs in these versions."""
        both_regular = before and now and before[0][:3] == now[0][:3] == b"100"
        if self.settings.change == "any" or not both_regular:
            return False
        if before[1] == now[1]:
            return True
        if self.settings.change == "body":
            return self.body(path, before[1]) == self.body(path, now[1])
        return self.is_told and self.only_keys(self.page(before[1]), self.page(now[1]))

    def tells(self, path: bytes) -> bool:
        """Whether a file of HEAD is a page that tells the sitemap anything."""
        mode, blob = self.objects.version(self.objects.head, path) or (b"", "")
        is_page = path.decode("utf-8", "replace").lower().endswith(PAGES)
        return is_page and mode[:3] == b"100" and not set(KEYS).isdisjoint(self.page(blob)[1])

    def only_keys(self, before: tuple[str, dict], now: tuple[str, dict]) -> bool:
        """Whether two versions of a page differ in keys, and in nothing else."""
        (text, meta), (text_now, meta_now) = before, now
        if set(KEYS).isdisjoint(meta_now) or text.strip("\n") != text_now.strip("\n"):
            return False
        others, others_now = (
            {key: value for key, value in each.items() if key not in KEYS}
            for each in (meta, meta_now)
        )
        return shown(others) == shown(others_now) and shown(meta) != shown(meta_now)

    def page(self, blob: str) -> tuple[str, dict]:
        """The text of a page and its front matter, as MkDocs reads them."""
        page = io.BytesIO(self.objects.read(blob))
        text = io.TextIOWrapper(page, "utf-8-sig", errors="surrogateescape").read()
        return get_data(text)

    def rank(self, candidate: bytes, path: bytes) -> tuple[bool, bool, bytes]:
        """Inside the docs folders, then the same base name, then the lowest path."""
        other = candidate.split(b"/")[-1] != path.split(b"/")[-1]
        return not candidate.startswith(self.settings.folders), other, candidate

    def body(self, path: bytes, blob: str) -> list[bytes]:
        """The words of a file, as MkDocs shows them: without front matter, if it is a page."""
        if path.decode("utf-8", "replace").lower().endswith(PAGES):
            return self.page(blob)[0].encode("utf-8", "surrogateescape").split()
        return self.objects.read(blob).split()


def shown(value: object) -> str:
    """A value of YAML as a text: true is not 1, and the order of keys does not matter."""
    if isinstance(value, dict):
        return str(sorted(f"{shown(key)}: {shown(each)}" for key, each in value.items()))
    if isinstance(value, list):
        return str([shown(each) for each in value])
    return f"{type(value).__name__} {value!r}"


def alike(text: str, glob: str) -> bool:
    """Whether all of a text matches a glob in which only ``*`` and ``?`` are special."""
    return fnmatchcase(text.lower(), glob.lower().replace("[", "[[]"))


def main() -> None:
    """Print what dates the files of the command line, as JSON."""
    words = sys.argv[1:]
    options, paths = words[: words.index("--")], words[words.index("--") + 1 :]
    objects = Objects(Path(options[0]))
    for path in paths:
        for change in ("any", "content", "body"):
            oracle = Oracle(objects, Settings(change=change), *options[1:])
            found = oracle.follow(path.encode())
            print(path, change, json.dumps(found and vars(found), default=str))  # noqa: T201
    objects.close()


if __name__ == "__main__":
    main()
