"""Random histories: what the engine says is what git says, and what a slow reading says."""

import os
import random
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from dated_twice import KINDS, by_engine, compare, kinds_of
from git_repositories import Histories, git, make
from quantity import LONG, at_length, more_at_length, one_in, tries
from random_histories import random_owner, random_repository
from slow_dates import Settings

from mkdocs_sitemap_plus.gitdates import GitChange, GitDate

HISTORIES = tries(few=2, many=12)
BATCH = min(5, HISTORIES)
SEEDS = range(0, HISTORIES, BATCH)

pytestmark = more_at_length


def nobody(*_: object) -> Settings:
    """An owner who ignores nothing."""
    return Settings()


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
            said = Settings(date=date, change=GitChange.ANY)
            for path, change in by_engine(history.top, history.head().tree, said).items():
                printed = git(
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
                assert (seed, date, path, mine) == (seed, date, path, printed)


FOLDERS_NAMED: tuple[tuple[bytes, ...], ...] = (
    (b"docs/",),
    (b"docs/",),
    (b"",),
    (b"docs/", b"site/docs/"),
    (b"elsewhere/",),
    (),
)
"""The docs folders that a build may name."""


@one_in(4)
@pytest.mark.parametrize("first", SEEDS)
@pytest.mark.parametrize("change", GitChange)
@pytest.mark.parametrize("owner_of", [nobody, random_owner], ids=["none", "some"])
def test_dates_are_what_a_slow_reading_says(
    tmp_path: Path, first: int, change: GitChange, owner_of: Callable[[Histories, int], Settings]
) -> None:
    """Reading commit by commit gives the same, for every file, date, docs folder and owner."""
    for seed in range(first, first + BATCH):
        history = random_repository(tmp_path, seed)
        folders = FOLDERS_NAMED[seed % len(FOLDERS_NAMED)]
        owner = replace(owner_of(history, seed), folders=folders)
        for said in kinds_of(owner, [(date, change) for date in GitDate]):
            compare(history.top, history.head().tree, said)


@at_length
@one_in(2)
@pytest.mark.parametrize("first", SEEDS[::4])
@pytest.mark.parametrize("owner_of", [nobody, random_owner], ids=["none", "some"])
def test_a_shallow_clone_says_what_it_can_know(
    tmp_path: Path, first: int, owner_of: Callable[[Histories, int], Settings]
) -> None:
    """What a cut-off history still knows is what the whole one says; else there is no date."""
    for seed in range(first, first + BATCH):
        history = random_repository(tmp_path, seed)
        clone = Histories(tmp_path / f"{seed}-cut", history.commits, history.oids)
        url, depth = f"file://{history.top}", f"--depth={2 + seed % 5}"
        git(tmp_path, "clone", "-q", "--no-checkout", depth, url, str(clone.top))
        owner_of(history, seed)  # which writes the file there too
        for said in kinds_of(owner_of(clone, seed), KINDS if LONG else KINDS[seed % 3 :: 3]):
            whole = by_engine(history.top, history.head().tree, said)
            for path, change in by_engine(clone.top, history.head().tree, said).items():
                assert change._replace(repository=history.top) == whole[path]
            compare(clone.top, history.head().tree, said)


ANNEX = b"../.git/annex/objects/"


def annexed(history: Histories, top: Path) -> Histories:
    """The same with links of git-annex in place of half of its files, which are on the disk."""
    commits = [
        replace(
            each, tree={p: _annexed(file) if len(p) % 2 else file for p, file in each.tree.items()}
        )
        for each in history.commits
    ]
    made = make(top, commits)
    for path, (mode, content) in commits[-1].tree.items():
        if mode == b"120000" and content.startswith(ANNEX):
            file = top / os.fsdecode(path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.symlink_to(os.fsdecode(content))
    return made


def _annexed(file: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    return b"120000", ANNEX + sha256(file[1]).hexdigest().encode()


@pytest.mark.unix
@pytest.mark.parametrize("first", SEEDS)
def test_copies_are_what_git_finds_by_their_ids(tmp_path: Path, first: int) -> None:
    """And they have the date of the one file with this id; a link of git-annex has its own."""
    for seed in range(first, first + BATCH):
        dice = random.Random(seed)  # noqa: S311 - the same each time
        history = annexed(random_repository(tmp_path, seed), tmp_path / f"{seed}-annexed")
        tree, said = history.head().tree, Settings(folders=(b"docs/",))
        compare(history.top, tree, said)
        texts = [b"", b" \n", b"new", ANNEX, *(text for _, text in tree.values())]
        copies = {b"docs/copy-%d.md" % n: dice.choice(texts) for n in range(6)}
        for path, text in copies.items():
            text = dice.choice((text, text.replace(b"\n", b"\r\n")))  # noqa: PLW2901 - it is one
            copies[path] = text
            (history.top / "docs").mkdir(exist_ok=True)
            (history.top / os.fsdecode(path)).write_bytes(text)
        found = by_engine(history.top, [*tree, *copies], said)
        entries = git(history.top, "ls-tree", "-rz", "HEAD").split(b"\0")[:-1]
        for path, text in copies.items():
            ids = {_id(history.top, each) for each in (text, text.replace(b"\r\n", b"\n"))}
            same = [
                name
                for info, name in (entry.split(b"\t", 1) for entry in entries)
                if text.strip() and info.split()[2] in ids and info[:6] != b"120000"
            ]
            expected = found.get(same[0]) if len(same) == 1 else None
            change = found.get(path)
            assert (change and change.commit) == (expected and expected.commit), (seed, path)


def _id(top: Path, text: bytes) -> bytes:
    return git(top, "hash-object", "--no-filters", "--stdin", stdin=text).strip()
