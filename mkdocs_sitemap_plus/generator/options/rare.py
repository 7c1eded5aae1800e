"""Read the options whose values are mappings, and which few sites have."""

from collections.abc import Mapping

from mkdocs_sitemap_plus.generator.options import values
from mkdocs_sitemap_plus.generator.options.fields import (
    EXTRA_URL_FIELDS,
    ExtraUrl,
    Language,
    page_readers,
    read_fields,
)
from mkdocs_sitemap_plus.generator.options.reading import Reading
from mkdocs_sitemap_plus.generator.options.values import Invalid


def extra_urls(raw: object, reading: Reading) -> tuple[ExtraUrl, ...]:
    """Return the URLs of a list of mappings, which may be outside of the site."""
    found, readers = [], page_readers(reading.zone)
    for item, each in reading.items(raw, "mappings", "loc"):
        known = ("loc", *EXTRA_URL_FIELDS)
        if (keys := item.mapping(each, known)) is None:
            continue
        read = values.matching("a URL, or a path below site_url", r"(?s).+")
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
