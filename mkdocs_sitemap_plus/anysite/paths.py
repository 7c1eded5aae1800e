"""Find the sources of pages in a folder that has them under the same paths."""

import os
import posixpath
import re
from collections import defaultdict
from collections.abc import Container, Iterator, Sequence
from pathlib import Path

from mkdocs_sitemap_plus.anysite import Claims, Head, Page
from mkdocs_sitemap_plus.anysite.links import INDEXES, TEXTS, plain
from mkdocs_sitemap_plus.files import path_from, real_path, text_or_empty
from mkdocs_sitemap_plus.wording import format_value, listing

_MAKE_PAGES = (*TEXTS, ".htm", ".html", ".liquid", ".njk", ".webc")  # a template may, too
# Keys of front matter with which a page lies elsewhere, or is not published.
_ELSEWHERE = re.compile(r"(?m)^(?:url|slug|permalink)[ \t]*[:=]|^draft[ \t]*[:=][ \t]*true")


def files_at_paths(pages: Sequence[Page], docs_dir: Path, head: Head) -> Claims:
    """Return the one file at the path of each page: ``a/b.md`` of ``a/b.html`` or ``a/b/``."""
    folder = real_path(docs_dir)
    named: dict[str, list[str]] = defaultdict(list)  # by path without ending
    indexes: dict[str, list[str]] = defaultdict(list)  # by folder
    for path in _paths(folder):
        stem = plain(posixpath.splitext(path)[0])
        where, last = posixpath.split(stem)
        if last in INDEXES:
            indexes[where].append(path)
        if last not in ("index", "_index"):
            named[stem].append(path)
    built = {page.dest_uri for page in pages}
    own = {plain(page).removesuffix("/index.html").removesuffix(".html") for page in built}
    found, doubts = dict[str, str](), dict[str, str]()
    for page in built:
        path = page.removesuffix(".html")
        is_index = path == "index" or path.endswith("/index")
        path = posixpath.dirname(path) if is_index else path
        possible: list[str] = []
        if not (is_index and f"{path}.html" in built):
            possible += named[plain(path)]
        if is_index or posixpath.join(path, "index.html") not in built:
            possible += _best_index(indexes[plain(path)], own)
        if len(possible) > 1:
            doubts[page] = several(possible)
        elif possible and possible[0].lower().endswith(TEXTS):
            file = folder / possible[0]
            if not _ELSEWHERE.search(_front_matter(file)):
                found[page] = path_from(head.top, file)
    return Claims(found, doubts)


def several(paths: Sequence[str]) -> str:
    """Return the clause that a page has the path of several files."""
    return f"its path is that of {listing(map(format_value, sorted(paths)))}"


def _paths(folder: Path) -> Iterator[str]:
    """Yield the paths of the files in a folder that may make pages."""
    for above, _, names in os.walk(folder):
        for name in names:
            if name.lower().endswith(_MAKE_PAGES):
                yield path_from(folder, Path(above, name))


def _best_index(paths: Sequence[str], own: Container[str]) -> list[str]:
    """Return the files that may make the page of a folder: a README only without an index.

    Nor may a README that has a page of its own.
    """
    readmes = [path for path in paths if posixpath.basename(path).lower().startswith("readme.")]
    others = [path for path in paths if path not in readmes]
    return others or [path for path in readmes if plain(posixpath.splitext(path)[0]) not in own]


def _front_matter(file: Path) -> str:
    text = text_or_empty(file)
    return text[3:].partition(f"\n{text[:3]}")[0] if text.startswith(("---", "+++")) else ""
