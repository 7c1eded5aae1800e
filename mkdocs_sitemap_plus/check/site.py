"""Compare a sitemap with the files of the built site that it is in."""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from mkdocs_sitemap_plus.check import Findings, Listed
from mkdocs_sitemap_plus.check import page_rules as rules
from mkdocs_sitemap_plus.check.language_versions import by_url
from mkdocs_sitemap_plus.check.owner import OwnersDecisions
from mkdocs_sitemap_plus.check.page_rules import Page, RobotsTxt
from mkdocs_sitemap_plus.check.site_folder import SiteFolder, site_in
from mkdocs_sitemap_plus.files import Unreadable, absolute_path, is_folder, read_start
from mkdocs_sitemap_plus.problems import Origin, Place
from mkdocs_sitemap_plus.sitemap.client import MAX_ROBOTS, read_robots
from mkdocs_sitemap_plus.sitemap.find import NAMES
from mkdocs_sitemap_plus.sitemap.urls import is_at_root, joined, quote_path, url_key, within
from mkdocs_sitemap_plus.sitemap.versions import version_in_version
from mkdocs_sitemap_plus.sitemap.xml import sitemap_place
from mkdocs_sitemap_plus.web.html import NOT_PAGES, is_document, is_error_page, is_made_by_sphinx
from mkdocs_sitemap_plus.web.says import read_built_page
from mkdocs_sitemap_plus.web.whole_pages import built_page
from mkdocs_sitemap_plus.wording import counted

HTML = (".html", ".htm")
_START_BYTES = 65_536  # of an HTML file, which show whether it is a whole page
_TEMPLATE = re.compile(rb"\s*\{[{%#]")  # how a template of a theme begins, which is no page


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
    rules.judge(_pages_of(site, by_url(own_pages).values()), findings)
    _check_unlisted(site, whole, listed, findings, decided.left_out if decided else {})
    _check_versions(site, listed, findings)
    _check_robots(site, listed, findings)
    return site


def _pages_of(site: SiteFolder, listed: Iterable[Listed]) -> Iterator[Page]:
    """Yield the listed pages of a site. Other files that are there are none."""
    now = datetime.now(UTC)
    for entry in listed:
        # A URL with ``..`` that leads out of the folder has no file. So it is an absent page.
        if not (within(entry.loc, site.url) or entry.loc.startswith(site.url)):
            continue
        file = site.file_of(entry.loc)
        if file is None:
            yield Page(entry, now, no_file=True)
        elif file.suffix.lower() in HTML:
            if file == site.folder / "404.html":
                yield Page(entry, now, is_error_page=True)
            else:
                yield Page(entry, now, built_page(file, entry.loc), file)


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
            findings.add(rules.page_absent, sitemap_place(name), wrong[0], fix=wrong[1])


def _check_robots(site: SiteFolder, listed: Sequence[Listed], findings: Findings) -> None:
    path = site.folder / "robots.txt"
    try:
        robots = read_robots(read_start(path, MAX_ROBOTS))
    except Unreadable:
        return
    files = [Path(name) for name in dict.fromkeys(entry.file for entry in listed)]
    sitemaps = [
        (file.as_posix(), site.url + quote_path(file.name))
        for file in files
        if file.parent == site.folder
    ]
    place = Place(origin=Origin.BUILT_PAGE, file=path.as_posix())
    at_root = is_at_root(site.url)
    rules.judge_robots(
        RobotsTxt(
            robots, place, site.url, at_root, is_live=False, sitemaps=sitemaps, listed=listed
        ),
        findings,
    )


def _check_unlisted(
    site: SiteFolder,
    folders: Iterable[Path],
    listed: Sequence[Listed],
    findings: Findings,
    left_out: Mapping[str, str],
) -> None:
    """Report pages in these folders that may be indexed but are not listed.

    Pages that the owner left out, by their paths in `left_out`, are only counted.
    """
    if not folders:
        return
    known = set(filter(None, (site.file_of(entry.loc) for entry in listed)))
    files = dict.fromkeys(chain.from_iterable(_html_files(folder, known) for folder in folders))
    for file in files:
        if file in known or not _may_be_listed(site, file):
            continue
        if why := left_out.get(file.relative_to(site.folder).as_posix()):
            findings.left_out[why] += 1
        else:
            place = Place(origin=Origin.BUILT_PAGE, file=file.as_posix())
            findings.add(rules.not_listed, place, "is not listed", site.url_of(file))


def _html_files(folder: Path, known: Collection[Path]) -> Iterator[Path]:
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
            is_page = name.lower().endswith(HTML) and not of_theme
            if is_page and not is_made_by_sphinx(folder, path):
                yield Path(top, name)


def _may_be_listed(site: SiteFolder, file: Path) -> bool:
    """Return whether search engines may index a built page under the URL of its file."""
    says, url = read_built_page(file), site.url_of(file)
    if says is None or says.unreadable or says.noindex is not None or says.leads_elsewhere(url):
        return False
    if says.canonical is not None:
        canonical = joined(url, says.base or "", says.canonical)
        if canonical is not None and site.file_of(canonical) != file:
            return False
    start = read_start(file, _START_BYTES)
    return is_document(start) and not _TEMPLATE.match(start)


def is_closed(where: str, note: Callable[[str], None]) -> bool:
    """Return whether all pages of a folder are noindex, and note that it needs no sitemap then."""
    count = 0
    for file in _html_files(Path(where), ()) if is_folder(where) else ():
        says = read_built_page(file)
        if not says or says.unreadable or says.redirect is not None:
            continue
        if is_document(read_start(file, _START_BYTES)):
            if says.noindex is None:
                return False
            count += 1
    if count:
        pages = counted(count, "page")
        note(f"{where} needs no sitemap, since the whole site is noindex ({pages}).")
    return count > 0
