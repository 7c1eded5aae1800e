"""Find pages of a report by a path, a URL or a title, or suggest similar pages."""

import posixpath
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import product
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from mkdocs_sitemap_plus.built_site.linked import linked_page
from mkdocs_sitemap_plus.built_site.others import static_file
from mkdocs_sitemap_plus.files import (
    absolute_path,
    is_file,
    path_from,
    repository_folder,
    text_or_empty,
)
from mkdocs_sitemap_plus.pages import Site
from mkdocs_sitemap_plus.pages.front_matter import read_front_matter_text
from mkdocs_sitemap_plus.pages.paths import built_paths
from mkdocs_sitemap_plus.pages.site_paths import MARKDOWN
from mkdocs_sitemap_plus.pages.titles import titles_in
from mkdocs_sitemap_plus.report.data import PageData, ReportData
from mkdocs_sitemap_plus.report.json_report import page_as_json
from mkdocs_sitemap_plus.sitemap.urls import joined, served_file, url_key
from mkdocs_sitemap_plus.wording import format_value

_MAX_NEAREST = 3


class Found(NamedTuple):
    """What a name stands for. At most one of the first three fields is set."""

    pages: Sequence[PageData] = ()  # pages of the report
    nearest: Sequence[str] = ()  # the source paths of similar pages, the most similar first
    source: str | None = None  # the path of a source whose page is not in the report
    why: str = ""  # why `source` has no page, as a sentence


def find_in_report(report: ReportData, name: str) -> Found:
    """Return the pages with this source path, built path, URL or title, or else similar ones."""
    if pages := _pages_named(report, _spellings(report, name)):
        return Found(pages=pages)
    return Found(nearest=_nearest(report, name))


def find_in_site(report: ReportData, name: str, site: Site) -> Found:
    """Return pages as `find_in_report` does, and find more with the files of the site.

    Paths can be relative to the current folder. Pages without a known source are also found by the
    titles in their HTML.
    """
    path = absolute_path(name)
    folders = (site.root, site.docs_dir, site.site_dir) if "://" not in name else ()
    inside = (path.relative_to(folder) for folder in folders if path.is_relative_to(folder))
    names = [*_spellings(report, name), *(each.as_posix() for each in inside)]
    source = _source_named(names, site)
    if pages := _pages_named(report, names, generated=source is None):
        return Found(pages=pages)
    if not site.project_file and (pages := _pages_linking(path, report, site)):
        return Found(pages=pages)
    if source:
        return Found(source=source, why=_why_unbuilt(site.docs_dir / source, site))
    pages = _pages_titled(name, report, site)
    if file := None if pages else _file_named(names, site):
        pages = [page_as_json(static_file(file, site), site.root)]
    if pages:
        return Found(pages=pages)
    return Found(nearest=_nearest(report, name))


def _spellings(report: ReportData, name: str) -> list[str]:
    """Return the paths and URLs that a person may mean by a name."""
    base = report["site"].get("url", "")
    scheme, _, address = base.partition("://")
    names = [name, unquote(name)]
    if "://" not in name:
        host = address.partition("/")[0]
        if host and name.startswith((f"{host}/", f"{host.removeprefix('www.')}/")):
            names.append(f"{scheme}://{name}")
        path = unquote(name).lstrip("/")  # patterns begin with a slash, as in /install.md
        names += [path, path.removeprefix(f"{report['site']['docs_dir']}/")] if path else [base]
    return [*dict.fromkeys(each for each in names if name and each)]


def _pages_named(
    report: ReportData, names: Sequence[str], *, generated: bool = True
) -> list[PageData]:
    """Return the pages with one of these paths or URLs; if there are none, with such a title.

    With `generated`, the name of a Markdown file also stands for the page that is built from it,
    since a plugin may have made the file during the build.
    """
    docs_dir, base = report["site"]["docs_dir"], report["site"].get("url", "")
    paths = {posixpath.normpath(name) for name in names}
    urls = {url for name in names if (url := _url(name, base))}
    loose_urls = {*map(_loose_url, urls)}
    built = {path for name in paths if name.endswith(MARKDOWN) for path in built_paths(name)}
    titles = {_plain(title) for name in names for title in (name, name.rpartition(" - ")[0])} - {""}

    def is_named(page: PageData) -> bool:
        source = page.get("source", "")
        known = {source, posixpath.join(docs_dir, source), page.get("dest")}
        return not paths.isdisjoint(known) or _url(page.get("loc", "")) in urls

    tests: tuple[Callable[[PageData], bool], ...] = (
        is_named,
        lambda page: generated and page.get("dest") in built,
        lambda page: _loose_url(page.get("loc", "")) in loose_urls,
        lambda page: _plain(page.get("title", "")) in titles,
    )
    found = ([page for page in report["pages"] if test(page)] for test in tests)
    return next(filter(None, found), [])


def _url(text: str, base: str = "") -> str | None:
    """Return a URL in the spelling that all URLs of one page share; None if it is not a URL."""
    url = joined(base, text)
    return url_key(url) if url and "://" in url else None


def _loose_url(url: str) -> str:
    """Return a URL without what servers add, remove or redirect, and without its query."""
    address = url.partition("://")[2].partition("?")[0].removeprefix("www.")
    return address.removesuffix("/index.html").removesuffix(".html").removesuffix("/")


def _plain(title: str) -> str:
    return " ".join(title.casefold().split())


def _nearest(report: ReportData, name: str) -> list[str]:
    """Return up to three source paths in a folder of this name; if there are none, similar ones."""
    sources = {
        page["source"]: page.get("title", "") for page in report["pages"] if "source" in page
    }
    base = report["site"].get("url", "")
    path = unquote(name)
    if "://" in path and not path.startswith(base):  # the URL of another host, such as a preview
        path, base = path.partition("://")[2].partition("/")[2], base.partition("://")[2]
        base = base.partition("/")[2]
    for prefix in (base, f"{report['site']['docs_dir']}/"):
        path = path.removeprefix(prefix)
    path = path.partition("?")[0].strip("/")
    inside = [source for source in sources if path and source.startswith(f"{path}/")]
    titles = {source: _plain(title) for source, title in sources.items() if title}
    similar = _similar(sources, posixpath.splitext(path)[0])
    near = inside or [*similar, *_closest(_plain(name), titles, cutoff=0.75)]
    return [*dict.fromkeys(near)][:_MAX_NEAREST]


def _similar(sources: Iterable[str], path: str) -> list[str]:
    """Return the sources with a similar path, the best first, then those with a similar stem."""
    paths = {source: posixpath.splitext(source)[0].casefold() for source in sources}
    stems = {source: _stem(known) for source, known in paths.items()}
    path = path.casefold()
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


def _pages_linking(source: Path, report: ReportData, site: Site) -> list[PageData]:
    """Return the pages that are left out, and have a link to edit or to show this source.

    The sources of listed pages are known, and those of other pages are not looked for.
    """
    file = path_from(repository_folder(site.root), source)
    found = []
    for page in report["pages"]:
        if "left_out" not in page or "dest" not in page:
            continue
        for link in linked_page(site.site_dir, page["dest"]).links:
            if link.path.partition("/")[2] == file and page not in found:
                found.append(page)
    return found


def _why_unbuilt(source: Path, site: Site) -> str:
    """Return in a sentence why a source of the docs folder has no page, as far as it is known."""
    beside = (source.with_name(f"index{ending}") for ending in MARKDOWN)
    if source.stem == "README" and (index := next(filter(is_file, beside), None)):
        name = index.relative_to(site.docs_dir).as_posix()
        return f"MkDocs builds {format_value(name)} instead, which is the page of the same folder."
    if read_front_matter_text(text_or_empty(source)).meta.get("draft") is True:
        return "Its front matter has `draft: true`."
    return (
        "Perhaps it is a draft, a plugin has left it out, or it is newer than the built site. If a "
        "plugin made the page, give its URL."
    )


def _file_named(names: Iterable[str], site: Site) -> Path | None:
    """Return the first file of the built site that a path or a URL names."""
    for name in names:
        url = joined(site.url, name) or ""
        path = absolute_path(site.site_dir / name)
        if path.is_relative_to(site.site_dir) and is_file(path):
            return path
        if served := served_file(site.site_dir, site.url, url):
            return served
    return None


def _pages_titled(title: str, report: ReportData, site: Site) -> list[PageData]:
    """Return the pages without a known source whose built HTML has this title, and the home page.

    The title of the home page in a browser is often the name of the site.
    """
    # A report names the built file of a page without a known source as its source.
    pages = [page for page in report["pages"] if page.get("dest")]
    home = [page for page in pages if page["dest"] == "index.html"]
    unknown = [page for page in pages if page["dest"] == page.get("source")]
    texts = ((page, text_or_empty(site.site_dir / page["dest"])) for page in (*home, *unknown))
    found = [page for page, text in texts if title in titles_in(text)]
    # A theme gives the name of the site to its error page as well.
    return found[:1] if found[:1] == home else found
