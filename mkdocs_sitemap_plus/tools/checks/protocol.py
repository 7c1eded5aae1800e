"""A sitemap or an index, and all of its parts, against the protocol."""

import os.path
import re
from codecs import getincrementaldecoder
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path

from mkdocs_sitemap_plus.problems import Origin, Place, SitemapError
from mkdocs_sitemap_plus.sitemap.entry import to_datetime
from mkdocs_sitemap_plus.sitemap.limits import (
    MAX_IMAGES,
    MAX_LOC_LENGTH,
    MAX_NEWS,
    MAX_URLS,
    MAX_VIDEO_TAGS,
)
from mkdocs_sitemap_plus.sitemap.parse import RawElement, elements
from mkdocs_sitemap_plus.sitemap.read_entry import IMAGE, NEWS, VIDEO
from mkdocs_sitemap_plus.sitemap.render import NAMESPACE, may_be_ours
from mkdocs_sitemap_plus.sitemap.urls import origin_of, within
from mkdocs_sitemap_plus.tools.checks import hreflang as alternates
from mkdocs_sitemap_plus.tools.checks.element_values import (
    SPACE,
    day_of,
    moment,
    too_late,
    url_fault,
)
from mkdocs_sitemap_plus.tools.checks.elements import attribute_faults, element_faults, fault
from mkdocs_sitemap_plus.tools.checks.finding import Fault, Findings
from mkdocs_sitemap_plus.tools.checks.listed import Listed, same
from mkdocs_sitemap_plus.tools.checks.shapes import SITEMAP_ENTRY, URL_ENTRY, Shape
from mkdocs_sitemap_plus.tools.collect import (
    MAX_FILES,
    SitemapFile,
    name_of,
    open_part,
    open_sitemap,
    parts,
)
from mkdocs_sitemap_plus.tools.fetch import TIMEOUT
from mkdocs_sitemap_plus.wording import format_value

_PIECE = 1 << 18
_BOM = b"\xef\xbb\xbf"
_XML_DECLARATION = re.compile(rb"([^<]*)(<\?xml\b[^>]*\?>)")
_UNREAD = {
    "xml": "not-xml",
    "html": "not-xml",
    "empty": "not-xml",
    "doctype": "doctype",
    "encoding": "encoding",
    "gzip": "gzip",
    "too-large": "too-many-bytes",
    "too-long": "too-complex",
    "too-deep": "too-complex",
    "too-many": "too-complex",
}
"""The codes of `sitemap.parse` as those of a check. With others, there is no file to check."""

_FIXES = {
    "xml": "Name a sitemap in XML.",
    "empty": "Build the sitemap again.",
}
"""What to do about files that are not XML at all."""

_START = 4096
_IS_HTTP = re.compile("https?://", re.IGNORECASE)
_ENOUGH = 5
"""Dated pages from which on one date for all of them is no chance."""
_NEWS_AGE = timedelta(days=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """The result of a check.

    Attributes:
        findings: all that is wrong.
        listed: the entries of all sitemaps, in order; those of indexes are not among them.
        files: the names of the files that were read.
        path: the file that was given, or found in the folder that was given; None for a URL.
    """

    findings: Findings
    listed: tuple[Listed, ...]
    files: tuple[str, ...]
    path: Path | None


def check(where: str | SitemapFile, *, now: datetime, timeout: float = TIMEOUT) -> Checked:
    """Check a file, a folder with a sitemap in it, or a URL, with all parts of an index.

    The links between languages are for `alternates.check_versions`, which also takes a built site.

    Args:
        where: what a person gave, or the file that was read there.
        now: the time, aware.
        timeout: seconds to wait for a server.

    Raises:
        SitemapError: there is nothing to check: no file, no answer.
    """
    run = _Run(now=now, timeout=timeout)
    path = run.all_of(where)
    _same_lastmod(run)
    _duplicates(run.listed, run.findings)
    return Checked(
        findings=run.findings, listed=tuple(run.listed), files=tuple(run.files), path=path
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Waiting:
    """A file that is to be read.

    Attributes:
        where: its path or URL.
        entry: the entry of the index that lists it; None for what a person gave.
    """

    where: str | SitemapFile
    entry: Listed | None


@dataclass(slots=True, kw_only=True)
class _Run:
    """One check, while it goes on."""

    now: datetime
    timeout: float
    findings: Findings = field(default_factory=Findings)
    listed: list[Listed] = field(default_factory=list)
    files: dict[str, bool] = field(default_factory=dict)  # and whether it is an index
    days: set[date | None] = field(default_factory=set)  # on which other tools wrote the files
    waiting: deque[_Waiting] = field(default_factory=deque)

    def all_of(self, where: str | SitemapFile) -> Path | None:
        """Read a file and all that it leads to; return the path of the first file."""
        first = self._open(_Waiting(where=where, entry=None))
        if first is not None:
            self._file(first, None)
        while self.waiting:
            part = self.waiting.popleft()
            known = self._knows(name_of(part.where), part.entry)
            file = None if known else self._open(part)
            if file is not None and not self._knows(file.name, part.entry):
                self._file(file, part.entry)
        return first.path if first else None

    def _knows(self, name: str, entry: Listed | None) -> bool:
        """Return whether a file was read; an index that lists itself is one in an index."""
        if self.files.get(name) and entry:
            self.findings.add("nested-index", entry.place, "is this index itself", entry.loc)
        return name in self.files

    def _open(self, part: _Waiting) -> SitemapFile | None:
        try:
            return (open_part if part.entry else open_sitemap)(part.where, timeout=self.timeout)
        except SitemapError as error:
            name = name_of(part.where)
            self.files.setdefault(name, False)
            if error.problem.code in _UNREAD:
                self._unread(name, error)
            elif part.entry is None:
                raise
            else:
                file = "" if name == part.entry.loc else f"{name} "
                reason = f"{file}{error.problem.found}"
                self.findings.add("part-missing", part.entry.place, reason, part.entry.loc)
            return None

    def _file(self, file: SitemapFile, entry: Listed | None) -> None:
        self.files[file.name] = False
        _beside(file, self.findings)
        reading = _Reading(run=self, file=file, entry=entry)
        try:
            reading.whole()
        except SitemapError as error:
            self._unread(file.name, error, file.data)
        self.files[file.name] = reading.is_index
        reading.between()

    def _unread(self, name: str, error: SitemapError, data: bytes = b"") -> None:
        problem = error.problem
        code = _UNREAD[problem.code]
        line = problem.place.line if problem.place else None
        if code == "not-xml" and line and not _is_utf_8(data):
            code = "encoding"
        expected = f", but must be {problem.expected}" if problem.expected else ""
        fix = problem.fix or _FIXES.get(problem.code if line is None else "")
        self.findings.add(code, _place(name, line), problem.found + expected, fix=fix)


@dataclass(slots=True, kw_only=True)
class _Reading:
    """One file, while it is read."""

    run: _Run
    file: SitemapFile
    entry: Listed | None
    listed: list[Listed] = field(default_factory=list)
    is_index: bool = False
    known: bool = False
    ended: bool = False
    entries: int = 0
    news: int = 0

    def whole(self) -> None:
        """Read it from its first byte to its last."""
        found = elements(self._from_declaration(), self.file.name)
        root = next(found)
        if not self._is_known(root):
            return
        self._tell(attribute_faults(root, URL_ENTRY), None)
        for element in found:
            self._child(element)
        self.ended = True

    def between(self) -> None:
        """Check the file as a whole, as far as it was read."""
        if not self.known:
            return
        place = _place(self.file.name)
        if not self.entries and self.ended:
            self._find("empty", place, "has no entries")
        if self.entries > MAX_URLS:
            self._find(
                "too-many-urls",
                place,
                f"has at least {self.entries:,} entries, but {MAX_URLS:,} are allowed",
            )
        if self.news > MAX_NEWS:
            self._find(
                "too-many-news", place, f"has {self.news:,} articles, but {MAX_NEWS:,} are allowed"
            )
        self._outside()
        if self.is_index:
            self._lead_on()
        else:
            self.run.listed.extend(self.listed)
            self.run.days.add(_build_day(self.file))
            self._compare_with_index()

    def _from_declaration(self) -> bytes:
        """Return the file with its XML declaration at the start; each line keeps its number."""
        data = self.file.data
        if data.startswith(_BOM):
            self._find("bom", _place(self.file.name, 1), "begins with a byte order mark")
        late = _XML_DECLARATION.match(data.removeprefix(_BOM)[:_START])
        if not late or not late[1]:
            return data
        before = late[1].decode("utf-8", "replace").strip()
        what = f"the text {format_value(before)}" if before else "white space"
        self._find("leading-text", _place(self.file.name, 1), f"begins with {what}")
        rest = data.removeprefix(_BOM)[late.end() :]
        return late[2] + b"\n" * late[1].count(b"\n") + rest

    def _is_known(self, root: RawElement) -> bool:
        place = _place(self.file.name, root.line)
        if root.name not in ("urlset", "sitemapindex"):
            found = f"the root element is {format_value(root.name)}"
            self._find("wrong-root", place, f"{found}, but must be urlset or sitemapindex")
        elif root.space != NAMESPACE:
            self._find(
                "wrong-namespace",
                place,
                f"the namespace is {format_value(root.space)}, but must be {NAMESPACE!r}",
            )
        else:
            self.is_index, self.known = root.name == "sitemapindex", True
            if self.is_index and self.entry:
                self._find("nested-index", self.entry.place, "is an index", self.entry.loc)
        return self.known

    def _child(self, element: RawElement) -> None:
        name, shape = ("sitemap", SITEMAP_ENTRY) if self.is_index else ("url", URL_ENTRY)
        if (element.space, element.name) == (NAMESPACE, name):
            self.entries += 1
            self._entry(element, shape)
        elif not element.name:
            reason = (
                f"contains the text {format_value(element.text.strip(SPACE))} between its entries"
            )
            self._find("text", _place(self.file.name, element.line), reason)
        else:
            foreign = element.space not in (NAMESPACE, "")
            code = "root-child" if foreign else "element-unknown"
            self._tell([fault(code, element, "is between the entries")], None)

    def _entry(self, element: RawElement, shape: Shape) -> None:
        loc = _text(element, "loc")
        when = moment(_text(element, "lastmod"))
        entry = Listed(
            loc=loc,
            place=_place(self.file.name, element.line),
            lastmod=when,
            alternates=alternates.targets(element),
            languages=alternates.targets(element, languages=True),
        )
        if loc:
            self.listed.append(entry)
        self._tell(element_faults(element, shape), loc)
        if when and too_late(when, self.run.now):
            lastmod = element.all(NAMESPACE, "lastmod")[0]
            reason = f"is {format_value(_text(element, 'lastmod'))}, which is in the future"
            self._tell([fault("lastmod-future", lastmod, reason)], loc)
        if not self.is_index:
            self.news += len(element.all(NEWS, "news"))
            self._tell(alternates.link_faults(element, loc), loc)
            self._tell(_images(element), loc)
            self._tell(_videos(element, loc), loc)
            self._tell(_news(element, self.run.now), loc)

    def _outside(self) -> None:
        """Find entries that this file may not list (sitemaps.org, "Sitemap file location")."""
        code = "part-outside" if self.is_index else "loc-outside"
        url = self.entry.loc if self.entry else None
        if self.file.path is None:
            url = self.file.name
        if url is not None:
            folder = url[: url.rindex("/") + 1]
            for each in self.listed:
                if _IS_HTTP.match(each.loc) and not within(each.loc, folder):
                    self._find(code, each.place, f"is not below {folder}", each.loc)
            return
        for each, most in _of_other_origins(self.listed):
            self._find(code, each.place, f"is not on {most}, as most entries are", each.loc)

    def _lead_on(self) -> None:
        if self.entry:
            return
        if len(self.listed) > MAX_FILES:
            left = f"lists {len(self.listed):,} sitemaps, of which {MAX_FILES:,} are read"
            self._find("part-unread", _place(self.file.name), left)
        _duplicates(self.listed, self.run.findings)
        entries = [each for each in self.listed[:MAX_FILES] if _leads_on(each.loc)]
        for where, entry in zip(
            parts(self.file, (entry.loc for entry in entries)), entries, strict=True
        ):
            self.run.waiting.append(_Waiting(where=where, entry=entry))

    def _compare_with_index(self) -> None:
        """Compare the dates of this file and its entry: an older one there hides a change."""
        dates = [each.lastmod for each in self.listed if each.lastmod]
        if not self.entry or not self.entry.lastmod or not dates:
            return
        newest = max(dates, key=to_datetime)
        if _before(self.entry.lastmod, newest):
            own, page = self.entry.lastmod.isoformat(), newest.isoformat()
            reason = f"has the lastmod {own}, but a page in it has {page}"
            self._find("part-lastmod", self.entry.place, reason, self.entry.loc)

    def _tell(self, faults: Iterable[Fault], loc: str | None) -> None:
        for each in faults:
            self._find(each.code, _place(self.file.name, each.line), each.reason, loc or None)

    def _find(self, code: str, place: Place, reason: str, loc: str | None = None) -> None:
        self.run.findings.add(code, place, reason, loc)


def _place(name: str, line: int | None = None) -> Place:
    return Place(origin=Origin.SITEMAP, file=name, line=line)


def _text(element: RawElement, name: str) -> str:
    found = element.all(NAMESPACE, name)
    return found[0].text.strip(SPACE) if found else ""


def _is_utf_8(data: bytes) -> bool:
    """Return whether a file is UTF-8, without a copy of all of it."""
    decoder = getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _PIECE):
            decoder.decode(data[start : start + _PIECE])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _beside(file: SitemapFile, findings: Findings) -> None:
    """Compare a file with the one of its other name, with or without ``.gz``."""
    if file.path is None:
        return
    zipped = file.path.suffix == ".gz"
    other = file.path.with_suffix("") if zipped else file.path.with_name(file.path.name + ".gz")
    if not os.path.isfile(other):  # noqa: PTH113 - `Path.is_file` raises for too long a name
        return
    place = _place((file.path if zipped else other).as_posix())
    try:
        if open_sitemap(other.as_posix()).data != file.data:
            named = other.name if zipped else file.path.name
            findings.add("gz-differs", place, f"has other content than {named}")
    except SitemapError as error:
        findings.add("gz-differs", place, error.problem.found)


def _images(url: RawElement) -> Iterator[Fault]:
    images = url.all(IMAGE, "image")
    if len(images) > MAX_IMAGES:
        yield fault(
            "too-many-images", url, f"has {len(images):,} images, but {MAX_IMAGES:,} are allowed"
        )
    seen: set[str] = set()
    for image in images:
        for loc in image.all(IMAGE, "loc")[:1]:
            if loc.text.strip(SPACE) in seen:
                yield fault(
                    "image-twice", loc, f"is {format_value(loc.text.strip(SPACE))} a second time"
                )
            seen.add(loc.text.strip(SPACE))


def _videos(url: RawElement, page: str) -> Iterator[Fault]:
    for video in url.all(VIDEO, "video"):
        sources = (*video.all(VIDEO, "content_loc"), *video.all(VIDEO, "player_loc"))
        if not sources:
            yield fault("element-missing", video, "has no video:content_loc or video:player_loc")
        for source in sources:
            if page and same(source.text.strip(SPACE)) == same(page):
                yield fault("video-loc", source, "is the page itself")
        tags = video.all(VIDEO, "tag")
        if len(tags) > MAX_VIDEO_TAGS:
            reason = f"is there {len(tags):,} times, but {MAX_VIDEO_TAGS} are allowed"
            yield fault("video-value", tags[MAX_VIDEO_TAGS], reason)


def _news(url: RawElement, now: datetime) -> Iterator[Fault]:
    for news in url.all(NEWS, "news"):
        for when in news.all(NEWS, "publication_date")[:1]:
            day = moment(when.text)
            if day and _before(day, now - _NEWS_AGE):
                text = format_value(when.text.strip(SPACE))
                yield fault("news-old", when, f"is {text}, which is more than two days ago")
            if day and too_late(day, now):
                yield fault(
                    "news-value",
                    when,
                    f"is {format_value(when.text.strip(SPACE))}, which is in the future",
                )


def _before(one: date | datetime, other: date | datetime) -> bool:
    """Return whether one is earlier for sure: only two datetimes are compared by their times."""
    if isinstance(one, datetime) and isinstance(other, datetime):
        return one < other
    return day_of(one) < day_of(other)


def _of_other_origins(listed: Iterable[Listed]) -> Iterator[tuple[Listed, str]]:
    """Yield entries whose scheme, host and port are not those of most, with those of most."""
    origins = [(each, origin_of(each.loc)) for each in listed if _IS_HTTP.match(each.loc)]
    counts = Counter(origin for _, origin in origins if origin)
    if len(counts) > 1:
        most, _ = counts.most_common(1)[0]
        for each, origin in origins:
            if origin and origin != most:
                yield each, most


def _duplicates(listed: Iterable[Listed], findings: Findings) -> None:
    seen: dict[str, Listed] = {}
    for each in listed:
        first = seen.setdefault(same(each.loc), each)
        if first is not each:
            findings.add(
                "duplicate-loc", each.place, f"is already listed in {first.place}", each.loc
            )


def _leads_on(loc: str) -> bool:
    """Return whether a sitemap can be looked for under the URL that an index gives."""
    return len(loc) <= MAX_LOC_LENGTH and url_fault(loc) is None


def _build_day(file: SitemapFile) -> date | None:
    """Return the day on which a file was written; None if it may be a file of this plugin.

    This plugin never writes the date of a build. But on the day on which all pages are committed,
    the date of that commit is the day of the build.
    """
    return file.modified.date() if file.modified and not may_be_ours(file.data) else None


def _same_lastmod(run: _Run) -> None:
    """Find a sitemap whose dates are those of its build.

    All pages then have the day on which the file was written. One datetime for all pages, in whole
    seconds, may be that of a commit that added them all.
    """
    dated = [(each, each.lastmod) for each in run.listed if each.lastmod]
    values = {when for _, when in dated}
    days = {day_of(when) for when in values}
    if len(dated) < _ENOUGH or len(days) > 1 or days != run.days or _is_one_commit(values):
        return
    day = days.pop().isoformat()
    reason = f"all {len(dated):,} dates are {day}, the day on which the file was written"
    run.findings.add("same-lastmod", _place(dated[0][0].place.file or ""), reason)


def _is_one_commit(values: set[date | datetime]) -> bool:
    (first, *others) = values
    return not others and isinstance(first, datetime) and not first.microsecond
