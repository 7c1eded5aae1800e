"""Check a sitemap against the files of a built site, and the links between language versions."""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from urllib.parse import urlsplit

from mkdocs_sitemap_plus.check import CheckCode, Findings, Listed
from mkdocs_sitemap_plus.check.decided import OwnersDecisions
from mkdocs_sitemap_plus.check.hosting import read_host_rules
from mkdocs_sitemap_plus.check.robots_rules import check_built_robots
from mkdocs_sitemap_plus.check.site_folder import SiteFolder, site_in
from mkdocs_sitemap_plus.files import Unreadable, absolute_path, is_folder, read_file, read_start
from mkdocs_sitemap_plus.problems import Origin, Place
from mkdocs_sitemap_plus.sitemap.open_sitemaps import NAMES
from mkdocs_sitemap_plus.sitemap.urls import (
    joined,
    url_key,
    within,
)
from mkdocs_sitemap_plus.sitemap.versions import version_in_version
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place
from mkdocs_sitemap_plus.web.html import NOT_PAGES, is_document, is_error_page
from mkdocs_sitemap_plus.web.says import PageSays, read_built_page
from mkdocs_sitemap_plus.web.stated_dates import StatedDate, stated_dates
from mkdocs_sitemap_plus.wording import counted, format_value, listing

HTML = (".html", ".htm")
_START_BYTES = 65_536  # of an HTML file, which show whether it is a template or a redirect
# A statement or a comment of Jinja. Vue, Angular and Handlebars have `{{`, Svelte has `{#if`.
_TEMPLATE = re.compile(rb"(?<!\{)\{(?:%[-+]?\s*+[a-z]|#[-+\s])")
_OF_SPHINX = "_static"  # the folder to which Sphinx copies what is in its themes
_MIN_FOR_SUMMARY = 10
"""If this many pages have a different date than in the sitemap, one more finding gives the totals.
They must also be at least half of the pages that state a date."""


def check_site(
    listed: Sequence[Listed],
    folder: Path,
    findings: Findings,
    *,
    whole: Sequence[Path],
    decided: OwnersDecisions | None = None,
) -> SiteFolder | None:
    """Check all entries of a sitemap against the files of a built site, and return the site.

    The result is None if `site_in` finds no site. If the owner lists all entries by hand, the
    project tells its URL. `whole` are those of the folder and the folders in it which the sitemap
    should list as a whole: each page there that it does not list is a finding, unless `decided`
    accounts for it.
    """
    elsewhere = decided.elsewhere if decided else frozenset()
    own_pages = [entry for entry in listed if url_key(entry.loc) not in elsewhere]
    site = site_in(folder, own_pages)
    if decided and decided.url and listed and not own_pages:
        site = SiteFolder(folder, decided.url)
    if site is None:
        return None
    _check_entries(site, own_pages, findings)
    _check_pages(site, whole, listed, findings, decided.left_out if decided else {})
    _check_versions(site, listed, findings)
    check_built_robots(folder, site.url, listed, findings)
    return site


def _check_versions(site: SiteFolder, listed: Sequence[Listed], findings: Findings) -> None:
    """Report versions of mike whose URLs can't exist, each at its first sitemap."""
    site = SiteFolder(absolute_path(site.folder), site.url)
    sitemaps = {site.folder: listed[0].file}
    for name in dict.fromkeys(entry.file for entry in listed):
        folder = absolute_path(name).parent
        if folder.is_relative_to(site.folder):
            sitemaps.setdefault(folder, name)
    for folder, name in sitemaps.items():
        if wrong := version_in_version(folder, site.url_of_folder(folder)):
            findings.add(CheckCode.VERSION_URL, sitemap_place(name), wrong[0], fix=wrong[1])


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
            page = read_built_page(file) or PageSays()
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


def _lacks_slash(loc: str, file: Path, page: PageSays) -> bool:
    """Return whether a URL is that of a folder without its slash; a page may want it so."""
    path = urlsplit(loc).path
    is_whole = path in ("", "/") or path.endswith(("/", "/index.html"))
    return file.name == "index.html" and page.canonical is None and not is_whole


def conflicts(loc: str, page: PageSays) -> Iterator[tuple[CheckCode, str]]:
    """Yield a code and a clause for each tag which says that the page must not be listed."""
    if page.noindex is not None:
        yield CheckCode.NOINDEX, f"has the robots meta tag {format_value(page.noindex)}"
    if page.leads_elsewhere(loc):
        yield CheckCode.REDIRECT, f"redirects to {format_value(page.redirect)}"
    elif page.names_other(loc):
        yield CheckCode.NOT_CANONICAL, f"names {format_value(page.canonical)} as its canonical URL"


def _check_pages(
    site: SiteFolder,
    folders: Iterable[Path],
    listed: Sequence[Listed],
    findings: Findings,
    left_out: Mapping[str, str],
) -> None:
    """Report published templates, and pages that may be indexed but are not listed.

    They are looked for in the `folders`. Pages that the owner left out, by their paths in
    `left_out`, are only counted.
    """
    if not folders:
        return
    known = set(filter(None, (site.file_of(entry.loc) for entry in listed)))
    files = dict.fromkeys(chain.from_iterable(_pages(folder, known) for folder in folders))
    for file in files:
        if file in known or not _may_be_listed(site, file):
            continue
        start = read_start(file, _START_BYTES)
        place = Place(origin=Origin.BUILT_PAGE, file=file.as_posix())
        if why := _template_sign(start):
            if _OF_SPHINX not in file.parts:
                found = f"is a template: {why}"
                findings.add(CheckCode.TEMPLATE_PUBLISHED, place, found, site.url_of(file))
        elif is_document(start):
            if why := left_out.get(file.relative_to(site.folder).as_posix()):
                findings.left_out[why] += 1
            else:
                findings.add(CheckCode.NOT_LISTED, place, "is not listed", site.url_of(file))


def _template_sign(start: bytes) -> str | None:
    if tag := _TEMPLATE.match(start.lstrip()):
        return f"it begins with {tag[0][:2].decode()}"
    if (tag := _TEMPLATE.search(start)) and not is_document(start):
        return f"it has no <html>, and contains {tag[0][:2].decode()}"
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
            path = Path(top, name).relative_to(folder).as_posix()
            of_theme = path in NOT_PAGES or is_error_page(path)
            if name.lower().endswith(HTML) and not of_theme:
                yield Path(top, name)


def is_closed(where: str, note: Callable[[str], None]) -> bool:
    """Return whether all pages of a folder are noindex, and note that it needs no sitemap then."""
    count = 0
    for file in _pages(Path(where), ()) if is_folder(where) else ():
        page = read_built_page(file)
        if not page or page.unreadable or page.redirect is not None:
            continue
        if is_document(read_start(file, _START_BYTES)):
            if page.noindex is None:
                return False
            count += 1
    if count:
        pages = counted(count, "page")
        note(f"{where} needs no sitemap, since the whole site is noindex ({pages}).")
    return count > 0


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


def _has_unknown_day(stated: StatedDate) -> bool:
    return stated.when is None and any(map(str.isdigit, stated.text))


def check_page_dates(pages: Iterable[tuple[Listed, list[StatedDate]]], findings: Findings) -> None:
    """Report pages that state a different day than their `lastmod`.

    `pages` has each entry with all dates that its page states.
    """
    count, differ, unread = 0, [], []
    for entry, stated in pages:
        if entry.lastmod and stated:
            count += 1
            unread += [date.text for date in stated if _has_unknown_day(date)][:1]
            if others := [other for other in stated if other.differs_from(entry.lastmod)]:
                differ.append((entry, others))
    if unread:
        shown = f"{counted(len(unread), 'page shows', 'pages show')} a date such as"
        why = "which can't be read, so it is not compared with lastmod"
        findings.skip("dates", f"{shown} {format_value(unread[0])}, {why}")
    code = CheckCode.LASTMOD_DIFFERS
    if len(differ) >= _MIN_FOR_SUMMARY and 2 * len(differ) >= count:
        all_dated = f"{counted(count, 'page')} with a date"
        reason = f"{len(differ):,} of {all_dated} show a different day than their lastmod"
        findings.add(code, sitemap_place(differ[0][0].file), reason)
    for entry, others in differ:
        found = listing(f"{other.where} {format_value(other.text)}" for other in others[:3])
        reason = f"has lastmod {entry.lastmod:%Y-%m-%d}, but the page has {found}"
        findings.add(code, entry.place, reason, entry.loc)
