"""The dates of a repository's files, by the engine and by the slow reading."""

import os
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from slow_dates import Found, Objects, Oracle, Settings

from mkdocs_sitemap_plus.generator.lastmod.git_source import git_dates
from mkdocs_sitemap_plus.generator.options.settings import GitSettings
from mkdocs_sitemap_plus.gitdates import Change, GitChange, GitDate

KINDS = [(date, change) for date in GitDate for change in GitChange]


def by_engine(
    top: Path, paths: Collection[bytes], said: Settings, repo_url: str | None = None
) -> dict[bytes, Change]:
    """What the engine returns for the files that have a date."""
    settings = GitSettings(
        date=GitDate(said.date),
        change=GitChange(said.change),
        ignore_authors=said.authors,
        ignore_subjects=said.subjects,
        branch=said.branch or None,
    )
    ci = {"GITHUB_REF_TYPE": "branch", "GITHUB_REF_NAME": said.ci} if said.ci else {}
    with pytest.MonkeyPatch.context() as patch:
        for variable, value in ci.items():
            patch.setenv(variable, value)
        engine = git_dates(settings, top, repo_url)
    for folder in said.folders:
        engine.start(top / os.fsdecode(folder))
    # a link is dated by what it names: nothing is checked out here, so there are none
    files = {top / os.fsdecode(path): path for path in paths}
    found = engine.changes(files)
    assert [problem.code for problem in engine.problems] in ([], ["shallow"])
    engine.close()
    return {files[file]: change for file, change in found.items()}


def by_hand(
    top: Path,
    paths: Collection[bytes],
    said: Settings,
    repo_url: str | None = None,
    oracle: type[Oracle] = Oracle,
) -> dict[bytes, Found]:
    """What the slow reading returns for the files that have a date."""
    objects = Objects(top)
    answers = {path: oracle(objects, said, repo_url).follow(path) for path in paths}
    objects.close()
    return {path: found for path, found in answers.items() if found}


def compare(
    top: Path,
    paths: Collection[bytes],
    said: Settings,
    repo_url: str | None = None,
    oracle: type[Oracle] = Oracle,
) -> None:
    """The engine and the slow reading agree on each file, or both have no date."""
    engine = {
        path: (
            change.commit,
            os.fsencode(change.path),
            change.when.timestamp(),
            tuple(skipped.what for skipped in change.skipped),
        )
        for path, change in by_engine(top, paths, said, repo_url).items()
    }
    slow = {
        path: (found.commit, found.path, found.when, found.skipped)
        for path, found in by_hand(top, paths, said, repo_url, oracle).items()
    }
    wrong = [path for path in paths if engine.get(path) != slow.get(path)]
    if wrong:
        lines = [f"{path!r}: {engine.get(path)}, by hand {slow.get(path)}" for path in wrong]
        raise AssertionError("\n".join([f"{top.name}: {said}, {repo_url}", *lines]))


def kinds_of(said: Settings, kinds: Iterable[tuple[GitDate, GitChange]] = KINDS) -> list[Settings]:
    """The same owner, who counts commits in other ways."""
    return [replace(said, date=date.value, change=change.value) for date, change in kinds]
