"""Values to the text of an XML element or attribute."""

from datetime import date, datetime
from decimal import Decimal

_FORBIDDEN = dict.fromkeys((*range(0x20), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF))
"""What XML 1.0 can't hold, not even as a character reference (2.2, "Characters"): left out."""

# All five entities, as the protocol asks for ("Entity escaping"). A reader makes a line feed out of
# a bare CR, and a blank out of white space in attributes (XML 1.0 2.11, 3.3.3).
_ELEMENT = _FORBIDDEN | {
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


def element(text: str) -> str:
    """Any text as the content of an element; it reads back but for what XML can't hold."""
    return text if _is_plain(text) else text.translate(_ELEMENT)


def attribute(text: str) -> str:
    """Any text as the value of an attribute in quotation marks."""
    return text if _is_plain(text) else text.translate(_ATTRIBUTE)


def _is_plain(text: str) -> bool:
    """Whether nothing has to be done, as with nearly all URLs: ten times as fast as to do it."""
    return text.isprintable() and not (
        "&" in text or "'" in text or "<" in text or ">" in text or '"' in text
    )


def lastmod_text(when: date | datetime) -> str:
    """W3C datetime, as the schema takes it: ``2026-11-20``, or ``2026-11-20T11:34:59+00:00``.

    A datetime must be aware.
    """
    return when.isoformat(timespec="seconds") if isinstance(when, datetime) else when.isoformat()


def priority_text(number: Decimal) -> str:
    """Plain decimal digits with at least one behind the point, never an exponent: ``0.5``."""
    text = f"{number.normalize():f}"
    return text if "." in text else text + ".0"
