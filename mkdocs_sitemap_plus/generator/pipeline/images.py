"""Add the images of each entry (Google, "Image sitemaps")."""

import os
from functools import partial
from pathlib import Path
from urllib.parse import urljoin

from mkdocs_sitemap_plus.files import exists
from mkdocs_sitemap_plus.generator.options.reading import Reading
from mkdocs_sitemap_plus.generator.options.value_kinds import Invalid
from mkdocs_sitemap_plus.generator.pages.site import Site, SourcePage, Url
from mkdocs_sitemap_plus.generator.pipeline.decisions import BuildState, Listed
from mkdocs_sitemap_plus.problems import Code, Origin, Place, Problem
from mkdocs_sitemap_plus.sitemap.protocol import MAX_IMAGES
from mkdocs_sitemap_plus.sitemap.urls import absolute_url, base_url, quote_path, unquote_path


def add_images(work: BuildState) -> None:
    """Add the images of each entry."""
    for page in work.listed:
        target = page.target
        if page.overrides.images:
            _add_images(page, work)
        elif isinstance(target, SourcePage) and target.images and page.overrides.images is None:
            page.set("images", target.images, Place(Origin.SITEMAP))


def _add_images(page: Listed, work: BuildState) -> None:
    written, place, target = page.overrides.images, page.overrides.places["images"], page.target
    reading, found, found_at = Reading(place), [], place
    if isinstance(written, tuple):
        for number, raw in enumerate(written):
            read = partial(_file_url, page, work.context.site)
            found.append(reading.item(number).value(read, raw, done="This image is not listed."))
    elif isinstance(target, SourcePage) and target.built:
        base = base_url(target.loc, target.built.base)
        found_at = Place(Origin.BUILT_PAGE, page.name)
        found = [absolute_url(raw, base)[0] for raw in target.built.images]
    images = tuple(dict.fromkeys(filter(None, found)))
    page.set("images", images[:MAX_IMAGES], place)
    work.problems += reading.problems[:1]
    work.problems += too_many_images(found_at, len(images))


def too_many_images(place: Place, count: int) -> list[Problem]:
    """Return the problem of a page with more images than the protocol allows."""
    if count <= MAX_IMAGES:
        return []
    found = f"has {count:,} images, but at most {MAX_IMAGES:,} are allowed for a page"
    return [Problem(Code.IMAGES, found, place, done=f"The first {MAX_IMAGES:,} are written.")]


def url_from(raw: object, base: str) -> str:
    """Return the absolute URL of what somebody wrote."""
    found, fault = absolute_url(raw, base)
    if found is None:
        raise Invalid(None if fault else "a URL", fault=fault)
    return found


def _file_url(page: Listed, site: Site, raw: object) -> str:
    """Return the URL of an image. A URL in this site must have an existing file.

    A relative one starts from the folder of the page's source, as in Markdown; else from the URL of
    the page, since languages and blogs are built into other folders.
    """
    bases, target = [page.loc], page.target
    if not isinstance(target, Url):
        folder = quote_path(target.src_uri.rpartition("/")[0])
        bases.insert(0, urljoin(site.url, f"{folder}/" if folder else ""))
    for found in (url_from(raw, base) for base in bases):
        path = os.path.normpath(unquote_path(found.removeprefix(site.url).partition("?")[0]))
        inside = not path.startswith("..") and not Path(path).is_absolute()
        if not found.startswith(site.url) or (inside and exists(site.site_dir / path)):
            return found
    raise Invalid("a file of the built site, as a path from the page's source, or a URL")
