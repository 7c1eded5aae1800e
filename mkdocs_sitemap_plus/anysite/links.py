"""Find the sources of pages by their links: "Edit this page" and "Show the source".

A link counts if the theme printed it, and not the text of the page. The theme's links have the same
markup on many pages.
"""

import posixpath
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from mkdocs_sitemap_plus.anysite import Claims, Head, Page
from mkdocs_sitemap_plus.sitemap import MAX_LOC_LENGTH
from mkdocs_sitemap_plus.web.file_links import FileLink, file_at_head, file_link
from mkdocs_sitemap_plus.web.html import attributes_of, find_links, language_of
from mkdocs_sitemap_plus.wording import format_value, listing

TEXTS = (
    ".adoc", ".asc", ".asciidoc", ".ipynb", ".markdown", ".md", ".mdown", ".mdx", ".mkd", ".mkdn",
    ".org", ".qmd", ".rmd", ".rst", ".textile", ".txt",
)  # fmt: skip
"""The endings of what pages are written in."""
INDEXES = ("index", "readme", "_index")
"""The names of files that make the page of their folder."""
_OF_FOLDER = (*INDEXES, "__init__", "mod")  # and those of the code of a folder

_START = 1 << 12  # bytes of a page in which its language is looked for
_BEFORE = re.compile(rb"(/?[A-Za-z][^ \t\n\f\r/>]*|!--)?[^>]*>?\s*")


def read_page(dest_uri: str, loc: str, html: bytes) -> Page:
    """Return what a built page in UTF-8 says of its source."""
    links: dict[FileLink, None] = {}
    for found, start in find_links(html):
        attributes = attributes_of(found.decode("utf-8", "replace"))
        href = attributes.get("href", "").strip()
        if len(href) <= MAX_LOC_LENGTH and (link := file_link(href)):
            links[link._replace(markup=_markup(attributes, html, start))] = None
    language = language_of(html[:_START].decode("utf-8", "replace")).lower().replace("_", "-")
    return Page(dest_uri, loc, tuple(links), language, hash(html))


def _markup(attributes: Mapping[str, str], html: bytes, start: int) -> tuple[str, ...]:
    """Return the names of a link's attributes, its class, the tag before it, and if text is."""
    before = html[max(0, start - 300) : start]
    tag = before[before.rfind(b"<") + 1 :] if b"<" in before else b""
    found = _BEFORE.match(tag)
    name = (found[1] or b"").decode("utf-8", "replace") if found else ""
    after_text = "" if found and found.end() == len(tag) else "text"
    return " ".join(sorted(attributes)), attributes.get("class", ""), name.lower(), after_text


def edited_files(pages: Sequence[Page], head: Head) -> Claims:
    """Return the file to which the one edit link of each page leads, if the theme printed it.

    It may be of any kind if its name is that of the page: a template, or code that is described.
    """
    targets = {page.dest_uri: _targets(page, head, edits=True) for page in pages}
    of_theme = _markup_of_themes(targets.values(), fewest=2)
    found, doubts = dict[str, str](), dict[str, str]()
    for page in pages:
        links = targets[page.dest_uri]
        paths = {path or link.path: path for link, path in links if link.markup in of_theme}
        doubt = ""
        if len(paths) > 1:
            doubt = f"its links lead to {listing([*map(format_value, paths)])}"
        elif paths:
            ((name, path),) = paths.items()
            if path is None:
                doubt = f"its link leads to {format_value(name)}, which is no file at HEAD"
            elif path.lower().endswith(TEXTS) or is_named_like(page.dest_uri, path):
                found[page.dest_uri] = path
        elif links:
            doubt = f"the link to {format_value(links[0][0].path)} is not the theme's"
        elif others := [link.repository for link in page.links if link.edits]:
            doubt = f"its link leads to another repository, {format_value(others[0])}"
        if doubt:
            doubts[page.dest_uri] = doubt
    return Claims(found, doubts)


def shown_files(pages: Sequence[Page], head: Head) -> Claims:
    """Return the one text to which the theme of each page links, if it is named like the page."""
    targets = {page.dest_uri: _targets(page, head, edits=False) for page in pages}
    of_theme = _markup_of_themes(targets.values(), fewest=max(3, len(pages) / 3))
    found = {}
    for page in pages:
        paths = {
            path
            for link, path in targets[page.dest_uri]
            if path and link.markup in of_theme and path.lower().endswith(TEXTS)
        }
        named = [path for path in paths if is_named_like(page.dest_uri, path)]
        if len(named) == 1:
            found[page.dest_uri] = named[0]
    return Claims(found)


_Target = tuple[FileLink, str | None]  # a link, and the file at HEAD; None: it is no file at HEAD


def _targets(page: Page, head: Head, *, edits: bool) -> list[_Target]:
    """Return the links of a page into this repository; without a remote, into any."""
    return [
        (link, file_at_head(link, head.refs, head.files))
        for link in page.links
        if link.edits is edits and (not head.names or link.repository in head.names)
    ]


def _markup_of_themes(pages: Iterable[Sequence[_Target]], fewest: float) -> set[tuple[str, ...]]:
    """Return the markup of links that lead to at least so many files at HEAD.

    The link of a footer, such as that to the licence, leads to one file on all pages.
    """
    files = {(link.markup, path) for links in pages for link, path in links if path}
    counts = Counter(markup for markup, _ in files)
    return {markup for markup, count in counts.items() if count >= fewest}


def is_named_like(page: str, path: str) -> bool:
    """Return whether a page has the name of a file; an index has that of its folder.

    The home page has the name of any index.
    """
    folder, stem = posixpath.split(plain(posixpath.splitext(path)[0]))
    names = (stem, posixpath.basename(folder)) if stem in _OF_FOLDER else (stem,)
    above, name = posixpath.split(plain(page.removesuffix(".html")))
    if name == "index" and not above:
        return stem in INDEXES
    return (posixpath.basename(above) if name == "index" else name) in names


def plain(path: str) -> str:
    """Return a path as builders spell it in URLs."""
    return path.lower().replace(" ", "-")
