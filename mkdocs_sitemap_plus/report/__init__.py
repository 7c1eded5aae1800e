"""The JSON report of a build: its types, and where it is kept.

``docs/reference/json.md`` describes the types. A key that is not required is left out where there
is no value. Paths are relative to the folder of the project file, with ``/``. Reports can be
written by another release, or by hand: the strings may be any text.
"""

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import NotRequired, TypedDict

from platformdirs import user_cache_path

from mkdocs_sitemap_plus.files import Mark, Unreadable, exists, is_folder, read_file, real_path
from mkdocs_sitemap_plus.output import write_site_file
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap import UrlEntry, lastmod_text

FORMAT = Mark.REPORT.value
VERSION = 2  # of the format. New keys do not change it; removed or redefined keys do.


class PlaceData(TypedDict):
    """Where a value stands."""

    origin: str  # an `Origin`; for a commit, the source of the date, such as ``git``
    file: NotRequired[str]
    key: NotRequired[str]  # dotted
    line: NotRequired[int]  # counted from 1


class SkippedData(TypedDict):
    """A commit or file that did not count."""

    what: str
    why: str


class Because(PlaceData):
    """Where a value of an entry comes from: a place, or a commit."""

    repository: NotRequired[str]
    path: NotRequired[str]  # in that commit; another one than today before a rename
    commit: NotRequired[str]
    when: NotRequired[str]  # in UTC
    skipped: NotRequired[list[SkippedData]]
    note: NotRequired[str]  # on merges that only brought what was published before
    subject: NotRequired[str]  # of the commit; only in the output of `explain`


class EntryData(TypedDict):
    """The fields of an entry, as the sitemap writes them."""

    loc: str
    lastmod: NotRequired[str]
    changefreq: NotRequired[str]
    priority: NotRequired[str]
    alternates: NotRequired[list[dict[str, object]]]
    images: NotRequired[list[object]]
    videos: NotRequired[list[dict[str, object]]]


class Undated(TypedDict):
    """Why a listed page has no date."""

    reason: str
    detail: NotRequired[str]
    place: NotRequired[PlaceData]
    fix: NotRequired[str]


class LeftOutData(TypedDict):
    """Why a page is not listed."""

    reason: str  # an `OutReason`
    detail: str
    place: PlaceData


class Rejected(TypedDict):
    """A value of the owner that is not written."""

    text: str  # of the message
    field: NotRequired[str]  # of the entry
    key: NotRequired[str]
    file: NotRequired[str]
    line: NotRequired[int]


class PageData(TypedDict):
    """A page, a URL that is not a page, or another file of the built site."""

    loc: NotRequired[str]
    source: NotRequired[str]  # relative to the docs folder
    file: NotRequired[str]  # what messages call it, if not by its path in the docs folder
    dest: NotRequired[str]  # relative to the built site
    title: NotRequired[str]
    fallback: NotRequired[bool]  # it shows the text of another language
    entry: NotRequired[EntryData]
    because: NotRequired[dict[str, Because]]  # by the field; also "listed" and "undated"
    undated: NotRequired[Undated]
    left_out: NotRequired[LeftOutData]
    rejected: NotRequired[list[Rejected]]
    # Only in the output of `explain`:
    uncommitted: NotRequired[str]  # a clause about changes without a commit


class SiteData(TypedDict):
    """The site of a report."""

    url: NotRequired[str]
    project_file: str  # empty without one
    docs_dir: str


class Counts(TypedDict, total=False):
    """How many entries and pages there are."""

    urls: int
    dated: int
    undated: int
    left_out: int
    by_source: dict[str, int]
    by_reason: dict[str, int]


class ProblemData(TypedDict):
    """A message of the build."""

    code: str
    level: str  # ``warning`` or ``note``
    place: NotRequired[PlaceData]
    text: str


class ReportData(TypedDict):
    """All results of a build."""

    format: str
    version: int
    time: NotRequired[str]  # of the build, in UTC; not in `serve`
    commit: NotRequired[str]  # that was checked out in the repository of the docs folder
    fingerprint: NotRequired[str]  # of the URLs and dates of the sitemap
    no_sitemap: NotRequired[str]  # why there is none
    site: SiteData
    files: list[str]  # of the sitemap
    counts: Counts  # of `pages`
    problems: list[ProblemData]
    pages: list[PageData]
    others: list[PageData]  # files of the site that are no pages, and sources that are not built


_ENDING = ".report"
_MAX_REPORT = 1 << 30  # bytes; a page needs about 500


def file_of_report(site_dir: Path) -> Path | None:
    """Return the file in the user's cache that is for the report of a built folder.

    It is None for a user without a home, who has no cache.
    """
    try:
        cache = user_cache_path("mkdocs-sitemap-plus", appauthor=False)
    except RuntimeError:
        return None
    name = sha256(os.fsencode(real_path(site_dir))).hexdigest()[:32]
    return cache / f"{name}{_ENDING}" if cache.is_absolute() else None


def keep(site_dir: Path, report: bytes) -> None:
    """Write a report into the user's cache.

    Its first line is the built folder. The first report of a folder removes those of folders that
    are gone. A cache that can't be written is no error: only what reads the report needs it, and
    says so.
    """
    file = file_of_report(site_dir)
    if file is None:
        return
    with suppress(OSError, SitemapError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        is_first = not exists(file)
        write_site_file(file, os.fsencode(real_path(site_dir)) + b"\n" + report)
        for other in file.parent.glob(f"*{_ENDING}") if is_first else ():
            with other.open("rb") as lines:
                folder = lines.readline().removesuffix(b"\n")
            if not is_folder(folder):
                other.unlink(missing_ok=True)


def read_kept(site_dir: Path) -> bytes | None:
    """Return the report that is kept of a built folder; None if there is none."""
    file = file_of_report(site_dir)
    try:
        return file.read_bytes().partition(b"\n")[2] if file else None
    except OSError:
        return None


def last_files(site_dir: Path, named: Path | None) -> frozenset[str]:
    """Return the names of the files of the sitemap that the last build of a folder wrote.

    They stand in the report of that build, which is the file `named`, or else kept in the cache.
    Without a report that can be read there are none.
    """
    with suppress(Unreadable, ValueError, RecursionError, LookupError, TypeError):
        data = read_file(named, _MAX_REPORT) if named else read_kept(site_dir)
        report = json.loads(data or b"{}")
        if report["format"] == FORMAT:
            return frozenset(filter(lambda name: isinstance(name, str), report["files"]))
    return frozenset()


def fingerprint(entries: Iterable[UrlEntry]) -> str:
    """Return a hash of the URLs and dates of a sitemap, whatever their order and spelling."""
    # A URL may be in several files of a sitemap.
    lines = {
        f"{entry.loc} {lastmod_text(entry.lastmod) if entry.lastmod else ''}\n" for entry in entries
    }
    return sha256("".join(sorted(lines)).encode("utf-8", "surrogatepass")).hexdigest()
