"""Apply the owner's function to each entry, and check its results like all other values."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime
from functools import partial
from types import MappingProxyType
from typing import Any

from mkdocs_sitemap_plus.lastmod import BY_TRANSFORM
from mkdocs_sitemap_plus.lastmod.sources import MAX_FUTURE
from mkdocs_sitemap_plus.options import Transform
from mkdocs_sitemap_plus.options.mappings import read_video
from mkdocs_sitemap_plus.options.overrides import IF_INVALID
from mkdocs_sitemap_plus.options.readers import (
    Read,
    read_changefreq,
    read_date,
    read_fields,
    read_hreflang,
    read_items,
    read_lastmod,
    read_news_language,
    read_priority,
    read_text,
)
from mkdocs_sitemap_plus.pages import SourcePage, Url
from mkdocs_sitemap_plus.pipeline import Context, Decided, Decision, Listed, OutReason, listed_in
from mkdocs_sitemap_plus.pipeline.add_alternates import (
    is_language_set,
    mutual_links,
    one_way_problem,
)
from mkdocs_sitemap_plus.pipeline.add_extra_urls import read_loc
from mkdocs_sitemap_plus.pipeline.add_media import is_fresh, too_many_images
from mkdocs_sitemap_plus.pipeline.select_pages import one_per_url
from mkdocs_sitemap_plus.problems import (
    Code,
    Place,
    Problem,
    Result,
    SitemapError,
    invalid,
    one_per_field,
)
from mkdocs_sitemap_plus.sitemap import (
    MAX_IMAGES,
    Alternate,
    News,
    Restriction,
    UrlEntry,
    Video,
    to_datetime,
)
from mkdocs_sitemap_plus.sitemap.urls import read_url
from mkdocs_sitemap_plus.wording import counted, describe_error, format_value, shorten

_DONE = {**IF_INVALID, "loc": "The page is left out.", "news": "The page gets no news tags."}
_EMPTY = UrlEntry(loc="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The page of an entry, which is the second argument of the owner's function."""

    src_uri: str  # the path of its source under the docs folder, with ``/``
    url: str  # relative to the site's URL, such as ``guide/a/``
    meta: Mapping[str, Any]  # its front matter


PageOfEntry = Page  # functions of owners may import it by this name and from here


def transform_entries(
    decisions: Sequence[Decision], context: Context, function: Transform
) -> Decided:
    """Replace each entry by what the owner's function returns.

    The function is called once for each entry, in the order of the URLs. If several entries then
    have one URL, only one of them is kept. A link to another language version on this site is kept
    only if that page links back, or if it is that of x-default. Raises SitemapError if the function
    raised an exception.
    """
    changed: list[Decision] = []
    new_urls: dict[str, str | None] = {}
    problems: list[Problem] = []
    for decision in decisions:
        new: Decision = decision
        if isinstance(decision, Listed):
            new, found = _transformed(decision, function, context)
            new_urls[decision.loc] = new.loc if isinstance(new, Listed) else None
            problems += found
        changed.append(new)
    place = context.site.option("transform")
    linked, one_way = _with_mutual_links(one_per_url(changed), new_urls, place)
    return linked, _first_of_each_cause([*problems, *one_way])


def _first_of_each_cause(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield the first problem of each cause. It says how often the same was found again."""
    by_cause: dict[tuple[str, str], list[Problem]] = {}
    for problem in problems:
        by_cause.setdefault((problem.code, problem.expected or problem.found), []).append(problem)
    for first, *others in by_cause.values():
        more = f"The same was found {counted(len(others), 'more time')}."
        yield first._replace(done=f"{first.done or ''} {more}".strip()) if others else first


def _transformed(
    decision: Listed, function: Transform, context: Context
) -> tuple[Decision, list[Problem]]:
    place = context.site.option("transform")
    returned = _call(function, decision, context)
    if returned is None:
        return decision.left_out(OutReason.TRANSFORM, function.name, place), []
    changed: Decision = decision
    if isinstance(returned, UrlEntry):
        changed, problems = _read_entry(returned, decision, context)
    else:
        at_page = place._replace(key=f"{place.key}: {decision.name}")
        problem = _invalid_type(returned, at_page, "an entry or None")
        problems = [problem._replace(done="The entry stays as it was.")]
    return replace(changed, rejected=tuple(problems)), problems


def _call(function: Transform, decision: Listed, context: Context) -> object:
    page, about = None, decision.about
    if not isinstance(about, Url):
        url = decision.loc.removeprefix(context.site.url)
        meta = dict(about.meta) if isinstance(about, SourcePage) else {}
        page = Page(src_uri=about.src_uri, url=url, meta=MappingProxyType(meta))
    try:
        return function.call(decision.entry, page)
    except Exception as error:
        raised = f"raised {describe_error(error)} for {shorten(decision.name)}"
        place = context.site.option("transform")
        raise SitemapError(invalid(Code.TRANSFORM, place, function.name, fault=raised)) from error


def _read_entry(
    returned: UrlEntry, decision: Listed, context: Context
) -> tuple[Decision, list[Problem]]:
    """Return the decision with the valid fields of `returned`, and the problems of the others."""
    place = context.site.option("transform")
    problems: list[Problem] = []
    changed, out = decision, None
    for name, read in _readers(decision, context).items():
        raw = getattr(returned, name)
        if raw is getattr(decision.entry, name):
            continue
        value: Any = None
        if raw is not None or name == "loc":  # None removes a field, but never the URL
            at_field = place._replace(key=f"{place.key}: {decision.name}: {name}")
            value, found = _read_field(read, raw, at_field)
            done = _DONE[name]
            problems += one_per_field(
                [problem._replace(done=problem.done or done) for problem in found]
            )
        if name != "loc":
            empty = getattr(_EMPTY, name)
            changed = changed.with_field(name, empty if value is None else value, place)
        elif value is None:
            out = decision.left_out(OutReason.UNUSABLE_URL, _format_returned(raw), place)
        else:
            changed = replace(changed, entry=replace(changed.entry, loc=value))
    if out:
        return out, problems
    why = decision.undated or BY_TRANSFORM
    return replace(changed, undated=None if changed.entry.lastmod else why), problems


def _read_field(read: Read, raw: object, place: Place) -> Result[Any]:
    try:
        return read(raw, place)
    except Exception as error:  # noqa: BLE001 - the owner's own class may raise anything
        raised = f"is {_format_returned(raw)}, which raised {describe_error(error)}"
        return None, [Problem(code=Code.TRANSFORM, place=place, found=raised)]


def _readers(decision: Listed, context: Context) -> dict[str, Read]:
    """Return the reader of each field of a returned entry, in the order of the fields."""
    url, zone = decision.loc, context.settings.lastmod.timezone
    read_address = partial(read_url, base=url)
    alternate: dict[str, Read] = {"hreflang": read_hreflang, "href": read_address}

    def video(raw: object, place: Place) -> Result[Video]:
        if not isinstance(raw, Video):
            return None, [_invalid_type(raw, place, "a Video")]
        written = {each.name: _as_written(getattr(raw, each.name)) for each in fields(Video)}
        return read_video(written, place, zone, read_address, url)

    return {
        "loc": partial(read_loc, base=context.site.url),
        "lastmod": partial(_read_lastmod, context=context),
        "changefreq": read_changefreq,
        "priority": read_priority,
        "alternates": _items("Alternates", _object(Alternate, "an Alternate", alternate)),
        "images": partial(_read_images, read=_items("URLs", read_address)),
        "videos": _items("Videos", video),
        "news": partial(_read_news, context=context),
    }


def _read_lastmod(raw: object, place: Place, context: Context) -> Result[date | datetime]:
    when, problems = read_lastmod(raw, place, context.settings.lastmod.timezone)
    if when and to_datetime(when) > context.now + MAX_FUTURE:
        return None, [invalid(Code.LASTMOD, place, raw, fault="is in the future")]
    return when or None, problems  # False removes the date


def _read_images(raw: object, place: Place, read: Read) -> Result[tuple[str, ...]]:
    if not isinstance(raw, (tuple, list)) or len(raw) <= MAX_IMAGES:
        return read(raw, place)
    images, problems = read(raw[:MAX_IMAGES], place)
    return images, [*problems, too_many_images(place, len(raw))]


def _read_news(raw: object, place: Place, context: Context) -> Result[News]:
    zone = context.settings.lastmod.timezone
    readers: dict[str, Read] = {
        "publication": read_text,
        "title": read_text,
        "language": read_news_language,
        "publication_date": partial(read_date, zone=zone),
    }
    news, problems = _object(News, "a News or None", readers)(raw, place)
    fresh = news and is_fresh(news.publication_date, context.now.astimezone(zone))
    return news if fresh else None, problems


def _object(kind: type, expected: str, readers: Mapping[str, Read]) -> Read:
    """Return a reader of objects of a class. All fields of an object must be valid."""

    def read(raw: object, place: Place) -> Result[Any]:
        if not isinstance(raw, kind):
            return None, [_invalid_type(raw, place, expected)]
        written = {name: getattr(raw, name) for name in readers}
        values, problems = read_fields(readers, written, place)
        return None if None in values.values() else kind(**values), problems

    return read


def _items(items: str, read_item: Read) -> Read:
    """Return a reader of a tuple. It returns the valid items, each once."""

    def read(raw: object, place: Place) -> Result[tuple[Any, ...]]:
        if not isinstance(raw, (tuple, list)):
            return None, [_invalid_type(raw, place, f"a tuple of {items}")]
        values, problems = read_items(read_item, raw, place)
        done = "It is not written."
        problems = [each._replace(done=each.done or done) for each in problems]
        return tuple(dict.fromkeys(values)), problems

    return read


def _as_written(value: object) -> object:
    """Return the value of a field of a Video as it would be in front matter."""
    if isinstance(value, Restriction):
        return {"allow" if value.allow else "deny": _as_written(value.names)}
    if isinstance(value, tuple):
        return list(value) or None
    return value


def _format_returned(raw: object) -> str:
    """Return a simple value as in YAML; of any other value the type, such as ``a dict``."""
    if type(raw) in (str, int, float, bool, type(None)):  # not a subclass with its own text
        return format_value(raw)
    name = type(raw).__name__
    return f"{'an' if name[:1].lower() in 'aeio' else 'a'} {name}"


def _invalid_type(raw: object, place: Place, expected: str) -> Problem:
    found = f"is {_format_returned(raw)}"
    return Problem(code=Code.TRANSFORM, place=place, found=found, expected=expected)


def _with_mutual_links(
    decisions: Sequence[Decision], new_urls: Mapping[str, str | None], place: Place
) -> tuple[list[Decision], list[Problem]]:
    """Return the decisions with links to the new URLs. Pages that are linked must link back.

    `new_urls` has the new URL of each entry by the old one; None if the entry was left out. `place`
    is that of the option. The problems are of links that the owner's function set.
    """
    links = {}
    for entry in (decision.entry for decision in listed_in(decisions)):
        hrefs = ((link, new_urls.get(link.href, link.href)) for link in entry.alternates)
        links[entry.loc] = [replace(link, href=href) for link, href in hrefs if href is not None]
    mutual = mutual_links(links, links.keys() | {decision.loc for decision in decisions})
    problems: list[Problem] = []
    linked = list(decisions)
    for number, decision in enumerate(decisions):
        if isinstance(decision, Listed) and decision.entry.alternates:
            loc, because = decision.loc, decision.because["alternates"]
            if because == place:
                key = f"{place.key}: {decision.name}: alternates"
                one_way = [link for link in links[loc] if link not in mutual[loc]]
                problems += [one_way_problem(link, place._replace(key=key)) for link in one_way]
            kept = mutual[loc] if is_language_set(mutual[loc], loc) else ()
            linked[number] = decision.with_field("alternates", tuple(kept), because)
    return linked, problems
