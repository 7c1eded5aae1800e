"""Random histories of pages with keys of the sitemap: what the engine says, a slow reading says."""

import os
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from dated_twice import by_engine, by_hand, compare, kinds_of
from git_repositories import Histories, git
from quantity import LONG, at_length, more_at_length, tries
from random_histories import random_owner, random_repository
from slow_dates import KEYS, Oracle, Settings

from mkdocs_sitemap_plus.gitdates import GitChange, GitDate

HISTORIES = tries(few=4, many=40)
BATCH = min(10, HISTORIES)
SEEDS = range(0, HISTORIES, BATCH)
READING = [
    (GitDate.PUBLISHED, GitChange.CONTENT),
    (GitDate.COMMIT, GitChange.CONTENT),
    (GitDate.PUBLISHED, GitChange.BODY),
]

pytestmark = [more_at_length, pytest.mark.unix]

ANNEXED = b"../.git/annex/objects/Kx/a.md"
PAGES = (
    ANNEXED,
    b"one",
    b"one\n",
    b"two",
    b"---\npriority: 0.5\n---\none",
    b"---\npriority: 0.6\n---\none",
    b"---\npriority: 0.6\n---\ntwo",
    b"---\n# low\npriority: 0.6\n---\none",
    b"---\nsitemap:\n  changefreq: daily\n---\n\none\n",
    b"---\nsitemap: {changefreq: daily, images: [x.png]}\n...\none",
    b"---\ntitle: a\n---\none",
    b"---\ntitle: b\n---\none",
    b"---\ntitle: a\npriority: 0.5\n---\none",
    b"---\npriority: 0.5\ntitle: 'a'\nsitemap: true\n---\n\none\n",
    b"---\r\ntitle: a\r\nsitemap: false\r\n---\r\none\r\n",
    b"---\ntitle: true\npriority: 1\n---\none",
    b"---\ntitle: 1\npriority: 1\n---\none",
    b"---\nlastmod: 2020-01-01\ndate: {updated: 2020-02-02}\n---\none",
    b"---\ndate: {updated: 2020-02-02}\n---\none",
    b"---\npriority: [0.5\n---\none",
    b"---\n- priority: 1\n---\none",
    b"---\n---\none",
    b"\xef\xbb\xbf---\npriority: 0.5\n---\none",
    b"priority: 0.5\n\none",
    b"Priority: 0.6\ntitle: a\n\none",
    b"last-mod: x\nlastmod: 2020-01-01\n\none",
    b"title: a\n\none",
    b"one\n\npriority: 0.5\n",
    b"---\npriority: 0.5\n---\n    one",
    b"---\npriority: 0.5\n---\nlatin \xe9",
)
"""Most have the same text, so that commits often change front matter alone."""


def checked_out(history: Histories) -> list[bytes]:
    """The regular files of HEAD and its links of git-annex, written into the work tree."""
    paths = []
    for path, (mode, text) in history.head().tree.items():
        file = history.top / os.fsdecode(path)
        if mode[:3] == b"100" or text == ANNEXED:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.unlink(missing_ok=True)
            paths.append(path)
        if mode[:3] == b"100":
            file.write_bytes(text)
        elif text == ANNEXED:
            file.symlink_to(os.fsdecode(text))
    return paths


def compare_all(folder: Path, seeds: Iterable[int], oracle: type[Oracle] = Oracle) -> None:
    """In all of these histories the engine and the slow reading say the same."""
    for seed in seeds:
        history = random_repository(folder, seed, PAGES)
        owner = random_owner(history, seed) if seed % 2 else Settings()
        for said in kinds_of(owner, READING):
            compare(history.top, checked_out(history), said, oracle=oracle)


@pytest.mark.parametrize("first", SEEDS)
def test_commits_of_keys_are_what_a_slow_reading_says(tmp_path: Path, first: int) -> None:
    """For every page, whatever else the commits do, and whoever ignores some of them."""
    compare_all(tmp_path, range(first, first + BATCH))


@pytest.mark.parametrize("first", SEEDS)
def test_a_clone_without_old_contents_dates_as_a_whole_one_or_not_at_all(
    tmp_path: Path, first: int
) -> None:
    """What it can't know has no date; a page without keys never needs what is not there."""
    for seed in range(first, first + BATCH):
        history = random_repository(tmp_path, seed, PAGES)
        git(history.top, "config", "uploadpack.allowFilter", "true")
        clone = tmp_path / f"{seed}-partial"
        git(tmp_path, "clone", "-q", "--filter=blob:none", f"file://{history.top}", clone)
        paths, owner = checked_out(history), Settings()
        if seed % 2:
            owner = random_owner(history, seed)
            random_owner(Histories(clone, history.commits, history.oids), seed)
        for said in kinds_of(owner, READING if LONG else READING[:1]):
            found, whole = by_engine(clone, paths, said), by_hand(history.top, paths, said)
            for path, change in found.items():
                assert (seed, path, change.commit) == (seed, path, whole[path].commit)
            if said.change == "content":
                told = {path for path in paths if any(key in head(history, path) for key in KEYS)}
                assert whole.keys() - found.keys() <= told
            for path in whole:
                (clone / os.fsdecode(path)).lstat()


def head(history: Histories, path: bytes) -> str:
    """The text of a file at HEAD, in lower case."""
    return history.head().tree[path][1].decode("latin-1").lower()


FAULTS: dict[str, dict[str, Callable[..., object]]] = {
    "each commit of keys counts": {"only_keys": lambda *_: False},
    "the commit that takes the last key away does not count": {
        "only_keys": lambda self, before, now: Oracle.only_keys(
            self, before, (now[0], {"priority": 0, **now[1]})
        )
    },
    "titles are keys": {
        "only_keys": lambda self, *pages: Oracle.only_keys(
            self,
            *((text, {k: v for k, v in meta.items() if k != "title"}) for text, meta in pages),
        )
    },
    "a comment does not count": {
        "only_keys": lambda self, before, now: before == now or Oracle.only_keys(self, before, now)
    },
    "pages that tell nothing are read": {"tells": lambda *_: True},
    "what does not count counts in merges": {
        "merged_only_ignored": lambda self, oid, path: Oracle.merged_only_ignored(
            type("Counting", (Oracle,), {"is_same": lambda *_: False})(
                self.objects, self.settings, self.repo_url
            ),
            oid,
            path,
        )
    },
}


@at_length
@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_the_comparison_notices_a_wrong_rule(
    tmp_path: Path, fault: dict[str, Callable[..., object]]
) -> None:
    """It fails where the slow reading has this one."""
    with pytest.raises(AssertionError, match="by hand"):
        compare_all(tmp_path, range(400), type("Fault", (Oracle,), fault))
