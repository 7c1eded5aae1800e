"""Random histories: what the engine says is what git says, and what a slow reading says."""

import io
import os
import random
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from git_repositories import Commit, Histories, Tree, git, make
from mkdocs.utils.meta import get_data
from quantity import LONG, more_at_length, tries

from mkdocs_sitemap_plus.lastmod import Change
from mkdocs_sitemap_plus.lastmod.git import History
from mkdocs_sitemap_plus.options import GitChange, GitDate, GitSettings

HISTORIES = tries(few=3, many=60)
BATCH = min(5, HISTORIES)
KINDS = [*product(GitDate, GitChange)]
SEEDS = range(0, HISTORIES, BATCH)

pytestmark = more_at_length

FOLDERS = (b"docs", b"docs/sub", b"site/docs", b"old", b"")
NAMES = (
    b"a.md",
    b"b.md",
    b"two words.md",
    b'"quoted".md',
    b"new\nline.md",
    b"tab\t.md",
    b"-dash.md",
    b":colon.md",
    b"*[x]?.md",
    "ü-日本.md".encode(),
    b"latin-\xe9.md",
    b"\\back.md",
    b"\x01.md",
    b"code.py",
)
MODES = (b"100644", b"100644", b"100644", b"100755", b"120000")


PLAIN = (b"", b"one", b"two", b"three")
FORMS = (
    b"",
    b"one",
    b"two",
    b"o ne",
    b"one\n",
    b"\r\n  one\t\r\n",
    b"---\ntitle: a\n---\none",
    b"---\ntitle: b\n---\n\none\n",
    b"---\r\ntitle: b\r\n---\r\none\r\n",
    b"---\ntitle: a\n---\ntwo",
    b"---\ntitle: a\n...\n",
    b"title: a\n\none",
    b"---\n- no mapping\n---\none",
    b"---\ntitle: [broken\n---\none",
    b"\xef\xbb\xbf---\ntitle: c\n---\none",
    b"---\ntitle: c\n---\n---\ntitle: c\n---\none",
    b"latin \xe9",
    b"latin  \xe9\n",
    b"no break",
    "no\u00a0break".encode(),
)
"""Texts of pages; many are the same but for front matter and white space."""

ADA, BOT = b"Ada Example <ada@example.org>", b"dependabot[bot] <49+dependabot[bot]@example.org>"
BUMP = b"chore(deps): bump [x]\n\nFrom 1 to 2\n"


@dataclass(frozen=True)
class Owner:
    """What the owner ignores."""

    lines: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()

    def ignores(self, oid: str, commit: Commit) -> bool:
        """The slow way: all lines, and the one pattern of each kind that is used here."""
        listed = any(oid.startswith(line.split()[0].lower()) for line in self.lines)
        by_bot = self.authors and commit.author == BOT
        return bool(listed or by_bot or (self.subjects and commit.message == BUMP))

    def settings(self, date: GitDate, change: GitChange) -> GitSettings:
        """The options of this owner."""
        return GitSettings(
            date=date, change=change, ignore_authors=self.authors, ignore_subjects=self.subjects
        )


NOBODY = Owner()


def random_owner(history: Histories, seed: int) -> Owner:
    """One who ignores some commits, an author or a subject, or nothing; it is written down."""
    dice = random.Random(-1 - seed)  # noqa: S311 - no secret
    some = dice.sample(history.oids, len(history.oids) // dice.choice((2, 3, 8)))
    cut = [oid[: dice.choice((40, 40, 12, 9))] for oid in some if dice.random() < 0.8]
    lines = [dice.choice((str.upper, str.lower))(oid) + dice.choice(("", " # x")) for oid in cut]
    authors = dice.choice(((), ("DependaBot[bot] <*>",)))
    subjects = dice.choice(((), ("Chore(deps): *",)))
    (history.top / ".git-blame-ignore-revs").write_text("\n".join(["# x", "", *lines]))
    return Owner(tuple(lines), authors, subjects)


def random_repository(folder: Path, seed: int) -> Histories:
    """The same for each seed."""
    dice = random.Random(seed)  # noqa: S311 - no secret
    return make(folder / str(seed), random_history(dice))


def random_history(dice: random.Random) -> list[Commit]:
    """Commits of all kinds; the last one has the most behind it."""
    names = dice.sample(NAMES, dice.randint(2, 5))
    paths = [b"/".join(filter(None, (f, n))) for f in FOLDERS for n in names]
    texts = dice.choice(([*PLAIN], dice.sample(FORMS, 7)))
    clock, commits = 1_600_000_000, []
    tips: list[int] = []
    for number in range(dice.randint(3, 28)):
        clock += dice.choice((3600, 3600, 0, -40_000, 90_000))
        parents = random_parents(dice, tips)
        if not parents:
            tree = {p: random_file(dice, texts) for p in dice.sample(paths, min(5, len(paths)))}
        elif len(parents) == 1:
            tree = edited(dice, commits[parents[0]].tree, paths, texts)
        else:
            tree = merged(dice, [commits[p].tree for p in parents], paths, texts)
        authored = clock - dice.choice((0, 500, 100_000))
        commits.append(
            Commit(
                tree=tree,
                parents=parents,
                committed=clock,
                authored=authored,
                author=dice.choice((ADA, ADA, ADA, BOT)),
                message=dice.choice((b"", b"Correct chore(deps): x", b"Correct", BUMP)),
            )
        )
        tips = [tip for tip in tips if tip not in parents or dice.random() < 0.3][-4:]
        tips.append(number)
    if len(tips) > 1:
        trees = [commits[tip].tree for tip in reversed(tips)]
        tree = merged(dice, trees, paths, texts)
        parents = [*reversed(tips)]
        commits.append(Commit(tree=tree, parents=parents, committed=clock, authored=clock))
    return commits


def random_parents(dice: random.Random, tips: list[int]) -> list[int]:
    """None for a root, several for a merge."""
    if not tips or dice.random() < 0.05:
        return []
    most = dice.choice((1, 1, 1, 2, 2, 3))
    return dice.sample(tips, min(most, len(tips)))


def random_file(dice: random.Random, texts: list[bytes]) -> tuple[bytes, bytes]:
    """Few texts, so that files are often alike."""
    return dice.choice(MODES), dice.choice(texts)


def edited(dice: random.Random, tree: Tree, paths: list[bytes], texts: list[bytes]) -> Tree:
    """The tree after some edits: new text, mode, renames, copies, deletions; or none at all."""
    tree = dict(tree)
    for _ in range(dice.choice((0, 1, 1, 2, 3))):
        path = dice.choice(paths)
        kind = dice.randrange(6)
        if kind < 2 or not tree:
            tree[path] = random_file(dice, texts)
        elif kind == 2:
            tree.pop(dice.choice([*tree]))
        elif kind == 3:
            old = dice.choice([*tree])
            tree[old] = (dice.choice(MODES), tree[old][1])
        else:
            old = dice.choice([*tree])
            tree[path] = tree.pop(old) if kind == 4 else tree[old]
    if dice.random() < 0.08:
        tree = moved(dice, tree)
    return tree or {paths[0]: (b"100644", b"one")}


def moved(dice: random.Random, tree: Tree) -> Tree:
    """One folder becomes another, whole."""
    old, new = dice.sample((b"docs/", b"site/docs/", b"old/"), 2)
    return {new + p[len(old) :] if p.startswith(old) else p: file for p, file in tree.items()}


def merged(dice: random.Random, trees: list[Tree], paths: list[bytes], texts: list[bytes]) -> Tree:
    """The trees merged: one of them, or from each file one side's, or with edits of its own."""
    kind = dice.random()
    if kind < 0.2:
        return dict(trees[0])
    if kind < 0.3:
        return dict(dice.choice(trees))
    tree = {}
    for path in sorted({path for tree in trees for path in tree}):
        side = dice.choice(trees)
        if path in side:
            tree[path] = side[path]
    return edited(dice, tree, paths, texts) if kind > 0.8 else tree or dict(trees[0])


def reference(
    history: Histories,
    page: bytes,
    settings: GitSettings,
    folders: tuple[bytes, ...] = (b"docs/",),
    owner: Owner = NOBODY,
) -> tuple[int, bytes, int] | None:
    """Commit by commit: the commit's place, the path there, how many passed; None: no date."""
    at, path, skipped = len(history.commits) - 1, page, 0
    while True:
        commit = history.commits[at]
        mine = commit.tree[path]
        parents = commit.parents[:1] if settings.date is GitDate.PUBLISHED else commit.parents
        same = [p for p in parents if history.commits[p].tree.get(path) == mine]
        if same:
            at = same[0]
            continue
        old = history.commits[parents[0]].tree if parents else {}
        older = older_name(commit.tree, old, path, folders, settings.change)
        if older is None and owner.ignores(history.oids[at], commit):
            if path not in old:
                return None
            older = path
        if older is None:
            return at, path, skipped
        at, path, skipped = parents[0], older, skipped + 1


def older_name(
    new: Tree, old: Tree, path: bytes, folders: tuple[bytes, ...], change: GitChange
) -> bytes | None:
    """Where the file was before, if what changed does not count."""
    mode, text = new[path]
    if change is GitChange.ANY:
        return None
    if path in old:
        regular = old[path][0][:3] == mode[:3] == b"100"
        alike = old[path][1] == text or (
            change is GitChange.BODY and body(path, old[path][1]) == body(path, text)
        )
        return path if regular and alike else None
    gone = [p for p in old if p not in new and old[p][1] == text and old[p][0][:3] == mode[:3]]
    return min(gone, key=lambda p: rank(p, path, folders)) if gone and text else None


def body(path: bytes, text: bytes) -> list[bytes]:
    """The words of a file, as MkDocs shows them: without front matter, if it is a page."""
    if path.endswith(b".md"):
        page = io.TextIOWrapper(io.BytesIO(text), encoding="utf-8-sig", errors="surrogateescape")
        text = get_data(page.read())[0].encode("utf-8", "surrogateescape")
    return text.split()


def rank(candidate: bytes, path: bytes, folders: tuple[bytes, ...]) -> tuple[bool, bool, bytes]:
    """Inside the docs folders, then the same base name, then the lowest path."""
    other = candidate.split(b"/")[-1] != path.split(b"/")[-1]
    return not candidate.startswith(folders), other, candidate


def dated(
    history: Histories, settings: GitSettings, folders: tuple[str, ...] = ("docs",)
) -> dict[bytes, Change]:
    """What the engine says, for each file in HEAD."""
    engine = History(settings)
    for folder in folders:
        engine.start(history.top / folder)
    paths = {history.top / os.fsdecode(path): path for path in history.head().tree}
    # a link is dated by what it names: nothing is checked out here, so there are none
    found = engine.changes(paths)
    assert [problem.code for problem in engine.problems] in ([], ["shallow"])
    engine.close()
    return {paths[file]: known for file, known in found.items()}


@pytest.mark.parametrize("first", SEEDS)
def test_any_is_what_git_log_says(tmp_path: Path, first: int) -> None:
    """`change: any` is `git log -1`, with `--first-parent` for `published`, for every file."""
    for seed in range(first, first + BATCH):
        history = random_repository(tmp_path, seed)
        for date, option, placeholder in (
            (GitDate.PUBLISHED, "--first-parent", "%ct"),
            (GitDate.COMMIT, "--no-first-parent", "%ct"),
            (GitDate.AUTHOR, "--no-first-parent", "%at"),
        ):
            options = [option] if option == "--first-parent" else []
            for path, change in dated(
                history, GitSettings(date=date, change=GitChange.ANY)
            ).items():
                said = git(
                    history.top,
                    "--literal-pathspecs",
                    "log",
                    "-1",
                    *options,
                    f"--format=%H {placeholder}",
                    "--",
                    path,
                )
                mine = f"{change.commit} {int(change.when.timestamp())}\n".encode()
                assert (seed, date, path, mine) == (seed, date, path, said)


FOLDERS_NAMED = (("docs",), ("docs",), (".",), ("docs", "site/docs"), ("elsewhere",), ())
"""The docs folders that a build may name."""


def check(
    history: Histories, settings: GitSettings, named: tuple[str, ...], owner: Owner, seed: int
) -> None:
    """What the engine says of each file is what the slow reading says."""
    folders = tuple(b"" if name == "." else name.encode() + b"/" for name in named)
    found = dated(history, settings, named)
    for page in history.head().tree:
        expected = reference(history, page, settings, folders, owner)
        if expected is None:
            assert (seed, settings, page, found.get(page)) == (seed, settings, page, None)
            continue
        at, path, skipped = expected
        commit, change = history.commits[at], found[page]
        seconds = commit.authored if settings.date is GitDate.AUTHOR else commit.committed
        mine = (change.commit, os.fsencode(change.path), len(change.skipped))
        theirs = (history.oids[at], path, skipped)
        assert (seed, settings, page, mine) == (seed, settings, page, theirs)
        assert change.when.timestamp() == seconds


@pytest.mark.parametrize("first", SEEDS)
@pytest.mark.parametrize("change", [GitChange.CONTENT, GitChange.BODY])
def test_dates_are_what_a_slow_reading_says(tmp_path: Path, first: int, change: GitChange) -> None:
    """Reading commit by commit gives the same, for every file, date and docs folder."""
    for seed in range(first, first + BATCH):
        history = random_repository(tmp_path, seed)
        named = FOLDERS_NAMED[seed % len(FOLDERS_NAMED)]
        for date in GitDate:
            check(history, GitSettings(date=date, change=change), named, NOBODY, seed)


@pytest.mark.parametrize("first", SEEDS)
@pytest.mark.parametrize("change", GitChange)
def test_what_the_owner_ignores(tmp_path: Path, first: int, change: GitChange) -> None:
    """The same past commits and authors that never date a page."""
    for seed in range(first, first + BATCH):
        history = random_repository(tmp_path, seed)
        owner = random_owner(history, seed)
        named = FOLDERS_NAMED[seed % len(FOLDERS_NAMED)]
        for date in GitDate:
            settings = owner.settings(date, change)
            check(history, settings, named, owner, seed)


@pytest.mark.parametrize("first", SEEDS[::4])
@pytest.mark.parametrize("owner_of", [lambda *_: NOBODY, random_owner], ids=["none", "some"])
def test_a_shallow_clone_never_says_anything_else(
    tmp_path: Path, first: int, owner_of: Callable[[Histories, int], Owner]
) -> None:
    """What a cut-off history still knows is what the whole one says, or nothing."""
    for seed in range(first, first + BATCH):
        history = random_repository(tmp_path, seed)
        clone = Histories(tmp_path / f"{seed}-cut", history.commits, history.oids)
        url, depth = f"file://{history.top}", f"--depth={2 + seed % 5}"
        git(tmp_path, "clone", "-q", "--no-checkout", depth, url, str(clone.top))
        boundary = clone.top / ".git" / "shallow"
        cut = boundary.read_text("ascii").split() if boundary.exists() else []
        owner = owner_of(history, seed)
        owner_of(clone, seed)  # which writes the file there too
        for date, change in KINDS if LONG else KINDS[seed % 3 :: 3]:
            settings = owner.settings(date, change)
            never_more(dated(history, settings), dated(clone, settings), cut)


def never_more(
    whole: dict[bytes, Change], found: dict[bytes, Change], cut: Collection[str]
) -> None:
    """All that is found is in the whole."""
    for page, known in found.items():
        assert known.commit not in cut
        expected = (whole[page].commit, whole[page].path, whole[page].skipped)
        assert (known.commit, known.path, known.skipped) == expected
    assert cut or found.keys() == whole.keys()
