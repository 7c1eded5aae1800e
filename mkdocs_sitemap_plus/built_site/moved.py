"""Sources whose page has another URL than usual, such as the posts of a blog."""

import os
import posixpath
import re
from collections.abc import Iterable, Iterator
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

from mkdocs_sitemap_plus.built_site.site import MARKDOWN
from mkdocs_sitemap_plus.files import Unreadable, read_text
from mkdocs_sitemap_plus.output.json_report import Json
from mkdocs_sitemap_plus.pages.front_matter import read_front_matter_text
from mkdocs_sitemap_plus.pages.title import title_of

_TITLES = re.compile(
    r"<(?P<name>title|h1)\b[^<>]{0,2000}+>"
    r"(?P<text>(?:[^<]|<(?!/?(?:title|h1)\b)){0,2000}+)</(?P=name)\s{0,9}>",
    re.IGNORECASE,
)
_PERMALINK = re.compile(r"<a\b[^<>]*\bheaderlink\b[^<]*</a\s*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


def source_in(names: Iterable[str], docs_dir: Path, root: Path) -> str | None:
    """Return the page's source that one of some names means, as a path under the docs folder.

    Args:
        names: from the current folder, from the docs folder, or from `root`.
        docs_dir: the absolute folder of the sources.
        root: the absolute folder of the project file.
    """
    # `Path.is_file` raises for names that no file can have.
    paths = (os.path.abspath(each / name) for name in names for each in (docs_dir, root))  # noqa: PTH100
    files = (Path(path) for path in paths if path.endswith(MARKDOWN) and os.path.isfile(path))  # noqa: PTH113
    inside = (path for path in files if path.is_relative_to(docs_dir))
    return next((path.relative_to(docs_dir).as_posix() for path in inside), None)


def pages_of(source: str, report: Json, docs_dir: Path, site_dir: Path) -> list[Json]:
    """Return the pages that may be made of a source, one if it is clear.

    A page has the title of the source and its name in the URL, or at least one of both. Only pages
    without a known source count.

    Args:
        source: its path under the docs folder.
        report: all pages.
        docs_dir: the absolute folder of the sources.
        site_dir: the absolute folder of the built site.
    """
    path = docs_dir / source
    try:
        text = read_text(path, "utf-8-sig")
    except Unreadable:
        text = ""
    read = read_front_matter_text(text)
    title = title_of(read.meta, "\n".join(text.split("\n")[read.length :]), path.stem, home=False)
    names = [title or path.stem, path.stem, path.stem.split(".")[0]]
    slug = read.meta.get("slug")
    given = [slug] if isinstance(slug, str) else names
    slugs = {slug for name in given for slug in _slugs(name)}
    alike = [page for page in _without_source(report) if _slug(page) in slugs]
    titled = pages_titled(title or "", report, site_dir)
    return [page for page in titled if page in alike] or titled or alike


def pages_titled(title: str, report: Json, site_dir: Path) -> list[Json]:
    """Return the pages without a known source whose built HTML has a title."""
    return [page for page in _without_source(report) if title in _titles(site_dir / page["dest"])]


def _without_source(report: Json) -> list[Json]:
    return [page for page in report["pages"] if page.get("source") == page.get("dest", "")]


def _slugs(name: str) -> Iterator[str]:
    """How a name may stand in a URL: as it is, and as Python Markdown makes an id of it."""
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
    """What a built page calls itself: by ``title``, with the site's name or without, and ``h1``."""
    found = {_plain(match["text"]) for match in _TITLES.finditer(html)}
    return found | {title.rpartition(" - ")[0] for title in found if " - " in title}


def _plain(html: str) -> str:
    return " ".join(unescape(_TAG.sub("", _PERMALINK.sub("", html))).split())
