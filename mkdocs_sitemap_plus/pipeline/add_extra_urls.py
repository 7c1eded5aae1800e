"""What is listed beside the pages: files of the built site, and URLs that the owner names."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, urljoin, urlsplit

from mkdocs_sitemap_plus.files import is_file, real_path
from mkdocs_sitemap_plus.lastmod.dates_file import DatesFile
from mkdocs_sitemap_plus.lastmod.git.history import History
from mkdocs_sitemap_plus.lastmod.sources import Dates, Undated, date_pages
from mkdocs_sitemap_plus.options.mappings import ExtraUrl
from mkdocs_sitemap_plus.options.patterns import unmatched_problems
from mkdocs_sitemap_plus.options.settings import Settings, Source
from mkdocs_sitemap_plus.pages.built_html import BuiltPage, read_built_page
from mkdocs_sitemap_plus.pages.page import Site, SourcePage
from mkdocs_sitemap_plus.pipeline.decision import Decision
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, invalid
from mkdocs_sitemap_plus.sitemap.entry import UrlEntry
from mkdocs_sitemap_plus.sitemap.fields import read_url
from mkdocs_sitemap_plus.sitemap.urls import comparable, within
from mkdocs_sitemap_plus.wording import format_value, shorten

if TYPE_CHECKING:
    from mkdocs_sitemap_plus.lastmod import Change

_HTML = (".html", ".htm")


def extra_files(site: Site, settings: Settings) -> tuple[tuple[SourcePage, ...], list[Problem]]:
    """Files of the built site that are listed like pages, sorted by path; and idle patterns.

    Each is dated by the file of the docs folder with the same path. No page is among them, none
    of our own files, and nothing that lies outside of the site's folder.
    """
    if settings.extra_files is None or not site.url:
        return (), []
    pages = {page.dest_uri for page in site.pages}
    paths = [path for path in _files(site.site_dir) if path not in pages]
    place = Place(origin=Origin.OPTION, file=site.project_file, key="extra_files")
    problems = unmatched_problems(settings.extra_files, place, paths)
    found = (path for path in paths if settings.extra_files.match_file(path))
    stem = settings.filename.removesuffix(".xml")
    listed = (path for path in sorted(found) if not _is_ours(path, stem))
    return tuple(_as_page(path, site) for path in listed), problems


def _files(folder: Path) -> Iterator[str]:
    """The files in a folder, as relative paths with ``/``; no link leads out of it."""
    real = real_path(folder)
    for top, _, names in os.walk(real):
        for path in (Path(top, name) for name in names):
            inside = not path.is_symlink() or real_path(path).is_relative_to(real)
            if inside and is_file(path) and _is_text(name := path.relative_to(real).as_posix()):
                yield name


def _is_text(name: str) -> bool:
    """Whether a name is UTF-8; MkDocs can't name other files, either."""
    return not any("\ud800" <= character <= "\udfff" for character in name)


def _is_ours(path: str, stem: str) -> bool:
    """Whether a file is a sitemap or robots.txt, which no sitemap lists, or the error page."""
    name = path.removesuffix(".gz")
    sitemap = name.endswith((".xml", ".css")) and (name[:-4] == stem or name.startswith(f"{stem}-"))
    return path in ("robots.txt", "404.html") or ("/" not in path and sitemap)


def _as_page(path: str, site: Site) -> SourcePage:
    folder, _, name = path.rpartition("/")
    url = f"{folder}/" if name == "index.html" and folder else path
    html = path.lower().endswith(_HTML)
    return SourcePage(
        src_uri=path,
        file=path,
        dest_uri=path,
        loc=f"{site.url}{quote(url)}",
        sources=(site.docs_dir / path,),
        meta={},
        built=read_built_page(site.site_dir / path) if html else BuiltPage(),
    )


def extra_urls(
    decisions: Iterable[Decision],
    site: Site,
    settings: Settings,
    history: History,
    now: datetime,
) -> tuple[list[Decision], list[Problem]]:
    """Decisions on the URLs that the owner names, and what is wrong with them.

    A URL that is a page of the site, listed or not, is the page's; of two equal ones the first
    stays.
    """
    if not settings.extra_urls:
        return [], []
    taken = dict(_taken_by(decisions))
    found: list[tuple[ExtraUrl, str]] = []
    problems: list[Problem] = []
    for extra in settings.extra_urls:
        place = replace(extra.place, key=f"{extra.place.key}.loc")
        loc = _loc(extra.loc, place, site)
        if isinstance(loc, Problem):
            problems.append(replace(loc, done="The URL is not listed."))
        elif comparable(loc) in taken:
            problems.append(_taken(place, extra.loc, taken[comparable(loc)]))
        else:
            taken[comparable(loc)] = extra.place.key or ""
            found.append((extra, loc))
            problems += _respelled(place, extra.loc, loc)
    dates = _dates(found, site, settings, history, now)
    return [_decision(extra, loc, dates) for extra, loc in found], [*problems, *dates.problems]


def _loc(raw: str, place: Place, site: Site) -> str | Problem:
    loc = read_url(raw, place, site.url or "")
    if isinstance(loc, str) and not within(loc, site.url or ""):
        return invalid("loc", place, raw, f"a URL under the sitemap's own folder {site.url}")
    return loc


def _taken_by(decisions: Iterable[Decision]) -> Iterator[tuple[object, str]]:
    """The URLs of pages, and whose they are; one that a hook spoilt is nobody's."""
    for decision in decisions:
        with suppress(ValueError):
            yield comparable(decision.loc or ""), decision.name


def _taken(place: Place, raw: str, whose: str) -> Problem:
    return Problem(
        code="loc",
        place=place,
        found=f"is {format_value(raw)}, which is the URL of {shorten(whose)}",
        done="It is not listed twice.",
    )


def _respelled(place: Place, raw: str, loc: str) -> Iterator[Problem]:
    """A warning for a scheme, host or port in another than the normal form (RFC 3986 6.2.2, 3)."""
    given, own = urlsplit(raw), urlsplit(loc)
    scheme = raw.partition(":")[0] if given.scheme else own.scheme
    host = given.netloc if given.netloc.isascii() else ""
    if scheme != own.scheme or host not in ("", own.netloc):
        start = urljoin(loc, "/")
        yield replace(
            invalid("loc", place, raw, f"a URL that begins with {start}"), done="It is written so."
        )


def _dates(
    found: Iterable[tuple[ExtraUrl, str]],
    site: Site,
    settings: Settings,
    history: History,
    now: datetime,
) -> Dates:
    """The dates that the option says; git knows nothing of URLs."""
    asking = {("", loc): Undated(overrides=extra.overrides) for extra, loc in found}
    said = replace(settings.lastmod, sources=(Source.FRONT_MATTER,))
    return date_pages(asking, said, history, now, DatesFile(site.root, said))


def _decision(extra: ExtraUrl, loc: str, dates: Dates) -> Decision:
    overrides, dated = extra.overrides, dates.dated.get(("", loc))
    because: dict[str, Place | Change] = {"listed": extra.place}
    if dated:
        because["lastmod"] = dated.because
    for field in ("changefreq", "priority"):
        if getattr(overrides, field) is not None:
            because[field] = overrides.places[field]
    entry = UrlEntry(
        loc=loc,
        lastmod=dated.lastmod if dated else None,
        changefreq=overrides.changefreq,
        priority=overrides.priority,
    )
    undated = dates.undated.get(("", loc))
    return Decision(
        page=None, overrides=overrides, loc=loc, entry=entry, because=because, undated=undated
    )
