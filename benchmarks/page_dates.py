"""Compare the processor's time of builds with and without `page_dates`, and beside another plugin.

Usage: python benchmarks/page_dates.py [CONFIG_FILE] [--pages 10000] [--rounds 5] [--alone]
       [--against CHECKOUT]

CONFIG_FILE is the mkdocs.yml of a work tree with its whole history; its plugins are installed.
Without it, a site of that many tiny pages is made. Each round builds the site once in each way,
one after the other, so that a slow moment of the machine is in all of them. The time is that of
the build and of all processes that it started (git). Then each page of the site is compared: its
head, what Material shows, and the sitemap.

A build takes some percent more or less each time, whatever its plugins do. So the time that
MkDocs spends in the hooks of this plugin is measured too, and its share of the build. The last
lines say how much more that is with `page_dates` than without, and the limit: 1 % of the build,
and 10 ms. With `--against`, another checkout of this repository is measured beside this one.
All modules are compiled before the first round.
"""

import argparse
import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree as ET

from build_share import make_site

ROOT = Path(__file__).parents[1]
ENVIRONMENT = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
ENVIRONMENT["NO_MKDOCS_2_WARNING"] = "1"
ENTRY = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
OTHER = {"enable_parallel_processing": False, "strict": False}
WITHOUT, WITH, BESIDE = "without page_dates", "with page_dates", "with git-revision-date-localized"
WAYS = {
    WITHOUT: [{"sitemap-plus": {"page_dates": False}}],
    WITH: [{"sitemap-plus": {"page_dates": True}}],
    BESIDE: [{"sitemap-plus": {"page_dates": False}}, {"git-revision-date-localized": OTHER}],
}
LIMIT, PLUS = 0.01, 0.01  # of the build, and seconds
META = re.compile(r'property="?article:modified_time"? content="?([^" >]*)')
LINKED = re.compile(r'"dateModified":"([^"]*)"')
SHOWN = re.compile(r'md-source-file__fact.*?<time datetime="?([^" >]*)', re.DOTALL)


TIMED_BUILD = """
import json, sys, time
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig

config_file, site_dir, ours = sys.argv[1:]
ours = json.loads(ours)
written = MkDocsConfig(config_file_path=config_file)
with open(config_file, "rb") as file:
    written.load_file(file)
plugins = written.user_configs[-1].get("plugins") or ["search"]
if isinstance(plugins, dict):
    plugins = [{name: options or {}} for name, options in plugins.items()]
names = {"sitemap-plus", "git-revision-date-localized"}
others = [one for one in plugins if names.isdisjoint([one] if isinstance(one, str) else one)]
config = load_config(config_file, site_dir=site_dir, plugins=[*ours, *others])
plugin, spent = config.plugins["sitemap-plus"], 0.0

def timed(method):
    def call(*arguments, **named):
        global spent
        before = time.thread_time()
        try:
            return method(*arguments, **named)
        finally:
            spent += time.thread_time() - before
    return call

for methods in config.plugins.events.values():
    for index, method in enumerate(methods):
        if getattr(method, "__self__", None) is plugin:
            methods[index] = timed(method)
config.plugins.on_startup(command="build", dirty=False)
build(config)
print(spent)
"""


def build(config_file, site_dir, way, checkout):
    """Build the site in a process of its own; returns the seconds of the processor.

    The first number is of the whole build, the second of the hooks of our plugin.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", TIMED_BUILD, config_file, site_dir, json.dumps(WAYS[way])]
    # The messages of a build go to stderr.
    done = subprocess.run(
        command,
        check=True,
        cwd=config_file.parent,
        stdout=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT | {"PYTHONPATH": str(checkout)},
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    whole = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return whole, float(done.stdout.split()[-1])


def compare(site_dir):
    """Count the pages whose dates are all the same, by what they have; returns the others."""
    counts, others = Counter(), []
    for url in ET.parse(site_dir / "sitemap.xml").iter(f"{ENTRY}url"):  # noqa: S314 - our own file
        loc, lastmod = url.findtext(f"{ENTRY}loc"), (url.findtext(f"{ENTRY}lastmod") or "")[:10]
        folders = unquote(loc).partition("://")[2].split("/")[1:]
        paths = (Path(site_dir, *folders[n:]) for n in range(len(folders)))
        files = (each if each.suffix == ".html" else each / "index.html" for each in paths)
        page = next((file for file in files if file.exists()), None)
        text = page.read_text("utf-8") if page else ""
        found = [[each[:10] for each in one.findall(text)[:1]] for one in (META, LINKED, SHOWN)]
        same = {day for each in found for day in each} | {lastmod} == {lastmod}
        heads = bool(found[0] and found[1]) == bool(lastmod)
        kind = "shown" if found[2] else "in the head" if found[0] else "without a date"
        counts[kind] += 1
        if not (same and heads):
            others.append((loc, lastmod, found))
    return counts, others


def measure(config_file, site_dir, ways, checkouts, rounds):
    """Build in each way with each checkout; returns the times of all rounds, and the comparison."""
    times = {(way, name): [] for way in ways for name in checkouts}
    for name, way in [(name, way) for name in checkouts for way in ways]:
        build(config_file, site_dir, way, checkouts[name])  # compiles what is not compiled yet
    for _ in range(rounds):
        for (way, name), found in times.items():
            found.append(build(config_file, site_dir, way, checkouts[name]))
    build(config_file, site_dir, WITH, checkouts["this"])
    return times, compare(site_dir)


def show(times):
    """Print the time of each way, and what `page_dates` adds to that of the hooks."""
    for (way, name), found in times.items():
        first = times[WITHOUT, name]
        ratios = [each / base for (each, _), (base, _) in zip(found, first, strict=True)]
        hooks = [plugin for _, plugin in found]
        shares = [plugin / whole for whole, plugin in found]
        print(
            f"{name:5} {way:34} {statistics.median(whole for whole, _ in found):7.2f} s, "
            f"{statistics.median(ratios):.3f} times (from {min(ratios):.3f} to {max(ratios):.3f}); "
            f"the hooks of this plugin {statistics.median(hooks) * 1_000:.1f} ms, "
            f"{statistics.median(shares):.2%} ({min(shares):.2%} to {max(shares):.2%})"
        )
    for name in dict.fromkeys(name for _, name in times):
        pairs = zip(times[WITH, name], times[WITHOUT, name], strict=True)
        more = statistics.median(each - base for (_, each), (_, base) in pairs)
        whole = statistics.median(whole for whole, _ in times[WITHOUT, name])
        kept = "within" if more <= LIMIT * whole + PLUS else "above"
        print(
            f"{name:5} page_dates adds {more * 1_000:.1f} ms to the hooks, {more / whole:.2%} of "
            f"the build: {kept} the limit of {(LIMIT * whole + PLUS) * 1_000:.1f} ms"
        )


def main():
    """Print the ratios, and what the pages have."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("config_file", type=Path, nargs="?")
    arguments.add_argument("--pages", type=int, default=10_000)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--alone", action="store_true", help="leave the other plugin out")
    arguments.add_argument("--against", type=Path, help="another checkout of this repository")
    given = arguments.parse_args()
    checkouts = {"old": given.against.absolute()} if given.against else {}
    checkouts["this"] = ROOT
    with tempfile.TemporaryDirectory() as temporary:
        site_dir, config_file = Path(temporary, "built"), given.config_file
        if config_file is None:
            make_site(Path(temporary, "site"), given.pages, "mkdocs")
            config_file = Path(temporary, "site", "mkdocs.yml")
            text = config_file.read_text("utf-8").replace("hooks: [timed.py]\n", "")
            config_file.write_text(text, "utf-8")
        ways = (WITHOUT, WITH) if given.alone else WAYS
        found = measure(config_file.absolute(), site_dir, ways, checkouts, given.rounds)
    times, (counts, others) = found
    show(times)
    print(json.dumps(counts), f"{len(others)} pages differ", *others[:5], sep="\n")


if __name__ == "__main__":
    main()
