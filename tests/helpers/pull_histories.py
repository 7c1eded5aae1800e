"""Random histories of people who pull, the same for each seed."""

import random
from dataclasses import dataclass, field, replace
from pathlib import Path

from git_repositories import Commit, Histories, Tree, make
from random_histories import (
    ADA,
    BOT,
    FOLDERS,
    MESSAGES,
    NAMES,
    PLAIN,
    edited,
    random_file,
    random_history,
    random_owner,
)
from slow_dates import Settings

OWN = (
    "https://github.com/Ada/Docs",
    "https://github.com/ada/docs.git",
    "https://ada:secret@github.com/ada/docs/",
    "git@github.com:ADA/docs.git",
    "github.com:Ada/docs",
    "ssh://git@ssh.github.com:443/ada/docs",
    "https://host.example/below/ada/docs",
    "https://host.example/scm/ada/docs.git",
    "host.example:v3/ada/docs",
)
FORK = ("https://github.com/eve/docs", "git@github.com:Eve/docs.git", "ssh://git@host/eve/docs")
FOREIGN = (
    "https://github.com/ada/docs-theme",
    "https://github.com/docs",
    "https://github.com/ada",
    "../docs",
    "/srv/git/ada/docs",
    ".",
)
NAMED = [
    *((own, origin) for own in OWN[:3] for origin in (OWN[1], OWN[3], OWN[5])),
    *((own, None) for own in OWN),
    *((None, origin) for origin in OWN),
    *((FORK[0], OWN[0]), (OWN[0], FORK[1]), (FORK[0], FORK[1]), (FORK[0], None), (None, FORK[1])),
    *((None, None), (OWN[0], "/srv/git/docs.git"), (OWN[7], OWN[4]), (FOREIGN[0], OWN[6])),
]
"""`repo_url` and `origin`: the same, one of them, different ones, neither."""

TARGETS = ("patch-1", "patch-1", "feature/x", "main", "trunk", "production", "Main", "'patch-1'")
"""The branches into which another one is merged."""

OTHERS = (
    "Merge pull request #3 from eve/main",
    "Merge pull request #3 from eve/main\n\n{pull}",
    "Merge pull request #3: {pull}",
    "{pull} and mend the index",
    "{pull}.",
    'Revert "{pull}"',
    "{pull} into",
    "{pull} into production",
    "{pull} into  main",
    "Correct a word\n{pull}",
    "{lower}",
    "Merge branch 'feature' of {own} into main",
    "Merge branch 'feature' of {own}",
    "Merge branch 'develop' of {own}",
    "Merge branch 'main' of {own} into master",
    "Merge branch 'master' of {own} into main",
    "Merge branch 'main' of {own} into production",
    "Merge branch 'main' of {own} into Main",
    "Merge branch 'main'",
    "Merge branch 'main' into production",
    "Merge branch 'production' into main",
    "Merge branch main of {own}",
    "Merge branch 'main'of {own}",
    "Merge branches 'main' and 'feature' of {own}",
    "Merge branch 'main' of {foreign}",
    "Merge branch 'main' of {foreign} into main",
    "Merge branch 'main' of {fork}",
    "Merge branch 'main' of {fork} into main",
    "Merge remote-tracking branch 'upstream/main'",
    "Merge remote-tracking branch 'upstream/main' into main",
    "Merge remote-tracking branch 'refs/remotes/upstream/main'",
    "Merge remote-tracking branch 'origin/feature'",
    "Merge remote-tracking branch 'origin/main' into feature",
    "Merge remote-tracking branch 'origin/main' into master",
    "Merge remote-tracking branch 'origin/x/main'",
    "Merge remote-tracking branch 'origin'",
    "Merge remote-tracking branch 'remotes/origin/main'",
    "Merge remote branch 'origin/main'",
    "Merge commit 'origin/main'",
    "Merge tag 'main' of {own}",
    "",
)
"""Subjects of merges that are no pulls, though some quote one."""


def pull_message(dice: random.Random, urls: tuple[str, ...] = OWN) -> str:
    """What ``git pull`` writes, and what people leave below it."""
    branch = dice.choice(("main", "main", "master"))
    said = dice.choice(
        (
            f"branch '{branch}' of {dice.choice(urls)}",
            f"branch '{branch}' of {dice.choice(urls)}",
            f"remote-tracking branch 'origin/{branch}'",
            f"remote-tracking branch 'refs/remotes/origin/{branch}'",
        )
    )
    if dice.random() < 0.1:
        said, branch = said.replace(branch, "develop", 1), "develop"
        return f"Merge {said} into {branch}"
    return f"Merge {said}" + dice.choice(("", "", f" into {branch}"))


def into_message(dice: random.Random, targets: tuple[str, ...] = TARGETS) -> bytes:
    """What git writes where a branch is merged into another one."""
    branch = dice.choice(("main",) * 6 + ("master", "trunk", "develop"))
    said = dice.choice(
        (
            *(f"branch '{branch}'",) * 4,
            f"branch '{branch}' of {dice.choice((*OWN, FORK[0], FOREIGN[0]))}",
            f"remote-tracking branch 'origin/{branch}'",
            f"remote-tracking branch 'refs/remotes/origin/{branch}'",
            f"remote-tracking branch 'upstream/{branch}'",
        )
    )
    if dice.random() < 0.2:
        return f"Merge pull request #3 from {dice.choice(('ada', 'Ada', 'eve'))}/{branch}".encode()
    return f"Merge {said} into {dice.choice(targets)}".encode()


def merge_message(dice: random.Random, pulls: float) -> bytes:
    """That of a pull, by chance; otherwise one that only looks like it."""
    pull = pull_message(dice)
    if dice.random() < pulls:
        below = ("", "\n", "\n\n# Conflicts:\n#\tdocs/a.md\n", "\r\n\r\nSee above", "\nand more")
        return (dice.choice(("", "", "", "\n \n")) + pull + dice.choice(below)).encode()
    words = {"pull": pull, "lower": pull.lower()}
    words |= {"own": dice.choice(OWN), "fork": dice.choice(FORK), "foreign": dice.choice(FOREIGN)}
    return dice.choice(OTHERS).format(**words).encode()


@dataclass
class Team:
    """People with clones of one published branch, a fork and a release branch."""

    dice: random.Random
    paths: list[bytes]
    texts: list[bytes]
    commits: list[Commit] = field(default_factory=list)
    before: list[set[int]] = field(default_factory=list)
    clock: int = 1_600_000_000

    def commit(self, tree: Tree, parents: list[int], message: bytes) -> int:
        """Add a commit; return its place."""
        dice = self.dice
        self.clock += dice.choice((3600, 3600, 90_000, 90_000, 0, -40_000))
        commit = Commit(
            tree=tree or {self.paths[0]: (b"100644", b"one")},
            parents=parents,
            committed=self.clock,
            authored=self.clock - dice.choice((0, 500, 100_000)),
            author=dice.choice((ADA, ADA, ADA, BOT)),
            message=message,
        )
        self.before.append({len(self.commits)}.union(*(self.before[p] for p in parents)))
        self.commits.append(commit)
        return len(self.commits) - 1

    def root(self) -> int:
        """The first commit."""
        paths = self.dice.sample(self.paths, min(5, len(self.paths)))
        return self.commit({p: random_file(self.dice, self.texts) for p in paths}, [], b"Begin")

    def edit(self, at: int) -> int:
        """An edit, or the revert of one."""
        dice, tree = self.dice, dict(self.commits[at].tree)
        if dice.random() < 0.25:
            older = self.commits[dice.choice(sorted(self.before[at]))].tree
            path = dice.choice(sorted(older))
            tree[path] = older[path]
        else:
            tree = edited(dice, tree, self.paths, self.texts)
        message = dice.choice(MESSAGES)
        if dice.random() < 0.08:
            message = merge_message(dice, 0.8)
        return self.commit(tree, [at], message)

    def merge(self, parents: list[int], pulls: float, message: bytes | None = None) -> int:
        """A merge of these, as git does it or as somebody's hand did."""
        dice = self.dice
        tree = self.commits[parents[0]].tree
        for other in parents[1:]:
            base = max(self.before[parents[0]] & self.before[other], default=None)
            known = self.commits[base].tree if base is not None else {}
            tree = self.merged(known, tree, self.commits[other].tree)
        kind = dice.random()
        if kind < 0.06:
            tree = dict(self.commits[parents[0]].tree)  # `-s ours`
        elif kind < 0.1:
            tree = dict(self.commits[parents[1]].tree)
        elif kind < 0.22:
            tree = edited(dice, tree, self.paths, self.texts)
        return self.commit(tree, parents, message or merge_message(dice, pulls))

    def merged(self, base: Tree, ours: Tree, theirs: Tree) -> Tree:
        """Three trees, file by file; renames are followed, and conflicts end either way."""
        for one, other in ((ours, theirs), (theirs, ours)):
            for old in [path for path in base if path not in one and path in other]:
                new = [path for path in one if path not in base and one[path] == base[old]]
                if new and new[0] not in other:
                    base = {new[0] if path == old else path: base[path] for path in base}
                    moved = {new[0] if path == old else path: other[path] for path in other}
                    ours, theirs = (ours, moved) if one is ours else (moved, theirs)
        tree: Tree = {}
        for path in sorted({*base, *ours, *theirs}):
            before, mine, yours = base.get(path), ours.get(path), theirs.get(path)
            if mine == before:
                version = yours
            elif yours in (mine, before):
                version = mine
            else:
                version = self.dice.choice((mine, yours, random_file(self.dice, self.texts)))
            if version:
                tree[path] = version
        return tree

    def pull(self, mine: int, published: int) -> int:
        """The published branch in a clone: fast-forwarded, or merged into what is there."""
        if published in self.before[mine]:
            return mine
        if mine in self.before[published] and self.dice.random() < 0.8:
            return published
        return self.merge([mine, published], 0.85)

    def update(self, published: int, older: int) -> int:
        """The published branch, merged into one that was begun before: a pull request's, say."""
        branch = self.edit(older)
        if older == published:  # git would have nothing to merge
            return branch
        return self.merge([branch, published], 0, into_message(self.dice))

    def exchange(self, people: list[int], one: int, other: int) -> None:
        """Two pull from each other at once."""
        if people[one] != people[other]:
            both = [people[one], people[other]]
            people[one] = self.merge(both, 0.85)
            people[other] = self.merge(both[::-1], 0.85)

    def work(self, steps: int) -> int:  # noqa: C901 - a list of what people do
        """Let them work; return what is checked out in the end."""
        dice, published = self.dice, self.root()
        people = [published] * dice.choice((1, 2, 2, 3))
        fork = production = published
        for _ in range(steps):
            who, kind = dice.randrange(len(people)), dice.random()
            if kind < 0.35:
                people[who] = self.edit(people[who])
            elif kind < 0.45:
                branch = self.update(published, dice.choice(sorted(self.before[published])))
                fast = dice.random() < 0.7  # by a fast-forward, or a push
                published = branch if fast else self.merge([published, branch], 0.15)
            elif kind < 0.72:
                people[who] = self.pull(people[who], published)
                if dice.random() < 0.8 and published in self.before[people[who]]:
                    published = people[who]
            elif kind < 0.78:
                self.exchange(people, who, dice.randrange(len(people)))
            elif kind < 0.84:
                fork = dice.choice((self.edit(fork), self.pull(fork, published)))
            elif kind < 0.87 and fork not in self.before[published]:
                published = self.merge([published, fork], 0.15)
            elif kind < 0.94 and published not in self.before[production]:
                into = into_message(dice, ("production",)) if dice.random() < 0.7 else None
                production = self.merge([production, published], 0.15, into)
            elif kind < 0.96 and len({published, fork, *people}) > 2:
                published = self.merge([*dict.fromkeys((published, fork, *people))], 0.8)
            else:
                published = self.edit(published)
        return dice.choice((*(published,) * 6, *people, production, production, fork))


def team_history(dice: random.Random) -> list[Commit]:
    """The work of a team; what is checked out has one more commit, which may change nothing."""
    names = dice.sample(NAMES, dice.randint(2, 4))
    paths = [b"/".join(filter(None, (f, n))) for f in FOLDERS[:4] for n in names]
    texts = [*PLAIN, b"---\ntitle: a\n---\none", b"one\n", b"---\ntitle: b\n---\ntwo", b"t wo"]
    team = Team(dice, paths, texts)
    team.edit(team.work(dice.randint(8, 40)))
    return team.commits


def tangled_history(dice: random.Random) -> list[Commit]:
    """A history of no sense, whose merges say that they are pulls."""
    commits = random_history(dice)
    for commit in commits:
        if dice.random() < (0.9 if len(commit.parents) > 1 else 0.05):
            commit.message = merge_message(dice, 0.8)
    return commits


@dataclass(frozen=True)
class Scene:
    """A repository to be built, and what its owner says of it.

    Attributes:
        top: the top folder of its work tree.
        paths: the files of HEAD.
        said: the settings.
        repo_url: that of mkdocs.yml.
        oids: the ids of all commits, HEAD last.
    """

    top: Path
    paths: tuple[bytes, ...]
    said: Settings
    repo_url: str | None
    oids: tuple[str, ...]


def random_scene(folder: Path, seed: int) -> Scene:
    """A history with pulls, as it lies in somebody's clone; some are cut off, some submodules."""
    dice = random.Random(seed)  # noqa: S311 - no secret
    commits = (team_history if dice.random() < 0.75 else tangled_history)(dice)
    history = make(folder / str(seed), commits)
    said = replace(random_owner(history, seed), folders=dice.choice(((b"docs/",),) * 3 + ((b"",),)))
    if dice.random() < 0.5:
        said = Settings(folders=said.folders)
        (history.top / ".git-blame-ignore-revs").unlink()
    elif dice.random() < 0.2:
        said = replace(said, subjects=("merge *",))
    if dice.random() < 0.5:
        said = replace(said, ci=dice.choice(("main", "main", "trunk", "production", "patch-1")))
    if dice.random() < 0.15:
        said = replace(said, branch=dice.choice(("main", "trunk", "production")))
    repo_url, origin = dice.choice(NAMED)
    put_aside(dice, history)
    kept = history.top / ".git"
    if origin:
        with (kept / "config").open("a") as config:
            config.write(f'[remote "origin"]\n\turl = {origin}\n')
    if dice.random() < 0.1:
        make_submodule(history.top)
    return Scene(history.top, tuple(history.head().tree), said, repo_url, tuple(history.oids))


def put_aside(dice: random.Random, history: Histories) -> None:
    """Other branches and tags, a HEAD that is detached or a release branch, a shallow boundary."""
    kept, head = history.top / ".git", history.oids[-1]
    (kept / "refs" / "tags").mkdir(parents=True, exist_ok=True)
    (kept / "refs" / "tags" / "v1").write_text(f"{dice.choice(history.oids)}\n")
    (kept / "refs" / "heads" / "production").write_text(f"{head}\n")
    (kept / "refs" / "heads" / "patch-1").write_text(f"{head}\n")
    names = ("production", "patch-1", *("main",) * 4)
    checked_out = (*(head,) * 3, *(f"ref: refs/heads/{name}" for name in names))
    (kept / "HEAD").write_text(f"{dice.choice(checked_out)}\n")
    if dice.random() < 0.5:
        fetched = kept / "refs" / "remotes" / "origin"
        (fetched / "feature").mkdir(parents=True)
        for name in dice.sample(("main", "trunk", "production", "feature/x"), dice.randint(1, 2)):
            (fetched / name).write_text(f"{dice.choice((head, head, *history.oids))}\n")
        (fetched / "HEAD").write_text("ref: refs/remotes/origin/main\n")
        with (kept / "config").open("a") as config:
            config.write('[remote "origin"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n')
            for name in ("main", "patch-1"):
                followed = dice.choice(("main", "trunk"))
                config.write(f'[branch "{name}"]\n\tremote = origin\n')
                config.write(f"\tmerge = refs/heads/{followed}\n")
    if dice.random() < 0.15:
        deep = [
            oid for oid, made in zip(history.oids, history.commits, strict=True) if made.parents
        ]
        cut = dice.sample(deep, min(len(deep), dice.randint(1, 3)))
        (kept / "shallow").write_text("".join(f"{oid}\n" for oid in cut))


def make_submodule(top: Path) -> None:
    """Make the repository one whose own files lie in that of the folder above."""
    modules = top.parent / f"{top.name}-modules"
    (top / ".git").rename(modules)
    (top / ".git").write_text(f"gitdir: ../{modules.name}\n")
    with (modules / "config").open("a") as config:
        config.write(f"[core]\n\tworktree = ../{top.name}\n")
