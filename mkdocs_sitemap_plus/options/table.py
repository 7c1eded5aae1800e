"""The table of options, declared once for the plugin and the command; a mapping to Settings."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import tzinfo
from difflib import get_close_matches
from enum import StrEnum
from typing import Any, Literal

from dateutil import tz

from mkdocs_sitemap_plus.options.extensions import (
    EXTRA_URL_KEYS,
    NEWS_KEYS,
    WrittenUrl,
    read_extra_url,
    read_news,
)
from mkdocs_sitemap_plus.options.function import read_transform
from mkdocs_sitemap_plus.options.overrides import (
    RULE_FIELDS,
    SHORT_FIELDS,
    Said,
    read_overrides,
    unknown_key,
    unknown_keys,
)
from mkdocs_sitemap_plus.options.patterns import read_match, read_patterns
from mkdocs_sitemap_plus.options.settings import (
    GitChange,
    GitDate,
    GitSettings,
    Includer,
    Language,
    LastmodSettings,
    Overrides,
    Precision,
    Rule,
    Settings,
    Shallow,
    Source,
    Split,
)
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, faulty, invalid
from mkdocs_sitemap_plus.sitemap.fields import (
    loc_fault,
    read_changefreq,
    read_flag,
    read_hreflang,
    read_priority,
)
from mkdocs_sitemap_plus.sitemap.limits import MAX_BYTES, MAX_URLS, MIN_MAX_BYTES
from mkdocs_sitemap_plus.wording import format_key, format_value

Read = Callable[[object, Place], Any]
"""A reader of one option: its value, or a Problem, or a list of Problems."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option.

    Attributes:
        name: dotted, as it is nested in ``mkdocs.yml``.
        read: the reader of its value.
        default: the value where it is not set.
        meaning: one sentence for its user.
    """

    name: str
    read: Read
    default: Any
    meaning: str


def _one_of(kind: type[StrEnum]) -> Read:
    allowed = [str(each) for each in kind]

    def read(raw: object, place: Place) -> StrEnum | Problem:
        if isinstance(raw, str) and raw in allowed:
            return kind(raw)
        near = get_close_matches(raw, allowed, n=1) if isinstance(raw, str) else []
        return invalid("option", place, raw, "one of " + ", ".join(allowed), *near)

    return read


def _list_of(read_item: Read, of_what: str) -> Read:
    def read(raw: object, place: Place) -> tuple[Any, ...] | Problem | list[Problem]:
        if not isinstance(raw, list):
            return invalid("option", place, raw, f"a list of {of_what}")
        items = [
            read_item(item, replace(place, key=f"{place.key}[{i}]")) for i, item in enumerate(raw)
        ]
        return list(_problems(items)) or tuple(items)

    return read


def _problems(values: list[Any]) -> Iterator[Problem]:
    for value in values:
        if isinstance(value, Problem):
            yield value
        elif isinstance(value, list):
            yield from value


def _read_text(expected: str) -> Read:
    def read(raw: object, place: Place) -> str | Problem:
        if isinstance(raw, str) and raw.strip() and "\0" not in raw:
            return raw.strip()
        return invalid("option", place, raw, expected)

    return read


def _whole_number(least: int, most: int) -> Read:
    def read(raw: object, place: Place) -> int | Problem:
        if isinstance(raw, int) and not isinstance(raw, bool) and least <= raw <= most:
            return raw
        return invalid("option", place, raw, f"a whole number from {least} to {most}")

    return read


def _read_zone(raw: object, place: Place) -> tzinfo | Problem:
    """A zone of the IANA database, by name."""
    named = isinstance(raw, str) and re.fullmatch(r"[A-Za-z][\w+-]*(/[\w+-]+)*", raw, re.ASCII)
    zone = tz.gettz(raw) if isinstance(raw, str) and named else None
    # gettz also reads POSIX rules such as UTC+3, whose sign is the opposite of what people mean.
    if zone is None or isinstance(zone, (tz.tzstr, tz.tzlocal)):
        return invalid(
            "option", place, raw, "the name of a time zone, such as UTC or Europe/Berlin"
        )
    return zone


def _read_filename(raw: object, place: Place) -> str | Problem:
    if isinstance(raw, str) and re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]*\.xml", raw):
        return raw
    expected = "a bare file name of ASCII letters, digits, '.', '_' and '-' that ends in .xml"
    return invalid("option", place, raw, expected)


def _read_report(raw: object, place: Place) -> str | Problem:
    """The ending keeps a slip from replacing a page, or ``mkdocs.yml`` itself."""
    if isinstance(raw, str) and raw.strip().endswith(".json") and "\0" not in raw:
        return raw.strip()
    return invalid("option", place, raw, "a path, relative to mkdocs.yml, that ends in .json")


_LANGUAGE_KEYS = ("url", "docs_dir")


def _read_alternates(
    raw: object, place: Place
) -> bool | tuple[Language, ...] | Problem | list[Problem]:
    """``auto``, false, or ``{locale: {url, docs_dir}}``."""
    if isinstance(raw, bool) or raw == "auto":
        return bool(raw)
    if not isinstance(raw, Mapping) or not raw:
        return invalid("option", place, raw, "auto, false or a mapping of languages")
    read = [_read_language(locale, each, place) for locale, each in raw.items()]
    return list(_problems(read)) or tuple(each for each in read if isinstance(each, Language))


def _read_language(locale: object, raw: object, place: Place) -> Language | Problem:
    here = replace(place, key=f"{place.key}.{format_key(locale)}")
    code = read_hreflang(locale, here)
    if isinstance(code, Problem):
        return code
    known = raw if isinstance(raw, Mapping) else {}
    url, docs_dir = (known.get(key) for key in _LANGUAGE_KEYS)
    if (
        not isinstance(url, str)
        or not isinstance(docs_dir, str)
        or len(known) != len(_LANGUAGE_KEYS)
    ):
        return invalid("option", here, raw, "a mapping of url and docs_dir")
    if fault := loc_fault(url):
        return faulty("option", replace(here, key=f"{here.key}.url"), url, fault)
    return Language(locale=code, url=url if url.endswith("/") else f"{url}/", docs_dir=docs_dir)


def _read_x_default(raw: object, place: Place) -> str | Literal[False] | Problem:
    return False if raw is False else read_hreflang(raw, place)


_RULE_KEYS = ("match", *RULE_FIELDS)


def _read_rule(raw: object, place: Place) -> Rule | Problem | list[Problem]:
    if not isinstance(raw, Mapping):
        return invalid("option", place, raw, "a mapping of " + ", ".join(_RULE_KEYS))

    def at(name: str) -> Place:
        return replace(place, origin=Origin.RULE, key=f"{place.key}.{name}")

    match = read_match(raw.get("match"), at("match"))
    said = [Said(field=name, raw=raw.get(name), place=at(name)) for name in RULE_FIELDS]
    overrides, problems = read_overrides(said, tz.UTC, of_one=False)
    if isinstance(match, Problem):
        return [match, *problems]
    return problems or Rule(match=match, overrides=overrides, place=at("match"))


OPTIONS = (
    Option(
        name="changefreq",
        read=read_changefreq,
        default=None,
        meaning="How often pages are likely to change, for the whole site.",
    ),
    Option(
        name="priority",
        read=read_priority,
        default=None,
        meaning="The priority of pages relative to each other, for the whole site.",
    ),
    Option(
        name="exclude",
        read=read_patterns,
        default=None,
        meaning="Patterns on the source path of pages that are left out.",
    ),
    Option(
        name="rules",
        read=_list_of(_read_rule, "rules"),
        default=(),
        meaning="What holds for pages whose source path matches; the last rule wins.",
    ),
    Option(
        name="lastmod.sources",
        read=_list_of(_one_of(Source), ", ".join(Source)),
        default=LastmodSettings().sources,
        meaning="Where dates come from; the first that knows wins. An empty list turns them off.",
    ),
    Option(
        name="lastmod.file",
        read=_read_text("a path, relative to mkdocs.yml"),
        default=LastmodSettings().file,
        meaning="Where the source ``file`` reads dates, relative to mkdocs.yml.",
    ),
    Option(
        name="lastmod.format",
        read=_one_of(Precision),
        default=Precision.DATETIME,
        meaning="Whether a date is written with its time of day.",
    ),
    Option(
        name="lastmod.timezone",
        read=_read_zone,
        default=LastmodSettings().timezone,
        meaning="The zone of datetimes without an offset, and of git dates as they are written.",
    ),
    Option(
        name="lastmod.front_matter_keys",
        read=_list_of(_read_text("a dotted key of front matter, as a string"), "dotted keys"),
        default=LastmodSettings().front_matter_keys,
        meaning="Front matter keys that are looked up after ``sitemap.lastmod``.",
    ),
    Option(
        name="lastmod.git.date",
        read=_one_of(GitDate),
        default=GitDate.PUBLISHED,
        meaning="Which date of which commit dates a page.",
    ),
    Option(
        name="lastmod.git.change",
        read=_one_of(GitChange),
        default=GitChange.CONTENT,
        meaning="What counts as a change of a page.",
    ),
    Option(
        name="lastmod.git.ignore_revs_file",
        read=_read_text("a path, relative to mkdocs.yml"),
        default=None,
        meaning="A file of commits that never date a page, relative to mkdocs.yml.",
    ),
    Option(
        name="lastmod.git.ignore_authors",
        read=_list_of(_read_text("a `Name <mail>` pattern"), "patterns"),
        default=(),
        meaning="Authors whose commits never date a page, as patterns with `*` and `?`.",
    ),
    Option(
        name="lastmod.git.shallow",
        read=_one_of(Shallow),
        default=Shallow.WARN,
        meaning="What happens if a shallow clone lacks the history of pages.",
    ),
    Option(
        name="lastmod.includes",
        read=_list_of(_one_of(Includer), ", ".join(Includer)),
        default=LastmodSettings().includes,
        meaning="Whose parts count: a page is as new as the newest file that these put into it.",
    ),
    Option(
        name="alternates",
        read=_read_alternates,
        default=True,
        meaning="Whether language versions are linked; or the languages that are built one by one.",
    ),
    Option(
        name="x_default",
        read=_read_x_default,
        default=None,
        meaning="The language for readers of all others; false: none.",
    ),
    Option(
        name="images",
        read=read_flag,
        default=False,
        meaning="Whether the images of each page's own content are listed.",
    ),
    Option(
        name="news",
        read=read_news,
        default=None,
        meaning="Which pages are news articles: those of the last two days are told as such.",
    ),
    Option(
        name="extra_urls",
        read=_list_of(read_extra_url, "mappings with loc"),
        default=(),
        meaning="URLs that are listed, though they are no pages of the site.",
    ),
    Option(
        name="extra_files",
        read=read_match,
        default=None,
        meaning="Patterns on files of the built site that are listed like pages.",
    ),
    Option(
        name="extra_sitemaps",
        read=_list_of(_read_text("a URL, as a string"), "URLs"),
        default=(),
        meaning="Sitemaps of sibling sites, which an index lists beside this one.",
    ),
    Option(
        name="filename",
        read=_read_filename,
        default="sitemap.xml",
        meaning="The sitemap's file name, at the root of the site.",
    ),
    Option(
        name="split",
        read=_one_of(Split),
        default=Split.AUTO,
        meaning="Whether there is also a file for each section of the site.",
    ),
    Option(
        name="max_urls",
        read=_whole_number(1, MAX_URLS),
        default=MAX_URLS,
        meaning="How many URLs a file may have before it is split.",
    ),
    Option(
        name="max_bytes",
        read=_whole_number(MIN_MAX_BYTES, MAX_BYTES),
        default=MAX_BYTES,
        meaning="How many bytes a file may have, uncompressed, before it is split.",
    ),
    Option(
        name="stylesheet",
        read=read_flag,
        default=True,
        meaning="Whether a browser shows the sitemap as a table.",
    ),
    Option(
        name="robots_txt",
        read=read_flag,
        default=False,
        meaning="Whether ``robots.txt`` names the sitemap.",
    ),
    Option(
        name="transform",
        read=read_transform,
        default=None,
        meaning="A function of yours that has the last word on each entry.",
    ),
    Option(
        name="report",
        read=_read_report,
        default=None,
        meaning="A JSON report on every page, as a path relative to mkdocs.yml.",
    ),
)


def top_names() -> tuple[str, ...]:
    """The names of the first level, in the order of the table."""
    return tuple(dict.fromkeys(option.name.partition(".")[0] for option in OPTIONS))


def nearest_option(name: str, group: str = "") -> str | None:
    """Return the dotted name of the option that was probably meant; None if none is similar.

    Names that are nested elsewhere count as well: ``timezone`` and ``git_timezone`` are
    ``lastmod.timezone``.

    Args:
        name: an unknown key, as it is written.
        group: the dotted group that it stands in; empty for the top level.
    """
    spellings: dict[str, str] = {}
    for option in OPTIONS:
        parts = option.name.split(".")
        for first in range(len(parts)):
            spellings.setdefault("_".join(parts[first:]), option.name)
    here = [option.name for option in OPTIONS if option.name.startswith(group)]
    beside = {each.removeprefix(group).partition(".")[0]: each for each in here}
    near = get_close_matches(name, beside, n=1)
    if near:
        return f"{group}{near[0]}"
    near = get_close_matches(name.replace("-", "_").lower(), spellings, n=1, cutoff=0.7)
    return spellings[near[0]] if near else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What came of reading options.

    Attributes:
        values: by dotted name; only options that are set, and right.
        errors: wrong values.
        unknown: keys that no option has.
    """

    values: Mapping[str, Any]
    errors: tuple[Problem, ...]
    unknown: tuple[Problem, ...]


def read_options(raw: Mapping[str, Any], file: str = "mkdocs.yml") -> Reading:
    """Read a mapping, nested as in ``mkdocs.yml``; None leaves an option at its default."""
    values: dict[str, Any] = {}
    errors: list[Problem] = []
    unknown: list[Problem] = []
    known = {option.name: option for option in OPTIONS}
    for name, key, value in _leaves(raw, "", known):
        place = Place(origin=Origin.OPTION, file=file, key=name)
        if name in known:
            read = known[name].read(value, place)
            wrong_values = [
                replace(problem, done=None, note=False) for problem in _problems([read])
            ]
            errors.extend(wrong_values)
            if not wrong_values:
                values[name] = read
        elif _is_group(name, known):
            errors.append(_not_a_group(name, value, place))
        else:
            unknown.append(_unknown(name, key, place, known))
    unknown.extend(_unknown_inside(raw, file))
    return Reading(values=values, errors=tuple(errors), unknown=tuple(unknown))


def _not_a_group(name: str, value: object, place: Place) -> Problem:
    problem = invalid("option", place, value, "a mapping of options")
    if name != "lastmod":
        return problem
    return replace(problem, fix="To write no dates, use `lastmod: {sources: []}`.")


def _is_group(name: str, known: Mapping[str, Option]) -> bool:
    return any(option.startswith(name + ".") for option in known)


def _leaves(
    raw: Mapping[Any, Any], above: str, known: Mapping[str, Option]
) -> Iterator[tuple[str, object, object]]:
    """Dotted names with their last key, as YAML read it, and their values."""
    for key, value in raw.items():
        name = f"{above}{format_key(key)}"
        if isinstance(value, Mapping) and _is_group(name, known):
            yield from _leaves(value, f"{name}.", known)
        elif value is not None:
            yield name, key, value


def _unknown(name: str, last: object, place: Place, known: Mapping[str, Option]) -> Problem:
    parent = name.rpartition(".")[0]
    while parent and not _is_group(parent, known):
        parent = parent.rpartition(".")[0]
    depth = parent.count(".") + 1 if parent else 0
    here = dict.fromkeys(
        option.split(".")[depth]
        for option in known
        if option.startswith(f"{parent}." if parent else "")
    )
    key = ".".join(name.split(".")[depth:]) if isinstance(last, str) else last
    problem = unknown_key(key, lambda dotted: replace(place, key=dotted), parent, tuple(here))
    near = nearest_option(format_key(key), f"{parent}." if parent else "")
    return problem if near is None else replace(problem, suggestion=format_value(near))


def _unknown_inside(raw: Mapping[str, Any], file: str) -> Iterator[Problem]:
    """Unknown keys of options that are mappings, or lists of them."""
    lists = (("rules", _RULE_KEYS, Origin.RULE), ("extra_urls", EXTRA_URL_KEYS, Origin.OPTION))
    for name, known, origin in lists:
        each = raw.get(name)
        for i, mapping in enumerate(each if isinstance(each, list) else []):
            yield from _unknown_keys(
                mapping, f"{name}[{i}]", known, Place(origin=origin, file=file)
            )
    yield from _unknown_keys(
        raw.get("news"), "news", NEWS_KEYS, Place(origin=Origin.OPTION, file=file)
    )


def _unknown_keys(
    raw: object, parent: str, known: tuple[str, ...], place: Place
) -> Iterator[Problem]:
    if isinstance(raw, Mapping):
        yield from unknown_keys(raw, lambda dotted: replace(place, key=dotted), parent, known)


_LASTMOD = ("sources", "file", "format", "timezone", "front_matter_keys", "includes")
_GIT = ("date", "change", "ignore_revs_file", "ignore_authors", "shallow")


def settings_of(values: Mapping[str, Any], file: str = "mkdocs.yml") -> Settings:
    """Settings out of read values; what is not there has its default.

    But ``transform``, which `load_transform` turns into a function.
    """
    value = {option.name: values.get(option.name, option.default) for option in OPTIONS}
    lastmod = {name: value[f"lastmod.{name}"] for name in _LASTMOD}
    git = {name: value[f"lastmod.git.{name}"] for name in _GIT}
    extra_urls: tuple[WrittenUrl, ...] = value["extra_urls"]
    return Settings(
        rules=(*_site_wide(value, file), *value["rules"]),
        lastmod=LastmodSettings(git=GitSettings(**git), **lastmod),
        alternates=value["alternates"],
        x_default=value["x_default"],
        news=value["news"],
        extra_urls=tuple(each.in_zone(lastmod["timezone"]) for each in extra_urls),
        extra_files=value["extra_files"],
        extra_sitemaps=value["extra_sitemaps"],
        filename=value["filename"],
        split=value["split"],
        max_urls=value["max_urls"],
        max_bytes=value["max_bytes"],
        stylesheet=value["stylesheet"],
        robots_txt=value["robots_txt"],
        report=value["report"],
    )


def _site_wide(value: Mapping[str, Any], file: str) -> Iterator[Rule]:
    """The options that hold for all pages, and ``exclude``, as the first rules."""

    def place(name: str) -> Place:
        return Place(origin=Origin.OPTION, file=file, key=name)

    for name in SHORT_FIELDS:
        if value[name] is not None:
            overrides = Overrides(places={name: place(name)}, **{name: value[name]})
            yield Rule(match=None, overrides=overrides, place=place(name))
    if value["images"]:
        overrides = Overrides(places={"images": place("images")}, images=True)
        yield Rule(match=None, overrides=overrides, place=place("images"))
    if value["exclude"] is not None:
        overrides = Overrides(places={"exclude": place("exclude")}, exclude=True)
        yield Rule(match=value["exclude"], overrides=overrides, place=place("exclude"))
