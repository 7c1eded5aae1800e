"""Compare the processor's time of builds with and without `page_dates`, and beside another plugin.

Usage: python benchmarks/page_dates.py [CONFIG_FILE] [--pages 10000] [--rounds 5] [--alone]

CONFIG_FILE is the mkdocs.yml of a work tree with its whole history; its plugins are a list, and are
installed. Without it, a site of that many tiny pages is made. Each round builds the site once in
each way, one after the other, so that a slow moment of the machine is in all of them. The time is
that of the build and of all processes that it started (git). Then each page of the site is
compared: its head, what Material shows, and the sitemap.

A build takes some percent more or less each time, whatever its plugins do. So the time that
MkDocs spends in this plugin is measured too, and its share of the build.
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
from xml.etree import ElementTree as ET

from build_share import make_site

ENVIRONMENT = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
ENTRY = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
OTHER = '- git-revision-date-localized: {"enable_parallel_processing": false, "strict": false}'
WAYS = {
    "without page_dates": '- sitemap-plus: {"page_dates": false}',
    "with page_dates": '- sitemap-plus: {"page_dates": true}',
    "with git-revision-date-localized": '- sitemap-plus: {"page_dates": false}\n%s' + OTHER,
}
META = re.compile(r'property="?article:modified_time"? content="?([^" >]*)')
LINKED = re.compile(r'"dateModified":"([^"]*)"')
SHOWN = re.compile(r'md-source-file__fact.*?<time datetime="?([^" >]*)', re.DOTALL)


def configurations(config_file):
    """Write a project file for each way; returns them by its name."""
    text = config_file.read_text("utf-8")
    text = re.sub(r"(?m)^plugins: \[sitemap-plus\]$", "plugins:\n  - sitemap-plus", text)
    text = re.sub(
        r"(?m)^\s*- (sitemap-plus|git-revision-date-localized)(:.*\n(\s{6,}.*\n)*|\n)", "", text
    )
    found = {}
    for number, (name, plugins) in enumerate(WAYS.items()):
        copy = config_file.with_name(f".page_dates_{number}.yml")
        block, count = re.subn(
            r"(?m)^plugins:[ \t]*\n(\s*)",
            lambda match: f"plugins:\n{match[1]}{plugins.replace('%s', match[1])}\n{match[1]}",  # noqa: B023 - used at once
            text,
        )
        if count != 1:
            sys.exit("the plugins of this site are not a list")
        copy.write_text(block, "utf-8")
        found[name] = copy
    return found


TIMED_BUILD = """
import sys, time
from mkdocs.commands.build import build
from mkdocs.config import load_config

config = load_config(sys.argv[1], site_dir=sys.argv[2])
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
build(config)
print(spent)
"""


def build(config_file, site_dir):
    """Build the site in a process of its own; returns the seconds of the processor.

    The first number is of the whole build, the second of our plugin.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", TIMED_BUILD, config_file, site_dir]
    # The messages of a build go to stderr.
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    whole = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return whole, float(done.stdout.split()[-1])


def compare(site_dir):
    """Count the pages whose dates are all the same, by what they have; returns the others."""
    counts, others = Counter(), []
    for url in ET.parse(site_dir / "sitemap.xml").iter(f"{ENTRY}url"):  # noqa: S314 - our own file
        loc, lastmod = url.findtext(f"{ENTRY}loc"), (url.findtext(f"{ENTRY}lastmod") or "")[:10]
        folders = loc.partition("://")[2].split("/")[1:]
        paths = (Path(site_dir, *folders[n:], "index.html") for n in range(len(folders)))
        page = next((path for path in paths if path.exists()), None)
        text = page.read_text("utf-8") if page else ""
        found = [[each[:10] for each in one.findall(text)[:1]] for one in (META, LINKED, SHOWN)]
        same = {day for each in found for day in each} | {lastmod} == {lastmod}
        heads = bool(found[0] and found[1]) == bool(lastmod)
        kind = "shown" if found[2] else "in the head" if found[0] else "without a date"
        counts[kind] += 1
        if not (same and heads):
            others.append((loc, lastmod, found))
    return counts, others


def main():
    """Print the ratios, and what the pages have."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("config_file", type=Path, nargs="?")
    arguments.add_argument("--pages", type=int, default=10_000)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--alone", action="store_true", help="leave the other plugin out")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        site_dir, config_file = Path(temporary, "built"), given.config_file
        if config_file is None:
            make_site(Path(temporary, "site"), given.pages, "mkdocs")
            config_file = Path(temporary, "site", "mkdocs.yml")
            text = config_file.read_text("utf-8").replace("hooks: [timed.py]\n", "")
            config_file.write_text(text, "utf-8")
        ways = configurations(config_file.absolute())
        if given.alone:
            ways.popitem()[1].unlink()
        times = {name: [] for name in ways}
        try:
            for _ in range(given.rounds):
                for name, copy in ways.items():
                    times[name].append(build(copy, site_dir))
            build(ways["with page_dates"], site_dir)
            counts, others = compare(site_dir)
        finally:
            for copy in ways.values():
                copy.unlink()
    first = times["without page_dates"]
    for name, found in times.items():
        ratios = [each / base for (each, _), (base, _) in zip(found, first, strict=True)]
        shares = [plugin / whole for whole, plugin in found]
        print(
            f"{name:34} {statistics.median(whole for whole, _ in found):7.2f} s, "
            f"{statistics.median(ratios):.3f} times (from {min(ratios):.3f} to {max(ratios):.3f}); "
            f"this plugin {statistics.median(shares):.2%} ({min(shares):.2%} to {max(shares):.2%})"
        )
    print(json.dumps(counts), f"{len(others)} pages differ", *others[:5], sep="\n")


if __name__ == "__main__":
    main()
