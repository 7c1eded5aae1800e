"""Measure what share of ``mkdocs build`` this plugin takes.

Usage: python benchmarks/build_share.py [--pages 5000] [--theme mkdocs] [--docs FOLDER]

A site of that many pages is built once by the real command: the Markdown of a folder copied as
often as it takes, or else pages of a heading and a line. They lie in a repository with one commit
for each 100 of them. The theme `bare` has one template of two tags. A hook times each event of the
plugin, by the processor (of the process that builds) and by the clock (of the whole command); on a
busy machine the clock says little. The walk through the history runs in a process of git beside it.
The limit of 3 % is one of the whole plugin with real pages, and of writing the files where there is
nearly nothing else to do.
"""

import argparse
import itertools
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT = 3
"""Per cent of the build."""

BARE = "<title>{{ page.title }}</title>{{ page.content }}"
_OTHER_TEMPLATE = re.compile(r"^template:.*\n", re.MULTILINE)

CONFIG = """\
site_name: Many
site_url: https://lighthouse.example/docs/
theme: {theme}
plugins: [sitemap-plus]
markdown_extensions: [admonition, attr_list, def_list, footnotes, md_in_html, tables]
validation: {links: {not_found: ignore, anchors: ignore, unrecognized_links: ignore}}
hooks: [timed.py]
nav: [index.md]
not_in_nav: "*"
"""

TIMED = """\
import json
import time
from collections import Counter

from mkdocs.plugins import event_priority

from mkdocs_sitemap_plus.generator import output as road

spent, passed = Counter(), Counter()


def timed(name, method):
    def wrapped(*arguments, **keywords):
        begun, at = time.thread_time(), time.perf_counter()
        try:
            return method(*arguments, **keywords)
        finally:
            spent[name] += time.thread_time() - begun
            passed[name] += time.perf_counter() - at

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
        json.dump({"ours": spent, "whole": time.process_time(), "skipped": passed}, file)
"""


def texts(docs):
    """The texts of the pages, without end."""
    if docs is None:
        yield from (f"# Page {n}\n\nSome text of page {n}.\n" for n in itertools.count())
    found = sorted(docs.rglob("*.md"))
    if not found:
        sys.exit(f"{docs} has no Markdown")
    yield from itertools.cycle(_OTHER_TEMPLATE.sub("", path.read_text("utf-8")) for path in found)


def make_site(folder, pages, theme, source=None):
    """Its pages, and a commit for each hundred of them."""
    docs = folder / "docs"
    docs.mkdir(parents=True)
    named = f"{{name: {theme}}}" if theme != "bare" else "{name: null, custom_dir: theme}"
    (folder / "mkdocs.yml").write_text(CONFIG.replace("{theme}", named), "utf-8")
    (folder / "theme").mkdir()
    (folder / "theme" / "main.html").write_text(BARE, "utf-8")
    (folder / "theme" / "sitemap.xml").write_text("", "utf-8")
    (folder / "timed.py").write_text(TIMED, "utf-8")
    (docs / "index.md").write_text("# Home\n", "utf-8")
    git = ["git", "-C", str(folder), "-c", "user.name=A", "-c", "user.email=a@h.example"]
    subprocess.run([*git, "init", "-q"], check=True)
    written = texts(source)
    for start in range(0, pages - 1, 100):
        part = docs / f"part-{start // 100:04}"
        part.mkdir()
        for number in range(start, min(start + 100, pages - 1)):
            (part / f"page-{number:06}.md").write_text(next(written), "utf-8")
        subprocess.run([*git, "add", f"docs/{part.name}"], check=True)
        subprocess.run([*git, "commit", "-q", "-m", f"Part {start}"], check=True)


def main():
    """Print the share; exit with 1 where it is over the limit."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--pages", type=int, default=5_000)
    arguments.add_argument("--theme", default="mkdocs")
    arguments.add_argument("--docs", type=Path, help="Markdown that is copied")
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        make_site(folder, given.pages, given.theme, given.docs)
        command = [sys.executable, "-m", "mkdocs", "build", "-q"]
        begun = time.perf_counter()
        subprocess.run(command, check=True, cwd=folder)
        clock = time.perf_counter() - begun
        said = json.loads((folder / "spent.json").read_text("utf-8"))
        size = (folder / "site" / "sitemap.xml").stat().st_size
    print(f"{given.pages:,} pages, theme {given.theme}, a sitemap of {size:,} bytes")
    good = True
    for measure, ours, whole in (
        ("by the processor", said["ours"], said["whole"]),
        ("by the clock", said["skipped"], clock),
    ):
        writing = ours.pop("writing")
        all_of_it = sum(ours.values())
        print(f"{measure}: {whole:.1f} s")
        for name, seconds in (("the whole plugin", all_of_it), ("writing the files", writing)):
            print(f"  {name:18} {seconds:6.2f} s, {100 * seconds / whole:5.2f} %")
        for name, seconds in sorted(ours.items(), key=lambda each: -each[1]):
            print(f"    {name:14} {seconds:6.2f} s")
        limited = all_of_it if given.docs else writing
        good = good and 100 * limited / whole <= LIMIT
    print(f"the limit of {'the whole' if given.docs else 'writing'} is {LIMIT} %: {good}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
