"""URLs that a page's owner writes: relative ones start from the page's source, as in Markdown."""

import os
from pathlib import Path
from urllib.parse import quote, unquote, urljoin

from mkdocs_sitemap_plus.files import exists
from mkdocs_sitemap_plus.pages.page import Site
from mkdocs_sitemap_plus.pipeline.decision import Decision
from mkdocs_sitemap_plus.problems import Place, Problem, invalid
from mkdocs_sitemap_plus.sitemap.fields import read_url


def read_address(raw: object, place: Place, decision: Decision, site: Site) -> str | Problem:
    """An absolute URL; one under the site's own must be a file of the built site.

    A relative one starts from the folder of the page's source, or else from the page's own URL,
    if the built site has a file there: languages and blogs are built into other folders. For a URL
    that is no page it starts from that URL.
    """
    urls = [read_url(raw, place, base) for base in _bases(decision, site)]
    found = next((url for url in urls if isinstance(url, str) and _is_there(url, site)), urls[0])
    if isinstance(found, Problem) or _is_there(found, site):
        return found
    expected = "a file of the built site, as a path from the page's source, or a URL"
    return invalid("url", place, raw, expected)


def _bases(decision: Decision, site: Site) -> list[str]:
    loc = decision.loc or ""
    if decision.page is None:
        return [loc]
    folder = decision.page.src_uri.rpartition("/")[0]
    return [urljoin(site.url or "", quote(f"{folder}/" if folder else "")), loc]


def _is_there(url: str, site: Site) -> bool:
    """Whether a URL names a file, as far as can be seen: other sites can't."""
    if not site.url or not url.startswith(site.url):
        return True
    path = os.path.normpath(unquote(url.removeprefix(site.url).partition("?")[0]))
    inside = not path.startswith("..") and not Path(path).is_absolute()
    return inside and exists(site.site_dir / path)
