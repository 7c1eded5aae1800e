"""How long reading sitemaps takes, in the spellings of many generators and beside other tools.

Each of these reads the same files in turn, each time in a fresh process:

* ``check``, ``diff`` and ``index`` of this package;
* ``lxml``: lxml parses a file and validates it against a schema;
* ``xmllint``: the same by the program of libxml2;
* ``npm``: the parser of the npm package sitemap, if node finds it (``NODE_PATH``);
* ``usp``: the Python package ultimate-sitemap-parser.

Those that are not installed are left out. A cost is the processor's time, user and system, without
that of the same process with a sitemap of one URL. The table has it in microseconds a URL for our
own spelling of each kind of entries, and otherwise as ratios: to our own spelling of the same
entries, and to lxml. They are medians of ratios in the same round. Behind ``at most`` stands what
the row may cost: its worst ratio to our own spelling (for videos, to images), and to lxml.
A row that costs more ends with ``TOO SLOW``, and the exit code is then 1.

Run it as ``python benchmarks/read_entries.py [--rounds N] [--urls N] [--sitemaps N] [--only WORD]
[--schema FILE]``, with lxml installed.
"""

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

SCHEMA = Path(__file__).parents[1] / "tests" / "helpers" / "schemas" / "urlset.xsd"
HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
    ' xmlns:video="http://www.google.com/schemas/sitemap-video/1.1">\n'
)
LINK = '<xhtml:link rel="alternate" hreflang="{}" href="https://web.example/{}/{}"/>\n'
IMAGE = "<image:image><image:loc>https://web.example/{}.png</image:loc></image:image>\n"
VIDEO = (
    "<video:video><video:thumbnail_loc>https://web.example/{0}.png</video:thumbnail_loc>"
    "<video:title>Video {0}</video:title><video:description>What it shows</video:description>"
    "<video:content_loc>https://web.example/{0}.mp4</video:content_loc>"
    "<video:duration>600</video:duration>"
    "<video:publication_date>2026-10-05T10:00:00+00:00</video:publication_date></video:video>\n"
)
LXML = (
    "import sys; from lxml import etree; schema = etree.XMLSchema(etree.parse(sys.argv[1]));"
    "schema.validate(etree.parse(sys.argv[2]))"
)
NPM = (
    "const {parseSitemap} = require('sitemap');"
    "parseSitemap(require('fs').createReadStream(process.argv[1])).then(() => 0)"
)
USP = (
    "import sys; from usp.tree import sitemap_from_str;"
    "text = open(sys.argv[1], encoding='utf-8').read();"
    "print(sum(1 for _ in sitemap_from_str(text).all_pages()))"
)
OURS = (sys.executable, "-m", "mkdocs_sitemap_plus")
OWN, FRACTIONS = "our own spelling", "fractions of seconds"
USUAL, OTHER, TO_LXML = 1.5, 4.0, 5.0  # the most that a row may cost


def more(kind, path, number):
    """Return what an entry of this kind has after its date."""
    if kind == "priority":
        return f"<changefreq>weekly</changefreq>\n<priority>0.{number % 10}</priority>\n"
    if kind == "five links":
        return "".join(LINK.format(code, code, path) for code in ("de", "en", "es", "fr", "it"))
    if kind in ("an image", "three images"):
        names = ["a", "b", "c"] if kind == "three images" else ["a"]
        return "".join(IMAGE.format(f"{name}-{number}") for name in names)
    return VIDEO.format(number) if kind == "a video" else ""


def entry(kind, site, number):
    """Return one entry in our own spelling."""
    path = f"section-{number % 50}/page-{number}/"
    day = f"2026-{number % 10 + 1:02}-{number % 28 + 1:02}T10:{number % 60:02}:00+00:00"
    loc = f"<loc>https://web.example/{site}/{path}</loc>"
    return f"<url>\n{loc}\n<lastmod>{day}</lastmod>\n{more(kind, path, number)}</url>\n"


def replaced(pattern, by):
    """Return a function that replaces a pattern in a text."""
    return lambda text: re.sub(pattern, by, text)


IN_URL = r'(https://example\.com/[^<"]*page-\d+/)'
SPELLINGS = {  # what a spelling makes of a text, and how much it may cost
    "&amp;": (replaced(IN_URL, r"\1?a=1&amp;b=2"), USUAL),
    "CRLF": (replaced("\n", "\r\n"), USUAL),
    "a port": (replaced(r"(https://example\.com)/", r"\1:8443/"), USUAL),
    FRACTIONS: (replaced(r":00\+00:00", ":00.000Z"), USUAL),
    "href first": (replaced(r"(<xhtml:link) (.*) (href=.*)/>", r"\1 \3 \2/>"), USUAL),
    "></xhtml:link>": (replaced("(<xhtml:link.*)/>", r"\1></xhtml:link>"), USUAL),
    "single quotes": (replaced('"', "'"), OTHER),
    "a prefix": (
        lambda text: re.sub(
            r"<(/?)(urlset|url|loc|lastmod|changefreq|priority)\b", r"<\1s:\2", text
        ).replace("xmlns=", "xmlns:s="),
        OTHER,
    ),
    "CDATA": (replaced("<loc>(.*)</loc>", r"<loc><![CDATA[\1]]></loc>"), OTHER),
    "&#38;": (replaced(IN_URL, r"\1?a=1&#38;b=2"), OTHER),
    "a comment": (replaced("<url>", "<url><!-- a comment -->"), OTHER),
}
IN_LINKS = ("href first", "></xhtml:link>")  # only links have these
KINDS = ("plain", "priority", "five links", "three images", "an image", "a video")


def rows(only):
    """Return kinds of entries, each with the names of its spellings."""
    found = {kind: [name for name in SPELLINGS if name not in IN_LINKS] for kind in KINDS[:4]}
    found["five links"] = [*SPELLINGS]
    found.update({"an image": [], "a video": ["&amp;", "CRLF"]})
    if only:
        found = {
            kind: [name for name in names if only in kind or only in name]
            for kind, names in found.items()
            if only in kind or any(only in name for name in names)
        }
    return found


def make(folder, count, *, kind="plain", spelling=OWN, site="de"):
    """Write a site of one sitemap with so many entries, and return its folder."""
    folder.mkdir(parents=True)
    spell = SPELLINGS[spelling][0] if spelling != OWN else str
    with (folder / "sitemap.xml").open("wb") as file:  # piece by piece: see `measure`
        file.write(spell(HEAD).encode())
        file.writelines(spell(entry(kind, site, number)).encode() for number in range(count))
        file.write(spell("</urlset>\n").encode())
    return folder


def measure(arguments, cwd):
    """Run a process; return its seconds of processor's time, and its peak of memory in MiB.

    The peak is at least that of this process, from which the other one is made.
    """
    process = subprocess.Popen(
        arguments, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1, 3):  # 1, 3: `check`, xmllint have findings
        raise SystemExit(f"{arguments} failed")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def tools(schema):
    """Return the names of what is run, with a function that returns its arguments for a site."""

    def index(folder):
        host = "https://web.example:8443/" if "a port" in str(folder) else "https://web.example/"
        return (*OURS, "index", "-o", "out/index.xml", f"{folder}={host}")

    found = {
        "check": lambda folder: (*OURS, "check", sitemap(folder)),
        "diff": lambda folder: (*OURS, "diff", sitemap(folder), sitemap(folder)),
        "index": index,
        "lxml": lambda folder: (sys.executable, "-c", LXML, str(schema), sitemap(folder)),
        "xmllint": lambda folder: ("xmllint", "--noout", "--schema", str(schema), sitemap(folder)),
        "npm": lambda folder: ("node", "-e", NPM, sitemap(folder)),
        "usp": lambda folder: (sys.executable, "-c", USP, sitemap(folder)),
    }
    is_there = {
        "xmllint": shutil.which("xmllint"),
        "npm": shutil.which("node")
        and not subprocess.run(
            ("node", "-e", "require('sitemap')"), capture_output=True, check=False
        ).returncode,
        "usp": find_spec("usp"),
    }
    for name, there in is_there.items():
        if not there:
            print(f"{name} is not installed")
            del found[name]
    return found


def sitemap(folder):
    """Return the name of the sitemap in a folder."""
    return str(folder / "sitemap.xml")


def costs(ways, large, small):
    """Return microseconds for each way of reading a large site, and the peak of ``check``."""
    found = {}
    for name, arguments in ways.items():
        seconds, peak = measure(arguments(large), large.parent)
        start, _ = measure(arguments(small), small.parent)
        found[name] = 1e6 * (seconds - start) / (2 if name == "diff" else 1)
        if name == "check":
            found["MiB"] = peak
    return found


class Table:
    """The costs of all rows, in all rounds."""

    def __init__(self, ways, wanted, urls):
        """Begin with no costs."""
        self.ways, self.wanted, self.urls = ways, wanted, urls
        self.found = {}
        self.too_slow = 0

    def round(self, top):
        """Measure all rows once, each spelling beside our own."""
        small = make(top / "small", 1)
        for kind, names in self.wanted.items():
            for name in (OWN, *names):
                folder = top / f"{kind} {name}".replace("/", "")
                large = make(folder, self.urls, kind=kind, spelling=name)
                self.found.setdefault((kind, name), []).append(costs(self.ways, large, small))
                shutil.rmtree(large)
        shutil.rmtree(small)

    def ratio(self, row, tool, other, other_tool):
        """Return the median of the ratios of a tool in one row to one in another row."""
        pairs = zip(self.found[row], self.found[other], strict=True)
        return statistics.median(one[tool] / two[other_tool] for one, two in pairs)

    def line(self, kind, name):
        """Return a row of the table, and add one to `too_slow` if it is."""
        row, own = (kind, name), (kind, OWN)
        most = None if name == OWN else SPELLINGS[name][1]
        if row == ("a video", OWN):
            own, most = ("an image", OWN), 5.0
        ours = [tool for tool in ("check", "diff", "index") if tool in self.ways]
        micros = statistics.median(found["check"] for found in self.found[row]) / self.urls
        to_own = [self.ratio(row, tool, own, tool) for tool in ours] if own in self.found else []
        # Our schemas allow no fractions, and a fault of each entry would cost more than all else.
        valid = (kind, OWN) if name == FRACTIONS else row
        to_lxml = [self.ratio(row, tool, valid, "lxml") for tool in self.ways if tool != "lxml"]
        peak = max(found["MiB"] for found in self.found[row])
        is_slow = to_lxml[0] > TO_LXML or (most and max(to_own, default=0) > most)
        self.too_slow += bool(is_slow)
        limit = f"at most {most or 1:.1f}, {TO_LXML:.0f}"
        figures = "".join(f"{ratio:8.2f}" for ratio in (*to_own, *to_lxml))
        end = "  TOO SLOW" if is_slow else ""
        return f"{kind:13}{name:21}{micros:7.1f}{figures}{peak:7.0f}   {limit}{end}"

    def show(self):
        """Print the table."""
        others = [tool for tool in self.ways if tool != "lxml"]
        to_own = "to our own spelling".center(24)
        print(f"\n{'check':>41}{to_own}{'to lxml'.center(8 * len(others))}{'check':>7}")
        names = "".join(f"{name:>8}" for name in ("check", "diff", "index", *others))
        print(f"{'entries':13}{'spelling':21}{'us':>7}{names}{'MiB':>7}")
        for kind, spellings in self.wanted.items():
            for name in (OWN, *spellings):
                print(self.line(kind, name))


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--urls", type=int, default=20_000)
    parser.add_argument("--sitemaps", type=int, default=40)
    parser.add_argument("--only", help="a word of the kinds or spellings to measure")
    parser.add_argument("--schema", type=Path, default=SCHEMA)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        top = Path(temporary)
        table = Table(tools(options.schema), rows(options.only), options.urls)
        for _ in range(options.rounds):
            table.round(top)
        table.show()
        names = [f"s{number:02}" for number in range(options.sitemaps)]
        for name in names:
            make(top / name, options.urls, site=name)
        if names:
            arguments = (f"{name}=https://web.example/{name}/" for name in names)
            seconds, peak = measure((*OURS, "index", "-o", "index.xml", *arguments), top)
            total = len(names) * options.urls
            print(f"\nindex over {len(names)} plain sitemaps with {total:,} URLs")
            print(f"{1e6 * seconds / total:.1f} us a URL, peak {peak:.0f} MiB")
    return 1 if table.too_slow else 0


if __name__ == "__main__":
    sys.exit(main())
