"""Add what is listed beside the pages: ``extra_files`` of the built site, and ``extra_urls``."""

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from mkdocs_sitemap_plus.files import is_file, real_path
from mkdocs_sitemap_plus.lastmod.sources import DateQuery, dates_of_urls, future_problems
from mkdocs_sitemap_plus.pages import Site, SourcePage
from mkdocs_sitemap_plus.pipeline import Context, Decided, Decision
from mkdocs_sitemap_plus.pipeline.date_pages import with_date
from mkdocs_sitemap_plus.pipeline.unmatched import unmatched
from mkdocs_sitemap_plus.problems import Code, Place, Problem, Result, invalid
from mkdocs_sitemap_plus.sitemap.urls import comparable, quote_path, read_url, within
from mkdocs_sitemap_plus.web.built_html import BuiltPage, read_built_page
from mkdocs_sitemap_plus.wording import shorten

if TYPE_CHECKING:
    from mkdocs_sitemap_plus.options.mappings import ExtraUrl


def add_extra_files(decisions: Sequence[Decision], context: Context) -> Decided:
    """Add the files of the option ``extra_files``, sorted by path.

    Each is dated by the file of the docs folder with the same path. Pages, files that this plugin
    writes, and files outside of the site's folder are not added.
    """
    site, patterns = context.site, context.settings.extra_files
    if patterns is None or not site.url:
        return decisions, ()
    pages = {page.dest_uri for page in site.pages}
    paths = [path for path in _files(site.site_dir) if path not in pages]
    place, folders = site.option("extra_files"), (site.site_dir.name, site.docs_dir.name)
    problems = unmatched(patterns, place, folders, paths, "file of the built site")
    stem = context.settings.filename.removesuffix(".xml")
    files = (
        _as_page(path, site)
        for path in sorted(paths)
        if patterns.match_file(path) and not _is_never_listed(path, stem)
    )
    added = (Decision(page=file, loc=file.loc) for file in files)
    return (*decisions, *added), problems


def _files(folder: Path) -> Iterator[str]:
    """Yield the relative paths of the files in a folder, with ``/``; no links that lead out."""
    real = real_path(folder)
    for top, _, names in os.walk(real):
        for path in (Path(top, name) for name in names):
            inside = not path.is_symlink() or real_path(path).is_relative_to(real)
            if inside and is_file(path):
                yield path.relative_to(real).as_posix()


def _is_never_listed(path: str, stem: str) -> bool:
    """Return whether a file is robots.txt, the 404 page, or a file of the sitemap."""
    name = path.removesuffix(".gz")
    sitemap = name.endswith((".xml", ".css")) and (name[:-4] == stem or name.startswith(f"{stem}-"))
    return path in ("robots.txt", "404.html") or ("/" not in path and sitemap)


def _as_page(path: str, site: Site) -> SourcePage:
    folder, _, name = path.rpartition("/")
    url = f"{folder}/" if name == "index.html" and folder else path
    html = path.lower().endswith((".html", ".htm"))
    return SourcePage(
        src_uri=path,
        file=path,
        dest_uri=path,
        loc=f"{site.url}{quote_path(url)}",
        source_files=(site.docs_dir / path,),
        meta={},
        built=read_built_page(site.site_dir / path) if html else BuiltPage(),
    )


def add_extra_urls(decisions: Sequence[Decision], context: Context) -> Decided:
    """Add the URLs of the option ``extra_urls``.

    The URL of a page, listed or not, is not added again. Of two equal URLs, the first is added.
    """
    if not context.settings.extra_urls:
        return decisions, ()
    base = context.site.url or ""
    known: dict[object, str] = {}
    for decision in decisions:
        with suppress(ValueError):  # a hook set an invalid URL
            known[comparable(decision.loc or "")] = decision.name
    found: dict[str, ExtraUrl] = {}
    problems: list[Problem] = []
    for extra in context.settings.extra_urls:
        place = extra.place._replace(key=f"{extra.place.key}.loc")
        loc, faults = read_loc(extra.loc, place, base)
        problems += [each._replace(done="The URL is not listed.") for each in faults]
        if loc is None:
            continue
        if name := known.get(comparable(loc)):
            problem = invalid(Code.LOC, place, extra.loc, fault=f"is the URL of {shorten(name)}")
            problems.append(problem._replace(done="It is not listed twice."))
        else:
            known[comparable(loc)] = extra.place.key or ""
            found[loc] = extra
            problems += _not_normal(place, extra.loc, loc)
    queries = {("", loc): DateQuery(overrides=extra.overrides) for loc, extra in found.items()}
    dates = dates_of_urls(queries, context.settings.lastmod, context.now)
    added = []
    for loc, extra in found.items():
        decision = Decision(page=None, overrides=extra.overrides, loc=loc)
        added.append(with_date(decision.listed(loc, extra.place), dates, ("", loc)))
    problems += future_problems(dates.undated.values())
    return (*decisions, *added), problems


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
