"""The options of `GitDates` that tests try: all of them, or enough to have each value."""

import re
from dataclasses import asdict, dataclass

from quantity import LONG

from mkdocs_sitemap_plus.gitdates import GitChange, GitDate, GitDates


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options that decide which commit dates a file."""

    date: GitDate = GitDate.PUBLISHED
    change: GitChange = GitChange.CONTENT
    ignore_revs_file: str | None = None
    ignore_authors: tuple[str, ...] = ()
    ignore_subjects: tuple[str, ...] = ()


ALL = [Options(date=date, change=change) for date in GitDate for change in GitChange]
TRIED = ALL if LONG else [ALL[number] for number in (1, 5, 6)]
"""Without ``LONG`` each date once, and each kind of change once; the first are the defaults."""


def name(options):
    """The name of a case."""
    return f"{options.date}-{options.change}"


def git_dates(options=None, **more):
    """The dates of git with these options; a page has front matter between lines of dashes."""
    return GitDates(**asdict(options or Options()), body=body, **more)


def body(path, content):
    """A page without its front matter; a text that is broken, or no mapping, stays."""
    if not path.endswith(".md"):
        return content
    text = re.sub(rb"\r\n?", b"\n", content.removeprefix(b"\xef\xbb\xbf"))
    return re.sub(rb"\A---\n(\w+: [^\[\n]*\n)*(---|\.\.\.)\n", b"", text)
