"""What a check can find: the table of all codes, and the findings."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum
from functools import partial
from typing import NamedTuple, Self

from mkdocs_sitemap_plus.problems import Place
from mkdocs_sitemap_plus.sitemap import MAX_LOC_LENGTH
from mkdocs_sitemap_plus.sitemap.elements import PREFIXES
from mkdocs_sitemap_plus.sitemap.parse import RawElement
from mkdocs_sitemap_plus.sitemap.urls import url_key
from mkdocs_sitemap_plus.sitemap.values import url_fault
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place
from mkdocs_sitemap_plus.wording import DOCS, MAX_VALUE, counted, shorten


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"  # it breaks a rule: search engines ignore the file, the entry or the field
    WARNING = "warning"  # it is allowed, but useless or probably unintended


CODES_URL = f"{DOCS}command/check-codes/"


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the table of codes."""

    severity: Severity
    name: str  # in kebab case; it never changes
    source: str  # where the rule is published
    meaning: str  # what is wrong, as a sentence
    fix: str  # what to do about it, as a sentence
    stops: bool = False  # whether the rest of the file can't be read


_error = partial(_Row, Severity.ERROR)
_stop = partial(_Row, Severity.ERROR, stops=True)
_warning = partial(_Row, Severity.WARNING)

_PROTOCOL = "sitemaps.org"
_XSD = "sitemaps.org, schema"
_GOOGLE = "Google, sitemaps"
_HREFLANG = "Google, localized versions"
_IMAGES = "Google, image sitemaps"
_VIDEOS = "Google, video sitemaps"
_NEWS = "Google, news sitemaps"


class CheckCode(StrEnum):
    """A kind of finding, in the order of the documentation."""

    severity: Severity
    source: str
    meaning: str
    fix: str
    stops: bool

    def __new__(cls, row: _Row) -> Self:
        """Return the member of a row: as text its name, with the rest of the row as attributes."""
        code = str.__new__(cls, row.name)
        code._value_ = row.name
        code.severity, code.source, code.stops = row.severity, row.source, row.stops
        code.meaning, code.fix = row.meaning, row.fix
        return code

    @property
    def url(self) -> str:
        """The section of the documentation about this code."""
        return f"{CODES_URL}#{self}"

    # fmt: off
    # The file
    NOT_XML = _stop("not-xml", "XML 1.0", "The file is not well-formed XML.", "Write & as `&amp;` and < as `&lt;`, and close every tag.")
    DOCTYPE = _stop("doctype", "XML 1.0, 2.8", "The file has a document type declaration, which sitemaps do not need.", "Remove the declaration.")
    ENCODING = _stop("encoding", _PROTOCOL, "The file is not in UTF-8.", "Save the file in UTF-8.")
    LEADING_TEXT = _error("leading-text", "XML 1.0, 2.8", "There is white space or text before `<?xml`. Search engines reject such a file.", "Remove everything before `<?xml`.")
    WRONG_ROOT = _stop("wrong-root", _XSD, "The root element is neither `urlset` nor `sitemapindex`.", "Give the URL of a sitemap, of a text file with URLs, or of a feed (RSS, Atom).")
    WRONG_NAMESPACE = _stop("wrong-namespace", _XSD, "The root element is not in the namespace of the protocol.", 'Write `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`, with http.')
    GZIP = _stop("gzip", "RFC 1952", "The gzip file is broken, ends too early, or is not packed.", "Compress the file again.")
    TOO_MANY_BYTES = _stop("too-many-bytes", _PROTOCOL, "The unpacked file has more than 52,428,800 bytes.", "Split the file, and list its parts in an index.")
    TOO_COMPLEX = _stop("too-complex", "the bounds of this check", "The file has more elements than a sitemap needs, or too many levels of elements.", "Split the file, or remove elements that a sitemap does not need.")
    BOM = _warning("bom", "Unicode 2.6", "The file begins with a byte order mark.", "Save the file without a byte order mark.")
    GZ_DIFFERS = _error("gz-differs", "servers that send the `.gz` file instead", "The `.gz` file differs from the file of the same name without `.gz`.", "Compress the file without `.gz` again.")
    TOO_MANY_URLS = _error("too-many-urls", _PROTOCOL, "The file has more than 50,000 entries.", "Split the file, and list its parts in an index.")
    EMPTY = _error("empty", _XSD, "The file has no entries.", "Do not publish an empty sitemap.")
    # Its elements
    ELEMENT_MISSING = _error("element-missing", _XSD, "A required element is missing or empty.", "Add the missing element or value.")
    ELEMENT_ORDER = _error("element-order", _XSD, "The elements are not in the order of the schema.", "Write `loc`, `lastmod`, `changefreq`, `priority`, then extensions.")
    ELEMENT_TWICE = _error("element-twice", _XSD, "An element appears twice, but the schema allows it once.", "Remove one of the two elements.")
    ELEMENT_UNKNOWN = _error("element-unknown", _XSD, "The schema does not allow this element there.", "Remove the element, or correct its name or namespace.")
    NAMESPACE_UNKNOWN = _warning("namespace-unknown", _XSD, "An element is in a namespace that no search engine documents.", "Remove the element.")
    NAMESPACE_MISSPELLED = _error("namespace-misspelled", "XML namespaces", "The namespace of an image, a video, an article or a language link is written wrongly. Search engines ignore the element.", "Write the namespace exactly as it is documented, with http and the same version.")
    ROOT_CHILD = _warning("root-child", "readers that stop at such an element", "An element of another namespace is between the entries.", "Remove the element. If a script makes the file easier to read, use a style sheet instead.")
    ATTRIBUTE = _error("attribute", _XSD, "An attribute is missing, unknown or invalid.", "Write the attributes as the schema requires.")
    TEXT = _error("text", _XSD, "There is text where only elements are allowed.", "Remove the text.")
    # loc
    LOC_RELATIVE = _error("loc-relative", _PROTOCOL, "A `loc` is not an absolute URL.", "Write the whole URL, with `https://` and the host.")
    LOC_SCHEME = _error("loc-scheme", _PROTOCOL, "A `loc` is not an http or https URL with a host, or it contains a user name.", "Write the URL that visitors open.")
    LOC_HOST = _error("loc-host", "RFC 1035", "A `loc` has a host that can't exist.", "Correct the host: no server can answer there.")
    LOC_LOCAL = _warning("loc-local", "RFC 6761", "The pages are on a host that only one computer can open, such as `localhost`.", "Set the public address of the site, and build it again.")
    LOC_TOO_LONG = _error("loc-too-long", _PROTOCOL, "A `loc` has 2,048 characters or more.", "Shorten the URL.")
    LOC_FRAGMENT = _error("loc-fragment", "RFC 3986, 3.5", "A `loc` has a fragment. A fragment is never sent to a server.", "Remove `#` and the text after it.")
    LOC_ESCAPE = _error("loc-escape", "RFC 3986, 2.1", "A `loc` has a `%` that does not begin an escape.", "Write the percent sign as `%25`.")
    LOC_CHARACTER = _error("loc-character", "RFC 3986, 2", "A `loc` has a character that is not allowed in a URL.", "Escape the character with `%`.")
    LOC_NOT_ASCII = _warning("loc-not-ascii", _PROTOCOL, "A `loc` has characters that are not ASCII.", "Escape them as UTF-8 with `%`. Write the host in ASCII, with `xn--`.")
    LOC_ESCAPED_TWICE = _warning("loc-escaped-twice", _PROTOCOL, "A `loc` is escaped twice, as in `&amp;amp;`.", "Escape each `&` once, as `&amp;`.")
    LOC_OUTSIDE = _error("loc-outside", _PROTOCOL, "A `loc` has another scheme, host or port than the sitemap, or is not in the folder of the sitemap.", "Correct the URL, list the page in the sitemap of its own site, or move this sitemap to a folder above the page.")
    DUPLICATE_LOC = _error("duplicate-loc", _GOOGLE, "Two entries have the same `loc`, or one of them is the `index.html` of the other.", "Remove one of the two entries.")
    # lastmod, changefreq, priority
    LASTMOD_FORMAT = _error("lastmod-format", "W3C NOTE-datetime", "A `lastmod` is not a date, or is a day that does not exist.", "Correct the date, or remove the `lastmod`.")
    LASTMOD_IMPRECISE = _warning("lastmod-imprecise", _XSD, "A `lastmod` has a form that W3C allows, but the schema does not allow. Some programs reject it.", "Write the whole date.")
    LASTMOD_FUTURE = _error("lastmod-future", _GOOGLE, "A `lastmod` is more than a day in the future.", "Write the date of the last change.")
    LASTMOD_EPOCH = _warning("lastmod-epoch", _GOOGLE, "A `lastmod` is older than the web, so it is not a real date.", "Write the date of the last change, or remove the `lastmod`.")
    SAME_LASTMOD = _warning("same-lastmod", "Bing, Google", "All dates are on one day, as if all were that of the build. Search engines stop trusting such dates.", "Give each page the date of its own last change, or no date.")
    LASTMOD_DIFFERS = _warning("lastmod-differs", _GOOGLE, "A page gives a different day than its `lastmod`. Search engines compare the two days.", "Remove the other date from the page. With `page_dates: true`, the page shows the date of the sitemap. Templates of another builder can read it from the file of `mkdocs-sitemap-plus dates`.")
    CHANGEFREQ = _error("changefreq", _PROTOCOL, "A `changefreq` is not one of the seven allowed values.", "Write one of these values, in lower-case letters: always, hourly, daily, weekly, monthly, yearly, never.")
    PRIORITY = _error("priority", _PROTOCOL, "A `priority` is not a number from 0.0 to 1.0.", "Write a decimal number, with a point and without an exponent.")
    # An index
    NESTED_INDEX = _error("nested-index", _GOOGLE, "An index lists another index. Search engines do not read the second index.", "List all sitemaps in one index.")
    PART_MISSING = _error("part-missing", _PROTOCOL, "A sitemap that the index lists can't be read.", "Publish the sitemap, or remove it from the index.")
    PART_OUTSIDE = _error("part-outside", "Google, large sitemaps", "A sitemap in an index has another scheme, host or port than the index, or is not in the folder of the index.", "Publish the sitemap in the folder of the index or below.")
    PART_LASTMOD = _warning("part-lastmod", "Google, large sitemaps", "A page has a newer date than its sitemap has in the index. Search engines can miss the change.", "Give the sitemap the newest date of its pages, or no date.")
    PART_UNREAD = _warning("part-unread", "the bounds of this check", "The index lists more sitemaps than this check reads.", "Check the other sitemaps separately.")
    # Languages
    HREFLANG_LINK = _error("hreflang-link", _HREFLANG, "A link to another language has no `hreflang` or `href`, or its `rel` is not `alternate`.", "Add or correct the attribute.")
    HREFLANG_CODE = _error("hreflang-code", _HREFLANG, "An `hreflang` is not a language code that search engines know.", "Use an ISO 639-1 language code, if needed with a script or a region: de, pt-BR, zh-Hant.")
    HREFLANG_URL = _error("hreflang-url", _HREFLANG, "An `href` is not an absolute http or https URL, or has a fragment.", "Write the whole URL without a fragment, and escape characters that are not allowed.")
    HREFLANG_TWICE = _error("hreflang-twice", _HREFLANG, "Two links of a page have the same `hreflang`.", "Remove one of the two links.")
    HREFLANG_SELF = _error("hreflang-self", _HREFLANG, "The language links of a page do not include the page itself.", "Add a link to the page's own `loc`.")
    HREFLANG_RETURN = _error("hreflang-return", _HREFLANG, "A language version does not link back, or gives itself another code. Search engines then ignore the link to it.", "Give all language versions of a page the same links.")
    HREFLANG_UNLISTED = _warning("hreflang-unlisted", _HREFLANG, "A language version is not in the sitemap, so it does not link back. Other pages in the folder of its language are listed.", "List the language version, with the same links.")
    # Images, videos, news
    MEDIA_URL = _error("media-url", "RFC 3986", "The URL of an image or a video is not an absolute http or https URL.", "Write the whole URL, and escape characters that are not allowed.")
    TOO_MANY_IMAGES = _error("too-many-images", _IMAGES, "A page has more than 1,000 images.", "List only the images that matter.")
    IMAGE_TWICE = _warning("image-twice", _IMAGES, "A page lists an image twice.", "Remove one of the two images.")
    OUTDATED = _warning("outdated", "Google, image, video and news sitemaps", "Search engines stopped reading this element or attribute in 2022 or earlier.", "Remove the element or the attribute.")
    VIDEO_VALUE = _error("video-value", _VIDEOS, "A field of a video has an invalid value.", "Correct the value. Google documents all fields.")
    VIDEO_LOC = _error("video-loc", _VIDEOS, "The file or player of a video is the page itself.", "Give the URL of the video file, or of the player.")
    NEWS_VALUE = _error("news-value", _NEWS, "A field of an article has an invalid value.", "Correct the value. Google documents all fields.")
    NEWS_OLD = _warning("news-old", _NEWS, "An article is older than two days.", "Remove the `news:news` element. You can keep the entry.")
    TOO_MANY_NEWS = _error("too-many-news", _NEWS, "The file has more than 1,000 articles.", "Split the file.")
    # Beside a built site
    PAGE_ABSENT = _error("page-absent", _GOOGLE, "A page is listed, but the built site has no file for it.", "Build the page, or remove the entry.")
    VERSION_URL = _error("version-url", "mike", "The URLs of a version of mike are below another version or an alias, such as `latest/2.0/`. There is no such folder.", "Set `site_url` to the folder above all versions. mike adds the version to it.")
    ERROR_PAGE = _error("error-page", _GOOGLE, "The page `404.html` is listed.", "Remove the entry of this page.")
    NOINDEX = _error("noindex", _GOOGLE, "A listed page tells search engines not to index it.", "Remove the entry, or remove noindex from the page.")
    NOT_CANONICAL = _error("not-canonical", _GOOGLE, "A listed page names another URL as its canonical URL.", "List the canonical URL, exactly as the page writes it.")
    REDIRECT = _error("redirect", _GOOGLE, "A listed page redirects to another page.", "Instead of this URL, list the URL to which it redirects.")
    FOLDER_SLASH = _warning("folder-slash", "most web servers", "A folder is listed without the slash at its end. Most servers redirect such a URL.", "List the URL with its slash, or name this URL as the canonical one of the page.")
    DISALLOWED = _error("disallowed", "RFC 9309", "robots.txt disallows a listed page.", "Remove the entry, or allow the page in robots.txt.")
    ALTERNATE_ABSENT = _error("alternate-absent", _HREFLANG, "A language version has no file in the built site, but the site has the folder of this language.", "Build the language version, or remove the link.")
    NOT_LISTED = _warning("not-listed", _GOOGLE, "A page of the built site is not listed, but search engines are allowed to index it.", "List the page, or add a noindex meta tag to it.")
    EXCLUDED = _warning("excluded", "the options of the project", "A page is listed, though an option or its front matter excludes it.", "Write the sitemap with sitemap-plus, or remove what excludes the page.")
    REPLACED = _warning("replaced", "the options of the project", "Another program replaced the sitemap of the project, and its dates are lost.", "Let sitemap-plus write last. With Zensical, run `mkdocs-sitemap-plus build` after `zensical build`.")
    GONE = _warning("gone", "the option --since", "A URL of the older sitemap is not listed any more, and nothing known explains it.", "List the page again, or redirect its URL to the page that replaces it.")
    TEMPLATE_PUBLISHED = _warning("template-published", "HTML", "A template of the theme is published as if it were a page.", "Move the template out of docs_dir, or add it to exclude_docs.")
    ROBOTS_PLACE = _warning("robots-place", "RFC 9309, 2.3", "robots.txt is not at the root of the host. Crawlers do not read it elsewhere.", "Publish robots.txt at the root of the host.")
    SITEMAP_DISALLOWED = _error("sitemap-disallowed", "RFC 9309", "robots.txt disallows the sitemap itself.", "Allow the sitemap in robots.txt.")
    ROBOTS_NO_SITEMAP = _warning("robots-no-sitemap", "sitemaps.org, robots.txt", "robots.txt does not name a sitemap.", "Add a line such as `Sitemap: https://example.com/sitemap.xml`.")
    ROBOTS_SITEMAP = _error("robots-sitemap", "sitemaps.org, robots.txt", "A `Sitemap:` line of robots.txt has no absolute URL.", "Write the whole URL.")
    # On the web
    PAGE_STATUS = _error("page-status", _GOOGLE, "For a listed page, the server answers with an error, such as 404.", "Publish the page, or remove the entry.")
    SOFT_NOT_FOUND = _error("soft-not-found", _GOOGLE, "A listed page is empty, or it is the error page of the site, but the server answers 200.", "Publish the page, or remove the entry. For a page that does not exist, the server must answer 404.")
    LINK_BROKEN = _error("link-broken", _GOOGLE, "An entry names an image or a language version that the server does not have.", "Publish it, or correct the URL.")
    PAGE_NO_ANSWER = _error("page-no-answer", "RFC 9110", "For a listed page, the server does not answer, or stops before the end of the answer.", "Repair the server, or remove the entry.")
    ROBOTS_NO_ANSWER = _error("robots-no-answer", "RFC 9309, 2.3.1.4", "robots.txt can't be read. Crawlers then request no page of the host.", "Set the server to send robots.txt, or 404 if there is no robots.txt.")
    # Requirements of the command
    REQUIRED_ABSENT = _error("required-absent", "the option --require", "A required URL is not listed.", "List the page, or find out why the build left it out.")
    TOO_FEW_DATES = _error("too-few-dates", "the option --min-dated", "Fewer entries have a date than `--min-dated` requires.", "Fetch the whole git history where the site is built. If it is there, `mkdocs-sitemap-plus explain PAGE` says why a page has no date.")
    # fmt: on


# What only `check_requirements` adds
REQUIREMENTS = (CheckCode.REQUIRED_ABSENT, CheckCode.TOO_FEW_DATES)
MAX_KEPT = 1_000  # findings of one code in one file. Further findings are only counted

_MAX_REASON = 2 * MAX_LOC_LENGTH  # characters of a reason, which may contain a URL


class Finding(NamedTuple):
    """One thing that is wrong with a sitemap."""

    code: CheckCode
    place: Place  # in the sitemap, or the file of a built page
    loc: str | None  # of the entry, cut if too long; None for a finding about a file
    reason: str  # what was found, as a clause
    fix: str  # what to do about it, as a sentence


class NotChecked(NamedTuple):
    """Something that a check did not look at."""

    what: str
    """``site``: the pages of a built site. ``server``: pages and robots.txt on the web.
    ``project``: what the owner decided, since there is no project; ``decisions``, since it can't be
    used. ``sample``: the pages outside of the sample. ``pages``, ``links``: some of those on the
    web. ``robots.txt``: that of the host. ``dates``: some of those that pages show.
    """
    why: str  # a sentence


@dataclass(slots=True)
class Findings:
    """All findings of a check."""

    kept: list[Finding] = field(default_factory=list)  # `MAX_KEPT` of each code and file
    counts: Counter[tuple[CheckCode, str | None]] = field(
        default_factory=Counter
    )  # by code and file
    left_out: Counter[str] = field(default_factory=Counter)  # pages not listed, by the reason
    accepted: int = 0  # findings that the owner accepts for good
    accepts: Callable[[Finding], bool] | None = None  # tells which these are
    not_checked: list[NotChecked] = field(default_factory=list)

    def skip(self, what: str, why: str) -> None:
        """Say that something was not looked at. The arguments are the fields of `NotChecked`."""
        self.not_checked.append(NotChecked(what, f"{why}."))

    def add(
        self,
        code: CheckCode,
        place: Place,
        reason: str,
        loc: str | None = None,
        fix: str | None = None,
    ) -> None:
        """Add a finding. By default, its fix is that of its code."""
        loc = shorten(loc, MAX_LOC_LENGTH) if loc else None
        finding = Finding(code, place, loc, shorten(reason, _MAX_REASON), fix or code.fix)
        if self.accepts and self.accepts(finding):
            self.accepted += 1
            return
        self.counts[code, place.file] += 1
        if self.counts[code, place.file] <= MAX_KEPT:
            self.kept.append(finding)


class Report(NamedTuple):
    """Adds findings about the elements of one entry."""

    findings: Findings
    file: str  # the path or URL of the sitemap
    loc: str | None = None  # None for an entry without a URL, and outside of entries

    def add(
        self, code: CheckCode, element: RawElement, clause: str, fix: str | None = None
    ) -> None:
        """Add a finding. Its reason is the name of the element, followed by the clause."""
        place = sitemap_place(self.file, element.line)
        self.findings.add(code, place, f"{prefixed_name(element)} {clause}", self.loc, fix)


def prefixed_name(element: RawElement) -> str:
    """Return an element's name with the usual prefix of its namespace."""
    return shorten(PREFIXES.get(element.space, "") + element.name, MAX_VALUE)


class Listed(NamedTuple):
    """An entry of a sitemap or an index, for the rules about several entries."""

    loc: str  # as it is written, without white space around it
    file: str  # the path or URL of its sitemap
    line: int
    lastmod: date | datetime | None  # None if it is absent or invalid
    alternates: Mapping[str, str]  # as `structure.targets` returns it
    images: Sequence[str] = ()  # their URLs as they are written, if they are wanted

    @property
    def can_be_requested(self) -> bool:
        """Whether its ``loc`` is a URL that can be requested from a server."""
        return len(self.loc) <= MAX_LOC_LENGTH and url_fault(self.loc) is None

    @property
    def place(self) -> Place:
        """Where the entry stands."""
        return sitemap_place(self.file, self.line)


def most_frequent(origins: Iterable[str | None]) -> str:
    """Return the most frequent origin, of several the first one; empty if there is no origin."""
    counts = Counter(filter(None, origins))
    return max(counts, key=counts.__getitem__, default="")


def check_requirements(
    listed: Sequence[Listed], findings: Findings, file: str, urls: Iterable[str], percent: Decimal
) -> None:
    """Report URLs of --require that are not listed, and fewer dates than --min-dated requires.

    The findings are in the file `file`. `percent` is the share of entries that must have a date.
    """
    place = sitemap_place(file)
    keys = {url_key(entry.loc) for entry in listed} if urls else set()
    for url in urls:
        if url_key(url) not in keys:
            findings.add(CheckCode.REQUIRED_ABSENT, place, "is not listed", url)
    dated = sum(entry.lastmod is not None for entry in listed)
    if 100 * dated < percent * len(listed):
        counts = f"{dated:,} of {counted(len(listed), 'entry', 'entries')} have a date"
        findings.add(CheckCode.TOO_FEW_DATES, place, f"{counts}, but {percent}% are required")
