"""Check that pages state the day of their entry in the sitemap."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.files import Unreadable, read_file
from mkdocs_sitemap_plus.pages.stated_dates import StatedDate, stated_dates
from mkdocs_sitemap_plus.sitemap.parse import sitemap_place
from mkdocs_sitemap_plus.tools.checks.findings import Findings, Listed
from mkdocs_sitemap_plus.wording import counted, format_value, listing

_CODE = "lastmod-differs"
_SYSTEMATIC = 10
"""From this many pages on, and if it is at least half of them, the finding is also summed up."""


class _Compared(NamedTuple):
    """A page that states dates, and those of them that are other days than its `lastmod`."""

    entry: Listed
    others: list[StatedDate]


def dates_in_files(
    pages: Iterable[tuple[Listed, Path]],
) -> Iterator[tuple[Listed, list[StatedDate]]]:
    """Yield the entries of pages that can be read, each with the dates that its file states."""
    for entry, file in pages:
        with suppress(Unreadable):
            if entry.lastmod:
                html = read_file(file).decode("utf-8", "replace")
                yield entry, stated_dates(html, entry.loc)


def check_page_dates(pages: Iterable[tuple[Listed, list[StatedDate]]], findings: Findings) -> None:
    """Report pages that state another day than their `lastmod`.

    Args:
        pages: the entries of pages, each with the dates that the page states.
        findings: where the findings are added.
    """
    compared = [
        _Compared(entry, other_days(stated, entry.lastmod))
        for entry, stated in pages
        if entry.lastmod and stated
    ]
    differ = [each for each in compared if each.others]
    if len(differ) >= _SYSTEMATIC and 2 * len(differ) >= len(compared):
        pages_with_dates = counted(len(compared), "page")
        reason = f"{len(differ):,} of {pages_with_dates} that state a date state another day"
        findings.add(_CODE, sitemap_place(differ[0].entry.place.file or ""), reason)
    for entry, others in differ:
        reason = f"has lastmod {entry.lastmod:%Y-%m-%d}, but the page has {_clause(others)}"
        findings.add(_CODE, entry.place, reason, entry.loc)


def other_days(stated: Iterable[StatedDate], lastmod: date | datetime) -> list[StatedDate]:
    """Return the dates that are other days than `lastmod`."""
    return [each for each in stated if each.differs_from(lastmod)]


def _clause(others: Sequence[StatedDate]) -> str:
    return listing(f"{each.where} {format_value(each.text)}" for each in others[:3])
