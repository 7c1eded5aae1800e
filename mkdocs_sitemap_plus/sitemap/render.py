"""Render entries as the XML of a ``urlset`` or of an index, and return the style sheet of both."""

import re
from collections.abc import Sequence
from dataclasses import fields
from datetime import date
from decimal import Decimal
from pathlib import Path

from mkdocs_sitemap_plus.problems import Code, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap import (
    MAX_BYTES,
    MAX_URLS,
    Alternate,
    Restriction,
    SitemapEntry,
    UrlEntry,
    Video,
    lastmod_text,
)

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = "http://www.w3.org/1999/xhtml"
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
VIDEO = "http://www.google.com/schemas/sitemap-video/1.1"
_EXTENSIONS = {"xhtml": XHTML, "image": IMAGE, "video": VIDEO}
FOOT = b"</urlset>\n"
_URL_START = "  <url>\n    <loc>"
_SITEMAP_START = "  <sitemap>\n    <loc>"
STYLESHEET = "sitemap.css"  # beside the sitemap
_VIDEO_FIELDS = tuple(field.name for field in fields(Video) if field.name != "uploader_info")

# XML 1.0 can't contain these characters, even escaped (2.2); they are left out.
_NOT_IN_XML = dict.fromkeys((*range(0x20), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF))
# The protocol asks to escape the last five ("Entity escaping"). White space is escaped where an XML
# parser would change it: in elements a CR (2.11), in attributes also tabs and line feeds (3.3.3).
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


def render_head(used: frozenset[str], stylesheet: str | None) -> bytes:
    """Return the start of a ``urlset``, up to its first entry.

    `used` has the prefixes of the extensions in use. `stylesheet` is the URL of a style sheet.
    """
    spaces = "".join(f' xmlns:{name}="{_EXTENSIONS[name]}"' for name in _EXTENSIONS if name in used)
    return f'{declaration(stylesheet)}<urlset xmlns="{NAMESPACE}"{spaces}>\n'.encode()


def declaration(stylesheet: str | None) -> str:
    """Return the XML declaration, and a line with the URL of the CSS style sheet, if there is one.

    The style sheet is not XSLT, which browsers are removing.
    """
    text = '<?xml version="1.0" encoding="UTF-8"?>\n'
    if stylesheet:
        text += f'<?xml-stylesheet type="text/css" href="{escape_attribute(stylesheet)}"?>\n'
    return text


def begins_like_own_file(data: bytes) -> bool:
    """Return whether a file begins like a sitemap or an index of this package."""
    return bool(re.match(_OWN_START, data))


_OWN_START = (
    r'<\?xml version="1\.0" encoding="UTF-8"\?>\n(?:<\?xml-stylesheet [^>]*\?>\n)?'
    rf'<(?:urlset xmlns="{re.escape(NAMESPACE)}"[^>]*>\n{_URL_START}|'
    rf'sitemapindex xmlns="{re.escape(NAMESPACE)}">\n{_SITEMAP_START})'.encode()
)


def used_prefixes(entry: UrlEntry) -> frozenset[str]:
    """Return the prefixes of the extensions that an entry uses."""
    values = (entry.alternates, entry.images, entry.videos)  # ordered as `_EXTENSIONS`
    if not any(values):  # most of up to a million entries have none
        return frozenset()
    return frozenset(name for name, value in zip(_EXTENSIONS, values, strict=True) if value)


def render_url(entry: UrlEntry) -> str:
    """Return a ``url`` element as lines."""
    # There may be a million of them, and a string that grows is faster than a list.
    text = f"{_URL_START}{escape_element(entry.loc)}</loc>\n"
    if entry.lastmod is not None:
        text += f"    <lastmod>{lastmod_text(entry.lastmod)}</lastmod>\n"
    if entry.changefreq is not None:
        text += f"    <changefreq>{entry.changefreq}</changefreq>\n"
    if entry.priority is not None:
        text += f"    <priority>{decimal_text(entry.priority)}</priority>\n"
    if entry.alternates:
        text += "".join(map(_link, entry.alternates))
    if entry.images:
        text += "".join(map(_image, entry.images))
    if entry.videos:
        text += "".join(map(_video, entry.videos))
    return text + "  </url>\n"


def _link(alternate: Alternate) -> str:
    code, href = escape_attribute(alternate.hreflang), escape_attribute(alternate.href)
    return f'    <xhtml:link rel="alternate" hreflang="{code}" href="{href}"/>\n'


def _image(loc: str) -> str:
    text = escape_element(loc)
    return f"    <image:image>\n      <image:loc>{text}</image:loc>\n    </image:image>\n"


def _video(video: Video) -> str:
    children = ""
    for name in _VIDEO_FIELDS:
        value = getattr(video, name)
        if name == "tags":
            children += "".join(_child("tag", tag) for tag in value)
        elif isinstance(value, Restriction):
            relationship = "allow" if value.allow else "deny"
            children += _child(name, " ".join(value.names), f' relationship="{relationship}"')
        elif name == "uploader":
            info = escape_attribute(video.uploader_info or "")
            children += _child(name, value, f' info="{info}"' if info else "")
        else:
            children += _child(name, value)
    return f"    <video:video>\n{children}    </video:video>\n"


def _child(name: str, value: object, attributes: str = "") -> str:
    if value is None:
        return ""
    return f"      <video:{name}{attributes}>{escape_element(_text(value))}</video:{name}>\n"


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Decimal):
        return decimal_text(value)
    return lastmod_text(value) if isinstance(value, date) else str(value)


def render_index(entries: Sequence[SitemapEntry], stylesheet: str | None = None) -> bytes:
    """Return an index of at least one sitemap (sitemaps.org, "Using Sitemap index files").

    Raises SitemapError if the index is larger than the protocol allows.
    """
    start = f'{declaration(stylesheet)}<sitemapindex xmlns="{NAMESPACE}">\n'
    data = (start + "".join(map(_sitemap, entries)) + "</sitemapindex>\n").encode()
    if len(entries) > MAX_URLS or len(data) > MAX_BYTES:
        found = (
            f"the sitemap index has {len(entries)} sitemaps in {len(data)} bytes, but at most "
            f"{MAX_URLS} in {MAX_BYTES} bytes are allowed"
        )
        done, fix = "No file is written.", "Raise max_urls and max_bytes, if they are set."
        raise SitemapError(Problem(code=Code.INDEX, found=found, done=done, fix=fix))
    return data


def _sitemap(entry: SitemapEntry) -> str:
    when = entry.lastmod
    lastmod = "" if when is None else f"    <lastmod>{lastmod_text(when)}</lastmod>\n"
    return f"{_SITEMAP_START}{escape_element(entry.loc)}</loc>\n{lastmod}  </sitemap>\n"


def stylesheet() -> bytes:
    """Return the CSS style sheet for ``urlset`` and ``sitemapindex``."""
    return Path(__file__).with_name(STYLESHEET).read_bytes()


def escape_element(text: str) -> str:
    """Return a text as the content of an element, without characters that XML can't contain."""
    return text if _is_plain(text) else text.translate(_ELEMENT)


def escape_attribute(text: str) -> str:
    """Return a text as the value of an attribute, without characters that XML can't contain."""
    return text if _is_plain(text) else text.translate(_ATTRIBUTE)


def _is_plain(text: str) -> bool:
    """Return whether nothing must be escaped. Escaping takes ten times as long as this test."""
    return text.isprintable() and not (
        "&" in text or "'" in text or "<" in text or ">" in text or '"' in text
    )


def decimal_text(number: Decimal) -> str:
    """Return a number such as ``0.5``: with a digit after the point, and without an exponent."""
    text = f"{number.normalize():f}"
    return text if "." in text else text + ".0"
