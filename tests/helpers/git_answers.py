"""What the git engine answers of files: their commits, and what there is to say."""

import os

from git_settings import git_dates


def ask(docs, *names, settings=None):
    """The dates of files in a docs folder, and what there is to say, from a new engine."""
    engine = git_dates(settings)
    engine.start(docs)
    found = engine.changes([docs / name for name in names])
    problems = engine.problems
    engine.close()
    return found, problems


def commits_of(docs, *names, settings=None):
    """The commit of each file by name; there must be nothing to say."""
    found, problems = ask(docs, *names, settings=settings)
    assert problems == []
    return {str(file.relative_to(docs)): change.commit for file, change in found.items()}


def ask_for_all(history, settings, folder="docs", top=None):
    """What the engine says of all files of HEAD in the docs folder, and what there is to say."""
    top = top or history.top
    engine = git_dates(settings)
    engine.start(top / folder)
    paths = [top / os.fsdecode(path) for path in history.head().tree]
    found = engine.changes([path for path in paths if path.is_relative_to(top / folder)])
    engine.close()
    return {os.fspath(file.relative_to(top / folder)): change for file, change in found.items()}, [
        problem.code for problem in engine.problems
    ]


def places(history, settings, folder="docs"):
    """Each page's commit by its place in the history; there must be nothing to say."""
    found, problems = ask_for_all(history, settings, folder)
    assert problems == []
    return {name: history.oids.index(change.commit) for name, change in found.items()}
