"""Find the pages of a report by a name: a path, a URL or a title; or names that are similar."""

import os
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from mkdocs_sitemap_plus.built_site.docs_folder import MARKDOWN
from mkdocs_sitemap_plus.files import Unreadable, is_file, read_text
from mkdocs_sitemap_plus.output.json_report import Json
from mkdocs_sitemap_plus.pages.front_matter import read_front_matter_text
from mkdocs_sitemap_plus.pages.page import Site
from mkdocs_sitemap_plus.pages.title import title_of
from mkdocs_sitemap_plus.sitemap.urls import url_key

_MAX_NEAREST = 3
_TITLES = re.compile(
    r"<(?P<name>title|h1)\b[^<>]{0,2000}+>"
    r"(?P<text>(?:[^<]|<(?!/?(?:title|h1)\b)){0,2000}+)</(?P=name)\s{0,9}>",
    re.IGNORECASE,
)
_PERMALINK = re.compile(r"<a\b[^<>]*\bheaderlink\b[^<]*</a\s*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The pages that a name means, or if there are none, similar names.

    Attributes:
        pages: of the report.
        nearest: source paths; or the URLs of several pages, one of which may be made of `source`.
        source: the path of a source for which no page is known; None if the name is not a source.
    """

    pages: list[Json]
    nearest: list[str]
    source: str | None = None


def find_in_report(report: Json, name: str) -> Found:
    """Find pages by a source path, a path in the built site, a URL, or else a title."""
    pages = _pages_named(report, [name])
    return Found(pages=pages, nearest=[] if pages else _nearest(report, name))


def find_in_site(report: Json, name: str, site: Site) -> Found:
    """Find pages as `find_in_report`; also by a path from the current folder, and by sources.

    A source whose page has another URL than usual, such as a post of a blog, is compared with the
    titles and the URLs of pages without a known source.
    """
    path = Path(os.path.abspath(name))  # noqa: PTH100 - resolve() follows links
    folders = (site.root, site.docs_dir, site.site_dir) if "://" not in name else ()
    inside = (path.relative_to(folder) for folder in folders if path.is_relative_to(folder))
    names = [name, *(each.as_posix() for each in inside)]
    pages = _pages_named(report, names)
    source = None if pages else _source_named(names, site)
    if source is None:
        pages = pages or _pages_titled(name, report, site)
        return Found(pages=pages, nearest=[] if pages else _nearest(report, name))
    made = _pages_made_of(source, report, site)
    if len(made) == 1:
        return Found(pages=[made[0] | {"made_of": source}], nearest=[])
    return Found(pages=[], nearest=[page["loc"] for page in made], source=source)


def _pages_named(report: Json, names: Sequence[str]) -> list[Json]:
    """Return the pages with one of these paths or URLs; if there are none, with such a title."""
    docs_dir, base = report["site"]["docs_dir"], report["site"].get("url", "")
    paths = {posixpath.normpath(name) for name in names}
    urls = {url for name in names if (url := _url(name, base))}
    pages = []
    for page in report["pages"]:
        source = page.get("source", "")
        own = {source, posixpath.join(docs_dir, source) if source else "", page.get("dest", "")}
        if paths & (own - {""}) or _url(page.get("loc", "")) in urls:
            pages.append(page)
    return pages or [page for page in report["pages"] if page.get("title") in names]


def _url(text: str, base: str = "") -> str | None:
    """Return one spelling for all URLs of a page; None for what is not a URL."""
    try:
        url = urljoin(base, text)
        return url_key(url) if "://" in url else None
    except ValueError:
        return None


def _nearest(report: Json, name: str) -> list[str]:
    """Return up to three sources: those in a folder of this name, or those with similar names."""
    sources = [source for page in report["pages"] if (source := page.get("source"))]
    for before in (report["site"].get("url", ""), f"{report['site']['docs_dir']}/"):
        name = name.removeprefix(before)
    name = name.strip("/")
    inside = [source for source in sources if name and source.startswith(f"{name}/")]
    return (inside or _similar(sources, posixpath.splitext(name)[0]))[:_MAX_NEAREST]


def _similar(sources: Iterable[str], path: str) -> list[str]:
    """Return the sources whose path, or else whose last name, is similar, best first."""
    paths = {source: posixpath.splitext(source)[0] for source in sources}
    near = get_close_matches(path, set(paths.values()), _MAX_NEAREST, cutoff=0.8)
    found = [source for each in near for source, known in paths.items() if known == each]
    stems = {source: _stem(known) for source, known in paths.items()}
    near = get_close_matches(_stem(path), set(stems.values()), _MAX_NEAREST)
    found += [source for each in near for source, known in stems.items() if known == each]
    return list(dict.fromkeys(found))


def _stem(path: str) -> str:
    """Return the last name of a path; an index is called like its folder."""
    above, name = posixpath.split(path)
    return posixpath.basename(above) if name == "index" else name


def _source_named(names: Iterable[str], site: Site) -> str | None:
    """Return the Markdown file of the docs folder that one of some names means."""
    for name in names:
        for folder in (site.docs_dir, site.root):
            path = Path(os.path.abspath(folder / name))  # noqa: PTH100 - as above
            if (
                path.is_relative_to(site.docs_dir)
                and path.name.endswith(MARKDOWN)
                and is_file(path)
            ):
                return path.relative_to(site.docs_dir).as_posix()
    return None


def _pages_made_of(source: str, report: Json, site: Site) -> list[Json]:
    """Return the pages that may be made of a source, one if it is clear.

    Such a page has the title of the source and its name in the URL, or at least one of both.
    """
    path = site.docs_dir / source
    try:
        text = read_text(path, "utf-8-sig")
    except Unreadable:
        text = ""
    read = read_front_matter_text(text)
    body = "\n".join(text.split("\n")[read.length :])
    title = title_of(read.meta, body, path.stem, home=False)
    slug = read.meta.get("slug")
    names = [slug] if isinstance(slug, str) else [title or "", path.stem, path.stem.split(".")[0]]
    slugs = {slug for name in names if name for slug in _slugs(name)}
    named = [page for page in _without_source(report) if _slug(page) in slugs]
    titled = _pages_titled(title or "", report, site)
    return [page for page in titled if page in named] or titled or named


def _pages_titled(title: str, report: Json, site: Site) -> list[Json]:
    """Return the pages without a known source whose built HTML has this title."""
    pages = _without_source(report)
    return [page for page in pages if title in _titles(site.site_dir / page["dest"])]


def _without_source(report: Json) -> list[Json]:
    return [page for page in report["pages"] if page.get("source") == page.get("dest", "")]


def _slugs(name: str) -> Iterator[str]:
    """Yield how a name may stand in a URL: as it is, and as Python Markdown makes an id of it."""
    yield name
    yield re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", name).strip().lower())


def _slug(page: Json) -> str:
    path = unquote(urlsplit(page.get("loc", "")).path)
    return posixpath.basename(path.rstrip("/")).removesuffix(".html")


def _titles(path: Path) -> set[str]:
    try:
        return titles_in(read_text(path))
    except Unreadable:
        return set()


def titles_in(html: str) -> set[str]:
    """Return the texts of ``h1`` and ``title`` in a page, also without the site's name."""
    found = {_text(match["text"]) for match in _TITLES.finditer(html)}
    return found | {title.rpartition(" - ")[0] for title in found if " - " in title}


def _text(html: str) -> str:
    return " ".join(unescape(_TAG.sub("", _PERMALINK.sub("", html))).split())
