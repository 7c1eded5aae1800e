"""How the sitemap is split into files, and which other sitemaps its index lists."""

from mkdocs_sitemap_plus.options import Settings
from mkdocs_sitemap_plus.pages import Site
from mkdocs_sitemap_plus.problems import Code, Problem, invalid
from mkdocs_sitemap_plus.sitemap import MAX_BYTES, MAX_URLS
from mkdocs_sitemap_plus.sitemap.urls import read_url, within
from mkdocs_sitemap_plus.sitemap.write import STYLESHEET, Layout, index_name


def layout_of(site: Site, settings: Settings) -> tuple[Layout, list[Problem]]:
    """Return how the sitemap is split into files, and the problems of ``extra_sitemaps``.

    An index lists only sitemaps in its own folder or below (Google, "Manage your sitemaps").
    """
    own, index = site.url + settings.filename, site.url + index_name(settings.filename)
    others, problems = [], []
    for number, raw in enumerate(settings.extra_sitemaps):
        place = site.option("extra_sitemaps").item(number)
        loc, faults = read_url(raw, place, site.url)
        if loc == index:
            faults = [invalid(Code.EXTRA_SITEMAP, place, raw, fault="is the index itself")]
        # The address of a development server is not the one that the owner configured.
        elif loc and not site.serving and not within(loc, site.url):
            expected = f"a URL under the index's own folder {site.url}"
            faults = [invalid(Code.EXTRA_SITEMAP, place, raw, expected)]
        if loc and not faults and loc != own:
            others.append(loc)
        done = "It is not listed."
        problems += [each._replace(code=Code.EXTRA_SITEMAP, done=done) for each in faults]
    return Layout(
        filename=settings.filename,
        base=site.url,
        max_urls=MAX_URLS,
        max_bytes=MAX_BYTES,
        others=tuple(dict.fromkeys(others)),
        stylesheet=STYLESHEET if settings.stylesheet else None,
    ), problems
