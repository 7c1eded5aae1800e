"""Show the progress of a build on a terminal, and make the summary line at its end."""

import os
import shutil
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from threading import Event, Thread
from typing import Self, TextIO

from mkdocs_sitemap_plus.pages import SourcePage
from mkdocs_sitemap_plus.pipeline import Listed, Outcome, OutReason, files_in
from mkdocs_sitemap_plus.problems import MAX_OF_A_KIND, Code, Problem
from mkdocs_sitemap_plus.sitemap.write import index_name
from mkdocs_sitemap_plus.wording import counted, distinct, first_names, listing

_NOUNS = (
    *(OutReason.ERROR_PAGE, OutReason.FALLBACK_PAGE, OutReason.SEARCH_PAGE),
    *(OutReason.REDIRECT, OutReason.STATIC, OutReason.UNKNOWN_PAGE),
)
"""Reasons with a plural: ``1 redirect``, ``2 redirects``; but ``2 excluded``."""
_SAY_NOTHING_IS_DATED = (Code.NO_DATES, Code.NO_SOURCE, Code.SHALLOW)
"""Problems that give the reason if no page has a date; the summary does not repeat it."""


def summary(outcome: Outcome) -> str:
    """Return the summary line: pages, dates by source, and pages left out by reason.

    For example: ``sitemap.xml: 12 pages, 10 dated (git 9, front matter 1), 2 undated (docs/a.md,
    docs/b.md); 3 left out (2 excluded, 1 noindex)``. What is zero is not in it.
    """
    listed = outcome.listed
    parts = [_pages(listed), *_dates(listed, outcome.problems)]
    line = f"{_files(outcome.files)}: {', '.join(parts)}"
    out = Counter(str(decision.reason) for decision in outcome.left_out)
    if out:
        line += f"; {out.total():,} left out ({reasons_of(out)})"
    return line


def reasons_of(left_out: Mapping[str, int]) -> str:
    """Return why pages are left out, as ``2 excluded, 1 redirect``; without a number if all are."""
    out = left_out.items()
    kinds = Counter({f"{why}s" if why in _NOUNS and n > 1 else why: n for why, n in out})
    reasons = [f"{count:,} {reason}" for reason, count in _by_count(kinds)]
    return ", ".join(reasons if len(kinds) > 1 else kinds)


def _pages(listed: Sequence[Listed]) -> str:
    """Return ``2 pages``, or ``2 URLs`` if one of them is not a page; and how many are copies."""
    files = files_in(listed)
    pages = sum(file.dest_uri.lower().endswith((".html", ".htm")) for file in files)
    number = counted(len(listed), "page" if pages == len(listed) else "URL")
    copies = sum(isinstance(file, SourcePage) and file.is_fallback for file in files)
    return f"{number} ({counted(copies, OutReason.FALLBACK_PAGE)})" if copies else number


def _dates(listed: Sequence[Listed], problems: Sequence[Problem]) -> Iterator[str]:
    """Yield how many of the listed pages are dated, and by what; then which are not."""
    dated = Counter(decision.date_source for decision in listed if decision.date_source)
    undated = [decision for decision in listed if not decision.date_source]
    if not dated:
        if not any(problem.code in _SAY_NOTHING_IS_DATED for problem in problems):
            reasons = Counter(str(each.undated.reason) for each in undated if each.undated)
            why = ", ".join(reason for reason, _ in _by_count(reasons))
            yield f"none dated ({why})" if why else "none dated"
        return
    number = f"{dated.total():,} " if undated else "all " if len(listed) > 1 else ""
    sources = [f"{source} {count:,}" for source, count in _by_count(dated)]
    yield f"{number}dated ({', '.join(sources if len(dated) > 1 else dated)})"
    if undated:
        names = distinct((decision.name, decision.loc) for decision in undated)
        yield f"{len(undated):,} undated ({first_names(names, MAX_OF_A_KIND)})"


def _by_count(counter: Counter[str]) -> list[tuple[str, int]]:
    """Return the words of a counter, the most frequent first; of equal ones, by the alphabet."""
    return sorted(counter.items(), key=lambda pair: (-pair[1], pair[0]))


def _files(names: Sequence[str]) -> str:
    """Return the names of the sitemap and its index. Parts of a sitemap are only counted."""
    sitemaps = sorted((name for name in names if name.endswith(".xml")), key=len)
    main, index = sitemaps[0], index_name(sitemaps[0])
    shown = [main, index] if index in sitemaps else [main]
    if parts := len(sitemaps) - len(shown):
        shown.append(counted(parts, "part"))
    return listing(shown)


class Progress:
    """Shows on a terminal what a build or a check does, if it takes more than a second.

    It is one line, which is written again each second and erased at the end. Nothing is written
    into a pipe, a file, or the log of a CI job. The stream is usually ``sys.stderr``.
    """

    def __init__(self, stream: TextIO, *, wanted: bool = True) -> None:
        self._stream = stream
        self._activity = ""
        self._length = 0
        self._done = Event()
        is_dumb = os.environ.get("TERM") == "dumb"  # such a terminal can't replace a line
        shown = wanted and stream.isatty() and not is_dumb and not os.environ.get("CI")
        self._thread = Thread(target=self._run, daemon=True) if shown else None

    def show(self, activity: str) -> None:
        """Show an activity from now on: a few words such as ``writing 12 URLs``."""
        self._activity = activity

    @property
    def is_shown(self) -> bool:
        """Whether the line is written."""
        return self._thread is not None

    def clear(self) -> None:
        """Erase the line until the next second, so that another can be printed."""
        self._write("")

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
