"""HTML files of a built site that are no pages, by what they are, and what lies beside them."""

import posixpath
import re
from enum import StrEnum
from pathlib import Path

from mkdocs_sitemap_plus.files import MAX_FILE, Unreadable, is_file, read_start
from mkdocs_sitemap_plus.html.page_says import PageSays, read_page
from mkdocs_sitemap_plus.html.tags import is_document
from mkdocs_sitemap_plus.html.text import is_empty, text_of

NOT_PAGES = frozenset(("404.html", "search.html"))
"""HTML files that themes write into the folder of the site and that are not pages of it."""

_MOST = 1 << 14  # bytes: a whole page has one of its tags there, and a longer one is not empty


class NoPage(StrEnum):
    """What a file is that is no page, in a few words."""

    INDEX = "index, search or code that its builder adds"
    SEARCH = "part of a search box"
    MEMBERS = "list of members"
    FALLBACK = "page for addresses that do not exist, or for errors"
    VERIFICATION = "verification file"
    TEMPLATE = "template that was not rendered"
    PART = "part of a page"
    EMPTY = "empty page"


_MARKS = (
    # At its start, or in its title: one expression for both would be tried at each byte.
    (NoPage.TEMPLATE, re.compile(rb"\s*\{[{%#]").match),
    (NoPage.TEMPLATE, re.compile(rb"<title>\s*\{[{%]").search),
    # A frame of Doxygen.
    (NoPage.SEARCH, re.compile(rb"<body[^>]*>\s*<div id=\"SRIndex\">").search),
)

_OF_SPHINX = (
    r"(?:\A|(?<=/))(?:(?:genindex(?:-[^/]+)?|py-modindex|search)(?:/index)?\.html\Z|_modules/)"
)
_OF_DOXYGEN = ("doxygen_crawl.html", "-members.html")  # the first has links without text


def is_beside_pages(site_dir: Path, path: str) -> NoPage | None:
    """Return what a builder made a file as, by what lies beside it; None if it may be a page.

    So a page of the same name stays one on any other site.
    """
    of_sphinx = re.search(_OF_SPHINX, path)
    if of_sphinx and is_file(site_dir / path[: of_sphinx.start()] / "searchindex.js"):
        return NoPage.INDEX
    if path.endswith(_OF_DOXYGEN):
        folder, name = posixpath.split(path)
        is_by_doxygen = is_file(site_dir / folder / "dynsections.js")
        if is_by_doxygen and name == _OF_DOXYGEN[0]:
            return NoPage.INDEX
        of_class = name.removesuffix(_OF_DOXYGEN[1])
        if is_by_doxygen and of_class != name and is_file(site_dir / folder / f"{of_class}.html"):
            return NoPage.MEMBERS
    return NoPage.FALLBACK if path in ("200.html", "500.html") else None  # as hosts show them


def read_html(site_dir: Path, path: str) -> tuple[PageSays | None, NoPage | None]:
    """Return what an HTML file of a built site says, and what it is instead of a page.

    The first is None without the file, the second if it may be a page.
    """
    beside = is_beside_pages(site_dir, path)
    try:
        html = read_start(site_dir / path, MAX_FILE)
    except Unreadable as error:
        return None if error.missing else PageSays(unreadable=error.reason), beside
    says = read_page(html)
    return says, beside or by_content(path, html, says)


def by_content(path: str, html: bytes, says: PageSays) -> NoPage | None:
    """Return what an HTML file is instead of a page, by what is in it; None if it may be one.

    A file that names a canonical URL is a page, unless it is marked as none. One that leads
    elsewhere, or is not for search engines, may be empty.
    """
    start = html[:_MOST]
    if kind := next((kind for kind, is_marked in _MARKS if is_marked(start)), None):
        return kind
    if says.canonical:
        return None
    if not is_document(start):
        return NoPage.PART
    if len(start) == _MOST or says.redirect is not None or says.noindex is not None:
        return None
    text = start.decode("utf-8", "replace")
    # Search engines name a file by a code, which is all that stands in it.
    code = re.search(r"([0-9a-f]{12,})\.html\Z", path)
    if code and re.fullmatch(rf"(?:verification: ?)?{code[1]}", text_of(text).lower()):
        return NoPage.VERIFICATION
    return NoPage.EMPTY if is_empty(text, but_scripts=True) else None
