"""Time the reading of built pages' heads, beside the standard library's parser on the same pages.

Usage: python benchmarks/read_heads.py SITE_DIR [--rounds 7]

SITE_DIR is a built site; all its ``index.html`` are read, warm from the disk's cache, and the
times are the processor's. Both readers find the same tags: ``html.parser`` is stopped at the end of
the head, as ours is. The limit is 0.1 ms a page.
"""

import argparse
import statistics
import sys
import time
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path

from mkdocs_sitemap_plus.pages.built_html import read_built_page

LIMIT = 0.1
"""Milliseconds a page."""


class Stop(Exception):  # noqa: N818 - not an error
    """The end of the head."""


class Head(HTMLParser):
    """Keeps the tags of a head that may say something to robots."""

    def __init__(self):
        """Nothing is read yet."""
        super().__init__()
        self.kept = []

    def handle_starttag(self, tag, attrs):
        """Keep it, or stop at the body."""
        if tag == "body":
            raise Stop
        if tag in ("meta", "link", "base"):
            self.kept.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        """Stop at the end of the head."""
        if tag == "head":
            raise Stop


def read_by_parser(path):
    """The canonical link of a page, by the standard library's parser."""
    parser = Head()
    with suppress(Stop):
        parser.feed(path.read_text("utf-8"))
    links = (said for tag, said in parser.kept if tag == "link" and said.get("rel") == "canonical")
    return next((said["href"] for said in links), None)


def read_by_us(path):
    """The same, by the plugin."""
    page = read_built_page(path)
    return page and page.canonical


def main():
    """Print both times; exit with 1 where ours is over the limit."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("site_dir", type=Path)
    arguments.add_argument("--rounds", type=int, default=7)
    given = arguments.parse_args()
    pages = sorted(given.site_dir.rglob("index.html"))
    if not pages:
        sys.exit("there is no built page")
    differing = [page for page in pages if read_by_us(page) != read_by_parser(page)]
    readers = {"read_built_page": read_by_us, "html.parser": read_by_parser}
    times = {name: [] for name in readers}
    for _ in range(given.rounds):
        for name, read in readers.items():
            start = time.process_time()
            for page in pages:
                read(page)
            times[name].append((time.process_time() - start) * 1000 / len(pages))
    size = statistics.mean(page.stat().st_size for page in pages) / 1024
    print(f"{len(pages)} pages of {size:.0f} KiB on average, {given.rounds} rounds in turn")
    for name, each in times.items():
        print(f"{name:16} {statistics.median(each):.3f} ms a page (median), {min(each):.3f} (best)")
    print(f"limit {LIMIT} ms; canonical links that the two read differently: {len(differing)}")
    sys.exit(1 if differing or statistics.median(times["read_built_page"]) > LIMIT else 0)


if __name__ == "__main__":
    main()
