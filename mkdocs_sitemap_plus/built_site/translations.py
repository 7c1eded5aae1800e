"""Find the pages of each language in a built site, as mkdocs-static-i18n makes them."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.built_site import Project
from mkdocs_sitemap_plus.built_site.docs_folder import dest_uri_of, loc_of
from mkdocs_sitemap_plus.pages import SourcePage, default_locale

_LOCALE = re.compile(r"[a-z]{2}(?:(?:-[A-Za-z]{4})?(?:-[A-Z]{2})?|_[A-Z]{2})")


class _I18n(NamedTuple):
    """The options of mkdocs-static-i18n."""

    languages: Sequence[Mapping[str, Any]]  # that are built, each with a ``locale``
    default: str
    in_folders: bool
    fallback: bool
    locales: frozenset[str]  # of all languages, built or not

    def localized(self, src_uri: str) -> tuple[str | None, str]:
        """Return the language in a path, or None, and the path without the language."""
        if self.in_folders:
            first, _, rest = src_uri.partition("/")
            return (first, rest) if rest and self._is_locale(first) else (None, src_uri)
        stem, ending = posixpath.splitext(src_uri)
        path, suffix = posixpath.splitext(stem)
        is_locale = self._is_locale(suffix.removeprefix("."))
        return (suffix[1:], f"{path}{ending}") if is_locale else (None, src_uri)

    def _is_locale(self, text: str) -> bool:
        return text in self.locales or _LOCALE.fullmatch(text) is not None


def find_translations(
    pages: Iterable[SourcePage], project: Project, html: frozenset[str]
) -> Iterator[SourcePage]:
    """Yield a page for each source and each language, if the built site has its file.

    A language that lacks a translation may show the page of the default language. Without the
    plugin, yield the pages as they are.
    """
    i18n = _read_i18n(project.plugins.get("i18n"))
    if i18n is None:
        yield from pages
        return
    by_name: dict[str, dict[str, SourcePage]] = defaultdict(dict)
    for page in pages:
        locale, name = i18n.localized(page.src_uri)
        by_name[name][locale or i18n.default] = page  # of two, the plugin takes the later one
    for language in i18n.languages:
        locale = language["locale"]
        url = language.get("site_url")
        own = project._replace(url=f"{url.rstrip('/')}/") if isinstance(url, str) else project
        for name, versions in by_name.items():
            best = versions.get(locale) or (versions.get(i18n.default) if i18n.fallback else None)
            folder = "" if locale == i18n.default else locale
            dest_uri = posixpath.join(folder, dest_uri_of(name, project))
            if best is not None and dest_uri in html:
                yield best._replace(
                    dest_uri=dest_uri,
                    loc=loc_of(own, dest_uri),
                    locale=locale,
                    translation_of=name if locale in versions else None,
                )


def _read_i18n(options: Mapping[str, Any] | None) -> _I18n | None:
    """Return the options; None without the plugin, or if they make no sense."""
    if options is None:
        return None
    listed = options.get("languages")
    languages = [
        each
        for each in (listed if isinstance(listed, list) else ())
        if isinstance(each, Mapping) and isinstance(each.get("locale"), str)
    ]
    only = options.get("build_only_locale")
    built = [each for each in languages if each.get("build") is not False]
    built = [each for each in built if only in (None, each["locale"])]
    default = default_locale(options)
    if default is None or not built:
        return None
    return _I18n(
        languages=built,
        default=default,
        in_folders=options.get("docs_structure") == "folder",
        fallback=options.get("fallback_to_default") is not False,
        locales=frozenset(each["locale"] for each in languages),
    )
