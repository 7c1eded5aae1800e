"""Read the options of a blog: where Material and Zensical write its posts and its views."""

import posixpath
import re
import unicodedata
from collections.abc import Callable, Mapping
from datetime import date
from string import Formatter
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote

from mkdocs_sitemap_plus.pages.theme_and_plugins import option_of
from mkdocs_sitemap_plus.pages.titles import MAX_TITLE

_SLUGIFY = "pymdownx.slugs.slugify"
_TAG = re.compile(r"</?[^>]*>")
_CASES: Mapping[object, Callable[[str], str]] = {
    "none": str,
    "lower": str.lower,
    "fold": str.casefold,
}
_RUN = re.compile(r"([A-Za-z])\1*")
"""A pattern of one part of a date: one letter, or the same letter several times."""

_DATE_PARTS = {"yyyy": "{:%Y}", "y": "{0.year}", "d": "{0.day}", "dd": "{:%d}"}
_DATE_PARTS |= {"M": "{0.month}", "MM": "{:%m}", "L": "{0.month}", "LL": "{:%m}"}
"""The parts of a date that are the same in all languages, by their patterns (Unicode TR 35)."""

_T = TypeVar("_T")


class BlogOptions(NamedTuple):
    """The options of one blog. They are not checked: an invalid one counts as not set."""

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
        return _normal(_filled(template, {"blog": self.folder or "."}) or template)

    def source(self, key: str, default: str, values: Mapping[str, str | None]) -> str | None:
        """Return the source path that a format makes; None if a value in it is not known."""
        path = _filled(self.get(key, default), values)
        return _normal(posixpath.join(self.folder, f"{_normal(path)}.md")) if path else None

    def page_of(self, view: str, number: int) -> str | None:
        """Return the source path of a further page of the view with this source path."""
        base, _ = posixpath.splitext(view)
        path = _filled(self.get("pagination_url_format", "page/{page}"), {"page": str(number)})
        if path and posixpath.basename(base) == "index":
            base, path = posixpath.dirname(base), f"{path}/index"
        return _normal(posixpath.join(base, f"{_normal(path)}.md")) if path else None

    def slug(self, kind: str, text: str) -> str | None:
        """Return the slug of a title (kind ``post``) or a category (kind ``categories``).

        The result is None if it is made by a function, or with an option, that is not known here.
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
        slug = "".join(letter for letter in slug if letter.isalnum() or letter in "_- ")
        slug = slug.replace(" ", separator)
        return quote(slug) if options.get("percent_encode") else slug


def _normal(path: str) -> str:
    """Return a path under the docs folder without slashes around it; empty for ``.``."""
    normal = posixpath.normpath(path.strip("/"))
    return "" if normal == "." else normal


def _filled(template: str, values: Mapping[str, str | None]) -> str | None:
    """Return a template with its ``{names}`` replaced; None if a name has no known value."""
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
    """Return a day in a pattern such as ``yyyy/MM/dd``.

    The result is None if it depends on the language, or if the pattern has quotes.
    """
    if "'" in pattern or any(run[0] not in _DATE_PARTS for run in _RUN.finditer(pattern)):
        return None
    return _RUN.sub(lambda run: _DATE_PARTS[run[0]].format(day), pattern)
