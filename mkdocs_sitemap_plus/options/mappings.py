"""Readers of mappings: a rule, ``news``, an extra URL, the languages of a site, a video."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import tzinfo
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from mkdocs_sitemap_plus import sitemap as limits
from mkdocs_sitemap_plus.options.overrides import (
    RULE_FIELDS,
    RULE_READERS,
    Overrides,
    page_readers,
    read_mapping,
    read_overrides,
)
from mkdocs_sitemap_plus.options.patterns import Patterns, read_match
from mkdocs_sitemap_plus.options.readers import (
    Read,
    read_date,
    read_fields,
    read_flag,
    read_hreflang,
    read_int,
    read_items,
    read_news_language,
    read_number,
    read_text,
)
from mkdocs_sitemap_plus.options.unknown import unknown_keys
from mkdocs_sitemap_plus.problems import (
    Code,
    Origin,
    Place,
    Problem,
    Result,
    invalid,
    one_per_field,
    suggest_quotes,
)
from mkdocs_sitemap_plus.sitemap import Restriction, Video
from mkdocs_sitemap_plus.sitemap.languages import REGIONS
from mkdocs_sitemap_plus.sitemap.urls import folder_fault
from mkdocs_sitemap_plus.wording import format_key, format_value

RULE_KEYS = ("match", *RULE_FIELDS)
NEWS_KEYS = ("publication", "language", "match")
_EXTRA_URL_FIELDS = ("lastmod", "changefreq", "priority", "alternates", "images")
EXTRA_URL_KEYS = ("loc", *_EXTRA_URL_FIELDS)


class Rule(NamedTuple):
    """A rule: it sets values for all pages whose source path matches."""

    match: Patterns | None  # None: every page matches
    overrides: Overrides
    place: Place  # of the key ``match``, or of an option for the whole site

    def matches(self, src_uri: str) -> bool:
        """Return whether the rule applies to the page with this source path."""
        return self.match is None or self.match.match_file(src_uri)


class NewsSettings(NamedTuple):
    """The option ``news``."""

    publication: str  # the name of the publication, as on its front page
    match: Patterns  # on the source paths of articles
    language: str | None = None  # as Google News writes it; None: the language of each page


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


def read_rule(raw: object, place: Place) -> Result[Rule]:
    """Return an item of ``rules``."""
    keys, unknown = read_mapping(raw, place, RULE_KEYS)
    if keys is None:
        return None, unknown
    place = place._replace(origin=Origin.RULE)
    match, problems = read_match(keys.get("match"), place.under("match"))
    values = [(name, keys.get(name), place.under(name)) for name in RULE_FIELDS]
    overrides, more = read_overrides(values, RULE_READERS)
    problems += more
    rule = Rule(match=match, overrides=overrides, place=place.under("match"))
    if problems or unknown or overrides.places:
        return (None if problems else rule), [*problems, *unknown]
    found = "sets nothing for the pages that it matches"
    fix = f"Give it one of {', '.join(RULE_FIELDS)}."
    return rule, [Problem(code=Code.NO_EFFECT, place=place, found=found, fix=fix)]


def read_extra_url(raw: object, place: Place, zone: tzinfo) -> Result[ExtraUrl]:
    """Return an item of ``extra_urls``. Its URL may be outside of the site."""
    keys, unknown = read_mapping(raw, place, EXTRA_URL_KEYS)
    if keys is None:
        return None, unknown
    values = [(name, keys.get(name), place.under(name)) for name in _EXTRA_URL_FIELDS]
    overrides, problems = read_overrides(values, page_readers(zone))
    if isinstance(overrides.images, bool):
        expected = "a list of paths or URLs"
        problems.append(invalid(Code.IMAGES, place.under("images"), overrides.images, expected))
    loc = keys.get("loc")
    if not isinstance(loc, str) or not loc.strip():
        expected = "a URL, or a path below site_url"
        return None, [invalid(Code.OPTION, place.under("loc"), loc, expected), *problems, *unknown]
    extra = ExtraUrl(loc=loc.strip(), overrides=overrides, place=place)
    return (None if problems else extra), [*problems, *unknown]


def read_news(raw: object, place: Place) -> Result[NewsSettings]:
    """Return the value of the option ``news``."""
    keys, unknown = read_mapping(raw, place, NEWS_KEYS)
    if keys is None:
        return None, unknown
    readers: dict[str, Read] = {"publication": read_text, "match": read_match}
    if keys.get("language") is not None:
        readers["language"] = read_news_language
    values, problems = read_fields(readers, keys, place)
    return (None if problems else NewsSettings(**values)), [*problems, *unknown]


def read_ignored_codes(raw: object, place: Place) -> Result[Mapping[str, Patterns]]:
    """Return the patterns of the option ``check.ignore``, by the code of a finding.

    Which codes there are, only the command ``check`` knows.
    """
    if not isinstance(raw, Mapping) or not raw:
        expected = "a mapping such as {not-listed: drafts/*}, with the codes of `check`"
        return None, [invalid(Code.OPTION, place, raw, expected)]
    ignored: dict[str, Patterns] = {}
    problems: list[Problem] = []
    for code, value in raw.items():
        patterns, faults = read_match(value, place.under(format_key(code)))
        problems += faults
        if patterns:
            ignored[format_key(code)] = patterns
    return None if problems else ignored, problems


def read_alternates(raw: object, place: Place) -> Result[bool | tuple[Language, ...]]:
    """Return a boolean (True for ``auto``), or the languages of ``{locale: {url, docs_dir}}``."""
    if isinstance(raw, bool) or raw == "auto":
        return bool(raw), []
    if not isinstance(raw, Mapping) or not raw:
        return None, [invalid(Code.OPTION, place, raw, "auto, false or a mapping of languages")]
    languages: dict[str, Language] = {}
    problems: list[Problem] = []
    for locale, values in raw.items():
        language, faults = _read_language(locale, values, place)
        problems += faults
        if language and language.locale in languages:
            fault = f"is a second spelling of {language.locale}"
            problems.append(
                invalid(Code.OPTION, place.under(format_key(locale)), locale, fault=fault)
            )
        elif language:
            languages[language.locale] = language
    return None if problems else tuple(languages.values()), problems


def _read_language(locale: object, raw: object, place: Place) -> Result[Language]:
    place = place.under(format_key(locale))
    code, problems = read_hreflang(locale, place)
    if code is None:
        return None, problems
    values = raw if isinstance(raw, Mapping) else {}
    url, docs_dir = values.get("url"), values.get("docs_dir")
    if not (len(values) == 2 and isinstance(url, str) and isinstance(docs_dir, str)):
        return None, [invalid(Code.OPTION, place, raw, "a mapping of url and docs_dir")]
    if fault := folder_fault(url):
        return None, [invalid(Code.OPTION, place.under("url"), url, fault=fault)]
    url = url if url.endswith("/") else f"{url}/"
    return Language(locale=code, url=url, docs_dir=docs_dir), []


def may_list_images(src_uri: str, meta: Mapping[str, Any], rules: Iterable[Rule]) -> bool:
    """Return whether a page's images may be listed. If not, its HTML is not searched for them."""
    fields_of_page = meta.get("sitemap")
    if isinstance(fields_of_page, Mapping) and fields_of_page.get("images") is not None:
        return True
    return any(rule.overrides.images and rule.matches(src_uri) for rule in rules)


# The field of `Video` for each key of a video in front matter.
_VIDEO_FIELDS = {field.name.removesuffix("_loc"): field.name for field in fields(Video)}
VIDEO_KEYS = tuple(_VIDEO_FIELDS)
# The XML element for each key. The element's name, such as ``thumbnail_loc``, is a key, too.
_ELEMENTS = {**_VIDEO_FIELDS, "tags": "tag"}
_REQUIRED = ("thumbnail", "title", "description")
_PLAYABLE = ("content", "player")
_LIMITS = ("restriction", "platform")  # without them, everybody could play the video


def read_video(
    raw: Mapping[Any, Any], place: Place, zone: tzinfo, read_url: Read, loc: str
) -> Result[Video]:
    """Return a video; None if a required field is missing, or such a field or a limit is invalid.

    Datetimes without an offset are in `zone`. `read_url` makes URLs absolute. `loc` is the URL of
    the page; the video's file and player must have other URLs.
    """
    values: dict[str, Any] = {}
    faults: list[tuple[str, Problem]] = []  # each with the key that it is about
    for key, read in _video_readers(zone, read_url, loc).items():
        spelling = _ELEMENTS[key] if raw.get(key) is None else key
        if raw.get(spelling) is not None:
            values[key], problems = read(raw[spelling], place.under(spelling))
            faults += [(key, problem) for problem in problems]
    missing = [key for key in _REQUIRED if key not in values]  # Google, "Video sitemaps"
    if values.keys().isdisjoint(_PLAYABLE):
        missing.append("content or player")
    lacking = [key for key in _REQUIRED if not values.get(key)]  # keys that are missing or invalid
    if not any(map(values.get, _PLAYABLE)):
        lacking += _PLAYABLE
    lacking += [key for key in _LIMITS if key in values and values[key] is None]
    unlisted = "The video is not listed."
    problems = unknown_keys(raw, place, VIDEO_KEYS, {}, _ELEMENTS.values())
    for key, problem in faults:
        done = unlisted if key in lacking else problem.done or "It is not written."
        problems.append(problem._replace(done=done))
    for key in missing:
        problems.append(Problem(code=Code.VIDEO, place=place, found=f"has no {key}", done=unlisted))
    if lacking:
        return None, problems
    valid = {_VIDEO_FIELDS[key]: value for key, value in values.items() if value is not None}
    return Video(**valid), problems


def _video_readers(zone: tzinfo, read_url: Read, loc: str) -> dict[str, Read]:
    def read_playable(raw: object, place: Place) -> Result[str]:
        url, problems = read_url(raw, place)
        if url == loc:
            return None, [invalid(Code.VIDEO, place, raw, fault="is the URL of the page itself")]
        return url, problems

    def read_uploader_info(raw: object, place: Place) -> Result[str]:
        url, problems = read_url(raw, place)
        if url is None or urlsplit(url).hostname in (None, urlsplit(loc).hostname):
            return url, problems
        return None, [invalid(Code.VIDEO, place, raw, fault="is not on the host of the page")]

    read_day = partial(read_date, zone=zone)
    countries = ("a list of country codes, such as DE or US", REGIONS)
    platforms = ("a list of web, mobile and tv", frozenset(("web", "mobile", "tv")))
    return {
        "thumbnail": read_url,
        "title": partial(read_text, longest=limits.MAX_VIDEO_TITLE),
        "description": partial(read_text, longest=limits.MAX_VIDEO_DESCRIPTION),
        "content": read_playable,
        "player": read_playable,
        "duration": partial(read_int, greatest=limits.MAX_VIDEO_SECONDS, least=1),
        "expiration_date": read_day,
        "rating": partial(read_number, greatest=limits.MAX_VIDEO_RATING),
        "view_count": partial(read_int, greatest=limits.MAX_VIDEO_VIEWS),
        "publication_date": read_day,
        "tags": _read_tags,
        "family_friendly": read_flag,
        "restriction": partial(_read_restriction, allowed=countries),
        "requires_subscription": read_flag,
        "uploader": partial(read_text, longest=limits.MAX_VIDEO_UPLOADER),
        "uploader_info": read_uploader_info,
        "platform": partial(_read_restriction, allowed=platforms),
        "live": read_flag,
    }


def _read_tags(raw: object, place: Place) -> Result[tuple[str, ...]]:
    most = limits.MAX_VIDEO_TAGS
    tags = [raw] if isinstance(raw, str) else raw
    if not isinstance(tags, list) or not tags:
        return None, [invalid(Code.TAGS, place, raw, f"a list of 1 to {most} texts")]
    if len(tags) > most:
        found = f"has {len(tags)} texts, but at most {most} are allowed"
        return None, [Problem(code=Code.TAGS, place=place, found=found)]
    texts, problems = read_items(read_text, tags, place)
    return tuple(texts) or None, one_per_field(problems)


def _read_restriction(
    raw: object, place: Place, allowed: tuple[str, frozenset[str]]
) -> Result[Restriction]:
    """Return the restriction of ``{allow: [DE, AT]}``, ``{allow: DE AT}`` or ``{deny: ...}``."""
    expected, codes = allowed
    by_lower_case = {code.lower(): code for code in codes}  # case does not matter
    if not isinstance(raw, Mapping) or len(raw) != 1 or not {"allow", "deny"}.issuperset(raw):
        needed = f"a mapping of allow or deny to {expected}"
        return None, [invalid(Code.RESTRICTION, place, raw, needed)]
    [(relationship, written)] = raw.items()
    names = written.split() if isinstance(written, str) else written
    place = place.under(relationship)
    if not isinstance(names, list) or not names:
        return None, [invalid(Code.RESTRICTION, place, written, expected)]
    right_names: list[str] = []
    for name in names:
        right_name = by_lower_case.get(name.lower()) if isinstance(name, str) else None
        if right_name is None:
            problem = invalid(Code.RESTRICTION, place, name, expected)
            problem = problem._replace(found=f"contains {format_value(name)}")
            return None, [suggest_quotes(problem, name)]
        right_names.append(right_name)
    return Restriction(allow=relationship == "allow", names=tuple(dict.fromkeys(right_names))), []
