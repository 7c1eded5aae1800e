"""What a page is called, as MkDocs finds it: its front matter, its first heading, its file name."""

import re
from collections.abc import Mapping
from html import escape
from typing import Any

from mkdocs_sitemap_plus.wording import unescape

_HEADING = re.compile(
    r"#(?!#)(?P<hashes>(?:\\.|[^\\\n#]++|#++(?!\n|\Z))*+)#*+(?:\n|\Z)"
    r"|(?!\ {4}|\t)(?P<line>.++)\n=[=-]*+\ *+(?:\n|\Z)"
)
"""A heading of the first level at the start of a block, in both forms."""

_LONGEST = 2000
"""Letters of a heading. What is longer is no heading; to read it would take long."""

_BEFORE = re.compile(r"(?:[ \t]*+\n| {0,3}+\[[^\[\]\n]++\]:.*+(?:\n|\Z))*+")
"""What Markdown takes away before the first block: empty lines, and where links lead."""

_INLINE = re.compile(
    r"""
    (?P<ticks>`++)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)
    | \\(?P<escaped>[\\`*_{}\[\]()>#+.!-])
    | <(?P<link>[a-z]+:[^<> ]+|[^<> @]+@[^<> ]+)>
    | <!--.*?--> | </?[a-z][^<>]*>
    | !?\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)\](?:\([^()]*\)|[ ]?\[[^\[\]]*\])
    | (?P<stars>\*{1,3})(?=\S)(?P<strong>.+?)(?<=\S)(?P=stars)
    | (?<!\w)(?P<lines>_{1,3})(?=\S)(?P<stressed>.+?)(?<=\S)(?P=lines)(?!\w)
    """,
    re.VERBOSE | re.IGNORECASE,
)


def title_of(meta: Mapping[str, Any], body: str, name: str, *, home: bool) -> str | None:
    """The title of a page that the navigation gives none.

    What an extension of Markdown or a macro would write into the heading is not known here.

    Args:
        meta: the front matter.
        body: the text behind it.
        name: the file's name without its ending; ``index`` for a README.
        home: whether it is the page at the top of the site.

    Returns:
        Plain text; None if the front matter says something else than a text.
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
    """A title of MkDocs, which is HTML without tags, as plain text; None for what is no text."""
    return unescape(raw) if isinstance(raw, str) else None


def _first_heading(body: str) -> str | None:
    """The heading that a text begins with."""
    start = _BEFORE.match(body)
    found = _HEADING.match(body, start.end() if start else 0)
    line = (found["line"] or found["hashes"] or "").strip() if found else None
    if line is None or len(line) > _LONGEST:
        return None
    return " ".join(unescape(_plain(line)).split())


def _plain(text: str) -> str:
    """One line of Markdown without its marks; entities stay."""
    return _INLINE.sub(_inner, text)


def _inner(mark: re.Match[str]) -> str:
    if mark["code"]:
        return escape(mark["code"].strip(), quote=False)
    literal = mark["escaped"] or mark["link"]
    if literal:
        return escape(literal, quote=False)
    return _plain(mark["text"] or mark["strong"] or mark["stressed"] or "")
