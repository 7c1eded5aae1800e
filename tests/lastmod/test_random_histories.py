"""Random histories: what the engine says is what git says, and what a slow reading says."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from dated_twice import KINDS, by_engine, compare, kinds_of
from git_repositories import Histories, git
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
