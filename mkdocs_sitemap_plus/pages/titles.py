"""Find the title of a page in its source, or the titles in its built HTML."""

import re
from collections.abc import Mapping
from html import escape
from html import unescape as unescape_html
from typing import Any

from mkdocs_sitemap_plus.pages import plain_title
from mkdocs_sitemap_plus.wording import unescape

_HEADING = re.compile(
    r"#(?!#)(?P<hashes>(?>(?:\\.|[^\\\n#]++|#++(?!\n|\Z))*))#*+(?:\n|\Z)"
    r"|(?!\ {4}|\t)(?P<line>.++)\n=[=-]*+\ *+(?:\n|\Z)"
)
"""A heading of the first level: ``# Title``, or a line above ``===``."""

MAX_TITLE = 2000
"""Characters of a heading. A longer one would take long to read, so it does not count."""

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
    """Return the plain title of a page that has none in the navigation, as MkDocs finds it.

    It is None if the title in the front matter is not a string. Text that Markdown extensions and
    macros add to the heading of the `body` is missing. `name` is the file's name without its
    ending; ``index`` for a README. `home` is whether the page is the home page.
    """
    if "title" in meta:
        return plain_title(meta["title"])
    return _first_heading(body) or ("Home" if home else _name_as_title(name))


def slug_title(meta: Mapping[str, Any], body: str, name: str) -> str | None:
    """Return the title that the slug of a post is made of; None if it is not a string.

    A blog reads it from the source: only a first line ``# Title`` counts, with its markup.
    """
    if "title" in meta:
        return meta["title"] if isinstance(meta["title"], str) else None
    first = next(filter(None, (line.strip() for line in body.split("\n"))), "")
    return first.lstrip("# ") if first.startswith("# ") else _name_as_title(name)


def _name_as_title(name: str) -> str:
    words = name.replace("-", " ").replace("_", " ")
    return words.capitalize() if words.lower() == words else words


def _first_heading(body: str) -> str | None:
    """Return the heading at the start of a text; None if the text starts with something else."""
    start = _BEFORE.match(body)
    heading = _HEADING.match(body, start.end() if start else 0)
    line = (heading["line"] or heading["hashes"] or "").strip() if heading else ""
    if heading is None or len(line) > MAX_TITLE:
        return None
    return " ".join(unescape(_plain(line)).split())


def _plain(text: str) -> str:
    """Return a line of Markdown without its markup, as HTML with entities."""

    def inner(mark: re.Match[str]) -> str:
        if literal := (mark["code"] or "").strip() or mark["escaped"] or mark["link"]:
            return escape(literal, quote=False)
        return _plain(mark["text"] or mark["starred"] or mark["underscored"] or "")

    return _INLINE.sub(inner, text)


_TITLES = re.compile(
    r"<(?P<name>title|h1)\b[^<>]{0,2000}+>"
    r"(?P<text>(?>(?:[^<]|<(?!/?(?:title|h1)\b)){0,2000}))</(?P=name)\s{0,9}>",
    re.IGNORECASE,
)
_PERMALINK = re.compile(r"<a\b[^<>]*\bheaderlink\b[^<]*</a\s*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


def titles_in(html: str) -> set[str]:
    """Return the texts of all ``h1`` and ``title`` of a page, with and without the site's name."""
    found = set()
    for match in _TITLES.finditer(html):
        text = unescape_html(_TAG.sub("", _PERMALINK.sub("", match["text"])))
        found.add(" ".join(text.split()))
    return found | {title.rpartition(" - ")[0] for title in found if " - " in title}
