"""Apply the owner's function to each entry, and check its results like all other values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from traceback import extract_tb
from types import MappingProxyType
from typing import Any

from mkdocs_sitemap_plus.files import path_from
from mkdocs_sitemap_plus.generator.lastmod.date_source import BY_TRANSFORM
from mkdocs_sitemap_plus.generator.lastmod.sources import MAX_FUTURE
from mkdocs_sitemap_plus.generator.options import value_kinds
from mkdocs_sitemap_plus.generator.options.fields import IF_INVALID
from mkdocs_sitemap_plus.generator.options.reading import Reading
from mkdocs_sitemap_plus.generator.options.settings import Transform
from mkdocs_sitemap_plus.generator.options.value_kinds import Invalid, ReadValue, part
from mkdocs_sitemap_plus.generator.pages.site import OutReason, SourcePage, Url
from mkdocs_sitemap_plus.generator.pipeline.alternates import (
    in_order,
    is_language_set,
    mutual_links,
    one_way_problems,
)
from mkdocs_sitemap_plus.generator.pipeline.decisions import BuildState, Context, Listed
from mkdocs_sitemap_plus.generator.pipeline.images import too_many_images, url_from
from mkdocs_sitemap_plus.generator.pipeline.select import one_per_url
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem, SitemapError, invalid
from mkdocs_sitemap_plus.sitemap.entries import Alternate, UrlEntry, Video
from mkdocs_sitemap_plus.sitemap.protocol import MAX_IMAGES, to_datetime
from mkdocs_sitemap_plus.sitemap.urls import within
from mkdocs_sitemap_plus.wording import describe_error, format_value, shorten

_EMPTY = UrlEntry(loc="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The page of an entry, which is the second argument of the owner's function."""

    src_uri: str  # the path of its source under the docs folder, with ``/``
    url: str  # relative to the site's URL, such as ``guide/a/``
    meta: Mapping[str, Any]  # its front matter
    in_nav: bool | None = None  # whether the navigation has it; None if that is not known


def transform_entries(work: BuildState, function: Transform) -> None:
    """Replace each entry by what the owner's function returns; None leaves the page out.

    Raises SitemapError if the function raises an exception.
    """
    place, moved = work.context.site.option("transform"), dict[str, str | None]()
    for at, page in enumerate(work.decisions):
        if not isinstance(page, Listed):
            continue
        loc, reading = page.loc, Reading(place._replace(key=f"{place.key}: {page.name}"))
        out = None
        try:
            returned = function.call(page.entry, _page(page, work.context))
            if isinstance(returned, UrlEntry):
                _take(returned, page, work.context, reading)
            elif returned is not None:
                reading.problems.append(
                    Problem(
                        Code.TRANSFORM,
                        f"is {format_value(returned)}",
                        reading.place,
                        expected="an entry or None",
                        done="The entry stays as it was.",
                    )
                )
        except Exception as error:
            raise SitemapError(_raised(error, function, page, work.context)) from error
        page.rejected += tuple(reading.problems)
        work.problems += reading.problems
        moved[loc] = page.loc
        if returned is None:
            out = page.left_out(OutReason.TRANSFORM, function.name, place)
        elif not page.loc:
            page.entry = replace(page.entry, loc=loc)
            detail = format_value(getattr(returned, "loc", None))
            out = page.left_out(OutReason.UNUSABLE_URL, detail, place)
        if out:
            moved[loc], work.decisions[at] = None, out
    one_per_url(work)
    _link_back(work, moved)


def _raised(error: Exception, function: Transform, page: Listed, context: Context) -> Problem:
    """Return the problem of an exception, with the line of the owner's file that raised it."""
    raised = f"raised {describe_error(error)} for {shorten(page.name)}"
    file = getattr(getattr(function.call, "__code__", None), "co_filename", None)
    lines = [at.lineno for at in extract_tb(error.__traceback__) if at.filename == file]
    if not file or not lines:
        return invalid(
            Code.TRANSFORM, context.site.option("transform"), function.name, fault=raised
        )
    place = Place(Origin.OPTION, path_from(context.site.root, Path(file)), line=lines[-1])
    name = function.name.rpartition(":")[2]
    return Problem(Code.TRANSFORM, f"{name} {raised}", place)


def _page(page: Listed, context: Context) -> Page | None:
    target = page.target
    if isinstance(target, Url):
        return None
    source = target if isinstance(target, SourcePage) else None
    return Page(
        src_uri=target.src_uri,
        url=page.loc.removeprefix(context.site.url),
        meta=MappingProxyType(dict(source.meta) if source else {}),
        in_nav=source.in_nav if source else None,
    )


def _take(returned: UrlEntry, page: Listed, context: Context, reading: Reading) -> None:
    place, undated = context.site.option("transform"), page.undated
    readers = _readers(page, context)
    for name, read in readers.items():
        raw = getattr(returned, name)
        if raw is getattr(page.entry, name):
            continue
        done = {**IF_INVALID, "loc": "The page is left out."}.get(name, f"No {name} is written.")
        at = reading.at(reading.place._replace(key=f"{reading.place.key}: {name}"))
        known = len(reading.problems)
        value = None if raw is None and name != "loc" else at.value(read, raw, done=done)
        if name == "images" and isinstance(raw, (tuple, list)):
            reading.problems += too_many_images(at.place, len(raw))
        reading.problems[known:] = [p._replace(code=Code(name)) for p in reading.problems[known:]]
        if name == "loc":
            page.entry = replace(page.entry, loc=value or "")
        else:
            page.set(name, getattr(_EMPTY, name) if value is None else value, place)
    page.undated = None if page.entry.lastmod else undated or BY_TRANSFORM
    if page.entry.lastmod:
        page.origins.pop("undated", None)


def _readers(page: Listed, context: Context) -> Mapping[str, ReadValue]:
    zone, base, loc = context.settings.lastmod.timezone, context.site.url, page.loc
    address = partial(url_from, base=loc)

    def location(raw: object) -> str:
        if not within(found := url_from(raw, base), base):
            raise Invalid(f"a URL under the sitemap's own folder {base}")
        return found

    def lastmod(raw: object) -> date | datetime | None:
        when = value_kinds.lastmod(raw, zone)
        if when and to_datetime(when) > context.now + MAX_FUTURE:
            raise Invalid(fault="is in the future")
        return when or None

    def alternate(raw: Alternate) -> Alternate:
        with part(".hreflang", raw.hreflang):
            code = value_kinds.language(raw.hreflang)
        with part(".href", raw.href):
            return Alternate(hreflang=code, href=address(raw.href))

    def video(raw: Video) -> Video:
        found = replace(
            raw,
            thumbnail_loc=address(raw.thumbnail_loc),
            content_loc=raw.content_loc and address(raw.content_loc),
            player_loc=raw.player_loc and address(raw.player_loc),
        )
        for fault in UrlEntry(loc=loc, videos=(found,)).problems():
            where = fault.field.removeprefix("videos[0]").removeprefix(".")
            raise Invalid(fault=f"has a mistake: {f'{where} {fault.clause}'.lstrip()}")
        return found

    return {
        "loc": location,
        "lastmod": lastmod,
        "changefreq": value_kinds.changefreq,
        "priority": value_kinds.priority,
        "alternates": _each(Alternate, alternate),
        "images": lambda raw: _each(str, address)(raw)[:MAX_IMAGES],
        "videos": _each(Video, video),
    }


def _each(kind: type, read: Callable[[Any], Any]) -> Callable[[object], tuple[Any, ...]]:
    def read_all(raw: object) -> tuple[Any, ...]:
        if not isinstance(raw, (tuple, list)) or not all(isinstance(each, kind) for each in raw):
            raise Invalid(f"a tuple of {kind.__name__}")
        found = []
        for number, item in enumerate(raw):
            with part(f"[{number}]", item):
                found.append(read(item))
        return tuple(dict.fromkeys(found))

    return read_all


def _link_back(work: BuildState, moved: Mapping[str, str | None]) -> None:
    """Keep the language links of pages that link back, under their new URLs."""
    place, links = work.context.site.option("transform"), {}
    for page in work.listed:
        new = {each.hreflang: moved.get(each.href, each.href) for each in page.entry.alternates}
        links[page.loc] = {code: href for code, href in new.items() if href}
    mutual = mutual_links(links, {each.loc for each in work.decisions})
    for page in work.listed:
        if page.entry.alternates:
            why = page.origins["alternates"]
            if why == place:
                at = place._replace(key=f"{place.key}: {page.name}: alternates")
                work.problems += one_way_problems(links[page.loc], mutual[page.loc], at)
            kept = mutual[page.loc] if is_language_set(mutual[page.loc], page.loc) else {}
            page.set("alternates", in_order(kept), why)
