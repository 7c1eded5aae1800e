"""A sitemap or an index, and all of its parts, against the protocol."""

import os.path
import re
from codecs import getincrementaldecoder
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from pathlib import Path

from mkdocs_sitemap_plus.check import alternates
from mkdocs_sitemap_plus.check.elements import attribute_faults, element_faults, fault
from mkdocs_sitemap_plus.check.finding import Fault, Findings
from mkdocs_sitemap_plus.check.listed import Listed, same
from mkdocs_sitemap_plus.check.shapes import SITEMAP_ENTRY, URL_ENTRY, Shape
from mkdocs_sitemap_plus.check.values import SPACE, day_of, moment, too_late, url_fault
from mkdocs_sitemap_plus.collect import MAX_FILES, SitemapFile, open_sitemap, parts
from mkdocs_sitemap_plus.errors import SitemapError
from mkdocs_sitemap_plus.evidence import Place, Voice
from mkdocs_sitemap_plus.fetch import TIMEOUT
from mkdocs_sitemap_plus.pages.urls import origin_of, within
from mkdocs_sitemap_plus.sitemap.entry import instant
from mkdocs_sitemap_plus.sitemap.limits import MAX_IMAGES, MAX_NEWS, MAX_URLS, MAX_VIDEO_TAGS
from mkdocs_sitemap_plus.sitemap.parse import RawElement, elements
from mkdocs_sitemap_plus.sitemap.read_entry import IMAGE, NEWS, VIDEO
from mkdocs_sitemap_plus.sitemap.urlset import NAMESPACE
from mkdocs_sitemap_plus.wording import format_value as shown

_PIECE = 1 << 18
_BOM = b"\xef\xbb\xbf"
_UNREAD = {
    "xml": "not-xml",
    "empty": "not-xml",
    "doctype": "doctype",
    "encoding": "encoding",
    "gzip": "gzip",
    "too-large": "too-many-bytes",
    "too-long": "too-complex",
    "too-deep": "too-complex",
    "too-many": "too-complex",
}
"""The codes of `sitemap.parse` as those of a check. All others are of a file that is not there."""

_IS_HTTP = re.compile("https?://", re.IGNORECASE)
_ENOUGH = 5
"""Dated pages from which on one date for all of them says something."""
_NEWS_AGE = timedelta(days=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What came of a check.

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


def check(where: str, *, now: datetime, timeout: float = TIMEOUT) -> Checked:
    """Check a file, a folder with a sitemap in it, or a URL, with all parts of an index.

    Args:
        where: what a person gave.
        now: the time, aware.
        timeout: seconds to wait for a server.

    Raises:
        SitemapError: there is nothing to check: no file, no answer.
    """
    run = _Run(now=now, timeout=timeout)
    path = run.all_of(where)
    _same_lastmod(run.listed, run.findings)
    _duplicates(run.listed, run.findings)
    alternates.between(run.listed, run.findings)
    return Checked(
        findings=run.findings, listed=tuple(run.listed), files=tuple(run.files), path=path
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Waiting:
    """A file that is to be read.

    Attributes:
        where: its path or URL.
        entry: the entry of the index that names it; None for what a person gave.
    """

    where: str
    entry: Listed | None


@dataclass(slots=True, kw_only=True)
class _Run:
    """One check, while it goes on."""

    now: datetime
    timeout: float
    findings: Findings = field(default_factory=Findings)
    listed: list[Listed] = field(default_factory=list)
    files: dict[str, bool] = field(default_factory=dict)  # and whether it is an index
    waiting: deque[_Waiting] = field(default_factory=deque)

    def all_of(self, where: str) -> Path | None:
        """Read what is there, and what it leads to; the path of the first file."""
        first = self._open(_Waiting(where=where, entry=None))
        if first is not None:
            self._file(first, None)
        while self.waiting:
            part = self.waiting.popleft()
            file = None if self._knows(part.where, part.entry) else self._open(part)
            if file is not None and not self._knows(file.name, part.entry):
                self._file(file, part.entry)
        return first.path if first else None

    def _knows(self, name: str, entry: Listed | None) -> bool:
        """Whether that file was read; an index that leads back to itself is one in an index."""
        if self.files.get(name) and entry:
            self.findings.add("nested-index", entry.place, "is this index itself", entry.loc)
        return name in self.files

    def _open(self, part: _Waiting) -> SitemapFile | None:
        try:
            return open_sitemap(part.where, timeout=self.timeout)
        except SitemapError as error:
            self.files.setdefault(part.where, False)
            if error.problem.code in _UNREAD:
                self._unread(part.where, error)
            elif part.entry is None:
                raise
            else:
                reason = f"is not there: {part.where} {error.problem.found}"
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
        self.findings.add(code, _place(name, line), problem.found)


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
        if not self._starts_right():
            return
        found = elements(self.file.data, self.file.name)
        root = next(found)
        if not self._is_known(root):
            return
        self._tell(attribute_faults(root, URL_ENTRY), None)
        for element in found:
            self._child(element)
        self.ended = True

    def between(self) -> None:
        """Say what only the whole file tells, as far as it was read."""
        if not self.known:
            return
        place = _place(self.file.name)
        if not self.entries and self.ended:
            self._find("empty", place, "has no entries")
        if self.entries > MAX_URLS:
            self._find("too-many-urls", place, f"has {self.entries:,} entries or more")
        if self.news > MAX_NEWS:
            self._find("too-many-news", place, f"has {self.news:,} articles")
        self._outside()
        if self.is_index:
            self._lead_on()
        else:
            self.run.listed.extend(self.listed)
            self._compare_with_index()

    def _starts_right(self) -> bool:
        data = self.file.data
        if data.startswith(_BOM):
            self._find("bom", _place(self.file.name, 1), "begins with a byte order mark")
        text = data.removeprefix(_BOM)
        rest = text[:4096].lstrip()
        late = rest.startswith(b"<?xml") and not text.startswith(b"<?xml")
        if late:
            self._find("leading-text", _place(self.file.name, 1), "begins with white space")
        return not late

    def _is_known(self, root: RawElement) -> bool:
        place = _place(self.file.name, root.line)
        if root.name not in ("urlset", "sitemapindex"):
            self._find("wrong-root", place, f"has the root element {shown(root.name)}")
        elif root.space != NAMESPACE:
            self._find("wrong-namespace", place, f"has the namespace {shown(root.space)}")
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
            reason = f"has the text {shown(element.text.strip(SPACE))} between its entries"
            self._find("text", _place(self.file.name, element.line), reason)
        else:
            foreign = element.space not in (NAMESPACE, "")
            code = "root-child" if foreign else "element-unknown"
            self._tell([fault(code, element, "stands between the entries")], None)

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
            stated = element.all(NAMESPACE, "lastmod")[0]
            self._tell(
                [fault("lastmod-future", stated, f"is {shown(_text(element, 'lastmod'))}")], loc
            )
        if not self.is_index:
            self.news += len(element.all(NEWS, "news"))
            self._tell(alternates.link_faults(element, loc), loc)
            self._tell(_images(element), loc)
            self._tell(_videos(element, loc), loc)
            self._tell(_news(element, self.run.now), loc)

    def _outside(self) -> None:
        """Entries that this file may not list (sitemaps.org, "Sitemap file location")."""
        code = "part-outside" if self.is_index else "loc-outside"
        url = self.entry.loc if self.entry else None
        if self.file.path is None:
            url = self.file.name
        if url is not None:
            folder = url[: url.rindex("/") + 1]
            outside = (each for each in self.listed if not within(each.loc, folder))
            for each in outside:
                self._find(code, each.place, f"is not under {folder}", each.loc)
            return
        for each, most in _of_other_origins(self.listed):
            self._find(code, each.place, f"is not on {most}, as most are", each.loc)

    def _lead_on(self) -> None:
        if self.entry:
            return
        if len(self.listed) > MAX_FILES:
            left = f"lists {len(self.listed):,} sitemaps; the first {MAX_FILES:,} are read"
            self._find("part-unread", _place(self.file.name), left)
        _duplicates(self.listed, self.run.findings)
        entries = [each for each in self.listed[:MAX_FILES] if url_fault(each.loc) is None]
        for where, entry in zip(
            parts(self.file, (entry.loc for entry in entries)), entries, strict=True
        ):
            self.run.waiting.append(_Waiting(where=where, entry=entry))

    def _compare_with_index(self) -> None:
        """An index that dates a file before a page in it hides that page's change."""
        dates = [each.lastmod for each in self.listed if each.lastmod]
        if not self.entry or not self.entry.lastmod or not dates:
            return
        newest = max(dates, key=instant)
        if _before(self.entry.lastmod, newest):
            reason = (
                f"has lastmod {self.entry.lastmod.isoformat()}; a page in it, {newest.isoformat()}"
            )
            self._find("part-lastmod", self.entry.place, reason, self.entry.loc)

    def _tell(self, faults: Iterable[Fault], loc: str | None) -> None:
        for each in faults:
            self._find(each.code, _place(self.file.name, each.line), each.reason, loc or None)

    def _find(self, code: str, place: Place, reason: str, loc: str | None = None) -> None:
        self.run.findings.add(code, place, reason, loc)


def _place(name: str, line: int | None = None) -> Place:
    return Place(voice=Voice.SITEMAP, file=name, line=line)


def _text(element: RawElement, name: str) -> str:
    found = element.all(NAMESPACE, name)
    return found[0].text.strip(SPACE) if found else ""


def _is_utf_8(data: bytes) -> bool:
    """Whether it is, without a copy of all of it."""
    decoder = getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _PIECE):
            decoder.decode(data[start : start + _PIECE])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _beside(file: SitemapFile, findings: Findings) -> None:
    """Whether the same file under its other name, with or without ``.gz``, is the same."""
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
            findings.add("gz-differs", place, f"does not hold what {named} holds")
    except SitemapError as error:
        findings.add("gz-differs", place, error.problem.found)


def _images(url: RawElement) -> Iterator[Fault]:
    images = url.all(IMAGE, "image")
    if len(images) > MAX_IMAGES:
        yield fault("too-many-images", url, f"has {len(images):,} images")
    seen: set[str] = set()
    for image in images:
        for loc in image.all(IMAGE, "loc")[:1]:
            if loc.text.strip(SPACE) in seen:
                yield fault("image-twice", loc, f"{shown(loc.text.strip(SPACE))} is there twice")
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
            reason = f"stands {len(tags):,} times; {MAX_VIDEO_TAGS} are allowed"
            yield fault("video-value", tags[MAX_VIDEO_TAGS], reason)


def _news(url: RawElement, now: datetime) -> Iterator[Fault]:
    for news in url.all(NEWS, "news"):
        for when in news.all(NEWS, "publication_date")[:1]:
            day = moment(when.text)
            if day and _before(day, now - _NEWS_AGE):
                yield fault("news-old", when, f"is {shown(when.text.strip(SPACE))}")
            if day and too_late(day, now):
                yield fault(
                    "news-value", when, f"is {shown(when.text.strip(SPACE))}, in the future"
                )


def _before(one: date | datetime, other: date | datetime) -> bool:
    """Whether it is earlier beyond doubt: of two that are not both datetimes, the days count."""
    if isinstance(one, datetime) and isinstance(other, datetime):
        return one < other
    return day_of(one) < day_of(other)


def _of_other_origins(listed: Iterable[Listed]) -> Iterator[tuple[Listed, str]]:
    """Entries whose scheme, host and port are not those of most, and what those are."""
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
            findings.add("duplicate-loc", each.place, f"is already in {first.place}", each.loc)


def _same_lastmod(listed: Iterable[Listed], findings: Findings) -> None:
    dated = [(each, each.lastmod) for each in listed if each.lastmod]
    days = {day_of(when) for _, when in dated}
    if len(dated) >= _ENOUGH and len(days) == 1:
        reason = f"dates all {len(dated):,} pages {days.pop().isoformat()}"
        findings.add("same-lastmod", _place(dated[0][0].place.file or ""), reason)
