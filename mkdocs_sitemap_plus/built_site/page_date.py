"""Say which date a built page carries, and why it does not carry the one of its entry."""

from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

from mkdocs_sitemap_plus.files import Unreadable, exists, is_linked, read_file, real_path
from mkdocs_sitemap_plus.web.stated_dates import (
    JSON_LD,
    StatedDate,
    has_own_tags,
    is_whole_page,
    plugin_in,
    stated_dates,
)
from mkdocs_sitemap_plus.wording import format_value, listing

_COPIES = ("gz", "br", "zst")


class PageDate(NamedTuple):
    """What is known about the date on a page."""

    carries: str  # ``the same date``, ``another date`` or ``none``
    why: tuple[str, ...] = ()  # clauses


def why_kept(file: Path, data: bytes) -> str | None:
    """Return why no date can be written into a built page with this content; None if it can.

    `file` is absolute, and its links lie below the folder of the site. They may lead out of it. A
    compressed copy would have no date.
    """
    if is_linked(file):
        return "is a symbolic link or in a linked folder"
    if copy := next((each for each in _copies(file) if exists(each)), None):
        return f"has a compressed copy ({copy.name})"
    return "is in UTF-16 or UTF-32" if b"\0" in data[:64] else None


def _copies(file: Path) -> list[Path]:
    return [file.with_name(f"{file.name}.{ending}") for ending in _COPIES]


def page_date(
    site_dir: Path, dest_uri: str, lastmod: date | datetime, loc: str, *, wanted: bool
) -> PageDate | None:
    """Return what a built page states beside its `lastmod`, and why.

    If the option is not set (`wanted`), return None for a page without tags of this package, and
    for one that can't be read.
    """
    file = real_path(site_dir) / dest_uri
    try:
        data = read_file(file)
    except Unreadable:
        return None
    html = data.decode("utf-8", "replace")
    if not wanted and not has_own_tags(html):
        return None
    stated = stated_dates(html, loc)
    about = _about_others(html, stated)
    if others := [each for each in stated if each.differs_from(lastmod)]:
        found = listing(f"{each.where} {format_value(each.text)}" for each in others)
        if has_own_tags(html):
            return PageDate("another date", (f"{found}; build the site again", *about))
        plugin = plugin_in(html)
        by = f" ({plugin})" if plugin else ""
        why = f"the page states another day, and gets no second one: {found}{by}"
        return PageDate("none", (why, *about))
    if any(each.when for each in stated):
        return PageDate("the same date", about)
    return PageDate("none", (_why_none(file, data, html), *about))


def _about_others(html: str, stated: list[StatedDate]) -> tuple[str, ...]:
    """Return a clause for each date of JSON-LD that is not among those that the page states."""
    linked = {each.text for each in stated_dates(html, None) if each.where == JSON_LD}  # of any URL
    return tuple(
        f"JSON-LD about another URL has dateModified {format_value(text)}, which is no date of "
        "this page"
        for text in sorted(linked.difference(each.text for each in stated))
    )


def _why_none(file: Path, data: bytes, html: str) -> str:
    if plugin := plugin_in(html):
        return f"{plugin} shows a date on the page, which gets no second one"
    if kept := why_kept(file, data):
        return f"the built page {kept}, and is not changed"
    if not is_whole_page(html):
        return "the built file is no whole HTML page"
    return "the page was built without `page_dates`; build the site again"
