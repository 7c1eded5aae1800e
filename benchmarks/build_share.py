"""Measure what share of ``mkdocs build`` this plugin takes.

Usage: python benchmarks/build_share.py [--pages 5000] [--theme mkdocs]

A site of that many small pages, in a repository with one commit for each 100 of them, is built once
by the real command. A hook times each event of the plugin. All times are the processor's, of the
process that builds, from its start to its last event: on a busy machine the clock says little. The
walk through the history runs in a process of git beside it; its time stands for itself. The limit
of writing the files is 3 %; what it takes to read pages and to date them is printed beside it.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

LIMIT = 3
"""Per cent of the build."""

CONFIG = """\
site_name: Many
site_url: https://lighthouse.example/docs/
theme: {theme}
plugins: [sitemap-plus]
hooks: [timed.py]
nav: [index.md]
not_in_nav: "*"
"""

TIMED = """\
import json
import time
from collections import Counter

from mkdocs.plugins import event_priority

import mkdocs_sitemap_plus.generate as road

spent = Counter()


def timed(name, method):
    def wrapped(*arguments, **keywords):
        begun = time.thread_time()
        try:
            return method(*arguments, **keywords)
        finally:
            spent[name] += time.thread_time() - begun

    return wrapped


def on_config(config):
    road.write_files = timed("writing", road.write_files)
    ours = config.plugins["sitemap-plus"]
    for name, methods in config.plugins.events.items():
        for place, method in enumerate(methods):
            if getattr(method, "__self__", None) is ours:
                methods[place] = timed(name, method)


@event_priority(-1000)
def on_post_build(config):
    with open("spent.json", "w") as file:
        json.dump({"ours": spent, "whole": time.process_time()}, file)
"""


def make_site(folder, pages, theme):
    """Its pages, and a commit for each hundred of them."""
    docs = folder / "docs"
    docs.mkdir(parents=True)
    (folder / "mkdocs.yml").write_text(CONFIG.replace("{theme}", theme), "utf-8")
    (folder / "timed.py").write_text(TIMED, "utf-8")
    (docs / "index.md").write_text("# Home\n", "utf-8")
    git = ["git", "-C", str(folder), "-c", "user.name=A", "-c", "user.email=a@h.example"]
    subprocess.run([*git, "init", "-q"], check=True)
    for start in range(0, pages - 1, 100):
        part = docs / f"part-{start // 100:04}"
        part.mkdir()
        for number in range(start, min(start + 100, pages - 1)):
            text = f"# Page {number}\n\nSome text of page {number}.\n"
            (part / f"page-{number:06}.md").write_text(text, "utf-8")
        subprocess.run([*git, "add", f"docs/{part.name}"], check=True)
        subprocess.run([*git, "commit", "-q", "-m", f"Part {start}"], check=True)


def main():
    """Print the share; exit with 1 where it is over the limit."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--pages", type=int, default=5_000)
    arguments.add_argument("--theme", default="mkdocs")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        make_site(folder, given.pages, given.theme)
        command = [sys.executable, "-m", "mkdocs", "build", "-q"]
        subprocess.run(command, check=True, cwd=folder)
        said = json.loads((folder / "spent.json").read_text("utf-8"))
        size = (folder / "site" / "sitemap.xml").stat().st_size
    spent, whole = said["ours"], said["whole"]
    writing = spent.pop("writing")
    ours = sum(spent.values())
    print(f"{given.pages:,} pages, theme {given.theme}: {whole:.1f} s")
    for name, seconds in (("the whole plugin", ours), ("writing the files", writing)):
        print(f"{name:18} {seconds:6.2f} s, {100 * seconds / whole:5.2f} %")
    for name, seconds in sorted(spent.items(), key=lambda each: -each[1]):
        print(f"  {name:14} {seconds:6.2f} s")
    print(f"sitemap.xml has {size:,} bytes; the limit of writing is {LIMIT} %")
    sys.exit(0 if 100 * writing / whole <= LIMIT else 1)


if __name__ == "__main__":
    main()
