"""Random histories with pulls: what the engine says is what a slow reading says."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from dated_twice import by_hand, compare, kinds_of
from git_repositories import files, git, line, make
from pull_histories import Scene, random_scene
from quantity import at_length, more_at_length, tries
from slow_dates import Objects, Oracle, Settings, path_of

from mkdocs_sitemap_plus.gitdates import GitChange, GitDate

HISTORIES = tries(few=5, many=80)
BATCH = min(10, HISTORIES)
PUBLISHED = [(GitDate.PUBLISHED, change) for change in GitChange]

pytestmark = more_at_length


def octopus_too(self, oid):
    """Three parents are no hindrance."""
    commit = self.objects.commit(oid)
    return len(commit.parents) > 1 and self.merges_itself(commit.subject)


def only_if_changed(self, oid, path):
    """The second parent only if the file differs from the first."""
    first, second = self.objects.commit(oid).parents
    same = self.objects.version(first, path) == self.objects.version(oid, path)
    return (first,) if same else (second, first)


def quoted_too(self, subject):
    """A subject may stand within another."""
    quoted = subject[max(0, subject.find("Merge", 1)) :].rstrip('".')
    return any(Oracle.merges_itself(self, said) for said in (subject, quoted))


def of_one_line(self, oid):
    """The first paragraph of the message has one line."""
    message = self.objects.read(oid).partition(b"\n\n")[2].strip()
    return b"\n" not in message.split(b"\n\n")[0] and Oracle.is_pull(self, oid)


def any_branch(self, subject):
    """Whatever was merged into another branch was published."""
    merged = self.merged(subject)
    return bool(
        merged and merged[1] and merged[0] != merged[1] and not self.is_deployed(*merged[:2])
    )


def whole_history(self, path):
    """The end of a shallow clone is none."""
    self.objects.boundary = set()
    return Oracle.follow(self, path)


def as_written(self, url):
    """Upper and lower case matter."""
    known = (self.objects.origin or self.repo_url or "").strip("/").removesuffix(".git")
    return Oracle.ours(self, url) and known[-len("ada/docs") :] in url


def with_branch(self, subject):
    """Any branch was merged into itself where its name stands once."""
    for branch in ("feature", "develop"):
        subject = subject.replace(f"{branch}' of", "main' of").replace(f"/{branch}'", "/main'")
    return Oracle.merges_itself(self, subject)


FAULTS = {
    "a pull is a merge like others": {"is_pull": lambda *_: False},
    "upstream is a name of origin": {
        "merges_itself": lambda self, subject: Oracle.merges_itself(
            self, subject.replace("upstream/", "origin/")
        )
    },
    "any repository is this one": {"ours": lambda *_: True},
    "the name alone is compared": {
        "ours": lambda self, url: path_of(url).split("/")[-1] == self.here().split("/")[-1]
    },
    "repo_url counts more than origin": {
        "here": lambda self: path_of(self.repo_url or "") or path_of(self.objects.origin)
    },
    "case counts": {"ours": as_written},
    "into any branch": {
        "merges_itself": lambda self, subject: Oracle.merges_itself(
            self, subject.split(" into ")[0]
        )
    },
    "any branch without into": {"merges_itself": with_branch},
    "only main and master": {
        "merges_itself": lambda self, subject: (
            "develop" not in subject and Oracle.merges_itself(self, subject)
        )
    },
    "quoted subjects count": {"merges_itself": quoted_too},
    "lines below the first count": {"is_pull": of_one_line},
    "an octopus is a pull": {
        "is_pull": octopus_too,
        "pulled": lambda self, oid, _: self.objects.commit(oid).parents[::-1],
    },
    "the first parent comes first": {
        "pulled": lambda self, oid, _: self.objects.commit(oid).parents
    },
    "a pull matters only to what it changed": {"pulled": only_if_changed},
    "local commits are dated by the pull": {
        "pulled": lambda self, oid, _: self.objects.commit(oid).parents[1:]
    },
    "compared with the first parent": {
        "compared": lambda _, parents: parents[-1] if parents else None
    },
    "only the newest merge is a pull": {
        "is_pull": lambda self, oid: (
            oid in self.objects.commit(self.objects.head).parents and Oracle.is_pull(self, oid)
        )
    },
    "an ignored pull is none": {
        "is_pull": lambda self, oid: Oracle.is_pull(self, oid) and not self.ignores(oid)
    },
    "a shallow clone has no end": {"follow": whole_history},
    "no branch becomes the published one": {"became_published": lambda *_: False},
    "any branch may be the built one": {"became_published": any_branch},
    "no other branch is published": {"is_deployed": lambda *_: False},
    "a branch that got main once is deployed": {"times_merged": lambda *_: 2},
    "without a name, no branch is deployed": {"times_merged": lambda *_: 0},
}
"""Rules that are a little different, as the methods that they change."""


def answers(scene: Scene, oracle: type[Oracle] = Oracle) -> list[dict[bytes, object]]:
    """What the slow reading says of all files, for each kind of change."""
    return [
        {path: (f.commit, f.path, f.skipped) for path, f in dates.items()}
        for said in kinds_of(scene.said, PUBLISHED)
        for dates in [by_hand(scene.top, scene.paths, said, scene.repo_url, oracle)]
    ]


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
            log = ("--literal-pathspecs", "log", "-1", "--first-parent", "--format=%H")
            printed = git(scene.top, *log, start, "--", path).decode().strip()
            assert (seed, path, found.commit) == (seed, path, printed)


def test_the_comparison_notices_a_wrong_rule(tmp_path: Path) -> None:
    """The same comparison fails where the slow reading knows no pulls."""
    fault = type("Fault", (Oracle,), FAULTS["a pull is a merge like others"])
    with pytest.raises(AssertionError, match="by hand"):
        compare_all(tmp_path, range(60), fault)


@pytest.mark.parametrize(
    "branch", ["main", *(pytest.param(name, marks=at_length) for name in ("master", "develop"))]
)
def test_git_writes_the_subjects_of_pulls(tmp_path: Path, branch: str) -> None:
    """Whatever command of git pulled, and by whatever name of the repository."""
    home, clone = tmp_path / "ada" / "docs.git", tmp_path / "clone"
    make(home, line(files(a="1")))
    git(home, "branch", "-q", "-m", branch)
    git(tmp_path, "clone", "-q", f"file://{home}", clone)
    for number, pull in enumerate(
        (
            ("pull", "-q", "--no-rebase"),
            ("pull", "-q", "--no-rebase", "origin", branch),
            ("pull", "-q", "--no-rebase", f"{home}/", branch),
            ("merge", "-q", f"origin/{branch}"),
            ("merge", "-q", f"refs/remotes/origin/{branch}"),
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


@at_length
def test_pulls_matter_in_these_histories(tmp_path: Path) -> None:
    """In a third of them at least one date would be another one without the rule."""
    fault = type("Fault", (Oracle,), FAULTS["a pull is a merge like others"])
    scenes = [random_scene(tmp_path, seed) for seed in range(30)]
    assert sum(answers(scene) != answers(scene, fault) for scene in scenes) >= 10


@at_length
@pytest.mark.parametrize("methods", FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_is_noticed(tmp_path: Path, methods: dict[str, object]) -> None:
    """A rule that is a little different gives another answer in one of these histories."""
    fault = type("Fault", (Oracle,), methods)
    scenes = (random_scene(tmp_path, seed) for seed in range(300))
    assert any(answers(scene) != answers(scene, fault) for scene in scenes)
