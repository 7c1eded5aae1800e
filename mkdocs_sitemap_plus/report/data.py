"""The types of a JSON report; ``docs/reference/json.md`` describes it.

A key that is not required is left out where there is no value. Paths are relative to the folder of
the project file, with ``/``. Reports can be written by another release, or by hand: the strings may
be any text.
"""

from typing import NotRequired, TypedDict

FORMAT = "mkdocs-sitemap-plus report"
VERSION = 2  # of the format. New keys do not change it; removed or redefined keys do.


class PlaceData(TypedDict):
    """Where a value stands."""

    origin: str  # an `Origin`; for a commit, the source of the date, such as ``git``
    file: NotRequired[str]
    key: NotRequired[str]  # dotted
    line: NotRequired[int]  # counted from 1


class Skipped(TypedDict):
    """A commit or file that did not count."""

    what: str
    why: str


class Because(PlaceData):
    """Where a value of an entry comes from: a place, or a commit."""

    repository: NotRequired[str]
    path: NotRequired[str]  # in that commit; another one than today before a rename
    commit: NotRequired[str]
    when: NotRequired[str]  # in UTC
    skipped: NotRequired[list[Skipped]]
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
    fingerprint: NotRequired[
        str
    ]  # of the URLs and dates of the sitemap, as from `kept.fingerprint`
    no_sitemap: NotRequired[str]  # why there is none
    site: SiteData
    files: list[str]  # of the sitemap
    counts: Counts  # of `pages`
    problems: list[ProblemData]
    pages: list[PageData]
    others: list[PageData]  # files of the site that are no pages, and sources that are not built
