"""A folder with a built site and its URL: which files are pages, what is where, who is canonical.

A build, `check`, an index of sites and a preview ask the same questions here.
"""

import os
import posixpath
import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.files import (
    MAX_FILE,
    Unreadable,
    is_file,
    path_from,
    read_start,
    real_path,
)
from mkdocs_sitemap_plus.html.page_says import PageSays, read_built_page, read_page
from mkdocs_sitemap_plus.html.tags import is_document, is_empty, is_error_page, text_of
from mkdocs_sitemap_plus.sitemap.protocol import NAMES
from mkdocs_sitemap_plus.sitemap.urls import (
    base_url,
    before_path,
    folder_fault,
    joined,
    path_below,
    quote_path,
    url_key,
    within,
    without_form,
)

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


HTML = ".html"  # how the name of a page ends
_SITEMAPS = frozenset(NAMES)


class SiteFolder:
    """A folder with a built site, and the URL of the folder, with a slash at its end.

    Paths are relative to the folder, with ``/``. The URL is empty if it is not known.
    """

    def __init__(self, folder: Path, url: str) -> None:
        """Read nothing yet."""
        self.folder, self.url = folder, url

    @cached_property
    def links(self) -> Mapping[str, str]:
        """The linked folders that lead to another folder of the site, and where each leads.

        So mike and Documenter publish the current version: ``latest`` leads to ``2.0``. A link
        inside of a folder with a sitemap is that of another site.
        """
        found, top = dict[str, str](), real_path(self.folder)
        for above, folders, names in os.walk(self.folder):
            for path in (os.path.join(above, name) for name in folders):  # noqa: PTH118 - many
                if os.path.islink(path) and (real := real_path(path)).is_relative_to(top):  # noqa: PTH114
                    found[path_from(self.folder, path)] = path_from(top, real)
            if Path(above) != self.folder and not _SITEMAPS.isdisjoint(names):
                folders.clear()
        return found

    def html_files(
        self, is_of_other: Callable[[Path, Collection[str]], bool] | None = None
    ) -> Iterator[str]:
        """Yield the paths of all HTML files. A linked folder is not entered.

        Nor is a folder of which `is_of_other` says so by its path and the names in it.
        """
        for above, folders, names in os.walk(self.folder):
            if is_of_other and above != str(self.folder) and is_of_other(Path(above), names):
                folders.clear()
                continue
            folders.sort()
            for name in sorted(names):
                if name.endswith(HTML):
                    yield path_from(self.folder, os.path.join(above, name))  # noqa: PTH118 - many

    def is_page(self, path: str) -> bool:
        """Return whether an HTML file can be a page by its path: no error page, search or index."""
        return not is_of_theme(path) and is_beside_pages(self.folder, path) is None

    def path_of(self, url: str) -> str | None:
        """Return the path that a web server sends for a URL of the site, perhaps through a link."""
        file = served_file(self.folder, self.url, url) if self.url else None
        return path_from(self.folder, file) if file else None

    def real(self, path: str) -> str:
        """Return a path without the linked folders in it."""
        if any(path.startswith(f"{link}/") for link in self.links):
            real = real_path(self.folder / path)
            if real.is_relative_to(top := real_path(self.folder)):
                return path_from(top, real)
        return path

    def file_of(self, url: str) -> Path | None:
        """Return the file that a web server sends for a URL of the site, or None."""
        path = self.path_of(url)
        return None if path is None else self.folder / self.real(path)

    def file_in_other_form(self, url: str) -> Path | None:
        """Return the file of a page if it is built, but for another form of its URL."""
        stem = without_form(url.partition("?")[0])
        files = (self.file_of(f"{stem}{ending}") for ending in (HTML, "/index.html"))
        return next(filter(None, files), None)

    def url_of(self, file: Path) -> str:
        """Return the URL that MkDocs and most servers use for a file of the site."""
        path = file.relative_to(self.folder).as_posix()
        if file.name == "index.html":
            path = path.removesuffix("index.html")
        return self.url + quote_path(path)

    def page_at(self, url: str) -> "PageAt | None":
        """Return the built page that a server sends for a URL; None if there is none."""
        file = self.file_of(url)
        says = read_built_page(file) if file and file.name.endswith(HTML) else None
        return PageAt(path_from(self.folder, file), url, says) if file and says else None


def is_of_theme(path: str) -> bool:
    """Return whether a theme makes the file, and it is no page: an error page, or a search."""
    return path == "search.html" or is_error_page(path)


def keys_by_file(site: SiteFolder, files: Iterable[tuple[str, str | None]]) -> Callable[[str], str]:
    """Return a function that gives a URL the `url_key` of the one in `files` with the same file.

    What one built file answers is one page: ``/a`` and ``/a.html`` of ``a.html``, or ``/a``,
    ``/a/`` and ``/a/index.html`` of ``a/index.html``. Any other URL has its own key. `files` are
    the URLs of pages, each with the path of its file.
    """
    known = {url_key(loc): path for loc, path in files}
    by_path = {path: key for key, path in known.items()}

    @cache
    def key_of(url: str) -> str:
        key = url_key(url)
        path = None if key in known else site.path_of(url)
        return by_path.get(path, key) if path else key

    return key_of


class PageAt(NamedTuple):
    """A built page at a URL."""

    path: str  # in the folder of the site
    loc: str
    says: PageSays

    def names(self) -> str | None:
        """Return the other URL that it names as canonical, or redirects to; None without one."""
        says = self.says
        if says.leads_elsewhere(self.loc):
            other = says.redirect
        else:
            other = says.canonical if says.names_other(self.loc) else None
        return joined(base_url(self.loc, says.base), other) if other is not None else None


class Canonical(NamedTuple):
    """The other URL that a page names as canonical."""

    url: str  # as the page writes it
    page: str | None  # the path of the other page of the site that has it; None without one
    absolute: str = ""  # the same URL, joined to that of the page

    def is_nowhere(self, site: SiteFolder, known: Container[str]) -> bool:
        """Return whether it is below the URL of the site, but nothing there has it.

        `known` are URLs, as `url_key` returns them, that another build may answer.
        """
        if self.page is not None or url_key(self.absolute) in known:
            return False
        return within(self.absolute, site.url) and site.path_of(self.absolute) is None


def other_canonical(page: PageAt, page_at: Callable[[str], PageAt | None]) -> Canonical | None:
    """Return the other URL that a page names as canonical, for which it is not listed.

    The page that has this URL may name a third one, or redirect to it. If that leads back to the
    first page, none is canonical by what the pages say, and the result is None. `page_at` returns
    the page of the site that a server sends for a URL.
    """
    says = page.says
    if says.canonical is None or not says.names_other(page.loc):
        return None
    first = url = joined(base_url(page.loc, says.base), says.canonical)
    seen = {page.path}
    named = other = page_at(url) if url else None
    while other and other.path not in seen:
        seen.add(other.path)
        url = other.names()
        other = page_at(url) if url else None
    if named and named.path != page.path and other and other.path == page.path:
        return None
    path = named.path if named and named.path != page.path else None
    return Canonical(says.canonical, path, first or "")


def home_url(site: SiteFolder) -> str | None:
    """Return the URL of a folder by the canonical URL of its home page; None without one.

    A home page that redirects, or whose canonical URL is that of another page of the site, says
    nothing of the folder.
    """
    says = read_built_page(site.folder / "index.html")
    if says is None or not says.canonical or says.redirect is not None:
        return None
    url = says.canonical.removesuffix("index.html")
    url = f"{url}/" if url == before_path(url) else url
    if not url.endswith("/") or folder_fault(url):
        return None
    return None if site.path_of(url) not in (None, "index.html") else url


def served_file(folder: Path, folder_url: str, url: str) -> Path | None:
    """Return the file in a folder that a web server sends for a URL, or None."""
    path = path_below(url, folder_url)
    if path is None or ".." in path.split("/") or "\\" in path or "\0" in path:
        return None
    path = path.lstrip("/")
    is_folder = path.endswith("/") or not path
    names = [f"{path}index.html"] if is_folder else [path, f"{path}.html", f"{path}/index.html"]
    return next((folder / name for name in names if is_file(folder / name)), None)
