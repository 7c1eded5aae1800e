"""Write a sitemap again and again, each time killed at one operation on files further on.

Usage: python killed_writer.py OLD NEW FOLDER

OLD and NEW are layouts, as JSON. FOLDER gets a folder for each operation, named by its number, as
the kill left it; the last one, ``whole``, was written to its end.
"""

import json
import os
import shutil
import signal
import sys
from itertools import count
from pathlib import Path

from mkdocs_sitemap_plus.output import write_files
from mkdocs_sitemap_plus.sitemap import UrlEntry
from mkdocs_sitemap_plus.sitemap.split import Layout, files

BASE = "https://example.com/"
NAME = "sitemap.xml"


def write(folder, said):
    """A sitemap of some entries; `stamp` tells one build's files from another's."""
    said = dict(said)
    stamp = said.pop("stamp")
    entries = [UrlEntry(loc=f"{BASE}{n // 2}/{n}/?{stamp}") for n in range(said.pop("entries"))]
    write_files(folder, files(entries, Layout(filename=NAME, base=BASE, **said)), NAME)


def kill_at(number, folder):
    """Kill this process before its n-th operation on a file of that folder."""
    operations = count(1)

    def watch(event, arguments):
        watched = event in ("open", "os.rename", "os.remove", "os.mkdir")
        if watched and str(arguments[0]).startswith(str(folder)) and next(operations) == number:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)


def main():
    """One fork for each operation, until one comes to its end."""
    old, new = (json.loads(text) for text in sys.argv[1:3])
    root = Path(sys.argv[3])
    write(root / "old", old)
    for number in count(1):
        folder = root / str(number)
        shutil.copytree(root / "old", folder)
        child = os.fork()
        if child == 0:
            kill_at(number, folder)
            write(folder, new)
            os._exit(0)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
            folder.rename(root / "whole")
            break


if __name__ == "__main__":
    main()
