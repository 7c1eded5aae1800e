"""Tell which builders can have made a page, by their settings in the repository of its source."""

import posixpath
import re
from collections import defaultdict
from functools import cache
from pathlib import PurePosixPath

from mkdocs_sitemap_plus.files import Unreadable, read_text
from mkdocs_sitemap_plus.gitdates.at_head import AtHead
from mkdocs_sitemap_plus.pages.builder_includes import SYNTAX_OF_ENDING

_SETTINGS = {
    "sphinx": r"conf\.py|myst\.ya?ml|_toc\.yml",
    "mdx": r"(?:docusaurus|astro|next|gatsby-)\.?config\.\w+",
    "mdbook": r"book\.toml",
    "jekyll": r"_config\.(?:ya?ml|toml)",
    "liquid": r"\.eleventy\.c?js|eleventy\.config\.\w+",
    "shortcodes": r"hugo\.(?:ya?ml|toml|json)|config\.(?:ya?ml|toml)|_quarto\.ya?ml",
    "mkdocs": r"(?:mkdocs|properdocs)\.ya?ml|zensical\.toml",
}
_NAMES = re.compile("|".join(f"(?P<{name}>{names})" for name, names in _SETTINGS.items()))
_FOLDERS = {"/.vitepress/": "vitepress", "/config/_default/": "shortcodes"}
_ALL = frozenset(("sphinx", "mdx", "mdbook", "liquid", "shortcodes", "vitepress", "snippets"))


class Builders:
    """The builders whose settings are at HEAD, each with the syntaxes in which it includes."""

    def __init__(self, head: AtHead) -> None:
        """Look for the settings at HEAD."""
        self._top = head.top
        self._of_folder: dict[str, set[frozenset[str]]] = defaultdict(set)
        for path in head.files:
            folder, name = posixpath.split(path)
            if "/." not in f"/{folder}" and (match := _NAMES.fullmatch(name)):
                self._of_folder[folder].add(self._syntaxes(match.lastgroup or "", path))
            for part, syntax in _FOLDERS.items():
                if part in f"/{path}":
                    above = f"/{path}".partition(part)[0].lstrip("/")
                    self._of_folder[above].add(frozenset((syntax,)))
        self._every = frozenset().union(*self._of_folder.values())
        self.of = cache(self._of)

    def _syntaxes(self, builder: str, path: str) -> frozenset[str]:
        if builder == "jekyll":
            return frozenset(("liquid", "jekyll"))
        if builder != "mkdocs":
            return frozenset((builder,))
        try:
            text = read_text(self._top / path, "utf-8-sig")
        except Unreadable:
            return _ALL
        plugins = {"snippets": "snippets", "liquid": "include|macros|jinja|exec"}
        return frozenset(syntax for syntax, names in plugins.items() if re.search(names, text))

    def _of(self, page: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return the syntaxes that count in a source, and those that may count."""
        ending = posixpath.splitext(page)[1].lower()
        if syntaxes := SYNTAX_OF_ENDING.get(ending):
            return syntaxes, frozenset()
        folders = ("" if str(each) == "." else str(each) for each in PurePosixPath(page).parents)
        nearest = next(filter(None, map(self._of_folder.get, folders)), self._every)
        sure = next(iter(nearest)) if len(nearest) == 1 else frozenset[str]()
        return sure, (frozenset().union(*self._every) if self._every else _ALL) - sure
