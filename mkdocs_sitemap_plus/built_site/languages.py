"""Find the language versions of pages: the translations of sources, and the links between pages."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mkdocs_sitemap_plus.pages import SourcePage
from mkdocs_sitemap_plus.pages.site_paths import SitePaths
from mkdocs_sitemap_plus.pages.theme_and_plugins import default_locale, option_of
from mkdocs_sitemap_plus.sitemap.languages import X_DEFAULT, hreflang
from mkdocs_sitemap_plus.sitemap.urls import joined, url_key

_LOCALE = re.compile(r"[a-z]{2}(?:(?:-[A-Za-z]{4})?(?:-[A-Z]{2})?|_[A-Z]{2})")

_Versions = frozenset[tuple[str, str]]
"""The language versions of a page: their languages and URLs."""


class _Language(NamedTuple):
    """A language that mkdocs-static-i18n builds."""

    locale: str
    url: str | None  # of its site, with a slash at its end; None for that of the project


class I18n(NamedTuple):
    """The options of mkdocs-static-i18n."""

    languages: Sequence[_Language]  # that are built
    default: str
    in_folders: bool
    fallback: bool
    locales: frozenset[str]  # of all languages, built or not

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> "I18n | None":
        """Return the options; None if no language is the default, or none is built."""
        raw = option_of(options, "languages", list[Any]())
        mappings = [language for language in raw if isinstance(language, Mapping)]
        languages = [named for named in mappings if isinstance(named.get("locale"), str)]
        only, default = options.get("build_only_locale"), default_locale(options)
        wanted = [language for language in languages if only in (None, language["locale"])]
        built = [language for language in wanted if option_of(language, "build", default=True)]
        if default is None or not built:
            return None
        urls = [option_of(language, "site_url", "") for language in built]
        return cls(
            languages=[
                _Language(language["locale"], f"{url.rstrip('/')}/" if url else None)
                for language, url in zip(built, urls, strict=True)
            ],
            default=default,
            in_folders=options.get("docs_structure") == "folder",
            fallback=option_of(options, "fallback_to_default", default=True),
            locales=frozenset(language["locale"] for language in languages),
        )

    def localized(self, src_uri: str) -> tuple[str | None, str]:
        """Return the language that a path names, or None, and the path without the language."""
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
    pages: Iterable[SourcePage], i18n: I18n | None, paths: SitePaths, html: frozenset[str]
) -> Iterator[SourcePage]:
    """Yield a page for each source and each language, if the built site has its file.

    A language that lacks a translation may show the page of the default language. Without
    mkdocs-static-i18n, yield the pages as they are.
    """
    if i18n is None:
        yield from pages
        return
    by_name: dict[str, dict[str, SourcePage]] = defaultdict(dict)
    for page in pages:
        locale, name = i18n.localized(page.src_uri)
        # Of two pages of one language, mkdocs-static-i18n takes the later one.
        by_name[name][locale or i18n.default] = page
    built = {name: paths.dest_uri_of(name) for name in by_name}
    for locale, url in i18n.languages:
        paths_of_language = paths._replace(url=url or paths.url)
        for name, versions in by_name.items():
            best = versions.get(locale)
            if best is None and i18n.fallback:
                best = versions.get(i18n.default)
            if best is None:
                continue
            # A blog gives its posts paths of their own.
            is_moved = best.dest_uri != paths.dest_uri_of(best.src_uri)
            of_language = best.dest_uri if is_moved else built[name]
            dest_uri = posixpath.join("" if locale == i18n.default else locale, of_language)
            if dest_uri in html:
                yield best._replace(
                    dest_uri=dest_uri,
                    loc=paths_of_language.loc_of(dest_uri),
                    locale=locale,
                    translation_of=name if locale in versions else None,
                    is_fallback=locale not in versions,
                )


def add_languages(pages: Iterable[SourcePage]) -> Iterator[SourcePage]:
    """Yield the built pages, with `locale` and `translation_of` from their language links.

    A page that does not link itself has no `locale`. Pages are versions of each other only if all
    of them have the same links: some themes link the home page of each language on every page.
    """
    pages = list(pages)
    links = {page.dest_uri: _language_links(page) for page in pages}
    by_url = {_url(page.loc): links[page.dest_uri] for page in pages}
    # Equal sets become one object, so that `is` can compare them, which is fast.
    sets: dict[_Versions, _Versions] = {}
    versions: dict[str, _Versions] = {}
    for url, named in by_url.items():
        inside = frozenset((code, other) for code, other in named.items() if other in by_url)
        versions[url] = sets.setdefault(inside, inside)
    for page in pages:
        own_url = _url(page.loc)
        locale = next((code for code, url in links[page.dest_uri].items() if url == own_url), None)
        if page.locale or locale is None:  # the language is known already, or not known
            yield page
            continue
        same_links = all(versions[url] is versions[own_url] for _, url in versions[own_url])
        first = min((url for _, url in versions[own_url]), default=own_url)
        yield page._replace(locale=locale, translation_of=first if same_links else None)


def _language_links(page: SourcePage) -> Mapping[str, str]:
    """Return the URLs of the language versions that a built page links, by language."""
    if not page.built:
        return {}
    base, hrefs = page.built.base or "", page.built.alternates
    urls = {hreflang(code): _url(page.loc, base, href) for code, href in hrefs.items()}
    return {code: url for code, url in urls.items() if code and code != X_DEFAULT and url}


def _url(loc: str, *references: str) -> str:
    """Return a URL in one spelling, each reference joined to the URL before; empty if invalid."""
    url = joined(loc, *references)
    return url_key(url) if url else ""
