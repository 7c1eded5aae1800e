"""The types of a JSON report, and how one is read; ``docs/reference/json.md`` describes it.

A key that is not required is left out where there is no value. Paths are relative to the folder of
the project file, with ``/``. Reports can be written by another release, or by hand: the strings may
be any text.
"""

import json
from functools import cache
from typing import NotRequired, TypedDict, cast, get_args, get_origin, get_type_hints, is_typeddict

from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem, SitemapError
from mkdocs_sitemap_plus.wording import format_value

FORMAT = "mkdocs-sitemap-plus report"
VERSION = 1  # of the format. New keys do not change it; removed or redefined keys do.


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
    path: NotRequired[str]  # relative to the repository
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
    news: NotRequired[dict[str, object]]


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


class PageDateData(TypedDict):
    """Which date the built page carries."""

    carries: str
    why: list[str]


class PageData(TypedDict):
    """A page, or a URL that is not a page."""

    loc: NotRequired[str]
    source: NotRequired[str]  # relative to the docs folder
    dest: NotRequired[str]  # relative to the built site
    title: NotRequired[str]
    entry: NotRequired[EntryData]
    because: NotRequired[dict[str, Because]]  # by the field; also "listed" and "undated"
    undated: NotRequired[Undated]
    left_out: NotRequired[LeftOutData]
    rejected: NotRequired[list[Rejected]]
    # Only in the output of `explain`:
    uncommitted: NotRequired[str]  # a clause about changes without a commit
    newer: NotRequired[list[str]]  # files that changed after the sitemap was written
    fallback: NotRequired[bool]  # it shows the text of another language
    page_date: NotRequired[PageDateData]


class SiteData(TypedDict):
    """The site of a report."""

    url: NotRequired[str]
    project_file: str
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
    site: SiteData
    files: list[str]
    counts: Counts
    problems: list[ProblemData]
    pages: list[PageData]


def from_json(data: bytes, name: str) -> ReportData:
    """Return a report from its bytes, as any release with this `VERSION` writes them.

    Keys that this release does not know are kept. Raises SitemapError if the bytes are no report, a
    damaged one, or one of another version.
    """
    try:
        report = json.loads(data)
    except (ValueError, RecursionError):
        report = None
    expected = None
    if not isinstance(report, dict) or report.get("format") != FORMAT:
        found = "is not a report of this plugin"
    elif report.get("version") != VERSION:
        found = f"is a report of version {format_value(report.get('version'))}"
        expected = f"of version {VERSION}"
    elif fault := _fault(report, ReportData, ""):
        found = f"is a damaged report: {fault} is missing or has a wrong type"
    else:
        return cast("ReportData", report)
    place = Place(origin=Origin.OPTION, file=name)
    raise SitemapError(Problem(code=Code.REPORT, place=place, found=found, expected=expected))


def _fault(value: object, kind: object, where: str) -> str | None:
    """Return the dotted key of the first value that has not its declared type, or None."""
    if type(kind) is type:
        return None if isinstance(value, kind) else where
    inner: list[tuple[object, object, str]] = []
    if is_typeddict(kind) and isinstance(value, dict):
        for key, its_kind, required in _keys(kind):
            if required or key in value:
                inner.append((value.get(key), its_kind, f"{where}.{key}".lstrip(".")))
    elif get_origin(kind) is list and isinstance(value, list):
        inner = [(item, get_args(kind)[0], f"{where}[{at}]") for at, item in enumerate(value)]
    elif get_origin(kind) is dict and isinstance(value, dict):
        inner = [(item, get_args(kind)[1], f"{where}.{key}") for key, item in value.items()]
    else:
        return where
    return next(filter(None, (_fault(*each) for each in inner)), None)


@cache
def _keys(kind: type) -> list[tuple[str, object, bool]]:
    """Return the keys of a TypedDict, with their types, and whether each is required."""
    required = kind.__required_keys__  # type: ignore[attr-defined]
    return [(key, its, key in required) for key, its in get_type_hints(kind).items()]
