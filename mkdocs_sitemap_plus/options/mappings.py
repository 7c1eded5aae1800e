"""Options whose values are mappings: rules, extra URLs, the languages of a site."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.options import values
from mkdocs_sitemap_plus.options.fields import (
    RULE_FIELDS,
    RULE_READERS,
    Overrides,
    page_readers,
    read_fields,
)
from mkdocs_sitemap_plus.options.patterns import Patterns, match
from mkdocs_sitemap_plus.options.reading import Reading, meant_by
from mkdocs_sitemap_plus.options.values import Invalid
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem
from mkdocs_sitemap_plus.wording import format_key, format_value

_RULE_KEYS = ("match", *RULE_FIELDS)
EXTRA_URL_FIELDS = ("lastmod", "changefreq", "priority", "alternates", "images")


class Rule(NamedTuple):
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


def rules(raw: object, reading: Reading) -> tuple[Rule, ...]:
    """Return the rules of a list of mappings."""
    reading, found = reading.at(reading.place._replace(origin=Origin.RULE)), []
    for item, each in reading.items(raw, "rules"):
        if isinstance(each, Mapping) and "match" not in each and (wrong := _meant_match(each)):
            what = f"has {format_key(wrong)}, which is not a known key"
            near = format_value("match")
            item.problems.append(Problem(Code.OPTION, what, item.place, suggestion=near))
            continue
        if (keys := item.mapping(each, _RULE_KEYS)) is None:
            continue
        at_match = item.under("match")
        written = [(name, keys.get(name), item.under(name)) for name in RULE_FIELDS]
        patterns = at_match.value(match, keys.get("match"))
        fields = read_fields(written, RULE_READERS)
        found.append(Rule(patterns, fields, at_match.place))
        if not fields.places and set(keys) <= {*_RULE_KEYS}:
            fix = f"Give it one of {', '.join(RULE_FIELDS)}."
            what = "sets nothing for the pages that it matches"
            item.problems.append(Problem(Code.NO_EFFECT, what, item.place, fix=fix))
    return tuple(found)


def _meant_match(keys: Iterable[object]) -> object:
    """Return the key of a rule that stands for ``match``, such as ``path``; None without one."""
    return next((key for key in keys if meant_by(key) == "match"), None)


def extra_urls(raw: object, reading: Reading) -> tuple[ExtraUrl, ...]:
    """Return the URLs of a list of mappings, which may be outside of the site."""
    found, readers = [], page_readers(reading.zone)
    for item, each in reading.items(raw, "mappings with loc"):
        if (keys := item.mapping(each, ("loc", *EXTRA_URL_FIELDS))) is None:
            continue
        read = values.matching("a URL, or a path below site_url", r"(?s).+")
        loc = item.under("loc").value(read, keys.get("loc"))
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
    from mkdocs_sitemap_plus.sitemap.urls import folder_fault  # noqa: PLC0415 - with own builds

    if not isinstance(raw, Mapping) or not raw:
        reading.wrong(raw, Invalid("auto, false or a mapping of languages"))
        return False
    found = []
    for locale, each in raw.items():
        at = reading.under(locale)
        code = at.value(values.language, locale)
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


def ignored_codes(raw: object, reading: Reading) -> Mapping[str, Patterns]:
    """Return the patterns of the option ``check.ignore``, by the code of a finding."""
    if isinstance(raw, Mapping) and raw:
        found = {
            format_key(code): reading.under(code).value(match, each) for code, each in raw.items()
        }
        from mkdocs_sitemap_plus.codes import (  # noqa: PLC0415 - few sites
            CODES,
            CODES_URL,
            nearest_code,
            what_became_of,
        )

        for name in found:
            if name not in CODES:
                reading.problems.append(
                    Problem(
                        code=Code.UNKNOWN_KEY,
                        found="is not a code of `check`",
                        place=reading.under(name).place,
                        suggestion=nearest_code(name),
                        done=what_became_of(name) or "It is ignored.",
                        fix=f"All codes: {CODES_URL}",
                    )
                )
        return found
    code = next(iter(raw), None) if isinstance(raw, list) else raw
    code = code if isinstance(code, str) and re.fullmatch("[a-z-]{1,40}", code) else "not-listed"
    reading.wrong(raw, Invalid(f"a mapping with a pattern for each code: {{{code}: /folder/}}"))
    return {}


def may_list_images(src_uri: str, meta: Mapping[str, Any], rules: Iterable[Rule]) -> bool:
    """Return whether a page's images may be listed. If not, its HTML is not searched for them."""
    of_page = meta.get("sitemap")
    if isinstance(of_page, Mapping) and of_page.get("images") is not None:
        return True
    return any(rule.overrides.images and rule.matches(src_uri) for rule in rules)
