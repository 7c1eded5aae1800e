"""Random histories of files: edits, renames, merges; the same for each seed."""

import random
from collections.abc import Sequence
from pathlib import Path

from git_repositories import Commit, Histories, Tree, make
from slow_dates import Settings

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


ADA, BOT = b"Ada Example <ada@example.org>", b"dependabot[bot] <49+dependabot[bot]@example.org>"
BUMP = b"chore(deps): bump [x]\n\nFrom 1 to 2\n"
MESSAGES = (b"", b"Correct chore(deps): x", b"Correct", BUMP)


def random_owner(history: Histories, seed: int) -> Settings:
    """One who ignores some commits, an author or a subject, or nothing; it is written down."""
    dice = random.Random(-1 - seed)  # noqa: S311 - no secret
    some = dice.sample(history.oids, len(history.oids) // dice.choice((2, 3, 8)))
    cut = [oid[: dice.choice((40, 40, 12, 9))] for oid in some if dice.random() < 0.8]
    lines = [dice.choice((str.upper, str.lower))(oid) + dice.choice(("", " # x")) for oid in cut]
    authors = dice.choice(((), ("DependaBot[bot] <*>",)))
    subjects = dice.choice(((), ("Chore(deps): *",)))
    (history.top / ".git-blame-ignore-revs").write_text("\n".join(["# x", "", *lines]))
    return Settings(ids=tuple(cut), authors=authors, subjects=subjects)


def random_repository(folder: Path, seed: int, forms: Sequence[bytes] = FORMS) -> Histories:
    """The same for each seed. Without other `forms`, some have plain texts."""
    dice = random.Random(seed)  # noqa: S311 - no secret
    return make(folder / str(seed), random_history(dice, forms))


def random_history(dice: random.Random, forms: Sequence[bytes] = FORMS) -> list[Commit]:
    """Commits of all kinds; the last one has the most behind it."""
    names = dice.sample(NAMES, dice.randint(2, 5))
    paths = [b"/".join(filter(None, (f, n))) for f in FOLDERS for n in names]
    some = dice.sample(forms, 7)
    texts = dice.choice(([*PLAIN], some)) if forms is FORMS else some
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
                message=dice.choice(MESSAGES),
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
