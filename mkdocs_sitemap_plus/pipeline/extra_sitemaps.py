"""Sitemaps of sibling sites, which an index lists beside ours."""

from dataclasses import replace

from mkdocs_sitemap_plus.options.settings import Settings
from mkdocs_sitemap_plus.pages.page import Site
from mkdocs_sitemap_plus.problems import Origin, Place, Problem, faulty, invalid
from mkdocs_sitemap_plus.sitemap.fields import read_url
from mkdocs_sitemap_plus.sitemap.split import index_name
from mkdocs_sitemap_plus.sitemap.urls import within


def extra_sitemaps(site: Site, settings: Settings) -> tuple[tuple[str, ...], list[Problem]]:
    """The URLs of ``extra_sitemaps`` that our index may list, each once, in the order written.

    Children of an index lie in its directory or below (Google, "Manage your sitemaps with a sitemap
    index file"); it lists no index, so not itself. Our own sitemap is listed in any case.
    """
    base = site.url or ""
    found: dict[str, None] = {}
    problems = []
    for number, raw in enumerate(settings.extra_sitemaps):
        key = f"extra_sitemaps[{number}]"
        place = Place(origin=Origin.OPTION, file=site.project_file, key=key)
        loc = _listable(raw, place, base + index_name(settings.filename), site)
        if isinstance(loc, Problem):
            problems.append(replace(loc, done="It is not listed."))
        else:
            found[loc] = None
    found.pop(base + settings.filename, None)
    return tuple(found), problems


def _listable(raw: str, place: Place, index: str, site: Site) -> str | Problem:
    base = site.url or ""
    loc = read_url(raw, place, base)
    if isinstance(loc, Problem):
        return replace(loc, code="extra-sitemap")
    if loc == index:
        return faulty("extra-sitemap", place, raw, "is the index itself")
    # A development server has another address than the one that the owner configured.
    if not site.serving and not within(loc, base):
        return invalid("extra-sitemap", place, raw, f"a URL under the index's own folder {base}")
    return loc
