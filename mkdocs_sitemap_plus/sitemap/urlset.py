"""Entries to the bytes of a ``urlset``, streamed."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from xml.sax.saxutils import escape

from mkdocs_sitemap_plus.sitemap.entry import Alternate, UrlEntry

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = "http://www.w3.org/1999/xhtml"
_QUOTES = {'"': "&quot;", "'": "&apos;"}
_CHUNK = 500
"""Entries rendered at a time: large enough for speed, small enough for memory."""


def render(entries: Sequence[UrlEntry]) -> Iterator[bytes]:
    """The file in pieces: UTF-8 without a BOM, LF, XML 1.0, entries in the order given.

    Children of ``url`` stand in the order of the official schema (``xsd:sequence``), extensions
    last. A namespace is declared only where an entry uses it.
    """
    spaces = f'xmlns="{NAMESPACE}"'
    if any(entry.alternates for entry in entries):
        spaces += f' xmlns:xhtml="{XHTML}"'
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset {spaces}>\n'.encode()
    piece: list[str] = []
    for entry in entries:
        piece.append(_url(entry))
        if len(piece) == _CHUNK:
            yield "".join(piece).encode()
            piece.clear()
    yield ("".join(piece) + "</urlset>\n").encode()


def _url(entry: UrlEntry) -> str:
    lines = ["  <url>\n", _element("loc", entry.loc)]
    if entry.lastmod is not None:
        lines.append(_element("lastmod", lastmod_text(entry.lastmod)))
    if entry.changefreq is not None:
        lines.append(_element("changefreq", entry.changefreq))
    if entry.priority is not None:
        lines.append(_element("priority", priority_text(entry.priority)))
    lines.extend(map(_link, entry.alternates))
    lines.append("  </url>\n")
    return "".join(lines)


def _element(name: str, text: str) -> str:
    # All five entities, as the protocol asks for ("Entity escaping").
    return f"    <{name}>{escape(text, _QUOTES)}</{name}>\n"


def _link(alternate: Alternate) -> str:
    code, href = (escape(text, _QUOTES) for text in (alternate.hreflang, alternate.href))
    return f'    <xhtml:link rel="alternate" hreflang="{code}" href="{href}"/>\n'


def lastmod_text(when: date | datetime) -> str:
    """W3C datetime, as the schema takes it: ``2026-11-20``, or ``2026-11-20T11:34:59+00:00``.

    A datetime must be aware.
    """
    return when.isoformat(timespec="seconds") if isinstance(when, datetime) else when.isoformat()


def priority_text(priority: Decimal) -> str:
    """Plain decimal digits with at least one behind the point, never an exponent: ``0.5``."""
    text = f"{priority.normalize():f}"
    return text if "." in text else text + ".0"
