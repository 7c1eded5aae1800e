"""How the sitemap is split into files, and which other sitemaps its index lists."""

from functools import partial

from mkdocs_sitemap_plus.options import Settings, Split
from mkdocs_sitemap_plus.options.readers import read_items
from mkdocs_sitemap_plus.pages import Site
from mkdocs_sitemap_plus.problems import Code, Place, Problem, Result, invalid
from mkdocs_sitemap_plus.sitemap.render import STYLESHEET
from mkdocs_sitemap_plus.sitemap.split import Layout, index_name
from mkdocs_sitemap_plus.sitemap.urls import read_url, within


def layout_of(site: Site, settings: Settings) -> tuple[Layout, list[Problem]]:
    """Return how the sitemap is split into files, and the problems of ``extra_sitemaps``."""
    base = site.url
    index = base + index_name(settings.filename)
    read = partial(_read_sitemap, index=index, site=site)
    locs, problems = read_items(read, settings.extra_sitemaps, site.option("extra_sitemaps"))
    layout = Layout(
        filename=settings.filename,
        base=base,
        max_urls=settings.max_urls,
        max_bytes=settings.max_bytes,
        sections=settings.split is Split.SECTION,
        others=tuple(loc for loc in dict.fromkeys(locs) if loc != base + settings.filename),
        stylesheet=STYLESHEET if settings.stylesheet else None,
    )
    return layout, [problem._replace(done="It is not listed.") for problem in problems]


def _read_sitemap(raw: object, place: Place, index: str, site: Site) -> Result[str]:
    """Return the URL of another sitemap; a problem if the index with the URL `index` can't list it.

    An index lists only sitemaps in its own folder or below (Google, "Manage your sitemaps with a
    sitemap index file").
    """
    base = site.url
    loc, problems = read_url(raw, place, base)
    if loc is None:
        return None, [problem._replace(code=Code.EXTRA_SITEMAP) for problem in problems]
    if loc == index:
        return None, [invalid(Code.EXTRA_SITEMAP, place, raw, fault="is the index itself")]
    # The address of a development server is not the one that the owner configured.
    if not site.serving and not within(loc, base):
        expected = f"a URL under the index's own folder {base}"
        return None, [invalid(Code.EXTRA_SITEMAP, place, raw, expected)]
    return loc, []
