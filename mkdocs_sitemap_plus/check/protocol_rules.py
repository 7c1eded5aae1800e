"""The rules of the protocol: each a small function with its code, level, source and texts.

A rule about an entry or an element yields the element and a clause, which follows its name; one
about a file or about all entries yields the entry, or None, and a clause about that.
"""

import re
from collections import Counter
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import lru_cache
from xml.etree.ElementTree import Element

from mkdocs_sitemap_plus.check import (
    ERROR,
    GOOGLE,
    WARNING,
    About,
    Listed,
    found_elsewhere,
    rule,
)
from mkdocs_sitemap_plus.sitemap import (
    MAX_IMAGES,
    MAX_LOC_LENGTH,
    MAX_URLS,
    WEB_BEGAN,
    schema,
    to_datetime,
    utc_day,
)
from mkdocs_sitemap_plus.sitemap.languages import hreflang, suggest_hreflang
from mkdocs_sitemap_plus.sitemap.schema import IMAGE_TAG, LINK_TAG, SPACES, VIDEO, content, shown
from mkdocs_sitemap_plus.sitemap.urls import (
    BAD_ESCAPE,
    authority_fault,
    before_path,
    host_of,
    is_this_computer,
    origin_url,
    url_key,
    within,
)
from mkdocs_sitemap_plus.sitemap.xml import NS, Lines, sitemap_place, split
from mkdocs_sitemap_plus.wording import counted, format_value

_DAY = timedelta(days=1)
_MIN_SAME_DAY = 10  # so many pages have the same date only rarely by chance

_ORG, _XSD = "sitemaps.org", "sitemaps.org, schema"
_HREFLANG = "Google, localized versions"


@dataclass(slots=True)
class File:
    """A sitemap file, as far as it is read."""

    name: str
    lines: Lines
    now: datetime  # with a time zone
    is_index: bool = False
    is_own: bool = False  # written by this package
    is_whole: bool = False  # whether all of it could be read
    entries: list["Entry"] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)  # below which it may list pages
    origins: frozenset[str] = frozenset()  # the hosts whose pages it may list
    index_lastmod: date | datetime | None = None


class Entry:
    """An entry, for the rules. Its element is forgotten after them, by `forget`."""

    def __init__(self, element: Element, file: File, number: int) -> None:
        """Read what the rules about several entries need."""
        self.file, self.number, self.element = file, number, element
        self.by_tag: Mapping[str, list[Element]] = _by_tag(element)
        self.loc = self.text("loc")
        self.lastmod: date | datetime | None = None
        with suppress(ValueError):
            self.lastmod = schema.when(self.text("lastmod"))
        self.links: Sequence[Element] = [
            link
            for link in self.by_tag.get(LINK_TAG, ())
            if link.get("rel") == "alternate" and "media" not in link.attrib
        ]
        self.alternates = _targets(self.links) if self.links else _NONE
        self.images = len(self.by_tag.get(IMAGE_TAG, ()))

    @property
    def line(self) -> int:
        """Where it begins in its file."""
        return self.file.lines.of(self.number)

    def text(self, name: str) -> str:
        """Return the text of the first child of this name."""
        found = self.by_tag.get(NS + name)
        return content(found[0]) if found else ""

    def get(self, name: str) -> Element:
        """Return the first child of this name; without one, the entry itself."""
        return self.by_tag.get(NS + name, [self.element])[0]

    def forget(self) -> None:
        """Forget the element."""
        self.element, self.by_tag, self.links = _NO_ELEMENT, _NOTHING, ()


_NONE: Mapping[str, str] = {}
_NOTHING: Mapping[str, list[Element]] = {}
_NO_ELEMENT = Element("")


def _by_tag(element: Element) -> dict[str, list[Element]]:
    found: dict[str, list[Element]] = {}
    for child in element:
        found.setdefault(child.tag, []).append(child)
    return found


def _targets(links: Sequence[Element]) -> dict[str, str]:
    found: dict[str, str] = {}
    for link in links:
        if (code := link.get("hreflang")) and (href := link.get("href")):
            key = url_key(href.strip(schema.SPACE))
            codes = found.get(key, "").split()
            found[key] = " ".join(dict.fromkeys((*codes, code.lower())))
    return found


OfEntry = Iterator[tuple[Element, str]]
OfFile = Iterator[tuple[Entry | None, str]]


# --- The file. What can't be read further is found by the reader.


not_xml = found_elsewhere(
    "not-xml",
    ERROR,
    "XML 1.0",
    """The file is not well-formed XML, has a document type, or begins with blanks or text.

    Write & as `&amp;` and < as `&lt;`, close every tag, and remove document types and whatever
    stands before `<?xml`.
    """,
)


encoding = found_elsewhere(
    "encoding",
    ERROR,
    _ORG,
    """The file is not in UTF-8.

    Save the file in UTF-8.
    """,
)


wrong_root = found_elsewhere(
    "wrong-root",
    ERROR,
    _XSD,
    """The root is neither `urlset` nor `sitemapindex`, or not in the protocol's namespace.

    Give the URL of a sitemap, whose root is `<urlset
    xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`, of a text file with URLs, or of a feed
    (RSS, Atom).
    """,
)


gzip = found_elsewhere(
    "gzip",
    ERROR,
    "RFC 1952",
    """The `.gz` is broken, is not packed, or differs from the file of that name without `.gz`.

    Compress the file without `.gz` again.
    """,
)


@rule("too-large", ERROR, _ORG, About.FILE)
def too_large(file: File) -> OfFile:
    """The file has more bytes or entries, or an entry more images, than search engines read.

    Split the file, and list its parts in an index. Of many images, list those that matter.
    """
    if len(file.entries) > MAX_URLS:
        yield None, f"has at least {len(file.entries):,} entries, but {MAX_URLS:,} are allowed"
    for entry in file.entries:
        if entry.images > MAX_IMAGES:
            yield entry, f"has {entry.images:,} images, but {MAX_IMAGES:,} are allowed"


@rule("empty", ERROR, _XSD, About.FILE)
def empty(file: File) -> OfFile:
    """The file has no entries.

    Do not publish an empty sitemap.
    """
    if file.is_whole and not file.entries:
        yield None, "has no entries"


# --- Its elements.


def known_elements(entry: Entry) -> list[tuple[Element, schema.Field]]:
    """Return all elements of an entry that the protocol knows, each with its field."""
    top = schema.SITEMAP if entry.file.is_index else schema.URL
    return [(entry.element, top), *_inside(entry.element, top)]


def _inside(element: Element, known: schema.Field) -> Iterator[tuple[Element, schema.Field]]:
    for child in element:
        if inner := _field(element, child, known):
            yield child, inner
            if inner.children:
                yield from _inside(child, inner)


def _field(element: Element, child: Element, known: schema.Field) -> schema.Field | None:
    """Return the field of a child of an element; None if it is unknown there."""
    space, name = split(child.tag)
    if space == split(element.tag)[0]:
        return known.children.get(name)
    return schema.EXTENSIONS.get(child.tag) if known is schema.URL else None


@rule("element-missing", ERROR, _XSD, About.ODD_ENTRY)
def element_missing(_entry: Entry, element: Element, known: schema.Field) -> OfEntry:
    """A required element is missing or empty.

    Add the missing element or value.
    """
    space = split(element.tag)[0]
    for name, child in known.children.items():
        if child.required and element.find(space + name) is None:
            yield element, f"has no {SPACES[space]}{name} in it"
    if known is VIDEO and all(
        element.find(space + name) is None for name in ("content_loc", "player_loc")
    ):
        yield element, "has no video:content_loc or video:player_loc"
    if known.required and not known.children and not content(element):
        yield element, "is empty, but must have a value"


@rule("element-unknown", WARNING, _XSD, About.ODD_ENTRY)
def element_unknown(_entry: Entry, element: Element, known: schema.Field) -> OfEntry:
    """The protocol does not allow this element, this text, or so many of them there.

    Remove it, or correct its name, its namespace or its place.
    """
    if known.free:
        return
    if known.children and (text := content(element)):
        shown_text = format_value(text)
        yield element, f"contains the text {shown_text}, but only elements are allowed there"
    counts: Counter[str] = Counter()
    for child in element:
        inner, space = _field(element, child, known), split(child.tag)[0]
        counts[child.tag] += 1
        # Namespaces of others are allowed in an entry, and nobody reads them.
        if inner is None and (known is not schema.URL or space in SPACES or not space):
            yield child, f"is not allowed in {shown(element)}"
        elif inner and counts[child.tag] > inner.most:
            often = "once" if inner.most == 1 else f"{inner.most} times"
            yield child, f"is allowed only {often} in {shown(element)}"


_MEANT = {"sitemap-image": "image", "sitemap-video": "video", "xhtml": "link"}


@rule("namespace-misspelled", WARNING, "XML namespaces", About.ENTRY)
def namespace_misspelled(entry: Entry) -> OfEntry:
    """The namespace of an image, a video or a language link is wrong, so nobody reads it.

    Write the namespace exactly as it is documented, with http and the same version.
    """
    for tag, children in entry.by_tag.items():
        space, name = split(tag)
        if space not in SPACES and any(
            word in space.lower() and name == meant for word, meant in _MEANT.items()
        ):
            written = format_value(space[1:-1])
            yield children[0], f"has the namespace {written}, which search engines do not know"


# --- loc. A plain one passes all rules about its letters, so they are asked about others alone.

PLAIN_LOC = re.compile(
    r"https?://[a-z0-9.-]+(?::[1-9]\d{0,3})?/"
    r"(?:[\w.~!$'()*+,;=:@/?-]|%[0-9A-Fa-f]{2}|&(?![a-z#]+;))*",
    re.ASCII,
)
"""A ``loc`` in which only its host can be wrong."""
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_HTTP = re.compile(r"https?://", re.IGNORECASE)
_NEVER = re.compile(r'[\x00-\x20"<>\\^`{|}\x7f-\x9f]')
_BRACKETS = re.compile(r"[\[\]]")
_AUTHORITY = re.compile(r"\A[^:/?#]*://[^/?#]*")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d++|#x[0-9A-Fa-f]++);")


@rule("loc-relative", ERROR, _ORG, About.ODD_LOC)
def loc_relative(entry: Entry) -> OfEntry:
    """A `loc` is not an absolute URL.

    Write the whole URL, with `https://` and the host.
    """
    if not _SCHEME.match(entry.loc):
        yield entry.get("loc"), f"is {format_value(entry.loc)}, but must be an absolute URL"


@rule("loc-invalid", ERROR, f"{_ORG}; RFC 3986", About.ODD_LOC)
def loc_invalid(entry: Entry) -> OfEntry:
    """A `loc` can't be requested, or has an escape or a character that is wrong in a URL.

    Write the URL that visitors open, with less than 2,048 characters, and with `%` and two
    hexadecimal digits for each character that is not allowed.
    """
    loc, element = entry.loc, entry.get("loc")
    if _SCHEME.match(loc):
        host = re.split("[?#]", before_path(loc).partition("://")[2])[0]
        if not _HTTP.match(loc) or not host or "@" in host:
            yield element, f"is {format_value(loc)}, but must be an http or https URL"
        elif fault := authority_fault(host):
            yield element, fault
        elif host.endswith((":", ":0")):
            yield element, "has a colon after its host, but no port"
    if len(loc) > MAX_LOC_LENGTH:
        yield element, f"has {len(loc):,} characters, but at most {MAX_LOC_LENGTH:,} are allowed"
    if BAD_ESCAPE.search(loc):
        yield element, "has a % that is not followed by two hexadecimal digits"
    if found := _NEVER.search(loc) or _BRACKETS.search(_AUTHORITY.sub("", loc, 1)):
        yield element, f"has the character {found[0]!r}, which is not allowed in a URL"
    if found := _ENTITY.search(loc):
        yield element, f"has {found[0]!r} in its URL, so it was escaped twice"


@rule("loc-fragment", ERROR, "RFC 3986, 3.5", About.ODD_LOC)
def loc_fragment(entry: Entry) -> OfEntry:
    """A `loc` has a fragment, which is never sent to a server.

    Remove `#` and the text after it.
    """
    if "#" in entry.loc:
        fragment = format_value(entry.loc[entry.loc.index("#") :])
        yield entry.get("loc"), f"has the fragment {fragment}"


@rule("loc-not-ascii", WARNING, _ORG, About.ODD_LOC)
def loc_not_ascii(entry: Entry) -> OfEntry:
    """A `loc` has characters that are not ASCII.

    Escape them as UTF-8 with `%`. Write the host in ASCII, with `xn--`.
    """
    if not entry.loc.isascii():
        first = next(letter for letter in entry.loc if not letter.isascii())
        yield entry.get("loc"), f"has the character {first!r}, but must be ASCII"


@rule("loc-local", ERROR, "RFC 6761", About.ENTRIES)
def loc_local(entries: Sequence[Entry]) -> OfFile:
    """The pages are on a host that only one computer can open, such as `localhost`.

    Set the public address of the site, and build it again.
    """
    counts: Counter[tuple[str, str]] = Counter()
    first: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        key = entry.file.name, before_path(entry.loc)
        counts[key] += 1
        first.setdefault(key, entry)
    for (file, host), entry in first.items():
        # A sitemap that was itself read from such a host is that of a preview.
        if is_this_computer(host_of(host)) and not is_this_computer(host_of(file)):
            listed = counted(counts[file, host], "entry is", "entries are")
            yield entry, f"{listed} on {host}, which only this computer can open"


@rule("loc-outside", ERROR, _ORG, About.FILE)
def loc_outside(file: File) -> OfFile:
    """A listed URL is on another scheme, host or port than the file, or not in its folder.

    Correct the URL, list the page in the sitemap of its own site, or move this sitemap to a
    folder above the page. Check a preview of the site with `--base-url`.
    """
    listed = [entry for entry in file.entries if _HTTP.match(entry.loc)]
    if file.folders:
        inside = [any(within(entry.loc, folder) for folder in file.folders) for entry in listed]
        if len(listed) > 1 and not any(inside):
            yield listed[0], f"is not below {file.folders[0]}, nor is any other entry"
            return
        for entry, is_inside in zip(listed, inside, strict=True):
            if not is_inside:
                yield entry, f"is not below {file.folders[0]}"
        return
    # The URL of the file is not known, so its host is that of most entries.
    origins = [known_origin(before_path(entry.loc)) for entry in listed]
    usual = next(iter(file.origins), "")
    is_usual = origins.count(usual) > len(origins) / 2
    why = "unlike most entries" if is_usual else "but all entries must be on one host"
    for entry, origin in zip(listed, origins, strict=True):
        if origin and origin != usual:
            yield entry, f"is not on {usual}, {why}"


known_origin = lru_cache(maxsize=1024)(origin_url)
"""Most URLs are equal before their paths."""


@rule("duplicate-loc", WARNING, GOOGLE, About.ENTRIES)
def duplicate_loc(entries: Sequence[Entry]) -> OfFile:
    """Two entries have the same `loc`, or one of them is the `index.html` of the other.

    Remove one of the two entries.
    """
    seen: dict[str, Entry] = {}
    for entry in entries:
        first = seen.setdefault(url_key(entry.loc), entry)
        if first is not entry:
            yield entry, f"is already listed in {sitemap_place(first.file.name, first.line)}"
    for key, entry in seen.items():
        if key.endswith("/index.html") and (folder := seen.get(key.removesuffix("index.html"))):
            yield entry, f"is the page that is listed as {folder.loc}"


# --- lastmod and the other values.

_YEAR_OR_MONTH = re.compile(r"(?!0000)\d{4}(?:-(?:0[1-9]|1[0-2]))?", re.ASCII)


@rule("lastmod-format", ERROR, "W3C NOTE-datetime", About.ENTRY)
def lastmod_format(entry: Entry) -> OfEntry:
    """A `lastmod` is not a date, is a day that does not exist, or is older than the web.

    Write the date of the last change, or remove the `lastmod`.
    """
    for element in entry.by_tag.get(f"{NS}lastmod", ())[:1]:
        text = content(element)
        if entry.lastmod and entry.lastmod.year < WEB_BEGAN:
            yield element, f"is {format_value(text)}, before there was a web"
        elif not entry.lastmod and not _YEAR_OR_MONTH.fullmatch(text):
            example = "a date such as 2026-11-20 or 2026-11-20T10:00:00+01:00"
            yield element, f"is {format_value(text)}, but must be {example}"


@rule("lastmod-future", ERROR, GOOGLE, About.ENTRY)
def lastmod_future(entry: Entry) -> OfEntry:
    """A `lastmod` is more than a day in the future.

    Write the date of the last change.
    """
    if entry.lastmod and to_datetime(entry.lastmod) > entry.file.now + _DAY:
        text = format_value(entry.text("lastmod"))
        yield entry.get("lastmod"), f"is {text}, which is in the future"


@rule("same-lastmod", WARNING, "Bing, Google")
def same_lastmod(
    listed: Sequence[Listed], own: Container[str], known_days: Collection[date] | None
) -> Iterator[tuple[str, str]]:
    """All dates are on one day, that of the build. Search engines stop trusting such dates.

    Give each page the date of its own last change, or no date.
    """
    dated = [(utc_day(entry.lastmod), entry.file) for entry in listed if entry.lastmod]
    # If the project has one day too, or none, there is nothing better to write.
    if len(dated) < _MIN_SAME_DAY or (known_days is not None and len(known_days) < 2):
        return
    day, file = dated[0]
    # In a file that this package wrote, a day may be that of one large commit.
    if file not in own and {each for each, _ in dated} == {day}:
        better = counted(len(known_days), "day") if known_days else ""
        known = f", and the project has dates on {better}" if better else ""
        yield file, f"all {len(dated):,} dates are {day}{known}"


@rule("value", WARNING, f"{_ORG}; Google, image and video sitemaps", About.ODD_ENTRY)
def value(entry: Entry, element: Element, known: schema.Field) -> OfEntry:
    """A `changefreq`, a `priority`, or a field of an image or a video has an invalid value.

    Correct the value, or remove the element.
    """
    name = split(element.tag)[1] if element.tag.startswith(NS) else ""
    if known.free or known.children or name in ("loc", "lastmod"):  # which have their own rules
        return
    text = content(element) if name != "changefreq" else element.text or ""
    if not text and known.required:  # `element-missing` says that
        return
    try:
        known.read(text)
        if not text.strip():
            yield element, "is empty"
    except ValueError as error:
        yield element, str(error)
    if element.tag.endswith(("}content_loc", "}player_loc")) and url_key(text) == url_key(
        entry.loc
    ):
        yield element, "is the page itself"


# --- An index.


nested_index = found_elsewhere(
    "nested-index",
    ERROR,
    GOOGLE,
    """An index lists another index. Search engines do not read the second one.

    List all sitemaps in one index.
    """,
)


part_missing = found_elsewhere(
    "part-missing",
    ERROR,
    _ORG,
    """A sitemap that the index lists can't be read.

    Publish the sitemap, or remove it from the index.
    """,
)


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


@rule("hreflang-code", WARNING, _HREFLANG, About.URL)
def hreflang_code(entry: Entry) -> OfEntry:
    """A language link has no known language code, no absolute URL, or a code of another link.

    Use an ISO 639-1 language code, if needed with a script or a region (de, pt-BR, zh-Hant),
    the whole URL, and each code once.
    """
    codes: set[str] = set()
    for link in entry.by_tag.get(LINK_TAG, ()):
        if link.get("rel") not in ("alternate", "amphtml"):
            rel = format_value(link.get("rel") or "")
            yield link, f"has the rel {rel}, but must have alternate"
    for link in entry.links:
        code, href = link.get("hreflang", ""), link.get("href", "")
        if not code or not href:
            yield link, f"has no {'href' if code else 'hreflang'}"
        elif fault := _code_fault(code):
            yield link, fault
        elif code.lower() in codes:
            yield link, f"has the hreflang {format_value(code)} a second time"
        if href:
            try:
                schema.url(href)
            except ValueError as error:
                yield link, f"for {format_value(code)} {error}"
        codes.add(code.lower())


@lru_cache(maxsize=256)
def _code_fault(code: str) -> str | None:
    known = hreflang(code)
    if known is not None and "_" not in code:
        return None
    hint = known or suggest_hreflang(code)
    perhaps = f" (perhaps {hint})" if hint else ""
    expected = f"a language code such as de, pt-BR or zh-Hant{perhaps}"
    return f"has the hreflang {format_value(code)}, but must have {expected}"


@rule("hreflang-self", WARNING, _HREFLANG, About.URL)
def hreflang_self(entry: Entry) -> OfEntry:
    """The language links of a page do not include the page itself.

    Add a link to the page's own `loc`.
    """
    if entry.links and entry.loc and url_key(entry.loc) not in entry.alternates:
        yield entry.element, "has language links, but none to the page itself"


hreflang_return = found_elsewhere(
    "hreflang-return",
    WARNING,
    _HREFLANG,
    """A language version is absent or not listed, does not link back, or has another code.

    Build and list all language versions of a page, and give them the same links.
    """,
)
