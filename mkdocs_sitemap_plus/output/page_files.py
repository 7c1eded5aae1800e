"""Add the dates of the sitemap to the files of built pages."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime
from pathlib import Path

from mkdocs_sitemap_plus.files import Unreadable, exists, read_file
from mkdocs_sitemap_plus.output import write_file
from mkdocs_sitemap_plus.pages.stated_dates import with_date
from mkdocs_sitemap_plus.problems import Problem
from mkdocs_sitemap_plus.wording import counted, first_names

PageDate = tuple[str, date | datetime | None, str | None]
"""A page: its path in the built site, its date, and its URL."""


def write_page_dates(folder: Path, pages: Iterable[PageDate]) -> Iterator[Problem]:
    """Write the date of each page into the head of its file, and yield a note on other files.

    A file is replaced as a whole, and only if it changes. It stays as it is if it can't be edited
    safely: it is a symbolic link, its encoding does not extend ASCII, or it has a compressed copy,
    which would not match it any more. Raises SitemapError if a file can't be written.
    """
    left = [name for name, lastmod, url in pages if not _write_date(folder / name, lastmod, url)]
    if left:
        were = "was" if len(left) == 1 else "were"
        yield Problem(
            code="page-dates",
            found=f"{counted(len(left), 'page')} {were} not changed ({first_names(left)})",
            done="No date is written into a page that has a compressed copy (index.html.gz), is a "
            "symbolic link, or is not in UTF-8 or a similar encoding.",
            note=True,
        )


def _write_date(file: Path, lastmod: date | datetime | None, url: str | None) -> bool:
    """Write a date into a page; return False if the page can't be edited safely."""
    try:
        old = read_file(file)
    except Unreadable as error:
        return error.missing  # a page that was not built has no date to show
    copies = (file.with_name(f"{file.name}.{ending}") for ending in ("gz", "br", "zst"))
    if b"\0" in old[:64] or file.is_symlink() or any(exists(copy) for copy in copies):
        return lastmod is None
    # The tags have only ASCII letters. So they fit into every encoding that extends ASCII.
    new = with_date(old.decode("utf-8", "surrogateescape"), lastmod, url)
    data = new.encode("utf-8", "surrogateescape")
    if data != old:
        write_file(file, data)
    return True
