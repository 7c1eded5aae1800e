"""Time the writing of a million entries, beside lxml's ``xmlfile`` and npm ``sitemap``'s stream.

Usage: python benchmarks/write_entries.py [--entries 1000000] [--rounds 3]

Each writer runs in a process of its own, gets the same entries (``loc`` and ``lastmod``), sorted
and in memory as its own kind of object, and is timed from there on. All write the same: files
``sitemap-1.xml``... of 50,000 entries and ``sitemap.xml``, their index; what the files say is
compared. "xml": those files alone. "xml + gz": each of them a second time, packed by zlib at level
9; npm's stream hands on each small piece, which is slow to pack, so there the written file is
packed. Memory is the highest resident size above the one that a process had when its entries were
there. npm's `sitemap` is installed into a temporary folder; it needs `node`, `npm` and Linux.
"""

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from gzip import GzipFile
from pathlib import Path

from lxml import etree

from mkdocs_sitemap_plus.output import write_files
from mkdocs_sitemap_plus.sitemap import UrlEntry
from mkdocs_sitemap_plus.sitemap.write import Layout, files

BASE = "https://lighthouse.example/docs/"
SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
PER_FILE = 50_000
LIMIT = 100
"""MiB of memory beyond the entries."""

NODE = """\
const { SitemapStream, SitemapIndexStream } = require("sitemap");
const { createGzip } = require("zlib");
const { createReadStream, createWriteStream, readFileSync } = require("fs");
const { Readable } = require("stream");
const { pipeline } = require("stream/promises");
const [, , folder, count, packed] = process.argv;
const base = "https://lighthouse.example/docs/", start = Date.UTC(2024, 0, 1), perFile = 50000;
const two = (number, width) => String(number).padStart(width, "0");
const entries = Array.from({ length: Number(count) }, (_, i) => ({
  url: `${base}section-${two(Math.floor(i / 1000), 4)}/page-${two(i, 7)}/`,
  lastmod: new Date(start + i * 1000).toISOString(),
}));
async function write(name, stream, items) {
  const path = `${folder}/${name}`;
  await pipeline(Readable.from(items), stream, createWriteStream(path));
  if (packed === "1") {
    const archive = createWriteStream(`${path}.gz`);
    await pipeline(createReadStream(path), createGzip({ level: 9 }), archive);
  }
}
(async () => {
  if (global.gc) global.gc();
  const before = process.memoryUsage().rss / 1048576, begun = process.hrtime.bigint();
  const used = process.cpuUsage();
  const index = [];
  for (let i = 0; i < entries.length; i += perFile) {
    const name = `sitemap-${i / perFile + 1}.xml`, part = entries.slice(i, i + perFile);
    await write(name, new SitemapStream({ hostname: base }), part);
    index.push({ url: base + name, lastmod: part[part.length - 1].lastmod });
  }
  await write("sitemap.xml", new SitemapIndexStream(), index);
  const seconds = Number(process.hrtime.bigint() - begun) / 1e9;
  const { user, system } = process.cpuUsage(used), cpu = (user + system) / 1e6;
  const peak = /VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1] / 1024;
  console.log(JSON.stringify({ seconds, cpu, memory: peak - before }));
})();
"""


def entries_of(count):
    """As many entries, in the order of their URLs."""
    start = datetime(2024, 1, 1, tzinfo=UTC)
    return [
        UrlEntry(
            loc=f"{BASE}section-{number // 1000:04}/page-{number:07}/",
            lastmod=start + timedelta(seconds=number),
        )
        for number in range(count)
    ]


def write_ours(folder, entries, *, packed):
    """As the plugin does it; without archives, its files written by hand."""
    made = files(entries, Layout(filename="sitemap.xml", base=BASE))
    if packed:
        write_files(folder, made, "sitemap.xml")
        return
    for file in made:
        with (folder / file.name).open("wb") as out:
            out.writelines(file.pieces)


def write_lxml(folder, entries, *, packed):
    """By ``xmlfile``, an element at a time."""
    listed = []
    for start in range(0, len(entries), PER_FILE):
        name, part = f"sitemap-{start // PER_FILE + 1}.xml", entries[start : start + PER_FILE]
        write_by_lxml(folder / name, "urlset", "url", part, packed=packed)
        listed.append(UrlEntry(loc=BASE + name, lastmod=max(each.lastmod for each in part)))
    write_by_lxml(folder / "sitemap.xml", "sitemapindex", "sitemap", listed, packed=packed)


class Both:
    """A file and its archive as one."""

    def __init__(self, *targets):
        """Begin with nothing written."""
        self.targets = targets

    def write(self, data):
        """Write to each of them."""
        for target in self.targets:
            target.write(data)


def write_by_lxml(path, root, child, entries, *, packed):
    """One file, and its archive at the same time."""
    with path.open("wb") as plain:
        if not packed:
            write_elements(plain, root, child, entries)
            return
        with Path(f"{path}.gz").open("wb") as raw, GzipFile("", "wb", 9, raw, 0) as archive:
            write_elements(Both(plain, archive), root, child, entries)


def write_elements(target, root, child, entries):
    """The elements, in the only way in which ``xmlfile`` streams."""
    with etree.xmlfile(target, encoding="utf-8") as out:
        out.write_declaration()
        with out.element(f"{{{SPACE}}}{root}", nsmap={None: SPACE}):
            for entry in entries:
                element = etree.Element(f"{{{SPACE}}}{child}")
                etree.SubElement(element, f"{{{SPACE}}}loc").text = entry.loc
                lastmod = entry.lastmod.isoformat(timespec="seconds")
                etree.SubElement(element, f"{{{SPACE}}}lastmod").text = lastmod
                out.write(element)


WRITERS = {"ours": write_ours, "lxml": write_lxml}


def resident(which):
    """MiB of this process that are in memory now (``VmRSS``), or were at most (``VmHWM``)."""
    status = Path("/proc/self/status").read_text("ascii")
    return int(re.search(rf"{which}:\s*(\d+)", status)[1]) / 1024


def be_a_writer(name, folder, count, *, packed):
    """What a process of its own does: print seconds and MiB."""
    entries = entries_of(count)
    before, begun, used = resident("VmRSS"), time.perf_counter(), time.process_time()
    WRITERS[name](folder, entries, packed=packed)
    seconds, cpu = time.perf_counter() - begun, time.process_time() - used
    memory = resident("VmHWM") - before
    print(json.dumps({"seconds": seconds, "cpu": cpu, "memory": memory}))


def measured(name, folder, count, *, packed):
    """What a writer says of itself."""
    flags = [str(count), str(int(packed))]
    if name == "npm":
        command = ["node", "--expose-gc", "write.cjs", str(folder), *flags]
        cwd = folder.parent / "node"
    else:
        command, cwd = [sys.executable, __file__, "--be", name, str(folder), *flags], None
    done = subprocess.run(command, check=True, capture_output=True, cwd=cwd)
    return json.loads(done.stdout)


def read_back(folder):
    """All that the files say: URLs and instants, file by file."""
    said = {}
    for path in sorted(folder.glob("*.xml")):
        texts = [element.text for _, element in etree.iterparse(path) if element.text]
        said[path.name] = [
            datetime.fromisoformat(text) if text[:4].isdigit() else text
            for text in texts
            if text.strip()
        ]
    return said


def install(folder):
    """The `sitemap` of npm, where nothing else is."""
    folder.mkdir()
    (folder / "write.cjs").write_text(NODE, "utf-8")
    (folder / "package.json").write_text("{}", "utf-8")
    subprocess.run(["npm", "install", "--silent", "sitemap"], check=True, cwd=folder)


def main():
    """Print the figures; exit with 1 where a target is missed."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--entries", type=int, default=1_000_000)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--be", nargs=4, help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.be:
        name, folder, count, packed = given.be
        be_a_writer(name, Path(folder), int(count), packed=packed == "1")
        return
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        install(work / "node")
        good = [compare(work, given, packed=packed) for packed in (False, True)]
    sys.exit(0 if all(good) else 1)


def compare(work, given, *, packed):
    """All writers in turn, round after round; whether ours is as good as it has to be."""
    names = ["ours", "lxml", "npm"]
    results = {name: [] for name in names}
    said = {}
    for _ in range(given.rounds):
        for name in names:
            folder = work / name
            folder.mkdir(exist_ok=True)
            results[name].append(measured(name, folder, given.entries, packed=packed))
            said[name] = said.get(name) or read_back(folder)
            for path in folder.iterdir():
                path.unlink()
    if said["ours"] != said["lxml"] or said["ours"] != said["npm"]:
        sys.exit("the writers do not say the same")
    print(f"{given.entries:,} entries, {'xml + gz' if packed else 'xml'}, {given.rounds} rounds")
    cpu, clock = (
        {name: median(results[name], key) for name in names} for key in ("cpu", "seconds")
    )
    memory = {name: max(each["memory"] for each in results[name]) for name in names}
    for name in names:
        print(
            f"{name:5} {cpu[name]:6.2f} s of the processor ({cpu[name] / cpu['ours']:.2f} x), "
            f"{clock[name]:6.2f} s by the clock ({clock[name] / clock['ours']:.2f} x), "
            f"{memory[name]:6.1f} MiB more than the entries"
        )
    fastest = all(each["ours"] <= min(each.values()) for each in (cpu, clock))
    return fastest and memory["ours"] <= LIMIT


def median(rounds, key):
    """Of one figure."""
    return statistics.median(each[key] for each in rounds)


if __name__ == "__main__":
    main()
