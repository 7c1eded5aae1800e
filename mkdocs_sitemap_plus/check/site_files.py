"""Check a sitemap against the files of a built site, and the links between language versions."""

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from operator import itemgetter
from os.path import commonprefix
from pathlib import Path
from random import Random
from typing import NamedTuple
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.check import CheckCode, Findings, Listed
from mkdocs_sitemap_plus.check.decided import OwnersDecisions
from mkdocs_sitemap_plus.check.hosting import read_host_rules
from mkdocs_sitemap_plus.check.robots_rules import check_built_robots
from mkdocs_sitemap_plus.files import Unreadable, is_folder, read_file, read_start
from mkdocs_sitemap_plus.problems import Origin, Place
from mkdocs_sitemap_plus.sitemap import MAX_LOC_LENGTH
from mkdocs_sitemap_plus.sitemap.open_sitemaps import NAMES
from mkdocs_sitemap_plus.sitemap.parse import sitemap_place
from mkdocs_sitemap_plus.sitemap.urls import (
    before_path,
    joined,
    origin_url,
    path_below,
    quote_path,
    served_file,
    url_key,
    within,
)
from mkdocs_sitemap_plus.web.built_html import NOT_PAGES, BuiltPage, read_built_page, read_page
from mkdocs_sitemap_plus.web.stated_dates import StatedDate, stated_dates
from mkdocs_sitemap_plus.wording import counted, format_value, listing

# The number of entries by which the URL of the site is found. If none of them has a file, more are
# tried: the second number.
_SAMPLES = (200, 3000)
_MAX_DEPTH = 20  # the folder of a site is at most this deep on its host
HTML = (".html", ".htm")
_START_BYTES = 65_536  # of an HTML file, which show whether it is a template or a redirect
_DOCUMENT = re.compile(rb"<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)
_TEMPLATE = re.compile(rb"\{[%{#]")
_MIN_FOR_SUMMARY = 10
"""If this many pages have a different date than in the sitemap, one more finding gives the totals.
They must also be at least half of the pages that state a date."""


class SiteFolder(NamedTuple):
    """A folder with a built site, and the URL of the folder, with a slash at its end."""

    folder: Path
    url: str

    def file_of(self, url: str) -> Path | None:
        """Return the file that a web server sends for a URL of the site, or None."""
        return served_file(self.folder, self.url, url)

    def url_of(self, file: Path) -> str:
        """Return the URL that MkDocs and most servers use for a file of the site."""
        path = file.relative_to(self.folder).as_posix()
        if file.name == "index.html":
            path = path.removesuffix("index.html")
        return self.url + quote_path(path)


def site_beside(sitemap: Path) -> Path | None:
    """Return the folder of a sitemap; None if it has no HTML files, or if the path was a URL."""
    folder = sitemap.parent
    return folder if is_folder(folder) and any(folder.glob("*.html")) else None


def check_site(
    listed: Sequence[Listed],
    folder: Path,
    findings: Findings,
    *,
    whole: bool,
    decided: OwnersDecisions | None = None,
) -> SiteFolder | None:
    """Check all entries of a sitemap against the files of a built site, and return the site.

    The result is None if `_site_in` finds no site. If the owner lists all entries by hand, the
    project tells its URL. If `whole`, the sitemap should list the whole site, and each page that it
    does not list is a finding, unless `decided` accounts for it.
    """
    elsewhere = decided.elsewhere if decided else frozenset()
    own_pages = [entry for entry in listed if url_key(entry.loc) not in elsewhere]
    site = _site_in(folder, own_pages)
    if decided and listed and not own_pages:
        site = SiteFolder(folder, decided.url)
    if site is None:
        return None
    _check_entries(site, own_pages, findings)
    if whole:
        _check_pages(site, listed, findings, decided.left_out if decided else {})
    check_built_robots(folder, site.url, listed, findings)
    return site


def _site_in(folder: Path, listed: Sequence[Listed]) -> SiteFolder | None:
    """Return the site in a folder, with the URL by which most entries have a file in the folder.

    If there are many entries, only a sample is tried. The result is None if none of these has a
    file, whatever the URL.
    """
    urls = [entry.loc for entry in listed if len(entry.loc) <= MAX_LOC_LENGTH]
    for size in _SAMPLES:
        # Not at even distances: languages or versions of a page often follow each other.
        sample = Random(0).sample(urls, min(size, len(urls)))  # noqa: S311 - no secret
        site, files = _likely_site(folder, sample)
        if files:
            return site
    return None


def _likely_site(folder: Path, urls: Sequence[str]) -> tuple[SiteFolder | None, int]:
    """Return the site with the URL by which most of these URLs have a file, and how many have."""
    counts = Counter(chain.from_iterable(map(_folders_of, urls)))
    # The URL of a single page would fit too: its file would be ``index.html`` of the site. So only
    # folders that hold many of the URLs are tried.
    least = max(counts.values(), default=0) / 2
    sites = [SiteFolder(folder, url) for url, count in counts.items() if count >= least]
    files = [sum(site.file_of(url) is not None for url in urls) for site in sites]
    return max(zip(sites, files, strict=True), key=itemgetter(1), default=(None, 0))


def _folders_of(url: str) -> list[str]:
    """Return the URLs of the folders that a page is in, from the root on."""
    origin = origin_url(url)
    if origin is None:
        return []
    path = urlsplit(url).path or "/"
    ends = [at for at, letter in enumerate(path, start=1) if letter == "/"]
    return [origin + path[:end] for end in ends[:_MAX_DEPTH]]


def _check_entries(site: SiteFolder, listed: Sequence[Listed], findings: Findings) -> None:
    pages, rules = [], read_host_rules(site.folder)
    for entry in listed:
        # A URL with ``..`` that leads out of the folder has no file. So it is an absent page.
        if not (within(entry.loc, site.url) or entry.loc.startswith(site.url)):
            continue
        file = site.file_of(entry.loc)
        if ruled := rules.conflict(urlsplit(entry.loc).path, has_file=file is not None):
            findings.add(ruled[0], entry.place, ruled[1], entry.loc)
        elif file is None:
            reason = "has no file in the built site"
            findings.add(CheckCode.PAGE_ABSENT, entry.place, reason, entry.loc)
        elif file == site.folder / "404.html":
            findings.add(CheckCode.ERROR_PAGE, entry.place, "is the page of error 404", entry.loc)
        elif file.suffix.lower() in HTML:
            page = read_built_page(file) or BuiltPage()
            for code, reason in conflicts(entry.loc, page):
                findings.add(code, entry.place, f"{file.as_posix()} {reason}", entry.loc)
            if _lacks_slash(entry.loc, file, page):
                reason = "is a folder without its slash, which most servers redirect"
                findings.add(CheckCode.FOLDER_SLASH, entry.place, reason, entry.loc)
            with suppress(Unreadable):
                if entry.lastmod:
                    html = read_file(file).decode("utf-8", "replace")
                    pages.append((entry, stated_dates(html, entry.loc)))
    check_page_dates(pages, findings)


def _lacks_slash(loc: str, file: Path, page: BuiltPage) -> bool:
    """Return whether a URL is that of a folder without its slash; a page may want it so."""
    path = urlsplit(loc).path
    is_whole = path in ("", "/") or path.endswith(("/", "/index.html"))
    return file.name == "index.html" and page.canonical is None and not is_whole


def conflicts(loc: str, page: BuiltPage) -> Iterator[tuple[CheckCode, str]]:
    """Yield a code and a clause for each tag which says that the page must not be listed."""
    if page.noindex is not None:
        yield CheckCode.NOINDEX, f"has the robots meta tag {format_value(page.noindex)}"
    if page.leads_elsewhere(loc):
        yield CheckCode.REDIRECT, f"redirects to {format_value(page.redirect)}"
    elif page.names_other(loc):
        yield CheckCode.NOT_CANONICAL, f"names {format_value(page.canonical)} as its canonical URL"


def _check_pages(
    site: SiteFolder, listed: Sequence[Listed], findings: Findings, left_out: Mapping[str, str]
) -> None:
    """Report published templates, and pages that may be indexed but are not listed.

    Pages that the owner left out, by their paths in `left_out`, are only counted.
    """
    known = set(filter(None, (site.file_of(entry.loc) for entry in listed)))
    for file in _pages(site.folder, known):
        if file in known or not _may_be_listed(site, file):
            continue
        start = read_start(file, _START_BYTES)
        place = Place(origin=Origin.BUILT_PAGE, file=file.as_posix())
        if why := _template_sign(start):
            findings.add(
                CheckCode.TEMPLATE_PUBLISHED, place, f"is a template: {why}", site.url_of(file)
            )
        elif _DOCUMENT.search(start) and not _redirects_without_scripts(start, site.url_of(file)):
            if why := left_out.get(file.relative_to(site.folder).as_posix()):
                findings.left_out[why] += 1
            else:
                findings.add(CheckCode.NOT_LISTED, place, "is not listed", site.url_of(file))


def _redirects_without_scripts(start: bytes, url: str) -> bool:
    """Return whether a page redirects a browser that runs no scripts, as in mike's redirects."""
    # `read_page` skips the content of <noscript>, which such a browser reads.
    return read_page(start.replace(b"<noscript>", b"")).leads_elsewhere(url)


def _template_sign(start: bytes) -> str | None:
    if tag := _TEMPLATE.match(start.lstrip()):
        return f"it begins with {tag[0].decode()}"
    if (tag := _TEMPLATE.search(start)) and not _DOCUMENT.search(start):
        return f"it has no <html>, and contains {tag[0].decode()}"
    return None


def _pages(folder: Path, known: Collection[Path]) -> Iterator[Path]:
    """Yield the HTML files of a site.

    A folder with a sitemap in it is another site, such as another language or version. It is
    skipped, unless it contains one of the `known` files, which are the files of listed pages.
    """
    site_folders = {parent for file in known for parent in file.parents}
    for top, folders, names in os.walk(folder):
        is_of_site = Path(top) == folder or Path(top) in site_folders
        if not is_of_site and not set(names).isdisjoint(NAMES):
            folders.clear()
            continue
        folders.sort()
        for name in sorted(names):
            of_theme = name == "404.html" or (name in NOT_PAGES and Path(top) == folder)
            if name.lower().endswith(HTML) and not of_theme:
                yield Path(top, name)


def _may_be_listed(site: SiteFolder, file: Path) -> bool:
    page = read_built_page(file)
    if page is None or page.unreadable or page.noindex is not None:
        return False
    if page.leads_elsewhere(site.url_of(file)):
        return False
    if page.canonical is None:
        return True
    canonical = joined(site.url_of(file), page.base or "", page.canonical)
    return canonical is None or site.file_of(canonical) == file


def check_page_dates(pages: Iterable[tuple[Listed, list[StatedDate]]], findings: Findings) -> None:
    """Report pages that state a different day than their `lastmod`.

    `pages` has each entry with all dates that its page states.
    """
    count, differ = 0, []
    for entry, stated in pages:
        if entry.lastmod and stated:
            count += 1
            if others := [other for other in stated if other.differs_from(entry.lastmod)]:
                differ.append((entry, others))
    code = CheckCode.LASTMOD_DIFFERS
    if len(differ) >= _MIN_FOR_SUMMARY and 2 * len(differ) >= count:
        all_dated = f"{counted(count, 'page')} with a date"
        reason = f"{len(differ):,} of {all_dated} show a different day than their lastmod"
        findings.add(code, sitemap_place(differ[0][0].file), reason)
    for entry, others in differ:
        found = listing(f"{other.where} {format_value(other.text)}" for other in others[:3])
        reason = f"has lastmod {entry.lastmod:%Y-%m-%d}, but the page has {found}"
        findings.add(code, entry.place, reason, entry.loc)


def by_url(listed: Iterable[Listed]) -> dict[str, Listed]:
    """Return the entries by `url_key`. Of several entries with the same URL, the first counts."""
    pages: dict[str, Listed] = {}
    for entry in listed:
        pages.setdefault(url_key(entry.loc), entry)
    return pages


def check_language_versions(
    listed: Sequence[Listed],
    findings: Findings,
    site: SiteFolder | None,
    in_all: Mapping[str, Listed],
) -> None:
    """Check that all language versions exist and link to each other (Google, "localized versions").

    A language version that is not listed may be in another sitemap, since languages are often built
    one by one. So it is a finding only if the sitemap or the built site has other pages in the
    folder of this language. `listed` are the entries of one sitemap. If several sitemaps are
    checked, `in_all` has the entries of all of them, as `by_url` returns them.
    """
    if not any(entry.alternates for entry in listed):
        return
    pages = by_url(listed)
    folders = _folders(pages)
    for key, page in pages.items():
        for other in sorted(page.alternates - {key}):
            version = pages.get(other) or in_all.get(other)
            if version is None:
                _check_unlisted(page, other, folders, findings, site)
            elif key not in version.alternates:
                reason = f"links to {version.loc}, which does not link back"
                findings.add(CheckCode.HREFLANG_RETURN, page.place, reason, page.loc)


_Folders = Mapping[str, tuple[str, frozenset[str]]]


def _folders(urls: Iterable[str]) -> _Folders:
    """Return for each scheme and host the deepest folder that contains all of its URLs.

    The second value has the names of the subfolders of this folder that contain a URL. An empty
    name stands for a URL that is in no subfolder.
    """
    by_origin: dict[str, list[str]] = {}
    for url in urls:
        by_origin.setdefault(before_path(url), []).append(url)
    found = {}
    for origin, urls_there in by_origin.items():
        common = commonprefix(urls_there)  # noqa: RUF071 - cut at its last slash below
        common = common[: common.rfind("/") + 1]
        found[origin] = (common, frozenset(_top(url, common) for url in urls_there))
    return found


def _top(url: str, folder: str) -> str:
    """Return the name of the first folder of a URL below `folder`; empty if there is none."""
    top, slash, _ = url.removeprefix(folder).partition("/")
    return top if slash else ""


def _check_unlisted(
    page: Listed, other: str, folders: _Folders, findings: Findings, site: SiteFolder | None
) -> None:
    """Report a link to a language version that is not listed, unless another build may have it."""
    common, names = folders.get(before_path(other), ("", frozenset()))
    rest = path_below(other, site.url) if site else None
    if site and rest is not None and site.file_of(other) is None:
        # Without a folder for the language, another build may publish it.
        if is_folder(site.folder / _top(rest, "")):
            reason = f"links to {other}, which has no file in the built site"
            findings.add(CheckCode.ALTERNATE_ABSENT, page.place, reason, page.loc)
    # A page for x-default is often not listed, since it only redirects to a language.
    elif other in page.languages and other.startswith(common) and _top(other, common) in names:
        reason = f"links to {other}, which is not in the sitemap"
        findings.add(CheckCode.HREFLANG_UNLISTED, page.place, reason, page.loc)
