"""Write a sitemap again and again, each time killed: see killed.py.

Usage: python killed_writer.py OLD NEW FOLDER

OLD and NEW are layouts, as JSON.
"""

import json
import signal
import sys
from pathlib import Path

from killed import stop_at_each_operation

from mkdocs_sitemap_plus.generator.output import pack, write_files
from mkdocs_sitemap_plus.sitemap.entries import UrlEntry
from mkdocs_sitemap_plus.sitemap.write import Layout, files

BASE = "https://web.example/"
NAME = "sitemap.xml"


def write(folder, said):
    """A sitemap of some entries; `stamp` tells one build's files from another's."""
    said = dict(said)
    stamp = said.pop("stamp")
    entries = [UrlEntry(loc=f"{BASE}{n // 2}/{n}/?{stamp}") for n in range(said.pop("entries"))]
    pack(
        folder, write_files(folder, files(entries, Layout(filename=NAME, base=BASE, **said)), NAME)
    )


def main():
    """SIGKILL at each operation."""
    old, new = (json.loads(text) for text in sys.argv[1:3])
    root = Path(sys.argv[3])
    write(root / "old", old)
    stop_at_each_operation(root, lambda folder: write(folder, new), signal.SIGKILL)


if __name__ == "__main__":
    main()
