"""What it costs to see that a commit only set keys of the sitemap, beside another clone of this.

Dates 500 pages of each of these histories in this clone and in ``ANOTHER_CLONE``, in turn, each
time in a fresh process whose start and imports are not counted, and prints the least CPU times:

* ``no keys``: each page was edited last;
* ``edited last``: all pages have keys, and were edited after that;
* ``keys last``: the last commit gave all pages their keys.

Run it as ``python benchmarks/sitemap_keys.py --against ANOTHER_CLONE [--also CLONE...]``; the
clones of ``--also`` have pages in docs/.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

PAGES = 500
TEXT = "".join(f"A line {number} of a page that is as long as most.\n" for number in range(80))
HEADER = "---\ntitle: A page\ntags: [a, b]\n{}---\n"
PLAIN, KEYS = HEADER.format(""), HEADER.format("priority: 0.8\nsitemap: {changefreq: weekly}\n")
HISTORIES = {
    "no keys": (PLAIN, PLAIN + TEXT),
    "edited last": (KEYS, KEYS + TEXT),
    "keys last": (PLAIN + TEXT, KEYS + TEXT),
}
"""What each page had, and what the last commit made of it."""


def main() -> None:
    """Make the repositories, measure, print."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--against", type=Path, help="a clone of another commit")
    arguments.add_argument("--also", type=Path, nargs="*", default=[], help="clones with docs/")
    arguments.add_argument("--pairs", type=int, default=20)
    arguments.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.measure:
        measure(given.measure)
        return
    with tempfile.TemporaryDirectory() as folder:
        tops = {name: Path(folder) / name for name in HISTORIES}
        for name, texts in HISTORIES.items():
            make(tops[name], texts)
        for name, top in (tops | {each.name: each for each in given.also}).items():
            compare(name, top, given.against, given.pairs)


def make(top: Path, texts: tuple[str, str]) -> None:
    """A repository of two commits."""
    subprocess.run(["git", "init", "-q", "-b", "main", top], check=True)
    script = []
    for number, text in enumerate(texts):
        who = f"committer A <a@example.org> {1_600_000_000 + number} +0000"
        script.append(f"commit refs/heads/main\nmark :{number + 1}\n{who}\ndata 0\n")
        for page in range(PAGES):
            script.append(f"M 100644 inline docs/{page % 20}/{page}.md\n")
            script.append(f"data <<END\n{text}Page {page}\nEND\n")
    subprocess.run(
        ["git", "-C", top, "fast-import", "--quiet"], input="".join(script).encode(), check=True
    )
    subprocess.run(["git", "-C", top, "reset", "-q", "--hard"], check=True)


def compare(name: str, top: Path, other: Path, pairs: int) -> None:
    """Measure both in turn, and print the leasts."""
    clones = {"this": Path(__file__).parents[1], "other": other}
    spent: dict[str, list[float]] = {clone: [] for clone in clones}
    for _ in range(pairs):
        for clone, folder in clones.items():
            command = [sys.executable, __file__, "--measure", top]
            environment = os.environ | {"PYTHONPATH": str(folder)}
            done = subprocess.run(command, env=environment, capture_output=True, check=True)
            seconds, pages = map(float, done.stdout.split())
            spent[clone].append(seconds)
    this, before = (min(spent[clone]) for clone in clones)
    more = (this - before) / pages * 1e6
    print(
        f"{name}: {pages:.0f} pages, {this * 1000:.1f} ms, {before * 1000:.1f} ms there: ", end=""
    )
    print(f"{more:+.1f} µs a page")


def measure(top: Path) -> None:
    """In the fresh process: date, and print the seconds of CPU and the number of pages."""
    from mkdocs_sitemap_plus.generator.lastmod.git_source import git_dates  # noqa: PLC0415 - of the clone
    from mkdocs_sitemap_plus.generator.options.settings import GitSettings  # noqa: PLC0415
    from mkdocs_sitemap_plus.gitdates import walk  # noqa: F401, PLC0415 - else its import counts

    docs = top.resolve() / "docs"
    pages = sorted(docs.rglob("*.md"))
    before = cpu()
    with git_dates(GitSettings()) as dates:
        dates.start(docs)
        dates.last_changes(pages)
    print(cpu() - before, len(pages))


def cpu() -> float:
    """Seconds of CPU so far, of this process and those that it has waited for."""
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


if __name__ == "__main__":
    main()
