"""Take HTML apart as browsers do: the attributes of tags, and what kind of file a page is.

Tags are found where browsers find them (HTML 13.2.5). A comment, an element or a quoted value
without an end extends to the end of the text, as in browsers. So no expression has to go back, and
no part of a text is read more than twice.
"""

import re
from pathlib import Path

from mkdocs_sitemap_plus.files import is_file
from mkdocs_sitemap_plus.wording import unescape

NOT_PAGES = frozenset(("404.html", "search.html"))
"""HTML files that themes write into the folder of the site and that are not pages of it."""

_START = 4_096  # characters of a page in which its language is looked for
_ERROR_PAGE = re.compile(r"(?:\A|/)404\.html\Z|\A(?:[a-z]{2}(?:-[A-Za-z]+)?/)?404/index\.html\Z")
_BESIDE_PAGES = re.compile(
    r"(?:\A|(?<=/))(?:(?:genindex(?:-[^/]+)?|py-modindex|search)(?:/index)?\.html\Z|_modules/)"
)
# A tag that only whole pages have, as a group; or a comment, in which none is looked for.
_DOCUMENT = re.compile(
    rb"(?is)<!--(?:-?>|.*?(?:--!?>|\Z))"
    rb"|(<(?:!doctype[ \t\n\f\r]+html|html|head|body)[ \t\n\f\r/>])"
)

# The value of an attribute, in quotes or not. A group may start at {0} and end at {1}.
_VALUE = r"\"{0}[^\"]*+{1}(?:\"|\Z)|'{0}[^']*+{1}(?:'|\Z)|{0}[^ \t\n\f\r>]*+{1}"
ATTRIBUTES = rf"(?>(?:[^>=]++|=[ \t\n\f\r]*+(?:{_VALUE.format('', '')}))*)"
_ATTRIBUTE = re.compile(
    r"([^ \t\n\f\r/>][^ \t\n\f\r/>=]*+)"
    rf"(?:[ \t\n\f\r]*+=[ \t\n\f\r]*+(?:{_VALUE.format('(', ')')}))?"
)


def tag_pattern(names: str, skipped: str) -> str:
    """Return an expression for certain tags, with the groups ``name`` and ``attributes``.

    The expression also matches whole comments and `skipped` elements, so that no tag is found
    inside of them. For these matches ``attributes`` is None. Both arguments are expressions for
    names. The name of an end tag begins with a slash.
    """
    return (
        r"(?si)<(?:!--(?:-?>|.*?(?:--!?>|\Z))"  # a comment
        rf"|({skipped})(?=[ \t\n\f\r/>]){ATTRIBUTES}(?:\Z|>"  # a skipped element
        r"(?>(?:[^<]++|<(?!/\1[ \t\n\f\r/>]))*)(?:</\1[^>]*+(?:>|\Z)|\Z))"
        rf"|(?P<name>{names})(?=[ \t\n\f\r/>])(?:(?P<attributes>{ATTRIBUTES})>|.*))"
    )


def is_error_page(path: str) -> bool:
    """Return whether a file of a built site is its error page, or that of one of its folders."""
    return bool(_ERROR_PAGE.search(path))


def is_made_by_sphinx(site_dir: Path, path: str) -> bool:
    """Return whether Sphinx makes a file beside the pages: indexes, the search, pages of code.

    Its sites have a ``searchindex.js``; elsewhere, a page may have such a name.
    """
    found = _BESIDE_PAGES.search(path)
    return found is not None and is_file(site_dir / path[: found.start()] / "searchindex.js")


def is_document(start: bytes) -> bool:
    """Return whether the start of an HTML file is that of a whole page, and of no part of one."""
    return any(found[1] for found in _DOCUMENT.finditer(start))


def attributes_of(text: str) -> dict[str, str]:
    """Return the value of each attribute, by lower case name; the first of a name counts (HTML)."""
    found: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(text):
        found.setdefault(name.lower(), unescape("".join(values)))
    return found


def language_of(html: str) -> str:
    """Return the language code in the ``html`` tag of a page; empty if it has none."""
    tag = re.search(rf"(?i)<html(?=[ \t\n\f\r])({ATTRIBUTES})>", html[:_START])
    return attributes_of(tag[1]).get("lang", "").strip() if tag else ""
