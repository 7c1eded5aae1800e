"""Check a sitemap or an index, and all of its parts, against the protocol."""

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from typing import NamedTuple

from mkdocs_sitemap_plus.check import Findings, Listed, Report, most_frequent, structure
from mkdocs_sitemap_plus.files import is_file, is_utf_8
from mkdocs_sitemap_plus.problems import SitemapError
from mkdocs_sitemap_plus.sitemap import MAX_NEWS, MAX_URLS, newest, utc_day
from mkdocs_sitemap_plus.sitemap.copies import folder_of
from mkdocs_sitemap_plus.sitemap.elements import SITEMAP, URL, Shape
from mkdocs_sitemap_plus.sitemap.fetch import TIMEOUT
from mkdocs_sitemap_plus.sitemap.open_sitemaps import (
    MAX_FILES,
    FoundFile,
    LoadedSitemap,
    Walk,
    open_sitemap,
)
from mkdocs_sitemap_plus.sitemap.parse import RawElement, UnreadableError, sitemap_place
from mkdocs_sitemap_plus.sitemap.plain_entries import PlainEntry, root_and_entries
from mkdocs_sitemap_plus.sitemap.render import NAMESPACE, NEWS, begins_like_own_file
from mkdocs_sitemap_plus.sitemap.urls import before_path, origin_url, url_key, within
from mkdocs_sitemap_plus.sitemap.values import SPACE, strict_date
from mkdocs_sitemap_plus.wording import format_value

_BOM = b"\xef\xbb\xbf"
_XML_DECLARATION = re.compile(rb"([^<]*)(<\?xml\b[^>]*\?>)")
_START = 4096  # bytes of a file in which the XML declaration is looked for
_IS_HTTP = re.compile("https?://", re.IGNORECASE)
_NO_LINKS: frozenset[str] = frozenset()
_ENOUGH = 5  # this many pages do not have the same date by chance


class Checked(NamedTuple):
    """The result of a check."""

    findings: Findings
    listed: list[Listed]  # the entries of all sitemaps, without those of indexes
    files: tuple[str, ...]  # the paths or URLs of all files
    origins: dict[str, frozenset[str]]  # the hosts whose pages each file may list
    interrupted: bool = False  # whether Ctrl-C ended the check before all was read


def check(
    sitemap: FoundFile, *, now: datetime, timeout: float = TIMEOUT, images: bool = False
) -> Checked:
    """Check a sitemap, or an index and its parts, which are the sitemaps that it lists.

    `now` has a time zone. With `images`, the entries have the URLs of their images. After Ctrl-C,
    the result has what was read until then. `check_language_versions` in `site_files.py` checks
    the links between languages. Raises SitemapError if the first file can't be opened.
    """
    walk = Walk([sitemap], timeout)
    so_far = Checked(Findings(), [], (), {})
    interrupted = True
    with suppress(KeyboardInterrupt):
        _check_files(walk, so_far, now, images=images)
        interrupted = False
    return so_far._replace(files=tuple(walk.names), interrupted=interrupted)


def _check_files(walk: Walk, so_far: Checked, now: datetime, *, images: bool) -> None:
    findings, listed = so_far.findings, so_far.listed
    indexes: set[str] = set()
    file_days: set[date | None] = set()
    for opened in walk:
        entry: Listed | None = opened.listed_by
        if isinstance(opened.error, UnreadableError):
            _report_unreadable(opened.name, opened.error, findings)
        elif opened.error:
            if entry is None:
                raise opened.error
            file = "" if opened.name == entry.loc else f"{opened.name} "
            reason = f"{file}{opened.error.problem.found}"
            findings.add("part-missing", entry.place, reason, entry.loc)
        elif opened.file is None:  # read before: it is listed twice, or is the index itself
            if entry and opened.name in indexes:
                reason = "is this index itself" if opened.name == entry.file else "is an index"
                findings.add("nested-index", entry.place, reason, entry.loc)
        else:
            _check_gzip_copy(opened.file, findings)
            reading = _Reading(opened.file, opened, findings, now, images)
            reading.read()
            if reading.is_index:
                indexes.add(opened.name)
                _follow(walk, opened, reading)
            elif reading.is_known:
                listed += reading.listed
                so_far.origins[opened.name] = reading.origins
                # In a sitemap of this plugin, a date is the day of the build only by chance.
                is_own = begins_like_own_file(opened.file.data)
                modified = None if is_own else opened.file.modified
                file_days.add(modified.date() if modified else None)
    _check_build_date(listed, file_days, findings)
    _check_duplicates(listed, findings)


def _report_unreadable(
    name: str, error: UnreadableError, findings: Findings, data: bytes = b""
) -> None:
    problem = error.problem
    line = problem.place.line if problem.place else None
    is_wrong_encoding = problem.code == "not-xml" and line and not is_utf_8(data)
    code = "encoding" if is_wrong_encoding else problem.code
    findings.add(code, sitemap_place(name, line), problem.found, fix=problem.fix)


def _follow(walk: Walk, opened: FoundFile, index: "_Reading") -> None:
    """Add the parts of an index to the walk, unless another index lists this index."""
    if index.entry:
        return
    if len(index.listed) > MAX_FILES:
        reason = f"lists {len(index.listed):,} sitemaps, of which {MAX_FILES:,} are read"
        index.findings.add("part-unread", sitemap_place(opened.name), reason)
    _check_duplicates(index.listed, index.findings)
    usable = [each for each in index.listed[:MAX_FILES] if each.can_be_requested]
    walk.add(opened, usable)


@dataclass(slots=True)
class _Reading:
    """Checks one file."""

    file: LoadedSitemap
    found: FoundFile
    findings: Findings
    now: datetime
    images: bool  # whether the entries have their images
    listed: list[Listed] = field(default_factory=list)
    is_known: bool = False  # whether the root element is that of a sitemap or an index
    is_index: bool = False
    entries: int = 0  # the number of all entries; `listed` has only those with a ``loc``
    news: int = 0  # the number of articles
    origins: frozenset[str] = frozenset()  # the hosts whose pages the file may list

    @property
    def entry(self) -> Listed | None:
        """The entry of the file in the index that lists it; None for the first file."""
        entry: Listed | None = self.found.listed_by
        return entry

    def read(self) -> None:
        is_whole = False
        try:
            until = self.now + structure.CLOCKS_DIFFER
            root, elements = root_and_entries(self._from_declaration(), self.file.name, until=until)
            self._check_root(root)
            if self.is_known:
                structure.check_attributes(root, URL, self._report())
                for element in elements:
                    if isinstance(element, PlainEntry):
                        self._add_plain(element)
                    else:
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

    def _find(self, code: str, reason: str, line: int | None = None) -> None:
        self.findings.add(code, sitemap_place(self.file.name, line), reason)

    def _from_declaration(self) -> bytes:
        """Return the file without text before its XML declaration; each line keeps its number."""
        data = self.file.data
        if data.startswith(_BOM):
            self._find("bom", "begins with a byte order mark", 1)
        content = data.removeprefix(_BOM)
        start = _XML_DECLARATION.match(content[:_START])
        if not start or not start[1]:
            return data
        text, declaration = start.groups()
        shown = text.decode("utf-8", "replace").strip()
        what = f"the text {format_value(shown)}" if shown else "white space"
        self._find("leading-text", f"begins with {what}", 1)
        return bytes(declaration + b"\n" * text.count(b"\n") + content[start.end() :])

    def _check_root(self, root: RawElement) -> None:
        if root.name not in ("urlset", "sitemapindex"):
            found = f"the root element is {format_value(root.name)}"
            self._find("wrong-root", f"{found}, but must be urlset or sitemapindex", root.line)
        elif root.space != NAMESPACE:
            found = f"the namespace is {format_value(root.space)}"
            self._find("wrong-namespace", f"{found}, but must be {NAMESPACE!r}", root.line)
        else:
            self.is_index, self.is_known = root.name == "sitemapindex", True
            if self.is_index and self.entry:
                self.findings.add("nested-index", self.entry.place, "is an index", self.entry.loc)

    def _add_plain(self, entry: PlainEntry) -> None:
        self.entries += 1
        links = structure.targets(entry.links) if entry.links else (_NO_LINKS, _NO_LINKS)
        images = entry.images if self.images else ()
        where = (entry.loc, self.file.name, entry.line)
        self.listed.append(Listed(*where, entry.lastmod, *links, images))

    def _check_child(self, element: RawElement) -> None:
        name, shape = ("sitemap", SITEMAP) if self.is_index else ("url", URL)
        if (element.space, element.name) == (NAMESPACE, name):
            self.entries += 1
            self._check_entry(element, shape)
        elif not element.name:
            text = format_value(element.text.strip(SPACE))
            self._find("text", f"contains the text {text} between its entries", element.line)
        else:
            is_foreign = element.space not in (NAMESPACE, "")
            code = "root-child" if is_foreign else "element-unknown"
            self._report().add(code, element, "is between the entries")

    def _check_entry(self, element: RawElement, shape: Shape) -> None:
        loc = _text(element, "loc")
        when = strict_date(_text(element, "lastmod"))
        links = structure.targets_of(element)
        if loc:
            images = structure.images_of(element) if self.images else ()
            self.listed.append(Listed(loc, self.file.name, element.line, when, *links, images))
        report = self._report(loc)
        structure.check_element(element, shape, report)
        if when and structure.is_future(when, self.now):
            text = format_value(_text(element, "lastmod"))
            lastmod = element.all(NAMESPACE, "lastmod")[0]
            report.add("lastmod-future", lastmod, f"is {text}, which is in the future")
        if not self.is_index:
            self.news += len(element.all(NEWS, "news"))
            structure.check_links(element, links[0], report)
            structure.check_images(element, report)
            structure.check_videos(element, report)
            structure.check_news(element, report, self.now)

    def _check_counts(self, *, is_whole: bool) -> None:
        if not self.entries and is_whole:
            self._find("empty", "has no entries")
        if self.entries > MAX_URLS:
            reason = f"has at least {self.entries:,} entries, but {MAX_URLS:,} are allowed"
            self._find("too-many-urls", reason)
        if self.news > MAX_NEWS:
            self._find("too-many-news", f"has {self.news:,} articles, but {MAX_NEWS:,} are allowed")

    def _check_folder(self) -> None:
        """Report entries that this file may not list (sitemaps.org, "Sitemap file location").

        If the robots.txt of a host names a sitemap, the sitemap may list any page of this host
        (sitemaps.org, "Sitemaps & Cross Submits"). If the URL of a sitemap redirects, the sitemap
        may list what is below the folder of its first URL or of its last URL.
        """
        code = "part-outside" if self.is_index else "loc-outside"
        # A file on a disk, or of a preview, has its URL only if an index lists it.
        listed_as = self.entry.loc if self.entry else None
        url = listed_as if self.file.path or self.found.copy else self.file.name
        absolute = [each for each in self.listed if _IS_HTTP.match(each.loc)]
        if url is not None:
            folders = [folder_of(each) for each in (url, self.file.moved_to) if each]
            folders += self.found.hosts
            self.origins = frozenset(filter(None, map(origin_url, folders)))
            outside = [each for each in absolute if not any(within(each.loc, up) for up in folders)]
            reason = f"is not below {folders[0]}"
        else:
            # Most URLs are equal before their paths, so the cache of `_known_origin` has them.
            origins = [_known_origin(before_path(each.loc)) for each in absolute]
            most = most_frequent(origins)
            self.origins = frozenset((most,))
            pairs = zip(absolute, origins, strict=True)
            outside = [each for each, origin in pairs if origin and origin != most]
            is_usual = origins.count(most) > len(origins) / 2
            rule = "unlike most entries" if is_usual else "but all entries must be on one host"
            reason = f"is not on {most}, {rule}"
        for each in outside:
            self.findings.add(code, each.place, reason, each.loc)

    def _check_lastmod_in_index(self) -> None:
        if not self.entry or not self.entry.lastmod:
            return
        date_of_page = newest(each.lastmod for each in self.listed if each.lastmod)
        if date_of_page and structure.is_before(self.entry.lastmod, date_of_page):
            written, page = self.entry.lastmod.isoformat(), date_of_page.isoformat()
            reason = f"has the lastmod {written}, but a page in it has {page}"
            self.findings.add("part-lastmod", self.entry.place, reason, self.entry.loc)


_known_origin = lru_cache(maxsize=1024)(origin_url)


def _text(element: RawElement, name: str) -> str:
    found = element.all(NAMESPACE, name)
    return found[0].text.strip(SPACE) if found else ""


def _check_gzip_copy(file: LoadedSitemap, findings: Findings) -> None:
    """Report a ``.gz`` file that differs from the file without ``.gz`` beside it."""
    if file.path is None:
        return
    zipped = file.path.suffix == ".gz"
    other = file.path.with_suffix("") if zipped else file.path.with_name(file.path.name + ".gz")
    if not is_file(other):
        return
    place = sitemap_place((file.path if zipped else other).as_posix())
    try:
        if open_sitemap(other.as_posix()).data != file.data:
            named = other.name if zipped else file.path.name
            findings.add("gz-differs", place, f"has other content than {named}")
    except SitemapError as error:
        place = sitemap_place(other.as_posix())
        fix = f"Unpack {file.path.name} again." if zipped else None
        findings.add("gz-differs", place, error.problem.found, fix=fix)


def _check_duplicates(listed: Iterable[Listed], findings: Findings) -> None:
    seen: dict[str, Listed] = {}
    for each in listed:
        first = seen.setdefault(url_key(each.loc), each)
        if first is not each:
            reason = f"is already listed in {first.place}"
            findings.add("duplicate-loc", each.place, reason, each.loc)


def _check_build_date(
    listed: Iterable[Listed], file_days: set[date | None], findings: Findings
) -> None:
    """Report sitemaps in which all dates are the day on which the files were written.

    It is no finding if all dates have the same time, in whole seconds: one commit may have added
    all pages.
    """
    dated = [(each.lastmod, each.file) for each in listed if each.lastmod]
    if len(dated) < _ENOUGH:
        return
    first, file = dated[0]
    day, dates = utc_day(first), {when for when, _ in dated}
    if file_days != {day} or any(utc_day(when) != day for when in dates):
        return
    if len(dates) == 1 and isinstance(first, datetime) and not first.microsecond:
        return
    written = "file was" if len({name for _, name in dated}) == 1 else "files were"
    reason = f"all {len(dated):,} dates are {day}, the day on which the {written} written"
    findings.add("same-lastmod", sitemap_place(file), reason)
