"""Random histories: what the engine says is what git says, and what a slow reading says."""

import os
import random
from pathlib import Path

import pytest
from git_repositories import Commit, Histories, Tree, git, make

from mkdocs_sitemap_plus.evidence import Change
from mkdocs_sitemap_plus.lastmod.git import History
from mkdocs_sitemap_plus.settings.values import GitChange, GitDate, GitSettings

HISTORIES = int(os.environ.get("GIT_HISTORIES", "240"))
"""How many histories are tried; `GIT_HISTORIES=5000` for a long night."""

BATCH = 20
SEEDS = range(0, HISTORIES, BATCH)

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
)
MODES = (b"100644", b"100644", b"100644", b"100755", b"120000")


def random_repository(folder: Path, seed: int) -> Histories:
    """The same for each seed."""
    dice = random.Random(seed)  # noqa: S311 - no secret
    return make(folder / str(seed), random_history(dice))


def random_history(dice: random.Random) -> list[Commit]:
    """Commits of all kinds; the last one has the most behind it."""
    names = dice.sample(NAMES, dice.randint(2, 5))
    paths = [b"/".join(filter(None, (f, n))) for f in FOLDERS for n in names]
    texts = [b"", b"one", b"two", b"three"]
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
        commits.append(Commit(tree=tree, parents=parents, committed=clock, authored=authored))
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
    history: Histories, page: bytes, date: GitDate, folders: tuple[bytes, ...] = (b"docs/",)
) -> tuple[int, bytes, int]:
    """`content`, commit by commit: the place of the commit, the path there, how many passed."""
    at, path, passed = len(history.commits) - 1, page, 0
    while True:
        commit = history.commits[at]
        mine = commit.tree[path]
        parents = commit.parents[:1] if date is GitDate.PUBLISHED else commit.parents
        same = [p for p in parents if history.commits[p].tree.get(path) == mine]
        if same:
            at = same[0]
            continue
        if not parents:
            return at, path, passed
        older = older_name(commit.tree, history.commits[parents[0]].tree, path, folders)
        if older is None:
            return at, path, passed
        at, path, passed = parents[0], older, passed + 1


def older_name(new: Tree, old: Tree, path: bytes, folders: tuple[bytes, ...]) -> bytes | None:
    """Where the file was before, if nothing but its mode or its name changed."""
    mode, text = new[path]
    if path in old:
        alike = old[path][1] == text and old[path][0][:3] == mode[:3] == b"100"
        return path if alike else None
    gone = [p for p in old if p not in new and old[p][1] == text and old[p][0][:3] == mode[:3]]
    return min(gone, key=lambda p: rank(p, path, folders)) if gone and text else None


def rank(candidate: bytes, path: bytes, folders: tuple[bytes, ...]) -> tuple[bool, bool, bytes]:
    """Inside the docs folders, then the same base name, then the lowest path."""
    other = candidate.split(b"/")[-1] != path.split(b"/")[-1]
    return not candidate.startswith(folders), other, candidate


def dated(
    history: Histories,
    date: GitDate,
    change: GitChange,
    folders: tuple[str, ...] = ("docs",),
) -> dict[bytes, Change]:
    """What the engine says, for each file in HEAD."""
    engine = History(GitSettings(date=date, change=change))
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
            for path, change in dated(history, date, GitChange.ANY).items():
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


@pytest.mark.parametrize("first", SEEDS)
def test_content_is_what_a_slow_reading_says(tmp_path: Path, first: int) -> None:
    """`change: content` is what reading commit by commit gives, for every file and date."""
    for seed in range(first, first + BATCH):
        history = random_repository(tmp_path, seed)
        named = FOLDERS_NAMED[seed % len(FOLDERS_NAMED)]
        folders = tuple(b"" if name == "." else name.encode() + b"/" for name in named)
        for date in GitDate:
            found = dated(history, date, GitChange.CONTENT, named)
            assert found.keys() == history.head().tree.keys()
            for page, change in found.items():
                at, path, passed = reference(history, page, date, folders)
                expected = history.commits[at]
                seconds = expected.authored if date is GitDate.AUTHOR else expected.committed
                assert (seed, date, page, os.fsencode(change.path), change.commit) == (
                    seed,
                    date,
                    page,
                    path,
                    history.oids[at],
                )
                assert change.when.timestamp() == seconds
                assert len(change.passed) == passed


@pytest.mark.parametrize("first", SEEDS[::4])
def test_a_shallow_clone_never_says_anything_else(tmp_path: Path, first: int) -> None:
    """What a cut-off history still knows is what the whole one says, or nothing."""
    for seed in range(first, first + BATCH):
        history = random_repository(tmp_path, seed)
        clone = Histories(tmp_path / f"{seed}-cut", history.commits, history.oids)
        url, depth = f"file://{history.top}", f"--depth={2 + seed % 5}"
        git(tmp_path, "clone", "-q", "--no-checkout", depth, url, str(clone.top))
        boundary = clone.top / ".git" / "shallow"
        cut = boundary.read_text("ascii").split() if boundary.exists() else []
        for date in GitDate:
            for change in GitChange:
                whole = dated(history, date, change)
                found = dated(clone, date, change)
                for page, known in found.items():
                    assert known.commit not in cut
                    expected = (whole[page].commit, whole[page].path, whole[page].passed)
                    assert (known.commit, known.path, known.passed) == expected
                assert cut or found.keys() == whole.keys()
