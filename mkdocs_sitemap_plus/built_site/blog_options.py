"""Read the options of a blog: where Material and Zensical write its posts and its views."""

import posixpath
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from itertools import groupby
from string import Formatter
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote

from mkdocs_sitemap_plus.built_site.titles import MAX_TITLE
from mkdocs_sitemap_plus.pages import option_of

_SLUGIFY = "pymdownx.slugs.slugify"
_TAG = re.compile(r"</?[^>]*>")
_CASES: Mapping[object, Callable[[str], str]] = {
    "none": str,
    "lower": str.lower,
    "fold": str.casefold,
}
_DATE_PARTS = {"yyyy": "{:%Y}", "y": "{0.year}", "MM": "{:%m}", "M": "{0.month}", "dd": "{:%d}"}
_DATE_PARTS |= {"d": "{0.day}", "LL": "{:%m}", "L": "{0.month}"}
"""The parts of a date that are the same in all languages, by their patterns (Unicode TR 35)."""

_T = TypeVar("_T")


class BlogOptions(NamedTuple):
    """The options of one blog, which are not checked: an invalid one counts as the default."""

    raw: Mapping[str, Any]

    @property
    def folder(self) -> str:
        """The folder of the blog under the docs folder; empty for the docs folder itself."""
        return _normal(self.get("blog_dir", "blog"))

    def get(self, key: str, default: _T) -> _T:
        """Return one option."""
        return option_of(self.raw, key, default)

    def path(self, key: str, default: str) -> str:
        """Return a path under the docs folder, in which ``{blog}`` is the folder of the blog."""
        template = self.get(key, default)
        return _normal(filled(template, {"blog": self.folder or "."}) or template)

    def source(self, key: str, default: str, values: Mapping[str, str | None]) -> str | None:
        """Return the source path that a format makes; None if a value in it is not known."""
        path = filled(self.get(key, default), values)
        return _normal(posixpath.join(self.folder, f"{_normal(path)}.md")) if path else None

    def page_of(self, base: str, number: int) -> str | None:
        """Return the source path of a further page of the view `base`, a path without ending."""
        path = filled(self.get("pagination_url_format", "page/{page}"), {"page": str(number)})
        if path and posixpath.basename(base) == "index":
            base, path = posixpath.dirname(base), f"{path}/index"
        return _normal(posixpath.join(base, f"{_normal(path)}.md")) if path else None

    def slug(self, kind: str, text: str) -> str | None:
        """Return the slug of a title (kind ``post``) or a category (kind ``categories``).

        The result is None if a function or an option makes it that is not known here.
        """
        function = self.raw.get(f"{kind}_slugify", {"object": _SLUGIFY, "kwds": {"case": "lower"}})
        if not isinstance(function, Mapping) or function.get("object") != _SLUGIFY:
            return None
        options = function.get("kwds") or {}
        separator = self.get(f"{kind}_slugify_separator", "-")
        known = isinstance(options, Mapping) and options.keys() <= {"case", "percent_encode"}
        case = options.get("case", "none") if known else None
        if case not in _CASES or len(text) > MAX_TITLE:
            return None
        slug = _CASES[case](_TAG.sub("", unicodedata.normalize("NFC", text)).strip())
        slug = "".join(each for each in slug if each.isalnum() or each in "_- ")
        slug = slug.replace(" ", separator)
        return quote(slug) if options.get("percent_encode") else slug


def _normal(path: str) -> str:
    """Return a path under the docs folder without slashes around it; empty for ``.``."""
    normal = posixpath.normpath(path.strip("/"))
    return "" if normal == "." else normal


def filled(template: str, values: Mapping[str, str | None]) -> str | None:
    """Return a template with its ``{names}`` replaced; None if one of these is not known."""
    parts: list[str] = []
    try:
        for literal, name, form, conversion in Formatter().parse(template):
            value = "" if name is None else values.get(name)
            if value is None or form or conversion:
                return None
            parts += literal, value
    except ValueError:
        return None
    return "".join(parts)


def format_day(day: date, pattern: str) -> str | None:
    """Return a day in a pattern such as ``yyyy/MM/dd``; None if it depends on the language."""
    if "'" in pattern or pattern in ("full", "long", "medium", "short"):
        return None
    runs: Iterable[str] = ("".join(each) for _, each in groupby(pattern))  # of equal letters
    parts = [_DATE_PARTS[run].format(day) if run in _DATE_PARTS else run for run in runs]
    unknown = any(part.isalpha() and part.isascii() for part in parts)
    return None if unknown else "".join(parts)
