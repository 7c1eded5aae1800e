"""Show the progress of a build on a terminal, and make the summary line at its end."""

import os
import shutil
import time
from collections import Counter
from collections.abc import Sequence
from threading import Event, Thread
from typing import Self, TextIO

from mkdocs_sitemap_plus.pipeline import Decision, Outcome
from mkdocs_sitemap_plus.problems import MAX_OF_A_KIND
from mkdocs_sitemap_plus.sitemap.split import index_name
from mkdocs_sitemap_plus.wording import counted, first_names


def summary(outcome: Outcome) -> str:
    """Return the summary line: files, URLs, dates by source, and pages left out by reason.

    For example: ``sitemap.xml and sitemap.xml.gz: 12 URLs, 11 dated (10 git, 1 front matter),
    1 undated (docs/new.md); 2 pages left out (1 excluded, 1 noindex).`` If the sitemap has parts,
    it is ``sitemap.xml, 20 parts and their .gz: ...``. If no entry has a date, it begins with
    ``0 of 12 pages have a date (shallow clone); ``.
    """
    listed = [decision for decision in outcome.decisions if decision.entry]
    dated = Counter(each.date_source for each in listed if each.date_source)
    undated = [each for each in listed if not each.date_source]
    start = dates = ""
    if dated:
        names = [each.name for each in undated]
        shown = f" ({first_names(names, MAX_OF_A_KIND)})" if names else ""
        dates = f", {dated.total():,} dated{_counts(dated)}, {len(names):,} undated{shown}"
    elif undated:
        reasons = Counter(str(each.undated.reason) for each in undated if each.undated)
        why = f" ({', '.join(reason for reason, _ in reasons.most_common())})" if reasons else ""
        has = "has" if len(undated) == 1 else "have"
        start = f"0 of {_pages(undated)} {has} a date{why}; "
    out = [each for each in outcome.decisions if each.left_out]
    kinds = Counter(str(each.left_out.reason) for each in out if each.left_out)
    left_out = f"{_pages(out)} left out{_counts(kinds)}" if out else "nothing left out"
    urls = counted(len(listed), "URL")
    return f"{start}{_files(outcome.files)}: {urls}{dates}; {left_out}."


def _pages(decisions: Sequence[Decision]) -> str:
    """Return ``2 pages``, or ``2 URLs`` if one of them is not a page."""
    noun = "page" if all(decision.page is not None for decision in decisions) else "URL"
    return counted(len(decisions), noun)


def _files(names: Sequence[str]) -> str:
    """Return the names of the sitemap and its archive. Parts of a sitemap are only counted."""
    sitemaps = sorted((name for name in names if name.endswith(".xml")), key=len)
    if len(sitemaps) < 2:
        return " and ".join(names)
    main, index = sitemaps[0], index_name(sitemaps[0])
    shown = [main, index] if index in sitemaps else [main]
    parts = len(sitemaps) - len(shown)
    if parts:
        shown.append(counted(parts, "part"))
    return f"{', '.join(shown)} and their .gz"


def _counts(counter: Counter[str]) -> str:
    parts = (f"{count:,} {name}" for name, count in sorted(counter.items()))
    return f" ({', '.join(parts)})"


class Progress:
    """Shows on a terminal what a build does, if it takes more than a second.

    It is one line, which is written again each second and erased at the end. Nothing is written
    into a pipe, a file, or the log of a CI job. The stream is usually ``sys.stderr``.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._activity = ""
        self._length = 0
        self._done = Event()
        is_dumb = os.environ.get("TERM") == "dumb"  # such a terminal can't replace a line
        shown = stream.isatty() and not is_dumb and not os.environ.get("CI")
        self._thread = Thread(target=self._run, daemon=True) if shown else None

    def show(self, activity: str) -> None:
        """Show an activity from now on: a few words such as ``writing 12 URLs``."""
        self._activity = activity

    def __enter__(self) -> Self:
        """Start to count the seconds."""
        if self._thread:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Erase the line, also after an exception."""
        if self._thread:
            self._done.set()
            self._thread.join()
            self._write("")

    def _run(self) -> None:
        begin = time.monotonic()
        while not self._done.wait(1.0):
            seconds = round(time.monotonic() - begin)
            self._write(f"sitemap-plus: {self._activity} ({seconds} s)")

    def _write(self, line: str) -> None:
        """Replace the line on the terminal; a long line is cut at the width of the terminal."""
        line = line[: shutil.get_terminal_size().columns - 1]
        if line or self._length:
            rest = " " * (self._length - len(line))
            self._stream.write(f"\r{line}{rest}" if line else f"\r{rest}\r")
            self._stream.flush()
        self._length = len(line)
