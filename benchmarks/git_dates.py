"""How long dating pages out of git takes, beside what git itself needs to read the same history.

Makes a repository of many pages and commits, then times, in turn and in fresh processes:

* ``rev-list``: ``git rev-list --count HEAD -- docs``, the least that an exact answer has to read;
* ``log``: the ``git log`` that the walk reads, to its end, with its output thrown away;
* ``dating``: a Python that imports the engine and dates every page; its own time, without the
  interpreter's start.

Run it as ``python benchmarks/git_dates.py [--pages N] [--commits N] [--rounds N]``.
"""

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from mkdocs_sitemap_plus.generator.lastmod.git_source import git_dates
from mkdocs_sitemap_plus.generator.options.settings import GitSettings
from mkdocs_sitemap_plus.gitdates import GitChange, GitDate

DAY = 86_400
MERGE, PULL = "Merge branch 'feature'", "Merge remote-tracking branch 'origin/main'"
WHO = "Ada Example <ada@example.org>"


def main() -> None:
    """Make the repository, measure, print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--pages", type=int, default=10_000)
    arguments.add_argument("--commits", type=int, default=50_000)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--keep", type=Path, help="where the repository is made, or is already")
    arguments.add_argument("--date-pages", nargs=3, help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.date_pages:
        date_pages(*given.date_pages)
        return
    with tempfile.TemporaryDirectory() as folder:
        top = given.keep or Path(folder) / "repository"
        if not (top / ".git").exists():
            make(top, given.pages, given.commits)
        print(f"{given.pages} pages, {given.commits} commits, medians of {given.rounds} rounds")
        for date in GitDate:
            for change in GitChange:
                measure(top, date, change, given.rounds)


def make(top: Path, pages: int, commits: int, *, pulls: bool = False) -> None:
    """A repository: pages come over time and are edited at random.

    With `pulls`, each merge has the subject of a `git pull`.
    """
    top.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", "-b", "main", top], check=True)
    dice = random.Random(1)  # noqa: S311 - the same history each time
    script = top / ".git" / "script"
    with script.open("w", encoding="utf-8") as file:
        file.writelines(history(dice, pages, commits, PULL if pulls else MERGE))
    with script.open("rb") as file:
        subprocess.run(["git", "-C", top, "fast-import", "--quiet"], stdin=file, check=True)
    script.unlink()
    subprocess.run(["git", "-C", top, "reset", "-q", "--hard"], check=True)


def history(dice: random.Random, pages: int, commits: int, merge: str) -> Iterator[str]:
    """The script for `git fast-import`: in 28 commits two on a branch, and the merge of it."""
    made = max(pages // 5, 1)
    yield from commit(1, [], written(dice, range(made)))
    number = 1
    while number < commits:
        number += 1
        if number % 28 == 0:
            branch: dict[int, str] = {}
            fork = number - 1
            for parent in (fork, number):
                edit = written(dice, [dice.randrange(made)])
                branch |= edit
                yield from commit(number, [parent], edit)
                number += 1
            yield from commit(number, [fork, number - 1], branch, merge)
        elif made < pages and number % 20 == 0:
            new = range(made, min(pages, made + 1 + 20 * pages // commits))
            made = new.stop
            yield from commit(number, [number - 1], written(dice, new))
        else:
            edit = written(dice, dice.choices(range(made), k=dice.choice((1, 1, 2, 3))))
            yield from commit(number, [number - 1], edit)


def written(dice: random.Random, pages: Iterable[int]) -> dict[int, str]:
    """New texts of pages."""
    return {page: f"# Page {page}\n\n{dice.random()}\n" for page in pages}


def commit(
    number: int, parents: list[int], pages: dict[int, str], subject: str = ""
) -> Iterator[str]:
    """One commit that writes these pages, and often a file outside of the docs."""
    yield f"commit refs/heads/main\nmark :{number}\n"
    yield f"committer {WHO} {1_400_000_000 + number * 4_000} +0000\n"
    yield f"data {len(subject)}\n{subject}\n"
    for place, parent in enumerate(parents):
        yield f"{'merge' if place else 'from'} :{parent}\n"
    for page, text in pages.items():
        yield f"M 100644 inline docs/{page % 40:02}/{page // 40 % 10}/page-{page}.md\n"
        yield f"data {len(text)}\n{text}\n"
    if number % 3 == 0:
        yield f"M 100644 inline src/module_{number % 200}.py\ndata 8\nx={number:6}\n"


def measure(top: Path, date: GitDate, change: GitChange, rounds: int) -> None:
    """Time the three in turn, and print their medians."""
    times: dict[str, list[float]] = {"rev-list": [], "log": [], "dating": []}
    facts: list[dict[str, float]] = []
    own = own_log(date, change)
    for _ in range(rounds):
        times["rev-list"].append(timed(top, "rev-list", "--count", "HEAD", "--", "docs"))
        times["log"].append(timed(top, *own))
        facts.append(dating(top, date, change))
        times["dating"].append(facts[-1]["seconds"])
    least, log, mine = (statistics.median(times[name]) for name in times)
    print(
        f"{date:9} {change:7} rev-list {least * 1000:5.0f} ms, log {log * 1000:5.0f} ms, "
        f"dating {mine * 1000:5.0f} ms = {mine / least:.2f} x rev-list = {mine / log:.2f} x log; "
        f"{facts[-1]['dated']} dated, {processes(top, date, change)} git processes, "
        f"{max(fact['kib'] for fact in facts) / 1024:.0f} MiB"
    )


def timed(top: Path, *arguments: str) -> float:
    """Seconds that a git command takes."""
    start = time.perf_counter()
    command = ["git", "-C", top, *arguments]
    environment = os.environ | {"GIT_FLUSH": "0"}  # as the engine has it
    subprocess.run(command, stdout=subprocess.DEVNULL, env=environment, check=True)
    return time.perf_counter() - start


def own_log(date: GitDate, change: GitChange) -> list[str]:
    """The walk's own command, as it runs without renames out of the folders."""
    line = ["--first-parent"] if date is GitDate.PUBLISHED else ["--full-history"]
    if change is GitChange.CONTENT and date is not GitDate.PUBLISHED:
        line.append("--topo-order")
    raw = ["--sparse", "--diff-merges=first-parent", "--raw", "-r", "-z", "--no-abbrev"]
    return ["log", *line, *raw, "--no-renames", "--format=tformat:%H %ct %P", "HEAD", "--", "docs"]


def dating(top: Path, date: GitDate, change: GitChange) -> dict[str, float]:
    """Date every page in a fresh interpreter."""
    command = [sys.executable, __file__, "--date-pages", str(top), date, change]
    done = subprocess.run(command, capture_output=True, check=True)
    facts: dict[str, float] = json.loads(done.stdout)
    return facts


def processes(top: Path, date: GitDate, change: GitChange) -> int:
    """How many git processes dating starts."""
    with tempfile.TemporaryDirectory() as folder:
        counter = Path(folder) / "git"
        calls = Path(folder) / "calls"
        counter.write_text(f'#!/bin/sh\necho x >>"{calls}"\nexec "{shutil.which("git")}" "$@"\n')
        counter.chmod(0o755)
        path = os.environ["PATH"]
        os.environ["PATH"] = f"{folder}{os.pathsep}{path}"
        dating(top, date, change)
        os.environ["PATH"] = path
        return len(calls.read_text("utf-8").splitlines())


def date_pages(top: str, date: str, change: str) -> None:
    """In the fresh process: date, and print seconds, pages and memory above the start."""
    files = sorted((Path(top) / "docs").rglob("*.md"))
    start_memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    engine = git_dates(GitSettings(date=GitDate(date), change=GitChange(change)))
    engine.start(Path(top) / "docs")
    found = engine.changes(files)
    seconds = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start_memory
    print(json.dumps({"seconds": seconds, "dated": len(found), "kib": memory}))


if __name__ == "__main__":
    main()
