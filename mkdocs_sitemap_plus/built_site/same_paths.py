"""Find the sources of built pages in a folder that has them under the same paths."""

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from functools import cache
from pathlib import Path
from posixpath import dirname, join, split, splitext

from mkdocs_sitemap_plus.files import text_or_empty
from mkdocs_sitemap_plus.web.page_sources import MARKUP
from mkdocs_sitemap_plus.web.stated_dates import is_whole_page

_TEXTS = (*MARKUP, ".txt", ".qmd", ".rmd")
# A template shows what stands elsewhere, so it dates no page. Nor does a text beside it.
_TEMPLATES = (
    ".html", ".htm", ".njk", ".liquid", ".hbs", ".mustache", ".ejs", ".erb", ".haml", ".pug",
    ".slim", ".j2", ".jinja", ".webc", ".vue", ".astro", ".svelte", ".jsx", ".tsx", ".11ty.js",
    ".11ty.cjs", ".11ty.mjs", ".11ty.ts",
)  # fmt: skip
_OF_SECTION = "_index"  # in Hugo, which also makes pages of folders that have no such file
_ENDS = (".html", "/index.html")  # of pages with and without directory URLs
# Pages that are made of others, even if a source has this name.
_BY_SPHINX = frozenset(("genindex.html", "py-modindex.html", "search.html"))
_BY_PELICAN = frozenset(
    f"{name}.html" for name in ("index", "archives", "authors", "categories", "tags")
)


class SamePaths:
    """A folder of sources, such as ``guide/install.md`` of the page ``guide/install/index.html``.

    `built` has the paths of all built pages that do not lead elsewhere.
    """

    def __init__(self, folder: Path, built: Container[str]) -> None:
        self._folder, self._built = folder, built
        self._names_in, self._folders = cache(self._read_names), cache(self._read_folders)
        is_pelican = any((above / "pelicanconf.py").exists() for above in (folder, folder.parent))
        self._made = _BY_SPHINX | _BY_PELICAN if is_pelican else _BY_SPHINX
        self._has_readmes = not self._named("", _OF_SECTION)

    def source_of(self, page: str) -> str | None:
        """Return the path of a page's source in the folder; None if none or several are possible.

        A file that has a page of its own name makes no other page.
        """
        path = page.removesuffix(".html")
        is_index = path == "index" or path.endswith("/index")
        path = dirname(path) if is_index else path
        found: list[str] = []
        if path and not (is_index and f"{path}.html" in self._built):
            found += self._named(*split(path))
        if is_index or join(path, "index.html") not in self._built:
            found += self._indexes(path)
        if len(found) != 1 or page in self._made:
            return None
        is_text = found[0].lower().endswith(_TEXTS)
        return found[0] if is_text or (found[0] == page and self._is_copied(page)) else None

    def _indexes(self, folder: str) -> Sequence[str]:
        """Return the files that may make the page of a folder: a README only without an index."""
        found = [*self._named(folder, "index"), *self._named(folder, _OF_SECTION)]
        if found or not self._has_readmes:
            return found
        readmes = self._named(folder, "readme")
        own = {splitext(path)[0] + end for path in readmes for end in _ENDS}
        is_own = any(page in self._built for page in (*own, *map(str.lower, own)))
        return [] if is_own else readmes

    def _named(self, folder: str, stem: str) -> Sequence[str]:
        """Return the paths of the texts and templates with this name but for the ending."""
        found = ((real, self._names_in(real).get(stem, ())) for real in self._folders(folder))
        return [join(real, name) for real, names in found for name in names]

    def _read_folders(self, path: str) -> Sequence[str]:
        """Return the folders of the sources of the pages in a folder."""
        if not path:
            return [""]
        above, name = split(path)
        found = ((real, self._names_in(real).get(f"{name}/", ())) for real in self._folders(above))
        return [join(real, name) for real, names in found for name in names]

    def _read_names(self, folder: str) -> Mapping[str, Sequence[str]]:
        """Return what is in a folder: by the name without its ending, and by the name with ``/``.

        Each is also there by the name that Hugo gives it.
        """
        found: dict[str, list[str]] = defaultdict(list)
        try:
            names = [path.name for path in (self._folder / folder).iterdir()]
        except OSError:  # it may be a file, too
            names = []
        for name in names:
            end = next(filter(name.lower().endswith, (*_TEXTS, *_TEMPLATES)), None)
            keys = {f"{name}/"} if end is None else {f"{name}/", name[: -len(end)]}
            for key in keys | {key.lower().replace(" ", "-") for key in keys}:
                found[key].append(name)
        return found

    def _is_copied(self, path: str) -> bool:
        """Return whether a file is a whole HTML page, and no template of one."""
        text = text_or_empty(self._folder / path)
        return is_whole_page(text) and "{{" not in text and "{%" not in text
