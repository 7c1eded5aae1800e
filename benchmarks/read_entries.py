"""How long reading sitemaps takes: this command beside lxml and xmllint with a schema.

Each of these reads the same files, in turn, each time in a fresh process:

* ``check``, ``diff`` and ``index`` of this package; ``index`` also over many sitemaps, with its
  peak of memory;
* ``lxml + XSD``: lxml parses a file and validates it against ``tests/helpers/schemas``;
* ``xmllint --schema``: the same by the program of libxml2, where there is one.

There are two kinds of sitemaps: plain ones, with ``loc`` and ``lastmod``, and ones in which each
entry has two links to other languages and an image. A figure is the processor's time a URL, user
and system, without that of the same process with a sitemap of one URL.

Run it as ``python benchmarks/read_entries.py [--rounds N] [--urls N] [--sitemaps N]``, with lxml
installed.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SCHEMA = Path(__file__).parents[1] / "tests" / "helpers" / "schemas" / "urlset.xsd"
HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">\n'
)
LINK = '<xhtml:link rel="alternate" hreflang="{}" href="https://example.com/{}/{}/"/>\n'
IMAGE = "<image:image><image:loc>https://example.com/{}.png</image:loc></image:image>\n"
LXML = (
    "import sys; from lxml import etree; schema = etree.XMLSchema(etree.parse(sys.argv[1]));"
    "schema.assertValid(etree.parse(sys.argv[2]))"
)
OURS = (sys.executable, "-m", "mkdocs_sitemap_plus")


def entry(site, number, *, extended):
    """Return one entry."""
    loc = f"https://example.com/{site}/section-{number % 50}/page-{number}/"
    day = f"2026-{number % 10 + 1:02}-{number % 28 + 1:02}T10:{number % 60:02}:00+00:00"
    more = ""
    if extended:
        pair = ((site, site), ("fr", "fr"))
        more = "".join(
            LINK.format(code, top, f"section-{number % 50}/page-{number}") for code, top in pair
        )
        more += IMAGE.format(number)
    return f"<url>\n<loc>{loc}</loc>\n<lastmod>{day}</lastmod>\n{more}</url>\n"


def make(folder, count, *, extended=False, site="de"):
    """Write a site of one sitemap with so many entries, and return its folder."""
    folder.mkdir(parents=True)
    with (folder / "sitemap.xml").open("w", encoding="utf-8") as file:
        file.write(HEAD)
        file.writelines(entry(site, number, extended=extended) for number in range(count))
        file.write("</urlset>\n")
    return folder


def measure(arguments, cwd):
    """Run a process; return its seconds of processor's time, and its peak of memory in MiB."""
    process = subprocess.Popen(
        arguments, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):  # 1: `check` has findings
        raise SystemExit(f"{arguments} failed")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def ways(folder):
    """Return what is run for a site: a name, the number of times it reads the site, arguments."""
    name = str(folder / "sitemap.xml")
    found = [
        ("check", 1, (*OURS, "check", name)),
        ("diff", 2, (*OURS, "diff", name, name)),
        ("index", 1, (*OURS, "index", "-o", "out/index.xml", f"{folder}=https://example.com/")),
        ("lxml + XSD", 1, (sys.executable, "-c", LXML, str(SCHEMA), name)),
    ]
    if shutil.which("xmllint"):
        found.append(("xmllint", 1, ("xmllint", "--noout", "--schema", str(SCHEMA), name)))
    return found


def table(title, large, small, options):
    """Print the median of each way in microseconds a URL, and its ratio to lxml's."""
    costs, cwd, urls = {}, large.parent, options.urls
    for _ in range(options.rounds):
        for (name, reads, arguments), (_, _, start) in zip(ways(large), ways(small), strict=True):
            cost = measure(arguments, cwd)[0] - measure(start, cwd)[0]
            costs.setdefault(name, []).append(1e6 * cost / urls / reads)
    medians = {name: statistics.median(values) for name, values in costs.items()}
    print(f"\n{title}, {urls:,} URLs")
    for name, median in medians.items():
        print(f"{name:12} {median:6.1f} us a URL {median / medians['lxml + XSD']:6.1f} x lxml")


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--urls", type=int, default=50_000)
    parser.add_argument("--sitemaps", type=int, default=40)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        top = Path(temporary)
        for kind, extended in (("plain", False), ("extended", True)):
            large = make(top / kind, options.urls, extended=extended)
            small = make(top / f"one-{kind}", 1, extended=extended)
            table(kind, large, small, options)
        names = [f"s{number:02}" for number in range(options.sitemaps)]
        for name in names:
            make(top / name, options.urls, site=name)
        arguments = (f"{name}=https://example.com/{name}/" for name in names)
        seconds, peak = measure((*OURS, "index", "-o", "index.xml", *arguments), top)
        total = options.sitemaps * options.urls
        print(f"\nindex over {options.sitemaps} plain sitemaps with {total:,} URLs")
        print(f"{1e6 * seconds / total:.1f} us a URL, peak {peak:.0f} MiB")


if __name__ == "__main__":
    main()
