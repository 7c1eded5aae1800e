"""How much dating adds to a build when git reads the history beside it.

Builds a site of many pages with MkDocs (a bare theme, this plugin), each time in a fresh process,
in turn:

* ``undated``: with ``lastmod.sources`` empty;
* ``hidden``: as the plugin is: git starts in ``on_pre_build``;
* ``foreground``: git starts when the dates are asked for, and ends when the last page is dated.

Beside it, the same pages are dated without a build: ``the walk``, started when it is needed, and
``again``, the same HEAD in the same process, as in a rebuild of ``serve``.

What dating adds is how much longer the build is than the undated one of the same round. How long
the build was inside the engine's calls is printed too: it is less noisy, but does not show what
git takes away from the build where it has no core of its own.

Run it as ``python benchmarks/hidden_start.py [--rounds N] [--pages N...] [--keep FOLDER]``; clones
that ``--also`` names are built as well, if their pages need no theme of their own.
"""

import argparse
import json
import logging
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path

from compare_dates import cpu, holds, load, pages_of, sites
from mkdocs.commands.build import build
from mkdocs.config import load_config

from mkdocs_sitemap_plus.gitdates import GitDates
from mkdocs_sitemap_plus.plugin import SitemapPlusPlugin

BUILDS = ("undated", "hidden", "foreground")
TEMPLATE = "<title>{{ page.title }}</title>{{ page.content }}"


def main() -> None:
    """Make the repositories, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, nargs="*", default=[100, 10_000])
    parser.add_argument("--commits", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--keep", type=Path, help="where the repositories are made, or already are")
    parser.add_argument("--also", type=Path, nargs="*", default=[], help="clones with docs/")
    parser.add_argument("--measure", choices=(*BUILDS, "alone"), help=argparse.SUPPRESS)
    parser.add_argument("--top", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    logging.disable(logging.CRITICAL)
    if given.measure:
        run = alone if given.measure == "alone" else built
        print(json.dumps(run(given.top.resolve(), given.measure)))
        return
    with tempfile.TemporaryDirectory() as folder:
        for name, top in sites(given, given.keep or Path(folder)).items():
            print(f"\n{name}, {given.rounds} rounds, {load()}")
            report(measured(top, given.rounds))
            print(f"\n{load()}")


def measured(top: Path, rounds: int) -> dict[str, list[dict[str, float]]]:
    """What each run took, measured in turn; the first of each only warms up."""
    runs: dict[str, list[dict[str, float]]] = {name: [] for name in (*BUILDS, "alone")}
    for _ in range(rounds + 1):
        for name, facts in runs.items():
            command = [sys.executable, __file__, "--measure", name, "--top", str(top)]
            done = subprocess.run(command, capture_output=True, check=True)
            facts.append(json.loads(done.stdout))
    return {name: facts[1:] for name, facts in runs.items()}


def report(runs: dict[str, list[dict[str, float]]]) -> None:
    """Print the table and the verdicts."""
    walk = middle(runs["alone"], "walk")
    print("\n| | build | longer than undated | inside the engine | CPU |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name in BUILDS:
        figures = (
            middle(runs[name], "build"),
            added(runs[name], runs["undated"]),
            middle(runs[name], "inside"),
            middle(runs[name], "cpu"),
        )
        print(f"| {name} | {' | '.join(f'{figure * 1000:,.0f} ms' for figure in figures)} |")
    longer, again = added(runs["hidden"], runs["undated"]), middle(runs["alone"], "again")
    print(f"\nthe walk without a build: {walk * 1000:.0f} ms by the clock")
    print(
        f"{holds(longer <= walk / 2)}: a hidden start adds {longer / walk:.2f} of it, at most 0.5"
    )
    print(f"{holds(again <= 0.1)}: the same HEAD again {again * 1000:.1f} ms, at most 100")


def added(builds: list[dict[str, float]], plain: list[dict[str, float]]) -> float:
    """How much longer builds are than the undated ones of the same rounds."""
    pairs = zip(builds, plain, strict=True)
    return statistics.median(build["build"] - undated["build"] for build, undated in pairs)


def middle(facts: list[dict[str, float]], key: str) -> float:
    """The median of one figure."""
    return statistics.median(fact[key] for fact in facts)


def built(top: Path, kind: str) -> dict[str, float]:
    """In the fresh process: build the site once."""
    inside = [0.0]
    for name in ("start", "tracked", "last_changes", "close"):
        setattr(GitDates, name, timed(getattr(GitDates, name), inside))
    if kind == "foreground":
        start_late()
    with tempfile.TemporaryDirectory() as folder:
        config = load_config(str(project(Path(folder), top, kind)))
        spent, start = cpu(), time.perf_counter()
        build(config)
        seconds = time.perf_counter() - start
        outcome = config.plugins["sitemap-plus"].outcome
    entries = [each.entry for each in outcome.decisions if each.entry]
    dated = sum(entry.lastmod is not None for entry in entries)
    if bool(dated) is (kind == "undated"):
        sys.exit(f"{dated} of {len(entries)} pages are dated")
    return {"build": seconds, "inside": inside[0], "cpu": cpu() - spent}


def timed(method: Callable, total: list[float]) -> Callable:
    """The method, adding what it takes to a total."""

    @wraps(method)
    def run(*arguments, **options):
        start = time.perf_counter()
        try:
            return method(*arguments, **options)
        finally:
            total[0] += time.perf_counter() - start

    return run


def start_late() -> None:
    """End the walk that was begun ahead, so that it begins when it is needed."""
    usual = SitemapPlusPlugin.on_pre_build

    @wraps(usual)
    def on_pre_build(self, **options) -> None:
        usual(self, **options)
        for source in self.sources:
            source.close()

    SitemapPlusPlugin.on_pre_build = on_pre_build


def project(folder: Path, top: Path, kind: str) -> Path:
    """A project file outside of the repository whose pages it builds."""
    theme = folder / "theme"
    theme.mkdir()
    (theme / "main.html").write_text(TEMPLATE, encoding="utf-8")
    (theme / "sitemap.xml").write_text("", encoding="utf-8")
    sources = [] if kind == "undated" else ["git"]
    settings = {
        "site_name": "A site",
        "site_url": "https://example.org/",
        "docs_dir": str(top / "docs"),
        "site_dir": str(folder / "site"),
        "theme": {"name": None, "custom_dir": str(theme)},
        "nav": [],
        "plugins": [{"sitemap-plus": {"lastmod": {"sources": sources}}}],
    }
    file = folder / "mkdocs.yml"
    file.write_text(json.dumps(settings), encoding="utf-8")
    return file


def alone(top: Path, _: str) -> dict[str, float]:
    """In the fresh process: date without a build, twice."""
    pages = pages_of(top)
    seconds = []
    for _ in range(2):
        start = time.perf_counter()
        engine = GitDates()
        engine.start(top / "docs")
        if not seconds:
            engine.close()  # what was begun ahead, so that it begins when it is needed
        engine.tracked(pages)
        engine.changes(pages)
        engine.close()
        seconds.append(time.perf_counter() - start)
    return {"walk": seconds[0], "again": seconds[1]}


if __name__ == "__main__":
    main()
