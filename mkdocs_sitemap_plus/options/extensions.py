"""The options ``news`` and ``extra_urls``: mappings of several fields."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import tzinfo

from dateutil import tz

from mkdocs_sitemap_plus.options.overrides import Said, read_overrides
from mkdocs_sitemap_plus.options.patterns import Patterns, read_match
from mkdocs_sitemap_plus.options.settings import ExtraUrl, NewsSettings
from mkdocs_sitemap_plus.problems import Place, Problem, invalid, quoted_word
from mkdocs_sitemap_plus.sitemap.fields import read_text

NEWS_KEYS = ("publication", "language", "match")

_EXTRA_URL_FIELDS = ("lastmod", "changefreq", "priority", "alternates", "images")
EXTRA_URL_KEYS = ("loc", *_EXTRA_URL_FIELDS)

_NEWS_LANGUAGE = re.compile(r"[a-z]{2,3}|zh-cn|zh-tw")  # sitemap-news.xsd


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenUrl:
    """An extra URL, checked, whose dates without an offset have no zone yet."""

    loc: str
    said: tuple[Said, ...]
    place: Place

    def in_zone(self, zone: tzinfo) -> ExtraUrl:
        """The same with a zone."""
        overrides, _ = read_overrides(list(self.said), zone)
        return ExtraUrl(loc=self.loc, overrides=overrides, place=self.place)


def read_extra_url(raw: object, place: Place) -> WrittenUrl | Problem | list[Problem]:
    """A mapping with ``loc``; whether that lies in the site is asked later."""
    if not isinstance(raw, Mapping):
        return invalid("option", place, raw, "a mapping of " + ", ".join(EXTRA_URL_KEYS))

    def at(name: str) -> Place:
        return replace(place, key=f"{place.key}.{name}")

    said = tuple(Said(field=each, raw=raw.get(each), place=at(each)) for each in _EXTRA_URL_FIELDS)
    overrides, problems = read_overrides(list(said), tz.UTC)
    if isinstance(overrides.images, bool):
        problems.append(
            invalid("images", at("images"), overrides.images, "a list of paths or URLs")
        )
    loc = raw.get("loc")
    if not isinstance(loc, str) or not loc.strip():
        return [invalid("option", at("loc"), loc, "a URL, or a path below site_url"), *problems]
    return problems or WrittenUrl(loc=loc.strip(), said=said, place=place)


def read_news(raw: object, place: Place) -> NewsSettings | Problem | list[Problem]:
    """A mapping of ``publication`` and ``match``, perhaps with ``language``."""
    if not isinstance(raw, Mapping):
        return invalid("option", place, raw, "a mapping of " + ", ".join(NEWS_KEYS))

    def at(name: str) -> Place:
        return replace(place, key=f"{place.key}.{name}")

    publication, problems = read_text(raw.get("publication"), at("publication"))
    match, language = read_match(raw.get("match"), at("match")), None
    if isinstance(match, Problem):
        problems.append(match)
    if raw.get("language") is not None:
        language = read_news_language(raw["language"], at("language"))
    if isinstance(language, Problem):
        return [*problems, language]
    if problems or publication is None or not isinstance(match, Patterns):
        return problems
    return NewsSettings(publication=publication, language=language, match=match)


def read_news_language(raw: object, place: Place) -> str | Problem:
    """A language as Google News knows it (``sitemap-news.xsd``)."""
    if isinstance(raw, str) and _NEWS_LANGUAGE.fullmatch(raw):
        return raw
    expected = "two or three small letters, zh-cn or zh-tw"
    return quoted_word(invalid("language", place, raw, expected, news_language(raw)), raw)


def news_language(locale: object) -> str | None:
    """The language of a locale such as ``pt-BR`` or ``zh_TW``, as Google News knows it.

    None if there is none.
    """
    language, _, rest = (
        locale.lower().replace("_", "-").partition("-") if isinstance(locale, str) else ("", "", "")
    )
    if language == "zh":
        return "zh-tw" if {"tw", "hant", "hk", "mo"}.intersection(rest.split("-")) else "zh-cn"
    return language if _NEWS_LANGUAGE.fullmatch(language) else None
