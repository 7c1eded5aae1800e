"""How much CPU this package takes in builds and at its start, beside another clone of it.

Run `nox -s bench -- compare_clones.py --against FOLDER`. Each call is a process of its own, whose
CPU is that of the user and the system, git included. The calls of a row take turns, the first of
them another one in each round; so the ratios mean something on a busy machine, too. Printed are the
least of the rounds with its ratio, in brackets the median of the ratios, and the memory.

`build`: `mkdocs-sitemap-plus build` of 10,000 pages of 8 KB, which link their sources in git, and
its memory. `help`: the start of the command. `empty`: MkDocs with one page, beside MkDocs without
the plugin. `alarm`: MkDocs with 60 pages of which one commit changed only the markup, beside the
same with this commit kept by `.git-blame-ignore-revs`, which ends the alarm. `moved`: the same
after their folder was moved. The alarm itself is the difference of both. `diff`, `explain` and
`check`: these commands, on what MkDocs built of the 60 pages. A clone with a `.venv` runs in it.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from histories import GIT, OWNER, Repository

SITE = "https://docs.example.com/"
COMMAND = ("-m", "mkdocs_sitemap_plus")
MKDOCS = ("-m", "mkdocs", "build", "-q")
CALLS = {
    "help": ("--help",),
    "build": ("build", "site", "--site-url", SITE),
    "diff": ("diff", "site/sitemap.xml", "site/sitemap.xml"),
    "explain": ("explain", "--all"),
    "check": ("check", "site/sitemap.xml"),
}


class Call(NamedTuple):
    """What is measured: Python with the package of a clone, in a folder."""

    clone: Path
    folder: Path
    arguments: tuple[str, ...]


def text(number: int, *, bold: bool = False) -> str:
    """The text of a page, of about 4 KB."""
    word = "**published**" if bold else "published"
    lines = (
        f"Line {line} of page {number} says when it was {word}, and links [another](p1.md).\n"
        for line in range(45)
    )
    return f"# Page {number}\n\n" + "\n".join(lines)


def write_built(folder: Path, count: int) -> None:
    """A built site with 100 links in the navigation of each page, and their sources in git."""
    repository = Repository(folder)
    repository.git("remote", "add", "origin", f"{OWNER}.git")
    items = "\n".join(
        f'<li><a class="nav-link" href="/section-{at}/">Section {at}</a></li>' for at in range(100)
    )
    words = "<p>Some text of the page, as long as usual.</p>\n" * 10
    for number in range(count):
        at = f"section-{number % 97}/page-{number}"
        repository.write(f"docs/{at}.md", text(number)[:999])
        repository.write(
            f"site/{at}/index.html",
            f'<!doctype html>\n<html lang="en"><head><title>Page {number}</title>\n'
            f'<link rel="canonical" href="{SITE}{at}/"></head>\n<body><nav><ul>{items}</ul></nav>'
            f"<main><h1>Page {number}</h1>\n{words}<a class=edit "
            f'href="{OWNER}/edit/main/docs/{at}.md">Edit</a></main></body></html>\n',
        )
    repository.write(".gitignore", "/site/\n")
    for section in range(97):
        repository.git("add", ".gitignore", f"docs/section-{section}")
        repository.git("commit", "-q", "-m", f"Write section {section}")


def write_project(folder: Path, count: int, *, plugin: bool, moved: bool = False) -> None:
    """A project in whose pages one commit changed no word, and beside it one that keeps it."""
    repository = Repository(folder)
    plugins = "[search, sitemap-plus]" if plugin else "[search]"
    config = f"site_name: A\nsite_url: {SITE}\nplugins: {plugins}\ndocs_dir: docs\n"
    for bold in (False, True) if count > 1 else (False,):
        pages = {f"docs/p{number}.md": text(number, bold=bold) for number in range(count)}
        repository.commit("2026-02-10", f"Bold: {bold}", {"mkdocs.yml": config, **pages})
        commit = repository.git("rev-parse", "HEAD")
    for number in range(1_000):
        repository.git("commit", "-q", "--allow-empty", "-m", f"Something else {number}")
    if moved:
        repository.git("mv", "docs", "pages")
        repository.commit("2026-05-10", "Move", {"mkdocs.yml": config.replace(": docs", ": pages")})
    kept = folder.with_name(f"{folder.name}-kept")
    shutil.copytree(folder, kept)
    (kept / ".git-blame-ignore-revs").write_text(f"# {commit}\n")


def cpu(call: Call) -> tuple[float, int]:
    """Return the CPU of a call in milliseconds, and its greatest memory in MiB."""
    cache = str(call.folder.parent / "cache")
    environment = {**GIT, "PYTHONPATH": str(call.clone), "XDG_CACHE_HOME": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # compiling would take most of a short call
    own = call.clone / ".venv/bin/python"  # its entry points are those of its plugin
    process = subprocess.Popen(
        [own if own.exists() else sys.executable, *call.arguments],
        cwd=call.folder,
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{call} ended with {status}")
    return 1000 * (used.ru_utime + used.ru_stime), used.ru_maxrss >> 10


class Measured(NamedTuple):
    """The CPU of a call in each round, and its greatest memory."""

    times: list[float]
    memory: int


def measure(calls: Mapping[str, Call], rounds: int) -> dict[str, Measured]:
    """Run all calls in each round."""
    found = {name: Measured([], 0) for name in calls}
    names = [*calls]
    for _ in range(rounds):
        for name in names:
            used, most = cpu(calls[name])
            times, memory = found[name]
            found[name] = Measured([*times, used], max(memory, most))
        names.append(names.pop(0))
    return found


def show(row: str, what: str, some: Measured, others: Measured) -> None:
    """Print the leasts of two calls, their ratio, and the median of the ratios."""
    new, old = min(some.times), min(others.times)
    middle = statistics.median(a / b for a, b in zip(some.times, others.times, strict=True))
    memory = f"{some.memory} / {others.memory} MiB"
    print(
        f"{row:8} {what:22} {new:6.0f} / {old:6.0f} ms = {new / old:.2f} ({middle:.2f}), {memory}"
    )


def main() -> None:
    """Measure, and print the rows."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--against", type=Path, required=True, help="another clone")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--pages", type=int, default=10_000, help="of the built site")
    parser.add_argument("rows", nargs="*", default=[*CALLS, "empty", "alarm", "moved"])
    given = parser.parse_args()
    clones = {"this": Path(__file__).resolve().parents[1], "other": given.against.resolve()}
    with tempfile.TemporaryDirectory() as temporary:
        for row in given.rows:
            folder = Path(temporary, row, "with")
            if row in CALLS:
                if row == "build":
                    write_built(folder, given.pages)
                else:
                    write_project(folder, 60, plugin=True)
                    cpu(Call(clones["this"], folder, MKDOCS))
                arguments = (*COMMAND, *CALLS[row])
                calls = {name: Call(clone, folder, arguments) for name, clone in clones.items()}
                found = measure(calls, given.rounds)
                show(row, "this / other", found["this"], found["other"])
                continue
            write_project(folder, 1 if row == "empty" else 60, plugin=True, moved=row == "moved")
            without = folder.with_name("with-kept")
            if row == "empty":
                write_project(without := folder.with_name("without"), 1, plugin=False)
            calls = {name: Call(clone, folder, MKDOCS) for name, clone in clones.items()}
            calls |= {f"{name} -": Call(clone, without, MKDOCS) for name, clone in clones.items()}
            found = measure(calls, given.rounds)
            its = []
            for name in clones:
                show(row, f"{name}, with / without", found[name], found[f"{name} -"])
                its.append(min(found[name].times) - min(found[f"{name} -"].times))
            print(f"{row:8} {'this / other':22} {its[0]:6.0f} / {its[1]:6.0f} ms")


if __name__ == "__main__":
    main()
