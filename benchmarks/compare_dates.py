"""How long dating all pages of one site takes: this plugin beside the others.

Each of these dates the same pages, in turn, each time in a fresh process whose start and imports
are not counted:

* ``this plugin``: its engine with the default options, with no build to hide behind;
* ``git-revision-date-localized``: its events ``on_config`` and ``on_files`` with the default
  options, that is both of its passes in its pool of processes; what it does for each page later
  (tags, formats) is left out;
* ``rss``: its ``get_file_dates`` for one page after the other, as in ``on_page_content``;
* ``git log -1 a page``: the command that the plugin's documentation names, once a page;
* ``bare walk``: the ``git log`` that the engine reads, to its end, with its output thrown away;
* ``rev-list``: ``git rev-list --count HEAD -- docs``.

What takes a process a page is run for some pages at even distances where there are more than
``--sample``, and multiplied; such figures are marked with ``~``.

The histories are made, the project's own, and those of the clones that ``--also`` names. Two of
them differ only in the subjects of their merges, which are those of ``git pull`` in one.

Run it as ``python benchmarks/compare_dates.py [--rounds N] [--slow-rounds N] [--keep FOLDER]``,
with mkdocs-git-revision-date-localized-plugin and mkdocs-rss-plugin installed.
"""

import argparse
import json
import logging
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from git_dates import make, own_log
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from mkdocs_sitemap_plus.generator.lastmod.git_source import git_dates
from mkdocs_sitemap_plus.generator.options.settings import GitSettings
from mkdocs_sitemap_plus.gitdates import GitChange, GitDate

OURS, LOCALIZED, REV_LIST = "this plugin", "git-revision-date-localized", "rev-list"
RSS, ONE_BY_ONE, WALK = "rss", "git log -1 a page", "bare walk"
WITH_MERGES = {"merges": False, "pulls": True}
"""Two histories of 1,000 pages that differ only in the subjects of their merges."""
LEAST = {20: 15, 100: 100, 10_000: 1_000}
"""How many times faster than git-revision-date-localized this plugin has to be, by pages."""


class Cost(NamedTuple):
    """What one run took, or the median of several, in seconds.

    Attributes:
        wall: by the clock.
        cpu: of all processes together.
        scaled: whether it is multiplied up from a sample of the pages.
    """

    wall: float
    cpu: float
    scaled: bool = False


def main() -> None:
    """Make the repositories, measure, print."""
    given = arguments().parse_args()
    logging.disable(logging.CRITICAL)
    if given.measure:
        measure(given)
        return
    with tempfile.TemporaryDirectory() as folder:
        table, own = {}, {"own repository": Path(__file__).parents[1]}
        for name, top in (sites(given, given.keep or Path(folder)) | own).items():
            table[name] = compared(top, given)
            told = ", ".join(f"{each} {shown(cost)}" for each, cost in table[name].items())
            print(f"{name} ({load()}): {told}", file=sys.stderr)
    print_tables(table)
    print_targets(table)


def arguments() -> argparse.ArgumentParser:
    """The options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, nargs="*", default=list(LEAST))
    parser.add_argument("--commits", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--slow-rounds", type=int, default=3, help="of what takes a process a page")
    parser.add_argument("--sample", type=int, default=100, help="most pages of such")
    parser.add_argument("--keep", type=Path, help="where the repositories are made, or already are")
    parser.add_argument("--also", type=Path, nargs="*", default=[], help="clones with docs/")
    parser.add_argument("--date", type=GitDate, default=GitSettings().date)
    parser.add_argument("--change", type=GitChange, default=GitSettings().change)
    parser.add_argument("--measure", choices=ALL, help=argparse.SUPPRESS)
    parser.add_argument("--top", type=Path, help=argparse.SUPPRESS)
    return parser


def sites(given: argparse.Namespace, folder: Path) -> dict[str, Path]:
    """The repositories by what they are called; made where they are not there."""
    found = {}
    for pages in given.pages:
        top = folder / f"{pages}-pages"
        if not (top / ".git").exists():
            make(top, pages, given.commits)
        found[f"{pages:,} pages"] = top
    for name, pulls in WITH_MERGES.items():
        top = folder / name.replace(" ", "-")
        if not (top / ".git").exists():
            make(top, 1_000, min(given.commits, 5_000), pulls=pulls)
        found[name] = top
    return found | {f"{top.name}: {len(pages_of(top)):,} pages": top for top in given.also}


def compared(top: Path, given: argparse.Namespace) -> dict[str, Cost]:
    """The medians of each, measured in turn."""
    runs: dict[str, list[Cost]] = {name: [] for name in ALL}
    for number in range(max(given.rounds, given.slow_rounds)):
        for name in ALL:
            if number < (given.slow_rounds if name in SLOW else given.rounds):
                runs[name].append(in_fresh_process(name, top, given))
    return {name: median(costs) for name, costs in runs.items()}


def in_fresh_process(name: str, top: Path, given: argparse.Namespace) -> Cost:
    """One run of one of them."""
    options = {"--measure": name, "--top": top, "--date": given.date, "--change": given.change}
    command = [sys.executable, __file__, "--sample", str(given.sample)]
    command += [str(part) for option in options.items() for part in option]
    return Cost(*json.loads(subprocess.run(command, capture_output=True, check=True).stdout))


def median(costs: list[Cost]) -> Cost:
    """The median of the walls and that of the CPU times."""
    walls, cpus = ([cost[place] for cost in costs] for place in (0, 1))
    return Cost(statistics.median(walls), statistics.median(cpus), costs[0].scaled)


def measure(given: argparse.Namespace) -> None:
    """In the fresh process: run one of them and print what it cost."""
    top = given.top.resolve()
    pages = pages_of(top)
    some = pages
    if given.measure in SLOW and len(pages) > given.sample:
        some = [pages[place * len(pages) // given.sample] for place in range(given.sample)]
    run = ALL[given.measure](top, some, GitSettings(date=given.date, change=given.change))
    spent, start = cpu(), time.perf_counter()
    dated = run()
    wall, used = time.perf_counter() - start, cpu() - spent
    if dated != len(some):
        sys.exit(f"{given.measure} dated {dated} of {len(some)} pages")
    times = len(pages) / len(some)
    print(json.dumps(Cost(wall * times, used * times, len(some) < len(pages))))


def pages_of(top: Path) -> list[Path]:
    """The pages that HEAD holds."""
    command = ["git", "-C", top, "ls-tree", "-r", "-z", "--name-only", "HEAD", "--", "docs"]
    listed = subprocess.run(command, capture_output=True, check=True).stdout.split(b"\0")
    return [top / os.fsdecode(path) for path in listed if path.endswith(b".md")]


def cpu() -> float:
    """Seconds of CPU so far, of this process and those that it has waited for."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def ours(top: Path, pages: list[Path], settings: GitSettings) -> Callable[[], int]:
    """This plugin's engine."""

    def run() -> int:
        engine = git_dates(settings)
        engine.start(top / "docs")
        found = engine.changes(pages)
        engine.close()
        return len(found)

    return run


def localized(top: Path, pages: list[Path], _: GitSettings) -> Callable[[], int]:
    """Git-revision-date-localized, as MkDocs calls it."""
    import multiprocessing.pool  # noqa: F401, PLC0415 - else its time would count

    from mkdocs_git_revision_date_localized_plugin.plugin import (  # noqa: PLC0415
        GitRevisionDateLocalizedPlugin,
    )

    config = config_of(top)
    files = Files([file_of(page, config) for page in pages])
    plugin = GitRevisionDateLocalizedPlugin()
    plugin.load_config({})

    def run() -> int:
        plugin.on_startup(command="build", dirty=False)
        plugin.on_config(config)
        plugin.on_files(files, config)
        return min(len(plugin.last_revision_commits), len(plugin.created_commits))

    return run


def rss(top: Path, pages: list[Path], _: GitSettings) -> Callable[[], int]:
    """The dates of mkdocs-rss-plugin, with its default options."""
    from mkdocs_rss_plugin.plugin import GitRssPlugin  # noqa: PLC0415
    from mkdocs_rss_plugin.util import Util  # noqa: PLC0415

    config = config_of(top)
    made = [Page(None, file_of(page, config), config) for page in pages]
    for page in made:
        page.meta = {}
    plugin = GitRssPlugin()
    plugin.load_config({})
    source = plugin.config.date_from_meta

    def run() -> int:
        util = Util(path=str(top))
        found = [
            util.get_file_dates(
                in_page=page,
                source_date_creation=source.as_creation,
                source_date_update=source.as_update,
                meta_datetime_format=source.datetime_format,
                meta_default_timezone=source.default_timezone,
                meta_default_time=None,
            )
            for page in made
        ]
        return len(found)

    return run


def one_by_one(top: Path, pages: list[Path], _: GitSettings) -> Callable[[], int]:
    """The documented command, once a page."""
    command = ["git", "-C", top, "log", "-1", "--first-parent", "--format=%cI", "--"]

    def run() -> int:
        return sum(bool(subprocess.check_output([*command, page])) for page in pages)

    return run


def walk(top: Path, pages: list[Path], settings: GitSettings) -> Callable[[], int]:
    """The engine's own command, to its end."""
    return git_alone(top, pages, own_log(settings.date, settings.change))


def rev_list(top: Path, pages: list[Path], _: GitSettings) -> Callable[[], int]:
    """The least that git does to know which commits changed the docs."""
    return git_alone(top, pages, ["rev-list", "--count", "HEAD", "--", "docs"])


def git_alone(top: Path, pages: list[Path], command: list[str]) -> Callable[[], int]:
    """One git whose output is thrown away."""
    environment = os.environ | {"GIT_FLUSH": "0"}  # as the engine has it

    def run() -> int:
        line = ["git", "-C", top, *command]
        subprocess.run(line, stdout=subprocess.DEVNULL, env=environment, check=True)
        return len(pages)

    return run


def config_of(top: Path) -> MkDocsConfig:
    """The configuration of a site in a repository."""
    config = MkDocsConfig(config_file_path=str(top / "mkdocs.yml"))
    config.load_dict({"site_name": "A site", "docs_dir": str(top / "docs"), "plugins": []})
    config.validate()
    return config


def file_of(page: Path, config: MkDocsConfig) -> File:
    """A page's file, as MkDocs hands it to plugins."""
    path = page.relative_to(config.docs_dir).as_posix()
    return File(path, config.docs_dir, config.site_dir, use_directory_urls=True)


ALL = {
    OURS: ours,
    LOCALIZED: localized,
    RSS: rss,
    ONE_BY_ONE: one_by_one,
    WALK: walk,
    REV_LIST: rev_list,
}
SLOW = (LOCALIZED, RSS, ONE_BY_ONE)


def print_tables(table: dict[str, dict[str, Cost]]) -> None:
    """Wall and CPU of all, each with its ratio to this plugin."""
    for place, kind in enumerate(("by the clock", "CPU time")):
        print(f"\n| {kind} | {' | '.join(table)} |\n| --- |{' ---: |' * len(table)}")
        for name in ALL:
            cells = (cell(costs[name], costs[OURS], place) for costs in table.values())
            print(f"| {name} | {' | '.join(cells)} |")


def cell(cost: Cost, own: Cost, place: int) -> str:
    """One time, and how many times our own it is."""
    text = shown(cost, place)
    ratio = cost[place] / own[place]
    return text if cost is own else f"{text} ({ratio:,.{0 if ratio >= 10 else 1}f} x)"


def shown(cost: Cost, place: int = 0) -> str:
    """One time, for people."""
    seconds = cost[place]
    text = f"{seconds * 1000:,.0f} ms" if seconds < 10 else f"{seconds:,.0f} s"
    return f"~ {text}" if cost.scaled else text


def load() -> str:
    """What else the machine did."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def print_targets(table: dict[str, dict[str, Cost]]) -> None:
    """Which targets hold, by the clock."""
    print()
    for pages, least in LEAST.items():
        if costs := table.get(f"{pages:,} pages"):
            ratio = costs[LOCALIZED].wall / costs[OURS].wall
            print(f"{holds(ratio >= least)}: {ratio:,.0f} x {LOCALIZED}, {least:,} at {pages:,}")
    merges, pulls = (table[name][OURS].cpu for name in WITH_MERGES)
    more = f"{pulls / merges:.2f} x the CPU time without, at most 2 and 50 ms"
    print(f"{holds(pulls <= 2 * merges + 0.05)}: with pulls {more}")
    for name, costs in table.items():
        ratio = costs[OURS].wall / costs[REV_LIST].wall
        print(f"{holds(ratio <= 2)}: {ratio:.2f} x {REV_LIST}, at most 2, {name}")


def holds(good: bool) -> str:  # noqa: FBT001 - it is what is asked
    """A verdict."""
    return "holds" if good else "FAILS"


if __name__ == "__main__":
    main()
