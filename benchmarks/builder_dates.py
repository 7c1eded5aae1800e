"""How long dating all pages of one site takes: this package beside what other builders use.

* ``mkdocs-sitemap-plus dates``: the command, with the names of all pages;
* ``Docusaurus``: its own code, which runs one `git log` a page, and ``Docusaurus, eager``, which
  reads the whole history first, and becomes the default of version 4;
* ``sphinx-last-updated-by-git``: its own code, one `git log` a folder;
* ``VitePress``: the command that it runs once a page, as many at once.

Each runs in turn in a fresh process. The others are part of a build that runs anyway, so what such
a process takes for no page at all, its start and its imports, is subtracted; of our command all
counts. What takes a process a page is run for ``--sample`` pages at even distances, and multiplied;
such figures are marked with ``~``.

Run it as ``python benchmarks/builder_dates.py --tools FOLDER [DOCS …]``. Into such a folder,
``tests/builders/make_sites.py`` installs the builders.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from git_dates import make

DOCUSAURUS = """
const {getVcsPreset} = require('@docusaurus/utils');
const vcs = getVcsPreset(process.argv[1]);
const files = require('fs').readFileSync(0, 'utf8').split('\\n').filter(Boolean);
if (files.length) vcs.initialize({siteDir: process.cwd()});
Promise.all(files.map((file) => vcs.getFileLastUpdateInfo(file))).then((found) => {
  if (!found.every((date) => date && date.timestamp)) process.exit(1);
});
"""
VITEPRESS = """
const {spawn} = require('child_process'), {basename, dirname} = require('path');
const files = require('fs').readFileSync(0, 'utf8').split('\\n').filter(Boolean);
const dated = (file) => new Promise((resolve) => {
  const options = {cwd: dirname(file), stdio: ['ignore', 'pipe', 'ignore']};
  const child = spawn('git', ['log', '-1', '--pretty="%ai"', basename(file)], options);
  child.stdout.on('data', () => {});
  child.on('close', resolve);
});
const next = async () => { while (files.length) await dated(files.pop()); };
Promise.all(Array.from({length: 20}, next));
"""
SPHINX = """
import sys
from collections import defaultdict
from pathlib import Path
from sphinx_last_updated_by_git import update_file_dates
folders = defaultdict(dict)
for line in sys.stdin.read().split():
    folders[Path(line).parent][Path(line).name] = None
for folder, dates in folders.items():
    update_file_dates(folder, set(), dates)
    assert all(dates.values())
"""
OURS = "mkdocs-sitemap-plus dates"
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class Runner(NamedTuple):
    """A command that reads names of files, and whether it takes a process a page."""

    command: list[str | Path]
    one_by_one: bool = False


class Cost(NamedTuple):
    """What one run took, in seconds: by the clock, and CPU time of all its processes."""

    wall: float
    cpu: float


def main() -> None:
    """Measure in the clones that are named, or in a repository that is made."""
    given = arguments()
    tools = given.tools.absolute()
    os.environ["NODE_PATH"] = str(tools / "docusaurus" / "node_modules")
    runners = all_runners(tools)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "repository"
        if not given.docs:
            make(made, given.pages, given.commits)
        for docs in given.docs or [made / "docs"]:
            compare(docs.absolute(), runners, given)


def compare(docs: Path, runners: dict[str, Runner], given: argparse.Namespace) -> None:
    """Measure what dating the pages of a folder costs."""
    files = [file for file in sorted(docs.rglob("*")) if file.suffix in {".md", ".mdx", ".rst"}]
    costs: dict[str, list[Cost]] = {name: [] for name in runners}
    for _ in range(given.rounds):
        for name, runner in runners.items():
            step = max(len(files) // given.sample, 1) if runner.one_by_one else 1
            cost = measured(name, runner.command, docs, files[::step])
            costs[name].append(Cost(cost.wall * step, cost.cpu * step))
    folders = len({file.parent for file in files})
    print(f"\n{docs.parent.name}: {len(files):,} pages in {folders:,} folders\n")
    sampled = {name for name in runners if runners[name].one_by_one and len(files) > given.sample}
    show(costs, sampled)


def arguments() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("docs", nargs="*", type=Path, help="folders with pages, in clones")
    parser.add_argument("--pages", type=int, default=1_000, help="of the repository that is made")
    parser.add_argument("--commits", type=int, default=20_000, help="the same")
    parser.add_argument("--tools", type=Path, default=Path(".nox/builders"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sample", type=int, default=100)
    return parser.parse_args()


def all_runners(tools: Path) -> dict[str, Runner]:
    """What is compared."""
    docusaurus = ["node", "-e", DOCUSAURUS]
    return {
        OURS: Runner([sys.executable, "-m", "mkdocs_sitemap_plus", "dates"]),
        "Docusaurus": Runner([*docusaurus, "git-ad-hoc"], one_by_one=True),
        "Docusaurus, eager": Runner([*docusaurus, "git-eager"]),
        "sphinx-last-updated-by-git": Runner([tools / "sphinx/bin/python", "-c", SPHINX]),
        "VitePress": Runner(["node", "-e", VITEPRESS], one_by_one=True),
    }


def measured(name: str, command: list[str | Path], top: Path, files: list[Path]) -> Cost:
    """What dating these files costs."""
    if name == OURS:
        return run([*command, *files], top, [])
    start, whole = run(command, top, []), run(command, top, files)
    return Cost(whole.wall - start.wall, whole.cpu - start.cpu)


def run(command: list[str | Path], top: Path, files: list[Path]) -> Cost:
    """Run a process that reads names, in the repository, to its end."""
    with tempfile.TemporaryFile() as names:
        names.write("".join(f"{file}\n" for file in files).encode())
        names.seek(0)
        start = time.perf_counter()
        process = subprocess.Popen(command, cwd=top, stdin=names, **QUIET)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[:3]} has failed.")
    return Cost(time.perf_counter() - start, usage.ru_utime + usage.ru_stime)


def show(costs: dict[str, list[Cost]], scaled: set[str]) -> None:
    """Print the medians, each with its ratio to ours."""
    for place, kind in enumerate(("by the clock", "CPU time")):
        print(f"| {kind} | | ratio |\n| --- | ---: | ---: |")
        own = statistics.median(cost[place] for cost in costs[OURS])
        for name, found in costs.items():
            seconds = statistics.median(cost[place] for cost in found)
            mark = "~ " if name in scaled else ""
            print(f"| {name} | {mark}{seconds * 1000:,.0f} ms | {seconds / own:,.1f} |")


if __name__ == "__main__":
    main()
