"""Read a sitemap, or an index with its parts, and ask the rules of the protocol."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple
from xml.etree.ElementTree import Element

from mkdocs_sitemap_plus.command.checks import protocol_rules as rules
from mkdocs_sitemap_plus.command.checks.protocol_rules import EntryFault, File
from mkdocs_sitemap_plus.command.checks.rules import (
    RULES,
    EntryInFile,
    Findings,
    Rule,
    Subject,
    most_frequent,
    rules_about,
)
from mkdocs_sitemap_plus.command.reader.find import (
    WEB,
    Copy,
    FoundFile,
    LoadedSitemap,
    NotReadError,
    SitemapQueue,
    Web,
    folder_of,
    open_sitemap,
)
from mkdocs_sitemap_plus.command.reader.read import Lines, OnFault, url_values, values
from mkdocs_sitemap_plus.files import Mark, carries, is_file
from mkdocs_sitemap_plus.problems import Place, SitemapError
from mkdocs_sitemap_plus.sitemap import entries
from mkdocs_sitemap_plus.sitemap.protocol import MAX_URLS
from mkdocs_sitemap_plus.sitemap.urls import before_path, origin_url, url_key
from mkdocs_sitemap_plus.sitemap.xml import (
    BOM,
    NS,
    START,
    NotASitemapError,
    ReadFile,
    read,
    sitemap_place,
    split,
)
from mkdocs_sitemap_plus.wording import format_value

_LEADING = re.compile(rb"([^<]+)<\?xml\b")
_TEMPLATE = re.compile(rb"<(?:urlset|sitemapindex)\b[^>]*>\s*\{[{%#]|<loc>\s*\{[{%]")
"""What only the template of a sitemap has: a tag of Jinja or Liquid in place of an entry."""
_OF_LOC = ("loc-fragment", "loc-invalid", "loc-relative")
"""What is told of a ``loc`` that nobody can use."""
_READ_BY_OTHERS = ("sitemap-mobile", "sitemap-pagemap", "www.openarchives.org/rs/terms/")
"""Words of namespaces whose elements may stand between the entries."""

_OF_SITEMAP, _OF_INDEX = rules_about(Subject.ENTRY, Subject.URL), rules_about(Subject.ENTRY)
_FILE, _ENTRIES = rules_about(Subject.FILE), rules_about(Subject.ENTRIES)


class Checked(NamedTuple):
    """The result of a check."""

    findings: Findings
    listed: list[EntryInFile]  # the entries of all sitemaps, without those of indexes
    files: tuple[str, ...]  # the paths or URLs of all files
    own: frozenset[str]  # those that this package wrote, in which a date is no build date
    feeds: tuple[str, ...]
    origins: dict[str, frozenset[str]]  # the hosts whose pages each file may list
    interrupted: bool = False  # whether Ctrl-C ended the check before all was read
    copy: Copy | None = None  # where the parts of an index were read instead of their own URLs
    moved_to: str | None = None  # the URL to which the first file is redirected


def check(
    sitemap: FoundFile, *, now: datetime, web: Web = WEB, findings: Findings | None = None
) -> Checked:
    """Check a sitemap, or an index and its parts, which are the sitemaps that it lists.

    `now` has a time zone. What is found is added to `findings`. After Ctrl-C, the result has what
    was read until then. The links between languages are checked by `check_language_versions`.
    Raises SitemapError if the first file can't be opened.
    """
    queue = SitemapQueue([sitemap], web)
    run = _Run(Findings() if findings is None else findings, now)
    interrupted = True
    with suppress(KeyboardInterrupt):
        for opened in queue:
            run.check(opened, queue)
        run.check_all_together()
        interrupted = False
    return Checked(
        findings=run.findings,
        listed=run.listed,
        files=tuple(queue.names),
        own=frozenset(name for name, file in run.files.items() if file.is_own),
        feeds=tuple(name for name, file in run.files.items() if file.is_feed),
        origins={name: file.origins for name, file in run.files.items() if not file.is_index},
        interrupted=interrupted,
        copy=queue.copy,
        moved_to=run.moved_to,
    )


class _Run:
    def __init__(self, findings: Findings, now: datetime) -> None:
        self.findings, self.now = findings, now
        self.listed: list[EntryInFile] = []  # the entries with a ``loc``, without those of indexes
        self.files: dict[str, File] = {}
        self.moved_to: str | None = None

    def check(self, opened: FoundFile, queue: SitemapQueue) -> None:
        """Check a file, or say why it can't be read."""
        part: EntryInFile | None = opened.listed_by
        if isinstance(opened.error, NotASitemapError):
            self._stop(opened.name, opened.error)
        elif opened.error:
            if part is None:
                raise opened.error
            if isinstance(opened.error, NotReadError):
                self.findings.stopped = True  # what is not listed is not known
                return
            name = "" if opened.name == part.loc else f"{opened.name} "
            found = f"{name}{opened.error.problem.found}"
            self.findings.add(rules.part_missing, part.place, found, part.loc)
        elif opened.file is None:  # read before: it is listed twice, or is the index itself
            if part and opened.name in self.files and self.files[opened.name].is_index:
                found = "is this index itself" if opened.name == part.file else "is an index"
                self.findings.add(rules.nested_index, part.place, found, part.loc)
        else:
            _check_packing(opened.file, self.findings)
            self._check_file(opened, opened.file, queue)
            if file := self.files.get(opened.name):
                file.forget()

    def check_all_together(self) -> None:
        """Ask the rules about all entries together. A feed repeats those of the sitemaps."""
        beside = self.files if len(self.files) > 1 else {}
        feeds = {name for name, file in beside.items() if file.is_feed}
        self.check_together([each for each in self.listed if each.file not in feeds])
        for name in feeds:
            self.check_together([entry for entry in self.listed if entry.file == name])

    def check_together(self, entries: list[EntryInFile]) -> None:
        for of in _ENTRIES:
            for entry, clause in of.find(entries):
                self._add(of, entry.place, entry, clause)

    def _add(self, of: Rule, place: Place, entry: EntryInFile | None, clause: str) -> None:
        self.findings.add(of, place, clause, (entry and entry.loc) or None)

    def _stop(self, name: str, error: NotASitemapError) -> None:
        problem = error.problem
        place = sitemap_place(name, problem.place.line if problem.place else None)
        self.findings.add(RULES[error.code], place, problem.found, fix=problem.fix, stops=True)

    def _check_file(self, opened: FoundFile, loaded: LoadedSitemap, queue: SitemapQueue) -> None:
        data, part = loaded.data, opened.listed_by
        lines, is_own = Lines(data), carries(data, Mark.SITEMAP)
        file = File(opened.name, lines, self.now, is_own=is_own, is_part=part is not None)
        self.files[file.name] = file
        self.moved_to = self.moved_to if part else loaded.moved_to
        if _TEMPLATE.search(data[:START]):
            place, reason = sitemap_place(file.name), "is a template that was not rendered"
            fix = "Do not remove the sitemap before it is rendered."
            self.findings.add(rules.not_xml, place, reason, fix=fix, stops=True)
            return
        if leading := _LEADING.match(data[:START].removeprefix(BOM)):
            place = sitemap_place(file.name, 1)
            self.findings.add(rules.not_xml, place, "begins with white space or text before <?xml")
            data = data.replace(leading[1], b"\n" * leading[1].count(b"\n"), 1).lstrip()
        try:
            found = read(data, file.name)
        except NotASitemapError as error:
            self._stop(file.name, error)
            return
        if not self._check_root(found.root, file, part):
            return
        try:
            self._check_entries(found, file)
            file.is_whole = True
        except NotASitemapError as error:
            self._stop(file.name, error)
        finally:  # after Ctrl-C, the rules are still asked about what was read
            self._ask_of_each(file)
        file.is_feed = found.is_feed
        _find_folders(file, opened, loaded)
        for of in _FILE:
            for entry, clause in of.find(file):
                self._add(of, entry.place if entry else sitemap_place(file.name), entry, clause)
        self._keep(file, opened, queue)

    def _ask_of_each(self, file: File) -> None:
        """Ask the rules about each entry, and add what is wrong with entries, also as it was read.

        One cause is one finding: what is wrong with every entry in the same way comes from whatever
        wrote the file. A link to a language version whose own `loc` is wrong only repeats that.
        """
        for of in _OF_INDEX if file.is_index else _OF_SITEMAP:
            for number, name, clause in of.find(file):
                place = sitemap_place(file.name, file.lines.of(number, name))
                reason = f"{name or ('sitemap' if file.is_index else 'url')} {clause}"
                file.faults.append(EntryFault(number, of, place, reason, reason))
        count, numbers, wrong = len(file.entries), dict[str, set[int]](), set[str]()
        for fault in file.faults:
            numbers.setdefault(fault.kind, set()).add(fault.number)
            if fault.rule.code in _OF_LOC:
                wrong.add(file.entries[fault.number].loc)
        in_all = {kind for kind, each in numbers.items() if len(each) == count > 1}
        added = set[str]()
        for fault in file.faults:
            if fault.link in wrong or fault.kind in added:
                continue
            reason = fault.reason
            if fault.kind in in_all:
                added.add(fault.kind)
                reason += f"; all {count:,} entries have this fault"
            self._add(fault.rule, fault.place, file.entries[fault.number], reason)

    def _keep(self, file: File, opened: FoundFile, queue: SitemapQueue) -> None:
        """Keep the entries of a sitemap for the rules about all; follow those of an index."""
        part: EntryInFile | None = opened.listed_by
        listed = [entry for entry in file.entries if entry.loc]
        queue.web.entries += len(listed)
        if not file.is_index:
            self.listed += listed
            if part:
                for clause in rules.part_lastmod.find(file):
                    self.findings.add(rules.part_lastmod, part.place, clause, part.loc)
        elif not part:
            self.check_together(listed)
            queue.add(opened, [each for each in listed if each.can_be_requested])

    def _check_root(self, root: Element, file: File, part: EntryInFile | None) -> bool:
        space, name = split(root.tag)
        found = ""
        if name not in ("urlset", "sitemapindex"):
            found = f"the root element is {format_value(name)}, but must be urlset or sitemapindex"
        elif space != NS:
            found = f"the namespace is {format_value(space[1:-1])}, but must be {NS[1:-1]!r}"
        if found:
            self.findings.add(rules.wrong_root, sitemap_place(file.name), found, stops=True)
            return False
        file.is_index, file.index_lastmod = name == "sitemapindex", part.lastmod if part else None
        if file.is_index and part:
            self.findings.add(rules.nested_index, part.place, "is an index", part.loc)
        return True

    def _check_entries(self, found: ReadFile, file: File) -> None:
        wanted = NS + ("sitemap" if file.is_index else "url")
        faults: list[tuple[str, Element, str]] = []

        def tell(code: str, element: Element, clause: str, *, lost: bool = True) -> None:  # noqa: ARG001 - see `OnFault`
            if code:
                faults.append((code, element, clause))

        text = found.root.text
        for element in found.entries:
            if text and text.strip(entries.SPACE):
                self._add_between(file, text)
            text = element.tail
            if element.tag != wanted:
                self._add_between(file, element)
                continue
            number = len(file.entries)
            entry = _listed(element, file, tell)
            file.entries.append(entry)
            for code, part, clause in faults:
                if code != "lastmod-format" or not _YEAR_OR_MONTH.fullmatch(entries.content(part)):
                    place = sitemap_place(file.name, file.lines.of_element(number, element, part))
                    file.faults.append(_fault(number, code, place, part, clause))
            faults.clear()
        if text and text.strip(entries.SPACE):
            self._add_between(file, text)

    def _add_between(self, file: File, found: Element | str) -> None:
        """Add the finding of a text or an element between the entries, if nobody reads it there."""
        if isinstance(found, str):
            text = found.strip(entries.SPACE)
            reason = text and f"contains the text {format_value(text)} between its entries"
        else:
            space, name = split(found.tag)
            is_read = any(word in space for word in _READ_BY_OTHERS)
            reason = "" if is_read else f"{name} is between the entries"
        if reason:
            place = sitemap_place(file.name, file.lines.of(len(file.entries)))
            self.findings.add(rules.element_unknown, place, reason)


_YEAR_OR_MONTH = re.compile(r"(?!0000)\d{4}(?:-(?:0[1-9]|1[0-2]))?", re.ASCII)


def _fault(number: int, code: str, place: Place, part: Element, clause: str) -> EntryFault:
    link = part.get("href", "").strip(entries.SPACE)
    reason = f"{entries.shown(part)} {clause}"
    kind = f"{code} {reason.replace(format_value(link or entries.content(part)), '')}"
    return EntryFault(number, RULES[code], place, reason, kind, link)


_NO_LINKS: Mapping[str, str] = {}


def _listed(element: Element, file: File, tell: OnFault) -> EntryInFile:
    found = values(element, entries.SITEMAP, tell) if file.is_index else url_values(element, tell)
    loc = found.get("loc")
    if loc is None and (written := element.find(f"{NS}loc")) is not None:
        loc = entries.content(written)
    loc, line, lastmod = loc or "", file.lines.of(len(file.entries)), found.get("lastmod")
    links = _targets(found["link"]) if "link" in found else _NO_LINKS
    images = len(found.get("image", ()))
    return EntryInFile(loc, file.name, line, url_key(loc), lastmod, links, images)


def _targets(links: Iterable[tuple[str, str, bool]]) -> dict[str, str]:
    """Return the codes of the language links of an entry, by the `url_key` of their URLs."""
    found: dict[str, str] = {}
    for code, href, _ in links:
        if code and href:
            key, lower = _key_of_link(href), code.lower()
            if key not in found:
                found[key] = lower
            elif lower not in found[key].split():
                found[key] += f" {lower}"
    return found


_key_of_link = lru_cache(maxsize=MAX_URLS)(url_key)  # all versions of a page have the same links


def _find_folders(file: File, opened: FoundFile, loaded: LoadedSitemap) -> None:
    """Set the hosts and folders of which a file may list pages (sitemaps.org, "location").

    If the robots.txt of a host names a sitemap, the sitemap may list any page of this host
    (sitemaps.org, "Sitemaps & Cross Submits"). If the URL of a sitemap redirects, the sitemap may
    list what is below the folder of its first URL or of its last URL. A file on a disk, or of a
    preview, has its URL only if an index lists it.
    """
    file.hosts = Counter(before_path(entry.loc) for entry in file.entries)
    part = opened.listed_by
    url = part.loc if part else None
    if rules.IS_HTTP.match(opened.name) and not opened.copy:
        url = opened.name
    if url is not None:
        file.folders = [folder_of(each) for each in (url, loaded.moved_to) if each]
        file.folders += opened.hosts
        if file.is_feed:  # it has the newest pages of the whole site
            file.folders = [f"{origin}/" for origin in map(origin_url, file.folders) if origin]
        file.origins = frozenset(filter(None, map(origin_url, file.folders)))
    else:
        origins: Counter[str | None] = Counter()
        for host, number in file.hosts.items():
            origins[origin_url(host) if rules.IS_HTTP.match(host) else None] += number
        file.origins = frozenset((most_frequent(origins),))


def _check_packing(file: LoadedSitemap, findings: Findings) -> None:
    """Report a ``.gz`` that is not packed, or differs from the file without ``.gz`` beside it."""
    if file.name.endswith(".gz") and not file.is_packed:
        place = sitemap_place(file.name)
        findings.add(rules.gzip, place, "is not packed, as its name says")
    if file.path is None:
        return
    zipped = file.path.suffix == ".gz"
    other = file.path.with_suffix("") if zipped else file.path.with_name(file.path.name + ".gz")
    if not is_file(other):
        return
    try:
        if open_sitemap(other.as_posix()).data == file.data:
            return
        place = sitemap_place((file.path if zipped else other).as_posix())
        named = other.name if zipped else file.path.name
        findings.add(rules.gzip, place, f"has other content than {named}")
    except SitemapError as error:
        fix = f"Unpack {file.path.name} again." if zipped else None
        findings.add(rules.gzip, sitemap_place(other.as_posix()), error.problem.found, fix=fix)
