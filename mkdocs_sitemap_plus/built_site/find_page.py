"""Find pages of a report by a path, a URL or a title, or suggest similar pages."""

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import product
from typing import NamedTuple

from mkdocs_sitemap_plus.built_site.docs_folder import MARKDOWN
from mkdocs_sitemap_plus.built_site.titles import titles_in
from mkdocs_sitemap_plus.files import absolute_path, is_file, text_or_empty
from mkdocs_sitemap_plus.output.json_report import Json
from mkdocs_sitemap_plus.pages import Site
from mkdocs_sitemap_plus.sitemap.urls import joined, url_key

_MAX_NEAREST = 3


class Found(NamedTuple):
    """What a name stands for. At most one of the fields is set."""

    pages: Sequence[Json] = ()  # pages of the report
    nearest: Sequence[str] = ()  # the source paths of similar pages, the most similar first
    source: str | None = None  # the path of a source whose page is not in the report


def find_in_report(report: Json, name: str) -> Found:
    """Return the pages with this source path, built path, URL or title, or else similar ones."""
    if pages := _pages_named(report, [name]):
        return Found(pages=pages)
    return Found(nearest=_nearest(report, name))


def find_in_site(report: Json, name: str, site: Site) -> Found:
    """Return pages as `find_in_report` does, and find more with the files of the site.

    Paths can be relative to the current folder. Pages without a known source are also found by the
    titles in their HTML.
    """
    path = absolute_path(name)
    folders = (site.root, site.docs_dir, site.site_dir) if "://" not in name else ()
    inside = (path.relative_to(folder) for folder in folders if path.is_relative_to(folder))
    names = [name, *(each.as_posix() for each in inside)]
    if pages := _pages_named(report, names):
        return Found(pages=pages)
    if source := _source_named(names, site):
        return Found(source=source)
    if pages := _pages_titled(name, report, site):
        return Found(pages=pages)
    return Found(nearest=_nearest(report, name))


def _pages_named(report: Json, names: Sequence[str]) -> list[Json]:
    """Return the pages with one of these paths or URLs; if there are none, with such a title."""
    docs_dir, base = report["site"]["docs_dir"], report["site"].get("url", "")
    paths = {posixpath.normpath(name) for name in names}
    urls = {_url(name, base) for name in names} - {None}
    loose_urls = {_loose_url(name) for name in names} - {None}
    pages, redirected = [], []
    for page in report["pages"]:
        source, loc = page.get("source", ""), page.get("loc", "")
        known = {source, posixpath.join(docs_dir, source), page.get("dest")}
        if paths & known or _url(loc) in urls:
            pages.append(page)
        elif _loose_url(loc) in loose_urls:
            redirected.append(page)
    titled = (page for page in report["pages"] if page.get("title") in names)
    return pages or redirected or [*titled]


def _url(text: str, base: str = "") -> str | None:
    """Return a URL in the spelling that all URLs of one page share; None if it is not a URL."""
    url = joined(base, text)
    return url_key(url) if url and "://" in url else None


def _loose_url(text: str) -> str | None:
    """Return a URL without ``index.html`` and the last slash, which servers add or remove."""
    url = _url(text)
    return url and url.removesuffix("/index.html").removesuffix("/")


def _nearest(report: Json, name: str) -> list[str]:
    """Return up to three source paths in a folder of this name; if there are none, similar ones."""
    sources = [page["source"] for page in report["pages"] if page.get("source")]
    for prefix in (report["site"].get("url", ""), f"{report['site']['docs_dir']}/"):
        name = name.removeprefix(prefix)
    name = name.strip("/")
    inside = [source for source in sources if name and source.startswith(f"{name}/")]
    return (inside or _similar(sources, posixpath.splitext(name)[0]))[:_MAX_NEAREST]


def _similar(sources: Iterable[str], path: str) -> list[str]:
    """Return the sources with a similar path, the best first, then those with a similar stem."""
    paths = {source: posixpath.splitext(source)[0] for source in sources}
    stems = {source: _stem(known) for source, known in paths.items()}
    found = (*_closest(path, paths, cutoff=0.8), *_closest(_stem(path), stems, cutoff=0.6))
    return list(dict.fromkeys(found))


def _closest(name: str, names: Mapping[str, str], cutoff: float) -> list[str]:
    """Return the keys of the values that are similar to `name`, the most similar first."""
    near = get_close_matches(name, set(names.values()), _MAX_NEAREST, cutoff)
    found = (key for key, value in names.items() if value in near)
    return sorted(found, key=lambda key: near.index(names[key]))


def _stem(path: str) -> str:
    """Return the last part of a path that has no ending; for an index, the name of its folder."""
    return posixpath.basename(f"/{path}".removesuffix("/index"))


def _source_named(names: Iterable[str], site: Site) -> str | None:
    """Return the source path of the first name that is a Markdown file of the docs folder."""
    for name, folder in product(names, (site.docs_dir, site.root)):
        path = absolute_path(folder / name)
        inside = path.is_relative_to(site.docs_dir)
        if inside and path.name.endswith(MARKDOWN) and is_file(path):
            return path.relative_to(site.docs_dir).as_posix()
    return None


def _pages_titled(title: str, report: Json, site: Site) -> list[Json]:
    """Return the pages without a known source whose built HTML has this title."""
    # A report names the built file of such a page as its source.
    unknown = [page for page in report["pages"] if page.get("source") == page.get("dest", "")]
    texts = ((page, text_or_empty(site.site_dir / page["dest"])) for page in unknown)
    return [page for page, text in texts if title in titles_in(text)]
