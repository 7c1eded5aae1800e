"""The languages of pages, as the built pages themselves name their versions."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import reduce
from pathlib import Path
from urllib.parse import urljoin

from mkdocs_sitemap_plus.pages.built_html import read_links
from mkdocs_sitemap_plus.pages.page import SourcePage
from mkdocs_sitemap_plus.sitemap.languages import X_DEFAULT, hreflang
from mkdocs_sitemap_plus.sitemap.urls import comparable

_Url = tuple[object, ...]


def with_languages(pages: Iterable[SourcePage], site_dir: Path) -> Iterator[SourcePage]:
    """Give each page its language, and what it has in common with its other versions.

    A page has versions if it names itself and others, and each of those names the same ones:
    themes also link the home pages of other languages from everywhere.

    Args:
        pages: the built pages.
        site_dir: the absolute folder of the built site.
    """
    pages = list(pages)
    named = {page.dest_uri: _versions(page, site_dir) for page in pages}
    sets = {_url(page.loc): named[page.dest_uri] for page in pages if page.loc}
    known: dict[frozenset[tuple[str, _Url]], int] = {}
    numbers = {
        url: known.setdefault(_inside(versions, sets), len(known)) for url, versions in sets.items()
    }
    for page in pages:
        versions, own = named[page.dest_uri], _url(page.loc or "")
        locale = next((code for code, url in versions.items() if url == own), None)
        if locale is None:
            yield page
            continue
        common = _inside(versions, sets)
        number = known.get(common)
        agreed = all(numbers[url] == number for _, url in common)
        first = min(str(url) for _, url in common)
        yield replace(page, locale=locale, translation_of=first if agreed else None)


def _inside(
    versions: Mapping[str, _Url], site: Mapping[_Url, object]
) -> frozenset[tuple[str, _Url]]:
    return frozenset((code, url) for code, url in versions.items() if url in site)


def _versions(page: SourcePage, site_dir: Path) -> Mapping[str, _Url]:
    if not page.loc:
        return {}
    hrefs, base = read_links(site_dir / page.dest_uri)
    urls = {hreflang(code): _url(page.loc, base or "", href) for code, href in hrefs.items()}
    return {code: url for code, url in urls.items() if code and code != X_DEFAULT and url}


def _url(loc: str, *references: str) -> _Url:
    """What is equal for URLs of one page, each relative to the one before; empty for none."""
    try:
        return comparable(reduce(urljoin, references, loc))
    except ValueError:
        return ()
