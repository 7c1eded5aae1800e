"""Write the date of each page into the pages of a built site."""

from datetime import date, datetime
from pathlib import Path

from mkdocs_sitemap_plus.files import Unreadable, exists, is_linked, read_file, real_path
from mkdocs_sitemap_plus.lastmod.sources import Dates
from mkdocs_sitemap_plus.output import write_file
from mkdocs_sitemap_plus.pages import UncheckedSite
from mkdocs_sitemap_plus.pipeline import key_of
from mkdocs_sitemap_plus.problems import Code, Level, Problem
from mkdocs_sitemap_plus.web.stated_dates import with_date
from mkdocs_sitemap_plus.wording import counted, first_names


def write_page_dates(site: UncheckedSite, dates: Dates) -> Problem | None:
    """Write dates into the built pages. Return a note on the pages that were not changed.

    A page is not changed if it, or a folder of the site on the way to it, is a symbolic link: its
    file may lie outside of the site. Nor is it if it is in UTF-16 or UTF-32, or has a compressed
    copy, which would have no date. A page that leads elsewhere gets no date, since nobody reads it.
    Raises SitemapError if a file can't be written.
    """
    unchanged, site_dir = [], real_path(site.site_dir)
    for page in site.pages:
        leads_elsewhere = page.built is not None and page.built.leads_elsewhere(page.loc)
        dated = None if leads_elsewhere else dates.of(key_of(page))
        lastmod = dated.lastmod if dated else None
        file = site_dir / page.dest_uri
        if page.replaced_by is None and not _write_date(file, lastmod, page.loc):
            unchanged.append(page.dest_uri)
    if not unchanged:
        return None
    pages = counted(len(unchanged), "page was", "pages were")
    return Problem(
        code=Code.PAGE_DATES,
        found=f"{pages} not changed ({first_names(unchanged)})",
        done="No date is written into a page that has a compressed copy (index.html.gz), is a "
        "symbolic link or in a linked folder, or is in UTF-16 or UTF-32.",
        level=Level.INFO,
    )


def _must_stay(file: Path, data: bytes) -> bool:
    """Return whether no date can be written into a built page with this content.

    `file` is absolute, and its links lie below the folder of the site.
    """
    copies = (file.with_name(f"{file.name}.{ending}") for ending in ("gz", "br", "zst"))
    return is_linked(file) or any(map(exists, copies)) or b"\0" in data[:64]


def _write_date(file: Path, lastmod: date | datetime | None, url: str) -> bool:
    """Write a date into a page. Return False if the page should have it, but can't be changed.

    `file` is absolute, and no part of it but for those below the site's folder is a link.
    """
    try:
        old = read_file(file)
    except Unreadable as error:
        return error.missing  # a page that was not built has no date to show
    if _must_stay(file, old):
        return lastmod is None
    # The tags are ASCII, which has the same bytes in nearly all encodings. Other bytes are kept.
    new = with_date(old.decode("utf-8", "surrogateescape"), lastmod, url)
    data = new.encode("utf-8", "surrogateescape")
    if data != old:
        write_file(file, data)
    return True
