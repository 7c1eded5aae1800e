"""Render entries as the XML of a ``urlset``, or of an index; and the style sheet beside it."""

import re
from collections.abc import Sequence
from dataclasses import fields
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

from mkdocs_sitemap_plus.problems import Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.entry import (
    Alternate,
    News,
    Restriction,
    SitemapEntry,
    UrlEntry,
    Video,
)
from mkdocs_sitemap_plus.sitemap.limits import MAX_BYTES, MAX_URLS

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = "http://www.w3.org/1999/xhtml"
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
VIDEO = "http://www.google.com/schemas/sitemap-video/1.1"
NEWS = "http://www.google.com/schemas/sitemap-news/0.9"
_EXTENSIONS = {"xhtml": XHTML, "image": IMAGE, "video": VIDEO, "news": NEWS}
FOOT = b"</urlset>\n"
_INDENT = "  <url>\n    <loc>"
STYLESHEET = "sitemap.css"
"""The name of the CSS style sheet, beside the sitemap."""

_VIDEO_FIELDS = tuple(field.name for field in fields(Video) if field.name != "uploader_info")
"""`Video` has its fields in the order of ``sitemap-video.xsd``."""

_NOT_IN_XML = dict.fromkeys((*range(0x20), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF))
"""What XML 1.0 can't hold, not even as a character reference (2.2, "Characters"): left out."""

# All five entities, as the protocol asks for ("Entity escaping"). A reader makes a line feed out of
# a bare CR, and a blank out of white space in attributes (XML 1.0 2.11, 3.3.3).
_ELEMENT = _NOT_IN_XML | {
    ord("\t"): "\t",
    ord("\n"): "\n",
    ord("\r"): "&#13;",
    ord("&"): "&amp;",
    ord("<"): "&lt;",
    ord(">"): "&gt;",
    ord('"'): "&quot;",
    ord("'"): "&apos;",
}
_ATTRIBUTE = _ELEMENT | {ord("\t"): "&#9;", ord("\n"): "&#10;"}


def head(used: frozenset[str], stylesheet: str | None) -> bytes:
    """Return what stands before the first entry.

    Args:
        used: the prefixes of the extensions that the entries use.
        stylesheet: the URL of a CSS style sheet for people, or None.
    """
    spaces = "".join(f' xmlns:{name}="{_EXTENSIONS[name]}"' for name in _EXTENSIONS if name in used)
    return f'{declaration(stylesheet)}<urlset xmlns="{NAMESPACE}"{spaces}>\n'.encode()


def declaration(stylesheet: str | None) -> str:
    """Return the XML declaration, and a line that names the style sheet, if there is one.

    Sitemap parsers ignore this processing instruction ("Associating Style Sheets with XML
    documents"); some of them reject a foreign element. Browsers are removing XSLT.
    """
    style = f'<?xml-stylesheet type="text/css" href="{attribute(stylesheet or "")}"?>\n'
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + (style if stylesheet else "")


def may_be_ours(data: bytes) -> bool:
    """Return whether a file begins exactly as our files do; files of others may do so too."""
    return bool(_OWN_START.match(data))


_OWN_START = re.compile(
    r'<\?xml version="1\.0" encoding="UTF-8"\?>\n(?:<\?xml-stylesheet [^>]*\?>\n)?'
    rf'<urlset xmlns="{re.escape(NAMESPACE)}"[^>]*>\n{_INDENT}'.encode()
)


def namespaces(entry: UrlEntry) -> frozenset[str]:
    """Return the prefixes of the extensions that an entry uses."""
    if not (entry.alternates or entry.images or entry.videos or entry.news):
        return frozenset()
    values = (entry.alternates, entry.images, entry.videos, entry.news)
    return frozenset(name for name, value in zip(_EXTENSIONS, values, strict=True) if value)


def url(entry: UrlEntry) -> str:
    """Return one ``url`` element with its line ends."""
    # A million of these are written, so this is one string, without lists.
    text = f"{_INDENT}{element(entry.loc)}</loc>\n"
    if entry.lastmod is not None:
        text += f"    <lastmod>{lastmod_text(entry.lastmod)}</lastmod>\n"
    if entry.changefreq is not None:
        text += f"    <changefreq>{entry.changefreq}</changefreq>\n"
    if entry.priority is not None:
        text += f"    <priority>{priority_text(entry.priority)}</priority>\n"
    if entry.alternates:
        text += "".join(map(_link, entry.alternates))
    if entry.images:
        text += "".join(map(_image, entry.images))
    if entry.videos:
        text += "".join(map(_video, entry.videos))
    if entry.news:
        text += _news(entry.news)
    return text + "  </url>\n"


def _link(alternate: Alternate) -> str:
    code, href = attribute(alternate.hreflang), attribute(alternate.href)
    return f'    <xhtml:link rel="alternate" hreflang="{code}" href="{href}"/>\n'


def _image(loc: str) -> str:
    return f"    <image:image>\n      <image:loc>{element(loc)}</image:loc>\n    </image:image>\n"


def _video(video: Video) -> str:
    children = ""
    for name in _VIDEO_FIELDS:
        value = getattr(video, name)
        if name == "tags":
            children += "".join(_child("tag", tag) for tag in value)
        elif isinstance(value, Restriction):
            relationship = "allow" if value.allow else "deny"
            children += _child(name, " ".join(value.names), f' relationship="{relationship}"')
        elif name == "uploader" and video.uploader_info:
            children += _child(name, value, f' info="{attribute(video.uploader_info)}"')
        else:
            children += _child(name, value)
    return f"    <video:video>\n{children}    </video:video>\n"


def _child(name: str, value: object, attributes: str = "") -> str:
    if value is None:
        return ""
    return f"      <video:{name}{attributes}>{element(_text(value))}</video:{name}>\n"


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Decimal):
        return priority_text(value)
    return lastmod_text(value) if isinstance(value, date) else str(value)


def _news(news: News) -> str:
    return (
        "    <news:news>\n"
        "      <news:publication>\n"
        f"        <news:name>{element(news.publication)}</news:name>\n"
        f"        <news:language>{element(news.language)}</news:language>\n"
        "      </news:publication>\n"
        f"      <news:publication_date>{lastmod_text(news.publication_date)}"
        "</news:publication_date>\n"
        f"      <news:title>{element(news.title)}</news:title>\n"
        "    </news:news>\n"
    )


def render_index(entries: Sequence[SitemapEntry], stylesheet: str | None = None) -> bytes:
    """Return an index file (sitemaps.org, "Using Sitemap index files").

    Args:
        entries: at least one, in the order in which they are written.
        stylesheet: the URL of a CSS style sheet for people, or None.

    Raises:
        SitemapError: it is larger than the protocol allows an index to be.
    """
    start = f'{declaration(stylesheet)}<sitemapindex xmlns="{NAMESPACE}">\n'
    text = start + "".join(map(_sitemap, entries)) + "</sitemapindex>\n"
    data = text.encode()
    if len(entries) > MAX_URLS or len(data) > MAX_BYTES:
        raise SitemapError(_too_large(len(entries), len(data)))
    return data


def _sitemap(entry: SitemapEntry) -> str:
    when = entry.lastmod
    lastmod = "" if when is None else f"    <lastmod>{lastmod_text(when)}</lastmod>\n"
    return f"  <sitemap>\n    <loc>{element(entry.loc)}</loc>\n{lastmod}  </sitemap>\n"


def _too_large(count: int, size: int) -> Problem:
    return Problem(
        code="index",
        found=f"the sitemap index has {count} sitemaps in {size} bytes, but at most {MAX_URLS} in "
        f"{MAX_BYTES} bytes are allowed",
        done="No file is written.",
        fix="Raise max_urls and max_bytes, if they are set.",
    )


def stylesheet() -> bytes:
    """Return the CSS for ``urlset`` and ``sitemapindex``: UTF-8, LF."""
    return Path(__file__).with_name(STYLESHEET).read_bytes()


def element(text: str) -> str:
    """Return a text as the content of an element, without what XML can't hold."""
    return text if _is_plain(text) else text.translate(_ELEMENT)


def attribute(text: str) -> str:
    """Return a text as the value of an attribute in quotation marks."""
    return text if _is_plain(text) else text.translate(_ATTRIBUTE)


def _is_plain(text: str) -> bool:
    """Return whether nothing must be escaped, as in nearly all URLs: this is ten times as fast."""
    return text.isprintable() and not (
        "&" in text or "'" in text or "<" in text or ">" in text or '"' in text
    )


def lastmod_text(when: date | datetime) -> str:
    """Return ``2026-11-20`` or, of an aware datetime, ``2026-11-20T11:34:59+00:00`` (W3C)."""
    return when.isoformat(timespec="seconds") if isinstance(when, datetime) else when.isoformat()


def priority_text(number: Decimal) -> str:
    """Return decimal digits with at least one behind the point, never an exponent: ``0.5``."""
    text = f"{number.normalize():f}"
    return text if "." in text else text + ".0"
