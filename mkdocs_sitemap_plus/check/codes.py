"""Every code that a check can find, in one table."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"
    """It breaks a rule: the file is not read, or the entry or field is not."""
    WARNING = "warning"
    """It is allowed, and useless or probably not meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """One thing that a check can find.

    Attributes:
        name: short and in kebab case; it never changes.
        severity: how much it matters.
        source: where the rule stands.
        meaning: what was found, as a sentence.
        fix: what to do about it, as a sentence.
        stops: whether the rest of the file was not read for it.
    """

    name: str
    severity: Severity
    source: str
    meaning: str
    fix: str
    stops: bool = False


def _error(name: str, source: str, meaning: str, fix: str) -> Code:
    return Code(name=name, severity=Severity.ERROR, source=source, meaning=meaning, fix=fix)


def _stop(name: str, source: str, meaning: str, fix: str) -> Code:
    return Code(
        name=name, severity=Severity.ERROR, source=source, meaning=meaning, fix=fix, stops=True
    )


def _warning(name: str, source: str, meaning: str, fix: str) -> Code:
    return Code(name=name, severity=Severity.WARNING, source=source, meaning=meaning, fix=fix)


_P = "sitemaps.org"
_XSD = "sitemaps.org, schema"
_GOOGLE = "Google, sitemaps"
_HREFLANG = "Google, localized versions"
_IMAGES = "Google, image sitemaps"
_VIDEOS = "Google, video sitemaps"
_NEWS = "Google, news sitemaps"

_TABLE = (
    # The file
    _stop("not-xml", "XML 1.0", "The file is not well-formed XML.", "Escape `&` and `<`; close each tag."),
    _stop("doctype", "XML 1.0, 2.8", "The file has a document type declaration, which no reader of sitemaps needs.", "Remove it."),
    _stop("encoding", _P, "The file is not in UTF-8.", "Write it in UTF-8."),
    _stop("leading-text", "XML 1.0, 2.8", "Something stands before `<?xml`, white space perhaps.", "Begin the file with `<?xml`."),
    _stop("wrong-root", _XSD, "The root element is neither `urlset` nor `sitemapindex`.", "Give the URL of a sitemap; RSS and HTML are none."),
    _stop("wrong-namespace", _XSD, "The root element is not in the namespace of the protocol.", 'Write `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`, with http.'),
    _stop("gzip", "RFC 1952", "The gzip file is broken, or ends too early.", "Compress it again."),
    _stop("too-many-bytes", _P, "The file has more than 52,428,800 bytes, unpacked.", "Split it, and list the parts in an index."),
    _stop("too-complex", "the bounds of this check", "The file has more elements, or deeper ones, than a sitemap can need.", "Split it."),
    _warning("bom", "Unicode 2.6", "The file begins with a byte order mark.", "Write it without one."),
    _error("gz-differs", "one sitemap under two names", "The `.gz` beside a file does not hold the same bytes.", "Compress the file again."),
    _error("too-many-urls", _P, "The file has more than 50,000 entries.", "Split it, and list the parts in an index."),
    _error("empty", _XSD, "The file has no entries.", "Leave it out until there are some."),
    # Its elements
    _error("element-missing", _XSD, "An element lacks one that it must have, or that one is empty.", "Add it."),
    _error("element-order", _XSD, "The elements stand in another order than the schema has.", "Write `loc`, `lastmod`, `changefreq`, `priority`, then extensions."),
    _error("element-twice", _XSD, "An element stands twice where the schema has it once.", "Remove one."),
    _error("element-unknown", _XSD, "The schema has no such element there.", "Remove it, or mend its name or namespace."),
    _warning("namespace-unknown", _XSD, "An element is in a namespace that no search engine documents.", "Remove it."),
    _warning("root-child", "readers that stop there", "An element of another namespace stands between the entries.", 'Remove it; to style the file, use `<?xml-stylesheet type="text/css"?>`.'),
    _error("attribute", _XSD, "An attribute is missing, unknown, or has a value that it can't have.", "Follow the schema."),
    _error("text", _XSD, "Text stands between elements.", "Remove it."),
    # loc
    _error("loc-relative", _P, "A `loc` is not absolute.", "Begin it with `https://` and the host."),
    _error("loc-scheme", _P, "A `loc` is not an http or https URL with a host, or has a user name in it.", "Write a URL that anybody can open."),
    _error("loc-too-long", _P, "A `loc` has 2,048 characters or more.", "Shorten the URL."),
    _error("loc-fragment", "RFC 3986, 3.5", "A `loc` has a fragment, which no server sees.", "Remove `#` and what follows it."),
    _error("loc-escape", "RFC 3986, 2.1", "A `loc` has a `%` that begins no escape.", "Write `%25`."),
    _error("loc-character", "RFC 3986, 2", "A `loc` has a character that no URL can have.", "Escape it with `%`."),
    _warning("loc-not-ascii", _P, "A `loc` has letters that are not ASCII.", "Escape them as UTF-8 with `%`, and the host as `xn--`."),
    _warning("loc-escaped-twice", _P, "A `loc` has an entity in it after it was read: it was escaped twice.", "Write `&amp;` once for each `&`."),
    _error("loc-outside", _P, "A `loc` has another scheme, host or port than the sitemap, or is above its folder.", "Move the sitemap up, or list the page in its own site's."),
    _error("duplicate-loc", _GOOGLE, "Two entries have the same `loc`.", "Remove one."),
    # lastmod, changefreq, priority
    _error("lastmod-format", "W3C NOTE-datetime", "A `lastmod` is no date, or one that does not exist.", "Write `2026-11-20` or `2026-11-20T10:00:00+01:00`, or leave it out."),
    _warning("lastmod-imprecise", _XSD, "A `lastmod` has a form that W3C allows and the schema does not: readers differ on it.", "Write `2026-11-20` or `2026-11-20T10:00:00+01:00`."),
    _error("lastmod-future", _GOOGLE, "A `lastmod` is later than tomorrow.", "Give the date of the last change."),
    _warning("lastmod-epoch", _GOOGLE, "A `lastmod` is the first second of 1970: a clock that nobody set.", "Leave it out."),
    _warning("same-lastmod", "Bing, Google", "All pages have the same date: that of a build, or of a shallow clone.", "Date each page by its own last change, or leave the dates out."),
    _error("changefreq", _P, "A `changefreq` is not one of the seven words.", "Write always, hourly, daily, weekly, monthly, yearly or never, without white space."),
    _error("priority", _P, "A `priority` is no number from 0.0 to 1.0.", "Write one, without an exponent or a comma."),
    # An index
    _error("nested-index", _GOOGLE, "An index lists an index. It is not followed.", "List all sitemaps in one index."),
    _error("part-missing", _P, "A sitemap that an index lists can't be read.", "Publish it, or take it out of the index."),
    _error("part-outside", "Google, large sitemaps", "A sitemap in an index has another scheme, host or port than the index, or is above its folder.", "Publish it beside the index or below."),
    _warning("part-lastmod", "Google, large sitemaps", "The index dates a sitemap before a page in it: nobody will look.", "Give the newest date in it, or none."),
    _warning("part-unread", "the bounds of this check", "The index lists more sitemaps than are read here.", "Check the others one by one."),
    # Languages
    _error("hreflang-link", _HREFLANG, "A link to another language lacks its `hreflang` or `href`.", "Add it."),
    _error("hreflang-code", _HREFLANG, "An `hreflang` is no language that search engines know.", "Write ISO 639-1, then script and region: de, pt-BR, zh-Hant."),
    _error("hreflang-url", _HREFLANG, "An `href` is not an absolute http or https URL.", "Write the whole URL, escaped."),
    _error("hreflang-twice", _HREFLANG, "Two links of a page have the same `hreflang`.", "Remove one."),
    _error("hreflang-self", _HREFLANG, "The language versions of a page do not name the page itself.", "Add a link to its own `loc`."),
    _error("hreflang-return", _HREFLANG, "A language version does not name this page back: both links are ignored.", "Give all versions the same links."),
    _warning("hreflang-unlisted", _HREFLANG, "A language version on the same host is not in the sitemap, and so can't name this page back.", "List it, with the same links."),
    # Images, videos, news
    _error("media-url", "RFC 3986", "The URL of an image or a video is not an absolute http or https URL.", "Write the whole URL, escaped."),
    _error("too-many-images", _IMAGES, "A page has more than 1,000 images.", "List those that matter."),
    _warning("image-twice", _IMAGES, "A page lists an image twice.", "Remove one."),
    _warning("outdated", "Google, image, video and news sitemaps", "An element or attribute has been ignored for years.", "Remove it."),
    _error("video-value", _VIDEOS, "A field of a video has a value that it can't have.", "Follow the table of fields in Google's documentation."),
    _error("video-loc", _VIDEOS, "The file or player of a video is the page itself.", "Give the URL of the video's file, or of its player."),
    _error("news-value", _NEWS, "A field of an article has a value that it can't have.", "Language: two or three small letters, zh-cn or zh-tw; dates as in `lastmod`."),
    _warning("news-old", _NEWS, "An article is older than two days.", "Remove its `news:news`; the page may stay."),
    _error("too-many-news", _NEWS, "The file has more than 1,000 articles.", "Split it."),
    # Beside a built site
    _error("page-absent", _GOOGLE, "A page is listed, and its file is not in the site.", "Build it, or take it out."),
    _error("error-page", _GOOGLE, "The page of error 404 is listed.", "Take it out."),
    _error("noindex", _GOOGLE, "A page is listed that tells robots not to index it.", "Take it out, or let it be indexed."),
    _error("not-canonical", _GOOGLE, "A page is listed that names another URL as its canonical one.", "List that URL, character by character."),
    _error("redirect", _GOOGLE, "A page is listed that leads on to another.", "List that one."),
    _error("disallowed", "RFC 9309", "A page is listed that robots.txt keeps crawlers from.", "Take it out, or allow it."),
    _error("alternate-absent", _HREFLANG, "A language version has no file in the site.", "Build it, or remove the link."),
    _warning("not-listed", _GOOGLE, "A page of the site that may be indexed is not listed.", "List it, or tell robots `noindex`."),
    _warning("robots-place", "RFC 9309, 2.3", "robots.txt is not at the root of the host, where alone it is read.", "Publish it there."),
    _error("robots-sitemap", "sitemaps.org, robots.txt", "A `Sitemap:` line of robots.txt has no absolute URL.", "Write the whole URL."),
)  # fmt: skip

CODES = {code.name: code for code in _TABLE}
"""All of them by name, in the order of the documentation."""
