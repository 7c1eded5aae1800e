"""Add the URLs of the option ``extra_urls``, which no page of the site has."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from mkdocs_sitemap_plus.lastmod.date_source import DateQuery
from mkdocs_sitemap_plus.lastmod.sources import dates_of_urls, future_problems
from mkdocs_sitemap_plus.pages import Url
from mkdocs_sitemap_plus.pipeline import Candidate, Context, Decided, Decision
from mkdocs_sitemap_plus.pipeline.date_pages import key_of, with_date
from mkdocs_sitemap_plus.problems import Code, Place, Problem, Result, invalid
from mkdocs_sitemap_plus.sitemap.urls import read_url, url_key, within
from mkdocs_sitemap_plus.wording import shorten

if TYPE_CHECKING:
    from mkdocs_sitemap_plus.options.mappings import ExtraUrl


def add_extra_urls(decisions: Sequence[Decision], context: Context) -> Decided:
    """Add the URLs of the option ``extra_urls``.

    The URL of a page, listed or not, is not added again. Of two equal URLs, the first is added.
    """
    if not context.settings.extra_urls:
        return decisions, ()
    base = context.site.url
    known = {url_key(decision.loc): decision.name for decision in decisions}
    found: dict[str, ExtraUrl] = {}
    problems: list[Problem] = []
    for extra in context.settings.extra_urls:
        place = extra.place._replace(key=f"{extra.place.key}.loc")
        loc, faults = read_loc(extra.loc, place, base)
        problems += [fault._replace(done="The URL is not listed.") for fault in faults]
        if loc is None:
            continue
        if name := known.get(url_key(loc)):
            problem = invalid(Code.LOC, place, extra.loc, fault=f"is the URL of {shorten(name)}")
            problems.append(problem._replace(done="It is not listed twice."))
        else:
            known[url_key(loc)] = extra.place.key or ""
            found[loc] = extra
            problems += _not_normal(place, extra.loc, loc)
    listed = [
        Candidate(about=Url(loc), overrides=extra.overrides).listed(loc, extra.place)
        for loc, extra in found.items()
    ]
    queries = {key_of(entry.about): DateQuery(overrides=entry.overrides) for entry in listed}
    dates = dates_of_urls(queries, context.settings.lastmod, context.now)
    problems += future_problems(dates)
    return (*decisions, *(with_date(entry, dates) for entry in listed)), problems


def read_loc(raw: object, place: Place, base: str) -> Result[str]:
    """Return the URL of an entry, which must be under the sitemap's own folder `base`."""
    loc, problems = read_url(raw, place, base)
    if loc is not None and not within(loc, base):
        return None, [invalid(Code.LOC, place, raw, f"a URL under the sitemap's own folder {base}")]
    return loc, problems


def _not_normal(place: Place, raw: str, loc: str) -> Iterator[Problem]:
    """Yield a warning if scheme, host or port are not in normal form (RFC 3986 6.2.2, 6.2.3)."""
    given, normal = urlsplit(raw), urlsplit(loc)
    other_scheme = given.scheme and not raw.startswith(f"{normal.scheme}:")
    # A host that is not ASCII gets its ASCII form, without a warning.
    if other_scheme or (given.netloc.isascii() and given.netloc not in ("", normal.netloc)):
        problem = invalid(Code.LOC, place, raw, f"a URL that begins with {urljoin(loc, '/')}")
        yield problem._replace(done="It is written with that beginning.")
