"""What is listed beside the pages: the files of ``extra_files`` and the URLs of ``extra_urls``."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from mkdocs_sitemap_plus.files import is_file, real_path
from mkdocs_sitemap_plus.generator.lastmod.date_source import DateQuery
from mkdocs_sitemap_plus.generator.lastmod.missing import future_problems
from mkdocs_sitemap_plus.generator.lastmod.sources import FrontMatterSource, dates_of_pages
from mkdocs_sitemap_plus.generator.options.value_kinds import Patterns
from mkdocs_sitemap_plus.generator.pages.site import ExtraFile, Url
from mkdocs_sitemap_plus.generator.pages.unmatched_patterns import unmatched
from mkdocs_sitemap_plus.generator.pipeline.date_pages import set_date
from mkdocs_sitemap_plus.generator.pipeline.decisions import BuildState, Candidate, key_of
from mkdocs_sitemap_plus.html.page_says import PageSays, read_built_page
from mkdocs_sitemap_plus.problems import Code, Place, Problem, invalid
from mkdocs_sitemap_plus.sitemap.urls import quote_path, read_url, url_key, within
from mkdocs_sitemap_plus.wording import shorten


def extra_files(work: BuildState, patterns: Patterns) -> Iterator[ExtraFile]:
    """Yield the files of the option ``extra_files``; each is dated by the source with its path."""
    site, settings = work.context.site, work.context.settings
    ours = rf"{re.escape(settings.filename.removesuffix('.xml'))}(-.*)?\.(xml|css)(\.gz)?"
    pages = {page.dest_uri for page in site.pages}
    paths = sorted(path for path in _files(site.site_dir) if path not in pages)
    place, what = site.option("extra_files"), "file of the built site"
    work.problems += unmatched(patterns, paths, place, what)
    for path in filter(patterns.match_file, paths):
        if path in ("robots.txt", "404.html") or re.fullmatch(ours, path):
            continue
        folder, _, name = path.rpartition("/")
        url = f"{folder}/" if name == "index.html" and folder else path
        html = path.lower().endswith((".html", ".htm"))
        built = read_built_page(site.site_dir / path) if html else PageSays()
        loc = f"{site.url}{quote_path(url)}"
        yield ExtraFile(path, path, path, loc, site.docs_dir / path, built)


def _files(folder: Path) -> Iterator[str]:
    """Yield the relative paths of the files in a folder, with ``/``; no links that lead out."""
    real = real_path(folder)
    for top, _, names in os.walk(real):
        for path in (Path(top, name) for name in names):
            inside = not path.is_symlink() or real_path(path).is_relative_to(real)
            if inside and is_file(path):
                yield path.relative_to(real).as_posix()


def add_extra_urls(work: BuildState) -> None:
    """Add the URLs of the option ``extra_urls``, but not the URL of a page again."""
    base, settings = work.context.site.url, work.context.settings
    known = {url_key(each.loc): each.name for each in work.decisions}
    for extra in settings.extra_urls:
        place = extra.place._replace(key=f"{extra.place.key}.loc")
        loc, faults = read_url(extra.loc, place, base)
        if loc is not None and not within(loc, base):
            expected = f"a URL under the sitemap's own folder {base}"
            faults = [invalid(Code.LOC, place, extra.loc, expected)]
        work.problems += [fault._replace(done="The URL is not listed.") for fault in faults]
        if loc is None or faults:
            continue
        if name := known.get(url_key(loc)):
            problem = invalid(Code.LOC, place, extra.loc, fault=f"is the URL of {shorten(name)}")
            work.problems.append(problem._replace(done="It is not listed twice."))
            continue
        known[url_key(loc)] = extra.place.key or ""
        work.problems += _not_normal(place, extra.loc, loc)
        listed = Candidate(target=Url(loc), overrides=extra.overrides).listed(loc, extra.place)
        query = {key_of(listed.target): DateQuery(overrides=extra.overrides)}
        dates = dates_of_pages(
            query, [FrontMatterSource(settings.lastmod)], settings.lastmod, work.context.now
        )
        work.problems += future_problems(dates)
        set_date(listed, dates)
        work.decisions.append(listed)


def _not_normal(place: Place, raw: str, loc: str) -> Iterator[Problem]:
    """Yield a warning if scheme, host or port are not in normal form (RFC 3986 6.2.2, 6.2.3)."""
    given, normal = urlsplit(raw), urlsplit(loc)
    other_scheme = given.scheme and not raw.startswith(f"{normal.scheme}:")
    # A host that is not ASCII gets its ASCII form, without a warning.
    if other_scheme or (given.netloc.isascii() and given.netloc not in ("", normal.netloc)):
        problem = invalid(Code.LOC, place, raw, f"a URL that begins with {urljoin(loc, '/')}")
        yield problem._replace(done="It is written with that beginning.")
