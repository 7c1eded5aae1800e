"""Write entries as the XML of a sitemap: its files, each within the limits, and their indexes."""

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.files import Mark
from mkdocs_sitemap_plus.problems import Code, Place, Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.entries import (
    Alternate,
    Restriction,
    SitemapEntry,
    UrlEntry,
    Video,
)
from mkdocs_sitemap_plus.sitemap.protocol import MAX_BYTES, MAX_URLS, lastmod_text, newest
from mkdocs_sitemap_plus.wording import shorten, unescape

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = "http://www.w3.org/1999/xhtml"
_IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
_VIDEO = "http://www.google.com/schemas/sitemap-video/1.1"
_EXTENSIONS = {"xhtml": XHTML, "image": _IMAGE, "video": _VIDEO}
FOOT = f"</urlset>\n{Mark.SITEMAP}\n".encode()
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
    """Return the XML declaration, and a line with the CSS style sheet, if there is one.

    The style sheet is not XSLT, which browsers are removing. Our mark is the last line: LinkChecker
    looks for the root in the first 70 bytes, and other programs for entries right behind the root.
    """
    text = '<?xml version="1.0" encoding="UTF-8"?>\n'
    if stylesheet:
        text += f'<?xml-stylesheet type="text/css" href="{escape_attribute(stylesheet)}"?>\n'
    return text


def used_prefixes(entry: UrlEntry) -> frozenset[str]:
    """Return the prefixes of the extensions that an entry uses."""
    values = (entry.alternates, entry.images, entry.videos)  # ordered as `_EXTENSIONS`
    return frozenset(name for name, value in zip(_EXTENSIONS, values, strict=True) if value)


def render_url(entry: UrlEntry) -> str:
    """Return a ``url`` element as lines."""
    # There may be a million of them, and a string that grows is faster than a list.
    text = f"  <url>\n    <loc>{escape_element(entry.loc)}</loc>\n"
    if entry.lastmod is not None:
        text += f"    <lastmod>{lastmod_text(entry.lastmod)}</lastmod>\n"
    if entry.changefreq is not None:
        text += f"    <changefreq>{entry.changefreq}</changefreq>\n"
    if entry.priority is not None:
        text += f"    <priority>{decimal_text(entry.priority)}</priority>\n"
    text += "".join(map(_link, entry.alternates))
    text += "".join(map(_image, entry.images))
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
    end = f"</sitemapindex>\n{Mark.SITEMAP}\n"
    data = (start + "".join(map(_sitemap, entries)) + end).encode()
    if len(entries) > MAX_URLS or len(data) > MAX_BYTES:
        found = (
            f"the sitemap index has {len(entries)} sitemaps in {len(data)} bytes, but at most "
            f"{MAX_URLS} in {MAX_BYTES} bytes are allowed"
        )
        done, fix = "No file is written.", "Raise max_urls and max_bytes, if they are set."
        raise SitemapError(Problem(Code.INDEX, found, done=done, fix=fix))
    return data


def _sitemap(entry: SitemapEntry) -> str:
    when = entry.lastmod
    lastmod = "" if when is None else f"    <lastmod>{lastmod_text(when)}</lastmod>\n"
    return f"  <sitemap>\n    <loc>{escape_element(entry.loc)}</loc>\n{lastmod}  </sitemap>\n"


def stylesheet() -> bytes:
    """Return the CSS style sheet for ``urlset`` and ``sitemapindex``."""
    return Path(__file__).with_name(STYLESHEET).read_bytes()


def escape_element(text: str) -> str:
    """Return a text as the content of an element, without characters that XML can't contain."""
    return text.translate(_ELEMENT)


def escape_attribute(text: str) -> str:
    """Return a text as the value of an attribute, without characters that XML can't contain."""
    return text.translate(_ATTRIBUTE)


def decimal_text(number: Decimal) -> str:
    """Return a number such as ``0.5``: with a digit after the point, and without an exponent."""
    text = f"{number.normalize():f}"
    return text if "." in text else text + ".0"


def json_value(value: object) -> Any:  # noqa: ANN401 - JSON
    """Return an entry, a place or a part of them as JSON has it, without what is not set."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, date):
        return lastmod_text(value)
    if isinstance(value, Decimal):
        return decimal_text(value)
    if isinstance(value, Place):
        value = value._asdict()
    elif is_dataclass(value):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, Mapping):
        items = ((name, json_value(each)) for name, each in value.items())
        return {name: each for name, each in items if each not in (None, [], {})}
    if isinstance(value, (tuple, list)):
        return [json_value(each) for each in value]
    return str(value)


class Layout(NamedTuple):
    """How entries are split into files."""

    filename: str  # of the sitemap; the names of all other files are made from it
    base: str  # the URL of the sitemap's folder, with a slash at its end
    max_urls: int = MAX_URLS  # entries of one file, at least 1
    max_bytes: int = MAX_BYTES  # of one file, uncompressed
    others: tuple[str, ...] = ()  # URLs of other sitemaps, for the index beside the sitemap
    stylesheet: str | None = None  # the URL of the CSS style sheet


class SitemapFile(NamedTuple):
    """A file to write: its name without a folder, and its content in pieces."""

    name: str
    pieces: tuple[bytes | bytearray, ...]


def files(
    entries: Sequence[UrlEntry], layout: Layout, extra: Sequence[UrlEntry] = ()
) -> Iterator[SitemapFile]:
    """Yield all files, each before the index that lists it. Only one file is in memory at a time.

    The sitemap itself is a ``urlset`` if the limits allow it, because scripts of themes read it.
    Otherwise it is an index of its parts and of the files with the `extra` entries. A second index
    may be beside the sitemap: it lists the sitemap or its parts, the extra files, and other
    sitemaps. No index lists an index. In an index, the ``lastmod`` of a file is the newest date of
    its entries, if all of them have a date.

    `entries` are written in the given order; there must be at least one.

    Raises SitemapError if an entry or an index is larger than a file may be.
    """
    parts = yield from _parts(entries, layout, layout.filename)
    extra_parts = yield from _parts(extra, layout, extra_name(layout.filename))
    is_one_file = len(parts) == 1
    if not is_one_file:
        yield _index(layout.filename, parts + extra_parts, layout)
    if layout.others or (is_one_file and extra):
        listed = parts + extra_parts
        locs = {entry.loc for entry in listed}
        listed += [SitemapEntry(loc=loc) for loc in layout.others if loc not in locs]
        yield _index(index_name(layout.filename), listed, layout)


def _index(name: str, listed: Sequence[SitemapEntry], layout: Layout) -> SitemapFile:
    return SitemapFile(name=name, pieces=(render_index(listed, layout.stylesheet),))


def _parts(
    entries: Sequence[UrlEntry], layout: Layout, name: str
) -> Generator[SitemapFile, None, list[SitemapEntry]]:
    """Yield a file of this name, or several with numbers; return their index entries."""
    listed: list[SitemapEntry] = []
    start = 0
    while start < len(entries):
        pieces, end = _next_part(entries, start, layout)
        is_only = not listed and end == len(entries)
        file_name = name if is_only else part_name(name, len(listed) + 1)
        yield SitemapFile(name=file_name, pieces=pieces)
        lastmod = newest(entry.lastmod for entry in entries[start:end])
        listed.append(SitemapEntry(loc=layout.base + file_name, lastmod=lastmod))
        start = end
    return listed


def _next_part(
    entries: Sequence[UrlEntry], start: int, layout: Layout
) -> tuple[tuple[bytes | bytearray, ...], int]:
    """Return the content of a file with the entries from `start` on, as many as the limits allow.

    Also return the index of the first entry after them.
    """
    body = bytearray()
    prefixes: frozenset[str] = frozenset()  # of XML namespaces, which the head declares
    head = render_head(prefixes, layout.stylesheet)
    end = start
    while end < len(entries) and end - start < layout.max_urls:
        entry = entries[end]
        new_prefixes = prefixes | used_prefixes(entry)
        new_head = render_head(new_prefixes, layout.stylesheet)
        text = render_url(entry).encode()
        size = len(new_head) + len(body) + len(text) + len(FOOT)
        if size > layout.max_bytes:
            if end > start:
                break
            found = (
                f"the entry of {shorten(entry.loc)} alone needs a sitemap of {size} bytes, but "
                f"only {layout.max_bytes} are allowed"
            )
            fix = "List fewer images, videos or links for that page."
            done = "No file is written."
            raise SitemapError(Problem(Code.MAX_BYTES, found, done=done, fix=fix))
        body += text
        prefixes, head = new_prefixes, new_head
        end += 1
    return (head, body, FOOT), end


def index_name(filename: str) -> str:
    """Return the name of the index beside the sitemap: ``sitemap-index.xml``."""
    return _with_ending(filename, "index")


def extra_name(filename: str) -> str:
    """Return the name of the extra file, for URLs that are not pages: ``sitemap-extra.xml``."""
    return _with_ending(filename, "extra")


def part_name(filename: str, number: int) -> str:
    """Return the name of a part of a file that would be too large: ``sitemap-1.xml``."""
    return _with_ending(filename, str(number))


def _with_ending(filename: str, ending: str) -> str:
    return f"{filename.removesuffix('.xml')}-{ending}.xml"


def is_part(name: str, filename: str) -> bool:
    """Return whether a part or the extra file of a sitemap `filename` has this name."""
    stem = re.escape(filename.removesuffix(".xml"))
    return re.fullmatch(rf"{stem}-(\d+|extra(-\d+)?)\.xml", name, re.ASCII) is not None


def listed_urls(data: bytes) -> Iterator[str]:
    """Yield the URLs in an index as we write it; none for any other file."""
    if b"<sitemapindex " in data[:400]:
        for loc in re.findall(rb"<loc>([^<]*)</loc>", data):
            yield unescape(loc.decode("utf-8", "replace"))
