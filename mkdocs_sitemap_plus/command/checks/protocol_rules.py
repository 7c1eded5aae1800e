"""The rules of the protocol: each a small function with its code, level, source and texts.

What the reader can't read, it finds itself. A rule about each entry yields the number of one, the
name of a child and a clause about that; others yield the entry, or None, and a clause.
"""

import re
from collections import Counter
from collections.abc import Collection, Container, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import NamedTuple

from mkdocs_sitemap_plus.command.checks.rules import (
    ERROR,
    GOOGLE,
    WARNING,
    EntryInFile,
    Rule,
    Subject,
    rule,
)
from mkdocs_sitemap_plus.command.reader.read import Lines
from mkdocs_sitemap_plus.problems import Place
from mkdocs_sitemap_plus.sitemap.protocol import (
    MAX_IMAGES,
    MAX_URLS,
    WEB_BEGAN,
    to_datetime,
    utc_day,
)
from mkdocs_sitemap_plus.sitemap.urls import (
    before_path,
    can_be_one_file,
    host_of,
    is_this_computer,
    origin_url,
    within,
    without_form,
)
from mkdocs_sitemap_plus.wording import counted

_DAY = timedelta(days=1)
_MIN_SAME_DAY = 10  # so many pages have the same date only rarely by chance

_ORG, _XSD = "sitemaps.org", "sitemaps.org, schema"
_HREFLANG = "Google, localized versions"


class EntryFault(NamedTuple):
    """Something that is wrong with an entry of a file."""

    number: int  # of the entry
    rule: Rule
    place: Place
    reason: str
    kind: str  # the reason without the value, which is the same wherever the cause is the same
    link: str = ""  # the URL of the language link that it is about


@dataclass(slots=True)
class File:
    """A sitemap file, as far as it is read."""

    name: str
    lines: Lines
    now: datetime  # with a time zone
    is_index: bool = False
    is_own: bool = False  # written by this package
    is_feed: bool = False
    is_part: bool = False  # whether an index lists it
    is_whole: bool = False  # whether all of it could be read
    entries: list[EntryInFile] = field(default_factory=list)
    faults: list[EntryFault] = field(default_factory=list)  # of single entries
    hosts: Counter[str] = field(default_factory=Counter)  # by `before_path`, of the entries
    folders: list[str] = field(default_factory=list)  # below which it may list pages
    origins: frozenset[str] = frozenset()  # the hosts whose pages it may list
    index_lastmod: date | datetime | None = None

    def forget(self) -> None:
        """Free the bytes of the file and what was found in it, of which all has been told."""
        self.lines, self.entries, self.faults = Lines(b""), [], []


OfEntry = Iterator[tuple[int, str, str]]
OfFile = Iterator[tuple[EntryInFile | None, str]]


# --- The file. What can't be read further is found by the reader.


@rule("not-xml", ERROR, "XML 1.0")
def not_xml() -> None:
    """The file is not well-formed XML, has a document type, begins with text, or is a template.

    Write & as `&amp;` and < as `&lt;`, close every tag, and remove document types and whatever
    stands before `<?xml`. A template remains where a plugin (mkdocs-no-sitemap-plugin) keeps MkDocs
    from rendering it: remove that plugin.
    """


@rule("encoding", ERROR, _ORG)
def encoding() -> None:
    """The file is not in UTF-8.

    Save the file in UTF-8.
    """


@rule("wrong-root", ERROR, _XSD)
def wrong_root() -> None:
    """The root is neither `urlset` nor `sitemapindex`, or not in the protocol's namespace.

    Give the URL of a sitemap, whose root is `<urlset
    xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`, of a text file with URLs, or of a feed
    (RSS, Atom).
    """


@rule("gzip", ERROR, "RFC 1952")
def gzip() -> None:
    """The `.gz` is broken, is not packed, or differs from the file of that name without `.gz`.

    Compress the file without `.gz` again.
    """


@rule("too-large", ERROR, _ORG, Subject.FILE)
def too_large(file: File) -> OfFile:
    """The file has more bytes or entries, or an entry more images, than search engines read.

    Split the file, and list its parts in an index. Of many images, list those that matter.
    """
    if len(file.entries) > MAX_URLS:
        yield None, f"has at least {len(file.entries):,} entries, but {MAX_URLS:,} are allowed"
    for entry in file.entries:
        if entry.images > MAX_IMAGES:
            yield entry, f"has {entry.images:,} images, but {MAX_IMAGES:,} are allowed"


@rule("empty", ERROR, _XSD, Subject.FILE)
def empty(file: File) -> OfFile:
    """The file has no entries.

    Do not publish an empty sitemap. MkDocs writes one where `site_url` is not set.
    """
    if file.is_whole and not file.entries and not (file.is_feed and file.is_part):
        yield None, "has no entries"


# --- Its elements, as the reader finds them.


@rule("element-missing", ERROR, _XSD)
def element_missing() -> None:
    """A required element is missing or empty.

    Add the missing element or value.
    """


@rule("element-unknown", WARNING, _XSD)
def element_unknown() -> None:
    """The protocol does not allow this element, this text, or so many of them there.

    Remove it, or correct its name, its namespace or its place.
    """


@rule("namespace-misspelled", WARNING, "XML namespaces")
def namespace_misspelled() -> None:
    """The namespace of an image, a video or a language link is wrong, so nobody reads it.

    Write the namespace exactly as it is documented, with http and the same version.
    """


@rule("value", WARNING, f"{_ORG}; Google, image and video sitemaps")
def value() -> None:
    """A `changefreq`, a `priority`, or a field of an image or a video has an invalid value.

    Correct the value, or remove the element.
    """


# --- loc. What can be wrong with its letters, `loc_faults` knows.

IS_HTTP = re.compile(r"https?://", re.IGNORECASE)


@rule("loc-relative", ERROR, _ORG)
def loc_relative() -> None:
    """A `loc` is not an absolute URL.

    Write the whole URL, with `https://` and the host.
    """


@rule("loc-invalid", ERROR, f"{_ORG}; RFC 3986")
def loc_invalid() -> None:
    """A `loc` can't be requested, or has an escape or a character that is wrong in a URL.

    Write the URL that visitors open, with less than 2,048 characters, and with `%` and two
    hexadecimal digits for each character that is not allowed.
    """


@rule("loc-fragment", ERROR, "RFC 3986, 3.5")
def loc_fragment() -> None:
    """A `loc` has a fragment, which is never sent to a server.

    Remove `#` and the text after it.
    """


@rule("loc-not-ascii", WARNING, _ORG)
def loc_not_ascii() -> None:
    """A `loc` has characters that are not ASCII.

    Escape them as UTF-8 with `%`. Write the host in ASCII, with `xn--`.
    """


@rule("loc-local", ERROR, "RFC 6761", Subject.FILE)
def loc_local(file: File) -> OfFile:
    """The pages are on a host that only one computer can open, such as `localhost`.

    Set the public address of the site, and build it again.
    """
    for host, number in file.hosts.items():
        # A sitemap that was itself read from such a host is that of a preview.
        if is_this_computer(host_of(host)) and not is_this_computer(host_of(file.name)):
            first = next(entry for entry in file.entries if before_path(entry.loc) == host)
            listed = counted(number, "entry is", "entries are")
            yield first, f"{listed} on {host}, which only this computer can open"


@rule("loc-outside", ERROR, _ORG, Subject.FILE)
def loc_outside(file: File) -> OfFile:
    """A listed URL is on another scheme, host or port than the file, or not in its folder.

    Correct the URL, list the page in the sitemap of its own site, or move this sitemap to a
    folder above the page. Check a preview of the site with `--pages --base-url URL`.
    """
    if file.folders:
        listed = [entry for entry in file.entries if IS_HTTP.match(entry.loc)]
        inside = [any(within(entry.loc, folder) for folder in file.folders) for entry in listed]
        if len(listed) > 1 and not any(inside):
            yield listed[0], f"is not below {file.folders[0]}, nor is any other entry"
            return
        for entry, is_inside in zip(listed, inside, strict=True):
            if not is_inside:
                slash = ", but for the slash" if f"{entry.loc}/" == file.folders[0] else ""
                yield entry, f"is not below {file.folders[0]}{slash}"
        return
    # The URL of the file is not known, so its host is that of most entries.
    usual = next(iter(file.origins), "")
    origins = {host: origin_url(host) for host in file.hosts if IS_HTTP.match(host)}
    others = {host for host, origin in origins.items() if origin and origin != usual}
    if not others:
        return
    numbers = {host: file.hosts[host] for host in origins}
    usuals = sum(number for host, number in numbers.items() if origins[host] == usual)
    is_usual = usuals > sum(numbers.values()) / 2
    why = "unlike most entries" if is_usual else "but all entries must be on one host"
    for entry in file.entries:
        if before_path(entry.loc) in others:
            yield entry, f"is not on {usual}, {why}"


@rule("duplicate-loc", WARNING, GOOGLE, Subject.ENTRIES)
def duplicate_loc(entries: Sequence[EntryInFile]) -> OfFile:
    """Two entries have the same `loc`, or one of them is the `index.html` of the other.

    Remove one of the two entries.
    """
    seen: dict[str, EntryInFile] = {}
    for entry in entries:
        if "#" in entry.loc:  # it has a finding for this reason
            continue
        first = seen.setdefault(entry.key, entry)
        if first is not entry:
            yield entry, f"is already listed in {first.place}"
    for key, entry in seen.items():
        if key.endswith("/index.html") and (folder := seen.get(key.removesuffix("index.html"))):
            yield entry, f"is the page that is listed as {folder.loc}"


# --- lastmod and the other values.


@rule("lastmod-format", ERROR, "W3C NOTE-datetime", Subject.ENTRY)
def lastmod_format(file: File) -> OfEntry:
    """A `lastmod` is not a date, is a day that does not exist, or is older than the web.

    Write the date of the last change, or remove the `lastmod`.
    """
    for number, entry in enumerate(file.entries):
        if entry.lastmod and entry.lastmod.year < WEB_BEGAN:
            yield number, "lastmod", f"is {entry.lastmod.isoformat()!r}, before there was a web"


@rule("lastmod-future", ERROR, GOOGLE, Subject.ENTRY)
def lastmod_future(file: File) -> OfEntry:
    """A `lastmod` is more than a day in the future.

    Write the date of the last change.
    """
    latest = file.now + _DAY
    for number, entry in enumerate(file.entries):
        if entry.lastmod and to_datetime(entry.lastmod) > latest:
            yield number, "lastmod", f"is {entry.lastmod.isoformat()!r}, which is in the future"


@rule("same-lastmod", WARNING, "Bing, Google")
def same_lastmod(
    listed: Sequence[EntryInFile], own: Container[str], known_days: Collection[date] | None
) -> Iterator[tuple[str, str]]:
    """All dates are on one day, that of the build. Search engines stop trusting such dates.

    Give each page the date of its own last change, or no date.
    """
    dates = [entry.lastmod for entry in listed if entry.lastmod]
    # If the project has one day too, or none, there is nothing better to write.
    if len(dates) < _MIN_SAME_DAY or (known_days is not None and len(known_days) < 2):
        return
    day, file = utc_day(dates[0]), next(entry.file for entry in listed if entry.lastmod)
    # In a file that this package wrote, a day may be that of one large commit.
    if file not in own and all(utc_day(each) == day for each in dates):
        better = counted(len(known_days), "day") if known_days else ""
        known = f", and the project has dates on {better}" if better else ""
        yield file, f"all {len(dates):,} dates are {day}{known}"


# --- An index.


@rule("nested-index", ERROR, GOOGLE)
def nested_index() -> None:
    """An index lists another index. Search engines do not read the second one.

    List all sitemaps in one index.
    """


@rule("part-missing", ERROR, _ORG)
def part_missing() -> None:
    """A sitemap that the index lists can't be read.

    Publish the sitemap, or remove it from the index.
    """


@rule("part-lastmod", WARNING, "Google, large sitemaps")
def part_lastmod(file: File) -> Iterator[str]:
    """A page is newer than the date of its sitemap in the index, so its change can be missed.

    Give the sitemap the newest date of its pages, or no date.
    """
    dates = [entry.lastmod for entry in file.entries if entry.lastmod]
    if not (file.index_lastmod and dates):
        return
    newest = max(dates, key=to_datetime)
    if _is_before(file.index_lastmod, newest):
        written = file.index_lastmod.isoformat()
        yield f"has the lastmod {written}, but a page in it has {newest.isoformat()}"


def _is_before(one: date | datetime, other: date | datetime) -> bool:
    """Return whether `one` is earlier. If one of them has no time, only the days are compared."""
    if isinstance(one, datetime) and isinstance(other, datetime):
        return one < other
    return utc_day(one) < utc_day(other)


# --- Languages.


@rule("hreflang-code", WARNING, _HREFLANG)
def hreflang_code() -> None:
    """A language link has no known language code, no absolute URL, or a code of another link.

    Use an ISO 639-1 language code, if needed with a script or a region (de, pt-BR, zh-Hant),
    the whole URL, and each code once.
    """


@rule("hreflang-self", WARNING, _HREFLANG, Subject.URL)
def hreflang_self(file: File) -> OfEntry:
    """The language links of a page do not include the page itself.

    Add a link to the page's own `loc`.
    """
    for number, entry in enumerate(file.entries):
        is_missing = entry.loc and entry.alternates and entry.key not in entry.alternates
        if is_missing and not has_link(entry, entry.key):
            yield number, "", "has language links, but none to the page itself"


def has_link(entry: EntryInFile, key: str) -> bool:
    """Return whether an entry has a language link to a URL in another form."""
    return any(
        without_form(each) == without_form(key) and can_be_one_file(each, key)
        for each in entry.alternates
    )


@rule("hreflang-return", WARNING, _HREFLANG)
def hreflang_return() -> None:
    """A language version is absent or not listed, does not link back, or has another code.

    Build and list all language versions of a page, and give them the same links.
    """
