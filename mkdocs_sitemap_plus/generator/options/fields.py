"""What an owner may set for a page: in front matter, by a rule, or for an extra URL.

The options whose values are mappings, rules among them, are read here too.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, tzinfo
from decimal import Decimal
from functools import partial
from typing import Any, Literal, NamedTuple

from mkdocs_sitemap_plus.generator.options import value_kinds
from mkdocs_sitemap_plus.generator.options.reading import Reading
from mkdocs_sitemap_plus.generator.options.value_kinds import (
    Invalid,
    Patterns,
    ReadValue,
    match,
    several,
)
from mkdocs_sitemap_plus.problems import Code, Level, Origin, Place, Problem, with_line
from mkdocs_sitemap_plus.sitemap.entries import Changefreq
from mkdocs_sitemap_plus.sitemap.urls import folder_fault

RULE_FIELDS = ("changefreq", "priority", "lastmod", "exclude", "images")  # beside ``match``
SITEMAP_KEYS = (*RULE_FIELDS, "depends")  # under ``sitemap:``
TOP_LEVEL_KEYS = ("changefreq", "priority")  # also allowed at the top level of front matter


class Overrides(NamedTuple):
    """The values that front matter, a rule or an option sets for a page.

    A field that is not set is None, and not in `places`. An invalid field is None, too, but it is
    in `places`, so that no rule and no option sets it instead. Only an invalid `exclude` is as if
    it was not set: nobody who wrote it wanted to list a page that a rule leaves out.
    """

    exclude: bool | None = None  # False: the page is listed, even if a rule leaves it out
    lastmod: date | datetime | Literal[False] | None = None  # aware; False: no date is written
    changefreq: Changefreq | None = None
    priority: Decimal | None = None  # from 0.0 to 1.0
    # True: the images of the content are listed; False: none; a tuple: these paths or URLs.
    images: bool | tuple[str, ...] | None = None
    depends: tuple[str, ...] | None = None  # paths and patterns of files; their changes count, too
    places: Mapping[str, Place] = {}  # where each field is set

    def under(self, over: "Overrides") -> "Overrides":
        """Return these values where `over` sets none."""
        set_ = {name: getattr(over, name) for name in over.places}
        return self._replace(**set_, places={**self.places, **over.places})


def _images(raw: object) -> bool | tuple[str, ...]:
    try:
        return value_kinds.flag(raw)
    except Invalid:
        return _texts("true, false or a list of paths or URLs")(raw)


def _texts(expected: str, *, least: int = 0) -> Callable[[object], tuple[str, ...]]:
    """Return a reader of texts, all of which are one value for messages."""
    read = several(value_kinds.matching(""), "", least=least)

    def read_all(raw: object) -> tuple[str, ...]:
        try:
            return read(raw)
        except Invalid:
            raise Invalid(expected) from None

    return read_all


def page_readers(zone: tzinfo) -> Mapping[str, ReadValue]:
    """Return the reader of each field; datetimes without an offset are in `zone`."""
    return {
        "changefreq": value_kinds.changefreq,
        "priority": value_kinds.priority,
        "lastmod": partial(value_kinds.lastmod, zone=zone),
        "exclude": value_kinds.flag,
        "images": _images,
        "depends": _texts("a list of paths or patterns, relative to the page", least=1),
    }


# A rule holds for many pages, so it can't set a date or list images.
_RULE_READERS: Mapping[str, ReadValue] = {
    **page_readers(UTC),
    "lastmod": value_kinds.no_lastmod,
    "images": value_kinds.flag,
}

IF_INVALID = {
    "exclude": "It is ignored.",
    "images": "No images are written.",
    "videos": "No videos are written.",
    "alternates": "No language links are written.",
    "depends": "It is ignored.",
}
"""What happens to an invalid field; of the others, nothing is written."""


def read_fields(
    found: Iterable[tuple[str, object, Reading]],
    readers: Mapping[str, ReadValue],
    written: Mapping[str, str] = {},
) -> Overrides:
    """Return the fields that are set; of several values of a field, the first counts.

    `written` has the texts of values by dotted key, as far as YAML reads them as something else.
    """
    read: dict[str, Any] = {}
    places: dict[str, Place] = {}
    for name, raw, reading in found:
        if raw is None or name in places:
            continue
        done, place = IF_INVALID.get(name, f"No {name} is written."), reading.place
        text = written.get(place.key or "")
        value = reading.value(readers[name], raw, done=done, written=text)
        if value is None and place.origin is Origin.FRONT_MATTER:
            if place.key == "priority":
                reading.problems[-1] = _of_another_tool(reading.problems[-1])
            if place.key == "priority" or name == "exclude":
                continue
        read[name], places[name] = value, place
    return Overrides(places=places, **read)


def _of_another_tool(problem: Problem) -> Problem:
    """Return the note on ``priority: 5`` at the top level, which may be the key of another tool."""
    done = "It is ignored, because it may belong to another tool."
    return problem._replace(code=Code.PRIORITY_OF_ANOTHER_TOOL, done=done, level=Level.NOTE)


def read_front_matter(  # noqa: PLR0913 - what is read, and how
    meta: Mapping[str, Any],
    file: str,
    lines: Mapping[str, int],
    zone: tzinfo,
    lastmod_keys: tuple[str, ...],
    *,
    written: Mapping[str, str] = {},
) -> tuple[Overrides, list[Problem]]:
    """Return what front matter sets, and its problems, in the order of its lines.

    A key under ``sitemap:`` wins over the same key at the top level. The date is that of
    ``sitemap.lastmod``, or of the first of the dotted `lastmod_keys` that is set. `file` is the
    page's source, as messages name it. `lines` has the line of each dotted key, and `written` the
    text of a value that YAML reads as something else.
    """
    known = top_keys(lastmod_keys)
    if not has_sitemap_keys(meta, known):
        return Overrides(), []
    reading = Reading(Place(Origin.FRONT_MATTER, file), zone)
    found = _under_sitemap(meta.get("sitemap"), reading.under("sitemap"))
    found += [(name, meta.get(name), reading.under(name)) for name in TOP_LEVEL_KEYS]
    found += [
        ("lastmod", _date_at(meta, key, lastmod_keys), reading.under(key)) for key in lastmod_keys
    ]
    overrides = read_fields(found, page_readers(zone), written)
    for key in meta:
        if key != "sitemap" and str(key).lower() == "sitemap":
            place, done = reading.under(key).place, "It is ignored."
            near = Problem(Code.NEAR_MISS, "is not the key `sitemap`", place, done=done)
            reading.problems.append(near._replace(fix=_SITEMAP, level=Level.NOTE))
    places = {name: with_line(place, lines) for name, place in overrides.places.items()}
    problems = [
        each._replace(place=with_line(each.place, lines)) for each in reading.problems if each.place
    ]
    problems.sort(key=lambda problem: problem.place.line or 0 if problem.place else 0)
    return overrides._replace(places=places), problems


def _under_sitemap(raw: object, reading: Reading) -> list[tuple[str, object, Reading]]:
    if isinstance(raw, Mapping):
        reading.mapping(raw, SITEMAP_KEYS)
        return [(name, raw.get(name), reading.under(name)) for name in SITEMAP_KEYS]
    if raw is None or (listed := reading.value(_listed, raw, done="It is ignored.")) is None:
        return []
    return [("exclude", not listed, reading)]


def _listed(raw: object) -> bool:
    try:
        return value_kinds.flag(raw)
    except Invalid as error:
        error.expected = "true, false or a mapping"
        if isinstance(raw, str):
            error.fix = "To leave the page out, write `sitemap: false`."
        raise


_SITEMAP = "To leave the page out, write `sitemap: false`; other values go under `sitemap:`."


def _date_at(meta: Mapping[str, Any], key: str, lastmod_keys: tuple[str, ...]) -> object:
    """Return the raw date at a dotted key; None for a mapping, if a longer key leads into it."""
    value: object = meta
    for name in key.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    has_inner_key = any(other.startswith(f"{key}.") for other in lastmod_keys)
    return None if has_inner_key and isinstance(value, Mapping) else value


def top_keys(lastmod_keys: tuple[str, ...]) -> frozenset[str]:
    """Return the keys at the top level of front matter that the plugin reads."""
    date_keys = (key.partition(".")[0] for key in lastmod_keys)
    return frozenset(("sitemap", *TOP_LEVEL_KEYS, *date_keys))


def has_sitemap_keys(meta: Mapping[Any, Any], known: frozenset[str]) -> bool:
    """Return whether front matter has a key of ours, in any case, or one that means ours."""
    if not known.isdisjoint(meta) or key_of_other_tool(meta):
        return True
    return any(str(key).lower() == "sitemap" for key in meta)


# Keys that leave a page out in other tools.
_OUT_IN_OTHER_TOOLS = (
    "noindex", "no_index", "exclude", "exclude_from_sitemap", "sitemap_exclude", "draft",
)  # fmt: skip


def key_of_other_tool(meta: Mapping[Any, Any]) -> str | None:
    """Return the key that would leave the page out in another tool, such as ``noindex: true``."""
    for key in _OUT_IN_OTHER_TOOLS:
        if key in meta and str(meta[key]).strip().lower() in ("true", "yes", "on"):
            return key
    hidden = meta.get("hide")  # Material's, which hides parts of the page
    if hidden == "sitemap" or (isinstance(hidden, list) and "sitemap" in hidden):
        return "hide"
    if str(meta.get("index", "")).strip().lower() in ("false", "no", "off"):
        return "index"
    robots = meta.get("robots")
    said = robots.lower().replace(",", " ").split() if isinstance(robots, str) else ()
    return "robots" if "noindex" in said or "none" in said else None


_RULE_KEYS = ("match", *RULE_FIELDS)
EXTRA_URL_FIELDS = ("lastmod", "changefreq", "priority", "images")


class PageRule(NamedTuple):
    """A rule: it sets values for all pages whose source path matches."""

    match: Patterns | None  # None: every page matches
    overrides: Overrides
    place: Place  # of the key ``match``, or of an option for the whole site

    def matches(self, src_uri: str) -> bool:
        """Return whether the rule applies to the page with this source path."""
        return self.match is None or self.match.match_file(src_uri)


class ExtraUrl(NamedTuple):
    """A URL that is not a page of the site."""

    loc: str  # as it is written; it may be relative to the site's URL
    overrides: Overrides
    place: Place  # of the item in the option ``extra_urls``


class Language(NamedTuple):
    """A language of a site that has a build of its own for each language."""

    locale: str  # as hreflang writes it
    url: str  # the ``site_url`` of the language's build; it ends with a slash
    docs_dir: str  # relative to the project file


def rules(raw: object, reading: Reading) -> tuple[PageRule, ...]:
    """Return the rules of a list of mappings."""
    reading, found = reading.at(reading.place._replace(origin=Origin.RULE)), []
    for item, each in reading.items(raw, "rules", "match"):
        if (keys := item.mapping(each, _RULE_KEYS)) is None:
            continue
        written = [(name, keys.get(name), item.under(name)) for name in RULE_FIELDS]
        patterns = item.required("match", match, keys, _RULE_KEYS)
        fields = read_fields(written, _RULE_READERS)
        found.append(PageRule(patterns, fields, item.under("match").place))
        if not fields.places and set(keys) <= {*_RULE_KEYS}:
            fix = f"Give it one of {', '.join(RULE_FIELDS)}."
            what = "sets nothing for the pages that it matches"
            item.problems.append(Problem(Code.NO_EFFECT, what, item.place, fix=fix))
    return tuple(found)


def may_list_images(src_uri: str, meta: Mapping[str, Any], rules: Iterable[PageRule]) -> bool:
    """Return whether a page's images may be listed. If not, its HTML is not searched for them."""
    of_page = meta.get("sitemap")
    if isinstance(of_page, Mapping) and of_page.get("images") is not None:
        return True
    return any(rule.overrides.images and rule.matches(src_uri) for rule in rules)


def extra_urls(raw: object, reading: Reading) -> tuple[ExtraUrl, ...]:
    """Return the URLs of a list of mappings, which may be outside of the site."""
    found, readers = [], page_readers(reading.zone)
    for item, each in reading.items(raw, "mappings", "loc"):
        known = ("loc", *EXTRA_URL_FIELDS)
        if (keys := item.mapping(each, known)) is None:
            continue
        read = value_kinds.matching("a URL, or a path below site_url", r"(?s).+")
        loc = item.required("loc", read, keys, known)
        written = [(name, keys.get(name), item.under(name)) for name in EXTRA_URL_FIELDS]
        overrides = read_fields(written, readers)
        if isinstance(overrides.images, bool):
            expected = Invalid("a list of paths or URLs")
            item.under("images").wrong(overrides.images, expected)
        found.append(ExtraUrl(loc or "", overrides, item.place))
    return tuple(found)


def languages(raw: object, reading: Reading) -> bool | tuple[Language, ...]:
    """Return a boolean (True for ``auto``), or the languages of ``{locale: {url, docs_dir}}``."""
    if isinstance(raw, bool) or raw == "auto":
        return bool(raw)
    if not isinstance(raw, Mapping) or not raw:
        reading.wrong(raw, Invalid("auto, false or a mapping of languages"))
        return False
    found = []
    for locale, each in raw.items():
        at = reading.under(locale)
        code = at.value(value_kinds.language, locale)
        keys = each if isinstance(each, Mapping) else {}
        url, docs_dir = keys.get("url"), keys.get("docs_dir")
        others = keys.keys() - {"url", "docs_dir"}
        if others or not isinstance(url, str) or not isinstance(docs_dir, str):
            at.wrong(each, Invalid("a mapping of url and docs_dir"))
        elif fault := folder_fault(url):
            at.under("url").wrong(url, Invalid(fault=fault))
        else:
            found.append(Language(code, f"{url.removesuffix('/')}/", docs_dir))
    return tuple(found)
