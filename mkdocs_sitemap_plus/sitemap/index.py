"""The ``sitemapindex`` of several files (sitemaps.org, "Using Sitemap index files")."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime

from mkdocs_sitemap_plus.problems import Problem, SitemapError
from mkdocs_sitemap_plus.sitemap.entry import SitemapEntry, instant
from mkdocs_sitemap_plus.sitemap.limits import MAX_BYTES, MAX_URLS
from mkdocs_sitemap_plus.sitemap.render import NAMESPACE, declaration
from mkdocs_sitemap_plus.sitemap.text import element, lastmod_text
from mkdocs_sitemap_plus.wording import unescape

_LOC = re.compile(rb"<loc>([^<]*)</loc>")


def render_index(entries: Sequence[SitemapEntry], stylesheet: str | None = None) -> bytes:
    """The file, with its entries in the order given.

    Args:
        entries: at least one; sitemaps, and no index: an index lists none.
        stylesheet: the URL of a CSS style sheet for people; None: there is none.

    Raises:
        SitemapError: it is larger than the protocol allows an index to be.
    """
    start = f'{declaration(stylesheet)}<sitemapindex xmlns="{NAMESPACE}">\n'
    text = start + "".join(map(_sitemap, entries)) + "</sitemapindex>\n"
    data = text.encode()
    if len(entries) > MAX_URLS or len(data) > MAX_BYTES:
        raise SitemapError(_too_large(len(entries), len(data)))
    return data


def _sitemap(entry: SitemapEntry) -> str:
    when = entry.lastmod
    lastmod = "" if when is None else f"    <lastmod>{lastmod_text(when)}</lastmod>\n"
    return f"  <sitemap>\n    <loc>{element(entry.loc)}</loc>\n{lastmod}  </sitemap>\n"


def _too_large(count: int, size: int) -> Problem:
    return Problem(
        code="index",
        found=f"the sitemap index has {count} sitemaps in {size} bytes, but at most {MAX_URLS} in "
        f"{MAX_BYTES} bytes are allowed",
        done="No file is written.",
        fix="Raise max_urls and max_bytes, if they are set.",
    )


def newest(members: Iterable[date | datetime | None]) -> date | datetime | None:
    """The newest of `members`; None unless each of them is known.

    A date without a time counts as its first instant in UTC, and stays a date.
    """
    known: list[date | datetime] = []
    for when in members:
        if when is None:
            return None
        known.append(when)
    return max(known, key=instant, default=None)


def listed_names(data: bytes) -> Iterator[str]:
    """The file names at the ends of the URLs of an index as we write it; none of other files."""
    if b"<sitemapindex " in data[:400]:
        for loc in _LOC.findall(data):
            yield unescape(loc.decode("utf-8", "replace")).rpartition("/")[2]
