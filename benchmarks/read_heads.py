"""Time the reading of built pages' tags, beside the standard library's parser on their heads.

Usage: python benchmarks/read_heads.py SITE_DIR [--rounds 7]

SITE_DIR is a built site; all its ``index.html`` are read, warm from the disk's cache, and the
times are the processor's. ``html.parser`` is stopped at the end of the head. A body is searched for
``<meta``, and if it has one, all of its tags are passed. What a body costs is timed beside the same
page without it, as it is and with a ``<meta`` at its end. The limits are 0.1 ms a page, and 1 and
4 microseconds a KiB.
"""

import argparse
import statistics
import sys
import time
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path

from mkdocs_sitemap_plus.files import read_start
from mkdocs_sitemap_plus.web.html import find_tags
from mkdocs_sitemap_plus.web.says import read_built_page, read_page

LIMIT = 0.1
"""Milliseconds a page."""
BODY_LIMITS = {"without <meta": 1.0, "with <meta": 4.0}
"""Microseconds a KiB of the page."""
HEAD_BYTES = 16_384
"""What a reader of heads alone would read of a file."""


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


def body_times(pages, rounds):
    """For each kind of body, what it costs, in microseconds a KiB: one value for each round."""
    texts = [page.read_bytes() for page in pages]
    ends = [next((end for name, _, end in find_tags(text) if name in ENDS), 0) for text in texts]
    heads = [text[:end] for text, end in zip(texts, ends, strict=True)]
    marked = [text.replace(b"</body>", b"<meta itemprop=a></body>") for text in texts]
    kib = sum(map(len, texts)) / 1024

    def microseconds(run, values):
        start = time.process_time()
        for value in values:
            run(value)
        return (time.process_time() - start) * 1e6 / kib

    times = {kind: [] for kind in BODY_LIMITS}
    for _ in range(rounds):
        head = microseconds(read_page, heads)
        files = microseconds(lambda page: read_start(page, 1 << 26), pages)
        files -= microseconds(lambda page: read_start(page, HEAD_BYTES), pages)
        for kind, values in zip(times, (texts, marked), strict=True):
            times[kind].append(files + microseconds(read_page, values) - head)
    return times


ENDS = (b"/head", b"body")


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
    over = statistics.median(times["read_built_page"]) > LIMIT
    for kind, each in body_times(pages, given.rounds).items():
        limit, median = BODY_LIMITS[kind], statistics.median(each)
        print(f"a body {kind:14} {median:.2f} us a KiB (median), {min(each):.2f} (best), {limit=}")
        over = over or median > limit
    sys.exit(1 if differing or over else 0)


if __name__ == "__main__":
    main()
