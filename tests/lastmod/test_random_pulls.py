"""Random histories with pulls: what the engine says is what a slow reading says."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from dated_twice import by_engine, by_hand, compare, kinds_of
from git_repositories import files, git, line, make
from pull_histories import random_scene
from quantity import at_length, more_at_length, tries
from slow_dates import Objects, Oracle, Settings

from mkdocs_sitemap_plus.gitdates import GitChange, GitDate

HISTORIES = tries(few=2, many=40)
BATCH = min(10, HISTORIES)
PUBLISHED = [(GitDate.PUBLISHED, change) for change in GitChange]

pytestmark = more_at_length


def compare_all(folder: Path, seeds: Iterable[int], oracle: type[Oracle] = Oracle) -> None:
    """In all of these histories the engine and the slow reading say the same."""
    for seed in seeds:
        scene = random_scene(folder, seed)
        for said in kinds_of(scene.said, PUBLISHED):
            compare(scene.top, scene.paths, said, scene.repo_url, oracle)
        by_commit = replace(scene.said, date="commit")
        compare(scene.top, scene.paths, by_commit, scene.repo_url, oracle)


@pytest.mark.parametrize("first", range(0, HISTORIES, BATCH))
def test_pulls_are_what_a_slow_reading_says(tmp_path: Path, first: int) -> None:
    """For every file and change, whatever the repository is called."""
    compare_all(tmp_path, range(first, first + BATCH))


@at_length
@pytest.mark.parametrize("first", range(0, HISTORIES, BATCH))
def test_git_log_says_the_same_behind_the_last_pull(tmp_path: Path, first: int) -> None:
    """If every commit counts, it is `git log -1 --first-parent PULL^2`, which people can run."""
    for seed in range(first, first + BATCH):
        scene = random_scene(tmp_path, seed)
        said = Settings(change="any", folders=scene.said.folders)
        for path, found in by_hand(scene.top, scene.paths, said, scene.repo_url).items():
            start = f"{found.pulls[-1]}^2" if found.pulls else "HEAD"
            if found.commit in found.pulls:  # it published what was only in somebody's clone
                continue
            log = ("--literal-pathspecs", "log", "-1", "--first-parent", "--format=%H")
            printed = git(scene.top, *log, start, "--", path).decode().strip()
            assert (seed, path, found.commit) == (seed, path, printed)


def test_a_change_is_compared_with_what_was_published_before(tmp_path: Path) -> None:
    """With the other parent of a pull, and with the first one of any other commit."""
    for seed in range(10):
        scene = random_scene(tmp_path, seed)
        said = Settings(change="any", folders=scene.said.folders)
        slow = by_hand(scene.top, scene.paths, said, scene.repo_url)
        for path, change in by_engine(scene.top, scene.paths, said, scene.repo_url).items():
            _, *parents = git(scene.top, "rev-list", "--parents", "-1", change.commit).split()
            before = parents[change.commit in slow[path].pulls] if parents else b""
            assert (seed, path, change.before.encode()) == (seed, path, before)


def test_the_comparison_notices_a_wrong_rule(tmp_path: Path) -> None:
    """The same comparison fails where the slow reading knows no pulls."""
    fault = type("Fault", (Oracle,), {"is_pull": lambda *_: False})
    with pytest.raises(AssertionError, match="by hand"):
        compare_all(tmp_path, range(60), fault)


@at_length
def test_git_writes_the_subjects_of_pulls(tmp_path: Path) -> None:
    """Whatever command of git pulled, and by whatever name of the repository."""
    home, clone = tmp_path / "ada" / "docs.git", tmp_path / "clone"
    make(home, line(files(a="1")))
    git(tmp_path, "clone", "-q", f"file://{home}", clone)
    for number, pull in enumerate(
        (
            ("pull", "-q", "--no-rebase"),
            ("pull", "-q", "--no-rebase", "origin", "main"),
            ("pull", "-q", "--no-rebase", f"{home}/", "main"),
            ("merge", "-q", "origin/main"),
            ("merge", "-q", "refs/remotes/origin/main"),
        )
    ):
        (home / f"{number}").touch()
        git(home, "add", "-A")
        git(home, "commit", "-q", "-m", "Published")
        git(clone, "commit", "-q", "--allow-empty", "-m", "Local")
        git(clone, "fetch", "-q")
        git(clone, *pull)
        objects = Objects(clone)
        assert Oracle(objects, Settings()).is_pull(objects.head), pull
        objects.close()
