"""The lines of ``robots.txt`` that name a sitemap (sitemaps.org, "Submitting your Sitemap")."""

import re
from collections.abc import Iterator

MAX_BYTES = 512_000
"""What crawlers read of it at least, and most of them at most (RFC 9309 2.5)."""

_LINE = re.compile(rb"[ \t]*sitemap[ \t]*:[ \t]*([^\s#]\S*)[ \t]*(?:#.*)?", re.IGNORECASE)
_FIELD = re.compile(r"[ \t]*([A-Za-z-]+)[ \t]*:([^#]*)")
_BOM = b"\xef\xbb\xbf"


def with_sitemap(text: bytes, url: str) -> bytes:
    """The text with a line for `url` at its end, or as it is if a line names `url` already.

    All that is there stays byte for byte; a last line without an end gets one, as the others have
    it. The line stands for itself and ends no group (RFC 9309 2.2.4). Field names have no case,
    but URLs do (Google, "How Google interprets robots.txt").
    """
    wanted = url.encode()
    lines = re.split(rb"\r\n|\r|\n", text.removeprefix(_BOM))
    if any(match[1] == wanted for match in map(_LINE.fullmatch, lines) if match):
        return text
    end = b"\r\n" if b"\r\n" in text else b"\n"
    begun = text.removeprefix(_BOM) and not text.endswith((b"\n", b"\r"))
    return text + (end if begun else b"") + b"Sitemap: " + wanted + end


def is_text(text: bytes) -> bool:
    """Whether a file can be a ``robots.txt``: UTF-8, and so without a zero byte (RFC 9309 2.2)."""
    return b"\0" not in text and not text.startswith((b"\xff\xfe", b"\xfe\xff"))


def robots_lines(data: bytes) -> Iterator[tuple[int, str, str]]:
    """Yield number, field name in lower case and value of each line; others are skipped.

    Args:
        data: a robots.txt, of which the first `MAX_BYTES` are read.
    """
    text = data[:MAX_BYTES].removeprefix(_BOM).decode("utf-8", "surrogateescape")
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), start=1):
        if match := _FIELD.match(line):
            yield number, match[1].lower(), match[2].strip()
