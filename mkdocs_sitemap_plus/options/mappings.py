"""Options whose values are mappings of several fields: rules, news, extra URLs, languages."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Any

from mkdocs_sitemap_plus.options.overrides import (
    RULE_FIELDS,
    RULE_READERS,
    Overrides,
    RawValue,
    page_readers,
    read_overrides,
)
from mkdocs_sitemap_plus.options.patterns import Patterns, read_match
from mkdocs_sitemap_plus.options.readers import (
    problems_in,
    read_hreflang,
    read_news_language,
    read_text,
)
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, faulty, invalid
from mkdocs_sitemap_plus.sitemap.urls import loc_fault
from mkdocs_sitemap_plus.wording import format_key

RULE_KEYS = ("match", *RULE_FIELDS)
NEWS_KEYS = ("publication", "language", "match")
_EXTRA_URL_FIELDS = ("lastmod", "changefreq", "priority", "alternates", "images")
EXTRA_URL_KEYS = ("loc", *_EXTRA_URL_FIELDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule: it sets values for all pages whose source path matches.

    Attributes:
        match: patterns of the same kind as MkDocs' ``exclude_docs``; None matches every page.
        overrides: the values that the rule sets for these pages.
        place: of the key ``match``; of the option, for an option for the whole site.
    """

    match: Patterns | None
    overrides: Overrides
    place: Place

    def matches(self, src_uri: str) -> bool:
        """Return whether the rule applies to the page with this source path."""
        return self.match is None or self.match.match_file(src_uri)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsSettings:
    """The option ``news``.

    Attributes:
        publication: the name of the publication, as on its front page.
        language: two or three small letters, ``zh-cn`` or ``zh-tw``; None: that of the page.
        match: patterns on the source paths of the pages that are articles.
    """

    publication: str
    language: str | None
    match: Patterns


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraUrl:
    """A URL that is not a page of the site.

    Attributes:
        loc: the URL as it is written; it may be relative to the site's URL.
        overrides: the values that are set for the URL.
        place: of the item in the option ``extra_urls``.
    """

    loc: str
    overrides: Overrides
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """A language of a site that has a build of its own for each language.

    Attributes:
        locale: the code of the language, as hreflang writes it.
        url: the ``site_url`` of the language's build; it ends with a slash.
        docs_dir: the docs folder of the language, relative to the project file.
    """

    locale: str
    url: str
    docs_dir: str


def read_rule(raw: object, place: Place) -> Rule | list[Problem]:
    """Return the rule of an item of ``rules``, or its problems."""
    if not isinstance(raw, Mapping):
        return [invalid("option", place, raw, "a mapping of " + ", ".join(RULE_KEYS))]
    place = replace(place, origin=Origin.RULE)
    match = read_match(raw.get("match"), place.under("match"))
    values = [RawValue(name, raw.get(name), place.under(name)) for name in RULE_FIELDS]
    overrides, problems = read_overrides(values, RULE_READERS)
    if isinstance(match, Problem):
        return [match, *problems]
    return problems or Rule(match=match, overrides=overrides, place=place.under("match"))


def read_extra_url(raw: object, place: Place, zone: tzinfo) -> ExtraUrl | list[Problem]:
    """Return the URL of an item of ``extra_urls``, or the item's problems.

    The pipeline checks later whether ``loc`` is inside the site.
    """
    if not isinstance(raw, Mapping):
        return [invalid("option", place, raw, "a mapping of " + ", ".join(EXTRA_URL_KEYS))]
    values = [RawValue(name, raw.get(name), place.under(name)) for name in _EXTRA_URL_FIELDS]
    overrides, problems = read_overrides(values, page_readers(zone))
    if isinstance(overrides.images, bool):
        expected = "a list of paths or URLs"
        problems.append(invalid("images", place.under("images"), overrides.images, expected))
    loc = raw.get("loc")
    if not isinstance(loc, str) or not loc.strip():
        expected = "a URL, or a path below site_url"
        return [invalid("option", place.under("loc"), loc, expected), *problems]
    return problems or ExtraUrl(loc=loc.strip(), overrides=overrides, place=place)


def read_news(raw: object, place: Place) -> NewsSettings | list[Problem]:
    """Return the value of the option ``news``, or its problems."""
    if not isinstance(raw, Mapping):
        return [invalid("option", place, raw, "a mapping of " + ", ".join(NEWS_KEYS))]
    publication, problems = read_text(raw.get("publication"), place.under("publication"))
    match = read_match(raw.get("match"), place.under("match"))
    language = None
    if raw.get("language") is not None:
        language = read_news_language(raw["language"], place.under("language"))
    problems += problems_in([match, language])
    if (
        problems
        or publication is None
        or isinstance(match, Problem)
        or isinstance(language, Problem)
    ):
        return problems
    return NewsSettings(publication=publication, language=language, match=match)


def read_alternates(
    raw: object, place: Place
) -> bool | tuple[Language, ...] | Problem | list[Problem]:
    """Return the value of the option ``alternates``.

    It is True for ``auto``, False, or the languages of ``{locale: {url, docs_dir}}``.
    """
    if isinstance(raw, bool) or raw == "auto":
        return raw is not False
    if not isinstance(raw, Mapping) or not raw:
        return invalid("option", place, raw, "auto, false or a mapping of languages")
    languages = [_read_language(locale, each, place) for locale, each in raw.items()]
    problems = list(problems_in(languages))
    return problems or tuple(each for each in languages if isinstance(each, Language))


def _read_language(locale: object, raw: object, place: Place) -> Language | Problem:
    here = place.under(format_key(locale))
    code = read_hreflang(locale, here)
    if isinstance(code, Problem):
        return code
    values = raw if isinstance(raw, Mapping) else {}
    url, docs_dir = values.get("url"), values.get("docs_dir")
    if not (len(values) == 2 and isinstance(url, str) and isinstance(docs_dir, str)):
        return invalid("option", here, raw, "a mapping of url and docs_dir")
    if fault := loc_fault(url):
        return faulty("option", here.under("url"), url, fault)
    return Language(locale=code, url=url if url.endswith("/") else f"{url}/", docs_dir=docs_dir)


def may_list_images(src_uri: str, meta: Mapping[str, Any], rules: Iterable[Rule]) -> bool:
    """Return whether a page's images may be listed.

    If not, there is no need to search its HTML for images.
    """
    own = meta.get("sitemap")
    if isinstance(own, Mapping) and own.get("images") is not None:
        return True
    return any(rule.overrides.images and rule.matches(src_uri) for rule in rules)
