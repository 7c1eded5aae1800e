"""The title of a page, as MkDocs finds it: front matter, first heading, or file name."""

import re
from collections.abc import Mapping
from html import escape
from typing import Any

from mkdocs_sitemap_plus.wording import unescape

_HEADING = re.compile(
    r"#(?!#)(?P<hashes>(?>(?:\\.|[^\\\n#]++|#++(?!\n|\Z))*))#*+(?:\n|\Z)"
    r"|(?!\ {4}|\t)(?P<line>.++)\n=[=-]*+\ *+(?:\n|\Z)"
)
"""A heading of the first level: ``# Title``, or a line above ``===``."""

_LONGEST = 2000
"""Characters of a heading. A longer one does not count, since it would take long to read."""

_BEFORE = re.compile(r"(?>(?:[ \t]*+\n| {0,3}+\[[^\[\]\n]++\]:.*+(?:\n|\Z))*)")
"""What Markdown removes before the first block: empty lines, and definitions of links."""

_INLINE = re.compile(
    r"""
    (?P<ticks>`++)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)
    | \\(?P<escaped>[\\`*_{}\[\]()>#+.!-])
    | <(?P<link>[a-z]+:[^<> ]+|[^<> @]+@[^<> ]+)>
    | <!--.*?--> | </?[a-z][^<>]*>
    | !?\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\](?:\([^()]*\)|[ ]?\[[^\[\]]*\])
    | (?P<stars>\*{1,3})(?=\S)(?P<starred>.+?)(?<=\S)(?P=stars)
    | (?<!\w)(?P<underscores>_{1,3})(?=\S)(?P<underscored>.+?)(?<=\S)(?P=underscores)(?!\w)
    """,
    re.VERBOSE | re.IGNORECASE,
)


def title_of(meta: Mapping[str, Any], body: str, name: str, *, home: bool) -> str | None:
    """Return the title of a page that has none in the navigation.

    Markdown extensions and macros are not run. So the text that they would add is missing.

    Args:
        meta: the front matter.
        body: the text of the page after the front matter.
        name: the file's name without its ending; ``index`` for a README.
        home: whether it is the page at the top of the site.

    Returns:
        Plain text; None if the title in the front matter is not a string.
    """
    if "title" in meta:
        return plain_title(meta["title"])
    if heading := _first_heading(body):
        return heading
    if home:
        return "Home"
    words = name.replace("-", " ").replace("_", " ")
    return words.capitalize() if words.lower() == words else words


def plain_title(raw: object) -> str | None:
    """Return a title of MkDocs without its HTML entities; None if the title is not a string."""
    return unescape(raw) if isinstance(raw, str) else None


def _first_heading(body: str) -> str | None:
    """Return the heading at the start of a text; None if the text starts with something else."""
    start = _BEFORE.match(body)
    found = _HEADING.match(body, start.end() if start else 0)
    line = (found["line"] or found["hashes"] or "").strip() if found else None
    if line is None or len(line) > _LONGEST:
        return None
    return " ".join(unescape(_plain(line)).split())


def _plain(text: str) -> str:
    """Return a line of Markdown without its markup, as HTML with entities."""
    return _INLINE.sub(_inner, text)


def _inner(mark: re.Match[str]) -> str:
    """Return the text inside of one piece of markup."""
    if mark["code"]:
        return escape(mark["code"].strip(), quote=False)
    literal = mark["escaped"] or mark["link"]
    if literal:
        return escape(literal, quote=False)
    return _plain(mark["text"] or mark["starred"] or mark["underscored"] or "")
