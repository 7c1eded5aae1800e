"""Check a sitemap or an index, and all of its parts, against the protocol."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from mkdocs_sitemap_plus.check import CheckCode, Findings, Listed, Report, most_frequent, structure
from mkdocs_sitemap_plus.check.all_entries import check_duplicates, check_local_hosts
from mkdocs_sitemap_plus.check.packing import check_packing
from mkdocs_sitemap_plus.sitemap import MAX_NEWS, MAX_URLS, newest
from mkdocs_sitemap_plus.sitemap.codes import SitemapCode
from mkdocs_sitemap_plus.sitemap.copies import Copy, folder_of
from mkdocs_sitemap_plus.sitemap.elements import (
    IMAGE_TAG,
    LINK_TAG,
    NEWS_TAG,
    OTHER_KNOWN,
    SITEMAP,
    URL,
    VIDEO_TAG,
    Shape,
)
from mkdocs_sitemap_plus.sitemap.open_sitemaps import (
    MAX_FILES,
    WEB,
    FoundFile,
    LoadedSitemap,
    SitemapQueue,
    Web,
)
from mkdocs_sitemap_plus.sitemap.other_forms import read_elements
from mkdocs_sitemap_plus.sitemap.parse import RawElement, is_utf_8
from mkdocs_sitemap_plus.sitemap.render import NAMESPACE, begins_like_own_file
from mkdocs_sitemap_plus.sitemap.urls import before_path, origin_url, within
from mkdocs_sitemap_plus.sitemap.values import SPACE, strict_date
from mkdocs_sitemap_plus.sitemap.xml import UnreadableError, sitemap_place
from mkdocs_sitemap_plus.wording import format_value

_BOM = b"\xef\xbb\xbf"
_XML_DECLARATION = re.compile(rb"([^<]*)(<\?xml\b[^>]*\?>)")
_START = 4096  # bytes of a file in which the XML declaration is looked for
_IS_HTTP = re.compile("https?://", re.IGNORECASE)
_URL_TAG, _SITEMAP_TAG = f"{NAMESPACE} url", f"{NAMESPACE} sitemap"
_LOC_TAG, _LASTMOD_TAG = f"{NAMESPACE} loc", f"{NAMESPACE} lastmod"
_OWN, _FEED, _OTHER = "own", "feed", "other"  # a sitemap of this package, a feed, or neither
_NO_LINKS: Mapping[str, str] = {}


class Checked(NamedTuple):
    """The result of a check."""

    findings: Findings
    listed: list[Listed]  # the entries of all sitemaps, without those of indexes
    files: tuple[str, ...]  # the paths or URLs of all files
    forms: dict[str, str]  # of each sitemap file: one of this package, a feed, or neither
    origins: dict[str, frozenset[str]]  # the hosts whose pages each file may list
    interrupted: bool = False  # whether Ctrl-C ended the check before all was read
    copy: Copy | None = None  # where the parts of an index were read instead of their own URLs

    @property
    def own(self) -> frozenset[str]:
        """The files that this package wrote, in which a date is no build date."""
        return frozenset(name for name, form in self.forms.items() if form == _OWN)

    @property
    def feeds(self) -> tuple[str, ...]:
        """The files that are feeds."""
        return tuple(name for name, form in self.forms.items() if form == _FEED)


def check(
    sitemap: FoundFile,
    *,
    now: datetime,
    web: Web = WEB,
    findings: Findings | None = None,
    images: bool = False,
) -> Checked:
    """Check a sitemap, or an index and its parts, which are the sitemaps that it lists.

    `now` has a time zone. What is found is added to `findings`. With `images`, the entries have the
    URLs of their images. After Ctrl-C, the result has what was read until then. The links between
    languages are checked by `check_language_versions`. Raises SitemapError if the first file can't
    be opened.
    """
    queue = SitemapQueue([sitemap], web)
    so_far = Checked(Findings() if findings is None else findings, [], (), {}, {})
    interrupted = True
    with suppress(KeyboardInterrupt):
        _check_files(queue, so_far, now, images=images)
        interrupted = False
    return so_far._replace(files=tuple(queue.names), interrupted=interrupted, copy=queue.copy)


def _check_files(queue: SitemapQueue, so_far: Checked, now: datetime, *, images: bool) -> None:
    findings, listed = so_far.findings, so_far.listed
    indexes: set[str] = set()
    for opened in queue:
        entry: Listed | None = opened.listed_by
        if isinstance(opened.error, UnreadableError):
            _report_unreadable(opened.name, opened.error, findings)
        elif opened.error:
            if entry is None:
                raise opened.error
            file = "" if opened.name == entry.loc else f"{opened.name} "
            reason = f"{file}{opened.error.problem.found}"
            findings.add(CheckCode.PART_MISSING, entry.place, reason, entry.loc)
        elif opened.file is None:  # read before: it is listed twice, or is the index itself
            if entry and opened.name in indexes:
                reason = "is this index itself" if opened.name == entry.file else "is an index"
                findings.add(CheckCode.NESTED_INDEX, entry.place, reason, entry.loc)
        else:
            check_packing(opened.file, findings)
            file_check = _FileCheck(opened.file, opened, findings, now, images)
            file_check.run()
            if file_check.is_index:
                indexes.add(opened.name)
                _follow(queue, opened, file_check)
            elif file_check.is_known:
                listed += file_check.listed
                so_far.forms[opened.name] = file_check.form
                so_far.origins[opened.name] = file_check.origins
    check_duplicates(listed, findings)
    check_local_hosts(listed, findings)


def _report_unreadable(
    name: str, error: UnreadableError, findings: Findings, data: bytes = b""
) -> None:
    problem = error.problem
    line = problem.place.line if problem.place else None
    is_wrong_encoding = error.code == SitemapCode.NOT_XML and line and not is_utf_8(data)
    code = "encoding" if is_wrong_encoding else error.code
    name_of_code = "TOO_MANY_BYTES" if code == "too-large" else code.upper().replace("-", "_")
    findings.add(CheckCode[name_of_code], sitemap_place(name, line), problem.found, fix=problem.fix)


def _follow(queue: SitemapQueue, opened: FoundFile, index: "_FileCheck") -> None:
    """Add the parts of an index to the queue, unless another index lists this index."""
    if index.entry:
        return
    if len(index.listed) > MAX_FILES:
        reason = f"lists {len(index.listed):,} sitemaps, of which {MAX_FILES:,} are read"
        index.findings.add(CheckCode.PART_UNREAD, sitemap_place(opened.name), reason)
    check_duplicates(index.listed, index.findings)
    usable = [part for part in index.listed[:MAX_FILES] if part.can_be_requested]
    queue.add(opened, usable)


@dataclass(slots=True)
class _FileCheck:
    """Checks one file."""

    file: LoadedSitemap
    found: FoundFile
    findings: Findings
    now: datetime
    images: bool  # whether the entries have their images
    listed: list[Listed] = field(default_factory=list)
    is_known: bool = False  # whether the root element is that of a sitemap or an index
    is_index: bool = False
    form: str = _OTHER
    entries: int = 0  # the number of all entries; `listed` has only those with a ``loc``
    news: int = 0  # the number of articles
    origins: frozenset[str] = frozenset()  # the hosts whose pages the file may list

    @property
    def entry(self) -> Listed | None:
        """The entry of the file in the index that lists it; None for the first file."""
        entry: Listed | None = self.found.listed_by
        return entry

    def run(self) -> None:
        is_whole = False
        try:
            root, entries, is_feed = read_elements(self._from_declaration(), self.file.name)
            is_own = begins_like_own_file(self.file.data)
            self.form = _FEED if is_feed else _OWN if is_own else _OTHER
            self._check_root(root)
            if self.is_known:
                structure.check_attributes(root, URL, self._report())
                for element in entries:
                    self._check_child(element)
                is_whole = True
        except UnreadableError as error:
            _report_unreadable(self.file.name, error, self.findings, self.file.data)
        if self.is_known:
            self._check_counts(is_whole=is_whole)
            self._check_folder()
            if not self.is_index:
                self._check_lastmod_in_index()

    def _report(self, loc: str | None = None) -> Report:
        return Report(findings=self.findings, file=self.file.name, loc=loc or None)

    def _find(self, code: CheckCode, reason: str, line: int | None = None) -> None:
        self.findings.add(code, sitemap_place(self.file.name, line), reason)

    def _from_declaration(self) -> bytes:
        """Return the file without text before its XML declaration; each line keeps its number."""
        data = self.file.data
        if data.startswith(_BOM):
            self._find(CheckCode.BOM, "begins with a byte order mark", 1)
        content = data.removeprefix(_BOM)
        start = _XML_DECLARATION.match(content[:_START])
        if not start or not start[1]:
            return data
        text, declaration = start.groups()
        shown = text.decode("utf-8", "replace").strip()
        what = f"the text {format_value(shown)}" if shown else "white space"
        self._find(CheckCode.LEADING_TEXT, f"begins with {what}", 1)
        return bytes(declaration + b"\n" * text.count(b"\n") + content[start.end() :])

    def _check_root(self, root: RawElement) -> None:
        if root.name not in ("urlset", "sitemapindex"):
            found = f"the root element is {format_value(root.name)}"
            self._find(
                CheckCode.WRONG_ROOT, f"{found}, but must be urlset or sitemapindex", root.line
            )
        elif root.space != NAMESPACE:
            found = f"the namespace is {format_value(root.space)}"
            self._find(CheckCode.WRONG_NAMESPACE, f"{found}, but must be {NAMESPACE!r}", root.line)
        else:
            self.is_index, self.is_known = root.name == "sitemapindex", True
            if self.is_index and self.entry:
                self.findings.add(
                    CheckCode.NESTED_INDEX, self.entry.place, "is an index", self.entry.loc
                )

    def _check_child(self, element: RawElement) -> None:
        tag, shape = (_SITEMAP_TAG, SITEMAP) if self.is_index else (_URL_TAG, URL)
        if element.tag == tag:
            self.entries += 1
            self._check_entry(element, shape)
        elif not element.tag:
            text = format_value(element.text.strip(SPACE))
            self._find(
                CheckCode.TEXT, f"contains the text {text} between its entries", element.line
            )
        elif element.space not in OTHER_KNOWN:
            is_foreign = element.space not in (NAMESPACE, "")
            code = CheckCode.ROOT_CHILD if is_foreign else CheckCode.ELEMENT_UNKNOWN
            self._report().add(code, element, "is between the entries")

    def _check_entry(self, element: RawElement, shape: Shape) -> None:
        by_tag = element.by_tag()
        loc = _text(by_tag, _LOC_TAG)
        when = strict_date(_text(by_tag, _LASTMOD_TAG))
        links = by_tag.get(LINK_TAG, [])
        alternates = structure.targets(links) if links else _NO_LINKS
        if loc:
            images = structure.images_of(by_tag.get(IMAGE_TAG, [])) if self.images else ()
            where = (loc, self.file.name, element.line)
            self.listed.append(Listed(*where, when, alternates, images))
        report = self._report(loc)
        structure.check_element(element, shape, report)
        if when and structure.is_future(when, self.now):
            lastmod = by_tag[_LASTMOD_TAG][0]
            text = format_value(lastmod.text.strip(SPACE))
            report.add(CheckCode.LASTMOD_FUTURE, lastmod, f"is {text}, which is in the future")
        if not self.is_index:
            structure.check_links(element, links, alternates, report)
            structure.check_images(element, by_tag.get(IMAGE_TAG, []), report)
            structure.check_videos(by_tag.get(VIDEO_TAG, []), report)
            news = by_tag.get(NEWS_TAG, [])
            self.news += len(news)
            structure.check_news(news, report, self.now)

    def _check_counts(self, *, is_whole: bool) -> None:
        if not self.entries and is_whole:
            self._find(CheckCode.EMPTY, "has no entries")
        if self.entries > MAX_URLS:
            reason = f"has at least {self.entries:,} entries, but {MAX_URLS:,} are allowed"
            self._find(CheckCode.TOO_MANY_URLS, reason)
        if self.news > MAX_NEWS:
            self._find(
                CheckCode.TOO_MANY_NEWS, f"has {self.news:,} articles, but {MAX_NEWS:,} are allowed"
            )

    def _check_folder(self) -> None:
        """Report entries that this file may not list (sitemaps.org, "Sitemap file location").

        If the robots.txt of a host names a sitemap, the sitemap may list any page of this host
        (sitemaps.org, "Sitemaps & Cross Submits"). If the URL of a sitemap redirects, the sitemap
        may list what is below the folder of its first URL or of its last URL.
        """
        code = CheckCode.PART_OUTSIDE if self.is_index else CheckCode.LOC_OUTSIDE
        # A file on a disk, or of a preview, has its URL only if an index lists it.
        listed_as = self.entry.loc if self.entry else None
        is_published = _IS_HTTP.match(self.file.name) and not self.found.copy
        url = self.file.name if is_published else listed_as
        absolute = [entry for entry in self.listed if _IS_HTTP.match(entry.loc)]
        if url is not None:
            folders = [folder_of(address) for address in (url, self.file.moved_to) if address]
            folders += self.found.hosts
            self.origins = frozenset(filter(None, map(origin_url, folders)))
            outside = [
                entry for entry in absolute if not any(within(entry.loc, up) for up in folders)
            ]
            reason = f"is not below {folders[0]}"
        else:
            # Most URLs are equal before their paths, so the cache of `_known_origin` has them.
            origins = [_known_origin(before_path(entry.loc)) for entry in absolute]
            most = most_frequent(origins)
            self.origins = frozenset((most,))
            pairs = zip(absolute, origins, strict=True)
            outside = [entry for entry, origin in pairs if origin and origin != most]
            is_usual = origins.count(most) > len(origins) / 2
            rule = "unlike most entries" if is_usual else "but all entries must be on one host"
            reason = f"is not on {most}, {rule}"
        for entry in outside:
            self.findings.add(code, entry.place, reason, entry.loc)

    def _check_lastmod_in_index(self) -> None:
        if not self.entry or not self.entry.lastmod:
            return
        date_of_page = newest(entry.lastmod for entry in self.listed if entry.lastmod)
        if date_of_page and structure.is_before(self.entry.lastmod, date_of_page):
            written, page = self.entry.lastmod.isoformat(), date_of_page.isoformat()
            reason = f"has the lastmod {written}, but a page in it has {page}"
            self.findings.add(CheckCode.PART_LASTMOD, self.entry.place, reason, self.entry.loc)


_known_origin = lru_cache(maxsize=1024)(origin_url)


def _text(by_tag: Mapping[str, list[RawElement]], tag: str) -> str:
    found = by_tag.get(tag)
    return found[0].text.strip(SPACE) if found else ""
